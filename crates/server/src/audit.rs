//! The record of refusals: a line of JSON for each, in the folder `audit/` of the queue manager.
//!
//! Lives here: the form of a line, the thread that writes, and finding a refusal again by its number. Lives
//! elsewhere: the judgement (`queue-manager`), the warning in the error log (`host`).
//!
//! Always: noting a refusal waits for nothing but a lock that is held for a moment; the files are readable by
//! their owner alone, and their size is bounded. Where refusals come faster than they can be written, the
//! oldest unwritten ones are lost, and a line tells how many. A record that is required counts as kept only
//! while the last line was written.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use objects::harmless;
use objects::messages::REFUSALS_NOT_RECORDED;
use parking_lot::Mutex;
use platform::Clock as _;
use platform::os::OsClock;
use queue_manager::{Explanation, LoginFacts, Refusal};
use serde_json::{Value, json};

use crate::errors::{ErrorLog, Rotating, Waiting, utc};

/// Refusals that wait to be written: some seconds of a flood.
const WAITING_MAX: usize = 4_096;

/// Most bytes of one file, and most files: some hundred thousand refusals.
const FILE_BYTES_MAX: u64 = 16 << 20;
const FILES: u32 = 5;

/// The beginning of the names of the files.
const STEM: &str = "audit";

/// Longest sleep of the thread.
const LOOK: Duration = Duration::from_secs(1);

/// The record of refusals of one queue manager.
pub(crate) struct Audit {
    waiting: Arc<Waiting<Refusal>>,
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
        let mut writer = Writer {
            folder: folder.to_owned(),
            file: None,
            untold: 0,
            is_begun: !is_required,
            kept: kept.clone(),
            errors,
        };
        // Before the first login: whether there can be any record is known by then.
        writer.write_all(&VecDeque::new());
        let of_thread = Arc::clone(&waiting);
        let thread = std::thread::Builder::new().name("ferry-audit".to_owned()).spawn(move || {
            while of_thread.wait(LOOK) {
                let (refusals, lost) = of_thread.take();
                writer.untold += lost;
                writer.write_all(&refusals);
            }
        })?;
        Ok(Self { waiting, kept, thread: Mutex::new(Some(thread)) })
    }

    /// Notes a refusal.
    pub(crate) fn note(&self, refusal: &Refusal) {
        self.waiting.note(refusal.clone());
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
}

