//! Messages that rotted in the store, given back from an image and the log since.

use std::sync::Arc;

use platform::simulated::{CrashPolicy, Machine, Random, Rot};
use storage::copy::{self, Progress, Scope};
use storage::images::{self, Within};
use storage::{EntryToken, Hurt, Location, LogKind, Lsn, ReadError, Sequence, Settings};

use crate::support::{Engine, QUEUE, head, small};

fn linear() -> Settings {
    Settings { kind: LogKind::Linear, ..small() }
}

/// Messages that came and went, so that some are in segments and some in the log.
fn go_on(engine: &Engine, messages: u64) {
    for number in 0..messages {
        let (sequence, _) = engine.put(if number % 40 == 7 { 90_000 } else { 3_000 });
        if number % 3 != 0 {
            engine.get(sequence, None);
        }
        engine.force();
        engine.housekeeping();
    }
}

/// Takes an image where a queue manager keeps its own.
fn take_image(machine: &Machine, generation: u64) -> Lsn {
    let disk = machine.world().disk;
    let path = images::path(generation);
    disk.create_directory(&path).unwrap();
    let copied = copy::copy(&*disk, &Within::new(Arc::clone(&disk), path), Scope::Image, &mut quiet);
    copied.unwrap().replay_from
}

fn quiet(_: Progress) {}

/// Has bytes rot in every store segment, not in their footers.
fn rot_store(machine: &Machine, every: u64) {
    for (path, length) in machine.disk.files() {
        if path.starts_with("store") && path.extension().is_some_and(|extension| extension == "seg") {
            for at in (8_192..length * 8 / 10).step_by(every as usize) {
                machine.disk.rot(&path, Rot::FlipBit(at * 8));
            }
        }
    }
}

/// The live messages that cannot be read.
fn hurt(engine: &Engine) -> Vec<Hurt> {
    let messages = engine.state.lock().messages.clone();
    let is_damaged = |at| matches!(engine.storage.read(at), Err(ReadError::Damaged { .. }));
    messages
        .iter()
        .filter(|(_, kept)| is_damaged(kept.location))
        .map(|(sequence, kept)| Hurt {
            queue: QUEUE,
            sequence: Sequence(*sequence),
            message_id: head(*sequence).message_id,
            entry: EntryToken(*sequence),
            at: kept.location,
        })
        .collect()
}

/// A machine on which messages of before and after an image rotted.
fn rotten() -> Machine {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &linear());
    go_on(&engine, 900);
    assert!(engine.storage.statistics().segments > 0);
    take_image(&machine, 1);
    go_on(&engine, 900);
    engine.checkpoint().unwrap();
    drop(engine);
    rot_store(&machine, 40_000);
    machine
}

#[test]
fn what_rotted_in_the_store_comes_back_from_an_image_and_the_log_since() {
    let machine = rotten();
    let engine = Engine::open(&machine.world(), &linear()).unwrap();
    let before = engine.visible();
    let hurt = hurt(&engine);
    assert!(hurt.len() > 20, "{}", hurt.len());
    let mended = engine.storage.mend(&engine, &hurt).unwrap();
    assert_eq!((mended.messages, mended.missing), (hurt.len() as u64, vec![]), "{:?}", mended.reasons);
    engine.verify();
    drop(engine);
    let again = Engine::open(&machine.world(), &linear()).unwrap();
    again.verify();
    assert_eq!(again.visible(), before, "and it lasts");
}

