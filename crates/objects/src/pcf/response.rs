//! An answer to the messages that carry it.

use mqi::constants::*;
use mqi::ours::RUN_CHECK;

use super::families::meaning;
use super::parameters::Refusal;
use super::request::{Names, Request};
use super::structure::{Content, Header, Message, Parameter};
use crate::attributes::{self, Attribute, Kind, Subject};
use crate::definition::Definition;
use crate::messages::{self, Severity};
use crate::response::{Response, Row};
use crate::value::Value;

/// The place of a page among all messages of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The number of messages before it.
    pub before: usize,
    /// True if no page follows.
    pub is_last: bool,
}

/// The messages that answer a request, the last of them marked as such.
pub fn responses(command: i32, request: &Request, response: &Response) -> Vec<Message> {
    responses_of_page(command, request, response, Place { before: 0, is_last: true })
}

/// The messages of one page of an answer, the last of all marked as such.
pub fn responses_of_page(command: i32, request: &Request, response: &Response, place: Place) -> Vec<Message> {
    let mut answers = match request {
        Request::Escape(_) => escaped(command, response),
        Request::Names(names) if response.is_ok() => vec![listed(command, names, response)],
        Request::Command(_) | Request::Names(_) => rows(command, response),
    };
    number(&mut answers, place);
    answers
}

/// The message that answers a request that was not understood.
pub fn refusal(command: i32, refusal: &Refusal) -> Message {
    let mut message = failed(command, refusal.reason);
    if let Some(parameter) = refusal.parameter {
        message.parameters.push(Parameter::integer(MQIACF_PARAMETER_ID, parameter));
    }
    message
}

fn rows(command: i32, response: &Response) -> Vec<Message> {
    if let Some(error) = response.messages.iter().find(|message| reason(command, message).is_some()) {
        let reason = reason(command, error).unwrap_or(MQRCCF_COMMAND_FAILED);
        return vec![failed(command, reason)];
    }
    let mut answers: Vec<Message> = response
        .rows
        .iter()
        .map(|row| {
            let mut message = ok(command);
            message.parameters = parameters(row);
            message
        })
        .collect();
    if answers.is_empty() {
        answers.push(ok(command));
    }
    if let (Some(last), true) = (answers.last_mut(), is_cut(response)) {
        (last.header.completion, last.header.reason) = (MQCC_WARNING, MQRCCF_MSG_TRUNCATED);
    }
    let has_no_effect = |message: &messages::Message| message.row() == &messages::CREATION_WITHOUT_EFFECT;
    if let (Some(last), true) = (answers.last_mut(), response.messages.iter().any(has_no_effect)) {
        (last.header.completion, last.header.reason) = (MQCC_WARNING, MQRCCF_AUTH_VALUE_ERROR);
    }
    if let (Some(last), Some(verdict)) = (answers.last_mut(), verdict(response)) {
        last.parameters.push(Parameter::text(RUN_CHECK, verdict.to_string()));
        // The form for records of channels is the family's, and its record tells: nothing else changes there.
        if verdict.row() == &messages::REQUEST_WOULD_FAIL {
            (last.header.completion, last.header.reason) = (MQCC_WARNING, MQRC_NOT_AUTHORIZED);
        }
    }
    answers
}

/// Returns true if the answer stops at its largest size.
fn is_cut(response: &Response) -> bool {
    response.messages.iter().any(|message| message.row() == &messages::ANSWER_CUT)
}

/// The verdict of RUNCHECK.
fn verdict(response: &Response) -> Option<&messages::Message> {
    let verdicts = [
        &messages::REQUEST_WOULD_PASS,
        &messages::REQUEST_WOULD_FAIL,
        &messages::LOGIN_WOULD_PASS,
        &messages::LOGIN_WOULD_FAIL,
    ];
    response.messages.iter().find(|message| verdicts.contains(&message.row()))
}

/// All names in one message.
fn listed(command: i32, names: &Names, response: &Response) -> Message {
    let shown = |row: &Row| row.fields.first().and_then(|field| field.value.as_text()).map(str::to_owned);
    let found: Vec<String> = response.rows.iter().filter_map(shown).collect();
    let mut message = ok(command);
    if found.is_empty() {
        return failed(command, unknown(command));
    }
    if is_cut(response) {
        (message.header.completion, message.header.reason) = (MQCC_WARNING, MQRCCF_MSG_TRUNCATED);
    }
    message.parameters.push(Parameter::new(names.names, Content::Texts(found)));
    if let Some(types) = names.types {
        let subtype = |row: &Row| row.fields.get(1).and_then(|field| field.value.as_integer());
        let found = response.rows.iter().filter_map(subtype).collect();
        message.parameters.push(Parameter::new(types, Content::Integers(found)));
    }
    message
}

