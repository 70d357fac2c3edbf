//! Bytes that cannot be guessed.

use std::fmt::Debug;

/// A source of random bytes: the operating system's, or a seed's under simulation.
pub trait Entropy: Send + Sync + Debug {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);

    /// Eight bytes as a number.
    fn next_u64(&self) -> u64 {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}
