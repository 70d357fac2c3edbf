//! MQSUB and MQSUBRQ.

use crate::boundary::Done;
use crate::connections;
use crate::layout::{MQHCONN, MQHOBJ, MQLONG, MQSD, MQSRO};
use crate::memory::{Pointer, Structure, give};
use crate::translate::subscription_descriptor;
use crate::xa;
use mqi::{ObjectHandle, Reason, RequestOptions, SubscribeOptions, constants};

/// MQSUB. The handle of the subscription is unusable when it is refused; that of the queue is given for a
/// managed one.
pub(super) fn subscribe(
    connection: MQHCONN,
    descriptor: Pointer<MQSD>,
    object: Pointer<MQHOBJ>,
    subscription: Pointer<MQHOBJ>,
) -> Result<Done, Reason> {
    let subscribed = connections::with(connection, |verbs| {
        let (Some(queue), false) = (object.read(), subscription.is_null()) else {
            return Err(Reason::HOBJ_ERROR);
        };
        let program = Structure::read(descriptor, MQSD::DEFAULT, Reason::SD_ERROR)?;
        let wanted = subscription_descriptor::for_subscribe(&program)?;
        let is_managed = wanted.options.contains(SubscribeOptions::MANAGED);
        let own = ![constants::MQHO_NONE, constants::MQHO_UNUSABLE_HOBJ].contains(&queue);
        let subscribed = verbs.subscribe(&wanted, (!is_managed && own).then_some(ObjectHandle(queue)))?;
        subscription_descriptor::give_subscribed(&program, &subscribed);
        if let Some(queue) = subscribed.queue {
            object.write(queue.0);
        }
        Ok((subscribed.subscription, subscribed.queue))
    });
    subscription.write(subscribed.map_or(constants::MQHO_UNUSABLE_HOBJ, |(handle, _)| handle.0));
    subscribed.map(|(handle, queue)| {
        [Some(handle), queue].into_iter().flatten().for_each(|handle| xa::opened(connection, handle.0));
        None
    })
}

/// MQSUBRQ.
pub(super) fn request(
    connection: MQHCONN,
    subscription: MQHOBJ,
    action: MQLONG,
    options: Pointer<MQSRO>,
) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let program = Structure::read_or(options, MQSRO::DEFAULT, Reason::SRO_ERROR)?;
        let flags = RequestOptions::from_bits(program.Options);
        let publications = verbs.request_publications(ObjectHandle(subscription), action, flags)?;
        give!(program, MQSRO { NumPubs: MQLONG::try_from(publications).unwrap_or(MQLONG::MAX) });
        Ok(None)
    })
}
