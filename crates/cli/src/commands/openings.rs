//! Points in which a file opens a queue manager further than it is: listed, and applied by `--accept`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use objects::configuration::openings::Opening;
use objects::messages;
use serde_json::json;

use terminal::connect::Session;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, harmless};

/// Names of administrators: the owner of this process, and those that other queue managers have.
const ADMINISTRATORS: [&str; 2] = ["root", "mqm"];

/// Says if a name is that of an administrator, as far as this program knows.
pub(crate) fn is_administrator(user: &str) -> bool {
    ADMINISTRATORS.contains(&user) || user == platform::os::users::current()
}

/// The administrators of a queue manager among users, by its own word and that of this program.
pub(crate) fn administrators(
    session: &mut Session,
    users: impl IntoIterator<Item = String>,
) -> Result<BTreeSet<String>> {
    let mut administrators = BTreeSet::new();
    for user in users {
        if is_administrator_of(session, &user)? {
            administrators.insert(user);
        }
    }
    Ok(administrators)
}

/// Says if a user is an administrator, as far as this program and a queue manager know. One that may not be
/// asked knows none.
pub(crate) fn is_administrator_of(session: &mut Session, user: &str) -> Result<bool> {
    if user.is_empty() || is_administrator(user) {
        return Ok(!user.is_empty());
    }
    let principal = objects::quoted(user);
    let question = format!("DISPLAY ENTAUTH PRINCIPAL({principal}) OBJTYPE(QMGR) RUNCHECK(ALTER) ALL");
    let answer = session.command(&question)?;
    Ok(!answer.failed && answer.text.contains(messages::IS_ADMINISTRATOR))
}

/// Prints the points, as comments of MQSC.
pub(crate) fn say(output: &mut impl Write, format: Format, openings: &[Opening]) -> Result<()> {
    for opening in openings {
        let (word, key) = if opening.is_told_only { ("Note", "note") } else { ("Opens", "opens") };
        match format {
            Format::Table => writeln!(output, "* {word}: {}", harmless(&opening.to_string()))?,
            Format::Json => output::json_line(output, &json!({key: opening.what, "reason": opening.why}))?,
        }
    }
    Ok(output.flush()?)
}

/// Refuses a file or a folder with such points that nobody accepted. Those that are only told need no word.
pub(crate) fn accepted(openings: &[Opening], is_accepted: bool, from: &Path) -> Result<()> {
    let asking = openings.iter().filter(|opening| !opening.is_told_only).count();
    if asking == 0 || is_accepted {
        return Ok(());
    }
    let listed = match asking {
        1 => "in one point, which is listed above".to_owned(),
        several => format!("in {several} points, which are listed above"),
    };
    let from = from.to_string_lossy();
    let what = format!("{} opens the queue manager further {listed}", harmless(&from));
    Err(Failure::new(Exit::Refused, what)
        .next("nothing was changed; to take the file as it is, give the command again with --accept"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_and_several_are_told_apart() {
        let opening = Opening::asking("x".to_owned(), "y");
        let said = |count: usize| {
            let said =
                accepted(&vec![opening.clone(); count], false, Path::new("./x")).unwrap_err().to_string();
            said.lines().next().unwrap_or_default().to_owned()
        };
        assert_eq!(said(1), "ferry: ./x opens the queue manager further in one point, which is listed above");
        assert_eq!(said(2), "ferry: ./x opens the queue manager further in 2 points, which are listed above");
        assert!(accepted(std::slice::from_ref(&opening), true, Path::new("x")).is_ok());
        let told = Opening { is_told_only: true, ..opening };
        assert!(accepted(&[told], false, Path::new("x")).is_ok());
        assert!(accepted(&[], false, Path::new("x")).is_ok());
    }
}
