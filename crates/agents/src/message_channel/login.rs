//! The beginning of a channel: both ends introduce themselves, agree on their terms, and read their books.
//!
//! Always: a stranger learns nothing of this queue manager before its channel is found and accepts it; facts
//! of the books that it learns are durable.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::{Buf, BytesMut};
use channel::compression;
use channel::login::VERSIONS;
use channel::message::negotiate::{BATCH_MESSAGES_MAX, IN_FLIGHT_MAX, MESSAGE_BYTES_MAX};
use channel::message::{Chain, Generation, Introduction, Offer, Role};
use channel::{Error, Kind, Preamble, Versions, Ways, preamble};
use formats::convert;
use mqi::{Encoding, Reason};
use objects::{ChannelAttributes, keep_alive};
use queue_manager::{
    CallRefusal, Caller, ChannelCall, ChannelEnd, ChannelOffer, ChannelPlace, ChannelPurpose, ChannelRun,
    ChannelState, Completions, CoverFault, Destinations, EncryptionNames, Gated, LoginFault, Outbound,
    PreparedPurpose, PreparedUnit, Principal, RunningState, Substate, certificate_name, connection,
};
use storage::{Direction, Durable};

use super::books::{Books, Partner, Reading};
use super::output::{OutgoingFrame, frame};
use super::receiver::Receiver;
use super::sender::Sender;
use super::{End, MessageChannel, Stage, StepError};
use crate::agent::Close;
use crate::compression::Compression;
use crate::logins::{Admission, AwaitsVerdict, Denial, Judging, Login, Verdict};

/// The program that this end is.
const PRODUCT: &str = concat!("FerryMQ ", env!("CARGO_PKG_VERSION"));

impl MessageChannel {
    /// Introduces this end to the partner that it calls.
    pub(super) fn call(&mut self, run: ChannelRun) {
        self.wake_by(&run);
        run.update(|progress| {
            progress.state = RunningState::Binding;
            progress.substate = Substate::Resynching;
            progress.encryption = EncryptionNames::of(&self.peer.encryption);
        });
        let cover = run.attributes().cover().and_then(|terms| terms.judge(&self.peer.encryption));
        if let Err(refusal) = cover {
            let (reason, text) = (Reason::from_code(refusal.code()), refusal.to_string());
            run.end(ChannelEnd::Failed { reason, text: text.clone() });
            let channel = run.attributes().name.to_string();
            self.over = Some(Close::ChannelFailed { channel, reason, text });
            self.stage = Stage::Over;
            return;
        }
        let generation = generation_of(self.queue_manager.next_channel_generation());
        let hello = self.introduction(run.attributes(), generation, VERSIONS, true);
        let bytes = frame(|out| hello.encode(Kind::ChannelHello, out));
        self.replies.push(Gated::free(OutgoingFrame::Plain(bytes)));
        self.generation = generation;
        self.run = Some(run);
        self.stage = Stage::Calling;
    }

    fn wake_by(&self, run: &ChannelRun) {
        let inbox = Arc::clone(&self.inbox);
        run.wake_by(Arc::new(move || inbox.wake()));
    }

    fn introduction(
        &self,
        attributes: &ChannelAttributes,
        generation: Generation,
        versions: Versions,
        calls: bool,
    ) -> Introduction {
        let compression = compression_of(attributes, calls);
        let ChannelOffer { coded_character_set, uncommitted_messages_max } =
            self.queue_manager.channel_offer();
        Introduction {
            versions,
            role: if attributes.kind.sends() { Role::Sender } else { Role::Receiver },
            generation,
            offer: offer_of(attributes, uncommitted_messages_max),
            coded_character_set,
            encoding: Encoding::NATIVE.0,
            channel: attributes.name.to_string(),
            queue_manager: self.queue_manager.name(),
            identifier: self.queue_manager.identifier(),
            product: PRODUCT.to_owned(),
            body_compressions: compression.bodies,
            head_compressions: compression.heads,
        }
    }

