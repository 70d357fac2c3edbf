//! Publications: a message put to a topic goes to the queue of every subscription that wants it.
//!
//! Lives here: which subscriptions those are, whether all that must be can be served, and the puts. What each
//! of them is given is in `copies`, `said` and `headers`, a publication that one alone hears in `lone`, what
//! a name says of a topic in `target`, the last publication of each topic in `retained`, what the end of a
//! unit of work that retains one leads to in `late`.
//! Lives elsewhere: the topic tree (`topic`, `catalogue::topics`), the verbs (`verbs::publish`), dead letters
//! and stream queues, which copies pass like other messages of the queue manager's own (`reports::sending`).
//!
//! A publication stands or falls as one: within the unit of work of its publisher, or in one of the queue
//! manager's own. The rule of mandatory deliveries (NPMSGDLV, PMSGDLV) is judged before the first put, since
//! a copy in a program's unit is not taken out alone: a queue that was asked takes its copy, in any later
//! state. In a unit of the queue manager's own, a queue that refuses in the last moment undoes all of it.
//! Where no copy is persistent and all may be left out, each stands by itself, since nothing depends on it:
//! it costs as much as a put to its queue. In the log all copies of a persistent publication, and its
//! retained copy, have one record (`unit_of_work::gathering`).
//!
//! Always: of state that publishers share it takes only the locks of the queues and of the unit of work, each
//! by itself, and two of the handle, which `docs/internals/concurrency.md` names; all subscribers whose
//! messages are equal share one body; no copy is visible before its causes are durable, where the log has to
//! prove that.

mod copies;
mod headers;
mod late;
mod lone;
pub(crate) mod retained;
mod said;
mod target;

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use mqi::{ObjectDescriptor, Persistence, Reason};
use objects::Moment;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::time::moment;
use queues::message::Payload;
use queues::message::publication::{Publication, Reach, Retention};
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::queue::Queue;
use queues::queue::arrival::Placing;
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::gathering::{Beginnings, Gathered};
use queues::unit_of_work::slot::UnitSlot;
use smallvec::SmallVec;
use storage::record::RESERVED_END;
use storage::{Lsn, Purpose, Reservation};
use topic::{Delivery, Resolved, Subscription, intercepting};

use crate::broker::Broker;
use crate::catalogue::Subscriber;
use crate::naming::way::Elsewhere;
use crate::reports::{Sent, room_beside};
use copies::{Copied, Copies, Made};
pub(crate) use headers::Headers;
pub(crate) use retained::Patience;
use retained::Retaining;

pub(crate) use target::{Heard, TopicTarget, check_topics_served};

/// The queue of a subscription, as a program would name it.
fn destination_of(subscriber: &Subscriber) -> Result<ObjectDescriptor, Reason> {
    let destination = subscriber.destination.as_ref().ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
    Ok(destination.descriptor())
}

/// The bodies of copies and of their reports.
fn bodies<'a>(shares: &'a [Share<'_>], reports: &'a [Option<Report>]) -> impl Iterator<Item = &'a Bytes> {
    let copies = shares.iter().map(|share| &share.copy.payload.body);
    copies.chain(reports.iter().flatten().map(|report| &report.body))
}

/// Number of subscriptions that wanted a publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matched(pub(crate) usize);

/// A subscription that is asked whether it takes a publication.
type Wanting = Subscription<Subscriber>;

/// Of subscriptions in a group leaves the one that says most of its topics before its first wildcard.
fn one_of_each_group(found: Vec<&Wanting>) -> Vec<&Wanting> {
    if !found.iter().any(|subscription| subscription.kept.is_grouped) {
        return found;
    }
    let mut left: Vec<&Wanting> = Vec::with_capacity(found.len());
    for subscription in found {
        let rival = left.iter_mut().find(|other| subscription.kept.is_in_group_with(&other.kept));
        match rival {
            Some(rival) if subscription.pattern.says_more_than(&rival.pattern) => *rival = subscription,
            Some(_) => {}
            None => left.push(subscription),
        }
    }
    left
}

