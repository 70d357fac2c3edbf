//! Where a script comes from, read statement by statement.
//!
//! Always: of a file all is looked at first, so that one that cannot be read to its end changes nothing; what
//! comes by a pipe is run as it comes.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _};
use std::path::Path;

use objects::mqsc::{self, Statement};

use crate::lines::{Lines, Unread};
use terminal::failure::{Exit, Failure, Result};
use terminal::units;

/// Most bytes of a line, and of one with those that continue it: thirty statements of the longest.
const LINES_BYTES_MAX: usize = 1 << 20;

/// The statements of a script, up to a line that ends the input, such as `END`.
pub(crate) struct ScriptSource {
    lines: Lines,
    /// Its name, for people.
    name: String,
    waiting: VecDeque<Statement>,
    /// Number of statements returned.
    given: usize,
    /// True if statements are run, not only checked.
    is_run: bool,
    has_ended: bool,
    /// The line of the last statement, if the end comes while that asks to be continued.
    cut_within: Option<usize>,
}

impl ScriptSource {
    /// A text that was typed.
    pub(crate) fn of_text(text: String) -> Self {
        Self::of(Box::new(Cursor::new(text)), "what was typed")
    }

    /// Standard input.
    pub(crate) fn standard_input() -> Self {
        Self::of(Box::new(io::stdin()), "standard input")
    }

    /// A file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::standard_input());
        }
        let name = path.display().to_string();
        let refused = |error: io::Error| {
            let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NotFound } else { Exit::Failed };
            Failure::new(exit, format!("cannot read the file {name}: {error}"))
                .next("check the path; - means standard input")
        };
        let mut file = File::open(path).map_err(refused)?;
        let readable = |file: &File| file.try_clone().map(Box::new).map_err(refused);
        if file.metadata().map_err(refused)?.is_file() {
            let mut looked_at = Self { is_run: false, ..Self::of(readable(&file)?, &name) };
            if let Some(failure) = looked_at.find_map(Result::err) {
                return Err(failure);
            }
            file.rewind().map_err(refused)?;
        }
        Ok(Self::of(readable(&file)?, &name))
    }

    fn of(input: Box<dyn Read + Send>, name: &str) -> Self {
        Self {
            lines: Lines::of(input, LINES_BYTES_MAX),
            name: name.to_owned(),
            waiting: VecDeque::new(),
            given: 0,
            is_run: true,
            has_ended: false,
            cut_within: None,
        }
    }

    /// The line of the statement that the end cuts off: the last line read asks to be continued.
    pub(crate) fn cut_within(&self) -> Option<usize> {
        self.cut_within
    }

    /// Reads a line and those that continue it.
    fn read(&mut self) -> Result<()> {
        let before = self.lines.read();
        let mut text = String::new();
        let mut reading = mqsc::Reading::default();
        loop {
            let line = self.lines.next().map_err(|unread| self.failure(&unread))?;
            let Some(line) = line.filter(|line| !mqsc::is_end(line)) else {
                self.has_ended = true;
                break;
            };
            if text.len() + line.len() > LINES_BYTES_MAX {
                let too_long = Unread::TooLong { line: self.lines.read(), bytes_max: LINES_BYTES_MAX };
                return Err(self.failure(&too_long));
            }
            text.push_str(&line);
            text.push('\n');
            reading.line(&line);
            if !reading.is_continued() {
                break;
            }
        }
        let statements = mqsc::statements(&text);
        if self.has_ended && reading.is_continued() {
            self.cut_within = Some(before + statements.last().map_or(1, |statement| statement.line));
        }
        self.waiting.extend(statements.into_iter().map(|mut statement| {
            statement.line += before;
            statement.command = statement.command.map_err(|mut error| {
                error.line += before;
                error
            });
            statement
        }));
        Ok(())
    }

    fn failure(&mut self, unread: &Unread) -> Failure {
        self.has_ended = true;
        let name = &self.name;
        let run = if self.is_run { self.given } else { 0 };
        let so_far = match run {
            0 => "nothing was run".to_owned(),
            run => format!("{} before it went to the queue manager", units::counted(run as u64, "command")),
        };
        match unread {
            Unread::Io(error) => {
                Failure::new(Exit::Failed, format!("cannot read {name}: {error}")).next(so_far)
            }
            Unread::TooLong { .. } => Failure::usage(format!(
                "{name}, {unread}, the lines that it continues included; a command has at most {} bytes",
                mqsc::STATEMENT_BYTES_MAX
            ))
            .next(format!("correct the script; {so_far}")),
            Unread::NotText { .. } => Failure::usage(format!("{name}, {unread}"))
                .next(format!("save the script as UTF-8; {so_far}")),
        }
    }
}

impl Iterator for ScriptSource {
    type Item = Result<Statement>;

    fn next(&mut self) -> Option<Result<Statement>> {
        while self.waiting.is_empty() && !self.has_ended {
            if let Err(failure) = self.read() {
                return Some(Err(failure));
            }
        }
        let statement = self.waiting.pop_front()?;
        self.given += 1;
        Some(Ok(statement))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(text: &str) -> Vec<Statement> {
        ScriptSource::of_text(text.to_owned()).collect::<Result<_>>().unwrap()
    }

    #[test]
    fn a_script_read_by_statements_is_the_same_as_the_whole() {
        for text in [
            "\u{FEFF}* queues\nDEFINE QLOCAL(A); DEFINE QLOCAL(B) ;\n\nDEFIN QLOCAL(C) +\n* more\n\n  SHARE\n",
            "DISPLAY QLOCAL(+\n  *)\r\nDEFINE QLOCAL(D) DESCR('a;b-\n  c') XYZ\nDISPLAY QMGR +",
        ] {
            assert_eq!(statements(text), mqsc::statements(text), "{text}");
        }
    }

    #[test]
    fn nothing_is_read_after_the_end() {
        for end in ["end;", "EXIT", "quit ;"] {
            assert_eq!(statements(&format!("DISPLAY QMGR\n{end}\nPING QMGR")).len(), 1, "{end}");
        }
        assert_eq!(statements("DISPLAY QMGR\n* END of it\nPING QMGR").len(), 2);
    }

    #[test]
    fn lines_that_go_on_without_end_do_not_fill_the_memory() {
        let endless = Read::chain(&b"PING QMGR\n"[..], Repeated);
        let mut source = ScriptSource::of(Box::new(endless), "endless");
        source.next().unwrap().unwrap();
        let failure = source.next().unwrap().unwrap_err();
        assert!(failure.what().contains("has more than 1 MiB") && failure.what().contains("32768 bytes"));
        assert!(source.next().is_none());
    }

    /// `x +`, line after line.
    struct Repeated;

    impl Read for Repeated {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = b"xxx +\n";
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }
}
