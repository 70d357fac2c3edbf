//! A put as it travels.

use std::hint::black_box;

use bytes::Bytes;
use channel::client::{self, Target};
use channel::{Conversation, Frame, Header, Kind, Output, Request, RequestNumber};
use mqi::{MessageDescriptor, ObjectHandle, PutFlags, PutOptions};

use super::MESSAGE_BYTES;

const FRAME_BYTES_MAX: u32 = 1 << 20;

fn header() -> Header {
    Header::new(Kind::Put, Conversation(1), RequestNumber(1))
}

fn put(output: &mut Output, body: &Bytes) {
    let (target, options) = (Target::Handle(ObjectHandle(1)), PutOptions::with(PutFlags::SYNCPOINT));
    let descriptor = MessageDescriptor::default();
    let rest = client::put(output, header(), &target, &descriptor, &options, body.clone(), 1 << 19);
    assert!(rest.is_empty(), "it is one frame");
}

/// A put request made into bytes.
pub(super) fn encode(count: u64) {
    let body = Bytes::from(vec![7; MESSAGE_BYTES]);
    let mut output = Output::default();
    for _ in 0..count {
        put(black_box(&mut output), &body);
        output.advance(output.len());
    }
}

/// The bytes of a put request made into one.
pub(super) fn decode(count: u64) {
    let mut output = Output::default();
    put(&mut output, &Bytes::from(vec![7; MESSAGE_BYTES]));
    let bytes = output.to_vec();
    let mut descriptor = MessageDescriptor::default();
    for _ in 0..count {
        let frame = Frame::decode(black_box(&bytes), FRAME_BYTES_MAX).expect("a frame").expect("a whole one");
        let request = Request::decode(&frame, FRAME_BYTES_MAX, &mut descriptor);
        assert!(black_box(request).is_ok(), "it is a put");
    }
}
