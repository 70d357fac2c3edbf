//! Judgements: our figures against the shapes of published curves.
//!
//! A shape holds, or it does not, or it is beaten by design: the knee, the fall or the flat stretch that was
//! printed has a cause that is not here. A shape with a missing run is not judged.

use anyhow::Result;

use super::published::{self, Shape};
use super::publishing;
use super::results::{Middle, Ratio, Results};

/// The judgement of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Holds,
    BeatenByDesign,
    DoesNotHold,
    NotRun,
}

impl Verdict {
    pub(super) const ALL: [Self; 4] = [Self::Holds, Self::BeatenByDesign, Self::DoesNotHold, Self::NotRun];

    /// In words.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::BeatenByDesign => "beaten by design",
            Self::DoesNotHold => "does not hold",
            Self::NotRun => "not run",
        }
    }
}

/// A shape, judged.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) shape: Shape,
    pub(super) verdict: Verdict,
    /// The figures that the verdict rests on.
    pub(super) found: String,
}

/// The rule by which a shape is judged.
enum Rule {
    /// By runs of these workloads; none when one that is needed is missing. With the cause, where it does not
    /// hold.
    Runs(&'static [&'static str], fn(&Results) -> Option<(Verdict, String)>, &'static str),
    /// It waits for what a workload waits for.
    Waits(&'static str),
    /// No workload shows it, for this reason.
    No(&'static str),
}

const RULES: &[(&str, Rule)] = &[
    ("SH-01", Rule::No("needs MSMQ on the same machine")),
    ("SH-02", Rule::Runs(&["s1-transactional-grid"], transactional_rate_by_threads, ONE_RESPONDER)),
    ("SH-03", Rule::Runs(&["s1-transactional-by-size"], throughput_by_size, ONE_RESPONDER)),
    ("SH-04", Rule::Runs(&["s1-persistent-grid"], one_pair_needs_no_disk, GETTER_COMES_LATE)),
    ("SH-05", Rule::Runs(&["s1-persistent-grid"], flat_after_the_peak, ONE_RESPONDER)),
    ("SH-06", Rule::Runs(&["s1-persistent-grid"], no_collapse, MORE_THAN_PROCESSORS)),
    ("SH-07", Rule::Runs(&["s1-persistent-grid"], inside_beside_outside, GETTER_COMES_LATE)),
    ("SH-08", Rule::Runs(&["s1-preloaded", "s1-preloaded-deep"], independent_of_depth, MESSAGES_IN_MEMORY)),
    ("SH-09", Rule::No("there is no search without an index that could be switched on")),
    ("SH-10", Rule::Runs(&["s2-compression"], fast_ways_win_with_few_clients, NO_NETWORK)),
    ("SH-11", Rule::Runs(&["s2-compression"], long_messages_gain, NO_NETWORK)),
    ("SH-12", Rule::Runs(&["s2-non-persistent-by-clients"], gentle_decline, MORE_THAN_PROCESSORS)),
    (
        "SH-13",
        Rule::Runs(
            &["s2-between-queue-managers", "s2-non-persistent-by-clients"],
            far_beside_near,
            ONE_MACHINE,
        ),
    ),
    ("SH-14", Rule::Runs(&["s2-jms"], jms_peaks_like_native, JAVA_SHARES)),
    ("SH-15", Rule::Runs(&["s2-persistent-by-clients"], log_writes_grow, MORE_THAN_PROCESSORS)),
    ("SH-16", Rule::Runs(&["s2-log-devices"], faster_log_faster_rate, DISK_NEAR_MEMORY)),
    ("SH-17", Rule::Runs(&["s2-tls"], encryption_costs_little, CLIENTS_ENCRYPT_HERE)),
    (
        "SH-18",
        Rule::No(
            "shown by tests of the server with a disk that is slow, and one that is throttled: each slow write is reported once, with both times",
        ),
    ),
    ("SH-19", Rule::Runs(&["s3-null-publish"], publishing::clients_rise_to_a_plateau, MORE_THAN_PROCESSORS)),
    (
        "SH-20",
        Rule::Runs(
            &["s3-null-publish"],
            publishing::local_programs_fall_after_the_peak,
            MORE_THAN_PROCESSORS,
        ),
    ),
    ("SH-21", Rule::Runs(&["s3-null-publish"], publishing::one_topic_does_not_fall, MORE_THAN_PROCESSORS)),
    (
        "SH-22",
        Rule::Runs(&["s3-null-publish"], publishing::topics_of_their_own_do_not_meet, MORE_THAN_PROCESSORS),
    ),
    ("SH-23", Rule::Runs(&["s3-fan-out"], publishing::rate_kinks_at_the_cache, SUBSCRIBERS_SHARE)),
    ("SH-24", Rule::Runs(&["s3-fan-out"], publishing::time_kinks_at_the_cache, SUBSCRIBERS_SHARE)),
    ("SH-25", Rule::No("there is no cache of open queues whose size could be set")),
    ("SH-26", Rule::Runs(&["s3-fan-out"], publishing::persistent_time_kinks_at_the_cache, SUBSCRIBERS_SHARE)),
    ("SH-27", Rule::Runs(&["s3-fan-out"], publishing::remote_is_parallel_to_local, SUBSCRIBERS_SHARE)),
    ("SH-28", Rule::Runs(&["s3-triplets"], publishing::own_triplets_hold_their_peak, MORE_THAN_PROCESSORS)),
    ("SH-29", Rule::Runs(&["s3-triplets"], publishing::persistent_triplets_are_near_to_queues, COPY_EACH)),
    ("SH-30", Rule::Runs(&["s3-triplets"], publishing::remote_triplets_are_like_queues, COPY_EACH)),
    (
        "SH-31",
        Rule::Runs(&["s3-jms-fan-out", "s3-jms-triplets"], publishing::jms_is_below_native, JAVA_SHARES),
    ),
    ("SH-32", Rule::Waits("s3-clusters")),
    ("SH-33", Rule::Runs(&["s4-express"], express_falls_with_size, CALLS_OUTWEIGH_BYTES)),
    ("SH-34", Rule::Runs(&["s4-recoverable"], three_threads_beat_one, PUTS_SHARE_ALREADY)),
    ("SH-35", Rule::Runs(&["s4-external-transactions"], internal_beats_two_phases, TWO_FORCES_MORE)),
    ("SH-36", Rule::Runs(&["s4-recoverable-by-threads"], rate_grows_with_threads, PUTS_SHARE_ALREADY)),
    ("SH-37", Rule::Runs(&["s4-transactional"], fifty_a_transaction, PUTS_SHARE_ALREADY)),
    ("SH-38", Rule::Runs(&["s4-networked"], backlog_drains, BATCHES_ARE_FORCED)),
    ("SH-39", Rule::Waits("s5-bridge")),
    ("SH-40", Rule::Waits("s5-bridge")),
    ("SH-41", Rule::Waits("s5-bridge")),
    ("SH-42", Rule::Waits("s5-bridge")),
];

// Causes of shapes that do not hold, a sentence each. They are of the product and of one machine for all;
// what the runs themselves tell, a busy machine or a short time, stands before them.
const ONE_RESPONDER: &str =
    "The one responder answers one request after the other and is the limit, however many ask.";
const GETTER_COMES_LATE: &str = "A message is handed over without the log only to a getter that waits already, and its getter mostly comes later.";
const MORE_THAN_PROCESSORS: &str = "Clients and queue manager share the processors of one machine, and more clients take more of them from it.";
const MESSAGES_IN_MEMORY: &str =
    "What lies on the queue takes memory and caches from the messages that pass.";
const ONE_MACHINE: &str = "Both queue managers and all clients share the processors of one machine, and there is no network whose traffic is halved.";
const NO_NETWORK: &str = "No network is short between programs of one machine, so that compression costs processor time and saves none.";
const CLIENTS_ENCRYPT_HERE: &str =
    "Clients encrypt on the processors that the queue manager needs, and not on machines of their own.";
const DISK_NEAR_MEMORY: &str = "The disk of this machine confirms a forced write nearly as fast as memory takes it, so that processors decide.";
const SUBSCRIBERS_SHARE: &str = "Subscribers share the processors with the publisher, so that the more there are the longer each waits for its turn.";
const COPY_EACH: &str =
    "A publication is made a copy for its subscription, which a message that is put on a queue is not.";
const CALLS_OUTWEIGH_BYTES: &str = "The cost of a call outweighs that of the bytes at these lengths.";
const PUTS_SHARE_ALREADY: &str = "Asynchronous puts of one thread share forced writes already, so that more threads or larger units gain less.";
const TWO_FORCES_MORE: &str =
    "Two phases force three writes in a row instead of one: the preparation, the decision and the commit.";
const JAVA_SHARES: &str =
    "Programs in Java take more of the processors, which they share with the queue manager on one machine.";
const BATCHES_ARE_FORCED: &str =
    "Batches of recoverable messages are forced at both ends, which express ones are not.";

/// Every shape of a report, judged by what was run.
pub(super) fn judge(report: &str, results: &Results) -> Result<Vec<Judged>> {
    let shapes = published::shapes()?.into_iter().filter(|shape| shape.report == report);
    shapes
        .map(|shape| {
            let (verdict, found) = verdict(&shape.id, results)?;
            Ok(Judged { shape, verdict, found })
        })
        .collect()
}

pub(super) fn verdict(id: &str, results: &Results) -> Result<(Verdict, String)> {
    let rule = RULES.iter().find(|(known, _)| *known == id).map(|(_, rule)| rule);
    Ok(match rule {
        None => (Verdict::NotRun, "nobody says how it is judged".to_owned()),
        Some(Rule::No(reason)) => (Verdict::NotRun, (*reason).to_owned()),
        Some(Rule::Waits(workload)) => {
            let reason = results.workload(workload)?.not_yet().unwrap_or("nobody says how it is judged");
            (Verdict::NotRun, reason.to_owned())
        }
        Some(Rule::Runs(workloads, judge, cause)) => match judge(results) {
            None => {
                (Verdict::NotRun, format!("points of {} that it needs were not run", workloads.join(" and ")))
            }
            Some((Verdict::DoesNotHold, found)) => {
                let told = told_by_runs(workloads, results)?;
                (Verdict::DoesNotHold, format!("{found}. Cause: {told}{cause}"))
            }
            Some(judged) => judged,
        },
    })
}

/// Runs shorter than that settle little.
const SECONDS_MIN: f64 = 1.0;

/// From this part of the processors on others decided as well.
const BUSY: f64 = 0.1;

/// A cause that the runs tell themselves: others kept the machine busy, or time was short.
fn told_by_runs(workloads: &[&str], results: &Results) -> Result<String> {
    let (mut least_seconds, mut most_busy) = (f64::INFINITY, 0.0_f64);
    for workload in workloads {
        for run in results.workload(workload)?.points.iter().flat_map(|point| &point.runs) {
            least_seconds = run.seconds().map_or(least_seconds, |seconds| least_seconds.min(seconds));
            most_busy = run.machine.busy.map_or(most_busy, |busy| most_busy.max(busy));
        }
    }
    let mut told = String::new();
    if most_busy > BUSY {
        told = format!("Other programs used {:.0} % of the processors. ", most_busy * 100.0);
    }
    if least_seconds < SECONDS_MIN {
        told.push_str(&format!("A run of {least_seconds:.1} s settles little. "));
    }
    Ok(told)
}

pub(super) type Series = Vec<(f64, f64)>;

pub(super) fn first_and_last(series: &Series) -> Option<((f64, f64), (f64, f64))> {
    (series.len() > 1).then_some((*series.first()?, *series.last()?))
}

pub(super) fn peak(series: &Series) -> Option<(f64, f64)> {
    series.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1))
}

