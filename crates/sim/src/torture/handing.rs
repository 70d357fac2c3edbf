//! Clients that wait, and messages on their way to them without the log.
//!
//! At most one client waits at a queue without having been given anything, so it is always known who must be
//! given what arrives there.
//!
//! Always: what is on its way is in no version of the model; it is in the next one if it is taken back.

use testing::history::{Action, Happening, MessageIdentity, Outcome, body};

use super::life::{DRIVES_MAX, Life, Problem, queue_name};
use super::model::Place;
use super::subject::{AWAITS_GETTER, Answer, Arrived, Refusal};
use super::workload::Fate;

/// A get that waits.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    call: u64,
    queue: usize,
    /// The message on its way to it.
    handed: Option<Handed>,
    /// Putter of that message: the place of a client.
    pub(super) from: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Handed {
    place: Place,
    identity: MessageIdentity,
    need: u64,
    version: usize,
}

impl Life {
    /// A client waits for a message, or gets the one that is there.
    pub(super) fn wait(&mut self, client: u32, queue: usize) -> Result<(), Problem> {
        let index = self.ready_client(client)?;
        let is_there = self.model.first(queue).is_some() || self.waits_at(queue).is_some();
        if is_there || !self.subject.has_waits() {
            return self.get(client, queue, false);
        }
        let number = self.clients[index].number;
        let call = self.invoke(index, Action::Get { queue: queue_name(queue), unit: None, selective: false });
        self.clients[index].wait = Some(Wait { call, queue, handed: None, from: None });
        self.subject.wait(number, queue);
        Ok(())
    }

    /// Returns a client that waits at a queue and has been given nothing.
    fn waits_at(&self, queue: usize) -> Option<usize> {
        self.clients.iter().position(|client| {
            client.wait.as_ref().is_some_and(|wait| wait.queue == queue && wait.handed.is_none())
        })
    }

    /// Notes a put whose message went to a getter without the log, and returns the getter.
    pub(super) fn note_handed(
        &mut self,
        queue: usize,
        priority: u8,
        identity: MessageIdentity,
    ) -> Result<usize, Problem> {
        let getter = self.waits_at(queue);
        let arrived = getter.and_then(|index| self.subject.arrived(self.clients[index].number, false));
        let (Some(getter), Some(Arrived { answer: Answer { need, result: Ok(found) }, is_handed: true })) =
            (getter, arrived)
        else {
            return Err(Problem::Wrong(format!(
                "{identity:?} was handed over at {} and came to nobody",
                queue_name(queue)
            )));
        };
        if body::identity(&found) != Some(identity) {
            return Err(Problem::Wrong(format!("{identity:?} was handed over, and something else came")));
        }
        let version = self.model.changed(queue);
        let place = self.model.hand_over(queue, priority, identity);
        let wait = self.clients[getter].wait.as_mut().expect("it waits");
        wait.handed = Some(Handed { place, identity, need, version });
        Ok(getter)
    }

    /// Notes messages that came, by way of the log, to waiting clients.
    pub(super) fn note_arrivals(&mut self) -> Result<(), Problem> {
        loop {
            self.note_arrivals_once()?;
            // Room may have been made for one by backing out what another waits for.
            if !self.note_revoked() {
                return Ok(());
            }
        }
    }

