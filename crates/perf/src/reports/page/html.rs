//! Pieces of HTML: text made safe, numbers, tables.

use std::fmt::Write as _;

/// Text as it stands between tags and in attributes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A measured number: three significant digits at least, no more behind the point than they need.
pub(super) fn measured(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 || size == 0.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    crate::report::number(value, digits)
}

/// A number with the digits that it was printed with.
pub(super) fn printed(value: f64) -> String {
    let text = value.to_string();
    let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    crate::report::number(value, digits)
}

/// A unit as people write it: the reports write µs without their letter.
pub(super) fn unit(printed: &str) -> &str {
    if printed == "us" { "µs" } else { printed }
}

/// Writes a ratio.
pub(super) fn ratio(value: f64) -> String {
    format!("× {}", measured(value))
}

/// A table; cells are HTML.
#[derive(Debug, Default)]
pub(super) struct Table {
    class: &'static str,
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<String>>,
}

/// The setting of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Number,
    /// Numbers that the reader came for.
    Ours,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Ours => "number ours",
        }
    }
}

impl Table {
    pub(super) fn new(class: &'static str) -> Self {
        Self { class, ..Self::default() }
    }

    pub(super) fn column(&mut self, heading: &str, kind: Kind) {
        self.columns.push((escape(heading), kind));
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "a cell for each column");
        self.rows.push(cells);
    }

    pub(super) fn html(&self) -> String {
        let mut html = format!("<div class=\"wide\"><table class=\"{}\">\n<thead><tr>", self.class);
        // Writing to a String does not fail.
        for (heading, kind) in &self.columns {
            let _ = write!(html, "<th class=\"{}\">{heading}</th>", kind.class());
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            html.push_str("<tr>");
            for (cell, (_, kind)) in row.iter().zip(&self.columns) {
                let _ = write!(html, "<td class=\"{}\">{cell}</td>", kind.class());
            }
            html.push_str("</tr>\n");
        }
        html.push_str("</tbody></table></div>\n");
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_what_they_say() {
        assert_eq!([1234.5, 45.67, 1.234, 0.01234].map(measured), ["1,234", "45.7", "1.23", "0.012"]);
        assert_eq!([300_110.0, 47.9, 89.68].map(printed), ["300,110", "47.9", "89.68"]);
    }

    #[test]
    fn text_cannot_become_tags() {
        assert_eq!(escape("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    }
}
