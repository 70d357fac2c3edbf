//! Cargo's metadata of the dependency tree, for this machine.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A package in the tree, ours or not.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
}

/// Every package, and the normal dependencies by crate name.
#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) packages: Vec<Package>,
    pub(crate) ours: BTreeSet<String>,
    pub(crate) dependencies: BTreeMap<String, BTreeSet<String>>,
    /// The crates of ours that each of ours names as normal dependencies, also those for a feature or another
    /// system.
    pub(crate) declared: BTreeMap<String, BTreeSet<String>>,
    /// The features each crate of ours is built with when nobody asks for any.
    pub(crate) enabled: BTreeMap<String, BTreeSet<String>>,
    /// The features each crate of ours has.
    pub(crate) offered: BTreeMap<String, BTreeSet<String>>,
    /// Crates of others that crates of ours take in any version.
    pub(crate) unversioned: BTreeSet<String>,
}

/// Features with which the tree is resolved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Features {
    /// The features of a build that asks for none.
    Default,
    /// Every feature of every crate of ours.
    All,
}

impl Tree {
    pub(crate) fn read(root: &Path, features: Features) -> Result<Self> {
        let metadata = metadata(root, features)?;
        let names: BTreeMap<&str, &str> = array(&metadata["packages"])?
            .iter()
            .filter_map(|package| Some((package["id"].as_str()?, package["name"].as_str()?)))
            .collect();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let packages = array(&metadata["packages"])?
            .iter()
            .map(|package| Package {
                name: text(&package["name"]).unwrap_or_default(),
                version: text(&package["version"]).unwrap_or_default(),
                licence: text(&package["license"]),
            })
            .collect();
        let ours: BTreeSet<String> = array(&metadata["workspace_members"])?
            .iter()
            .filter_map(|id| names.get(id.as_str()?).map(|name| (*name).to_owned()))
            .collect();
        let mut offered: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut unversioned = BTreeSet::new();
        let mut declared: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for package in array(&metadata["packages"])? {
            let Some(name) = package["name"].as_str().filter(|name| ours.contains(*name)) else { continue };
            let normal = array(&package["dependencies"])?.iter().filter(|named| named["kind"].is_null());
            let of_ours = normal.filter_map(|named| text(&named["name"])).filter(|name| ours.contains(name));
            declared.insert(name.to_owned(), of_ours.collect());
            let features = package["features"].as_object().into_iter().flat_map(|features| features.keys());
            offered.insert(name.to_owned(), features.cloned().collect());
            // A path has no version, and no registry either.
            let any =
                array(&package["dependencies"])?.iter().filter(|d| d["req"] == "*" && d["path"].is_null());
            unversioned.extend(any.filter_map(|dependency| text(&dependency["name"])));
        }
        let mut enabled: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in array(&metadata["resolve"]["nodes"])? {
            let Some(name) = node["id"].as_str().and_then(|id| names.get(id)) else { continue };
            let normal = array(&node["deps"])?.iter().filter(|dependency| is_normal(dependency)).filter_map(
                |dependency| names.get(dependency["pkg"].as_str()?).map(|name| (*name).to_owned()),
            );
            dependencies.entry((*name).to_owned()).or_default().extend(normal);
            if ours.contains(*name) {
                let features = array(&node["features"])?.iter().filter_map(text);
                enabled.entry((*name).to_owned()).or_default().extend(features);
            }
        }
        Ok(Self { packages, ours, dependencies, declared, enabled, offered, unversioned })
    }

    /// Everything a crate has in its tree, itself left out.
    pub(crate) fn reachable_from(&self, name: &str) -> BTreeSet<&str> {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![name];
        while let Some(name) = waiting.pop() {
            for dependency in self.dependencies.get(name).into_iter().flatten() {
                if reached.insert(dependency.as_str()) {
                    waiting.push(dependency);
                }
            }
        }
        reached
    }
}

/// The resolved graph for this machine; other platforms' crates would have to be downloaded first.
fn metadata(root: &Path, features: Features) -> Result<Value> {
    let version = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let version = String::from_utf8(version.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--filter-platform", host])
        .args((features == Features::All).then_some("--all-features"))
        .current_dir(root)
        .output()
        .context("cannot start cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn array(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().context("cargo metadata changed its form")
}

/// Development and build dependencies have a kind; normal ones have none.
fn is_normal(dependency: &Value) -> bool {
    dependency["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn what_a_dependency_depends_on_is_reached() {
        let edge = |from: &str, to: &str| (from.to_owned(), BTreeSet::from([to.to_owned()]));
        let dependencies = BTreeMap::from([edge("queue-manager", "storage"), edge("storage", "mio")]);
        let tree = Tree { dependencies, ..Tree::default() };
        assert!(tree.reachable_from("queue-manager").contains("mio"));
    }
}
