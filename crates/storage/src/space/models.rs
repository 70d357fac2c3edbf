//! Every order in which room is promised, used and given back. `cargo xtask test --only models` runs them.

use platform::sync::loom;

use super::*;

/// An account in which one more promise of a page fits, and no second.
fn nearly_full() -> Arc<Space> {
    let space = Arc::new(Space::new(64 << 10, 0));
    space.set_capacity(1 << 20);
    space.give(space.floor(Purpose::Fill) + 4096);
    space
}

#[test]
fn of_two_who_want_the_last_room_one_gets_it() {
    loom::model(|| {
        let space = nearly_full();
        let other = {
            let space = Arc::clone(&space);
            loom::thread::spawn(move || space.reserve(4096, Purpose::Fill).ok())
        };
        let mine = space.reserve(4096, Purpose::Fill).ok();
        let others = other.join().expect("it ends");
        assert_eq!(u8::from(mine.is_some()) + u8::from(others.is_some()), 1);
        assert_eq!(space.take_wanted(), 4096, "the one who got none is remembered");
        drop((mine, others));
        assert_eq!(space.free(), space.floor(Purpose::Fill) + 4096, "all of it came back");
    });
}

#[test]
fn room_that_a_record_did_not_need_comes_back_while_others_reserve() {
    loom::model(|| {
        let space = nearly_full();
        space.give(4096);
        let before = space.free();
        let other = {
            let space = Arc::clone(&space);
            loom::thread::spawn(move || {
                let mut promise = space.reserve(4096, Purpose::Drain).expect("there is room");
                promise.take(1000)
            })
        };
        let mut promise = space.reserve(8192, Purpose::Drain).expect("there is room");
        let part = promise.split(4096);
        let taken = promise.take(5000);
        promise.absorb(part);
        drop(promise);
        let taken = taken + other.join().expect("it ends");
        assert_eq!(space.free(), before - taken as i64);
    });
}