/// Returns the rule for the subscribers that a publication must reach.
fn rule(publication: &Publication, resolved: &Resolved) -> Delivery {
    if publication.payload.descriptor.persistence == Persistence::Persistent {
        resolved.persistent_delivery
    } else {
        resolved.nonpersistent_delivery
    }
}

/// True if the publication fails when this subscriber cannot be given it.
fn is_required(rule: Delivery, subscriber: &Subscriber) -> bool {
    match rule {
        Delivery::All => true,
        Delivery::AllDurable => subscriber.is_durable,
        Delivery::AllAvailable => false,
    }
}

/// Fate of a copy.
struct Share<'a> {
    of: &'a Wanting,
    copy: Copied,
    /// True if the publication fails without it.
    is_required: bool,
    fate: Fate,
}

/// The reports that copies have arrived, one where it is asked for, in the order of the copies.
type Reports = SmallVec<[Option<Report>; 4]>;

/// Where a copy goes.
enum Fate {
    /// To its subscription's queue, which may be on the way to another queue manager.
    Queue(Arc<Queue>, Option<Elsewhere>),
    /// To the dead-letter queue, for the reason of its own.
    DeadLetters(Reason),
}

/// Why there is no copy for a subscription.
enum Without {
    /// Its queue refused it.
    Refused,
    /// The subscription has ended since it was found, by the state at this position. Its queue may have gone
    /// with it.
    Ended(Lsn),
}

/// Where a copy is.
enum Arrived {
    OnItsQueue,
    AsDeadLetter,
    /// Nowhere: its subscription has ended, by the state at this position.
    ForNobody(Lsn),
}

impl Broker {
    /// Publishes a message that goes a way, in the unit of work of a connection or at once, to its hearers by
    /// a tree that was seen at this position. A copy may be put by itself unless it was refused so.
    pub(crate) fn publish(
        &self,
        publication: &Publication,
        way: &TopicTarget,
        (heard, seen): (&Heard, Lsn),
        unit: Option<&Arc<UnitSlot>>,
        was_refused: bool,
    ) -> Outcome<Matched> {
        let is_retained = publication.retention == Retention::IsToBe;
        let resolved = &heard.resolved;
        let gives_all = heard.gives_all(&publication.reach);
        let mut subscriptions = if gives_all {
            heard.subscriptions.iter().map(|found| &**found).collect()
        } else {
            self.wanting(publication, &heard.subscriptions)
        };
        let matched = Matched(subscriptions.len());
        let mut copies = Copies::of(publication, &way.headers, subscriptions.len());
        let rule = rule(publication, resolved);
        let mut need = seen;
        // Who gets a copy knows of the subscription, which may not be durable yet.
        let is_at_once = publication.deliver_at == 0;
        let may_stand_alone = unit.is_none()
            && is_at_once
            && !is_retained
            && !was_refused
            && self.ground().storage.durable().lsn() >= seen;
        // What becomes of a lone copy that its queue does not take is decided below, as of any other.
        let is_lone = subscriptions.len() == 1;
        // Without room in the log for one that is persistent the publication is refused, and published again:
        // none may be there then.
        let descriptor = &publication.payload.descriptor;
        let depends = |kept: &Subscriber| is_required(rule, kept) || said::is_persistent(descriptor, kept);
        if may_stand_alone && (is_lone || !subscriptions.iter().any(|wanted| depends(&wanted.kept))) {
            let mut places = 0..;
            subscriptions.retain(|wanted| {
                let queue = places.next().filter(|_| gives_all).and_then(|place| heard.queue_at(place));
                let (is_put, followed) =
                    self.put_alone(&mut copies, way, (&wanted.kept, queue), publication.at);
                need = need.max(followed);
                !is_put
            });
        }
        let shares = match self.shares(&mut copies, resolved, rule, &subscriptions) {
            Ok((shares, ended)) => {
                need = need.max(ended);
                shares
            }
            // What the queues are was seen.
            Err(reason) => return Gated::new(self.ground().storage.appended().max(need), Err(reason)),
        };
        let retaining = match is_retained.then(|| self.retaining(publication, heard.youngest)).transpose() {
            Ok(retaining) => retaining,
            Err(reason) => return Gated::new(self.ground().storage.appended().max(need), Err(reason)),
        };
        if shares.is_empty() && retaining.is_none() {
            return Gated::new(need, Ok(matched));
        }
        let is_first = retaining.as_ref().is_some_and(|retaining| retaining.is_first);
        let put = self.put_shares(publication, resolved, shares, retaining, unit, seen);
        // What a program's unit of work retains is the last one when that stands.
        let forgotten = if is_retained && unit.is_none() && put.value().is_ok() {
            if is_first {
                self.count_retained(publication);
            }
            self.forget_retained(&publication.topic)
        } else {
            Lsn::ZERO
        };
        put.changed(|put| put.map(|()| matched)).and_needs(need.max(forgotten))
    }

