//! The parts of `ferry log show`.

use std::path::PathBuf;

use platform::World;
use platform::simulated::{Machine, Rot};
use storage::OpenError;
use storage::inspect::{BlockKind, Inspection};

use crate::support::{Engine, small};

fn lines(world: &World) -> Vec<String> {
    let inspection = Inspection::open(&*world.disk).unwrap();
    let mut lines = Vec::new();
    for block in inspection.blocks() {
        inspection
            .records(&block, &mut |logged| {
                lines.push(logged.content.to_string());
                true
            })
            .unwrap();
    }
    lines
}

#[test]
fn a_running_log_is_shown_record_by_record() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &small());
    engine.put(100);
    let unit = engine.begin();
    engine.get(1, Some(unit));
    engine.try_put(70_000, Some(unit)).unwrap();
    engine.commit(unit);
    engine.force();
    engine.put(5);

    let shown = lines(&machine.world());
    assert_eq!(
        shown,
        [
            "epoch 1 begins",
            "put queue 7 sequence 1 priority 1 descriptor 5 body 100",
            "get queue 7 sequence 1 unit 1.1",
            "fragment of 65440 bytes",
            "fragment of 4560 bytes",
            "put queue 7 sequence 2 priority 2 descriptor 7 body 70000 in 2 fragments unit 1.1",
            "commit 2 records from 0/00002135 unit 1.1",
        ],
        "the last put is not durable yet"
    );
    let inspection = Inspection::open(&*machine.world().disk).unwrap();
    assert!(inspection.refusal.is_none());
    assert_eq!(inspection.end, engine.storage.durable().lsn());
    let blocks: Vec<_> = inspection.blocks().collect();
    assert_eq!(blocks[0].kind, BlockKind::Epoch);
    assert_eq!((blocks[1].index, blocks[1].offset, blocks[1].durable.0), (2, 8192, 8192));
    assert_eq!(blocks[1].path, PathBuf::from("log/0000000000000000.seg"));
}

#[test]
fn a_damaged_log_is_shown_to_the_damage() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &small());
    for _ in 0..3 {
        engine.put(100);
        engine.force();
    }
    drop(engine);
    machine.disk.rot(&PathBuf::from("log/0000000000000000.seg"), Rot::ZeroBlock(3));
    assert_eq!(lines(&machine.world()).len(), 2);
    let refusal = Inspection::open(&*machine.world().disk).unwrap().refusal;
    assert!(matches!(refusal, Some(OpenError::Damaged { offset: 12288, .. })), "{refusal:?}");
}
