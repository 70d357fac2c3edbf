//! Claims of a workload file about its points, and their judgement by the runs.
//!
//! A claim names a metric and holds it against a limit: at a point, beside another point, along a setting, or
//! from the first run to the last. Where several points fit, the worst of them counts.
//!
//! Points that are put beside one another are so run by run, as these were made one after the other in the
//! same minutes.
//! The median counts; where the runs leave open on which side of the limit that is, the claim is not settled.
//!
//! Always: a claim is judged when every point it needs was run, for as long and beside as much as it says,
//! and not otherwise.

use std::cmp::Ordering;
use std::fmt;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use super::file::{Variant, Workload};
use crate::floors::Floors;
use crate::limit::{self, Limit, Marks};
use crate::report::{self, Runs};
use crate::request_reply::Floor;

/// One claim, as a file has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Claim {
    /// The claim, in a line.
    says: String,
    /// A column of the bench, or what follows from some of them.
    metric: String,
    /// Settings of the points that are meant; all points when there are none.
    #[serde(default)]
    at: toml::Table,
    /// The divisor of the metric.
    of: Option<Of>,
    /// The setting by which the metric grows from the other point on: then growth for each one more of it is
    /// meant.
    along: Option<String>,
    /// Seconds that the runs of a point take together, at least, for what is claimed to be seen.
    seconds_min: Option<u64>,
    at_most: Option<Marks>,
    at_least: Option<Marks>,
}

/// The other side of a metric.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Of {
    /// The same of the point with these settings.
    Point(toml::Table),
    Run(Which),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Which {
    /// The same of the same point in the first run; it is that of the last run then that is meant.
    FirstRun,
}

/// The results at a point.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) variant: &'a Variant,
    pub(super) runs: &'a Runs,
    pub(super) floors: Option<&'a Floors>,
    /// Time that each run was measured.
    pub(super) measured: Duration,
}

/// A claim and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Judged {
    says: String,
    verdict: &'static str,
    /// The figure that the verdict rests on; none where it is not judged.
    figure: Option<f64>,
    /// Where it lies as far as its runs tell; none where there is one.
    between: Option<(f64, f64)>,
    /// The limit, and what explains the figure; or what was not run.
    why: String,
}

impl Claim {
    /// Refuses what cannot be judged with these points.
    pub(super) fn check(&self, variants: &[Variant]) -> Result<()> {
        self.limit().with_context(|| format!("claim \"{}\"", self.says))?;
        let meant: Vec<&Variant> = variants.iter().filter(|variant| variant.has(&self.at)).collect();
        ensure!(!meant.is_empty(), "claim \"{}\": no point has {}", self.says, plain(&self.at));
        for variant in &meant {
            ensure!(
                DERIVED.contains(&self.metric.as_str()) || place(variant, &self.metric).is_some(),
                "claim \"{}\": the bench has no {}",
                self.says,
                self.metric
            );
        }
        if let Some(Of::Point(settings)) = &self.of {
            let others = variants.iter().filter(|variant| variant.has(settings)).count();
            let settings = plain(settings);
            ensure!(others == 1, "claim \"{}\": {others} points have {settings} instead of one", self.says);
        }
        if let Some(setting) = &self.along {
            let has_number = |variant: &&Variant| variant.number(setting).is_some();
            ensure!(
                matches!(self.of, Some(Of::Point(_))) && meant.iter().all(has_number),
                "claim \"{}\": growth along {setting} begins at another point (of), and {setting} is a number at both",
                self.says
            );
        }
        Ok(())
    }

    fn limit(&self) -> Result<Limit> {
        match (self.at_most, self.at_least) {
            (Some(marks), None) => Ok(Limit::AtMost(marks)),
            (None, Some(marks)) => Ok(Limit::AtLeast(marks)),
            _ => anyhow::bail!("it has either at-most or at-least"),
        }
    }

