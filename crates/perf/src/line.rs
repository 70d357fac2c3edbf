//! The line of a bench's clients to its queue manager: compression, and TLS with certificates both ways.
//!
//! Lives here: the names, and the channel and keys that a queue manager of the bench's own gets for them.
//! Lives elsewhere: ways without either (`access`).
//!
//! Always: commands go by the local socket, where no rule is asked; only messages go over the line.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::str::FromStr;

use anyhow::{Context as _, Result, bail, ensure};
use client::{Compression, CompressionOffer, Options, Tls};
use serde::{Deserialize, Serialize};

use crate::belongings::Group;
use crate::server_process::ServerProcess;

/// The channel of such clients.
const CHANNEL: &str = "BENCH.LINE";

/// The name in the certificate of the clients, and the user they act as.
const CLIENT: &str = "bench";

/// A compression of bodies by its word: `zlibfast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Way(u8);

impl Way {
    fn compression(self) -> Compression {
        Compression::ALL[usize::from(self.0)]
    }
}

impl FromStr for Way {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let is_meant =
            |way: &Compression| *way != Compression::System && text.eq_ignore_ascii_case(way.word());
        let place = Compression::ALL.iter().position(is_meant).with_context(|| {
            format!("\"{text}\" is no compression: use rle, zlibfast, zlibhigh, lz4fast or lz4high")
        })?;
        Ok(Self(place as u8))
    }
}

/// A CipherSpec that the keys of a bench are good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Suite(u8);

/// All of them. The keys are of elliptic curves.
const SUITES: [&str; 5] = [
    "TLS_AES_256_GCM_SHA384",
    "TLS_AES_128_GCM_SHA256",
    "TLS_CHACHA20_POLY1305_SHA256",
    "ECDHE_ECDSA_AES_256_GCM_SHA384",
    "ECDHE_ECDSA_AES_128_GCM_SHA256",
];

impl Suite {
    fn name(self) -> &'static str {
        SUITES[usize::from(self.0)]
    }
}

impl FromStr for Suite {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let place = SUITES.iter().position(|name| text.eq_ignore_ascii_case(name)).with_context(|| {
            format!("\"{text}\" is no CipherSpec of a bench: use one of {}", SUITES.join(", "))
        })?;
        Ok(Self(place as u8))
    }
}

impl TryFrom<String> for Way {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Way> for String {
    fn from(way: Way) -> Self {
        way.compression().word().to_lowercase()
    }
}

impl TryFrom<String> for Suite {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Suite> for String {
    fn from(suite: Suite) -> Self {
        suite.name().to_owned()
    }
}

/// The line, as it is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Wanted {
    /// A compression; none for frames as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compress: Option<Way>,
    /// A CipherSpec; none for connections in the clear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls: Option<Suite>,
}

impl Wanted {
    /// A line that is neither compressed nor encrypted.
    pub const PLAIN: Self = Self { compress: None, tls: None };

    /// True for such a line.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::PLAIN
    }

    /// Checks that the line may be had at a place.
    ///
    /// # Errors
    /// When it may not.
    pub(crate) fn check(self, is_by_tcp: bool, queue_managers: u8) -> Result<()> {
        ensure!(
            self.is_plain() || is_by_tcp,
            "compression and TLS are those of connections over TCP: use --transport tcp, or leave them out"
        );
        ensure!(
            self.is_plain() || queue_managers == 1,
            "compression and TLS are those of clients of one queue manager: use --queue-managers 1, or leave \
             them out"
        );
        Ok(())
    }

    /// The settings that a queue manager listens by.
    pub(crate) fn listener(self) -> &'static str {
        if self.tls.is_some() { "tls = \"required\"\n" } else { "" }
    }
}

/// The line to one queue manager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    wanted: Wanted,
    /// The file with key and authority.
    keys: Option<PathBuf>,
}

impl Line {
    /// Makes the keys for a queue manager that is there and does not run yet.
    ///
    /// # Errors
    /// When a command fails.
    pub(crate) fn prepare(wanted: Wanted, server: &Making<'_>) -> Result<Option<Self>> {
        if wanted.is_plain() {
            return Ok(None);
        }
        let keys = wanted.tls.map(|cipherspec| {
            let file = server.data.join("bench.ferry");
            server.ferry(&["tls", "init", server.name, "--host", "127.0.0.1"])?;
            server.ferry(&["tls", "issue", server.name, CLIENT])?;
            let path = file.to_str().context("the directory for temporary files is no text")?;
            server.ferry(&["tls", "bundle", server.name, CLIENT, path, "--cipherspec", cipherspec.name()])?;
            Ok::<_, anyhow::Error>(file)
        });
        Ok(Some(Self { wanted, keys: keys.transpose()? }))
    }

