//! The hot paths, each done a given number of times: `instructions OPERATION COUNT`, or `list` for the
//! operations; `instructions flow FLOW COUNT` for a message alone.
//!
//! Lives here: the operations that `cargo xtask instructions` counts the instructions of. It runs each twice,
//! with few and with many repetitions, so that the work before and after the loop does not count. `flows` has
//! the calls whose source files `cargo xtask flow` lists.
//! Lives elsewhere: counting, and the counts that were recorded (`perf/instructions.csv`).
//!
//! Always: everything runs in one thread, on a simulated machine from one seed or beside a socket of its own,
//! so that the count repeats. The log's blocks go to the simulated disk, whose own work is therefore counted
//! with `unit_of_work` and `append`.

mod agent;
mod calls;
mod channels;
mod engine;
mod flows;
mod frames;
mod links;
mod log;

use std::process::ExitCode;

/// Bytes of each message: those of the published measurements.
const MESSAGE_BYTES: usize = 2048;

/// An operation by name, and the function that does it so often.
type Operation = (&'static str, fn(u64));

/// All of them.
const OPERATIONS: &[Operation] = &[
    ("put", engine::put),
    ("put_and_get", engine::put_and_get),
    ("put_and_get_judged", engine::put_and_get_judged),
    ("correlated_alone", engine::correlated_alone),
    ("correlated_deep", engine::correlated_deep),
    ("publish", engine::publish),
    ("publish_judged", engine::publish_judged),
    ("publish_and_get", engine::publish_and_get),
    ("fan_out", engine::fan_out),
    ("fan_out_logged", engine::fan_out_logged),
    ("deliver", agent::deliver),
    ("publish_unheard", agent::publish_unheard),
    ("pass_queue", agent::pass_queue),
    ("pass_topic", agent::pass_topic),
    ("unit_of_work", engine::unit_of_work),
    ("encode", frames::encode),
    ("decode", frames::decode),
    ("client_put", calls::put),
    ("client_get", calls::deliver),
    ("client_get_lent", calls::deliver_lent),
    ("client_get_shared", calls::deliver_shared),
    ("append", log::append),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["list"] => {
            OPERATIONS.iter().for_each(|(name, _)| println!("{name}"));
            return ExitCode::SUCCESS;
        }
        [name, count] if did(OPERATIONS, name, count) => return ExitCode::SUCCESS,
        ["flow", name, count] if did(flows::FLOWS, name, count) => return ExitCode::SUCCESS,
        _ => {}
    }
    eprintln!("usage: instructions list | instructions OPERATION COUNT | instructions flow FLOW COUNT");
    ExitCode::FAILURE
}

/// Does an operation so often, if there is one of that name.
fn did(operations: &[Operation], name: &str, count: &str) -> bool {
    let operation = operations.iter().find(|(other, _)| *other == name);
    let (Some((_, run)), Ok(count)) = (operation, count.parse()) else { return false };
    run(count);
    true
}
