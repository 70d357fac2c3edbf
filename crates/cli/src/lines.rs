//! Lines from a file or from standard input, none longer than makes sense, and what is wrong with one by its
//! number.

use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read};
use std::sync::mpsc::{self, Receiver};

use platform::os::text::unmarked;
use terminal::units;

/// Most lines handed over at once: enough that handing over costs nothing.
const HANDFUL_LINES_MAX: usize = 256;

/// Most bytes of lines handed over at once, but for a line that is longer; as many are read at once.
const HANDFUL_BYTES_MAX: usize = 256 << 10;

/// Why there is no next line.
#[derive(Debug)]
pub(crate) enum Unread {
    /// The system refused.
    Io(io::Error),
    /// A line is longer than any that makes sense.
    TooLong {
        /// Number of the line, from 1.
        line: usize,
        /// The bound.
        bytes_max: usize,
    },
    /// A line is no text.
    NotText {
        /// Number of the line, from 1.
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
    input: BufReader<Box<dyn Read + Send>>,
    /// Most bytes of one.
    bytes_max: usize,
    /// Number of lines read.
    read: usize,
}

impl Lines {
    /// Reads the lines of an input, of at most `bytes_max` bytes each.
    pub(crate) fn of(input: Box<dyn Read + Send>, bytes_max: usize) -> Self {
        Self { input: BufReader::with_capacity(HANDFUL_BYTES_MAX, input), bytes_max, read: 0 }
    }

    /// Number of lines read.
    pub(crate) fn read(&self) -> usize {
        self.read
    }

    /// The next, if there is one, which must be text.
    pub(crate) fn next(&mut self) -> Result<Option<String>, Unread> {
        let bytes = self.next_bytes()?;
        bytes.map(|bytes| text(bytes, self.read)).transpose()
    }

    /// The next, if there is one. An input without any end of a line does not fill the memory.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, Unread> {
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
        Ok(Some(bytes))
    }

    /// True if the next is there already.
    fn has_next(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }
}

/// A line as text, by its number counted from 1; the first without a byte-order mark.
pub(crate) fn text(line: Vec<u8>, number: usize) -> Result<String, Unread> {
    let read = String::from_utf8(line).map(|line| if number == 1 { unmarked(line) } else { line });
    read.map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Unread::NotText { line: number, byte: at + 1, value: error.as_bytes()[at] }
    })
}

/// Reads the lines of an input up to one that cannot be read, in handfuls of those that are there. A thread
/// of its own reads them, some handfuls ahead, so that a command that waits for a line can be told to end and
/// keeps no unit of work open.
pub(crate) fn read_ahead(
    input: Box<dyn Read + Send>,
    bytes_max: usize,
) -> Receiver<Result<Vec<Vec<u8>>, Unread>> {
    let (sender, receiver) = mpsc::sync_channel(2);
    std::thread::spawn(move || {
        let mut lines = Lines::of(input, bytes_max);
        let mut is_over = false;
        while !is_over {
            let mut handful = Vec::new();
            let mut bytes = 0;
            let unread = loop {
                match lines.next_bytes() {
                    Ok(Some(line)) => {
                        bytes += line.len();
                        handful.push(line);
                    }
                    Ok(None) => {
                        is_over = true;
                        break None;
                    }
                    Err(unread) => {
                        is_over = true;
                        break Some(unread);
                    }
                }
                let is_full = handful.len() == HANDFUL_LINES_MAX || bytes >= HANDFUL_BYTES_MAX;
                if is_full || !lines.has_next() {
                    break None;
                }
            };
            let whole = (!handful.is_empty()).then_some(Ok(handful));
            if whole.into_iter().chain(unread.map(Err)).any(|read| sender.send(read).is_err()) {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
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
        let mut endless = Lines::of(Box::new(io::repeat(b'x')), 1 << 20);
        assert_eq!(endless.next().unwrap_err().to_string(), "line 1 has more than 1 MiB");
        assert_eq!(lines(b"123456", 6).next().unwrap().as_deref(), Some("123456"));
        assert_eq!(lines(b"1234567\n", 6).next().unwrap_err().to_string(), "line 1 has more than 6 B");
    }

    #[test]
    fn lines_that_are_read_ahead_come_in_handfuls_up_to_one_that_cannot_be_read() {
        let text: String = (0..1000).map(|number| format!("line {number}\r\n")).collect();
        let input = text + "\n" + &"x".repeat(50) + "\nnever";
        let mut read: Vec<_> = read_ahead(Box::new(io::Cursor::new(input)), 20).iter().collect();
        let unread = read.pop().unwrap().unwrap_err();
        assert_eq!(unread.to_string(), "line 1002 has more than 20 B");
        assert!(read.len() >= 4 && read.iter().flatten().all(|handful| handful.len() <= HANDFUL_LINES_MAX));
        let lines: Vec<Vec<u8>> = read.into_iter().flat_map(Result::unwrap).collect();
        assert_eq!(lines.len(), 1001);
        assert_eq!((&lines[999][..], &lines[1000][..]), (&b"line 999"[..], &b""[..]));
    }

    #[test]
    fn what_is_no_text_is_named_by_line_and_byte() {
        let mut lines = lines(b"good\nDESCR('abc\xE9')\n", 100);
        lines.next().unwrap();
        let error = lines.next().unwrap_err().to_string();
        assert_eq!(error, "line 2: byte 11 of it (0xE9) is not UTF-8");
    }
}
