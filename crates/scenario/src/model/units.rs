//! Units of work and the ends of connections.
//!
//! Always: a unit of work that is prepared is that of a client of its own name, which no program has. It
//! outlives the client that worked in it, and restarts.

use mqi::Reason;

use super::calls::Replied;
use super::queue::{PREPARED, Prepared, QueueId, State};
use super::{Client, Manager, Version, refused};

impl Manager {
    /// Notes a change to the durable content of a queue; an observer of the queue depends on it.
    pub(super) fn changed(&mut self, queue: QueueId) -> Version {
        let need = self.note();
        self.queue(queue).changed = need;
        need
    }

    /// The client's unit of work stands: all of it is durable at once, then it is seen.
    pub(super) fn commit(&mut self, client: &str) -> Version {
        for handle in self.client(client).handles.values_mut() {
            handle.courses_before = Default::default();
        }
        let retained = self.serve_latecomers(client);
        let unit = std::mem::take(&mut self.client(client).unit);
        let mut need = 0;
        let mut lasts = false;
        // Seen or not, all of it stands before any of it is given to others.
        let mut arrived = Vec::new();
        for (id, number, was_put) in unit {
            let Some(queue) = self.queues.get_mut(&id) else { continue };
            need = need.max(queue.changed);
            lasts |= queue.message(number).persistent;
            if was_put {
                queue.message(number).state = State::Available;
            } else {
                queue.remove(number);
            }
            arrived.push(id);
        }
        let mut triggers = std::mem::take(&mut self.client(client).triggers);
        let fired = self.fire_each(&mut triggers);
        if lasts || fired.lasts {
            need = self.note();
        }
        for id in &arrived {
            let changed = self.queues[id].changed.max(need);
            self.queue(*id).changed = changed;
        }
        // What stands may be too old by now to be given to anybody.
        self.expire();
        for id in arrived {
            self.offer(id);
        }
        self.offer_fired(&fired, need);
        for topic in retained {
            need = need.max(self.forget_retained(&topic));
        }
        need.max(self.fire_at_end(triggers, true))
    }

    /// The client's unit of work falls: what it put is gone, what it got is back, once more backed out. That
    /// this is so needs nothing of the log; only the counts are told to it.
    pub(super) fn back_out(&mut self, client: &str) {
        self.client(client).counted.is_unit_failed = false;
        let unit = std::mem::take(&mut self.client(client).unit);
        self.client(client).retains.clear();
        for handle in self.client(client).handles.values_mut() {
            for (course, before) in handle.courses.iter_mut().zip(&mut handle.courses_before) {
                *course = before.take().unwrap_or_else(|| course.clone());
            }
        }
        let mut returned = Vec::new();
        for (id, number, was_put) in unit.into_iter().rev() {
            let Some(queue) = self.queues.get_mut(&id) else { continue };
            if was_put {
                queue.remove(number);
                continue;
            }
            let message = queue.message(number);
            message.backout += 1;
            message.state = State::Available;
            returned.push(id);
        }
        self.note();
        self.expire();
        for id in returned {
            self.offer(id);
        }
        let triggers = std::mem::take(&mut self.client(client).triggers);
        self.fire_at_end(triggers, false);
    }

    /// The client's connection ends: with a disconnect its unit of work stands, otherwise it falls.
    pub(super) fn end(&mut self, name: &str, in_order: bool) -> Version {
        self.client(name).wait = None;
        let need = if in_order {
            self.commit(name)
        } else {
            self.back_out(name);
            0
        };
        for (number, handle) in std::mem::take(&mut self.client(name).handles) {
            self.let_go(handle.queue, number);
            self.closed(&handle);
        }
        self.end_subscriptions(name);
        self.end_handles(name);
        let last = self.client(name).last;
        *self.client(name) = Client { last, is_late: self.is_quiescing, ..Client::default() };
        need
    }

    /// The units that are prepared, as far as they outlive a restart.
    pub(super) fn lasting_of_prepared(&self) -> Vec<Prepared> {
        let lasting = |name: &String| {
            let unit =
                self.clients[name].unit.iter().filter(|(queue, number, _)| self.lasts(*queue, *number));
            Prepared { name: name.clone(), unit: unit.copied().collect() }
        };
        self.prepared.iter().map(lasting).collect()
    }

    fn lasts(&self, queue: QueueId, number: u64) -> bool {
        let defined = self.objects.values().find(|definition| definition.queue == Some(queue));
        let message = self
            .queues
            .get(&queue)
            .and_then(|queue| queue.messages.iter().find(|message| message.number == number));
        defined.is_some_and(|definition| !definition.temporary)
            && message.is_some_and(|message| message.persistent)
    }

    /// The client's unit of work is prepared, and it goes on with an empty one. What is retained cannot be.
    pub(super) fn prepare(&mut self, client: &str) -> Replied {
        if !self.client(client).retains.is_empty() {
            return Err(Reason::UOW_NOT_AVAILABLE);
        }
        if self.client(client).unit.is_empty() {
            let need = self.commit(client);
            return self.done(need);
        }
        for handle in self.client(client).handles.values_mut() {
            handle.courses_before = Default::default();
        }
        let name = format!("{PREPARED}{}", self.number());
        let unit = std::mem::take(&mut self.client(client).unit);
        for (queue, number, _) in &unit {
            if let Some(queue) = self.queues.get_mut(queue) {
                queue.message(*number).state.is_now_of(&name);
            }
        }
        self.clients.insert(name.clone(), Client { unit, ..Client::default() });
        self.prepared.push(name);
        let need = self.note();
        self.done(need)
    }

    /// The coordinator decides the unit that was prepared first.
    pub(super) fn decide(&mut self, commits: bool) -> Replied {
        if self.prepared.is_empty() {
            return Ok(Some((refused(Reason::UOW_NOT_AVAILABLE), self.decided)));
        }
        let name = self.prepared.remove(0);
        let mut need = 0;
        if commits {
            need = self.commit(&name);
        } else {
            self.back_out(&name);
        }
        self.clients.remove(&name);
        self.decided = need.max(self.note());
        self.done(self.decided)
    }
}
