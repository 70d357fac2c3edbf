//! The handler of a dead-letter queue: goes through the queue and does what the rules say.
//!
//! A rule is tried as often as it says, each time in another pass and not before the interval is over; then
//! the next rule that fits is tried. A letter without a rule left stays where it is. Attempts are remembered
//! as long as the handler lives.
//!
//! A letter names its destination, and every program that may put on the dead-letter queue writes letters:
//! one that leads to a queue of the system is spared unless the handler is told otherwise ([`SystemQueues`]).
//! A queue that a rule names is the rule's own word.
//!
//! Always: one unit of work puts a letter elsewhere and takes it from the queue. It is put before it is
//! taken, so that a refusal leaves nothing to undo at the queue, not even a count of backouts.
//!
//! Always: no letter is put on the queue that is read, and one that comes back to it another way stays there
//! for the interval (`recent`).

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use bytes::Bytes;
use formats::headers::DeadLetterHeader;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageToken, ObjectDescriptor,
    ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, QueueManagerName, Reason, Text, Verbs, Wait,
};

use super::letter::Letter;
use super::recent::Recent;
use super::rules::{Action, Authority, ForwardManager, ForwardQueue, Rule};

/// Least time between two looks at a letter: without one, a letter that comes back at once would turn as
/// fast as the machine can.
pub const INTERVAL_MIN: Duration = Duration::from_secs(1);

/// The longest message that is read.
const MESSAGE_BYTES_MAX: usize = 104_857_600;

/// The queues of the system, as destinations that letters name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SystemQueues {
    /// A letter for one stays, with `MQRC_NOT_AUTHORIZED`.
    #[default]
    Spared,
    /// A letter for one is put there.
    Allowed,
}

/// The source of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedBy {
    Rule,
    Letter,
}

/// A destination, and its source.
#[derive(Clone, Copy, Debug)]
struct Destination {
    queue: ObjectName,
    manager: QueueManagerName,
    named_by: NamedBy,
}

/// Goes through one queue.
pub struct Handler<'a> {
    verbs: &'a mut dyn Verbs,
    queue: ObjectHandle,
    /// The queue behind its name.
    resolved: (ObjectName, QueueManagerName),
    system: SystemQueues,
    recent: Recent,
    /// Attempts so far, for the letters that are still there.
    tried: HashMap<MessageToken, Tried>,
}

#[derive(Clone, Copy, Debug)]
struct Tried {
    /// The rule that comes next.
    rule: usize,
    attempts: u32,
    /// When it is tried again; none when no rule is left.
    due: Option<Instant>,
}

/// The handling of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// The letter was discarded.
    Discarded,
    /// The letter was put on this queue.
    Put(ObjectName, QueueManagerName),
    /// It stays, as its rule says or because none is left.
    Stays,
}

/// The cause of an action that was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Obstacle {
    /// A call was refused.
    #[error("{0}")]
    Refused(#[from] Reason),
    /// The destination is the queue that is read, under whatever name.
    #[error("the destination is the queue that the letter is on")]
    SameQueue,
}

impl Obstacle {
    /// The reason that a call gave, if one did.
    #[must_use]
    pub const fn reason(self) -> Option<Reason> {
        match self {
            Self::Refused(reason) => Some(reason),
            Self::SameQueue => None,
        }
    }
}

/// The outcome for a letter, by the rule of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The rule, from 0; none when no rule fits.
    pub rule: Option<usize>,
    /// The handling, or why it was not done.
    pub result: Result<Done, Obstacle>,
}

/// The outcome of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Letters that left the queue.
    pub handled: u64,
    /// Letters that will be tried again.
    pub pending: u64,
    /// Letters that stay, or came back and stay for the interval.
    pub left: u64,
}

/// The answer to a letter that was handled: go on to the next, or stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// To the next.
    On,
    /// No further.
    Stop,
}

