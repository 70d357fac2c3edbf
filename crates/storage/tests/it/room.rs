//! The account of room in the log: what it says is free is what the extents still take.

use platform::simulated::Machine;
use storage::Settings;

use crate::support::{Engine, tiny};

/// Bytes that an extent loses: its first page, and its end where the next record does not fit.
const LOST: u64 = (4 << 10) + (80 << 10);

/// Bytes that the extents still take, by the state of the log. All appended records are forced.
fn room(engine: &Engine, settings: &Settings) -> u64 {
    let log = engine.storage.log_state();
    let usable = settings.extent_bytes - LOST;
    let used = log.end.0.next_multiple_of(4096) - (log.current.0 + 4096).min(log.end.0);
    usable + log.ready_bytes / settings.extent_bytes * usable - used
}

fn free(engine: &Engine) -> u64 {
    engine.storage.statistics().log_bytes_free
}

/// Gets alone, so that the log goes round and round with nothing to keep.
#[test]
fn the_log_is_as_free_as_its_extents_are_however_often_it_goes_round() {
    for (is_full, is_forced) in [(false, true), (false, false), (true, true), (true, false)] {
        for secondary_extents in [0, 2] {
            let case = format!("full: {is_full}, each forced: {is_forced}, {secondary_extents} more extents");
            let settings = Settings { secondary_extents, ..tiny() };
            let machine = Machine::new(1);
            let engine = Engine::create(&machine.world(), &settings);
            engine.storage.prepare().unwrap();
            for number in 0..if is_forced { 800 } else { 2400 } {
                engine.put(40);
                if number % 20 == 0 {
                    engine.force();
                    engine.housekeeping();
                }
            }
            engine.force();
            engine.checkpoint().unwrap();
            if is_full {
                let used = machine.disk.files().iter().map(|(_, length)| length).sum();
                machine.disk.set_capacity(Some(used));
            }
            let mut laps = 0;
            let mut current = engine.storage.log_state().current;
            for (number, sequence) in engine.visible().into_iter().enumerate() {
                engine.get(sequence, None);
                if is_forced || number % 7 == 0 {
                    engine.force();
                    assert_eq!(free(&engine), room(&engine, &settings), "{case}: after {number} gets");
                }
                let _ = engine.storage.prepare_due().then(|| engine.storage.prepare());
                if engine.storage.checkpoint_due() {
                    engine.force();
                    let _ = engine.checkpoint();
                }
                laps += u64::from(engine.storage.log_state().current != current);
                current = engine.storage.log_state().current;
            }
            assert!(laps > 1, "{case}: {laps}");
        }
    }
}
