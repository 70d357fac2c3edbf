//! The rules of channels that are in force: the records of the catalogue, understood.
//!
//! Lives here: the snapshot that logins are judged by, and reading a record's definition. Lives elsewhere:
//! the verdict (`security`), the commands that change records (`command::channel_rule`), the login (hosts).
//!
//! Always: the snapshot has every record of the catalogue; a change is in the log before the snapshot has it,
//! and a verdict needs the position of the last change.

use std::sync::Arc;

use arc_swap::ArcSwap;
use mqi::constants::*;
use objects::Definition;
use platform::sync::Mutex;
use security::address;
use security::channel_rules::{self, Address, ClientCheck, Map, Mapped, Record, Rule, Rules, UserSource};
use security::distinguished_name;
use security::wildcard::Wildcard;
use storage::Lsn;

/// The rules of channels at one moment.
#[derive(Debug, Default)]
pub struct RulesInForce {
    rules: Rules,
    /// The keys of the records, in the same order.
    keys: Vec<Box<str>>,
    need: Lsn,
}

impl RulesInForce {
    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position that must be durable before a verdict may be known outside.
    #[must_use]
    pub fn need(&self) -> Lsn {
        self.need
    }

    /// The key of a record in the catalogue.
    pub(crate) fn key_of(&self, record: &Record) -> Option<&str> {
        let at = self.rules.records().iter().position(|own| own.is_for_same(record))?;
        Some(&self.keys[at])
    }
}

/// The rules of channels, and the one change at a time.
#[derive(Default)]
pub(crate) struct ChannelRules {
    /// Held from reading the rules to making the snapshot that follows.
    pub(crate) changing: Mutex<()>,
    current: ArcSwap<RulesInForce>,
}

impl ChannelRules {
    /// The rules now.
    pub(crate) fn current(&self) -> Arc<RulesInForce> {
        self.current.load_full()
    }

    /// Takes the records over.
    ///
    /// # Errors
    /// When a definition is none that a command makes.
    pub(crate) fn take(&self, records: &[Definition], need: Lsn) -> Result<(), RuleError> {
        let mut taken = RulesInForce { need, ..RulesInForce::default() };
        for definition in records {
            taken.rules.set(record_of(definition)?, channel_rules::Action::Add)?;
            taken.keys.push(definition.shown_name().into());
        }
        self.current.store(Arc::new(taken));
        Ok(())
    }
}

/// A reason why a definition is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RuleError {
    /// The record cannot be.
    #[error(transparent)]
    Record(#[from] channel_rules::RuleError),
    /// An address cannot be.
    #[error(transparent)]
    Address(#[from] address::AddressError),
    /// ADDRESS names a host.
    #[error(
        "ADDRESS({text}) is the name of a host, and names are not looked up: give the address in numbers, with * and \
         ranges"
    )]
    Host {
        /// The name.
        text: String,
    },
    /// The name of a certificate cannot be.
    #[error("{keyword}: {error}")]
    Name {
        /// The keyword.
        keyword: &'static str,
        /// The cause.
        error: distinguished_name::NamePatternError,
    },
    /// A value is missing.
    #[error("a record of this type needs {keyword}")]
    Missing {
        /// The keyword.
        keyword: &'static str,
    },
    /// A value is one that records of the type do not have.
    #[error("{keyword} does not go with this TYPE or USERSRC; leave it out")]
    Unfit {
        /// The keyword.
        keyword: &'static str,
    },
}

impl RuleError {
    /// The reason code that answers a command.
    #[must_use]
    pub(crate) const fn code(&self) -> i32 {
        match self {
            Self::Record(error) => error.code(),
            Self::Address(error) => error.code(),
            Self::Host { .. } => MQRCCF_IPADDR_ERROR,
            Self::Name { .. } => MQRCCF_SSL_PEER_NAME_ERROR,
            Self::Missing { .. } => MQRCCF_PARM_MISSING,
            Self::Unfit { .. } => MQRCCF_PARM_CONFLICT,
        }
    }
}

