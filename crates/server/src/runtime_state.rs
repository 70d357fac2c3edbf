//! The state that a queue manager leaves in its folder for others to read: its process, its addresses, its
//! stage; and the way in which it ended, if not after its programs had disconnected.
//!
//! Always: the lock tells the process that runs it; this file counts only where it is of that process.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::SystemTime;

use parking_lot::Mutex;
use platform::os::private;
use queue_manager::ListenerState;
use serde::{Deserialize, Serialize};

use crate::counted::Counted;
use crate::directory::Folder;
use crate::ending::Mode;
use crate::errors::FailureRecord;
use crate::errors::held::HeldDirectory;
use crate::listeners::Overview;
use crate::locks::holder;

/// A queue manager that runs, as it says itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The process.
    pub process: u32,
    /// When that process began, in ticks since the machine did: a later one may have its number, as in a
    /// container every first does.
    #[serde(default)]
    pub began: Option<u64>,
    /// True if the process is a program that contains it and has other things to do.
    #[serde(default)]
    pub in_program: bool,
    /// Where programs connect: addresses with ports, and the path of the local socket.
    pub listens: Vec<String>,
    /// The addresses of the LISTENER objects that run, by their names.
    #[serde(default)]
    pub listeners: BTreeMap<String, String>,
    /// The LISTENER objects that are to run with it and could not start, with the reason.
    #[serde(default)]
    pub failed_listeners: BTreeMap<String, String>,
    /// The words for a limit of open files that leaves no room for all connections of the settings.
    #[serde(default)]
    pub few_files: Option<String>,
    /// When it was ready, in UTC.
    pub since: String,
    /// Its stage.
    #[serde(default)]
    pub state: State,
}

/// Stage of a queue manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is not ready yet, and has not said where it will listen.
    Starting,
    /// The queue manager is ready.
    #[default]
    Running,
    /// The queue manager is about to end.
    Ending(Mode),
    /// Its last word.
    Ended(Mode),
}

impl Running {
    /// One of this process that starts.
    pub(crate) fn here(in_program: bool, listens: Vec<String>, since: String) -> Self {
        let process = std::process::id();
        let (listeners, failed_listeners) = (BTreeMap::new(), BTreeMap::new());
        Self {
            process,
            began: began(process),
            in_program,
            listens,
            listeners,
            failed_listeners,
            few_files: None,
            since,
            state: State::Starting,
        }
    }

    fn note(&mut self, listeners: Overview) {
        let at = |state: ListenerState| (state.attributes.name.to_string(), state.address.to_string());
        self.listeners = listeners.running.into_iter().map(at).collect();
        self.failed_listeners = listeners.failed;
    }

    /// Written beside and renamed, so that a reader sees all or nothing. A full disk has no room for that:
    /// then it is one write over the file that is there.
    pub(crate) fn write(&self, folder: &Folder) -> io::Result<()> {
        let path = folder.running();
        let beside = path.with_extension("new");
        let text = serde_json::to_vec(self).expect("plain fields");
        let written = private::create(&beside).and_then(|mut file| {
            file.write_all(&padded(text.clone(), BLOCK_BYTES))?;
            fs::rename(&beside, &path)
        });
        written.or_else(|error| {
            // An empty one would take the room of another file.
            let _ = fs::remove_file(&beside);
            write_over(&path, text).map_err(|_| error)
        })
    }

    fn read(folder: &Folder) -> Option<Self> {
        serde_json::from_str(&fs::read_to_string(folder.running()).ok()?).ok()
    }
}

/// The file is a multiple of so many bytes long: it has its blocks on the disk before a text is longer.
const BLOCK_BYTES: usize = 4096;

/// A text of JSON with blanks behind it, up to a multiple of `bytes`.
fn padded(mut text: Vec<u8>, bytes: usize) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(bytes.max(1)), b' ');
    text
}

/// Writes over a file without a need for room.
fn write_over(path: &Path, text: Vec<u8>) -> io::Result<()> {
    let file = fs::OpenOptions::new().write(true).open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    if text.len() > length {
        return Err(io::ErrorKind::StorageFull.into());
    }
    file.write_all_at(&padded(text, length), 0)
}

/// Returns the process that runs the queue manager of a folder, if any.
#[must_use]
pub fn running(folder: &Folder) -> Option<Running> {
    let process = holder(&folder.lock())?;
    // Where the system does not let this user look at the process, its number has to do.
    let began_as = |told: &Running| told.began.zip(began(process)).is_none_or(|(told, is)| told == is);
    let is_of_holder = |told: &Running| told.process == process && began_as(told);
    let told = Running::read(folder).filter(is_of_holder);
    // The notes are for the owner. A member of the group connects by the socket, which is there once it is
    // ready.
    let is_closed = || fs::read(folder.running()).is_err_and(|error| is_denied(&error));
    let is_ready = || told.is_none() && is_closed() && folder.socket().exists();
    let (state, listens) = if is_ready() {
        (State::Running, vec![folder.socket().display().to_string()])
    } else {
        (State::Starting, Vec::new())
    };
    let nothing = Running {
        process,
        began: None,
        in_program: false,
        listens,
        listeners: BTreeMap::new(),
        failed_listeners: BTreeMap::new(),
        few_files: None,
        since: String::new(),
        state,
    };
    Some(told.unwrap_or(nothing))
}

