//! The body of a message taken apart: its headers, its properties, and the data behind them.
//!
//! Lives here: taking apart. Lives elsewhere: the forms in which the parts are printed (`message`,
//! `body_summary`).
//!
//! Always: a header that cannot be read is data, with everything behind it; each byte of text that is no
//! property is in a header or in the data.

use std::borrow::Cow;

use bytes::Bytes;
use formats::character_set::{ByteOrder, CharacterSet, Losses};
use formats::headers::{self, HEADERS_MAX, Header, Place, RulesHeader2};
use formats::properties::{self, Property, folder};
use mqi::MessageDescriptor;
use mqi::constants::{MQENC_INTEGER_MASK, MQENC_INTEGER_REVERSED, MQFMT_STRING};

/// A body taken apart.
#[derive(Debug)]
pub(crate) struct Content {
    /// The headers that say more than properties, in their order.
    pub(crate) headers: Vec<Header>,
    /// The properties, in their order.
    pub(crate) properties: Vec<Property>,
    /// Description of the data.
    pub(crate) place: Place,
    /// The data.
    pub(crate) data: Bytes,
}

impl Content {
    /// Takes a body apart, through headers of every kind that is known here.
    pub(crate) fn of(descriptor: &MessageDescriptor, body: &Bytes) -> Self {
        let mut content = Self::whole(descriptor, body);
        for _ in 0..HEADERS_MAX {
            let Ok(Some((header, length))) = headers::first(&content.place, &content.data) else { break };
            content.place = header.following(&content.place);
            content.data = content.data.slice(length..);
            content.add(header);
        }
        content.take_kept_form_apart();
        content
    }

    /// The body as it is, all of it data.
    pub(crate) fn whole(descriptor: &MessageDescriptor, body: &Bytes) -> Self {
        let place = Place::of(descriptor);
        Self { headers: Vec::new(), properties: Vec::new(), place, data: body.clone() }
    }

    /// Adds a header; of folders, those that hold anything but properties.
    fn add(&mut self, header: Header) {
        let Header::Rules2(mut rules) = header else { return self.headers.push(header) };
        let had_folders = !rules.folders.is_empty();
        rules.folders = rules.folders.drain(..).filter_map(|text| self.add_folder(text)).collect();
        if !(had_folders && rules.folders.is_empty()) {
            self.headers.push(Header::Rules2(rules));
        }
    }

    /// Adds the properties of a folder; returns its text where it is no folder of properties alone.
    fn add_folder(&mut self, text: String) -> Option<String> {
        if !folder::is_of_properties(&text) {
            return Some(text);
        }
        let Ok(read) = folder::read_whole(&text) else { return Some(text) };
        self.properties.extend(read.properties);
        read.reserved
    }

    /// A message that came by AMQP and went aside with its sections is taken apart as programs are given it.
    fn take_kept_form_apart(&mut self) {
        if !properties::has_kept_form(&self.place, &self.data) {
            return;
        }
        let Ok(parts) = properties::take_out(&self.place, &self.data) else { return };
        let folders = parts.folders.into_iter().filter_map(|text| self.add_folder(text)).collect::<Vec<_>>();
        if !folders.is_empty() {
            self.headers.push(Header::Rules2(RulesHeader2 { folders, ..RulesHeader2::before(parts.place) }));
        }
        (self.place, self.data) = (parts.place, parts.body);
    }

