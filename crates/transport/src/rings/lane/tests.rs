use std::collections::VecDeque;
use std::io::IoSlice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Consumer, FLAG, Lane, Producer, Scribbled, kept};

/// Words of the lanes here: tail, head, and so many for records.
const WORDS: usize = 16;

type Words = Arc<Box<[AtomicU64]>>;

fn words() -> Words {
    Arc::new((0..2 + WORDS).map(|_| AtomicU64::new(0)).collect())
}

fn ends(words: &Words) -> (Producer<Words>, Consumer<Words>) {
    let lane = || Lane::new(Arc::clone(words), 0, 1, 2..2 + WORDS);
    (Producer::new(lane()), Consumer::new(lane()))
}

/// Numbers as chance has them, from a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn bytes_come_out_in_the_order_they_went_in_however_they_are_cut() {
    for seed in 0..200 {
        let mut chance = Chance(seed);
        let words = words();
        let (mut producer, mut consumer) = ends(&words);
        let (mut sent, mut put_in, mut taken) = (0_u8, VecDeque::new(), 0);
        while taken < 2_000 {
            let mut pieces = Vec::new();
            for _ in 0..chance.below(4) {
                let length = chance.below(60);
                let piece: Vec<u8> = (0..length).map(|at| sent.wrapping_add(at as u8)).collect();
                sent = sent.wrapping_add(length as u8);
                pieces.push(piece);
            }
            let slices: Vec<_> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
            let moved = producer.write(&slices).unwrap();
            let all: Vec<u8> = pieces.concat();
            put_in.extend(&all[..moved.bytes]);
            sent = sent.wrapping_sub((all.len() - moved.bytes) as u8);
            let mut into = vec![0; chance.below(80)];
            let moved = consumer.read(&mut into).unwrap();
            let expected: Vec<u8> = put_in.drain(..moved.bytes).collect();
            assert_eq!(into[..moved.bytes], expected, "seed {seed}");
            taken += moved.bytes;
        }
    }
}

#[test]
fn a_full_lane_takes_nothing_until_something_is_taken_out() {
    let words = words();
    let (mut producer, mut consumer) = ends(&words);
    assert_eq!(producer.write(&[IoSlice::new(&[7; 1_000])]).unwrap().bytes, (WORDS - 1) * 8);
    assert_eq!(producer.write(&[IoSlice::new(b"x")]).unwrap().bytes, 0);
    assert!(!producer.ask_for_room().unwrap());
    assert_eq!(consumer.read(&mut [0; 7]).unwrap().bytes, 0, "no whole word fits");
    let moved = consumer.read(&mut [0; 17]).unwrap();
    assert_eq!(
        (moved.bytes, moved.wakes),
        (16, false),
        "the bell was asked for once, and rung by what was read in vain"
    );
    assert_eq!(producer.write(&[IoSlice::new(&[8; 100])]).unwrap().bytes, 16);
}

#[test]
fn who_sleeps_is_woken_once_by_the_first_bytes() {
    let words = words();
    let (mut producer, mut consumer) = ends(&words);
    assert!(!producer.write(&[IoSlice::new(b"nobody sleeps")]).unwrap().wakes);
    assert!(!consumer.falls_asleep(), "there is something");
    assert_eq!(consumer.read(&mut [0; 64]).unwrap().bytes, 13);
    assert!(consumer.falls_asleep());
    assert!(producer.write(&[IoSlice::new(b"one")]).unwrap().wakes);
    assert!(!producer.write(&[IoSlice::new(b"two")]).unwrap().wakes);
    assert!(consumer.falls_asleep() ^ consumer.has_some());
    consumer.read(&mut [0; 64]).unwrap();
    assert!(consumer.falls_asleep());
    consumer.wakes_up();
    assert!(!producer.write(&[IoSlice::new(b"three")]).unwrap().wakes);
}

#[test]
fn who_waits_for_room_is_woken_by_who_reads() {
    let words = words();
    let (mut producer, mut consumer) = ends(&words);
    producer.write(&[IoSlice::new(&[1; 200])]).unwrap();
    assert!(!producer.ask_for_room().unwrap());
    assert!(consumer.read(&mut [0; 64]).unwrap().wakes);
    assert!(producer.ask_for_room().unwrap());
}

#[test]
fn positions_go_on_past_the_largest_number() {
    let words = words();
    let (mut producer, mut consumer) = ends(&words);
    let last = u64::MAX >> 1;
    (producer.tail, consumer.head) = (last, last);
    words[0].store(kept(last), Ordering::Relaxed);
    words[1].store(kept(last), Ordering::Relaxed);
    for round in 0..10 {
        assert_eq!(producer.write(&[IoSlice::new(&[round; 40])]).unwrap().bytes, 40);
        let mut into = [0; 40];
        assert_eq!(consumer.read(&mut into).unwrap().bytes, 40);
        assert_eq!(into, [round; 40]);
    }
}

#[test]
fn what_makes_no_sense_is_found() {
    let full = kept(WORDS as u64);
    for (what, word, value, expected) in [
        ("a tail beyond all room", 0, kept(WORDS as u64 + 1), "how far was written"),
        ("a tail behind the head", 0, kept(u64::MAX >> 1), "how far was written"),
        ("an empty record", 2, 0, "the length of a record"),
        ("a record longer than what is there", 2, WORDS as u64 * 8, "the length of a record"),
        ("a record of all bytes there could ever be", 2, u64::MAX, "the length of a record"),
    ] {
        let words = words();
        let (_, mut consumer) = ends(&words);
        words[0].store(full | FLAG, Ordering::Relaxed);
        words[2].store(8, Ordering::Relaxed);
        words[word].store(value, Ordering::Relaxed);
        assert_eq!(consumer.read(&mut [0; 64]), Err(Scribbled(expected)), "{what}");
    }
    let words = words();
    let (mut producer, mut consumer) = ends(&words);
    producer.write(&[IoSlice::new(&[1; 32])]).unwrap();
    consumer.read(&mut [0; 8]).unwrap();
    words[0].store(kept(3), Ordering::Relaxed);
    assert_eq!(consumer.read(&mut [0; 64]), Err(Scribbled("how much was written")), "a tail taken back");
    words[1].store(kept(99), Ordering::Relaxed);
    assert_eq!(producer.write(&[IoSlice::new(b"x")]), Err(Scribbled("how far was read")));
    assert_eq!(producer.ask_for_room(), Err(Scribbled("how far was read")));
}
