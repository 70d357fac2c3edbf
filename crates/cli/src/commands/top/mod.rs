//! `ferry top`: what moves now, and what lies where.
//!
//! Lives here: asking and writing it as text. `sample` makes rates of counters, `screen` draws on a terminal.

mod sample;
mod screen;

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use clap::Args;
use serde_json::json;

use crate::columns::{self, Column};
use crate::interrupt::Interrupt;
use sample::Sample;
pub(crate) use sample::{QueueRow, Sampler};
use terminal::common::Common;
use terminal::connect;
use terminal::failure::Result;
use terminal::output::{self, Format, harmless};
use terminal::units;

/// Interval and number of samples.
#[derive(Debug, Args)]
pub(crate) struct TopArguments {
    /// Time between two readings
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    interval: Duration,
    /// Print once as text and end
    #[arg(long)]
    once: bool,
    /// Show the queues of the queue manager itself too
    #[arg(short, long)]
    system: bool,
    /// Only queues whose name begins with this prefix
    #[arg(short, long, value_name = "PREFIX", default_value = "", hide_default_value = true)]
    queue: String,
}

/// Rates need two looks; `--once` makes the second this long after the first.
const FIRST_INTERVAL: Duration = Duration::from_millis(200);

/// Shows it until told to end.
pub(crate) fn run(common: &Common, arguments: &TopArguments) -> Result<()> {
    let session = connect::session(common)?;
    let mut sampler = Sampler::new(session, arguments.system, arguments.queue.clone());
    let on_screen = common.output == Format::Table && !arguments.once && io::stdout().is_terminal();
    let interrupt = Interrupt::listen()?;
    if on_screen {
        return screen::run(&mut sampler, arguments.interval, &interrupt);
    }
    sampler.sample()?;
    let mut interval = FIRST_INTERVAL.min(arguments.interval);
    loop {
        sampler.pause(interval, &interrupt)?;
        interval = arguments.interval;
        if interrupt.is_wanted() {
            return Ok(());
        }
        print(common.output, &sampler.sample()?)?;
        if arguments.once {
            return Ok(());
        }
    }
}

fn print(format: Format, sample: &Sample) -> Result<()> {
    if format == Format::Json {
        return Ok(output::print_json(&json!(sample))?);
    }
    let window = output::columns();
    let mut rows: Vec<Vec<String>> = sample.queues.iter().map(cells).collect();
    rows.push(cells(&sample.total()));
    let mut lines = columns::wrapped(&summary(sample), "   ", window);
    lines.extend(columns::fit(&COLUMNS, &rows, window).lines);
    Ok(output::print_line(lines.join("\n"))?)
}

/// Figures of the queue manager.
fn summary(sample: &Sample) -> Vec<String> {
    let mut parts = vec![
        harmless(&sample.queue_manager).into_owned(),
        format!("up {}", units::age(sample.uptime_seconds)),
        units::counted(sample.connections, "connection"),
        format!(
            "log {}/s in {} forces/s",
            units::bytes(sample.log_bytes_per_second as u64),
            sample.forces_per_second as u64
        ),
    ];
    if let Some(microseconds) = sample.force_microseconds {
        parts.push(format!("{microseconds:.0} µs each"));
    }
    parts.push(format!("log free {}", units::bytes(sample.log_bytes_free)));
    parts.push(format!("memory {}", units::bytes(sample.resident_bytes)));
    parts
}

/// The columns; the name is as wide as most are, so that the table does not move.
const COLUMNS: [Column; 9] = [
    Column { heading: "QUEUE", width_min: 20, left_out: 0 },
    Column { heading: "DEPTH", width_min: 7, left_out: 0 },
    Column { heading: "CHANGE/s", width_min: 8, left_out: 4 },
    Column { heading: "PUTS/s", width_min: 7, left_out: 1 },
    Column { heading: "GETS/s", width_min: 7, left_out: 2 },
    Column { heading: "UNCOMMITTED", width_min: 11, left_out: 6 },
    Column { heading: "GETTERS", width_min: 7, left_out: 5 },
    Column { heading: "PUTTERS", width_min: 7, left_out: 7 },
    Column { heading: "OLDEST", width_min: 6, left_out: 3 },
];

fn cells(queue: &QueueRow) -> Vec<String> {
    vec![
        harmless(&queue.name).into_owned(),
        units::count(queue.depth),
        format!("{:+.0}", queue.change_per_second),
        units::count(queue.puts_per_second.round() as u64),
        units::count(queue.gets_per_second.round() as u64),
        units::count(queue.uncommitted),
        queue.getters.to_string(),
        queue.putters.to_string(),
        queue.oldest_seconds.map_or_else(String::new, units::age),
    ]
}
