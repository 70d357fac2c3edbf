//! Channel rules: the partners that may use a channel, and the user that each acts as.
//!
//! Lives here: records as SET CHLAUTH writes them (`record`), the set of all with its commands (`rules`), and
//! the verdict on a login (`login`). Lives elsewhere: proofs of passwords and certificates, looking host
//! names up, the wait at the door.
//!
//! Always: of the mapping records that match a login the most specific decides alone; a blocked user stays
//! blocked under any rule that chose it; a check before a login and the login itself are one function.

mod login;
mod record;
mod rules;
#[cfg(test)]
mod tests;

pub use login::{Certificate, Check, CheckError, CredentialCheck, Judgement, Login, Partner, Refusal};
pub use record::{
    Address, ClientCheck, LIST_MAX, MQADMIN, Map, Mapped, RECORDS_MAX, Record, Rule, RuleError, UserSource,
};
pub use rules::{Action, Rules};
