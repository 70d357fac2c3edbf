//! Every order in which one end puts bytes in and the other takes them out or falls asleep, in the memory
//! model of the language, not of one machine. `cargo xtask test --only models` runs them.

use std::io::IoSlice;
use std::sync::Arc;

use platform::Parker;
use platform::sync::atomic::AtomicU64;
use platform::sync::{explore, loom};

use super::{Consumer, Lane, Producer};

/// Words for records: one of eight bytes fits, and half of a second.
const WORDS: usize = 4;

type Words = Arc<Box<[AtomicU64]>>;

fn ends() -> (Producer<Words>, Consumer<Words>) {
    let words: Words = Arc::new((0..2 + WORDS).map(|_| AtomicU64::new(0)).collect());
    let lane = || Lane::new(Arc::clone(&words), 0, 1, 2..2 + WORDS);
    (Producer::new(lane()), Consumer::new(lane()))
}

/// Puts numbers in, eight bytes each, and waits for room where there is none.
fn puts(mut producer: Producer<Words>, numbers: u64, to_consumer: &Parker, to_producer: &Parker) {
    for number in 0..numbers {
        let bytes = (number + 1).to_ne_bytes();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let moved = producer.write(&[IoSlice::new(rest)]).expect("nobody scribbles");
            if moved.wakes {
                to_consumer.unpark();
            }
            rest = &rest[moved.bytes..];
            if moved.bytes == 0 && !producer.ask_for_room().expect("nobody scribbles") {
                to_producer.park();
            }
        }
    }
}

/// Takes numbers out, and sleeps where there are none.
fn takes(mut consumer: Consumer<Words>, numbers: u64, to_consumer: &Parker, to_producer: &Parker) {
    let mut came: Vec<u8> = Vec::new();
    while came.len() < numbers as usize * 8 {
        let mut into = [0; 32];
        let moved = consumer.read(&mut into).expect("nobody scribbles");
        if moved.wakes {
            to_producer.unpark();
        }
        came.extend(&into[..moved.bytes]);
        if moved.bytes == 0 && consumer.falls_asleep() {
            to_consumer.park();
            consumer.wakes_up();
        }
    }
    let expected: Vec<u8> = (1..=numbers).flat_map(u64::to_ne_bytes).collect();
    assert_eq!(came, expected, "what went in comes out");
}

#[test]
fn bytes_that_are_put_in_come_out_whichever_end_sleeps() {
    explore(|| {
        let (producer, consumer) = ends();
        let (to_consumer, to_producer) = (Parker::new(), Parker::new());
        let putter = {
            let (to_consumer, to_producer) = (Arc::clone(&to_consumer), Arc::clone(&to_producer));
            loom::thread::spawn(move || puts(producer, 1, &to_consumer, &to_producer))
        };
        takes(consumer, 1, &to_consumer, &to_producer);
        putter.join().expect("it ends");
    });
}

#[test]
fn one_who_finds_no_room_goes_on_when_there_is_some() {
    explore(|| {
        let (producer, consumer) = ends();
        let (to_consumer, to_producer) = (Parker::new(), Parker::new());
        let putter = {
            let (to_consumer, to_producer) = (Arc::clone(&to_consumer), Arc::clone(&to_producer));
            loom::thread::spawn(move || puts(producer, 3, &to_consumer, &to_producer))
        };
        takes(consumer, 3, &to_consumer, &to_producer);
        putter.join().expect("it ends");
    });
}
