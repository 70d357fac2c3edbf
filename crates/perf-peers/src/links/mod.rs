//! Links between two brokers of a kind, over a line that is cut while one end or the other is killed.
//!
//! ```text
//! putter ─▶ first end ──line──▶ second end ─▶ getter
//! ```
//!
//! A putter puts numbered messages at the first end, one after the other and each confirmed, while the same
//! script of cuts and kills runs for every kind. Then it stops, and all that comes out at the second end is
//! counted.
//!
//! Lives here: the script, the putter and the drain. Lives elsewhere: the line and its cuts (`lines`),
//! starting an end (`brokers`), the count (`count`).
//!
//! Always: a message whose confirmation did not come is not put again, so the link doubled what comes twice.

mod count;

use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use parking_lot::Mutex;
use perf::belongings;
use perf::tally;
use platform::simulated::Random;
use testing::lines::{Cut, Line, Namespace};

use crate::broker::{Broker, End, Getter, Kind, Linked, Program, Scene, Side};
use crate::install;
use crate::process::{directory, free_port};

use count::Count;

/// Bytes of a message.
const BYTES: usize = 1024;
/// Pause between two puts: what goes over between two cuts is put in a second or two.
const PUT_EACH: Duration = Duration::from_millis(10);
/// Pause of a putter whose end is away.
const CALL_EACH: Duration = Duration::from_millis(100);
/// Pause between two looks at a line.
const LOOK_EACH: Duration = Duration::from_millis(10);
/// A link over which nothing went for so long is stuck.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time after the last message in which a doubled one may still come.
const SETTLE: Duration = Duration::from_secs(10);
/// After so many cuts an end is killed.
const CUTS_TO_A_KILL: u32 = 5;
/// Longest time between a cut and a kill.
const KILL_MAX_MICROSECONDS: u64 = 300_000;
/// Messages of one get.
const BATCH: u64 = 100;

/// The script: it follows from its seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    pub(crate) seed: u64,
    pub(crate) cuts: u32,
}

/// The outcome for one kind.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) count: Count,
    pub(crate) kills: u32,
    /// Times at which nothing went over until both ends were started again, as an operator would.
    pub(crate) stuck: u32,
    /// From the last fault to the last message.
    pub(crate) drain: Duration,
}

impl Outcome {
    pub(crate) const HEADING: &'static str = "| link | cuts | kills | put and confirmed | lost | doubled | inverted | stuck | drained in |\n\
                                              |---|---|---|---|---|---|---|---|---|";

    pub(crate) fn row(&self, name: &str, script: Script) -> String {
        let Self { count, kills, stuck, drain } = self;
        let Count { confirmed, lost, doubled, inverted } = count;
        let (cuts, seconds) = (script.cuts, drain.as_secs_f64());
        format!(
            "| {name} | {cuts} | {kills} | {confirmed} | {lost} | {doubled} | {inverted} | {stuck} | {seconds:.1} s |"
        )
    }
}

