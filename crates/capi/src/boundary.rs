//! The border between a C program and us: how a call ends.
//!
//! Always: a panic does not cross it; the call answers 2195, and the connection it was about is lost.
//! Completion code and reason are written last, after everything else a call returns.

use crate::layout::MQLONG;
use crate::memory::Pointer;
use mqi::{CompletionCode, Reason};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Warning of a call that succeeded, if there is one.
pub(crate) type Done = Option<Reason>;

/// Where a call says how it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) completion: Pointer<MQLONG>,
    pub(crate) reason: Pointer<MQLONG>,
}

impl Outcome {
    /// Does a call and tells how it ended.
    pub(crate) fn of(self, call: impl FnOnce() -> Result<Done, Reason>) {
        // What a panic leaves behind is either of this call or lost with its connection.
        let result = catch_unwind(AssertUnwindSafe(call)).unwrap_or(Err(Reason::UNEXPECTED_ERROR));
        let (completion, reason) = match result {
            Ok(None) => (CompletionCode::Ok, Reason::NONE),
            Ok(Some(warning)) => (CompletionCode::Warning, warning),
            Err(reason) => (CompletionCode::Failed, reason),
        };
        self.completion.write(completion.code());
        self.reason.write(reason.code());
    }
}

/// Says of a refusal that the interface calls it a warning.
pub(crate) fn warn_of<T>(
    warnings: &[Reason],
    result: Result<T, Reason>,
    done: impl FnOnce(T) -> Done,
) -> Result<Done, Reason> {
    match result {
        Ok(value) => Ok(done(value)),
        Err(reason) if warnings.contains(&reason) => Ok(Some(reason)),
        Err(reason) => Err(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;
    use crate::memory::Pointer;
    use mqi::Reason;

    /// Returns the completion and reason that a program gets from this call.
    #[allow(unsafe_code, reason = "a program's pointers are played")]
    fn told(call: impl FnOnce() -> Result<Option<Reason>, Reason>) -> (i32, i32) {
        let (mut completion, mut reason) = (-1, -1);
        // SAFETY: both are numbers that outlive the call.
        let outcome = unsafe {
            Outcome { completion: Pointer::new(&raw mut completion), reason: Pointer::new(&raw mut reason) }
        };
        outcome.of(call);
        (completion, reason)
    }

    #[test]
    fn a_broken_invariant_ends_the_call_and_not_the_program() {
        assert_eq!(told(|| panic!("an invariant is broken")), (2, 2195));
        assert_eq!(told(|| Ok(None)), (0, 0));
        assert_eq!(told(|| Ok(Some(Reason::ALREADY_CONNECTED))), (1, 2002));
        assert_eq!(told(|| Err(Reason::HCONN_ERROR)), (2, 2018));
    }
}
