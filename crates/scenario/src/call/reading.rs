//! Reading a call, and what is expected of it, from the words of a step.

use std::time::Duration;

use bytes::Bytes;
use mqi::{
    AccountingChoice, AttributeValue, CloseOptions, CorrelationId, Expiry, GetFlags, GetOptions,
    MatchOptions, MessageDescriptor, MessageFlags, MessageId, ObjectDescriptor, ObjectName, ObjectType,
    OpenOptions, Persistence, Priority, PutAction, PutFlags, PutOptions, Reason, ReportOptions, Selector,
    StatusType, Wait, constants,
};

use super::{Call, Expected, is_browse, subscribing};
use crate::characters::Conversion;
use crate::consuming::{Consume, Control};
use crate::fields::{self, FieldExpected, identifier};
use crate::handles::{self, HandleCall, Naming};
use crate::structures::StructureExpected;
use crate::through::Through;

/// The words of a step, taken one by one.
#[derive(Clone)]
pub(crate) struct Words<'a> {
    words: std::vec::IntoIter<Word<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word<'a> {
    Plain(&'a str),
    Quoted(&'a str),
}

impl<'a> Words<'a> {
    pub(crate) fn of(text: &'a str) -> Result<Self, String> {
        let mut words = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            if let Some(quoted) = rest.strip_prefix('"') {
                let end = quoted.find('"').ok_or("a quote is not closed")?;
                words.push(Word::Quoted(&quoted[..end]));
                rest = quoted[end + 1..].trim_start();
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                words.push(Word::Plain(&rest[..end]));
                rest = rest[end..].trim_start();
            }
        }
        Ok(Self { words: words.into_iter() })
    }

    pub(crate) fn next(&mut self) -> Option<Word<'a>> {
        self.words.next()
    }

    /// Goes on with these words.
    pub(crate) fn replace(&mut self, words: Vec<Word<'a>>) {
        self.words = words.into_iter();
    }

    pub(crate) fn plain(&mut self, what: &str) -> Result<&'a str, String> {
        match self.next() {
            Some(Word::Plain(word) | Word::Quoted(word)) => Ok(word),
            None => Err(format!("{what} is missing")),
        }
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self, what: &str) -> Result<N, String> {
        let word = self.plain(what)?;
        word.parse().map_err(|_| format!("{what} is not a number: {word}"))
    }

    pub(super) fn name(&mut self) -> Result<ObjectName, String> {
        let word = self.plain("a queue name")?;
        word.parse().map_err(|error| format!("{word}: {error}"))
    }

    fn body(&mut self) -> Result<Bytes, String> {
        match self.next() {
            Some(Word::Quoted(text)) => Ok(Bytes::copy_from_slice(text.as_bytes())),
            Some(Word::Plain(count)) => {
                let bytes = count.parse().map_err(|_| format!("not a body: {count}"))?;
                match self.next() {
                    Some(Word::Plain("bytes")) => Ok(patterned(bytes)),
                    other => Err(format!("expected `bytes`, found {other:?}")),
                }
            }
            None => Err("a body is missing".to_owned()),
        }
    }

    pub(super) fn duration(&mut self, what: &str) -> Result<Duration, String> {
        duration(self.plain(what)?)
    }
}

/// `5s`, `200ms`, `2m`.
pub(crate) fn duration(word: &str) -> Result<Duration, String> {
    let digits = word.find(|character: char| !character.is_ascii_digit()).unwrap_or(word.len());
    let (number, unit) = word.split_at(digits);
    let number: u64 = number.parse().map_err(|_| format!("not a duration: {word}"))?;
    match unit {
        "ms" => Ok(Duration::from_millis(number)),
        "s" => Ok(Duration::from_secs(number)),
        "m" => Ok(Duration::from_secs(number * 60)),
        _ => Err(format!("not a duration (ms, s, m): {word}")),
    }
}

