//! Installing brokers as people install them: by apt, by the Go tool, from Maven Central.
//!
//! Always: no service is started by an installation.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use perf::belongings::Place;

use crate::broker::{Peer, Program};

/// Where programs are kept that no package manager of the system keeps.
pub(crate) fn cache() -> Result<PathBuf> {
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let base = base.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let path =
        base.context("neither XDG_CACHE_HOME nor HOME says where programs can be kept")?.join("ferry-peers");
    fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

/// The program of a broker, which is installed first if that is allowed.
pub(crate) fn ready(peer: &dyn Peer, installs: bool) -> Result<Program> {
    if let Some(program) = peer.find()? {
        return Ok(program);
    }
    ensure!(installs, "it is not installed: {}", peer.package());
    eprintln!("installing {}", peer.package());
    peer.install().with_context(|| format!("cannot install {}", peer.package()))?;
    peer.find()?.with_context(|| format!("{} has no such program", peer.package()))
}

/// A program on the path, or where services are kept.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/go/bin".into()]);
    places.map(|place| place.join(name)).find(|path| path.is_file())
}

/// A program that says its version when it is asked so.
pub(crate) fn program(path: PathBuf, ask: &str) -> Result<Program> {
    let output =
        Command::new(&path).arg(ask).output().with_context(|| format!("cannot run {}", path.display()))?;
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let said = String::from_utf8_lossy(&said);
    let version = said.lines().next().unwrap_or("of unknown version").trim().to_owned();
    Ok(Program { path, version })
}

/// Asked before a service is started by the installation of its package.
const POLICY: &str = "/usr/sbin/policy-rc.d";

/// Forbids the start of services while packages are installed, unless somebody says already what is allowed.
fn no_services() -> Result<Option<Place>> {
    let path = Path::new(POLICY);
    if path.exists() {
        return Ok(None);
    }
    let policy = Place::file(path.to_owned(), "#!/bin/sh\nexit 101\n");
    let policy = policy.with_context(|| format!("cannot write {POLICY}"))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    Ok(Some(policy))
}

/// Installs packages of the system.
pub(crate) fn apt(packages: &[&str]) -> Result<()> {
    ensure!(find("apt-get").is_some(), "this system has no apt-get: install {} by hand", packages.join(", "));
    ensure!(
        rustix::process::geteuid().is_root(),
        "apt-get needs root: install {} by hand",
        packages.join(", ")
    );
    let policy = no_services()?;
    let install = ["install", "-y", "-q", "-q", "--no-install-recommends"];
    let installed = run(Command::new("apt-get").args(["update", "-q", "-q"])).and_then(|()| {
        run(Command::new("apt-get").args(install).args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
    });
    // It would keep other services from starting: worth a word when it stays.
    if let Some(Err(error)) = policy.map(Place::remove) {
        eprintln!("{POLICY} is still there and must be removed by hand: {error}");
    }
    installed
}

/// Builds a program of a Go module into the cache.
pub(crate) fn go(module: &str) -> Result<()> {
    let go = find("go").context("there is no Go tool")?;
    run(Command::new(go).args(["install", module]).env("GOBIN", cache()?))
}

/// The tool of Maven, by which archives and libraries come from Maven Central or from where its settings say.
const COPIES: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";

/// The distribution archive of a program, unpacked in the cache.
pub(crate) struct Archive {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Archive {
    /// A command of it, by its path in the archive.
    pub(crate) fn find(&self, command: &str) -> Result<Option<Program>> {
        let version = format!("{}-{}", self.name, self.version);
        let path = cache()?.join(&version).join(command);
        Ok(path.is_file().then_some(Program { path, version }))
    }

    pub(crate) fn install(&self) -> Result<()> {
        let (cache, Self { group, name, version }) = (cache()?, self);
        maven(&[
            &format!("{COPIES}:copy"),
            &format!("-Dartifact={group}:{name}:{version}:tar.gz:bin"),
            &format!("-DoutputDirectory={}", cache.display()),
        ])?;
        let archive = cache.join(format!("{name}-{version}-bin.tar.gz"));
        run(Command::new("tar").arg("-xzf").arg(&archive).arg("-C").arg(&cache))?;
        fs::remove_file(&archive).with_context(|| format!("cannot remove {}", archive.display()))
    }
}

/// A library with all that it needs, in a folder of the cache.
pub(crate) struct Libraries {
    pub(crate) group: &'static str,
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
}

impl Libraries {
    /// The folder, once all of it is there.
    pub(crate) fn find(&self) -> Result<Option<Program>> {
        let version = format!("{}-{}", self.name, self.version);
        let path = cache()?.join(&version);
        Ok(path.is_dir().then_some(Program { path, version }))
    }

    pub(crate) fn install(&self) -> Result<()> {
        let (cache, Self { group, name, version }) = (cache()?, self);
        let coming = cache.join(format!("{name}-{version}-coming"));
        fs::create_dir_all(&coming).with_context(|| format!("cannot create {}", coming.display()))?;
        let project = coming.join("pom.xml");
        let text = format!(
            "<project><modelVersion>4.0.0</modelVersion><groupId>peers</groupId><artifactId>peers</artifactId>\
             <version>1</version><dependencies><dependency><groupId>{group}</groupId>\
             <artifactId>{name}</artifactId><version>{version}</version></dependency></dependencies></project>"
        );
        fs::write(&project, text).with_context(|| format!("cannot write {}", project.display()))?;
        maven(&[
            &format!("{COPIES}:copy-dependencies"),
            "-f",
            &project.display().to_string(),
            "-DincludeScope=runtime",
            &format!("-DoutputDirectory={}", coming.display()),
        ])?;
        let there = cache.join(format!("{name}-{version}"));
        fs::rename(&coming, &there).with_context(|| format!("cannot create {}", there.display()))
    }
}

/// Runs Maven, which is installed first where it is not there.
fn maven(arguments: &[&str]) -> Result<()> {
    if find("mvn").is_none() {
        apt(&["maven"])?;
    }
    let maven = find("mvn").context("there is no mvn")?;
    run(Command::new(maven).args(["--batch-mode", "--quiet"]).args(arguments))
}

/// Runs a program to its end; what it says is shown when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let what = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    if !output.status.success() {
        // Most complain on the one, some on the other.
        let said = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
        bail!("{what} ended with {}: {}", output.status, String::from_utf8_lossy(said).trim());
    }
    Ok(())
}
