#!/usr/bin/env python3
"""Packs a built program with its licences and its guide: a .zip for Windows, a .tar.gz elsewhere.

    python .ci/archive.py target/release/jitsugen x86_64-unknown-linux-gnu target/archives

Needs markdown-it-py. The guide's pages, the README and the changelog become HTML, in English and in Japanese; links to
what is not in the archive become plain text. The same program and documents give the same bytes: names are sorted, and
every time is the release's date in CHANGELOG.md, or SOURCE_DATE_EPOCH. The archive is written aside and renamed.
"""

import datetime
import gzip
import html
import io
import json
import os
import pathlib
import posixpath
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import markdown_it

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "README.ja.md", "CHANGELOG.md"]
PLAIN = ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT"]
# Empty: where a book and an evaluation of one's own go.
FOLDERS = ["book", "eval"]
STYLE = """\
body { font: 16px/1.6 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }
pre, code { font-family: Consolas, Menlo, monospace; background: #f3f3f3 }
pre { padding: .7em; overflow-x: auto } table { border-collapse: collapse } img { max-width: 100%; background: #fff }
th, td { border: 1px solid #bbb; padding: .3em .6em; text-align: left; vertical-align: top }"""


def version_and_date():
    """The version in Cargo.toml, and the date that CHANGELOG.md gives it."""
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changes, flags=re.M)
    if not found:
        sys.exit(f"archive: CHANGELOG.md has no dated section for version {version}")
    date = datetime.datetime.fromisoformat(found[1]).replace(tzinfo=datetime.timezone.utc)
    if seconds := os.environ.get("SOURCE_DATE_EPOCH"):
        date = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    return version, date


def documents():
    """The files of README and guide by their paths in the archive, pages as HTML."""
    sources = [*PAGES, *PLAIN]
    sources += [str(path.relative_to(ROOT).as_posix()) for path in (ROOT / "docs/guide").rglob("*") if path.is_file()]
    names = {source: re.sub(r"\.md$", ".html", source) for source in sources}
    files = {}
    for source, name in names.items():
        data = (ROOT / source).read_bytes()
        if source.endswith(".md"):
            data = page(source, data.decode().replace("\r\n", "\n"), names).encode()
        files[name] = data
    check_links(files)
    return files


def page(source, text, names):
    """A Markdown file as HTML. A link leads to the page of `names`, or becomes plain text."""
    parser = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(text)
    title = source
    for before, token in zip(tokens, tokens[1:]):
        if before.type == "heading_open":
            # As GitHub calls it, which the links of the pages count on.
            words = "".join(child.content for child in token.children)
            before.attrSet("id", re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"))
            title = words if before.tag == "h1" else title
        if token.type == "inline":
            relink(token.children, posixpath.dirname(source), names)
    language = "ja" if source.endswith(".ja.md") or "/ja/" in source else "en"
    body = parser.renderer.render(tokens, parser.options, {})
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{html.escape(title)}</title>\n'
        f"<style>\n{STYLE}\n</style>\n{body}</html>\n"
    )


def relink(tokens, folder, names):
    """Makes links lead to the HTML pages, and takes out those that lead out of the archive."""
    kept = []
    for token in tokens:
        if token.type == "link_open":
            target, mark, anchor = token.attrGet("href").partition("#")
            name = posixpath.normpath(posixpath.join(folder, target)) if target else ""
            web = re.match(r"[a-z]+:", target)
            if name in names:
                token.attrSet("href", posixpath.relpath(names[name], folder or ".") + mark + anchor)
            kept.append(bool(web or not target or name in names))
            token.hidden = not kept[-1]
        elif token.type == "link_close":
            token.hidden = not kept.pop()
    tokens[:] = [token for token in tokens if not (token.hidden and token.type.startswith("link_"))]


def check_links(files):
    """Ends the program where a link or a picture of a page leads nowhere."""
    for name, data in files.items():
        if not name.endswith(".html"):
            continue
        for target in re.findall(r'(?:href|src)="([^"]+)"', data.decode()):
            path, _, anchor = html.unescape(target).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            path, anchor = (requote(text) for text in (path, anchor))
            if path not in files or anchor and f' id="{anchor}"' not in files[path].decode():
                sys.exit(f"archive: {name}: {target} leads nowhere")


def requote(text):
    return re.sub("(?:%[0-9A-F]{2})+", lambda code: bytes.fromhex(code[0].replace("%", "")).decode(), text)


def licences(target):
    """The licences of the crates that the program is built from, each text once."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    used, todo = set(), [root]
    while todo:
        # A dependency of kind null is linked; the others build or test.
        linked = [
            dependency["pkg"]
            for dependency in nodes[todo.pop()]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
        todo += [package for package in linked if package not in used]
        used.update(linked)
    packages = sorted(
        (package for package in metadata["packages"] if package["id"] in used),
        key=lambda package: (package["name"], package["version"]),
    )
    by_text, lines = {}, []
    for package in packages:
        name = f"{package['name']} {package['version']}"
        lines.append(f"{name}: {package['license']}")
        folder = pathlib.Path(package["manifest_path"]).parent
        for path in sorted(folder.iterdir()):
            if path.is_file() and re.match(r"(UN)?LICEN[CS]E|COPYING|COPYRIGHT|NOTICE", path.name, flags=re.I):
                text = path.read_text(encoding="utf-8").replace("\r\n", "\n").strip()
                by_text.setdefault(text, []).append(name)
    parts = [
        "Jitsugen is built from these crates and from Rust's standard library (MIT or Apache-2.0), each under the\n"
        "licence that stands beside it. The texts that the crates bring follow.\n\n" + "\n".join(lines)
    ]
    parts += [f"{', '.join(users)}\n\n{text}" for text, users in by_text.items()]
    return ("\n\n" + "=" * 100 + "\n").join(parts).encode() + b"\n"


def as_zip(folder, files, programs, date):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(f"{folder}/{name}", date.timetuple()[:6])
            entry.create_system = 3
            mode = 0o40755 if name.endswith("/") else 0o100755 if name in programs else 0o100644
            entry.external_attr = mode << 16 | (0x10 if name.endswith("/") else 0)
            archive.writestr(entry, data, zipfile.ZIP_STORED if name.endswith("/") else zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def as_tar(folder, files, programs, date):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in files:
            entry = tarfile.TarInfo(f"{folder}/{name}".rstrip("/"))
            entry.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            entry.mode = 0o755 if name.endswith("/") or name in programs else 0o644
            entry.mtime, entry.size = int(date.timestamp()), len(data)
            archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), 9, mtime=0)


def main():
    program, target, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    suffix = f"-{sys.argv[4]}" if len(sys.argv) > 4 else ""
    version, date = version_and_date()
    files = documents()
    files[program.name] = program.read_bytes()
    files["LICENCES-OF-CRATES.txt"] = licences(target)
    files |= {f"{folder}/": b"" for folder in FOLDERS}
    folder = f"jitsugen-{version}-{target}{suffix}"
    pack, ending = (as_zip, "zip") if "windows" in target else (as_tar, "tar.gz")
    packed = pack(folder, sorted(files.items()), {program.name}, date)
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"{folder}.{ending}"
    aside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        aside.write_bytes(packed)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    print(f"{path}: {len(files)} files, {len(packed):,} bytes")


if __name__ == "__main__":
    main()
