//! The commands and options of the program.

use clap::{Arg, Args as _, Parser, Subcommand};

use crate::commands::{
    auth, backups, bridge, browse, channel, check, completions, config, container, context, control, dev,
    dlq, doctor, events, explain, get, guarantees, jndi, log, manual, measuring, moving, mqsc, names,
    publish, put, queue_manager, queues, reply, request, route, subscribe, support, tls, top, topic, trace,
    transfer, trigger_monitor, uow, user, why,
};
use terminal::common::{Common, is_of_place};

/// A queue manager, and everything to run, use and understand it.
#[derive(Debug, Parser)]
#[command(
    name = "ferry",
    version,
    propagate_version = false,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100,
    mut_args(in_subcommands),
    mut_subcommands(with_place),
    after_help = "Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 refused, 5 timeout.\n\
                  Commit, build and formats: ferry --version --verbose\n\
                  Start here: ferry dev, then in another shell: ferry put DEV.QUEUE.1 hello"
)]
pub(crate) struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub(crate) common: Common,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Commands that work on nothing which options could name.
const WITHOUT_PLACE: [&str; 3] = ["completions", "explain", "manual"];

/// An option of the program that commands have by themselves, as far as they have it ([`with_place`]).
fn in_subcommands(option: Arg) -> Arg {
    if is_of_place(option.get_id().as_str()) { option.global(false) } else { option }
}

/// A command with the options of its place, if it has one: help and completions offer no others.
fn with_place(command: clap::Command) -> clap::Command {
    if WITHOUT_PLACE.contains(&command.get_name()) {
        return command;
    }
    let common = Common::augment_args(clap::Command::new("common"));
    let is_new = |option: &&Arg| command.get_arguments().all(|known| known.get_id() != option.get_id());
    let options: Vec<Arg> = common
        .get_arguments()
        .filter(|option| is_of_place(option.get_id().as_str()))
        .filter(is_new)
        .cloned()
        .collect();
    command.args(options)
}