pub(super) fn at(series: &Series, x: f64) -> Option<f64> {
    series.iter().find(|point| point.0 == x).map(|point| point.1)
}

/// Whole numbers where they are large, a few digits where they are small.
pub(super) fn n(value: f64) -> String {
    crate::report::number(value, if value.abs() >= 100.0 { 0 } else { 2 })
}

const ROUND_TRIPS: &str = "round_trips_per_second";

/// Runs differ by so much without a cause in the product; what is closer counts as equal.
pub(super) const NOISE: f64 = 0.05;

fn transactional_rate_by_threads(results: &Results) -> Option<(Verdict, String)> {
    let series = results.series("s1-transactional-grid", &[("bytes", "1024")], "requesters", ROUND_TRIPS);
    // The published rate is flat beyond two.
    let beyond: Series = series.into_iter().filter(|point| point.0 >= 2.0).collect();
    let ((few, first), (many, last)) = first_and_last(&beyond)?;
    let found = format!(
        "1 KB: {} a second with {few} requesters, {} with {many}, {} times: commits share their forced writes, which cannot be switched off",
        n(first),
        n(last),
        n(last / first)
    );
    Some(if last > 1.1 * first { (Verdict::BeatenByDesign, found) } else { (Verdict::DoesNotHold, found) })
}

