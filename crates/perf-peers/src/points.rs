//! Points of comparison: workloads where they tell most, each for any broker and for ours.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use perf::access::{Access, Channels};
use perf::bodies::Bodies;
use perf::report::{Column, Row, Workload as _};
use perf::request_reply::{Mode, Units};
use perf::target::{LogPlace, Place, Target, Transport};
use perf::{one_way, relay, request_reply};
use serde::{Deserialize, Serialize};

use crate::broker::{Broker, Kind, Scene};
use crate::figures::{self, Figures};
use crate::ours::Ours;

/// One line of the table, or two where putting and getting are told apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) kind: Kind,
    pub(crate) durable: bool,
    pub(crate) clients: u32,
    /// Requests that each client has under way.
    pub(crate) window: u32,
    pub(crate) unit: u64,
    pub(crate) preloaded: u64,
}

/// Times and sizes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
    pub(crate) bytes: usize,
}

/// A group of workloads as the command line names them.
pub(crate) const WORKLOADS: &[&str] = &[
    "rr",
    "rr-durable",
    "rr-window",
    "rr-window-durable",
    "one-way",
    "one-way-durable",
    "preloaded",
    "jms",
    "jms-durable",
    "fan-out",
    "null-publish",
];

/// The points of a group, with these numbers of clients where it has a choice; in ascending order.
pub(crate) fn of(workload: &str, clients: &[u32], preloaded: u64) -> Vec<Point> {
    let point = |kind, durable, clients| Point { kind, durable, clients, window: 1, unit: 1, preloaded: 0 };
    let durable = workload.ends_with("-durable");
    match workload {
        "rr" | "rr-durable" => {
            clients.iter().map(|clients| point(Kind::RequestReply, durable, *clients)).collect()
        }
        "jms" | "jms-durable" => clients.iter().map(|clients| point(Kind::Jms, durable, *clients)).collect(),
        "rr-window" | "rr-window-durable" => [(4, 16), (8, 32)]
            .map(|(clients, window)| Point { window, ..point(Kind::RequestReply, durable, clients) })
            .to_vec(),
        "one-way" | "one-way-durable" => [(1, 1), (4, 1), (16, 1), (1, 50), (4, 50)]
            .map(|(clients, unit)| Point { unit, ..point(Kind::OneWay, durable, clients) })
            .to_vec(),
        "preloaded" => [0, preloaded / 100, preloaded]
            .map(|preloaded| Point { preloaded, ..point(Kind::Preloaded, false, 4) })
            .to_vec(),
        "null-publish" => [1, 2, 8].map(|clients| point(Kind::NullPublish, false, clients)).to_vec(),
        _ => [1, 8, 48, 64].map(|clients| point(Kind::FanOut, false, clients)).to_vec(),
    }
}

/// The first and the last of a group's.
pub(crate) fn ends(points: Vec<Point>) -> Vec<Point> {
    let last = points.len().saturating_sub(1);
    points
        .into_iter()
        .enumerate()
        .filter(|(place, _)| [0, last].contains(place))
        .map(|(_, point)| point)
        .collect()
}

impl Point {
    /// Describes it, without its numbers.
    pub(crate) fn what(&self) -> String {
        let lasting = if self.durable { "durable" } else { "non-persistent" };
        match self.kind {
            Kind::RequestReply => format!("request/reply, {lasting}"),
            Kind::Jms => format!("request/reply by JMS, {lasting}"),
            Kind::Preloaded => "get by request".to_owned(),
            Kind::OneWay => format!("one way, {lasting}"),
            Kind::FanOut => "fan-out".to_owned(),
            Kind::NullPublish => "nobody subscribed".to_owned(),
        }
    }

    /// Returns the names of its lines.
    pub(crate) fn labels(&self) -> Vec<String> {
        let what = self.what();
        match self.kind {
            Kind::RequestReply if self.window > 1 => {
                vec![format!("{what}, clients: {}, under way at each: {}", self.clients, self.window)]
            }
            Kind::RequestReply | Kind::Jms => vec![format!("{what}, clients: {}", self.clients)],
            Kind::Preloaded => {
                vec![format!("{what}, clients: {}, messages lying: {}", self.clients, self.preloaded)]
            }
            Kind::OneWay => ["put", "get"]
                .map(|half| format!("{what}, {half}, threads: {}, in a unit: {}", self.clients, self.unit))
                .to_vec(),
            Kind::FanOut => vec![format!("{what}, deliveries, subscribers: {}", self.clients)],
            Kind::NullPublish => vec![format!("{what}, publishers: {}", self.clients)],
        }
    }

