//! The form of a file of exhibits: for the tables and charts of one report, our workloads beside them and the
//! matches of our figures with theirs.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use super::published::{self, Figure};
use super::results::{Middle, Point};

/// One of the five reports.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Report {
    /// Its name on the command line.
    #[serde(skip)]
    pub(super) name: String,
    /// Its identifier, as `S1`.
    pub(super) report: String,
    pub(super) title: String,
    /// The machine that it was measured on.
    pub(super) machine: String,
    #[serde(rename = "exhibit")]
    pub(super) exhibits: Vec<Exhibit>,
}

/// Tables and charts that show the same runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Exhibit {
    pub(super) title: String,
    /// Tables and charts of the report, as `T4` and `F6`.
    pub(super) items: Vec<String>,
    /// Files of published figures.
    data: Vec<String>,
    /// The tables in these files that are meant, where they are not those of `items`.
    tables: Option<Vec<String>>,
    /// The figures in them that are meant, where they are not all: columns by value.
    #[serde(default)]
    only: BTreeMap<String, String>,
    /// Workloads that are run for it.
    pub(super) workloads: Vec<String>,
    /// Facts that a reader needs to compare.
    pub(super) note: Option<String>,
    /// Matches of our figures with theirs; the first that fits counts.
    #[serde(default, rename = "match")]
    pub(super) matches: Vec<Match>,
    #[serde(default, rename = "chart")]
    pub(super) charts: Vec<Chart>,
}

/// Figures of theirs and what stands beside them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Match {
    /// The figures meant: text that a column contains.
    #[serde(default, rename = "where")]
    filter: BTreeMap<String, String>,
    /// Why nothing of ours stands beside them yet: a workload that cannot run yet, or the reason itself.
    pub(super) waits_for: Option<String>,
    /// Why nothing of ours ever stands beside them.
    pub(super) nothing: Option<String>,
    /// The workload of ours, where the exhibit has several.
    pub(super) workload: Option<String>,
    /// Settings of ours: a value, a list of values, or numbers `from` one `to` another.
    #[serde(default)]
    pub(super) ours: BTreeMap<String, toml::Value>,
    /// Settings of ours that follow the published figure.
    #[serde(default)]
    settings: BTreeMap<String, Setting>,
    /// Our name for each metric of theirs.
    #[serde(default)]
    metrics: BTreeMap<String, String>,
    /// The choice among several points of ours.
    #[serde(default)]
    pub(super) over: Over,
    /// The measure that is highest at the chosen point, if that is not the one compared.
    pub(super) at_peak_of: Option<String>,
    /// Where what is compared is how much it grows.
    pub(super) growth: Option<Growth>,
    /// Where what is compared is the loss beside other points.
    pub(super) loss: Option<Loss>,
    /// The column that has the place of a published figure on the chart, where no setting follows it.
    x: Option<Setting>,
    /// Draws a published figure without a place across the whole chart.
    #[serde(default)]
    pub(super) level: bool,
}

/// Growth between two points, for each one more of a setting.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Growth {
    pub(super) along: String,
    pub(super) from: f64,
    pub(super) to: f64,
}

/// Loss beside points with other settings that stand at the same place, in per cent of those.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Loss {
    beside: BTreeMap<String, toml::Value>,
    along: String,
    /// Says whether it is told as a change: what is lost is below zero.
    #[serde(default)]
    signed: bool,
}

impl Loss {
    fn has(&self, point: &Point) -> bool {
        self.beside.iter().all(|(name, value)| point.has(name, value))
    }

    /// The loss at each place where there are both.
    fn of(&self, points: &[&Point], measure: &str) -> Vec<Middle> {
        let loss = |point: &&Point| {
            let place = point.number(&self.along)?;
            let beside =
                points.iter().find(|other| self.has(other) && other.number(&self.along) == Some(place))?;
            let kept = point.measure(measure)?.of_other(beside.measure(measure)?).value;
            let lost = (1.0 - kept) * 100.0;
            Some(Middle::alone(if self.signed { -lost } else { lost }))
        };
        points.iter().filter(|point| !self.has(point)).filter_map(loss).collect()
    }
}

/// A number of ours as it follows from columns of a published figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Setting {
    Column(String),
    #[serde(rename_all = "kebab-case")]
    Made {
        column: String,
        /// Another column that multiplies it.
        by: Option<String>,
        /// From so many times to so many times as much.
        times: Option<[f64; 2]>,
        /// At least this.
        least: Option<f64>,
    },
}

