//! Warnings about the keys and suites that a definition names and that are not there.
//!
//! Lives elsewhere: names that stand for nothing, which are refused (`objects`); the keys themselves (the
//! host).

use mqi::constants::{MQCA_CERT_LABEL, MQCACH_SSL_CIPHER_SPEC};
use objects::{Message, ObjectType, Response, Setting, messages};
use security::cipherspecs::{Build, Choice};

use crate::engine::Engine;

impl Engine {
    /// The answer to a definition, which names a suite that this build lacks and a label without a key.
    pub(crate) fn naming_missing_keys(
        &self,
        object_type: ObjectType,
        name: &str,
        settings: &[Setting],
        mut answer: Response,
    ) -> Response {
        if !answer.is_ok() {
            return answer;
        }
        let kind = object_type.noun().to_lowercase();
        for setting in settings {
            let value = setting.value.as_text().unwrap_or_default().trim();
            let warning = match setting.attribute.identifier_number() {
                _ if value.is_empty() => continue,
                MQCACH_SSL_CIPHER_SPEC if is_not_in_build(value) => {
                    Message::new(&messages::CIPHER_NOT_IN_BUILD, [&*kind, name, value])
                }
                MQCA_CERT_LABEL if !self.host.has_key(value) => {
                    Message::new(&messages::LABEL_WITHOUT_KEY, [value, &*kind, name])
                }
                _ => continue,
            };
            answer.messages.push(warning);
        }
        answer
    }
}

fn is_not_in_build(cipher: &str) -> bool {
    Choice::find(cipher).is_ok_and(|choice| choice.suites(Build::Standard).next().is_none())
}
