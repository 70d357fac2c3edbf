//! Where messages go that may then be nowhere else: what is written there can be made to outlast a power cut.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::{Access, Disk, File, OpenMode};

use crate::output::Output;

/// An output that knows when what was written to it lasts.
pub(crate) trait Lasting: Write {
    /// Writes out what is held back, and makes all that was written last.
    fn settle(&mut self) -> io::Result<()>;
}

/// A new file, for its owner alone.
pub(crate) struct LastingFile {
    disk: Arc<dyn Disk>,
    file: Arc<dyn File>,
    length: u64,
    is_named: bool,
}

impl LastingFile {
    /// Makes the file, which must not exist.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.map_or_else(|| PathBuf::from("."), Path::to_owned);
        Self::create_on(platform::World::of_machine(directory).disk, Path::new(name))
    }

    /// The same, in the root of a disk.
    pub(crate) fn create_on(disk: Arc<dyn Disk>, name: &Path) -> io::Result<Self> {
        let file = disk.open(name, OpenMode::CreateNew, Access::Cached)?;
        Ok(Self { disk, file, length: 0, is_named: false })
    }
}

impl Write for LastingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(bytes, self.length)?;
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lasting for BufWriter<LastingFile> {
    /// The name of the file, too, is gone after a power cut unless its directory was flushed.
    fn settle(&mut self) -> io::Result<()> {
        self.flush()?;
        let output = self.get_mut();
        output.file.sync()?;
        if !output.is_named {
            output.disk.sync_directory(Path::new(""))?;
            output.is_named = true;
        }
        Ok(())
    }
}

impl Lasting for Output {
    /// A shell may have led it to a file; whether that has its name for good is for whoever named it.
    fn settle(&mut self) -> io::Result<()> {
        self.flush()?;
        let file = fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
        if file.metadata()?.is_file() { file.sync_all() } else { Ok(()) }
    }
}
