//! Operations under way at a moment of a history.

use std::collections::BTreeMap;

use testing::history::{Action, Event, Happening};

/// Operations that a kill interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moment {
    /// Units of work with something in them that were neither committed nor backed out.
    pub(super) open_units: usize,
    /// Puts in such units: asked for, and not acknowledged by a commit.
    pub(super) unacknowledged_puts: usize,
    /// Gets in such units.
    pub(super) uncommitted_gets: usize,
}

/// Returns the operations under way at this time.
pub(super) fn at(events: &[Event], time: u64) -> Moment {
    // For each unit how many puts and gets it has; removed when its end is answered.
    let mut units: BTreeMap<(u32, u64), (usize, usize)> = BTreeMap::new();
    let mut ends: BTreeMap<(u32, u64), u64> = BTreeMap::new();
    for event in events.iter().filter(|event| event.at < time) {
        match &event.what {
            Happening::Invoke(Action::Put { unit: Some(unit), .. }) => {
                units.entry((event.client, *unit)).or_default().0 += 1;
            }
            Happening::Invoke(Action::Get { unit: Some(unit), .. }) => {
                units.entry((event.client, *unit)).or_default().1 += 1;
            }
            Happening::Invoke(Action::Commit { unit } | Action::Backout { unit }) => {
                ends.insert((event.client, event.call), *unit);
            }
            Happening::Ok(_) | Happening::Fail(_) | Happening::Unknown => {
                if let Some(unit) = ends.remove(&(event.client, event.call)) {
                    units.remove(&(event.client, unit));
                }
            }
            _ => {}
        }
    }
    Moment {
        open_units: units.len(),
        unacknowledged_puts: units.values().map(|(puts, _)| puts).sum(),
        uncommitted_gets: units.values().map(|(_, gets)| gets).sum(),
    }
}

#[test]
fn a_unit_is_open_until_its_end_is_answered() {
    use testing::history::{MessageIdentity, Outcome};
    let message = MessageIdentity { putter: 1, sequence: 1, crc: 0 };
    let put = Action::Put { queue: "Q".into(), message, priority: 0, persistent: true, unit: Some(7) };
    let happenings = [
        (1, Happening::Invoke(put)),
        (1, Happening::Ok(Outcome::Done)),
        (2, Happening::Invoke(Action::Commit { unit: 7 })),
        (2, Happening::Ok(Outcome::Done)),
    ];
    let events: Vec<Event> = happenings
        .into_iter()
        .zip(10..)
        .map(|((call, what), at)| Event { at, client: 1, call, what })
        .collect();
    let open = Moment { open_units: 1, unacknowledged_puts: 1, uncommitted_gets: 0 };
    for (time, expected) in [(10, Moment::default()), (11, open), (13, open), (14, Moment::default())] {
        assert_eq!(at(&events, time), expected, "at {time}");
    }
}
