//! A requester and a responder outside units of work, each waiting for the other: no message of theirs is
//! logged.

use std::sync::Arc;
use std::time::Duration;

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Verbs};
use queue_manager::QueueManager;

use crate::running::{Place, address, command, connect, get, open, put};

const SOON: Duration = Duration::from_secs(10);
const ROUNDS: u8 = 50;

fn handed_over(engine: &QueueManager) -> u64 {
    engine.figures().queue_counters().iter().map(|(_, counters)| counters.handed_over).sum()
}

/// Asks and is answered, each time with a getter that waits on either side.
fn converse<V: Verbs + Send>(engine: &QueueManager, mut requester: V, mut responder: V) {
    let both = OpenOptions::OUTPUT;
    let (asks, hears) =
        (open(&mut requester, "Q", both), open(&mut requester, "R", OpenOptions::INPUT_SHARED));
    let (takes, answers) =
        (open(&mut responder, "Q", OpenOptions::INPUT_SHARED), open(&mut responder, "R", both));
    let before = engine.log().statistics();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for round in 0..ROUNDS {
                assert_eq!(get(&mut responder, takes, SOON, GetFlags::EMPTY), Ok(vec![round]));
                // The requester is to wait when its answer comes.
                std::thread::sleep(Duration::from_millis(5));
                put(&mut responder, answers, &[round], Persistence::Persistent, PutFlags::EMPTY).unwrap();
            }
        });
        for round in 0..ROUNDS {
            std::thread::sleep(Duration::from_millis(5));
            put(&mut requester, asks, &[round], Persistence::Persistent, PutFlags::EMPTY).unwrap();
            assert_eq!(get(&mut requester, hears, SOON, GetFlags::EMPTY), Ok(vec![round]));
        }
    });
    let after = engine.log().statistics();
    let handed = handed_over(engine);
    let records = after.records - before.records;
    println!("{handed} handed over, {records} records, {} forces", after.forces - before.forces);
    let logged = 2 * u64::from(ROUNDS) - handed;
    assert!(
        records <= 2 * logged,
        "{records} records for {logged} messages that were put and got by the log"
    );
    assert!(handed >= u64::from(ROUNDS), "{handed} of {} messages", 2 * u64::from(ROUNDS));
}

#[test]
fn programs_over_sockets_hand_messages_over() {
    let place = Place::new();
    let server = place.start();
    let address = address(&server);
    command(&mut connect(&address), "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)");
    converse(server.queue_manager(), connect(&address), connect(&address));
}

#[test]
fn threads_of_one_program_hand_messages_over() {
    let place = Place::new();
    let server = place.start();
    command(&mut connect(&address(&server)), "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)");
    drop(server);
    let embedded = server::embedded::QueueManager::open(place.directory.path(), &place.name).unwrap();
    let embedded = Arc::new(embedded);
    let (requester, responder) =
        (embedded.connect("requester").unwrap(), embedded.connect("responder").unwrap());
    converse(embedded.server().queue_manager(), requester, responder);
}