fn is_denied(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

/// When a process began, if it is there.
fn began(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name of the program, which may have anything in it.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

/// Returns the way in which a queue manager that does not run ended; none if it came to no end of its own.
#[must_use]
pub fn ended(folder: &Folder) -> Option<Mode> {
    match Running::read(folder) {
        None if folder.running().exists() => None,
        None => Some(Mode::Quiesce),
        Some(Running { state: State::Ended(mode), .. }) => Some(mode),
        Some(_) => None,
    }
}

/// An end that a queue manager came to without a last word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnexpectedEnd {
    /// When it was ready, in UTC.
    pub since: String,
    /// The record that it left, if it ended by its own decision.
    pub failure: Option<FailureRecord>,
    /// Messages that ended with it, as it counted them last, if it came to count them.
    pub lost: Option<Counted>,
}

impl UnexpectedEnd {
    /// The end of the queue manager in a folder, which does not run.
    #[must_use]
    pub fn of(folder: &Folder) -> Option<Self> {
        let since = match Running::read(folder) {
            Some(Running { state: State::Ended(_), .. }) => return None,
            Some(running) => running.since,
            // A power cut may leave the file without its text, and then has its time.
            None => fs::metadata(folder.running()).and_then(|file| file.modified()).ok().map(utc)?,
        };
        let failure = FailureRecord::newest(&folder.errors()).filter(|record| record.time >= since);
        let lost = Counted::read(&folder.counted()).filter(|counted| counted.since == since);
        Some(Self { since, failure, lost })
    }

    /// All that is known of the messages that ended with it.
    pub(crate) fn lost_messages(&self) -> String {
        match &self.lost {
            Some(Counted { not_persistent, at, .. }) => {
                let gone = separated(*not_persistent);
                format!("non-persistent messages that are gone: about {gone} (counted at {at})")
            }
            None => "non-persistent messages that are gone: their number is not known".to_owned(),
        }
    }
}

impl fmt::Display for UnexpectedEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failure {
            Some(FailureRecord { path, what, time }) => {
                write!(
                    formatter,
                    "ended by its own decision at {time}: {what} (first-failure record: {})",
                    path.display()
                )
            }
            None => write!(formatter, "ran since {} and did not end in order", self.since),
        }
    }
}

