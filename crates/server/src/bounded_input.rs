//! Input that is read whole, with a bound on its length.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use platform::os::text::unmarked;
pub use platform::os::text::without_mark;

/// All of an input that may be a `kind`, which has at most so many bytes: one without end does not fill the
/// memory.
///
/// # Errors
/// When it has more, or the system refuses.
pub fn read(input: impl Read, kind: &str, bytes_max: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(bytes_max as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > bytes_max { Err(too_long("it", kind, bytes_max)) } else { Ok(bytes) }
}

/// Returns the error for input that is longer.
#[must_use]
pub fn too_long(what: &str, kind: &str, bytes_max: usize) -> io::Error {
    let most = match bytes_max {
        mebibytes if mebibytes.is_multiple_of(1 << 20) => format!("{} MiB", mebibytes >> 20),
        kibibytes if kibibytes.is_multiple_of(1 << 10) => format!("{} KiB", kibibytes >> 10),
        bytes => format!("{bytes} B"),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{what} has more than {most}, which no {kind} has"))
}

/// The text of a file, as [`read`], without a byte-order mark.
///
/// # Errors
/// As for `read`; and when it is not UTF-8.
pub fn read_text(path: &Path, kind: &str, bytes_max: usize) -> io::Result<String> {
    let bytes = read(File::open(path)?, kind, bytes_max)?;
    String::from_utf8(bytes).map(unmarked).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("its byte {at} is not UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_without_end_does_not_fill_the_memory() {
        for (bytes_max, most) in [(1 << 20, "1 MiB"), (1 << 10, "1 KiB"), (1000, "1000 B")] {
            let error = read(io::repeat(b'x'), "table", bytes_max).unwrap_err();
            assert_eq!(error.to_string(), format!("it has more than {most}, which no table has"));
        }
        assert_eq!(read(&b"1234"[..], "table", 4).unwrap(), b"1234");
        assert_eq!(read(&b"12345"[..], "table", 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
