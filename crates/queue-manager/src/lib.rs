//! The engine above its queues: name resolution, rights, publications, commands, the verbs.
//!
//! Lives here: everything a queue manager decides. Verbs run on the caller's own thread under one small lock
//! per object. The engine never spawns, sleeps, opens a socket or asks the operating system for time; disk,
//! clock and entropy are handed in, and the part that runs it (reactor, application, simulator) is its
//! [`Host`].
//!
//! Lives elsewhere: queues and units of work (`queues`), bytes that last (`storage`), frames (`channel`,
//! `agents`), threads and sockets (the hosts).
//!
//! Always: an operation appends its record before its effect is visible; what leaves is [`Gated`] by the
//! position it depends on; locks are taken in the order queue, unit of work, log, connection output.
//! A host changes an answer behind its gate, and takes it out by no other door than proof of durability:
//!
//! ```
//! let answer = queue_manager::Gated::free(3);
//! let _ = answer.map(|depth| depth + 1);
//! ```
//!
//! ```compile_fail,E0599
//! let answer = queue_manager::Gated::free(3);
//! let _ = answer.changed(|depth| depth + 1);
//! ```
//!
#![doc = include_str!("example.md")]

mod accounting;
mod administration;
mod authority;
mod begun;
mod broker;
mod call_figures;
pub mod catalogue;
mod channel_cover;
mod channel_figures;
mod channel_rules;
mod channel_seats;
mod channels;
mod checkpoint;
mod collection;
pub mod command;
mod conn_auth;
pub mod connection;
mod conversation;
mod course;
mod decode;
mod directory;
mod disconnection;
mod engine;
mod housekeeping;
mod image_schedule;
mod images;
mod initiating;
mod initiation_queues;
mod instances;
mod instrumentation;
mod keeping;
pub mod manager;
mod message_channels;
mod naming;
mod own_message;
mod passed;
mod places;
mod publishing;
mod refused_puts;
mod reports;
mod restart;
mod revocation_lists;
mod rights;
mod services;
mod streaming;
mod subscriptions;
mod sync_objects;
mod topic_figures;
mod triggers;
mod verbs;

pub use authority::{Authority, Granted};
pub use begun::{Begun, Rest};
pub use catalogue::fresh_definitions;
pub use catalogue::topic_counts::{ShownTopics, TopicsWatched};
pub use channel_cover::ChannelCover;
pub use channel_rules::RulesInForce;
pub use channel_seats::{ChannelLimits, ChannelsFull};
pub use channels::{
    AmqpTerms, CLIENT_CHANNEL, CallFault, Caller, ChannelClient, ChannelFinding, ChannelOffer,
    ChannelRefusal, ChannelWays, Channels, ClientTerms, Dial, Dials, LoginCall, Logins,
};
pub use command::live::{ChannelOverview, Overview, SubscriptionOverview, TopicsOverview};
pub use conn_auth::{ConnAuth, NoProvider};
pub use connection::{Connection, PutDone};
pub use conversation::ConnectRequest;
pub use course::{Course, Piece};
pub use decode::decode_any;
pub use instances::{Busy as ChannelBusy, ChannelInstance, ClientProgress};
pub use instrumentation::{Came, Issuer};
pub use manager::figures::Figures;
pub use manager::log::Log;
pub use manager::units::Units;
pub use manager::{CreateError, QueueManager};
pub use message_channels::{
    Averages, CallRefusal, ChannelAsk, ChannelCall, ChannelEnd, ChannelFailure, ChannelProgress,
    ChannelPurpose, ChannelRun, ChannelTally, ChannelTraffic, CompressionProgress, EncryptionNames, Luwid,
    RunningState, Substate,
};
pub use naming::transmission::Transmission;
pub use queues::gate::{Gated, Outcome};
pub use queues::ground::command_room::{CommandHold, CommandRoom, PlaceInLine, Waiter};
pub use queues::ground::explanation::Explanation;
pub use queues::ground::growth::{Growth, GrowthBound, GrowthBounds, GrowthNear, GrowthRefusal, Owner};
pub use queues::ground::host::{Event, Host, Job, JudgedLogin, LoginFacts, LoginNumber, Refusal};
pub use queues::ground::login::{CoverFault, LoginFault, LoginReport};
pub use queues::ground::memory::ArrivingRoom;
pub use queues::ground::request::{Carried, ListenerState, Request, SecretChanges};
pub use queues::ground::settings::BranchBounds;
pub use queues::ground::settings::{ADMINISTRATORS_KEPT, HOLD, Quiesce, Settings};
pub use queues::hand_over::{ExpectedGetter, Receipt};
pub use queues::message::{GotDescriptor, SharedDescriptor};
pub use queues::queue::getter::{Completions, Concluded, Get, Reserve, Series, WaitToken};
pub use queues::queue::got_message::{CreditUse, GotMessage};
pub use queues::queue::prepared_copies::PreparedAsk;
pub use queues::queue::room_wait::RoomWait;
pub use queues::queue::status::QueueCounters;
pub use queues::state_objects::ChannelState;
pub use queues::unit_of_work::branches::BranchOutcome;
pub use queues::unit_of_work::prepared::{
    Decision, NotResolved, PreparedBranch, PreparedMessage, PreparedPurpose, PreparedUnit, Settled,
};
pub use queues::unit_of_work::waiting::IN_DOUBT_LONG;
pub use reports::traced::{ActivityReport, ChannelPlace};
pub use restart::StartError;
pub use restart::{contents, definitions};
pub use revocation_lists::RevocationLists;
pub use security::{Identity, Part, Principal};
pub use subscriptions::SubscriptionHold;
pub use subscriptions::lapse::{Lapse, LapseFrom, LinkTerms};
pub use sync_objects::certificate_name;
pub use verbs::arrive::{Arrivals, Arrived, DeadLetter, Destinations};
pub use verbs::ask::{Ask, GetPurpose};
pub use verbs::branch::WorkThread;
pub use verbs::outbound::{ChannelUse, Going, Outbound, Tracer};
pub use verbs::placement::Placement;
pub use verbs::put::PutTarget;
pub use verbs::put_room::PutForRoom;
pub use verbs::status::AsyncPuts;
pub use verbs::subscribe::LinkSubscription;
pub use verbs::unit::{PreparedWork, UnitOfWork};
