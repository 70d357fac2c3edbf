//! The scheduler of the ring: the one that does something next, and the faults.

use std::collections::BTreeMap;
use std::time::Duration;

use platform::Clock;
use platform::simulated::{Random, SimulatedDisk};
use testing::ledger::{Judged, Ledger};

use super::site::{DEAD, QUEUE, Site, Terms, name};
use crate::network::link::{Link, LinkId};

/// Simulated time within which at least one message more must have left a queue manager once there are no
/// faults any more: six tries of a channel that had failed often, and what a queue that was closed takes.
const HEALED_TIME: Duration = Duration::from_secs(60);

/// Turns after which a healed run is stuck, whatever its clock says.
const HEALED_TURNS_MAX: u64 = 400_000;

/// Turns between two looks at all queues.
const LOOK_EACH: u64 = 100;

/// The course of a seed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relay {
    /// Everything that must not be.
    pub problems: Vec<String>,
    /// A number that two runs share only if they did the same.
    pub digest: u64,
    /// Queue managers.
    pub sites: u64,
    /// Links that were made.
    pub links: u64,
    /// Links that were cut.
    pub cuts: u64,
    /// Power cuts.
    pub crashes: u64,
    /// Messages by what became of them.
    pub judged: Judged,
    /// Simulated milliseconds from the end of faults to the last message.
    pub healed_in: u64,
    /// Channels that stopped after a restore, until a person looks.
    pub stopped: u64,
}

/// The draws of a seed.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) sites: usize,
    pub(super) turns: u64,
    /// Of 10,000 turns, how many cut a link, cut the power of a queue manager, close or open a queue.
    pub(super) cuts: u64,
    pub(super) crashes: u64,
    pub(super) closings: u64,
    pub(super) is_slow: bool,
    /// True where disks say that they have flushed and have not: the control.
    pub(super) disks_lie: bool,
    pub(super) terms: Terms,
    /// A queue manager that is put back to a copy made at work; none in most seeds.
    pub(super) restore: Option<Restore>,
    /// Percent of persistent messages, and of puts in units of work.
    pub(super) puts: (u8, u8),
    /// The weight of each kind of turn: put, dial, receive, release, drive, job, time.
    pub(super) weights: [u64; 7],
}

impl Plan {
    pub(super) fn new(random: &mut Random) -> Self {
        Self {
            sites: *random.pick(&[2, 2, 3, 4, 5]),
            turns: random.between(1_500, 6_000),
            cuts: *random.pick(&[0, 10, 40, 100]),
            crashes: *random.pick(&[0, 5, 15, 30]),
            closings: *random.pick(&[0, 0, 10, 30]),
            is_slow: random.percent(20),
            disks_lie: false,
            restore: None,
            terms: Terms {
                batch: *random.pick(&[1, 3, 10, 50]),
                in_flight: *random.pick(&[1, 4, 16]),
                is_fast: random.percent(60),
                tries: *random.pick(&[0, 2, 10]),
                disconnect_seconds: *random.pick(&[0, 0, 2]),
            },
            puts: (*random.pick(&[60, 90, 100]), *random.pick(&[0, 40, 90])),
            weights: [
                *random.pick(&[3, 8, 20]),
                3,
                25,
                25,
                *random.pick(&[4, 12, 25]),
                *random.pick(&[1, 8]),
                *random.pick(&[1, 3]),
            ],
        }
    }
}

/// A queue manager is put back to an older state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Restore {
    /// The queue manager.
    pub(super) site: usize,
    /// The turn in which it is copied, and that in which the copy takes its place.
    pub(super) copied_in: u64,
    pub(super) put_back_in: u64,
}

/// Runs a seed in which one of two queue managers is restored from a copy: no message may be doubled, and a
/// channel that cannot go on stops, and tells the numbers or the lines of both ends.
#[must_use]
pub fn simulate_restore(seed: u64) -> Relay {
    let mut random = Random::stream(seed, "channels");
    let plan = Plan::new(&mut random);
    let turns = random.between(800, 2_500);
    let copied_in = random.between(100, turns - 200);
    let put_back_in = random.between(copied_in, turns);
    let restore = Some(Restore { site: random.index(2), copied_in, put_back_in });
    simulate_plan(seed, Plan { sites: 2, turns, restore, ..plan })
}

struct Ring {
    plan: Plan,
    turns: Random,
    faults: Random,
    bytes: Random,
    sites: Vec<Site>,
    closed: Vec<bool>,
    /// Each with the queue manager that called and the one that is called.
    links: BTreeMap<LinkId, (Link, usize, usize)>,
    links_made: LinkId,
    ledger: Ledger,
    relay: Relay,
}

/// Runs a seed.
#[must_use]
pub fn simulate_channels(seed: u64) -> Relay {
    simulate_plan(seed, Plan::new(&mut Random::stream(seed, "channels")))
}

