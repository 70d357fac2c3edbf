//! The seat: the right to work for a pipe, held by one process.
//!
//! A seat is a message for each thread of a pipe, with random bytes that never change, a number that grows
//! with each holder (the *epoch*), and the host of the holder. A process that binds puts it anew with the
//! next epoch. Then it begins its conversation with the instance that the random bytes make and the epoch as
//! its generation, so that the queue manager ends the conversation of the former holder and backs out its
//! open units.
//!
//! Lives here: seats, their text, the wait beside a holder that is alive, and the end of a contest.
//! Lives elsewhere: the message itself, and conversations (host, `channel`).
//!
//! Always: epochs only grow. The random bytes are handed in, and not to be guessed: any user may begin a
//! conversation of an instance that is known.

use std::collections::VecDeque;
use std::time::Duration;

use crate::digest::digest;
use crate::state::{Fault, Reader, hex};

/// Time in which a holder that reports nothing is taken for gone.
pub const SILENCE_MAX: Duration = Duration::from_secs(30);

/// Changes of the holder that end a pipe when they come within [`CONTEST_TIME`].
pub const CONTEST_CHANGES: usize = 3;

/// Time in which changes count as one contest.
pub const CONTEST_TIME: Duration = Duration::from_secs(60);

/// Longest name of a host, in bytes.
pub const HOST_BYTES_MAX: usize = 255;

/// A seat as its message has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seat {
    /// Bytes drawn when the pipe was first used.
    pub random: [u8; 16],
    /// Number of the holder; the first is 1.
    pub epoch: u64,
    /// Host and process of the holder.
    pub host: String,
}

/// The first line of the text of a seat.
const HEAD: &str = "ferry-bridge-seat 1";

impl Seat {
    /// The seat of the next holder. `random` counts only for the first.
    #[must_use]
    pub fn next(former: Option<&Self>, random: [u8; 16], host: &str) -> Self {
        let host = host.chars().filter(|character| !character.is_control()).collect::<String>();
        let end = (0..=HOST_BYTES_MAX.min(host.len())).rev().find(|end| host.is_char_boundary(*end));
        let host = host[..end.unwrap_or(0)].to_owned();
        match former {
            Some(former) => Self { random: former.random, epoch: former.epoch + 1, host },
            None => Self { random, epoch: 1, host },
        }
    }

    /// The instance with which the holder begins its conversation.
    #[must_use]
    pub fn instance(&self) -> [u8; 16] {
        digest(&[b"instance", &self.random])
    }

    /// The instance of the conversation with a foreign queue manager.
    #[must_use]
    pub fn foreign_instance(&self) -> [u8; 16] {
        digest(&[b"foreign instance", &self.random])
    }

    /// The text of its message.
    #[must_use]
    pub fn encode(&self) -> String {
        format!("{HEAD}\nrandom={}\nepoch={}\nhost={}\n", hex(&self.random), self.epoch, self.host)
    }

    /// Reads a seat.
    ///
    /// # Errors
    /// The line that is not as this release writes it.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        let mut reader = Reader::begin(text, HEAD)?;
        let seat = Self {
            random: reader.bytes("random")?,
            epoch: reader.number("epoch")?,
            host: reader.value("host")?.to_owned(),
        };
        reader.end()?;
        let is_seat = seat.epoch > 0 && seat.host.len() <= HOST_BYTES_MAX;
        if is_seat { Ok(seat) } else { Err(Fault { line: "epoch or host" }) }
    }
}

/// A holder that was heard of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its host.
    pub host: String,
    /// Time since its last report.
    pub silent: Duration,
}

/// Returns true if a process has to stand by: another one reports that it has the seat.
#[must_use]
pub fn stands_by(own: &str, reported: Option<&Holder>) -> bool {
    reported.is_some_and(|holder| holder.host != own && holder.silent < SILENCE_MAX)
}

/// Changes of the holder that this process has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contest {
    changes: VecDeque<Duration>,
}

impl Contest {
    /// Notes that another process had the seat. Returns true if the pipe has to stop: two processes take it
    /// from each other.
    pub fn note(&mut self, now: Duration) -> bool {
        while self.changes.front().is_some_and(|at| now.saturating_sub(*at) >= CONTEST_TIME) {
            self.changes.pop_front();
        }
        self.changes.push_back(now);
        self.changes.len() >= CONTEST_CHANGES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_holder_has_the_next_epoch_and_the_instance_stays() {
        let first = Seat::next(None, [7; 16], "one:12");
        let second = Seat::next(Some(&first), [9; 16], "two:13");
        assert_eq!((first.epoch, second.epoch), (1, 2));
        assert_eq!((second.random, second.instance()), ([7; 16], first.instance()));
        assert_ne!(first.instance(), Seat::next(None, [8; 16], "one:12").instance());
    }

    #[test]
    fn a_seat_reads_back_and_one_that_was_edited_does_not() {
        for host in ["one:12", "", "gr\u{fc}n = 1", "a\nb"] {
            let seat = Seat::next(None, [0xAB; 16], host);
            assert_eq!(Seat::decode(&seat.encode()), Ok(seat));
        }
        let long = "\u{fc}".repeat(200);
        assert_eq!(Seat::next(None, [0; 16], &long).host.len(), 254);
        let text = Seat::next(None, [0xAB; 16], "one").encode();
        for (wrong, line) in [
            (text.replace("epoch=1", "epoch=0"), "epoch or host"),
            (text.replace("epoch=1", "epoch=x"), "epoch"),
            (text.replace("AB", "ab"), "random"),
            (text.replace("host=one\n", ""), "host"),
            (format!("{text}more=1\n"), "end"),
            (text.replace("seat 1", "seat 2"), "head"),
            (String::new(), "head"),
        ] {
            assert_eq!(Seat::decode(&wrong), Err(Fault { line }), "{wrong}");
        }
    }

    #[test]
    fn a_process_stands_by_while_another_reports_the_seat() {
        let holder =
            |host: &str, seconds| Holder { host: host.to_owned(), silent: Duration::from_secs(seconds) };
        assert!(stands_by("a", Some(&holder("b", 29))));
        assert!(!stands_by("a", Some(&holder("b", 30))));
        assert!(!stands_by("a", Some(&holder("a", 0))));
        assert!(!stands_by("a", None));
    }

    #[test]
    fn the_third_change_in_a_minute_ends_a_contest() {
        let mut contest = Contest::default();
        let stops: Vec<bool> = [0, 59, 61, 62].map(|at| contest.note(Duration::from_secs(at))).into();
        assert_eq!(stops, [false, false, false, true]);
    }
}
