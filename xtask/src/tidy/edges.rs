//! The allowed dependencies between crates, and the packages kept out of the crates below the hosts.

use super::metadata::Tree;

/// One row for each crate of ours: its layer, and the crates of ours it may name.
///
/// Development dependencies are free: a test may use what the crate may not.
const ALLOWED: &[(&str, u8, &[&str])] = &[
    ("mqi", 0, &[]),
    ("platform", 0, &[]),
    ("topic", 1, &["mqi"]),
    ("selector", 1, &["mqi"]),
    ("formats", 1, &["mqi", "amqp"]),
    ("objects", 1, &["mqi", "security"]),
    ("figures", 1, &["mqi"]),
    ("security", 1, &["mqi"]),
    ("wire", 1, &["mqi"]),
    ("channel", 1, &["mqi", "wire"]),
    ("amqp", 1, &["wire"]),
    ("storage", 1, &["platform"]),
    (
        "queues",
        2,
        &["mqi", "platform", "topic", "selector", "formats", "objects", "figures", "security", "storage"],
    ),
    (
        "queue-manager",
        2,
        &[
            "mqi", "platform", "topic", "selector", "formats", "objects", "figures", "security", "storage",
            "queues",
        ],
    ),
    (
        "agents",
        3,
        &[
            "mqi",
            "security",
            "platform",
            "selector",
            "formats",
            "objects",
            "wire",
            "channel",
            "amqp",
            "storage",
            "queue-manager",
        ],
    ),
    ("transport", 4, &["platform"]),
    ("tls", 4, &["platform", "security", "transport"]),
    ("ca", 4, &["platform", "tls"]),
    ("protect", 4, &["security", "tls"]),
    ("identity", 4, &["platform", "security"]),
    (
        "server",
        4,
        &[
            "mqi",
            "platform",
            "formats",
            "objects",
            "figures",
            "security",
            "channel",
            "storage",
            "queue-manager",
            "agents",
            "transport",
            "tls",
            "identity",
        ],
    ),
    ("callbacks", 4, &["mqi", "platform"]),
    ("moves", 4, &["mqi", "formats"]),
    ("bridge", 4, &["mqi", "formats", "channel"]),
    ("client", 4, &["mqi", "platform", "formats", "security", "wire", "channel", "transport", "tls"]),
    ("capi", 5, &["mqi", "formats", "objects", "callbacks", "client", "server"]),
    ("control", 5, &["mqi", "figures", "client"]),
    ("perf", 5, &["mqi", "client", "server", "transport"]),
    ("testing", 5, &["mqi", "platform", "objects", "storage", "queue-manager"]),
    (
        "scenario",
        5,
        &["mqi", "platform", "formats", "objects", "storage", "queue-manager", "callbacks", "testing"],
    ),
    ("perf-peers", 5, &["mqi", "perf", "platform", "testing"]),
    ("rigs", 5, &["mqi", "platform", "amqp", "channel", "storage", "client", "testing"]),
    (
        "sim",
        5,
        &[
            "mqi",
            "platform",
            "formats",
            "objects",
            "channel",
            "amqp",
            "storage",
            "queue-manager",
            "agents",
            "client",
            "bridge",
            "scenario",
            "testing",
        ],
    ),
    ("terminal", 5, &["mqi", "platform", "objects", "client", "identity", "tls", "ca", "server"]),
    (
        "cli",
        6,
        &[
            "mqi", "platform", "formats", "objects", "storage", "client", "moves", "identity", "security",
            "tls", "ca", "server", "control", "figures", "terminal",
        ],
    ),
    ("examples", 6, &["mqi", "client"]),
    ("ferry-bench", 6, &["terminal", "perf"]),
    (
        "fuzz",
        6,
        &[
            "mqi",
            "platform",
            "selector",
            "formats",
            "objects",
            "channel",
            "amqp",
            "storage",
            "queue-manager",
            "topic",
            "security",
            "figures",
            "moves",
            "bridge",
            "transport",
            "tls",
            "protect",
            "identity",
            "server",
            "capi",
        ],
    ),
    ("xtask", 6, &[]),
];

/// The first layer that owns sockets and threads.
const LAYER_OF_HOSTS: u8 = 4;

/// Packages for the hosts alone.
const HOSTS_ONLY: &[&str] = &["async-std", "mio", "rustls", "smol", "socket2", "tokio"];

