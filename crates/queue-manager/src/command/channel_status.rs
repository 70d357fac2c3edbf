//! DISPLAY CHSTATUS: instances that run, channels that wait for their next try, and the state that is kept
//! towards partners.

use std::collections::BTreeSet;

use mqi::constants::*;
use mqi::{NamePattern, ObjectName};
use objects::{Attribute, ChannelAttributes, Message, ObjectType, StatusType, Subject, Value, messages};
use platform::WallTime;
use security::cipherspecs::{CipherSpec, Protocol};
use storage::record::ChannelBatch;
use storage::{Direction, ObjectId};

use super::display::Answer;
use super::values::{count, date, time};
use crate::authority::commands;
use crate::engine::Engine;
use crate::ground::time::moment;
use crate::instances::InstanceState;
use crate::message_channels::{
    Averages, ChannelProgress, CompressionProgress, LastError, Luwid, RunState, Schedule, Standing,
};
use crate::state_objects::ChannelState;
use crate::unit_of_work::prepared::PreparedPurpose;

const SUBJECT: Subject = Subject::Status(StatusType::Channel);

impl Answer<'_> {
    /// The instances that there are, and the channels that are to run again or were stopped.
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
        let mut shown = BTreeSet::new();
        for run in engine.message_channels.states() {
            let name = run.attributes.name;
            shown.insert((name, run.progress.partner_identifier.clone()));
            if !self.has_turn(|| format!("2{:016X}", run.number)) {
                continue;
            }
            if !self.is_meant(names, name) {
                continue;
            }
            let schedule = engine.message_channels.schedule(&name);
            let waiting = waiting_messages(engine, &run.attributes);
            self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
                is_of_message_channels(row).then(|| run_value(engine, row, &run, &schedule, waiting))
            });
        }
        let mut scheduled = engine.message_channels.scheduled();
        scheduled.sort_unstable();
        for name in scheduled {
            if !self.has_turn(|| format!("3{name}")) {
                continue;
            }
            let (attributes, need) = engine.message_channel(name.as_str());
            let schedule = engine.message_channels.schedule(&name);
            // Beside instances with other partners: the end of one with this.
            let failed_with = &*schedule.failed_with.identifier;
            let is_shown = shown.iter().any(|(channel, partner)| {
                *channel == name && (failed_with.is_empty() || partner == failed_with)
            });
            let Some(attributes) = attributes.filter(|_| !is_shown) else { continue };
            if !self.is_meant(names, name) {
                continue;
            }
            self.needs(need);
            let waiting = waiting_messages(engine, &attributes);
            self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
                is_of_message_channels(row).then(|| idle_value(engine, row, &attributes, &schedule, waiting))
            });
        }
        no_instance(names)
    }

    /// The state that channels keep towards each partner.
    pub(super) fn channel_states(&mut self, engine: &Engine, names: &NamePattern) -> Message {
        let states = engine.channel_states();
        self.needs(states.need());
        let mut states = states.into_inner();
        states.sort_unstable_by_key(|state| state.object);
        for state in states {
            if !self.has_turn(|| format!("{:016X}", state.object.0)) {
                continue;
            }
            let Ok(name) = state.sync.channel.parse::<ObjectName>() else { continue };
            if !self.is_meant(names, name) {
                continue;
            }
            let (attributes, need) = engine.message_channel(name.as_str());
            let (in_doubt, seen) = in_doubt(engine, state.object);
            self.needs(need.max(seen));
            self.add(SUBJECT, &messages::CHANNEL_STATUS_DETAILS, |row| {
                is_of_message_channels(row).then(|| saved_value(row, &state, attributes.as_ref(), &in_doubt))
            });
        }
        no_instance(names)
    }

    fn is_meant(&mut self, names: &NamePattern, channel: ObjectName) -> bool {
        names.matches(channel.as_str()) && self.reach.has(commands::channel(channel))
    }
}

fn no_instance(names: &NamePattern) -> Message {
    Message::new(&messages::NOTHING_MATCHES, ["instance of a channel".to_owned(), names.to_string()])
}

