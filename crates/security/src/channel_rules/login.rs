//! The verdict on a login, and on one that an administrator only asks about.

use std::net::IpAddr;

use mqi::constants::{MQRC_SECURITY_ERROR, MQRCCF_CHLAUTH_RUNCHECK_ERROR};

use super::record::{ClientCheck, MQADMIN, Map, Mapped, Record, Rule, UserSource};
use super::rules::Rules;
use crate::authority::NOBODY;
use crate::distinguished_name::{Name, Pattern};

/// CHCKCLNT of the queue manager: the credentials that programs give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CredentialCheck {
    /// Credentials are not looked at.
    None,
    /// They are judged when they are given.
    Optional,
    /// Administrators must give them.
    RequiredForAdministrators,
    /// All must give them.
    Required,
}

impl CredentialCheck {
    /// The check that holds where a record asks for more.
    ///
    /// # Errors
    /// When a record asks for credentials that the queue manager does not look at.
    pub fn with(self, record: ClientCheck) -> Result<Self, Refusal> {
        let asked = match record {
            ClientCheck::AsQueueManager => return Ok(self),
            ClientCheck::RequiredForAdministrators => Self::RequiredForAdministrators,
            ClientCheck::Required => Self::Required,
        };
        if self == Self::None { Err(Refusal::NoProvider) } else { Ok(self.max(asked)) }
    }
}

/// The names in a certificate whose signatures were proved.
#[derive(Clone, Copy, Debug)]
pub struct Certificate<'a> {
    /// The subject, with the serial number.
    pub subject: &'a Name,
    /// The issuer.
    pub issuer: &'a Name,
}

/// The partner, by what it says of itself and what was proved.
#[derive(Clone, Copy, Debug)]
pub enum Partner<'a> {
    /// A program.
    Program {
        /// The user that it says to be.
        asserted: &'a str,
        /// The user that its password or token proved, where this is the one to act as.
        adopted: Option<&'a str>,
        /// It gave credentials, and they are right.
        is_proved: bool,
    },
    /// A queue manager, by the name that it says.
    QueueManager(&'a str),
}

/// A login, after its certificate and password were judged.
#[derive(Clone, Copy)]
pub struct Login<'a> {
    /// The name of the channel.
    pub channel: &'a str,
    /// MCAUSER of the channel; blank for none.
    pub channel_user: &'a str,
    /// The address of the partner.
    pub address: IpAddr,
    /// Names of its host that lead back to the address.
    pub hosts: &'a [&'a str],
    /// Its certificate, if it showed one.
    pub certificate: Option<Certificate<'a>>,
    /// The partner.
    pub partner: Partner<'a>,
    /// CHCKCLNT of the queue manager.
    pub check: CredentialCheck,
    /// Tells if a user has the rights of an administrator.
    pub is_administrator: &'a dyn Fn(&str) -> bool,
}

/// A reason why a login is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The address is blocked.
    #[error("the address is blocked by TYPE(BLOCKADDR)")]
    Address,
    /// A mapping record refuses.
    #[error("the most specific record for the partner says USERSRC(NOACCESS)")]
    NoAccess,
    /// A record asks for credentials that no provider judges.
    #[error(
        "a record's CHCKCLNT asks for a password, and the queue manager's CONNAUTH judges none; name an AUTHINFO there \
         (ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)), or set the record with CHCKCLNT(ASQMGR)"
    )]
    NoProvider,
    /// Credentials are missing.
    #[error("CHCKCLNT asks for a password or token, and the program gave none")]
    Credentials,
    /// The user that the partner would act as is blocked.
    #[error("the user is blocked by TYPE(BLOCKUSER)")]
    User,
}

impl Refusal {
    /// The reason code that the program is given.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::NoProvider => MQRC_SECURITY_ERROR,
            _ => mqi::constants::MQRC_NOT_AUTHORIZED,
        }
    }
}

/// The verdict on a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<'r> {
    /// The user that the partner acts as, or the reason why it may not; `nobody` for one without a name.
    pub user: Result<String, Refusal>,
    /// The mapping record that decides, if one matches.
    pub mapping: Option<&'r Record>,
    /// The record that blocks the address or user, if one does.
    pub blocking: Option<&'r Record>,
    /// Records that would have refused, and only warn.
    pub warnings: Vec<&'r Record>,
}

