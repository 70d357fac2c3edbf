//! Displays of instances of channels, and of the state that is kept towards partners.

use mqi::constants::*;
use mqi::ours::*;

use super::channel::{HEADER_COMPRESSION, MESSAGE_COMPRESSION as COMPRESSION, TYPES};
use super::row::{Attribute, Word, word};
use super::words::{MONITORING, NAME};

/// Bytes of a client identifier that are shown.
const CLIENT_LENGTH: usize = 256;

/// Most bytes of the words of a fault.
const ERROR_BYTES_MAX: usize = 512;

pub(super) const STATE: &[Word] = &[
    word("INACTIVE", MQCHS_INACTIVE),
    word("BINDING", MQCHS_BINDING),
    word("STARTING", MQCHS_STARTING),
    word("RUNNING", MQCHS_RUNNING),
    word("STOPPING", MQCHS_STOPPING),
    word("RETRYING", MQCHS_RETRYING),
    word("STOPPED", MQCHS_STOPPED),
    word("REQUESTING", MQCHS_REQUESTING),
    word("PAUSED", MQCHS_PAUSED),
    word("INITIALIZING", MQCHS_INITIALIZING),
];
const SUBSTATE: &[Word] = &[
    word(" ", MQCHSSTATE_OTHER),
    word("ENDBATCH", MQCHSSTATE_END_OF_BATCH),
    word("SEND", MQCHSSTATE_SENDING),
    word("RECEIVE", MQCHSSTATE_RECEIVING),
    word("RESYNCH", MQCHSSTATE_RESYNCHING),
    word("HEARTBEAT", MQCHSSTATE_HEARTBEATING),
    word("NETCONNECT", MQCHSSTATE_NET_CONNECTING),
    word("SSLHANDSHK", MQCHSSTATE_SSL_HANDSHAKING),
    word("NAMESERVER", MQCHSSTATE_NAME_SERVER),
    word("MQPUT", MQCHSSTATE_IN_MQPUT),
    word("MQGET", MQCHSSTATE_IN_MQGET),
    word("MQICALL", MQCHSSTATE_IN_MQI_CALL),
    word("COMPRESS", MQCHSSTATE_COMPRESSING),
];
const INDOUBT: &[Word] = &[word("NO", MQCHIDS_NOT_INDOUBT), word("YES", MQCHIDS_INDOUBT)];
const STOPPING: &[Word] = &[word("NO", MQCHSR_STOP_NOT_REQUESTED), word("YES", MQCHSR_STOP_REQUESTED)];
const AGENT: &[Word] = &[word("STOPPED", MQMCAS_STOPPED), word("RUNNING", MQMCAS_RUNNING)];
const SPEED: &[Word] = &[word("NORMAL", MQNPMS_NORMAL), word("FAST", MQNPMS_FAST)];
const PROTECTION: &[Word] =
    &[word("NONE", MQSECPROT_NONE), word("TLSV12", MQSECPROT_TLSV12), word("TLSV13", MQSECPROT_TLSV13)];
/// Shown for a figure that was not measured.
const NOT_MEASURED: &[Word] = &[word(" ", MQMON_NOT_AVAILABLE)];