/// The batches of a state object that are in doubt, and their messages, the last batch last.
fn in_doubt(engine: &Engine, object: ObjectId) -> (Vec<(ChannelBatch, usize)>, storage::Lsn) {
    let prepared = engine.prepared_units();
    let need = prepared.need();
    let of_channel = prepared.into_inner().into_iter().filter_map(|unit| match unit.purpose {
        PreparedPurpose::Channel(batch) if batch.sync_object == object => Some((batch, unit.messages.len())),
        PreparedPurpose::Channel(_) | PreparedPurpose::Branch(_) => None,
    });
    let mut batches: Vec<_> = of_channel.collect();
    batches.sort_by_key(|(batch, _)| batch.batch);
    (batches, need)
}

/// True for the attributes that are not of clients alone.
fn is_of_message_channels(row: &Attribute) -> bool {
    !matches!(row.keyword, "AMQPKA" | "CLIENTID")
}

/// Messages on the transmission queue of a channel that sends.
fn waiting_messages(engine: &Engine, attributes: &ChannelAttributes) -> u32 {
    let queue = attributes.transmission_queue.and_then(|name| engine.catalogue.find(&name).object);
    queue.as_ref().and_then(|object| object.queue()).map_or(0, |queue| queue.depth())
}

fn client_value(row: &Attribute, instance: &InstanceState, is_ending: bool) -> Option<Value> {
    let is_of_amqp = instance.object_type == ObjectType::AmqpChannel;
    Some(match row.keyword {
        "AMQPKA" => Value::Integer(instance.silence_seconds_max?),
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
        "MCASTAT" => Value::Integer(MQMCAS_RUNNING),
        "MCAUSER" => Value::from(&*instance.user),
        "RAPPLTAG" => Value::from(&*instance.application),
        "STATUS" => Value::Integer(if is_ending { MQCHS_STOPPING } else { MQCHS_RUNNING }),
        "STOPREQ" if is_ending => Value::Integer(MQCHSR_STOP_REQUESTED),
        _ => row.default_value(),
    })
}

