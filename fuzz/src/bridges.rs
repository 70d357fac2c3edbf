//! Messages of other systems, and the texts that bridges keep.

use bridge::host::ferry::ThereRecord;
use bridge::mapping::rules::Rule;
use bridge::mapping::{
    Convert, ForeignMessage, Form, Header, Identifier, Inward, NativeFields, Outward, envelope, inward,
    outward,
};
use bridge::seat::Seat;
use bridge::state::{BranchName, PipeState};
use bytes::Bytes;
use mqi::MessageDescriptor;
use mqi::properties::{PropertyType, PropertyValue};

/// The time with which expiries are compared, in milliseconds since 1970.
const NOW: i64 = 1_780_000_000_000;

/// A message of a foreign system: the first byte chooses the system, and whether its context is kept. What
/// comes in goes out again, and comes in equal. The same bytes are a message of a connector queue, a state, a
/// seat, the record of a pipe at another queue manager, the name of a branch and a rule.
pub fn bridge_messages(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let form = Form::ALL[usize::from(first & 3)];
    let settings = Inward { keeps_context: first & 4 != 0, ..Inward::default() };
    if let Ok(received) = inward(&foreign(rest), form, &settings, NOW) {
        let convert = if first & 8 != 0 { Convert::Utf8 } else { Convert::No };
        let sent = outward(&received.message, form, &Outward { convert, ..Outward::default() }, NOW);
        if let (Ok(sent), Convert::No) = (sent, convert) {
            let trusted = Inward { keeps_context: true, ..Inward::default() };
            let again =
                inward(&sent.message, form, &trusted, NOW).expect("what was sent is received").message;
            assert_eq!(again.descriptor, received.message.descriptor, "fields come back");
            assert_eq!(again.body, received.message.body, "bodies come back");
            assert_eq!(again.properties.len(), received.message.properties.len(), "properties come back");
        }
        if let Ok((descriptor, body)) = envelope::put_together(&received.message) {
            let _ = envelope::take_apart(descriptor, &body);
        }
    }
    let transmitted = MessageDescriptor {
        format: mqi::Text::truncated(mqi::constants::MQFMT_XMIT_Q_HEADER.trim_end()),
        coded_character_set: 1208,
        ..MessageDescriptor::default()
    };
    let _ = envelope::open(&transmitted, &Bytes::copy_from_slice(rest));
    texts(rest);
}

fn texts(bytes: &[u8]) {
    if let Some(name) = BranchName::decode(bytes) {
        assert_eq!(name.encode(), bytes, "a name is what was written");
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for form in Form::ALL {
        let _ = form.judge_destination(text);
    }
    if let Ok(state) = PipeState::decode(text) {
        assert_eq!(state.encode(), text, "a state is what was written");
    }
    if let Ok(seat) = Seat::decode(text) {
        assert_eq!(seat.encode(), text, "a seat is what was written");
    }
    if let Ok(record) = ThereRecord::decode(text) {
        assert_eq!(record.encode(), text, "a record is what was written");
    }
    if let Ok(rule) = Rule::parse(text.lines().next().unwrap_or_default()) {
        let _ = rule.queue(text, &[]);
    }
}

/// Fields and headers in a row, each with a byte that says what it is and a byte for its length.
fn foreign(bytes: &[u8]) -> ForeignMessage {
    let mut message = ForeignMessage { body: Some(Bytes::new()), ..ForeignMessage::default() };
    let mut rest = bytes;
    while let Some((part, behind)) = take(rest) {
        rest = behind;
        let (kind, content) = part;
        let text = || String::from_utf8_lossy(content).into_owned();
        let number = || content.iter().fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
        let NativeFields {
            message_id,
            correlation_id,
            reply_to,
            is_durable,
            priority,
            lifetime,
            created,
            content_type,
        } = &mut message.native;
        match kind % 12 {
            0 => *message_id = Some(Identifier::Text(text())),
            1 => *correlation_id = Some(Identifier::Bytes(Bytes::copy_from_slice(content))),
            2 => *reply_to = Some(text()),
            3 => *is_durable = content.first().map(|byte| byte & 1 == 1),
            4 => *priority = content.first().copied(),
            5 => *lifetime = Some(number()),
            6 => *created = Some(number()),
            7 => *content_type = Some(text()),
            8 => message.key = Some(Bytes::copy_from_slice(content)),
            9 => message.body = (!content.is_empty()).then(|| Bytes::copy_from_slice(content)),
            _ => {
                let Some(((kind, value), behind)) = take(rest) else { break };
                rest = behind;
                message.headers.push(Header { name: text(), value: value_of(kind, value) });
            }
        }
    }
    message
}

/// A part of a row: its kind and its content.
type Part<'a> = (u8, &'a [u8]);

/// The next part of a row, and the bytes behind it.
fn take(bytes: &[u8]) -> Option<(Part<'_>, &[u8])> {
    let [kind, length, rest @ ..] = bytes else { return None };
    let (content, rest) = rest.split_at(rest.len().min(usize::from(*length)));
    Some(((*kind, content), rest))
}

fn value_of(kind: u8, content: &[u8]) -> PropertyValue {
    let text = String::from_utf8_lossy(content);
    let kind = PropertyType::ALL[usize::from(kind) % PropertyType::ALL.len()];
    match kind {
        PropertyType::Bytes => PropertyValue::Bytes(Bytes::copy_from_slice(content)),
        kind => PropertyValue::read(&text, kind).unwrap_or_else(|_| PropertyValue::Text(text.into_owned())),
    }
}
