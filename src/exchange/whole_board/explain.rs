//! The table and the predicted line in words.

use std::fmt::{self, Write};

use super::WholeBoard;
use super::board::Board;
use super::entry::{Credit, Entry, EntryKind, Reason, Trigger};
use super::line::{Purpose, Step};
use super::table::Table;
use super::tie::{Tie, TieKind};
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::square::Square;

/// Writes what is known of a position: what binds the pieces, the table, what the moves do to each other, and the line.
pub struct Explanation<'a>(pub &'a WholeBoard<'a>);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WholeBoard { side, table, .. } = self.0;
        let line = self.0.line();
        let board = &table.board;
        writeln!(f, "{} to move", name_of(*side))?;
        if !table.ties.is_empty() {
            writeln!(f, "\nPins and ties:")?;
            for tie in &table.ties {
                writeln!(f, "  {}", tie_text(table, tie))?;
            }
        }
        writeln!(f, "\nTactical moves:\n  BDRI+SRDX  move        value   1st  weight")?;
        for entry in self.entries() {
            writeln!(f, "  {}", row(table, *side, entry))?;
        }
        let mut spoken = self.entries().filter(|entry| !entry.credits.is_empty()).peekable();
        if spoken.peek().is_some() {
            writeln!(f, "\nWhat they do to each other:")?;
            for entry in spoken {
                writeln!(f, "  {}", sentence(self.0, entry))?;
            }
        }
        writeln!(f, "\nPredicted line:")?;
        let mut at = *board;
        for step in &line.steps {
            writeln!(f, "  {}", step_text(&at, step, table.values.shown(step.gain)))?;
            if let Some(mv) = step.mv {
                at.play(step.side, mv);
            }
        }
        writeln!(f, "Net value for {}: {}", name_of(*side), table.values.shown(line.net))?;
        if let Some(second) = &self.0.second_run {
            let (other, which) =
                if self.0.first_is_kept() { (second, "second") } else { (&self.0.first_run, "first") };
            let moves: Vec<String> = other.moves().map(|step| move_text(step.mv)).collect();
            writeln!(
                f,
                "The {which} choice would come to {}: {}",
                table.values.shown(other.net),
                moves.join(" ")
            )?;
        }
        write!(f, "Complexity: {}", line.complexity)
    }
}

impl Explanation<'_> {
    /// The side to move first, the heaviest move first.
    fn entries(&self) -> impl Iterator<Item = &Entry> {
        // A piece that is tied to a mate cannot move.
        let forbidden = -self.0.table.values.mate() / 2;
        let entries = self.0.table.entries.iter().filter(|entry| entry.value > forbidden);
        let mut entries: Vec<&Entry> = entries.collect();
        entries.sort_by_key(|entry| (entry.side != self.0.side, !entry.active, -entry.weight));
        entries.into_iter()
    }
}

fn name_of(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

fn move_text(mv: Option<Move>) -> String {
    mv.map_or("pass".to_string(), |mv| mv.to_string())
}

/// What a piece is called in a sentence.
pub fn piece_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::King => "king",
        PieceKind::ProPawn => "tokin",
        PieceKind::ProLance => "promoted lance",
        PieceKind::ProKnight => "promoted knight",
        PieceKind::ProSilver => "promoted silver",
        PieceKind::Horse => "horse",
        PieceKind::Dragon => "dragon",
    }
}

fn named(board: &Board, square: Square) -> String {
    match board.piece_on(square) {
        Some(Piece { kind, .. }) => format!("{} on {square}", piece_name(kind)),
        None => square.to_string(),
    }
}

fn tie_text(table: &Table, tie: &Tie) -> String {
    let board = &table.board;
    let holder = named(board, tie.holder);
    let attacker =
        tie.attackers.first().map_or("a drop".to_string(), |from| format!("the {}", named(board, from)));
    let duty = match tie.kind {
        TieKind::Pin => format!("stands between {attacker} and the {}", named(board, tie.target)),
        TieKind::Material => format!("defends the {} against {attacker}", named(board, tie.target)),
        TieKind::Promotion => format!("keeps {attacker} from promoting on {}", tie.target),
        TieKind::Mate => format!("keeps {attacker} from mating on {}", tie.target),
    };
    let owner = board.piece_on(tie.holder).map_or("", |piece| name_of(piece.color));
    format!("{owner}'s {holder} {duty} ({})", table.values.shown(tie.value))
}

/// The flags, the move and its figures, as in the paper's table; `n` marks what the side to move can neutralise.
fn row(table: &Table, side: Color, entry: &Entry) -> String {
    let board = &table.board;
    let flag = |on: bool, letter: char| if on { letter } else { '-' };
    let answers = entry.answers;
    let flags: String = [
        flag(answers.block, 'b'),
        flag(answers.defend, 'd'),
        flag(answers.run, 'r'),
        flag(answers.immobile, 'i'),
        flag(entry.check, '+'),
        flag(answers.any(), 's'),
        flag(entry.target_tied, 'r'),
        flag(entry.is_delayed(), 'd'),
        flag(entry.active, 'x'),
    ]
    .iter()
    .collect();
    let [value, first, weight] =
        [entry.value, entry.first, material_weight(entry)].map(|value| table.values.shown(value));
    let mark = if entry.side != side && answers.any() { "n" } else { "" };
    let text = short_text(board, entry, mover_piece(board, entry));
    format!("{flags}  {text:10} {value:6}{first:6}{weight:8} {mark}  {}", name_of(entry.side))
        .trim_end()
        .to_string()
}

