//! Message handles in a scenario: the calls on them, by the numbers and bytes that a C program passes, and
//! what they answer as words.
//!
//! | verb | words that may follow |
//! |---|---|
//! | `create-handle NAME` | `unassociated` |
//! | `delete-handle NAME` | |
//! | `set-property HANDLE NAME TYPE VALUE` | `length N` `encoding N` `ccsid N` `pd.Version N` `pd.Options N` `pd.Support N` `pd.Context N` `pd.CopyOptions N` |
//! | `inquire-property HANDLE NAME` | `type TYPE` `buffer N` `name-buffer N` `encoding N` `ccsid N` |
//! | `delete-property HANDLE NAME` | |
//! | `buffer-to-handle HANDLE DATA` | `folder TEXT` (several) `md.FIELD VALUE` |
//! | `handle-to-buffer HANDLE NAME` | `buffer N` `md.FIELD VALUE` |
//!
//! All take `version N` for the version of their structure and options by name: `+MQIMPO_INQ_NEXT`. `TYPE` is
//! `null`, `boolean`, `bytes`, `int8`, `int16`, `int32`, `int64`, `float32`, `float64`, `string`, or a
//! number. A handle has its name for all clients; `none` and `unusable` are the values that name none.
//!
//! | result | meaning |
//! |---|---|
//! | `ok` | it succeeded |
//! | `string "red" name colour` after an inquiry | the type and the value; further words: `name` `length` `hex` `ccsid` `encoding` `pd.Support` … |
//! | `folder "<usr>…</usr>"`, `data "text"`, `md.FIELD VALUE`, `length N` | what is in the buffer, and what the descriptor says of it |
//! | `2469 length 12` | this reason, and what was filled nevertheless |

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::handle::Handles;
use formats::properties::{put_before, take_first, value};
use mqi::properties::{
    BufferToHandleOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
    HandleToBufferOptions, InquirePropertyFlags, InquirePropertyOptions, MessageHandles, PropertyDescriptor,
    PropertyType, PropertyValue, SetPropertyOptions,
};
use mqi::{Encoding, MessageDescriptor, MessageHandle, Reason, constants};
use parking_lot::Mutex;

use super::call::{Reply, Word, Words};
use super::fields;

/// The handles by their names in the scenario, for all clients.
pub(super) type Named = Arc<Mutex<BTreeMap<String, MessageHandle>>>;

/// Fields that a call filled in, each under its name.
type Facts = Vec<(String, String)>;

/// The handle of a name; one that nobody made names none.
pub(super) fn named(all: &Named, name: &str) -> MessageHandle {
    match name {
        "none" => MessageHandle::NONE,
        "unusable" => MessageHandle::UNUSABLE,
        name => all.lock().get(name).copied().unwrap_or(MessageHandle::UNUSABLE),
    }
}

/// Handles that a put or a get names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// Of a get.
    pub(super) message: Option<String>,
    /// Of a put, what the message comes from.
    pub(super) original: Option<String>,
    /// Of a put, what it is to be.
    pub(super) new: Option<String>,
}

impl Naming {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The call with the handles that the names stand for.
    pub(super) fn resolve(&self, call: &super::Call, all: &Named) -> super::Call {
        let mut call = call.clone();
        let set = |field: &mut MessageHandle, name: &Option<String>| {
            if let Some(name) = name {
                *field = named(all, name);
            }
        };
        match &mut call {
            super::Call::Put { options, .. } | super::Call::Put1 { options, .. } => {
                set(&mut options.original_message_handle, &self.original);
                set(&mut options.new_message_handle, &self.new);
            }
            super::Call::Get { options, .. } => set(&mut options.message_handle, &self.message),
            _ => {}
        }
        call
    }
}

/// A call on a message handle.
#[derive(Clone, Debug)]
pub struct HandleCall {
    pub(super) verb: Verb,
    pub(super) handle: String,
    pub(super) version: i32,
    pub(super) options: i32,
}

/// Action on a handle.
#[derive(Clone, Debug)]
pub(super) enum Verb {
    Create { unassociated: bool },
    Delete,
    Set { name: String, descriptor: [i32; 5], value: ProgramValue },
    Inquire { name: String, kind: i32, buffer: i32, name_buffer: Option<usize>, encoding: i32, ccsid: i32 },
    DeleteProperty { name: String },
    FromBuffer { descriptor: Box<MessageDescriptor>, message: Bytes },
    ToBuffer { name: String, descriptor: Box<MessageDescriptor>, buffer: i32 },
}

/// A value as a program passes it.
#[derive(Clone, Debug)]
pub(super) struct ProgramValue {
    pub(super) kind: i32,
    pub(super) length: i32,
    pub(super) bytes: Bytes,
    pub(super) encoding: i32,
    pub(super) ccsid: i32,
}

