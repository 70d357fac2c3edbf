//! Every test and scenario that a row of the requirements names must be there, and must be run.

use std::path::Path;

use anyhow::{Context, Result};

use super::promises::attributes_of;
use super::sources::Sources;
use crate::rows;
use crate::rows::shown::Shown;

pub(super) fn check(root: &Path, sources: &Sources, faults: &mut Vec<String>) -> Result<()> {
    let text = std::fs::read_to_string(root.join(rows::FILE)).context(rows::FILE)?;
    let scenarios = scenarios(root)?;
    for row in rows::read(&text)? {
        let of = |what: String| format!("{}: {} {what}", rows::FILE, row.id);
        for command in &row.shown {
            match Shown::parse(command) {
                Err(error) => faults.push(of(error.to_string())),
                Ok(Shown::Tests { program: (package, kind), names }) => faults
                    .extend(names.iter().filter_map(|name| missing(sources, &package, &kind, name)).map(of)),
                Ok(Shown::Scenario(title)) if !scenarios.contains(&title.to_lowercase()) => {
                    faults.push(of(format!("names a scenario that is not there: {title}")));
                }
                Ok(_) => {}
            }
        }
    }
    Ok(())
}

/// Headings and file names of all scenarios, in small letters.
fn scenarios(root: &Path) -> Result<String> {
    let mut all = String::new();
    for entry in std::fs::read_dir(root.join("scenarios"))? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        all.push_str(&path.file_name().unwrap_or_default().to_string_lossy().to_lowercase());
        text.lines().filter(|line| line.starts_with("## ")).for_each(|line| {
            all.push('\n');
            all.push_str(&line.to_lowercase());
        });
        all.push('\n');
    }
    Ok(all)
}

/// The fault of a name that is no test which runs.
fn missing(sources: &Sources, package: &str, kind: &str, name: &str) -> Option<String> {
    let paths = paths(package, kind, name);
    let function = name.rsplit("::").next()?;
    let files = sources.files().iter().filter(|file| paths.contains(&file.path));
    match files.filter_map(|file| attributes_of(&file.text, function)).next() {
        None => Some(format!(
            "names the test {name} of {package}, which is not there: name the one that shows it"
        )),
        Some(attributes) if attributes.contains("#[ignore") => {
            Some(format!("names the test {name} of {package}, which is ignored"))
        }
        Some(_) => None,
    }
}

/// Files that may have the test of a name, its module `tests` beside or inside the file.
fn paths(package: &str, kind: &str, name: &str) -> Vec<String> {
    let folder = if kind == "it" { "tests/it" } else { "src" };
    let mut modules: Vec<&str> = name.split("::").collect();
    modules.pop();
    let of = |modules: &[&str]| {
        let path = format!("crates/{package}/{folder}/{}", modules.join("/"));
        [format!("{path}.rs"), format!("{path}/mod.rs")]
    };
    let mut paths = of(&modules).to_vec();
    if kind != "it" && modules.last() == Some(&"tests") {
        paths.extend(of(&modules[..modules.len() - 1]));
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_test_follows_from_its_name() {
        assert!(paths("cli", "it", "commands::a_b").contains(&"crates/cli/tests/it/commands.rs".to_owned()));
        let of_library = paths("server", "lib", "ini::tests::a_b");
        for file in
            ["crates/server/src/ini/tests.rs", "crates/server/src/ini/mod.rs", "crates/server/src/ini.rs"]
        {
            assert!(of_library.contains(&file.to_owned()), "{file}");
        }
    }
}
