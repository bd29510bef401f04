//! Franklin's sheet of paper: reasons pro and con, and which of them cancel.
//!
//! "When I have thus got them all together in one view, I endeavour to estimate their respective
//! weights; and where I find two, one on each side, that seem equal, I strike them both out. If I
//! find a reason pro equal to some two reasons con, I strike out the three." (Letter to Joseph
//! Priestley, 1772)

/// Contributions as whole multiples of the last digit that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Decimal digits after the point.
    pub decimals: usize,
    /// The numbers printed are the contributions divided by this power of ten.
    pub exponent: i32,
}

impl Scale {
    /// The scale on which these numbers have at most five characters. Numbers of ordinary size are
    /// left as they are.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Scale {
        let largest = numbers.map(f64::abs).fold(0., f64::max);
        let magnitude = if largest > 0. {
            largest.log10().floor() as i32
        } else {
            0
        };
        let exponent = if (-1..5).contains(&magnitude) {
            0
        } else {
            magnitude
        };
        let decimals = match magnitude - exponent {
            ..0 => 3,
            0 => 2,
            1 | 2 => 1,
            _ => 0,
        };
        Scale { decimals, exponent }
    }

    /// The contributions in units of the last digit, rounded so that they add up to the rounded
    /// balance: each is the step from one rounded running total to the next.
    fn round(self, contributions: &[f64]) -> Vec<i64> {
        let unit = 10f64.powi(self.exponent - self.decimals as i32);
        let mut total = 0.;
        let step = |contribution: &f64| {
            let before = (total / unit).round() as i64;
            total += contribution;
            (total / unit).round() as i64 - before
        };
        contributions.iter().map(step).collect()
    }

    /// A number of units as it is printed.
    pub fn print(self, units: i64) -> String {
        // Without floats, whose conversion to decimals would be a tenth of a module of the page.
        let (size, one) = (units.unsigned_abs(), 10u64.pow(self.decimals as u32));
        let sign = if units < 0 { "-" } else { "" };
        match self.decimals {
            0 => units.to_string(),
            digits => format!("{sign}{}.{:0digits$}", size / one, size % one),
        }
    }
}

/// One feature, and how much it speaks for or against an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The number of the feature.
    pub feature: usize,
    /// Positive on either side, in units of the last digit.
    pub weight: i64,
    /// The letter of the group with which it was struck out.
    pub struck: Option<char>,
}

/// Both columns, the weightiest reasons first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// What speaks for the action.
    pub pro: Vec<Reason>,
    /// What speaks against it.
    pub con: Vec<Reason>,
}

impl Ledger {
    /// The reasons of an action, in two columns.
    pub fn new(contributions: &[f64], scale: Scale) -> Ledger {
        let units = scale.round(contributions);
        let groups = strike(&units);
        let side = |sign: i64| {
            let mut reasons: Vec<Reason> = (0..units.len())
                .map(|i| Reason {
                    feature: i,
                    weight: sign * units[i],
                    struck: groups[i],
                })
                .filter(|reason| reason.weight > 0)
                .collect();
            crate::sort(&mut reasons, |a, b| a.weight > b.weight);
            reasons
        };
        Ledger {
            pro: side(1),
            con: side(-1),
        }
    }

    /// What is left of Pro when Con is taken away, in units of the last digit.
    pub fn balance(&self) -> i64 {
        total(&self.pro) - total(&self.con)
    }
}

/// What the reasons on one side weigh together.
pub fn total(reasons: &[Reason]) -> i64 {
    reasons.iter().map(|reason| reason.weight).sum()
}

/// Two sides seem equal if they differ by no more than one part in so many.
const SEEM_EQUAL: i64 = 20;

/// The most reasons among which groups that cancel are looked for: there are 2ⁿ sets of n reasons.
const MOST: usize = 16;

/// Strikes out what cancels, the fewest reasons first, and letters the groups.
fn strike(units: &[i64]) -> Vec<Option<char>> {
    let mut groups = vec![None; units.len()];
    if units.len() > MOST {
        return groups;
    }
    for letter in 'a'.. {
        let free = |i: usize| groups[i].is_none() && units[i] != 0;
        let members = |set: u32| (0..units.len()).filter(move |i| set >> i & 1 == 1);
        let difference = |set| members(set).map(|i| units[i]).sum::<i64>().abs();
        let weight = |set| members(set).map(|i| units[i].abs()).sum::<i64>();
        let cancels = |&set: &u32| {
            members(set).all(free) && set != 0 && 2 * SEEM_EQUAL * difference(set) <= weight(set)
        };
        let sets = (0..1 << units.len()).filter(cancels);
        let Some(set) = sets.min_by_key(|&set| (set.count_ones(), difference(set))) else {
            break;
        };
        for i in members(set) {
            groups[i] = Some(letter);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Scale = Scale {
        decimals: 1,
        exponent: 0,
    };

    fn groups(units: [i64; 8]) -> String {
        let groups = strike(&units).into_iter();
        groups.map(|group| group.unwrap_or('-')).collect()
    }

    #[test]
    fn one_reason_on_each_side_that_seem_equal_are_struck_out() {
        assert_eq!(groups([300, -98, 100, 0, 0, 0, 0, 0]), "-aa-----");
    }

    #[test]
    fn one_reason_pro_strikes_out_two_reasons_con() {
        assert_eq!(groups([100, -30, -70, 7, 0, 0, 0, 0]), "aaa-----");
    }

    #[test]
    fn pairs_go_before_larger_groups() {
        assert_eq!(groups([100, -30, -70, 70, 0, 0, 0, 0]), "--aa----");
    }

    #[test]
    fn reasons_on_one_side_only_all_stay() {
        assert_eq!(groups([5, 5, 9, 0, 0, 14, 0, 0]), "--------");
    }

    #[test]
    fn what_is_listed_adds_up_to_the_rounded_balance() {
        let contributions = [0.04, 0.04, 0.04, -0.26, 12.349, 0.04, -3.333, 0.04];
        let ledger = Ledger::new(&contributions, PLAIN);
        let exact: f64 = contributions.iter().sum();
        assert_eq!(ledger.balance(), (exact * 10.).round() as i64);
    }

    #[test]
    fn the_scale_keeps_ordinary_numbers_and_shifts_the_others() {
        for (largest, printed) in [
            (123.45, "123.5"),
            (0.5, "0.500"),
            (4321., "4321"),
            (3e30, "3.00"),
            (7e-9, "7.00"),
        ] {
            let scale = Scale::of([largest, -largest / 3.].into_iter());
            let ledger = Ledger::new(&[largest, 0., 0., 0., 0., 0., 0., 0.], scale);
            assert_eq!(scale.print(ledger.balance()), printed);
        }
    }

    #[test]
    fn weights_of_zero_make_an_empty_ledger() {
        let scale = Scale::of([0.; 8].into_iter());
        let ledger = Ledger::new(&[0.; 8], scale);
        assert!(ledger.pro.is_empty() && ledger.con.is_empty());
    }
}
