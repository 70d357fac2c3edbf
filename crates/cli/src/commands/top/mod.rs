//! `ferry top`: what moves now, and what lies where.
//!
//! Lives here: asking and writing it as text. `sample` makes rates of counters, `screen` draws on a terminal.

mod sample;
mod screen;

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use clap::Args;
use serde_json::json;

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
pub(crate) struct Arguments {
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
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
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
    let mut lines = vec![summary(sample), HEADING.to_owned()];
    lines.extend(sample.queues.iter().map(row));
    lines.push(row(&sample.total()));
    Ok(output::print_line(lines.join("\n"))?)
}

/// One line about the queue manager.
fn summary(sample: &Sample) -> String {
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
    parts.join("   ")
}

const HEADING: &str = "QUEUE                                        DEPTH  CHANGE/s     PUTS/s     GETS/s  UNCOMMITTED  GETTERS  PUTTERS  OLDEST";

fn row(queue: &QueueRow) -> String {
    format!(
        "{:40} {:>9} {:>9} {:>10} {:>10} {:>12} {:>8} {:>8}  {:>6}",
        harmless(&queue.name),
        units::count(queue.depth),
        format!("{:+.0}", queue.change_per_second),
        units::count(queue.puts_per_second.round() as u64),
        units::count(queue.gets_per_second.round() as u64),
        queue.uncommitted,
        queue.getters,
        queue.putters,
        queue.oldest_seconds.map_or_else(String::new, units::age)
    )
}
