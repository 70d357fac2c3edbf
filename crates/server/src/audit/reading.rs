//! The record of refusals, read from its files.
//!
//! Always: files are read whole, one at a time; a line that was written in part is passed over.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use serde_json::Value;

use super::files::{FILE_BYTES_MAX, files};
use super::sources::is_counted_with;

/// Most bytes that are read of a file: one grows beyond its size while no new one can be made.
const READ_BYTES_MAX: u64 = 4 * FILE_BYTES_MAX;

/// A refusal that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The record: its own, or one of the same source that it was counted with.
    pub record: Value,
    /// True if the refusal itself has no record.
    pub is_counted: bool,
    /// The refusals that were counted with the record, as far as a line tells of them.
    pub counted: u64,
}

/// Finds a refusal by its number in the files of a folder; one that was counted by the record of its like.
///
/// # Errors
/// When a file cannot be read.
pub fn find(folder: &Path, id: &str) -> io::Result<Option<Found>> {
    let Some(wanted) = number(id) else { return Ok(None) };
    let (mut own, mut like, mut counts) = (None, None, Vec::new());
    for path in files(folder) {
        each_line(&path, &mut |line| {
            if let Some(count) = line["counted"].as_u64() {
                counts.extend(line["with"].as_str().and_then(number).map(|with| (with, count)));
                return;
            }
            let Some(number) = line["id"].as_str().and_then(number) else { return };
            if number == wanted {
                own = Some((number, line));
            } else if is_counted_with(wanted, number) {
                like = Some((number, line));
            }
        })?;
    }
    let is_counted = own.is_none();
    Ok(own.or(like).map(|(number, record)| {
        let counted = counts.iter().filter(|(with, _)| *with == number).map(|(_, count)| count).sum();
        Found { record, is_counted, counted }
    }))
}

/// The last refusals that have a record, at most so many, the newest last.
///
/// # Errors
/// When a file cannot be read.
pub fn last(folder: &Path, most: usize) -> io::Result<Vec<Value>> {
    let mut last = Vec::new();
    for path in files(folder) {
        let mut of_file = Vec::new();
        each_line(&path, &mut |line| {
            if line["id"].is_string() {
                of_file.push(line);
            }
        })?;
        let wanted = of_file.len().saturating_sub(most - last.len());
        last.splice(..0, of_file.drain(wanted..));
        if last.len() >= most {
            break;
        }
    }
    Ok(last)
}

/// Calls for each line of a file that is whole.
pub(super) fn each_line(path: &Path, call: &mut dyn FnMut(Value)) -> io::Result<()> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    // A device has no end.
    if !file.metadata()?.is_file() {
        return Ok(());
    }
    let mut bytes = Vec::new();
    file.take(READ_BYTES_MAX).read_to_end(&mut bytes)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).for_each(call);
    Ok(())
}

fn number(id: &str) -> Option<u64> {
    let digits = id.trim();
    let is_number = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}