const TYPES: [(&str, PropertyType); 10] = [
    ("null", PropertyType::Null),
    ("boolean", PropertyType::Boolean),
    ("bytes", PropertyType::Bytes),
    ("int8", PropertyType::Int8),
    ("int16", PropertyType::Int16),
    ("int32", PropertyType::Int32),
    ("int64", PropertyType::Int64),
    ("float32", PropertyType::Float32),
    ("float64", PropertyType::Float64),
    ("string", PropertyType::Text),
];

fn kind_of(word: &str) -> Result<i32, String> {
    match TYPES.iter().find(|(name, _)| *name == word) {
        Some((_, kind)) => Ok(kind.code()),
        None => fields::number(word),
    }
}

/// Parts that may follow any verb, in one place.
struct Parts {
    numbers: BTreeMap<&'static str, i32>,
    options: i32,
    unassociated: bool,
    kind: i32,
    folders: Vec<String>,
    descriptor: Box<MessageDescriptor>,
}

/// Words that take a number.
const NUMBERS: [&str; 11] = [
    "version",
    "length",
    "encoding",
    "ccsid",
    "buffer",
    "name-buffer",
    "pd.Version",
    "pd.Options",
    "pd.Support",
    "pd.Context",
    "pd.CopyOptions",
];

impl Parts {
    fn of(mut words: Words<'_>, prefix: &str) -> Result<Self, String> {
        let mut parts = Self {
            numbers: BTreeMap::new(),
            options: 0,
            unassociated: false,
            kind: 0,
            folders: Vec::new(),
            descriptor: Box::default(),
        };
        while let Some(word) = words.next() {
            match word {
                Word::Plain("unassociated") => parts.unassociated = true,
                Word::Plain("type") => parts.kind = kind_of(words.plain("a type")?)?,
                Word::Plain("folder") => parts.folders.push(words.plain("a folder")?.to_owned()),
                Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                    (found, bits) if found == prefix => parts.options |= bits,
                    _ => return Err(format!("this call has options {prefix}_, not {word}")),
                },
                Word::Plain(word) if word.starts_with("md.") => {
                    fields::set(&mut parts.descriptor, &word[3..], words.plain("a value")?)?;
                }
                Word::Plain(word) => match NUMBERS.iter().find(|known| **known == word) {
                    Some(known) => {
                        parts.numbers.insert(known, fields::number(words.plain("a number")?)?);
                    }
                    None => return Err(format!("a call on a handle does not know {word}")),
                },
                Word::Quoted(text) => return Err(format!("unexpected \"{text}\"")),
            }
        }
        Ok(parts)
    }

    fn number(&self, name: &str, default: i32) -> i32 {
        self.numbers.get(name).copied().unwrap_or(default)
    }
}

/// Enough for any value of a scenario that does not ask for a buffer of its own.
const BUFFER_BYTES: i32 = 1 << 20;

impl HandleCall {
    /// Reads a call by its verb; nothing for a verb of something else.
    pub(super) fn parse(verb: &str, mut words: Words<'_>) -> Result<Option<Self>, String> {
        let prefix = match verb {
            "create-handle" => "MQCMHO",
            "delete-handle" => "MQDMHO",
            "set-property" => "MQSMPO",
            "inquire-property" => "MQIMPO",
            "delete-property" => "MQDMPO",
            "buffer-to-handle" => "MQBMHO",
            "handle-to-buffer" => "MQMHBO",
            _ => return Ok(None),
        };
        let handle = words.plain("a handle")?.to_owned();
        let mut next = |what: &str| words.plain(what).map(str::to_owned);
        let (name, value) = match verb {
            "create-handle" | "delete-handle" => (String::new(), None),
            "set-property" => (next("a name")?, Some((next("a type")?, next("a value")?))),
            _ => (next("a name or data")?, None),
        };
        let parts = Parts::of(words, prefix)?;
        let (version, options) = (parts.number("version", 1), parts.options);
        let native = constants::MQENC_NATIVE;
        let (encoding, ccsid) =
            (parts.number("encoding", native), parts.number("ccsid", constants::MQCCSI_APPL));
        let buffer = parts.number("buffer", BUFFER_BYTES);
        let verb = match (verb, value) {
            ("create-handle", _) => Verb::Create { unassociated: parts.unassociated },
            ("delete-handle", _) => Verb::Delete,
            ("set-property", Some((kind, text))) => {
                let kind = kind_of(&kind)?;
                let bytes = match PropertyType::from_code(kind) {
                    Ok(known) => {
                        let value = PropertyValue::read(&text, known).map_err(|reason| reason.to_string())?;
                        value::write(&value, Encoding(encoding), ccsid).bytes
                    }
                    Err(_) => Bytes::from(text),
                };
                let length = parts.number("length", i32::try_from(bytes.len()).expect("a short value"));
                let defaults = PropertyDescriptor::default();
                let descriptor = [
                    parts.number("pd.Version", 1),
                    parts.number("pd.Options", 0),
                    parts.number("pd.Support", defaults.support),
                    parts.number("pd.Context", 0),
                    parts.number("pd.CopyOptions", defaults.copy.bits()),
                ];
                Verb::Set { name, descriptor, value: ProgramValue { kind, length, bytes, encoding, ccsid } }
            }
            ("inquire-property", _) => {
                let name_buffer = parts.numbers.get("name-buffer").copied();
                let name_buffer = name_buffer.and_then(|bytes| usize::try_from(bytes).ok());
                Verb::Inquire { name, kind: parts.kind, buffer, name_buffer, encoding, ccsid }
            }
            ("delete-property", _) => Verb::DeleteProperty { name },
            ("buffer-to-handle", _) => {
                let mut descriptor = parts.descriptor;
                let message = with_folders(parts.folders, &mut descriptor, &Bytes::from(name))?;
                Verb::FromBuffer { descriptor, message }
            }
            _ => Verb::ToBuffer { name, descriptor: parts.descriptor, buffer },
        };
        Ok(Some(Self { verb, handle, version, options }))
    }

