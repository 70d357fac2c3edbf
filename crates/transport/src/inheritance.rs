//! Sockets and shared memory that a child of this process does not take over.
//!
//! A child made by fork has everything open that its parent has, until it runs another program. While it has
//! a socket of its parent's, the other end does not see that the parent is gone, and bytes that the child
//! wrote there would pass for its parent's. So, before the call that made it returns, the child finds a
//! socket that leads nowhere in the place of each, and memory of its own in the place of what is shared.
//!
//! Lives here: the list of these sockets, by number. Lives elsewhere: what a child may do with a connection
//! of its parent's (`client`, `capi`).
//!
//! Always: the work in a child takes no lock and no memory, since other threads of its parent may have held
//! them.

use std::ffi::c_int;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr::NonNull;
use std::sync::Once;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use rustix::io::DupFlags;
use rustix::mm::{MapFlags, ProtFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType};

/// Sockets of which a part of the list has room.
const PART_SOCKETS: usize = 1024;

/// Parts of the list: for as many descriptors as a process has by the largest limit that systems set. A
/// socket with a higher number is inherited.
const PARTS_MAX: usize = 1024;

/// No socket of ours is at this place.
const NOTHING: usize = 0;
/// There is one, without memory: any other value is where its memory begins.
const WITHOUT_MEMORY: usize = 1;

/// Entries of descriptors, by number.
struct Part([Place; PART_SOCKETS]);

struct Place {
    memory: AtomicUsize,
    memory_bytes: AtomicUsize,
    /// The socket's inode: a program may close what is not its own, and have something else by that number.
    inode: AtomicU64,
}

/// A part is made when it is first needed, and stays.
static PARTS: [AtomicPtr<Part>; PARTS_MAX] = [const { AtomicPtr::new(std::ptr::null_mut()) }; PARTS_MAX];

/// A socket that children of this process do not take over. It keeps its number.
#[derive(Debug)]
pub struct NotInherited<S> {
    /// Before the socket, whose number may be another's once it is closed.
    listed: Listed,
    socket: S,
}

/// Dropped, the place is free.
#[derive(Debug)]
struct Listed(RawFd);

impl<S: AsFd> NotInherited<S> {
    /// Keeps it from children that are made from now on.
    pub fn new(socket: S) -> Self {
        static WATCHING: Once = Once::new();
        WATCHING.call_once(|| {
            // Refused for want of memory alone: then children inherit, as they would have.
            let _ = at_fork();
        });
        let listed = Listed(socket.as_fd().as_raw_fd());
        if let Some(place) = place(listed.0, true) {
            place.inode.store(inode(&socket), Ordering::Release);
            place.memory.store(WITHOUT_MEMORY, Ordering::Release);
        }
        Self { listed, socket }
    }

    /// Turns the socket into another type.
    pub fn map<T>(self, to: impl FnOnce(S) -> T) -> NotInherited<T> {
        NotInherited { listed: self.listed, socket: to(self.socket) }
    }

    /// Notes the memory that belongs to the socket and is dropped after it.
    pub(crate) fn with_memory(self, start: NonNull<u8>, bytes: usize) -> Self {
        if let Some(place) = place(self.listed.0, true) {
            place.memory_bytes.store(bytes, Ordering::Release);
            place.memory.store(start.addr().get(), Ordering::Release);
        }
        self
    }
}

impl<S> Deref for NotInherited<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.socket
    }
}

impl<S: AsFd> AsFd for NotInherited<S> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Some(place) = place(self.0, false) {
            place.memory.store(NOTHING, Ordering::Release);
        }
    }
}

