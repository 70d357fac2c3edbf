//! Two releases beside each other, as `ferry bench compare` kept them among the results.

use super::html::{self, Kind, Table, escape};
use super::minute;
use crate::reports::results::{Comparison, Results};

/// The section; without a comparison it says how one is made.
pub(super) fn html(results: &Results) -> String {
    let heading = "<section>\n<h2>Two builds beside each other</h2>\n";
    if results.comparisons.is_empty() {
        return format!(
            "{heading}<p class=\"nothing\">No comparison is kept among these results: <code>ferry bench compare OLD NEW WORKLOAD --results \
             DIRECTORY</code> makes one, with this directory.</p>\n</section>\n"
        );
    }
    let mut table = Table::new("figures");
    for (heading, kind) in [
        ("point", Kind::Text),
        ("measured", Kind::Text),
        ("compared with", Kind::Text),
        ("compared", Kind::Text),
        ("first", Kind::Number),
        ("second", Kind::Ours),
        ("second ÷ first", Kind::Number),
        ("between", Kind::Text),
        ("turns", Kind::Number),
        ("when", Kind::Text),
    ] {
        table.column(heading, kind);
    }
    for comparison in &results.comparisons {
        table.row(cells(comparison));
    }
    format!(
        "{heading}<p class=\"note\">Each turn runs one build and then the other on the same machine, the other way round in the next; the ratio \
         is the middle of those of the turns, with its bounds. Of a rate more is better, of processor time for each less is.</p>\n{}</section>\n",
        table.html()
    )
}

fn cells(comparison: &Comparison) -> Vec<String> {
    let Comparison { builds, compared, when } = comparison;
    let [first, second] = compared.medians.map(html::measured);
    let range =
        compared.range.map_or_else(|| "one turn".to_owned(), |(low, high)| format!("{low:.3} and {high:.3}"));
    vec![
        format!("<code>{}</code> {}", escape(&compared.workload), escape(&compared.variant)),
        escape(&compared.metric.replace('_', " ")),
        escape(&builds[0].to_string()),
        escape(&builds[1].to_string()),
        first,
        second,
        format!("{:.3}", compared.ratio),
        range,
        compared.turns.to_string(),
        minute(when),
    ]
}
