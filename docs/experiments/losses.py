#!/usr/bin/env python3
"""Where games are lost: an engine values every position of the games that a player has lost.

For each twenty plies it prints what a move has cost on average, in thousandths of a chance to win, for the player and for its
opponents, then the player's worst moves (entry 085). `jitsugen analyse` explains a game by our own search; this asks any engine
about a whole match, as our search does not see what it has not seen. Games are a file that match.py has saved. All values
are kept in a folder, so that a run that was broken off goes on.

    losses.py --games match.save --player jitsugen --folder F -e OTHER -o USI_Hash=64 --nodes 100000
"""

import argparse
import re
from collections import defaultdict
from pathlib import Path

from engines import Engine, chance, last_value, load, save, work

# A move that costs more than this, as a chance to win, is a blunder.
BLUNDER = 0.15
PLIES = 20


class Game:
    """The moves of a game, and who played."""

    def __init__(self, header, moves):
        names = dict(re.findall(r"(black|white|winner)=(\S+)", header))
        self.number = int(header.split()[2])
        self.start, _, moves = moves.partition(" moves ")
        self.moves = moves.split()
        self.players = names.get("black"), names.get("white")
        self.winner = names.get("winner")
        self.white_first = self.start.startswith("sfen") and self.start.split()[2] == "w"

    def player(self, ply):
        """Who is to move after so many plies."""
        return self.players[(ply + self.white_first) % 2]

    def is_lost_by(self, player):
        """Whether the other player has won. The winner of a draw is no player."""
        return player in self.players and self.winner in self.players and self.winner != player

    def position(self, ply):
        return " ".join([self.start, "moves", *self.moves[:ply]])


def games(path):
    lines = [line for line in path.read_text().splitlines() if line.strip()]
    return [Game(header, moves) for header, moves in zip(lines, lines[1:]) if header.startswith("# game")]


def show(lost, values, player, worst):
    """Prints what moves have cost, by ply, and the worst of them."""
    costs, blunders = defaultdict(list), []
    for game in lost:
        for ply, move in enumerate(game.moves):
            before, after = (values.get(f"{game.number} {at}") for at in (ply, ply + 1))
            if before is None or after is None:
                continue
            cost = chance(before[0]) - chance(-after[0])
            is_player = game.player(ply) == player
            costs[ply // PLIES * PLIES, is_player].append(cost)
            if is_player:
                blunders.append((cost, game.number, ply, move, before[1]))
    print(f"{'ply':>9} {player:>24} {'opponents':>24}")
    for first in sorted({first for first, _ in costs}):
        cells = [f"{first:4}-{first + PLIES - 1:<4}"]
        for is_player in (True, False):
            some = costs[first, is_player]
            mean = 1000 * sum(some) / max(1, len(some))
            cells.append(f"{mean:+7.1f} ({len(some)}), {sum(cost > BLUNDER for cost in some)} blunders")
        print("  ".join(f"{cell:>23}" for cell in cells))
    print("the worst:")
    for cost, number, ply, move, best in sorted(blunders, reverse=True)[:worst]:
        print(f"  game {number} ply {ply}: {move} for {best} cost {1000 * cost:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=Path, required=True)
    parser.add_argument("--player", required=True, help="its name in the file of games")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("-e", "--engine", required=True)
    parser.add_argument("-o", "--options", nargs="*", default=[])
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=36, help="the first ply that is looked at, where a match begins")
    parser.add_argument("--worst", type=int, default=20, help="how many moves to print")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="engines at once")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    lost = [game for game in games(args.games) if game.is_lost_by(args.player)]
    if not lost:
        parser.error(f"{args.games}: {args.player} has lost no game")
    path = args.folder / "values.json"
    known = load(path, {})
    by_number = {game.number: game for game in lost}
    wanted = [f"{game.number} {ply}" for game in lost for ply in range(args.first, len(game.moves) + 1)]

    def value(engine, job):
        number, ply = map(int, job.split())
        answer = engine.search(by_number[number].position(ply), args.nodes)
        return last_value(answer), answer[-1].split()[1]

    work(
        "positions",
        [job for job in wanted if job not in known],
        lambda: Engine(args.engine, args.options),
        value,
        args.jobs,
        lambda found: save(path, known | found),
    )
    show(lost, load(path, {}), args.player, args.worst)


if __name__ == "__main__":
    main()
