//! The parts of a row.

use mqi::constants::*;

use crate::readings::{Manager, Queue};

/// Types of figures about one subject.
#[derive(Debug)]
pub struct Class {
    /// The name, as tools of the family know it.
    pub name: &'static str,
    /// The subject in words.
    pub description: &'static str,
    /// The counting that its figures need.
    pub counting: Counting,
    /// The types.
    pub types: &'static [Type],
}

/// Counting that goes on only while a reader wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// None: the figures are there anyway.
    None,
    /// Calls of all programs.
    Calls,
    /// Calls on one queue. The figures are of single queues.
    Queue,
}

/// Figures that are told together.
#[derive(Debug)]
pub struct Type {
    /// The name, as tools of the family know it.
    pub name: &'static str,
    /// The figures in words.
    pub description: &'static str,
    /// The figures.
    pub elements: Elements,
}

/// The figures of a type, by the reading they are taken from.
#[derive(Clone, Copy, Debug)]
pub enum Elements {
    /// Figures of the queue manager and its machine.
    OfManager(&'static [Element<Manager>]),
    /// Figures of one queue.
    OfQueue(&'static [Element<Queue>]),
}

/// One figure.
#[derive(Debug)]
pub struct Element<R: 'static> {
    /// The name, as tools of the family know it.
    pub description: &'static str,
    /// The unit it is told in.
    pub unit: Unit,
    /// The source of its value; this is its kind, too.
    pub source: Source<R>,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number as it stands.
    Number,
    /// The increase in the interval.
    Increase,
    /// Hundredths.
    Hundredths,
    /// Hundredths of a per cent.
    Percent,
    /// Megabytes.
    Megabytes,
    /// Microseconds.
    Microseconds,
    /// A position in the log.
    Position,
    /// Microseconds since 1970.
    Moment,
}

/// The value of a figure.
#[derive(Debug)]
pub enum Source<R> {
    /// A counter: it only goes up, and its increase is told.
    Added(fn(&R) -> u64),
    /// A level, told as it is.
    Level(fn(&R) -> u64),
    /// A share or a mean of what lies between two readings, the earlier first.
    Between(fn(&R, &R) -> u64),
}

impl Unit {
    /// The MQIAMO_MONITOR_ value.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Number => MQIAMO_MONITOR_UNIT,
            Self::Increase => MQIAMO_MONITOR_DELTA,
            Self::Hundredths => MQIAMO_MONITOR_HUNDREDTHS,
            Self::Percent => MQIAMO_MONITOR_PERCENT,
            Self::Megabytes => MQIAMO_MONITOR_MB,
            Self::Microseconds => MQIAMO_MONITOR_MICROSEC,
            Self::Position => MQIAMO_MONITOR_LSN,
            Self::Moment => MQIAMO_MONITOR_TIMESTAMP,
        }
    }

    /// The unit in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Increase => "the increase in the interval",
            Self::Hundredths => "hundredths",
            Self::Percent => "hundredths of a per cent",
            Self::Megabytes => "megabytes",
            Self::Microseconds => "microseconds",
            Self::Position => "a position in the log",
            Self::Moment => "microseconds since 1970",
        }
    }
}

impl<R> Source<R> {
    /// The value for the interval between two readings.
    pub fn value(&self, before: &R, now: &R) -> i64 {
        let value = match self {
            Self::Added(counter) => counter(now).saturating_sub(counter(before)),
            Self::Level(level) => level(now),
            Self::Between(of) => of(before, now),
        };
        i64::try_from(value).unwrap_or(i64::MAX)
    }

    /// The kind in words.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Added(_) => "counter",
            Self::Level(_) => "level",
            Self::Between(_) => "mean",
        }
    }
}

impl Elements {
    /// The name and the unit of each figure, in order, with its kind in words.
    pub fn described(&self) -> Vec<(&'static str, Unit, &'static str)> {
        fn of<R>(rows: &[Element<R>]) -> Vec<(&'static str, Unit, &'static str)> {
            rows.iter().map(|row| (row.description, row.unit, row.source.kind())).collect()
        }
        match self {
            Self::OfManager(rows) => of(rows),
            Self::OfQueue(rows) => of(rows),
        }
    }
}

/// A counter's row: its increase is told.
pub(crate) const fn added<R>(description: &'static str, counter: fn(&R) -> u64) -> Element<R> {
    Element { description, unit: Unit::Increase, source: Source::Added(counter) }
}

/// A level's row.
pub(crate) const fn level<R>(description: &'static str, unit: Unit, level: fn(&R) -> u64) -> Element<R> {
    Element { description, unit, source: Source::Level(level) }
}

/// The row of a share or a mean.
pub(crate) const fn between<R>(description: &'static str, unit: Unit, of: fn(&R, &R) -> u64) -> Element<R> {
    Element { description, unit, source: Source::Between(of) }
}

/// A part of a whole, in hundredths of a per cent.
pub(crate) fn share(part: u64, whole: u64) -> u64 {
    let share = (u128::from(part) * 10_000).checked_div(u128::from(whole));
    u64::try_from(share.unwrap_or_default()).unwrap_or(u64::MAX)
}

/// The mean of a sum; 0 of nothing.
pub(crate) fn mean(sum: u64, count: u64) -> u64 {
    sum.checked_div(count).unwrap_or_default()
}
