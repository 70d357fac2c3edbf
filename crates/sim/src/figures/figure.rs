//! One way of torturing, and its name.

use super::Tally;
use crate::torture::Maker;

/// One way of torturing.
pub trait Figure: Sync {
    /// Its name in the results: R1, R2, …
    fn id(&self) -> &'static str;
    /// True if it tortures subjects of this kind.
    fn suits(&self, _maker: &dyn Maker) -> bool {
        true
    }
    /// Does all cases of a seed.
    fn run(&self, maker: &dyn Maker, seed: u64, tally: &mut Tally);
}
