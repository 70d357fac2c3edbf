//! The body of a message in one line for a person: what its headers say, then the data behind them.
//!
//! Always: control characters never reach a terminal as they are, and the line has a bound for any body.

use bytes::Bytes;
use formats::character_set::{ByteOrder, CharacterSet};
use formats::headers::{Chain, Header, Place, TriggerMessage};
use mqi::MessageDescriptor;
use mqi::constants::{MQENC_INTEGER_MASK, MQENC_INTEGER_REVERSED, MQFMT_STRING, MQFMT_TRIGGER};
use serde_json::{Value, json};

use crate::event::Event;
use crate::text;

/// Most characters of the text of one header.
const HEADER_CHARACTERS_MAX: usize = 120;

/// Most bytes of data that are turned into characters for one line.
const DATA_BYTES_MAX: usize = 4_096;

/// One line of at most so many characters of data, behind what the headers say.
pub(crate) fn gist(descriptor: &MessageDescriptor, body: &Bytes, characters_max: usize) -> String {
    let place = Place::of(descriptor);
    let Ok(chain) = Chain::read(&place, body) else {
        // A header that cannot be read is shown as the bytes it is.
        return text::preview(body, characters_max);
    };
    let mut parts: Vec<String> = chain.headers.iter().map(said).collect();
    parts.push(data(&chain, descriptor, characters_max));
    parts.retain(|part| !part.is_empty());
    parts.join(" | ")
}

/// The data behind the headers as text.
fn data(chain: &Chain, descriptor: &MessageDescriptor, characters_max: usize) -> String {
    let mut inner = descriptor.clone();
    chain.place.describe(&mut inner);
    if chain.place.is(MQFMT_TRIGGER)
        && let Ok(trigger) = TriggerMessage::read(&chain.place, &chain.data)
    {
        let text = format!("trigger of {} for {}", trigger.queue, trigger.application_id.trim_end());
        return text::preview(text.as_bytes(), HEADER_CHARACTERS_MAX);
    }
    if let Some(event) = Event::of(&inner, &chain.data) {
        return text::preview(event.to_line().as_bytes(), characters_max.max(HEADER_CHARACTERS_MAX));
    }
    text::preview(text_of(chain).as_deref().unwrap_or(&chain.data), characters_max)
}

/// The beginning of data of another character set than UTF-8 as UTF-8.
fn text_of(chain: &Chain) -> Option<Vec<u8>> {
    let set = CharacterSet::by_ccsid(chain.place.coded_character_set)?;
    if !chain.place.is(MQFMT_STRING) || std::str::from_utf8(&chain.data).is_ok_and(is_text) {
        return None;
    }
    let head = &chain.data[..chain.data.len().min(DATA_BYTES_MAX)];
    let (text, _) = set.decode(head, order(chain));
    Some(text.into_owned().into_bytes())
}

fn order(chain: &Chain) -> ByteOrder {
    match chain.place.encoding.0 & MQENC_INTEGER_MASK {
        MQENC_INTEGER_REVERSED => ByteOrder::Reversed,
        _ => ByteOrder::Normal,
    }
}

fn is_text(text: &str) -> bool {
    !text.contains('\0')
}

/// A header in a few words.
fn said(header: &Header) -> String {
    let text = match header {
        Header::DeadLetter(header) => {
            format!("dead letter {} for {}", header.reason, header.destination_queue)
        }
        Header::DescriptorExtension(_) => "MQMDE".to_owned(),
        Header::Transmission(header) => {
            format!("for {} at {}", header.remote_queue, header.remote_queue_manager)
        }
        Header::Rules1(header) => header.names_and_values.clone(),
        Header::Rules2(header) => header.folders.concat(),
    };
    text::preview(text.as_bytes(), HEADER_CHARACTERS_MAX)
}

/// The headers of a body and the data behind them, for programs; none where the body has no headers.
pub(crate) fn to_json(descriptor: &MessageDescriptor, body: &Bytes) -> Option<Value> {
    let chain = Chain::read(&Place::of(descriptor), body).ok().filter(|chain| !chain.headers.is_empty())?;
    let headers: Vec<Value> = chain
        .headers
        .iter()
        .map(|header| json!({"format": header.format().trim_end(), "text": said(header)}))
        .collect();
    let text = text_of(&chain);
    let data = text.as_deref().unwrap_or(&chain.data);
    let mut value = json!({"headers": headers, "format": chain.place.format.as_str()});
    match std::str::from_utf8(data) {
        Ok(text) => value["data"] = text.into(),
        Err(_) => value["data_hex"] = text::hexadecimal(data).into(),
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::headers::RulesHeader2;
    use mqi::{Encoding, Text};

    fn with_headers(headers: Vec<Header>, place: Place, data: &[u8]) -> (MessageDescriptor, Bytes) {
        let chain = Chain { headers, place, data: Bytes::copy_from_slice(data) };
        let (place, body) = chain.write(Encoding::NATIVE, 1208).unwrap();
        let mut descriptor = MessageDescriptor::default();
        place.describe(&mut descriptor);
        (descriptor, body)
    }

    fn string(ccsid: i32) -> Place {
        Place { format: Text::truncated("MQSTR"), coded_character_set: ccsid, encoding: Encoding::NATIVE }
    }

    fn rules(folder: &str) -> Header {
        Header::Rules2(RulesHeader2 {
            following: Place::default(),
            flags: 0,
            names_and_values_ccsid: 1208,
            folders: vec![folder.to_owned()],
        })
    }

    #[test]
    fn headers_stand_before_the_data() {
        let folder = "<usr><colour>red</colour></usr>";
        let (descriptor, body) = with_headers(vec![rules(folder)], string(1208), b"42 EUR");
        assert_eq!(gist(&descriptor, &body, 40), format!("{folder} | 42 EUR"));
        let shown = to_json(&descriptor, &body).unwrap();
        assert_eq!((&shown["data"], &shown["headers"][0]["format"]), (&"42 EUR".into(), &"MQHRF2".into()));
    }

    #[test]
    fn text_of_another_character_set_is_readable() {
        let utf_16: Vec<u8> = "Grüße".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (descriptor, body) = with_headers(vec![], string(1200), &utf_16);
        assert_eq!(gist(&descriptor, &body, 40), "Grüße");
        let (descriptor, body) = with_headers(vec![], string(819), b"Gr\xFC\xDFe");
        assert_eq!(gist(&descriptor, &body, 40), "Grüße");
    }

    #[test]
    fn what_a_terminal_takes_for_commands_is_shown_as_text() {
        let folder = "<usr><a>\u{1b}[2J</a></usr>";
        let (descriptor, body) = with_headers(vec![rules(folder)], string(1208), b"\x1b[2J\x00");
        let shown = gist(&descriptor, &body, 40);
        assert!(!shown.contains(objects::harmless::is_harmful), "{shown:?}");
        assert_eq!(shown.matches("\\u{1b}[2J").count(), 2, "{shown}");
    }

    #[test]
    fn a_header_that_cannot_be_read_is_shown_as_its_bytes() {
        let (descriptor, body) = with_headers(vec![rules("<usr></usr>")], string(1208), b"data");
        let cut = body.slice(..20);
        assert_eq!(gist(&descriptor, &cut, 10), text::preview(&cut, 10));
        assert_eq!(to_json(&descriptor, &cut), None);
        assert_eq!(to_json(&MessageDescriptor::default(), &body), None, "nothing announces a header");
    }
}
