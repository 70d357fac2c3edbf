//! The attributes of channels, of all types.

use mqi::constants::*;
use mqi::ours::*;

use super::row::{Access, Attribute, Derived, Word, word};
use super::words::{COUNT_MAX, MESSAGE_BYTES_DEFAULT, MESSAGE_BYTES_MAX, MONITORING, NAME, NO_YES};
use crate::object_type::ObjectType::{
    self, AmqpChannel as Amqp, ClientConnectionChannel as Client, ClusterReceiverChannel as ClusterReceiver,
    ClusterSenderChannel as ClusterSender, MqttChannel as Mqtt, ReceiverChannel as Receiver,
    RequesterChannel as Requester, SenderChannel as Sender, ServerChannel as Server,
    ServerConnectionChannel as ServerConnection,
};

const EVERY: &[ObjectType] = &[
    Sender,
    Server,
    Receiver,
    Requester,
    Client,
    ServerConnection,
    ClusterSender,
    ClusterReceiver,
    Amqp,
    Mqtt,
];
/// Types that speak the channel protocol.
const MQ: &[ObjectType] =
    &[Sender, Server, Receiver, Requester, Client, ServerConnection, ClusterSender, ClusterReceiver];
/// Types among them that act.
const ACTING: &[ObjectType] = &[Sender, Server, Receiver, Requester, ServerConnection];
/// Types among them that are kept for programs and clusters.
const KEPT: &[ObjectType] = &[Client, ClusterSender, ClusterReceiver];
/// Types between queue managers.
const MESSAGE: &[ObjectType] = &[Sender, Server, Receiver, Requester, ClusterSender, ClusterReceiver];
const SENDING: &[ObjectType] = &[Sender, Server, ClusterSender, ClusterReceiver];
const RECEIVING: &[ObjectType] = &[Receiver, Requester, ClusterReceiver];
const CALLING: &[ObjectType] = &[Sender, Server, Requester, Client, ClusterSender, ClusterReceiver];
const STARTING: &[ObjectType] = &[Sender, Server, Requester, ClusterSender, ClusterReceiver];
const NAMING_USER: &[ObjectType] = &[Sender, Server, Requester, Client, ClusterSender];
const CLUSTER: &[ObjectType] = &[ClusterSender, ClusterReceiver];
/// Between queue managers, and in no cluster.
const POINT_TO_POINT: &[ObjectType] = &[Sender, Server, Receiver, Requester];

/// Most names in AUTOPRF.
const AUTOMATIC_NAMES_MAX: usize = 64;

/// Most exits in a row.
const EXITS_MAX: usize = 8;

pub(super) const TYPES: &[Word] = &[
    word("SDR", MQCHT_SENDER),
    word("SVR", MQCHT_SERVER),
    word("RCVR", MQCHT_RECEIVER),
    word("RQSTR", MQCHT_REQUESTER),
    word("CLNTCONN", MQCHT_CLNTCONN),
    word("SVRCONN", MQCHT_SVRCONN),
    word("CLUSSDR", MQCHT_CLUSSDR),
    word("CLUSRCVR", MQCHT_CLUSRCVR),
    word("AMQP", MQCHT_AMQP),
    word("MQTT", MQCHT_MQTT),
];
/// MQTT clients choose their protocol by what they send first.
const PROTOCOLS: &[Word] =
    &[word("MQTTV311", MQPROTO_MQTTV311), word("MQTTV3", MQPROTO_MQTTV3), word("HTTP", MQPROTO_HTTP)];
pub(super) const HEADER_COMPRESSION: &[Word] =
    &[word("NONE", MQCOMPRESS_NONE), word("SYSTEM", MQCOMPRESS_SYSTEM)];
