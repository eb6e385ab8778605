"""The engine under cshogi, as a client that people use: games, ponder, several lines, mate.

    python tests/clients/cshogi_client.py target/release/jitsugen

cshogi waits for ever for an engine that has died: call it under a time limit.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time

import cshogi
from cshogi.usi import Engine

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"


def check(condition, text):
    if not condition:
        sys.exit(f"cshogi: {text}")


def legal_moves(moves):
    board = cshogi.Board(START)
    for played in moves:
        board.push_usi(played)
    return [cshogi.move_to_usi(m) for m in board.legal_moves]


def legal(moves, move):
    return move in legal_moves(moves)


def conversation(program):
    engine = Engine(program)
    said = []
    engine.setoption("USI_Hash", 16)
    engine.isready()
    engine.usinewgame()

    # A short game, with and without pondering.
    moves = []
    for ply in range(12):
        engine.position(moves)
        best, ponder = engine.go(byoyomi=100, listener=said.append)
        check(legal(moves, best), f"{best} is illegal after {moves}")
        check("score" in said[-2] and " pv " in said[-2], f"no full line before bestmove: {said[-2:]}")
        moves.append(best)
        if ponder is None or ply % 3 == 2:
            continue
        check(legal(moves, ponder), f"ponder {ponder} is illegal after {moves}")
        guessed = moves + [ponder]
        engine.position(guessed)
        # go returns with the answer, so it waits in a thread of its own.
        answers = []
        pondering = threading.Thread(
            target=lambda: answers.append(engine.go(ponder=True, byoyomi=100, listener=said.append)), daemon=True
        )
        pondering.start()
        time.sleep(0.1)
        check(not answers, f"{answers} while pondering")
        hit = ply % 2 == 0
        if hit:
            engine.ponderhit()
        else:
            engine.stop()
        pondering.join(10)
        check(len(answers) == 1, "no answer after " + ("ponderhit" if hit else "stop"))
        if hit:
            check(legal(guessed, answers[0][0]), f"{answers} is illegal after a hit")
            moves = guessed + [answers[0][0]]

    # Several lines, changed between searches. A book has only one.
    engine.setoption("USI_OwnBook", "false")
    for lines in (3, 1, 2):
        engine.setoption("MultiPV", lines)
        engine.position(moves)
        said.clear()
        engine.go(nodes=3000, listener=said.append)
        possible = min(lines, len(legal_moves(moves)))
        ranks = {line.split("multipv ")[1].split()[0] for line in said if "multipv" in line}
        expected = {str(rank + 1) for rank in range(possible)}
        check(ranks == expected, f"MultiPV {lines} after {moves}: {ranks}, expected {expected}")
    engine.setoption("MultiPV", 1)

    # Mates.
    engine.position(sfen="sfen " + MATE_IN_ONE)
    best, _ = engine.go(byoyomi=200, listener=said.append)
    check(best == "G*5b", f"mate in one: {best}")
    engine.position(sfen="sfen " + MATED)
    best, _ = engine.go(byoyomi=200, listener=said.append)
    check(best == "resign", f"mated: {best}")
    engine.position(sfen="sfen " + MATE_IN_ONE)
    answer = engine.go_mate(byoyomi=1000, listener=said.append)
    check(answer == "G*5b", f"go mate: {answer}")
    engine.gameover()
    engine.quit()


def match(program, extra, games):
    with tempfile.TemporaryDirectory(prefix="棋譜 ") as folder:
        options = "USI_Hash:16"
        command = [sys.executable, "-m", "cshogi.cli", program, program, "--games", str(games)]
        command += ["--options1", options, "--options2", options, "--draw", "40", "--keep-process"] + extra
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
        text = done.stdout + done.stderr
        check(done.returncode == 0 and "Traceback" not in text, f"{extra}: {text[-2000:]}")
        # Its words for games that end by a breach of the rules and by the clock.
        for trouble in ("反則", "切れ負け"):
            check(trouble not in text, f"{extra}: {trouble}: {text[-2000:]}")
        check(f"{games} of {games} games finished." in text, f"{extra}: {text[-2000:]}")


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="shogi 将棋 engine ") as folder:
        # The path has blanks and Japanese letters, as users' paths do.
        link = os.path.join(folder, "jitsugen 実現" + os.path.splitext(program)[1])
        os.symlink(program, link)
        conversation(link)
    match(program, ["--byoyomi", "50"], 2)
    match(program, ["--time", "2000", "--inc", "50", "--ponder"], 1)
    print("cshogi: a game, ponder hits and misses, several lines, mates, matches: fine")


main()
