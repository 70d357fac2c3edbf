use super::*;
use crate::history::{Action, Happening, MessageIdentity, Outcome};

/// Writes histories by hand, one moment after the other.
#[derive(Default)]
struct Script {
    events: Vec<Event>,
    calls: u64,
}

const QUEUE: &str = "ORDERS";

fn message(sequence: u64) -> MessageIdentity {
    MessageIdentity { putter: 1, sequence, crc: 77 }
}

fn put(sequence: u64, unit: Option<u64>) -> Action {
    Action::Put { queue: QUEUE.into(), message: message(sequence), priority: 4, persistent: true, unit }
}

fn get(unit: Option<u64>) -> Action {
    Action::Get { queue: QUEUE.into(), unit, selective: false }
}

impl Script {
    fn event(&mut self, client: u32, call: u64, what: Happening) {
        self.events.push(Event { at: self.events.len() as u64, client, call, what });
    }

    fn invoke(&mut self, client: u32, action: Action) -> u64 {
        self.calls += 1;
        self.event(client, self.calls, Happening::Invoke(action));
        self.calls
    }

    fn ok(&mut self, client: u32, action: Action, outcome: Outcome) {
        let call = self.invoke(client, action);
        self.event(client, call, Happening::Ok(outcome));
    }

    fn fail(&mut self, client: u32, action: Action) {
        let call = self.invoke(client, action);
        self.event(client, call, Happening::Fail("2053".into()));
    }

    fn put(&mut self, sequence: u64) {
        self.ok(1, put(sequence, None), Outcome::Done);
    }

    fn put_in(&mut self, unit: u64, sequence: u64) {
        self.ok(1, put(sequence, Some(unit)), Outcome::Done);
    }

    fn get(&mut self, client: u32, sequence: u64) {
        self.ok(client, get(None), Outcome::Message(message(sequence)));
    }

    fn get_in(&mut self, client: u32, unit: u64, sequence: u64) {
        self.ok(client, get(Some(unit)), Outcome::Message(message(sequence)));
    }

    fn commit(&mut self, client: u32, unit: u64) {
        self.ok(client, Action::Commit { unit }, Outcome::Done);
    }

    fn backout(&mut self, client: u32, unit: u64) {
        self.ok(client, Action::Backout { unit }, Outcome::Done);
    }

    fn depth(&mut self, depth: u64) {
        self.ok(9, Action::Depth { queue: QUEUE.into() }, Outcome::Depth(depth));
    }

    fn restart(&mut self) {
        self.event(0, 0, Happening::Restart);
    }

    fn drained(&mut self) {
        self.event(0, 0, Happening::Drained { queue: QUEUE.into() });
    }
}

