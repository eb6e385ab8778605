#!/usr/bin/env python3
"""Rollouts: an engine plays positions out that lie a few random plies beside games, and moves and results are kept.

A random move is drawn from all legal ones: in two of five cases evenly, else captures, promotions and checks more often and
drops less often, as a search looks at them. A game begins at the position after the last of them and is one line,
`result TAB sfen SFEN moves ...`. It ends as those of games.py do: with mate, resignation, a declaration, the fourth occurrence
of a position, after --plies plies (draw), or when --agree plies in a row see the same side --ahead ahead. Where the first search
says that a side is more than --balance ahead nothing is played. Rules by cshogi.

    rollouts.py -e ENGINE -o Threads=1 USI_Hash=1 --nodes 200 --games strong.usi --number 50000 --output rollouts.usi

Lines are appended, a whole one at a time: a run that was broken off is begun again with another --seed.
"""

import argparse
import random
import sys
import threading
import time
from pathlib import Path

import cshogi
from engines import Engine, EngineEnded, last_value

SIDES = {cshogi.BLACK: "b", cshogi.WHITE: "w"}
OTHER = {"b": "w", "w": "b"}


def drawn(board, rng):
    """A random legal move; None where there is none."""
    legal = list(board.legal_moves)
    if not legal or rng.random() < 0.4:
        return rng.choice(legal) if legal else None
    return rng.choices(legal, [weight(board, move) for move in legal])[0]


def weight(board, move):
    if cshogi.move_is_drop(move):
        weight = 0.3
    else:
        weight = 6 if board.piece(cshogi.move_to(move)) else 1
    if cshogi.move_is_promotion(move):
        weight *= 3
    board.push(move)
    if board.is_check():
        weight *= 4
    board.pop()
    return weight


def start_beside(game, rng, most):
    """A position up to `most` random plies beside a game; None where the game is too short or has ended there."""
    start, _, moves = game.partition("\t")[2].partition(" moves ")
    moves = moves.split()
    if len(moves) < 12:
        return None
    board = cshogi.Board(start.removeprefix("sfen ")) if start.startswith("sfen") else cshogi.Board()
    for move in moves[: rng.randint(6, len(moves) - 4)]:
        board.push_usi(move)
    for _ in range(rng.randint(1, most)):
        move = drawn(board, rng)
        if move is None:
            return None
        board.push(move)
    return None if board.is_game_over() else board.sfen()


def played_out(engine, start, args):
    """The result and the moves of a game from `start`; None where it is out of balance."""
    board, moves, agreed, leader = cshogi.Board(start), [], 0, None
    engine.send("usinewgame")
    while True:
        mover = SIDES[board.turn]
        if board.is_game_over():
            return OTHER[mover], moves
        repetition = board.is_draw()
        if repetition == cshogi.REPETITION_DRAW or len(moves) >= args.plies:
            return "d", moves
        if repetition in (cshogi.REPETITION_WIN, cshogi.REPETITION_LOSE):
            return (mover if repetition == cshogi.REPETITION_WIN else OTHER[mover]), moves
        engine.send(f"position sfen {start} moves {' '.join(moves)}")
        answer = engine.ask(f"go nodes {args.nodes}", "bestmove")
        best, value = answer[-1].split()[1], last_value(answer)
        if not moves and abs(value) > args.balance:
            return None
        if best == "resign":
            return OTHER[mover], moves
        if best == "win":
            return (mover, moves) if board.is_nyugyoku() else None
        ahead = None if abs(value) < args.ahead else mover if value > 0 else OTHER[mover]
        agreed, leader = (agreed + 1 if ahead == leader else 1) if ahead else 0, ahead
        move = board.move_from_usi(best)
        if not move or not board.is_legal(move):
            raise EngineEnded(f"an illegal move, {best}, after {start} moves {' '.join(moves)}")
        board.push(move)
        moves.append(best)
        if agreed >= args.agree:
            return ahead, moves


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-e", "--engine", required=True)
    parser.add_argument("-o", "--options", nargs="*", default=[])
    parser.add_argument("--games", type=Path, required=True, help="games, one a line, as games.py writes them")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--number", type=int, default=10_000, help="games to play")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--random", type=int, default=4, help="the most random plies")
    parser.add_argument("--balance", type=int, default=1500)
    parser.add_argument("--ahead", type=int, default=2000)
    parser.add_argument("--agree", type=int, default=4)
    parser.add_argument("--plies", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="engines at once")
    args = parser.parse_args()
    games = args.games.read_text().splitlines()
    if not games:
        parser.error(f"{args.games}: expected games")
    lock, began, done, failures = threading.Lock(), time.time(), [0], []

    def serve(number):
        rng = random.Random(f"{args.seed} {number}")
        engine = Engine(args.engine, args.options)
        with args.output.open("a") as output:
            while done[0] < args.number and not failures:
                start = start_beside(rng.choice(games), rng, args.random)
                game = played_out(engine, start, args) if start else None
                if not game or not game[1]:
                    continue
                with lock:
                    if done[0] >= args.number:
                        break
                    output.write(f"{game[0]}\tsfen {start} moves {' '.join(game[1])}\n")
                    output.flush()
                    done[0] += 1
                    left = (time.time() - began) / done[0] * (args.number - done[0])
                    if done[0] % 50 == 0:
                        print(f"\r{done[0]} of {args.number} games, {left:.0f} s left ", end="", file=sys.stderr)
        engine.quit()

    def serve_or_fail(number):
        try:
            serve(number)
        except (OSError, EngineEnded) as failure:
            failures.append(failure)

    threads = [threading.Thread(target=serve_or_fail, args=(number,)) for number in range(args.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(file=sys.stderr)
    if failures:
        sys.exit(f"{failures[0]}; {done[0]} of {args.number} games were played and kept")


if __name__ == "__main__":
    main()
