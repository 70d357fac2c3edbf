//! The file of client settings, `mqclient.ini`.
//!
//! ```text
//! # a comment; so is a line that begins with a semicolon
//! CHANNELS:                                    a stanza, named before its colon
//!   ServerConnectionParms=DEV.APP/TCP/host(1414)
//!   ChannelDefinitionDirectory=/etc/mq         where the table of client channels is
//!   ChannelDefinitionFile=ccdt.json
//!   DefRecon=NO                                NO, YES, QMGR or DISABLED
//!   MQReconnectTimeout=1800                    seconds
//! TCP:
//!   Connect_Timeout=10                         seconds for one address
//! ```
//!
//! Names of stanzas and keys are written in any case. What is not listed here is passed over, as the file is often shared
//! with programs that know more; a value that cannot be used is an error.

use mqi::Reconnect;
use std::time::Duration;

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFile {
    /// The one channel to use (`ServerConnectionParms`).
    pub server: Option<String>,
    /// The directory of the table (`ChannelDefinitionDirectory`).
    pub table_directory: Option<String>,
    /// The table's name in it (`ChannelDefinitionFile`).
    pub table_name: Option<String>,
    /// What to do when a connection breaks, unless program or channel say (`DefRecon`).
    pub reconnect: Reconnect,
    /// After how long without success to give up (`MQReconnectTimeout`).
    pub reconnect_timeout: Option<Duration>,
    /// How long one address may take to answer (`Connect_Timeout`); none for as the library does.
    pub connect_timeout: Option<Duration>,
}

/// Why the file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientFileError {
    /// A line is neither a stanza nor a key with its value.
    #[error("line {line}: \"{text}\" is neither a stanza (NAME:) nor a setting (KEY=value)")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A value cannot be used.
    #[error("line {line}: {key} is \"{value}\"; write {expected}")]
    Value {
        /// Which line, from 1.
        line: usize,
        /// Of what.
        key: &'static str,
        /// The value.
        value: String,
        /// What it can be.
        expected: &'static str,
    },
}

impl ClientFile {
    /// Reads the file's text.
    ///
    /// # Errors
    /// With the first line that is wrong.
    pub fn parse(text: &str) -> Result<Self, ClientFileError> {
        let mut file = Self::default();
        let mut stanza = String::new();
        for (index, line) in text.lines().enumerate() {
            let (number, line) = (index + 1, line.trim());
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = line.strip_suffix(':').filter(|name| !name.contains('=')) {
                stanza = name.trim().to_ascii_uppercase();
            } else if let Some((key, value)) = line.split_once('=') {
                file.set(number, &stanza, key.trim(), value.trim())?;
            } else {
                return Err(ClientFileError::Line { line: number, text: line.to_owned() });
            }
        }
        Ok(file)
    }

    fn set(&mut self, line: usize, stanza: &str, key: &str, value: &str) -> Result<(), ClientFileError> {
        let text = || (!value.is_empty()).then(|| value.to_owned());
        let seconds = |key| {
            let seconds = value.parse().map(Duration::from_secs);
            let expected = "a number of seconds";
            seconds.map_err(|_| ClientFileError::Value { line, key, value: value.to_owned(), expected })
        };
        match (stanza, key.to_ascii_lowercase().as_str()) {
            ("CHANNELS", "serverconnectionparms") => self.server = text(),
            ("CHANNELS", "channeldefinitiondirectory") => self.table_directory = text(),
            ("CHANNELS", "channeldefinitionfile") => self.table_name = text(),
            ("CHANNELS", "mqreconnecttimeout") => {
                self.reconnect_timeout = Some(seconds("MQReconnectTimeout")?);
            }
            ("CHANNELS", "defrecon") => {
                self.reconnect = match value.to_ascii_uppercase().as_str() {
                    "NO" => Reconnect::AsDefault,
                    "YES" => Reconnect::AnyQueueManager,
                    "QMGR" => Reconnect::SameQueueManager,
                    "DISABLED" => Reconnect::Disabled,
                    _ => {
                        let (key, expected) = ("DefRecon", "NO, YES, QMGR or DISABLED");
                        return Err(ClientFileError::Value { line, key, value: value.to_owned(), expected });
                    }
                };
            }
            ("TCP", "connect_timeout") => {
                // None is as long as the operating system tries; so is ours, which is shorter.
                self.connect_timeout = Some(seconds("Connect_Timeout")?).filter(|limit| !limit.is_zero());
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ClientFile;
    use mqi::Reconnect;
    use std::time::Duration;

    #[test]
    fn settings_are_read_and_others_passed_over() {
        let text = "# shared\r\n\r\nChannels:\r\n  ServerConnectionParms=C/TCP/h(1)\r\n  DefRecon = qmgr\r\n\
                    ;old\nCHANNELDEFINITIONDIRECTORY=/etc\n  MQReconnectTimeout=60\nTCP:\n KeepAlive=Yes\n\
                    Connect_Timeout=3\nOther:\nDefRecon=nonsense\n";
        let file = ClientFile::parse(text).unwrap();
        assert_eq!(file.server.as_deref(), Some("C/TCP/h(1)"));
        assert_eq!((file.table_directory.as_deref(), file.table_name), (Some("/etc"), None));
        assert_eq!(file.reconnect, Reconnect::SameQueueManager);
        assert_eq!(file.reconnect_timeout, Some(Duration::from_secs(60)));
        assert_eq!(file.connect_timeout, Some(Duration::from_secs(3)));
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        for (text, expected) in [
            ("\nCHANNELS", "line 2: \"CHANNELS\" is neither a stanza (NAME:) nor a setting (KEY=value)"),
            ("CHANNELS:\nDefRecon=maybe", "line 2: DefRecon is \"maybe\"; write NO, YES, QMGR or DISABLED"),
            ("TCP:\nConnect_Timeout=-1", "line 2: Connect_Timeout is \"-1\"; write a number of seconds"),
        ] {
            assert_eq!(ClientFile::parse(text).unwrap_err().to_string(), expected);
        }
    }
}
