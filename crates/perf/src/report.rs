//! Output of a bench: the command, the machine, each repetition, the middle and the spread.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde::Serialize;
use serde_json::{Value, json};

use crate::limit::Limit;
use crate::machine::Machine;
use crate::program::Build;
use crate::progress::{self, Bar};
use crate::rows::{self, Rows};

/// The form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables for a person.
    Text,
    /// One JSON object for each repetition.
    Json,
}

/// Where a bench says what it finds.
#[derive(Clone, Debug)]
pub struct Output {
    /// The printed form.
    pub format: Format,
    /// Where every run is kept, if it is.
    pub kept: Option<Keeping>,
}

/// Where the runs of a bench are kept, and of what.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// Runs go into `BENCH.jsonl` there, behind those that are there: each says its settings.
    pub directory: PathBuf,
    /// The build of the program that measures.
    pub build: Build,
}

/// One column of a table and one field of a JSON line.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The field's name in JSON.
    pub name: &'static str,
    /// The heading, unit included.
    pub heading: &'static str,
    /// Digits after the point.
    pub digits: usize,
}

impl Column {
    /// A column of these.
    #[must_use]
    pub const fn new(name: &'static str, heading: &'static str, digits: usize) -> Self {
        Self { name, heading, digits }
    }
}

/// These columns and then those, which several workloads have; there are so many of both.
///
/// # Panics
/// When there are not; columns are made when the program is.
#[must_use]
pub const fn joined<const COUNT: usize>(first: &[Column], then: &[Column]) -> [Column; COUNT] {
    assert!(first.len() + then.len() == COUNT);
    let mut all = [Column::new("", "", 0); COUNT];
    let mut place = 0;
    while place < COUNT {
        all[place] = if place < first.len() { first[place] } else { then[place - first.len()] };
        place += 1;
    }
    all
}

/// A workload as its report shows it; its text says in a line what is measured.
pub trait Workload: Serialize + std::fmt::Display {
    /// The name of the bench in JSON.
    const BENCH: &'static str;
    /// The columns of a repetition.
    const COLUMNS: &'static [Column];

    /// Repetitions.
    fn repetitions(&self) -> usize;

    /// The columns that have targets, each with its own, where they are targets of this workload as it is.
    fn targets(&self) -> Vec<(&'static str, Limit)> {
        Vec::new()
    }
}

/// Names the messages of a workload.
#[must_use]
pub fn kind_of_messages(persistent: bool) -> &'static str {
    if persistent { "persistent" } else { "non-persistent" }
}

/// Ends the line of a workload: the way to the queue manager, the repetitions and their time.
#[must_use]
pub fn ending(access: &str, repetitions: usize, measure: Duration) -> String {
    format!("{access}, {repetitions} x {:.0} s", measure.as_secs_f64())
}

/// The result of one repetition.
#[derive(Debug)]
pub struct Row {
    /// One for each column; a value that is not known is left blank.
    pub values: Vec<Option<f64>>,
    /// Goes into the JSON line only.
    pub more: Value,
}

/// Repeats a workload and prints the result of each repetition, then their middle and spread. Ends early,
/// with the results there are, when `interrupt` is set.
///
/// # Errors
/// When a repetition fails or finds nothing, cannot be kept, or standard output is gone.
pub fn repeat<W: Workload>(
    output: &Output,
    workload: &W,
    machine: &Machine,
    interrupt: &AtomicBool,
    mut repetition: impl FnMut() -> Result<Option<Row>>,
) -> Result<()> {
    let mut kept = match &output.kept {
        Some(keeping) => Some((Rows::behind(&keeping.directory, W::BENCH)?, keeping)),
        None => None,
    };
    let mut report = Report::begin(output.format, workload, machine)?;
    let bar = Bar::of(workload.repetitions() as u64, "runs");
    for run in 1..=workload.repetitions() {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let row = repetition()?;
        bar.done(run as u64);
        // Measured for less time than its settings say.
        let is_cut_short = interrupt.load(Ordering::Relaxed);
        let Some(row) = row else {
            ensure!(is_cut_short, "nothing came back in the time to measure: measure longer (--time)");
            break;
        };
        if let Some((rows, keeping)) = &mut kept {
            let mut line = json!({"bench": W::BENCH, "run": run, "settings": workload});
            rows::stamp(&mut line, machine, &keeping.build);
            add_row(&mut line, W::COLUMNS, &row.values, row.more.clone());
            if is_cut_short {
                line["interrupted"] = true.into();
            }
            rows.keep(&line)?;
        }
        progress::apart(|| report.row(row, is_cut_short))?;
    }
    drop(bar);
    Ok(report.end()?)
}

/// The values that repetitions found, one for each column.
#[derive(Clone, Debug, Default)]
pub struct Runs(pub Vec<Vec<Option<f64>>>);

