//! Two queue managers under one coordinator, while any of the three stops at any moment.
//!
//! Lives here: one case, from its plan to its judgement. Lives elsewhere: a queue manager with its power
//! (`site`), the transaction manager with its log of decisions (`coordinator`), the figure that counts cases
//! (`figures::r12`).
//!
//! A transaction gets a message at the first queue manager and puts it at the second, each in a branch; both
//! are prepared, the decision is written, both are told. Some are rolled back instead. Before and after each
//! record and each answer one of the three stops.
//!
//! Always: in the end each message is at one of the two, at the second if its transaction was decided so; and
//! each queue manager lists just the branches that are prepared.

mod coordinator;
mod site;
#[cfg(test)]
mod tests;

use coordinator::{Coordinator, Progress};
use platform::simulated::{CrashPolicy, Random, Survival};
use site::Site;

/// One who may stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// The queue manager that messages come from.
    First,
    /// The queue manager that they go to.
    Second,
    /// The transaction manager: its connections end, and what it did not write is gone.
    Coordinator,
    /// All three, since they share a power supply.
    All,
}

/// Moment of a stop, at a call of the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the call arrives.
    Before,
    /// When it has taken effect, and nothing of it is durable.
    Unforced,
    /// When it is durable, and its answer is on its way.
    Unanswered,
    /// When it is answered.
    Answered,
}

/// A stop that a case has.
#[derive(Clone, Copy, Debug)]
struct Stop {
    /// Number of the call.
    call: u32,
    moment: Moment,
    victim: Victim,
    survival: Survival,
}

/// A case.
#[derive(Clone, Debug)]
pub struct StopPlan {
    /// Says for each transaction if it is committed.
    commits: Vec<bool>,
    /// Transactions under way at a time.
    at_once: usize,
    stops: Vec<Stop>,
    seed: u64,
}

/// Calls for one transaction, with the one that writes the decision.
pub const CALLS: u32 = coordinator::STEPS as u32;
const VICTIMS: [Victim; 3] = [Victim::First, Victim::Second, Victim::Coordinator];
const MOMENTS: [Moment; 4] = [Moment::Before, Moment::Unforced, Moment::Unanswered, Moment::Answered];

/// The enumerated cases: each victim at each moment of each call of a transaction, committed or not.
pub const ENUMERATED: u64 = 2 * CALLS as u64 * MOMENTS.len() as u64 * VICTIMS.len() as u64;

/// Of the cases drawn at random, the share in which all three lose power.
const ALL_EVERY: u64 = 8;

impl StopPlan {
    /// The plan of a number: first those that are enumerated, then others at random.
    #[must_use]
    pub fn of(number: u64) -> Self {
        if number < ENUMERATED {
            return Self::enumerated(number);
        }
        let mut random = Random::stream(number, "R12");
        let transactions = random.between(2, 6) as usize;
        let stops = random.between(1, 3);
        let power = number.is_multiple_of(ALL_EVERY);
        let stops = (0..stops).map(|_| Stop {
            call: random.below(transactions as u64 * u64::from(CALLS)) as u32,
            moment: *random.pick(&MOMENTS),
            victim: if power { Victim::All } else { *random.pick(&VICTIMS) },
            survival: Survival::Each { percent: [0, 50, 100][random.below(3) as usize] },
        });
        let stops = stops.collect();
        let commits = (0..transactions).map(|_| random.below(4) > 0).collect();
        Self { commits, at_once: random.between(1, 3) as usize, stops, seed: number }
    }

    fn enumerated(number: u64) -> Self {
        let (commits, rest) = (number.is_multiple_of(2), number / 2);
        let (victim, rest) = (VICTIMS[(rest % 3) as usize], rest / 3);
        let (moment, call) = (MOMENTS[(rest % 4) as usize], rest / 4);
        // The transaction before it has ended, so that what is told of that is judged too.
        let stop = Stop { call: CALLS + call as u32, moment, victim, survival: Survival::Nothing };
        Self { commits: vec![true, commits, true], at_once: 1, stops: vec![stop], seed: number }
    }
}

/// Facts about a case that went through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past {
    /// Stops that came to pass.
    pub stops: u32,
    /// Transactions that were committed.
    pub committed: u32,
    /// Branches that a recovery found in doubt.
    pub recovered: u32,
}

/// Runs a case, and returns what must not be.
#[must_use]
pub fn run(plan: &StopPlan) -> (Past, Vec<String>) {
    let mut case = Case::new(plan);
    case.work();
    case.end();
    (case.past, case.problems)
}