    /// Takes the preamble off; true when it is there.
    pub(super) fn receive_preamble(&mut self, input: &mut BytesMut) -> Result<bool, Close> {
        match Preamble::of(input) {
            Preamble::Partial => Ok(false),
            Preamble::Foreign(foreign) => Err(Close::Protocol(Error::Foreign(foreign))),
            Preamble::Ours => {
                if input.len() == preamble::MAGIC.len() {
                    return Ok(false);
                }
                // Taken with the frame behind it, so that a second look finds it still.
                match channel::Frame::decode(
                    &input[preamble::MAGIC.len()..],
                    channel::frame::LOGIN_FRAME_BYTES_MAX,
                )? {
                    None => Ok(false),
                    Some(_) => {
                        input.advance(preamble::MAGIC.len());
                        Ok(true)
                    }
                }
            }
        }
    }

    /// The fault of bytes that are no frame. A program of another product that was called is named: CONNAME
    /// may have the wrong port.
    pub(super) fn misread(&self, error: Error, bytes: &[u8]) -> Close {
        let program = match (&self.stage, Preamble::of(bytes)) {
            (Stage::Calling, Preamble::Foreign(foreign)) => foreign.program(),
            _ => None,
        };
        program.map_or(Close::Protocol(error), |program| {
            let text = format!(
                "{program} answered, and channels are between queue managers of FerryMQ: correct the address or the \
                 port in CONNAME"
            );
            self.channel_failed(Reason::CHANNEL_CONFIG_ERROR, text)
        })
    }

    /// Hears the partner that called.
    pub(super) fn hear_hello(&mut self, payload: &[u8]) -> Result<(), Close> {
        let theirs = Introduction::decode(payload)?;
        VERSIONS.common(theirs.versions).ok_or(Error::Version { theirs: theirs.versions, ours: VERSIONS })?;
        let login = Login {
            local: self.peer.user.clone(),
            address: self.peer.address,
            encryption: self.peer.encryption.clone(),
            is_by_network: self.peer.is_by_network,
            caller: Caller::QueueManager { sends: theirs.role == Role::Sender },
            wanted: String::new(),
            channel: theirs.channel.clone(),
            asserted: String::new(),
            credentials: None,
            queue_manager: Some(theirs.queue_manager.to_string()),
            application: String::new(),
        };
        let Some(logins) = &self.logins else {
            let judged = self.queue_manager.logins().judge(&login.call());
            judged.map_err(|fault| Close::Denied(login.denied(fault)))?;
            return self.let_in(&theirs);
        };
        let waits: Arc<dyn AwaitsVerdict> = self.inbox.clone();
        match logins.judge(login, Arc::downgrade(&waits)) {
            Judging::Done(verdict) => self.admit(&theirs, verdict),
            Judging::Later => {
                self.stage = Stage::Judged(Box::new(theirs));
                Ok(())
            }
        }
    }

