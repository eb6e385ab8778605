#!/usr/bin/env python3
"""Accuracy: how far the values of a search are from what is true, by nodes.

A search should come nearer to the truth the longer it takes (entry 086). Positions are a file with the argument of `position` on
each line; accuracy-hard.txt and accuracy-endings.txt are two. Each is searched once, and the values that the
engine shows on the way are kept. True is the mean of the last values of the runs that are named, best of searches unlike each
other and longer than what is measured. The error is the mean distance to it as a chance to win, in thousandths, after the mean of
all is made the same: an engine that always likes the side to move is not wrong by that.

    accuracy.py run   --folder F --positions accuracy-hard.txt --name ours  -e jitsugen -o USI_Hash=64 --nodes 400000
    accuracy.py run   --folder F --positions accuracy-hard.txt --name other -e OTHER --nodes 400000
    accuracy.py run   --folder F --positions accuracy-hard.txt --name idea  -e jitsugen -o late_move_cost=160 --nodes 100000
    accuracy.py table --folder F --truth ours other --against ours
    accuracy.py plot  --folder F --truth ours other --names ours other --output hard.svg

All is kept in the folder, so that a run that was broken off goes on. `plot` needs matplotlib.
"""

import argparse
import re
from pathlib import Path

import runs
from engines import chance, last_value

NODES = re.compile(r" nodes (\d+)")


def run(args):
    runs.run(args, args.nodes, lambda engine, position: values_by_nodes(engine.search(position, args.nodes)))


def values_by_nodes(answer):
    """Pairs of nodes and the value shown there; bounds say too little."""
    shown = [line for line in answer if " pv " in line and "bound" not in line and NODES.search(line)]
    return [[int(NODES.search(line)[1]), last_value([line])] for line in shown]


def value_at(values, nodes):
    """The last value that was shown within so many nodes, as a chance to win; None before the first."""
    shown = [value for begun, value in values if begun <= nodes]
    return chance(shown[-1]) if shown else None


class Folder:
    """What the runs of a folder have found, and what is true in its positions."""

    def __init__(self, folder, truth, needed):
        self.values = runs.all_of(folder, truth + needed)
        last = [{place: chance(shown[-1][1]) for place, shown in self.values[name].items() if shown} for name in truth]
        places = set.intersection(*map(set, last))
        self.truth = {place: sum(run[place] for run in last) / len(last) for place in places}

    def errors(self, name, nodes):
        """The error in each position that has a value by then, in thousandths."""
        off = {}
        for place, true in self.truth.items():
            found = value_at(self.values[name].get(place, []), nodes)
            if found is not None:
                off[place] = 1000 * (found - true)
        mean = sum(off.values()) / len(off) if off else 0
        return {place: abs(number - mean) for place, number in off.items()}

    def reaches(self, name, nodes):
        """Whether the searches were at least so long, but for those that ended by themselves."""
        longest = max((shown[-1][0] for shown in self.values[name].values() if shown), default=0)
        return 2 * longest > nodes


def table(args):
    known = Folder(args.folder, args.truth, args.against)
    for nodes in args.at:
        print(f"{nodes} nodes")
        for name in known.values:
            errors = known.errors(name, nodes)
            if len(errors) < len(known.truth) / 2 or not known.reaches(name, nodes):
                continue
            line = "  {:20} {:6.1f} ± {:.1f} ({})".format(name, *runs.mean_and_spread([*errors.values()]), len(errors))
            for other in args.against:
                base = known.errors(other, nodes)
                both = [errors[place] - base[place] for place in errors if place in base]
                if other != name and len(both) > 1:
                    line += "  against {} {:+.1f} ± {:.1f}".format(other, *runs.mean_and_spread(both))
            print(line)


def plot(args):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "accuracy"
    known = Folder(args.folder, args.truth, args.names)
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for name in args.names:
        found = [(nodes, [*known.errors(name, nodes).values()]) for nodes in args.at]
        points = [(nodes, *runs.mean_and_spread(errors)) for nodes, errors in found if len(errors) > len(known.truth) / 2]
        nodes, means, spreads = zip(*points)
        axes.errorbar(nodes, means, spreads, marker="o", capsize=3, label=name)
    axes.set(xscale="log", xlabel="nodes", ylabel="error, thousandths of a chance to win")
    axes.set(ylim=(0, None), title=args.title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(args.output, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runner = commands.add_parser("run", help="let an engine search, and keep its values")
    runner.set_defaults(do=run)
    runner.add_argument("--positions", type=Path, required=True)
    runner.add_argument("--name", required=True)
    runner.add_argument("-e", "--engine", required=True)
    runner.add_argument("-o", "--options", nargs="*", default=[])
    runner.add_argument("--nodes", type=int, default=100_000)
    runner.add_argument("-j", "--jobs", type=int, default=2, help="engines at once")
    shower = commands.add_parser("table", help="compare runs")
    shower.set_defaults(do=table)
    shower.add_argument("--against", nargs="*", default=[], help="runs to compare with, position by position")
    plotter = commands.add_parser("plot", help="draw the error of runs by nodes")
    plotter.set_defaults(do=plot)
    plotter.add_argument("--names", nargs="+", required=True)
    plotter.add_argument("--title", default="")
    plotter.add_argument("--output", type=Path, required=True)
    for each in (runner, shower, plotter):
        each.add_argument("--folder", type=Path, required=True)
    for each in (shower, plotter):
        each.add_argument("--truth", nargs="+", required=True, help="runs whose last values are true, in their mean")
        each.add_argument("--at", type=int, nargs="+", default=[10_000, 20_000, 50_000, 100_000, 200_000])
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
