//! Tables of figures that fit the window, and tables of words.
//!
//! Lives here: the widths of columns, and those that are left out. Lives elsewhere: the width of the window
//! (`terminal::output`), the figures (`commands`).
//!
//! Always: the first column, which has names, is never left out and never cut; a name that is wider than its
//! column moves its row to the right.

/// Blanks between two columns.
const GAP: usize = 2;

/// A column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// Fewest characters, so that the table does not move as figures grow.
    pub(crate) width_min: usize,
    /// The column with the highest number is left out first; one of zero stays.
    pub(crate) left_out: u8,
}

/// A table that fits.
#[derive(Debug)]
pub(crate) struct Fitted {
    /// The heading, and a line for each row.
    pub(crate) lines: Vec<String>,
    /// Headings of the columns that are left out.
    pub(crate) left_out: Vec<&'static str>,
}

/// Lays a table out for a window. The first column stands to the left, all others to the right.
pub(crate) fn fit(columns: &[Column], rows: &[Vec<String>], window: usize) -> Fitted {
    let width_of = |place: usize, column: &Column| {
        let cells = rows.iter().map(|row| letters(&row[place]));
        cells.chain([letters(column.heading), column.width_min]).max().unwrap_or(0)
    };
    let widths: Vec<usize> =
        columns.iter().enumerate().map(|(place, column)| width_of(place, column)).collect();
    let mut shown: Vec<usize> = (0..columns.len()).collect();
    let width = |shown: &[usize]| {
        shown.iter().map(|place| widths[*place]).sum::<usize>() + GAP * shown.len().saturating_sub(1)
    };
    while width(&shown) > window {
        let last = shown.iter().copied().filter(|place| columns[*place].left_out > 0);
        let Some(last) = last.max_by_key(|place| columns[*place].left_out) else { break };
        shown.retain(|place| *place != last);
    }
    let line = |cell: &dyn Fn(usize) -> String| {
        let cells = shown.iter().map(|place| {
            let (text, width) = (cell(*place), widths[*place]);
            if *place == 0 { format!("{text:width$}") } else { format!("{text:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let heading = line(&|place| columns[place].heading.to_owned());
    let lines = rows.iter().map(|row| line(&|place| row[place].clone()));
    Fitted {
        lines: std::iter::once(heading).chain(lines).collect(),
        left_out: (0..columns.len())
            .filter(|place| !shown.contains(place))
            .map(|place| columns[place].heading)
            .collect(),
    }
}

/// A line for each row of words; all columns stand to the left. Colours take no room.
pub(crate) fn of_words<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let widths: [usize; N] =
        std::array::from_fn(|place| rows.iter().map(|row| letters(&row[place])).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| {
            let blanks = width - letters(cell);
            format!("{cell}{:blanks$}", "")
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The letters of a line, without its colours.
pub(crate) fn letters(line: &str) -> usize {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or_default().chars().count();
    first + parts.filter_map(|part| Some(part.split_once('m')?.1.chars().count())).sum::<usize>()
}

/// The parts of a line, in as many lines as the window wants.
pub(crate) fn wrapped(parts: &[String], between: &str, window: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + between.chars().count() + part.chars().count() <= window => {
                line.push_str(between);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_window_leaves_columns_out_and_no_name() {
        let columns = [("QUEUE", 0), ("DEPTH", 0), ("PUTS/s", 1), ("GETTERS", 2)]
            .map(|(heading, left_out)| Column { heading, width_min: 0, left_out });
        let rows = [vec!["ORDERS".to_owned(), "1".to_owned(), "20".to_owned(), "3".to_owned()]];
        for (window, heading, left_out) in [
            (usize::MAX, "QUEUE   DEPTH  PUTS/s  GETTERS", &[][..]),
            (30, "QUEUE   DEPTH  PUTS/s  GETTERS", &[]),
            (29, "QUEUE   DEPTH  PUTS/s", &["GETTERS"]),
            (20, "QUEUE   DEPTH", &["PUTS/s", "GETTERS"]),
            (0, "QUEUE   DEPTH", &["PUTS/s", "GETTERS"]),
        ] {
            let fitted = fit(&columns, &rows, window);
            assert_eq!((fitted.lines[0].as_str(), &fitted.left_out[..]), (heading, left_out), "{window}");
            assert!(fitted.lines[1].starts_with("ORDERS"), "{fitted:?}");
        }
        assert_eq!(fit(&columns, &[], 80).lines, ["QUEUE  DEPTH  PUTS/s  GETTERS"]);
    }

    #[test]
    fn colours_take_no_room_in_a_table_of_words() {
        assert_eq!((letters("QM1  \x1b[32mrunning\x1b[0m  1"), letters(""), letters("a")), (15, 0, 1));
        let rows = [["NAME", "STATE", "PROCESS"], ["QM1", "\x1b[32mrunning\x1b[0m", "7"], ["Q", "ended", ""]];
        let lines = of_words(&rows.map(|row| row.map(str::to_owned)));
        assert_eq!(lines, ["NAME  STATE    PROCESS", "QM1   \x1b[32mrunning\x1b[0m  7", "Q     ended"]);
    }

    #[test]
    fn parts_of_a_line_wrap_whole() {
        let parts = ["QM1", "up 1 s", "log free 1 MiB"].map(str::to_owned);
        assert_eq!(wrapped(&parts, "   ", usize::MAX), ["QM1   up 1 s   log free 1 MiB"]);
        assert_eq!(wrapped(&parts, "   ", 14), ["QM1   up 1 s", "log free 1 MiB"]);
        assert_eq!(wrapped(&parts, "   ", 1), ["QM1", "up 1 s", "log free 1 MiB"]);
        assert!(wrapped(&[], "   ", 10).is_empty());
    }
}
