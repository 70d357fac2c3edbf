//! Random bytes that follow from a seed.

use parking_lot::Mutex;

use super::Random;
use crate::Entropy;

/// Random numbers of a simulated machine, in place of the operating system's.
#[derive(Debug)]
pub struct SeededEntropy {
    random: Mutex<Random>,
}

impl SeededEntropy {
    /// The bytes of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Mutex::new(Random::stream(seed, "entropy")) }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        self.random.lock().fill(bytes);
    }
}
