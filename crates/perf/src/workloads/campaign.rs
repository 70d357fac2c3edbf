//! Running a workload file: its variants in turn, so that what drifts on the machine drifts in all of them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::json;

use super::claim::Found;
use super::expected::of_runs;
use super::file::{Times, Variant, Workload, WorkloadFile};
use super::kept::Kept;
use crate::access::Access;
use crate::jms::{self, Api};
use crate::program::Program;
use crate::progress::{self, Bar};
use crate::report::{self, Column, Format, Row, Runs, Workload as _};
use crate::rows;
use crate::target::{Place, Target};
use crate::{beside, one_way, publish, request_reply};

/// Options of a campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// Time that each variant runs before it is measured.
    pub warm_up: Duration,
    /// Time that it is measured.
    pub measure: Duration,
    /// Repetitions.
    pub repetitions: usize,
    /// First, middle and last along each list only.
    pub quick: bool,
    /// Where every run is kept, as `NAME.jsonl`.
    pub results: Option<PathBuf>,
    /// Make only the runs that are not kept there.
    pub resume: bool,
    /// The printed form; none for runs that are kept only.
    pub format: Option<Format>,
    /// The program that the queue managers run.
    pub ferry: Program,
}

/// Returns true if each run has a queue manager of its own, because its memory is measured.
fn starts_anew(variants: &[Variant]) -> bool {
    variants.iter().any(|variant| variant.workload.has_idle_connections())
}

/// Returns about how long one quick run of each of these files takes.
pub(crate) fn quick_time(files: &[WorkloadFile], warm_up: Duration, measure: Duration) -> Duration {
    let times = Times { warm_up, measure, repetitions: 1 };
    let of_file = |file: &WorkloadFile| {
        let variants = file.variants().iter().filter(|variant| variant.quick);
        of_runs(variants, times, starts_anew(file.variants()))
    };
    files.iter().map(of_file).sum()
}

impl Options {
    fn times(&self) -> Times {
        Times { warm_up: self.warm_up, measure: self.measure, repetitions: self.repetitions }
    }
}

/// One workload file being run.
pub struct Campaign<'a> {
    options: &'a Options,
    file: &'a WorkloadFile,
    variants: Vec<Variant>,
    /// Queue managers by place, started when they are first needed and kept to the end.
    targets: BTreeMap<Place, Target>,
    kept: Option<Kept>,
    /// The results of each variant.
    found: Vec<Runs>,
    /// Variants that failed, and are not run again.
    failed: Vec<bool>,
}

impl Workload {
    pub(crate) fn columns(&self) -> &'static [Column] {
        match self {
            Self::RequestReply(_) => request_reply::RequestReplyWorkload::COLUMNS,
            Self::OneWay(_) => one_way::OneWayWorkload::COLUMNS,
            Self::Publish(_) => publish::PublishWorkload::COLUMNS,
            Self::Beside(_) => beside::BesideWorkload::COLUMNS,
        }
    }

    fn has_idle_connections(&self) -> bool {
        matches!(self, Self::RequestReply(workload) if workload.idle > 0)
    }

    fn repetition(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Option<Row>> {
        match self {
            Self::RequestReply(workload) => workload.repetition(access, interrupt),
            Self::OneWay(workload) => workload.repetition(access, interrupt),
            Self::Publish(workload) => workload.repetition(access, interrupt),
            Self::Beside(workload) => workload.repetition(access, interrupt),
        }
    }
}

impl<'a> Campaign<'a> {
    /// A campaign over this file.
    ///
    /// # Errors
    /// When the file cannot be run yet, or results cannot be kept.
    pub fn new(file: &'a WorkloadFile, options: &'a Options) -> Result<Self> {
        if let Some(why) = file.not_yet() {
            bail!("{} cannot be run yet: {why}", file.name);
        }
        let mut variants = file.variants().to_vec();
        if options.quick {
            variants.retain(|variant| variant.quick);
        }
        let kept = options.results.as_ref().map(|directory| match options.resume {
            true => Kept::with_earlier(
                directory,
                &file.name,
                file.variants(),
                options.times(),
                &options.ferry.build,
            ),
            false => Kept::empty(directory, &file.name),
        });
        let (found, failed) = (vec![Runs::default(); variants.len()], vec![false; variants.len()]);
        Ok(Self { options, file, variants, targets: BTreeMap::new(), kept: kept.transpose()?, found, failed })
    }

