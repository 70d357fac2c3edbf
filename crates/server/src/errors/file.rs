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

    /// Writes one line, in a new file when this one would grow too long.
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        let bytes = line.len() as u64;
        if self.length > 0 && self.length + bytes > self.length_max {
            self.rotate()?;
        }
        self.file.write_all(line.as_bytes())?;
        self.length += bytes;
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        for number in (0..self.files - 1).rev() {
            match fs::rename(path(&self.directory, number), path(&self.directory, number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        if self.files == 1 {
            fs::remove_file(path(&self.directory, 0))?;
        }
        self.file = open(&path(&self.directory, 0))?;
        self.length = 0;
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

fn path(directory: &Path, number: u32) -> PathBuf {
    directory.join(if number == 0 { "errors.log".to_owned() } else { format!("errors.{number}.log") })
}