pub(super) fn simulate_plan(seed: u64, plan: Plan) -> Relay {
    let sites: Result<Vec<_>, _> =
        (0..plan.sites).map(|number| Site::new(seed, number, plan.sites, plan.terms)).collect();
    if plan.disks_lie {
        sites.iter().flatten().for_each(Site::lie_about_flushes);
    }
    let sites = match sites {
        Ok(sites) => sites,
        Err(problem) => return Relay { problems: vec![problem], ..Relay::default() },
    };
    let mut ring = Ring {
        turns: Random::stream(seed, "turns"),
        faults: Random::stream(seed, "faults"),
        bytes: Random::stream(seed, "bytes"),
        closed: vec![false; sites.len()],
        relay: Relay { sites: sites.len() as u64, ..Relay::default() },
        sites,
        links: BTreeMap::new(),
        links_made: 0,
        ledger: Ledger::default(),
        plan,
    };
    let run = ring.run();
    ring.relay.problems.extend(run.err());
    ring.relay.links = ring.links_made;
    ring.relay
}

impl Ring {
    fn run(&mut self) -> Result<(), String> {
        self.set_slow(self.plan.is_slow);
        let mut copy = None;
        for turn in 0..self.plan.turns {
            self.restore(turn, &mut copy)?;
            self.befall()?;
            self.turn()?;
        }
        self.heal()?;
        let mut judged = Judged::default();
        for (queue, is_dead) in [(QUEUE, false), (DEAD, true)] {
            for site in &mut self.sites {
                let bodies = site.drain(queue)?;
                let one = self.ledger.arrive(site.number, &bodies, is_dead)?;
                judged.delivered += one.delivered;
                judged.unpromised += one.unpromised;
                judged.dead += one.dead;
            }
        }
        // Messages that were put after the copy are gone with what was put back.
        if self.plan.restore.is_none() {
            judged.dropped = self.ledger.close()?;
        }
        self.relay.judged = judged;
        for site in 0..self.sites.len() {
            self.note(self.sites[site].disk_digest());
        }
        self.note(judged.delivered ^ judged.dead << 32);
        Ok(())
    }

    /// Copies a queue manager in its turn, and puts the copy in its place in another.
    fn restore(&mut self, turn: u64, copy: &mut Option<SimulatedDisk>) -> Result<(), String> {
        let Some(Restore { site, copied_in, put_back_in }) = self.plan.restore else { return Ok(()) };
        if turn == copied_in {
            *copy = Some(self.sites[site].copy(&mut self.faults));
        }
        if turn != put_back_in {
            return Ok(());
        }
        let Some(copy) = copy.take() else { return Ok(()) };
        // What the ends find from now on is what they are to find.
        self.sites.iter_mut().for_each(|site| site.expects_refusals = true);
        for id in self.sites[site].put_back(copy, &mut self.faults)? {
            if let Some((link, _, _)) = self.links.get_mut(&id) {
                link.break_off(&mut self.faults);
            }
        }
        self.sites[site].set_slow(self.plan.is_slow);
        Ok(())
    }

    /// The channels that stopped, which must say why in numbers; none where one says nothing.
    fn stopped(&self) -> Option<u64> {
        let mut stopped = 0;
        for site in &self.sites {
            for shown in site.told("DISPLAY CHSTATUS(*) STATUS LASTERR").split("FRY8417I").skip(1) {
                if shown.contains("STATUS(STOPPED)") {
                    let (_, error) = shown.split_once("LASTERR(")?;
                    let has_numbers = error.contains("batch") || error.contains("line");
                    if !has_numbers {
                        return None;
                    }
                    stopped += 1;
                }
            }
        }
        (stopped > 0).then_some(stopped)
    }

    fn set_slow(&self, is_slow: bool) {
        self.sites.iter().for_each(|site| site.set_slow(is_slow));
    }

    /// No faults any more, and nobody puts: everything arrives.
    fn heal(&mut self) -> Result<(), String> {
        self.set_slow(false);
        self.plan.weights = [0, 3, 25, 25, 20, 10, 2];
        self.sites.iter_mut().for_each(Site::finish);
        let began = self.sites[0].clock().now();
        let (mut least, mut moved) = (u64::MAX, began);
        for turn in 0..HEALED_TURNS_MAX {
            self.turn()?;
            if turn % LOOK_EACH != 0 {
                continue;
            }
            for site in 0..self.sites.len() {
                self.set_closed(site, false)?;
            }
            let now = self.sites[0].clock().now();
            let waiting = self.waiting();
            if waiting == 0 && self.is_told() {
                self.relay.healed_in = now.since(began).as_millis() as u64;
                return Ok(());
            }
            if waiting < least {
                (least, moved) = (waiting, now);
            }
            if now.since(moved) > HEALED_TIME {
                break;
            }
        }
        if self.plan.restore.is_some()
            && let Some(stopped) = self.stopped()
        {
            self.relay.stopped = stopped;
            return Ok(());
        }
        Err(format!("{HEALED_TIME:?} without a step after everything was healed: {}", self.describe()))
    }

    /// The steps that messages still have to take from one queue manager to the next.
    fn waiting(&self) -> u64 {
        self.sites.iter().map(|site| site.depth(&self.next_of(site))).sum()
    }

