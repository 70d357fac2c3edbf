//! runmqdlq and runmqtrm: programs that work on a queue until they are told to end.

use super::tool::{Answer, Tool, Trouble, common, ended};
use super::words::Typed;
use crate::commands::{dlq, trigger_monitor};

pub(super) const DEAD_LETTERS: Tool = Tool {
    name: "runmqdlq",
    usage: "[QUEUE [QMGR]] < RULES",
    options: &[],
    misuse: ended::MISUSED,
    run: dead_letters,
};

pub(super) const TRIGGERS: Tool = Tool {
    name: "runmqtrm",
    usage: "[-m QMGR] [-q QUEUE]",
    options: &["m=", "q="],
    // The code of this one for what was typed wrong is the one for anything that it could not do.
    misuse: FAILED,
    run: triggers,
};

/// The code of a trigger monitor that could not do its work.
const FAILED: u8 = ended::NOT_RUN;

fn dead_letters(typed: &Typed) -> Answer {
    let (queue, queue_manager) = match typed.rest.as_slice() {
        [] => (None, None),
        [queue] => (Some(queue), None),
        [queue, queue_manager] => (Some(queue), Some(queue_manager)),
        [_, _, third, ..] => {
            return Err(Trouble::new(
                ended::MISUSED,
                format!("a queue and a queue manager are enough, not {third}"),
            ));
        }
    };
    let queue = queue.map(String::as_str).filter(|name| !name.trim().is_empty());
    let common = common(queue_manager.map(String::as_str));
    let rules = dlq::DlqCommand::Rules(dlq::RulesArguments::of_standard_input(queue));
    dlq::run(&common, &rules).map_err(Trouble::of(ended::UNEXPECTED))?;
    Ok(ended::OK)
}

fn triggers(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        let words = format!("{word} is no option; a queue manager is named by -m, a queue by -q");
        return Err(Trouble::new(FAILED, words));
    }
    let queue = typed.value("q").unwrap_or("SYSTEM.DEFAULT.INITIATION.QUEUE");
    let arguments = trigger_monitor::TriggerMonitorArguments::endless(queue);
    trigger_monitor::run(&common(typed.value("m")), &arguments).map_err(Trouble::of(FAILED))?;
    Ok(ended::OK)
}
