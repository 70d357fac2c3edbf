//! A connection of the engine that can listen, for consumers: nothing comes while it listens, so it never
//! waits.
//!
//! Lives here: what consumers need of a connection. Lives elsewhere: the verbs, which clients of the
//! simulation make on the connection itself (`engine`).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mqi::listen::Wake;
use mqi::{Forwards, GetOptions, Getter, Got, Heard, Listen, Reason, Verbs, Wait};
use parking_lot::Mutex;
use queue_manager::{Ask, Connection, Get, QueueManager, WaitToken};

use testing::engine::Inbox;

/// A connection lent to consumers, until it is taken back.
#[derive(Clone)]
pub(super) struct Lent {
    connection: Arc<Mutex<Option<Connection>>>,
    manager: QueueManager,
    inbox: Arc<Inbox>,
}

/// The name of each wait: one is over before the next begins.
const TOKEN: WaitToken = WaitToken(u64::MAX);

impl Lent {
    pub(super) fn new(connection: Connection, manager: QueueManager, inbox: Arc<Inbox>) -> Self {
        Self { connection: Arc::new(Mutex::new(Some(connection))), manager, inbox }
    }

    pub(super) fn take_back(&self) -> Option<Connection> {
        self.connection.lock().take()
    }

    /// The next message of a getter, or why there is none.
    fn next(&self, getter: &Getter, heard: &mut Heard) -> Result<Got, Reason> {
        let options = GetOptions { wait: Wait::No, ..getter.options.clone() };
        let asked = {
            let mut connection = self.connection.lock();
            let connection = connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
            connection.get(Ask::new(getter.handle, &getter.descriptor, &options, getter.bytes_max, TOKEN))
        };
        self.settle();
        let outcome = match asked {
            Get::Done(outcome) => outcome,
            Get::Waiting => self.inbox.take(TOKEN).expect("what was read back is here"),
        };
        self.settle();
        let told = outcome.open(self.manager.durable()).expect("a settled log opens every gate");
        let message = told?.converted();
        heard.descriptor.clone_from(&message.descriptor);
        message.into_got().returned(&heard.descriptor, &mut heard.options)
    }

    fn settle(&self) {
        while let Some(job) = self.manager.take_job() {
            job.run();
        }
        while self.manager.log().waits() {
            self.manager.drive();
        }
    }
}

impl Listen for Lent {
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason> {
        let connection = self.connection.lock();
        let connection = connection.as_ref().ok_or(Reason::HCONN_ERROR)?;
        connection.check_get(getter.handle, &getter.descriptor, &getter.options)
    }

    fn check_quiescing(&mut self) -> Result<(), Reason> {
        self.connection.lock().as_ref().ok_or(Reason::HCONN_ERROR)?.check_quiescing()
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        _: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        let mut last = None;
        for turn in 0..getters.len() {
            let index = (first + turn) % getters.len();
            let Getter { descriptor, options, .. } = getters[index].clone();
            let got = Err(Reason::NO_MSG_AVAILABLE);
            let shown = Bytes::new();
            let mut heard = Heard { getter: index, descriptor, options, got, shown, is_last_ahead: false };
            heard.got = self.next(&getters[index], &mut heard);
            let is_nothing = matches!(heard.got, Err(Reason::NO_MSG_AVAILABLE));
            last = Some(heard);
            if !is_nothing {
                break;
            }
        }
        Ok(last)
    }

    fn waker(&self) -> Wake {
        Box::new(|| ())
    }

    fn has_unit(&self) -> bool {
        self.connection.lock().as_ref().is_some_and(Connection::has_unit)
    }
}

/// Consumers of scenarios make no calls but to stop.
impl Forwards for Lent {
    fn forward<T>(&mut self, _: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason> {
        Err(Reason::ENVIRONMENT_ERROR)
    }
}
