//! The fates of units of work, of messages, and of each delivery of a message.

use super::calls::{Call, History, Map, Moment};
use super::{Class, Fault};
use crate::history::{Action, MessageIdentity, Outcome};

pub(super) type UnitKey = (u32, u64);

#[derive(Debug)]
pub(super) struct Fates<'a> {
    pub(super) units: Map<UnitKey, Unit>,
    pub(super) messages: Vec<Message<'a>>,
    /// Gets whose caller never learned what they gave: each may have taken one message of the queue for good.
    pub(super) silent_gets: Map<&'a str, Vec<Moment>>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) fate: UnitFate,
    /// When the commit or backout that decided was asked for; nothing when it was the queue manager that
    /// decided.
    pub(super) asked: Option<Moment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitFate {
    Committed {
        at: Moment,
    },
    /// With the moment from which its messages are certainly back, where known.
    BackedOut {
        at: Option<Moment>,
    },
    Uncertain,
}

#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) identity: MessageIdentity,
    pub(super) queue: &'a str,
    pub(super) priority: u8,
    pub(super) persistent: bool,
    pub(super) unit: Option<UnitKey>,
    pub(super) put_invoked: Moment,
    pub(super) put: PutFate,
    /// In the order in which they were answered, which is that in which they happened: a message is given out
    /// again only once its holder let it go, and nobody lets go what he was not given yet. He may well have
    /// asked before the other.
    pub(super) deliveries: Vec<Delivery>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PutFate {
    /// Certainly there from this moment.
    Present {
        from: Moment,
    },
    Absent,
    /// There or not.
    Maybe,
    /// There exactly if its unit stands.
    WithUnit(UnitKey),
}

impl PutFate {
    pub(super) fn is_uncertain(self) -> bool {
        matches!(self, Self::Maybe | Self::WithUnit(_))
    }
}

/// A message given out once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delivery {
    pub(super) client: u32,
    pub(super) invoked: Moment,
    pub(super) answered: Moment,
    pub(super) selective: bool,
    pub(super) unit: Option<UnitKey>,
    pub(super) fate: DeliveryFate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeliveryFate {
    /// Gone for good from this moment.
    Final {
        at: Moment,
    },
    /// Given back, at the latest at this moment where known.
    Returned {
        at: Option<Moment>,
    },
    WithUnit(UnitKey),
}

impl Message<'_> {
    pub(super) fn is_consumed(&self) -> bool {
        self.final_deliveries().next().is_some()
    }

    pub(super) fn final_deliveries(&self) -> impl Iterator<Item = (&Delivery, Moment)> {
        self.deliveries.iter().filter_map(|delivery| match delivery.fate {
            DeliveryFate::Final { at } => Some((delivery, at)),
            _ => None,
        })
    }

    pub(super) fn name(&self) -> String {
        format!("message {} of putter {} on {}", self.identity.sequence, self.identity.putter, self.queue)
    }
}

impl<'a> Fates<'a> {
    pub(super) fn of(history: &History<'a>, faults: &mut Vec<Fault>) -> Self {
        let mut fates = Self { units: units(history), messages: Vec::new(), silent_gets: Map::default() };
        let mut known = Map::default();
        for call in &history.calls {
            fates.add_put(call, &mut known, faults);
        }
        for call in &history.calls {
            fates.add_get(call, &known, faults);
        }
        for message in &mut fates.messages {
            message.deliveries.sort_by_key(|delivery| delivery.answered);
        }
        fates
    }

    fn add_put(&mut self, call: &Call<'a>, known: &mut Map<(u32, u64), usize>, faults: &mut Vec<Fault>) {
        let Action::Put { queue, message, priority, persistent, unit } = call.action else { return };
        let unit = unit.map(|unit| (call.client, unit));
        let message = Message {
            identity: *message,
            queue,
            priority: *priority,
            persistent: *persistent,
            unit,
            put_invoked: call.invoked,
            put: self.put_fate(call, unit),
            deliveries: Vec::new(),
        };
        let key = (message.identity.putter, message.identity.sequence);
        if known.insert(key, self.messages.len()).is_some() {
            faults
                .push(Fault { class: Class::Misrecorded, text: format!("{} was put twice", message.name()) });
        }
        self.messages.push(message);
    }

