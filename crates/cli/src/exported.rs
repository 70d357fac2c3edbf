//! A message as a line of JSON that makes the same message again.
//!
//! ```text
//! {"md": {"MsgId": "41…", "Priority": 4, …}, "properties": ["<usr>…</usr>"], "body": "text"}
//! {"md": {…}, "headers": {"Format": "MQDEAD", "Encoding": 546, "CodedCharSetId": 1208, "base64": "RExI…"},
//!  "properties": […], "body": "text"}
//! ```
//!
//! Every field of the descriptor is there under the interface's own name: numbers as numbers, identifiers as
//! hexadecimal digits, texts as texts. What is left out of a line has its default. A body that is not UTF-8
//! is `body_base64`. Properties are the folders of the header that carries them, where it can be made again
//! from them. All headers before that one, or before the body, are bytes in `headers`, with what the
//! descriptor says of them; `md` says it of the body.

use bytes::Bytes;
use formats::headers::{self, HEADERS_MAX, Place};
use formats::properties;
use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, Persistence, Priority, PutApplicationType, ReportOptions,
};
use serde_json::{Map, Value, json};

use crate::message::Message;

impl Message {
    /// The line.
    pub(crate) fn exported(&self) -> Value {
        let Separated { headers, folders, place, body } = separated(&Place::of(&self.descriptor), &self.body);
        let mut descriptor = self.descriptor.clone();
        place.describe(&mut descriptor);
        let mut line = Map::new();
        line.insert("md".into(), fields(&descriptor));
        if !headers.is_empty() {
            let Place { encoding, coded_character_set, format } = Place::of(&self.descriptor);
            let headers = json!({
                "Format": format.as_str(), "Encoding": encoding.code(), "CodedCharSetId": coded_character_set,
                "base64": base64(&headers),
            });
            line.insert("headers".into(), headers);
        }
        if !folders.is_empty() {
            line.insert("properties".into(), folders.into());
        }
        match std::str::from_utf8(&body) {
            Ok(text) => line.insert("body".into(), text.into()),
            Err(_) => line.insert("body_base64".into(), base64(&body).into()),
        };
        line.into()
    }

    /// The message of a line.
    pub(crate) fn imported(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("it is no JSON: {error}"))?;
        let object = value.as_object().ok_or("it is no object")?;
        let known = ["md", "headers", "properties", "body", "body_base64"];
        if let Some(other) = object.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(format!("there is no \"{other}\" in a message"));
        }
        let mut descriptor = MessageDescriptor::default();
        match object.get("md") {
            None => {}
            Some(Value::Object(given)) => {
                for (field, value) in given {
                    set(&mut descriptor, field, value)?;
                }
            }
            Some(_) => return Err("\"md\" is no object".to_owned()),
        }
        let body: Bytes = match (object.get("body"), object.get("body_base64")) {
            (None, None) => Bytes::new(),
            (Some(Value::String(text)), None) => text.clone().into(),
            (None, Some(Value::String(text))) => {
                from_base64(text).ok_or("\"body_base64\" is not base64")?.into()
            }
            (Some(_), Some(_)) => return Err("it has two bodies".to_owned()),
            _ => return Err("the body is no text".to_owned()),
        };
        let folders = match object.get("properties") {
            None => Vec::new(),
            Some(folders) => serde_json::from_value(folders.clone())
                .map_err(|_| "\"properties\" is no list of texts".to_owned())?,
        };
        let put = properties::put_before(folders, &Place::of(&descriptor), &body);
        let (place, body) = put.map_err(|reason| format!("its properties cannot be written: {reason}"))?;
        place.describe(&mut descriptor);
        let body = match object.get("headers") {
            None => body,
            Some(headers) => behind_headers(&mut descriptor, headers, &body)?,
        };
        Ok(Self { descriptor, body })
    }
}

/// A body as the parts of its line.
struct Separated {
    headers: Bytes,
    folders: Vec<String>,
    place: Place,
    body: Bytes,
}

