//! How KIF and KI2 files write the end of a game: as a word, and as a summary line.

use super::csa;
use super::ending::Ending;
use super::game::Record;
use super::handicap::Handicap;
use super::japanese::{side_name, sides_in};
use crate::shogi::color::Color;

/// The words on the last numbered line of a KIF file. The first word of each ending is the one that is written.
const WORDS: [(&str, Ending); 18] = [
    ("投了", Ending::Resignation),
    ("詰み", Ending::Mate),
    ("詰", Ending::Mate),
    ("不詰", Ending::NoMate),
    ("千日手", Ending::Sennichite),
    ("持将棋", Ending::Jishogi),
    ("入玉勝ち", Ending::Declaration),
    ("入玉宣言", Ending::Declaration),
    ("引き分け", Ending::Draw),
    ("引分け", Ending::Draw),
    ("引分", Ending::Draw),
    ("切れ負け", Ending::TimeUp),
    ("時間切れ", Ending::TimeUp),
    ("中断", Ending::BrokenOff),
    ("最大手数", Ending::MaxMoves),
    ("手数制限", Ending::MaxMoves),
    ("待った", Ending::TakenBack),
    ("エラー", Ending::Error),
];

/// The ending that the word stands for, if `side` is to move.
pub(super) fn parse_word(word: &str, side: Color) -> Option<Ending> {
    Some(match word {
        "反則負け" => Ending::Illegal { loser: side, attempted: None },
        "反則勝ち" => Ending::Illegal { loser: !side, attempted: None },
        "不戦敗" => Ending::Forfeit { loser: side },
        "不戦勝" => Ending::Forfeit { loser: !side },
        _ => WORDS.iter().find(|(name, _)| *name == word)?.1.clone(),
    })
}

/// The ending that the word stands for in any format, else [`Ending::Other`] with the word.
pub(super) fn parse_word_of_any_format(word: &str, side: Color) -> Ending {
    let csa = || csa::ending_of_word(word, side);
    let kakinoki = || parse_summary(&format!("まで{word}"), side);
    csa().or_else(kakinoki).unwrap_or_else(|| Ending::Other(word.to_string()))
}

/// The word for an ending, if `side` is to move. `None` for [`Ending::Won`], which has no word.
pub(super) fn word(ending: &Ending, side: Color) -> Option<&str> {
    match ending {
        // The word follows the illegal move, so the opponent is to move, and has won.
        Ending::Illegal { attempted: Some(_), .. } => Some("反則勝ち"),
        Ending::Illegal { loser, attempted: None } if *loser == side => Some("反則負け"),
        Ending::Illegal { .. } => Some("反則勝ち"),
        Ending::Forfeit { loser } if *loser == side => Some("不戦敗"),
        Ending::Forfeit { .. } => Some("不戦勝"),
        Ending::Won(_) => None,
        Ending::Other(text) => Some(text),
        _ => WORDS.iter().find(|(_, known)| known == ending).map(|(name, _)| *name),
    }
}

/// The summary line after the moves: `まで67手で先手の勝ち`.
pub(super) fn write_summary(record: &Record, ending: &Ending, plies: usize) -> String {
    let handicap = Handicap::of(record.start()).is_some_and(|handicap| handicap != Handicap::Even);
    let side = record.side_after(plies);
    let name = |color| side_name(color, handicap);
    let how = match ending {
        Ending::Resignation => format!("{}の勝ち", name(!side)),
        Ending::Declaration => format!("{}の入玉勝ち", name(side)),
        Ending::TimeUp => format!("時間切れにより{}の勝ち", name(!side)),
        Ending::Illegal { loser, .. } => format!("{}の反則負け", name(*loser)),
        Ending::Forfeit { loser } => format!("{}の不戦敗", name(*loser)),
        // Without the particle: "の勝ち" stands for a resignation.
        Ending::Won(winner) => format!("{}勝ち", name(*winner)),
        other => word(other, side).unwrap_or_default().to_string(),
    };
    format!("まで{plies}手で{how}\n")
}

/// Reads a summary line, if `side` is to move. `None` if it has no ending.
pub(super) fn parse_summary(line: &str, side: Color) -> Option<Ending> {
    let text = line.trim().strip_prefix("まで")?.trim_start_matches([' ', '　', '、']);
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    let text = text.trim_start_matches([' ', '　']);
    let text = text.strip_prefix('手').unwrap_or(text);
    let text = text.trim_start_matches(['で', '、', '，', ' ', '　']).trim_end_matches(['。', ' ', '　']);
    if text.is_empty() {
        return None;
    }
    if let Some(ending) = parse_word(text, side) {
        return Some(ending);
    }
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let winner = winner(text);
    // A repetition with a winner is perpetual check, unless the winner is that of the replayed game (指し直し).
    Some(if has(&["千日手"]) && (winner.is_none() || has(&["指し直し"])) {
        Ending::Sennichite
    } else if has(&["持将棋"]) {
        Ending::Jishogi
    } else if has(&["引き分け", "引分"]) {
        Ending::Draw
    } else if has(&["中断"]) {
        Ending::BrokenOff
    } else if has(&["不詰"]) {
        Ending::NoMate
    } else {
        match winner {
            Some(winner) if has(&["反則", "連続王手"]) => {
                Ending::Illegal { loser: !winner, attempted: None }
            }
            Some(winner) if has(&["不戦"]) => Ending::Forfeit { loser: !winner },
            Some(winner) if has(&["入玉", "宣言"]) && winner == side => Ending::Declaration,
            Some(winner) if has(&["切れ"]) && winner != side => Ending::TimeUp,
            Some(winner) if has(&["の勝ち", "投了"]) && winner != side => Ending::Resignation,
            Some(winner) => Ending::Won(winner),
            None if has(&["詰"]) => Ending::Mate,
            None => Ending::Other(text.to_string()),
        }
    })
}

