//! `ferry manual`: the manual pages of all commands, which packages install.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::examples;
use clap::Args;
use terminal::failure::{Exit, Failure, Result};

/// The folder to write them to.
#[derive(Debug, Args)]
pub(crate) struct ManualArguments {
    /// Folder that is there
    #[arg(long, value_name = "DIRECTORY")]
    to: PathBuf,
}

/// Writes a page for each command below this one.
pub(crate) fn run(arguments: &ManualArguments, command: clap::Command) -> Result<()> {
    let names = examples::names();
    let written = clap_mangen::generate_to(command, &arguments.to)
        .and_then(|()| names.iter().try_for_each(|name| add_examples(&arguments.to, name)));
    written.map_err(|error| {
        let what = format!("cannot write the manual pages to {}: {error}", arguments.to.display());
        Failure::new(Exit::Failed, what).next("name a folder that is there and can be written to")
    })
}

/// Adds the examples of a command to its page.
fn add_examples(folder: &Path, name: &str) -> io::Result<()> {
    let page = folder.join(format!("ferry-{}.1", name.replace(' ', "-")));
    let mut section = ".SH EXAMPLES\n".to_owned();
    for (line, effect) in examples::of(name) {
        let (line, effect) = (in_roff(line), in_roff(effect));
        section.push_str(&format!(".TP\n\\fB{line}\\fR\n{effect}\n"));
    }
    OpenOptions::new().append(true).open(page)?.write_all(section.as_bytes())
}

/// A text as a page has it: hyphens that can be typed, and no letter that begins an escape.
fn in_roff(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}
