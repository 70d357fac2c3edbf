//! A block: the values of all series at one moment, as bytes.
//!
//! ```text
//! "FRYB" | fingerprint u64 | taken i64 | interval u64 | manager text | version text | machine text |
//! description text | values | values of all queues | familiar values |
//! queues in all u32 | queues: count u32, each name text, values, familiar values, transmission u8 |
//! channels in all u32 | channels: count u32, each texts (name, type, description, partner, address, job,
//! cipher), values, familiar values |
//! topics in all u32 | topics: count u32, each name text, values, familiar values |
//! subscriptions in all u32 | subscriptions: count u32, each texts (name, identifier, type, topic), values,
//! familiar values | checks: count u32, each name text, verdict u8, words text
//! values: count u32, each u64; text: length u16, UTF-8; numbers are little endian
//! ```
//!
//! Always: bytes from outside never panic, and a count is believed only as far as there are bytes for it.

use super::familiar::FAMILIAR;
use super::family::Family;
use super::rows::{CHANNEL, MANAGER, QUEUE, QUEUES, SUBSCRIPTION, TOPIC};

const MAGIC: &[u8; 4] = b"FRYB";

/// The values of all series at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The name of the queue manager.
    pub manager: String,
    /// The release that made the block.
    pub version: String,
    /// The name of the machine.
    pub machine: String,
    /// DESCR of the queue manager.
    pub description: String,
    /// When the readings were taken, in microseconds since 1970.
    pub taken: i64,
    /// Microseconds that the familiar values are for.
    pub interval: u64,
    /// Values of [`MANAGER`].
    pub values: Vec<u64>,
    /// Values of [`QUEUES`].
    pub sums: Vec<u64>,
    /// Values under familiar names, of the interval.
    pub familiar: Vec<u64>,
    /// The number of local queues, those without a series included.
    pub queues_in_all: u32,
    /// Queues that have series, by name.
    pub queues: Vec<QueueBlock>,
    /// The number of channels that are defined, those without a series included.
    pub channels_in_all: u32,
    /// Channels that have series, by name.
    pub channels: Vec<ChannelBlock>,
    /// The number of topics in use that are to have series, those without included.
    pub topics_in_all: u32,
    /// Topics that have series, by name.
    pub topics: Vec<TopicBlock>,
    /// The number of subscriptions that are to have series, those without included.
    pub subscriptions_in_all: u32,
    /// Subscriptions that have series, by name.
    pub subscriptions: Vec<SubscriptionBlock>,
    /// Checks of health.
    pub checks: Vec<Check>,
}

/// One queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueBlock {
    /// The name.
    pub name: String,
    /// Values of [`QUEUE`].
    pub values: Vec<u64>,
    /// Messages put, messages got and the mean microseconds on the queue, in the interval.
    pub interval: Vec<u64>,
    /// True for a transmission queue.
    pub is_transmission: bool,
}

/// One channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelBlock {
    /// The name.
    pub name: String,
    /// CHLTYPE, as MQSC has it.
    pub kind: String,
    /// DESCR.
    pub description: String,
    /// The queue manager at the other end; blank until it is known, and where there are several.
    pub partner: String,
    /// CONNAME.
    pub connection_name: String,
    /// The process of its agent, while it runs.
    pub job: String,
    /// SSLCIPH.
    pub cipher: String,
    /// Values of [`CHANNEL`].
    pub values: Vec<u64>,
    /// In the interval: messages, bytes sent and received, buffers sent and received, batches.
    pub interval: Vec<u64>,
}

/// Values of a channel that are of an interval.
pub const CHANNEL_INTERVAL: usize = 6;

/// One topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicBlock {
    /// The topic string.
    pub name: String,
    /// Values of [`TOPIC`].
    pub values: Vec<u64>,
    /// In the interval: messages published and received.
    pub interval: Vec<u64>,
}

/// Values of a topic that are of an interval.
pub const TOPIC_INTERVAL: usize = 2;

/// One subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionBlock {
    /// The name; its identifier where it has none.
    pub name: String,
    /// The identifier.
    pub identifier: String,
    /// SUBTYPE.
    pub kind: String,
    /// The topic string.
    pub topic: String,
    /// Values of [`SUBSCRIPTION`].
    pub values: Vec<u64>,
    /// In the interval: messages received.
    pub interval: Vec<u64>,
}

/// The outcome of a check of health.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The figures that it comes from, in words.
    pub words: String,
}

/// The verdict of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All is well.
    Well,
    /// It deserves attention.
    Warning,
    /// A person is needed.
    Critical,
}

