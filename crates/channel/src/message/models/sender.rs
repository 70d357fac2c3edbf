//! Steps of the sender, and of the person beside it.

use super::*;

impl Model {
    /// The hand of a person, and the sender's call.
    pub(super) fn unlinked(&self, state: &State, steps: &mut Vec<State>) {
        let books = sender_books(&state.sender.records, self.run.messages, self.fault);
        let prepared = &books.state.prepared;
        if (state.left[RESOLVES] > 0 || state.is_stopped) && !prepared.is_empty() {
            let commits = prepared.iter().map(|mark| Kept::CommittedByHand(mark.batch));
            let back = prepared.iter().rev().map(|mark| Kept::BackedOutByHand(mark.batch));
            for records in [commits.collect::<Vec<_>>(), back.collect()] {
                let next = State { sender: state.sender.with(records), ..state.clone() };
                steps.push(if state.left[RESOLVES] > 0 { next.less(RESOLVES) } else { next });
            }
        }
        let may_reset = state.is_stopped || (state.left[RESETS] > 0 && books.state.is_used);
        if may_reset && (prepared.is_empty() || self.fault == ResetInDoubt) {
            let mut records: Vec<Kept> =
                prepared.iter().rev().map(|mark| Kept::BackedOut(mark.batch)).collect();
            // A line that was not used is known to the receiver perhaps, and stays, unless a stop named it.
            let is_told = state.sender.records.iter().rev().find_map(|record| match record {
                Kept::Told(line) => Some(*line == books.state.line),
                _ => None,
            });
            let stays = !books.state.is_used && books.state.line != Line::NONE && is_told != Some(true);
            records.push(Kept::Line(if stays { books.state.line } else { self.new_line(state) }));
            // Another number each time, so that the ends have to agree on it.
            let is_start = |record: &&Kept| matches!(record, Kept::Start(_));
            let resets = state.sender.records.iter().filter(is_start).count() as u32;
            records.push(Kept::Start(Sequence(6 + 3 * resets)));
            let next = State { sender: state.sender.with(records), is_stopped: false, ..state.clone() };
            steps.push(if state.is_stopped { next } else { next.less(RESETS) });
        }
        if state.left[WISHES] > 0 {
            let record = if self.fault == ReceiverForgets { Taken::Forgotten } else { Taken::Wish };
            steps.push(State { receiver: state.receiver.with([record]), ..state.clone() }.less(WISHES));
        }
        if !state.is_stopped {
            let link = Link {
                to_receiver: VecDeque::from([ToReceiver::Hello]),
                to_sender: VecDeque::new(),
                sending: Sending::new(TERMS, books.state),
                receiving: None,
                has_ended: false,
                names_line: false,
                sent: 0,
                gated: VecDeque::new(),
                hold: None,
            };
            steps.push(State { link: Some(link), ..state.clone() });
        }
    }

    /// Returns a line that was never used: in the product it is drawn at random.
    fn new_line(&self, state: &State) -> Line {
        let highest = state.sender.records.iter().map(|record| match record {
            Kept::Line(line) | Kept::Told(line) => line.0,
            _ => 0,
        });
        Line(highest.max().unwrap_or(0) + 1)
    }

    pub(super) fn linked(&self, state: &State, link: &Link, steps: &mut Vec<State>) -> Result<(), String> {
        self.sender_goes_on(state, link, steps)?;
        if let Some(frame) = link.to_sender.front() {
            let mut heard = link.clone();
            heard.to_sender.pop_front();
            self.sender_hears(state, heard, *frame, steps)?;
        }
        if !link.has_ended {
            self.receiver_goes_on(state, link, steps)?;
        }
        if let Some((need, frame)) = link.gated.front() {
            let is_early = self.fault == DoneBeforeCommit
                || (self.fault == PositionBeforeDurable && matches!(frame, ToSender::Position(_)));
            if state.receiver.durable >= *need || is_early {
                let mut next = link.clone();
                next.gated.pop_front();
                next.to_sender.push_back(*frame);
                steps.push(State { link: Some(next), ..state.clone() });
            }
        }
        Ok(())
    }

