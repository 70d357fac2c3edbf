//! Distance of a round trip of one client from the machine's least: the forced writes that were counted and
//! the ways over the socket that it needs, each at the price that was measured in the same run.

use serde::de::DeserializeOwned;

use super::html::{self, Kind, Table, escape};
use crate::reports::results::{Point, Results, Run};
use crate::request_reply::Floor;

/// Bodies up to this travel as those of the ping-pong do.
const BYTES_MAX: f64 = 4096.0;

/// One run beside its floor.
struct Distance<'a> {
    run: &'a Run,
    forces: f64,
    floor: Floor,
    round_trip_us: f64,
}

/// The section; nothing where no such run was made.
pub(super) fn html(results: &Results) -> String {
    let mut table = Table::new("figures");
    for (heading, kind) in [
        ("point", Kind::Text),
        ("run", Kind::Number),
        ("forced writes, counted", Kind::Number),
        ("needed", Kind::Number),
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
         these alone take: the forced writes that are needed one after the other, or those that the queue manager counted where they are \
         fewer, each as long as 4 KiB written and forced in one call, and ways over the socket that must follow one another, two of them as long as a ping-pong of 2 KiB. Less \
         than once the floor means that the machine was busier when the floor was measured, or that its threads slept and were woken where a queue manager and its client asked again.</p>\n{}</section>\n",
        table.html()
    )
}

fn is_one_client(point: &Point) -> bool {
    point.number("requesters") == Some(1.0)
        && point.number("bytes").is_some_and(|bytes| bytes <= BYTES_MAX)
        && point.text("transport") == "tcp"
        && point.text("log") == "disk"
}

impl<'a> Distance<'a> {
    fn of(point: &Point, run: &'a Run) -> Option<Self> {
        let (forces, floors) = (run.found("forces")?, run.machine.floors.as_ref()?);
        let floor = Floor::of(setting(point, "mode")?, setting(point, "units")?, forces, floors);
        Some(Self { run, forces, floor, round_trip_us: run.found("p50_us")? })
    }

    fn cells(&self, point: &Point) -> Vec<String> {
        let Floor { forces, force_us, ways, way_us } = self.floor;
        vec![
            format!("<code>{}</code> {}", escape(&point.workload), escape(&point.label)),
            self.run.run.to_string(),
            html::measured(self.forces),
            html::measured(forces),
            html::measured(force_us),
            html::printed(f64::from(ways) / 2.0),
            html::measured(2.0 * way_us),
            html::measured(self.floor.us()),
            html::measured(self.round_trip_us),
            html::measured(self.round_trip_us / self.floor.us()),
        ]
    }
}

/// A setting of a point as what it is.
fn setting<T: DeserializeOwned>(point: &Point, name: &str) -> Option<T> {
    serde_json::from_value(point.setting(name).clone()).ok()
}
