//! `ferry queues`: the queues of a queue manager in one table, sorted and filtered.
//!
//! Lives elsewhere: what is asked, and the rates between two looks (`top`).

use std::cmp::Reverse;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::{Args, ValueEnum};
use mqi::pattern;

use super::top::{QueueRow, Sampler};
use crate::columns::{self, Column, Fitted};
use crate::interrupt::Interrupt;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, harmless};
use terminal::units;

/// The queues to show, and their order.
#[derive(Debug, Args)]
pub(crate) struct QueuesArguments {
    /// Only queues of this name; * at the end stands for any characters: ORD*
    #[arg(value_name = "NAME", default_value = "*", hide_default_value = true)]
    name: String,
    /// Only queues that meet this condition of MQSC: "CURDEPTH GT 0", "UNCOM GT 0", "IPPROCS EQ 0"
    #[arg(short, long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// The order
    #[arg(short, long, value_enum, default_value_t = Order::Name, value_name = "COLUMN", hide_default_value = true)]
    sort: Order,
    /// Show the queues of the queue manager itself too
    #[arg(long)]
    system: bool,
    /// Time over which rates are measured (0 measures none)
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "500ms")]
    over: Duration,
}

/// A column to sort by: names rise, everything else falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// The name.
    Name,
    /// Messages on the queue.
    Depth,
    /// The age of the oldest message.
    Oldest,
    /// Messages put a second.
    Puts,
    /// Messages got a second.
    Gets,
    /// Messages in units of work that have not ended.
    Uncommitted,
}

/// Longest time to measure: a table is waited for.
const OVER_MAX: Duration = Duration::from_secs(60);

/// Prints the table.
pub(crate) fn run(common: &Common, arguments: &QueuesArguments) -> Result<()> {
    let name = arguments.name.to_ascii_uppercase();
    let is_exact = !arguments.name.contains('*');
    // The name as typed first: small letters are letters of names.
    let wanted = |queue: &str| pattern::matches(&arguments.name, queue) || pattern::matches(&name, queue);
    let shows_system = arguments.system || name.starts_with("SYSTEM.");
    let mut sampler = Sampler::new(connect::session(common)?, shows_system, String::new());
    if let Some(condition) = &arguments.condition {
        sampler = sampler.only(condition)?;
    }
    let mut sample = sampler.sample()?;
    if !arguments.over.is_zero() {
        sampler.pause(arguments.over.min(OVER_MAX), &Interrupt::listen()?)?;
        sample = sampler.sample()?;
    }
    let mut queues = sample.queues;
    queues.retain(|queue| wanted(&queue.name));
    if queues.is_empty() && is_exact && arguments.condition.is_none() {
        return Err(Failure::new(Exit::NotFound, format!("{} has no queue {}", sample.queue_manager, arguments.name))
            .next(NextStep::of("ferry queues lists the queues there are; ferry mqsc -e \"DISPLAY QUEUE(*)\" remote and alias queues too")));
    }
    sort(&mut queues, arguments.sort);
    let mut output = output::standard();
    match common.output {
        Format::Json => {
            for queue in &queues {
                output::json_line(&mut output, queue)?;
            }
        }
        Format::Table if queues.is_empty() => output::say("no queue is like that"),
        Format::Table => {
            let paint = Paint::for_stream(io::stdout().is_terminal());
            let Fitted { lines, left_out } = table(&queues, paint, output::columns());
            for line in lines {
                writeln!(output, "{line}")?;
            }
            output.flush()?;
            if !left_out.is_empty() {
                let parts = [format!("not shown: {}", left_out.join(", ")), "-o json has all".to_owned()];
                columns::wrapped(&parts, "; ", output::columns()).into_iter().for_each(output::say);
            }
        }
    }
    Ok(output.flush()?)
}

