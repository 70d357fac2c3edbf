//! Calls that a consumer makes with the connection it was called by.
//!
//! The thread that calls consumers has their connection; while a consumer runs, what it calls with the same
//! handle goes to what it was given, not to the table.

#![allow(
    unsafe_code,
    reason = "a borrow is passed on through a function of the program, which cannot carry it"
)]

use crate::layout::MQHCONN;
use crate::process;
use callbacks::Consuming;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

/// A consumer that is being called on this thread.
struct Called {
    number: MQHCONN,
    /// A child of the program has a copy of this thread, and none of its connections.
    generation: usize,
    /// None while a call through it is under way.
    connection: Option<NonNull<dyn Consuming>>,
}

thread_local! {
    /// Empty when a thread ends. Never dropped: a cleaner of the program's makes calls behind that.
    static CALLED: RefCell<ManuallyDrop<Vec<Called>>> = const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// Ends what [`calling`] began, also when the consumer panics.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        CALLED.with_borrow_mut(|called| {
            called.pop();
            if called.is_empty() {
                **called = Vec::new();
            }
        });
    }
}

/// Calls a consumer, whose calls through `number` are made with `connection`.
pub(crate) fn calling(number: MQHCONN, connection: &mut dyn Consuming, consumer: impl FnOnce()) {
    let connection = NonNull::from(connection);
    // SAFETY: only the lifetime changes; what is noted here is taken away again (`Ends`) before the borrow
    // ends.
    let connection: NonNull<dyn Consuming> = unsafe { std::mem::transmute(connection) };
    let generation = process::generation();
    CALLED.with_borrow_mut(|called| called.push(Called { number, generation, connection: Some(connection) }));
    let _ends = Ends;
    consumer();
}

/// Puts back what a call took.
struct Returns(usize, NonNull<dyn Consuming>);

impl Drop for Returns {
    fn drop(&mut self) {
        CALLED.with_borrow_mut(|called| called[self.0].connection = Some(self.1));
    }
}

/// Makes a call with the connection that called the consumer on this thread; none when another called it or
/// there is no consumer.
pub(super) fn with<T>(number: MQHCONN, call: impl FnOnce(&mut dyn Consuming) -> T) -> Option<T> {
    let (place, mut connection) = CALLED.with_borrow_mut(|called| {
        let place = called.iter().rposition(|called| called.is(number))?;
        Some((place, called[place].connection.take()?))
    })?;
    let _returns = Returns(place, connection);
    // SAFETY: `calling` waits for the consumer, so what it borrowed is there and nobody else uses it; it was
    // taken from its place for the time of this call, so no second call on this thread has it.
    Some(call(unsafe { connection.as_mut() }))
}

/// True if the consumer on this thread was called by this connection.
pub(crate) fn is_called_by(number: MQHCONN) -> bool {
    CALLED.with_borrow(|called| called.iter().any(|called| called.is(number)))
}

/// True if a consumer is being called on this thread, by any connection.
pub(crate) fn is_called() -> bool {
    let generation = process::generation();
    CALLED.with_borrow(|called| called.iter().any(|called| called.generation == generation))
}

impl Called {
    fn is(&self, number: MQHCONN) -> bool {
        self.number == number && self.generation == process::generation()
    }
}
