#!/usr/bin/env python3
"""Stands between a match runner that knows no pondering and an engine, and lets the engine think on the opponent's time.

    ponder_filter.py [--counts FILE] ENGINE [ARGUMENT ...]

is itself a USI engine. After each answer with a move to ponder on, the engine gets the position after both moves and `go
ponder`; where the opponent plays that move it gets `ponderhit`, otherwise `stop`, and its answer is dropped. An engine
that answers before either of them, or not within ten seconds after `stop`, ends the filter with an error, which a match
runner counts as a crash. With --counts a line with the hits and misses is added to FILE at the end.
"""
import argparse
import queue
import subprocess
import sys
import threading

PATIENCE = 10


class Filter:
    def __init__(self, command):
        self.engine = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        self.position = self.go = ""
        # The position that the engine ponders on; None where it does not ponder.
        self.expected = None
        self.hit = False
        self.hits = self.misses = 0

    def run(self):
        for stream, name in ((self.engine.stdout, "engine"), (sys.stdin, "client")):
            threading.Thread(target=self.read, args=(stream, name), daemon=True).start()
        while True:
            name, line = self.lines.get()
            if line is None:
                break
            if name == "engine":
                self.engine_says(line)
            else:
                self.client_says(line)
                if line == "quit":
                    break
        self.engine.stdin.close()
        return self.engine.wait(PATIENCE)

    def read(self, stream, name):
        for line in stream:
            self.lines.put((name, line.rstrip("\r\n")))
        self.lines.put((name, None))

    def send(self, line):
        self.engine.stdin.write(line + "\n")
        self.engine.stdin.flush()

    def client_says(self, line):
        if self.expected is not None and not self.hit:
            if line == self.expected:
                self.hit = True
                return
            self.stop_pondering()
        word = line.split(" ", 1)[0]
        if word == "position":
            self.position = line
        elif word == "go":
            self.go = line
            if self.hit:
                self.hit = False
                self.hits += 1
                self.position, self.expected = self.expected, None
                self.send("ponderhit")
                return
        self.send(line)

    def engine_says(self, line):
        words = line.split()
        is_answer = bool(words) and words[0] == "bestmove"
        if self.expected is not None:
            if is_answer:
                sys.exit(f"'{line}' before ponderhit or stop")
            return
        print(line, flush=True)
        if is_answer and len(words) == 4 and words[2] == "ponder":
            moves = "" if " moves " in self.position else " moves"
            self.expected = f"{self.position}{moves} {words[1]} {words[3]}"
            self.send(self.expected)
            self.send(self.go.replace("go", "go ponder", 1))

    def stop_pondering(self):
        self.misses += 1
        self.expected = None
        self.send("stop")
        kept = []
        while True:
            try:
                name, line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                sys.exit(f"no answer {PATIENCE} seconds after stop")
            if line is None and name == "engine":
                sys.exit("the engine has ended")
            if name == "client":
                kept.append((name, line))
            elif line.startswith("bestmove"):
                break
        for item in kept:
            self.lines.put(item)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", metavar="FILE")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="ENGINE")
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("expected an engine")
    ponders = Filter(arguments.command)
    status = ponders.run()
    if arguments.counts:
        with open(arguments.counts, "a", encoding="utf-8") as counts:
            counts.write(f"{ponders.hits} hits, {ponders.misses} misses\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