    /// The data as text: UTF-8 as it stands, text of another character set read in that; none for other data.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        if let Some(set) = self.other_set() {
            let (text, losses) = set.decode(&self.data, self.order());
            if losses == Losses::default() {
                return Some(text);
            }
        }
        std::str::from_utf8(&self.data).ok().map(Cow::Borrowed)
    }

    /// The data, or its beginning of so many bytes, as UTF-8 where it is text of another character set.
    pub(crate) fn shown(&self, bytes_max: usize) -> Cow<'_, [u8]> {
        let head = &self.data[..self.data.len().min(bytes_max)];
        match self.other_set() {
            Some(set) => Cow::Owned(set.decode(head, self.order()).0.into_owned().into_bytes()),
            None => Cow::Borrowed(&self.data),
        }
    }

    /// The character set of text that is not read as UTF-8.
    fn other_set(&self) -> Option<CharacterSet> {
        let is_plain = || std::str::from_utf8(&self.data).is_ok_and(|text| !text.contains('\0'));
        if !self.place.is(MQFMT_STRING) || is_plain() {
            return None;
        }
        CharacterSet::by_ccsid(self.place.coded_character_set)
    }

    fn order(&self) -> ByteOrder {
        match self.place.encoding.0 & MQENC_INTEGER_MASK {
            MQENC_INTEGER_REVERSED => ByteOrder::Reversed,
            _ => ByteOrder::Normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::headers::{Chain, DeadLetterHeader, RulesHeader1};
    use mqi::{Encoding, Text};

    const PROPERTIES: &str = "<usr><colour>red</colour><size dt='i4'>7</size></usr>";

    fn string() -> Place {
        Place { format: Text::truncated("MQSTR"), coded_character_set: 1208, encoding: Encoding::NATIVE }
    }

    fn rules(folders: &[&str]) -> Header {
        let folders = folders.iter().map(|text| (*text).to_owned()).collect();
        Header::Rules2(RulesHeader2 { folders, ..RulesHeader2::before(string()) })
    }

    fn dead_letter() -> Header {
        Header::DeadLetter(DeadLetterHeader {
            reason: 2053,
            destination_queue: Text::truncated("ORDERS"),
            destination_queue_manager: Text::BLANK,
            following: string(),
            put_application_type: mqi::PutApplicationType::QMGR,
            put_application_name: Text::BLANK,
            put_date: Text::BLANK,
            put_time: Text::BLANK,
        })
    }

    fn message(headers: Vec<Header>, data: &[u8]) -> (MessageDescriptor, Bytes) {
        let chain = Chain { headers, place: string(), data: Bytes::copy_from_slice(data) };
        let (place, body) = chain.write(Encoding::NATIVE, 1208).unwrap();
        let mut descriptor = MessageDescriptor::default();
        place.describe(&mut descriptor);
        (descriptor, body)
    }

    fn names(content: &Content) -> Vec<&str> {
        content.properties.iter().map(|property| &property.name[..]).collect()
    }

    #[test]
    fn properties_stand_apart_however_many_headers_precede_them() {
        let command = || {
            let names_and_values = "MQPSCommand Publish ".to_owned();
            Header::Rules1(RulesHeader1 { following: string(), flags: 0, names_and_values })
        };
        for before in [vec![], vec![dead_letter()], vec![dead_letter(), command(), dead_letter()]] {
            let count = before.len();
            let (descriptor, body) = message([before, vec![rules(&[PROPERTIES])]].concat(), b"42 EUR");
            let content = Content::of(&descriptor, &body);
            assert_eq!((content.headers.len(), names(&content)), (count, vec!["usr.colour", "usr.size"]));
            assert_eq!((&content.data[..], content.place.format.as_str()), (&b"42 EUR"[..], "MQSTR"));
        }
    }

    #[test]
    fn folders_that_are_no_properties_stay_in_a_header() {
        let reserved = "<usr><JMSFoo>x</JMSFoo></usr>";
        for (folder, kept) in [
            ("<pscr><a>b</a></pscr>", Some("<pscr><a>b</a></pscr>")),
            (reserved, Some(reserved)),
            ("<usr><a>b</usr>", Some("<usr><a>b</usr>")),
            ("<usr><a>b</a></usr>", None),
        ] {
            let (descriptor, body) = message(vec![rules(&[PROPERTIES, folder])], b"data");
            let content = Content::of(&descriptor, &body);
            let folders: Vec<&str> = content
                .headers
                .iter()
                .flat_map(|header| match header {
                    Header::Rules2(rules) => &rules.folders[..],
                    _ => &[],
                })
                .map(String::as_str)
                .collect();
            assert_eq!(folders, Vec::from_iter(kept), "{folder}");
            assert_eq!(&content.data[..], b"data", "{folder}");
        }
    }

    #[test]
    fn a_header_that_cannot_be_read_is_data_with_all_that_follows() {
        let (descriptor, body) = message(vec![dead_letter(), rules(&[PROPERTIES])], b"data");
        for (length, headers, data) in [(100, 0, 100), (180, 1, 8), (body.len() - 10, 1, body.len() - 182)] {
            let content = Content::of(&descriptor, &body.slice(..length));
            assert_eq!((content.headers.len(), content.data.len()), (headers, data), "{length}");
            assert!(content.properties.is_empty(), "{length}");
        }
        let unannounced = Content::of(&MessageDescriptor::default(), &body);
        assert_eq!((unannounced.headers.len(), unannounced.data), (0, body));
    }

    #[test]
    fn a_chain_without_end_ends_soon() {
        let (descriptor, body) = message(vec![dead_letter(); HEADERS_MAX + 3], b"data");
        let content = Content::of(&descriptor, &body);
        assert_eq!((content.headers.len(), content.data.len()), (HEADERS_MAX, 3 * 172 + 4));
    }
}
