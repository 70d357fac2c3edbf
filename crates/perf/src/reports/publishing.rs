//! Judgements of publish/subscribe: our figures against the shapes of published curves.
//!
//! Much of what was printed has a cause that is not here: a lock for each topic object, and a cache of 48
//! open queues.

use super::results::{Middle, Ratio, Results};
use super::shapes::{NOISE, Series, Verdict, at, first_and_last, n, peak};
use super::steps;

type Judgement = Option<(Verdict, String)>;

/// A value below this share of an earlier, higher one has fallen.
const STAYS: f64 = 0.9;

/// Publishers without subscribers, by transport and topic layout.
type Null<'a> = [(&'a str, &'a str); 3];

fn null<'a>(transport: &'a str, topics: &'a str) -> Null<'a> {
    [("transport", transport), ("mode", "round-trips"), ("topics", topics)]
}

fn null_rates(results: &Results, of: &Null<'_>) -> Vec<(f64, Middle)> {
    results.middles("s3-null-publish", of, "publishers", "publishes_per_second")
}

/// The deepest fall of a series: from what was the highest so far to what is lowest beside it.
struct Fall {
    from: (f64, f64),
    to: (f64, f64),
    ratio: Ratio,
}

impl Fall {
    /// None of a series of fewer than two points.
    fn of(series: &[(f64, Middle)]) -> Option<Self> {
        let mut highest = *series.first()?;
        let mut deepest: Option<Self> = None;
        for (place, middle) in &series[1..] {
            let ratio = middle.of_other(highest.1);
            if deepest.as_ref().is_none_or(|fall| ratio.value < fall.ratio.value) {
                let from = (highest.0, highest.1.median);
                deepest = Some(Self { from, to: (*place, middle.median), ratio });
            }
            if middle.median > highest.1.median {
                highest = (*place, *middle);
            }
        }
        deepest
    }

    /// Returns true if there is no fall to speak of.
    fn is_none(&self) -> bool {
        self.ratio.value >= STAYS
    }

    /// In words.
    fn text(&self, what: &str) -> String {
        let Self { from, to, ratio } = self;
        let (high, low, noise) = (n(from.1), n(to.1), ratio.noise(STAYS));
        format!(
            "{high} a second with {} {what}, {low} with {}, {} of it{noise}",
            from.0,
            to.0,
            n(ratio.value)
        )
    }
}

fn medians(series: &[(f64, Middle)]) -> Series {
    series.iter().map(|(place, middle)| (*place, middle.median)).collect()
}