    /// Its verb, and the options of its structure.
    pub(super) fn passed(&self) -> (&'static str, Vec<(&'static str, i32)>) {
        let (verb, options) = match &self.verb {
            Verb::Create { .. } => ("MQCRTMH", "MQCMHO_"),
            Verb::Delete => ("MQDLTMH", "MQDMHO_"),
            Verb::Set { .. } => ("MQSETMP", "MQSMPO_"),
            Verb::Inquire { .. } => ("MQINQMP", "MQIMPO_"),
            Verb::DeleteProperty { .. } => ("MQDLTMP", "MQDMPO_"),
            Verb::FromBuffer { .. } => ("MQBUFMH", "MQBMHO_"),
            Verb::ToBuffer { .. } => ("MQMHBUF", "MQMHBO_"),
        };
        let mut sets = vec![(options, self.options)];
        if let Verb::Set { descriptor: [_, options, support, context, copy], .. } = &self.verb {
            sets.extend([("MQPD_", *options), ("MQPD_", *support)]);
            sets.extend([("MQPD_CONTEXT_", *context), ("MQCOPY_", *copy)]);
        }
        (verb, sets)
    }

    /// True if it is an inquiry, whose result begins with a type and a value.
    pub(super) fn inquires(&self) -> bool {
        matches!(self.verb, Verb::Inquire { .. })
    }

    /// Makes the call.
    pub(super) fn make(&self, verbs: &mut dyn MessageHandles, all: &Named) -> Reply {
        let mut facts = Vec::new();
        let made = self.try_make(verbs, all, &mut facts);
        let reason = made.unwrap_or_else(Some);
        if facts.is_empty() {
            return reason.map_or(Reply::Done, Reply::Refused);
        }
        Reply::Facts { facts, reason }
    }

    fn try_make(
        &self,
        verbs: &mut dyn MessageHandles,
        all: &Named,
        facts: &mut Facts,
    ) -> Result<Option<Reason>, Reason> {
        let Self { verb, handle: name_of_handle, version, options } = self;
        let (version, options) = (*version, *options);
        let mut handle = named(all, name_of_handle);
        let length_of = |bytes: i32| usize::try_from(bytes).map_err(|_| Reason::BUFFER_LENGTH_ERROR);
        let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
        match verb {
            Verb::Create { unassociated } => {
                let options = CreateHandleOptions::of_structure(version, options)?;
                let made = match unassociated {
                    true => Handles::unassociated().create_message_handle(options)?,
                    false => verbs.create_message_handle(options)?,
                };
                all.lock().insert(name_of_handle.clone(), made);
                Ok(None)
            }
            Verb::Delete => {
                let options = DeleteHandleOptions::of_structure(version, options)?;
                verbs.delete_message_handle(&mut handle, options)?;
                all.lock().insert(name_of_handle.clone(), handle);
                Ok(None)
            }
            Verb::Set { name, descriptor: [of, bits, support, context, copy], value } => {
                let options = SetPropertyOptions::of_structure(version, options)?;
                let descriptor = PropertyDescriptor::of_structure(*of, *bits, *support, *context, *copy)?;
                let ProgramValue { kind, length, bytes, encoding, ccsid } = value;
                let value = value::of_program(*kind, *length, bytes, Encoding(*encoding), *ccsid)?;
                verbs.set_property(handle, options, name, descriptor, &value)
            }
            Verb::Inquire { name, kind, buffer, name_buffer, encoding, ccsid } => {
                let mut options = InquirePropertyOptions {
                    flags: InquirePropertyFlags::of_structure(version, options)?,
                    kind: PropertyType::requested(*kind)?,
                    requested_encoding: Encoding(*encoding),
                    requested_coded_character_set: *ccsid,
                    name_bytes_max: *name_buffer,
                    ..InquirePropertyOptions::default()
                };
                let inquired = verbs.inquire_property(handle, &mut options, name, length_of(*buffer)?);
                if !options.returned_name.is_empty() {
                    fact("name", options.returned_name);
                    fact("length", options.data_length.to_string());
                }
                let inquired = inquired?;
                let kind = TYPES.iter().find(|(_, kind)| *kind == inquired.value.kind());
                fact("type", kind.map(|(word, _)| (*word).to_owned()).unwrap_or_default());
                fact("value", inquired.value.written());
                fact("hex", inquired.bytes.iter().map(|byte| format!("{byte:02x}")).collect());
                fact("encoding", inquired.encoding.code().to_string());
                fact("ccsid", inquired.coded_character_set.to_string());
                let PropertyDescriptor { support, is_user_context, copy } = inquired.descriptor;
                fact("pd.Support", support.to_string());
                fact("pd.Context", i32::from(is_user_context).to_string());
                fact("pd.CopyOptions", copy.bits().to_string());
                Ok(inquired.warning)
            }
            Verb::DeleteProperty { name } => {
                verbs.delete_property(handle, DeletePropertyOptions::of_structure(version, options)?, name)
            }
            Verb::FromBuffer { descriptor, message } => {
                let options = BufferToHandleOptions::of_structure(version, options)?;
                let mut descriptor = descriptor.clone();
                let buffer = verbs.buffer_to_handle(handle, options, &mut descriptor, message.clone())?;
                let shown = taken_apart(&descriptor, &buffer.bytes);
                shown.into_iter().for_each(|(name, value)| fact(&name, value));
                fact("length", buffer.bytes.len().to_string());
                Ok(buffer.warning)
            }
            Verb::ToBuffer { name, descriptor, buffer } => {
                let options = HandleToBufferOptions::of_structure(version, options)?;
                let mut descriptor = descriptor.clone();
                let mut length = 0;
                let most = length_of(*buffer)?;
                let made = verbs.handle_to_buffer(handle, options, name, &mut descriptor, most, &mut length);
                if length > 0 {
                    fact("length", length.to_string());
                }
                let made = made?;
                let shown = taken_apart(&descriptor, &made.bytes);
                shown.into_iter().for_each(|(name, value)| fact(&name, value));
                Ok(made.warning)
            }
        }
    }
}

