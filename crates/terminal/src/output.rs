//! Where results go and how they look: plain text or JSON, colours only for a person.
//!
//! Always: a terminal is sent text, line ends, tabs and the colours of [`Paint`], and nothing else that it
//! would take for a command, whatever a file, a message or a name has.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};

use clap::ValueEnum;
pub use objects::harmless::{harmless, harmless_lines};
use objects::harmless::{is_harmful, push_json};
use serde::Serialize;
use serde_json::ser::Formatter;
pub use server::errors::{say, words_are_json};

/// The form in which results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Lines and tables for a person.
    #[default]
    Table,
    /// One JSON object a line, for programs.
    Json,
}

impl Format {
    /// The form of words of a process whose events are on standard output or standard error: lines of JSON
    /// where the events are.
    #[must_use]
    pub fn beside_events(self) -> Self {
        if words_are_json() { Self::Json } else { self }
    }
}

/// Columns of the terminal that standard output is; without bound where it is none.
#[must_use]
pub fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok().filter(|size| size.ws_col > 0);
    size.map_or(usize::MAX, |size| size.ws_col.into())
}

/// Standard output, buffered; nothing is out before it is flushed.
pub type Output = BufWriter<Standard>;

/// Standard output; its errors name it. A file or a program is given each byte as it is, a terminal is not.
pub struct Standard {
    pub(crate) stream: StdoutLock<'static>,
    guard: Option<Guard>,
}

impl Standard {
    fn new() -> Self {
        let stream = io::stdout().lock();
        let guard = stream.is_terminal().then(Guard::default);
        Self { stream, guard }
    }

    fn write_guarded(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(guard) = &mut self.guard else { return self.stream.write(bytes) };
        let safe = guard.take(bytes);
        self.stream.write_all(safe.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush_guarded(&mut self) -> io::Result<()> {
        if let Some(guard) = &mut self.guard {
            let safe = guard.end();
            self.stream.write_all(safe.as_bytes())?;
        }
        self.stream.flush()
    }
}

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_guarded(bytes).map_err(|error| of_standard_output(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flush_guarded().map_err(|error| of_standard_output(&error))
    }
}

/// Makes bytes harmless on their way to a terminal, in whatever pieces they come.
#[derive(Debug, Default)]
struct Guard {
    /// A letter or a style whose end is in the next piece.
    begun: Vec<u8>,
}

impl Guard {
    fn take(&mut self, bytes: &[u8]) -> String {
        self.begun.extend_from_slice(bytes);
        let taken = std::mem::take(&mut self.begun);
        let end = taken.len() - begun_at_end(&taken);
        self.begun = taken[end..].to_vec();
        harmless_painted(&String::from_utf8_lossy(&taken[..end])).into_owned()
    }

    /// The rest, which has no end.
    fn end(&mut self) -> String {
        let left = std::mem::take(&mut self.begun);
        harmless_painted(&String::from_utf8_lossy(&left)).into_owned()
    }
}

/// Bytes at the end that may be the beginning of a letter or of a style.
fn begun_at_end(bytes: &[u8]) -> usize {
    let is_begun = |length: &usize| {
        let end = &bytes[bytes.len() - length..];
        let is_letter = matches!(std::str::from_utf8(end), Err(fault) if fault.valid_up_to() == 0 && fault.error_len().is_none());
        let is_style = |style: &&str| style.len() > *length && style.as_bytes().starts_with(end);
        is_letter || STYLES.iter().any(is_style)
    };
    (1..=bytes.len().min(STYLE_BYTES_MAX)).rev().find(is_begun).unwrap_or(0)
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
    BufWriter::with_capacity(BUFFER_BYTES, Standard::new())
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

/// Writes a line to standard output, now, with escapes in place of what a terminal takes for commands.
pub fn print_line(line: impl std::fmt::Display) -> io::Result<()> {
    let line = line.to_string();
    writeln!(Standard::new(), "{}", harmless_lines(&line))
}

/// Writes a line that has colours of [`Paint`]. Names in it are made harmless before.
pub fn print_painted(line: impl std::fmt::Display) -> io::Result<()> {
    let line = line.to_string();
    writeln!(Standard::new(), "{}", harmless_painted(&line))
}

/// Prints a line of JSON that is no result, on standard error, as [`say`] prints words.
pub(crate) fn say_line(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints words with colours of [`Paint`] that are no result, on standard error, as [`say`] prints others.
pub(crate) fn say_painted(words: &str) {
    let _ = writeln!(io::stderr(), "{}", harmless_painted(words));
}

/// The styles of [`Paint`], as a terminal is sent them, and the end of each.
const STYLES: [&str; 5] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[1;31m"];

/// Bytes of the longest style.
const STYLE_BYTES_MAX: usize = STYLES[4].len();

/// Replaces the harmful letters of a text of several lines but those of the styles of [`Paint`].
fn harmless_painted(text: &str) -> Cow<'_, str> {
    if !text.contains('\x1b') {
        return harmless_lines(text);
    }
    let mut safe = String::with_capacity(text.len() * 2);
    for (index, part) in text.split('\x1b').enumerate() {
        let style = STYLES.iter().find(|style| index > 0 && part.starts_with(&style[1..]));
        match style {
            Some(style) => {
                safe.push_str(style);
                safe.push_str(&harmless_lines(&part[style.len() - 1..]));
            }
            None if index > 0 => safe.push_str(&harmless_lines(&format!("\x1b{part}"))),
            None => safe.push_str(&harmless_lines(part)),
        }
    }
    Cow::Owned(safe)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_our_own_reach_a_terminal_and_others_are_shown_as_text() {
        let paint = Paint(true);
        for own in [paint.strong("a"), paint.dim("b"), paint.good("c"), paint.bad("d\n\te")] {
            assert_eq!(harmless_painted(&own), own);
        }
        for (text, expected) in [
            ("\x1b[8mhidden\x1b[0m", "\\u{1b}[8mhidden\x1b[0m"),
            ("\x1b[2J\x1b[31m\x1b", "\\u{1b}[2J\\u{1b}[31m\\u{1b}"),
            ("\x1b]0;t\x07\r\u{202e}\x1b[1mx", "\\u{1b}]0;t\\u{7}\\r\\u{202e}\x1b[1mx"),
        ] {
            assert_eq!(harmless_painted(text), expected);
        }
    }

    #[test]
    fn what_a_terminal_is_sent_is_harmless_in_whatever_pieces_it_comes() {
        let bytes =
            b"\x1b[1;31mno\x1b[0m gr\xc3\xb6\xc3\x9fe \x1b[2J\x1b[8m\xe2\x80\xae\xff\xf0\x9f\x98\x80\x1b[1";
        let expected = "\x1b[1;31mno\x1b[0m größe \\u{1b}[2J\\u{1b}[8m\\u{202e}\u{fffd}😀\\u{1b}[1";
        for size in 1..=bytes.len() {
            let mut guard = Guard::default();
            let mut sent: String = bytes.chunks(size).map(|piece| guard.take(piece)).collect();
            sent.push_str(&guard.end());
            assert_eq!(sent, expected, "in pieces of {size}");
            assert!(!sent.replace("\x1b[1;31m", "").replace("\x1b[0m", "").contains(is_harmful_but_lines));
        }
    }

    fn is_harmful_but_lines(letter: char) -> bool {
        is_harmful(letter) && !matches!(letter, '\n' | '\t')
    }
}
