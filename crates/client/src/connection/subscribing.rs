//! Subscriptions of a program, and how they are found again when the link was broken.
//!
//! Always: one that is not durable ends with the link, and its queue with it: it is made again, and what was
//! on its way to it is lost. A durable one is resumed.

use super::{Connection, Handle, Role, Unanswered};
use crate::inbox::Answer;
use ::channel::Request;
use mqi::{
    CloseOptions, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, Reason, RequestOptions,
    SubscribeOptions, Subscribed, SubscriptionDescriptor,
};

/// An open subscription.
#[derive(Debug)]
pub(super) struct Subscription {
    /// The program's wishes, with the durability and the destination class that the subscription has.
    descriptor: SubscriptionDescriptor,
    /// The program's own queue, whether or not it still has it open.
    own_queue: Option<ObjectDescriptor>,
    /// The place of the handle of its queue that came with it.
    managed: Option<usize>,
}

impl Subscription {
    /// Returns the descriptor for asking again after a broken link.
    fn again(&self) -> SubscriptionDescriptor {
        let mut descriptor = self.descriptor.clone();
        let ways = SubscribeOptions::CREATE | SubscribeOptions::ALTER | SubscribeOptions::RESUME;
        descriptor.options.remove(ways);
        match descriptor.options.contains(SubscribeOptions::DURABLE) {
            true => {
                // Goes with CREATE alone; what was retained does not come to a subscription that is there.
                descriptor.options.remove(SubscribeOptions::NEW_PUBLICATIONS_ONLY);
                descriptor.options.insert(SubscribeOptions::RESUME);
            }
            false => descriptor.options.insert(SubscribeOptions::CREATE),
        }
        descriptor
    }
}

