//! MQBEGIN, MQCMIT, MQBACK.

use crate::boundary::{Done, warn_of};
use crate::connections;
use crate::layout::{MQBO, MQHCONN};
use crate::memory::{Pointer, Structure};
use crate::xa;
use mqi::{Reason, constants};

/// MQBEGIN; without options it takes the usual ones.
pub(super) fn begin(connection: MQHCONN, options: Pointer<MQBO>) -> Result<Done, Reason> {
    let options = Structure::read_or(options, MQBO::DEFAULT, Reason::BO_ERROR)?;
    if options.Options != constants::MQBO_NONE {
        return Err(Reason::OPTIONS_ERROR);
    }
    connections::with(connection, |verbs| verbs.begin())
}

/// MQCMIT. A unit of work that was backed out instead is a warning.
pub(super) fn commit(connection: MQHCONN) -> Result<Done, Reason> {
    let committed = connections::with(connection, |verbs| verbs.commit());
    if matches!(committed, Ok(()) | Err(Reason::BACKED_OUT)) {
        xa::has_ended(connection);
    }
    warn_of(&[Reason::BACKED_OUT, Reason::OUTCOME_PENDING], committed, |()| None)
}

/// MQBACK.
pub(super) fn back(connection: MQHCONN) -> Result<Done, Reason> {
    connections::with(connection, |verbs| verbs.back())?;
    xa::has_ended(connection);
    Ok(None)
}
