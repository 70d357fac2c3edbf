//! Files made from tables: written by `cargo xtask generate`, compared by `cargo xtask check`.

use anyhow::{Context, Result, bail};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The line that tells a reader where such a file comes from.
pub(crate) const NOTICE: &str =
    "Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.";

/// A file and what must be in it.
pub(crate) struct File {
    /// Relative to the root of the project.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every generated file of the project, Rust sources already formatted.
pub(crate) fn files(root: &Path) -> Result<Vec<File>> {
    let mut files = sources(root)?;
    files.extend(crate::pages::files(root)?);
    Ok(files)
}

/// Makes the sources that the crates are compiled from, so it must not need them compiled.
fn sources(root: &Path) -> Result<Vec<File>> {
    let mut files = crate::constants::files(root)?;
    files.push(crate::reasons::table(root)?);
    files.push(crate::reasons::page(root)?);
    files.extend(crate::determinism::files());
    files.extend(crate::headers::files(root)?);
    files.extend(crate::security::files(root)?.map(|(path, text)| File { path: path.into(), text }));
    for file in files.iter_mut().filter(|file| file.path.ends_with(".rs")) {
        file.text = formatted(root, &file.text).with_context(|| file.path.clone())?;
    }
    Ok(files)
}

/// Writes what differs and returns the paths that were written.
pub(crate) fn write(root: &Path) -> Result<Vec<String>> {
    let mut written = write_sources(root)?;
    written.extend(write_files(root, crate::pages::files(root)?)?);
    Ok(written)
}

/// Writes those that are made without compiling a crate first.
pub(crate) fn write_sources(root: &Path) -> Result<Vec<String>> {
    write_files(root, sources(root)?)
}

fn write_files(root: &Path, files: Vec<File>) -> Result<Vec<String>> {
    let mut written = Vec::new();
    for file in files {
        let path = root.join(&file.path);
        if std::fs::read_to_string(&path).is_ok_and(|current| current == file.text) {
            continue;
        }
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, &file.text).with_context(|| format!("cannot write {}", path.display()))?;
        written.push(file.path);
    }
    Ok(written)
}

fn formatted(root: &Path, text: &str) -> Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start rustfmt")?;
    let mut input = child.stdin.take().context("rustfmt takes no input")?;
    let text = text.to_owned();
    let feeder = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output()?;
    feeder.join().map_err(|_| anyhow::anyhow!("feeding rustfmt failed"))??;
    if !output.status.success() {
        bail!("rustfmt refused the generated text: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
