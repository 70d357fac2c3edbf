//! Parts of a run, which run all or one by its name.

use anyhow::{Result, bail};
use std::path::Path;

use super::served::Served;
use super::table::Table;

/// A part of a run.
pub(super) type InteropPart = fn(&Path, &Served, &mut Table) -> Result<()>;

/// Runs all parts of a table, or the one that is named.
pub(super) fn run_parts(
    parts: &[(&str, InteropPart)],
    place: &Path,
    served: &Served,
    wanted: Option<&str>,
    table: &mut Table,
) -> Result<()> {
    let names = || parts.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    if wanted.is_some_and(|wanted| !parts.iter().any(|(name, _)| *name == wanted)) {
        bail!("there is no such part; the parts are {}", names());
    }
    for (name, part) in parts {
        if wanted.is_none_or(|wanted| wanted == *name) {
            part(&place.join(name), served, table)?;
        }
    }
    Ok(())
}
