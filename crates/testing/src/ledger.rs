//! Messages that were put, messages that arrived, and the judgement of both.

use std::collections::BTreeMap;

use bytes::Bytes;

/// The knowledge of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its putter was not told yet.
    Unknown,
    /// It was told that the message is put.
    Promised,
    /// It was told that it is not.
    Refused,
}

/// From which queue manager to which.
pub type Course = (usize, usize);

#[derive(Clone, Copy, Debug)]
struct Message {
    persistent: bool,
    fate: Fate,
    arrived: u32,
}

/// All messages, by course and number.
#[derive(Debug, Default)]
pub struct Ledger {
    messages: BTreeMap<(Course, u32), Message>,
    next: BTreeMap<Course, u32>,
    /// The last persistent message of each course that arrived.
    last: BTreeMap<Course, u32>,
}

/// Counts of messages by their end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Persistent messages that were promised and arrived.
    pub delivered: u64,
    /// Messages that arrived though nobody was promised them.
    pub unpromised: u64,
    /// Non-persistent messages that left with a crash or a link.
    pub dropped: u64,
    /// Messages on dead-letter queues.
    pub dead: u64,
}

impl Ledger {
    /// A new message: its number and body.
    pub fn begin(&mut self, course: Course, persistent: bool, filling: usize) -> (u32, Bytes) {
        let number = self.next.entry(course).or_default();
        *number += 1;
        let message = Message { persistent, fate: Fate::Unknown, arrived: 0 };
        self.messages.insert((course, *number), message);
        let mut body = format!("{} {} {} ", course.0, course.1, number).into_bytes();
        body.resize(body.len() + filling, b'.');
        (*number, body.into())
    }

    /// Notes what the putter was told.
    pub fn tell(&mut self, course: Course, number: u32, fate: Fate) {
        if let Some(message) = self.messages.get_mut(&(course, number)) {
            message.fate = fate;
        }
    }

    /// Returns the knowledge of a message that was begun.
    #[must_use]
    pub fn fate(&self, course: Course, number: u32) -> Option<Fate> {
        self.messages.get(&(course, number)).map(|message| message.fate)
    }

    /// Messages are on the queue of a queue manager, in this order; of its dead-letter queue no order is
    /// asked.
    ///
    /// # Errors
    /// Something that no queue manager may do.
    pub fn arrive(&mut self, site: usize, bodies: &[Bytes], is_dead: bool) -> Result<Judged, String> {
        let mut judged = Judged::default();
        for body in bodies {
            let (course, number) = read(body)?;
            let message = self.messages.get_mut(&(course, number));
            let message = message.ok_or_else(|| format!("nobody put message {number} of {course:?}"))?;
            if course.1 != site && !is_dead {
                return Err(format!("message {number} of {course:?} is at {site}"));
            }
            message.arrived += 1;
            if message.arrived > 1 {
                return Err(format!("message {number} of {course:?} is doubled"));
            }
            match (message.fate, is_dead) {
                (Fate::Refused, _) => {
                    return Err(format!("message {number} of {course:?} was refused, and is there"));
                }
                (Fate::Promised, false) => judged.delivered += u64::from(message.persistent),
                (Fate::Promised, true) => judged.dead += 1,
                (Fate::Unknown, _) => judged.unpromised += 1,
            }
            // Fast messages are the one exception to order.
            if message.persistent && !is_dead {
                let before = self.last.insert(course, number).unwrap_or_default();
                if before > number {
                    return Err(format!("message {number} of {course:?} is behind {before}: inverted"));
                }
            }
        }
        Ok(judged)
    }

    /// Everything was got: what was promised and did not arrive is lost. Returns the number of non-persistent
    /// messages that left.
    ///
    /// # Errors
    /// A message that is lost.
    pub fn close(&self) -> Result<u64, String> {
        let missing = self
            .messages
            .iter()
            .filter(|(_, message)| message.arrived == 0 && message.fate == Fate::Promised);
        let (lost, dropped): (Vec<_>, Vec<_>) = missing.partition(|(_, message)| message.persistent);
        match lost.first() {
            Some(((course, number), _)) => {
                Err(format!("{} messages are lost, the first is {number} of {course:?}", lost.len()))
            }
            None => Ok(dropped.len() as u64),
        }
    }
}

/// The course and the number in a body; behind a dead-letter header at its end.
fn read(body: &Bytes) -> Result<(Course, u32), String> {
    let text = String::from_utf8_lossy(body);
    let mut words = text.split(' ').map(str::parse::<u32>);
    let mut word = || words.next().and_then(Result::ok).ok_or_else(|| format!("not ours: {text:.60}"));
    let (from, to, number) = (word()?, word()?, word()?);
    Ok(((from as usize, to as usize), number))
}