/// The answer to a command in text: each object and each message as text.
fn escaped(command: i32, response: &Response) -> Vec<Message> {
    let mut texts: Vec<String> = response
        .rows
        .iter()
        .map(|row| Response { rows: vec![row.clone()], ..Response::default() }.to_string())
        .collect();
    texts.extend(response.messages.iter().map(ToString::to_string));
    let is_ok = response.is_ok();
    texts
        .into_iter()
        .map(|text| {
            let mut message = if is_ok { ok(command) } else { failed(command, MQRCCF_COMMAND_FAILED) };
            message.parameters.push(Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC));
            message.parameters.push(Parameter::text(MQCACF_ESCAPE_TEXT, text.trim_end()));
            message
        })
        .collect()
}

fn ok(command: i32) -> Message {
    let header = Header { kind: MQCFT_RESPONSE, ..Header::command(command) };
    Message { header, parameters: Vec::new() }
}

fn failed(command: i32, reason: i32) -> Message {
    let mut message = ok(command);
    message.header.completion = MQCC_FAILED;
    message.header.reason = reason;
    message
}

fn number(answers: &mut [Message], place: Place) {
    let count = answers.len();
    for (index, answer) in answers.iter_mut().enumerate() {
        answer.header.sequence = i32::try_from(place.before + index + 1).unwrap_or(i32::MAX);
        let is_last = place.is_last && index + 1 == count;
        answer.header.control = if is_last { MQCFC_LAST } else { MQCFC_NOT_LAST };
    }
}

fn parameters(row: &Row) -> Vec<Parameter> {
    let whole = row.get("EXTCONN").and_then(Value::as_text);
    row.fields
        .iter()
        .filter(|field| field.attribute.keyword != "EXTCONN")
        .map(|field| {
            let identifier = field.attribute.identifier_number();
            match (identifier, whole, field.value.as_text()) {
                // A connection's identifier is both halves of it.
                (MQBACF_CONNECTION_ID, Some(first), Some(own)) => {
                    Parameter::new(identifier, Content::Bytes(bytes(&format!("{first}{own}"))))
                }
                (MQBACF_EXTERNAL_UOW_ID, _, Some(shown)) => {
                    Parameter::new(identifier, Content::Bytes(external_unit(shown)))
                }
                (MQBACF_Q_MGR_UOW_ID, _, Some(shown)) => {
                    Parameter::new(identifier, Content::Bytes(unit_number(shown)))
                }
                _ => Parameter::new(identifier, content(field.attribute, &field.value)),
            }
        })
        .collect()
}

/// The attributes of an object as parameters.
pub fn definition_parameters(definition: &Definition) -> Vec<Parameter> {
    attributes::of(Subject::Object(definition.object_type()))
        .filter_map(|row| {
            let value = definition.value(row)?;
            Some(Parameter::new(row.identifier_number(), content(row, &value)))
        })
        .collect()
}

fn content(attribute: &Attribute, value: &Value) -> Content {
    let is_bytes = matches!(attribute.kind, Kind::Bytes { .. })
        || (MQBACF_FIRST..=MQBACF_LAST_USED).contains(&attribute.identifier_number());
    match value {
        Value::Text(digits) if is_bytes => Content::Bytes(bytes(digits)),
        Value::Text(text) => Content::Text(text.to_string()),
        Value::Integer(number) if attribute.identifier_number() == MQIA_SUITE_B_STRENGTH => {
            Content::Integers(strengths(*number))
        }
        Value::Integer(number) if attribute.identifier_number() == MQIACH_CHANNEL_INSTANCE_TYPE => {
            Content::Integer(if *number == 0 { MQOT_SAVED_CHANNEL } else { MQOT_CURRENT_CHANNEL })
        }
        Value::Integer(number) => Content::Integer(*number),
        Value::Integers(numbers) => Content::Integers(numbers.to_vec()),
        Value::Texts(texts) => Content::Texts(texts.iter().map(ToString::to_string).collect()),
    }
}

/// Strengths that are combined in one number, each on its own.
fn strengths(combined: i32) -> Vec<i32> {
    let each = [MQ_SUITE_B_NONE, MQ_SUITE_B_128_BIT, MQ_SUITE_B_192_BIT];
    each.into_iter().filter(|one| combined & one != 0).collect()
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| {
            std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok()).unwrap_or(0)
        })
        .collect()
}

/// The identifier of an outside coordinator: format and lengths of both parts, four bytes each, then both.
fn external_unit(shown: &str) -> Vec<u8> {
    let mut parts = shown.split(['[', ']']).skip(1).step_by(2).map(bytes);
    let (format, global, qualifier) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    if format.is_empty() {
        return Vec::new();
    }
    let length = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes();
    let lengths = [length(&global), length(&qualifier)].concat();
    [format, lengths, global, qualifier].concat()
}

