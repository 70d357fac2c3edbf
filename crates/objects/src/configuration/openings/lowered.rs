//! The points in which a definition asks for less than the one before: passwords, encryption, certificates.

use mqi::constants::*;

use super::finder::{Opening, has};
use super::rules::asks_for_certificate;
use crate::configuration::Configuration;
use crate::definition::Definition;
use crate::object_type::Family;

impl Configuration {
    /// The AUTHINFO object that judges passwords.
    pub(super) fn conn_auth(&self) -> Option<&Definition> {
        let name = self.manager.text(MQCA_CONN_AUTH);
        let is_meant = |definition: &&Definition| {
            definition.object_type().family() == Family::Authentication
                && definition.name().as_str() == name.trim()
        };
        self.objects.values().find(is_meant)
    }

    /// The points in which another configuration asks for less.
    pub(super) fn lowered_by(&self, wanted: &Self) -> Vec<Opening> {
        let mut lowered = Vec::new();
        if let (Some(present), Some(wanted)) = (self.conn_auth(), wanted.conn_auth()) {
            for (number, keyword) in
                [(MQIA_CHECK_CLIENT_BINDING, "CHCKCLNT"), (MQIA_CHECK_LOCAL_BINDING, "CHCKLOCL")]
            {
                let is_lower = has(present, number)
                    && has(wanted, number)
                    && strength(wanted.integer(number)) < strength(present.integer(number));
                if is_lower {
                    let what = format!("{keyword} of AUTHINFO {}", wanted.name());
                    lowered.push(Opening::asking(what, "fewer programs must give a password than before"));
                }
            }
        }
        for (key, present) in &self.objects {
            let Some(wanted) = wanted.objects.get(key) else { continue };
            if present.object_type().family() == Family::Channel
                && let Some(why) = lowered_cover(present, wanted)
            {
                let what = format!("CHANNEL {}", wanted.shown_name());
                lowered.push(Opening::asking(what, why));
            }
        }
        lowered
    }
}

/// The order of checks, the weakest first.
fn strength(check: i32) -> u8 {
    match check {
        MQCHK_NONE => 0,
        MQCHK_OPTIONAL => 1,
        MQCHK_REQUIRED_ADMIN => 2,
        _ => 3,
    }
}

/// The reason for which a channel asks less of its partners than before.
fn lowered_cover(present: &Definition, wanted: &Definition) -> Option<&'static str> {
    let blank = |definition: &Definition, number| {
        !has(definition, number) || definition.text(number).trim().is_empty()
    };
    if !blank(present, MQCACH_SSL_CIPHER_SPEC) && blank(wanted, MQCACH_SSL_CIPHER_SPEC) {
        return Some("partners come in without encryption, which it asked for");
    }
    if !blank(present, MQCACH_SSL_PEER_NAME) && blank(wanted, MQCACH_SSL_PEER_NAME) {
        return Some("partners come in by any certificate, and it asked for a name");
    }
    let takes_partners = has(present, MQIACH_SSL_CLIENT_AUTH) && has(wanted, MQIACH_SSL_CLIENT_AUTH);
    let is_lower = takes_partners && asks_for_certificate(present) && !asks_for_certificate(wanted);
    is_lower.then_some("partners come in without a certificate, which it asked for")
}
