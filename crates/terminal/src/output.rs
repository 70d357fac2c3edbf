//! Where results go and how they look: plain text or JSON, colours only for a person.

use std::io::{self, BufWriter, StdoutLock, Write};

use clap::ValueEnum;
pub use objects::harmless::{harmless, harmless_lines};
use objects::harmless::{is_harmful, push_json};
use serde::Serialize;
use serde_json::ser::Formatter;
pub use server::errors::say;

/// The form in which results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines and tables for a person.
    #[default]
    Table,
    /// One JSON object a line, for programs.
    Json,
}

/// Standard output, buffered; nothing is out before it is flushed.
pub type Output = BufWriter<Standard>;

/// Standard output; its errors name it.
pub struct Standard(pub(crate) StdoutLock<'static>);

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| of_standard_output(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| of_standard_output(&error))
    }
}

/// The error, with the words that it is of standard output.
#[must_use]
pub fn of_standard_output(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
}

/// Most bytes held back before they are written.
pub const BUFFER_BYTES: usize = 64 << 10;

/// Takes standard output for the rest of the command.
pub fn standard() -> Output {
    BufWriter::with_capacity(BUFFER_BYTES, Standard(io::stdout().lock()))
}

/// JSON without blanks, in which harmful letters are escapes: a terminal shows it, and programs read the same
/// text.
struct HarmlessJson;

impl Formatter for HarmlessJson {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut plain = fragment;
        while let Some((at, letter)) = plain.char_indices().find(|(_, letter)| is_harmful(*letter)) {
            writer.write_all(&plain.as_bytes()[..at])?;
            let mut escape = String::new();
            push_json(&mut escape, letter);
            writer.write_all(escape.as_bytes())?;
            plain = &plain[at + letter.len_utf8()..];
        }
        writer.write_all(plain.as_bytes())
    }
}

/// Writes a value as one line of JSON.
pub fn json_line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut writer = serde_json::Serializer::with_formatter(&mut *output, HarmlessJson);
    value.serialize(&mut writer).map_err(io::Error::from)?;
    output.write_all(b"\n")
}

/// Writes a value as one line of JSON to standard output, now.
pub fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut output = standard();
    json_line(&mut output, value)?;
    output.flush()
}

/// Writes a line to standard output, now. Names in it are made harmless before; this keeps every other text
/// from what a terminal takes for commands.
pub fn print_line(line: impl std::fmt::Display) -> io::Result<()> {
    let line = line.to_string();
    writeln!(Standard(io::stdout().lock()), "{}", harmless_lines(&line))
}

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub struct Paint(bool);

impl Paint {
    /// No colours.
    pub const PLAIN: Self = Self(false);

    /// Uses colours when the stream is a terminal and they are not switched off.
    pub fn for_stream(is_terminal: bool) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self(is_terminal && !unwanted)
    }

    /// For what stands out.
    pub fn strong(self, text: impl std::fmt::Display) -> String {
        self.wrap("1", text)
    }

    /// For what can be skipped.
    pub fn dim(self, text: impl std::fmt::Display) -> String {
        self.wrap("2", text)
    }

    /// For what went well.
    pub fn good(self, text: impl std::fmt::Display) -> String {
        self.wrap("32", text)
    }

    /// For what went wrong.
    pub fn bad(self, text: impl std::fmt::Display) -> String {
        self.wrap("1;31", text)
    }

    fn wrap(self, code: &str, text: impl std::fmt::Display) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// A word as a shell takes it.
pub fn in_shell(word: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+@%:,".contains(character);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
