//! A-B-A: ours, another, ours again, for every point; then the middle of each and their ratio.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use perf::access::Access;
use perf::belongings::Place;
use perf::program;
use perf::report::number;
use perf::request_reply::Units;
use perf::rows::Rows;
use perf::target::Target;

use crate::broker::{Broker, Kind, Offer, Peer, Program};
use crate::brokers;
use crate::figures::{self, Figures, Median};
use crate::install;
use crate::kept::{self, Refused, Settings, Turn, Whose};
use crate::points::{self, Point, Run};
use crate::process;

/// Clients that use more than this times the processor of the others' are named.
const CLIENT_RATIO_MAX: f64 = 1.3;

/// Least part of the flushes that lone puts need. Fewer cannot be noise: puts were confirmed that were not on
/// the disk.
const FLUSHES_MIN: f64 = 0.9;

/// A turn that is so many times as fast as the one before it says that the next may be faster still. A broker
/// that compiles while it runs makes a hundredth of its rate at first.
const STILL_WARMING: f64 = 1.1;

/// Then it is measured as it is.
const WARM_UP_TURNS_MAX: usize = 12;

/// The comparison that is asked for.
pub(crate) struct Plan {
    pub(crate) points: Vec<Point>,
    pub(crate) run: Run,
    /// Warming up of clients of JMS, instead of that of a run.
    pub(crate) jms_warm_up: Duration,
    /// Turns of the other; ours has one more.
    pub(crate) repetitions: usize,
    pub(crate) installs: bool,
    /// Where every run is kept, as `peers.jsonl`.
    pub(crate) results: Option<PathBuf>,
    /// The program of ours.
    pub(crate) ferry: PathBuf,
}

impl Plan {
    /// The run at a point.
    fn run(&self, point: &Point) -> Run {
        let warm_up = if point.kind == Kind::Jms { self.jms_warm_up } else { self.run.warm_up };
        Run { warm_up, ..self.run }
    }
}

/// A broker that runs in a directory of its own, and ends before that goes.
struct Started {
    broker: Arc<dyn Broker>,
    _directory: Place,
}

impl Started {
    fn new(peer: &dyn Peer, program: &Program, durable: bool, name: &str) -> Result<Self> {
        let directory = process::directory(name)?;
        let broker = peer.start(program, durable, directory.path()).context("it does not start")?.into();
        Ok(Self { broker, _directory: directory })
    }
}