    /// Judges it by what was found at these points.
    pub(super) fn judge(&self, variants: &[Variant], found: &[Found<'_>]) -> Result<Judged> {
        let limit = self.limit()?;
        let mut worst: Option<Word> = None;
        let mut why = limit.to_string();
        for variant in variants.iter().filter(|variant| variant.has(&self.at)) {
            let point = at(found, variant);
            if let Some(why) = point.and_then(|point| self.not_enough(point)) {
                return Ok(self.unjudged(why));
            }
            let figures = point.and_then(|point| self.figures(point, variants, found));
            let Some(word) = figures.and_then(|figures| Word::of(limit, figures)) else {
                return Ok(self.unjudged(format!("what it needs was not run at {}", variant.label)));
            };
            if self.metric == TIMES_THE_FLOOR && word.figure < FLOORS_MIN {
                let why = format!(
                    "{} times the floor: the machine was busier when that was measured",
                    limit::figure(word.figure)
                );
                return Ok(self.unjudged(why));
            }
            worst = Some(worst.map_or(word, |worst| worst.or_worse(word, limit)));
            if self.metric == TIMES_THE_FLOOR
                && let Some(floor) = point.and_then(|point| point.floor(point.runs.0.last()?))
            {
                why = format!("{why}; the floor is {floor}");
            }
        }
        let Word { verdict, figure, between } = worst.context("no point is meant")?;
        Ok(Judged { says: self.says.clone(), verdict, figure: Some(figure), between, why })
    }

    /// Why the runs of a point do not show what is claimed, whatever they found.
    fn not_enough(&self, point: &Found<'_>) -> Option<String> {
        if let Some(seconds) = self.seconds_min {
            let measured = point.measured * u32::try_from(point.runs.0.len()).unwrap_or(u32::MAX);
            if measured < Duration::from_secs(seconds) {
                let measured = limit::figure(measured.as_secs_f64());
                return Some(format!(
                    "it is claimed of {seconds} s, measured were {measured} (--time, --repeat)"
                ));
            }
        }
        let Workload::Beside(workload) = &point.variant.workload else { return None };
        let share = |row: &Vec<Option<f64>>| {
            let column = |name: &str| row[place(point.variant, name)?];
            let asked = workload.asked(column("background_peak_per_second")?);
            Some(column("background_per_second")? / f64::from(asked))
        };
        let least = point.runs.0.iter().filter_map(share).reduce(f64::min)?;
        (least < BACKGROUND_MIN).then(|| {
            format!(
                "the background made {} of the rate that was asked of it at {}, and not {}",
                limit::figure(least),
                point.variant.label,
                limit::figure(BACKGROUND_MIN)
            )
        })
    }

    fn unjudged(&self, why: String) -> Judged {
        Judged { says: self.says.clone(), verdict: "not judged", figure: None, between: None, why }
    }

    /// Returns the figures that are held against the limit at one point, one for each run.
    fn figures(&self, point: &Found<'_>, variants: &[Variant], found: &[Found<'_>]) -> Option<Vec<f64>> {
        let values = point.values(&self.metric)?;
        match &self.of {
            None => Some(values),
            Some(Of::Run(Which::FirstRun)) => {
                (values.len() > 1).then(|| Some(vec![values.last()? / values.first()?])).flatten()
            }
            Some(Of::Point(settings)) => {
                let other = at(found, variants.iter().find(|variant| variant.has(settings))?)?;
                let steps = match &self.along {
                    None => None,
                    Some(setting) => Some(point.variant.number(setting)? - other.variant.number(setting)?),
                };
                let beside = |(ours, theirs): (f64, f64)| match steps {
                    None => ours / theirs,
                    Some(steps) => (ours - theirs) / steps,
                };
                Some(values.into_iter().zip(other.values(&self.metric)?).map(beside).collect())
            }
        }
    }
}

/// The judgement of one point.
#[derive(Clone, Copy)]
struct Word {
    verdict: &'static str,
    figure: f64,
    between: Option<(f64, f64)>,
}