impl<'a> Handler<'a> {
    /// Opens a dead-letter queue.
    ///
    /// # Errors
    /// The reason it cannot be opened.
    pub fn open(verbs: &'a mut dyn Verbs, queue: ObjectName, takes: bool) -> Result<Self, Reason> {
        let takes = if takes { OpenOptions::INPUT_AS_Q_DEF } else { OpenOptions::EMPTY };
        let options = OpenOptions::BROWSE | OpenOptions::FAIL_IF_QUIESCING | takes;
        let opened = verbs.open(&ObjectDescriptor::queue(queue), options)?;
        Ok(Self {
            verbs,
            queue: opened.handle,
            resolved: (opened.resolved_queue_name, opened.resolved_queue_manager_name),
            system: SystemQueues::Spared,
            recent: Recent::default(),
            tried: HashMap::new(),
        })
    }

    /// Sets another choice about queues of the system.
    #[must_use]
    pub fn with_system_queues(self, system: SystemQueues) -> Self {
        Self { system, ..self }
    }

    /// Closes the queue.
    ///
    /// # Errors
    /// The reason it cannot be closed.
    pub fn close(self) -> Result<(), Reason> {
        self.verbs.close(self.queue, CloseOptions::EMPTY).map(drop)
    }

    /// Shows every letter.
    ///
    /// # Errors
    /// The reason a letter cannot be read.
    pub fn each(&mut self, mut show: impl FnMut(&Letter) -> Go) -> Result<(), Reason> {
        let mut flags = GetFlags::BROWSE_FIRST;
        while let Some(letter) = self.browse(flags, Wait::No)? {
            if show(&letter) == Go::Stop {
                return Ok(());
            }
            flags = GetFlags::BROWSE_NEXT;
        }
        Ok(())
    }

    /// Waits until a letter comes behind those seen; whether one did.
    ///
    /// # Errors
    /// The reason it cannot be waited for.
    pub fn wait(&mut self, most: Duration) -> Result<bool, Reason> {
        self.browse(GetFlags::BROWSE_NEXT, Wait::from(most)).map(|letter| letter.is_some())
    }

    /// Goes through the queue once. `told` hears the outcome of each letter that a rule was tried with, and
    /// of each that is found to stay. A letter is looked at again once the interval is over.
    ///
    /// # Errors
    /// The reason the pass could not be ended; what was done is done.
    pub fn pass(
        &mut self,
        rules: &[Rule],
        interval: Duration,
        now: Instant,
        mut told: impl FnMut(&Letter, &Outcome) -> Go,
    ) -> Result<Passed, Reason> {
        let mut passed = Passed::default();
        let mut seen = HashSet::new();
        let mut flags = GetFlags::BROWSE_FIRST;
        let mut go = Go::On;
        self.recent.forget(now);
        while go == Go::On
            && let Some(letter) = self.browse(flags, Wait::No)?
        {
            flags = GetFlags::BROWSE_NEXT;
            seen.insert(letter.token);
            let known = self.tried.get(&letter.token).copied();
            match known {
                Some(Tried { due: None, .. }) => passed.left += 1,
                Some(Tried { due: Some(due), .. }) if due > now => passed.pending += 1,
                None if self.recent.contains(&letter) => passed.left += 1,
                _ => go = self.try_rules(rules, interval, now, &letter, &mut told, &mut passed)?,
            }
        }
        if go == Go::On {
            // Tokens of letters that are gone may name others one day.
            self.tried.retain(|token, _| seen.contains(token));
        }
        Ok(passed)
    }

