//! Scenarios: what the verbs do, written as Markdown that runs.
//!
//! ````markdown
//! ## A waiting getter is given the next message
//!
//! ```mqsc
//! DEFINE QLOCAL(ORDERS)
//! ```
//!
//! ```mqi
//! one: get ORDERS wait 5s
//! two: put ORDERS "first"
//! one: -> "first"
//! ```
//! ````
//!
//! Lives here: the language ([`Scenario`], [`parse()`]), what a call and its result are ([`Call`],
//! [`Reply`]), and running the steps against anything that can make calls ([`run()`], [`Actors`]), and with
//! the power cut at every place of a scenario ([`run_with_crashes`]); steps at random beside the model
//! ([`random`]).
//! Lives elsewhere: the worlds they run in (the engine in simulation, a server over a channel).
//!
//! # The language
//!
//! A `mqsc` block holds commands, which must succeed, unless a line `-> text` follows: then the answer
//! contains that text. A `mqi` block holds one step a line:
//!
//! | step | meaning |
//! |---|---|
//! | `CLIENT: VERB …` | the client makes the call; a client connects with its first call |
//! | `CLIENT: -> RESULT` | its last call ends so; without this line it must end well before the next step |
//! | `clock: +5s` | time passes |
//! | `manager: quiesce` | the queue manager begins to end: who is connected goes on, nobody else comes, commands neither, until a restart or a crash |
//! | `manager: restart` | the queue manager ends in order and starts again; clients are gone |
//! | `manager: crash` | it ends without order and starts again; clients are gone |
//!
//! Verbs and results are listed in [`call`] and, for message handles, in [`handles`], for characters, in
//! [`characters`], for consumers, in [`consuming`]; options and fields by their names in [`fields`], handles
//! of the scenario's choice in [`through`], what stands in messages that the queue manager makes in
//! `structures`.

pub mod call;
pub mod characters;
pub mod consuming;
mod crash;
mod engine;
pub mod fields;
pub mod handles;
mod listening;
mod model;
mod parse;
mod programs;
pub mod random;
mod run;
mod structures;
#[cfg(test)]
mod tests;
pub mod through;

pub use call::{Call, Expected, Reply};
pub use crash::{Crashes, NOT_JUDGED, NOT_MODELLED, run_with_crashes};
pub use engine::EngineWorld;
pub use parse::{Scenario, ScenarioError, Step, StepKind, parse, read_folder};
pub use programs::{Installation, Programs};
pub use run::{Actors, Failure, run};
