//! Every order in which connecting threads can meet, with the memory of the language and not that of one
//! machine. `cargo xtask test --only models` runs them.

use super::*;
use platform::sync::atomic::{AtomicUsize, Ordering};
use platform::sync::loom::{self, thread};
use std::time::Duration;

/// Longer than any order of steps takes: no thread may need the end of it.
const LONG: Duration = Duration::from_secs(3600);

/// A door with room for so many.
struct Door {
    places: AtomicUsize,
}

impl Door {
    fn take_place(&self) -> bool {
        let less = |places: usize| places.checked_sub(1);
        self.places.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).is_ok()
    }
}

/// Results of the threads that connect.
#[derive(Default)]
struct Street {
    doors: Doors<u32, Door>,
    opened: AtomicUsize,
    /// Attempts that are still to fail.
    failing: AtomicUsize,
}

impl Street {
    /// Goes in; the door, held open as a connection holds its socket.
    fn enter(&self, places: usize) -> Result<Arc<Door>, ()> {
        let has_room = |door: &Door| door.places.load(Ordering::Acquire) > 0;
        let join = |door: &Arc<Door>| door.take_place().then(|| Arc::clone(door));
        self.doors.enter(&1, Instant::now() + LONG, has_room, join, || {
            let less = |failing: usize| failing.checked_sub(1);
            if self.failing.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).is_ok() {
                return Err(());
            }
            self.opened.fetch_add(1, Ordering::AcqRel);
            let door = Arc::new(Door { places: AtomicUsize::new(places - 1) });
            Ok((Arc::clone(&door), door))
        })
    }
}

/// Connects so many threads at once where a door has so many places and so many attempts fail. Returns the
/// number of doors opened, and of threads inside. Every thread comes to an end.
fn meet(people: usize, places: usize, failing: usize) -> (usize, usize) {
    let street = Arc::new(Street { failing: AtomicUsize::new(failing), ..Street::default() });
    let others = Vec::from_iter((1..people).map(|_| {
        let street = Arc::clone(&street);
        thread::spawn(move || street.enter(places))
    }));
    let mut inside = vec![street.enter(places)];
    inside.extend(others.into_iter().map(|other| other.join().expect("it ends")));
    (street.opened.load(Ordering::Acquire), inside.iter().flatten().count())
}

#[test]
fn two_who_come_together_share_one_door() {
    loom::model(|| assert_eq!(meet(2, 2, 0), (1, 2)));
}

#[test]
fn two_who_do_not_fit_behind_one_door_open_two() {
    loom::model(|| assert_eq!(meet(2, 1, 0), (2, 2)));
}

#[test]
fn who_waited_for_an_attempt_that_failed_makes_one_of_its_own() {
    loom::model(|| assert_eq!(meet(2, 2, 1), (1, 1)));
}
