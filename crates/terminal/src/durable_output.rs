//! Where messages go that may then be nowhere else: what is written there can be made to outlast a power cut.

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::{Access, Disk, File, OpenMode};
use serde::Serialize;

use crate::output;
use crate::reader::{Following, wait_for_reader};

/// An output that knows when what was written to it lasts.
pub trait DurableOutput: Write {
    /// Writes out what is held back, and makes all that was written last.
    fn settle(&mut self) -> io::Result<()>;

    /// Waits for the reader of a pipe, for a short time; before something is given up that nobody else has.
    ///
    /// # Errors
    /// `BrokenPipe` when the reader has gone, and has not read all or more would follow.
    fn wait_for_reader(&mut self, _following: Following) -> io::Result<()> {
        Ok(())
    }

    /// Leaves only the first so many bytes that were written, for good, where that can be done; whether it
    /// was.
    fn cut(&mut self, _bytes: u64) -> io::Result<bool> {
        Ok(false)
    }
}

impl<W: DurableOutput> DurableOutput for BufWriter<W> {
    fn settle(&mut self) -> io::Result<()> {
        self.flush()?;
        self.get_mut().settle()
    }

    fn wait_for_reader(&mut self, following: Following) -> io::Result<()> {
        self.get_mut().wait_for_reader(following)
    }
}

/// A new file, for its owner alone.
pub struct DurableFile {
    disk: Arc<dyn Disk>,
    file: Arc<dyn File>,
    length: u64,
    is_named: bool,
}

impl DurableFile {
    /// Makes the file, which must not exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.map_or_else(|| PathBuf::from("."), Path::to_owned);
        Self::create_on(platform::World::of_machine(directory).disk, Path::new(name))
    }

    /// Creates the file in the root of a disk.
    pub fn create_on(disk: Arc<dyn Disk>, name: &Path) -> io::Result<Self> {
        let file = disk.open(name, OpenMode::CreateNew, Access::Cached)?;
        Ok(Self { disk, file, length: 0, is_named: false })
    }
}

impl Write for DurableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(bytes, self.length)?;
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl DurableOutput for DurableFile {
    /// The name of the file, too, is gone after a power cut unless its directory was flushed.
    fn settle(&mut self) -> io::Result<()> {
        self.file.sync()?;
        if !self.is_named {
            self.disk.sync_directory(Path::new(""))?;
            self.is_named = true;
        }
        Ok(())
    }

    fn cut(&mut self, bytes: u64) -> io::Result<bool> {
        self.file.set_length(bytes)?;
        self.length = bytes;
        self.settle()?;
        Ok(true)
    }
}

impl DurableOutput for StdoutLock<'_> {
    /// A shell may have led it to a file; its name is for the shell to make durable.
    fn settle(&mut self) -> io::Result<()> {
        self.flush()?;
        let file = fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
        if file.metadata()?.is_file() { file.sync_all() } else { Ok(()) }
    }

    fn wait_for_reader(&mut self, following: Following) -> io::Result<()> {
        wait_for_reader(io::stdout(), following)
    }
}

impl DurableOutput for output::Standard {
    fn settle(&mut self) -> io::Result<()> {
        self.flush()?;
        self.stream.settle().map_err(|error| output::of_standard_output(&error))
    }

    fn wait_for_reader(&mut self, following: Following) -> io::Result<()> {
        self.stream.wait_for_reader(following).map_err(|error| output::of_standard_output(&error))
    }
}

/// Lines on their way to where they last. When that fails, it is known how many are there whole.
pub struct DurableLines {
    output: BufWriter<Counted>,
    /// Where those lines end that may be held back, in bytes.
    ends: VecDeque<u64>,
    out: Mark,
}

/// The place that an output has reached, at the end of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Number of lines.
    pub lines: u64,
    /// Number of bytes.
    bytes: u64,
}

/// An output, and how many bytes it took.
struct Counted {
    output: Box<dyn DurableOutput>,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.output.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl DurableOutput for Counted {
    fn settle(&mut self) -> io::Result<()> {
        self.output.settle()
    }

    fn wait_for_reader(&mut self, following: Following) -> io::Result<()> {
        self.output.wait_for_reader(following)
    }
}

impl DurableLines {
    /// Lines to this output.
    #[must_use]
    pub fn to(output: Box<dyn DurableOutput>) -> Self {
        let output = BufWriter::with_capacity(output::BUFFER_BYTES, Counted { output, bytes: 0 });
        Self { output, ends: VecDeque::new(), out: Mark::default() }
    }

    /// Writes a value as a line of JSON.
    pub fn write(&mut self, value: &impl Serialize) -> io::Result<()> {
        output::json_line(&mut self.output, value)?;
        self.ends.push_back(self.output.get_ref().bytes + self.output.buffer().len() as u64);
        self.out();
        Ok(())
    }

    /// Writes out what is held back, and makes all lines last.
    pub fn settle(&mut self) -> io::Result<()> {
        self.output.settle()
    }

    /// Waits for the reader of a pipe, as [`DurableOutput::wait_for_reader`] does.
    pub fn wait_for_reader(&mut self, following: Following) -> io::Result<()> {
        self.output.wait_for_reader(following)
    }

    /// As far as lines are out whole.
    pub fn out(&mut self) -> Mark {
        while let Some(bytes) = self.ends.pop_front_if(|end| *end <= self.output.get_ref().bytes) {
            self.out = Mark { lines: self.out.lines + 1, bytes };
        }
        self.out
    }

    /// Writes nothing of what is held back, and leaves what was written up to a mark, where the rest can be
    /// cut off; as far as there are whole lines then.
    pub fn end_at(mut self, mark: Mark) -> Mark {
        let out = self.out();
        let (mut counted, _) = self.output.into_parts();
        match counted.output.cut(mark.bytes) {
            Ok(true) => mark,
            Ok(false) | Err(_) => out,
        }
    }
}
