//! Logins of programs, judged by the users of the queue manager.
//!
//! Lives here: the users as they were read last, the queue of logins whose passwords are to be proved, the
//! threads that prove them. Lives elsewhere: the file and the order of judgement (`identity`), the frames
//! (`agents`).
//!
//! Always: a password is hashed on a thread of these alone; wrong credentials of every kind are answered in
//! the same words and after the same delay; each refusal is one record in the error log; a verdict rests on
//! records that are durable.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use agents::{Admission, AwaitsVerdict, Denial, Judging, LocalUser, Login, Logins, Standing, Verdict};
use channel::Credentials;
use identity::login::{self, Door, Network};
use identity::{Users, UsersFile};
use mqi::Reason;
use objects::messages::USERS_NOT_READ;
use parking_lot::{Condvar, Mutex};
use platform::{Clock as _, os::OsClock, os::users};
use queue_manager::{CLIENT_CHANNEL, ConnAuth, LoginFault, LoginReport, QueueManager, RulesInForce};
use security::channel_rules::{
    self, Action, Address, Certificate, ClientCheck, Map, Mapped, Record, Rule, Rules, UserSource,
};
use security::cover::Names;
use security::wildcard::Wildcard;
use security::{Identity, Principal};

use crate::configuration::Loopback;
use crate::covers::Say;

/// Threads that prove passwords: one more than a single slow proof can hold up.
pub(crate) const THREADS: usize = 2;

/// Most logins that wait for a thread: as many as these prove within the time that a login has.
const WAITING_MAX: usize = 512;

/// Most refused logins whose answers are put off. One more is answered at once, and its connection ends.
const DELAYED_MAX: usize = 2_000;

/// Interval at which the file of users is looked at: a user that is locked has lost the running connections
/// after this time and the second in which each connection is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// The group whose users are administrators.
const ADMINISTRATORS: &str = "ferrymq";

/// Words for every fault of credentials.
const WRONG: &str = "the user or the password is not right: correct both, or ask the administrator, \
                     whose error log says more";

/// Words where credentials are missing.
const MISSING: &str =
    "the queue manager asks for a user and a password, and the program gave none: give them";

/// Words where a rule of the channel refuses.
const NOT_LET_IN: &str = "the queue manager does not let the program in by this channel: ask the administrator, \
                          whose error log says why";

/// Words where a rule of the channel asks for what the queue manager does not judge.
const NO_PROVIDER: &str = "a rule of the channel asks for a password, and the queue manager judges none: tell the \
                           administrator";

/// Words where too many wait.
const BUSY: &str = "too many logins wait to be judged: try again in a moment";

/// The users, as they were read last.
struct UserBook {
    file: UsersFile,
    read: Mutex<BookState>,
}

struct BookState {
    users: Arc<Users>,
    /// The file as it was then; none where there was none.
    seen: Option<FileState>,
    is_read: bool,
    /// The fault that was said last.
    fault: Option<String>,
}

/// The state of a file, by which another one is known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileState {
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl UserBook {
    fn new(file: UsersFile) -> Self {
        let state = BookState { users: Arc::default(), seen: None, is_read: false, fault: None };
        Self { file, read: Mutex::new(state) }
    }

    fn users(&self) -> Arc<Users> {
        Arc::clone(&self.read.lock().users)
    }

    /// Reads the file if it is another than before.
    fn look(&self, say: &Say) {
        let found = std::fs::metadata(self.file.path()).ok().map(|found| FileState {
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        });
        let mut state = self.read.lock();
        if state.is_read && state.seen == found {
            return;
        }
        match self.file.read() {
            Ok(users) => {
                (state.users, state.fault) = (Arc::new(users), None);
                (state.seen, state.is_read) = (found, true);
            }
            // It is read again at each look, until it reads.
            Err(error) => {
                let text = error.to_string();
                state.is_read = false;
                if state.fault.as_ref() != Some(&text) {
                    say(&USERS_NOT_READ, vec![text.clone()]);
                    state.fault = Some(text);
                }
            }
        }
    }

    /// Returns true while a login would prove this user by the right password.
    fn has(&self, name: &str) -> bool {
        let users = self.users();
        let is_over = |at: Option<u64>| at.is_some_and(|at| wall_seconds() >= at);
        users.get(name).is_some_and(|user| !user.is_locked && !is_over(user.expires_at))
    }

    fn groups(&self, name: &str) -> Vec<Box<str>> {
        let users = self.users();
        let groups = users.get(name).map(|user| user.groups.iter().map(|group| group.as_str().into()));
        groups.map(Iterator::collect).unwrap_or_default()
    }

    fn is_administrator(&self, name: &str) -> bool {
        let users = self.users();
        let is_in_group = |groups: &[String]| groups.iter().any(|group| group == ADMINISTRATORS);
        name == users::current() || users.get(name).is_some_and(|user| is_in_group(&user.groups))
    }
}

