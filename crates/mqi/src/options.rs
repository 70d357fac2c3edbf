//! The option sets of the verbs and of messages.
//!
//! An option whose value is zero (such as `MQGMO_NO_WAIT`) is the absence of the others and has no constant
//! here.

use crate::bit_set::bit_set;

bit_set! {
    /// Options for making, altering or resuming a subscription (`MQSO_`).
    SubscribeOptions {
        /// Change the subscription there is.
        ALTER = MQSO_ALTER,
        /// Make one.
        CREATE = MQSO_CREATE,
        /// Use the one there is.
        RESUME = MQSO_RESUME,
        /// One that outlives its program.
        DURABLE = MQSO_DURABLE,
        /// One message for all subscriptions of a group.
        GROUP_SUB = MQSO_GROUP_SUB,
        /// With a queue that the queue manager makes and looks after.
        MANAGED = MQSO_MANAGED,
        /// With an identity context of the program's own.
        SET_IDENTITY_CONTEXT = MQSO_SET_IDENTITY_CONTEXT,
        /// Do not use multicast.
        NO_MULTICAST = MQSO_NO_MULTICAST,
        /// Fixes the subscription to the user that makes it.
        FIXED_USERID = MQSO_FIXED_USERID,
        /// For any user.
        ANY_USERID = MQSO_ANY_USERID,
        /// Publications come when they are asked for.
        PUBLICATIONS_ON_REQUEST = MQSO_PUBLICATIONS_ON_REQUEST,
        /// Without what was published before.
        NEW_PUBLICATIONS_ONLY = MQSO_NEW_PUBLICATIONS_ONLY,
        /// Refuse when the queue manager is quiescing.
        FAIL_IF_QUIESCING = MQSO_FAIL_IF_QUIESCING,
        /// Check authority for the alternate user.
        ALTERNATE_USER_AUTHORITY = MQSO_ALTERNATE_USER_AUTHORITY,
        /// Wildcards stand for characters.
        WILDCARD_CHAR = MQSO_WILDCARD_CHAR,
        /// Wildcards stand for levels.
        WILDCARD_TOPIC = MQSO_WILDCARD_TOPIC,
        /// With the correlation identifier of the descriptor.
        SET_CORREL_ID = MQSO_SET_CORREL_ID,
        /// Publications of this queue manager only.
        SCOPE_QMGR = MQSO_SCOPE_QMGR,
        /// Send messages to the client only when asked for.
        NO_READ_AHEAD = MQSO_NO_READ_AHEAD,
        /// Send messages to the client before they are asked for.
        READ_AHEAD = MQSO_READ_AHEAD,
    }
}

bit_set! {
    /// Options for requesting publications (`MQSRO_`).
    RequestOptions {
        /// Refuse when the queue manager is quiescing.
        FAIL_IF_QUIESCING = MQSRO_FAIL_IF_QUIESCING,
    }
}

