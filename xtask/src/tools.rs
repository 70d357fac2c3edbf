//! Tools that steps call: the folder of those that set-up brings, searched before those of the system.

use std::ffi::OsString;
use std::path::Path;

/// The folder, below the root.
pub(crate) const FOLDER: &str = "target/tools";

/// The path on which programs of steps are searched.
pub(crate) fn search_path(root: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(root.join(FOLDER).join("bin")).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap_or(path)
}

/// Looks a program up as the steps do.
pub(crate) fn is_there(root: &Path, program: &str) -> bool {
    let path = search_path(root);
    let mut folders = std::env::split_paths(&path);
    folders.any(|folder| folder.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_the_tree_are_found_before_those_of_the_system() {
        let root = tempfile::tempdir().unwrap();
        let bin = root.path().join(FOLDER).join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        assert!(!is_there(root.path(), "no-such-tool"));
        std::fs::write(bin.join("no-such-tool"), "").unwrap();
        assert!(is_there(root.path(), "no-such-tool"));
        assert!(is_there(root.path(), "sh"), "those of the system are searched too");
        assert_eq!(std::env::split_paths(&search_path(root.path())).next(), Some(bin));
    }
}
