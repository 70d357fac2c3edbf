//! Processes that are killed while messages are on their way.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use client::{Connection, Options};
use ferry_bridge::definitions::Direction;
use mqi::{ObjectDescriptor, OpenOptions, Verbs as _};

use crate::installation::{Bridge, Pair, arrives_at, eventually, get, open, put, put_on, taken_from};

/// Kills of a run; `FERRY_KILLS` has another number for a long one.
const KILLS: u64 = 12;

/// The messages of a putter, whose connection breaks at times.
#[derive(Default)]
struct Put {
    /// Numbers that were answered.
    certain: Vec<u64>,
    /// Numbers whose put had no answer.
    uncertain: Vec<u64>,
}

/// Puts numbers until it is told to end.
fn put_numbers(port: u16, queue: &str, ends: &AtomicBool) -> Put {
    let mut done = Put::default();
    let mut number = 0;
    while !ends.load(Ordering::Relaxed) {
        let address = format!("127.0.0.1:{port}").parse().unwrap();
        let connection = Connection::connect(Options::to(address).application("putter").alone());
        let Ok(mut connection) = connection else {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let queue = ObjectDescriptor::queue(queue.parse().unwrap());
        let Ok(opened) = connection.open(&queue, OpenOptions::OUTPUT) else { continue };
        while !ends.load(Ordering::Relaxed) {
            number += 1;
            match put(&mut connection, opened.handle, format!("{number}").as_bytes()) {
                Ok(_) => done.certain.push(number),
                Err(_) => {
                    done.uncertain.push(number);
                    break;
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    done
}

#[test]
fn messages_that_go_out_are_there_once_after_kill_9_of_the_bridge_and_of_either_queue_manager() {
    kill_and_count(Direction::Out);
}

#[test]
fn messages_that_come_in_are_there_once_after_kill_9_of_the_bridge_and_of_either_queue_manager() {
    kill_and_count(Direction::In);
}

fn kill_and_count(way: Direction) {
    let kills = std::env::var("FERRY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let mut pair = Pair::of(way, "BATCHSZ(20)");
    let mut bridge = Some(Bridge::start(&pair.left));
    let ends = Arc::<AtomicBool>::default();
    let (port, flag) = (pair.source(way).port, Arc::clone(&ends));
    let putter = std::thread::spawn(move || put_numbers(port, put_on(way), &flag));
    for kill in 0..kills {
        // Each kind meets batches at other steps: the time between is no multiple of theirs.
        std::thread::sleep(Duration::from_millis(400 + kill * 137 % 700));
        match kill % 3 {
            0 => {
                drop(bridge.take());
                bridge = Some(Bridge::start(&pair.left));
            }
            1 => pair.left.kill_and_start(),
            _ => pair.right.kill_and_start(),
        }
    }
    ends.store(true, Ordering::Relaxed);
    let done = putter.join().unwrap();
    assert!(done.certain.len() > 50, "{} messages were put", done.certain.len());
    let (source, target) = (pair.source(way), pair.target(way));
    eventually("the queue is empty", || (source.depth(taken_from(way)) == 0).then_some(()));
    let no_branch = || source.shown("DISPLAY CONN(*) TYPE(CONN) EXTURID", "EXTURID");
    eventually("no batch is in doubt", || {
        no_branch().iter().all(|unit| !unit.contains("[46525942]")).then_some(())
    });
    let mut arrived = BTreeMap::<u64, u32>::new();
    let mut order = Vec::new();
    let mut connection = target.connect();
    let from = open(&mut connection, arrives_at(way), OpenOptions::INPUT_SHARED);
    while let Some((_, body)) = get(&mut connection, from, Duration::from_millis(500)) {
        let number = String::from_utf8(body).unwrap().parse().unwrap();
        *arrived.entry(number).or_default() += 1;
        order.push(number);
    }
    let lost: Vec<_> = done.certain.iter().filter(|number| !arrived.contains_key(number)).collect();
    assert!(lost.is_empty(), "lost: {lost:?} of {}", done.certain.len());
    let doubled: Vec<_> = arrived.iter().filter(|(_, times)| **times > 1).collect();
    assert!(doubled.is_empty(), "doubled: {doubled:?}");
    assert!(order.is_sorted(), "out of order");
    let known = done.certain.len() + done.uncertain.len();
    assert!(arrived.len() <= known, "{} arrived of {known}", arrived.len());
    assert_eq!(pair.left.depth("DLQ"), 0);
}