/// A body of so many bytes in which every place differs from its neighbours: byte `at` is
/// `(at * 31 + at / 251) % 251`.
fn patterned(bytes: usize) -> Bytes {
    // Each 251 bytes are those before, turned by 81 places, since 81 * 31 is 1 modulo 251. They are copied:
    // computed one by one they took as long as the calls of the scenarios.
    const ROW: usize = 251;
    const TURN: usize = 81;
    let rows: Vec<u8> = (0..2 * ROW).map(|at| u8::try_from(at * 31 % ROW).expect("below 251")).collect();
    let mut body = Vec::with_capacity(bytes);
    for row in 0..bytes.div_ceil(ROW) {
        let from = row * TURN % ROW;
        body.extend_from_slice(&rows[from..from + ROW.min(bytes - body.len())]);
    }
    body.into()
}

impl Call {
    /// Reads a call from the text after `CLIENT:`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut words = Words::of(text)?;
        let verb = words.plain("a verb")?;
        if let Some(call) = HandleCall::parse(verb, words.clone())? {
            return Ok(Self::Handle(Box::new(call)));
        }
        let through = Through::take(&mut words)?;
        let call = match verb {
            "put" => put(words).and_then(|(object, descriptor, options, body, naming)| {
                let name = object.object_name;
                if *object != ObjectDescriptor::queue(name) {
                    return Err("a put goes to what was opened".to_owned());
                }
                Ok(Self::Put { name, descriptor, options, body }.naming(naming))
            }),
            "put1" => put(words).map(|(object, descriptor, options, body, naming)| {
                Self::Put1 { object, descriptor, options, body }.naming(naming)
            }),
            "get" => get(words, GetFlags::EMPTY),
            "browse" => browse(words),
            "unlock" => get(words, GetFlags::UNLOCK),
            "open" => open(words),
            "close" => close(words),
            "subscribe" => subscribing::subscribe(words),
            "unsubscribe" => subscribing::unsubscribe(words),
            "request" => subscribing::request(words),
            "inquire" => inquire(words),
            "set" => set(words),
            "consume" => consume(words),
            "control" => Control::parse(words).map(Self::Control),
            "begin" => Ok(Self::Begin),
            "prepare" => Ok(Self::Prepare),
            "decide" => decide(words),
            "commit" => Ok(Self::Commit),
            "back" => Ok(Self::Back),
            "stat" => stat(words),
            "convert" => Conversion::parse(words).map(|conversion| Self::Convert(Box::new(conversion))),
            "connect" => connect(words),
            "disconnect" => Ok(Self::Disconnect),
            verb => Err(format!("no such verb: {verb}")),
        };
        call.map(|call| through.of(call))
    }

    fn naming(self, naming: Naming) -> Self {
        if naming.is_empty() { self } else { Self::Naming { call: Box::new(self), naming } }
    }
}

fn connect(mut words: Words<'_>) -> Result<Call, String> {
    let mut options = 0;
    while let Some(word) = words.next() {
        let named = match word {
            Word::Plain(word) => word.strip_prefix('+').map(fields::option).transpose()?,
            _ => None,
        };
        match named {
            Some(("MQCNO", bits)) => options |= bits,
            _ => return Err("connect takes options of MQCNO".to_owned()),
        }
    }
    AccountingChoice::of_options(options).map(Call::Connect).map_err(|reason| reason.to_string())
}

type PutParts = (Box<ObjectDescriptor>, Box<MessageDescriptor>, PutOptions, Bytes, Naming);

