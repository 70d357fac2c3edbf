//! One record of the channel rules.

use std::cmp::Ordering;
use std::fmt;
use std::net::IpAddr;

use mqi::constants::{
    MQRCCF_CHLAUTH_ALREADY_EXISTS, MQRCCF_CHLAUTH_CHKCLI_ERROR, MQRCCF_CHLAUTH_CLNTUSER_ERROR,
    MQRCCF_CHLAUTH_MAX_EXCEEDED, MQRCCF_CHLAUTH_NAME_ERROR, MQRCCF_CHLAUTH_NOT_FOUND,
    MQRCCF_CHLAUTH_USERSRC_ERROR, MQRCCF_CHLAUTH_WARN_ERROR, MQRCCF_IPADDR_RANGE_CONFLICT,
};

use crate::address::{self, Pattern as AddressPattern};
use crate::authority::ENTITY_LENGTH_MAX;
use crate::distinguished_name::Pattern as NamePattern;
use crate::principal::{NameError, check_given_name};
use crate::wildcard::Wildcard;

/// Most records: each is looked at by every login.
pub const RECORDS_MAX: usize = 10_000;
/// Most entries of a list of users or addresses.
pub const LIST_MAX: usize = 100;
/// The entry of a list of users that stands for every administrator.
pub const MQADMIN: &str = "*MQADMIN";

/// A record: the channels that it is for, and its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The channels.
    pub channel: Wildcard,
    /// The rule.
    pub rule: Rule,
    /// A login that the rule would refuse passes, and is reported.
    pub warns: bool,
}

/// The rule of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// BLOCKADDR: these addresses are turned away at the door.
    BlockAddresses(Vec<AddressPattern>),
    /// BLOCKUSER: these users are turned away, by the names that they would act as.
    BlockUsers(Vec<String>),
    /// The other types: the user that a partner acts as.
    Map(Map),
}

/// The user that a partner acts as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The partner.
    pub partner: Mapped,
    /// The addresses from which it comes; any when none are given.
    pub address: Option<Address>,
    /// The source of the user.
    pub source: UserSource,
    /// The credentials that are asked for.
    pub check: ClientCheck,
}

/// The partner that a mapping record is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapped {
    /// SSLPEERMAP: the bearer of a certificate.
    Certificate {
        /// The name of its subject.
        subject: NamePattern,
        /// The name of its issuer; any when none is given.
        issuer: Option<NamePattern>,
    },
    /// USERMAP: a program of this user.
    User(String),
    /// QMGRMAP: a queue manager.
    QueueManager(Wildcard),
    /// ADDRESSMAP: any partner from its addresses.
    Any,
}

/// Addresses, or names of hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// Addresses.
    Ip(AddressPattern),
    /// Names of hosts, in letters of any case.
    Host(Wildcard),
}

impl Address {
    /// Takes the value of ADDRESS.
    ///
    /// # Errors
    /// When it is neither an address nor the name of a host.
    pub fn parse(text: &str) -> Result<Self, address::AddressError> {
        let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'*');
        let has_letters = text.bytes().any(|byte| byte.is_ascii_alphabetic()) && !text.contains(':');
        match Wildcard::new(text) {
            Some(host) if has_letters && text.bytes().all(is_of_host) => Ok(Self::Host(host)),
            _ => text.parse().map(Self::Ip),
        }
    }

    pub(super) fn matches(&self, address: IpAddr, hosts: &[&str]) -> bool {
        match self {
            Self::Ip(pattern) => pattern.matches(address),
            Self::Host(pattern) => hosts.iter().any(|host| pattern.matches_any_case(host)),
        }
    }

    /// The most specific first: addresses before names of hosts.
    fn by_specificity(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Ip(own), Self::Ip(other)) => own.by_specificity(other),
            (Self::Ip(_), Self::Host(_)) => Ordering::Less,
            (Self::Host(_), Self::Ip(_)) => Ordering::Greater,
            (Self::Host(own), Self::Host(other)) => own.by_specificity(other),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(pattern) => pattern.fmt(formatter),
            Self::Host(pattern) => pattern.fmt(formatter),
        }
    }
}

/// The source of the user that a partner acts as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserSource {
    /// USERSRC(MAP): the user of MCAUSER.
    Map(String),
    /// USERSRC(CHANNEL): the user that proved itself, that of the channel, or the one that the partner
    /// asserts.
    Channel,
    /// USERSRC(NOACCESS): none, the partner is refused.
    NoAccess,
}

/// CHCKCLNT of a record: it asks for more than the queue manager does, never for less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClientCheck {
    /// ASQMGR
    #[default]
    AsQueueManager,
    /// REQDADM
    RequiredForAdministrators,
    /// REQUIRED
    Required,
}