fn wall_seconds() -> u64 {
    u64::try_from(OsClock.wall().0 / 1_000_000).unwrap_or_default()
}

/// The state of a user that a connection was let in as.
struct ProvedUser {
    name: Box<str>,
    book: Arc<UserBook>,
}

impl Standing for ProvedUser {
    fn holds(&self) -> bool {
        self.book.has(&self.name)
    }
}

/// A login whose password is to be proved.
struct Work {
    login: Login,
    terms: ConnAuth,
    waits: Weak<dyn AwaitsVerdict>,
}

/// A refusal that is answered later.
struct Delayed {
    at: Instant,
    waits: Weak<dyn AwaitsVerdict>,
    denial: Box<Denial>,
}

struct Queue {
    waiting: VecDeque<Work>,
    delayed: Vec<Delayed>,
    look_at: Instant,
    has_ended: bool,
}

impl Queue {
    /// The next refusal that is due.
    fn take_due(&mut self, now: Instant) -> Option<Delayed> {
        let place = self.delayed.iter().position(|one| one.at <= now)?;
        Some(self.delayed.swap_remove(place))
    }

    /// The moment at which something is due though nothing comes.
    fn next_at(&self) -> Instant {
        self.delayed.iter().map(|one| one.at).min().map_or(self.look_at, |at| at.min(self.look_at))
    }
}

/// The judge of logins of one queue manager.
pub(crate) struct LoginDesk {
    queue_manager: QueueManager,
    book: Arc<UserBook>,
    /// Let programs assert their users: for logins that no record is about.
    open_rules: Rules,
    /// Loopback is judged like any network once there was a user or a key.
    loopback: Loopback,
    /// The folder of keys: once there is one, loopback is judged.
    keys: PathBuf,
    say: Say,
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// The rules by which a program acts as the user that it asserts.
fn open_rules() -> Rules {
    let map = Map {
        partner: Mapped::Any,
        address: Some(Address::parse("*").expect("an asterisk is every address")),
        source: UserSource::Channel,
        check: ClientCheck::AsQueueManager,
    };
    let channel = Wildcard::new("*").expect("an asterisk is every channel");
    let mut rules = Rules::default();
    rules.set(Record { channel, rule: Rule::Map(map), warns: false }, Action::Add).expect("it is a record");
    rules
}

impl LoginDesk {
    /// A desk for the users of this file.
    pub(crate) fn new(
        queue_manager: QueueManager,
        (file, keys): (UsersFile, PathBuf),
        loopback: Loopback,
        say: Say,
    ) -> Self {
        let book = Arc::new(UserBook::new(file));
        let queue = Queue {
            waiting: VecDeque::new(),
            delayed: Vec::new(),
            look_at: Instant::now() + LOOK,
            has_ended: false,
        };
        let (queue, changed) = (Mutex::new(queue), Condvar::new());
        let desk =
            Self { queue_manager, book, open_rules: open_rules(), loopback, keys, say, queue, changed };
        desk.look();
        desk
    }

    /// Looks at the users, and has logins over loopback judged once there are any, or keys.
    fn look(&self) {
        self.book.look(&self.say);
        let has_keys = || std::fs::read_dir(&self.keys).is_ok_and(|mut files| files.next().is_some());
        let is_due = || self.book.users().all().next().is_some() || has_keys();
        // Without room in the log the next look tries again.
        if !self.queue_manager.is_guarded() && is_due() {
            let _ = self.queue_manager.guard();
        }
    }

