//! The password of `--user`, and others that are asked for.
//!
//! Always: a password is never an argument, which other users of the machine could read; it is not trimmed,
//! for a blank may be part of it.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;

use client::{Credentials, Secret};
use identity::PASSWORD_BYTES_MAX;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use crate::failure::{Exit, Failure, Result};

/// The variable that names a file with the password of `--user` in its first line.
pub const FILE_VARIABLE: &str = "FERRY_PASSWORD_FILE";

/// The credentials of `--user`; none without it.
pub fn credentials(user: Option<&str>) -> Result<Option<Credentials>> {
    let Some(user) = user else { return Ok(None) };
    let password = match std::env::var_os(FILE_VARIABLE).filter(|path| !path.is_empty()) {
        Some(path) => of_file(Path::new(&path))?,
        None => of_terminal(user)?,
    };
    let credentials = Credentials::password(user, Secret::new(password.into_bytes()));
    credentials.map(Some).map_err(|error| Failure::usage(error.to_string()))
}

/// The first line of a file.
pub fn of_file(path: &Path) -> Result<String> {
    let file = File::open(path);
    first_line(file, |error| format!("cannot read the password from {}: {error}", path.display()))
}

/// The first line of standard input.
pub fn of_standard_input() -> Result<String> {
    first_line(Ok(io::stdin()), |error| format!("cannot read the password: {error}"))
}

fn first_line(input: io::Result<impl Read>, failed: impl Fn(&io::Error) -> String) -> Result<String> {
    let mut text = String::new();
    let limit = PASSWORD_BYTES_MAX as u64 + 2;
    let read = input.and_then(|input| input.take(limit).read_to_string(&mut text));
    read.map_err(|error| Failure::new(Exit::Failed, failed(&error)))?;
    Ok(text.split(['\r', '\n']).next().unwrap_or_default().to_owned())
}

/// The password as it is typed, which is not shown.
fn of_terminal(user: &str) -> Result<String> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let what = format!("the password of {user} cannot be asked for without a terminal");
        let next = format!("write it into a file for you alone, and name the file by {FILE_VARIABLE}");
        return Err(Failure::usage(what).next(next));
    }
    let failed = |error: io::Error| Failure::new(Exit::Failed, format!("cannot read the password: {error}"));
    write_prompt(&format!("Password of {user}: ")).map_err(failed)?;
    enable_raw_mode().map_err(failed)?;
    let typed = type_in();
    let ended = disable_raw_mode().and_then(|()| write_prompt("\n"));
    let typed = typed.and_then(|typed| ended.map(|()| typed)).map_err(failed)?;
    typed.ok_or_else(|| Failure::new(Exit::Failed, "no password was given"))
}

fn write_prompt(text: &str) -> io::Result<()> {
    let mut terminal = io::stderr().lock();
    terminal.write_all(text.as_bytes())?;
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
