//! `ferry names`: the names that can stand at the cursor of a shell, one a line.
//!
//! Lives here: the kind of name that the words before the cursor ask for, and the names there are.
//! Lives elsewhere: the scripts that ask (`completions`), and the shell of `ferry mqsc`, which has a
//! [`finder`] of its own.
//!
//! Always: nothing is said on standard error and nothing is asked of the person; a queue manager that is not
//! there, refuses or takes longer than [`PATIENCE`] has no names.

use std::io::Write as _;
use std::sync::mpsc;
use std::time::Duration;

use clap::{Arg, Args, Command};
use objects::quoted;
use server::instances;

use super::answer;
use terminal::common::{Common, is_of_place};
use terminal::connect;
use terminal::failure::Result;
use terminal::{output, password};

/// The words behind `ferry`.
#[derive(Debug, Args)]
pub(crate) struct NamesArguments {
    /// The words; the last is the beginning of the name
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// A person waits no longer for a key.
const PATIENCE: Duration = Duration::from_secs(1);

/// Most names: more are no help.
const NAMES_MAX: usize = 1_000;

/// Names of the queue manager itself, which only a beginning asks for.
const SYSTEM: &str = "SYSTEM.";

/// A kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Queue,
    Channel,
    /// A topic string.
    Topic,
    QueueManager,
    /// An object of one type: the word that DISPLAY takes, and the key of the name in the answer.
    Object(&'static str, &'static str),
}

/// Finds the names of a kind that begin so.
pub(crate) type Finder = Box<dyn Fn(Kind, &str) -> Vec<String> + Send>;

/// Reads the options of every command from words.
pub(crate) type Reader = fn(&[String]) -> Option<Common>;

/// Prints the names that can follow words of this command.
pub(crate) fn run(arguments: &NamesArguments, root: Command, reader: Reader) -> Result<()> {
    let Some((beginning, before)) = arguments.words.split_last() else { return Ok(()) };
    let Some((kind, options)) = wanted(root, before) else { return Ok(()) };
    let names = reader(&options).map(|common| within_patience(kind, common, beginning)).unwrap_or_default();
    let mut output = output::standard();
    for name in names {
        writeln!(output, "{}", output::harmless(&name))?;
    }
    Ok(output.flush()?)
}

/// A finder of the names of a queue manager.
pub(crate) fn finder(common: &Common) -> Finder {
    let common = common.clone();
    Box::new(move |kind, beginning| within_patience(kind, common.clone(), beginning))
}

/// A finder without any names.
pub(crate) fn none() -> Finder {
    Box::new(|_, _| Vec::new())
}

/// The names that begin so, at most [`NAMES_MAX`]; none where they do not come within [`PATIENCE`].
fn within_patience(kind: Kind, common: Common, beginning: &str) -> Vec<String> {
    let (sender, names) = mpsc::channel();
    let beginning = beginning.to_owned();
    std::thread::spawn(move || sender.send(found(kind, &common, &beginning)));
    let mut names = names.recv_timeout(PATIENCE).ok().flatten().unwrap_or_default();
    names.truncate(NAMES_MAX);
    names
}

/// The kind of name that follows some words, and the options among them that say where to connect.
pub(crate) fn wanted(mut root: Command, before: &[String]) -> Option<(Kind, Vec<String>)> {
    root.build();
    let (mut command, mut path) = (&root, Vec::new());
    let (mut positional, mut options) = (0, Vec::new());
    let mut words = before.iter();
    while let Some(word) = words.next() {
        if let Some(option) = option(command, word) {
            let takes_word = option.get_action().takes_values() && !word.contains('=');
            let value = if takes_word { Some(words.next()) } else { None };
            if let Some(None) = value {
                return Some((kind(&path, option)?, options));
            }
            // Before the command an option of its place is one of the program's own.
            if option.is_global_set() || is_of_place(option.get_id().as_str()) {
                options.push(word.clone());
                options.extend(value.flatten().cloned());
            }
        } else if let Some(inner) = command.find_subcommand(word) {
            path.push(inner.get_name());
            (command, positional) = (inner, 0);
        } else {
            positional += 1;
        }
    }
    let mut places = command.get_positionals();
    Some((kind(&path, places.nth(positional)?)?, options))
}

