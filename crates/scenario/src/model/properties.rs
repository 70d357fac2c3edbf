//! Message handles and the properties of messages.
//!
//! The model knows properties of one element in the folder `usr`, as texts, integers and truth values. A call
//! that says more makes its handle one that is not known: what such a handle answers is not judged, and a
//! message put with it ends the comparison.

use std::collections::BTreeMap;

use mqi::{MessageDescriptor, PutAction, Reason, constants};

use super::{Manager, Unmodelled};
use crate::Expected;
use crate::handles::{HandleCall, Naming, ProgramValue, Verb};

/// A property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) said: Said,
}

/// Attributes of a property beside its value, as far as they go with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    is_context: bool,
    copy: i32,
}

impl Default for Said {
    fn default() -> Self {
        Self { is_context: false, copy: 22 }
    }
}

/// Kinds of messages that a property may go on to.
const COPIES: [(&str, i32); 5] = [("all", 1), ("forward", 2), ("publish", 4), ("reply", 8), ("report", 16)];

impl Said {
    /// Reads the attributes from a program; none when the model does not know.
    fn of([options, support, context, copy]: [i32; 4]) -> Option<Self> {
        // What must be understood is not said of properties that programs name.
        let is_known = options == 0 && [1, 1 << 10, 1 << 20].contains(&support);
        let is_right = is_known && (0..=1).contains(&context) && copy & !31 == 0;
        is_right.then_some(Self { is_context: context == 1, copy })
    }

    /// True if it goes on to a message made by this action.
    fn goes_on(self, action: PutAction) -> bool {
        let bit = match action {
            PutAction::New => return true,
            PutAction::Forward => 2,
            PutAction::Reply => 8,
            PutAction::Report => 16,
        };
        self.copy & (1 | bit) != 0
    }

    fn attributes(self) -> String {
        let context = if self.is_context { " context='user'" } else { "" };
        if self.copy == 22 {
            return context.to_owned();
        }
        let words: Vec<&str> =
            COPIES.iter().filter(|(_, bit)| self.copy & bit != 0).map(|(word, _)| *word).collect();
        format!("{context} copy='{}'", words.join(","))
    }

    /// Reads an attribute; false for one that is not of these.
    fn read(&mut self, attribute: &str) -> bool {
        if attribute == "context='user'" {
            self.is_context = true;
        } else if let Some(words) = attribute.strip_prefix("copy='").and_then(|rest| rest.strip_suffix('\''))
        {
            let bits = COPIES.iter().filter(|(known, _)| words.split(',').any(|word| word == *known));
            self.copy = bits.map(|(_, bit)| bit).sum();
        } else {
            return false;
        }
        true
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Integer(i32),
    Truth(bool),
}

/// A message handle.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// The client whose it is; none when it belongs to no connection.
    owner: Option<String>,
    validates: bool,
    properties: Vec<Property>,
    cursor: Option<Cursor>,
    is_unknown: bool,
}

/// Last property asked for, and the name it was asked for by.
#[derive(Clone, Debug)]
struct Cursor {
    on: Place,
    name: String,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    On(usize),
    /// The property here was deleted.
    Before(usize),
}

/// Answer of a call: facts and a reason; none when the model does not know.
type Answer = Option<Expected>;

fn refusal(reason: Reason) -> Expected {
    Expected { reason: Some(reason), ..Expected::default() }
}

impl Value {
    fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Integer(_) | Self::Truth(_) => 4,
        }
    }

    fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Integer(number) => number.to_string(),
            Self::Truth(true) => "TRUE".to_owned(),
            Self::Truth(false) => "FALSE".to_owned(),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "string",
            Self::Integer(_) => "int32",
            Self::Truth(_) => "boolean",
        }
    }

    /// A value as a program passes it.
    fn of(passed: &ProgramValue) -> Option<Self> {
        let is_plain = usize::try_from(passed.length).is_ok_and(|length| length == passed.bytes.len())
            && passed.encoding == constants::MQENC_NATIVE
            && passed.ccsid == constants::MQCCSI_APPL;
        let number = || Some(i32::from_le_bytes(passed.bytes[..].try_into().ok()?));
        match passed.kind {
            _ if !is_plain => None,
            constants::MQTYPE_STRING => String::from_utf8(passed.bytes.to_vec()).ok().map(Self::Text),
            constants::MQTYPE_INT32 => number().map(Self::Integer),
            constants::MQTYPE_BOOLEAN => number().map(|number| Self::Truth(number != 0)),
            _ => None,
        }
    }
}

