//! The commands of a queue manager under the names that scripts know them by.
//!
//! Lives here: which name is which command, and how each ends: with the code that scripts ask for. Lives elsewhere: what
//! can be typed (`words`), the commands themselves (`life`, `media`, `versions`, `scripts`, `codes`, `samples`), what they do (`commands`).
//!
//! Always: `ferry` itself is not changed by any of this; a command is familiar when the program is called by its name,
//! which `cargo xtask install --mq-names` makes so. An option that asks for what there is not is refused by name; what is
//! taken without effect, `docs/reference/familiar-names.md` says.

mod channel_table;
mod clients;
mod codes;
mod health;
mod indirect;
mod life;
mod media;
mod samples;
mod scripts;
mod tool;
mod versions;
mod words;

use std::ffi::OsStr;
use std::io::{self, BufRead as _, Read as _};
use std::path::Path;
use std::process::ExitCode;

use crate::whole;
use terminal::output::{self, harmless};
use tool::{Answer, Tool, Trouble, common, ended, note};
use words::Typed;

const TOOLS: &[Tool] = &[
    life::CREATE,
    life::START,
    life::END,
    life::DELETE,
    life::DISPLAY,
    versions::DISPLAY,
    scripts::RUN,
    scripts::DUMP,
    media::RECORD,
    media::RECREATE,
    codes::EXPLAIN,
    health::STARTED,
    health::READY,
    health::HEALTHY,
    AUTHORITY_SET,
    AUTHORITY_DISPLAY,
    NAMES,
];

/// All of them.
fn tools() -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().chain(&samples::TOOLS)
}

/// Tells the others, to whoever makes the links.
const NAMES: Tool = Tool { name: "ferry-names", usage: "", options: &[], misuse: ended::MISUSED, run: names };

fn names(_typed: &Typed) -> Answer {
    for tool in tools().filter(|tool| tool.name != NAMES.name) {
        output::print_line(tool.name)?;
    }
    Ok(ended::OK)
}

const AUTHORITY_SET: Tool = Tool {
    name: "setmqaut",
    usage: "...",
    options: words::ANYTHING,
    misuse: ended::MISUSED,
    run: no_authorities,
};
const AUTHORITY_DISPLAY: Tool = Tool { name: "dspmqaut", ..AUTHORITY_SET };

fn no_authorities(_typed: &Typed) -> Answer {
    Err(Trouble::new(
        ended::UNEXPECTED,
        "authority records come with secure channels; until then whoever reaches a queue manager may do everything",
    ))
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
            ExitCode::from(trouble.code)
        }
    }
}

/// Most bytes of a password, the end of its line included.
const PASSWORD_BYTES_MAX: usize = 1 << 10;

/// Reads the line of standard input that is a password, which `asked` asks for, and forgets it.
fn forget_password(asked: &str) -> io::Result<()> {
    let mut password = Vec::new();
    io::stdin().lock().take(PASSWORD_BYTES_MAX as u64).read_until(b'\n', &mut password)?;
    if password.len() == PASSWORD_BYTES_MAX && !password.ends_with(b"\n") {
        return Err(whole::too_long("the line", "password", PASSWORD_BYTES_MAX));
    }
    note(&format!("{asked}: users and passwords are not checked yet; the password was read and forgotten"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Trouble, called};
    use std::ffi::OsStr;
    use terminal::failure::Exit;
    use terminal::failure::Failure;

    #[test]
    fn trouble_shows_the_line_ends_and_escapes_of_a_name_as_text() {
        let what = "no queue manager A\nsecond\x1b[2J";
        let shown = "no queue manager A\\nsecond\\u{1b}[2J";
        assert_eq!(Trouble::new(1, what).words, shown);
        let failure = Failure::new(Exit::NotFound, what).next("try");
        assert_eq!(Trouble::of(1)(failure).words, format!("{shown}\n  next: try"));
    }

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
