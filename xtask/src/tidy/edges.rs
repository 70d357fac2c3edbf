//! Which crate may depend on which, and what stays out of the crates below the hosts.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// One row for each crate of ours: its layer, and the crates of ours it may name.
///
/// Development dependencies are free: a test may use what the crate may not.
const ALLOWED: &[(&str, u8, &[&str])] = &[
    ("mqi", 0, &[]),
    ("platform", 0, &[]),
    ("topic", 1, &["mqi"]),
    ("selector", 1, &["mqi"]),
    ("objects", 1, &["mqi"]),
    ("channel", 1, &["mqi"]),
    ("amqp", 1, &["mqi"]),
    ("mqtt", 1, &["mqi"]),
    ("storage", 1, &["platform"]),
    ("queue-manager", 2, &["mqi", "platform", "topic", "selector", "objects", "storage"]),
    (
        "agents",
        3,
        &[
            "mqi",
            "platform",
            "topic",
            "selector",
            "objects",
            "channel",
            "amqp",
            "mqtt",
            "storage",
            "queue-manager",
        ],
    ),
    ("transport", 4, &["platform"]),
    (
        "server",
        4,
        &[
            "mqi",
            "platform",
            "topic",
            "selector",
            "objects",
            "channel",
            "amqp",
            "mqtt",
            "storage",
            "queue-manager",
            "agents",
            "transport",
        ],
    ),
    ("client", 4, &["mqi", "channel", "transport"]),
    ("capi", 5, &["mqi", "client", "queue-manager"]),
    ("bridge", 5, &["mqi", "client"]),
    ("perf", 5, &["mqi", "client", "server", "queue-manager"]),
    ("perf-peers", 5, &["perf"]),
    (
        "sim",
        5,
        &[
            "mqi",
            "platform",
            "topic",
            "selector",
            "objects",
            "channel",
            "amqp",
            "mqtt",
            "storage",
            "queue-manager",
            "agents",
        ],
    ),
    ("cli", 6, &["mqi", "platform", "objects", "storage", "client", "server", "perf", "bridge"]),
    ("xtask", 6, &[]),
];

/// The first layer that owns sockets and threads.
const LAYER_OF_HOSTS: u8 = 4;

/// What belongs to the hosts alone.
const HOSTS_ONLY: &[&str] = &["async-std", "mio", "rustls", "smol", "socket2", "tokio"];

pub(super) fn check(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let graph = Graph::read(root)?;
    for name in graph.dependencies.keys().filter(|name| graph.ours.contains(*name)) {
        let Some((_, layer, allowed)) = ALLOWED.iter().find(|(row, ..)| row == name) else {
            faults.push(format!(
                "crate {name} has no row in xtask/src/tidy/edges.rs: give it a layer and the crates it may name"
            ));
            continue;
        };
        for dependency in &graph.dependencies[name] {
            if graph.ours.contains(dependency) && !allowed.contains(&dependency.as_str()) {
                faults.push(format!(
                    "crate {name} (layer {layer}) depends on {dependency}, which it may not: move the code to where \
                     both may see it, or say in ARCHITECTURE.md why the edge is right and allow it in \
                     xtask/src/tidy/edges.rs"
                ));
            }
        }
        if *layer < LAYER_OF_HOSTS {
            let reachable = graph.reachable_from(name);
            for forbidden in HOSTS_ONLY.iter().filter(|forbidden| reachable.contains(**forbidden)) {
                faults.push(format!(
                    "crate {name} is below the hosts and yet has {forbidden} in its tree (`cargo tree -p {name} -i \
                     {forbidden}`): sockets and runtimes belong to transport, server and client"
                ));
            }
        }
    }
    Ok(())
}

/// Normal dependencies by crate name.
struct Graph {
    ours: BTreeSet<String>,
    dependencies: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(root: &Path) -> Result<Self> {
        let metadata = metadata(root)?;
        let names: BTreeMap<&str, &str> = array(&metadata["packages"])?
            .iter()
            .filter_map(|package| Some((package["id"].as_str()?, package["name"].as_str()?)))
            .collect();
        let ours = array(&metadata["workspace_members"])?
            .iter()
            .filter_map(|id| names.get(id.as_str()?).map(|name| (*name).to_owned()))
            .collect();
        let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in array(&metadata["resolve"]["nodes"])? {
            let Some(name) = node["id"].as_str().and_then(|id| names.get(id)) else { continue };
            let normal = array(&node["deps"])?.iter().filter(|dependency| is_normal(dependency)).filter_map(
                |dependency| names.get(dependency["pkg"].as_str()?).map(|name| (*name).to_owned()),
            );
            dependencies.entry((*name).to_owned()).or_default().extend(normal);
        }
        Ok(Self { ours, dependencies })
    }

    fn reachable_from(&self, name: &str) -> BTreeSet<&str> {
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
fn metadata(root: &Path) -> Result<Value> {
    let version = Command::new("rustc").arg("-vV").output().context("cannot start rustc")?;
    let version = String::from_utf8(version.stdout)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--filter-platform", host])
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
    use super::{ALLOWED, Graph};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn allowed_edges_never_point_up() {
        let layer = |name: &str| ALLOWED.iter().find(|(row, ..)| *row == name).map(|(_, layer, _)| *layer);
        for (name, own, allowed) in ALLOWED {
            for dependency in *allowed {
                assert!(layer(dependency).is_some_and(|other| other <= *own), "{name} -> {dependency}");
            }
        }
    }

    #[test]
    fn what_a_dependency_depends_on_is_reached() {
        let edge = |from: &str, to: &str| (from.to_owned(), BTreeSet::from([to.to_owned()]));
        let dependencies = BTreeMap::from([edge("queue-manager", "storage"), edge("storage", "mio")]);
        let graph = Graph { ours: BTreeSet::new(), dependencies };
        assert!(graph.reachable_from("queue-manager").contains("mio"));
    }
}
