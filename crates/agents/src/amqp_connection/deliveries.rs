//! Deliveries to a client that are not settled, by the numbers that their sessions give them.
//!
//! Always: a number costs a search among them; a range costs what it has in common with them; of those that
//! are settled no more places are kept than of those that are not, and a few.

use std::collections::{BTreeMap, VecDeque};

use super::owner::LinkId;

/// Places of settled deliveries that are kept for the sake of speed.
const SETTLED_MAX: usize = 64;

/// A delivery: its link, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsettled {
    pub(super) delivery_id: u32,
    pub(super) link: LinkId,
    pub(super) number: u32,
}

/// Deliveries of all sessions.
#[derive(Debug, Default)]
pub(super) struct Deliveries(BTreeMap<u16, OfSession>);

/// A place: the number of a delivery, and the delivery unless it is settled.
#[derive(Debug)]
struct Place {
    delivery_id: u32,
    unsettled: Option<Unsettled>,
}

/// Deliveries of a session, by their numbers; the first place has one that is not settled.
#[derive(Debug, Default)]
struct OfSession {
    places: VecDeque<Place>,
    settled: usize,
}

impl Deliveries {
    /// Notes a delivery of a session; its number is behind all that were noted.
    pub(super) fn push(&mut self, channel: u16, delivery: Unsettled) {
        let session = self.0.entry(channel).or_default();
        let delivery_id = delivery.delivery_id;
        session.places.push_back(Place { delivery_id, unsettled: Some(delivery) });
    }

    /// Takes those of a range out.
    pub(super) fn take(&mut self, channel: u16, first: u32, last: u32) -> Vec<Unsettled> {
        self.0.get_mut(&channel).map(|session| session.take(first, last)).unwrap_or_default()
    }

    /// Forgets those of a link.
    pub(super) fn forget_link(&mut self, channel: u16, link: LinkId) {
        if let Some(session) = self.0.get_mut(&channel) {
            session.places.retain(|place| place.unsettled.is_some_and(|delivery| delivery.link != link));
            session.settled = 0;
        }
    }

    /// The first of each link, with the channel of its session.
    pub(super) fn first_of_links(&self) -> Vec<(u16, Unsettled)> {
        let mut first = BTreeMap::new();
        for (channel, session) in &self.0 {
            for delivery in session.places.iter().filter_map(|place| place.unsettled) {
                first.entry(delivery.link).or_insert((*channel, delivery));
            }
        }
        first.into_values().collect()
    }

    /// Forgets those of a session.
    pub(super) fn forget_session(&mut self, channel: u16) {
        self.0.remove(&channel);
    }
}

impl OfSession {
    fn take(&mut self, first: u32, last: u32) -> Vec<Unsettled> {
        let Some(Place { delivery_id: base, .. }) = self.places.front() else { return Vec::new() };
        // Numbers are compared by how far they are from the first place.
        let base = *base;
        let is_before = |id: u32| id.wrapping_sub(base) > i32::MAX as u32;
        if is_before(last) {
            return Vec::new();
        }
        let from = if is_before(first) { 0 } else { first.wrapping_sub(base) };
        let to = last.wrapping_sub(base);
        let start = self.places.partition_point(|place| place.delivery_id.wrapping_sub(base) < from);
        let mut taken = Vec::new();
        for place in self.places.range_mut(start..) {
            if place.delivery_id.wrapping_sub(base) > to {
                break;
            }
            taken.extend(place.unsettled.take());
        }
        self.settled += taken.len();
        self.tidy();
        taken
    }

    fn tidy(&mut self) {
        while self.places.pop_front_if(|place| place.unsettled.is_none()).is_some() {
            self.settled -= 1;
        }
        if self.settled > SETTLED_MAX && self.settled > self.places.len() / 2 {
            self.places.retain(|place| place.unsettled.is_some());
            self.settled = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(taken: &[Unsettled]) -> Vec<u32> {
        taken.iter().map(|delivery| delivery.delivery_id).collect()
    }

    fn deliveries(ids: &[u32]) -> Deliveries {
        let mut deliveries = Deliveries::default();
        for id in ids {
            let link = LinkId(id % 2);
            deliveries.push(1, Unsettled { delivery_id: *id, link, number: id.wrapping_add(7) });
        }
        deliveries
    }

    #[test]
    fn a_range_takes_what_is_there_and_no_more() {
        let mut all = deliveries(&[10, 11, 13, 14]);
        assert!(all.take(2, 0, u32::MAX / 2).is_empty(), "another session has others");
        assert_eq!(numbers(&all.take(1, 11, 13)), [11, 13], "one in between was settled when it was sent");
        assert!(all.take(1, 11, 13).is_empty(), "they are taken once");
        assert_eq!(numbers(&all.take(1, 0, 10)), [10]);
        assert!(all.take(1, 0, 13).is_empty());
        assert!(all.take(1, 15, 20).is_empty());
        assert_eq!(numbers(&all.take(1, 5, 5 + (i32::MAX as u32))), [14]);
    }

    #[test]
    fn places_do_not_pile_up_behind_a_delivery_that_is_never_settled() {
        let mut all = deliveries(&[0]);
        for id in 1..100_000 {
            all.push(1, Unsettled { delivery_id: id, link: LinkId(0), number: id });
            assert_eq!(numbers(&all.take(1, id, id)), [id]);
        }
        assert!(all.0[&1].places.len() < 200);
        assert_eq!(numbers(&all.take(1, 0, 0)), [0]);
    }

    #[test]
    fn numbers_may_wrap() {
        let mut all = deliveries(&[u32::MAX - 1, u32::MAX, 0, 1]);
        assert_eq!(numbers(&all.take(1, u32::MAX, 0)), [u32::MAX, 0]);
        assert_eq!(numbers(&all.take(1, u32::MAX - 5, 9)), [u32::MAX - 1, 1]);
    }

    #[test]
    fn a_link_that_ends_takes_its_deliveries_along() {
        let mut all = deliveries(&[1, 2, 3, 4]);
        all.forget_link(1, LinkId(1));
        assert_eq!(numbers(&all.take(1, 0, 9)), [2, 4]);
    }
}
