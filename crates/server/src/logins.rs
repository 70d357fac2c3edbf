//! Logins of programs, judged by the users of the queue manager.
//!
//! Lives here: the queue of logins whose passwords are to be proved, the threads that prove them, and the
//! logins that were let in, judged again. Lives elsewhere: the users (`users`), the order of judgement
//! (`identity`), the frames (`agents`).
//!
//! Always: a password is hashed on a thread of these alone; wrong credentials of every kind are answered in
//! the same words and after the same delay; each refusal is one record in the error log; a verdict rests on
//! records that are durable. A login whose user is locked, has expired, was removed or is an administrator no
//! more, or whose certificate is not trusted any more, ends without a command; one that a rule refuses by now
//! ends once REFRESH SECURITY was given.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use agents::{Admission, AwaitsVerdict, Denial, Judging, LocalUser, Login, Logins, Standing, Verdict, Work};
use channel::Credentials;
use identity::UsersFile;
use identity::login::{self, Door, Network};
use mqi::Reason;
use objects::mqsc::Refreshing;
use parking_lot::{Condvar, Mutex};
use queue_manager::{CLIENT_CHANNEL, ConnAuth, LoginFault, LoginReport, QueueManager, RulesInForce};
use security::authority::NOBODY;
use security::channel_rules::{
    self, Action, Address, Certificate, ClientCheck, Map, Mapped, Record, Rule, Rules, UserSource,
};
use security::cover::Names;
use security::wildcard::Wildcard;
use security::{Identity, Part, Principal};
use storage::Lsn;

use crate::audit::Kept;
use crate::configuration::Loopback;
use crate::covers::{ListenerCovers, Say};
use crate::denials::{
    BUSY, MISSING, NO_PROVIDER, NOT_CHANGED, NOT_LET_IN, NOT_RECORDED, PARTNER_NOT_LET_IN, WRONG,
};
use crate::failures::Failures;
use crate::users::UserBook;

/// Threads that prove passwords: one more than a single slow proof can hold up.
pub(crate) const THREADS: usize = 2;

/// Most logins that wait for a thread: as many as these prove within the time that a login has.
const WAITING_MAX: usize = 512;

/// Most pieces of other work that wait for a thread: about as many as are done in a tenth of a second. A
/// frame that finds no place goes as it is.
const WORKS_MAX: usize = 64;

/// Most refused logins whose answers are put off. One more is answered at once, and its connection ends.
const DELAYED_MAX: usize = 2_000;

/// Interval at which the file of users is looked at: a user that is locked has lost the running connections
/// after this time and the second in which each connection is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// A login whose password is to be proved.
struct Proof {
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

/// A task of these threads.
enum Task {
    Proof(Box<Proof>),
    Work(Work),
}

struct Queue {
    waiting: VecDeque<Proof>,
    /// Work of other kinds.
    works: VecDeque<Work>,
    /// True if the last turn was that of a proof: both kinds go on, however much of one waits.
    proved_last: bool,
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

