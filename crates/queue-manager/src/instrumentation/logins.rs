//! Logins that were refused: their record, and events about channels.

use mqi::constants::*;
use objects::harmless::harmless;
use objects::pcf::Parameter;
use queues::ground::host::{LoginFacts, Refusal};
use queues::ground::login::{CoverFault, LoginFault, LoginReport};
use queues::ground::place::connection_name;
use security::channel_rules;
use security::{Identity, NAME_BYTES_MAX, Principal};
use storage::Lsn;

use super::Event;
use crate::directory::Directory;

const CHANNEL_EVENTS: &str = "SYSTEM.ADMIN.CHANNEL.EVENT";

/// Most bytes of a text of a stranger in a record or an event.
const SHOWN_BYTES_MAX: usize = 256;

/// The qualifier of an event about encryption.
const fn qualifier_of_cover(fault: CoverFault) -> i32 {
    match fault {
        CoverFault::Handshake => MQRQ_SSL_HANDSHAKE_ERROR,
        CoverFault::Suite => MQRQ_SSL_CIPHER_SPEC_ERROR,
        CoverFault::Certificate => MQRQ_SSL_CLIENT_AUTH_ERROR,
        CoverFault::Peer => MQRQ_SSL_PEER_NAME_ERROR,
    }
}

/// The qualifier of an event about a login that a record blocks.
const fn qualifier(refusal: channel_rules::Refusal) -> Option<i32> {
    match refusal {
        channel_rules::Refusal::Address => Some(MQRQ_CHANNEL_BLOCKED_ADDRESS),
        channel_rules::Refusal::User => Some(MQRQ_CHANNEL_BLOCKED_USERID),
        channel_rules::Refusal::NoAccess => Some(MQRQ_CHANNEL_BLOCKED_NOACCESS),
        channel_rules::Refusal::NoProvider | channel_rules::Refusal::Credentials => None,
    }
}

/// The beginning of a text that a stranger sent, with escapes in place of its harmful letters: at most so
/// many bytes.
fn shown(text: &str, bytes_max: usize) -> String {
    first(&harmless(first(text, bytes_max)), bytes_max).to_owned()
}

/// The first bytes of a text, as whole characters.
fn first(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The object of a login: a channel, or the queue manager where the program named none.
fn object_of(channel: &str) -> String {
    if channel.trim().is_empty() {
        "queue manager".to_owned()
    } else {
        format!("channel {}", shown(channel, SHOWN_BYTES_MAX))
    }
}

impl Directory {
    /// Records a login that was refused, with this reason, and tells of it. Returns its number. Called
    /// without locks.
    pub(crate) fn refuse_login(&self, report: &LoginReport, reason: mqi::Reason) -> u64 {
        let id = self.ground().world.entropy.next_u64();
        let name = shown(&report.user, NAME_BYTES_MAX);
        let user = Principal::new(&name, Identity::Asserted).expect("it is cut, and has no harmful letter");
        let address = connection_name(&report.origin).parse().ok();
        let id = self.ground().host.audit(&Refusal {
            id,
            at: self.ground().world.clock.wall(),
            user: user.with_address(address),
            object: object_of(&report.channel),
            options: "login".to_owned(),
            reason,
            explanation: None,
            login: Some(LoginFacts {
                origin: report.origin.clone(),
                cause: harmless(&report.cause).into_owned(),
            }),
        });
        self.tell_login(report, false);
        id
    }

    /// Tells of a login that a record would have refused and only warns of, or, of one that was refused.
    pub(crate) fn tell_login(&self, report: &LoginReport, is_warning: bool) {
        let definition = &self.catalogue.manager().definition;
        let wanted = |selector| definition.integer(selector) != MQEVR_DISABLED;
        let (reason, qualifier) = match report.kind {
            LoginFault::Blocked(refusal) if wanted(MQIA_CHANNEL_EVENT) => {
                let Some(qualifier) = qualifier(refusal) else { return };
                let reason = if is_warning { MQRC_CHANNEL_BLOCKED_WARNING } else { MQRC_CHANNEL_BLOCKED };
                (reason, qualifier)
            }
            LoginFault::Cover(fault) if wanted(MQIA_SSL_EVENT) => {
                (MQRC_CHANNEL_SSL_ERROR, qualifier_of_cover(fault))
            }
            LoginFault::Other | LoginFault::Blocked(_) | LoginFault::Cover(_) => return,
        };
        let mut parameters =
            vec![self.named_queue_manager(), Parameter::integer(MQIACF_REASON_QUALIFIER, qualifier)];
        let connection_name = connection_name(&report.origin);
        for (number, text) in [
            (MQCACH_CHANNEL_NAME, &report.channel),
            (MQCACH_CONNECTION_NAME, &connection_name),
            (MQCACH_SSL_PEER_NAME, &report.certificate),
            (MQCACH_CLIENT_USER_ID, &report.user),
        ] {
            if !text.is_empty() {
                parameters.push(Parameter::text(number, shown(text, SHOWN_BYTES_MAX)));
            }
        }
        let event = Event::new(CHANNEL_EVENTS, MQCMD_CHANNEL_EVENT, reason, parameters);
        self.tell_event(&event, Lsn::ZERO);
    }
}