fn throughput_by_size(results: &Results) -> Option<(Verdict, String)> {
    let of = |measure| results.series("s1-transactional-by-size", &[], "bytes", measure);
    let (throughput, rate) = (of("kilobytes_per_second"), of(ROUND_TRIPS));
    let ((small, least), (large, most)) = first_and_last(&throughput)?;
    let (_, (_, slowest)) = first_and_last(&rate)?;
    let grows = throughput.windows(2).all(|pair| pair[1].1 >= pair[0].1 * (1.0 - NOISE));
    let falls = slowest < rate.first()?.1;
    let found = format!(
        "{} kB/s at {small} bytes, {} at {large}; {} and {} a second; {} sizes",
        n(least),
        n(most),
        n(rate.first()?.1),
        n(slowest),
        throughput.len()
    );
    Some((if grows && falls { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// Bytes of log for a round trip of two messages of 1 KB that show that neither message was logged.
const LOG_FREE_BYTES: f64 = 100.0;

fn persistent(results: &Results, units: &str, measure: &str) -> Series {
    results.series("s1-persistent-grid", &[("units", units)], "requesters", measure)
}

fn one_pair_needs_no_disk(results: &Results) -> Option<(Verdict, String)> {
    let log = at(&persistent(results, "none", "log_bytes"), 1.0)?;
    let rates = persistent(results, "none", ROUND_TRIPS);
    let one = at(&rates, 1.0)?;
    let plateau = rates.iter().filter(|point| point.0 > 1.0).map(|point| point.1).fold(f64::NAN, f64::min);
    if plateau.is_nan() {
        return None;
    }
    let found = format!(
        "1 requester: {} bytes of log a round trip, {} a second; more of them: {} at least",
        n(log),
        n(one),
        n(plateau)
    );
    Some(if log > LOG_FREE_BYTES {
        (Verdict::DoesNotHold, found)
    } else if one >= 5.0 * plateau {
        (Verdict::Holds, found)
    } else {
        (
            Verdict::BeatenByDesign,
            format!("{found}: forced writes are shared, so that there is no fall to the disk's rate"),
        )
    })
}

fn flat_after_the_peak(results: &Results) -> Option<(Verdict, String)> {
    let rates = persistent(results, "none", ROUND_TRIPS);
    let few: Series = rates.into_iter().filter(|point| (2.0..=15.0).contains(&point.0)).collect();
    let ((from, first), (to, last)) = first_and_last(&few)?;
    let low = few.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let (_, high) = peak(&few)?;
    let found =
        format!("{from} to {to} requesters: {} to {} a second, {} times", n(low), n(high), n(high / low));
    Some(if high < 1.1 * low {
        (Verdict::Holds, found)
    } else if last >= (1.0 - NOISE) * high && last > first {
        (Verdict::BeatenByDesign, format!("{found}: the rate rises, as forced writes are shared"))
    } else {
        (Verdict::DoesNotHold, found)
    })
}

fn no_collapse(results: &Results) -> Option<(Verdict, String)> {
    // The published peak of the same chart leaves the point out that needs no disk.
    let rates: Series =
        persistent(results, "none", ROUND_TRIPS).into_iter().filter(|point| point.0 > 1.0).collect();
    let last = at(&rates, 120.0)?;
    let (many, peak) = peak(&rates)?;
    let found = format!(
        "{} a second with 120 requesters, peak {} with {many}: {} of it",
        n(last),
        n(peak),
        n(last / peak)
    );
    Some((if last >= 0.9 * peak { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn inside_beside_outside(results: &Results) -> Option<(Verdict, String)> {
    let (inside, outside) =
        (persistent(results, "responders", ROUND_TRIPS), persistent(results, "none", ROUND_TRIPS));
    let log = persistent(results, "responders", "log_bytes");
    let least = log.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let ratios: Vec<f64> = inside
        .iter()
        .filter_map(|(x, rate)| Some(rate / at(&outside, *x).filter(|rate| *rate > 0.0)?))
        .collect();
    let low = ratios.iter().copied().reduce(f64::min)?;
    let high = ratios.iter().copied().reduce(f64::max)?;
    let found = format!(
        "inside is {} to {} of outside; at least {} bytes of log a round trip inside",
        n(low),
        n(high),
        n(least)
    );
    Some(if least <= LOG_FREE_BYTES {
        (Verdict::DoesNotHold, found)
    } else if low > 0.7 {
        (Verdict::BeatenByDesign, format!("{found}: a unit of work costs no forced write of its own"))
    } else {
        (Verdict::Holds, found)
    })
}

/// Least share of the rate on an empty queue that a deep one keeps.
const DEEP: f64 = 0.98;

fn independent_of_depth(results: &Results) -> Option<(Verdict, String)> {
    let mut holds = true;
    let mut found = Vec::new();
    for (workload, needed) in [("s1-preloaded", Some(1000.0)), ("s1-preloaded-deep", None)] {
        let series = results.middles(workload, &[], "preloaded", ROUND_TRIPS);
        if needed.is_some_and(|depth| series.iter().all(|point| point.0 != depth)) {
            return None;
        }
        let empty = series.first().filter(|point| point.0 == 0.0).map(|point| point.1);
        let ratio = |middle: Middle| Some(middle.of_other(empty?));
        let deep = series.iter().skip(1).filter_map(|(depth, middle)| Some((depth, middle, ratio(*middle)?)));
        let lowest = deep.min_by(|one, other| one.2.value.total_cmp(&other.2.value));
        let (Some(empty), Some((depth, middle, ratio))) = (empty, lowest) else {
            if needed.is_some() {
                return None;
            }
            continue;
        };
        holds &= ratio.value >= DEEP;
        found.push(format!(
            "{} a second at 0, {} at {}, the lowest of {} depths{}",
            n(empty.median),
            n(middle.median),
            crate::report::number(*depth, 0),
            series.len() - 1,
            ratio.noise(DEEP)
        ));
    }
    Some((if holds { Verdict::Holds } else { Verdict::DoesNotHold }, found.join("; ")))
}

fn gentle_decline(results: &Results) -> Option<(Verdict, String)> {
    let mut found = Vec::new();
    let mut verdict = Verdict::Holds;
    for (mode, called) in [("pipelined", "pipelined"), ("round-trips", "every call a round trip")] {
        let series =
            results.series("s2-non-persistent-by-clients", &[("mode", mode)], "requesters", ROUND_TRIPS);
        let (_, (many, last)) = first_and_last(&series)?;
        let (at, peak) = peak(&series)?;
        if last < 0.85 * peak {
            verdict = Verdict::DoesNotHold;
        }
        found.push(format!(
            "{called}: peak {} with {at}, {} with {many}, {} of it",
            n(peak),
            n(last),
            n(last / peak)
        ));
    }
    Some((verdict, found.join("; ")))
}

/// Least times the rate of clients of one queue manager that counts as the printed 1.56.
const FAR_AHEAD: f64 = 1.3;

/// The highest rate of a workload, and the number of requesters that it was reached with.
fn highest(results: &Results, workload: &str, settings: &[(&str, &str)]) -> Option<(f64, Middle)> {
    let series = results.middles(workload, settings, "requesters", ROUND_TRIPS).into_iter();
    series.max_by(|one, other| one.1.median.total_cmp(&other.1.median))
}

fn far_beside_near(results: &Results) -> Option<(Verdict, String)> {
    let (many, far) = highest(results, "s2-between-queue-managers", &[("bytes", "2048")])?;
    let (few, near) = highest(results, "s2-non-persistent-by-clients", &[("mode", "pipelined")])?;
    let ratio = far.of_other(near);
    let found = format!(
        "2 KB: peak {} a second with {many} requesters between two queue managers, {} with {few} clients of one, {} times{}",
        n(far.median),
        n(near.median),
        n(ratio.value),
        ratio.noise(FAR_AHEAD)
    );
    Some((if ratio.value >= FAR_AHEAD { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn compressed(results: &Results, bytes: &str, way: &str, measure: &str) -> Series {
    results.series("s2-compression", &[("bytes", bytes), ("compress", way)], "requesters", measure)
}

fn fast_ways_win_with_few_clients(results: &Results) -> Option<(Verdict, String)> {
    let of = |way| compressed(results, "20480", way, ROUND_TRIPS);
    let (lz4, zlib) = (of("lz4fast"), of("zlibfast"));
    let ((few, lz4_few), (many, lz4_many)) = first_and_last(&lz4)?;
    let (zlib_few, zlib_many) = (at(&zlib, few)?, at(&zlib, many)?);
    let found = format!(
        "20 KB: {} a second by LZ4FAST and {} by ZLIBFAST with {few} requesters, {} and {} with {many}",
        n(lz4_few),
        n(zlib_few),
        n(lz4_many),
        n(zlib_many)
    );
    let holds = lz4_few > zlib_few && zlib_many > lz4_many;
    Some((if holds { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// A gain that is none, and one that is large, in times of the rate without compression.
const NO_GAIN: f64 = 1.1;
const LARGE_GAIN: f64 = 1.5;

fn long_messages_gain(results: &Results) -> Option<(Verdict, String)> {
    let best = |bytes| {
        let plain = peak(&compressed(results, bytes, "none", ROUND_TRIPS))?.1;
        let rates = ["lz4fast", "zlibfast"].map(|way| compressed(results, bytes, way, ROUND_TRIPS));
        let rates: Option<Vec<f64>> = rates.iter().map(|rates| peak(rates).map(|peak| peak.1)).collect();
        Some(rates?.into_iter().fold(0.0, f64::max) / plain)
    };
    let saved = |way| peak(&compressed(results, "204800", way, "saved_percent")).map(|saved| saved.1);
    let (short, middle, long) = (best("2048")?, best("20480")?, best("204800")?);
    let (lz4, zlib) = (saved("lz4fast")?, saved("zlibfast")?);
    let found = format!(
        "{} times the plain rate at 2 KB, {} at 20 KB, {} at 200 KB; LZ4FAST saves {} % of 200 KB, ZLIBFAST {} %",
        n(short),
        n(middle),
        n(long),
        n(lz4),
        n(zlib)
    );
    let holds = short < NO_GAIN && middle > LARGE_GAIN && long > LARGE_GAIN && lz4 < zlib;
    Some((if holds { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// Least shares of the plain rate: near parity, and what TLS 1.3 leaves.
const NEAR_PARITY: f64 = 0.9;
const BY_TLS_1_3: f64 = 0.75;

fn encryption_costs_little(results: &Results) -> Option<(Verdict, String)> {
    let of = |persistent, tls| {
        highest(results, "s2-tls", &[("persistent", persistent), ("tls", tls)]).map(|peak| peak.1.median)
    };
    let share = |persistent, tls| Some(of(persistent, tls)? / of(persistent, "none")?);
    let (earlier, later) = ("ECDHE_ECDSA_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384");
    let (tls_1_2, tls_1_3, logged) =
        (share("false", earlier)?, share("false", later)?, share("true", later)?);
    let found = format!(
        "AES-256-GCM leaves {} of the plain rate by TLS 1.2 and {} by TLS 1.3, {} with persistent messages",
        n(tls_1_2),
        n(tls_1_3),
        n(logged)
    );
    let holds = tls_1_2 >= NEAR_PARITY && tls_1_3 >= BY_TLS_1_3 && logged > tls_1_3;
    Some((if holds { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// Least share of the native peak that JMS reaches.
const JMS_PEAK: f64 = 0.95;

fn jms_peaks_like_native(results: &Results) -> Option<(Verdict, String)> {
    let peak = |api| highest(results, "s2-jms", &[("api", api), ("bytes", "2048")]);
    let ((many, jms), (few, native)) = (peak("jms")?, peak("native")?);
    let ratio = jms.of_other(native);
    let found = format!(
        "2 KB: peak {} a second with {many} requesters of JMS, {} with {few} native ones, {} times{}",
        n(jms.median),
        n(native.median),
        n(ratio.value),
        ratio.noise(JMS_PEAK)
    );
    Some((if ratio.value >= JMS_PEAK { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// Least share of the rate of express messages at which recoverable ones of a backlog drain.
const BACKLOG: f64 = 0.88;

fn backlog_drains(results: &Results) -> Option<(Verdict, String)> {
    let of = |persistent| {
        results.series("s4-networked", &[("persistent", persistent)], "bytes", "gets_per_second")
    };
    let (express, recoverable) = (of("false"), of("true"));
    let ratios = recoverable.iter().filter_map(|(bytes, rate)| Some((*bytes, rate / at(&express, *bytes)?)));
    let ratios: Series = ratios.collect();
    first_and_last(&ratios)?;
    let (bytes, least) = ratios.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1))?;
    let found = format!(
        "a backlog of recoverable messages drains at {} of the rate of express ones at least, at {bytes} bytes: {} a second there",
        n(least),
        n(at(&recoverable, bytes)?)
    );
    Some((if least >= BACKLOG { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn log_writes_grow(results: &Results) -> Option<(Verdict, String)> {
    let of = |measure| results.series("s2-persistent-by-clients", &[], "requesters", measure);
    let ((few, small), (many, large)) = first_and_last(&of("bytes_per_force"))?;
    let ((_, slow), (_, fast)) = first_and_last(&of(ROUND_TRIPS))?;
    let found = format!(
        "{} bytes a forced write with {few} requester(s), {} with {many}; {} and {} a second",
        n(small),
        n(large),
        n(slow),
        n(fast)
    );
    Some((if large > small && fast > slow { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

/// The three logs stand for SSD, SAN and NFS: each is to be faster than the next at every size, and the first
/// the further ahead of the last the larger the messages are.
fn faster_log_faster_rate(results: &Results) -> Option<(Verdict, String)> {
    let of = |log| results.middles("s2-log-devices", &[("log", log)], "bytes", ROUND_TRIPS);
    let (memory, disk, slowed) = (of("memory"), of("disk"), of("slowed"));
    let ratios = |fast: &[(f64, Middle)], slow: &[(f64, Middle)]| -> Vec<(f64, Ratio)> {
        let other = |x: f64| slow.iter().find(|point| point.0 == x).map(|point| point.1);
        fast.iter().filter_map(|(x, rate)| Some((*x, rate.of_other(other(*x)?)))).collect()
    };
    let (of_disk, of_slowed, gaps) =
        (ratios(&memory, &disk), ratios(&disk, &slowed), ratios(&memory, &slowed));
    if of_disk.len() < 2 || of_slowed.len() != of_disk.len() || gaps.len() != of_disk.len() {
        return None;
    }
    let is_ordered = of_disk.iter().chain(&of_slowed).all(|(_, ratio)| ratio.value > 1.0);
    let widens = gaps.windows(2).all(|pair| pair[1].1.value > pair[0].1.value);
    // What parts a gap from the one before it, or a log from the next.
    let said = |ratios: &[(f64, Ratio)], limit: &dyn Fn(usize) -> Option<f64>| {
        let each = ratios.iter().enumerate().map(|(place, (_, ratio))| {
            let noise = limit(place).map_or_else(String::new, |limit| ratio.noise(limit));
            format!("{}{noise}", n(ratio.value))
        });
        each.collect::<Vec<_>>().join(", ")
    };
    let before = |place: usize| Some(gaps[place.checked_sub(1)?].1.value);
    let sizes = gaps.iter().map(|(bytes, _)| bytes.to_string()).collect::<Vec<_>>().join(", ");
    let found = format!(
        "at {sizes} bytes a log in memory gives {} times the rate of one on the disk, that {} times the rate of one whose writes \
         take 2 ms longer; from the first to the last {}",
        said(&of_disk, &|_| Some(1.0)),
        said(&of_slowed, &|_| Some(1.0)),
        said(&gaps, &before)
    );
    Some((if is_ordered && widens { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn express_falls_with_size(results: &Results) -> Option<(Verdict, String)> {
    let of = |measure| results.series("s4-express", &[("transport", "unix")], "bytes", measure);
    let mut found = Vec::new();
    let mut verdict = Verdict::Holds;
    for (what, measure) in [("sent", "puts_per_second"), ("received", "gets_per_second")] {
        let ((small, first), (large, last)) = first_and_last(&of(measure))?;
        if last >= first {
            verdict = Verdict::DoesNotHold;
        }
        found.push(format!("{what}: {} a second of {small} bytes, {} of {large}", n(first), n(last)));
    }
    Some((verdict, found.join("; ")))
}

fn three_threads_beat_one(results: &Results) -> Option<(Verdict, String)> {
    let of = |measure| results.series("s4-recoverable", &[("bytes", "1000")], "threads", measure);
    let (rates, forces) = (of("puts_per_second"), of("put_forces"));
    let (one, three) = (at(&rates, 1.0)?, at(&rates, 3.0)?);
    let (lone, shared) = (at(&forces, 1.0)?, at(&forces, 3.0)?);
    let found = format!(
        "1,000 bytes: {} a second with one thread, {} with three ({} times); {} and {} forced writes a message",
        n(one),
        n(three),
        n(three / one),
        n(lone),
        n(shared)
    );
    Some((if three >= 1.2 * one && shared < lone { Verdict::Holds } else { Verdict::DoesNotHold }, found))
}

fn internal_beats_two_phases(results: &Results) -> Option<(Verdict, String)> {
    let of = |ending, measure| {
        let settings = [("ending", ending), ("threads", "1"), ("unit", "1")];
        at(&results.series("s4-external-transactions", &settings, "bytes", measure), 1000.0)
    };
    let mut found = Vec::new();
    let mut least = f64::INFINITY;
    for (what, measure) in [("sent", "puts_per_second"), ("received", "gets_per_second")] {
        let (internal, external) = (of("internal", measure)?, of("two-phase", measure)?);
        least = least.min(internal / external);
        found.push(format!(
            "{what}: {} and {} a second ({} times)",
            n(internal),
            n(external),
            n(internal / external)
        ));
    }
    Some((if least >= 2.0 { Verdict::Holds } else { Verdict::DoesNotHold }, found.join("; ")))
}

fn rate_grows_with_threads(results: &Results) -> Option<(Verdict, String)> {
    let of = |measure| results.series("s4-recoverable-by-threads", &[], "threads", measure);
    let mut found = Vec::new();
    let mut verdict = Verdict::Holds;
    for (what, measure) in [("sent", "puts_per_second"), ("received", "gets_per_second")] {
        let series = of(measure);
        let (one, fifty) = (at(&series, 1.0)?, at(&series, 50.0)?);
        if fifty < 8.0 * one {
            verdict = Verdict::DoesNotHold;
        }
        found.push(format!("{what}: {} and {} a second ({} times)", n(one), n(fifty), n(fifty / one)));
    }
    Some((verdict, found.join("; ")))
}

fn fifty_a_transaction(results: &Results) -> Option<(Verdict, String)> {
    let of = |unit| {
        results.series("s4-transactional", &[("threads", "5"), ("unit", unit)], "bytes", "puts_per_second")
    };
    let (single, fifty) = (of("1"), of("50"));
    let gain = |bytes| Some(at(&fifty, bytes)? / at(&single, bytes)?);
    let (tiny, small, large) = (gain(12.0)?, gain(1000.0)?, gain(10_000.0)?);
    let found = format!(
        "5 threads put {} times as many of 12 bytes, {} of 1,000, {} of 10,000",
        n(tiny),
        n(small),
        n(large)
    );
    Some(if tiny < 2.9 || small < 2.9 {
        (Verdict::DoesNotHold, found)
    } else if large > 1.0 + NOISE {
        (Verdict::BeatenByDesign, format!("{found}: large ones gain as well, as there is no network between"))
    } else {
        (Verdict::Holds, found)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_shape_has_a_rule_and_every_rule_a_shape() {
        let shapes: BTreeSet<String> =
            published::shapes().expect("they are right").into_iter().map(|shape| shape.id).collect();
        let rules: BTreeSet<String> = RULES.iter().map(|(id, _)| (*id).to_owned()).collect();
        assert_eq!((shapes, RULES.len()), (rules.clone(), rules.len()));
        let none = Results::none().expect("the workloads are right");
        for (id, rule) in RULES {
            let (verdict, found) = verdict(id, &none).expect("its workloads are known");
            assert_eq!(verdict, Verdict::NotRun, "{id}: nothing was run");
            assert!(!found.contains("nobody says"), "{id} waits for a workload that can be run");
            if let Rule::Runs(workloads, _, cause) = rule {
                assert!(cause.ends_with('.') && cause.matches(". ").count() == 0, "{id}: {cause}");
                for workload in *workloads {
                    assert!(
                        none.workload(workload).expect("it is known").not_yet().is_none(),
                        "{id}: {workload}"
                    );
                }
            }
        }
    }
}
