//! The body of a message in one line for a person: what its headers say, then the data behind them.
//!
//! Always: control characters never reach a terminal as they are, and the line has a bound for any body.

use bytes::Bytes;
use formats::headers::{Header, TriggerMessage};
use mqi::MessageDescriptor;
use mqi::constants::MQFMT_TRIGGER;

use crate::content::Content;
use crate::event::Event;
use crate::text;

/// Most characters of the text of one header.
const HEADER_CHARACTERS_MAX: usize = 120;

/// Most bytes of data that are turned into characters for one line.
const DATA_BYTES_MAX: usize = 4_096;

/// A body in one line.
pub(crate) struct BodySummary {
    /// Content of headers, then the data.
    pub(crate) line: String,
    /// Bytes of data.
    pub(crate) bytes: usize,
}

/// One line of at most so many characters of data, behind what the headers say. Properties are left out.
pub(crate) fn gist(descriptor: &MessageDescriptor, body: &Bytes, characters_max: usize) -> BodySummary {
    let content = Content::of(descriptor, body);
    let mut parts: Vec<String> = content.headers.iter().map(header).collect();
    parts.push(data(&content, descriptor, characters_max));
    parts.retain(|part| !part.is_empty());
    BodySummary { line: parts.join(" | "), bytes: content.data.len() }
}

/// The data behind the headers as text.
fn data(content: &Content, descriptor: &MessageDescriptor, characters_max: usize) -> String {
    let mut inner = descriptor.clone();
    content.place.describe(&mut inner);
    if content.place.is(MQFMT_TRIGGER)
        && let Ok(trigger) = TriggerMessage::read(&content.place, &content.data)
    {
        let text = format!("trigger of {} for {}", trigger.queue, trigger.application_id.trim_end());
        return text::preview(text.as_bytes(), HEADER_CHARACTERS_MAX);
    }
    if let Some(event) = Event::of(&inner, &content.data) {
        return text::preview(event.to_line().as_bytes(), characters_max.max(HEADER_CHARACTERS_MAX));
    }
    text::preview(&content.shown(DATA_BYTES_MAX), characters_max)
}

/// A header in a few words.
pub(crate) fn header(header: &Header) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use formats::headers::{Chain, Place, RulesHeader2};
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
    fn headers_stand_before_the_data_and_properties_do_not() {
        let folder = "<pscr><Response>OK</Response></pscr>";
        let (descriptor, body) = with_headers(vec![rules(folder)], string(1208), b"42 EUR");
        let shown = gist(&descriptor, &body, 40);
        assert_eq!((shown.line, shown.bytes), (format!("{folder} | 42 EUR"), 6));
        let properties = rules("<usr><colour>red</colour></usr>");
        let (descriptor, body) = with_headers(vec![properties], string(1208), b"42 EUR");
        let shown = gist(&descriptor, &body, 40);
        assert_eq!((&shown.line[..], shown.bytes), ("42 EUR", 6));
    }

    #[test]
    fn text_of_another_character_set_is_readable() {
        let utf_16: Vec<u8> = "Grüße".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (descriptor, body) = with_headers(vec![], string(1200), &utf_16);
        assert_eq!(gist(&descriptor, &body, 40).line, "Grüße");
        let (descriptor, body) = with_headers(vec![], string(819), b"Gr\xFC\xDFe");
        assert_eq!(gist(&descriptor, &body, 40).line, "Grüße");
    }

    #[test]
    fn what_a_terminal_takes_for_commands_is_shown_as_text() {
        let folder = "<app><a>\u{1b}[2J</a></app>";
        let (descriptor, body) = with_headers(vec![rules(folder)], string(1208), b"\x1b[2J\x00");
        let shown = gist(&descriptor, &body, 40).line;
        assert!(!shown.contains(objects::harmless::is_harmful), "{shown:?}");
        assert_eq!(shown.matches("\\u{1b}[2J").count(), 2, "{shown}");
    }

    #[test]
    fn a_header_that_cannot_be_read_is_shown_as_its_bytes() {
        let (descriptor, body) = with_headers(vec![rules("<usr></usr>")], string(1208), b"data");
        let cut = body.slice(..20);
        assert_eq!(gist(&descriptor, &cut, 10).line, text::preview(&cut, 10));
    }
}
