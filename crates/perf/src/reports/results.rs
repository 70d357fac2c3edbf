//! Runs of ours: read from the lines that `ferry bench run --results` keeps, and put to the points of their
//! workloads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use super::exhibit::Over;
use super::peers::Peers;
use crate::compare::{self, Compared};
use crate::machine::Machine;
use crate::program::Build;
use crate::report::{Column, median};
use crate::rows::Seen;
use crate::workloads::{self, WorkloadFile};

/// Two builds beside each other, as it was kept.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Comparison {
    /// The build that is compared with, then the one that is compared.
    pub(super) builds: [Build; 2],
    pub(super) compared: Compared,
    /// When it ended.
    pub(super) when: String,
}

/// One repetition of one point, as it was kept.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Run {
    pub(super) workload: String,
    pub(super) variant: String,
    pub(super) run: u64,
    pub(super) settings: Value,
    pub(super) machine: Machine,
    version: String,
    /// The build of it; none where that was not kept.
    build: Option<Build>,
    /// When it ended.
    pub(super) when: Option<String>,
    /// Everything that was found, by name.
    #[serde(flatten)]
    found: BTreeMap<String, Value>,
}

impl Run {
    /// Names the measured program: its version and build.
    pub(super) fn program(&self) -> String {
        let Self { version, build, .. } = self;
        build.as_ref().map_or_else(|| version.clone(), |build| format!("{version} (build {build})"))
    }

    /// Returns the value under this name.
    pub(super) fn found(&self, name: &str) -> Option<f64> {
        self.found.get(name)?.as_f64()
    }

    /// Returns a value, or one that follows from several.
    pub(super) fn measure(&self, name: &str) -> Option<f64> {
        let rate = |name: &str| self.found(name);
        let percent = |rate: Option<f64>, processor: &str| {
            Some(rate? * self.found(processor)? / 1e6 / self.machine.processors as f64 * 100.0)
        };
        match name {
            "kilobytes_per_second" => {
                Some(rate("round_trips_per_second")? * self.settings["bytes"].as_f64()? / 1000.0)
            }
            "mean_ms" => Some(self.found("mean_us")? / 1000.0),
            "server_cpu_percent" => percent(rate("round_trips_per_second"), "server_cpu_us"),
            "sender_cpu_percent" => percent(rate("gets_per_second"), "sender_cpu_us"),
            "receiver_cpu_percent" => percent(rate("gets_per_second"), "receiver_cpu_us"),
            "machine_cpu_percent_per_1000" => {
                self.percent_per_1000(self.found("server_cpu_us")? + self.found("client_cpu_us")?)
            }
            "server_cpu_percent_per_1000" => self.percent_per_1000(self.found("server_cpu_us")?),
            "publishers_at_rate" => self.publishers_at_rate(),
            "put_server_cpu_percent" => percent(rate("puts_per_second"), "put_server_cpu_us"),
            "get_server_cpu_percent" => percent(rate("gets_per_second"), "get_server_cpu_us"),
            // A lone publisher makes one publication after the other.
            "publish_us" => Some(1e6 / rate("publishes_per_second").filter(|rate| *rate > 0.0)?),
            "publishes_per_second_each" => {
                Some(rate("publishes_per_second")? / self.settings["publishers"].as_f64()?)
            }
            "bytes_per_force" => Some(self.found("log_bytes")? / self.found("forces").filter(|n| *n > 0.0)?),
            name => match name.strip_prefix("setting:") {
                Some(setting) => self.settings[setting].as_f64(),
                None => self.found(name),
            },
        }
    }

    /// Per cent of all processors for each 1,000 messages a second, in and out, where a publication takes so
    /// many microseconds of them.
    fn percent_per_1000(&self, us_each: f64) -> Option<f64> {
        let messages_each = self.found("messages_per_second")? / self.found("publishes_per_second")?;
        Some(us_each / messages_each * 1000.0 / 1e6 / self.machine.processors as f64 * 100.0)
    }

    /// The publishers of a run at a fixed rate, where they kept it; nothing of them otherwise.
    fn publishers_at_rate(&self) -> Option<f64> {
        let publishers = self.settings["publishers"].as_f64()?;
        let asked = publishers * self.settings["rate"].as_f64()?;
        Some(if self.found("publishes_per_second")? >= RATE_KEPT * asked { publishers } else { 0.0 })
    }

    /// Returns the seconds that it was measured.
    pub(super) fn seconds(&self) -> Option<f64> {
        let time = &self.settings["measure"];
        Some(time["secs"].as_f64()? + time["nanos"].as_f64()? / 1e9)
    }
}

/// Least share of a fixed rate that counts as kept: the ends of a short run are not whole seconds.
const RATE_KEPT: f64 = 0.98;

/// A point of a workload, and its runs; none where it was not run.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) workload: String,
    pub(super) label: String,
    settings: Value,
    place: Value,
    pub(super) runs: Vec<Run>,
}

/// The middle of several runs, and the lowest and highest of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Middle {
    pub(super) median: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) runs: usize,
}

