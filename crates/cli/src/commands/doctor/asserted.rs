//! Rules of channels by which a program acts as a user that nothing proves.
//!
//! Lives elsewhere: rules that give a user by an address or a name, and the trusted loopback (`rules`).

use objects::quoted;
use serde_json::Value;

use super::finding::Finding;
use super::mending::{by_command, set, text};
use super::rules::Asked;
use terminal::failure::Result;

impl Asked<'_> {
    /// Each rule with USERSRC(CHANNEL) that asks for no password: its programs act as any user that they
    /// name.
    pub(super) fn asserted(&mut self) -> Result<Vec<Finding>> {
        if self.provider()?.is_some_and(|provider| provider.asks_everybody()) {
            return Ok(Vec::new());
        }
        let rules = self.asserting()?;
        let asks_nothing = |rule: &&Value| ["", "ASQMGR"].contains(&text(rule, "chckclnt"));
        let finding = |rule: &Value| {
            let partner =
                ["address", "clntuser", "sslpeer"].into_iter().map(|keyword| text(rule, keyword).trim());
            let partner = partner.filter(|partner| !partner.is_empty()).collect::<Vec<_>>().join(" ");
            let (profile, kind) = (quoted(text(rule, "chlauth")), text(rule, "type"));
            by_command(
                self.patient,
                "chlauth.asserted",
                format!(
                    "CHLAUTH({profile}) TYPE({kind}) of {partner} has USERSRC(CHANNEL) and asks for no password"
                ),
                "a program there acts as any user that it names, where its channel has no MCAUSER",
                set(rule, &[("CHCKCLNT", "REQUIRED")], "REPLACE"),
            )
        };
        Ok(rules.iter().filter(asks_nothing).map(finding).collect())
    }

    /// The rules by which a program acts as the user that it names, unless a password stands over that.
    pub(super) fn asserting(&mut self) -> Result<Vec<Value>> {
        let mut rules = self.rows("DISPLAY CHLAUTH('*') MATCH(ALL) ALL")?;
        rules.retain(|rule| text(rule, "usersrc") == "CHANNEL" && text(rule, "type") != "QMGRMAP");
        Ok(rules)
    }
}
