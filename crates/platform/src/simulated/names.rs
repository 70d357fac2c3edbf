//! The names of files: what programs see, what is on stable storage, and the changes between.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Identity;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InodeId(pub(super) u64);

impl InodeId {
    pub(super) fn identity(self) -> Identity {
        Identity { device: FILES, number: self.0 }
    }
}

/// The device that files of the simulated disk seem to be on.
const FILES: u64 = 0;
/// The identity of its directories: they are never renamed, so a directory that exists is the original one.
const DIRECTORIES: u64 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    File(InodeId),
    Directory,
}

impl Node {
    pub(super) fn identity(self) -> Identity {
        match self {
            Self::File(id) => id.identity(),
            Self::Directory => Identity { device: DIRECTORIES, number: 0 },
        }
    }
}

pub(super) type Tree = BTreeMap<PathBuf, Node>;

#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) current: Tree,
    pub(super) durable: Tree,
    pub(super) pending: Vec<NameChange>,
    /// A change of a file builds on earlier changes of the same name alone, not on those of its other names.
    pub(super) is_apart: bool,
}

/// One directory operation: lost or kept as a whole.
#[derive(Clone, Debug)]
pub(super) struct NameChange {
    pub(super) order: u64,
    effects: Vec<(PathBuf, Option<Node>)>,
    inode: Option<InodeId>,
}

impl NameChange {
    fn touches(&self, directory: &Path) -> bool {
        self.effects.iter().any(|(path, _)| parent(path) == directory)
    }

    /// Returns true if it takes a name away and gives none.
    pub(super) fn is_end_of_name(&self) -> bool {
        self.effects.iter().all(|(_, node)| node.is_none())
    }

    fn shares_name(&self, other: &Self) -> bool {
        self.effects.iter().any(|(path, _)| other.effects.iter().any(|(name, _)| name == path))
    }

    fn apply(&self, tree: &mut Tree) {
        for (path, node) in &self.effects {
            match node {
                Some(node) => tree.insert(path.clone(), *node),
                None => tree.remove(path),
            };
        }
    }

    fn node(&self) -> impl Iterator<Item = InodeId> {
        self.inode.into_iter()
    }
}

impl Names {
    pub(super) fn get(&self, path: &Path) -> Option<Node> {
        if path.as_os_str().is_empty() { Some(Node::Directory) } else { self.current.get(path).copied() }
    }

    pub(super) fn create(&mut self, path: &Path, node: Node, order: u64) {
        let inode = if let Node::File(id) = node { Some(id) } else { None };
        self.change(NameChange { order, effects: vec![(path.to_owned(), Some(node))], inode });
    }

    pub(super) fn remove(&mut self, path: &Path, inode: InodeId, order: u64) {
        self.change(NameChange { order, effects: vec![(path.to_owned(), None)], inode: Some(inode) });
    }

    pub(super) fn remove_directory(&mut self, path: &Path, order: u64) {
        self.change(NameChange { order, effects: vec![(path.to_owned(), None)], inode: None });
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path, inode: InodeId, order: u64) {
        let effects = vec![(from.to_owned(), None), (to.to_owned(), Some(Node::File(inode)))];
        self.change(NameChange { order, effects, inode: Some(inode) });
    }

    /// A rename as two changes, each of which may be lost: the new name, and the end of the old one.
    pub(super) fn rename_apart(&mut self, from: &Path, to: &Path, inode: InodeId, orders: [u64; 2]) {
        let [named, unnamed] = orders;
        self.create(to, Node::File(inode), named);
        self.remove(from, inode, unnamed);
    }

    fn change(&mut self, change: NameChange) {
        change.apply(&mut self.current);
        self.pending.push(change);
    }

    /// Makes the changes in one directory stable.
    ///
    /// A rename between two directories becomes stable with either, and what a kept change of a file
    /// builds on becomes stable with it.
    pub(super) fn flush(&mut self, directory: &Path) {
        let kept: Vec<bool> = self.pending.iter().map(|change| change.touches(directory)).collect();
        let kept = self.with_dependencies(kept);
        let mut keep = kept.iter();
        let durable = &mut self.durable;
        self.pending.retain(|change| {
            let kept = *keep.next().expect("one decision for each change");
            if kept {
                change.apply(durable);
            }
            !kept
        });
    }

    /// The names after a crash that keeps these pending changes.
    pub(super) fn survivors(&self, kept: Vec<bool>) -> Tree {
        let mut tree = self.durable.clone();
        for (change, kept) in self.pending.iter().zip(self.with_dependencies(kept)) {
            if kept {
                change.apply(&mut tree);
            }
        }
        let directories: Vec<PathBuf> =
            tree.iter().filter(|(_, node)| **node == Node::Directory).map(|(path, _)| path.clone()).collect();
        let reachable = |path: &Path| {
            path.ancestors()
                .skip(1)
                .all(|above| above.as_os_str().is_empty() || directories.iter().any(|known| known == above))
        };
        tree.retain(|path, _| reachable(path));
        tree
    }

    pub(super) fn refers_to(&self, inode: InodeId) -> bool {
        let node = Node::File(inode);
        self.current.values().chain(self.durable.values()).any(|known| *known == node)
            || self.pending.iter().flat_map(NameChange::node).any(|known| known == inode)
    }

    /// A journalling file system does not keep the second change of a file and lose the first. Without a
    /// journal that holds for each name.
    fn with_dependencies(&self, mut kept: Vec<bool>) -> Vec<bool> {
        for (later, change) in self.pending.iter().enumerate().rev() {
            if kept[later] && change.inode.is_some() {
                for (kept, earlier) in kept[..later].iter_mut().zip(&self.pending) {
                    *kept |= earlier.inode == change.inode && (!self.is_apart || earlier.shares_name(change));
                }
            }
        }
        kept
    }
}

pub(super) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or_else(|| Path::new(""))
}
