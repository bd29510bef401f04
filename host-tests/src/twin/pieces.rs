//! The seven pieces, and how they turn.

use super::Cells;

/// The pieces as they lie, the upper row first.
const DRAWINGS: [(char, [&str; 2]); 7] = [
    ('I', ["....", "####"]),
    ('O', ["##", "##"]),
    ('S', [".##", "##."]),
    ('Z', ["##.", ".##"]),
    ('T', [".#.", "###"]),
    ('L', ["..#", "###"]),
    ('J', ["#..", "###"]),
];

/// The different ways in which a piece can lie, each in the lower left corner.
///
/// # Panics
/// If no piece has this letter.
pub fn orientations(piece: char) -> Vec<Cells> {
    let mut shape = as_drawn(piece);
    let mut shapes = Vec::new();
    for _ in 0..4 {
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
        shape = turned(&shape);
    }
    shapes
}

/// The number of columns that a shape in the corner takes up.
pub fn width(shape: &Cells) -> usize {
    1 + shape.iter().map(|&(x, _)| x).max().unwrap()
}

fn as_drawn(piece: char) -> Cells {
    let (_, [upper, lower]) = DRAWINGS
        .into_iter()
        .find(|&(letter, _)| letter == piece)
        .unwrap_or_else(|| panic!("there is no piece {piece:?}"));
    let mut cells = Vec::new();
    for (y, row) in [lower, upper].into_iter().enumerate() {
        for (x, mark) in row.chars().enumerate() {
            if mark == '#' {
                cells.push((x, y));
            }
        }
    }
    cells.sort();
    cells.try_into().expect("a piece has four cells")
}

/// A quarter turn clockwise: what was on the right is at the bottom, what was at the top is on the
/// right.
fn turned(shape: &Cells) -> Cells {
    let right = width(shape) - 1;
    let mut cells = shape.map(|(x, y)| (y, right - x));
    cells.sort();
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_its_number_of_orientations() {
        let counts = ['I', 'O', 'S', 'Z', 'T', 'L', 'J'].map(|piece| orientations(piece).len());
        assert_eq!(counts, [2, 1, 2, 2, 4, 4, 4]);
    }

    #[test]
    fn an_l_turned_clockwise_stands_on_its_foot() {
        assert_eq!(turned(&as_drawn('L')), [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
