//! The encryption that the definitions of channels ask of connections to this queue manager.

use mqi::constants::{
    MQCA_CERT_LABEL, MQCACH_SSL_CIPHER_SPEC, MQCACH_SSL_PEER_NAME, MQIACH_SSL_CLIENT_AUTH, MQSCA_OPTIONAL,
};
use objects::{ChannelKind, Definition, Family, ObjectType};
use security::cover::{PeerCheck, Refusal, Terms};

use crate::channels::Channels;
use crate::instances::is_of_clients;

/// The encryption of one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelCover {
    /// The name of the channel.
    pub channel: String,
    /// Its terms, or the attribute that is not right.
    pub terms: Result<Terms, Refusal>,
}

impl Channels<'_> {
    /// The queue manager's own CERTLABL; none when it is blank.
    #[must_use]
    pub fn certificate_label(&self) -> Option<String> {
        let label = self.engine().directory.catalogue.manager().definition.text(MQCA_CERT_LABEL);
        Some(label.trim().to_owned()).filter(|label| !label.is_empty())
    }

    /// The encryption of every channel that clients or partners come by, by name.
    #[must_use]
    pub fn covers(&self) -> Vec<ChannelCover> {
        let channels = self.engine().directory.catalogue.all_defined(Family::Channel);
        let is_called =
            |kind| is_of_clients(kind) || ChannelKind::of(kind).is_some_and(ChannelKind::is_called);
        let called = channels.iter().filter(|channel| is_called(channel.object_type()));
        called.map(|channel| cover_of(&channel.current().definition)).collect()
    }

    /// The encryption of a channel that clients come by; none where there is none of this name.
    #[must_use]
    pub fn cover(&self, name: &str) -> Option<ChannelCover> {
        let space = ObjectType::ServerConnectionChannel.name_space();
        let channel = self.engine().directory.catalogue.find_defined(space, name).0?;
        is_of_clients(channel.object_type()).then(|| cover_of(&channel.current().definition))
    }
}

fn cover_of(definition: &Definition) -> ChannelCover {
    let check = match definition.integer(MQIACH_SSL_CLIENT_AUTH) {
        MQSCA_OPTIONAL => PeerCheck::Optional,
        _ => PeerCheck::Required,
    };
    let text = |selector| definition.text(selector);
    let (suites, peer) = (text(MQCACH_SSL_CIPHER_SPEC), text(MQCACH_SSL_PEER_NAME));
    let terms = Terms::read(&suites, check, &peer, &text(MQCA_CERT_LABEL));
    ChannelCover { channel: definition.shown_name().to_owned(), terms }
}
