//! Reasons why a certificate is not made, taken in or handed out.

use std::io;
use std::path::PathBuf;

use crate::request::ISSUED_MAX;
use tls::store::StoreError;

/// Why a certificate is not made.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    /// The system refused.
    #[error("cannot {what} {path}: {source}")]
    Io {
        /// The attempt.
        what: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A part of the store does not read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No authority exists.
    #[error("{0} has no certificate authority: make one by `ferry tls init QM`")]
    NoAuthority(PathBuf),
    /// An authority exists already.
    #[error("{0} has a certificate authority already: issue certificates by `ferry tls issue QM LABEL`")]
    HasAuthority(PathBuf),
    /// A former authority exists already.
    #[error("{0} has two certificate authorities already: end the former one by `ferry tls retire QM`")]
    HasFormer(PathBuf),
    /// No former authority exists.
    #[error(
        "{0} has no former certificate authority: `ferry tls roll QM` makes another one beside the present"
    )]
    NoFormer(PathBuf),
    /// A key of the store is one of the former authority.
    #[error("the key {0} is of the former authority: renew it by `ferry tls renew QM {0}`")]
    FormerInUse(String),
    /// The label has a key.
    #[error("the label {0} has a key already: renew it by `ferry tls renew QM {0}`, or choose another label")]
    LabelTaken(String),
    /// The key of the label is in a bundle alone.
    #[error("the key of {0} is not in the store any more: the bundle that was made for it has the only copy")]
    KeyInBundle(String),
    /// The label has none.
    #[error("the label {0} has no certificate that this authority issued")]
    Unknown(String),
    /// A text is no label.
    #[error("{0:?} is no label: use at most 64 letters, figures, dots, hyphens and underscores")]
    Label(String),
    /// There are too many certificates.
    #[error("the authority has issued {ISSUED_MAX} certificates, and no more fit its list")]
    Full,
    /// A line of the list does not read.
    #[error("line {line} of {path} does not read: restore the file from a backup")]
    Ledger {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The library refuses.
    #[error("the certificate cannot be made: {0}")]
    Library(#[from] rcgen::Error),
}
