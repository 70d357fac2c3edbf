//! What keeps the house as it was drawn: crate edges, licences, file shapes, the paths the documents name, what threads share.
//!
//! Always: everything that is wrong is reported at once, each with what to do.

mod concurrency;
mod edges;
mod features;
mod licences;
mod marks;
mod metadata;
mod paths;
mod promises;
mod sources;

use anyhow::{Result, bail};
use std::path::Path;

/// Runs every tidy check and prints the longest files and functions.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    let tree = metadata::Tree::read(root)?;
    edges::check(&tree, &mut faults);
    features::check(&tree, &mut faults);
    licences::check(root, &tree, &mut faults)?;
    let sources = sources::Sources::read(root)?;
    paths::check(root, &sources, &mut faults)?;
    let page = std::fs::read_to_string(root.join(promises::PAGE))?;
    promises::check(&page, &sources, &mut faults);
    let page = std::fs::read_to_string(root.join(concurrency::PAGE))?;
    concurrency::check(&page, &sources, &mut faults);
    marks::check(&crate::marks::read(root)?, &sources, &mut faults);
    sources.check(&mut faults);
    sources.report();
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}
