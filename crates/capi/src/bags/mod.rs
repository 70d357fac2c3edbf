//! Bags, which hold the parameters of commands.
//!
//! Lives here: the bags of a program by their handles (MQHBAG, 32 bits). `bag` has one of them, `item` what
//! it holds, `message` what it is as a message of commands, `inquiry` which parameter lists the attributes
//! that a command asks for. Lives elsewhere: what calls take and leave (`calls::bags`), commands by queues
//! (`calls::administration`), the binary form itself (`objects::pcf`).
//!
//! Always: a bag that was made for a message is the program's to read and not to alter, and goes with the bag
//! it is in; the program's own are never in themselves; no lock is held while a queue manager is called.

mod bag;
mod inquiry;
mod item;
mod message;
#[cfg(test)]
mod tests;

pub(crate) use bag::{Bag, Kind};
pub(crate) use item::{Characters, Item, Operator, Value};
pub(crate) use message::decode;

use crate::layout::MQHBAG;
use crate::process::OfGeneration;
use mqi::{Reason, constants};
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};

/// Most bags of a program. Each is small when it is empty; a program that never deletes any is told before
/// its memory is gone.
const BAGS_MAX: usize = 1_000_000;

/// The bags of a program.
#[derive(Debug, Default)]
pub(crate) struct Bags {
    by_handle: BTreeMap<MQHBAG, Bag>,
    last: MQHBAG,
}

static BAGS: OfGeneration<Mutex<Bags>> = OfGeneration::new();

/// Does something with the bags of this process; a child of a fork has none of its parent's.
pub(crate) fn with<T>(act: impl FnOnce(&mut Bags) -> T) -> T {
    act(&mut BAGS.get().lock())
}

impl Bags {
    /// Gives a bag a handle.
    ///
    /// # Errors
    /// `MQRC_STORAGE_NOT_AVAILABLE`.
    pub(crate) fn add(&mut self, mut bag: Bag) -> Result<MQHBAG, Reason> {
        if self.by_handle.len() >= BAGS_MAX {
            self.forget(&bag.clear());
            return Err(Reason::STORAGE_NOT_AVAILABLE);
        }
        let mut handle = self.last;
        loop {
            handle = handle.checked_add(1).unwrap_or(1);
            if !self.by_handle.contains_key(&handle) {
                break;
            }
        }
        self.last = handle;
        self.by_handle.insert(handle, bag);
        Ok(handle)
    }

    /// A bag by its handle.
    ///
    /// # Errors
    /// `MQRC_HBAG_ERROR`.
    pub(crate) fn get(&self, handle: MQHBAG) -> Result<&Bag, Reason> {
        self.by_handle.get(&handle).ok_or(Reason::HBAG_ERROR)
    }

    /// A bag that the program may alter.
    ///
    /// # Errors
    /// `MQRC_HBAG_ERROR`, `MQRC_SYSTEM_BAG_NOT_ALTERABLE`.
    pub(crate) fn alter(&mut self, handle: MQHBAG) -> Result<&mut Bag, Reason> {
        let bag = self.by_handle.get_mut(&handle).ok_or(Reason::HBAG_ERROR)?;
        if bag.is_of_system { Err(Reason::SYSTEM_BAG_NOT_ALTERABLE) } else { Ok(bag) }
    }

    /// Takes items out of a bag, and the bags with them that were made for messages.
    ///
    /// # Errors
    /// As of [`alter`](Self::alter), and what `take` says.
    pub(crate) fn take_out(
        &mut self,
        handle: MQHBAG,
        take: impl FnOnce(&mut Bag) -> Result<Vec<Item>, Reason>,
    ) -> Result<(), Reason> {
        let taken = take(self.alter(handle)?)?;
        self.forget(&taken);
        Ok(())
    }

    /// Puts a group of the program into another of its bags.
    ///
    /// # Errors
    /// The reason it cannot be.
    pub(crate) fn nest(&mut self, handle: MQHBAG, selector: i32, inner: MQHBAG) -> Result<(), Reason> {
        let group = self.get(inner)?;
        let outer = self.get(handle)?;
        if inner == handle {
            return Err(Reason::HBAG_ERROR);
        }
        if !matches!(outer.kind, Kind::User | Kind::Group) || group.kind != Kind::Group {
            return Err(Reason::BAG_WRONG_TYPE);
        }
        if self.holds(inner, handle) {
            return Err(Reason::HBAG_ERROR);
        }
        outer.check_selectors_of(group)?;
        self.alter(handle)?.add(selector, Value::Bag(inner))
    }

    /// Returns true if a bag contains another, at any depth.
    fn holds(&self, outer: MQHBAG, wanted: MQHBAG) -> bool {
        let mut seen = BTreeSet::from([outer]);
        let mut handles = vec![outer];
        while let Some(handle) = handles.pop() {
            let Some(bag) = self.by_handle.get(&handle) else { continue };
            let inner: Vec<MQHBAG> = bags_in(bag.items()).filter(|inner| seen.insert(*inner)).collect();
            handles.extend(inner);
        }
        seen.contains(&wanted)
    }

    /// Deletes a bag of the program.
    ///
    /// # Errors
    /// `MQRC_HBAG_ERROR`, `MQRC_SYSTEM_BAG_NOT_DELETABLE`.
    pub(crate) fn delete(&mut self, handle: MQHBAG) -> Result<(), Reason> {
        if self.get(handle)?.is_of_system {
            return Err(Reason::SYSTEM_BAG_NOT_DELETABLE);
        }
        if let Some(mut bag) = self.by_handle.remove(&handle) {
            self.forget(&bag.clear());
        }
        Ok(())
    }

    /// Deletes the bags among items that were made for messages; those of the program are its own to delete.
    fn forget(&mut self, items: &[Item]) {
        let mut handles: Vec<MQHBAG> = bags_in(items).collect();
        while let Some(handle) = handles.pop() {
            if self.by_handle.get(&handle).is_some_and(|bag| bag.is_of_system)
                && let Some(bag) = self.by_handle.remove(&handle)
            {
                handles.extend(bags_in(bag.items()));
            }
        }
    }

    /// Checks that a call is given no options in a bag, since it knows none.
    ///
    /// # Errors
    /// `MQRC_HBAG_ERROR`, `MQRC_OPTIONS_ERROR`.
    pub(crate) fn check_no_options(&self, handle: MQHBAG) -> Result<(), Reason> {
        if handle == constants::MQHB_NONE || self.get(handle)?.items().is_empty() {
            Ok(())
        } else {
            Err(Reason::OPTIONS_ERROR)
        }
    }
}

fn bags_in(items: &[Item]) -> impl Iterator<Item = MQHBAG> {
    items.iter().filter_map(|item| match item.value {
        Value::Bag(handle) => Some(handle),
        _ => None,
    })
}
