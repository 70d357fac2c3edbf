//! Loss of power: which of the changes under way are found afterwards.

use std::sync::Arc;

use super::content::Content;
use super::disk::SimulatedDisk;
use super::inode::{Change, Inode, Run};
use super::names::{Names, Node};
use super::state::Medium;
use super::{Random, SECTOR_BYTES};

/// Choice of the unstable changes that survive. The units are name changes, length changes and the sectors of
/// writes, in this order and each in the order of the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survival {
    /// None: the device wrote nothing on its own.
    Nothing,
    /// Everything: only the answer was lost.
    Everything,
    /// Each unit with this probability, in any order of the calls.
    Each {
        /// Percent that survive.
        percent: u8,
    },
    /// Whole calls in their order up to a random one, which is torn.
    InOrder,
    /// Bit `n` of the index (modulo 64) decides for unit `n`; all indexes below two to the power of
    /// [`DiskImage::units`] are all cases.
    Index(u64),
}

/// Damage to one of the sectors that were being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It holds neither the old nor the new bytes.
    Garbage,
    /// It cannot be read until it is written again.
    Unreadable,
}

/// Way in which the power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrashPolicy {
    /// Choice of the changes that survive.
    pub survival: Survival,
    /// Damage to one sector, if any.
    pub damage: Option<Damage>,
}

impl CrashPolicy {
    /// Survivors by this rule and no damage.
    #[must_use]
    pub fn surviving(survival: Survival) -> Self {
        Self { survival, damage: None }
    }

    /// One of all the ways, the extreme ones not too rare.
    pub fn random(random: &mut Random) -> Self {
        let survival = match random.below(10) {
            0 => Survival::Nothing,
            1 => Survival::Everything,
            2..4 => Survival::InOrder,
            _ => Survival::Each { percent: *random.pick(&[10, 30, 50, 70, 90, 98]) },
        };
        let damage = match random.below(8) {
            0 | 1 => Some(Damage::Garbage),
            2 => Some(Damage::Unreadable),
            _ => None,
        };
        Self { survival, damage }
    }
}

/// A disk frozen at a moment, from which any number of crashes can be made.
#[derive(Clone, Debug)]
pub struct DiskImage {
    medium: Medium,
    seed: u64,
}

impl DiskImage {
    pub(super) fn new(medium: Medium, seed: u64) -> Self {
        Self { medium, seed }
    }

    /// Number of changes that may each be lost or kept.
    #[must_use]
    pub fn units(&self) -> usize {
        let changes: usize = self.medium.inodes.values().map(|inode| units_of(inode)).sum();
        self.medium.names.pending.len() + changes
    }

    /// The disk as found when the power comes back.
    #[must_use]
    pub fn crash(&self, random: &mut Random, policy: CrashPolicy) -> SimulatedDisk {
        let mut fate = Fate::new(&self.medium, random, policy);
        let names = &self.medium.names;
        let kept = names.pending.iter().map(|change| fate.survives(change.order)).collect();
        let tree = names.survivors(kept);
        let mut medium = Medium { inode_next: self.medium.inode_next, ..Medium::default() };
        for (id, inode) in &self.medium.inodes {
            let content = survivor(inode, &mut fate);
            if tree.values().any(|node| *node == Node::File(*id)) {
                let found = Inode {
                    current: content.clone(),
                    durable: content,
                    versions: inode.versions.clone(),
                    ..Inode::default()
                };
                medium.inodes.insert(*id, Arc::new(found));
            }
        }
        medium.names = Names { current: tree.clone(), durable: tree, ..Names::default() };
        SimulatedDisk::holding(medium, self.seed, fate.digest)
    }

    /// The disk as the next program finds it when this one ended and the machine went on: everything written
    /// is there to be read, and what was not flushed, or could not be, is as unstable as before.
    #[must_use]
    pub fn restarted(&self) -> SimulatedDisk {
        let mut medium = self.medium.clone();
        for inode in medium.inodes.values_mut() {
            Arc::make_mut(inode).handles = 0;
        }
        medium.collect();
        SimulatedDisk::holding(medium, self.seed, 0)
    }

    /// The disk after a crash that lost nothing but the ends of names, where renames come apart: each rename
    /// left both names. See [`SimulatedDisk::take_renames_apart`].
    #[must_use]
    pub fn crash_with_old_names(&self) -> SimulatedDisk {
        let mut disk = self.clone();
        disk.medium.names.pending.retain(|change| !change.is_end_of_name());
        disk.without_crash()
    }

