"""The engine under shogiarena, a tournament manager: twenty games at fast time, and an analysis.

    python tests/clients/shogiarena_client.py .venv/bin/shogiarena target/release/jitsugen
"""

import glob
import os
import re
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
        records = []
        for kind in ("csa", "usi", "kif", "kifu", "sfen", "jkf"):
            records += glob.glob(f"{output}/**/*.{kind}", recursive=True)
        everything = text
        for path in glob.glob(f"{output}/**/*", recursive=True):
            if os.path.isfile(path) and not path.endswith((".db", ".sqlite", ".lock")):
                with open(path, encoding="utf-8", errors="replace") as file:
                    everything += file.read()
        for trouble in ("illegal_move", "time_up", "TIME_UP", "ILLEGAL", "engine_error", "crash"):
            found = re.search(rf".*\b{trouble}\b.*", everything)
            if found:
                sys.exit(f"shogiarena: {trouble}: {found.group(0)[:300]}")
        print(f"shogiarena: a tournament of {GAMES} games ({len(records)} records): fine")


main()