    /// Tries the rules that are left for a letter until one succeeds or is to be tried again.
    fn try_rules(
        &mut self,
        rules: &[Rule],
        interval: Duration,
        now: Instant,
        letter: &Letter,
        told: &mut impl FnMut(&Letter, &Outcome) -> Go,
        passed: &mut Passed,
    ) -> Result<Go, Reason> {
        let mut tried =
            self.tried.get(&letter.token).copied().unwrap_or(Tried { rule: 0, attempts: 0, due: None });
        while let Some((index, rule)) =
            rules.iter().enumerate().skip(tried.rule).find(|(_, rule)| rule.pattern.matches(letter))
        {
            if index != tried.rule {
                tried = Tried { rule: index, attempts: 0, due: None };
            }
            let result = self.carry_out(&rule.action, letter);
            let outcome = |result| Outcome { rule: Some(index), result };
            match result {
                // Somebody else has it.
                Err(Obstacle::Refused(Reason::NO_MSG_AVAILABLE)) => return Ok(Go::On),
                Err(Obstacle::Refused(reason)) if ends(reason) => return Err(reason),
                Ok(Done::Stays) => {
                    self.tried.insert(letter.token, Tried { rule: rules.len(), attempts: 0, due: None });
                    passed.left += 1;
                    return Ok(told(letter, &outcome(Ok(Done::Stays))));
                }
                Ok(done) => {
                    if matches!(done, Done::Put(..)) {
                        self.recent.insert(letter, now + interval);
                    }
                    self.tried.remove(&letter.token);
                    passed.handled += 1;
                    return Ok(told(letter, &outcome(Ok(done))));
                }
                Err(obstacle) => {
                    let go = told(letter, &outcome(Err(obstacle)));
                    tried.attempts += 1;
                    if tried.attempts < rule.attempts {
                        tried.due = Some(now + interval);
                        self.tried.insert(letter.token, tried);
                        passed.pending += 1;
                        return Ok(go);
                    }
                    tried = Tried { rule: index + 1, attempts: 0, due: None };
                    if go == Go::Stop {
                        self.tried.insert(letter.token, Tried { due: Some(now), ..tried });
                        return Ok(go);
                    }
                }
            }
        }
        self.tried.insert(letter.token, Tried { rule: rules.len(), attempts: 0, due: None });
        passed.left += 1;
        Ok(told(letter, &Outcome { rule: None, result: Ok(Done::Stays) }))
    }

    /// Carries the action out in a unit of work of its own.
    ///
    /// # Errors
    /// Why it was not done, after which all is as before; `NO_MSG_AVAILABLE` when the letter is gone.
    pub fn carry_out(&mut self, action: &Action, letter: &Letter) -> Result<Done, Obstacle> {
        let done = match action {
            Action::Ignore => return Ok(Done::Stays),
            Action::Discard => self.take(letter).map(|()| Done::Discarded).map_err(Obstacle::from),
            Action::Retry { authority } => {
                let header = letter.header.as_ref().map_err(|_| Reason::DLH_ERROR)?;
                let (queue, manager) = destination(header)?;
                let (descriptor, body) = letter.original();
                let to = Destination { queue, manager, named_by: NamedBy::Letter };
                self.put_and_take(to, descriptor, body, *authority, letter)
            }
            Action::Forward { queue, queue_manager, keeps_header, authority } => {
                let to = forwarded(letter, *queue, *queue_manager)?;
                let (descriptor, body) = if *keeps_header {
                    (letter.descriptor.clone(), letter.body.clone())
                } else {
                    letter.original()
                };
                self.put_and_take(to, descriptor, body, *authority, letter)
            }
        };
        let done = done.and_then(|done| Ok(self.verbs.commit().map(|()| done)?));
        if done.is_err() {
            // A commit that failed ended the unit of work as well; then there is nothing to undo.
            let _ = self.verbs.back();
        }
        done
    }

