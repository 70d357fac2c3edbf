//! Lost, duplicated, phantom and resurrected messages, and torn units of work.

use std::collections::BTreeMap;

use super::calls::{History, Map};
use super::fates::{DeliveryFate, Fates, Message, PutFate, UnitFate, UnitKey};
use super::{Class, Fault};

pub(super) fn check(history: &History<'_>, fates: &Fates<'_>, faults: &mut Vec<Fault>) {
    let mut missing: BTreeMap<&str, Vec<&Message<'_>>> = BTreeMap::new();
    let mut evidence = Evidence::default();
    for message in &fates.messages {
        check_existence(fates, message, faults);
        check_once(history, fates, message, faults);
        let gone = is_gone(history, message);
        if gone && matches!(message.put, PutFate::Present { .. }) {
            missing.entry(message.queue).or_default().push(message);
        }
        let excused = fates.silent_gets.contains_key(message.queue);
        evidence.weigh(history, message, gone, excused);
    }
    report_lost(fates, &missing, faults);
    report_torn(fates, &missing, &evidence, faults);
}

/// Given out though it was not put, not committed, or not yet.
fn check_existence(fates: &Fates<'_>, message: &Message<'_>, faults: &mut Vec<Fault>) {
    let visible_from =
        message.unit.and_then(|unit| fates.units.get(&unit)?.asked).unwrap_or(message.put_invoked);
    for delivery in &message.deliveries {
        let text = if message.put == PutFate::Absent {
            "whose put failed or was backed out"
        } else if delivery.answered < visible_from {
            "before it was put or committed"
        } else {
            continue;
        };
        let text = format!("client {} was given {}, {text}", delivery.client, message.name());
        faults.push(Fault { class: Class::Phantom, text });
        return;
    }
}

/// Given out again after it was confirmed, or while another held it.
fn check_once(history: &History<'_>, fates: &Fates<'_>, message: &Message<'_>, faults: &mut Vec<Fault>) {
    let confirmed =
        message.final_deliveries().map(|(delivery, at)| (delivery.answered, at)).min_by_key(|(_, at)| *at);
    if let Some((answered, at)) = confirmed {
        let again = message.deliveries.iter().find(|again| again.invoked > at);
        let finals = message.final_deliveries().count();
        if let Some(again) = again {
            let class = if history.restarted_between(answered, again.answered) {
                Class::Resurrected
            } else {
                Class::Duplicated
            };
            let text =
                format!("{} was given to client {} after a confirmed get", message.name(), again.client);
            faults.push(Fault { class, text });
            return;
        }
        if finals > 1 {
            let text = format!("{} was got for good {finals} times", message.name());
            faults.push(Fault { class: Class::Duplicated, text });
            return;
        }
    }
    for pair in message.deliveries.windows(2) {
        let [held, given] = pair else { continue };
        let decided = held.unit.and_then(|unit| fates.units.get(&unit)?.asked);
        if decided.is_some_and(|decided| given.answered < decided)
            && !history.restarted_between(held.answered, given.answered)
        {
            let text = format!(
                "{} was given to client {} while client {} held it",
                message.name(),
                given.client,
                held.client
            );
            faults.push(Fault { class: Class::Duplicated, text });
            return;
        }
    }
}

/// True if no client found the message although its queue was emptied, and only a put that failed or a get
/// that succeeded explains it.
fn is_gone(history: &History<'_>, message: &Message<'_>) -> bool {
    let Some(drained) = history.drained.get(message.queue) else { return false };
    let consumed =
        message.deliveries.iter().any(|delivery| !matches!(delivery.fate, DeliveryFate::Returned { .. }));
    let may_be_gone = !message.persistent && history.restarted_between(message.put_invoked, *drained);
    !consumed && !may_be_gone && message.put_invoked < *drained
}

/// A get of unknown outcome may have taken a message; beyond their number, missing ones are lost.
fn report_lost(fates: &Fates<'_>, missing: &BTreeMap<&str, Vec<&Message<'_>>>, faults: &mut Vec<Fault>) {
    for (queue, messages) in missing {
        let excuses = fates.silent_gets.get(queue).map_or(0, Vec::len);
        for message in messages.iter().skip(excuses) {
            faults.push(Fault { class: Class::Lost, text: message.name() });
        }
    }
}

/// Evidence for and against the commit of a unit of unknown outcome.
#[derive(Default)]
struct Evidence {
    stands: Map<UnitKey, String>,
    fell: Map<UnitKey, String>,
}

impl Evidence {
    /// Weighs a message. Its absence proves nothing where a get of unknown outcome may have taken it.
    fn weigh(&mut self, history: &History<'_>, message: &Message<'_>, gone: bool, excused: bool) {
        if let PutFate::WithUnit(unit) = message.put {
            if !message.deliveries.is_empty() {
                self.stands.entry(unit).or_insert_with(|| format!("{} arrived", message.name()));
            } else if gone && !excused {
                self.fell.entry(unit).or_insert_with(|| format!("{} did not arrive", message.name()));
            }
        }
        for (place, delivery) in message.deliveries.iter().enumerate() {
            let DeliveryFate::WithUnit(unit) = delivery.fate else { continue };
            let drained =
                history.drained.get(message.queue).is_some_and(|drained| delivery.answered < *drained);
            let may_be_gone = !message.persistent && history.restart_after(delivery.answered).is_some();
            if place + 1 < message.deliveries.len() {
                self.fell.entry(unit).or_insert_with(|| format!("{} came back", message.name()));
            } else if drained && !may_be_gone && !excused {
                self.stands.entry(unit).or_insert_with(|| format!("{} did not come back", message.name()));
            }
        }
    }
}

fn report_torn(
    fates: &Fates<'_>,
    missing: &BTreeMap<&str, Vec<&Message<'_>>>,
    evidence: &Evidence,
    faults: &mut Vec<Fault>,
) {
    let mut torn: BTreeMap<UnitKey, String> = BTreeMap::new();
    for message in &fates.messages {
        let units = message.deliveries.iter().filter_map(|delivery| delivery.unit).chain(message.unit);
        for unit in units {
            if let (Some(stands), Some(fell)) = (evidence.stands.get(&unit), evidence.fell.get(&unit)) {
                torn.insert(unit, format!("{stands}, {fell}"));
            }
        }
    }
    let lost = missing.iter().filter(|(queue, _)| !fates.silent_gets.contains_key(*queue));
    for message in lost.flat_map(|(_, messages)| messages) {
        if let Some(unit) = message.unit
            && matches!(fates.unit_fate(unit), UnitFate::Committed { .. })
        {
            torn.entry(unit)
                .or_insert_with(|| format!("it was committed, {} did not arrive", message.name()));
        }
    }
    for ((client, unit), text) in torn {
        faults.push(Fault {
            class: Class::Torn,
            text: format!("unit of work {unit} of client {client}: {text}"),
        });
    }
}
