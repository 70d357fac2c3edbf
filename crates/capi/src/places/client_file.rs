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
//!   ReconDelay=(1000,200)(2000)                milliseconds, the second number at most and at random
//!   CCSID=1208                                 the character set of the program
//!   Put1DefaultAlwaysSync=YES                  YES or NO
//!   MessageCompression=LZ4FAST,ZLIBFAST        ways in order of preference, for channels that say none
//!   HeaderCompression=SYSTEM                   the same for frames that carry no message
//! TCP:
//!   Connect_Timeout=10                         seconds for one address
//!   KeepAlive=YES                              YES or NO
//! MessageBuffer:
//!   MaximumSize=1024                           KiB; 0 for no read-ahead, -1 for as much as the library likes
//! SSL:
//!   SSLKeyRepository=/etc/mq/app.pem             the folder or file of keys and trusted certificates
//!   CertificateLabel=app                         the key to show
//!   SSLFipsRequired=NO                           YES is refused
//! ```
//!
//! Names of stanzas and keys may be in any case. A setting that is not listed here is noted and has no
//! effect, since the file is often shared with programs that know more settings. A value that cannot be used
//! is an error.

use client::{CompressionOffer, Compressions, Delay};
use mqi::Reconnect;
use std::time::Duration;

/// Content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientFile {
    /// The one channel to use (`ServerConnectionParms`).
    pub server: Option<String>,
    /// The directory of the table (`ChannelDefinitionDirectory`).
    pub table_directory: Option<String>,
    /// The table's name in it (`ChannelDefinitionFile`).
    pub table_name: Option<String>,
    /// The course of a connection that breaks, unless the program says (`DefRecon`); none leaves it to the
    /// channel.
    pub reconnect: Option<Reconnect>,
    /// After how long without success to give up (`MQReconnectTimeout`).
    pub reconnect_timeout: Option<Duration>,
    /// Longest wait for one address to answer (`Connect_Timeout`); none for the library's default.
    pub connect_timeout: Option<Duration>,
    /// Pauses before attempts to connect again (`ReconDelay`).
    pub reconnect_delays: Vec<Delay>,
    /// The character set of the program (`CCSID`).
    pub ccsid: Option<i32>,
    /// True if an MQPUT1 in a unit of work waits for its outcome when its options leave that open
    /// (`Put1DefaultAlwaysSync`).
    pub put1_waits: Option<bool>,
    /// The compressions of channels that name none (`MessageCompression`, `HeaderCompression`).
    pub compression: CompressionOffer,
    /// Lets the system probe a silent host by TCP keep-alive (`KeepAlive`).
    pub keep_alive: bool,
    /// Most bytes of messages that come before they are asked for (`MaximumSize`).
    pub read_ahead_bytes: Option<u32>,
    /// The folder or file of keys and trusted certificates (`SSLKeyRepository`).
    pub key_store: Option<String>,
    /// The label of the key to show (`CertificateLabel`).
    pub label: Option<String>,
    /// Certified cryptography alone is wanted (`SSLFipsRequired`).
    pub wants_fips: bool,
    /// Settings without effect, as `STANZA key`; at most [`UNKNOWN_MAX`].
    pub unknown: Vec<String>,
}

/// Most settings that are noted as unknown: more than the file of the family has.
pub const UNKNOWN_MAX: usize = 100;

/// Most pauses of `ReconDelay`; the last is for all further attempts.
const DELAYS_MAX: usize = 32;

/// Reads `(fixed,random)(fixed)…`, in milliseconds.
fn delays(text: &str) -> Option<Vec<Delay>> {
    let milliseconds =
        |text: &str| text.trim().parse::<u32>().ok().map(|number| Duration::from_millis(number.into()));
    let list = text.strip_prefix('(')?.strip_suffix(')')?;
    let delay = |pair: &str| {
        let (fixed, random) = pair.split_once(',').unwrap_or((pair, "0"));
        Some(Delay { fixed: milliseconds(fixed)?, random_max: milliseconds(random)? })
    };
    let delays: Option<Vec<_>> = list.split(")(").map(delay).collect();
    delays.filter(|delays| delays.len() <= DELAYS_MAX)
}

