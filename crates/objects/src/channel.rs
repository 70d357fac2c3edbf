//! Attributes of a message channel, unpacked for the agent that runs it and the host that dials.

use mqi::ours::IN_FLIGHT;
use std::fmt;
use std::time::Duration;

use mqi::constants::*;
use mqi::name::ObjectName;
use security::cover::{PeerCheck, Refusal, Terms};

use crate::definition::Definition;
use crate::object_type::ObjectType;

/// The port of a partner whose CONNAME names none.
const PORT_DEFAULT: u16 = 1414;

/// Seconds that KAINT(AUTO) lets pass after a heartbeat is due: one that comes makes a probe needless.
const KEEP_ALIVE_SECONDS_MORE: u32 = 60;

/// Most addresses of one CONNAME: each is tried in turn, and the attribute holds no more than these.
const CONNECTION_NAMES_MAX: usize = 64;

/// The kinds of channels between queue managers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// SDR: calls, and sends.
    Sender,
    /// SVR: sends; calls where it has a CONNAME.
    Server,
    /// RCVR: is called, and receives.
    Receiver,
    /// RQSTR: calls or is called, and receives.
    Requester,
}

impl ChannelKind {
    /// The kind of a type of channel; none for channels of clients and clusters.
    pub fn of(object_type: ObjectType) -> Option<Self> {
        match object_type {
            ObjectType::SenderChannel => Some(Self::Sender),
            ObjectType::ServerChannel => Some(Self::Server),
            ObjectType::ReceiverChannel => Some(Self::Receiver),
            ObjectType::RequesterChannel => Some(Self::Requester),
            _ => None,
        }
    }

    /// The type of object that it is.
    pub fn object_type(self) -> ObjectType {
        match self {
            Self::Sender => ObjectType::SenderChannel,
            Self::Server => ObjectType::ServerChannel,
            Self::Receiver => ObjectType::ReceiverChannel,
            Self::Requester => ObjectType::RequesterChannel,
        }
    }

    /// True for one that sends messages.
    pub fn sends(self) -> bool {
        matches!(self, Self::Sender | Self::Server)
    }

    /// True for one that a partner may call.
    pub fn is_called(self) -> bool {
        !matches!(self, Self::Sender)
    }
}

/// A number of attempts, and the time between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The number.
    pub count: u32,
    /// The time before each.
    pub interval: Duration,
}

/// The limits of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchAttributes {
    /// BATCHSZ.
    pub messages_max: u32,
    /// BATCHLIM; none for no limit.
    pub bytes_max: Option<u64>,
    /// BATCHINT.
    pub interval: Duration,
    /// BATCHHB; zero for none.
    pub heartbeat: Duration,
    /// INFLIGHT.
    pub in_flight: u32,
}

/// An address of CONNAME.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionName {
    /// The host: a name, or an address in numbers.
    pub host: Box<str>,
    /// The port.
    pub port: u16,
}

/// A CONNAME, or a LOCLADDR, that does not read as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{keyword} has {part:?}, which is not {form}: write it so")]
pub struct AddressProblem {
    keyword: &'static str,
    part: String,
    form: &'static str,
}

/// An address of this machine from which a channel calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalAddress {
    /// The address in numbers; none for any.
    pub address: Option<std::net::IpAddr>,
    /// The first and the last port; none for any.
    pub ports: Option<(u16, u16)>,
}

/// The attributes that a running message channel acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelAttributes {
    /// CHANNEL.
    pub name: ObjectName,
    /// CHLTYPE.
    pub kind: ChannelKind,
    /// CONNAME, as it was written.
    pub connection_name: Box<str>,
    /// XMITQ.
    pub transmission_queue: Option<ObjectName>,
    /// The limits of a batch.
    pub batch: BatchAttributes,
    /// NPMSPEED(FAST).
    pub is_fast: bool,
    /// SEQWRAP.
    pub sequence_wrap: u32,
    /// MRRTY and MRTMR.
    pub message_retry: Retry,
    /// CONVERT(YES).
    pub converts: bool,
    /// PUTAUT(CTX).
    pub puts_as_context_user: bool,
    /// USEDLQ(YES).
    pub uses_dead_letter_queue: bool,
    /// MAXMSGL; none for the queue manager's.
    pub message_bytes_max: Option<u32>,
    /// DISCINT; none for never.
    pub disconnect_after: Option<Duration>,
    /// HBINT; none for no heartbeats.
    pub heartbeat: Option<Duration>,
    /// SHORTRTY and SHORTTMR.
    pub short_retry: Retry,
    /// LONGRTY and LONGTMR.
    pub long_retry: Retry,
    /// LOCLADDR, as it was written.
    pub local_address: Box<str>,
    /// MCAUSER; blank for none.
    pub user: Box<str>,
    /// KAINT.
    pub keep_alive: i32,
    /// COMPMSG.
    pub message_compressions: Box<[i32]>,
    /// COMPHDR.
    pub header_compressions: Box<[i32]>,
    /// SSLCIPH; blank for connections in the clear.
    pub cipher: Box<str>,
    /// SSLPEER; blank for any name.
    pub peer: Box<str>,
    /// CERTLABL; blank for the queue manager's.
    pub certificate_label: Box<str>,
    /// STATCHL, an MQMON_ value.
    pub statistics: i32,
    /// SSLCAUTH(REQUIRED): a partner that calls must show a certificate.
    pub requires_certificate: bool,
}

