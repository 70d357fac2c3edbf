//! DISPLAY CHSTATUS: instances that run, channels that wait for their next try, and the state that is kept
//! towards partners.

use std::collections::BTreeSet;

use mqi::constants::*;
use mqi::{NamePattern, ObjectName};
use objects::{Attribute, ChannelAttributes, Message, ObjectType, StatusType, Subject, Value, messages};
use platform::WallTime;
use queues::gate::BehindGate;
use queues::ground::time::moment;
use queues::state_objects::KeptChannel;
use security::cipherspecs::{CipherSpec, Protocol};
use storage::{Direction, ObjectId};

use super::common_status::CommonStatus;
use super::display::Answer;
use super::values::{count, date, time};
use crate::authority::commands;
use crate::engine::Engine;
use crate::instances::InstanceState;
use crate::message_channels::{
    Averages, ChannelTraffic, CompressionProgress, EncryptionNames, LastError, RunState, Schedule, Standing,
};

const SUBJECT: Subject = Subject::Status(StatusType::Channel);

impl Answer<'_> {
    /// The instances that there are, the channels that are to run again or were stopped, and what is in doubt
    /// besides.
    pub(super) fn channel_status(&mut self, engine: &Engine, names: &NamePattern) -> Message {
        for (number, instance, is_ending) in engine.instances.states() {
            if !self.has_turn(|| format!("1{number:016X}")) {
                continue;
            }
            if self.is_meant(names, instance.channel) {
                self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
                    client_value(row, &instance, is_ending)
                });
            }
        }
        let kept = engine.kept_channels();
        self.needs(kept.need());
        let mut log = Kept { channels: kept.into_inner(), shown: BTreeSet::new() };
        let shown = self.channel_runs(engine, names, &mut log);
        self.idle_channels(engine, names, &shown, &mut log);
        self.channels_in_doubt(engine, names, &log);
        no_instance(names)
    }

    /// The instances of message channels; returns the channels that have one, each with its partner.
    fn channel_runs(
        &mut self,
        engine: &Engine,
        names: &NamePattern,
        log: &mut Kept,
    ) -> BTreeSet<(ObjectName, String)> {
        let mut shown = BTreeSet::new();
        for run in engine.message_channels.states() {
            let name = run.attributes.name;
            let partner = &run.progress.partner_identifier;
            shown.insert((name, partner.clone()));
            let common = CommonStatus::running(&run.progress, log.of(&run.attributes, partner));
            if !self.has_turn(|| format!("2{:016X}", run.number)) || !self.is_meant(names, name) {
                continue;
            }
            let schedule = engine.message_channels.schedule(&name);
            let waiting = waiting_messages(engine, &run.attributes);
            self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
                let value =
                    || common.value(row).unwrap_or_else(|| run_value(engine, row, &run, &schedule, waiting));
                is_of_message_channels(row).then(value)
            });
        }
        shown
    }

    /// The channels without an instance that are to run again, were stopped, or ended by a fault.
    fn idle_channels(
        &mut self,
        engine: &Engine,
        names: &NamePattern,
        shown: &BTreeSet<(ObjectName, String)>,
        log: &mut Kept,
    ) {
        let mut scheduled = engine.message_channels.scheduled();
        scheduled.sort_unstable();
        for name in scheduled {
            let (attributes, need) = engine.directory.message_channel(name.as_str());
            let schedule = engine.message_channels.schedule(&name);
            // Beside instances with other partners: the end of one with this.
            let failed_with = &*schedule.failed_with.identifier;
            let is_shown = shown.iter().any(|(channel, partner)| {
                *channel == name && (failed_with.is_empty() || partner == failed_with)
            });
            let Some(attributes) = attributes.filter(|_| !is_shown) else { continue };
            let common = CommonStatus::idle(log.of(&attributes, failed_with), &schedule.failed_with);
            if !self.has_turn(|| format!("3{name}")) || !self.is_meant(names, name) {
                continue;
            }
            self.needs(need);
            let waiting = waiting_messages(engine, &attributes);
            self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
                let value = || {
                    common
                        .value(row)
                        .unwrap_or_else(|| idle_value(engine, row, &attributes, &schedule, waiting))
                };
                is_of_message_channels(row).then(value)
            });
        }
    }

    /// The states with batches in doubt that no row before has told of: their channels are inactive, are no
    /// longer defined, or deal with another partner.
    fn channels_in_doubt(&mut self, engine: &Engine, names: &NamePattern, log: &Kept) {
        let is_new = |kept: &&KeptChannel| !log.shown.contains(&kept.state.object);
        for kept in log.channels.iter().filter(|kept| !kept.in_doubt.is_empty()).filter(is_new) {
            if !self.has_turn(|| format!("4{:016X}", kept.state.object.0)) {
                continue;
            }
            self.add_kept(engine, names, kept, true, |row, attributes| {
                let attributes = attributes?;
                let waiting = waiting_messages(engine, attributes);
                Some(idle_value(engine, row, attributes, &Schedule::default(), waiting))
            });
        }
    }

    /// The state that channels keep towards each partner.
    pub(super) fn channel_states(&mut self, engine: &Engine, names: &NamePattern) -> Message {
        let kept = engine.kept_channels();
        self.needs(kept.need());
        for kept in kept.into_inner() {
            if self.has_turn(|| format!("{:016X}", kept.state.object.0)) {
                self.add_kept(engine, names, &kept, false, |_, _| None);
            }
        }
        no_instance(names)
    }

    /// Adds the row of a kept state; `besides` has the values that are no part of it.
    fn add_kept(
        &mut self,
        engine: &Engine,
        names: &NamePattern,
        kept: &KeptChannel,
        is_current: bool,
        besides: impl Fn(&Attribute, Option<&ChannelAttributes>) -> Option<Value>,
    ) {
        let Ok(name) = kept.state.sync.channel.parse::<ObjectName>() else { return };
        if !self.is_meant(names, name) {
            return;
        }
        let (attributes, need) = engine.directory.message_channel(name.as_str());
        self.needs(need);
        let attributes = attributes.as_ref();
        let common = CommonStatus::kept(kept);
        self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
            let value = || match row.keyword {
                "CURRENT" => Some(Value::Integer(is_current.into())),
                _ => common.value(row).or_else(|| besides(row, attributes)),
            };
            is_of_message_channels(row).then(|| value().unwrap_or_else(|| saved_value(row, kept, attributes)))
        });
    }

    fn is_meant(&mut self, names: &NamePattern, channel: ObjectName) -> bool {
        names.matches(channel.as_str()) && self.reach.has(commands::channel(channel))
    }
}

