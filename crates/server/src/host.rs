//! This process as the engine's host: what the engine announces is noted here and the right thread is woken.
//!
//! Called under locks of the engine, so nothing here waits for anything.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::LocalKey;
use std::time::Duration;

use mqi::QueueManagerName;
use objects::messages::LISTENER_NOT_CHANGED;
use objects::{Message, Moment};
use platform::Parker;
use platform::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use platform::{Clock, os::OsClock};
use queue_manager::{
    Carried, Event, Host, JudgedLogin, ListenerState, LoginFacts, LoginNumber, Refusal, Request,
};
use security::authority::Entity;
use transport::Remote;

use crate::audit::{Audit, shown_id};
use crate::channels::{ChannelDesk, Names};
use crate::directory::SECURITY;
use crate::embedded::Waiting;
use crate::errors::ErrorLog;
use crate::listeners::Listeners;
use crate::logins::LoginDesk;
use crate::revocations::{Report, Revocations};
use crate::runtime_state::Notes;
use crate::secrets::Secrets;
use crate::sleeping::Bell;

thread_local! {
    /// The reactor this thread is, if it is one.
    static REACTOR: Cell<Option<usize>> = const { Cell::new(None) };
    /// True while this thread is within a verb whose outcome it will wait for, and so writes the log itself.
    static DRIVES: Cell<bool> = const { Cell::new(false) };
}

/// Holds while this thread runs a verb whose outcome it will wait for: its records need no other writer.
/// Records that no program waits for may stay unwritten; a thread that needs them later writes them.
pub(crate) fn this_thread_drives() -> impl Drop {
    marked(&DRIVES, true, false)
}

/// Sets a mark of this thread, until what is returned goes, and then to what it is else.
pub(crate) fn marked<T: Copy + 'static>(
    mark: &'static LocalKey<Cell<T>>,
    now: T,
    afterwards: T,
) -> impl Drop {
    struct Marked<T: Copy + 'static>(&'static LocalKey<Cell<T>>, T);
    impl<T: Copy + 'static> Drop for Marked<T> {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }
    mark.set(now);
    Marked(mark, afterwards)
}

/// Says that this thread is a reactor, which looks after the log at the end of each of its ticks.
pub(crate) fn this_thread_is_reactor(number: usize) {
    REACTOR.set(Some(number));
}

/// Action when the log fails.
pub(crate) type OnFailure = Box<dyn Fn(&str) + Send + Sync>;

/// The groups of a user by name.
type Groups = Box<dyn Fn(&str) -> Vec<Box<str>> + Send + Sync>;

/// The host all reactors and threads of a queue manager share.
pub(crate) struct ServerHost {
    reactors: OnceLock<Vec<Seen>>,
    /// Sleeps in the log thread while there is nothing to write.
    pub(crate) log_bell: Arc<Parker>,
    /// Sleeps in the housekeeping thread.
    pub(crate) tick_bell: Arc<Parker>,
    /// Sleeps in the thread that publishes figures.
    pub(crate) monitor_bell: Arc<Parker>,
    /// Rings for the thread that looks at keys.
    pub(crate) keys_bell: Arc<Parker>,
    /// Where the files of the queue manager are.
    pub(crate) folder: PathBuf,
    /// Sleeps in the threads of the disk pool.
    pub(crate) jobs_bell: Bell,
    pub(crate) writes: Writes,
    /// Threads of the program itself that wait, for the log or for a message.
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) errors: ErrorLog,
    audit: Audit,
    /// Tells the groups of a user, once the users are known.
    groups: OnceLock<Groups>,
    pub(crate) listeners: Listeners,
    notes: OnceLock<Arc<Notes>>,
    pub(crate) channels: ChannelDesk,
    pub(crate) revocations: Arc<Revocations>,
    /// Listens beyond loopback without what it should have for that.
    pub(crate) exposed: AtomicBool,
    secrets: Secrets,
    /// The judge of logins, once there is one: it holds this host.
    logins: OnceLock<Weak<LoginDesk>>,
    on_failure: OnFailure,
}

/// A reactor as the host sees it.
pub(crate) struct Seen {
    pub(crate) remote: Remote,
    /// It holds output that waits for the log.
    pub(crate) holds_gated: Arc<Interest>,
}

/// Interest of threads in the log becoming durable further. A thread sets it and then looks at the log; a
/// writer writes the log and then reads it. A fence between the two on either side guarantees that one thread
/// sees the other's store: otherwise a thread could sleep over the write it waits for.
#[derive(Debug, Default)]
pub(crate) struct Interest {
    is_set: AtomicBool,
}

impl Interest {
    /// To be called before looking at the log.
    pub(crate) fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }

    /// Nothing is waited for any more.
    pub(crate) fn clear(&self) {
        self.is_set.store(false, Ordering::Relaxed);
    }

    /// Fence for the thread that wrote the log, once before it reads any interest.
    pub(crate) fn settle() {
        fence(Ordering::SeqCst);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }
}

