//! Branches of transactions that have waited long for the decision of their coordinators.

use std::cmp::Reverse;

use serde_json::Value;
use terminal::failure::Result;
use terminal::next_step;
use terminal::units;

use super::super::channel::field;
use super::super::uow::seconds_since;
use super::finding::{Finding, Patient, word};
use super::rules::Asked;

/// Seconds after which a branch is told of, as the check of health does.
const SECONDS: u64 = server::IN_DOUBT_LONG.as_secs();

impl Asked<'_> {
    /// The finding about branches that wait for a decision.
    pub(super) fn in_doubt(&mut self) -> Result<Option<Finding>> {
        let rows = self.rows("DISPLAY CONN(0000000000000000) WHERE(UOWSTATE EQ PREPARED) ALL")?;
        Ok(finding(self.patient, &rows))
    }
}

/// The finding about branches, by the oldest.
fn finding(patient: &Patient<'_>, rows: &[Value]) -> Option<Finding> {
    let now = i64::try_from(patient.now).ok()?;
    let waits = |row: &Value| seconds_since(&field(row, "uowstda"), &field(row, "uowstti"), now);
    let of_branches = rows.iter().filter(|row| field(row, "urtype") == "XA");
    let long: Vec<_> = of_branches
        .filter_map(|row| Some((waits(row)?, row)))
        .filter(|(seconds, _)| *seconds >= SECONDS)
        .collect();
    // The first of those of one age, in the order of `ferry uow list`.
    let (seconds, oldest) = long.iter().min_by_key(|(seconds, _)| Reverse(*seconds))?;
    let [number, user] = ["qmurid", "userid"].map(|name| field(oldest, name));
    let age = units::age(*seconds);
    let mend = next_step!("ferry uow show {number} -m {}", word(&patient.name)).at(&patient.common.typed);
    Some(Finding {
        name: "unit.in-doubt",
        value: format!(
            "branches without a decision: {}, the oldest {number} of {user} for {age}",
            long.len()
        ),
        wanted: "a decision of the transaction manager".to_owned(),
        why: "messages that it put stay hidden, and messages that it got stay locked, until it is decided",
        mend,
    })
}
