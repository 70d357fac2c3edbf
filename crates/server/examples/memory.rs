//! Measures what a queue manager takes of memory: after a million messages came and went, for many queues
//! with few messages each, and for a message of one byte.
//!
//! `cargo run --release -p server --example memory -- drained|queues|small [COUNT]`. Each case in a process
//! of its own, on a new queue manager in a temporary folder that is removed at the end.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags,
    PutOptions, Reason, Verbs, Wait,
};
use server::embedded::{Connection, QueueManager};

/// Time after which memory must have been given back.
const SETTLES: Duration = Duration::from_secs(30);

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let case = words.next().context("name a case: drained, queues or small")?;
    let count = words.next().map(|count| count.parse::<u32>()).transpose().context("COUNT is a number")?;
    let folder = tempfile::tempdir()?;
    let manager = QueueManager::open(folder.path(), &"MEMORY".parse()?)?;
    match case.as_str() {
        "drained" => drained(&manager, count.unwrap_or(1_000_000)),
        "queues" => queues(&manager, count.unwrap_or(10_000)),
        "small" => small(&manager, count.unwrap_or(1_000_000)),
        other => bail!("there is no case {other}: there are drained, queues and small"),
    }
}

/// Messages of 1 KiB are put, and got again.
fn drained(manager: &QueueManager, count: u32) -> Result<()> {
    let mut connection = defined(manager, "Q")?;
    let queue = opened(&mut connection, "Q")?;
    let before = resident()?;
    put(&mut connection, queue, count, 1024)?;
    let full = resident()?;
    get_all(&mut connection, queue)?;
    let (drained, began) = (resident()?, Instant::now());
    println!(
        "{before} MiB at first, {full} MiB with {count} messages of 1 KiB, {drained} MiB when they were got"
    );
    while began.elapsed() < SETTLES {
        std::thread::sleep(Duration::from_secs(5));
        println!("{} MiB {} s later", resident()?, began.elapsed().as_secs());
    }
    Ok(())
}

/// Ten small messages on each of many queues.
fn queues(manager: &QueueManager, count: u32) -> Result<()> {
    let before = resident()?;
    let mut connection = manager.connect("memory").map_err(failed)?;
    for number in 0..count {
        define(manager, &format!("Q{number}"))?;
    }
    let defined = resident()?;
    for number in 0..count {
        let queue = opened(&mut connection, &format!("Q{number}"))?;
        put(&mut connection, queue, 10, 16)?;
        connection.close(queue, mqi::CloseOptions::EMPTY).map_err(failed)?;
    }
    println!(
        "{before} MiB at first, {defined} MiB with {count} queues, {} MiB with ten messages of 16 bytes on each",
        resident()?
    );
    Ok(())
}

/// Messages of one byte lie on a queue.
fn small(manager: &QueueManager, count: u32) -> Result<()> {
    let mut connection = defined(manager, "Q")?;
    let queue = opened(&mut connection, "Q")?;
    let before = resident_bytes()?;
    put(&mut connection, queue, count, 1)?;
    let each = (resident_bytes()?.saturating_sub(before)) as f64 / f64::from(count);
    println!("{each:.0} bytes for each of {count} messages of one byte");
    Ok(())
}

fn define(manager: &QueueManager, queue: &str) -> Result<()> {
    for answer in manager.command(&format!("DEFINE QLOCAL({queue}) MAXDEPTH(999999999)"))? {
        ensure!(answer.is_ok(), "{answer}");
    }
    Ok(())
}

fn defined(manager: &QueueManager, queue: &str) -> Result<Connection> {
    define(manager, queue)?;
    manager.connect("memory").map_err(failed)
}

fn opened(connection: &mut Connection, queue: &str) -> Result<ObjectHandle> {
    let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
    Ok(connection.open(&ObjectDescriptor::queue(queue.parse()?), options).map_err(failed)?.handle)
}

fn put(connection: &mut Connection, queue: ObjectHandle, count: u32, bytes: usize) -> Result<()> {
    for _ in 0..count {
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let body = Bytes::from(vec![0x5A; bytes]);
        connection.put(queue, &mut MessageDescriptor::default(), &mut options, body).map_err(failed)?;
    }
    Ok(())
}

fn get_all(connection: &mut Connection, queue: ObjectHandle) -> Result<()> {
    loop {
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        match connection.get(queue, &mut MessageDescriptor::default(), &mut options, 1 << 20) {
            Ok(_) => {}
            Err(Reason::NO_MSG_AVAILABLE) => return Ok(()),
            Err(reason) => return Err(failed(reason)),
        }
    }
}

fn failed(reason: Reason) -> anyhow::Error {
    anyhow::anyhow!("{reason}")
}

fn resident() -> Result<u64> {
    Ok(resident_bytes()? >> 20)
}

/// Resident memory of this process.
fn resident_bytes() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kib = line.trim().trim_end_matches("kB").trim().parse::<u64>()?;
    Ok(kib << 10)
}
