//! The interface as a C compiler and a Rust library must see it: headers, and the same structures with the same layout.
//!
//! Lives here: which files are made. Lives elsewhere: the tables, joined (`interface`), values that structures start
//! with (`initial`), how each language writes it (`rust`).
//!
//! Always: names, numbers, types and offsets come from the tables in `crates/mqi/facts`, every other word is ours.

mod initial;
mod interface;
mod rust;

use crate::generated::File;
use anyhow::Result;
use interface::Interface;
use std::path::Path;

/// Makes the layouts.
pub(crate) fn files(root: &Path) -> Result<Vec<File>> {
    let interface = Interface::read(root)?;
    rust::files(&interface)
}
