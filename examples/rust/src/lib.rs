//! The lines that all example programs share: where to connect, and a queue by its name.

use std::error::Error;

use client::{Connection, Options};
use mqi::ObjectDescriptor;

/// The outcome of an example program.
pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Connects to the address in `FERRY_CONNECT`, or to port 1414 of this machine.
///
/// # Errors
/// The address cannot be read, or no queue manager answers there.
pub fn connect(application: &str) -> Outcome<Connection> {
    let address = std::env::var("FERRY_CONNECT").unwrap_or_else(|_| "localhost:1414".to_owned());
    Ok(Connection::connect(Options::to(address.parse()?).application(application))?)
}

/// Returns the descriptor that opens a queue.
///
/// # Errors
/// The name is too long, or has characters that names do not have.
pub fn queue(name: &str) -> Outcome<ObjectDescriptor> {
    Ok(ObjectDescriptor::queue(name.parse()?))
}

/// Returns the words behind the program's name, or says how the program is called.
///
/// # Errors
/// There are fewer than `least` words.
pub fn words(usage: &str, least: usize) -> Outcome<Vec<String>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.len() < least { Err(format!("usage: {usage}").into()) } else { Ok(words) }
}
