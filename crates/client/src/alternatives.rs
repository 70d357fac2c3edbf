//! Entries of a client channel table that lead to one queue manager or group, and the order to try them in.
//!
//! Lives here: weight and affinity. Lives elsewhere: the table and what is read from it (`capi`).
//!
//! Always: entries without a weight come first, by name. Each of the others comes first as often as its
//! weight says.

use crate::random::random;
use crate::{Address, Tls};
use ::channel::Limits;
use ::channel::compression::Offer;
use std::sync::LazyLock;

/// An entry to try when the connection breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// Its share of the load; none with 0.
    pub weight: u32,
    /// One process keeps one order of the weighted entries.
    pub is_preferred: bool,
    /// Where it leads, in the order tried.
    pub addresses: Vec<Address>,
    /// The limits of this side over it.
    pub limits: Limits,
    /// The compressions that this side offers over it.
    pub compression: Offer,
    /// TLS of connections through it; none for connections in the clear.
    pub tls: Option<Tls>,
}

/// The part of an entry that decides its place.
#[derive(Clone, Copy, Debug)]
pub struct Share<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its share of the load; none with 0.
    pub weight: u32,
    /// One process keeps one order of the weighted entries.
    pub is_preferred: bool,
}

/// Orders the entries. `draw` returns a random number below its argument. So does `draw_once`, the same for
/// all connections of a process.
pub fn in_order<'a, T>(
    mut entries: Vec<&'a T>,
    share: impl Fn(&'a T) -> Share<'a>,
    mut draw: impl FnMut(u64) -> u64,
    mut draw_once: impl FnMut(u64) -> u64,
) -> Vec<&'a T> {
    entries.sort_by_key(|entry| {
        let Share { name, weight, .. } = share(entry);
        (weight > 0, name)
    });
    let first_weighted = entries.partition_point(|entry| share(entry).weight == 0);
    for place in first_weighted..entries.len() {
        let total: u64 = entries[place..].iter().map(|entry| u64::from(share(entry).weight)).sum();
        let is_preferred = entries[place..].iter().all(|entry| share(entry).is_preferred);
        let mut drawn = if is_preferred { draw_once(total) } else { draw(total) };
        let chosen = entries[place..].iter().position(|entry| {
            let weight = u64::from(share(entry).weight);
            let is_it = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_it
        });
        let chosen = place + chosen.unwrap_or_default();
        entries[place..=chosen].rotate_right(1);
    }
    entries
}

/// A random number below `below`, another with each call.
#[must_use]
pub fn draw(below: u64) -> u64 {
    number() % below.max(1)
}

/// A number below `below` from the one that this process drew.
#[must_use]
pub fn draw_once(below: u64) -> u64 {
    static OF_PROCESS: LazyLock<u64> = LazyLock::new(number);
    *OF_PROCESS % below.max(1)
}

fn number() -> u64 {
    random().into_iter().take(8).fold(0, |number, byte| number << 8 | u64::from(byte))
}

impl Alternative {
    pub(crate) fn share(&self) -> Share<'_> {
        Share { name: &self.name, weight: self.weight, is_preferred: self.is_preferred }
    }
}
