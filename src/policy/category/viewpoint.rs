//! How squares lie from one another.

use crate::shogi::square::Square;

/// A square from which others are seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewpoint(usize);

/// As far as files and ranks can be from each other, both ways.
const WIDTH: usize = 17;

/// Squares by file and rank on a board so wide.
const PLACES: [u8; Square::COUNT] = {
    let mut places = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        places[index] = (index / 9 * WIDTH + index % 9) as u8;
        index += 1;
    }
    places
};

impl Viewpoint {
    /// How many offsets there are.
    pub const OFFSETS: usize = WIDTH * WIDTH;

    pub fn new(square: Square) -> Viewpoint {
        Viewpoint(8 * WIDTH + 8 - usize::from(PLACES[square.index()]))
    }

    /// How `square` lies from here: under [`OFFSETS`](Self::OFFSETS).
    pub fn offset(self, square: Square) -> usize {
        self.0 + usize::from(PLACES[square.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_of_files_and_ranks() {
        for from in Square::all() {
            for to in Square::all() {
                let [file, rank] =
                    [8 + to.file() - from.file(), 8 + to.rank() - from.rank()].map(usize::from);
                assert_eq!(Viewpoint::new(from).offset(to), file * 17 + rank, "{to} from {from}");
            }
        }
    }
}