bit_set! {
    /// Options for opening an object (`MQOO_`).
    OpenOptions {
        /// Get messages, shared or not as the queue says.
        INPUT_AS_Q_DEF = MQOO_INPUT_AS_Q_DEF,
        /// Get messages, with others.
        INPUT_SHARED = MQOO_INPUT_SHARED,
        /// Get messages, alone.
        INPUT_EXCLUSIVE = MQOO_INPUT_EXCLUSIVE,
        /// Look at messages without taking them.
        BROWSE = MQOO_BROWSE,
        /// Put messages.
        OUTPUT = MQOO_OUTPUT,
        /// Ask for attributes.
        INQUIRE = MQOO_INQUIRE,
        /// Change attributes.
        SET = MQOO_SET,
        /// Remember the context of messages got, to pass it on.
        SAVE_ALL_CONTEXT = MQOO_SAVE_ALL_CONTEXT,
        /// Put messages with the identity context of one that was got.
        PASS_IDENTITY_CONTEXT = MQOO_PASS_IDENTITY_CONTEXT,
        /// Put messages with the whole context of one that was got.
        PASS_ALL_CONTEXT = MQOO_PASS_ALL_CONTEXT,
        /// Put messages with an identity context of the program's own.
        SET_IDENTITY_CONTEXT = MQOO_SET_IDENTITY_CONTEXT,
        /// Put messages with a context of the program's own.
        SET_ALL_CONTEXT = MQOO_SET_ALL_CONTEXT,
        /// Check authority for the alternate user.
        ALTERNATE_USER_AUTHORITY = MQOO_ALTERNATE_USER_AUTHORITY,
        /// Refuse when the queue manager is quiescing.
        FAIL_IF_QUIESCING = MQOO_FAIL_IF_QUIESCING,
        /// Choose the instance of a cluster queue at open.
        BIND_ON_OPEN = MQOO_BIND_ON_OPEN,
        /// Choose the instance of a cluster queue for each group.
        BIND_ON_GROUP = MQOO_BIND_ON_GROUP,
        /// Choose the instance of a cluster queue for each message.
        BIND_NOT_FIXED = MQOO_BIND_NOT_FIXED,
        /// Share marks on browsed messages with other handles.
        CO_OP = MQOO_CO_OP,
        /// Send messages to the client only when asked for.
        NO_READ_AHEAD = MQOO_NO_READ_AHEAD,
        /// Send messages to the client before they are asked for.
        READ_AHEAD = MQOO_READ_AHEAD,
        /// Do not use multicast.
        NO_MULTICAST = MQOO_NO_MULTICAST,
        /// Report the local queue the name leads to.
        RESOLVE_LOCAL_Q = MQOO_RESOLVE_LOCAL_Q,
        /// Report the local topic the name leads to.
        RESOLVE_LOCAL_TOPIC = MQOO_RESOLVE_LOCAL_TOPIC,
        /// Resolve names without opening a queue.
        RESOLVE_NAMES = MQOO_RESOLVE_NAMES,
    }
}

bit_set! {
    /// Options for closing an object (`MQCO_`).
    CloseOptions {
        /// Delete the dynamic queue when it is empty.
        DELETE = MQCO_DELETE,
        /// Delete the dynamic queue and its messages.
        DELETE_PURGE = MQCO_DELETE_PURGE,
        /// Keep the durable subscription.
        KEEP_SUB = MQCO_KEEP_SUB,
        /// Remove the durable subscription.
        REMOVE_SUB = MQCO_REMOVE_SUB,
        /// Keep the handle until messages read ahead are used up.
        QUIESCE = MQCO_QUIESCE,
    }
}

bit_set! {
    /// Options for putting a message (`MQPMO_`).
    PutFlags {
        /// As part of the unit of work.
        SYNCPOINT = MQPMO_SYNCPOINT,
        /// At once, outside any unit of work.
        NO_SYNCPOINT = MQPMO_NO_SYNCPOINT,
        /// With the context of this program.
        DEFAULT_CONTEXT = MQPMO_DEFAULT_CONTEXT,
        /// With a new message identifier.
        NEW_MSG_ID = MQPMO_NEW_MSG_ID,
        /// With a new correlation identifier.
        NEW_CORREL_ID = MQPMO_NEW_CORREL_ID,
        /// With the identity context of the message got through the context handle.
        PASS_IDENTITY_CONTEXT = MQPMO_PASS_IDENTITY_CONTEXT,
        /// With the whole context of the message got through the context handle.
        PASS_ALL_CONTEXT = MQPMO_PASS_ALL_CONTEXT,
        /// With the identity context the descriptor gives.
        SET_IDENTITY_CONTEXT = MQPMO_SET_IDENTITY_CONTEXT,
        /// With the context the descriptor gives.
        SET_ALL_CONTEXT = MQPMO_SET_ALL_CONTEXT,
        /// Check authority for the alternate user.
        ALTERNATE_USER_AUTHORITY = MQPMO_ALTERNATE_USER_AUTHORITY,
        /// Refuse when the queue manager is quiescing.
        FAIL_IF_QUIESCING = MQPMO_FAIL_IF_QUIESCING,
        /// Without context.
        NO_CONTEXT = MQPMO_NO_CONTEXT,
        /// Let the queue manager number groups and segments.
        LOGICAL_ORDER = MQPMO_LOGICAL_ORDER,
        /// Do not wait for the outcome.
        ASYNC_RESPONSE = MQPMO_ASYNC_RESPONSE,
        /// Wait for the outcome.
        SYNC_RESPONSE = MQPMO_SYNC_RESPONSE,
        /// Report the local queue the name leads to.
        RESOLVE_LOCAL_Q = MQPMO_RESOLVE_LOCAL_Q,
        /// Warn when a publication reached no subscription.
        WARN_IF_NO_SUBS_MATCHED = MQPMO_WARN_IF_NO_SUBS_MATCHED,
        /// Keep the publication for later subscribers.
        RETAIN = MQPMO_RETAIN,
        /// Leave the descriptor as the program gave it.
        MD_FOR_OUTPUT_ONLY = MQPMO_MD_FOR_OUTPUT_ONLY,
        /// Publish to subscribers of this queue manager only.
        SCOPE_QMGR = MQPMO_SCOPE_QMGR,
        /// Publish without the reply queue.
        SUPPRESS_REPLYTO = MQPMO_SUPPRESS_REPLYTO,
        /// Do not publish to subscriptions of this program.
        NOT_OWN_SUBS = MQPMO_NOT_OWN_SUBS,
    }
}

