//! Memory that a program shares with the queue manager, as the program may have left it.

use std::io::IoSlice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use transport::rings::lane::{Consumer, Lane, Memory as _, Producer};

/// Words of the lane; the tail and the head come before them.
const WORDS: usize = 64;

/// Both ends of a lane whose words are written over with these between any two steps: no more comes out than
/// there is room for, and each step ends.
pub fn rings(bytes: &[u8]) {
    let memory: Arc<Box<[AtomicU64]>> = Arc::new((0..2 + WORDS).map(|_| AtomicU64::new(0)).collect());
    let lane = || Lane::new(Arc::clone(&memory), 0, 1, 2..2 + WORDS);
    let (mut consumer, mut producer) = (Consumer::new(lane()), Producer::new(lane()));
    let mut into = [0; 256];
    // Nine bytes each: what is written where, and what is done then.
    for scribble in bytes.chunks_exact(9) {
        let (place, value) =
            (usize::from(scribble[0]), u64::from_le_bytes(scribble[1..].try_into().expect("eight")));
        memory.words()[place % (2 + WORDS)].store(value, Ordering::Relaxed);
        let room = place % into.len();
        match consumer.read(&mut into[..room]) {
            Ok(moved) => assert!(moved.bytes <= room, "no more than there is room for"),
            // The connection ends here.
            Err(scribbled) => return drop(scribbled.to_string()),
        }
        match producer.write(&[IoSlice::new(&scribble[..place % 9]), IoSlice::new(&[7; 40])]) {
            Ok(moved) => assert!(moved.bytes <= 48, "no more than there is"),
            Err(scribbled) => return drop(scribbled.to_string()),
        }
        if consumer.falls_asleep() {
            consumer.wakes_up();
        }
        let _ = producer.ask_for_room();
    }
}
