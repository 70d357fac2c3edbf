//! Work that may block, waiting for a thread that may.

use std::collections::VecDeque;

use platform::sync::Mutex;

use crate::ground::host::Job;

/// Jobs in the order they were left.
#[derive(Default)]
pub struct Jobs(Mutex<VecDeque<Job>>);

impl Jobs {
    pub(crate) fn push(&self, job: Job) {
        self.0.lock().push_back(job);
    }

    /// Takes the next job, if there is one.
    pub fn take(&self) -> Option<Job> {
        self.0.lock().pop_front()
    }
}
