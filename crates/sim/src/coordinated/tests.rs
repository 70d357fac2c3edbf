use super::*;

/// The torture runs all of them, figure R12: here are a few of each moment.
#[test]
fn a_stop_at_any_call_leaves_a_transaction_whole_or_without_effect() {
    let mut past = Past::default();
    for number in (0..ENUMERATED).step_by(11) {
        let plan = StopPlan::of(number);
        let (one, problems) = run(&plan);
        assert_eq!(problems, Vec::<String>::new(), "case {number}: {:?}", plan.stops);
        assert_eq!(one.stops, 1, "case {number} stops where it says");
        past.recovered += one.recovered;
        past.committed += one.committed;
    }
    assert!(past.recovered > 2 && past.committed > 30, "{past:?}");
}

#[test]
fn transactions_at_once_and_stops_at_random_leave_each_message_at_one_place() {
    for number in ENUMERATED..ENUMERATED + 20 {
        let plan = StopPlan::of(number);
        let (_, problems) = run(&plan);
        assert_eq!(problems, Vec::<String>::new(), "case {number}: {plan:?}");
    }
}