/// A reason why a record is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// BLOCKADDR for some channels.
    #[error("TYPE(BLOCKADDR) blocks before a channel is named; give the channel profile as *")]
    Channel,
    /// A list that is empty or too long.
    #[error("a list of addresses or users has 1 to {LIST_MAX} entries; split it, or use generic values")]
    List,
    /// Too many records.
    #[error("there are {} channel authentication records, which is the most; remove some", RECORDS_MAX)]
    TooMany,
    /// CLNTUSER with an asterisk.
    #[error("CLNTUSER names one user, without *; use TYPE(ADDRESSMAP) for all users")]
    ClientUser,
    /// A name of a user that cannot be.
    #[error("the name of a user has 1 to {ENTITY_LENGTH_MAX} bytes; give MCAUSER with USERSRC(MAP)")]
    User,
    /// A name that no user has.
    #[error("{0}")]
    Name(NameError),
    /// CHCKCLNT where no password is asked for.
    #[error(
        "CHCKCLNT is for programs that are let in: not for TYPE(QMGRMAP), and not with USERSRC(NOACCESS)"
    )]
    Check,
    /// WARN where nothing is refused.
    #[error("WARN(YES) is for records that refuse: TYPE(BLOCKUSER), TYPE(BLOCKADDR), USERSRC(NOACCESS)")]
    Warn,
    /// ADDRESSMAP without ADDRESS.
    #[error("TYPE(ADDRESSMAP) needs ADDRESS; give * for every address")]
    Address,
    /// Ranges that cross.
    #[error(
        "the address {address} overlaps {other} of the same channel profile; make one range part of the other, or keep \
         them apart"
    )]
    Crossing {
        /// The address of the record.
        address: String,
        /// The address that it crosses.
        other: String,
    },
    /// A record for the same partner exists.
    #[error("there is a record for the same partner; use ACTION(REPLACE)")]
    Exists,
    /// No record for this partner exists.
    #[error("there is no such record; DISPLAY CHLAUTH(*) MATCH(EXACT) shows those that there are")]
    Absent,
}

impl RuleError {
    /// The reason code that answers a command.
    #[must_use]
    pub const fn code(&self) -> i32 {
        match self {
            Self::Channel => MQRCCF_CHLAUTH_NAME_ERROR,
            Self::List | Self::TooMany => MQRCCF_CHLAUTH_MAX_EXCEEDED,
            Self::ClientUser => MQRCCF_CHLAUTH_CLNTUSER_ERROR,
            Self::User | Self::Name(_) => MQRCCF_CHLAUTH_USERSRC_ERROR,
            Self::Check => MQRCCF_CHLAUTH_CHKCLI_ERROR,
            Self::Warn => MQRCCF_CHLAUTH_WARN_ERROR,
            Self::Address => mqi::constants::MQRCCF_IPADDR_ERROR,
            Self::Crossing { .. } => MQRCCF_IPADDR_RANGE_CONFLICT,
            Self::Exists => MQRCCF_CHLAUTH_ALREADY_EXISTS,
            Self::Absent => MQRCCF_CHLAUTH_NOT_FOUND,
        }
    }
}

impl Record {
    /// Tells if a program acts as the user that it names, with no password asked: USERSRC(CHANNEL) without
    /// CHCKCLNT.
    #[must_use]
    pub fn asserts(&self) -> bool {
        self.takes_user_of_channel()
            && matches!(&self.rule, Rule::Map(Map { check: ClientCheck::AsQueueManager, .. }))
    }

    /// Tells if the rule is USERSRC(CHANNEL) for programs.
    #[must_use]
    pub fn takes_user_of_channel(&self) -> bool {
        matches!(&self.rule, Rule::Map(Map { source: UserSource::Channel, partner, .. })
            if !matches!(partner, Mapped::QueueManager(_)))
    }

