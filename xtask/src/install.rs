//! `cargo xtask install --prefix DIR`: program, headers, libraries and manual, in the folders where they are
//! looked for.
//!
//! `bin` has `ferry`, `inc` the C headers, `lib64` the libraries (`libraries`), `share/man` the manual page
//! of the library. With `--mq-names` the commands that scripts know are there too, each a link to `ferry`,
//! which knows by its name what is meant, and `setmqenv`, which profiles of shells read.
//!
//! Always: what is there under a name of ours and is neither ours nor a link to ours is not replaced.

use crate::{libraries, steps};
use anyhow::{Context, Result, bail};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The file that sets the environment of a shell.
const ENVIRONMENT: &str = "setmqenv";

/// The name under which the program tells which others it is known by.
pub(crate) const NAME_OF_NAMES: &str = "ferry-names";

/// Options of the command line.
#[derive(Debug, PartialEq, Eq)]
struct InstallOptions {
    prefix: PathBuf,
    mq_names: bool,
    /// Profile in which the program is built.
    profile: String,
}

impl InstallOptions {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let mut prefix = None;
        let mut mq_names = false;
        let mut profile = "release".to_owned();
        let mut rest = arguments;
        loop {
            rest = match rest {
                [] => break,
                ["--prefix", folder, after @ ..] => {
                    prefix = Some(PathBuf::from(folder));
                    after
                }
                ["--profile", name, after @ ..] => {
                    profile = (*name).to_owned();
                    after
                }
                ["--mq-names", after @ ..] => {
                    mq_names = true;
                    after
                }
                [other, ..] => bail!(
                    "`cargo xtask install` does not know \"{other}\"; it takes --prefix DIR, --mq-names, --profile NAME"
                ),
            };
        }
        let prefix = prefix.context("say where: cargo xtask install --prefix DIR")?;
        Ok(Self { prefix, mq_names, profile })
    }
}

