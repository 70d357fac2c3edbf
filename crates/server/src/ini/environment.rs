//! Names of the environment under which other queue managers look for settings.
//!
//! Always: a name whose value cannot be used keeps the queue manager from starting; one without effect is
//! said once in the error log.

use crate::configuration::Configuration;

/// The threshold of slow reads and writes of the log: seconds, or microseconds with [`IN_MICROSECONDS`].
const IO_DELAY: &str = "AMQ_IODELAY";
const IN_MICROSECONDS: &str = "AMQ_IODELAY_INMS";
/// Asks for a record beside the warning.
const IO_RECORD: &str = "AMQ_IODELAY_FFST";
/// Compression by an accelerator that this program does not know.
const ACCELERATOR: &str = "AMQ_USE_ZLIBNX";

/// Most microseconds of the threshold: that of `log.slow_io_microseconds`.
const MICROSECONDS_MAX: u64 = 600_000_000;

/// A value of the environment that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the environment says {name}={value}: write {expected}, or unset it")]
pub struct Unusable {
    name: &'static str,
    value: String,
    expected: String,
}

/// The settings with those that the environment gives in their place.
///
/// # Errors
/// The first value that cannot be used.
pub fn applied(
    mut configuration: Configuration,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Configuration, Unusable> {
    let in_microseconds = yes_or_no(&variable, IN_MICROSECONDS)?.unwrap_or(false);
    if let Some(value) = variable(IO_DELAY) {
        let unit = if in_microseconds { 1 } else { 1_000_000 };
        let most = MICROSECONDS_MAX / unit;
        let threshold = value.trim().parse::<u64>().ok().filter(|number| *number <= most);
        let Some(threshold) = threshold else {
            let unit = if in_microseconds { "microseconds" } else { "seconds" };
            let expected = format!("a number of {unit} from 0 to {most}");
            return Err(Unusable { name: IO_DELAY, value, expected });
        };
        configuration.log.slow_io_microseconds = u32::try_from(threshold * unit).unwrap_or(u32::MAX);
    }
    if let Some(is_recorded) = yes_or_no(&variable, IO_RECORD)? {
        configuration.errors.slow_io_record = is_recorded;
    }
    Ok(configuration)
}

/// The names that are set and have no effect, with the reason.
#[must_use]
pub fn without_effect(variable: impl Fn(&str) -> Option<String>) -> Option<(&'static str, &'static str)> {
    variable(ACCELERATOR).map(|_| (ACCELERATOR, "compression by an accelerator is not supported"))
}

/// Any value but NO asks for it, as where the names come from.
fn yes_or_no(
    variable: &impl Fn(&str) -> Option<String>,
    name: &'static str,
) -> Result<Option<bool>, Unusable> {
    let Some(value) = variable(name) else { return Ok(None) };
    match value.trim().to_ascii_uppercase().as_str() {
        "YES" | "Y" | "1" | "TRUE" => Ok(Some(true)),
        "NO" | "N" | "0" | "FALSE" | "" => Ok(Some(false)),
        _ => Err(Unusable { name, value, expected: "YES or NO".to_owned() }),
    }
}
