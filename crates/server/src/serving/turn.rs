//! The turn of one connection at its output, and what the end of a tick does with those that wait.
//!
//! Always: output reaches a socket through `Agent::release` with proof of durability, nowhere else.

use std::time::{Duration, Instant};

use agents::{Agent, Answer, Close, Control, Denial};
use mqi::Reason;
use objects::messages::{
    CHANNEL_FAILED, CONNECTION_BROKEN, CONNECTION_ENDED, CONNECTION_REFUSED, CONNECTION_TIMED_OUT,
    MessageRow, NOT_THE_PROTOCOL,
};
use platform::{Clock, os::OsClock};
use queue_manager::LoginReport;
use storage::Durable;
use transport::{ConnectionId, Outgoing};

use super::{Common, Connected, Serving, Ticking};
use crate::ending::Phase;
use crate::strangers::{Source, Stranger};

/// Interval at which an agent is told that time passes.
const AGENT_TICK: Duration = Duration::from_secs(1);

/// Most times that output is encoded and written for one connection before others have their turn.
const RELEASES_MAX: u32 = 8;

impl Serving {
    /// Releases what a connection may send and writes it. Returns whether bytes went out.
    pub(super) fn serve(&mut self, id: ConnectionId, proof: Durable, tick: &mut Ticking<'_>) -> bool {
        let mut wrote = false;
        let mut idle = 0;
        if let Some((served, _)) = tick.get(id)
            && served.close.is_none()
        {
            if let Some(close) = served.agent.stopped() {
                self.common.end(served, close);
            } else if served.stranger.as_ref().is_some_and(Stranger::is_ended) {
                let text = "too many programs that have not logged in: try again later".to_owned();
                self.common.end(served, Close::Refused { reason: Reason::RESOURCE_PROBLEM, text });
            }
        }
        for _ in 0..RELEASES_MAX {
            let Some((served, output)) = tick.get(id) else { return wrote };
            self.obey(served);
            // A paused agent learns that its output went only by being asked again.
            let wants_more = served.agent.release(proof, &mut output.0) || served.is_paused;
            if output.pending() > 0 {
                wrote = true;
                tick.flush(id);
            } else {
                idle += 1;
            }
            let Some((_, output)) = tick.get(id) else { return wrote };
            // What the kernel did not take raises an event when it can; then the rest follows. An agent that
            // was full learns in one release that its output went, and goes on in the next: only the second
            // empty one is the last.
            if !wants_more || idle == 2 || output.pending() > 0 {
                self.settle(id, tick);
                return wrote;
            }
        }
        self.unfinished.push(id);
        self.settle(id, tick);
        wrote
    }

    /// After a release: resumes input, lists the connection with those that wait for the log, ends it.
    fn settle(&mut self, id: ConnectionId, tick: &mut Ticking<'_>) {
        let Some((served, output)) = tick.get(id) else { return };
        let waits = served.agent.lowest_need().is_some();
        if waits && !served.is_gated {
            served.is_gated = true;
            self.gated.push(id);
        }
        self.expects_getter |= served.agent.expects_getter();
        let due_in = served.agent.due().map(|due| due.since(OsClock.now())).filter(|due| *due < AGENT_TICK);
        if let Some(close) = &served.close {
            if waits {
                return;
            }
            served.agent.farewell(close, &mut output.0);
            tick.finish(id);
        } else if served.is_paused && served.agent.wants_input() {
            served.is_paused = false;
            tick.resume(id);
        } else if (served.is_paused && served.agent.holds_back() || served.agent.has_put_aside())
            && !served.is_listed_paced
        {
            served.is_listed_paced = true;
            self.paced.push(id);
        }
        if let Some(due_in) = due_in {
            tick.set_deadline(id, Some(Instant::now() + due_in));
        }
    }

    /// Takes the input of those again whose puts waited for room in the log and may find it now.
    pub(super) fn resume_paced(&mut self, proof: Durable, tick: &mut Ticking<'_>) {
        for id in std::mem::take(&mut self.paced) {
            let Some((served, _)) = tick.get(id) else { continue };
            served.is_listed_paced = false;
            self.serve(id, proof, tick);
        }
    }

    /// Does what only the host can do.
    fn obey(&self, served: &mut Connected) {
        while let Some(control) = served.agent.take_control() {
            let answer = match &control {
                Control::Stop(mode, _) => {
                    self.common.ending.ask((*mode).into(), &served.origin);
                    Answer::Stopping
                }
                Control::Figures(reader, _) => {
                    Answer::Figures(self.common.board.block(&self.common.queue_manager, reader))
                }
                Control::Statistics(reader, _) => {
                    Answer::Statistics(crate::statistics::tell(&self.common, reader))
                }
            };
            served.agent.answer(&control, &answer);
        }
    }

