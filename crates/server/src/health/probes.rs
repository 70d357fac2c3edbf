//! The place where health is answered, and the file that says where that is.

use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use objects::messages::{HEALTH_NOT_SERVED, HEALTH_SERVED};
use platform::os::private;
use serde::{Deserialize, Serialize};

use super::Health;
use super::service::{Service, ServiceError};
use crate::board::Board;
use crate::bounded_input;
use crate::configuration::ServiceAddress;
use crate::directory::Folder;
use crate::errors::ErrorLog;

/// The port of health.
pub(crate) const PORT: u16 = 9414;

/// Most bytes of the file that says where health is answered.
const PLACE_BYTES_MAX: usize = 1 << 10;

/// The place where a process answers health.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The process.
    pub process: u32,
    /// The address.
    pub address: SocketAddr,
}

/// The place where the queue manager of a folder answers health, as it says itself; it may have ended since.
#[must_use]
pub fn place(folder: &Folder) -> Option<Place> {
    let text = bounded_input::read_text(&folder.health(), "file of a place", PLACE_BYTES_MAX).ok()?;
    serde_json::from_str(&text).ok()
}

/// Everything that it takes to answer probes.
pub(crate) struct Probes<'a> {
    pub(crate) health: &'a Arc<Health>,
    pub(crate) board: &'a Arc<Board>,
    pub(crate) errors: &'a ErrorLog,
    pub(crate) folder: &'a Folder,
}

impl Probes<'_> {
    /// Answers there. Where nothing is said, that is the usual port, or another where it is taken; a program
    /// that has the queue manager inside says itself how it is.
    pub(crate) fn serve(
        &self,
        wanted: ServiceAddress,
        is_own_process: bool,
    ) -> Result<Option<Service>, ServiceError> {
        let service = match wanted {
            ServiceAddress::Nowhere => None,
            ServiceAddress::At(address) => Some(self.start(address)?),
            ServiceAddress::Auto if !is_own_process => None,
            ServiceAddress::Auto => {
                let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
                let started = self.start(at(PORT)).or_else(|_| self.start(at(0)));
                started.inspect_err(|error| self.errors.write(&HEALTH_NOT_SERVED, [error.to_string()])).ok()
            }
        };
        if let Some(service) = &service {
            let place = Place { process: std::process::id(), address: service.address() };
            let text = serde_json::to_string(&place).expect("plain fields");
            // Without the file `ferry check` asks by the local socket.
            let _ =
                private::create(&self.folder.health()).and_then(|mut file| file.write_all(text.as_bytes()));
            let inserts = [self.folder.name().to_string(), service.address().to_string()];
            self.errors.write(&HEALTH_SERVED, inserts);
        }
        Ok(service)
    }

    fn start(&self, address: SocketAddr) -> Result<Service, ServiceError> {
        Service::start(address, Arc::clone(self.health), Arc::clone(self.board))
    }
}
