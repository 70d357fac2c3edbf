//! The figures of a channel that runs, as its agent tells them to displays.

use queue_manager::{ChannelProgress, Luwid, RunningState, Substate};

use super::{End, MessageChannel, Stage};

impl MessageChannel {
    /// The step at which the channel is: first what it waits for, then what it does.
    fn substate(&self) -> Substate {
        let Stage::Open(end) = &self.stage else { return Substate::Resynching };
        if !end.is_bound() {
            return Substate::Resynching;
        }
        // Unanswered until something is heard.
        if self.asked_at.is_some_and(|asked| self.heard_at.is_none_or(|heard| heard <= asked)) {
            return Substate::Heartbeating;
        }
        if self.waiting_bytes() > 0 {
            return Substate::Compressing;
        }
        match end.substate() {
            // A receiver answers nothing but the ends of batches.
            Substate::Receiving if !self.replies.is_empty() => Substate::EndOfBatch,
            // Bytes that the connection does not take keep it from the next message.
            Substate::InGet | Substate::Receiving if self.was_behind => Substate::Sending,
            substate => substate,
        }
    }

    /// Tells the displays.
    pub(super) fn tell_progress(&mut self) {
        let substate = self.substate();
        let Some(run) = &self.run else { return };
        let Stage::Open(end) = &mut self.stage else { return };
        let tally = match end {
            End::Sends(sender) => sender.take_tally(),
            End::Receives(receiver) => receiver.take_tally(),
        };
        if !tally.is_empty() {
            run.count(&tally);
        }
        let (messages, is_stopping) =
            (std::mem::take(&mut self.opened.messages), self.stopping_since.is_some());
        let batches = std::mem::take(&mut self.opened.batches);
        let (traffic, last_message) = (self.traffic, self.queue_manager.channels().time_of_day());
        let tell_figures = |progress: &mut ChannelProgress, messages: u64, batch_messages: Option<u32>| {
            (progress.traffic, progress.substate) = (traffic, substate);
            progress.messages += messages;
            if messages > 0 {
                progress.last_message = Some(last_message);
            }
            if let Some(count) = batch_messages {
                progress.batch_messages.take(count);
            }
        };
        let state = |paused: bool| match (is_stopping, paused) {
            (true, _) => RunningState::Stopping,
            (false, true) => RunningState::Paused,
            (false, false) => RunningState::Running,
        };
        match end {
            End::Sends(sender) => {
                let books = sender.machine().books();
                let line = books.line.0;
                let (filled, sequence) = (sender.machine().filled(), sender.machine().last_sequence().0);
                let is_bound = sender.machine().is_bound();
                let (confirmed, paused) = (books.confirmed, sender.is_paused());
                let (net_time, batch) = (sender.take_net_time(), self.opened.batch_messages.take());
                let queue_time = sender.take_queue_time();
                let batch_messages_max = sender.machine().terms().batch_messages_max;
                run.update(|progress| {
                    tell_figures(progress, messages, batch);
                    if let Some(micros) = net_time {
                        progress.net_time.take(micros);
                    }
                    if let Some(micros) = queue_time {
                        progress.queue_time.take(micros);
                    }
                    progress.batch_messages_max = batch_messages_max;
                    if is_bound {
                        progress.state = state(paused);
                    }
                    if confirmed.batch.0 > progress.last.batch && progress.last.line == line {
                        progress.batches += confirmed.batch.0 - progress.last.batch;
                    }
                    progress.current = Luwid { line, batch: confirmed.batch.0 + 1 };
                    progress.last = Luwid { line, batch: confirmed.batch.0 };
                    (progress.current_messages, progress.current_sequence) = (filled, sequence);
                    progress.last_sequence = confirmed.sequence.0;
                });
            }
            End::Receives(receiver) => {
                let books = *receiver.machine().books();
                let line = books.line.0;
                let (filled, sequence) = (receiver.machine().filled(), receiver.machine().last_sequence().0);
                let is_running = receiver.machine().is_running();
                let (paused, tries) = (receiver.is_paused(), receiver.tries_left());
                let (arrived, batch) = receiver.take_counts();
                run.update(|progress| {
                    tell_figures(progress, arrived, batch);
                    if is_running {
                        progress.state = state(paused);
                    }
                    progress.batches += batches;
                    progress.current = Luwid { line, batch: books.last.batch.0 + 1 };
                    progress.last = Luwid { line, batch: books.last.batch.0 };
                    progress.last_sequence = books.last.sequence.0;
                    (progress.current_messages, progress.current_sequence) = (filled, sequence);
                    progress.tries_left = tries;
                });
            }
        }
    }
}
