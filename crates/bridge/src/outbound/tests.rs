use channel::message::{BatchNumber, Line, Mark};
use mqi::MessageId;

use super::high::HighOutbound;
use super::*;
use crate::bind::set_up::{self, NOW};
use crate::exchange::{Books, DeadLetterUnit, GotMessage, Last, PreparedBranch, Stop};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::state::Published;

fn machine(delivery: Delivery) -> Outbound {
    let limits = Limits { messages_max: 2, ..Limits::default() };
    Outbound::new(Settings {
        host: "host:1".to_owned(),
        random: [1; 16],
        delivery,
        limits,
        uses_dead_letters: true,
        is_record_evictable: delivery == Delivery::Atomic,
    })
}

fn bind(machine: &mut Outbound, last: Last, books: Books) -> Vec<Call> {
    set_up::bind(machine, Event::Last(last), books)
}

fn got(number: u8) -> GotMessage {
    GotMessage { identifier: MessageId([number; 24]), bytes: 10, is_persistent: true, refusal: None }
}

fn mark(state: &PipeState, messages: &[GotMessage]) -> Mark {
    let mut fill = Fill::after(state.last, &Limits::default());
    messages.iter().for_each(|message| fill.take(message.facts(), true, NOW));
    fill.end(state.last)
}

/// A state behind one committed batch.
fn state(position: Position) -> PipeState {
    let begun = PipeState::default().with_line(Line(5));
    let mark = mark(&begun, &[got(1)]);
    begun.with_batch(mark, position)
}

fn prepared(state: &PipeState, messages: Vec<GotMessage>) -> PreparedBranch {
    PreparedBranch { line: state.line, mark: mark(state, &messages), messages }
}

fn local_calls(calls: &[Call]) -> Vec<&Local> {
    calls.iter().filter_map(|call| if let Call::Local(call) = call { Some(call) } else { None }).collect()
}

fn stop_of(calls: &[Call]) -> &Stop {
    let stop = calls.iter().find_map(|call| if let Call::Stop(stop) = call { Some(stop) } else { None });
    stop.unwrap_or_else(|| panic!("no stop in {calls:?}"))
}

#[test]
fn a_branch_in_doubt_is_settled_by_the_last_batch_of_a_fenced_system() {
    let state = state(Position::None);
    let messages = vec![got(2), got(3)];
    let in_doubt = mark(&state, &messages);
    for (theirs, expected) in [(in_doubt, "commit"), (state.last, "back out")] {
        let mut machine = machine(Delivery::Transaction);
        let branches = vec![prepared(&state, messages.clone())];
        let books = Books { state: Some(state.clone()), branches, notes: Vec::new() };
        let calls = bind(&mut machine, Last::Batch(Some((state.line, theirs))), books);
        let batch = BatchNumber(2);
        match (expected, local_calls(&calls)[0]) {
            ("commit", call) => assert_eq!(*call, Local::Commit { line: Line(5), batch }),
            (_, call) => assert_eq!(*call, Local::BackOut { line: Line(5), batch }),
        }
        assert_eq!(machine.state().unwrap().last, theirs);
    }
}

#[test]
fn a_side_that_was_restored_stops_the_pipe_with_both_numbers() {
    let ours = state(Position::None);
    let ahead = mark(&ours, &[got(9)]);
    for (state, theirs, texts) in [
        (Some(ours.clone()), Some((Line(5), Mark::START)), ["last batch is 0", "and 1 (chain"]),
        (Some(ours.clone()), Some((Line(5), ahead)), ["last batch is 2", "and 1 (chain"]),
        (Some(ours.clone()), Some((Line(6), ours.last)), ["0000000000000006 there", "0000000000000005 here"]),
        (Some(ours.clone()), None, ["none there", "0000000000000005 here"]),
        (None, Some((Line(5), ours.last)), ["0000000000000005 there", "RESET PIPE"]),
    ] {
        let mut machine = machine(Delivery::Transaction);
        let calls = bind(&mut machine, Last::Batch(theirs), Books { state, ..Books::default() });
        let text = stop_of(&calls).to_string();
        assert!(texts.iter().all(|part| text.contains(part)), "{text}");
        assert!(machine.is_stopped());
        assert_eq!(machine.step(Event::Tick, NOW * 2), [], "it waits for a person");
    }
}

