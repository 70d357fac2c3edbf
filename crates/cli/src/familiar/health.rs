//! chkmqstarted, chkmqready, chkmqhealthy: probes of containers.
//!
//! Always: each answers by its exit code alone, 0 or 1, and asks the queue manager itself.

use server::instances::{self, Instance};

use super::tool::{Answer, Tool, Trouble, common};
use super::words::Typed;
use crate::commands::check::Probed;
use crate::commands::queue_manager;
use terminal::connect;

pub(super) const STARTED: Tool =
    Tool { name: "chkmqstarted", usage: "[QMGR]", options: &[], misuse: NO, run: started };

pub(super) const READY: Tool = Tool { name: "chkmqready", run: ready, ..STARTED };

pub(super) const HEALTHY: Tool = Tool { name: "chkmqhealthy", run: healthy, ..STARTED };

const YES: u8 = 0;
const NO: u8 = 1;

/// Answers yes once it has started: it takes programs, or is on its way to its end.
fn started(typed: &Typed) -> Answer {
    let instance = instance(typed)?;
    let is_starting =
        instance.running.as_ref().is_none_or(|running| running.state == server::State::Starting);
    Ok(if is_starting { NO } else { YES })
}

/// Answers yes while programs may be sent to it.
fn ready(typed: &Typed) -> Answer {
    Ok(if Probed::of(&instance(typed)?).is_ready { YES } else { NO })
}

/// Answers yes while it is alive: one that is not is to be started again, so a full disk does not count.
fn healthy(typed: &Typed) -> Answer {
    Ok(if Probed::of(&instance(typed)?).is_live { YES } else { NO })
}

fn instance(typed: &Typed) -> Result<Instance, Trouble> {
    let named = typed.only_word().map_err(|words| Trouble::new(NO, words))?;
    let common = common(named);
    let data = connect::data_directory(&common).map_err(Trouble::of(NO))?;
    let name = queue_manager::name_or_only(&common, named, &data).map_err(Trouble::of(NO))?;
    instances::find(&data, &name).map_err(|error| Trouble::of(NO)(error.into()))
}
