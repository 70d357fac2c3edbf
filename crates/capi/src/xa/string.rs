//! The text with which a transaction manager opens a resource manager: `NAME=value,NAME=value`, or the name
//! of a queue manager alone.

use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use client::{Credentials, Secret};
use mqi::QueueManagerName;

use crate::opening::Identity;
use crate::places::ClientChannel;
use crate::places::choice::open_file;
use crate::places::definition;

/// Most bytes of a text, with the NUL behind it.
pub const TEXT_BYTES_MAX: usize = 256;

/// Most bytes of a file with a password.
const PASSWORD_BYTES_MAX: u64 = 1_024;

/// Bits of a mode that let others than the owner in.
const OF_OTHERS: u32 = 0o077;

/// The request of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The queue manager to connect to.
    pub queue_manager: String,
    /// A channel and its address, for a connection over the network.
    pub channel: Option<(String, String)>,
    /// The CipherSpec of the channel; blank for none.
    pub cipher: String,
    /// The library with the functions that a transaction manager is told of work by.
    pub library: Option<String>,
    user: Option<String>,
    password_file: Option<String>,
}

/// A text that opens nothing, in words for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// It is longer than the specification allows.
    #[error("the text for xa_open has more than {} bytes; the NUL behind them is one more", TEXT_BYTES_MAX - 1)]
    TooLong,
    /// It has bytes that are no UTF-8.
    #[error("the text for xa_open is not UTF-8")]
    NotText,
    /// A part has no name. It is not told, since it may be a password.
    #[error("part {0} of the text for xa_open has no name; write NAME=value, separated by commas")]
    NoName(usize),
    /// A name has no value.
    #[error("{0} in the text for xa_open has no value; write {0}=value")]
    NoValue(&'static str),
    /// A part has another name.
    #[error(
        "\"{0}\" in the text for xa_open is not known; there are QMNAME, CHANNEL, CONNAME, TRPTYPE, AXLIB, TPM, USER, \
             PASSWORDFILE and SSLCIPH"
    )]
    Unknown(String),
    /// Two parts have one name.
    #[error("{0} is in the text for xa_open twice")]
    Twice(&'static str),
    /// It names no queue manager, or any of several, or has characters that no name has.
    #[error("the text for xa_open names no queue manager; write QMNAME=name")]
    NoQueueManager,
    /// A part stands without the one that belongs to it.
    #[error("the text for xa_open has {0} without {1}; give both or none")]
    Half(&'static str, &'static str),
    /// A transport that there is not.
    #[error("TRPTYPE={0} in the text for xa_open is not TCP")]
    Transport(String),
    /// The file of the password cannot be used.
    #[error("the password for xa_open cannot be read from {path}: {why}")]
    Password {
        /// The file.
        path: String,
        /// The reason.
        why: String,
    },
    /// CONNAME has no addresses.
    #[error("CONNAME in the text for xa_open: {0}")]
    Address(String),
}

/// The names that a text may have, as they are told.
const NAMES: [&str; 9] =
    ["QMNAME", "CHANNEL", "CONNAME", "TRPTYPE", "AXLIB", "TPM", "USER", "PASSWORDFILE", "SSLCIPH"];

impl Opening {
    /// Reads a text.
    ///
    /// # Errors
    /// In words, where it opens nothing.
    pub fn parse(text: &str) -> Result<Self, OpeningError> {
        let text = text.trim();
        if !text.contains('=') {
            return Self { queue_manager: text.to_owned(), ..Self::default() }.checked();
        }
        let mut values: [Option<String>; NAMES.len()] = [const { None }; NAMES.len()];
        for (index, part) in text.split(',').map(str::trim).enumerate().filter(|(_, part)| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or(OpeningError::NoName(index + 1))?;
            let (name, value) = (name.trim(), value.trim());
            let place = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
            let place = place.ok_or_else(|| OpeningError::Unknown(name.to_owned()))?;
            if value.is_empty() {
                return Err(OpeningError::NoValue(NAMES[place]));
            }
            if values[place].replace(value.to_owned()).is_some() {
                return Err(OpeningError::Twice(NAMES[place]));
            }
        }
        // TPM names a transaction manager whose functions are in the program anyway.
        let [queue_manager, channel, address, transport, library, _tpm, user, password_file, cipher] = values;
        if let Some(transport) = transport.filter(|transport| !transport.eq_ignore_ascii_case("tcp")) {
            return Err(OpeningError::Transport(transport));
        }
        let channel = match (channel, address) {
            (Some(channel), Some(address)) => Some((channel, address)),
            (None, None) => None,
            (Some(_), None) => return Err(OpeningError::Half("CHANNEL", "CONNAME")),
            (None, Some(_)) => return Err(OpeningError::Half("CONNAME", "CHANNEL")),
        };
        let opening = Self {
            queue_manager: queue_manager.unwrap_or_default(),
            channel,
            cipher: cipher.unwrap_or_default(),
            library,
            user,
            password_file,
        };
        match (&opening.user, &opening.password_file) {
            (Some(_), None) => Err(OpeningError::Half("USER", "PASSWORDFILE")),
            (None, Some(_)) => Err(OpeningError::Half("PASSWORDFILE", "USER")),
            _ => opening.checked(),
        }
    }