    /// Serves those whose gate the proof opens.
    pub(super) fn open_gates(&mut self, proof: Durable, tick: &mut Ticking<'_>) {
        for id in std::mem::take(&mut self.gated) {
            let Some((served, _)) = tick.get(id) else { continue };
            if served.agent.lowest_need().is_some_and(|need| need > proof.lsn()) {
                self.gated.push(id);
                continue;
            }
            served.is_gated = false;
            self.serve(id, proof, tick);
        }
    }

    /// Tells the agents that are due that time passes, each once a second from when it connected.
    pub(super) fn pass_time(&mut self, proof: Durable, tick: &mut Ticking<'_>) {
        while let Some(id) = tick.next_due() {
            let Some((served, _)) = tick.get(id) else { continue };
            if served.close.is_none()
                && let Err(close) = served.agent.tick(OsClock.now())
            {
                self.common.end(served, close);
            }
            if served.agent.is_let_in() {
                served.stranger = None;
            }
            if let Some(silence) = served.agent.take_keep_alive() {
                tick.keep_alive(id, silence);
            }
            tick.set_deadline(id, Some(Instant::now() + AGENT_TICK));
            self.serve(id, proof, tick);
        }
    }

    /// Every connection is at its end as soon as what it waits for is out.
    fn finish_all(&mut self, tick: &mut Ticking<'_>) {
        let proof = self.common.queue_manager.durable();
        for id in tick.ids() {
            let Some((served, _)) = tick.get(id) else { continue };
            if served.close.is_none() {
                let text = "the queue manager ends".to_owned();
                served.close = Some(Close::Refused { reason: Reason::Q_MGR_STOPPING, text });
                self.serve(id, proof, tick);
            }
        }
    }

    /// Does the part of this reactor in the end of the queue manager; true when the reactor is to end.
    pub(super) fn is_over(&mut self, tick: &mut Ticking<'_>) -> bool {
        let phase = self.common.ending.phase();
        if phase >= Phase::Refuses && self.is_listening {
            self.is_listening = false;
            tick.stop_listening();
        }
        match phase {
            Phase::Runs | Phase::Refuses => false,
            Phase::Finishes => {
                self.finish_all(tick);
                self.connections == 0
            }
            Phase::Ends => true,
        }
    }
}

/// True for an end that needs no report: a program that disconnects, or a channel that has nothing to send.
fn is_orderly(close: &Close) -> bool {
    matches!(close, Close::Disconnected | Close::ChannelEnded)
}

/// The message that tells of an end.
fn message_of(close: &Close) -> &'static MessageRow {
    match close {
        close if close.is_foreign() => &NOT_THE_PROTOCOL,
        close if close.breaks_protocol() => &CONNECTION_BROKEN,
        Close::Refused { .. } | Close::Denied(_) | Close::Fault(_) | Close::Protocol(_) => {
            &CONNECTION_REFUSED
        }
        Close::ChannelFailed { .. } => &CHANNEL_FAILED,
        Close::Unfinished { .. } | Close::Stalled { .. } | Close::Idle { .. } | Close::Silent { .. } => {
            &CONNECTION_TIMED_OUT
        }
        Close::Stopped
        | Close::ChannelStopped
        | Close::UserEnded
        | Close::Disconnected
        | Close::ChannelEnded => &CONNECTION_ENDED,
    }
}

/// The words for the end of a connection from here: its place, and the cause with its reason.
fn words_of(close: &Close, origin: &str) -> [String; 2] {
    let subject = match close {
        Close::ChannelFailed { channel, .. } if !channel.is_empty() => format!("{channel} with {origin}"),
        _ => origin.to_owned(),
    };
    let cause = match close.reason() {
        Some(reason) => format!("{close} (reason {reason})"),
        None => close.to_string(),
    };
    [subject, cause]
}

impl Common {
    /// A connection is at its end for this reason.
    pub(super) fn end(&self, served: &mut Connected, close: Close) {
        if let Close::Denied(denial) = &close {
            let Denial { user, channel, cause, kind, certificate, .. } = &**denial;
            let report = LoginReport {
                user: user.clone(),
                origin: served.origin.clone(),
                channel: channel.clone(),
                certificate: certificate.clone(),
                cause: cause.clone(),
                kind: *kind,
            };
            match served.address {
                Some(address) => self.refuse(Source::of(address), report, denial.reason),
                None => drop(self.queue_manager.logins().refuse(&report, denial.reason)),
            }
        } else if !is_orderly(&close) && !served.is_told_as_crowd(&close) {
            let row = message_of(&close);
            let [subject, cause] = words_of(&close, &served.origin);
            match served.address.filter(|_| served.stranger.is_some()) {
                Some(address) => self.tell_of_stranger(row, &subject, address, cause),
                None => self.errors.write(row, [subject, cause]),
            }
        }
        served.close = Some(close);
    }
}
