//! The fields in which a subscriber's copy differs from its publication.

use mqi::{AccountingToken, CorrelationId, Expiry, MessageDescriptor, Persistence, Priority, Rare, Text};
use objects::QueueAttributes;

use crate::catalogue::{Subscriber, SubscriberPriority};

/// The correlation identifier of a subscriber's copy.
pub(super) fn correlation_id(published: &MessageDescriptor, subscriber: &Subscriber) -> CorrelationId {
    subscriber.correlation_id().unwrap_or(published.correlation_id)
}

/// True if a subscriber's copy is persistent: the managed queue of a subscriber that is not durable lasts no
/// longer than its program.
pub(super) fn is_persistent(published: &MessageDescriptor, subscriber: &Subscriber) -> bool {
    published.persistence == Persistence::Persistent && (subscriber.is_durable || !subscriber.is_managed)
}

/// Fields in which a subscriber's copy may differ from others', besides its correlation identifier.
pub(super) struct Said {
    user: Text<12>,
    accounting_token: AccountingToken,
    identity_data: Rare<Text<32>>,
    persistence: Persistence,
    priority: Priority,
    expiry: Expiry,
}

impl Said {
    /// Returns the fields for a queue with these attributes, if there is one, which may set priority and
    /// expiry.
    #[inline]
    pub(super) fn of(
        published: &MessageDescriptor,
        subscriber: &Subscriber,
        queue: Option<&QueueAttributes>,
    ) -> Self {
        let (token, data) = (subscriber.accounting_token(), subscriber.identity_data());
        let is_own_token = subscriber.has_identity || token.is_some();
        let is_own_data = subscriber.has_identity || data.is_some();
        let of_queue = queue.map(|queue| Priority::new(queue.default_priority));
        let most = queue.and_then(|queue| queue.expiry_max);
        Self {
            user: if subscriber.user.is_blank() { published.user_identifier } else { subscriber.user },
            accounting_token: if is_own_token {
                token.unwrap_or(AccountingToken::NONE)
            } else {
                published.accounting_token
            },
            identity_data: if is_own_data {
                data.unwrap_or(Rare::USUAL)
            } else {
                published.application_identity_data.clone()
            },
            persistence: if is_persistent(published, subscriber) {
                Persistence::Persistent
            } else {
                Persistence::NotPersistent
            },
            priority: match subscriber.priority {
                SubscriberPriority::AsPublished => published.priority,
                SubscriberPriority::Fixed(level) => Priority::new(level),
                SubscriberPriority::AsQueue => of_queue.unwrap_or(published.priority),
            },
            expiry: most.map_or(published.expiry, |most| capped(published.expiry, most)),
        }
    }

    pub(super) fn say_in(&self, descriptor: &mut MessageDescriptor) {
        descriptor.user_identifier = self.user;
        descriptor.accounting_token = self.accounting_token;
        descriptor.application_identity_data.clone_from(&self.identity_data);
        descriptor.persistence = self.persistence;
        descriptor.priority = self.priority;
        descriptor.expiry = self.expiry;
    }

    pub(super) fn is_in(&self, descriptor: &MessageDescriptor) -> bool {
        descriptor.user_identifier == self.user
            && descriptor.accounting_token == self.accounting_token
            && descriptor.application_identity_data == self.identity_data
            && descriptor.persistence == self.persistence
            && descriptor.priority == self.priority
            && descriptor.expiry == self.expiry
    }
}

/// An expiry that is not above what may be.
fn capped(expiry: Expiry, most: u32) -> Expiry {
    Expiry::tenths(expiry.limit().map_or(most, |limit| limit.min(most)))
}
