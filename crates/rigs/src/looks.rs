//! Looks at a queue manager from outside: its health over HTTP, its threads, its processor time, its memory.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use super::installation::Broken;

/// A probe that is answered later has failed, as the kubelet sees it.
const ANSWER_MAX: Duration = Duration::from_secs(1);
/// Ticks of the processor in a second, as /proc counts them on every Linux that this runs on.
const TICKS: f64 = 100.0;
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// The status that a path is answered with; none where nothing listens there.
///
/// # Errors
/// There is a connection and no answer in time.
pub(super) fn status(address: &str, path: &str) -> Result<Option<u16>, Broken> {
    let begun = Instant::now();
    let socket: SocketAddr = address.parse().map_err(|error| format!("{address}: {error}"))?;
    let Ok(mut stream) = TcpStream::connect_timeout(&socket, ANSWER_MAX) else { return Ok(None) };
    let failed = |error: std::io::Error| format!("{path}, after {:.1?}: {error}", begun.elapsed());
    stream.set_read_timeout(Some(ANSWER_MAX)).map_err(failed)?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    status.map(Some).ok_or_else(|| format!("{path} is answered with {answer:?}"))
}

/// Asks until the answer has this status; the time that took.
///
/// # Errors
/// It has not within this time.
pub(super) fn wait_for_status(
    address: &str,
    path: &str,
    expected: u16,
    within: Duration,
) -> Result<Duration, Broken> {
    let begun = Instant::now();
    loop {
        let seen = status(address, path)?;
        if seen == Some(expected) {
            return Ok(begun.elapsed());
        }
        if begun.elapsed() > within {
            return Err(format!("{path} is {seen:?} and not {expected} after {:.1?}", begun.elapsed()));
        }
        thread::sleep(PAUSE);
    }
}

/// Asks over and over for this time; each path must have its status each time.
///
/// # Errors
/// The first answer that is another.
pub(super) fn stays(address: &str, expected: &[(&str, u16)], time: Duration) -> Result<(), Broken> {
    let begun = Instant::now();
    while begun.elapsed() < time {
        for (path, expected) in expected {
            let seen = status(address, path)?;
            if seen != Some(*expected) {
                return Err(format!("{path} is {seen:?} and not {expected} after {:.1?}", begun.elapsed()));
            }
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}

/// Waits until a condition holds; the time that took.
///
/// # Errors
/// It does not within this time.
pub(super) fn wait_until(
    what: &str,
    within: Duration,
    mut holds: impl FnMut() -> bool,
) -> Result<Duration, Broken> {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > within {
            return Err(format!("not within {within:?}: {what}"));
        }
        thread::sleep(PAUSE);
    }
    Ok(begun.elapsed())
}

/// The thread of a process with this beginning of its name.
pub(super) fn thread_of(process: u32, name: &str) -> Result<u32, Broken> {
    // The system keeps fifteen letters of a name.
    let name = &name[..name.len().min(15)];
    let threads = fs::read_dir(format!("/proc/{process}/task")).map_err(|error| error.to_string())?;
    let mut named = threads.flatten().filter(|thread| {
        let told = fs::read_to_string(thread.path().join("comm"));
        told.is_ok_and(|told| told.trim_end().starts_with(name))
    });
    let found = named.next().and_then(|thread| thread.file_name().to_str()?.parse().ok());
    found.ok_or_else(|| format!("process {process} has no thread {name}"))
}

/// The seconds of a processor that a process has taken.
pub(super) fn processor_seconds(process: u32) -> Result<f64, Broken> {
    let told = read(process, "stat")?;
    // The name of the program may have blanks in it, and ends with a bracket.
    let fields: Vec<&str> = told.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).and_then(|ticks| ticks.parse::<f64>().ok());
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => Ok((user + system) / TICKS),
        _ => Err(format!("/proc/{process}/stat has no times: {told}")),
    }
}

/// The bytes of memory that a process holds.
pub(super) fn memory_bytes(process: u32) -> Result<u64, Broken> {
    Ok(number(process, "VmRSS:")? << 10)
}

/// The number of threads of a process.
pub(super) fn threads(process: u32) -> Result<u64, Broken> {
    number(process, "Threads:")
}

/// The number of files and sockets that a process has open.
pub(super) fn files(process: u32) -> Result<u64, Broken> {
    let open = fs::read_dir(format!("/proc/{process}/fd")).map_err(|error| error.to_string())?;
    Ok(open.count() as u64)
}

fn number(process: u32, key: &str) -> Result<u64, Broken> {
    let told = read(process, "status")?;
    let line = told.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| format!("/proc/{process}/status has no {key}"))
}

fn read(process: u32, file: &str) -> Result<String, Broken> {
    let path = format!("/proc/{process}/{file}");
    fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
}

/// Sends a signal to a process that this one, or one of its children, started.
pub(super) fn signal(process: u32, signal: rustix::process::Signal) -> Result<(), Broken> {
    let process = rustix::process::Pid::from_raw(process.cast_signed()).ok_or("a process has no number")?;
    rustix::process::kill_process(process, signal).map_err(|error| format!("{signal:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_this_process_see_it() {
        let process = std::process::id();
        let busy = Instant::now();
        while busy.elapsed() < Duration::from_millis(60) {
            std::hint::spin_loop();
        }
        assert!(processor_seconds(process).unwrap() > 0.0);
        assert!(memory_bytes(process).unwrap() > 1 << 20);
        let (threads_before, files_before) = (threads(process).unwrap(), files(process).unwrap());
        let opened = fs::File::open("/dev/null").unwrap();
        assert!(files(process).unwrap() > files_before);
        drop(opened);
        assert!(threads_before >= 1);
        let (tell, told) = std::sync::mpsc::channel::<()>();
        let named = thread::Builder::new().name("a-thread-of-the-looks".to_owned());
        let waiting = named.spawn(move || told.recv()).unwrap();
        wait_until("it has its name", Duration::from_secs(5), || {
            thread_of(process, "a-thread-of-the-looks").is_ok()
        })
        .unwrap();
        drop(tell);
        assert!(waiting.join().unwrap().is_err());
        assert!(thread_of(process, "no-such-thread").is_err());
    }

    #[test]
    fn a_status_is_told_apart_from_no_answer_and_from_nobody() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let serve = thread::spawn(move || {
            let (mut first, _) = listener.accept().unwrap();
            assert!(first.read(&mut [0; 512]).unwrap() > 0);
            first.write_all(b"HTTP/1.1 503 no\r\n\r\n").unwrap();
            drop(first);
            // The second is never answered.
            let second = listener.accept().unwrap();
            thread::sleep(2 * ANSWER_MAX);
            drop(second);
        });
        assert_eq!(status(&address, "/healthz").unwrap(), Some(503));
        assert!(status(&address, "/healthz").is_err());
        serve.join().unwrap();
        assert_eq!(status(&address, "/healthz").unwrap(), None);
    }
}
