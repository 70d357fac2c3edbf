//! Message channels that a person has to look at: those that a fault stopped, that are in doubt without a
//! connection, or that retry while messages wait.
//!
//! Always: a channel that a command stopped is well.

use serde_json::Value;
use terminal::failure::Result;
use terminal::next_step;

use super::super::channel::field;
use super::finding::{Finding, Patient, word};
use super::rules::Asked;

/// The states of a channel that has a connection.
const CONNECTED: [&str; 3] = ["RUNNING", "PAUSED", "STOPPING"];

impl Asked<'_> {
    /// The findings about message channels.
    pub(super) fn partners(&mut self) -> Result<Vec<Finding>> {
        let rows = self.rows("DISPLAY CHSTATUS(*) ALL")?;
        Ok(rows.iter().filter_map(|row| finding(self.patient, row)).collect())
    }
}

/// The finding about a channel, by its gravest trouble.
fn finding(patient: &Patient<'_>, row: &Value) -> Option<Finding> {
    let [channel, status, fault] = ["channel", "status", "lasterr"].map(|name| field(row, name));
    let [waiting, in_doubt] = ["xqmsgsa", "curmsgs"].map(|name| field(row, name));
    let is_in_doubt = field(row, "indoubt") == "YES" && !CONNECTED.contains(&status.as_str());
    let (name, value, why) = if status == "STOPPED" && !fault.is_empty() && field(row, "stopreq") == "NO" {
        let value = format!("{channel} is stopped: {fault}");
        (
            "channel.stopped",
            value,
            "a fault stopped it, and no try mends that: messages wait until a person does",
        )
    } else if is_in_doubt {
        let value = format!("{channel} is {status}, messages in doubt: {in_doubt}");
        (
            "channel.in-doubt",
            value,
            "they are sent and not confirmed: they stay locked until the ends meet again",
        )
    } else if status == "RETRYING" && waiting != "0" {
        let value = format!("{channel} retries, messages waiting: {waiting}, last fault: {fault}");
        ("channel.retrying", value, "its partner is not reached, and messages for it wait")
    } else {
        return None;
    };
    let mend = next_step!("ferry channel show {} -m {}", word(&channel), word(&patient.name))
        .at(&patient.common.typed);
    Some(Finding { name, value, wanted: "a channel that runs, or is idle".to_owned(), why, mend })
}