/// A figure divided by another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub(super) value: f64,
    /// The wider spread of the two, in per cent; nothing where each was run once.
    spread: f64,
}

impl Ratio {
    /// Describes the spread of the runs, if it is more than the distance of the ratio from a limit: then it
    /// decided as well.
    pub(super) fn noise(self, limit: f64) -> String {
        match self.spread > (self.value / limit - 1.0).abs() * 100.0 {
            true => format!(" (the runs spread by {:.0} %, more than what decides)", self.spread),
            false => String::new(),
        }
    }
}

impl Middle {
    /// A figure that follows from those of several points.
    pub(super) fn alone(value: f64) -> Self {
        Self { median: value, low: value, high: value, runs: 1 }
    }

    fn of(values: Vec<f64>) -> Option<Self> {
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        Some(Self { low, high, runs: values.len(), median: median(values)? })
    }

    /// From the lowest to the highest in per cent of the middle; none for one run.
    pub(super) fn spread(&self) -> Option<f64> {
        (self.runs > 1 && self.median > 0.0).then(|| (self.high - self.low) / self.median * 100.0)
    }

    /// Divides it by another.
    pub(super) fn of_other(self, other: Self) -> Ratio {
        let spread = |middle: Self| middle.spread().unwrap_or(0.0);
        Ratio { value: self.median / other.median, spread: spread(self).max(spread(other)) }
    }

    /// Several points as one.
    pub(super) fn over(points: &[Self], over: Over) -> Option<Self> {
        match over {
            Over::Max => points.iter().copied().max_by(|one, other| one.median.total_cmp(&other.median)),
            Over::Min => points.iter().copied().min_by(|one, other| one.median.total_cmp(&other.median)),
            Over::Mean => {
                let count = points.len();
                let mean = |of: fn(&Self) -> f64| points.iter().map(of).sum::<f64>() / count as f64;
                (count > 0).then(|| Self {
                    median: mean(|point| point.median),
                    low: mean(|point| point.low),
                    high: mean(|point| point.high),
                    runs: points.iter().map(|point| point.runs).min().unwrap_or(0),
                })
            }
        }
    }
}

impl Point {
    /// A setting of the workload or of the place it runs at.
    pub(super) fn setting(&self, name: &str) -> &Value {
        match &self.settings[name] {
            Value::Null => &self.place[name],
            value => value,
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.setting(name).as_f64()
    }

    /// A setting as text.
    pub(super) fn text(&self, name: &str) -> String {
        match self.setting(name) {
            Value::String(text) => text.clone(),
            Value::Null => "none".to_owned(),
            value => value.to_string(),
        }
    }

    /// Returns true if a setting has this value, one of these, or one from the first of two to the second.
    pub(super) fn has(&self, name: &str, value: &toml::Value) -> bool {
        match value {
            toml::Value::Array(values) => values.iter().any(|value| self.has(name, value)),
            toml::Value::Table(ends) => {
                let end = |name: &str| ends.get(name)?.as_integer().map(|end| end as f64);
                let within = |place: f64| Some(end("from")? <= place && place <= end("to")?);
                self.number(name).and_then(within).unwrap_or(false)
            }
            value => {
                let wanted = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                self.text(name) == wanted
            }
        }
    }

    /// The settings that its runs were made with where the workload says others now, as `responders 25 (now
    /// 50)`.
    pub(super) fn changed(&self) -> BTreeSet<String> {
        let mut changed = BTreeSet::new();
        let now = self.settings.as_object().into_iter().flatten();
        for (name, now) in now.filter(|(name, _)| !OF_THE_COMMAND.contains(&name.as_str())) {
            // A run that does not know a setting is of a program that did not have it.
            let kept = self.runs.iter().filter_map(|run| run.settings.get(name));
            changed.extend(kept.filter(|kept| *kept != now).map(|kept| format!("{name} {kept} (now {now})")));
        }
        changed
    }

    /// Returns the middle of a measure over its runs.
    pub(super) fn measure(&self, name: &str) -> Option<Middle> {
        Middle::of(self.runs.iter().filter_map(|run| run.measure(name)).collect())
    }
}

/// Settings of a run that are of the command and not of the workload.
const OF_THE_COMMAND: [&str; 4] = ["access", "measure", "repetitions", "warm_up"];

/// A workload with its points.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) file: WorkloadFile,
    pub(super) columns: &'static [Column],
    pub(super) points: Vec<Point>,
}

/// All workloads, and what of them was run.
#[derive(Clone, Debug)]
pub struct Results {
    workloads: BTreeMap<String, Measured>,
    pub(super) comparisons: Vec<Comparison>,
    peers: Peers,
    /// Runs of points that no workload has (any more).
    pub(super) strangers: usize,
    /// Lines of runs that were there already.
    pub(super) doubles: usize,
}