impl Writer {
    /// Writes refusals, after a line for those that are missing.
    fn write_all(&mut self, refusals: &VecDeque<Refusal>) {
        let mut left = refusals.iter();
        let outcome = self.begin().and_then(|()| {
            left.try_for_each(|refusal| {
                self.untold += 1;
                self.write(&line(refusal))?;
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
            self.write(&json!({"begun": utc(OsClock.wall())}))?;
            self.is_begun = true;
        }
        if self.untold > 0 {
            self.write(&json!({"lost": self.untold}))?;
            self.untold = 0;
        }
        Ok(())
    }

    fn write(&mut self, line: &Value) -> io::Result<()> {
        let open = match &mut self.file {
            Some(open) => open,
            None => self.file.insert(Rotating::open(&self.folder, STEM, FILE_BYTES_MAX, FILES)?),
        };
        open.write(&(harmless_json(&line.to_string()) + "\n"))
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
        "id": format!("{id:016X}"),
        "time": utc(*at),
        "user": user.name(),
        "identity": format!("{:?}", user.identity()).to_lowercase(),
        "object": object,
        "request": options,
        "reason": reason.code(),
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

/// Finds the line of a refusal by its number in the files of a folder.
///
/// # Errors
/// When a file cannot be read.
pub fn find(folder: &Path, id: &str) -> io::Result<Option<Value>> {
    let is_of_audit =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(STEM));
    let mut files: Vec<PathBuf> = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?,
    };
    files.retain(is_of_audit);
    let wanted = id.trim().to_ascii_uppercase();
    for path in files {
        let text = fs::read_to_string(&path)?;
        let mut lines = text.lines().filter(|line| line.contains(&wanted));
        let found = lines.find_map(|line| {
            serde_json::from_str::<Value>(line).ok().filter(|line| line["id"] == wanted.as_str())
        });
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mqi::Reason;
    use platform::WallTime;
    use queue_manager::{Identity, Principal};
    use security::authority::{ObjectType, Set};
    use std::os::unix::fs::PermissionsExt as _;

    fn refusal(id: u64) -> Refusal {
        Refusal {
            id,
            at: WallTime(0),
            user: Principal::new("ad\"a", Identity::Asserted).unwrap(),
            object: "queue PAY.IN".to_owned(),
            options: "MQOPEN 0x10".to_owned(),
            reason: Reason::NOT_AUTHORIZED,
            explanation: Some(Explanation {
                user: "ada".to_owned(),
                groups: vec!["staff".into()],
                object_type: ObjectType::Queue,
                name: "PAY.IN".to_owned(),
                needed: Set::PUT,
                had: Set::EMPTY,
                deciding: None,
                remedy: Some("SET AUTHREC".to_owned()),
            }),
            login: None,
        }
    }

    fn open(folder: &Path) -> Audit {
        Audit::open(folder, errors(folder), false).unwrap()
    }

    fn errors(folder: &Path) -> ErrorLog {
        let beside = folder.with_file_name("errors");
        ErrorLog::open(&beside, "QM1", &crate::Configuration::default().errors, None).unwrap()
    }

    #[test]
    fn letters_that_turn_a_line_or_end_it_are_escapes_and_read_back_as_they_were() {
        let value = json!({"user": "x\u{2028}y\u{202e}z\u{9b}\n\u{1b}größe"});
        let text = value.to_string();
        let safe = harmless_json(&text);
        assert!(!safe.contains(harmless::is_harmful), "{safe}");
        assert!(safe.contains("\\u2028") && safe.contains("größe"), "{safe}");
        assert_eq!(serde_json::from_str::<Value>(&safe).unwrap(), value);
        assert!(matches!(harmless_json("{\"user\":\"ada\"}"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_refusal_is_one_line_that_its_owner_alone_reads_and_that_is_found_by_its_number() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("audit");
        assert_eq!(find(&folder, "AB").unwrap(), None);
        let audit = open(&folder);
        for id in [0xAB, 0xCD] {
            audit.note(&refusal(id));
        }
        drop(audit);
        let path = folder.join("audit.log");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2, "{text}");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let found = find(&folder, "00000000000000ab").unwrap().expect("it is there");
        assert_eq!((&found["user"], &found["reason"]), (&json!("ad\"a"), &json!(2035)));
        assert_eq!(found["judged"]["needed"], "PUT");
        assert_eq!(find(&folder, "00000000000000EF").unwrap(), None);
        // A later run goes on behind it.
        let audit = open(&folder);
        audit.note(&refusal(1));
        drop(audit);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
    }

    #[test]
    fn a_disk_that_takes_no_line_stops_nothing_and_the_next_line_tells_how_many_are_missing() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("audit");
        // Where a file is, no folder is made: each write is refused, as on a full disk.
        fs::write(&folder, "").unwrap();
        let audit = open(&folder);
        for id in 1..=3 {
            audit.note(&refusal(id));
        }
        let until = std::time::Instant::now() + Duration::from_secs(10);
        let mut id = 3;
        while !folder.join("audit.log").exists() {
            assert!(std::time::Instant::now() < until, "it is never written again");
            std::thread::sleep(Duration::from_millis(50));
            if folder.is_file() {
                fs::remove_file(&folder).unwrap();
            }
            id += 1;
            audit.note(&refusal(id));
        }
        drop(audit);
        let text = fs::read_to_string(folder.join("audit.log")).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let lost: u64 = lines.iter().filter_map(|line| line["lost"].as_u64()).sum();
        let told = lines.iter().filter(|line| line["id"].is_string()).count() as u64;
        assert!(lost >= 3, "{text}");
        assert_eq!(lost + told, id, "each is told, or told to be missing: {text}");
    }

    #[test]
    fn a_required_record_is_not_kept_from_the_first_line_that_fails_to_the_next_that_is_written() {
        let place = tempfile::tempdir().unwrap();
        let (folder, full) = (place.path().join("audit"), place.path().join("full"));
        fs::create_dir(&full).unwrap();
        std::os::unix::fs::symlink("/dev/full", full.join("audit.log")).unwrap();
        let mut writer = Writer {
            folder: folder.clone(),
            file: None,
            untold: 0,
            is_begun: false,
            kept: Kept(Arc::new(AtomicBool::new(false))),
            errors: errors(&folder),
        };
        writer.write_all(&VecDeque::new());
        assert!(writer.kept.holds(), "before any refusal");
        writer.file = Some(Rotating::open(&full, STEM, FILE_BYTES_MAX, FILES).unwrap());
        writer.write_all(&VecDeque::from([refusal(1), refusal(2)]));
        assert!(!writer.kept.holds());
        writer.write_all(&VecDeque::new());
        assert!(writer.kept.holds(), "it is tried again though nothing comes");
        let text = fs::read_to_string(folder.join("audit.log")).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines.len() == 2 && lines[0]["begun"].is_string() && lines[1]["lost"] == 2, "{text}");
    }
}
