//! Options that every command understands.

use std::path::PathBuf;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::next_step::PlaceOptions;
use crate::output::Format;
use crate::password::Source;

/// The variable that names a context.
const CONTEXT: &str = "FERRY_CONTEXT";

/// The variable that names the port of this machine where a queue manager is looked for last.
const PORT: &str = "FERRY_PORT";

/// Identifiers of the options that say which queue manager, user or data directory is meant.
const PLACE: [&str; 9] =
    ["qmgr", "connect", "channel", "as_user", "tls", "key_store", "with", "context", "data"];

/// True for the identifier of an option that names a place.
#[must_use]
pub fn is_of_place(option: &str) -> bool {
    PLACE.contains(&option)
}

/// Options of every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Common {
    /// Form of what is printed.
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
    pub output: Format,
    /// Queue manager; not needed when only one runs [env: FERRY_QMGR]
    #[arg(short = 'm', long, global = true, value_name = "NAME")]
    pub qmgr: Option<String>,
    /// Address to connect to: host:port, or unix:PATH [env: FERRY_CONNECT]
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub connect: Option<String>,
    /// Channel to connect by [env: FERRY_CHANNEL] [default: SYSTEM.DEF.SVRCONN, none by a local socket]
    #[arg(long, global = true, value_name = "NAME")]
    pub channel: Option<String>,
    /// User to connect as; the password is asked for, or read from the file that FERRY_PASSWORD_FILE names
    #[arg(long = "user", global = true, value_name = "NAME")]
    pub as_user: Option<String>,
    /// Connect by TLS with this CipherSpec; --key-store has the keys
    #[arg(long, global = true, value_name = "CIPHERSPEC")]
    pub tls: Option<String>,
    /// Keys and trusted certificates for --tls: a folder, or one file
    #[arg(long, global = true, value_name = "PATH")]
    pub key_store: Option<PathBuf>,
    /// Connect by this file of ferry tls bundle
    #[arg(long, global = true, value_name = "FILE", conflicts_with_all = ["connect", "tls", "key_store"])]
    pub with: Option<PathBuf>,
    /// Connect by this context of `ferry context` [env: FERRY_CONTEXT]
    #[arg(long, global = true, value_name = "NAME", conflicts_with_all = ["connect", "with"])]
    pub context: Option<String>,
    /// The place of the password of the user, where a context names one.
    #[arg(skip)]
    pub password: Option<Source>,
    /// The proof of a user that was read already; it stands over the user of the other options.
    #[arg(skip)]
    pub credentials: Option<client::Credentials>,
    /// Data directory [env: FERRY_DATA] [default: ./ferry-data if there, else /var/lib/ferrymq]
    #[arg(long, global = true, value_name = "DIRECTORY")]
    pub data: Option<PathBuf>,
    /// True where a context that a person chose does not count.
    #[arg(skip)]
    pub leaves_chosen_context: bool,
    /// The port of this machine where a queue manager is looked for last, as the environment says it.
    #[arg(skip)]
    pub port: Option<String>,
    /// True where the environment names the queue manager, and nothing that was typed.
    #[arg(skip)]
    pub is_of_environment: bool,
    /// The options that say which queue manager is meant, as typed.
    #[arg(skip)]
    pub typed: PlaceOptions,
}

impl Common {
    /// With what the environment says where nothing was typed.
    ///
    /// The parser does not do this, because it would then take a variable that is set for something typed. A
    /// context that is named stands over the variables, as it says where the queue manager is.
    pub fn with_environment(mut self) -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = |name| variable(name).and_then(|value| value.into_string().ok());
        self.is_of_environment = self.qmgr.is_none();
        self.typed = PlaceOptions::new(self.place());
        if self.context.is_none() && self.connect.is_none() && self.with.is_none() {
            self.connect = text("FERRY_CONNECT");
            self.context = if self.connect.is_none() { text(CONTEXT) } else { None };
        }
        if self.context.is_some() {
            return self;
        }
        self.port = text(PORT);
        self.qmgr = self.qmgr.or_else(|| text("FERRY_QMGR"));
        self.channel = self.channel.or_else(|| text("FERRY_CHANNEL"));
        self.data = self.data.or_else(|| variable(server::directory::ENVIRONMENT).map(PathBuf::from));
        self
    }

    /// True if an option says which queue manager is meant.
    #[must_use]
    pub fn names_place(&self) -> bool {
        !self.place().is_empty()
    }

    /// The options that say which queue manager is meant, before the environment is added.
    fn place(&self) -> Vec<(&'static str, String)> {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let options = [
            ("-m", self.qmgr.clone()),
            ("--connect", self.connect.clone()),
            ("--channel", self.channel.clone()),
            ("--user", self.as_user.clone()),
            ("--tls", self.tls.clone()),
            ("--key-store", path(&self.key_store)),
            ("--context", self.context.clone()),
            ("--with", path(&self.with)),
            ("--data", path(&self.data)),
        ];
        options.into_iter().filter_map(|(option, value)| Some((option, value?))).collect()
    }

    /// The port of this machine where a queue manager is looked for last.
    ///
    /// # Errors
    /// A usage failure when the environment says something that is no port.
    pub(crate) fn last_port(&self) -> Result<u16> {
        let Some(text) = &self.port else { return Ok(client::PORT) };
        text.parse().map_err(|_| {
            Failure::usage(format!("{PORT} is \"{text}\", which is no port"))
                .next(format!("set {PORT} to a number up to 65535, or unset it for {}", client::PORT))
        })
    }

    /// Returns these options for the queue manager that a command names by a word of its own, if it does.
    /// `-m NAME` and the word mean the same; a word stands over the environment.
    ///
    /// # Errors
    /// A usage failure when `-m` and the word name different queue managers.
    pub fn named(&self, word: Option<&str>) -> Result<Self> {
        let Some(word) = word else { return Ok(self.clone()) };
        match &self.qmgr {
            Some(other) if other != word && !self.is_of_environment => {
                Err(Failure::usage(format!("two queue managers are named: {word}, and {other} by -m"))
                    .next("name one of them"))
            }
            _ => Ok(Self { qmgr: Some(word.to_owned()), ..self.clone() }),
        }
    }
}
