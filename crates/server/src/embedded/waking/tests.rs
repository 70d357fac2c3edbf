use super::*;

fn sleepers(count: usize) -> Vec<Arc<Sleeper>> {
    (0..count).map(|_| Arc::default()).collect()
}

fn is_woken(sleeper: &Arc<Sleeper>) -> bool {
    sleeper.sleep(Some(Monotonic(0)))
}

fn are_left(waking: &Waking, expected: &[Arc<Sleeper>]) -> bool {
    let left = waking.left.lock();
    left.sleepers.len() == expected.len()
        && left.sleepers.iter().zip(expected).all(|(one, other)| Arc::ptr_eq(one, other))
}

#[test]
fn a_call_wakes_the_first_itself_and_leaves_the_others_in_their_order() {
    let (waking, sleepers) = (Waking::default(), sleepers(5));
    for _ in 0..2 {
        let call = this_call_wakes_few();
        sleepers.iter().for_each(|sleeper| waking.wake(sleeper));
        drop(call);
        assert!(sleepers[..2].iter().all(is_woken));
        assert!(!sleepers[2..].iter().any(is_woken));
        // The second call finds them left already.
        assert!(are_left(&waking, &sleepers[2..]));
    }
    waking.end();
    waking.work();
    assert!(sleepers[2..].iter().all(is_woken));
}

#[test]
fn outside_of_a_call_and_after_the_end_everybody_is_woken_at_once() {
    let (waking, sleepers) = (Waking::default(), sleepers(5));
    sleepers.iter().for_each(|sleeper| waking.wake(sleeper));
    assert!(sleepers.iter().all(is_woken) && are_left(&waking, &[]));
    waking.end();
    let _call = this_call_wakes_few();
    sleepers.iter().for_each(|sleeper| waking.wake(sleeper));
    assert!(sleepers.iter().all(is_woken) && are_left(&waking, &[]));
}

#[test]
fn the_thread_wakes_all_who_are_left_again_and_again() {
    let (waking, sleepers) = (Arc::new(Waking::default()), sleepers(5));
    let works = Arc::clone(&waking);
    let thread = std::thread::spawn(move || works.work());
    for _ in 0..100 {
        let call = this_call_wakes_few();
        sleepers.iter().for_each(|sleeper| waking.wake(sleeper));
        drop(call);
        assert!(sleepers.iter().all(|sleeper| sleeper.sleep(None)));
    }
    waking.end();
    thread.join().expect("it ends");
}