/// Separates headers, folders of properties and the body behind them, as far as they make the whole again.
fn separated(place: &Place, whole: &Bytes) -> Separated {
    let (mut place, mut length) = (*place, 0);
    for _ in 0..HEADERS_MAX {
        let rest = whole.slice(length..);
        if let Some((folders, place, body)) = properties_before(&place, &rest) {
            return Separated { headers: whole.slice(..length), folders, place, body };
        }
        let Ok(Some((header, bytes))) = headers::first(&place, &rest) else { break };
        place = header.following(&place);
        length += bytes;
    }
    Separated { headers: whole.slice(..length), folders: Vec::new(), place, body: whole.slice(length..) }
}

/// The folders of properties at the front of a body, and the body behind them, if both make the whole again
/// and no further properties follow.
fn properties_before(place: &Place, whole: &Bytes) -> Option<(Vec<String>, Place, Bytes)> {
    let parts = properties::take_out(place, whole).ok().filter(|parts| !parts.folders.is_empty())?;
    let again = properties::put_before(parts.folders.clone(), &parts.place, &parts.body);
    let is_same = again.is_ok_and(|(again, bytes)| again == *place && bytes == *whole);
    is_same.then_some((parts.folders, parts.place, parts.body))
}

/// Puts the headers of a line before a body.
fn behind_headers(descriptor: &mut MessageDescriptor, given: &Value, body: &Bytes) -> Result<Bytes, String> {
    let Value::Object(given) = given else { return Err("\"headers\" is no object".to_owned()) };
    let mut bytes = None;
    for (field, value) in given {
        match (field.as_str(), value.as_str()) {
            ("Format" | "Encoding" | "CodedCharSetId", _) => set(descriptor, field, value)?,
            ("base64", Some(text)) => bytes = from_base64(text),
            ("base64", None) => {}
            (other, _) => return Err(format!("headers have no field {other}")),
        }
    }
    let bytes = bytes.ok_or("\"base64\" of \"headers\" is not base64")?;
    Ok([&bytes[..], body].concat().into())
}

fn fields(descriptor: &MessageDescriptor) -> Value {
    json!({
        "Report": descriptor.report.bits(),
        "MsgType": descriptor.message_type.code(),
        "Expiry": descriptor.expiry.code(),
        "Feedback": descriptor.feedback.code(),
        "Encoding": descriptor.encoding.code(),
        "CodedCharSetId": descriptor.coded_character_set,
        "Format": descriptor.format.as_str(),
        "Priority": descriptor.priority.code(),
        "Persistence": descriptor.persistence.code(),
        "MsgId": descriptor.message_id.to_string(),
        "CorrelId": descriptor.correlation_id.to_string(),
        "BackoutCount": descriptor.backout_count,
        "ReplyToQ": descriptor.reply_to_queue.as_str(),
        "ReplyToQMgr": descriptor.reply_to_queue_manager.as_str(),
        "UserIdentifier": descriptor.user_identifier.as_str(),
        "AccountingToken": descriptor.accounting_token.to_string(),
        "ApplIdentityData": descriptor.application_identity_data.as_str(),
        "PutApplType": descriptor.put_application_type.code(),
        "PutApplName": descriptor.put_application_name.as_str(),
        "PutDate": descriptor.put_date.as_str(),
        "PutTime": descriptor.put_time.as_str(),
        "ApplOriginData": descriptor.application_origin_data.as_str(),
        "GroupId": descriptor.group_id.to_string(),
        "MsgSeqNumber": descriptor.message_sequence_number,
        "Offset": descriptor.offset,
        "MsgFlags": descriptor.message_flags.bits(),
        "OriginalLength": descriptor.original_length,
    })
}

