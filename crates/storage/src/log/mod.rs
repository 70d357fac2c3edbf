//! The recovery log: an append-only sequence of blocks of records in pre-written files.
//!
//! Lives here: the formats ([`record`], [`block`], [`extent`]), the append side ([`buffer`]), the forcing side
//! ([`writer`]) and reading back ([`reader`]).
//!
//! Lives elsewhere: what is kept beyond the log (`store`), which records replay starts from (`manifest`,
//! `recovery`), when extents are used again (`checkpoint`).

pub(crate) mod block;
pub(crate) mod record;
