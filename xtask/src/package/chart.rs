//! The Helm chart, as an archive that `helm install` takes.

use super::facts::{Facts, say};
use super::tree::{self, Tree};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The version that the chart has in the tree, which that of the release replaces.
const VERSION: &str = "0.0.0";

/// Packs it; where it is.
pub(super) fn make(root: &Path, out: &Path, facts: &Facts) -> Result<PathBuf> {
    let chart = root.join("packaging/helm/ferrymq");
    let tree = Tree::at(out.join("trees/chart"))?;
    tree.copies(&chart.join("templates"), "ferrymq/templates", 0o644)?;
    tree.copy(&chart.join("values.yaml"), "ferrymq/values.yaml", 0o644)?;
    let description = fs::read_to_string(chart.join("Chart.yaml")).context("cannot read Chart.yaml")?;
    let description = description.replace(VERSION, &facts.version);
    tree.file("ferrymq/Chart.yaml", description, 0o644)?;
    // One copy in the tree of dashboards and rules, and one in the chart.
    tree.copies(&root.join("packaging/monitoring"), "ferrymq/monitoring", 0o644)?;
    let path = out.join(format!("ferrymq-chart-{}.tar", facts.version));
    say(&format!("packing {}.gz", path.display()));
    tree::archive(tree.path(), "ferrymq", &path, facts.time)?;
    tree::compress(&path)
}