fn set(descriptor: &mut MessageDescriptor, field: &str, value: &Value) -> Result<(), String> {
    let number = || {
        let number = value.as_i64().and_then(|number| i32::try_from(number).ok());
        number.ok_or_else(|| format!("{field} is no number of 32 bits"))
    };
    let word = || value.as_str().ok_or_else(|| format!("{field} is no text"));
    fn parsed<T: std::str::FromStr>(field: &str, word: &str) -> Result<T, String> {
        word.parse().map_err(|_| format!("{field} cannot be \"{word}\""))
    }
    let wrong = |_| format!("{field} cannot be {value}");
    let bytes =
        || hexadecimal(word()?).ok_or_else(|| format!("{field} is not hexadecimal digits of its length"));
    let bytes32 = || hexadecimal(word()?).ok_or_else(|| format!("{field} is not 64 hexadecimal digits"));
    match field {
        "Report" => descriptor.report = ReportOptions::from_bits(number()?),
        "MsgType" => descriptor.message_type = MessageType(number()?),
        "Expiry" => descriptor.expiry = Expiry::from_code(number()?).map_err(wrong)?,
        "Feedback" => descriptor.feedback = Feedback(number()?),
        "Encoding" => descriptor.encoding = Encoding(number()?),
        "CodedCharSetId" => descriptor.coded_character_set = number()?,
        "Format" => descriptor.format = parsed(field, word()?)?,
        "Priority" => descriptor.priority = Priority::from_code(number()?).map_err(wrong)?,
        "Persistence" => descriptor.persistence = Persistence::from_code(number()?).map_err(wrong)?,
        "MsgId" => descriptor.message_id = MessageId(bytes()?),
        "CorrelId" => descriptor.correlation_id = CorrelationId(bytes()?),
        "BackoutCount" => descriptor.backout_count = number()?,
        "ReplyToQ" => descriptor.reply_to_queue = parsed(field, word()?)?,
        "ReplyToQMgr" => descriptor.reply_to_queue_manager = parsed(field, word()?)?,
        "UserIdentifier" => descriptor.user_identifier = parsed(field, word()?)?,
        "AccountingToken" => descriptor.accounting_token = AccountingToken(bytes32()?),
        "ApplIdentityData" => descriptor.application_identity_data = parsed(field, word()?)?,
        "PutApplType" => descriptor.put_application_type = PutApplicationType(number()?),
        "PutApplName" => descriptor.put_application_name = parsed(field, word()?)?,
        "PutDate" => descriptor.put_date = parsed(field, word()?)?,
        "PutTime" => descriptor.put_time = parsed(field, word()?)?,
        "ApplOriginData" => descriptor.application_origin_data = parsed(field, word()?)?,
        "GroupId" => descriptor.group_id = GroupId(bytes()?).into(),
        "MsgSeqNumber" => descriptor.message_sequence_number = number()?,
        "Offset" => descriptor.offset = number()?,
        "MsgFlags" => descriptor.message_flags = MessageFlags::from_bits(number()?),
        "OriginalLength" => descriptor.original_length = number()?,
        other => return Err(format!("a descriptor has no field {other}")),
    }
    Ok(())
}

