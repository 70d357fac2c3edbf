//! Threads that stream over one socket, one after the other.
//!
//! Each of them puts faster than the socket takes it. Side by side they would meet at the turn to send again
//! and again, and take processors from the queue manager; so all but the sending thread sleep, and that one
//! takes their last puts along.
//!
//! Always: a thread sleeps here only behind a sending one, and no longer than [`HELD_BACK_MAX`] before it
//! waits for the turn itself.

use super::{GATHERED_BYTES_MAX, Writer};
use platform::sync::{Condvar, MutexGuard};
use std::time::Duration;

/// Bytes that one thread streams before the next goes on: some milliseconds' worth, so that going on costs
/// little beside it.
const TURN_BYTES: usize = 16 << 20;

/// Longest that a thread is held back, for the socket may be slow and its only sender silent.
const HELD_BACK_MAX: Duration = Duration::from_millis(20);

/// Threads that are held back.
#[derive(Debug)]
pub(super) struct Turns {
    goes_on: Condvar,
    held_back_max: Duration,
}

/// State of these threads under the writer's lock.
#[derive(Debug, Default)]
pub(super) struct HeldBack {
    count: usize,
    /// Bytes that left since one of them went on.
    left_bytes: usize,
}

impl Default for Turns {
    fn default() -> Self {
        Self { goes_on: Condvar::new(), held_back_max: HELD_BACK_MAX }
    }
}

impl Turns {
    /// Makes a streaming thread sleep behind a sending one; true if its output was taken along, and little
    /// has gathered since.
    pub(super) fn hold_back(&self, writer: &mut MutexGuard<'_, Writer>) -> bool {
        writer.held_back.count += 1;
        self.goes_on.wait_for(writer, self.held_back_max);
        writer.held_back.count -= 1;
        writer.output.len() < GATHERED_BYTES_MAX
    }

    /// Notes bytes that are about to be sent.
    pub(super) fn leave(&self, held_back: &mut HeldBack, bytes: usize) {
        held_back.left_bytes += bytes;
        if held_back.left_bytes >= TURN_BYTES {
            self.go_on(held_back);
        }
    }

    /// A thread asks for an answer, and may be the one behind which the others sleep: it waits now, and
    /// streams no more. So the next goes on.
    pub(super) fn go_on(&self, held_back: &mut HeldBack) {
        held_back.left_bytes = 0;
        if held_back.count > 0 {
            self.goes_on.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::link;
    use super::super::{GATHERED_BYTES_MAX, Link, Output, SEGMENT_BYTES};
    use super::{TURN_BYTES, Turns};
    use platform::sync::MutexGuard;
    use std::os::unix::net::UnixStream;
    use std::sync::Arc;
    use std::thread::JoinHandle;
    use std::time::{Duration, Instant};

    /// A link that holds threads back until another lets them go on, and the other end of its socket.
    fn link_for_good() -> (Arc<Link>, UnixStream) {
        let (mut link, server) = link();
        let held_back_max = Duration::from_secs(3600);
        Arc::get_mut(&mut link).expect("nobody else has it").turns =
            Turns { held_back_max, ..Turns::default() };
        (link, server)
    }

    /// Corks so many bytes as a streaming thread.
    fn stream(link: &Arc<Link>, bytes: usize) {
        link.cork_of(true, |output| output.cork().resize(bytes, 0)).expect("the link is whole");
    }

    /// Streams on a link while another thread sends, and returns once it sleeps.
    fn held_back(link: &Arc<Link>) -> JoinHandle<()> {
        stream(link, SEGMENT_BYTES);
        assert!(link.writer.lock().is_wanted, "left to the one who sends");
        let streaming = std::thread::spawn({
            let link = Arc::clone(link);
            move || stream(&link, GATHERED_BYTES_MAX)
        });
        while link.writer.lock().held_back.count == 0 {
            std::thread::yield_now();
        }
        streaming
    }

    /// Sends the gathered output, as the thread with the turn.
    fn send(link: &Link, turn: &mut MutexGuard<'_, Output>) {
        link.load(turn);
        let bytes = turn.len();
        turn.advance(bytes);
    }

    #[test]
    fn who_streams_beside_one_who_sends_sleeps_until_somebody_asks() {
        let (link, _server) = link_for_good();
        let mut turn = link.sending.try_turn().unwrap();
        let streaming = held_back(&link);
        send(&link, &mut turn);
        stream(&link, 100);
        assert_eq!(link.writer.lock().held_back.count, 1, "another put wakes nobody");
        link.send(|output| output.cork().push(0)).unwrap();
        streaming.join().unwrap();
    }

    #[test]
    fn who_streams_goes_on_after_much_was_sent() {
        let (link, _server) = link_for_good();
        let mut turn = link.sending.try_turn().unwrap();
        let streaming = held_back(&link);
        send(&link, &mut turn);
        let mut sent = GATHERED_BYTES_MAX;
        while sent < TURN_BYTES {
            assert_eq!(link.writer.lock().held_back.count, 1, "{sent} bytes");
            stream(&link, SEGMENT_BYTES);
            send(&link, &mut turn);
            sent += SEGMENT_BYTES;
        }
        streaming.join().unwrap();
    }

    #[test]
    fn who_streams_goes_on_beside_one_who_is_silent() {
        let (link, _server) = link();
        let mut turn = link.sending.try_turn().unwrap();
        let begun = Instant::now();
        let streaming = held_back(&link);
        send(&link, &mut turn);
        streaming.join().unwrap();
        assert!(begun.elapsed() >= super::HELD_BACK_MAX);
    }
}
