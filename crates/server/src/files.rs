//! Open files of the process, and the part of them that programs may take.
//!
//! Lives here: raising the limit of open files as far as the system lets the process, the files that the
//! queue manager needs, the connections that the rest is enough for, and the words for a rest that is too
//! small.
//!
//! Always: a program that connects never takes the file that the log or the store opens next, so that those
//! that are connected go on.

use std::path::Path;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::configuration::Configuration;

/// Files that a queue manager with usual settings opens beside one for each connection and for each segment
/// of its store.
const OWN_FILES: u64 = 200;

/// The part of all files that it keeps for itself where there are fewer than it may need.
const OWN_SHARE: (u64, u64) = (3, 4);

/// Files of one reactor: its event queue, its bell, and one more.
const FILES_OF_REACTOR: u64 = 3;

/// Further files: segments that the store makes, those of a checkpoint, an image or a copy, of the record of
/// refusals, keys, users and health, the control process, and calls of message channels.
const FURTHER_FILES: u64 = 48;

/// The connections of a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    /// Open files that the process may have; none for any number.
    limit: Option<u64>,
    /// Files that the queue manager keeps for itself.
    own: u64,
    /// Connections that the settings allow.
    wanted: u32,
    /// Connections that there are files for, at most those.
    pub(crate) connections: usize,
}

impl Room {
    /// The room for connections of so many reactors, by the limit and the files that are open now.
    pub(crate) fn find(configuration: &Configuration, reactors: usize) -> Self {
        let open = std::fs::read_dir("/proc/self/fd").map_or(OWN_FILES, |open| open.count() as u64);
        let limit = getrlimit(Resource::Nofile).current;
        Self::within(limit, own(configuration, open, reactors), configuration.limits.connections_max)
    }

    fn within(limit: Option<u64>, own: u64, wanted: u32) -> Self {
        let all = Self { limit, own, wanted, connections: wanted as usize };
        let Some(files) = limit else { return all };
        let own = own.min(files / OWN_SHARE.1 * OWN_SHARE.0);
        let left = usize::try_from(files - own).unwrap_or(usize::MAX);
        Self { own, connections: all.connections.min(left.max(1)), ..all }
    }

    /// The most of each of so many reactors.
    pub(crate) fn of_each(self, reactors: usize) -> usize {
        (self.connections / reactors.max(1)).max(1)
    }

    /// The words for fewer connections than the settings allow; none where there are files for all.
    pub(crate) fn words(self) -> Option<String> {
        let Self { limit, own, wanted, connections } = self;
        let limit = limit.filter(|_| connections < wanted as usize)?;
        Some(format!(
            "the process may open {limit} files and keeps {own} for itself, so there is room for {connections} connections and \
             not for limits.connections_max = {wanted}"
        ))
    }
}

/// Files that the queue manager of a folder opens beside one for each connection: with the segments of its
/// store, each of which stays open, and the extents of its log beyond the usual ones.
#[must_use]
pub fn own_files(configuration: &Configuration, folder: &Path) -> u64 {
    let is_segment = |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "seg");
    let store = std::fs::read_dir(folder.join("store"));
    let segments = store.map_or(0, |store| store.flatten().filter(is_segment).count() as u64);
    let more_extents = extents(configuration).saturating_sub(extents(&Configuration::default()));
    OWN_FILES + more_extents + segments
}

fn extents(configuration: &Configuration) -> u64 {
    u64::from(configuration.log.primary_extents) + u64::from(configuration.log.secondary_extents)
}

/// Files that the queue manager has open, and those that it may open later.
fn own(configuration: &Configuration, open: u64, reactors: usize) -> u64 {
    open + extents(configuration) + FILES_OF_REACTOR * reactors as u64 + FURTHER_FILES
}

/// Lets the process open as many files as its settings and its folder need, as far as the system allows that
/// without rights.
pub(crate) fn raise(configuration: &Configuration, folder: &Path) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = u64::from(configuration.limits.connections_max) + own_files(configuration, folder);
    let possible = maximum.map_or(needed, |maximum| maximum.min(needed));
    if current.is_some_and(|current| current < possible) {
        // A system that refuses leaves the limit that there is, of which the start tells.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(possible), maximum });
    }
}

#[cfg(test)]
mod tests {
    use super::{Configuration, OWN_FILES, Room, own, own_files};

    #[test]
    fn programs_are_left_the_files_that_the_queue_manager_does_not_need() {
        for (limit, own, wanted, expected) in [
            (None, 100, 10_000, 10_000),
            (Some(65_536), 100, 10_000, 10_000),
            (Some(1_024), 100, 10_000, 924),
            (Some(1_024), 100, 500, 500),
            (Some(256), 100, 10_000, 156),
            (Some(256), 250, 10_000, 64),
            (Some(64), 100, 10_000, 16),
            (Some(0), 100, 10_000, 1),
        ] {
            let room = Room::within(limit, own, wanted);
            assert_eq!(room.connections, expected, "{limit:?} {own} {wanted}");
            assert_eq!(room.words().is_some(), expected < wanted as usize, "{room:?}");
        }
        assert_eq!(
            (Room::within(Some(300), 100, 999).of_each(2), Room::within(Some(0), 9, 9).of_each(4)),
            (100, 1)
        );
    }

    #[test]
    fn a_log_of_more_extents_keeps_more_files() {
        let usual = Configuration::default();
        let mut more = usual.clone();
        more.log.secondary_extents = 1_000;
        let difference = 1_000 - u64::from(usual.log.secondary_extents);
        assert_eq!(own(&more, 30, 1) - own(&usual, 30, 1), difference);
        assert_eq!(own(&usual, 31, 2) - own(&usual, 30, 1), 4);
    }

    #[test]
    fn each_segment_of_the_store_and_each_extent_beyond_the_usual_is_a_file_more() {
        let folder = tempfile::tempdir().unwrap();
        let usual = Configuration::default();
        assert_eq!(own_files(&usual, folder.path()), OWN_FILES);
        std::fs::create_dir(folder.path().join("store")).unwrap();
        for name in ["00000001.seg", "00000002.seg", "spare.tmp", "0000000a.seg"] {
            std::fs::write(folder.path().join("store").join(name), "").unwrap();
        }
        assert_eq!(own_files(&usual, folder.path()), OWN_FILES + 3);
        let mut more = usual;
        more.log.secondary_extents += 50;
        assert_eq!(own_files(&more, folder.path()), OWN_FILES + 53);
        more.log.secondary_extents = 0;
        assert_eq!(own_files(&more, folder.path()), OWN_FILES + 3);
    }

    #[test]
    fn the_words_have_the_limit_and_what_it_is_enough_for() {
        let words = Room::within(Some(256), 96, 10_000).words();
        assert_eq!(
            words.as_deref(),
            Some(
                "the process may open 256 files and keeps 96 for itself, so there is room for 160 connections and not for \
                 limits.connections_max = 10000"
            )
        );
    }
}
