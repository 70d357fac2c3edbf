//! RECOVER QLOCAL: messages that cannot be read are given back. And which queues that is allowed for.

use mqi::constants::{MQIA_MEDIA_IMAGE_RECOVER_Q, MQIMGRCOV_AS_Q_MGR, MQIMGRCOV_NO};
use objects::mqsc::Recover;
use objects::{Definition, Message, ObjectType, Response, messages};

use super::change::{answer, failed, refusal};
use crate::Gated;
use crate::catalogue::ChangeError;
use crate::engine::Engine;

const VERB: &str = "RECOVER";

/// RECOVER QLOCAL.
pub(super) fn recover(engine: &Engine, Recover { name }: &Recover) -> Gated<Response> {
    let catalogue = &engine.catalogue;
    let found = catalogue.find(name);
    let kind = ObjectType::LocalQueue;
    let refused = |error| refusal(VERB, kind, name.as_str(), error, found.need);
    let Some(object) = found.object else { return refused(ChangeError::NotFound) };
    let Some(queue) = object.queue() else {
        return refused(ChangeError::OtherType { name: *name, found: object.object_type() });
    };
    let current = object.current();
    if !is_allowed(&current.definition, &catalogue.manager().definition) {
        let of_manager = current.definition.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) == MQIMGRCOV_AS_Q_MGR;
        let whose = if of_manager { "the queue manager" } else { "the queue" };
        let why = format!("IMGRCOVQ of {whose} says NO");
        return failed(VERB, kind, name.as_str(), why, found.need);
    }
    let recovered = match engine.recover_queue(queue) {
        Ok(recovered) => recovered,
        Err(why) => return failed(VERB, kind, name.as_str(), why, found.need),
    };
    let (read, given_back) = (recovered.read.to_string(), recovered.given_back.to_string());
    if recovered.missing == 0 {
        let inserts = [name.to_string(), read, given_back];
        return answer(recovered.need, Message::new(&messages::QUEUE_RECOVERED, inserts));
    }
    let why = match recovered.reasons.is_empty() {
        true => "there is no image that has them".to_owned(),
        false => recovered.reasons.join("; "),
    };
    let inserts = [name.to_string(), given_back, recovered.missing.to_string(), why];
    answer(recovered.need, Message::new(&messages::QUEUE_NOT_RECOVERED, inserts))
}

/// Whether a queue may be recovered from an image.
pub(super) fn is_allowed(queue: &Definition, manager: &Definition) -> bool {
    match queue.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) {
        MQIMGRCOV_AS_Q_MGR => manager.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) != MQIMGRCOV_NO,
        own => own != MQIMGRCOV_NO,
    }
}
