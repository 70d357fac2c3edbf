//! Everything on a simulated disk, behind one lock.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::crash::DiskImage;
use super::disk::{Images, PowerLost};
use super::fault::{Failure, FaultPlan};
use super::inode::Inode;
use super::names::{InodeId, Names, Node};
use super::trace::{Operation, OperationKind, Trace};
use super::{Random, SimulatedClock};

/// Content of the medium and of the page cache: all that an image needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Medium {
    pub(super) names: Names,
    pub(super) inodes: BTreeMap<InodeId, Arc<Inode>>,
    pub(super) inode_next: u64,
    pub(super) order_next: u64,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) medium: Medium,
    pub(super) seed: u64,
    pub(super) fate: u64,
    pub(super) random: Random,
    pub(super) faults: FaultPlan,
    pub(super) trace: Trace,
    pub(super) capacity: Option<u64>,
    pub(super) files_max: Option<usize>,
    pub(super) latencies: BTreeMap<OperationKind, Duration>,
    pub(super) clock: Option<SimulatedClock>,
    pub(super) flushes_lie: bool,
    pub(super) name_flushes_lie: bool,
    pub(super) direct_refused: bool,
    pub(super) versions_kept: bool,
    pub(super) locks: BTreeSet<PathBuf>,
    /// Changes begun so far; see [`State::boundary`].
    pub(super) boundaries: u64,
    pub(super) crash_at: Option<u64>,
    pub(super) power_lost: bool,
    pub(super) images_wanted: Images,
    pub(super) images: Vec<(u64, DiskImage)>,
}

/// One call, for the trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) kind: OperationKind,
    pub(super) path: &'a Path,
    pub(super) offset: u64,
    pub(super) length: u64,
}

impl Medium {
    pub(super) fn order(&mut self) -> u64 {
        self.order_next += 1;
        self.order_next
    }

    pub(super) fn create_inode(&mut self) -> InodeId {
        self.inode_next += 1;
        let id = InodeId(self.inode_next);
        self.inodes.insert(id, Arc::default());
        id
    }

    pub(super) fn inode(&self, id: InodeId) -> &Inode {
        &self.inodes[&id]
    }

    pub(super) fn inode_mut(&mut self, id: InodeId) -> &mut Inode {
        Arc::make_mut(self.inodes.get_mut(&id).expect("an open or named file exists"))
    }

    pub(super) fn file(&self, path: &Path) -> Option<InodeId> {
        match self.names.get(path) {
            Some(Node::File(id)) => Some(id),
            _ => None,
        }
    }

    /// Forgets files that no name, no handle and no possible crash leads to.
    pub(super) fn collect(&mut self) {
        let names = &self.names;
        self.inodes.retain(|id, inode| inode.handles > 0 || names.refers_to(*id));
    }

    fn bytes_used(&self) -> u64 {
        let named: BTreeSet<InodeId> = self
            .names
            .current
            .values()
            .filter_map(|node| if let Node::File(id) = node { Some(*id) } else { None })
            .collect();
        self.inodes
            .iter()
            .filter(|(id, inode)| inode.handles > 0 || named.contains(id))
            .map(|(_, inode)| inode.current.length())
            .sum()
    }
}

impl State {
    pub(super) fn new(medium: Medium, seed: u64, fate: u64) -> Self {
        Self {
            medium,
            seed,
            fate,
            random: Random::stream(seed, "disk"),
            faults: FaultPlan::default(),
            trace: Trace::default(),
            capacity: None,
            files_max: None,
            latencies: BTreeMap::new(),
            clock: None,
            flushes_lie: false,
            name_flushes_lie: false,
            direct_refused: false,
            versions_kept: false,
            locks: BTreeSet::new(),
            boundaries: 0,
            crash_at: None,
            power_lost: false,
            images_wanted: Images::None,
            images: Vec::new(),
        }
    }

    /// Starts a call: the power must be on, time passes, and the plan may have it fail.
    pub(super) fn begin(&mut self, kind: OperationKind) -> io::Result<Option<Failure>> {
        self.powered()?;
        if let (Some(clock), Some(latency)) = (&self.clock, self.latencies.get(&kind)) {
            clock.advance(*latency);
        }
        Ok(self.faults.strike(kind))
    }

    pub(super) fn powered(&self) -> io::Result<()> {
        if self.power_lost { Err(PowerLost.into()) } else { Ok(()) }
    }

    /// The moment inside a changing call when what it changes is under way and not yet stable: here images
    /// are taken and the power fails.
    pub(super) fn boundary(&mut self) -> io::Result<()> {
        self.boundaries += 1;
        if self.images_wanted.includes(self.boundaries) {
            self.images.push((self.boundaries, DiskImage::new(self.medium.clone(), self.seed)));
        }
        if self.crash_at.is_some_and(|at| self.boundaries >= at) {
            self.power_lost = true;
        }
        self.powered()
    }

    pub(super) fn record<T>(&mut self, call: Call<'_>, bytes: &[u8], result: io::Result<T>) -> io::Result<T> {
        let outcome = match &result {
            Ok(_) => "done",
            Err(error) if super::disk::is_power_loss(error) => "power lost",
            Err(_) => "failed",
        };
        let operation = Operation {
            boundary: self.boundaries,
            kind: call.kind,
            path: call.path.to_owned(),
            offset: call.offset,
            length: call.length,
            outcome,
        };
        self.trace.add(operation, bytes);
        result.map_err(|error| {
            if super::disk::is_power_loss(&error) {
                return error;
            }
            let text =
                format!("{:?} of {} at offset {}: {error}", call.kind, call.path.display(), call.offset);
            io::Error::new(error.kind(), text)
        })
    }

    /// Refuses growth beyond the capacity.
    pub(super) fn reserve(&self, inode: InodeId, length: u64) -> io::Result<()> {
        let growth = length.saturating_sub(self.medium.inode(inode).current.length());
        if growth == 0 || self.bytes_free().is_none_or(|free| growth <= free) {
            return Ok(());
        }
        Err(Failure::NoSpace.error())
    }

    pub(super) fn files(&self) -> usize {
        self.medium.names.current.values().filter(|node| matches!(node, Node::File(_))).count()
    }

    pub(super) fn bytes_free(&self) -> Option<u64> {
        self.capacity.map(|capacity| capacity.saturating_sub(self.medium.bytes_used()))
    }
}
