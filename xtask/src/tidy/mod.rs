//! What keeps the house as it was drawn: crate edges, file shapes, the paths `ARCHITECTURE.md` names.
//!
//! Always: everything that is wrong is reported at once, each with what to do.

mod architecture;
mod edges;
mod sources;

use anyhow::{Result, bail};
use std::path::Path;

/// Runs every tidy check and prints the longest files and functions.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    edges::check(root, &mut faults)?;
    architecture::check(root, &mut faults)?;
    let sources = sources::Sources::read(root)?;
    sources.check(&mut faults);
    sources.report();
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}
