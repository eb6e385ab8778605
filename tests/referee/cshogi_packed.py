"""Compares packed training positions (PackedSfenValue) with those of cshogi, both ways.

Plays random games, has every position of them written by cshogi and read by `packed_oracle`
(packed_oracle.rs), then written by `packed_oracle` and read by cshogi, and compares position, move, score,
ply and result, and then the bytes:

    cargo build --release --example packed_oracle
    python tests/referee/cshogi_packed.py target/release/examples/packed_oracle [positions]
"""

import random
import subprocess
import sys

import cshogi
import numpy

STARTS = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 9P2L2N2S2GBR9p2l2n2s2gbr 1",
    "4r3k/9/9/9/9/9/9/9/K4R3 b P 65000",
]

# The bounds of the score's two bytes, mates as the field has them, and everyday scores.
SCORES = [-32768, -32000, -31999, -3000, -1, 0, 1, 57, 2999, 31999, 32000, 32767]

LONGEST_GAME = 200


def plan(wanted):
    """Positions of random games as cshogi boards would be set: SFEN, move in USI, its psv word, score, result."""
    rng = random.Random(40)
    cases = []
    while len(cases) < wanted:
        board = cshogi.Board(rng.choice(STARTS))
        for _ in range(LONGEST_GAME):
            moves = list(board.legal_moves)
            if not moves or len(cases) == wanted:
                break
            move = rng.choice(moves)
            # Every now and then there is no move.
            written = move if rng.random() < 0.98 else None
            word = cshogi.move16_to_psv(cshogi.move16(written)) if written else 0
            text = cshogi.move_to_usi(written) if written else "-"
            cases.append((board.sfen(), text, word, rng.choice(SCORES), rng.choice([-1, 0, 1])))
            # Captures fill the hands.
            captures = [m for m in moves if cshogi.move_cap(m)]
            board.push(rng.choice(captures) if captures and rng.random() < 0.3 else move)
    return cases


def same_position(one, other):
    """Whether two SFENs mean the same, move numbers included."""
    first, second = cshogi.Board(one), cshogi.Board(other)
    return (
        first.pieces == second.pieces
        and first.pieces_in_hand == second.pieces_in_hand
        and first.turn == second.turn
        and first.move_number == second.move_number
    )


def ask(oracle, mode, data):
    return subprocess.run([oracle, mode], input=data, stdout=subprocess.PIPE, check=True).stdout


def main():
    oracle = sys.argv[1]
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    cases = plan(wanted)

    theirs = numpy.zeros(len(cases), cshogi.PackedSfenValue)
    for record, (sfen, _, word, score, result) in zip(theirs, cases):
        board = cshogi.Board(sfen)
        board.to_psfen(record["sfen"])
        record["score"], record["move"], record["game_result"] = score, word, result
        record["gamePly"] = board.move_number
    lines = ask(oracle, "read", theirs.tobytes()).decode().splitlines()
    if len(lines) != len(cases):
        sys.exit(f"{len(lines)} of {len(cases)} positions were read")
    for line, (sfen, text, _, score, result) in zip(lines, cases):
        found = line.split("\t")
        if found[1:] != [text, str(score), str(result)] or not same_position(found[0], sfen):
            sys.exit(f"{sfen}\n  cshogi wrote: {text} {score} {result}\n  we read: {line}")

    lines = [f"{sfen}\t{text}\t{score}\t{result}\n" for sfen, text, _, score, result in cases]
    ours = numpy.frombuffer(ask(oracle, "write", "".join(lines).encode()), cshogi.PackedSfenValue)
    if len(ours) != len(cases):
        sys.exit(f"{len(ours)} of {len(cases)} positions were written")
    board = cshogi.Board()
    for record, (sfen, text, _, score, result) in zip(ours, cases):
        board.set_psfen(numpy.array(record["sfen"]))
        word = int(record["move"])
        move = board.move_from_move16(cshogi.move16_from_psv(word)) if word else None
        found = (
            cshogi.move_to_usi(move) if move else "-",
            int(record["score"]),
            int(record["game_result"]),
            int(record["gamePly"]),
        )
        expected = cshogi.Board(sfen)
        if found != (text, score, result, expected.move_number) or (move and not board.is_legal(move)):
            sys.exit(f"{sfen}\n  we wrote: {text} {score} {result}\n  cshogi read: {found}")
        board.move_number = expected.move_number
        if not same_position(board.sfen(), sfen):
            sys.exit(f"{sfen}\n  cshogi read: {board.sfen()}")
    bytes_of = [records.view(numpy.uint8).reshape(-1, 40) for records in (ours, theirs)]
    different = int((bytes_of[0] != bytes_of[1]).any(axis=1).sum())
    if different:
        sys.exit(f"{different} positions have other bytes than cshogi's")

    drops = sum("*" in text for _, text, _, _, _ in cases)
    promotions = sum(text.endswith("+") for _, text, _, _, _ in cases)
    agreed = f"{len(cases)} positions agree both ways and byte by byte"
    print(f"cshogi, packed: {agreed}; {drops} drops, {promotions} promotions")


if __name__ == "__main__":
    main()
