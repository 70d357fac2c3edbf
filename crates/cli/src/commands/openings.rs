//! Points in which a file of another's making opens a queue manager further: shown, and taken on a word.

use std::io::Write;
use std::path::Path;

use objects::configuration::openings::Opening;
use serde_json::json;

use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, harmless};
use terminal::units;

/// Names of administrators: the owner of this process, and those that other queue managers have.
const ADMINISTRATORS: [&str; 2] = ["root", "mqm"];

/// Says if a name is that of an administrator, as far as this program knows.
pub(crate) fn is_administrator(user: &str) -> bool {
    ADMINISTRATORS.contains(&user) || user == platform::os::users::current()
}

/// Prints the points, as comments of MQSC.
pub(crate) fn say(output: &mut impl Write, format: Format, openings: &[Opening]) -> Result<()> {
    for opening in openings {
        match format {
            Format::Table => writeln!(output, "* Opens: {}", harmless(&opening.to_string()))?,
            Format::Json => {
                output::json_line(output, &json!({"opens": opening.what, "reason": opening.why}))?;
            }
        }
    }
    Ok(output.flush()?)
}

/// Refuses a file or a folder with such points that nobody accepted.
pub(crate) fn accepted(openings: &[Opening], is_accepted: bool, from: &Path) -> Result<()> {
    if openings.is_empty() || is_accepted {
        return Ok(());
    }
    let points = units::counted(openings.len() as u64, "point");
    let from = from.to_string_lossy();
    let what = format!("{} opens the queue manager further in {points}, which are listed", harmless(&from));
    Err(Failure::new(Exit::Refused, what)
        .next("nothing was changed; if each of them is meant, give the command again with --accept"))
}
