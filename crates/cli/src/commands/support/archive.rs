//! An archive in the form that `tar` reads (POSIX ustar): a head of 512 bytes for each file, its bytes, and
//! zeros up to the next 512; two heads of zeros at the end.

use std::io::{self, Write};

/// The bytes of a head, and the unit in which everything is written.
const BLOCK_BYTES: usize = 512;

/// Most bytes of a name.
const NAME_BYTES_MAX: usize = 100;

/// An archive being written.
pub(super) struct Archive<W> {
    to: W,
    bytes: u64,
    bytes_max: u64,
    time: u64,
}

impl<W: Write> Archive<W> {
    /// An archive without files, of at most so many bytes; its files are of that second since 1970.
    pub(super) fn new(to: W, bytes_max: u64, time: u64) -> Self {
        Self { to, bytes: 0, bytes_max, time }
    }

    /// Adds a file that its owner may read; false where the archive would be too large.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> io::Result<bool> {
        let padding = content.len().next_multiple_of(BLOCK_BYTES) - content.len();
        let bytes = (BLOCK_BYTES + content.len() + padding) as u64;
        // There is always room for the end.
        if name.len() > NAME_BYTES_MAX || self.bytes + bytes + 2 * BLOCK_BYTES as u64 > self.bytes_max {
            return Ok(false);
        }
        self.to.write_all(&self.head(name, content.len()))?;
        self.to.write_all(content)?;
        self.to.write_all(&[0; BLOCK_BYTES][..padding])?;
        self.bytes += bytes;
        Ok(true)
    }

    fn head(&self, name: &str, length: usize) -> [u8; BLOCK_BYTES] {
        let mut head = [0; BLOCK_BYTES];
        let mut put = |at: usize, text: &[u8]| head[at..at + text.len()].copy_from_slice(text);
        put(0, name.as_bytes());
        put(100, b"0000600\0");
        put(108, b"0000000\0");
        put(116, b"0000000\0");
        put(124, format!("{length:011o}\0").as_bytes());
        put(136, format!("{:011o}\0", self.time).as_bytes());
        // The sum is taken with blanks in its place.
        put(148, b"        ");
        put(156, b"0");
        put(257, b"ustar\x0000");
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        head
    }

    /// Writes the end.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.to.write_all(&[0; 2 * BLOCK_BYTES])?;
        self.to.flush()?;
        Ok(self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn tar_reads_what_was_written_and_no_more_is_written_than_is_allowed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it.tar");
        let file = std::fs::File::create(&path).unwrap();
        let mut archive = Archive::new(file, 8 << 10, 1_700_000_000);
        let files = [("one/empty", &b""[..]), ("one/block", &[b'x'; 512]), ("two", b"text")];
        for (name, content) in files {
            assert!(archive.add(name, content).unwrap(), "{name}");
        }
        assert!(!archive.add("large", &[0; 8 << 10]).unwrap());
        assert!(!archive.add(&"n".repeat(101), b"").unwrap());
        archive.finish().unwrap();
        let status = Command::new("tar").arg("-xf").arg(&path).arg("-C").arg(folder.path()).status();
        assert!(status.unwrap().success());
        for (name, content) in files {
            assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), content, "{name}");
        }
        assert!(path.metadata().unwrap().len() <= 8 << 10);
    }
}
