//! The check of `deny.toml`: licences of crates by cargo's metadata, bans and sources by `Cargo.lock`.
//!
//! Always: licences are judged of what this machine can build, with every feature; bans and sources of all
//! that is locked, for any machine. `cargo deny check bans licenses sources` reads the same file, and the
//! texts of licences as well.

use super::metadata::{Features, Tree};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

/// The one registry third-party crates may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The rules of `deny.toml` that are judged here.
#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

/// `Cargo.lock`.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    source: Option<String>,
}

pub(super) fn check(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let read =
        |name: &str| std::fs::read_to_string(root.join(name)).with_context(|| format!("cannot read {name}"));
    let rules: Rules = toml::from_str(&read("deny.toml")?).context("deny.toml")?;
    let lock = |name: &str| -> Result<Lock> { toml::from_str(&read(name)?).context(name.to_owned()) };
    let tree = Tree::read(root, Features::All)?;
    judge_licences(&rules, &tree, faults);
    judge_locked(&rules, &lock("Cargo.lock")?, &tree, faults);
    for name in &tree.unversioned {
        faults.push(format!("{name} is taken in any version: name one in Cargo.toml"));
    }
    // A workspace of its own, which takes crates of this one by their paths.
    let mut bridges = Tree::read(&root.join("bridges"), Features::All)?;
    bridges.ours.extend(tree.ours);
    judge_licences(&rules, &bridges, faults);
    judge_locked(&rules, &lock("bridges/Cargo.lock")?, &bridges, faults);
    Ok(())
}

fn judge_licences(rules: &Rules, tree: &Tree, faults: &mut Vec<String>) {
    let allowed: Vec<&str> = rules.licenses.allow.iter().map(String::as_str).collect();
    for package in tree.packages.iter().filter(|package| !tree.ours.contains(&package.name)) {
        let what = format!("{} {}", package.name, package.version);
        match &package.licence {
            None => {
                faults.push(format!("{what} states no licence: look at its sources before depending on it"))
            }
            Some(licence) if !permits(licence, &allowed) => {
                faults.push(format!("{what} is under \"{licence}\", which deny.toml does not allow"));
            }
            Some(_) => {}
        }
    }
}

fn judge_locked(rules: &Rules, lock: &Lock, tree: &Tree, faults: &mut Vec<String>) {
    for Locked { name, version, source } in &lock.package {
        let is_ours = source.is_none() && tree.ours.contains(name);
        if !is_ours && source.as_deref() != Some(REGISTRY) {
            let source = source.as_deref().unwrap_or("a path outside the project");
            faults.push(format!(
                "{name} {version} comes from {source}: third-party crates come from crates.io"
            ));
        }
        if let Some(ban) = rules.bans.deny.iter().find(|ban| ban.name == *name) {
            faults.push(format!("{name} {version} is banned: {}", ban.reason));
        }
    }
}

/// True if a licence expression can be satisfied with allowed licences alone.
fn permits(expression: &str, allowed: &[&str]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    let satisfied = any_of(&mut rest, allowed);
    satisfied && rest.is_empty()
}

/// Terms joined by `OR`.
fn any_of(rest: &mut &[&str], allowed: &[&str]) -> bool {
    let mut satisfied = all_of(rest, allowed);
    while let ["OR", after @ ..] = *rest {
        *rest = after;
        satisfied |= all_of(rest, allowed);
    }
    satisfied
}

/// Factors joined by `AND`.
fn all_of(rest: &mut &[&str], allowed: &[&str]) -> bool {
    let mut satisfied = one(rest, allowed);
    while let ["AND", after @ ..] = *rest {
        *rest = after;
        satisfied &= one(rest, allowed);
    }
    satisfied
}

/// A licence, a licence with an exception, or an expression in parentheses.
fn one(rest: &mut &[&str], allowed: &[&str]) -> bool {
    match *rest {
        ["(", after @ ..] => {
            *rest = after;
            let satisfied = any_of(rest, allowed);
            let [")", after @ ..] = *rest else { return false };
            *rest = after;
            satisfied
        }
        [licence, "WITH", exception, after @ ..] => {
            *rest = after;
            allowed.contains(&format!("{licence} WITH {exception}").as_str())
        }
        [licence, after @ ..] => {
            *rest = after;
            allowed.contains(licence)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::metadata::Package;

    #[test]
    fn an_expression_is_permitted_when_one_way_through_it_is() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"];
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("MIT/Apache-2.0", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("(MIT OR Apache-2.0) AND OpenSSL", false),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("GPL-2.0 WITH Classpath-exception-2.0", false),
            ("(MIT", false),
            ("", false),
        ] {
            assert_eq!(permits(expression, &allowed), expected, "{expression}");
        }
    }

    fn rules() -> Rules {
        let text = r#"
            licenses.allow = ["MIT"]
            bans.deny = [{ crate = "openssl", reason = "TLS is rustls" }]
        "#;
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_locked_crate_is_judged_by_its_name_and_source_also_where_no_build_here_has_it() {
        let lock = format!(
            "[[package]]\nname = \"server\"\nversion = \"1.0.0\"\n\
             [[package]]\nname = \"windows-sys\"\nversion = \"0.1.0\"\nsource = \"{REGISTRY}\"\n\
             [[package]]\nname = \"openssl\"\nversion = \"0.2.0\"\nsource = \"{REGISTRY}\"\n\
             [[package]]\nname = \"forked\"\nversion = \"0.3.0\"\nsource = \"git+https://host.example/forked\"\n\
             [[package]]\nname = \"copied\"\nversion = \"0.4.0\"\n"
        );
        let tree = Tree { ours: ["server".to_owned()].into(), ..Tree::default() };
        let mut faults = Vec::new();
        judge_locked(&rules(), &toml::from_str(&lock).unwrap(), &tree, &mut faults);
        assert_eq!(
            faults,
            [
                "openssl 0.2.0 is banned: TLS is rustls",
                "forked 0.3.0 comes from git+https://host.example/forked: third-party crates come from crates.io",
                "copied 0.4.0 comes from a path outside the project: third-party crates come from crates.io",
            ]
        );
    }

    #[test]
    fn a_crate_of_others_has_a_licence_that_is_allowed() {
        let package = |name: &str, licence: Option<&str>| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: licence.map(str::to_owned),
        };
        let packages = vec![
            package("free", Some("MIT")),
            package("bound", Some("GPL-3.0")),
            package("silent", None),
            package("server", None),
        ];
        let tree = Tree { packages, ours: ["server".to_owned()].into(), ..Tree::default() };
        let mut faults = Vec::new();
        judge_licences(&rules(), &tree, &mut faults);
        assert_eq!(
            faults,
            [
                "bound 1.0.0 is under \"GPL-3.0\", which deny.toml does not allow",
                "silent 1.0.0 states no licence: look at its sources before depending on it",
            ]
        );
    }
}
