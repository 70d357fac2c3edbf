//! The judgement of a login, by what holds now.
//!
//! Lives here: the rules that a login is judged by, the user that it acts as, the words of its refusal. Lives
//! elsewhere: the order of judgement (`identity`), the proof of a password, the wait for it (`logins`).
//!
//! Always: wrong credentials of every kind are refused in the same words; a name makes no administrator.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use agents::{Denial, LocalUser, Login};
use channel::Credentials;
use identity::login::{self, Door, Network};
use mqi::Reason;
use queue_manager::{
    CLIENT_CHANNEL, CallFault, Caller, ConnAuth, LoginFault, LoginReport, QueueManager, RulesInForce,
};
use security::authority::NOBODY;
use security::channel_rules::{
    self, Action, Address, Certificate, ClientCheck, Map, Mapped, Record, Rule, Rules, UserSource,
};
use security::cover::Names;
use security::wildcard::Wildcard;
use security::{Identity, Part, Principal};
use storage::Lsn;

use crate::configuration::Loopback;
use crate::covers::ListenerCovers;
use crate::denials::{MISSING, NO_PROVIDER, NOT_LET_IN, PARTNER_NOT_LET_IN, UNPROVED, WRONG};
use crate::users::UserBook;

/// The judge of logins, by the users, the rules and the certificates as they were read last.
pub(super) struct LoginJudge {
    pub(super) queue_manager: QueueManager,
    pub(super) book: Arc<UserBook>,
    /// Let programs assert their users: for logins that no record is about.
    open_rules: Rules,
    /// Loopback is judged like any network once there was a user or a key.
    loopback: Loopback,
    /// TLS of the listeners, where they have it.
    pub(super) covers: Option<Arc<ListenerCovers>>,
    /// The number of times that connections were to be judged again.
    pub(super) rounds: AtomicU64,
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

impl LoginJudge {
    pub(super) fn new(
        queue_manager: QueueManager,
        book: Arc<UserBook>,
        loopback: Loopback,
        covers: Option<Arc<ListenerCovers>>,
    ) -> Self {
        let rounds = AtomicU64::new(0);
        Self { queue_manager, book, open_rules: open_rules(), loopback, covers, rounds }
    }

    /// Why no program may connect from an address, if a record that is durable says so.
    pub(super) fn blocks(&self, address: IpAddr) -> Option<String> {
        let rules = self.rules_from(self.queue_manager.logins().is_judging(), address)?;
        let record = rules.rules().blocking_address(address).filter(|record| !record.warns)?;
        // One that a crash might take back decides at the login, which waits for it.
        let is_durable = rules.need() <= self.queue_manager.durable().lsn();
        is_durable.then(|| format!("{}; {record} decides", channel_rules::Refusal::Address))
    }

    /// The rules that a login is judged by; those that are open where no record is about it.
    fn rules_for(&self, login: &Login) -> Option<Arc<RulesInForce>> {
        self.rules_when(self.queue_manager.logins().is_judging(), login)
    }

