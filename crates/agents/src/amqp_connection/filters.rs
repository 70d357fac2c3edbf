//! Filters of a source: known ones are carried out and told in the answer, others are left out of it.

use amqp::Value;
use amqp::types::write::put_map;
use amqp::types::{Descriptor, Entries, Fields, one};
use mqi::CorrelationId;
use mqi::properties::identifier;
use selector::Selector;

/// The descriptors of a selector of JMS, by number and by name.
const SELECTOR: (u64, &str) = (0x0000_468C_0000_0004, "apache.org:selector-filter:string");

/// The descriptors of the filter that leaves out a client's own publications.
const NO_LOCAL: (u64, &str) = (0x0000_468C_0000_0003, "apache.org:no-local-filter:list");

/// The filters of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct Filters {
    /// The selector; empty for none.
    pub(super) selector: String,
    /// Strings that the selector compares identifiers with, by the 24 bytes that an answer of a program has
    /// of each.
    identifiers: Vec<([u8; 24], String)>,
    /// Says whether a client's own publications are left out.
    pub(super) excludes_own: bool,
    /// The map for the answer; none without a filter.
    pub(super) told: Option<Vec<u8>>,
}

impl Filters {
    /// Reads the filters of a source: the descriptor tells which one it is, and not the key.
    pub(super) fn of(filter: Option<Fields<'_>>) -> Self {
        let mut filters = Self::default();
        let Some(Fields(entries)) = filter else { return filters };
        let (mut pairs, mut count) = (Vec::new(), 0);
        for (key, value, bytes) in entries.with_bytes() {
            let (Value::Symbol(_) | Value::String(_), Value::Described(descriptor, own)) = (key, value)
            else {
                continue;
            };
            let is =
                |(code, name)| descriptor == Descriptor::Code(code) || descriptor == Descriptor::Name(name);
            match one(own) {
                Ok((Value::String(text), _)) if is(SELECTOR) => text.clone_into(&mut filters.selector),
                Ok(_) if is(NO_LOCAL) => filters.excludes_own = true,
                _ => continue,
            }
            pairs.extend_from_slice(bytes);
            count += 1;
        }
        if let Ok(selector) = Selector::parse(&filters.selector) {
            let strings = selector.identifiers().map(|text| (identifier::of_string(text), text.to_owned()));
            filters.identifiers = strings.collect();
        }
        if count > 0 {
            let mut told = Vec::new();
            put_map(&mut told, count, |out| out.extend_from_slice(&pairs));
            filters.told = Some(told);
        }
        filters
    }

    /// The text by which the selector asks for an identifier.
    pub(super) fn text(&self, id: &CorrelationId) -> Option<String> {
        let found = self.identifiers.iter().find(|(bytes, _)| *bytes == id.0);
        found.map(|(_, text)| text.clone())
    }

    /// The filters for the answer.
    pub(super) fn told(&self) -> Option<Fields<'_>> {
        match one(self.told.as_deref()?) {
            Ok((Value::Map(entries), _)) => Some(Fields(entries)),
            _ => Some(Fields(Entries::EMPTY)),
        }
    }
}
