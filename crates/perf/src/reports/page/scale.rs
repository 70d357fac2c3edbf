//! From values to places on a chart, and the marks along an axis.

/// An axis: what it shows from one end to the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    kind: Kind,
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Linear,
    /// Zero, where there is one, stands at the low end.
    Logarithmic {
        has_zero: bool,
    },
}

/// A mark of an axis: its value, and whether it has a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) value: f64,
    pub(super) labelled: bool,
}

/// Marks of a linear axis, about.
const MARKS: f64 = 6.0;

impl Scale {
    /// A linear axis from zero to the next round number beyond the greatest value.
    pub(super) fn linear(values: impl Iterator<Item = f64>) -> Self {
        let greatest = values.fold(0.0, f64::max);
        let step = step(greatest);
        Self { kind: Kind::Linear, low: 0.0, high: (greatest / step).ceil().max(1.0) * step }
    }

    /// A logarithmic axis from the last to the next 1, 2 or 5 of a decade that hold all values above zero.
    pub(super) fn logarithmic(values: impl Iterator<Item = f64>) -> Self {
        let (mut least, mut greatest, mut has_zero) = (f64::INFINITY, 0.0_f64, false);
        for value in values {
            if value > 0.0 {
                (least, greatest) = (least.min(value), greatest.max(value));
            } else {
                has_zero = true;
            }
        }
        if least > greatest {
            (least, greatest) = (1.0, 10.0);
        }
        let (mut low, mut high) = (round_down(least), round_up(greatest));
        if high < low * 10.0 {
            // Less than a decade says little: widen it around what is shown.
            (low, high) = (round_down(low / 1.5), round_up(high * 1.5));
        }
        if has_zero {
            low /= 10.0;
        }
        Self { kind: Kind::Logarithmic { has_zero }, low, high }
    }

    /// Where a value stands: 0 at the low end, 1 at the high one.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self.kind {
            Kind::Linear => (value - self.low) / (self.high - self.low),
            Kind::Logarithmic { .. } if value <= self.low => 0.0,
            Kind::Logarithmic { .. } => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Its marks, ascending.
    pub(super) fn marks(&self) -> Vec<Mark> {
        match self.kind {
            Kind::Linear => {
                let step = step(self.high);
                let count = (self.high / step).round() as u32;
                (0..=count).map(|number| Mark { value: f64::from(number) * step, labelled: true }).collect()
            }
            Kind::Logarithmic { has_zero } => {
                let first = if has_zero { self.low * 10.0 } else { self.low };
                let decades = (self.high / first).log10();
                let mut marks = Vec::new();
                if has_zero {
                    marks.push(Mark { value: 0.0, labelled: true });
                }
                let mut value = first;
                while value <= self.high * 1.000_001 {
                    let digit = leading_digit(value);
                    let labelled = digit == 1 || decades < 1.5;
                    marks.push(Mark { value, labelled });
                    value *= if digit == 2 { 2.5 } else { 2.0 };
                }
                marks
            }
        }
    }

    /// Returns true if zero stands at the low end of a logarithmic axis.
    pub(super) fn has_zero_aside(&self) -> bool {
        self.kind == (Kind::Logarithmic { has_zero: true })
    }
}

/// A round step that divides so much into about [`MARKS`] parts.
fn step(greatest: f64) -> f64 {
    if greatest <= 0.0 {
        return 1.0;
    }
    round_up(greatest / MARKS)
}

fn decade(value: f64) -> f64 {
    10_f64.powf((value.log10() + 1e-9).floor())
}

fn leading_digit(value: f64) -> u32 {
    (value / decade(value)).round() as u32
}

fn round_down(value: f64) -> f64 {
    let decade = decade(value);
    let part = value / decade + 1e-9;
    decade
        * if part >= 5.0 {
            5.0
        } else if part >= 2.0 {
            2.0
        } else {
            1.0
        }
}

fn round_up(value: f64) -> f64 {
    let decade = decade(value);
    let part = value / decade - 1e-9;
    decade
        * if part <= 1.0 {
            1.0
        } else if part <= 2.0 {
            2.0
        } else if part <= 5.0 {
            5.0
        } else {
            10.0
        }
}

/// A label: thousands and millions as such.
pub(super) fn label(value: f64) -> String {
    let (value, unit) = if value >= 1e6 {
        (value / 1e6, " M")
    } else if value >= 1e4 {
        (value / 1e3, " k")
    } else {
        (value, "")
    };
    let digits = if value == 0.0 || value.fract().abs() < 1e-9 {
        0
    } else if value >= 1.0 {
        1
    } else {
        3
    };
    let text = crate::report::number(value, digits);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(scale: &Scale) -> Vec<String> {
        scale.marks().iter().filter(|mark| mark.labelled).map(|mark| label(mark.value)).collect()
    }

    #[test]
    fn a_linear_axis_begins_at_zero_and_ends_at_a_round_number() {
        let scale = Scale::linear([3.0, 47.0].into_iter());
        assert_eq!(labelled(&scale), ["0", "10", "20", "30", "40", "50"]);
        assert_eq!((scale.place(0.0), scale.place(25.0), scale.place(50.0)), (0.0, 0.5, 1.0));
        assert_eq!(labelled(&Scale::linear([0.0].into_iter())).last().map(String::as_str), Some("1"));
    }

    #[test]
    fn a_logarithmic_axis_labels_decades_and_holds_all_values() {
        let scale = Scale::logarithmic([45.0, 61_000.0].into_iter());
        assert_eq!(labelled(&scale), ["100", "1,000", "10 k", "100 k"]);
        assert!(scale.place(45.0) > 0.0 && scale.place(61_000.0) < 1.0);
        let narrow = Scale::logarithmic([70.0, 75.0].into_iter());
        assert!(labelled(&narrow).len() > 2, "{narrow:?}");
    }

    #[test]
    fn zero_has_a_place_of_its_own_on_a_logarithmic_axis() {
        let scale = Scale::logarithmic([0.0, 50.0, 1000.0].into_iter());
        assert_eq!(labelled(&scale)[0], "0");
        assert_eq!(scale.place(0.0), 0.0);
        assert!(scale.place(50.0) > 0.1);
        assert!(scale.has_zero_aside());
    }
}