    /// Puts that one client waits for, one after the other, for each that a line counts; none where others
    /// put beside it, or several share a confirmation.
    pub(crate) fn lone_puts(&self, line: usize) -> Option<f64> {
        match self.kind {
            Kind::RequestReply | Kind::Jms if self.clients == 1 => Some(2.0),
            Kind::OneWay if (self.clients, self.unit, line) == (1, 1, 0) => Some(1.0),
            _ => None,
        }
    }

    /// Returns the units of work of ours, beside a broker whose durable gets take messages for good, or do
    /// not.
    pub(crate) fn units(&self, takes_for_good: bool) -> Units {
        let lasts = self.kind == Kind::RequestReply && self.durable;
        // A unit of work of one message costs a client more ways than it saves forces; alone, or where none
        // is needed.
        let is_worth_it = self.window > 1 || (self.clients > 1 && !takes_for_good);
        if lasts && is_worth_it { Units::All } else { Units::None }
    }

    /// The same beside any broker: where what they answer must last, they wait for the disk.
    pub(crate) fn responders(&self) -> u32 {
        let units = if self.durable { Units::All } else { Units::None };
        units.responders_for(self.clients as usize) as u32
    }

    /// One repetition against a broker: a figure for each label; none when nothing was measured.
    pub(crate) fn measure(
        &self,
        broker: &Arc<dyn Broker>,
        run: Run,
        interrupt: &AtomicBool,
    ) -> Result<Option<Vec<Figures>>> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let scene = Scene {
            kind: self.kind,
            name: format!("bench{}", NUMBER.fetch_add(1, Ordering::Relaxed)),
            durable: self.durable,
            clients: self.clients,
            window: self.window,
            unit: self.unit,
        };
        let Run { warm_up, measure, bytes } = run;
        match self.kind {
            Kind::RequestReply | Kind::Preloaded | Kind::Jms => {
                let (responders, preloaded) = (self.responders(), self.preloaded);
                let workload =
                    crate::request_reply::Workload { scene, responders, bytes, preloaded, warm_up, measure };
                let run = if self.kind == Kind::Jms {
                    crate::jms::repetition
                } else {
                    crate::request_reply::repetition
                };
                Ok(run(broker, &workload, interrupt)?.map(|figures| vec![figures]))
            }
            Kind::OneWay => {
                let workload = crate::one_way::Workload { scene, bytes, measure };
                Ok(crate::one_way::repetition(broker, &workload, interrupt)?.map(Vec::from))
            }
            Kind::FanOut => {
                let workload = crate::fan_out::Workload { scene, bytes, warm_up, measure };
                Ok(crate::fan_out::repetition(broker, &workload, interrupt)?.map(|figures| vec![figures]))
            }
            Kind::NullPublish => {
                let workload = crate::fan_out::Workload { scene, bytes, warm_up, measure };
                Ok(crate::null_publish::repetition(broker, &workload, interrupt)?
                    .map(|figures| vec![figures]))
            }
        }
    }

    /// Returns true if ours is measured with a socket for each client too, as the others' clients have: a
    /// publication goes once over a socket that subscribers share, and messages of clients of one socket go
    /// together. By JMS each client has one in any case.
    pub(crate) fn is_measured_apart(&self) -> bool {
        self.kind == Kind::FanOut || (self.clients > 1 && self.kind != Kind::Jms)
    }

    /// Returns true if a program that only copies is measured too: where nothing must last and each message
    /// is for one getter.
    pub(crate) fn has_relay(&self) -> bool {
        self.kind == Kind::RequestReply && !self.durable
    }

    /// One repetition through such a program, with as many clients.
    pub(crate) fn measure_relay(&self, run: Run, interrupt: &AtomicBool) -> Result<Option<Vec<Figures>>> {
        let workload = relay::RelayWorkload {
            requesters: self.clients as usize,
            responders: self.responders() as usize,
            window: self.window as usize,
            bytes: run.bytes,
            warm_up: run.warm_up,
            measure: run.measure,
            repetitions: 1,
        };
        let figures = |found: relay::Found| Figures {
            rate: found.rate,
            p50_us: found.latency.p50,
            p99_us: found.latency.p99,
            broker_us: found.relay_us,
            client_us: found.client_us,
            flushes: None,
        };
        Ok(workload.measured(interrupt)?.map(|found| vec![figures(found)]))
    }

    /// The workload of ours that goes one way.
    pub(crate) fn one_way_of_ours(&self, run: Run, access: String) -> Result<one_way::OneWayWorkload> {
        Ok(one_way::OneWayWorkload {
            threads: self.clients as usize,
            bytes: run.bytes,
            persistent: self.durable,
            unit: (self.unit > 1).then_some(u32::try_from(self.unit)?),
            ending: perf::coordinator::Ending::Internal,
            // A message alone is confirmed before the next is put. The others' come before they are asked
            // for, and so do ours.
            mode: if self.unit > 1 { Mode::Pipelined } else { Mode::RoundTrips },
            get_mode: Some(Mode::Pipelined),
            // As the turns of the other, which begin without one.
            warm_up: Duration::ZERO,
            measure: run.measure,
            repetitions: 1,
            access,
        })
    }

    /// The same against ours, by the clients of `ferry bench`; what is published as against any broker. Ours
    /// by AMQP is measured for [`Kind::Jms`], as any broker is ([`Point::measure`]).
    pub(crate) fn measure_ours(
        &self,
        ours: &Arc<dyn Access>,
        run: Run,
        units: Units,
        interrupt: &AtomicBool,
    ) -> Result<Option<Vec<Figures>>> {
        let access = ours.describe();
        let Run { warm_up, measure, bytes } = run;
        match self.kind {
            Kind::RequestReply | Kind::Preloaded => {
                let workload = request_reply::RequestReplyWorkload {
                    requesters: self.clients as usize,
                    responders: self.responders() as usize,
                    processes: 1,
                    bytes,
                    persistent: self.durable,
                    units,
                    mode: if self.kind == Kind::Preloaded { Mode::RoundTrips } else { Mode::Pipelined },
                    window: self.window as usize,
                    rate: None,
                    preloaded: self.preloaded,
                    queues: 1,
                    bodies: Bodies::Filled,
                    idle: 0,
                    api: perf::jms::Api::Native,
                    clients: None,
                    threads: None,
                    warm_up,
                    measure,
                    repetitions: 1,
                    access,
                };
                let row = workload.repetition(ours, interrupt)?;
                let columns = [
                    "round_trips_per_second",
                    "p50_us",
                    "p99_us",
                    "server_cpu_us",
                    "client_cpu_us",
                    "flushes",
                ];
                row.map(|row| Ok(vec![figures(request_reply::RequestReplyWorkload::COLUMNS, &row, columns)?]))
                    .transpose()
            }
            Kind::OneWay => {
                let row = self.one_way_of_ours(run, access)?.repetition(ours, interrupt)?;
                let put = [
                    "puts_per_second",
                    "put_p50_us",
                    "put_p99_us",
                    "put_server_cpu_us",
                    "put_client_cpu_us",
                    "put_flushes",
                ];
                let get = [
                    "gets_per_second",
                    "get_p50_us",
                    "get_p99_us",
                    "get_server_cpu_us",
                    "get_client_cpu_us",
                    "get_flushes",
                ];
                let columns = one_way::OneWayWorkload::COLUMNS;
                row.map(|row| Ok(vec![figures(columns, &row, put)?, figures(columns, &row, get)?]))
                    .transpose()
            }
            Kind::FanOut | Kind::NullPublish | Kind::Jms => {
                let broker: Arc<dyn Broker> = Arc::new(Ours(Arc::clone(ours)));
                self.measure(&broker, run, interrupt)
            }
        }
    }
}

