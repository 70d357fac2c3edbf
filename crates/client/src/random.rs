//! Random bytes of the operating system.

/// Returns bytes that cannot be guessed.
pub(crate) fn random() -> [u8; 16] {
    let mut bytes = [0; 16];
    let mut filled = 0;
    while filled < bytes.len() {
        match rustix::rand::getrandom(&mut bytes[filled..], rustix::rand::GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => panic!("the operating system gives no random bytes: {error}"),
        }
    }
    bytes
}
