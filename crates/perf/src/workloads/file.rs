//! The form of a workload file.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::claim::Claim;
use crate::beside::{self, Side};
use crate::bodies::Bodies;
use crate::coordinator::Ending;
use crate::jms::Api;
use crate::line;
use crate::one_way;
use crate::publish::{self, Through, Topics};
use crate::request_reply::{self, Mode, Units};
use crate::target::{LogPlace, Place, Transport};

/// One table or chart.
#[derive(Clone, Debug)]
pub struct WorkloadFile {
    /// Its name on the command line.
    pub name: String,
    head: Head,
    variants: Vec<Variant>,
}

/// The content of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Head {
    /// The measurement, in a line.
    title: String,
    /// Tables and charts of the reports that show it, as `S1-T6`.
    items: Vec<String>,
    /// Why it cannot be run; then it has nothing below.
    not_yet: Option<String>,
    /// It is left out where there is little time.
    #[serde(default)]
    long: bool,
    bench: Option<Bench>,
    #[serde(default)]
    fixed: toml::Table,
    #[serde(default)]
    vary: Vec<toml::Table>,
    #[serde(default, rename = "claim")]
    claims: Vec<Claim>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Bench {
    RequestReply,
    OneWay,
    Publish,
    Beside,
}

/// One point of a table: what is different about it, and what to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The varying settings, as `bytes=2048 requesters=4`.
    pub label: String,
    /// It is the first, the middle or the last along each list.
    pub quick: bool,
    /// The queue manager it runs against.
    pub place: Place,
    /// The workload to run.
    pub workload: Workload,
    /// The settings of it in the file.
    settings: toml::Table,
}

impl Variant {
    /// Returns true if the file gives it these settings.
    pub(crate) fn has(&self, settings: &toml::Table) -> bool {
        settings.iter().all(|(name, value)| self.settings.get(name) == Some(value))
    }

    /// A setting that the file gives as a number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        let value = self.settings.get(name)?;
        value.as_float().or_else(|| Some(value.as_integer()? as f64))
    }
}

/// A workload that a file can name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Workload {
    /// Requests and replies.
    RequestReply(request_reply::RequestReplyWorkload),
    /// Puts, then gets.
    OneWay(one_way::OneWayWorkload),
    /// Publishers and subscribers.
    Publish(publish::PublishWorkload),
    /// Requests and replies beside others.
    Beside(beside::BesideWorkload),
}

/// Times and repetitions, which the command says and not the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
    pub(crate) repetitions: usize,
}

/// Settings of request/reply in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RequestReply {
    requesters: usize,
    responders: Option<usize>,
    processes: usize,
    bytes: usize,
    persistent: bool,
    units: Units,
    mode: Mode,
    window: usize,
    rate: Option<u32>,
    preloaded: u64,
    queues: usize,
    bodies: Bodies,
    idle: usize,
    clients: Option<usize>,
    threads: Option<usize>,
    transport: Transport,
    share: Option<u16>,
    log: LogPlace,
    commit_delay: u32,
    queue_managers: u8,
    #[serde(deserialize_with = "or_none")]
    compress: Option<line::Way>,
    #[serde(deserialize_with = "or_none")]
    tls: Option<line::Suite>,
    api: Option<Api>,
}

/// Reads a setting that `none` leaves out, since a list that varies has a value for each point.
fn or_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = anyhow::Error>,
{
    let text = String::deserialize(deserializer)?;
    if text == "none" { Ok(None) } else { text.parse().map(Some).map_err(D::Error::custom) }
}

impl Default for RequestReply {
    fn default() -> Self {
        Self {
            requesters: 1,
            responders: None,
            processes: 1,
            bytes: 2048,
            persistent: false,
            units: Units::None,
            mode: Mode::RoundTrips,
            window: 1,
            rate: None,
            preloaded: 0,
            queues: 1,
            bodies: Bodies::Filled,
            idle: 0,
            clients: None,
            threads: None,
            transport: Transport::Tcp,
            share: None,
            log: LogPlace::Disk,
            commit_delay: 0,
            queue_managers: 1,
            compress: None,
            tls: None,
            api: None,
        }
    }
}