/// Builds the program and lays everything out.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let options = InstallOptions::parse(arguments)?;
    program(root, &options)?;
    for path in libraries::install(root, &options.prefix, libraries::PROFILE)? {
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds program and library by one profile, for trying or measuring things, and lays them out.
pub(crate) fn for_ourselves(root: &Path, prefix: &Path, profile: &str) -> Result<()> {
    libraries::install(root, prefix, profile)?;
    program(root, &InstallOptions { prefix: prefix.to_owned(), mq_names: false, profile: profile.to_owned() })
}

/// Builds the program and lays it out with the headers and the manual.
fn program(root: &Path, options: &InstallOptions) -> Result<()> {
    let build = [
        &["cargo", "build", "--quiet", "--profile", &options.profile][..],
        &["--package", "cli", "--package", "ferry-bench"],
    ]
    .concat();
    steps::program(root, &build, &[])?;
    let folder = if options.profile == "dev" { "debug" } else { &options.profile };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join(folder).join("ferry");
    let names =
        if options.mq_names { names_of(Command::new(&program).arg0(NAME_OF_NAMES))? } else { Vec::new() };
    let mut laid_out = lay_out(&options.prefix, &program, &names)?;
    laid_out.push(copy(&program.with_file_name("ferry-bench"), &options.prefix.join("bin"))?);
    for (from, to) in [("crates/capi/include", "inc"), ("crates/capi/man", "share/man/man3")] {
        laid_out.extend(copy_all(&root.join(from), &options.prefix.join(to))?);
    }
    if options.mq_names {
        let template = fs::read_to_string(root.join("packaging").join(ENVIRONMENT))?;
        laid_out.push(lay_out_environment(&options.prefix, &template)?);
    }
    for path in laid_out {
        println!("{}", path.display());
    }
    Ok(())
}

/// Writes the file that sets the environment of a shell, which has to know where it is.
fn lay_out_environment(prefix: &Path, template: &str) -> Result<PathBuf> {
    let prefix = std::path::absolute(prefix)?;
    let text = prefix.to_str().with_context(|| format!("{} is no text", prefix.display()))?;
    let quoted = format!("'{}'", text.replace('\'', "'\\''"));
    let path = prefix.join("bin").join(ENVIRONMENT);
    let head = template.lines().next().context("the file of the environment is empty")?;
    if fs::symlink_metadata(&path).is_ok()
        && !fs::read_to_string(&path).is_ok_and(|there| there.starts_with(head))
    {
        bail!("{} is there and not ours: choose another prefix, or remove it", path.display());
    }
    let beside = path.with_extension("new");
    fs::write(&beside, template.replace("@PREFIX@", &quoted))
        .and_then(|()| fs::set_permissions(&beside, fs::Permissions::from_mode(0o755)))
        .and_then(|()| fs::rename(&beside, &path))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// The names that the program is known by, told by itself when it is called [`NAME_OF_NAMES`].
pub(crate) fn names_of(program: &mut Command) -> Result<Vec<String>> {
    let output = program.output().with_context(|| format!("cannot start {program:?}"))?;
    if !output.status.success() {
        bail!("{program:?} does not tell its names: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Copies and links; what was laid out.
fn lay_out(prefix: &Path, program: &Path, names: &[String]) -> Result<Vec<PathBuf>> {
    let bin = prefix.join("bin");
    fs::create_dir_all(&bin).with_context(|| format!("cannot create {}", bin.display()))?;
    let ours = program.file_name().context("the program has no name")?;
    for name in names {
        refuse_to_replace(&bin.join(name), Path::new(ours))?;
    }
    let mut laid_out = vec![copy(program, &bin)?];
    for name in names {
        let link = bin.join(name);
        if fs::symlink_metadata(&link).is_err() {
            symlink(ours, &link).with_context(|| format!("cannot link {}", link.display()))?;
        }
        laid_out.push(link);
    }
    Ok(laid_out)
}

/// Copies the files of a folder; where they are.
fn copy_all(from: &Path, to: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let mut found = fs::read_dir(from)?.collect::<std::io::Result<Vec<_>>>()?;
    found.sort_by_key(fs::DirEntry::file_name);
    found.iter().map(|file| copy(&file.path(), to)).collect()
}

/// Copies beside what is there and takes its place, so that a program that runs is not written into.
fn copy(from: &Path, folder: &Path) -> Result<PathBuf> {
    let name = from.file_name().with_context(|| format!("{} has no name", from.display()))?;
    let (path, beside) = (folder.join(name), folder.join(format!(".{}.new", name.to_string_lossy())));
    fs::copy(from, &beside).with_context(|| format!("cannot copy {}", from.display()))?;
    fs::rename(&beside, &path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

fn refuse_to_replace(link: &Path, ours: &Path) -> Result<()> {
    if fs::symlink_metadata(link).is_ok() && !fs::read_link(link).is_ok_and(|target| target == ours) {
        bail!(
            "{} is there and not ours: choose another prefix, or remove it; nothing was installed",
            link.display()
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{ENVIRONMENT, InstallOptions, copy_all, lay_out, lay_out_environment};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    #[test]
    fn a_prefix_is_needed_and_other_words_are_refused() {
        let options = InstallOptions::parse(&["--mq-names", "--prefix", "/opt/ferry"]).unwrap();
        let expected =
            InstallOptions { prefix: PathBuf::from("/opt/ferry"), mq_names: true, profile: "release".into() };
        assert_eq!(options, expected);
        assert!(InstallOptions::parse(&["--mq-names"]).is_err());
        assert!(InstallOptions::parse(&["--prefix", "/opt/ferry", "--root"]).is_err());
    }

    #[test]
    fn names_are_links_and_what_is_not_ours_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (program, headers) = (folder.path().join("ferry"), folder.path().join("include"));
        fs::create_dir(&headers).unwrap();
        fs::write(&program, "program").unwrap();
        fs::write(headers.join("cmqc.h"), "header").unwrap();
        let prefix = folder.path().join("prefix");
        let names = ["runmqsc".to_owned(), "dspmq".to_owned()];
        for _again in 0..2 {
            let laid_out = lay_out(&prefix, &program, &names).unwrap();
            let expected = ["bin/ferry", "bin/runmqsc", "bin/dspmq"].map(|path| prefix.join(path));
            assert_eq!(laid_out, expected);
            assert_eq!(copy_all(&headers, &prefix.join("inc")).unwrap(), [prefix.join("inc/cmqc.h")]);
            assert_eq!(fs::read_to_string(prefix.join("bin/dspmq")).unwrap(), "program");
            assert_eq!(fs::read_link(prefix.join("bin/dspmq")).unwrap(), PathBuf::from("ferry"));
            assert_eq!(fs::read_dir(prefix.join("bin")).unwrap().count(), 3);
        }
        fs::remove_file(prefix.join("bin/dspmq")).unwrap();
        fs::write(prefix.join("bin/dspmq"), "another's").unwrap();
        fs::write(&program, "newer").unwrap();
        assert!(lay_out(&prefix, &program, &names).is_err());
        assert_eq!(fs::read_to_string(prefix.join("bin/dspmq")).unwrap(), "another's");
        assert_eq!(fs::read_to_string(prefix.join("bin/ferry")).unwrap(), "program");
    }

    #[test]
    fn a_profile_that_reads_setmqenv_finds_the_commands_and_can_take_them_away_again() {
        let folder = tempfile::tempdir().unwrap();
        let prefix = folder.path().join("it's a prefix");
        fs::create_dir_all(prefix.join("bin")).unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let template = fs::read_to_string(root.join("packaging").join(ENVIRONMENT)).unwrap();
        let file = lay_out_environment(&prefix, &template).unwrap();
        assert_eq!(lay_out_environment(&prefix, &template).unwrap(), file, "it is ours");
        let shown = "echo \"$PATH|$LD_LIBRARY_PATH|$MANPATH|$MQ_INSTALLATION_NAME|$MQ_INSTALLATION_PATH\"";
        let run = |shell: &str, script: &str| {
            let mut command = Command::new(shell);
            command
                .args(["-c", &format!("{script}; {shown}")])
                .env_clear()
                .env("PATH", "/usr/bin:/bin")
                .env("FILE", &file);
            let output = command.env("LD_LIBRARY_PATH", "/its").output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap().trim_end().replace(prefix.to_str().unwrap(), "PREFIX")
        };
        let with = |libraries: &str| {
            format!("PREFIX/bin:/usr/bin:/bin|{libraries}|PREFIX/share/man:|FerryMQ|PREFIX")
        };
        for (shell, script, expected) in [
            ("sh", ". \"$FILE\" -s", with("/its")),
            ("bash", ". \"$FILE\" -s", with("/its")),
            ("bash", ". \"$FILE\" -m QM1; . \"$FILE\" -n FerryMQ -x 64", with("/its")),
            ("bash", ". \"$FILE\" -s -k; . \"$FILE\" -s -k", with("PREFIX/lib64:/its")),
            ("bash", ". \"$FILE\" -s -l", with("/its:PREFIX/lib64")),
            (
                "bash",
                "set -eu; . \"$FILE\" -s -k; . \"$FILE\" -r; set +u",
                "/usr/bin:/bin|/its|||".to_owned(),
            ),
            ("bash", ". \"$FILE\" -n Other 2>/dev/null && exit 9", "/usr/bin:/bin|/its|||".to_owned()),
        ] {
            assert_eq!(run(shell, script), expected, "{shell}: {script}");
        }
        fs::write(&file, "another's").unwrap();
        assert!(lay_out_environment(&prefix, &template).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "another's");
    }
}
