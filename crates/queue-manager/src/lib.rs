//! The engine: queues, units of work, name resolution, commands, the verbs.
//!
//! Lives here: everything a queue manager decides. Verbs run on the caller's own thread under one small lock
//! per object. The engine never spawns, sleeps, opens a socket or asks the operating system for time; disk,
//! clock and entropy are handed in, and the part that runs it (reactor, application, simulator) is its
//! [`Host`].
//!
//! Lives elsewhere: bytes that last (`storage`), frames (`channel`, `agents`), threads and sockets (the
//! hosts).
//!
//! Always: an operation appends its record before its effect is visible; what leaves is [`Gated`] by the
//! position it depends on; locks are taken in the order queue, unit of work, log, connection output.
//!
#![doc = include_str!("example.md")]

mod accounting;
mod administration;
mod authority;
mod begun;
mod by_token;
pub mod catalogue;
mod channel_cover;
mod channel_figures;
mod channel_rules;
mod channel_seats;
mod channels;
mod checkpoint;
mod clients;
pub mod command;
mod conn_auth;
pub mod connection;
mod conversation;
mod counters;
mod course;
mod decode;
mod engine;
pub mod gate;
mod ground;
mod grouping;
mod hand_over;
mod housekeeping;
mod images;
mod initiating;
mod instances;
mod instrumentation;
mod keeping;
pub mod manager;
mod message;
mod message_channels;
mod naming;
mod object;
mod own_message;
mod passed;
mod places;
#[cfg(feature = "planted")]
mod planted;
mod publishing;
mod queue;
mod queues;
mod refused_puts;
mod reports;
mod restart;
mod revocation_lists;
mod rights;
mod room;
mod services;
mod state_objects;
mod streaming;
mod subscriptions;
mod sync_objects;
mod topic_figures;
mod triggers;
mod unit_of_work;
mod verbs;

pub use authority::{Authority, Granted};
pub use begun::{Begun, Rest};
pub use catalogue::fresh_definitions;
pub use catalogue::topic_counts::{ShownTopics, TopicsWatched};
pub use channel_cover::ChannelCover;
pub use channel_rules::RulesInForce;
pub use channel_seats::{ChannelLimits, ChannelsFull};
pub use channels::{
    AmqpTerms, CLIENT_CHANNEL, CallFault, Caller, ChannelClient, ChannelOffer, ChannelRefusal, ChannelWays,
    ClientTerms, Dial, Dials, LoginCall, Logins,
};
pub use command::live::{ChannelOverview, Overview, SubscriptionOverview, TopicsOverview};
pub use conn_auth::{ConnAuth, NoProvider};
pub use connection::{Connection, PutDone};
pub use conversation::ConnectRequest;
pub use course::{Course, Piece};
pub use decode::decode_any;
pub use gate::{Gated, Outcome};
pub use ground::command_room::{CommandHold, CommandRoom, PlaceInLine, Waiter};
pub use ground::explanation::Explanation;
pub use ground::growth::{Growth, GrowthBound, GrowthBounds, GrowthNear, GrowthRefusal, Owner};
pub use ground::host::{Event, Host, Job, JudgedLogin, LoginFacts, Refusal};
pub use ground::login::{CoverFault, LoginFault, LoginReport};
pub use ground::memory::ArrivingRoom;
pub use ground::request::{Carried, ListenerState, Request, SecretChanges};
pub use ground::settings::{ADMINISTRATORS_KEPT, Quiesce, Settings};
pub use hand_over::{ExpectedGetter, Receipt};
pub use instances::{Busy as ChannelBusy, ChannelInstance, ClientProgress};
pub use instrumentation::{Came, Issuer};
pub use manager::{CreateError, QueueManager};
pub use message::{GotDescriptor, SharedDescriptor};
pub use message_channels::{
    Averages, CallRefusal, ChannelAsk, ChannelCall, ChannelEnd, ChannelFailure, ChannelProgress,
    ChannelPurpose, ChannelRun, ChannelTally, ChannelTraffic, CompressionProgress, EncryptionNames, Luwid,
    RunningState, Substate,
};
pub use naming::transmission::Transmission;
pub use queue::getter::{Completions, Concluded, Get, Reserve, Series, WaitToken};
pub use queue::got_message::{CreditUse, GotMessage};
pub use queue::status::QueueCounters;
pub use reports::traced::{ActivityReport, ChannelPlace, Tracer};
pub use restart::StartError;
pub use restart::{contents, definitions};
pub use revocation_lists::RevocationLists;
pub use security::{Identity, Part, Principal};
pub use state_objects::ChannelState;
pub use subscriptions::SubscriptionHold;
pub use subscriptions::lapse::{Lapse, LapseFrom, LinkTerms};
pub use sync_objects::certificate_name;
pub use unit_of_work::prepared::{
    Decision, NotResolved, PreparedBranch, PreparedMessage, PreparedPurpose, PreparedUnit, Settled,
};
pub use verbs::arrive::{Arrived, DeadLetter, Destinations};
pub use verbs::outbound::{ChannelUse, Going, Outbound};
pub use verbs::placement::Placement;
pub use verbs::put::PutTarget;
pub use verbs::status::AsyncPuts;
pub use verbs::subscribe::LinkSubscription;
pub use verbs::unit::{UnitAside, UnitOfWork};
