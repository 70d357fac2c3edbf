//! A file for a program: the way to a queue manager, and the keys to come in by.
//!
//! ```text
//! queue-manager: QM1
//! address: mq.example.com(1414)
//! channel: DEV.APP.SVRCONN
//! cipherspec: ANY_TLS12_OR_HIGHER
//! -----BEGIN CERTIFICATE-----
//! …
//! ```
//!
//! Certificate and key of the program come first, then the authority, and the former one while it is
//! trusted. The file of a program that comes with a password has the authority alone. PEM passes over the
//! lines in front, so the file is a key store of its own. The label of the key is in the line before it
//! ([`LABEL`](crate::pem::LABEL)).
//!
//! Always: a line that is not of these four is refused: a file from elsewhere starts nothing and changes
//! nothing.

/// Most bytes of the lines in front of the keys.
const HEAD_BYTES_MAX: usize = 4 << 10;

/// The way to a queue manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Its name.
    pub queue_manager: String,
    /// Its address, as a list of connections has it.
    pub address: String,
    /// The channel.
    pub channel: String,
    /// SSLCIPH of the channel.
    pub cipherspec: String,
}

/// Why a file is no bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// The lines in front are too long.
    #[error("the file has no keys within its first {HEAD_BYTES_MAX} bytes: ask for another bundle")]
    TooLong,
    /// A line is not known.
    #[error("the file has the line {0:?}, which no bundle has: ask for another bundle")]
    Line(String),
    /// A line stands twice, or is missing.
    #[error("the file has the line {0} not exactly once: ask for another bundle")]
    NotOnce(&'static str),
}

impl Way {
    /// Writes the lines.
    #[must_use]
    pub fn head(&self) -> String {
        let Self { queue_manager, address, channel, cipherspec } = self;
        format!(
            "queue-manager: {queue_manager}\naddress: {address}\nchannel: {channel}\ncipherspec: {cipherspec}\n"
        )
    }

    /// Reads the lines in front of the keys.
    ///
    /// # Errors
    /// When a line is unknown, missing or there twice.
    pub fn read(text: &str) -> Result<Self, BundleError> {
        let end = text.find("-----BEGIN ").ok_or(BundleError::TooLong)?;
        if end > HEAD_BYTES_MAX {
            return Err(BundleError::TooLong);
        }
        let mut way = Self::default();
        for line in text[..end].lines().filter(|line| !line.trim().is_empty()) {
            let unknown = || BundleError::Line(line.to_owned());
            let (word, value) = line.split_once(':').ok_or_else(unknown)?;
            let (word, field) = way.field(word).ok_or_else(unknown)?;
            if !field.is_empty() {
                return Err(BundleError::NotOnce(word));
            }
            value.trim().clone_into(field);
        }
        for word in WORDS {
            if way.field(word).is_some_and(|(_, field)| field.is_empty()) {
                return Err(BundleError::NotOnce(word));
            }
        }
        Ok(way)
    }

    fn field(&mut self, word: &str) -> Option<(&'static str, &mut String)> {
        let word = WORDS.into_iter().find(|own| *own == word)?;
        Some((
            word,
            match word {
                "queue-manager" => &mut self.queue_manager,
                "address" => &mut self.address,
                "channel" => &mut self.channel,
                _ => &mut self.cipherspec,
            },
        ))
    }
}

const WORDS: [&str; 4] = ["queue-manager", "address", "channel", "cipherspec"];
