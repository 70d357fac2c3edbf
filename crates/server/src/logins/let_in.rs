//! Logins that were let in, judged again while they are there.
//!
//! Always: a login whose user is locked, has expired, was removed or is an administrator no more, or whose
//! certificate is not trusted any more, ends without a command; one that a rule refuses by now ends once
//! REFRESH SECURITY was given.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use agents::{Denial, Login, Standing};
use identity::login;
use mqi::Reason;
use queue_manager::{CLIENT_CHANNEL, LoginFault, LoginReport};
use security::{Identity, Principal};

use super::judge::{LoginJudge, denial};

/// A login that was let in.
pub(super) struct LetIn {
    judge: Weak<LoginJudge>,
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

/// The rounds of judgement, and the readings of keys, that there were before a login was judged: a later one
/// judges it again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounds {
    judged: u64,
    read: u64,
}

impl Rounds {
    pub(super) fn now(judge: &LoginJudge) -> Self {
        Self { judged: judge.rounds.load(Ordering::Acquire), read: judge.reads() }
    }
}

impl LetIn {
    /// A login that was let in, judged since these rounds.
    pub(super) fn new(
        judge: &Arc<LoginJudge>,
        login: &Login,
        proved: Option<&str>,
        principal: &Principal,
        since: Rounds,
    ) -> Self {
        Self {
            judge: Arc::downgrade(judge),
            login: Login { credentials: None, ..login.clone() },
            proved: proved.map(str::to_owned),
            principal: principal.clone(),
            round: AtomicU64::new(since.judged),
            read: AtomicU64::new(match login.encryption.certificate() {
                None => since.read,
                // It was proved by its handshake, and files may have been read since: it is proved once more.
                Some(_) => since.read.wrapping_sub(1),
            }),
        }
    }
}

impl Standing for LetIn {
    fn holds(&self) -> bool {
        let Some(judge) = self.judge.upgrade() else { return true };
        if self.proved.as_ref().is_some_and(|user| !judge.book.has(user)) {
            return false;
        }
        let is_proved = self.principal.identity() == Identity::Proved;
        if is_proved
            && self.principal.is_administrator()
            && !judge.book.is_administrator(self.principal.name())
        {
            return false;
        }
        let (round, read) = (judge.rounds.load(Ordering::Acquire), judge.reads());
        let is_judged = self.round.load(Ordering::Relaxed) == round;
        let is_proved = self.read.load(Ordering::Relaxed) == read;
        if is_judged && is_proved {
            return true;
        }
        let proved = if is_proved { Ok(()) } else { judge.prove_again(self) };
        let judged = proved.and_then(|()| if is_judged { Ok(()) } else { judge.judge_again(self) });
        match judged {
            Ok(()) => {
                self.round.store(round, Ordering::Relaxed);
                self.read.store(read, Ordering::Relaxed);
                true
            }
            Err(denial) => {
                judge.record(&self.login, &denial);
                false
            }
        }
    }
}

impl LoginJudge {
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
        if is_by_channel && let Some(cover) = self.queue_manager.channels().cover(channel) {
            let judged = cover.terms.and_then(|terms| terms.judge(&login.encryption));
            judged.map_err(|refusal| {
                let cause = format!("channel {channel}: {refusal}");
                let denied = denial(login, Reason::from_code(refusal.code()), &cause, &cause);
                Box::new(Denial { kind: LoginFault::Cover((&refusal).into()), ..*denied })
            })?;
        }
        let terms = self.queue_manager.logins().conn_auth().map_err(|error| {
            let cause = error.to_string();
            denial(login, Reason::SECURITY_ERROR, &cause, &cause)
        })?;
        let credentials = match proved {
            Some(user) => login::Credentials::Proved(user),
            None => login::Credentials::None,
        };
        let now = self.decide(login, &terms, credentials).0?;
        if now == *principal {
            Ok(())
        } else {
            let cause = format!("it would act as user {} now, and acts as {}", now.name(), principal.name());
            Err(denial(login, Reason::NOT_AUTHORIZED, &cause, &cause))
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
        self.queue_manager.logins().refuse(&report, denial.reason);
    }
}