/// Settings of one way in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct OneWay {
    threads: usize,
    bytes: usize,
    persistent: bool,
    unit: Option<u32>,
    ending: Ending,
    mode: Mode,
    get_mode: Option<Mode>,
    transport: Transport,
    share: Option<u16>,
    log: LogPlace,
    queue_managers: u8,
}

impl Default for OneWay {
    fn default() -> Self {
        Self {
            threads: 1,
            bytes: 1000,
            persistent: false,
            unit: None,
            ending: Ending::Internal,
            mode: Mode::RoundTrips,
            get_mode: None,
            transport: Transport::Tcp,
            share: None,
            log: LogPlace::Disk,
            queue_managers: 1,
        }
    }
}

/// Settings of publishing in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Publish {
    publishers: usize,
    subscribers: usize,
    topics: Topics,
    through: Through,
    bytes: usize,
    persistent: bool,
    mode: Mode,
    ahead: u64,
    rate: Option<u32>,
    transport: Transport,
    subscribers_by: Option<Transport>,
    share: Option<u16>,
    log: LogPlace,
    api: Option<Api>,
}

impl Default for Publish {
    fn default() -> Self {
        Self {
            publishers: 1,
            subscribers: 1,
            topics: Topics::Shared,
            through: Through::Topic,
            bytes: 2048,
            persistent: false,
            mode: Mode::RoundTrips,
            ahead: PUBLICATIONS_AHEAD,
            rate: None,
            transport: Transport::Tcp,
            subscribers_by: None,
            share: None,
            log: LogPlace::Disk,
            api: None,
        }
    }
}

/// Settings of request/reply beside another in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Beside {
    requesters: usize,
    persistent: bool,
    background_requesters: usize,
    background_window: usize,
    background_persistent: bool,
    load: u32,
    bytes: usize,
    transport: Transport,
    share: Option<u16>,
    log: LogPlace,
}

impl Default for Beside {
    fn default() -> Self {
        Self {
            requesters: 1,
            persistent: false,
            background_requesters: 64,
            background_window: 1,
            background_persistent: false,
            load: 50,
            bytes: 2048,
            transport: Transport::Tcp,
            share: None,
            log: LogPlace::Disk,
        }
    }
}

/// Publications that a publisher may be ahead of the slowest subscriber when a file does not say how many.
const PUBLICATIONS_AHEAD: u64 = 1000;

impl WorkloadFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When its form is not that of a workload file, with the file, the place and what is wrong.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let head: Head = toml::from_str(text).with_context(|| format!("workload {name}"))?;
        let variants = head.variants().with_context(|| format!("workload {name}"))?;
        for claim in &head.claims {
            claim.check(&variants).with_context(|| format!("workload {name}"))?;
        }
        Ok(Self { name: name.to_owned(), head, variants })
    }

    /// Returns the measurement, in a line.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.head.title
    }

    /// Tables and charts of the reports that show it.
    #[must_use]
    pub fn items(&self) -> &[String] {
        &self.head.items
    }

    /// Why it cannot be run.
    #[must_use]
    pub fn not_yet(&self) -> Option<&str> {
        self.head.not_yet.as_deref()
    }

    /// Returns true if it is run where there is little time.
    #[must_use]
    pub fn is_quick(&self) -> bool {
        !self.head.long
    }

    /// Returns its claims about its points.
    pub(super) fn claims(&self) -> &[Claim] {
        &self.head.claims
    }

    /// Its points; none when it cannot be run.
    #[must_use]
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }
}

