//! The judgement of a crash: the disk is started, read, and compared with the state that must be there.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use platform::simulated::{Machine, SimulatedDisk};
use testing::history::{Action, Event, Happening, MessageIdentity, Outcome, body, check};

use super::life::{DRIVES_MAX, Known, Life, Past, Problem, queue_name};
use super::model::Model;
use super::subject::{Answer, DELAY, Found, Maker, QUEUES, Subject};

/// A subject started on what a crash left.
pub struct Survivor {
    machine: Machine,
    subject: Box<dyn Subject>,
    /// The messages of each queue, in the order in which they would be given out.
    found: Vec<Vec<Found>>,
    /// The units of work that the start found in doubt; they were committed then.
    in_doubt: Vec<u32>,
    /// Of how many messages it told that they cannot be read: at the start, and by now.
    told: [Option<u64>; 2],
}

/// Result of the judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Everything that must not be.
    pub problems: Vec<String>,
}

/// Runs something of the subject's; a broken assertion becomes a problem of the case.
pub fn guarded<T>(run: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        Err(Problem::Wrong(format!("panicked: {text}")))
    })
}

impl Survivor {
    /// Starts a subject on a disk and reads what is there. That it refuses to start is [`Problem::Ended`].
    pub fn start(maker: &dyn Maker, disk: SimulatedDisk, seed: u64) -> Result<Self, Problem> {
        Self::start_and(maker, disk, seed, |subject, queue| subject.contents(queue))
    }

    /// The same, and gets what is there, so that nothing is left but what cannot be read.
    pub fn start_and_drain(maker: &dyn Maker, disk: SimulatedDisk, seed: u64) -> Result<Self, Problem> {
        Self::start_and(maker, disk, seed, |subject, queue| subject.drained(queue))
    }

    fn start_and(
        maker: &dyn Maker,
        disk: SimulatedDisk,
        seed: u64,
        read: fn(&mut dyn Subject, usize) -> Vec<Found>,
    ) -> Result<Self, Problem> {
        guarded(|| {
            let machine = Machine::with_disk(disk, seed);
            let mut subject = maker
                .open(&machine.world())
                .map_err(|failure| Problem::Ended(format!("does not start: {}", failure.0)))?;
            let at_start = subject.counters().damaged;
            let in_doubt = subject.in_doubt();
            for number in &in_doubt {
                let Answer { need, result } = subject.settle(*number, true);
                if result != Ok(true) {
                    return Err(Problem::Wrong(format!("unit {number} in doubt is not ended: {result:?}")));
                }
                // What comes then begins with its end, also after another power cut.
                (0..DRIVES_MAX).find(|_| subject.durable() >= need || subject.drive() >= need).ok_or_else(
                    || Problem::Ended(subject.failure().unwrap_or_else(|| "it is not durable".to_owned())),
                )?;
            }
            // The time of day of this machine may be behind that of the one that failed.
            while subject.has_delayed() {
                machine.clock.advance(2 * DELAY);
                subject.housekeep();
            }
            let found = (0..QUEUES).map(|queue| read(&mut *subject, queue)).collect();
            let told = [at_start, subject.counters().damaged];
            Ok(Self { machine, subject, found, in_doubt, told })
        })
    }

    /// The messages of each queue.
    #[must_use]
    pub fn found(&self) -> &[Vec<Found>] {
        &self.found
    }

    /// Has the subject give messages back, and reads again what is there; what it refused.
    pub fn recover(&mut self) -> Vec<String> {
        let refusals = self.subject.recover();
        self.found = (0..QUEUES).map(|queue| self.subject.contents(queue)).collect();
        refusals
    }

    /// Of how many messages it told at its start that they cannot be read.
    #[must_use]
    pub fn told_at_start(&self) -> u64 {
        self.told[0].unwrap_or(0)
    }

    /// Of how many messages it told by now; none where it tells of none.
    #[must_use]
    pub fn told(&self) -> Option<u64> {
        self.told[1]
    }

    /// The machine it runs on.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Compares what is there with the model alone.
    #[must_use]
    pub fn judge_state(&self, past: &Past) -> Vec<String> {
        let mut problems = Vec::new();
        let messages = self.identities(past, &mut problems);
        if problems.is_empty() {
            self.compare(past, &messages, &mut problems);
        }
        problems
    }

    /// True if the model held this, where a message that cannot be read may be any that was put to its queue.
    #[must_use]
    pub fn may_be_of(&self, past: &Past) -> bool {
        let mut problems = Vec::new();
        let messages = self.identities(past, &mut problems);
        let of_queue = |(queue, found): (usize, &Vec<Found>)| {
            std::iter::repeat_n(queue, found.iter().filter(|found| found.is_err()).count())
        };
        let unread: Vec<usize> = self.found.iter().enumerate().flat_map(of_queue).collect();
        problems.len() == unread.len() && self.fits(past, &messages, &unread)
    }