impl ChannelAttributes {
    /// The attributes of a definition; none when it is not of a message channel.
    pub fn of(definition: &Definition) -> Option<Self> {
        let kind = ChannelKind::of(definition.object_type())?;
        let (sends, calls) = (kind.sends(), kind != ChannelKind::Receiver);
        let text = |identifier| -> Box<str> { definition.text(identifier).trim().into() };
        let text_if = |has: bool, identifier| if has { text(identifier) } else { Box::default() };
        let number = |selector| u32::try_from(definition.integer(selector)).unwrap_or(0);
        let number_if = |has: bool, selector, other| if has { number(selector) } else { other };
        let seconds = |count: u32| Duration::from_secs(count.into());
        let millis = |count: u32| Duration::from_millis(count.into());
        let some = |duration: Duration| (!duration.is_zero()).then_some(duration);
        let receives = !sends;
        let no_retry = Retry { count: 0, interval: Duration::ZERO };
        let retry = |count, timer| Retry { count: number(count), interval: seconds(number(timer)) };
        Some(Self {
            name: *definition.name(),
            kind,
            connection_name: text_if(calls, MQCACH_CONNECTION_NAME),
            transmission_queue: if sends { definition.name_in(MQCACH_XMIT_Q_NAME) } else { None },
            batch: BatchAttributes {
                messages_max: number(MQIACH_BATCH_SIZE).max(1),
                bytes_max: Some(u64::from(number_if(sends, MQIACH_BATCH_DATA_LIMIT, 0)) * 1_000)
                    .filter(|bytes| *bytes > 0),
                interval: millis(number_if(sends, MQIACH_BATCH_INTERVAL, 0)),
                heartbeat: millis(number_if(sends, MQIACH_BATCH_HB, 0)),
                in_flight: number(IN_FLIGHT).max(1),
            },
            is_fast: definition.integer(MQIACH_NPM_SPEED) == MQNPMS_FAST,
            sequence_wrap: number(MQIACH_SEQUENCE_NUMBER_WRAP),
            message_retry: Retry {
                count: number_if(receives, MQIACH_MR_COUNT, 0),
                interval: millis(number_if(receives, MQIACH_MR_INTERVAL, 0)),
            },
            converts: sends && definition.integer(MQIACH_DATA_CONVERSION) == MQCDC_SENDER_CONVERSION,
            puts_as_context_user: receives && definition.integer(MQIACH_PUT_AUTHORITY) == MQPA_CONTEXT,
            uses_dead_letter_queue: definition.integer(MQIA_USE_DEAD_LETTER_Q) == MQUSEDLQ_YES,
            message_bytes_max: Some(number(MQIACH_MAX_MSG_LENGTH)).filter(|bytes| *bytes > 0),
            disconnect_after: some(seconds(number_if(sends, MQIACH_DISC_INTERVAL, 0))),
            heartbeat: some(seconds(number(MQIACH_HB_INTERVAL))),
            short_retry: if sends { retry(MQIACH_SHORT_RETRY, MQIACH_SHORT_TIMER) } else { no_retry },
            long_retry: if sends { retry(MQIACH_LONG_RETRY, MQIACH_LONG_TIMER) } else { no_retry },
            local_address: text_if(calls, MQCACH_LOCAL_ADDRESS),
            user: text(MQCACH_MCA_USER_ID),
            keep_alive: definition.integer(MQIACH_KEEP_ALIVE_INTERVAL),
            message_compressions: definition.integers(MQIACH_MSG_COMPRESSION),
            header_compressions: definition.integers(MQIACH_HDR_COMPRESSION),
            cipher: text(MQCACH_SSL_CIPHER_SPEC),
            peer: text(MQCACH_SSL_PEER_NAME),
            certificate_label: text(MQCA_CERT_LABEL),
            statistics: definition.integer(MQIA_STATISTICS_CHANNEL),
            requires_certificate: kind.is_called()
                && definition.integer(MQIACH_SSL_CLIENT_AUTH) == MQSCA_REQUIRED,
        })
    }

