//! One CipherSpec, and the terms in which rules speak of it.

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// TLS 1.2
    Tls12,
    /// TLS 1.3
    Tls13,
}

/// The way a suite encrypts and authenticates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cipher {
    /// AES-GCM or ChaCha20-Poly1305.
    Aead,
    /// AES-CBC with a separate code of authentication.
    Cbc,
    /// AES-CCM.
    Ccm,
    /// AES-CCM whose tag has 8 bytes; OpenSSL has it at security level 0 alone.
    CcmShort,
}

/// The library that has a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// rustls, in every build.
    Standard,
    /// OpenSSL, which no release has.
    Legacy,
}

/// One CipherSpec with its suite.
#[derive(Debug, PartialEq, Eq)]
pub struct CipherSpec {
    /// The name that SSLCIPH takes.
    pub name: &'static str,
    /// The suite's name in the registry of TLS.
    pub suite: &'static str,
    /// The suite's number on the wire.
    pub number: u16,
    /// The version of the protocol that it belongs to.
    pub protocol: Protocol,
    /// The way it encrypts.
    pub cipher: Cipher,
    /// The library that has it.
    pub provider: Provider,
}