#[test]
fn identifiers_that_contradict_each_other_stop_the_pipe() {
    let published = Published { last: 40, before: 38, sent: 38 };
    let state = state(Position::Published(published));
    let branch = prepared(&state, vec![got(2), got(3)]);
    for (theirs, is_in_doubt, stops) in [
        (40, false, false),
        (39, false, true),
        (41, false, true),
        (40, true, false),
        (42, true, false),
        (43, true, true),
    ] {
        let mut machine = machine(Delivery::Numbered);
        let branches = if is_in_doubt { vec![branch.clone()] } else { Vec::new() };
        let books = Books { state: Some(state.clone()), branches, notes: Vec::new() };
        let calls = bind(&mut machine, Last::Published(theirs), books);
        let stopped = calls.contains(&Call::Stop(Stop::Published { ours: 40, theirs }));
        assert_eq!(stopped, stops, "{theirs} {is_in_doubt}: {calls:?}");
    }
}

#[test]
fn a_branch_in_doubt_is_sent_again_with_the_same_identifiers_where_nothing_fences() {
    let state = state(Position::Published(Published::begin(40)));
    let refused =
        GotMessage { refusal: Some(Refusal::permanent(DeadReason::UNMAPPABLE, "no form")), ..got(3) };
    let noted = Note { line: Line(5), batch: BatchNumber(2), index: 0 };
    let branches = vec![prepared(&state, vec![got(2), refused, got(4)])];
    let mut machine = machine(Delivery::Numbered);
    let books = Books { state: Some(state), branches, notes: vec![noted] };
    let calls = bind(&mut machine, Last::Published(40), books);
    let batch = BatchNumber(2);
    // The first is a dead letter by its note; the second becomes one; both keep their numbers.
    let dead = Local::DeadLetter {
        line: Line(5),
        batch,
        index: 1,
        place: Some(1),
        reason: DeadReason::UNMAPPABLE,
        unit: DeadLetterUnit::Noted,
    };
    assert_eq!(calls[0], Call::Local(dead));
    assert_eq!(calls[1], Call::Foreign(Foreign::Send { batch, index: 2, id: Some(43) }));
    assert!(
        !local_calls(&calls).iter().any(|call| matches!(call, Local::BackOut { .. } | Local::Commit { .. }))
    );
    assert!(machine.is_in_doubt());
    machine.step(Event::Noted { batch, index: 1 }, NOW);
    let calls = machine.step(Event::Acknowledged { batch, index: 2 }, NOW);
    assert_eq!(*local_calls(&calls)[0], Local::Commit { line: Line(5), batch });
    let position = Position::Published(Published { last: 43, before: 40, sent: 40 });
    assert_eq!(machine.state().unwrap().position, position);
}

#[test]
fn a_batch_is_prepared_before_its_effect_can_be_seen_and_the_next_is_got_meanwhile() {
    let state = state(Position::None);
    for delivery in [Delivery::Transaction, Delivery::Atomic, Delivery::Confirmed] {
        let mut machine = machine(delivery);
        let last =
            if delivery.is_fenced() { Last::Batch(Some((Line(5), state.last))) } else { Last::Unknown };
        bind(&mut machine, last, Books { state: Some(state.clone()), ..Books::default() });
        let batch = BatchNumber(2);
        let mut calls =
            machine.step(Event::Got { batch, messages: vec![got(2), got(3)], is_idle: false }, NOW);
        let sends = |calls: &[Call]| {
            calls.iter().filter(|call| matches!(call, Call::Foreign(Foreign::Send { .. }))).count()
        };
        assert_eq!(sends(&calls), if delivery.sends_early() { 2 } else { 0 }, "{delivery:?}");
        if delivery.sends_early() {
            assert!(local_calls(&calls).is_empty(), "not prepared before they are safe in the transaction");
            machine.step(Event::Acknowledged { batch, index: 0 }, NOW);
            calls = machine.step(Event::Acknowledged { batch, index: 1 }, NOW);
        }
        assert!(matches!(
            local_calls(&calls)[..],
            [Local::Prepare { .. }, Local::Get { batch: BatchNumber(3), .. }]
        ));
        assert_eq!(
            machine.step(Event::Got { batch: BatchNumber(3), messages: vec![got(4)], is_idle: true }, NOW),
            []
        );
        let calls = machine.step(Event::Prepared(batch), NOW);
        assert_eq!(sends(&calls), if delivery.sends_early() { 0 } else { 2 }, "{delivery:?}");
        assert!(local_calls(&calls).is_empty(), "not committed before the foreign side has it");
        let calls = if delivery.is_fenced() {
            machine.step(Event::ForeignCommitted(batch), NOW)
        } else {
            machine.step(Event::Acknowledged { batch, index: 1 }, NOW);
            machine.step(Event::Acknowledged { batch, index: 0 }, NOW)
        };
        assert_eq!(*local_calls(&calls)[0], Local::Commit { line: Line(5), batch });
        // The next prepare stands behind that commit, and carries it.
        let next = if delivery.sends_early() {
            machine.step(Event::Acknowledged { batch: BatchNumber(3), index: 0 }, NOW)
        } else {
            calls
        };
        assert!(
            local_calls(&next)
                .iter()
                .any(|call| matches!(call, Local::Prepare { batch: BatchNumber(3), .. }))
        );
    }
}