    /// Returns the number of its points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.variants.len()
    }

    /// Returns the number of runs still to be made.
    #[must_use]
    pub fn runs_left(&self) -> usize {
        self.left().count()
    }

    /// Returns the number of runs that another build made, and that are not taken up.
    #[must_use]
    pub fn runs_of_others(&self) -> usize {
        self.kept.as_ref().map_or(0, Kept::others)
    }

    /// Returns about how long they take.
    #[must_use]
    pub fn expected(&self) -> Duration {
        of_runs(self.left(), self.options.times(), self.starts_anew())
    }

    /// Returns true if each run has a queue manager of its own, because its memory is measured: a process
    /// keeps what it once had.
    fn starts_anew(&self) -> bool {
        starts_anew(&self.variants)
    }

    /// The points of the runs that are still to be made.
    fn left(&self) -> impl Iterator<Item = &Variant> + Clone {
        let runs = (1..=self.options.repetitions)
            .flat_map(|run| self.variants.iter().map(move |variant| (run, variant)));
        runs.filter(|(run, variant)| self.row_kept(*run, variant).is_none()).map(|(_, variant)| variant)
    }

    fn row_kept(&self, run: usize, variant: &Variant) -> Option<&Vec<Option<f64>>> {
        self.kept.as_ref()?.row(&variant.label, run)
    }

    /// Runs it and prints the results; when `interrupt` is set, those until then. A point that fails, since a
    /// queue manager does not start, a client fails or a message is missing, is left out from then on, and
    /// the others are run against queue managers that saw nothing of it. Returns the failures. `whole`
    /// advances by the expected time of each run.
    ///
    /// # Errors
    /// When nothing can be printed.
    pub fn run(mut self, interrupt: &AtomicBool, whole: Option<&Bar>) -> Result<Vec<anyhow::Error>> {
        if self.left().any(|variant| variant.workload.api() == Api::Jms)
            && let Err(why) = jms::Java::prepared()
        {
            progress::say(&format!("{} SKIPPED: {why:#}", self.file.name));
            return Ok(Vec::new());
        }
        if self.options.format == Some(Format::Text) {
            self.print_head()?;
        }
        let points = self.variants.len();
        let bar = Bar::of((self.options.repetitions * points) as u64, "points");
        let mut failures = Vec::new();
        for run in 1..=self.options.repetitions {
            for number in 0..points {
                if interrupt.load(Ordering::Relaxed) {
                    break;
                }
                bar.done(((run - 1) * points + number) as u64);
                if let Some(row) = self.row_kept(run, &self.variants[number]).cloned() {
                    self.found[number].0.push(row);
                    continue;
                }
                bar.name(&self.variants[number].label);
                if !self.failed[number]
                    && let Err(error) = self.measure(run, number, interrupt)
                {
                    progress::say(&format!("{error:#}"));
                    failures.push(error);
                    self.failed[number] = true;
                    self.targets.remove(&self.variants[number].place);
                }
                if let Some(whole) = whole {
                    whole.more(self.variants[number].expected(self.options.times()));
                }
            }
        }
        drop(bar);
        if self.options.format == Some(Format::Text) {
            self.print_table()?;
        }
        self.print_claims()?;
        Ok(failures)
    }

    fn measure(&mut self, run: usize, number: usize, interrupt: &AtomicBool) -> Result<()> {
        let is_anew = self.starts_anew();
        let variant = &self.variants[number];
        if is_anew {
            self.targets.remove(&variant.place);
        }
        let target = match self.targets.entry(variant.place) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(Target::start(&self.options.ferry.path, variant.place)?)
            }
        };
        let mut workload = variant.workload.clone();
        workload.set(self.options.times(), target.access.describe());
        let row = workload.repetition(&target.access, interrupt);
        let row = row.with_context(|| format!("{} {}", self.file.name, variant.label))?;
        if interrupt.load(Ordering::Relaxed) {
            // It was cut short: a kept or judged run would be of less time than it says, and no campaign
            // would make it again.
            return Ok(());
        }
        let Some(row) = row else {
            bail!(
                "{} {}: nothing came back within {:?}: measure longer (--time)",
                self.file.name,
                variant.label,
                self.options.measure
            )
        };
        let mut line = json!({
            "workload": self.file.name,
            "items": self.file.items(),
            "variant": variant.label,
            "run": run,
            "settings": workload,
            "place": variant.place,
        });
        rows::stamp(&mut line, &target.machine, &self.options.ferry.build);
        report::add_row(&mut line, workload.columns(), &row.values, row.more);
        self.found[number].0.push(row.values);
        if let Some(kept) = &mut self.kept {
            kept.keep(&line)?;
        }
        match self.options.format {
            Some(Format::Json) => progress::apart(|| writeln!(io::stdout(), "{line}"))?,
            Some(Format::Text) | None => {
                let column = &workload.columns()[0];
                let value = report::number(line[column.name].as_f64().unwrap_or(0.0), column.digits);
                let (times, label) = (self.options.repetitions, &self.variants[number].label);
                progress::say(&format!("{run}/{times} {label}: {value} {}", column.heading.trim()));
            }
        }
        Ok(())
    }

    /// Prints the judgement of each claim of the file.
    fn print_claims(&self) -> Result<()> {
        let found: Vec<Found<'_>> = self
            .variants
            .iter()
            .zip(&self.found)
            .map(|(variant, runs)| {
                let target = self.targets.get(&variant.place);
                let floors = target.and_then(|target| target.machine.floors.as_ref());
                Found { variant, runs, floors, measured: self.options.measure }
            })
            .collect();
        let mut output = io::stdout().lock();
        for claim in self.file.claims() {
            let judged = claim.judge(self.file.variants(), &found)?;
            match self.options.format {
                Some(Format::Text) => writeln!(output, "{judged}")?,
                Some(Format::Json) => writeln!(output, "{}", json!({ "claim": judged }))?,
                None => {}
            }
        }
        Ok(output.flush()?)
    }

    fn print_head(&self) -> io::Result<()> {
        let mut output = io::stdout().lock();
        let command = std::env::args().collect::<Vec<_>>().join(" ");
        writeln!(output, "{}: {}", self.file.name, self.file.title())?;
        if !self.file.items().is_empty() {
            writeln!(output, "shows     {}", self.file.items().join(", "))?;
        }
        writeln!(output, "command   {command}")?;
        output.flush()
    }

    /// The median of each column for each variant, and how far its first column spreads.
    fn print_table(&self) -> io::Result<()> {
        let Some(first) = self.variants.first() else { return Ok(()) };
        let columns = first.workload.columns();
        let mut output = io::stdout().lock();
        if let Some(target) = self.targets.values().next() {
            writeln!(output, "machine   {}", target.machine)?;
            if let Some(floors) = &target.machine.floors {
                writeln!(output, "floors    {floors}")?;
            }
            writeln!(output)?;
        }
        let width = self.variants.iter().map(|variant| variant.label.chars().count()).max().unwrap_or(0);
        write!(output, "{:width$}", "")?;
        for column in columns {
            write!(output, "  {}", column.heading)?;
        }
        writeln!(output, "  spread")?;
        for (variant, runs) in self.variants.iter().zip(&self.found) {
            write!(output, "{:width$}", variant.label)?;
            for (number, column) in columns.iter().enumerate() {
                let text = runs
                    .median(number)
                    .map_or_else(|| "-".to_owned(), |value| report::number(value, column.digits));
                write!(output, "  {text:>width$}", width = column.heading.chars().count())?;
            }
            writeln!(output, "  {:>4.0} %", runs.spread(0).unwrap_or(0.0))?;
        }
        writeln!(output)
    }
}