impl Property {
    /// True if it is one that describes a publication.
    pub(super) fn is_of_publication(&self) -> bool {
        OF_PUBLICATIONS.iter().any(|(name, _)| *name == self.name)
    }

    /// True if subscribers are given it.
    pub(super) fn is_published(&self) -> bool {
        self.said.copy & (1 | 4) != 0
    }

    fn element(&self) -> String {
        let Self { name, value, said } = self;
        let said = said.attributes();
        match value {
            Value::Text(text) => format!("<{name}{said}>{text}</{name}>"),
            Value::Integer(number) => format!("<{name} dt='i4'{said}>{number}</{name}>"),
            Value::Truth(truth) => format!("<{name} dt='boolean'{said}>{}</{name}>", u8::from(*truth)),
        }
    }
}

/// The properties as a folder; none when there are none.
pub(super) fn folder(properties: &[Property]) -> Option<String> {
    let elements: String = properties.iter().map(Property::element).collect();
    (!properties.is_empty()).then(|| format!("<usr>{elements}</usr>"))
}

/// Returns the folder that describes a publication; none for other messages.
pub(super) fn folder_of_publication(published: &[Property]) -> Option<String> {
    let element = |property: &Property| {
        let of_name = OF_PUBLICATIONS.iter().find(|(name, _)| *name == property.name);
        let (_, element) = of_name.expect("publications say nothing else of themselves");
        Property { name: (*element).to_owned(), ..property.clone() }.element()
    };
    let elements: String = published.iter().map(element).collect();
    (!published.is_empty()).then(|| format!("<mqps>{elements}</mqps>"))
}

/// Reads a folder, when it is one that the model knows.
fn read(folder: &str) -> Option<Vec<Property>> {
    let mut rest = folder.strip_prefix("<usr>")?.strip_suffix("</usr>")?;
    let mut properties = Vec::new();
    while !rest.is_empty() {
        let (head, behind) = rest.strip_prefix('<')?.split_once('>')?;
        let mut words = head.split(' ');
        let name = words.next()?;
        let (mut said, mut kind) = (Said::default(), "");
        for word in words {
            if !said.read(word) {
                kind = word;
            }
        }
        let (text, behind) = behind.split_once(&format!("</{name}>"))?;
        let value = match kind {
            "" => Value::Text(text.to_owned()),
            "dt='i4'" => Value::Integer(text.parse().ok()?),
            "dt='boolean'" if text == "1" || text == "0" => Value::Truth(text == "1"),
            _ => return None,
        };
        if !is_plain(name) || text.contains(['<', '&']) {
            return None;
        }
        properties.push(Property { name: name.to_owned(), value, said });
        rest = behind;
    }
    Some(properties)
}

/// Reads the header of properties before a body: the properties, the body, and where that is described; none
/// when there is more to it than the model knows.
pub(super) fn take_apart(
    descriptor: &MessageDescriptor,
    message: &bytes::Bytes,
) -> Option<(Vec<Property>, bytes::Bytes, MessageDescriptor)> {
    let at = |from: usize| Some(i32::from_le_bytes(message.get(from..from + 4)?.try_into().ok()?));
    let is_header = message.get(..4)? == b"RFH " && descriptor.encoding.code() == constants::MQENC_NATIVE;
    let length = usize::try_from(at(8)?).ok().filter(|_| is_header)?;
    let mut properties = Vec::new();
    let mut from = 36;
    while from < length {
        let bytes = usize::try_from(at(from)?).ok()?;
        let text = std::str::from_utf8(message.get(from + 4..from + 4 + bytes)?).ok()?;
        properties.extend(read(text.trim_end_matches(' '))?);
        from += 4 + bytes;
    }
    let mut described = descriptor.clone();
    let format = std::str::from_utf8(message.get(20..28)?).ok()?;
    described.format = format.trim_end().parse().ok()?;
    described.encoding = mqi::Encoding(at(12)?);
    described.coded_character_set = at(16)?;
    Some((properties, message.slice(length..), described))
}

