//! The figures of every channel that is defined, whether it runs or not.
//!
//! Lives here: putting definitions, instances, schedule and the kept states together. Lives elsewhere: the
//! sums (`message_channels`, `instances`), the states (`sync_objects`), the rows (`figures`).
//!
//! Always: a channel has one entry, absent instances count as zero, and a batch in doubt is the log's word.

use std::collections::{BTreeMap, BTreeSet};

use mqi::ObjectName;
use mqi::constants::{MQIACH_MAX_INSTANCES, MQIACH_MAX_INSTS_PER_CLIENT};
use objects::{ChannelAttributes, Definition, Family, Moment, ObjectType, Subject, attributes};
use queues::gate::{BehindGate, Gated};
use queues::state_objects::KeptChannel;
use storage::{Direction, Lsn};

use crate::command::live::ChannelOverview;
use crate::engine::Engine;
use crate::instances::is_of_clients;
use crate::message_channels::{Averages, ChannelTotals, RunState, RunningState, Schedule, Standing};

/// The facts about all channels at one moment.
struct Facts {
    totals: BTreeMap<ObjectName, ChannelTotals>,
    of_clients: BTreeMap<ObjectName, ChannelTotals>,
    clients_stopped: BTreeSet<ObjectName>,
    /// Instances of clients: those that run, and those that end.
    clients: BTreeMap<ObjectName, (u64, u64)>,
    runs: BTreeMap<ObjectName, Vec<RunState>>,
    kept: BTreeMap<String, Vec<KeptChannel>>,
}

impl Facts {
    fn of(engine: &Engine) -> (Self, Lsn) {
        let (of_clients, clients_stopped) = engine.instances.totals();
        let mut clients = BTreeMap::<ObjectName, (u64, u64)>::new();
        for (_, instance, is_ending) in engine.instances.states() {
            let (running, ending) = clients.entry(instance.channel).or_default();
            *if is_ending { ending } else { running } += 1;
        }
        let mut runs = BTreeMap::<ObjectName, Vec<RunState>>::new();
        for run in engine.message_channels.states() {
            runs.entry(run.attributes.name).or_default().push(run);
        }
        let states = engine.kept_channels();
        let need = states.need();
        let mut kept = BTreeMap::<String, Vec<KeptChannel>>::new();
        for state in states.into_inner() {
            kept.entry(state.state.sync.channel.clone()).or_default().push(state);
        }
        let totals = engine.message_channels.totals();
        (Self { totals, of_clients, clients_stopped, clients, runs, kept }, need)
    }
}

impl Engine {
    /// Looks at every channel that is defined, by name.
    pub(crate) fn channel_figures(&self) -> Gated<Vec<ChannelOverview>> {
        let (facts, mut need) = Facts::of(self);
        let mut channels = Vec::new();
        for defined in self.directory.catalogue.all_defined(Family::Channel) {
            let current = defined.current();
            need = need.max(current.need);
            let object_type = defined.object_type();
            let (figures, partner) = match ChannelAttributes::of(&current.definition) {
                Some(attributes) => self.of_message_channel(&attributes, &facts),
                None if is_of_clients(object_type) => {
                    (of_clients(&current.definition, &facts), String::new())
                }
                // A definition for clients: it lies in their tables, and never runs here.
                None => (figures::Channel { inactive: 1, ..figures::Channel::default() }, String::new()),
            };
            channels.push(ChannelOverview {
                name: *current.definition.name(),
                kind: object_type.subtype().unwrap_or_default(),
                description: text(&current.definition, "DESCR"),
                partner,
                connection_name: text(&current.definition, "CONNAME"),
                cipher: text(&current.definition, "SSLCIPH"),
                figures,
            });
        }
        Gated::new(need, channels)
    }