/// The classes of fault in a history, once each.
fn classes(write: impl FnOnce(&mut Script)) -> Vec<Class> {
    let mut script = Script::default();
    write(&mut script);
    let verdict = check(&script.events);
    let mut classes: Vec<Class> = verdict.faults.iter().map(|fault| fault.class).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

fn clean(write: impl FnOnce(&mut Script)) {
    assert_eq!(classes(write), []);
}

#[test]
fn a_history_that_keeps_every_promise_is_clean() {
    let mut script = Script::default();
    script.depth(0);
    script.put(1);
    script.put_in(1, 2);
    script.put_in(1, 3);
    script.commit(1, 1);
    script.put_in(2, 4);
    script.backout(1, 2);
    script.fail(1, put(5, None));
    script.depth(3);
    script.get_in(2, 1, 1);
    script.get_in(2, 1, 2);
    script.backout(2, 1);
    script.get(3, 1);
    script.get_in(2, 2, 2);
    script.commit(2, 2);
    script.depth(1);
    script.restart();
    script.put(6);
    script.get(3, 3);
    script.get(3, 6);
    script.ok(3, get(None), Outcome::Empty);
    script.drained();
    let verdict = check(&script.events);
    assert!(verdict.is_clean(), "{verdict}");
    assert_eq!((verdict.tried, verdict.acknowledged, verdict.delivered), (6, 4, 4));
}

#[test]
fn what_is_unknown_may_have_happened_or_not() {
    for arrives in [true, false] {
        clean(|script| {
            script.invoke(1, put(1, None));
            script.put_in(1, 2);
            script.put_in(1, 3);
            script.invoke(1, Action::Commit { unit: 1 });
            script.restart();
            if arrives {
                script.get(2, 1);
                script.get(2, 2);
                script.get(2, 3);
            }
            script.drained();
        });
    }
    for comes_back in [true, false] {
        clean(|script| {
            script.put(1);
            script.put(2);
            script.get_in(2, 1, 1);
            script.invoke(2, get(Some(1)));
            script.invoke(2, Action::Commit { unit: 1 });
            script.restart();
            if comes_back {
                script.get(3, 1);
                script.get(3, 2);
            }
            script.drained();
        });
    }
}

#[test]
fn a_unit_whose_client_vanished_is_backed_out() {
    clean(|script| {
        script.put(1);
        script.put_in(1, 2);
        script.get_in(2, 1, 1);
        script.restart();
        script.get(3, 1);
        script.drained();
    });
}

#[test]
fn a_confirmed_put_that_is_not_there_is_lost() {
    assert_eq!(
        classes(|script| {
            script.put(1);
            script.drained();
        }),
        [Class::Lost]
    );
    assert_eq!(
        classes(|script| {
            script.put(1);
            script.get_in(2, 1, 1);
            script.backout(2, 1);
            script.drained();
        }),
        [Class::Lost],
        "a backout does not give back"
    );
    clean(|script| script.put(1));
}

#[test]
fn one_silent_get_excuses_one_missing_message() {
    let run = |missing: u64| {
        classes(|script| {
            for sequence in 1..=missing {
                script.put(sequence);
            }
            script.invoke(2, get(None));
            script.restart();
            script.drained();
        })
    };
    assert_eq!(run(1), []);
    assert_eq!(run(2), [Class::Lost]);
}

#[test]
fn a_non_persistent_message_may_go_with_a_restart_only() {
    for (restarts, expected) in [(true, vec![]), (false, vec![Class::Lost])] {
        let found = classes(|script| {
            let action = Action::Put {
                queue: QUEUE.into(),
                message: message(1),
                priority: 4,
                persistent: false,
                unit: None,
            };
            script.ok(1, action, Outcome::Done);
            if restarts {
                script.restart();
            }
            script.drained();
        });
        assert_eq!(found, expected);
    }
}

#[test]
fn a_message_given_out_twice_is_a_duplicate() {
    assert_eq!(
        classes(|script| {
            script.put(1);
            script.get(2, 1);
            script.get(3, 1);
        }),
        [Class::Duplicated]
    );
    assert_eq!(
        classes(|script| {
            script.put(1);
            script.get_in(2, 1, 1);
            script.get_in(3, 1, 1);
            script.backout(2, 1);
            script.commit(3, 1);
        }),
        [Class::Duplicated],
        "given out while another held it"
    );
}

#[test]
fn who_waited_longer_may_be_given_what_another_gave_back() {
    clean(|script| {
        script.put(1);
        let waits = script.invoke(2, get(Some(1)));
        script.get_in(3, 1, 1);
        script.backout(3, 1);
        script.event(2, waits, Happening::Ok(Outcome::Message(message(1))));
        script.backout(2, 1);
        script.get(4, 1);
        script.drained();
    });
}

#[test]
fn a_unit_that_the_queue_manager_backed_out_held_nothing_for_some_time() {
    for told in [Action::Commit { unit: 1 }, Action::Backout { unit: 1 }] {
        clean(|script| {
            script.put(1);
            script.get_in(2, 1, 1);
            script.get_in(3, 1, 1);
            script.fail(2, told);
            script.commit(3, 1);
            script.drained();
        });
    }
}

#[test]
fn a_confirmed_get_that_comes_back_with_a_restart_is_resurrected() {
    for within_unit in [true, false] {
        let found = classes(|script| {
            script.put(1);
            if within_unit {
                script.get_in(2, 1, 1);
                script.commit(2, 1);
            } else {
                script.get(2, 1);
            }
            script.restart();
            script.get(3, 1);
            script.drained();
        });
        assert_eq!(found, [Class::Resurrected]);
    }
}

#[test]
fn what_was_never_put_or_backed_out_or_not_yet_committed_is_a_phantom() {
    assert_eq!(classes(|script| script.get(2, 8)), [Class::Phantom]);
    let failed = |script: &mut Script| {
        script.fail(1, put(1, None));
        script.get(2, 1);
    };
    assert_eq!(classes(failed), [Class::Phantom]);
    let backed_out = |script: &mut Script| {
        script.put_in(1, 1);
        script.backout(1, 1);
        script.get(2, 1);
    };
    assert_eq!(classes(backed_out), [Class::Phantom]);
    let early = |script: &mut Script| {
        script.put_in(1, 1);
        script.get(2, 1);
        script.commit(1, 1);
    };
    assert_eq!(classes(early), [Class::Phantom]);
    let elsewhere = |script: &mut Script| {
        script.put(1);
        let action = Action::Get { queue: "OTHER".into(), unit: None, selective: false };
        script.ok(2, action, Outcome::Message(message(1)));
    };
    assert_eq!(classes(elsewhere), [Class::Phantom]);
}

#[test]
fn a_part_of_a_unit_of_work_is_torn() {
    let half_of_the_puts = |script: &mut Script| {
        script.put_in(1, 1);
        script.put_in(1, 2);
        script.invoke(1, Action::Commit { unit: 1 });
        script.restart();
        script.get(2, 2);
        script.drained();
    };
    assert_eq!(classes(half_of_the_puts), [Class::Torn]);
    let half_of_the_gets = |script: &mut Script| {
        script.put(1);
        script.put(2);
        script.get_in(2, 1, 1);
        script.get_in(2, 1, 2);
        script.invoke(2, Action::Commit { unit: 1 });
        script.restart();
        script.get(3, 2);
        script.drained();
    };
    assert_eq!(classes(half_of_the_gets), [Class::Torn]);
    let get_without_its_put = |script: &mut Script| {
        script.put(1);
        script.get_in(1, 1, 1);
        script.put_in(1, 2);
        script.invoke(1, Action::Commit { unit: 1 });
        script.restart();
        script.drained();
    };
    assert_eq!(classes(get_without_its_put), [Class::Torn]);
    let committed_half = |script: &mut Script| {
        script.put_in(1, 1);
        script.put_in(1, 2);
        script.commit(1, 1);
        script.get(2, 1);
        script.drained();
    };
    assert_eq!(classes(committed_half), [Class::Lost, Class::Torn]);
}

#[test]
fn a_later_message_before_an_earlier_one_is_inverted() {
    let swapped = |script: &mut Script| {
        script.put(1);
        script.put(2);
        script.get(2, 2);
        script.get(2, 1);
    };
    assert_eq!(classes(swapped), [Class::Inverted]);
    let swapped_after_backout = |script: &mut Script| {
        script.put(1);
        script.put(2);
        script.get_in(2, 1, 1);
        script.backout(2, 1);
        script.restart();
        script.get(3, 2);
        script.get(3, 1);
    };
    assert_eq!(classes(swapped_after_backout), [Class::Inverted]);
    let swapped_after_a_get_was_asked_again = |script: &mut Script| {
        script.put(1);
        script.put(2);
        script.put(3);
        let asked = script.invoke(4, get(None));
        script.restart();
        script.event(4, asked, Happening::Ok(Outcome::Message(message(1))));
        script.get(3, 3);
        script.get(3, 2);
    };
    assert_eq!(classes(swapped_after_a_get_was_asked_again), [Class::Inverted]);
}

#[test]
fn an_unreadable_message_may_be_passed_over_until_the_next_restart() {
    let met = |script: &mut Script| {
        script.put(1);
        script.put(2);
        script.ok(2, get(None), Outcome::Unreadable);
    };
    let passed_over = |script: &mut Script| {
        met(script);
        script.get(2, 2);
        script.restart();
        script.get(2, 1);
    };
    assert_eq!(classes(passed_over), []);
    let passed_over_later = |script: &mut Script| {
        met(script);
        script.restart();
        script.get(2, 2);
        script.get(2, 1);
    };
    assert_eq!(classes(passed_over_later), [Class::Inverted]);
}

#[test]
fn order_says_nothing_while_the_earlier_message_was_held() {
    clean(|script| {
        script.put(1);
        script.put(2);
        script.get_in(2, 1, 1);
        script.get(3, 2);
        script.backout(2, 1);
        script.get(3, 1);
        script.drained();
    });
    clean(|script| {
        script.put(1);
        script.put(2);
        script.invoke(4, get(None));
        script.get(3, 2);
        script.restart();
        script.get(3, 1);
        script.drained();
    });
    // The first attempt of a get held it until the restart, and the client asked again.
    clean(|script| {
        script.put(1);
        script.put(2);
        script.put(3);
        let asked = script.invoke(4, get(None));
        script.get(3, 2);
        script.restart();
        script.event(4, asked, Happening::Ok(Outcome::Message(message(1))));
        script.get(3, 3);
        script.drained();
    });
    clean(|script| {
        script.put(1);
        script.put(2);
        let action = Action::Get { queue: QUEUE.into(), unit: None, selective: true };
        script.ok(2, action, Outcome::Message(message(2)));
        script.get(2, 1);
    });
}

#[test]
fn a_changed_body_is_corrupted() {
    let changed = |script: &mut Script| {
        script.put(1);
        script.ok(2, get(None), Outcome::Message(MessageIdentity { crc: 78, ..message(1) }));
    };
    assert_eq!(classes(changed), [Class::Corrupted]);
    let unrecognised = |script: &mut Script| script.ok(2, get(None), Outcome::Unrecognised);
    assert_eq!(classes(unrecognised), [Class::Corrupted]);
}

#[test]
fn a_wrong_depth_is_told_only_when_nothing_is_under_way() {
    let wrong = |script: &mut Script| {
        script.put(1);
        script.depth(2);
    };
    assert_eq!(classes(wrong), [Class::Depth]);
    let after_a_crash = |script: &mut Script| {
        script.put(1);
        script.put_in(1, 2);
        script.restart();
        script.depth(2);
    };
    assert_eq!(classes(after_a_crash), [Class::Depth]);
    clean(|script| {
        script.put(1);
        script.put_in(1, 2);
        script.depth(2);
        script.invoke(1, Action::Commit { unit: 1 });
        script.restart();
        script.depth(2);
        script.depth(1);
    });
}

#[test]
fn a_history_that_cannot_be_is_told_from_a_broken_queue_manager() {
    let twice = |script: &mut Script| {
        script.put(1);
        script.put(1);
    };
    assert_eq!(classes(twice), [Class::Misrecorded]);
    assert_eq!(classes(|script| script.event(1, 5, Happening::Ok(Outcome::Done))), [Class::Misrecorded]);
}

#[test]
fn a_long_history_is_judged_in_a_moment() {
    let mut script = Script::default();
    for sequence in 0..20_000 {
        script.put(sequence);
    }
    for sequence in 0..20_000 {
        script.get(2, sequence);
    }
    script.drained();
    assert!(check(&script.events).is_clean());
}

#[test]
fn histories_of_several_processes_are_merged_and_a_cut_line_is_forgiven() {
    use std::io::Write;
    use std::sync::Arc;

    use platform::simulated::SimulatedClock;

    use crate::history::{Recorder, read_lines};

    let directory = tempfile::tempdir().unwrap();
    let clock = SimulatedClock::default();
    let paths = [directory.path().join("1.jsonl"), directory.path().join("2.jsonl")];
    let recorders: Vec<Recorder> = [1, 2]
        .into_iter()
        .zip(&paths)
        .map(|(client, path)| Recorder::to_file(client, Arc::new(clock.clone()), path).unwrap())
        .collect();
    let tick = || clock.advance(std::time::Duration::from_nanos(1));
    let call = recorders[0].invoke(put(1, None));
    tick();
    recorders[0].ok(call, Outcome::Done);
    tick();
    let call = recorders[1].invoke(get(None));
    tick();
    recorders[1].ok(call, Outcome::Message(message(1)));
    recorders[1].drained(QUEUE);
    let mut file = std::fs::File::options().append(true).open(&paths[1]).unwrap();
    file.write_all(b"{\"at\":5,\"cl").unwrap();
    let events = read_lines(&paths).unwrap();
    assert_eq!(events.len(), 5);
    let verdict = check(&events);
    assert!(verdict.is_clean() && verdict.delivered == 1, "{verdict}");

    std::fs::write(&paths[0], b"nonsense\n{}\n").unwrap();
    let text = read_lines(&paths).unwrap_err().to_string();
    assert!(text.contains("line 1") && text.contains("1.jsonl"), "{text}");
}
