//! The time of day, as certificates are judged by it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::UnixTime;

/// The time of day, as seconds since 1970, handed in by the host.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> u64 + Send + Sync>);

impl Clock {
    /// A clock that is read by this function.
    pub fn new(now: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The seconds since 1970.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Clock({})", self.seconds())
    }
}

impl rustls::time_provider::TimeProvider for Clock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(Duration::from_secs(self.seconds())))
    }
}