    /// Names a new line, prepares batches, sends what is durable.
    fn sender_goes_on(&self, state: &State, link: &Link, steps: &mut Vec<State>) -> Result<(), String> {
        let records = &state.sender.records;
        if link.names_line {
            let at = records.iter().rposition(|record| matches!(record, Kept::Line(_)));
            if at.is_some_and(|at| state.sender.durable > at) || self.fault == LineBeforeDurable {
                let mut next = link.clone();
                next.names_line = false;
                next.to_receiver.push_back(ToReceiver::Resume(next.sending.resume()));
                if self.fault == LineNotConfirmed {
                    let line = next.sending.books().line;
                    let confirmed = Position { line, ..Position::default() };
                    next.sending.hear_position(&confirmed).map_err(|fault| fault.to_string())?;
                }
                steps.push(State { link: Some(next), ..state.clone() });
            }
        }
        if !link.sending.is_bound() {
            return Ok(());
        }
        let books = sender_books(records, self.run.messages, self.fault);
        let newest = records.iter().rev().find_map(|record| match record {
            Kept::Prepared(mark, numbers) if books.state.prepared.contains(mark) => numbers.last().copied(),
            _ => None,
        });
        // Messages that went back to their places are not overtaken by a batch behind them.
        let is_in_order = books.available.first() > newest.as_ref();
        for count in 1..=2 {
            if link.sending.in_flight() < 2 && count <= books.available.len() && is_in_order {
                let numbers = books.available[..count].to_vec();
                let mut next = link.clone();
                for number in &numbers {
                    next.sending.take(facts(&[*number; 24]), std::time::Duration::ZERO);
                }
                let prepare = next.sending.end_batch();
                let record = Kept::Prepared(prepare.end.mark, numbers);
                let sender = state.sender.with([record]);
                steps.push(State { link: Some(next), sender, ..state.clone() });
            }
        }
        let unsent = link.sending.books().prepared.get(link.sent);
        if let Some(mark) = unsent {
            let prepared = records.iter().enumerate().rev().find_map(|(at, record)| match record {
                Kept::Prepared(one, numbers) if one == mark => Some((at, numbers.clone())),
                _ => None,
            });
            let (at, numbers) = prepared.expect("it was prepared");
            if state.sender.durable > at || self.fault == EndBeforePrepare {
                let mut next = link.clone();
                let end = EndOfBatch { mark: *mark, messages: numbers.len() as u32 };
                next.to_receiver.push_back(ToReceiver::Batch(numbers, end));
                next.sent += 1;
                steps.push(State { link: Some(next), ..state.clone() });
            }
        }
        if state.fast.0 == FastPlace::Queued {
            let mut next = link.clone();
            next.to_receiver.push_back(ToReceiver::Fast);
            steps.push(State { link: Some(next), fast: (FastPlace::Sent, state.fast.1), ..state.clone() });
        }
        Ok(())
    }

    fn sender_hears(
        &self,
        state: &State,
        mut link: Link,
        frame: ToSender,
        steps: &mut Vec<State>,
    ) -> Result<(), String> {
        match frame {
            ToSender::Position(position) => return self.hears_position(state, link, &position, steps),
            ToSender::Done(batch) => {
                let prepared = link.sending.books().prepared.clone();
                let count = link.sending.hear_done(batch).map_err(|fault| fault.to_string())?;
                link.sent -= count;
                let records = prepared.iter().take(count).map(|mark| Kept::Committed(mark.batch));
                let sender = state.sender.with(records);
                steps.push(State { link: Some(link), sender, ..state.clone() });
            }
            ToSender::Refused(batch) => {
                let prepared = link.sending.books().prepared.clone();
                let count = match self.fault {
                    RefusalOvertakes => prepared.len(),
                    _ => link.sending.hear_refused(batch).map_err(|fault| fault.to_string())?,
                };
                let records = prepared.iter().rev().take(count).map(|mark| Kept::BackedOut(mark.batch));
                let sender = state.sender.with(records);
                let fast = lost(state.fast);
                steps.push(State { link: None, ghost: None, sender, fast, ..state.clone() });
            }
        }
        Ok(())
    }

