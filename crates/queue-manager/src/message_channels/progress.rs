//! The facts that the agent of a message channel tells of it, for displays.

use mqi::ObjectName;
use mqi::constants::*;
use objects::Moment;
use security::cipherspecs::CipherSpec;
use security::cover::{Encryption, Names};

/// The state of a channel that has an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunningState {
    /// Its connection is being opened.
    #[default]
    Starting,
    /// The ends agree on their terms.
    Binding,
    /// A requester waits for the call of the sender.
    Requesting,
    /// Messages may go.
    Running,
    /// The receiver waits before it tries a put again.
    Paused,
    /// The channel is about to end.
    Stopping,
}

impl RunningState {
    /// The MQCHS_ value.
    #[must_use]
    pub fn value(self) -> i32 {
        match self {
            Self::Starting => MQCHS_STARTING,
            Self::Binding => MQCHS_BINDING,
            Self::Requesting => MQCHS_REQUESTING,
            Self::Running => MQCHS_RUNNING,
            Self::Paused => MQCHS_PAUSED,
            Self::Stopping => MQCHS_STOPPING,
        }
    }
}

/// The step at which a connection of a channel is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Substate {
    /// None in particular.
    #[default]
    None,
    /// The name of the partner is looked up.
    NameServer,
    /// The connection is being opened.
    NetConnecting,
    /// The handshake of its encryption is under way.
    Handshaking,
    /// The ends compare their numbers.
    Resynching,
    /// The end of a batch waits for the log, or for the partner's word.
    EndOfBatch,
    /// Output waits to be written.
    Sending,
    /// The next bytes of the other end are awaited.
    Receiving,
    /// The other end is asked whether it is there.
    Heartbeating,
    /// A message waits to be put.
    InPut,
    /// A message is waited for.
    InGet,
    /// Another call waits for the log.
    InCall,
    /// Frames are compressed or expanded.
    Compressing,
}

/// Every substate with its MQCHSSTATE_ value.
pub(crate) const SUBSTATES: [(Substate, i32); 13] = [
    (Substate::None, MQCHSSTATE_OTHER),
    (Substate::NameServer, MQCHSSTATE_NAME_SERVER),
    (Substate::NetConnecting, MQCHSSTATE_NET_CONNECTING),
    (Substate::Handshaking, MQCHSSTATE_SSL_HANDSHAKING),
    (Substate::Resynching, MQCHSSTATE_RESYNCHING),
    (Substate::EndOfBatch, MQCHSSTATE_END_OF_BATCH),
    (Substate::Sending, MQCHSSTATE_SENDING),
    (Substate::Receiving, MQCHSSTATE_RECEIVING),
    (Substate::Heartbeating, MQCHSSTATE_HEARTBEATING),
    (Substate::InPut, MQCHSSTATE_IN_MQPUT),
    (Substate::InGet, MQCHSSTATE_IN_MQGET),
    (Substate::InCall, MQCHSSTATE_IN_MQI_CALL),
    (Substate::Compressing, MQCHSSTATE_COMPRESSING),
];

impl Substate {
    /// The MQCHSSTATE_ value.
    #[must_use]
    pub fn value(self) -> i32 {
        SUBSTATES[self as usize].1
    }

    /// The substate with this place in [`SUBSTATES`].
    pub(crate) fn at(place: u32) -> Self {
        SUBSTATES.get(place as usize).map_or(Self::None, |(substate, _)| *substate)
    }
}

/// The bytes of a connection, as its agent counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelTraffic {
    /// Bytes of frames sent.
    pub bytes_sent: u64,
    /// Bytes of frames received.
    pub bytes_received: u64,
    /// Times that output was handed on.
    pub writes: u64,
    /// Times that input was.
    pub reads: u64,
}

impl ChannelTraffic {
    /// Counts input that was handed on, unless it has no bytes.
    pub fn count_read(&mut self, bytes: usize) {
        self.bytes_received += bytes as u64;
        self.reads += u64::from(bytes > 0);
    }

    /// Notes the bytes that were sent in all, and that output was handed on where they grew.
    pub fn note_sent(&mut self, bytes_in_all: u64) {
        if bytes_in_all > std::mem::replace(&mut self.bytes_sent, bytes_in_all) {
            self.writes += 1;
        }
    }
}

/// The encryption of a connection, by the names that displays have; blank for one in the clear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncryptionNames {
    /// The CipherSpec.
    pub cipher: String,
    /// The name in the other end's certificate.
    pub peer: String,
    /// The name of its issuer.
    pub issuer: String,
}

impl EncryptionNames {
    /// The names of an encryption.
    #[must_use]
    pub fn of(encryption: &Encryption) -> Self {
        let Encryption::Covered { suite, certificate, .. } = encryption else { return Self::default() };
        let cipher = CipherSpec::by_number(*suite).map_or("", |spec| spec.name).to_owned();
        let names = certificate.as_ref();
        let (peer, issuer) = names
            .map(|Names { subject, issuer }| (subject.to_string(), issuer.to_string()))
            .unwrap_or_default();
        Self { cipher, peer, issuer }
    }
}

