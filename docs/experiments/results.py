#!/usr/bin/env python3
"""Results: how well the values of an evaluation, or of a search with it, foretell how games end.

Weights that foretell results better at depth 1 need not play better, as a search may see the same by itself (entry 087). So
values are compared after searches of any length. One position of each game is taken, drawn by lot between two plies, with the result for the side to move; drawn games are left out. A value
counts as a chance to win of 1 / (1 + exp(-value / scale)), and each run gets the scale that fits it best, as engines have units
of their own. The loss is the mean of -log(chance of what happened): 0.693 for one who knows nothing.

    results.py choose --games strong.usi --from 40 --to 100 --number 4000 > POSITIONS
    results.py run    --folder F --positions POSITIONS --name still    -e jitsugen --limit 'depth 1'
    results.py run    --folder F --positions POSITIONS --name searched -e jitsugen -o EvalDir=NEW --limit 'nodes 1000'
    results.py table  --folder F --against still

All is kept in the folder, so that a run that was broken off goes on.
"""

import argparse
import math
import random
import sys
from pathlib import Path

import runs
from engines import MOST, last_value, load

SCALES = [100 * 1.04**step for step in range(100)]


def choose(args):
    lines = args.games.read_text().splitlines()
    rng = random.Random(args.seed)
    rng.shuffle(lines)
    left = args.number
    for line in lines:
        result, _, game = line.partition("\t")
        start, _, moves = game.partition(" moves ")
        moves = moves.split()
        last = min(args.last, len(moves))
        if result not in ("b", "w") or last < args.first or left == 0:
            continue
        ply = rng.randint(args.first, last)
        white_first = start.startswith("sfen") and start.split()[2] == "w"
        side = "bw"[(ply + white_first) % 2]
        print(f"{int(result == side)}\t{start} moves {' '.join(moves[:ply])}")
        left -= 1
    if left:
        sys.exit(f"{args.games}: expected {left} more games that are not drawn and have {args.first} plies")


def run(args):
    runs.run(args, args.limit, lambda engine, line: last_value(engine.go(line.partition("\t")[2], args.limit)))


def losses(values, won, scale):
    """The loss in each position."""
    return {place: math.log1p(math.exp(-value / scale if won[place] else value / scale)) for place, value in values.items()}


def best_losses(values, won):
    """The scale that fits best, and the losses with it."""
    values = {place: max(-MOST, min(MOST, value)) for place, value in values.items()}
    scale = min(SCALES, key=lambda scale: sum(losses(values, won, scale).values()))
    return scale, losses(values, won, scale)


def table(args):
    lines = load(args.folder / "positions.json", [])
    won = {str(place): line.startswith("1") for place, line in enumerate(lines)}
    known = {name: best_losses(values, won) for name, values in runs.all_of(args.folder, args.against).items()}
    for name, (scale, found) in known.items():
        mean, spread = runs.mean_and_spread([*found.values()])
        text = f"{name:20} {mean:.4f} ± {spread:.4f} ({len(found)}), scale {scale:.0f}"
        for other in args.against:
            both = [found[place] - loss for place, loss in known[other][1].items() if place in found]
            if other != name:
                text += "  against {} {:+.4f} ± {:.4f}".format(other, *runs.mean_and_spread(both))
        print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("choose", help="print a position of each game, with its result")
    command.add_argument("--games", type=Path, required=True)
    command.add_argument("--from", dest="first", type=int, default=0, help="the first ply")
    command.add_argument("--to", dest="last", type=int, default=400, help="the last ply")
    command.add_argument("--number", type=int, default=4000)
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(do=choose)
    command = commands.add_parser("run", help="let an engine value the positions")
    command.add_argument("--folder", type=Path, required=True)
    command.add_argument("--positions", type=Path, required=True)
    command.add_argument("--name", required=True)
    command.add_argument("-e", "--engine", required=True)
    command.add_argument("-o", "--options", nargs="*", default=[])
    command.add_argument("--limit", default="depth 1", help="what `go` takes: 'depth 1', 'nodes 1000'")
    command.add_argument("-j", "--jobs", type=int, default=2, help="engines at once")
    command.set_defaults(do=run)
    command = commands.add_parser("table", help="show the loss of each run")
    command.add_argument("--folder", type=Path, required=True)
    command.add_argument("--against", nargs="*", default=[], help="compare with these runs, position by position")
    command.set_defaults(do=table)
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
