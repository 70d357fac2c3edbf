use super::position::judge_source;
use super::*;
use crate::bind::set_up::{self, NOW};
use crate::seat::Seat;
use crate::state::Identity;

fn identity(byte: u8) -> Identity {
    Identity([byte; 16])
}

fn machine(source: Source) -> Inbound {
    Inbound::new(Settings {
        host: "host:1".to_owned(),
        random: [1; 16],
        source,
        is_high: false,
        limits: Limits::default(),
        prefetch: 10,
        uses_dead_letters: true,
    })
}

fn state(last: Option<u64>) -> PipeState {
    PipeState { position: Position::Source { identity: identity(7), last }, ..PipeState::default() }
}

fn bind(machine: &mut Inbound, facts: SourceFacts, state: Option<PipeState>) -> Vec<Call> {
    set_up::bind(machine, Event::Source(facts), Books { state, ..Books::default() })
}

fn receipt(receipt: u64, position: u64) -> Receipt {
    Receipt {
        receipt,
        position: Some(position),
        hash: None,
        is_redelivered: false,
        is_control: false,
        bytes: 10,
        refusal: None,
    }
}

const FACTS: SourceFacts = SourceFacts { identity: Identity([7; 16]), oldest: 0, next: 100 };

#[test]
fn a_source_is_read_behind_its_position_or_the_pipe_stops_with_both_numbers() {
    let facts = |byte, oldest, next| SourceFacts { identity: identity(byte), oldest, next };
    for (last, facts, expected) in [
        (Some(9), facts(7, 0, 20), Ok(position::Beginning::Behind(9))),
        (Some(9), facts(7, 10, 10), Ok(position::Beginning::Behind(9))),
        (Some(9), facts(7, 12, 20), Err(Stop::Gap { count: 2, oldest: 12, last: 9 })),
        (Some(9), facts(7, 0, 9), Err(Stop::SourceBehind { next: 9, last: 9 })),
        (Some(9), facts(8, 0, 20), Err(Stop::OtherSource { last: 9, next: 20 })),
        (None, facts(7, 5, 20), Ok(position::Beginning::Oldest)),
        (None, facts(8, 5, 20), Err(Stop::OtherSource { last: 0, next: 20 })),
    ] {
        assert_eq!(judge_source(Some(&state(last).position), &facts), expected, "{last:?} {facts:?}");
    }
    assert_eq!(judge_source(None, &facts(8, 5, 20)), Ok(position::Beginning::Oldest));
    assert_eq!(
        judge_source(Some(&Position::None), &facts(8, 5, 20)),
        Ok(position::Beginning::Oldest),
        "after RESET"
    );
    let text = Stop::Gap { count: 2, oldest: 12, last: 9 }.to_string();
    assert_eq!(
        text,
        "2 messages are gone: the source begins at 12 and the pipe stands at 9; RESET PIPE goes on from 12"
    );
}

#[test]
fn the_first_bind_puts_the_state_before_it_reads() {
    let mut machine = machine(Source::Positions { is_assigned: true });
    let calls = bind(&mut machine, SourceFacts { oldest: 5, ..FACTS }, None);
    assert_eq!(calls, [Call::Local(Local::PutState { expected: None, state: state(None) })]);
    let calls = machine.step(Event::StatePut, NOW);
    assert_eq!(calls[0], Call::Foreign(Foreign::Subscribe { from: Some(5) }));
}

#[test]
fn messages_and_position_are_committed_together_and_acknowledged_after_that() {
    let mut machine = machine(Source::Positions { is_assigned: false });
    let calls = bind(&mut machine, FACTS, Some(state(Some(4))));
    assert_eq!(calls[0], Call::Foreign(Foreign::Subscribe { from: Some(5) }));
    let calls = machine.step(Event::Received(receipt(0, 5)), NOW);
    let commit = |from, to| {
        let (expected, state) = (Some(state(Some(from))), Some(state(Some(to))));
        Call::Local(Local::CommitUnit { expected, state })
    };
    assert_eq!(calls, [Call::Local(Local::Put { receipt: 0, branch: None }), commit(4, 5)]);
    // Those that come meanwhile are the next unit; one that comes again is known.
    assert_eq!(
        machine.step(Event::Received(receipt(1, 6)), NOW),
        [Call::Local(Local::Put { receipt: 1, branch: None })]
    );
    assert_eq!(machine.step(Event::Received(receipt(2, 5)), NOW), [], "not durable yet, so not acknowledged");
    assert_eq!(
        machine.step(Event::Received(receipt(3, 3)), NOW),
        [Call::Foreign(Foreign::Acknowledge { receipt: 3 })]
    );
    let calls = machine.step(Event::Committed, NOW);
    assert_eq!(calls[0], Call::Foreign(Foreign::Acknowledge { receipt: 0 }));
    assert_eq!(calls.last(), Some(&commit(5, 6)));
}