    fn put_fate(&self, call: &Call<'_>, unit: Option<UnitKey>) -> PutFate {
        if call.failed() {
            return PutFate::Absent;
        }
        let Some(unit) = unit else {
            return call.succeeded().map_or(PutFate::Maybe, |from| PutFate::Present { from });
        };
        match (self.unit_fate(unit), call.succeeded()) {
            (UnitFate::Committed { at }, Some(_)) => PutFate::Present { from: at },
            (UnitFate::BackedOut { .. }, _) => PutFate::Absent,
            (UnitFate::Uncertain, Some(_)) => PutFate::WithUnit(unit),
            (_, None) => PutFate::Maybe,
        }
    }

    fn add_get(&mut self, call: &Call<'a>, known: &Map<(u32, u64), usize>, faults: &mut Vec<Fault>) {
        let Action::Get { queue, unit, selective } = call.action else { return };
        let unit = unit.map(|unit| (call.client, unit));
        let Some(answer) = &call.answer else {
            let comes_back =
                unit.is_some_and(|unit| matches!(self.unit_fate(unit), UnitFate::BackedOut { .. }));
            if !comes_back {
                self.silent_gets.entry(queue).or_default().push(call.invoked);
            }
            return;
        };
        let mut fault = |class, text| faults.push(Fault { class, text });
        let identity = match answer.outcome {
            Some(Outcome::Message(identity)) => identity,
            Some(Outcome::Unrecognised) => {
                return fault(
                    Class::Corrupted,
                    format!("client {} got a message from {queue} that tells no identity", call.client),
                );
            }
            _ => return,
        };
        let Some(index) = known.get(&(identity.putter, identity.sequence)) else {
            return fault(
                Class::Phantom,
                format!(
                    "message {} of putter {} on {queue} was never put",
                    identity.sequence, identity.putter
                ),
            );
        };
        let fate = match unit.map(|unit| (unit, self.unit_fate(unit))) {
            None => DeliveryFate::Final { at: answer.at },
            Some((_, UnitFate::Committed { at })) => DeliveryFate::Final { at },
            Some((_, UnitFate::BackedOut { at })) => DeliveryFate::Returned { at },
            Some((unit, UnitFate::Uncertain)) => DeliveryFate::WithUnit(unit),
        };
        let message = &mut self.messages[*index];
        if identity.crc != message.identity.crc {
            fault(Class::Corrupted, format!("the body of {} is not the one that was put", message.name()));
        }
        if queue != message.queue {
            fault(Class::Phantom, format!("{} was got from {queue}", message.name()));
        }
        let delivery = Delivery {
            client: call.client,
            invoked: call.invoked,
            answered: answer.at,
            selective: *selective,
            unit,
            fate,
        };
        message.deliveries.push(delivery);
    }

    /// A unit nobody tried to commit is backed out, when its connection ends at the latest.
    pub(super) fn unit_fate(&self, unit: UnitKey) -> UnitFate {
        self.units.get(&unit).map_or(UnitFate::BackedOut { at: None }, |unit| unit.fate)
    }
}

fn units(history: &History<'_>) -> Map<UnitKey, Unit> {
    let mut units: Map<UnitKey, Unit> = Map::default();
    for call in &history.calls {
        let mut asked = Some(call.invoked);
        let (unit, fate) = match call.action {
            Action::Commit { unit } | Action::Backout { unit } if call.failed() => {
                // The queue manager had backed it out by itself, or may have: nobody knows when.
                asked = None;
                (unit, UnitFate::BackedOut { at: None })
            }
            Action::Commit { unit } => {
                (unit, call.succeeded().map_or(UnitFate::Uncertain, |at| UnitFate::Committed { at }))
            }
            Action::Backout { unit } => (unit, UnitFate::BackedOut { at: call.succeeded() }),
            _ => continue,
        };
        let unit = units.entry((call.client, *unit)).or_insert(Unit { fate, asked });
        // A backout after a commit that failed, or a second try: what is certain counts.
        match (unit.fate, fate) {
            (UnitFate::Uncertain, certain) => unit.fate = certain,
            (UnitFate::BackedOut { at: None }, UnitFate::BackedOut { at }) => {
                unit.fate = UnitFate::BackedOut { at }
            }
            _ => {}
        }
    }
    units
}
