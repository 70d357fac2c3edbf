//! A program at the far end of a link, in any protocol, as the scheduler sees it.

use testing::history::{Event, Happening};

use super::link::{Link, LinkId, Protocol};

/// Everything that all programs asked and were told.
#[derive(Debug, Default)]
pub(super) struct History(pub(super) Vec<Event>);

impl History {
    pub(super) fn note(&mut self, client: u32, call: u64, what: Happening) {
        self.0.push(Event { at: self.0.len() as u64, client, call, what });
    }
}

/// The progress of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has no link.
    Away,
    /// It logs in and opens its queues.
    Entering,
    /// It works.
    Ready,
    /// It has ended its work and said so.
    Gone,
}

/// The aim of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Work,
    /// End the unit of work, then go.
    Finish,
    /// Get everything from this queue, then from the next.
    Drain(usize),
}

/// A program.
pub(super) trait Party {
    fn number(&self) -> u32;

    fn protocol(&self) -> Protocol;

    fn stage(&self) -> Stage;

    fn link(&self) -> Option<LinkId>;

    fn set_goal(&mut self, goal: Goal);

    /// Its name and the things that it waits for.
    fn describe(&self) -> String;

    /// Begins on a new link.
    fn connect(&mut self, link: LinkId);

    /// Makes a call if it has one to make, and sends what it can.
    fn turn(&mut self, link: &mut Link, restarts: u64, history: &mut History);

    /// Bytes arrive.
    ///
    /// # Errors
    /// Something that no queue manager may say.
    fn hear(&mut self, bytes: &[u8], restarts: u64, history: &mut History) -> Result<(), String>;

    /// The link is gone: answers under way will not be heard.
    fn lose_link(&mut self, history: &mut History);

    /// The queue manager backed out its unit of work, because the log needs its space.
    fn revoke(&mut self);

    /// Commits in doubt that turned out to stand, that did not, and that were repeated.
    fn resolved(&self) -> [u64; 3] {
        [0; 3]
    }
}
