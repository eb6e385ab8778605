#!/usr/bin/env python3
"""Games of games.py from a position on after which the engine chose every move (entry 087).

They begin with 4 to 24 plies of an opening and up to three random moves, from which no moves should be learned. A game is cut
three plies after the longest beginning that is that of an opening; what has fewer than ten plies left is left out. Rules by
cshogi.

    after_openings.py --openings games24.sfen < strong.usi > strong-cut.usi
"""

import argparse
import sys
from pathlib import Path

import cshogi

# What games.py takes of an opening, and random moves after it at most.
SHORTEST, LONGEST, RANDOM = 4, 24, 3
LEAST = 10


def tree_of(openings):
    """The openings as a tree of moves."""
    root = {}
    for line in openings.read_text().splitlines():
        node = root
        for move in line.partition(" moves ")[2].split():
            node = node.setdefault(move, {})
    return root


def plies_of_opening(moves, node):
    for ply, move in enumerate(moves[:LONGEST]):
        node = node.get(move)
        if node is None:
            return ply
    return min(LONGEST, len(moves))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--openings", type=Path, required=True)
    args = parser.parse_args()
    tree = tree_of(args.openings)
    for number, line in enumerate(sys.stdin, 1):
        result, _, game = line.rstrip("\n").partition("\t")
        start, _, moves = game.partition(" moves ")
        if start != "startpos":
            sys.exit(f"line {number}: expected a result, a tab and 'startpos moves ...', not '{line[:40].rstrip()}'")
        moves = moves.split()
        first = max(SHORTEST, plies_of_opening(moves, tree)) + RANDOM
        if len(moves) < first + LEAST:
            continue
        board = cshogi.Board()
        for move in moves[:first]:
            board.push_usi(move)
        print(f"{result}\tsfen {board.sfen()} moves {' '.join(moves[first:])}")


if __name__ == "__main__":
    main()
