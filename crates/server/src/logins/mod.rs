//! Logins of programs, judged by the users of the queue manager.
//!
//! Lives here: the desk that logins come to, and the threads that prove their passwords. Lives elsewhere:
//! the queue before these (`queue`), the verdict (`judge`), logins that were let in (`let_in`), the users
//! (`users`), the order of judgement (`identity`), the frames (`agents`).
//!
//! Always: a password is hashed on a thread of these alone, each in one block of memory of its own; wrong
//! credentials of every kind are answered after the same delay; each refusal is one record in the error log;
//! a verdict rests on records that are durable.

mod judge;
mod let_in;
mod queue;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use agents::{Admission, AwaitsVerdict, Denial, Judging, Login, Logins, Standing, Verdict, Work};
use channel::Credentials;
use identity::login;
use identity::{HashMemory, UsersFile};
use mqi::Reason;
use objects::mqsc::Refreshing;
use parking_lot::{Condvar, Mutex};
use queue_manager::{ConnAuth, QueueManager};

use self::judge::{LoginJudge, denial, door, named_by_credentials, user_of};
use self::let_in::LetIn;
use self::queue::{DELAYED_MAX, Delayed, LoginQueue, Proof, Task, WAITING_MAX, WORKS_MAX};
use crate::audit::Kept;
use crate::configuration::Loopback;
use crate::covers::{ListenerCovers, Say};
use crate::denials::{BUSY, NOT_CHANGED, NOT_RECORDED, WRONG};
use crate::failures::Failures;
use crate::users::UserBook;

/// Threads that prove passwords: one more than a single slow proof can hold up.
pub(crate) const THREADS: usize = 2;

/// Interval at which the file of users is looked at: a user that is locked has lost the running connections
/// after this time and the second in which each connection is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// The desk of logins of one queue manager.
pub(crate) struct LoginDesk {
    judge: Arc<LoginJudge>,
    /// The folder of keys: once there is one, loopback is judged.
    keys: PathBuf,
    required: Option<Kept>,
    say: Say,
    queue: Mutex<LoginQueue>,
    changed: Condvar,
    failures: Mutex<Failures>,
}

/// The files that logins are judged by.
pub(crate) struct Files {
    pub(crate) users: UsersFile,
    /// The folder of keys.
    pub(crate) keys: PathBuf,
    pub(crate) covers: Option<Arc<ListenerCovers>>,
    /// The record of refusals, where no login may be without it.
    pub(crate) required: Option<Kept>,
}

impl LoginDesk {
    /// A desk for the users of this file, once it looked at them.
    pub(crate) fn new(
        queue_manager: QueueManager,
        Files { users, keys, covers, required }: Files,
        loopback: Loopback,
        say: Say,
    ) -> Arc<Self> {
        let book = Arc::new(UserBook::new(users));
        Arc::new(Self {
            judge: Arc::new(LoginJudge::new(queue_manager, book, loopback, covers)),
            keys,
            required,
            say,
            queue: Mutex::new(LoginQueue::new(Instant::now() + LOOK)),
            changed: Condvar::new(),
            failures: Mutex::default(),
        })
    }

    /// Looks at the users, and has logins over loopback and requests judged once there are any, or keys. The
    /// host tells their groups by then.
    pub(crate) fn look(&self) {
        if self.judge.book.look(&self.say) {
            self.judge.queue_manager.groups_changed();
        }
        let has_keys = || std::fs::read_dir(&self.keys).is_ok_and(|mut files| files.next().is_some());
        let is_due = || self.judge.book.users().all().next().is_some() || has_keys();
        // Without room in the log the next look tries again.
        if !self.judge.queue_manager.is_judging() && is_due() {
            let _ = self.judge.queue_manager.begin_judging();
        }
    }

