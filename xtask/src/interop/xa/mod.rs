//! `cargo xtask interop xa [--long] [--part NAME] [--prefix DIR]`: transfers between two resource managers
//! under a transaction manager of our own in C, while its process, the queue manager and the partner are
//! killed.
//!
//! Lives here: the partners, and the order of a run. Lives elsewhere: the transaction manager (`manager.c`),
//! the resource managers behind its switches (`queues.c`, `postgres.c`, `mariadb.c`), the processes
//! (`servers`), packages that are missing (`packages`), one round (`rounds`), the verdict on it (`judge`).
//!
//! Always: the transaction manager decides by its own log alone. A partner that cannot be had is NOT SHOWN,
//! and the run fails.

mod judge;
mod packages;
mod rounds;
mod servers;

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::table::{Table, Verdict, emptied, prepare};
use crate::install;
use packages::Packages;
use rounds::{Manager, Plan, Servers};
use servers::{Server, TemporaryFolder};

/// Sources of the transaction manager.
const SOURCES: [(&str, &str); 8] = [
    ("manager.c", include_str!("manager.c")),
    ("queues.c", include_str!("queues.c")),
    ("none.c", include_str!("none.c")),
    ("postgres.c", include_str!("postgres.c")),
    ("mariadb.c", include_str!("mariadb.c")),
    ("rows.h", include_str!("rows.h")),
    ("resource.h", include_str!("resource.h")),
    ("xa.h", include_str!("../../../../crates/capi/tests/programs/xa.h")),
];

/// The partner of the queue manager.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Partner {
    Queues,
    Postgres,
    Mariadb,
}

impl Partner {
    const ALL: [Self; 3] = [Self::Queues, Self::Postgres, Self::Mariadb];

    fn name(self) -> &'static str {
        match self {
            Self::Queues => "queues",
            Self::Postgres => "postgres",
            Self::Mariadb => "mariadb",
        }
    }
}

/// The options of a run.
#[derive(Debug, Default, PartialEq)]
struct XaOptions {
    is_long: bool,
    part: Option<Partner>,
    prefix: Option<PathBuf>,
}

impl XaOptions {
    fn parse(mut rest: &[&str]) -> Result<Self> {
        let mut options = Self::default();
        loop {
            rest = match rest {
                [] => return Ok(options),
                ["--long", after @ ..] => {
                    options.is_long = true;
                    after
                }
                ["--part", name, after @ ..] => {
                    let part = Partner::ALL.into_iter().find(|partner| partner.name() == *name);
                    options.part =
                        Some(part.context("the parts of `interop xa` are queues, postgres, mariadb")?);
                    after
                }
                ["--prefix", folder, after @ ..] => {
                    options.prefix = Some(PathBuf::from(folder));
                    after
                }
                [other, ..] => bail!(
                    "`cargo xtask interop xa` does not know \"{other}\"; it takes --long, --part NAME and --prefix DIR"
                ),
            };
        }
    }
}

/// Runs all partners, or one.
pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let options = XaOptions::parse(arguments)?;
    let place = root.join("target/interop/xa");
    let prefix = match options.prefix {
        Some(prefix) => prefix,
        None => {
            let prefix = place.join("prefix");
            install::for_ourselves(root, &prefix, "dev")?;
            prefix
        }
    };
    let mut table = Table::default();
    for partner in Partner::ALL {
        if options.part.is_none_or(|part| part == partner) {
            let verdict = run_partner(&prefix, &place.join(partner.name()), partner, options.is_long);
            table.add(partner.name(), verdict.unwrap_or_else(|error| Verdict::Failed(format!("{error:#}"))));
        }
    }
    Ok(table.print())
}

/// Starts both resource managers, and makes transfers between them.
fn run_partner(prefix: &Path, place: &Path, partner: Partner, is_long: bool) -> Result<Verdict> {
    let packages = match partner {
        Partner::Queues => None,
        Partner::Postgres => Some(packages::of_postgres(place)),
        Partner::Mariadb => Some(packages::of_mariadb(place)),
    };
    let packages = match packages.transpose() {
        Ok(packages) => packages,
        Err(why) => return Ok(Verdict::NotShown(why)),
    };
    let data = TemporaryFolder::new(&format!("ferry-xa-{}", partner.name()))?;
    let build = place.join("build");
    let program = compile(prefix, &build, partner, packages.as_ref())?;
    let first = Server::queue_manager(prefix, data.path(), "QM1")?;
    let (second, text) = match (partner, &packages) {
        (Partner::Postgres, Some(packages)) => Server::postgres(packages, data.path())?,
        (Partner::Mariadb, Some(packages)) => Server::mariadb(packages, data.path())?,
        _ => {
            let second = Server::queue_manager(prefix, data.path(), "QM2")?;
            let text = format!("QMNAME=QM2,CHANNEL=XA.APP,CONNAME=127.0.0.1({})", second.port());
            (second, text)
        }
    };
    let libraries = packages.as_ref().map(Packages::libraries).unwrap_or_default();
    let manager = Manager::new(program, prefix, data.path(), text, libraries);
    let plan = if is_long { Plan::long() } else { Plan::sample() };
    let made = rounds::run(&manager, Servers { first, second }, &plan);
    match made {
        Ok(made) => {
            println!("{}: {made}", partner.name());
            Ok(Verdict::Passed(made.transfers))
        }
        Err(error) => {
            let kept = data.keep();
            Err(error.context(format!("what it left is in {}", kept.display())))
        }
    }
}

/// Builds the transaction manager with the resource manager of a partner.
fn compile(prefix: &Path, build: &Path, partner: Partner, packages: Option<&Packages>) -> Result<PathBuf> {
    emptied(build)?;
    for (name, text) in SOURCES {
        fs::write(build.join(name), text)?;
    }
    let mut cc = Command::new("cc");
    cc.args(["-Wall", "-Wextra", "-Werror", "-std=c11", "-D_GNU_SOURCE", "-g", "-pthread", "-rdynamic"]);
    cc.args(["-I."]).arg("-I").arg(prefix.join("inc"));
    cc.args(["manager.c", "queues.c"]).arg(match partner {
        Partner::Queues => "none.c",
        Partner::Postgres => "postgres.c",
        Partner::Mariadb => "mariadb.c",
    });
    if let Some(packages) = packages {
        packages.add_to(&mut cc);
    }
    cc.args(["-ldl", "-o", "manager"]).current_dir(build);
    prepare(&mut cc).map_err(|why| anyhow::anyhow!("manager.c: {why}"))?;
    Ok(build.join("manager"))
}

#[cfg(test)]
mod tests {
    use super::{Partner, XaOptions};

    #[test]
    fn a_run_has_all_partners_or_one_in_a_long_form_or_a_short_one() {
        assert_eq!(XaOptions::parse(&[]).unwrap(), XaOptions::default());
        let options = XaOptions::parse(&["--part", "mariadb", "--long"]).unwrap();
        assert!(options.is_long && options.part == Some(Partner::Mariadb) && options.prefix.is_none());
        for wrong in [&["--part"][..], &["--part", "oracle"], &["--short"], &["--prefix"]] {
            assert!(XaOptions::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
