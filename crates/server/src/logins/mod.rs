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
mod known;
mod let_in;
mod queue;
mod returners;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use agents::{Admission, AwaitsVerdict, Judging, Login, Logins, Standing, Verdict, Work};
use channel::Credentials;
use identity::login;
use identity::{HashMemory, UsersFile};
use mqi::Reason;
use objects::mqsc::Refreshing;
use parking_lot::{Condvar, Mutex};
use queue_manager::{ConnAuth, JudgedLogin, LoginNumber, QueueManager};
use security::authority::Entity;

use self::judge::{LoginJudge, denial, door, named_by_credentials, user_of};
use self::known::KnownLogins;
use self::let_in::{LetIn, Rounds};
use self::queue::{Delayed, LoginQueue, Proof, Task};
use self::returners::{Origin, Returners};
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
    returners: Mutex<Returners>,
    known: Mutex<KnownLogins>,
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
            returners: Mutex::default(),
            known: Mutex::default(),
        })
    }

    /// Looks at the users, and has logins over loopback and requests judged once there are any, or keys. The
    /// host tells their groups by then.
    pub(crate) fn look(&self) {
        if self.judge.book.look(&self.say) {
            self.judge.queue_manager.logins().groups_changed();
        }
        let has_keys = || std::fs::read_dir(&self.keys).is_ok_and(|mut files| files.next().is_some());
        let is_due = || self.judge.book.users().all().next().is_some() || has_keys();
        // Without room in the log the next look tries again.
        if !self.judge.queue_manager.logins().is_judging() && is_due() {
            let _ = self.judge.queue_manager.logins().begin_judging();
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

    /// Tells if the users' file or the machine has a user or group of this name. One that was added a moment
    /// ago is known: the file is looked at again. Called without locks.
    pub(crate) fn knows(&self, entity: Entity<'_>) -> bool {
        self.judge.book.knows(entity) || {
            self.look();
            self.judge.book.knows(entity)
        }
    }

    /// The programs and partners that are connected, and the last that were, judged by the rules as they are
    /// now; as if there were a user, key or authority record, where `is_judging` says so. Without the one
    /// that asks.
    pub(crate) fn judge_known(&self, is_judging: bool, asker: Option<LoginNumber>) -> Vec<JudgedLogin> {
        let known = self.known.lock().all(asker);
        known.iter().map(|known| self.judge.judge_known(known, is_judging)).collect()
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
        self.look();
        self.wait_for_rules(&login);
        let proof = match &login.credentials {
            None => Ok(None),
            Some(Credentials::Password { user, password } | Credentials::Change { user, password, .. }) => {
                let name = named(&login, user);
                let proved = self.judge.book.prove(name, password.bytes(), memory);
                proved.map(|()| Some(name)).map_err(|error| error.to_string())
            }
            Some(Credentials::Token(_)) => Err("tokens cannot be judged yet".to_owned()),
        };
        let verdict = match &proof {
            Ok(user) => self.verdict_on(&login, &terms, *user),
            Err(cause) => Err(denial(&login, Reason::NOT_AUTHORIZED, WRONG, cause)),
        };
        let verdict = verdict.and_then(|admission| self.with_new_password(&login, admission, memory));
        let delay = match proof {
            Err(_) if !terms.fail_delay.is_zero() => {
                let (user, now) = (user_of(&login), Instant::now());
                self.failures.lock().fail(user, login.address, terms.fail_delay, now)
            }
            _ => terms.fail_delay,
        };
        if let Judging::Done(verdict) = self.answer(verdict, delay, &waits) {
            tell(&waits, verdict);
        }
    }

    /// The verdict on a login whose user was proved, if it gave a password.
    fn verdict_on(&self, login: &Login, terms: &ConnAuth, proved: Option<&str>) -> Verdict {
        let Some(user) = proved else { return self.verdict(login, terms, login::Credentials::None) };
        self.failures.lock().succeed(user_of(login), login.address);
        self.returners.lock().note(user, Origin::of(login), Instant::now());
        self.verdict(login, terms, login::Credentials::Proved(user))
    }

    /// The answer to a login with a password: a refusal comes later, whatever its cause.
    fn answer(&self, verdict: Verdict, delay: Duration, waits: &Weak<dyn AwaitsVerdict>) -> Judging {
        let denial = match verdict {
            Err(denial) if !delay.is_zero() => denial,
            verdict => return Judging::Done(verdict),
        };
        let delayed = Delayed { at: Instant::now() + delay, waits: Weak::clone(waits), denial };
        if let Err(Delayed { denial, .. }) = self.queue.lock().put_off(delayed) {
            return Judging::Done(Err(denial));
        }
        self.changed.notify_one();
        Judging::Later
    }

    /// The user of a login whose password was proved within minutes, and who needs no hash.
    fn proved_lately<'a>(&self, login: &'a Login) -> Option<&'a str> {
        let Some(Credentials::Password { user, password }) = &login.credentials else { return None };
        let user = named(login, user);
        self.judge.book.is_proved_lately(user, password.bytes()).then_some(user)
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
        while self.judge.queue_manager.durable().lsn() < need
            && self.judge.queue_manager.log().holds_its_files()
        {
            self.judge.queue_manager.drive();
        }
    }

    /// The verdict on a login whose credentials were judged.
    fn verdict(&self, login: &Login, terms: &ConnAuth, credentials: login::Credentials<'_>) -> Verdict {
        // Read first: by the time the rules are, there may be newer ones, and the login is judged again.
        let since = Rounds::now(&self.judge);
        let (principal, warnings) = self.judge.judge(login, terms, credentials);
        for warning in warnings {
            self.judge.queue_manager.logins().warn(&warning);
        }
        let principal = principal?;
        let proved = match credentials {
            login::Credentials::Proved(user) => Some(user),
            login::Credentials::None | login::Credentials::Wrong => None,
        };
        // A local program without a proof is one that the system vouches for, as long as it runs.
        let may_end = proved.is_some() || login.local.is_none();
        let standing = may_end.then(|| LetIn::new(&self.judge, login, proved, &principal, since));
        let standing = standing.map(|standing| Arc::new(standing) as Arc<dyn Standing>);
        let standing = Some(self.known.lock().note(login, proved, standing));
        Ok(Admission { principal, standing })
    }
}

