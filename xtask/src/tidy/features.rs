//! Features that exist for tests alone: no build that does not ask for one may have it, and the program
//! offers none.

use super::metadata::Tree;

/// Features for tests. The manifest of its crate describes each.
const TEST_FEATURES: &[&str] = &["loom", "planted", "shuttle"];

/// The package whose binary is shipped.
const SHIPPED: &str = "cli";

pub(super) fn check(tree: &Tree, faults: &mut Vec<String>) {
    for feature in TEST_FEATURES {
        for (name, _) in tree.enabled.iter().filter(|(_, enabled)| enabled.contains(*feature)) {
            faults.push(format!(
                "crate {name} is built with the feature {feature} although nobody asked for it: take it out of \
                 `default` and of the dependencies that name it"
            ));
        }
        if tree.offered.get(SHIPPED).is_some_and(|offered| offered.contains(*feature)) {
            faults.push(format!(
                "crate {SHIPPED} offers the feature {feature}: what is shipped has no test features"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_test_feature_that_is_on_or_offered_is_reported() {
        let row = |name: &str, feature: &str| {
            BTreeMap::from([(name.to_owned(), BTreeSet::from([feature.to_owned()]))])
        };
        for (enabled, offered, faults_expected) in [
            (row("storage", "planted"), BTreeMap::new(), 1),
            (BTreeMap::new(), row("cli", "planted"), 1),
            (row("storage", "std"), row("storage", "planted"), 0),
        ] {
            let tree = Tree { enabled, offered, ..Tree::default() };
            let mut faults = Vec::new();
            check(&tree, &mut faults);
            assert_eq!(faults.len(), faults_expected, "{faults:?}");
        }
    }
}
