//! `cargo xtask scrapes`: the cost of figures of ten thousand queues, asked for each 5 s beside
//! request/reply.
//!
//! Two bounds: the control process takes at most 2 % of a processor, and the reactor at most 1 % more for
//! each round trip. The reactor's own part is counted while nothing else runs: by instructions where the
//! processor counts them (`perf stat`), by its processor time where it does not.
//!
//! Always: turns with scrapes and without follow one another, so that what slows the machine slows both.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::install;
use crate::steps;

const PROFILE: &str = "release-lite";
const QUEUES: usize = 10_000;
/// The pause between two scrapes.
const EACH: Duration = Duration::from_secs(5);
/// Scrapes of a turn, and turns.
const SCRAPES: u32 = 4;
const TURNS: usize = 3;
/// Scrapes of the reactor alone: figures are made once a second, and younger ones are not asked for again.
const ALONE: u32 = 20;
const ALONE_EACH: Duration = Duration::from_millis(1_050);
/// Clients of request/reply.
const CLIENTS: &str = "8";
/// The most that the control process takes of a processor, and the reactor more than alone, in per cent.
const CONTROL_PERCENT_MAX: f64 = 2.0;
const REACTOR_PERCENT_MAX: f64 = 1.0;
/// The most that a page of ten thousand queues takes.
const PAGE_MAX: Duration = Duration::from_millis(250);
const PATIENCE: Duration = Duration::from_secs(120);

