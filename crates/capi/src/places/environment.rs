//! The environment variables that a program's connection depends on.
//!
//! Always: read when a program connects and not before, so that a program may set them itself; an empty one
//! counts as absent.

use std::ffi::OsString;
use std::path::PathBuf;

/// `CHANNEL/TCP/host(port)`: the one channel to use.
pub const SERVER: &str = "MQSERVER";
/// Where a table of client channels is, as an address.
pub const TABLE_URL: &str = "MQCCDTURL";
/// The directory of the table.
pub const TABLE_DIRECTORY: &str = "MQCHLLIB";
/// The table's name in it.
pub const TABLE_NAME: &str = "MQCHLTAB";
/// The file of client settings.
pub const CLIENT_FILE: &str = "MQCLNTCF";
/// Binding of an ordinary connection: `STANDARD`, `FASTPATH`, `CLIENT` or `LOCAL`.
pub const CONNECT_TYPE: &str = "MQ_CONNECT_TYPE";
/// The name shown for a program that gives none.
pub const APPLICATION: &str = "MQAPPLNAME";
/// The character set of the program.
pub const CCSID: &str = "MQCCSID";
/// The folder or file of keys and trusted certificates.
pub const KEY_STORE: &str = "MQSSLKEYR";
/// The label of the key to show.
pub const LABEL: &str = "MQCERTLABL";
/// `YES` for certified cryptography alone.
pub const FIPS: &str = "MQSSLFIPS";
/// The file that the library writes to what it cannot use, and which settings have no effect.
pub const LOG: &str = "FERRY_CLIENT_LOG";
/// The user's home directory.
pub const HOME: &str = "HOME";

/// The table's name when none is given.
pub const TABLE_NAME_DEFAULT: &str = "ccdt.json";
/// The name of the file of client settings.
pub const CLIENT_FILE_NAME: &str = "mqclient.ini";

/// Values of the variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// [`SERVER`].
    pub server: Option<String>,
    /// [`TABLE_URL`].
    pub table_url: Option<String>,
    /// [`TABLE_DIRECTORY`].
    pub table_directory: Option<String>,
    /// [`TABLE_NAME`].
    pub table_name: Option<String>,
    /// [`CLIENT_FILE`].
    pub client_file: Option<String>,
    /// [`CONNECT_TYPE`].
    pub connect_type: Option<String>,
    /// [`APPLICATION`].
    pub application: Option<String>,
    /// [`CCSID`].
    pub ccsid: Option<String>,
    /// [`KEY_STORE`].
    pub key_store: Option<String>,
    /// [`LABEL`].
    pub label: Option<String>,
    /// [`FIPS`].
    pub fips: Option<String>,
    /// [`LOG`].
    pub log: Option<String>,
    /// [`HOME`].
    pub home: Option<String>,
}

impl Environment {
    /// The environment of this process.
    #[must_use]
    pub fn of_process() -> Self {
        Self::read(|name| std::env::var_os(name))
    }

    /// Reads the variables through `look_up`.
    pub fn read(look_up: impl Fn(&str) -> Option<OsString>) -> Self {
        let text = |name| {
            let value = look_up(name)?.to_string_lossy().trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        Self {
            server: text(SERVER),
            table_url: text(TABLE_URL),
            table_directory: text(TABLE_DIRECTORY),
            table_name: text(TABLE_NAME),
            client_file: text(CLIENT_FILE),
            connect_type: text(CONNECT_TYPE),
            application: text(APPLICATION),
            ccsid: text(CCSID),
            key_store: text(KEY_STORE),
            label: text(LABEL),
            fips: text(FIPS),
            log: text(LOG),
            home: text(HOME),
        }
    }

    /// Where the file of client settings may be, in the order looked at; one that is named is the only one.
    #[must_use]
    pub fn client_files(&self) -> Vec<PathBuf> {
        if let Some(named) = &self.client_file {
            return vec![PathBuf::from(named.strip_prefix("file://").unwrap_or(named))];
        }
        let of_home = self.home.as_ref().map(|home| PathBuf::from(home).join(CLIENT_FILE_NAME));
        [Some(PathBuf::from(CLIENT_FILE_NAME)), of_home].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Environment;

    #[test]
    fn an_empty_variable_counts_as_none() {
        let environment = Environment::read(|name| match name {
            "MQSERVER" => Some(" C/TCP/h ".into()),
            "MQCCDTURL" => Some("  ".into()),
            _ => None,
        });
        assert_eq!(environment.server.as_deref(), Some("C/TCP/h"));
        assert_eq!(environment.table_url, None);
    }

    #[test]
    fn the_file_that_is_named_is_the_only_one_looked_at() {
        let at = |client_file: Option<&str>| {
            let client_file = client_file.map(str::to_owned);
            let environment =
                Environment { client_file, home: Some("/home/me".into()), ..Environment::default() };
            environment.client_files().iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(at(None), ["mqclient.ini", "/home/me/mqclient.ini"]);
        assert_eq!(at(Some("file:///etc/c.ini")), ["/etc/c.ini"]);
        assert_eq!(at(Some("c.ini")), ["c.ini"]);
    }
}
