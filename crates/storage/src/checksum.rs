//! Checksums that know where they belong: crc32c seeded with an identity and a position.
//!
//! Bytes that are right but in the wrong place (an earlier lap of a recycled extent, a branch of the log that
//! a restart cut off, another queue manager's file) do not verify.

/// A random number that never leaves the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Secret(pub(crate) u64);

/// The identity part of a seed: a nonce of one epoch, or a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seed(u32);

impl Seed {
    /// Seed for bytes that are written under the nonce of an epoch.
    pub(crate) fn of_nonce(nonce: u64) -> Self {
        Self(crc32c::crc32c(&nonce.to_le_bytes()))
    }

    /// Seed for headers and pages that must verify before any nonce is known. The identity may be public, and
    /// programs choose the content of messages; the secret keeps a body from being taken for a part of the
    /// log.
    pub(crate) fn of_queue_manager(identity: &[u8; 16], secret: Secret) -> Self {
        Self(crc32c::crc32c_append(crc32c::crc32c(identity), &secret.0.to_le_bytes()))
    }

    /// The checksum of `parts`, one after the other, at `position`.
    pub(crate) fn checksum(self, position: u64, parts: [&[u8]; 2]) -> u32 {
        let seeded = crc32c::crc32c_append(self.0, &position.to_le_bytes());
        parts.iter().fold(seeded, |sum, part| crc32c::crc32c_append(sum, part))
    }

    /// Checksum of a record, which begins with its length. Each call of the checksum has a fixed price, so
    /// there is one call for all the bytes before the rest.
    pub(crate) fn checksum_of_record(self, position: u64, length: [u8; 4], rest: &[u8]) -> u32 {
        let mut front = [0; 12];
        front[..8].copy_from_slice(&position.to_le_bytes());
        front[8..].copy_from_slice(&length);
        crc32c::crc32c_append(crc32c::crc32c_append(self.0, &front), rest)
    }
}

/// The reason for refusing a version that no release has: they count from 1.
pub(crate) const VERSION_OF_NONE: &str = "no release writes this format version";

/// Checksum of a header or page that has it in bytes 12 to 16: of all its other bytes.
pub(crate) fn of_page(bytes: &[u8]) -> u32 {
    let (before, after) = (bytes.get(..12).unwrap_or_default(), bytes.get(16..).unwrap_or_default());
    crc32c::crc32c_append(crc32c::crc32c(before), after)
}

/// The format version that bytes with a right checksum have. Every version has both at the same place.
pub(crate) fn sealed_version(bytes: &[u8]) -> Option<u32> {
    let is_whole = of_page(bytes).to_le_bytes() == *bytes.get(12..16)?;
    let version = bytes.get(8..12)?.try_into().ok()?;
    is_whole.then_some(u32::from_le_bytes(version))
}
