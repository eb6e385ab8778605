"""A client that is killed: the engine has to be gone within a second, whatever it was doing.

    python tests/clients/killed_client.py target/release/jitsugen

Needs /proc, as Linux has it.
"""

import os
import subprocess
import sys
import time

# Starts the engine, sends it some lines, prints its process number and waits to be killed.
CLIENT = """
import subprocess, sys, time
engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
engine.stdin.write(sys.argv[2].encode())
engine.stdin.flush()
time.sleep(float(sys.argv[3]))
print(engine.pid, flush=True)
time.sleep(1000)
"""

# Without a book: the engine has to be searching when its client dies.
NO_BOOK = "setoption name USI_OwnBook value false\n"
READY = NO_BOOK + "usi\nisready\nusinewgame\nposition startpos\n"
# What the engine gets, and how long it has for that before the client is killed.
CASES = [
    ("isready\n", 0.05),
    ("setoption name USI_Hash value 1024\nisready\n", 0.2),
    (NO_BOOK + "position startpos\ngo btime 60000 wtime 60000\n", 0.05),
    (READY, 2),
    (READY + "go infinite\n", 2),
    (READY + "go ponder\n", 2),
    (READY + "go btime 3600000 wtime 3600000\n", 2),
    (READY + "go mate infinite\n", 2),
    ("go perft 9\n", 0.2),
    ("bench\n", 2),
]


def runs(pid):
    """Whether the process is there and has not ended. One that has may still be listed."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def main():
    program = os.path.abspath(sys.argv[1])
    slowest = 0.0
    for lines, pause in CASES:
        client = subprocess.Popen(
            [sys.executable, "-c", CLIENT, program, lines, str(pause)], stdout=subprocess.PIPE, text=True
        )
        pid = int(client.stdout.readline())
        if not runs(pid):
            sys.exit(f"killed client: the engine had ended before, after {lines!r}")
        client.kill()
        client.wait()
        begin = time.monotonic()
        while runs(pid) and time.monotonic() < begin + 1:
            time.sleep(0.01)
        took = time.monotonic() - begin
        if runs(pid):
            sys.exit(f"killed client: the engine still runs a second later, after {lines!r}")
        print(f"  {took:.2f} s after {lines!r}")
        slowest = max(slowest, took)
    print(f"killed client: the engine was gone after {slowest:.2f} s at most")


main()
