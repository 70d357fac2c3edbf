//! The points in which a definition asks for less than the one before: passwords, encryption, certificates.

use mqi::constants::*;
use security::authority::NOBODY;

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
            for (number, keyword, why) in [
                (
                    MQIA_ADOPT_CONTEXT,
                    "ADOPTCTX",
                    "programs act as the users that they say to be, not as those that they prove",
                ),
                (MQIA_AUTHENTICATION_FAIL_DELAY, "FAILDLAY", "passwords are guessed without a delay"),
            ] {
                let is_there =
                    |definition: &Definition| has(definition, number) && definition.integer(number) != 0;
                if is_there(present) && !is_there(wanted) {
                    let what = format!("{keyword} of AUTHINFO {}", wanted.name());
                    lowered.push(Opening::asking(what, why));
                }
            }
        }
        for (key, present) in &self.objects {
            let Some(wanted) = wanted.objects.get(key) else { continue };
            if present.object_type().family() != Family::Channel {
                continue;
            }
            let what = format!("CHANNEL {}", wanted.shown_name());
            let causes = [lowered_cover(present, wanted), other_user(present, wanted)];
            lowered.extend(causes.into_iter().flatten().map(|why| Opening::asking(what.clone(), why)));
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
    if has(present, MQCACH_SSL_PEER_NAME) && has(wanted, MQCACH_SSL_PEER_NAME) {
        let [present, wanted] = [present, wanted].map(|one| one.text(MQCACH_SSL_PEER_NAME));
        if !is_within(&wanted, &present) {
            return Some("partners come in by certificates of other names than before");
        }
    }
    let takes_partners = has(present, MQIACH_SSL_CLIENT_AUTH) && has(wanted, MQIACH_SSL_CLIENT_AUTH);
    let is_lower = takes_partners && asks_for_certificate(present) && !asks_for_certificate(wanted);
    is_lower.then_some("partners come in without a certificate, which it asked for")
}

/// Says if each part of a pattern of names is asked for by another pattern as well.
fn is_within(pattern: &str, of: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
    };
    let own = parts(pattern);
    let asks = |part: &String| {
        let begin = part.strip_suffix('*').filter(|begin| !begin.contains('*'));
        own.iter().any(|one| one == part || begin.is_some_and(|begin| one.starts_with(begin)))
    };
    parts(of).iter().all(asks)
}

/// The reason for which partners of a channel act as others than before.
fn other_user(present: &Definition, wanted: &Definition) -> Option<&'static str> {
    if has(present, MQCACH_MCA_USER_ID) && has(wanted, MQCACH_MCA_USER_ID) {
        let [before, after] = [present, wanted].map(|one| one.text(MQCACH_MCA_USER_ID).trim().to_owned());
        if !before.is_empty() && after.is_empty() {
            return Some("its partners act as users that they name, and all acted as its MCAUSER");
        }
        if !before.is_empty() && after != before && after != NOBODY {
            return Some("its partners act as another user than before");
        }
    }
    let is_context = |channel: &Definition| {
        has(channel, MQIACH_PUT_AUTHORITY) && channel.integer(MQIACH_PUT_AUTHORITY) == MQPA_CONTEXT
    };
    let is_new = is_context(wanted) && !is_context(present);
    is_new.then_some("messages are put with the rights of the users that partners write in them")
}
