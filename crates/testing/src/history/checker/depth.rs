//! Depth: what a queue says it has, against what it must have, at moments when nothing is under way.

use super::calls::{Call, History, Map, Moment};
use super::fates::{Fates, UnitKey};
use super::{Class, Fault};
use crate::history::{Action, Outcome};

/// Knowledge of a queue at a moment of the sweep.
#[derive(Default)]
struct Queue {
    /// Certainly at least so many, and at most so many.
    low: i64,
    high: i64,
    /// Non-persistent messages among `low`: a restart may take them.
    fragile: i64,
    /// Calls and units of work on the queue that are not decided.
    busy: i64,
}

enum Step<'a> {
    Invoke(&'a Call<'a>),
    Answer(&'a Call<'a>),
    Restart,
}

/// Effect of a unit of work on a queue when it stands.
#[derive(Default)]
struct Share {
    puts: i64,
    fragile: i64,
    gets: i64,
}

pub(super) fn check(history: &History<'_>, fates: &Fates<'_>, faults: &mut Vec<Fault>) {
    let asked = |call: &Call<'_>| matches!(call.action, Action::Depth { .. });
    if !history.calls.iter().any(asked) {
        return;
    }
    let mut steps: Vec<(Moment, Step<'_>)> = history.restarts.iter().map(|at| (*at, Step::Restart)).collect();
    for call in &history.calls {
        steps.push((call.invoked, Step::Invoke(call)));
        steps.extend(call.answer.as_ref().map(|answer| (answer.at, Step::Answer(call))));
    }
    steps.sort_by_key(|(at, _)| *at);
    let mut sweep = Sweep { fates, queues: Map::default(), units: Map::default(), names: Vec::new() };
    for (_, step) in steps {
        match step {
            Step::Invoke(call) => sweep.invoke(call),
            Step::Answer(call) => sweep.answer(call, faults),
            Step::Restart => sweep.restart(),
        }
    }
}

struct Sweep<'a, 'b> {
    fates: &'b Fates<'a>,
    queues: Map<&'b str, Queue>,
    names: Vec<&'b str>,
    units: Map<UnitKey, Vec<(&'b str, Share)>>,
}

impl<'b> Sweep<'_, 'b> {
    fn queue(&mut self, name: &'b str) -> &mut Queue {
        if !self.queues.contains_key(name) {
            self.names.push(name);
        }
        self.queues.entry(name).or_default()
    }

    fn share(&mut self, unit: UnitKey, queue: &'b str) -> &mut Share {
        let shares = self.units.entry(unit).or_default();
        let place = match shares.iter().position(|(name, _)| *name == queue) {
            Some(place) => place,
            None => {
                shares.push((queue, Share::default()));
                shares.len() - 1
            }
        };
        let opened = matches!(shares[place].1, Share { puts: 0, gets: 0, fragile: 0 });
        if opened {
            self.queue(queue).busy += 1;
        }
        &mut self.units.get_mut(&unit).expect("just added")[place].1
    }

    fn invoke(&mut self, call: &'b Call<'b>) {
        match call.action {
            Action::Put { queue, unit, persistent, .. } => {
                if call.is_unknown() {
                    let queue = self.queue(queue);
                    queue.high += 1;
                    queue.fragile += i64::from(!persistent);
                } else if unit.is_none() {
                    self.queue(queue).busy += 1;
                }
            }
            Action::Get { queue, unit, .. } => {
                if call.is_unknown() {
                    self.queue(queue).low -= 1;
                } else if unit.is_none() {
                    self.queue(queue).busy += 1;
                }
            }
            Action::Commit { unit } if call.is_unknown() => self.end_uncertain((call.client, *unit)),
            _ => {}
        }
    }

    fn answer(&mut self, call: &'b Call<'b>, faults: &mut Vec<Fault>) {
        let outcome = call.answer.as_ref().and_then(|answer| answer.outcome);
        match call.action {
            Action::Put { queue, unit: None, persistent, .. } => {
                let queue = self.queue(queue);
                queue.busy -= 1;
                if outcome.is_some() {
                    queue.low += 1;
                    queue.high += 1;
                    queue.fragile += i64::from(!persistent);
                }
            }
            Action::Put { queue, unit: Some(unit), persistent, .. } if outcome.is_some() => {
                let share = self.share((call.client, *unit), queue);
                share.puts += 1;
                share.fragile += i64::from(!persistent);
            }
            Action::Get { queue, unit: None, .. } => {
                let queue = self.queue(queue);
                queue.busy -= 1;
                if matches!(outcome, Some(Outcome::Message(_) | Outcome::Unrecognised)) {
                    queue.low -= 1;
                    queue.high -= 1;
                }
            }
            Action::Get { queue, unit: Some(unit), .. } if matches!(outcome, Some(Outcome::Message(_))) => {
                self.share((call.client, *unit), queue).gets += 1;
            }
            Action::Commit { unit } => self.end((call.client, *unit), outcome.is_some()),
            Action::Backout { unit } => self.end((call.client, *unit), false),
            Action::Depth { queue } => {
                let Some(Outcome::Depth(said)) = outcome else { return };
                let known = self.queue(queue);
                let (low, high) = (known.low.max(0), known.high);
                let said = i64::try_from(*said).unwrap_or(i64::MAX);
                if known.busy == 0 && !(low..=high).contains(&said) {
                    let text = format!("{queue} says it has {said} messages, it has {low} to {high}");
                    faults.push(Fault { class: Class::Depth, text });
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, unit: UnitKey, stands: bool) {
        for (queue, share) in self.units.remove(&unit).unwrap_or_default() {
            let queue = self.queue(queue);
            queue.busy -= 1;
            if stands {
                queue.low += share.puts - share.gets;
                queue.high += share.puts - share.gets;
                queue.fragile += share.fragile;
            }
        }
    }

    fn end_uncertain(&mut self, unit: UnitKey) {
        for (queue, share) in self.units.remove(&unit).unwrap_or_default() {
            let queue = self.queue(queue);
            queue.busy -= 1;
            queue.high += share.puts;
            queue.low -= share.gets;
            queue.fragile += share.fragile;
        }
    }

    /// Units that nobody decided are over.
    fn restart(&mut self) {
        let mut open: Vec<UnitKey> = Vec::new();
        open.extend(self.units.keys());
        open.sort_unstable();
        for unit in open {
            match self.fates.unit_fate(unit) {
                super::fates::UnitFate::Uncertain => self.end_uncertain(unit),
                _ => self.end(unit, false),
            }
        }
        for name in self.names.clone() {
            let queue = self.queue(name);
            queue.low -= std::mem::take(&mut queue.fragile);
        }
    }
}