    /// Tells if a user has the rights of an administrator, once a login has proved it.
    pub(crate) fn is_administrator(&self, user: &str) -> bool {
        self.book.is_administrator(user)
    }

    /// Why no program may connect from an address, if a record that is durable says so.
    pub(crate) fn blocks(&self, address: IpAddr) -> Option<String> {
        let rules = self.rules_from(address)?;
        let record = rules.rules().blocking_address(address).filter(|record| !record.warns)?;
        // One that a crash might take back decides at the login, which waits for it.
        let is_durable = rules.need() <= self.queue_manager.durable().lsn();
        is_durable.then(|| format!("{}; {record} decides", channel_rules::Refusal::Address))
    }

    /// The rules that a login is judged by; those that are open where no record is about it.
    fn rules_for(&self, login: &Login) -> Option<Arc<RulesInForce>> {
        if login.local.is_some() {
            return None;
        }
        self.rules_from(login.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }

    fn rules_from(&self, address: IpAddr) -> Option<Arc<RulesInForce>> {
        let is_loopback = address.to_canonical().is_loopback();
        let is_trusted = self.loopback == Loopback::Trusted || !self.queue_manager.is_guarded();
        if is_loopback && is_trusted { None } else { self.queue_manager.channel_rules() }
    }

    /// The groups of users by name, as they were read last.
    pub(crate) fn groups(&self) -> impl Fn(&str) -> Vec<Box<str>> + Send + Sync + 'static {
        let book = Arc::clone(&self.book);
        move |user| book.groups(user)
    }

    /// Proves passwords, answers refusals that are due and looks at the file, until the end.
    pub(crate) fn work(&self) {
        let mut queue = self.queue.lock();
        while !queue.has_ended {
            let now = Instant::now();
            if now >= queue.look_at {
                queue.look_at = now + LOOK;
                parking_lot::MutexGuard::unlocked(&mut queue, || self.look());
            } else if let Some(Delayed { waits, denial, .. }) = queue.take_due(now) {
                parking_lot::MutexGuard::unlocked(&mut queue, || tell(&waits, Err(denial)));
            } else if let Some(work) = queue.waiting.pop_front() {
                parking_lot::MutexGuard::unlocked(&mut queue, || self.prove(work));
            } else {
                let until = queue.next_at();
                self.changed.wait_until(&mut queue, until);
            }
        }
    }

    /// Ends the threads that work here.
    pub(crate) fn end(&self) {
        self.queue.lock().has_ended = true;
        self.changed.notify_all();
    }

    fn prove(&self, Work { login, terms, waits }: Work) {
        // Its connection may have ended while it waited.
        if waits.strong_count() == 0 {
            return;
        }
        self.look();
        self.wait_for_rules(&login);
        let proof = match &login.credentials {
            None => Ok(None),
            Some(Credentials::Password { user, password }) => {
                let name = if user.is_empty() { &login.asserted } else { user };
                let users = self.book.users();
                let proved = users.prove(name, password.bytes(), wall_seconds());
                proved.map(|_| Some(name.as_str())).map_err(|error| error.to_string())
            }
            Some(Credentials::Token(_)) => Err("tokens cannot be judged yet".to_owned()),
        };
        let verdict = match &proof {
            Ok(Some(user)) => self.verdict(&login, &terms, login::Credentials::Proved(user)),
            Ok(None) => self.verdict(&login, &terms, login::Credentials::None),
            Err(cause) => Err(denial(&login, Reason::NOT_AUTHORIZED, WRONG, cause)),
        };
        match verdict {
            Err(denial) if !terms.fail_delay.is_zero() => self.delay(waits, denial, terms.fail_delay),
            verdict => tell(&waits, verdict),
        }
    }

    /// Waits until the records that a login is judged by are durable: no crash may take back what a verdict
    /// rests on.
    fn wait_for_rules(&self, login: &Login) {
        let Some(rules) = self.rules_for(login) else { return };
        while self.queue_manager.durable().lsn() < rules.need() && self.queue_manager.holds_its_files() {
            self.queue_manager.drive();
        }
    }

