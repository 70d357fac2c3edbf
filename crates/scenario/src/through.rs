//! Calls through a handle that the scenario names, where others go through the one that fits.
//!
//! | words | meaning |
//! |---|---|
//! | `through browse` | the handle by which the client has the queue open to browse; also `input` `output` `inquire` `set` |
//! | `through 7` | the handle of this number, whatever it names; a client's handles are numbered from 1 as it opens |
//! | `context QUEUE` | a put with the context of the message that the client got last from this queue |
//!
//! Lives here: the words, and the handle they stand for. Lives elsewhere: making the call (`engine`,
//! `programs`).

use std::collections::BTreeMap;

use mqi::{ObjectHandle, ObjectName, OpenOptions};

use super::Call;
use super::call::{Word, Words};

/// Open handles of a client: the queue and the kind of call that each serves.
pub(super) type OpenHandles = BTreeMap<(ObjectName, i32), ObjectHandle>;

/// Handles that a call names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Through {
    handle: Option<Which>,
    context: Option<ObjectName>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    OpenFor(OpenOptions),
    Number(i32),
}

impl Through {
    /// Takes the words about handles out of those of a call on an object.
    pub(super) fn take(words: &mut Words<'_>) -> Result<Self, String> {
        let mut through = Self::default();
        if let Some(word) = words.take_pair("through")? {
            through.handle = Some(which(word)?);
        }
        if let Some(word) = words.take_pair("context")? {
            through.context = Some(word.parse().map_err(|error| format!("{word}: {error}"))?);
        }
        Ok(through)
    }

    /// The queue whose context is passed on.
    pub(super) fn context(self) -> Option<ObjectName> {
        self.context
    }

    /// The number of the handle, if it goes by one.
    pub(super) fn number(self) -> Option<i32> {
        match self.handle {
            Some(Which::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// The kind of call whose handle is meant, if it goes by one.
    pub(super) fn opened_for(self) -> Option<OpenOptions> {
        match self.handle {
            Some(Which::OpenFor(options)) => Some(options),
            _ => None,
        }
    }

    /// True if it goes through the handle that fits, as other calls do.
    pub(super) fn is_usual(self) -> bool {
        self.handle.is_none()
    }

    /// The call, through these handles if it names any.
    pub(super) fn of(self, call: Call) -> Call {
        if self == Self::default() { call } else { Call::Through { call: Box::new(call), through: self } }
    }

    /// The call as it is made, and the handle it goes through unless that is the one that fits.
    pub(super) fn resolve(&self, call: &Call, open: &OpenHandles) -> (Call, Option<ObjectHandle>) {
        let handle_of = |name: ObjectName, options: OpenOptions| {
            open.get(&(name, options.bits())).copied().unwrap_or(ObjectHandle::NONE)
        };
        let mut call = call.clone();
        let handle = self.handle.map(|which| match which {
            Which::Number(number) => ObjectHandle(number),
            Which::OpenFor(options) => handle_of(call.object().unwrap_or_default(), options),
        });
        if let (Some(queue), Call::Put { options, .. } | Call::Put1 { options, .. }) =
            (self.context, &mut call)
        {
            options.context = Some(handle_of(queue, OpenOptions::INPUT_AS_Q_DEF));
        }
        (call, handle)
    }
}

fn which(word: &str) -> Result<Which, String> {
    Ok(match word {
        "input" => Which::OpenFor(OpenOptions::INPUT_AS_Q_DEF),
        "output" => Which::OpenFor(OpenOptions::OUTPUT),
        "browse" => Which::OpenFor(OpenOptions::BROWSE),
        "inquire" => Which::OpenFor(OpenOptions::INQUIRE),
        "set" => Which::OpenFor(OpenOptions::SET),
        number => Which::Number(number.parse().map_err(|_| format!("not a handle: {number}"))?),
    })
}

impl<'a> Words<'a> {
    /// Takes a word and the one behind it from wherever they stand.
    fn take_pair(&mut self, key: &str) -> Result<Option<&'a str>, String> {
        let words: Vec<Word<'a>> = std::iter::from_fn(|| self.next()).collect();
        let at = words.iter().position(|word| *word == Word::Plain(key));
        let value = match at.map(|at| words.get(at + 1)) {
            None => None,
            Some(Some(Word::Plain(value) | Word::Quoted(value))) => Some(*value),
            Some(None) => return Err(format!("{key} what is missing")),
        };
        let is_taken = |index: usize| at.is_some_and(|at| index == at || index == at + 1);
        let rest = words.iter().enumerate().filter(|(index, _)| !is_taken(*index)).map(|(_, word)| *word);
        self.replace(rest.collect());
        Ok(value)
    }
}
