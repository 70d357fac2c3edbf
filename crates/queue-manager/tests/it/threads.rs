//! Many threads at once: nothing lost, nothing twice, nobody waits for ever.

#![expect(clippy::disallowed_methods, reason = "these tests are about real threads")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, PutFlags, PutOptions, Reason, Wait};
use parking_lot::{Condvar, Mutex};
use platform::simulated::Random;
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Gated, Get, GotMessage, Outcome, QueueManager, WaitToken,
};

use crate::support::*;

const PRODUCERS: u64 = 3;
const CONSUMERS: u64 = 3;
const MESSAGES: u64 = 200;

/// Jobs are this late at most by the clock of the queue manager, in milliseconds, which goes faster than that
/// of the wall: a get that has waited for room for five seconds is refused, and it takes several jobs to make
/// some.
const STEPS_WITHOUT_JOBS_MAX: u32 = 500;

#[derive(Default)]
struct Inbox {
    outcomes: Mutex<Vec<(WaitToken, Outcome<GotMessage>)>>,
    arrived: Condvar,
}

impl Completions for Inbox {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.outcomes.lock().push((token, outcome));
        self.arrived.notify_all();
    }
}

/// Ends the test for all when one thread panics.
struct Alarm<'a> {
    done: &'a AtomicBool,
    over: &'a AtomicBool,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.done.store(true, Ordering::Release);
            self.over.store(true, Ordering::Release);
        }
    }
}

fn connect(manager: &QueueManager) -> (Connection, Arc<Inbox>) {
    let inbox = Arc::new(Inbox::default());
    let request = ConnectRequest {
        accounting: mqi::AccountingChoice::default(),
        application: "thread".to_owned(),
        origin: "embedded".to_owned(),
        channel: mqi::ObjectName::BLANK,
        process: 0,
        instance: [0; 16],
        generation: 0,
        principal: principal("tester"),
        completions: inbox.clone(),
    };
    (settle(manager, manager.connect(request)).unwrap(), inbox)
}

/// Waits until the value may be known; somebody else drives too.
fn settle<T>(manager: &QueueManager, gated: Gated<T>) -> T {
    let mut gated = gated;
    loop {
        match gated.open(manager.drive()) {
            Ok(value) => return value,
            Err(back) => gated = back,
        }
    }
}

fn produce(manager: &QueueManager, producer: u64, over: &AtomicBool) {
    let mut random = Random::new(producer);
    let (mut connection, _) = connect(manager);
    let object = ObjectDescriptor::queue("Q".parse().unwrap());
    let handle = settle(manager, connection.open(&object, OUTPUT)).unwrap().handle;
    let mut number = 0;
    while number < MESSAGES {
        let persistent = random.next_u64().is_multiple_of(2);
        let batch = 1 + random.next_u64() % 4;
        let stands = !random.next_u64().is_multiple_of(5);
        for index in 0..batch {
            let body = format!("{producer} {}", number + index);
            let options = PutOptions::with(PutFlags::SYNCPOINT);
            let mut put = || connection.put(handle, &message(persistent), &options, body.clone().into());
            while let Err(reason) = settle(manager, put()) {
                // The log is small: the housekeeper makes room.
                assert_eq!(reason, Reason::STORAGE_MEDIUM_FULL);
                assert!(!over.load(Ordering::Acquire), "nobody makes room any more: another thread failed");
                std::thread::yield_now();
            }
        }
        let ended = if stands { connection.commit(None) } else { connection.back() };
        settle(manager, ended).unwrap();
        number += if stands { batch } else { 0 };
    }
}

fn consume(
    manager: &QueueManager,
    consumer: u64,
    got: &Mutex<BTreeSet<(u64, u64)>>,
    done: &AtomicBool,
    over: &AtomicBool,
) {
    let mut random = Random::new(1000 + consumer);
    let (mut connection, mut inbox) = connect(manager);
    let object = ObjectDescriptor::queue("Q".parse().unwrap());
    let mut handle = settle(manager, connection.open(&object, INPUT)).unwrap().handle;
    let mut token = 0;
    while !done.load(Ordering::Acquire) {
        token += 1;
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::Milliseconds(50));
        let any = MessageDescriptor::default();
        let outcome = match connection.get(Ask::new(handle, &any, &options, 100, WaitToken(token))) {
            Get::Done(outcome) => outcome,
            Get::Waiting if random.next_u64().is_multiple_of(4) && connection.cancel(WaitToken(token)) => {
                continue;
            }
            Get::Waiting => match wait_for(&inbox, WaitToken(token), over) {
                Some(outcome) => outcome,
                None => return,
            },
        };
        let message = match settle(manager, outcome) {
            Ok(message) => text(&message),
            Err(Reason::NO_MSG_AVAILABLE) => continue,
            Err(reason) => panic!("{reason}"),
        };
        match random.next_u64() % 8 {
            0 => settle(manager, connection.back()).unwrap(),
            1 => {
                // The connection breaks: what it had got goes to another.
                drop(connection);
                (connection, inbox) = connect(manager);
                handle = settle(manager, connection.open(&object, INPUT)).unwrap().handle;
            }
            _ => {
                settle(manager, connection.commit(None)).unwrap();
                let (producer, number) = message.split_once(' ').unwrap();
                let name = (producer.parse().unwrap(), number.parse().unwrap());
                assert!(got.lock().insert(name), "{message} came twice");
            }
        }
    }
}

