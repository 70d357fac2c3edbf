//! The encryption that a channel asks of its connections, and the verdict on one.
//!
//! Lives here: SSLCIPH, SSLCAUTH, SSLPEER and CERTLABL of a channel, understood; the order in which they are
//! judged. Lives elsewhere: the handshake that proves a certificate (`tls`), the login that asks (`agents`).

use std::sync::Arc;

use mqi::constants::{
    MQRC_CHANNEL_CONFIG_ERROR, MQRC_SSL_INITIALIZATION_ERROR, MQRC_SSL_PEER_NAME_ERROR,
    MQRC_SSL_PEER_NAME_MISMATCH, MQRC_UNSUPPORTED_CIPHER_SUITE,
};

use crate::cipherspecs::{self, Choice, CipherSpec};
use crate::distinguished_name::{self, Name, Pattern};

/// SSLCAUTH: the demand for a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeerCheck {
    /// A program must show one.
    Required,
    /// One that is shown is judged.
    Optional,
}

/// The terms of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// SSLCIPH; none where the channel does not encrypt.
    pub suites: Option<Choice>,
    /// SSLCAUTH; REQUIRED also where SSLPEER is set.
    pub check: PeerCheck,
    /// SSLPEER
    pub peer: Option<Pattern>,
    /// CERTLABL
    pub label: Option<String>,
}

impl Terms {
    /// Understands the attributes of a channel; blank ones are not set.
    ///
    /// # Errors
    /// When SSLCIPH or SSLPEER is none.
    pub fn read(suites: &str, check: PeerCheck, peer: &str, label: &str) -> Result<Self, Refusal> {
        let (suites, peer, label) = (suites.trim(), peer.trim(), label.trim());
        let suites = (!suites.is_empty()).then(|| Choice::find(suites)).transpose()?;
        let peer: Option<Pattern> = (!peer.is_empty()).then(|| peer.parse()).transpose()?;
        let check = if peer.is_some() { PeerCheck::Required } else { check };
        Ok(Self { suites, check, peer, label: (!label.is_empty()).then(|| label.to_owned()) })
    }

    /// Judges a connection.
    ///
    /// # Errors
    /// When the connection is not encrypted as the channel asks.
    pub fn judge(&self, encryption: &Encryption) -> Result<(), Refusal> {
        let (suite, certificate) = match encryption {
            Encryption::Local => return Ok(()),
            Encryption::Clear { is_cover_required: true } => return Err(Refusal::ClearListener),
            Encryption::Clear { is_cover_required: false } if self.suites.is_some() => {
                return Err(Refusal::ClearChannel);
            }
            Encryption::Clear { is_cover_required: false } => return Ok(()),
            Encryption::Covered { suite, certificate, .. } => (*suite, certificate),
        };
        let Some(suites) = self.suites else { return Err(Refusal::NotEncrypting) };
        let spec = CipherSpec::by_number(suite);
        if !spec.is_some_and(|spec| suites.stands_for(spec)) {
            let has = spec.map_or("of no name", |spec| spec.name);
            return Err(Refusal::Suite { has, wants: suites.name() });
        }
        let Some(Names { subject, .. }) = certificate else {
            return if self.check == PeerCheck::Required { Err(Refusal::NoCertificate) } else { Ok(()) };
        };
        match &self.peer {
            Some(pattern) if !pattern.matches(subject) => {
                Err(Refusal::Peer { name: subject.to_string(), pattern: pattern.to_string() })
            }
            _ => Ok(()),
        }
    }
}

/// The names in a certificate that was proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The subject, with the serial number.
    pub subject: Name,
    /// The issuer.
    pub issuer: Name,
}

/// The encryption of a connection, as the host established it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Encryption {
    /// Within the machine, by a local socket or shared memory.
    #[default]
    Local,
    /// Over a network, in the clear.
    Clear {
        /// The listener asks for encryption.
        is_cover_required: bool,
    },
    /// Over a network, encrypted.
    Covered {
        /// The number of the suite.
        suite: u16,
        /// The names in the certificate that the partner showed and proved.
        certificate: Option<Names>,
        /// The certificates that it showed, its own first, as they came: for a proof while the connection is
        /// there.
        shown: Arc<[Vec<u8>]>,
        /// The channel that the first message of the handshake named, by which the key was chosen; blank
        /// where it named none.
        channel: Box<str>,
    },
}

