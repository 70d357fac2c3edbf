//! Differences of published figures: the descriptions that are not the same for all.

use std::collections::BTreeSet;

use crate::reports::published::Figure;

/// Differences among these figures: columns, and parts of the variant, that are not the same in all.
pub(super) struct Varying {
    pub(super) columns: Vec<&'static str>,
    /// Parts of the variant that all have.
    common: BTreeSet<String>,
}

/// Columns that can tell figures apart, and their headings.
pub(super) const COLUMNS: &[(&str, &str)] =
    &[("mode", "mode"), ("size_bytes", "bytes"), ("clients", "clients"), ("threads", "threads")];

fn parts(figure: &Figure) -> BTreeSet<String> {
    figure.variant.split(';').map(str::trim).filter(|part| !part.is_empty()).map(ToOwned::to_owned).collect()
}

fn common(figures: &[&Figure]) -> BTreeSet<String> {
    let mut sets = figures.iter().map(|figure| parts(figure));
    let first = sets.next().unwrap_or_default();
    sets.fold(first, |common, set| common.intersection(&set).cloned().collect())
}

impl Varying {
    /// Of these.
    pub(super) fn of(figures: &[&Figure]) -> Self {
        let values = |column: &str| -> BTreeSet<String> {
            figures.iter().filter_map(|figure| figure.column(column).ok()).map(ToOwned::to_owned).collect()
        };
        let columns = COLUMNS.iter().map(|(name, _)| *name).filter(|name| values(name).len() > 1).collect();
        Self { columns, common: common(figures) }
    }

    /// By the columns of all, and the parts of the variant of some of them.
    pub(super) fn of_parts(all: &[&Figure], some: &[&Figure]) -> Self {
        Self { common: common(some), ..Self::of(all) }
    }

    /// Returns the part of its variant that is a figure's own.
    pub(super) fn variant(&self, figure: &Figure) -> String {
        let own: Vec<String> = parts(figure).difference(&self.common).map(|part| words(part)).collect();
        own.join(", ")
    }

    /// Describes a figure by its differences from others of its product on a chart along `x`.
    pub(super) fn told(&self, figure: &Figure, x: &str) -> Vec<String> {
        let along = match x {
            "bytes" => &["size_bytes"][..],
            "requesters" => &["clients", "threads"],
            other => &[other],
        };
        let columns = self.columns.iter().filter(|name| !along.contains(name) && **name != "clients");
        let mut told: Vec<String> = columns
            .filter_map(|name| Some((name, figure.column(name).ok().filter(|value| !value.is_empty())?)))
            .map(|(name, value)| match *name {
                "size_bytes" => format!("{value} bytes"),
                "threads" => format!("{value} thread(s)"),
                _ => value.to_owned(),
            })
            .collect();
        let own = parts(figure);
        let own = own.difference(&self.common).filter(|part| !part.starts_with("preloaded"));
        told.extend(own.map(|part| words(part)));
        told
    }
}

/// A part of a variant as words.
fn words(part: &str) -> String {
    match part.split_once('=') {
        Some(("op", "send")) => "sent".to_owned(),
        Some(("op", "receive")) => "received".to_owned(),
        Some(("msgs_per_txn", count)) => format!("{count} a transaction"),
        Some((name, value)) => format!("{} {value}", name.replace('_', " ")),
        None => part.to_owned(),
    }
}