/// All comparisons of one command.
pub(crate) struct Comparison<'a> {
    plan: &'a Plan,
    ours: Target,
    /// Ours by AMQP, once a point needs it.
    ours_by_amqp: Option<Started>,
    interrupt: &'a AtomicBool,
    results: Option<Rows>,
    /// Of the program that is compared.
    build: program::Build,
    /// True if a turn was kept.
    pub(crate) has_kept: bool,
    /// True if something that could be run failed.
    pub(crate) has_failed: bool,
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(plan: &'a Plan, interrupt: &'a AtomicBool) -> Result<Self> {
        let results =
            plan.results.as_ref().map(|directory| Rows::behind(directory, kept::NAME)).transpose()?;
        let build = program::Program::at(plan.ferry.clone())?.build;
        let ours = points::start_ours(&plan.ferry)?;
        Ok(Self {
            plan,
            ours,
            ours_by_amqp: None,
            interrupt,
            results,
            build,
            has_kept: false,
            has_failed: false,
        })
    }

    pub(crate) fn print_head(&self) -> Result<()> {
        let command = std::env::args().collect::<Vec<_>>().join(" ");
        println!("command   {command}\nmachine   {}", self.ours.machine);
        if let Some(floors) = &self.ours.machine.floors {
            println!("floors    {floors}");
        }
        if let Some(algorithm) = self.ours.machine.pacing() {
            println!(
                "warning   TCP with {algorithm} paces, within a machine too: it holds back brokers that do not choose another, and ours does. \
                 A fair comparison: sysctl net.ipv4.tcp_congestion_control=cubic"
            );
        }
        if figures::disk().is_none() {
            println!("flushes   not counted: that of {} counts none", std::env::temp_dir().display());
        }
        println!("ours      {}", self.ours.access.describe());
        if self.plan.points.iter().any(Point::is_measured_apart) {
            println!("apart     ours, {}", points::apart(&self.ours)?.describe());
        }
        if self.plan.points.iter().any(Point::has_relay) {
            println!("relay     a program that only copies: what this machine takes for as many round trips");
        }
        if self.plan.points.iter().any(|point| point.kind == Kind::Jms) {
            println!(
                "jms       ours by AMQP 1.0 too, with the same Qpid JMS, after {:.1} s of warming up",
                self.plan.jms_warm_up.as_secs_f64()
            );
        }
        println!(
            "turns     ours, the other, ours, {} x {:.1} s, {} B; medians [lowest to highest]",
            self.plan.repetitions,
            self.plan.run.measure.as_secs_f64(),
            self.plan.run.bytes
        );
        Ok(io::stdout().flush()?)
    }

    /// Compares with one; what cannot be installed, started or run is said to be not run.
    pub(crate) fn with(&mut self, peer: &dyn Peer) {
        let name = peer.name();
        let program = match install::ready(peer, self.plan.installs) {
            Ok(program) => program,
            Err(error) => {
                println!("\n{name}: NOT RUN: {error:#}");
                return;
            }
        };
        println!("\n{name}: {}, from {}", program.version, peer.package());
        for durable in [false, true] {
            let mut points: Vec<&Point> =
                self.plan.points.iter().filter(|point| point.durable == durable).collect();
            let mut refused = BTreeSet::new();
            points.retain(|point| match peer.offers(point.kind, durable) {
                Offer::Guarantees(_) => true,
                Offer::Nothing(why) => {
                    refused.insert((point.what(), why));
                    false
                }
            });
            for (what, why) in refused {
                println!("  {what}: not offered: {why}");
            }
            if points.is_empty() || self.interrupt.load(Ordering::Relaxed) {
                continue;
            }
            if let Err(error) = self.with_settings(peer, &program, durable, &points) {
                self.has_failed = true;
                println!("  NOT RUN: {error:#}");
            }
        }
    }

    fn with_settings(
        &mut self,
        peer: &dyn Peer,
        program: &Program,
        durable: bool,
        points: &[&Point],
    ) -> Result<()> {
        let started = Started::new(peer, program, durable, peer.name())?;
        let broker = &started.broker;
        let (mut said, mut said_of_ours) = (None, None);
        for point in points {
            if self.interrupt.load(Ordering::Relaxed) {
                break;
            }
            if let Offer::Guarantees(guarantee) = peer.offers(point.kind, durable)
                && said != Some(guarantee)
            {
                println!("  guarantee: {guarantee}");
                said = Some(guarantee);
            }
            let of_ours = self.guarantee_of_ours(peer, point);
            if let Some(guarantee) = of_ours.filter(|_| said_of_ours != of_ours) {
                println!("  ours: {guarantee}");
                said_of_ours = of_ours;
            }
            if let Err(error) =
                self.warm_up(peer, broker, point).and_then(|()| self.at(peer, program, broker, point))
            {
                self.has_failed = true;
                println!("  {}: NOT REPORTED: {error:#}", point.labels().join(" and "));
                self.keep_refused(peer.name(), &program.version, point, &format!("{error:#}"))?;
                // What the run left behind would fail the next one, too.
                self.ours = points::start_ours(&self.plan.ferry)?;
                self.ours_by_amqp = None;
            }
        }
        Ok(())
    }

    /// The guarantee of ours where it depends on the point or on the other.
    fn guarantee_of_ours(&self, peer: &dyn Peer, point: &Point) -> Option<&'static str> {
        match point.kind {
            Kind::RequestReply if point.durable => Some(match point.units(peer.takes_for_good()) {
                Units::All => {
                    "on the disk before a put is confirmed; get and put of a responder are one unit of work"
                }
                _ => {
                    "on the disk before a put is confirmed; a get takes the message for good, and get and put are no unit"
                }
            }),
            Kind::Jms => match brokers::ours_by_amqp(&self.plan.ferry).offers(point.kind, point.durable) {
                Offer::Guarantees(guarantee) => Some(guarantee),
                Offer::Nothing(_) => None,
            },
            _ => None,
        }
    }

    /// Keeps a refusal. Turns kept before of the same point do not count.
    fn keep_refused(&mut self, peer: &str, version: &str, point: &Point, why: &str) -> Result<()> {
        let Some(rows) = &mut self.results else { return Ok(()) };
        for workload in point.labels() {
            let refused = Refused {
                peer: peer.to_owned(),
                peer_version: version.to_owned(),
                workload,
                refused: why.to_owned(),
            };
            kept::keep_refused(rows, &refused, &self.ours.machine, &self.build)?;
            self.has_kept = true;
        }
        Ok(())
    }

    /// Turns that are not counted, where the first would be slower than those after it, until one is hardly
    /// faster than the one before it.
    fn warm_up(&self, peer: &dyn Peer, broker: &Arc<dyn Broker>, point: &Point) -> Result<()> {
        let turns_max = if peer.warms_up() { WARM_UP_TURNS_MAX } else { 0 };
        let mut before = 0.0;
        for _ in 0..turns_max {
            let found = point.measure(broker, self.plan.run(point), self.interrupt);
            let found = found.with_context(|| peer.name().to_owned())?;
            let rate = found.and_then(|found| found.first().map(|figures| figures.rate)).unwrap_or(0.0);
            if self.interrupt.load(Ordering::Relaxed) || rate < before * STILL_WARMING {
                break;
            }
            before = rate;
        }
        Ok(())
    }

    /// Measures one point in turns and prints its lines; what there is when it is interrupted.
    fn at(
        &mut self,
        peer: &dyn Peer,
        program: &Program,
        broker: &Arc<dyn Broker>,
        point: &Point,
    ) -> Result<()> {
        let name = peer.name();
        let labels = point.labels();
        let guarantee = match peer.offers(point.kind, point.durable) {
            Offer::Guarantees(guarantee) => guarantee,
            Offer::Nothing(_) => "",
        };
        let beside = Beside {
            peer: name,
            version: &program.version,
            guarantee,
            point,
            units: point.units(peer.takes_for_good()),
        };
        let mut theirs = vec![Vec::new(); labels.len()];
        let mut ours = vec![Vec::new(); labels.len()];
        let (mut apart, mut relay) = (ours.clone(), ours.clone());
        self.measure_ours(&beside, &mut ours, &mut apart)?;
        for _ in 0..self.plan.repetitions {
            let found = point.measure(broker, self.plan.run(point), self.interrupt);
            self.add(&beside, Whose::Theirs, found.with_context(|| name.to_owned())?, &mut theirs)?;
            if self.interrupt.load(Ordering::Relaxed) {
                break;
            }
            self.measure_ours(&beside, &mut ours, &mut apart)?;
            if point.has_relay() && !self.interrupt.load(Ordering::Relaxed) {
                let found = point.measure_relay(self.plan.run, self.interrupt).context("relay")?;
                self.add(&beside, Whose::Relay, found, &mut relay)?;
            }
        }
        for (line, label) in labels.iter().enumerate() {
            println!("  {label}");
            let (theirs, ours) = (Median::of(&theirs[line]), Median::of(&ours[line]));
            let lone_puts = point.lone_puts(line).filter(|_| point.durable);
            print_line(name, theirs.as_ref(), lone_puts);
            print_line("ours", ours.as_ref(), lone_puts);
            print_ratio(theirs.as_ref(), ours.as_ref());
            if point.is_measured_apart() {
                let apart = Median::of(&apart[line]);
                print_line("apart", apart.as_ref(), lone_puts);
                print_ratio(theirs.as_ref(), apart.as_ref());
            }
            if point.has_relay() {
                let relay = Median::of(&relay[line]);
                print_line("relay", relay.as_ref(), None);
                if let (Some(ours), Some(relay)) = (&ours, &relay) {
                    println!("    {:<10} {:>9.2}", "ours of it", ours.figures.rate / relay.figures.rate);
                }
            }
        }
        Ok(io::stdout().flush()?)
    }

    /// Ours, and with a socket for each client where that is told apart; by AMQP for clients of JMS.
    fn measure_ours(
        &mut self,
        beside: &Beside<'_>,
        ours: &mut [Vec<Figures>],
        apart: &mut [Vec<Figures>],
    ) -> Result<()> {
        if beside.point.kind == Kind::Jms {
            let broker = self.ours_by_amqp()?;
            let found = beside.point.measure(&broker, self.plan.run(beside.point), self.interrupt);
            return self.add(beside, Whose::Ours, found.context("ours by AMQP")?, ours);
        }
        self.measure_by(&self.ours.access.clone(), beside, Whose::Ours, ours)?;
        if beside.point.is_measured_apart() && !self.interrupt.load(Ordering::Relaxed) {
            self.measure_by(&points::apart(&self.ours)?, beside, Whose::Apart, apart)?;
        }
        Ok(())
    }

    fn ours_by_amqp(&mut self) -> Result<Arc<dyn Broker>> {
        if let Some(started) = &self.ours_by_amqp {
            return Ok(Arc::clone(&started.broker));
        }
        let peer = brokers::ours_by_amqp(&self.plan.ferry);
        // Its settings are the same for messages that last and that do not.
        let program = install::ready(&*peer, false)?;
        let started = Started::new(&*peer, &program, true, "ours-by-amqp").context("ours by AMQP")?;
        let broker = Arc::clone(&started.broker);
        self.ours_by_amqp = Some(started);
        Ok(broker)
    }

    fn measure_by(
        &mut self,
        access: &Arc<dyn Access>,
        beside: &Beside<'_>,
        whose: Whose,
        all: &mut [Vec<Figures>],
    ) -> Result<()> {
        let found = beside.point.measure_ours(access, self.plan.run, beside.units, self.interrupt);
        let name = if whose == Whose::Apart { "ours apart" } else { "ours" };
        self.add(beside, whose, found.with_context(|| name.to_owned())?, all)
    }

    /// Adds the figures of a turn to those of the turns before it, and keeps it; not if the turn was cut
    /// short and so measured less than it says.
    fn add(
        &mut self,
        beside: &Beside<'_>,
        whose: Whose,
        found: Option<Vec<Figures>>,
        all: &mut [Vec<Figures>],
    ) -> Result<()> {
        let Some(found) = found.filter(|_| !self.interrupt.load(Ordering::Relaxed)) else { return Ok(()) };
        for ((label, figures), before) in beside.point.labels().into_iter().zip(found).zip(all) {
            before.push(figures);
            if let Some(rows) = &mut self.results {
                let turn = beside.turn(label, whose, before.len(), self.plan.run(beside.point), figures);
                kept::keep(rows, &turn, &self.ours.machine, &self.build)?;
                self.has_kept = true;
            }
        }
        Ok(())
    }
}

