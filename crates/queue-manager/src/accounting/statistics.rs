//! Statistics messages: the calls of all connections, and the traffic of each queue.

use mqi::CorrelationId;
use mqi::constants::*;
use objects::pcf::{ByteOrder, Content, Header, Lengths, Message, Parameter};
use objects::{Moment, ObjectType, attributes};
use queues::counters::collecting::{Counted, Noted};
use queues::counters::{
    BACKOUTS, BROWSE_BYTES, BROWSES, BROWSES_FAILED, CALLS, CLOSES, CLOSES_FAILED, COMMITS, COMMITS_FAILED,
    Count, GET_BYTES, GETS, GETS_FAILED, INQUIRES, INQUIRES_FAILED, OPENS, OPENS_FAILED, PUT_BYTES, PUT1S,
    PUT1S_FAILED, PUTS, PUTS_FAILED, SETS, SETS_FAILED, Totals,
};
use queues::ground::time::moment;
use queues::queue::Queue;
use storage::Lsn;

use crate::directory::Directory;
use crate::message_channels::Tallied;

const STATISTICS: &str = "SYSTEM.ADMIN.STATISTICS.QUEUE";

/// Most queues that one message tells of.
pub(super) const QUEUES_MAX: usize = 100;

/// A message of this kind that is being made: of statistics, or of accounting.
pub(super) struct Telling {
    pub(super) queue: &'static str,
    /// An MQCFT_ value.
    pub(super) kind: i32,
    /// An MQCMD_ value.
    pub(super) command: i32,
}

/// The counts of all connections from one report to the next.
pub(crate) struct Period {
    pub(crate) began: Moment,
    pub(crate) ended: Moment,
    pub(crate) calls: Totals<CALLS>,
    /// Events.
    pub(crate) noted: [u64; Noted::COUNT],
    /// Most connections at one time.
    pub(crate) connections_most: u64,
}

impl Directory {
    /// Reports the counts of a period.
    pub(crate) fn tell_period(&self, period: &Period) -> Lsn {
        let Period { began, ended, .. } = *period;
        let mut need = Lsn::ZERO;
        if self.queues.collecting.is(Counted::Calls) {
            let mut parameters = self.told_period(began, ended);
            let times = |what: Noted| period.noted[what as usize];
            parameters.push(number(MQIAMO_CONNS, times(Noted::Connected)));
            parameters.push(number(MQIAMO_CONNS_FAILED, times(Noted::NotConnected)));
            parameters.push(number(MQIAMO_CONNS_MAX, period.connections_most));
            let disconnected = [Noted::Disconnected, Noted::Vanished, Noted::Ended].map(times);
            parameters.push(numbers(MQIAMO_DISCS, &disconnected));
            parameters.extend(calls(&period.calls));
            parameters.push(number(MQIAMO_MSGS_EXPIRED, times(Noted::Expired)));
            parameters.push(number(MQIAMO_MSGS_PURGED, times(Noted::Purged)));
            let telling =
                Telling { queue: STATISTICS, kind: MQCFT_STATISTICS, command: MQCMD_STATISTICS_MQI };
            need = self.tell_one(&telling, (1, true), parameters);
        }
        let queues = self.queues.all();
        let of_queues: Vec<_> = queues.iter().filter_map(|queue| self.traffic_of(queue)).collect();
        need = need.max(self.tell_of_queues(&of_queues, (began, ended)));
        let tallies = self.message_channels.take_tallies();
        let of_channels: Vec<_> = tallies.iter().map(of_channel).collect();
        let telling =
            Telling { queue: STATISTICS, kind: MQCFT_STATISTICS, command: MQCMD_STATISTICS_CHANNEL };
        let head = self.told_period(began, ended);
        need.max(self.tell_groups(&telling, &head, MQGACF_CHL_STATISTICS_DATA, &of_channels))
    }

    /// Reports the statistics of one queue, which is not counted from now on.
    pub(super) fn tell_statistics_of(&self, queue: &Queue) {
        let began = self.queues.collecting.since.lock().began;
        if let Some(told) = self.traffic_of(queue) {
            self.tell_of_queues(&[told], (began, moment(self.ground().world.clock.wall())));
        }
    }

