//! The compression of a connection: its output made smaller on the way to the host, its input expanded.
//!
//! Lives here: the turns of that work, and its figures. Lives elsewhere: the bytes (`channel::compression`),
//! the agreement on them (the logins of both agents), the threads of the host ([`Labour`]).
//!
//! Always: frames leave in the order in which they were encoded; one call does a bounded part of what there
//! is, and what takes long is done on a thread of the host, where it has one that is free.

use std::sync::Arc;

use channel::compression::Measure;
use channel::{Error, Frame, Kind, Output, Ways};
use mqi::constants::MQCOMPRESS_NONE;
use platform::sync::Mutex;
use queue_manager::{CompressionProgress, QueueManager};

use crate::agent::{Close, Wake};
use crate::logins::Logins;

/// Most bytes of frames that one call compresses: one piece of a body. The algorithms that run on the reactor
/// take about a millisecond for it; slower ones run on a thread of their own.
const PASSED_BYTES_MAX: usize = channel::compression::PIECE_BYTES;

/// Most bytes of frames that one call expands before other connections have their turn: expanding takes a
/// third of the time.
pub(crate) const EXPANDED_BYTES_MAX: usize = 2 * channel::compression::PIECE_BYTES;

/// Bytes of the buffer for expanded frames that a connection keeps.
const KEPT_BYTES: usize = 4 * 1024;

/// A frame that a thread of the host compresses, and its outcome once that is there.
type Away = Arc<Mutex<Option<Done>>>;

/// The answer to a frame that was to be compressed on a thread of the host.
enum GivenAway {
    /// It is there.
    Taken,
    /// As much waits there as may.
    NoPlace,
    /// The host has no threads for it.
    NoThreads,
}

/// A frame that was compressed elsewhere.
struct Done {
    bytes: Vec<u8>,
    measure: Measure,
    micros: u32,
}

/// The host's place for work that would hold a reactor up.
pub(crate) struct Labour<'a> {
    pub(crate) queue_manager: &'a QueueManager,
    /// The threads for it, where the host has some.
    pub(crate) logins: Option<Arc<dyn Logins>>,
    /// Wakes the agent when it is done.
    pub(crate) waker: Arc<dyn Wake>,
}

/// The compression of one connection.
pub(crate) struct Compression {
    ways: Ways,
    /// Frames that are to be compressed.
    plain: Output,
    /// The frame that the compressed one at the front of the input stands for; empty for none.
    expanded: Vec<u8>,
    away: Option<Away>,
    progress: CompressionProgress,
    /// True if the figures are not told yet.
    has_changed: bool,
}

/// The refusal of a compressed frame on a connection without compression.
pub(crate) fn not_agreed() -> Close {
    Error::Unexpected { kind: Kind::Compressed, why: "no compression was agreed" }.into()
}

impl Compression {
    /// The compression that was agreed; none where nothing is compressed.
    pub(crate) fn of(ways: Ways) -> Option<Box<Self>> {
        let number = |way: Option<channel::login::Compression>| {
            way.map_or(MQCOMPRESS_NONE, |way| i32::from(way.number()))
        };
        let agreed = [number(ways.heads), number(ways.bodies)];
        (!ways.is_none()).then(|| {
            Box::new(Self {
                ways,
                plain: Output::default(),
                expanded: Vec::new(),
                away: None,
                progress: CompressionProgress { agreed, ..CompressionProgress::default() },
                has_changed: true,
            })
        })
    }

    /// The place for frames that are to be compressed.
    pub(crate) fn plain(&mut self) -> &mut Output {
        &mut self.plain
    }

    /// Bytes of frames that wait to be compressed.
    pub(crate) fn waiting_bytes(&self) -> usize {
        self.plain.len()
    }

    /// The figures, if they have changed since they were told.
    pub(crate) fn take_progress(&mut self) -> Option<CompressionProgress> {
        std::mem::take(&mut self.has_changed).then_some(self.progress)
    }

