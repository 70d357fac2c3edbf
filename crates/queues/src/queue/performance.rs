//! The events that a queue notices by its depth, and by how soon its messages are got.
//!
//! Lives elsewhere: the conditions (`watch`), the demand for events and their content
//! (`instrumentation::performance`).

/// Performance event of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Performance {
    /// The depth has reached QDEPTHHI.
    DepthHigh,
    /// The depth has fallen to QDEPTHLO.
    DepthLow,
    /// A put found the queue full.
    QueueFull,
    /// No message was got for the service interval.
    ServiceIntervalHigh,
    /// Messages are got within the service interval again.
    ServiceIntervalOk,
}
