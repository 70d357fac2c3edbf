//! The password of `--user`, and others that are asked for.
//!
//! Always: a password is never an argument, which other users of the machine could read; it is not trimmed,
//! for a blank may be part of it.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use client::{Credentials, Secret};
use identity::PASSWORD_BYTES_MAX;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use serde::{Deserialize, Serialize};

use crate::failure::{Exit, Failure, Result};
use crate::output;

/// The variable that names a file with the password of `--user` in its first line.
pub const FILE_VARIABLE: &str = "FERRY_PASSWORD_FILE";

/// Permissions by which others read a file.
const READ_OF_OTHERS: u32 = 0o044;

/// The credentials of `--user`; none without it. A context may name the place of the password.
pub fn credentials(user: Option<&str>, source: Option<&Source>) -> Result<Option<Credentials>> {
    let Some(user) = user else { return Ok(None) };
    let password = of(user, source)?;
    let credentials = Credentials::password(user, Secret::new(password.into_bytes()));
    credentials.map(Some).map_err(|error| Failure::usage(error.to_string()))
}

/// The password of a user, from its place in a context, the file that is named or the terminal.
pub fn of(user: &str, source: Option<&Source>) -> Result<String> {
    match (source, std::env::var_os(FILE_VARIABLE).filter(|path| !path.is_empty())) {
        (Some(source), _) => source.password(),
        (None, Some(path)) => of_file(Path::new(&path)),
        (None, None) => of_terminal(&format!("Password of {user}: "), user),
    }
}

/// A new password of a user: from a file, else from standard input, where a terminal shows nothing of it.
pub fn new_of(user: &str, file: Option<&Path>) -> Result<String> {
    match file {
        Some(path) => of_file(path),
        None if io::stdin().is_terminal() => of_terminal(&format!("New password of {user}: "), user),
        None => of_standard_input(),
    }
}

/// The place where a password is found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Source {
    /// The first line of a file.
    File(PathBuf),
    /// A variable of the environment.
    Variable(String),
    /// The first line that a program prints, such as a store of passwords; words are parted by blanks.
    Program(String),
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text.split_once(':') {
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            Some(("env", name)) if !name.is_empty() => Ok(Self::Variable(name.to_owned())),
            Some(("command", words)) if !words.trim().is_empty() => Ok(Self::Program(words.to_owned())),
            // The text is not repeated: it may be a password.
            _ => {
                Err("a password is named by its place: file:PATH, env:VARIABLE or command:PROGRAM".to_owned())
            }
        }
    }
}

impl TryFrom<String> for Source {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        text.parse()
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        match source {
            Source::File(path) => format!("file:{}", path.display()),
            Source::Variable(name) => format!("env:{name}"),
            Source::Program(words) => format!("command:{words}"),
        }
    }
}

impl Source {
    /// The password that is there.
    pub fn password(&self) -> Result<String> {
        match self {
            Self::File(path) => of_file(path),
            Self::Variable(name) => std::env::var(name).map_err(|error| {
                let what = format!("cannot read the password from the variable {name}: {error}");
                Failure::new(Exit::Failed, what).next("set it, or name another place in the context")
            }),
            Self::Program(words) => of_program(words),
        }
    }
}

/// The first line that a program prints.
fn of_program(words: &str) -> Result<String> {
    let failed = |why: String| {
        let what = format!("cannot read the password from the program {words}: {why}");
        Failure::new(Exit::Failed, what).next("run it by hand, or name another place in the context")
    };
    let mut parts = words.split_whitespace();
    let program = parts.next().ok_or_else(|| failed("it has no name".to_owned()))?;
    let mut command = Command::new(program);
    command.args(parts).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let line = child.stdout.take().map(|output| first_line(Ok(output), |error| error.to_string()));
    match child.wait() {
        Ok(status) if status.success() => {
            line.unwrap_or_else(|| Ok(String::new())).map_err(|failure| failed(failure.what().to_owned()))
        }
        Ok(status) => Err(failed(format!("it ended with {status}"))),
        Err(error) => Err(failed(error.to_string())),
    }
}

/// The first line of a file.
pub fn of_file(path: &Path) -> Result<String> {
    let file = File::open(path);
    if let Some(mode) = file.as_ref().ok().and_then(mode_of_others) {
        output::say(format!(
            "others may read the password in {}, which has mode {mode:04o}: chmod 600 {}",
            path.display(),
            path.display()
        ));
    }
    first_line(file, |error| format!("cannot read the password from {}: {error}", path.display())).map_err(
        |failure| failure.next("name a file whose first line is the password, readable by this user"),
    )
}

/// The mode of a file that others than its owner may read; none for a pipe, which holds nothing for long.
fn mode_of_others(file: &File) -> Option<u32> {
    let found = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mode = found.permissions().mode() & 0o7777;
    (mode & READ_OF_OTHERS != 0).then_some(mode)
}

/// The first line of standard input.
fn of_standard_input() -> Result<String> {
    first_line(Ok(io::stdin()), |error| format!("cannot read the password: {error}"))
}

fn first_line(input: io::Result<impl Read>, failed: impl Fn(&io::Error) -> String) -> Result<String> {
    let mut text = String::new();
    let limit = PASSWORD_BYTES_MAX as u64 + 2;
    let read = input.and_then(|input| input.take(limit).read_to_string(&mut text));
    read.map_err(|error| Failure::new(Exit::Failed, failed(&error)))?;
    Ok(platform::os::text::unmarked(text).split(['\r', '\n']).next().unwrap_or_default().to_owned())
}

/// The password as it is typed, which is not shown.
fn of_terminal(prompt: &str, user: &str) -> Result<String> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let what = format!("the password of {user} cannot be asked for without a terminal");
        let next = format!("write it into a file for you alone, and name the file by {FILE_VARIABLE}");
        return Err(Failure::usage(what).next(next));
    }
    of_keys(prompt)
}

/// The keys typed at the terminal up to Enter, which are not shown.
pub fn of_keys(prompt: &str) -> Result<String> {
    let failed = |error: io::Error| Failure::new(Exit::Failed, format!("cannot read the password: {error}"));
    write_prompt(prompt).map_err(failed)?;
    enable_raw_mode().map_err(failed)?;
    let typed = type_in();
    let ended = disable_raw_mode().and_then(|()| write_prompt("\n"));
    let typed = typed.and_then(|typed| ended.map(|()| typed)).map_err(failed)?;
    typed.ok_or_else(|| Failure::new(Exit::Failed, "no password was given"))
}

fn write_prompt(text: &str) -> io::Result<()> {
    let mut terminal = io::stderr().lock();
    // The name of the user may come from a file.
    terminal.write_all(output::harmless_lines(text).as_bytes())?;
    terminal.flush()
}

/// A line of keys; none when it is given up.
fn type_in() -> io::Result<Option<String>> {
    let mut typed = String::new();
    loop {
        let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event::read()? else { continue };
        if kind == KeyEventKind::Release {
            continue;
        }
        match code {
            KeyCode::Enter => return Ok(Some(typed)),
            KeyCode::Char('c' | 'd') if modifiers.contains(KeyModifiers::CONTROL) => return Ok(None),
            KeyCode::Char(letter) if typed.len() < PASSWORD_BYTES_MAX => typed.push(letter),
            KeyCode::Backspace => drop(typed.pop()),
            _ => {}
        }
    }
}
