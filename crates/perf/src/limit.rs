//! Limits that a figure is held against, and what is then said of it.

use std::fmt;

use serde::Deserialize;

use crate::report::number;

/// The most or the least that a figure may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Less is better.
    AtMost(Marks),
    /// More is better.
    AtLeast(Marks),
}

/// The marks to reach.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Marks {
    /// This.
    One(f64),
    /// At least the first of these, of which each is harder to reach than the one before it.
    Steps(Steps),
}

/// Marks of a target.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// Without this it is not good enough.
    pub accept: f64,
    /// The target.
    pub target: f64,
    /// The mark beyond the target.
    pub stretch: f64,
}

impl Limit {
    /// Of these two figures the one that is further from what must be reached.
    #[must_use]
    pub fn worse(self, one: f64, other: f64) -> f64 {
        match self {
            Self::AtMost(_) => one.max(other),
            Self::AtLeast(_) => one.min(other),
        }
    }

    /// Returns the verdict on a figure.
    #[must_use]
    pub fn verdict(self, figure: f64) -> &'static str {
        let reaches = |mark: f64| match self {
            Self::AtMost(_) => figure <= mark,
            Self::AtLeast(_) => figure >= mark,
        };
        match self.marks() {
            Marks::One(mark) if reaches(mark) => "holds",
            Marks::One(_) => "does not hold",
            Marks::Steps(Steps { stretch, .. }) if reaches(stretch) => "stretch",
            Marks::Steps(Steps { target, .. }) if reaches(target) => "target",
            Marks::Steps(Steps { accept, .. }) if reaches(accept) => "accept",
            Marks::Steps(_) => "not accepted",
        }
    }

    /// Returns true if there are several marks, each of which is better than none.
    pub(crate) fn has_steps(self) -> bool {
        matches!(self.marks(), Marks::Steps(_))
    }

    fn marks(self) -> Marks {
        match self {
            Self::AtMost(marks) | Self::AtLeast(marks) => marks,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AtMost(_) => "at most ",
            Self::AtLeast(_) => "at least ",
        })?;
        match self.marks() {
            Marks::One(mark) => formatter.write_str(&figure(mark)),
            Marks::Steps(Steps { accept, target, stretch }) => write!(
                formatter,
                "{} (target {}, stretch {})",
                figure(accept),
                figure(target),
                figure(stretch)
            ),
        }
    }
}

/// A figure with as many digits as tell something.
#[must_use]
pub fn figure(value: f64) -> String {
    let digits = if value.abs() >= 100.0 { 0 } else { 2 };
    let text = number(value, digits);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_reaches_the_last_mark_that_it_is_not_short_of() {
        let rate = Limit::AtLeast(Marks::Steps(Steps { accept: 10.0, target: 30.0, stretch: 45.0 }));
        let time = Limit::AtMost(Marks::Steps(Steps { accept: 3.0, target: 2.0, stretch: 1.0 }));
        for (limit, figure, verdict) in [
            (rate, 9.9, "not accepted"),
            (rate, 10.0, "accept"),
            (rate, 44.0, "target"),
            (rate, 45.0, "stretch"),
            (time, 3.1, "not accepted"),
            (time, 2.0, "target"),
            (time, 0.5, "stretch"),
            (Limit::AtMost(Marks::One(1.05)), 1.05, "holds"),
            (Limit::AtMost(Marks::One(1.05)), 1.06, "does not hold"),
            (Limit::AtLeast(Marks::One(0.9)), f64::NAN, "does not hold"),
        ] {
            assert_eq!(limit.verdict(figure), verdict, "{figure}, {limit}");
        }
        assert_eq!(rate.to_string(), "at least 10 (target 30, stretch 45)");
        assert_eq!(figure(12_345.6), "12,346");
        assert_eq!(
            (figure(1.05), figure(0.4), figure(100.0), figure(20.0)),
            ("1.05".to_owned(), "0.4".to_owned(), "100".to_owned(), "20".to_owned())
        );
    }
}
