//! Losses of a conversion.

/// Characters that a conversion could not keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Characters the target does not have, each replaced by its substitute.
    pub substituted: usize,
    /// Runs of bytes that are no character of the source.
    pub malformed: usize,
}
