//! The record of refusals: a line of JSON for each, in the folder `audit/` of the queue manager.
//!
//! Lives here: the form of a line and the thread that writes. Lives elsewhere: the share of each source
//! (`sources`), finding a refusal again by its number (`reading`), the names of the files (`files`), the
//! judgement (`queue-manager`), the warning in the error log (`host`).
//!
//! Always: noting a refusal waits for nothing but a lock that is held for a moment; the files are readable by
//! their owner alone, and their size is bounded. Refusals that a source has beyond its share are counted in a
//! line. Where refusals of many sources come faster than they can be written, the oldest unwritten ones are
//! lost, and a line tells how many. A record that is required counts as kept only while the last line was
//! written.

mod files;
mod reading;
mod sources;

pub use reading::{Choice, Found, Listing, find, last};

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use objects::harmless;
use objects::messages::{REFUSALS_COUNTED, REFUSALS_NOT_RECORDED};
use parking_lot::Mutex;
use platform::Clock as _;
use platform::os::OsClock;
use queue_manager::{Explanation, LoginFacts, Refusal};
use serde_json::{Value, json};

use self::files::{FILE_BYTES_MAX, FILES, STEM};
use self::sources::{Count, Source, Sources, Treatment};
use crate::errors::{ErrorLog, Rotating, Waiting, utc};

/// Refusals that wait to be written: some seconds of a flood.
const WAITING_MAX: usize = 4_096;

/// Longest sleep of the thread.
const LOOK: Duration = Duration::from_secs(1);

