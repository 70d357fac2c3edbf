//! The choice among all sources of client channels.
//!
//! In this order: the channel a program passes (MQCD); the table it names (MQCNO); MQSERVER;
//! `ServerConnectionParms` of the file of client settings; the table of MQCCDTURL; that of MQCHLLIB and
//! MQCHLTAB; that of the file of client settings.

use super::client_file::{ClientFile, ClientFileError};
use super::definition::{self, DefinitionError};
use super::environment::{Environment, TABLE_NAME_DEFAULT};
use super::found::Found;
use super::security::{Security, SecurityError};
use super::table::{Table, TableError};
use super::{ClientChannel, environment};
use mqi::Reason;
use server::bounded_input::{read, without_mark};
use server::foreign;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no channel to use.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// A definition in one line is none.
    #[error("{source_name}: {error}")]
    Definition {
        /// Where it stands.
        source_name: &'static str,
        /// Description of the fault.
        error: DefinitionError,
    },
    /// A file cannot be read.
    #[error("cannot read the {} {}: {error}; check {}", kind.name, path.display(), kind.named_by)]
    Unreadable {
        /// Its kind.
        kind: &'static FileKind,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A file that was found, and not named, while other users may change it.
    #[error(transparent)]
    Found(#[from] Found),
    /// The file of client settings is wrong.
    #[error("{}: {error}", path.display())]
    ClientFile {
        /// The file.
        path: PathBuf,
        /// Description of the fault.
        error: ClientFileError,
    },
    /// The table is wrong.
    #[error("{}: {error}", path.display())]
    Table {
        /// The table.
        path: PathBuf,
        /// Description of the fault.
        error: TableError,
    },
    /// The table's address is not that of a file.
    #[error("the table of client channels at {0} is not in a file; write file:///path")]
    Url(String),
    /// The table has no channel for the queue manager.
    #[error("{} has no channel for the queue manager \"{queue_manager}\"", path.display())]
    NoChannel {
        /// The table.
        path: PathBuf,
        /// The name a channel would have to bear.
        queue_manager: String,
    },
    /// A variable cannot be used.
    #[error("{name} is \"{value}\"; write {expected}")]
    Variable {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: String,
        /// The values allowed.
        expected: &'static str,
    },
    /// A channel cannot be used by TLS as the program asks.
    #[error(transparent)]
    Security(#[from] SecurityError),
    /// Nothing says where to connect to.
    #[error("nothing says where to connect to: set MQSERVER to CHANNEL/TCP/host(port), or MQCCDTURL")]
    Nothing,
}

impl ChoiceError {
    /// The reason code of the connect call.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Definition { error: DefinitionError::Transport { .. }, .. }
            | Self::NoChannel { .. }
            | Self::Nothing => Reason::Q_MGR_NAME_ERROR,
            Self::Definition { .. }
            | Self::ClientFile { .. }
            | Self::Table { .. }
            | Self::Variable { .. }
            | Self::Found(_)
            | Self::Unreadable { .. } => Reason::CHANNEL_CONFIG_ERROR,
            Self::Url(_) => Reason::CCDT_URL_ERROR,
            Self::Security(error) => error.reason(),
        }
    }
}

/// Settings that are read once for a connection: the environment and the file of client settings.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The environment.
    pub environment: Environment,
    /// The file of client settings; as if it were empty when there is none.
    pub file: ClientFile,
}

impl Settings {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// When the file of client settings cannot be used.
    pub fn of_process() -> Result<Self, ChoiceError> {
        let environment = Environment::of_process();
        let file = client_file(&environment)?;
        Ok(Self { environment, file })
    }

    /// The character set of the program, of the environment before the file; none for that of the library.
    ///
    /// # Errors
    /// When the variable is no number of a character set.
    pub fn ccsid(&self) -> Result<Option<i32>, ChoiceError> {
        let Some(value) = &self.environment.ccsid else { return Ok(self.file.ccsid) };
        match value.parse() {
            Ok(number @ 1..) => Ok(Some(number)),
            _ => Err(ChoiceError::Variable {
                name: environment::CCSID,
                value: value.clone(),
                expected: "the number of a character set",
            }),
        }
    }
}

