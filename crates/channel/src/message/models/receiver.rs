//! Steps of the receiver, and of an old one that reads on.

use super::*;

impl Model {
    pub(super) fn receiver_goes_on(
        &self,
        state: &State,
        link: &Link,
        steps: &mut Vec<State>,
    ) -> Result<(), String> {
        if let Some((frame, is_last)) = &link.hold {
            for work in self.works(state, frame, Some(*is_last)) {
                self.do_work(state, link, frame, &work, steps)?;
            }
            if self.fault == PausedIsSkipped
                && let Some(next @ ToReceiver::Batch(..)) = link.to_receiver.front()
            {
                let mut skipping = link.clone();
                skipping.to_receiver.pop_front();
                // Planted: it takes the next batch for the one that it waits with.
                let receiving = skipping.receiving.as_ref().expect("it reads");
                let mark = Mark { batch: receiving.books().last.batch.next(), ..Mark::START };
                let ToReceiver::Batch(numbers, _) = next else { unreachable!("it was matched") };
                let receiver = state.receiver.with([Taken::Batch(mark, numbers.clone())]);
                skipping.gated.push_back((receiver.records.len(), ToSender::Done(mark.batch)));
                steps.push(State { link: Some(skipping), receiver, ..state.clone() });
            }
            return Ok(());
        }
        let Some(frame) = link.to_receiver.front() else { return Ok(()) };
        let mut rest = link.clone();
        rest.to_receiver.pop_front();
        let (books, _) = receiver_books(&state.receiver.records);
        let need = state.receiver.records.len();
        match frame {
            ToReceiver::Hello => {
                let lives = self.fault == OldAgentLives
                    || (self.fault == PausedLives
                        && state.ghost.as_ref().is_some_and(|ghost| ghost.hold.is_some()));
                let ghost = state.ghost.clone().filter(|_| lives);
                let is_lost = state.ghost.is_some() && ghost.is_none();
                let fast = if is_lost { lost(state.fast) } else { state.fast };
                let receiving = Receiving::new(TERMS, books);
                rest.gated.push_back((need, ToSender::Position(receiving.position())));
                rest.receiving = Some(receiving);
                steps.push(State { link: Some(rest), ghost, fast, ..state.clone() });
            }
            ToReceiver::Resume(resume) => {
                let receiving = rest.receiving.as_mut().expect("a Hello came before");
                let mut log = state.receiver.clone();
                match receiving.hear_resume(resume).map_err(|fault| fault.to_string())? {
                    Resumed::Running => {}
                    resumed => {
                        if let Resumed::NewLine { line, begins, .. } = resumed {
                            log = log.with(line_records(&log, line, begins));
                        }
                        if self.fault == LineNotConfirmed {
                            let again = Resume { is_new: false, ..*resume };
                            receiving.hear_resume(&again).map_err(|fault| fault.to_string())?;
                        } else {
                            let position = ToSender::Position(receiving.position());
                            rest.gated.push_back((log.records.len(), position));
                        }
                    }
                }
                steps.push(State { link: Some(rest), receiver: log, ..state.clone() });
            }
            frame => {
                for work in self.works(state, frame, None) {
                    self.do_work(state, &rest, frame, &work, steps)?;
                }
            }
        }
        Ok(())
    }

    /// The ways to go on with a message or a batch; `held` says that it waits, and whether it may wait on.
    fn works(&self, state: &State, frame: &ToReceiver, held_back: Option<bool>) -> Vec<Work> {
        let is_fast = *frame == ToReceiver::Fast;
        let done = || if is_fast { Work::Fast(put(state.fast)) } else { Work::Commits };
        let mut works = Vec::new();
        if !state.is_full {
            works.push(done());
        } else if held_back.is_none() {
            works.push(match (is_fast, self.fault) {
                (true, FastDropped) => Work::Fast((FastPlace::Silent, state.fast.1)),
                (true, _) => Work::Holds(true, held(state.fast)),
                (false, _) => Work::Holds(true, state.fast),
            });
        } else if held_back == Some(true) {
            works.push(Work::Holds(false, state.fast));
            // Into the dead-letter queue.
            works.push(done());
        }
        if held_back == Some(false) && !is_fast && state.left[REFUSALS] > 0 {
            works.push(Work::Refuses);
        }
        works
    }

