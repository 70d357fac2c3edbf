//! The parts of a row.

/// Figures of one name.
#[derive(Debug)]
pub struct Family<R: 'static> {
    /// The name, without the `ferry_` in front and the `_total` behind.
    pub name: &'static str,
    /// The kind.
    pub kind: Kind,
    /// The meaning, in one line.
    pub help: &'static str,
    /// The series, which differ in their labels.
    pub series: &'static [Series<R>],
}

/// The kind of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It only goes up while the queue manager runs.
    Counter,
    /// A value that goes up and down.
    Gauge,
    /// Counts of what took no longer than a bound, with their sum.
    Histogram,
}

/// One series of a family.
#[derive(Debug)]
pub struct Series<R: 'static> {
    /// The part of a histogram: `_bucket`, `_sum` or `_count`.
    pub suffix: &'static str,
    /// Labels with their values.
    pub labels: &'static [(&'static str, &'static str)],
    /// The number that is shown for one of the reading.
    pub scale: Scale,
    /// The value in a reading.
    pub value: fn(&R) -> u64,
}

/// The unit of a value in a reading, against the one that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The number as it is.
    One,
    /// Microseconds, shown as seconds.
    Micros,
    /// Hundredths, of a second or of a whole, shown as these.
    Hundredths,
}

impl Scale {
    /// The number that is shown.
    #[must_use]
    pub fn shown(self, value: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "monitoring systems count in floating point")]
        let value = value as f64;
        match self {
            Self::One => value,
            Self::Micros => value / 1e6,
            Self::Hundredths => value / 100.0,
        }
    }
}
