//! The points in which channel rules let partners in that prove nothing, or that a wider rule refuses.

use mqi::constants::*;
use security::channel_rules::MQADMIN;
use security::wildcard::Wildcard;

use super::finder::{Finder, has, shown};
use crate::definition::Definition;
use crate::object_type::{Family, ObjectType};

/// Addresses of this machine, for which new queue managers had rules before they asked for a proof.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "::1"];

/// The channel and address of each rule without a proof that queue managers of earlier releases were made
/// with.
const OF_BIRTH: [(&str, &str); 3] =
    [("SYSTEM.DEF.SVRCONN", "127.0.0.1"), ("SYSTEM.DEF.SVRCONN", "::1"), ("SYSTEM.ADMIN.SVRCONN", "*")];

impl Finder<'_> {
    /// Looks at a record that lets partners in.
    pub(super) fn look_at_map(&mut self, record: &Definition) {
        let source = record.integer(MQIACH_USER_SOURCE);
        let kind = record.integer(MQIACF_CHLAUTH_TYPE);
        if kind == MQCAUT_SSLPEERMAP && source != MQUSRC_NOACCESS {
            let pattern = record.text(MQCACH_SSL_PEER_NAME);
            let is_any = |part: &str| part.split_once('=').is_none_or(|(_, value)| value.trim() == "*");
            if pattern.split(',').all(is_any) {
                self.add(
                    shown(record),
                    "programs come in by any certificate that an authority here issued",
                    false,
                );
                return;
            }
        }
        let is_map = matches!(kind, MQCAUT_SSLPEERMAP | MQCAUT_ADDRESSMAP | MQCAUT_USERMAP | MQCAUT_QMGRMAP);
        if !is_map || source == MQUSRC_NOACCESS || self.asks_for_passwords(record) {
            return;
        }
        let (profile, address) = (record.text(MQCACH_CHANNEL_NAME), record.text(MQCACH_CONNECTION_NAME));
        let is_of_birth = kind == MQCAUT_ADDRESSMAP
            && source == MQUSRC_CHANNEL
            && OF_BIRTH.contains(&(profile.as_str(), address.as_str()));
        if kind == MQCAUT_SSLPEERMAP || self.asks_for_certificates(record) {
            // A certificate proves its bearer, and not the user that a program names.
            if source == MQUSRC_CHANNEL && self.lets_users_be_named(record) {
                self.add(
                    shown(record),
                    "each bearer of a certificate comes in as the user that its program says to be",
                    is_of_birth,
                );
            }
            return;
        }
        let why = match kind {
            MQCAUT_QMGRMAP => "a partner comes in by a name that nothing proves",
            MQCAUT_USERMAP => "a program comes in by a name that nothing proves",
            // An address is that of each user of its machine.
            _ if source == MQUSRC_MAP => "partners at these addresses come in as its user, and prove nothing",
            _ if LOOPBACK.contains(&address.as_str()) => {
                "each user of this machine comes in as the user that its program says to be"
            }
            _ => "programs at these addresses come in as the users that they say to be",
        };
        self.add(shown(record), why, is_of_birth);
    }

    /// Says if a password is asked for of those that a record lets in.
    fn asks_for_passwords(&self, record: &Definition) -> bool {
        let is_program = record.integer(MQIACF_CHLAUTH_TYPE) != MQCAUT_QMGRMAP;
        let asks_itself = record.integer(MQIA_CHECK_CLIENT_BINDING) == MQCHK_REQUIRED;
        let asks_all = self.configuration.conn_auth().is_some_and(|conn_auth| {
            has(conn_auth, MQIA_CHECK_CLIENT_BINDING)
                && conn_auth.integer(MQIA_CHECK_CLIENT_BINDING) == MQCHK_REQUIRED
        });
        is_program && (asks_itself || asks_all)
    }

    /// Says if programs name their users on a channel that a record is for. A partner names none, and where
    /// the channel has an MCAUSER it counts.
    fn lets_users_be_named(&self, record: &Definition) -> bool {
        let Some(profile) = Wildcard::new(&record.text(MQCACH_CHANNEL_NAME)) else { return false };
        let is_program = record.integer(MQIACF_CHLAUTH_TYPE) != MQCAUT_QMGRMAP;
        let channels = self.configuration.objects.values().filter(|definition| {
            definition.object_type().family() == Family::Channel
                && definition.object_type() != ObjectType::ClientConnectionChannel
                && profile.matches(definition.name().as_str())
        });
        let mut names = channels.map(|channel| {
            channel.object_type() == ObjectType::ServerConnectionChannel
                && channel.text(MQCACH_MCA_USER_ID).trim().is_empty()
        });
        // Without a channel of that name, one may come later.
        is_program && names.next().is_none_or(|first| first || names.any(|other| other))
    }

    /// Says if each channel that a record is for asks for a certificate.
    fn asks_for_certificates(&self, record: &Definition) -> bool {
        let Some(profile) = Wildcard::new(&record.text(MQCACH_CHANNEL_NAME)) else { return false };
        let channels = self.configuration.objects.values().filter(|definition| {
            definition.object_type().family() == Family::Channel
                && has(definition, MQIACH_SSL_CLIENT_AUTH)
                && profile.matches(definition.name().as_str())
        });
        let mut asks = channels.map(asks_for_certificate).peekable();
        asks.peek().is_some() && asks.all(|asks| asks)
    }

    /// Looks at a list of users that are refused: the list of the nearest channel name counts alone, so that
    /// it lets in those that a wider one refuses.
    pub(super) fn look_at_list(&mut self, record: &Definition) {
        let (profile, own) = (record.text(MQCACH_CHANNEL_NAME), entries(record));
        let rules = self.configuration.objects.values();
        let lists = rules.filter(|other| is_list(other) && other.shown_name() != record.shown_name());
        let wider = lists.filter(|other| {
            let other = Wildcard::new(&other.text(MQCACH_CHANNEL_NAME));
            other.is_some_and(|other| other.as_str() != profile && other.matches(&profile))
        });
        let mut dropped: Vec<String> = wider.flat_map(entries).filter(|entry| !own.contains(entry)).collect();
        dropped.sort_unstable();
        dropped.dedup();
        if !dropped.is_empty() {
            let administrators = dropped.iter().any(|entry| *entry == MQADMIN.to_lowercase());
            let why = if administrators {
                "administrators come in that a wider list refuses: the nearest list counts alone"
            } else {
                "users come in that a wider list refuses: the nearest list counts alone"
            };
            self.add(shown(record), why, false);
        }
    }
}

/// Says if a record refuses users by a list.
pub(super) fn is_list(record: &Definition) -> bool {
    record.object_type().family() == Family::ChannelRule
        && record.integer(MQIACF_CHLAUTH_TYPE) == MQCAUT_BLOCKUSER
        && record.integer(MQIACH_WARNING) != MQWARN_YES
}

/// The users of a list. Names that differ in the case of letters alone are refused alike.
fn entries(record: &Definition) -> Vec<String> {
    record.texts(MQCACH_MCA_USER_ID_LIST).iter().map(|entry| entry.to_lowercase()).collect()
}

/// Says if a channel lets in nobody without a certificate.
pub(super) fn asks_for_certificate(channel: &Definition) -> bool {
    let says = |number| has(channel, number) && !channel.text(number).trim().is_empty();
    let demands = says(MQCACH_SSL_PEER_NAME)
        || has(channel, MQIACH_SSL_CLIENT_AUTH) && channel.integer(MQIACH_SSL_CLIENT_AUTH) == MQSCA_REQUIRED;
    says(MQCACH_SSL_CIPHER_SPEC) && demands
}
