//! Lines of text from a file or from standard input, none longer than makes sense, and what is wrong with one by its number.

use std::fmt;
use std::io::{self, BufRead, Read as _};

use crate::units;

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The system refused.
    Io(io::Error),
    /// A line is longer than any that makes sense.
    TooLong {
        /// Which, counted from 1.
        line: usize,
        /// The bound.
        bytes_max: usize,
    },
    /// A line is no text.
    NotText {
        /// Which, counted from 1.
        line: usize,
        /// The byte in it that is not UTF-8, counted from 1.
        byte: usize,
        /// That byte.
        value: u8,
    },
}

impl fmt::Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(formatter),
            Self::TooLong { line, bytes_max } => {
                write!(formatter, "line {line} has more than {}", units::bytes(*bytes_max as u64))
            }
            Self::NotText { line, byte, value } => {
                write!(formatter, "line {line}: byte {byte} of it (0x{value:02X}) is not UTF-8")
            }
        }
    }
}

/// The lines of an input, without their ends.
pub(crate) struct Lines {
    input: Box<dyn BufRead>,
    /// Most bytes of one.
    bytes_max: usize,
    /// How many were read.
    read: usize,
}

impl Lines {
    /// Those of an input; none of them has more than `bytes_max` bytes.
    pub(crate) fn of(input: Box<dyn BufRead>, bytes_max: usize) -> Self {
        Self { input, bytes_max, read: 0 }
    }

    /// How many were read.
    pub(crate) fn read(&self) -> usize {
        self.read
    }

    /// The next, if there is one. An input without any end of a line does not fill the memory.
    pub(crate) fn next(&mut self) -> Result<Option<String>, Unread> {
        let mut bytes = Vec::new();
        let most = self.bytes_max as u64 + b"\r\n".len() as u64;
        if self.input.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(Unread::Io)? == 0 {
            return Ok(None);
        }
        self.read += 1;
        if bytes.ends_with(b"\n") {
            bytes.pop();
            if bytes.ends_with(b"\r") {
                bytes.pop();
            }
        }
        if bytes.len() > self.bytes_max {
            return Err(Unread::TooLong { line: self.read, bytes_max: self.bytes_max });
        }
        String::from_utf8(bytes).map(Some).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Unread::NotText { line: self.read, byte: at + 1, value: error.as_bytes()[at] }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(input: &'static [u8], bytes_max: usize) -> Lines {
        Lines::of(Box::new(input), bytes_max)
    }

    #[test]
    fn lines_come_without_their_ends() {
        let mut lines = lines(b"one\r\n\ntwo\nthree\r", 6);
        for expected in [Some("one"), Some(""), Some("two"), Some("three\r"), None] {
            assert_eq!(lines.next().unwrap().as_deref(), expected);
        }
        assert_eq!(lines.read(), 4);
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut endless = Lines::of(Box::new(BufReader::new(io::repeat(b'x'))), 1 << 20);
        assert_eq!(endless.next().unwrap_err().to_string(), "line 1 has more than 1 MiB");
        assert_eq!(lines(b"123456", 6).next().unwrap().as_deref(), Some("123456"));
        assert_eq!(lines(b"1234567\n", 6).next().unwrap_err().to_string(), "line 1 has more than 6 B");
    }

    #[test]
    fn what_is_no_text_is_named_by_line_and_byte() {
        let mut lines = lines(b"good\nDESCR('abc\xE9')\n", 100);
        lines.next().unwrap();
        let error = lines.next().unwrap_err().to_string();
        assert_eq!(error, "line 2: byte 11 of it (0xE9) is not UTF-8");
    }
}
