//! Memory that the allocator keeps though nothing is in it.

/// Gives the pages in which nothing is back to the system. The allocator of the system's library keeps what
/// was freed between two things that are still there, and does so for each thread by itself. Takes about a
/// millisecond for ten mebibytes that are given back; a thread that allocates meanwhile may have to wait for
/// that. Does nothing where the library is another.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back() {
    #[allow(unsafe_code)]
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // SAFETY: the function is the library's, has this signature, and may be called by any thread at any time;
    // it takes the allocator's own locks and touches nothing that is allocated.
    #[allow(unsafe_code)]
    let _ = unsafe { malloc_trim(0) };
}

/// Does nothing: there is no such call.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back() {}
