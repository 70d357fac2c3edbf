//! The checks that a program can judge: the definition that each wants, and the commands that make it so.

use serde_json::Value;

use super::super::conn_auth::CHECKING;
use super::super::mending::{asking_for_certificates, asks_for_certificates, text};
use super::super::rules::Asked;
use objects::quoted;
use terminal::failure::Result;

/// The value of MAXINST and MAXINSTC that limits nothing.
const UNLIMITED: i64 = 999_999_999;

/// The limits of channels, with the words that set them.
const LIMITS: [(&str, &str); 2] = [("maxinst", "MAXINST(5000)"), ("maxinstc", "MAXINSTC(1000)")];

/// The queue that has the events of queues.
const EVENT_QUEUE: &str = "SYSTEM.ADMIN.PERFM.EVENT";

/// A comparison with the definitions of a running queue manager.
#[derive(Clone, Copy, Debug)]
pub(super) enum Judge {
    /// These events of the queue manager are on.
    Events(&'static [&'static str]),
    /// The queue of performance events says when it fills, at this percentage where one is named.
    EventQueue { high: Option<i64> },
    /// Each channel of programs limits its connections.
    Instances,
    /// Each channel that takes programs or partners wants a certificate.
    Certificates,
    /// CONNAUTH names a provider, and a directory is one that is reached by TLS.
    Directory,
}

impl Judge {
    /// The command that meets the check, as the reference shows it.
    #[cfg(test)]
    pub(super) fn command(self) -> String {
        match self {
            Self::Events(events) => on(events),
            Self::EventQueue { high } => event_queue(high),
            Self::Instances => "ALTER CHANNEL(NAME) CHLTYPE(SVRCONN) MAXINST(N) MAXINSTC(N)".to_owned(),
            Self::Certificates => asking_for_certificates("NAME", "TYPE"),
            Self::Directory => "ALTER AUTHINFO(NAME) AUTHTYPE(IDPWLDAP) SECCOMM(YES)".to_owned(),
        }
    }

    /// The commands that are missing; none where the check is met.
    pub(super) fn missing(self, asked: &mut Asked<'_>) -> Result<Vec<String>> {
        match self {
            Self::Events(events) => {
                let manager = asked.answer("DISPLAY QMGR ALL")?;
                let manager = &manager["objects"][0];
                let off: Vec<&str> = events
                    .iter()
                    .copied()
                    .filter(|event| text(manager, &event.to_ascii_lowercase()) == "DISABLED")
                    .collect();
                Ok(if off.is_empty() { Vec::new() } else { vec![on(&off)] })
            }
            Self::EventQueue { high } => {
                let manager = asked.answer("DISPLAY QMGR PERFMEV")?;
                let queues = asked.rows(&format!("DISPLAY QLOCAL({EVENT_QUEUE}) QDPHIEV QDEPTHHI"))?;
                let queue = queues.first().cloned().unwrap_or_default();
                let mut missing = Vec::new();
                if text(&manager["objects"][0], "perfmev") != "ENABLED" {
                    missing.push(on(&["PERFMEV"]));
                }
                let stands = high.is_none_or(|high| number(&queue, "qdepthhi") == Some(high));
                if text(&queue, "qdphiev") != "ENABLED" || !stands {
                    missing.push(event_queue(high));
                }
                Ok(missing)
            }
            Self::Instances => {
                let unlimited = |channel: &Value| -> Vec<&str> {
                    let is_unlimited = |(limit, _): &&(&str, _)| number(channel, limit) == Some(UNLIMITED);
                    LIMITS.iter().filter(is_unlimited).map(|(_, words)| *words).collect()
                };
                let limits = |channel: &Value| !unlimited(channel).is_empty();
                of_channels(asked, limits, |name, channel| {
                    let kind = text(channel, "chltype");
                    format!("ALTER CHANNEL({name}) CHLTYPE({kind}) {}", unlimited(channel).join(" "))
                })
            }
            Self::Certificates => {
                let is_open =
                    |channel: &Value| !channel["sslcauth"].is_null() && !asks_for_certificates(channel);
                of_channels(asked, is_open, |name, channel| {
                    asking_for_certificates(name, text(channel, "chltype"))
                })
            }
            Self::Directory => {
                let Some(provider) = asked.provider()? else { return Ok(vec![CHECKING.to_owned()]) };
                let in_the_clear =
                    |row: &&Value| text(row, "authtype") == "IDPWLDAP" && text(row, "seccomm") != "YES";
                let alter = |row: &Value| provider.altered(row, "SECCOMM(YES)");
                Ok(provider.rows.iter().filter(in_the_clear).map(alter).collect())
            }
        }
    }
}

fn number(row: &Value, keyword: &str) -> Option<i64> {
    row[keyword].as_i64().or_else(|| text(row, keyword).parse().ok())
}

fn on(events: &[&str]) -> String {
    let words: Vec<String> = events.iter().map(|event| format!("{event}(ENABLED)")).collect();
    format!("ALTER QMGR {}", words.join(" "))
}

fn event_queue(high: Option<i64>) -> String {
    let high = high.map(|high| format!(" QDEPTHHI({high})")).unwrap_or_default();
    format!("ALTER QLOCAL({EVENT_QUEUE}) QDPHIEV(ENABLED){high}")
}

/// A command for each channel that this says.
fn of_channels(
    asked: &mut Asked<'_>,
    wants: impl Fn(&Value) -> bool,
    command: impl Fn(&str, &Value) -> String,
) -> Result<Vec<String>> {
    let rows = asked.rows("DISPLAY CHANNEL(*) ALL")?;
    let meant = rows.iter().filter(|row| wants(row));
    Ok(meant.map(|row| command(&quoted(text(row, "channel")), row)).collect())
}
