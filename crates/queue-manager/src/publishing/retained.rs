//! Retained publications: the last one of each topic, for subscribers that come later or ask for it.
//!
//! They are messages on SYSTEM.RETAINED.PUB.QUEUE: persistent ones are there after a restart, like others.
//! Each has before it the properties that say its topic, and a correlation identifier that follows from the
//! topic, by which it is found. It is put in the unit of work of its publication, so it stands or falls with
//! that.
//!
//! Always: of several for a topic the one that arrived last stands. Earlier ones go as soon as it is there,
//! before its publisher is answered; where they have to be read first or the log has no room, later: until
//! then they are passed over. Outside units of work a new subscription is given each publication once,
//! retained or as a copy. For that `Broker::retaining` is read-locked from the search for hearers until the
//! publication is retained, and write-locked from the making of a subscription until its retained
//! publications are found.

use std::sync::Arc;

use foldhash::fast::FixedState;
use formats::headers::Place;
use formats::properties::{self, By, Property, folder};
use hashbrown::HashMap;
use mqi::properties::{PropertyDescriptor, PropertyValue};
use mqi::{CorrelationId, ObjectName, Persistence, Reason, ReportOptions};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::growth::Growth;
use queues::ground::time::moment;
use queues::message::report::Report;
use queues::message::{Payload, remaining};
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Facts, Life, Placing};
use queues::queue::lying::{Looked, Lying};
use queues::unit_of_work::choice::Whose;
use storage::{Lsn, Purpose, Reservation};
use topic::{LEVEL_MAX, Scope, Subscription, SubscriptionId, TopicString};

use super::copies::Copies;
use super::{Headers, Without};
use crate::begun::{Begun, Rest};
use crate::broker::Broker;
use crate::catalogue::Subscriber;
use queues::message::publication::{Publication, Reach, Retention};

/// The queue of retained publications.
pub(crate) const QUEUE: &str = "SYSTEM.RETAINED.PUB.QUEUE";

/// The properties that say what is retained: the topic, the correlation identifier its publisher gave it, and
/// the user that it counts for, which earlier releases pass over.
const TOPIC: &str = "mqps.Top";
const CORRELATION: &str = "mqps.Cid";
const MAKER: &str = "mqps.Mkr";

/// Publications that one job reads: others that wait for the disk take turns with it.
const COUNTED_AT_ONCE: usize = 256;

/// Permission to wait for the disk while retained publications are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    WaitsForDisk,
    None,
}

/// Some retained publication is not in memory, and the caller may not wait for the disk.
struct OnDisk;

/// Retained messages for a subscription when it was made, or asked for them. A message that is gone when it
/// is read, or no longer the last, was followed by another, of which the subscription was given a copy.
struct Unread {
    subscription: Subscription<Subscriber>,
    queue: Arc<Queue>,
    found: Vec<Lying>,
    need: Lsn,
}

/// A message that is to be retained, and room for its record.
pub(super) struct Retaining {
    queue: Arc<Queue>,
    arrival: Arrival,
    room: Option<Reservation>,
    /// The last subscription that was made before the search for hearers.
    seen: SubscriptionId,
    /// True if it counts for its user: its topic has none retained before it.
    pub(super) is_first: bool,
}

impl Broker {
    /// Prepares the message to put so that a publication is retained.
    pub(super) fn retaining(
        &self,
        publication: &Publication,
        seen: SubscriptionId,
    ) -> Result<Retaining, Reason> {
        self.check_growth(publication)?;
        self.prepare_retaining(publication, seen).ok_or(Reason::PUT_NOT_RETAINED)
    }

