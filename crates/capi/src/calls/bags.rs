//! Calls about bags, without a queue manager.
//!
//! Always: what a call asks for is written only when it is there; a text or bytes that are too long for their
//! room are written as far as it reaches, with their whole length, and the call answers 2311.

use super::messages::length;
use crate::bags::{self, Bag, Characters, Item, Operator, Value};
use crate::boundary::Done;
use crate::layout::{MQHBAG, MQINT64, MQLONG};
use crate::memory::{Buffer, Pointer, Source};
use bytes::Bytes;
use mqi::{Reason, constants};
use objects::pcf::ByteOrder;

/// mqCreateBag. The handle is unusable when it is refused.
pub(super) fn create(options: MQLONG, handle: Pointer<MQHBAG>) -> Result<Done, Reason> {
    if handle.is_null() {
        return Err(Reason::HBAG_ERROR);
    }
    let created = Bag::new(options).and_then(|bag| bags::with(|bags| bags.add(bag)));
    handle.write(created.unwrap_or(constants::MQHB_UNUSABLE_HBAG));
    created.map(|_| None)
}

/// mqDeleteBag. The handle is unusable when it is deleted.
pub(super) fn delete(handle: Pointer<MQHBAG>) -> Result<Done, Reason> {
    let bag = handle.read().ok_or(Reason::HBAG_ERROR)?;
    bags::with(|bags| bags.delete(bag))?;
    handle.write(constants::MQHB_UNUSABLE_HBAG);
    Ok(None)
}

/// mqClearBag.
pub(super) fn clear(bag: MQHBAG) -> Result<Done, Reason> {
    bags::with(|bags| bags.take_out(bag, |bag| Ok(bag.clear()))).map(|()| None)
}

/// mqTruncateBag.
pub(super) fn truncate(bag: MQHBAG, count: MQLONG) -> Result<Done, Reason> {
    bags::with(|bags| bags.take_out(bag, |bag| bag.truncate(count))).map(|()| None)
}

/// mqDeleteItem.
pub(super) fn delete_item(bag: MQHBAG, selector: MQLONG, index: MQLONG) -> Result<Done, Reason> {
    bags::with(|bags| bags.take_out(bag, |bag| bag.delete(selector, index))).map(|()| None)
}

/// mqCountItems.
pub(super) fn count(bag: MQHBAG, selector: MQLONG, count: Pointer<MQLONG>) -> Result<Done, Reason> {
    let counted = bags::with(|bags| bags.get(bag)?.count(selector))?;
    if count.is_null() {
        return Err(Reason::ITEM_COUNT_ERROR);
    }
    count.write(length(counted));
    Ok(None)
}

/// mqAddBag.
pub(super) fn nest(bag: MQHBAG, selector: MQLONG, inner: MQHBAG) -> Result<Done, Reason> {
    bags::with(|bags| bags.nest(bag, selector, inner)).map(|()| None)
}

/// mqAddInquiry.
pub(super) fn add_inquiry(bag: MQHBAG, selector: MQLONG) -> Result<Done, Reason> {
    bags::with(|bags| bags.alter(bag)?.add_inquiry(selector)).map(|()| None)
}

/// A value that a program gives, with what was wrong about its parameters.
pub(super) enum New {
    Integer(MQLONG),
    Integer64(MQINT64),
    Text(Result<Bytes, Reason>),
    Bytes(Result<Bytes, Reason>),
    IntegerFilter(MQLONG, MQLONG),
    TextFilter(MQLONG, Result<Bytes, Reason>),
    BytesFilter(MQLONG, Result<Bytes, Reason>),
}

impl New {
    /// The value, whose text is in the character set of the bag.
    fn value(self, bag: &Bag) -> Result<Value, Reason> {
        let characters = |bytes: Result<Bytes, Reason>| Ok(Characters { bytes: bytes?, ccsid: bag.ccsid()? });
        Ok(match self {
            Self::Integer(value) => Value::Integer(value),
            Self::Integer64(value) => Value::Integer64(value),
            Self::Text(text) => Value::Text(characters(text)?),
            Self::Bytes(bytes) => Value::Bytes(bytes?),
            Self::IntegerFilter(operator, value) => {
                Value::IntegerFilter(Operator::of_values(operator)?, value)
            }
            Self::TextFilter(operator, text) => {
                Value::TextFilter(Operator::of_texts(operator)?, characters(text)?)
            }
            Self::BytesFilter(operator, bytes) => Value::BytesFilter(Operator::of_values(operator)?, bytes?),
        })
    }
}

