//! The definition that CONNAUTH names: the provider that passwords are checked with.
//!
//! Lives elsewhere: rules of channels that ask for passwords, or do not (`asserted`, `rules`).

use objects::quoted;
use serde_json::Value;

use super::finding::Finding;
use super::mending::{by_command, text};
use super::rules::Asked;
use terminal::failure::Result;

/// The command that has passwords checked, where CONNAUTH is blank.
pub(super) const CHECKING: &str = "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)";

/// The definition that CONNAUTH names.
pub(super) struct Provider {
    name: String,
    /// Its rows; none where there is no such definition.
    pub(super) rows: Vec<Value>,
}

impl Provider {
    /// The command that gives a row of it another value.
    pub(super) fn altered(&self, row: &Value, change: &str) -> String {
        format!("ALTER AUTHINFO({}) AUTHTYPE({}) {change}", quoted(&self.name), text(row, "authtype"))
    }

    /// Tells if every program must give a password and acts as the user of that.
    pub(super) fn asks_everybody(&self) -> bool {
        self.rows.iter().any(|row| text(row, "chckclnt") == "REQUIRED" && text(row, "adoptctx") == "YES")
    }
}

impl Asked<'_> {
    /// The provider; none where CONNAUTH is blank.
    pub(super) fn provider(&mut self) -> Result<Option<Provider>> {
        let answer = self.answer("DISPLAY QMGR CONNAUTH")?;
        let name = text(&answer["objects"][0], "connauth").trim().to_owned();
        if name.is_empty() {
            return Ok(None);
        }
        let rows = self.rows(&format!("DISPLAY AUTHINFO({}) ALL", quoted(&name)))?;
        Ok(Some(Provider { name, rows }))
    }

    /// Passwords that are not looked at, or that do not decide the user that a program acts as.
    pub(super) fn passwords(&mut self) -> Result<Vec<Finding>> {
        let patient = self.patient;
        let Some(provider) = self.provider()? else {
            let (value, why) = ("CONNAUTH is blank".to_owned(), "passwords are not looked at");
            return Ok(vec![by_command(patient, "connauth.blank", value, why, CHECKING.to_owned())]);
        };
        let asserting = self.asserting()?.len();
        let mut findings = Vec::new();
        for row in &provider.rows {
            let name = &provider.name;
            if text(row, "chckclnt") == "NONE" {
                findings.push(by_command(
                    patient,
                    "connauth.none",
                    format!("CHCKCLNT(NONE) of {name}"),
                    "a wrong password is let in like a right one",
                    provider.altered(row, "CHCKCLNT(OPTIONAL)"),
                ));
            }
            if text(row, "adoptctx") == "NO" && asserting > 0 {
                findings.push(by_command(
                    patient,
                    "connauth.adopt",
                    format!("ADOPTCTX(NO) of {name} beside {asserting} channel rules with USERSRC(CHANNEL)"),
                    "a program proves one user by its password and acts as another, whose name it only says",
                    provider.altered(row, "ADOPTCTX(YES)"),
                ));
            }
        }
        Ok(findings)
    }
}
