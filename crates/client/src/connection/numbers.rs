//! The numbers of requests, which begin again after the highest.
//!
//! Always: two requests that may still be answered have different numbers, and none has one that means
//! something else.

use super::bell::{WAKING, WATCHING};
use ::channel::RequestNumber;

/// Number of frames that concern no request: a mark behind the frames on their way (`Request::Cancel`), and a
/// heartbeat.
const NONE: RequestNumber = RequestNumber(0);

/// The numbers of requests. A thread that began a request asks by its number.
#[derive(Debug)]
pub(super) struct Numbers {
    last: RequestNumber,
    /// True if all numbers were given once: before that, none can still be awaited.
    have_begun_again: bool,
}

impl Numbers {
    /// Behind that of the beginning.
    pub(super) fn behind(last: RequestNumber) -> Self {
        Self { last, have_begun_again: false }
    }

    /// The next that is not that of a request which is still to be answered.
    #[inline]
    pub(super) fn next(&mut self, is_awaited: impl Fn(RequestNumber) -> bool) -> RequestNumber {
        // The first time up to the highest, which are `WATCHING` and `WAKING`, there is nothing to be passed
        // over.
        if self.have_begun_again || self.last.0 >= WATCHING.0 - 1 {
            return self.next_free(is_awaited);
        }
        self.last.0 += 1;
        self.last
    }

    #[cold]
    fn next_free(&mut self, is_awaited: impl Fn(RequestNumber) -> bool) -> RequestNumber {
        loop {
            self.last = RequestNumber(self.last.0.wrapping_add(1));
            self.have_begun_again |= self.last == NONE;
            let is_free = ![NONE, WATCHING, WAKING].contains(&self.last);
            if is_free && !(self.have_begun_again && is_awaited(self.last)) {
                return self.last;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_begin_again_pass_over_what_means_something_else_and_what_is_awaited() {
        let mut numbers = Numbers::behind(RequestNumber(u32::MAX - 3));
        let awaited = RequestNumber(2);
        let given = [(); 3].map(|()| numbers.next(|number| number == awaited).0);
        assert_eq!(given, [u32::MAX - 2, 1, 3]);
    }
}
