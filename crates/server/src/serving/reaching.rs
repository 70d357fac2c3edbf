//! A connection of a message channel that this side opens, until the partner's machine has answered.

use std::sync::Arc;

use agents::{Agent, Answer, Close, Control, Output};
use bytes::BytesMut;
use platform::Monotonic;
use storage::{Durable, Lsn};
use transport::Wake;

use crate::channels::Call;

/// Stands for the agent of the channel, which is made when the connection is there.
pub(super) struct Reaching {
    /// Taken when the connection is there, or never will be.
    pub(super) call: Option<Call>,
    pub(super) wake: Arc<Wake>,
}

impl Agent for Reaching {
    fn receive(&mut self, _: &mut BytesMut) -> Result<(), Close> {
        Ok(())
    }

    fn has_more(&self) -> bool {
        false
    }

    fn is_let_in(&self) -> bool {
        // It was called by this side.
        true
    }

    fn wants_input(&self) -> bool {
        true
    }

    fn is_paced(&self) -> bool {
        false
    }

    fn holds_back(&self) -> bool {
        false
    }

    fn has_put_aside(&self) -> bool {
        false
    }

    fn release(&mut self, _: Durable, _: &mut Output) -> bool {
        false
    }

    fn lowest_need(&self) -> Option<Lsn> {
        None
    }

    fn waiting_for_log(&self) -> usize {
        0
    }

    fn go_on(&mut self) {}

    fn tick(&mut self, _: Monotonic) -> Result<(), Close> {
        Ok(())
    }

    fn stopped(&self) -> Option<Close> {
        let asked = self.call.as_ref().and_then(|call| call.run.asked());
        asked.map(|_| Close::ChannelStopped)
    }

    fn farewell(&mut self, _: &Close, _: &mut Output) {}

    fn take_control(&mut self) -> Option<Control> {
        None
    }

    fn answer(&mut self, _: &Control, _: &Answer) {}
}