/// Length of the header of these folders.
pub(super) fn header_length(folders: &[String]) -> usize {
    let of_folders: usize = folders.iter().map(|text| 4 + text.len().next_multiple_of(4)).sum();
    if folders.is_empty() { 0 } else { 36 + of_folders }
}

/// Words that no property may be called.
const RESERVED: [&str; 2] = ["Between", "Not"];

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

impl Held {
    /// True if no connection's end ends it.
    pub(super) fn is_unassociated(&self) -> bool {
        self.owner.is_none()
    }

    fn is_of(&self, client: &str) -> bool {
        self.owner.as_deref().is_none_or(|owner| owner == client)
    }

    fn on_cursor(&self) -> Result<usize, Reason> {
        match self.cursor {
            Some(Cursor { on: Place::On(index), .. }) => Ok(index),
            _ => Err(Reason::PROPERTY_NOT_AVAILABLE),
        }
    }

    /// Why a name may not be set; none in `Ok` when the model does not know.
    fn judge(&self, name: &str) -> Option<Result<(), Reason>> {
        match name {
            "" => Some(Err(Reason::PROPERTY_NAME_LENGTH_ERR)),
            name if name.contains(' ') => Some(Err(Reason::PROPERTY_NAME_ERROR)),
            name if RESERVED.contains(&name) && self.validates => Some(Err(Reason::PROPERTY_NAME_ERROR)),
            name if RESERVED.contains(&name) || is_plain(name) => Some(Ok(())),
            _ => None,
        }
    }

    /// Behind those of the same name, or behind all.
    fn place_behind(&self, name: &str) -> usize {
        let last = self.properties.iter().rposition(|property| property.name == name);
        last.map_or(self.properties.len(), |index| index + 1)
    }

    fn set(&mut self, options: i32, name: &str, value: Value, said: Said) -> Result<(), Reason> {
        let named = || Property { name: name.to_owned(), value: value.clone(), said };
        let at = match options {
            constants::MQSMPO_SET_PROP_UNDER_CURSOR => {
                let index = self.on_cursor()?;
                (self.properties[index].value, self.properties[index].said) = (value, said);
                return Ok(());
            }
            constants::MQSMPO_SET_PROP_AFTER_CURSOR => self.on_cursor()? + 1,
            constants::MQSMPO_SET_PROP_BEFORE_CURSOR => self.on_cursor()?,
            constants::MQSMPO_APPEND_PROPERTY => self.place_behind(name),
            _ => match self.properties.iter().position(|property| property.name == name) {
                Some(first) => {
                    (self.properties[first].value, self.properties[first].said) = (value, said);
                    return Ok(());
                }
                None => self.place_behind(name),
            },
        };
        self.properties.insert(at, named());
        if let Some(Cursor { on: Place::On(index) | Place::Before(index), .. }) = &mut self.cursor
            && *index >= at
        {
            *index += 1;
        }
        Ok(())
    }

    fn remove(&mut self, at: usize) {
        self.properties.remove(at);
        if let Some(cursor) = &mut self.cursor {
            match &mut cursor.on {
                Place::On(index) if *index == at => cursor.on = Place::Before(at),
                Place::On(index) | Place::Before(index) if *index > at => *index -= 1,
                _ => {}
            }
        }
    }

