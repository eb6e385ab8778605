#!/usr/bin/env python3
"""Regret: how much worse than another's the moves of a search are, as longer searches judge them.

A quick look before games (entry 084). Positions are a file with the argument of `position` on each line. A run lets an
engine search each of them and notes its best move at several numbers of nodes; the judge then searches the position after
each move that it has not met. All is kept in a folder, so that a run that was broken off goes on.

    regret.py run     --folder F --positions P --name base -e 'jitsugen' --at 25000 50000 100000 200000 --no-judge
    regret.py choose  --folder F --name base > HARD
    regret.py run     --folder G --positions HARD --name idea -e 'jitsugen' -o late_move_cost=80 --judge 'jitsugen'
    regret.py table   --folder G --against same other

`choose` prints the positions in which the best move has changed. The run that chose looks worse than it is there, so the
table compares with runs of the same strength that play otherwise: one number changed by one.
"""

import argparse
import re
from pathlib import Path

import runs
from engines import Engine, chance, last_value, load, save, work

NODES = re.compile(r" nodes (\d+)")
BEST = re.compile(r" pv (\S+)")


def best_moves(answer, at):
    """The best move at each number of nodes; nothing where the engine had not reported one yet."""
    found, last = {}, None
    for nodes in at:
        for line in answer:
            counted, best = NODES.search(line), BEST.search(line)
            if counted and best and int(counted[1]) <= nodes:
                last = best[1]
        found[str(nodes)] = last
    found[str(at[-1])] = answer[-1].split()[1]
    return found


def run(args):
    def look(engine, position):
        return best_moves(engine.search(position, args.at[-1]), args.at)

    positions, moves = runs.run(args, args.at, look)
    if args.no_judge:
        return

    judged_path = args.folder / "judged.json"
    judged = load(judged_path, {})
    wanted = {f"{place} {mv}" for place, found in moves.items() for mv in found.values() if mv}
    wanted = [pair for pair in sorted(wanted - set(judged)) if not pair.endswith((" resign", " win"))]

    def judge(engine, pair):
        place, mv = pair.split()
        position = positions[int(place)]
        joint = " " if " moves " in position else " moves "
        return -last_value(engine.search(position + joint + mv, args.judge_nodes))

    work(
        "judge",
        wanted,
        lambda: Engine(args.judge, args.judge_options),
        judge,
        args.jobs,
        lambda values: save(judged_path, judged | values),
    )


def choose(args):
    positions = load(args.folder / "positions.json", [])
    moves = load(args.folder / f"run.{args.name}.json", {})
    for place, position in enumerate(positions):
        if len(set(moves.get(str(place), {}).values()) - {None}) > 1:
            print(position)


def table(args):
    judged = load(args.folder / "judged.json", {})
    known = runs.all_of(args.folder, args.against)
    print("chance to win, in thousandths, against the mean of", ", ".join(args.against))
    for name, moves in known.items():
        cells = []
        for nodes in next(iter(moves.values()), {}):

            def worth(other, place):
                return judged.get(f"{place} {known[other].get(place, {}).get(nodes)}")

            gains = []
            for place in moves:
                values = [worth(other, place) for other in [name, *args.against]]
                if None not in values:
                    own, *others = map(chance, values)
                    gains.append(1000 * (own - sum(others) / len(others)))
            if len(gains) > 1:
                mean, spread = runs.mean_and_spread(gains)
                cells.append(f"{nodes}: {mean:+.1f} ± {spread:.1f} ({len(gains)})")
        print(f"{name:20}", "  ".join(cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run", help="let an engine search, and judge its moves")
    command.set_defaults(do=run)
    command.add_argument("--positions", type=Path, required=True)
    command.add_argument("--name", required=True)
    command.add_argument("-e", "--engine", required=True)
    command.add_argument("-o", "--options", nargs="*", default=[])
    command.add_argument("--at", type=int, nargs="+", default=[25_000, 50_000, 100_000], help="nodes, rising")
    command.add_argument("--judge", help="the judge's command (default: the engine)")
    command.add_argument("--judge-options", nargs="*", default=[])
    command.add_argument("--judge-nodes", type=int, default=300_000)
    command.add_argument("--no-judge", action="store_true")
    command.add_argument("-j", "--jobs", type=int, default=2, help="engines at once")
    chooser = commands.add_parser("choose", help="print the positions in which a run's best move has changed")
    chooser.set_defaults(do=choose)
    chooser.add_argument("--name", required=True)
    shower = commands.add_parser("table", help="compare runs")
    shower.set_defaults(do=table)
    shower.add_argument("--against", nargs="+", required=True, help="runs of the same strength to compare with")
    for each in (command, chooser, shower):
        each.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    if args.do is run:
        args.judge = args.judge or args.engine
        args.at.sort()
    args.do(args)


if __name__ == "__main__":
    main()
