//! Trying packages on small Debian systems, as a person would, and judging them.
//!
//! Lives here: the steps. `system` makes the small systems; `debs`, `unit`, `image`, `chart`, `bill` and
//! `archive` try one kind of package each, `older` an earlier release beside this one, `same` the bytes.
//! `emulated` runs programs for a machine of another kind, whose packages no system here installs.
//!
//! Always: a step that cannot be done on this machine says so and why; it never counts as passed.

mod archive;
mod bill;
mod chart;
mod debs;
mod emulated;
mod image;
mod older;
mod same;
mod system;
mod unit;

use super::facts::{Facts, output};
use super::linked;
use super::making::{PackageOptions, Packages};
use crate::steps::{self, Step, Verdict};
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Most bytes of the program.
const PROGRAM_BYTES_MAX: u64 = 25_000_000;

/// The part of a program that says where it has addresses, each in a bit.
const PACKED_ADDRESSES: &str = ".relr.dyn";

/// Complaints of lintian that are meant: the reason is beside each.
const LINTIAN_SUPPRESSED: &[&str] = &[
    // The programs are static so that they run on any system (0044).
    "statically-linked-binary",
    "shared-library-lacks-prerequisites",
    // Names of functions stay, so that a first-failure record tells where.
    "unstripped-binary-or-object",
    // The familiar names are links; each explains itself.
    "no-manual-page",
    // Instances of the unit are stopped by pattern, which no helper of Debian does.
    "maintainer-script-calls-systemctl",
];

/// Runs every step.
pub(super) fn run(
    root: &Path,
    options: &PackageOptions,
    facts: &Facts,
    packages: &Packages,
) -> Result<ExitCode> {
    let mut steps = steps_for(root, options, facts, packages);
    if let Some(only) = &options.only {
        steps.retain(|step| step.short_name() == only);
        ensure!(!steps.is_empty(), "no step of the check is called \"{only}\"");
    }
    steps::begin_run();
    let code = steps::run(steps);
    steps::print_left_undone();
    Ok(code)
}

/// The steps for packages of a kind of machine.
fn steps_for<'a>(
    root: &'a Path,
    options: &'a PackageOptions,
    facts: &'a Facts,
    packages: &'a Packages,
) -> Vec<Step<'a>> {
    let out = &options.out;
    let mut steps = vec![Step::new("sizes: the program is static and small", || sizes(options))];
    steps.push(Step::new("documents: all are there, and each link leads to a file beside it", || {
        documents(root, out)
    }));
    if facts.target.runner.is_none() {
        steps.extend(on_this_machine(root, out, facts, packages));
    } else {
        steps.push(Step::new("emulated: a message is there after its queue manager was killed", || {
            emulated::try_it(out, facts)
        }));
    }
    steps.extend([
        Step::new("chart: linted, and rendered with all that it has", || chart::try_it(out, packages)),
        Step::new("bill: the list of parts has the form that it names", || bill::try_it(root, out)),
        Step::new("again: packed once more, the bytes are the same", || {
            same::again(root, out, facts, packages)
        }),
        Step::new("rebuilt: built once more, elsewhere, the bytes are the same", || {
            same::rebuilt(root, options, facts, packages)
        }),
        Step::new("lintian: the packages are as Debian has them", || lintian(packages)),
    ]);
    steps
}

/// The steps that install packages and run the image.
fn on_this_machine<'a>(
    root: &'a Path,
    out: &'a Path,
    facts: &'a Facts,
    packages: &'a Packages,
) -> Vec<Step<'a>> {
    vec![
        Step::new("debs: installed, upgraded, removed; messages stay", || {
            debs::try_them(root, out, packages)
        }),
        Step::new("unit: verified, and its command runs as its user", || unit::try_it(root, out)),
        Step::new(
            "image: any user, a read-only root, SIGTERM, a limit of memory, definitions, probes",
            || image::try_it(root, out, packages),
        ),
        Step::new("archive: a first message on a machine without a compiler", || {
            archive::try_it(root, out, facts, packages)
        }),
        Step::new("older: programs of a kept archive beside these", || older::try_it(root, out, packages)),
    ]
}

