//! The list of parts, judged by the schema of its form.

use crate::package::facts::output;
use crate::steps::{self, Verdict};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names a Python with the package `cyclonedx-python-lib[json-validation]`, which has the
/// schemas.
const PYTHON: &str = "FERRY_CYCLONEDX_PYTHON";

/// Judges the file that is its argument, and says by which version.
const PROGRAM: &str = "
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
text = open(sys.argv[1]).read()
version = SchemaVersion.from_version(json.loads(text)['specVersion'])
fault = JsonStrictValidator(version).validate_str(text)
if fault:
    sys.exit(str(fault))
print(version.to_version())
";

pub(super) fn try_it(root: &Path, out: &Path) -> Result<Verdict> {
    let python = std::env::var_os(PYTHON).map_or_else(|| PathBuf::from("python3"), PathBuf::from);
    let has_schemas = || {
        let mut asked = Command::new(&python);
        output(asked.args(["-c", "import cyclonedx.validation.json, jsonschema"])).is_ok()
    };
    if !has_schemas() {
        steps::say_skipped(&format!(
            "the schemas of CycloneDX are not installed (pip install 'cyclonedx-python-lib[json-validation]' into a \
             virtual environment, and {PYTHON}=its bin/python)"
        ));
        return Ok(Verdict::Skipped);
    }
    let judge = |bill: &Path| output(Command::new(&python).args(["-c", PROGRAM]).arg(bill));
    let bill = out.join("prefix/share/sbom.cdx.json");
    let version = judge(&bill).context("the list of parts is not what its schema asks for")?;
    println!("the schema is that of CycloneDX {version}");
    // A judge that passes everything is none.
    let text = std::fs::read_to_string(&bill)?;
    let broken = out.join("broken.cdx.json");
    std::fs::write(&broken, text.replacen("\"type\": \"library\"", "\"type\": \"thing\"", 1))?;
    ensure!(judge(&broken).is_err(), "the schema takes a part of no known type");
    std::fs::remove_file(&broken)?;
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))?.parse::<toml::Table>()?;
    let bill: serde_json::Value = serde_json::from_str(&text)?;
    let parts = bill["components"].as_array().context("the list has no parts")?;
    let locked = lock["package"].as_array().context("Cargo.lock has no packages")?;
    let unknown = parts.iter().find(|part| {
        let is_it = |package: &&toml::Value| {
            package["name"].as_str() == part["name"].as_str()
                && package["version"].as_str() == part["version"].as_str()
        };
        part["purl"].is_string() && !locked.iter().any(|package| is_it(&package))
    });
    ensure!(unknown.is_none(), "a part is not in Cargo.lock: {unknown:?}");
    println!("{} parts", parts.len());
    Ok(Verdict::Ok)
}