    /// Takes the limits of an altered definition that a connection follows while it is there: those of its
    /// own end, which the partner has no part in.
    pub fn follow(&mut self, altered: &Self) {
        self.batch = BatchAttributes { in_flight: self.batch.in_flight, ..altered.batch };
        self.message_retry = altered.message_retry;
        self.uses_dead_letter_queue = altered.uses_dead_letter_queue;
        self.disconnect_after = altered.disconnect_after;
        (self.short_retry, self.long_retry) = (altered.short_retry, altered.long_retry);
    }

    /// The attributes in which an altered definition differs: those that a connection made by this one
    /// follows while it is there, and those that hold from the next connection on.
    pub fn differences(&self, altered: &Self) -> (Vec<&'static str>, Vec<&'static str>) {
        let (own, new) = (&self.batch, &altered.batch);
        // A partner takes batches as long as the ends agreed, and shorter ones.
        let bytes = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
        let at_once = [
            ("BATCHSZ", new.messages_max < own.messages_max),
            ("BATCHLIM", bytes(new.bytes_max) < bytes(own.bytes_max)),
            ("BATCHINT", new.interval != own.interval),
            ("BATCHHB", new.heartbeat != own.heartbeat),
            ("MRRTY", altered.message_retry.count != self.message_retry.count),
            ("MRTMR", altered.message_retry.interval != self.message_retry.interval),
            ("USEDLQ", altered.uses_dead_letter_queue != self.uses_dead_letter_queue),
            ("DISCINT", altered.disconnect_after != self.disconnect_after),
            ("SHORTRTY", altered.short_retry.count != self.short_retry.count),
            ("SHORTTMR", altered.short_retry.interval != self.short_retry.interval),
            ("LONGRTY", altered.long_retry.count != self.long_retry.count),
            ("LONGTMR", altered.long_retry.interval != self.long_retry.interval),
            ("STATCHL", altered.statistics != self.statistics),
        ];
        let later = [
            ("BATCHSZ", new.messages_max > own.messages_max),
            ("BATCHLIM", bytes(new.bytes_max) > bytes(own.bytes_max)),
            ("INFLIGHT", new.in_flight != own.in_flight),
            ("CONNAME", altered.connection_name != self.connection_name),
            ("XMITQ", altered.transmission_queue != self.transmission_queue),
            ("NPMSPEED", altered.is_fast != self.is_fast),
            ("SEQWRAP", altered.sequence_wrap != self.sequence_wrap),
            ("CONVERT", altered.converts != self.converts),
            ("PUTAUT", altered.puts_as_context_user != self.puts_as_context_user),
            ("MAXMSGL", altered.message_bytes_max != self.message_bytes_max),
            ("HBINT", altered.heartbeat != self.heartbeat),
            ("LOCLADDR", altered.local_address != self.local_address),
            ("MCAUSER", altered.user != self.user),
            ("SSLCIPH", altered.cipher != self.cipher),
            ("SSLPEER", altered.peer != self.peer),
            ("CERTLABL", altered.certificate_label != self.certificate_label),
            ("SSLCAUTH", altered.requires_certificate != self.requires_certificate),
            ("KAINT", altered.keep_alive != self.keep_alive),
            ("COMPMSG", altered.message_compressions != self.message_compressions),
            ("COMPHDR", altered.header_compressions != self.header_compressions),
        ];
        let named = |rows: &[(&'static str, bool)]| {
            rows.iter().filter(|(_, differs)| *differs).map(|(keyword, _)| *keyword).collect()
        };
        (named(&at_once), named(&later))
    }

    /// True when the channel opens connections itself.
    pub fn calls(&self) -> bool {
        self.kind != ChannelKind::Receiver && !self.connection_name.is_empty()
    }

    /// SSLCIPH, SSLCAUTH, SSLPEER and CERTLABL, understood.
    ///
    /// # Errors
    /// When SSLCIPH or SSLPEER is none.
    pub fn cover(&self) -> Result<Terms, Refusal> {
        let check = if self.requires_certificate { PeerCheck::Required } else { PeerCheck::Optional };
        Terms::read(&self.cipher, check, &self.peer, &self.certificate_label)
    }

    /// The partner's addresses, in the order in which they are tried.
    ///
    /// # Errors
    /// When CONNAME does not read as such.
    pub fn connection_names(&self) -> Result<Vec<ConnectionName>, AddressProblem> {
        let parts = self.connection_name.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.take(CONNECTION_NAMES_MAX).map(connection_name).collect()
    }

    /// The address of this machine from which the channel calls.
    ///
    /// # Errors
    /// When LOCLADDR does not read as such.
    pub fn local_address(&self) -> Result<LocalAddress, AddressProblem> {
        local_address(&self.local_address)
    }
}

/// The silence after which the system probes the other end, by KAINT and the HBINT that was agreed; none for
/// never.
pub fn keep_alive(interval: i32, heartbeat_seconds: u32) -> Option<Duration> {
    let seconds = match (interval, heartbeat_seconds) {
        (MQKAI_AUTO, 0) => 0,
        (MQKAI_AUTO, heartbeat) => heartbeat.saturating_add(KEEP_ALIVE_SECONDS_MORE),
        (seconds, _) => u32::try_from(seconds).unwrap_or(0),
    };
    (seconds > 0).then(|| Duration::from_secs(seconds.into()))
}

impl fmt::Display for ConnectionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}({})", self.host, self.port)
    }
}

