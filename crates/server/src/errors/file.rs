//! The file of the error log, put aside when it is full: `errors.log`, `errors.1.log`, `errors.2.log` …

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The file being written and its elders.
pub(super) struct Rotating {
    directory: PathBuf,
    file: File,
    length: u64,
    length_max: u64,
    files: u32,
}

impl Rotating {
    pub(super) fn open(directory: &Path, length_max: u64, files: u32) -> io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let file = open(&path(directory, 0))?;
        let length = file.metadata()?.len();
        Ok(Self { directory: directory.to_owned(), file, length, length_max, files })
    }

    /// Writes one line, in a new file when this one would grow too long. While there can be no new one, this one grows: what it is to
    /// say matters more, and who has no descriptors left is about to be told so.
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        let bytes = line.len() as u64;
        if self.length > 0
            && self.length + bytes > self.length_max
            && let Ok(file) = self.rotate()
        {
            (self.file, self.length) = (file, 0);
        }
        self.file.write_all(line.as_bytes())?;
        self.length += bytes;
        Ok(())
    }

    /// The new file is there before the others move: each move that leads to nothing would cost the oldest.
    fn rotate(&self) -> io::Result<File> {
        let beside = self.directory.join("errors.new.log");
        let file = open(&beside)?;
        for number in (0..self.files - 1).rev() {
            match fs::rename(path(&self.directory, number), path(&self.directory, number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(beside, path(&self.directory, 0))?;
        Ok(file)
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

fn path(directory: &Path, number: u32) -> PathBuf {
    directory.join(if number == 0 { "errors.log".to_owned() } else { format!("errors.{number}.log") })
}