    /// Refuses a publication for a topic that has none retained, once as many topics have as may: of its
    /// user, or of all.
    fn check_growth(&self, publication: &Publication) -> Result<(), Reason> {
        let Some(queue) = self.retained_queue() else { return Ok(()) };
        let (growth, count) = (Growth::RetainedPublications, u64::from(queue.depth()));
        let (ledger, maker) = (&self.directory.catalogue.ledger, &*publication.maker);
        if ledger.is_far(growth, count) && ledger.has_room_of_user(growth, maker) {
            return Ok(());
        }
        ledger.measure(growth, count);
        let is_there = |key: &[u8; 24]| !queue.lying(Some(key), self.ground().now()).0.is_empty();
        if !ledger.has_room_of_user(growth, maker) {
            self.retainers.look(ledger, maker, self.ground().now(), is_there);
        }
        let has_room = ledger.has_room_of_user(growth, maker) && ledger.has_room(growth);
        if has_room || is_there(&key(publication.topic.as_str())) {
            return Ok(());
        }
        ledger.check(growth, maker).map_err(|_| Reason::RESOURCE_PROBLEM)
    }

    /// Counts a publication that is retained now for its user, the first of its topic.
    pub(super) fn count_retained(&self, publication: &Publication) {
        self.retainers.note(
            &self.directory.catalogue.ledger,
            &publication.maker,
            key(publication.topic.as_str()),
        );
    }

    /// Has the retained publications that a start found counted for their users, by jobs: reading them may
    /// take long, and no program waits for it.
    pub(crate) fn count_found_retained(&self) {
        let queue = self.retained_queue().filter(|_| self.directory.door.is_judging());
        // Until requests are judged nothing counts for a user.
        let found = queue.map(|queue| queue.lying(None, self.ground().now()).0).unwrap_or_default();
        self.count_some_retained(found, HashMap::default());
    }

    fn count_some_retained(&self, mut left: Vec<Lying>, mut counts: HashMap<Box<str>, u64, FixedState>) {
        let ledger = &self.directory.catalogue.ledger;
        if left.is_empty() {
            return self.retainers.note_found_counted(ledger, &counts);
        }
        self.leave_job(move |broker| {
            let Some(queue) = broker.retained_queue() else { return };
            let some = left.split_off(left.len().saturating_sub(COUNTED_AT_ONCE));
            for publication in some.iter().filter_map(|lying| broker.publication_of(&queue, lying)) {
                let Publication { topic, maker, .. } = publication;
                if !maker.is_empty() {
                    broker.retainers.note(&broker.directory.catalogue.ledger, &maker, key(topic.as_str()));
                    *counts.entry(maker).or_default() += 1;
                }
            }
            broker.count_some_retained(left, counts);
        });
    }

    /// The number of retained publications.
    pub(crate) fn retained_count(&self) -> u64 {
        self.retained_queue().map_or(0, |queue| u64::from(queue.depth()))
    }

    fn prepare_retaining(&self, publication: &Publication, seen: SubscriptionId) -> Option<Retaining> {
        let payload = &publication.payload;
        let correlation = payload.descriptor.correlation_id;
        let queue = self.retained_queue()?;
        let (is_first, maker) = self.retainer(publication, &queue);
        let mut told = vec![property(TOPIC, publication.topic.as_str())];
        told.extend(maker.map(|maker| property(MAKER, &maker)));
        if !correlation.is_none() {
            told.push(property(CORRELATION, &correlation.to_string()));
        }
        let folders = folder::write(&told.iter().collect::<Vec<_>>());
        let of = Place::of(&payload.descriptor);
        let (place, body) = properties::put_before_as(folders, By::Handle, &of, &payload.body).ok()?;
        let mut descriptor = payload.descriptor.clone();
        place.describe(&mut descriptor);
        descriptor.correlation_id = CorrelationId(key(publication.topic.as_str()));
        descriptor.report = ReportOptions::EMPTY;
        let persistent = descriptor.persistence == Persistence::Persistent;
        let put_at = self.ground().world.clock.wall();
        let facts = Facts {
            persistent,
            // All of a topic are in the order in which they came.
            priority: 0,
            life: Life::of(self.ground(), descriptor.expiry, put_at),
            put_at,
            may_trigger: false,
            is_streamed: false,
            requires_unit: false,
            fires: false,
            is_promised: false,
            uses_spare: false,
            hops: 0,
        };
        if queue.would_refuse(&self.queues, body.len()).is_some() {
            return None;
        }
        let room = Report::room(body.len());
        let room = persistent.then(|| self.queues.reserve(room, Purpose::Fill)).transpose().ok()?;
        let kept = Payload::new(descriptor, body).with_report_rights(payload.report_rights);
        let arrival = Arrival::new(Arc::new(kept), facts);
        Some(Retaining { queue, arrival, room, seen, is_first })
    }

