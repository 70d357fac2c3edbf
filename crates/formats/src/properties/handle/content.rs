//! The content of a message handle: the descriptor and the properties of one message, and a cursor on them.
//!
//! A name finds properties by their full name, by the name programs know them by, and with `%` at its end by
//! what they begin with. Names of the descriptor's fields and of JMS are answered from the descriptor where
//! no folder says more.
//!
//! Always: the cursor is on the property that was last asked for with success, also when others come and go
//! around it; a call that fails leaves it where it was. Setting back a field of the descriptor is how one is
//! deleted.

use mqi::properties::{
    CopyOptions, DeletePropertyOptions, DescriptorField, InquirePropertyFlags, InquirePropertyOptions,
    InquiredProperty, Meaning, PropertyDescriptor, PropertyType, PropertyValue, SetPropertyOptions, Synonym,
    descriptor_field, name,
};
use mqi::{Encoding, MessageDescriptor, PutAction, Reason, constants};

use super::super::{Property, folder, value};

/// Most bytes that the names and values of one handle take: as many as a message may have.
const BYTES_MAX: usize = 100 << 20;

/// Content of a message handle.
#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) descriptor: MessageDescriptor,
    /// Fields of the descriptor that the program has set itself.
    pub(super) fields_set: Vec<DescriptorField>,
    pub(super) properties: Vec<Property>,
    /// A folder of properties cannot be read: it stays in a header before the body.
    has_unread: bool,
    /// Folders of elements whose names are reserved, to be passed on as they are.
    pub(super) reserved: Vec<String>,
    validates: bool,
    cursor: Option<Cursor>,
    /// Bytes of names and values, at most: what was replaced or deleted may still be counted.
    bytes_most: usize,
}

/// Place of the last inquiry.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cursor {
    place: Place,
    /// The name by which it was found: the next is the next by this name.
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    On(usize),
    /// The item here was deleted; the one behind it now has its index.
    Before(usize),
    Field(DescriptorField),
    Synonym(Synonym),
}

/// Meaning of a name in an inquiry.
enum Wanted {
    Field(DescriptorField),
    Synonym(Synonym),
    Property(String),
    /// Any property whose name begins so.
    Beginning(String),
    /// Any field whose name begins so.
    Fields(String),
}

impl Content {
    pub(super) fn new(validates: bool) -> Self {
        Self {
            descriptor: MessageDescriptor::default(),
            fields_set: Vec::new(),
            properties: Vec::new(),
            has_unread: false,
            reserved: Vec::new(),
            validates,
            cursor: None,
            bytes_most: 0,
        }
    }

    /// Checks that so many bytes more may be held.
    fn admit(&mut self, bytes: usize) -> Result<(), Reason> {
        if self.bytes_most + bytes > BYTES_MAX {
            let held = self.properties.iter().map(|property| property.name.len() + property.value.length());
            self.bytes_most = held.sum();
        }
        if self.bytes_most + bytes > BYTES_MAX {
            return Err(Reason::STORAGE_NOT_AVAILABLE);
        }
        self.bytes_most += bytes;
        Ok(())
    }

    /// Stands for another message from now on.
    pub(super) fn stand_for(&mut self, descriptor: MessageDescriptor, folders: Vec<String>) {
        self.descriptor = descriptor;
        self.fields_set.clear();
        self.properties.clear();
        self.has_unread = false;
        self.reserved.clear();
        self.cursor = None;
        for text in folders {
            match folder::read_whole(&text) {
                Ok(folder) => {
                    self.properties.extend(folder.properties);
                    self.reserved.extend(folder.reserved);
                }
                Err(_) => self.has_unread = true,
            }
        }
    }

    /// Takes over the message that was put.
    pub(super) fn reflect(&mut self, descriptor: MessageDescriptor, properties: Vec<Property>) {
        (self.descriptor, self.properties, self.cursor) = (descriptor, properties, None);
    }

    /// Folders that a message made by an action is given as they are.
    pub(super) fn passed_on(&self, action: PutAction) -> impl Iterator<Item = &String> {
        let goes_on = CopyOptions::DEFAULT.apply_to(action);
        self.reserved.iter().filter(move |_| goes_on)
    }

    /// The remark of a call that succeeded.
    pub(super) fn remark(&self) -> Option<Reason> {
        self.has_unread.then_some(Reason::RFH_FORMAT_ERROR)
    }

