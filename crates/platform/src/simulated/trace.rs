//! The record of a disk's operations, call by call.

use std::path::PathBuf;

/// The kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationKind {
    /// `Disk::open`.
    Open,
    /// `File::read_exact_at`.
    Read,
    /// `File::write_at`.
    Write,
    /// `File::write_durable`.
    WriteDurable,
    /// `File::sync`.
    Sync,
    /// `File::set_length`.
    SetLength,
    /// `Disk::rename`.
    Rename,
    /// `Disk::remove`.
    Remove,
    /// `Disk::create_directory`.
    CreateDirectory,
    /// `Disk::sync_directory`.
    SyncDirectory,
    /// `Disk::list`.
    List,
    /// `Disk::lock`.
    Lock,
}

impl OperationKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Open,
        Self::Read,
        Self::Write,
        Self::WriteDurable,
        Self::Sync,
        Self::SetLength,
        Self::Rename,
        Self::Remove,
        Self::CreateDirectory,
        Self::SyncDirectory,
        Self::List,
        Self::Lock,
    ];
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Number of boundaries before it.
    pub boundary: u64,
    /// Kind of call.
    pub kind: OperationKind,
    /// On which file or directory.
    pub path: PathBuf,
    /// Where in the file.
    pub offset: u64,
    /// Number of bytes, or the new length.
    pub length: u64,
    /// Outcome, in a word.
    pub outcome: &'static str,
}

impl std::fmt::Display for Operation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{:>6} {:?} {} offset {} length {}: {}",
            self.boundary,
            self.kind,
            self.path.display(),
            self.offset,
            self.length,
            self.outcome,
        )
    }
}

/// The calls of a disk: always as a digest, and in full when asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    digest: u64,
    operations: Option<Vec<Operation>>,
}

impl Trace {
    pub(super) fn keep_operations(&mut self) {
        self.operations.get_or_insert_default();
    }

    pub(super) fn operations(&self) -> &[Operation] {
        self.operations.as_deref().unwrap_or_default()
    }

    pub(super) fn digest(&self) -> u64 {
        self.digest
    }

    pub(super) fn add(&mut self, operation: Operation, bytes: &[u8]) {
        self.mix(operation.kind as u64);
        self.mix(operation.boundary);
        self.mix_bytes(operation.path.as_os_str().as_encoded_bytes());
        self.mix(operation.offset);
        self.mix(operation.length);
        self.mix_bytes(operation.outcome.as_bytes());
        self.mix_bytes(bytes);
        if let Some(operations) = &mut self.operations {
            operations.push(operation);
        }
    }

    fn mix_bytes(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        for byte in words.remainder() {
            self.mix(u64::from(*byte));
        }
    }

    fn mix(&mut self, word: u64) {
        self.digest = (self.digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}
