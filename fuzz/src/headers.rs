//! Messages that begin with headers, and the message handles made of them.

use formats::headers::Place;
use formats::properties::handle::Handles;
use mqi::MessageDescriptor;
use mqi::properties::{BufferToHandleOptions, CreateHandleOptions, HandleToBufferOptions, MessageHandles};

/// A body that begins with headers: two bytes choose encoding and character set, one the first header.
pub fn headers(bytes: &[u8]) {
    let Some(([encoding, ccsid, format], body)) = bytes.split_first_chunk() else { return };
    let encodings = [mqi::Encoding::NATIVE, mqi::Encoding::NORMAL, mqi::Encoding(0)];
    let sets = [1208, 819, 37, 943, 1200];
    let formats = ["MQDEAD", "MQHMDE", "MQXMIT", "MQHRF", "MQHRF2", "MQTRIG", "MQADMIN"];
    let place = Place {
        encoding: encodings[usize::from(*encoding) % encodings.len()],
        coded_character_set: sets[usize::from(*ccsid) % sets.len()],
        format: mqi::Text::truncated(formats[usize::from(*format) % formats.len()]),
    };
    let _ = formats::headers::TriggerMessage::read(&place, body);
    let whole = body.to_vec().into();
    let _ = formats::properties::read(&place, body);
    let _ = formats::properties::take_out(&place, &whole);
    let _ = formats::properties::take_first(&place, &whole);
    let counted = formats::properties::length(&place, body).unwrap_or_default();
    assert!(counted <= body.len(), "properties are part of the body");
    let shown = formats::properties::without_origin(&place, &whole);
    assert!(!formats::properties::is_by_handle(&place, &shown), "no program sees how a header came");
    message_handle(&place, body);
    let target = formats::convert::Target { encoding: mqi::Encoding::NORMAL, coded_character_set: 500 };
    let converted = formats::convert::body(&place, &whole, target, 1 << 20);
    assert!(converted.warning.is_none() || converted.body == whole, "what is not converted is as it was");
    if let Ok(chain) = formats::headers::Chain::read(&place, &body.to_vec().into()) {
        for header in &chain.headers {
            if let formats::headers::Header::Rules1(rules) = header {
                let _ = rules.pairs();
            }
        }
        let (place, again) = chain.write(place.encoding, place.coded_character_set).expect("it was read so");
        let again = formats::headers::Chain::read(&place, &again).expect("what was written is read");
        assert_eq!(again.headers.len(), chain.headers.len());
        assert_eq!(again.data, chain.data);
    }
}

/// A message that becomes a message handle, which is written and read again.
fn message_handle(place: &Place, body: &[u8]) {
    let mut handles = Handles::default();
    let handle = handles.create_message_handle(CreateHandleOptions::EMPTY).expect("the first handle");
    let mut descriptor = MessageDescriptor::default();
    place.describe(&mut descriptor);
    let options = BufferToHandleOptions::EMPTY;
    if handles.buffer_to_handle(handle, options, &mut descriptor, body.to_vec().into()).is_err() {
        return;
    }
    let options = HandleToBufferOptions::PROPERTIES_IN_MQRFH2;
    let written = |handles: &mut Handles| {
        let mut of_header = MessageDescriptor::default();
        let header =
            handles.handle_to_buffer(handle, options, "%", &mut of_header, usize::MAX, &mut 0).ok()?;
        Some((of_header, header.bytes))
    };
    let Some((mut of_header, header)) = written(&mut handles) else { return };
    let options = BufferToHandleOptions::DELETE_PROPERTIES;
    let read = handles.buffer_to_handle(handle, options, &mut of_header, header.clone());
    assert!(read.is_ok_and(|rest| rest.bytes.is_empty()), "a header that was written is read");
    assert!(written(&mut handles).is_some_and(|(_, again)| again == header), "and written the same again");
}
