//! One bag: its items in the order they came, and the numbers that describe the message it stands for.
//!
//! Always: items of one selector are of one kind; a call that is refused changes nothing.

use super::item::{Item, Value};
use mqi::Reason;
use mqi::constants::*;
use std::collections::BTreeMap;

/// Most items of a bag; what a message of the greatest length could hold is not more.
const ITEMS_MAX: usize = 1_000_000;

/// Purpose of a bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    User,
    Administration,
    Command,
    Group,
}

/// A bag.
#[derive(Debug)]
pub(crate) struct Bag {
    pub(crate) kind: Kind,
    /// `MQCBO_` values, those included that its kind implies.
    options: i32,
    /// True if it was made for a message, and not by the program.
    pub(crate) is_of_system: bool,
    /// By their selectors, from -1 downwards.
    system_items: [i32; SYSTEM_SELECTORS],
    items: Vec<Item>,
    /// Of each selector the kind of its items, and how many there are.
    kinds: BTreeMap<i32, (i32, usize)>,
}

/// Number of system selectors.
const SYSTEM_SELECTORS: usize = -MQIASY_LAST_USED as usize;

/// The system items that a bag of a group has.
const OF_GROUPS: [i32; 2] = [MQIASY_CODED_CHAR_SET_ID, MQIASY_BAG_OPTIONS];

/// Options of a bag besides its kind.
const FORMS: i32 = MQCBO_LIST_FORM_ALLOWED | MQCBO_REORDER_AS_REQUIRED | MQCBO_CHECK_SELECTORS;

impl Bag {
    /// A bag as a program asks for it.
    ///
    /// # Errors
    /// `MQRC_OPTIONS_ERROR`.
    pub(crate) fn new(options: i32) -> Result<Self, Reason> {
        let kind = match options & !FORMS {
            MQCBO_USER_BAG => Kind::User,
            MQCBO_ADMIN_BAG => Kind::Administration,
            MQCBO_COMMAND_BAG => Kind::Command,
            MQCBO_GROUP_BAG => Kind::Group,
            _ => return Err(Reason::OPTIONS_ERROR),
        };
        let implied = match kind {
            Kind::Administration => FORMS,
            Kind::Group => MQCBO_LIST_FORM_ALLOWED | MQCBO_REORDER_AS_REQUIRED,
            Kind::User | Kind::Command => MQCBO_NONE,
        };
        Ok(Self::empty(kind, options | implied, false))
    }

    /// A bag that is made for a message, or for a group of parameters in one.
    pub(super) fn of_system(kind: Kind) -> Self {
        let group = if kind == Kind::Group { MQCBO_GROUP_BAG } else { MQCBO_NONE };
        Self::empty(kind, MQCBO_SYSTEM_BAG | group, true)
    }

    fn empty(kind: Kind, options: i32, is_of_system: bool) -> Self {
        let system_items = [0; SYSTEM_SELECTORS];
        let (items, kinds) = (Vec::new(), BTreeMap::new());
        let mut bag = Self { kind, options, is_of_system, system_items, items, kinds };
        bag.reset();
        bag
    }

    /// Gives the system items their initial values.
    fn reset(&mut self) {
        let message_type = match self.kind {
            Kind::Administration | Kind::Command => MQCFT_COMMAND,
            Kind::User | Kind::Group => MQCFT_USER,
        };
        for (selector, value) in [
            (MQIASY_CODED_CHAR_SET_ID, MQCCSI_APPL),
            (MQIASY_TYPE, message_type),
            (MQIASY_COMMAND, MQCMD_NONE),
            (MQIASY_MSG_SEQ_NUMBER, 1),
            (MQIASY_CONTROL, MQCFC_LAST),
            (MQIASY_COMP_CODE, MQCC_OK),
            (MQIASY_REASON, MQRC_NONE),
            (MQIASY_BAG_OPTIONS, self.options),
            (MQIASY_VERSION, MQCFH_VERSION_1),
        ] {
            self.set_system_item(selector, value);
        }
    }

    pub(super) fn set_system_item(&mut self, selector: i32, value: i32) {
        self.system_items[slot(selector)] = value;
    }

    pub(super) fn system_item(&self, selector: i32) -> i32 {
        self.system_items[slot(selector)]
    }

    /// The system selectors of this bag.
    fn system_selectors(&self) -> impl Iterator<Item = i32> + use<> {
        let is_group = self.kind == Kind::Group;
        (MQIASY_LAST_USED..=MQIASY_FIRST)
            .rev()
            .filter(move |selector| !is_group || OF_GROUPS.contains(selector))
    }

    fn has_system_item(&self, selector: i32) -> Result<(), Reason> {
        if !(MQIASY_LAST_USED..=MQIASY_FIRST).contains(&selector) {
            return Err(Reason::SELECTOR_NOT_SUPPORTED);
        }
        let has = self.system_selectors().any(|known| known == selector);
        if has { Ok(()) } else { Err(Reason::SELECTOR_NOT_PRESENT) }
    }

    pub(super) fn allows_lists(&self) -> bool {
        self.options & MQCBO_LIST_FORM_ALLOWED != 0
    }

