//! Bounds of a client's connection.

/// Limits of one connection. Each has its home in `ferry.toml`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Limits offered to the client.
    pub channel: channel::Limits,
    /// Refusals for every client.
    pub refuses: channel::Refusals,
    /// Seconds a client has for its first frame, and for each frame it began.
    pub login_seconds: u16,
    /// Frames run in one call of `receive`, so that connections take turns.
    pub frames_per_call: u32,
    /// Bytes of output, and of bodies that wait to be output, beyond which no more is encoded or read until
    /// some were written.
    pub output_bytes_max: usize,
    /// Replies that may wait at the gate or for room before no more is read.
    pub replies_max: usize,
    /// Gets that may wait at once on one connection; also commands, and marks in what comes ahead, that may
    /// wait for their answer at once in one conversation.
    pub waits_max: usize,
    /// Bytes of bodies that may be on their way in at once on one connection, one body being always allowed.
    pub arriving_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            channel: channel::Limits::default(),
            refuses: channel::Refusals::default(),
            login_seconds: 10,
            frames_per_call: 256,
            output_bytes_max: 4 * 1024 * 1024,
            replies_max: 10_000,
            waits_max: 10_000,
            arriving_bytes_max: 256 * 1024 * 1024,
        }
    }
}
