//! `ferry completions`: the completion script of a shell.
//!
//! Lives here: the script, which has the commands and options. Lives elsewhere: names of queues, channels,
//! topics and queue managers, which the scripts of bash, zsh and fish ask for at the cursor (`names`).

use std::io::Write as _;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use terminal::failure::Result;
use terminal::output;

/// For which shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Names of bash come first; where there are none, the words of the command.
const BASH: &str = r#"
_ferry_or_names() {
    if [[ "${COMP_WORDS[COMP_CWORD]}" != -* ]]; then
        mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" names -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
        [[ ${#COMPREPLY[@]} -gt 0 ]] && return 0
    fi
    _ferry "$@"
}
complete -F _ferry_or_names -o nosort -o bashdefault -o default ferry
"#;

/// Zsh completes a value that has no words of its own by this function.
const ZSH: &str = r#"
_ferry_names() {
    local -a names
    names=("${(@f)$(ferry names -- "${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}")
    if [[ -n "${names[1]}" ]]; then compadd -U -- "${names[@]}"; else _default; fi
}
"#;

const FISH: &str = r#"
complete -c ferry -a '(ferry names -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null </dev/null)'
"#;

/// Prints the script, to be sourced.
pub(crate) fn run(arguments: &CompletionsArguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut crate::arguments::Arguments::command(),
        "ferry",
        &mut script,
    );
    let script = with_names(arguments.shell, &String::from_utf8_lossy(&script));
    let mut output = output::standard();
    output.write_all(script.as_bytes())?;
    Ok(output.flush()?)
}

/// The script with what asks for names.
fn with_names(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!("{script}{BASH}"),
        Shell::Fish => format!("{script}{FISH}"),
        Shell::Zsh => {
            // The first line says which command the file completes, and stays the first.
            let (first, rest) = script.split_once('\n').unwrap_or((script, ""));
            format!("{first}\n{ZSH}{}", rest.replace(":_default'", ":_ferry_names'"))
        }
        _ => script.to_owned(),
    }
}
