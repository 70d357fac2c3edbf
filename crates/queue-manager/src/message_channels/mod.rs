//! Message channels as they run: the instances, the wishes for connections, and the status of both.
//!
//! Lives here: the instances (`run`) and their table (`table`), the schedule of those that are to call
//! (`wanted`), the facts that an agent tells of its channel (`progress`). Lives elsewhere: the definitions
//! (`objects`), the state that lasts (`sync_objects`), the agents (`agents`), dialling (the host), the
//! commands (`command`).
//!
//! Always: a channel that calls has one instance at most; an instance is in the table from its beginning to
//! the drop of its [`ChannelRun`], and its end decides what becomes of the channel.

mod addresses;
mod progress;
mod run;
mod table;
mod tally;
mod totals;
mod wanted;

#[cfg(test)]
mod tests;

pub use progress::{
    Averages, ChannelProgress, ChannelTraffic, CompressionProgress, EncryptionNames, Luwid, RunningState,
    Substate,
};
pub use run::{CallRefusal, ChannelAsk, ChannelCall, ChannelEnd, ChannelFailure, ChannelPurpose, ChannelRun};
pub(crate) use run::{Event, EventKind, RunState};
pub(crate) use table::{MessageChannels, Stopping};
pub use tally::ChannelTally;
pub(crate) use tally::Tallied;
pub(crate) use totals::ChannelTotals;
pub(crate) use wanted::{LastError, Partner, Schedule, Standing};
