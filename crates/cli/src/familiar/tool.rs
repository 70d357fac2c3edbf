//! A command under a familiar name: its options, its code at the end, the words of its trouble.

use std::error::Error;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use client::{Credentials, Secret};
use server::{Unfinished, instances};
use terminal::common::Common;
use terminal::failure::Failure;
use terminal::output::{self, harmless};
use terminal::password;

use super::words::Typed;
use crate::bounded_input;

/// A familiar name.
pub(crate) struct Tool {
    pub(super) name: &'static str,
    /// The text behind the name in its help.
    pub(super) usage: &'static str,
    /// Its options, those with a value ending in `=`.
    pub(super) options: &'static [&'static str],
    /// The code for what was typed wrong.
    pub(super) misuse: u8,
    pub(super) run: fn(&Typed) -> Answer,
}

/// The code a tool ends with.
pub(super) type Answer = Result<u8, Trouble>;

/// A tool that did not do its work: the code that tells scripts why, and the words for people.
pub(super) struct Trouble {
    pub(super) code: u8,
    pub(super) words: String,
}

/// Codes that the tools share.
pub(super) mod ended {
    pub(crate) const OK: u8 = 0;
    pub(crate) const BEING_MADE: u8 = 3;
    pub(crate) const RUNS: u8 = 5;
    pub(crate) const EXISTS: u8 = 8;
    pub(crate) const ABSENT: u8 = 16;
    pub(crate) const MISUSED: u8 = 39;
    pub(crate) const NOT_RUNNING: u8 = 40;
    pub(crate) const NO_STANZA: u8 = 44;
    pub(crate) const ENDING: u8 = 49;
    pub(crate) const NO_ROOM: u8 = 69;
    pub(crate) const UNEXPECTED: u8 = 71;
    pub(crate) const NAME: u8 = 72;
    pub(crate) const NOT_ALLOWED: u8 = 119;
    /// Of a tool that runs or prints definitions, or tells of versions: it has this code for everything that
    /// it could not do.
    pub(crate) const NOT_RUN: u8 = 20;
}

/// Says something that is no result.
pub(super) fn note(words: &str) {
    output::say(words);
}

/// Most bytes of a password, the end of its line included.
const PASSWORD_BYTES_MAX: usize = 1 << 10;

/// The options of a connection as a user. The password is the next line of standard input; a terminal is
/// asked for it, and does not show it.
pub(super) fn as_user(common: Common, user: &str, prompt: &str) -> terminal::failure::Result<Common> {
    let password =
        if io::stdin().is_terminal() { password::of_keys(prompt)?.into_bytes() } else { password_line()? };
    let credentials = Credentials::password(user, Secret::new(password));
    let credentials = credentials.map_err(|error| Failure::usage(error.to_string()))?;
    Ok(Common { credentials: Some(credentials), ..common })
}

/// The next line of standard input, and no byte behind it.
fn password_line() -> io::Result<Vec<u8>> {
    let mut line = Vec::with_capacity(PASSWORD_BYTES_MAX);
    io::stdin().lock().take(PASSWORD_BYTES_MAX as u64).read_until(b'\n', &mut line)?;
    if line.len() == PASSWORD_BYTES_MAX && !line.ends_with(b"\n") {
        return Err(bounded_input::too_long("the line", "password", PASSWORD_BYTES_MAX));
    }
    let end = line.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(line.len());
    line.truncate(end);
    Ok(line)
}

/// The options of `ferry` that mean the same.
pub(super) fn common(queue_manager: Option<&str>) -> Common {
    let qmgr = queue_manager.map(str::to_owned);
    // Scripts mean the queue managers of this machine, whatever context a person has chosen.
    Common { qmgr, leaves_chosen_context: true, ..Common::default() }.with_environment()
}

impl Trouble {
    /// Trouble described in one line. Line ends in it are shown as escapes: they come from a name.
    pub(super) fn new(code: u8, words: impl AsRef<str>) -> Self {
        Self { code, words: harmless(words.as_ref()).into_owned() }
    }