    /// Checks the record by itself.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        let is_list =
            |length: usize| if (1..=LIST_MAX).contains(&length) { Ok(()) } else { Err(RuleError::List) };
        let is_user = |name: &str| (1..=ENTITY_LENGTH_MAX).contains(&name.len());
        match &self.rule {
            Rule::BlockAddresses(_) if self.channel.as_str() != "*" => Err(RuleError::Channel),
            Rule::BlockAddresses(addresses) => is_list(addresses.len()),
            Rule::BlockUsers(users) if users.iter().any(|user| !is_user(user)) => Err(RuleError::User),
            Rule::BlockUsers(users) => is_list(users.len()),
            Rule::Map(map) => {
                let asks = map.check != ClientCheck::AsQueueManager;
                let refuses = map.source == UserSource::NoAccess;
                match (&map.partner, &map.source) {
                    (Mapped::User(user), _) if user.contains('*') => Err(RuleError::ClientUser),
                    (Mapped::User(user), _) if !is_user(user) => Err(RuleError::User),
                    (_, UserSource::Map(user)) if !is_user(user) => Err(RuleError::User),
                    (Mapped::QueueManager(_), _) | (_, UserSource::NoAccess) if asks => Err(RuleError::Check),
                    (Mapped::Any, _) if map.address.is_none() => Err(RuleError::Address),
                    _ if self.warns && !refuses => Err(RuleError::Warn),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Checks a record that is set now, and the names of its users. Those of earlier releases may name any.
    ///
    /// # Errors
    /// When the record is none, or no user has one of the names: it would mean nobody.
    pub fn check_names(&self) -> Result<(), RuleError> {
        // Its own fault has the reason of its attribute.
        self.check()?;
        let named = match &self.rule {
            Rule::BlockAddresses(_) => return Ok(()),
            Rule::BlockUsers(users) => users.iter().filter(|user| *user != MQADMIN).collect(),
            Rule::Map(map) => {
                let acting = if let UserSource::Map(user) = &map.source { Some(user) } else { None };
                let mapped = if let Mapped::User(user) = &map.partner { Some(user) } else { None };
                acting.into_iter().chain(mapped).collect::<Vec<_>>()
            }
        };
        named.into_iter().try_for_each(|user| check_given_name(user).map_err(RuleError::Name))
    }

    /// Tells if both are for the same channels and partner: one takes the place of the other.
    #[must_use]
    pub fn is_for_same(&self, other: &Self) -> bool {
        let is_same = match (&self.rule, &other.rule) {
            (Rule::BlockAddresses(_), Rule::BlockAddresses(_))
            | (Rule::BlockUsers(_), Rule::BlockUsers(_)) => true,
            (Rule::Map(own), Rule::Map(other)) => {
                own.partner == other.partner && own.address == other.address
            }
            _ => false,
        };
        is_same && self.channel == other.channel
    }

    /// The addresses of a mapping record.
    pub(super) fn mapped_address(&self) -> Option<&AddressPattern> {
        match &self.rule {
            Rule::Map(Map { address: Some(Address::Ip(pattern)), .. }) => Some(pattern),
            _ => None,
        }
    }
}

/// The record as the command that set it names it: its channels, its type and its partner.
impl fmt::Display for Record {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "CHLAUTH({}) TYPE(", self.channel.as_str())?;
        let map = match &self.rule {
            Rule::BlockAddresses(_) => return formatter.write_str("BLOCKADDR)"),
            Rule::BlockUsers(_) => return formatter.write_str("BLOCKUSER)"),
            Rule::Map(map) => map,
        };
        match &map.partner {
            Mapped::Certificate { subject, issuer } => {
                write!(formatter, "SSLPEERMAP) SSLPEER({subject})")?;
                if let Some(issuer) = issuer {
                    write!(formatter, " SSLCERTI({issuer})")?;
                }
            }
            Mapped::User(user) => write!(formatter, "USERMAP) CLNTUSER({user})")?,
            Mapped::QueueManager(name) => write!(formatter, "QMGRMAP) QMNAME({})", name.as_str())?,
            Mapped::Any => formatter.write_str("ADDRESSMAP)")?,
        }
        match &map.address {
            Some(address) => write!(formatter, " ADDRESS({address})"),
            None => Ok(()),
        }
    }
}

impl Map {
    /// Tells if a login that the record gives a user can have proved what the record names: the bearer of a
    /// trusted certificate has, and the user of CLNTUSER by a password, where ADOPTCTX has it act. An address
    /// proves nothing, nor does a name that a partner says.
    #[must_use]
    pub const fn can_prove(&self, adopts: bool) -> bool {
        let UserSource::Map(_) = self.source else { return false };
        match self.partner {
            Mapped::Certificate { .. } => true,
            Mapped::User(_) => adopts,
            Mapped::QueueManager(_) | Mapped::Any => false,
        }
    }

    /// Tells if a login that matched the record, and gave the password of this user to act as, has proved
    /// what the record names. Such a record alone makes an administrator.
    #[must_use]
    pub fn is_proved(&self, adopted: Option<&str>) -> bool {
        let is_named = match &self.partner {
            Mapped::User(user) => adopted == Some(user),
            Mapped::Certificate { .. } | Mapped::QueueManager(_) | Mapped::Any => true,
        };
        is_named && self.can_prove(adopted.is_some())
    }

    /// The order of mapping records for the same channels that match the same login, the most specific first:
    /// the certificate, its issuer, the user or queue manager, the address.
    pub(super) fn by_specificity(&self, other: &Self) -> Ordering {
        let names = by_presence(self.subject(), other.subject(), NamePattern::by_specificity);
        let issuers = || by_presence(self.issuer(), other.issuer(), NamePattern::by_specificity);
        let users = || match (&self.partner, &other.partner) {
            (Mapped::QueueManager(own), Mapped::QueueManager(other)) => own.by_specificity(other),
            (own, other) => is_by_name(other).cmp(&is_by_name(own)),
        };
        let addresses =
            || by_presence(self.address.as_ref(), other.address.as_ref(), Address::by_specificity);
        names.then_with(issuers).then_with(users).then_with(addresses)
    }

    fn subject(&self) -> Option<&NamePattern> {
        match &self.partner {
            Mapped::Certificate { subject, .. } => Some(subject),
            _ => None,
        }
    }

    fn issuer(&self) -> Option<&NamePattern> {
        match &self.partner {
            Mapped::Certificate { issuer, .. } => issuer.as_ref(),
            _ => None,
        }
    }
}

const fn is_by_name(partner: &Mapped) -> bool {
    matches!(partner, Mapped::User(_) | Mapped::QueueManager(_))
}

/// A value that is there comes before none.
fn by_presence<V>(one: Option<&V>, other: Option<&V>, order: impl Fn(&V, &V) -> Ordering) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => order(one, other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    }
}
