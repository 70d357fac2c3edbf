//! Debian packages: `ferrymq`, `ferrymq-names` with the commands that scripts know, and `ferrymq-dev` with
//! headers and libraries.

use super::facts::{Facts, output, say};
use super::laid_out::LaidOut;
use super::tree::{Tree, names};
use crate::libraries;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The text that says what a package is for; `VERSION` and `LIBC` in what it depends on are filled in.
struct Package {
    name: &'static str,
    section: &'static str,
    depends: &'static str,
    summary: &'static str,
    text: &'static str,
}

const MAIN: Package = Package {
    name: "ferrymq",
    section: "net",
    // Each makes what it is told to by a file of this package; the smaller ones come without systemd.
    depends: "systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles",
    summary: "queue manager, MQI and MQSC compatible",
    text: "Programs put messages on queues and other programs get them, once each, also\n after a crash. This package has \
           the program ferry and a unit for each queue\n manager: systemctl enable --now ferrymq@QM1",
};

const NAMES: Package = Package {
    name: "ferrymq-names",
    section: "net",
    depends: "ferrymq (= VERSION)",
    summary: "commands of FerryMQ under the names that scripts know",
    text: "Links to ferry: crtmqm, strmqm, runmqsc and others.",
};

const DEVELOPMENT: Package = Package {
    name: "ferrymq-dev",
    section: "libdevel",
    depends: "libc6 (>= LIBC), libgcc-s1",
    summary: "headers and libraries of FerryMQ for programs in C",
    text: "The message queue interface in C, under the names that programs link to:\n cc -I /usr/include/ferrymq order.c -L \
           /usr/lib/ferrymq -lmqm_r",
};

/// The person to write to, which packages must name.
const MAINTAINER: &str = "The FerryMQ project <maintainers@ferrymq.invalid>";

/// The folder of the libraries, which have no versions in their names and so none of their own on the path.
const LIBRARIES: &str = "usr/lib/ferrymq";

/// Makes all of them; where they are.
pub(super) fn make(root: &Path, laid_out: &LaidOut, out: &Path, facts: &Facts) -> Result<Vec<PathBuf>> {
    let trees = out.join("trees");
    let packaging = root.join("packaging/deb");
    let main = Tree::at(trees.join(MAIN.name))?;
    main.copy(&laid_out.path("bin/ferry"), "usr/bin/ferry", 0o755)?;
    for (from, to) in [
        ("systemd/ferrymq@.service", "lib/systemd/system/ferrymq@.service"),
        ("systemd/sysusers.conf", "usr/lib/sysusers.d/ferrymq.conf"),
        ("systemd/tmpfiles.conf", "usr/lib/tmpfiles.d/ferrymq.conf"),
        ("completions/ferry.bash", "usr/share/bash-completion/completions/ferry"),
        ("completions/_ferry", "usr/share/zsh/vendor-completions/_ferry"),
        ("completions/ferry.fish", "usr/share/fish/vendor_completions.d/ferry.fish"),
        ("sbom.cdx.json", "usr/share/doc/ferrymq/sbom.cdx.json"),
    ] {
        main.file(to, laid_out.read(&format!("share/{from}"))?, 0o644)?;
    }
    main.copies(&laid_out.path("share/monitoring"), "usr/share/ferrymq/monitoring", 0o644)?;
    manual(laid_out, &main, "man1")?;
    for script in ["postinst", "prerm"] {
        main.copy(&packaging.join(script), &format!("DEBIAN/{script}"), 0o755)?;
    }
    let familiar = Tree::at(trees.join(NAMES.name))?;
    for name in &laid_out.names {
        familiar.link(&format!("usr/bin/{name}"), "ferry")?;
    }
    let development = Tree::at(trees.join(DEVELOPMENT.name))?;
    development.copies(&laid_out.path("inc"), "usr/include/ferrymq", 0o644)?;
    development.copies(&laid_out.path("lib64"), LIBRARIES, 0o644)?;
    manual(laid_out, &development, "man3")?;
    let libc = newest_libc(&laid_out.read(&format!("lib64/{}", libraries::NAMES[0]))?)
        .context("the library of the C interface names no version of libc")?;
    let all = [(&MAIN, main), (&NAMES, familiar), (&DEVELOPMENT, development)];
    let pack = |(package, tree): &(&Package, Tree)| pack(root, package, tree, out, facts, &libc);
    all.iter().map(pack).collect()
}

fn manual(laid_out: &LaidOut, tree: &Tree, section: &str) -> Result<()> {
    for name in names(&laid_out.path(&format!("share/man/{section}")))? {
        let page = laid_out.read(&format!("share/man/{section}/{name}"))?;
        tree.compressed(&format!("usr/share/man/{section}/{name}"), page)?;
    }
    Ok(())
}

