#!/usr/bin/env python3
"""Writes README.md, the index of the experiments by idea and by verdict, from the block on top of each entry.

    python3 docs/experiments/index.py           write the index
    python3 docs/experiments/index.py --check   exit 1 when the index is stale or an entry lacks its block

docs/experiments/method.md describes the block.
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
INDEX = FOLDER / "README.md"
FIELDS = ["Question", "Command", "Result", "Verdict", "Ideas"]
VERDICTS = {
    "kept": "the engine has it",
    "partly": "some of it is kept",
    "dropped": "tried and left out",
    "measured": "a figure was wanted",
    "open": "not decided yet",
}


def read(path):
    """The title and the fields of one entry."""
    title, _, rest = path.read_text(encoding="utf-8").partition("\n")
    if not title.startswith("# "):
        raise ValueError(f"{path.name}: the first line should be '# Title'")
    block = rest.lstrip("\n").partition("\n\n")[0]
    fields = {}
    for item in re.split(r"\n(?=- )", block):
        field = re.fullmatch(r"- \*\*(\w+):\*\* (.+)", " ".join(item.split()))
        if field:
            fields[field[1]] = field[2]
    if list(fields) != FIELDS:
        found = ", ".join(fields) or "nothing"
        raise ValueError(f"{path.name}: below the title should be {', '.join(FIELDS)}, in this order; found {found}")
    if fields["Verdict"] not in VERDICTS:
        raise ValueError(f"{path.name}: the verdict '{fields['Verdict']}' is none of {', '.join(VERDICTS)}")
    number = path.name[:3]
    return {"number": number, "file": path.name, "title": title[2:].strip(), **fields}


def link(entry):
    return f"[{entry['number']}]({entry['file']})"


def index(entries):
    """The text of README.md."""
    lines = [
        "# Experiments",
        "",
        "<!-- Made by index.py from the entries. Do not edit. -->",
        "",
        "What was tried and measured, whether it was kept or not. [method.md](method.md) says how to read an entry, how to",
        "measure and how to write one. [generations.sh](generations.sh) has the commands that made the evaluation.",
        "",
        "## By idea",
        "",
        "A number is an entry, with its verdict.",
        "",
        "| idea | entries |",
        "|---|---|",
    ]
    ideas = {}
    for entry in entries:
        for idea in entry["Ideas"].split(", "):
            ideas.setdefault(idea, []).append(entry)
    for idea in sorted(ideas, key=str.lower):
        lines.append(f"| {idea} | " + ", ".join(f"{link(entry)} {entry['Verdict']}" for entry in ideas[idea]) + " |")
    lines += ["", "## By verdict"]
    for verdict, meaning in VERDICTS.items():
        chosen = [entry for entry in entries if entry["Verdict"] == verdict]
        if chosen:
            lines += ["", f"### {verdict.capitalize()}: {meaning}", "", "| | question | result |", "|---|---|---|"]
            for entry in chosen:
                name = f"{link(entry)} {entry['title']}".replace("|", "\\|")
                lines.append(f"| {name} | {entry['Question']} | {entry['Result']} |")
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__.strip())
    entries, wrong = [], []
    for path in sorted(FOLDER.glob("[0-9]*.md")):
        try:
            if not re.fullmatch(r"\d{3}-[a-z0-9-]+\.md", path.name):
                raise ValueError(f"{path.name}: the name should be NNN-title.md, in small letters, digits and hyphens")
            entries.append(read(path))
        except ValueError as error:
            wrong.append(str(error))
    numbers = [entry["number"] for entry in entries]
    wrong += [f"two entries have the number {number}" for number in sorted(set(numbers)) if numbers.count(number) > 1]
    if not entries:
        wrong.append(f"there are no entries in {FOLDER}")
    if wrong:
        sys.exit("\n".join(wrong))
    text = index(entries)
    if not arguments:
        INDEX.write_text(text, encoding="utf-8", newline="\n")
    elif not INDEX.exists() or INDEX.read_text(encoding="utf-8") != text:
        sys.exit("docs/experiments/README.md is stale: run python3 docs/experiments/index.py")
    print(f"{len(entries)} experiments")


if __name__ == "__main__":
    main(sys.argv[1:])
