//! The checks of the repository's shape: crate edges, licences, file shapes, examples, paths that documents
//! name, state that threads share, next steps, and counts that only fall.
//!
//! Always: everything that is wrong is reported at once, each with what to do.

mod concurrency;
mod edges;
mod examples;
mod features;
mod forms;
mod history;
mod imports;
mod lexer;
mod licences;
mod links;
mod marks;
pub(crate) mod metadata;
mod next_steps;
mod paths;
mod promises;
mod ratchet;
mod requirements;
mod rooms;
pub(crate) mod sample;
pub(crate) mod sources;
mod words;

use anyhow::{Context, Result, bail};
use std::path::Path;

/// Runs every tidy check; prints the counts that only fall and the longest files and functions.
///
/// With `is_lower` the counts that fell are written down.
pub(crate) fn check(root: &Path, is_lower: bool) -> Result<()> {
    let mut faults = Vec::new();
    let tree = metadata::Tree::read(root, metadata::Features::Default)?;
    edges::check(&tree, &mut faults);
    features::check(&tree, &mut faults);
    licences::check(root, &mut faults)?;
    let sources = sources::Sources::read(root)?;
    paths::check(root, &sources, &mut faults)?;
    links::check(root, &mut faults)?;
    let page = std::fs::read_to_string(root.join(promises::PAGE))?;
    promises::check(&page, &sources, &mut faults);
    let page = std::fs::read_to_string(root.join(concurrency::PAGE))?;
    concurrency::check(&page, &sources, &mut faults);
    requirements::check(root, &sources, &mut faults)?;
    marks::check(&crate::marks::read(root)?, &sources, &mut faults);
    examples::check(root, &sources, &mut faults)?;
    sources.check(&mut faults);
    next_steps::check(&sources, &mut faults);
    history::check_subjects(root, &mut faults);
    sources.report();
    ratchet::check(root, &sources, is_lower, &mut faults)?;
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// Prints documentation lines chosen by a seed, for a reader to restate.
pub(crate) fn sample(root: &Path, seed: &str) -> Result<()> {
    let seed = seed.parse().with_context(|| format!("\"{seed}\" is no seed: give a whole number"))?;
    sample::print(root, seed)
}
