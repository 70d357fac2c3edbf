//! Lists of revoked certificates that were there and are not.

use super::finding::Finding;
use super::rules::Asked;
use crate::commands::lists;
use terminal::failure::Result;

/// Precedes the command in the warning of the queue manager.
const COMMAND: &str = "give it up by ";

impl Asked<'_> {
    pub(super) fn lost_lists(&mut self) -> Result<Vec<Finding>> {
        let answer = self.answer("DISPLAY QMGR QMNAME")?;
        let finding = |warning: String| {
            let command =
                warning.rsplit_once(COMMAND).map_or("", |(_, command)| command.trim_end_matches('.'));
            Finding {
                name: "crl.missing",
                mend: command.to_owned(),
                value: warning,
                wanted: "the file with the list, or a list that was given up".to_owned(),
                why: "without it the queue manager keeps the last list while it runs, and lets in no certificate of \
                      that authority after a restart",
            }
        };
        Ok(lists::missing(&answer).into_iter().map(finding).collect())
    }
}