/// Why the file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientFileError {
    /// A line is neither a stanza nor a key with its value.
    #[error("line {line}: \"{text}\" is neither a stanza (NAME:) nor a setting (KEY=value)")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// Text of the line.
        text: String,
    },
    /// A value cannot be used.
    #[error("line {line}: {key} is \"{value}\"; write {expected}")]
    Value {
        /// Number of the line, from 1.
        line: usize,
        /// Of what.
        key: &'static str,
        /// The value.
        value: String,
        /// The values allowed.
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
        let wrong = |key, expected| ClientFileError::Value { line, key, value: value.to_owned(), expected };
        let yes_or_no = |key| match value.to_ascii_uppercase().as_str() {
            "YES" => Ok(true),
            "NO" => Ok(false),
            _ => Err(wrong(key, "YES or NO")),
        };
        let ways = |key| {
            let expected =
                "NONE, RLE, ZLIBFAST, ZLIBHIGH, LZ4FAST, LZ4HIGH or SYSTEM, several with commas between";
            Compressions::of_words(value.split(',')).map_err(|_| wrong(key, expected))
        };
        match (stanza, key.to_ascii_lowercase().as_str()) {
            ("CHANNELS", "serverconnectionparms") => self.server = text(),
            ("CHANNELS", "channeldefinitiondirectory") => self.table_directory = text(),
            ("CHANNELS", "channeldefinitionfile") => self.table_name = text(),
            ("CHANNELS", "mqreconnecttimeout") => {
                self.reconnect_timeout = Some(seconds("MQReconnectTimeout")?);
            }
            ("CHANNELS", "defrecon") => {
                self.reconnect = Some(match value.to_ascii_uppercase().as_str() {
                    "NO" => Reconnect::AsDefault,
                    "YES" => Reconnect::AnyQueueManager,
                    "QMGR" => Reconnect::SameQueueManager,
                    "DISABLED" => Reconnect::Disabled,
                    _ => {
                        let (key, expected) = ("DefRecon", "NO, YES, QMGR or DISABLED");
                        return Err(ClientFileError::Value { line, key, value: value.to_owned(), expected });
                    }
                });
            }
            ("TCP", "connect_timeout") => {
                // None is as long as the operating system tries; so is ours, which is shorter.
                self.connect_timeout = Some(seconds("Connect_Timeout")?).filter(|limit| !limit.is_zero());
            }
            ("CHANNELS", "recondelay") => {
                let wrong =
                    || wrong("ReconDelay", "pauses in milliseconds such as (1000,200)(2000), at most 32");
                self.reconnect_delays = delays(value).ok_or_else(wrong)?;
            }
            ("CHANNELS", "ccsid") => {
                let number = value.parse().ok().filter(|number| *number > 0);
                self.ccsid = Some(number.ok_or_else(|| wrong("CCSID", "the number of a character set"))?);
            }
            ("CHANNELS", "put1defaultalwayssync") => {
                self.put1_waits = Some(yes_or_no("Put1DefaultAlwaysSync")?);
            }
            ("CHANNELS", "messagecompression") => {
                self.compression.bodies = ways("MessageCompression")?;
            }
            ("CHANNELS", "headercompression") => {
                self.compression.heads = ways("HeaderCompression")?;
            }
            ("TCP", "keepalive") => self.keep_alive = yes_or_no("KeepAlive")?,
            ("MESSAGEBUFFER", "maximumsize") => {
                let kibibytes = value.parse().ok().filter(|number| (-1..=999_999).contains(number));
                let wrong = || wrong("MaximumSize", "a number of KiB from 1 to 999999, 0 or -1");
                let kibibytes: i64 = kibibytes.ok_or_else(wrong)?;
                self.read_ahead_bytes = u32::try_from(kibibytes * 1024).ok();
            }
            ("SSL", "sslkeyrepository") => self.key_store = text(),
            ("SSL", "certificatelabel") => self.label = text(),
            ("SSL", "sslfipsrequired") => self.wants_fips = yes_or_no("SSLFipsRequired")?,
            _ if self.unknown.len() < UNKNOWN_MAX => self.unknown.push(format!("{stanza} {key}")),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ClientFile;
    use client::Delay;
    use mqi::Reconnect;
    use std::time::Duration;

    #[test]
    fn settings_are_read_and_others_noted() {
        let text = "# shared\r\n\r\nChannels:\r\n  ServerConnectionParms=C/TCP/h(1)\r\n  DefRecon = qmgr\r\n\
                    ;old\nCHANNELDEFINITIONDIRECTORY=/etc\n  MQReconnectTimeout=60\nTCP:\n KeepAlive=Yes\n\
                    Connect_Timeout=3\nOther:\nDefRecon=nonsense\n";
        let file = ClientFile::parse(text).unwrap();
        assert_eq!(file.server.as_deref(), Some("C/TCP/h(1)"));
        assert_eq!((file.table_directory.as_deref(), file.table_name), (Some("/etc"), None));
        assert_eq!(file.reconnect, Some(Reconnect::SameQueueManager));
        assert_eq!(file.reconnect_timeout, Some(Duration::from_secs(60)));
        assert_eq!(file.connect_timeout, Some(Duration::from_secs(3)));
        assert!(file.keep_alive);
        assert_eq!(file.unknown, ["OTHER DefRecon"]);
    }

    #[test]
    fn settings_of_programs_that_reconnect_put_and_read_ahead_are_read() {
        let text = "CHANNELS:\nReconDelay=(1000,200)(2000)\nCCSID=850\nPut1DefaultAlwaysSync=no\n\
                    MessageBuffer:\nMaximumSize=2\nPurgeTime=600\n";
        let file = ClientFile::parse(text).unwrap();
        let milliseconds = Duration::from_millis;
        let delays = [(1000, 200), (2000, 0)]
            .map(|(fixed, random)| Delay { fixed: milliseconds(fixed), random_max: milliseconds(random) });
        assert_eq!(file.reconnect_delays, delays);
        assert_eq!(
            (file.ccsid, file.put1_waits, file.read_ahead_bytes),
            (Some(850), Some(false), Some(2048))
        );
        assert_eq!(file.unknown, ["MESSAGEBUFFER PurgeTime"]);
        for (size, expected) in [("0", Some(0)), ("-1", None), ("999999", Some(999_999 * 1024))] {
            let file = ClientFile::parse(&format!("MessageBuffer:\nMaximumSize={size}")).unwrap();
            assert_eq!(file.read_ahead_bytes, expected, "{size}");
        }
    }

    #[test]
    fn settings_of_tls_are_read() {
        let text = "SSL:\nSSLKeyRepository=/etc/mq/app.pem\ncertificatelabel = app\nSSLFipsRequired=yes\n\
                    OCSPAuthentication=OPTIONAL\n";
        let file = ClientFile::parse(text).unwrap();
        assert_eq!(
            (file.key_store.as_deref(), file.label.as_deref()),
            (Some("/etc/mq/app.pem"), Some("app"))
        );
        assert!(file.wants_fips);
        assert_eq!(file.unknown, ["SSL OCSPAuthentication"]);
    }

    #[test]
    fn a_line_that_is_wrong_is_named() {
        for (text, expected) in [
            ("\nCHANNELS", "line 2: \"CHANNELS\" is neither a stanza (NAME:) nor a setting (KEY=value)"),
            ("CHANNELS:\nDefRecon=maybe", "line 2: DefRecon is \"maybe\"; write NO, YES, QMGR or DISABLED"),
            ("TCP:\nConnect_Timeout=-1", "line 2: Connect_Timeout is \"-1\"; write a number of seconds"),
            ("TCP:\nKeepAlive=maybe", "line 2: KeepAlive is \"maybe\"; write YES or NO"),
            ("CHANNELS:\nCCSID=-1", "line 2: CCSID is \"-1\"; write the number of a character set"),
            (
                "CHANNELS:\nReconDelay=1000",
                "line 2: ReconDelay is \"1000\"; write pauses in milliseconds such as (1000,200)(2000), at most 32",
            ),
            (
                "MessageBuffer:\nMaximumSize=1000000",
                "line 2: MaximumSize is \"1000000\"; write a number of KiB from 1 to 999999, 0 or -1",
            ),
        ] {
            assert_eq!(ClientFile::parse(text).unwrap_err().to_string(), expected);
        }
    }
}
