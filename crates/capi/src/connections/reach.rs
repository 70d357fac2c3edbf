//! A way to a queue manager, whichever it is.

use mqi::constants::MQCCSI_Q_MGR;
use mqi::listen::{OnEvent, Wake};
use mqi::{
    Forwards, GetFlags, GetOptions, Getter, Heard, Listen, MessageDescriptor, PutFlags, PutOptions, Reason,
    Verbs,
};
use std::time::Duration;

/// A connection over a socket, or to the queue manager in this process.
pub(crate) struct Reach {
    way: Box<dyn Listen + Send>,
    /// The program's character set, for messages and gets that leave it to the connection; without one, the
    /// library's.
    ccsid: Option<i32>,
    /// True if an MQPUT1 in a unit of work waits for its outcome when its options leave that open.
    put1_waits: bool,
}

impl Reach {
    /// A connection without settings of its own.
    pub(crate) fn over(way: impl Listen + Send + 'static) -> Self {
        Self { way: Box::new(way), ccsid: None, put1_waits: true }
    }

    /// With a character set of the program, and with what an MQPUT1 in a unit of work does by default.
    pub(crate) fn with(self, ccsid: Option<i32>, put1_waits: bool) -> Self {
        Self { ccsid, put1_waits, ..self }
    }

    /// Names the program's character set where the descriptor leaves that open.
    fn name_set(&self, descriptor: &mut MessageDescriptor) {
        descriptor.coded_character_set = self.named_set(descriptor.coded_character_set);
    }

    /// Names the target set of a get that converts.
    fn name_target(&self, descriptor: &mut MessageDescriptor, options: &GetOptions) {
        if options.flags.contains(GetFlags::CONVERT) {
            self.name_set(descriptor);
        }
    }

    /// A getter as the way has it.
    fn named(&self, getter: &Getter) -> Getter {
        let mut getter = getter.clone();
        self.name_target(&mut getter.descriptor, &getter.options);
        getter
    }
}

impl Forwards for Reach {
    fn forward<T>(&mut self, call: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason> {
        call(&mut *self.way)
    }

    fn before_put(&mut self, descriptor: &mut MessageDescriptor) {
        self.name_set(descriptor);
    }

    fn before_put1(&mut self, descriptor: &mut MessageDescriptor, options: &mut PutOptions) {
        self.name_set(descriptor);
        let said = PutFlags::SYNC_RESPONSE | PutFlags::ASYNC_RESPONSE;
        if !self.put1_waits && options.flags.contains(PutFlags::SYNCPOINT) && !options.flags.intersects(said)
        {
            options.flags.insert(PutFlags::ASYNC_RESPONSE);
        }
    }

    fn before_get(&mut self, descriptor: &mut MessageDescriptor, options: &GetOptions) {
        self.name_target(descriptor, options);
    }

    fn named_set(&self, ccsid: i32) -> i32 {
        self.ccsid.filter(|_| ccsid == MQCCSI_Q_MGR).unwrap_or(ccsid)
    }
}

impl Listen for Reach {
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason> {
        self.way.check_getter(getter)
    }

    fn check_quiescing(&mut self) -> Result<(), Reason> {
        self.way.check_quiescing()
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        if self.ccsid.is_none() {
            return self.way.listen(getters, first, timeout);
        }
        let named: Vec<Getter> = getters.iter().map(|getter| self.named(getter)).collect();
        self.way.listen(&named, first, timeout)
    }

    fn event(&mut self) -> Option<Reason> {
        self.way.event()
    }

    fn when_not_listened_to(&mut self, on_event: OnEvent) {
        self.way.when_not_listened_to(on_event);
    }

    fn waker(&self) -> Wake {
        self.way.waker()
    }

    fn has_unit(&self) -> bool {
        self.way.has_unit()
    }
}
