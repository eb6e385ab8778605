"""Our CSA client on the reference server: games of two clients against each other, paired as floodgate pairs them.

    python tests/clients/shogi_server.py target/release/jitsugen SHOGI_SERVER [GAMES] [GAME]

SHOGI_SERVER is a folder with shogi-server, a program in Ruby under the GPL: it is copied and run as it is, on the
loopback only. Without Ruby or the server this says so and ends well. GAMES is how many games are played, 2 by default.
GAME names their time: floodgate-10-1F, the default, has 10 seconds and 1 more a move, floodgate-20-0F 20 seconds in
all. Pairing is at each full minute, so a game takes up to a minute longer than its moves.
"""

import datetime
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NAMES = ("jitsugen_a", "jitsugen_b")

# shogi-server listens on all addresses. Loaded before it, this leaves it the loopback.
LOOPBACK = """
require "socket"
class << Socket
  prepend(Module.new { def tcp_server_sockets(host = nil, port) = super("127.0.0.1", port) })
end
"""


def skip(why):
    print(f"skipped: shogi-server: {why}")
    sys.exit(0)


def fail(text):
    sys.exit(f"shogi-server: {text}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def minutes(count):
    """The next full minutes, as the server's schedule has them."""
    now = datetime.datetime.now()
    for minute in range(1, count + 1):
        yield (now + datetime.timedelta(minutes=minute)).strftime("%a %H:%M")


def start_server(source, folder, game, port):
    """Starts a copy of the server in `folder` and waits until it takes connections."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git", "[0-9]" * 4))
    # The server reads the schedule and writes records and logs beside itself.
    os.makedirs(os.path.join(folder, "players"), exist_ok=True)
    with open(os.path.join(folder, "loopback.rb"), "w", encoding="utf-8") as file:
        file.write(LOOPBACK)
    with open(os.path.join(folder, f"{game}.conf"), "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in minutes(120))
    command = ["ruby", "-r", "./loopback.rb", "shogi-server", "--floodgate-games", game]
    command += ["--player-log-dir", "players", "test", str(port)]
    with open(os.path.join(folder, "server.log"), "w", encoding="utf-8") as log:
        server = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    for _ in range(100):
        if server.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server
        except OSError:
            time.sleep(0.2)
    server.kill()
    with open(os.path.join(folder, "server.log"), encoding="utf-8") as log:
        fail(f"it does not start: {log.read()[-2000:]}")


def start_client(program, folder, name, game, games, port):
    """Starts a client that plays `games` games and ends."""
    os.makedirs(folder)
    with open(os.path.join(folder, "client.toml"), "w", encoding="utf-8") as file:
        file.write(f'server = "127.0.0.1"\nport = {port}\nname = "{name}"\npassword = "{game},secret-{name}"\n')
        file.write(f"games = {games}\nponder = true\nrecords = 'records'\n")
        file.write("[options]\nThreads = 1\nUSI_Hash = 16\n")
    with open(os.path.join(folder, "client.log"), "w", encoding="utf-8") as log:
        command = [program, "csa", "client.toml", "--plain"]
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def csa_files(folder):
    """The records of games below a folder: name, text. The server has other CSA files as well, of its own tests."""
    for where, _, names in os.walk(folder):
        for name in names:
            if name.startswith("test+") and name.endswith(".csa"):
                with open(os.path.join(where, name), encoding="utf-8") as file:
                    yield name, file.read()


def played(text):
    """What both sides have to agree about: moves, times and the end."""
    return re.findall(r"^(?:[+-]\d{4}[A-Z]{2}|T\d+|%\w+)$", text, re.MULTILINE)


def values(text):
    return re.findall(r"^'\*\* (-?\d+)", text, re.MULTILINE)


def check_records(program, folder, server_folder, games):
    """Compares the records of the clients with those of the server, and returns how many moves there were."""
    official = dict(csa_files(server_folder))
    if len(official) != games:
        fail(f"{len(official)} records of the server: expected {games}: {sorted(official)}")
    moves = 0
    for name in NAMES:
        own = dict(csa_files(os.path.join(folder, name, "records")))
        if sorted(own) != sorted(official):
            fail(f"{name} has the records {sorted(own)}: expected {sorted(official)}")
        for game, text in official.items():
            ending = played(text)[-2:]
            if re.search("TIME_UP|ILLEGAL|CHUDAN", " ".join(ending)) or "summary:abnormal" in text:
                fail(f"{game} ended with {ending}")
            if played(own[game]) != played(text):
                fail(f"{name}'s record of {game} has other moves, times or another end than the server's")
            if not values(own[game]):
                fail(f"{name}'s record of {game} has no values")
            if name == NAMES[0]:
                count = len(re.findall(r"^[+-]\d{4}", text, re.MULTILINE))
                # Book moves and only moves may have none.
                if len(values(text)) < count // 2:
                    fail(f"the server got {len(values(text))} values for the {count} moves of {game}")
                moves += count
        command = [program, "csa", "results", os.path.join(folder, name, "records")]
        table = subprocess.run(command, capture_output=True, text=True, timeout=60)
        result = re.search(r"^W-L-D: (\d+)-(\d+)-(\d+)$", table.stdout, re.MULTILINE)
        if not result or sum(map(int, result.groups())) != games or not table.stdout.startswith(name):
            fail(f"the results of {name}: {table.stdout}{table.stderr}")
        print(f"{name}: {result.group(0)}")
    return moves


def tail(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()[-1500:]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    source = sys.argv[2] if len(sys.argv) > 2 else ""
    games = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    game = sys.argv[4] if len(sys.argv) > 4 else "floodgate-10-1F"
    if not shutil.which("ruby"):
        skip("there is no ruby")
    if not os.path.isfile(os.path.join(source, "shogi-server")):
        skip("no folder with shogi-server was named")
    with tempfile.TemporaryDirectory() as folder:
        server_folder = os.path.join(folder, "server")
        port = free_port()
        server = start_server(source, server_folder, game, port)
        clients = {name: start_client(program, os.path.join(folder, name), name, game, games, port) for name in NAMES}
        try:
            # Each game waits for the next minute; five minutes are for the moves.
            deadline = time.monotonic() + games * 360
            for name, client in clients.items():
                try:
                    status = client.wait(max(deadline - time.monotonic(), 1))
                except subprocess.TimeoutExpired:
                    fail(f"{name} does not end: {tail(os.path.join(folder, name, 'client.log'))}")
                if status != 0:
                    fail(f"{name} ended with {status}: {tail(os.path.join(folder, name, 'client.log'))}")
            # The server writes the last lines of a record after the clients know the result.
            time.sleep(1)
        finally:
            for process in [*clients.values(), server]:
                process.send_signal(signal.SIGINT)
            for process in [*clients.values(), server]:
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
        with open(os.path.join(server_folder, "server.log"), encoding="utf-8", errors="replace") as file:
            log = file.read()
        # It calls it an error where a client hangs up at the end of a game before it does so itself.
        if re.search(r"FATAL|undefined method|\w+Error\b", log):
            fail(f"the server's log: {log[-1500:]}")
        moves = check_records(program, folder, server_folder, games)
    print(f"shogi-server: {games} games of {moves} moves under floodgate's pairing: fine")


if __name__ == "__main__":
    main()
