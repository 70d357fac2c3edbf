//! Relations of the library to the process it is loaded into: its children, its signals, and the name it was
//! loaded by.
//!
//! Always: what is called between a fork and the return from it only adds to a number.

#![allow(unsafe_code, reason = "functions of the C library that have no other door")]

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Once};

/// Number of forks between the process that loaded the library and this one.
static GENERATION: AtomicUsize = AtomicUsize::new(0);
static WATCHING: Once = Once::new();

/// A set of signals as the C library on Linux lays it out: a bit each, 1024 of them.
#[repr(C)]
struct Signals([u64; 16]);

/// `SIG_SETMASK` on Linux.
const SET_MASK: c_int = 2;

/// `Dl_info` of the C library.
#[repr(C)]
struct Loaded {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn pthread_atfork(
        prepare: Option<extern "C" fn()>,
        parent: Option<extern "C" fn()>,
        child: Option<extern "C" fn()>,
    ) -> c_int;
    fn pthread_sigmask(how: c_int, set: *const Signals, before: *mut Signals) -> c_int;
    fn atexit(end: extern "C" fn()) -> c_int;
    fn dladdr(address: *const c_void, loaded: *mut Loaded) -> c_int;
}

extern "C" fn forked() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// Generation of forked processes that this process belongs to.
pub(crate) fn generation() -> usize {
    WATCHING.call_once(|| {
        // SAFETY: the function stays loaded as long as the process lives (the library is never unloaded), and
        // does nothing that a child of a process with threads may not do.
        unsafe { pthread_atfork(None, None, Some(forked)) };
    });
    GENERATION.load(Ordering::Relaxed)
}

/// The number of this thread, which no other of the process has or had. It is known as long as the thread
/// runs anything: a cleaner of the program's (`pthread_key_create`) runs when std's own is gone.
pub(crate) fn thread_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    thread_local! {
        static OWN: Cell<u64> = const { Cell::new(0) };
    }
    if OWN.get() == 0 {
        OWN.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
    }
    OWN.get()
}

/// Registers a function to call when the program ends by `exit` or by returning from `main`, in its children
/// too.
pub(crate) fn at_exit(end: extern "C" fn()) {
    // SAFETY: the function stays loaded for the life of the process, and its type, `extern "C"`, lets no
    // panic out.
    // Without room for it the program ends like one that is killed.
    unsafe { atexit(end) };
}

/// Most generations of forked processes that are kept apart; a child of such a child is told that it has
/// nothing of its parent's as long as it does not make any of its own.
const GENERATIONS_MAX: usize = 64;

/// State that each generation has for itself: a child has none of its parent's, and does not wait for locks
/// that other threads of the parent held when it forked.
pub(crate) struct OfGeneration<T>([LazyLock<T>; GENERATIONS_MAX]);

impl<T: Default> OfGeneration<T> {
    pub(crate) const fn new() -> Self {
        Self([const { LazyLock::new(T::default) }; GENERATIONS_MAX])
    }

    /// State of this process.
    pub(crate) fn get(&self) -> &T {
        &self.0[generation().min(GENERATIONS_MAX - 1)]
    }
}

/// Does something that starts threads, which are then spared the program's signals.
pub(crate) fn without_signals<T>(act: impl FnOnce() -> T) -> T {
    struct Restores(Signals);
    impl Drop for Restores {
        fn drop(&mut self) {
            // SAFETY: the set is the one this thread had.
            unsafe { pthread_sigmask(SET_MASK, &raw const self.0, std::ptr::null_mut()) };
        }
    }
    let mut before = Signals([0; 16]);
    // SAFETY: both sets are as long as the C library has them.
    unsafe { pthread_sigmask(SET_MASK, &raw const ALL_SIGNALS, &raw mut before) };
    let _restores = Restores(before);
    act()
}

static ALL_SIGNALS: Signals = Signals([u64::MAX; 16]);

/// The name of the file the library was loaded from, without its directory.
pub(crate) fn library_name() -> String {
    let mut loaded = Loaded {
        file: std::ptr::null(),
        base: std::ptr::null_mut(),
        symbol: std::ptr::null(),
        address: std::ptr::null_mut(),
    };
    // SAFETY: the address is one of ours, and there is room for the answer.
    let is_found = unsafe { dladdr(library_name as *const c_void, &raw mut loaded) } != 0;
    if !is_found || loaded.file.is_null() {
        return String::new();
    }
    // SAFETY: the C library answers with a text that stays as long as the library is loaded.
    let path = unsafe { CStr::from_ptr(loaded.file) }.to_string_lossy();
    path.rsplit('/').next().unwrap_or_default().to_owned()
}
