//! Failures of commands: the thing that could not be done, the reason, the next step, and a stable exit code.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use mqi::Reason;

use crate::next_step::{NextStep, PlaceOptions};
use crate::output::{self, Format, Paint, harmless, harmless_lines};

/// Exit codes that a script can rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The action was tried and did not work.
    Failed = 1,
    /// The text typed is not a command.
    Usage = 2,
    /// The thing named does not exist.
    NotFound = 3,
    /// The queue manager does not allow it.
    Refused = 4,
    /// The thing waited for did not come.
    TimedOut = 5,
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    what: String,
    reason: Option<Reason>,
    next: Option<NextStep>,
    has_lines: bool,
    quiet: bool,
    /// The code to end with, where it is none of those that all commands have.
    code: Option<u8>,
}

/// The answer of a command.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure described in one sentence without a full stop. Line ends in it are shown as escapes: they
    /// come from a name.
    pub fn new(exit: Exit, what: impl Into<String>) -> Self {
        Self { exit, what: what.into(), reason: None, next: None, has_lines: false, quiet: false, code: None }
    }

    /// Keeps the line ends of the description, which is of several lines. Names in it are harmless already.
    #[must_use]
    pub fn in_lines(self) -> Self {
        Self { has_lines: true, ..self }
    }

    /// A call that was refused: `what` says what was tried, the reason says why.
    pub fn of_call(what: impl Into<String>, reason: Reason) -> Self {
        Self { reason: Some(reason), ..Self::new(exit_of(reason), what) }
    }

    /// A failure of something the person typed.
    pub fn usage(what: impl Into<String>) -> Self {
        Self::new(Exit::Usage, what)
    }

    /// The next step.
    #[must_use]
    pub fn next(mut self, next: impl Into<NextStep>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// Says before the description what was done, and stays.
    #[must_use]
    pub fn after(mut self, done: impl fmt::Display) -> Self {
        self.what = format!("{done}, but {}", self.what);
        self
    }

    /// The next step, where that has not been said more closely.
    #[must_use]
    pub fn next_unless_said(self, next: impl Into<NextStep>) -> Self {
        if self.next.is_some() { self } else { self.next(next) }
    }

    /// Adds the options that were typed to the commands of the next step, and to those that the description
    /// has in backticks.
    #[must_use]
    pub fn at(self, options: &PlaceOptions) -> Self {
        let of_reason = || self.reason.map(|reason| NextStep::of(reason.action()));
        let next = self.next.clone().or_else(of_reason).map(|next| next.at(options).into());
        Self { what: NextStep::of_error(&self.what).at(options), next, ..self }
    }

    fn next_text(&self) -> Option<&str> {
        self.next.as_ref().map(NextStep::elsewhere).or_else(|| self.reason.map(Reason::action))
    }

    /// The thing that could not be done.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Returns true if the thing named does not exist.
    pub fn is_not_found(&self) -> bool {
        self.exit == Exit::NotFound
    }

    /// Ends with this code and prints nothing: everything was printed already, or there is no reader.
    pub fn silent(exit: Exit) -> Self {
        Self { quiet: true, ..Self::new(exit, "") }
    }

    /// Ends with a code that others have agreed on, and says nothing: everything was said already.
    pub fn with_code(code: u8) -> Self {
        Self { code: Some(code), ..Self::silent(Exit::Failed) }
    }

    /// Prints the failure and gives the exit code.
    pub fn report(&self, format: Format) -> ExitCode {
        if !self.quiet {
            match format.beside_events() {
                Format::Table => {
                    output::say_painted(self.text(Paint::for_stream(io::stderr().is_terminal())).trim_end())
                }
                Format::Json => output::say_line(self.json_line().trim_end()),
            }
        }
        ExitCode::from(self.code.unwrap_or(self.exit as u8))
    }

    fn text(&self, paint: Paint) -> String {
        let what = if self.has_lines { harmless_lines(&self.what) } else { harmless(&self.what) };
        let mut text = format!("{} {what}", paint.bad("ferry:"));
        if let Some(reason) = self.reason {
            text.push_str(&format!(": {reason}\n  {}", reason.text()));
        }
        text.push('\n');
        if let Some(next) = self.next_text() {
            text.push_str(&format!("  {} {}\n", paint.dim("next:"), harmless(next)));
        }
        text
    }

    fn json_line(&self) -> String {
        let mut line = Vec::new();
        // Writing to memory does not fail.
        let _ = output::json_line(&mut line, &self.json());
        String::from_utf8_lossy(&line).into_owned()
    }

    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "error": self.what,
            "reason": self.reason.map(Reason::code),
            "name": self.reason.map(Reason::name),
            "meaning": self.reason.map(Reason::text),
            "next": self.next_text(),
            "exit": self.exit as u8,
        })
    }
}

