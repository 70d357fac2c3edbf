//! Logins as the host and the agents have them judged, recorded and told.
//!
//! Lives here: the subject that a queue manager hands out, and the records of refusals. Lives elsewhere: the
//! facts beside the user (`calls`), the terms of channels (`client`).

use std::sync::Arc;

use mqi::Reason;
use queues::gate::Outcome;
use queues::ground::login::LoginReport;
use storage::Lsn;

use crate::channel_rules::RulesInForce;
use crate::engine::Engine;
use crate::manager::QueueManager;

/// The logins of a queue manager: the terms of their channels, the facts beside their users, refusals.
#[derive(Clone, Copy, Debug)]
pub struct Logins<'manager>(&'manager QueueManager);

impl QueueManager {
    /// The logins of programs, clients and partners.
    #[must_use]
    pub const fn logins(&self) -> Logins<'_> {
        Logins(self)
    }
}

impl<'manager> Logins<'manager> {
    pub(crate) const fn queue_manager(&self) -> &'manager QueueManager {
        self.0
    }

    pub(crate) const fn engine(&self) -> &Arc<Engine> {
        self.0.engine()
    }

    /// Records a login that was refused with this reason, and tells of it. Returns the number of the record.
    pub fn refuse(&self, report: &LoginReport, reason: Reason) -> u64 {
        self.engine().directory.refuse_login(report, reason)
    }

    /// Tells of a login that a record of channel rules would have refused, and only warns of.
    pub fn warn(&self, report: &LoginReport) {
        self.engine().directory.tell_login(report, true);
    }

    /// The rules that the logins of programs and partners are judged by; none while CHLAUTH is DISABLED.
    #[must_use]
    pub fn channel_rules(&self) -> Option<Arc<RulesInForce>> {
        let engine = self.engine();
        engine.judges_channels().then(|| engine.channel_rules.current())
    }

    /// Judges logins over loopback and requests from now on, for good: there is a user or a key. Does nothing
    /// when they are judged already.
    pub fn begin_judging(&self) -> Outcome<()> {
        self.engine().begin_judging()
    }

    /// Tells if logins over loopback and requests are judged: there was a user, a key or an authority record.
    #[must_use]
    pub fn is_judging(&self) -> bool {
        self.engine().directory.door.is_judging()
    }

    /// Follows a change of the groups of users, also one since the last run.
    pub fn groups_changed(&self) {
        self.engine().groups_changed();
    }

    /// The position of the last change of the rules that judge requests.
    #[must_use]
    pub fn rights_need(&self) -> Lsn {
        self.engine().directory.door.book.rules().need()
    }
}