/// Reads `host(port)` or `host`.
fn connection_name(part: &str) -> Result<ConnectionName, AddressProblem> {
    let problem = || AddressProblem { keyword: "CONNAME", part: part.to_owned(), form: "host or host(port)" };
    let (host, port) = match part.split_once('(') {
        None => (part, PORT_DEFAULT),
        Some((host, rest)) => {
            let digits = rest.strip_suffix(')').ok_or_else(problem)?;
            (host.trim(), digits.trim().parse().map_err(|_| problem())?)
        }
    };
    if host.is_empty() || host.contains(char::is_whitespace) || port == 0 {
        return Err(problem());
    }
    Ok(ConnectionName { host: host.into(), port })
}

/// Reads `address(low,high)`, `address(port)`, `address` or `(low,high)`.
fn local_address(text: &str) -> Result<LocalAddress, AddressProblem> {
    const FORM: &str = "an address in numbers, with ports as in 10.0.0.1(2000,3000)";
    let problem = || AddressProblem { keyword: "LOCLADDR", part: text.to_owned(), form: FORM };
    let text = text.trim();
    let (address, ports) = match text.split_once('(') {
        None => (text, None),
        Some((address, rest)) => {
            let inner = rest.strip_suffix(')').ok_or_else(problem)?;
            let (low, high) = inner.split_once(',').unwrap_or((inner, inner));
            let port = |digits: &str| digits.trim().parse::<u16>().map_err(|_| problem());
            let (low, high) = (port(low)?, port(high)?);
            if low == 0 || high < low {
                return Err(problem());
            }
            (address.trim(), Some((low, high)))
        }
    };
    let address = if address.is_empty() { None } else { Some(address.parse().map_err(|_| problem())?) };
    Ok(LocalAddress { address, ports })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moment;

    fn attributes(object_type: ObjectType) -> ChannelAttributes {
        let definition = Definition::new(object_type, "C".parse().unwrap(), Moment(0));
        ChannelAttributes::of(&definition).unwrap()
    }

    #[test]
    fn each_kind_of_message_channel_unpacks_with_the_defaults_of_its_rows() {
        let sender = attributes(ObjectType::SenderChannel);
        assert_eq!(sender.kind, ChannelKind::Sender);
        let batch = BatchAttributes {
            messages_max: 50,
            bytes_max: Some(5_000_000),
            interval: Duration::ZERO,
            heartbeat: Duration::ZERO,
            in_flight: 4,
        };
        assert_eq!(sender.batch, batch);
        assert_eq!(sender.disconnect_after, Some(Duration::from_secs(6_000)));
        assert_eq!(sender.short_retry, Retry { count: 10, interval: Duration::from_secs(60) });
        assert!(sender.is_fast && sender.uses_dead_letter_queue && !sender.converts);
        let receiver = attributes(ObjectType::ReceiverChannel);
        assert_eq!(receiver.message_retry, Retry { count: 10, interval: Duration::from_secs(1) });
        assert_eq!((receiver.disconnect_after, receiver.heartbeat), (None, Some(Duration::from_secs(300))));
        assert_eq!((receiver.transmission_queue, receiver.batch.bytes_max), (None, None));
        assert!(attributes(ObjectType::ServerChannel).kind.sends());
        assert!(!attributes(ObjectType::RequesterChannel).kind.sends());
        let client = Definition::new(ObjectType::ServerConnectionChannel, "C".parse().unwrap(), Moment(0));
        assert_eq!(ChannelAttributes::of(&client), None);
    }

    #[test]
    fn a_connection_follows_the_limits_of_its_own_end_and_names_what_waits_for_the_next() {
        let begun = attributes(ObjectType::SenderChannel);
        let mut altered = begun.clone();
        altered.batch = BatchAttributes {
            messages_max: 10,
            bytes_max: None,
            interval: Duration::from_millis(5),
            heartbeat: Duration::from_millis(6),
            in_flight: 9,
        };
        altered.disconnect_after = None;
        altered.heartbeat = None;
        altered.connection_name = "mars".into();
        altered.long_retry.count = 1;
        let (at_once, later) = begun.differences(&altered);
        assert_eq!(at_once, ["BATCHSZ", "BATCHINT", "BATCHHB", "DISCINT", "LONGRTY"]);
        assert_eq!(later, ["BATCHLIM", "INFLIGHT", "CONNAME", "HBINT"]);
        let mut follows = begun.clone();
        follows.follow(&altered);
        assert_eq!((follows.batch.messages_max, follows.batch.in_flight), (10, 4));
        assert_eq!((follows.disconnect_after, follows.long_retry.count), (None, 1));
        assert_eq!((&follows.connection_name, follows.heartbeat), (&begun.connection_name, begun.heartbeat));
        let (at_once, later) = altered.differences(&begun);
        assert_eq!(at_once, ["BATCHLIM", "BATCHINT", "BATCHHB", "DISCINT", "LONGRTY"]);
        assert_eq!(later, ["BATCHSZ", "INFLIGHT", "CONNAME", "HBINT"]);
        let receiver = attributes(ObjectType::ReceiverChannel);
        let retries = Retry { count: 0, interval: Duration::ZERO };
        let altered =
            ChannelAttributes { message_retry: retries, uses_dead_letter_queue: false, ..receiver.clone() };
        assert_eq!(receiver.differences(&altered), (vec!["MRRTY", "MRTMR", "USEDLQ"], vec![]));
        assert_eq!(receiver.differences(&receiver), (vec![], vec![]));
    }

    #[test]
    fn keep_alive_is_as_defined_or_a_minute_more_than_heartbeats() {
        for (interval, heartbeat, expected) in [
            (MQKAI_AUTO, 300, Some(360)),
            (MQKAI_AUTO, 0, None),
            (0, 300, None),
            (45, 300, Some(45)),
            (45, 0, Some(45)),
        ] {
            let expected = expected.map(Duration::from_secs);
            assert_eq!(keep_alive(interval, heartbeat), expected, "{interval} {heartbeat}");
        }
    }

    #[test]
    fn a_connection_name_lists_hosts_with_ports_and_a_wrong_one_says_its_part() {
        let names = |text: &str| {
            let name =
                ChannelAttributes { connection_name: text.into(), ..attributes(ObjectType::SenderChannel) };
            name.connection_names().map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        for (text, expected) in [
            ("mars", vec!["mars(1414)"]),
            ("mars(1500), 10.0.0.1(1501)", vec!["mars(1500)", "10.0.0.1(1501)"]),
            ("::1(1414)", vec!["::1(1414)"]),
            ("", vec![]),
        ] {
            assert_eq!(names(text).unwrap(), expected, "{text}");
        }
        for wrong in ["mars(x)", "mars(0)", "(1414)", "mars(1414", "two words", "mars(70000)"] {
            let problem = names(wrong).unwrap_err().to_string();
            assert!(problem.contains("CONNAME") && problem.contains(wrong), "{problem}");
        }
    }

    #[test]
    fn a_local_address_has_ports_alone_or_both() {
        let ports = Some((2_000, 3_000));
        let here = "10.0.0.1".parse().ok();
        for (text, expected) in [
            ("", LocalAddress::default()),
            ("10.0.0.1", LocalAddress { address: here, ports: None }),
            ("10.0.0.1(2000,3000)", LocalAddress { address: here, ports }),
            ("(2000,3000)", LocalAddress { address: None, ports }),
            ("(2000)", LocalAddress { address: None, ports: Some((2_000, 2_000)) }),
        ] {
            assert_eq!(local_address(text).unwrap(), expected, "{text}");
        }
        for wrong in ["mars(2000)", "(3000,2000)", "(0)", "10.0.0.1(2000"] {
            assert!(local_address(wrong).is_err(), "{wrong}");
        }
    }
}
