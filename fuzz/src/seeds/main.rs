//! `fuzz-seeds`: seeds for the corpus from real runs, so that mutations begin where real bytes are.
//!
//! `session LISTEN UPSTREAM NAME` stands between a client and a queue manager and keeps what one connection
//! says, each direction as a seed of `channel_frames`. `directory FOLDER NAME` reads a queue manager that was
//! stopped and keeps its definitions, descriptors, the checkpoint of its engine and its `ferry.toml`.
//! `protected` signs and encrypts messages with the keys in `fuzz/keys`. What is there already stays.

mod directory;
mod protected;
mod session;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str =
    "fuzz-seeds session LISTEN UPSTREAM NAME | fuzz-seeds directory FOLDER NAME | fuzz-seeds protected";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fuzz-seeds: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["session", listen, upstream, name] => session::record(listen, upstream, name),
        ["directory", folder, name] => directory::record(Path::new(folder), name),
        ["protected"] => protected::record(),
        _ => bail!("usage: {USAGE}"),
    }
}

/// Keeps a seed unless the same bytes are one already.
fn keep(target: &str, name: &str, bytes: &[u8]) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(&folder)? {
        if fs::read(entry?.path())? == bytes {
            return Ok(());
        }
    }
    let path = folder.join(name);
    fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    println!("{}: {} bytes", path.display(), bytes.len());
    Ok(())
}
