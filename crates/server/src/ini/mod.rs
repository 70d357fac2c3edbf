//! The `qm.ini` of other queue managers as settings of ours.
//!
//! Lives here: the text as stanzas and keys (`reading`), the keys that are known and their meaning (`table`),
//! a file as changes of `ferry.toml` ([`Translation`]), names of the environment that settings come from
//! ([`environment`]).
//! Lives elsewhere: the settings and their bounds (`configuration`), the commands that read such a file
//! (`cli`).
//!
//! ```text
//! # a comment; so is a line that begins with a semicolon
//! Log:                       a stanza, named before its colon; names of stanzas and keys may be in any case
//!    LogFilePages=16384      a key and its value
//! ```
//!
//! Always: every key is known; one that has a counterpart becomes its setting within the bounds of that, any
//! other is listed once with the reason why it has no effect. A file that is wrong in one line gives nothing,
//! and every such line is named.

pub mod environment;
mod reading;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::Path;

use crate::configuration::{self, Configuration, Fault};
use reading::Entry;
pub use reading::{FILE_BYTES_MAX, LINE_BYTES_MAX};
use table::Effect;

/// A `qm.ini` in terms of `ferry.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translation {
    /// The settings that it makes, in the order of the file.
    pub changes: Vec<Change>,
    /// The keys that have no effect, each once.
    pub without_effect: Vec<WithoutEffect>,
}

/// A setting that a key makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The section of `ferry.toml`.
    pub section: &'static str,
    /// The setting in it.
    pub key: &'static str,
    /// Its value, as TOML.
    pub value: String,
}

/// A key that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithoutEffect {
    /// The key, as `Stanza Key=value`.
    pub said: String,
    /// Its line, counted from one.
    pub line: usize,
    /// The reason: a clause.
    pub reason: &'static str,
}

/// The reference page of the keys.
#[must_use]
pub fn reference() -> String {
    let mut text = String::from(
        "# Keys of `qm.ini`\n\n\
         `ferry qmgr create --ini`, `ferry config from-ini` and `crtmqm -ii` read a file `qm.ini` of another queue manager. Each key becomes\n\
         a setting of [`ferry.toml`](settings.md), or has no effect, with a note of the reason. A stanza or key that is not on this page\n\
         is an error that names the nearest one; so are a stanza or key that is there twice, a key without a value and a value out of its bounds.\n\n\
         Of the environment of the process, `AMQ_IODELAY` sets `log.slow_io_microseconds`: in seconds, or in microseconds with `AMQ_IODELAY_INMS=YES`.\n\
         `AMQ_IODELAY_FFST=YES` sets `errors.slow_io_record`. `AMQ_USE_ZLIBNX` has no effect. They are read at each start and override the file.\n\n\
         This page is made from the table of keys; `cargo test -p server` compares it.\n",
    );
    let mut last = "";
    for (stanza, key, shown) in table::rows() {
        if stanza != last {
            let _ = write!(text, "\n## {stanza}\n\n| key | becomes |\n|---|---|\n");
            last = stanza;
        }
        let _ = writeln!(text, "| `{key}` | {shown} |");
    }
    text
}

impl Translation {
    /// Understands the text of a file; `path` is for the messages.
    ///
    /// # Errors
    /// Every line that is wrong.
    pub fn of(text: &str, path: &Path) -> Result<Self, configuration::Error> {
        let mut translation = Self::default();
        let mut faults = Vec::new();
        match reading::read(text) {
            Ok(entries) => {
                for entry in &entries {
                    if let Err(what) = translation.take(entry) {
                        faults.push(Fault { line: entry.line, what });
                    }
                }
            }
            Err(wrong) => faults = wrong,
        }
        if faults.is_empty() {
            Ok(translation)
        } else {
            Err(configuration::Error::Faults { path: path.to_owned(), faults })
        }
    }

    fn take(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let Entry { stanza, key, value, line, .. } = *entry;
        let said = format!("{} {key}={value}", stanza.name);
        let Some(effect) = stanza.effect_of(key) else {
            return Err(stanza.unknown(key));
        };
        match effect {
            Effect::None { values, reason } => {
                values
                    .check(value)
                    .map_err(|allowed| format!("{said} is not right: it must be {allowed}"))?;
                self.without_effect.push(WithoutEffect { said, line, reason });
            }
            Effect::Sets { section, key, value: convert } => {
                let value =
                    convert(value).map_err(|allowed| format!("{said} is not right: it must be {allowed}"))?;
                self.change(&said, Change { section, key, value })?;
            }
            Effect::SetsOrNone { section, key, value: convert, reason } => {
                let set =
                    convert(value).map_err(|allowed| format!("{said} is not right: it must be {allowed}"))?;
                match set {
                    Some(value) => self.change(&said, Change { section, key, value })?,
                    None => self.without_effect.push(WithoutEffect { said, line, reason }),
                }
            }
            Effect::Refused { values, reason } => {
                let refused = values.iter().any(|word| word.eq_ignore_ascii_case(value));
                if refused {
                    return Err(format!("{said} cannot be had: {reason}"));
                }
                self.without_effect.push(WithoutEffect { said, line, reason: table::NOTHING_TO_SET });
            }
        }
        Ok(())
    }

    /// Takes a setting, once its bounds are kept.
    fn change(&mut self, said: &str, change: Change) -> Result<(), String> {
        let alone = format!("[{}]\n{} = {}\n", change.section, change.key, change.value);
        match Configuration::parse(&alone, Path::new("")) {
            Ok(_) => {
                self.changes.push(change);
                Ok(())
            }
            Err(configuration::Error::Faults { faults, .. }) => {
                let whats: Vec<&str> = faults.iter().map(|fault| fault.what.as_str()).collect();
                Err(format!("{said} becomes a setting out of its bounds: {}", whats.join("; ")))
            }
            Err(other) => Err(format!("{said}: {other}")),
        }
    }
}