    fn delay(&self, waits: Weak<dyn AwaitsVerdict>, denial: Box<Denial>, delay: Duration) {
        let mut queue = self.queue.lock();
        if queue.delayed.len() >= DELAYED_MAX {
            queue.delayed.retain(|one| one.waits.strong_count() > 0);
        }
        if queue.delayed.len() < DELAYED_MAX {
            queue.delayed.push(Delayed { at: Instant::now() + delay, waits, denial });
            drop(queue);
            self.changed.notify_one();
        } else {
            drop(queue);
            tell(&waits, Err(denial));
        }
    }

    /// The verdict on a login whose credentials were judged.
    fn verdict(&self, login: &Login, terms: &ConnAuth, credentials: login::Credentials<'_>) -> Verdict {
        let conn_auth = login::ConnAuth { client: terms.client, local: terms.local, adopts: terms.adopts };
        let records = self.rules_for(login);
        let rules = records.as_deref().map_or(&self.open_rules, RulesInForce::rules);
        let channel_user = self.queue_manager.channel_user(&login.channel);
        let judged = login::judge(
            rules,
            &login::Login {
                conn_auth,
                door: door(login, &channel_user),
                credentials,
                is_administrator: &|user| self.book.is_administrator(user),
            },
        );
        // A record of the open rules is none that an administrator knows.
        let decided = judged.decided.filter(|_| records.is_some());
        for record in judged.warnings {
            self.queue_manager.warn_of_login(&warning(login, record));
        }
        let is_mapped = decided.is_some_and(is_mapped_by_certificate);
        let user = judged.user.map_err(|refusal| {
            let (told, kind) = match refusal {
                login::Refusal::Credentials => (WRONG, LoginFault::Other),
                login::Refusal::Missing => (MISSING, LoginFault::Other),
                login::Refusal::Rules(rule) => (told_of(rule), LoginFault::Blocked(rule)),
            };
            let cause = match decided {
                Some(record) => format!("{refusal}; {record} decides"),
                None => refusal.to_string(),
            };
            let denied = denial(login, Reason::from_code(refusal.code()), told, &cause);
            Box::new(Denial { kind, ..*denied })
        })?;
        let proved = match credentials {
            login::Credentials::Proved(proved) => Some(proved),
            login::Credentials::None | login::Credentials::Wrong => None,
        };
        let principal = match (proved, &login.local) {
            (Some(proved), _) if terms.adopts && proved == user => match self.book.is_administrator(&user) {
                true => Principal::administrator(&user, Identity::Proved),
                false => Principal::new(&user, Identity::Proved),
            },
            (_, Some(LocalUser { name, is_owner: true })) => Principal::administrator(name, Identity::Kernel),
            (_, Some(LocalUser { name, is_owner: false })) => Principal::new(name, Identity::Kernel),
            // A certificate that a record maps to a user proves it as a password does.
            (_, None) if is_mapped && self.book.is_administrator(&user) => {
                Principal::administrator(&user, Identity::Proved)
            }
            (_, None) if is_mapped => Principal::new(&user, Identity::Proved),
            // A program that says no name acts without one, where no record gives it another.
            (_, None) if records.is_none() && login.asserted.is_empty() && channel_user.is_empty() => {
                Principal::new("", Identity::Asserted)
            }
            (_, None) => Principal::new(&user, Identity::Asserted),
        };
        let principal = principal
            .map_err(|error| denial(login, Reason::NOT_AUTHORIZED, &error.to_string(), &error.to_string()))?;
        let groups = self.book.groups(principal.name());
        let principal = principal.with_groups(groups);
        let standing = proved.map(|name| {
            let proved: Arc<dyn Standing> =
                Arc::new(ProvedUser { name: name.into(), book: Arc::clone(&self.book) });
            proved
        });
        Ok(Admission { principal, standing })
    }
}

impl Logins for LoginDesk {
    fn judge(&self, login: Login, waits: Weak<dyn AwaitsVerdict>) -> Judging {
        let terms = match self.queue_manager.conn_auth() {
            Ok(terms) => terms,
            // By the local socket an administrator mends it.
            Err(_) if login.local.is_some() => ConnAuth::NONE,
            Err(error) => {
                let cause = error.to_string();
                return Judging::Done(Err(denial(&login, Reason::SECURITY_ERROR, &cause, &cause)));
            }
        };
        let conn_auth = login::ConnAuth { client: terms.client, local: terms.local, adopts: terms.adopts };
        let is_looked_at = login.credentials.is_some() && conn_auth.looks_at(&door(&login, ""));
        let login = if is_looked_at { login } else { named_by_credentials(login) };
        let is_durable =
            self.rules_for(&login).is_none_or(|rules| rules.need() <= self.queue_manager.durable().lsn());
        if !is_looked_at && is_durable {
            return Judging::Done(self.verdict(&login, &terms, login::Credentials::None));
        }
        let mut queue = self.queue.lock();
        if queue.waiting.len() >= WAITING_MAX {
            drop(queue);
            let cause = format!("{WAITING_MAX} logins wait to be judged");
            return Judging::Done(Err(denial(&login, Reason::RESOURCE_PROBLEM, BUSY, &cause)));
        }
        queue.waiting.push_back(Work { login, terms, waits });
        drop(queue);
        self.changed.notify_one();
        Judging::Later
    }
}

/// A login whose credentials are not looked at: their user is one that the program asserts.
fn named_by_credentials(login: Login) -> Login {
    match login.credentials {
        Some(Credentials::Password { user, .. }) if !user.is_empty() => {
            Login { asserted: user, credentials: None, ..login }
        }
        _ => Login { credentials: None, ..login },
    }
}

/// The words for a program that a record refuses: it is told no more than that.
const fn told_of(refusal: channel_rules::Refusal) -> &'static str {
    match refusal {
        channel_rules::Refusal::Credentials => MISSING,
        channel_rules::Refusal::NoProvider => NO_PROVIDER,
        channel_rules::Refusal::Address | channel_rules::Refusal::NoAccess | channel_rules::Refusal::User => {
            NOT_LET_IN
        }
    }
}