pub(super) const MESSAGE_COMPRESSION: &[Word] = &[
    word("NONE", MQCOMPRESS_NONE),
    word("RLE", MQCOMPRESS_RLE),
    word("ZLIBFAST", MQCOMPRESS_ZLIBFAST),
    word("ZLIBHIGH", MQCOMPRESS_ZLIBHIGH),
    word("LZ4FAST", MQCOMPRESS_LZ4FAST),
    word("LZ4HIGH", MQCOMPRESS_LZ4HIGH),
    word("ANY", MQCOMPRESS_ANY),
];
const TRANSPORT: &[Word] = &[
    word("TCP", MQXPT_TCP),
    word("LU62", MQXPT_LU62),
    word("NETBIOS", MQXPT_NETBIOS),
    word("SPX", MQXPT_SPX),
];
const RECONNECTION: &[Word] = &[
    word("NO", MQRCN_NO),
    word("YES", MQRCN_YES),
    word("QMGR", MQRCN_Q_MGR),
    word("DISABLED", MQRCN_DISABLED),
];
const PROPERTIES: &[Word] =
    &[word("COMPAT", MQPROP_COMPATIBILITY), word("NONE", MQPROP_NONE), word("ALL", MQPROP_ALL)];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::name("CHANNEL", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().on(EVERY).derived(Derived::Name)
        .means("The channel's name."),
    Attribute::choice("CHLTYPE", MQIACH_CHANNEL_TYPE, TYPES, MQCHT_SENDER).pcf_only().also(&["TYPE"]).on(EVERY).derived(Derived::Type)
        .means("The type of channel."),
    Attribute::choice("AFFINITY", MQIACH_CONNECTION_AFFINITY, &[word("NONE", MQCAFTY_NONE), word("PREFERRED", MQCAFTY_PREFERRED)], MQCAFTY_PREFERRED).pcf_only().on(&[Client]).kept_only()
        .means("Choice of clients that may use several channels: keep to the first that worked, or draw anew."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(EVERY).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(EVERY).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::integer("AMQPKA", MQIACH_AMQP_KEEP_ALIVE, (0, 99_999), -1).or(&[word("AUTO", -1)]).pcf_only().on(&[Amqp])
        .means("Seconds of silence after which an AMQP client is given up."),
    Attribute::name("AUTOMDL", AUTOMATIC_MODEL, NAME).pcf_only().on(&[Amqp])
        .means("The model for queues that are made when a client first names them; blank for none. Of ours."),
    Attribute::texts("AUTOPRF", AUTOMATIC_NAMES, NAME, AUTOMATIC_NAMES_MAX).pcf_only().on(&[Amqp])
        .means("The names that such queues may have, each a name or its beginning and an asterisk. Of ours."),
    Attribute::integer("BACKLOG", MQIACH_BACKLOG, (0, COUNT_MAX), 4_096).pcf_only().on(&[Mqtt]).kept_only()
        .means("Most MQTT clients that wait to be let in."),
    Attribute::integer("BATCHHB", MQIACH_BATCH_HB, (0, 999_999), 0).pcf_only().on(SENDING)
        .means("Milliseconds a sender waits for its partner before it commits a batch; 0 for not at all."),
    Attribute::integer("BATCHINT", MQIACH_BATCH_INTERVAL, (0, COUNT_MAX), 0).pcf_only().on(SENDING)
        .means("Milliseconds a batch is kept open for more messages."),
    Attribute::integer("BATCHLIM", MQIACH_BATCH_DATA_LIMIT, (0, 999_999), 5_000).pcf_only().on(SENDING)
        .means("Kilobytes after which a batch ends; 0 for no limit."),
    Attribute::integer("BATCHSZ", MQIACH_BATCH_SIZE, (1, 9_999), 50).pcf_only().on(MESSAGE)
        .means("Most messages in a batch."),
    Attribute::text("CERTLABL", MQCA_CERT_LABEL, MQ_CERT_LABEL_LENGTH).on(&[ServerConnection])
        .means("The label of the key that the channel shows; blank for the queue manager's."),
    Attribute::text("CERTLABL", MQCA_CERT_LABEL, MQ_CERT_LABEL_LENGTH).on(POINT_TO_POINT)
        .means("The label of the certificate the channel uses; blank for the queue manager's."),
    Attribute::text("CERTLABL", MQCA_CERT_LABEL, MQ_CERT_LABEL_LENGTH).on(&[Client, ClusterReceiver, Amqp]).kept_only()
        .means("The label of the certificate the channel uses; blank for the queue manager's."),
    Attribute::integer("CLNTWGHT", MQIACH_CLIENT_CHANNEL_WEIGHT, (0, 99), 0).pcf_only().on(&[Client]).kept_only()
        .means("Weight with which this channel is chosen among several; 0 to try them in order of name."),
    Attribute::name("CLUSNL", MQCA_CLUSTER_NAMELIST, NAME).on(CLUSTER).kept_only()
        .means("The namelist of clusters the channel belongs to."),
    Attribute::name("CLUSTER", MQCA_CLUSTER_NAME, NAME).on(CLUSTER).kept_only()
        .means("The cluster the channel belongs to."),
    Attribute::integer("CLWLPRTY", MQIACH_CLWL_CHANNEL_PRIORITY, (0, 9), 0).pcf_only().on(CLUSTER).kept_only()
        .means("The channel's priority when a cluster chooses among channels."),
    Attribute::integer("CLWLRANK", MQIACH_CLWL_CHANNEL_RANK, (0, 9), 0).pcf_only().on(CLUSTER).kept_only()
        .means("The channel's rank when a cluster chooses among channels."),
    Attribute::integer("CLWLWGHT", MQIACH_CLWL_CHANNEL_WEIGHT, (1, 99), 50).pcf_only().on(CLUSTER).kept_only()
        .means("The channel's share of the messages a cluster spreads."),
    Attribute::words("COMPHDR", MQIACH_HDR_COMPRESSION, (HEADER_COMPRESSION, 2), &[MQCOMPRESS_NONE]).pcf_only().on(ACTING)
        .means("The compression of frames that carry no message, the preferred way first."),
    Attribute::words("COMPHDR", MQIACH_HDR_COMPRESSION, (HEADER_COMPRESSION, 2), &[MQCOMPRESS_NONE]).pcf_only().on(KEPT).kept_only()
        .means("The compression of frames that carry no message, the preferred way first."),
    Attribute::words("COMPMSG", MQIACH_MSG_COMPRESSION, (MESSAGE_COMPRESSION, 16), &[MQCOMPRESS_NONE]).pcf_only().on(ACTING)
        .means("The compression of frames that carry messages, the preferred way first."),
    Attribute::words("COMPMSG", MQIACH_MSG_COMPRESSION, (MESSAGE_COMPRESSION, 16), &[MQCOMPRESS_NONE]).pcf_only().on(KEPT).kept_only()
        .means("The compression of frames that carry messages, the preferred way first."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().on(&[Sender, Server, Requester])
        .means("Address of the partner: host(port), or several separated by commas."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().on(&[Client, ClusterSender, ClusterReceiver]).kept_only()
        .means("Address of the partner: host(port), or several separated by commas."),
    Attribute::choice("CONVERT", MQIACH_DATA_CONVERSION, &[word("NO", MQCDC_NO_SENDER_CONVERSION), word("YES", MQCDC_SENDER_CONVERSION)], MQCDC_NO_SENDER_CONVERSION).pcf_only().on(SENDING)
        .means("Conversion of messages by the sender for its partner."),
    Attribute::choice("DEFRECON", MQIACH_DEF_RECONNECT, RECONNECTION, MQRCN_NO).pcf_only().on(&[Client]).kept_only()
        .means("Reconnection of clients that leave it open."),
    Attribute::text("DESCR", MQCACH_DESC, MQ_CHANNEL_DESC_LENGTH).pcf_only().on(EVERY)
        .means("A description, for people."),
    Attribute::integer("DISCINT", MQIACH_DISC_INTERVAL, (0, 999_999), 6_000).pcf_only().on(SENDING)
        .means("Seconds without a message after which the channel ends; 0 for never."),
    Attribute::integer("DISCINT", MQIACH_DISC_INTERVAL, (0, 999_999), 0).pcf_only().on(&[ServerConnection])
        .means("Seconds after which a client that asks and waits for nothing is ended; 0 for never."),
    Attribute::integer("HBINT", MQIACH_HB_INTERVAL, (0, 999_999), 300).pcf_only().on(&[ServerConnection])
        .means("Seconds of silence after which a client that waits is asked if it is there; 0 for never."),
    Attribute::integer("HBINT", MQIACH_HB_INTERVAL, (0, 999_999), 300).pcf_only().on(MESSAGE)
        .means("Seconds between heartbeats while there is nothing to send; 0 for none."),
    Attribute::integer("HBINT", MQIACH_HB_INTERVAL, (0, 999_999), 300).pcf_only().on(&[Client]).kept_only()
        .means("Seconds between heartbeats while there is nothing to send; 0 for none."),
    Attribute::integer("INFLIGHT", IN_FLIGHT, (1, 64), 4).pcf_only().on(POINT_TO_POINT)
        .means("Batches that are sent before the first of them is confirmed; the smaller of both ends counts. Of ours."),
    Attribute::text("JAASCFG", MQCACH_JAAS_CONFIG, MQ_JAAS_CONFIG_LENGTH).pcf_only().on(&[Mqtt]).kept_only()
        .means("The stanza of the file that says how MQTT clients are authenticated."),
    Attribute::integer("KAINT", MQIACH_KEEP_ALIVE_INTERVAL, (0, 99_999), MQKAI_AUTO).or(&[word("AUTO", MQKAI_AUTO)]).pcf_only().on(ACTING)
        .means("Seconds of silence until the system probes the other end; AUTO for HBINT and 60, 0 for never."),
    Attribute::integer("KAINT", MQIACH_KEEP_ALIVE_INTERVAL, (0, 99_999), MQKAI_AUTO).or(&[word("AUTO", MQKAI_AUTO)]).pcf_only().on(KEPT).kept_only()
        .means("Seconds of silence until the system probes the other end; AUTO for HBINT and 60, 0 for never."),
    Attribute::text("LOCLADDR", MQCACH_LOCAL_ADDRESS, MQ_LOCAL_ADDRESS_LENGTH).pcf_only().on(&[Sender, Server, Requester])
        .means("The address and ports of this host that the channel uses."),
    Attribute::text("LOCLADDR", MQCACH_LOCAL_ADDRESS, MQ_LOCAL_ADDRESS_LENGTH).pcf_only().on(&[Client, ClusterSender, ClusterReceiver, Amqp, Mqtt]).kept_only()
        .means("The address and ports of this host that the channel uses."),
    Attribute::integer("LONGRTY", MQIACH_LONG_RETRY, (0, COUNT_MAX), COUNT_MAX).pcf_only().on(SENDING)
        .means("Number of long retries, after the short ones."),
    Attribute::integer("LONGTMR", MQIACH_LONG_TIMER, (0, COUNT_MAX), 1_200).pcf_only().on(SENDING)
        .means("Seconds between those long retries."),
    Attribute::integer("MAXINST", MQIACH_MAX_INSTANCES, (0, COUNT_MAX), COUNT_MAX).pcf_only().on(&[ServerConnection, Amqp])
        .means("Most instances of the channel that run at once."),
    Attribute::integer("MAXINSTC", MQIACH_MAX_INSTS_PER_CLIENT, (0, COUNT_MAX), COUNT_MAX).pcf_only().on(&[ServerConnection])
        .means("Most instances of the channel that one client may have, by address: loopback is one, and so is a /64 of IPv6."),
    Attribute::integer("MAXMSGL", MQIACH_MAX_MSG_LENGTH, (0, MESSAGE_BYTES_MAX), MESSAGE_BYTES_DEFAULT).pcf_only().on(&[Amqp])
        .means("The longest message that links of its clients take, in bytes; 0 for 100 MiB, none of its own."),
    Attribute::integer("MAXMSGL", MQIACH_MAX_MSG_LENGTH, (0, MESSAGE_BYTES_MAX), MESSAGE_BYTES_DEFAULT).pcf_only().on(&[ServerConnection])
        .means("The longest message a client puts or gets, in bytes, or less as it wishes; 0 for 100 MiB."),
    Attribute::integer("MAXMSGL", MQIACH_MAX_MSG_LENGTH, (0, MESSAGE_BYTES_MAX), MESSAGE_BYTES_DEFAULT).pcf_only().on(MESSAGE)
        .means("The longest message the channel carries, in bytes; 0 for 100 MiB, none of its own."),
    Attribute::integer("MAXMSGL", MQIACH_MAX_MSG_LENGTH, (0, MESSAGE_BYTES_MAX), MESSAGE_BYTES_DEFAULT).pcf_only().on(&[Client]).kept_only()
        .means("The longest message the channel carries, in bytes; 0 for the queue manager's."),
    Attribute::text("MCANAME", MQCACH_MCA_NAME, MQ_MCA_NAME_LENGTH).pcf_only().on(STARTING).kept_only()
        .means("The name of the message channel agent; reserved."),
    Attribute::choice("MCATYPE", MQIACH_MCA_TYPE, &[word("PROCESS", MQMCAT_PROCESS), word("THREAD", MQMCAT_THREAD)], MQMCAT_PROCESS).pcf_only().on(&[Sender, Server, Requester]).kept_only()
        .means("Kind of the channel's agent: a process or a thread."),
    Attribute::choice("MCATYPE", MQIACH_MCA_TYPE, &[word("PROCESS", MQMCAT_PROCESS), word("THREAD", MQMCAT_THREAD)], MQMCAT_THREAD).pcf_only().on(CLUSTER).kept_only()
        .means("Kind of the channel's agent: a process or a thread."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, MQ_MAX_MCA_USER_ID_LENGTH).pcf_only().on(&[ServerConnection, Amqp])
        .means("The user that a program acts as."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, MQ_MAX_MCA_USER_ID_LENGTH).pcf_only().on(&[Receiver, Requester])
        .means("The user the channel acts as."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, MQ_MAX_MCA_USER_ID_LENGTH).pcf_only().on(&[Sender, Server, ClusterSender, ClusterReceiver, Mqtt]).kept_only()
        .means("The user the channel acts as."),
    Attribute::text("MODENAME", MQCACH_MODE_NAME, MQ_MODE_NAME_LENGTH).pcf_only().on(CALLING).kept_only()
        .means("The mode name of an LU 6.2 connection."),
    Attribute::choice("MONCHL", MQIA_MONITORING_CHANNEL, MONITORING, MQMON_Q_MGR).on(&[Sender, Server, Receiver, Requester, ServerConnection, ClusterSender, ClusterReceiver]).kept_only()
        .means("Collection of monitoring data for the channel, and its level."),
    Attribute::text("MRDATA", MQCACH_MR_EXIT_USER_DATA, MQ_EXIT_DATA_LENGTH).pcf_only().on(RECEIVING).kept_only()
        .means("Text handed to the message-retry exit."),
    Attribute::text("MREXIT", MQCACH_MR_EXIT_NAME, MQ_EXIT_NAME_LENGTH).pcf_only().on(RECEIVING).kept_only()
        .means("The exit that decides whether a put that failed is tried again."),
    Attribute::integer("MRRTY", MQIACH_MR_COUNT, (0, COUNT_MAX), 10).pcf_only().on(RECEIVING)
        .means("Number of retries of a put that failed."),
    Attribute::integer("MRTMR", MQIACH_MR_INTERVAL, (0, COUNT_MAX), 1_000).pcf_only().on(RECEIVING)
        .means("Milliseconds between those retries."),
    Attribute::texts("MSGDATA", MQCACH_MSG_EXIT_USER_DATA, MQ_EXIT_DATA_LENGTH, EXITS_MAX).pcf_only().on(MESSAGE).kept_only()
        .means("Texts handed to the message exits."),
    Attribute::texts("MSGEXIT", MQCACH_MSG_EXIT_NAME, MQ_EXIT_NAME_LENGTH, EXITS_MAX).pcf_only().on(MESSAGE).kept_only()
        .means("Exits that see each message."),
    Attribute::integer("NETPRTY", MQIACH_NETWORK_PRIORITY, (0, 9), 0).pcf_only().on(&[ClusterReceiver]).kept_only()
        .means("The priority of the network connection when a cluster has several."),
    Attribute::choice("NPMSPEED", MQIACH_NPM_SPEED, &[word("NORMAL", MQNPMS_NORMAL), word("FAST", MQNPMS_FAST)], MQNPMS_FAST).pcf_only().on(MESSAGE)
        .means("Way of non-persistent messages: outside the batch with FAST, in it with NORMAL."),
    Attribute::secret("PASSWORD", MQCACH_PASSWORD, MQ_PASSWORD_LENGTH).pcf_only().on(NAMING_USER).kept_only()
        .means("The password for LU 6.2."),
    Attribute::integer("PORT", MQIACH_PORT, (0, 65_535), 5_672).pcf_only().on(&[Amqp]).kept_only()
        .means("The port AMQP clients connect to."),
    Attribute::integer("PORT", MQIACH_PORT, (0, 65_535), 1_883).pcf_only().on(&[Mqtt]).kept_only()
        .means("The port MQTT clients connect to."),
    Attribute::choice("PROPCTL", MQIA_PROPERTY_CONTROL, PROPERTIES, MQPROP_COMPATIBILITY).on(SENDING).kept_only()
        .means("Form of message properties for a partner that knows none."),
    Attribute::words("PROTOCOL", MQIACH_PROTOCOL, (PROTOCOLS, 3), &[MQPROTO_MQTTV311, MQPROTO_MQTTV3, MQPROTO_HTTP]).pcf_only().on(&[Mqtt]).kept_only()
        .means("Protocols that clients may speak."),
    Attribute::choice("PUTAUT", MQIACH_PUT_AUTHORITY, &[word("DEF", MQPA_DEFAULT), word("CTX", MQPA_CONTEXT)], MQPA_DEFAULT).pcf_only().on(RECEIVING)
        .means("Authority that counts when a message is put: the channel's, or that of its context."),
    Attribute::name("QMNAME", MQCA_Q_MGR_NAME, NAME).on(&[Client]).kept_only()
        .means("The queue manager, or the group of them, that a client asks for."),
    Attribute::texts("RCVDATA", MQCACH_RCV_EXIT_USER_DATA, MQ_EXIT_DATA_LENGTH, EXITS_MAX).pcf_only().on(MQ).kept_only()
        .means("Texts handed to the receive exits."),
    Attribute::texts("RCVEXIT", MQCACH_RCV_EXIT_NAME, MQ_EXIT_NAME_LENGTH, EXITS_MAX).pcf_only().on(MQ).kept_only()
        .means("Exits that see what is received."),
    Attribute::integer("RESETSEQ", MQIACH_RESET_REQUESTED, (1, COUNT_MAX), 0).or(&[word("NO", 0)]).pcf_only().on(MESSAGE).derived(Derived::Constant)
        .means("The sequence number a reset asked for that is still to be done."),
    Attribute::text("SCYDATA", MQCACH_SEC_EXIT_USER_DATA, MQ_EXIT_DATA_LENGTH).pcf_only().on(MQ).kept_only()
        .means("Text handed to the security exit."),
    Attribute::text("SCYEXIT", MQCACH_SEC_EXIT_NAME, MQ_EXIT_NAME_LENGTH).pcf_only().on(MQ).kept_only()
        .means("The exit that decides about a partner."),
    Attribute::texts("SENDDATA", MQCACH_SEND_EXIT_USER_DATA, MQ_EXIT_DATA_LENGTH, EXITS_MAX).pcf_only().on(MQ).kept_only()
        .means("Texts handed to the send exits."),
    Attribute::texts("SENDEXIT", MQCACH_SEND_EXIT_NAME, MQ_EXIT_NAME_LENGTH, EXITS_MAX).pcf_only().on(MQ).kept_only()
        .means("Exits that see what is sent."),
    Attribute::integer("SEQWRAP", MQIACH_SEQUENCE_NUMBER_WRAP, (100, COUNT_MAX), COUNT_MAX).pcf_only().on(MESSAGE)
        .means("The message sequence number after which counting begins anew."),
    Attribute::integer("SHARECNV", MQIACH_SHARING_CONVERSATIONS, (0, COUNT_MAX), 10).pcf_only().on(&[Client]).kept_only()
        .means("Most conversations that share a connection."),
    Attribute::integer("SHARECNV", MQIACH_SHARING_CONVERSATIONS, (0, COUNT_MAX), 10).pcf_only().on(&[ServerConnection])
        .means("Most conversations of one program on a socket; 0 and 1: one each."),
    Attribute::integer("SHORTRTY", MQIACH_SHORT_RETRY, (0, COUNT_MAX), 10).pcf_only().on(SENDING)
        .means("Number of short retries, before the long ones."),
    Attribute::integer("SHORTTMR", MQIACH_SHORT_TIMER, (0, COUNT_MAX), 60).pcf_only().on(SENDING)
        .means("Seconds between those short retries."),
    Attribute::choice("SSLCAUTH", MQIACH_SSL_CLIENT_AUTH, &[word("REQUIRED", MQSCA_REQUIRED), word("OPTIONAL", MQSCA_OPTIONAL)], MQSCA_REQUIRED).pcf_only().on(&[ServerConnection, Amqp])
        .means("The demand for a certificate of the program: each must show one, or one that is shown is judged."),
    Attribute::choice("SSLCAUTH", MQIACH_SSL_CLIENT_AUTH, &[word("REQUIRED", MQSCA_REQUIRED), word("OPTIONAL", MQSCA_OPTIONAL)], MQSCA_REQUIRED).pcf_only().on(&[Server, Receiver, Requester])
        .means("Need of the partner to show a certificate."),
    Attribute::choice("SSLCAUTH", MQIACH_SSL_CLIENT_AUTH, &[word("REQUIRED", MQSCA_REQUIRED), word("OPTIONAL", MQSCA_OPTIONAL)], MQSCA_REQUIRED).pcf_only().on(&[ClusterReceiver]).kept_only()
        .means("Need of the partner to show a certificate."),
    Attribute::choice("SSLCAUTH", MQIACH_SSL_CLIENT_AUTH, &[word("REQUIRED", MQSCA_REQUIRED), word("OPTIONAL", MQSCA_OPTIONAL), word("NEVER", MQSCA_NEVER_REQUIRED)], MQSCA_NEVER_REQUIRED).pcf_only().on(&[Mqtt]).kept_only()
        .means("Need of MQTT clients to show a certificate."),
    Attribute::text("SSLCIPH", MQCACH_SSL_CIPHER_SUITE, MQ_SSL_CIPHER_SUITE_LENGTH).pcf_only().on(&[Mqtt]).kept_only()
        .means("The suite that MQTT clients must use; without it, there is no TLS."),
    Attribute::text("SSLCIPH", MQCACH_SSL_CIPHER_SPEC, MQ_SSL_CIPHER_SPEC_LENGTH).pcf_only().on(&[ServerConnection, Amqp])
        .means("The CipherSpec of the channel's connections; blank for connections in the clear."),
    Attribute::text("SSLCIPH", MQCACH_SSL_CIPHER_SPEC, MQ_SSL_CIPHER_SPEC_LENGTH).pcf_only().on(POINT_TO_POINT)
        .means("The TLS cipher the channel uses; blank for none."),
    Attribute::text("SSLCIPH", MQCACH_SSL_CIPHER_SPEC, MQ_SSL_CIPHER_SPEC_LENGTH).pcf_only().on(&[Client, ClusterSender, ClusterReceiver]).kept_only()
        .means("The TLS cipher the channel uses; blank for none."),
    Attribute::secret("SSLKEYP", MQCACH_SSL_KEY_PASSPHRASE, MQ_SSL_KEY_PASSPHRASE_LENGTH).pcf_only().on(&[Mqtt]).kept_only()
        .means("The secret that opens the key repository."),
    Attribute::text("SSLKEYR", MQCA_SSL_KEY_REPOSITORY, MQ_SSL_KEY_REPOSITORY_LENGTH).on(&[Mqtt]).kept_only()
        .means("Key store with the channel's certificate."),
    Attribute::text("SSLPEER", MQCACH_SSL_PEER_NAME, MQ_SSL_PEER_NAME_LENGTH).pcf_only().on(&[ServerConnection, Amqp])
        .means("The pattern that the name in the program's certificate must match."),
    Attribute::text("SSLPEER", MQCACH_SSL_PEER_NAME, MQ_SSL_PEER_NAME_LENGTH).pcf_only().on(POINT_TO_POINT)
        .means("Pattern for the name in the partner's certificate."),
    Attribute::text("SSLPEER", MQCACH_SSL_PEER_NAME, MQ_SSL_PEER_NAME_LENGTH).pcf_only().on(&[Client, ClusterSender, ClusterReceiver]).kept_only()
        .means("Pattern for the name in the partner's certificate."),
    Attribute::choice("STATCHL", MQIA_STATISTICS_CHANNEL, MONITORING, MQMON_Q_MGR).on(MESSAGE)
        .means("Collection of statistics for the channel, and its level."),
    Attribute::name("TMPMODEL", MQCACH_TEMPORARY_MODEL_Q, NAME).pcf_only().default_text("SYSTEM.DEFAULT.MODEL.QUEUE").on(&[Amqp])
        .means("The model for temporary queues of AMQP clients."),
    Attribute::text("TMPQPRFX", MQCACH_TEMPORARY_Q_PREFIX, MQ_TEMPORARY_Q_PREFIX_LENGTH).pcf_only().default_text("AMQP.*").on(&[Amqp])
        .means("Prefix for names of those temporary queues."),
    Attribute::text("TPNAME", MQCACH_TP_NAME, MQ_TP_NAME_LENGTH).pcf_only().on(CALLING).kept_only()
        .means("The transaction program name of an LU 6.2 connection."),
    Attribute::name("TPROOT", MQCACH_TOPIC_ROOT, NAME).pcf_only().default_text("SYSTEM.BASE.TOPIC").on(&[Amqp]).kept_only()
        .means("The topic object under which AMQP clients see the topic tree."),
    Attribute::choice("TRPTYPE", MQIACH_XMIT_PROTOCOL_TYPE, TRANSPORT, MQXPT_TCP).pcf_only().on(MQ).kept_only()
        .means("The transport of the channel."),
    Attribute::choice("TRPTYPE", MQIACH_XMIT_PROTOCOL_TYPE, &[word("TCP", MQXPT_TCP)], MQXPT_TCP).pcf_only().on(&[Mqtt])
        .means("The transport."),
    Attribute::choice("USECLTID", MQIACH_USE_CLIENT_ID, NO_YES, 0).pcf_only().on(&[Amqp, Mqtt]).kept_only()
        .means("Use of a client's identifier as its user."),
    Attribute::choice("USEDLQ", MQIA_USE_DEAD_LETTER_Q, &[word("NO", MQUSEDLQ_NO), word("YES", MQUSEDLQ_YES)], MQUSEDLQ_YES).on(MESSAGE)
        .means("Use of the dead-letter queue for messages that cannot be delivered."),
    Attribute::text("USERID", MQCACH_USER_ID, MQ_USER_ID_LENGTH).pcf_only().on(NAMING_USER).kept_only()
        .means("The user for LU 6.2."),
    Attribute::name("XMITQ", MQCACH_XMIT_Q_NAME, NAME).pcf_only().on(&[Sender, Server])
        .means("The transmission queue whose messages the channel sends."),
    Attribute::integer("STOPPED", CHANNEL_STOPPED, (0, 1), 0).pcf_only().on(POINT_TO_POINT).access(Access::Hidden)
        .means("1: a command stopped the channel, which stays so until another starts it."),
];
