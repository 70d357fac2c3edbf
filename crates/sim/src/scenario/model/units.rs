//! Units of work and the ends of connections.

use super::queue::{QueueId, State};
use super::{Client, Manager, Version};

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

    /// The client's unit of work falls: what it put is gone, what it got is back, once more backed out. That this is
    /// so needs nothing of the log; only the counts are told to it.
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
}