fn no_instance(names: &NamePattern) -> Message {
    Message::new(&messages::NOTHING_MATCHES, ["instance of a channel".to_owned(), names.to_string()])
}

/// The kept states of all channels, and those that a row has told of.
struct Kept {
    channels: Vec<KeptChannel>,
    shown: BTreeSet<ObjectId>,
}

impl Kept {
    /// The state of a channel towards the partner with this QMID, or towards the one that matters: a partner
    /// with batches in doubt, else the last that was met first.
    fn of(&mut self, attributes: &ChannelAttributes, partner: &str) -> Option<&KeptChannel> {
        let direction = if attributes.kind.sends() { Direction::Sends } else { Direction::Receives };
        let is_own = |kept: &&KeptChannel| {
            let sync = &kept.state.sync;
            sync.channel == attributes.name.as_str()
                && sync.direction == direction
                && (partner.is_empty() || sync.partner_identifier == partner)
        };
        let rank = |kept: &&KeptChannel| (!kept.in_doubt.is_empty(), kept.state.object);
        let kept = self.channels.iter().filter(is_own).max_by_key(rank)?;
        self.shown.insert(kept.state.object);
        Some(kept)
    }
}

/// True for the attributes that are not of clients alone.
fn is_of_message_channels(row: &Attribute) -> bool {
    !matches!(row.keyword, "AMQPKA" | "CLIENTID")
}

/// Messages on the transmission queue of a channel that sends.
fn waiting_messages(engine: &Engine, attributes: &ChannelAttributes) -> u32 {
    let queue = attributes.transmission_queue.and_then(|name| engine.directory.catalogue.find(&name).object);
    queue.as_ref().and_then(|object| object.queue()).map_or(0, |queue| queue.depth())
}

fn client_value(row: &Attribute, instance: &InstanceState, is_ending: bool) -> Option<Value> {
    let is_of_amqp = instance.object_type == ObjectType::AmqpChannel;
    Some(match row.keyword {
        "AMQPKA" => Value::Integer(instance.silence_seconds_max?),
        "BUFSRCVD" | "BUFSSENT" | "BYTSRCVD" | "BYTSSENT" => traffic_value(row, &instance.progress.traffic),
        "CHLTYPE" if is_of_amqp => Value::Integer(MQCHT_AMQP),
        "CLIENTID" if !is_of_amqp => return None,
        "CLIENTID" => Value::from(&*instance.client),
        "CHANNEL" => Value::from(&instance.channel),
        "CHSTADA" => date(Some(instance.began)),
        "CHSTATI" => time(Some(instance.began)),
        "COMPHDR" | "COMPMSG" | "COMPRATE" | "COMPTIME" if !is_of_amqp => {
            compression_value(row, &instance.compression)
        }
        "CONNAME" => Value::from(&*instance.address),
        "LSTMSGDA" => date(instance.last_message),
        "LSTMSGTI" => time(instance.last_message),
        "MCASTAT" => Value::Integer(MQMCAS_RUNNING),
        "MCAUSER" => Value::from(&*instance.user),
        "MSGS" => large(instance.progress.messages),
        "RAPPLTAG" => Value::from(&*instance.application),
        "SECPROT" | "SSLCERTI" | "SSLCIPH" | "SSLPEER" => encryption_value(row, &instance.encryption),
        "STATUS" => Value::Integer(if is_ending { MQCHS_STOPPING } else { MQCHS_RUNNING }),
        "STOPREQ" if is_ending => Value::Integer(MQCHSR_STOP_REQUESTED),
        "SUBSTATE" => Value::Integer(instance.progress.substate.value()),
        _ => row.default_value(),
    })
}