bit_set! {
    /// Options for getting a message (`MQGMO_`); [`Wait`](crate::Wait) has the wait.
    GetFlags {
        /// Signal when a message arrives.
        SET_SIGNAL = MQGMO_SET_SIGNAL,
        /// Refuse when the queue manager is quiescing.
        FAIL_IF_QUIESCING = MQGMO_FAIL_IF_QUIESCING,
        /// As part of the unit of work.
        SYNCPOINT = MQGMO_SYNCPOINT,
        /// As part of the unit of work when the message is persistent.
        SYNCPOINT_IF_PERSISTENT = MQGMO_SYNCPOINT_IF_PERSISTENT,
        /// At once, outside any unit of work.
        NO_SYNCPOINT = MQGMO_NO_SYNCPOINT,
        /// Keep the message out of a backout of its unit of work.
        MARK_SKIP_BACKOUT = MQGMO_MARK_SKIP_BACKOUT,
        /// Look at the first message that matches.
        BROWSE_FIRST = MQGMO_BROWSE_FIRST,
        /// Look at the next message that matches.
        BROWSE_NEXT = MQGMO_BROWSE_NEXT,
        /// Look again at the message under the cursor.
        BROWSE_MSG_UNDER_CURSOR = MQGMO_BROWSE_MSG_UNDER_CURSOR,
        /// Take the message under the cursor.
        MSG_UNDER_CURSOR = MQGMO_MSG_UNDER_CURSOR,
        /// Lock the message looked at.
        LOCK = MQGMO_LOCK,
        /// Unlock the message locked before.
        UNLOCK = MQGMO_UNLOCK,
        /// Take a message longer than the buffer, losing the rest.
        ACCEPT_TRUNCATED_MSG = MQGMO_ACCEPT_TRUNCATED_MSG,
        /// Convert the message to the character set and encoding asked for.
        CONVERT = MQGMO_CONVERT,
        /// Return groups and segments in their order.
        LOGICAL_ORDER = MQGMO_LOGICAL_ORDER,
        /// Return only whole messages, joined from segments.
        COMPLETE_MSG = MQGMO_COMPLETE_MSG,
        /// Return messages of groups that are complete.
        ALL_MSGS_AVAILABLE = MQGMO_ALL_MSGS_AVAILABLE,
        /// Return segments of messages that are complete.
        ALL_SEGMENTS_AVAILABLE = MQGMO_ALL_SEGMENTS_AVAILABLE,
        /// Mark the message for this handle.
        MARK_BROWSE_HANDLE = MQGMO_MARK_BROWSE_HANDLE,
        /// Mark the message for all co-operating handles.
        MARK_BROWSE_CO_OP = MQGMO_MARK_BROWSE_CO_OP,
        /// Remove the mark of co-operating handles.
        UNMARK_BROWSE_CO_OP = MQGMO_UNMARK_BROWSE_CO_OP,
        /// Remove the mark of this handle.
        UNMARK_BROWSE_HANDLE = MQGMO_UNMARK_BROWSE_HANDLE,
        /// Look only at messages without a mark.
        UNMARKED_BROWSE_MSG = MQGMO_UNMARKED_BROWSE_MSG,
        /// Return properties as a header in the message.
        PROPERTIES_FORCE_MQRFH2 = MQGMO_PROPERTIES_FORCE_MQRFH2,
        /// Return no properties.
        NO_PROPERTIES = MQGMO_NO_PROPERTIES,
        /// Return properties in the message handle.
        PROPERTIES_IN_HANDLE = MQGMO_PROPERTIES_IN_HANDLE,
        /// Return properties as programs without handles expect them.
        PROPERTIES_COMPATIBILITY = MQGMO_PROPERTIES_COMPATIBILITY,
        /// Return fields of groups and segments as a header before the body (MQMDE), for a program that knows
        /// the first version of the descriptor alone. No option of a C program.
        DESCRIPTOR_EXTENSION = 1 << 29,
    }
}