impl Results {
    /// Nothing run yet.
    ///
    /// # Errors
    /// When a workload file is wrong.
    pub fn none() -> Result<Self> {
        let mut workloads = BTreeMap::new();
        for file in workloads::all()? {
            let points = file.variants().iter().map(|variant| {
                Ok(Point {
                    workload: file.name.clone(),
                    label: variant.label.clone(),
                    settings: serde_json::to_value(&variant.workload)?,
                    place: serde_json::to_value(variant.place)?,
                    runs: Vec::new(),
                })
            });
            let points = points.collect::<Result<Vec<_>>>()?;
            let columns = file.variants().first().map_or(&[][..], |variant| variant.workload.columns());
            workloads.insert(file.name.clone(), Measured { file, columns, points });
        }
        Ok(Self { workloads, comparisons: Vec::new(), peers: Peers::default(), strangers: 0, doubles: 0 })
    }

    /// The same with turns beside today's brokers.
    #[must_use]
    pub fn beside(self, peers: Peers) -> Self {
        Self { peers, ..self }
    }

    /// The turns beside today's brokers.
    pub(super) fn peers(&self) -> &Peers {
        &self.peers
    }

    /// The runs kept in the `.jsonl` files of a directory, or in one such file; each once, however often it
    /// is kept there.
    ///
    /// # Errors
    /// When there are none, or a line is not that of a run, with the file and the line.
    pub fn read(path: &Path) -> Result<Self> {
        let mut results = Self::none()?;
        let mut files = Vec::new();
        if path.is_dir() {
            for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == "jsonl") {
                    files.push(path);
                }
            }
            files.sort();
        } else {
            files.push(path.to_owned());
        }
        anyhow::ensure!(
            !files.is_empty(),
            "{} has no results (*.jsonl): `ferry bench run NAME --results DIRECTORY` and `ferry report` make them",
            path.display()
        );
        let mut seen = Seen::default();
        for file in files {
            let text =
                fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
            for (number, line) in text.lines().enumerate() {
                let place = || format!("{}:{} is not a run", file.display(), number + 1);
                let run: Value = serde_json::from_str(line).with_context(place)?;
                // Those of another bench alone stand on no page.
                let is_comparison = run["bench"] == compare::BENCH;
                if !run["bench"].is_null() && !is_comparison {
                    continue;
                }
                match (seen.is_new(&run), is_comparison) {
                    (false, _) => results.doubles += 1,
                    (true, false) => results.add(serde_json::from_value(run).with_context(place)?),
                    (true, true) => {
                        results.comparisons.push(serde_json::from_value(run).with_context(place)?);
                    }
                }
            }
        }
        Ok(results)
    }

    fn add(&mut self, run: Run) {
        let points = self.workloads.get_mut(&run.workload).map(|measured| &mut measured.points);
        match points.and_then(|points| points.iter_mut().find(|point| point.label == run.variant)) {
            Some(point) => point.runs.push(run),
            None => self.strangers += 1,
        }
    }

    /// A workload by its name.
    pub(super) fn workload(&self, name: &str) -> Result<&Measured> {
        self.workloads.get(name).with_context(|| format!("no workload is called {name}"))
    }

    /// Every point.
    pub(super) fn points(&self) -> impl Iterator<Item = &Point> {
        self.workloads.values().flat_map(|measured| &measured.points)
    }

    /// Every run.
    pub(super) fn runs(&self) -> impl Iterator<Item = &Run> {
        self.points().flat_map(|point| &point.runs)
    }

    /// Returns the middles at the points of a workload with these settings, by another setting; ascending.
    pub(super) fn middles(
        &self,
        workload: &str,
        settings: &[(&str, &str)],
        along: &str,
        measure: &str,
    ) -> Vec<(f64, Middle)> {
        let Some(measured) = self.workloads.get(workload) else { return Vec::new() };
        let fits = |point: &&Point| settings.iter().all(|(name, value)| point.text(name) == *value);
        let mut middles: Vec<(f64, Middle)> = measured
            .points
            .iter()
            .filter(fits)
            .filter_map(|point| Some((point.number(along)?, point.measure(measure)?)))
            .collect();
        middles.sort_by(|one, other| one.0.total_cmp(&other.0));
        middles
    }

    /// The same without how far the runs spread.
    pub(super) fn series(
        &self,
        workload: &str,
        settings: &[(&str, &str)],
        along: &str,
        measure: &str,
    ) -> Vec<(f64, f64)> {
        let middles = self.middles(workload, settings, along, measure).into_iter();
        middles.map(|(place, middle)| (place, middle.median)).collect()
    }
}

impl Measured {
    /// Why it cannot be run.
    pub(super) fn not_yet(&self) -> Option<&str> {
        self.file.not_yet()
    }

    /// The processors of the machine that it was run on; none where it was not.
    pub(super) fn processors(&self) -> Option<usize> {
        self.points.iter().flat_map(|point| &point.runs).map(|run| run.machine.processors).next()
    }

    /// Returns the number of its points that were run.
    pub(super) fn made(&self) -> usize {
        self.points.iter().filter(|point| !point.runs.is_empty()).count()
    }
}