/// The verdict where a limit lies within the range of the runs.
const NOT_SETTLED: &str = "not settled";

impl Word {
    /// By the figures of its runs; none where there are none.
    fn of(limit: Limit, figures: Vec<f64>) -> Option<Self> {
        let between = report::range_of_median(&figures);
        let figure = report::median(figures)?;
        let verdict = limit.verdict(figure);
        let is_settled = between.is_none_or(|(low, high)| limit.verdict(low) == limit.verdict(high));
        let verdict = if is_settled || limit.has_steps() { verdict } else { NOT_SETTLED };
        Some(Self { verdict, figure, between })
    }

    /// Returns the one of two points that decides: a claim that fails at one of them fails, and is settled
    /// only when it is at each.
    fn or_worse(self, other: Self, limit: Limit) -> Self {
        let holds = |word: &Self| match word.verdict {
            "does not hold" => 0,
            NOT_SETTLED => 1,
            _ => 2,
        };
        let is_other = match holds(&other).cmp(&holds(&self)) {
            Ordering::Equal => limit.worse(self.figure, other.figure) != self.figure,
            order => order == Ordering::Less,
        };
        if is_other { other } else { self }
    }
}

/// Times the floor of one client, by the middle of its round trips.
const TIMES_THE_FLOOR: &str = "times_the_floor";

/// Nothing is faster than its floor but by the noise of both.
const FLOORS_MIN: f64 = 0.9;

/// A background that makes less than this of the rate that is asked of it is not the load that is claimed of.
const BACKGROUND_MIN: f64 = 0.95;

/// Messages that a forced write makes durable; a round trip is two messages.
const MESSAGES_PER_FORCE: &str = "messages_per_force";

/// Metrics that follow from columns.
const DERIVED: &[&str] = &[TIMES_THE_FLOOR, MESSAGES_PER_FORCE];

/// Settings in a line.
fn plain(settings: &toml::Table) -> String {
    let said: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    said.join(" ")
}

/// Returns the results at a point; none where it was not run.
fn at<'f, 'a>(found: &'f [Found<'a>], variant: &Variant) -> Option<&'f Found<'a>> {
    found.iter().find(|found| found.variant.label == variant.label)
}

/// Where a column stands in the rows of a point.
fn place(variant: &Variant, name: &str) -> Option<usize> {
    variant.workload.columns().iter().position(|column| column.name == name)
}

impl Found<'_> {
    /// A metric in each run; none where it was not run or a run does not tell.
    fn values(&self, metric: &str) -> Option<Vec<f64>> {
        let values: Option<Vec<f64>> = self.runs.0.iter().map(|row| self.value(row, metric)).collect();
        values.filter(|values| !values.is_empty())
    }

    fn value(&self, row: &[Option<f64>], metric: &str) -> Option<f64> {
        let column = |name: &str| row[place(self.variant, name)?];
        match metric {
            MESSAGES_PER_FORCE => Some(2.0 / column("forces").filter(|forces| *forces > 0.0)?),
            TIMES_THE_FLOOR => Some(column("p50_us")? / self.floor(row)?.us()),
            name => column(name),
        }
    }

    fn floor(&self, row: &[Option<f64>]) -> Option<Floor> {
        let Workload::RequestReply(workload) = &self.variant.workload else { return None };
        let forces = row[place(self.variant, "forces")?]?;
        Some(Floor::of(workload.mode, workload.units, forces, self.floors?))
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:13} {}: ", self.verdict, self.says)?;
        if let Some(found) = self.figure {
            write!(formatter, "{}, ", limit::figure(found))?;
        }
        formatter.write_str(&self.why)?;
        if let Some((low, high)) = self.between {
            write!(formatter, "; between {} and {} by its runs", limit::figure(low), limit::figure(high))?;
        }
        if self.verdict == NOT_SETTLED {
            formatter.write_str(", of which more would tell (--repeat)")?;
        }
        Ok(())
    }
}