impl Runs {
    /// The median of a column over the repetitions so far.
    #[must_use]
    pub fn median(&self, column: usize) -> Option<f64> {
        median(self.values(column))
    }

    /// From the lowest to the highest in per cent of the median.
    #[must_use]
    pub fn spread(&self, column: usize) -> Option<f64> {
        let median = self.median(column).filter(|median| *median > 0.0)?;
        let values = self.values(column).into_iter();
        let (low, high) = (values.clone().reduce(f64::min)?, values.reduce(f64::max)?);
        Some((high - low) / median * 100.0)
    }

    fn values(&self, column: usize) -> Vec<f64> {
        self.0.iter().filter_map(|row| row[column]).collect()
    }
}

/// The middle of these values, between two of them where their number is even; none of none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { f64::midpoint(values[middle - 1], upper) })
}

/// Range of the median of which these figures are samples: between two of them, as close as is right 19 times
/// of 20 for any distribution. These are the lowest and the highest of up to eight; with fewer than six it is
/// right less often. None of a single one.
#[must_use]
pub(crate) fn range_of_median(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let count = i32::try_from(sorted.len()).ok().filter(|count| *count > 1)?;
    // Each figure is as likely below the median as above it: how probable it is that only so many, or fewer,
    // are below.
    let (mut chance, mut probability, mut outside) = (0.5_f64.powi(count), 0.0, 0);
    for below in 0..count / 2 {
        probability += chance;
        if probability > 0.025 {
            break;
        }
        outside = usize::try_from(below).ok()?;
        chance *= f64::from(count - below) / f64::from(below + 1);
    }
    Some((sorted[outside], sorted[sorted.len() - 1 - outside]))
}

/// Prints the repetitions of one workload as they come, then what they amount to.
struct Report {
    format: Format,
    bench: &'static str,
    columns: &'static [Column],
    targets: Vec<(&'static str, Limit)>,
    runs: Runs,
}

impl Report {
    /// Prints what is measured, by which command, on which machine.
    fn begin<W: Workload>(format: Format, workload: &W, machine: &Machine) -> io::Result<Self> {
        let (bench, columns) = (W::BENCH, W::COLUMNS);
        let command = std::env::args().collect::<Vec<_>>().join(" ");
        let mut output = io::stdout().lock();
        match format {
            Format::Text => {
                writeln!(output, "command   {command}\nmachine   {machine}")?;
                if let Some(floors) = &machine.floors {
                    writeln!(output, "floors    {floors}")?;
                }
                writeln!(output, "workload  {workload}\n")?;
                write!(output, "{:>7}", "run")?;
                for column in columns {
                    write!(output, "  {}", column.heading)?;
                }
                writeln!(output)?;
            }
            Format::Json => {
                let line =
                    json!({"bench": bench, "command": command, "machine": machine, "workload": workload});
                writeln!(output, "{line}")?;
            }
        }
        output.flush()?;
        Ok(Self { format, bench, columns, targets: workload.targets(), runs: Runs::default() })
    }

    /// Prints a repetition, and adds it where it was not cut short.
    fn row(&mut self, Row { values, more }: Row, is_cut_short: bool) -> io::Result<()> {
        let number = self.runs.0.len() + 1;
        let mut output = io::stdout().lock();
        match self.format {
            Format::Text if is_cut_short => self.line(&mut output, "cut", &values)?,
            Format::Text => self.line(&mut output, &number.to_string(), &values)?,
            Format::Json => {
                let mut line = json!({"bench": self.bench, "run": number});
                add_row(&mut line, self.columns, &values, more);
                if is_cut_short {
                    line["interrupted"] = true.into();
                }
                writeln!(output, "{line}")?;
            }
        }
        output.flush()?;
        if !is_cut_short {
            self.runs.0.push(values);
        }
        Ok(())
    }

    /// Prints the median of each column and the spread, which is the distance between the lowest and the
    /// highest in per cent of the median.
    fn end(&self) -> io::Result<()> {
        if self.runs.0.is_empty() {
            return Ok(());
        }
        let columns = 0..self.columns.len();
        let medians: Vec<Option<f64>> = columns.clone().map(|column| self.runs.median(column)).collect();
        let spreads: Vec<Option<f64>> = columns.map(|column| self.runs.spread(column)).collect();
        let mut output = io::stdout().lock();
        match self.format {
            Format::Text => {
                self.line(&mut output, "median", &medians)?;
                write!(output, "{:>7}", "spread")?;
                for (column, spread) in self.columns.iter().zip(spreads) {
                    let text = spread.map_or(String::new(), |spread| format!("{spread:.0} %"));
                    write!(output, "  {text:>width$}", width = column.heading.chars().count())?;
                }
                writeln!(output)?;
                let judged = self.judged();
                if !judged.is_empty() {
                    writeln!(output)?;
                }
                for (column, found, limit) in judged {
                    let (heading, verdict) = (column.heading.trim(), limit.verdict(found));
                    writeln!(output, "{verdict}: {heading} {}, {limit}", number(found, column.digits))?;
                }
            }
            Format::Json => {
                let mut line = json!({"bench": self.bench, "summary": true, "runs": self.runs.0.len()});
                for (column, found, limit) in self.judged() {
                    line["verdicts"][column.name] = limit.verdict(found).into();
                }
                for ((column, median), spread) in self.columns.iter().zip(medians).zip(spreads) {
                    line[column.name] = json!({"median": median, "spread_percent": spread});
                }
                writeln!(output, "{line}")?;
            }
        }
        output.flush()
    }

