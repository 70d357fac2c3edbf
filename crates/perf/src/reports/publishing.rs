//! Whether what we found of publish/subscribe has the shape that a published curve has.
//!
//! Much of what was printed has a cause that is not here: a lock for each topic object, and a cache of 48 open queues.

use super::results::Results;
use super::shapes::{NOISE, Series, Verdict, at, first_and_last, n, peak};

type Judgement = Option<(Verdict, String)>;

/// What is lower than this of the peak has fallen.
const STAYS: f64 = 0.9;

fn null(results: &Results, transport: &str, topics: &str) -> Series {
    let of = [("transport", transport), ("mode", "round-trips"), ("topics", topics)];
    results.series("s3-null-publish", &of, "publishers", "publishes_per_second")
}

/// Where a series ends beside its peak, and whether it has stayed there.
fn end_beside_peak(series: &Series, what: &str) -> Option<(bool, String)> {
    let (_, (many, last)) = first_and_last(series)?;
    let (few, highest) = peak(series)?;
    let found = format!("peak {} a second with {few} {what}, {} with {many}", n(highest), n(last));
    Some((last >= STAYS * highest, found))
}

pub(super) fn clients_rise_to_a_plateau(results: &Results) -> Judgement {
    let (stays, found) = end_beside_peak(&null(results, "tcp", "shared"), "publishers")?;
    Some((if stays { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

pub(super) fn local_programs_fall_after_the_peak(results: &Results) -> Judgement {
    falls_after_the_peak(&null(results, "unix", "shared"), "the rate stays")
}

pub(super) fn one_topic_falls_after_the_peak(results: &Results) -> Judgement {
    falls_after_the_peak(&null(results, "embedded", "shared"), "who publishes takes no lock of the topic")
}

fn falls_after_the_peak(series: &Series, otherwise: &str) -> Judgement {
    let (stays, found) = end_beside_peak(series, "publishers")?;
    Some(match stays {
        true => (Verdict::BeatenByDesign, format!("{found}: {otherwise}")),
        false => (Verdict::Holds, found),
    })
}

pub(super) fn topics_of_their_own_do_not_meet(results: &Results) -> Judgement {
    let series = null(results, "embedded", "own");
    let (one, two) = (at(&series, 1.0)?, at(&series, 2.0)?);
    let found = format!("{} a second with one publisher, {} with two", n(one), n(two));
    Some((if two >= 2.0 * one * (1.0 - NOISE) { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn fan_out(results: &Results, transport: &str, persistent: &str, measure: &str) -> Series {
    let of = [("transport", transport), ("persistent", persistent)];
    results.series("s3-fan-out", &of, "subscribers", measure)
}

/// Microseconds that a subscriber adds to a publication: up to 48 of them, and beyond.
fn added(results: &Results, transport: &str, persistent: &str) -> Option<(f64, f64)> {
    let rates = fan_out(results, transport, persistent, "publishes_per_second");
    let time = |subscribers| Some(1e6 / at(&rates, subscribers).filter(|rate| *rate > 0.0)?);
    Some(((time(48.0)? - time(1.0)?) / 47.0, (time(200.0)? - time(49.0)?) / 151.0))
}

pub(super) fn rate_kinks_at_the_cache(results: &Results) -> Judgement {
    let rates = fan_out(results, "unix", "false", "messages_per_second");
    let (within, beyond) = (at(&rates, 48.0)?, [at(&rates, 49.0)?, at(&rates, 100.0)?, at(&rates, 200.0)?]);
    let least = beyond.into_iter().fold(f64::INFINITY, f64::min);
    let found = format!("{} messages a second with 48 subscribers, {} at least beyond", n(within), n(least));
    Some(match least >= STAYS * within {
        true => (Verdict::BeatenByDesign, format!("{found}: there is no cache of open queues")),
        false => (Verdict::Holds, found),
    })
}

pub(super) fn time_kinks_at_the_cache(results: &Results) -> Judgement {
    time_kinks(added(results, "unix", "false")?)
}

pub(super) fn persistent_time_kinks_at_the_cache(results: &Results) -> Judgement {
    time_kinks(added(results, "unix", "true")?)
}

fn time_kinks((within, beyond): (f64, f64)) -> Judgement {
    let found = format!("a subscriber adds {} µs up to 48, {} beyond", n(within), n(beyond));
    Some(if beyond <= 1.25 * within {
        (Verdict::BeatenByDesign, format!("{found}: there is no cache of open queues"))
    } else if beyond >= 1.7 * within {
        (Verdict::Holds, found)
    } else {
        (Verdict::DoesNotHold, found)
    })
}

pub(super) fn remote_is_parallel_to_local(results: &Results) -> Judgement {
    let (local, remote) = (added(results, "unix", "false")?.1, added(results, "tcp", "false")?.1);
    let found = format!("beyond 48 a subscriber adds {} µs, {} to a remote publisher", n(local), n(remote));
    let is_parallel = (remote / local - 1.0).abs() <= 0.25;
    Some((if is_parallel { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn triplets(results: &Results, (transport, persistent): (&str, &str), through: &str) -> Series {
    let of = [("transport", transport), ("persistent", persistent), ("through", through)];
    results.series("s3-triplets", &of, "publishers", "messages_per_second")
}

pub(super) fn triplets_fall_after_the_peak(results: &Results) -> Judgement {
    let topics = triplets(results, ("unix", "false"), "topic");
    falls_after_the_peak(&topics, "each publisher has a topic, and none a lock")
}

pub(super) fn persistent_triplets_are_near_to_queues(results: &Results) -> Judgement {
    beside_queues(results, ("unix", "true"), 0.86)
}

pub(super) fn remote_triplets_are_like_queues(results: &Results) -> Judgement {
    beside_queues(results, ("tcp", "false"), 1.0 - NOISE)
}

fn beside_queues(results: &Results, of: (&str, &str), least: f64) -> Judgement {
    let (topics, queues) = (triplets(results, of, "topic"), triplets(results, of, "queue"));
    let ((_, by_topic), (_, by_queue)) = (peak(&topics)?, peak(&queues)?);
    let found = format!("peak {} messages a second by topics, {} by queues", n(by_topic), n(by_queue));
    Some((if by_topic >= least * by_queue { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}
