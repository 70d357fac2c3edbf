//! Quotas of queues that no message of the longest length that MAXMSGL allows ever fits.

use objects::Proposal;
use serde_json::Value;
use terminal::failure::Result;

use super::finding::{Finding, Patient};
use super::mending::{by_command, text};
use super::rules::Asked;

/// Bytes that a message counts besides its body.
const BESIDE_BODY_BYTES: u64 = 512;

impl Asked<'_> {
    /// The findings about quotas.
    pub(super) fn quotas(&mut self) -> Result<Vec<Finding>> {
        let patient = self.patient;
        let rows = self.rows("DISPLAY QLOCAL(*) WHERE(QUOTA GT 0) MAXMSGL QUOTA")?;
        Ok(rows.iter().filter_map(|row| finding(patient, row)).collect())
    }
}

fn finding(patient: &Patient<'_>, row: &Value) -> Option<Finding> {
    let number = |keyword: &str| row[keyword].as_u64();
    let (quota, longest) = (number("quota")?, number("maxmsgl")?);
    let fits = (quota * 1024).saturating_sub(BESIDE_BODY_BYTES);
    if longest <= fits {
        return None;
    }
    let queue = text(row, "queue");
    let value = format!("queue {queue} with QUOTA({quota}) and MAXMSGL({longest})");
    let why = "a longer message is refused with 2056 however empty the queue is, as if it were full";
    let mend = Proposal::new("ALTER").text("QLOCAL", queue).words("MAXMSGL", &fits.to_string()).command();
    Some(by_command(patient, "quota.message", value, why, mend))
}
