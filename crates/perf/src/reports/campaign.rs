//! Running what a page is made of: the workloads of all reports or of one, each once.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::progress::{self, Bar};
use crate::workloads::{self, WorkloadFile, about};

/// Of what a page is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All reports, by the first, middle and last point along each list.
    Quick,
    /// All reports, by every point.
    Full,
    /// One report, by every point.
    Report(String),
}

impl Scope {
    /// The report, where it is one.
    pub(super) fn report(&self) -> Option<&str> {
        match self {
            Self::Report(name) => Some(name),
            Self::Quick | Self::Full => None,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
            Self::Report(name) => name,
        })
    }
}

/// The workloads of a page being run.
#[derive(Debug)]
pub struct Campaign<'a> {
    files: Vec<WorkloadFile>,
    options: &'a workloads::Options,
}

impl<'a> Campaign<'a> {
    /// Plans the runs of this scope.
    ///
    /// # Errors
    /// When there is no such report, or a file of its own is wrong.
    pub fn new(scope: &Scope, options: &'a workloads::Options) -> Result<Self> {
        Ok(Self { files: files(scope, options.quick)?, options })
    }

    /// Runs them one after the other, and stops when `interrupt` is set; every run is kept as it ends. A
    /// point that fails is left out, and the others are run. Says before how long it takes, and in the end
    /// what failed.
    ///
    /// # Errors
    /// At once when runs of an earlier campaign are to be taken up and are not of this one.
    pub fn run(&self, interrupt: &AtomicBool) -> Result<Vec<anyhow::Error>> {
        let campaigns: Result<Vec<_>> =
            self.files.iter().map(|file| workloads::Campaign::new(file, self.options)).collect();
        let campaigns = campaigns?;
        let expected = campaigns.iter().map(workloads::Campaign::expected).sum();
        progress::say(&self.said(&campaigns, expected));
        let whole = Bar::of_work(expected, "all runs");
        let (mut failures, mut left, begun) = (Vec::new(), expected, Instant::now());
        for (index, (file, campaign)) in self.files.iter().zip(campaigns).enumerate() {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            whole.name(&file.name);
            let (number, count) = (index + 1, self.files.len());
            let still = about(rest(begun.elapsed(), expected, left));
            progress::say(&format!("{number} of {count}: {}, {still} left", file.title()));
            left = left.saturating_sub(campaign.expected());
            failures.extend(campaign.run(interrupt, Some(&whole))?);
        }
        Ok(failures)
    }

    /// Says what is to be run.
    fn said(&self, campaigns: &[workloads::Campaign<'_>], expected: Duration) -> String {
        let points: usize = campaigns.iter().map(workloads::Campaign::points).sum();
        let left: usize = campaigns.iter().map(workloads::Campaign::runs_left).sum();
        let (workloads, times) = (campaigns.len(), self.options.repetitions);
        let all = points * times;
        let kept = if left == all { String::new() } else { format!(", {} of them kept", all - left) };
        let others: usize = campaigns.iter().map(workloads::Campaign::runs_of_others).sum();
        let others = match others {
            0 => String::new(),
            count => format!(", {count} kept ones of another build set aside"),
        };
        format!(
            "{workloads} workloads, {points} points, {times} times each: {all} runs{kept}{others}; {}",
            about(expected)
        )
    }
}

/// The workloads of a scope that can be run, each once.
fn files(scope: &Scope, quick: bool) -> Result<Vec<WorkloadFile>> {
    let mut wanted: Vec<String> = Vec::new();
    for exhibit in super::reports(scope)?.into_iter().flat_map(|report| report.exhibits) {
        for workload in exhibit.workloads {
            if !wanted.contains(&workload) {
                wanted.push(workload);
            }
        }
    }
    let files = wanted.iter().map(|name| workloads::find(name)).collect::<Result<Vec<_>>>()?;
    Ok(files.into_iter().filter(|file| file.not_yet().is_none() && (!quick || file.is_quick())).collect())
}

/// A quick campaign of one report takes no longer, less what a busy machine adds.
const QUICK_MAX: Duration = Duration::from_secs(45);

/// Longest and shortest time of a run of it, and the steps between.
const QUICK_RUN_MAX: Duration = Duration::from_millis(1500);
const QUICK_RUN_MIN: Duration = Duration::from_millis(100);

/// Warming up takes a fifth of the time of a quick run.
const QUICK_WARM_UP: u32 = 5;

/// Returns times of warming up and of measuring with which a quick campaign of each report takes no longer
/// than [`QUICK_MAX`]; the shortest where it takes longer with these.
///
/// # Errors
/// When there is no such report, or a file of its own is wrong.
pub fn quick_times(scope: &Scope) -> Result<(Duration, Duration)> {
    let names = super::names().filter(|name| scope.report().is_none_or(|one| one == *name));
    let of_report = |name: &str| files(&Scope::Report(name.to_owned()), true);
    let reports = names.map(of_report).collect::<Result<Vec<_>>>()?;
    let mut measure = QUICK_RUN_MAX;
    let fits = |measure: Duration| {
        reports
            .iter()
            .all(|files| workloads::quick_time(files, measure / QUICK_WARM_UP, measure) <= QUICK_MAX)
    };
    while measure > QUICK_RUN_MIN && !fits(measure) {
        measure -= QUICK_RUN_MIN;
    }
    Ok((measure / QUICK_WARM_UP, measure))
}

/// Returns the time that the rest takes, if it goes on as it went.
fn rest(passed: Duration, expected: Duration, left: Duration) -> Duration {
    let done = expected.saturating_sub(left);
    if done.is_zero() { left } else { left.mul_f64(passed.as_secs_f64() / done.as_secs_f64()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_campaign_of_each_report_takes_less_than_a_minute() {
        for name in super::super::names() {
            let scope = Scope::Report(name.to_owned());
            let (warm_up, measure) = quick_times(&scope).expect("there is such a report");
            let time = workloads::quick_time(&files(&scope, true).expect("they are right"), warm_up, measure);
            assert!(
                time < Duration::from_secs(60) && measure >= QUICK_RUN_MIN,
                "{name}: {time:?}, {measure:?} a run"
            );
        }
    }

    #[test]
    fn what_is_left_goes_on_as_it_went() {
        let minutes = |count: u64| Duration::from_secs(60 * count);
        assert_eq!(rest(minutes(0), minutes(30), minutes(30)), minutes(30));
        assert_eq!(rest(minutes(20), minutes(30), minutes(20)), minutes(40));
    }
}
