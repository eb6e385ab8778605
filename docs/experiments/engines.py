"""Engines that search positions, several at once, for the scripts beside this one."""

import json
import math
import os
import queue
import re
import subprocess
import sys
import threading
import time

# The chance to win of a value is taken to be 1 / (1 + exp(-centipawns / SCALE)).
SCALE = 600
# The value of a mate, and the largest that counts.
MATE, MOST = 30_000, 3_000
SCORE = re.compile(r" score (cp|mate) (\S+)")


class EngineEnded(Exception):
    """An engine has ended too soon."""


class Engine:
    """A USI engine, ready to search."""

    def __init__(self, command, options):
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("usi", "usiok")
        for option in options:
            name, value = option.split("=", 1)
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, last):
        """All lines of the answer, up to the one that begins with `last`."""
        self.send(line)
        answer = []
        for text in self.process.stdout:
            answer.append(text.strip())
            if text.startswith(last):
                return answer
        raise EngineEnded(f"the engine ended instead of answering '{line}'; its last lines: {answer[-3:]}")

    def search(self, position, nodes):
        return self.go(position, f"nodes {nodes}")

    def go(self, position, limit):
        """Searches with what `go` takes as a limit."""
        self.send("usinewgame")
        self.send(f"position {position}")
        return self.ask(f"go {limit}", "bestmove")

    def quit(self):
        self.send("quit")
        self.process.wait()


def last_value(answer):
    """The last value of a search, in centipawns; that of a lost position where it gave none."""
    scores = [score for score in map(SCORE.search, answer) if score]
    if not scores:
        return -MATE
    kind, number = scores[-1].groups()
    if kind == "cp":
        return int(number)
    return -MATE if number.startswith("-") else MATE


def chance(value):
    return 1 / (1 + math.exp(-max(-MOST, min(MOST, value)) / SCALE))


def work(what, jobs, start, do, at_once, save):
    """Does the jobs with several engines at once, shows how far it is, and saves now and then."""
    waiting, results, lock, began = queue.Queue(), {}, threading.Lock(), time.time()
    failures = []
    for job in jobs:
        waiting.put(job)

    def serve():
        try:
            serve_until_empty()
        except (OSError, EngineEnded) as failure:
            failures.append(failure)

    def serve_until_empty():
        engine = start()
        while True:
            try:
                job = waiting.get_nowait()
            except queue.Empty:
                return engine.quit()
            result = do(engine, job)
            with lock:
                results[job] = result
                done, seconds = len(results), time.time() - began
                if done % 50 == 0:
                    save(results)
                left = seconds / done * (len(jobs) - done)
                print(f"\r{what}: {done} of {len(jobs)}, {left:.0f} s left ", end="", file=sys.stderr)

    threads = [threading.Thread(target=serve) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if jobs:
        print(file=sys.stderr)
        save(results)
    if failures:
        sys.exit(f"{what}: {failures[0]}; {len(results)} of {len(jobs)} were done and kept")


def load(path, default):
    return json.loads(path.read_text()) if path.exists() else default


def save(path, value):
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value))
    os.replace(new, path)