/// Most bytes of a file of client settings: a person writes some hundred lines.
const CLIENT_FILE_BYTES_MAX: usize = 1 << 20;

/// Most bytes of a table of client channels: some ten thousand channels.
const TABLE_BYTES_MAX: usize = 64 << 20;

/// Opens a regular file: a named pipe keeps no program waiting.
pub(crate) fn open_file(path: &Path, kind: &str) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is no file, and no {kind}")));
    }
    File::open(path)
}

/// A file of client settings, or a table of client channels.
#[derive(Debug)]
pub struct FileKind {
    name: &'static str,
    /// A bound, so that a device without end does not fill the memory of a program.
    bytes_max: usize,
    /// The way to name one that is found, and that others may change.
    remedy: &'static str,
    /// The place that names it.
    named_by: &'static str,
}

static CLIENT_FILE: FileKind = FileKind {
    name: "file of client settings",
    bytes_max: CLIENT_FILE_BYTES_MAX,
    remedy: "name it by MQCLNTCF",
    named_by: "MQCLNTCF",
};

static TABLE: FileKind = FileKind {
    name: "client channel definition table",
    bytes_max: TABLE_BYTES_MAX,
    remedy: "name it by MQCCDTURL, or its whole path in ChannelDefinitionDirectory",
    named_by: "MQCCDTURL, or MQCHLLIB and MQCHLTAB",
};

/// A file with settings, and whether a program, its environment or a whole path names it. Another one is in
/// the folder that the program runs in, or in that of its user, and may be of anybody.
struct Place {
    path: PathBuf,
    is_named: bool,
}

impl Place {
    fn named(path: PathBuf) -> Self {
        Self { path, is_named: true }
    }

    fn read(&self, kind: &'static FileKind) -> Result<Vec<u8>, ChoiceError> {
        let Self { path, is_named } = self;
        let unreadable = |error| ChoiceError::Unreadable { kind, path: path.clone(), error };
        let file = open_file(path, kind.name).map_err(unreadable)?;
        if !is_named {
            let checked = foreign::check_open(path, &file);
            checked.map_err(|foreign| Found::new(path, foreign, kind.remedy))?;
        }
        read(file, kind.name, kind.bytes_max).map_err(unreadable)
    }
}

/// The first file of client settings that is there; one that is named must be.
fn client_file(environment: &Environment) -> Result<ClientFile, ChoiceError> {
    let is_named = environment.client_file.is_some();
    for path in environment.client_files() {
        let place = Place { path, is_named };
        match place.read(&CLIENT_FILE) {
            Ok(bytes) => {
                return ClientFile::parse(&String::from_utf8_lossy(without_mark(&bytes)))
                    .map_err(|error| ChoiceError::ClientFile { path: place.path, error });
            }
            Err(ChoiceError::Unreadable { error, .. })
                if !is_named && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(ClientFile::default())
}

/// Settings that a program gives itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfProgram {
    /// The channel it passes, or the fault of its address.
    pub channel: Option<Result<ClientChannel, DefinitionError>>,
    /// The address of the table it names.
    pub table_url: Option<String>,
    /// The structure of TLS it passes (MQSCO).
    pub security: Security,
}

/// The queue manager a program asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name, or that of a group; empty for any.
    pub name: String,
    /// True if the queue manager that answers may have another name.
    pub is_group: bool,
}

impl Wanted {
    /// Reads the name of a connect call: `*NAME` is a group, and so are a lone asterisk and no name, of those
    /// channels that bear none.
    #[must_use]
    pub fn read(name: &str) -> Self {
        match name.trim_end_matches(' ').strip_prefix('*') {
            Some(group) => Self { name: group.to_owned(), is_group: true },
            None => {
                let name = name.trim_end_matches(' ').to_owned();
                Self { is_group: name.is_empty(), name }
            }
        }
    }

    /// The name the queue manager that answers must have; empty when any will do.
    #[must_use]
    pub fn required(&self) -> &str {
        if self.is_group { "" } else { &self.name }
    }
}

