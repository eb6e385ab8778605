"""The engine under shogiarena, a tournament manager: twenty games at fast time.

    python tests/clients/shogiarena_client.py .venv/bin/shogiarena target/release/jitsugen
"""

import contextlib
import glob
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

GAMES = 20


def run(command, folder, seconds):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds)
    text = done.stdout + done.stderr
    if done.returncode != 0 or "Traceback" in text:
        sys.exit(f"shogiarena: {' '.join(command)}: {text[-3000:]}")
    return text


def main():
    arena, program = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out")
        # Every game starts its engines anew: full evaluation files are mapped, the built-in one would be unpacked each time.
        evaluation = os.path.join(folder, "eval")
        run([program, "eval-file", "convert", "built-in", evaluation], folder, 60)
        engines = []
        for name in ("A", "B"):
            engines += ["--engine", f"name={name}", f"path={program}"]
            engines += ["options.USI_Hash=16", f"options.EvalDir={evaluation}"]
        tournament = [arena, "--output-dir", output, "run", "tournament", "--no-resume", "--experiment-name", "fast"]
        tournament += engines
        tournament += ["--rules", "time_control.time_ms=500", "time_control.increment_ms=10"]
        tournament += ["adjudication.max_plies=60", "--tournament", f"games_per_pair={GAMES}"]
        tournament += ["num_parallel=2", "--dashboard", "enabled=false"]
        text = run(tournament, folder, 100)
        (results,) = glob.glob(f"{output}/tournament/runs/*/*/results/tournament_results.json")
        with open(results, encoding="utf-8") as file:
            completed = json.load(file)["completed_games"]
        if completed != GAMES:
            sys.exit(f"shogiarena: {completed} of {GAMES} games were played: {text[-3000:]}")
        (database,) = glob.glob(f"{output}/tournament/runs/*/*/game.db")
        with contextlib.closing(sqlite3.connect(database)) as games:
            endings = games.execute("select game_result, end_comment from game").fetchall()
            late = games.execute("select count(*) from game_timeout_attribution").fetchone()[0]
        for result, comment in endings:
            trouble = re.search("illegal|time|crash|error", f"{result} {comment}".lower())
            if trouble or late:
                sys.exit(f"shogiarena: {late} clocks lost; {result}, {comment}")
        print(f"shogiarena: a tournament of {completed} games: fine")



main()
