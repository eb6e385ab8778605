"""The Windows build under Wine: USI, mates, and files whose paths have blanks and Japanese letters.

    python3 tests/clients/windows_build.py target/x86_64-pc-windows-gnu/release/jitsugen.exe target/wine

The second argument is the folder where Wine keeps its files; making it takes Wine some ten seconds, once. The program
is started from a folder of its own, and its files are named both by relative and by whole paths.
"""

import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MATE_IN_1 = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
# A WCSC26 evaluation that is all zeros. Systems keep no such file on the disk, so it costs nothing.
ZEROS = {"KK_synthesized.bin": 52488, "KKP_synthesized.bin": 81251424, "KPP_synthesized.bin": 776402496}
# Windows has had this since version 8, Wine since version 9. Rust's standard library asks it for random numbers.
RANDOM_NUMBERS = """
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PUCHAR bytes, SIZE_T count) { return RtlGenRandom(bytes, count); }
"""
# For every answer; on a busy machine Wine alone takes seconds.
LIMIT = 180


def fail(message):
    sys.exit(f"the Windows build: {message}")


def wine():
    """The program that starts Windows programs: what Debian's wine64 has is not in the path without its package wine."""
    for name in ("wine", "wine64", "/usr/lib/wine/wine64"):
        if found := shutil.which(name):
            return found
    fail("there is no wine")


def provide_random_numbers(prefix, folder):
    """Puts bcryptprimitives.dll beside the program where Wine has none; what makes the program can make that, too."""
    if (prefix / "drive_c/windows/system32/bcryptprimitives.dll").exists():
        return
    source = folder / "bcryptprimitives.c"
    source.write_text(RANDOM_NUMBERS, encoding="utf-8")
    compiler = ["x86_64-w64-mingw32-gcc", "-shared", "-o", "bcryptprimitives.dll", source.name, "-ladvapi32"]
    subprocess.run(compiler, cwd=folder, check=True)


def windows(path):
    """How Wine names a file of this system."""
    return "Z:" + str(path).replace("/", "\\")


class Engine:
    """A conversation in USI."""

    def __init__(self, start, folder):
        self.process = start([], folder, stdin=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.heard = []

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip("\r\n"))
        self.lines.put(None)

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(f"{line}\r\n".encode())
        self.process.stdin.flush()

    def wait_for(self, beginning):
        """The next line that begins so."""
        end = time.monotonic() + LIMIT
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                fail(f"no {beginning!r} within {LIMIT} s, after {self.heard[-3:]}")
            if line is None:
                fail(f"it ended before {beginning!r}, after {self.heard[-3:]}")
            self.heard.append(line)
            if line.startswith(beginning):
                return line

    def ask(self, line, beginning):
        self.say(line)
        return self.wait_for(beginning)

    def quit(self):
        self.say("quit")
        if self.process.wait(LIMIT) != 0:
            fail(f"it ended with status {self.process.returncode} after quit")


def usi(start, folder):
    """The built-in evaluation and book, a search, a mate, and a log with a Japanese name."""
    engine = Engine(start, folder)
    log = folder / "記録" / "対局 一.txt"
    log.parent.mkdir()
    engine.say(f"setoption name DebugLogFile value {windows(log)}")
    name = engine.ask("usi", "id name ")
    engine.wait_for("usiok")
    engine.say("setoption name Threads value 2", "setoption name USI_Hash value 64")
    engine.ask("isready", "readyok")
    engine.say("usinewgame", "position startpos")
    if (move := engine.ask("go btime 1000 wtime 1000", "bestmove ").split()[1]) not in ("7g7f", "2g2f", "5g5f"):
        fail(f"the built-in book plays {move}")
    engine.say("setoption name USI_OwnBook value false", "position startpos moves 7g7f 3c3d")
    begin = time.monotonic()
    engine.ask("go byoyomi 500", "bestmove ")
    thought = time.monotonic() - begin
    if not any(line.startswith("info depth") and " pv " in line for line in engine.heard):
        fail("no line of a search was shown")
    engine.say("go infinite")
    engine.wait_for("info depth")
    engine.ask("stop", "bestmove ")
    engine.say(f"position {MATE_IN_1}")
    if (answer := engine.ask("go mate 10000", "checkmate ")) not in ("checkmate G*5b", "checkmate G*5b "):
        fail(f"go mate was answered with {answer!r}")
    engine.quit()
    text = log.read_text(encoding="utf-8")
    if "go mate 10000" not in text or "checkmate" not in text:
        fail(f"{log} does not have the conversation")
    print(f"  {name[8:]}: usi, isready, go, stop, go mate (byoyomi 500 took {1000 * thought:.0f} ms)")