/// The channels to try, in order.
///
/// # Errors
/// Why there is none.
pub fn channels(
    program: &OfProgram,
    settings: &Settings,
    wanted: &Wanted,
    draw: impl FnMut(u64) -> u64,
    draw_once: impl FnMut(u64) -> u64,
) -> Result<Vec<ClientChannel>, ChoiceError> {
    let (environment, file) = (&settings.environment, &settings.file);
    if let Some(channel) = &program.channel {
        let channel = channel.clone().map(|channel| vec![channel]);
        return channel.map_err(|error| ChoiceError::Definition { source_name: "MQCD", error });
    }
    let table = match &program.table_url {
        Some(url) => Place::named(of_url(url)?),
        None => {
            let servers =
                [(environment::SERVER, &environment.server), ("ServerConnectionParms", &file.server)];
            let one = servers.into_iter().find_map(|(name, text)| Some((name, text.as_ref()?)));
            if let Some((source_name, text)) = one {
                let channel = definition::parse(text);
                return channel
                    .map(|channel| vec![channel])
                    .map_err(|error| ChoiceError::Definition { source_name, error });
            }
            table_place(environment, file)?.ok_or(ChoiceError::Nothing)?
        }
    };
    let bytes = table.read(&TABLE).map_err(|error| or_binary_beside(error, &table.path))?;
    let table = table.path;
    let parsed = Table::parse(without_mark(&bytes))
        .map_err(|error| ChoiceError::Table { path: table.clone(), error })?;
    let fitting = parsed.in_order(&wanted.name, draw, draw_once);
    let Some(first) = fitting.first() else {
        return Err(ChoiceError::NoChannel { path: table, queue_manager: wanted.name.clone() });
    };
    // A channel that leads nowhere is passed over where another for this queue manager leads somewhere.
    let is_leading = |channel: &&&ClientChannel| !channel.addresses.is_empty();
    let leading: Vec<ClientChannel> =
        fitting.iter().filter(is_leading).map(|channel| (*channel).clone()).collect();
    if leading.is_empty() {
        let error = TableError::without_connection(&first.name);
        return Err(ChoiceError::Table { path: table, error });
    }
    Ok(leading)
}

/// The error about a table that is not there: one in binary form in its folder is the one that was meant.
fn or_binary_beside(error: ChoiceError, table: &Path) -> ChoiceError {
    let binary = table.with_file_name(client::BINARY_TABLE_NAME);
    match error {
        ChoiceError::Unreadable { error, .. }
            if error.kind() == io::ErrorKind::NotFound && table != binary && binary.is_file() =>
        {
            ChoiceError::Table { path: binary, error: TableError::Binary }
        }
        other => other,
    }
}

/// Where the table is that environment and file name, if they do. A name in the file that is no whole path is
/// looked up in the folder that the program runs in.
fn table_place(environment: &Environment, file: &ClientFile) -> Result<Option<Place>, ChoiceError> {
    if let Some(url) = &environment.table_url {
        return Ok(Some(Place::named(of_url(url)?)));
    }
    let sources = [
        (&environment.table_directory, &environment.table_name, true),
        (&file.table_directory, &file.table_name, false),
    ];
    let Some((directory, name, is_of_environment)) =
        sources.into_iter().find(|(directory, name, _)| directory.is_some() || name.is_some())
    else {
        return Ok(None);
    };
    let directory = of_url(directory.as_deref().unwrap_or_default())?;
    let path = directory.join(name.as_deref().unwrap_or(TABLE_NAME_DEFAULT));
    let is_named = is_of_environment || path.is_absolute();
    Ok(Some(Place { path, is_named }))
}

fn of_url(url: &str) -> Result<PathBuf, ChoiceError> {
    if let Some(path) = url.strip_prefix("file://") {
        return Ok(PathBuf::from(path));
    }
    if url.contains("://") { Err(ChoiceError::Url(url.to_owned())) } else { Ok(PathBuf::from(url)) }
}

