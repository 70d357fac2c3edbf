//! The file of settings while the queue manager runs.
//!
//! Lives here: noticing that it was removed, or came back. Lives elsewhere: reading it (`configuration`), the
//! files of the log and the store, without which nothing goes on (`storage`).

use std::io;
use std::path::PathBuf;

use objects::messages::{MessageRow, SETTINGS_BACK, SETTINGS_GONE};

/// The file, as it was found at the last looks.
pub(crate) struct SettingsFile {
    path: PathBuf,
    /// It was not there at the last look.
    was_gone: bool,
    is_told: bool,
}

impl SettingsFile {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path, was_gone: false, is_told: false }
    }

    /// Looks for it. The event to write, if there is one: it is gone after two looks without it, since an
    /// editor may replace it in two steps.
    pub(crate) fn look(&mut self) -> Option<(&'static MessageRow, String)> {
        let is_gone = match std::fs::metadata(&self.path) {
            Ok(found) => !found.is_file(),
            Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
        };
        let is_gone_twice = is_gone && self.was_gone;
        self.was_gone = is_gone;
        let row = if is_gone_twice && !self.is_told {
            &SETTINGS_GONE
        } else if !is_gone && self.is_told {
            &SETTINGS_BACK
        } else {
            return None;
        };
        self.is_told = is_gone;
        Some((row, self.path.display().to_string()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_removed_is_told_once_and_so_is_its_return() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ferry.toml");
        fs::write(&path, "").unwrap();
        let mut file = SettingsFile::at(path.clone());
        let mut looks = |times: usize| -> Vec<u16> {
            (0..times).filter_map(|_| file.look()).map(|(row, _)| row.number).collect()
        };
        assert_eq!(looks(3), [] as [u16; 0]);
        for _ in 0..2 {
            fs::remove_file(&path).unwrap();
            assert_eq!(looks(1), [] as [u16; 0], "an editor may be about to replace it");
            assert_eq!(looks(3), [5045]);
            fs::create_dir(&path).unwrap();
            assert_eq!(looks(2), [] as [u16; 0], "a directory is no file of settings");
            fs::remove_dir(&path).unwrap();
            fs::write(&path, "").unwrap();
            assert_eq!(looks(3), [5046]);
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(looks(1), [] as [u16; 0]);
        fs::write(&path, "").unwrap();
        assert_eq!(looks(3), [] as [u16; 0], "it was replaced between two looks");
        drop(place);
        assert_eq!(looks(3), [5045], "with its folder");
    }
}
