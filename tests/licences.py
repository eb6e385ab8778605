#!/usr/bin/env python3
"""Checks the licence and the source of every crate that is built for the engine, its tests or its fuzz targets.

    python3 tests/licences.py

A licence has to leave everybody free to copy, change and sell the engine, also without its source. The source has to be
crates.io, where nothing changes once it is published. Exits 1 and names each crate that is otherwise.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFESTS = ["Cargo.toml", "fuzz/Cargo.toml"]
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
# By their SPDX names.
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "MIT",
    "NCSA",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def is_allowed(expression):
    """Whether an SPDX expression can be met with allowed licences alone. `/`, as older crates have it, is OR."""
    tokens = re.findall(r"[()]|[\w.+-]+", expression.replace("/", " OR "))

    def alternatives():
        allowed = together()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            # Both sides are read in any case.
            allowed = together() or allowed
        return allowed

    def together():
        allowed = licence()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            allowed = licence() and allowed
        return allowed

    def licence():
        name = tokens.pop(0) if tokens else ""
        if name == "(":
            allowed = alternatives()
            if not tokens or tokens.pop(0) != ")":
                raise ValueError
            return allowed
        if tokens[:1] == ["WITH"]:
            name = f"{name} WITH {' '.join(tokens[1:2])}"
            del tokens[:2]
        return name in ALLOWED

    try:
        allowed = alternatives()
    except ValueError:
        return False
    return allowed and not tokens


def wrong(metadata):
    """What is wrong with the packages that `cargo metadata` lists. Those of the repository have no source."""
    for package in metadata["packages"]:
        name = f"{package['name']} {package['version']}"
        if package["source"] is None:
            if not pathlib.Path(package["manifest_path"]).is_relative_to(ROOT):
                yield f"{name}: expected a crate of crates.io, found the folder {package['manifest_path']}"
            elif package["name"] == "jitsugen-fuzz":
                continue
        elif package["source"] != CRATES_IO:
            yield f"{name}: expected a crate of crates.io, found {package['source']}"
        if not package["license"]:
            yield f"{name}: it names no licence"
        elif not is_allowed(package["license"]):
            yield f"{name}: its licence is not among those that are allowed: {package['license']}"


def metadata_of(manifest, *arguments):
    """What cargo knows of a package and all that it is built from, in the versions of Cargo.lock."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", manifest, *arguments]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def check_the_check():
    """Ends the program where something wrong is accepted, or something right refused."""

    def faults(licence="MIT", source=CRATES_IO, folder="/crates"):
        package = {"name": "a", "version": "1.0.0", "license": licence, "source": source}
        return len(list(wrong({"packages": [package | {"manifest_path": f"{folder}/Cargo.toml"}]})))

    right = [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0-only OR MIT",
        "(MIT OR GPL-3.0-only) AND Unicode-3.0",
        "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
        "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only",
    ]
    refused = [
        None,
        "",
        "GPL-3.0-or-later",
        "MPL-2.0",
        "MIT AND GPL-3.0-only",
        "(MIT OR Apache-2.0) AND LGPL-3.0-only",
        "Apache-2.0 WITH Classpath-exception-2.0",
        "(MIT OR Apache-2.0",
        "MIT Apache-2.0",
        "LicenseRef-proprietary",
    ]
    found = [
        *(f"refused: {licence}" for licence in right if faults(licence) != 0),
        *(f"accepted: {licence}" for licence in refused if faults(licence) != 1),
    ]
    for source in ["git+https://example.org/a", "registry+https://example.org/index", None]:
        if faults(source=source) != 1:
            found.append(f"accepted: source {source}")
    if faults(source=None, folder=str(ROOT)) != 0:
        found.append("refused: a package of the repository")
    if found:
        sys.exit("\n".join(f"licences: the check itself is wrong, {what}" for what in found))


def main():
    check_the_check()
    packages, messages = set(), []
    for manifest in MANIFESTS:
        metadata = metadata_of(manifest)
        packages |= {package["id"] for package in metadata["packages"]}
        messages += [message for message in wrong(metadata) if message not in messages]
    if messages:
        sys.exit("\n".join(messages))
    print(f"licences: {len(packages)} packages have an allowed licence and come from crates.io")


if __name__ == "__main__":
    main()