/// The option that a word is; of several letters behind one dash the last.
fn option<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    let mut all = command.get_opts().chain(command.get_arguments().filter(|one| !one.is_positional()));
    match word.strip_prefix("--") {
        Some(long) => {
            let long = long.split('=').next();
            all.find(|one| one.get_long() == long)
        }
        None => {
            let short = word.strip_prefix('-')?.chars().last()?;
            all.find(|one| one.get_short() == Some(short))
        }
    }
}

/// The kind of name that an argument takes.
fn kind(path: &[&str], argument: &Arg) -> Option<Kind> {
    let value = argument.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match (path.first().copied().unwrap_or_default(), argument.get_id().as_str(), value) {
        (_, "qmgr", _) | (_, _, "QM" | "QMGR") => Some(Kind::QueueManager),
        (_, "queue", _) | (_, _, "QUEUE") | ("queues", "name", _) | ("move", "from" | "to", _) => {
            Some(Kind::Queue)
        }
        (_, "channel", _) | (_, _, "CHANNEL") | ("channel", "name" | "names", _) => Some(Kind::Channel),
        ("pub" | "sub" | "topic", "topic", _) => Some(Kind::Topic),
        (_, _, "BRIDGE") => Some(Kind::Object("BRIDGE", "bridge")),
        ("tls" | "user" | "stop", "name", _) => Some(Kind::QueueManager),
        ("qmgr", "name", _) if path.last() != Some(&"create") => Some(Kind::QueueManager),
        _ => None,
    }
}

/// The names that begin so; none where they cannot be had.
fn found(kind: Kind, common: &Common, beginning: &str) -> Option<Vec<String>> {
    if kind == Kind::QueueManager {
        let known = instances::list(&connect::data_directory(common).ok()?).ok()?;
        let names = known.iter().map(|one| one.folder.name().to_string());
        return Some(names.filter(|name| name.starts_with(beginning)).collect());
    }
    // A password would be asked for.
    if common.as_user.is_some() && std::env::var_os(password::FILE_VARIABLE).is_none() {
        return None;
    }
    let as_typed = shown(kind, common, beginning)?;
    if as_typed.is_empty() && kind != Kind::Topic {
        shown(kind, common, &beginning.to_ascii_uppercase())
    } else {
        Some(as_typed)
    }
}

/// The names that a queue manager shows.
fn shown(kind: Kind, common: &Common, beginning: &str) -> Option<Vec<String>> {
    if beginning.contains('*') {
        return None;
    }
    let names = quoted(&format!("{beginning}*"));
    let (display, field) = match kind {
        Kind::Queue => (format!("DISPLAY QUEUE({names}) DESCR"), "queue"),
        Kind::Channel => (format!("DISPLAY CHANNEL({names}) DESCR"), "channel"),
        Kind::Object(object, field) => (format!("DISPLAY {object}({names})"), field),
        Kind::Topic => ("DISPLAY TPSTATUS('#') SUB".to_owned(), "tpstatus"),
        Kind::QueueManager => return None,
    };
    let mut session = connect::session(common).ok()?;
    let rows = answer::shown(&mut session, &display).ok()?;
    let names = rows.iter().filter_map(|row| row[field].as_str()).map(str::to_owned);
    let is_meant = |name: &String| {
        let is_system = name.starts_with(SYSTEM);
        let is_typed = !name.is_empty() && !name.contains(char::is_control);
        name.starts_with(beginning) && is_typed && (!is_system || !beginning.is_empty())
    };
    let mut names: Vec<String> = names.filter(is_meant).collect();
    names.sort();
    names.dedup();
    Some(names)
}