    /// The disk after a crash that lost nothing.
    #[must_use]
    pub fn without_crash(&self) -> SimulatedDisk {
        self.crash(&mut Random::new(0), CrashPolicy::surviving(Survival::Everything))
    }
}

fn units_of(inode: &Inode) -> usize {
    inode
        .pending
        .iter()
        .map(|pending| match &pending.change {
            Change::Length(_) => 1,
            Change::Write(run) => run.sectors().count(),
        })
        .sum()
}

/// The content of a file after the crash. Lengths survive in their order, as a journal keeps them; sectors on
/// their own.
fn survivor(inode: &Inode, fate: &mut Fate<'_>) -> Content {
    let mut content = inode.durable.clone();
    let mut lengths_survive = true;
    for pending in &inode.pending {
        match &pending.change {
            Change::Length(length) => {
                lengths_survive &= fate.survives(pending.order);
                if lengths_survive {
                    content.set_length(*length);
                }
            }
            Change::Write(run) => {
                for sector in run.sectors() {
                    fate.befall(&mut content, &sector, pending.order);
                }
            }
        }
    }
    content
}

/// The decisions of one crash, drawn unit by unit.
struct Fate<'a> {
    random: &'a mut Random,
    policy: CrashPolicy,
    units: u64,
    /// The first change (by order) that did not get out whole, for [`Survival::InOrder`].
    cut: u64,
    /// The sector that is damaged, counted among all sectors under way.
    damaged: Option<u64>,
    sectors: u64,
    /// Two crashes of one image that share it left the same disk, but for the bytes of a damaged sector.
    digest: u64,
}

impl<'a> Fate<'a> {
    fn new(medium: &Medium, random: &'a mut Random, policy: CrashPolicy) -> Self {
        let mut orders: Vec<u64> = medium.names.pending.iter().map(|change| change.order).collect();
        let mut sectors = 0;
        for inode in medium.inodes.values() {
            orders.extend(inode.pending.iter().map(|pending| pending.order));
            sectors +=
                inode
                    .pending
                    .iter()
                    .map(|pending| {
                        if let Change::Write(run) = &pending.change {
                            run.sectors().count() as u64
                        } else {
                            0
                        }
                    })
                    .sum::<u64>();
        }
        let cut = if orders.is_empty() { 0 } else { *random.pick(&orders) };
        let damaged = (policy.damage.is_some() && sectors > 0).then(|| random.below(sectors));
        Self {
            random,
            policy,
            units: 0,
            cut,
            damaged,
            sectors: 0,
            digest: damaged.map_or(0, |sector| sector + 1),
        }
    }

    fn survives(&mut self, order: u64) -> bool {
        let unit = self.units;
        self.units += 1;
        let survives = match self.policy.survival {
            Survival::Nothing => false,
            Survival::Everything => true,
            Survival::Each { percent } => self.random.percent(percent),
            Survival::InOrder => order < self.cut || (order == self.cut && self.random.percent(50)),
            Survival::Index(index) => index >> (unit % 64) & 1 == 1,
        };
        self.digest = (self.digest.rotate_left(1) ^ u64::from(survives)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        survives
    }

    /// Lets one sector of a write survive, vanish, or come out damaged. Bytes beyond the surviving length are
    /// gone.
    fn befall(&mut self, content: &mut Content, sector: &Run, order: u64) {
        let survives = self.survives(order);
        let damaged = self.damaged == Some(self.sectors);
        self.sectors += 1;
        let end = sector.end().min(content.length());
        if sector.offset >= end {
            return;
        }
        if damaged {
            // The whole sector, with what it held before beside what was being written.
            let start = sector.offset / SECTOR_BYTES as u64 * SECTOR_BYTES as u64;
            let whole = usize::try_from(content.length() - start).unwrap_or(SECTOR_BYTES).min(SECTOR_BYTES);
            let mut bytes = [0; SECTOR_BYTES];
            self.random.fill(&mut bytes);
            content.write(&bytes[..whole], start);
            if self.policy.damage == Some(Damage::Unreadable) {
                content.make_unreadable(sector.offset / SECTOR_BYTES as u64);
            }
        } else if survives {
            let length = usize::try_from(end - sector.offset).expect("part of a sector");
            content.write(&sector.bytes()[..length], sector.offset);
        }
    }
}