/// The identifier of a batch: its line, and its number there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Luwid {
    /// The line.
    pub line: u64,
    /// The batch.
    pub batch: u64,
}

impl Luwid {
    /// Four bytes of the line and four of the batch, in hexadecimal.
    #[must_use]
    pub fn to_hex(self) -> String {
        format!("{:08X}{:08X}", self.line as u32, self.batch as u32)
    }
}

/// A figure, averaged over a short and a long time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Averages {
    /// Over the last few.
    pub short: u32,
    /// Over many.
    pub long: u32,
}

impl Averages {
    /// Takes one more value in: an eighth of the way, and a sixty-fourth.
    pub fn take(&mut self, value: u32) {
        let toward = |average: u32, part: i64| match average {
            0 => value,
            _ => (i64::from(average) + (i64::from(value) - i64::from(average)) / part) as u32,
        };
        (self.short, self.long) = (toward(self.short, 8), toward(self.long, 64));
    }
}

/// The compression of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompressionProgress {
    /// The ways that were agreed, of frames that carry no message and of those that carry one: MQCOMPRESS_
    /// values.
    pub agreed: [i32; 2],
    /// The ways of the last frame of each kind.
    pub last: [i32; 2],
    /// Bytes that were saved, in per cent.
    pub saved: Averages,
    /// Microseconds that a frame took.
    pub micros: Averages,
}

/// The facts about a channel that runs. Its agent changes them at each batch and each change of state.
#[derive(Clone, Debug, Default)]
pub struct ChannelProgress {
    /// The state.
    pub state: RunningState,
    /// The step that is under way.
    pub substate: Substate,
    /// The partner's name; blank until it is known.
    pub partner: String,
    /// The partner's QMID.
    pub partner_identifier: String,
    /// The product at the other end, four letters.
    pub product: String,
    /// Its version, eight digits.
    pub version: String,
    /// The program at the other end.
    pub program: String,
    /// The address of this end.
    pub local_address: String,
    /// Batches that ended.
    pub batches: u64,
    /// Messages sent or received.
    pub messages: u64,
    /// The bytes of its connection.
    pub traffic: ChannelTraffic,
    /// The batch under way.
    pub current: Luwid,
    /// Messages of it so far.
    pub current_messages: u32,
    /// The sequence number of the last message of it.
    pub current_sequence: u32,
    /// The last batch that is confirmed.
    pub last: Luwid,
    /// The sequence number of its last message.
    pub last_sequence: u32,
    /// The time of the last message.
    pub last_message: Option<Moment>,
    /// Messages of a batch, as agreed.
    pub batch_messages_max: u32,
    /// Batches in flight, as agreed.
    pub in_flight: u32,
    /// Seconds between heartbeats, as agreed.
    pub heartbeat_seconds: u32,
    /// The longest message, as agreed.
    pub message_bytes_max: u32,
    /// NPMSPEED, as agreed.
    pub is_fast: bool,
    /// The compression of the connection.
    pub compression: CompressionProgress,
    /// Messages in a batch.
    pub batch_messages: Averages,
    /// Microseconds from the end of a batch to its confirmation, without the receiver's own time.
    pub net_time: Averages,
    /// Microseconds that messages waited on the transmission queue.
    pub queue_time: Averages,
    /// The user that messages are put as; blank for the queue manager itself.
    pub user: String,
    /// The encryption of the connection.
    pub encryption: EncryptionNames,
    /// The transmission queue, of a channel that sends.
    pub transmission_queue: Option<ObjectName>,
    /// Tries that are left for the message that a receiver cannot put.
    pub tries_left: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_shown_by_four_bytes_of_its_line_and_four_of_its_number() {
        assert_eq!(Luwid { line: 0xAABB_CCDD_0000_0001, batch: 0x1F }.to_hex(), "000000010000001F");
    }

    #[test]
    fn each_substate_has_its_place_and_a_value_of_its_own() {
        for (place, (substate, value)) in (0..).zip(SUBSTATES) {
            assert_eq!((Substate::at(place), substate.value()), (substate, value));
            let alike = SUBSTATES.iter().filter(|(_, other)| *other == value);
            assert_eq!(alike.count(), 1, "{substate:?}");
        }
        assert_eq!(Substate::at(99), Substate::None);
    }

    #[test]
    fn an_average_begins_at_the_first_value_and_moves_towards_later_ones() {
        let mut averages = Averages::default();
        averages.take(800);
        assert_eq!(averages, Averages { short: 800, long: 800 });
        averages.take(1_600);
        assert_eq!(averages, Averages { short: 900, long: 812 });
        (0..200).for_each(|_| averages.take(8));
        assert!(averages.short < 20 && averages.long < 100, "{averages:?}");
    }
}
