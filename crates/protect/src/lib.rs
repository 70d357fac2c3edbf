//! Messages that only their readers can read, and that prove their writers: CMS by policy.
//!
//! Lives here: a policy (`policy`), the keys and certificates of a program (`keys`), the two directions
//! ([`protect()`], [`open()`]); signatures (`signed`), encryption (`enveloped`), the proof of a signer's
//! certificate (`proof`), the structures of RFC 5652 and RFC 5083 (`structure`) and the bounds that bytes
//! keep before they are taken apart (`bounds`).
//! Lives elsewhere: files of keys and trust (`tls`), patterns of names (`security`), when a message is
//! protected. No command and no program uses this crate yet: `SET POLICY` is still refused (FRY8404E).
//!
//! ```text
//! ContentInfo authEnvelopedData         AES-256-GCM, its key by ECDH P-256 or RSA-OAEP for each recipient
//!   RecipientInfo ...
//!   content, type data:
//!     ContentInfo signedData            ECDSA P-256 or RSA-PSS, SHA-256, SHA-384 or SHA-512
//!       content, type data: the body
//!       the signer's certificate, and its chain
//!       one SignerInfo
//! ```
//!
//! A policy with a signature alone has the inner half, one with encryption alone has the body as content.
//!
//! Always: pure; the time is handed in. What is opened is the whole body as it was protected, or nothing.
//! Every byte counts but those for other recipients: a part that nothing needs is refused, so that a change
//! anywhere is one. No algorithm is taken because a message names it.

mod bounds;
mod enveloped;
mod error;
mod keys;
mod open;
mod policy;
mod proof;
mod protect;
mod signed;
mod structure;
#[cfg(test)]
mod tests;

pub use bounds::{CERTIFICATE_BYTES_MAX, CERTIFICATES_MAX, DEPTH_MAX, PROTECTED_BYTES_MAX, RECIPIENTS_MAX};
pub use error::{OpenError, ProtectError};
pub use keys::{Identity, KeyError, Recipients, Trust};
pub use open::{Opened, Signer, open};
pub use policy::{Digest, Encryption, Policy, PolicyError, Unprotected};
pub use protect::protect;
