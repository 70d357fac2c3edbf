//! The frames that come: run in order, and kept while a message before them waits to be put.
//!
//! Always: a message that was refused and can be judged is judged in the same call, up to a bound; the frames
//! behind it wait for nothing else. Input is read on while it waits, so that the window of the connection
//! does not shut and look like a dead partner; a sender that goes on beyond what it can have under way is
//! refused.

use bytes::{Buf as _, BytesMut};
use channel::message::frame::FRAME_BYTES_MAX;
use channel::{Flags, Frame, Kind};
use mqi::Reason;
use queue_manager::ChannelFinding;
use storage::Durable;

use super::{End, MessageChannel, Stage};
use crate::agent::Close;
use crate::arriving::NO_ROOM;
use crate::compression::EXPANDED_BYTES_MAX;

/// Bytes that a sender has under way, beside its longest message, when it hears that one waits: 4 MiB of
/// messages that it got, as many of frames, and the sockets of both ends.
const UNDER_WAY_BYTES_MAX: usize = 32 << 20;

/// Messages that are judged in one call after their put was refused, so that connections take turns.
const REFUSALS_PER_CALL: u32 = 64;

impl MessageChannel {
    pub(super) fn is_held(&self) -> bool {
        matches!(&self.stage, Stage::Open(End::Receives(receiver)) if receiver.is_held())
    }

    /// Runs whole frames at the front of `input`, up to the bound of one call.
    pub(super) fn run_frames(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        self.has_whole_frames = false;
        let mut expanded = 0;
        for _ in 0..self.limits.frames_per_call {
            if self.is_held()
                || matches!(
                    self.stage,
                    Stage::Judged(_) | Stage::NotConnected(_) | Stage::Reads(_) | Stage::Over
                )
                || self.over.is_some()
            {
                return Ok(());
            }
            if self.is_full() {
                self.has_whole_frames = true;
                return Ok(());
            }
            if matches!(self.stage, Stage::Called) && !self.receive_preamble(input)? {
                self.has_partial_frame = !input.is_empty();
                return Ok(());
            }
            let most = match self.stage {
                Stage::Called | Stage::Calling => channel::frame::LOGIN_FRAME_BYTES_MAX,
                _ => FRAME_BYTES_MAX,
            };
            let decoded = Frame::decode(input, most).map_err(|error| self.misread(error, input))?;
            let Some(heard) = decoded else {
                self.has_partial_frame = !input.is_empty();
                return Ok(());
            };
            self.frames += 1;
            let bytes = heard.bytes();
            self.traffic.bytes_received += bytes as u64;
            if heard.header.kind == Kind::Compressed {
                expanded += self.hear_compressed(heard.payload)?;
            } else {
                self.hear(&heard)?;
            }
            input.advance(bytes);
            if expanded >= EXPANDED_BYTES_MAX {
                break;
            }
        }
        self.has_whole_frames = !input.is_empty();
        Ok(())
    }

    /// Goes on with what waits, and runs the frames behind it: up to a bound of messages that are refused, or
    /// up to the first of which more must be known.
    pub(super) fn work_and_read(&mut self, proof: Durable) -> Result<(), Close> {
        for _ in 0..REFUSALS_PER_CALL {
            self.work(proof)?;
            if self.kept.is_empty() || self.is_held() {
                break;
            }
            self.run_kept()?;
            if !self.goes_on(proof) {
                break;
            }
        }
        Ok(())
    }

    /// Keeps input behind a message that waits.
    pub(super) fn keep_input(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        let is_taken = self.kept.take(&self.queue_manager, input);
        let longest = self.terms.as_ref().map_or(0, |terms| terms.message_bytes_max as usize);
        let under_way = self.kept.bytes.len();
        let text = if under_way > longest + UNDER_WAY_BYTES_MAX {
            format!(
                "the sender goes on while a message waits to be put, and has {under_way} bytes under way: look why the \
                 message waits"
            )
        } else if is_taken {
            return Ok(());
        } else {
            format!("while a message waits to be put those behind it have no room: {NO_ROOM}")
        };
        Err(Close::Refused { reason: Reason::RESOURCE_PROBLEM, text })
    }

    /// Runs the frames that are kept.
    pub(super) fn run_kept(&mut self) -> Result<(), Close> {
        let mut bytes = std::mem::take(&mut self.kept.bytes);
        let ran = self.run_frames(&mut bytes);
        self.kept.leave(bytes);
        ran
    }

    /// Tells an administrator of messages outside batches that end with this connection: the log has none of
    /// them, and the partner has none of them any more, or none yet.
    pub(super) fn tell_dropped(&mut self) {
        let count = match &self.stage {
            Stage::Open(End::Sends(sender)) => sender.fast_waiting(),
            Stage::Open(End::Receives(receiver)) => {
                let waits = receiver.is_fast_held();
                self.fast_kept() + u64::from(waits)
            }
            _ => 0,
        };
        let Some(run) = self.run.as_ref().filter(|_| count > 0) else { return };
        let channel = run.attributes().name;
        self.queue_manager.channels().tell(channel.as_str(), &ChannelFinding::Dropped(count));
        // Told once.
        self.stage = Stage::Over;
    }

    /// Messages outside batches among the frames that are kept.
    fn fast_kept(&mut self) -> u64 {
        let kept = std::mem::take(&mut self.kept.bytes);
        let is_fast = |frame: &Frame<'_>| {
            frame.header.kind == Kind::Message && frame.header.flags.contains(Flags::FAST)
        };
        let (mut rest, mut count) = (&kept[..], 0);
        while let Ok(Some(frame)) = Frame::decode(rest, FRAME_BYTES_MAX) {
            count += u64::from(match (frame.header.kind, &mut self.compression) {
                (Kind::Compressed, Some(compression)) => {
                    let expanded = compression.frame(frame.payload, FRAME_BYTES_MAX, &self.queue_manager);
                    let found = expanded.is_ok_and(|(frame, _)| is_fast(&frame));
                    compression.forget_frame();
                    found
                }
                _ => is_fast(&frame),
            });
            rest = &rest[frame.bytes()..];
        }
        count
    }

    /// True while a message waits that could be judged now.
    pub(super) fn goes_on(&self, proof: Durable) -> bool {
        matches!(&self.stage, Stage::Open(End::Receives(receiver)) if receiver.goes_on(proof))
    }
}