    /// Tells if a publication is to count for its user, as the first that its topic has, and the user that
    /// the topic counts for.
    fn retainer(&self, publication: &Publication, queue: &Queue) -> (bool, Option<Box<str>>) {
        let (topic, maker) = (key(publication.topic.as_str()), &publication.maker);
        let (known, is_known_if_there) = self.retainers.maker(&topic);
        // What stands counts alone: one of a unit of work that is open may never be there.
        let stands = || !queue.lying(Some(&topic), self.ground().now()).0.is_empty();
        let is_first = !maker.is_empty() && (!is_known_if_there || !stands());
        (is_first, if is_first { Some(known.unwrap_or_else(|| maker.clone())) } else { known })
    }

    /// Puts it, with its publication. The unit of work of a program remembers it until it ends.
    pub(super) fn retain(
        &self,
        publication: &Publication,
        retaining: Retaining,
        whose: &mut Whose,
    ) -> Result<(), Reason> {
        let Retaining { queue, arrival, mut room, seen, is_first } = retaining;
        queue.put(&self.queues, arrival, Placing::beside(whose, &mut room)).into_inner()?;
        if let Whose::Of { unit, number, .. } = whose {
            let mut unit = unit.lock();
            if unit.number() == *number {
                unit.to_retain.note(publication, seen, is_first, self.ground().now());
            }
        }
        Ok(())
    }

    /// Removes publications retained for a topic before the present one. Returns the position that must be
    /// durable before the outside may learn of it. Where one has to be read from the disk first a job does
    /// that, and until then it is passed over.
    pub(super) fn forget_retained(&self, topic: &TopicString) -> Lsn {
        match self.forget_superseded(topic, Patience::None) {
            Ok(need) => need,
            Err(OnDisk) => {
                let topic = topic.clone();
                self.leave_job(move |broker| {
                    // Nobody is told of it, so nobody waits for its record.
                    let _gone = broker.forget_superseded(&topic, Patience::WaitsForDisk);
                });
                Lsn::ZERO
            }
        }
    }

    fn forget_superseded(&self, topic: &TopicString, patience: Patience) -> Result<Lsn, OnDisk> {
        let Some(queue) = self.retained_queue() else { return Ok(Lsn::ZERO) };
        let (lying, _) = queue.lying(Some(&key(topic.as_str())), self.ground().now());
        let found = superseded(lying, |lying| {
            let publication = self.look_at_retained(&queue, lying, patience)?;
            Ok(publication.is_some_and(|publication| publication.topic == *topic))
        })?;
        // Without room in the log they are passed over a while longer.
        Ok(self.take_retained(&queue, &found).ok().flatten().unwrap_or_default())
    }

    /// Removes the publication retained for a topic. Returns the position that must be durable before the
    /// outside may learn of it; none when there is none.
    pub(crate) fn clear_retained(&self, topic: &str) -> Result<Option<Lsn>, Reason> {
        let topic = TopicString::new(topic).map_err(|_| Reason::TOPIC_STRING_ERROR)?;
        let Some(queue) = self.retained_queue() else { return Ok(None) };
        let (mut found, _) = queue.lying(Some(&key(topic.as_str())), self.ground().now());
        found.retain(|lying| self.is_about(&queue, lying, &topic));
        // Another publication that were retained between both would count for nobody.
        let _nobody_retains = self.retaining.write();
        let taken = self.take_retained(&queue, &found)?;
        let key = key(topic.as_str());
        if queue.lying(Some(&key), self.ground().now()).0.is_empty() {
            self.retainers.forget(&self.directory.catalogue.ledger, &key);
        }
        Ok(taken)
    }