fn pack(
    root: &Path,
    package: &Package,
    tree: &Tree,
    out: &Path,
    facts: &Facts,
    libc: &str,
) -> Result<PathBuf> {
    let (Facts { version, target, time, .. }, Package { name, section, depends, summary, text }) =
        (facts, package);
    let architecture = target.architecture;
    let depends = depends.replace("VERSION", version).replace("LIBC", libc);
    let documents = format!("usr/share/doc/{name}");
    tree.file(&format!("{documents}/copyright"), COPYRIGHT, 0o644)?;
    tree.compressed(&format!("{documents}/changelog"), changelog(name, facts)?)?;
    tree.compressed(&format!("{documents}/CHANGELOG.md"), std::fs::read(root.join("CHANGELOG.md"))?)?;
    let kibibytes = bytes_below(&tree.path().join("usr"))?.div_ceil(1_024);
    let control = format!(
        "Package: {name}\nVersion: {version}\nArchitecture: {architecture}\nSection: {section}\n\
         Priority: optional\nInstalled-Size: {kibibytes}\n\
         Maintainer: {MAINTAINER}\nDepends: {depends}\n\
         Description: {summary}\n {text}\n"
    );
    tree.file("DEBIAN/control", control, 0o644)?;
    let path = out.join(format!("{name}_{version}_{architecture}.deb"));
    say(&format!("packing {}", path.display()));
    let mut build = Command::new("dpkg-deb");
    build.env("SOURCE_DATE_EPOCH", time.to_string());
    build.args(["--root-owner-group", "-Zgzip", "--build"]).arg(tree.path()).arg(&path);
    output(&mut build)?;
    Ok(path)
}

/// The packages once more, with another version, for the test of an upgrade.
pub(super) fn with_version(package: &Path, out: &Path, version: &str) -> Result<PathBuf> {
    let tree = out.join("raw");
    super::tree::empty(&tree)?;
    output(Command::new("dpkg-deb").arg("--raw-extract").arg(package).arg(&tree))?;
    let control = tree.join("DEBIAN/control");
    let text = std::fs::read_to_string(&control)?;
    let old = text.lines().find_map(|line| line.strip_prefix("Version: ")).context("it has no version")?;
    let text = text.replace(&format!("Version: {old}"), &format!("Version: {version}"));
    std::fs::write(&control, text.replace(&format!("(= {old})"), &format!("(= {version})")))?;
    let name = package.file_name().and_then(|name| name.to_str()).context("it has no name")?;
    let path = out.join(name.replacen(old, version, 1));
    output(Command::new("dpkg-deb").args(["--root-owner-group", "-Zgzip", "--build"]).arg(&tree).arg(&path))?;
    Ok(path)
}

fn bytes_below(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for name in names(folder)? {
        let path = folder.join(name);
        let metadata = path.symlink_metadata()?;
        bytes += if metadata.is_dir() { bytes_below(&path)? } else { metadata.len() };
    }
    Ok(bytes)
}

/// The newest version of the C library that a file asks for, such as 2.34.
fn newest_libc(file: &[u8]) -> Option<String> {
    const BEFORE: &[u8] = b"GLIBC_";
    let versions = file.windows(BEFORE.len() + 8).filter_map(|window| {
        let text = window.strip_prefix(BEFORE)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        let (major, minor) = std::str::from_utf8(&text[..end]).ok()?.split_once('.')?;
        // A third number makes no difference: nothing asks for one that is newer than this.
        let minor = minor.split('.').next()?;
        Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
    });
    versions.max().map(|(major, minor)| format!("{major}.{minor}"))
}

/// The licence, by the copy that each Debian system has.
const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: *
Copyright: 2026 the contributors of FerryMQ
License: Apache-2.0
 The whole text is in /usr/share/common-licenses/Apache-2.0.
";

/// The changelog in the form that Debian has; the one for people is beside it.
fn changelog(package: &str, facts: &Facts) -> Result<String> {
    let (version, date) = (&facts.version, facts.date("--rfc-email")?);
    Ok(format!(
        "{package} ({version}) unstable; urgency=medium\n\n  * Release {version}; CHANGELOG.md has the changes.\n\n \
         -- {MAINTAINER}  {date}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::newest_libc;

    #[test]
    fn the_newest_version_of_the_c_library_that_is_asked_for_is_found() {
        let file = b"\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0GLIBC_PRIVATE\0GCC_3.0\0 and more";
        assert_eq!(newest_libc(file).as_deref(), Some("2.34"));
        assert_eq!(newest_libc(b"nothing of that kind is in here"), None);
    }
}