impl Logins for LoginDesk {
    fn judge(&self, login: Login, waits: Weak<dyn AwaitsVerdict>) -> Judging {
        // At first sight: no such name is looked up, hashed for or kept.
        if let Err(error) = login.check_names() {
            let cause = error.to_string();
            return Judging::Done(Err(denial(&login, Reason::NOT_AUTHORIZED, &cause, &cause)));
        }
        // The owner mends it: by the local socket the queue manager is looked at, and ended.
        let is_owner = login.local.as_ref().is_some_and(|user| user.is_owner);
        if !is_owner && self.required.as_ref().is_some_and(|kept| !kept.holds()) {
            let cause = "audit.required is true, and refusals cannot be recorded";
            return Judging::Done(Err(denial(&login, Reason::SECURITY_ERROR, NOT_RECORDED, cause)));
        }
        let terms = match self.judge.queue_manager.logins().conn_auth() {
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
        if let Some(user) = self.proved_lately(&login).filter(|_| is_durable) {
            let verdict = self.verdict_on(&login, &terms, Some(user));
            return self.answer(verdict, terms.fail_delay, &waits);
        }
        let origin = Origin::of(&login);
        let user =
            login.credentials.as_ref().and_then(Credentials::proof).map(|(user, _)| named(&login, user));
        let is_known = |user: &&str| self.returners.lock().has(user, &origin, Instant::now());
        let known = user.filter(is_known).map(str::to_owned);
        let proof = Box::new(Proof { login, terms, waits });
        if let Err(proof) = self.queue.lock().add(known, origin, proof) {
            let Proof { login, .. } = *proof;
            let cause = "too many logins wait to be judged, of its source or of all";
            return Judging::Done(Err(denial(&login, Reason::RESOURCE_PROBLEM, BUSY, cause)));
        }
        self.changed.notify_one();
        Judging::Later
    }

    fn take_work(&self, work: Work) -> Result<(), Work> {
        self.queue.lock().add_work(work)?;
        self.changed.notify_one();
        Ok(())
    }
}

/// The user that credentials prove: the one that the program asserts, where they name none.
fn named<'a>(login: &'a Login, user: &'a str) -> &'a str {
    if user.is_empty() { &login.asserted } else { user }
}

fn tell(waits: &Weak<dyn AwaitsVerdict>, verdict: Verdict) {
    if let Some(waits) = waits.upgrade() {
        waits.take(verdict);
    }
}