#[test]
fn an_idle_pipe_makes_no_calls() {
    let state = state(Position::None);
    let mut machine = machine(Delivery::Transaction);
    let last = Last::Batch(Some((Line(5), state.last)));
    bind(&mut machine, last, Books { state: Some(state), ..Books::default() });
    machine.step(Event::Got { batch: BatchNumber(2), messages: Vec::new(), is_idle: true }, NOW);
    assert_eq!(machine.due_at(), None);
    for second in 0..60 {
        assert_eq!(machine.step(Event::Tick, NOW + Duration::from_secs(second)), []);
    }
    assert!(matches!(machine.step(Event::Arrived, NOW)[..], [Call::Local(Local::Get { .. })]));
}

#[test]
fn a_record_that_limits_evicted_begins_a_new_line_unless_a_batch_is_in_doubt() {
    let state = state(Position::None);
    let mut machine = machine(Delivery::Atomic);
    let books = Books { state: Some(state.clone()), ..Books::default() };
    let calls = bind(&mut machine, Last::Batch(None), books.clone());
    let Local::PutState { expected, state: next } = local_calls(&calls)[0] else { panic!("{calls:?}") };
    assert_eq!((expected.as_ref(), next.is_used), (Some(&state), false));
    assert_eq!(next.before.map(|before| before.mark), Some(state.last));

    let mut machine = self::machine(Delivery::Atomic);
    let branches = vec![prepared(&state, vec![got(2)])];
    let calls = bind(&mut machine, Last::Batch(None), Books { branches, ..books });
    assert!(stop_of(&calls).to_string().contains("RESOLVE INDOUBT"));
}

#[test]
fn a_branch_of_another_line_stops_the_pipe() {
    let state = state(Position::None);
    for (line, batch) in [(Line(6), 2), (Line(5), 3), (Line(5), 1)] {
        let mut machine = machine(Delivery::Confirmed);
        let branches = vec![PreparedBranch {
            line,
            mark: Mark { batch: BatchNumber(batch), ..Mark::START },
            messages: vec![got(2)],
        }];
        let books = Books { state: Some(state.clone()), branches, notes: Vec::new() };
        let calls = bind(&mut machine, Last::Unknown, books);
        assert!(matches!(stop_of(&calls), Stop::Branch { .. }), "{line} {batch}");
    }
}

#[test]
fn a_refused_message_of_a_transaction_is_a_dead_letter_of_its_batch_and_the_others_go_again() {
    let state = state(Position::None);
    let mut machine = machine(Delivery::Transaction);
    let last = Last::Batch(Some((Line(5), state.last)));
    bind(&mut machine, last, Books { state: Some(state), ..Books::default() });
    let batch = BatchNumber(2);
    machine.step(Event::Got { batch, messages: vec![got(2), got(3)], is_idle: true }, NOW);
    machine.step(Event::Acknowledged { batch, index: 0 }, NOW);
    let refusal = Refusal::permanent(DeadReason::TOO_LARGE, "too large");
    let calls = machine.step(Event::Refused { batch, index: Some(1), refusal }, NOW);
    let dead = Local::DeadLetter {
        line: Line(5),
        batch,
        index: 1,
        place: None,
        reason: DeadReason::TOO_LARGE,
        unit: DeadLetterUnit::Batch,
    };
    let again = Foreign::Send { batch, index: 0, id: None };
    assert_eq!(calls, [Call::Local(dead), Call::Foreign(Foreign::Abort), Call::Foreign(again)]);
    assert_eq!(
        machine.step(Event::Acknowledged { batch, index: 0 }, NOW),
        [],
        "an answer from before the abort"
    );
    machine.step(Event::Aborted, NOW);
    let calls = machine.step(Event::Acknowledged { batch, index: 0 }, NOW);
    assert!(matches!(local_calls(&calls)[0], Local::Prepare { .. }));
}