    pub(super) fn may_be_reordered(&self) -> bool {
        self.options & MQCBO_REORDER_AS_REQUIRED != 0
    }

    /// The items of the program.
    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// The character set that texts are added in.
    ///
    /// # Errors
    /// `MQRC_CODED_CHAR_SET_ID_ERROR` when the bag says that it stands elsewhere.
    pub(crate) fn ccsid(&self) -> Result<i32, Reason> {
        match self.system_item(MQIASY_CODED_CHAR_SET_ID) {
            MQCCSI_EMBEDDED => Err(Reason::CODED_CHAR_SET_ID_ERROR),
            ccsid => Ok(ccsid),
        }
    }

    /// Checks that a value may have this selector here.
    fn check_selector(&self, selector: i32, value: &Value) -> Result<(), Reason> {
        let is_right = selector >= 0
            && (self.options & MQCBO_CHECK_SELECTORS == 0 || value.selectors().contains(&selector));
        if is_right { Ok(()) } else { Err(Reason::SELECTOR_OUT_OF_RANGE) }
    }

    /// Checks that the items of another bag may be nested in this one.
    ///
    /// # Errors
    /// `MQRC_NESTED_SELECTOR_ERROR`.
    pub(super) fn check_selectors_of(&self, other: &Self) -> Result<(), Reason> {
        let fits = |item: &Item| self.check_selector(item.selector, &item.value).is_ok();
        if other.items.iter().all(fits) { Ok(()) } else { Err(Reason::NESTED_SELECTOR_ERROR) }
    }

    /// Adds an item behind the others.
    ///
    /// # Errors
    /// The reason it cannot be.
    pub(crate) fn add(&mut self, selector: i32, value: Value) -> Result<(), Reason> {
        self.check_selector(selector, &value)?;
        self.push(selector, value)
    }

    /// Adds an item with a selector that is right under any check.
    pub(super) fn push(&mut self, selector: i32, value: Value) -> Result<(), Reason> {
        if self.kinds.get(&selector).is_some_and(|(kind, _)| *kind != value.kind()) {
            return Err(Reason::INCONSISTENT_ITEM_TYPE);
        }
        if self.items.len() == ITEMS_MAX {
            return Err(Reason::STORAGE_NOT_AVAILABLE);
        }
        self.kinds.entry(selector).or_insert_with(|| (value.kind(), 0)).1 += 1;
        self.items.push(Item { selector, value });
        Ok(())
    }

    /// Notes that items were taken out.
    fn without(&mut self, taken: Vec<Item>) -> Vec<Item> {
        for item in &taken {
            if let Some((_, count)) = self.kinds.get_mut(&item.selector) {
                *count -= 1;
                if *count == 0 {
                    self.kinds.remove(&item.selector);
                }
            }
        }
        taken
    }

    /// Adds an attribute to ask for, where selectors are those of any attribute.
    ///
    /// # Errors
    /// The reason it cannot be.
    pub(crate) fn add_inquiry(&mut self, selector: i32) -> Result<(), Reason> {
        if self.kind != Kind::Administration {
            return Err(Reason::BAG_WRONG_TYPE);
        }
        if !(MQOA_FIRST..=MQOA_LAST).contains(&selector) {
            return Err(Reason::SELECTOR_OUT_OF_RANGE);
        }
        self.add(MQIACF_INQUIRY, Value::Integer(selector))
    }

    /// Changes an item, or has one take the place of all of its selector; what no longer stands in the bag.
    ///
    /// # Errors
    /// The reason it cannot be.
    pub(crate) fn set(&mut self, selector: i32, index: i32, value: Value) -> Result<Vec<Item>, Reason> {
        if selector < 0 {
            return self.set_system(selector, index, &value).map(|()| Vec::new());
        }
        self.check_selector(selector, &value)?;
        if index == MQIND_ALL {
            let replaced = self.take(|item| item.selector == selector);
            self.push(selector, value)?;
            return Ok(replaced);
        }
        let place = self.place(selector, index)?;
        if self.items[place].value.kind() != value.kind() {
            return Err(Reason::SELECTOR_WRONG_TYPE);
        }
        let replaced = std::mem::replace(&mut self.items[place].value, value);
        Ok(vec![Item { selector, value: replaced }])
    }

    fn set_system(&mut self, selector: i32, index: i32, value: &Value) -> Result<(), Reason> {
        self.has_system_item(selector)?;
        let Value::Integer(value) = value else { return Err(Reason::SELECTOR_WRONG_TYPE) };
        if selector == MQIASY_BAG_OPTIONS {
            return Err(Reason::SYSTEM_ITEM_NOT_ALTERABLE);
        }
        match index {
            0 | MQIND_NONE | MQIND_ALL => self.set_system_item(selector, *value),
            index if index > 0 => return Err(Reason::MULTIPLE_INSTANCE_ERROR),
            _ => return Err(Reason::INDEX_ERROR),
        }
        Ok(())
    }