    /// Takes the traffic of a queue and begins anew; none when there was no traffic.
    fn traffic_of(&self, queue: &Queue) -> Option<Vec<Parameter>> {
        let traffic = queue.traffic_counted()?.take();
        let period = queue.take_period().unwrap_or_default();
        let passed = period.expired + period.purged + period.not_queued;
        if traffic.is_empty() && passed == 0 && period.waited.iter().all(|waited| waited.messages == 0) {
            return None;
        }
        let mut told = self.described(queue);
        told.push(number(MQIAMO_Q_MIN_DEPTH, u64::from(period.depth_lowest)));
        told.push(number(MQIAMO_Q_MAX_DEPTH, u64::from(period.depth_highest)));
        told.push(numbers_64(MQIAMO64_AVG_Q_TIME, &period.waited.map(|waited| waited.mean())));
        told.push(numbers(MQIAMO_PUTS, traffic.of(PUTS)));
        told.push(total(MQIAMO_PUTS_FAILED, traffic.of(PUTS_FAILED)));
        told.push(numbers(MQIAMO_PUT1S, traffic.of(PUT1S)));
        told.push(total(MQIAMO_PUT1S_FAILED, traffic.of(PUT1S_FAILED)));
        told.push(numbers_64(MQIAMO64_PUT_BYTES, traffic.of(PUT_BYTES)));
        told.push(numbers(MQIAMO_GETS, traffic.of(GETS)));
        told.push(total(MQIAMO_GETS_FAILED, traffic.of(GETS_FAILED)));
        told.push(numbers_64(MQIAMO64_GET_BYTES, traffic.of(GET_BYTES)));
        told.push(numbers(MQIAMO_BROWSES, traffic.of(BROWSES)));
        told.push(total(MQIAMO_BROWSES_FAILED, traffic.of(BROWSES_FAILED)));
        told.push(numbers_64(MQIAMO64_BROWSE_BYTES, traffic.of(BROWSE_BYTES)));
        told.push(number(MQIAMO_MSGS_NOT_QUEUED, period.not_queued));
        told.push(number(MQIAMO_MSGS_EXPIRED, period.expired));
        told.push(number(MQIAMO_MSGS_PURGED, period.purged));
        Some(told)
    }

    fn tell_of_queues(&self, of_queues: &[Vec<Parameter>], (began, ended): (Moment, Moment)) -> Lsn {
        let telling = Telling { queue: STATISTICS, kind: MQCFT_STATISTICS, command: MQCMD_STATISTICS_Q };
        let head = self.told_period(began, ended);
        self.tell_groups(&telling, &head, MQGACF_Q_STATISTICS_DATA, of_queues)
    }

    /// Tells of queues, of so many in each message.
    pub(super) fn tell_groups(
        &self,
        telling: &Telling,
        head: &[Parameter],
        group: i32,
        of_queues: &[Vec<Parameter>],
    ) -> Lsn {
        let messages = of_queues.len().div_ceil(QUEUES_MAX);
        let mut need = Lsn::ZERO;
        for (index, of_queues) in of_queues.chunks(QUEUES_MAX).enumerate() {
            let mut parameters = head.to_vec();
            parameters.push(number(MQIAMO_OBJECT_COUNT, of_queues.len() as u64));
            let groups = of_queues.iter().map(|told| Parameter::new(group, Content::Group(told.clone())));
            parameters.extend(groups);
            let sequence = i32::try_from(index + 1).unwrap_or(i32::MAX);
            need = need.max(self.tell_one(telling, (sequence, index + 1 == messages), parameters));
        }
        need
    }

    pub(super) fn tell_one(
        &self,
        telling: &Telling,
        (sequence, is_last): (i32, bool),
        parameters: Vec<Parameter>,
    ) -> Lsn {
        let header = Header {
            kind: telling.kind,
            version: MQCFH_VERSION_3,
            sequence,
            control: if is_last { MQCFC_LAST } else { MQCFC_NOT_LAST },
            ..Header::command(telling.command)
        };
        let body = Message { header, parameters }.encode_with(ByteOrder::NATIVE, Lengths::OfRecords);
        self.tell(telling.queue, MQFMT_ADMIN, CorrelationId::NONE, &body, Lsn::ZERO)
    }

    /// Returns the parameters that begin every such message.
    pub(super) fn told_period(&self, began: Moment, ended: Moment) -> Vec<Parameter> {
        let manager = self.catalogue.manager();
        let level = attributes::by_selector(ObjectType::QueueManager, MQIA_COMMAND_LEVEL)
            .and_then(|row| manager.definition.value(row)?.as_integer())
            .unwrap_or_default();
        vec![
            Parameter::text(MQCA_Q_MGR_NAME, self.name.as_str()),
            date(MQCAMO_START_DATE, began),
            time(MQCAMO_START_TIME, began),
            date(MQCAMO_END_DATE, ended),
            time(MQCAMO_END_TIME, ended),
            Parameter::integer(MQIA_COMMAND_LEVEL, level),
        ]
    }

    /// Returns the parameters that identify a queue.
    pub(super) fn described(&self, queue: &Queue) -> Vec<Parameter> {
        let mut described = vec![Parameter::text(MQCA_Q_NAME, queue.name.as_str())];
        if let Some(object) = self.catalogue.find(&queue.name).object {
            let current = object.current();
            let shown = |selector| {
                let row = attributes::by_selector(object.object_type(), selector)?;
                current.definition.value(row)
            };
            for selector in [MQCA_CREATION_DATE, MQCA_CREATION_TIME] {
                let text = shown(selector);
                let text = text.as_ref().and_then(|value| value.as_text()).unwrap_or_default();
                described.push(Parameter::text(selector, text));
            }
            for selector in [MQIA_Q_TYPE, MQIA_DEFINITION_TYPE] {
                let number = shown(selector).and_then(|value| value.as_integer()).unwrap_or_default();
                described.push(Parameter::integer(selector, number));
            }
        }
        described
    }
}

