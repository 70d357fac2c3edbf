//! Policies: how the messages of a queue are protected.

use security::distinguished_name::Pattern;

use crate::bounds::RECIPIENTS_MAX;

/// Most patterns of signers of a policy.
const SIGNERS_MAX: usize = 64;

/// A policy. One that asks for nothing leaves bodies as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    signature: Option<Digest>,
    encryption: Option<Encryption>,
    signers: Vec<Pattern>,
    recipients: Vec<Pattern>,
    unprotected: Unprotected,
}

/// The digest under a signature, by strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Digest {
    /// SHA-256.
    Sha256,
    /// SHA-384, for RSA keys.
    Sha384,
    /// SHA-512, for RSA keys.
    Sha512,
}

/// The encryption of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// AES with keys of 256 bits, in Galois/counter mode.
    Aes256,
}

/// The treatment of a message that is not protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprotected {
    /// It is refused: ENFORCE.
    Refused,
    /// It is opened as it is: TOLERATE, while the programs of a queue change over.
    Accepted,
}

/// A reason why words make no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The algorithm can be broken.
    #[error("{keyword}({word}) is too weak to protect anything; use {instead}")]
    Weak {
        /// SIGNALG or ENCALG.
        keyword: &'static str,
        /// The algorithm.
        word: String,
        /// The algorithms that there are.
        instead: &'static str,
    },
    /// No algorithm has this name.
    #[error("{keyword}({word}) is no algorithm that there is; use {instead}")]
    Unknown {
        /// SIGNALG or ENCALG.
        keyword: &'static str,
        /// The word.
        word: String,
        /// The algorithms that there are.
        instead: &'static str,
    },
    /// Nobody could read the messages.
    #[error(
        "ENCALG without RECIP: name the subjects of the certificates whose programs may read the messages"
    )]
    NoRecipients,
    /// Recipients of what is not encrypted.
    #[error("RECIP without ENCALG: the messages are not encrypted; give ENCALG(AES256) or leave RECIP out")]
    RecipientsOfNothing,
    /// Signers of what is not signed.
    #[error("SIGNER without SIGNALG: the messages are not signed; give SIGNALG(SHA256) or leave SIGNER out")]
    SignersOfNothing,
    /// More names than there may be.
    #[error("{keyword} has {count} names, and at most {most} are allowed; use patterns with *")]
    TooMany {
        /// SIGNER or RECIP.
        keyword: &'static str,
        /// The number of names.
        count: usize,
        /// The bound.
        most: usize,
    },
}

const DIGESTS: &str = "SHA256, SHA384, SHA512 or NONE";
const ENCRYPTIONS: &str = "AES256 or NONE";

/// Algorithms that the family has had and that can be broken.
const WEAK: [&str; 7] = ["MD5", "SHA1", "RC2", "RC4", "DES", "3DES", "TRIPLEDES"];

fn is_weak(word: &str) -> bool {
    WEAK.iter().any(|weak| weak.eq_ignore_ascii_case(&word.replace('-', "")))
}

impl Digest {
    /// The digest of a word of SIGNALG, in any case; none for NONE.
    ///
    /// # Errors
    /// The word is none, or stands for an algorithm that can be broken.
    pub fn by_word(word: &str) -> Result<Option<Self>, PolicyError> {
        let (keyword, instead) = ("SIGNALG", DIGESTS);
        match word.to_ascii_uppercase().as_str() {
            "NONE" => Ok(None),
            "SHA256" => Ok(Some(Self::Sha256)),
            "SHA384" => Ok(Some(Self::Sha384)),
            "SHA512" => Ok(Some(Self::Sha512)),
            _ if is_weak(word) => Err(PolicyError::Weak { keyword, word: word.to_owned(), instead }),
            _ => Err(PolicyError::Unknown { keyword, word: word.to_owned(), instead }),
        }
    }
}

impl Encryption {
    /// The encryption of a word of ENCALG, in any case; none for NONE.
    ///
    /// # Errors
    /// As for [`Digest::by_word`].
    pub fn by_word(word: &str) -> Result<Option<Self>, PolicyError> {
        let (keyword, instead) = ("ENCALG", ENCRYPTIONS);
        match word.to_ascii_uppercase().as_str() {
            "NONE" => Ok(None),
            "AES256" => Ok(Some(Self::Aes256)),
            _ if is_weak(word) => Err(PolicyError::Weak { keyword, word: word.to_owned(), instead }),
            _ => Err(PolicyError::Unknown { keyword, word: word.to_owned(), instead }),
        }
    }
}

impl Policy {
    /// A policy that asks for nothing.
    #[must_use]
    pub fn none() -> Self {
        Self {
            signature: None,
            encryption: None,
            signers: Vec::new(),
            recipients: Vec::new(),
            unprotected: Unprotected::Refused,
        }
    }

    /// The policy with signatures of a digest, by signers whose subjects match one of these patterns; without
    /// patterns by any that is trusted. A message with a stronger digest is opened, one with a weaker is not.
    ///
    /// # Errors
    /// Signers of nothing, or more than 64.
    pub fn signed(mut self, signature: Option<Digest>, signers: Vec<Pattern>) -> Result<Self, PolicyError> {
        match (signature, signers.len()) {
            (None, 1..) => return Err(PolicyError::SignersOfNothing),
            (_, count) if count > SIGNERS_MAX => {
                return Err(PolicyError::TooMany { keyword: "SIGNER", count, most: SIGNERS_MAX });
            }
            _ => {}
        }
        (self.signature, self.signers) = (signature, signers);
        Ok(self)
    }

    /// The policy with encryption for the certificates whose subjects match these patterns.
    ///
    /// # Errors
    /// Encryption for none, recipients of nothing, or more than [`RECIPIENTS_MAX`].
    pub fn encrypted(
        mut self,
        encryption: Option<Encryption>,
        recipients: Vec<Pattern>,
    ) -> Result<Self, PolicyError> {
        match (encryption, recipients.len()) {
            (Some(_), 0) => return Err(PolicyError::NoRecipients),
            (None, 1..) => return Err(PolicyError::RecipientsOfNothing),
            (_, count) if count > RECIPIENTS_MAX => {
                return Err(PolicyError::TooMany { keyword: "RECIP", count, most: RECIPIENTS_MAX });
            }
            _ => {}
        }
        (self.encryption, self.recipients) = (encryption, recipients);
        Ok(self)
    }

    /// The policy with this treatment of messages that are not protected.
    #[must_use]
    pub fn with_unprotected(mut self, unprotected: Unprotected) -> Self {
        self.unprotected = unprotected;
        self
    }

    /// The digest of signatures; none where messages are not signed.
    #[must_use]
    pub fn signature(&self) -> Option<Digest> {
        self.signature
    }

    /// The encryption; none where messages are not encrypted.
    #[must_use]
    pub fn encryption(&self) -> Option<Encryption> {
        self.encryption
    }

    /// The signers that are let in; none for any that is trusted.
    #[must_use]
    pub fn signers(&self) -> &[Pattern] {
        &self.signers
    }

    /// The programs that may read the messages.
    #[must_use]
    pub fn recipients(&self) -> &[Pattern] {
        &self.recipients
    }

    /// The treatment of messages that are not protected.
    #[must_use]
    pub fn unprotected(&self) -> Unprotected {
        self.unprotected
    }
}