#[test]
fn a_pipe_that_ends_finishes_its_batch() {
    let state = state(Position::None);
    let mut machine = machine(Delivery::Transaction);
    let last = Last::Batch(Some((Line(5), state.last)));
    bind(&mut machine, last, Books { state: Some(state), ..Books::default() });
    let batch = BatchNumber(2);
    machine.step(Event::Got { batch, messages: vec![got(2)], is_idle: false }, NOW);
    machine.step(Event::End, NOW);
    // The get that was under way is answered first.
    machine.step(Event::Got { batch, messages: Vec::new(), is_idle: true }, NOW);
    let calls = machine.step(Event::Acknowledged { batch, index: 0 }, NOW);
    assert!(matches!(local_calls(&calls)[..], [Local::Prepare { .. }]), "{calls:?}");
    machine.step(Event::Prepared(batch), NOW);
    let calls = machine.step(Event::ForeignCommitted(batch), NOW);
    assert_eq!(calls, [Call::Local(Local::Commit { line: Line(5), batch }), Call::Reset]);
    assert!(machine.is_stopped());
}

#[test]
fn a_break_waits_longer_each_time_and_a_second_process_names_both_hosts() {
    let mut machine = machine(Delivery::Transaction);
    machine.step(Event::Start, NOW);
    let mut now = NOW;
    for wait in [100, 200, 400] {
        assert_eq!(machine.step(Event::Broken("gone".to_owned()), now), [Call::Reset]);
        assert_eq!(machine.due_at(), Some(now + Duration::from_millis(wait)));
        assert_eq!(machine.step(Event::Tick, now), []);
        now += Duration::from_millis(wait);
        assert_eq!(machine.step(Event::Tick, now), [Call::Local(Local::TakeSeat)]);
    }
    let mut seat = Seat::next(None, [2; 16], "host:1");
    for change in 0..=3 {
        let other = Seat { epoch: seat.epoch + 1, host: "other:7".to_owned(), ..seat.clone() };
        let ours = Seat::next(Some(&other), [2; 16], "host:1");
        let calls = machine.step(Event::SeatTaken { seat: ours.clone(), former: Some(other) }, now);
        seat = ours;
        if change == 3 {
            let text = stop_of(&calls).to_string();
            assert!(text.starts_with("host:1 and other:7 take the pipe from each other"), "{text}");
            return;
        }
        machine.step(Event::Broken("taken".to_owned()), now);
        now = machine.due_at().expect("it tries again");
        machine.step(Event::Tick, now);
    }
}

#[test]
fn without_dead_letters_a_refused_message_holds_the_pipe() {
    let state = state(Position::None);
    let mut machine = machine(Delivery::Transaction);
    machine.settings.uses_dead_letters = false;
    let last = Last::Batch(Some((Line(5), state.last)));
    bind(&mut machine, last, Books { state: Some(state), ..Books::default() });
    let refused =
        GotMessage { refusal: Some(Refusal::permanent(DeadReason::UNMAPPABLE, "no form")), ..got(2) };
    let calls =
        machine.step(Event::Got { batch: BatchNumber(2), messages: vec![refused], is_idle: true }, NOW);
    assert_eq!(calls, [Call::Reset]);
    assert!(machine.due_at().is_some() && !machine.is_stopped());
}

