//! dspmqver: which version this is, and where it is.

use std::path::PathBuf;

use super::tool::{Answer, Tool, Trouble, common, ended};
use super::words::Typed;
use server::directory::OF_DEVELOPMENT;
use terminal::{connect, output};

pub(super) const DISPLAY: Tool = Tool {
    name: "dspmqver",
    usage: "[-a] [-b] [-v] [-p COMPONENTS] [-f FIELDS] [-i]",
    options: &["a", "b", "v", "p=", "f=", "i"],
    misuse: FAILED,
    run: display,
};

const FAILED: u8 = ended::NOT_RUN;

/// The name of the installation.
pub(super) const INSTALLATION: &str = "FerryMQ";

/// The version in four numbers.
pub(super) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ".0");

/// The queue manager and its clients, the one component there is.
const COMPONENT: u32 = 1;

fn display(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        return Err(Trouble::new(FAILED, format!("what is {word}?")));
    }
    let number = |option: &str, otherwise: u32| match typed.value(option) {
        None => Ok(otherwise),
        Some(text) => {
            text.parse().map_err(|_| Trouble::new(FAILED, format!("-{option} {text} is no number")))
        }
    };
    let asked = number("f", u32::MAX)?;
    if number("p", COMPONENT)? & COMPONENT == 0 {
        return Err(Trouble::new(FAILED, "there is one component, 1"));
    }
    for (bit, title, value) in fields() {
        if bit & asked != 0 {
            let title = format!("{title}:");
            let line = if typed.has("b") { value } else { format!("{title:12} {value}") };
            output::print_line(line.trim_end())?;
        }
    }
    Ok(ended::OK)
}

/// The number by which a field is asked for, its title and its value.
fn fields() -> Vec<(u32, &'static str, String)> {
    let system = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    // One that others may change is told and not used.
    let data = connect::data_directory(&common(None));
    let data = data.map_or_else(|_| OF_DEVELOPMENT.into(), |data| data.path().to_owned());
    vec![
        (1, "Name", "FerryMQ".to_owned()),
        (2, "Version", VERSION.to_owned()),
        (4, "Level", format!("ferry-{}", env!("CARGO_PKG_VERSION"))),
        (8, "BuildType", if cfg!(debug_assertions) { "Development" } else { "Production" }.to_owned()),
        (
            16,
            "Platform",
            format!("FerryMQ for Linux ({} platform)", std::env::consts::ARCH.replace('_', "-")),
        ),
        (32, "Mode", format!("{}-bit", usize::BITS)),
        (64, "O/S", format!("Linux {}", system.trim())),
        (512, "InstName", INSTALLATION.to_owned()),
        (256, "InstDesc", String::new()),
        (2048, "Primary", "N/A".to_owned()),
        (128, "InstPath", installation().display().to_string()),
        (4096, "DataPath", data.display().to_string()),
        (1024, "MaxCmdLevel", mqi::constants::MQCMDL_LEVEL_945.to_string()),
        (8192, "LicenseType", "Apache-2.0".to_owned()),
    ]
}

/// The folder whose `bin` the program is in.
pub(super) fn installation() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let folder = program.parent().unwrap_or(&program);
    if folder.ends_with("bin") { folder.parent().unwrap_or(folder).to_owned() } else { folder.to_owned() }
}
