//! The library's own log, for what no reason code has room for: the text that cannot be used, settings
//! without effect.
//!
//! Always: only the file named by `FERRY_CLIENT_LOG` is written, one line for each thing. Programs work as
//! well without it.

use super::choice::Settings;
use super::environment::{Environment, LOG};
use crate::process;
use objects::harmless::harmless;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Mutex;

/// A file that is longer gets no more lines.
const BYTES_MAX: u64 = 1 << 20;

/// Writes a line, if the environment names a file.
pub(crate) fn note(text: &str) {
    if let Some(path) = Environment::of_process().log {
        append(&path, text);
    }
}

/// Names the settings of the file of client settings that have no effect, once in each process.
pub(crate) fn note_unknown(settings: &Settings) {
    static NOTED: Mutex<Option<usize>> = Mutex::new(None);
    let Some(path) = &settings.environment.log else { return };
    let generation = Some(process::generation());
    // A child whose parent forked while it wrote goes without.
    let Ok(mut noted) = NOTED.try_lock() else { return };
    if std::mem::replace(&mut *noted, generation) == generation {
        return;
    }
    for setting in &settings.file.unknown {
        append(path, &format!("the client setting {setting} is not known and has no effect; remove it"));
    }
}

fn append(path: &str, text: &str) {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    // A log that cannot be written is no reason to refuse a connection.
    let Ok(mut file) = opened else { return };
    if file.metadata().is_ok_and(|is| is.len() < BYTES_MAX) {
        // Words of a queue manager may be in it.
        let _ = writeln!(file, "{} {}: {}", LOG, std::process::id(), harmless(text));
    }
}
