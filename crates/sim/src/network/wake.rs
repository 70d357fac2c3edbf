//! Wake-ups of agents, which the scheduler needs none of.

/// Agents are asked at random, woken or not.
pub(super) struct NoWake;

impl agents::Wake for NoWake {
    fn wake(&self) {}
}
