//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    bench, browse, completions, config, copies, dev, dlq, explain, get, guarantees, log, mqsc, publish, put,
    queue_manager, reply, report, request, subscribe, tls, top, topic, transfer, trigger_monitor, uow, user,
};
use crate::output::Format;

/// A queue manager, and everything to run, use and understand it.
#[derive(Debug, Parser)]
#[command(
    name = "ferry",
    version,
    propagate_version = false,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = "Exit codes: 0 ok, 1 failed, 2 usage, 3 not found, 4 refused, 5 timeout.\n\
                  Start here: ferry dev, then in another shell: ferry put DEV.QUEUE.1 hello"
)]
pub(crate) struct Arguments {
    /// What every command understands.
    #[command(flatten)]
    pub(crate) common: Common,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    #[arg(
        short,
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help = "table, or json for one object a line",
        hide_default_value = true
    )]
    pub(crate) output: Format,
    /// Queue manager meant, if there are several [env: FERRY_QMGR]
    #[arg(short = 'm', long, global = true, value_name = "NAME")]
    pub(crate) qmgr: Option<String>,
    /// Address to connect to: host:port, or unix:PATH [env: FERRY_CONNECT]
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub(crate) connect: Option<String>,
    /// Channel to come by [env: FERRY_CHANNEL] [default: SYSTEM.DEF.SVRCONN, none by a local socket]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) channel: Option<String>,
    /// User to connect as; the password is asked for, or read from the file that FERRY_PASSWORD_FILE names
    #[arg(long = "user", global = true, value_name = "NAME")]
    pub(crate) as_user: Option<String>,
    /// Connect by TLS with this CipherSpec; --key-store has the keys
    #[arg(long, global = true, value_name = "CIPHERSPEC", requires = "key_store")]
    pub(crate) tls: Option<String>,
    /// Keys and trusted certificates for --tls: a folder, or one file
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) key_store: Option<PathBuf>,
    /// Connect as the file of ferry tls bundle says
    #[arg(long, global = true, value_name = "FILE", conflicts_with_all = ["connect", "tls", "key_store"])]
    pub(crate) with: Option<PathBuf>,
    /// Data directory [env: FERRY_DATA] [default: ./ferry-data if there, else /var/lib/ferrymq]
    #[arg(long, global = true, value_name = "DIRECTORY")]
    pub(crate) data: Option<PathBuf>,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create (when absent) and run a queue manager for development, in the foreground
    Dev(dev::Arguments),
    /// Create, start, stop, delete and list queue managers
    #[command(subcommand)]
    Qmgr(queue_manager::Command),
    /// List the queue managers of the data directory (short for qmgr list)
    List,
    /// Stop a queue manager (short for qmgr stop)
    Stop(queue_manager::StopArguments),
    /// Put messages on a queue: arguments, files, or one message for each line of standard input
    Put(put::Arguments),
    /// Get messages from a queue, one a line; waits for one unless told otherwise
    Get(get::Arguments),
    /// Look at the messages of a queue without taking them
    Browse(browse::Arguments),
    /// Publish messages to a topic: arguments, files, or one for each line of standard input
    Pub(publish::Arguments),
    /// Subscribe to a topic and print what is published, one publication a line
    Sub(subscribe::Arguments),
    /// Show the topic tree
    #[command(subcommand)]
    Topic(topic::Command),
    /// Put a request and wait for the reply
    Request(request::Arguments),
    /// Answer the requests that arrive on a queue
    Reply(reply::Arguments),
    /// Start programs for the queues whose trigger messages come to an initiation queue
    TriggerMonitor(trigger_monitor::Arguments),
    /// Write the messages of a queue out, one line of JSON for each; they stay unless told otherwise
    Export(transfer::ExportArguments),
    /// Put messages that were exported on a queue, with descriptor and context as they were
    Import(transfer::ImportArguments),
    /// Run MQSC commands: from arguments, a file, standard input, or in a shell
    Mqsc(mqsc::Arguments),
    /// Look at dead letters, send them where they belong, by hand or by a table of rules
    #[command(subcommand)]
    Dlq(dlq::Command),
    /// Dump every definition as MQSC, compare with a file, make it so
    #[command(subcommand)]
    Config(config::Arguments),
    /// Look into the recovery log of a queue manager, running or not; prove it; take images
    #[command(subcommand)]
    Log(log::Command),
    /// Copy a queue manager, running or not, to a directory, and prove the copy
    Backup(copies::BackupArguments),
    /// Make the queue manager of a backup again, where there is none of its name
    Restore(copies::RestoreArguments),
    /// Start a stopped queue manager with a linear log from an image, when its own files are damaged; or give damaged messages of one
    /// queue back while it runs
    Recover(copies::RecoverArguments),
    /// Watch rates and depths
    Top(top::Arguments),
    /// Measure: request/reply, get by correlation identifier, restart, calls in one process
    #[command(subcommand)]
    Bench(bench::Command),
    /// Measure the tables and charts of published reports again, and write a page with ours beside theirs
    Report(report::Arguments),
    /// List units of work that are open, and end them
    #[command(subcommand)]
    Uow(uow::Command),
    /// Make, issue, renew, revoke and show keys and certificates of a queue manager
    #[command(subcommand)]
    Tls(tls::Command),
    /// Add, lock, remove and list users of a queue manager
    #[command(subcommand)]
    User(user::Command),
    /// Explain a reason code or message: 2033, MQRC_Q_FULL, FRY8006I
    Explain(explain::Arguments),
    /// Print what is promised, and what a crash can take with a queue manager's settings
    Guarantees(guarantees::Arguments),
    /// Print the completion script of a shell
    Completions(completions::Arguments),
}

impl Common {
    /// With what the environment says where nothing was typed.
    ///
    /// The parser does not do this, because it would then take a variable that is set for something typed.
    pub(crate) fn with_environment(mut self) -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = |name| variable(name).and_then(|value| value.into_string().ok());
        self.qmgr = self.qmgr.or_else(|| text("FERRY_QMGR"));
        self.connect = self.connect.or_else(|| text("FERRY_CONNECT"));
        self.channel = self.channel.or_else(|| text("FERRY_CHANNEL"));
        self.data = self.data.or_else(|| variable(server::directory::ENVIRONMENT).map(PathBuf::from));
        self
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_commands_do_not_contradict_each_other() {
        <super::Arguments as clap::CommandFactory>::command().debug_assert();
    }
}
