// Reads the KIF and CSA files of an analysis with tsshogi, the reader of ShogiHome, and finds in the comments what ShogiHome
// looks for: a value or a mate at every position, and lines that can be played.
//
//     node tsshogi_reader.mjs TSSHOGI GAME.kifu GAME.csa
//
// TSSHOGI is the folder of the package.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [folder, ...paths] = process.argv.slice(2);
const { importKIF, importCSA, parsePV, parseCSAMove, formatPV } = await import(
  pathToFileURL(join(folder, "dist/esm/index.mjs"))
);

/** What ShogiHome's `parseComment` looks for, by the kind of comment. */
const VALUES = {
  kifu: [/^#評価値=([+-]?[0-9]+(?:\.[0-9]+)?)/, /^#詰み=(先手勝ち|後手勝ち)(?::([0-9]+)手)?/],
  csa: [/^\* *([+-]?[0-9]+(?:\.[0-9]+)?)/],
};

/** The moves of the line in a comment, as ShogiHome finds them, and how many the comment has. */
function line(kind, position, text) {
  if (kind === "kifu") {
    const found = text.match(/^#読み筋=(.*)$/m);
    if (!found) return undefined;
    return { moves: parsePV(position, found[1]), written: found[1].split(/[▲△]/).length - 1 };
  }
  const found = text.match(/^\* -?[0-9]+ (.*)$/m);
  if (!found) return undefined;
  const at = position.clone(), moves = [];
  for (const word of found[1].split(" ")) {
    const move = parseCSAMove(at, word);
    if (move instanceof Error || !at.doMove(move)) break;
    moves.push(move);
  }
  return { moves, written: found[1].split(" ").length };
}

let games = [];
for (const path of paths) {
  const kind = path.endsWith(".csa") ? "csa" : "kifu";
  const record = (kind === "csa" ? importCSA : importKIF)(readFileSync(path, "utf-8"));
  if (record instanceof Error) throw record;
  let positions = 0, lines = 0;
  const moves = record.moves;
  record.goto(0);
  for (;;) {
    const { comment, ply } = record.current;
    const isEnd = ply > 0 && !record.current.move.usi;
    if (!isEnd) {
      positions += 1;
      if (!comment.split("\n").some((text) => VALUES[kind].some((value) => value.test(text))))
        throw new Error(`${path}: no value at move ${ply}: ${comment}`);
      const found = line(kind, record.position, comment);
      if (found) {
        lines += 1;
        if (found.moves.length !== found.written || found.written === 0)
          throw new Error(`${path}: move ${ply}: ${formatPV(record.position, found.moves)} is not the whole of ${comment}`);
      }
    }
    if (!record.goForward()) break;
  }
  games.push(moves.filter((node) => node.move.usi).map((node) => node.move.usi).join(" "));
  console.log(`${path}: ${positions} positions with a value, ${lines} lines that can be played`);
}
if (new Set(games).size !== 1) throw new Error("the files have different games");
