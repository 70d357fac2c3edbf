//! Lines of the system's files about memory.

/// The bytes that a line of this name has in kilobytes, as the system writes them; 0 when there is none.
pub(crate) fn kibibytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() * 1024
}
