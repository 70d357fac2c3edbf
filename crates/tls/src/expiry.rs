//! Dates that come near: a function of certificates and of the time of day.

use crate::certificate::Certificate;

/// Days ahead at which a certificate is warned of, each once.
pub const WARNED_DAYS: [i64; 4] = [30, 14, 7, 1];

const SECONDS_A_DAY: i64 = 86_400;

/// The time that a certificate has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The certificate is not valid yet.
    NotYet,
    /// Whole days that are left.
    Days(i64),
    /// None: it has expired.
    Expired,
}

/// The time that a certificate has left at this second.
#[must_use]
pub fn left(certificate: &Certificate, seconds: u64) -> Left {
    let now = i64::try_from(seconds).unwrap_or(i64::MAX);
    match now {
        now if now < certificate.not_before => Left::NotYet,
        now if now > certificate.not_after => Left::Expired,
        now => Left::Days((certificate.not_after - now) / SECONDS_A_DAY),
    }
}

/// The step of [`WARNED_DAYS`] that a certificate has passed: 30, 14, 7, 1, and 0 once it has expired; none
/// while it has longer.
#[must_use]
pub fn step(certificate: &Certificate, seconds: u64) -> Option<i64> {
    match left(certificate, seconds) {
        Left::Expired => Some(0),
        Left::NotYet => None,
        Left::Days(days) => WARNED_DAYS.into_iter().rfind(|step| days < *step),
    }
}

/// The step to warn of now, if the last look was at another second: each step is warned of once, and an
/// expired certificate at every look.
#[must_use]
pub fn warning(certificate: &Certificate, last_look: Option<u64>, now: u64) -> Option<i64> {
    let step_now = step(certificate, now)?;
    let before = last_look.and_then(|then| step(certificate, then));
    (step_now == 0 || before != Some(step_now)).then_some(step_now)
}
