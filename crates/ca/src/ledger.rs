//! The list of certificates that an authority issued: a line each, of fields between tabs.
//!
//! ```text
//! serial  label  purpose  not_after  revoked_at  organization  unit  hosts
//! ```
//!
//! Hosts are separated by semicolons; a field without a value is `-`.

use std::path::Path;

use crate::error::IssueError;
use crate::files;
use crate::request::{CERTIFICATE_DAYS, Purpose, Request};
use tls::Certificate;

/// A certificate that was issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// The serial number.
    pub serial: Vec<u8>,
    /// The label.
    pub label: String,
    /// The use.
    pub purpose: Purpose,
    /// The last second in which it holds, since 1970.
    pub not_after: i64,
    /// The second in which it was revoked, since 1970, if it was.
    pub revoked_at: Option<u64>,
    /// The organization in its subject.
    pub organization: Option<String>,
    /// The unit of the organization in its subject.
    pub unit: Option<String>,
    /// Host names and addresses that it is for.
    pub hosts: Vec<String>,
}

impl Issued {
    pub(crate) fn new(request: &Request, certificate: &Certificate) -> Self {
        Self {
            serial: certificate.serial.clone(),
            label: request.label.clone(),
            purpose: request.purpose,
            not_after: certificate.not_after,
            revoked_at: None,
            organization: request.organization.as_deref().map(plain),
            unit: request.unit.as_deref().map(plain),
            hosts: request.hosts.iter().map(|host| plain(host)).collect(),
        }
    }

    /// The request that would issue it again.
    pub(crate) fn request(&self) -> Request {
        Request {
            label: self.label.clone(),
            unit: self.unit.clone(),
            organization: self.organization.clone(),
            hosts: self.hosts.clone(),
            purpose: self.purpose,
            days: CERTIFICATE_DAYS,
        }
    }

    fn line(&self) -> String {
        let serial: String = self.serial.iter().map(|byte| format!("{byte:02X}")).collect();
        let purpose = match self.purpose {
            Purpose::QueueManager => "queue-manager",
            Purpose::Program => "program",
        };
        let or_none = |text: String| if text.is_empty() { NONE.to_owned() } else { text };
        [
            serial,
            self.label.clone(),
            purpose.to_owned(),
            self.not_after.to_string(),
            or_none(self.revoked_at.map(|at| at.to_string()).unwrap_or_default()),
            or_none(self.organization.clone().unwrap_or_default()),
            or_none(self.unit.clone().unwrap_or_default()),
            or_none(self.hosts.join(";")),
        ]
        .join("\t")
    }

    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[serial, label, purpose, not_after, revoked_at, organization, unit, hosts] = &fields[..] else {
            return None;
        };
        let some = |text: &str| (text != NONE).then(|| text.to_owned());
        let list =
            |text: &str| some(text).map_or(Vec::new(), |all| all.split(';').map(str::to_owned).collect());
        Some(Self {
            serial: hexadecimal(serial)?,
            label: label.to_owned(),
            purpose: match purpose {
                "queue-manager" => Purpose::QueueManager,
                "program" => Purpose::Program,
                _ => return None,
            },
            not_after: not_after.parse().ok()?,
            revoked_at: match revoked_at {
                NONE => None,
                at => Some(at.parse().ok()?),
            },
            organization: some(organization),
            unit: some(unit),
            hosts: list(hosts),
        })
    }
}

const NONE: &str = "-";

/// A text without the characters that separate fields.
fn plain(text: &str) -> String {
    text.chars()
        .map(|character| if matches!(character, '\t' | '\n' | '\r' | ';') { ' ' } else { character })
        .collect()
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

pub(crate) fn read(path: &Path) -> Result<Vec<Issued>, IssueError> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = files::read(path)?;
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| {
            Issued::read(line).ok_or_else(|| IssueError::Ledger { path: path.to_owned(), line: index + 1 })
        })
        .collect()
}

pub(crate) fn write(path: &Path, issued: &[Issued]) -> Result<(), IssueError> {
    let text: String = issued.iter().flat_map(|one| [one.line(), "\n".to_owned()]).collect();
    files::write(path, text.as_bytes())
}