/// The choice among several points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Over {
    #[default]
    Mean,
    Max,
    Min,
}

/// The form of a chart.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Chart {
    /// Its title, where an exhibit has several.
    pub(super) title: Option<String>,
    /// The setting of ours along the horizontal axis.
    pub(super) x: String,
    pub(super) x_title: String,
    /// The published metric along the vertical one.
    pub(super) y: String,
    /// Our measure, where no published metric stands beside it.
    pub(super) measure: Option<String>,
    pub(super) y_title: String,
    /// Settings that tell our lines apart.
    #[serde(default)]
    pub(super) lines: Vec<String>,
    /// Settings of our points that are drawn, where they are not all; published figures follow the points
    /// they stand beside.
    #[serde(default)]
    only: BTreeMap<String, toml::Value>,
    #[serde(default)]
    logarithmic: Vec<String>,
    /// Published figures are points of one curve, rather than a few of them that a text states.
    #[serde(default)]
    pub(super) joined: bool,
}

impl Chart {
    /// Returns true if a point of ours is drawn.
    pub(super) fn takes(&self, point: &Point) -> bool {
        self.only.iter().all(|(name, value)| point.has(name, value))
    }

    /// Returns true if figures that stand beside these points are drawn.
    pub(super) fn shows(&self, selection: &Selection<'_>) -> bool {
        let alike =
            |name: &String, value| self.only.get(name).is_none_or(|only| alternatives(only).contains(value));
        let within = |(name, range): &(&str, Range)| {
            self.only.get(*name).is_none_or(|only| {
                let numbers = alternatives(only).iter().filter_map(toml::Value::as_integer);
                numbers.map(|number| number as f64).any(|number| range.from <= number && number <= range.to)
            })
        };
        selection.rule.ours.iter().all(|(name, value)| alike(name, value))
            && selection.settings.iter().all(within)
    }

    pub(super) fn is_logarithmic(&self, axis: &str) -> bool {
        self.logarithmic.iter().any(|name| name == axis)
    }
}

/// The values that a list allows, or the one that stands alone.
fn alternatives(value: &toml::Value) -> &[toml::Value] {
    value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice)
}

/// Numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) from: f64,
    pub(super) to: f64,
}

/// The points of ours beside a published figure, and their measure.
#[derive(Clone, Debug)]
pub(super) struct Selection<'a> {
    pub(super) rule: &'a Match,
    pub(super) settings: Vec<(&'a str, Range)>,
    pub(super) measure: &'a str,
}

impl Report {
    /// Reads a file of exhibits.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self> {
        let mut report: Self = toml::from_str(text).with_context(|| format!("perf/reports/{name}.toml"))?;
        name.clone_into(&mut report.name);
        Ok(report)
    }
}

impl Exhibit {
    /// Returns the figures measured for it, without those that follow from others or describe how.
    pub(super) fn figures(&self) -> Result<Vec<Figure>> {
        let tables = self.tables.as_ref().unwrap_or(&self.items);
        let is_meant = |table: &str| {
            table.split('+').any(|table| {
                // T1 of Windows 2000 is `W2K-T1` in its file; section 6.3 has tables a, b and c.
                tables.iter().any(|item| item == table || item == table.trim_end_matches(['a', 'b', 'c']))
            })
        };
        let mut figures = Vec::new();
        for file in &self.data {
            for figure in published::figures(file)? {
                let is_own = ["measured", "claimed"].contains(&figure.kind.as_str());
                if is_own && figure.value.is_some() && is_meant(&figure.table) && self.has_columns(&figure)? {
                    figures.push(figure);
                }
            }
        }
        Ok(figures)
    }

    fn has_columns(&self, figure: &Figure) -> Result<bool> {
        for (column, value) in &self.only {
            if figure.column(column)? != value {
                return Ok(false);
            }
        }
        // A figure of two products follows from those of each.
        Ok(!figure.system.contains(" vs "))
    }

    /// The rule for a published figure.
    pub(super) fn rule_of(&self, figure: &Figure) -> Result<Option<&Match>> {
        for rule in &self.matches {
            if rule.applies_to(figure)? {
                return Ok(Some(rule));
            }
        }
        Ok(None)
    }
}