fn put(mut words: Words<'_>) -> Result<PutParts, String> {
    let mut object = Box::new(ObjectDescriptor::queue(words.name()?));
    let mut body = words.body()?;
    let mut naming = Naming::default();
    let mut folders = Vec::new();
    let mut descriptor = Box::<MessageDescriptor>::default();
    let mut options = PutOptions { flags: PutFlags::EMPTY, ..PutOptions::default() };
    let mut says_where = true;
    while let Some(word) = words.next() {
        match word {
            Word::Plain("persistent") => descriptor.persistence = Persistence::Persistent,
            Word::Plain("nonpersistent") => descriptor.persistence = Persistence::NotPersistent,
            Word::Plain("priority") => {
                descriptor.priority =
                    Priority::from_code(words.number("a priority")?).map_err(|reason| reason.to_string())?;
            }
            Word::Plain("expiry") => {
                let tenths = words.duration("an expiry")?.as_millis() / 100;
                descriptor.expiry = Expiry::tenths(u32::try_from(tenths).map_err(|error| error.to_string())?);
            }
            Word::Plain("message-id") => {
                descriptor.message_id =
                    MessageId::from_bytes(identifier(words.plain("a message identifier")?)?);
            }
            Word::Plain("correlation-id") => {
                descriptor.correlation_id =
                    CorrelationId::from_bytes(identifier(words.plain("a correlation identifier")?)?);
            }
            Word::Plain("type") => {
                object.object_type = ObjectType::from_code(fields::number(words.plain("a type")?)?);
            }
            Word::Plain("string") => object.object_string = words.plain("a topic string")?.to_owned(),
            Word::Plain("level") => options.publication_level = words.number("a level")?,
            Word::Plain("reply-to") => descriptor.reply_to_queue = words.name()?.into(),
            Word::Plain("syncpoint") => options.flags |= PutFlags::SYNCPOINT,
            Word::Plain("+MQPMO_NONE") => says_where = false,
            Word::Plain("folder") => folders.push(words.plain("a folder")?.to_owned()),
            Word::Plain("original-handle") => naming.original = Some(words.plain("a handle")?.to_owned()),
            Word::Plain("new-handle") => naming.new = Some(words.plain("a handle")?.to_owned()),
            Word::Plain("action") => {
                let action = fields::number(words.plain("an action")?)?;
                options.action = PutAction::from_code(action).map_err(|reason| reason.to_string())?;
            }
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQPMO", bits) => options.flags |= PutFlags::from_bits(bits),
                ("MQRO", bits) => descriptor.report |= ReportOptions::from_bits(bits),
                ("MQMF", bits) => descriptor.message_flags |= MessageFlags::from_bits(bits),
                _ => return Err(format!("a put does not know {word}")),
            },
            Word::Plain(word) if word.starts_with("md.") => {
                fields::set(&mut descriptor, &word[3..], words.plain("a value")?)?;
            }
            other => return Err(format!("a put does not know {other:?}")),
        }
    }
    if says_where && !options.flags.intersects(PutFlags::SYNCPOINT | PutFlags::NO_SYNCPOINT) {
        options.flags |= PutFlags::NO_SYNCPOINT;
    }
    if !folders.is_empty() {
        body = handles::with_folders(folders, &mut descriptor, &body)?;
    }
    Ok((object, descriptor, options, body, naming))
}

/// Enough for any scenario that does not ask for a buffer of its own.
const BUFFER_BYTES: usize = 4 << 20;

fn get(mut words: Words<'_>, how: GetFlags) -> Result<Call, String> {
    let name = words.name()?;
    get_from(words, name, how)
}

