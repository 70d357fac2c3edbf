//! TLS for channels: from files of keys to connections under a cover.
//!
//! Lives here: PEM (`pem`), certificates (`certificate`, `der`) and stores of them (`store`); suites by the
//! names that SSLCIPH takes (`suites`); lists of revoked certificates (`revocation`); proof of a partner's
//! certificate (`verify`), and a refusal in words (`words`); sessions as bytes in and bytes out (`session`),
//! for queue managers (`server`) and programs (`client`); dates that come near (`expiry`); the
//! file that leads a program to a queue manager (`bundle`).
//!
//! Lives elsewhere: sockets and deadlines (`transport`); patterns of names, and the table of suites
//! (`security`); when files are read again (`server`); a certificate authority (`ca`).
//!
//! Always: the time of day is handed in; a store that does not read whole changes nothing; a key never leaves
//! its file but into a session.

pub mod bundle;
pub mod certificate;
pub mod client;
mod clock;
mod der;
pub mod expiry;
mod issuer;
pub mod pem;
pub mod revocation;
pub mod server;
mod session;
pub mod store;
mod suites;
mod verify;
mod words;

pub use certificate::Certificate;
pub use client::{ClientContext, ClientSession, Refused};
pub use clock::Clock;
pub use issuer::IssuerName;
pub use security::cover::PeerCheck;
pub use server::{ChannelTls, ServerContexts};
pub use store::{KeyStore, StoreError};
pub use suites::SuiteError;
pub use verify::is_issued_by;
