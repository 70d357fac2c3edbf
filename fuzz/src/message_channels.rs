//! Frames between queue managers, from the first byte on, at either end.

use channel::message::frame::decode_any;

/// Any frame of a message channel.
pub fn message_channels(bytes: &[u8]) {
    if let Err(error) = decode_any(bytes) {
        // The partner is told of it.
        drop(error.to_string());
    }
}
