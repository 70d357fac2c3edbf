//! The first phase of a start: addresses are judged and bound, and health is answered.

use std::sync::Arc;

use identity::UsersFile;
use transport::Listener;

use super::start::{Start, StartError};
use crate::board::Board;
use crate::configuration::ListenerTls;
use crate::exposure::Exposure;
use crate::health::{Health, Probes, Service};

/// A start whose addresses are its own. Nobody is served yet.
pub(super) struct Bound {
    pub(super) service: Option<Service>,
    pub(super) board: Arc<Board>,
    pub(super) health: Arc<Health>,
    pub(super) listeners: Vec<Listener>,
    /// The TLS of each.
    pub(super) modes: Vec<ListenerTls>,
    /// Says whether other machines reach one of them.
    pub(super) is_open: bool,
    pub(super) exposure: Exposure,
}

impl Bound {
    pub(super) fn bind(start: &Start<'_>) -> Result<Self, StartError> {
        let &Start { options, folder, configuration, errors, ref ending, .. } = start;
        let of_settings = || &*configuration.listener.addresses.0;
        let addresses =
            if options.local_only { &[] } else { options.addresses.as_deref().unwrap_or_else(of_settings) };
        let exposure = Exposure {
            name: options.name.to_string(),
            security: folder.security(),
            users: UsersFile::at(folder.users()),
            is_insecure: options.insecure,
        };
        // Before anything is bound: a listener that must not be is never there, not even for a moment.
        let tls = configuration.listener.tls;
        let modes = addresses.iter().map(|address| exposure.judge(*address, tls, None));
        let modes = modes.collect::<Result<Vec<_>, _>>()?;
        let listeners = addresses.iter().map(|address| Listener::tcp(*address));
        let listeners = listeners.collect::<Result<Vec<_>, _>>()?;
        let is_open = exposure.is_open(addresses.iter().copied());
        let (health, board) = (Arc::new(Health::new(Arc::clone(ending))), Arc::<Board>::default());
        // Before the log is replayed, which may take long.
        let probes = Probes { health: &health, board: &board, errors, folder };
        let wanted = options.health.unwrap_or(configuration.health.address);
        let service = probes.serve(wanted, options.ends_process)?;
        Ok(Self { service, board, health, listeners, modes, is_open, exposure })
    }
}
