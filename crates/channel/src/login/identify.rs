//! Credentials, which follow a Hello that announces them.
//!
//! Always: a password and a token are overwritten when they are dropped, and shown by nothing; their
//! lengths are checked before they are copied.

use crate::frame::{self, Header, Kind};
use crate::{Conversation, Error, RequestNumber};
use mqi::Reason;
use mqi::constants::{MQ_CLIENT_USER_ID_LENGTH, MQ_CSP_PASSWORD_LENGTH, MQ_CSP_TOKEN_LENGTH};
use std::fmt;
use wire::fields::{Fields, put_u16};
use zeroize::Zeroizing;

/// Longest frame with credentials: a token at its longest, with room for fields of later releases.
pub const IDENTIFY_FRAME_BYTES_MAX: u32 = 10 * 1024;

const BY_PASSWORD: u8 = 1;
const BY_TOKEN: u8 = 2;
const BY_CHANGE: u8 = 3;

/// Bytes that no other code may read.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// Takes bytes; they are not copied.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(********)")
    }
}

/// Proof of a user, to be judged at the login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// A user and a password.
    Password {
        /// The user; empty for that of the Hello.
        user: String,
        /// The password, every byte of it.
        password: Secret,
    },
    /// A token that names its user.
    Token(Secret),
    /// A user and a password, which another replaces once it has proved the user.
    Change {
        /// The user; never empty.
        user: String,
        /// The password, every byte of it.
        password: Secret,
        /// The password from then on.
        new: Secret,
    },
}

impl Credentials {
    /// A user and a password.
    ///
    /// # Errors
    /// When one of them is longer than it may be. Neither is ever cut.
    pub fn password(user: &str, password: Secret) -> Result<Self, Error> {
        Error::check_length("user", user.len(), MQ_CLIENT_USER_ID_LENGTH)?;
        Error::check_length("password", password.bytes().len(), MQ_CSP_PASSWORD_LENGTH)?;
        Ok(Self::Password { user: user.to_owned(), password })
    }

    /// A token.
    ///
    /// # Errors
    /// When it is longer than it may be.
    pub fn token(token: Secret) -> Result<Self, Error> {
        Error::check_length("token", token.bytes().len(), MQ_CSP_TOKEN_LENGTH)?;
        Ok(Self::Token(token))
    }

    /// A user whose password is replaced.
    ///
    /// # Errors
    /// When the user is none, or one of them is longer than it may be.
    pub fn change(user: &str, password: Secret, new: Secret) -> Result<Self, Error> {
        Error::check_length("new password", new.bytes().len(), MQ_CSP_PASSWORD_LENGTH)?;
        match Self::password(user, password)? {
            Self::Password { user, password } if !user.is_empty() => Ok(Self::Change { user, password, new }),
            _ => Err(Error::field("user of the credentials", Reason::SECURITY_ERROR)),
        }
    }

    /// The user and the password that is to prove it, where there is one.
    #[must_use]
    pub fn proof(&self) -> Option<(&str, &Secret)> {
        match self {
            Self::Password { user, password } | Self::Change { user, password, .. } => Some((user, password)),
            Self::Token(_) => None,
        }
    }

    /// Appends the frame. Room is made first, so that `out` leaves no copy of a part behind.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.reserve_exact(IDENTIFY_FRAME_BYTES_MAX as usize);
        let header = Header::new(Kind::Identify, Conversation::CONNECTION, RequestNumber(0));
        let start = frame::begin(out, header);
        let (means, user, secret, new) = match self {
            Self::Password { user, password } => (BY_PASSWORD, user.as_str(), password, None),
            Self::Token(token) => (BY_TOKEN, "", token, None),
            Self::Change { user, password, new } => (BY_CHANGE, user.as_str(), password, Some(new.bytes())),
        };
        out.push(means);
        for part in [user.as_bytes(), secret.bytes()].into_iter().chain(new) {
            put_u16(out, part.len() as u16);
            out.extend_from_slice(part);
        }
        frame::finish(out, start, 0);
    }

    /// Reads the payload; bytes that a later release appended are skipped.
    ///
    /// # Errors
    /// When a field is cut, longer than it may be, or has a value it cannot have.
    pub fn decode(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(payload);
        let means = fields.u8("means of the credentials")?;
        let (user_most, secret, secret_most) = match means {
            BY_PASSWORD | BY_CHANGE => (MQ_CLIENT_USER_ID_LENGTH, "password", MQ_CSP_PASSWORD_LENGTH),
            BY_TOKEN => (0, "token", MQ_CSP_TOKEN_LENGTH),
            _ => return Err(Error::field("means of the credentials", Reason::OPTIONS_ERROR)),
        };
        let user = sized(&mut fields, "user of the credentials", user_most)?;
        let user = std::str::from_utf8(user)
            .map_err(|_| Error::field("user of the credentials", Reason::SOURCE_CCSID_ERROR))?;
        let secret = Secret::new(sized(&mut fields, secret, secret_most)?.to_vec());
        match means {
            BY_PASSWORD => Self::password(user, secret),
            BY_CHANGE => {
                let new = sized(&mut fields, "new password", MQ_CSP_PASSWORD_LENGTH)?;
                Self::change(user, secret, Secret::new(new.to_vec()))
            }
            _ => Self::token(secret),
        }
    }
}

/// The bytes behind a length of two bytes.
fn sized<'a>(fields: &mut Fields<'a>, field: &'static str, most: usize) -> Result<&'a [u8], Error> {
    let length = usize::from(fields.u16(field)?);
    Error::check_length(field, length, most)?;
    Ok(fields.take(length, field)?)
}
