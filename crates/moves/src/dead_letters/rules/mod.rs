//! The table of rules: which dead letters, and what is done with them.
//!
//! ```text
//! * comments begin with an asterisk
//! inputqm(' ') inputq(' ') retryint(30) wait(NO)
//! reason(MQRC_Q_FULL) action(RETRY) retry(5)
//! destq(AA.*) action(FWD) fwdq(AB.QUEUE) header(NO)
//! action(IGNORE)
//! ```
//!
//! | in the first entry, if it is no rule | value | left out |
//! |---|---|---|
//! | `INPUTQ` | the dead-letter queue | the queue manager's own |
//! | `INPUTQM` | the queue manager | the one connected to |
//! | `RETRYINT` | seconds between attempts | 60 |
//! | `WAIT` | `YES`, `NO`, or for how many seconds to wait for more | `YES` |
//!
//! | pattern | looks at |
//! |---|---|
//! | `REASON` `DESTQ` `DESTQM` `FORMAT` | the dead-letter header |
//! | `APPLNAME` `APPLTYPE` `MSGTYPE` `FEEDBACK` `PERSIST` `REPLYQ` `REPLYQM` `USERID` `APPLIDAT` | the descriptor |
//!
//! | action | value | left out |
//! |---|---|---|
//! | `ACTION` | `DISCARD`, `IGNORE`, `RETRY` (put on its destination), `FWD` | must be there |
//! | `FWDQ` | a queue, `&DESTQ`, `&REPLYQ` | must be there with FWD |
//! | `FWDQM` | a queue manager, `&DESTQM`, `&REPLYQM` | this queue manager |
//! | `HEADER` | `YES` or `NO`: whether the dead-letter header goes with it | `YES` |
//! | `PUTAUT` | `DEF`, or `CTX` for the authority of the message's user | `DEF` |
//! | `RETRY` | how often to try | 1 |
//!
//! Texts match by `*` for any characters and `?` for one; a number is given as such, by its name, or as `*`.
//! Words are read in capitals unless they are in quotes. A line that ends with `+` goes on with the first
//! character of the next that is not blank, one that ends with `-` with its first.

mod parser;
mod table;
#[cfg(test)]
mod tests;
mod values;

pub use parser::{Error, Problem};
pub use table::{
    Action, Authority, Control, ForwardManager, ForwardQueue, Pattern, Rule, RulesTable, Waiting,
};
pub use values::{Number, Words};