/// A number with commas between its thousands.
#[must_use]
pub fn separated(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn utc(time: SystemTime) -> String {
    jiff::Timestamp::try_from(time).map(|time| time.to_string()).unwrap_or_default()
}

/// The notes that a queue manager which runs keeps of itself in its own folder.
pub(crate) struct Notes {
    running: Mutex<Running>,
    folder: Folder,
    /// The folder, even after another took its name; none where the system has no such handle.
    held: Option<HeldDirectory>,
}

impl Notes {
    /// Notes that are not written yet: a reader takes a queue manager with notes for ready.
    pub(crate) fn of(running: Running, folder: Folder) -> Self {
        let held = HeldDirectory::open(folder.path()).ok();
        Self { running: Mutex::new(running), folder, held }
    }

    /// The folder that this run opened: between a look and a write another may be given its name.
    pub(crate) fn own_folder(&self) -> Folder {
        self.held.as_ref().map_or_else(|| self.folder.clone(), |held| self.folder.by(held.way()))
    }

    /// Says that it has entered this state, and which listeners run.
    ///
    /// # Errors
    /// Why the notes cannot be written.
    pub(crate) fn enter(&self, state: State, listeners: impl FnOnce() -> Overview) -> io::Result<()> {
        let mut running = self.running.lock();
        running.state = state;
        running.note(listeners());
        running.write(&self.own_folder())
    }

    /// Says which listeners run from now on. Before it is ready and after its end it says nothing.
    pub(crate) fn note_listeners(&self, listeners: impl FnOnce() -> Overview) {
        let mut running = self.running.lock();
        if matches!(running.state, State::Running | State::Ending(_)) {
            running.note(listeners());
            // Notes that cannot be written say what was so before.
            let _ = running.write(&self.own_folder());
        }
    }

    /// The listeners that it said run, by their names.
    pub(crate) fn listeners(&self) -> BTreeMap<String, String> {
        self.running.lock().listeners.clone()
    }

    /// The listeners that it said could not start, by their names.
    pub(crate) fn failed_listeners(&self) -> BTreeMap<String, String> {
        self.running.lock().failed_listeners.clone()
    }

    /// Says how it ended. The file stays, so that the next start has its place on a full disk.
    pub(crate) fn leave(&self, mode: Mode) {
        let (mut running, folder) = (self.running.lock(), self.own_folder());
        running.state = State::Ended(mode);
        running.note(Overview::default());
        if running.write(&folder).is_err() {
            // Without a note its programs had disconnected. One left behind would say that it ended by
            // itself.
            let _ = fs::remove_file(folder.running());
        }
        // What it counted ended in order, or was given up on purpose.
        let _ = fs::remove_file(folder.counted());
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use objects::{ListenerAttributes, Moment};

    use super::*;
    use crate::directory::{DataDirectory, LOCK};
    use crate::durable_files;

    #[test]
    fn what_another_process_of_the_same_number_said_does_not_count() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        let said = Running::here(false, vec!["there".to_owned()], "then".to_owned());
        said.write(&folder).unwrap();
        assert_eq!(running(&folder), None);
        let _lock = durable_files::disk(folder.path()).lock(Path::new(LOCK)).unwrap();
        assert_eq!(running(&folder), Some(said.clone()));
        let began = said.began.map(|began| began - 1);
        assert!(began.is_some());
        Running { began, ..said }.write(&folder).unwrap();
        let found = running(&folder).unwrap();
        assert_eq!((found.state, found.listens), (State::Starting, Vec::new()));
    }

    #[test]
    fn listeners_are_told_as_they_run_but_not_before_it_is_ready() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        let listener = |name: &str, port: u16| ListenerState {
            attributes: ListenerAttributes {
                name: name.parse().unwrap(),
                address: "".into(),
                port,
                backlog: None,
                amqp_channel: None,
                cover: None,
                starts_with_manager: false,
            },
            address: (Ipv4Addr::LOCALHOST, port).into(),
            started: Moment(0),
        };
        let running = |running| Overview { running, ..Overview::default() };
        let notes = Notes::of(Running::here(false, Vec::new(), "then".to_owned()), folder.clone());
        notes.note_listeners(|| running(vec![listener("EARLY", 1)]));
        assert!(!folder.running().exists());
        notes.enter(State::Running, || running(vec![listener("ONE", 1)])).unwrap();
        notes.note_listeners(|| Overview {
            failed: BTreeMap::from([("THREE".to_owned(), "its port is taken".to_owned())]),
            ..running(vec![listener("ONE", 1), listener("TWO", 2)])
        });
        let said = Running::read(&folder).unwrap();
        let expected = [("ONE", "127.0.0.1:1"), ("TWO", "127.0.0.1:2")];
        assert!(said.listeners.iter().map(|(name, address)| (&**name, &**address)).eq(expected));
        assert_eq!(said.state, State::Running);
        assert_eq!(said.failed_listeners["THREE"], "its port is taken");
        // A command that comes to its end during the end of the queue manager does not undo that.
        notes.enter(State::Ending(Mode::Immediate), Overview::default).unwrap();
        notes.note_listeners(Overview::default);
        assert_eq!(Running::read(&folder).unwrap().state, State::Ending(Mode::Immediate));
        notes.leave(Mode::Quiesce);
        notes.note_listeners(Overview::default);
        assert_eq!(Running::read(&folder).unwrap().state, State::Ended(Mode::Quiesce));
    }

    #[test]
    fn how_one_ended_is_known_to_who_looks_later() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        assert_eq!(ended(&folder), Some(Mode::Quiesce));
        let said = Running::here(false, Vec::new(), "then".to_owned());
        said.write(&folder).unwrap();
        assert_eq!(ended(&folder), None);
        let notes = Notes::of(said, folder.clone());
        for mode in [Mode::Preemptive, Mode::Immediate, Mode::Quiesce] {
            notes.leave(mode);
            assert_eq!(ended(&folder), Some(mode));
        }
        assert_eq!(UnexpectedEnd::of(&folder), None);
    }

    #[test]
    fn notes_are_written_over_those_that_are_there_when_no_other_file_can_be_made() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        let long = Running::here(false, vec!["here".repeat(500)], "then".to_owned());
        let short = Running::here(false, Vec::new(), "now".to_owned());
        short.write(&folder).unwrap();
        fs::create_dir(folder.running().with_extension("new")).unwrap();
        for running in [&long, &short, &long] {
            running.write(&folder).unwrap();
            assert_eq!(Running::read(&folder).as_ref(), Some(running));
        }
        // A text that needs more room than the file has leaves it as it was.
        let longer = Running::here(false, vec!["here".repeat(2_000)], "later".to_owned());
        longer.write(&folder).unwrap_err();
        assert_eq!(Running::read(&folder), Some(long));
        fs::remove_file(folder.running()).unwrap();
        short.write(&folder).unwrap_err();
    }

    #[test]
    fn an_end_whose_notes_a_power_cut_emptied_is_told_with_the_time_of_their_file() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        private::create(&folder.running()).unwrap();
        let told = UnexpectedEnd::of(&folder).unwrap();
        assert!(told.since.starts_with("20") && told.since.ends_with('Z'), "{told}");
    }
}
