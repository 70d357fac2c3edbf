//! The interface as a C compiler and a Rust library must see it: headers, and the same structures with the
//! same layout.
//!
//! Lives here: which files are made. Lives elsewhere: the tables, joined (`interface`), values that
//! structures start with (`initial`), how each language writes it (`c`, `rust`).
//!
//! Always: names, numbers, types and offsets come from the tables in `crates/mqi/facts`, every other word is
//! ours.

mod c;
mod initial;
mod interface;
mod rust;

use crate::generated::File;
use anyhow::Result;
use interface::Interface;
use std::path::Path;

/// Makes the headers and the layouts.
pub(crate) fn files(root: &Path) -> Result<Vec<File>> {
    let interface = Interface::read(root)?;
    let mut files = rust::files(&interface)?;
    files.extend(c::files(&interface)?);
    Ok(files)
}