/// The record of refusals of one queue manager.
pub(crate) struct Audit {
    waiting: Arc<Waiting<Refusal>>,
    sources: Arc<Mutex<Sources>>,
    kept: Kept,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// State of the record: false while the last line could not be written.
#[derive(Clone, Debug)]
pub(crate) struct Kept(Arc<AtomicBool>);

impl Kept {
    pub(crate) fn holds(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Audit {
    /// The record in this folder, which is made with the first refusal; at once where it `is_required`.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn open(folder: &Path, errors: ErrorLog, is_required: bool) -> io::Result<Self> {
        let waiting = Arc::new(Waiting::new(WAITING_MAX));
        let kept = Kept(Arc::new(AtomicBool::new(true)));
        let sources = Arc::new(Mutex::new(Sources::default()));
        let mut writer = Writer {
            folder: folder.to_owned(),
            file: None,
            untold: 0,
            is_begun: !is_required,
            kept: kept.clone(),
            errors,
            sources: Arc::clone(&sources),
        };
        // Before the first login: whether there can be any record is known by then.
        writer.write_all(&VecDeque::new());
        let of_thread = Arc::clone(&waiting);
        let thread = std::thread::Builder::new().name("ferry-audit".to_owned()).spawn(move || {
            writer.count_files();
            while of_thread.wait(LOOK) {
                let (refusals, lost) = of_thread.take();
                writer.untold += lost;
                writer.write_all(&refusals);
                writer.tell_counts(false);
            }
            writer.tell_counts(true);
        })?;
        Ok(Self { waiting, sources, kept, thread: Mutex::new(Some(thread)) })
    }

    /// Notes a refusal; none where it is recorded, else the number under which it is counted with its like.
    pub(crate) fn note(&self, refusal: &Refusal) -> Option<u64> {
        let source = Source::of(refusal);
        match self.sources.lock().take(source, refusal.id, Instant::now()) {
            Treatment::Recorded => {
                self.waiting.note(refusal.clone());
                None
            }
            Treatment::Counted(id) => Some(id),
        }
    }

    /// State of the record from now on.
    pub(crate) fn kept(&self) -> Kept {
        self.kept.clone()
    }
}

impl Drop for Audit {
    fn drop(&mut self) {
        self.waiting.end();
        if let Some(thread) = self.thread.lock().take() {
            // A writer that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

/// Writer of the lines.
struct Writer {
    folder: PathBuf,
    file: Option<Rotating>,
    /// Refusals that are in no line, and that no line has told of.
    untold: u64,
    /// A record that is required begins with a line of its own, which shows that it can be kept.
    is_begun: bool,
    kept: Kept,
    errors: ErrorLog,
    sources: Arc<Mutex<Sources>>,
}

impl Writer {
    /// Counts the bytes of each source in the files that an earlier run left: a start gives no source another
    /// share.
    fn count_files(&self) {
        for (file, path) in files::files(&self.folder).enumerate() {
            // One that does not read now is counted as empty.
            let _ = reading::each_line(&path, &mut |line| {
                let Some(source) = line["source"].as_str().and_then(Source::parse) else { return };
                let bytes = line.to_string().len() as u64 + 1;
                self.sources.lock().note_line(source, bytes, file, Instant::now());
            });
        }
    }

    /// Writes the counts of refusals without a record that are due, or all of them.
    fn tell_counts(&mut self, all: bool) {
        let counts = self.sources.lock().take_counts(Instant::now(), all);
        for Count { source, refusals, with } in counts {
            let with = shown_id(with);
            let line = json!({
                "counted": refusals,
                "with": with,
                "source": source.to_string(),
                "time": utc(OsClock.wall()),
            });
            self.errors.write(&REFUSALS_COUNTED, [refusals.to_string(), source.to_string(), with]);
            if self.write(&line, source).is_err() {
                self.untold += refusals;
            }
        }
    }

    /// Writes refusals, after a line for those that are missing.
    fn write_all(&mut self, refusals: &VecDeque<Refusal>) {
        let mut left = refusals.iter();
        let outcome = self.begin().and_then(|()| {
            left.try_for_each(|refusal| {
                self.untold += 1;
                self.write(&line(refusal), Source::of(refusal))?;
                self.untold -= 1;
                Ok(())
            })
        });
        self.kept.0.store(outcome.is_ok(), Ordering::Release);
        if let Err(error) = outcome {
            // The work goes on: the error log has a warning for each.
            self.untold += left.len() as u64;
            // Its disk may be another by the next try.
            self.file = None;
            self.errors.write(&REFUSALS_NOT_RECORDED, [self.folder.display().to_string(), error.to_string()]);
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.is_begun {
            self.write(&json!({"begun": utc(OsClock.wall())}), Source::Others)?;
            self.is_begun = true;
        }
        if self.untold > 0 {
            self.write(&json!({"lost": self.untold}), Source::Others)?;
            self.untold = 0;
        }
        Ok(())
    }

    fn write(&mut self, line: &Value, source: Source) -> io::Result<()> {
        let open = match &mut self.file {
            Some(open) => open,
            None => self.file.insert(Rotating::open(&self.folder, STEM, FILE_BYTES_MAX, FILES)?),
        };
        let line = line.to_string();
        let text = harmless_json(&line) + "\n";
        let has_begun_a_file = open.write(&text)?;
        let mut sources = self.sources.lock();
        if has_begun_a_file {
            sources.rotate();
        }
        sources.note_line(source, text.len() as u64, 0, Instant::now());
        Ok(())
    }
}

/// A text of JSON whose harmful letters are escapes of JSON, so that it reads back as it was. Those below a
/// blank are escapes already.
fn harmless_json(text: &str) -> Cow<'_, str> {
    if !text.contains(harmless::is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() * 2);
    text.chars().for_each(|letter| harmless::push_json(&mut safe, letter));
    Cow::Owned(safe)
}

/// A refusal as a line.
fn line(refusal: &Refusal) -> Value {
    let Refusal { id, at, user, object, options, reason, explanation, login } = refusal;
    let mut line = json!({
        "id": shown_id(*id),
        "time": utc(*at),
        "user": user.name(),
        "identity": format!("{:?}", user.identity()).to_lowercase(),
        "object": object,
        "request": options,
        "reason": reason.code(),
        "source": Source::of(refusal).to_string(),
    });
    if let Some(LoginFacts { origin, cause }) = login {
        line["login"] = json!({"from": origin, "cause": cause});
    }
    if let Some(explanation) = explanation {
        let Explanation { user, groups, object_type, name, needed, had, deciding, remedy } = explanation;
        line["judged"] = json!({
            "user": user,
            "groups": groups,
            "type": object_type.keyword(),
            "name": name,
            "needed": needed.to_string(),
            "had": had.to_string(),
            "record": deciding,
            "allowed_by": remedy,
        });
    }
    line
}

/// The number of a refusal, as it is told.
pub(crate) fn shown_id(id: u64) -> String {
    format!("{id:016X}")
}

#[cfg(test)]
mod tests;