pub(super) fn clients_rise_to_a_plateau(results: &Results) -> Judgement {
    let series = medians(&null_rates(results, &null("tcp", "shared")));
    let (_, (many, last)) = first_and_last(&series)?;
    let (few, highest) = peak(&series)?;
    let found = format!("peak {} a second with {few} publishers, {} with {many}", n(highest), n(last));
    Some((if last >= STAYS * highest { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// As printed: linear up to about the processors of the machine, then a falling rate at more processor time.
pub(super) fn local_programs_fall_after_the_peak(results: &Results) -> Judgement {
    let of = null("unix", "shared");
    let rates = null_rates(results, &of);
    let fall = Fall::of(&rates)?;
    let found = fall.text("publishers");
    if fall.is_none() {
        return Some((Verdict::BeatenByDesign, format!("{found}: the rate stays")));
    }
    let series = medians(&rates);
    let (few, highest) = peak(&series)?;
    let (_, (many, last)) = first_and_last(&series)?;
    let processors = results.workload("s3-null-publish").ok()?.processors()? as f64;
    let is_near = (0.5..=2.0).contains(&(few / processors));
    let is_linear = highest >= STAYS * few * at(&series, 1.0)?;
    let time = |publishers: f64| {
        let of = |measure| results.series("s3-null-publish", &of, "publishers", measure);
        Some(at(&of("server_cpu_us"), publishers)? + at(&of("client_cpu_us"), publishers)?)
    };
    let (at_peak, at_end) = (time(few)?, time(many)?);
    let found = format!(
        "{found}; peak {} with {few}, {processors} processors; {} µs of them a publication there, {} with {many}",
        n(highest),
        n(at_peak),
        n(at_end)
    );
    let falls = last < STAYS * highest && at_end > at_peak;
    Some((if is_near && is_linear && falls { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// The printed decline is that of a lock for each topic object: ours must be flat or rise.
pub(super) fn one_topic_does_not_fall(results: &Results) -> Judgement {
    let fall = Fall::of(&null_rates(results, &null("embedded", "shared")))?;
    let found = fall.text("publishers");
    Some(match fall.is_none() {
        true => (Verdict::BeatenByDesign, format!("{found}: who publishes takes no lock of the topic")),
        false => (Verdict::DoesNotHold, format!("{found}: it was to be flat or to rise")),
    })
}

pub(super) fn topics_of_their_own_do_not_meet(results: &Results) -> Judgement {
    let series = medians(&null_rates(results, &null("embedded", "own")));
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

/// Subscribers whose queues are kept open where there is a cache of them, and the distance within which a
/// peak is at the cache.
const CACHED: f64 = 48.0;
const CACHED_NEAR: f64 = 2.0;

pub(super) fn rate_kinks_at_the_cache(results: &Results) -> Judgement {
    let of = [("transport", "unix"), ("persistent", "false")];
    let rates = results.middles("s3-fan-out", &of, "subscribers", "messages_per_second");
    let series = medians(&rates);
    for needed in [CACHED, 49.0, 100.0, 200.0] {
        at(&series, needed)?;
    }
    let fall = Fall::of(&rates)?;
    let found = fall.text("subscribers");
    if fall.is_none() {
        return Some((Verdict::BeatenByDesign, format!("{found}: there is no cache of open queues")));
    }
    // A rate falls wherever the last of its subscribers cost more than the first: at a cache they cost about
    // twice as much.
    let (within, beyond) = added(results, "unix", "false")?;
    let is_at_cache = (peak(&series)?.0 - CACHED).abs() <= CACHED_NEAR && beyond >= KINKS * within;
    let found = format!("{found}; a subscriber adds {} µs up to 48, {} beyond", n(within), n(beyond));
    Some((if is_at_cache { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

pub(super) fn time_kinks_at_the_cache(results: &Results) -> Judgement {
    time_kinks(added(results, "unix", "false")?)
}

pub(super) fn persistent_time_kinks_at_the_cache(results: &Results) -> Judgement {
    time_kinks(added(results, "unix", "true")?)
}

/// So many times what a subscriber adds up to the cache and beyond it is about twice.
const KINKS: f64 = 1.7;

fn time_kinks((within, beyond): (f64, f64)) -> Judgement {
    let found = format!("a subscriber adds {} µs up to 48, {} beyond", n(within), n(beyond));
    Some(if beyond <= 1.25 * within {
        (Verdict::BeatenByDesign, format!("{found}: there is no cache of open queues"))
    } else if beyond >= KINKS * within {
        (Verdict::Holds, found)
    } else {
        (Verdict::DoesNotHold, found)
    })
}

pub(super) fn remote_is_parallel_to_local(results: &Results) -> Judgement {
    let (local, remote) = (added(results, "unix", "false")?.1, added(results, "tcp", "false")?.1);
    let found = format!(
        "beyond 48 a subscriber adds {} µs, {} to a remote publisher; of the time of a remote publication: {}",
        n(local),
        n(remote),
        steps::said(&fan_out(results, "tcp", "false", "publish_us"), "µs")
    );
    let is_parallel = (remote / local - 1.0).abs() <= 0.25;
    Some((if is_parallel { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn triplets(results: &Results, (transport, persistent): (&str, &str), through: &str) -> Vec<(f64, Middle)> {
    let of = [("transport", transport), ("persistent", persistent), ("through", through)];
    results.middles("s3-triplets", &of, "publishers", "messages_per_second")
}

/// Returns true if a series holds its peak, and describes its end.
fn holds_its_peak(series: &[(f64, Middle)], what: &str) -> Option<(bool, String)> {
    let (few, highest) = peak(&medians(series))?;
    let place = series.iter().position(|point| point.0 == few)?;
    Some(Fall::of(&series[place..]).map_or_else(
        || (true, format!("peak {} a second with {few} {what}, the most", n(highest))),
        |fall| (fall.is_none(), format!("peak {}", fall.text(what))),
    ))
}

/// Each of our publishers has a topic of its own: what was printed of such is that they hold their peak.
pub(super) fn own_triplets_hold_their_peak(results: &Results) -> Judgement {
    let of = ("unix", "false");
    let (holds, topics) = holds_its_peak(&triplets(results, of, "topic"), "publishers")?;
    let (_, queues) = holds_its_peak(&triplets(results, of, "queue"), "producers")?;
    let found = format!("by topics {topics}; by queues {queues}");
    Some((if holds { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// Peaks by topics and by queues.
fn beside_queues(results: &Results, of: (&str, &str)) -> Option<(Ratio, String)> {
    let highest = |through| {
        let series = triplets(results, of, through).into_iter().map(|(_, middle)| middle);
        series.max_by(|one, other| one.median.total_cmp(&other.median))
    };
    let (topics, queues) = (highest("topic")?, highest("queue")?);
    let found =
        format!("peak {} messages a second by topics, {} by queues", n(topics.median), n(queues.median));
    Some((topics.of_other(queues), found))
}

pub(super) fn persistent_triplets_are_near_to_queues(results: &Results) -> Judgement {
    const LEAST: f64 = 0.86;
    let (ratio, found) = beside_queues(results, ("unix", "true"))?;
    let (stays, topics) = holds_its_peak(&triplets(results, ("unix", "true"), "topic"), "publishers")?;
    let found = format!("{found}{}; by topics {topics}", ratio.noise(LEAST));
    Some((if stays && ratio.value >= LEAST { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// The most that JMS is below native clients, and the least, as shares of their rate.
const JMS_SHARES: (f64, f64) = (0.65, 0.8);

pub(super) fn jms_is_below_native(results: &Results) -> Judgement {
    let mut found = Vec::new();
    let mut least = f64::INFINITY;
    let mut most = 0.0_f64;
    for (workload, along) in [("s3-jms-fan-out", "subscribers"), ("s3-jms-triplets", "publishers")] {
        let peak = |api| {
            let series = results.middles(workload, &[("api", api)], along, "messages_per_second");
            series.into_iter().map(|(_, rate)| rate).max_by(|one, other| one.median.total_cmp(&other.median))
        };
        let ratio = peak("jms")?.of_other(peak("native")?);
        (least, most) = (least.min(ratio.value), most.max(ratio.value));
        found.push(format!(
            "{workload}: {} times the native peak{}",
            n(ratio.value),
            ratio.noise(JMS_SHARES.0)
        ));
    }
    let verdict = match (least < JMS_SHARES.0, most > JMS_SHARES.1) {
        (true, _) => Verdict::DoesNotHold,
        (false, true) => Verdict::BeatenByDesign,
        (false, false) => Verdict::Holds,
    };
    Some((verdict, found.join("; ")))
}

pub(super) fn remote_triplets_are_like_queues(results: &Results) -> Judgement {
    const APART_MAX: f64 = 0.02;
    let (ratio, found) = beside_queues(results, ("tcp", "false"))?;
    let holds = (ratio.value - 1.0).abs() <= APART_MAX;
    let limit = if ratio.value < 1.0 { 1.0 - APART_MAX } else { 1.0 + APART_MAX };
    let found = format!("{found}: {} times{}", n(ratio.value), ratio.noise(limit));
    Some((if holds { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}