    /// The next proof, or work of another kind, in turns.
    fn take_turn(&mut self) -> Option<Task> {
        let proof_first = !self.proved_last || self.works.is_empty();
        let proof = if proof_first { self.waiting.pop_front() } else { None };
        self.proved_last = proof.is_some();
        proof.map(|proof| Task::Proof(Box::new(proof))).or_else(|| self.works.pop_front().map(Task::Work))
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
    /// TLS of the listeners, where they have it.
    covers: Option<Arc<ListenerCovers>>,
    required: Option<Kept>,
    /// The number of times that connections were to be judged again.
    rounds: AtomicU64,
    /// The desk itself, for the logins that it lets in.
    own: Weak<Self>,
    say: Say,
    queue: Mutex<Queue>,
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
    /// A desk for the users of this file, once it looked at them.
    pub(crate) fn new(
        queue_manager: QueueManager,
        Files { users, keys, covers, required }: Files,
        loopback: Loopback,
        say: Say,
    ) -> Arc<Self> {
        let book = Arc::new(UserBook::new(users));
        let queue = Queue {
            waiting: VecDeque::new(),
            works: VecDeque::new(),
            proved_last: false,
            delayed: Vec::new(),
            look_at: Instant::now() + LOOK,
            has_ended: false,
        };
        let (queue, changed) = (Mutex::new(queue), Condvar::new());
        Arc::new_cyclic(|own| Self {
            queue_manager,
            book,
            open_rules: open_rules(),
            loopback,
            keys,
            covers,
            required,
            rounds: AtomicU64::new(0),
            own: Weak::clone(own),
            say,
            queue,
            changed,
            failures: Mutex::default(),
        })
    }

    /// Looks at the users, and has logins over loopback and requests judged once there are any, or keys. The
    /// host tells their groups by then.
    pub(crate) fn look(&self) {
        if self.book.look(&self.say) {
            self.queue_manager.groups_changed();
        }
        let has_keys = || std::fs::read_dir(&self.keys).is_ok_and(|mut files| files.next().is_some());
        let is_due = || self.book.users().all().next().is_some() || has_keys();
        // Without room in the log the next look tries again.
        if !self.queue_manager.is_judging() && is_due() {
            let _ = self.queue_manager.begin_judging();
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
            && let Some(covers) = &self.covers
        {
            covers.refresh(&self.queue_manager).map_err(|error| error.to_string())?;
        }
        if refreshing.is_of_logins() || refreshing.is_of_keys() {
            self.rounds.fetch_add(1, Ordering::AcqRel);
        }
        let is_of_users = refreshing.is_of_logins() || refreshing.is_of_rights();
        self.book.fault().filter(|_| is_of_users).map_or(Ok(()), Err)
    }

    /// The one user whose messages carry this UserIdentifier.
    pub(crate) fn user_of_identifier(&self, identifier: &str) -> Option<Box<str>> {
        self.book.users().by_short(identifier).map(Box::from)
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

    /// The position that must be durable before a login is judged: that of the rules, and of the mark that
    /// there are any.
    fn need_of(&self, login: &Login) -> Lsn {
        let rules = self.rules_for(login);
        rules.map_or(Lsn::ZERO, |rules| rules.need().max(self.queue_manager.rights_need()))
    }

    fn rules_from(&self, address: IpAddr) -> Option<Arc<RulesInForce>> {
        let is_loopback = address.to_canonical().is_loopback();
        let is_trusted = self.loopback == Loopback::Trusted || !self.queue_manager.is_judging();
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
            } else if let Some(turn) = queue.take_turn() {
                parking_lot::MutexGuard::unlocked(&mut queue, || match turn {
                    Task::Proof(proof) => self.prove(*proof),
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

    fn prove(&self, Proof { login, terms, waits }: Proof) {
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
                let proved = self.book.prove(name, password.bytes());
                proved.map(|()| Some(name.as_str())).map_err(|error| error.to_string())
            }
            Some(Credentials::Token(_)) => Err("tokens cannot be judged yet".to_owned()),
        };
        let verdict = match &proof {
            Ok(Some(user)) => self.verdict(&login, &terms, login::Credentials::Proved(user)),
            Ok(None) => self.verdict(&login, &terms, login::Credentials::None),
            Err(cause) => Err(denial(&login, Reason::NOT_AUTHORIZED, WRONG, cause)),
        };
        let verdict = verdict.and_then(|admission| self.with_new_password(&login, admission));
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
    fn with_new_password(&self, login: &Login, admission: Admission) -> Verdict {
        let Some(Credentials::Change { user, new, .. }) = &login.credentials else { return Ok(admission) };
        self.book.set_password(user, new.bytes()).map_err(|why| {
            let cause = format!("the password was not changed: {why}");
            denial(login, Reason::SECURITY_ERROR, NOT_CHANGED, &cause)
        })?;
        self.look();
        Ok(admission)
    }

    /// Waits until the records that a login is judged by are durable: no crash may take back what a verdict
    /// rests on.
    fn wait_for_rules(&self, login: &Login) {
        let need = self.need_of(login);
        while self.queue_manager.durable().lsn() < need && self.queue_manager.holds_its_files() {
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
        let (principal, warnings) = self.decide(login, terms, credentials);
        for warning in warnings {
            self.queue_manager.warn_of_login(&warning);
        }
        let principal = principal?;
        let proved = match credentials {
            login::Credentials::Proved(user) => Some(user),
            login::Credentials::None | login::Credentials::Wrong => None,
        };
        // A local program without a proof is one that the system vouches for, as long as it runs.
        let may_end = proved.is_some() || login.local.is_none();
        let standing = may_end.then(|| LetIn::new(self, login, proved, &principal));
        Ok(Admission {
            principal,
            standing: standing.map(|standing| Arc::new(standing) as Arc<dyn Standing>),
        })
    }

    /// The user of a login whose credentials were judged, and the records that only warn of it.
    fn decide(
        &self,
        login: &Login,
        terms: &ConnAuth,
        credentials: login::Credentials<'_>,
    ) -> (Result<Principal, Box<Denial>>, Vec<LoginReport>) {
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
        let warnings = judged.warnings.into_iter().map(|record| warning(login, record)).collect();
        let user = judged.user.map_err(|refusal| {
            let (told, kind) = match refusal {
                login::Refusal::Credentials => (WRONG, LoginFault::Other),
                login::Refusal::Missing => (MISSING, LoginFault::Other),
                login::Refusal::Rules(rule) if login.queue_manager.is_some() => {
                    (PARTNER_NOT_LET_IN, LoginFault::Blocked(rule))
                }
                login::Refusal::Rules(rule) => (told_of(rule), LoginFault::Blocked(rule)),
            };
            let cause = match decided {
                Some(record) => format!("{refusal}; {record} decides"),
                None => refusal.to_string(),
            };
            let denied = denial(login, Reason::from_code(refusal.code()), told, &cause);
            Box::new(Denial { kind, ..*denied })
        });
        let principal = user.and_then(|user| self.principal(login, terms, credentials, (&user, decided)));
        (principal, warnings)
    }

    /// The principal of a user that a login is let in as, by the record that decided.
    fn principal(
        &self,
        login: &Login,
        terms: &ConnAuth,
        credentials: login::Credentials<'_>,
        (user, decided): (&str, Option<&Record>),
    ) -> Result<Principal, Box<Denial>> {
        let is_mapped = decided.is_some_and(is_mapped_by_certificate);
        let is_by_rules = self.rules_for(login).is_some();
        if login.queue_manager.is_some() {
            return self.partner(login, user, is_by_rules);
        }
        let proved = match credentials {
            login::Credentials::Proved(proved) => Some(proved),
            login::Credentials::None | login::Credentials::Wrong => None,
        };
        let principal = match (proved, &login.local) {
            (Some(proved), _) if terms.adopts && proved == user => match self.book.is_administrator(user) {
                true => Principal::administrator(user, Identity::Proved),
                false => Principal::new(user, Identity::Proved),
            },
            (_, Some(LocalUser { name, is_owner: true })) => Principal::administrator(name, Identity::Kernel),
            (_, Some(LocalUser { name, is_owner: false })) => Principal::new(name, Identity::Kernel),
            // A certificate that a record maps to a user proves it as a password does.
            (_, None) if is_mapped && self.book.is_administrator(user) => {
                Principal::administrator(user, Identity::Proved)
            }
            (_, None) if is_mapped => Principal::new(user, Identity::Proved),
            // A program that says no name acts without one, where no record gives it another.
            (_, None) if !is_by_rules && login.asserted.is_empty() && !self.has_channel_user(login) => {
                Principal::new("", Identity::Asserted)
            }
            (_, None) => Principal::new(user, Identity::Asserted),
        };
        let principal = principal
            .map_err(|error| denial(login, Reason::NOT_AUTHORIZED, &error.to_string(), &error.to_string()))?;
        let groups = self.book.groups(principal.name());
        Ok(principal.with_groups(groups).with_address(login.address))
    }

    fn has_channel_user(&self, login: &Login) -> bool {
        !self.queue_manager.channel_user(&login.channel).is_empty()
    }
}

impl LoginDesk {
    /// The principal of a queue manager that may come in. It never acts as an administrator. Where no record
    /// is about it (on loopback, until there are users or keys) it acts as the part of the queue manager
    /// that moves messages, unless the channel names a user.
    fn partner(&self, login: &Login, user: &str, is_judged: bool) -> Result<Principal, Box<Denial>> {
        let is_near = login.address.is_some_and(|address| address.to_canonical().is_loopback());
        if !is_judged && is_near && user == NOBODY {
            return Ok(Principal::of_part(Part::MessageChannel));
        }
        let principal = Principal::new(user, Identity::Proved)
            .map_err(|error| denial(login, Reason::NOT_AUTHORIZED, &error.to_string(), &error.to_string()))?;
        Ok(principal.with_groups(self.book.groups(user)).with_address(login.address))
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
        // A change is proved whether passwords are looked at or not.
        let is_change = matches!(login.credentials, Some(Credentials::Change { .. }));
        let is_looked_at = is_change || login.credentials.is_some() && conn_auth.looks_at(&door(&login, ""));
        let login = if is_looked_at { login } else { named_by_credentials(login) };
        let is_durable = self.need_of(&login) <= self.queue_manager.durable().lsn();
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

/// A login that was let in.
struct LetIn {
    desk: Weak<LoginDesk>,
    /// The words of the program, without its password.
    login: Login,
    /// The user that was proved.
    proved: Option<String>,
    /// The user that acts.
    principal: Principal,
    /// The round of judgement that it passed.
    round: AtomicU64,
    /// The reading of keys and certificates that it passed.
    read: AtomicU64,
}

impl LetIn {
    fn new(desk: &LoginDesk, login: &Login, proved: Option<&str>, principal: &Principal) -> Self {
        Self {
            desk: Weak::clone(&desk.own),
            login: Login { credentials: None, ..login.clone() },
            proved: proved.map(str::to_owned),
            principal: principal.clone(),
            round: AtomicU64::new(desk.rounds.load(Ordering::Acquire)),
            read: AtomicU64::new(desk.reads()),
        }
    }
}

impl Standing for LetIn {
    fn holds(&self) -> bool {
        let Some(desk) = self.desk.upgrade() else { return true };
        if self.proved.as_ref().is_some_and(|user| !desk.book.has(user)) {
            return false;
        }
        let is_proved = self.principal.identity() == Identity::Proved;
        if is_proved
            && self.principal.is_administrator()
            && !desk.book.is_administrator(self.principal.name())
        {
            return false;
        }
        let (round, read) = (desk.rounds.load(Ordering::Acquire), desk.reads());
        let is_judged = self.round.load(Ordering::Relaxed) == round;
        let is_proved = self.read.load(Ordering::Relaxed) == read;
        if is_judged && is_proved {
            return true;
        }
        let proved = if is_proved { Ok(()) } else { desk.prove_again(self) };
        let judged = proved.and_then(|()| if is_judged { Ok(()) } else { desk.judge_again(self) });
        match judged {
            Ok(()) => {
                self.round.store(round, Ordering::Relaxed);
                self.read.store(read, Ordering::Relaxed);
                true
            }
            Err(denial) => {
                desk.record(&self.login, &denial);
                false
            }
        }
    }
}

impl LoginDesk {
    /// The number of times that other keys and certificates were read.
    fn reads(&self) -> u64 {
        self.covers.as_ref().map_or(0, |covers| covers.reads())
    }

    /// Proves the certificate of a connection by the files as they were read last.
    fn prove_again(&self, let_in: &LetIn) -> Result<(), Box<Denial>> {
        let Some(covers) = &self.covers else { return Ok(()) };
        let proved = covers.prove_again(let_in.login.encryption.shown());
        proved.map_err(|why| {
            let cause = format!("its certificate is not let in any more: {why}");
            denial(&let_in.login, Reason::SSL_INITIALIZATION_ERROR, &cause, &cause)
        })
    }

    /// Judges a login that was let in by the channel, the users and the rules as they are now.
    fn judge_again(&self, let_in: &LetIn) -> Result<(), Box<Denial>> {
        let LetIn { login, proved, principal, .. } = let_in;
        let channel = if login.channel.is_empty() { CLIENT_CHANNEL } else { &login.channel };
        // A local program that names no channel comes by none.
        let is_by_channel = login.local.is_none() || !login.channel.is_empty();
        if is_by_channel && let Some(cover) = self.queue_manager.channel_cover(channel) {
            let judged = cover.terms.and_then(|terms| terms.judge(&login.encryption));
            judged.map_err(|refusal| {
                let cause = format!("channel {channel}: {refusal}");
                let denied = denial(login, Reason::from_code(refusal.code()), &cause, &cause);
                Box::new(Denial { kind: LoginFault::Cover((&refusal).into()), ..*denied })
            })?;
        }
        let terms = self.queue_manager.conn_auth().map_err(|error| {
            let cause = error.to_string();
            denial(login, Reason::SECURITY_ERROR, &cause, &cause)
        })?;
        let credentials = match proved {
            Some(user) => login::Credentials::Proved(user),
            None => login::Credentials::None,
        };
        let now = self.decide(login, &terms, credentials).0?;
        match now == *principal {
            true => Ok(()),
            false => {
                let cause =
                    format!("it would act as user {} now, and acts as {}", now.name(), principal.name());
                Err(denial(login, Reason::NOT_AUTHORIZED, &cause, &cause))
            }
        }
    }

    fn record(&self, login: &Login, denial: &Denial) {
        let report = LoginReport {
            user: denial.user.clone(),
            origin: login.address.map(|address| address.to_string()).unwrap_or_default(),
            channel: denial.channel.clone(),
            certificate: denial.certificate.clone(),
            cause: format!("judged again while it is connected: {}", denial.cause),
            kind: denial.kind,
        };
        self.queue_manager.refuse_login(&report, denial.reason);
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
            queue_manager: login.queue_manager.as_deref(),
        }),
    }
}

/// The user that a login is about.
fn user_of(login: &Login) -> &str {
    match (login.credentials.as_ref().and_then(Credentials::proof), &login.local) {
        (Some((user, _)), _) if !user.is_empty() => user,
        (_, Some(LocalUser { name, .. })) => name,
        (_, None) => &login.asserted,
    }
}

fn denial(login: &Login, reason: Reason, told: &str, cause: &str) -> Box<Denial> {
    let user = user_of(login);
    let cause = match &login.queue_manager {
        Some(name) => format!("queue manager {name}: {cause}"),
        None => cause.to_owned(),
    };
    Box::new(Denial {
        reason,
        told: told.to_owned(),
        channel: login.channel.clone(),
        user: user.to_owned(),
        cause,
        kind: LoginFault::Other,
        certificate: login.encryption.subject(),
    })
}

fn tell(waits: &Weak<dyn AwaitsVerdict>, verdict: Verdict) {
    if let Some(waits) = waits.upgrade() {
        waits.take(verdict);
    }
}