/// mqAddInteger and its relatives.
pub(super) fn add(bag: MQHBAG, selector: MQLONG, new: New) -> Result<Done, Reason> {
    bags::with(|bags| {
        let bag = bags.alter(bag)?;
        let value = new.value(bag)?;
        bag.add(selector, value)
    })
    .map(|()| None)
}

/// mqSetInteger and its relatives.
pub(super) fn set(bag: MQHBAG, selector: MQLONG, index: MQLONG, new: New) -> Result<Done, Reason> {
    bags::with(|bags| {
        bags.take_out(bag, |bag| {
            let value = new.value(bag)?;
            bag.set(selector, index, value)
        })
    })
    .map(|()| None)
}

/// The item that a call asks for.
#[derive(Clone, Copy)]
pub(super) struct Which {
    pub(super) bag: MQHBAG,
    pub(super) selector: MQLONG,
    pub(super) index: MQLONG,
}

impl Which {
    fn find(self) -> Result<Item, Reason> {
        bags::with(|bags| bags.get(self.bag)?.find(self.selector, self.index))
    }
}

/// Room for a text or bytes, and for how long they are.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) buffer: Result<Buffer, Reason>,
    pub(super) length: Pointer<MQLONG>,
}

impl Room {
    /// Leaves bytes there, and NULs behind them.
    fn leave(self, bytes: &[u8]) -> Result<Done, Reason> {
        let buffer = self.buffer?;
        if self.length.is_null() {
            return Err(Reason::STRING_LENGTH_ERROR);
        }
        let written = buffer.write(bytes);
        buffer.fill_behind(written, 0);
        self.length.write(length(bytes.len()));
        Ok((written < bytes.len()).then_some(Reason::STRING_TRUNCATED))
    }
}

/// Leaves a value where a parameter says, which must be somewhere.
fn leave<T: Copy>(value: T, place: Pointer<T>, error: Reason) -> Result<Done, Reason> {
    if place.is_null() {
        return Err(error);
    }
    place.write(value);
    Ok(None)
}

/// mqInquireInteger.
pub(super) fn inquire_integer(which: Which, value: Pointer<MQLONG>) -> Result<Done, Reason> {
    match which.find()?.value {
        Value::Integer(found) => leave(found, value, Reason::ITEM_VALUE_ERROR),
        _ => Err(Reason::SELECTOR_WRONG_TYPE),
    }
}

/// mqInquireInteger64.
pub(super) fn inquire_integer64(which: Which, value: Pointer<MQINT64>) -> Result<Done, Reason> {
    match which.find()?.value {
        Value::Integer64(found) => leave(found, value, Reason::ITEM_VALUE_ERROR),
        _ => Err(Reason::SELECTOR_WRONG_TYPE),
    }
}

/// mqInquireIntegerFilter.
pub(super) fn inquire_integer_filter(
    which: Which,
    value: Pointer<MQLONG>,
    operator: Pointer<MQLONG>,
) -> Result<Done, Reason> {
    let Value::IntegerFilter(found, number) = which.find()?.value else {
        return Err(Reason::SELECTOR_WRONG_TYPE);
    };
    leave(found.code(), operator, Reason::FILTER_OPERATOR_ERROR)?;
    leave(number, value, Reason::ITEM_VALUE_ERROR)
}

/// mqInquireString. The character set is returned only if it is asked for.
pub(super) fn inquire_text(which: Which, room: Room, ccsid: Pointer<MQLONG>) -> Result<Done, Reason> {
    let Value::Text(found) = which.find()?.value else { return Err(Reason::SELECTOR_WRONG_TYPE) };
    ccsid.write(found.ccsid);
    room.leave(&found.bytes)
}

