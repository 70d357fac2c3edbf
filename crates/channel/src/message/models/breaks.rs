//! Cuts, crashes and restores.

use super::*;

impl Model {
    /// Cuts, crashes and restores.
    pub(super) fn breaks(&self, state: &State, steps: &mut Vec<State>) {
        let left = state.link.as_ref().map(|link| left_behind(link, &state.ghost));
        let ghost = left.unwrap_or_else(|| state.ghost.clone());
        let reads = |link: &Link| link.receiving.is_some() && !link.has_ended;
        let is_read = state.link.as_ref().is_some_and(reads);
        if state.left[CUTS] > 0 && state.link.is_some() {
            let is_sent_again =
                self.fault == FastSentAgain && matches!(state.fast.0, FastPlace::Sent | FastPlace::Held);
            let fast = match (is_sent_again, is_read) {
                (true, _) => (FastPlace::Queued, state.fast.1),
                (false, true) => state.fast,
                (false, false) => lost(state.fast),
            };
            steps.push(State { link: None, ghost: ghost.clone(), fast, ..state.clone() }.less(CUTS));
            let fast = lost(state.fast);
            steps.push(State { link: None, ghost: None, fast, ..state.clone() }.less(CUTS));
        }
        if state.left[RESTORES] > 0 {
            for length in 0..state.sender.durable {
                let (sender, ghost) = (state.sender.cut(length), ghost.clone());
                steps.push(State { link: None, ghost, sender, ..state.clone() }.less(RESTORES));
            }
            for length in 0..state.receiver.durable {
                let receiver = state.receiver.cut(length);
                steps.push(State { link: None, ghost: None, receiver, ..state.clone() }.less(RESTORES));
            }
        }
        if state.left[CRASHES] == 0 {
            return;
        }
        for length in state.sender.durable..=state.sender.records.len() {
            let mut sender = state.sender.cut(length);
            if self.fault == PrepareForgotten {
                let kept = sender.records.clone();
                let is_settled = |mark: &Mark| {
                    kept.iter().any(|record| match record {
                        Kept::Committed(batch) | Kept::BackedOut(batch) => *batch == mark.batch,
                        _ => false,
                    })
                };
                sender
                    .records
                    .retain(|record| !matches!(record, Kept::Prepared(mark, _) if !is_settled(mark)));
                sender.durable = sender.records.len();
            }
            let queued = state.fast.0 == FastPlace::Queued;
            let fast = if queued { (FastPlace::Lost, state.fast.1) } else { state.fast };
            let fast = if is_read { fast } else { lost(fast) };
            let ghost = ghost.clone();
            steps.push(State { link: None, ghost, sender, fast, ..state.clone() }.less(CRASHES));
        }
        for length in state.receiver.durable..=state.receiver.records.len() {
            let (receiver, fast) = (state.receiver.cut(length), lost(state.fast));
            steps.push(State { link: None, ghost: None, receiver, fast, ..state.clone() }.less(CRASHES));
        }
    }
}