    /// Defines the channel, by the local socket.
    ///
    /// # Errors
    /// When a command fails.
    pub(crate) fn define(&self, by: &dyn Fn(&str) -> Result<String>) -> Result<()> {
        let Wanted { compress, tls } = self.wanted;
        let compress = compress.map(|way| format!(" COMPMSG({})", way.compression().word()));
        let cipher = tls.map(|suite| format!(" SSLCIPH({}) SSLCAUTH(REQUIRED)", suite.name()));
        by(&format!(
            "DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) LIKE(SYSTEM.DEF.SVRCONN){}{}",
            compress.unwrap_or_default(),
            cipher.unwrap_or_default()
        ))?;
        if tls.is_some() {
            by(&format!(
                "SET CHLAUTH({CHANNEL}) TYPE(SSLPEERMAP) SSLPEER('CN={CLIENT}') USERSRC(MAP) MCAUSER('{CLIENT}')"
            ))?;
            by(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{CLIENT}') AUTHADD(ALL)"))?;
            for object_type in ["QUEUE", "TOPIC", "RQMNAME"] {
                by(&format!(
                    "SET AUTHREC PROFILE('**') OBJTYPE({object_type}) PRINCIPAL('{CLIENT}') AUTHADD(ALL)"
                ))?;
            }
        }
        Ok(())
    }

    /// Connects by this line.
    pub(crate) fn apply(&self, options: Options) -> Options {
        let bodies = self.wanted.compress.map(Way::compression).into_iter().collect();
        let options =
            options.channel(CHANNEL).compression(CompressionOffer { bodies, ..CompressionOffer::default() });
        match (&self.keys, self.wanted.tls) {
            (Some(keys), Some(cipherspec)) => options.tls(Tls {
                key_store: keys.clone(),
                cipherspec: cipherspec.name().to_owned(),
                ..Tls::default()
            }),
            _ => options,
        }
    }

    /// Bytes that compression saves, in per cent, as CHSTATUS tells them over a long time; none where nothing
    /// was compressed.
    pub(crate) fn saved(by: &dyn Fn(&str) -> Result<String>) -> Result<Option<f64>> {
        let shown = by(&format!("DISPLAY CHSTATUS({CHANNEL}) COMPRATE"))?;
        let rates = shown.split("COMPRATE(").skip(1).filter_map(|rest| {
            let (_, long) = rest.split_once(')')?.0.split_once(',')?;
            long.trim().parse::<f64>().ok()
        });
        let rates: Vec<f64> = rates.collect();
        let count = rates.len() as f64;
        Ok((count > 0.0).then(|| rates.iter().sum::<f64>() / count))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(way) = self.wanted.compress {
            write!(formatter, ", compressed by {}", way.compression().word())?;
        }
        if let Some(suite) = self.wanted.tls {
            write!(formatter, ", TLS with {}", suite.name())?;
        }
        Ok(())
    }
}

/// A queue manager that was created and does not run yet.
pub(crate) struct Making<'a> {
    pub(crate) name: &'a str,
    pub(crate) program: &'a std::path::Path,
    pub(crate) data: &'a std::path::Path,
}

impl Making<'_> {
    fn ferry(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new(self.program);
        command.args(arguments).arg("--data").arg(self.data).stdin(Stdio::null()).stdout(Stdio::null());
        let (status, said) =
            Group::run(&mut command).with_context(|| format!("cannot run {}", self.program.display()))?;
        if !status.success() {
            bail!("ferry {}: {}", arguments.join(" "), said.trim());
        }
        Ok(())
    }
}

/// The way of commands to a queue manager whose clients come by a line.
pub(crate) fn administration(server: &ServerProcess) -> Result<client::Address> {
    let path = server.listens().iter().find(|text| text.contains('/'));
    path.map(|path| client::Address::Unix(path.into())).context("the queue manager has no local socket")
}
