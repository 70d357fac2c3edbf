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

/// A choice of the last refusals that have a record.
#[derive(Clone, Copy)]
pub struct Choice<'a> {
    /// The refusals that count.
    pub is_wanted: &'a dyn Fn(&Value) -> bool,
    /// Most refusals, and most sources that are told apart.
    pub most: usize,
    /// Most refusals of one source; without it a source may have them all.
    pub of_source: Option<usize>,
}

/// The last refusals by a [`Choice`].
#[derive(Debug, Default)]
pub struct Listing {
    /// The refusals, the newest last.
    pub refusals: Vec<Value>,
    /// Refusals that are left out because their source has enough, by source, the newest last.
    pub left: Vec<(String, u64)>,
    /// True if there are refusals of more sources.
    pub has_others: bool,
}

/// Refusals of a source, the newest first, each with its place from the end.
struct OfSource {
    name: String,
    kept: Vec<(usize, Value)>,
    count: u64,
}

/// The last refusals of those that are chosen. Each source has its last one before another has a second, so
/// that no source, however many it makes, takes the list for itself.
///
/// # Errors
/// When a file cannot be read.
pub fn last(folder: &Path, choice: &Choice<'_>) -> io::Result<Listing> {
    let of_source = choice.of_source.unwrap_or(choice.most);
    let mut sources: Vec<OfSource> = Vec::new();
    let (mut place, mut has_others) = (0, false);
    'files: for path in files(folder) {
        let bytes = bytes_of(&path)?;
        for line in bytes.rsplit(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else { continue };
            if !line["id"].is_string() || !(choice.is_wanted)(&line) {
                continue;
            }
            place += 1;
            if choice.of_source.is_none() && place > choice.most {
                break 'files;
            }
            let name = source_of(&line);
            let known = sources.iter().position(|source| source.name == name);
            match known {
                Some(known) => {
                    let source = &mut sources[known];
                    source.count += 1;
                    if source.kept.len() < of_source {
                        source.kept.push((place, line));
                    }
                }
                None if sources.len() < choice.most => {
                    sources.push(OfSource { name: name.to_owned(), kept: vec![(place, line)], count: 1 });
                }
                None => has_others = true,
            }
        }
    }
    Ok(listed(sources, choice.most, has_others))
}

/// Shares a list among sources: the last refusal of each, then the last but one of each, and so on.
fn listed(mut sources: Vec<OfSource>, most: usize, has_others: bool) -> Listing {
    let deepest = sources.iter().map(|source| source.kept.len()).max().unwrap_or_default();
    let mut room = most;
    let mut shares = vec![0; sources.len()];
    for depth in 0..deepest {
        for (source, share) in sources.iter().zip(&mut shares) {
            if source.kept.len() > depth && room > 0 {
                *share += 1;
                room -= 1;
            }
        }
    }
    let mut refusals = Vec::new();
    let mut left = Vec::new();
    for (source, share) in sources.iter_mut().zip(shares).rev() {
        source.kept.truncate(share);
        refusals.append(&mut source.kept);
        let rest = source.count - share as u64;
        if rest > 0 {
            left.push((std::mem::take(&mut source.name), rest));
        }
    }
    refusals.sort_unstable_by_key(|(place, _)| std::cmp::Reverse(*place));
    let refusals = refusals.into_iter().map(|(_, refusal)| refusal).collect();
    Listing { refusals, left, has_others }
}

/// The source of a refusal. A line of an earlier release has none, and its user stands for it.
fn source_of(line: &Value) -> &str {
    line["source"].as_str().or_else(|| line["user"].as_str()).unwrap_or_default()
}

/// Calls for each line of a file that is whole.
pub(super) fn each_line(path: &Path, call: &mut dyn FnMut(Value)) -> io::Result<()> {
    let bytes = bytes_of(path)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).for_each(call);
    Ok(())
}

/// The bytes of a file of the record; none where it is not there.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    // A device has no end.
    if file.metadata()?.is_file() {
        file.take(READ_BYTES_MAX).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn number(id: &str) -> Option<u64> {
    let digits = id.trim();
    let is_number = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}
