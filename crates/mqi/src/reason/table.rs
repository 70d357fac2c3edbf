//! The rows of the reason table.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

use super::{Reason, Row};

impl Reason {
    /// The call did what was asked.
    pub const NONE: Self = Self(0);
    /// Lowest code that applications and exits may use for themselves.
    pub const APPL_FIRST: Self = Self(900);
    /// Highest code that applications and exits may use for themselves.
    pub const APPL_LAST: Self = Self(999);
    /// The alias leads to an object of a type an alias may not lead to.
    pub const ALIAS_BASE_Q_TYPE_ERROR: Self = Self(2001);
    /// The program is already connected; the handle returned is that of the connection, and can be used.
    pub const ALREADY_CONNECTED: Self = Self(2002);
    /// The unit of work was backed out, so nothing of it took effect.
    pub const BACKED_OUT: Self = Self(2003);
    /// The buffer parameter is not valid.
    pub const BUFFER_ERROR: Self = Self(2004);
    /// The buffer length is negative or too long.
    pub const BUFFER_LENGTH_ERROR: Self = Self(2005);
    /// The length of the character attributes is negative.
    pub const CHAR_ATTR_LENGTH_ERROR: Self = Self(2006);
    /// The string of character attributes is not valid.
    pub const CHAR_ATTRS_ERROR: Self = Self(2007);
    /// There is no room for all character attributes asked for.
    pub const CHAR_ATTRS_TOO_SHORT: Self = Self(2008);
    /// The connection to the queue manager ended; calls in flight may or may not have been done, and an open unit of work is backed out.
    pub const CONNECTION_BROKEN: Self = Self(2009);
    /// The length parameter is not valid.
    pub const DATA_LENGTH_ERROR: Self = Self(2010);
    /// The name for the dynamic queue is not valid.
    pub const DYNAMIC_Q_NAME_ERROR: Self = Self(2011);
    /// The call or option is not possible in this environment.
    pub const ENVIRONMENT_ERROR: Self = Self(2012);
    /// The expiry is neither a positive number of tenths of a second nor "unlimited".
    pub const EXPIRY_ERROR: Self = Self(2013);
    /// The feedback is outside the ranges of the system and of applications.
    pub const FEEDBACK_ERROR: Self = Self(2014);
    /// Gets from this queue are switched off.
    pub const GET_INHIBITED: Self = Self(2016);
    /// This connection has as many open handles as it may.
    pub const HANDLE_NOT_AVAILABLE: Self = Self(2017);
    /// The connection handle is not one this program holds.
    pub const HCONN_ERROR: Self = Self(2018);
    /// The object handle is not one this connection has open.
    pub const HOBJ_ERROR: Self = Self(2019);
    /// The value for switching gets or puts is neither of the two allowed.
    pub const INHIBIT_VALUE_ERROR: Self = Self(2020);
    /// The number of integer attributes is negative.
    pub const INT_ATTR_COUNT_ERROR: Self = Self(2021);
    /// There is no room for all integer attributes asked for.
    pub const INT_ATTR_COUNT_TOO_SMALL: Self = Self(2022);
    /// The array of integer attributes is not valid.
    pub const INT_ATTRS_ARRAY_ERROR: Self = Self(2023);
    /// The unit of work has as many messages as it may.
    pub const SYNCPOINT_LIMIT_REACHED: Self = Self(2024);
    /// The queue manager or the channel has as many connections as it allows.
    pub const MAX_CONNS_LIMIT_REACHED: Self = Self(2025);
    /// The message descriptor is not valid: a wrong identifier, version or length.
    pub const MD_ERROR: Self = Self(2026);
    /// A message of type request, or one that asks for a report, names no queue for the answer.
    pub const MISSING_REPLY_TO_Q: Self = Self(2027);
    /// The message type is outside the ranges of the system and of applications.
    pub const MSG_TYPE_ERROR: Self = Self(2029);
    /// The message is longer than the queue allows.
    pub const MSG_TOO_BIG_FOR_Q: Self = Self(2030);
    /// The message is longer than the queue manager allows.
    pub const MSG_TOO_BIG_FOR_Q_MGR: Self = Self(2031);
    /// No message fits: the queue is empty, every message is locked by a unit of work, or none matches the identifiers or the selection.
    pub const NO_MSG_AVAILABLE: Self = Self(2033);
    /// No message is under the browse cursor: nothing was browsed yet, or the message is gone.
    pub const NO_MSG_UNDER_CURSOR: Self = Self(2034);
    /// The user may not do this; a wrong user or password has this code too.
    pub const NOT_AUTHORIZED: Self = Self(2035);
    /// The handle was not opened for browsing.
    pub const NOT_OPEN_FOR_BROWSE: Self = Self(2036);
    /// The handle was not opened for getting messages.
    pub const NOT_OPEN_FOR_INPUT: Self = Self(2037);
    /// The handle was not opened for asking attributes.
    pub const NOT_OPEN_FOR_INQUIRE: Self = Self(2038);
    /// The handle was not opened for putting messages.
    pub const NOT_OPEN_FOR_OUTPUT: Self = Self(2039);
    /// The handle was not opened for setting attributes.
    pub const NOT_OPEN_FOR_SET: Self = Self(2040);
    /// The definition of the object was changed since it was opened.
    pub const OBJECT_CHANGED: Self = Self(2041);
    /// Others have the object open in a way that excludes this.
    pub const OBJECT_IN_USE: Self = Self(2042);
    /// The object type is not one that can be opened, or not for this.
    pub const OBJECT_TYPE_ERROR: Self = Self(2043);
    /// The object descriptor is not valid: a wrong identifier, version or length.
    pub const OD_ERROR: Self = Self(2044);
    /// An option does not fit the type of the object.
    pub const OPTION_NOT_VALID_FOR_TYPE: Self = Self(2045);
    /// The options hold an unknown bit or two that exclude each other.
    pub const OPTIONS_ERROR: Self = Self(2046);
    /// The persistence is not one of "persistent", "not persistent" and "as the queue says".
    pub const PERSISTENCE_ERROR: Self = Self(2047);
    /// A persistent message cannot be kept on a temporary dynamic queue.
    pub const PERSISTENT_NOT_ALLOWED: Self = Self(2048);
    /// The priority is above the highest there is; the message was put with the highest.
    pub const PRIORITY_EXCEEDS_MAXIMUM: Self = Self(2049);
    /// The priority is negative and does not say "as the queue says".
    pub const PRIORITY_ERROR: Self = Self(2050);
    /// Puts to this queue, or to a queue or topic on the way to it, are switched off.
    pub const PUT_INHIBITED: Self = Self(2051);
    /// The queue was deleted since it was opened.
    pub const Q_DELETED: Self = Self(2052);
    /// The queue has as many messages as it may.
    pub const Q_FULL: Self = Self(2053);
    /// The queue still has messages, or units of work that touch it.
    pub const Q_NOT_EMPTY: Self = Self(2055);
    /// There is no room to store the message on this queue.
    pub const Q_SPACE_NOT_AVAILABLE: Self = Self(2056);
    /// The queue is of a type for which this is not possible.
    pub const Q_TYPE_ERROR: Self = Self(2057);
    /// No queue manager of this name is known where the program connects.
    pub const Q_MGR_NAME_ERROR: Self = Self(2058);
    /// The queue manager cannot be reached: it is not running, or nothing answers at its address.
    pub const Q_MGR_NOT_AVAILABLE: Self = Self(2059);
    /// The report options hold an unknown bit or two that exclude each other.
    pub const REPORT_OPTIONS_ERROR: Self = Self(2061);
    /// The unit of work holds a message already that is kept out of backout; only on z/OS can a get ask for that, elsewhere MQGMO_MARK_SKIP_BACKOUT is refused with 2046.
    pub const SECOND_MARK_NOT_ALLOWED: Self = Self(2062);
    /// Authority could not be checked.
    pub const SECURITY_ERROR: Self = Self(2063);
    /// The queue manager reports: token timestamp not valid.
    pub const TOKEN_TIMESTAMP_NOT_VALID: Self = Self(2064);
    /// The number of selectors is negative or too great.
    pub const SELECTOR_COUNT_ERROR: Self = Self(2065);
    /// More selectors are given than one call takes.
    pub const SELECTOR_LIMIT_EXCEEDED: Self = Self(2066);
    /// A selector names no attribute.
    pub const SELECTOR_ERROR: Self = Self(2067);
    /// A selector names an attribute that this type of object does not have; the rest was answered.
    pub const SELECTOR_NOT_FOR_TYPE: Self = Self(2068);
    /// A signal is already waiting on this handle; only on z/OS can a get ask for one, elsewhere MQGMO_SET_SIGNAL is refused with 2046.
    pub const SIGNAL_OUTSTANDING: Self = Self(2069);
    /// No message fits yet; the signal will come when one arrives.
    pub const SIGNAL_REQUEST_ACCEPTED: Self = Self(2070);
    /// The queue manager has no memory left for this call.
    pub const STORAGE_NOT_AVAILABLE: Self = Self(2071);
    /// Units of work are not possible on this connection.
    pub const SYNCPOINT_NOT_AVAILABLE: Self = Self(2072);
    /// The value for trigger control is not valid.
    pub const TRIGGER_CONTROL_ERROR: Self = Self(2075);
    /// The trigger depth is not above zero.
    pub const TRIGGER_DEPTH_ERROR: Self = Self(2076);
    /// The lowest priority that triggers is out of range.
    pub const TRIGGER_MSG_PRIORITY_ERR: Self = Self(2077);
    /// The trigger type is not valid.
    pub const TRIGGER_TYPE_ERROR: Self = Self(2078);
    /// The message was longer than the buffer; the part that fits was returned and the rest is lost.
    pub const TRUNCATED_MSG_ACCEPTED: Self = Self(2079);
    /// The message is longer than the buffer and stays on the queue.
    pub const TRUNCATED_MSG_FAILED: Self = Self(2080);
    /// The alias leads to an object that does not exist.
    pub const UNKNOWN_ALIAS_BASE_Q: Self = Self(2082);
    /// The queue manager has no object of this name and type.
    pub const UNKNOWN_OBJECT_NAME: Self = Self(2085);
    /// Nothing leads to the queue manager named: no definition, and no transmission queue of its name.
    pub const UNKNOWN_OBJECT_Q_MGR: Self = Self(2086);
    /// A remote definition names a queue manager that nothing leads to.
    pub const UNKNOWN_REMOTE_Q_MGR: Self = Self(2087);
    /// The wait interval is negative and does not say "unlimited".
    pub const WAIT_INTERVAL_ERROR: Self = Self(2090);
    /// The transmission queue named is not a local queue.
    pub const XMIT_Q_TYPE_ERROR: Self = Self(2091);
    /// The queue named as transmission queue has another usage.
    pub const XMIT_Q_USAGE_ERROR: Self = Self(2092);
    /// The handle was not opened for passing the whole context.
    pub const NOT_OPEN_FOR_PASS_ALL: Self = Self(2093);
    /// The handle was not opened for passing the identity context.
    pub const NOT_OPEN_FOR_PASS_IDENT: Self = Self(2094);
    /// The handle was not opened for setting the whole context.
    pub const NOT_OPEN_FOR_SET_ALL: Self = Self(2095);
    /// The handle was not opened for setting the identity context.
    pub const NOT_OPEN_FOR_SET_IDENT: Self = Self(2096);
    /// The handle that should supply the context is not a queue open for input that saves context.
    pub const CONTEXT_HANDLE_ERROR: Self = Self(2097);
    /// The handle that should supply the context has none to give: no message was got, or only browsed.
    pub const CONTEXT_NOT_AVAILABLE: Self = Self(2098);
    /// Not valid: signal1.
    pub const SIGNAL1_ERROR: Self = Self(2099);
    /// An object of this name exists already.
    pub const OBJECT_ALREADY_EXISTS: Self = Self(2100);
    /// The stored data of the object cannot be read.
    pub const OBJECT_DAMAGED: Self = Self(2101);
    /// Something the queue manager needs is exhausted.
    pub const RESOURCE_PROBLEM: Self = Self(2102);
    /// This thread is connected to another queue manager already.
    pub const ANOTHER_Q_MGR_CONNECTED: Self = Self(2103);
    /// The report options hold bits unknown here that the message says to accept; they were ignored.
    pub const UNKNOWN_REPORT_OPTION: Self = Self(2104);
    /// The queue's storage class is not defined.
    pub const STORAGE_CLASS_ERROR: Self = Self(2105);
    /// The queue manager reports: COD not valid for XCF queue.
    pub const COD_NOT_VALID_FOR_XCF_Q: Self = Self(2106);
    /// The queue manager reports: xwait canceled.
    pub const XWAIT_CANCELED: Self = Self(2107);
    /// Not valid: xwait.
    pub const XWAIT_ERROR: Self = Self(2108);
    /// An exit refused the call.
    pub const SUPPRESSED_BY_EXIT: Self = Self(2109);
    /// The body is not what its format says, or no conversion is known for the format.
    pub const FORMAT_ERROR: Self = Self(2110);
    /// The message's character set is not known, so it was not converted.
    pub const SOURCE_CCSID_ERROR: Self = Self(2111);
    /// Not valid: source integer encoding.
    pub const SOURCE_INTEGER_ENC_ERROR: Self = Self(2112);
    /// Not valid: source decimal encoding.
    pub const SOURCE_DECIMAL_ENC_ERROR: Self = Self(2113);
    /// Not valid: source float encoding.
    pub const SOURCE_FLOAT_ENC_ERROR: Self = Self(2114);
    /// The character set asked for is not known, so the message was not converted.
    pub const TARGET_CCSID_ERROR: Self = Self(2115);
    /// Not valid: target integer encoding.
    pub const TARGET_INTEGER_ENC_ERROR: Self = Self(2116);
    /// Not valid: target decimal encoding.
    pub const TARGET_DECIMAL_ENC_ERROR: Self = Self(2117);
    /// Not valid: target float encoding.
    pub const TARGET_FLOAT_ENC_ERROR: Self = Self(2118);
    /// The message was returned as it is, since it could not be converted.
    pub const NOT_CONVERTED: Self = Self(2119);
    /// The message was returned unconverted, since it would no longer fit the buffer.
    pub const CONVERTED_MSG_TOO_BIG: Self = Self(2120);
    /// The queue manager reports: truncated.
    pub const TRUNCATED: Self = Self(2120);
    /// The unit of work has no resource other than this queue manager.
    pub const NO_EXTERNAL_PARTICIPANTS: Self = Self(2121);
    /// A resource of the unit of work cannot be reached.
    pub const PARTICIPANT_NOT_AVAILABLE: Self = Self(2122);
    /// Some resources of the unit of work were committed and others backed out.
    pub const OUTCOME_MIXED: Self = Self(2123);
    /// The unit of work is decided but not all took part yet; it will be completed by itself.
    pub const OUTCOME_PENDING: Self = Self(2124);
    /// The queue manager reports: bridge started.
    pub const BRIDGE_STARTED: Self = Self(2125);
    /// The queue manager reports: bridge stopped.
    pub const BRIDGE_STOPPED: Self = Self(2126);
    /// The queue manager reports: adapter storage shortage.
    pub const ADAPTER_STORAGE_SHORTAGE: Self = Self(2127);
    /// A unit of work is open, which excludes this call.
    pub const UOW_IN_PROGRESS: Self = Self(2128);
    /// Not valid: adapter connection load.
    pub const ADAPTER_CONN_LOAD_ERROR: Self = Self(2129);
    /// Not valid: adapter service load.
    pub const ADAPTER_SERV_LOAD_ERROR: Self = Self(2130);
    /// Not valid: adapter definitions.
    pub const ADAPTER_DEFS_ERROR: Self = Self(2131);
    /// Not valid: adapter definitions load.
    pub const ADAPTER_DEFS_LOAD_ERROR: Self = Self(2132);
    /// Not valid: adapter conversion load.
    pub const ADAPTER_CONV_LOAD_ERROR: Self = Self(2133);
    /// The begin options structure is not valid.
    pub const BO_ERROR: Self = Self(2134);
    /// Not valid: DH.
    pub const DH_ERROR: Self = Self(2135);
    /// Parts of the call ended differently.
    pub const MULTIPLE_REASONS: Self = Self(2136);
    /// The object was not opened because another part of the same call failed.
    pub const OPEN_FAILED: Self = Self(2137);
    /// Not valid: adapter disconnect load.
    pub const ADAPTER_DISC_LOAD_ERROR: Self = Self(2138);
    /// The connect options are not valid: a wrong identifier, version or length.
    pub const CNO_ERROR: Self = Self(2139);
    /// The queue manager reports: CICS wait failed.
    pub const CICS_WAIT_FAILED: Self = Self(2140);
    /// Not valid: DLH.
    pub const DLH_ERROR: Self = Self(2141);
    /// Not valid: header.
    pub const HEADER_ERROR: Self = Self(2142);
    /// Not valid: source length.
    pub const SOURCE_LENGTH_ERROR: Self = Self(2143);
    /// Not valid: target length.
    pub const TARGET_LENGTH_ERROR: Self = Self(2144);
    /// Not valid: source buffer.
    pub const SOURCE_BUFFER_ERROR: Self = Self(2145);
    /// Not valid: target buffer.
    pub const TARGET_BUFFER_ERROR: Self = Self(2146);
    /// The queue manager reports: incomplete transaction.
    pub const INCOMPLETE_TRANSACTION: Self = Self(2147);
    /// Not valid: IIH.
    pub const IIH_ERROR: Self = Self(2148);
    /// The command message is not well formed.
    pub const PCF_ERROR: Self = Self(2149);
    /// Not valid: DBCS.
    pub const DBCS_ERROR: Self = Self(2150);
    /// The object name may not be given here, or must be.
    pub const OBJECT_NAME_ERROR: Self = Self(2152);
    /// The queue manager name in the descriptor is not valid here.
    pub const OBJECT_Q_MGR_NAME_ERROR: Self = Self(2153);
    /// Not valid: records present.
    pub const RECS_PRESENT_ERROR: Self = Self(2154);
    /// Not valid: object records.
    pub const OBJECT_RECORDS_ERROR: Self = Self(2155);
    /// Not valid: response records.
    pub const RESPONSE_RECORDS_ERROR: Self = Self(2156);
    /// The queue manager reports: ASID mismatch.
    pub const ASID_MISMATCH: Self = Self(2157);
    /// Not valid: PMO record flags.
    pub const PMO_RECORD_FLAGS_ERROR: Self = Self(2158);
    /// Not valid: put message records.
    pub const PUT_MSG_RECORDS_ERROR: Self = Self(2159);
    /// The queue manager reports: connection identifier in use.
    pub const CONN_ID_IN_USE: Self = Self(2160);
    /// The queue manager is ending in order and takes no new connections or, on request, calls.
    pub const Q_MGR_QUIESCING: Self = Self(2161);
    /// The queue manager is ending at once; the call was not done.
    pub const Q_MGR_STOPPING: Self = Self(2162);
    /// A transaction manager of this name is registered already.
    pub const DUPLICATE_RECOV_COORD: Self = Self(2163);
    /// The put options structure is not valid: a wrong identifier, version or length.
    pub const PMO_ERROR: Self = Self(2173);
    /// The queue manager reports: api exit not found.
    pub const API_EXIT_NOT_FOUND: Self = Self(2182);
    /// Not valid: api exit load.
    pub const API_EXIT_LOAD_ERROR: Self = Self(2183);
    /// The definition of a remote queue says too little or too much for this call.
    pub const REMOTE_Q_NAME_ERROR: Self = Self(2184);
    /// Messages of one group differ in persistence.
    pub const INCONSISTENT_PERSISTENCE: Self = Self(2185);
    /// The get options structure is not valid: a wrong identifier, version or length.
    pub const GMO_ERROR: Self = Self(2186);
    /// The queue manager reports: CICS bridge restriction.
    pub const CICS_BRIDGE_RESTRICTION: Self = Self(2187);
    /// The queue manager reports: stopped by cluster exit.
    pub const STOPPED_BY_CLUSTER_EXIT: Self = Self(2188);
    /// It could not be found out which queue manager of the cluster has the queue.
    pub const CLUSTER_RESOLUTION_ERROR: Self = Self(2189);
    /// The queue manager reports: converted string too big.
    pub const CONVERTED_STRING_TOO_BIG: Self = Self(2190);
    /// Not valid: TMC.
    pub const TMC_ERROR: Self = Self(2191);
    /// The disk, the log that keeps persistent messages or QUOTA of the queue manager has no room for this call; gets, commits and backouts go on.
    pub const STORAGE_MEDIUM_FULL: Self = Self(2192);
    /// The disk has no room for this call; another name of 2192 MQRC_STORAGE_MEDIUM_FULL.
    pub const PAGESET_FULL: Self = Self(2192);
    /// Not valid: pageset.
    pub const PAGESET_ERROR: Self = Self(2193);
    /// This name may not be used for this type of object.
    pub const NAME_NOT_VALID_FOR_TYPE: Self = Self(2194);
    /// Something failed that should not, and is not the program's doing.
    pub const UNEXPECTED_ERROR: Self = Self(2195);
    /// The transmission queue named does not exist.
    pub const UNKNOWN_XMIT_Q: Self = Self(2196);
    /// The default transmission queue of the queue manager does not exist.
    pub const UNKNOWN_DEF_XMIT_Q: Self = Self(2197);
    /// The default transmission queue is not a local queue.
    pub const DEF_XMIT_Q_TYPE_ERROR: Self = Self(2198);
    /// The default transmission queue has another usage.
    pub const DEF_XMIT_Q_USAGE_ERROR: Self = Self(2199);
    /// The message is marked by another of the co-operating programs.
    pub const MSG_MARKED_BROWSE_CO_OP: Self = Self(2200);
    /// The name is in use for something else at this moment.
    pub const NAME_IN_USE: Self = Self(2201);
    /// The connection is being ended in order.
    pub const CONNECTION_QUIESCING: Self = Self(2202);
    /// The connection is being ended at once; the call was not done.
    pub const CONNECTION_STOPPING: Self = Self(2203);
    /// The queue manager reports: adapter not available.
    pub const ADAPTER_NOT_AVAILABLE: Self = Self(2204);
    /// The message identifier may not be given or matched so.
    pub const MSG_ID_ERROR: Self = Self(2206);
    /// The correlation identifier may not be given or matched so.
    pub const CORREL_ID_ERROR: Self = Self(2207);
    /// The file system refused what the queue manager needs.
    pub const FILE_SYSTEM_ERROR: Self = Self(2208);
    /// No message is locked by this handle.
    pub const NO_MSG_LOCKED: Self = Self(2209);
    /// Not valid: SOAP dotnet.
    pub const SOAP_DOTNET_ERROR: Self = Self(2210);
    /// Not valid: SOAP AXIS.
    pub const SOAP_AXIS_ERROR: Self = Self(2211);
    /// Not valid: SOAP URL.
    pub const SOAP_URL_ERROR: Self = Self(2212);
    /// The queue manager reports: file not audited.
    pub const FILE_NOT_AUDITED: Self = Self(2216);
    /// The user may not connect to the queue manager.
    pub const CONNECTION_NOT_AUTHORIZED: Self = Self(2217);
    /// The message is longer than the channel allows.
    pub const MSG_TOO_BIG_FOR_CHANNEL: Self = Self(2218);
    /// Another thread is in a call on this connection.
    pub const CALL_IN_PROGRESS: Self = Self(2219);
    /// Not valid: RMH.
    pub const RMH_ERROR: Self = Self(2220);
    /// The queue manager started.
    pub const Q_MGR_ACTIVE: Self = Self(2222);
    /// The queue manager ended.
    pub const Q_MGR_NOT_ACTIVE: Self = Self(2223);
    /// A queue reached its high depth limit.
    pub const Q_DEPTH_HIGH: Self = Self(2224);
    /// A queue fell to its low depth limit.
    pub const Q_DEPTH_LOW: Self = Self(2225);
    /// No message was got from a queue within its service interval.
    pub const Q_SERVICE_INTERVAL_HIGH: Self = Self(2226);
    /// A queue is served within its interval again.
    pub const Q_SERVICE_INTERVAL_OK: Self = Self(2227);
    /// Not valid: RFH header field.
    pub const RFH_HEADER_FIELD_ERROR: Self = Self(2228);
    /// Not valid: RAS property.
    pub const RAS_PROPERTY_ERROR: Self = Self(2229);
    /// No unit of work was started.
    pub const UNIT_OF_WORK_NOT_STARTED: Self = Self(2232);
    /// The queue manager reports: channel auto default ok.
    pub const CHANNEL_AUTO_DEF_OK: Self = Self(2233);
    /// Not valid: channel auto default.
    pub const CHANNEL_AUTO_DEF_ERROR: Self = Self(2234);
    /// The header of a command message is not valid.
    pub const CFH_ERROR: Self = Self(2235);
    /// Not valid: CFIL.
    pub const CFIL_ERROR: Self = Self(2236);
    /// Not valid: CFIN.
    pub const CFIN_ERROR: Self = Self(2237);
    /// Not valid: CFSL.
    pub const CFSL_ERROR: Self = Self(2238);
    /// Not valid: CFST.
    pub const CFST_ERROR: Self = Self(2239);
    /// The last group was left without its last message.
    pub const INCOMPLETE_GROUP: Self = Self(2241);
    /// The last logical message was left without its last segment.
    pub const INCOMPLETE_MSG: Self = Self(2242);
    /// Segments of one message differ in character set.
    pub const INCONSISTENT_CCSIDS: Self = Self(2243);
    /// Segments of one message differ in encoding.
    pub const INCONSISTENT_ENCODINGS: Self = Self(2244);
    /// Messages of one group were handled partly inside and partly outside a unit of work.
    pub const INCONSISTENT_UOW: Self = Self(2245);
    /// The message under the cursor cannot be got in this way, because it is a segment.
    pub const INVALID_MSG_UNDER_CURSOR: Self = Self(2246);
    /// The match options hold an unknown bit or do not fit the call.
    pub const MATCH_OPTIONS_ERROR: Self = Self(2247);
    /// Not valid: MDE.
    pub const MDE_ERROR: Self = Self(2248);
    /// The message flags hold an unknown bit or do not fit together.
    pub const MSG_FLAGS_ERROR: Self = Self(2249);
    /// The sequence number in the group is not valid.
    pub const MSG_SEQ_NUMBER_ERROR: Self = Self(2250);
    /// The offset of the segment is not valid.
    pub const OFFSET_ERROR: Self = Self(2251);
    /// The original length does not fit a report on a segment.
    pub const ORIGINAL_LENGTH_ERROR: Self = Self(2252);
    /// A segment has no bytes.
    pub const SEGMENT_LENGTH_ZERO: Self = Self(2253);
    /// This connection has no unit of work to use.
    pub const UOW_NOT_AVAILABLE: Self = Self(2255);
    /// An option needs a later version of the get options.
    pub const WRONG_GMO_VERSION: Self = Self(2256);
    /// An option needs a later version of the message descriptor.
    pub const WRONG_MD_VERSION: Self = Self(2257);
    /// The group identifier does not fit the flags of the message.
    pub const GROUP_ID_ERROR: Self = Self(2258);
    /// Browse options changed in the middle of a group or message.
    pub const INCONSISTENT_BROWSE: Self = Self(2259);
    /// Not valid: XQH.
    pub const XQH_ERROR: Self = Self(2260);
    /// Not valid: source environment.
    pub const SRC_ENV_ERROR: Self = Self(2261);
    /// Not valid: source name.
    pub const SRC_NAME_ERROR: Self = Self(2262);
    /// Not valid: destination environment.
    pub const DEST_ENV_ERROR: Self = Self(2263);
    /// Not valid: destination name.
    pub const DEST_NAME_ERROR: Self = Self(2264);
    /// Not valid: TM.
    pub const TM_ERROR: Self = Self(2265);
    /// Not valid: cluster exit.
    pub const CLUSTER_EXIT_ERROR: Self = Self(2266);
    /// Not valid: cluster exit load.
    pub const CLUSTER_EXIT_LOAD_ERROR: Self = Self(2267);
    /// Every instance of the cluster queue refuses puts.
    pub const CLUSTER_PUT_INHIBITED: Self = Self(2268);
    /// Not valid: cluster resource.
    pub const CLUSTER_RESOURCE_ERROR: Self = Self(2269);
    /// No instance of the cluster queue can be reached.
    pub const NO_DESTINATIONS_AVAILABLE: Self = Self(2270);
    /// The queue manager reports: connection tag in use.
    pub const CONN_TAG_IN_USE: Self = Self(2271);
    /// The queue manager reports: partially converted.
    pub const PARTIALLY_CONVERTED: Self = Self(2272);
    /// The connection could not be set up for use.
    pub const CONNECTION_ERROR: Self = Self(2273);
    /// An option is not possible where the program runs.
    pub const OPTION_ENVIRONMENT_ERROR: Self = Self(2274);
    /// The channel definition given with the connect call is not valid.
    pub const CD_ERROR: Self = Self(2277);
    /// The client could not set up its end of the connection.
    pub const CLIENT_CONN_ERROR: Self = Self(2278);
    /// An operator stopped the channel.
    pub const CHANNEL_STOPPED_BY_USER: Self = Self(2279);
    /// Not valid: HCONFIG.
    pub const HCONFIG_ERROR: Self = Self(2280);
    /// Not valid: function.
    pub const FUNCTION_ERROR: Self = Self(2281);
    /// The channel started.
    pub const CHANNEL_STARTED: Self = Self(2282);
    /// The channel stopped.
    pub const CHANNEL_STOPPED: Self = Self(2283);
    /// Not valid: channel conversion.
    pub const CHANNEL_CONV_ERROR: Self = Self(2284);
    /// A part of the queue manager that the call needs does not run.
    pub const SERVICE_NOT_AVAILABLE: Self = Self(2285);
    /// The queue manager reports: initialization failed.
    pub const INITIALIZATION_FAILED: Self = Self(2286);
    /// The queue manager reports: termination failed.
    pub const TERMINATION_FAILED: Self = Self(2287);
    /// No queue of this name is known.
    pub const UNKNOWN_Q_NAME: Self = Self(2288);
    /// A part of the queue manager failed during the call.
    pub const SERVICE_ERROR: Self = Self(2289);
    /// A queue of this name exists already.
    pub const Q_ALREADY_EXISTS: Self = Self(2290);
    /// The queue manager reports: user identifier not available.
    pub const USER_ID_NOT_AVAILABLE: Self = Self(2291);
    /// The user or group is not known.
    pub const UNKNOWN_ENTITY: Self = Self(2292);
    /// The queue manager reports: unknown authority entity.
    pub const UNKNOWN_AUTH_ENTITY: Self = Self(2293);
    /// The queue manager reports: unknown ref object.
    pub const UNKNOWN_REF_OBJECT: Self = Self(2294);
    /// The queue manager reports: channel activated.
    pub const CHANNEL_ACTIVATED: Self = Self(2295);
    /// The queue manager reports: channel not activated.
    pub const CHANNEL_NOT_ACTIVATED: Self = Self(2296);
    /// The unit of work was given up by its coordinator.
    pub const UOW_CANCELED: Self = Self(2297);
    /// This queue manager does not offer the function.
    pub const FUNCTION_NOT_SUPPORTED: Self = Self(2298);
    /// Not valid: selector type.
    pub const SELECTOR_TYPE_ERROR: Self = Self(2299);
    /// The kind of command is not known.
    pub const COMMAND_TYPE_ERROR: Self = Self(2300);
    /// There is one system item of each selector.
    pub const MULTIPLE_INSTANCE_ERROR: Self = Self(2301);
    /// The options a bag was made with do not change.
    pub const SYSTEM_ITEM_NOT_ALTERABLE: Self = Self(2302);
    /// The bytes are not a message of commands.
    pub const BAG_CONVERSION_ERROR: Self = Self(2303);
    /// A selector is not one that a value of this kind can have in this bag.
    pub const SELECTOR_OUT_OF_RANGE: Self = Self(2304);
    /// The bag has several items of this selector, and the call says that there is one.
    pub const SELECTOR_NOT_UNIQUE: Self = Self(2305);
    /// The bag has fewer items of this selector.
    pub const INDEX_NOT_PRESENT: Self = Self(2306);
    /// There is no place for the text.
    pub const STRING_ERROR: Self = Self(2307);
    /// Bags are made of messages whose numbers are as on this machine.
    pub const ENCODING_NOT_SUPPORTED: Self = Self(2308);
    /// The bag has no item of this selector.
    pub const SELECTOR_NOT_PRESENT: Self = Self(2309);
    /// There is no place for the selector of the item.
    pub const OUT_SELECTOR_ERROR: Self = Self(2310);
    /// The text or bytes are longer than the room for them, which is filled.
    pub const STRING_TRUNCATED: Self = Self(2311);
    /// The item is of another kind than the call is for.
    pub const SELECTOR_WRONG_TYPE: Self = Self(2312);
    /// The bag has an item of this selector which is of another kind.
    pub const INCONSISTENT_ITEM_TYPE: Self = Self(2313);
    /// An index is negative, or stands for something that the selector does not allow.
    pub const INDEX_ERROR: Self = Self(2314);
    /// The bag was made for a message and can only be read.
    pub const SYSTEM_BAG_NOT_ALTERABLE: Self = Self(2315);
    /// The bag has fewer items than are to be left, or there is no place for a number of items.
    pub const ITEM_COUNT_ERROR: Self = Self(2316);
    /// Bags are made of messages of commands, events and the like, and this is none.
    pub const FORMAT_NOT_SUPPORTED: Self = Self(2317);
    /// There is no system item of this selector.
    pub const SELECTOR_NOT_SUPPORTED: Self = Self(2318);
    /// There is no place for the value asked for.
    pub const ITEM_VALUE_ERROR: Self = Self(2319);
    /// The handle is not one of a bag that this program has.
    pub const HBAG_ERROR: Self = Self(2320);
    /// The queue manager reports: parameter missing.
    pub const PARAMETER_MISSING: Self = Self(2321);
    /// The command server does not answer.
    pub const CMD_SERVER_NOT_AVAILABLE: Self = Self(2322);
    /// There is no place for the length of the text or bytes.
    pub const STRING_LENGTH_ERROR: Self = Self(2323);
    /// The bag asks for attributes, and the command has no list of them.
    pub const INQUIRY_COMMAND_ERROR: Self = Self(2324);
    /// The bag has a bag in it that was made for a message.
    pub const NESTED_BAG_NOT_SUPPORTED: Self = Self(2325);
    /// A bag of this kind cannot be used here.
    pub const BAG_WRONG_TYPE: Self = Self(2326);
    /// There is no place for the kind of the item.
    pub const ITEM_TYPE_ERROR: Self = Self(2327);
    /// The bag was made for a message and goes with the bag it is in.
    pub const SYSTEM_BAG_NOT_DELETABLE: Self = Self(2328);
    /// A system item cannot be deleted.
    pub const SYSTEM_ITEM_NOT_DELETABLE: Self = Self(2329);
    /// The character set is not known.
    pub const CODED_CHAR_SET_ID_ERROR: Self = Self(2330);
    /// The message token may not be used so.
    pub const MSG_TOKEN_ERROR: Self = Self(2331);
    /// The queue manager reports: missing WIH.
    pub const MISSING_WIH: Self = Self(2332);
    /// Not valid: WIH.
    pub const WIH_ERROR: Self = Self(2333);
    /// Not valid: RFH.
    pub const RFH_ERROR: Self = Self(2334);
    /// Not valid: RFH string.
    pub const RFH_STRING_ERROR: Self = Self(2335);
    /// Not valid: RFH command.
    pub const RFH_COMMAND_ERROR: Self = Self(2336);
    /// Not valid: RFH parameter.
    pub const RFH_PARM_ERROR: Self = Self(2337);
    /// The queue manager reports: RFH duplicate parameter.
    pub const RFH_DUPLICATE_PARM: Self = Self(2338);
    /// The queue manager reports: RFH parameter missing.
    pub const RFH_PARM_MISSING: Self = Self(2339);
    /// Not valid: character conversion.
    pub const CHAR_CONVERSION_ERROR: Self = Self(2340);
    /// Not valid: UCS2 conversion.
    pub const UCS2_CONVERSION_ERROR: Self = Self(2341);
    /// The queue manager reports: DB2 not available.
    pub const DB2_NOT_AVAILABLE: Self = Self(2342);
    /// More than one object fits what was asked for.
    pub const OBJECT_NOT_UNIQUE: Self = Self(2343);
    /// The queue manager reports: connection tag not released.
    pub const CONN_TAG_NOT_RELEASED: Self = Self(2344);
    /// The queue manager reports: CF not available.
    pub const CF_NOT_AVAILABLE: Self = Self(2345);
    /// The queue manager reports: CF structure in use.
    pub const CF_STRUC_IN_USE: Self = Self(2346);
    /// The queue manager reports: CF structure list header in use.
    pub const CF_STRUC_LIST_HDR_IN_USE: Self = Self(2347);
    /// The queue manager reports: CF structure authority failed.
    pub const CF_STRUC_AUTH_FAILED: Self = Self(2348);
    /// Not valid: CF structure.
    pub const CF_STRUC_ERROR: Self = Self(2349);
    /// The queue manager reports: connection tag not usable.
    pub const CONN_TAG_NOT_USABLE: Self = Self(2350);
    /// The handle is in use by another coordinated unit of work.
    pub const GLOBAL_UOW_CONFLICT: Self = Self(2351);
    /// The handle is in use by another local unit of work.
    pub const LOCAL_UOW_CONFLICT: Self = Self(2352);
    /// The connection handle is in use for another unit of work.
    pub const HANDLE_IN_USE_FOR_UOW: Self = Self(2353);
    /// The queue manager could not take part in the unit of work.
    pub const UOW_ENLISTMENT_ERROR: Self = Self(2354);
    /// Local and coordinated units of work cannot be mixed on this connection.
    pub const UOW_MIX_NOT_SUPPORTED: Self = Self(2355);
    /// Not valid: WXP.
    pub const WXP_ERROR: Self = Self(2356);
    /// Not valid: current record.
    pub const CURRENT_RECORD_ERROR: Self = Self(2357);
    /// Not valid: next offset.
    pub const NEXT_OFFSET_ERROR: Self = Self(2358);
    /// The queue manager reports: no record available.
    pub const NO_RECORD_AVAILABLE: Self = Self(2359);
    /// The queue manager reports: object level incompatible.
    pub const OBJECT_LEVEL_INCOMPATIBLE: Self = Self(2360);
    /// Not valid: next record.
    pub const NEXT_RECORD_ERROR: Self = Self(2361);
    /// The message was backed out as often as allowed.
    pub const BACKOUT_THRESHOLD_REACHED: Self = Self(2362);
    /// The queue manager reports: message not matched.
    pub const MSG_NOT_MATCHED: Self = Self(2363);
    /// Not valid: JMS format.
    pub const JMS_FORMAT_ERROR: Self = Self(2364);
    /// The queue manager reports: segments not supported.
    pub const SEGMENTS_NOT_SUPPORTED: Self = Self(2365);
    /// The queue manager reports: wrong CF level.
    pub const WRONG_CF_LEVEL: Self = Self(2366);
    /// An object was defined.
    pub const CONFIG_CREATE_OBJECT: Self = Self(2367);
    /// An object was changed.
    pub const CONFIG_CHANGE_OBJECT: Self = Self(2368);
    /// An object was deleted.
    pub const CONFIG_DELETE_OBJECT: Self = Self(2369);
    /// The queue manager reports: config refresh object.
    pub const CONFIG_REFRESH_OBJECT: Self = Self(2370);
    /// The channel could not agree on a secure session.
    pub const CHANNEL_SSL_ERROR: Self = Self(2371);
    /// The queue manager reports: participant not defined.
    pub const PARTICIPANT_NOT_DEFINED: Self = Self(2372);
    /// The queue manager reports: CF structure failed.
    pub const CF_STRUC_FAILED: Self = Self(2373);
    /// An exit made the call fail.
    pub const API_EXIT_ERROR: Self = Self(2374);
    /// Not valid: api exit init.
    pub const API_EXIT_INIT_ERROR: Self = Self(2375);
    /// Not valid: api exit term.
    pub const API_EXIT_TERM_ERROR: Self = Self(2376);
    /// Not valid: exit reason.
    pub const EXIT_REASON_ERROR: Self = Self(2377);
    /// A reserved field holds something.
    pub const RESERVED_VALUE_ERROR: Self = Self(2378);
    /// There is nothing more to return.
    pub const NO_DATA_AVAILABLE: Self = Self(2379);
    /// The security options given with the connect call are not valid.
    pub const SCO_ERROR: Self = Self(2380);
    /// The key store cannot be opened or read.
    pub const KEY_REPOSITORY_ERROR: Self = Self(2381);
    /// Not valid: crypto hardware.
    pub const CRYPTO_HARDWARE_ERROR: Self = Self(2382);
    /// Not valid: authority info record count.
    pub const AUTH_INFO_REC_COUNT_ERROR: Self = Self(2383);
    /// Not valid: authority info record.
    pub const AUTH_INFO_REC_ERROR: Self = Self(2384);
    /// Not valid: AIR.
    pub const AIR_ERROR: Self = Self(2385);
    /// Not valid: authority info type.
    pub const AUTH_INFO_TYPE_ERROR: Self = Self(2386);
    /// Not valid: authority info connection name.
    pub const AUTH_INFO_CONN_NAME_ERROR: Self = Self(2387);
    /// Not valid: LDAP user name.
    pub const LDAP_USER_NAME_ERROR: Self = Self(2388);
    /// The queue manager reports: LDAP user name length error.
    pub const LDAP_USER_NAME_LENGTH_ERR: Self = Self(2389);
    /// Not valid: LDAP password.
    pub const LDAP_PASSWORD_ERROR: Self = Self(2390);
    /// The queue manager reports: SSL already initialized.
    pub const SSL_ALREADY_INITIALIZED: Self = Self(2391);
    /// Not valid: SSL config.
    pub const SSL_CONFIG_ERROR: Self = Self(2392);
    /// The secure session could not be set up.
    pub const SSL_INITIALIZATION_ERROR: Self = Self(2393);
    /// Not valid: queue index type.
    pub const Q_INDEX_TYPE_ERROR: Self = Self(2394);
    /// Not valid: CFBS.
    pub const CFBS_ERROR: Self = Self(2395);
    /// Security settings were given for a connection that cannot use them.
    pub const SSL_NOT_ALLOWED: Self = Self(2396);
    /// Not valid: JSSE.
    pub const JSSE_ERROR: Self = Self(2397);
    /// The certificate of the other side does not bear the name that is expected.
    pub const SSL_PEER_NAME_MISMATCH: Self = Self(2398);
    /// Not valid: SSL peer name.
    pub const SSL_PEER_NAME_ERROR: Self = Self(2399);
    /// The cipher asked for is not offered here.
    pub const UNSUPPORTED_CIPHER_SUITE: Self = Self(2400);
    /// The certificate of the other side was revoked.
    pub const SSL_CERTIFICATE_REVOKED: Self = Self(2401);
    /// Not valid: SSL certificate store.
    pub const SSL_CERT_STORE_ERROR: Self = Self(2402);
    /// Not valid: client exit load.
    pub const CLIENT_EXIT_LOAD_ERROR: Self = Self(2406);
    /// Not valid: client exit.
    pub const CLIENT_EXIT_ERROR: Self = Self(2407);
    /// The unit of work is committed already.
    pub const UOW_COMMITTED: Self = Self(2408);
    /// Not valid: SSL key reset.
    pub const SSL_KEY_RESET_ERROR: Self = Self(2409);
    /// The queue manager reports: unknown component name.
    pub const UNKNOWN_COMPONENT_NAME: Self = Self(2410);
    /// The state of the recovery log changed.
    pub const LOGGER_STATUS: Self = Self(2411);
    /// The queue manager reports: command MQSC.
    pub const COMMAND_MQSC: Self = Self(2412);
    /// The queue manager reports: command PCF.
    pub const COMMAND_PCF: Self = Self(2413);
    /// Not valid: CFIF.
    pub const CFIF_ERROR: Self = Self(2414);
    /// Not valid: CFSF.
    pub const CFSF_ERROR: Self = Self(2415);
    /// Not valid: CFGR.
    pub const CFGR_ERROR: Self = Self(2416);
    /// The queue manager reports: message not allowed in group.
    pub const MSG_NOT_ALLOWED_IN_GROUP: Self = Self(2417);
    /// Values of this kind are not compared so.
    pub const FILTER_OPERATOR_ERROR: Self = Self(2418);
    /// Not valid: nested selector.
    pub const NESTED_SELECTOR_ERROR: Self = Self(2419);
    /// Not valid: EPH.
    pub const EPH_ERROR: Self = Self(2420);
    /// The folder of properties in the message is not well formed.
    pub const RFH_FORMAT_ERROR: Self = Self(2421);
    /// Not valid: CFBF.
    pub const CFBF_ERROR: Self = Self(2422);
    /// The channel asked for differs from the one this connection was made with.
    pub const CLIENT_CHANNEL_CONFLICT: Self = Self(2423);
    /// The subscription descriptor is not valid: a wrong identifier, version or length.
    pub const SD_ERROR: Self = Self(2424);
    /// The topic string is not valid.
    pub const TOPIC_STRING_ERROR: Self = Self(2425);
    /// The status structure is not valid: a wrong identifier, version or length.
    pub const STS_ERROR: Self = Self(2426);
    /// There is no subscription of this name, or it is gone.
    pub const NO_SUBSCRIPTION: Self = Self(2428);
    /// Another program uses the subscription.
    pub const SUBSCRIPTION_IN_USE: Self = Self(2429);
    /// The kind of status asked for is not known.
    pub const STAT_TYPE_ERROR: Self = Self(2430);
    /// Not valid: subscription user data.
    pub const SUB_USER_DATA_ERROR: Self = Self(2431);
    /// A subscription of this name exists already.
    pub const SUB_ALREADY_EXISTS: Self = Self(2432);
    /// The subscription belongs to another user.
    pub const IDENTITY_MISMATCH: Self = Self(2434);
    /// Not valid: alter subscription.
    pub const ALTER_SUB_ERROR: Self = Self(2435);
    /// Durable subscriptions are not allowed for this topic.
    pub const DURABILITY_NOT_ALLOWED: Self = Self(2436);
    /// There is no retained publication for this topic.
    pub const NO_RETAINED_MSG: Self = Self(2437);
    /// Not valid: SRO.
    pub const SRO_ERROR: Self = Self(2438);
    /// The subscription name is missing or not valid.
    pub const SUB_NAME_ERROR: Self = Self(2440);
    /// The object string is not valid.
    pub const OBJECT_STRING_ERROR: Self = Self(2441);
    /// The property name is not valid.
    pub const PROPERTY_NAME_ERROR: Self = Self(2442);
    /// Messages may not be split into segments here.
    pub const SEGMENTATION_NOT_ALLOWED: Self = Self(2443);
    /// The callback descriptor is not valid: a wrong identifier, version or length.
    pub const CBD_ERROR: Self = Self(2444);
    /// Not valid: CTLO.
    pub const CTLO_ERROR: Self = Self(2445);
    /// No message consumer is running.
    pub const NO_CALLBACKS_ACTIVE: Self = Self(2446);
    /// No callback is registered for this handle.
    pub const CALLBACK_NOT_REGISTERED: Self = Self(2448);
    /// An option that must stay the same on this handle was changed.
    pub const OPTIONS_CHANGED: Self = Self(2457);
    /// Messages read ahead to the client are not used up yet, so the handle stays open.
    pub const READ_AHEAD_MSGS: Self = Self(2458);
    /// The selection string cannot be understood.
    pub const SELECTOR_SYNTAX_ERROR: Self = Self(2459);
    /// The message handle is not one this connection has.
    pub const HMSG_ERROR: Self = Self(2460);
    /// Not valid: CMHO.
    pub const CMHO_ERROR: Self = Self(2461);
    /// Not valid: DMHO.
    pub const DMHO_ERROR: Self = Self(2462);
    /// Not valid: SMPO.
    pub const SMPO_ERROR: Self = Self(2463);
    /// Not valid: IMPO.
    pub const IMPO_ERROR: Self = Self(2464);
    /// The property name is longer than the room given for it.
    pub const PROPERTY_NAME_TOO_BIG: Self = Self(2465);
    /// The queue manager reports: property value not converted.
    pub const PROP_VALUE_NOT_CONVERTED: Self = Self(2466);
    /// The property has a type that is not offered here.
    pub const PROP_TYPE_NOT_SUPPORTED: Self = Self(2467);
    /// The value of the property is longer than the buffer.
    pub const PROPERTY_VALUE_TOO_BIG: Self = Self(2469);
    /// The value cannot be converted to the type asked for.
    pub const PROP_CONV_NOT_SUPPORTED: Self = Self(2470);
    /// There is no property of this name, or none after the last one returned.
    pub const PROPERTY_NOT_AVAILABLE: Self = Self(2471);
    /// The text of the property is not a number.
    pub const PROP_NUMBER_FORMAT_ERROR: Self = Self(2472);
    /// The type of the property is not valid, or another was asked for.
    pub const PROPERTY_TYPE_ERROR: Self = Self(2473);
    /// The properties of the message are longer than the queue manager allows.
    pub const PROPERTIES_TOO_BIG: Self = Self(2478);
    /// The publication was not retained, so nothing was published.
    pub const PUT_NOT_RETAINED: Self = Self(2479);
    /// The alias now leads to another type of object than when it was opened.
    pub const ALIAS_TARGTYPE_CHANGED: Self = Self(2480);
    /// Not valid: DMPO.
    pub const DMPO_ERROR: Self = Self(2481);
    /// Not valid: PD.
    pub const PD_ERROR: Self = Self(2482);
    /// Not valid: callback type.
    pub const CALLBACK_TYPE_ERROR: Self = Self(2483);
    /// Not valid: CBD options.
    pub const CBD_OPTIONS_ERROR: Self = Self(2484);
    /// Not valid: max message length.
    pub const MAX_MSG_LENGTH_ERROR: Self = Self(2485);
    /// Not valid: callback routine.
    pub const CALLBACK_ROUTINE_ERROR: Self = Self(2486);
    /// Not valid: callback link.
    pub const CALLBACK_LINK_ERROR: Self = Self(2487);
    /// The operation asked for is not known.
    pub const OPERATION_ERROR: Self = Self(2488);
    /// Not valid: BMHO.
    pub const BMHO_ERROR: Self = Self(2489);
    /// The queue manager reports: unsupported property.
    pub const UNSUPPORTED_PROPERTY: Self = Self(2490);
    /// Not valid: message length.
    pub const MSG_LENGTH_ERROR: Self = Self(2491);
    /// The queue manager reports: property name not converted.
    pub const PROP_NAME_NOT_CONVERTED: Self = Self(2492);
    /// Gets from a queue were switched on again.
    pub const GET_ENABLED: Self = Self(2494);
    /// The queue manager reports: module not found.
    pub const MODULE_NOT_FOUND: Self = Self(2495);
    /// The queue manager reports: module invalid.
    pub const MODULE_INVALID: Self = Self(2496);
    /// The queue manager reports: module entry not found.
    pub const MODULE_ENTRY_NOT_FOUND: Self = Self(2497);
    /// The name would stand for a value and for a group of other properties as well.
    pub const MIXED_CONTENT_NOT_ALLOWED: Self = Self(2498);
    /// The message handle is in use by another call.
    pub const MSG_HANDLE_IN_USE: Self = Self(2499);
    /// Message consumers are running on this connection, which excludes this call.
    pub const HCONN_ASYNC_ACTIVE: Self = Self(2500);
    /// Not valid: MHBO.
    pub const MHBO_ERROR: Self = Self(2501);
    /// The publication reached no subscriber because one that must have it could not.
    pub const PUBLICATION_FAILURE: Self = Self(2502);
    /// Subscriptions to this topic are switched off.
    pub const SUB_INHIBITED: Self = Self(2503);
    /// The selection can never be true.
    pub const SELECTOR_ALWAYS_FALSE: Self = Self(2504);
    /// Not valid: XEPO.
    pub const XEPO_ERROR: Self = Self(2507);
    /// A subscription cannot change between durable and not durable.
    pub const DURABILITY_NOT_ALTERABLE: Self = Self(2509);
    /// A subscription cannot change its topic.
    pub const TOPIC_NOT_ALTERABLE: Self = Self(2510);
    /// The queue manager reports: sublevel not alterable.
    pub const SUBLEVEL_NOT_ALTERABLE: Self = Self(2512);
    /// The queue manager reports: property name length error.
    pub const PROPERTY_NAME_LENGTH_ERR: Self = Self(2513);
    /// The queue manager reports: duplicate group subscription.
    pub const DUPLICATE_GROUP_SUB: Self = Self(2514);
    /// The queue manager reports: grouping not alterable.
    pub const GROUPING_NOT_ALTERABLE: Self = Self(2515);
    /// A selection string does not fit this kind of object or option.
    pub const SELECTOR_INVALID_FOR_TYPE: Self = Self(2516);
    /// The handle is being closed and has no messages left.
    pub const HOBJ_QUIESCED: Self = Self(2517);
    /// The handle was closed in order; no messages read ahead are left.
    pub const HOBJ_QUIESCED_NO_MSGS: Self = Self(2518);
    /// The selection string parameter is not valid.
    pub const SELECTION_STRING_ERROR: Self = Self(2519);
    /// The room given for the resolved object string is not valid.
    pub const RES_OBJECT_STRING_ERROR: Self = Self(2520);
    /// The message consumers of this connection are suspended.
    pub const CONNECTION_SUSPENDED: Self = Self(2521);
    /// The queue manager reports: invalid destination.
    pub const INVALID_DESTINATION: Self = Self(2522);
    /// The subscription is one with which definitions begin, and programs cannot use it.
    pub const INVALID_SUBSCRIPTION: Self = Self(2523);
    /// A subscription cannot change its selection.
    pub const SELECTOR_NOT_ALTERABLE: Self = Self(2524);
    /// Not valid: retained message queue.
    pub const RETAINED_MSG_Q_ERROR: Self = Self(2525);
    /// A retained publication could not be delivered to a new subscription.
    pub const RETAINED_NOT_DELIVERED: Self = Self(2526);
    /// The queue manager reports: RFH restricted format error.
    pub const RFH_RESTRICTED_FORMAT_ERR: Self = Self(2527);
    /// The message consumers of this connection are stopped.
    pub const CONNECTION_STOPPED: Self = Self(2528);
    /// Message consumers use the unit of work on this connection.
    pub const ASYNC_UOW_CONFLICT: Self = Self(2529);
    /// The queue manager reports: async XA conflict.
    pub const ASYNC_XA_CONFLICT: Self = Self(2530);
    /// Publish/subscribe is switched off in the queue manager.
    pub const PUBSUB_INHIBITED: Self = Self(2531);
    /// The queue manager reports: message handle copy failure.
    pub const MSG_HANDLE_COPY_FAILURE: Self = Self(2532);
    /// The queue manager reports: destination class not alterable.
    pub const DEST_CLASS_NOT_ALTERABLE: Self = Self(2533);
    /// The call does not fit the state of the connection or handle.
    pub const OPERATION_NOT_ALLOWED: Self = Self(2534);
    /// The action in the put options is not known.
    pub const ACTION_ERROR: Self = Self(2535);
    /// The channel exists but cannot be used now: it is stopped or at its limit.
    pub const CHANNEL_NOT_AVAILABLE: Self = Self(2537);
    /// Nothing answers at the address of the queue manager.
    pub const HOST_NOT_AVAILABLE: Self = Self(2538);
    /// The definition of the channel cannot be used: that of the client (its channel table, MQSERVER, its file of settings, or MQCD), or the two ends disagree.
    pub const CHANNEL_CONFIG_ERROR: Self = Self(2539);
    /// The queue manager has no channel of this name.
    pub const UNKNOWN_CHANNEL_NAME: Self = Self(2540);
    /// The queue manager reports: looping publication.
    pub const LOOPING_PUBLICATION: Self = Self(2541);
    /// The queue manager reports: already joined.
    pub const ALREADY_JOINED: Self = Self(2542);
    /// This is a standby instance, which takes no connections.
    pub const STANDBY_Q_MGR: Self = Self(2543);
    /// The client is connecting again; calls wait meanwhile.
    pub const RECONNECTING: Self = Self(2544);
    /// The client is connected again, its objects are open again, and an open unit of work was backed out.
    pub const RECONNECTED: Self = Self(2545);
    /// The client reached a queue manager other than the one it must return to.
    pub const RECONNECT_QMID_MISMATCH: Self = Self(2546);
    /// The program uses something that cannot be set up again after a break.
    pub const RECONNECT_INCOMPATIBLE: Self = Self(2547);
    /// The client could not connect again in time.
    pub const RECONNECT_FAILED: Self = Self(2548);
    /// The connection broke during the call and was made again; whether the call took effect is not known.
    pub const CALL_INTERRUPTED: Self = Self(2549);
    /// The publication reached no subscription.
    pub const NO_SUBS_MATCHED: Self = Self(2550);
    /// Selection on the content of messages is not offered.
    pub const SELECTION_NOT_AVAILABLE: Self = Self(2551);
    /// The queue manager reports: channel SSL warning.
    pub const CHANNEL_SSL_WARNING: Self = Self(2552);
    /// Not valid: OCSP URL.
    pub const OCSP_URL_ERROR: Self = Self(2553);
    /// Not valid: content.
    pub const CONTENT_ERROR: Self = Self(2554);
    /// The call needs reconnection to the same queue manager.
    pub const RECONNECT_Q_MGR_REQD: Self = Self(2555);
    /// The client gave up connecting again when its time was over.
    pub const RECONNECT_TIMED_OUT: Self = Self(2556);
    /// Not valid: publish exit.
    pub const PUBLISH_EXIT_ERROR: Self = Self(2557);
    /// Not valid: comminfo.
    pub const COMMINFO_ERROR: Self = Self(2558);
    /// The call must say whether it is part of a unit of work.
    pub const DEF_SYNCPOINT_INHIBITED: Self = Self(2559);
    /// The queue manager reports: multicast only.
    pub const MULTICAST_ONLY: Self = Self(2560);
    /// The queue manager reports: data set not available.
    pub const DATA_SET_NOT_AVAILABLE: Self = Self(2561);
    /// The queue manager reports: grouping not allowed.
    pub const GROUPING_NOT_ALLOWED: Self = Self(2562);
    /// Not valid: group address.
    pub const GROUP_ADDRESS_ERROR: Self = Self(2563);
    /// Not valid: multicast config.
    pub const MULTICAST_CONFIG_ERROR: Self = Self(2564);
    /// Not valid: multicast interface.
    pub const MULTICAST_INTERFACE_ERROR: Self = Self(2565);
    /// Not valid: multicast send.
    pub const MULTICAST_SEND_ERROR: Self = Self(2566);
    /// Not valid: multicast internal.
    pub const MULTICAST_INTERNAL_ERROR: Self = Self(2567);
    /// No further connection or conversation can be made at this moment.
    pub const CONNECTION_NOT_AVAILABLE: Self = Self(2568);
    /// Syncpoint may not be used here.
    pub const SYNCPOINT_NOT_ALLOWED: Self = Self(2569);
    /// The queue manager reports: SSL alternative provider required.
    pub const SSL_ALT_PROVIDER_REQUIRED: Self = Self(2570);
    /// The queue manager reports: multicast publication status.
    pub const MCAST_PUB_STATUS: Self = Self(2571);
    /// The queue manager reports: multicast subscription status.
    pub const MCAST_SUB_STATUS: Self = Self(2572);
    /// Not valid: pre-connect exit load.
    pub const PRECONN_EXIT_LOAD_ERROR: Self = Self(2573);
    /// The queue manager reports: pre-connect exit not found.
    pub const PRECONN_EXIT_NOT_FOUND: Self = Self(2574);
    /// Not valid: pre-connect exit.
    pub const PRECONN_EXIT_ERROR: Self = Self(2575);
    /// Not valid: CD array.
    pub const CD_ARRAY_ERROR: Self = Self(2576);
    /// A channel authentication rule refuses this connection.
    pub const CHANNEL_BLOCKED: Self = Self(2577);
    /// The queue manager reports: channel blocked warning.
    pub const CHANNEL_BLOCKED_WARNING: Self = Self(2578);
    /// The queue manager reports: subscription create.
    pub const SUBSCRIPTION_CREATE: Self = Self(2579);
    /// The queue manager reports: subscription delete.
    pub const SUBSCRIPTION_DELETE: Self = Self(2580);
    /// The queue manager reports: subscription change.
    pub const SUBSCRIPTION_CHANGE: Self = Self(2581);
    /// The queue manager reports: subscription refresh.
    pub const SUBSCRIPTION_REFRESH: Self = Self(2582);
    /// The queue manager reports: installation mismatch.
    pub const INSTALLATION_MISMATCH: Self = Self(2583);
    /// This needs the authority of an administrator.
    pub const NOT_PRIVILEGED: Self = Self(2584);
    /// The queue manager reports: properties disabled.
    pub const PROPERTIES_DISABLED: Self = Self(2586);
    /// The queue manager reports: HMSG not available.
    pub const HMSG_NOT_AVAILABLE: Self = Self(2587);
    /// The queue manager reports: exit properties not supported.
    pub const EXIT_PROPS_NOT_SUPPORTED: Self = Self(2588);
    /// The queue manager reports: installation missing.
    pub const INSTALLATION_MISSING: Self = Self(2589);
    /// The queue manager cannot be opened inside this program.
    pub const FASTPATH_NOT_AVAILABLE: Self = Self(2590);
    /// The queue manager reports: cipher spec not suite b.
    pub const CIPHER_SPEC_NOT_SUITE_B: Self = Self(2591);
    /// Not valid: suite b.
    pub const SUITE_B_ERROR: Self = Self(2592);
    /// Not valid: certificate validation policy.
    pub const CERT_VAL_POLICY_ERROR: Self = Self(2593);
    /// The password would go to another machine on a connection that is not encrypted.
    pub const PASSWORD_PROTECTION_ERROR: Self = Self(2594);
    /// The user and password structure is not valid.
    pub const CSP_ERROR: Self = Self(2595);
    /// The queue manager reports: certificate label not allowed.
    pub const CERT_LABEL_NOT_ALLOWED: Self = Self(2596);
    /// Only the queue manager publishes below $SYS/MQ/.
    pub const ADMIN_TOPIC_STRING_ERROR: Self = Self(2598);
    /// The queue manager reports: AMQP not available.
    pub const AMQP_NOT_AVAILABLE: Self = Self(2599);
    /// Not valid: CCDT URL.
    pub const CCDT_URL_ERROR: Self = Self(2600);
    /// The queue manager reports: queue manager reconnect requested.
    pub const Q_MGR_RECONNECT_REQUESTED: Self = Self(2601);
    /// Not valid: BNO.
    pub const BNO_ERROR: Self = Self(2602);
    /// The queue manager reports: outbound SNI not valid.
    pub const OUTBOUND_SNI_NOT_VALID: Self = Self(2603);
    /// Not valid: HTTPS keystore.
    pub const HTTPS_KEYSTORE_ERROR: Self = Self(2604);
    /// Not valid: reopen exclusive input.
    pub const REOPEN_EXCL_INPUT_ERROR: Self = Self(6100);
    /// Not valid: reopen inquire.
    pub const REOPEN_INQUIRE_ERROR: Self = Self(6101);
    /// The queue manager reports: reopen saved context error.
    pub const REOPEN_SAVED_CONTEXT_ERR: Self = Self(6102);
    /// Not valid: reopen temporary queue.
    pub const REOPEN_TEMPORARY_Q_ERROR: Self = Self(6103);
    /// The attribute cannot be changed while it is in use.
    pub const ATTRIBUTE_LOCKED: Self = Self(6104);
    /// The queue manager reports: cursor not valid.
    pub const CURSOR_NOT_VALID: Self = Self(6105);
    /// Not valid: encoding.
    pub const ENCODING_ERROR: Self = Self(6106);
    /// Not valid: structure identifier.
    pub const STRUC_ID_ERROR: Self = Self(6107);
    /// The queue manager reports: null pointer.
    pub const NULL_POINTER: Self = Self(6108);
    /// The queue manager reports: no connection reference.
    pub const NO_CONNECTION_REFERENCE: Self = Self(6109);
    /// The queue manager reports: no buffer.
    pub const NO_BUFFER: Self = Self(6110);
    /// Not valid: binary data length.
    pub const BINARY_DATA_LENGTH_ERROR: Self = Self(6111);
    /// The queue manager reports: buffer not automatic.
    pub const BUFFER_NOT_AUTOMATIC: Self = Self(6112);
    /// The queue manager reports: insufficient buffer.
    pub const INSUFFICIENT_BUFFER: Self = Self(6113);
    /// The queue manager reports: insufficient data.
    pub const INSUFFICIENT_DATA: Self = Self(6114);
    /// The queue manager reports: data truncated.
    pub const DATA_TRUNCATED: Self = Self(6115);
    /// The queue manager reports: zero length.
    pub const ZERO_LENGTH: Self = Self(6116);
    /// The queue manager reports: negative length.
    pub const NEGATIVE_LENGTH: Self = Self(6117);
    /// The queue manager reports: negative offset.
    pub const NEGATIVE_OFFSET: Self = Self(6118);
    /// The queue manager reports: inconsistent format.
    pub const INCONSISTENT_FORMAT: Self = Self(6119);
    /// The queue manager reports: inconsistent object state.
    pub const INCONSISTENT_OBJECT_STATE: Self = Self(6120);
    /// The queue manager reports: context object not valid.
    pub const CONTEXT_OBJECT_NOT_VALID: Self = Self(6121);
    /// Not valid: context open.
    pub const CONTEXT_OPEN_ERROR: Self = Self(6122);
    /// Not valid: structure length.
    pub const STRUC_LENGTH_ERROR: Self = Self(6123);
    /// The queue manager reports: not connected.
    pub const NOT_CONNECTED: Self = Self(6124);
    /// The queue manager reports: not open.
    pub const NOT_OPEN: Self = Self(6125);
    /// The queue manager reports: distribution list empty.
    pub const DISTRIBUTION_LIST_EMPTY: Self = Self(6126);
    /// The queue manager reports: inconsistent open options.
    pub const INCONSISTENT_OPEN_OPTIONS: Self = Self(6127);
    /// The queue manager reports: wrong version.
    pub const WRONG_VERSION: Self = Self(6128);
    /// Not valid: reference.
    pub const REFERENCE_ERROR: Self = Self(6129);
    /// The queue manager reports: XR not available.
    pub const XR_NOT_AVAILABLE: Self = Self(6130);
    /// The queue manager reports: subscription join not alterable.
    pub const SUB_JOIN_NOT_ALTERABLE: Self = Self(29440);
}

