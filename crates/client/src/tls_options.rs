//! TLS as a program asks for it.

use std::path::PathBuf;

/// TLS of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// The folder or file of keys and trusted certificates.
    pub key_store: PathBuf,
    /// SSLCIPH
    pub cipherspec: String,
    /// CERTLABL: the key to show; blank for the usual one.
    pub label: String,
    /// SSLPEER: the name that the queue manager's certificate must match; blank for that of the host.
    pub peer: String,
}