bit_set! {
    /// Fields of the descriptor that a message must agree with (`MQMO_`).
    MatchOptions {
        /// The message identifier must match.
        MATCH_MSG_ID = MQMO_MATCH_MSG_ID,
        /// The correlation identifier must match.
        MATCH_CORREL_ID = MQMO_MATCH_CORREL_ID,
        /// The group identifier must match.
        MATCH_GROUP_ID = MQMO_MATCH_GROUP_ID,
        /// The sequence number in the group must match.
        MATCH_MSG_SEQ_NUMBER = MQMO_MATCH_MSG_SEQ_NUMBER,
        /// The offset in the logical message must match.
        MATCH_OFFSET = MQMO_MATCH_OFFSET,
        /// The message token must match.
        MATCH_MSG_TOKEN = MQMO_MATCH_MSG_TOKEN,
    }
}

bit_set! {
    /// Reports that a message asks for, and their form (`MQRO_`).
    ReportOptions {
        /// Report when it cannot be delivered, with the whole message.
        EXCEPTION_WITH_FULL_DATA = MQRO_EXCEPTION_WITH_FULL_DATA,
        /// Report when it cannot be delivered, with 100 bytes of the message.
        EXCEPTION_WITH_DATA = MQRO_EXCEPTION_WITH_DATA,
        /// Report when it cannot be delivered.
        EXCEPTION = MQRO_EXCEPTION,
        /// Report when it expires, with the whole message.
        EXPIRATION_WITH_FULL_DATA = MQRO_EXPIRATION_WITH_FULL_DATA,
        /// Report when it expires, with 100 bytes of the message.
        EXPIRATION_WITH_DATA = MQRO_EXPIRATION_WITH_DATA,
        /// Report when it expires.
        EXPIRATION = MQRO_EXPIRATION,
        /// Report its arrival, with the whole message.
        COA_WITH_FULL_DATA = MQRO_COA_WITH_FULL_DATA,
        /// Report its arrival, with 100 bytes of the message.
        COA_WITH_DATA = MQRO_COA_WITH_DATA,
        /// Report its arrival.
        COA = MQRO_COA,
        /// Report its delivery, with the whole message.
        COD_WITH_FULL_DATA = MQRO_COD_WITH_FULL_DATA,
        /// Report its delivery, with 100 bytes of the message.
        COD_WITH_DATA = MQRO_COD_WITH_DATA,
        /// Report its delivery.
        COD = MQRO_COD,
        /// Report that the program could use it.
        PAN = MQRO_PAN,
        /// Report that the program could not use it.
        NAN = MQRO_NAN,
        /// Report what was done with it on the way.
        ACTIVITY = MQRO_ACTIVITY,
        /// Reports and replies keep its message identifier.
        PASS_MSG_ID = MQRO_PASS_MSG_ID,
        /// Reports and replies keep its correlation identifier.
        PASS_CORREL_ID = MQRO_PASS_CORREL_ID,
        /// Drop it when it cannot be delivered.
        DISCARD_MSG = MQRO_DISCARD_MSG,
        /// Reports and replies inherit its discard option and remaining expiry.
        PASS_DISCARD_AND_EXPIRY = MQRO_PASS_DISCARD_AND_EXPIRY,
    }
}

bit_set! {
    /// Flags of a message that is part of a group, or a segment (`MQMF_`).
    MessageFlags {
        /// The queue manager may split the message.
        SEGMENTATION_ALLOWED = MQMF_SEGMENTATION_ALLOWED,
        /// A segment of a logical message.
        SEGMENT = MQMF_SEGMENT,
        /// The last segment of a logical message.
        LAST_SEGMENT = MQMF_LAST_SEGMENT,
        /// A message of a group.
        MSG_IN_GROUP = MQMF_MSG_IN_GROUP,
        /// The last message of a group.
        LAST_MSG_IN_GROUP = MQMF_LAST_MSG_IN_GROUP,
    }
}
