//! The verdict on a login, in the one order that there is.
//!
//! 1. Credentials, if they are looked at: wrong ones refuse, under any rules.
//! 2. The user that the partner acts as; the later wins: the one it asserts, the channel's MCAUSER, the one
//!    that was proved (ADOPTCTX), the one of a channel rule. Over a local socket the kernel's user takes the
//!    place of the first two.
//! 3. Credentials that are missing where CHCKCLNT, CHCKLOCL or a rule asks for them.
//! 4. Users that a rule blocks.

use std::net::IpAddr;

use security::channel_rules::{
    self, Certificate, CredentialCheck, Judgement, Login as RuleLogin, Partner, Record, Rules,
};

/// CONNAUTH of a queue manager, as far as it judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnAuth {
    /// CHCKCLNT
    pub client: CredentialCheck,
    /// CHCKLOCL
    pub local: CredentialCheck,
    /// ADOPTCTX: a proved user is the one to act as.
    pub adopts: bool,
}

impl ConnAuth {
    /// CONNAUTH of a new queue manager.
    pub const USUAL: Self = Self {
        client: CredentialCheck::RequiredForAdministrators,
        local: CredentialCheck::Optional,
        adopts: true,
    };

    /// Tells if credentials that a partner gives are to be proved.
    #[must_use]
    pub fn looks_at(&self, door: &Door<'_>) -> bool {
        self.check(door) != CredentialCheck::None
    }

    const fn check(&self, door: &Door<'_>) -> CredentialCheck {
        match door {
            Door::Local { .. } => self.local,
            Door::Network(_) => self.client,
        }
    }
}

/// The credentials of a partner, after they were proved or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials<'a> {
    /// None were given, or they are not looked at.
    None,
    /// They prove this user.
    Proved(&'a str),
    /// The credentials prove no user.
    Wrong,
}

/// The way that a partner comes by.
#[derive(Clone, Copy, Debug)]
pub enum Door<'a> {
    /// A local socket, or shared memory: the kernel vouches for the user.
    Local {
        /// The user of the process at the other end; blank where the system knows no name.
        user: &'a str,
    },
    /// A network.
    Network(Network<'a>),
}

/// A partner over a network.
#[derive(Clone, Copy, Debug)]
pub struct Network<'a> {
    /// The channel.
    pub channel: &'a str,
    /// MCAUSER of the channel; blank for none.
    pub channel_user: &'a str,
    /// The address of the partner.
    pub address: IpAddr,
    /// Names of its host that lead back to the address.
    pub hosts: &'a [&'a str],
    /// Its certificate, if it showed one.
    pub certificate: Option<Certificate<'a>>,
    /// The user that it asserts.
    pub asserted: &'a str,
    /// The name that it says to have, where it is a queue manager; none for a program.
    pub queue_manager: Option<&'a str>,
}

/// A login.
#[derive(Clone, Copy)]
pub struct Login<'a> {
    /// CONNAUTH
    pub conn_auth: ConnAuth,
    /// The way that the partner comes by.
    pub door: Door<'a>,
    /// Its credentials.
    pub credentials: Credentials<'a>,
    /// Tells if a user has the rights of an administrator.
    pub is_administrator: &'a dyn Fn(&str) -> bool,
}

/// Why a login is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The credentials are wrong.
    #[error("the password or token is wrong")]
    Credentials,
    /// Credentials are missing.
    #[error("CHCKLOCL asks for a password or token, and the program gave none")]
    Missing,
    /// A rule of channels refuses.
    #[error(transparent)]
    Rules(#[from] channel_rules::Refusal),
}

impl Refusal {
    /// The reason code that the program is given.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Rules(refusal) => refusal.code(),
            // MQRC_NOT_AUTHORIZED, as where a rule refuses: the program is told no more.
            Self::Credentials | Self::Missing => channel_rules::Refusal::NoAccess.code(),
        }
    }
}

/// The verdict on a login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged<'r> {
    /// The user that the partner acts as, `nobody` for one without a name; or the reason why it may not come
    /// in.
    pub user: Result<String, Refusal>,
    /// The record of channel rules that decided, if one did.
    pub decided: Option<&'r Record>,
    /// Records that would have refused, and only warn.
    pub warnings: Vec<&'r Record>,
}

impl Judged<'_> {
    fn without_record(user: Result<String, Refusal>) -> Self {
        Self { user, decided: None, warnings: Vec::new() }
    }
}

/// Judges a login.
#[must_use]
pub fn judge<'r>(rules: &'r Rules, login: &Login<'_>) -> Judged<'r> {
    let Login { conn_auth, door, credentials, is_administrator } = *login;
    let check = conn_auth.check(&door);
    let proved = match credentials {
        _ if check == CredentialCheck::None => None,
        Credentials::None => None,
        Credentials::Proved(user) => Some(user),
        Credentials::Wrong => return Judged::without_record(Err(Refusal::Credentials)),
    };
    let adopted = proved.filter(|_| conn_auth.adopts);
    match door {
        Door::Local { user } => {
            let user = adopted.unwrap_or(user);
            let is_needed = match check {
                CredentialCheck::None | CredentialCheck::Optional => false,
                CredentialCheck::RequiredForAdministrators => is_administrator(user),
                CredentialCheck::Required => true,
            };
            if is_needed && proved.is_none() {
                return Judged::without_record(Err(Refusal::Missing));
            }
            let nobody = security::authority::NOBODY;
            Judged::without_record(Ok(if user.is_empty() { nobody } else { user }.to_owned()))
        }
        Door::Network(network) => {
            let judgement = rules.judge(&RuleLogin {
                channel: network.channel,
                channel_user: network.channel_user,
                address: network.address,
                hosts: network.hosts,
                certificate: network.certificate,
                partner: match network.queue_manager {
                    Some(name) => Partner::QueueManager(name),
                    None => {
                        Partner::Program { asserted: network.asserted, adopted, is_proved: proved.is_some() }
                    }
                },
                check,
                is_administrator,
            });
            let Judgement { user, mapping, blocking, warnings } = judgement;
            Judged { user: user.map_err(Refusal::from), decided: blocking.or(mapping), warnings }
        }
    }
}
