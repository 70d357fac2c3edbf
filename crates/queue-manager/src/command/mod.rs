//! Administration commands, executed on the catalogue.

/// A command as its text; gives way to `objects::mqsc::Command`.
#[derive(Clone, Debug)]
pub struct Command(pub String);

/// What a command answers; gives way to `objects::Response`.
#[derive(Clone, Debug, Default)]
pub struct Response {}
