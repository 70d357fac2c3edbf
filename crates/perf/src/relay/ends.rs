//! The clients that ask, and those that answer.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};

use super::{HEAD_BYTES, Phase, READ_BYTES, RelayWorkload};
use crate::latency::Latencies;

/// Bytes that have come over a socket, and how far they were looked at.
struct Input {
    bytes: Vec<u8>,
    filled: usize,
}

impl Input {
    fn new(message_bytes: usize) -> Self {
        Self { bytes: vec![0; READ_BYTES.max(2 * message_bytes)], filled: 0 }
    }

    /// Waits for more; whether there will be.
    fn read(&mut self, end: &mut TcpStream) -> std::io::Result<bool> {
        let read = end.read(&mut self.bytes[self.filled..])?;
        self.filled += read;
        Ok(read > 0)
    }

    /// The messages that came whole.
    fn whole(&self, message_bytes: usize) -> &[u8] {
        &self.bytes[..self.filled / message_bytes * message_bytes]
    }

    /// Keeps what is behind so much.
    fn drop_first(&mut self, bytes: usize) {
        self.bytes.copy_within(bytes..self.filled, 0);
        self.filled -= bytes;
    }
}

/// Asks until it ends, and waits for the requests under way then. Returns the latency of each request that
/// was answered while it was measured.
pub(super) fn ask(
    mut end: TcpStream,
    number: u64,
    workload: &RelayWorkload,
    phase: &Phase,
) -> Result<Latencies> {
    let (mut latencies, mut under_way) = (Latencies::default(), VecDeque::new());
    let (mut asked, mut answered) = (0_u64, 0_u64);
    let mut input = Input::new(workload.bytes);
    let mut requests = Vec::new();
    let mut wanted = workload.window;
    loop {
        let now = Instant::now();
        requests.clear();
        for _ in 0..wanted {
            asked += 1;
            let place = requests.len();
            requests.resize(place + workload.bytes, 0x5A);
            requests[place..place + 8].copy_from_slice(&number.to_le_bytes());
            requests[place + 8..place + HEAD_BYTES].copy_from_slice(&asked.to_le_bytes());
            under_way.push_back(now);
        }
        end.write_all(&requests).context("cannot ask")?;
        if under_way.is_empty() {
            return Ok(latencies);
        }
        ensure!(input.read(&mut end).context("cannot hear the answer")?, "the relay has left");
        let now = Instant::now();
        let replies = input.whole(workload.bytes);
        for reply in replies.chunks_exact(workload.bytes) {
            answered += 1;
            ensure!(
                reply[..8] == number.to_le_bytes() && reply[8..HEAD_BYTES] == answered.to_le_bytes(),
                "what came is not the reply to request {answered}"
            );
            let asked = under_way.pop_front().context("more replies than requests")?;
            if phase.is_measured() {
                latencies.record(now - asked);
            }
        }
        let (count, length) = (replies.len() / workload.bytes, replies.len());
        input.drop_first(length);
        wanted = if phase.is_ending() { 0 } else { count };
    }
}

/// Sends back what comes, until nobody asks any more.
pub(super) fn answer(mut end: TcpStream, message_bytes: usize) -> Result<()> {
    let mut input = Input::new(message_bytes);
    while input.read(&mut end).context("cannot hear a request")? {
        let length = input.whole(message_bytes).len();
        end.write_all(&input.bytes[..length]).context("cannot answer")?;
        input.drop_first(length);
    }
    ensure!(input.filled == 0, "a request came in part");
    Ok(())
}
