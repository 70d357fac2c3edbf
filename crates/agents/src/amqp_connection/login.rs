//! The login of a client: headers, SASL, the Open, and the last word.
//!
//! Always: nothing of the queue manager is told to a client that was not let in.

use std::sync::Arc;

use amqp::engine::{Connection, Stage};
use amqp::frame::Protocol;
use amqp::sasl::{self, Plain, Step};
use amqp::types::Fields;
use amqp::types::Symbols;
use amqp::{Condition, ErrorField, Open, Performative};
use channel::Credentials;
use mqi::Reason;
use objects::harmless::harmless;
use queue_manager::{Caller, ChannelClient, Identity, LoginCall, Principal};
use wire::Output;

use super::keep_alive::SILENCE_MILLISECONDS_MIN;
use super::{AmqpConnection, errors};
use crate::agent::{Close, LocalUser};
use crate::logins::{Admission, AwaitsVerdict, Judging, Login, Verdict};

/// Mechanisms of a login: of these a client chooses one.
const PLAIN: &str = "PLAIN";
const ANONYMOUS: &str = "ANONYMOUS";
const EXTERNAL: &str = "EXTERNAL";

/// The capability of a client that is to be the only one under its identifier.
const ALONE: &str = "sole-connection-for-container";

/// Extensions that connections have.
const CAPABILITIES: &[&str] = &[ALONE, "ANONYMOUS-RELAY", "DELAYED_DELIVERY", "SHARED-SUBS"];

impl AmqpConnection {
    /// Answers a header.
    pub(super) fn header(&mut self, protocol: Protocol) -> Result<(), Close> {
        let is_let_in = self.engine.stage() == Stage::Opening && self.is_let_in;
        self.greeting.extend(protocol.header());
        match protocol {
            Protocol::Sasl => {
                let has_certificate = self.peer.encryption.certificate().is_some();
                let external = has_certificate.then_some(EXTERNAL);
                let anonymous = self.is_local().then_some(ANONYMOUS);
                let offered: Vec<&str> = external.into_iter().chain([PLAIN]).chain(anonymous).collect();
                sasl::put_mechanisms(&mut self.greeting, &offered);
                Ok(())
            }
            // A client without a login is as one that says it is nobody.
            Protocol::Amqp if !is_let_in => self.judge(None),
            Protocol::Amqp => Ok(()),
        }
    }

    /// Says whether the client is on this machine.
    fn is_local(&self) -> bool {
        self.peer.address.is_none_or(|address| address.is_loopback())
    }

    /// Takes a step of a login.
    pub(super) fn log_in(&mut self, step: &Step<'_>) -> Result<(), Close> {
        let Step::Init(init) = step else { return self.refuse("the client says more than it was asked for") };
        match init.mechanism.0 {
            ANONYMOUS if self.is_local() => self.judge(None),
            // The certificate was proved; rules of channels say which user it stands for.
            EXTERNAL if self.peer.encryption.certificate().is_some() => self.judge_by_host(None),
            PLAIN => match init.initial_response.and_then(Plain::of) {
                Some(Plain { user, password }) => {
                    let password = channel::login::Secret::new(password.to_vec());
                    self.judge(Some(Credentials::Password { user: user.to_owned(), password }))
                }
                None => self.refuse("the client's first word is not one of PLAIN"),
            },
            _ => self.refuse("the client asks for a mechanism that was not offered"),
        }
    }

    fn refuse(&self, text: &str) -> Result<(), Close> {
        Err(Close::Refused { reason: Reason::NOT_AUTHORIZED, text: text.to_owned() })
    }

    /// Judges the user: by the host, or where it has no users by the facts of the program.
    fn judge(&mut self, credentials: Option<Credentials>) -> Result<(), Close> {
        if credentials.is_none() && !self.is_local() {
            return self.refuse("a client that comes from elsewhere says who it is: use PLAIN or EXTERNAL");
        }
        self.judge_by_host(credentials)
    }