    /// Trouble described in several lines, in which names are harmless already.
    pub(super) fn in_lines(code: u8, words: impl Into<String>) -> Self {
        Self { code, words: words.into() }
    }

    /// A failure of `ferry`, under a code of the tool. One without words has none here either.
    pub(super) fn of(code: u8) -> impl Fn(Failure) -> Self {
        move |failure| {
            let words = failure.to_string();
            Self::in_lines(code, words.strip_prefix("ferry:").unwrap_or(&words).trim_start())
        }
    }
}

impl Tool {
    /// The code that tells of this trouble here. A tool whose code for misuse is that of all
    /// that it could not do has no other.
    pub(super) fn code_of(&self, trouble: &Trouble) -> u8 {
        let is_general = self.misuse == ended::NOT_RUN && trouble.code == ended::UNEXPECTED;
        if is_general { ended::NOT_RUN } else { trouble.code }
    }
}

/// The code for a refusal of the system, wherever in the error it is.
fn code_of_system(error: &(dyn Error + 'static)) -> u8 {
    if let Some(code) = error.source().map(code_of_system).filter(|code| *code != ended::UNEXPECTED) {
        return code;
    }
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => ended::NO_ROOM,
        Some(io::ErrorKind::PermissionDenied) => ended::NOT_ALLOWED,
        _ => ended::UNEXPECTED,
    }
}

impl From<instances::Error> for Trouble {
    fn from(error: instances::Error) -> Self {
        let code = match &error {
            instances::Error::BeingMade { .. }
            | instances::Error::Absent { unfinished: Some(Unfinished { process: Some(_), .. }), .. } => {
                ended::BEING_MADE
            }
            instances::Error::Foreign(_) => ended::NOT_ALLOWED,
            instances::Error::Absent { .. } => ended::ABSENT,
            instances::Error::Exists { .. } => ended::EXISTS,
            instances::Error::Runs { .. } | instances::Error::Starts(_) => ended::RUNS,
            instances::Error::NotRunning(_) => ended::NOT_RUNNING,
            instances::Error::NoName => ended::NAME,
            error => code_of_system(error),
        };
        Self::of(code)(error.into())
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::of(code_of_system(&error))(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Tool, Trouble, ended};
    use server::instances;
    use std::io;
    use terminal::failure::{Exit, Failure};

    #[test]
    fn trouble_shows_the_line_ends_and_escapes_of_a_name_as_text() {
        let what = "no queue manager A\nsecond\x1b[2J";
        let shown = "no queue manager A\\nsecond\\u{1b}[2J";
        assert_eq!(Trouble::new(1, what).words, shown);
        let failure = Failure::new(Exit::NotFound, what).next("try");
        assert_eq!(Trouble::of(1)(failure).words, format!("{shown}\n  next: try"));
    }

    #[test]
    fn refusals_of_the_system_have_codes_of_their_own_wherever_they_are() {
        let refused = |kind: io::ErrorKind| instances::Error::Io {
            what: "write",
            path: "/data".into(),
            source: io::Error::from(kind),
        };
        for (kind, code) in [
            (io::ErrorKind::StorageFull, 69),
            (io::ErrorKind::PermissionDenied, 119),
            (io::ErrorKind::InvalidData, 71),
        ] {
            assert_eq!(Trouble::from(refused(kind)).code, code, "{kind}");
            assert_eq!(Trouble::from(io::Error::from(kind)).code, code, "{kind}");
        }
    }

    #[test]
    fn a_tool_with_one_code_for_all_that_it_could_not_do_has_no_other() {
        let tool = |misuse| Tool { name: "tool", usage: "", options: &[], misuse, run: |_| Ok(ended::OK) };
        for (misuse, code, expected) in [(20, 71, 20), (20, 10, 10), (39, 71, 71), (36, 71, 71)] {
            assert_eq!(tool(misuse).code_of(&Trouble::new(code, "x")), expected);
        }
    }
}
