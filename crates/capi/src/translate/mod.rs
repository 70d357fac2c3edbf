//! Structures of C programs to values of the interface and back.
//!
//! Lives here: what each field means, and which of them a call fills. Lives elsewhere: how fields are reached
//! (`memory`), what the calls do with them (`calls`).
//!
//! Always: fields that a version does not have are those of the initial structure; characters that are
//! returned are padded with blanks to the full width.

pub(crate) mod attributes;
pub(crate) mod get_options;
pub(crate) mod message_descriptor;
pub(crate) mod object_descriptor;
pub(crate) mod put_options;
pub(crate) mod status;
pub(crate) mod subscription_descriptor;
pub(crate) mod text;
