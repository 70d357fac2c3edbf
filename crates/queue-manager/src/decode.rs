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

#[cfg(test)]
mod tests {
    #[test]
    fn an_object_with_an_identifier_that_is_never_given_is_refused() {
        super::decode_any(include_bytes!("../../../fuzz/corpus/engine_state/last-identifier"));
    }
}