    /// Hears the verdict on the login of the partner.
    #[cold]
    pub(super) fn hear_verdict(&mut self, verdict: Verdict) -> Result<(), Close> {
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Judged(theirs) => self.admit(&theirs, verdict),
            stage => {
                self.stage = stage;
                Ok(())
            }
        }
    }

    fn admit(&mut self, theirs: &Introduction, verdict: Verdict) -> Result<(), Close> {
        let Admission { principal, standing } = verdict.map_err(Close::Denied)?;
        (self.principal, self.standing) = (Some(principal), standing);
        self.let_in(theirs)
    }

    /// Begins the instance of a partner whose login was judged, and answers it.
    fn let_in(&mut self, theirs: &Introduction) -> Result<(), Close> {
        let version = VERSIONS
            .common(theirs.versions)
            .ok_or(Error::Version { theirs: theirs.versions, ours: VERSIONS })?;
        self.peer.check_place()?;
        let partner = theirs.queue_manager.to_string();
        let call = ChannelCall {
            channel: &theirs.channel,
            address: &self.peer.origin,
            partner: &partner,
            partner_identifier: &theirs.identifier,
            sends: theirs.role == Role::Sender,
            user: self.principal.as_ref().map(Principal::name),
            encryption: &self.peer.encryption,
        };
        let run = self.queue_manager.accept_channel(&call).map_err(|refusal| self.not_accepted(&refusal))?;
        self.wake_by(&run);
        let versions = Versions { least: version, most: version };
        let welcome = self.introduction(run.attributes(), Generation::default(), versions, false);
        let ours = compression_of(run.attributes(), false);
        self.run = Some(run);
        self.generation = theirs.generation;
        self.agree(theirs)?;
        let bytes = frame(|out| welcome.encode(Kind::ChannelWelcome, out));
        self.replies.push(Gated::free(OutgoingFrame::Plain(bytes)));
        self.compress(Ways::agreed(&compression_said(theirs), &ours));
        self.bind(theirs)
    }

    /// The refusal of a partner that a channel does not accept. One that shows another certificate than its
    /// line has is recorded as a refused login, and not told the name in that.
    fn not_accepted(&self, refusal: &CallRefusal) -> Close {
        let reason = refusal.reason();
        let CallRefusal::OtherCertificate { channel, partner, .. } = refusal else {
            return Close::Refused { reason, text: refusal.to_string() };
        };
        Close::Denied(Box::new(Denial {
            reason,
            told: refusal.told(),
            channel: channel.clone(),
            user: String::new(),
            cause: format!("queue manager {partner}: {refusal}"),
            kind: LoginFault::Cover(CoverFault::Peer),
            certificate: self.peer.encryption.subject(),
        }))
    }

    /// Hears the partner that was called.
    pub(super) fn hear_welcome(&mut self, payload: &[u8]) -> Result<(), Close> {
        let theirs = Introduction::decode(payload)?;
        VERSIONS.common(theirs.versions).ok_or(Error::Version { theirs: theirs.versions, ours: VERSIONS })?;
        let Some(run) = &self.run else { return Ok(()) };
        let ours = run.attributes();
        let is_other_end = (theirs.role == Role::Sender) != ours.kind.sends();
        if theirs.channel != ours.name.as_str() || !is_other_end {
            let text =
                format!("the partner answered as another channel, or as the same end: {}", theirs.channel);
            return Err(Close::Refused { reason: Reason::CHANNEL_CONFIG_ERROR, text });
        }
        let call = ChannelCall {
            channel: &theirs.channel,
            address: &self.peer.origin,
            partner: theirs.queue_manager.as_ref(),
            partner_identifier: &theirs.identifier,
            sends: theirs.role == Role::Sender,
            user: self.principal.as_ref().map(Principal::name),
            encryption: &self.peer.encryption,
        };
        if let Err(refusal) = self.queue_manager.judge_called(run, &call) {
            let (reason, text) = (refusal.reason(), refusal.to_string());
            run.end(ChannelEnd::Halted { reason, text });
            return Err(Close::Refused { reason, text: refusal.told() });
        }
        let (purpose, ours) = (run.purpose(), compression_of(ours, true));
        run.update(|progress| {
            progress.partner = theirs.queue_manager.to_string();
            progress.partner_identifier.clone_from(&theirs.identifier);
        });
        self.agree(&theirs)?;
        self.compress(Ways::agreed(&ours, &compression_said(&theirs)));
        match purpose {
            ChannelPurpose::Ping { bytes } => {
                self.ping(bytes);
                Ok(())
            }
            ChannelPurpose::Transfer => self.bind(&theirs),
        }
    }

    /// Compresses all that follows by these ways.
    fn compress(&mut self, ways: Ways) {
        self.fragment_bytes = ways.fragment_bytes(self.fragment_bytes);
        self.compression = Compression::of(ways);
    }

    fn agree(&mut self, theirs: &Introduction) -> Result<(), Close> {
        let Some(run) = &self.run else { return Ok(()) };
        let terms = offer_of(run.attributes(), self.queue_manager.channel_offer().uncommitted_messages_max)
            .agreed(&theirs.offer)
            .map_err(|disagreement| {
                let (reason, text) = (Reason::CHANNEL_CONFIG_ERROR, disagreement.to_string());
                run.end(ChannelEnd::Failed { reason, text: text.clone() });
                Close::Refused { reason, text }
            })?;
        let local = self.peer.local;
        run.update(|progress| {
            progress.batch_messages_max = terms.batch_messages_max;
            progress.in_flight = terms.in_flight_max.into();
            progress.heartbeat_seconds = terms.heartbeat_seconds;
            progress.message_bytes_max = terms.message_bytes_max;
            progress.is_fast = terms.is_fast;
            progress.program.clone_from(&theirs.product);
            (progress.product, progress.version) = product_of(&theirs.product);
            progress.local_address = local.map(conname).unwrap_or_default();
        });
        self.keep_alive = keep_alive(run.attributes().keep_alive, terms.heartbeat_seconds);
        self.terms = Some(terms);
        Ok(())
    }

    /// Takes the place of an older connection of the same partner, and reads the books.
    fn bind(&mut self, theirs: &Introduction) -> Result<(), Close> {
        let Some(run) = &self.run else { return Ok(()) };
        let attributes = run.attributes();
        let instance = instance_of(attributes, &theirs.identifier);
        let Generation { start, connection } = self.generation;
        let generation = start << 32 | (connection & u64::from(u32::MAX));
        let completions: Arc<dyn Completions> = self.inbox.clone();
        let connected = self.queue_manager.connect_channel(
            run,
            (instance, generation),
            self.principal.as_ref(),
            completions,
        );
        let (connection, begun) = connection::begin(connected);
        let Some(connection) = connection else {
            self.stage = Stage::NotConnected(begun.map(|begun| begun.err().unwrap_or(Reason::NONE)));
            self.inbox.wake();
            return Ok(());
        };
        self.connection = Some(connection);
        let convert_to = attributes.converts.then_some(convert::Target {
            encoding: Encoding(theirs.encoding),
            coded_character_set: theirs.coded_character_set,
        });
        let place = ChannelPlace {
            channel: attributes.name,
            kind: attributes.kind.object_type().subtype_value().unwrap_or_default(),
            partner: theirs.queue_manager.to_string(),
        };
        let bytes_max = self.terms.as_ref().map_or(0, |terms| terms.message_bytes_max) as usize;
        let need = begun.need();
        // A thousand channels that bind at once would else keep the states of all of them a thousand times.
        let name = attributes.name;
        let own_states = move |mut states: Vec<ChannelState>| {
            states.retain(|state| state.sync.channel == name.as_str());
            states.shrink_to_fit();
            states
        };
        let of_channels = |mut units: Vec<PreparedUnit>| {
            units.retain(|unit| matches!(unit.purpose, PreparedPurpose::Channel(_)));
            units.shrink_to_fit();
            units
        };
        self.stage = Stage::Reads(Box::new(Reading {
            partner: Partner {
                name: theirs.queue_manager.to_string(),
                identifier: theirs.identifier.clone(),
                certificate: certificate_name(&self.peer.encryption),
            },
            outbound: Outbound { convert_to, bytes_max, traces: Some((self.queue_manager.tracer(), place)) },
            states: Some(self.queue_manager.channel_states().map(own_states).and_needs(need)),
            prepared: Some(self.queue_manager.prepared_units().map(of_channels)),
        }));
        self.inbox.wake();
        Ok(())
    }

    /// The refusal of a partner whose channel the queue manager gives no connection.
    fn not_connected(&self, reason: Reason) -> Close {
        let channel = self.run.as_ref().map(|run| run.attributes().name.to_string()).unwrap_or_default();
        let name = self.queue_manager.name();
        let (reason, text) = match reason {
            Reason::CONNECTION_BROKEN => (
                Reason::CHANNEL_NOT_AVAILABLE,
                "a newer connection of the channel is there, and keeps its place".to_owned(),
            ),
            Reason::NOT_AUTHORIZED => (
                reason,
                format!(
                    "the user as which channel {channel} puts messages at {name} has no right to connect: `ferry why \
                     {name}` there names the user and the command that grants it"
                ),
            ),
            Reason::CHANNEL_CONFIG_ERROR => (
                reason,
                format!("MCAUSER of channel {channel} at {name} cannot be the name of a user: correct it"),
            ),
            Reason::Q_MGR_QUIESCING | Reason::Q_MGR_STOPPING | Reason::CONNECTION_QUIESCING => {
                (reason, format!("queue manager {name} ends: the channel is tried again"))
            }
            _ => (
                reason,
                format!("queue manager {name} gives channel {channel} no connection: {}", reason.text()),
            ),
        };
        Close::Refused { reason, text }
    }

    /// Begins as the machine of this end once the books are durable.
    pub(super) fn go_on_reading(&mut self, proof: Durable) -> Result<(), Close> {
        if let Stage::NotConnected(reason) = &mut self.stage {
            let known = reason.opened(proof).copied();
            return known.map_or(Ok(()), |reason| Err(self.not_connected(reason)));
        }
        let Stage::Reads(reading) = &mut self.stage else { return Ok(()) };
        if reading.need() > proof.lsn() {
            return Ok(());
        }
        let (Some(states), Some(prepared)) = (reading.states.take(), reading.prepared.take()) else {
            return Ok(());
        };
        let (Ok(states), Ok(prepared)) = (states.open(proof), prepared.open(proof)) else {
            return self.fail(StepError::Failed(Reason::UNEXPECTED_ERROR, "the books stay closed".into()));
        };
        let (Some(run), Some(terms)) = (&self.run, self.terms) else { return Ok(()) };
        let attributes = run.attributes();
        let direction = if attributes.kind.sends() { Direction::Sends } else { Direction::Receives };
        let books = Books::find(attributes.name.as_str(), direction, &reading.partner, states, &prepared);
        let end = match direction {
            Direction::Sends => {
                let mut sender = Sender::new(terms, &books, reading.outbound.clone());
                sender.follow(attributes);
                End::Sends(Box::new(sender))
            }
            Direction::Receives => {
                let by = reading.outbound.traces.as_ref().map(|(_, place)| place.clone());
                let destinations = Destinations::new(attributes.puts_as_context_user, by);
                let receiver = Receiver::new(terms, &books, destinations);
                self.replies.push(Gated::free(receiver.position()));
                End::Receives(Box::new(receiver))
            }
        };
        self.stage = Stage::Open(end);
        Ok(())
    }
}