    /// Reads users or keys again, and has the connections that are there judged by what holds now: each
    /// within about a second.
    ///
    /// # Errors
    /// When a file does not read, with its fault; what was read before holds.
    pub(crate) fn refresh(&self, refreshing: Refreshing) -> Result<(), String> {
        self.look();
        if refreshing.is_of_keys()
            && let Some(covers) = &self.judge.covers
        {
            covers.refresh(&self.judge.queue_manager).map_err(|error| error.to_string())?;
        }
        if refreshing.is_of_logins() || refreshing.is_of_keys() {
            self.judge.rounds.fetch_add(1, Ordering::AcqRel);
        }
        let is_of_users = refreshing.is_of_logins() || refreshing.is_of_rights();
        self.judge.book.fault().filter(|_| is_of_users).map_or(Ok(()), Err)
    }

    /// The one user whose messages carry this UserIdentifier.
    pub(crate) fn user_of_identifier(&self, identifier: &str) -> Option<Box<str>> {
        self.judge.book.users().by_short(identifier).map(Box::from)
    }

    /// Tells if a user has the rights of an administrator, once a login has proved it.
    pub(crate) fn is_administrator(&self, user: &str) -> bool {
        self.judge.book.is_administrator(user)
    }

    /// Why no program may connect from an address, if a record that is durable says so.
    pub(crate) fn blocks(&self, address: IpAddr) -> Option<String> {
        self.judge.blocks(address)
    }

