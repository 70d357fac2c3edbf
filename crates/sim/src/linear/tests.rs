use super::*;

fn operation(call: Call, told: Told, began: u64, ended: u64) -> Operation {
    Operation { call, told, began, ended, clock: 0 }
}

fn put(message: MessageNumber, began: u64, ended: u64) -> Operation {
    let call = Call::Put { message, priority: 4, correlation: 0, expiry: None, in_unit: false };
    operation(call, Told::Done, began, ended)
}

fn get(told: Told, began: u64, ended: u64) -> Operation {
    operation(Call::Get { correlation: None, in_unit: false }, told, began, ended)
}

fn is_possible(history: &History) -> bool {
    linearize(history) == Verdict::Linearizable
}

#[test]
fn calls_at_one_time_may_be_in_any_order_and_others_not() {
    assert!(is_possible(&vec![vec![put(1, 1, 4)], vec![get(Told::Nothing, 2, 3)]]));
    assert!(is_possible(&vec![vec![put(1, 1, 4)], vec![get(Told::Message(1), 2, 3)]]));
    assert!(!is_possible(&vec![vec![put(1, 1, 2)], vec![get(Told::Nothing, 3, 4)]]));
    assert!(!is_possible(&vec![vec![put(1, 3, 4)], vec![get(Told::Message(1), 1, 2)]]));
}

#[test]
fn a_message_is_given_once_and_in_order() {
    let puts = vec![put(1, 1, 2), put(2, 3, 4)];
    let both = |one, other| vec![puts.clone(), vec![get(one, 5, 6)], vec![get(other, 7, 8)]];
    assert!(is_possible(&both(Told::Message(1), Told::Message(2))));
    assert!(!is_possible(&both(Told::Message(2), Told::Message(1))));
    assert!(!is_possible(&both(Told::Message(1), Told::Message(1))));
}

#[test]
fn what_a_unit_of_work_did_is_seen_when_it_stands() {
    let within = Call::Put { message: 1, priority: 4, correlation: 0, expiry: None, in_unit: true };
    let unit = |end| vec![operation(within, Told::Done, 1, 2), operation(end, Told::Done, 5, 6)];
    for (end, before, after, possible) in [
        (Call::Commit, Told::Nothing, Told::Message(1), true),
        (Call::Commit, Told::Message(1), Told::Nothing, false),
        (Call::Backout, Told::Nothing, Told::Nothing, true),
        (Call::Backout, Told::Nothing, Told::Message(1), false),
    ] {
        let getter = vec![get(before, 3, 4), get(after, 7, 8)];
        assert_eq!(is_possible(&vec![unit(end), getter]), possible, "{end:?} {before:?} {after:?}");
    }
}

#[test]
fn a_message_is_gone_when_its_time_is_over() {
    let brief = Call::Put { message: 1, priority: 4, correlation: 0, expiry: Some(1), in_unit: false };
    let putter = vec![operation(brief, Told::Done, 1, 2), operation(Call::Tick, Told::Done, 3, 4)];
    let late = |told, clock| vec![putter.clone(), vec![Operation { clock, ..get(told, 5, 6) }]];
    assert!(is_possible(&late(Told::Nothing, 1)));
    assert!(!is_possible(&late(Told::Message(1), 1)));
    let early = vec![putter.clone(), vec![get(Told::Message(1), 2, 6)]];
    assert!(is_possible(&early));
}

#[test]
fn a_browse_goes_on_from_where_it_stands() {
    let browse = |first, told, began| operation(Call::Browse { first }, told, began, began + 1);
    let putter = vec![put(1, 1, 2), put(2, 3, 4), put(3, 5, 6)];
    let browser = |third| {
        vec![
            browse(true, Told::Message(1), 7),
            browse(false, Told::Message(2), 9),
            browse(false, third, 13),
            browse(true, Told::Message(2), 15),
        ]
    };
    let getter = vec![get(Told::Message(1), 11, 12)];
    assert!(is_possible(&vec![putter.clone(), browser(Told::Message(3)), getter.clone()]));
    assert!(!is_possible(&vec![putter, browser(Told::Message(2)), getter]));
}
