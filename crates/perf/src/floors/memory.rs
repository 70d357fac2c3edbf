//! Copying memory.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Bytes copied between two looks at the clock, or one block where that is more.
const BYTES_PER_LOOK: usize = 4 << 20;

/// Bytes a second, so many at a time.
pub(super) fn measure(bytes: usize, time: Duration) -> f64 {
    let (from, mut to) = (vec![0x5A_u8; bytes], vec![0_u8; bytes]);
    let times = (BYTES_PER_LOOK / bytes).max(1);
    let mut copied = 0_u64;
    let begun = Instant::now();
    while copied == 0 || begun.elapsed() < time {
        for _ in 0..times {
            to.copy_from_slice(black_box(&from));
            black_box(&to);
        }
        copied += (bytes * times) as u64;
    }
    copied as f64 / begun.elapsed().as_secs_f64()
}
