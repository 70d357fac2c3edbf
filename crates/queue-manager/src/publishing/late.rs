//! Subscribers that come between the MQPUT of a publication to be retained and the commit of its unit of
//! work.
//!
//! Such a subscription was not there when the copies were made, and the publication was not yet retained when
//! the subscription was made: without more it would be given neither. So a unit of work remembers the
//! publications that it retains, and its commit adds copies for those subscriptions, and removes earlier
//! retained ones.
//!
//! Always: of several for a topic the last one of the unit counts, since it is the one that will be retained;
//! the copies stand with the unit, in the log too; from the search for subscriptions until the unit stands
//! `Broker::retaining` is read-locked, so that each subscription is either found here or sees the retained
//! publication itself.

use mqi::Persistence;
use queues::gate::{Gated, Outcome};
use queues::message::report::Report;
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::to_retain::{Pending, ToRetain};
use queues::unit_of_work::{Stood, Work};
use storage::record::{Counterpart, RESERVED_END};
use storage::{Lsn, Purpose};
use topic::{Delivery, SubscriptionId};

use super::copies::Copies;
use super::{Headers, Publication, Reports, bodies};
use crate::broker::Broker;

impl Broker {
    /// Makes a unit of work stand, with the publications that it retains.
    pub(crate) fn commit(&self, mut work: Work, counted: Option<Counterpart>) -> Outcome<()> {
        if work.to_retain.is_empty() {
            return self.queues.commit(work, counted);
        }
        let to_retain = std::mem::take(&mut work.to_retain);
        // Until it stands nobody subscribes and looks what is retained.
        let _nobody_subscribes = self.retaining.read();
        let work = self.with_latecomers(work, &to_retain);
        let Stood { need, due } = self.queues.make_stand(work, counted);
        let forgotten = self.forget_before(&to_retain);
        let followed = self.queues.report(due);
        Gated::new(need.max(forgotten).max(followed), Ok(()))
    }

    /// Adds copies of the publications that a unit of work retains, behind its other operations, for
    /// subscriptions that were made after the MQPUT.
    fn with_latecomers(&self, mut work: Work, to_retain: &ToRetain) -> Work {
        let mut whose = Whose::Own(Box::new(work.reopen()));
        for late in &to_retain.0 {
            if let Some(publication) = late.at(self.ground().now()) {
                self.publish_late(&publication, late.seen, &mut whose);
            }
        }
        if let Whose::Own(mut unit) = whose {
            work.close(&mut unit);
        }
        work
    }

    /// Removes the publications that a unit of work's own have replaced, now that the unit stands. Returns
    /// the position that must be durable before the outside may learn of it.
    fn forget_before(&self, to_retain: &ToRetain) -> Lsn {
        let forgotten = to_retain.0.iter().map(|Pending { publication, is_first, .. }| {
            if *is_first {
                self.count_retained(publication);
            }
            self.forget_retained(&publication.topic)
        });
        forgotten.max().unwrap_or_default()
    }

    /// A subscription that cannot be given it goes without: the publisher was answered before.
    fn publish_late(&self, publication: &Publication, seen: SubscriptionId, whose: &mut Whose) {
        let topics = self.directory.catalogue.topics();
        let heard = topics.tree.subscribers(&publication.topic);
        let mut wanting = self.wanting(publication, &heard);
        wanting.retain(|subscription| subscription.id > seen);
        if wanting.is_empty() {
            return;
        }
        let resolved = topics.tree.resolved(&publication.topic);
        let headers = Headers::default();
        let mut copies = Copies::of(publication, &headers, wanting.len());
        let Ok((shares, ended)) = self.shares(&mut copies, resolved, Delivery::AllAvailable, &wanting) else {
            return;
        };
        let reports: Reports = shares.iter().map(|share| self.arrival_report(publication, share)).collect();
        let bytes: u64 = bodies(&shares, &reports).map(|body| Report::room(body.len())).sum();
        let is_persistent = publication.payload.descriptor.persistence == Persistence::Persistent;
        let room = is_persistent.then(|| self.queues.reserve(bytes + RESERVED_END, Purpose::Fill));
        let Ok(mut room) = room.transpose() else { return };
        if let Whose::Own(unit) = whose {
            unit.observe(topics.need.max(ended));
        }
        // What is refused in the last moment is left out.
        let _ = self.put_all(publication, resolved, (shares, reports), None, whose, &mut room);
    }
}
