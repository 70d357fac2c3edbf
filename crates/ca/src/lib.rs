//! A small certificate authority beside a key store: what `ferry tls` does.
//!
//! Lives here: the authority, certificates that it issues, renews and revokes (`authority`), the list of them
//! (`ledger`), files of others that are taken in (`import`), files for programs (`bundle`).
//!
//! Lives elsewhere: key stores, certificates and the text of a bundle (`tls`); commands (`cli`).
//!
//! A store with an authority has, beside its other folders, `authority/ca.key`, `authority/ca.pem` and
//! `authority/issued`, a line for each certificate. Keys are of ECDSA on P-256.
//!
//! Always: each file is written beside its place and renamed; a key's file is for its owner alone; the list
//! of issued certificates has a certificate before any other place does.

mod authority;
mod bundle;
mod error;
mod files;
mod import;
mod ledger;
mod request;

pub use authority::{AUTHORITY_DAYS, Authority, remove_key};
pub use error::IssueError;
pub use import::{import_key, import_trust, namesakes};
pub use ledger::Issued;
pub use request::{CERTIFICATE_DAYS, ISSUED_MAX, Purpose, Request};
