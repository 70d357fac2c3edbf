//! The service manager that started this process, such as systemd: told when programs are taken, that threads
//! take turns, and when the end begins.
//!
//! Always: it is told of turns only while `/livez` would answer 200, so a full disk, a slow one or a long
//! start never make it kill the queue manager. Nothing here waits for it, and nothing fails without it.

use std::ffi::OsString;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::health::{Health, Watch};

/// The variable that names the socket of the service manager.
const SOCKET: &str = "NOTIFY_SOCKET";

/// The variable with the microseconds within which it wants to be told of turns, if it does.
const WATCHDOG: &str = "WATCHDOG_USEC";

/// The process that is to tell it, if it names one.
const WATCHDOG_PROCESS: &str = "WATCHDOG_PID";

/// The longest pause between two looks at the turns of the threads.
const LOOK: Duration = Duration::from_secs(5);

/// The thread that tells the service manager, until this is dropped.
pub(crate) struct Telling {
    end: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

/// The service manager, and its wishes.
struct ServiceManager {
    socket: UnixDatagram,
    address: SocketAddr,
    watchdog: Option<Duration>,
}

impl Telling {
    /// Tells the service manager of this process, if it has one, that programs are taken, and goes on telling
    /// it.
    pub(crate) fn begin(health: Arc<Health>) -> io::Result<Option<Self>> {
        let Some(manager) = ServiceManager::of(|name| std::env::var_os(name))? else { return Ok(None) };
        manager.tell("READY=1");
        let (end, ends) = mpsc::channel();
        let tell = move || manager.tell_until(&health, || ends.recv_timeout(manager.pause()));
        let thread = std::thread::Builder::new().name("ferry-watchdog".to_owned()).spawn(tell)?;
        Ok(Some(Self { end, thread: Some(thread) }))
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.end.send(());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl ServiceManager {
    /// The one that these variables name.
    fn of(variable: impl Fn(&str) -> Option<OsString>) -> io::Result<Option<Self>> {
        let Some(name) = variable(SOCKET).filter(|name| !name.is_empty()) else { return Ok(None) };
        let address = match name.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
            _ => SocketAddr::from_pathname(&name)?,
        };
        let number = |name: &str| variable(name)?.to_str()?.parse::<u64>().ok();
        let is_meant =
            number(WATCHDOG_PROCESS).is_none_or(|process| process == u64::from(std::process::id()));
        let watchdog = number(WATCHDOG).filter(|microseconds| *microseconds > 0 && is_meant);
        let socket = UnixDatagram::unbound()?;
        // One that does not read holds nothing up.
        socket.set_nonblocking(true)?;
        Ok(Some(Self { socket, address, watchdog: watchdog.map(Duration::from_micros) }))
    }

    /// Sends it a notice, which is lost if it does not listen.
    fn tell(&self, what: &str) {
        let _ = self.socket.send_to_addr(what.as_bytes(), &self.address);
    }

    /// The pause between two looks: thrice within the time in which it wants to be told.
    fn pause(&self) -> Duration {
        self.watchdog.map_or(LOOK, |within| LOOK.min(within / 3))
    }

    /// Tells it of turns and of the end, until waiting does not time out.
    fn tell_until(&self, health: &Arc<Health>, wait: impl Fn() -> Result<(), RecvTimeoutError>) {
        let mut watch = Watch::new(Arc::clone(health));
        let mut is_told_of_end = false;
        while wait() == Err(RecvTimeoutError::Timeout) {
            let now = Instant::now();
            watch.look(now);
            if health.is_ending() && !is_told_of_end {
                is_told_of_end = true;
                self.tell("STOPPING=1");
            }
            if self.watchdog.is_some() && watch.is_live(now) {
                self.tell("WATCHDOG=1");
            }
        }
        // The end was faster than the next look.
        if !is_told_of_end {
            self.tell("STOPPING=1");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ending::{Ending, Mode};

    fn manager(name: &str, watchdog: &[(&str, String)]) -> Option<ServiceManager> {
        let variables = [(SOCKET, name.to_owned())].into_iter().chain(watchdog.iter().cloned());
        let variables: Vec<_> = variables.collect();
        let variable = |wanted: &str| {
            let found = variables.iter().find(|(name, _)| *name == wanted)?;
            Some(OsString::from(&found.1))
        };
        ServiceManager::of(variable).unwrap()
    }

    #[test]
    fn a_service_manager_is_told_by_a_path_and_by_an_abstract_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let abstract_name = format!("ferrymq-test-{}", std::process::id());
        let by_path = UnixDatagram::bind(&path).unwrap();
        let address = SocketAddr::from_abstract_name(&abstract_name).unwrap();
        let by_name = UnixDatagram::bind_addr(&address).unwrap();
        for (socket, name) in
            [(by_path, path.to_str().unwrap().to_owned()), (by_name, format!("@{abstract_name}"))]
        {
            manager(&name, &[]).unwrap().tell("READY=1");
            let mut told = [0; 32];
            let bytes = socket.recv(&mut told).unwrap();
            assert_eq!(&told[..bytes], b"READY=1", "{name}");
        }
        assert!(manager("", &[]).is_none(), "there is none");
        manager(folder.path().join("nobody").to_str().unwrap(), &[]).unwrap().tell("READY=1");
    }

    #[test]
    fn turns_are_told_thrice_as_often_as_is_wished_and_to_no_other_process_s_wish() {
        let process = std::process::id();
        for (variables, expected) in [
            (&[][..], None),
            (&[(WATCHDOG, "60000000".to_owned())][..], Some(Duration::from_secs(60))),
            (
                &[(WATCHDOG, "6000".to_owned()), (WATCHDOG_PROCESS, process.to_string())][..],
                Some(Duration::from_millis(6)),
            ),
            (&[(WATCHDOG, "6000".to_owned()), (WATCHDOG_PROCESS, "1".to_owned())][..], None),
            (&[(WATCHDOG, "0".to_owned())][..], None),
            (&[(WATCHDOG, "soon".to_owned())][..], None),
        ] {
            let manager = manager("/nowhere", variables).unwrap();
            assert_eq!(manager.watchdog, expected, "{variables:?}");
            assert!(manager.pause() <= LOOK && expected.is_none_or(|within| manager.pause() * 3 <= within));
        }
    }

    #[test]
    fn it_is_told_of_turns_while_they_are_taken_and_once_of_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        let ending = Arc::<Ending>::default();
        let health = Arc::new(Health::new(Arc::clone(&ending)));
        let manager = manager(path.to_str().unwrap(), &[(WATCHDOG, "3000".to_owned())]).unwrap();
        let turns = std::cell::Cell::new(0);
        manager.tell_until(&health, || {
            turns.set(turns.get() + 1);
            match turns.get() {
                1 | 2 => {}
                3 => ending.ask(Mode::Quiesce, "a test"),
                4 => {}
                _ => return Ok(()),
            }
            Err(RecvTimeoutError::Timeout)
        });
        socket.set_nonblocking(true).unwrap();
        let told = std::iter::from_fn(|| {
            let mut told = [0; 32];
            let bytes = socket.recv(&mut told).ok()?;
            Some(String::from_utf8_lossy(&told[..bytes]).into_owned())
        });
        let told: Vec<String> = told.collect();
        assert_eq!(told, ["WATCHDOG=1", "WATCHDOG=1", "STOPPING=1", "WATCHDOG=1", "WATCHDOG=1"]);
        manager.tell_until(&Arc::new(Health::new(Arc::default())), || Ok(()));
        let mut told = [0; 32];
        let bytes = socket.recv(&mut told).unwrap();
        assert_eq!(&told[..bytes], b"STOPPING=1", "of an end that comes before the first look");
    }
}
