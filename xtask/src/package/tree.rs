//! Trees of files as they will be on a machine, and archives of them.

use super::facts::output;
use anyhow::{Context, Result};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A tree that is laid out.
pub(super) struct Tree(PathBuf);

/// Makes a folder that is there empty.
pub(super) fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

impl Tree {
    /// An empty one at a folder.
    pub(super) fn at(folder: PathBuf) -> Result<Self> {
        empty(&folder)?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A folder with these rights; those above it can be read by everyone.
    pub(super) fn folder(&self, path: &str, mode: u32) -> Result<()> {
        let mut made = self.0.clone();
        for part in Path::new(path) {
            made.push(part);
            if !made.exists() {
                fs::create_dir(&made).with_context(|| format!("cannot create {}", made.display()))?;
                fs::set_permissions(&made, fs::Permissions::from_mode(0o755))?;
            }
        }
        self.mode(path, mode)
    }

    /// Gives a file or folder these rights, whatever it was made with.
    pub(super) fn mode(&self, path: &str, mode: u32) -> Result<()> {
        let file = self.0.join(path);
        fs::set_permissions(&file, fs::Permissions::from_mode(mode))
            .with_context(|| format!("cannot set the rights of {}", file.display()))
    }

    fn parent(&self, path: &str) -> Result<()> {
        let parent = Path::new(path).parent().and_then(Path::to_str).unwrap_or_default();
        if !parent.is_empty() && !self.0.join(parent).exists() {
            self.folder(parent, 0o755)?;
        }
        Ok(())
    }

    /// A file with this content and these rights.
    pub(super) fn file(&self, path: &str, content: impl AsRef<[u8]>, mode: u32) -> Result<()> {
        self.parent(path)?;
        let to = self.0.join(path);
        fs::write(&to, content).with_context(|| format!("cannot write {}", to.display()))?;
        self.mode(path, mode)
    }

    /// A file with this content, compressed without name and time.
    pub(super) fn compressed(&self, path: &str, content: impl AsRef<[u8]>) -> Result<()> {
        self.file(path, content, 0o644)?;
        output(Command::new("gzip").args(["-9", "--no-name", "--force"]).arg(self.0.join(path))).map(drop)
    }

    /// A copy of a file.
    pub(super) fn copy(&self, from: &Path, path: &str, mode: u32) -> Result<()> {
        let content = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        self.file(path, content, mode)
    }

    /// Copies of the files and links of a folder, and of those below it.
    pub(super) fn copies(&self, from: &Path, path: &str, mode: u32) -> Result<()> {
        for name in names(from)? {
            let (from, path) = (from.join(&name), format!("{path}/{name}"));
            match fs::read_link(&from) {
                Ok(target) => self.link(&path, &target.to_string_lossy())?,
                Err(_) if from.is_dir() => self.copies(&from, &path, mode)?,
                Err(_) => self.copy(&from, &path, mode)?,
            }
        }
        Ok(())
    }

    /// A link.
    pub(super) fn link(&self, path: &str, target: &str) -> Result<()> {
        self.parent(path)?;
        symlink(target, self.0.join(path)).with_context(|| format!("cannot link {path}"))
    }
}

/// The names in a folder, sorted.
pub(super) fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Archives a file or folder below a folder. Nothing in the archive depends on the machine that makes it.
pub(super) fn archive(folder: &Path, what: &str, archive: &Path, time: u64) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--create", "--sort=name", "--format=gnu", "--numeric-owner", "--owner=0", "--group=0"]);
    tar.arg(format!("--mtime=@{time}")).arg("--file").arg(archive);
    output(tar.arg("--directory").arg(folder).arg(what)).map(drop)
}

/// Compresses a file, without name and time; the compressed one takes its place, with `.gz` behind its name.
pub(super) fn compress(file: &Path) -> Result<PathBuf> {
    output(Command::new("gzip").args(["-6", "--no-name", "--force"]).arg(file))?;
    let mut name = file.as_os_str().to_owned();
    name.push(".gz");
    Ok(PathBuf::from(name))
}

/// The SHA-256 sum of a file.
pub(super) fn sum(path: &Path) -> Result<String> {
    let told = output(Command::new("sha256sum").arg("--binary").arg(path))?;
    Ok(told.split_whitespace().next().context("sha256sum tells no sum")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_of_the_same_files_has_the_same_bytes_wherever_and_whenever_they_were_made() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str, files: &[&str]| {
            let tree = Tree::at(folder.path().join(name).join("it")).unwrap();
            for file in files {
                tree.file(file, format!("content of {file}"), 0o640).unwrap();
            }
            tree.link("link", "b/two").unwrap();
            let packed = folder.path().join(format!("{name}.tar"));
            archive(tree.path().parent().unwrap(), "it", &packed, 1_700_000_000).unwrap();
            fs::read(compress(&packed).unwrap()).unwrap()
        };
        let first = make("first", &["a", "b/two", "b/three"]);
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        assert!(make("second", &["b/three", "b/two", "a"]) == first);
        assert!(make("third", &["a", "b/two", "b/four"]) != first);
    }
}
