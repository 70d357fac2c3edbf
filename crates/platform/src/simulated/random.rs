//! The generator of all simulations: small, fast, ours, so that a seed means the same for ever.
//!
//! xoshiro256** seeded through SplitMix64, both from the public-domain descriptions of Blackman and Vigna.
//! Not for secrets.

/// A stream of numbers that follows from its seed.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

/// One step of SplitMix64: spreads nearby seeds far apart.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

impl Random {
    /// The stream of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut state)) }
    }

    /// The stream of `seed` for one concern, so that drawing more for one does not shift the others.
    #[must_use]
    pub fn stream(seed: u64, concern: &str) -> Self {
        let mut hash = seed ^ 0xCBF2_9CE4_8422_2325;
        for byte in concern.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        Self::new(hash)
    }

    /// Eight random bytes as a number.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, all equally likely (to within 2^-64 of `bound`).
    ///
    /// # Panics
    /// When `bound` is zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "there is no number below zero");
        u64::try_from((u128::from(self.next_u64()) * u128::from(bound)) >> 64).expect("below the bound")
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// An index below `length`.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("an index fits")
    }

    /// True in `percent` of 100 draws.
    pub fn percent(&mut self, percent: u8) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// One of `choices`.
    ///
    /// # Panics
    /// When there is none.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    /// Brings `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.index(end + 1));
        }
    }

    /// Fills `bytes`.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.next_u64().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_for_ever() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..3).map(|_| random.next_u64()).collect();
        assert_eq!(drawn, [0xB3F2_AF6D_0FC7_10C5, 0x853B_5596_4736_4CEA, 0x92F8_9756_082A_4514]);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        assert_ne!(Random::stream(7, "crash").next_u64(), Random::stream(7, "workload").next_u64());
        assert_eq!(Random::stream(7, "crash").next_u64(), Random::stream(7, "crash").next_u64());
    }

    #[test]
    fn draws_stay_in_their_bounds_and_reach_all_values() {
        let mut random = Random::new(3);
        let mut seen = [0; 6];
        for _ in 0..600 {
            seen[random.index(6)] += 1;
            assert!((5..=7).contains(&random.between(5, 7)));
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
        let mut order: Vec<u32> = (0..20).collect();
        random.shuffle(&mut order);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(order != sorted && sorted == (0..20).collect::<Vec<_>>());
    }
}
