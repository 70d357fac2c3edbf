//! How far a round trip of one client is from what the machine can do: the forced writes that were counted and the ways
//! over the socket that it needs, each at the price that was measured in the same run.

use super::html::{self, Kind, Table, escape};
use crate::reports::results::{Point, Results, Run};

/// Bodies up to this travel as those of the ping-pong do.
const BYTES_MAX: f64 = 4096.0;

/// One run beside its floor.
struct Distance<'a> {
    run: &'a Run,
    forces: f64,
    ways: u32,
    floor_us: f64,
    round_trip_us: f64,
}

/// The section; nothing where no such run was made.
pub(super) fn html(results: &Results) -> String {
    let mut table = Table::new("figures");
    for (heading, kind) in [
        ("point", Kind::Text),
        ("run", Kind::Number),
        ("forced writes, counted", Kind::Number),
        ("one at, µs", Kind::Number),
        ("ping-pongs, needed", Kind::Number),
        ("one at, µs", Kind::Number),
        ("floor, µs", Kind::Number),
        ("round trip, p50 µs", Kind::Ours),
        ("times the floor", Kind::Number),
    ] {
        table.column(heading, kind);
    }
    let mut is_empty = true;
    for point in results.points().filter(|point| is_one_client(point)) {
        for distance in point.runs.iter().filter_map(|run| Distance::of(point, run)) {
            is_empty = false;
            table.row(distance.cells(point));
        }
    }
    if is_empty {
        return String::new();
    }
    format!(
        "<section>\n<h2>One client, and what the machine allows</h2>\n\
         <p class=\"note\">A lone client over TCP waits for its forced writes and for its messages on their way. The floor is what \
         these alone take: forced writes as the queue manager counted them, each as long as 4 KiB written and forced in one call, and \
         ways over the socket that must follow one another, two of them as long as a ping-pong of 2 KiB. Less \
         than once the floor means that the machine was busier when the floor was measured.</p>\n{}</section>\n",
        table.html()
    )
}

fn is_one_client(point: &Point) -> bool {
    point.number("requesters") == Some(1.0)
        && point.number("bytes").is_some_and(|bytes| bytes <= BYTES_MAX)
        && point.text("transport") == "tcp"
        && point.text("log") == "disk"
}

/// Ways over the socket of which each must follow the one before, from the put of a request to its reply got for good.
///
/// A request and a reply go to the queue manager and from it: four ways. Where every call is a round trip a put in a
/// unit of work is answered before its commit is sent; where puts are asynchronous both go together. A requester in
/// units of work waits for the end of its second one as well.
fn ways(mode: &str, units: &str) -> Option<u32> {
    match (mode, units) {
        (_, "none") | ("pipelined", "responders") => Some(4),
        ("round-trips", "responders") | ("pipelined", "all") => Some(6),
        ("round-trips", "all") => Some(10),
        _ => None,
    }
}

impl<'a> Distance<'a> {
    fn of(point: &Point, run: &'a Run) -> Option<Self> {
        let forces = run.found("forces")?;
        let ways = ways(&point.text("mode"), &point.text("units"))?;
        let (force_us, way_us) = prices(run)?;
        let floor_us = forces * force_us + f64::from(ways) * way_us;
        Some(Self { run, forces, ways, floor_us, round_trip_us: run.found("p50_us")? })
    }

    fn cells(&self, point: &Point) -> Vec<String> {
        let (force_us, way_us) = prices(self.run).unwrap_or_default();
        vec![
            format!("<code>{}</code> {}", escape(&point.workload), escape(&point.label)),
            self.run.run.to_string(),
            html::measured(self.forces),
            html::measured(force_us),
            html::printed(f64::from(self.ways) / 2.0),
            html::measured(2.0 * way_us),
            html::measured(self.floor_us),
            html::measured(self.round_trip_us),
            html::measured(self.round_trip_us / self.floor_us),
        ]
    }
}

/// What a forced write and one way over the socket take on the machine of a run, in microseconds.
fn prices(run: &Run) -> Option<(f64, f64)> {
    let floors = run.machine.floors.as_ref()?;
    let force = floors.direct_write_us.unwrap_or(floors.fdatasync_us);
    Some((force.p50, floors.ping_pong_2_kib_us.p50 / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_calling_has_its_ways_over_the_socket() {
        for (mode, units, expected) in [
            ("pipelined", "none", 4),
            ("round-trips", "none", 4),
            ("pipelined", "responders", 4),
            ("round-trips", "responders", 6),
            ("pipelined", "all", 6),
            ("round-trips", "all", 10),
        ] {
            assert_eq!(ways(mode, units), Some(expected), "{mode}, {units}");
        }
    }
}