/// The winner that the text names. It may name both sides, with the cause before the verdict, as in
/// `先手の時間切れにより後手の勝ち` ("White wins, as Black ran out of time").
fn winner(text: &str) -> Option<Color> {
    // The side of a verdict stands before its word, else after it.
    let side_of = |verdicts: &[&str]| {
        let word = verdicts.iter().filter_map(|verdict| text.rfind(verdict)).max()?;
        let before = sides_in(&text[..word]).next_back();
        before.or_else(|| sides_in(text).next()).map(|(_, side)| side)
    };
    side_of(&["勝"]).or_else(|| side_of(&["負", "敗", "投了"]).map(|loser| !loser))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_other_programs_are_read() {
        let black = |text| parse_summary(text, Color::Black);
        for (text, ending) in [
            ("まで120手で後手の勝ち", Ending::Resignation),
            ("まで120手で先手の勝ち", Ending::Won(Color::Black)),
            ("まで120手で先手勝ち", Ending::Won(Color::Black)),
            ("まで120手で後手勝ち", Ending::Won(Color::White)),
            ("まで、120手で上手の勝ち", Ending::Resignation),
            ("まで120手で時間切れにより後手の勝ち", Ending::TimeUp),
            ("まで120手で切れ負け", Ending::TimeUp),
            ("まで120手で千日手", Ending::Sennichite),
            ("まで120手で持将棋", Ending::Jishogi),
            ("まで120手で中断", Ending::BrokenOff),
            ("まで7手で詰", Ending::Mate),
            ("まで120手で先手の反則負け", Ending::Illegal { loser: Color::Black, attempted: None }),
            ("まで120手で先手の反則勝ち", Ending::Illegal { loser: Color::White, attempted: None }),
            ("まで120手で先手の入玉勝ち", Ending::Declaration),
            ("まで0手で後手の不戦敗", Ending::Forfeit { loser: Color::White }),
            ("まで12手で休憩", Ending::Other("休憩".to_string())),
        ] {
            assert_eq!(black(text), Some(ending), "{text}");
        }
        assert_eq!(black("まで120手"), None);
        assert_eq!(black("まで"), None);
    }

    #[test]
    fn the_side_named_in_the_cause_is_not_taken_for_the_winner() {
        let (black, white) = (Color::Black, Color::White);
        let illegal = |loser| Ending::Illegal { loser, attempted: None };
        for (text, side, ending) in [
            ("まで96手で先手の時間切れにより後手の勝ち", black, Ending::TimeUp),
            ("まで96手で▲の時間切れにより△の勝ち", black, Ending::TimeUp),
            ("まで96手で下手の時間切れにより上手の勝ち", black, Ending::TimeUp),
            ("まで95手で後手投了により先手の勝ち", white, Ending::Resignation),
            ("まで96手で先手の反則行為により後手の勝ち", black, illegal(black)),
            ("まで96手で後手の反則行為により先手の勝ち", black, illegal(white)),
            ("まで95手で後手の攻めに屈して先手の負け", black, Ending::Won(white)),
            ("まで96手で勝者は後手", black, Ending::Won(white)),
        ] {
            assert_eq!(parse_summary(text, side), Some(ending), "{text}");
        }
    }

    #[test]
    fn perpetual_check_is_not_a_draw() {
        let ending = Some(Ending::Illegal { loser: Color::Black, attempted: None });
        for text in ["先手の反則負け", "後手の勝ち", "先手の負け"] {
            let line = format!("まで80手で連続王手の千日手により{text}");
            assert_eq!(parse_summary(&line, Color::Black), ending, "{line}");
        }
        for text in ["先手後手とも譲らず千日手", "千日手、指し直し局は後手の勝ち"]
        {
            let line = format!("まで80手で{text}");
            assert_eq!(parse_summary(&line, Color::Black), Some(Ending::Sennichite), "{line}");
        }
    }

    #[test]
    fn the_side_that_resigns_loses() {
        assert_eq!(parse_summary("まで95手で後手投了", Color::White), Some(Ending::Resignation));
        assert_eq!(parse_summary("まで96手で後手投了", Color::Black), Some(Ending::Won(Color::Black)));
    }
}