/// The four letters by which displays name this product.
const PRODUCT_LETTERS: &str = "FRRY";

/// The letters and the version of a product that introduced itself as `FerryMQ 1.2.3`: two digits each for
/// version, release, modification and fix. Blank for another product, and for a version in another form.
fn product_of(program: &str) -> (String, String) {
    let Some(("FerryMQ", version)) = program.split_once(' ') else { return Default::default() };
    let mut digits = String::new();
    for part in version.split(['.', '-', '+']).take(3) {
        match part.parse::<u8>() {
            Ok(number) if number < 100 => digits.push_str(&format!("{number:02}")),
            _ => return (PRODUCT_LETTERS.to_owned(), String::new()),
        }
    }
    (PRODUCT_LETTERS.to_owned(), format!("{digits:0<8}"))
}

/// An address as CONNAME has it.
fn conname(address: SocketAddr) -> String {
    format!("{}({})", address.ip().to_canonical(), address.port())
}

fn generation_of(number: u64) -> Generation {
    Generation { start: number >> 32, connection: number & u64::from(u32::MAX) }
}

/// The terms that a definition offers.
fn offer_of(attributes: &ChannelAttributes, uncommitted_messages_max: u32) -> Offer {
    let batch = &attributes.batch;
    let kilobytes =
        batch.bytes_max.map_or(0, |bytes| u32::try_from(bytes / 1_000).unwrap_or(u32::MAX).max(1));
    let seconds = attributes.heartbeat.map_or(0, |interval| interval.as_secs());
    Offer {
        // A batch is a unit of work at either end.
        batch_messages_max: batch.messages_max.min(uncommitted_messages_max).clamp(1, BATCH_MESSAGES_MAX),
        batch_kilobytes_max: kilobytes,
        message_bytes_max: attributes
            .message_bytes_max
            .unwrap_or(MESSAGE_BYTES_MAX)
            .clamp(1, MESSAGE_BYTES_MAX),
        heartbeat_seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        wrap: attributes.sequence_wrap,
        in_flight_max: u8::try_from(batch.in_flight).unwrap_or(u8::MAX).clamp(1, IN_FLIGHT_MAX),
        is_fast: attributes.is_fast,
    }
}

