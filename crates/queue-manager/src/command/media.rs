//! RECOVER QLOCAL: messages that cannot be read are given back.

use mqi::constants::{MQIA_MEDIA_IMAGE_RECOVER_Q, MQIMGRCOV_AS_Q_MGR, MQIMGRCOV_NO};
use objects::mqsc::Recover;
use objects::{Message, ObjectType, Response, messages};

use super::change::{answer, failed, refusal};
use super::live::Running;
use crate::Gated;
use crate::catalogue::ChangeError;

const VERB: &str = "RECOVER";

/// RECOVER QLOCAL.
pub(super) fn recover<E: Running>(engine: &E, Recover { name }: &Recover) -> Gated<Response> {
    let catalogue = engine.catalogue();
    let found = catalogue.find(name);
    let kind = ObjectType::LocalQueue;
    let refused = |error| refusal(VERB, kind, name.as_str(), error, found.need);
    let Some(object) = found.object else { return refused(ChangeError::NotFound) };
    let Some(queue) = object.queue() else {
        return refused(ChangeError::OtherType { name: *name, found: object.object_type() });
    };
    let of_queue = object.current().definition.integer(MQIA_MEDIA_IMAGE_RECOVER_Q);
    let of_manager = catalogue.manager().definition.integer(MQIA_MEDIA_IMAGE_RECOVER_Q);
    let is_allowed = match of_queue {
        MQIMGRCOV_AS_Q_MGR => of_manager != MQIMGRCOV_NO,
        own => own != MQIMGRCOV_NO,
    };
    if !is_allowed {
        let whose = if of_queue == MQIMGRCOV_AS_Q_MGR { "the queue manager" } else { "the queue" };
        let why = format!("IMGRCOVQ of {whose} says NO");
        return failed(VERB, kind, name.as_str(), why, found.need);
    }
    let recovered = match engine.recover(queue) {
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