/// None when another thread failed, and nobody keeps house any more.
fn wait_for(inbox: &Inbox, token: WaitToken, over: &AtomicBool) -> Option<Outcome<GotMessage>> {
    let mut outcomes = inbox.outcomes.lock();
    for _ in 0..200 {
        if over.load(Ordering::Acquire) {
            return None;
        }
        if let Some(index) = outcomes.iter().position(|(other, _)| *other == token) {
            return Some(outcomes.remove(index).1);
        }
        inbox.arrived.wait_for(&mut outcomes, Duration::from_millis(100));
    }
    panic!("a wait of 50 ms has no outcome after 20 s");
}

#[test]
fn every_committed_message_is_got_once_among_commits_backouts_and_breaks() {
    every_committed_message_is_got_once(Duration::ZERO);
}

/// Gets and backouts fill the small log many times while the job that makes room is late: puts are refused
/// and tried again, gets wait for room, and none is refused.
#[test]
fn every_committed_message_is_got_once_although_jobs_are_late() {
    every_committed_message_is_got_once(Duration::from_millis(40));
}

fn every_committed_message_is_got_once(jobs_are_late_by: Duration) {
    let bench = Bench::with(settings(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(1000000)");
    let manager = bench.manager.clone();
    let got = Mutex::new(BTreeSet::new());
    let done = AtomicBool::new(false);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (done, over) = (&done, &over);
        let _alarm = Alarm { done, over };
        let keeper = scope.spawn(|| {
            let mut jobs_began = std::time::Instant::now();
            let mut steps = 0;
            while !over.load(Ordering::Acquire) {
                bench.machine.clock.advance(Duration::from_millis(1));
                steps += 1;
                if jobs_began.elapsed() >= jobs_are_late_by || steps == STEPS_WITHOUT_JOBS_MAX {
                    bench.run_jobs();
                    (jobs_began, steps) = (std::time::Instant::now(), 0);
                }
                bench.manager.tick();
                manager.drive();
                std::thread::yield_now();
            }
        });
        let consumers: Vec<_> = (0..CONSUMERS)
            .map(|consumer| {
                let (manager, got) = (&manager, &got);
                scope.spawn(move || {
                    let _alarm = Alarm { done, over };
                    consume(manager, consumer, got, done, over);
                })
            })
            .collect();
        let producers: Vec<_> = (0..PRODUCERS)
            .map(|producer| {
                let manager = &manager;
                scope.spawn(move || {
                    let _alarm = Alarm { done, over };
                    produce(manager, producer, over);
                })
            })
            .collect();
        for producer in producers {
            producer.join().unwrap();
        }
        for _ in 0..15_000 {
            if messages(&manager) == 0 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        done.store(true, Ordering::Release);
        for consumer in consumers {
            consumer.join().unwrap();
        }
        over.store(true, Ordering::Release);
        keeper.join().unwrap();
    });
    let got = got.into_inner();
    for producer in 0..PRODUCERS {
        let numbers: Vec<_> =
            got.range((producer, 0)..(producer + 1, 0)).map(|(_, number)| *number).collect();
        assert!(numbers.len() as u64 >= MESSAGES, "producer {producer}: {}", numbers.len());
        assert!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "producer {producer} lost a message");
    }
    assert_eq!(bench.depth("Q"), 0);
}

/// Messages that are on the queue or that units of work hold.
fn messages(manager: &QueueManager) -> i32 {
    let command = objects::mqsc::parse("DISPLAY QSTATUS(Q) CURDEPTH UNCOM").unwrap();
    let response = settle(manager, manager.execute(&command[0]));
    let number = |keyword| response.rows[0].get(keyword).and_then(objects::Value::as_integer).unwrap();
    number("CURDEPTH") + number("UNCOM")
}

#[test]
fn a_put_that_begins_after_a_right_was_taken_away_is_refused_whatever_else_goes_on() {
    const ROUNDS: u64 = 30;
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(1)\nSET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    let set = |how: &str| {
        bench.mqsc(&format!("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('ada') {how}(PUT)"));
    };
    set("AUTHADD");
    let mut ada = bench.connect_user("ada");
    let handle = ada.open("Q", OUTPUT);
    // From here on the queue is full, which a put hears once its right was judged.
    ada.put(handle, false, "fills it");
    // Odd while the right is away: from the end of the command that took it to the beginning of the next.
    let (round, tries, over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let (done, refused) = std::thread::scope(|scope| {
        let putter = scope.spawn(|| {
            let _alarm = Alarm { done: &over, over: &over };
            let (mut done, mut refused) = (0_u64, 0_u64);
            while !over.load(Ordering::Acquire) {
                let before = round.load(Ordering::Acquire);
                let put =
                    ada.try_put(handle, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "x").map(drop);
                let is_away = before % 2 == 1 && round.load(Ordering::Acquire) == before;
                match put {
                    Err(Reason::Q_FULL) => done += 1,
                    Err(Reason::NOT_AUTHORIZED) => refused += 1,
                    other => panic!("{other:?}"),
                }
                let is_refused = put == Err(Reason::NOT_AUTHORIZED);
                assert!(is_refused || !is_away, "a put was let through in round {before}");
                tries.fetch_add(1, Ordering::Release);
            }
            (done, refused)
        });
        let _alarm = Alarm { done: &over, over: &over };
        // One that was under way at the change is over by the second.
        let pass = || {
            let until = tries.load(Ordering::Acquire) + 2;
            while tries.load(Ordering::Acquire) < until && !over.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
        };
        for _ in 0..ROUNDS {
            pass();
            set("AUTHRMV");
            round.fetch_add(1, Ordering::Release);
            pass();
            round.fetch_add(1, Ordering::Release);
            set("AUTHADD");
        }
        over.store(true, Ordering::Release);
        putter.join().unwrap()
    });
    assert!(done >= ROUNDS && refused >= ROUNDS, "{done} let through, {refused} refused");
}
