//! The state that every part of one queue manager shares.
//!
//! Always: locks are taken in the order catalogue, queue, unit of work, and last the small ones here
//! (registry of units, timers, jobs, a connection's waits), which are leaves: nothing else is locked under
//! them but the log. What many calls write stands in cache lines of its own, since every call reads what is
//! beside it.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use mqi::Reason;
use platform::Monotonic;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use queues::Queues;
use queues::ground::Ground;
use queues::ground::command_room::CommandRooms;
use queues::ground::settings::Quiesce;
use queues::ground::time::moment;
use queues::ground::turn::Turn;

use crate::broker::Broker;
use crate::catalogue::Lifetime;
use crate::channel_rules::ChannelRules;
use crate::channel_seats::Seats;
use crate::conversation::{Conversation, Registration};
use crate::directory::Directory;
use crate::images::Images;
use crate::instances::Instances;
use crate::message_channels::MessageChannels;

/// One queue manager from the inside.
pub(crate) struct Engine {
    pub(crate) this: Weak<Self>,
    /// Local queues, units of work, and their ground.
    pub(crate) queues: Arc<Queues>,
    /// The time of day at which this run began.
    pub(crate) started: objects::Moment,
    /// Messages on local queues before this run put any.
    pub(crate) messages_found: AtomicU64,
    /// Objects by their names, and the right to use them.
    pub(crate) directory: Arc<Directory>,
    /// Publications and subscriptions.
    pub(crate) broker: Arc<Broker>,
    /// Seats of channels of every type.
    pub(crate) channel_seats: Arc<Seats>,
    /// Message channels as they run.
    pub(crate) message_channels: Arc<MessageChannels>,
    /// The rules that logins are judged by.
    pub(crate) channel_rules: ChannelRules,
    /// Connections of clients, by their channels.
    pub(crate) instances: Arc<Instances>,
    pub(crate) conversations: Mutex<BTreeMap<u64, Arc<Conversation>>>,
    /// Conversations among them that the limit of connections is not for; changed under their lock.
    pub(crate) uncounted: AtomicUsize,
    pub(crate) next_connection: AtomicU64,
    pub(crate) checkpointing: Turn,
    /// The last one was not taken, or moved less than it should.
    pub(crate) checkpoint_failed: AtomicBool,
    /// Time at which the log began to run short of room, in nanoseconds of the clock; zero when it does not.
    pub(crate) short_since: AtomicU64,
    pub(crate) last_checkpoint: Mutex<(Monotonic, storage::Lsn)>,
    /// When a media image is due.
    pub(crate) images: Images,
    /// Room for commands and their answers.
    pub(crate) command_rooms: CommandRooms,
}

impl Engine {
    /// Time, log, memory, jobs and host.
    #[inline]
    pub(crate) fn ground(&self) -> &Ground {
        &self.queues.ground
    }

    /// The attributes that a setting keeps from their effect: keyword, value, setting and its value.
    pub(crate) fn above_settings(&self) -> impl Iterator<Item = [String; 4]> {
        let definition = self.directory.catalogue.manager().definition.clone();
        self.ground().settings.ceilings().into_iter().filter_map(move |ceiling| {
            let value = definition.integer(ceiling.selector.0);
            let inserts = [
                ceiling.keyword.to_owned(),
                value.to_string(),
                ceiling.setting.to_owned(),
                ceiling.most.to_string(),
            ];
            (value.unsigned_abs() > ceiling.most).then_some(inserts)
        })
    }

    /// Begins to end.
    pub(crate) fn quiesce(&self, how: Quiesce) {
        let level = match how {
            Quiesce::Controlled => 1,
            Quiesce::Immediate => 2,
        };
        if self.ground().quiescing.fetch_max(level, Ordering::AcqRel) == 0 {
            self.directory.tell_stop(how);
            if how == Quiesce::Controlled {
                self.tell_connections();
            }
        }
        for queue in self.queues.all() {
            match how {
                Quiesce::Controlled => {
                    queue.refuse_waiters(Reason::Q_MGR_QUIESCING, |waiter| waiter.request.fail_if_quiescing)
                }
                Quiesce::Immediate => queue.refuse_waiters(Reason::Q_MGR_STOPPING, |_| true),
            }
        }
    }

    /// Tells those there are that the queue manager quiesces; one that is made from now on is refused.
    fn tell_connections(&self) {
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        for conversation in conversations {
            conversation.party.completions.quiesces();
        }
    }

    /// Closes what a handle had open; a temporary dynamic queue ends with the handle that made it.
    pub(crate) fn close(&self, registration: &Registration) {
        if let Some(subscription) = &registration.subscription {
            self.broker.leave_subscription(subscription);
        }
        if let Some(target) = &registration.topic {
            self.broker.leave_topic(target);
        }
        let Some(queue) = &registration.queue else { return };
        if let Some(account) = &registration.account {
            account.note_closed(moment(self.ground().world.clock.wall()));
        }
        if let Some(memo) = &registration.memo {
            queue.let_go(&self.queues, memo);
        }
        queue.leave(&self.queues, registration.used);
        if registration.is_creator {
            let removed = self.directory.catalogue.remove(&queue.name, None, |object, log| {
                let is_same = object.queue().is_some_and(|other| Arc::ptr_eq(other, queue));
                if is_same && object.lifetime() == Lifetime::ThisRun {
                    queue.retire(&self.queues, None, log).map_err(|_| ())
                } else {
                    Err(())
                }
            });
            // Refused when it was deleted before, by name.
            drop(removed);
        }
    }
}
