//! The commands of MQSC that mend findings, built of the values that a display tells.

use objects::Proposal;
use serde_json::Value;
use terminal::next_step;

use super::finding::{Finding, Patient, word};

/// A finding that one command of MQSC mends.
pub(super) fn by_command(
    patient: &Patient<'_>,
    name: &'static str,
    value: String,
    why: &'static str,
    mqsc: impl Into<Option<String>>,
) -> Finding {
    let mqsc = mqsc.into();
    let wanted = mqsc.clone().unwrap_or_else(|| "values without control characters".to_owned());
    let mqsc = mqsc.unwrap_or_else(|| LOOK_AT_RULES.to_owned());
    Finding {
        name,
        value,
        wanted,
        why,
        mend: next_step!("ferry mqsc {} -e {}", word(&patient.name), word(&mqsc)).at(&patient.common.typed),
    }
}

/// Says if a channel asks each partner for a certificate: an SSLPEER does, too.
pub(super) fn asks_for_certificates(channel: &Value) -> bool {
    let says = |keyword| !text(channel, keyword).trim().is_empty();
    says("sslciph") && (says("sslpeer") || text(channel, "sslcauth") == "REQUIRED")
}

/// The command that has a channel ask for certificates, by its name as a command has it.
pub(super) fn asking_for_certificates(name: &str, kind: &str) -> String {
    format!("ALTER CHANNEL({name}) CHLTYPE({kind}) SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(REQUIRED)")
}

/// The command that shows every rule, for one that no command can be proposed for.
const LOOK_AT_RULES: &str = "DISPLAY CHLAUTH('*') MATCH(ALL) ALL";

/// The text of an attribute of an answer.
pub(super) fn text<'a>(row: &'a Value, keyword: &str) -> &'a str {
    row[keyword].as_str().unwrap_or_default()
}

/// Says if a switch of an answer is on.
pub(super) fn is_yes(row: &Value, keyword: &str) -> bool {
    row[keyword].as_bool().unwrap_or_else(|| text(row, keyword) == "YES")
}

/// The command that sets a rule again with other values, or removes it; none where it has a value that no
/// command can say.
pub(super) fn set(rule: &Value, changes: &[(&str, &str)], action: &'static str) -> Option<String> {
    let kind = text(rule, "type");
    let is_map = !["BLOCKUSER", "BLOCKADDR"].contains(&kind);
    let changed = |keyword: &str| changes.iter().find(|(own, _)| *own == keyword).map(|(_, value)| *value);
    let said = |keyword: &str| changed(keyword).unwrap_or_else(|| text(rule, &keyword.to_ascii_lowercase()));
    let mut command = Proposal::new("SET").text("CHLAUTH", text(rule, "chlauth")).words("TYPE", kind);
    for keyword in ["ADDRESS", "CLNTUSER", "QMNAME", "SSLPEER", "SSLCERTI"] {
        command = match said(keyword).trim_end() {
            "" => command,
            value => command.text(keyword, value),
        };
    }
    for keyword in ["ADDRLIST", "USERLIST"] {
        let entries = rule[keyword.to_ascii_lowercase()].as_array().into_iter().flatten();
        let mut entries = entries.filter_map(Value::as_str).peekable();
        if entries.peek().is_some() {
            command = command.texts(keyword, entries);
        }
    }
    if action != "REMOVE" {
        let source = text(rule, "usersrc");
        if is_map {
            command = command.words("USERSRC", source);
            if source == "MAP" {
                command = command.user("MCAUSER", said("MCAUSER").trim_end());
            }
            if source != "NOACCESS" && kind != "QMGRMAP" {
                command = command.words("CHCKCLNT", said("CHCKCLNT"));
            }
        }
        if !said("DESCR").trim_end().is_empty() {
            command = command.text("DESCR", said("DESCR").trim_end());
        }
        let warns = if is_yes(rule, "warn") { "YES" } else { "NO" };
        command = command.words("WARN", changed("WARN").unwrap_or(warns));
    }
    command.words("ACTION", action).command()
}
