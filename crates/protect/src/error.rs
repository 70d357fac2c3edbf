//! Reasons why a body is not protected, or not opened.

/// A reason why a body is not protected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtectError {
    /// There is more of it than a message has.
    #[error("the body has {bytes} bytes, and at most {most} can be protected; put it in parts")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The bound.
        most: usize,
    },
    /// The policy asks for a signature, and the program has no key.
    #[error(
        "the policy asks for a signature and the program has no key; give it a key store with a key and its certificate"
    )]
    NoKey,
    /// The key makes no signature with the digest.
    #[error("a key of P-256 signs with SHA-256 alone; set SIGNALG(SHA256), or use an RSA key")]
    DigestOfKey,
    /// No certificate has the name of a recipient.
    #[error("no certificate of the key store matches RECIP('{name}'); import the recipient's certificate")]
    NoCertificate {
        /// The pattern.
        name: String,
    },
    /// A recipient's certificate cannot be used.
    #[error("the certificate {name} of a recipient cannot be used, {reason}; import another one")]
    Certificate {
        /// Its subject.
        name: String,
        /// The reason: a clause.
        reason: String,
    },
    /// The patterns match more certificates than a message may have recipients.
    #[error("RECIP matches more than {most} certificates; give patterns that match fewer")]
    TooManyRecipients {
        /// The bound.
        most: usize,
    },
    /// The cryptographic library refused.
    #[error(
        "the cryptographic library did not {what}; if it happens again, report it with the kind of the key"
    )]
    Cryptography {
        /// The operation.
        what: &'static str,
    },
}

/// A reason why a message is not opened. None of them tells more of an encrypted body than that it is
/// changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The message is not protected and the policy enforces it.
    #[error("the message is not protected; have its putter apply the policy, or set TOLERATE")]
    NotProtected,
    /// The message is signed, and the policy asks for encryption too.
    #[error("the message is not encrypted and the policy asks for it; have its putter apply the policy")]
    NotEncrypted,
    /// The message is encrypted, and the policy asks for a signature alone.
    #[error("the message is encrypted and the policy does not say so; apply the policy of its putter")]
    Encrypted,
    /// The message is encrypted and has no signature within.
    #[error("the message has no signature and the policy asks for it; have its putter apply the policy")]
    NotSigned,
    /// The bytes keep none of the bounds.
    #[error(
        "the message has {what}, and at most {most} are allowed; it is none of a program that keeps the policy"
    )]
    Bound {
        /// The number and its unit.
        what: String,
        /// The bound.
        most: usize,
    },
    /// The bytes are no CMS, or have parts that nothing needs.
    #[error("the message is not well formed, {what}; it was changed, or its putter makes other forms of CMS")]
    Malformed {
        /// The part that is wrong: a clause.
        what: &'static str,
    },
    /// An algorithm is none of those that a policy can name.
    #[error(
        "the message has {what} by the algorithm {found}, which is too weak or not supported; have its putter use {instead}"
    )]
    Algorithm {
        /// The use of the algorithm.
        what: &'static str,
        /// Its object identifier.
        found: String,
        /// The algorithms that there are.
        instead: &'static str,
    },
    /// The signature has a weaker digest than the policy asks for.
    #[error("the signature has a weaker digest than SIGNALG asks for; have its putter apply the policy")]
    WeakerDigest,
    /// No entry is for the program's certificate.
    #[error(
        "the message is encrypted for other programs; add the subject of this program's certificate to RECIP"
    )]
    NotForUs,
    /// The key or the content does not decrypt.
    #[error("the message does not decrypt: it was changed, or encrypted for another key; have it put again")]
    Changed,
    /// The signature is none of the body by the certificate.
    #[error("the signature is not that of the body: the message was changed; have it put again")]
    Signature,
    /// The signer's certificate is not proved.
    #[error(
        "the certificate of the signer {name} is not trusted, {reason}; import its authority if it is to be"
    )]
    Untrusted {
        /// Its subject.
        name: String,
        /// The reason: a clause.
        reason: String,
    },
    /// The signer is none of those that are let in.
    #[error("the signer {name} is none of the policy's SIGNER; add its subject if it is to be")]
    Signer {
        /// Its subject.
        name: String,
    },
}
