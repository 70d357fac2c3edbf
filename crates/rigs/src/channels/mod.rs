//! R11: queue managers that are processes of their own and hand messages to each other, over lines that are
//! cut at any byte, while one or another is killed.
//!
//! ```text
//! asker ─▶ A ──line──▶ B ──line──▶ C ─▶ answerer        a chain; two, or a ring, the same way
//!          A ◀──line── B ◀──line── C ◀─
//! ```
//!
//! A case is five cuts and a kill while questions and answers go over, then an audit. Within a bound, and
//! without a command of an administrator, each question that was promised has one answer, in the order of the
//! questions; one that was not put has none. Nothing is left in doubt, and no channel has stopped.
//!
//! Each queue manager is in a network namespace of its own where this process may make some, and a line is
//! the only way from one to another. Elsewhere they are on loopback.
//!
//! Lives here: the courses, the faults and the audit. Lives elsewhere: lines ([`testing::lines`]), programs
//! ([`traffic`]), one queue manager ([`site`]), memory and rates ([`costs`]), the judge
//! ([`testing::ledger::Ledger`]).

mod costs;
mod place;
mod site;
mod traffic;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use platform::simulated::Random;
use testing::ledger::{Judged, Ledger};
use testing::lines::{Cut, Line, Namespace};

use super::installation::Broken;
use super::{Outcome, Size};
pub use costs::{full_beside_good, idle};
use place::{LOOK_EACH, PATIENCE, QUESTIONS, name};
use site::{SMALL_LOG, Site};
use traffic::Programs;

/// Cuts of a case, each of which finds the channel at work again.
const CUTS: u64 = 5;
/// Longest time between the last cut and the kill.
const KILL_MAX_MICROSECONDS: u64 = 300_000;

/// Queue managers, the channels between them, and the pairs of an asker and an answerer.
#[derive(Debug)]
struct Course {
    sites: usize,
    /// From which queue manager to which.
    channels: &'static [(usize, usize)],
    /// The next queue manager on the way from one to another: `next[from][to]`.
    next: &'static [&'static [usize]],
    asks: &'static [(usize, usize)],
}

const PAIR: Course =
    Course { sites: 2, channels: &[(0, 1), (1, 0)], next: &[&[0, 1], &[0, 1]], asks: &[(0, 1), (1, 0)] };

const CHAIN: Course = Course {
    sites: 3,
    channels: &[(0, 1), (1, 0), (1, 2), (2, 1)],
    next: &[&[0, 1, 1], &[0, 1, 2], &[1, 1, 2]],
    asks: &[(0, 2), (2, 0), (1, 2)],
};

const RING: Course = Course {
    sites: 3,
    channels: &[(0, 1), (1, 2), (2, 0)],
    next: &[&[0, 1, 1], &[2, 1, 2], &[0, 0, 2]],
    asks: &[(0, 2), (1, 0), (2, 1), (0, 1)],
};

/// Two queue managers.
#[must_use]
pub fn between_two(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    torture(ferry, folder, size, &PAIR)
}

/// Three, of which the ends know only the one in the middle.
#[must_use]
pub fn in_a_chain(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    torture(ferry, folder, size, &CHAIN)
}

/// Three, each with a channel to the next.
#[must_use]
pub fn in_a_ring(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    torture(ferry, folder, size, &RING)
}

fn torture(ferry: &Path, folder: &Path, size: Size, course: &'static Course) -> Outcome {
    let mut outcome = Outcome::default();
    let mut rig = match Rig::begin(ferry, folder, size.seed, course) {
        Ok(rig) => rig,
        Err(problem) => {
            outcome.case("the start", Err(problem));
            return outcome;
        }
    };
    for case in size.numbers() {
        let done = rig.case();
        let failed = done.is_err();
        outcome.case(&format!("case {case} of seed {}", size.seed), done);
        if failed {
            // Its files and logs are to be looked at as they are.
            break;
        }
    }
    rig.tell(&mut outcome);
    outcome
}

