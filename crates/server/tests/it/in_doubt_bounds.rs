//! As many branches and messages in doubt as the bounds allow: starts, checkpoints and displays answer, and a
//! message channel beside them runs.
//!
//! `FERRY_IN_DOUBT=full` fills both bounds, 9,000 branches and 1,000,000 messages, and prints its figures;
//! without it they are small.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use bytes::Bytes;
use client::Connection;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, Branches as _,
    RollbackCause,
};
use mqi::{GetFlags, MessageDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Verbs as _};
use rustix::process::Signal;
use server::{DataDirectory, Server, instances};

use crate::message_channels::free_port;
use crate::processes::{PATIENCE, Process};
use crate::running::{Place, command, connect, get, open, put};

const NO_ROOM: BranchRefusal = BranchRefusal::RolledBack(RollbackCause::NoRoom);

/// The size of a run.
#[derive(Clone, Copy)]
struct Size {
    branches: u32,
    /// Messages of a branch.
    each: u32,
    /// Messages of all.
    messages: u32,
    log: &'static str,
}

const SMALL: Size =
    Size { branches: 150, each: 20, messages: 3_000, log: "extent_size = \"4 MiB\"\nprimary_extents = 3" };

const FULL: Size = Size {
    branches: 9_000,
    each: 111,
    messages: 1_000_000,
    log: "extent_size = \"64 MiB\"\nprimary_extents = 16",
};

impl Size {
    fn wanted() -> Self {
        if std::env::var("FERRY_IN_DOUBT").is_ok_and(|size| size == "full") { FULL } else { SMALL }
    }

    /// A queue manager whose bounds are these.
    fn place(self) -> Place {
        let directory = tempfile::tempdir().unwrap();
        let (data, name) = (DataDirectory::at(directory.path()), "QM1".parse().unwrap());
        let Self { branches, messages, log, .. } = self;
        let text = format!(
            "[log]\n{log}\n[growth]\nprepared_branches_max = {branches}\n[xa]\nprepared_messages_max = {messages}\n"
        );
        instances::create(&data, &name, Some(&text)).unwrap();
        Place { directory, data, name }
    }
}

fn branch(number: u32) -> BranchId {
    BranchId::new(9, b"bounds", &number.to_be_bytes()).unwrap()
}

/// Prepares a branch with so many messages.
fn prepare(one: &mut Connection, number: u32, messages: u32) -> Result<BranchPrepared, BranchRefusal> {
    one.start_branch(&branch(number), BranchStart::New)?;
    let queue = open(one, "Q", OpenOptions::OUTPUT);
    let persistence = Persistence::Persistent;
    let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
    let options = PutOptions::with(PutFlags::SYNCPOINT);
    for _ in 0..messages {
        one.put_async(queue, &descriptor, &options, Bytes::from_static(b"a message in doubt")).unwrap();
    }
    one.close(queue, mqi::CloseOptions::EMPTY).unwrap();
    one.end_branch(&branch(number), BranchEnd::Success)?;
    one.prepare_branch(&branch(number))
}

fn listed(one: &mut Connection) -> usize {
    let (mut count, mut after) = (0, None);
    loop {
        let page = one.list_branches(&BranchList { after, most: 100, ..BranchList::default() }).unwrap();
        after = page.last().copied();
        count += page.len();
        if after.is_none() {
            return count;
        }
    }
}

