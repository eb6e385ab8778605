"""Runs of engines over the positions of a folder, and their mean and spread, for the scripts beside this one.

A folder belongs to one file of positions. A run in it has a name and the settings that it began with, and goes on where it was
broken off.
"""

import math
import sys

from engines import Engine, load, save, work


def run(args, settings, look):
    """Keeps what `look` finds in each position that the run has not got yet. It gets an engine and a line of the file.

    Returns the lines, and what was found by their number, as text."""
    args.folder.mkdir(parents=True, exist_ok=True)
    try:
        lines = args.positions.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        sys.exit(f"{args.positions}: expected a file of positions: {fault}")
    known = load(args.folder / "positions.json", lines)
    if known != lines:
        sys.exit(f"{args.folder} has runs on other positions than those of {args.positions}")
    save(args.folder / "positions.json", lines)
    settings = [args.engine, args.options, settings]
    known = load(args.folder / f"settings.{args.name}.json", settings)
    if known != settings:
        sys.exit(f"{args.folder} has a run of the name {args.name} with other settings: {known}")
    save(args.folder / f"settings.{args.name}.json", settings)

    path = args.folder / f"run.{args.name}.json"
    before = load(path, {})
    work(
        args.name,
        [str(place) for place in range(len(lines)) if str(place) not in before],
        lambda: Engine(args.engine, args.options),
        lambda engine, place: look(engine, lines[int(place)]),
        args.jobs,
        lambda found: save(path, before | found),
    )
    return lines, load(path, {})


def all_of(folder, needed):
    """What the runs of a folder have found, by their names; those that are needed have to be there."""
    found = {path.stem[4:]: load(path, {}) for path in sorted(folder.glob("run.*.json"))}
    if missing := [name for name in needed if name not in found]:
        sys.exit(f"no run of this name: {', '.join(missing)}; there are {', '.join(found) or 'none'}")
    return found


def mean_and_spread(numbers):
    """The mean, and the standard deviation of the mean."""
    mean = sum(numbers) / len(numbers)
    return mean, math.sqrt(sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1) / len(numbers))