/// The compressions that a definition has, at the end that calls or at the other.
fn compression_of(attributes: &ChannelAttributes, calls: bool) -> compression::Offer {
    compression::Offer::of_attributes(
        &attributes.message_compressions,
        &attributes.header_compressions,
        calls,
    )
}

/// The compressions that the partner said.
fn compression_said(theirs: &Introduction) -> compression::Offer {
    compression::Offer { bodies: theirs.body_compressions.clone(), heads: theirs.head_compressions.clone() }
}

/// Names this end of the channel towards one partner: a newer connection of it ends an older one.
fn instance_of(attributes: &ChannelAttributes, partner: &str) -> [u8; 16] {
    let side = if attributes.kind.sends() { 1_u32 } else { 2 };
    let mut text = attributes.name.to_string();
    text.push('\0');
    text.push_str(partner);
    let mut instance = [0; 16];
    for (part, half) in instance.as_chunks_mut::<8>().0.iter_mut().zip(0_u32..) {
        let folded = text.as_bytes().chunks(24).fold(Chain::default(), |chain, bytes| {
            let mut block = [0; 24];
            block[..bytes.len()].copy_from_slice(bytes);
            chain.with_message(&block, side << 1 | half)
        });
        *part = folded.0.to_le_bytes();
    }
    instance
}