/// The comparison at one point.
struct Beside<'a> {
    peer: &'a str,
    version: &'a str,
    guarantee: &'a str,
    point: &'a Point,
    /// The units of work of ours.
    units: Units,
}

impl Beside<'_> {
    fn turn(&self, workload: String, whose: Whose, turn: usize, run: Run, figures: Figures) -> Turn {
        Turn {
            peer: self.peer.to_owned(),
            peer_version: self.version.to_owned(),
            guarantee: self.guarantee.to_owned(),
            workload,
            whose,
            turn,
            settings: Settings {
                point: self.point.clone(),
                responders: matches!(self.point.kind, Kind::RequestReply | Kind::Preloaded | Kind::Jms)
                    .then(|| self.point.responders()),
                units: self.units,
                run,
            },
            figures,
        }
    }
}

/// Prints a line; with a word where there were fewer flushes than so many puts need that wait for theirs one
/// after the other.
fn print_line(name: &str, median: Option<&Median>, lone_puts: Option<f64>) {
    let Some(Median { figures, lowest, highest }) = median else {
        println!("    {name:<10} no turn came to its end with a message: measure longer (--time)");
        return;
    };
    let flushes = match (figures.flushes, lone_puts) {
        (None, _) => "not counted".to_owned(),
        (Some(flushes), Some(puts)) if flushes < puts * FLUSHES_MIN => {
            format!(
                "{}, fewer than puts: some were confirmed before they were on the disk",
                number(flushes, 2)
            )
        }
        (Some(flushes), _) => number(flushes, 2),
    };
    println!(
        "    {name:<10} {:>9}/s [{} to {}]  p50 {} µs  p99 {} µs  CPU µs each: broker {}, client {}  flushes each {flushes}",
        number(figures.rate, 0),
        number(*lowest, 0),
        number(*highest, 0),
        number(figures.p50_us, 0),
        number(figures.p99_us, 0),
        number(figures.broker_us, 1),
        number(figures.client_us, 1),
    );
}

fn print_ratio(theirs: Option<&Median>, ours: Option<&Median>) {
    let (Some(theirs), Some(ours)) = (theirs, ours) else { return };
    let ratio = |pick: fn(&Figures) -> f64| pick(&ours.figures) / pick(&theirs.figures);
    let clients = ratio(|figures| figures.client_us);
    let note = if clients > CLIENT_RATIO_MAX {
        format!("  our clients use more than {CLIENT_RATIO_MAX} times theirs")
    } else if clients * CLIENT_RATIO_MAX < 1.0 {
        format!("  their clients use more than {CLIENT_RATIO_MAX} times ours")
    } else {
        String::new()
    };
    println!(
        "    {:<10} {:>9.2}  CPU each: broker {:.2}, client {clients:.2}{note}",
        "ratio",
        ratio(|figures| figures.rate),
        ratio(|figures| figures.broker_us),
    );
}

/// Where the program `ferry` is when nobody says: beside this one.
pub(crate) fn ferry() -> Result<PathBuf> {
    let own = std::env::current_exe().context("this program does not know where it is")?;
    let path = own.with_file_name("ferry");
    anyhow::ensure!(path.is_file(), "there is no {}: build it, or say where it is (--ferry)", path.display());
    Ok(path)
}
