//! The bill of materials: every crate in the program, in the form of CycloneDX.

use super::facts::{Facts, output};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The programs that a package has.
const PROGRAMS: [&str; 3] = ["cli", "ferry-bench", "capi"];

/// The bill of what is built for the target; the same for the same lock file and commit.
pub(super) fn of(root: &Path, facts: &Facts) -> Result<String> {
    let mut metadata = Command::new("cargo");
    metadata.current_dir(root).args(["metadata", "--locked", "--format-version", "1"]);
    let metadata: Value =
        serde_json::from_str(&output(metadata.args(["--filter-platform", facts.target.triple]))?)?;
    let time = facts.date("--iso-8601=seconds")?.replace("+00:00", "Z");
    let bill = bill(&metadata, &facts.version, &facts.commit, &time)?;
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

/// A package as `cargo metadata` tells of it, and the packages that it is built with.
struct BillEntry<'a> {
    package: &'a Value,
    needs: BTreeSet<&'a str>,
}

fn bill(metadata: &Value, version: &str, commit: &str, time: &str) -> Result<Value> {
    let array = |value: &'_ Value| value.as_array().cloned().context("cargo metadata changed its form");
    let mut parts: BTreeMap<&str, BillEntry<'_>> = BTreeMap::new();
    for package in metadata["packages"].as_array().context("cargo metadata names no packages")? {
        let id = package["id"].as_str().context("a package has no identifier")?;
        parts.insert(id, BillEntry { package, needs: BTreeSet::new() });
    }
    for node in metadata["resolve"]["nodes"].as_array().context("cargo metadata resolves nothing")? {
        let Some(part) = node["id"].as_str().and_then(|id| parts.get_mut(id)) else { continue };
        let needed = node["deps"].as_array().into_iter().flatten().filter(|dependency| is_normal(dependency));
        part.needs.extend(needed.filter_map(|dependency| dependency["pkg"].as_str()));
    }
    let members = array(&metadata["workspace_members"])?;
    let is_ours = |id: &str| members.iter().any(|member| member == id);
    let is_program = |id: &&str| {
        is_ours(id)
            && parts.get(id).is_some_and(|part| PROGRAMS.iter().any(|name| part.package["name"] == *name))
    };
    let mut waiting: Vec<&str> = parts.keys().copied().filter(is_program).collect();
    let mut reached: BTreeSet<&str> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        waiting.extend(parts[id].needs.iter().filter(|needed| reached.insert(needed)));
    }
    let reference = |id: &str| {
        let package = parts[id].package;
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        format!("pkg:cargo/{}@{}", text("name"), text("version"))
    };
    let component = |id: &&str| {
        let package = parts[id].package;
        let mut component = json!({
            "type": "library", "bom-ref": reference(id), "purl": reference(id),
            "name": package["name"], "version": package["version"],
        });
        if let Some(licence) = package["license"].as_str() {
            // Some still write the form that came before "OR".
            component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        component
    };
    let mut components: Vec<Value> = reached.iter().map(component).collect();
    components.push(json!({
        "type": "library", "bom-ref": "glibc", "name": "glibc",
        "description": "The GNU C library, linked statically into the programs",
        "licenses": [{ "expression": "LGPL-2.1-or-later" }],
    }));
    let dependencies = reached.iter().map(|id| {
        let needs: BTreeSet<String> = parts[id].needs.iter().map(|needed| reference(needed)).collect();
        json!({ "ref": reference(id), "dependsOn": needs })
    });
    Ok(json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": time,
            "component": {
                "type": "application", "bom-ref": "ferrymq", "name": "FerryMQ", "version": version,
                "licenses": [{ "expression": "Apache-2.0" }],
                "properties": [{ "name": "ferrymq:commit", "value": commit }],
            },
        },
        "components": components, "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

/// Dependencies of tests and of builds have a kind; those that are in the program have none.
fn is_normal(dependency: &Value) -> bool {
    dependency["dep_kinds"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_has_the_crates_that_are_in_the_program_and_no_others() {
        let package =
            |name: &str| json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0" });
        let packages = ["cli", "wire", "bytes", "tempfile", "xtask", "toml"].map(package);
        let dependency = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": packages,
            "workspace_members": ["cli", "wire", "xtask"],
            "resolve": { "nodes": [
                { "id": "cli", "deps": [dependency("wire", Value::Null), dependency("tempfile", "dev".into())] },
                { "id": "wire", "deps": [dependency("bytes", Value::Null)] },
                { "id": "xtask", "deps": [dependency("toml", Value::Null)] },
            ] },
        });
        let bill = bill(&metadata, "0.1.0", "abc", "2026-01-01T00:00:00Z").unwrap();
        let names = bill["components"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["bytes", "cli", "wire", "glibc"]);
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        let needs = &bill["dependencies"][1];
        assert_eq!(needs, &json!({ "ref": "pkg:cargo/cli@1.0.0", "dependsOn": ["pkg:cargo/wire@1.0.0"] }));
    }
}
