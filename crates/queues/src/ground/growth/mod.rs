//! Things that users make and that outlive their programs, and the bounds for them.
//!
//! Lives here: the kinds of such things with their bounds (`kinds`), and the counts (`ledger`). Lives
//! elsewhere: the definitions that count (`catalogue::counted`), the page for administrators
//! (`docs/reference/growth.md`), which lists what is bounded in other ways, too.
//!
//! Always: a kind has a bound for all users together. Where the maker is known, each user has one of its own,
//! so that one user cannot take the room of all; administrators meet only the bound for all, and so does
//! everybody until requests are judged.

mod kinds;
pub(crate) mod ledger;

pub use kinds::{Growth, GrowthBound, GrowthBounds, GrowthNear, GrowthRefusal, Owner};
pub use ledger::Ledger;
