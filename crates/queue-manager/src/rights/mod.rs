//! Authority records at work: requests judged by them, records changed by command, rights taken away.
//!
//! Lives here: the judgement (`judging`, of definitions `lending`), changes (`records`) and the commands that
//! ask for them (`commands`), the end of what is under way (`revocation`). Lives elsewhere: the door that
//! asks, and the records themselves (`authority`).

mod commands;
mod judging;
mod lending;
mod lent;
mod records;
mod revocation;

use queues::ground::explanation::Explanation;
use security::{Asked, Principal};
use storage::Lsn;

use crate::authority::{Judge, Rules};
use crate::engine::Engine;

impl Judge for Engine {
    fn judge(
        &self,
        rules: &Rules,
        principal: &Principal,
        asked: &Asked<'_>,
    ) -> (Lsn, Result<(), Box<Explanation>>) {
        judging::judge(&self.directory, rules, principal, asked)
    }

    fn tell_refused(&self, principal: &Principal, asked: &Asked<'_>, need: Lsn) {
        self.directory.tell_not_authorized(principal, asked, need);
    }
}
