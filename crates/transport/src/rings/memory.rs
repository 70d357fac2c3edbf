//! Memory that two processes see.
//!
//! Always: it keeps its size as long as it is mapped, since it is sealed before another process sees it; no
//! access goes beyond its end.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::AtomicU64;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

use super::BYTES;
use super::lane::Memory;

/// Seals that keep the memory as long as it is, for all processes.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

/// The memory of a connection, in this process.
#[derive(Debug)]
pub(super) struct Mapping {
    start: NonNull<AtomicU64>,
}

/// Makes memory that can be passed on, all zeros.
pub(super) fn make() -> io::Result<OwnedFd> {
    let memory = rustix::fs::memfd_create(c"ferry-rings", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    rustix::fs::ftruncate(&memory, BYTES as u64)?;
    rustix::fs::fcntl_add_seals(&memory, SEALS)?;
    Ok(memory)
}

impl Mapping {
    /// Maps memory as [`make`] makes it.
    ///
    /// # Errors
    /// When it is not as long as it must be or may change its length, or the system refuses.
    pub(super) fn of(memory: impl AsFd) -> io::Result<Self> {
        let is_sealed = rustix::fs::fcntl_get_seals(&memory)?.contains(SEALS);
        if !is_sealed || rustix::fs::fstat(&memory)?.st_size != BYTES as i64 {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "memory for rings of another length, or not sealed",
            ));
        }
        #[expect(unsafe_code, reason = "mapping memory has no safe form")]
        // SAFETY: the system chooses the place, so nothing is mapped over; the length is that of the file, as
        // was just seen.
        let start = unsafe {
            let access = ProtFlags::READ | ProtFlags::WRITE;
            rustix::mm::mmap(ptr::null_mut(), BYTES, access, MapFlags::SHARED, &memory, 0)?
        };
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { start })
    }

    /// Where it begins, and how long it is.
    pub(super) fn extent(&self) -> (NonNull<u8>, usize) {
        self.start.as_ptr().expose_provenance();
        (self.start.cast(), BYTES)
    }
}

impl Memory for Mapping {
    type Word = AtomicU64;

    #[expect(unsafe_code, reason = "mapped memory is seen through a pointer")]
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: that many bytes are mapped from there, aligned to a page, until this is dropped; they
        // cannot go away, as the file is sealed against shrinking. Any bits are an atomic number, and other
        // writers, in this process or another, do not make more of it than that.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), BYTES / size_of::<AtomicU64>()) }
    }
}

#[expect(unsafe_code, reason = "a pointer says nothing of threads")]
// SAFETY: nothing of it belongs to a thread; what is reached through it is atomic.
unsafe impl Send for Mapping {}

#[expect(unsafe_code, reason = "a pointer says nothing of threads")]
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Drop for Mapping {
    fn drop(&mut self) {
        #[expect(unsafe_code, reason = "nothing else takes a mapping away")]
        // SAFETY: it was mapped with this length, and nothing refers into it any more, as references borrow
        // from this.
        let outcome = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), BYTES) };
        debug_assert!(outcome.is_ok(), "what was mapped is taken away");
    }
}
