//! A certificate to be issued.

/// Days for which a certificate holds unless said otherwise.
pub const CERTIFICATE_DAYS: u32 = 365;

/// Most certificates of an authority: some seconds' work to read, and far beyond the use of one folder.
pub const ISSUED_MAX: usize = 100_000;

/// The use of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// For a queue manager, which is a server to programs and a client to its partners.
    QueueManager,
    /// For a program.
    Program,
}

/// A certificate to be issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The label of its key, which is also the common name of its subject.
    pub label: String,
    /// The unit of the organization in its subject.
    pub unit: Option<String>,
    /// The organization in its subject.
    pub organization: Option<String>,
    /// Host names and addresses that it is for.
    pub hosts: Vec<String>,
    /// The use.
    pub purpose: Purpose,
    /// The days for which it holds.
    pub days: u32,
}