impl ServerHost {
    pub(crate) fn new(
        folder: &Path,
        name: &QueueManagerName,
        errors: ErrorLog,
        audit: Audit,
        names: Option<Arc<dyn Names>>,
        on_failure: OnFailure,
    ) -> Self {
        let revocations = {
            let (errors, name) = (errors.clone(), name.to_string());
            let say: Report = Box::new(move |row, inserts| errors.write(row, inserts));
            Arc::new(Revocations::new(folder.join(SECURITY), name, say))
        };
        Self {
            reactors: OnceLock::new(),
            log_bell: Parker::new(),
            tick_bell: Parker::new(),
            monitor_bell: Parker::new(),
            keys_bell: Parker::new(),
            folder: folder.to_owned(),
            jobs_bell: Bell::default(),
            writes: Writes::default(),
            waiting: Arc::default(),
            errors,
            audit,
            groups: OnceLock::new(),
            listeners: Listeners::default(),
            notes: OnceLock::new(),
            channels: ChannelDesk::new(folder.join(SECURITY), Arc::clone(&revocations), names),
            revocations,
            exposed: AtomicBool::new(false),
            secrets: Secrets::of(folder),
            logins: OnceLock::new(),
            on_failure,
        }
    }

    /// Says which judge of logins knows the administrators.
    pub(crate) fn judged_by(&self, logins: &Arc<LoginDesk>) {
        let is_first = self.logins.set(Arc::downgrade(logins)).is_ok();
        assert!(is_first, "there is one judge");
    }

    /// Sets the source of users' groups from now on.
    pub(crate) fn tell_groups(&self, groups: impl Fn(&str) -> Vec<Box<str>> + Send + Sync + 'static) {
        assert!(self.groups.set(Box::new(groups)).is_ok(), "the users are known once");
    }

    /// Says where to note which listeners run.
    pub(crate) fn keep_notes(&self, notes: &Arc<Notes>) {
        assert!(self.notes.set(Arc::clone(notes)).is_ok(), "the notes are known once");
    }

    /// Says which reactors to wake; before, there are none.
    pub(crate) fn attend(&self, reactors: Vec<Seen>) {
        self.channels.attend(reactors.iter().map(|reactor| reactor.remote.clone()).collect());
        assert!(self.reactors.set(reactors).is_ok(), "the reactors are known once");
    }
}

impl Host for ServerHost {
    fn request(&self, request: &Request) -> Carried {
        if let Request::AwaitPing(number) = request {
            return self.channels.await_ping(*number);
        }
        if let Request::KeepSecrets(changes) = request {
            return self.secrets.change(changes).map_or_else(Carried::Refused, |()| Carried::Kept);
        }
        if let Request::RefreshSecurity(refreshing) = request {
            let logins = self.logins.get().and_then(Weak::upgrade);
            return match logins.map_or(Ok(()), |logins| logins.refresh(*refreshing)) {
                Ok(()) => Carried::Refreshed,
                Err(why) => Carried::Refused(why),
            };
        }
        let now = Moment(OsClock.wall().0.div_euclid(1_000_000));
        let stood = self.listeners.states();
        let carried = self.listeners.carry_out(request, now);
        if let Some(notes) = self.notes.get() {
            notes.note_listeners(|| self.listeners.overview());
        }
        if let (Request::ChangeListener(attributes), Carried::Refused(why)) = (request, &carried) {
            let name = attributes.name;
            let at = stood.iter().find(|state| state.attributes.name == name);
            let at = at.map(|state| state.address.to_string()).unwrap_or_default();
            self.errors.write(&LISTENER_NOT_CHANGED, [name.to_string(), at, why.clone()]);
        }
        carried
    }

    fn listeners(&self) -> Vec<ListenerState> {
        self.listeners.states()
    }

    fn runs_channels(&self) -> bool {
        self.channels.runs()
    }

    fn channel_wanted(&self) {
        self.channels.bell.unpark();
    }

    fn user_of_identifier(&self, identifier: &str) -> Option<Box<str>> {
        self.logins.get().and_then(Weak::upgrade)?.user_of_identifier(identifier)
    }

    fn is_administrator(&self, user: &str) -> bool {
        let logins = self.logins.get().and_then(Weak::upgrade);
        logins.is_some_and(|logins| logins.is_administrator(user))
    }

    fn knows(&self, entity: Entity<'_>) -> bool {
        // Before the queue manager has begun there is nobody to ask, and nobody is missed.
        let logins = self.logins.get().and_then(Weak::upgrade);
        logins.is_none_or(|logins| logins.knows(entity))
    }

    fn keeps_secrets(&self) -> bool {
        true
    }

    fn judged_logins(&self, is_judging: bool, asker: Option<LoginNumber>) -> Vec<JudgedLogin> {
        let logins = self.logins.get().and_then(Weak::upgrade);
        logins.map(|logins| logins.judge_known(is_judging, asker)).unwrap_or_default()
    }

    fn security_warnings(&self) -> Vec<Message> {
        self.revocations.warnings()
    }

    fn has_key(&self, label: &str) -> bool {
        let keys = self.folder.join(SECURITY).join(tls::store::KEYS);
        tls::pem::is_label(label) && keys.join(format!("{label}.{}", tls::store::CERTIFICATE)).is_file()
    }