/// Understands a record.
pub(crate) fn record_of(definition: &Definition) -> Result<Record, RuleError> {
    for (row, value) in definition.changed() {
        // Two values have reasons of their own, which the record itself finds.
        let has_reason = [MQIA_CHECK_CLIENT_BINDING, MQIACH_WARNING].contains(&row.identifier_number());
        if !has_reason && value != row.default_value() && definition.rule_value(row).is_none() {
            let is_key = row.identifier_number() == MQCACF_OBJECT_NAME;
            if !is_key {
                return Err(RuleError::Unfit { keyword: row.keyword });
            }
        }
    }
    let text = |number| definition.text(number);
    let profile = Wildcard::new(&text(MQCACH_CHANNEL_NAME));
    let channel = profile.ok_or(RuleError::Missing { keyword: "CHLAUTH" })?;
    let given = |keyword: &'static str, number: i32| {
        let found = text(number);
        if found.is_empty() { Err(RuleError::Missing { keyword }) } else { Ok(found) }
    };
    let partner = match definition.integer(MQIACF_CHLAUTH_TYPE) {
        MQCAUT_BLOCKADDR => {
            let entries = definition.texts(MQCACH_CONNECTION_NAME_LIST);
            let addresses = entries.iter().map(|entry| entry.parse()).collect::<Result<_, _>>()?;
            let rule = Rule::BlockAddresses(addresses);
            return Ok(Record { channel, rule, warns: warns(definition) });
        }
        MQCAUT_BLOCKUSER => {
            let entries = definition.texts(MQCACH_MCA_USER_ID_LIST);
            let rule = Rule::BlockUsers(entries.iter().map(ToString::to_string).collect());
            return Ok(Record { channel, rule, warns: warns(definition) });
        }
        MQCAUT_SSLPEERMAP => {
            let name = |keyword: &'static str, text: &str| {
                text.parse().map_err(|error| RuleError::Name { keyword, error })
            };
            let issuer = text(MQCA_SSL_CERT_ISSUER_NAME);
            Mapped::Certificate {
                subject: name("SSLPEER", &given("SSLPEER", MQCACH_SSL_PEER_NAME)?)?,
                issuer: if issuer.is_empty() { None } else { Some(name("SSLCERTI", &issuer)?) },
            }
        }
        MQCAUT_USERMAP => Mapped::User(given("CLNTUSER", MQCACH_CLIENT_USER_ID)?),
        MQCAUT_QMGRMAP => {
            let name = Wildcard::new(&given("QMNAME", MQCA_REMOTE_Q_MGR_NAME)?);
            Mapped::QueueManager(name.ok_or(RuleError::Missing { keyword: "QMNAME" })?)
        }
        _ => Mapped::Any,
    };
    let address = match text(MQCACH_CONNECTION_NAME) {
        address if address.is_empty() => None,
        address => match Address::parse(&address)? {
            Address::Host(_) => return Err(RuleError::Host { text: address }),
            address => Some(address),
        },
    };
    let source = match definition.integer(MQIACH_USER_SOURCE) {
        MQUSRC_CHANNEL => UserSource::Channel,
        MQUSRC_NOACCESS => UserSource::NoAccess,
        _ => UserSource::Map(text(MQCACH_MCA_USER_ID)),
    };
    let check = match definition.integer(MQIA_CHECK_CLIENT_BINDING) {
        MQCHK_REQUIRED_ADMIN => ClientCheck::RequiredForAdministrators,
        MQCHK_REQUIRED => ClientCheck::Required,
        _ => ClientCheck::AsQueueManager,
    };
    let rule = Rule::Map(Map { partner, address, source, check });
    Ok(Record { channel, rule, warns: warns(definition) })
}

fn warns(definition: &Definition) -> bool {
    definition.integer(MQIACH_WARNING) == MQWARN_YES
}