/// Values that follow from the definition of a channel.
fn defined_value(engine: &Engine, row: &Attribute, attributes: &ChannelAttributes, waiting: u32) -> Value {
    match row.keyword {
        "CHANNEL" => Value::from(&attributes.name),
        "CHLTYPE" => Value::Integer(attributes.kind.object_type().subtype_value().unwrap_or_default()),
        "CONNAME" => Value::from(&*attributes.connection_name),
        "JOBNAME" => Value::from(format!("{:08X}", engine.ground().host.process()).as_str()),
        "MCAUSER" => Value::from(&*attributes.user),
        "STATCHL" => Value::Integer(attributes.statistics),
        "XMITQ" => {
            attributes.transmission_queue.map_or_else(|| row.default_value(), |name| Value::from(&name))
        }
        "XQMSGSA" => count(waiting),
        _ => row.default_value(),
    }
}

/// Values of the schedule, towards the partner of this identifier.
fn scheduled_value(
    engine: &Engine,
    row: &Attribute,
    attributes: &ChannelAttributes,
    schedule: &Schedule,
    partner: &str,
) -> Option<Value> {
    Some(match row.keyword {
        "LASTERR" => {
            let shown = schedule
                .last_error_with(partner)
                .map(|LastError { reason, text }| format!("{}: {text}", reason.code()));
            Value::from(shown.unwrap_or_default().as_str())
        }
        "LONGRTS" => count(attributes.long_retry.count.saturating_sub(schedule.tried.1)),
        "SHORTRTS" => count(attributes.short_retry.count.saturating_sub(schedule.tried.0)),
        "NEXTTRY" => {
            let at = match schedule.standing {
                Standing::Retries(at) | Standing::Due(at) => Some(at),
                Standing::Inactive | Standing::Active | Standing::Stopped => None,
            };
            let clock = &engine.ground().world.clock;
            let left = at.map(|at| at.since(clock.now()).as_micros() as i64);
            time(left.map(|left| moment(WallTime(clock.wall().0.saturating_add(left)))))
        }
        _ => return None,
    })
}

fn idle_value(
    engine: &Engine,
    row: &Attribute,
    attributes: &ChannelAttributes,
    schedule: &Schedule,
    waiting: u32,
) -> Value {
    match row.keyword {
        "STATUS" => Value::Integer(schedule.standing.state()),
        "STOPREQ" if schedule.standing == Standing::Stopped && !schedule.is_halted => {
            Value::Integer(MQCHSR_STOP_REQUESTED)
        }
        _ => scheduled_value(engine, row, attributes, schedule, &schedule.failed_with.identifier)
            .unwrap_or_else(|| defined_value(engine, row, attributes, waiting)),
    }
}

