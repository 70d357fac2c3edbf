//! Rules of channels that let queue managers in by the name that they only say.
//!
//! Lives elsewhere: rules by which a program acts as a user that nothing proves (`asserted`).

use objects::quoted;
use security::wildcard::Wildcard;
use serde_json::Value;
use terminal::next_step;
use terminal::next_step::NextStep;

use super::finding::{Finding, Patient, word};
use super::mending::{asking_for_certificates, asks_for_certificates, by_command, set, text};

/// The rules and channels of a queue manager that judges requests.
pub(super) struct Proofs<'a> {
    pub(super) patient: &'a Patient<'a>,
    pub(super) channels: &'a [Value],
    pub(super) has_keys: bool,
}

impl Proofs<'_> {
    /// Looks at a rule that lets partners in.
    pub(super) fn look(&self, rule: &Value) -> Option<Finding> {
        let (kind, source) = (text(rule, "type"), text(rule, "usersrc"));
        let shown = format!("SET CHLAUTH({}) TYPE({kind})", quoted(text(rule, "chlauth")));
        let channels = self.channels_of(rule);
        let are_covered =
            !channels.is_empty() && channels.iter().all(|channel| asks_for_certificates(channel));
        if source == "NOACCESS" || are_covered {
            return None;
        }
        (kind == "QMGRMAP").then(|| self.of_partner(rule, &shown, &channels))
    }

    /// A rule for partners that say their names: a certificate that their channel asks for would prove them.
    fn of_partner(&self, rule: &Value, shown: &str, channels: &[&Value]) -> Finding {
        let value = format!("{shown} QMNAME({}) asks for no certificate", quoted(text(rule, "qmname")));
        let why = "a partner says its name, and nothing proves it";
        let bare: Vec<&&Value> = channels.iter().filter(|channel| !asks_for_certificates(channel)).collect();
        if bare.is_empty() {
            return by_command(self.patient, "chlauth.partner", value, why, set(rule, &[], "REMOVE"));
        }
        let qm = word(&self.patient.name);
        let commands: Vec<String> = bare
            .iter()
            .map(|channel| {
                asking_for_certificates(&quoted(text(channel, "channel")), text(channel, "chltype"))
            })
            .collect();
        let init = if self.has_keys { NextStep::of("") } else { next_step!("ferry tls init {qm} && ") };
        let lines: Vec<String> = commands.iter().map(|command| format!("-e {}", word(command))).collect();
        Finding {
            name: "chlauth.partner",
            value,
            wanted: commands.join("; "),
            why,
            mend: init
                .and("", &next_step!("ferry mqsc {qm} {}", lines.join(" ")))
                .at(&self.patient.common.typed),
        }
    }

    /// The channels that partners come by, of those that a rule is for.
    fn channels_of(&self, rule: &Value) -> Vec<&Value> {
        let Some(profile) = Wildcard::new(text(rule, "chlauth")) else { return Vec::new() };
        let wanted: &[&str] = match text(rule, "type") {
            "QMGRMAP" => &["RCVR", "RQSTR", "SVR", "SDR"],
            _ => &["SVRCONN", "AMQP"],
        };
        let is_meant = |channel: &&Value| {
            let name = text(channel, "channel");
            wanted.contains(&text(channel, "chltype"))
                && profile.matches(name)
                && (!name.starts_with("SYSTEM.") || text(rule, "chlauth").starts_with("SYSTEM."))
        };
        self.channels.iter().filter(is_meant).collect()
    }
}