struct Case<'a> {
    plan: &'a StopPlan,
    sites: [Site; 2],
    coordinator: Coordinator,
    random: Random,
    calls: u32,
    past: Past,
    problems: Vec<String>,
}

impl<'a> Case<'a> {
    fn new(plan: &'a StopPlan) -> Self {
        let mut sites = [Site::new("FIRST", plan.seed), Site::new("SECOND", !plan.seed)];
        for transaction in 0..plan.commits.len() {
            sites[0].put(transaction);
        }
        Self {
            plan,
            sites,
            coordinator: Coordinator::new(plan.commits.clone()),
            random: Random::stream(plan.seed, "R12 at work"),
            calls: 0,
            past: Past::default(),
            problems: Vec::new(),
        }
    }

    /// Carries every transaction to its end.
    fn work(&mut self) {
        loop {
            let open = self.coordinator.open(self.plan.at_once);
            let Some(transaction) = (!open.is_empty()).then(|| *self.random.pick(&open)) else { return };
            let stop = self.plan.stops.iter().find(|stop| stop.call == self.calls).copied();
            self.calls += 1;
            match stop {
                Some(stop) => self.stop_at(transaction, stop),
                None => {
                    let progress = self.coordinator.call(transaction, &mut self.sites);
                    self.take(transaction, progress, true);
                }
            }
            if self.problems.len() > 3 {
                return;
            }
        }
    }

    fn take(&mut self, transaction: usize, progress: Progress, is_answered: bool) {
        if is_answered && let Err(problem) = self.coordinator.answered(transaction, progress, &mut self.sites)
        {
            self.problems.push(problem);
        }
    }

    fn stop_at(&mut self, transaction: usize, stop: Stop) {
        self.past.stops += 1;
        if stop.moment != Moment::Before {
            let progress = self.coordinator.call(transaction, &mut self.sites);
            if matches!(stop.moment, Moment::Unanswered | Moment::Answered) {
                self.sites.iter_mut().for_each(Site::drive);
                self.coordinator.force();
            }
            self.take(transaction, progress, stop.moment == Moment::Answered);
        }
        let policy = CrashPolicy::surviving(stop.survival);
        let is_hit = |victim| stop.victim == victim || stop.victim == Victim::All;
        for (place, victim) in [(0, Victim::First), (1, Victim::Second)] {
            if is_hit(victim) {
                let broken = self.sites[place].stop(&mut self.random, policy);
                self.problems.extend(broken);
                let listed = self.sites[place].listed();
                let judged = self.coordinator.judge_list(place, &listed);
                self.problems.extend(judged);
            }
        }
        if is_hit(Victim::Coordinator) {
            self.sites.iter_mut().for_each(Site::lose_connections);
            self.coordinator.stop();
        } else {
            self.coordinator.lose_one();
        }
        self.recover();
    }

    /// Every queue manager is asked which branches it has, and told what was decided about each.
    fn recover(&mut self) {
        let lists = [self.sites[0].listed(), self.sites[1].listed()];
        self.coordinator.forget_absent([&lists[0], &lists[1]]);
        for (place, listed) in lists.into_iter().enumerate() {
            for branch in listed {
                self.past.recovered += 1;
                let answer = self.coordinator.decide_found(place, &branch, &mut self.sites[place]);
                self.problems.extend(answer.err());
            }
        }
    }

    /// Lets idle branches be rolled back in time; then the power goes once more, and all is counted.
    fn end(&mut self) {
        let idle = queue_manager::BranchBounds::default().idle;
        for site in &mut self.sites {
            site.lose_connections();
            site.pass(idle * 2);
        }
        self.recover();
        let policy = CrashPolicy::surviving(Survival::Nothing);
        for site in &mut self.sites {
            self.problems.extend(site.stop(&mut self.random, policy));
            let left = site.listed();
            if !left.is_empty() {
                self.problems.push(format!("{}: {left:?} are left in doubt", site.name()));
            }
        }
        let [first, second] = &mut self.sites;
        let (at_first, at_second) = (first.messages(), second.messages());
        for (message, is_moved) in self.coordinator.outcomes().into_iter().enumerate() {
            let count = |messages: &[usize]| messages.iter().filter(|one| **one == message).count();
            let found = (count(&at_first), count(&at_second));
            let expected = if is_moved { (0, 1) } else { (1, 0) };
            if found != expected {
                self.problems.push(format!(
                    "message {message}, moved by decision: {is_moved}, is {} times at the first queue manager and {} times \
                     at the second",
                    found.0, found.1
                ));
            }
            self.past.committed += u32::from(is_moved);
        }
    }
}
