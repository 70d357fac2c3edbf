//! Input that is read whole, from a file or from standard input, with a bound on its length.

use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) use server::bounded_input::{read, too_long, without_mark};

use crate::lines::Unread;
use platform::os::text::unmarked;
use terminal::failure::{Exit, Failure, Result};

/// The text in a file, which is a `kind`, without a byte-order mark; `-` is standard input.
pub(crate) fn read_text(path: &Path, kind: &str, bytes_max: usize) -> Result<String> {
    text(read_bytes(path, kind, bytes_max)?, path)
}

/// As [`read_text`], and also UTF-16 with a byte-order mark, as shells of Windows write it.
pub(crate) fn read_wide_text(path: &Path, kind: &str, bytes_max: usize) -> Result<String> {
    let bytes = read_bytes(path, kind, bytes_max)?;
    let (is_little, units) = match &bytes[..] {
        [0xFF, 0xFE, units @ ..] => (true, units),
        [0xFE, 0xFF, units @ ..] => (false, units),
        _ => return text(bytes, path),
    };
    let (units, odd) = units.as_chunks::<2>();
    let unit = |bytes: &[u8; 2]| {
        if is_little { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) }
    };
    let text = char::decode_utf16(units.iter().map(unit)).collect();
    match text {
        Ok(text) if odd.is_empty() => Ok(text),
        _ => Err(Failure::usage(format!("cannot read {}: it is not all UTF-16", shown(path)))
            .next("save it as UTF-8")),
    }
}

fn text(bytes: Vec<u8>, path: &Path) -> Result<String> {
    String::from_utf8(bytes).map(unmarked).map_err(|error| {
        Failure::usage(format!("cannot read {}: {}", shown(path), not_text(&error))).next("save it as UTF-8")
    })
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn shown(path: &Path) -> String {
    if is_standard_input(path) { "standard input".to_owned() } else { format!("the file {}", path.display()) }
}

fn read_bytes(path: &Path, kind: &str, bytes_max: usize) -> Result<Vec<u8>> {
    let bytes = if is_standard_input(path) {
        read(io::stdin().lock(), kind, bytes_max)
    } else {
        File::open(path).and_then(|file| read(file, kind, bytes_max))
    };
    bytes.map_err(|error| {
        let exit = match error.kind() {
            io::ErrorKind::NotFound => Exit::NotFound,
            io::ErrorKind::FileTooLarge => Exit::Usage,
            _ => Exit::Failed,
        };
        Failure::new(exit, format!("cannot read {}: {error}", shown(path)))
            .next("check the path; - means standard input")
    })
}

/// Returns the fault with the line and the byte that are no text.
fn not_text(error: &std::string::FromUtf8Error) -> Unread {
    let (before, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let byte = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Unread::NotText { line, byte, value: rest[0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_named_by_line_and_byte() {
        for (bytes, expected) in [
            (&b"\xE9"[..], "line 1: byte 1 of it (0xE9) is not UTF-8"),
            (b"one\ntwo\xFF\n", "line 2: byte 4 of it (0xFF) is not UTF-8"),
            (b"one\n\xFF", "line 2: byte 1 of it (0xFF) is not UTF-8"),
        ] {
            assert_eq!(not_text(&String::from_utf8(bytes.to_vec()).unwrap_err()).to_string(), expected);
        }
    }
}