    /// Takes frames to `output`, as many as one call may. True if there are more that can be taken now.
    pub(crate) fn pass(&mut self, output: &mut Output, output_bytes_max: usize, labour: &Labour<'_>) -> bool {
        if !self.take_back(output) {
            return false;
        }
        let mut passed = 0;
        while passed < PASSED_BYTES_MAX {
            if self.plain.is_empty() || output.len() > output_bytes_max {
                return false;
            }
            let ways = match self.ways.is_dear(&self.plain) {
                false => self.ways,
                true => match self.give_away(labour) {
                    GivenAway::Taken => return false,
                    GivenAway::NoThreads => self.ways,
                    // A whole body by a slow way would hold others up, and a frame may always go as it is.
                    GivenAway::NoPlace => Ways::default(),
                },
            };
            let began = labour.queue_manager.now();
            let Some(measure) = ways.pass(&mut self.plain, output) else { return false };
            let micros = labour.queue_manager.now().since(began).as_micros();
            passed += measure.plain_bytes;
            self.note(&measure, u32::try_from(micros).unwrap_or(u32::MAX));
        }
        !self.plain.is_empty()
    }

    /// Takes what is left to `output` as it is: the connection ends.
    pub(crate) fn pass_plain(&mut self, output: &mut Output) {
        // A frame that is away is still at the front of those that wait.
        self.away = None;
        let bytes = self.plain.to_vec();
        output.cork().extend_from_slice(&bytes);
        self.plain.hand_on(bytes.len(), output);
    }

    /// The frame that a compressed one stands for, expanded unless it was looked at before and left.
    pub(crate) fn frame(
        &mut self,
        payload: &[u8],
        frame_bytes_max: u32,
        queue_manager: &QueueManager,
    ) -> Result<(Frame<'_>, &[u8]), Error> {
        if self.expanded.is_empty() {
            let began = queue_manager.now();
            let measure = self.ways.expand(payload, frame_bytes_max, &mut self.expanded)?;
            let micros = queue_manager.now().since(began).as_micros();
            self.note(&measure, u32::try_from(micros).unwrap_or(u32::MAX));
        }
        let frame = Frame::decode(&self.expanded, frame_bytes_max)?;
        let frame = frame.ok_or(Error::Compressed("has another length than the frame in it"))?;
        Ok((frame, &self.expanded))
    }

    /// Forgets the frame that was expanded; how many bytes it had.
    pub(crate) fn forget_frame(&mut self) -> usize {
        let bytes = self.expanded.len();
        self.expanded.clear();
        self.expanded.shrink_to(KEPT_BYTES);
        bytes
    }

    /// Takes the outcome of the frame that is away; false while there is none.
    fn take_back(&mut self, output: &mut Output) -> bool {
        let Some(away) = &self.away else { return true };
        let Some(done) = away.lock().take() else { return false };
        let Done { bytes, measure, micros } = done;
        output.cork().extend_from_slice(&bytes);
        self.plain.hand_on(measure.plain_bytes, output);
        self.away = None;
        self.note(&measure, micros);
        true
    }

    /// Has the frame at the front compressed on another thread. It stays where it is until that is done.
    fn give_away(&mut self, labour: &Labour<'_>) -> GivenAway {
        let Some(logins) = &labour.logins else { return GivenAway::NoThreads };
        let Some(whole) = self.ways.front(&self.plain) else { return GivenAway::NoPlace };
        let away = Away::default();
        let (ways, queue_manager) = (self.ways, labour.queue_manager.clone());
        let (place, waker) = (Arc::clone(&away), Arc::clone(&labour.waker));
        let work = Box::new(move || {
            let began = queue_manager.now();
            let mut bytes = Vec::new();
            let measure = ways.compress(&whole, &mut bytes);
            let micros = queue_manager.now().since(began).as_micros();
            let micros = u32::try_from(micros).unwrap_or(u32::MAX);
            *place.lock() = Some(Done { bytes, measure, micros });
            waker.wake();
        });
        match logins.take_work(work) {
            Ok(()) => {
                self.away = Some(away);
                GivenAway::Taken
            }
            Err(_) => GivenAway::NoPlace,
        }
    }

    fn note(&mut self, measure: &Measure, micros: u32) {
        let place = usize::from(measure.carries_message);
        self.progress.last[place] = measure.way.map_or(MQCOMPRESS_NONE, |way| i32::from(way.number()));
        if measure.way.is_some() {
            let saved = 100 - 100 * measure.sent_bytes / measure.plain_bytes.max(1);
            self.progress.saved.take(u32::try_from(saved).unwrap_or(0));
            self.progress.micros.take(micros.max(1));
        }
        self.has_changed = true;
    }
}
