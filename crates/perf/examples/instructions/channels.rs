//! A message channel between two queue managers, without a socket.

use std::sync::Arc;

use agents::{Agent, Limits, MessageChannel, PeerInfo, PendingConnection};
use bytes::BytesMut;
use channel::Output;
use queue_manager::QueueManager;

use super::agent::NoWake;
use super::engine::{run, started};

/// Rounds of frames in which the channel opens at most.
const ROUNDS_MAX: usize = 20;

/// One end of a channel.
pub(super) struct End {
    agent: MessageChannel,
    manager: QueueManager,
    input: BytesMut,
    output: Output,
}

impl End {
    fn of(agent: MessageChannel, manager: QueueManager) -> Self {
        Self { agent, manager, input: BytesMut::new(), output: Output::default() }
    }

    pub(super) fn receive(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
        self.agent.receive(&mut self.input).expect("the channel goes on");
    }

    /// Has the agent work before and after the log is written, and takes its output.
    pub(super) fn work(&mut self) -> Vec<u8> {
        let mut sent = self.release();
        self.manager.drive();
        sent.extend(self.release());
        sent
    }

    fn release(&mut self) -> Vec<u8> {
        let mut sent = Vec::new();
        loop {
            let goes_on = self.agent.release(self.manager.durable(), &mut self.output);
            let bytes = self.output.to_vec();
            self.output.advance(bytes.len());
            sent.extend(bytes);
            if !goes_on {
                return sent;
            }
        }
    }
}

/// The sending and the receiving end of a channel from a queue manager to a new one. It has no message yet;
/// what is put on the queue `THERE` goes over it.
pub(super) fn between(manager: &QueueManager) -> (End, End) {
    for command in [
        "DEFINE QLOCAL(FAR) USAGE(XMITQ)",
        "DEFINE QREMOTE(THERE) RNAME(HERE) RQMNAME(FAR) XMITQ(FAR)",
        "DEFINE CHANNEL(TO.FAR) CHLTYPE(SDR) CONNAME('far.example') XMITQ(FAR)",
        "START CHANNEL(TO.FAR)",
    ] {
        run(manager, command);
    }
    let far = started("FAR");
    run(&far, "DEFINE QLOCAL(HERE)");
    run(&far, "DEFINE CHANNEL(TO.FAR) CHLTYPE(RCVR)");
    let dial = manager.channels().dials().dials.pop().expect("a call is due");
    let peer = PeerInfo { origin: "instructions".into(), is_by_network: true, ..PeerInfo::default() };
    let (limits, waker) = (Limits::default(), Arc::new(NoWake));
    let sender = MessageChannel::calling(manager.clone(), dial.run, peer.clone(), limits, waker.clone());
    let pending = PendingConnection { queue_manager: far.clone(), peer, limits, logins: None, waker };
    let receiver = MessageChannel::called(pending);
    let (mut sender, mut receiver) = (End::of(sender, manager.clone()), End::of(receiver, far));
    let mut said = sender.work();
    for _ in 0..ROUNDS_MAX {
        receiver.receive(&said);
        sender.receive(&receiver.work());
        said = sender.work();
    }
    assert!(said.is_empty(), "both ends are silent once it is open");
    (sender, receiver)
}
