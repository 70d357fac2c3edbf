//! The exporter of the family for Prometheus, unchanged, at our queue manager: it finds objects by commands
//! in binary form, subscribes to figures, asks for statuses, and tells all of it as a page.
//!
//! Always: it is a program that somebody built and names; nothing of it is in the tree.

use super::served::Served;
use super::table::{Table, Verdict, prepare};
use anyhow::{Context, Result};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The page is whole within this: the exporter asks for statuses each 30 s unless it is told otherwise.
const PATIENCE: Duration = Duration::from_secs(60);

/// Beginnings of lines that a page has, each with the value where it is known. Spelt as the exporter spells
/// them.
const EXPECTED: &[(&str, Option<f64>)] = &[
    ("ibmmq_qmgr_status{", Some(2.0)),
    ("ibmmq_qmgr_interval_mqput_mqput1_total_count{", None),
    ("ibmmq_qmgr_connection_count{", None),
    ("ibmmq_qmgr_log_write_latency_seconds{", None),
    ("ibmmq_queue_depth{", Some(1.0)),
    ("ibmmq_queue_attribute_max_depth{", None),
    ("ibmmq_queue_mqget_count{", None),
    ("ibmmq_queue_oldest_message_age{", None),
    ("ibmmq_topic_subscriber_count{", None),
    ("ibmmq_topic_publisher_count{", None),
    ("ibmmq_subscription_messsages_received{", None),
];

/// The same of an exporter that comes by a channel, whose instance it sees.
const OF_CHANNELS: &[(&str, Option<f64>)] = &[
    ("ibmmq_channel_status{", Some(3.0)),
    ("ibmmq_channel_messages{", None),
    ("ibmmq_channel_bytes_sent{", None),
    ("ibmmq_channel_cur_inst{", None),
];

/// Runs it on this machine and over the network.
pub(super) fn run(program: &Path, place: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let ferry = |words: &[&str]| {
        let mut command = Command::new(served.prefix.join("bin/ferry"));
        command.args(words).env("FERRY_DATA", &served.data);
        prepare(&mut command).map_err(|why| anyhow::anyhow!("ferry {words:?}: {why}"))
    };
    ferry(&["put", "DEV.QUEUE.1", "counted"])?;
    std::fs::create_dir_all(place).with_context(|| place.display().to_string())?;
    for (name, over_the_network) in [("mq_prometheus", false), ("mq_prometheus, by a channel", true)] {
        let verdict = match scrape(program, place, served, over_the_network) {
            Ok(rows) => Verdict::Passed(rows),
            Err(why) => Verdict::Failed(why),
        };
        table.add(name, verdict);
    }
    Ok(())
}

/// The number of names on a page that has all that is expected, by an exporter that complains of nothing.
fn scrape(program: &Path, place: &Path, served: &Served, over_the_network: bool) -> Result<usize, String> {
    let address = free_address().map_err(|error| error.to_string())?;
    let (host, port) = address.split_once(':').ok_or("an address has no port")?;
    let log = place.join(if over_the_network { "by-channel.log" } else { "local.log" });
    let said = std::fs::File::create(&log).map_err(|error| error.to_string())?;
    let mut command = served.command(program, false);
    command.args(["-ibmmq.queueManager=QM1", "-ibmmq.monitoredQueues=DEV.*,!SYSTEM.*"]);
    command.args(["-ibmmq.monitoredChannels=*", "-ibmmq.monitoredTopics=#"]);
    command.args(["-ibmmq.monitoredSubscriptions=*", "-ibmmq.keepRunning=false", "-pollInterval=1s"]);
    command.arg(format!("-ibmmq.httpListenHost={host}")).arg(format!("-ibmmq.httpListenPort={port}"));
    if over_the_network {
        command.args(["-ibmmq.client", "-ibmmq.channel=SYSTEM.DEF.SVRCONN"]);
        command.arg(format!("-ibmmq.connName={}", served.host()));
    }
    let other = said.try_clone().map_err(|error| error.to_string())?;
    let started = command.stdin(Stdio::null()).stdout(said).stderr(other).spawn();
    let running = RunningExporter(started.map_err(|error| format!("{}: {error}", program.display()))?);
    let expected: Vec<_> = if over_the_network {
        EXPECTED.iter().chain(OF_CHANNELS).copied().collect()
    } else {
        EXPECTED.to_vec()
    };
    let until = Instant::now() + PATIENCE;
    let page = loop {
        let page = get(&address).unwrap_or_default();
        let absent = missing(&page, &expected);
        let Some(name) = absent else { break page };
        if Instant::now() > until {
            let told = std::fs::read_to_string(&log).unwrap_or_default();
            return Err(format!("{name} is not on the page; it said {:?}", told.lines().last()));
        }
        thread::sleep(Duration::from_millis(500));
    };
    drop(running);
    let told = std::fs::read_to_string(&log).map_err(|error| error.to_string())?;
    match complaint(&told) {
        Some(line) => Err(line.to_owned()),
        None => Ok(names(&page)),
    }
}

/// The first of what is expected that a page does not have.
fn missing<'a>(page: &str, expected: &[(&'a str, Option<f64>)]) -> Option<&'a str> {
    let has = |(beginning, value): &(&str, Option<f64>)| {
        let mut lines = page.lines().filter(|line| line.starts_with(beginning));
        lines.any(|line| {
            let told = line.rsplit(' ').next().and_then(|told| told.parse::<f64>().ok());
            told.is_some_and(|told| value.is_none_or(|value| told == value))
        })
    };
    expected.iter().find(|row| !has(row)).map(|(beginning, _)| *beginning)
}

/// The number of names on a page.
fn names(page: &str) -> usize {
    let mut names: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("# TYPE ibmmq_")).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// The first line of the log that is worse than information.
fn complaint(log: &str) -> Option<&str> {
    let levels = ["level=error", "level=fatal", "level=warning", "level=panic", "panic:"];
    log.lines().find(|line| levels.iter().any(|level| line.contains(level)))
}

fn get(address: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    // HTTP/1.0, so that the answer comes in one piece.
    stream.write_all(b"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// An address that was free a moment ago.
fn free_address() -> std::io::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

/// The exporter, below the program that limits its time, until this is dropped.
struct RunningExporter(Child);

impl Drop for RunningExporter {
    fn drop(&mut self) {
        // A kill would leave the program below; it is asked to end, and passes that on.
        let _ended = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ended = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# TYPE ibmmq_queue_depth gauge\nibmmq_queue_depth{queue=\"A\"} 0\n\
                        ibmmq_queue_depth{queue=\"B\"} 1\n# TYPE ibmmq_qmgr_status gauge\nibmmq_qmgr_status{} NO\n";

    #[test]
    fn a_page_lacks_names_that_are_not_on_it_or_have_another_value() {
        assert_eq!(missing(PAGE, &[("ibmmq_queue_depth{", Some(1.0))]), None);
        assert_eq!(missing(PAGE, &[("ibmmq_queue_depth{", Some(2.0))]), Some("ibmmq_queue_depth{"));
        assert_eq!(missing(PAGE, &[("ibmmq_qmgr_status{", None)]), Some("ibmmq_qmgr_status{"));
        assert_eq!(missing("", &[("ibmmq_topic_", None)]), Some("ibmmq_topic_"));
        assert_eq!(names(PAGE), 2);
    }

    #[test]
    fn a_warning_in_the_log_is_a_complaint() {
        assert_eq!(complaint("time=1 level=info msg=x\n"), None);
        assert!(complaint("time=1 level=info\ntime=2 level=error msg=y\n").unwrap().contains("msg=y"));
    }
}