    fn judge_by_host(&mut self, credentials: Option<Credentials>) -> Result<(), Close> {
        let Some(logins) = &self.logins else {
            let principal = self.principal_of(credentials.as_ref())?;
            return self.let_in(principal);
        };
        let login = Login {
            local: self.peer.user.clone(),
            address: self.peer.address,
            encryption: self.peer.encryption.clone(),
            is_by_network: true,
            caller: Caller::AmqpClient,
            wanted: String::new(),
            channel: self.channel.to_string(),
            asserted: String::new(),
            credentials,
            queue_manager: None,
            application: String::new(),
        };
        let waits: Arc<dyn AwaitsVerdict> = self.inbox.clone();
        match logins.judge(login, Arc::downgrade(&waits)) {
            Judging::Done(verdict) => self.admit(verdict),
            Judging::Later => {
                self.is_judged = true;
                Ok(())
            }
        }
    }

    /// Hears the verdict on a login. A refusal is told at the next call that may say so, which is asked for.
    #[cold]
    pub(super) fn hear_verdict(&mut self, verdict: Verdict) {
        if !std::mem::take(&mut self.is_judged) {
            return;
        }
        if let Err(close) = self.admit(verdict) {
            self.failure = Some(close);
            self.inbox.wake();
        }
    }

    fn admit(&mut self, verdict: Verdict) -> Result<(), Close> {
        let Admission { principal, standing } = verdict.map_err(Close::Denied)?;
        self.standing = standing;
        self.let_in(principal)
    }

    fn let_in(&mut self, principal: Principal) -> Result<(), Close> {
        self.principal = principal;
        self.is_let_in = true;
        if matches!(self.engine.stage(), Stage::Login(_)) {
            self.engine.let_in();
            sasl::put_outcome(&mut self.greeting, sasl::Outcome::Ok);
        }
        Ok(())
    }

    /// The user that acts where the host has no users.
    fn principal_of(&self, credentials: Option<&Credentials>) -> Result<Principal, Close> {
        let asserted = credentials.and_then(Credentials::proof).map_or("", |(user, _)| user);
        let principal = match &self.peer.user {
            Some(LocalUser { name, is_owner: true }) => Principal::administrator(name, Identity::Kernel),
            Some(LocalUser { name, is_owner: false }) => Principal::new(name, Identity::Kernel),
            None => Principal::new(asserted, Identity::Asserted),
        };
        principal.map_err(|error| Close::Refused { reason: Reason::NOT_AUTHORIZED, text: error.to_string() })
    }

    /// Answers the Open of a client.
    pub(super) fn open(&mut self, open: &Open<'_>) -> Result<(), Close> {
        let call = LoginCall {
            caller: Caller::AmqpClient,
            queue_manager: "",
            channel: self.channel.as_str(),
            encryption: &self.peer.encryption,
            is_by_network: true,
        };
        let judged = self.queue_manager.logins().judge(&call);
        judged.map_err(|fault| Close::Refused { reason: fault.reason, text: fault.text })?;
        self.peer.check_place()?;
        let refused = |refusal: queue_manager::ChannelRefusal| Close::Refused {
            reason: refusal.reason(),
            text: refusal.to_string(),
        };
        let terms = self.queue_manager.logins().amqp_terms(self.channel.as_str()).map_err(refused)?;
        self.keep_alive.set_silence(terms.silence_seconds_max);
        if let Some(most) = terms.message_bytes_max {
            self.engine.take_no_longer_than(u64::from(most) + super::SECTIONS_BYTES_MAX);
        }
        self.terms = Some(terms);
        self.container = open.container_id.to_owned();
        self.keep_alive.peer_takes = open.idle_time_out.filter(|milliseconds| *milliseconds > 0);
        if let Some(takes @ ..SILENCE_MILLISECONDS_MIN) = self.keep_alive.peer_takes {
            let text = format!(
                "an idle-time-out of {takes} ms cannot be kept; ask for {SILENCE_MILLISECONDS_MIN} ms or more"
            );
            return Err(Close::Refused { reason: Reason::OPTIONS_ERROR, text });
        }
        let client = ChannelClient {
            origin: &self.peer.origin,
            user: self.principal.name(),
            application: &self.container,
            identifier: &self.container,
            encryption: &self.peer.encryption,
        };
        let began = self.queue_manager.channels().begin_instance(self.channel, &client);
        let wants_alone = open.desired_capabilities.is_some_and(|wanted| wanted.contains(ALONE));
        let began = began.and_then(|instance| match &instance {
            Some(begun) if wants_alone => begun.stay_alone().map(|()| instance),
            _ => Ok(instance),
        });
        self.instance = began.map_err(|busy| {
            self.busy_as = Some(errors::of_busy(&busy));
            Close::Refused { reason: Reason::CHANNEL_NOT_AVAILABLE, text: busy.to_string() }
        })?;
        self.put_open();
        Ok(())
    }