    /// The same of these messages, and one in each of the queues of `unread`.
    fn fits(&self, past: &Past, messages: &[Vec<Known>], unread: &[usize]) -> bool {
        let Some((&queue, rest)) = unread.split_first() else {
            let mut problems = Vec::new();
            self.compare(past, messages, &mut problems);
            return problems.is_empty();
        };
        let is_there = |known: &Known| messages[queue].iter().any(|there| there.identity == known.identity);
        let mut candidates = past.known.values().filter(|known| known.queue == queue && !is_there(known));
        candidates.any(|known| {
            let mut messages = messages.to_vec();
            let at = messages[queue].partition_point(|there| place(there) < place(known));
            messages[queue].insert(at, *known);
            self.fits(past, &messages, rest)
        })
    }

    /// Compares what is there with what came before: with the model, and with what the clients were told.
    #[must_use]
    pub fn judge(&self, past: &Past) -> Judged {
        let mut problems = self.judge_state(past);
        let verdict = check(&self.history(past));
        problems.extend(verdict.faults.iter().map(ToString::to_string));
        Judged { problems }
    }

    /// Goes on living with what survived.
    #[must_use]
    pub fn revive(self, past: &Past) -> Life {
        let messages = self.identities(past, &mut Vec::new());
        let mut events = past.events.clone();
        events.push(restart(events.len()));
        let known: BTreeMap<_, _> = past.known.as_ref().clone();
        Life::resume(self.machine, self.subject, Model::restarted(&messages), events, known)
    }

    /// The messages that are there, as they were put.
    fn identities(&self, past: &Past, problems: &mut Vec<String>) -> Vec<Vec<Known>> {
        let mut known = |queue: usize, found: &Found| {
            let problem = match found.as_ref().map(|bytes| body::identity(bytes)) {
                Err(refusal) => format!("a message of {} cannot be read: {refusal:?}", queue_name(queue)),
                Ok(None) => format!("a message of {} is none that was put", queue_name(queue)),
                Ok(Some(identity)) => match past.known.get(&(identity.putter, identity.sequence)) {
                    Some(known) if known.identity == identity && known.queue == queue => return Some(*known),
                    _ => format!("{identity:?} was not put to {}", queue_name(queue)),
                },
            };
            problems.push(problem);
            None
        };
        let queues = self.found.iter().enumerate();
        queues.map(|(queue, found)| found.iter().filter_map(|found| known(queue, found)).collect()).collect()
    }

    /// The model must have held exactly this at some version that may have survived, and in this order.
    fn compare(&self, past: &Past, messages: &[Vec<Known>], problems: &mut Vec<String>) {
        let persistent: Vec<Vec<MessageIdentity>> = messages
            .iter()
            .map(|queue| queue.iter().filter(|known| known.persistent).map(|known| known.identity).collect())
            .collect();
        let priority = |identity: MessageIdentity| past.known[&(identity.putter, identity.sequence)].priority;
        let Some(committed) = past.model.commit_of(&self.in_doubt) else {
            problems.push(format!("one of the units in doubt was never prepared: {:?}", self.in_doubt));
            return;
        };
        for number in past.in_doubt.iter().filter(|number| !self.in_doubt.contains(number)) {
            problems.push(format!("unit {number} was told to be prepared, and is not in doubt"));
        }
        // Without what the start committed the model held it.
        let digest = Model::digest(&persistent, priority) ^ committed;
        if past.model.version_with(past.floor, past.ceiling, digest).is_none() {
            let counts: Vec<usize> = persistent.iter().map(Vec::len).collect();
            problems.push(format!(
                "no state of the model from version {} to {} holds what is there ({counts:?} persistent messages)",
                past.floor, past.ceiling,
            ));
        }
        for (queue, messages) in messages.iter().enumerate() {
            if let Some(pair) = messages.windows(2).find(|pair| place(&pair[0]) >= place(&pair[1])) {
                problems.push(format!("{}: {:?} is before {:?}", queue_name(queue), pair[0], pair[1]));
            }
        }
    }

    /// The past, the restart, and everything that is there got and found to be all.
    fn history(&self, past: &Past) -> Vec<Event> {
        let mut events = past.events.clone();
        let mut add = |client, call, what| {
            let at = events.len() as u64;
            events.push(Event { at, client, call, what });
        };
        add(0, 0, Happening::Restart);
        let mut call = 0;
        for (queue, found) in self.found.iter().enumerate() {
            let queue = queue_name(queue);
            for found in found {
                call += 1;
                add(
                    u32::MAX,
                    call,
                    Happening::Invoke(Action::Get { queue: queue.clone(), unit: None, selective: false }),
                );
                let happening = match found.as_ref().map(|bytes| body::identity(bytes)) {
                    Ok(Some(identity)) => Happening::Ok(Outcome::Message(identity)),
                    Ok(None) => Happening::Ok(Outcome::Unrecognised),
                    Err(refusal) => Happening::Fail(format!("{refusal:?}")),
                };
                add(u32::MAX, call, happening);
            }
            add(u32::MAX, 0, Happening::Drained { queue });
        }
        events
    }
}

/// Where a message is among those of its queue.
fn place(known: &Known) -> impl Ord + use<> {
    (9 - known.priority, known.arrival)
}

fn restart(at: usize) -> Event {
    Event { at: at as u64, client: 0, call: 0, what: Happening::Restart }
}