    fn is_about(&self, queue: &Arc<Queue>, lying: &Lying, topic: &TopicString) -> bool {
        self.publication_of(queue, lying).is_some_and(|publication| publication.topic == *topic)
    }

    /// Removes retained messages. Returns the position that must be durable before the outside may learn of
    /// it; none when there are none.
    fn take_retained(&self, queue: &Arc<Queue>, found: &[Lying]) -> Result<Option<Lsn>, Reason> {
        if found.is_empty() {
            return Ok(None);
        }
        let mut whose = Whose::own();
        let Whose::Own(unit) = &mut whose else { unreachable!("it is the queue manager's own") };
        match queue.take_lying(&self.queues, found, unit) {
            Ok(()) => Ok(Some(self.queues.commit_own(whose).need())),
            Err(reason) => {
                self.queues.back_out_own(whose);
                Err(reason)
            }
        }
    }

    /// True if a publication is retained for a topic; and the position that must be durable before the
    /// outside may learn of it.
    pub(crate) fn is_retained(&self, topic: &str) -> (bool, Lsn) {
        let (Some(queue), Ok(topic)) = (self.retained_queue(), TopicString::new(topic)) else {
            return (false, Lsn::ZERO);
        };
        let (found, need) = queue.lying(Some(&key(topic.as_str())), self.ground().now());
        (found.iter().any(|lying| self.is_about(&queue, lying, &topic)), need)
    }

    /// Returns the topics that have a retained publication, and the position that must be durable before the
    /// outside may learn of them. Reads all of them.
    pub(crate) fn retained_topics(&self) -> (Vec<String>, Lsn) {
        let Some(queue) = self.retained_queue() else { return (Vec::new(), Lsn::ZERO) };
        let (found, need) = queue.lying(None, self.ground().now());
        let topics = found.iter().filter_map(|lying| self.publication_of(&queue, lying));
        (topics.map(|publication| publication.topic.as_str().to_owned()).collect(), need)
    }

    /// Puts what is retained for a subscription on its queue, or with the dead letters, as long as it stands:
    /// how many publications. Where they are not all in memory they have yet to be read. Refused when none of
    /// them could be put, or where they are kept gives nothing out.
    pub(crate) fn give_retained(&self, subscription: Subscription<Subscriber>) -> Begun<u32> {
        let Some(queue) = self.retained_queue() else {
            return Begun::Done(Gated::new(
                self.ground().storage.appended(),
                Err(Reason::RETAINED_MSG_Q_ERROR),
            ));
        };
        let of_topic = subscription.pattern.topic().map(|topic| key(topic.as_str()));
        let (found, need) = queue.lying(of_topic.as_ref(), self.ground().now());
        let retained = Unread { subscription, queue, found, need };
        match self.publications_of(&retained, Patience::None) {
            Ok(found) => Begun::Done(self.give(&retained, found)),
            Err(OnDisk) => Begun::Reads(Rest::new(move |broker| broker.give_unread(&retained))),
        }
    }

    /// Reads it, and puts it on the subscription's queue. Blocks.
    fn give_unread(&self, retained: &Unread) -> Outcome<u32> {
        match self.publications_of(retained, Patience::WaitsForDisk) {
            Ok(mut found) => {
                let _nobody_retains = self.retaining.write();
                // A copy of what took its place meanwhile is before it on the subscription's queue, and would
                // be taken for the older one.
                if !retained.subscription.kept.is_on_request {
                    found.retain(|(publication, lying)| {
                        !self.is_followed(&retained.queue, publication, lying)
                    });
                }
                self.give(retained, found)
            }
            Err(OnDisk) => unreachable!("it waits for the disk"),
        }
    }

