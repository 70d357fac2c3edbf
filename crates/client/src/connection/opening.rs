//! From a message as it came to what a get returns.

use super::Connection;
use crate::letters::{Letters, Opened};
use ::channel::client::ForHandle;
use bytes::Bytes;
use formats::headers::Place;
use formats::properties;
use mqi::{GetFlags, GetOptions, Got, MessageDescriptor, Reason};

/// A reader that is shown a body and does not keep it; none once the body was shown.
pub(super) type Borrow<'a> = &'a mut dyn FnMut(&[u8]);

impl Connection {
    /// Fills what a get returns from the answer to it. Nothing when it cannot be read, which is the end of
    /// the link.
    pub(super) fn answered_with(
        &mut self,
        mut letters: Letters,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Option<Result<Got, Reason>> {
        let Ok(Some(opened)) = letters.open(self.link.limits().message_bytes_max, &mut self.seen) else {
            self.link.break_off();
            return None;
        };
        if !options.flags.contains(GetFlags::UNLOCK) {
            descriptor.clone_from(self.seen.descriptor());
        }
        let body = letters.take_body(&opened);
        Some(self.filled(&opened, body, descriptor, options, borrow))
    }

    /// Fills what a get returns beside the descriptor, the message handle it named with it.
    pub(super) fn filled(
        &mut self,
        opened: &Opened,
        body: Bytes,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        borrow: &mut Option<Borrow<'_>>,
    ) -> Result<Got, Reason> {
        let mut got = Got {
            body,
            data_length: opened.data_length as usize,
            warning: opened.warning,
            resolved_queue_name: opened.resolved_queue_name,
            message_token: opened.message_token,
        };
        let show = |body: &[u8]| borrow.take().into_iter().for_each(|borrow| borrow(body));
        let folders = match opened.for_handle {
            ForHandle::Nothing => return got.returned_showing(descriptor, options, show),
            ForHandle::NoProperties => Vec::new(),
            ForHandle::Header => {
                let parts = properties::take_first(&Place::of(descriptor), &got.body)?;
                parts.place.describe(descriptor);
                got.body = parts.body;
                parts.folders
            }
        };
        let got = got.returned_showing(descriptor, options, show)?;
        if let Some(loan) = self.lent.take() {
            loan.fill(descriptor, folders);
        }
        Ok(got)
    }
}