impl Match {
    fn applies_to(&self, figure: &Figure) -> Result<bool> {
        for (column, text) in &self.filter {
            if !figure.column(column)?.contains(text.as_str()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Selects the points of ours beside a figure; none where nothing stands beside it.
    pub(super) fn selection<'a>(&'a self, figure: &Figure) -> Result<Option<Selection<'a>>> {
        let Some(measure) = self.metrics.get(&figure.metric) else { return Ok(None) };
        let mut settings = Vec::new();
        for (name, setting) in &self.settings {
            let Some(range) = setting.of(figure)? else { return Ok(None) };
            settings.push((name.as_str(), range));
        }
        Ok(Some(Selection { rule: self, settings, measure }))
    }

    /// Where a figure stands along the horizontal axis.
    pub(super) fn place(&self, chart: &Chart, figure: &Figure) -> Result<Option<f64>> {
        let setting = self.settings.get(&chart.x).or(self.x.as_ref());
        let range = setting.map(|setting| setting.of(figure)).transpose()?.flatten();
        let place = range.filter(|range| range.from == range.to).map(|range| range.from);
        let fixed = || self.ours.get(&chart.x)?.as_integer().map(|value| value as f64);
        Ok(if self.level { place } else { place.or_else(fixed) })
    }

    /// Returns our measure for a metric of theirs.
    pub(super) fn measure_of(&self, metric: &str) -> Option<&str> {
        self.metrics.get(metric).map(String::as_str)
    }
}

impl Setting {
    /// None where the figure does not say, or says a range of its own.
    fn of(&self, figure: &Figure) -> Result<Option<Range>> {
        let number = |column: &str| Ok::<_, anyhow::Error>(figure.column(column)?.parse::<f64>().ok());
        match self {
            Self::Column(column) => Ok(number(column)?.map(|value| Range { from: value, to: value })),
            Self::Made { column, by, times, least } => {
                let Some(mut value) = number(column)? else { return Ok(None) };
                if let Some(by) = by {
                    let Some(factor) = number(by)? else { return Ok(None) };
                    value *= factor;
                }
                value = value.max(least.unwrap_or(value));
                let [low, high] = times.unwrap_or([1.0, 1.0]);
                ensure!(low <= high, "times of {column} go from the lower to the higher");
                Ok(Some(Range { from: value * low, to: value * high }))
            }
        }
    }
}

impl Selection<'_> {
    /// Returns true if another takes the same of ours.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let of_rule = |rule: &Match| {
            let taken = (rule.over, rule.at_peak_of.clone(), rule.growth.clone(), rule.loss.clone());
            (rule.workload.clone(), rule.ours.clone(), taken)
        };
        of_rule(self.rule) == of_rule(other.rule)
            && self.settings == other.settings
            && self.measure == other.measure
    }

    /// Returns the result at the points that it takes: of each, or of the one that its rule chooses.
    pub(super) fn found(&self, points: &[&Point]) -> Option<Middle> {
        let rule = self.rule;
        if let Some(Growth { along, from, to }) = &rule.growth {
            let at = |place: f64| points.iter().find(|point| point.number(along) == Some(place));
            let (first, last) = (at(*from)?.measure(self.measure)?, at(*to)?.measure(self.measure)?);
            return Some(Middle::alone((last.median - first.median) / (to - from)));
        }
        if let Some(highest) = &rule.at_peak_of {
            let heights = points.iter().filter_map(|point| Some((point.measure(highest)?.median, *point)));
            let (_, peak) = heights.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
            return peak.measure(self.measure);
        }
        if let Some(loss) = &rule.loss {
            return Middle::over(&loss.of(points, self.measure), rule.over);
        }
        let middles: Vec<Middle> = points.iter().filter_map(|point| point.measure(self.measure)).collect();
        Middle::over(&middles, rule.over)
    }

    /// Returns true if it takes this point.
    pub(super) fn takes(&self, point: &Point) -> bool {
        let has_workload = self.rule.workload.as_ref().is_none_or(|workload| *workload == point.workload);
        let has_values = self.rule.ours.iter().all(|(name, value)| point.has(name, value))
            || self.rule.loss.as_ref().is_some_and(|loss| loss.has(point));
        let is_end = self.rule.growth.as_ref().is_none_or(|Growth { along, from, to }| {
            point.number(along).is_some_and(|place| [*from, *to].contains(&place))
        });
        has_workload
            && has_values
            && is_end
            && self.settings.iter().all(|(name, range)| {
                point.number(name).is_some_and(|value| range.from <= value && value <= range.to)
            })
    }
}