/// The way to ours with a socket for each client.
pub(crate) fn apart(ours: &Target) -> Result<Arc<dyn Access>> {
    let way = ours.access.way().context("ours is in this process")?;
    Ok(Arc::new(
        Channels::by(&way)?.sharing(Some(1)).served_by(ours.access.server_pid()).on(figures::disk().cloned()),
    ))
}

/// The figures that these columns of a row hold: rate, two latencies, processor time of server and clients,
/// flushes.
fn figures(columns: &[Column], row: &Row, names: [&str; 6]) -> Result<Figures> {
    let found = |name: &str| {
        let place = columns.iter().position(|column| column.name == name);
        place.and_then(|place| row.values[place])
    };
    let value = |name: &str| found(name).with_context(|| format!("ours has no {name}"));
    let [rate, p50, p99, server, client, flushes] = names;
    Ok(Figures {
        rate: value(rate)?,
        p50_us: value(p50)?,
        p99_us: value(p99)?,
        broker_us: value(server)?,
        client_us: value(client)?,
        flushes: found(flushes),
    })
}

/// A queue manager of ours as it is delivered, over TCP, its log on the disk for temporary files, as the
/// others'.
pub(crate) fn start_ours(ferry: &Path) -> Result<Target> {
    let place = Place::at(Transport::Tcp, None, LogPlace::Disk);
    Target::start(ferry, place).context("ours does not start")
}
