//! The promises as a reference page.

use std::fmt::Write as _;

use super::{Holder, NOT_PROMISED, PROMISES, windows};
use crate::Configuration;

const HEAD: &str = "\
# Promises

Each promise names the tests that hold it. `ferry guarantees` prints this page for a queue manager as it is
configured. This page is made from a table; `FERRY_WRITE_REFERENCE=1 cargo test -p server` writes it, and a check sees to
it that every test it names exists.
";

const WINDOWS: &str = "
## Losses that a crash can cause

With the settings a queue manager has when nobody changes them. *Answered* says when the call returns; *lost* what a crash
of the process, the machine or the power can take away after that.

| | answered | lost |
|---|---|---|
";

/// The page.
#[must_use]
pub fn page() -> String {
    let mut text = HEAD.to_owned();
    for promise in PROMISES {
        // Writing to a String does not fail.
        let _ = write!(text, "\n## {} {}\n\n{}\n\n", promise.id, promise.title, promise.text);
        text.push_str("Held by:\n\n");
        for holder in promise.held_by {
            let _ = writeln!(text, "- {}", line(holder));
        }
    }
    text.push_str(WINDOWS);
    for window in windows(&Configuration::default()) {
        let _ = writeln!(text, "| {} | {} | {} |", window.class, window.answered, window.lost);
    }
    text.push_str("\n## Not promised\n\n");
    for sentence in NOT_PROMISED {
        let _ = writeln!(text, "- {sentence}");
    }
    text
}

fn line(holder: &Holder) -> String {
    match holder {
        Holder::Test { path, name } => format!("test `{name}` in `{path}`"),
        Holder::Figure { id, path } => format!("figure {id}, `cargo xtask torture --id {id}`, in `{path}`"),
        Holder::Scenarios { path } => format!("the scenarios in `{path}`"),
    }
}