    /// True if a name with a percent sign at its end, or without, means a property.
    fn means(name: &str, property: &Property) -> bool {
        match name.strip_suffix('%') {
            Some(beginning) => property.name.starts_with(beginning),
            None => property.name == name,
        }
    }

    /// The first property that a name means, or the next one.
    fn find(&self, name: &str, goes_on: bool) -> Option<usize> {
        let from = match &self.cursor {
            Some(cursor) if goes_on && cursor.name == name => match cursor.on {
                Place::On(index) => index + 1,
                Place::Before(index) => index,
            },
            _ => 0,
        };
        let mut places = from..self.properties.len();
        places.find(|index| Self::means(name, &self.properties[*index]))
    }

    /// Checks that an inquiry may be by this name; none when the model does not know.
    fn may_ask(&self, name: &str) -> Option<Result<(), Reason>> {
        match name.strip_suffix('%') {
            Some(beginning) if beginning.is_empty() || is_plain(beginning) => Some(Ok(())),
            Some(_) => None,
            None if RESERVED.contains(&name) && self.properties.iter().any(|other| other.name == name) => {
                Some(Ok(()))
            }
            None => self.judge(name),
        }
    }
}

/// The properties of a message that is put: those that the original passes on, and over them those of the new
/// handle.
fn merged(original: Option<Vec<Property>>, new: Option<Vec<Property>>, action: PutAction) -> Vec<Property> {
    let mut passed = original.unwrap_or_default();
    // What a publication says of itself is not of what is made of it.
    passed.retain(|property| property.said.goes_on(action) && !property.is_of_publication());
    let new = new.unwrap_or_default();
    let mut all: Vec<Property> = Vec::new();
    for property in &passed {
        let is_placed = all.iter().any(|other| other.name == property.name && new.contains(other));
        let same = || new.iter().filter(|other| other.name == property.name);
        match same().next() {
            None => all.push(property.clone()),
            Some(_) if is_placed => {}
            Some(_) => all.extend(same().cloned()),
        }
    }
    let is_further = |property: &&Property| !passed.iter().any(|other| other.name == property.name);
    all.extend(new.iter().filter(is_further).cloned());
    all
}

/// Properties of a publication, each with the name of its element.
const OF_PUBLICATIONS: [(&str, &str); 3] =
    [("MQTopicString", "Top"), ("MQIsRetained", "Ret"), ("MQSubUserData", "Sud")];

