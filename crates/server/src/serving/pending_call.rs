//! A connection of a message channel that this side opens, until the partner's machine has answered.

use std::net::SocketAddr;
use std::sync::Arc;

use agents::{Agent, Close};
use bytes::BytesMut;
use platform::Monotonic;
use transport::Wake;

use crate::channels::Call;

/// Stands for the agent of the channel, which is made when the connection is there.
pub(super) struct PendingCall {
    /// Taken when the connection is there, or never will be.
    pub(super) call: Option<Call>,
    pub(super) wake: Arc<Wake>,
    /// The address of this end, once the connection is there.
    pub(super) local: Option<SocketAddr>,
}

impl Agent for PendingCall {
    fn receive(&mut self, _: &mut BytesMut) -> Result<(), Close> {
        Ok(())
    }

    fn is_let_in(&self) -> bool {
        // It was called by this side.
        true
    }

    fn tick(&mut self, _: Monotonic) -> Result<(), Close> {
        Ok(())
    }

    fn stopped(&self) -> Option<Close> {
        let asked = self.call.as_ref().and_then(|call| call.run.asked());
        asked.map(|_| Close::ChannelStopped)
    }
}
