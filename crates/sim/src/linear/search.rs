//! The search for an order.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use hashbrown::HashSet;

use super::model::Model;
use super::{History, Operation};

/// Result of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order.
    Linearizable,
    /// There is none.
    Impossible {
        /// The longest beginning that has one, as the number of calls of each client.
        reached: Vec<usize>,
        /// Next answer of each client.
        then: Vec<Option<Operation>>,
        /// The queue after one such beginning.
        queue: String,
    },
    /// The search was given up: nothing is known.
    TooLong,
}

/// States tried in one way before another way is tried. Most histories need some thousands.
const TRIED_MAX: usize = 60_000;
/// Ways tried before the search is given up. An early choice that only a late call shows to be wrong takes
/// too long to be taken back; another way seldom makes the same.
const WAYS: u64 = 8;

struct Node {
    done: Vec<u8>,
    state: Model,
}

/// Looks for an order of all calls, in which each takes effect between its beginning and its end, that a
/// queue of a few lines would give.
#[must_use]
pub fn linearize(history: &History) -> Verdict {
    let mut verdicts = (0..WAYS).map(|way| search(history, way));
    verdicts.find(|verdict| *verdict != Verdict::TooLong).unwrap_or(Verdict::TooLong)
}

/// In what order calls that are possible are tried: as they were answered, as they began, or as chance has
/// it.
fn preference(way: u64, client: usize, operation: &Operation) -> u64 {
    match way {
        0 => operation.ended,
        1 => operation.began,
        _ => {
            let chance = FixedState::with_seed(way).hash_one((client, operation.began));
            operation.ended + chance % (8 << way)
        }
    }
}

fn search(history: &History, way: u64) -> Verdict {
    let mut tried = HashSet::with_hasher(FixedState::default());
    let mut stack = vec![Node { done: vec![0; history.len()], state: Model::new(history.len()) }];
    let mut reached: Vec<u8> = vec![0; history.len()];
    let mut furthest = Model::new(history.len());
    while let Some(Node { done, state }) = stack.pop() {
        let next = |client: usize| history[client].get(usize::from(done[client]));
        let Some(first_end) = (0..history.len()).filter_map(next).map(|operation| operation.ended).min()
        else {
            return Verdict::Linearizable;
        };
        let sum = |done: &[u8]| done.iter().map(|count| usize::from(*count)).sum::<usize>();
        if sum(&done) > sum(&reached) {
            reached.clone_from(&done);
            furthest.clone_from(&state);
        }
        if tried.len() > TRIED_MAX {
            return Verdict::TooLong;
        }
        let mut possible: Vec<(u64, Node)> = Vec::new();
        for client in 0..history.len() {
            // What began after another ended comes after it.
            let Some(operation) = next(client).filter(|operation| operation.began < first_end) else {
                continue;
            };
            let mut done = done.clone();
            done[client] += 1;
            let following =
                (0..history.len()).filter_map(|client| history[client].get(usize::from(done[client])));
            let clock = following.map(|operation| operation.clock).min().unwrap_or(0);
            for mut after in state.after(client, operation) {
                after.forget_expired(clock);
                if tried.insert(key(&done, &after)) {
                    let node = Node { done: done.clone(), state: after };
                    possible.push((preference(way, client, operation), node));
                }
            }
        }
        // What is put on the stack last is taken first.
        possible.sort_by_key(|(preference, _)| std::cmp::Reverse(*preference));
        stack.extend(possible.into_iter().map(|(_, node)| node));
    }
    let then = history.iter().zip(&reached).map(|(calls, done)| calls.get(usize::from(*done)).copied());
    Verdict::Impossible {
        queue: furthest.to_string(),
        then: then.collect(),
        reached: reached.iter().map(|done| usize::from(*done)).collect(),
    }
}

/// Two states are taken for the same by 128 bits.
fn key(done: &[u8], state: &Model) -> (u64, u64) {
    let half = |seed| FixedState::with_seed(seed).hash_one((done, state));
    (half(1), half(2))
}