impl Encryption {
    /// The names in the certificate of the partner, if it showed one.
    #[must_use]
    pub const fn certificate(&self) -> Option<&Names> {
        match self {
            Self::Covered { certificate, .. } => certificate.as_ref(),
            Self::Local | Self::Clear { .. } => None,
        }
    }

    /// Judges the channel of a login, which must be the one that the handshake named, if it named one.
    ///
    /// # Errors
    /// When it is another.
    pub fn judge_channel(&self, asked: &str) -> Result<(), Refusal> {
        match self {
            Self::Covered { channel, .. } if !channel.is_empty() && **channel != *asked => {
                Err(Refusal::OtherChannel { named: channel.to_string(), asked: asked.to_owned() })
            }
            Self::Covered { .. } | Self::Local | Self::Clear { .. } => Ok(()),
        }
    }

    /// The certificates that the partner showed, its own first; none where it showed none.
    #[must_use]
    pub fn shown(&self) -> &[Vec<u8>] {
        match self {
            Self::Covered { shown, .. } => shown,
            Self::Local | Self::Clear { .. } => &[],
        }
    }

    /// The name of the subject of that certificate; blank without one.
    #[must_use]
    pub fn subject(&self) -> String {
        self.certificate().map(|names| names.subject.to_string()).unwrap_or_default()
    }
}

