//! Logins of programs, judged by the users of the queue manager.
//!
//! Lives here: the users as they were read last, the queue of logins whose passwords are to be proved, the
//! threads that prove them. Lives elsewhere: the file and the order of judgement (`identity`), the frames
//! (`agents`).
//!
//! Always: a password is hashed on a thread of these alone; wrong credentials of every kind are answered in
//! the same words and after the same delay; each refusal is one record in the error log.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::MetadataExt;
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
use queue_manager::{ConnAuth, QueueManager};
use security::channel_rules::{Action, Address, ClientCheck, Map, Mapped, Record, Rule, Rules, UserSource};
use security::wildcard::Wildcard;
use security::{Identity, Principal};

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
    /// Let programs assert their users, as loopback does until there are rules of channels.
    rules: Rules,
    say: Say,
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// The rules until channels have their own: a program acts as the user that it asserts.
fn rules() -> Rules {
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
    pub(crate) fn new(queue_manager: QueueManager, file: UsersFile, say: Say) -> Self {
        let book = Arc::new(UserBook::new(file));
        book.look(&say);
        let queue = Queue {
            waiting: VecDeque::new(),
            delayed: Vec::new(),
            look_at: Instant::now() + LOOK,
            has_ended: false,
        };
        Self { queue_manager, book, rules: rules(), say, queue: Mutex::new(queue), changed: Condvar::new() }
    }

    /// Proves passwords, answers refusals that are due and looks at the file, until the end.
    pub(crate) fn work(&self) {
        let mut queue = self.queue.lock();
        while !queue.has_ended {
            let now = Instant::now();
            if now >= queue.look_at {
                queue.look_at = now + LOOK;
                parking_lot::MutexGuard::unlocked(&mut queue, || self.book.look(&self.say));
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
        self.book.look(&self.say);
        let proof = match &login.credentials {
            Some(Credentials::Password { user, password }) => {
                let name = if user.is_empty() { &login.asserted } else { user };
                let users = self.book.users();
                let proved = users.prove(name, password.bytes(), wall_seconds());
                proved.map(|_| name.as_str()).map_err(|error| error.to_string())
            }
            Some(Credentials::Token(_)) | None => Err("tokens cannot be judged yet".to_owned()),
        };
        let verdict = match &proof {
            Ok(user) => self.verdict(&login, &terms, login::Credentials::Proved(user)),
            Err(cause) => Err(denial(&login, Reason::NOT_AUTHORIZED, WRONG, cause)),
        };
        match verdict {
            Err(denial) if !terms.fail_delay.is_zero() => self.delay(waits, denial, terms.fail_delay),
            verdict => tell(&waits, verdict),
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
        let judged = login::judge(
            &self.rules,
            &login::Login {
                conn_auth,
                door: door(login),
                credentials,
                is_administrator: &|user| self.book.is_administrator(user),
            },
        );
        let user = judged.map_err(|refusal| {
            let told = match refusal {
                login::Refusal::Credentials => WRONG,
                login::Refusal::Missing | login::Refusal::Rules(_) => MISSING,
            };
            denial(login, Reason::from_code(refusal.code()), told, &refusal.to_string())
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
            // A program that says no name acts without one.
            (_, None) if login.asserted.is_empty() => Principal::new("", Identity::Asserted),
            (_, None) => Principal::new(&user, Identity::Asserted),
        };
        let principal = principal
            .map_err(|error| denial(login, Reason::NOT_AUTHORIZED, &error.to_string(), &error.to_string()))?;
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
        let is_looked_at = login.credentials.is_some() && conn_auth.looks_at(&door(&login));
        if !is_looked_at {
            let login = named_by_credentials(login);
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
    match &login.credentials {
        Some(Credentials::Password { user, .. }) if !user.is_empty() => {
            Login { asserted: user.clone(), ..login }
        }
        _ => login,
    }
}

fn door(login: &Login) -> Door<'_> {
    match (&login.local, login.address) {
        (Some(LocalUser { name, .. }), _) => Door::Local { user: name },
        (None, address) => Door::Network(Network {
            channel: &login.channel,
            channel_user: "",
            address: address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            hosts: &[],
            certificate: None,
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
    Box::new(Denial { reason, told: told.to_owned(), user: user.clone(), cause: cause.to_owned() })
}

fn tell(waits: &Weak<dyn AwaitsVerdict>, verdict: Verdict) {
    if let Some(waits) = waits.upgrade() {
        waits.take(verdict);
    }
}
