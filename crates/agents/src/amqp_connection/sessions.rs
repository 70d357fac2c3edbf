//! Sessions: each is a connection of the interface from its first link on.

use std::sync::Arc;

use amqp::ErrorField;
use mqi::{AccountingChoice, Reason};
use queue_manager::{ConnectRequest, Gated, connection};

use super::AmqpConnection;
use super::link::{Kind, Link};
use super::owner::LinkId;
use super::session::Session;

impl AmqpConnection {
    pub(super) fn begin(&mut self, channel: u16) {
        self.sessions.insert(channel, Session::default());
        self.engine.put_begin(&mut self.greeting, channel);
    }

    /// Ends a session as its client asks.
    pub(super) fn end(&mut self, channel: u16) {
        self.flush_session(channel);
        self.drop_session(channel);
        self.engine.put_end(&mut self.greeting, channel, None);
    }

    /// Carries out what waits at the links of a session that its client ends.
    pub(super) fn flush_session(&mut self, channel: u16) {
        let links = self.sessions.get(&channel).map(|session| session.links.values().copied().collect());
        let links: Vec<LinkId> = links.unwrap_or_default();
        links.into_iter().for_each(|id| self.flush_held(id));
    }

    /// The links of a session end with it, and with its connection what they had.
    pub(super) fn drop_session(&mut self, channel: u16) {
        let Some(session) = self.sessions.remove(&channel) else { return };
        for id in session.links.values() {
            self.forget_held(*id);
            self.forget_arriving(*id);
            self.links.remove(id);
            self.attachments.remove(id);
        }
        // Links whose handles are free and that have something to say.
        self.links.retain(|_, link| link.owner.channel != channel);
        self.deliveries.forget_session(channel);
        let gone = self.transactions.take_unless(|link| self.links.contains_key(&link));
        self.back_out_all(gone);
    }

    /// The connection of a session, which begins with its first link.
    pub(super) fn connected(&mut self, channel: u16) -> Result<&mut Session, Gated<Reason>> {
        let request = ConnectRequest {
            accounting: AccountingChoice::of_options(0).unwrap_or_default(),
            application: self.container.clone(),
            origin: self.peer.origin.clone(),
            channel: self.channel,
            process: self.peer.process.unwrap_or(0),
            instance: [0; 16],
            generation: 0,
            principal: self.principal.clone(),
            completions: self.inbox.clone() as Arc<_>,
        };
        let session = self.sessions.get_mut(&channel).ok_or_else(|| Gated::free(Reason::HCONN_ERROR))?;
        if session.connection.is_none() {
            let (begun, last_commit) = connection::begin(self.queue_manager.connect_amqp(request));
            session.need = last_commit.split()?.need();
            if let Some(mut begun) = begun {
                begun.set_client(&self.container).map_err(Gated::free)?;
                session.connection = Some(begun);
            }
        }
        Ok(session)
    }

    /// The link of a channel and handle.
    pub(super) fn link_at(&mut self, channel: u16, handle: u32) -> Option<&mut Link> {
        let id = self.sessions.get(&channel)?.links.get(&handle)?;
        self.links.get_mut(id)
    }

    /// A link ends by its client: what it was given goes back, and its client is answered when it is closed.
    pub(super) fn detach(&mut self, channel: u16, handle: u32, closed: bool) {
        self.drain();
        if let Some(id) = self.link_at(channel, handle).map(|link| link.owner.id) {
            self.flush_held(id);
        }
        let Some(id) = self.sessions.get_mut(&channel).and_then(|session| session.links.remove(&handle))
        else {
            return;
        };
        self.forget_arriving(id);
        let Some(link) = self.links.get_mut(&id) else { return };
        let session = self.sessions.get_mut(&channel);
        let Some(connection) = session.and_then(|session| session.connection.as_mut()) else { return };
        if link.is_attached {
            link.close(connection, &mut self.deliveries, Some(closed));
        } else {
            // Its attach is answered first, and its handle closed once that is known.
            (link.is_ending, link.detach) = (true, Some(closed));
        }
        self.back_out_of(id);
        self.list(id);
    }

    /// Ends a link by a fault, and tells its client. A message that the client was sending by it is lost, so
    /// that no transaction may stand that it may be of.
    pub(super) fn end_link(&mut self, channel: u16, handle: u32, error: &ErrorField) {
        if self.link_at(channel, handle).is_some_and(|link| matches!(link.kind, Kind::Receiving(_))) {
            self.transactions.doom_all(Reason::BACKED_OUT);
        }
        self.drop_link(channel, handle);
        self.engine.put_detach(&mut self.greeting, (channel, handle), true, Some(error));
    }

    /// A link ends by a fault: nothing of it is said any more.
    pub(super) fn drop_link(&mut self, channel: u16, handle: u32) {
        self.drain();
        let Some(id) = self.sessions.get_mut(&channel).and_then(|session| session.links.remove(&handle))
        else {
            return;
        };
        self.forget_held(id);
        self.forget_arriving(id);
        let Some(mut link) = self.links.remove(&id) else { return };
        self.back_out_of(id);
        self.attachments.remove(&id);
        let session = self.sessions.get_mut(&channel);
        if let Some(connection) = session.and_then(|session| session.connection.as_mut()) {
            link.close(connection, &mut self.deliveries, None);
        }
    }

    /// Gives up what came of a message that is not whole.
    pub(super) fn forget_arriving(&mut self, id: LinkId) {
        if let Some(Link { kind: Kind::Receiving(receiving), .. }) = self.links.get_mut(&id) {
            let arriving = std::mem::take(&mut receiving.arriving);
            receiving.arriving_in = None;
            self.arriving_bytes = self.arriving_bytes.saturating_sub(arriving.len());
        }
    }
}
