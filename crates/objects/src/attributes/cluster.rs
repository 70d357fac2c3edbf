//! The attributes that an object has where the queue manager of a cluster tells others of it.
//!
//! Lives here: the words and numbers, so that a question which names them is understood.
//! Lives elsewhere: attributes of clusters that a definition keeps (`queue`, `topic`).
//!
//! Always: no object here has a value of them, since there are no clusters yet. A question shows nothing for
//! them, and a condition on one finds nothing.

use mqi::constants::*;

use super::row::{Access, Attribute, Word, word};
use super::words::NAME;
use crate::object_type::ObjectType::{self, *};

const QUEUES: &[ObjectType] = &[LocalQueue, AliasQueue, ModelQueue, RemoteQueue];
const SHARED: &[ObjectType] = &[LocalQueue, AliasQueue, ModelQueue, RemoteQueue, Topic];

const QUEUE_KINDS: &[Word] = &[
    word("QLOCAL", MQCQT_LOCAL_Q),
    word("QALIAS", MQCQT_ALIAS_Q),
    word("QREMOTE", MQCQT_REMOTE_Q),
    word("QMGR", MQCQT_Q_MGR_ALIAS),
];
const STATES: &[Word] = &[
    word("ACTIVE", MQCLST_ACTIVE),
    word("PENDING", MQCLST_PENDING),
    word("INVALID", MQCLST_INVALID),
    word("ERROR", MQCLST_ERROR),
];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::choice("CLSTATE", MQIA_CLUSTER_OBJECT_STATE, STATES, MQCLST_ACTIVE).on(&[Topic]).access(Access::Elsewhere)
        .means("State of the topic in its cluster."),
    Attribute::text("CLUSDATE", MQCA_CLUSTER_DATE, MQ_DATE_LENGTH).on(SHARED).access(Access::Elsewhere)
        .means("The day the cluster was told of the object."),
    Attribute::name("CLUSQMGR", MQCA_CLUSTER_Q_MGR_NAME, NAME).on(SHARED).access(Access::Elsewhere)
        .means("The queue manager of a cluster that has the object."),
    Attribute::choice("CLUSQT", MQIA_CLUSTER_Q_TYPE, QUEUE_KINDS, MQCQT_LOCAL_Q).on(QUEUES).access(Access::Elsewhere)
        .means("The type of the queue at that queue manager."),
    Attribute::text("CLUSTIME", MQCA_CLUSTER_TIME, MQ_TIME_LENGTH).on(SHARED).access(Access::Elsewhere)
        .means("The time of day the cluster was told of the object."),
    Attribute::text("QMID", MQCA_Q_MGR_IDENTIFIER, MQ_Q_MGR_IDENTIFIER_LENGTH).on(SHARED).access(Access::Elsewhere)
        .means("The identifier of that queue manager."),
];
