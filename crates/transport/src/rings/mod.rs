//! Rings in shared memory, for programs of this machine: the bytes of a socket without a system call for each
//! piece.
//!
//! Lives here: the layout of the memory, and how it is made and handed over. `lane` is one direction, which
//! knows no memory but words; `memory` maps it; [`Served`] is the queue manager's end and [`Program`] the
//! other one.
//!
//! A connection is a Unix socket and 260 KiB of memory. The queue manager makes the memory, seals it so that
//! it keeps its size, and passes it over that socket, once, with a byte that names its layout. From then on
//! the socket carries bells alone: a byte of any value, sent to an end that sleeps. Its end is the
//! connection's, so a program that is killed is missed as it would be with a socket.
//!
//! ```text
//! word   0   tail of the lane to the queue manager     written by the end that puts bytes in
//! word  16   head of that lane                         written by the end that takes them out
//! word  32   tail of the lane to the program
//! word  48   head of that lane
//! word 512   the lane to the queue manager, 16,384 words
//!            the lane to the program, as many
//! ```
//!
//! Always: the other end may write anything anywhere at any moment. So a word of the memory is read once, as
//! a whole, and judged before it is used; an end knows its own place in a lane from memory of its own.

pub mod lane;
mod memory;
mod program;
mod served;

use std::io;
use std::ops::Range;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

use lane::{Consumer, Lane, Producer};
use memory::Mapping;
use rustix::net::SendFlags;

pub use program::Program;
pub use served::{Held, Served};

/// The layout of the memory, as named by the byte that comes with it.
const LAYOUT: u8 = 1;

/// Words of a lane, a power of two: two messages of the length that is read at once, and little enough that
/// both lanes stay in a near cache.
const LANE_WORDS: usize = 16_384;

/// Words before the lanes: a page.
const FRONT_WORDS: usize = 512;

/// Words between two that different ends write: two lines of a cache, which are fetched together.
const APART_WORDS: usize = 16;

const BYTES: usize = (FRONT_WORDS + 2 * LANE_WORDS) * size_of::<u64>();

/// The two lanes of a connection, as one end sees them.
struct Ends {
    incoming: Consumer<Arc<Mapping>>,
    outgoing: Producer<Arc<Mapping>>,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    QueueManager,
    Program,
}

impl Ends {
    /// One end of lanes on which nothing was sent yet.
    fn new(memory: Mapping, end: End) -> Self {
        let memory = Arc::new(memory);
        let lane = |number: usize| {
            let tail = 2 * number * APART_WORDS;
            let data = FRONT_WORDS + number * LANE_WORDS;
            Lane::new(
                Arc::clone(&memory),
                tail,
                tail + APART_WORDS,
                Range { start: data, end: data + LANE_WORDS },
            )
        };
        let (to_queue_manager, to_program) = (lane(0), lane(1));
        let (incoming, outgoing) = match end {
            End::QueueManager => (to_queue_manager, to_program),
            End::Program => (to_program, to_queue_manager),
        };
        Self { incoming: Consumer::new(incoming), outgoing: Producer::new(outgoing) }
    }
}

impl From<lane::Scribbled> for io::Error {
    fn from(scribbled: lane::Scribbled) -> Self {
        Self::new(io::ErrorKind::InvalidData, scribbled)
    }
}

/// Makes a sleeping end look.
fn ring_bell(stream: BorrowedFd<'_>) -> io::Result<()> {
    match rustix::net::send(stream, &[0], SendFlags::NOSIGNAL | SendFlags::DONTWAIT) {
        // So many bells wait there that one more says nothing new.
        Ok(_) | Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