    /// MQSETMP.
    pub(super) fn set(
        &mut self,
        options: SetPropertyOptions,
        name: &str,
        descriptor: PropertyDescriptor,
        value: &PropertyValue,
    ) -> Result<Option<Reason>, Reason> {
        if !options.unknown().is_empty() || options.bits().count_ones() > 1 {
            return Err(Reason::OPTIONS_ERROR);
        }
        self.admit(name.len() + value.length())?;
        if options == SetPropertyOptions::SET_PROP_UNDER_CURSOR {
            return self.set_under_cursor(descriptor, value);
        }
        let name = match self.judged(name)? {
            Meaning::Field(field) => return self.set_field(field, value),
            Meaning::Synonym(synonym) => settable(synonym, value)?.to_owned(),
            Meaning::Property(name) => name,
        };
        if self.validates && self.is_mixed(&name) {
            return Err(Reason::MIXED_CONTENT_NOT_ALLOWED);
        }
        let property = Property { name, value: value.clone(), descriptor, foreign_type: None };
        let index = match options {
            SetPropertyOptions::SET_PROP_AFTER_CURSOR => self.on_cursor()? + 1,
            SetPropertyOptions::SET_PROP_BEFORE_CURSOR => self.on_cursor()?,
            SetPropertyOptions::APPEND_PROPERTY => self.place_behind(&property.name),
            _ => match self.properties.iter_mut().find(|other| other.name == property.name) {
                Some(found) => {
                    *found = property;
                    return Ok(self.remark());
                }
                None => self.place_behind(&property.name),
            },
        };
        self.properties.insert(index, property);
        if let Some(Cursor { place: Place::On(at) | Place::Before(at), .. }) = &mut self.cursor
            && *at >= index
        {
            *at += 1;
        }
        Ok(self.remark())
    }

    /// Returns the meaning of a name, as far as this handle judges names.
    fn judged(&self, text: &str) -> Result<Meaning, Reason> {
        match name::meaning(text) {
            Err(Reason::PROPERTY_NAME_ERROR)
                if !self.validates && !text.starts_with(descriptor_field::PREFIX) =>
            {
                carried(text).map(Meaning::Property)
            }
            // A folder is not nested as deep as a name may be long.
            Ok(Meaning::Property(full)) => carried(&full).map(Meaning::Property),
            judged => judged,
        }
    }

