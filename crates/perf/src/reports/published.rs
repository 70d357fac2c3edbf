//! Printed figures of the five reports, as carried in `perf/published`.

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;

macro_rules! carried {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../perf/published/", $name, ".csv")))),*]
    };
}

/// Name and text of every file of figures.
pub(super) const FILES: &[(&str, &str)] = carried![
    "S1-F2-F5",
    "S1-F7-F8",
    "S1-T4",
    "S1-T5",
    "S1-T6",
    "S2-T1",
    "S2-T10",
    "S2-T11",
    "S2-T12",
    "S2-T3",
    "S2-T4",
    "S2-T5",
    "S2-T7",
    "S2-T8",
    "S2-T9",
    "S2-figures",
    "S2-s6.3",
    "S3-C15",
    "S3-C23",
    "S3-C6",
    "S3-text",
    "S4-NT4-T1",
    "S4-NT4-T10",
    "S4-NT4-T2",
    "S4-NT4-T3",
    "S4-NT4-T4",
    "S4-NT4-T5",
    "S4-NT4-T6",
    "S4-NT4-T7",
    "S4-NT4-T8",
    "S4-NT4-T9",
    "S4-W2K-T1",
    "S4-W2K-T10",
    "S4-W2K-T2",
    "S4-W2K-T3",
    "S4-W2K-T4",
    "S4-W2K-T5",
    "S4-W2K-T6",
    "S4-W2K-T7",
    "S4-W2K-T8",
    "S4-W2K-T9",
    "S5-T1",
    "S5-T2",
];

const INDEX: &str = include_str!("../../../../perf/published/index.csv");
const SHAPES: &str = include_str!("../../../../perf/published/shapes.csv");

/// A figure as it is printed.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Figure {
    pub(super) table: String,
    pub(super) system: String,
    pub(super) version: String,
    pub(super) mode: String,
    /// Other differences of two figures: words, or pairs of name and value, with semicolons between.
    pub(super) variant: String,
    pub(super) size_bytes: String,
    pub(super) clients: String,
    pub(super) threads: String,
    pub(super) metric: String,
    /// None where words stand in its place.
    #[serde(deserialize_with = "csv::invalid_option")]
    pub(super) value: Option<f64>,
    pub(super) unit: String,
    pub(super) kind: String,
    pub(super) trust: String,
    pub(super) note: String,
}

/// A table or chart of a report.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Item {
    pub(super) report: String,
    pub(super) item: String,
    pub(super) title: String,
    #[cfg(test)]
    pub(super) file: String,
    #[cfg(test)]
    pub(super) status: String,
}

/// The expected form of a curve.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Shape {
    pub(super) id: String,
    pub(super) report: String,
    pub(super) item: String,
    pub(super) claim: String,
    #[serde(rename = "how_to_test")]
    pub(super) test: String,
}

/// The figures of a file.
pub(super) fn figures(file: &str) -> Result<Vec<Figure>> {
    let (_, text) = FILES
        .iter()
        .find(|(name, _)| *name == file)
        .with_context(|| format!("there is no perf/published/{file}.csv"))?;
    rows(file, text)
}

/// Every table and chart of the reports.
pub(super) fn items() -> Result<Vec<Item>> {
    rows("index", INDEX)
}

/// Every shape.
pub(super) fn shapes() -> Result<Vec<Shape>> {
    rows("shapes", SHAPES)
}

fn rows<T: DeserializeOwned>(file: &str, text: &str) -> Result<Vec<T>> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .with_context(|| format!("perf/published/{file}.csv"))
}

impl Figure {
    /// The text of a column.
    pub(super) fn column(&self, name: &str) -> Result<&str> {
        if let Some(name) = name.strip_prefix("variant:") {
            let pairs = self.variant.split(';').filter_map(|part| part.split_once('='));
            return Ok(pairs.clone().find(|(key, _)| *key == name).map_or("", |(_, value)| value));
        }
        Ok(match name {
            "system" => &self.system,
            "mode" => &self.mode,
            "variant" => &self.variant,
            "size_bytes" => &self.size_bytes,
            "clients" => &self.clients,
            "threads" => &self.threads,
            "metric" => &self.metric,
            _ => anyhow::bail!("a published figure has no column {name}"),
        })
    }

    /// Names the measured product as a heading: the product and its version.
    pub(super) fn product(&self) -> String {
        format!("{} {}", self.system, self.version).trim().to_owned()
    }
}

/// The name in the index of what is called `T1`, `F2`, `C6`, `W2K-T5` or `s6.3` for short.
pub(super) fn item_name(short: &str) -> String {
    let (edition, rest) = match short.split_once('-') {
        Some(("W2K", rest)) => ("Windows 2000 ", rest),
        Some(("NT4", rest)) => ("Windows NT 4.0 ", rest),
        _ => ("", short),
    };
    let (kind, number) = rest.split_at(1);
    match kind {
        "T" => format!("{edition}Table {number}"),
        "F" => format!("{edition}Figure {number}"),
        "C" => format!("{edition}Chart {number}"),
        _ => format!("{edition}Section {number} tables (3, unnumbered)"),
    }
}