fn hexadecimal<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if digits.len() != 2 * N || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&digits[pair..pair + 2], 16).ok()?;
    }
    Some(bytes)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let index = (bits >> (18 - 6 * place)) as usize & 63;
            text.push(if place > chunk.len() { '=' } else { char::from(ALPHABET[index]) });
        }
    }
    text
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for digit in chunk {
            let value = ALPHABET.iter().position(|known| known == digit)?;
            bits = bits << 6 | u32::try_from(value).ok()?;
        }
        bits <<= 6 * (4 - chunk.len());
        bytes.extend_from_slice(bits.to_be_bytes().get(1..chunk.len())?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::headers::{Chain, DeadLetterHeader, Header};
    use mqi::Text;

    fn dead_letter() -> Header {
        Header::DeadLetter(DeadLetterHeader {
            reason: 2053,
            destination_queue: Text::truncated("ORDERS"),
            destination_queue_manager: Text::truncated("QM1"),
            following: Place::default(),
            put_application_type: PutApplicationType::QMGR,
            put_application_name: Text::BLANK,
            put_date: Text::BLANK,
            put_time: Text::BLANK,
        })
    }

    #[test]
    fn a_message_comes_back_from_its_line() {
        let folders = vec!["<usr><colour>red</colour></usr>".to_owned()];
        let full = MessageDescriptor {
            report: ReportOptions::COA,
            message_type: MessageType::REQUEST,
            expiry: Expiry::tenths(77),
            feedback: Feedback(5),
            encoding: Encoding::NATIVE,
            coded_character_set: 819,
            format: Text::truncated("MQSTR"),
            priority: Priority::new(7),
            persistence: Persistence::Persistent,
            message_id: MessageId([1; 24]),
            correlation_id: CorrelationId([2; 24]),
            backout_count: 3,
            reply_to_queue: "ANSWERS".parse().unwrap(),
            reply_to_queue_manager: "QM2".parse().unwrap(),
            user_identifier: Text::truncated("user"),
            accounting_token: AccountingToken([4; 32]),
            application_identity_data: Text::truncated("identity").into(),
            put_application_type: PutApplicationType(6),
            put_application_name: Text::truncated("program"),
            put_date: Text::truncated("20261121"),
            put_time: Text::truncated("09265312"),
            application_origin_data: Text::truncated("orig"),
            group_id: GroupId([5; 24]).into(),
            message_sequence_number: 8,
            offset: 9,
            message_flags: MessageFlags::MSG_IN_GROUP,
            original_length: 10,
        };
        for body in [&b""[..], b"text\n\"quoted\"\0", b"\xFF\xFE", b"\xFF\xFE\xFD", b"\xFF"] {
            for (with, letters) in [
                (Vec::new(), 0),
                (folders.clone(), 0),
                (Vec::new(), 1),
                (folders.clone(), 1),
                (folders.clone(), 3),
            ] {
                let has_properties = !with.is_empty();
                let bytes = Bytes::copy_from_slice(body);
                let (place, bytes) = properties::put_before(with, &Place::of(&full), &bytes).unwrap();
                let chain = Chain { headers: vec![dead_letter(); letters], place, data: bytes };
                let (place, bytes) = chain.write(Encoding::NATIVE, 819).unwrap();
                let mut descriptor = full.clone();
                place.describe(&mut descriptor);
                let message = Message { descriptor, body: bytes };
                let line = message.exported();
                assert_eq!(line.get("properties").is_some(), has_properties, "{line}");
                assert_eq!(line.get("headers").is_some(), letters > 0, "{line}");
                assert_eq!(line["md"]["Format"], "MQSTR", "{line}");
                if let Ok(text) = std::str::from_utf8(body) {
                    assert_eq!(line["body"], text, "{line}");
                }
                let back = Message::imported(&line.to_string()).unwrap();
                assert_eq!((back.descriptor, back.body), (message.descriptor, message.body), "{line}");
            }
        }
    }

    #[test]
    fn what_is_left_out_has_its_default_and_what_is_wrong_is_named() {
        let short = Message::imported(r#"{"body":"hello"}"#).unwrap();
        assert_eq!((short.descriptor, &short.body[..]), (MessageDescriptor::default(), &b"hello"[..]));
        for (line, expected) in [
            ("{", "it is no JSON"),
            ("[]", "it is no object"),
            (r#"{"bodi":"x"}"#, "there is no \"bodi\" in a message"),
            (r#"{"md":{"Prio":1}}"#, "a descriptor has no field Prio"),
            (r#"{"md":{"Priority":"high"}}"#, "Priority is no number of 32 bits"),
            (r#"{"md":{"MsgId":"12"}}"#, "MsgId is not hexadecimal digits of its length"),
            (r#"{"body":"a","body_base64":""}"#, "it has two bodies"),
            (r#"{"body_base64":"a"}"#, "\"body_base64\" is not base64"),
            (r#"{"headers":[],"body":"a"}"#, "\"headers\" is no object"),
            (r#"{"headers":{"Format":"MQDEAD"},"body":"a"}"#, "\"base64\" of \"headers\" is not base64"),
            (r#"{"headers":{"base64":7},"body":"a"}"#, "\"base64\" of \"headers\" is not base64"),
            (r#"{"headers":{"MsgId":"41"},"body":"a"}"#, "headers have no field MsgId"),
            (r#"{"body_base64":"a*=="}"#, "\"body_base64\" is not base64"),
        ] {
            let error = Message::imported(line).err().unwrap();
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn base64_is_as_everywhere() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("me", "bWU="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
    }
}