/// mqInquireStringFilter.
pub(super) fn inquire_text_filter(
    which: Which,
    room: Room,
    ccsid: Pointer<MQLONG>,
    operator: Pointer<MQLONG>,
) -> Result<Done, Reason> {
    let Value::TextFilter(found, text) = which.find()?.value else {
        return Err(Reason::SELECTOR_WRONG_TYPE);
    };
    leave(found.code(), operator, Reason::FILTER_OPERATOR_ERROR)?;
    ccsid.write(text.ccsid);
    room.leave(&text.bytes)
}

/// mqInquireByteString.
pub(super) fn inquire_bytes(which: Which, room: Room) -> Result<Done, Reason> {
    match which.find()?.value {
        Value::Bytes(found) => room.leave(&found),
        _ => Err(Reason::SELECTOR_WRONG_TYPE),
    }
}

/// mqInquireByteStringFilter.
pub(super) fn inquire_bytes_filter(
    which: Which,
    room: Room,
    operator: Pointer<MQLONG>,
) -> Result<Done, Reason> {
    let Value::BytesFilter(found, bytes) = which.find()?.value else {
        return Err(Reason::SELECTOR_WRONG_TYPE);
    };
    leave(found.code(), operator, Reason::FILTER_OPERATOR_ERROR)?;
    room.leave(&bytes)
}

/// mqInquireBag.
pub(super) fn inquire_bag(which: Which, value: Pointer<MQHBAG>) -> Result<Done, Reason> {
    match which.find()?.value {
        Value::Bag(found) => leave(found, value, Reason::ITEM_VALUE_ERROR),
        _ => Err(Reason::SELECTOR_WRONG_TYPE),
    }
}

/// mqInquireItemInfo.
pub(super) fn inquire_item(
    which: Which,
    selector: Pointer<MQLONG>,
    kind: Pointer<MQLONG>,
) -> Result<Done, Reason> {
    let found = which.find()?;
    if selector.is_null() {
        return Err(Reason::OUT_SELECTOR_ERROR);
    }
    leave(found.value.kind(), kind, Reason::ITEM_TYPE_ERROR)?;
    leave(found.selector, selector, Reason::OUT_SELECTOR_ERROR)
}

/// mqBagToBuffer. How long the message is, is told also when there is no room for it.
pub(super) fn to_buffer(
    options: MQHBAG,
    bag: MQHBAG,
    buffer: Result<Buffer, Reason>,
    data_length: Pointer<MQLONG>,
) -> Result<Done, Reason> {
    let message = bags::with(|bags| {
        bags.check_no_options(options)?;
        bags.message(bag)
    })?;
    let bytes = message.encode(ByteOrder::NATIVE);
    let buffer = buffer?;
    leave(length(bytes.len()), data_length, Reason::DATA_LENGTH_ERROR)?;
    if buffer.length() < bytes.len() {
        return Err(Reason::BUFFER_LENGTH_ERROR);
    }
    buffer.write(&bytes);
    Ok(None)
}

/// mqBufferToBag.
pub(super) fn from_buffer(
    options: MQHBAG,
    buffer: Result<Source, Reason>,
    bag: MQHBAG,
) -> Result<Done, Reason> {
    bags::with(|bags| {
        bags.check_no_options(options)?;
        bags.alter(bag)?;
        let message = bags::decode(&buffer?.copy())?;
        bags.fill(bag, message)
    })
    .map(|()| None)
}

/// mqPad. No text is an empty one.
pub(super) fn pad(text: Option<Bytes>, room: Result<Buffer, Reason>) -> Result<Done, Reason> {
    let (text, room) = (text.unwrap_or_default(), room?);
    let written = room.write(&text);
    room.fill_behind(written, b' ');
    Ok((written < text.len()).then_some(Reason::STRING_TRUNCATED))
}

/// mqTrim. A text ends at its first NUL also without it.
pub(super) fn trim(padded: Result<Source, Reason>, room: Result<Buffer, Reason>) -> Result<Done, Reason> {
    let padded = padded?.copy();
    let text = padded.split(|byte| *byte == 0).next().unwrap_or_default();
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    let room = room?;
    let written = room.write(&text[..end]);
    // Only the NUL: what is behind it is the program's.
    room.write(&[&text[..written], &[0]].concat());
    Ok(None)
}
