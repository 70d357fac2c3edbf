//! The security of the shipped program, attacked from outside: sessions that are changed ([`rude`]), programs
//! that do not log in ([`strangers`]), bodies that are too long ([`sizes`]), guesses ([`logins`]), handshakes
//! that must fail ([`covers`]), secrets that are looked for ([`secrets`]), words in logs ([`lines`]), work
//! that grows ([`complexity`]), limits ([`bounds`]), rights and keys that change under load ([`changes`]),
//! users who return at once ([`returns`]), all floods at once ([`floods`]).
//!
//! Lives here: the attacks, and what each must leave as it was. A queue manager with users, rights and keys
//! is in `secured`, a client of bare frames in `raw`, the comparison of times in `timing`.
//!
//! Lives elsewhere: every verb and command against every right (`queue-manager/tests/it/rights_cells.rs`);
//! the decoders against hostile bytes (`fuzz`).
//!
//! Always: keys, users and rights are made by the commands of the program, and judged by the program as it is
//! shipped; each figure has a control, a case that it must find.

pub mod bounds;
pub mod changes;
pub mod complexity;
pub mod covers;
pub mod floods;
pub mod lines;
pub mod logins;
mod raw;
pub mod returns;
pub mod rude;
pub mod secrets;
mod secured;
pub mod sizes;
pub mod strangers;
mod timing;

use std::path::Path;

use super::installation::Broken;
use super::{Outcome, Size};

/// Runs each case in a folder of its own. One that ends before its verdict is a failure of this name.
fn of_cases(
    name: &str,
    folder: &Path,
    size: Size,
    mut run: impl FnMut(&Path, &mut Outcome) -> Result<(), Broken>,
) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        if let Err(problem) = run(&folder.join(format!("case-{case}")), &mut outcome) {
            outcome.case(name, Err(problem));
        }
    }
    outcome
}
