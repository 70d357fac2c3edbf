//! The first bytes and the login of a connection.

use super::{ClientConnection, Close, Stage};
use crate::agent::LocalUser;
use crate::logins::{Admission, AwaitsVerdict, Judging, Login, Verdict};
use bytes::{Buf, BytesMut};
use channel::login::VERSIONS;
use channel::{Credentials, Error, Frame, Hello, Kind, Preamble, Refused, Welcome};
use mqi::{ObjectName, Reason};
use objects::harmless::harmless;
use objects::keep_alive;
use queue_manager::{Caller, ChannelClient, ChannelInstance, ClientTerms, Identity, Principal};
use std::sync::Arc;
use wire::Output;

/// The name and version of the product, told only to clients that have logged in.
const PRODUCT: &str = concat!("FerryMQ ", env!("CARGO_PKG_VERSION"));

impl ClientConnection {
    /// Looks at the first bytes; true when frames follow.
    pub(super) fn receive_preamble(&mut self, input: &mut BytesMut) -> Result<bool, Close> {
        match Preamble::of(input) {
            Preamble::Partial => Ok(false),
            Preamble::Foreign(foreign) => Err(Error::Foreign(foreign).into()),
            Preamble::Ours => {
                input.advance(channel::preamble::MAGIC.len());
                self.stage = Stage::Hello;
                Ok(true)
            }
        }
    }

    /// Takes a step of the login: a hello, or the credentials that one announced. The client is let in, or
    /// refused, once it is whole.
    pub(super) fn log_in(&mut self, frame: &Frame<'_>) -> Result<(), Close> {
        let unexpected = |why| Close::from(Error::Unexpected { kind: frame.header.kind, why });
        match (self.announced.take(), frame.header.kind) {
            (None, Kind::Hello) => {
                let hello = Hello::decode(frame.payload)?;
                if hello.identifies {
                    self.announced = Some(Box::new(hello));
                    self.stage = Stage::Identify;
                    return Ok(());
                }
                self.judge(hello, None)
            }
            (None, _) => Err(unexpected("a connection begins with a hello")),
            (Some(hello), Kind::Identify) => {
                let credentials = Credentials::decode(frame.payload)?;
                self.judge(*hello, Some(credentials))
            }
            (Some(_), _) => {
                Err(unexpected("the hello announced credentials, and an identify has to follow it"))
            }
        }
    }

    /// Judges the user: by the host, or where it has no users by the facts of the program.
    fn judge(&mut self, hello: Hello, credentials: Option<Credentials>) -> Result<(), Close> {
        judge_versions(&hello)?;
        let login = Login {
            local: self.peer.user.clone(),
            address: self.peer.address,
            encryption: self.peer.encryption.clone(),
            is_by_network: self.peer.is_by_network,
            caller: Caller::Program,
            wanted: hello.queue_manager.clone(),
            channel: hello.channel.clone(),
            asserted: hello.user.clone(),
            credentials,
            queue_manager: None,
            application: hello.application.clone(),
        };
        let Some(logins) = &self.logins else {
            let judged = self.queue_manager.logins().judge(&login.call());
            judged.map_err(|fault| Close::Denied(login.denied(fault)))?;
            let principal = self.principal_of(&hello, login.credentials.as_ref())?;
            return self.let_in(hello, principal);
        };
        let waits: Arc<dyn AwaitsVerdict> = self.inbox.clone();
        match logins.judge(login, Arc::downgrade(&waits)) {
            Judging::Done(verdict) => self.admit(hello, verdict),
            Judging::Later => {
                self.announced = Some(Box::new(hello));
                self.stage = Stage::Judged;
                Ok(())
            }
        }
    }

    /// Hears the verdict on a login. A refusal is told at the next call that may say so, which is asked for.
    #[cold]
    pub(super) fn hear_verdict(&mut self, verdict: Verdict) {
        let Some(hello) = self.announced.take().filter(|_| self.stage == Stage::Judged) else { return };
        self.stage = Stage::Hello;
        if let Err(close) = self.admit(*hello, verdict) {
            self.failure = Some(close);
            self.inbox.wake();
        }
    }

    fn admit(&mut self, hello: Hello, verdict: Verdict) -> Result<(), Close> {
        let Admission { principal, standing } = verdict.map_err(Close::Denied)?;
        self.standing = standing;
        self.let_in(hello, principal)
    }

    /// Lets a client in or says why not.
    fn let_in(&mut self, hello: Hello, principal: Principal) -> Result<(), Close> {
        let version = judge_versions(&hello)?;
        self.peer.check_place()?;
        let (terms, offered) = self.terms_of(&hello)?;
        let channel = terms.as_ref().map_or(ObjectName::BLANK, |terms| terms.channel);
        self.instance = self.instance_of(channel, &principal, &hello.application)?;
        self.agreed = offered.agreed(hello.limits);
        self.idle_seconds_max = terms.as_ref().and_then(|terms| terms.idle_seconds_max);
        self.keep_alive = terms
            .as_ref()
            .and_then(|terms| keep_alive(terms.keep_alive, self.agreed.heartbeat_milliseconds / 1_000));
        self.refused = self.limits.refuses.and(hello.refuses);
        if self.refused.contains(channel::Refusals::SHARED_CONVERSATIONS) {
            self.agreed.conversations_max = 1;
        }
        let ways = self.agree_compression(&hello, terms.as_ref());
        let welcome = Welcome {
            version,
            refused: self.refused,
            limits: self.agreed,
            body_compression: ways.bodies,
            head_compression: ways.heads,
            queue_manager: self.queue_manager.name().to_string(),
            product: PRODUCT.to_owned(),
            addresses: Vec::new(),
            offers: channel::Offers::BRANCHES.and(channel::Offers::PREPARED_MESSAGES),
        };
        welcome.encode(&mut self.greeting);
        self.principal = principal;
        self.channel = channel;
        self.process = self.peer.process.unwrap_or(hello.process);
        self.application = hello.application;
        self.stage = Stage::Open;
        Ok(())
    }

