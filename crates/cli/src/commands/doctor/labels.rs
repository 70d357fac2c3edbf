//! CERTLABL that names no key of the queue manager.
//!
//! Lives elsewhere: the warning at the definition (`queue-manager`), keys and files that are wrong (`files`).

use objects::quoted;
use serde_json::Value;
use tls::KeyStore;

use super::finding::{Finding, word};
use super::mending::{by_command, text};
use super::rules::Asked;
use terminal::failure::Result;
use terminal::next_step;

impl Asked<'_> {
    /// Each channel, and the queue manager, whose key is not there. The keys of clients are on their own
    /// machines.
    pub(super) fn labels(&mut self) -> Result<Vec<Finding>> {
        // A store that does not read is a finding of its own.
        let Ok(store) = KeyStore::read(&self.patient.instance.folder.security()) else {
            return Ok(Vec::new());
        };
        let mut named = self.rows("DISPLAY QMGR CERTLABL")?;
        named.extend(self.rows("DISPLAY CHANNEL(*) ALL")?);
        let is_keyless = |row: &&Value| {
            let label = text(row, "certlabl").trim();
            !label.is_empty() && text(row, "chltype") != "CLNTCONN" && !store.keys.contains_key(label)
        };
        Ok(named.iter().filter(is_keyless).map(|row| self.keyless(row, store.keys.is_empty())).collect())
    }

    /// The finding: without the label the key is that of the queue manager, which is made where it has none.
    fn keyless(&self, row: &Value, has_no_key: bool) -> Finding {
        let (name, kind) = (text(row, "channel"), text(row, "chltype"));
        let (of, command) = match name {
            "" => ("the queue manager".to_owned(), "ALTER QMGR CERTLABL(' ')".to_owned()),
            _ => {
                let command = format!("ALTER CHANNEL({}) CHLTYPE({kind}) CERTLABL(' ')", quoted(name));
                (format!("channel {name}"), command)
            }
        };
        let value = format!("CERTLABL({}) of {of} names no key", quoted(text(row, "certlabl").trim()));
        let why = "no connection is encrypted with it, so that none is let in";
        let finding = by_command(self.patient, "keys.label", value, why, command);
        let init = if has_no_key {
            next_step!("ferry tls init {} && ", word(&self.patient.name)).at(&self.patient.common.typed)
        } else {
            String::new()
        };
        Finding { mend: init + &finding.mend, ..finding }
    }
}
