//! The frames that come: run in order, and kept while a message before them waits to be put.
//!
//! Always: a message that was refused and can be judged is judged in the same call, up to a bound; the frames
//! behind it wait for nothing else.

use bytes::{Buf as _, BytesMut};
use channel::message::frame::FRAME_BYTES_MAX;
use channel::{Frame, Kind};
use storage::Durable;

use super::{End, MessageChannel, Stage};
use crate::agent::Close;
use crate::compression::EXPANDED_BYTES_MAX;

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
            let mut kept = std::mem::take(&mut self.kept);
            let ran = self.run_frames(&mut kept);
            self.kept = kept;
            ran?;
            if !self.goes_on(proof) {
                break;
            }
        }
        Ok(())
    }

    /// True while a message waits that could be judged now.
    pub(super) fn goes_on(&self, proof: Durable) -> bool {
        matches!(&self.stage, Stage::Open(End::Receives(receiver)) if receiver.goes_on(proof))
    }
}
