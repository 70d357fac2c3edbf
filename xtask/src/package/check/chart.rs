//! The chart, linted and rendered by helm. No cluster judges it.

use crate::package::facts::output;
use crate::package::making::Packages;
use crate::package::tree;
use crate::steps::{self, Verdict};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names helm where it is not on the path.
const HELM: &str = "FERRY_HELM";

/// Values that switch everything on, with a container that passes figures on.
const ALL: &str = "
queueManager: ORDERS
settings: |
  [health]
  address = \"0.0.0.0:9414\"
  [http]
  address = \"127.0.0.1:9443\"
mqsc:
  10-queues.mqsc: |
    DEFINE QLOCAL(ORDERS) REPLACE
storage: { size: 1Gi, class: fast }
monitoring: { dashboard: true, rules: true, serviceMonitor: true }
extraContainers:
  - name: metrics
    image: proxy
    ports: [{ name: metrics, containerPort: 9444 }]
";

/// Kinds of objects that are rendered with the values of the chart, and more with all of them.
const PLAIN: [&str; 3] = ["ConfigMap", "Service", "StatefulSet"];
const MORE: [&str; 2] = ["PrometheusRule", "ServiceMonitor"];

pub(super) fn try_it(out: &Path, packages: &Packages) -> Result<Verdict> {
    let helm = std::env::var_os(HELM).map_or_else(|| PathBuf::from("helm"), PathBuf::from);
    if output(Command::new(&helm).arg("version")).is_err() {
        steps::say_skipped(&format!(
            "helm is not installed (go install helm.sh/helm/v3/cmd/helm@latest, and {HELM}=its path)"
        ));
        return Ok(Verdict::Skipped);
    }
    let folder = out.join("systems/chart");
    tree::empty(&folder)?;
    let values = folder.join("all.yaml");
    fs::write(&values, ALL)?;
    output(Command::new(&helm).args(["lint", "--strict"]).arg(&packages.chart))?;
    output(Command::new(&helm).args(["lint", "--strict", "--values"]).arg(&values).arg(&packages.chart))?;
    let render = |more: &[&str]| {
        output(Command::new(&helm).args(["template", "shop"]).arg(&packages.chart).args(more))
    };
    let plain = kinds(&render(&[])?);
    ensure!(PLAIN.iter().all(|kind| plain.iter().any(|other| other == kind)), "rendered are {plain:?}");
    ensure!(!MORE.iter().any(|kind| plain.iter().any(|other| other == kind)), "rendered unasked: {plain:?}");
    let all = render(&["--values", values.to_str().context("a path is no text")?])?;
    let kinds = kinds(&all);
    ensure!(MORE.iter().all(|kind| kinds.iter().any(|other| other == kind)), "rendered are {kinds:?}");
    for part in ["value: \"ORDERS\"", "DEFINE QLOCAL(ORDERS) REPLACE", "storageClassName: fast", "- alert: "]
    {
        ensure!(all.contains(part), "{part:?} is not in what is rendered with all values");
    }
    let refused = render(&["--set", "monitoring.serviceMonitor=true"]);
    ensure!(refused.is_err(), "a monitor is rendered that nothing answers");
    println!(
        "{} objects with all values, by {}",
        kinds.len(),
        output(Command::new(&helm).args(["version", "--short"]))?
    );
    steps::say_skipped("installed in a cluster: not shown, there is none here");
    Ok(Verdict::Ok)
}

/// The kinds of the objects of a rendered chart.
fn kinds(rendered: &str) -> Vec<String> {
    rendered.lines().filter_map(|line| line.strip_prefix("kind: ")).map(str::to_owned).collect()
}
