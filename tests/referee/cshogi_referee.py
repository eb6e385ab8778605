"""Compares our rules with those of cshogi, which shares no code with us.

Plays random games, asks `rules_oracle` (rules_oracle.rs) about every position of them, and compares the legal
moves, repetitions, occurrences and declarations by 27 points:

    cargo build --release --example rules_oracle
    python tests/referee/cshogi_referee.py target/release/examples/rules_oracle [positions] [openings]
"""

import random
import subprocess
import sys

import cshogi

STARTS = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    # Both kings have entered.
    "2+P1K1+P2/1+P+R1+P1+P2/2G1S1B2/9/9/9/2b1s1g2/2+p1+p1+r+p1/2+p1k1+p2 w GS2N2L4Pgs2n2l4p 1",
    "+N3+P2+L1/GK+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/4L1g+nk b L5Pbl6p 1",
    "1+P+P+P+P+P+P+P+P/K2+B+R4/9/9/9/9/9/3+b1+r2k/+p+p+p+p+p+p+p+p1 b 2G2S2N2L2g2s2n2l 1",
    "1+P+P+P+P+P+P+P+P/K2+B5/9/9/9/9/9/7+rk/+p+p+p+p+p+p+p+p1 w RB4G4S2L 1",
    # Few pieces: much repetition, some of it with check.
    "4r3k/9/9/9/9/9/9/9/K4R3 b P 1",
    "8k/9/9/9/9/9/9/9/K3R4 w 2G 1",
    "lr2+R2G1/6g1k/p3ppppp/2p1b4/9/2P+b4P/P+p3PPP1/4G1SK1/LN3+p1NL b 2SNLgsn3p 1",
]

# Gains and losses in hand with the same board, which hardly ever come about by chance.
GIVING_A_PAWN = (
    "lr6l/4g1pkp/2ns1s3/4pp1SP/PPBP2Pp1/2gpPP3/2B2S3/2K6/L6RL b 4P2g3np 1",
    ["3e3d 4c3d P*3e 3d4c", "3e3d 4c3d P*3e 3d4c 3e3d", "8e8d 8a8d P*8e 8d8a", "8e8d 8a8d P*8e 8d8a 8e8d"],
)

LONGEST_GAME = 140


def expected_repetition(board):
    """The answer of cshogi in our words: the kind of the latest repetition."""
    return {
        cshogi.NOT_REPETITION: "-",
        cshogi.REPETITION_DRAW: "draw",
        cshogi.REPETITION_WIN: "win",
        cshogi.REPETITION_LOSE: "lose",
        cshogi.REPETITION_SUPERIOR: "better",
        cshogi.REPETITION_INFERIOR: "worse",
    }[board.is_draw()]


def our_repetition(text, turn):
    """Our answer as cshogi would put it: it blames the side to move first when both have checked throughout."""
    if text == "-":
        return "-"
    hand, black, white = text.split(" ")
    if hand != "Same":
        return hand.lower()
    own, other = (black, white) if turn == cshogi.BLACK else (white, black)
    return "lose" if own == "1" else "win" if other == "1" else "draw"


def without_number(board):
    """The SFEN without the number of the move: the same for each occurrence of a position."""
    return board.sfen().rsplit(" ", 1)[0]


def choose(rng, board, played, shuffling):
    """Mostly any move; with the chance `shuffling` the one that takes back the side's latest, sometimes a check."""
    moves = [cshogi.move_to_usi(move) for move in board.legal_moves]
    if rng.random() < shuffling and len(played) > 1 and "*" not in played[-2]:
        back = played[-2][2:4] + played[-2][0:2]
        if back in moves:
            return back
    if rng.random() < 0.2:
        checks = []
        for move in moves:
            board.push_usi(move)
            if board.is_check():
                checks.append(move)
            board.pop()
        if checks:
            return rng.choice(checks)
    return rng.choice(moves)


def main():
    oracle_path = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 60_000
    starts = [(f"sfen {sfen}", sfen, []) for sfen in STARTS]
    sfen, lines = GIVING_A_PAWN
    starts += [(f"sfen {sfen}", sfen, line.split()) for line in lines]
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as file:
            lines = [line.split() for line in file]
        starts += [("startpos", None, words[2:]) for words in lines if words[:2] == ["startpos", "moves"]][:100]

    rng = random.Random(1)
    oracle = subprocess.Popen([oracle_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    met = {}
    positions = moves = 0
    while positions < wanted:
        name, sfen, opening = rng.choice(starts)
        board = cshogi.Board(sfen) if sfen else cshogi.Board()
        played = []
        shuffling = rng.choice([0.1, 0.8])
        occurred = [without_number(board)]
        for move in opening:
            board.push_usi(move)
            played.append(move)
            occurred.append(without_number(board))
        for _ in range(LONGEST_GAME):
            question = f"position {name}" + (" moves " + " ".join(played) if played else "")
            oracle.stdin.write(question + "\n")
            oracle.stdin.flush()
            answer = oracle.stdout.readline().rstrip("\n")
            legal = sorted(cshogi.move_to_usi(move) for move in board.legal_moves)
            repetition = expected_repetition(board)
            occurrences = str(occurred.count(occurred[-1]))
            declares = str(int(board.is_nyugyoku()))
            expected = (legal, repetition, occurrences, declares)
            fields = answer.split("\t")
            found = (fields[0].split(), our_repetition(fields[1], board.turn), *fields[2:]) if len(fields) == 4 else answer
            if found != expected:
                sys.exit(f"{question}\n  cshogi: {expected}\n  ours:   {answer}")
            positions += 1
            moves += len(legal)
            for key in (f"repetition {repetition}", f"declares {declares}", f"check {int(board.is_check())}"):
                met[key] = met.get(key, 0) + 1
            if not legal or positions >= wanted:
                break
            move = choose(rng, board, played, shuffling)
            board.push_usi(move)
            played.append(move)
            occurred.append(without_number(board))
    oracle.stdin.close()
    if oracle.wait() != 0:
        sys.exit("rules_oracle failed")
    for word in ("draw", "win", "lose", "better", "worse"):
        if wanted >= 60_000 and met.get(f"repetition {word}", 0) < 5:
            sys.exit(f"repetition '{word}' hardly ever occurred: {met}")
    print(f"cshogi referee: {positions} positions, {moves} legal moves agree; {dict(sorted(met.items()))}")


if __name__ == "__main__":
    main()