    /// The rules that a login is judged by, where logins and requests are judged or not.
    pub(super) fn rules_when(&self, is_judging: bool, login: &Login) -> Option<Arc<RulesInForce>> {
        if login.local.is_some() {
            return None;
        }
        self.rules_from(is_judging, login.address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }

    /// The position that must be durable before a login is judged: that of the rules, and of the mark that
    /// there are any.
    pub(super) fn need_of(&self, login: &Login) -> Lsn {
        let rules = self.rules_for(login);
        rules.map_or(Lsn::ZERO, |rules| rules.need().max(self.queue_manager.logins().rights_need()))
    }

    fn rules_from(&self, is_judging: bool, address: IpAddr) -> Option<Arc<RulesInForce>> {
        let is_loopback = address.to_canonical().is_loopback();
        let is_trusted = self.loopback == Loopback::Trusted || !is_judging;
        if is_loopback && is_trusted { None } else { self.queue_manager.logins().channel_rules() }
    }

    /// The user of a login whose credentials were judged, and the records that only warn of it. First come
    /// the facts beside the user, in one order for all protocols, then the rules.
    pub(super) fn judge(
        &self,
        login: &Login,
        terms: &ConnAuth,
        credentials: login::Credentials<'_>,
    ) -> (Result<Principal, Box<Denial>>, Vec<LoginReport>) {
        let is_told = self.is_told(login, credentials);
        let told = |denial| if is_told { denial } else { untold(login, denial) };
        if let Err(CallFault { reason, text, kind }) = self.queue_manager.logins().judge(&login.call()) {
            let denied = Denial { kind, ..*denial(login, reason, &text, &text) };
            // SASL has no words: a client of AMQP is told by the close of its Open.
            if !(is_told && login.caller == Caller::AmqpClient) {
                return (Err(told(Box::new(denied))), Vec::new());
            }
        }
        let (principal, warnings) = self.decide(login, terms, credentials);
        (principal.map_err(told), warnings)
    }

    /// Says if a refusal is told as it is: to a login that proved something, to a program of the machine, and
    /// to all before anything is judged.
    fn is_told(&self, login: &Login, credentials: login::Credentials<'_>) -> bool {
        let is_proved =
            matches!(credentials, login::Credentials::Proved(_)) || login.encryption.certificate().is_some();
        let is_near = login.address.is_some_and(|address| address.to_canonical().is_loopback());
        let is_trusted = is_near && self.loopback == Loopback::Trusted;
        is_proved || login.local.is_some() || is_trusted || !self.queue_manager.logins().is_judging()
    }

    /// The user of a login by the rules, and the records that only warn of it.
    pub(super) fn decide(
        &self,
        login: &Login,
        terms: &ConnAuth,
        credentials: login::Credentials<'_>,
    ) -> (Result<Principal, Box<Denial>>, Vec<LoginReport>) {
        self.decide_by(self.rules_for(login).as_deref(), login, terms, credentials)
    }

    /// The same by these rules, or by the open ones.
    pub(super) fn decide_by(
        &self,
        records: Option<&RulesInForce>,
        login: &Login,
        terms: &ConnAuth,
        credentials: login::Credentials<'_>,
    ) -> (Result<Principal, Box<Denial>>, Vec<LoginReport>) {
        let conn_auth = login::ConnAuth { client: terms.client, local: terms.local, adopts: terms.adopts };
        let rules = records.map_or(&self.open_rules, RulesInForce::rules);
        let channel_user = self.queue_manager.logins().channel_user(&login.channel);
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
        let is_by_rules = records.is_some();
        let principal =
            user.and_then(|user| self.principal(login, is_by_rules, terms, credentials, &user, decided));
        (principal, warnings)
    }

    /// The principal of a user that a login is let in as, by the record that decided.
    fn principal(
        &self,
        login: &Login,
        is_by_rules: bool,
        terms: &ConnAuth,
        credentials: login::Credentials<'_>,
        user: &str,
        decided: Option<&Record>,
    ) -> Result<Principal, Box<Denial>> {
        if login.queue_manager.is_some() {
            return self.partner(login, user, is_by_rules);
        }
        let proved = match credentials {
            login::Credentials::Proved(proved) => Some(proved),
            login::Credentials::None | login::Credentials::Wrong => None,
        };
        let adopted = proved.filter(|_| terms.adopts);
        let is_mapped = decided.is_some_and(|record| is_proved_by(record, adopted));
        let principal = match (proved, &login.local) {
            (Some(proved), _) if terms.adopts && proved == user => {
                if self.book.is_administrator(user) {
                    Principal::administrator(user, Identity::Proved)
                } else {
                    Principal::new(user, Identity::Proved)
                }
            }
            (_, Some(LocalUser { name, is_owner: true })) => Principal::administrator(name, Identity::Kernel),
            (_, Some(LocalUser { name, is_owner: false })) => Principal::new(name, Identity::Kernel),
            // A certificate or user that is proved, and that a record maps to a user, proves that one.
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
        !self.queue_manager.logins().channel_user(&login.channel).is_empty()
    }

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

    /// The number of times that other keys and certificates were read.
    pub(super) fn reads(&self) -> u64 {
        self.covers.as_ref().map_or(0, |covers| covers.reads())
    }
}

/// A login whose credentials are not looked at: their user is one that the program asserts.
pub(super) fn named_by_credentials(login: Login) -> Login {
    match login.credentials {
        Some(Credentials::Password { user, .. }) if !user.is_empty() => {
            Login { asserted: user, credentials: None, ..login }
        }
        _ => Login { credentials: None, ..login },
    }
}

/// The refusal as a login is told that proved nothing: one answer for all causes. That no provider judges
/// passwords is told, as no login can prove one then.
fn untold(login: &Login, denial: Box<Denial>) -> Box<Denial> {
    if denial.told == NO_PROVIDER {
        return denial;
    }
    let told = if login.queue_manager.is_some() { PARTNER_NOT_LET_IN } else { UNPROVED };
    Box::new(Denial { reason: Reason::NOT_AUTHORIZED, told: told.to_owned(), ..*denial })
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

/// Says if a record gives a login its user, and what the record names was proved.
fn is_proved_by(record: &Record, adopted: Option<&str>) -> bool {
    match &record.rule {
        Rule::Map(map) => map.is_proved(adopted),
        Rule::BlockAddresses(_) | Rule::BlockUsers(_) => false,
    }
}

/// The report of a login that a record warns of.
pub(super) fn warning(login: &Login, record: &Record) -> LoginReport {
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

pub(super) fn door<'a>(login: &'a Login, channel_user: &'a str) -> Door<'a> {
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
pub(super) fn user_of(login: &Login) -> &str {
    match (login.credentials.as_ref().and_then(Credentials::proof), &login.local) {
        (Some((user, _)), _) if !user.is_empty() => user,
        (_, Some(LocalUser { name, .. })) => name,
        (_, None) => &login.asserted,
    }
}

pub(super) fn denial(login: &Login, reason: Reason, told: &str, cause: &str) -> Box<Denial> {
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
