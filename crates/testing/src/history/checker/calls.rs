//! From events to calls: what was asked together with what was answered.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{Class, Fault};
use crate::history::{Action, Event, Happening, Outcome};

pub(super) type Map<K, V> = HashMap<K, V, FixedState>;

/// A place in time: no two events share one.
pub(super) type Moment = usize;

#[derive(Debug)]
pub(super) struct History<'a> {
    pub(super) calls: Vec<Call<'a>>,
    pub(super) restarts: Vec<Moment>,
    pub(super) drained: Map<&'a str, Moment>,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) client: u32,
    pub(super) action: &'a Action,
    pub(super) invoked: Moment,
    pub(super) answer: Option<Answer<'a>>,
}

#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) at: Moment,
    /// The outcome; none when the call failed without effect.
    pub(super) outcome: Option<&'a Outcome>,
}

impl Call<'_> {
    pub(super) fn is_unknown(&self) -> bool {
        self.answer.is_none()
    }

    /// When it succeeded.
    pub(super) fn succeeded(&self) -> Option<Moment> {
        self.answer.as_ref().filter(|answer| answer.outcome.is_some()).map(|answer| answer.at)
    }

    /// A get that was told of a message which cannot be read.
    pub(super) fn met_unreadable(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.outcome == Some(&Outcome::Unreadable))
    }

    pub(super) fn failed(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.outcome.is_none())
    }
}

impl<'a> History<'a> {
    pub(super) fn of(events: &'a [Event], faults: &mut Vec<Fault>) -> Self {
        let mut ordered: Vec<&Event> = events.iter().collect();
        ordered.sort_by_key(|event| event.at);
        let mut history = Self { calls: Vec::new(), restarts: Vec::new(), drained: Map::default() };
        let mut open: Map<(u32, u64), usize> = Map::default();
        for (moment, event) in ordered.into_iter().enumerate() {
            let key = (event.client, event.call);
            let outcome = match &event.what {
                Happening::Invoke(action) => {
                    open.insert(key, history.calls.len());
                    history.calls.push(Call { client: event.client, action, invoked: moment, answer: None });
                    continue;
                }
                Happening::Restart => {
                    history.restarts.push(moment);
                    continue;
                }
                Happening::Drained { queue } => {
                    history.drained.insert(queue, moment);
                    continue;
                }
                Happening::Ok(outcome) => Some(Some(outcome)),
                Happening::Fail(_) => Some(None),
                Happening::Unknown => None,
            };
            match open.remove(&key) {
                Some(index) => {
                    history.calls[index].answer = outcome.map(|outcome| Answer { at: moment, outcome });
                }
                None => faults.push(Fault {
                    class: Class::Misrecorded,
                    text: format!("client {} has an outcome for call {} that it did not make", key.0, key.1),
                }),
            }
        }
        history
    }

    /// True if the queue manager was started again between two moments.
    pub(super) fn restarted_between(&self, from: Moment, to: Moment) -> bool {
        let next = self.restarts.partition_point(|restart| *restart <= from);
        self.restarts.get(next).is_some_and(|restart| *restart < to)
    }

    /// When the queue manager was next started again.
    pub(super) fn restart_after(&self, moment: Moment) -> Option<Moment> {
        self.restarts.get(self.restarts.partition_point(|restart| *restart <= moment)).copied()
    }
}
