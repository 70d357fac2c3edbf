//! The error log: what an administrator should know, one event one line.
//!
//! Lives here: [`ErrorLog`], which any thread may call from anywhere, even under locks of the engine: it
//! notes the event and a thread of its own writes it. `line` gives an event its form, `file` writes and
//! rotates, `flood` keeps a repeated event from filling the disk, `failure` is the record left when the
//! process ends by its own decision.
//!
//! Always: an event is one line for any inserts, and queue manager and disk never wait for each other because
//! of it: when events come faster than they can be written, the oldest unwritten ones are counted and lost.

mod elsewhere;
mod failure;
mod file;
mod flood;
pub(crate) mod held;
mod line;
mod machine;
mod repeats;
mod system_log;
mod waiting;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use objects::harmless::harmless_lines;
use objects::messages::{self, MessageRow};
use parking_lot::Mutex;
use platform::sync::atomic::{AtomicU64, Ordering};
use platform::{Clock, WallTime, os::OsClock};
use serde_json::json;

use crate::configuration::{Also, ErrorFormat, Errors};
pub(crate) use file::Rotating;
use flood::Flood;
use held::HeldDirectory;
use repeats::{Over, Repeats};
use system_log::SystemLog;
pub(crate) use waiting::Waiting;

pub use failure::FailureRecord;

/// Events that wait to be written; a thousand are a second of a very bad day.
const WAITING_MAX: usize = 1024;

/// Lines kept in memory for a first-failure record.
const RECENT: usize = 100;

/// A slow disk is slow for a while, and records are for people: one in so much time says what there is to
/// say.
const SLOW_IO_RECORD_PAUSE: Duration = Duration::from_secs(60);

/// Longest wait of a failure for the thread that writes: it may be held up by the disk that failed.
const FAILURE_LOCK_MAX: Duration = Duration::from_millis(10);

/// Interval at which left-out events are counted and reported.
const FLOOD_WINDOW: Duration = Duration::from_secs(1);

/// One event as it is noted.
struct Noted {
    event: line::Event,
    number: u16,
}

/// The error log of a queue manager. Cheap to clone; all clones are the same log. The last one to go writes
/// what waits.
#[derive(Clone)]
pub struct ErrorLog {
    shared: Arc<Shared>,
    _thread: Arc<Writer>,
}

struct Shared {
    queue_manager: String,
    directory: PathBuf,
    held: Arc<HeldDirectory>,
    system_log: SystemLog,
    also: Also,
    format: ErrorFormat,
    slow: Option<Duration>,
    slow_io_record: bool,
    waiting: Waiting<Noted>,
    /// Events that were noted, by severity.
    events: [AtomicU64; 3],
    refusals: AtomicU64,
    file: Mutex<Output>,
}

struct Output {
    file: Rotating,
    flood: Flood,
    repeats: Repeats,
    recent: VecDeque<String>,
    /// When a record of slow input and output was last left.
    slow_io_recorded: Option<Instant>,
}

/// The thread that writes; joined when the last handle goes.
struct Writer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl ErrorLog {
    /// Opens the error log in `directory`, which is made when absent, in a folder that is there.
    ///
    /// # Errors
    /// When directory or file cannot be made.
    pub fn open(
        directory: &Path,
        queue_manager: &str,
        settings: &Errors,
        slow: Option<Duration>,
    ) -> io::Result<Self> {
        let file = Rotating::open(directory, "errors", settings.file_size_max.0, settings.files)?;
        let shared = Arc::new(Shared {
            queue_manager: queue_manager.to_owned(),
            directory: directory.to_owned(),
            held: file.directory(),
            system_log: SystemLog::at(&settings.system_log.0),
            also: settings.also,
            format: settings.format,
            slow,
            slow_io_record: settings.slow_io_record,
            waiting: Waiting::new(WAITING_MAX),
            events: Default::default(),
            refusals: AtomicU64::new(0),
            file: Mutex::new(Output {
                file,
                flood: Flood::new(settings.flood_max),
                repeats: Repeats::default(),
                recent: VecDeque::new(),
                slow_io_recorded: None,
            }),
        });
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("ferry-errors".to_owned())
            .spawn(move || of_thread.write_until_ended())?;
        let writer = Writer { shared: Arc::clone(&shared), thread: Mutex::new(Some(thread)) };
        Ok(Self { shared, _thread: Arc::new(writer) })
    }

    /// Notes an event.
    #[track_caller]
    pub fn write<Insert: fmt::Display>(
        &self,
        row: &'static MessageRow,
        inserts: impl IntoIterator<Item = Insert>,
    ) {
        let inserts = inserts.into_iter().map(|insert| insert.to_string()).collect();
        self.note(row, inserts, std::panic::Location::caller());
    }

    /// Notes an event and says it on standard error, unless events go to the terminal besides.
    #[track_caller]
    pub fn write_and_say(&self, row: &'static MessageRow, inserts: impl Into<Vec<String>>) {
        let inserts = inserts.into();
        if matches!(self.shared.also, Also::Nothing | Also::SystemLog) {
            say(line::sentence(row, &inserts));
        }
        self.write(row, inserts);
    }

