//! Where a value lies between the ends of an axis, and which values are named on it.

use crate::figures::decimal;

pub struct Axis {
    pub label: String,
    pub scale: Scale,
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
}

impl Axis {
    /// A share of the axis, 0 at its start.
    pub fn place(&self, value: f64) -> f64 {
        let map = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(f64::MIN_POSITIVE).log10(),
        };
        (map(value) - map(self.from)) / (map(self.to) - map(self.from))
    }

    /// The values that are named, and their names.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => self.linear_ticks(),
            Scale::Logarithmic => {
                let first = self.from.log10().ceil() as i32;
                let last = self.to.log10().floor() as i32;
                let power = |exponent| 10f64.powi(exponent);
                (first..=last)
                    .map(|exponent| (power(exponent), short(power(exponent))))
                    .collect()
            }
        }
    }

    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let step = step(self.to - self.from, 9.);
        let places = (-step.log10().floor()).max(0.) as usize;
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|i| (i as f64 * step, decimal(i as f64 * step, places)))
            .collect()
    }

    /// Values that have a mark but no name.
    pub fn minor_ticks(&self) -> Vec<f64> {
        if self.scale == Scale::Linear {
            return Vec::new();
        }
        let powers = (self.from.log10().floor() as i32)..=(self.to.log10().ceil() as i32);
        powers
            .flat_map(|power| (2..10).map(move |digit| f64::from(digit) * 10f64.powi(power)))
            .filter(|tick| (self.from..=self.to).contains(tick))
            .collect()
    }
}

/// 1, 2 or 5 times a power of ten, of which a length has no more than so many.
pub fn step(length: f64, at_most: f64) -> f64 {
    let power = 10f64.powf((length / at_most).log10().floor());
    [1., 2., 5., 10.]
        .map(|digit| digit * power)
        .into_iter()
        .find(|step| length / step <= at_most)
        .unwrap_or(10. * power)
}

fn short(number: f64) -> String {
    match number {
        1e6.. => decimal(number / 1e6, 0) + " M",
        _ => decimal(number, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(scale: Scale, from: f64, to: f64) -> Vec<String> {
        let axis = Axis {
            label: String::new(),
            scale,
            from,
            to,
        };
        axis.ticks().into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(
            names(Scale::Linear, 0., 2300.),
            ["0", "500", "1,000", "1,500", "2,000"]
        );
        assert_eq!(
            names(Scale::Linear, -1.2, 0.4),
            [
                "−1.2", "−1.0", "−0.8", "−0.6", "−0.4", "−0.2", "0.0", "0.2", "0.4"
            ]
        );
        assert_eq!(
            names(Scale::Logarithmic, 900., 2e6),
            ["1,000", "10,000", "100,000", "1 M"]
        );
    }

    #[test]
    fn the_ends_of_an_axis_are_at_nought_and_one() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let axis = Axis {
                label: String::new(),
                scale,
                from: 10.,
                to: 1000.,
            };
            assert_eq!((axis.place(10.), axis.place(1000.)), (0., 1.));
        }
    }
}
