//! Which connections of this process share a socket.
//!
//! Connections made with the same options, which is to the same queue manager for the same program and user, share one
//! as far as the channel's SHARECNV allows; beyond, another socket is opened. `Options::alone` asks for a socket of one's own.
//!
//! Always: one socket at a time is opened for the same options, so that those who connect together find room on it; nobody waits
//! for another's attempt longer than for one of its own; a child of this process does not touch its parent's sockets.

use crate::{Channel, ConnectError, Connection, Options};
use platform::sync::{Condvar, Mutex, MutexGuard};
use std::sync::{Arc, LazyLock, Weak};
use std::time::Instant;

static SHARED: LazyLock<Shared> = LazyLock::new(Shared::default);

/// The sockets of this process that may be shared.
#[derive(Default)]
struct Shared {
    groups: Mutex<Vec<Group>>,
    /// Told when an attempt to open a socket has ended.
    tried: Condvar,
}

/// Sockets that are alike.
struct Group {
    options: Options,
    process: u32,
    channels: Vec<Weak<Channel>>,
    /// Whether somebody opens another.
    is_opening: bool,
}

impl Group {
    fn is_for(&self, options: &Options) -> bool {
        self.process == std::process::id() && self.options == *options
    }
}

/// A connection over a socket that has room for it, or over a new one that others may share.
pub(crate) fn connect(options: Options) -> Result<Connection, ConnectError> {
    let deadline = Instant::now() + options.connect_timeout;
    let mut groups = SHARED.groups.lock();
    let mut passed_over = Vec::new();
    loop {
        let place = place_of(&mut groups, &options);
        let has_room = |channel: &Arc<Channel>| {
            channel.has_room() && !passed_over.iter().any(|passed| Arc::ptr_eq(passed, channel))
        };
        if let Some(channel) = groups[place].channels.iter().filter_map(Weak::upgrade).find(has_room) {
            drop(groups);
            // Whatever is wrong with this one, a new one says so or does better.
            if let Ok(connection) = Connection::begin_once(&channel) {
                return Ok(connection);
            }
            passed_over.push(channel);
            groups = SHARED.groups.lock();
            continue;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if groups[place].is_opening && !left.is_zero() {
            SHARED.tried.wait_for(&mut groups, left);
            continue;
        }
        return open(groups, place, options);
    }
}

/// The place of the group for these options. Groups without a socket go.
fn place_of(groups: &mut Vec<Group>, options: &Options) -> usize {
    for group in &mut *groups {
        group.channels.retain(|channel| channel.strong_count() > 0);
    }
    groups.retain(|group| group.is_opening || !group.channels.is_empty());
    groups.iter().position(|group| group.is_for(options)).unwrap_or_else(|| {
        let (options, process) = (options.clone(), std::process::id());
        groups.push(Group { options, process, channels: Vec::new(), is_opening: false });
        groups.len() - 1
    })
}

/// Opens another socket and begins a conversation on it before others may.
fn open(
    mut groups: MutexGuard<'_, Vec<Group>>,
    place: usize,
    options: Options,
) -> Result<Connection, ConnectError> {
    groups[place].is_opening = true;
    drop(groups);
    let opening = Opening { options: options.clone() };
    let channel = Channel::connect(options)?;
    let connection = channel.conversation().map_err(ConnectError::Conversation)?;
    if let Some(group) = SHARED.groups.lock().iter_mut().find(|group| group.is_for(&opening.options)) {
        group.channels.push(Arc::downgrade(&channel));
    }
    Ok(connection)
}

/// An attempt to open a socket. Dropping it lets the others go on.
struct Opening {
    options: Options,
}

impl Drop for Opening {
    fn drop(&mut self) {
        if let Some(group) = SHARED.groups.lock().iter_mut().find(|group| group.is_for(&self.options)) {
            group.is_opening = false;
        }
        SHARED.tried.notify_all();
    }
}