/// Runs the script for each kind that is asked for, or for all, and prints a table of them.
pub(crate) fn compare(
    mut all: Vec<Linked>,
    names: &[String],
    script: Script,
    installs: bool,
    interrupt: &AtomicBool,
) -> Result<ExitCode> {
    for name in names {
        ensure!(all.iter().any(|linked| linked.peer.name() == name), "there is no link of {name} here");
    }
    all.retain(|linked| names.is_empty() || names.iter().any(|name| name == linked.peer.name()));
    println!("{}\nseed {}\n", std::env::args().collect::<Vec<_>>().join(" "), script.seed);
    let (mut rows, mut has_failed) = (Vec::new(), false);
    for linked in &all {
        let name = linked.peer.name();
        let ran = install::ready(&*linked.peer, installs).and_then(|program| {
            println!("{name}: {}; {}", program.version, linked.settings);
            run(linked, &program, script, interrupt)
        });
        rows.push(ran.map_or_else(
            |error| {
                has_failed = true;
                format!("| {name} | NOT RUN: {} |", format!("{error:#}").replace('\n', " "))
            },
            |outcome| outcome.row(name, script),
        ));
    }
    println!("\n{}\n{}", Outcome::HEADING, rows.join("\n"));
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Runs the script for one kind.
fn run(linked: &Linked, program: &Program, script: Script, interrupt: &AtomicBool) -> Result<Outcome> {
    let places = [directory("first")?, directory("second")?];
    let mut rig = Rig::begin(linked, program, &places, script, interrupt)?;
    let is_over = AtomicBool::new(false);
    let confirmed = thread::scope(|scope| {
        let (first, scene) = (Arc::clone(&rig.brokers[0]), rig.scene.clone());
        let putter = scope.spawn({
            let is_over = &is_over;
            move || put(&first, &scene, is_over)
        });
        let befallen = rig.befall();
        is_over.store(true, Ordering::Relaxed);
        let confirmed = putter.join().expect("a putter does not panic");
        befallen.map(|()| confirmed)
    })?;
    let (came, drain) = rig.drain(&confirmed)?;
    Ok(Outcome { count: Count::of(&confirmed, &came), kills: rig.kills, stuck: rig.stuck, drain })
}

/// A broker that may be away.
type Place = Arc<Mutex<Option<Box<dyn Broker>>>>;

/// Both ends and the line between them.
struct Rig<'a> {
    linked: &'a Linked,
    program: &'a Program,
    ends: [End<'a>; 2],
    brokers: [Place; 2],
    line: Line,
    scene: Scene,
    random: Random,
    script: Script,
    interrupt: &'a AtomicBool,
    kills: u32,
    stuck: u32,
}

impl<'a> Rig<'a> {
    fn begin(
        linked: &'a Linked,
        program: &'a Program,
        places: &'a [belongings::Place; 2],
        script: Script,
        interrupt: &'a AtomicBool,
    ) -> Result<Self> {
        let line = Line::between(&Namespace::Own, &Namespace::Own).map_err(anyhow::Error::msg)?;
        let second = free_port()?;
        let called = if linked.is_called_apart { free_port()? } else { second };
        line.leads_to(called.port());
        let calls = SocketAddr::from((Ipv4Addr::LOCALHOST, line.port));
        let end = |side, place: &'a belongings::Place, address, link| End {
            side,
            directory: place.path(),
            address,
            link,
        };
        let [place_of_first, place_of_second] = places;
        let rig = Self {
            linked,
            program,
            ends: [
                end(Side::First, place_of_first, free_port()?, calls),
                end(Side::Second, place_of_second, second, called),
            ],
            brokers: Default::default(),
            line,
            scene: Scene {
                kind: Kind::OneWay,
                name: "link".to_owned(),
                durable: true,
                clients: 1,
                window: 1,
                unit: 1,
            },
            random: Random::stream(script.seed, "links"),
            script,
            interrupt,
            kills: 0,
            stuck: 0,
        };
        rig.start(1)?;
        rig.start(0)?;
        Ok(rig)
    }

    fn start(&self, end: usize) -> Result<()> {
        let started = (self.linked.start)(self.program, &self.ends[end], &self.scene);
        let side = self.ends[end].side;
        let broker = started.with_context(|| format!("its {side:?} end does not start"))?;
        *self.brokers[end].lock() = Some(broker);
        Ok(())
    }

    fn kill(&self, end: usize) {
        drop(self.brokers[end].lock().take());
    }

    /// The script from its first cut to its last kill.
    fn befall(&mut self) -> Result<()> {
        for number in 1..=self.script.cuts {
            let before = self.line.cuts();
            self.line.cut_after(Cut::by(&mut self.random));
            if !self.has_cut(before)? {
                self.operate()?;
                ensure!(self.has_cut(before)?, "nothing goes over, with both ends started again either");
            }
            if number % CUTS_TO_A_KILL == 0 {
                thread::sleep(Duration::from_micros(self.random.below(KILL_MAX_MICROSECONDS)));
                let end = self.random.index(2);
                self.kill(end);
                self.start(end)?;
                self.kills += 1;
            }
        }
        Ok(())
    }

    /// Waits for the cut that is due; false when nothing goes over that could be cut.
    fn has_cut(&self, before: u64) -> Result<bool> {
        let until = Instant::now() + PATIENCE;
        while self.line.cuts() == before {
            ensure!(!self.interrupt.load(Ordering::Relaxed), "interrupted");
            if Instant::now() > until {
                return Ok(false);
            }
            thread::sleep(LOOK_EACH);
        }
        Ok(true)
    }

    /// Starts both ends again, as an operator does who knows nothing better.
    fn operate(&mut self) -> Result<()> {
        self.stuck += 1;
        (0..2).for_each(|end| self.kill(end));
        [1, 0].into_iter().try_for_each(|end| self.start(end))
    }

    /// Gets all that comes out at the second end; with the time from now to the last message.
    fn drain(&mut self, confirmed: &[u64]) -> Result<(Vec<u64>, Duration)> {
        let (begun, mut last) = (Instant::now(), Duration::ZERO);
        let (mut came, mut missing) = (Vec::new(), confirmed.iter().copied().collect::<BTreeSet<_>>());
        let (mut getter, mut is_operated) = (None, false);
        loop {
            ensure!(!self.interrupt.load(Ordering::Relaxed), "interrupted");
            let open = match &mut getter {
                Some(open) => open,
                none => none.insert(self.getter()?),
            };
            let mut take = |body: &[u8]| {
                let number = tally::mark_of(body)?.1;
                came.push(number);
                missing.remove(&number);
                Ok(())
            };
            if open.get(BATCH, &mut take)? > 0 {
                last = begun.elapsed();
                continue;
            }
            let silence = begun.elapsed() - last;
            if silence > SETTLE && missing.is_empty() {
                return Ok((came, last));
            }
            if silence > PATIENCE {
                if is_operated {
                    return Ok((came, last));
                }
                is_operated = true;
                // What was got is acknowledged by now, so nothing of it comes again.
                getter = None;
                self.operate()?;
                last = begun.elapsed();
            }
        }
    }

    fn getter(&self) -> Result<Box<dyn Getter>> {
        self.brokers[1].lock().as_ref().context("the second end is away")?.getter(&self.scene, 0)
    }
}

/// Puts until it is over; the numbers of what was confirmed.
fn put(first: &Place, scene: &Scene, is_over: &AtomicBool) -> Vec<u64> {
    let (mut confirmed, mut putter) = (Vec::new(), None);
    let mut body = vec![0x5A; BYTES];
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        while putter.is_none() && !is_over.load(Ordering::Relaxed) {
            putter = first.lock().as_ref().and_then(|broker| broker.putter(scene, 0).ok());
            thread::sleep(if putter.is_none() { CALL_EACH } else { Duration::ZERO });
        }
        let Some(open) = &mut putter else { break };
        tally::mark(&mut body, 0, number);
        match open.put(&body).and_then(|()| open.confirm()) {
            Ok(()) => confirmed.push(number),
            // It may be there or not: the next has another number.
            Err(_) => putter = None,
        }
        thread::sleep(PUT_EACH);
    }
    confirmed
}