    fn is_exposed(&self) -> bool {
        self.exposed.load(Ordering::Relaxed)
    }

    fn process(&self) -> u32 {
        std::process::id()
    }

    fn machine(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    fn log_has_work(&self) {
        if REACTOR.get().is_none() && !DRIVES.get() {
            self.log_bell.unpark();
        }
    }

    fn durable_advanced(&self) {
        Interest::settle();
        self.waiting.durability.advanced();
        let this = REACTOR.get();
        for (number, reactor) in self.reactors.get().into_iter().flatten().enumerate() {
            if this != Some(number) && reactor.holds_gated.is_set() {
                reactor.remote.wake();
            }
        }
    }

    fn job_waits(&self) {
        self.jobs_bell.ring();
    }

    fn tick_wanted(&self) {
        self.tick_bell.unpark();
    }

    fn event(&self, event: &Event) {
        self.errors.engine_event(event);
    }

    fn audit(&self, refusal: &Refusal) -> u64 {
        if let Some(counted) = self.audit.note(refusal) {
            self.errors.count_refusal(refusal.login.is_none());
            return counted;
        }
        self.errors.engine_event(&refused(refusal));
        refusal.id
    }

    fn has_users(&self) -> bool {
        self.groups.get().is_some()
    }

    fn groups(&self, user: &str) -> Vec<Box<str>> {
        self.groups.get().map(|groups| groups(user)).unwrap_or_default()
    }

    fn failed(&self, failure: &storage::Fatal) {
        self.waiting.durability.failed();
        (self.on_failure)(&failure.to_string());
    }
}

/// The event that records a refusal.
fn refused(refusal: &Refusal) -> Event {
    let Refusal { id, user, object, options, reason, explanation, login, .. } = refusal;
    let (id, user) = (shown_id(*id), user.name().escape_debug());
    if let Some(LoginFacts { origin, cause }) = login {
        let user = user.to_string();
        // A queue manager has none, and its name is in the cause.
        let whose = if user.is_empty() { "no user".to_owned() } else { format!("user {user}") };
        return Event::new("FRY5020W", vec![id, whose, origin.clone(), cause.clone()]);
    }
    let why = explanation.as_ref().map(|explanation| format!(": {}", explanation.text()));
    let inserts =
        [id, user.to_string(), options.clone(), object.clone(), reason.to_string(), why.unwrap_or_default()];
    Event::new("FRY5012W", inserts.into())
}

/// Recent durations of writes of the log, by any thread.
#[derive(Default)]
pub(crate) struct Writes {
    recent_micros: AtomicU32,
    count: AtomicU64,
    total_micros: AtomicU64,
}

impl Writes {
    /// One write took this long. The recent time moves an eighth of the way, so that one slow write matters
    /// and a few quick ones forgive it.
    pub(crate) fn took(&self, time: Duration) {
        let micros = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        let recent = self.recent_micros.load(Ordering::Relaxed);
        let moved = if recent == 0 { micros } else { recent - recent / 8 + micros / 8 };
        self.recent_micros.store(moved, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.total_micros.fetch_add(micros.into(), Ordering::Relaxed);
    }

    pub(crate) fn recent(&self) -> Duration {
        Duration::from_micros(self.recent_micros.load(Ordering::Relaxed).into())
    }

    /// Number of writes, and their total duration in microseconds.
    pub(crate) fn totals(&self) -> (u64, u64) {
        (self.count.load(Ordering::Relaxed), self.total_micros.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mqi::Reason;
    use platform::WallTime;
    use queue_manager::Principal;

    #[test]
    fn one_slow_write_matters_and_quick_ones_forgive_it() {
        let writes = Writes::default();
        for _ in 0..50 {
            writes.took(Duration::from_micros(100));
        }
        assert!(writes.recent() <= Duration::from_micros(100));
        writes.took(Duration::from_millis(8));
        assert!(writes.recent() > Duration::from_micros(500));
        for _ in 0..20 {
            writes.took(Duration::from_micros(100));
        }
        assert!(writes.recent() < Duration::from_micros(250));
        assert_eq!(writes.totals().0, 71);
    }

    #[test]
    fn the_record_of_a_refusal_fills_its_message_and_lets_no_control_character_through() {
        let refusal = Refusal {
            id: 0xAB,
            at: WallTime(0),
            user: Principal::of_message(mqi::Text::truncated("cl\nerk")),
            object: "queue PAY".to_owned(),
            options: "MQOPEN 0x10".to_owned(),
            reason: Reason::NOT_AUTHORIZED,
            explanation: None,
            login: None,
        };
        let event = refused(&refusal);
        let row = objects::messages::find(event.id).expect("the message has a row");
        assert_eq!(event.inserts.len(), row.insert_count());
        let text = Message::new(row, event.inserts).text();
        let expected = "Request 00000000000000AB of user cl\\nerk was refused: MQOPEN 0x10 of queue PAY, \
                        reason 2035 MQRC_NOT_AUTHORIZED.";
        assert_eq!(text, expected);
    }
}
