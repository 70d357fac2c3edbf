//! The parts of changes that no command takes back.
//!
//! Lives here: naming these parts, and the order that makes a refusal after them unlikely.
//! Lives elsewhere: taking back the rest (`configuration`), keeping secrets (the host of the engine).
//!
//! Always: changes without such a part are all taken back, passwords included.

use super::{Configuration, key_of};
use crate::mqsc::{Command, Setting};
use crate::secrets::{self, SIGN};
use crate::value::Value;

impl Configuration {
    /// The parts of this configuration that are lost for good once some changes of it are made, such as
    /// `PASSWORD of CHANNEL A`.
    pub fn lost_by(&self, changes: &[Command]) -> Vec<String> {
        let mut lost: Vec<String> = changes.iter().flat_map(|command| self.lost_by_one(command)).collect();
        lost.sort_unstable();
        lost.dedup();
        lost
    }

    pub(super) fn loses(&self, command: &Command) -> bool {
        !self.lost_by_one(command).is_empty()
    }

    fn lost_by_one(&self, command: &Command) -> Vec<String> {
        let Some(present) = key_of(command).and_then(|key| self.find(&key)) else { return Vec::new() };
        let takes_all = match command {
            Command::Define(define) => define.replaces(),
            command => matches!(command, Command::Delete(_)),
        };
        let purges = matches!(command, Command::Delete(delete) if delete.purge);
        let object = format!("{} {}", present.object_type().keyword(), present.shown_name());
        let object = object.trim_end();
        let passwords = secrets::of(present.object_type())
            .filter(|row| present.stored(row) == Value::from(SIGN))
            .filter(|row| takes_all || secrets_of(command).any(|given| given.attribute == *row))
            .map(|row| format!("{} of {object}", row.keyword));
        purges.then(|| format!("messages of {object}")).into_iter().chain(passwords).collect()
    }

    /// The configuration to go back to after some changes: with a blank for each secret that they gave where
    /// none was, and forced where they were.
    pub(super) fn to_undo(&self, changes: &[Command]) -> Self {
        let mut before = self.clone();
        for command in changes {
            let Some(key) = key_of(command) else { continue };
            if matches!(command, Command::Alter(alter) if alter.force) {
                before.forced.insert(key.clone());
            }
            let Some(present) = self.find(&key) else { continue };
            let is_new = |given: &&Setting| present.stored(given.attribute) != Value::from(SIGN);
            let blank = |given: &Setting| Setting { value: Value::from(""), ..given.clone() };
            before.secrets.entry(key).or_default().extend(secrets_of(command).filter(is_new).map(blank));
        }
        before
    }
}

/// The secrets that a command gives or takes away.
fn secrets_of(command: &Command) -> impl Iterator<Item = &Setting> {
    command.settings().iter().filter(|setting| setting.secret().is_some())
}