    /// Where an item of a selector stands; the only one, or that with an index among them.
    fn place(&self, selector: i32, index: i32) -> Result<usize, Reason> {
        let chosen = match index {
            MQIND_NONE => 0,
            index => usize::try_from(index).map_err(|_| Reason::INDEX_ERROR)?,
        };
        let (_, count) = self.kinds.get(&selector).ok_or(Reason::SELECTOR_NOT_PRESENT)?;
        if index == MQIND_NONE && *count > 1 {
            return Err(Reason::SELECTOR_NOT_UNIQUE);
        }
        let mut places = (0..self.items.len()).filter(|place| self.items[*place].selector == selector);
        places.nth(chosen).ok_or(Reason::INDEX_NOT_PRESENT)
    }

    /// An item as calls ask for it: by its selector, or by its place among those of the program, of the
    /// system or all; those of the system come first.
    ///
    /// # Errors
    /// The reason there is none.
    pub(crate) fn find(&self, selector: i32, index: i32) -> Result<Item, Reason> {
        let system = |place: Option<i32>| {
            place.map(|selector| Item { selector, value: Value::Integer(self.system_item(selector)) })
        };
        let place = || usize::try_from(index).map_err(|_| Reason::INDEX_ERROR);
        let found = match selector {
            MQSEL_ANY_SELECTOR => {
                let (place, count) = (place()?, self.system_selectors().count());
                match place.checked_sub(count) {
                    None => system(self.system_selectors().nth(place)),
                    Some(place) => self.items.get(place).cloned(),
                }
            }
            MQSEL_ANY_USER_SELECTOR => self.items.get(place()?).cloned(),
            MQSEL_ANY_SYSTEM_SELECTOR => system(self.system_selectors().nth(place()?)),
            selector if selector < 0 => {
                self.has_system_item(selector)?;
                let is_it = index == MQIND_NONE || place()? == 0;
                is_it.then(|| system(Some(selector))).flatten()
            }
            selector => Some(self.items[self.place(selector, index)?].clone()),
        };
        found.ok_or(Reason::INDEX_NOT_PRESENT)
    }

    /// Counts the items of a selector, or of the program, of the system or in all.
    ///
    /// # Errors
    /// `MQRC_SELECTOR_NOT_SUPPORTED`.
    pub(crate) fn count(&self, selector: i32) -> Result<usize, Reason> {
        Ok(match selector {
            MQSEL_ALL_SELECTORS => self.items.len() + self.system_selectors().count(),
            MQSEL_ALL_USER_SELECTORS => self.items.len(),
            MQSEL_ALL_SYSTEM_SELECTORS => self.system_selectors().count(),
            selector if selector < 0 => match self.has_system_item(selector) {
                Ok(()) => 1,
                Err(Reason::SELECTOR_NOT_PRESENT) => 0,
                Err(reason) => return Err(reason),
            },
            selector => self.kinds.get(&selector).map_or(0, |(_, count)| *count),
        })
    }

    /// Takes items out.
    ///
    /// # Errors
    /// The reason none of them can be.
    pub(crate) fn delete(&mut self, selector: i32, index: i32) -> Result<Vec<Item>, Reason> {
        let place = match selector {
            MQSEL_ANY_SELECTOR => {
                let place = usize::try_from(index).map_err(|_| Reason::INDEX_ERROR)?;
                let count = self.system_selectors().count();
                place.checked_sub(count).ok_or(Reason::SYSTEM_ITEM_NOT_DELETABLE)?
            }
            MQSEL_ANY_USER_SELECTOR => usize::try_from(index).map_err(|_| Reason::INDEX_ERROR)?,
            selector if selector < 0 => return Err(Reason::SELECTOR_OUT_OF_RANGE),
            selector if index == MQIND_ALL => {
                return Ok(self.take(|item| item.selector == selector));
            }
            selector => self.place(selector, index)?,
        };
        if place >= self.items.len() {
            return Err(Reason::INDEX_NOT_PRESENT);
        }
        let taken = vec![self.items.remove(place)];
        Ok(self.without(taken))
    }

    /// Takes out what stands behind so many items.
    ///
    /// # Errors
    /// `MQRC_ITEM_COUNT_ERROR` when there are not so many.
    pub(crate) fn truncate(&mut self, count: i32) -> Result<Vec<Item>, Reason> {
        match usize::try_from(count) {
            Ok(count) if count <= self.items.len() => {
                let taken = self.items.split_off(count);
                Ok(self.without(taken))
            }
            _ => Err(Reason::ITEM_COUNT_ERROR),
        }
    }

    /// Takes everything out, and gives the system items their initial values.
    pub(crate) fn clear(&mut self) -> Vec<Item> {
        self.reset();
        self.kinds.clear();
        std::mem::take(&mut self.items)
    }

    fn take(&mut self, of: impl Fn(&Item) -> bool) -> Vec<Item> {
        let taken = self.items.extract_if(.., |item| of(item)).collect();
        self.without(taken)
    }
}

/// Where a system item is kept.
fn slot(selector: i32) -> usize {
    (MQIASY_FIRST - selector).unsigned_abs() as usize
}
