//! A link: bytes in order, each way, until it is cut.

use std::collections::VecDeque;
use std::io::IoSlice;

use channel::Output;
use platform::simulated::Random;

/// Name of a program, before its number.
pub(super) const PROGRAM: &str = "program ";

/// Names a link: each is used once.
pub(super) type LinkId = u64;

/// The protocol of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// That of client channels.
    Channel,
    /// AMQP 1.0.
    Amqp,
}

/// Bytes on their way at most, each way: what the buffers of two systems hold.
const WAY_BYTES_MAX: usize = 256 << 10;

/// A link between a program and an agent.
#[derive(Debug, Default)]
pub(super) struct Link {
    pub(super) to_server: Way,
    pub(super) to_client: Way,
}

/// One direction.
#[derive(Debug, Default)]
pub(super) struct Way {
    bytes: VecDeque<u8>,
    is_cut: bool,
}

impl Way {
    /// Number of bytes that it still takes.
    pub(super) fn room(&self) -> usize {
        if self.is_cut { 0 } else { WAY_BYTES_MAX.saturating_sub(self.bytes.len()) }
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        if !self.is_cut {
            self.bytes.extend(bytes);
        }
    }

    /// The next bytes to arrive: any number of them.
    pub(super) fn arrive(&mut self, random: &mut Random) -> Vec<u8> {
        let there = self.bytes.len() as u64;
        let count = match random.below(4) {
            0 => random.below(there.min(40) + 1),
            1 => random.below(there + 1),
            _ => there,
        };
        self.bytes.drain(..usize::try_from(count).expect("in memory")).collect()
    }

    /// True if no more bytes will ever arrive.
    pub(super) fn is_over(&self) -> bool {
        self.is_cut && self.bytes.is_empty()
    }

    /// Nothing more is sent; of what is on its way, all up to some byte still arrives.
    fn cut(&mut self, random: &mut Random) {
        self.is_cut = true;
        let arrives = random.below(self.bytes.len() as u64 + 1);
        self.bytes.truncate(usize::try_from(arrives).expect("in memory"));
    }
}

impl Link {
    /// The program closes it: what it has sent still arrives.
    pub(super) fn close(&mut self) {
        self.to_server.is_cut = true;
        self.to_client.is_cut = true;
        self.to_client.bytes.clear();
    }

    /// The end that was called closes it: what it has sent still arrives.
    pub(super) fn close_by_server(&mut self) {
        self.to_server.is_cut = true;
        self.to_client.is_cut = true;
        self.to_server.bytes.clear();
    }

    /// The link breaks at any byte, and both ends may still read what was on its way.
    pub(super) fn break_off(&mut self, random: &mut Random) {
        self.to_server.cut(random);
        self.to_client.cut(random);
    }

    /// The link breaks: the program learns it at once and reads nothing more; what it had sent may still be
    /// read.
    pub(super) fn cut(&mut self, random: &mut Random) {
        self.to_server.cut(random);
        self.to_client.cut(random);
        self.to_client.bytes.clear();
    }
}

/// Takes up to so many bytes of an output, as a socket would.
pub(super) fn take(output: &mut Output, bytes_max: usize) -> Vec<u8> {
    let mut taken = Vec::new();
    while taken.len() < bytes_max && !output.is_empty() {
        let mut slices = [IoSlice::new(&[]); 8];
        let filled = output.slices(&mut slices);
        let before = taken.len();
        slices[..filled].iter().for_each(|slice| taken.extend_from_slice(slice));
        taken.truncate(bytes_max);
        output.advance(taken.len() - before);
    }
    taken
}