impl Connection {
    pub(super) fn subscribe_to(
        &mut self,
        descriptor: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Result<Subscribed, Reason> {
        if self.has_ended {
            return Err(Reason::HCONN_ERROR);
        }
        let options = descriptor.options;
        // A durable one that was made, without that the answer came, cannot be made again.
        let may_repeat = !options.contains(SubscribeOptions::DURABLE)
            || options.intersects(SubscribeOptions::RESUME | SubscribeOptions::ALTER);
        let subscribed = loop {
            let queue = queue.map(|queue| self.usable(queue).map(|open| open.server)).transpose()?;
            let request = Request::Subscribe { descriptor: Box::new(descriptor.clone()), queue };
            match self.ask_plainly(&request) {
                Ok(Answer::Subscribed(subscribed)) => break *subscribed,
                Ok(answer) => return Err(super::administration::refusal(&answer)),
                Err(unanswered) => {
                    self.reconnect()?;
                    if unanswered == Unanswered::Unknown && !may_repeat {
                        return Err(Reason::CONNECTION_BROKEN);
                    }
                }
            }
        };
        let managed = subscribed.queue.map(|server| {
            let mut how = Subscribed::QUEUE_OPTIONS;
            if subscribed.reads_ahead {
                how.insert(OpenOptions::READ_AHEAD);
            }
            self.keep(Handle {
                object: ObjectDescriptor::queue(subscribed.queue_name),
                options: how,
                server,
                refused: None,
                name: subscribed.queue_name,
                stream: None,
                puts_asynchronously: false,
                role: Role::Managed,
            })
        });
        let own_queue = match queue.filter(|_| managed.is_none()) {
            None => None,
            Some(queue) => {
                let Handle { object, name, .. } = self.known(queue)?;
                let selection_string = String::new();
                Some(ObjectDescriptor { object_name: *name, selection_string, ..object.clone() })
            }
        };
        let has = SubscribeOptions::DURABLE | SubscribeOptions::MANAGED;
        let place = self.keep(Handle {
            object: ObjectDescriptor::default(),
            options: OpenOptions::EMPTY,
            server: subscribed.subscription,
            refused: None,
            name: ObjectName::BLANK,
            stream: None,
            puts_asynchronously: false,
            role: Role::Subscription(Box::new(Subscription {
                descriptor: SubscriptionDescriptor {
                    options: options.without(has) | (subscribed.is.options & has),
                    ..descriptor.clone()
                },
                own_queue,
                managed,
            })),
        });
        let handle_of = |place: usize| ObjectHandle(place as i32 + 1);
        if let Some(managed) = managed.filter(|_| subscribed.reads_ahead)
            && let Some(window) = self.channel.read_ahead(super::ReadAhead::OF_SUBSCRIPTION)
        {
            self.read_ahead(handle_of(managed), window)?;
        }
        Ok(Subscribed { subscription: handle_of(place), queue: managed.map(handle_of), ..subscribed })
    }

    /// Asks for what was retained for a subscription. Not asked again: what was on its way would come twice.
    pub(super) fn request(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Result<u32, Reason> {
        loop {
            let server = self.handle(subscription)?.server;
            match self.ask_plainly(&Request::RequestPublications { subscription: server, action, options }) {
                Ok(Answer::PublicationsRequested(publications)) => return Ok(publications),
                Ok(answer) => return Err(super::administration::refusal(&answer)),
                Err(unanswered) => {
                    self.reconnect()?;
                    if unanswered == Unanswered::Unknown {
                        return Err(Reason::CONNECTION_BROKEN);
                    }
                }
            }
        }
    }

    /// A handle is closed: the queue of a subscription that stays is from now on a queue like others.
    pub(super) fn forget_role(&mut self, closed: &Handle) {
        let Role::Subscription(subscription) = &closed.role else { return };
        if let Some(queue) = subscription.managed.and_then(|place| self.handles[place].as_mut()) {
            queue.role = Role::Object;
        }
    }

    /// Opens the subscriptions again; false when the link broke meanwhile.
    pub(super) fn subscribe_again(&mut self) -> bool {
        for place in 0..self.handles.len() {
            let Some(Handle { role: Role::Subscription(subscription), .. }) = &self.handles[place] else {
                continue;
            };
            let (descriptor, managed) = (subscription.again(), subscription.managed);
            let own_queue = subscription.own_queue.clone();
            let (server, queue, name, refused) = match self.ask_for_subscription(descriptor, own_queue) {
                Ok(Answer::Subscribed(subscribed)) => {
                    let Subscribed { subscription, queue, queue_name, .. } = *subscribed;
                    (subscription, queue, queue_name, None)
                }
                // It has gone or is refused: the call that uses the handle is told.
                Ok(answer) => {
                    let reason = super::administration::refusal(&answer);
                    (ObjectHandle::NONE, None, ObjectName::BLANK, Some(reason))
                }
                Err(_) => return false,
            };
            if let Some(handle) = &mut self.handles[place] {
                (handle.server, handle.refused) = (server, refused);
            }
            match managed.and_then(|place| self.handles[place].as_mut()) {
                Some(handle) if matches!(handle.role, Role::Managed) => {
                    (handle.server, handle.refused) = (queue.unwrap_or(ObjectHandle::NONE), refused);
                    handle.name = name;
                    handle.object = ObjectDescriptor::queue(name);
                }
                // The program has closed it.
                _ => {
                    let closes = |handle| Request::Close { handle, options: CloseOptions::EMPTY };
                    if queue.is_some_and(|queue| self.ask_plainly(&closes(queue)).is_err()) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Asks for a subscription as it was, with the queue that its program had opened for it.
    fn ask_for_subscription(
        &mut self,
        mut descriptor: SubscriptionDescriptor,
        own_queue: Option<ObjectDescriptor>,
    ) -> Result<Answer, Unanswered> {
        let queue = match own_queue {
            None => None,
            // Nobody who has it for himself is in the way of this.
            Some(object) => {
                match self.ask_plainly(&Request::Open { object, options: OpenOptions::OUTPUT })? {
                    Answer::Opened(opened) => Some(opened.handle),
                    refused => return Ok(refused),
                }
            }
        };
        let ask = |descriptor: &SubscriptionDescriptor| Request::Subscribe {
            descriptor: Box::new(descriptor.clone()),
            queue,
        };
        let mut answer = self.ask_plainly(&ask(&descriptor))?;
        // What was retained is of less use than what is still to come.
        if let Answer::Failed { reason, .. } = &answer
            && [Reason::RETAINED_NOT_DELIVERED, Reason::RETAINED_MSG_Q_ERROR].contains(reason)
        {
            descriptor.options.insert(SubscribeOptions::NEW_PUBLICATIONS_ONLY);
            answer = self.ask_plainly(&ask(&descriptor))?;
        }
        if let Some(handle) = queue {
            self.ask_plainly(&Request::Close { handle, options: CloseOptions::EMPTY })?;
        }
        Ok(answer)
    }
}