    fn put_and_take(
        &mut self,
        to: Destination,
        mut descriptor: MessageDescriptor,
        body: Bytes,
        authority: Authority,
        letter: &Letter,
    ) -> Result<Done, Obstacle> {
        let mut flags = PutFlags::SYNCPOINT
            | PutFlags::SYNC_RESPONSE
            | PutFlags::SET_ALL_CONTEXT
            | PutFlags::FAIL_IF_QUIESCING;
        let mut object =
            ObjectDescriptor { object_queue_manager_name: to.manager, ..ObjectDescriptor::queue(to.queue) };
        if authority == Authority::Context {
            flags |= PutFlags::ALTERNATE_USER_AUTHORITY;
            object.alternate_user_identifier = descriptor.user_identifier;
        }
        let is_spared = |name: &ObjectName| {
            to.named_by == NamedBy::Letter
                && self.system == SystemQueues::Spared
                && name.as_str().starts_with("SYSTEM.")
        };
        if is_spared(&to.queue) {
            return Err(Reason::NOT_AUTHORIZED.into());
        }
        let mut options = PutOptions::with(flags);
        self.verbs.put1(&object, &mut descriptor, &mut options, body)?;
        // An alias leads there as well; the unit of work is backed out.
        if is_spared(&options.resolved_queue_name) {
            return Err(Reason::NOT_AUTHORIZED.into());
        }
        if (options.resolved_queue_name, options.resolved_queue_manager_name) == self.resolved {
            return Err(Obstacle::SameQueue);
        }
        self.take(letter)?;
        Ok(Done::Put(to.queue, to.manager))
    }

    /// Takes the letter off its queue, within the unit of work.
    fn take(&mut self, letter: &Letter) -> Result<(), Reason> {
        let flags = GetFlags::SYNCPOINT | GetFlags::ACCEPT_TRUNCATED_MSG | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions {
            match_options: MatchOptions::MATCH_MSG_TOKEN,
            message_token: letter.token,
            ..GetOptions::with(flags, Wait::No)
        };
        let mut descriptor = MessageDescriptor::default();
        self.verbs.get(self.queue, &mut descriptor, &mut options, 0).map(drop)
    }

    fn browse(&mut self, flags: GetFlags, wait: Wait) -> Result<Option<Letter>, Reason> {
        let flags = flags | GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions { match_options: MatchOptions::EMPTY, ..GetOptions::with(flags, wait) };
        let mut descriptor = MessageDescriptor::default();
        match self.verbs.get(self.queue, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => Ok(Some(Letter::new(descriptor, got.body, got.message_token))),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(reason),
        }
    }
}

/// Returns true if nothing more can be done on this connection.
fn ends(reason: Reason) -> bool {
    reason.ends_connection()
        || matches!(reason, Reason::HCONN_ERROR | Reason::GET_INHIBITED | Reason::Q_DELETED)
}

fn destination(header: &DeadLetterHeader) -> Result<(ObjectName, QueueManagerName), Reason> {
    Ok((object(header.destination_queue)?, manager(header.destination_queue_manager)?))
}

fn object(name: Text<48>) -> Result<ObjectName, Reason> {
    let name: ObjectName = name.as_str().parse().map_err(|_| Reason::UNKNOWN_OBJECT_NAME)?;
    if name.is_blank() { Err(Reason::UNKNOWN_OBJECT_NAME) } else { Ok(name) }
}

fn manager(name: Text<48>) -> Result<QueueManagerName, Reason> {
    name.as_str().parse().map_err(|_| Reason::UNKNOWN_REMOTE_Q_MGR)
}

/// Where a letter is forwarded to.
fn forwarded(
    letter: &Letter,
    queue: ForwardQueue,
    queue_manager: ForwardManager,
) -> Result<Destination, Reason> {
    let header = || letter.header.as_ref().map_err(|_| Reason::DLH_ERROR);
    let (queue, named_by) = match queue {
        ForwardQueue::Named(queue) => (queue, NamedBy::Rule),
        ForwardQueue::Destination => (object(header()?.destination_queue)?, NamedBy::Letter),
        ForwardQueue::ReplyTo => (object(*letter.descriptor.reply_to_queue)?, NamedBy::Letter),
    };
    let manager = match queue_manager {
        ForwardManager::Named(manager) => manager,
        ForwardManager::Destination => manager(header()?.destination_queue_manager)?,
        ForwardManager::ReplyTo => manager(*letter.descriptor.reply_to_queue_manager)?,
    };
    if queue.is_blank() {
        return Err(Reason::UNKNOWN_OBJECT_NAME);
    }
    Ok(Destination { queue, manager, named_by })
}