/// A reason why a connection may not use a channel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The listener asks for encryption.
    #[error("this listener is for TLS alone: connect with a CipherSpec, or to another port")]
    ClearListener,
    /// The channel asks for encryption.
    #[error("the channel's SSLCIPH asks for TLS: connect with a CipherSpec, to a port for TLS")]
    ClearChannel,
    /// The handshake named another channel than the login.
    #[error(
        "the TLS handshake named channel {named:?}, and the login names {asked:?}: name one and the same"
    )]
    OtherChannel {
        /// The channel of the handshake.
        named: String,
        /// The channel of the login.
        asked: String,
    },
    /// The channel does not encrypt.
    #[error("the channel has no SSLCIPH: connect without a CipherSpec, or set SSLCIPH of the channel")]
    NotEncrypting,
    /// The suite is another.
    #[error(
        "the connection has CipherSpec {has} and the channel's SSLCIPH is {wants}: give both ends the same"
    )]
    Suite {
        /// The CipherSpec of the connection.
        has: &'static str,
        /// SSLCIPH of the channel.
        wants: &'static str,
    },
    /// The certificate is missing.
    #[error("the channel's SSLCAUTH asks for a certificate, and the program showed none: give it a key")]
    NoCertificate,
    /// The name in the certificate is another.
    #[error("the certificate's name {name} does not match the channel's SSLPEER {pattern}")]
    Peer {
        /// The name.
        name: String,
        /// SSLPEER
        pattern: String,
    },
    /// SSLCIPH is none.
    #[error("SSLCIPH of the channel is not right: {0}")]
    Suites(#[from] cipherspecs::Refusal),
    /// SSLPEER is none.
    #[error("SSLPEER of the channel is not right: {0}")]
    Pattern(#[from] distinguished_name::NamePatternError),
}

impl Refusal {
    /// The reason code that the program is given.
    #[must_use]
    pub const fn code(&self) -> i32 {
        match self {
            Self::ClearListener | Self::ClearChannel | Self::NoCertificate | Self::OtherChannel { .. } => {
                MQRC_SSL_INITIALIZATION_ERROR
            }
            Self::NotEncrypting => MQRC_CHANNEL_CONFIG_ERROR,
            Self::Suite { .. } | Self::Suites(_) => MQRC_UNSUPPORTED_CIPHER_SUITE,
            Self::Peer { .. } => MQRC_SSL_PEER_NAME_MISMATCH,
            Self::Pattern(_) => MQRC_SSL_PEER_NAME_ERROR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(suite: u16, name: Option<&str>) -> Encryption {
        let subject = name.map(|text| text.parse::<Pattern>().unwrap().name().unwrap());
        let certificate = subject.map(|subject| Names { subject, issuer: Name::default() });
        Encryption::Covered { suite, certificate, shown: Arc::default(), channel: Box::default() }
    }

    /// Each row of a channel beside each kind of connection.
    #[test]
    fn a_channel_is_used_by_connections_that_are_encrypted_as_it_asks() {
        let clear = |is_cover_required| Encryption::Clear { is_cover_required };
        let (plain, aes, any12) = ("", "TLS_AES_256_GCM_SHA384", "ANY_TLS12");
        for (suites, check, peer, encryption, expected) in [
            (plain, PeerCheck::Required, "", Encryption::Local, Ok(())),
            (aes, PeerCheck::Required, "CN=x", Encryption::Local, Ok(())),
            (plain, PeerCheck::Required, "", clear(false), Ok(())),
            (plain, PeerCheck::Optional, "", clear(true), Err(2393)),
            (aes, PeerCheck::Optional, "", clear(false), Err(2393)),
            (aes, PeerCheck::Optional, "", clear(true), Err(2393)),
            (plain, PeerCheck::Optional, "", covered(0x1302, None), Err(2539)),
            (aes, PeerCheck::Optional, "", covered(0x1302, None), Ok(())),
            (aes, PeerCheck::Optional, "", covered(0x1301, None), Err(2400)),
            (aes, PeerCheck::Optional, "", covered(0xFFFF, None), Err(2400)),
            (any12, PeerCheck::Optional, "", covered(0xC030, None), Ok(())),
            (any12, PeerCheck::Optional, "", covered(0x1302, None), Err(2400)),
            ("ANY_TLS12_OR_HIGHER", PeerCheck::Optional, "", covered(0x1302, None), Ok(())),
            (aes, PeerCheck::Required, "", covered(0x1302, None), Err(2393)),
            (aes, PeerCheck::Required, "", covered(0x1302, Some("CN=a")), Ok(())),
            (aes, PeerCheck::Optional, "CN=a", covered(0x1302, None), Err(2393)),
            (aes, PeerCheck::Optional, "CN=a", covered(0x1302, Some("CN=a,O=b")), Ok(())),
            (aes, PeerCheck::Optional, "CN=a", covered(0x1302, Some("CN=b")), Err(2398)),
        ] {
            let terms = Terms::read(suites, check, peer, "").unwrap();
            let found = terms.judge(&encryption).map_err(|refusal| refusal.code());
            assert_eq!(found, expected, "{suites:?} {check:?} {peer:?} {encryption:?}");
        }
    }

    #[test]
    fn a_login_is_by_the_channel_that_the_handshake_named_or_by_any_where_it_named_none() {
        let named = |channel: &str| Encryption::Covered {
            suite: 0x1302,
            certificate: None,
            shown: Arc::default(),
            channel: channel.into(),
        };
        for (encryption, asked, expected) in [
            (named("APP"), "APP", Ok(())),
            (named("APP"), "PAY", Err(2393)),
            (named("APP"), "app", Err(2393)),
            (named("APP"), "", Err(2393)),
            (named(""), "PAY", Ok(())),
            (Encryption::Clear { is_cover_required: false }, "PAY", Ok(())),
            (Encryption::Local, "PAY", Ok(())),
        ] {
            let judged = encryption.judge_channel(asked).map_err(|refusal| refusal.code());
            assert_eq!(judged, expected, "{encryption:?} {asked}");
        }
    }

    #[test]
    fn attributes_that_are_not_right_refuse_with_their_reason() {
        for (suites, peer, expected) in
            [("TLS_RSA_WITH_AES_128_CBC_SHA", "", 2400), ("NOTHING", "", 2400), ("ANY_TLS13", "CN", 2399)]
        {
            let refusal = Terms::read(suites, PeerCheck::Required, peer, "").unwrap_err();
            assert_eq!(refusal.code(), expected, "{refusal}");
        }
        let terms = Terms::read("  ANY_TLS13 ", PeerCheck::Optional, " ", " key ").unwrap();
        assert_eq!((terms.label.as_deref(), terms.peer), (Some("key"), None));
    }
}