#[rustfmt::skip]
pub(super) static CHANNEL: &[Attribute] = &[
    Attribute::name("CHANNEL", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().live()
        .means("The channel's name."),
    Attribute::choice("CHLTYPE", MQIACH_CHANNEL_TYPE, TYPES, MQCHT_SVRCONN).pcf_only().live()
        .means("The type of channel."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().live()
        .means("The address of the partner or of the client."),
    Attribute::switch("CURRENT", "SAVED", MQIACH_CHANNEL_INSTANCE_TYPE, 1).pcf_only().live()
        .means("CURRENT for the state of now, SAVED for the one that the log keeps."),
    Attribute::choice("STATUS", MQIACH_CHANNEL_STATUS, STATE, MQCHS_RUNNING).pcf_only().live()
        .means("The state of the instance, or of a channel without one."),
    Attribute::choice("SUBSTATE", MQIACH_CHANNEL_SUBSTATE, SUBSTATE, MQCHSSTATE_OTHER).pcf_only().live()
        .means("The step that is under way; blank for none in particular."),
    Attribute::text("RQMNAME", MQCA_REMOTE_Q_MGR_NAME, MQ_Q_MGR_NAME_LENGTH).pcf_only().live()
        .means("The queue manager at the other end."),
    Attribute::name("XMITQ", MQCACH_XMIT_Q_NAME, NAME).pcf_only().live()
        .means("The transmission queue whose messages the channel sends."),
    Attribute::integer("AMQPKA", MQIACH_AMQP_KEEP_ALIVE, (0, 99_999), -1).or(&[word("AUTO", -1)]).pcf_only().live()
        .means("Seconds of silence after which the AMQP client is given up; AUTO where its channel leaves that open."),
    Attribute::integer("BATCHES", MQIACH_BATCHES, (0, i32::MAX), 0).pcf_only().live()
        .means("Batches that ended."),
    Attribute::integer("BATCHSZ", MQIACH_BATCH_SIZE, (0, 9_999), 0).pcf_only().live()
        .means("Most messages of a batch, as the ends agreed."),
    Attribute::integer("BUFSRCVD", MQIACH_BUFFERS_RCVD, (0, i32::MAX), 0).pcf_only().live()
        .means("Reads from the connection."),
    Attribute::integer("BUFSSENT", MQIACH_BUFFERS_SENT, (0, i32::MAX), 0).pcf_only().live()
        .means("Writes to the connection."),
    Attribute::integer("BYTSRCVD", MQIACH_BYTES_RCVD, (0, i32::MAX), 0).pcf_only().live()
        .means("Bytes received; no more than fits a number is shown."),
    Attribute::integer("BYTSSENT", MQIACH_BYTES_SENT, (0, i32::MAX), 0).pcf_only().live()
        .means("Bytes sent; no more than fits a number is shown."),
    Attribute::text("CHSTADA", MQCACH_CHANNEL_START_DATE, 12).pcf_only().live()
        .means("The day on which the instance began, UTC."),
    Attribute::text("CHSTATI", MQCACH_CHANNEL_START_TIME, 8).pcf_only().live()
        .means("The time of day at which the instance began, UTC."),
    Attribute::text("CLIENTID", MQCACH_CLIENT_ID, CLIENT_LENGTH).pcf_only().live()
        .means("The identifier of the AMQP client; blank for a client of another kind."),
    Attribute::words("COMPHDR", MQIACH_HDR_COMPRESSION, (HEADER_COMPRESSION, 2), &[MQCOMPRESS_NONE; 2]).pcf_only().live()
        .means("Compression of headers: as agreed, and of the last message."),
    Attribute::words("COMPMSG", MQIACH_MSG_COMPRESSION, (COMPRESSION, 2), &[MQCOMPRESS_NONE; 2]).pcf_only().live()
        .means("Compression of messages: as agreed, and of the last message."),
    Attribute::words("COMPRATE", MQIACH_COMPRESSION_RATE, (NOT_MEASURED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Per cent that compression saves of a frame, of a short and a long time; blank for none."),
    Attribute::words("COMPTIME", MQIACH_COMPRESSION_TIME, (NOT_MEASURED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Microseconds of compressing or expanding a frame of up to 64 KiB; blank for none."),
    Attribute::text("CURLUWID", MQCACH_CURRENT_LUWID, MQ_LUWID_LENGTH).pcf_only().live()
        .means("The batch under way or the newest in doubt: four bytes of its line and four of its number, in hexadecimal."),
    Attribute::integer("CURMSGS", MQIACH_CURRENT_MSGS, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages in doubt, and of the batch under way."),
    Attribute::integer("CURSEQNO", MQIACH_CURRENT_SEQ_NUMBER, (0, i32::MAX), 0).pcf_only().live()
        .means("The sequence number of the last message in doubt or in the batch under way."),
    Attribute::integer("CURSHCNV", MQIACH_CURRENT_SHARING_CONVS, (0, i32::MAX), 0).pcf_only().live()
        .means("Conversations on the connection; zero for channels between queue managers."),
    Attribute::words("EXITTIME", MQIACH_EXIT_TIME_INDICATOR, (NOT_MEASURED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Microseconds in exits for each message; blank, since there are no exits."),
    Attribute::integer("HBINT", MQIACH_HB_INTERVAL, (0, 999_999), 0).pcf_only().live()
        .means("Seconds between heartbeats, as the ends agreed."),
    Attribute::choice("INDOUBT", MQIACH_INDOUBT_STATUS, INDOUBT, MQCHIDS_NOT_INDOUBT).pcf_only().live()
        .means("State of doubt: YES while a batch waits to be confirmed, whether the channel runs or not."),
    Attribute::integer("INFLIGHT", IN_FLIGHT, (0, 64), 0).pcf_only().live()
        .means("Most batches in flight, as the ends agreed. Of ours."),
    Attribute::text("JOBNAME", MQCACH_MCA_JOB_NAME, MQ_MCA_JOB_NAME_LENGTH).pcf_only().live()
        .means("The process of the agent."),
    Attribute::integer("KAINT", MQIACH_KEEP_ALIVE_INTERVAL, (0, 99_999), 0).pcf_only().live()
        .means("Seconds of silence after which the system probes the other end; 0 for never."),
    Attribute::text("LASTERR", LAST_ERROR, ERROR_BYTES_MAX).pcf_only().live()
        .means("The fault that ended the channel last: its number and its words. Of ours."),
    Attribute::text("LOCLADDR", MQCACH_LOCAL_ADDRESS, MQ_LOCAL_ADDRESS_LENGTH).pcf_only().live()
        .means("The address of this end."),
    Attribute::integer("LONGRTS", MQIACH_LONG_RETRIES_LEFT, (0, i32::MAX), 0).pcf_only().live()
        .means("Long retries that are left."),
    Attribute::text("LSTLUWID", MQCACH_LAST_LUWID, MQ_LUWID_LENGTH).pcf_only().live()
        .means("The last batch that was confirmed."),
    Attribute::text("LSTMSGDA", MQCACH_LAST_MSG_DATE, 12).pcf_only().live()
        .means("The day of the last message, UTC."),
    Attribute::text("LSTMSGTI", MQCACH_LAST_MSG_TIME, 8).pcf_only().live()
        .means("The time of day of the last message, UTC."),
    Attribute::integer("LSTSEQNO", MQIACH_LAST_SEQ_NUMBER, (0, i32::MAX), 0).pcf_only().live()
        .means("The sequence number of the last message that was confirmed."),
    Attribute::integer("MAXMSGL", MQIACH_MAX_MSG_LENGTH, (0, i32::MAX), 0).pcf_only().live()
        .means("The longest message in bytes, as the ends agreed."),
    Attribute::choice("MCASTAT", MQIACH_MCA_STATUS, AGENT, MQMCAS_STOPPED).pcf_only().live()
        .means("State of the channel's agent."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, MQ_MAX_USER_ID_LENGTH).pcf_only().live()
        .means("The user that acts."),
    Attribute::choice("MONCHL", MQIA_MONITORING_CHANNEL, MONITORING, MQMON_OFF).pcf_only().live()
        .means("The level of monitoring."),
    Attribute::integer("MSGS", MQIACH_MSGS, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages sent or received, fast ones too; of a client its calls and the messages that read-ahead brought it."),
    Attribute::words("NETTIME", MQIACH_NETWORK_TIME_INDICATOR, (NOT_MEASURED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Microseconds from the end of a batch to its confirmation, without the receiver's own time."),
    Attribute::text("NEXTTRY", NEXT_TRY, 8).pcf_only().live()
        .means("The time of day at which the channel calls again, UTC. Of ours."),
    Attribute::choice("NPMSPEED", MQIACH_NPM_SPEED, SPEED, MQNPMS_NORMAL).pcf_only().live()
        .means("Way of non-persistent messages that the ends agreed: outside the batch with FAST, in it with NORMAL."),
    Attribute::text("RAPPLTAG", MQCACH_REMOTE_APPL_TAG, MQ_APPL_TAG_LENGTH).pcf_only().live()
        .means("The program at the other end."),
    Attribute::text("RPRODUCT", MQCACH_REMOTE_PRODUCT, MQ_REMOTE_PRODUCT_LENGTH).pcf_only().live()
        .means("The product at the other end."),
    Attribute::text("RQMID", REMOTE_IDENTIFIER, MQ_Q_MGR_IDENTIFIER_LENGTH).pcf_only().live()
        .means("The identifier of the queue manager at the other end. Of ours."),
    Attribute::text("RVERSION", MQCACH_REMOTE_VERSION, MQ_REMOTE_VERSION_LENGTH).pcf_only().live()
        .means("Its version."),
    Attribute::choice("SECPROT", MQIACH_SECURITY_PROTOCOL, PROTECTION, MQSECPROT_NONE).pcf_only().live()
        .means("The protocol that protects the connection."),
    Attribute::integer("SHORTRTS", MQIACH_SHORT_RETRIES_LEFT, (0, i32::MAX), 0).pcf_only().live()
        .means("Short retries that are left."),
    Attribute::text("SSLCERTI", MQCACH_SSL_CERT_ISSUER_NAME, MQ_SHORT_DNAME_LENGTH).pcf_only().live()
        .means("The name of the issuer of the partner's certificate."),
    Attribute::text("SSLCIPH", MQCACH_SSL_CIPHER_SPEC, MQ_SSL_CIPHER_SPEC_LENGTH).pcf_only().live()
        .means("The cipher suite of the connection; blank for one in the clear."),
    Attribute::text("SSLKEYDA", MQCACH_SSL_KEY_RESET_DATE, 12).pcf_only().live()
        .means("The day on which the key of the connection was last changed; blank for never."),
    Attribute::text("SSLKEYTI", MQCACH_SSL_KEY_RESET_TIME, 8).pcf_only().live()
        .means("The time of day of that; blank for never."),
    Attribute::text("SSLPEER", MQCACH_SSL_SHORT_PEER_NAME, MQ_SHORT_DNAME_LENGTH).pcf_only().live()
        .means("The name in the partner's certificate."),
    Attribute::integer("SSLRKEYS", MQIACH_SSL_KEY_RESETS, (0, i32::MAX), 0).pcf_only().live()
        .means("Changes of the key of the connection."),
    Attribute::choice("STATCHL", MQIA_STATISTICS_CHANNEL, MONITORING, MQMON_OFF).pcf_only().live()
        .means("The level of statistics."),
    Attribute::choice("STOPREQ", MQIACH_STOP_REQUESTED, STOPPING, MQCHSR_STOP_NOT_REQUESTED).pcf_only().live()
        .means("Request to stop: YES after a command asked the channel to."),
    Attribute::words("XBATCHSZ", MQIACH_BATCH_SIZE_INDICATOR, (NOT_MEASURED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Messages of a batch, of a short and a long time."),
    Attribute::integer("XQMSGSA", MQIACH_XMITQ_MSGS_AVAILABLE, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages on the transmission queue."),
    Attribute::words("XQTIME", MQIACH_XMITQ_TIME_INDICATOR, (NOT_MEASURED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Microseconds that messages waited on the transmission queue."),
];
