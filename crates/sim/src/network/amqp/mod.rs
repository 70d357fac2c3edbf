//! Clients of AMQP: a session each, with links to and from every queue and a coordinator.
//!
//! A client of JMS has no word for a put or an acceptance whose answer was lost with its link: its outcome
//! stays unknown. An acceptance that was confirmed is for good, and one that was sent settled is not
//! confirmed; messages of a link that settles as it sends may be lost on their way, each in the place of a
//! credit.
//!
//! Lives here: the session with its windows (`line`), and a program with its deliveries and its transaction
//! (`program`).
//!
//! Always: what a program holds when its link breaks goes back; a transaction without a discharge is backed
//! out.

mod line;
pub(super) mod program;
