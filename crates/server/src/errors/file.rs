//! A file of lines that is put aside when it is full: `errors.log`, `errors.1.log`, `errors.2.log` …
//!
//! Always: an event begins at the beginning of a line, even after a torn one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::os::private;

use super::held::HeldDirectory;
use crate::durable_files;

/// The file being written and its elders.
pub(crate) struct Rotating {
    directory: Arc<HeldDirectory>,
    /// The beginning of the names of the files.
    stem: &'static str,
    file: File,
    length: u64,
    length_max: u64,
    files: u32,
    /// True if the file ends within a line: on a full disk, or when the process was killed, it may have a
    /// part of the last one.
    is_torn: bool,
}

impl Rotating {
    pub(crate) fn open(
        directory: &Path,
        stem: &'static str,
        length_max: u64,
        files: u32,
    ) -> io::Result<Self> {
        durable_files::make_inner(directory)?;
        let directory = Arc::new(HeldDirectory::open(directory)?);
        let file = open(&path(&directory.way(), stem, 0))?;
        let length = file.metadata()?.len();
        let is_torn = is_torn(&file);
        Ok(Self { directory, stem, file, length, length_max, files, is_torn })
    }

    /// Where the files are.
    pub(super) fn directory(&self) -> Arc<HeldDirectory> {
        Arc::clone(&self.directory)
    }

    /// Writes one line, in a new file when this one would grow too long. While no new file can be made, this
    /// one grows: its lines matter more, and an administrator without descriptors is about to be told so.
    /// Returns true where a new file was begun.
    pub(crate) fn write(&mut self, line: &str) -> io::Result<bool> {
        let bytes = line.len() as u64;
        let mut is_new = false;
        if self.length > 0
            && self.length + bytes > self.length_max
            && let Ok(file) = self.rotate()
        {
            (self.file, self.length, self.is_torn) = (file, 0, false);
            is_new = true;
        }
        let written = self.append(line);
        self.is_torn = written.is_err() && is_torn(&self.file);
        written.map(|()| is_new)
    }

    fn append(&mut self, line: &str) -> io::Result<()> {
        if self.is_torn {
            self.file.write_all(b"\n")?;
            self.length += 1;
        }
        self.file.write_all(line.as_bytes())?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// The new file is there before the others move: each move that leads to nothing would cost the oldest.
    fn rotate(&self) -> io::Result<File> {
        let directory = self.directory.way();
        let beside = directory.join(format!("{}.new.log", self.stem));
        let file = open(&beside)?;
        for number in (0..self.files - 1).rev() {
            match fs::rename(path(&directory, self.stem, number), path(&directory, self.stem, number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(beside, path(&directory, self.stem, 0))?;
        Ok(file)
    }
}

/// True if a file ends within a line; also if that cannot be read.
fn is_torn(file: &File) -> bool {
    let mut last = [b'\n'];
    let read = file.metadata().and_then(|metadata| match metadata.len().checked_sub(1) {
        Some(end) => file.read_exact_at(&mut last, end),
        None => Ok(()),
    });
    read.is_err() || last != *b"\n"
}

fn open(path: &Path) -> io::Result<File> {
    private::open(path, OpenOptions::new().read(true).append(true).create(true))
}

fn path(directory: &Path, stem: &str, number: u32) -> PathBuf {
    directory.join(if number == 0 { format!("{stem}.log") } else { format!("{stem}.{number}.log") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_written_in_part_does_not_run_into_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let errors = path(directory.path(), "errors", 0);
        let mut log = Rotating::open(directory.path(), "errors", 1 << 20, 3).unwrap();
        log.write("one\n").unwrap();
        // As on a full disk: a part of the line is there, then the system refuses.
        let refuses = || File::open(&errors).unwrap();
        open(&errors).unwrap().write_all(b"tw").unwrap();
        let takes = std::mem::replace(&mut log.file, refuses());
        log.write("two\n").unwrap_err();
        log.write("two again\n").unwrap_err();
        log.file = takes;
        log.write("three\n").unwrap();
        // Where nothing of it is there, nothing is torn.
        let takes = std::mem::replace(&mut log.file, refuses());
        log.write("four\n").unwrap_err();
        log.file = takes;
        log.write("five\n").unwrap();
        assert_eq!(fs::read_to_string(&errors).unwrap(), "one\ntw\nthree\nfive\n");
        drop(log);
        // As when the process was killed.
        open(&errors).unwrap().write_all(b"si").unwrap();
        Rotating::open(directory.path(), "errors", 1 << 20, 3).unwrap().write("seven\n").unwrap();
        assert_eq!(fs::read_to_string(&errors).unwrap(), "one\ntw\nthree\nfive\nsi\nseven\n");
    }
}
