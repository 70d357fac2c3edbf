//! Hostile bytes for every decoder of bytes from outside.
//!
//! Lives here: one function for each target; it must return, whatever the bytes. `fuzz-gate` throws mutations of
//! the corpus at all of them on stable Rust for a set time; with the feature `libfuzzer` each is a coverage-guided
//! fuzzer of its own. Lives elsewhere: the decoders.
//!
//! Always: a target that panicked once keeps the input in its corpus.

/// A fuzz target: its name, which is also its folder in `corpus`, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 4] = [
    ("channel_frames", channel_frames),
    ("mqsc", mqsc),
    ("definition", definition),
    ("storage_files", storage_files),
];

/// What arrives on a client channel, from the first byte on.
pub fn channel_frames(bytes: &[u8]) {
    channel::decode_any(bytes);
}

/// Administration commands as text.
pub fn mqsc(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(errors) = objects::mqsc::parse(&text) {
        // What a person would be shown must be printable too.
        let _ = errors.to_string();
    }
}

/// An object's definition as it stands in the log.
pub fn definition(bytes: &[u8]) {
    if let Ok(definition) = objects::Definition::decode(bytes) {
        let again = objects::Definition::decode(&definition.encode()).expect("what was encoded is decoded");
        assert_eq!(again, definition, "decoding is the inverse of encoding");
    }
}

/// What a queue manager's own files may have become.
pub fn storage_files(bytes: &[u8]) {
    storage::decode_any(bytes);
}
