//! The frames that stock clients sent, in the order in which they sent them: each is answered as it was.
//!
//! A file of `transcripts` is one client's: `connection` begins one, and a line is a frame in hexadecimal.
//! They were written down between the client and the queue manager while the client put, got, selected,
//! browsed, drained and ended transactions. The answers to a frame are waited for before the next one, and
//! numbers of deliveries and transactions follow from the frames.

use ::amqp::frame::{Frame, FrameType};
use ::amqp::outcome::DeliveryState;
use ::amqp::performative::Performative;
use agents::{Agent, Close};
use mqi::properties::bytes_from_hex;

use super::{Peer, state};
use crate::loopback::Server;

/// The answers that a client was given, and its own frames, counted.
#[derive(Debug, Default, PartialEq, Eq)]
struct Told {
    /// Messages that it was sent.
    delivered: usize,
    /// Its messages and requests that were accepted, in a transaction or not, or that declared one.
    accepted: usize,
    /// Its messages that were rejected, and links, sessions and connections that ended with an error.
    refused: Vec<String>,
    /// Credit that was used up for it without messages.
    drained: usize,
}

impl Told {
    fn hear(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if rest.starts_with(b"AMQP") {
                rest = &rest[8..];
                continue;
            }
            let frame = Frame::decode(rest, 1 << 20).unwrap().expect("whole frames are sent");
            rest = &rest[frame.bytes..];
            if frame.frame_type == FrameType::Amqp && !frame.body.is_empty() {
                self.hear_frame(frame.body);
            }
        }
    }

    fn hear_frame(&mut self, body: &[u8]) {
        match Performative::decode(body).unwrap().0 {
            Performative::Transfer(transfer) => self.delivered += usize::from(!transfer.more),
            Performative::Disposition(told) if told.is_receiver => {
                let count = (told.last.unwrap_or(told.first) - told.first + 1) as usize;
                // A name of a transaction is no outcome of a message.
                let outcome = told.state.and_then(|state| DeliveryState::decode(state.0).ok());
                match outcome {
                    Some(DeliveryState::Rejected(_)) => self.refused.push(format!("{told:?}")),
                    Some(DeliveryState::Transactional(within)) => {
                        let outcome = state(within.outcome);
                        assert_eq!(outcome, Some(DeliveryState::Accepted), "{told:?}");
                        self.accepted += count;
                    }
                    _ => self.accepted += count,
                }
            }
            Performative::Flow(flow) => self.drained += usize::from(flow.drain),
            Performative::Detach(detach) if detach.error.is_some() => {
                self.refused.push(format!("{detach:?}"));
            }
            Performative::End(end) if end.error.is_some() => self.refused.push(format!("{end:?}")),
            Performative::Close(close) if close.error.is_some() => self.refused.push(format!("{close:?}")),
            _ => {}
        }
    }
}

/// Everything that comes, with the log driven and jobs run.
fn all_raw(peer: &mut Peer) -> Vec<u8> {
    let mut all = peer.raw();
    loop {
        let mut drove = false;
        while peer.queue_manager.log().waits() {
            peer.queue_manager.drive();
            drove = true;
        }
        while let Some(job) = peer.queue_manager.take_job() {
            job.run();
            drove = true;
        }
        let more = peer.raw();
        if more.is_empty() && !drove {
            return all;
        }
        all.extend(more);
    }
}

/// Says everything that a client said.
fn replayed(server: &Server, transcript: &str) -> Told {
    let mut told = Told::default();
    for connection in transcript.split("connection\n").filter(|frames| !frames.is_empty()) {
        let mut peer = Peer::stranger(server);
        let mut lines = connection.lines().peekable();
        while let Some(line) = lines.next() {
            match peer.receive(&bytes_from_hex(line).expect("hexadecimal")) {
                Ok(()) => told.hear(&all_raw(&mut peer)),
                Err(close @ Close::Disconnected) => {
                    assert_eq!(lines.peek(), None, "its Close is the last that it says");
                    told.hear(&all_raw(&mut peer));
                    peer.agent.farewell(&close, &mut peer.output);
                    told.hear(&peer.raw());
                    break;
                }
                Err(close) => panic!("{close} at {line}"),
            }
        }
    }
    told
}

#[test]
fn the_frames_of_stock_clients_are_answered_as_they_were() {
    // Messages delivered, accepted, and credit used up, of each.
    for (client, queue, transcript, [delivered, accepted, drained]) in [
        ("python-qpid-proton 0.40.0", "AMQP.PYTHON", include_str!("transcripts/proton.hex"), [17, 22, 2]),
        ("rhea 3.0.5", "AMQP.NODE", include_str!("transcripts/rhea.hex"), [9, 9, 1]),
        ("go-amqp 1.7.0", "AMQP.GO", include_str!("transcripts/go-amqp.hex"), [8, 8, 1]),
        ("Qpid JMS 2.10.0", "AMQP.JAVA", include_str!("transcripts/qpid-jms.hex"), [7, 13, 3]),
    ] {
        let server = Server::new();
        let response = server.client().command(&format!("DEFINE QLOCAL({queue})"));
        assert!(!response.failed, "{}", response.text);
        let expected = Told { delivered, accepted, drained, refused: Vec::new() };
        assert_eq!(replayed(&server, transcript), expected, "{client}");
        assert_eq!(server.depth(queue), 0, "{client} takes everything that it puts");
    }
}
