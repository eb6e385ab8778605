#!/usr/bin/env python3
"""Checks that every relative link in the Markdown files of the repository leads to a file that is there.

    python3 docs/check_links.py

Exits 1 and names file, line and link where one does not, or where a link to a heading (`file.md#heading`) has none.
Links to the web are not followed.
"""

import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^()<>\s]+)>?(?:\s+\"[^\"]*\")?\s*\)")
SOURCE = re.compile(r"<(?:img|source)[^>]*?\s(?:src|srcset)=\"([^\"]+)\"")


def prose(text):
    """The text without code, line for line: what stands in code is no link."""
    text = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), text, flags=re.M | re.S)
    text = re.sub(r"(?<=\n\n)(?:(?: {4}|\t).*\n)+", lambda code: "\n" * code[0].count("\n"), text)
    return re.sub(r"`[^`]*`", lambda code: "\n" * code[0].count("\n"), text)


def anchors(text):
    """What the headings of a file are called in links."""
    titles = re.findall(r"^#+ +(.*?)\s*$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def wrong_links(path):
    text = path.read_text(encoding="utf-8")
    searched = prose(text)
    for match in [*LINK.finditer(searched), *SOURCE.finditer(searched)]:
        target = urllib.parse.unquote(match[1])
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        line = searched.count("\n", 0, match.start()) + 1
        if not file.exists():
            yield f"{path.relative_to(ROOT)}:{line}: {target}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{path.relative_to(ROOT)}:{line}: {target}: no such heading"


def main():
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    wrong = [message for path in sorted(files) for message in wrong_links(path)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"the links of {len(files)} files lead somewhere")


if __name__ == "__main__":
    main()