    fn is_told(&self) -> bool {
        self.sites.iter().all(|site| site.is_told() && site.in_doubt() == 0)
    }

    fn next_of(&self, site: &Site) -> String {
        name((site.number + 1) % self.sites.len())
    }

    fn describe(&self) -> String {
        let each = self.sites.iter().map(|site| {
            let waiting = site.depth(&self.next_of(site));
            format!(
                "{}: {waiting} wait, {} in doubt, {} links, told {}",
                name(site.number),
                site.in_doubt(),
                site.ends().len(),
                site.is_told()
            )
        });
        each.collect::<Vec<_>>().join("; ")
    }

    fn turn(&mut self) -> Result<(), String> {
        let index = self.turns.index(self.sites.len());
        let mut left = self.turns.below(self.plan.weights.iter().sum());
        let mut kind = 0;
        while left >= self.plan.weights[kind] {
            left -= self.plan.weights[kind];
            kind += 1;
        }
        let of = self.sites.len();
        let mut what = 0;
        match kind {
            0 => self.sites[index].put(&mut self.turns, of, self.plan.puts, &mut self.ledger)?,
            1 => {
                let before = self.links_made;
                self.sites[index].dial(&mut self.links_made, &mut self.links);
                what = self.links_made;
                for id in before + 1..=what {
                    let Some((_, _, to)) = self.links.get(&id) else { continue };
                    self.sites[*to].accept(id);
                }
            }
            2 | 3 => what = self.serve(index, kind)?,
            4 => self.sites[index].drive(),
            5 => what = u64::from(self.sites[index].run_job()),
            _ => {
                // Once all is healed time is not to outrun the turns.
                let most = if self.plan.weights[0] == 0 { 40 } else { 300 };
                what = self.turns.between(1, most);
                self.pass(Duration::from_millis(what))?;
            }
        }
        // Putters hear late, so that some never hear what became of a message.
        if kind == 0 || self.plan.weights[0] == 0 {
            self.sites[index].tell(&mut self.ledger);
        }
        self.note(kind as u64 ^ (index as u64) << 8 ^ what << 16);
        let links: Vec<LinkId> = self.links.keys().copied().collect();
        for id in links {
            if !self.sites.iter().any(|site| site.ends().contains(&id)) {
                self.links.remove(&id);
            }
        }
        match self.sites.iter().find_map(|site| Some((site.number, site.failure()?))) {
            None => Ok(()),
            Some((number, failure)) => Err(format!("S{number} failed: {failure}")),
        }
    }

    fn serve(&mut self, index: usize, kind: usize) -> Result<u64, String> {
        let ids = self.sites[index].ends();
        if ids.is_empty() {
            return Ok(0);
        }
        let id = *self.turns.pick(&ids);
        let Some((link, _, _)) = self.links.get_mut(&id) else { return Ok(0) };
        let site = &mut self.sites[index];
        match kind {
            2 => site.receive(id, link, &mut self.bytes),
            _ => site.release(id, link, &mut self.bytes),
        }
    }

    fn pass(&mut self, time: Duration) -> Result<(), String> {
        for index in 0..self.sites.len() {
            for id in self.sites[index].pass(time)? {
                if let Some((link, _, _)) = self.links.get_mut(&id) {
                    link.break_off(&mut self.bytes);
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, word: u64) {
        let digest = &mut self.relay.digest;
        *digest = (*digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    /// Closes or opens the queue of a site, unless its log has no room for the command.
    fn set_closed(&mut self, site: usize, is_closed: bool) -> Result<(), String> {
        if self.closed[site] != is_closed {
            let put = if is_closed { "DISABLED" } else { "ENABLED" };
            match self.sites[site].command(&format!("ALTER QLOCAL({QUEUE}) PUT({put})")) {
                Ok(()) => self.closed[site] = is_closed,
                Err(refusal) if refusal.contains("MQRC_STORAGE_MEDIUM_FULL") => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(())
    }

    /// Perhaps a link breaks, the power of a queue manager fails, or a queue is closed.
    fn befall(&mut self) -> Result<(), String> {
        if self.faults.below(10_000) < self.plan.cuts && !self.links.is_empty() {
            let ids: Vec<LinkId> = self.links.keys().copied().collect();
            let id = *self.faults.pick(&ids);
            if let Some((link, _, _)) = self.links.get_mut(&id) {
                link.break_off(&mut self.faults);
                self.relay.cuts += 1;
            }
        }
        if self.faults.below(10_000) < self.plan.closings {
            let site = self.faults.index(self.sites.len());
            let is_closed = !self.closed[site];
            self.set_closed(site, is_closed)?;
        }
        if self.faults.below(10_000) < self.plan.crashes {
            let site = self.faults.index(self.sites.len());
            self.note(self.sites[site].disk_digest());
            for id in self.sites[site].crash(&mut self.faults)? {
                if let Some((link, _, _)) = self.links.get_mut(&id) {
                    link.break_off(&mut self.faults);
                }
            }
            self.sites[site].set_slow(self.plan.is_slow);
            self.relay.crashes += 1;
        }
        Ok(())
    }
}