/// Large bodies are in pieces, which the log gives back joined.
#[test]
fn a_large_body_comes_back_from_the_log() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &linear());
    go_on(&engine, 300);
    take_image(&machine, 1);
    let (large, _) = engine.put(300_000);
    go_on(&engine, 1_200);
    let at = engine.state.lock().messages[&large].location;
    let Location::Segment { segment, .. } = at else { panic!("it is at {at:?}") };
    drop(engine);
    let path = format!("store/{segment:08x}.seg");
    let length = machine.disk.files().iter().find(|(found, _)| found.ends_with(&path)).unwrap().1;
    for at in (8_192..length * 8 / 10).step_by(2_000) {
        machine.disk.rot(path.as_ref(), Rot::FlipBit(at * 8));
    }
    let engine = Engine::open(&machine.world(), &linear()).unwrap();
    let hurt = hurt(&engine);
    assert!(hurt.iter().any(|hurt| hurt.sequence == Sequence(large)));
    let mended = engine.storage.mend(&engine, &hurt).unwrap();
    assert_eq!(mended.missing, vec![], "{:?}", mended.reasons);
    engine.verify();
}

/// The power may go at any moment of it: each message is whole then, or damaged as before, and can be given
/// back again.
#[test]
fn giving_back_may_be_cut_off_anywhere() {
    let machine = rotten();
    let mut random = Random::new(3);
    let (mut cuts, mut finished) = (0, false);
    for cut in 1.. {
        let again = Machine::with_disk(machine.disk.image().without_crash(), cut);
        let engine = Engine::open(&again.world(), &linear()).unwrap();
        let (before, lost) = (engine.visible(), hurt(&engine));
        again.disk.crash_at(again.disk.boundaries() + cut);
        if engine.storage.mend(&engine, &lost).is_ok() {
            finished = true;
            break;
        }
        drop(engine);
        cuts += 1;
        let policy = CrashPolicy::random(&mut random);
        let after = Machine::with_disk(again.disk.crash(&mut random, policy), cut);
        let engine = Engine::open(&after.world(), &linear()).unwrap();
        assert_eq!(engine.visible(), before, "cut {cut}, {policy:?}");
        let left = hurt(&engine);
        assert!(left.is_empty() || left.len() == lost.len(), "cut {cut}: {} of {}", left.len(), lost.len());
        let mended = engine.storage.mend(&engine, &left).unwrap();
        assert_eq!(mended.missing, vec![], "cut {cut}, {policy:?}: {:?}", mended.reasons);
        engine.verify();
    }
    assert!(finished && cuts > 5, "{cuts}");
}

#[test]
fn without_an_image_nothing_is_changed_and_the_reason_told() {
    let machine = rotten();
    for (path, _) in machine.disk.files() {
        if path.starts_with(images::DIRECTORY) {
            machine.world().disk.remove(&path).unwrap();
        }
    }
    let engine = Engine::open(&machine.world(), &linear()).unwrap();
    let before = engine.state.lock().messages.clone();
    let hurt = hurt(&engine);
    let mended = engine.storage.mend(&engine, &hurt).unwrap();
    assert_eq!((mended.messages, mended.missing.len()), (0, hurt.len()));
    assert_eq!(mended.reasons, Vec::<String>::new(), "a directory without a manifest is no image");
    assert_eq!(engine.state.lock().messages, before);
}

/// An image that rotted is no help for what rotted in it; an older one, and the log since, have the rest.
#[test]
fn an_older_image_helps_where_a_newer_one_rotted_too() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &linear());
    go_on(&engine, 600);
    take_image(&machine, 1);
    go_on(&engine, 600);
    take_image(&machine, 2);
    engine.checkpoint().unwrap();
    drop(engine);
    rot_store(&machine, 40_000);
    for (path, length) in machine.disk.files() {
        if path.starts_with(images::path(2).join("store")) {
            machine.disk.rot(&path, Rot::Truncate(length / 2));
        }
    }
    let engine = Engine::open(&machine.world(), &linear()).unwrap();
    let hurt = hurt(&engine);
    assert!(!hurt.is_empty());
    let mended = engine.storage.mend(&engine, &hurt).unwrap();
    assert_eq!(mended.missing, vec![], "{:?}", mended.reasons);
    assert!(mended.reasons.iter().any(|reason| reason.contains("image 00000002")), "{:?}", mended.reasons);
    engine.verify();
}
