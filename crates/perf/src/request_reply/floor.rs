//! The least time of a round trip of one client on a machine: its forced writes and its ways over the socket,
//! each at the price of that machine.

use std::fmt;

use super::{Mode, Units};
use crate::floors::Floors;

/// The waits of a round trip, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Floor {
    /// Forced writes that are needed, or were counted if these are fewer.
    pub(crate) forces: f64,
    pub(crate) force_us: f64,
    /// Ways over the socket of which each must follow the one before.
    pub(crate) ways: u32,
    pub(crate) way_us: f64,
}

impl Floor {
    /// Of a round trip for which so many forced writes were counted.
    pub(crate) fn of(mode: Mode, units: Units, forces: f64, floors: &Floors) -> Self {
        Self {
            forces: forces.min(needed_forces(units)),
            force_us: floors.direct_write_us.unwrap_or(floors.fdatasync_us).p50,
            ways: ways(mode, units),
            way_us: floors.ping_pong_2_kib_us.p50 / 2.0,
        }
    }

    pub(crate) fn us(&self) -> f64 {
        self.forces * self.force_us + f64::from(self.ways) * self.way_us
    }
}

impl fmt::Display for Floor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:.1} µs: {:.2} forced writes of {:.1} µs and {:.0} ping-pongs of {:.1} µs",
            self.us(),
            self.forces,
            self.force_us,
            f64::from(self.ways) / 2.0,
            2.0 * self.way_us
        )
    }
}

/// Forced writes of which each must follow the one before: those of the request and of the reply, and where a
/// requester gets in a unit of work that of its end.
fn needed_forces(units: Units) -> f64 {
    match units {
        Units::None | Units::Responders => 2.0,
        Units::All => 3.0,
    }
}

/// Ways over the socket from the put of a request to its reply got for good.
///
/// A request and a reply go to the queue manager and from it: four ways. Where every call is a round trip a
/// put in a unit of work is answered before its commit is sent; where puts are asynchronous both go together.
/// A requester in units of work waits for the end of its second one as well.
fn ways(mode: Mode, units: Units) -> u32 {
    match (mode, units) {
        (_, Units::None) | (Mode::Pipelined, Units::Responders) => 4,
        (Mode::RoundTrips, Units::Responders) | (Mode::Pipelined, Units::All) => 6,
        (Mode::RoundTrips, Units::All) => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_forced_more_often_than_needed_is_not_part_of_the_floor() {
        let floors = Floors::by_hand();
        let floor = Floor::of(Mode::Pipelined, Units::None, 4.0, &floors);
        assert_eq!((floor.forces, floor.ways), (2.0, 4));
        assert!((floor.us() - (2.0 * 100.0 + 4.0 * 11.0)).abs() < 1e-9, "{floor}");
        assert_eq!(Floor::of(Mode::RoundTrips, Units::All, 4.0, &floors).ways, 10);
        assert_eq!(Floor::of(Mode::Pipelined, Units::All, 1.5, &floors).forces, 1.5);
    }
}