#[test]
fn a_high_pipe_commits_after_the_confirms() {
    let mut machine = HighOutbound::new("host:1".to_owned(), [1; 16], Limits::default(), true);
    let seat = Seat::next(None, [2; 16], "host:1");
    for event in [
        Event::Start,
        Event::SeatTaken { seat, former: None },
        Event::Begun,
        Event::Connected,
        Event::Books(Books::default()),
    ] {
        machine.step(event, NOW);
    }
    let batch = BatchNumber(1);
    let calls = machine.step(Event::Got { batch, messages: vec![got(1)], is_idle: true }, NOW);
    assert_eq!(calls, [Call::Foreign(Foreign::Send { batch, index: 0, id: None })]);
    let calls = machine.step(Event::Acknowledged { batch, index: 0 }, NOW);
    assert_eq!(calls, [Call::Local(Local::CommitUnit { expected: None, state: None })]);
}

proptest::proptest! {
    #[test]
    fn no_order_of_events_harms_a_machine(order in proptest::collection::vec((0..18_u8, 0..4_u64), 0..60), way in 0..4_usize) {
        let delivery = [Delivery::Transaction, Delivery::Atomic, Delivery::Numbered, Delivery::Confirmed][way];
        let mut machine = machine(delivery);
        let position = if delivery == Delivery::Numbered { Position::Published(Published::begin(4)) } else { Position::None };
        let state = state(position);
        let last = match delivery {
            Delivery::Numbered => Last::Published(4),
            Delivery::Confirmed => Last::Unknown,
            _ => Last::Batch(Some((Line(5), state.last))),
        };
        bind(&mut machine, last, Books { state: Some(state), ..Books::default() });
        let mut now = NOW;
        for (kind, number) in order {
            let (batch, index) = (BatchNumber(number), number);
            let refusal = Refusal::permanent(DeadReason::TOO_LARGE, "too large");
            now += Duration::from_millis(50);
            machine.step(match kind {
                0 => Event::Start,
                1 => Event::End,
                2 => Event::Tick,
                3 => Event::SeatTaken { seat: Seat::next(None, [2; 16], "host:1"), former: None },
                4 => Event::Begun,
                5 => Event::Books(Books::default()),
                6 => Event::StatePut,
                7 => Event::StateDiffers,
                8 | 9 => Event::Got { batch, messages: vec![got(2), got(3)], is_idle: number == 3 },
                10 => Event::Prepared(batch),
                11 => Event::Noted { batch, index },
                12 => Event::Connected,
                13 => Event::Last(last),
                14 => Event::Acknowledged { batch: BatchNumber(2), index },
                15 => Event::Refused { batch: BatchNumber(2), index: Some(index), refusal },
                16 => Event::ForeignCommitted(batch),
                _ => Event::Aborted,
            }, now);
        }
    }
}

#[test]
fn the_books_are_as_young_as_the_answer_that_they_are_compared_with() {
    let mut machine = machine(Delivery::Atomic);
    let mut order = Vec::new();
    let seat = Seat::next(None, [2; 16], "host:1");
    for event in [
        Event::Start,
        Event::SeatTaken { seat, former: None },
        Event::Begun,
        Event::Connected,
        Event::Last(Last::Batch(None)),
        Event::Books(Books::default()),
        Event::StatePut,
        Event::LineBegun,
    ] {
        order.extend(machine.step(event, NOW));
    }
    let [.., Call::Foreign(Foreign::AskLast), Call::Local(Local::ReadBooks), Call::Local(put), begin, ask] =
        &order[..]
    else {
        panic!("{order:?}")
    };
    let Local::PutState { state: begun, .. } = put else { panic!("{put:?}") };
    assert_eq!(*begin, Call::Foreign(Foreign::BeginLine { line: begun.line }));
    assert_eq!(*ask, Call::Foreign(Foreign::AskLast));
    // It stopped here, and another process sent a batch of the line meanwhile.
    let mark = mark(begun, &[got(1)]);
    let calls = machine.step(Event::Last(Last::Batch(Some((begun.line, mark)))), NOW);
    assert_eq!(calls, [Call::Local(Local::ReadBooks)], "the state of before says nothing");
    let state = Some(begun.with_batch(mark, Position::None));
    let calls = machine.step(Event::Books(Books { state, ..Books::default() }), NOW);
    assert!(matches!(calls[..], [Call::Local(Local::Get { batch: BatchNumber(2), .. })]), "{calls:?}");
}