    /// True if a later one is retained for the topic of a publication by now.
    fn is_followed(&self, queue: &Arc<Queue>, publication: &Publication, lying: &Lying) -> bool {
        let topic = &publication.topic;
        let (found, _) = queue.lying(Some(&key(topic.as_str())), self.ground().now());
        found.iter().any(|other| other.sequence > lying.sequence && self.is_about(queue, other, topic))
    }

    fn give(&self, retained: &Unread, publications: Vec<(Publication, Lying)>) -> Outcome<u32> {
        let Unread { subscription, queue, .. } = retained;
        let mut need = retained.need;
        if !publications.is_empty() && queue.attributes().get_inhibited {
            return Gated::new(self.ground().storage.appended(), Err(Reason::RETAINED_MSG_Q_ERROR));
        }
        let (mut given, mut refused) = (0, 0);
        for (publication, Lying { need: observed, .. }) in publications {
            let is_wanted = |selector: &selector::Selector| publication.payload.is_selected_by(selector);
            if !subscription.kept.selector().is_none_or(is_wanted) {
                continue;
            }
            let topics = self.directory.catalogue.topics();
            let resolved = topics.tree.resolved(&publication.topic);
            let headers = Headers::default();
            let mut copies = Copies::of(&publication, &headers, 1);
            let share = match self.share(&mut copies, resolved, subscription) {
                Ok(share) => share,
                Err(Without::Ended(ended)) => return Gated::new(need.max(ended), Ok(given)),
                Err(Without::Refused) => {
                    refused += 1;
                    continue;
                }
            };
            let put = self.put_shares(&publication, resolved, vec![share], None, None, observed);
            need = need.max(put.need());
            if let Err(reason) = put.into_inner() {
                return Gated::new(need, Err(reason));
            }
            given += 1;
        }
        if given == 0 && refused > 0 {
            // What the queues are was seen.
            return Gated::new(
                self.ground().storage.appended().max(need),
                Err(Reason::RETAINED_NOT_DELIVERED),
            );
        }
        Gated::new(need, Ok(given))
    }

    /// Returns the publications retained for a subscription, the first published first.
    fn publications_of(
        &self,
        retained: &Unread,
        patience: Patience,
    ) -> Result<Vec<(Publication, Lying)>, OnDisk> {
        let Unread { subscription, queue, found, .. } = retained;
        let topics = self.directory.catalogue.topics();
        let mut standing: Vec<(Publication, Lying)> = Vec::new();
        for lying in found {
            let Some(publication) = self.look_at_retained(queue, lying, patience)? else { continue };
            if !topics.tree.reaches(&subscription.pattern, &publication.topic) {
                continue;
            }
            standing.retain(|(other, _)| other.topic != publication.topic);
            standing.push((publication, *lying));
        }
        Ok(standing)
    }

    /// Reads a publication from the queue of retained ones. Blocks when it is not in memory.
    fn publication_of(&self, queue: &Arc<Queue>, lying: &Lying) -> Option<Publication> {
        self.publication_in(&*queue.look_at(self.ground(), lying)?, lying)
    }

    /// Reads a retained publication for a caller that may not wait for the disk; none when the message is
    /// gone or is no publication.
    fn look_at_retained(
        &self,
        queue: &Arc<Queue>,
        lying: &Lying,
        patience: Patience,
    ) -> Result<Option<Publication>, OnDisk> {
        match queue.look_in_memory(lying) {
            Looked::Here(kept) => Ok(self.publication_in(&kept, lying)),
            Looked::Gone => Ok(None),
            Looked::OnDisk if patience == Patience::None => Err(OnDisk),
            Looked::OnDisk => Ok(self.publication_of(queue, lying)),
        }
    }