def japanese_paths(start, folder):
    """An evaluation and books, named by relative and by whole paths."""
    evaluation = folder / "評価 関数"
    evaluation.mkdir()
    for name, length in ZEROS.items():
        with open(evaluation / name, "wb") as file:
            file.truncate(length)
    book = folder / "定跡"
    book.mkdir()
    shutil.copy(ROOT / "tests/data/book 定跡/small.db", book / "角換わり.db")
    engine = Engine(start, folder)
    engine.say("usi", "setoption name Threads value 1", "setoption name USI_Hash value 16")
    engine.say("setoption name EvalDir value 評価 関数")
    engine.say("setoption name BookDir value 定跡", "setoption name BookFile value 角換わり.db")
    engine.ask("isready", "readyok")
    engine.say("position startpos")
    if (answer := engine.ask("go nodes 100", "bestmove ")) != "bestmove 2g2f ponder 8c8d":
        fail(f"the book was not used: {answer}")
    # The built-in evaluation would not call it even.
    if (answer := engine.ask("eval", "eval = ")) != "eval = 0":
        fail(f"the evaluation was not used: {answer}")
    for option, path in [("EvalDir", windows(evaluation)), ("BookFile", windows(book / "角換わり.db"))]:
        engine.say(f"setoption name {option} value {path}")
    engine.ask("isready", "readyok")
    engine.say("position startpos")
    if (answer := engine.ask("go nodes 100", "bestmove ")) != "bestmove 2g2f ponder 8c8d":
        fail(f"the book was not used by its whole path: {answer}")
    if complaints := [line for line in engine.heard if line.startswith(("info string EvalDir", "info string Book"))]:
        fail(f"{complaints}")
    engine.say("setoption name EvalDir value 無い")
    engine.ask("isready", "info string EvalDir: ")
    engine.wait_for("readyok")
    if "無い" not in "".join(engine.heard):
        fail("the message on a missing evaluation does not name its folder")
    engine.quit()
    print("  EvalDir, BookFile, BookDir: relative and whole paths with Japanese letters")


def commands(start, folder):
    """Records and problems with Japanese names, read and written."""

    def run(*arguments, status=0):
        process = start(list(arguments), folder, stderr=subprocess.PIPE)
        output, errors = process.communicate(timeout=LIMIT)
        if process.returncode != status:
            fail(f"{arguments} ended with status {process.returncode}: {errors.decode()[-2000:]}")
        return output.decode().replace("\r\n", "\n")

    record = folder / "棋譜" / "対局 二.kif"
    record.parent.mkdir()
    shutil.copy(ROOT / "docs/guide/first-game.kif", record)
    for name in ("棋譜\\対局 二.kif", windows(record)):
        csa = run("record", name, "--to", "csa")
        if "+2726FU" not in csa and "+7776FU" not in csa:
            fail(f"record {name}: {csa[:500]}")
    (folder / "詰将棋.sfen").write_text(MATE_IN_1.removeprefix("sfen ") + "\t1\n", encoding="utf-8")
    if "mate in 1: G*5b" not in (answer := run("mate", "詰将棋.sfen")):
        fail(f"mate: {answer}")
    made = folder / "作った定跡.db"
    made.write_text("#YANEURAOU-DB2016 1.00\n", encoding="utf-8")
    run("book", "make", "棋譜\\対局 二.kif", "--output", made.name, "--least", "1")
    if "\nsfen " not in made.read_text(encoding="utf-8"):
        fail("book make has not replaced the old book")
    if left := list(folder.rglob("*.part")):
        fail(f"files were left: {left}")
    if "無い.kif" not in start(["record", "無い.kif"], folder, stderr=subprocess.STDOUT).communicate()[0].decode():
        fail("the message on a missing record does not name it")
    print("  record, mate, book make: files with Japanese names, read and written")


def main():
    program, prefix = (pathlib.Path(path).absolute() for path in sys.argv[1:3])
    prefix.mkdir(parents=True, exist_ok=True)
    # Without mono and gecko, of which Wine would ask in a window.
    environment = os.environ | {
        "WINEPREFIX": str(prefix),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree=;mshtml=;winemenubuilder.exe=",
        "LC_ALL": "C.UTF-8",
    }
    starter = wine()
    if not (prefix / "system.reg").exists():
        subprocess.run([starter, "wineboot", "-i"], env=environment, check=True, capture_output=True, timeout=LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder) / "将棋 エンジン"
        folder.mkdir()
        shutil.copy(program, folder)
        provide_random_numbers(prefix, folder)

        def start(arguments, folder, **pipes):
            pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL} | pipes
            return subprocess.Popen([starter, folder / program.name, *arguments], cwd=folder, env=environment, **pipes)

        begin = time.monotonic()
        for part in (usi, japanese_paths, commands):
            part(start, folder)
        print(f"the Windows build: fine ({time.monotonic() - begin:.0f} s)")


main()