/// The place of a descriptor; none where there is no such part, nor is to be.
fn place(descriptor: RawFd, make: bool) -> Option<&'static Place> {
    let number = usize::try_from(descriptor).ok()?;
    let part = PARTS.get(number / PART_SOCKETS)?;
    let mut found = part.load(Ordering::Acquire);
    if found.is_null() && make {
        let made = Box::into_raw(Box::new(Part(std::array::from_fn(|_| Place {
            memory: AtomicUsize::new(NOTHING),
            memory_bytes: AtomicUsize::new(0),
            inode: AtomicU64::new(0),
        }))));
        found = match part.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => made,
            Err(of_another) => {
                #[expect(unsafe_code, reason = "a part is reached through an atomic pointer")]
                // SAFETY: it was just made here, and nobody else has seen it.
                drop(unsafe { Box::from_raw(made) });
                of_another
            }
        };
    }
    #[expect(unsafe_code, reason = "a part is reached through an atomic pointer")]
    // SAFETY: null, or one that was made above and is never freed.
    let found = unsafe { found.as_ref() }?;
    Some(&found.0[number % PART_SOCKETS])
}

/// Makes each child close the listed sockets.
fn at_fork() -> c_int {
    #[expect(unsafe_code, reason = "a function of the C library that has no other door")]
    unsafe extern "C" {
        fn pthread_atfork(
            prepare: Option<extern "C" fn()>,
            parent: Option<extern "C" fn()>,
            child: Option<extern "C" fn()>,
        ) -> c_int;
    }
    #[expect(unsafe_code, reason = "a function of the C library that has no other door")]
    // SAFETY: the function stays loaded for the life of the process (the library is never unloaded), and
    // calls nothing but the system.
    unsafe {
        pthread_atfork(None, None, Some(let_go))
    }
}

/// Identifies a socket; none is zero.
fn inode(socket: impl AsFd) -> u64 {
    rustix::fs::fstat(socket).map_or(0, |status| status.st_ino)
}

/// Runs first in a child, and replaces the parent's sockets and memory.
extern "C" fn let_go() {
    // A socket that is connected to nothing: writers and readers there are told so. A child that may open no
    // more takes over what there is.
    let nowhere =
        rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None);
    let Ok(nowhere) = nowhere else { return };
    for (part, places) in PARTS.iter().enumerate() {
        if places.load(Ordering::Acquire).is_null() {
            continue;
        }
        for number in part * PART_SOCKETS..(part + 1) * PART_SOCKETS {
            let Some(place) = place(number as RawFd, false) else { continue };
            let memory = place.memory.swap(NOTHING, Ordering::AcqRel);
            if memory == NOTHING {
                continue;
            }
            if memory != WITHOUT_MEMORY {
                replace_memory(memory, place.memory_bytes.load(Ordering::Acquire));
            }
            replace_socket(number as RawFd, place.inode.load(Ordering::Acquire), &nowhere);
        }
    }
}

/// Puts another socket in the place of one.
fn replace_socket(descriptor: RawFd, is_inode: u64, nowhere: &OwnedFd) {
    #[expect(unsafe_code, reason = "the owner of the descriptor is not at hand")]
    // SAFETY: if it is open it stays so, since this is not dropped; if not, the system says so. Its owner is
    // told nothing of what it leads to.
    let mut ours = ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(descriptor) });
    if inode(&*ours) == is_inode {
        // Nothing can be done about one that cannot be replaced.
        let _ = rustix::io::dup3(nowhere, &mut ours, DupFlags::CLOEXEC);
    }
}

/// Puts memory of the child's own, all zeros, in the place of what is shared.
fn replace_memory(start: usize, bytes: usize) {
    let start = std::ptr::with_exposed_provenance_mut(start);
    #[expect(unsafe_code, reason = "mapping memory has no safe form")]
    // SAFETY: so many bytes are mapped there: they leave the list before they are unmapped. They are words
    // that any other process may write at any moment, and are no less than that after this.
    let _ = unsafe {
        let flags = MapFlags::PRIVATE | MapFlags::FIXED;
        rustix::mm::mmap_anonymous(start, bytes, ProtFlags::READ | ProtFlags::WRITE, flags)
    };
}