    /// Notes an event of the engine.
    pub fn engine_event(&self, event: &queue_manager::Event) {
        let source = event.source;
        let mut inserts = event.inserts.clone();
        let Some(row) = messages::find(event.id) else {
            inserts.insert(0, event.id.to_owned());
            return self.note(&UNKNOWN, vec![inserts.join(", ")], source);
        };
        if *row == messages::SLOW_LOG
            && inserts.len() + 1 == row.insert_count()
            && let Some(slow) = self.shared.slow
        {
            inserts.push(slow.as_micros().to_string());
        }
        self.note(row, inserts, source);
    }

    fn note(
        &self,
        row: &'static MessageRow,
        inserts: Vec<String>,
        source: &'static std::panic::Location<'static>,
    ) {
        self.shared.events[row.severity as usize].fetch_add(1, Ordering::Relaxed);
        if row.number == messages::REQUEST_REFUSED.number {
            self.count_refusal(true);
        }
        let event = line::Event {
            row,
            inserts,
            time: OsClock.wall(),
            thread: std::thread::current().name().unwrap_or("unnamed").to_owned(),
            source,
        };
        self.shared.waiting.note(Noted { event, number: row.number });
    }

    /// Writes what waits, on the caller's thread.
    pub fn flush(&self) {
        self.shared.write_waiting(&mut self.shared.file.lock());
    }

    /// Counts the events that were noted: information, warnings, errors; also those left out of the file.
    pub(crate) fn events(&self) -> [u64; 3] {
        self.shared.events.each_ref().map(|count| count.load(Ordering::Relaxed))
    }

    /// Counts a refusal that has no line of its own, if it is that of a request.
    pub(crate) fn count_refusal(&self, is_of_request: bool) {
        self.shared.refusals.fetch_add(is_of_request.into(), Ordering::Relaxed);
    }

    /// Counts the requests that the rules of authority refused.
    pub(crate) fn refusals(&self) -> u64 {
        self.shared.refusals.load(Ordering::Relaxed)
    }

    /// Counts the records of first failures.
    pub(crate) fn failures(&self) -> u64 {
        failure::count(&self.shared.directory)
    }

    /// The folder of the error log.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.shared.directory
    }

    /// Leaves a first-failure record and an event of it, in the system's log too. Returns where the record
    /// is.
    pub fn failure(&self, what: &str, context: &str) -> Option<PathBuf> {
        let queue_manager = &self.shared.queue_manager;
        // First, and for itself: the disk may take nothing any more.
        let text = line::sentence(&messages::QUEUE_MANAGER_FAILED, &[queue_manager.clone(), what.to_owned()]);
        self.shared.system_log.write(messages::Severity::Error, &text);
        self.write(&messages::QUEUE_MANAGER_FAILED, [queue_manager, what]);
        let recent: Vec<String> = match self.shared.file.try_lock_for(FAILURE_LOCK_MAX) {
            Some(mut output) => {
                self.shared.write_waiting(&mut output);
                output.recent.iter().cloned().collect()
            }
            None => Vec::new(),
        };
        let content = failure::Content { queue_manager, what, context, recent: &recent };
        let record = failure::record(&self.shared.held, failure::Kind::Failure, &content);
        if let Some(path) = &record {
            let text =
                format!("{queue_manager}: first-failure record: {}", line::harmless(&path.to_string_lossy()));
            self.shared.system_log.write(messages::Severity::Error, &text);
        }
        record
    }

    /// Leaves the same for an invariant that is broken, with the place in the program where it was.
    pub fn broken_invariant(&self, what: &str) -> Option<PathBuf> {
        self.failure(what, "").inspect(|record| failure::add_backtrace(record))
    }
}

/// For an event whose number has no row: said as it is rather than dropped.
static UNKNOWN: MessageRow = MessageRow {
    number: 5999,
    severity: messages::Severity::Warning,
    text: "{}.",
    explanation: "The event has no entry in the table of messages.",
    action: "Report it.",
};

impl Shared {
    fn write_until_ended(&self) {
        while self.waiting.wait(FLOOD_WINDOW) {
            self.write_waiting(&mut self.file.lock());
        }
        let output = &mut *self.file.lock();
        for over in output.repeats.end() {
            self.write_over(output, &over);
        }
    }

    /// Leaves a record of how the machine and the threads of this process stand, unless there is a recent
    /// one.
    fn record_slow_io(&self, output: &mut Output, now: Instant) {
        let recently = |at: Instant| now.duration_since(at) < SLOW_IO_RECORD_PAUSE;
        if output.slow_io_recorded.is_some_and(recently) {
            return;
        }
        output.slow_io_recorded = Some(now);
        let recent: Vec<String> = output.recent.iter().cloned().collect();
        let what = recent.last().map_or("", |line| line.trim_end());
        // The warning stands in the error log also where there is no room for a record.
        let context = machine::input_and_output();
        let content =
            failure::Content { queue_manager: &self.queue_manager, what, context: &context, recent: &recent };
        let _ = failure::record(&self.held, failure::Kind::SlowIo, &content);
    }