/// Everything of a course that runs.
struct Rig {
    course: &'static Course,
    random: Random,
    ledger: Arc<Mutex<Ledger>>,
    answerers: Programs,
    lines: Vec<Line>,
    sites: Vec<Site>,
    judged: Judged,
    kills: u64,
    longest_healing: Duration,
}

impl Rig {
    fn begin(ferry: &Path, folder: &Path, seed: u64, course: &'static Course) -> Result<Self, Broken> {
        let apart: Option<Vec<_>> = (0..course.sites).map(Namespace::apart).collect();
        let namespaces = apart.unwrap_or_else(|| vec![Namespace::Own; course.sites]);
        let data = folder.join("data");
        let sites = namespaces.into_iter().enumerate();
        let sites =
            sites.map(|(number, namespace)| Site::begin(number, ferry, (&data, SMALL_LOG), namespace));
        let sites = sites.collect::<Result<Vec<_>, _>>()?;
        let lines = course
            .channels
            .iter()
            .map(|(from, to)| Line::between(&sites[*from].namespace, &sites[*to].namespace));
        let lines = lines.collect::<Result<Vec<_>, _>>()?;
        let mut random = Random::stream(seed, "R11");
        let mut answerers = Programs::default();
        for site in &sites {
            answerers.answer(&site.place, Random::new(random.next_u64()));
        }
        let rig = Self {
            course,
            random,
            ledger: Arc::default(),
            answerers,
            lines,
            sites,
            judged: Judged::default(),
            kills: 0,
            longest_healing: Duration::ZERO,
        };
        (0..course.sites).for_each(|site| rig.lead_to(site));
        rig.define()?;
        Ok(rig)
    }

    /// The lines that end at a queue manager lead to the port at which it listens.
    fn lead_to(&self, site: usize) {
        let Some(port) = self.sites[site].port() else { return };
        let lines = self.lines.iter().zip(self.course.channels).filter(|(_, (_, to))| *to == site);
        lines.for_each(|(line, _)| line.leads_to(port));
    }

    fn define(&self) -> Result<(), Broken> {
        for (from, site) in self.sites.iter().enumerate() {
            for to in (0..self.course.sites).filter(|to| *to != from) {
                let (name, next) = (name(to), name(self.course.next[from][to]));
                let text = if name == next {
                    format!(
                        "DEFINE QLOCAL({name}) USAGE(XMITQ) MAXDEPTH(999999999) TRIGGER TRIGTYPE(FIRST) \
                         INITQ(SYSTEM.CHANNEL.INITQ)"
                    )
                } else {
                    format!("DEFINE QREMOTE({name}) RQMNAME({name}) XMITQ({next})")
                };
                site.command(&text)?;
            }
        }
        for ((from, to), line) in self.course.channels.iter().zip(&self.lines) {
            let (port, xmitq, channel) = (line.port, name(*to), format!("{}.{}", name(*from), name(*to)));
            let common = "BATCHSZ(20) HBINT(1)";
            self.sites[*to].command(&format!("DEFINE CHANNEL({channel}) CHLTYPE(RCVR) {common}"))?;
            self.sites[*from].command(&format!(
                "DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME('127.0.0.1({port})') XMITQ({xmitq}) {common} \
                 SHORTRTY(999999999) SHORTTMR(1)"
            ))?;
        }
        Ok(())
    }

    fn case(&mut self) -> Result<(), Broken> {
        let mut askers = Programs::default();
        for (asks, answers) in self.course.asks {
            let places = (&self.sites[*asks].place, &self.sites[*answers].place);
            askers.ask(places, &self.ledger, Random::new(self.random.next_u64()));
        }
        let befallen = self.befall();
        let ended = askers.end();
        befallen.and(ended)?;
        self.audit()
    }