/// The number m.n of a unit of work: four bytes each, and eight the second where it needs them.
fn unit_number(shown: &str) -> Vec<u8> {
    let (epoch, counter) = shown.split_once('.').unwrap_or_default();
    let (epoch, counter) = (epoch.parse::<u32>().unwrap_or(0), counter.parse::<u64>().unwrap_or(0));
    let mut bytes = epoch.to_be_bytes().to_vec();
    match u32::try_from(counter) {
        Ok(counter) => bytes.extend(counter.to_be_bytes()),
        Err(_) => bytes.extend(counter.to_be_bytes()),
    }
    bytes
}

fn unknown(command: i32) -> i32 {
    match command {
        MQCMD_INQUIRE_TOPIC_STATUS => MQRCCF_TOPIC_STRING_NOT_FOUND,
        MQCMD_INQUIRE_SUB_STATUS => MQRC_NO_SUBSCRIPTION,
        MQCMD_INQUIRE_CHANNEL_STATUS => MQRCCF_CHL_STATUS_NOT_FOUND,
        MQCMD_START_CHANNEL
        | MQCMD_STOP_CHANNEL
        | MQCMD_PING_CHANNEL
        | MQCMD_RESET_CHANNEL
        | MQCMD_RESOLVE_CHANNEL => MQRCCF_CHANNEL_NOT_FOUND,
        MQCMD_INQUIRE_CHLAUTH_RECS => MQRCCF_CHLAUTH_NOT_FOUND,
        MQCMD_INQUIRE_LISTENER_STATUS => MQRCCF_LSTR_STATUS_NOT_FOUND,
        _ => meaning(command).map_or(MQRC_UNKNOWN_OBJECT_NAME, |(_, row)| row.unknown),
    }
}

/// The reason that stands for a message which says that a command was not done, or found nothing.
fn reason(command: i32, message: &messages::Message) -> Option<i32> {
    if let Some(reason) = message.reason() {
        return Some(reason);
    }
    let exists = meaning(command).map_or(MQRCCF_OBJECT_ALREADY_EXISTS, |(_, row)| row.exists);
    let row = message.row();
    let known = [
        (&messages::OBJECT_NOT_FOUND, unknown(command)),
        (&messages::NO_QUEUE_MATCHES, unknown(command)),
        (&messages::NOTHING_MATCHES, unknown(command)),
        (&messages::LIKE_NOT_FOUND, unknown(command)),
        (&messages::OBJECT_EXISTS, exists),
        (&messages::OBJECT_OF_OTHER_TYPE, MQRCCF_OBJECT_WRONG_TYPE),
        (&messages::OBJECT_OPEN, MQRCCF_OBJECT_OPEN),
        (&messages::QUEUE_NOT_EMPTY, MQRC_Q_NOT_EMPTY),
        (&messages::QUEUE_PURGE_UNCOMMITTED, MQRCCF_OBJECT_IN_USE),
        (&messages::QUEUE_UNCOMMITTED, MQRCCF_OBJECT_IN_USE),
        (&messages::NO_HANDLES, MQRCCF_Q_STATUS_NOT_FOUND),
        (&messages::CONNECTION_NOT_FOUND, MQRCCF_CONNECTION_ID_ERROR),
        (&messages::QUEUE_NOT_MOVED, MQRCCF_OBJECT_IN_USE),
        (&messages::NOT_AVAILABLE, MQRCCF_FUNCTION_RESTRICTED),
        (&messages::CHANNEL_NOT_STARTED, MQRCCF_CHANNEL_NOT_STARTED),
        (&messages::CHANNEL_RUNS, MQRCCF_CHANNEL_IN_USE),
        (&messages::CHANNEL_NOT_ACTIVE, MQRCCF_CHANNEL_NOT_ACTIVE),
        (&messages::CHANNEL_IN_DOUBT, MQRCCF_CHANNEL_INDOUBT),
        (&messages::CHANNEL_NOT_PINGED, MQRCCF_REMOTE_QM_UNAVAILABLE),
        (&messages::CHANNEL_NOT_RESET, MQRCCF_MSG_SEQ_NUMBER_ERROR),
        (&messages::LISTENER_RUNS, MQRCCF_LISTENER_RUNNING),
        (&messages::LISTENER_NOT_RUNNING, MQRCCF_LISTENER_STOPPED),
        (&messages::LISTENER_NOT_STARTED, MQRCCF_LISTENER_NOT_STARTED),
        (&messages::SECURITY_NOT_REFRESHED, MQRCCF_SECURITY_REFRESH_FAILED),
        (&messages::LOG_IS_CIRCULAR, MQRCCF_LOG_TYPE_ERROR),
        (&messages::AUTHORITY_NOT_FOUND, MQRC_UNKNOWN_OBJECT_NAME),
        (&messages::COMMAND_REFUSED, MQRC_NOT_AUTHORIZED),
        (&messages::COMMAND_FAILED, MQRCCF_ATTR_VALUE_ERROR),
    ];
    let listed = known.into_iter().find(|(known, _)| *known == row).map(|(_, reason)| reason);
    listed.or_else(|| (row.severity == Severity::Error).then_some(MQRCCF_COMMAND_FAILED))
}