/// A message goes over the channel; the time that it took.
fn passes(sender: &mut Connection, receiver: &mut Connection) -> Duration {
    let begun = Instant::now();
    let there = open(sender, "THERE", OpenOptions::OUTPUT);
    put(sender, there, b"over", Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
    sender.close(there, mqi::CloseOptions::EMPTY).unwrap();
    let queue = open(receiver, "IN", OpenOptions::INPUT_SHARED);
    assert_eq!(get(receiver, queue, PATIENCE, GetFlags::NO_SYNCPOINT).unwrap(), b"over");
    receiver.close(queue, mqi::CloseOptions::EMPTY).unwrap();
    begun.elapsed()
}

/// Displays answer while messages go over the channel.
fn answers(process: &Process, receiver: &mut Connection, size: Size, told: &mut String) {
    let address = process.address().to_owned();
    let shown = std::thread::spawn(move || {
        let mut one = connect(&address);
        let begun = Instant::now();
        // The batches of the channel are prepared, too, and have no coordinator.
        let units = command(&mut one, "DISPLAY CONN(*) WHERE(UOWSTATE EQ PREPARED) EXTURID");
        let of_units = begun.elapsed();
        let last = branch(size.branches - 1);
        let last = command(&mut one, &format!("DISPLAY CONN(*) WHERE(EXTURID EQ '{last}') QMURID"));
        let last = last.rsplit("QMURID(").next().and_then(|rest| rest.split(')').next()).unwrap();
        let begun = Instant::now();
        let question = format!("DISPLAY CONN(*) TYPE(HANDLE) WHERE(QMURID EQ '{last}') ALL");
        let messages = command(&mut one, &question).matches("MSGOP(PUT)").count();
        (units.matches("XA_FORMATID[00000009]").count(), of_units, messages, begun.elapsed())
    });
    let mut one = connect(process.address());
    let mut slowest = Duration::ZERO;
    while slowest == Duration::ZERO || !shown.is_finished() {
        slowest = slowest.max(passes(&mut one, receiver));
    }
    let (units, of_units, messages, of_messages) = shown.join().unwrap();
    assert_eq!(units, size.branches as usize);
    assert!(messages >= size.each as usize, "{messages} messages of one branch");
    let resident = process.resident_bytes() >> 20;
    let _ = writeln!(
        told,
        "  DISPLAY CONN {of_units:?}, messages of one branch {of_messages:?}, slowest message over the channel \
         {slowest:?}, {resident} MiB resident"
    );
}

#[test]
fn with_both_bounds_full_starts_and_displays_answer_and_a_channel_runs() {
    let size = Size::wanted();
    let mut told = String::new();
    let partner = Place::named("B");
    let port = free_port();
    let at = std::net::SocketAddr::new([127, 0, 0, 1].into(), port);
    let _receiver =
        Server::start(&server::Options { addresses: Some(vec![at]), ..partner.options() }).unwrap();
    let mut receiver = connect(&at.to_string());
    command(&mut receiver, "DEFINE QLOCAL(IN)");
    command(&mut receiver, "DEFINE CHANNEL(TO.B) CHLTYPE(RCVR)");

    let place = size.place();
    let mut process = Process::start(&place);
    let mut one = connect(process.address());
    for text in [
        "DEFINE QLOCAL(Q) MAXDEPTH(2000000)",
        "DEFINE QLOCAL(B) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
        "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(B)",
        &format!("DEFINE CHANNEL(TO.B) CHLTYPE(SDR) CONNAME('127.0.0.1({port})') XMITQ(B)"),
    ] {
        command(&mut one, text);
    }
    passes(&mut one, &mut receiver);
    let empty = process.resident_bytes() >> 20;
    let begun = Instant::now();
    for number in 0..size.branches {
        // The last has what is left of the messages.
        let is_last = number + 1 == size.branches;
        let messages = if is_last { size.messages - number * size.each } else { size.each };
        assert_eq!(prepare(&mut one, number, messages), Ok(BranchPrepared::Prepared), "{number}");
    }
    let _ = writeln!(told, "  prepared in {:?}, {empty} MiB resident before", begun.elapsed());
    answers(&process, &mut receiver, size, &mut told);

    // One above each bound.
    assert_eq!(prepare(&mut one, size.branches, 1), Err(NO_ROOM));
    one.commit_branch(&branch(0), BranchCommit::TwoPhase).unwrap();
    assert_eq!(prepare(&mut one, size.branches, size.each + 1), Err(NO_ROOM));
    passes(&mut one, &mut receiver);
    assert_eq!(prepare(&mut one, size.branches, size.each), Ok(BranchPrepared::Prepared));

    // From the log, then from a checkpoint.
    for how in ["kill -9", "an orderly end"] {
        if how == "kill -9" {
            process.kill();
        } else {
            let begun = Instant::now();
            process.signal(Signal::TERM);
            process.ends_within(10 * PATIENCE).expect("it ends");
            let _ = writeln!(told, "  end with a checkpoint in {:?}", begun.elapsed());
        }
        let begun = Instant::now();
        process = Process::start(&place);
        let started = begun.elapsed();
        let mut one = connect(process.address());
        assert_eq!(listed(&mut one), size.branches as usize, "{how}");
        assert_eq!(prepare(&mut one, size.branches + 1, 1), Err(NO_ROOM), "{how}");
        let _ = writeln!(told, "  start after {how} in {started:?}");
        answers(&process, &mut receiver, size, &mut told);
    }
    let manifests = std::fs::read_dir(place.folder()).unwrap().filter_map(|entry| {
        let entry = entry.unwrap();
        let is_manifest = entry.file_name().to_string_lossy().starts_with("manifest");
        is_manifest.then(|| entry.metadata().unwrap().len())
    });
    let manifest = manifests.max().expect("it has a manifest");
    // Seventeen bytes each, and what else there is.
    assert!(manifest >= 17 * u64::from(size.messages), "{manifest} bytes");
    let _ = writeln!(told, "  manifest {manifest} bytes");
    if size.branches == FULL.branches {
        eprintln!("{} branches, {} messages in doubt:\n{told}", size.branches, size.messages);
    }
}