impl Rules {
    /// The record that blocks an address before anything is read from it; also one that only warns.
    #[must_use]
    pub fn blocking_address(&self, address: IpAddr) -> Option<&Record> {
        self.records().iter().find(|record| match &record.rule {
            Rule::BlockAddresses(patterns) => patterns.iter().any(|pattern| pattern.matches(address)),
            _ => false,
        })
    }

    /// Judges a login.
    #[must_use]
    pub fn judge(&self, login: &Login<'_>) -> Judgement<'_> {
        let mut judgement =
            Judgement { user: Ok(String::new()), mapping: None, blocking: None, warnings: Vec::new() };
        if let Some(record) = self.blocking_address(login.address) {
            if !record.warns {
                judgement.blocking = Some(record);
                return Judgement { user: Err(Refusal::Address), ..judgement };
            }
            judgement.warnings.push(record);
        }
        let mapping = self.mapping(login);
        judgement.mapping = mapping.map(|(record, _)| record);
        let map = mapping.map(|(_, map)| map);
        if let Some((record, Map { source: UserSource::NoAccess, .. })) = mapping {
            if !record.warns {
                return Judgement { user: Err(Refusal::NoAccess), ..judgement };
            }
            judgement.warnings.push(record);
        }
        let user = acting_user(login, map);
        if let Err(refusal) = check_credentials(login, map, user) {
            return Judgement { user: Err(refusal), ..judgement };
        }
        if let Some(record) = self.blocking_user(login, user) {
            if !record.warns {
                judgement.blocking = Some(record);
                return Judgement { user: Err(Refusal::User), ..judgement };
            }
            judgement.warnings.push(record);
        }
        judgement.user = Ok(user.to_owned());
        judgement
    }

    /// The most specific mapping record that matches.
    fn mapping(&self, login: &Login<'_>) -> Option<(&Record, &Map)> {
        let matching = self.records().iter().filter_map(|record| match &record.rule {
            Rule::Map(map) => {
                (record.channel.matches(login.channel) && map.matches(login)).then_some((record, map))
            }
            _ => None,
        });
        matching.min_by(|(one, own), (other, map)| {
            one.channel.by_specificity(&other.channel).then_with(|| own.by_specificity(map))
        })
    }

    /// The record for the nearest channel name that lists users, if it lists this one. Only programs are
    /// blocked so.
    fn blocking_user(&self, login: &Login<'_>, user: &str) -> Option<&Record> {
        let Partner::Program { .. } = login.partner else { return None };
        let lists = self.records().iter().filter_map(|record| match &record.rule {
            Rule::BlockUsers(users) if record.channel.matches(login.channel) => Some((record, users)),
            _ => None,
        });
        let (record, users) = lists.min_by(|one, other| one.0.channel.by_specificity(&other.0.channel))?;
        let is_blocked = |entry: &String| match &**entry {
            MQADMIN => (login.is_administrator)(user),
            // A name that differs in the case of its letters alone is as likely a way around the list as
            // another user.
            name => name.to_lowercase() == user.to_lowercase(),
        };
        users.iter().any(is_blocked).then_some(record)
    }
}

impl Map {
    fn matches(&self, login: &Login<'_>) -> bool {
        let is_partner = match (&self.partner, login.partner) {
            (Mapped::Any, _) => true,
            (Mapped::User(user), Partner::Program { asserted, adopted, .. }) => {
                *user == adopted.unwrap_or(asserted)
            }
            (Mapped::QueueManager(pattern), Partner::QueueManager(name)) => pattern.matches(name),
            (Mapped::Certificate { subject, issuer }, _) => login.certificate.is_some_and(|certificate| {
                subject.matches(certificate.subject)
                    && issuer.as_ref().is_none_or(|issuer| issuer.matches(certificate.issuer))
            }),
            _ => false,
        };
        is_partner && self.address.as_ref().is_none_or(|own| own.matches(login.address, login.hosts))
    }
}

/// The user that a partner acts as: the record's, else the one that was proved, else the channel's, else the
/// one that is asserted, if a record lets it and asks for no proof.
fn acting_user<'a>(login: &Login<'a>, map: Option<&'a Map>) -> &'a str {
    if let Some(Map { source: UserSource::Map(user), .. }) = map {
        return user;
    }
    let (asserted, adopted) = match login.partner {
        Partner::Program { asserted, adopted, .. } => (asserted, adopted),
        Partner::QueueManager(_) => ("", None),
    };
    let lets_assert = map.is_some_and(|map| map.check == ClientCheck::AsQueueManager);
    let asserted = if lets_assert { asserted } else { "" };
    let named = [adopted.unwrap_or_default(), login.channel_user, asserted];
    named.into_iter().find(|name| !name.is_empty()).unwrap_or(NOBODY)
}

/// Refuses a program that did not give the credentials that are asked for.
fn check_credentials(login: &Login<'_>, map: Option<&Map>, user: &str) -> Result<(), Refusal> {
    let Partner::Program { is_proved, .. } = login.partner else { return Ok(()) };
    let is_needed = match login.check.with(map.map_or_else(ClientCheck::default, |map| map.check))? {
        CredentialCheck::None | CredentialCheck::Optional => false,
        CredentialCheck::RequiredForAdministrators => (login.is_administrator)(user),
        CredentialCheck::Required => true,
    };
    if is_needed && !is_proved { Err(Refusal::Credentials) } else { Ok(()) }
}

/// A login that an administrator asks about: MATCH(RUNCHECK).
#[derive(Clone, Copy)]
pub struct Check<'a> {
    /// The name of the channel.
    pub channel: &'a str,
    /// MCAUSER of the channel; blank for none.
    pub channel_user: &'a str,
    /// ADDRESS
    pub address: &'a str,
    /// CLNTUSER or QMNAME.
    pub partner: Partner<'a>,
    /// SSLPEER
    pub subject: Option<&'a str>,
    /// SSLCERTI
    pub issuer: Option<&'a str>,
    /// CHCKCLNT of the queue manager.
    pub check: CredentialCheck,
    /// Tells if a user has the rights of an administrator.
    pub is_administrator: &'a dyn Fn(&str) -> bool,
}

