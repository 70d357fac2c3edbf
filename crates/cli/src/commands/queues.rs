//! `ferry queues`: the queues of a queue manager in one table, sorted and filtered.
//!
//! Lives elsewhere: what is asked, and the rates between two looks (`top`).

use std::cmp::Reverse;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::{Args, ValueEnum};
use mqi::pattern;

use super::top::{QueueRow, Sampler};
use crate::interrupt::Interrupt;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, harmless};
use terminal::units;

/// The queues to show, and their order.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
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
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
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
            for line in table(&queues, paint) {
                writeln!(output, "{line}")?;
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

/// Widest column of names; a longer name moves its row to the right.
const NAME_WIDTH_MAX: usize = 48;

fn table(queues: &[QueueRow], paint: Paint) -> Vec<String> {
    let names: Vec<_> = queues.iter().map(|queue| harmless(&queue.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(5, NAME_WIDTH_MAX);
    let heading = format!(
        "{:width$}  {:>10}  {:>6}  {:>8}  {:>8}  {:>7}  {:>7}  {:>11}",
        "QUEUE", "DEPTH", "OLDEST", "PUTS/s", "GETS/s", "GETTERS", "PUTTERS", "UNCOMMITTED"
    );
    let row = |(queue, name): (&QueueRow, &std::borrow::Cow<'_, str>)| {
        format!(
            "{name:width$}  {:>10}  {:>6}  {:>8}  {:>8}  {:>7}  {:>7}  {:>11}",
            units::count(queue.depth),
            queue.oldest_seconds.map_or_else(|| "-".to_owned(), units::age),
            units::count(queue.puts_per_second.round() as u64),
            units::count(queue.gets_per_second.round() as u64),
            queue.getters,
            queue.putters,
            units::count(queue.uncommitted),
        )
    };
    std::iter::once(paint.dim(heading)).chain(queues.iter().zip(&names).map(row)).collect()
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
    fn a_table_has_a_column_for_each_figure() {
        let shown = table(&[queue("ORDERS", 81_204, Some(41)), queue("A\x1b[2J", 0, None)], Paint::PLAIN);
        insta::assert_snapshot!(shown.join("\n"), @r"
        QUEUE            DEPTH  OLDEST    PUTS/s    GETS/s  GETTERS  PUTTERS  UNCOMMITTED
        ORDERS          81,204    41 s         0         0        0        0            0
        A\u{1b}[2J           0       -         0         0        0        0            0
        ");
    }
}