    /// Five cuts, then a kill.
    fn befall(&mut self) -> Result<(), Broken> {
        for _ in 0..CUTS {
            let line = &self.lines[self.random.index(self.lines.len())];
            let before = line.cuts();
            line.cut_after(Cut::by(&mut self.random));
            let until = Instant::now() + PATIENCE;
            while line.cuts() == before {
                if Instant::now() > until {
                    return Err(format!("a channel carried nothing for {PATIENCE:?}: {}", self.describe()));
                }
                thread::sleep(LOOK_EACH / 10);
            }
        }
        thread::sleep(Duration::from_micros(self.random.below(KILL_MAX_MICROSECONDS)));
        let first = self.random.index(self.sites.len());
        let both = self.random.percent(20).then(|| (first + 1) % self.sites.len());
        let killed = [Some(first), both];
        killed.iter().flatten().for_each(|site| self.sites[*site].kill());
        for site in killed.into_iter().flatten() {
            self.sites[site].start()?;
            self.lead_to(site);
            self.kills += 1;
        }
        Ok(())
    }

    /// No faults any more, and nobody asks: every answer arrives, and nothing is left on the way.
    fn audit(&mut self) -> Result<(), Broken> {
        let begun = Instant::now();
        let mut moved = begun;
        loop {
            let mut ledger = self.ledger.lock();
            let mut arrived = 0;
            for site in &self.sites {
                let bodies = site.drain()?;
                arrived += bodies.len();
                let judged = ledger.arrive(site.place.number, &bodies, false)?;
                self.judged.delivered += judged.delivered;
                self.judged.unpromised += judged.unpromised;
            }
            if arrived > 0 {
                moved = Instant::now();
            }
            let lost = ledger.close();
            drop(ledger);
            let left = self.left()?;
            if lost.is_ok() && left.is_empty() && arrived == 0 {
                self.longest_healing = self.longest_healing.max(begun.elapsed());
                return Ok(());
            }
            if moved.elapsed() > PATIENCE {
                let lost = lost.err().unwrap_or_default();
                return Err(format!("nothing came for {PATIENCE:?}: {lost} {left}{}", self.describe()));
            }
            thread::sleep(LOOK_EACH);
        }
    }

    /// Anything that is on its way, in doubt or stopped; empty when there is none.
    fn left(&self) -> Result<String, Broken> {
        let mut left = String::new();
        for (from, to) in self.course.channels {
            let depth = self.sites[*from].depth(&name(*to))?;
            if depth > 0 {
                left += &format!("{depth} wait at {} for {}; ", name(*from), name(*to));
            }
        }
        for site in &self.sites {
            let (depth, name) = (site.depth(QUESTIONS)?, &site.place.name);
            if depth > 0 {
                left += &format!("{depth} questions wait at {name}; ");
            }
            let shown = site.channels()?;
            for word in ["INDOUBT(YES)", "STATUS(STOPPED)"] {
                if shown.contains(word) {
                    left += &format!("a channel of {name} is {word}; ");
                }
            }
        }
        Ok(left)
    }

    /// The channels of all queue managers, for a person.
    fn describe(&self) -> String {
        let shown = self.sites.iter().map(|site| {
            let channels = site.channels().unwrap_or_else(|problem| problem);
            format!("\n{}:\n{channels}", site.place.name)
        });
        shown.collect()
    }

    fn tell(self, outcome: &mut Outcome) {
        let cuts: u64 = self.lines.iter().map(Line::cuts).sum();
        let where_ = match self.sites[0].namespace {
            Namespace::Own => "on loopback",
            Namespace::Apart(_) => "in network namespaces",
        };
        let longest_start = self.sites.iter().map(|site| site.longest_start).max().unwrap_or_default();
        let Judged { delivered, unpromised, .. } = self.judged;
        outcome.note(format!(
            "{} queue managers {where_}, {cuts} cuts, {} kills; {delivered} questions promised and answered, \
             {unpromised} answered that nobody was promised; healed in {:.1?} and started in {longest_start:.1?} at most",
            self.course.sites, self.kills, self.longest_healing
        ));
        if outcome.failures.is_empty() {
            outcome.note("lost 0, doubled 0, inverted 0, RESOLVE 0");
        }
        if let Err(problem) = self.answerers.end() {
            outcome.case("those who answer", Err(problem));
        }
    }
}
