//! The commands of a queue manager under the names that scripts know them by.
//!
//! Lives here: the command of each name. Lives elsewhere: the form of a tool and its end (`tool`), the
//! options that can be typed (`words`), the commands themselves (`life`, `creation`, `media`, `versions`,
//! `scripts`, `monitors`, `rights`, `transactions`, `events`, `usage`, `codes`, `samples`), what they do
//! (`commands`).
//!
//! Always: `ferry` itself is not changed by any of this; a command is familiar when the program is called by its name,
//! which `cargo xtask install --mq-names` makes so. An option that asks for what there is not is refused by name; what is
//! taken without effect, `docs/reference/familiar-names.md` says.

mod channel_table;
mod clients;
mod codes;
mod creation;
mod events;
mod health;
mod life;
mod media;
mod monitors;
mod rights;
mod routes;
mod samples;
mod scripts;
mod tool;
mod transactions;
mod usage;
mod versions;
mod words;

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use terminal::output::{self, harmless};

use tool::{Answer, Tool, Trouble, ended, note};
use words::Typed;

const TOOLS: &[Tool] = &[
    creation::CREATE,
    life::START,
    life::END,
    life::DELETE,
    life::DISPLAY,
    life::INFORMATION,
    versions::DISPLAY,
    scripts::RUN,
    scripts::DUMP,
    media::RECORD,
    media::RECREATE,
    monitors::DEAD_LETTERS,
    monitors::TRIGGERS,
    events::SHOW,
    routes::SHOW,
    usage::SHOW,
    codes::EXPLAIN,
    health::STARTED,
    health::READY,
    health::HEALTHY,
    rights::GIVE,
    rights::SHOW,
    rights::DUMP,
    transactions::DISPLAY,
    transactions::RESOLVE,
    NAMES,
];

/// All of them.
fn tools() -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().chain(&samples::TOOLS)
}

/// Lists the other names, for a script that makes the links.
const NAMES: Tool = Tool { name: "ferry-names", usage: "", options: &[], misuse: ended::MISUSED, run: names };

fn names(_typed: &Typed) -> Answer {
    for tool in tools().filter(|tool| tool.name != NAMES.name) {
        output::print_line(tool.name)?;
    }
    Ok(ended::OK)
}

/// The tool that a program is called as, if it is one.
pub(crate) fn called(program: &OsStr) -> Option<&'static Tool> {
    let name = Path::new(program).file_name()?;
    tools().find(|tool| name == tool.name)
}

/// Does what was typed.
pub(crate) fn run(tool: &Tool, arguments: &[String]) -> ExitCode {
    let answer = match Typed::read(tool.options, arguments) {
        Ok(typed) => (tool.run)(&typed),
        Err(problem) => {
            let words = format!("{}\nUsage: {} {}", harmless(&problem), tool.name, tool.usage);
            Err(Trouble::in_lines(tool.misuse, words))
        }
    };
    match answer {
        Ok(code) => ExitCode::from(code),
        Err(trouble) => {
            if !trouble.words.is_empty() {
                note(&format!("{}: {}", tool.name, trouble.words));
            }
            ExitCode::from(tool.code_of(&trouble))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::called;
    use std::ffi::OsStr;

    #[test]
    fn a_program_is_known_by_the_last_part_of_its_name() {
        for (program, expected) in [
            ("/opt/ferry/bin/crtmqm", Some("crtmqm")),
            ("runmqsc", Some("runmqsc")),
            ("ferry", None),
            ("/bin/runmqsc.bak", None),
            ("", None),
        ] {
            assert_eq!(called(OsStr::new(program)).map(|tool| tool.name), expected, "{program}");
        }
    }
}
