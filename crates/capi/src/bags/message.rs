//! A bag as a message of commands, and such a message as a bag.
//!
//! Texts stand in messages in UTF-8 and come out of them without the blanks at their ends.

use super::bag::{Bag, Kind};
use super::item::{Characters, Item, Operator, Value};
use super::{Bags, inquiry};
use crate::layout::MQHBAG;
use crate::translate::text;
use bytes::Bytes;
use mqi::Reason;
use mqi::constants::*;
use objects::pcf::{ByteOrder, Content, Header, Message, NESTING_MAX, Parameter};
use std::collections::BTreeMap;

impl Bags {
    /// A bag as a message.
    ///
    /// # Errors
    /// The reason it cannot be one.
    pub(crate) fn message(&self, handle: MQHBAG) -> Result<Message, Reason> {
        self.message_of_command(handle, self.get(handle)?.system_item(MQIASY_COMMAND))
    }

    /// A bag as a message of another command than it names.
    ///
    /// # Errors
    /// The reason it cannot be one.
    pub(crate) fn message_of_command(&self, handle: MQHBAG, command: i32) -> Result<Message, Reason> {
        let bag = self.get(handle)?;
        if bag.kind == Kind::Group {
            return Err(Reason::BAG_WRONG_TYPE);
        }
        let (inquiries, others): (Vec<&Item>, Vec<&Item>) =
            bag.items().iter().partition(|item| asks_for(bag, item).is_some());
        let mut parameters = self.parameters(bag, &others, 0)?;
        if !inquiries.is_empty() {
            let identifier = inquiry::parameter_of(command).ok_or(Reason::INQUIRY_COMMAND_ERROR)?;
            let asked = inquiries.into_iter().filter_map(|item| asks_for(bag, item)).collect();
            parameters.push(Parameter::new(identifier, Content::Integers(asked)));
        }
        let header = Header {
            kind: bag.system_item(MQIASY_TYPE),
            version: parameters.iter().map(version_of).fold(bag.system_item(MQIASY_VERSION), i32::max),
            command,
            sequence: bag.system_item(MQIASY_MSG_SEQ_NUMBER),
            control: bag.system_item(MQIASY_CONTROL),
            completion: bag.system_item(MQIASY_COMP_CODE),
            reason: bag.system_item(MQIASY_REASON),
        };
        Ok(Message { header, parameters })
    }

    /// The parameters of items, which are so many groups deep.
    fn parameters(&self, bag: &Bag, items: &[&Item], depth: usize) -> Result<Vec<Parameter>, Reason> {
        let mut items = items.to_vec();
        if bag.may_be_reordered() {
            // Those of one selector come together, at the place of the first.
            let mut first = BTreeMap::new();
            for (place, item) in items.iter().enumerate() {
                first.entry(item.selector).or_insert(place);
            }
            items.sort_by_key(|item| first.get(&item.selector).copied());
        }
        let mut parameters: Vec<Parameter> = Vec::with_capacity(items.len());
        for item in items {
            let content = self.content(&item.value, depth)?;
            let last = parameters.last_mut().filter(|last| last.identifier == item.selector);
            match last {
                Some(last) if bag.allows_lists() => {
                    if let Some(content) = appended(&mut last.content, content) {
                        parameters.push(Parameter::new(item.selector, content));
                    }
                }
                _ => parameters.push(Parameter::new(item.selector, content)),
            }
        }
        Ok(parameters)
    }

    fn content(&self, value: &Value, depth: usize) -> Result<Content, Reason> {
        Ok(match value {
            Value::Integer(value) => Content::Integer(*value),
            Value::Integer64(value) => Content::Integer64(*value),
            Value::Text(characters) => Content::Text(text_of(characters)?),
            Value::Bytes(bytes) => Content::Bytes(bytes.to_vec()),
            Value::IntegerFilter(operator, value) => Content::IntegerFilter(operator.code(), *value),
            Value::TextFilter(operator, characters) => {
                Content::TextFilter(operator.code(), text_of(characters)?)
            }
            Value::BytesFilter(operator, bytes) => Content::BytesFilter(operator.code(), bytes.to_vec()),
            Value::Bag(inner) => {
                let inner = self.get(*inner)?;
                if inner.is_of_system || depth == NESTING_MAX {
                    return Err(Reason::NESTED_BAG_NOT_SUPPORTED);
                }
                let items: Vec<&Item> = inner.items().iter().collect();
                Content::Group(self.parameters(inner, &items, depth + 1)?)
            }
        })
    }

    /// Fills a bag of the program with a message, in the place of what is in it.
    ///
    /// # Errors
    /// The reason it cannot be; then the bag is empty.
    pub(crate) fn fill(&mut self, handle: MQHBAG, message: Message) -> Result<(), Reason> {
        self.take_out(handle, |bag| Ok(bag.clear()))?;
        let mut bag = self.by_handle.remove(&handle).ok_or(Reason::HBAG_ERROR)?;
        let outcome = self.add_all(&mut bag, message.parameters);
        match outcome {
            Ok(()) => describe(&mut bag, &message.header),
            Err(_) => {
                let items = bag.clear();
                self.forget(&items);
            }
        }
        self.by_handle.insert(handle, bag);
        outcome
    }