    fn of_message_channel(
        &self,
        attributes: &ChannelAttributes,
        facts: &Facts,
    ) -> (figures::Channel, String) {
        let name = attributes.name;
        let totals = facts.totals.get(&name).copied().unwrap_or_default();
        let mut figures = totals_of(&totals);
        let runs = facts.runs.get(&name).map(Vec::as_slice).unwrap_or_default();
        let schedule = self.message_channels.schedule(&name);
        note_status(&mut figures, runs, &schedule);
        let direction = if attributes.kind.sends() { Direction::Sends } else { Direction::Receives };
        let kept = facts.kept.get(name.as_str()).into_iter().flatten();
        let kept: Vec<_> = kept.filter(|kept| kept.state.sync.direction == direction).collect();
        let in_doubt = kept.iter().flat_map(|kept| &kept.in_doubt);
        figures.in_doubt = in_doubt.map(|batch| u64::from(batch.messages)).sum();
        if figures.in_doubt > 0 && figures.running + figures.ending == 0 {
            // A batch that a restart found has had no connection since the start.
            figures.in_doubt_seconds = self
                .ground()
                .now()
                .since(totals.ended.unwrap_or_else(|| self.message_channels.began()))
                .as_secs();
        }
        let queue =
            attributes.transmission_queue.and_then(|queue| self.directory.catalogue.find(&queue).object);
        let queue = queue.as_ref().and_then(|object| object.queue());
        figures.waiting = queue.map_or(0, |queue| queue.depth().into());
        let met = runs.iter().map(|run| run.progress.partner.as_str());
        let partners: BTreeSet<&str> = met
            .chain(kept.iter().map(|kept| kept.state.sync.partner.as_str()))
            .filter(|partner| !partner.is_empty())
            .collect();
        let only = (partners.len() == 1).then(|| partners.into_iter().next()).flatten();
        (figures, only.unwrap_or_default().to_owned())
    }
}

/// The text of an attribute; blank for a type of channel without it.
fn text(definition: &Definition, keyword: &str) -> String {
    let row = attributes::by_keyword(Subject::Object(definition.object_type()), keyword);
    let value = row.and_then(|row| definition.value(row));
    value.as_ref().and_then(|value| value.as_text()).unwrap_or_default().trim_end().to_owned()
}

/// The instances of a message channel by their status; without any the channel has one.
fn note_status(figures: &mut figures::Channel, runs: &[RunState], schedule: &Schedule) {
    for run in runs {
        *match run.progress.state {
            RunningState::Running | RunningState::Paused => &mut figures.running,
            RunningState::Stopping => &mut figures.ending,
            RunningState::Starting | RunningState::Binding | RunningState::Requesting => {
                &mut figures.changing
            }
        } += 1;
    }
    figures.halted = u64::from(schedule.standing == Standing::Stopped && schedule.is_halted);
    match schedule.standing {
        Standing::Stopped => figures.stopped = 1,
        _ if !runs.is_empty() => {}
        Standing::Retries(_) => figures.retrying = 1,
        Standing::Due(_) | Standing::Active => figures.changing = 1,
        Standing::Inactive => figures.inactive = 1,
    }
}

fn of_clients(definition: &Definition, facts: &Facts) -> figures::Channel {
    let name = definition.name();
    let totals = facts.of_clients.get(name).copied().unwrap_or_default();
    let (running, ending) = facts.clients.get(name).copied().unwrap_or_default();
    let stopped = u64::from(facts.clients_stopped.contains(name));
    let number = |selector| u64::try_from(definition.integer(selector)).unwrap_or_default();
    let has_of_client = definition.object_type() == ObjectType::ServerConnectionChannel;
    figures::Channel {
        running,
        ending,
        stopped,
        inactive: u64::from(running + ending + stopped == 0),
        instances_max: number(MQIACH_MAX_INSTANCES),
        client_instances_max: if has_of_client { number(MQIACH_MAX_INSTS_PER_CLIENT) } else { 0 },
        ..totals_of(&totals)
    }
}

fn totals_of(totals: &ChannelTotals) -> figures::Channel {
    let average =
        |Averages { short, long }| figures::Average { short: u64::from(short), long: u64::from(long) };
    let micros = |Moment(seconds): Moment| u64::try_from(seconds).unwrap_or_default() * 1_000_000;
    figures::Channel {
        messages: totals.messages,
        bytes_sent: totals.traffic.bytes_sent,
        bytes_received: totals.traffic.bytes_received,
        buffers_sent: totals.traffic.writes,
        buffers_received: totals.traffic.reads,
        batches: totals.batches,
        retries: totals.retries,
        batch_messages: average(totals.batch_messages),
        net_micros: average(totals.net_time),
        wait_micros: average(totals.queue_time),
        compression_percent: totals.saved.short.into(),
        last_message_micros: totals.last_message.map_or(0, micros),
        ..figures::Channel::default()
    }
}