    /// True if a property of this name would stand for a value and for a group of other properties as well.
    fn is_mixed(&self, name: &str) -> bool {
        let is_within = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|behind| behind.starts_with('.'))
        };
        let mut others = self.properties.iter().map(|property| property.name.as_str());
        others.any(|other| is_within(name, other) || is_within(other, name))
    }

    fn set_under_cursor(
        &mut self,
        descriptor: PropertyDescriptor,
        value: &PropertyValue,
    ) -> Result<Option<Reason>, Reason> {
        match self.cursor.as_ref().map(|cursor| cursor.place) {
            Some(Place::Field(field)) => self.set_field(field, value),
            Some(Place::Synonym(synonym)) => {
                let full = settable(synonym, value)?;
                self.set(SetPropertyOptions::EMPTY, full, descriptor, value)
            }
            _ => {
                let index = self.on_cursor()?;
                let name = std::mem::take(&mut self.properties[index].name);
                self.properties[index] =
                    Property { name, value: value.clone(), descriptor, foreign_type: None };
                Ok(self.remark())
            }
        }
    }

    fn set_field(&mut self, field: DescriptorField, value: &PropertyValue) -> Result<Option<Reason>, Reason> {
        field.set(&mut self.descriptor, value)?;
        if !self.fields_set.contains(&field) {
            self.fields_set.push(field);
        }
        Ok(self.remark())
    }

    /// The property under the cursor.
    fn on_cursor(&self) -> Result<usize, Reason> {
        match self.cursor {
            Some(Cursor { place: Place::On(index), .. }) => Ok(index),
            _ => Err(Reason::PROPERTY_NOT_AVAILABLE),
        }
    }

    /// Behind the last property that shares most of the name's first elements.
    fn place_behind(&self, name: &str) -> usize {
        let elements: Vec<&str> = name.split('.').collect();
        (1..=elements.len())
            .rev()
            .find_map(|depth| {
                let shares = |other: &Property| {
                    let mut others = other.name.split('.');
                    elements[..depth].iter().all(|element| others.next() == Some(element))
                };
                self.properties.iter().rposition(shares)
            })
            .map_or(self.properties.len(), |index| index + 1)
    }

    /// MQINQMP.
    pub(super) fn inquire(
        &mut self,
        options: &mut InquirePropertyOptions,
        name: &str,
        bytes_max: usize,
    ) -> Result<InquiredProperty, Reason> {
        let flags = options.flags;
        let both = InquirePropertyFlags::INQ_NEXT | InquirePropertyFlags::INQ_PROP_UNDER_CURSOR;
        if !flags.unknown().is_empty() || flags.contains(both) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let place = if flags.contains(InquirePropertyFlags::INQ_PROP_UNDER_CURSOR) {
            self.cursor.as_ref().map(|cursor| cursor.place)
        } else {
            let wanted = self.wanted(name)?;
            self.find(&wanted, name, flags.contains(InquirePropertyFlags::INQ_NEXT))
        };
        // It may be one of a folder that cannot be read.
        let missing = self.remark().unwrap_or(Reason::PROPERTY_NOT_AVAILABLE);
        let place = place.ok_or(missing)?;
        let (found, value, descriptor) = self.at(place).ok_or(missing)?;
        let foreign_type = match place {
            Place::On(index) => self.properties.get(index).and_then(|property| property.foreign_type.clone()),
            _ => None,
        };
        let value = match options.kind {
            Some(kind) if flags.contains(InquirePropertyFlags::CONVERT_TYPE) => value.converted(kind)?,
            _ => value,
        };
        let written = if flags.contains(InquirePropertyFlags::CONVERT_VALUE) {
            value::write(&value, options.requested_encoding, options.requested_coded_character_set)
        } else {
            value::write(&value, Encoding::NATIVE, constants::MQCCSI_APPL)
        };
        options.data_length = written.bytes.len();
        let name_length = found.len();
        options.returned_name = found;
        let of_type = foreign_type.is_some().then_some(Reason::PROP_TYPE_NOT_SUPPORTED);
        options.returned_type = foreign_type.unwrap_or_default();
        if options.name_bytes_max.is_some_and(|most| most < name_length) {
            return Err(Reason::PROPERTY_NAME_TOO_BIG);
        }
        let only_length = flags.contains(InquirePropertyFlags::QUERY_LENGTH);
        if !only_length && written.bytes.len() > bytes_max {
            return Err(Reason::PROPERTY_VALUE_TOO_BIG);
        }
        match &mut self.cursor {
            _ if options.leaves_cursor => {}
            Some(cursor) if flags.contains(InquirePropertyFlags::INQ_PROP_UNDER_CURSOR) => {
                cursor.place = place;
            }
            cursor => *cursor = Some(Cursor { place, name: name.to_owned() }),
        }
        Ok(InquiredProperty {
            value,
            bytes: if only_length { Default::default() } else { written.bytes },
            encoding: written.encoding,
            coded_character_set: written.coded_character_set,
            descriptor,
            warning: written.warning.or(of_type).or_else(|| self.remark()),
        })
    }

    /// Returns the meaning of a name in an inquiry.
    fn wanted(&self, text: &str) -> Result<Wanted, Reason> {
        if text.is_empty() || text.len() > name::LENGTH_MAX {
            return Err(Reason::PROPERTY_NAME_LENGTH_ERR);
        }
        if let Some(beginning) = text.strip_suffix('%') {
            return Ok(match beginning.starts_with("Root.") {
                true => Wanted::Fields(beginning.to_owned()),
                false => Wanted::Beginning(beginning.to_owned()),
            });
        }
        match name::meaning(text) {
            Ok(Meaning::Field(field)) => Ok(Wanted::Field(field)),
            Ok(Meaning::Synonym(synonym)) => Ok(Wanted::Synonym(synonym)),
            Ok(Meaning::Property(full)) => Ok(Wanted::Property(full)),
            // There may be one that was set without judging its name, or that came so.
            Err(Reason::PROPERTY_NAME_ERROR) => {
                let full = carried(text)?;
                let is_known = !self.validates || self.properties.iter().any(|other| other.name == full);
                if is_known { Ok(Wanted::Property(full)) } else { Err(Reason::PROPERTY_NAME_ERROR) }
            }
            Err(reason) => Err(reason),
        }
    }

    /// The first that is wanted; with `next`, behind the cursor when that was found by the same name.
    fn find(&self, wanted: &Wanted, name: &str, next: bool) -> Option<Place> {
        let last =
            self.cursor.as_ref().filter(|cursor| next && cursor.name == name).map(|cursor| cursor.place);
        let from = match last {
            Some(Place::On(index)) => index + 1,
            Some(Place::Before(index)) => index,
            _ => 0,
        };
        let among = |matches: &dyn Fn(&Property) -> bool| {
            let found = self.properties[from.min(self.properties.len())..].iter().position(matches);
            found.map(|index| Place::On(from + index))
        };
        match wanted {
            Wanted::Property(full) => among(&|property| property.name == *full),
            Wanted::Beginning(beginning) => among(&|property| {
                property.name.starts_with(beginning) || name::short(&property.name).starts_with(beginning)
            }),
            Wanted::Field(_) | Wanted::Synonym(_) if last.is_some() => None,
            Wanted::Field(field) => Some(Place::Field(*field)),
            Wanted::Synonym(synonym) => Some(Place::Synonym(*synonym)),
            Wanted::Fields(beginning) => DescriptorField::all()
                .skip_while(|field| last.is_some_and(|last| last != Place::Field(*field)))
                .skip(usize::from(last.is_some()))
                .find(|field| field.name().starts_with(beginning))
                .map(Place::Field),
        }
    }

    /// Name, value and descriptor of what is at a place, if anything is.
    fn at(&self, place: Place) -> Option<(String, PropertyValue, PropertyDescriptor)> {
        match place {
            Place::On(index) => {
                let Property { name, value, descriptor, .. } = self.properties.get(index)?;
                Some((name::short(name).to_owned(), value.clone(), *descriptor))
            }
            Place::Before(_) => None,
            Place::Field(field) => {
                Some((field.name(), field.value(&self.descriptor), PropertyDescriptor::default()))
            }
            Place::Synonym(synonym) => {
                let lookup = |name: &str| {
                    self.properties.iter().find(|other| other.name == name).map(|other| &other.value)
                };
                let value = synonym.value(&self.descriptor, &lookup)?;
                Some((synonym.name().to_owned(), value, PropertyDescriptor::default()))
            }
        }
    }

    /// MQDLTMP.
    pub(super) fn delete(
        &mut self,
        options: DeletePropertyOptions,
        name: &str,
    ) -> Result<Option<Reason>, Reason> {
        if !options.unknown().is_empty() {
            return Err(Reason::OPTIONS_ERROR);
        }
        let place = if options.contains(DeletePropertyOptions::DEL_PROP_UNDER_CURSOR) {
            let place = self.cursor.as_ref().map(|cursor| cursor.place);
            place.filter(|place| !matches!(place, Place::Before(_))).ok_or(Reason::PROPERTY_NOT_AVAILABLE)?
        } else {
            if name.ends_with('%') {
                return Err(Reason::PROPERTY_NAME_ERROR);
            }
            let wanted = self.wanted(name)?;
            match self.find(&wanted, name, false) {
                Some(place) => place,
                None => return Ok(Some(Reason::PROPERTY_NOT_AVAILABLE)),
            }
        };
        let place = match place {
            Place::Synonym(synonym) => {
                let full = synonym.settable_as().ok_or(Reason::PROPERTY_NAME_ERROR)?;
                match self.properties.iter().position(|other| other.name == full) {
                    Some(index) => Place::On(index),
                    None => return Ok(Some(Reason::PROPERTY_NOT_AVAILABLE)),
                }
            }
            place => place,
        };
        match place {
            Place::On(index) => self.remove(index),
            Place::Field(field) => {
                field.set(&mut self.descriptor, &field.value(&MessageDescriptor::default()))?;
                self.fields_set.retain(|other| *other != field);
            }
            Place::Before(_) | Place::Synonym(_) => unreachable!("both were made something else above"),
        }
        Ok(self.remark())
    }

    fn remove(&mut self, index: usize) {
        self.properties.remove(index);
        if let Some(cursor) = &mut self.cursor {
            match &mut cursor.place {
                Place::On(at) if *at == index => cursor.place = Place::Before(index),
                Place::On(at) | Place::Before(at) if *at > index => *at -= 1,
                _ => {}
            }
        }
    }

    /// The properties whose names match, by their indexes.
    pub(super) fn matching(&self, name: &str) -> Result<Vec<usize>, Reason> {
        let wanted = match self.wanted(name)? {
            Wanted::Synonym(synonym) => {
                Wanted::Property(synonym.settable_as().unwrap_or_default().to_owned())
            }
            wanted => wanted,
        };
        let matches = |property: &Property| match &wanted {
            Wanted::Property(full) => property.name == *full,
            Wanted::Beginning(beginning) => {
                property.name.starts_with(beginning) || name::short(&property.name).starts_with(beginning)
            }
            Wanted::Field(_) | Wanted::Synonym(_) | Wanted::Fields(_) => false,
        };
        let indexes = self.properties.iter().enumerate().filter(|(_, property)| matches(property));
        Ok(indexes.map(|(index, _)| index).collect())
    }

    /// Removes properties by their ascending indexes.
    pub(super) fn remove_all(&mut self, indexes: &[usize]) {
        indexes.iter().rev().for_each(|index| self.remove(*index));
    }
}

/// The full name, if a folder can carry it.
fn carried(text: &str) -> Result<String, Reason> {
    let full = name::full(text);
    if folder::can_carry(&full) { Ok(full) } else { Err(Reason::PROPERTY_NAME_ERROR) }
}

/// The property that a program sets by a name of JMS, when the value is of its type.
fn settable(synonym: Synonym, value: &PropertyValue) -> Result<&'static str, Reason> {
    let full = synonym.settable_as().ok_or(Reason::PROPERTY_NAME_ERROR)?;
    if value.kind() == synonym.kind() || value.kind() == PropertyType::Null {
        Ok(full)
    } else {
        Err(Reason::PROPERTY_TYPE_ERROR)
    }
}