#[cfg(test)]
mod tests {
    use super::*;
    use objects::{Definition, Moment, ObjectType};

    fn attributes(object_type: ObjectType, name: &str) -> ChannelAttributes {
        ChannelAttributes::of(&Definition::new(object_type, name.parse().unwrap(), Moment(0))).unwrap()
    }

    #[test]
    fn each_end_towards_each_partner_has_an_instance_of_its_own() {
        let kinds = [ObjectType::SenderChannel, ObjectType::ReceiverChannel];
        let mut instances: Vec<[u8; 16]> = Vec::new();
        for kind in kinds {
            for name in ["A.TO.B", "A.TO.C"] {
                for partner in ["B_1", "B_2", "a partner with an identifier of 48 characters, so"] {
                    instances.push(instance_of(&attributes(kind, name), partner));
                }
            }
        }
        let count = instances.len();
        instances.sort_unstable();
        instances.dedup();
        assert_eq!(instances.len(), count);
        assert!(instances.iter().all(|instance| *instance != [0; 16]), "zero is no instance");
    }

    #[test]
    fn a_partner_is_shown_by_the_letters_of_its_product_and_eight_digits_of_its_version() {
        for (program, product, version) in [
            ("FerryMQ 0.1.0", "FRRY", "00010000"),
            ("FerryMQ 12.3.45-rc.1", "FRRY", "12034500"),
            ("FerryMQ 1", "FRRY", "01000000"),
            ("FerryMQ next", "FRRY", ""),
            ("FerryMQ 1.300.0", "FRRY", ""),
            ("Another 1.2.3", "", ""),
            ("", "", ""),
        ] {
            assert_eq!(product_of(program), (product.to_owned(), version.to_owned()), "{program:?}");
        }
        assert_eq!(product_of(PRODUCT).0, "FRRY");
        assert_eq!(product_of(PRODUCT).1.len(), 8, "this release has a version of that form");
    }

    #[test]
    fn the_offer_of_each_definition_is_one_that_a_partner_takes() {
        for kind in [
            ObjectType::SenderChannel,
            ObjectType::ReceiverChannel,
            ObjectType::ServerChannel,
            ObjectType::RequesterChannel,
        ] {
            assert!(offer_of(&attributes(kind, "C"), 10_000).is_valid(), "{kind:?}");
        }
    }
}
