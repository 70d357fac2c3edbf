//! The application's side of a client channel: connect, reconnect, the verbs in Rust.