    /// Returns the subscriptions of a topic that take this publication now.
    fn wanting<'a>(&self, publication: &Publication, found: &'a [Arc<Wanting>]) -> Vec<&'a Wanting> {
        let ends_by_now = |ends: Moment| moment(self.ground().world.clock.wall()) >= ends;
        let is_wanting = |subscription: &&Wanting| {
            let kept = &subscription.kept;
            self.reaches(&publication.reach, subscription)
                && !kept.ends().is_some_and(ends_by_now)
                && kept.selector().is_none_or(|selector| publication.payload.is_selected_by(selector))
        };
        let mut wanting = Vec::with_capacity(found.len());
        wanting.extend(found.iter().map(|found| &**found).filter(is_wanting));
        intercepting(&mut wanting, publication.reach.level);
        one_of_each_group(wanting)
    }

    /// True if a publication may be for a subscription, apart from the levels of others.
    fn reaches(&self, reach: &Reach, subscription: &Wanting) -> bool {
        let kept = &subscription.kept;
        let is_own = |publisher| self.subscribed.lock().is_alone(&kept.identifier(), publisher);
        subscription.is_in(reach.scope)
            && !kept.is_on_request
            && !kept.excludes(reach.from.as_deref())
            && !reach.not_to.is_some_and(is_own)
    }

    /// Returns the copies that can be put, each with its destination, and the position of subscriptions that
    /// were seen to have ended; or an error when a mandatory copy cannot be put.
    fn shares<'a>(
        &self,
        copies: &mut Copies<'a>,
        resolved: &Resolved,
        rule: Delivery,
        subscriptions: &[&'a Wanting],
    ) -> Result<(Vec<Share<'a>>, Lsn), Reason> {
        let mut shares = Vec::with_capacity(subscriptions.len());
        let mut need = Lsn::ZERO;
        for wanted in subscriptions.iter().copied() {
            let is_required = is_required(rule, &wanted.kept);
            match self.share(copies, resolved, wanted) {
                Ok(share) => shares.push(Share { is_required, ..share }),
                Err(Without::Ended(ended)) => need = need.max(ended),
                Err(Without::Refused) if is_required => return Err(Reason::PUBLICATION_FAILURE),
                Err(Without::Refused) => {}
            }
        }
        Ok((shares, need))
    }

    /// The copy for a subscription, with where it goes; or why there is none.
    fn share<'a>(
        &self,
        copies: &mut Copies<'a>,
        resolved: &Resolved,
        of: &'a Wanting,
    ) -> Result<Share<'a>, Without> {
        let Ok(Made { copy, taken }) = copies.for_subscriber(self, &of.kept) else {
            return Err(Without::Refused);
        };
        let fate = match taken {
            Ok((queue, elsewhere)) => Fate::Queue(queue, elsewhere),
            Err(reason) => {
                if let Some(ended) = self.end_of(of) {
                    return Err(Without::Ended(ended));
                }
                let letter = destination_of(&of.kept).map(|destination| copy.to_report(destination));
                let is_kept =
                    |letter| resolved.use_dead_letter_queue && self.directory.keeps_dead(letter, reason);
                if !letter.is_ok_and(is_kept) {
                    return Err(Without::Refused);
                }
                Fate::DeadLetters(reason)
            }
        };
        Ok(Share { of, copy, is_required: false, fate })
    }

    /// Returns the position of the end of a subscription; none while it stands. For a subscriber whose copy
    /// is refused: its subscription ends before its queue does.
    fn end_of(&self, subscription: &Wanting) -> Option<Lsn> {
        let topics = self.directory.catalogue.topics();
        let standing = topics.tree.subscription(&subscription.pattern, subscription.id);
        standing.is_none().then_some(topics.need)
    }

    /// Puts a copy that nothing else depends on by itself, as a program's message outside units of work;
    /// whether it did. What came of the put depends on the position.
    fn put_alone<'a>(
        &self,
        copies: &mut Copies<'a>,
        way: &TopicTarget,
        (kept, queue): (&'a Subscriber, Option<&Arc<Queue>>),
        at: Moment,
    ) -> (bool, Lsn) {
        let put = match queue.and_then(|queue| self.put_alike(copies, kept, queue)) {
            Some(put) => put,
            None => {
                let Some((queue, copy)) = copies.alone(self, kept) else { return (false, Lsn::ZERO) };
                queue.put(&self.queues, copy.arrival(self), Placing::AtOnce { answered: None })
            }
        };
        (way.passed_to(kept, put.value(), at), put.need())
    }

    /// Puts a copy that equals the last one by itself, on a known queue: the queue's attributes are read
    /// under the lock that the put takes. None where the copy differs, or there is more to it.
    fn put_alike(&self, copies: &Copies<'_>, kept: &Subscriber, queue: &Arc<Queue>) -> Option<Outcome<()>> {
        let bytes = copies.last_body_bytes()?;
        queue.put_made(&self.queues, bytes, |attributes| Some(copies.alike(kept, attributes)?.arrival(self)))
    }

    fn put_shares(
        &self,
        publication: &Publication,
        resolved: &Resolved,
        shares: Vec<Share<'_>>,
        retaining: Option<Retaining>,
        unit: Option<&Arc<UnitSlot>>,
        need: Lsn,
    ) -> Outcome<()> {
        let reports: Reports = shares.iter().map(|share| self.arrival_report(publication, share)).collect();
        let is_persistent = publication.payload.descriptor.persistence == Persistence::Persistent;
        let operations = shares.len() + reports.iter().flatten().count() + usize::from(retaining.is_some());
        let end = &publication.payload.body;
        let room = is_persistent.then(|| self.room_for(&shares, &reports, operations, end));
        let mut room = match room.transpose() {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let mut whose = match unit {
            Some(unit) => Whose::current(unit),
            None => Whose::own_after(need),
        };
        if let Err(reason) = whose.join(&self.queues, operations, need, room.as_mut()) {
            return Gated::free(Err(reason));
        }
        if let Some(room) = &mut room {
            whose.gather(Gathered::begin(end.clone(), operations, room));
        }
        let put = self.put_all(publication, resolved, (shares, reports), retaining, &mut whose, &mut room);
        // Also what a refusal has left in the unit of a program.
        whose.log_gathered(self.ground());
        match put {
            Ok(()) => self.queues.commit_own(whose),
            Err(Reason::BACKED_OUT) => Gated::free(Err(Reason::BACKED_OUT)),
            Err(reason) => {
                self.queues.back_out_own(whose);
                Gated::new(self.ground().storage.appended(), Err(reason))
            }
        }
    }

    /// Puts the copies, with their reports and the publication to be retained, all in one unit of work.
    fn put_all(
        &self,
        publication: &Publication,
        resolved: &Resolved,
        (shares, reports): (Vec<Share<'_>>, Reports),
        retaining: Option<Retaining>,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        let is_own = matches!(whose, Whose::Own(_));
        // Before the copies: in the unit of a program they could not be taken back.
        match retaining.map_or(Ok(()), |retaining| self.retain(publication, retaining, whose)) {
            Ok(()) => {}
            Err(Reason::BACKED_OUT) => return Err(Reason::BACKED_OUT),
            Err(_) => return Err(Reason::PUT_NOT_RETAINED),
        }
        for (share, report) in shares.into_iter().zip(reports) {
            let (of, is_required) = (share.of, share.is_required);
            match self.put_share(share, is_required && !is_own, resolved, whose, room) {
                Ok(Arrived::AsDeadLetter) => {}
                Ok(Arrived::ForNobody(ended)) => whose.observe(ended),
                Ok(Arrived::OnItsQueue) => {
                    of.kept.passed.count(publication.at);
                    if let Some(report) = report
                        && self.directory.send(report, whose, room) == Sent::UnitEnded
                    {
                        return Err(Reason::BACKED_OUT);
                    }
                }
                Err(Reason::BACKED_OUT) => return Err(Reason::BACKED_OUT),
                // Of a program's unit too, although that has what was put before: it knows, and may back out.
                Err(_) if is_required => return Err(Reason::PUBLICATION_FAILURE),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Puts a copy on its queue, which takes one that is promised although it is full by now, or where dead
    /// letters go. Nowhere when it is refused because its subscription has ended.
    fn put_share(
        &self,
        share: Share<'_>,
        is_promised: bool,
        resolved: &Resolved,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<Arrived, Reason> {
        let Share { of, copy, fate, .. } = share;
        let whole = || Ok::<_, Reason>(Report { is_promised, ..copy.to_report(destination_of(&of.kept)?) });
        let refusal = match fate {
            Fate::DeadLetters(reason) => reason,
            Fate::Queue(queue, elsewhere) => {
                let goes_on = elsewhere.is_some() || queue.attributes().stream.is_some();
                let put = if goes_on {
                    self.directory.put_report_on(&queue, elsewhere, &whole()?, whose, room)
                } else {
                    let mut arrival = copy.clone().arrival(self);
                    (arrival.facts.is_promised, arrival.facts.uses_spare) = (is_promised, false);
                    queue.put(&self.queues, arrival, Placing::beside(whose, room)).into_inner()
                };
                match put {
                    Ok(()) => return Ok(Arrived::OnItsQueue),
                    Err(Reason::BACKED_OUT) => return Err(Reason::BACKED_OUT),
                    Err(reason) => match self.end_of(of) {
                        Some(ended) => return Ok(Arrived::ForNobody(ended)),
                        None => reason,
                    },
                }
            }
        };
        if !resolved.use_dead_letter_queue {
            return Err(refusal);
        }
        self.directory.keep_dead(whole()?, refusal, whose, room).map(|()| Arrived::AsDeadLetter)
    }

    /// Makes the report that a copy has arrived, if its publisher asks for one and it arrives here: about the
    /// publication, without its addressee.
    fn arrival_report(&self, publication: &Publication, share: &Share<'_>) -> Option<Report> {
        let Share { copy, fate, .. } = share;
        let is_asked = Kind::Arrival.is_asked(copy.payload.descriptor.report);
        (is_asked && matches!(fate, Fate::Queue(_, None))).then(|| {
            let mut descriptor = copy.descriptor();
            Place::of(&publication.payload.descriptor).describe(&mut descriptor);
            let original = Payload::new(descriptor, publication.payload.body.clone());
            let original = original.with_report_rights(publication.payload.report_rights);
            self.directory.report_about(Kind::Arrival, &original, copy.payload.descriptor.expiry)
        })
    }

    /// Room in the log for the copies, their reports, and the end of the unit they are in.
    fn room_for(
        &self,
        shares: &[Share<'_>],
        reports: &[Option<Report>],
        count: usize,
        end: &Bytes,
    ) -> Result<Reservation, Reason> {
        let mut beginnings = Beginnings::beside(end.clone());
        let bytes: u64 = bodies(shares, reports).map(|body| room_beside(body, &mut beginnings)).sum();
        self.queues.reserve(bytes + Gathered::room(count, end.len()) + RESERVED_END, Purpose::Fill)
    }
}
