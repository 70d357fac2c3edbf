//! Order: a later message of a putter is not given out while an earlier one of the same queue and priority
//! lies there.
//!
//! A message *certainly lies there* from when its put or commit was confirmed, or a backout that returned it,
//! until the next get that took it was asked for. A get that began and ended within such a time and took a
//! later message went past the earlier one. Gets of unknown outcome may hold any message until the next
//! restart, and so do gets that a client asked for again after it; gets that met an unreadable message leave
//! one behind that is passed over as long. So nothing is concluded after them.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::{History, Moment};
use super::fates::{Delivery, DeliveryFate, Fates, Message, PutFate};
use super::{Class, Fault};

type Stream<'a> = (u32, &'a str, u8);

/// A time during which a message certainly lay there, or a get that took it.
#[derive(Debug)]
enum Span {
    Lies { until: Moment },
    Taken { answered: Moment },
}

pub(super) fn check(history: &History<'_>, fates: &Fates<'_>, faults: &mut Vec<Fault>) {
    let mut streams: BTreeMap<Stream<'_>, Vec<(Moment, u64, Span)>> = BTreeMap::new();
    for message in &fates.messages {
        let key = (message.identity.putter, message.queue, message.priority);
        let spans = streams.entry(key).or_default();
        spans.extend(spans_of(message).map(|(from, span)| (from, message.identity.sequence, span)));
    }
    for ((putter, queue, priority), mut spans) in streams {
        spans.sort_by_key(|(from, ..)| *from);
        let fog = Fog::of(history, queue);
        for (later, earlier) in inversions(&spans, &fog) {
            let text = format!(
                "putter {putter} on {queue} at priority {priority}: {later} came while {earlier} lay there"
            );
            faults.push(Fault { class: Class::Inverted, text });
        }
    }
}

fn spans_of<'a>(message: &'a Message<'_>) -> impl Iterator<Item = (Moment, Span)> + 'a {
    let mut lies_from = if let PutFate::Present { from } = message.put { Some(from) } else { None };
    message.deliveries.iter().flat_map(move |delivery: &Delivery| {
        let lay = lies_from.filter(|from| *from < delivery.invoked);
        lies_from = match delivery.fate {
            DeliveryFate::Returned { at } => at,
            _ => None,
        };
        let lay = lay.map(|from| (from, Span::Lies { until: delivery.invoked }));
        let taken =
            (!delivery.selective).then_some((delivery.invoked, Span::Taken { answered: delivery.answered }));
        lay.into_iter().chain(taken)
    })
}

/// Pairs of a message taken and an earlier one that lay there all the while, one for each taken.
fn inversions(spans: &[(Moment, u64, Span)], fog: &Fog) -> Vec<(u64, u64)> {
    let mut lying: BTreeMap<u64, Moment> = BTreeMap::new();
    let mut ends: BTreeSet<(Moment, u64)> = BTreeSet::new();
    let mut found = Vec::new();
    for (from, sequence, span) in spans {
        while let Some((until, ended)) = ends.first().copied()
            && until <= *from
        {
            ends.pop_first();
            if lying.get(&ended) == Some(&until) {
                lying.remove(&ended);
            }
        }
        match span {
            Span::Lies { until } => {
                lying.insert(*sequence, *until);
                ends.insert((*until, *sequence));
            }
            Span::Taken { answered } if !fog.covers(*answered) => {
                let passed = lying.range(..sequence).find(|(_, until)| *until > answered);
                found.extend(passed.map(|(earlier, _)| (*sequence, *earlier)));
            }
            Span::Taken { .. } => {}
        }
    }
    found
}

/// When gets of unknown outcome, or asked for again after a restart, may hold messages of a queue, or
/// unreadable ones are passed over.
#[derive(Debug, Default)]
struct Fog(Vec<(Moment, Moment)>);

impl Fog {
    fn of(history: &History<'_>, queue: &str) -> Self {
        let mut spans: Vec<(Moment, Moment)> = Vec::new();
        for call in &history.calls {
            let restart = history.restart_after(call.invoked);
            let is_asked_again =
                call.answer.as_ref().is_some_and(|answer| restart.is_some_and(|restart| restart < answer.at));
            let is_foggy = call.is_unknown() || call.met_unreadable() || is_asked_again;
            if is_foggy
                && matches!(call.action, crate::history::Action::Get { queue: from, .. } if from == queue)
            {
                let until = restart.unwrap_or(Moment::MAX);
                match spans.last_mut() {
                    Some(last) if last.1 >= call.invoked => last.1 = last.1.max(until),
                    _ => spans.push((call.invoked, until)),
                }
            }
        }
        Self(spans)
    }

    fn covers(&self, moment: Moment) -> bool {
        let next = self.0.partition_point(|(from, _)| *from <= moment);
        next > 0 && self.0[next - 1].1 > moment
    }
}