impl Head {
    fn variants(&self) -> Result<Vec<Variant>> {
        match (self.bench, &self.not_yet) {
            (Some(bench), None) => {
                let mut points = vec![Point { settings: self.fixed.clone(), label: Vec::new(), quick: true }];
                for axis in &self.vary {
                    points = multiply(&points, axis)?;
                }
                points.into_iter().map(|point| point.variant(bench)).collect()
            }
            (None, Some(_)) => Ok(Vec::new()),
            _ => bail!("a workload names either its bench or why it is not yet run"),
        }
    }
}

/// A point on its way to a variant.
#[derive(Clone)]
struct Point {
    settings: toml::Table,
    label: Vec<String>,
    quick: bool,
}

/// Every point so far with every step of one axis.
fn multiply(points: &[Point], axis: &toml::Table) -> Result<Vec<Point>> {
    let lists: Result<Vec<(&String, &Vec<toml::Value>)>> = axis
        .iter()
        .map(|(name, value)| {
            Ok((name, value.as_array().with_context(|| format!("{name} varies: give a list"))?))
        })
        .collect();
    let lists = lists?;
    let steps = lists.first().context("a [[vary]] table has at least one list")?.1.len();
    ensure!(steps > 0, "a list of a [[vary]] table has at least one value");
    for (name, list) in &lists {
        ensure!(list.len() == steps, "{name} has {} values where its neighbour has {steps}", list.len());
    }
    let mut product = Vec::new();
    for point in points {
        for step in 0..steps {
            let mut point = point.clone();
            point.quick &= [0, steps / 2, steps - 1].contains(&step);
            for (name, list) in &lists {
                ensure!(
                    point.settings.insert((*name).clone(), list[step].clone()).is_none(),
                    "{name} is given twice"
                );
                point.label.push(format!("{name}={}", plain(&list[step])));
            }
            product.push(point);
        }
    }
    Ok(product)
}

/// A value without the quotes of its file.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

impl Point {
    fn variant(self, bench: Bench) -> Result<Variant> {
        let (label, said) = (self.label.join(" "), self.settings.clone());
        let (place, workload) = match bench {
            Bench::RequestReply => {
                let settings: RequestReply = self.settings.try_into()?;
                let (place, workload) = settings.into_workload(said.contains_key("requesters"))?;
                workload.check()?;
                (place, Workload::RequestReply(workload))
            }
            Bench::OneWay => {
                let settings: OneWay = self.settings.try_into()?;
                let (place, workload) = settings.into_workload();
                workload.check()?;
                (place, Workload::OneWay(workload))
            }
            Bench::Publish => {
                let settings: Publish = self.settings.try_into()?;
                let (place, workload) = settings.into_workload();
                workload.check()?;
                (place, Workload::Publish(workload))
            }
            Bench::Beside => {
                let settings: Beside = self.settings.try_into()?;
                let (place, workload) = settings.into_workload();
                workload.check()?;
                (place, Workload::Beside(workload))
            }
        };
        Ok(Variant { label, quick: self.quick, place, workload, settings: said })
    }
}

impl RequestReply {
    fn into_workload(self, says_requesters: bool) -> Result<(Place, request_reply::RequestReplyWorkload)> {
        let Self { transport, share, log, commit_delay, queue_managers, compress, tls, .. } = self;
        let line = line::Wanted { compress, tls };
        // One queue manager for clients of either interface.
        let amqp = self.api.is_some();
        let place = Place { commit_delay, queue_managers, line, amqp, ..Place::at(transport, share, log) };
        let grid = match (self.clients, self.threads) {
            (None, None) => None,
            (Some(clients), Some(threads)) if !says_requesters => Some((clients, threads)),
            _ => bail!("a grid says clients and the threads of each, and no requesters"),
        };
        let asking = grid.map_or(self.requesters, |(clients, threads)| clients.saturating_mul(threads));
        let workload = request_reply::RequestReplyWorkload {
            requesters: asking,
            responders: self.responders.unwrap_or_else(|| self.units.responders_for(asking).max(self.queues)),
            processes: self.processes,
            bytes: self.bytes,
            persistent: self.persistent,
            units: self.units,
            mode: self.mode,
            window: self.window,
            rate: self.rate,
            preloaded: self.preloaded,
            queues: self.queues,
            bodies: self.bodies,
            idle: self.idle,
            clients: None,
            threads: None,
            api: self.api.unwrap_or_default(),
            warm_up: Duration::ZERO,
            measure: Duration::ZERO,
            repetitions: 0,
            access: String::new(),
        };
        Ok((
            place,
            match grid {
                Some((clients, threads)) => workload.in_grid(clients, threads),
                None => workload,
            },
        ))
    }
}