fn run_value(engine: &Engine, row: &Attribute, run: &RunState, schedule: &Schedule, waiting: u32) -> Value {
    let RunState { attributes, calls, address, began, asked, progress, .. } = run;
    let averages = |averages: Averages| averages_value(row, averages);
    let text = |text: &str| Value::from(text);
    match row.keyword {
        "BATCHES" => large(progress.batches),
        "BATCHSZ" => count(progress.batch_messages_max),
        "BUFSRCVD" | "BUFSSENT" | "BYTSRCVD" | "BYTSSENT" => traffic_value(row, &progress.traffic),
        "CHSTADA" => date(Some(*began)),
        "CHSTATI" => time(Some(*began)),
        "COMPHDR" | "COMPMSG" | "COMPRATE" | "COMPTIME" => compression_value(row, &progress.compression),
        "CONNAME" if !calls => text(address),
        "HBINT" => count(progress.heartbeat_seconds),
        "INFLIGHT" => count(progress.in_flight),
        "KAINT" => {
            let silence = objects::keep_alive(attributes.keep_alive, progress.heartbeat_seconds);
            count(silence.map_or(0, |silence| u32::try_from(silence.as_secs()).unwrap_or(u32::MAX)))
        }
        "LOCLADDR" => text(&progress.local_address),
        "LSTMSGDA" => date(progress.last_message),
        "LSTMSGTI" => time(progress.last_message),
        "MAXMSGL" => count(progress.message_bytes_max),
        "MCASTAT" => Value::Integer(MQMCAS_RUNNING),
        "MCAUSER" if !progress.user.is_empty() => text(&progress.user),
        "MSGS" => large(progress.messages),
        "NETTIME" => averages(progress.net_time),
        "NPMSPEED" => Value::Integer(if progress.is_fast { MQNPMS_FAST } else { MQNPMS_NORMAL }),
        "RAPPLTAG" => text(&progress.program),
        "RPRODUCT" => text(&progress.product),
        "RVERSION" => text(&progress.version),
        "SECPROT" | "SSLCERTI" | "SSLCIPH" | "SSLPEER" => encryption_value(row, &progress.encryption),
        "STATUS" => Value::Integer(progress.state.value()),
        "STOPREQ" if asked.is_some() => Value::Integer(MQCHSR_STOP_REQUESTED),
        "SUBSTATE" => Value::Integer(progress.substate.value()),
        "XBATCHSZ" => averages(progress.batch_messages),
        "XQTIME" => averages(progress.queue_time),
        _ => scheduled_value(engine, row, attributes, schedule, &progress.partner_identifier)
            .unwrap_or_else(|| defined_value(engine, row, attributes, waiting)),
    }
}

fn averages_value(row: &Attribute, averages: Averages) -> Value {
    match averages {
        Averages { short: 0, long: 0 } => row.default_value(),
        Averages { short, long } => {
            let number = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
            Value::Integers([number(short), number(long)].into())
        }
    }
}

fn large(number: u64) -> Value {
    Value::Integer(i32::try_from(number).unwrap_or(i32::MAX))
}

fn traffic_value(row: &Attribute, traffic: &ChannelTraffic) -> Value {
    large(match row.keyword {
        "BUFSRCVD" => traffic.reads,
        "BUFSSENT" => traffic.writes,
        "BYTSRCVD" => traffic.bytes_received,
        _ => traffic.bytes_sent,
    })
}

fn encryption_value(row: &Attribute, encryption: &EncryptionNames) -> Value {
    let EncryptionNames { cipher, peer, issuer } = encryption;
    Value::from(match row.keyword {
        "SECPROT" => return Value::Integer(protection(cipher)),
        "SSLCERTI" => issuer.as_str(),
        "SSLCIPH" => cipher,
        _ => peer,
    })
}

/// The compression of a connection: what was agreed beside what was last done, and its figures.
fn compression_value(row: &Attribute, compression: &CompressionProgress) -> Value {
    let CompressionProgress { agreed: [heads, bodies], last: [last_head, last_body], saved, micros } =
        *compression;
    match row.keyword {
        "COMPHDR" => Value::Integers([heads, last_head].into()),
        "COMPMSG" => Value::Integers([bodies, last_body].into()),
        "COMPRATE" => averages_value(row, saved),
        _ => averages_value(row, micros),
    }
}

/// The protocol of a cipher suite: the MQSECPROT_ value.
fn protection(cipher: &str) -> i32 {
    let is_meant = |spec: &&CipherSpec| spec.name == cipher;
    match CipherSpec::all().iter().find(is_meant).map(|spec| spec.protocol) {
        Some(Protocol::Tls13) => MQSECPROT_TLSV13,
        Some(_) => MQSECPROT_TLSV12,
        None => MQSECPROT_NONE,
    }
}

/// Values of a kept state beside the common status.
fn saved_value(row: &Attribute, kept: &KeptChannel, attributes: Option<&ChannelAttributes>) -> Value {
    let sync = &kept.state.sync;
    match row.keyword {
        "CHANNEL" => Value::from(sync.channel.as_str()),
        "CHLTYPE" => {
            let usual = if sync.direction == Direction::Sends { MQCHT_SENDER } else { MQCHT_RECEIVER };
            let defined = attributes.and_then(|attributes| attributes.kind.object_type().subtype_value());
            Value::Integer(defined.unwrap_or(usual))
        }
        "CONNAME" => Value::from(attributes.map_or("", |attributes| &*attributes.connection_name)),
        "STATUS" => Value::Integer(MQCHS_INACTIVE),
        "XMITQ" => {
            let queue = attributes.and_then(|attributes| attributes.transmission_queue);
            queue.map_or_else(|| row.default_value(), |name| Value::from(&name))
        }
        _ => row.default_value(),
    }
}
