//! The types of objects that have authorities, and the authorities that fit each.
//!
//! Made by `cargo xtask generate` from the tables in `crates/security/facts`; change those, then
//! run it again.

use super::set::Set;
use mqi::{constants, ours};

/// A type of object that authority records name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// `QUEUE`
    Queue,
    /// `QMGR`
    QueueManager,
    /// `TOPIC`
    Topic,
    /// `PROCESS`
    Process,
    /// `NAMELIST`
    Namelist,
    /// `AUTHINFO`
    AuthenticationInformation,
    /// `CHANNEL`
    Channel,
    /// `CLNTCONN`
    ClientConnection,
    /// `LISTENER`
    Listener,
    /// `SERVICE`
    Service,
    /// `COMMINFO`
    CommunicationInformation,
    /// `BRIDGE`
    Bridge,
    /// `PIPE`
    Pipe,
    /// `RQMNAME`
    RemoteQueueManager,
}

/// One type: its keyword, its number, and the authorities that fit it.
pub(super) struct Row {
    pub(super) object_type: ObjectType,
    pub(super) keyword: &'static str,
    pub(super) number: i32,
    pub(super) mqi: Set,
    pub(super) administration: Set,
}

/// A row for each type, in the order of [`ObjectType`].
pub(super) static ROWS: &[Row] = &[
    Row {
        object_type: ObjectType::Queue,
        keyword: "QUEUE",
        number: constants::MQOT_Q,
        mqi: Set::EMPTY
            .with(Set::BROWSE)
            .with(Set::PUT)
            .with(Set::GET)
            .with(Set::INQ)
            .with(Set::SET)
            .with(Set::PASSID)
            .with(Set::PASSALL)
            .with(Set::SETID)
            .with(Set::SETALL),
        administration: Set::EMPTY.with(Set::CHG).with(Set::CLR).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
    Row {
        object_type: ObjectType::QueueManager,
        keyword: "QMGR",
        number: constants::MQOT_Q_MGR,
        mqi: Set::EMPTY
            .with(Set::CONNECT)
            .with(Set::ALTUSR)
            .with(Set::INQ)
            .with(Set::SET)
            .with(Set::SETID)
            .with(Set::SETALL)
            .with(Set::SYSTEM),
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::CTRLX)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Topic,
        keyword: "TOPIC",
        number: constants::MQOT_TOPIC,
        mqi: Set::EMPTY
            .with(Set::PUB)
            .with(Set::SUB)
            .with(Set::RESUME)
            .with(Set::PASSID)
            .with(Set::PASSALL)
            .with(Set::SETID)
            .with(Set::SETALL),
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CLR)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Process,
        keyword: "PROCESS",
        number: constants::MQOT_PROCESS,
        mqi: Set::EMPTY.with(Set::INQ).with(Set::SET),
        administration: Set::EMPTY.with(Set::CHG).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Namelist,
        keyword: "NAMELIST",
        number: constants::MQOT_NAMELIST,
        mqi: Set::EMPTY.with(Set::INQ),
        administration: Set::EMPTY.with(Set::CHG).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
    Row {
        object_type: ObjectType::AuthenticationInformation,
        keyword: "AUTHINFO",
        number: constants::MQOT_AUTH_INFO,
        mqi: Set::EMPTY.with(Set::INQ).with(Set::SET),
        administration: Set::EMPTY.with(Set::CHG).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Channel,
        keyword: "CHANNEL",
        number: constants::MQOT_CHANNEL,
        mqi: Set::EMPTY,
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::CTRLX)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::ClientConnection,
        keyword: "CLNTCONN",
        number: constants::MQOT_CLNTCONN_CHANNEL,
        mqi: Set::EMPTY,
        administration: Set::EMPTY.with(Set::CHG).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Listener,
        keyword: "LISTENER",
        number: constants::MQOT_LISTENER,
        mqi: Set::EMPTY,
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Service,
        keyword: "SERVICE",
        number: constants::MQOT_SERVICE,
        mqi: Set::EMPTY,
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::CommunicationInformation,
        keyword: "COMMINFO",
        number: constants::MQOT_COMM_INFO,
        mqi: Set::EMPTY,
        administration: Set::EMPTY.with(Set::CHG).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Bridge,
        keyword: "BRIDGE",
        number: ours::OBJECT_TYPE_BRIDGE,
        mqi: Set::EMPTY,
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::Pipe,
        keyword: "PIPE",
        number: ours::OBJECT_TYPE_PIPE,
        mqi: Set::EMPTY,
        administration: Set::EMPTY
            .with(Set::CHG)
            .with(Set::CRT)
            .with(Set::CTRL)
            .with(Set::DLT)
            .with(Set::DSP),
    },
    Row {
        object_type: ObjectType::RemoteQueueManager,
        keyword: "RQMNAME",
        number: constants::MQOT_REMOTE_Q_MGR_NAME,
        mqi: Set::EMPTY.with(Set::PUT),
        administration: Set::EMPTY.with(Set::CHG).with(Set::CRT).with(Set::DLT).with(Set::DSP),
    },
];
