//! The third phase of a start: listeners get their keys, local sockets are bound, and users are known.

use std::sync::Arc;

use identity::UsersFile;
use objects::messages::{KEYS_NOT_READ, NO_LOCAL_GROUP, NO_LOCAL_SOCKET};
use platform::sync::atomic::Ordering;
use transport::Listener;

use super::open::Opened;
use super::start::{Start, StartError};
use crate::configuration::ListenerTls;
use crate::covers::{ListenerCovers, Say};
use crate::errors::ErrorLog;
use crate::local_group;
use crate::logins::{Files, LoginDesk};

/// A start that may let programs in.
pub(super) struct Covered {
    pub(super) logins: Arc<LoginDesk>,
    pub(super) listens: Vec<transport::ListenAddress>,
    pub(super) listeners: Vec<Listener>,
    pub(super) covers: Option<Arc<ListenerCovers>>,
    pub(super) opened: Opened,
}

impl Covered {
    pub(super) fn cover(start: &Start<'_>, mut opened: Opened) -> Result<Self, StartError> {
        let Opened { host, bound, .. } = &mut opened;
        let mut listeners = std::mem::take(&mut bound.listeners);
        host.listeners.note_modes(&bound.modes);
        host.exposed.store(bound.is_open, Ordering::Relaxed);
        let covers = open_covers(start, &opened)?.map(Arc::new);
        if let Some(covers) = &covers {
            let covered = |(listener, mode): (Listener, &ListenerTls)| match mode {
                ListenerTls::No => listener,
                ListenerTls::Allowed | ListenerTls::Required => listener.covered(covers.covers()),
            };
            listeners = listeners.into_iter().zip(&opened.bound.modes).map(covered).collect();
        }
        bind_local(start, &mut listeners);
        let bounds = listeners.iter().map(Listener::bound);
        // Rings are a faster form of the local socket, which is what people are told of.
        let is_told =
            |bound: &&transport::ListenAddress| !matches!(bound, transport::ListenAddress::Rings(_));
        let listens = bounds.filter(is_told).cloned().collect();
        let logins = open_desk(start, &opened, covers.clone());
        Ok(Self { logins, listens, listeners, covers, opened })
    }
}

/// TLS of the listeners, where one has it, or where there are keys that a listener may yet want.
fn open_covers(start: &Start<'_>, opened: &Opened) -> Result<Option<ListenerCovers>, StartError> {
    let &Start { folder, configuration, errors, .. } = start;
    let Opened { queue_manager, host, bound, .. } = opened;
    let open =
        || ListenerCovers::open(folder.security(), queue_manager, &host.revocations, say(errors.clone()));
    let mut modes = std::iter::once(&configuration.listener.tls).chain(&bound.modes);
    if modes.any(|mode| *mode != ListenerTls::No) {
        return Ok(Some(open()?));
    }
    let has_keys = std::fs::read_dir(folder.security().join(tls::store::KEYS))
        .is_ok_and(|mut keys| keys.next().is_some());
    if !has_keys {
        return Ok(None);
    }
    // Nobody speaks TLS yet: keys that do not read keep nobody out.
    Ok(open().map_err(|error| errors.write(&KEYS_NOT_READ, [error.to_string()])).ok())
}

/// Adds the listeners for programs of this machine. Only now is the folder ours, so only now may what a
/// killed server left be replaced.
fn bind_local(start: &Start<'_>, listeners: &mut Vec<Listener>) {
    let &Start { options, folder, configuration, errors, .. } = start;
    if options.local_socket.unwrap_or(configuration.listener.local_socket) {
        for listener in [Listener::unix(&folder.socket()), Listener::rings(&folder.rings())] {
            match listener {
                Ok(listener) => listeners.push(listener),
                Err(error) => errors.write(&NO_LOCAL_SOCKET, [error.to_string()]),
            }
        }
    }
    let bounds: Vec<_> = listeners.iter().map(Listener::bound).cloned().collect();
    if let Err(why) = local_group::open(folder, &configuration.local.group, &bounds) {
        errors.write(&NO_LOCAL_GROUP, [why]);
    }
}

/// The desk that judges logins, once it has looked at the files of users and keys.
fn open_desk(
    start: &Start<'_>,
    Opened { queue_manager, host, required, .. }: &Opened,
    covers: Option<Arc<ListenerCovers>>,
) -> Arc<LoginDesk> {
    let &Start { folder, configuration, errors, .. } = start;
    let files = Files {
        users: UsersFile::at(folder.users()),
        keys: folder.security().join(tls::store::KEYS),
        covers,
        required: required.clone(),
    };
    let loopback = configuration.security.loopback;
    let logins = LoginDesk::new(queue_manager.clone(), files, loopback, say(errors.clone()));
    host.judged_by(&logins);
    host.tell_groups(logins.groups());
    logins.look();
    logins
}

/// Writes to the error log.
fn say(errors: ErrorLog) -> Say {
    Box::new(move |row, inserts| errors.write(row, inserts))
}
