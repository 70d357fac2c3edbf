//! The encryption of a connection, judged by the channel that its client comes by.

use channel::Hello;
use mqi::Reason;
use queue_manager::{CLIENT_CHANNEL, CoverFault, LoginFault};

use super::{ClientConnection, Close};
use crate::logins::Denial;

impl ClientConnection {
    /// Refuses a connection that is not encrypted as its channel asks.
    pub(super) fn judge_cover(&self, hello: &Hello) -> Result<(), Close> {
        let channel = match &*hello.channel {
            "" if self.peer.is_by_network => CLIENT_CHANNEL,
            channel => channel,
        };
        let encryption = &self.peer.encryption;
        let judged = encryption.judge_channel(channel).and_then(|()| {
            let cover = self.queue_manager.channel_cover(channel);
            cover.map_or(Ok(()), |cover| cover.terms.and_then(|terms| terms.judge(encryption)))
        });
        judged.map_err(|refusal| {
            let told = format!("channel {channel}: {refusal}");
            Close::Denied(Box::new(Denial {
                reason: Reason::from_code(refusal.code()),
                channel: channel.to_owned(),
                user: hello.user.clone(),
                cause: told.clone(),
                told,
                kind: LoginFault::Cover(CoverFault::from(&refusal)),
                certificate: self.peer.encryption.subject(),
            }))
        })
    }
}
