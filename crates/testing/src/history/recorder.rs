//! Takes down what clients ask and are told.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use platform::Clock;

use super::{Action, Event, Happening, Outcome};

/// Takes down the calls of one client. Clones write to the same history.
///
/// Written to a file, every event is a line that is complete before the call it stands before is made, so
/// that a killed process leaves a history that can be judged: what it had asked and not heard of is unknown.
#[derive(Clone, Debug)]
pub struct Recorder {
    client: u32,
    clock: Arc<dyn Clock>,
    calls: Arc<AtomicU64>,
    sink: Arc<Mutex<Sink>>,
}

#[derive(Debug)]
enum Sink {
    Memory(Vec<Event>),
    Lines(BufWriter<File>),
}

/// A call that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningCall(u64);

impl Recorder {
    /// Keeps the events in memory, to be taken by [`Recorder::take`].
    #[must_use]
    pub fn in_memory(client: u32, clock: Arc<dyn Clock>) -> Self {
        Self::new(client, clock, Sink::Memory(Vec::new()))
    }

    /// Writes the events to a file, one JSON object a line, after what is there.
    pub fn to_file(client: u32, clock: Arc<dyn Clock>, path: &Path) -> io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self::new(client, clock, Sink::Lines(BufWriter::new(file))))
    }

    fn new(client: u32, clock: Arc<dyn Clock>, sink: Sink) -> Self {
        Self { client, clock, calls: Arc::default(), sink: Arc::new(Mutex::new(sink)) }
    }

    /// A recorder of the same history for another client.
    #[must_use]
    pub fn for_client(&self, client: u32) -> Self {
        Self { client, calls: Arc::default(), ..self.clone() }
    }

    /// Notes that a call begins. Make the call after this.
    #[must_use]
    pub fn invoke(&self, action: Action) -> RunningCall {
        let call = RunningCall(self.calls.fetch_add(1, Ordering::Relaxed) + 1);
        self.write(call, Happening::Invoke(action));
        call
    }

    /// Notes that it succeeded.
    pub fn ok(&self, call: RunningCall, outcome: Outcome) {
        self.write(call, Happening::Ok(outcome));
    }

    /// Notes that it failed without effect.
    pub fn fail(&self, call: RunningCall, reason: impl Into<String>) {
        self.write(call, Happening::Fail(reason.into()));
    }

    /// Notes that the outcome will never be known.
    pub fn unknown(&self, call: RunningCall) {
        self.write(call, Happening::Unknown);
    }

    /// Notes that the queue manager was started again.
    pub fn restart(&self) {
        self.write(RunningCall(0), Happening::Restart);
    }

    /// Notes that a queue was found empty with nobody else at work.
    pub fn drained(&self, queue: impl Into<String>) {
        self.write(RunningCall(0), Happening::Drained { queue: queue.into() });
    }

    /// The events kept in memory so far; none of a history that goes to a file.
    #[must_use]
    pub fn take(&self) -> Vec<Event> {
        match &mut *self.sink.lock().unwrap_or_else(PoisonError::into_inner) {
            Sink::Memory(events) => std::mem::take(events),
            Sink::Lines(_) => Vec::new(),
        }
    }

    /// # Panics
    /// When the file cannot be written: a history with holes proves nothing.
    fn write(&self, call: RunningCall, what: Happening) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        // The time is taken under the lock, so that the order of the lines is the order of the times.
        let event = Event { at: self.clock.now().0, client: self.client, call: call.0, what };
        match &mut *sink {
            Sink::Memory(events) => events.push(event),
            Sink::Lines(file) => write_line(file, &event).expect("the history can be written"),
        }
    }
}

fn write_line(file: &mut BufWriter<File>, event: &Event) -> io::Result<()> {
    serde_json::to_writer(&mut *file, event)?;
    file.write_all(b"\n")?;
    file.flush()
}

/// Why a written history cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The system refused.
    #[error("cannot read the history {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line in the middle is not an event.
    #[error("line {line} of the history {path} is not an event: {source}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The fault of the line.
        source: serde_json::Error,
    },
}

/// Reads written histories and merges them by time. The last line of a file may be cut, as a kill leaves it.
pub fn read_lines(paths: &[PathBuf]) -> Result<Vec<Event>, HistoryError> {
    let mut events = Vec::new();
    for path in paths {
        let failed = |source| HistoryError::Io { path: path.clone(), source };
        let mut lines = BufReader::new(File::open(path).map_err(failed)?).split(b'\n').enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            match serde_json::from_slice(&line.map_err(failed)?) {
                Ok(event) => events.push(event),
                Err(_) if lines.peek().is_none() => {}
                Err(source) => {
                    return Err(HistoryError::Line { path: path.clone(), line: index + 1, source });
                }
            }
        }
    }
    events.sort_by_key(|event: &Event| event.at);
    Ok(events)
}