    fn publication_in(&self, kept: &Payload, lying: &Lying) -> Option<Publication> {
        let parts = properties::take_first(&Place::of(&kept.descriptor), &kept.body).ok()?;
        let said: Vec<Property> =
            parts.folders.iter().filter_map(|text| folder::read(text).ok()).flatten().collect();
        let topic = TopicString::new(&text_of(&said, TOPIC)?).ok()?;
        let maker = text_of(&said, MAKER).unwrap_or_default().into();
        let mut descriptor = kept.descriptor.clone();
        parts.place.describe(&mut descriptor);
        descriptor.correlation_id = correlation(text_of(&said, CORRELATION).as_deref());
        descriptor.expiry = remaining(lying.deadline, self.ground().now());
        let payload = Payload::new(descriptor, parts.body).with_report_rights(kept.report_rights);
        let payload = Arc::new(payload);
        let scope = Scope::QueueManager;
        let at = moment(self.ground().world.clock.wall());
        let retention = Retention::Was;
        let reach = Reach { level: LEVEL_MAX, scope, not_to: None, from: None };
        Some(Publication { topic, payload, at, reach, retention, deliver_at: 0, maker })
    }

    fn retained_queue(&self) -> Option<Arc<Queue>> {
        let name: ObjectName = QUEUE.parse().expect("a name of ours is one");
        self.directory.catalogue.find(&name).object?.queue().cloned()
    }
}

/// Of messages in the order of their arrival those about a topic, but for the last of them; or why that
/// cannot be told.
fn superseded<T, E>(found: Vec<T>, mut is_about_it: impl FnMut(&T) -> Result<bool, E>) -> Result<Vec<T>, E> {
    let mut about = Vec::new();
    // Mostly it is the one that was just put, which need not be read.
    if found.len() > 1 {
        for one in found {
            if is_about_it(&one)? {
                about.push(one);
            }
        }
    }
    about.pop();
    Ok(about)
}

fn property(name: &str, value: &str) -> Property {
    Property {
        name: name.to_owned(),
        value: PropertyValue::Text(value.to_owned()),
        descriptor: PropertyDescriptor::default(),
        foreign_type: None,
    }
}

fn text_of(said: &[Property], name: &str) -> Option<String> {
    let found = said.iter().find(|property| property.name == name)?;
    match &found.value {
        PropertyValue::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// The identifier of hexadecimal digits; none without them.
fn correlation(digits: Option<&str>) -> CorrelationId {
    let mut id = [0; 24];
    for (byte, at) in id.iter_mut().zip((0..).step_by(2)) {
        let pair = digits.and_then(|digits| digits.get(at..at + 2));
        *byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or_default();
    }
    CorrelationId(id)
}

/// The correlation identifier of what is retained for a topic: three sums of its bytes (FNV-1a), the same in
/// every run. Topics that share one are told apart by their properties.
fn key(topic: &str) -> [u8; 24] {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    const STARTS: [u64; 3] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4, 0x9CE4_8422_2325_CBF2];
    let mut key = [0; 24];
    for (place, start) in key.chunks_exact_mut(8).zip(STARTS) {
        let sum = topic.bytes().fold(start, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(PRIME));
        place.copy_from_slice(&sum.to_le_bytes());
    }
    key
}

#[cfg(test)]
mod tests {
    use super::superseded;

    /// Two topics may share a key: the last to arrive need not be about the one in question.
    #[test]
    fn the_last_about_a_topic_stands_whatever_else_has_its_key() {
        let arrived = [("a", 1), ("b", 2), ("a", 3), ("b", 4)];
        let about_a = |(topic, _): &(&str, i32)| Ok::<_, ()>(*topic == "a");
        assert_eq!(superseded(arrived.to_vec(), about_a), Ok(vec![("a", 1)]));
        assert_eq!(superseded(arrived[1..2].to_vec(), about_a), Ok(vec![]));
        assert_eq!(superseded(arrived.to_vec(), |_| Err("on disk")), Err("on disk"));
    }
}
