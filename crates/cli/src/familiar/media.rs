//! rcdmqimg and rcrmqobj: media images, and what comes back from them.
//!
//! An image is of the whole queue manager (0017 in `docs/decisions`); the names say what must be in it, and
//! so what must be there and may be recovered.

use server::instances::{self, Instance};
use server::{DataDirectory, backups};

use super::tool::{Answer, Tool, Trouble, common, ended};
use super::words::Typed;
use crate::commands::{queue_manager, recoverable};
use terminal::connect::{self, Session};
use terminal::output;

pub(super) const RECORD: Tool = Tool {
    name: "rcdmqimg",
    usage: "[-m QMGR] [-z] [-l] -t TYPE [NAME]",
    options: &["m=", "z", "l", "t="],
    misuse: MISUSED,
    run: record,
};

pub(super) const RECREATE: Tool = Tool {
    name: "rcrmqobj",
    usage: "[-m QMGR] [-z] -t TYPE [NAME]",
    options: &["m=", "z", "t="],
    misuse: MISUSED,
    run: recreate,
};

/// Exit code after wrong arguments.
const MISUSED: u8 = 36;
/// No image has what is missing.
const NO_IMAGE: u8 = 66;
/// The log is circular.
const NO_MEDIA_RECOVERY: u8 = 68;
/// There is nothing of this name that may be recovered.
const NOTHING: u8 = 128;

/// A type of object as these commands call it, and as MQSC does.
struct Type {
    names: &'static [&'static str],
    subjects: &'static [&'static str],
    /// Condition besides the name.
    condition: &'static str,
}

const fn kind(names: &'static [&'static str], subjects: &'static [&'static str]) -> Type {
    Type { names, subjects, condition: "" }
}

/// The subject whose messages an image has.
const QUEUE: &str = "QLOCAL";

const TYPES: [Type; 15] = [
    kind(
        &["all", "*"],
        &[
            QUEUE, "QALIAS", "QMODEL", "QREMOTE", "CHANNEL", "PROCESS", "NAMELIST", "LISTENER", "SERVICE",
            "TOPIC", "AUTHINFO",
        ],
    ),
    kind(&["queue", "q"], &[QUEUE, "QALIAS", "QMODEL", "QREMOTE"]),
    kind(&["qlocal", "ql"], &[QUEUE]),
    kind(&["qalias", "qa"], &["QALIAS"]),
    kind(&["qmodel", "qm"], &["QMODEL"]),
    kind(&["qremote", "qr"], &["QREMOTE"]),
    kind(&["authinfo"], &["AUTHINFO"]),
    kind(&["channel", "chl"], &["CHANNEL"]),
    Type { names: &["clntconn", "clcn"], subjects: &["CHANNEL"], condition: " CHLTYPE(CLNTCONN)" },
    kind(&["listener", "lstr"], &["LISTENER"]),
    kind(&["namelist", "nl"], &["NAMELIST"]),
    kind(&["process", "prcs"], &["PROCESS"]),
    kind(&["service", "srvc"], &["SERVICE"]),
    kind(&["topic", "top"], &["TOPIC"]),
    // The queue manager's own definition, and what lists the others, have no name.
    kind(&["qmgr", "catalog", "ctlg"], &[]),
];

/// Subject of a command.
struct About {
    instance: Instance,
    kind: &'static Type,
    /// It may end in an asterisk.
    name: String,
}

impl About {
    fn read(typed: &Typed) -> Result<Self, Trouble> {
        let misused = |words: String| Trouble::new(MISUSED, words);
        let wanted = typed.value("t").ok_or_else(|| misused("-t says which type of object".to_owned()))?;
        let kind = TYPES.iter().find(|kind| kind.names.iter().any(|name| wanted.eq_ignore_ascii_case(name)));
        let kind = kind.ok_or_else(|| {
            let names: Vec<&str> = TYPES.iter().map(|kind| kind.names[0]).collect();
            misused(format!("-t {wanted} is no type here; there are {}", names.join(", ")))
        })?;
        let name = match typed.only_word().map_err(misused)? {
            Some(name) if connect::queue_name(name.trim_end_matches('*')).is_ok() || name == "*" => name,
            Some(name) => return Err(misused(format!("{name} is no name of an object"))),
            None if kind.subjects.is_empty() => "",
            None => return Err(misused("which object? Its name may end in an asterisk".to_owned())),
        };
        let common = common(typed.value("m"));
        let data: DataDirectory = connect::data_directory(&common).map_err(Trouble::of(ended::UNEXPECTED))?;
        let manager = queue_manager::name_or_only(&common, None, &data).map_err(Trouble::of(ended::NAME))?;
        let instance = instances::find(&data, &manager)?;
        if instance.running.is_none() {
            return Err(instances::Error::NotRunning(manager).into());
        }
        Ok(Self { instance, kind, name: name.to_owned() })
    }

