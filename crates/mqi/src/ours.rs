//! Numbers of commands, parameters and values of ours, beyond those that the interface gives.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

/// Messages of a queue that cannot be read back.
pub const DAMAGED_MESSAGES: i32 = 20001;
/// The half of connection identifiers that all of a queue manager share.
pub const EXTERNAL_CONNECTION: i32 = 20002;
/// State of a branch that a person committed.
pub const UNIT_COMMITTED_BY_HAND: i32 = 20003;
/// State of a branch that a person backed out.
pub const UNIT_BACKED_OUT_BY_HAND: i32 = 20004;
/// Effect of a message of a prepared unit of work: it was put or got.
pub const MESSAGE_EFFECT: i32 = 20005;
/// Value of MQIACH_IN_DOUBT that forgets a decision by hand.
pub const IN_DOUBT_FORGET: i32 = 20006;
/// Most batches of a channel that are sent before the first is confirmed.
pub const IN_FLIGHT: i32 = 20007;
/// The fault that ended a channel last.
pub const LAST_ERROR: i32 = 20008;
/// When a channel calls again.
pub const NEXT_TRY: i32 = 20009;
/// The identifier of a channel's partner.
pub const REMOTE_IDENTIFIER: i32 = 20010;
/// 1 for a subscription that is given nothing; 0 for one that is given publications.
pub const SUBSCRIPTION_STOPPED: i32 = 20031;
/// The model of queues that a channel of AMQP makes.
pub const AUTOMATIC_MODEL: i32 = 20041;
/// The names for which a channel of AMQP makes queues.
pub const AUTOMATIC_NAMES: i32 = 20042;
/// The channel of AMQP that a listener serves.
pub const AMQP_CHANNEL: i32 = 20043;
/// Several clients share a subscription.
pub const SHARED_SUBSCRIPTION: i32 = 20044;
/// The client whose own publications a subscription leaves out.
pub const EXCLUDED_CLIENT: i32 = 20045;
/// Units of work that a connection has beside its current one.
pub const UNITS_BESIDE: i32 = 20046;
/// Messages of a queue whose time of delivery has not come.
pub const DELAYED_MESSAGES: i32 = 20047;
/// The user that a record gave the right to subscribe.
pub const SUBSCRIPTION_RIGHT: i32 = 20048;
/// The user that made an object.
pub const MAKER: i32 = 20049;
/// 1 for an object that a program made by using its name.
pub const IS_AUTOMATIC: i32 = 20050;
/// How far logins are judged.
pub const GUARD: i32 = 20051;
/// Use of TLS by a listener.
pub const LISTENER_TLS: i32 = 20052;
/// Issuers with a list of revoked certificates.
pub const REVOKERS: i32 = 20053;
/// Messages of a unit of work.
pub const UNIT_MESSAGES: i32 = 20061;
/// Queues of a unit of work.
pub const UNIT_QUEUES: i32 = 20062;
/// 1 for a channel that a command stopped.
pub const CHANNEL_STOPPED: i32 = 20071;
/// Another name of a queue or a topic for clients of AMQP.
pub const AMQP_NAME: i32 = 20073;
/// Seconds after which a subscription of a link ends.
pub const LAPSE_AFTER: i32 = 20074;
/// When these seconds began.
pub const LAPSE_FROM: i32 = 20075;
/// The durability that a link asked for.
pub const LINK_DURABILITY: i32 = 20076;
/// The command that asks for the way of a name.
pub const INQUIRE_ROUTE: i32 = 20080;
/// The attributes that it asks for.
pub const ROUTE_ATTRIBUTES: i32 = 20081;
/// Number of a step of the way.
pub const ROUTE_STEP: i32 = 20082;
/// Kind of a step: an object or a channel.
pub const ROUTE_KIND: i32 = 20083;
/// Type of the object of a step.
pub const ROUTE_OBJECT_TYPE: i32 = 20084;
/// The rule by which a step was taken.
pub const ROUTE_RULE: i32 = 20085;
/// Where the way ends.
pub const ROUTE_ENDS: i32 = 20086;
/// The name behind which a page of objects begins.
pub const PAGE_AFTER: i32 = 20091;
/// Most objects of a page.
pub const PAGE_LIMIT: i32 = 20092;
/// Channels that have a status.
pub const CHANNELS_CURRENT: i32 = 20093;
/// Channels that run.
pub const CHANNELS_RUNNING: i32 = 20094;
/// The word of a request that is to be judged and the verdict of its answer.
pub const RUN_CHECK: i32 = 20095;
/// Puts and gets of a queue stand only in units of work.
pub const SYNCPOINT_REQUIRED: i32 = 20101;
/// Most kilobytes of messages on a queue.
pub const QUEUE_QUOTA: i32 = 20102;
/// The action on a put for which its queue has no room.
pub const FULL_ACTION: i32 = 20103;
/// Most megabytes of messages on all queues.
pub const MANAGER_QUOTA: i32 = 20104;
/// Type of object: a bridge.
pub const OBJECT_TYPE_BRIDGE: i32 = 20201;
/// Type of object: a pipe.
pub const OBJECT_TYPE_PIPE: i32 = 20202;
/// The command that asks for bridges.
pub const INQUIRE_BRIDGE: i32 = 20203;
/// The command that makes a bridge.
pub const CREATE_BRIDGE: i32 = 20204;
/// The command that changes a bridge.
pub const CHANGE_BRIDGE: i32 = 20205;
/// The command that makes a bridge like another.
pub const COPY_BRIDGE: i32 = 20206;
/// The command that deletes a bridge.
pub const DELETE_BRIDGE: i32 = 20207;
/// The command that asks for pipes.
pub const INQUIRE_PIPE: i32 = 20208;
/// The command that makes a pipe.
pub const CREATE_PIPE: i32 = 20209;
/// The command that changes a pipe.
pub const CHANGE_PIPE: i32 = 20210;
/// The command that makes a pipe like another.
pub const COPY_PIPE: i32 = 20211;
/// The command that deletes a pipe.
pub const DELETE_PIPE: i32 = 20212;
/// The attributes of bridges that are asked for.
pub const BRIDGE_ATTRIBUTES: i32 = 20213;
/// The attributes of pipes that are asked for.
pub const PIPE_ATTRIBUTES: i32 = 20214;
/// The bridge that is copied.
pub const FROM_BRIDGE: i32 = 20215;
/// The bridge that a copy makes.
pub const TO_BRIDGE: i32 = 20216;
/// The pipe that is copied.
pub const FROM_PIPE: i32 = 20217;
/// The pipe that a copy makes.
pub const TO_PIPE: i32 = 20218;
/// Name of a bridge.
pub const BRIDGE_NAME: i32 = 20221;
/// Name of a pipe.
pub const PIPE_NAME: i32 = 20222;
/// The messaging system that a bridge leads to.
pub const BRIDGE_SYSTEM: i32 = 20223;
/// Use of TLS by a bridge.
pub const BRIDGE_TLS: i32 = 20224;
/// The group of bridges that one process serves.
pub const BRIDGE_GROUP: i32 = 20225;
/// Start of a bridge: with its process or by command.
pub const BRIDGE_CONTROL: i32 = 20226;
/// Direction of a pipe.
pub const PIPE_DIRECTION: i32 = 20227;
/// Service of a pipe.
pub const PIPE_SERVICE: i32 = 20228;
/// The queue of a pipe.
pub const PIPE_QUEUE: i32 = 20229;
/// The place of a pipe in the other system.
pub const PIPE_FOREIGN: i32 = 20230;
/// Seconds after which a pipe closes a queue that it does not use.
pub const HANDLE_IDLE: i32 = 20231;
/// Description of a bridge or a pipe.
pub const BRIDGE_DESC: i32 = 20232;
/// The user of a bridge in the other system.
pub const BRIDGE_USER: i32 = 20233;
/// The password of a bridge in the other system.
pub const BRIDGE_PASSWORD: i32 = 20234;
