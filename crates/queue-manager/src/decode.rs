//! Everything the engine reads back, for fuzzing.

use crate::{message, restart};

/// Takes `bytes` for each kind of thing the engine reads back from log and checkpoint. Returns, whatever they are.
pub fn decode_any(bytes: &[u8]) {
    if let Ok(descriptor) = message::encoding::decode(bytes) {
        let again = message::encoding::decode(&message::encoding::encode(&descriptor));
        assert_eq!(again.ok().as_ref(), Some(&descriptor), "decoding is the inverse of encoding");
    }
    restart::decode_snapshot(bytes);
}