    fn session(&self) -> Result<Session, Trouble> {
        let name = *self.instance.folder.name();
        let address = connect::address_of(&self.instance).ok_or(instances::Error::NotRunning(name))?;
        Session::connect(&connect::Place::named(address, name)).map_err(Trouble::of(ended::UNEXPECTED))
    }

    /// Local queues that may be recovered; and how many other objects there are that may be.
    fn recoverable(&self, session: &mut Session) -> terminal::failure::Result<(Vec<String>, usize)> {
        let mut queues = Vec::new();
        let mut objects = usize::from(self.kind.subjects.is_empty());
        for subject in self.kind.subjects {
            if *subject == QUEUE {
                let found = recoverable::queues(session, &self.name)?;
                queues.extend(found.into_iter().filter(|queue| queue.is_recoverable).map(|queue| queue.name));
            } else {
                let (name, condition) = (&self.name, self.kind.condition);
                objects += recoverable::count(session, &format!("DISPLAY {subject}('{name}'){condition}"))?;
            }
        }
        if !recoverable::defaults(session)?.objects {
            objects = 0;
        }
        if queues.is_empty() && objects == 0 {
            let words = format!("no {} {} that may be recovered", self.kind.names[0], self.name);
            return Err(terminal::failure::Failure::new(terminal::failure::Exit::NotFound, words).next(
                "IMGRCOVO and IMGRCOVQ of the queue manager, and IMGRCOVQ of a queue, say which may be",
            ));
        }
        Ok((queues, objects))
    }

    fn said(&self, done: &str, queues: usize, objects: usize) -> std::io::Result<()> {
        output::print_line(format!("{done}: {queues} local queue(s), {objects} other object(s)."))
    }
}

/// Finds the objects to work on, or returns the code for none.
fn found(about: &About) -> Result<(Session, Vec<String>, usize), Trouble> {
    let mut session = about.session()?;
    let (queues, objects) = about.recoverable(&mut session).map_err(Trouble::of(NOTHING))?;
    Ok((session, queues, objects))
}

fn record(typed: &Typed) -> Answer {
    let about = About::read(typed)?;
    let (session, queues, objects) = found(&about)?;
    session.disconnect().map_err(Trouble::of(ended::UNEXPECTED))?;
    let (copied, _) =
        backups::image(&about.instance.folder, &mut |_| {}).map_err(|error| of_copies(&error))?;
    about.said("Media image recorded", queues.len(), objects)?;
    if typed.has("l") {
        let needed = format!("the log from {} on", copied.replay_from);
        output::print_line(format!("A restart and media recovery need {needed}."))?;
    }
    Ok(ended::OK)
}

fn recreate(typed: &Typed) -> Answer {
    let about = About::read(typed)?;
    backups::linear(&about.instance.folder).map_err(|error| of_copies(&error))?;
    let (mut session, queues, objects) = found(&about)?;
    for queue in &queues {
        let response = session.command(&format!("RECOVER QLOCAL('{queue}')"));
        let response = response.map_err(Trouble::of(ended::UNEXPECTED))?;
        if response.failed {
            return Err(Trouble::in_lines(NO_IMAGE, response.text.trim()));
        }
    }
    session.disconnect().map_err(Trouble::of(ended::UNEXPECTED))?;
    // Definitions are in the log and in each checkpoint as a whole: a start has all of them or says what is
    // damaged.
    about.said("Objects are whole", queues.len(), objects)?;
    Ok(ended::OK)
}

fn of_copies(error: &backups::Error) -> Trouble {
    let code = match error {
        backups::Error::Circular(_) => NO_MEDIA_RECOVERY,
        _ => ended::UNEXPECTED,
    };
    Trouble::new(code, error.to_string())
}
