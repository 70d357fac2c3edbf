//! Secrets that commands bring.

use std::borrow::Cow;

use crate::mqsc::{Alter, Command, Define, Setting};
use crate::secrets::SIGN;
use crate::value::Value;

impl Setting {
    /// The secret that the setting brings, blank to forget the one there is; none for other settings.
    pub fn secret(&self) -> Option<&str> {
        self.value.as_text().filter(|text| self.attribute.is_secret && *text != SIGN)
    }

    /// The value as a definition keeps it.
    fn masked(&self) -> Self {
        let is_kept = self.secret().is_some_and(|secret| !secret.is_empty());
        let value = if is_kept { Value::from(SIGN) } else { self.value.clone() };
        Self { attribute: self.attribute, value }
    }
}

impl Command {
    /// The settings of a command that has some.
    pub fn settings(&self) -> &[Setting] {
        match self {
            Self::Define(define) => &define.settings,
            Self::Alter(alter) => &alter.settings,
            Self::SetChannelRule(set) => &set.settings,
            _ => &[],
        }
    }

    /// Returns true if the command brings a secret.
    pub fn brings_secret(&self) -> bool {
        self.settings().iter().any(|setting| setting.secret().is_some_and(|secret| !secret.is_empty()))
    }

    /// The command with the sign in the place of each secret, to be shown or recorded.
    pub fn without_secrets(&self) -> Cow<'_, Self> {
        if !self.brings_secret() {
            return Cow::Borrowed(self);
        }
        let masked = |settings: &[Setting]| settings.iter().map(Setting::masked).collect();
        Cow::Owned(match self {
            Self::Define(define) => {
                Self::Define(Define { settings: masked(&define.settings), ..define.clone() })
            }
            Self::Alter(alter) => Self::Alter(Alter { settings: masked(&alter.settings), ..alter.clone() }),
            other => other.clone(),
        })
    }
}
