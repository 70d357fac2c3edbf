//! Units of work that are prepared: their clients go on, and a coordinator decides them later.
//!
//! Always: to its client the commit of such a unit is one call, which is answered when the decision is
//! durable.

use testing::history::{Action, Happening, Outcome};

use super::life::{DRIVES_MAX, Doubt, Life, Problem};
use super::subject::Refusal;

/// Numbers of units begin here, so that no client has them.
const FIRST_NUMBER: u32 = 1_000_000;

impl Life {
    /// A client has its unit of work prepared.
    pub(super) fn prepare(&mut self, client: u32) -> Result<(), Problem> {
        let index = self.ready_client(client)?;
        if !self.subject.prepares(self.clients[index].number) {
            return self.end_unit(client, true);
        }
        if !std::mem::take(&mut self.clients[index].in_unit) {
            return Ok(());
        }
        let (client, unit) = (self.clients[index].number, self.clients[index].units);
        let call = self.invoke(index, Action::Commit { unit });
        self.prepared += 1;
        let number = FIRST_NUMBER + self.prepared;
        let answer = self.subject.prepare(client, number);
        match answer.result {
            Ok(true) => {
                self.features.prepared = true;
                self.model.prepare(client, number);
                let (need, is_told) = (answer.need, false);
                let doubt =
                    Doubt { number, client: index, call, need, is_told, is_begun: false, ended: None };
                self.in_doubt.push(doubt);
                let durable = self.subject.durable();
                self.release(durable);
                Ok(())
            }
            Ok(false) => {
                let version = self.model.commit(client);
                self.answer(index, call, answer.need, Happening::Ok(Outcome::Done), version);
                Ok(())
            }
            Err(refusal) => {
                if matches!(refusal, Refusal::Failed(_)) {
                    // Whether it is in the log decides the start, which commits what it finds.
                    self.model.prepare(client, number);
                }
                self.refused(index, call, &refusal, false)
            }
        }
    }

    /// The coordinator decides the oldest unit that it was told of.
    pub(super) fn decide_unit(&mut self, commits: bool) -> Result<(), Problem> {
        let Some(at) = self.in_doubt.iter().position(|doubt| doubt.is_told && !doubt.is_begun) else {
            return Ok(());
        };
        self.in_doubt[at].is_begun = true;
        self.mark();
        let Doubt { number, client, call, .. } = self.in_doubt[at].clone();
        let answer = self.subject.settle(number, commits);
        match answer.result {
            Ok(true) => {
                let (version, happening) = if commits {
                    (self.model.commit(number), Happening::Ok(Outcome::Done))
                } else {
                    self.model.backout(number);
                    (0, Happening::Fail("the coordinator backed it out".to_owned()))
                };
                self.in_doubt[at].ended = Some((answer.need, version, happening));
                let durable = self.subject.durable();
                self.release(durable);
                Ok(())
            }
            Ok(false) => Err(Problem::Wrong(format!("unit {number} was prepared and is not known"))),
            Err(refusal) => {
                if matches!(refusal, Refusal::Failed(_)) && commits {
                    self.model.commit(number);
                }
                self.refused(client, call, &refusal, false)
            }
        }
    }

    /// The coordinator commits every unit there is.
    pub(super) fn decide_all(&mut self) -> Result<(), Problem> {
        for _ in 0..DRIVES_MAX {
            if self.in_doubt.is_empty() {
                return Ok(());
            }
            let durable = self.subject.drive();
            self.release(durable);
            self.decide_unit(true)?;
            self.note_arrivals()?;
            if let Some(failure) = self.subject.failure() {
                return Err(Problem::Ended(failure));
            }
        }
        Err(Problem::Wrong("the end of a unit in doubt never became durable".to_owned()))
    }

    /// Tells what is durable of units that are prepared, and of their ends.
    pub(super) fn release_units(&mut self, durable: u64) {
        for doubt in &mut self.in_doubt {
            doubt.is_told |= doubt.need <= durable;
        }
        let is_durable = |doubt: &Doubt| doubt.ended.as_ref().is_some_and(|(need, ..)| *need <= durable);
        while let Some(at) = self.in_doubt.iter().position(is_durable) {
            let Doubt { client, call, ended, .. } = self.in_doubt.remove(at);
            let (_, version, happening) = ended.expect("it was just seen");
            self.acknowledged = self.acknowledged.max(version);
            self.event(client, call, happening);
        }
    }

    /// The units that a restart must find: their coordinator was told, and has not begun to decide.
    pub(super) fn certainly_in_doubt(&self) -> Vec<u32> {
        let certain = self.in_doubt.iter().filter(|doubt| doubt.is_told && !doubt.is_begun);
        certain.map(|doubt| doubt.number).collect()
    }
}