fn get_from(mut words: Words<'_>, name: ObjectName, how: GetFlags) -> Result<Call, String> {
    let mut descriptor = Box::<MessageDescriptor>::default();
    let mut options = GetOptions { match_options: MatchOptions::EMPTY, ..GetOptions::default() };
    let mut flags = how;
    let mut naming = Naming::default();
    let mut bytes_max = BUFFER_BYTES;
    let mut says_where = how == GetFlags::EMPTY;
    while let Some(word) = words.next() {
        match word {
            Word::Plain("wait") => {
                options.wait = match words.plain("how long")? {
                    "forever" => Wait::Unlimited,
                    word => {
                        let milliseconds = duration(word)?.as_millis();
                        Wait::Milliseconds(u32::try_from(milliseconds).map_err(|error| error.to_string())?)
                    }
                };
            }
            Word::Plain("syncpoint") => flags |= GetFlags::SYNCPOINT,
            Word::Plain("+MQGMO_NONE") => says_where = false,
            Word::Plain("handle") => naming.message = Some(words.plain("a handle")?.to_owned()),
            Word::Plain("message-id") => {
                descriptor.message_id =
                    MessageId::from_bytes(identifier(words.plain("a message identifier")?)?);
                options.match_options |= MatchOptions::MATCH_MSG_ID;
            }
            Word::Plain("correlation-id") => {
                descriptor.correlation_id =
                    CorrelationId::from_bytes(identifier(words.plain("a correlation identifier")?)?);
                options.match_options |= MatchOptions::MATCH_CORREL_ID;
            }
            Word::Plain("buffer") => bytes_max = words.number("a buffer length")?,
            Word::Plain("accept-truncated") => flags |= GetFlags::ACCEPT_TRUNCATED_MSG,
            Word::Plain("under-cursor") => flags |= GetFlags::MSG_UNDER_CURSOR,
            Word::Plain("token") => options.match_options |= MatchOptions::MATCH_MSG_TOKEN,
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQGMO", bits) => flags |= GetFlags::from_bits(bits),
                ("MQMO", bits) => options.match_options |= MatchOptions::from_bits(bits),
                _ => return Err(format!("a get does not know {word}")),
            },
            Word::Plain(word) if word.starts_with("md.") => {
                fields::set(&mut descriptor, &word[3..], words.plain("a value")?)?;
            }
            other => return Err(format!("a get does not know {other:?}")),
        }
    }
    let of_syncpoint = GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT | GetFlags::NO_SYNCPOINT;
    if says_where && !is_browse(flags) && !flags.intersects(of_syncpoint) {
        flags |= GetFlags::NO_SYNCPOINT;
    }
    options.flags = flags;
    Ok(Call::Get { name, descriptor, options, bytes_max }.naming(naming))
}

fn consume(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let asked = Consume::take(&mut words)?;
    get_from(words, name, GetFlags::EMPTY).map(|get| Call::Consume { get: Box::new(get), asked })
}

fn browse(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let how = match words.plain("`first`, `next` or `here`")? {
        "first" => GetFlags::BROWSE_FIRST,
        "next" => GetFlags::BROWSE_NEXT,
        "here" => GetFlags::BROWSE_MSG_UNDER_CURSOR,
        other => return Err(format!("browse `first`, `next` or `here`, not {other}")),
    };
    get_from(words, name, how)
}

