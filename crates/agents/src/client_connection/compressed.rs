//! Compressed frames of a client's connection, both ways.

use channel::compression::Offer;
use channel::login::Hello;
use channel::{Output, Ways};
use queue_manager::ClientTerms;
use storage::Durable;

use super::pacing::FrameTurn;
use super::{ClientConnection, Close};
use crate::compression::{Compression, EXPANDED_BYTES_MAX, Labour, not_agreed};

impl ClientConnection {
    /// Agrees on the compression of a connection, and takes the shorter frames that it asks for.
    pub(super) fn agree_compression(&mut self, hello: &Hello, terms: Option<&ClientTerms>) -> Ways {
        let ours = terms.map(|terms| {
            Offer::of_attributes(&terms.message_compressions, &terms.header_compressions, false)
        });
        let theirs =
            Offer { bodies: hello.body_compressions.clone(), heads: hello.head_compressions.clone() };
        let ways = Ways::agreed(&theirs, &ours.unwrap_or_default());
        ways.shorten_frames(&mut self.agreed);
        self.compression = Compression::of(ways);
        ways
    }

    /// Runs the frame that a compressed one stands for. None where it has to wait; true where it was so long
    /// that other connections have their turn first.
    #[cold]
    pub(super) fn run_compressed(&mut self, payload: &[u8]) -> Result<Option<bool>, Close> {
        let mut compression = self.compression.take().ok_or_else(not_agreed)?;
        let ran = self.run_expanded(&mut compression, payload);
        let was_long = match ran {
            Ok(true) => Some(self.expanded_long(compression.forget_frame())),
            Ok(false) | Err(_) => None,
        };
        self.compression = Some(compression);
        ran.map(|_| was_long)
    }

    /// True if the frame had its turn.
    fn run_expanded(&mut self, compression: &mut Compression, payload: &[u8]) -> Result<bool, Close> {
        let frame_bytes_max = self.agreed.frame_bytes_max;
        let queue_manager = self.queue_manager.clone();
        let (frame, whole) = compression.frame(payload, frame_bytes_max, &queue_manager)?;
        let Some(turn) = self.turn_of(&frame, whole) else { return Ok(false) };
        self.frames += 1;
        if turn == FrameTurn::Now {
            self.run(&frame)?;
        }
        Ok(true)
    }

    /// Counts expanded bytes; true once others have their turn.
    fn expanded_long(&mut self, bytes: usize) -> bool {
        self.expanded_bytes += bytes;
        let is_much = self.expanded_bytes >= EXPANDED_BYTES_MAX;
        if is_much {
            self.expanded_bytes = 0;
        }
        is_much
    }

    /// Releases what may be known outside, compressed.
    #[cold]
    pub(super) fn release_compressed(&mut self, proof: Durable, output: &mut Output) -> bool {
        let Some(mut compression) = self.compression.take() else { return false };
        let is_held = self.release_plain(proof, compression.plain());
        let labour = Labour {
            queue_manager: &self.queue_manager,
            logins: self.logins.clone(),
            waker: self.inbox.waker(),
        };
        let has_more = compression.pass(output, self.limits.output_bytes_max, &labour);
        self.backlog = compression.waiting_bytes() + output.len();
        self.written = output.written_in_all();
        if let (Some(instance), Some(progress)) = (&self.instance, compression.take_progress()) {
            instance.tell_compression(&progress);
        }
        self.compression = Some(compression);
        is_held || has_more
    }
}
