//! Every order in which a hand-over can be begun, delivered, taken back and dropped, and in which two
//! connections can hand messages to each other. `cargo xtask test --only models` runs them.

use platform::sync::loom::{self, thread};

use super::*;

/// A hand-over as far as its two sides share it.
struct Over {
    stage: Stage,
    handed: Mutex<Option<()>>,
    decision: Arc<Decision>,
}

/// The need of a message that was logged after all.
const LOGGED: Lsn = Lsn(7);

impl Over {
    fn offered() -> Arc<Self> {
        Arc::new(Self { stage: Stage::offered(), handed: Mutex::new(Some(())), decision: Decision::open() })
    }

    fn decide(&self, need: Lsn) {
        self.handed.lock().take().expect("who decides has the message");
        self.decision.decide(need);
    }

    /// The end of the getter.
    fn take_back(&self) -> bool {
        let is_taken = self.stage.advance(OFFERED, DECIDED);
        if is_taken {
            self.decide(LOGGED);
        }
        is_taken
    }

    /// Its connection; whether the bytes got there.
    fn send(&self, gets_there: bool) -> bool {
        if !self.stage.advance(OFFERED, SENDING) {
            return false;
        }
        if gets_there && self.stage.advance(SENDING, DECIDED) {
            self.decide(Lsn::ZERO);
            return true;
        }
        // The receipt is dropped with the connection.
        if self.stage.end() != DECIDED {
            self.decide(LOGGED);
        }
        false
    }
}

#[test]
fn a_hand_over_is_decided_once_and_its_putter_sees_how() {
    for gets_there in [false, true] {
        loom::model(move || {
            let over = Over::offered();
            let sender = {
                let over = Arc::clone(&over);
                thread::spawn(move || over.send(gets_there))
            };
            let ender = {
                let over = Arc::clone(&over);
                thread::spawn(move || over.take_back())
            };
            // The putter's answer leaves at any moment after the decision, and not before.
            let seen = over.decision.need();
            let (was_sent, was_taken) = (sender.join().expect("it ends"), ender.join().expect("it ends"));
            assert!(!(was_sent && was_taken), "one of the two");
            let decided = if was_sent { Lsn::ZERO } else { LOGGED };
            assert_eq!(over.decision.need(), Some(decided));
            assert!(seen.is_none_or(|seen| seen == decided), "it never changes");
            assert!(over.handed.lock().is_none(), "nobody has the message still");
        });
    }
}

#[test]
fn of_two_who_hand_to_each_other_one_does_at_most() {
    loom::model(|| {
        let sides = Arc::new([Side::default(), Side::default()]);
        let other = {
            let sides = Arc::clone(&sides);
            thread::spawn(move || Side::join_both(&sides[1], &sides[0]))
        };
        let (mine, other) = (Side::join_both(&sides[0], &sides[1]), other.join().expect("it ends"));
        assert!(!(mine && other), "each would wait for the other");
        for side in sides.iter() {
            assert!(mine || other || !side.is_putting() && !side.is_getting(), "nothing is left behind");
        }
        if mine {
            assert!(sides[0].is_putting() && sides[1].is_getting());
            sides[0].leave(1);
            sides[1].leave(-1);
            assert!(Side::join_both(&sides[1], &sides[0]), "the way is free again");
        }
    });
}

#[test]
fn hand_overs_of_one_side_count_each_other() {
    loom::model(|| {
        let sides = Arc::new([Side::default(), Side::default(), Side::default()]);
        let other = {
            let sides = Arc::clone(&sides);
            thread::spawn(move || {
                assert!(Side::join_both(&sides[0], &sides[2]), "a putter may hand to several");
                sides[2].leave(-1);
                sides[0].leave(1);
            })
        };
        assert!(Side::join_both(&sides[0], &sides[1]), "a putter may hand to several");
        assert!(sides[0].is_putting());
        other.join().expect("it ends");
        assert!(sides[0].is_putting(), "one of the two is open");
    });
}