/// Why bytes are no block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockError {
    /// They end early, or say what cannot be.
    #[error("the figures are cut or damaged at {0}")]
    Damaged(&'static str),
    /// Their rows are others.
    #[error("the figures are those of another release of ferry; use the release that the queue manager runs")]
    OtherRows,
}

impl Verdict {
    const ALL: [Self; 3] = [Self::Well, Self::Warning, Self::Critical];

    /// The number for it: 0, 1, 2.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Well => 0,
            Self::Warning => 1,
            Self::Critical => 2,
        }
    }
}

impl ChannelBlock {
    /// Its texts, in the order in which they are written.
    fn texts(&self) -> [&str; 7] {
        let Self { name, kind, description, partner, connection_name, job, cipher, .. } = self;
        [name, kind, description, partner, connection_name, job, cipher]
    }
}

impl Block {
    /// The bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Out(Vec::with_capacity(4096 + 160 * self.queues.len()));
        out.0.extend_from_slice(MAGIC);
        out.long(fingerprint());
        out.0.extend_from_slice(&self.taken.to_le_bytes());
        out.long(self.interval);
        for text in [&self.manager, &self.version, &self.machine, &self.description] {
            out.text(text);
        }
        for values in [&self.values, &self.sums, &self.familiar] {
            out.values(values);
        }
        out.number(self.queues_in_all);
        out.count(self.queues.len());
        for queue in &self.queues {
            out.text(&queue.name);
            out.values(&queue.values);
            out.values(&queue.interval);
            out.0.push(queue.is_transmission.into());
        }
        out.number(self.channels_in_all);
        out.count(self.channels.len());
        for channel in &self.channels {
            for text in channel.texts() {
                out.text(text);
            }
            out.values(&channel.values);
            out.values(&channel.interval);
        }
        out.number(self.topics_in_all);
        out.count(self.topics.len());
        for topic in &self.topics {
            out.text(&topic.name);
            out.values(&topic.values);
            out.values(&topic.interval);
        }
        out.number(self.subscriptions_in_all);
        out.count(self.subscriptions.len());
        for subscription in &self.subscriptions {
            let SubscriptionBlock { name, identifier, kind, topic, values, interval } = subscription;
            for text in [name, identifier, kind, topic] {
                out.text(text);
            }
            out.values(values);
            out.values(interval);
        }
        out.count(self.checks.len());
        for check in &self.checks {
            out.text(&check.name);
            out.0.push(check.verdict.number());
            out.text(&check.words);
        }
        out.0
    }

    /// Reads them.
    ///
    /// # Errors
    /// When they are damaged, or of a release with other rows.
    pub fn decode(bytes: &[u8]) -> Result<Self, BlockError> {
        let mut fields = Fields(bytes);
        if fields.take(4, "its beginning")? != MAGIC {
            return Err(BlockError::Damaged("its beginning"));
        }
        if fields.long()? != fingerprint() {
            return Err(BlockError::OtherRows);
        }
        let taken = i64::from_le_bytes(fields.array("the time")?);
        let interval = fields.long()?;
        let [manager, version, machine, description] =
            [fields.text()?, fields.text()?, fields.text()?, fields.text()?];
        let [values, sums, familiar] = [fields.values()?, fields.values()?, fields.values()?];
        let queues_in_all = fields.number()?;
        let queues = fields.list(|fields| {
            let (name, values, interval) = (fields.text()?, fields.values()?, fields.values()?);
            let [usage] = fields.array("the use of a queue")?;
            Ok(QueueBlock { name, values, interval, is_transmission: usage != 0 })
        })?;
        let channels_in_all = fields.number()?;
        let channels = fields.list(|fields| {
            Ok(ChannelBlock {
                name: fields.text()?,
                kind: fields.text()?,
                description: fields.text()?,
                partner: fields.text()?,
                connection_name: fields.text()?,
                job: fields.text()?,
                cipher: fields.text()?,
                values: fields.values()?,
                interval: fields.values()?,
            })
        })?;
        let topics_in_all = fields.number()?;
        let topics = fields.list(|fields| {
            Ok(TopicBlock { name: fields.text()?, values: fields.values()?, interval: fields.values()? })
        })?;
        let subscriptions_in_all = fields.number()?;
        let subscriptions = fields.list(|fields| {
            Ok(SubscriptionBlock {
                name: fields.text()?,
                identifier: fields.text()?,
                kind: fields.text()?,
                topic: fields.text()?,
                values: fields.values()?,
                interval: fields.values()?,
            })
        })?;
        let checks = fields.list(|fields| {
            let name = fields.text()?;
            let [number] = fields.array("a verdict")?;
            let verdict = Verdict::ALL.get(usize::from(number)).copied();
            let verdict = verdict.ok_or(BlockError::Damaged("a verdict"))?;
            Ok(Check { name, verdict, words: fields.text()? })
        })?;
        let block = Self {
            manager,
            version,
            machine,
            description,
            taken,
            interval,
            values,
            sums,
            familiar,
            queues_in_all,
            queues,
            channels_in_all,
            channels,
            topics_in_all,
            topics,
            subscriptions_in_all,
            subscriptions,
            checks,
        };
        if block.is_whole() { Ok(block) } else { Err(BlockError::Damaged("its values")) }
    }

    /// Returns true if there is a value for each series.
    fn is_whole(&self) -> bool {
        self.values.len() == count(MANAGER)
            && self.sums.len() == count(QUEUES)
            && self.familiar.len() == FAMILIAR.len()
            && self.queues.iter().all(|queue| queue.values.len() == count(QUEUE) && queue.interval.len() == 3)
            && self.channels.iter().all(|channel| {
                channel.values.len() == count(CHANNEL) && channel.interval.len() == CHANNEL_INTERVAL
            })
            && self
                .topics
                .iter()
                .all(|topic| topic.values.len() == count(TOPIC) && topic.interval.len() == TOPIC_INTERVAL)
            && self.subscriptions.iter().all(|subscription| {
                subscription.values.len() == count(SUBSCRIPTION) && subscription.interval.len() == 1
            })
    }
}

