//! Lists of revoked certificates that were there: the last of each issuer stays in force while its file is
//! gone.
//!
//! Lives here: the memory of the lists, and those that an administrator gave up. Lives elsewhere: reading the
//! files and matching lists with certificates (`tls`), the issuers that had a list (`queue-manager`, in the
//! log).
//!
//! Always: a certificate of an issuer that had a list is judged by a list, or refused. A list that comes by
//! another file is no loss.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;

use objects::Message;
use objects::messages::{
    MessageRow, REVOCATION_LIST_BACK, REVOCATION_LIST_GIVEN_UP, REVOCATION_LIST_MISSING,
    REVOCATION_LIST_NOT_GIVEN_UP, REVOCATION_LIST_NOT_LOGGED,
};
use parking_lot::Mutex;
use platform::os::private;
use queue_manager::QueueManager;
use tls::revocation::{self, GIVEN_UP_BYTES_MAX, List};
use tls::{IssuerName, KeyStore, store};

/// Permissions that the file of lists that were given up must not give.
const MODE_REFUSED: u32 = 0o022;

/// Writes a message to the error log.
pub(crate) type Report = Box<dyn Fn(&'static MessageRow, Vec<String>) + Send + Sync>;

/// The lists of the queue manager.
pub(crate) struct Revocations {
    /// The folder `security`.
    folder: PathBuf,
    name: String,
    say: Report,
    state: Mutex<Lists>,
}

#[derive(Default)]
struct Lists {
    /// The last lists of each issuer.
    last: BTreeMap<IssuerName, Vec<List>>,
    /// Issuers whose lists are missing, each with the warning.
    missing: BTreeMap<IssuerName, Message>,
    /// Faults that were reported.
    told: BTreeSet<String>,
}

impl Revocations {
    pub(crate) fn new(folder: PathBuf, name: String, say: Report) -> Self {
        Self { folder, name, say, state: Mutex::default() }
    }

    /// Warnings about the lists that are missing now.
    pub(crate) fn warnings(&self) -> Vec<Message> {
        self.state.lock().missing.values().cloned().collect()
    }

    /// Adds to a store that was read now what its files do not have: lists that were there, and the issuers
    /// whose lists are lost. Where not all files were read, a list that is not there is no loss to tell of.
    pub(crate) fn complete(&self, store: &mut KeyStore, queue_manager: &QueueManager, has_all_lists: bool) {
        let mut state = self.state.lock();
        let lists = store.lists();
        if has_all_lists {
            self.take_given_up(&mut state, &lists, queue_manager);
        }
        let logged = queue_manager.logins().revocation_lists().issuers();
        for (issuer, lists) in lists {
            if !logged.contains(&issuer.to_hex()) {
                self.remember(&mut state, &issuer, queue_manager);
            }
            if state.missing.remove(&issuer).is_some() {
                (self.say)(&REVOCATION_LIST_BACK, vec![issuer.to_string()]);
            }
            state.last.insert(issuer, lists);
        }
        let had = logged.iter().filter_map(|hex| IssuerName::from_hex(hex));
        let had: BTreeSet<IssuerName> = had.chain(state.last.keys().cloned()).collect();
        let present = store.lists();
        for issuer in had.into_iter().filter(|issuer| !present.contains_key(issuer)) {
            let last = state.last.get(&issuer).cloned();
            let effect = match &last {
                Some(_) => "the last one stays in force until the queue manager ends",
                None => "no certificate of this issuer is let in",
            };
            match last {
                Some(lists) => store.revocations.extend(lists),
                None => drop(store.unlisted.insert(issuer.clone())),
            }
            if !has_all_lists {
                continue;
            }
            state.missing.entry(issuer).or_insert_with_key(|issuer| {
                let warning = self.missing(issuer, effect);
                (self.say)(&REVOCATION_LIST_MISSING, warning.inserts().to_vec());
                warning
            });
        }
    }

    fn missing(&self, issuer: &IssuerName, effect: &str) -> Message {
        let folder = self.folder.join(store::REVOKED).display().to_string();
        let issuer = issuer.to_string();
        let command = format!("ferry tls give-up {} '{}'", self.name, issuer.replace('\'', r"'\''"));
        Message::new(&REVOCATION_LIST_MISSING, [issuer, effect.to_owned(), folder, command])
    }

    /// Logs that an issuer has a list.
    fn remember(&self, state: &mut Lists, issuer: &IssuerName, queue_manager: &QueueManager) {
        let logged = if issuer.fits() {
            queue_manager
                .logins()
                .revocation_lists()
                .remember(&issuer.to_hex())
                .map_err(|error| error.to_string())
        } else {
            Err("its name is too long".to_owned())
        };
        if let Err(why) = logged
            && state.told.insert(format!("{issuer}: {why}"))
        {
            (self.say)(&REVOCATION_LIST_NOT_LOGGED, vec![issuer.to_string(), why]);
        }
    }

    /// Forgets the lists that an administrator gave up.
    fn take_given_up(
        &self,
        state: &mut Lists,
        present: &BTreeMap<IssuerName, Vec<List>>,
        queue_manager: &QueueManager,
    ) {
        let text = match self.read_given_up() {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(error) => {
                let why = format!("{}: {error}", revocation::given_up(&self.folder).display());
                if state.told.insert(why.clone()) {
                    (self.say)(&REVOCATION_LIST_NOT_GIVEN_UP, vec![why]);
                }
                return;
            }
        };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let had = queue_manager.logins().revocation_lists().issuers();
            let had =
                had.iter().filter_map(|hex| IssuerName::from_hex(hex)).chain(state.last.keys().cloned());
            let found = had.into_iter().find(|issuer| issuer.to_string() == line);
            let forgotten = match found {
                Some(issuer) if present.contains_key(&issuer) => {
                    Err(format!("that of {issuer} is in the folder; remove its file first"))
                }
                Some(issuer) => queue_manager
                    .logins()
                    .revocation_lists()
                    .forget(&issuer.to_hex())
                    .map(|()| issuer)
                    .map_err(|error| error.to_string()),
                None => Err(format!("there never was one of {}", line.escape_debug())),
            };
            match forgotten {
                Ok(issuer) => {
                    state.last.remove(&issuer);
                    state.missing.remove(&issuer);
                    (self.say)(&REVOCATION_LIST_GIVEN_UP, vec![issuer.to_string()]);
                }
                Err(why) => (self.say)(&REVOCATION_LIST_NOT_GIVEN_UP, vec![why]),
            }
        }
    }

    /// Takes the file of lists that were given up: it is gone before it takes effect, so that no list is
    /// given up a second time.
    fn read_given_up(&self) -> io::Result<Option<String>> {
        let path = revocation::given_up(&self.folder);
        let file = match fs::File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let found = file.metadata()?;
        if private::exposure(&path, &found, MODE_REFUSED).is_some() {
            return Err(io::Error::other("others may change it: remove it, and give the command again"));
        }
        let mut text = String::new();
        file.take(GIVEN_UP_BYTES_MAX as u64).read_to_string(&mut text)?;
        fs::remove_file(&path)?;
        Ok(Some(text))
    }
}