/// Says if a record maps the bearer of a certificate to a user.
fn is_mapped_by_certificate(record: &Record) -> bool {
    match &record.rule {
        Rule::Map(Map { partner, source, .. }) => {
            matches!((partner, source), (Mapped::Certificate { .. }, UserSource::Map(_)))
        }
        Rule::BlockAddresses(_) | Rule::BlockUsers(_) => false,
    }
}

/// The report of a login that a record warns of.
fn warning(login: &Login, record: &Record) -> LoginReport {
    let refusal = match &record.rule {
        Rule::BlockAddresses(_) => channel_rules::Refusal::Address,
        Rule::BlockUsers(_) => channel_rules::Refusal::User,
        Rule::Map(_) => channel_rules::Refusal::NoAccess,
    };
    LoginReport {
        user: login.asserted.clone(),
        origin: login.address.map(|address| address.to_string()).unwrap_or_default(),
        channel: login.channel.clone(),
        certificate: login.encryption.subject(),
        cause: format!("{refusal}; {record} warns"),
        kind: LoginFault::Blocked(refusal),
    }
}

fn door<'a>(login: &'a Login, channel_user: &'a str) -> Door<'a> {
    let channel = if login.channel.is_empty() { CLIENT_CHANNEL } else { &login.channel };
    let names = login.encryption.certificate();
    let certificate = names.map(|Names { subject, issuer }| Certificate { subject, issuer });
    match (&login.local, login.address) {
        (Some(LocalUser { name, .. }), _) => Door::Local { user: name },
        (None, address) => Door::Network(Network {
            channel,
            channel_user,
            address: address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            hosts: &[],
            certificate,
            asserted: &login.asserted,
        }),
    }
}

fn denial(login: &Login, reason: Reason, told: &str, cause: &str) -> Box<Denial> {
    let user = match (&login.credentials, &login.local) {
        (Some(Credentials::Password { user, .. }), _) if !user.is_empty() => user,
        (_, Some(LocalUser { name, .. })) => name,
        (_, None) => &login.asserted,
    };
    Box::new(Denial {
        reason,
        told: told.to_owned(),
        channel: login.channel.clone(),
        user: user.clone(),
        cause: cause.to_owned(),
        kind: LoginFault::Other,
        certificate: login.encryption.subject(),
    })
}

fn tell(waits: &Weak<dyn AwaitsVerdict>, verdict: Verdict) {
    if let Some(waits) = waits.upgrade() {
        waits.take(verdict);
    }
}