fn count<R>(families: &[Family<R>]) -> usize {
    families.iter().map(|family| family.series.len()).sum()
}

/// A number that differs where the rows do.
fn fingerprint() -> u64 {
    fn add<R>(mut sum: u64, families: &[Family<R>]) -> u64 {
        for family in families {
            for series in family.series {
                let labels = series.labels.iter().flat_map(|(name, value)| [*name, *value]);
                for text in [family.name, series.suffix].into_iter().chain(labels) {
                    // FNV-1a, with a byte between texts.
                    for byte in text.bytes().chain([0xFF]) {
                        sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
                    }
                }
            }
        }
        sum
    }
    let sum = add(0xCBF2_9CE4_8422_2325, MANAGER);
    let sum = add(add(sum, QUEUES), QUEUE);
    let sum = add(add(add(sum, CHANNEL), TOPIC), SUBSCRIPTION);
    // What stands beside the values of an object counts like a row.
    sum ^ (FAMILIAR.len() + CHANNEL_INTERVAL + TOPIC_INTERVAL) as u64
}

struct Out(Vec<u8>);

impl Out {
    fn long(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn number(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.number(u32::try_from(count).expect("bounded by the settings"));
    }

    /// A text, cut at the last whole character where it is longer than can be said.
    fn text(&mut self, text: &str) {
        let end = (0..=text.len().min(usize::from(u16::MAX))).rev().find(|end| text.is_char_boundary(*end));
        let text = &text[..end.unwrap_or_default()];
        self.0.extend_from_slice(&(text.len() as u16).to_le_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }

    fn values(&mut self, values: &[u64]) {
        self.count(values.len());
        values.iter().for_each(|value| self.long(*value));
    }
}

struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], BlockError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BlockError::Damaged(what))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BlockError> {
        self.take(N, what)?.try_into().map_err(|_| BlockError::Damaged(what))
    }

    fn long(&mut self) -> Result<u64, BlockError> {
        Ok(u64::from_le_bytes(self.array("a value")?))
    }

    fn number(&mut self) -> Result<u32, BlockError> {
        Ok(u32::from_le_bytes(self.array("a count")?))
    }

    fn text(&mut self) -> Result<String, BlockError> {
        let length = u16::from_le_bytes(self.array("a length")?);
        let bytes = self.take(usize::from(length), "a text")?;
        String::from_utf8(bytes.to_vec()).map_err(|_| BlockError::Damaged("a text"))
    }

    fn values(&mut self) -> Result<Vec<u64>, BlockError> {
        let count = self.number()? as usize;
        let bytes = self.take(count.saturating_mul(8), "the values")?;
        Ok(bytes.chunks_exact(8).map(|eight| u64::from_le_bytes(eight.try_into().expect("eight"))).collect())
    }

    fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, BlockError>,
    ) -> Result<Vec<T>, BlockError> {
        let count = self.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
