//! Refused messages, and the wait before a retry.
//!
//! A *transient* refusal is one of the connection or of the server: the pipe is RETRYING and the message
//! waits. A *permanent* one is of the message: it goes to the dead-letter queue with a reason, in the unit of
//! work of its batch, and an exception report goes to its sender.
//!
//! Lives here: kinds of refusals with their reasons, the wait between tries, the search for the message
//! because of which a batch was refused, and the memory of unknown destinations.
//!
//! Always: a pipe never drops a message; a search ends after [`TRIES_MAX`] tries.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use mqi::{MessageId, constants};

/// A reason in a dead-letter header: a reason code or a feedback of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeadReason(pub i32);

impl DeadReason {
    /// The destination is not there.
    pub const UNKNOWN_DESTINATION: Self = Self(constants::MQRC_UNKNOWN_OBJECT_NAME);
    /// The message is larger than the foreign system takes.
    pub const TOO_LARGE: Self = Self(constants::MQRC_MSG_TOO_BIG_FOR_CHANNEL);
    /// The foreign system does not let the pipe send there.
    pub const NOT_ALLOWED: Self = Self(constants::MQRC_NOT_AUTHORIZED);
    /// No way leads from the exchange to a queue.
    pub const UNROUTABLE: Self = Self(constants::MQRC_UNKNOWN_REMOTE_Q_MGR);
    /// The message has no form in the foreign system.
    pub const UNMAPPABLE: Self = Self(constants::MQRC_FORMAT_ERROR);
    /// It carries no header of a transmission queue that can be read.
    pub const NO_TRANSMISSION_HEADER: Self = Self(constants::MQFB_XMIT_Q_MSG_ERROR);
    /// It passed too many bridges: its way is a circle.
    pub const TOO_MANY_HOPS: Self = Self(constants::MQFB_MAX_ACTIVITIES);
    /// The queue is full.
    pub const QUEUE_FULL: Self = Self(constants::MQRC_Q_FULL);
}

/// Why a message or a call was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It passes: the pipe tries again.
    Transient(String),
    /// It stays: the message is a dead letter.
    Permanent {
        /// The reason in its dead-letter header.
        reason: DeadReason,
        /// The reason in words, for the report and the error log.
        text: String,
    },
}

impl Refusal {
    /// A permanent refusal.
    #[must_use]
    pub fn permanent(reason: DeadReason, text: impl Into<String>) -> Self {
        Self::Permanent { reason, text: text.into() }
    }

    /// The refusal under USEDLQ: with NO nothing is a dead letter, so that the pipe holds instead.
    #[must_use]
    pub fn under(self, uses_dead_letters: bool) -> Self {
        match self {
            Self::Permanent { reason, text } if !uses_dead_letters => {
                Self::Transient(format!("{text} (reason {}); USEDLQ(NO) holds the message", reason.0))
            }
            other => other,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transient(text) => write!(formatter, "{text}; the pipe tries again"),
            Self::Permanent { reason, text } => {
                write!(
                    formatter,
                    "{text}; the message goes to the dead-letter queue with reason {}",
                    reason.0
                )
            }
        }
    }
}

/// The wait between tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backoff {
    tries: u32,
}

impl Backoff {
    /// The wait before the second try.
    pub const FIRST: Duration = Duration::from_millis(100);
    /// The longest wait: a server that is back is noticed within it.
    pub const LONGEST: Duration = Duration::from_secs(4);

    /// The wait before the next try: each is twice as long as the one before.
    pub fn wait(&mut self) -> Duration {
        let wait = Self::FIRST.saturating_mul(1 << self.tries.min(6)).min(Self::LONGEST);
        self.tries = self.tries.saturating_add(1);
        wait
    }

    /// Notes that a batch went through.
    pub fn reset(&mut self) {
        self.tries = 0;
    }
}

/// Most tries until the refused message of a batch is found.
pub const TRIES_MAX: u32 = 10;

/// The search for the message because of which a whole batch was refused: by halves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    limit: Option<u32>,
    tries: u32,
    condemned: Option<(MessageId, DeadReason, String)>,
}

/// The answer to a refused batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Try with fewer messages.
    Fewer,
    /// The batch was this one message.
    Found,
}

