//! Compressed frames of a message channel, both ways.

use channel::Output;
use channel::message::frame::FRAME_BYTES_MAX;
use storage::Durable;

use super::MessageChannel;
use crate::agent::Close;
use crate::compression::{Labour, not_agreed};

impl MessageChannel {
    /// Hears the frame that a compressed one stands for; how long it is.
    #[cold]
    pub(super) fn hear_compressed(&mut self, payload: &[u8]) -> Result<usize, Close> {
        let mut compression = self.compression.take().ok_or_else(not_agreed)?;
        let expanded = compression.frame(payload, FRAME_BYTES_MAX, &self.queue_manager);
        let heard = expanded.map_err(Close::from).and_then(|(frame, _)| self.hear(&frame));
        let bytes = compression.forget_frame();
        self.compression = Some(compression);
        heard.map(|()| bytes)
    }

    /// Sends what its gate lets through, compressed.
    #[cold]
    pub(super) fn send_compressed(&mut self, proof: Durable, output: &mut Output) -> bool {
        let Some(mut compression) = self.compression.take() else { return false };
        let is_held = self.send_open(proof, compression.plain());
        let labour = Labour {
            queue_manager: &self.queue_manager,
            logins: self.logins.clone(),
            waker: self.inbox.waker(),
        };
        let has_more = compression.pass(output, self.limits.output_bytes_max, &labour);
        if let (Some(run), Some(progress)) = (&self.run, compression.take_progress()) {
            run.update(|told| told.compression = progress);
        }
        self.compression = Some(compression);
        is_held || has_more
    }

    /// Bytes of frames that wait to be compressed.
    pub(super) fn waiting_bytes(&self) -> usize {
        self.compression.as_ref().map_or(0, |compression| compression.waiting_bytes())
    }
}