    /// The groups of users by name, as they were read last.
    pub(crate) fn groups(&self) -> impl Fn(&str) -> Vec<Box<str>> + Send + Sync + 'static {
        let book = Arc::clone(&self.judge.book);
        move |user| book.groups(user)
    }

    /// Proves passwords, answers refusals that are due and looks at the file, until the end.
    pub(crate) fn work(&self) {
        let mut memory = HashMemory::default();
        let mut queue = self.queue.lock();
        while !queue.has_ended {
            let now = Instant::now();
            if now >= queue.look_at {
                queue.look_at = now + LOOK;
                parking_lot::MutexGuard::unlocked(&mut queue, || self.look());
            } else if let Some(Delayed { waits, denial, .. }) = queue.take_due(now) {
                parking_lot::MutexGuard::unlocked(&mut queue, || tell(&waits, Err(denial)));
            } else if let Some(turn) = queue.take_turn() {
                parking_lot::MutexGuard::unlocked(&mut queue, || match turn {
                    Task::Proof(proof) => self.prove(*proof, &mut memory),
                    Task::Work(work) => work(),
                });
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

    fn prove(&self, Proof { login, terms, waits }: Proof, memory: &mut HashMemory) {
        // Its connection may have ended while it waited.
        if waits.strong_count() == 0 {
            return;
        }
        self.look();
        self.wait_for_rules(&login);
        let proof = match &login.credentials {
            None => Ok(None),
            Some(Credentials::Password { user, password } | Credentials::Change { user, password, .. }) => {
                let name = if user.is_empty() { &login.asserted } else { user };
                let proved = self.judge.book.prove(name, password.bytes(), memory);
                proved.map(|()| Some(name.as_str())).map_err(|error| error.to_string())
            }
            Some(Credentials::Token(_)) => Err("tokens cannot be judged yet".to_owned()),
        };
        let verdict = match &proof {
            Ok(Some(user)) => self.verdict(&login, &terms, login::Credentials::Proved(user)),
            Ok(None) => self.verdict(&login, &terms, login::Credentials::None),
            Err(cause) => Err(denial(&login, Reason::NOT_AUTHORIZED, WRONG, cause)),
        };
        let verdict = verdict.and_then(|admission| self.with_new_password(&login, admission, memory));
        let user = user_of(&login);
        if matches!(proof, Ok(Some(_))) {
            self.failures.lock().succeed(user, login.address);
        }
        match verdict {
            Err(denial) if !terms.fail_delay.is_zero() => {
                let delay = match proof {
                    Err(_) => {
                        self.failures.lock().fail(user, login.address, terms.fail_delay, Instant::now())
                    }
                    Ok(_) => terms.fail_delay,
                };
                self.delay(waits, denial, delay);
            }
            verdict => tell(&waits, verdict),
        }
    }

    /// Gives the user of a login that is let in the new password that came with it.
    fn with_new_password(&self, login: &Login, admission: Admission, memory: &mut HashMemory) -> Verdict {
        let Some(Credentials::Change { user, new, .. }) = &login.credentials else { return Ok(admission) };
        self.judge.book.set_password(user, new.bytes(), memory).map_err(|why| {
            let cause = format!("the password was not changed: {why}");
            denial(login, Reason::SECURITY_ERROR, NOT_CHANGED, &cause)
        })?;
        self.look();
        Ok(admission)
    }

    /// Waits until the records that a login is judged by are durable: no crash may take back what a verdict
    /// rests on.
    fn wait_for_rules(&self, login: &Login) {
        let need = self.judge.need_of(login);
        while self.judge.queue_manager.durable().lsn() < need && self.judge.queue_manager.holds_its_files() {
            self.judge.queue_manager.drive();
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
        let (principal, warnings) = self.judge.decide(login, terms, credentials);
        for warning in warnings {
            self.judge.queue_manager.warn_of_login(&warning);
        }
        let principal = principal?;
        let proved = match credentials {
            login::Credentials::Proved(user) => Some(user),
            login::Credentials::None | login::Credentials::Wrong => None,
        };
        // A local program without a proof is one that the system vouches for, as long as it runs.
        let may_end = proved.is_some() || login.local.is_none();
        let standing = may_end.then(|| LetIn::new(&self.judge, login, proved, &principal));
        Ok(Admission {
            principal,
            standing: standing.map(|standing| Arc::new(standing) as Arc<dyn Standing>),
        })
    }
}

impl Logins for LoginDesk {
    fn judge(&self, login: Login, waits: Weak<dyn AwaitsVerdict>) -> Judging {
        // The owner mends it: by the local socket the queue manager is looked at, and ended.
        let is_owner = login.local.as_ref().is_some_and(|user| user.is_owner);
        if !is_owner && self.required.as_ref().is_some_and(|kept| !kept.holds()) {
            let cause = "audit.required is true, and refusals cannot be recorded";
            return Judging::Done(Err(denial(&login, Reason::SECURITY_ERROR, NOT_RECORDED, cause)));
        }
        let terms = match self.judge.queue_manager.conn_auth() {
            Ok(terms) => terms,
            // By the local socket an administrator mends it.
            Err(_) if login.local.is_some() => ConnAuth::NONE,
            Err(error) => {
                let cause = error.to_string();
                return Judging::Done(Err(denial(&login, Reason::SECURITY_ERROR, &cause, &cause)));
            }
        };
        let conn_auth = login::ConnAuth { client: terms.client, local: terms.local, adopts: terms.adopts };
        // A change is proved whether passwords are looked at or not.
        let is_change = matches!(login.credentials, Some(Credentials::Change { .. }));
        let is_looked_at = is_change || login.credentials.is_some() && conn_auth.looks_at(&door(&login, ""));
        let login = if is_looked_at { login } else { named_by_credentials(login) };
        let is_durable = self.judge.need_of(&login) <= self.judge.queue_manager.durable().lsn();
        if !is_looked_at && is_durable {
            return Judging::Done(self.verdict(&login, &terms, login::Credentials::None));
        }
        let mut queue = self.queue.lock();
        if queue.waiting.len() >= WAITING_MAX {
            drop(queue);
            let cause = format!("{WAITING_MAX} logins wait to be judged");
            return Judging::Done(Err(denial(&login, Reason::RESOURCE_PROBLEM, BUSY, &cause)));
        }
        queue.waiting.push_back(Proof { login, terms, waits });
        drop(queue);
        self.changed.notify_one();
        Judging::Later
    }

    fn take_work(&self, work: Work) -> Result<(), Work> {
        let mut queue = self.queue.lock();
        if queue.works.len() >= WORKS_MAX || queue.has_ended {
            return Err(work);
        }
        queue.works.push_back(work);
        drop(queue);
        self.changed.notify_one();
        Ok(())
    }
}

fn tell(waits: &Weak<dyn AwaitsVerdict>, verdict: Verdict) {
    if let Some(waits) = waits.upgrade() {
        waits.take(verdict);
    }
}