/// Values that follow from the definition of a channel.
fn defined_value(engine: &Engine, row: &Attribute, attributes: &ChannelAttributes, waiting: u32) -> Value {
    match row.keyword {
        "CHANNEL" => Value::from(&attributes.name),
        "CHLTYPE" => Value::Integer(attributes.kind.object_type().subtype_value().unwrap_or_default()),
        "CONNAME" => Value::from(&*attributes.connection_name),
        "JOBNAME" => Value::from(format!("{:08X}", engine.host.process()).as_str()),
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
            let clock = &engine.world.clock;
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
    let failed_with = &schedule.failed_with;
    match row.keyword {
        "STATUS" => Value::Integer(schedule.standing.state()),
        "RQMID" => Value::from(&*failed_with.identifier),
        "RQMNAME" => Value::from(&*failed_with.name),
        _ => scheduled_value(engine, row, attributes, schedule, &failed_with.identifier)
            .unwrap_or_else(|| defined_value(engine, row, attributes, waiting)),
    }
}

fn run_value(engine: &Engine, row: &Attribute, run: &RunState, schedule: &Schedule, waiting: u32) -> Value {
    let RunState { attributes, calls, address, began, asked, progress, .. } = run;
    let large = |number: u64| Value::Integer(i32::try_from(number).unwrap_or(i32::MAX));
    let luwid = |luwid: Luwid| Value::from(luwid.to_hex().as_str());
    let averages = |averages: Averages| averages_value(row, averages);
    let text = |text: &str| Value::from(text);
    let ChannelProgress { current, last, .. } = progress;
    match row.keyword {
        "BATCHES" => large(progress.batches),
        "BATCHSZ" => count(progress.batch_messages_max),
        "BUFSRCVD" => large(progress.buffers_received),
        "BUFSSENT" => large(progress.buffers_sent),
        "BYTSRCVD" => large(progress.bytes_received),
        "BYTSSENT" => large(progress.bytes_sent),
        "CHSTADA" => date(Some(*began)),
        "CHSTATI" => time(Some(*began)),
        "COMPHDR" | "COMPMSG" | "COMPRATE" | "COMPTIME" => compression_value(row, &progress.compression),
        "CONNAME" if !calls => text(address),
        "CURLUWID" => luwid(*current),
        "CURMSGS" => count(progress.current_messages),
        "CURSEQNO" => count(progress.current_sequence),
        "HBINT" => count(progress.heartbeat_seconds),
        "INDOUBT" if progress.in_doubt => Value::Integer(MQCHIDS_INDOUBT),
        "INFLIGHT" => count(progress.in_flight),
        "KAINT" => {
            let silence = objects::keep_alive(attributes.keep_alive, progress.heartbeat_seconds);
            count(silence.map_or(0, |silence| u32::try_from(silence.as_secs()).unwrap_or(u32::MAX)))
        }
        "LOCLADDR" => text(&progress.local_address),
        "LSTLUWID" => luwid(*last),
        "LSTMSGDA" => date(progress.last_message),
        "LSTMSGTI" => time(progress.last_message),
        "LSTSEQNO" => count(progress.last_sequence),
        "MAXMSGL" => count(progress.message_bytes_max),
        "MCASTAT" => Value::Integer(MQMCAS_RUNNING),
        "MCAUSER" if !progress.user.is_empty() => text(&progress.user),
        "MSGS" => large(progress.messages),
        "NETTIME" => averages(progress.net_time),
        "NPMSPEED" => Value::Integer(if progress.is_fast { MQNPMS_FAST } else { MQNPMS_NORMAL }),
        "RAPPLTAG" => text(&progress.program),
        "RPRODUCT" => text(&progress.product),
        "RQMID" => text(&progress.partner_identifier),
        "RQMNAME" => text(&progress.partner),
        "RVERSION" => text(&progress.version),
        "SECPROT" => Value::Integer(protection(&progress.cipher)),
        "SSLCERTI" => text(&progress.issuer),
        "SSLCIPH" => text(&progress.cipher),
        "SSLPEER" => text(&progress.peer),
        "STATUS" => Value::Integer(progress.state.value()),
        "STOPREQ" if asked.is_some() => Value::Integer(MQCHSR_STOP_REQUESTED),
        "SUBSTATE" => Value::Integer(progress.substate),
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

fn saved_value(
    row: &Attribute,
    state: &ChannelState,
    attributes: Option<&ChannelAttributes>,
    in_doubt: &[(ChannelBatch, usize)],
) -> Value {
    let ChannelState { sync, confirmed, .. } = state;
    let line = sync.line.0;
    let luwid = |batch: u64| Value::from(Luwid { line, batch }.to_hex().as_str());
    let current = in_doubt.last();
    let sends = sync.direction == Direction::Sends;
    match row.keyword {
        "CHANNEL" => Value::from(sync.channel.as_str()),
        "CHLTYPE" => {
            let usual = if sends { MQCHT_SENDER } else { MQCHT_RECEIVER };
            let defined = attributes.and_then(|attributes| attributes.kind.object_type().subtype_value());
            Value::Integer(defined.unwrap_or(usual))
        }
        "CONNAME" => Value::from(attributes.map_or("", |attributes| &*attributes.connection_name)),
        "CURLUWID" => luwid(current.map_or(0, |(batch, _)| batch.batch)),
        "CURMSGS" => count(current.map_or(0, |(_, messages)| u32::try_from(*messages).unwrap_or(u32::MAX))),
        "CURSEQNO" => count(current.map_or(0, |(batch, _)| batch.last_sequence)),
        "INDOUBT" if current.is_some() => Value::Integer(MQCHIDS_INDOUBT),
        "LSTLUWID" => luwid(confirmed.map_or(0, |last| last.batch)),
        "LSTSEQNO" => count(confirmed.map_or(0, |last| last.sequence)),
        "RQMID" => Value::from(sync.partner_identifier.as_str()),
        "RQMNAME" => Value::from(sync.partner.as_str()),
        "STATUS" => Value::Integer(MQCHS_INACTIVE),
        "XMITQ" => {
            let queue = attributes.and_then(|attributes| attributes.transmission_queue);
            queue.map_or_else(|| row.default_value(), |name| Value::from(&name))
        }
        _ => row.default_value(),
    }
}