#[test]
fn a_position_that_jumps_back_or_comes_twice_stops_a_reader_that_chose_it() {
    for second in [5, 6] {
        let mut machine = machine(Source::Positions { is_assigned: true });
        bind(&mut machine, FACTS, Some(state(Some(4))));
        // A compressed batch begins before the position that was asked for.
        assert_eq!(
            machine.step(Event::Received(receipt(0, 3)), NOW)[0],
            Call::Foreign(Foreign::Acknowledge { receipt: 0 })
        );
        machine.step(Event::Received(receipt(1, 6)), NOW);
        let calls = machine.step(Event::Received(receipt(2, second)), NOW);
        assert_eq!(calls.last(), Some(&Call::Stop(Stop::Backward { position: second, last: 6 })));
        assert!(machine.is_stopped());
    }
}

#[test]
fn a_position_that_moves_without_messages_is_put_once_a_minute() {
    let mut machine = machine(Source::Positions { is_assigned: true });
    bind(&mut machine, FACTS, Some(state(Some(4))));
    let control = Receipt { is_control: true, ..receipt(0, 5) };
    assert_eq!(machine.step(Event::Received(control), NOW), [Call::Foreign(Foreign::Credit { messages: 1 })]);
    let due = NOW + IDLE_POSITION_TIME;
    assert_eq!(machine.due_at(), Some(due));
    assert_eq!(machine.step(Event::Tick, due - Duration::from_millis(1)), []);
    let (expected, put) = (Some(state(Some(4))), Some(state(Some(5))));
    assert_eq!(machine.step(Event::Tick, due), [Call::Local(Local::CommitUnit { expected, state: put })]);
}

#[test]
fn another_state_than_expected_binds_anew() {
    let mut machine = machine(Source::Positions { is_assigned: true });
    bind(&mut machine, FACTS, Some(state(Some(4))));
    machine.step(Event::Received(receipt(0, 5)), NOW);
    assert_eq!(machine.step(Event::StateDiffers, NOW), [Call::Reset]);
    assert!(machine.due_at().is_some());
}

#[test]
fn a_message_without_a_form_is_a_dead_letter_of_its_unit() {
    let mut machine = machine(Source::Positions { is_assigned: true });
    bind(&mut machine, FACTS, Some(state(Some(4))));
    let refusal = Some(Refusal::permanent(crate::refusal::DeadReason::UNMAPPABLE, "no form"));
    let calls = machine.step(Event::Received(Receipt { refusal, ..receipt(0, 5) }), NOW);
    assert!(matches!(calls[0], Call::Local(Local::DeadLetter { index: 0, unit: DeadLetterUnit::Batch, .. })));
    assert!(matches!(calls[1], Call::Local(Local::CommitUnit { .. })));
}

#[test]
fn what_comes_again_is_known_by_its_hash_and_without_one_by_nothing() {
    let mut machine = machine(Source::Recent);
    let seat = Seat::next(None, [2; 16], "host:1");
    let recent = PipeState { position: Position::Recent([41, 42].into()), ..PipeState::default() };
    let books = Books { state: Some(recent), ..Books::default() };
    for event in [
        Event::Start,
        Event::SeatTaken { seat, former: None },
        Event::Begun,
        Event::Connected,
        Event::Books(books),
    ] {
        machine.step(event, NOW);
    }
    let told = |number, hash, is_redelivered| {
        Event::Received(Receipt { position: None, hash, is_redelivered, ..receipt(number, 0) })
    };
    let calls = machine.step(told(0, Some(42), true), NOW);
    assert_eq!(calls[0], Call::Foreign(Foreign::Acknowledge { receipt: 0 }), "it is durable here");
    let calls = machine.step(told(1, Some(42), false), NOW);
    assert_eq!(
        calls[0],
        Call::Local(Local::Put { receipt: 1, branch: None }),
        "another message of this identifier"
    );
    let calls = machine.step(told(2, None, true), NOW);
    assert_eq!(calls, [Call::Local(Local::Put { receipt: 2, branch: None })]);
}