/// A message with folders before it, and the descriptor made to say so.
pub(super) fn with_folders(
    folders: Vec<String>,
    descriptor: &mut MessageDescriptor,
    body: &Bytes,
) -> Result<Bytes, String> {
    let (place, body) =
        put_before(folders, &Place::of(descriptor), body).map_err(|reason| reason.to_string())?;
    place.describe(descriptor);
    Ok(body)
}

/// The folders of a message's first header, if it has one, and what follows.
pub(super) fn folders_of(descriptor: &MessageDescriptor, body: &Bytes) -> (Vec<String>, Bytes) {
    match take_first(&Place::of(descriptor), body) {
        Ok(parts) => (parts.folders, parts.body),
        Err(_) => (Vec::new(), body.clone()),
    }
}

fn taken_apart(descriptor: &MessageDescriptor, body: &Bytes) -> Facts {
    let (folders, data) = folders_of(descriptor, body);
    let mut facts: Vec<_> = folders.into_iter().map(|text| ("folder".to_owned(), text)).collect();
    facts.push(("data".to_owned(), String::from_utf8_lossy(&data).into_owned()));
    for field in ["Format", "CodedCharSetId", "Encoding"] {
        facts.push((format!("md.{field}"), fields::get(descriptor, field).expect("a field")));
    }
    facts
}

/// Reads the words of a result: pairs of a fact and its value, and a reason.
pub(super) fn facts_expected(
    words: &mut Words<'_>,
    inquires: bool,
    reason_of: impl Fn(&str) -> Result<Reason, String>,
) -> Result<(Facts, Option<Reason>), String> {
    let mut facts = Vec::new();
    let mut reason = None;
    while let Some(word) = words.next() {
        let Word::Plain(word) = word else { return Err(format!("unexpected {word:?}")) };
        if inquires && TYPES.iter().any(|(name, _)| *name == word) {
            facts.push(("type".to_owned(), word.to_owned()));
            facts.push(("value".to_owned(), words.plain("a value")?.to_owned()));
        } else if word.starts_with("MQRC_") || word.starts_with(|first: char| first.is_ascii_digit()) {
            reason = Some(reason_of(word)?);
        } else {
            facts.push((word.to_owned(), words.plain("a value")?.to_owned()));
        }
    }
    Ok((facts, reason))
}