impl OneWay {
    fn into_workload(self) -> (Place, one_way::OneWayWorkload) {
        let place =
            Place { queue_managers: self.queue_managers, ..Place::at(self.transport, self.share, self.log) };
        let workload = one_way::OneWayWorkload {
            threads: self.threads,
            bytes: self.bytes,
            persistent: self.persistent,
            unit: self.unit,
            ending: self.ending,
            mode: self.mode,
            get_mode: self.get_mode,
            warm_up: Duration::ZERO,
            measure: Duration::ZERO,
            repetitions: 0,
            access: String::new(),
        };
        (place, workload)
    }
}

impl Publish {
    fn into_workload(self) -> (Place, publish::PublishWorkload) {
        let (subscribers_by, amqp) = (self.subscribers_by, self.api.is_some());
        let place = Place { subscribers_by, amqp, ..Place::at(self.transport, self.share, self.log) };
        let workload = publish::PublishWorkload {
            publishers: self.publishers,
            subscribers: self.subscribers,
            topics: self.topics,
            through: self.through,
            bytes: self.bytes,
            persistent: self.persistent,
            mode: self.mode,
            ahead: self.ahead,
            rate: self.rate,
            api: self.api.unwrap_or_default(),
            warm_up: Duration::ZERO,
            measure: Duration::ZERO,
            repetitions: 0,
            access: String::new(),
        };
        (place, workload)
    }
}

impl Beside {
    fn into_workload(self) -> (Place, beside::BesideWorkload) {
        let place = Place::at(self.transport, self.share, self.log);
        let foreground = Side { requesters: self.requesters, window: 1, persistent: self.persistent };
        let background = Side {
            requesters: self.background_requesters,
            window: self.background_window,
            persistent: self.background_persistent,
        };
        (place, beside::BesideWorkload::new(foreground, background, self.bytes, self.load))
    }
}

impl Workload {
    /// The interface that its clients use.
    pub(crate) fn api(&self) -> Api {
        match self {
            Self::RequestReply(workload) => workload.api,
            Self::Publish(workload) => workload.api,
            Self::OneWay(_) | Self::Beside(_) => Api::Native,
        }
    }

    /// Fills in what the command says and not the file.
    pub(crate) fn set(&mut self, times: Times, access: String) {
        match self {
            Self::RequestReply(workload) => {
                workload.warm_up = times.warm_up;
                workload.measure = times.measure;
                workload.repetitions = times.repetitions;
                workload.access = access;
            }
            Self::OneWay(workload) => {
                workload.warm_up = times.warm_up;
                workload.measure = times.measure;
                workload.repetitions = times.repetitions;
                workload.access = access;
            }
            Self::Publish(workload) => {
                workload.warm_up = times.warm_up;
                workload.measure = times.measure;
                workload.repetitions = times.repetitions;
                workload.access = access;
            }
            Self::Beside(workload) => {
                workload.run_for(times.warm_up, times.measure);
                workload.repetitions = times.repetitions;
                workload.reach(&access);
            }
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RequestReply(workload) => workload.fmt(formatter),
            Self::OneWay(workload) => workload.fmt(formatter),
            Self::Publish(workload) => workload.fmt(formatter),
            Self::Beside(workload) => workload.fmt(formatter),
        }
    }
}