/// The weight without what a check is given to come first: that is no material.
fn material_weight(entry: &Entry) -> i32 {
    let checks = entry.credits.iter().filter(|credit| credit.reason == Reason::Check);
    entry.weight - checks.map(|credit| credit.amount).sum::<i32>()
}

/// A move with its pieces, as in the paper: capitals for White.
fn short_text(board: &Board, entry: &Entry, mover: Option<Piece>) -> String {
    let letter = |piece: Piece| {
        let letter = LETTERS[piece.kind.unpromoted().index()];
        let letter = if piece.color == Color::White { letter } else { letter.to_ascii_lowercase() };
        if piece.kind.is_promoted() { format!("+{letter}") } else { letter.to_string() }
    };
    let to = entry.mv.to();
    let mut text = match entry.mv.origin() {
        Origin::Hand(kind) => format!("{}*", letter(Piece::new(entry.side, kind.piece_kind()))),
        Origin::Board(from) => {
            let mover = mover.map_or(String::new(), letter);
            format!("{mover}{from}{}", if board.piece_on(to).is_some() { "x" } else { "-" })
        }
    };
    if let Some(victim) = board.piece_on(to) {
        text += &letter(victim);
    }
    let _ = write!(text, "{to}");
    if entry.mv.is_promotion() {
        text.push('+');
    }
    text
}

const LETTERS: [char; 8] = ['P', 'L', 'N', 'S', 'G', 'B', 'R', 'K'];

/// What moves, as it stands before: the piece on the board, or the one that an earlier capture has brought there.
fn mover_piece(board: &Board, entry: &Entry) -> Option<Piece> {
    match entry.trigger {
        Some(Trigger::Follows(parent)) if !entry.active => board.piece_after(entry.side, parent),
        _ => match entry.mv.origin() {
            Origin::Hand(kind) => Some(Piece::new(entry.side, kind.piece_kind())),
            Origin::Board(from) => board.piece_on(from),
        },
    }
}

fn mover(board: &Board, entry: &Entry) -> &'static str {
    mover_piece(board, entry).map_or("piece", |piece| piece_name(piece.kind))
}

/// What an entry does, as the beginning of a sentence without its capital.
fn deed(board: &Board, entry: &Entry) -> String {
    let (mover, to) = (mover(board, entry), entry.mv.to());
    let victim = |square| board.piece_on(square).map_or("piece", |piece| piece_name(piece.kind));
    match entry.kind {
        EntryKind::Capture => format!("{mover} takes {} on {to}", victim(to)),
        EntryKind::Promotion => format!("{mover} promotes on {to}"),
        EntryKind::Fork => {
            format!("{mover} goes to {to} and forks the {} on {}", victim(entry.target), entry.target)
        }
        EntryKind::Attack => {
            format!(
                "{mover} goes to {to} and attacks the {} on {}, which cannot get away",
                victim(entry.target),
                entry.target
            )
        }
        EntryKind::Mate => format!("{mover} mates on {to}"),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn sentence(whole: &WholeBoard, entry: &Entry) -> String {
    let board = &whole.table.board;
    let reasons: Vec<String> = entry.credits.iter().map(|credit| reason(whole, entry, credit)).collect();
    let deed = capital(&deed(board, entry));
    let weight = whole.table.values.shown(material_weight(entry));
    format!("{deed}, {weight}: {}. ({})", reasons.join("; "), name_of(entry.side))
}

fn reason(whole: &WholeBoard, entry: &Entry, credit: &Credit) -> String {
    let board = &whole.table.board;
    let other = credit.from.map(|place| &whole.table.entries[place]);
    let amount = whole.table.values.shown(credit.amount);
    let attacker = other.map_or_else(String::new, |other| match other.from() {
        Some(from) => format!("the {}", named(board, from)),
        None => format!("the {} dropped on {}", mover(board, other), other.mv.to()),
    });
    let what = other.map_or_else(String::new, |other| deed(board, other));
    match credit.reason {
        Reason::TakesCapturer => format!("it takes the piece with which {what} ({amount})"),
        Reason::Escapes => format!("it also escapes {attacker} ({amount})"),
        Reason::Blocks => format!("it gets in the way of {attacker} ({amount})"),
        Reason::Defends => {
            format!("it guards {} against {attacker} ({amount})", guarded(board, other, entry))
        }
        Reason::Triggers => format!("then {what} ({amount})"),
        Reason::Unties => format!(
            "the {} no longer guards {} ({amount})",
            named(board, entry.target),
            named(board, credit.square)
        ),
        Reason::Committed => format!("another piece can do it, and then {what} ({amount})"),
        Reason::Check => "it gives check, so it comes first".to_string(),
    }
}

fn guarded(board: &Board, other: Option<&Entry>, entry: &Entry) -> String {
    let square = other.map_or(entry.target, |other| other.mv.to());
    match board.piece_on(square) {
        Some(_) => format!("the {}", named(board, square)),
        None => square.to_string(),
    }
}

fn step_text(board: &Board, step: &Step, gain: i32) -> String {
    let purpose = match step.purpose {
        Purpose::Tactical(_) => String::new(),
        Purpose::Neutralises(threat) => format!("  against {threat}"),
        Purpose::Evades => "  out of check".to_string(),
        Purpose::Passes => String::new(),
    };
    let mover =
        step.mv.and_then(|mv| board.piece_after(step.side, mv)).map_or("", |piece| piece_name(piece.kind));
    let mv = move_text(step.mv);
    let text = format!("{:5}  {mv:6} {mover:15} {gain:6}{purpose}", name_of(step.side));
    if step.mv.is_some() { text } else { format!("{:5}  pass", name_of(step.side)) }
}
