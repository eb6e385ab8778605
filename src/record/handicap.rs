//! Handicap games.

use crate::shogi::color::Color;
use crate::shogi::setup::Setup;
use crate::shogi::square::Square;

/// The pieces that White (uwate) plays without (teai, 手合割).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Handicap {
    /// 平手: nothing; Black moves first.
    Even,
    /// 香落ち: the left lance.
    Lance,
    /// 右香落ち: the right lance.
    RightLance,
    /// 角落ち.
    Bishop,
    /// 飛車落ち.
    Rook,
    /// 飛香落ち: rook and left lance.
    RookLance,
    /// 二枚落ち: rook and bishop, as in all that follow.
    Two,
    /// 三枚落ち: also the left lance.
    Three,
    /// 四枚落ち: also both lances, as in all that follow.
    Four,
    /// 五枚落ち: also the right knight.
    Five,
    /// 左五枚落ち: also the left knight.
    LeftFive,
    /// 六枚落ち: also both knights, as in all that follow.
    Six,
    /// 七枚落ち, 右七枚落ち: also the right silver.
    Seven,
    /// 左七枚落ち: also the left silver.
    LeftSeven,
    /// 八枚落ち: also both silvers.
    Eight,
    /// 十枚落ち: also both silvers and both golds.
    Ten,
}

impl Handicap {
    /// Every handicap.
    pub const ALL: [Handicap; 16] = [
        Handicap::Even,
        Handicap::Lance,
        Handicap::RightLance,
        Handicap::Bishop,
        Handicap::Rook,
        Handicap::RookLance,
        Handicap::Two,
        Handicap::Three,
        Handicap::Four,
        Handicap::Five,
        Handicap::LeftFive,
        Handicap::Six,
        Handicap::Seven,
        Handicap::LeftSeven,
        Handicap::Eight,
        Handicap::Ten,
    ];

    /// The name in KIF files.
    pub const fn name(self) -> &'static str {
        match self {
            Handicap::Even => "平手",
            Handicap::Lance => "香落ち",
            Handicap::RightLance => "右香落ち",
            Handicap::Bishop => "角落ち",
            Handicap::Rook => "飛車落ち",
            Handicap::RookLance => "飛香落ち",
            Handicap::Two => "二枚落ち",
            Handicap::Three => "三枚落ち",
            Handicap::Four => "四枚落ち",
            Handicap::Five => "五枚落ち",
            Handicap::LeftFive => "左五枚落ち",
            Handicap::Six => "六枚落ち",
            Handicap::Seven => "七枚落ち",
            Handicap::LeftSeven => "左七枚落ち",
            Handicap::Eight => "八枚落ち",
            Handicap::Ten => "十枚落ち",
        }
    }

    /// The handicap of this name.
    pub fn of_name(name: &str) -> Option<Handicap> {
        if name == "右七枚落ち" {
            return Some(Handicap::Seven);
        }
        Handicap::ALL.into_iter().find(|handicap| handicap.name() == name)
    }

    /// The handicap of a game that starts from `start`.
    pub fn of(start: &Setup) -> Option<Handicap> {
        Handicap::ALL.into_iter().find(|handicap| handicap.setup() == *start)
    }

    /// Whether all programs mean the same by the name. They differ for three, five and seven pieces, which are rare.
    pub(super) const fn is_common(self) -> bool {
        !matches!(
            self,
            Handicap::Three | Handicap::Five | Handicap::LeftFive | Handicap::Seven | Handicap::LeftSeven
        )
    }

    /// The squares from which White's pieces are missing.
    const fn missing(self) -> &'static [&'static str] {
        match self {
            Handicap::Even => &[],
            Handicap::Lance => &["1a"],
            Handicap::RightLance => &["9a"],
            Handicap::Bishop => &["2b"],
            Handicap::Rook => &["8b"],
            Handicap::RookLance => &["8b", "1a"],
            Handicap::Two => &["8b", "2b"],
            Handicap::Three => &["8b", "2b", "1a"],
            Handicap::Four => &["8b", "2b", "1a", "9a"],
            Handicap::Five => &["8b", "2b", "1a", "9a", "8a"],
            Handicap::LeftFive => &["8b", "2b", "1a", "9a", "2a"],
            Handicap::Six => &["8b", "2b", "1a", "9a", "8a", "2a"],
            Handicap::Seven => &["8b", "2b", "1a", "9a", "8a", "2a", "7a"],
            Handicap::LeftSeven => &["8b", "2b", "1a", "9a", "8a", "2a", "3a"],
            Handicap::Eight => &["8b", "2b", "1a", "9a", "8a", "2a", "7a", "3a"],
            Handicap::Ten => &["8b", "2b", "1a", "9a", "8a", "2a", "7a", "3a", "6a", "4a"],
        }
    }

    /// The start of a game with this handicap.
    pub fn setup(self) -> Setup {
        let mut setup = Setup::start();
        for name in self.missing() {
            let square: Square = name.parse().expect("the table has valid squares");
            setup.board[square.index()] = None;
        }
        if self != Handicap::Even {
            setup.side = Color::White;
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    #[test]
    fn names_and_starts_round_trip() {
        for handicap in Handicap::ALL {
            assert_eq!(Handicap::of_name(handicap.name()), Some(handicap));
            assert_eq!(Handicap::of(&handicap.setup()), Some(handicap));
        }
    }

    #[test]
    fn starts_are_those_of_other_programs() {
        let of = |handicap: Handicap| sfen::write(&Position::new(&handicap.setup()).unwrap());
        let rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        for (handicap, back) in [
            (Handicap::Lance, "lnsgkgsn1/1r5b1"),
            (Handicap::RightLance, "1nsgkgsnl/1r5b1"),
            (Handicap::Bishop, "lnsgkgsnl/1r7"),
            (Handicap::Rook, "lnsgkgsnl/7b1"),
            (Handicap::RookLance, "lnsgkgsn1/7b1"),
            (Handicap::Two, "lnsgkgsnl/9"),
            (Handicap::Four, "1nsgkgsn1/9"),
            (Handicap::Five, "2sgkgsn1/9"),
            (Handicap::LeftFive, "1nsgkgs2/9"),
            (Handicap::Six, "2sgkgs2/9"),
            (Handicap::Eight, "3gkg3/9"),
            (Handicap::Ten, "4k4/9"),
        ] {
            assert_eq!(of(handicap), format!("{back}/{rest}"));
        }
    }
}
