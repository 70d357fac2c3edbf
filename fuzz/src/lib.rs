//! Hostile bytes for every decoder of bytes from outside.
//!
//! Lives here: one function for each target; it must return, whatever the bytes. `fuzz-gate` throws
//! mutations of the corpus at all of them on stable Rust for a set time; with the feature `libfuzzer` each
//! is a coverage-guided fuzzer of its own. Lives elsewhere: the decoders.
//!
//! Every decoder of bytes from outside has a target: frames in both directions and the long answers in them
//! (`channel_frames`), credentials and compressed frames (`identify`, `compressed`), frames between queue
//! managers (`message_channels`), those of AMQP, connections of it, its messages and calls on branches
//! (`amqp_frames`, `amqp_connection`, `amqp_message`, `branch_calls`), MQSC (`mqsc`), its binary form
//! (`commands`), definitions (`definition`), blocks, records, extents, segments, spill files, their names
//! and manifest (`storage_files`), descriptors and checkpoints (`engine_state`), `ferry.toml`
//! (`configuration`), `qm.ini` (`qm_ini`), queues that MSMQ exported (`msmq_queues`), definitions of client
//! channels, tables of them and `mqclient.ini` (`client_channels`), texts of transaction managers
//! (`xa_openings`), selectors (`selector`), topic strings and patterns of them (`topic_strings`), the
//! headers of messages (`headers`), rules for dead letters (`dead_letter_rules`), messages of other
//! systems, rules and states of bridges (`bridge_messages`), memory shared with a program (`rings`), files
//! of certificates (`pem`) and of users (`users`), signed and encrypted messages (`protected`), names of
//! certificates and the texts of rules (`distinguished_names`, `addresses`, `profiles`, `format_names`),
//! requests for health (`health_requests`) and blocks of figures (`figures_block`). The error log and the
//! results are written and not read; scenario files are ours. `fuzz-seeds` takes seeds from real runs.
//!
//! Always: a target that panicked once keeps the input in its corpus.

mod amqp;
mod bridges;
mod client_channels;
mod dead_letters;
mod headers;
mod logins;
mod message_channels;
mod monitoring;
mod pem;
mod protected;
mod rings;
mod rules;
mod selectors;
mod settings;
mod topics;
mod users;

pub use amqp::{amqp_connection, amqp_frames, amqp_message, branch_calls};
pub use bridges::bridge_messages;
pub use client_channels::{client_channels, xa_openings};
pub use dead_letters::dead_letter_rules;
pub use headers::headers;
pub use logins::{compressed, identify};
pub use message_channels::message_channels;
pub use monitoring::{figures_block, health_requests};
pub use pem::pem;
pub use protected::{BODY, NOW, opens, policies, protected};
pub use rings::rings;
pub use rules::{addresses, distinguished_names, format_names, profiles};
pub use selectors::selector;
pub use settings::{configuration, msmq_queues, qm_ini};
pub use topics::topic_strings;
pub use users::users;

/// A fuzz target: its name, which is also its folder in `corpus`, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 33] = [
    ("channel_frames", channel_frames),
    ("identify", identify),
    ("compressed", compressed),
    ("message_channels", message_channels),
    ("amqp_frames", amqp_frames),
    ("amqp_connection", amqp_connection),
    ("amqp_message", amqp_message),
    ("branch_calls", branch_calls),
    ("mqsc", mqsc),
    ("commands", commands),
    ("definition", definition),
    ("storage_files", storage_files),
    ("selector", selector),
    ("topic_strings", topic_strings),
    ("headers", headers),
    ("engine_state", engine_state),
    ("configuration", configuration),
    ("qm_ini", qm_ini),
    ("msmq_queues", msmq_queues),
    ("client_channels", client_channels),
    ("xa_openings", xa_openings),
    ("dead_letter_rules", dead_letter_rules),
    ("rings", rings),
    ("distinguished_names", distinguished_names),
    ("addresses", addresses),
    ("format_names", format_names),
    ("profiles", profiles),
    ("pem", pem),
    ("protected", protected),
    ("users", users),
    ("bridge_messages", bridge_messages),
    ("health_requests", health_requests),
    ("figures_block", figures_block),
];

/// Input of a client channel, from the first byte on.
pub fn channel_frames(bytes: &[u8]) {
    let _ = channel::decode_any(bytes);
}

/// Administration commands as text.
pub fn mqsc(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(errors) = objects::mqsc::parse(&text) {
        // What a person would be shown must be printable too.
        let _ = errors.to_string();
    }
}

/// Administration commands in binary form: the first byte says in which order those of integers stand.
pub fn commands(bytes: &[u8]) {
    use objects::pcf::{self, ByteOrder, Message};
    let Some((first, bytes)) = bytes.split_first() else { return };
    let order = if first & 1 == 0 { ByteOrder::Big } else { ByteOrder::Little };
    let Ok(message) = Message::decode(bytes, order) else { return };
    let again = Message::decode(&message.encode(order), order).expect("what was encoded is decoded");
    assert_eq!(again, message, "decoding is the inverse of encoding");
    match pcf::request(&message) {
        Ok(request) => {
            let answers = pcf::responses(message.header.command, &request, &objects::Response::default());
            answers.iter().for_each(|answer| drop(answer.encode(order)));
        }
        Err(refusal) => drop(pcf::refusal(message.header.command, &refusal).encode(order)),
    }
}

/// An object's definition as it stands in the log.
pub fn definition(bytes: &[u8]) {
    if let Ok(definition) = objects::Definition::decode(bytes) {
        let again = objects::Definition::decode(&definition.encode()).expect("what was encoded is decoded");
        assert_eq!(again, definition, "decoding is the inverse of encoding");
    }
}

/// State that the engine reads back from the log and from a checkpoint.
pub fn engine_state(bytes: &[u8]) {
    let _ = queue_manager::decode_any(bytes);
}

/// A queue manager's own files, in any state.
pub fn storage_files(bytes: &[u8]) {
    storage::decode_any(bytes);
}

#[cfg(test)]
mod tests;