pub(super) fn check(tree: &Tree, faults: &mut Vec<String>) {
    check_names(ALLOWED, tree, faults);
    check_used(ALLOWED, tree, faults);
    for name in tree.dependencies.keys().filter(|name| tree.ours.contains(*name)) {
        let Some((_, layer, allowed)) = ALLOWED.iter().find(|(row, ..)| row == name) else {
            faults.push(format!(
                "crate {name} has no row in xtask/src/tidy/edges.rs: give it a layer and the crates it may name"
            ));
            continue;
        };
        for dependency in &tree.dependencies[name] {
            if tree.ours.contains(dependency) && !allowed.contains(&dependency.as_str()) {
                faults.push(format!(
                    "crate {name} (layer {layer}) depends on {dependency}, which it may not: move the code to where \
                     both may see it, or say in ARCHITECTURE.md why the edge is right and allow it in \
                     xtask/src/tidy/edges.rs"
                ));
            }
        }
        if *layer < LAYER_OF_HOSTS {
            let reachable = tree.reachable_from(name);
            for forbidden in HOSTS_ONLY.iter().filter(|forbidden| reachable.contains(**forbidden)) {
                faults.push(format!(
                    "crate {name} is below the hosts and yet has {forbidden} in its tree (`cargo tree -p {name} -i \
                     {forbidden}`): sockets and runtimes belong to transport, server and client"
                ));
            }
        }
    }
}

/// Finds crates in the table that are none of ours.
fn check_names(rows: &[(&str, u8, &[&str])], tree: &Tree, faults: &mut Vec<String>) {
    for (row, _, allowed) in rows {
        for name in [row].into_iter().chain(*allowed).filter(|name| !tree.ours.contains(**name)) {
            faults.push(format!(
                "the row of {row} in xtask/src/tidy/edges.rs names {name}, and there is no such crate: take it out"
            ));
        }
    }
}

/// Finds edges in the table that the crate's manifest does not have: each would let one in unseen.
fn check_used(rows: &[(&str, u8, &[&str])], tree: &Tree, faults: &mut Vec<String>) {
    for (row, _, allowed) in rows {
        let Some(declared) = tree.declared.get(*row) else { continue };
        for name in allowed.iter().filter(|name| !declared.contains(**name)) {
            faults.push(format!(
                "the row of {row} in xtask/src/tidy/edges.rs allows {name}, and {row} does not depend on it: take it out"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{ALLOWED, Tree, check_names, check_used};

    #[test]
    fn an_allowed_edge_that_the_manifest_does_not_have_is_reported() {
        let declared = BTreeMap::from([("wire".to_owned(), BTreeSet::from(["mqi".to_owned()]))]);
        let tree = Tree { declared, ..Tree::default() };
        for (allowed, expected) in
            [(&["mqi"][..], None), (&["mqi", "topic"], Some("allows topic")), (&[], None)]
        {
            let mut faults = Vec::new();
            check_used(&[("wire", 1, allowed)], &tree, &mut faults);
            assert_eq!(faults.len(), usize::from(expected.is_some()), "{allowed:?}: {faults:?}");
            assert!(faults.iter().all(|fault| fault.contains(expected.unwrap_or_default())), "{faults:?}");
        }
    }

    #[test]
    fn a_row_for_a_crate_that_does_not_exist_is_reported_and_so_is_an_edge_to_one() {
        let tree = Tree { ours: ["mqi", "wire"].map(str::to_owned).into(), ..Tree::default() };
        for (row, expected) in [
            (("mqi", 0, &[][..]), 0),
            (("wire", 1, &["mqi"]), 0),
            (("wire", 1, &["mqi", "gone"]), 1),
            (("gone", 1, &["mqi"]), 1),
        ] {
            let mut faults = Vec::new();
            check_names(&[row], &tree, &mut faults);
            assert_eq!(faults.len(), expected, "{row:?}: {faults:?}");
        }
    }

    #[test]
    fn allowed_edges_never_point_up() {
        let layer = |name: &str| ALLOWED.iter().find(|(row, ..)| *row == name).map(|(_, layer, _)| *layer);
        for (name, own, allowed) in ALLOWED {
            for dependency in *allowed {
                assert!(layer(dependency).is_some_and(|other| other <= *own), "{name} -> {dependency}");
            }
        }
    }
}
