//! Numbers of a seed.

/// A generator: the same seed gives the same numbers in every release.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// The generator of a seed.
    #[must_use]
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(super) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound, which is not zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound.max(1) as u64) as usize
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Sixteen bytes.
    pub(super) fn bytes(&mut self) -> [u8; 16] {
        (u128::from(self.word()) << 64 | u128::from(self.word())).to_be_bytes()
    }
}