impl Arguments {
    /// The name of a command that works on nothing, if an option before it names a place all the same.
    pub(crate) fn without_place(&self) -> Option<&'static str> {
        let name = match self.command {
            Command::Completions(_) => "completions",
            Command::Explain(_) => "explain",
            Command::Manual(_) => "manual",
            _ => return None,
        };
        self.common.names_place().then_some(name)
    }
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create (when absent) and run a queue manager for development, in the foreground
    Dev(dev::DevArguments),
    /// Create, start, stop, delete and list queue managers
    #[command(subcommand)]
    Qmgr(queue_manager::QueueManagerCommand),
    /// List the queue managers of the data directory (short for qmgr list)
    List,
    /// Stop a queue manager (short for qmgr stop)
    Stop(queue_manager::StopArguments),
    /// Put messages on a queue: arguments, files, or one message for each line of standard input
    Put(put::PutArguments),
    /// Get messages from a queue, one a line; waits for a message unless --wait 0
    Get(get::GetArguments),
    /// Look at the messages of a queue without taking them
    Browse(browse::BrowseArguments),
    /// Publish messages to a topic: arguments, files, or one for each line of standard input
    Pub(publish::PublishArguments),
    /// Subscribe to a topic and print what is published, one publication a line
    Sub(subscribe::SubscribeArguments),
    /// Show the topic tree
    #[command(subcommand)]
    Topic(topic::TopicCommand),
    /// Put a request and wait for the reply
    Request(request::RequestArguments),
    /// Answer the requests that arrive on a queue
    Reply(reply::ReplyArguments),
    /// Start programs for the queues whose trigger messages come to an initiation queue
    TriggerMonitor(trigger_monitor::TriggerMonitorArguments),
    /// Write the messages of a queue as lines of JSON; they stay on the queue without --take
    Export(transfer::ExportArguments),
    /// Put exported messages on a queue, with their descriptor and context
    Import(transfer::ImportArguments),
    /// Move or copy messages to another queue: all, or those chosen by identifier or selector
    Move(moving::MoveArguments),
    /// Run MQSC commands: from arguments, a file, standard input, or in a shell
    Mqsc(mqsc::MqscArguments),
    /// Show dead letters, replay or move them, by hand or by a table of rules
    #[command(subcommand)]
    Dlq(dlq::DlqCommand),
    /// Print all definitions as MQSC, compare them with a file, or apply the file
    #[command(subcommand)]
    Config(config::ConfigArguments),
    /// Name the places of queue managers, and choose one
    #[command(subcommand)]
    Context(context::ContextCommand),
    /// Show and verify the recovery log of a queue manager, running or not; take images
    #[command(subcommand)]
    Log(log::LogCommand),
    /// Copy a queue manager, running or not, to a directory, and verify the copy
    Backup(backups::BackupArguments),
    /// Restore a queue manager from a backup; its name must be free
    Restore(backups::RestoreArguments),
    /// Start a stopped queue manager with a linear log from an image, when its own files are damaged; or give
    /// damaged messages of one queue back while it runs
    Recover(backups::RecoverArguments),
    /// Check health: one line and an exit code, as monitoring systems take them
    Check(check::CheckArguments),
    /// Find faults around a queue manager: files, keys, rules, rights, limits, disk
    Doctor(doctor::DoctorArguments),
    /// Run a queue manager as the one program of a container: settings and definitions are files
    Container(container::ContainerArguments),
    /// Serve figures of a queue manager over HTTP, at /metrics
    Control(control::ControlArguments),
    /// Gather settings, definitions, status, figures and logs into one archive, without secrets
    Support(support::SupportArguments),
    /// List queues with depth, oldest message, rates, handles and uncommitted messages
    Queues(queues::QueuesArguments),
    /// Print event messages, one a line or as JSON, and follow them
    Events(events::EventsArguments),
    /// Print a JNDI file for programs of JMS: a connection factory, queues and topics
    Jndi(jndi::JndiArguments),
    /// Watch rates and depths
    Top(top::TopArguments),
    /// Measure: request/reply, get by correlation identifier, restart, calls in one process
    Bench(measuring::MeasurementArguments),
    /// Repeat the measurements of published reports, and write a page that compares
    Report(measuring::MeasurementArguments),
    /// List units of work that are open, and end them
    #[command(subcommand)]
    Uow(uow::UowCommand),
    /// Define and list bridges to other messaging systems, and run their process
    #[command(subcommand)]
    Bridge(bridge::BridgeCommand),
    /// List, start, stop, ping and mend channels between queue managers
    #[command(subcommand)]
    Channel(channel::ChannelCommand),
    /// Show the route of a message from the name of a queue, across queue managers
    Route(route::RouteArguments),
    /// Send a trace-route message, and show what each queue manager on its way did with it
    Trace(trace::TraceArguments),
    /// Make, issue, renew, revoke and show keys and certificates of a queue manager
    #[command(subcommand)]
    Tls(tls::TlsCommand),
    /// Add, lock, remove and list users of a queue manager
    #[command(subcommand)]
    User(user::UserCommand),
    /// Give, take, list and show rights of users and groups
    #[command(subcommand)]
    Auth(auth::AuthCommand),
    /// Show why a request was refused, and the command that would allow it
    Why(why::WhyArguments),
    /// Explain a reason code, message, attribute or setting: 2033, MQRC_Q_FULL, FRY8006I, MAXDEPTH, log.kind
    Explain(explain::ExplainArguments),
    /// Print the promises, and what a crash can lose with a queue manager's settings
    Guarantees(guarantees::GuaranteesArguments),
    /// Print the completion script of a shell
    Completions(completions::CompletionsArguments),
    /// Print the names that can stand at the cursor, for completion scripts
    #[command(hide = true)]
    Names(names::NamesArguments),
    /// Write the manual pages, for packages
    #[command(hide = true)]
    Manual(manual::ManualArguments),
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use clap::CommandFactory as _;

    use super::*;
    use crate::examples;

    #[test]
    fn the_words_before_the_cursor_say_which_names_can_follow() {
        for (words, expected) in [
            ("put", Some(names::Kind::Queue)),
            ("put ORDERS", None),
            ("-m QM1 get", Some(names::Kind::Queue)),
            ("get --data /x", Some(names::Kind::Queue)),
            ("move A", Some(names::Kind::Queue)),
            ("dlq move --to", Some(names::Kind::Queue)),
            ("pub", Some(names::Kind::Topic)),
            ("channel stop", Some(names::Kind::Channel)),
            ("channel", None),
            ("queues", Some(names::Kind::Queue)),
            ("stop", Some(names::Kind::QueueManager)),
            ("qmgr create", None),
            ("qmgr delete", Some(names::Kind::QueueManager)),
            ("put -m", Some(names::Kind::QueueManager)),
            ("put --qmgr=QM1", Some(names::Kind::Queue)),
            ("mqsc", Some(names::Kind::QueueManager)),
            ("backup", None),
            ("", None),
        ] {
            let before: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
            assert_eq!(
                names::wanted(Arguments::command(), &before).map(|(kind, _)| kind),
                expected,
                "{words}"
            );
        }
        let before: Vec<String> = ["--data", "/x", "get", "-m", "QM1"].map(str::to_owned).into();
        assert_eq!(names::wanted(Arguments::command(), &before).unwrap().1, ["--data", "/x", "-m", "QM1"]);
    }

    #[test]
    fn each_command_is_known_to_next_steps_by_its_place_or_has_none() {
        let without = ["bench", "completions", "context", "explain", "manual", "names", "report"];
        let commands = Arguments::command();
        let names = commands.get_subcommands().map(clap::Command::get_name);
        let mut found: Vec<&str> = names.filter(|name| !terminal::next_step::has_place(name)).collect();
        found.sort_unstable();
        assert_eq!(found, without, "a next step with a new command must name its queue manager");
    }

    #[test]
    fn the_commands_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn commands_without_a_place_take_and_offer_no_option_that_names_one() {
        for (line, is_taken) in [
            ("ferry explain 2033 -o json", true),
            ("ferry explain 2033 -m QM1", false),
            ("ferry completions bash --data d", false),
            ("ferry user list QM1 --data d -o json", true),
            ("ferry -m QM1 user list QM1", true),
            ("ferry user -m QM1 list QM1", true),
        ] {
            let parsed = Arguments::try_parse_from(words(line));
            assert_eq!(parsed.is_ok(), is_taken, "{line}");
        }
        // Before the command an option is one of all commands: there it is refused in words.
        let parsed = |line| Arguments::try_parse_from(words(line)).unwrap();
        assert_eq!(parsed("ferry -m QM1 explain 2033").without_place(), Some("explain"));
        assert_eq!(parsed("ferry -o json explain 2033").without_place(), None);
        assert_eq!(parsed("ferry -m QM1 list").common.qmgr.as_deref(), Some("QM1"));
        assert_eq!(parsed("ferry qmgr start -m QM1").common.qmgr.as_deref(), Some("QM1"));
        let mut root = Arguments::command();
        root.build();
        for command in root.get_subcommands() {
            let offered = command.get_arguments().any(|option| option.get_id() == "qmgr");
            assert_eq!(offered, !WITHOUT_PLACE.contains(&command.get_name()), "{}", command.get_name());
        }
    }

    /// The words of a line, as a shell takes them apart; quotes stand around whole words.
    fn words(line: &str) -> Vec<&str> {
        let quoted = line.split('"').enumerate();
        quoted
            .flat_map(|(number, part)| match number % 2 {
                0 => part.split_whitespace().collect(),
                _ => vec![part],
            })
            .collect()
    }

    /// Each command that does something, by its words.
    fn commands(command: &clap::Command, before: &str, found: &mut Vec<String>) {
        for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = format!("{before} {}", below.get_name()).trim().to_owned();
            if below.has_subcommands() {
                commands(below, &name, found);
            } else {
                found.push(name);
            }
        }
    }

    /// The documents below a folder but the decisions, which keep what was.
    fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
        files(folder, "md", found);
    }

    fn files(folder: &Path, kind: &str, found: &mut Vec<PathBuf>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() && !path.ends_with("decisions") {
                files(&path, kind, found);
            } else if path.extension().is_some_and(|end| end == kind) {
                found.push(path);
            }
        }
    }

    /// Commands that a document names in its sentences, or shows for another machine.
    fn named(text: &str) -> Vec<String> {
        let (mut found, mut sentences, mut language) = (Vec::new(), String::new(), None);
        for line in text.lines().map(str::trim) {
            match (line.strip_prefix("```"), language) {
                (Some(mark), None) => language = Some(mark),
                (Some(_), Some(_)) => language = None,
                (None, Some(mark)) if mark.is_empty() || mark.starts_with("console") => {
                    let command = line.strip_prefix("$ ").unwrap_or_default();
                    let at = command.find("ferry ").filter(|at| *at == 0 || command[..*at].ends_with(' '));
                    found.extend(at.map(|at| command[at..].to_owned()));
                }
                (None, Some(_)) => {}
                // A line without words ends the sentences, whatever marks they left open.
                (None, None) => sentences += if line.is_empty() { "\n" } else { line },
            }
            sentences.push(' ');
        }
        let spans = sentences.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        found.extend(spans.filter(|span| span.starts_with("ferry ")).map(str::to_owned));
        // A usage and a shortened command cannot be typed.
        found.retain(|command| !command.contains(['<', '[', '…']));
        found
    }

    /// The fault of a command that a document names, if it has one. A sentence may leave out what a command
    /// or its last option wants, and names a group of commands by itself.
    fn fault(command: &str) -> Option<String> {
        use clap::error::ErrorKind::{
            DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion, MissingRequiredArgument,
            MissingSubcommand,
        };
        const OF_A_PART: [clap::error::ErrorKind; 5] = [
            DisplayHelp,
            DisplayHelpOnMissingArgumentOrSubcommand,
            DisplayVersion,
            MissingRequiredArgument,
            MissingSubcommand,
        ];
        let line = command.split([';', '|', '>', '&', '#']).next().unwrap_or_default();
        let line = line.trim_end().trim_end_matches('\\').replace('\'', "\"");
        let mut typed: Vec<_> = words(&line).into_iter().map(OsString::from).collect();
        let mut error = crate::naming::parse(&typed).err()?;
        if error.kind() == clap::error::ErrorKind::InvalidValue && line.contains(" --") {
            typed.pop();
            error = crate::naming::parse(&typed).err()?;
        }
        (!OF_A_PART.contains(&error.kind()))
            .then(|| error.to_string().lines().next().unwrap_or_default().to_owned())
    }

    #[test]
    fn commands_that_documents_name_are_commands() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut pages = vec![root.join("README.md"), root.join("SECURITY.md")];
        documents(&root.join("docs"), &mut pages);
        let (mut count, mut faults) = (0, Vec::new());
        for page in pages {
            for command in named(&std::fs::read_to_string(&page).unwrap()) {
                count += 1;
                faults.extend(fault(&command).map(|fault| format!("{}: {command}: {fault}", page.display())));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(count >= 200, "{count} commands");
        assert_eq!(fault("ferry recover --queue"), None);
        assert!(fault("ferry tls init QM1 --client --expose").is_some());
    }

    /// The commands in backticks of the texts in a source file, with a word for each value.
    fn in_texts(source: &str) -> Vec<String> {
        let code: String = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        // A text goes on in the next line behind a backslash and blanks.
        let code = code.split('\\').map(|part| part.strip_prefix(' ').map_or(part, str::trim_start));
        let code = code.collect::<String>();
        let spans = code.split('`').filter(|span| span.starts_with("ferry ") && span.len() < 120);
        let values = |span: &str| {
            let parts = span.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after));
            parts.collect::<Vec<_>>().join("X")
        };
        spans.map(values).collect()
    }

    /// A text may name a command by its words alone; with a value it is to be typed.
    #[test]
    fn commands_with_values_that_errors_name_are_whole() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (mut sources, mut names) = (Vec::new(), Vec::new());
        files(&crates, "rs", &mut sources);
        commands(&Arguments::command(), "", &mut names);
        let (mut count, mut faults) = (0, Vec::new());
        for source in sources.iter().filter(|path| path.components().any(|part| part.as_os_str() == "src")) {
            for command in in_texts(&std::fs::read_to_string(source).unwrap()) {
                let is_whole = || {
                    let typed: Vec<_> = words(&command).into_iter().map(OsString::from).collect();
                    let error = crate::naming::parse(&typed).err();
                    error.is_none_or(|error| error.kind() != clap::error::ErrorKind::MissingRequiredArgument)
                };
                count += 1;
                if !names.iter().any(|name| command == format!("ferry {name}")) && !is_whole() {
                    faults.push(format!("{}: {command}", source.display()));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(count >= 60, "{count} commands");
        assert_eq!(in_texts("x(\"by `ferry tls renew \\\n   {0}`, or\")"), ["ferry tls renew X"]);
    }

    #[test]
    fn each_command_has_examples_that_can_be_typed() {
        let mut names = Vec::new();
        commands(&Arguments::command(), "", &mut names);
        // The programs that measure have commands of their own.
        names.retain(|name| name != "bench" && name != "report");
        names.sort_unstable();
        let mut known = examples::names();
        known.sort_unstable();
        assert_eq!(names, known);
        for name in known {
            for (line, effect) in examples::of(name) {
                assert!(
                    line.starts_with(&format!("ferry {name}")) && effect.ends_with('.'),
                    "{line}: {effect}"
                );
                if let Err(error) = Arguments::try_parse_from(words(line)) {
                    panic!("{line}: {error}");
                }
            }
        }
    }
}
