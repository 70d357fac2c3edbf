//! Seats of channels: the instances that run, and the channels that are current, against their limits.
//!
//! Lives here: one count over message channels, server connections and those of AMQP. Lives elsewhere: the
//! instances (`instances`, `message_channels`), the values of the limits (the host).
//!
//! Always: an instance has a seat from its beginning to its end, whatever its type; the lock is a leaf.

use std::sync::Arc;

use platform::sync::Mutex;

/// The limits of MaxChannels and MaxActiveChannels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelLimits {
    /// Most channels that are current: those that run, retry, or are stopped.
    pub current_max: u32,
    /// Most instances that run.
    pub active_max: u32,
}

impl Default for ChannelLimits {
    /// As many as the server's default of connections, so that by itself neither stands before that.
    fn default() -> Self {
        Self { current_max: 10_000, active_max: 10_000 }
    }
}

/// The limit that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChannelsFull {
    /// MaxActiveChannels.
    #[error(
        "{0} channels run here, and limits.active_channels_max (MaxActiveChannels) allows no more: end some \
         (DISPLAY CHSTATUS(*) lists them), or raise it"
    )]
    Active(u32),
    /// MaxChannels.
    #[error(
        "{0} channels are current here, those that retry or are stopped included, and limits.channels_max \
         (MaxChannels) allows no more: end some (DISPLAY CHSTATUS(*) lists them), or raise it"
    )]
    Current(u32),
}

/// The seats of one queue manager.
#[derive(Default)]
pub(crate) struct Seats {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    limits: ChannelLimits,
    active: usize,
    clients_stopped: usize,
}

/// The seat of an instance. It is free when this is dropped.
pub(crate) struct Seat(Arc<Seats>);

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.state.lock().active -= 1;
    }
}

/// The seats as displays show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeatsTaken {
    pub(crate) limits: ChannelLimits,
    pub(crate) active: usize,
    pub(crate) current: usize,
}

impl Seats {
    /// Takes limits into use. Instances that are there stay.
    pub(crate) fn limit(&self, limits: ChannelLimits) {
        self.state.lock().limits = limits;
    }

    /// So many channels of clients are stopped, and none of their instances runs for that.
    pub(crate) fn note_clients_stopped(&self, count: usize) {
        self.state.lock().clients_stopped = count;
    }

    /// Takes a seat, while so many message channels retry or are stopped.
    pub(crate) fn take(self: &Arc<Self>, held: usize) -> Result<Seat, ChannelsFull> {
        let mut state = self.state.lock();
        let ChannelLimits { current_max, active_max } = state.limits;
        if state.active + state.clients_stopped + held >= current_max as usize {
            return Err(ChannelsFull::Current(current_max));
        }
        if state.active >= active_max as usize {
            return Err(ChannelsFull::Active(active_max));
        }
        state.active += 1;
        Ok(Seat(Arc::clone(self)))
    }

    /// The seats, while so many message channels retry or are stopped.
    pub(crate) fn taken(&self, held: usize) -> SeatsTaken {
        let state = self.state.lock();
        let current = state.active + state.clients_stopped + held;
        SeatsTaken { limits: state.limits, active: state.active, current }
    }
}