    /// The terms of the channel that a program comes by, none where it comes by none, and the limits that it
    /// is offered. A program of the same machine that names no channel may have as many conversations as the
    /// default allows, and where that is not defined no neighbours.
    fn terms_of(&self, hello: &Hello) -> Result<(Option<ClientTerms>, channel::Limits), Close> {
        let ours = self.limits.channel;
        let conversations = |most: u16| ours.conversations_max.min(most);
        let terms = self.queue_manager.logins().client_terms(&hello.channel);
        if hello.channel.is_empty() && !self.peer.is_by_network {
            let most = terms.map_or(1, |terms| terms.conversations_max);
            return Ok((None, channel::Limits { conversations_max: conversations(most), ..ours }));
        }
        let terms = terms
            .map_err(|refusal| Close::Refused { reason: refusal.reason(), text: refusal.to_string() })?;
        let of_channel = channel::Limits {
            conversations_max: terms.conversations_max,
            message_bytes_max: terms.message_bytes_max.unwrap_or(u32::MAX),
            heartbeat_milliseconds: terms.heartbeat_seconds.saturating_mul(1_000),
            ..ours
        };
        Ok((Some(terms), ours.agreed(of_channel)))
    }

    /// Begins an instance of the channel that a program comes by.
    fn instance_of(
        &self,
        channel: ObjectName,
        principal: &Principal,
        application: &str,
    ) -> Result<Option<ChannelInstance>, Close> {
        if channel.is_blank() {
            return Ok(None);
        }
        let client = ChannelClient {
            origin: &self.peer.origin,
            user: principal.name(),
            application,
            identifier: "",
            encryption: &self.peer.encryption,
        };
        let began = self.queue_manager.channels().begin_instance(channel, &client);
        began.map_err(|busy| Close::Refused { reason: Reason::CHANNEL_NOT_AVAILABLE, text: busy.to_string() })
    }

    /// The user that acts where the host has no users. The operating system's word stands over the client's,
    /// and the user of the credentials counts as one that the program asserts.
    fn principal_of(&self, hello: &Hello, credentials: Option<&Credentials>) -> Result<Principal, Close> {
        if let Some(Credentials::Change { .. }) = credentials {
            let text = "no users are kept here whose passwords could be changed".to_owned();
            return Err(Close::Refused { reason: Reason::SECURITY_ERROR, text });
        }
        let named = credentials.and_then(Credentials::proof).map(|(user, _)| user);
        let asserted = named.filter(|user| !user.is_empty()).unwrap_or(&hello.user);
        let principal = match &self.peer.user {
            Some(LocalUser { name, is_owner: true }) => Principal::administrator(name, Identity::Kernel),
            Some(LocalUser { name, is_owner: false }) => Principal::new(name, Identity::Kernel),
            None => Principal::new(asserted, Identity::Asserted),
        };
        principal.map_err(|error| Close::Refused { reason: Reason::NOT_AUTHORIZED, text: error.to_string() })
    }

    /// A last word for the client on why its connection ends.
    pub(super) fn last_word(&mut self, close: &Close, output: &mut Output) {
        let (reason, text) = match close {
            Close::Disconnected | Close::Fault(_) | Close::ChannelEnded | Close::ChannelFailed { .. } => {
                return;
            }
            Close::Protocol(Error::Foreign(foreign)) => {
                output.cork().extend_from_slice(foreign.farewell());
                return;
            }
            Close::Refused { reason, text } => (*reason, text.clone()),
            Close::Denied(denial) => (denial.reason, denial.told.clone()),
            Close::Protocol(error) => (Reason::CONNECTION_ERROR, error.to_string()),
            Close::Stopped
            | Close::ChannelStopped
            | Close::UserEnded
            | Close::Unfinished { .. }
            | Close::Stalled { .. }
            | Close::Idle { .. }
            | Close::Silent { .. } => (Reason::CONNECTION_BROKEN, close.to_string()),
        };
        // A stranger that has not shown that it speaks the protocol is not answered in it.
        if self.stage != Stage::Preamble {
            // Words of the client's own may be in it, and a program prints it.
            Refused { reason, text: harmless(&text).into_owned() }.encode(output.cork());
        }
    }
}

/// The version that both sides speak.
fn judge_versions(hello: &Hello) -> Result<u16, Close> {
    let common = VERSIONS.common(hello.versions);
    Ok(common.ok_or(Error::Version { theirs: hello.versions, ours: VERSIONS })?)
}
