//! A program that puts so many messages, several under way at once.

use std::collections::VecDeque;

use bytes::Bytes;
use channel::client::{self, Target};
use channel::frame::FRAGMENT_BYTES;
use channel::{Flags, Header, Kind, RequestNumber};
use mqi::{MessageDescriptor, Persistence, Priority, PutFlags, PutOptions, Reason};
use platform::simulated::Random;
use testing::history::{MessageIdentity, body};

use super::line::{CONVERSATION, Line, Told};

/// Puts under way at once.
const PIPELINE: usize = 6;

pub(super) struct Putter {
    random: Random,
    left: u64,
    /// Percent of messages that are persistent.
    persistent: u8,
    sequence: u64,
    asked: VecDeque<(RequestNumber, MessageIdentity)>,
    /// Messages with an answer to their put.
    pub(super) stand: Vec<MessageIdentity>,
}

impl Putter {
    pub(super) fn new(random: Random, left: u64, persistent: u8) -> Self {
        Self { random, left, persistent, sequence: 0, asked: VecDeque::new(), stand: Vec::new() }
    }

    pub(super) fn is_done(&self) -> bool {
        self.left == 0 && self.asked.is_empty()
    }

    pub(super) fn act(&mut self, line: &mut Line) {
        if self.left == 0 || self.asked.len() >= PIPELINE {
            return;
        }
        self.left -= 1;
        self.sequence += 1;
        let length = *self.random.pick(&[16, 100, 2_000, 9_000]);
        let (bytes, message) = body::make(line.number(), self.sequence, length);
        let is_persistent = self.random.percent(self.persistent);
        let descriptor = MessageDescriptor {
            persistence: if is_persistent { Persistence::Persistent } else { Persistence::NotPersistent },
            priority: Priority::new(*self.random.pick(&[4, 4, 4, 0, 9])),
            ..MessageDescriptor::default()
        };
        let number = line.request();
        let header = Header::new(Kind::Put, CONVERSATION, number).with(Flags::NONE);
        let (target, options) = (Target::Handle(line.handle()), PutOptions::with(PutFlags::NO_SYNCPOINT));
        let body = Bytes::from(bytes);
        let rest =
            client::put(&mut line.output, header, &target, &descriptor, &options, body, FRAGMENT_BYTES);
        assert!(rest.is_empty(), "it fits a frame");
        self.asked.push_back((number, message));
    }

    pub(super) fn hear(&mut self, told: Told) -> Result<(), String> {
        let Some((asked, message)) = self.asked.pop_front() else {
            return Err(format!("a putter was told {told:?}"));
        };
        match told {
            Told::Answer(request, Ok(())) if request == asked => self.stand.push(message),
            // It is not on the queue, and the next may be.
            Told::Answer(request, Err(Reason::STORAGE_MEDIUM_FULL | Reason::RESOURCE_PROBLEM))
                if request == asked => {}
            told => return Err(format!("{told:?} as the answer to {asked:?}")),
        }
        Ok(())
    }
}