    fn note_arrivals_once(&mut self) -> Result<(), Problem> {
        for index in 0..self.clients.len() {
            let client = &self.clients[index];
            let Some(wait) = client.wait.clone().filter(|wait| wait.handed.is_none()) else { continue };
            let (number, expected) = (client.number, self.model.first(wait.queue));
            match (expected, self.subject.arrived(number, expected.is_some())) {
                (_, Some(Arrived { is_handed: true, .. })) => {
                    return Err(Problem::Wrong(
                        "a message came without the log, and its put was answered".to_owned(),
                    ));
                }
                (_, Some(Arrived { answer: Answer { need, result: Ok(found) }, .. })) => {
                    self.clients[index].wait = None;
                    let given = body::identity(&found);
                    let expected = self.first_at(wait.queue, given);
                    let Some(identity) = given.filter(|_| given == expected) else {
                        let queue = queue_name(wait.queue);
                        return Err(Problem::Wrong(format!(
                            "who waited at {queue} was given {given:?}, not {expected:?}"
                        )));
                    };
                    let version = self.model.get(wait.queue, None);
                    let outcome = Outcome::Message(identity);
                    self.answer(index, wait.call, need, Happening::Ok(outcome), version);
                }
                (expected, Some(Arrived { answer: Answer { result: Err(refusal), .. }, .. })) => {
                    self.clients[index].wait = None;
                    if matches!(refusal, Refusal::Failed(_)) && expected.is_some() {
                        self.model.get(wait.queue, None);
                    }
                    if refusal == Refusal::SetAside && expected.is_some() {
                        self.model.set_aside(wait.queue);
                    }
                    self.refused(index, wait.call, &refusal, true)?;
                }
                // The log has no room for the record of the get.
                (Some(_), None) => self.give_up(index),
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Before its next call a client is done with the one that waits.
    pub(super) fn end_wait(&mut self, index: usize) -> Result<(), Problem> {
        match &self.clients[index].wait {
            None => {}
            Some(Wait { handed: Some(_), .. }) => self.finish(index, Fate::Delivered)?,
            Some(_) => self.give_up(index),
        }
        Ok(())
    }

    fn give_up(&mut self, index: usize) {
        let number = self.clients[index].number;
        let wait = self.clients[index].wait.take().expect("it waits");
        let has_ended = self.subject.give_up(number);
        assert!(has_ended, "what comes to those who wait is looked at after every step");
        self.event(index, wait.call, Happening::Fail("given up".to_owned()));
    }

    /// Whatever is on its way from this client's put arrives.
    pub(super) fn deliver_from(&mut self, putter: usize) -> Result<(), Problem> {
        let to = self.clients.iter().position(|client| {
            client.wait.as_ref().is_some_and(|wait| wait.handed.is_some() && wait.from == Some(putter))
        });
        match to {
            Some(getter) => self.finish(getter, Fate::Delivered),
            None => Err(Problem::Wrong("a put awaits a getter, and nothing is on its way".to_owned())),
        }
    }

    /// Something becomes of the first message that is on its way.
    pub(super) fn decide(&mut self, fate: Fate) -> Result<(), Problem> {
        let on_its_way = |wait: &Wait| wait.handed.is_some();
        let getter = self.clients.iter().position(|client| client.wait.as_ref().is_some_and(on_its_way));
        getter.map_or(Ok(()), |getter| self.finish(getter, fate))
    }

    fn finish(&mut self, getter: usize, fate: Fate) -> Result<(), Problem> {
        let number = self.clients[getter].number;
        // What else the end of a connection gives back would come between.
        let fate = if self.model.has_unit(number) { Fate::Delivered } else { fate };
        let wait = self.clients[getter].wait.take().expect("it waits");
        let handed = wait.handed.expect("a message is on its way to it");
        let putter = wait.from.expect("somebody has put it");
        if fate != Fate::NotBegun {
            self.drive_to(handed.need)?;
        }
        let mut version = 0;
        match fate {
            Fate::Delivered | Fate::Unread => {
                self.model.deliver(wait.queue, handed.place);
                self.features.handed = true;
                self.subject.deliver(number);
                self.acknowledged = self.acknowledged.max(handed.version);
                let is_read = fate == Fate::Delivered;
                let read = Happening::Ok(Outcome::Message(handed.identity));
                self.event(getter, wait.call, if is_read { read } else { Happening::Unknown });
            }
            Fate::NotBegun | Fate::CutShort => {
                version = self.model.take_back(wait.queue, handed.place);
                self.features.taken_back = true;
                self.subject.break_off(number, fate == Fate::CutShort);
                self.event(getter, wait.call, Happening::Fail("cut off".to_owned()));
            }
        }
        let Some(need) = self.subject.decided(self.clients[putter].number) else {
            return Err(Problem::Wrong(format!("{:?} and its put still awaits the getter", fate)));
        };
        let answer = self.clients[putter].waiting.as_mut().expect("the answer to the put is held back");
        assert!(answer.need == AWAITS_GETTER, "the answer held back is that to the put");
        (answer.need, answer.version) = (need, version);
        let durable = self.subject.durable();
        self.release(durable);
        Ok(())
    }

    fn drive_to(&mut self, need: u64) -> Result<(), Problem> {
        for _ in 0..DRIVES_MAX {
            if self.subject.durable() >= need {
                return Ok(());
            }
            let durable = self.subject.drive();
            self.release(durable);
            if let Some(failure) = self.subject.failure() {
                return Err(Problem::Ended(failure));
            }
        }
        Err(Problem::Wrong(format!("the log never became durable to {need}")))
    }
}