    /// The medians that targets are set for, each with its target.
    fn judged(&self) -> Vec<(&Column, f64, Limit)> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter_map(|(place, column)| {
                let (_, limit) = self.targets.iter().find(|(name, _)| *name == column.name)?;
                Some((column, self.runs.median(place)?, *limit))
            })
            .collect()
    }

    fn line(&self, output: &mut impl Write, name: &str, values: &[Option<f64>]) -> io::Result<()> {
        write!(output, "{name:>7}")?;
        for (column, value) in self.columns.iter().zip(values) {
            let text = value.map_or_else(|| "-".to_owned(), |value| number(value, column.digits));
            write!(output, "  {text:>width$}", width = column.heading.chars().count())?;
        }
        writeln!(output)
    }
}

/// Adds what a repetition found to its line of JSON.
pub fn add_row(line: &mut Value, columns: &[Column], values: &[Option<f64>], more: Value) {
    for (column, value) in columns.iter().zip(values) {
        line[column.name] = (*value).into();
    }
    if let Value::Object(more) = more {
        for (name, value) in more {
            line[name] = value;
        }
    }
}

/// A number with a comma between thousands.
#[must_use]
pub fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |parts| parts);
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |rest| ("-", rest));
    let mut grouped = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !fraction.is_empty() {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floors;

    #[test]
    fn the_middle_and_the_spread_are_those_of_the_rows() {
        let mut runs = Runs([3.0, 1.0, 2.0].map(|value| vec![Some(value)]).to_vec());
        assert_eq!((runs.median(0), runs.spread(0)), (Some(2.0), Some(100.0)));
        runs.0.push(vec![Some(4.0)]);
        assert_eq!(runs.median(0), Some(2.5));
        runs.0 = vec![vec![None]];
        assert_eq!((runs.median(0), runs.spread(0)), (None, None));
    }

    #[test]
    fn more_figures_tell_better_where_their_median_lies() {
        let figures = |count: i32| (1..=count).rev().map(f64::from).collect::<Vec<_>>();
        for (count, between) in
            [(2, (1.0, 2.0)), (8, (1.0, 8.0)), (9, (2.0, 8.0)), (20, (6.0, 15.0)), (100, (40.0, 61.0))]
        {
            assert_eq!(range_of_median(&figures(count)), Some(between), "{count}");
        }
        assert_eq!(range_of_median(&figures(1)), None);
    }

    #[test]
    fn a_run_that_is_cut_short_is_in_no_middle() {
        const COLUMNS: &[Column] = &[Column::new("rate", "rate", 0)];
        let mut report = Report {
            format: Format::Json,
            bench: "test",
            columns: COLUMNS,
            targets: Vec::new(),
            runs: Runs::default(),
        };
        for (rate, is_cut_short) in [(100.0, false), (120.0, false), (7.0, true)] {
            let row = Row { values: vec![Some(rate)], more: Value::Null };
            report.row(row, is_cut_short).expect("it is printed");
        }
        assert_eq!(report.runs.median(0), Some(110.0));
    }

    #[test]
    fn a_run_that_finds_nothing_ends_well_only_where_it_was_cut_short() {
        let workload =
            floors::FloorsWorkload { directory: PathBuf::new(), measure: Duration::ZERO, repetitions: 3 };
        let machine = Machine::of(&std::env::temp_dir());
        let output = Output { format: Format::Json, kept: None };
        let repeat = |repetition: &dyn Fn(&AtomicBool)| {
            let interrupt = AtomicBool::new(false);
            repeat(&output, &workload, &machine, &interrupt, || {
                repetition(&interrupt);
                Ok(None)
            })
        };
        let error = repeat(&|_| {}).expect_err("nothing is no result");
        assert!(error.to_string().contains("measure longer (--time)"), "{error}");
        repeat(&|interrupt| interrupt.store(true, Ordering::Relaxed)).expect("it was cut short");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(1_234_567.891, 1), "1,234,567.9");
        assert_eq!(number(-12.0, 0), "-12");
        assert_eq!(number(999.0, 0), "999");
    }
}
