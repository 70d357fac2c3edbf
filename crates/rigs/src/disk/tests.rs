//! The rig is believed only because it tells a flushed write from one that was not.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt;

use platform::simulated::random::Random;

use super::device::{LoggedDevice, MountedImage, RigError};
use super::write_log::{Replay, Tail};

const DISK_BYTES: u64 = 64 << 20;

/// Runs `body` on a fresh device, or says that it was skipped.
fn with_device(body: impl FnOnce(&tempfile::TempDir, LoggedDevice)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    match LoggedDevice::up(folder.path(), DISK_BYTES) {
        Ok(device) => body(&folder, device),
        // Past the harness, which shows nothing that a passing test prints.
        Err(RigError::Unavailable(what)) => {
            writeln!(std::io::stderr(), "SKIPPED: the power-cut rig needs {what}")
                .expect("standard error is there");
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_flushed_write_survives_the_cut_and_an_unflushed_one_does_not() {
    with_device(|folder, device| {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(device.mount_point().join("ledger"))
            .expect("a file on the device");
        let mut cuts = Vec::new();
        for number in 0..20_u8 {
            file.write_all_at(&[number; 4096], u64::from(number) * 4096).expect("a write");
            file.sync_all().expect("a flush");
            cuts.push(device.entries_logged().expect("the count"));
        }
        file.write_all_at(&[99; 4096], 20 * 4096).expect("the write nobody waits for");

        let mut random = Random::new(7);
        let base = folder.path().join("base.img");
        let image = folder.path().join("image.img");
        let mut replay = Replay::open(&device.write_log(), &base, device.disk_bytes()).expect("the log");
        for (acknowledged, cut) in cuts.into_iter().enumerate() {
            let cut = usize::try_from(cut).expect("a count");
            for tail in [Tail::Flushed, Tail::Subset] {
                replay.image(cut, tail, &mut random, &image).expect("an image");
                let mounted = MountedImage::mount(&image, &folder.path().join("look")).expect("a mount");
                let bytes = fs::read(folder.path().join("look/ledger")).expect("the file");
                drop(mounted);
                assert!(
                    bytes.len() >= (acknowledged + 1) * 4096,
                    "{tail:?} at {cut} lost an acknowledged page"
                );
                for (page, content) in bytes.chunks(4096).enumerate().take(acknowledged + 1) {
                    assert!(content.iter().all(|byte| usize::from(*byte) == page), "page {page} is torn");
                }
                assert!(!bytes.contains(&99), "a write that was never flushed survived");
            }
        }
    });
}
