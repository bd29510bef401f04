//! The value function: linear in what a board and the placement before it look like, and fitted by
//! least squares.

use super::afterstate::{Afterstate, heights};
use nalgebra::{Const, DVector, Dyn, OMatrix, SVector};

/// Radial basis functions of the mean column height.
const BUMPS: usize = 5;
const HEIGHT: f64 = 10.;

/// The function that values an afterstate. It has `T` terms: the features of the placement, the radial basis functions,
/// and a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Value<const T: usize> {
    coefficients: SVector<f64, T>,
}

impl<const T: usize> Value<T> {
    pub const ZERO: Self = Value {
        coefficients: SVector::from_array_storage(nalgebra::ArrayStorage([[0.; T]])),
    };

    pub fn of<const F: usize>(&self, after: &Afterstate<F>) -> f64 {
        let terms = terms::<F, T>(after);
        let products = terms.iter().zip(&self.coefficients).map(|(t, c)| t * c);
        products.sum()
    }
}

fn terms<const F: usize, const T: usize>(after: &Afterstate<F>) -> [f64; T] {
    const {
        assert!(
            T == F + BUMPS + 1,
            "as many terms as features, bumps and a constant"
        )
    };
    let columns = heights(&after.board);
    let mean_height = f64::from(columns.sum::<u32>()) / 10.;
    let mut terms = [1.; T];
    for (term, &feature) in terms.iter_mut().zip(&after.features) {
        *term = feature.into();
    }
    for (i, term) in terms[F..][..BUMPS].iter_mut().enumerate() {
        let distance = mean_height - i as f64 * HEIGHT / 4.;
        *term = (-distance.powi(2) / (2. * (HEIGHT / 5.).powi(2))).exp();
    }
    terms
}

/// Afterstates and what they seemed to be worth.
#[derive(Default)]
pub struct Regression<const T: usize> {
    /// One row after the other.
    terms: Vec<f64>,
    values: Vec<f64>,
}

impl<const T: usize> Regression<T> {
    pub fn add<const F: usize>(&mut self, after: &Afterstate<F>, value: f64) {
        self.terms.extend(terms::<F, T>(after));
        self.values.push(value);
    }

    /// The function with the least squared error; of several, the one with the smallest
    /// coefficients.
    pub fn solve(self) -> Value<T> {
        Value {
            coefficients: least_squares(&self.terms, self.values),
        }
    }
}

/// Singular values below this share of the largest count as zero.
const TOLERANCE: f64 = 1e-10;

fn least_squares<const P: usize>(rows: &[f64], values: Vec<f64>) -> SVector<f64, P> {
    let design = OMatrix::<f64, Dyn, Const<P>>::from_row_slice(rows);
    let svd = design.svd(true, true);
    let tolerance = TOLERANCE * svd.singular_values.max();
    let solution = svd.solve(&DVector::from_vec(values), tolerance);
    solution.expect("both factors were computed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ipse::tetris::Board;
    use rand_core::{Rng, SeedableRng};
    use rand_xorshift::XorShiftRng;

    /// Four columns of small numbers, and values of no pattern.
    fn problem(rows: usize) -> (Vec<f64>, Vec<f64>) {
        let mut rng = XorShiftRng::seed_from_u64(3);
        let mut draw = |n| {
            (0..n)
                .map(|_| f64::from(rng.next_u32() % 100) - 50.)
                .collect()
        };
        (draw(4 * rows), draw(rows))
    }

    fn residuals(rows: &[f64], values: &[f64], solution: &SVector<f64, 4>) -> Vec<f64> {
        let fitted = |row: &[f64]| -> f64 { row.iter().zip(solution).map(|(x, c)| x * c).sum() };
        let pairs = rows.chunks(4).zip(values);
        pairs.map(|(row, value)| value - fitted(row)).collect()
    }

    #[test]
    fn what_a_fit_leaves_over_is_orthogonal_to_every_column() {
        let (rows, values) = problem(30);
        let left = residuals(&rows, &values, &least_squares(&rows, values.clone()));
        for column in 0..4 {
            let cells = rows.iter().skip(column).step_by(4);
            let dot: f64 = cells.zip(&left).map(|(x, r)| x * r).sum();
            assert!(dot.abs() < 1e-8, "{dot}");
        }
    }

    #[test]
    fn a_fit_agrees_with_gauss_elimination_on_the_normal_equations() {
        let (rows, values) = problem(30);
        let mut system = [[0.; 5]; 4];
        for (row, value) in rows.chunks(4).zip(&values) {
            for i in 0..4 {
                for j in 0..4 {
                    system[i][j] += row[i] * row[j];
                }
                system[i][4] += row[i] * value;
            }
        }
        for pivot in 0..4 {
            let row = system[pivot].map(|cell| cell / system[pivot][pivot]);
            for other in &mut system {
                let factor = other[pivot];
                *other = std::array::from_fn(|j| other[j] - factor * row[j]);
            }
            system[pivot] = row;
        }
        let solution = least_squares::<4>(&rows, values);
        for i in 0..4 {
            assert!((solution[i] - system[i][4]).abs() < 1e-10);
        }
    }

    #[test]
    fn columns_that_say_the_same_share_the_weight() {
        let (mut rows, values) = problem(30);
        for row in rows.chunks_mut(4) {
            (row[2], row[3]) = (row[1], 0.);
        }
        let solution = least_squares::<4>(&rows, values);
        assert!((solution[1] - solution[2]).abs() < 1e-10);
        assert_eq!(solution[3], 0.);
    }

    #[test]
    fn fewer_rows_than_columns_are_fitted_exactly() {
        let (rows, values) = problem(2);
        let left = residuals(&rows, &values, &least_squares(&rows, values.clone()));
        assert!(left.iter().all(|left| left.abs() < 1e-9), "{left:?}");
    }

    #[test]
    fn the_terms_are_those_of_the_publications() {
        let mut columns = [0; 10];
        (columns[0], columns[9]) = (0b1, 0b1000);
        let after = Afterstate {
            board: Board::from_columns(columns).unwrap(),
            features: [0.5, 2., 3., 4., 5., 6., 7., 8.],
        };
        let terms = terms::<8, 14>(&after);
        assert_eq!(terms[..8], [0.5, 2., 3., 4., 5., 6., 7., 8.]);
        // The mean height is 0.5, the bumps are at 0, 2.5, …, 10 and have a width of 2.
        assert_eq!(terms[8], (-0.25f64 / 8.).exp());
        assert_eq!(terms[12], (-(9.5f64 * 9.5) / 8.).exp());
        assert_eq!(terms[13], 1.);
    }
}