fn sizes(options: &PackageOptions) -> Result<Verdict> {
    let program = options.out.join("prefix/bin/ferry");
    let bytes = program.metadata()?.len();
    println!("ferry has {bytes} bytes");
    let headers = output(Command::new("readelf").args(["--wide", "--program-headers"]).arg(&program))?;
    ensure!(!headers.contains("INTERP"), "ferry asks for a loader, so it is not static");
    let sections = output(Command::new("readelf").args(["--wide", "--sections"]).arg(&program))?;
    // A linker that cannot pack them says so and goes on.
    if !sections.contains(PACKED_ADDRESSES) {
        println!("its addresses are not packed: the linker cannot");
    }
    let paths = output(Command::new("grep").args(["--count", "--text", "/root/\\|/home/"]).arg(&program));
    if let Ok(lines) = paths {
        bail!("ferry names folders of the machine that built it, in {lines} places");
    }
    small_enough(bytes, &options.profile)
}

/// Compares the documents that are laid out with those of the project, and follows their links.
fn documents(root: &Path, out: &Path) -> Result<Verdict> {
    let prefix = out.join("prefix");
    for folder in ["docs", "examples"] {
        let (ours, theirs) = (root.join(folder), prefix.join(folder));
        output(Command::new("diff").args(["--recursive", "--brief"]).args([ours, theirs]))
            .with_context(|| format!("the archive has other {folder} than the project"))?;
    }
    let dangling = linked::dangling(&prefix)?;
    ensure!(dangling.is_empty(), "links of documents lead nowhere: {}", dangling.join(", "));
    Ok(Verdict::Ok)
}

/// Holds a program of a release to its bound; profiles for development keep more in it.
fn small_enough(bytes: u64, profile: &str) -> Result<Verdict> {
    if bytes <= PROGRAM_BYTES_MAX {
        return Ok(Verdict::Ok);
    }
    ensure!(profile != "release", "a release has at most {PROGRAM_BYTES_MAX} bytes");
    steps::say_skipped(&format!("the bound of {PROGRAM_BYTES_MAX} bytes is for profile release"));
    Ok(Verdict::Skipped)
}

fn lintian(packages: &Packages) -> Result<Verdict> {
    if output(Command::new("lintian").arg("--version")).is_err() {
        steps::say_skipped("lintian is not installed (apt-get install lintian)");
        return Ok(Verdict::Skipped);
    }
    let mut lintian = Command::new("lintian");
    lintian.args(["--allow-root", "--fail-on", "error,warning", "--suppress-tags"]);
    lintian.arg(LINTIAN_SUPPRESSED.join(",")).args(&packages.debs);
    let done = lintian.output().context("cannot start lintian")?;
    print!("{}", String::from_utf8_lossy(&done.stdout));
    // Without room for its files it finds nothing, and says so there alone.
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "lintian finds faults, or cannot look: {}", said.trim_end());
    Ok(Verdict::Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::build::Built;
    use crate::package::facts::TARGETS;

    #[test]
    fn packages_of_another_machine_are_emulated_and_not_installed() {
        let nowhere = || Path::new("/nowhere").to_owned();
        let built = Built { ferry: nowhere(), bench: nowhere(), library: nowhere() };
        let (image, chart, archive) = (nowhere(), nowhere(), nowhere());
        let packages = Packages { built, debs: Vec::new(), image, chart, archive };
        for target in TARGETS {
            let options = PackageOptions::parse(Path::new("/"), &["--target", target.triple]).unwrap();
            let (version, commit) = ("0.1.0".to_owned(), "abc".to_owned());
            let facts = Facts { version, commit, time: 0, target };
            let steps = steps_for(Path::new("/"), &options, &facts, &packages);
            let has = |name: &str| steps.iter().any(|step| step.short_name() == name);
            let is_this_machine = target.architecture == "amd64";
            for name in ["debs", "unit", "image", "archive", "older"] {
                assert_eq!(has(name), is_this_machine, "{name} of {}", target.triple);
            }
            assert_eq!(has("emulated"), !is_this_machine, "{}", target.triple);
            for name in ["sizes", "documents", "chart", "bill", "again", "rebuilt", "lintian"] {
                assert!(has(name), "{name} of {}", target.triple);
            }
        }
    }

    #[test]
    fn a_release_that_is_too_large_fails_and_a_build_for_development_is_left_out() {
        assert_eq!(small_enough(PROGRAM_BYTES_MAX, "release").unwrap(), Verdict::Ok);
        assert!(small_enough(PROGRAM_BYTES_MAX + 1, "release").is_err());
        assert_eq!(small_enough(PROGRAM_BYTES_MAX + 1, "dev").unwrap(), Verdict::Skipped);
    }
}
