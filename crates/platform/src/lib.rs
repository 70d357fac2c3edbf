//! The outside world as small traits (disk, clock, entropy, parking) with their real and simulated implementations.
