//! `ferry move`: messages of one queue to another, in units of work.
//!
//! Lives elsewhere: the move itself (`moves`).

use clap::Args;
use moves::{BATCH_MAX, Go, Moved, MovesError, Plan};
use mqi::{QueueManagerName, Reason};
use serde_json::json;

use super::get::{Chosen, Condition};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format};
use terminal::units;

/// The messages to move, and the place that gets them.
#[derive(Debug, Args)]
#[command(
    after_help = "Each message leaves its queue in the unit of work that puts it on the other one, with \
    descriptor, properties and context as they are. Without a choice every message is moved that is on the queue \
    when the command begins."
)]
pub(crate) struct MoveArguments {
    /// Queue that has the messages
    from: String,
    /// Queue that gets them
    to: String,
    /// Queue manager of that queue; without it, the one connected to
    #[arg(long, value_name = "QM")]
    to_qmgr: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    condition: Condition,
    /// Maximum number of messages
    #[arg(short = 'n', long, value_name = "MESSAGES", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
    /// Copy: leave the messages on their queue too
    #[arg(long)]
    copy: bool,
    /// Messages in one unit of work
    #[arg(long, value_name = "MESSAGES", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=i64::from(BATCH_MAX)))]
    batch: u32,
}

/// Moves, and says what was moved.
pub(crate) fn run(common: &Common, arguments: &MoveArguments) -> Result<()> {
    let to_queue_manager = arguments.to_qmgr.as_deref().map(connect::parse_queue_manager_name).transpose()?;
    let pattern = arguments.chosen.descriptor();
    let plan = Plan {
        to_queue_manager: to_queue_manager.unwrap_or(QueueManagerName::BLANK),
        message_id: pattern.message_id,
        correlation_id: pattern.correlation_id,
        selector: arguments.condition.condition.clone(),
        most: arguments.count,
        batch: arguments.batch,
        copies: arguments.copy,
        ..Plan::between(connect::queue_name(&arguments.from)?, connect::queue_name(&arguments.to)?)
    };
    let mut session = connect::session(common)?;
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(None, "messages");
    let mut seen = 0;
    let outcome = moves::run(session.verbs(), &plan, |moved| {
        progress.add(moved.messages - seen);
        seen = moved.messages;
        if interrupt.is_wanted() { Go::Stop } else { Go::On }
    });
    drop(progress);
    let moved = outcome.map_err(|error| explained(&plan, &error))?;
    session.disconnect()?;
    report(common.output, &plan, moved)?;
    if moved.is_cut_off {
        Err(Failure::new(Exit::Failed, format!("was told to end after {}", counted(moved)))
            .next(format!("the rest is on {}: run the command again to move it", plan.from)))
    } else {
        Ok(())
    }
}

fn counted(moved: Moved) -> String {
    units::counted(moved.messages, "message")
}

const fn past(plan: &Plan) -> &'static str {
    if plan.copies { "copied" } else { "moved" }
}

/// The failure with what was done before, and the next step.
fn explained(plan: &Plan, error: &MovesError) -> Failure {
    let (from, to) = (plan.from, plan.to);
    let so_far = match error.moved() {
        moved if moved.messages == 0 => String::new(),
        moved => format!("{} {} from {from} to {to}, then ", past(plan), counted(moved)),
    };
    let of_call = |what: String, reason: Reason| Failure::of_call(format!("{so_far}{what}"), reason);
    match error {
        MovesError::SameQueue { .. } => Failure::usage(error.to_string()).next("name two different queues"),
        MovesError::Open { queue, reason } => {
            let failure = of_call(format!("cannot open {queue}"), *reason);
            match *reason {
                Reason::UNKNOWN_OBJECT_NAME => {
                    failure.next(NextStep::of("ferry queues lists the queues there are"))
                }
                _ => failure,
            }
        }
        MovesError::Get { queue, reason, .. } => of_call(format!("cannot get from {queue}"), *reason),
        MovesError::Put { queue, message, reason, .. } => {
            let failure = of_call(format!("cannot put message {message} on {queue}"), *reason);
            match *reason {
                Reason::Q_FULL => failure.next(format!(
                    "raise MAXDEPTH of {queue} or get messages from it; the message is on {from}, and the same \
                     command moves the rest"
                )),
                _ => failure,
            }
        }
        MovesError::Commit { reason: Reason::BACKED_OUT, .. } => {
            of_call("the last unit of work was backed out".to_owned(), Reason::BACKED_OUT)
                .next(format!("its messages are on {from}; the same command moves the rest"))
        }
        MovesError::Commit { reason, in_doubt, .. } => {
            of_call("the end of a unit of work failed".to_owned(), *reason).next(next_step!(
                "the last {} may be on {to} or still on {from}: look with ferry browse",
                units::counted(*in_doubt, "message")
            ))
        }
    }
}

fn report(format: Format, plan: &Plan, moved: Moved) -> Result<()> {
    let done = past(plan);
    if format == Format::Json {
        return Ok(output::print_json(&json!({
            "from": plan.from.as_str(), "to": plan.to.as_str(), done: moved.messages, "bytes": moved.bytes,
            "reports": moved.reported,
        }))?);
    }
    let mut line = format!("{done} {} from {} to {}", counted(moved), plan.from, plan.to);
    if moved.messages > 0 {
        line.push_str(&format!("  {}", units::bytes(moved.bytes)));
    }
    if moved.reported > 0 {
        let asked = units::counted(moved.reported, "message");
        line.push_str(&format!("  ({asked} asked for reports of arrival or delivery, which were made)"));
    }
    Ok(output::print_line(line)?)
}