#[cfg(test)]
mod tests {
    use super::super::environment::Environment;
    use super::{CLIENT_FILE_BYTES_MAX, TABLE_BYTES_MAX, client_file};
    use super::{ChoiceError, ClientChannel, OfProgram, Settings, Wanted, channels};
    use mqi::Reason;
    use std::path::{Path, PathBuf};

    fn table(directory: &Path, file: &str, channel: &str) -> String {
        let path = directory.join(file);
        let text = format!(
            r#"{{"channel":[{{"name":"{channel}","type":"clientConnection",
               "clientConnection":{{"connection":[{{"host":"h"}}],"queueManager":"G"}}}}]}}"#
        );
        std::fs::write(&path, text).unwrap();
        format!("file://{}", path.display())
    }

    fn chosen(program: &OfProgram, settings: &Settings, wanted: &str) -> Result<String, ChoiceError> {
        let channels = channels(program, settings, &Wanted::read(wanted), |_| 0, |_| 0)?;
        Ok(channels.into_iter().map(|channel| channel.name).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn a_file_without_end_or_without_bytes_is_refused_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let long = directory.path().join("long.json");
        std::fs::File::create(&long).unwrap().set_len(TABLE_BYTES_MAX as u64 + 1).unwrap();
        let device = PathBuf::from("/dev/zero");
        for (path, expected) in [
            (&long, "it has more than 64 MiB, which no client channel definition table has"),
            (&device, "it is no file, and no client channel definition table"),
            (&directory.path().to_owned(), "it is no file, and no client channel definition table"),
        ] {
            let program = OfProgram { table_url: Some(path.display().to_string()), ..OfProgram::default() };
            let said = chosen(&program, &Settings::default(), "*G").unwrap_err().to_string();
            assert!(
                said.contains(expected) && said.ends_with("; check MQCCDTURL, or MQCHLLIB and MQCHLTAB"),
                "{said}"
            );
        }
        let settings = directory.path().join("mqclient.ini");
        std::fs::File::create(&settings).unwrap().set_len(CLIENT_FILE_BYTES_MAX as u64 + 1).unwrap();
        for (path, expected) in [
            (&settings, "it has more than 1 MiB"),
            (&device, "it is no file, and no file of client settings"),
        ] {
            let environment =
                Environment { client_file: Some(path.display().to_string()), ..Environment::default() };
            let said = client_file(&environment).unwrap_err().to_string();
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn what_stands_nearer_to_the_program_counts() {
        let directory = tempfile::tempdir().unwrap();
        let at = |file: &str, channel: &str| table(directory.path(), file, channel);
        let mut program = OfProgram {
            channel: Some(Ok(ClientChannel::to("OF.PROGRAM", Vec::new()))),
            table_url: Some(at("named.json", "OF.NAMED.TABLE")),
            ..OfProgram::default()
        };
        let mut settings = Settings::default();
        settings.environment.server = Some("OF.MQSERVER/TCP/h".into());
        settings.file.server = Some("OF.FILE/TCP/h".into());
        settings.environment.table_url = Some(at("url.json", "OF.MQCCDTURL"));
        settings.environment.table_directory = Some(directory.path().display().to_string());
        at("ccdt.json", "OF.MQCHLLIB");
        settings.file.table_directory = Some(directory.path().display().to_string());
        settings.file.table_name = Some("file.json".into());
        at("file.json", "OF.FILE.TABLE");
        let mut seen = Vec::new();
        let steps: [fn(&mut OfProgram, &mut Settings); 7] = [
            |program, _| program.channel = None,
            |program, _| program.table_url = None,
            |_, settings| settings.environment.server = None,
            |_, settings| settings.file.server = None,
            |_, settings| settings.environment.table_url = None,
            |_, settings| settings.environment.table_directory = None,
            |_, settings| (settings.file.table_directory, settings.file.table_name) = (None, None),
        ];
        for step in steps {
            seen.push(chosen(&program, &settings, "*G").unwrap());
            step(&mut program, &mut settings);
        }
        let expected = [
            "OF.PROGRAM",
            "OF.NAMED.TABLE",
            "OF.MQSERVER",
            "OF.FILE",
            "OF.MQCCDTURL",
            "OF.MQCHLLIB",
            "OF.FILE.TABLE",
        ];
        assert_eq!(seen, expected);
        let nothing = chosen(&program, &settings, "*G").unwrap_err();
        assert!(matches!(nothing, ChoiceError::Nothing) && nothing.reason() == Reason::Q_MGR_NAME_ERROR);
    }

    #[test]
    fn what_cannot_be_used_is_refused_and_not_passed_over() {
        let directory = tempfile::tempdir().unwrap();
        let url = table(directory.path(), "t.json", "C");
        let refused = |settings: &Settings, wanted: &str| {
            chosen(&OfProgram::default(), settings, wanted).unwrap_err().reason()
        };
        let mut settings = Settings::default();
        settings.environment.table_url = Some(url);
        assert_eq!(refused(&settings, "OTHER"), Reason::Q_MGR_NAME_ERROR);
        settings.environment.table_url = Some("https://h/ccdt.json".into());
        assert_eq!(refused(&settings, "G"), Reason::CCDT_URL_ERROR);
        settings.environment.table_url = Some("/nonexistent/ccdt.json".into());
        assert_eq!(refused(&settings, "G"), Reason::CHANNEL_CONFIG_ERROR);
        settings.environment.server = Some("nonsense".into());
        assert_eq!(refused(&settings, "G"), Reason::CHANNEL_CONFIG_ERROR);
        settings.environment.server = Some("C/PIGEON/h".into());
        assert_eq!(refused(&settings, "G"), Reason::Q_MGR_NAME_ERROR);
    }

    #[test]
    fn a_table_in_binary_form_is_named_with_the_way_to_json() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("AMQCLCHL.TAB");
        std::fs::write(&path, b"AMQR\x01\0\0\0").unwrap();
        let mut settings = Settings::default();
        settings.environment.table_directory = Some(directory.path().display().to_string());
        for name in [None, Some("AMQCLCHL.TAB"), Some("ccdt.json")] {
            settings.environment.table_name = name.map(str::to_owned);
            let error = chosen(&OfProgram::default(), &settings, "*G").unwrap_err();
            assert_eq!(error.reason(), Reason::CHANNEL_CONFIG_ERROR);
            let expected = format!("{}: a table of client channels in binary form", path.display());
            assert!(error.to_string().starts_with(&expected), "{error}");
            assert!(error.to_string().contains("`runmqsc -n < clntconn.mqsc`"), "{error}");
        }
        // A JSON table beside it is read.
        table(directory.path(), "ccdt.json", "C");
        settings.environment.table_name = None;
        assert_eq!(chosen(&OfProgram::default(), &settings, "*G").unwrap(), "C");
    }

    #[test]
    fn the_directory_of_a_table_may_be_an_address() {
        let directory = tempfile::tempdir().unwrap();
        table(directory.path(), "ccdt.json", "C");
        let address = format!("file://{}", directory.path().display());
        let at = |of_environment: Option<&str>, of_file: Option<&str>| {
            let mut settings = Settings::default();
            settings.environment.table_directory = of_environment.map(str::to_owned);
            settings.file.table_directory = of_file.map(str::to_owned);
            chosen(&OfProgram::default(), &settings, "*G").map_err(|error| error.reason())
        };
        assert_eq!(at(Some(&address), None), Ok("C".to_owned()));
        assert_eq!(at(None, Some(&address)), Ok("C".to_owned()));
        assert_eq!(at(Some("ftp://h/var"), None), Err(Reason::CCDT_URL_ERROR));
    }

    #[test]
    fn a_name_with_an_asterisk_is_a_group() {
        for (text, name, required) in
            [("QM1  ", "QM1", "QM1"), ("*G", "G", ""), ("*", "", ""), ("", "", ""), ("   ", "", "")]
        {
            let wanted = Wanted::read(text);
            assert_eq!((wanted.name.as_str(), wanted.required()), (name, required), "{text}");
        }
    }
}