fn open(mut words: Words<'_>) -> Result<Call, String> {
    let mut object = Box::new(ObjectDescriptor { object_name: words.name()?, ..ObjectDescriptor::default() });
    let mut options = OpenOptions::EMPTY;
    for word in words.plain("what for")?.split('+') {
        options |= match word {
            "input" => OpenOptions::INPUT_AS_Q_DEF,
            "output" => OpenOptions::OUTPUT,
            "browse" => OpenOptions::BROWSE,
            "inquire" => OpenOptions::INQUIRE,
            "set" => OpenOptions::SET,
            "nothing" => OpenOptions::EMPTY,
            other => return Err(format!("an open does not know {other}")),
        };
    }
    let without_default =
        |options: OpenOptions| OpenOptions::from_bits(options.bits() & !OpenOptions::INPUT_AS_Q_DEF.bits());
    while let Some(word) = words.next() {
        match word {
            Word::Plain("exclusive") => options = without_default(options) | OpenOptions::INPUT_EXCLUSIVE,
            Word::Plain("shared") => options = without_default(options) | OpenOptions::INPUT_SHARED,
            Word::Plain("dynamic") => {
                let name = words.plain("a name")?;
                object.dynamic_queue_name = name.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            Word::Plain("type") => {
                object.object_type = ObjectType::from_code(fields::number(words.plain("a type")?)?);
            }
            Word::Plain("manager") => {
                let name = words.plain("a queue manager")?;
                object.object_queue_manager_name =
                    name.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            Word::Plain("alternate-user") => {
                let name = words.plain("a user")?;
                object.alternate_user_identifier =
                    name.parse().map_err(|error| format!("{name}: {error}"))?;
            }
            Word::Plain("string") => object.object_string = words.plain("a topic string")?.to_owned(),
            Word::Plain("selector") => {
                object.selection_string = words.plain("a selector")?.to_owned();
            }
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQOO", bits) => options |= OpenOptions::from_bits(bits),
                _ => return Err(format!("an open does not know {word}")),
            },
            other => return Err(format!("an open does not know {other:?}")),
        }
    }
    Ok(Call::Open { object, options })
}

fn close(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let mut options = CloseOptions::EMPTY;
    while let Some(word) = words.next() {
        options |= match word {
            Word::Plain("delete") => CloseOptions::DELETE,
            Word::Plain("purge") => CloseOptions::DELETE_PURGE,
            Word::Plain(word) if word.starts_with("+MQCO_") => {
                CloseOptions::from_bits(fields::option(&word[1..])?.1)
            }
            other => return Err(format!("a close does not know {other:?}")),
        };
    }
    Ok(Call::Close { name, options })
}

fn inquire(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let selector = Selector(match words.plain("an attribute")? {
        "depth" => constants::MQIA_CURRENT_Q_DEPTH,
        "inputs" => constants::MQIA_OPEN_INPUT_COUNT,
        "outputs" => constants::MQIA_OPEN_OUTPUT_COUNT,
        "maximum-depth" => constants::MQIA_MAX_Q_DEPTH,
        other => fields::number(other)?,
    });
    Ok(Call::Inquire { name, selector })
}

fn stat(mut words: Words<'_>) -> Result<Call, String> {
    match words.next() {
        None => Ok(Call::Stat(StatusType::AsyncError)),
        Some(Word::Plain("reconnection-error")) => Ok(Call::Stat(StatusType::ReconnectionError)),
        Some(Word::Plain("reconnection")) => Ok(Call::Stat(StatusType::Reconnection)),
        Some(other) => Err(format!("a stat does not know {other:?}")),
    }
}

fn decide(mut words: Words<'_>) -> Result<Call, String> {
    match words.next() {
        Some(Word::Plain("commit")) => Ok(Call::Decide { commits: true }),
        Some(Word::Plain("back")) => Ok(Call::Decide { commits: false }),
        other => Err(format!("a coordinator decides to commit or back, not {other:?}")),
    }
}

fn set(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let mut values = Vec::new();
    while let Some(word) = words.next() {
        let Word::Plain(selector) = word else {
            return Err(format!("a selector is missing before {word:?}"));
        };
        let selector = Selector(fields::number(selector)?);
        let value = match words.next() {
            Some(Word::Plain(word)) => AttributeValue::Integer(fields::number(word)?),
            Some(Word::Quoted(text)) => AttributeValue::from(text),
            None => return Err("a value is missing".to_owned()),
        };
        values.push((selector, value));
    }
    Ok(Call::Set { name, values })
}

impl Expected {
    /// Reads a result from the text after `->`, which depends on what was called.
    pub(crate) fn parse(text: &str, of: Option<&Call>) -> Result<Self, String> {
        let mut expected = Self::default();
        let of = of.map(Call::plain);
        let inquiry = matches!(of, Some(Call::Inquire { .. }));
        let text = text.trim();
        match text {
            "ok" => return Ok(expected),
            "waiting" => return Ok(Self { waiting: true, ..expected }),
            _ => {}
        }
        if inquiry && !text.starts_with("MQRC_") {
            let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            let value = match quoted {
                Some(text) => Some(AttributeValue::from(text)),
                None => fields::number(text).ok().map(AttributeValue::Integer),
            };
            if value.is_some() {
                return Ok(Self { value, ..expected });
            }
        }
        let mut words = Words::of(text)?;
        let inquires = match of {
            Some(Call::Handle(call)) => Some(call.inquires()),
            Some(Call::Convert(_) | Call::Subscribe { .. } | Call::Request { .. }) => Some(false),
            _ => None,
        };
        if let Some(inquires) = inquires {
            let (facts, reason) = handles::facts_expected(&mut words, inquires, reason_of)?;
            return Ok(Self { facts, reason, ..expected });
        }
        if matches!(of, Some(Call::Consume { .. })) {
            while let Some(word) = words.next() {
                match word {
                    Word::Quoted(text) => expected.messages.push(Self {
                        body: Some(Bytes::copy_from_slice(text.as_bytes())),
                        ..Self::default()
                    }),
                    Word::Plain(reason) => expected.reason = Some(reason_of(reason)?),
                }
            }
            return Ok(expected);
        }
        if text.starts_with('"') || text.contains(" bytes") {
            expected.body = Some(words.body()?);
        }
        while let Some(word) = words.next() {
            match word {
                Word::Plain("puts") => {
                    expected.counts.get_or_insert_default().puts = words.number("how many")?;
                }
                Word::Plain("warnings") => {
                    expected.counts.get_or_insert_default().warnings = words.number("how many")?;
                }
                Word::Plain("failures") => {
                    expected.counts.get_or_insert_default().failures = words.number("how many")?;
                }
                Word::Plain("object") => {
                    expected.counts.get_or_insert_default().objects = Some((words.name()?, words.name()?));
                }
                Word::Plain("priority") => expected.priority = Some(words.number("a priority")?),
                Word::Plain("backout") => expected.backout = Some(words.number("a backout count")?),
                Word::Plain("persistent") => expected.persistence = Some(Persistence::Persistent),
                Word::Plain("nonpersistent") => expected.persistence = Some(Persistence::NotPersistent),
                Word::Plain("folder") => expected.folders.push(words.plain("a folder")?.to_owned()),
                Word::Plain("length") => expected.length = Some(words.number("a length")?),
                Word::Plain("correlation-id") => {
                    expected.correlation_id = Some(CorrelationId::from_bytes(identifier(
                        words.plain("a correlation identifier")?,
                    )?));
                }
                Word::Plain(word) if word.starts_with("md.") => {
                    expected.fields.push(FieldExpected::parse(&word[3..], words.plain("a value")?)?);
                }
                Word::Plain("field") => {
                    let (name, value) = (words.plain("a field")?, words.plain("a value")?);
                    expected.structure.push(StructureExpected::parse(name, value)?);
                }
                Word::Plain(reason) => expected.reason = Some(reason_of(reason)?),
                Word::Quoted(text) => return Err(format!("unexpected \"{text}\"")),
            }
        }
        Ok(expected)
    }
}

fn reason_of(word: &str) -> Result<Reason, String> {
    let reason = match word.parse::<i32>() {
        Ok(code) => Reason::ALL.iter().copied().find(|reason| reason.code() == code),
        Err(_) => Reason::by_name(word),
    };
    reason.ok_or_else(|| format!("no such reason: {word}"))
}

#[cfg(test)]
mod tests {
    use super::patterned;

    #[test]
    fn each_byte_of_a_pattern_depends_on_its_place_alone() {
        let expected: Vec<u8> = (0..70_000).map(|at| ((at * 31 + at / 251) % 251) as u8).collect();
        for bytes in [0, 1, 250, 251, 252, 502, 4096, 63_001, 63_002, 70_000] {
            assert_eq!(patterned(bytes), expected[..bytes], "{bytes} bytes");
        }
    }
}