    /// Puts a message, in a bag that is made for it, into a bag of the program.
    ///
    /// # Errors
    /// The reason it cannot be.
    pub(crate) fn add_reply(&mut self, handle: MQHBAG, message: Message) -> Result<(), Reason> {
        self.alter(handle)?;
        let mut reply = self.made_for(Kind::User, message.parameters)?;
        describe(&mut reply, &message.header);
        let reply = self.add(reply)?;
        let added = self.alter(handle)?.push(MQHA_BAG_HANDLE, Value::Bag(reply));
        if added.is_err() {
            self.forget(&[Item { selector: MQHA_BAG_HANDLE, value: Value::Bag(reply) }]);
        }
        added
    }

    /// A bag that is made for parameters of a message.
    fn made_for(&mut self, kind: Kind, parameters: Vec<Parameter>) -> Result<Bag, Reason> {
        let mut bag = Bag::of_system(kind);
        match self.add_all(&mut bag, parameters) {
            Ok(()) => Ok(bag),
            Err(reason) => {
                self.forget(&bag.clear());
                Err(reason)
            }
        }
    }

    /// Adds parameters to a bag: lists one by one, groups as bags.
    fn add_all(&mut self, bag: &mut Bag, parameters: Vec<Parameter>) -> Result<(), Reason> {
        for Parameter { identifier: selector, content } in parameters {
            let value = match content {
                Content::Integer(value) => Value::Integer(value),
                Content::Integer64(value) => Value::Integer64(value),
                Content::Text(text) => Value::Text(characters(text)),
                Content::Bytes(bytes) => Value::Bytes(bytes.into()),
                Content::IntegerFilter(operator, value) => {
                    Value::IntegerFilter(Operator::as_sent(operator), value)
                }
                Content::TextFilter(operator, text) => {
                    Value::TextFilter(Operator::as_sent(operator), characters(text))
                }
                Content::BytesFilter(operator, bytes) => {
                    Value::BytesFilter(Operator::as_sent(operator), bytes.into())
                }
                Content::Integers(values) => {
                    values.into_iter().try_for_each(|value| bag.add(selector, Value::Integer(value)))?;
                    continue;
                }
                Content::Integers64(values) => {
                    values.into_iter().try_for_each(|value| bag.add(selector, Value::Integer64(value)))?;
                    continue;
                }
                Content::Texts(texts) => {
                    let mut values = texts.into_iter().map(|text| Value::Text(characters(text)));
                    values.try_for_each(|value| bag.add(selector, value))?;
                    continue;
                }
                Content::Group(parameters) => {
                    let group = self.made_for(Kind::Group, parameters)?;
                    Value::Bag(self.add(group)?)
                }
            };
            if let Err(reason) = bag.add(selector, value.clone()) {
                self.forget(&[Item { selector, value }]);
                return Err(reason);
            }
        }
        Ok(())
    }
}

/// A message from bytes in the order of this machine.
///
/// # Errors
/// `MQRC_BAG_CONVERSION_ERROR`.
pub(crate) fn decode(bytes: &[u8]) -> Result<Message, Reason> {
    Message::decode(bytes, ByteOrder::NATIVE).map_err(|_| Reason::BAG_CONVERSION_ERROR)
}

/// The attribute that an item of an administration bag asks for.
fn asks_for(bag: &Bag, item: &Item) -> Option<i32> {
    match item.value {
        Value::Integer(selector) if item.selector == MQIACF_INQUIRY && bag.kind == Kind::Administration => {
            Some(selector)
        }
        _ => None,
    }
}

/// Makes a list of what stands before and what comes; what comes, when it does not go into a list.
fn appended(before: &mut Content, next: Content) -> Option<Content> {
    match (&mut *before, next) {
        (Content::Integers(values), Content::Integer(value)) => values.push(value),
        (Content::Integer(first), Content::Integer(value)) => {
            *before = Content::Integers(vec![*first, value])
        }
        (Content::Integers64(values), Content::Integer64(value)) => values.push(value),
        (Content::Integer64(first), Content::Integer64(value)) => {
            *before = Content::Integers64(vec![*first, value]);
        }
        (Content::Texts(texts), Content::Text(text)) => texts.push(text),
        (Content::Text(first), Content::Text(text)) => {
            *before = Content::Texts(vec![std::mem::take(first), text]);
        }
        (_, next) => return Some(next),
    }
    None
}

/// The version of a header that a parameter needs at least.
fn version_of(parameter: &Parameter) -> i32 {
    match parameter.content {
        Content::Group(_)
        | Content::IntegerFilter(..)
        | Content::TextFilter(..)
        | Content::BytesFilter(..)
        | Content::Integer64(_)
        | Content::Integers64(_) => MQCFH_VERSION_3,
        Content::Bytes(_) => MQCFH_VERSION_2,
        Content::Integer(_) | Content::Integers(_) | Content::Text(_) | Content::Texts(_) => MQCFH_VERSION_1,
    }
}

fn describe(bag: &mut Bag, header: &Header) {
    for (selector, value) in [
        (MQIASY_TYPE, header.kind),
        (MQIASY_COMMAND, header.command),
        (MQIASY_MSG_SEQ_NUMBER, header.sequence),
        (MQIASY_CONTROL, header.control),
        (MQIASY_COMP_CODE, header.completion),
        (MQIASY_REASON, header.reason),
        (MQIASY_VERSION, header.version),
    ] {
        bag.set_system_item(selector, value);
    }
}

fn text_of(characters: &Characters) -> Result<String, Reason> {
    text::decode(&characters.bytes, characters.ccsid, Reason::CODED_CHAR_SET_ID_ERROR)
}

fn characters(text: String) -> Characters {
    Characters { bytes: Bytes::from(text), ccsid: text::NATIVE_CCSID }
}
