//! Open files of the process, and the part of them that programs may take.
//!
//! Always: a program that connects never takes the file that the log or the store opens next, so that those
//! that are connected go on.

use rustix::process::{Resource, getrlimit};

/// Files that the queue manager opens beside one for each connection.
pub const OWN_FILES: u64 = 200;

/// The part of all files that it keeps for itself where there are fewer than it may need.
const OWN_SHARE: (u64, u64) = (3, 4);

/// Most connections of one of so many reactors: as many as are wanted, and as there are files for.
pub(crate) fn connections_max(wanted: u32, reactors: usize) -> usize {
    within(getrlimit(Resource::Nofile).current, wanted, reactors)
}

fn within(limit: Option<u64>, wanted: u32, reactors: usize) -> usize {
    let wanted = wanted as usize;
    let Some(limit) = limit else { return wanted };
    let own = OWN_FILES.min(limit / OWN_SHARE.1 * OWN_SHARE.0);
    let left = usize::try_from(limit - own).unwrap_or(usize::MAX) / reactors.max(1);
    wanted.min(left.max(1))
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn programs_are_left_the_files_that_the_queue_manager_does_not_need() {
        for (limit, wanted, reactors, expected) in [
            (None, 10_000, 4, 10_000),
            (Some(65_536), 10_000, 1, 10_000),
            (Some(1_024), 10_000, 1, 824),
            (Some(1_024), 500, 1, 500),
            (Some(1_024), 10_000, 2, 412),
            (Some(256), 10_000, 1, 64),
            (Some(64), 10_000, 1, 16),
            (Some(0), 10_000, 1, 1),
        ] {
            assert_eq!(within(limit, wanted, reactors), expected, "{limit:?} {wanted} {reactors}");
        }
    }
}