    fn checked(self) -> Result<Self, OpeningError> {
        let is_name = self.queue_manager.parse::<QueueManagerName>().is_ok();
        if !is_name || self.queue_manager.is_empty() {
            return Err(OpeningError::NoQueueManager);
        }
        self.client_channel()?;
        Ok(self)
    }

    /// The channel over which it connects, where it names one. Addresses are separated by semicolons, since a
    /// comma ends the value.
    ///
    /// # Errors
    /// In words, where CONNAME has no address.
    pub fn client_channel(&self) -> Result<Option<ClientChannel>, OpeningError> {
        let Some((name, list)) = &self.channel else { return Ok(None) };
        let addresses = definition::addresses(&list.replace(';', ","))
            .map_err(|error| OpeningError::Address(error.to_string()))?;
        Ok(Some(ClientChannel { cipher: self.cipher.clone(), ..ClientChannel::to(name.clone(), addresses) }))
    }

    /// The user that it connects as. The file must be its owner's alone: a text for xa_open is shown in the
    /// lists of processes and in the files of transaction managers, so that no password may stand there.
    pub(super) fn identity(&self) -> Result<Identity, OpeningError> {
        let (Some(user), Some(path)) = (&self.user, &self.password_file) else {
            return Ok(Identity::OfProcess);
        };
        let refused = |why: String| OpeningError::Password { path: path.clone(), why };
        let password = read_private(Path::new(path)).map_err(refused)?;
        let credentials = Credentials::password(user, Secret::new(password.into_bytes()));
        credentials.map(Identity::Proved).map_err(|error| refused(error.to_string()))
    }
}

fn read_private(path: &Path) -> Result<String, String> {
    let file = open_file(path, "file of a password").map_err(|error| error.to_string())?;
    // Of the file that is open: another may be at the path by now.
    let facts = file.metadata().map_err(|error| error.to_string())?;
    if facts.mode() & OF_OTHERS != 0 {
        return Err(format!("others may read it: chmod 600 {}", path.display()));
    }
    if facts.len() > PASSWORD_BYTES_MAX {
        return Err(format!("it is longer than {PASSWORD_BYTES_MAX} bytes"));
    }
    let mut text = String::new();
    file.take(PASSWORD_BYTES_MAX).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Opening, OpeningError};

    #[test]
    fn names_are_in_any_case_and_a_bare_name_is_that_of_a_queue_manager() {
        assert_eq!(Opening::parse(" QM1 ").unwrap().queue_manager, "QM1");
        let opening =
            Opening::parse("qmname=QM1, Channel=APP.SVRCONN,CONNAME=a(1414);b(1515),trptype=tcp").unwrap();
        assert_eq!(opening.queue_manager, "QM1");
        assert_eq!(opening.client_channel().unwrap().unwrap().addresses.len(), 2);
        assert_eq!(Opening::parse("QMNAME=QM1,TPM=CICS,AXLIB=libtm.so").unwrap().channel, None);
    }

    #[test]
    fn a_text_that_means_nothing_is_refused_in_words() {
        let cases = [
            ("", OpeningError::NoQueueManager),
            ("*GROUP", OpeningError::NoQueueManager),
            ("QMNAME=*ANY", OpeningError::NoQueueManager),
            ("TPM=CICS", OpeningError::NoQueueManager),
            ("QMNAME=", OpeningError::NoValue("QMNAME")),
            ("QMNAME=A,B", OpeningError::NoName(2)),
            ("QM1,app,a secret", OpeningError::NoQueueManager),
            ("QMNAME=no name", OpeningError::NoQueueManager),
            ("QMNAME=A,QMNAME=B", OpeningError::Twice("QMNAME")),
            ("QMNAME=A,COLOUR=red", OpeningError::Unknown("COLOUR".into())),
            ("QMNAME=A,CHANNEL=C", OpeningError::Half("CHANNEL", "CONNAME")),
            ("QMNAME=A,CONNAME=h", OpeningError::Half("CONNAME", "CHANNEL")),
            ("QMNAME=A,USER=u", OpeningError::Half("USER", "PASSWORDFILE")),
            ("QMNAME=A,PASSWORDFILE=f", OpeningError::Half("PASSWORDFILE", "USER")),
            ("QMNAME=A,TRPTYPE=LU62", OpeningError::Transport("LU62".into())),
        ];
        for (text, refusal) in cases {
            assert!(!refusal.to_string().contains("secret"), "{refusal}");
            assert_eq!(Opening::parse(text), Err(refusal), "{text}");
        }
        let no_address = Opening::parse("QMNAME=A,CHANNEL=C,CONNAME=h(none)").unwrap_err();
        assert!(no_address.to_string().starts_with("CONNAME in the text for xa_open: "), "{no_address}");
    }
}