/// Ascending by code; a second name of a code follows the first.
pub(super) const ROWS: &[Row] = &[
    Row {
        reason: Reason::NONE,
        name: "MQRC_NONE",
        text: "The call did what was asked.",
        action: "Nothing to do.",
    },
    Row {
        reason: Reason::APPL_FIRST,
        name: "MQRC_APPL_FIRST",
        text: "Lowest code that applications and exits may use for themselves.",
        action: "Look at the program that chose the code.",
    },
    Row {
        reason: Reason::APPL_LAST,
        name: "MQRC_APPL_LAST",
        text: "Highest code that applications and exits may use for themselves.",
        action: "Look at the program that chose the code.",
    },
    Row {
        reason: Reason::ALIAS_BASE_Q_TYPE_ERROR,
        name: "MQRC_ALIAS_BASE_Q_TYPE_ERROR",
        text: "The alias leads to an object of a type an alias may not lead to.",
        action: "Point TARGET at a local queue, a remote definition or a topic.",
    },
    Row {
        reason: Reason::ALREADY_CONNECTED,
        name: "MQRC_ALREADY_CONNECTED",
        text: "The program is already connected; the handle returned is that of the connection, and can be used.",
        action: "Continue with the handle, and disconnect once for each successful connect.",
    },
    Row {
        reason: Reason::BACKED_OUT,
        name: "MQRC_BACKED_OUT",
        text: "The unit of work was backed out, so nothing of it took effect.",
        action: "Repeat the unit of work; the error log tells why, for instance that it kept the log from being reused.",
    },
    Row {
        reason: Reason::BUFFER_ERROR,
        name: "MQRC_BUFFER_ERROR",
        text: "The buffer parameter is not valid.",
        action: "Check pointer and length of the buffer.",
    },
    Row {
        reason: Reason::BUFFER_LENGTH_ERROR,
        name: "MQRC_BUFFER_LENGTH_ERROR",
        text: "The buffer length is negative or too long.",
        action: "Correct the length.",
    },
    Row {
        reason: Reason::CHAR_ATTR_LENGTH_ERROR,
        name: "MQRC_CHAR_ATTR_LENGTH_ERROR",
        text: "The length of the character attributes is negative.",
        action: "Correct the length.",
    },
    Row {
        reason: Reason::CHAR_ATTRS_ERROR,
        name: "MQRC_CHAR_ATTRS_ERROR",
        text: "The string of character attributes is not valid.",
        action: "Check the pointer.",
    },
    Row {
        reason: Reason::CHAR_ATTRS_TOO_SHORT,
        name: "MQRC_CHAR_ATTRS_TOO_SHORT",
        text: "There is no room for all character attributes asked for.",
        action: "Make room for the full width of each.",
    },
    Row {
        reason: Reason::CONNECTION_BROKEN,
        name: "MQRC_CONNECTION_BROKEN",
        text: "The connection to the queue manager ended; calls in flight may or may not have been done, and an open unit of work is backed out.",
        action: "Connect again, open the objects again and repeat the unit of work; see the error log for why it broke.",
    },
    Row {
        reason: Reason::DATA_LENGTH_ERROR,
        name: "MQRC_DATA_LENGTH_ERROR",
        text: "The length parameter is not valid.",
        action: "Check the parameter that receives the length.",
    },
    Row {
        reason: Reason::DYNAMIC_Q_NAME_ERROR,
        name: "MQRC_DYNAMIC_Q_NAME_ERROR",
        text: "The name for the dynamic queue is not valid.",
        action: "Use the characters of names, with an asterisk only at the end and at most 33 before it.",
    },
    Row {
        reason: Reason::ENVIRONMENT_ERROR,
        name: "MQRC_ENVIRONMENT_ERROR",
        text: "The call or option is not possible in this environment.",
        action: "Leave it out, or run the program where it is possible.",
    },
    Row {
        reason: Reason::EXPIRY_ERROR,
        name: "MQRC_EXPIRY_ERROR",
        text: "The expiry is neither a positive number of tenths of a second nor \"unlimited\".",
        action: "Correct the field.",
    },
    Row {
        reason: Reason::FEEDBACK_ERROR,
        name: "MQRC_FEEDBACK_ERROR",
        text: "The feedback is outside the ranges of the system and of applications.",
        action: "Correct the field.",
    },
    Row {
        reason: Reason::GET_INHIBITED,
        name: "MQRC_GET_INHIBITED",
        text: "Gets from this queue are switched off.",
        action: "Wait, or switch them on (`ALTER QLOCAL(...) GET(ENABLED)`).",
    },
    Row {
        reason: Reason::HANDLE_NOT_AVAILABLE,
        name: "MQRC_HANDLE_NOT_AVAILABLE",
        text: "This connection has as many open handles as it may.",
        action: "Close handles that are not needed, or raise MAXHANDS.",
    },
    Row {
        reason: Reason::HCONN_ERROR,
        name: "MQRC_HCONN_ERROR",
        text: "The connection handle is not one this program holds.",
        action: "Use the handle the connect call returned, and none after disconnecting.",
    },
    Row {
        reason: Reason::HOBJ_ERROR,
        name: "MQRC_HOBJ_ERROR",
        text: "The object handle is not one this connection has open.",
        action: "Use the handle the open call returned, and none after closing it.",
    },
    Row {
        reason: Reason::INHIBIT_VALUE_ERROR,
        name: "MQRC_INHIBIT_VALUE_ERROR",
        text: "The value for switching gets or puts is neither of the two allowed.",
        action: "Use the constants for allowed or inhibited.",
    },
    Row {
        reason: Reason::INT_ATTR_COUNT_ERROR,
        name: "MQRC_INT_ATTR_COUNT_ERROR",
        text: "The number of integer attributes is negative.",
        action: "Correct the number.",
    },
    Row {
        reason: Reason::INT_ATTR_COUNT_TOO_SMALL,
        name: "MQRC_INT_ATTR_COUNT_TOO_SMALL",
        text: "There is no room for all integer attributes asked for.",
        action: "Make room for one number for each integer selector.",
    },
    Row {
        reason: Reason::INT_ATTRS_ARRAY_ERROR,
        name: "MQRC_INT_ATTRS_ARRAY_ERROR",
        text: "The array of integer attributes is not valid.",
        action: "Check the pointer.",
    },
    Row {
        reason: Reason::SYNCPOINT_LIMIT_REACHED,
        name: "MQRC_SYNCPOINT_LIMIT_REACHED",
        text: "The unit of work has as many messages as it may.",
        action: "Commit more often, or raise MAXUMSGS.",
    },
    Row {
        reason: Reason::MAX_CONNS_LIMIT_REACHED,
        name: "MQRC_MAX_CONNS_LIMIT_REACHED",
        text: "The queue manager or the channel has as many connections as it allows.",
        action: "Close connections that are not needed (`DISPLAY CONN(*)`), or raise the limit.",
    },
    Row {
        reason: Reason::MD_ERROR,
        name: "MQRC_MD_ERROR",
        text: "The message descriptor is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::MISSING_REPLY_TO_Q,
        name: "MQRC_MISSING_REPLY_TO_Q",
        text: "A message of type request, or one that asks for a report, names no queue for the answer.",
        action: "Set the reply queue, or send a datagram.",
    },
    Row {
        reason: Reason::MSG_TYPE_ERROR,
        name: "MQRC_MSG_TYPE_ERROR",
        text: "The message type is outside the ranges of the system and of applications.",
        action: "Use request, reply, datagram, report, or 65536 and above.",
    },
    Row {
        reason: Reason::MSG_TOO_BIG_FOR_Q,
        name: "MQRC_MSG_TOO_BIG_FOR_Q",
        text: "The message is longer than the queue allows.",
        action: "Send less, or raise MAXMSGL of the queue.",
    },
    Row {
        reason: Reason::MSG_TOO_BIG_FOR_Q_MGR,
        name: "MQRC_MSG_TOO_BIG_FOR_Q_MGR",
        text: "The message is longer than the queue manager allows.",
        action: "Send less, or raise MAXMSGL of the queue manager.",
    },
    Row {
        reason: Reason::NO_MSG_AVAILABLE,
        name: "MQRC_NO_MSG_AVAILABLE",
        text: "No message fits: the queue is empty, every message is locked by a unit of work, or none matches the identifiers or the selection.",
        action: "Wait for one with a wait interval; clear the identifiers in the descriptor before a get that should take any message.",
    },
    Row {
        reason: Reason::NO_MSG_UNDER_CURSOR,
        name: "MQRC_NO_MSG_UNDER_CURSOR",
        text: "No message is under the browse cursor: nothing was browsed yet, or the message is gone.",
        action: "Browse again from the first message.",
    },
    Row {
        reason: Reason::NOT_AUTHORIZED,
        name: "MQRC_NOT_AUTHORIZED",
        text: "The user may not do this; a wrong user or password has this code too.",
        action: "Take the number of the refusal from the error log, FRY5012W for a request and FRY5020W for a login: `ferry why` shows the cause and the authority that was missing. Ask an administrator for it, or connect with the right user and password.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_BROWSE,
        name: "MQRC_NOT_OPEN_FOR_BROWSE",
        text: "The handle was not opened for browsing.",
        action: "Open the queue with the BROWSE option.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_INPUT,
        name: "MQRC_NOT_OPEN_FOR_INPUT",
        text: "The handle was not opened for getting messages.",
        action: "Open the queue with an INPUT option.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_INQUIRE,
        name: "MQRC_NOT_OPEN_FOR_INQUIRE",
        text: "The handle was not opened for asking attributes.",
        action: "Open the object with the INQUIRE option.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_OUTPUT,
        name: "MQRC_NOT_OPEN_FOR_OUTPUT",
        text: "The handle was not opened for putting messages.",
        action: "Open the object with the OUTPUT option.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_SET,
        name: "MQRC_NOT_OPEN_FOR_SET",
        text: "The handle was not opened for setting attributes.",
        action: "Open the queue with the SET option.",
    },
    Row {
        reason: Reason::OBJECT_CHANGED,
        name: "MQRC_OBJECT_CHANGED",
        text: "The definition of the object was changed since it was opened.",
        action: "Close the object and open it again.",
    },
    Row {
        reason: Reason::OBJECT_IN_USE,
        name: "MQRC_OBJECT_IN_USE",
        text: "Others have the object open in a way that excludes this.",
        action: "See which program has it open (`DISPLAY QSTATUS(...) TYPE(HANDLE)`), and wait or share it.",
    },
    Row {
        reason: Reason::OBJECT_TYPE_ERROR,
        name: "MQRC_OBJECT_TYPE_ERROR",
        text: "The object type is not one that can be opened, or not for this.",
        action: "Check the object type in the descriptor.",
    },
    Row {
        reason: Reason::OD_ERROR,
        name: "MQRC_OD_ERROR",
        text: "The object descriptor is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::OPTION_NOT_VALID_FOR_TYPE,
        name: "MQRC_OPTION_NOT_VALID_FOR_TYPE",
        text: "An option does not fit the type of the object.",
        action: "Check the open options against the type of the object.",
    },
    Row {
        reason: Reason::OPTIONS_ERROR,
        name: "MQRC_OPTIONS_ERROR",
        text: "The options hold an unknown bit or two that exclude each other.",
        action: "Check the options of the call against the reference page.",
    },
    Row {
        reason: Reason::PERSISTENCE_ERROR,
        name: "MQRC_PERSISTENCE_ERROR",
        text: "The persistence is not one of \"persistent\", \"not persistent\" and \"as the queue says\".",
        action: "Correct the field.",
    },
    Row {
        reason: Reason::PERSISTENT_NOT_ALLOWED,
        name: "MQRC_PERSISTENT_NOT_ALLOWED",
        text: "A persistent message cannot be kept on a temporary dynamic queue.",
        action: "Put it as not persistent, or use a permanent queue.",
    },
    Row {
        reason: Reason::PRIORITY_EXCEEDS_MAXIMUM,
        name: "MQRC_PRIORITY_EXCEEDS_MAXIMUM",
        text: "The priority is above the highest there is; the message was put with the highest.",
        action: "Use 0 to 9.",
    },
    Row {
        reason: Reason::PRIORITY_ERROR,
        name: "MQRC_PRIORITY_ERROR",
        text: "The priority is negative and does not say \"as the queue says\".",
        action: "Use 0 to 9, or -1 for the queue's default.",
    },
    Row {
        reason: Reason::PUT_INHIBITED,
        name: "MQRC_PUT_INHIBITED",
        text: "Puts to this queue, or to a queue or topic on the way to it, are switched off.",
        action: "Wait, or switch them on (`ALTER QLOCAL(...) PUT(ENABLED)`).",
    },
    Row {
        reason: Reason::Q_DELETED,
        name: "MQRC_Q_DELETED",
        text: "The queue was deleted since it was opened.",
        action: "Close the handle; open another queue.",
    },
    Row {
        reason: Reason::Q_FULL,
        name: "MQRC_Q_FULL",
        text: "The queue has as many messages as it may.",
        action: "Get messages from it, or raise MAXDEPTH; see which program should get them (`DISPLAY QSTATUS(...)`).",
    },
    Row {
        reason: Reason::Q_NOT_EMPTY,
        name: "MQRC_Q_NOT_EMPTY",
        text: "The queue still has messages, or units of work that touch it.",
        action: "Empty it first, or ask to delete it with its messages.",
    },
    Row {
        reason: Reason::Q_SPACE_NOT_AVAILABLE,
        name: "MQRC_Q_SPACE_NOT_AVAILABLE",
        text: "There is no room to store the message on this queue.",
        action: "Get messages from it, or raise its QUOTA or MAXFSIZE.",
    },
    Row {
        reason: Reason::Q_TYPE_ERROR,
        name: "MQRC_Q_TYPE_ERROR",
        text: "The queue is of a type for which this is not possible.",
        action: "Check the type of the queue (`DISPLAY QUEUE(...) QTYPE`).",
    },
    Row {
        reason: Reason::Q_MGR_NAME_ERROR,
        name: "MQRC_Q_MGR_NAME_ERROR",
        text: "No queue manager of this name is known where the program connects.",
        action: "Check the name, upper and lower case included (`ferry qmgr list`).",
    },
    Row {
        reason: Reason::Q_MGR_NOT_AVAILABLE,
        name: "MQRC_Q_MGR_NOT_AVAILABLE",
        text: "The queue manager cannot be reached: it is not running, or nothing answers at its address.",
        action: "Start it, or check host, port and channel name; the client's error says which step failed.",
    },
    Row {
        reason: Reason::REPORT_OPTIONS_ERROR,
        name: "MQRC_REPORT_OPTIONS_ERROR",
        text: "The report options hold an unknown bit or two that exclude each other.",
        action: "Check the report field against the reference page.",
    },
    Row {
        reason: Reason::SECOND_MARK_NOT_ALLOWED,
        name: "MQRC_SECOND_MARK_NOT_ALLOWED",
        text: "The unit of work holds a message already that is kept out of backout; only on z/OS can a get ask for that, elsewhere MQGMO_MARK_SKIP_BACKOUT is refused with 2046.",
        action: "Mark one message in a unit of work only.",
    },
    Row {
        reason: Reason::SECURITY_ERROR,
        name: "MQRC_SECURITY_ERROR",
        text: "Authority could not be checked.",
        action: "Look at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TOKEN_TIMESTAMP_NOT_VALID,
        name: "MQRC_TOKEN_TIMESTAMP_NOT_VALID",
        text: "The queue manager reports: token timestamp not valid.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SELECTOR_COUNT_ERROR,
        name: "MQRC_SELECTOR_COUNT_ERROR",
        text: "The number of selectors is negative or too great.",
        action: "Correct the number.",
    },
    Row {
        reason: Reason::SELECTOR_LIMIT_EXCEEDED,
        name: "MQRC_SELECTOR_LIMIT_EXCEEDED",
        text: "More selectors are given than one call takes.",
        action: "Ask in several calls.",
    },
    Row {
        reason: Reason::SELECTOR_ERROR,
        name: "MQRC_SELECTOR_ERROR",
        text: "A selector names no attribute.",
        action: "Correct the selector.",
    },
    Row {
        reason: Reason::SELECTOR_NOT_FOR_TYPE,
        name: "MQRC_SELECTOR_NOT_FOR_TYPE",
        text: "A selector names an attribute that this type of object does not have; the rest was answered.",
        action: "Leave it out for this type of object.",
    },
    Row {
        reason: Reason::SIGNAL_OUTSTANDING,
        name: "MQRC_SIGNAL_OUTSTANDING",
        text: "A signal is already waiting on this handle; only on z/OS can a get ask for one, elsewhere MQGMO_SET_SIGNAL is refused with 2046.",
        action: "Let it come, or close the handle.",
    },
    Row {
        reason: Reason::SIGNAL_REQUEST_ACCEPTED,
        name: "MQRC_SIGNAL_REQUEST_ACCEPTED",
        text: "No message fits yet; the signal will come when one arrives.",
        action: "Wait for the signal, then get.",
    },
    Row {
        reason: Reason::STORAGE_NOT_AVAILABLE,
        name: "MQRC_STORAGE_NOT_AVAILABLE",
        text: "The queue manager has no memory left for this call.",
        action: "Send less at once, end programs that hold much, or give it more memory.",
    },
    Row {
        reason: Reason::SYNCPOINT_NOT_AVAILABLE,
        name: "MQRC_SYNCPOINT_NOT_AVAILABLE",
        text: "Units of work are not possible on this connection.",
        action: "Call outside syncpoint.",
    },
    Row {
        reason: Reason::TRIGGER_CONTROL_ERROR,
        name: "MQRC_TRIGGER_CONTROL_ERROR",
        text: "The value for trigger control is not valid.",
        action: "Use on or off.",
    },
    Row {
        reason: Reason::TRIGGER_DEPTH_ERROR,
        name: "MQRC_TRIGGER_DEPTH_ERROR",
        text: "The trigger depth is not above zero.",
        action: "Correct the value.",
    },
    Row {
        reason: Reason::TRIGGER_MSG_PRIORITY_ERR,
        name: "MQRC_TRIGGER_MSG_PRIORITY_ERR",
        text: "The lowest priority that triggers is out of range.",
        action: "Use 0 to 9.",
    },
    Row {
        reason: Reason::TRIGGER_TYPE_ERROR,
        name: "MQRC_TRIGGER_TYPE_ERROR",
        text: "The trigger type is not valid.",
        action: "Use none, first, every or depth.",
    },
    Row {
        reason: Reason::TRUNCATED_MSG_ACCEPTED,
        name: "MQRC_TRUNCATED_MSG_ACCEPTED",
        text: "The message was longer than the buffer; the part that fits was returned and the rest is lost.",
        action: "Use a larger buffer if the rest matters; the data length tells how much.",
    },
    Row {
        reason: Reason::TRUNCATED_MSG_FAILED,
        name: "MQRC_TRUNCATED_MSG_FAILED",
        text: "The message is longer than the buffer and stays on the queue.",
        action: "Get again with a buffer of the length returned.",
    },
    Row {
        reason: Reason::UNKNOWN_ALIAS_BASE_Q,
        name: "MQRC_UNKNOWN_ALIAS_BASE_Q",
        text: "The alias leads to an object that does not exist.",
        action: "Define the target, or alter TARGET of the alias.",
    },
    Row {
        reason: Reason::UNKNOWN_OBJECT_NAME,
        name: "MQRC_UNKNOWN_OBJECT_NAME",
        text: "The queue manager has no object of this name and type.",
        action: "Check the name, upper and lower case included (`DISPLAY QUEUE(*)`), and the queue manager name if one was given.",
    },
    Row {
        reason: Reason::UNKNOWN_OBJECT_Q_MGR,
        name: "MQRC_UNKNOWN_OBJECT_Q_MGR",
        text: "Nothing leads to the queue manager named: no definition, and no transmission queue of its name.",
        action: "Leave the name blank for a local queue, or define the way to that queue manager.",
    },
    Row {
        reason: Reason::UNKNOWN_REMOTE_Q_MGR,
        name: "MQRC_UNKNOWN_REMOTE_Q_MGR",
        text: "A remote definition names a queue manager that nothing leads to.",
        action: "Define a transmission queue for it, or name one in the definition.",
    },
    Row {
        reason: Reason::WAIT_INTERVAL_ERROR,
        name: "MQRC_WAIT_INTERVAL_ERROR",
        text: "The wait interval is negative and does not say \"unlimited\".",
        action: "Use milliseconds from 0, or -1 for unlimited.",
    },
    Row {
        reason: Reason::XMIT_Q_TYPE_ERROR,
        name: "MQRC_XMIT_Q_TYPE_ERROR",
        text: "The transmission queue named is not a local queue.",
        action: "Name a local queue with USAGE(XMITQ).",
    },
    Row {
        reason: Reason::XMIT_Q_USAGE_ERROR,
        name: "MQRC_XMIT_Q_USAGE_ERROR",
        text: "The queue named as transmission queue has another usage.",
        action: "Alter it to USAGE(XMITQ), or name another.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_PASS_ALL,
        name: "MQRC_NOT_OPEN_FOR_PASS_ALL",
        text: "The handle was not opened for passing the whole context.",
        action: "Open it with PASS_ALL_CONTEXT.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_PASS_IDENT,
        name: "MQRC_NOT_OPEN_FOR_PASS_IDENT",
        text: "The handle was not opened for passing the identity context.",
        action: "Open it with PASS_IDENTITY_CONTEXT.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_SET_ALL,
        name: "MQRC_NOT_OPEN_FOR_SET_ALL",
        text: "The handle was not opened for setting the whole context.",
        action: "Open it with SET_ALL_CONTEXT.",
    },
    Row {
        reason: Reason::NOT_OPEN_FOR_SET_IDENT,
        name: "MQRC_NOT_OPEN_FOR_SET_IDENT",
        text: "The handle was not opened for setting the identity context.",
        action: "Open it with SET_IDENTITY_CONTEXT.",
    },
    Row {
        reason: Reason::CONTEXT_HANDLE_ERROR,
        name: "MQRC_CONTEXT_HANDLE_ERROR",
        text: "The handle that should supply the context is not a queue open for input that saves context.",
        action: "Open that queue with an INPUT option and SAVE_ALL_CONTEXT.",
    },
    Row {
        reason: Reason::CONTEXT_NOT_AVAILABLE,
        name: "MQRC_CONTEXT_NOT_AVAILABLE",
        text: "The handle that should supply the context has none to give: no message was got, or only browsed.",
        action: "Get a message through it first.",
    },
    Row {
        reason: Reason::SIGNAL1_ERROR,
        name: "MQRC_SIGNAL1_ERROR",
        text: "Not valid: signal1.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OBJECT_ALREADY_EXISTS,
        name: "MQRC_OBJECT_ALREADY_EXISTS",
        text: "An object of this name exists already.",
        action: "Choose another name, or define it with REPLACE.",
    },
    Row {
        reason: Reason::OBJECT_DAMAGED,
        name: "MQRC_OBJECT_DAMAGED",
        text: "The stored data of the object cannot be read.",
        action: "Delete and define it again, or restore a backup; the error log names the damage.",
    },
    Row {
        reason: Reason::RESOURCE_PROBLEM,
        name: "MQRC_RESOURCE_PROBLEM",
        text: "Something the queue manager needs is exhausted.",
        action: "Look at the error log for which; repeat the call later.",
    },
    Row {
        reason: Reason::ANOTHER_Q_MGR_CONNECTED,
        name: "MQRC_ANOTHER_Q_MGR_CONNECTED",
        text: "This thread is connected to another queue manager already.",
        action: "Disconnect first, or connect from another thread.",
    },
    Row {
        reason: Reason::UNKNOWN_REPORT_OPTION,
        name: "MQRC_UNKNOWN_REPORT_OPTION",
        text: "The report options hold bits unknown here that the message says to accept; they were ignored.",
        action: "Nothing to do unless the report is needed.",
    },
    Row {
        reason: Reason::STORAGE_CLASS_ERROR,
        name: "MQRC_STORAGE_CLASS_ERROR",
        text: "The queue's storage class is not defined.",
        action: "Correct STGCLASS of the queue.",
    },
    Row {
        reason: Reason::COD_NOT_VALID_FOR_XCF_Q,
        name: "MQRC_COD_NOT_VALID_FOR_XCF_Q",
        text: "The queue manager reports: COD not valid for XCF queue.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::XWAIT_CANCELED,
        name: "MQRC_XWAIT_CANCELED",
        text: "The queue manager reports: xwait canceled.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::XWAIT_ERROR,
        name: "MQRC_XWAIT_ERROR",
        text: "Not valid: xwait.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUPPRESSED_BY_EXIT,
        name: "MQRC_SUPPRESSED_BY_EXIT",
        text: "An exit refused the call.",
        action: "Look at the exit and its own messages.",
    },
    Row {
        reason: Reason::FORMAT_ERROR,
        name: "MQRC_FORMAT_ERROR",
        text: "The body is not what its format says, or no conversion is known for the format.",
        action: "Compare format and body; do without conversion if the program can.",
    },
    Row {
        reason: Reason::SOURCE_CCSID_ERROR,
        name: "MQRC_SOURCE_CCSID_ERROR",
        text: "The message's character set is not known, so it was not converted.",
        action: "Correct the putting program, or read it unconverted.",
    },
    Row {
        reason: Reason::SOURCE_INTEGER_ENC_ERROR,
        name: "MQRC_SOURCE_INTEGER_ENC_ERROR",
        text: "Not valid: source integer encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SOURCE_DECIMAL_ENC_ERROR,
        name: "MQRC_SOURCE_DECIMAL_ENC_ERROR",
        text: "Not valid: source decimal encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SOURCE_FLOAT_ENC_ERROR,
        name: "MQRC_SOURCE_FLOAT_ENC_ERROR",
        text: "Not valid: source float encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TARGET_CCSID_ERROR,
        name: "MQRC_TARGET_CCSID_ERROR",
        text: "The character set asked for is not known, so the message was not converted.",
        action: "Correct the character set in the descriptor before the get.",
    },
    Row {
        reason: Reason::TARGET_INTEGER_ENC_ERROR,
        name: "MQRC_TARGET_INTEGER_ENC_ERROR",
        text: "Not valid: target integer encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TARGET_DECIMAL_ENC_ERROR,
        name: "MQRC_TARGET_DECIMAL_ENC_ERROR",
        text: "Not valid: target decimal encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TARGET_FLOAT_ENC_ERROR,
        name: "MQRC_TARGET_FLOAT_ENC_ERROR",
        text: "Not valid: target float encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NOT_CONVERTED,
        name: "MQRC_NOT_CONVERTED",
        text: "The message was returned as it is, since it could not be converted.",
        action: "Use the encoding and character set in the descriptor to read it.",
    },
    Row {
        reason: Reason::CONVERTED_MSG_TOO_BIG,
        name: "MQRC_CONVERTED_MSG_TOO_BIG",
        text: "The message was returned unconverted, since it would no longer fit the buffer.",
        action: "Use a larger buffer.",
    },
    Row {
        reason: Reason::TRUNCATED,
        name: "MQRC_TRUNCATED",
        text: "The queue manager reports: truncated.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NO_EXTERNAL_PARTICIPANTS,
        name: "MQRC_NO_EXTERNAL_PARTICIPANTS",
        text: "The unit of work has no resource other than this queue manager.",
        action: "For information.",
    },
    Row {
        reason: Reason::PARTICIPANT_NOT_AVAILABLE,
        name: "MQRC_PARTICIPANT_NOT_AVAILABLE",
        text: "A resource of the unit of work cannot be reached.",
        action: "Start it; the unit of work can then be repeated.",
    },
    Row {
        reason: Reason::OUTCOME_MIXED,
        name: "MQRC_OUTCOME_MIXED",
        text: "Some resources of the unit of work were committed and others backed out.",
        action: "Compare the resources by hand; the error log names them.",
    },
    Row {
        reason: Reason::OUTCOME_PENDING,
        name: "MQRC_OUTCOME_PENDING",
        text: "The unit of work is decided but not all took part yet; it will be completed by itself.",
        action: "Nothing to do; look at the error log if it stays so.",
    },
    Row {
        reason: Reason::BRIDGE_STARTED,
        name: "MQRC_BRIDGE_STARTED",
        text: "The queue manager reports: bridge started.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::BRIDGE_STOPPED,
        name: "MQRC_BRIDGE_STOPPED",
        text: "The queue manager reports: bridge stopped.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ADAPTER_STORAGE_SHORTAGE,
        name: "MQRC_ADAPTER_STORAGE_SHORTAGE",
        text: "The queue manager reports: adapter storage shortage.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UOW_IN_PROGRESS,
        name: "MQRC_UOW_IN_PROGRESS",
        text: "A unit of work is open, which excludes this call.",
        action: "Commit or back out first.",
    },
    Row {
        reason: Reason::ADAPTER_CONN_LOAD_ERROR,
        name: "MQRC_ADAPTER_CONN_LOAD_ERROR",
        text: "Not valid: adapter connection load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ADAPTER_SERV_LOAD_ERROR,
        name: "MQRC_ADAPTER_SERV_LOAD_ERROR",
        text: "Not valid: adapter service load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ADAPTER_DEFS_ERROR,
        name: "MQRC_ADAPTER_DEFS_ERROR",
        text: "Not valid: adapter definitions.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ADAPTER_DEFS_LOAD_ERROR,
        name: "MQRC_ADAPTER_DEFS_LOAD_ERROR",
        text: "Not valid: adapter definitions load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ADAPTER_CONV_LOAD_ERROR,
        name: "MQRC_ADAPTER_CONV_LOAD_ERROR",
        text: "Not valid: adapter conversion load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::BO_ERROR,
        name: "MQRC_BO_ERROR",
        text: "The begin options structure is not valid.",
        action: "Start from the default values of the structure.",
    },
    Row {
        reason: Reason::DH_ERROR,
        name: "MQRC_DH_ERROR",
        text: "Not valid: DH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MULTIPLE_REASONS,
        name: "MQRC_MULTIPLE_REASONS",
        text: "Parts of the call ended differently.",
        action: "Look at the reason of each part.",
    },
    Row {
        reason: Reason::OPEN_FAILED,
        name: "MQRC_OPEN_FAILED",
        text: "The object was not opened because another part of the same call failed.",
        action: "Look at the reasons of the other parts.",
    },
    Row {
        reason: Reason::ADAPTER_DISC_LOAD_ERROR,
        name: "MQRC_ADAPTER_DISC_LOAD_ERROR",
        text: "Not valid: adapter disconnect load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CNO_ERROR,
        name: "MQRC_CNO_ERROR",
        text: "The connect options are not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::CICS_WAIT_FAILED,
        name: "MQRC_CICS_WAIT_FAILED",
        text: "The queue manager reports: CICS wait failed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DLH_ERROR,
        name: "MQRC_DLH_ERROR",
        text: "Not valid: DLH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::HEADER_ERROR,
        name: "MQRC_HEADER_ERROR",
        text: "Not valid: header.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SOURCE_LENGTH_ERROR,
        name: "MQRC_SOURCE_LENGTH_ERROR",
        text: "Not valid: source length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TARGET_LENGTH_ERROR,
        name: "MQRC_TARGET_LENGTH_ERROR",
        text: "Not valid: target length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SOURCE_BUFFER_ERROR,
        name: "MQRC_SOURCE_BUFFER_ERROR",
        text: "Not valid: source buffer.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TARGET_BUFFER_ERROR,
        name: "MQRC_TARGET_BUFFER_ERROR",
        text: "Not valid: target buffer.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INCOMPLETE_TRANSACTION,
        name: "MQRC_INCOMPLETE_TRANSACTION",
        text: "The queue manager reports: incomplete transaction.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::IIH_ERROR,
        name: "MQRC_IIH_ERROR",
        text: "Not valid: IIH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PCF_ERROR,
        name: "MQRC_PCF_ERROR",
        text: "The command message is not well formed.",
        action: "Check its header, lengths and parameter count.",
    },
    Row {
        reason: Reason::DBCS_ERROR,
        name: "MQRC_DBCS_ERROR",
        text: "Not valid: DBCS.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OBJECT_NAME_ERROR,
        name: "MQRC_OBJECT_NAME_ERROR",
        text: "The object name may not be given here, or must be.",
        action: "Check object name and type together.",
    },
    Row {
        reason: Reason::OBJECT_Q_MGR_NAME_ERROR,
        name: "MQRC_OBJECT_Q_MGR_NAME_ERROR",
        text: "The queue manager name in the descriptor is not valid here.",
        action: "Leave it blank, or name a queue manager that is known.",
    },
    Row {
        reason: Reason::RECS_PRESENT_ERROR,
        name: "MQRC_RECS_PRESENT_ERROR",
        text: "Not valid: records present.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OBJECT_RECORDS_ERROR,
        name: "MQRC_OBJECT_RECORDS_ERROR",
        text: "Not valid: object records.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RESPONSE_RECORDS_ERROR,
        name: "MQRC_RESPONSE_RECORDS_ERROR",
        text: "Not valid: response records.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ASID_MISMATCH,
        name: "MQRC_ASID_MISMATCH",
        text: "The queue manager reports: ASID mismatch.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PMO_RECORD_FLAGS_ERROR,
        name: "MQRC_PMO_RECORD_FLAGS_ERROR",
        text: "Not valid: PMO record flags.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PUT_MSG_RECORDS_ERROR,
        name: "MQRC_PUT_MSG_RECORDS_ERROR",
        text: "Not valid: put message records.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONN_ID_IN_USE,
        name: "MQRC_CONN_ID_IN_USE",
        text: "The queue manager reports: connection identifier in use.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::Q_MGR_QUIESCING,
        name: "MQRC_Q_MGR_QUIESCING",
        text: "The queue manager is ending in order and takes no new connections or, on request, calls.",
        action: "Finish the unit of work, disconnect, and connect again once it is back.",
    },
    Row {
        reason: Reason::Q_MGR_STOPPING,
        name: "MQRC_Q_MGR_STOPPING",
        text: "The queue manager is ending at once; the call was not done.",
        action: "Connect again once it is back; what was not committed is backed out.",
    },
    Row {
        reason: Reason::DUPLICATE_RECOV_COORD,
        name: "MQRC_DUPLICATE_RECOV_COORD",
        text: "A transaction manager of this name is registered already.",
        action: "Give each coordinator a name of its own.",
    },
    Row {
        reason: Reason::PMO_ERROR,
        name: "MQRC_PMO_ERROR",
        text: "The put options structure is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::API_EXIT_NOT_FOUND,
        name: "MQRC_API_EXIT_NOT_FOUND",
        text: "The queue manager reports: api exit not found.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::API_EXIT_LOAD_ERROR,
        name: "MQRC_API_EXIT_LOAD_ERROR",
        text: "Not valid: api exit load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::REMOTE_Q_NAME_ERROR,
        name: "MQRC_REMOTE_Q_NAME_ERROR",
        text: "The definition of a remote queue says too little or too much for this call.",
        action: "Check RNAME, RQMNAME and XMITQ of the definition.",
    },
    Row {
        reason: Reason::INCONSISTENT_PERSISTENCE,
        name: "MQRC_INCONSISTENT_PERSISTENCE",
        text: "Messages of one group differ in persistence.",
        action: "Put all of a group with the same persistence.",
    },
    Row {
        reason: Reason::GMO_ERROR,
        name: "MQRC_GMO_ERROR",
        text: "The get options structure is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::CICS_BRIDGE_RESTRICTION,
        name: "MQRC_CICS_BRIDGE_RESTRICTION",
        text: "The queue manager reports: CICS bridge restriction.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::STOPPED_BY_CLUSTER_EXIT,
        name: "MQRC_STOPPED_BY_CLUSTER_EXIT",
        text: "The queue manager reports: stopped by cluster exit.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLUSTER_RESOLUTION_ERROR,
        name: "MQRC_CLUSTER_RESOLUTION_ERROR",
        text: "It could not be found out which queue manager of the cluster has the queue.",
        action: "Check that a full repository of the cluster can be reached.",
    },
    Row {
        reason: Reason::CONVERTED_STRING_TOO_BIG,
        name: "MQRC_CONVERTED_STRING_TOO_BIG",
        text: "The queue manager reports: converted string too big.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TMC_ERROR,
        name: "MQRC_TMC_ERROR",
        text: "Not valid: TMC.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::STORAGE_MEDIUM_FULL,
        name: "MQRC_STORAGE_MEDIUM_FULL",
        text: "The disk, the log that keeps persistent messages or QUOTA of the queue manager has no room for this call; gets, commits and backouts go on.",
        action: "Free or add disk space, raise QUOTA, or get messages; puts are taken again by themselves.",
    },
    Row {
        reason: Reason::PAGESET_FULL,
        name: "MQRC_PAGESET_FULL",
        text: "The disk has no room for this call; another name of 2192 MQRC_STORAGE_MEDIUM_FULL.",
        action: "Free or add disk space, or get messages; puts are taken again by themselves.",
    },
    Row {
        reason: Reason::PAGESET_ERROR,
        name: "MQRC_PAGESET_ERROR",
        text: "Not valid: pageset.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NAME_NOT_VALID_FOR_TYPE,
        name: "MQRC_NAME_NOT_VALID_FOR_TYPE",
        text: "This name may not be used for this type of object.",
        action: "To open the queue manager itself, leave the object name blank.",
    },
    Row {
        reason: Reason::UNEXPECTED_ERROR,
        name: "MQRC_UNEXPECTED_ERROR",
        text: "Something failed that should not, and is not the program's doing.",
        action: "Keep the error log and the first-failure record, and report it.",
    },
    Row {
        reason: Reason::UNKNOWN_XMIT_Q,
        name: "MQRC_UNKNOWN_XMIT_Q",
        text: "The transmission queue named does not exist.",
        action: "Define it, or correct the name.",
    },
    Row {
        reason: Reason::UNKNOWN_DEF_XMIT_Q,
        name: "MQRC_UNKNOWN_DEF_XMIT_Q",
        text: "The default transmission queue of the queue manager does not exist.",
        action: "Define it, or alter DEFXMITQ.",
    },
    Row {
        reason: Reason::DEF_XMIT_Q_TYPE_ERROR,
        name: "MQRC_DEF_XMIT_Q_TYPE_ERROR",
        text: "The default transmission queue is not a local queue.",
        action: "Name a local queue with USAGE(XMITQ) in DEFXMITQ.",
    },
    Row {
        reason: Reason::DEF_XMIT_Q_USAGE_ERROR,
        name: "MQRC_DEF_XMIT_Q_USAGE_ERROR",
        text: "The default transmission queue has another usage.",
        action: "Alter it to USAGE(XMITQ), or name another in DEFXMITQ.",
    },
    Row {
        reason: Reason::MSG_MARKED_BROWSE_CO_OP,
        name: "MQRC_MSG_MARKED_BROWSE_CO_OP",
        text: "The message is marked by another of the co-operating programs.",
        action: "Browse the next unmarked one.",
    },
    Row {
        reason: Reason::NAME_IN_USE,
        name: "MQRC_NAME_IN_USE",
        text: "The name is in use for something else at this moment.",
        action: "Choose another name, or wait.",
    },
    Row {
        reason: Reason::CONNECTION_QUIESCING,
        name: "MQRC_CONNECTION_QUIESCING",
        text: "The connection is being ended in order.",
        action: "Finish the unit of work and disconnect.",
    },
    Row {
        reason: Reason::CONNECTION_STOPPING,
        name: "MQRC_CONNECTION_STOPPING",
        text: "The connection is being ended at once; the call was not done.",
        action: "Disconnect; what was not committed is backed out.",
    },
    Row {
        reason: Reason::ADAPTER_NOT_AVAILABLE,
        name: "MQRC_ADAPTER_NOT_AVAILABLE",
        text: "The queue manager reports: adapter not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MSG_ID_ERROR,
        name: "MQRC_MSG_ID_ERROR",
        text: "The message identifier may not be given or matched so.",
        action: "Check the identifier and the match options.",
    },
    Row {
        reason: Reason::CORREL_ID_ERROR,
        name: "MQRC_CORREL_ID_ERROR",
        text: "The correlation identifier may not be given or matched so.",
        action: "Check the identifier and the match options.",
    },
    Row {
        reason: Reason::FILE_SYSTEM_ERROR,
        name: "MQRC_FILE_SYSTEM_ERROR",
        text: "The file system refused what the queue manager needs.",
        action: "Look at the error log for the path and the error of the operating system.",
    },
    Row {
        reason: Reason::NO_MSG_LOCKED,
        name: "MQRC_NO_MSG_LOCKED",
        text: "No message is locked by this handle.",
        action: "Lock one with a browse first.",
    },
    Row {
        reason: Reason::SOAP_DOTNET_ERROR,
        name: "MQRC_SOAP_DOTNET_ERROR",
        text: "Not valid: SOAP dotnet.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SOAP_AXIS_ERROR,
        name: "MQRC_SOAP_AXIS_ERROR",
        text: "Not valid: SOAP AXIS.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SOAP_URL_ERROR,
        name: "MQRC_SOAP_URL_ERROR",
        text: "Not valid: SOAP URL.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::FILE_NOT_AUDITED,
        name: "MQRC_FILE_NOT_AUDITED",
        text: "The queue manager reports: file not audited.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONNECTION_NOT_AUTHORIZED,
        name: "MQRC_CONNECTION_NOT_AUTHORIZED",
        text: "The user may not connect to the queue manager.",
        action: "Ask an administrator for authority to connect, or connect as another user.",
    },
    Row {
        reason: Reason::MSG_TOO_BIG_FOR_CHANNEL,
        name: "MQRC_MSG_TOO_BIG_FOR_CHANNEL",
        text: "The message is longer than the channel allows.",
        action: "Send less, or raise MAXMSGL of the channel on both sides.",
    },
    Row {
        reason: Reason::CALL_IN_PROGRESS,
        name: "MQRC_CALL_IN_PROGRESS",
        text: "Another thread is in a call on this connection.",
        action: "Let one call end before the next, or use a connection for each thread.",
    },
    Row {
        reason: Reason::RMH_ERROR,
        name: "MQRC_RMH_ERROR",
        text: "Not valid: RMH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::Q_MGR_ACTIVE,
        name: "MQRC_Q_MGR_ACTIVE",
        text: "The queue manager started.",
        action: "For information.",
    },
    Row {
        reason: Reason::Q_MGR_NOT_ACTIVE,
        name: "MQRC_Q_MGR_NOT_ACTIVE",
        text: "The queue manager ended.",
        action: "Start it if it should be running.",
    },
    Row {
        reason: Reason::Q_DEPTH_HIGH,
        name: "MQRC_Q_DEPTH_HIGH",
        text: "A queue reached its high depth limit.",
        action: "See which program should get its messages.",
    },
    Row {
        reason: Reason::Q_DEPTH_LOW,
        name: "MQRC_Q_DEPTH_LOW",
        text: "A queue fell to its low depth limit.",
        action: "For information.",
    },
    Row {
        reason: Reason::Q_SERVICE_INTERVAL_HIGH,
        name: "MQRC_Q_SERVICE_INTERVAL_HIGH",
        text: "No message was got from a queue within its service interval.",
        action: "See which program should get its messages.",
    },
    Row {
        reason: Reason::Q_SERVICE_INTERVAL_OK,
        name: "MQRC_Q_SERVICE_INTERVAL_OK",
        text: "A queue is served within its interval again.",
        action: "For information.",
    },
    Row {
        reason: Reason::RFH_HEADER_FIELD_ERROR,
        name: "MQRC_RFH_HEADER_FIELD_ERROR",
        text: "Not valid: RFH header field.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RAS_PROPERTY_ERROR,
        name: "MQRC_RAS_PROPERTY_ERROR",
        text: "Not valid: RAS property.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNIT_OF_WORK_NOT_STARTED,
        name: "MQRC_UNIT_OF_WORK_NOT_STARTED",
        text: "No unit of work was started.",
        action: "Put and get with MQPMO_SYNCPOINT and MQGMO_SYNCPOINT: the queue has SYNCREQ(YES).",
    },
    Row {
        reason: Reason::CHANNEL_AUTO_DEF_OK,
        name: "MQRC_CHANNEL_AUTO_DEF_OK",
        text: "The queue manager reports: channel auto default ok.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHANNEL_AUTO_DEF_ERROR,
        name: "MQRC_CHANNEL_AUTO_DEF_ERROR",
        text: "Not valid: channel auto default.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFH_ERROR,
        name: "MQRC_CFH_ERROR",
        text: "The header of a command message is not valid.",
        action: "Check its type, length and version.",
    },
    Row {
        reason: Reason::CFIL_ERROR,
        name: "MQRC_CFIL_ERROR",
        text: "Not valid: CFIL.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFIN_ERROR,
        name: "MQRC_CFIN_ERROR",
        text: "Not valid: CFIN.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFSL_ERROR,
        name: "MQRC_CFSL_ERROR",
        text: "Not valid: CFSL.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFST_ERROR,
        name: "MQRC_CFST_ERROR",
        text: "Not valid: CFST.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INCOMPLETE_GROUP,
        name: "MQRC_INCOMPLETE_GROUP",
        text: "The last group was left without its last message.",
        action: "Put the last message of the group before starting something else or closing.",
    },
    Row {
        reason: Reason::INCOMPLETE_MSG,
        name: "MQRC_INCOMPLETE_MSG",
        text: "The last logical message was left without its last segment.",
        action: "Put or get the last segment before starting something else or closing.",
    },
    Row {
        reason: Reason::INCONSISTENT_CCSIDS,
        name: "MQRC_INCONSISTENT_CCSIDS",
        text: "Segments of one message differ in character set.",
        action: "Use one character set throughout.",
    },
    Row {
        reason: Reason::INCONSISTENT_ENCODINGS,
        name: "MQRC_INCONSISTENT_ENCODINGS",
        text: "Segments of one message differ in encoding.",
        action: "Use one encoding throughout.",
    },
    Row {
        reason: Reason::INCONSISTENT_UOW,
        name: "MQRC_INCONSISTENT_UOW",
        text: "Messages of one group were handled partly inside and partly outside a unit of work.",
        action: "Handle a group all inside, or all outside.",
    },
    Row {
        reason: Reason::INVALID_MSG_UNDER_CURSOR,
        name: "MQRC_INVALID_MSG_UNDER_CURSOR",
        text: "The message under the cursor cannot be got in this way, because it is a segment.",
        action: "Browse it as a whole message, or get segments.",
    },
    Row {
        reason: Reason::MATCH_OPTIONS_ERROR,
        name: "MQRC_MATCH_OPTIONS_ERROR",
        text: "The match options hold an unknown bit or do not fit the call.",
        action: "Check the match options against the reference page.",
    },
    Row {
        reason: Reason::MDE_ERROR,
        name: "MQRC_MDE_ERROR",
        text: "Not valid: MDE.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MSG_FLAGS_ERROR,
        name: "MQRC_MSG_FLAGS_ERROR",
        text: "The message flags hold an unknown bit or do not fit together.",
        action: "Check the flags against the reference page.",
    },
    Row {
        reason: Reason::MSG_SEQ_NUMBER_ERROR,
        name: "MQRC_MSG_SEQ_NUMBER_ERROR",
        text: "The sequence number in the group is not valid.",
        action: "Count from 1, and only for messages in a group.",
    },
    Row {
        reason: Reason::OFFSET_ERROR,
        name: "MQRC_OFFSET_ERROR",
        text: "The offset of the segment is not valid.",
        action: "Give the place of its first byte, and only for segments.",
    },
    Row {
        reason: Reason::ORIGINAL_LENGTH_ERROR,
        name: "MQRC_ORIGINAL_LENGTH_ERROR",
        text: "The original length does not fit a report on a segment.",
        action: "Set it to \"undefined\" unless the message is such a report.",
    },
    Row {
        reason: Reason::SEGMENT_LENGTH_ZERO,
        name: "MQRC_SEGMENT_LENGTH_ZERO",
        text: "A segment has no bytes.",
        action: "Send segments with at least one byte.",
    },
    Row {
        reason: Reason::UOW_NOT_AVAILABLE,
        name: "MQRC_UOW_NOT_AVAILABLE",
        text: "This connection has no unit of work to use.",
        action: "Call outside syncpoint, or connect in a way that has one.",
    },
    Row {
        reason: Reason::WRONG_GMO_VERSION,
        name: "MQRC_WRONG_GMO_VERSION",
        text: "An option needs a later version of the get options.",
        action: "State the version that has the field.",
    },
    Row {
        reason: Reason::WRONG_MD_VERSION,
        name: "MQRC_WRONG_MD_VERSION",
        text: "An option needs a later version of the message descriptor.",
        action: "State version 2 of the descriptor.",
    },
    Row {
        reason: Reason::GROUP_ID_ERROR,
        name: "MQRC_GROUP_ID_ERROR",
        text: "The group identifier does not fit the flags of the message.",
        action: "Leave it blank unless the message is in a group and numbered by the program.",
    },
    Row {
        reason: Reason::INCONSISTENT_BROWSE,
        name: "MQRC_INCONSISTENT_BROWSE",
        text: "Browse options changed in the middle of a group or message.",
        action: "Start the browse again from the first message.",
    },
    Row {
        reason: Reason::XQH_ERROR,
        name: "MQRC_XQH_ERROR",
        text: "Not valid: XQH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SRC_ENV_ERROR,
        name: "MQRC_SRC_ENV_ERROR",
        text: "Not valid: source environment.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SRC_NAME_ERROR,
        name: "MQRC_SRC_NAME_ERROR",
        text: "Not valid: source name.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DEST_ENV_ERROR,
        name: "MQRC_DEST_ENV_ERROR",
        text: "Not valid: destination environment.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DEST_NAME_ERROR,
        name: "MQRC_DEST_NAME_ERROR",
        text: "Not valid: destination name.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TM_ERROR,
        name: "MQRC_TM_ERROR",
        text: "Not valid: TM.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLUSTER_EXIT_ERROR,
        name: "MQRC_CLUSTER_EXIT_ERROR",
        text: "Not valid: cluster exit.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLUSTER_EXIT_LOAD_ERROR,
        name: "MQRC_CLUSTER_EXIT_LOAD_ERROR",
        text: "Not valid: cluster exit load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLUSTER_PUT_INHIBITED,
        name: "MQRC_CLUSTER_PUT_INHIBITED",
        text: "Every instance of the cluster queue refuses puts.",
        action: "Allow puts on one of them.",
    },
    Row {
        reason: Reason::CLUSTER_RESOURCE_ERROR,
        name: "MQRC_CLUSTER_RESOURCE_ERROR",
        text: "Not valid: cluster resource.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NO_DESTINATIONS_AVAILABLE,
        name: "MQRC_NO_DESTINATIONS_AVAILABLE",
        text: "No instance of the cluster queue can be reached.",
        action: "Start the channels of the cluster, or wait.",
    },
    Row {
        reason: Reason::CONN_TAG_IN_USE,
        name: "MQRC_CONN_TAG_IN_USE",
        text: "The queue manager reports: connection tag in use.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PARTIALLY_CONVERTED,
        name: "MQRC_PARTIALLY_CONVERTED",
        text: "The queue manager reports: partially converted.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONNECTION_ERROR,
        name: "MQRC_CONNECTION_ERROR",
        text: "The connection could not be set up for use.",
        action: "Look at the error log of the queue manager for the connection's address.",
    },
    Row {
        reason: Reason::OPTION_ENVIRONMENT_ERROR,
        name: "MQRC_OPTION_ENVIRONMENT_ERROR",
        text: "An option is not possible where the program runs.",
        action: "Remove the option, or connect in another way.",
    },
    Row {
        reason: Reason::CD_ERROR,
        name: "MQRC_CD_ERROR",
        text: "The channel definition given with the connect call is not valid.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::CLIENT_CONN_ERROR,
        name: "MQRC_CLIENT_CONN_ERROR",
        text: "The client could not set up its end of the connection.",
        action: "Check the client's configuration; its error log names the line.",
    },
    Row {
        reason: Reason::CHANNEL_STOPPED_BY_USER,
        name: "MQRC_CHANNEL_STOPPED_BY_USER",
        text: "An operator stopped the channel.",
        action: "Start it when it is wanted again.",
    },
    Row {
        reason: Reason::HCONFIG_ERROR,
        name: "MQRC_HCONFIG_ERROR",
        text: "Not valid: HCONFIG.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::FUNCTION_ERROR,
        name: "MQRC_FUNCTION_ERROR",
        text: "Not valid: function.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHANNEL_STARTED,
        name: "MQRC_CHANNEL_STARTED",
        text: "The channel started.",
        action: "For information.",
    },
    Row {
        reason: Reason::CHANNEL_STOPPED,
        name: "MQRC_CHANNEL_STOPPED",
        text: "The channel stopped.",
        action: "Look at the error log if that was not intended.",
    },
    Row {
        reason: Reason::CHANNEL_CONV_ERROR,
        name: "MQRC_CHANNEL_CONV_ERROR",
        text: "Not valid: channel conversion.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SERVICE_NOT_AVAILABLE,
        name: "MQRC_SERVICE_NOT_AVAILABLE",
        text: "A part of the queue manager that the call needs does not run.",
        action: "Look at the error log; repeat the call later.",
    },
    Row {
        reason: Reason::INITIALIZATION_FAILED,
        name: "MQRC_INITIALIZATION_FAILED",
        text: "The queue manager reports: initialization failed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::TERMINATION_FAILED,
        name: "MQRC_TERMINATION_FAILED",
        text: "The queue manager reports: termination failed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNKNOWN_Q_NAME,
        name: "MQRC_UNKNOWN_Q_NAME",
        text: "No queue of this name is known.",
        action: "Check the name, upper and lower case included.",
    },
    Row {
        reason: Reason::SERVICE_ERROR,
        name: "MQRC_SERVICE_ERROR",
        text: "A part of the queue manager failed during the call.",
        action: "Look at the error log.",
    },
    Row {
        reason: Reason::Q_ALREADY_EXISTS,
        name: "MQRC_Q_ALREADY_EXISTS",
        text: "A queue of this name exists already.",
        action: "Choose another name.",
    },
    Row {
        reason: Reason::USER_ID_NOT_AVAILABLE,
        name: "MQRC_USER_ID_NOT_AVAILABLE",
        text: "The queue manager reports: user identifier not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNKNOWN_ENTITY,
        name: "MQRC_UNKNOWN_ENTITY",
        text: "The user or group is not known.",
        action: "Check the name.",
    },
    Row {
        reason: Reason::UNKNOWN_AUTH_ENTITY,
        name: "MQRC_UNKNOWN_AUTH_ENTITY",
        text: "The queue manager reports: unknown authority entity.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNKNOWN_REF_OBJECT,
        name: "MQRC_UNKNOWN_REF_OBJECT",
        text: "The queue manager reports: unknown ref object.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHANNEL_ACTIVATED,
        name: "MQRC_CHANNEL_ACTIVATED",
        text: "The queue manager reports: channel activated.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHANNEL_NOT_ACTIVATED,
        name: "MQRC_CHANNEL_NOT_ACTIVATED",
        text: "The queue manager reports: channel not activated.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UOW_CANCELED,
        name: "MQRC_UOW_CANCELED",
        text: "The unit of work was given up by its coordinator.",
        action: "Repeat it.",
    },
    Row {
        reason: Reason::FUNCTION_NOT_SUPPORTED,
        name: "MQRC_FUNCTION_NOT_SUPPORTED",
        text: "This queue manager does not offer the function.",
        action: "Do without it; the list of what is offered is in the reference pages.",
    },
    Row {
        reason: Reason::SELECTOR_TYPE_ERROR,
        name: "MQRC_SELECTOR_TYPE_ERROR",
        text: "Not valid: selector type.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::COMMAND_TYPE_ERROR,
        name: "MQRC_COMMAND_TYPE_ERROR",
        text: "The kind of command is not known.",
        action: "Correct the header of the command.",
    },
    Row {
        reason: Reason::MULTIPLE_INSTANCE_ERROR,
        name: "MQRC_MULTIPLE_INSTANCE_ERROR",
        text: "There is one system item of each selector.",
        action: "Use index 0 or MQIND_NONE.",
    },
    Row {
        reason: Reason::SYSTEM_ITEM_NOT_ALTERABLE,
        name: "MQRC_SYSTEM_ITEM_NOT_ALTERABLE",
        text: "The options a bag was made with do not change.",
        action: "Make another bag.",
    },
    Row {
        reason: Reason::BAG_CONVERSION_ERROR,
        name: "MQRC_BAG_CONVERSION_ERROR",
        text: "The bytes are not a message of commands.",
        action: "Check where they come from, their length and their byte order.",
    },
    Row {
        reason: Reason::SELECTOR_OUT_OF_RANGE,
        name: "MQRC_SELECTOR_OUT_OF_RANGE",
        text: "A selector is not one that a value of this kind can have in this bag.",
        action: "Correct it, or make the bag without MQCBO_CHECK_SELECTORS.",
    },
    Row {
        reason: Reason::SELECTOR_NOT_UNIQUE,
        name: "MQRC_SELECTOR_NOT_UNIQUE",
        text: "The bag has several items of this selector, and the call says that there is one.",
        action: "Give an index.",
    },
    Row {
        reason: Reason::INDEX_NOT_PRESENT,
        name: "MQRC_INDEX_NOT_PRESENT",
        text: "The bag has fewer items of this selector.",
        action: "Count items with mqCountItems.",
    },
    Row {
        reason: Reason::STRING_ERROR,
        name: "MQRC_STRING_ERROR",
        text: "There is no place for the text.",
        action: "Pass the address of one.",
    },
    Row {
        reason: Reason::ENCODING_NOT_SUPPORTED,
        name: "MQRC_ENCODING_NOT_SUPPORTED",
        text: "Bags are made of messages whose numbers are as on this machine.",
        action: "Convert the message (MQGMO_CONVERT).",
    },
    Row {
        reason: Reason::SELECTOR_NOT_PRESENT,
        name: "MQRC_SELECTOR_NOT_PRESENT",
        text: "The bag has no item of this selector.",
        action: "Count items with mqCountItems, or look at what the bag has.",
    },
    Row {
        reason: Reason::OUT_SELECTOR_ERROR,
        name: "MQRC_OUT_SELECTOR_ERROR",
        text: "There is no place for the selector of the item.",
        action: "Pass the address of one.",
    },
    Row {
        reason: Reason::STRING_TRUNCATED,
        name: "MQRC_STRING_TRUNCATED",
        text: "The text or bytes are longer than the room for them, which is filled.",
        action: "Pass more room; the length is returned.",
    },
    Row {
        reason: Reason::SELECTOR_WRONG_TYPE,
        name: "MQRC_SELECTOR_WRONG_TYPE",
        text: "The item is of another kind than the call is for.",
        action: "Ask for the kind with mqInquireItemInfo.",
    },
    Row {
        reason: Reason::INCONSISTENT_ITEM_TYPE,
        name: "MQRC_INCONSISTENT_ITEM_TYPE",
        text: "The bag has an item of this selector which is of another kind.",
        action: "Use another selector, or one kind of value.",
    },
    Row {
        reason: Reason::INDEX_ERROR,
        name: "MQRC_INDEX_ERROR",
        text: "An index is negative, or stands for something that the selector does not allow.",
        action: "Correct the index.",
    },
    Row {
        reason: Reason::SYSTEM_BAG_NOT_ALTERABLE,
        name: "MQRC_SYSTEM_BAG_NOT_ALTERABLE",
        text: "The bag was made for a message and can only be read.",
        action: "Copy what is in it to a bag of the program.",
    },
    Row {
        reason: Reason::ITEM_COUNT_ERROR,
        name: "MQRC_ITEM_COUNT_ERROR",
        text: "The bag has fewer items than are to be left, or there is no place for a number of items.",
        action: "Correct the parameter.",
    },
    Row {
        reason: Reason::FORMAT_NOT_SUPPORTED,
        name: "MQRC_FORMAT_NOT_SUPPORTED",
        text: "Bags are made of messages of commands, events and the like, and this is none.",
        action: "Use MQFMT_ADMIN, MQFMT_EVENT or MQFMT_PCF; get other messages with MQGET.",
    },
    Row {
        reason: Reason::SELECTOR_NOT_SUPPORTED,
        name: "MQRC_SELECTOR_NOT_SUPPORTED",
        text: "There is no system item of this selector.",
        action: "Correct the selector.",
    },
    Row {
        reason: Reason::ITEM_VALUE_ERROR,
        name: "MQRC_ITEM_VALUE_ERROR",
        text: "There is no place for the value asked for.",
        action: "Pass the address of one.",
    },
    Row {
        reason: Reason::HBAG_ERROR,
        name: "MQRC_HBAG_ERROR",
        text: "The handle is not one of a bag that this program has.",
        action: "Use the handle that mqCreateBag returned, and none after mqDeleteBag.",
    },
    Row {
        reason: Reason::PARAMETER_MISSING,
        name: "MQRC_PARAMETER_MISSING",
        text: "The queue manager reports: parameter missing.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CMD_SERVER_NOT_AVAILABLE,
        name: "MQRC_CMD_SERVER_NOT_AVAILABLE",
        text: "The command server does not answer.",
        action: "Start it, or check that its queue can be put to.",
    },
    Row {
        reason: Reason::STRING_LENGTH_ERROR,
        name: "MQRC_STRING_LENGTH_ERROR",
        text: "There is no place for the length of the text or bytes.",
        action: "Pass the address of one.",
    },
    Row {
        reason: Reason::INQUIRY_COMMAND_ERROR,
        name: "MQRC_INQUIRY_COMMAND_ERROR",
        text: "The bag asks for attributes, and the command has no list of them.",
        action: "Use a command that inquires.",
    },
    Row {
        reason: Reason::NESTED_BAG_NOT_SUPPORTED,
        name: "MQRC_NESTED_BAG_NOT_SUPPORTED",
        text: "The bag has a bag in it that was made for a message.",
        action: "Copy what is in it to a group of the program.",
    },
    Row {
        reason: Reason::BAG_WRONG_TYPE,
        name: "MQRC_BAG_WRONG_TYPE",
        text: "A bag of this kind cannot be used here.",
        action: "Make a bag of the kind that the call takes.",
    },
    Row {
        reason: Reason::ITEM_TYPE_ERROR,
        name: "MQRC_ITEM_TYPE_ERROR",
        text: "There is no place for the kind of the item.",
        action: "Pass the address of one.",
    },
    Row {
        reason: Reason::SYSTEM_BAG_NOT_DELETABLE,
        name: "MQRC_SYSTEM_BAG_NOT_DELETABLE",
        text: "The bag was made for a message and goes with the bag it is in.",
        action: "Delete or clear that one.",
    },
    Row {
        reason: Reason::SYSTEM_ITEM_NOT_DELETABLE,
        name: "MQRC_SYSTEM_ITEM_NOT_DELETABLE",
        text: "A system item cannot be deleted.",
        action: "Delete items of the program.",
    },
    Row {
        reason: Reason::CODED_CHAR_SET_ID_ERROR,
        name: "MQRC_CODED_CHAR_SET_ID_ERROR",
        text: "The character set is not known.",
        action: "Correct the character set identifier.",
    },
    Row {
        reason: Reason::MSG_TOKEN_ERROR,
        name: "MQRC_MSG_TOKEN_ERROR",
        text: "The message token may not be used so.",
        action: "Use a token only as a get or browse returned it.",
    },
    Row {
        reason: Reason::MISSING_WIH,
        name: "MQRC_MISSING_WIH",
        text: "The queue manager reports: missing WIH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::WIH_ERROR,
        name: "MQRC_WIH_ERROR",
        text: "Not valid: WIH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_ERROR,
        name: "MQRC_RFH_ERROR",
        text: "Not valid: RFH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_STRING_ERROR,
        name: "MQRC_RFH_STRING_ERROR",
        text: "Not valid: RFH string.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_COMMAND_ERROR,
        name: "MQRC_RFH_COMMAND_ERROR",
        text: "Not valid: RFH command.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_PARM_ERROR,
        name: "MQRC_RFH_PARM_ERROR",
        text: "Not valid: RFH parameter.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_DUPLICATE_PARM,
        name: "MQRC_RFH_DUPLICATE_PARM",
        text: "The queue manager reports: RFH duplicate parameter.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_PARM_MISSING,
        name: "MQRC_RFH_PARM_MISSING",
        text: "The queue manager reports: RFH parameter missing.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHAR_CONVERSION_ERROR,
        name: "MQRC_CHAR_CONVERSION_ERROR",
        text: "Not valid: character conversion.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UCS2_CONVERSION_ERROR,
        name: "MQRC_UCS2_CONVERSION_ERROR",
        text: "Not valid: UCS2 conversion.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DB2_NOT_AVAILABLE,
        name: "MQRC_DB2_NOT_AVAILABLE",
        text: "The queue manager reports: DB2 not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OBJECT_NOT_UNIQUE,
        name: "MQRC_OBJECT_NOT_UNIQUE",
        text: "More than one object fits what was asked for.",
        action: "Say more precisely which one is meant.",
    },
    Row {
        reason: Reason::CONN_TAG_NOT_RELEASED,
        name: "MQRC_CONN_TAG_NOT_RELEASED",
        text: "The queue manager reports: connection tag not released.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CF_NOT_AVAILABLE,
        name: "MQRC_CF_NOT_AVAILABLE",
        text: "The queue manager reports: CF not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CF_STRUC_IN_USE,
        name: "MQRC_CF_STRUC_IN_USE",
        text: "The queue manager reports: CF structure in use.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CF_STRUC_LIST_HDR_IN_USE,
        name: "MQRC_CF_STRUC_LIST_HDR_IN_USE",
        text: "The queue manager reports: CF structure list header in use.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CF_STRUC_AUTH_FAILED,
        name: "MQRC_CF_STRUC_AUTH_FAILED",
        text: "The queue manager reports: CF structure authority failed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CF_STRUC_ERROR,
        name: "MQRC_CF_STRUC_ERROR",
        text: "Not valid: CF structure.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONN_TAG_NOT_USABLE,
        name: "MQRC_CONN_TAG_NOT_USABLE",
        text: "The queue manager reports: connection tag not usable.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::GLOBAL_UOW_CONFLICT,
        name: "MQRC_GLOBAL_UOW_CONFLICT",
        text: "The handle is in use by another coordinated unit of work.",
        action: "End that unit of work first.",
    },
    Row {
        reason: Reason::LOCAL_UOW_CONFLICT,
        name: "MQRC_LOCAL_UOW_CONFLICT",
        text: "The handle is in use by another local unit of work.",
        action: "End that unit of work first.",
    },
    Row {
        reason: Reason::HANDLE_IN_USE_FOR_UOW,
        name: "MQRC_HANDLE_IN_USE_FOR_UOW",
        text: "The connection handle is in use for another unit of work.",
        action: "End that unit of work first.",
    },
    Row {
        reason: Reason::UOW_ENLISTMENT_ERROR,
        name: "MQRC_UOW_ENLISTMENT_ERROR",
        text: "The queue manager could not take part in the unit of work.",
        action: "Look at the error log; repeat the unit of work.",
    },
    Row {
        reason: Reason::UOW_MIX_NOT_SUPPORTED,
        name: "MQRC_UOW_MIX_NOT_SUPPORTED",
        text: "Local and coordinated units of work cannot be mixed on this connection.",
        action: "Use one kind for each connection.",
    },
    Row {
        reason: Reason::WXP_ERROR,
        name: "MQRC_WXP_ERROR",
        text: "Not valid: WXP.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CURRENT_RECORD_ERROR,
        name: "MQRC_CURRENT_RECORD_ERROR",
        text: "Not valid: current record.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NEXT_OFFSET_ERROR,
        name: "MQRC_NEXT_OFFSET_ERROR",
        text: "Not valid: next offset.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NO_RECORD_AVAILABLE,
        name: "MQRC_NO_RECORD_AVAILABLE",
        text: "The queue manager reports: no record available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OBJECT_LEVEL_INCOMPATIBLE,
        name: "MQRC_OBJECT_LEVEL_INCOMPATIBLE",
        text: "The queue manager reports: object level incompatible.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NEXT_RECORD_ERROR,
        name: "MQRC_NEXT_RECORD_ERROR",
        text: "Not valid: next record.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::BACKOUT_THRESHOLD_REACHED,
        name: "MQRC_BACKOUT_THRESHOLD_REACHED",
        text: "The message was backed out as often as allowed.",
        action: "Move it aside and find out why it cannot be worked on.",
    },
    Row {
        reason: Reason::MSG_NOT_MATCHED,
        name: "MQRC_MSG_NOT_MATCHED",
        text: "The queue manager reports: message not matched.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::JMS_FORMAT_ERROR,
        name: "MQRC_JMS_FORMAT_ERROR",
        text: "Not valid: JMS format.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SEGMENTS_NOT_SUPPORTED,
        name: "MQRC_SEGMENTS_NOT_SUPPORTED",
        text: "The queue manager reports: segments not supported.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::WRONG_CF_LEVEL,
        name: "MQRC_WRONG_CF_LEVEL",
        text: "The queue manager reports: wrong CF level.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONFIG_CREATE_OBJECT,
        name: "MQRC_CONFIG_CREATE_OBJECT",
        text: "An object was defined.",
        action: "For information.",
    },
    Row {
        reason: Reason::CONFIG_CHANGE_OBJECT,
        name: "MQRC_CONFIG_CHANGE_OBJECT",
        text: "An object was changed.",
        action: "For information.",
    },
    Row {
        reason: Reason::CONFIG_DELETE_OBJECT,
        name: "MQRC_CONFIG_DELETE_OBJECT",
        text: "An object was deleted.",
        action: "For information.",
    },
    Row {
        reason: Reason::CONFIG_REFRESH_OBJECT,
        name: "MQRC_CONFIG_REFRESH_OBJECT",
        text: "The queue manager reports: config refresh object.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHANNEL_SSL_ERROR,
        name: "MQRC_CHANNEL_SSL_ERROR",
        text: "The channel could not agree on a secure session.",
        action: "Compare cipher, certificates and peer names on both sides; the error log names the failure.",
    },
    Row {
        reason: Reason::PARTICIPANT_NOT_DEFINED,
        name: "MQRC_PARTICIPANT_NOT_DEFINED",
        text: "The queue manager reports: participant not defined.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CF_STRUC_FAILED,
        name: "MQRC_CF_STRUC_FAILED",
        text: "The queue manager reports: CF structure failed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::API_EXIT_ERROR,
        name: "MQRC_API_EXIT_ERROR",
        text: "An exit made the call fail.",
        action: "Look at the exit and its own messages.",
    },
    Row {
        reason: Reason::API_EXIT_INIT_ERROR,
        name: "MQRC_API_EXIT_INIT_ERROR",
        text: "Not valid: api exit init.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::API_EXIT_TERM_ERROR,
        name: "MQRC_API_EXIT_TERM_ERROR",
        text: "Not valid: api exit term.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::EXIT_REASON_ERROR,
        name: "MQRC_EXIT_REASON_ERROR",
        text: "Not valid: exit reason.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RESERVED_VALUE_ERROR,
        name: "MQRC_RESERVED_VALUE_ERROR",
        text: "A reserved field holds something.",
        action: "Set it to its default value.",
    },
    Row {
        reason: Reason::NO_DATA_AVAILABLE,
        name: "MQRC_NO_DATA_AVAILABLE",
        text: "There is nothing more to return.",
        action: "Nothing to do.",
    },
    Row {
        reason: Reason::SCO_ERROR,
        name: "MQRC_SCO_ERROR",
        text: "The security options given with the connect call are not valid.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::KEY_REPOSITORY_ERROR,
        name: "MQRC_KEY_REPOSITORY_ERROR",
        text: "The key store cannot be opened or read.",
        action: "Check its path, permissions and password.",
    },
    Row {
        reason: Reason::CRYPTO_HARDWARE_ERROR,
        name: "MQRC_CRYPTO_HARDWARE_ERROR",
        text: "Not valid: crypto hardware.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::AUTH_INFO_REC_COUNT_ERROR,
        name: "MQRC_AUTH_INFO_REC_COUNT_ERROR",
        text: "Not valid: authority info record count.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::AUTH_INFO_REC_ERROR,
        name: "MQRC_AUTH_INFO_REC_ERROR",
        text: "Not valid: authority info record.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::AIR_ERROR,
        name: "MQRC_AIR_ERROR",
        text: "Not valid: AIR.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::AUTH_INFO_TYPE_ERROR,
        name: "MQRC_AUTH_INFO_TYPE_ERROR",
        text: "Not valid: authority info type.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::AUTH_INFO_CONN_NAME_ERROR,
        name: "MQRC_AUTH_INFO_CONN_NAME_ERROR",
        text: "Not valid: authority info connection name.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::LDAP_USER_NAME_ERROR,
        name: "MQRC_LDAP_USER_NAME_ERROR",
        text: "Not valid: LDAP user name.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::LDAP_USER_NAME_LENGTH_ERR,
        name: "MQRC_LDAP_USER_NAME_LENGTH_ERR",
        text: "The queue manager reports: LDAP user name length error.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::LDAP_PASSWORD_ERROR,
        name: "MQRC_LDAP_PASSWORD_ERROR",
        text: "Not valid: LDAP password.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SSL_ALREADY_INITIALIZED,
        name: "MQRC_SSL_ALREADY_INITIALIZED",
        text: "The queue manager reports: SSL already initialized.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SSL_CONFIG_ERROR,
        name: "MQRC_SSL_CONFIG_ERROR",
        text: "Not valid: SSL config.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SSL_INITIALIZATION_ERROR,
        name: "MQRC_SSL_INITIALIZATION_ERROR",
        text: "The secure session could not be set up.",
        action: "Check the key store, the certificate and the cipher; the error log has the details.",
    },
    Row {
        reason: Reason::Q_INDEX_TYPE_ERROR,
        name: "MQRC_Q_INDEX_TYPE_ERROR",
        text: "Not valid: queue index type.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFBS_ERROR,
        name: "MQRC_CFBS_ERROR",
        text: "Not valid: CFBS.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SSL_NOT_ALLOWED,
        name: "MQRC_SSL_NOT_ALLOWED",
        text: "Security settings were given for a connection that cannot use them.",
        action: "Remove the settings or choose a connection over the network.",
    },
    Row {
        reason: Reason::JSSE_ERROR,
        name: "MQRC_JSSE_ERROR",
        text: "Not valid: JSSE.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SSL_PEER_NAME_MISMATCH,
        name: "MQRC_SSL_PEER_NAME_MISMATCH",
        text: "The certificate of the other side does not bear the name that is expected.",
        action: "Compare the subject of the certificate with the peer name configured.",
    },
    Row {
        reason: Reason::SSL_PEER_NAME_ERROR,
        name: "MQRC_SSL_PEER_NAME_ERROR",
        text: "Not valid: SSL peer name.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNSUPPORTED_CIPHER_SUITE,
        name: "MQRC_UNSUPPORTED_CIPHER_SUITE",
        text: "The cipher asked for is not offered here.",
        action: "Choose one both sides offer.",
    },
    Row {
        reason: Reason::SSL_CERTIFICATE_REVOKED,
        name: "MQRC_SSL_CERTIFICATE_REVOKED",
        text: "The certificate of the other side was revoked.",
        action: "Replace that certificate.",
    },
    Row {
        reason: Reason::SSL_CERT_STORE_ERROR,
        name: "MQRC_SSL_CERT_STORE_ERROR",
        text: "Not valid: SSL certificate store.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLIENT_EXIT_LOAD_ERROR,
        name: "MQRC_CLIENT_EXIT_LOAD_ERROR",
        text: "Not valid: client exit load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLIENT_EXIT_ERROR,
        name: "MQRC_CLIENT_EXIT_ERROR",
        text: "Not valid: client exit.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UOW_COMMITTED,
        name: "MQRC_UOW_COMMITTED",
        text: "The unit of work is committed already.",
        action: "Nothing to do.",
    },
    Row {
        reason: Reason::SSL_KEY_RESET_ERROR,
        name: "MQRC_SSL_KEY_RESET_ERROR",
        text: "Not valid: SSL key reset.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNKNOWN_COMPONENT_NAME,
        name: "MQRC_UNKNOWN_COMPONENT_NAME",
        text: "The queue manager reports: unknown component name.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::LOGGER_STATUS,
        name: "MQRC_LOGGER_STATUS",
        text: "The state of the recovery log changed.",
        action: "For information.",
    },
    Row {
        reason: Reason::COMMAND_MQSC,
        name: "MQRC_COMMAND_MQSC",
        text: "The queue manager reports: command MQSC.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::COMMAND_PCF,
        name: "MQRC_COMMAND_PCF",
        text: "The queue manager reports: command PCF.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFIF_ERROR,
        name: "MQRC_CFIF_ERROR",
        text: "Not valid: CFIF.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFSF_ERROR,
        name: "MQRC_CFSF_ERROR",
        text: "Not valid: CFSF.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CFGR_ERROR,
        name: "MQRC_CFGR_ERROR",
        text: "Not valid: CFGR.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MSG_NOT_ALLOWED_IN_GROUP,
        name: "MQRC_MSG_NOT_ALLOWED_IN_GROUP",
        text: "The queue manager reports: message not allowed in group.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::FILTER_OPERATOR_ERROR,
        name: "MQRC_FILTER_OPERATOR_ERROR",
        text: "Values of this kind are not compared so.",
        action: "Use another MQCFOP_ value.",
    },
    Row {
        reason: Reason::NESTED_SELECTOR_ERROR,
        name: "MQRC_NESTED_SELECTOR_ERROR",
        text: "Not valid: nested selector.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::EPH_ERROR,
        name: "MQRC_EPH_ERROR",
        text: "Not valid: EPH.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RFH_FORMAT_ERROR,
        name: "MQRC_RFH_FORMAT_ERROR",
        text: "The folder of properties in the message is not well formed.",
        action: "Correct the putting program.",
    },
    Row {
        reason: Reason::CFBF_ERROR,
        name: "MQRC_CFBF_ERROR",
        text: "Not valid: CFBF.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CLIENT_CHANNEL_CONFLICT,
        name: "MQRC_CLIENT_CHANNEL_CONFLICT",
        text: "The channel asked for differs from the one this connection was made with.",
        action: "Use one channel definition for connections that share.",
    },
    Row {
        reason: Reason::SD_ERROR,
        name: "MQRC_SD_ERROR",
        text: "The subscription descriptor is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::TOPIC_STRING_ERROR,
        name: "MQRC_TOPIC_STRING_ERROR",
        text: "The topic string is not valid.",
        action: "Check its length, its levels and its wildcards.",
    },
    Row {
        reason: Reason::STS_ERROR,
        name: "MQRC_STS_ERROR",
        text: "The status structure is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::NO_SUBSCRIPTION,
        name: "MQRC_NO_SUBSCRIPTION",
        text: "There is no subscription of this name, or it is gone.",
        action: "Create it.",
    },
    Row {
        reason: Reason::SUBSCRIPTION_IN_USE,
        name: "MQRC_SUBSCRIPTION_IN_USE",
        text: "Another program uses the subscription.",
        action: "Wait for it to end, or choose another name.",
    },
    Row {
        reason: Reason::STAT_TYPE_ERROR,
        name: "MQRC_STAT_TYPE_ERROR",
        text: "The kind of status asked for is not known.",
        action: "Use one of the kinds of the interface.",
    },
    Row {
        reason: Reason::SUB_USER_DATA_ERROR,
        name: "MQRC_SUB_USER_DATA_ERROR",
        text: "Not valid: subscription user data.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUB_ALREADY_EXISTS,
        name: "MQRC_SUB_ALREADY_EXISTS",
        text: "A subscription of this name exists already.",
        action: "Resume it, or choose another name.",
    },
    Row {
        reason: Reason::IDENTITY_MISMATCH,
        name: "MQRC_IDENTITY_MISMATCH",
        text: "The subscription belongs to another user.",
        action: "Use the user that created it.",
    },
    Row {
        reason: Reason::ALTER_SUB_ERROR,
        name: "MQRC_ALTER_SUB_ERROR",
        text: "Not valid: alter subscription.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DURABILITY_NOT_ALLOWED,
        name: "MQRC_DURABILITY_NOT_ALLOWED",
        text: "Durable subscriptions are not allowed for this topic.",
        action: "Subscribe as not durable, or allow them at the topic object.",
    },
    Row {
        reason: Reason::NO_RETAINED_MSG,
        name: "MQRC_NO_RETAINED_MSG",
        text: "There is no retained publication for this topic.",
        action: "For information.",
    },
    Row {
        reason: Reason::SRO_ERROR,
        name: "MQRC_SRO_ERROR",
        text: "Not valid: SRO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUB_NAME_ERROR,
        name: "MQRC_SUB_NAME_ERROR",
        text: "The subscription name is missing or not valid.",
        action: "Give a durable subscription a name.",
    },
    Row {
        reason: Reason::OBJECT_STRING_ERROR,
        name: "MQRC_OBJECT_STRING_ERROR",
        text: "The object string is not valid.",
        action: "Check its length and characters.",
    },
    Row {
        reason: Reason::PROPERTY_NAME_ERROR,
        name: "MQRC_PROPERTY_NAME_ERROR",
        text: "The property name is not valid.",
        action: "Check its characters and reserved beginnings.",
    },
    Row {
        reason: Reason::SEGMENTATION_NOT_ALLOWED,
        name: "MQRC_SEGMENTATION_NOT_ALLOWED",
        text: "Messages may not be split into segments here.",
        action: "Send the message whole.",
    },
    Row {
        reason: Reason::CBD_ERROR,
        name: "MQRC_CBD_ERROR",
        text: "The callback descriptor is not valid: a wrong identifier, version or length.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::CTLO_ERROR,
        name: "MQRC_CTLO_ERROR",
        text: "Not valid: CTLO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NO_CALLBACKS_ACTIVE,
        name: "MQRC_NO_CALLBACKS_ACTIVE",
        text: "No message consumer is running.",
        action: "Register and resume one before starting.",
    },
    Row {
        reason: Reason::CALLBACK_NOT_REGISTERED,
        name: "MQRC_CALLBACK_NOT_REGISTERED",
        text: "No callback is registered for this handle.",
        action: "Register one first.",
    },
    Row {
        reason: Reason::OPTIONS_CHANGED,
        name: "MQRC_OPTIONS_CHANGED",
        text: "An option that must stay the same on this handle was changed.",
        action: "Use the same option on every call, or close and open again.",
    },
    Row {
        reason: Reason::READ_AHEAD_MSGS,
        name: "MQRC_READ_AHEAD_MSGS",
        text: "Messages read ahead to the client are not used up yet, so the handle stays open.",
        action: "Get the rest, then close again, or close at once and lose those that are not persistent.",
    },
    Row {
        reason: Reason::SELECTOR_SYNTAX_ERROR,
        name: "MQRC_SELECTOR_SYNTAX_ERROR",
        text: "The selection string cannot be understood.",
        action: "Correct it; the error log shows the place.",
    },
    Row {
        reason: Reason::HMSG_ERROR,
        name: "MQRC_HMSG_ERROR",
        text: "The message handle is not one this connection has.",
        action: "Use the handle the create call returned, and none after deleting it.",
    },
    Row {
        reason: Reason::CMHO_ERROR,
        name: "MQRC_CMHO_ERROR",
        text: "Not valid: CMHO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DMHO_ERROR,
        name: "MQRC_DMHO_ERROR",
        text: "Not valid: DMHO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SMPO_ERROR,
        name: "MQRC_SMPO_ERROR",
        text: "Not valid: SMPO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::IMPO_ERROR,
        name: "MQRC_IMPO_ERROR",
        text: "Not valid: IMPO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PROPERTY_NAME_TOO_BIG,
        name: "MQRC_PROPERTY_NAME_TOO_BIG",
        text: "The property name is longer than the room given for it.",
        action: "Give more room.",
    },
    Row {
        reason: Reason::PROP_VALUE_NOT_CONVERTED,
        name: "MQRC_PROP_VALUE_NOT_CONVERTED",
        text: "The queue manager reports: property value not converted.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PROP_TYPE_NOT_SUPPORTED,
        name: "MQRC_PROP_TYPE_NOT_SUPPORTED",
        text: "The property has a type that is not offered here.",
        action: "Use one of the types of the interface.",
    },
    Row {
        reason: Reason::PROPERTY_VALUE_TOO_BIG,
        name: "MQRC_PROPERTY_VALUE_TOO_BIG",
        text: "The value of the property is longer than the buffer.",
        action: "Use a larger buffer; the length is returned.",
    },
    Row {
        reason: Reason::PROP_CONV_NOT_SUPPORTED,
        name: "MQRC_PROP_CONV_NOT_SUPPORTED",
        text: "The value cannot be converted to the type asked for.",
        action: "Ask for the type it has.",
    },
    Row {
        reason: Reason::PROPERTY_NOT_AVAILABLE,
        name: "MQRC_PROPERTY_NOT_AVAILABLE",
        text: "There is no property of this name, or none after the last one returned.",
        action: "For information; this also ends a walk through all properties.",
    },
    Row {
        reason: Reason::PROP_NUMBER_FORMAT_ERROR,
        name: "MQRC_PROP_NUMBER_FORMAT_ERROR",
        text: "The text of the property is not a number.",
        action: "Ask for it as a text.",
    },
    Row {
        reason: Reason::PROPERTY_TYPE_ERROR,
        name: "MQRC_PROPERTY_TYPE_ERROR",
        text: "The type of the property is not valid, or another was asked for.",
        action: "Ask for the type it has, or for conversion.",
    },
    Row {
        reason: Reason::PROPERTIES_TOO_BIG,
        name: "MQRC_PROPERTIES_TOO_BIG",
        text: "The properties of the message are longer than the queue manager allows.",
        action: "Send fewer or shorter properties, or raise MAXPROPL.",
    },
    Row {
        reason: Reason::PUT_NOT_RETAINED,
        name: "MQRC_PUT_NOT_RETAINED",
        text: "The publication was not retained, so nothing was published.",
        action: "Look at the error log for why it could not be kept.",
    },
    Row {
        reason: Reason::ALIAS_TARGTYPE_CHANGED,
        name: "MQRC_ALIAS_TARGTYPE_CHANGED",
        text: "The alias now leads to another type of object than when it was opened.",
        action: "Close it and open it again.",
    },
    Row {
        reason: Reason::DMPO_ERROR,
        name: "MQRC_DMPO_ERROR",
        text: "Not valid: DMPO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PD_ERROR,
        name: "MQRC_PD_ERROR",
        text: "Not valid: PD.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CALLBACK_TYPE_ERROR,
        name: "MQRC_CALLBACK_TYPE_ERROR",
        text: "Not valid: callback type.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CBD_OPTIONS_ERROR,
        name: "MQRC_CBD_OPTIONS_ERROR",
        text: "Not valid: CBD options.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MAX_MSG_LENGTH_ERROR,
        name: "MQRC_MAX_MSG_LENGTH_ERROR",
        text: "Not valid: max message length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CALLBACK_ROUTINE_ERROR,
        name: "MQRC_CALLBACK_ROUTINE_ERROR",
        text: "Not valid: callback routine.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CALLBACK_LINK_ERROR,
        name: "MQRC_CALLBACK_LINK_ERROR",
        text: "Not valid: callback link.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OPERATION_ERROR,
        name: "MQRC_OPERATION_ERROR",
        text: "The operation asked for is not known.",
        action: "Correct the operation.",
    },
    Row {
        reason: Reason::BMHO_ERROR,
        name: "MQRC_BMHO_ERROR",
        text: "Not valid: BMHO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::UNSUPPORTED_PROPERTY,
        name: "MQRC_UNSUPPORTED_PROPERTY",
        text: "The queue manager reports: unsupported property.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MSG_LENGTH_ERROR,
        name: "MQRC_MSG_LENGTH_ERROR",
        text: "Not valid: message length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PROP_NAME_NOT_CONVERTED,
        name: "MQRC_PROP_NAME_NOT_CONVERTED",
        text: "The queue manager reports: property name not converted.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::GET_ENABLED,
        name: "MQRC_GET_ENABLED",
        text: "Gets from a queue were switched on again.",
        action: "For information.",
    },
    Row {
        reason: Reason::MODULE_NOT_FOUND,
        name: "MQRC_MODULE_NOT_FOUND",
        text: "The queue manager reports: module not found.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MODULE_INVALID,
        name: "MQRC_MODULE_INVALID",
        text: "The queue manager reports: module invalid.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MODULE_ENTRY_NOT_FOUND,
        name: "MQRC_MODULE_ENTRY_NOT_FOUND",
        text: "The queue manager reports: module entry not found.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MIXED_CONTENT_NOT_ALLOWED,
        name: "MQRC_MIXED_CONTENT_NOT_ALLOWED",
        text: "The name would stand for a value and for a group of other properties as well.",
        action: "Choose a name that neither begins with that of another property and a dot, nor is what another begins with.",
    },
    Row {
        reason: Reason::MSG_HANDLE_IN_USE,
        name: "MQRC_MSG_HANDLE_IN_USE",
        text: "The message handle is in use by another call.",
        action: "Wait for that call to end.",
    },
    Row {
        reason: Reason::HCONN_ASYNC_ACTIVE,
        name: "MQRC_HCONN_ASYNC_ACTIVE",
        text: "Message consumers are running on this connection, which excludes this call.",
        action: "Suspend or stop them first, or call from a consumer.",
    },
    Row {
        reason: Reason::MHBO_ERROR,
        name: "MQRC_MHBO_ERROR",
        text: "Not valid: MHBO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PUBLICATION_FAILURE,
        name: "MQRC_PUBLICATION_FAILURE",
        text: "The publication reached no subscriber because one that must have it could not.",
        action: "Look at the queues of its subscribers, for instance whether one is full.",
    },
    Row {
        reason: Reason::SUB_INHIBITED,
        name: "MQRC_SUB_INHIBITED",
        text: "Subscriptions to this topic are switched off.",
        action: "Switch them on at the topic object.",
    },
    Row {
        reason: Reason::SELECTOR_ALWAYS_FALSE,
        name: "MQRC_SELECTOR_ALWAYS_FALSE",
        text: "The selection can never be true.",
        action: "Correct it.",
    },
    Row {
        reason: Reason::XEPO_ERROR,
        name: "MQRC_XEPO_ERROR",
        text: "Not valid: XEPO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DURABILITY_NOT_ALTERABLE,
        name: "MQRC_DURABILITY_NOT_ALTERABLE",
        text: "A subscription cannot change between durable and not durable.",
        action: "Create another subscription.",
    },
    Row {
        reason: Reason::TOPIC_NOT_ALTERABLE,
        name: "MQRC_TOPIC_NOT_ALTERABLE",
        text: "A subscription cannot change its topic.",
        action: "Create another subscription.",
    },
    Row {
        reason: Reason::SUBLEVEL_NOT_ALTERABLE,
        name: "MQRC_SUBLEVEL_NOT_ALTERABLE",
        text: "The queue manager reports: sublevel not alterable.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PROPERTY_NAME_LENGTH_ERR,
        name: "MQRC_PROPERTY_NAME_LENGTH_ERR",
        text: "The queue manager reports: property name length error.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DUPLICATE_GROUP_SUB,
        name: "MQRC_DUPLICATE_GROUP_SUB",
        text: "The queue manager reports: duplicate group subscription.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::GROUPING_NOT_ALTERABLE,
        name: "MQRC_GROUPING_NOT_ALTERABLE",
        text: "The queue manager reports: grouping not alterable.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SELECTOR_INVALID_FOR_TYPE,
        name: "MQRC_SELECTOR_INVALID_FOR_TYPE",
        text: "A selection string does not fit this kind of object or option.",
        action: "Remove it, or open the object for input.",
    },
    Row {
        reason: Reason::HOBJ_QUIESCED,
        name: "MQRC_HOBJ_QUIESCED",
        text: "The handle is being closed and has no messages left.",
        action: "Finish closing it.",
    },
    Row {
        reason: Reason::HOBJ_QUIESCED_NO_MSGS,
        name: "MQRC_HOBJ_QUIESCED_NO_MSGS",
        text: "The handle was closed in order; no messages read ahead are left.",
        action: "Nothing to do.",
    },
    Row {
        reason: Reason::SELECTION_STRING_ERROR,
        name: "MQRC_SELECTION_STRING_ERROR",
        text: "The selection string parameter is not valid.",
        action: "Check its pointer and length.",
    },
    Row {
        reason: Reason::RES_OBJECT_STRING_ERROR,
        name: "MQRC_RES_OBJECT_STRING_ERROR",
        text: "The room given for the resolved object string is not valid.",
        action: "Check pointer and length of that field.",
    },
    Row {
        reason: Reason::CONNECTION_SUSPENDED,
        name: "MQRC_CONNECTION_SUSPENDED",
        text: "The message consumers of this connection are suspended.",
        action: "Resume them before waiting for messages.",
    },
    Row {
        reason: Reason::INVALID_DESTINATION,
        name: "MQRC_INVALID_DESTINATION",
        text: "The queue manager reports: invalid destination.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INVALID_SUBSCRIPTION,
        name: "MQRC_INVALID_SUBSCRIPTION",
        text: "The subscription is one with which definitions begin, and programs cannot use it.",
        action: "Create one of another name.",
    },
    Row {
        reason: Reason::SELECTOR_NOT_ALTERABLE,
        name: "MQRC_SELECTOR_NOT_ALTERABLE",
        text: "A subscription cannot change its selection.",
        action: "Create another subscription.",
    },
    Row {
        reason: Reason::RETAINED_MSG_Q_ERROR,
        name: "MQRC_RETAINED_MSG_Q_ERROR",
        text: "Not valid: retained message queue.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RETAINED_NOT_DELIVERED,
        name: "MQRC_RETAINED_NOT_DELIVERED",
        text: "A retained publication could not be delivered to a new subscription.",
        action: "Look at the subscription's queue, for instance whether it is full.",
    },
    Row {
        reason: Reason::RFH_RESTRICTED_FORMAT_ERR,
        name: "MQRC_RFH_RESTRICTED_FORMAT_ERR",
        text: "The queue manager reports: RFH restricted format error.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONNECTION_STOPPED,
        name: "MQRC_CONNECTION_STOPPED",
        text: "The message consumers of this connection are stopped.",
        action: "Start them before waiting for messages.",
    },
    Row {
        reason: Reason::ASYNC_UOW_CONFLICT,
        name: "MQRC_ASYNC_UOW_CONFLICT",
        text: "Message consumers use the unit of work on this connection.",
        action: "Suspend or stop them first.",
    },
    Row {
        reason: Reason::ASYNC_XA_CONFLICT,
        name: "MQRC_ASYNC_XA_CONFLICT",
        text: "The queue manager reports: async XA conflict.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PUBSUB_INHIBITED,
        name: "MQRC_PUBSUB_INHIBITED",
        text: "Publish/subscribe is switched off in the queue manager.",
        action: "Switch it on, or use queues.",
    },
    Row {
        reason: Reason::MSG_HANDLE_COPY_FAILURE,
        name: "MQRC_MSG_HANDLE_COPY_FAILURE",
        text: "The queue manager reports: message handle copy failure.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DEST_CLASS_NOT_ALTERABLE,
        name: "MQRC_DEST_CLASS_NOT_ALTERABLE",
        text: "The queue manager reports: destination class not alterable.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OPERATION_NOT_ALLOWED,
        name: "MQRC_OPERATION_NOT_ALLOWED",
        text: "The call does not fit the state of the connection or handle.",
        action: "Check the order of calls.",
    },
    Row {
        reason: Reason::ACTION_ERROR,
        name: "MQRC_ACTION_ERROR",
        text: "The action in the put options is not known.",
        action: "Use new, forward, reply or report.",
    },
    Row {
        reason: Reason::CHANNEL_NOT_AVAILABLE,
        name: "MQRC_CHANNEL_NOT_AVAILABLE",
        text: "The channel exists but cannot be used now: it is stopped or at its limit.",
        action: "Look at the channel's status and start it, or wait.",
    },
    Row {
        reason: Reason::HOST_NOT_AVAILABLE,
        name: "MQRC_HOST_NOT_AVAILABLE",
        text: "Nothing answers at the address of the queue manager.",
        action: "Check that the queue manager's listener runs and that host and port are right.",
    },
    Row {
        reason: Reason::CHANNEL_CONFIG_ERROR,
        name: "MQRC_CHANNEL_CONFIG_ERROR",
        text: "The definition of the channel cannot be used: that of the client (its channel table, MQSERVER, its file of settings, or MQCD), or the two ends disagree.",
        action: "A C program writes the file or variable at fault, the channel and the next step to the log that FERRY_CLIENT_LOG names. If that says nothing, read the queue manager's error log and compare the attributes of both ends.",
    },
    Row {
        reason: Reason::UNKNOWN_CHANNEL_NAME,
        name: "MQRC_UNKNOWN_CHANNEL_NAME",
        text: "The queue manager has no channel of this name.",
        action: "Check the channel name, upper and lower case included.",
    },
    Row {
        reason: Reason::LOOPING_PUBLICATION,
        name: "MQRC_LOOPING_PUBLICATION",
        text: "The queue manager reports: looping publication.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ALREADY_JOINED,
        name: "MQRC_ALREADY_JOINED",
        text: "The queue manager reports: already joined.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::STANDBY_Q_MGR,
        name: "MQRC_STANDBY_Q_MGR",
        text: "This is a standby instance, which takes no connections.",
        action: "Connect to the active instance.",
    },
    Row {
        reason: Reason::RECONNECTING,
        name: "MQRC_RECONNECTING",
        text: "The client is connecting again; calls wait meanwhile.",
        action: "Wait, or disconnect to give up.",
    },
    Row {
        reason: Reason::RECONNECTED,
        name: "MQRC_RECONNECTED",
        text: "The client is connected again, its objects are open again, and an open unit of work was backed out.",
        action: "Repeat the unit of work.",
    },
    Row {
        reason: Reason::RECONNECT_QMID_MISMATCH,
        name: "MQRC_RECONNECT_QMID_MISMATCH",
        text: "The client reached a queue manager other than the one it must return to.",
        action: "Check the addresses: the same name does not make it the same queue manager.",
    },
    Row {
        reason: Reason::RECONNECT_INCOMPATIBLE,
        name: "MQRC_RECONNECT_INCOMPATIBLE",
        text: "The program uses something that cannot be set up again after a break.",
        action: "Remove the option named in the error, or switch reconnection off.",
    },
    Row {
        reason: Reason::RECONNECT_FAILED,
        name: "MQRC_RECONNECT_FAILED",
        text: "The client could not connect again in time.",
        action: "Connect anew; see the client's error for the last attempt.",
    },
    Row {
        reason: Reason::CALL_INTERRUPTED,
        name: "MQRC_CALL_INTERRUPTED",
        text: "The connection broke during the call and was made again; whether the call took effect is not known.",
        action: "Find out, for instance by the message identifier, before repeating it; the unit of work was backed out unless this was its commit.",
    },
    Row {
        reason: Reason::NO_SUBS_MATCHED,
        name: "MQRC_NO_SUBS_MATCHED",
        text: "The publication reached no subscription.",
        action: "For information; check the topic string if a subscriber was expected.",
    },
    Row {
        reason: Reason::SELECTION_NOT_AVAILABLE,
        name: "MQRC_SELECTION_NOT_AVAILABLE",
        text: "Selection on the content of messages is not offered.",
        action: "Select on properties instead.",
    },
    Row {
        reason: Reason::CHANNEL_SSL_WARNING,
        name: "MQRC_CHANNEL_SSL_WARNING",
        text: "The queue manager reports: channel SSL warning.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OCSP_URL_ERROR,
        name: "MQRC_OCSP_URL_ERROR",
        text: "Not valid: OCSP URL.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONTENT_ERROR,
        name: "MQRC_CONTENT_ERROR",
        text: "Not valid: content.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::RECONNECT_Q_MGR_REQD,
        name: "MQRC_RECONNECT_Q_MGR_REQD",
        text: "The call needs reconnection to the same queue manager.",
        action: "Ask for reconnection to the same queue manager only.",
    },
    Row {
        reason: Reason::RECONNECT_TIMED_OUT,
        name: "MQRC_RECONNECT_TIMED_OUT",
        text: "The client gave up connecting again when its time was over.",
        action: "Connect anew, or allow more time.",
    },
    Row {
        reason: Reason::PUBLISH_EXIT_ERROR,
        name: "MQRC_PUBLISH_EXIT_ERROR",
        text: "Not valid: publish exit.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::COMMINFO_ERROR,
        name: "MQRC_COMMINFO_ERROR",
        text: "Not valid: comminfo.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DEF_SYNCPOINT_INHIBITED,
        name: "MQRC_DEF_SYNCPOINT_INHIBITED",
        text: "The call must say whether it is part of a unit of work.",
        action: "Add SYNCPOINT or NO_SYNCPOINT to the options.",
    },
    Row {
        reason: Reason::MULTICAST_ONLY,
        name: "MQRC_MULTICAST_ONLY",
        text: "The queue manager reports: multicast only.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DATA_SET_NOT_AVAILABLE,
        name: "MQRC_DATA_SET_NOT_AVAILABLE",
        text: "The queue manager reports: data set not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::GROUPING_NOT_ALLOWED,
        name: "MQRC_GROUPING_NOT_ALLOWED",
        text: "The queue manager reports: grouping not allowed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::GROUP_ADDRESS_ERROR,
        name: "MQRC_GROUP_ADDRESS_ERROR",
        text: "Not valid: group address.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MULTICAST_CONFIG_ERROR,
        name: "MQRC_MULTICAST_CONFIG_ERROR",
        text: "Not valid: multicast config.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MULTICAST_INTERFACE_ERROR,
        name: "MQRC_MULTICAST_INTERFACE_ERROR",
        text: "Not valid: multicast interface.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MULTICAST_SEND_ERROR,
        name: "MQRC_MULTICAST_SEND_ERROR",
        text: "Not valid: multicast send.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MULTICAST_INTERNAL_ERROR,
        name: "MQRC_MULTICAST_INTERNAL_ERROR",
        text: "Not valid: multicast internal.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONNECTION_NOT_AVAILABLE,
        name: "MQRC_CONNECTION_NOT_AVAILABLE",
        text: "No further connection or conversation can be made at this moment.",
        action: "Wait for others to end, or raise the limit on connections.",
    },
    Row {
        reason: Reason::SYNCPOINT_NOT_ALLOWED,
        name: "MQRC_SYNCPOINT_NOT_ALLOWED",
        text: "Syncpoint may not be used here.",
        action: "Call outside syncpoint.",
    },
    Row {
        reason: Reason::SSL_ALT_PROVIDER_REQUIRED,
        name: "MQRC_SSL_ALT_PROVIDER_REQUIRED",
        text: "The queue manager reports: SSL alternative provider required.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MCAST_PUB_STATUS,
        name: "MQRC_MCAST_PUB_STATUS",
        text: "The queue manager reports: multicast publication status.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::MCAST_SUB_STATUS,
        name: "MQRC_MCAST_SUB_STATUS",
        text: "The queue manager reports: multicast subscription status.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PRECONN_EXIT_LOAD_ERROR,
        name: "MQRC_PRECONN_EXIT_LOAD_ERROR",
        text: "Not valid: pre-connect exit load.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PRECONN_EXIT_NOT_FOUND,
        name: "MQRC_PRECONN_EXIT_NOT_FOUND",
        text: "The queue manager reports: pre-connect exit not found.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PRECONN_EXIT_ERROR,
        name: "MQRC_PRECONN_EXIT_ERROR",
        text: "Not valid: pre-connect exit.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CD_ARRAY_ERROR,
        name: "MQRC_CD_ARRAY_ERROR",
        text: "Not valid: CD array.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CHANNEL_BLOCKED,
        name: "MQRC_CHANNEL_BLOCKED",
        text: "A channel authentication rule refuses this connection.",
        action: "Ask an administrator which rule applies to this address, user and channel.",
    },
    Row {
        reason: Reason::CHANNEL_BLOCKED_WARNING,
        name: "MQRC_CHANNEL_BLOCKED_WARNING",
        text: "The queue manager reports: channel blocked warning.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUBSCRIPTION_CREATE,
        name: "MQRC_SUBSCRIPTION_CREATE",
        text: "The queue manager reports: subscription create.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUBSCRIPTION_DELETE,
        name: "MQRC_SUBSCRIPTION_DELETE",
        text: "The queue manager reports: subscription delete.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUBSCRIPTION_CHANGE,
        name: "MQRC_SUBSCRIPTION_CHANGE",
        text: "The queue manager reports: subscription change.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUBSCRIPTION_REFRESH,
        name: "MQRC_SUBSCRIPTION_REFRESH",
        text: "The queue manager reports: subscription refresh.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INSTALLATION_MISMATCH,
        name: "MQRC_INSTALLATION_MISMATCH",
        text: "The queue manager reports: installation mismatch.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NOT_PRIVILEGED,
        name: "MQRC_NOT_PRIVILEGED",
        text: "This needs the authority of an administrator.",
        action: "Ask an administrator.",
    },
    Row {
        reason: Reason::PROPERTIES_DISABLED,
        name: "MQRC_PROPERTIES_DISABLED",
        text: "The queue manager reports: properties disabled.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::HMSG_NOT_AVAILABLE,
        name: "MQRC_HMSG_NOT_AVAILABLE",
        text: "The queue manager reports: HMSG not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::EXIT_PROPS_NOT_SUPPORTED,
        name: "MQRC_EXIT_PROPS_NOT_SUPPORTED",
        text: "The queue manager reports: exit properties not supported.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INSTALLATION_MISSING,
        name: "MQRC_INSTALLATION_MISSING",
        text: "The queue manager reports: installation missing.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::FASTPATH_NOT_AVAILABLE,
        name: "MQRC_FASTPATH_NOT_AVAILABLE",
        text: "The queue manager cannot be opened inside this program.",
        action: "Use another binding, or end the process that has the data directory.",
    },
    Row {
        reason: Reason::CIPHER_SPEC_NOT_SUITE_B,
        name: "MQRC_CIPHER_SPEC_NOT_SUITE_B",
        text: "The queue manager reports: cipher spec not suite b.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUITE_B_ERROR,
        name: "MQRC_SUITE_B_ERROR",
        text: "Not valid: suite b.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CERT_VAL_POLICY_ERROR,
        name: "MQRC_CERT_VAL_POLICY_ERROR",
        text: "Not valid: certificate validation policy.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::PASSWORD_PROTECTION_ERROR,
        name: "MQRC_PASSWORD_PROTECTION_ERROR",
        text: "The password would go to another machine on a connection that is not encrypted.",
        action: "Connect by TLS, to an address of this machine, or without a password.",
    },
    Row {
        reason: Reason::CSP_ERROR,
        name: "MQRC_CSP_ERROR",
        text: "The user and password structure is not valid.",
        action: "Start from the default values of the structure and state the version used.",
    },
    Row {
        reason: Reason::CERT_LABEL_NOT_ALLOWED,
        name: "MQRC_CERT_LABEL_NOT_ALLOWED",
        text: "The queue manager reports: certificate label not allowed.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ADMIN_TOPIC_STRING_ERROR,
        name: "MQRC_ADMIN_TOPIC_STRING_ERROR",
        text: "Only the queue manager publishes below $SYS/MQ/.",
        action: "Publish to another topic.",
    },
    Row {
        reason: Reason::AMQP_NOT_AVAILABLE,
        name: "MQRC_AMQP_NOT_AVAILABLE",
        text: "The queue manager reports: AMQP not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CCDT_URL_ERROR,
        name: "MQRC_CCDT_URL_ERROR",
        text: "Not valid: CCDT URL.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::Q_MGR_RECONNECT_REQUESTED,
        name: "MQRC_Q_MGR_RECONNECT_REQUESTED",
        text: "The queue manager reports: queue manager reconnect requested.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::BNO_ERROR,
        name: "MQRC_BNO_ERROR",
        text: "Not valid: BNO.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::OUTBOUND_SNI_NOT_VALID,
        name: "MQRC_OUTBOUND_SNI_NOT_VALID",
        text: "The queue manager reports: outbound SNI not valid.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::HTTPS_KEYSTORE_ERROR,
        name: "MQRC_HTTPS_KEYSTORE_ERROR",
        text: "Not valid: HTTPS keystore.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::REOPEN_EXCL_INPUT_ERROR,
        name: "MQRC_REOPEN_EXCL_INPUT_ERROR",
        text: "Not valid: reopen exclusive input.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::REOPEN_INQUIRE_ERROR,
        name: "MQRC_REOPEN_INQUIRE_ERROR",
        text: "Not valid: reopen inquire.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::REOPEN_SAVED_CONTEXT_ERR,
        name: "MQRC_REOPEN_SAVED_CONTEXT_ERR",
        text: "The queue manager reports: reopen saved context error.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::REOPEN_TEMPORARY_Q_ERROR,
        name: "MQRC_REOPEN_TEMPORARY_Q_ERROR",
        text: "Not valid: reopen temporary queue.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ATTRIBUTE_LOCKED,
        name: "MQRC_ATTRIBUTE_LOCKED",
        text: "The attribute cannot be changed while it is in use.",
        action: "Close what uses it first.",
    },
    Row {
        reason: Reason::CURSOR_NOT_VALID,
        name: "MQRC_CURSOR_NOT_VALID",
        text: "The queue manager reports: cursor not valid.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ENCODING_ERROR,
        name: "MQRC_ENCODING_ERROR",
        text: "Not valid: encoding.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::STRUC_ID_ERROR,
        name: "MQRC_STRUC_ID_ERROR",
        text: "Not valid: structure identifier.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NULL_POINTER,
        name: "MQRC_NULL_POINTER",
        text: "The queue manager reports: null pointer.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NO_CONNECTION_REFERENCE,
        name: "MQRC_NO_CONNECTION_REFERENCE",
        text: "The queue manager reports: no connection reference.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NO_BUFFER,
        name: "MQRC_NO_BUFFER",
        text: "The queue manager reports: no buffer.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::BINARY_DATA_LENGTH_ERROR,
        name: "MQRC_BINARY_DATA_LENGTH_ERROR",
        text: "Not valid: binary data length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::BUFFER_NOT_AUTOMATIC,
        name: "MQRC_BUFFER_NOT_AUTOMATIC",
        text: "The queue manager reports: buffer not automatic.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INSUFFICIENT_BUFFER,
        name: "MQRC_INSUFFICIENT_BUFFER",
        text: "The queue manager reports: insufficient buffer.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INSUFFICIENT_DATA,
        name: "MQRC_INSUFFICIENT_DATA",
        text: "The queue manager reports: insufficient data.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DATA_TRUNCATED,
        name: "MQRC_DATA_TRUNCATED",
        text: "The queue manager reports: data truncated.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::ZERO_LENGTH,
        name: "MQRC_ZERO_LENGTH",
        text: "The queue manager reports: zero length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NEGATIVE_LENGTH,
        name: "MQRC_NEGATIVE_LENGTH",
        text: "The queue manager reports: negative length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NEGATIVE_OFFSET,
        name: "MQRC_NEGATIVE_OFFSET",
        text: "The queue manager reports: negative offset.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INCONSISTENT_FORMAT,
        name: "MQRC_INCONSISTENT_FORMAT",
        text: "The queue manager reports: inconsistent format.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INCONSISTENT_OBJECT_STATE,
        name: "MQRC_INCONSISTENT_OBJECT_STATE",
        text: "The queue manager reports: inconsistent object state.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONTEXT_OBJECT_NOT_VALID,
        name: "MQRC_CONTEXT_OBJECT_NOT_VALID",
        text: "The queue manager reports: context object not valid.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::CONTEXT_OPEN_ERROR,
        name: "MQRC_CONTEXT_OPEN_ERROR",
        text: "Not valid: context open.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::STRUC_LENGTH_ERROR,
        name: "MQRC_STRUC_LENGTH_ERROR",
        text: "Not valid: structure length.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NOT_CONNECTED,
        name: "MQRC_NOT_CONNECTED",
        text: "The queue manager reports: not connected.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::NOT_OPEN,
        name: "MQRC_NOT_OPEN",
        text: "The queue manager reports: not open.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::DISTRIBUTION_LIST_EMPTY,
        name: "MQRC_DISTRIBUTION_LIST_EMPTY",
        text: "The queue manager reports: distribution list empty.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::INCONSISTENT_OPEN_OPTIONS,
        name: "MQRC_INCONSISTENT_OPEN_OPTIONS",
        text: "The queue manager reports: inconsistent open options.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::WRONG_VERSION,
        name: "MQRC_WRONG_VERSION",
        text: "The queue manager reports: wrong version.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::REFERENCE_ERROR,
        name: "MQRC_REFERENCE_ERROR",
        text: "Not valid: reference.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::XR_NOT_AVAILABLE,
        name: "MQRC_XR_NOT_AVAILABLE",
        text: "The queue manager reports: XR not available.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
    Row {
        reason: Reason::SUB_JOIN_NOT_ALTERABLE,
        name: "MQRC_SUB_JOIN_NOT_ALTERABLE",
        text: "The queue manager reports: subscription join not alterable.",
        action: "Look at the call that gave this code and at the error log of the queue manager.",
    },
];

/// Every distinct reason, ascending.
pub(super) const DISTINCT: &[Reason] = &[
    Reason::NONE,
    Reason::APPL_FIRST,
    Reason::APPL_LAST,
    Reason::ALIAS_BASE_Q_TYPE_ERROR,
    Reason::ALREADY_CONNECTED,
    Reason::BACKED_OUT,
    Reason::BUFFER_ERROR,
    Reason::BUFFER_LENGTH_ERROR,
    Reason::CHAR_ATTR_LENGTH_ERROR,
    Reason::CHAR_ATTRS_ERROR,
    Reason::CHAR_ATTRS_TOO_SHORT,
    Reason::CONNECTION_BROKEN,
    Reason::DATA_LENGTH_ERROR,
    Reason::DYNAMIC_Q_NAME_ERROR,
    Reason::ENVIRONMENT_ERROR,
    Reason::EXPIRY_ERROR,
    Reason::FEEDBACK_ERROR,
    Reason::GET_INHIBITED,
    Reason::HANDLE_NOT_AVAILABLE,
    Reason::HCONN_ERROR,
    Reason::HOBJ_ERROR,
    Reason::INHIBIT_VALUE_ERROR,
    Reason::INT_ATTR_COUNT_ERROR,
    Reason::INT_ATTR_COUNT_TOO_SMALL,
    Reason::INT_ATTRS_ARRAY_ERROR,
    Reason::SYNCPOINT_LIMIT_REACHED,
    Reason::MAX_CONNS_LIMIT_REACHED,
    Reason::MD_ERROR,
    Reason::MISSING_REPLY_TO_Q,
    Reason::MSG_TYPE_ERROR,
    Reason::MSG_TOO_BIG_FOR_Q,
    Reason::MSG_TOO_BIG_FOR_Q_MGR,
    Reason::NO_MSG_AVAILABLE,
    Reason::NO_MSG_UNDER_CURSOR,
    Reason::NOT_AUTHORIZED,
    Reason::NOT_OPEN_FOR_BROWSE,
    Reason::NOT_OPEN_FOR_INPUT,
    Reason::NOT_OPEN_FOR_INQUIRE,
    Reason::NOT_OPEN_FOR_OUTPUT,
    Reason::NOT_OPEN_FOR_SET,
    Reason::OBJECT_CHANGED,
    Reason::OBJECT_IN_USE,
    Reason::OBJECT_TYPE_ERROR,
    Reason::OD_ERROR,
    Reason::OPTION_NOT_VALID_FOR_TYPE,
    Reason::OPTIONS_ERROR,
    Reason::PERSISTENCE_ERROR,
    Reason::PERSISTENT_NOT_ALLOWED,
    Reason::PRIORITY_EXCEEDS_MAXIMUM,
    Reason::PRIORITY_ERROR,
    Reason::PUT_INHIBITED,
    Reason::Q_DELETED,
    Reason::Q_FULL,
    Reason::Q_NOT_EMPTY,
    Reason::Q_SPACE_NOT_AVAILABLE,
    Reason::Q_TYPE_ERROR,
    Reason::Q_MGR_NAME_ERROR,
    Reason::Q_MGR_NOT_AVAILABLE,
    Reason::REPORT_OPTIONS_ERROR,
    Reason::SECOND_MARK_NOT_ALLOWED,
    Reason::SECURITY_ERROR,
    Reason::TOKEN_TIMESTAMP_NOT_VALID,
    Reason::SELECTOR_COUNT_ERROR,
    Reason::SELECTOR_LIMIT_EXCEEDED,
    Reason::SELECTOR_ERROR,
    Reason::SELECTOR_NOT_FOR_TYPE,
    Reason::SIGNAL_OUTSTANDING,
    Reason::SIGNAL_REQUEST_ACCEPTED,
    Reason::STORAGE_NOT_AVAILABLE,
    Reason::SYNCPOINT_NOT_AVAILABLE,
    Reason::TRIGGER_CONTROL_ERROR,
    Reason::TRIGGER_DEPTH_ERROR,
    Reason::TRIGGER_MSG_PRIORITY_ERR,
    Reason::TRIGGER_TYPE_ERROR,
    Reason::TRUNCATED_MSG_ACCEPTED,
    Reason::TRUNCATED_MSG_FAILED,
    Reason::UNKNOWN_ALIAS_BASE_Q,
    Reason::UNKNOWN_OBJECT_NAME,
    Reason::UNKNOWN_OBJECT_Q_MGR,
    Reason::UNKNOWN_REMOTE_Q_MGR,
    Reason::WAIT_INTERVAL_ERROR,
    Reason::XMIT_Q_TYPE_ERROR,
    Reason::XMIT_Q_USAGE_ERROR,
    Reason::NOT_OPEN_FOR_PASS_ALL,
    Reason::NOT_OPEN_FOR_PASS_IDENT,
    Reason::NOT_OPEN_FOR_SET_ALL,
    Reason::NOT_OPEN_FOR_SET_IDENT,
    Reason::CONTEXT_HANDLE_ERROR,
    Reason::CONTEXT_NOT_AVAILABLE,
    Reason::SIGNAL1_ERROR,
    Reason::OBJECT_ALREADY_EXISTS,
    Reason::OBJECT_DAMAGED,
    Reason::RESOURCE_PROBLEM,
    Reason::ANOTHER_Q_MGR_CONNECTED,
    Reason::UNKNOWN_REPORT_OPTION,
    Reason::STORAGE_CLASS_ERROR,
    Reason::COD_NOT_VALID_FOR_XCF_Q,
    Reason::XWAIT_CANCELED,
    Reason::XWAIT_ERROR,
    Reason::SUPPRESSED_BY_EXIT,
    Reason::FORMAT_ERROR,
    Reason::SOURCE_CCSID_ERROR,
    Reason::SOURCE_INTEGER_ENC_ERROR,
    Reason::SOURCE_DECIMAL_ENC_ERROR,
    Reason::SOURCE_FLOAT_ENC_ERROR,
    Reason::TARGET_CCSID_ERROR,
    Reason::TARGET_INTEGER_ENC_ERROR,
    Reason::TARGET_DECIMAL_ENC_ERROR,
    Reason::TARGET_FLOAT_ENC_ERROR,
    Reason::NOT_CONVERTED,
    Reason::CONVERTED_MSG_TOO_BIG,
    Reason::NO_EXTERNAL_PARTICIPANTS,
    Reason::PARTICIPANT_NOT_AVAILABLE,
    Reason::OUTCOME_MIXED,
    Reason::OUTCOME_PENDING,
    Reason::BRIDGE_STARTED,
    Reason::BRIDGE_STOPPED,
    Reason::ADAPTER_STORAGE_SHORTAGE,
    Reason::UOW_IN_PROGRESS,
    Reason::ADAPTER_CONN_LOAD_ERROR,
    Reason::ADAPTER_SERV_LOAD_ERROR,
    Reason::ADAPTER_DEFS_ERROR,
    Reason::ADAPTER_DEFS_LOAD_ERROR,
    Reason::ADAPTER_CONV_LOAD_ERROR,
    Reason::BO_ERROR,
    Reason::DH_ERROR,
    Reason::MULTIPLE_REASONS,
    Reason::OPEN_FAILED,
    Reason::ADAPTER_DISC_LOAD_ERROR,
    Reason::CNO_ERROR,
    Reason::CICS_WAIT_FAILED,
    Reason::DLH_ERROR,
    Reason::HEADER_ERROR,
    Reason::SOURCE_LENGTH_ERROR,
    Reason::TARGET_LENGTH_ERROR,
    Reason::SOURCE_BUFFER_ERROR,
    Reason::TARGET_BUFFER_ERROR,
    Reason::INCOMPLETE_TRANSACTION,
    Reason::IIH_ERROR,
    Reason::PCF_ERROR,
    Reason::DBCS_ERROR,
    Reason::OBJECT_NAME_ERROR,
    Reason::OBJECT_Q_MGR_NAME_ERROR,
    Reason::RECS_PRESENT_ERROR,
    Reason::OBJECT_RECORDS_ERROR,
    Reason::RESPONSE_RECORDS_ERROR,
    Reason::ASID_MISMATCH,
    Reason::PMO_RECORD_FLAGS_ERROR,
    Reason::PUT_MSG_RECORDS_ERROR,
    Reason::CONN_ID_IN_USE,
    Reason::Q_MGR_QUIESCING,
    Reason::Q_MGR_STOPPING,
    Reason::DUPLICATE_RECOV_COORD,
    Reason::PMO_ERROR,
    Reason::API_EXIT_NOT_FOUND,
    Reason::API_EXIT_LOAD_ERROR,
    Reason::REMOTE_Q_NAME_ERROR,
    Reason::INCONSISTENT_PERSISTENCE,
    Reason::GMO_ERROR,
    Reason::CICS_BRIDGE_RESTRICTION,
    Reason::STOPPED_BY_CLUSTER_EXIT,
    Reason::CLUSTER_RESOLUTION_ERROR,
    Reason::CONVERTED_STRING_TOO_BIG,
    Reason::TMC_ERROR,
    Reason::STORAGE_MEDIUM_FULL,
    Reason::PAGESET_ERROR,
    Reason::NAME_NOT_VALID_FOR_TYPE,
    Reason::UNEXPECTED_ERROR,
    Reason::UNKNOWN_XMIT_Q,
    Reason::UNKNOWN_DEF_XMIT_Q,
    Reason::DEF_XMIT_Q_TYPE_ERROR,
    Reason::DEF_XMIT_Q_USAGE_ERROR,
    Reason::MSG_MARKED_BROWSE_CO_OP,
    Reason::NAME_IN_USE,
    Reason::CONNECTION_QUIESCING,
    Reason::CONNECTION_STOPPING,
    Reason::ADAPTER_NOT_AVAILABLE,
    Reason::MSG_ID_ERROR,
    Reason::CORREL_ID_ERROR,
    Reason::FILE_SYSTEM_ERROR,
    Reason::NO_MSG_LOCKED,
    Reason::SOAP_DOTNET_ERROR,
    Reason::SOAP_AXIS_ERROR,
    Reason::SOAP_URL_ERROR,
    Reason::FILE_NOT_AUDITED,
    Reason::CONNECTION_NOT_AUTHORIZED,
    Reason::MSG_TOO_BIG_FOR_CHANNEL,
    Reason::CALL_IN_PROGRESS,
    Reason::RMH_ERROR,
    Reason::Q_MGR_ACTIVE,
    Reason::Q_MGR_NOT_ACTIVE,
    Reason::Q_DEPTH_HIGH,
    Reason::Q_DEPTH_LOW,
    Reason::Q_SERVICE_INTERVAL_HIGH,
    Reason::Q_SERVICE_INTERVAL_OK,
    Reason::RFH_HEADER_FIELD_ERROR,
    Reason::RAS_PROPERTY_ERROR,
    Reason::UNIT_OF_WORK_NOT_STARTED,
    Reason::CHANNEL_AUTO_DEF_OK,
    Reason::CHANNEL_AUTO_DEF_ERROR,
    Reason::CFH_ERROR,
    Reason::CFIL_ERROR,
    Reason::CFIN_ERROR,
    Reason::CFSL_ERROR,
    Reason::CFST_ERROR,
    Reason::INCOMPLETE_GROUP,
    Reason::INCOMPLETE_MSG,
    Reason::INCONSISTENT_CCSIDS,
    Reason::INCONSISTENT_ENCODINGS,
    Reason::INCONSISTENT_UOW,
    Reason::INVALID_MSG_UNDER_CURSOR,
    Reason::MATCH_OPTIONS_ERROR,
    Reason::MDE_ERROR,
    Reason::MSG_FLAGS_ERROR,
    Reason::MSG_SEQ_NUMBER_ERROR,
    Reason::OFFSET_ERROR,
    Reason::ORIGINAL_LENGTH_ERROR,
    Reason::SEGMENT_LENGTH_ZERO,
    Reason::UOW_NOT_AVAILABLE,
    Reason::WRONG_GMO_VERSION,
    Reason::WRONG_MD_VERSION,
    Reason::GROUP_ID_ERROR,
    Reason::INCONSISTENT_BROWSE,
    Reason::XQH_ERROR,
    Reason::SRC_ENV_ERROR,
    Reason::SRC_NAME_ERROR,
    Reason::DEST_ENV_ERROR,
    Reason::DEST_NAME_ERROR,
    Reason::TM_ERROR,
    Reason::CLUSTER_EXIT_ERROR,
    Reason::CLUSTER_EXIT_LOAD_ERROR,
    Reason::CLUSTER_PUT_INHIBITED,
    Reason::CLUSTER_RESOURCE_ERROR,
    Reason::NO_DESTINATIONS_AVAILABLE,
    Reason::CONN_TAG_IN_USE,
    Reason::PARTIALLY_CONVERTED,
    Reason::CONNECTION_ERROR,
    Reason::OPTION_ENVIRONMENT_ERROR,
    Reason::CD_ERROR,
    Reason::CLIENT_CONN_ERROR,
    Reason::CHANNEL_STOPPED_BY_USER,
    Reason::HCONFIG_ERROR,
    Reason::FUNCTION_ERROR,
    Reason::CHANNEL_STARTED,
    Reason::CHANNEL_STOPPED,
    Reason::CHANNEL_CONV_ERROR,
    Reason::SERVICE_NOT_AVAILABLE,
    Reason::INITIALIZATION_FAILED,
    Reason::TERMINATION_FAILED,
    Reason::UNKNOWN_Q_NAME,
    Reason::SERVICE_ERROR,
    Reason::Q_ALREADY_EXISTS,
    Reason::USER_ID_NOT_AVAILABLE,
    Reason::UNKNOWN_ENTITY,
    Reason::UNKNOWN_AUTH_ENTITY,
    Reason::UNKNOWN_REF_OBJECT,
    Reason::CHANNEL_ACTIVATED,
    Reason::CHANNEL_NOT_ACTIVATED,
    Reason::UOW_CANCELED,
    Reason::FUNCTION_NOT_SUPPORTED,
    Reason::SELECTOR_TYPE_ERROR,
    Reason::COMMAND_TYPE_ERROR,
    Reason::MULTIPLE_INSTANCE_ERROR,
    Reason::SYSTEM_ITEM_NOT_ALTERABLE,
    Reason::BAG_CONVERSION_ERROR,
    Reason::SELECTOR_OUT_OF_RANGE,
    Reason::SELECTOR_NOT_UNIQUE,
    Reason::INDEX_NOT_PRESENT,
    Reason::STRING_ERROR,
    Reason::ENCODING_NOT_SUPPORTED,
    Reason::SELECTOR_NOT_PRESENT,
    Reason::OUT_SELECTOR_ERROR,
    Reason::STRING_TRUNCATED,
    Reason::SELECTOR_WRONG_TYPE,
    Reason::INCONSISTENT_ITEM_TYPE,
    Reason::INDEX_ERROR,
    Reason::SYSTEM_BAG_NOT_ALTERABLE,
    Reason::ITEM_COUNT_ERROR,
    Reason::FORMAT_NOT_SUPPORTED,
    Reason::SELECTOR_NOT_SUPPORTED,
    Reason::ITEM_VALUE_ERROR,
    Reason::HBAG_ERROR,
    Reason::PARAMETER_MISSING,
    Reason::CMD_SERVER_NOT_AVAILABLE,
    Reason::STRING_LENGTH_ERROR,
    Reason::INQUIRY_COMMAND_ERROR,
    Reason::NESTED_BAG_NOT_SUPPORTED,
    Reason::BAG_WRONG_TYPE,
    Reason::ITEM_TYPE_ERROR,
    Reason::SYSTEM_BAG_NOT_DELETABLE,
    Reason::SYSTEM_ITEM_NOT_DELETABLE,
    Reason::CODED_CHAR_SET_ID_ERROR,
    Reason::MSG_TOKEN_ERROR,
    Reason::MISSING_WIH,
    Reason::WIH_ERROR,
    Reason::RFH_ERROR,
    Reason::RFH_STRING_ERROR,
    Reason::RFH_COMMAND_ERROR,
    Reason::RFH_PARM_ERROR,
    Reason::RFH_DUPLICATE_PARM,
    Reason::RFH_PARM_MISSING,
    Reason::CHAR_CONVERSION_ERROR,
    Reason::UCS2_CONVERSION_ERROR,
    Reason::DB2_NOT_AVAILABLE,
    Reason::OBJECT_NOT_UNIQUE,
    Reason::CONN_TAG_NOT_RELEASED,
    Reason::CF_NOT_AVAILABLE,
    Reason::CF_STRUC_IN_USE,
    Reason::CF_STRUC_LIST_HDR_IN_USE,
    Reason::CF_STRUC_AUTH_FAILED,
    Reason::CF_STRUC_ERROR,
    Reason::CONN_TAG_NOT_USABLE,
    Reason::GLOBAL_UOW_CONFLICT,
    Reason::LOCAL_UOW_CONFLICT,
    Reason::HANDLE_IN_USE_FOR_UOW,
    Reason::UOW_ENLISTMENT_ERROR,
    Reason::UOW_MIX_NOT_SUPPORTED,
    Reason::WXP_ERROR,
    Reason::CURRENT_RECORD_ERROR,
    Reason::NEXT_OFFSET_ERROR,
    Reason::NO_RECORD_AVAILABLE,
    Reason::OBJECT_LEVEL_INCOMPATIBLE,
    Reason::NEXT_RECORD_ERROR,
    Reason::BACKOUT_THRESHOLD_REACHED,
    Reason::MSG_NOT_MATCHED,
    Reason::JMS_FORMAT_ERROR,
    Reason::SEGMENTS_NOT_SUPPORTED,
    Reason::WRONG_CF_LEVEL,
    Reason::CONFIG_CREATE_OBJECT,
    Reason::CONFIG_CHANGE_OBJECT,
    Reason::CONFIG_DELETE_OBJECT,
    Reason::CONFIG_REFRESH_OBJECT,
    Reason::CHANNEL_SSL_ERROR,
    Reason::PARTICIPANT_NOT_DEFINED,
    Reason::CF_STRUC_FAILED,
    Reason::API_EXIT_ERROR,
    Reason::API_EXIT_INIT_ERROR,
    Reason::API_EXIT_TERM_ERROR,
    Reason::EXIT_REASON_ERROR,
    Reason::RESERVED_VALUE_ERROR,
    Reason::NO_DATA_AVAILABLE,
    Reason::SCO_ERROR,
    Reason::KEY_REPOSITORY_ERROR,
    Reason::CRYPTO_HARDWARE_ERROR,
    Reason::AUTH_INFO_REC_COUNT_ERROR,
    Reason::AUTH_INFO_REC_ERROR,
    Reason::AIR_ERROR,
    Reason::AUTH_INFO_TYPE_ERROR,
    Reason::AUTH_INFO_CONN_NAME_ERROR,
    Reason::LDAP_USER_NAME_ERROR,
    Reason::LDAP_USER_NAME_LENGTH_ERR,
    Reason::LDAP_PASSWORD_ERROR,
    Reason::SSL_ALREADY_INITIALIZED,
    Reason::SSL_CONFIG_ERROR,
    Reason::SSL_INITIALIZATION_ERROR,
    Reason::Q_INDEX_TYPE_ERROR,
    Reason::CFBS_ERROR,
    Reason::SSL_NOT_ALLOWED,
    Reason::JSSE_ERROR,
    Reason::SSL_PEER_NAME_MISMATCH,
    Reason::SSL_PEER_NAME_ERROR,
    Reason::UNSUPPORTED_CIPHER_SUITE,
    Reason::SSL_CERTIFICATE_REVOKED,
    Reason::SSL_CERT_STORE_ERROR,
    Reason::CLIENT_EXIT_LOAD_ERROR,
    Reason::CLIENT_EXIT_ERROR,
    Reason::UOW_COMMITTED,
    Reason::SSL_KEY_RESET_ERROR,
    Reason::UNKNOWN_COMPONENT_NAME,
    Reason::LOGGER_STATUS,
    Reason::COMMAND_MQSC,
    Reason::COMMAND_PCF,
    Reason::CFIF_ERROR,
    Reason::CFSF_ERROR,
    Reason::CFGR_ERROR,
    Reason::MSG_NOT_ALLOWED_IN_GROUP,
    Reason::FILTER_OPERATOR_ERROR,
    Reason::NESTED_SELECTOR_ERROR,
    Reason::EPH_ERROR,
    Reason::RFH_FORMAT_ERROR,
    Reason::CFBF_ERROR,
    Reason::CLIENT_CHANNEL_CONFLICT,
    Reason::SD_ERROR,
    Reason::TOPIC_STRING_ERROR,
    Reason::STS_ERROR,
    Reason::NO_SUBSCRIPTION,
    Reason::SUBSCRIPTION_IN_USE,
    Reason::STAT_TYPE_ERROR,
    Reason::SUB_USER_DATA_ERROR,
    Reason::SUB_ALREADY_EXISTS,
    Reason::IDENTITY_MISMATCH,
    Reason::ALTER_SUB_ERROR,
    Reason::DURABILITY_NOT_ALLOWED,
    Reason::NO_RETAINED_MSG,
    Reason::SRO_ERROR,
    Reason::SUB_NAME_ERROR,
    Reason::OBJECT_STRING_ERROR,
    Reason::PROPERTY_NAME_ERROR,
    Reason::SEGMENTATION_NOT_ALLOWED,
    Reason::CBD_ERROR,
    Reason::CTLO_ERROR,
    Reason::NO_CALLBACKS_ACTIVE,
    Reason::CALLBACK_NOT_REGISTERED,
    Reason::OPTIONS_CHANGED,
    Reason::READ_AHEAD_MSGS,
    Reason::SELECTOR_SYNTAX_ERROR,
    Reason::HMSG_ERROR,
    Reason::CMHO_ERROR,
    Reason::DMHO_ERROR,
    Reason::SMPO_ERROR,
    Reason::IMPO_ERROR,
    Reason::PROPERTY_NAME_TOO_BIG,
    Reason::PROP_VALUE_NOT_CONVERTED,
    Reason::PROP_TYPE_NOT_SUPPORTED,
    Reason::PROPERTY_VALUE_TOO_BIG,
    Reason::PROP_CONV_NOT_SUPPORTED,
    Reason::PROPERTY_NOT_AVAILABLE,
    Reason::PROP_NUMBER_FORMAT_ERROR,
    Reason::PROPERTY_TYPE_ERROR,
    Reason::PROPERTIES_TOO_BIG,
    Reason::PUT_NOT_RETAINED,
    Reason::ALIAS_TARGTYPE_CHANGED,
    Reason::DMPO_ERROR,
    Reason::PD_ERROR,
    Reason::CALLBACK_TYPE_ERROR,
    Reason::CBD_OPTIONS_ERROR,
    Reason::MAX_MSG_LENGTH_ERROR,
    Reason::CALLBACK_ROUTINE_ERROR,
    Reason::CALLBACK_LINK_ERROR,
    Reason::OPERATION_ERROR,
    Reason::BMHO_ERROR,
    Reason::UNSUPPORTED_PROPERTY,
    Reason::MSG_LENGTH_ERROR,
    Reason::PROP_NAME_NOT_CONVERTED,
    Reason::GET_ENABLED,
    Reason::MODULE_NOT_FOUND,
    Reason::MODULE_INVALID,
    Reason::MODULE_ENTRY_NOT_FOUND,
    Reason::MIXED_CONTENT_NOT_ALLOWED,
    Reason::MSG_HANDLE_IN_USE,
    Reason::HCONN_ASYNC_ACTIVE,
    Reason::MHBO_ERROR,
    Reason::PUBLICATION_FAILURE,
    Reason::SUB_INHIBITED,
    Reason::SELECTOR_ALWAYS_FALSE,
    Reason::XEPO_ERROR,
    Reason::DURABILITY_NOT_ALTERABLE,
    Reason::TOPIC_NOT_ALTERABLE,
    Reason::SUBLEVEL_NOT_ALTERABLE,
    Reason::PROPERTY_NAME_LENGTH_ERR,
    Reason::DUPLICATE_GROUP_SUB,
    Reason::GROUPING_NOT_ALTERABLE,
    Reason::SELECTOR_INVALID_FOR_TYPE,
    Reason::HOBJ_QUIESCED,
    Reason::HOBJ_QUIESCED_NO_MSGS,
    Reason::SELECTION_STRING_ERROR,
    Reason::RES_OBJECT_STRING_ERROR,
    Reason::CONNECTION_SUSPENDED,
    Reason::INVALID_DESTINATION,
    Reason::INVALID_SUBSCRIPTION,
    Reason::SELECTOR_NOT_ALTERABLE,
    Reason::RETAINED_MSG_Q_ERROR,
    Reason::RETAINED_NOT_DELIVERED,
    Reason::RFH_RESTRICTED_FORMAT_ERR,
    Reason::CONNECTION_STOPPED,
    Reason::ASYNC_UOW_CONFLICT,
    Reason::ASYNC_XA_CONFLICT,
    Reason::PUBSUB_INHIBITED,
    Reason::MSG_HANDLE_COPY_FAILURE,
    Reason::DEST_CLASS_NOT_ALTERABLE,
    Reason::OPERATION_NOT_ALLOWED,
    Reason::ACTION_ERROR,
    Reason::CHANNEL_NOT_AVAILABLE,
    Reason::HOST_NOT_AVAILABLE,
    Reason::CHANNEL_CONFIG_ERROR,
    Reason::UNKNOWN_CHANNEL_NAME,
    Reason::LOOPING_PUBLICATION,
    Reason::ALREADY_JOINED,
    Reason::STANDBY_Q_MGR,
    Reason::RECONNECTING,
    Reason::RECONNECTED,
    Reason::RECONNECT_QMID_MISMATCH,
    Reason::RECONNECT_INCOMPATIBLE,
    Reason::RECONNECT_FAILED,
    Reason::CALL_INTERRUPTED,
    Reason::NO_SUBS_MATCHED,
    Reason::SELECTION_NOT_AVAILABLE,
    Reason::CHANNEL_SSL_WARNING,
    Reason::OCSP_URL_ERROR,
    Reason::CONTENT_ERROR,
    Reason::RECONNECT_Q_MGR_REQD,
    Reason::RECONNECT_TIMED_OUT,
    Reason::PUBLISH_EXIT_ERROR,
    Reason::COMMINFO_ERROR,
    Reason::DEF_SYNCPOINT_INHIBITED,
    Reason::MULTICAST_ONLY,
    Reason::DATA_SET_NOT_AVAILABLE,
    Reason::GROUPING_NOT_ALLOWED,
    Reason::GROUP_ADDRESS_ERROR,
    Reason::MULTICAST_CONFIG_ERROR,
    Reason::MULTICAST_INTERFACE_ERROR,
    Reason::MULTICAST_SEND_ERROR,
    Reason::MULTICAST_INTERNAL_ERROR,
    Reason::CONNECTION_NOT_AVAILABLE,
    Reason::SYNCPOINT_NOT_ALLOWED,
    Reason::SSL_ALT_PROVIDER_REQUIRED,
    Reason::MCAST_PUB_STATUS,
    Reason::MCAST_SUB_STATUS,
    Reason::PRECONN_EXIT_LOAD_ERROR,
    Reason::PRECONN_EXIT_NOT_FOUND,
    Reason::PRECONN_EXIT_ERROR,
    Reason::CD_ARRAY_ERROR,
    Reason::CHANNEL_BLOCKED,
    Reason::CHANNEL_BLOCKED_WARNING,
    Reason::SUBSCRIPTION_CREATE,
    Reason::SUBSCRIPTION_DELETE,
    Reason::SUBSCRIPTION_CHANGE,
    Reason::SUBSCRIPTION_REFRESH,
    Reason::INSTALLATION_MISMATCH,
    Reason::NOT_PRIVILEGED,
    Reason::PROPERTIES_DISABLED,
    Reason::HMSG_NOT_AVAILABLE,
    Reason::EXIT_PROPS_NOT_SUPPORTED,
    Reason::INSTALLATION_MISSING,
    Reason::FASTPATH_NOT_AVAILABLE,
    Reason::CIPHER_SPEC_NOT_SUITE_B,
    Reason::SUITE_B_ERROR,
    Reason::CERT_VAL_POLICY_ERROR,
    Reason::PASSWORD_PROTECTION_ERROR,
    Reason::CSP_ERROR,
    Reason::CERT_LABEL_NOT_ALLOWED,
    Reason::ADMIN_TOPIC_STRING_ERROR,
    Reason::AMQP_NOT_AVAILABLE,
    Reason::CCDT_URL_ERROR,
    Reason::Q_MGR_RECONNECT_REQUESTED,
    Reason::BNO_ERROR,
    Reason::OUTBOUND_SNI_NOT_VALID,
    Reason::HTTPS_KEYSTORE_ERROR,
    Reason::REOPEN_EXCL_INPUT_ERROR,
    Reason::REOPEN_INQUIRE_ERROR,
    Reason::REOPEN_SAVED_CONTEXT_ERR,
    Reason::REOPEN_TEMPORARY_Q_ERROR,
    Reason::ATTRIBUTE_LOCKED,
    Reason::CURSOR_NOT_VALID,
    Reason::ENCODING_ERROR,
    Reason::STRUC_ID_ERROR,
    Reason::NULL_POINTER,
    Reason::NO_CONNECTION_REFERENCE,
    Reason::NO_BUFFER,
    Reason::BINARY_DATA_LENGTH_ERROR,
    Reason::BUFFER_NOT_AUTOMATIC,
    Reason::INSUFFICIENT_BUFFER,
    Reason::INSUFFICIENT_DATA,
    Reason::DATA_TRUNCATED,
    Reason::ZERO_LENGTH,
    Reason::NEGATIVE_LENGTH,
    Reason::NEGATIVE_OFFSET,
    Reason::INCONSISTENT_FORMAT,
    Reason::INCONSISTENT_OBJECT_STATE,
    Reason::CONTEXT_OBJECT_NOT_VALID,
    Reason::CONTEXT_OPEN_ERROR,
    Reason::STRUC_LENGTH_ERROR,
    Reason::NOT_CONNECTED,
    Reason::NOT_OPEN,
    Reason::DISTRIBUTION_LIST_EMPTY,
    Reason::INCONSISTENT_OPEN_OPTIONS,
    Reason::WRONG_VERSION,
    Reason::REFERENCE_ERROR,
    Reason::XR_NOT_AVAILABLE,
    Reason::SUB_JOIN_NOT_ALTERABLE,
];