/// The calls of a connection, or of all.
pub(super) fn calls(made: &Totals<CALLS>) -> Vec<Parameter> {
    let lists = |rows: &[(i32, Count)]| {
        rows.iter().map(|(identifier, count)| numbers(*identifier, made.of(*count))).collect::<Vec<_>>()
    };
    let mut told = lists(&[
        (MQIAMO_OPENS, OPENS),
        (MQIAMO_OPENS_FAILED, OPENS_FAILED),
        (MQIAMO_CLOSES, CLOSES),
        (MQIAMO_CLOSES_FAILED, CLOSES_FAILED),
        (MQIAMO_INQS, INQUIRES),
        (MQIAMO_INQS_FAILED, INQUIRES_FAILED),
        (MQIAMO_SETS, SETS),
        (MQIAMO_SETS_FAILED, SETS_FAILED),
    ]);
    told.push(numbers(MQIAMO_PUTS, made.of(PUTS)));
    told.push(total(MQIAMO_PUTS_FAILED, made.of(PUTS_FAILED)));
    told.push(numbers(MQIAMO_PUT1S, made.of(PUT1S)));
    told.push(total(MQIAMO_PUT1S_FAILED, made.of(PUT1S_FAILED)));
    told.push(numbers_64(MQIAMO64_PUT_BYTES, made.of(PUT_BYTES)));
    told.push(numbers(MQIAMO_GETS, made.of(GETS)));
    told.push(numbers_64(MQIAMO64_GET_BYTES, made.of(GET_BYTES)));
    told.push(total(MQIAMO_GETS_FAILED, made.of(GETS_FAILED)));
    told.push(numbers(MQIAMO_BROWSES, made.of(BROWSES)));
    told.push(numbers_64(MQIAMO64_BROWSE_BYTES, made.of(BROWSE_BYTES)));
    told.push(total(MQIAMO_BROWSES_FAILED, made.of(BROWSES_FAILED)));
    told.push(total(MQIAMO_COMMITS, made.of(COMMITS)));
    told.push(total(MQIAMO_COMMITS_FAILED, made.of(COMMITS_FAILED)));
    told.push(total(MQIAMO_BACKOUTS, made.of(BACKOUTS)));
    told
}

/// The figures of an instance of a channel.
fn of_channel(tallied: &Tallied) -> Vec<Parameter> {
    let Tallied { attributes, partner, address, tally } = tallied;
    let net = &tally.net_times;
    vec![
        Parameter::text(MQCACH_CHANNEL_NAME, attributes.name.as_str()),
        Parameter::integer(
            MQIACH_CHANNEL_TYPE,
            attributes.kind.object_type().subtype_value().unwrap_or_default(),
        ),
        Parameter::text(MQCA_REMOTE_Q_MGR_NAME, partner.as_str()),
        Parameter::text(MQCACH_CONNECTION_NAME, address.as_str()),
        numbers(MQIAMO_MSGS, &tally.messages),
        numbers_64(MQIAMO64_BYTES, &tally.bytes),
        number(MQIAMO_NET_TIME_MIN, net.least),
        number(MQIAMO_NET_TIME_AVG, net.mean()),
        number(MQIAMO_NET_TIME_MAX, net.most),
        // There are no exits.
        number(MQIAMO_EXIT_TIME_MIN, 0),
        number(MQIAMO_EXIT_TIME_AVG, 0),
        number(MQIAMO_EXIT_TIME_MAX, 0),
        number(MQIAMO_FULL_BATCHES, tally.full_batches),
        number(MQIAMO_INCOMPLETE_BATCHES, tally.incomplete_batches),
        number(MQIAMO_AVG_BATCH_SIZE, tally.batch_size()),
        number(MQIAMO_PUT_RETRIES, tally.retries),
    ]
}

fn integer(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(super) fn number(identifier: i32, value: u64) -> Parameter {
    Parameter::integer(identifier, integer(value))
}

pub(super) fn numbers(identifier: i32, values: &[u64]) -> Parameter {
    Parameter::new(identifier, Content::Integers(values.iter().copied().map(integer).collect()))
}

/// Returns one number for the sum of several counts.
pub(super) fn total(identifier: i32, values: &[u64]) -> Parameter {
    number(identifier, values.iter().sum())
}

pub(super) fn numbers_64(identifier: i32, values: &[u64]) -> Parameter {
    let integer = |value: &u64| i64::try_from(*value).unwrap_or(i64::MAX);
    Parameter::new(identifier, Content::Integers64(values.iter().map(integer).collect()))
}

pub(super) fn date(identifier: i32, moment: Moment) -> Parameter {
    Parameter::text(identifier, moment.date())
}

pub(super) fn time(identifier: i32, moment: Moment) -> Parameter {
    Parameter::text(identifier, moment.time())
}