impl Search {
    /// Messages of the next batch, at most.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        self.limit
    }

    /// Notes that a batch of so many messages was refused.
    pub fn refused(&mut self, messages: u32) -> Next {
        self.tries += 1;
        if messages <= 1 {
            return Next::Found;
        }
        // The last try is always one message alone.
        let half = if self.tries >= TRIES_MAX - 1 { 1 } else { messages.div_ceil(2) };
        self.limit = Some(half);
        Next::Fewer
    }

    /// Notes the message that is a dead letter when it comes again.
    pub fn condemn(&mut self, message: MessageId, reason: DeadReason, text: String) {
        self.condemned = Some((message, reason, text));
    }

    /// The refusal of a message that was found.
    #[must_use]
    pub fn judge(&self, message: &MessageId) -> Option<Refusal> {
        let (condemned, reason, text) = self.condemned.as_ref()?;
        (condemned == message).then(|| Refusal::permanent(*reason, text.clone()))
    }

    /// Notes that a batch went through. The search goes on with the rest until a message was found.
    pub fn accepted(&mut self) {
        if self.condemned.is_some() || self.tries >= TRIES_MAX {
            *self = Self::default();
        }
    }
}

/// Time for which an unknown destination is remembered.
pub const UNKNOWN_TIME: Duration = Duration::from_secs(30);

/// Destinations that are remembered, at most: beyond it the oldest is asked for again.
pub const UNKNOWN_MAX: usize = 1_000;

/// Destinations of which the foreign system said that they are not there: their messages cost no request.
#[derive(Clone, Debug, Default)]
pub struct UnknownDestinations {
    until: BTreeMap<String, Duration>,
}

impl UnknownDestinations {
    /// Notes a destination.
    pub fn note(&mut self, destination: &str, now: Duration) {
        self.until.retain(|_, until| *until > now);
        if self.until.len() >= UNKNOWN_MAX
            && let Some(oldest) = self.until.iter().min_by_key(|(_, until)| **until)
        {
            let oldest = oldest.0.clone();
            self.until.remove(&oldest);
        }
        self.until.insert(destination.to_owned(), now.saturating_add(UNKNOWN_TIME));
    }

    /// Returns true if the destination was not there a moment ago.
    #[must_use]
    pub fn has(&self, destination: &str, now: Duration) -> bool {
        self.until.get(destination).is_some_and(|until| *until > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_from_a_tenth_to_four_seconds() {
        let mut backoff = Backoff::default();
        let waits: Vec<u128> = (0..8).map(|_| backoff.wait().as_millis()).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 4000, 4000]);
        backoff.reset();
        assert_eq!(backoff.wait(), Backoff::FIRST);
    }

    #[test]
    fn a_search_finds_the_refused_message_of_any_batch_in_ten_tries() {
        for messages in [1, 2, 3, 10, 500, 512, 9999] {
            for bad in [0, messages / 2, messages - 1] {
                let (mut search, mut first, mut tries) = (Search::default(), 0, 0);
                loop {
                    let count = (messages - first).min(search.limit().unwrap_or(messages));
                    if !(first..first + count).contains(&bad) {
                        first += count;
                        search.accepted();
                        continue;
                    }
                    tries += 1;
                    if search.refused(count) == Next::Found {
                        break;
                    }
                }
                assert_eq!(first, bad, "of {messages}");
                assert!(tries <= TRIES_MAX, "{tries} tries for {bad} of {messages}");
            }
        }
    }

    #[test]
    fn a_message_that_was_found_is_refused_when_it_comes_again_and_no_other_is() {
        let mut search = Search::default();
        let (bad, good) = (MessageId([1; 24]), MessageId([2; 24]));
        search.condemn(bad, DeadReason::TOO_LARGE, "too large".to_owned());
        assert_eq!(search.judge(&bad), Some(Refusal::permanent(DeadReason::TOO_LARGE, "too large")));
        assert_eq!(search.judge(&good), None);
        search.accepted();
        assert_eq!((search.judge(&bad), search.limit()), (None, None));
    }

    #[test]
    fn unknown_destinations_are_remembered_for_a_while_and_not_without_bound() {
        let mut unknown = UnknownDestinations::default();
        unknown.note("t", Duration::ZERO);
        assert!(unknown.has("t", Duration::from_secs(29)) && !unknown.has("u", Duration::ZERO));
        assert!(!unknown.has("t", UNKNOWN_TIME));
        for number in 0..=UNKNOWN_MAX {
            unknown.note(&number.to_string(), Duration::from_secs(1));
        }
        assert_eq!(unknown.until.len(), UNKNOWN_MAX);
        assert!(!unknown.has("t", Duration::from_secs(1)), "the oldest goes first");
    }

    #[test]
    fn without_dead_letters_a_pipe_holds() {
        let refusal = Refusal::permanent(DeadReason::UNROUTABLE, "no queue is bound to x");
        assert_eq!(refusal.clone().under(true), refusal);
        let held = refusal.under(false).to_string();
        assert_eq!(
            held,
            "no queue is bound to x (reason 2087); USEDLQ(NO) holds the message; the pipe tries again"
        );
    }
}