/// The types that an inquiry may ask for.
const TYPES: [i32; 11] = [0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// The only version of these structures.
const VERSION: i32 = 1;

/// Refuses options: too many of a kind, or one that there is not.
fn check(options: i32, known: i32, choice: i32) -> Result<(), Reason> {
    if options & !known != 0 || (options & choice).count_ones() > 1 {
        Err(Reason::OPTIONS_ERROR)
    } else {
        Ok(())
    }
}

impl Manager {
    /// The handle of a name, if the client may use it.
    fn held(&mut self, client: &str, name: &str) -> Result<&mut Held, Reason> {
        let found = self.message_handles.get_mut(name);
        found.filter(|held| held.is_of(client)).ok_or(Reason::HMSG_ERROR)
    }

    /// A call on a message handle.
    pub(super) fn call_on_handle(&mut self, client: &str, call: &HandleCall) -> Answer {
        let versions = [
            (matches!(call.verb, Verb::Create { .. }), Reason::CMHO_ERROR),
            (matches!(call.verb, Verb::Delete), Reason::DMHO_ERROR),
            (matches!(call.verb, Verb::Set { .. }), Reason::SMPO_ERROR),
            (matches!(call.verb, Verb::Inquire { .. }), Reason::IMPO_ERROR),
            (matches!(call.verb, Verb::DeleteProperty { .. }), Reason::DMPO_ERROR),
            (matches!(call.verb, Verb::FromBuffer { .. }), Reason::BMHO_ERROR),
            (matches!(call.verb, Verb::ToBuffer { .. }), Reason::MHBO_ERROR),
        ];
        let of_version = versions.iter().find(|(is_this, _)| *is_this);
        if call.version != VERSION {
            return of_version.map(|(_, reason)| refusal(*reason));
        }
        let answer = self.try_call_on_handle(client, call);
        answer.map(|answer| answer.unwrap_or_else(refusal))
    }

    fn try_call_on_handle(&mut self, client: &str, call: &HandleCall) -> Option<Result<Expected, Reason>> {
        let HandleCall { verb, handle, options, .. } = call;
        let options = *options;
        let done = Some(Ok(Expected::default()));
        match verb {
            Verb::Create { unassociated } => {
                let choice = constants::MQCMHO_VALIDATE | constants::MQCMHO_NO_VALIDATION;
                if let Err(reason) = check(options, choice, choice) {
                    return Some(Err(reason));
                }
                let held = Held {
                    owner: (!unassociated).then(|| client.to_owned()),
                    validates: options & constants::MQCMHO_NO_VALIDATION == 0,
                    properties: Vec::new(),
                    cursor: None,
                    is_unknown: *unassociated,
                };
                self.message_handles.insert(handle.clone(), held);
                done
            }
            Verb::Delete => {
                if options != 0 {
                    return Some(Err(Reason::OPTIONS_ERROR));
                }
                let is_known = self.held(client, handle).map(|held| !held.is_unknown);
                self.message_handles.retain(|name, held| name != handle || !held.is_of(client));
                match is_known {
                    Ok(true) => done,
                    Ok(false) => None,
                    Err(reason) => Some(Err(reason)),
                }
            }
            Verb::Set { name, descriptor, value } => {
                self.set_property(client, handle, options, (name, descriptor, value))
            }
            Verb::Inquire { .. } => self.inquire_property(client, handle, options, verb),
            Verb::DeleteProperty { name } => {
                let held = match self.known(client, handle)? {
                    Ok(held) => held,
                    Err(reason) => return Some(Err(reason)),
                };
                if let Err(reason) = check(options, constants::MQDMPO_DEL_PROP_UNDER_CURSOR, 0) {
                    return Some(Err(reason));
                }
                let place = if options != 0 {
                    held.on_cursor()
                } else if name.ends_with('%') {
                    Err(Reason::PROPERTY_NAME_ERROR)
                } else {
                    match held.may_ask(name) {
                        Some(judged) => {
                            judged.and_then(|()| held.find(name, false).ok_or(Reason::PROPERTY_NOT_AVAILABLE))
                        }
                        None => {
                            held.is_unknown = true;
                            return None;
                        }
                    }
                };
                Some(place.map(|at| {
                    held.remove(at);
                    Expected::default()
                }))
            }
            Verb::FromBuffer { descriptor, message } => {
                if let Err(reason) = check(options, constants::MQBMHO_DELETE_PROPERTIES, 0) {
                    return Some(Err(reason));
                }
                let held = match self.known(client, handle)? {
                    Ok(held) => held,
                    Err(reason) => return Some(Err(reason)),
                };
                let Some((properties, body, _)) = take_apart(descriptor, message) else {
                    held.is_unknown = true;
                    return None;
                };
                let text = folder(&properties);
                (held.properties, held.cursor) = (properties, None);
                let mut facts = vec![("data".to_owned(), String::from_utf8_lossy(&body).into_owned())];
                if options == 0 {
                    facts.extend(text.map(|text| ("folder".to_owned(), text)));
                }
                Some(Ok(Expected { facts, ..Expected::default() }))
            }
            Verb::ToBuffer { name, buffer, .. } => {
                if *buffer < 0 {
                    return Some(Err(Reason::BUFFER_LENGTH_ERROR));
                }
                let wanted = constants::MQMHBO_PROPERTIES_IN_MQRFH2;
                let deleting = constants::MQMHBO_DELETE_PROPERTIES;
                if options & wanted == 0 || options & !(wanted | deleting) != 0 {
                    return Some(Err(Reason::OPTIONS_ERROR));
                }
                let held = match self.known(client, handle)? {
                    Ok(held) => held,
                    Err(reason) => return Some(Err(reason)),
                };
                if let Err(reason) = held.may_ask(name)? {
                    return Some(Err(reason));
                }
                let meant = |property: &&Property| Held::means(name, property);
                let found: Vec<Property> = held.properties.iter().filter(meant).cloned().collect();
                let (published, own): (Vec<_>, Vec<_>) =
                    found.into_iter().partition(Property::is_of_publication);
                let texts: Vec<String> =
                    folder_of_publication(&published).into_iter().chain(folder(&own)).collect();
                if texts.is_empty() {
                    return Some(Err(Reason::PROPERTY_NOT_AVAILABLE));
                }
                if header_length(&texts) > usize::try_from(*buffer).unwrap_or_default() {
                    return Some(Err(Reason::PROPERTY_VALUE_TOO_BIG));
                }
                if options & deleting != 0 {
                    for at in (0..held.properties.len()).rev() {
                        if Held::means(name, &held.properties[at]) {
                            held.remove(at);
                        }
                    }
                }
                let facts = texts.into_iter().map(|text| ("folder".to_owned(), text)).collect();
                Some(Ok(Expected { facts, ..Expected::default() }))
            }
        }
    }

    /// The handle of a name; none when what it holds is not known.
    fn known(&mut self, client: &str, name: &str) -> Option<Result<&mut Held, Reason>> {
        match self.held(client, name) {
            Ok(held) if held.is_unknown => None,
            found => Some(found),
        }
    }

    fn set_property(
        &mut self,
        client: &str,
        handle: &str,
        options: i32,
        (name, descriptor, value): (&str, &[i32; 5], &ProgramValue),
    ) -> Option<Result<Expected, Reason>> {
        let choice = constants::MQSMPO_SET_PROP_UNDER_CURSOR
            | constants::MQSMPO_SET_PROP_AFTER_CURSOR
            | constants::MQSMPO_APPEND_PROPERTY
            | constants::MQSMPO_SET_PROP_BEFORE_CURSOR;
        let [version, plain @ ..] = descriptor;
        if *version != VERSION {
            return Some(Err(Reason::PD_ERROR));
        }
        let (value, said) = match (Value::of(value), Said::of(*plain)) {
            _ if value.length < -1 => return Some(Err(Reason::BUFFER_LENGTH_ERROR)),
            (Some(value), Some(said)) => (value, said),
            // Its handle has something that is not known, unless it was refused.
            _ => {
                if let Ok(held) = self.held(client, handle) {
                    held.is_unknown = true;
                }
                return None;
            }
        };
        let held = match self.known(client, handle)? {
            Ok(held) => held,
            Err(reason) => return Some(Err(reason)),
        };
        if let Err(reason) = check(options, choice, choice) {
            return Some(Err(reason));
        }
        let is_named = options != constants::MQSMPO_SET_PROP_UNDER_CURSOR;
        match held.judge(name) {
            Some(Err(reason)) if is_named => return Some(Err(reason)),
            None if is_named => {
                held.is_unknown = true;
                return None;
            }
            _ => {}
        }
        Some(held.set(options, name, value, said).map(|()| Expected::default()))
    }

    fn inquire_property(
        &mut self,
        client: &str,
        handle: &str,
        options: i32,
        verb: &Verb,
    ) -> Option<Result<Expected, Reason>> {
        let Verb::Inquire { name, kind, buffer, name_buffer, encoding, ccsid } = verb else { return None };
        let under = constants::MQIMPO_INQ_PROP_UNDER_CURSOR;
        let choice = constants::MQIMPO_INQ_NEXT | under;
        let (query, to_type, to_value) =
            (constants::MQIMPO_QUERY_LENGTH, constants::MQIMPO_CONVERT_TYPE, constants::MQIMPO_CONVERT_VALUE);
        if !TYPES.contains(kind) {
            return Some(Err(Reason::PROPERTY_TYPE_ERROR));
        }
        let Ok(buffer) = usize::try_from(*buffer) else { return Some(Err(Reason::BUFFER_LENGTH_ERROR)) };
        let held = match self.known(client, handle)? {
            Ok(held) => held,
            Err(reason) => return Some(Err(reason)),
        };
        if let Err(reason) = check(options, choice | query | to_type | to_value, choice) {
            return Some(Err(reason));
        }
        let is_plain = (*encoding, *ccsid) == (constants::MQENC_NATIVE, constants::MQCCSI_APPL);
        let is_text = *kind == constants::MQTYPE_STRING;
        if !is_plain || *kind != 0 && !is_text || name_buffer.is_some() {
            held.is_unknown = true;
            return None;
        }
        let place = if options & under != 0 {
            held.on_cursor()
        } else {
            match held.may_ask(name) {
                None => {
                    held.is_unknown = true;
                    return None;
                }
                Some(judged) => judged.and_then(|()| {
                    let goes_on = options & constants::MQIMPO_INQ_NEXT != 0;
                    held.find(name, goes_on).ok_or(Reason::PROPERTY_NOT_AVAILABLE)
                }),
            }
        };
        let at = match place {
            Ok(at) => at,
            Err(reason) => return Some(Err(reason)),
        };
        let Property { name: found, value, .. } = held.properties[at].clone();
        let value = match is_text && options & to_type != 0 {
            true => Value::Text(value.written()),
            false => value,
        };
        let fact = |name: &str, value: String| (name.to_owned(), value);
        let mut facts = vec![fact("name", found), fact("length", value.length().to_string())];
        if options & query == 0 && value.length() > buffer {
            let reason = Some(Reason::PROPERTY_VALUE_TOO_BIG);
            return Some(Ok(Expected { facts, reason, ..Expected::default() }));
        }
        let by = match &held.cursor {
            Some(cursor) if options & under != 0 => cursor.name.clone(),
            _ => name.clone(),
        };
        held.cursor = Some(Cursor { on: Place::On(at), name: by });
        facts.extend([fact("type", value.kind().to_owned()), fact("value", value.written())]);
        Some(Ok(Expected { facts, ..Expected::default() }))
    }

    /// The properties that a put takes from its handles.
    pub(super) fn composed(
        &mut self,
        client: &str,
        naming: &Naming,
        action: PutAction,
    ) -> Result<Result<Vec<Property>, Reason>, Unmodelled> {
        let mut of = |name: &Option<String>| match name.as_deref() {
            None | Some("none") => Ok(Ok(None)),
            Some(name) => match self.known(client, name) {
                Some(Ok(held)) => Ok(Ok(Some(held.properties.clone()))),
                Some(Err(reason)) => Ok(Err(reason)),
                None => Err(Unmodelled::change("a message handle of a put or a get")),
            },
        };
        let new = match of(&naming.new)? {
            Ok(new) => new,
            Err(reason) => return Ok(Err(reason)),
        };
        let original = match of(&naming.original)? {
            _ if naming.new == naming.original => None,
            Ok(original) => original,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(Ok(merged(original, new, action)))
    }

    /// True if a client may use the handle of a name.
    pub(super) fn has_handle(&mut self, client: &str, name: &str) -> bool {
        self.held(client, name).is_ok()
    }

    /// Handles of a connection end with it.
    pub(super) fn end_handles(&mut self, client: &str) {
        self.message_handles.retain(|_, held| held.owner.as_deref() != Some(client));
    }

    /// A handle stands for a message from now on.
    pub(super) fn stand_for(&mut self, handle: &str, properties: Vec<Property>) {
        if let Some(held) = self.message_handles.get_mut(handle) {
            (held.properties, held.cursor, held.is_unknown) = (properties, None, false);
        }
    }
}

/// The handles by their names.
pub(super) type MessageHandles = BTreeMap<String, Held>;