    fn do_work(
        &self,
        state: &State,
        link: &Link,
        frame: &ToReceiver,
        work: &Work,
        steps: &mut Vec<State>,
    ) -> Result<(), String> {
        let mut next = link.clone();
        next.hold = None;
        let receiving = next.receiving.as_mut().ok_or("a batch came before the Hello")?;
        match work {
            Work::Holds(again, fast) => {
                next.hold = Some((frame.clone(), *again));
                steps.push(State { link: Some(next), fast: *fast, ..state.clone() });
            }
            Work::Fast(fast) => {
                receiving.hear_fast().map_err(|fault| fault.to_string())?;
                steps.push(State { link: Some(next), fast: *fast, ..state.clone() });
            }
            Work::Commits => {
                let mark = self.commit(receiving, frame).map_err(|fault| fault.to_string())?;
                let receiver = state.receiver.with(self.records(frame, mark));
                next.gated.push_back((receiver.records.len(), ToSender::Done(mark.batch)));
                steps.push(State { link: Some(next), receiver, ..state.clone() });
            }
            Work::Refuses => {
                let refused = ToSender::Refused(receiving.books().last.batch.next());
                if self.fault != RefusedGoesOn {
                    receiving.give_up();
                    (next.has_ended, next.to_receiver) = (true, VecDeque::new());
                }
                if self.fault == RefusalOvertakes {
                    next.gated.clear();
                    next.to_sender.push_back(refused);
                } else {
                    next.gated.push_back((state.receiver.records.len(), refused));
                }
                let fast = if state.fast.0 == FastPlace::Sent { lost(state.fast) } else { state.fast };
                steps.push(State { link: Some(next), fast, ..state.clone() }.less(REFUSALS));
            }
        }
        Ok(())
    }

    fn commit(&self, receiving: &mut Receiving, frame: &ToReceiver) -> Result<Mark, Violation> {
        let ToReceiver::Batch(numbers, end) = frame else { unreachable!("a batch is committed") };
        let mut sequence = receiving.books().last.sequence;
        for number in numbers {
            sequence = sequence.next(TERMS.highest);
            receiving.hear_message(sequence, facts(&[*number; 24]))?;
        }
        receiving.hear_end(end)
    }

    /// The number is in the record of the commit; planted: in one of its own.
    fn records(&self, frame: &ToReceiver, mark: Mark) -> Vec<Taken> {
        let ToReceiver::Batch(numbers, _) = frame else { unreachable!("a batch is committed") };
        let counted = Taken::Batch(mark, numbers.clone());
        match self.fault {
            NumberBesideCommit => vec![Taken::Unnumbered(numbers.clone()), counted],
            _ => vec![counted],
        }
    }

    /// An old receiver reads on, or is noticed to be left.
    pub(super) fn ghost(&self, state: &State, steps: &mut Vec<State>) {
        let Some(ghost) = &state.ghost else { return };
        let is_elsewhere = state.fast.0 != FastPlace::Held
            && state.link.as_ref().is_some_and(|link| link.to_receiver.contains(&ToReceiver::Fast));
        let fast = if is_elsewhere { state.fast } else { lost(state.fast) };
        steps.push(State { ghost: None, fast, ..state.clone() });
        let (frame, held_back, mut rest) = match (&ghost.hold, ghost.frames.front()) {
            (Some((frame, again)), _) => (frame, Some(*again), ghost.clone()),
            (None, Some(frame)) => {
                let mut rest = ghost.clone();
                rest.frames.pop_front();
                (frame, None, rest)
            }
            (None, None) => return,
        };
        rest.hold = None;
        match frame {
            ToReceiver::Hello => steps.push(State { ghost: Some(rest), ..state.clone() }),
            ToReceiver::Resume(resume) => {
                let resumed = rest.receiving.hear_resume(resume);
                let mut receiver = state.receiver.clone();
                if let Ok(Resumed::NewLine { line, begins, .. }) = resumed {
                    receiver = receiver.with(line_records(&receiver, line, begins));
                }
                let ghost = resumed.is_ok().then_some(rest);
                steps.push(State { ghost, receiver, ..state.clone() });
            }
            frame => {
                for work in self.works(state, frame, held_back) {
                    let mut rest = rest.clone();
                    let mut next = state.clone();
                    match work {
                        Work::Holds(again, fast) => {
                            (rest.hold, next.fast) = (Some((frame.clone(), again)), fast);
                        }
                        Work::Fast(fast) => next.fast = fast,
                        Work::Commits => {
                            let Ok(mark) = self.commit(&mut rest.receiving, frame) else {
                                next.ghost = None;
                                steps.push(next);
                                continue;
                            };
                            next.receiver = next.receiver.with(self.records(frame, mark));
                        }
                        Work::Refuses => {
                            let next = State { ghost: None, fast: lost(state.fast), ..next };
                            steps.push(next.less(REFUSALS));
                            continue;
                        }
                    }
                    next.ghost = Some(rest);
                    steps.push(next);
                }
            }
        }
    }
}

/// The records of a line that begins, as the queue manager makes them: a crash may keep the first alone.
fn line_records(log: &Log<Taken>, line: Line, begins: Mark) -> Vec<Taken> {
    let defined = log.with([Taken::Line(line)]);
    let counted = receiver_books(&defined.records).0.last.sequence;
    let start = (counted != begins.sequence).then_some(Taken::Start(begins.sequence));
    [Taken::Line(line)].into_iter().chain(start).collect()
}
