//! The check of `deny.toml`, of licences, banned crates and sources, against cargo's metadata.
//!
//! `cargo deny` judges the same file more thoroughly where it is installed; this runs everywhere.

use super::metadata::Tree;
use anyhow::{Context, Result};
use std::path::Path;

/// The one registry third-party crates may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(super) fn check(root: &Path, tree: &Tree, faults: &mut Vec<String>) -> Result<()> {
    let path = root.join("deny.toml");
    let text = std::fs::read_to_string(&path).context("cannot read deny.toml")?;
    let rules: toml::Table = text.parse().context("deny.toml")?;
    let allowed: Vec<&str> = rules["licenses"]["allow"]
        .as_array()
        .context("deny.toml has no licenses.allow")?
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    let banned: Vec<(&str, &str)> = rules["bans"]["deny"]
        .as_array()
        .context("deny.toml has no bans.deny")?
        .iter()
        .filter_map(|rule| Some((rule.get("crate")?.as_str()?, rule.get("reason")?.as_str()?)))
        .collect();
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
        if package.source.as_deref() != Some(REGISTRY) {
            let source = package.source.as_deref().unwrap_or("a path outside the project");
            faults.push(format!("{what} comes from {source}: third-party crates come from crates.io"));
        }
        if let Some((_, reason)) = banned.iter().find(|(name, _)| *name == package.name) {
            faults.push(format!("{what} is banned: {reason}"));
        }
    }
    Ok(())
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
    use super::permits;

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
}
