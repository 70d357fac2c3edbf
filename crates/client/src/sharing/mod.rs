//! Sockets shared by connections of this process.
//!
//! Connections made with the same options, which is to the same queue manager for the same program and user,
//! share one as far as the channel's SHARECNV allows; beyond, another socket is opened. `Options::alone` asks
//! for a socket of one's own.
//!
//! Lives here: the rules of sharing. Lives elsewhere: opening, and waiting for it (`doors`), the fate of
//! shared sockets in a child (`process`).
//!
//! Always: a child of this process does not touch its parent's sockets, nor a lock that a thread of its
//! parent held.

mod doors;

use std::sync::Arc;
use std::time::Instant;

use crate::process::OfProcess;
use crate::{Channel, ConnectError, Connection, Options};
use doors::Doors;

/// The sockets of a process that may be shared, by the options they were made with.
static SOCKETS: OfProcess<Doors<Options, Channel>> = OfProcess::new();

/// A connection over a socket that has room for it, or over a new one that others may share.
pub(crate) fn connect(options: Options) -> Result<Connection, ConnectError> {
    let deadline = Instant::now() + options.connect_timeout;
    let key = options.clone();
    // Whatever is wrong with a socket that is there, a new one says so or does better.
    let join = |channel: &Arc<Channel>| Connection::begin_once(channel).ok();
    SOCKETS.get(Doors::default).enter(&key, deadline, Channel::has_room, join, || {
        let channel = Channel::connect(options)?;
        let connection = channel.conversation().map_err(ConnectError::Conversation)?;
        Ok((channel, connection))
    })
}
