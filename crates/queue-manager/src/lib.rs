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
//! A host opens the engine in a world, real or simulated, and drives the log. An outcome opens when the log
//! is durable to the position that it depends on:
//!
//! ```
//! use std::sync::Arc;
//!
//! use mqi::{MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions};
//! use platform::simulated::Machine;
//! use queue_manager::{
//!     Completions, ConnectRequest, Event, Gated, GotMessage, Host, Identity, Outcome, Principal,
//!     QueueManager, Settings, WaitToken,
//! };
//!
//! /// A host of one thread: it looks after everything itself, and so needs no calls.
//! struct Alone;
//!
//! impl Host for Alone {
//!     fn log_has_work(&self) {}
//!     fn durable_advanced(&self) {}
//!     fn job_waits(&self) {}
//!     fn tick_wanted(&self) {}
//!     fn event(&self, event: &Event) {
//!         println!("{} {:?}", event.id, event.inserts);
//!     }
//!     fn failed(&self, failure: &storage::Fatal) {
//!         panic!("{failure}");
//!     }
//! }
//!
//! impl Completions for Alone {
//!     fn complete(&self, _: WaitToken, _: Outcome<GotMessage>) {
//!         panic!("this example has no get that waits");
//!     }
//! }
//!
//! /// Writes the log until the value may be known.
//! fn known<T>(manager: &QueueManager, mut gated: Gated<T>) -> T {
//!     loop {
//!         gated = match gated.open(manager.durable()) {
//!             Ok(value) => return value,
//!             Err(waits) => waits,
//!         };
//!         manager.drive();
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = Settings {
//!     name: "QM1".parse()?,
//!     memory_budget_bytes: 64 << 20,
//!     handles_max: 256,
//!     uncommitted_messages_max: 10_000,
//!     connections_max: 100,
//!     storage: storage::Settings { extent_bytes: 1 << 20, ..storage::Settings::default() },
//!     checkpoint_interval: std::time::Duration::from_secs(60),
//! };
//! // A machine of its own, whose disk, clock and randomness repeat from the seed 1.
//! let machine = Machine::new(1);
//! QueueManager::create(&machine.world(), &settings)?;
//! let manager = QueueManager::open(machine.world(), settings, Arc::new(Alone))?;
//! let define = &objects::mqsc::parse("DEFINE QLOCAL(ORDERS)")?[0];
//! assert!(known(&manager, manager.execute(define)).is_ok());
//!
//! let mut connection = known(&manager, manager.connect(ConnectRequest {
//!     accounting: mqi::AccountingChoice::default(),
//!     application: "example".to_owned(),
//!     origin: "embedded".to_owned(),
//!     channel: mqi::ObjectName::BLANK,
//!     process: 0,
//!     instance: [0; 16],
//!     generation: 0,
//!     principal: Principal::new("alice", Identity::Process).expect("a short name"),
//!     completions: Arc::new(Alone),
//! }))?;
//! let queue = ObjectDescriptor::queue("ORDERS".parse()?);
//! let opened = known(&manager, connection.open(&queue, OpenOptions::OUTPUT))?;
//! let descriptor = MessageDescriptor { persistence: Persistence::Persistent, ..Default::default() };
//! let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
//! let put = connection.put(opened.handle, &descriptor, &options, "an order".into());
//! // The message is on its queue, and the putter hears of it once its record is on the disk.
//! assert!(put.need() > manager.durable().lsn());
//! known(&manager, put)?;
//! # Ok(())
//! # }
//! ```

mod accounting;
mod administration;
mod authority;
mod begun;
mod by_token;
pub mod catalogue;
mod channel_cover;
mod channel_rules;
mod channels;
mod checkpoint;
mod clients;
pub mod command;
mod conn_auth;
pub mod connection;
mod conversation;
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
mod own_message;
mod passed;
mod places;
#[cfg(feature = "planted")]
mod planted;
mod publishing;
mod queue;
mod refused_puts;
mod reports;
mod restart;
mod rights;
mod room;
mod services;
mod state_objects;
mod streaming;
mod subscriptions;
mod sync_objects;
mod triggers;
mod unit_of_work;
mod verbs;

pub use authority::{Authority, Granted};
pub use begun::{Begun, Rest};
pub use channel_cover::ChannelCover;
pub use channel_rules::RulesInForce;
pub use channels::{AmqpTerms, CLIENT_CHANNEL, ChannelRefusal, ClientTerms, Dial, Dials};
pub use command::live::Overview;
pub use conn_auth::{ConnAuth, NoProvider};
pub use connection::{Connection, Get, PutDone};
pub use conversation::ConnectRequest;
pub use course::Course;
pub use decode::decode_any;
pub use gate::{Gated, Outcome};
pub use ground::explanation::Explanation;
pub use ground::host::{Event, Host, Job, LoginFacts, Refusal};
pub use ground::login::{CoverFault, LoginFault, LoginReport};
pub use ground::request::{Carried, ListenerState, Request, SecretChanges};
pub use ground::settings::{Quiesce, Settings};
pub use hand_over::Receipt;
pub use instances::{Busy as ChannelBusy, ChannelInstance};
pub use instrumentation::{Came, Issuer};
pub use manager::{CreateError, QueueManager};
pub use message::{CreditUse, GotDescriptor, GotMessage, SharedDescriptor};
pub use message_channels::{
    Averages, CallRefusal, ChannelAsk, ChannelCall, ChannelEnd, ChannelFailure, ChannelProgress,
    ChannelPurpose, ChannelRun, ChannelTally, CompressionProgress, Luwid, RunningState,
};
pub use naming::transmission::Transmission;
pub use queue::getter::{Completions, Concluded, Reserve, Series, WaitToken};
pub use queue::status::QueueCounters;
pub use reports::traced::{ActivityReport, ChannelPlace};
pub use restart::StartError;
pub use restart::contents;
pub use security::{Identity, Part, Principal};
pub use state_objects::ChannelState;
pub use unit_of_work::owned::{UnitAside, UnitOfWork};
pub use unit_of_work::prepared::{
    Decision, NotResolved, PreparedBranch, PreparedMessage, PreparedPurpose, PreparedUnit, Settled,
};
pub use verbs::arrive::{Arrived, DeadLetter, Destinations};
pub use verbs::outbound::{ChannelUse, Going, Outbound};
pub use verbs::placement::Placement;
pub use verbs::put::PutTarget;
pub use verbs::status::AsyncPuts;
pub use verbs::subscribe::LinkSubscription;