/// A value of a check that could stand for several logins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("MATCH(RUNCHECK) asks about one login; {keyword} must be one value, without * and ranges")]
pub struct CheckError {
    /// The keyword.
    pub keyword: &'static str,
}

impl CheckError {
    /// The reason code that answers a command.
    #[must_use]
    pub const fn code(&self) -> i32 {
        MQRCCF_CHLAUTH_RUNCHECK_ERROR
    }
}

impl Rules {
    /// Judges a login that is described, as the login itself would be.
    ///
    /// # Errors
    /// When a value is generic.
    pub fn run_check(&self, check: &Check<'_>) -> Result<Judgement<'_>, CheckError> {
        let one = |keyword: &'static str, value: &str| {
            if value.is_empty() || value.contains('*') { Err(CheckError { keyword }) } else { Ok(()) }
        };
        one("CHLAUTH", check.channel)?;
        match check.partner {
            Partner::Program { asserted, .. } => one("CLNTUSER", asserted)?,
            Partner::QueueManager(name) => one("QMNAME", name)?,
        }
        let address = check.address.parse().map_err(|_| CheckError { keyword: "ADDRESS" })?;
        let name = |keyword: &'static str, text: Option<&str>| {
            let Some(text) = text else { return Ok(None) };
            let name = text.parse::<Pattern>().ok().and_then(|pattern| pattern.name());
            name.map(Some).ok_or(CheckError { keyword })
        };
        let (subject, issuer) = (name("SSLPEER", check.subject)?, name("SSLCERTI", check.issuer)?);
        let issuer = issuer.unwrap_or_default();
        let certificate = subject.as_ref().map(|subject| Certificate { subject, issuer: &issuer });
        Ok(self.judge(&Login {
            channel: check.channel,
            channel_user: check.channel_user,
            address,
            hosts: &[],
            certificate,
            partner: check.partner,
            check: check.check,
            is_administrator: check.is_administrator,
        }))
    }
}
