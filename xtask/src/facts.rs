//! Reading the fact tables of the crates (`crates/mqi/facts`, `crates/security/facts`).
//!
//! Lives here: a small CSV reader, and the row of the constants.
//! Lives elsewhere: the rows of structures, functions and types (`headers::interface`), what is made of the
//! rows (`constants`, `reasons`, `headers`, `security`).

use anyhow::{Context, Result, anyhow};
use std::collections::BTreeSet;
use std::path::Path;

/// One constant: its name, its value as written in the table, the header group and the type it has in C.
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Beginning of its name.
    pub(crate) group: String,
    pub(crate) c_type: String,
    pub(crate) header: String,
}

/// Reads every constant, in the order of the table.
pub(crate) fn constants(root: &Path) -> Result<Vec<Constant>> {
    let rows = rows(root, "mqi_constants")?;
    let constant =
        |[name, value, group, c_type, header]: [String; 5]| Constant { name, value, group, c_type, header };
    Ok(rows.into_iter().map(constant).collect())
}

/// The names that are told of numbers with several.
pub(crate) fn preferred_names(root: &Path) -> Result<BTreeSet<String>> {
    let rows = rows(root, "mqi_preferred_names")?;
    Ok(rows.into_iter().map(|[name]| name).collect())
}

/// Functions that tell the names of a part of a group: the function, and one name that it tells.
pub(crate) fn name_functions(root: &Path) -> Result<Vec<[String; 2]>> {
    rows(root, "mqi_name_functions")
}

/// The rows of a table of the interface, without the one that names its columns.
pub(crate) fn rows<const COLUMNS: usize>(root: &Path, table: &str) -> Result<Vec<[String; COLUMNS]>> {
    rows_of(root, "mqi", table)
}

/// The rows of a table in the facts of a crate, without the one that names its columns.
pub(crate) fn rows_of<const COLUMNS: usize>(
    root: &Path,
    crate_name: &str,
    table: &str,
) -> Result<Vec<[String; COLUMNS]>> {
    let path = root.join(format!("crates/{crate_name}/facts/{table}.csv"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let row = <[String; COLUMNS]>::try_from(csv_fields(line)).map_err(|fields| {
            anyhow!("{}:{}: expected {COLUMNS} fields, found {}", path.display(), number + 1, fields.len())
        })?;
        rows.push(row);
    }
    Ok(rows)
}

/// Splits one line of a CSV table; a field in quotes may hold commas, and a doubled quote stands for one.
fn csv_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let last = fields.len() - 1;
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields[last].push(other),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::csv_fields;

    #[test]
    fn a_quoted_field_keeps_commas_and_doubled_quotes() {
        assert_eq!(csv_fields(r#"a,"b,c","d ""e""",  "#), ["a", "b,c", r#"d "e""#, "  "]);
    }
}
