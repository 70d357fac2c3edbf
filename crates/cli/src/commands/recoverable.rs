//! The objects that may be recovered from a media image, by IMGRCOVO and IMGRCOVQ.

use super::answer::shown;
use terminal::connect::Session;
use terminal::failure::Result;

/// The queue manager's values for objects that leave it open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Defaults {
    /// Objects other than queues.
    pub(crate) objects: bool,
    queues: bool,
}

/// A local queue.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub(crate) name: String,
    /// True if it may be recovered.
    pub(crate) is_recoverable: bool,
}

/// IMGRCOVO and IMGRCOVQ of the queue manager.
pub(crate) fn defaults(session: &mut Session) -> Result<Defaults> {
    let shown = shown(session, "DISPLAY QMGR IMGRCOVO IMGRCOVQ")?;
    let says_yes = |keyword| shown.first().is_some_and(|manager| manager[keyword] == "YES");
    Ok(Defaults { objects: says_yes("imgrcovo"), queues: says_yes("imgrcovq") })
}

/// The local queues of a name that may end in an asterisk.
pub(crate) fn queues(session: &mut Session, name: &str) -> Result<Vec<Queue>> {
    let defaults = defaults(session)?;
    let shown = shown(session, &format!("DISPLAY QLOCAL('{name}') IMGRCOVQ"))?;
    let queues = shown.iter().map(|queue| Queue {
        name: queue["queue"].as_str().unwrap_or_default().to_owned(),
        is_recoverable: match queue["imgrcovq"].as_str() {
            Some("QMGR") => defaults.queues,
            word => word == Some("YES"),
        },
    });
    Ok(queues.collect())
}

/// Counts the objects that a DISPLAY shows.
pub(crate) fn count(session: &mut Session, display: &str) -> Result<usize> {
    Ok(shown(session, display)?.len())
}