/// Measures, and compares with the bounds.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let place = root.join("target/scrapes");
    let prefix = match arguments {
        [] => {
            let prefix = place.join("prefix");
            install::for_ourselves(root, &prefix, PROFILE)?;
            prefix
        }
        ["--prefix", folder] => PathBuf::from(folder),
        _ => bail!("`cargo xtask scrapes` takes --prefix DIR, an installation with ferry and ferry-bench"),
    };
    let watched = Watched::start(&prefix, &place.join("data"))?;
    let first = watched.scrape()?;
    let queues = first.page.lines().filter(|line| line.starts_with("ferry_queue_depth{")).count();
    ensure!(queues >= QUEUES, "the page has {queues} queues");
    let mut pages = Vec::new();
    let (mut control, mut alone, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 1..=TURNS {
        let quiet = watched.turn(&prefix, None)?;
        let busy = watched.turn(&prefix, Some(&mut pages))?;
        println!(
            "turn {turn}: {:.0} and {:.0} round trips a second, {:.2} and {:.2} us of the reactor for each, \
             control {:.2} %",
            quiet.rate, busy.rate, quiet.reactor_micros, busy.reactor_micros, busy.control_percent
        );
        control.push(busy.control_percent);
        alone.push(quiet);
        beside.push(busy);
    }
    let page = middle(pages.iter().map(Duration::as_secs_f64).collect());
    let control = middle(control);
    let rate = middle(alone.iter().map(|turn| turn.rate).collect());
    let trip = middle(alone.iter().map(|turn| turn.reactor_micros).collect());
    let rates = middle(beside.iter().map(|turn| turn.rate).collect()) / rate;
    let scrape = watched.reactor_alone()?;
    // The part of a scrape in five seconds, of the time that the reactor takes for round trips meanwhile.
    let more = scrape.micros / (trip * rate * EACH.as_secs_f64()) * 100.0;
    println!("{} bytes of {QUEUES} queues, a page takes {:.0} ms", first.page.len(), page * 1e3);
    println!("control process: {control:.2} % of a processor, at most {CONTROL_PERCENT_MAX} %");
    println!(
        "reactor: {:.1} us of its time for a scrape, {trip:.2} us for a round trip: {more:.4} % more, at most \
         {REACTOR_PERCENT_MAX} %",
        scrape.micros
    );
    println!("rate beside scrapes: {:.1} % of that alone", rates * 100.0);
    match scrape.instructions {
        Some(count) => println!("reactor: {count:.0} instructions for a scrape"),
        None => {
            steps::say_skipped("instructions of the reactor: this processor does not count them for perf")
        }
    }
    let is_within =
        control <= CONTROL_PERCENT_MAX && more <= REACTOR_PERCENT_MAX && page <= PAGE_MAX.as_secs_f64();
    Ok(if is_within { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A queue manager with its control process, which ends with this.
struct Watched {
    child: Child,
    data: PathBuf,
    connect: String,
    metrics: String,
    reactor: String,
    control: String,
}

/// A page, and how long it took.
struct Scrape {
    page: String,
    took: Duration,
}

/// The outcome of a turn.
struct Turn {
    rate: f64,
    reactor_micros: f64,
    control_percent: f64,
}

/// The reactor's part of a scrape.
struct ReactorShare {
    micros: f64,
    instructions: Option<f64>,
}

impl Watched {
    fn start(prefix: &Path, data: &Path) -> Result<Self> {
        // What an earlier run left is not what this one is about.
        let _absent = fs::remove_dir_all(data);
        fs::create_dir_all(data)?;
        let ferry = |words: &[&str]| {
            let mut command = Command::new(prefix.join("bin/ferry"));
            command.args(words).env("FERRY_DATA", data);
            command
        };
        let most = format!("metrics.queues_max={QUEUES}");
        succeed(
            ferry(&["qmgr", "create", "QM1", "--set", "http.address=127.0.0.1:0", "--set", &most])
                .args(["--set", "health.address=none"]),
        )?;
        let mut child = ferry(&["qmgr", "start", "QM1", "--port", "0", "-o", "json"])
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start ferry")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("its output cannot be read")?).read_line(&mut line)?;
        let ready: Value = serde_json::from_str(&line).with_context(|| format!("ferry said {line:?}"))?;
        let process = ready["process"].as_u64().context("it names no process")?;
        let listens = ready["listens"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let connect = listens.filter(|address| !address.contains('/')).map(str::to_owned).next();
        let script = data.join("queues.mqsc");
        let definitions = (0..QUEUES).map(|number| format!("DEFINE QLOCAL(SCRAPED.{number:05})\n"));
        fs::write(&script, definitions.collect::<String>())?;
        succeed(ferry(&["mqsc", "-f"]).arg(&script))?;
        let (control, metrics) = control_of(&data.join("QM1/errors/errors.log"))?;
        Ok(Self {
            child,
            data: data.to_owned(),
            connect: connect.context("it listens nowhere")?,
            metrics,
            reactor: reactor_of(process)?,
            control: format!("/proc/{control}"),
        })
    }

    fn scrape(&self) -> Result<Scrape> {
        let begun = Instant::now();
        let mut stream = TcpStream::connect(&self.metrics)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // HTTP/1.0, so that the answer comes in one piece.
        stream.write_all(b"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, page) = answer.split_once("\r\n\r\n").context("the answer has no head")?;
        ensure!(head.contains(" 200 "), "the answer is {head}");
        Ok(Scrape { page: page.to_owned(), took: begun.elapsed() })
    }

    /// Request/reply for as long as the scrapes of a turn take, with them or without.
    fn turn(&self, prefix: &Path, pages: Option<&mut Vec<Duration>>) -> Result<Turn> {
        let time = EACH * SCRAPES;
        let mut bench = Command::new(prefix.join("bin/ferry-bench"))
            .args(["bench", "rr", "-c", CLIENTS, "--repeat", "1", "--warm-up", "1s", "-o", "json"])
            .args(["--time", &format!("{}s", time.as_secs()), "--connect", &self.connect])
            .env("FERRY_DATA", &self.data)
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start ferry-bench")?;
        // Past its start and its warm-up.
        thread::sleep(Duration::from_secs(2));
        let before = (busy(&self.reactor)?, busy_of_all(&self.control)?, Instant::now());
        match pages {
            None => thread::sleep(time - Duration::from_secs(2)),
            Some(pages) => {
                for scrape in 1..SCRAPES {
                    pages.push(self.scrape()?.took);
                    let due = before.2 + EACH * scrape;
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                }
            }
        }
        let took = before.2.elapsed().as_secs_f64();
        let reactor = (busy(&self.reactor)? - before.0).as_secs_f64();
        let control = (busy_of_all(&self.control)? - before.1).as_secs_f64();
        let mut said = String::new();
        bench.stdout.take().context("its output cannot be read")?.read_to_string(&mut said)?;
        ensure!(bench.wait()?.success(), "ferry-bench failed");
        let rate = rate(&said).with_context(|| format!("ferry-bench says no rate: {said}"))?;
        Ok(Turn {
            rate,
            reactor_micros: reactor * 1e6 / (rate * took),
            control_percent: control / took * 100.0,
        })
    }

    /// The reactor's part of a scrape where nothing else runs, less that of the same time without scrapes.
    fn reactor_alone(&self) -> Result<ReactorShare> {
        let mut sums = Vec::new();
        for scrapes in [false, true] {
            let counter = Instructions::begin(&self.reactor);
            let before = busy(&self.reactor)?;
            for _ in 0..ALONE {
                let begun = Instant::now();
                if scrapes {
                    self.scrape()?;
                }
                thread::sleep(ALONE_EACH.saturating_sub(begun.elapsed()));
            }
            sums.push(((busy(&self.reactor)? - before).as_secs_f64(), counter.and_then(Instructions::end)));
        }
        let each = |one: f64, other: f64| (other - one).max(0.0) / f64::from(ALONE);
        let [(quiet, quiet_count), (busy, busy_count)] = sums[..] else { bail!("two were measured") };
        let instructions = quiet_count.zip(busy_count).map(|(quiet, busy)| each(quiet, busy));
        Ok(ReactorShare { micros: each(quiet, busy) * 1e6, instructions })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // It may have ended by itself; its control process ends with it.
        let _ended = self.child.kill();
        let _ended = self.child.wait();
    }
}

/// `perf` at work on one thread.
struct Instructions(Child);

impl Instructions {
    /// Begins to count, where there is perf.
    fn begin(thread: &str) -> Option<Self> {
        let number = Path::new(thread).file_name()?.to_str()?;
        let mut perf = Command::new("perf");
        perf.args(["stat", "-x", ",", "-e", "instructions:u", "-t", number]);
        perf.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok().map(Self)
    }

    /// The count, where the processor has one.
    fn end(mut self) -> Option<f64> {
        let ended = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status();
        if ended.is_err() {
            // Else it would count for ever.
            let _ = self.0.kill();
        }
        let mut said = String::new();
        self.0.stderr.take()?.read_to_string(&mut said).ok()?;
        self.0.wait().ok()?;
        counted(&said)
    }
}

/// The count in a line of `perf stat -x ,`.
fn counted(said: &str) -> Option<f64> {
    said.lines().find(|line| line.contains("instructions"))?.split(',').next()?.parse().ok()
}

/// The rate that `ferry-bench` says in its line of JSON.
fn rate(said: &str) -> Option<f64> {
    let lines = said.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.map(|line| found(&line, "round_trips_per_second")).find(Option::is_some).flatten()
}

/// The first number under a name, at any depth.
fn found(value: &Value, name: &str) -> Option<f64> {
    match value {
        Value::Object(fields) => fields
            .get(name)
            .and_then(Value::as_f64)
            .or_else(|| fields.values().find_map(|field| found(field, name))),
        Value::Array(items) => items.iter().find_map(|item| found(item, name)),
        _ => None,
    }
}

/// The control process and the address of its figures, as the error log tells them.
fn control_of(log: &Path) -> Result<(u32, String)> {
    let until = Instant::now() + PATIENCE;
    loop {
        let text = fs::read_to_string(log).unwrap_or_default();
        if let Some(told) = text.lines().rev().find_map(told_control) {
            return Ok(told);
        }
        ensure!(Instant::now() < until, "the error log names no control process:\n{text}");
        thread::sleep(Duration::from_millis(50));
    }
}

fn told_control(line: &str) -> Option<(u32, String)> {
    let (_, rest) = line.split_once("runs as process ")?;
    let (process, rest) = rest.split_once(", on ")?;
    let address = rest.trim_start_matches("http://").split(['/', ' ']).next()?;
    Some((process.parse().ok()?, address.trim_end_matches('.').to_owned()))
}

/// The folder of the reactor's thread; the first where there are several.
fn reactor_of(process: u64) -> Result<String> {
    for thread in fs::read_dir(format!("/proc/{process}/task"))?.flatten() {
        if fs::read_to_string(thread.path().join("comm"))?.trim_end() == "ferry-reactor-0" {
            return Ok(thread.path().display().to_string());
        }
    }
    bail!("process {process} has no reactor")
}

/// The time that a thread had a processor.
fn busy(folder: &str) -> Result<Duration> {
    let told = fs::read_to_string(format!("{folder}/schedstat"))?;
    let nanos = told.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    Ok(Duration::from_nanos(nanos.with_context(|| format!("{folder}/schedstat says {told:?}"))?))
}

/// The same of all threads of a process.
fn busy_of_all(folder: &str) -> Result<Duration> {
    let mut sum = Duration::ZERO;
    for thread in fs::read_dir(format!("{folder}/task"))?.flatten() {
        sum += busy(&thread.path().display().to_string())?;
    }
    Ok(sum)
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn succeed(command: &mut Command) -> Result<()> {
    let done = command.stdout(Stdio::null()).output().with_context(|| format!("cannot start {command:?}"))?;
    ensure!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_rates_and_addresses_are_read_from_what_programs_say() {
        assert_eq!(counted("123456,,instructions:u,100,100.00,,\n"), Some(123_456.0));
        assert_eq!(counted("<not supported>,,instructions:u,0,100.00,,\n"), None);
        assert_eq!(rate("{\"row\":{\"values\":{\"round_trips_per_second\":12.5}}}\n"), Some(12.5));
        assert_eq!(rate("nothing\n"), None);
        let line =
            "FRY5042I The control process of queue manager QM1 runs as process 4711, on 127.0.0.1:9443.";
        assert_eq!(told_control(line), Some((4711, "127.0.0.1:9443".to_owned())));
        assert_eq!(middle(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(middle(Vec::new()).is_nan());
    }

    #[test]
    fn the_time_of_this_thread_goes_on_while_it_works() {
        let me = format!(
            "/proc/self/task/{}",
            fs::read_link("/proc/thread-self").unwrap().file_name().unwrap().display()
        );
        let before = busy(&me).unwrap();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(50) {
            std::hint::spin_loop();
        }
        assert!(busy(&me).unwrap() > before);
        assert!(busy_of_all("/proc/self").unwrap() >= before);
    }
}