    fn write_waiting(&self, output: &mut Output) {
        let (events, lost) = self.waiting.take();
        let now = Instant::now();
        for left_out in output.flood.left_out(now) {
            let inserts = [left_out.count.to_string(), left_out.id, left_out.within.as_millis().to_string()];
            self.write_line(output, &line::Event::own(&messages::EVENTS_LEFT_OUT, inserts));
        }
        for over in output.repeats.over(now) {
            self.write_over(output, &over);
        }
        for noted in events {
            let (is_repeated, over) = output.repeats.note(noted.event.row, &noted.event.inserts, now);
            if let Some(over) = over {
                self.write_over(output, &over);
            }
            if is_repeated {
                continue;
            }
            if output.flood.admits(noted.number, || noted.event.row.id(), now) {
                self.write_line(output, &noted.event);
                if self.slow_io_record && noted.number == messages::SLOW_LOG.number {
                    self.record_slow_io(output, now);
                }
            }
        }
        if lost > 0 {
            let inserts = [lost.to_string(), "of several kinds".to_owned(), "0".to_owned()];
            self.write_line(output, &line::Event::own(&messages::EVENTS_LEFT_OUT, inserts));
        }
    }

    fn write_over(&self, output: &mut Output, over: &Over) {
        let inserts = [over.row.id(), over.again.to_string(), over.within.as_millis().to_string()];
        self.write_line(output, &line::Event::own(&messages::EVENT_REPEATED, inserts));
    }

    fn write_line(&self, output: &mut Output, event: &line::Event) {
        let line = match self.format {
            ErrorFormat::Text => event.text(&self.queue_manager),
            ErrorFormat::Json => event.json(&self.queue_manager),
        };
        let began = Instant::now();
        if let Err(error) = output.file.write(&line) {
            // The disk of the log is full or gone: the terminal or the journal is what is left.
            say(format!("cannot write the error log in {}: {error}\n{line}", self.directory.display()));
        }
        let took = began.elapsed();
        self.say_also(event, &line);
        if output.recent.len() == RECENT {
            output.recent.pop_front();
        }
        output.recent.push_back(line);
        if self.slow.is_some_and(|slow| took > slow) && event.row.number != messages::ERROR_LOG_SLOW.number {
            let event = line::Event::own(&messages::ERROR_LOG_SLOW, [took.as_micros().to_string()]);
            self.write_line(output, &event);
        }
    }
}

impl Shared {
    /// Says warnings and errors where the settings want them besides.
    fn say_also(&self, event: &line::Event, line: &str) {
        let severity = event.row.severity;
        match self.also {
            Also::StandardError if severity >= messages::Severity::Warning => say_event(line.trim_end()),
            Also::StandardOutput => say_on_output(line.trim_end()),
            Also::SystemLog if severity >= messages::Severity::Warning => {
                self.system_log.write(severity, line)
            }
            _ => {}
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.waiting.end();
        if let Some(thread) = self.thread.lock().take() {
            // A writer that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

/// Set once words besides the events are lines of JSON.
static WORDS_ARE_JSON: OnceLock<()> = OnceLock::new();

/// Has [`say`] print lines of JSON from now on, if the settings have events as such on standard output or
/// standard error: programs that read the log of a container take both for one.
pub fn say_as_events(settings: &Errors) {
    let is_beside = matches!(settings.also, Also::StandardOutput | Also::StandardError);
    if is_beside && settings.format == ErrorFormat::Json {
        // It may be set already.
        let _ = WORDS_ARE_JSON.set(());
    }
}

/// True if words besides the events are lines of JSON.
pub fn words_are_json() -> bool {
    WORDS_ARE_JSON.get().is_some()
}

/// Prints words that are no result, on standard error. That may be on a full disk, or gone; then they are
/// lost, and the work goes on: no reason to panic.
pub fn say(words: impl fmt::Display) {
    let words = words.to_string();
    let words = harmless_lines(&words);
    let _ = if words_are_json() {
        let line = json!({"time": utc(OsClock.wall()), "process": std::process::id(), "message": words});
        writeln!(io::stderr(), "{line}")
    } else {
        writeln!(io::stderr(), "{words}")
    };
}

/// Prints an event on standard error, which is a line already.
fn say_event(line: &str) {
    let _ = writeln!(io::stderr(), "{}", harmless_lines(line));
}

/// Prints an event on standard output. That may be gone; then the event is lost, and the work goes on.
fn say_on_output(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// A moment as it is written everywhere: UTC, with microseconds.
pub(crate) fn utc(time: WallTime) -> String {
    match jiff::Timestamp::from_microsecond(time.0) {
        Ok(moment) => format!("{moment:.6}"),
        Err(_) => format!("{} microseconds", time.0),
    }
}

#[cfg(test)]
mod tests;