fn sort(queues: &mut [QueueRow], order: Order) {
    queues.sort_by(|left, right| left.name.cmp(&right.name));
    match order {
        Order::Name => {}
        Order::Depth => queues.sort_by_key(|queue| Reverse(queue.depth)),
        Order::Oldest => queues.sort_by_key(|queue| Reverse(queue.oldest_seconds)),
        Order::Puts => queues.sort_by(|left, right| right.puts_per_second.total_cmp(&left.puts_per_second)),
        Order::Gets => queues.sort_by(|left, right| right.gets_per_second.total_cmp(&left.gets_per_second)),
        Order::Uncommitted => queues.sort_by_key(|queue| Reverse(queue.uncommitted)),
    }
}

/// The columns; a person looks for depth and age first.
const COLUMNS: [Column; 8] = [
    Column { heading: "QUEUE", width_min: 0, left_out: 0 },
    Column { heading: "DEPTH", width_min: 0, left_out: 0 },
    Column { heading: "OLDEST", width_min: 0, left_out: 1 },
    Column { heading: "PUTS/s", width_min: 0, left_out: 2 },
    Column { heading: "GETS/s", width_min: 0, left_out: 3 },
    Column { heading: "GETTERS", width_min: 0, left_out: 4 },
    Column { heading: "PUTTERS", width_min: 0, left_out: 6 },
    Column { heading: "UNCOMMITTED", width_min: 0, left_out: 5 },
];

fn table(queues: &[QueueRow], paint: Paint, window: usize) -> Fitted {
    let row = |queue: &QueueRow| {
        vec![
            harmless(&queue.name).into_owned(),
            units::count(queue.depth),
            queue.oldest_seconds.map_or_else(|| "-".to_owned(), units::age),
            units::count(queue.puts_per_second.round() as u64),
            units::count(queue.gets_per_second.round() as u64),
            queue.getters.to_string(),
            queue.putters.to_string(),
            units::count(queue.uncommitted),
        ]
    };
    let rows: Vec<Vec<String>> = queues.iter().map(row).collect();
    let mut fitted = columns::fit(&COLUMNS, &rows, window);
    fitted.lines[0] = paint.dim(&fitted.lines[0]);
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(name: &str, depth: u64, oldest_seconds: Option<u64>) -> QueueRow {
        QueueRow { name: name.to_owned(), depth, oldest_seconds, ..QueueRow::default() }
    }

    #[test]
    fn names_rise_and_figures_fall() {
        let queues = || vec![queue("B", 1, None), queue("A", 1, Some(3)), queue("C", 5, Some(2))];
        for (order, expected) in
            [(Order::Name, "ABC"), (Order::Depth, "CAB"), (Order::Oldest, "ACB"), (Order::Puts, "ABC")]
        {
            let mut queues = queues();
            sort(&mut queues, order);
            let names: String = queues.iter().map(|queue| queue.name.as_str()).collect();
            assert_eq!(names, expected, "{order:?}");
        }
    }

    #[test]
    fn a_table_of_common_names_fits_60_columns() {
        let shown = table(&[queue("DEV.QUEUE.1", 81_204, Some(41))], Paint::PLAIN, 60);
        assert!(shown.lines.iter().all(|line| line.chars().count() <= 60), "{shown:?}");
        assert!(
            shown.lines[0].contains("GETS/s") && shown.left_out == ["PUTTERS", "UNCOMMITTED"],
            "{shown:?}"
        );
    }

    #[test]
    fn a_table_has_a_column_for_each_figure() {
        let queues = [queue("ORDERS", 81_204, Some(41)), queue("A\x1b[2J", 0, None)];
        let shown = table(&queues, Paint::PLAIN, usize::MAX);
        insta::assert_snapshot!(shown.lines.join("\n"), @r"
        QUEUE        DEPTH  OLDEST  PUTS/s  GETS/s  GETTERS  PUTTERS  UNCOMMITTED
        ORDERS      81,204    41 s       0       0        0        0            0
        A\u{1b}[2J       0       -       0       0        0        0            0
        ");
    }
}
