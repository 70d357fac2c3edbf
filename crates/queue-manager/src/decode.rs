//! Everything the engine reads back, for fuzzing.

use queues::message;

use crate::restart;

/// Decodes `bytes` as each kind of thing that the engine reads back from log and checkpoint. Returns for any
/// bytes; true when they are one of these.
pub fn decode_any(bytes: &[u8]) -> bool {
    let descriptor = message::encoding::decode(bytes);
    if let Ok((fields, rights)) = &descriptor {
        let again = message::encoding::decode(&message::encoding::encode(fields, *rights));
        assert_eq!(again, descriptor, "decoding is the inverse of encoding");
    }
    let is_snapshot = restart::decode_snapshot(bytes);
    is_snapshot || descriptor.is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_checkpoint_with_units_in_doubt_is_read_and_none_that_is_cut_short() {
        let snapshot = include_bytes!("../../../fuzz/corpus/engine_state/in-doubt");
        assert!(super::decode_any(snapshot));
        // The part that a checkpoint of version 1 has not.
        for length in snapshot.len() - 250..snapshot.len() {
            assert!(!super::decode_any(&snapshot[..length]), "{length} bytes");
        }
    }

    #[test]
    fn an_object_with_an_identifier_that_is_never_given_is_refused() {
        let refused = include_bytes!("../../../fuzz/corpus/engine_state/last-identifier");
        assert!(!super::decode_any(refused));
    }
}
