//! The events that a queue notices by its depth, and by how soon its messages are got.
//!
//! Lives elsewhere: the conditions (`watch`), the demand for events and their content
//! (`instrumentation::performance`).

/// Performance event of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Performance {
    DepthHigh,
    DepthLow,
    QueueFull,
    ServiceIntervalHigh,
    ServiceIntervalOk,
}