/// Under which code a refused call ends the command.
fn exit_of(reason: Reason) -> Exit {
    match reason {
        Reason::UNKNOWN_OBJECT_NAME
        | Reason::UNKNOWN_OBJECT_Q_MGR
        | Reason::UNKNOWN_ALIAS_BASE_Q
        | Reason::UNKNOWN_REMOTE_Q_MGR
        | Reason::UNKNOWN_XMIT_Q
        | Reason::UNKNOWN_CHANNEL_NAME
        | Reason::NO_SUBSCRIPTION
        | Reason::Q_MGR_NAME_ERROR
        | Reason::Q_DELETED => Exit::NotFound,
        Reason::NO_MSG_AVAILABLE => Exit::TimedOut,
        Reason::NOT_AUTHORIZED
        | Reason::PUT_INHIBITED
        | Reason::GET_INHIBITED
        | Reason::SUB_INHIBITED
        | Reason::SUBSCRIPTION_IN_USE
        | Reason::Q_FULL
        | Reason::MSG_TOO_BIG_FOR_Q
        | Reason::MSG_TOO_BIG_FOR_Q_MGR
        | Reason::OBJECT_IN_USE
        | Reason::Q_NOT_EMPTY
        | Reason::Q_MGR_QUIESCING
        | Reason::CONNECTION_QUIESCING => Exit::Refused,
        _ => Exit::Failed,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text(Paint::PLAIN).trim_end())
    }
}

impl From<io::Error> for Failure {
    /// A reader that went away (`| head`) is no failure worth a word.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::silent(Exit::Failed);
        }
        let is_full = error.kind() == io::ErrorKind::StorageFull;
        let what = match error.get_ref() {
            Some(said) => said.to_string(),
            None => format!("input or output failed: {error}"),
        };
        let failure = Self::new(Exit::Failed, what);
        if is_full {
            failure.next("make room there, or have it written elsewhere, and try again")
        } else {
            failure
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        // Where it is known what was tried, that stands before what the system said.
        let tried = (error.chain().len() > 1).then(|| format!("{error:#}"));
        match error.downcast::<io::Error>() {
            Ok(of_system) => {
                let failure = Self::from(of_system);
                Self { what: tried.unwrap_or(failure.what), ..failure }
            }
            Err(error) => Self::new(Exit::Failed, format!("{error:#}")),
        }
    }
}

/// Prints what clap has to say: help and version are answers, the rest is misuse.
pub fn report_usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        // Nobody is left to hear that nobody listens.
        _ if error.use_stderr() => ExitCode::from(Exit::Usage as u8),
        Ok(()) => ExitCode::SUCCESS,
        Err(unheard) => Failure::from(output::of_standard_output(&unheard)).report(Format::Table),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_failure_shows_the_line_ends_and_escapes_of_a_name_as_text() {
        const NAME: &str = "Q\x1b[2J\nferry: all is well\r\u{9b}1m\u{202e}";
        let refused = Failure::of_call(format!("cannot open {NAME}"), Reason::UNKNOWN_OBJECT_NAME);
        let from_system = Failure::from(io::Error::other(format!("cannot read {NAME}")));
        let from_library = Failure::from(anyhow::anyhow!("cannot read {NAME}").context("cannot start"));
        for failure in [refused, from_system, from_library].map(|failure| failure.next(format!("get {NAME}")))
        {
            for shown in [failure.to_string(), failure.text(Paint::for_stream(true)), failure.json_line()] {
                let is_line = shown.lines().any(|line| line.starts_with("ferry: all is well"));
                assert!(!is_line && shown.contains("all is well"), "{shown}");
            }
            assert!(!failure.json_line().trim_end().contains(objects::harmless::is_harmful));
            let read: serde_json::Value = serde_json::from_str(&failure.json_line()).unwrap();
            assert_eq!(read["next"], format!("get {NAME}"), "a program reads the name as it is");
            let shown = failure.to_string();
            assert_eq!(
                shown.matches("\\u{1b}[2J\\nferry: all is well\\r\\u{9b}1m\\u{202e}").count(),
                2,
                "{shown}"
            );
        }
    }

    #[test]
    fn a_failure_of_several_lines_keeps_them_and_shows_escapes_as_text() {
        let failure = Failure::new(Exit::Usage, "rules is no table:\nline 3: no \x1b[2J here").in_lines();
        assert_eq!(failure.to_string(), "ferry: rules is no table:\nline 3: no \\u{1b}[2J here");
    }

    #[test]
    fn what_was_tried_is_said_with_what_the_system_said() {
        let refused = |kind: io::ErrorKind| Err::<(), _>(io::Error::from(kind));
        let tried = refused(io::ErrorKind::NotFound).context("cannot read the file nope").unwrap_err();
        assert_eq!(Failure::from(tried).what(), "cannot read the file nope: entity not found");
        let bare = anyhow::Error::from(refused(io::ErrorKind::NotFound).unwrap_err());
        assert_eq!(Failure::from(bare).what(), "input or output failed: entity not found");
        let gone = refused(io::ErrorKind::BrokenPipe).context("cannot print").unwrap_err();
        assert!(Failure::from(gone).quiet);
        let full = refused(io::ErrorKind::StorageFull).context("cannot write the page").unwrap_err();
        let said = Failure::from(full).to_string();
        assert!(said.contains("cannot write the page: no storage space\n  next: make room there"), "{said}");
    }
}