    /// The sender's books and the receiver's word as the planted faults make them.
    fn misread(&self, sending: &mut Sending, position: &Position) -> Position {
        let mut books = sending.books().clone();
        let mut theirs = *position;
        match self.fault {
            ChainIgnored if theirs.line == books.line => {
                let own = books.prepared.iter().chain([&books.confirmed]);
                if let Some(mark) = own.into_iter().find(|mark| mark.batch == theirs.last.batch) {
                    theirs.last = *mark;
                }
            }
            OtherLineTaken if theirs.line != books.line && books.line != Line::NONE && !books.is_used => {
                (books.before, theirs) = (None, Position::default());
            }
            NoLineTaken if books.line == Line::NONE => theirs = Position::default(),
            ResetForgets if theirs.line != books.line && !books.is_used => {
                books.before = None;
                theirs = Position::default();
            }
            _ => {}
        }
        if books != *sending.books() {
            *sending = Sending::new(TERMS, books);
        }
        theirs
    }

    fn hears_position(
        &self,
        state: &State,
        mut link: Link,
        position: &Position,
        steps: &mut Vec<State>,
    ) -> Result<(), String> {
        let restored = self.is_restored(state);
        let is_by_hand = state
            .sender
            .records
            .iter()
            .any(|record| matches!(record, Kept::CommittedByHand(_) | Kept::BackedOutByHand(_)));
        let prepared = link.sending.books().prepared.clone();
        let theirs = self.misread(&mut link.sending, position);
        let before = link.sending.books().before;
        let verdict = link.sending.hear_position(&theirs).map_err(|fault| fault.to_string())?;
        let settled = |commits: usize| {
            let committed = prepared.iter().take(commits).map(|mark| Kept::Committed(mark.batch));
            let back = prepared.iter().skip(commits).rev().map(|mark| Kept::BackedOut(mark.batch));
            committed.chain(back).collect::<Vec<_>>()
        };
        match verdict {
            Verdict::GoOn { commits, .. } => {
                link.sent = 0;
                link.to_receiver.push_back(ToReceiver::Resume(link.sending.resume()));
                let sender = state.sender.with(settled(commits));
                steps.push(State { link: Some(link), sender, ..state.clone() });
            }
            Verdict::NewLine { commits, keeps, mut finding } => {
                if self.fault == ResolveSilent {
                    finding = Finding::default();
                }
                if !finding.is_empty() && !restored && !is_by_hand {
                    return Err(format!("a contradiction without a hand: {finding}"));
                }
                let line = keeps.unwrap_or_else(|| self.new_line(state));
                let mut records = settled(commits);
                if keeps.is_none() {
                    records.push(Kept::Line(line));
                }
                let mut named = state.named.clone();
                if let Some(before) = before {
                    named.extend(self.named(state, before.line, finding));
                }
                link.sending.begin_line(line);
                link.names_line = true;
                let sender = state.sender.with(records);
                steps.push(State { link: Some(link), sender, named, ..state.clone() });
            }
            Verdict::Stop(contradiction) => {
                let mut named = state.named.clone();
                let fast = lost(state.fast);
                match contradiction {
                    _ if restored => named = self.all(),
                    Contradiction::Numbers { line, finding, .. } if is_by_hand => {
                        if finding.is_empty() {
                            return Err("a false alarm after RESOLVE".into());
                        }
                        if self.fault != ResolveSilent {
                            named.extend(self.named(state, line, finding));
                        }
                    }
                    _ => return Err(format!("stopped though nobody did anything: {contradiction}")),
                }
                let ghost = left_behind(&link, &state.ghost);
                let sender = state.sender.with([Kept::Told(contradiction.line())]);
                let next = State { link: None, ghost, sender, named, fast, ..state.clone() };
                steps.push(State { is_stopped: true, ..next });
            }
        }
        Ok(())
    }

    /// The messages of the batches that a finding names.
    fn named(&self, state: &State, line: Line, finding: Finding) -> BTreeSet<Number> {
        if finding.is_forgotten {
            return self.all();
        }
        let own = sender_books(&state.sender.records, self.run.messages, self.fault).own;
        let mut named = BTreeSet::new();
        let within = |range: Option<(BatchNumber, BatchNumber)>, batch: BatchNumber| {
            range.is_some_and(|(first, last)| (first..=last).contains(&batch))
        };
        for ((of, batch), numbers) in &own {
            if *of == line && within(finding.missing, *batch) {
                named.extend(numbers);
            }
        }
        let (books, batches) = receiver_books(&state.receiver.records);
        if books.line == line {
            for (batch, numbers) in batches {
                if within(finding.doubled, batch) {
                    named.extend(numbers);
                }
            }
        }
        named
    }
}
