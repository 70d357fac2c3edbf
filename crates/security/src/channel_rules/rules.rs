//! All channel rules, and the commands that change them.

use super::record::{LIST_MAX, RECORDS_MAX, Record, Rule, RuleError};

/// ACTION of SET CHLAUTH, for a record that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Adds a record, or entries to a list.
    Add,
    /// Adds a record, or puts it in the place of one for the same partner.
    Replace,
    /// Removes a record, or entries from a list.
    Remove,
}

/// All records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    records: Vec<Record>,
}

impl Rules {
    /// Every record, in the order in which they were set.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The records, for tests that need many.
    #[cfg(test)]
    pub(super) const fn records_mut(&mut self) -> &mut Vec<Record> {
        &mut self.records
    }

    /// Adds, replaces or removes a record.
    ///
    /// # Errors
    /// When the record cannot be, or is there already, or is not there.
    pub fn set(&mut self, record: Record, action: Action) -> Result<(), RuleError> {
        record.check()?;
        let at = self.records.iter().position(|own| own.is_for_same(&record));
        match (at, action) {
            (None, Action::Remove) => Err(RuleError::Absent),
            (Some(at), Action::Remove) => self.remove(at, record),
            (None, Action::Add | Action::Replace) => {
                if self.records.len() >= RECORDS_MAX {
                    return Err(RuleError::TooMany);
                }
                self.check_ranges(&record)?;
                self.records.push(record);
                Ok(())
            }
            // The same partner has the same addresses, so that no new range can cross.
            (Some(at), Action::Replace) => {
                self.records[at] = record;
                Ok(())
            }
            // A script that runs again finds what it made.
            (Some(at), Action::Add) if self.records[at] == record => Ok(()),
            (Some(at), Action::Add) => self.records[at].add(record),
        }
    }

    /// Removes every record that is chosen, as ACTION(REMOVEALL) does; returns their number.
    pub fn remove_all(&mut self, is_chosen: impl Fn(&Record) -> bool) -> usize {
        let before = self.records.len();
        self.records.retain(|record| !is_chosen(record));
        before - self.records.len()
    }

    fn remove(&mut self, at: usize, record: Record) -> Result<(), RuleError> {
        let is_empty = match (&mut self.records[at].rule, record.rule) {
            (Rule::BlockAddresses(own), Rule::BlockAddresses(gone)) => remove_entries(own, &gone)?,
            (Rule::BlockUsers(own), Rule::BlockUsers(gone)) => remove_entries(own, &gone)?,
            _ => true,
        };
        if is_empty {
            self.records.remove(at);
        }
        Ok(())
    }

    /// Refuses a range that crosses one of the same channel profile: no order would say which decides.
    fn check_ranges(&self, record: &Record) -> Result<(), RuleError> {
        let Some(address) = record.mapped_address() else { return Ok(()) };
        let others = self.records.iter().filter(|own| own.channel == record.channel);
        let crossed = others.filter_map(Record::mapped_address).find(|other| other.crosses(address));
        match crossed {
            Some(other) => {
                Err(RuleError::Crossing { address: address.to_string(), other: other.to_string() })
            }
            None => Ok(()),
        }
    }
}

impl Record {
    /// Adds the entries of another list, and takes over what else the other says.
    fn add(&mut self, other: Self) -> Result<(), RuleError> {
        match (&mut self.rule, other.rule) {
            (Rule::BlockAddresses(own), Rule::BlockAddresses(new)) => add_entries(own, new)?,
            (Rule::BlockUsers(own), Rule::BlockUsers(new)) => add_entries(own, new)?,
            _ => return Err(RuleError::Exists),
        }
        self.warns = other.warns;
        Ok(())
    }
}

fn add_entries<E: PartialEq>(own: &mut Vec<E>, new: Vec<E>) -> Result<(), RuleError> {
    let mut added: Vec<E> = Vec::new();
    for entry in new {
        if !own.contains(&entry) && !added.contains(&entry) {
            added.push(entry);
        }
    }
    if own.len() + added.len() > LIST_MAX {
        return Err(RuleError::List);
    }
    own.append(&mut added);
    Ok(())
}

/// Removes entries that are all there; tells if none are left.
fn remove_entries<E: PartialEq>(own: &mut Vec<E>, gone: &[E]) -> Result<bool, RuleError> {
    if !gone.iter().all(|entry| own.contains(entry)) {
        return Err(RuleError::Absent);
    }
    own.retain(|entry| !gone.contains(entry));
    Ok(own.is_empty())
}
