//! Branches of outside transactions: several connections, the coordinator, a person and the end of a
//! connection meet at one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mqi::Reason;
use mqi::branch::{BranchCommit, BranchEnd, BranchId, BranchRefusal, BranchStart, Heuristic, RollbackCause};
use parking_lot::Mutex;
use queue_manager::{BranchOutcome, Decision, WorkThread};
use shuttle::thread;

use super::actor::Actor;
use super::interplays::Scene;
use super::stage::{Files, Setting, Stage};

fn branch() -> BranchId {
    BranchId::new(1, b"scene", b"one").expect("it is short")
}

/// Makes a call on branches and waits for its answer.
fn call<T>(
    actor: &mut Actor,
    call: impl FnOnce(&mut WorkThread<'_>) -> BranchOutcome<T>,
) -> Result<T, BranchRefusal> {
    let (mut thread, stage) = actor.branches();
    let answer = call(&mut thread);
    stage.settle(answer)
}

fn start(actor: &mut Actor, how: BranchStart) -> Result<(), BranchRefusal> {
    call(actor, |thread| thread.start(&branch(), how))
}

fn end(actor: &mut Actor, how: BranchEnd) -> Result<(), BranchRefusal> {
    call(actor, |thread| thread.end(&branch(), how))
}

/// A connection that comes to a branch and leaves it is ended meanwhile: the decision of the branch then
/// finds nobody in it.
pub(super) fn join_and_stop(files: &Files, seed: u64) {
    let mut scene = Scene::begin(files, seed, Setting::USUAL);
    let mut first = scene.actor();
    start(&mut first, BranchStart::New).expect("it is the first");
    first.put_in_branch(0).expect("a put succeeds");
    end(&mut first, BranchEnd::Success).expect("it works in it");
    let mut second = scene.actor();
    let name = format!("{:016X}", second.identifier());
    let and_puts = scene.random.percent(50);
    scene.plays(move || {
        for number in 1..=2 {
            if start(&mut second, BranchStart::Join).is_err() {
                return;
            }
            if and_puts && let Err(reason) = second.put_in_branch(number) {
                assert!([Reason::CONNECTION_BROKEN, Reason::BACKED_OUT].contains(&reason), "{reason}");
            }
            if end(&mut second, BranchEnd::Success).is_err() {
                return;
            }
        }
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        let _ = stage.try_command(&format!("STOP CONN({name})"));
    });
    scene.all_have_played();
    match call(&mut first, |thread| thread.back_out(&branch())) {
        Ok(()) | Err(BranchRefusal::RolledBack(RollbackCause::ConnectionLost)) => {}
        other => panic!("nobody works in it any more: {other:?}"),
    }
    drop(first);
    assert!(scene.actor().drain().is_empty(), "it was rolled back");
    scene.end();
}

/// Two connections work in a branch and leave it, or are lost, while its coordinator asks for its
/// preparation: all of it stands, or nothing.
pub(super) fn work_and_decide(files: &Files, seed: u64) {
    let mut scene =
        Scene::begin(files, seed, Setting { checkpoints: seed.is_multiple_of(2), ..Setting::USUAL });
    let (mut one, mut two) = (scene.actor(), scene.actor());
    start(&mut one, BranchStart::New).expect("it is the first");
    start(&mut two, BranchStart::Join).expect("it is there");
    scene.plays(move || {
        let put = one.put_in_branch(1);
        let ended = end(&mut one, BranchEnd::Success);
        assert!(put.is_ok() || ended.is_err(), "{put:?} {ended:?}");
    });
    let how = *scene.random.pick(&[
        Some(BranchEnd::Success),
        Some(BranchEnd::Success),
        Some(BranchEnd::Fail),
        None,
    ]);
    scene.plays(move || {
        let put = two.put_in_branch(2);
        let ended = how.map(|how| end(&mut two, how));
        assert!(put.is_ok() || ended != Some(Ok(())), "{put:?} {ended:?}");
    });
    let mut coordinator = scene.actor();
    let one_phase = scene.random.percent(50);
    let committed = Arc::new(AtomicBool::new(false));
    let has_committed = Arc::clone(&committed);
    scene.plays(move || {
        for _ in 0..40 {
            let how = if one_phase { BranchCommit::OnePhase } else { BranchCommit::TwoPhase };
            let prepared = if one_phase {
                Ok(())
            } else {
                call(&mut coordinator, |thread| thread.prepare(&branch())).map(drop)
            };
            let done = prepared.and_then(|()| call(&mut coordinator, |thread| thread.commit(&branch(), how)));
            match done {
                Ok(()) => return has_committed.store(true, Ordering::Relaxed),
                Err(BranchRefusal::Protocol) => thread::yield_now(),
                Err(BranchRefusal::RolledBack(_)) => return,
                Err(other) => panic!("{other:?}"),
            }
        }
        let _ = call(&mut coordinator, |thread| thread.back_out(&branch()));
    });
    let stage = Arc::clone(&scene.stage);
    scene.plays(move || {
        for _ in 0..3 {
            stage.manager.tick();
            thread::yield_now();
        }
    });
    scene.all_have_played();
    let mut last = scene.actor();
    let _ = call(&mut last, |thread| thread.back_out(&branch()));
    let mut there = last.drain();
    there.sort_unstable();
    drop(last);
    assert_eq!(there, if committed.load(Ordering::Relaxed) { vec![1, 2] } else { vec![] });
    scene.end();
}

/// The answers to people and to the coordinator before the power was lost.
#[derive(Default)]
struct ToldOfDecision {
    by_hand: AtomicBool,
    forgotten: AtomicBool,
}

/// A person decides a branch while its coordinator does, and another person forgets it: it ends once, and
/// what is told of it outlives the loss of power.
pub(super) fn decide_and_forget(files: &Files, seed: u64) {
    let mut scene =
        Scene::begin(files, seed, Setting { checkpoints: seed.is_multiple_of(2), ..Setting::USUAL });
    let mut owner = scene.actor();
    start(&mut owner, BranchStart::New).expect("it is the first");
    owner.put_in_branch(1).expect("a put succeeds");
    end(&mut owner, BranchEnd::Success).expect("it works in it");
    call(&mut owner, |thread| thread.prepare(&branch())).expect("it is whole");
    let unit = scene.stage.settle(scene.stage.manager.units().prepared())[0].name;
    let by_person = *scene.random.pick(&[Decision::Commit, Decision::BackOut]);
    let told = Arc::new(ToldOfDecision::default());
    let (stage, note) = (Arc::clone(&scene.stage), Arc::clone(&told));
    scene.plays(move || {
        let resolved = stage.settle(stage.manager.units().resolve_by_hand(unit, by_person, "anna"));
        note.by_hand.store(resolved.is_ok(), Ordering::Relaxed);
    });
    let (stage, note) = (Arc::clone(&scene.stage), Arc::clone(&told));
    scene.plays(move || {
        for _ in 0..6 {
            let forget = format!("RESOLVE INDOUBT('{}.{}') ACTION(FORGET)", unit.epoch, unit.counter);
            if stage.try_command(&forget) {
                return note.forgotten.store(true, Ordering::Relaxed);
            }
            thread::yield_now();
        }
    });
    let decided = Arc::new(Mutex::new(None));
    if scene.random.percent(50) {
        let note = Arc::clone(&decided);
        scene.plays(move || {
            let answer = call(&mut owner, |thread| thread.commit(&branch(), BranchCommit::TwoPhase));
            *note.lock() = Some(answer);
        });
    } else {
        drop(owner);
    }
    let (stage, note) = (Arc::clone(&scene.stage), Arc::clone(&told));
    let looks = scene.random.below(40);
    let lost = Arc::new(Mutex::new(None));
    let place = Arc::clone(&lost);
    scene.plays(move || {
        (0..looks).for_each(|_| thread::yield_now());
        let known = (note.by_hand.load(Ordering::Relaxed), note.forgotten.load(Ordering::Relaxed));
        *place.lock() = Some((known, stage.machine.disk.image()));
    });
    scene.all_have_played();
    let by_hand = told.by_hand.load(Ordering::Relaxed);
    let answer = decided.lock().take();
    match answer {
        Some(Ok(())) => assert!(!by_hand, "it ended twice"),
        Some(Err(BranchRefusal::ByHand(how))) => {
            let expected = match by_person {
                Decision::Commit => Heuristic::Committed,
                Decision::BackOut => Heuristic::BackedOut,
            };
            assert_eq!((by_hand, how), (true, expected));
        }
        Some(Err(BranchRefusal::Unknown)) => assert!(told.forgotten.load(Ordering::Relaxed)),
        None => assert!(by_hand),
        other => panic!("{other:?}"),
    }
    let stands = answer == Some(Ok(())) || by_hand && by_person == Decision::Commit;
    assert_eq!(scene.actor().drain(), if stands { vec![1] } else { vec![] });
    scene.end();
    let ((was_by_hand, was_forgotten), image) = lost.lock().take().expect("it was noted");
    let stage = Stage::after_loss_of_power(&image, seed);
    let hosting = stage.host();
    let in_doubt = stage.settle(stage.manager.units().prepared());
    assert!(
        in_doubt.is_empty() || !was_by_hand && !was_forgotten,
        "told to be over, and in doubt: {in_doubt:?}"
    );
    if was_by_hand || was_forgotten {
        let expected = if by_person == Decision::Commit { vec![1] } else { vec![] };
        assert_eq!(Actor::enter(&stage).drain(), expected);
    }
    hosting.end();
}