    fn put_open(&mut self) {
        let name = self.queue_manager.name().to_string();
        let mut properties = Vec::new();
        amqp::types::write::put_map(&mut properties, 2, |out| {
            for (key, value) in [("product", "FerryMQ"), ("version", env!("CARGO_PKG_VERSION"))] {
                amqp::types::write::put_symbol(out, key);
                amqp::types::write::put_string(out, value);
            }
        });
        let properties = match amqp::types::one(&properties) {
            Ok((amqp::Value::Map(entries), _)) => Some(Fields(entries)),
            _ => None,
        };
        let open = Open {
            container_id: &name,
            idle_time_out: self.keep_alive.silence_told(),
            offered_capabilities: Some(Symbols::Ours(CAPABILITIES)),
            properties,
            ..Open::default()
        };
        self.engine.put_open(&mut self.greeting, open);
        self.is_open_sent = true;
    }

    /// Writes a last word for the client on why its connection ends.
    pub(super) fn last_word(&mut self, close: &Close, output: &mut Output) {
        let error = match close {
            Close::Disconnected => None,
            Close::Fault(fault) => Some(ErrorField::new(fault.condition, fault.text.clone())),
            Close::Refused { reason, text } => Some(ErrorField::new(errors::condition(*reason), text)),
            Close::Denied(denial) => Some(ErrorField::new(Condition::UnauthorizedAccess, &denial.told)),
            _ => Some(ErrorField::new(Condition::ConnectionForced, close.to_string())),
        };
        // Words of the client's own may be in it, and a program prints it.
        let error = error.map(|error| ErrorField { text: harmless(&error.text).into_owned(), ..error });
        let error = error.map(|error| match self.busy_as {
            Some(condition) => {
                let invalid_field = (condition == Condition::InvalidField).then_some("container-id");
                ErrorField { condition, invalid_field, ..error }
            }
            None => error,
        });
        // Answers to what came with the frame at fault are there first.
        output.cork().append(&mut self.greeting);
        match self.engine.stage() {
            // The header that would have been right says what is spoken here.
            Stage::Start => output.cork().extend(Protocol::Sasl.header()),
            Stage::Login(_) => sasl::put_outcome(output.cork(), sasl::Outcome::Auth),
            Stage::LetIn => {}
            Stage::Opening | Stage::Open | Stage::Closed => {
                if !self.is_open_sent {
                    let mut failed = Vec::new();
                    amqp::types::write::put_map(&mut failed, 1, |out| {
                        amqp::types::write::put_symbol(out, "amqp:connection-establishment-failed");
                        amqp::types::write::put_boolean(out, true);
                    });
                    let properties = match amqp::types::one(&failed) {
                        Ok((amqp::Value::Map(entries), _)) => Some(Fields(entries)),
                        _ => None,
                    };
                    // A client that was not let in is not told who refuses it.
                    let name = match self.is_let_in {
                        true => self.queue_manager.name().to_string(),
                        false => String::new(),
                    };
                    let open = Open { container_id: &name, properties, ..Open::default() };
                    Performative::Open(open).put(output.cork(), 0);
                }
                Connection::put_close(&self.engine, output.cork(), error.as_ref());
            }
        }
    }
}
