//! The threads besides the reactors: the log's, the one that wakes threads of the program, housekeeping, the
//! command server's, the one that publishes figures, and the few that may block on the disk.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use platform::{Clock, WallTime, os::OsClock};
use queue_manager::{QueueManager, Quiesce};

use crate::board::Board;
use crate::channels;
use crate::commands;
use crate::configuration::Configuration;
use crate::counted::Counting;
use crate::covers::ListenerCovers;
use crate::health::Pulse;
use crate::host::ServerHost;
use crate::logins::{self, LoginDesk};
use crate::monitoring;
use crate::serving::Common;
use crate::settings_file::SettingsFile;
use crate::sleeping::{End, Then};
use crate::trimming::Trimming;

/// Time that the log thread waits while another thread is writing: about as long as a write takes.
const OTHER_WRITES: Duration = Duration::from_micros(100);

/// Longest time between two looks of housekeeping at the open files, and its longest sleep, under any advice
/// of the engine: it notices files taken away and ends the queue manager within a second, with room for a
/// busy machine.
const FILES_LOOK: Duration = Duration::from_millis(400);

/// Threads that end together.
pub(crate) struct Threads {
    queue_manager: QueueManager,
    end: Arc<End>,
    host: Arc<ServerHost>,
    board: Arc<Board>,
    logins: Arc<LoginDesk>,
    threads: Vec<JoinHandle<()>>,
}

impl Threads {
    pub(crate) fn start(
        common: &Common,
        configuration: &Configuration,
        counting: Counting,
        covers: Option<Arc<ListenerCovers>>,
        is_asked_for_figures: bool,
    ) -> io::Result<Self> {
        let end = Arc::<End>::default();
        let (queue_manager, host) = (common.queue_manager.clone(), Arc::clone(&common.host));
        let mut started = Self {
            queue_manager,
            end,
            host,
            board: Arc::clone(&common.board),
            logins: Arc::clone(&common.logins),
            threads: Vec::new(),
        };
        started.spawn("ferry-log".to_owned(), write_log)?;
        started.spawn("ferry-waker".to_owned(), |_, host, _| host.waiting.waking.work())?;
        let health = Arc::clone(&common.health);
        started.spawn("ferry-housekeeping".to_owned(), move |queue_manager, host, end| {
            keep_house(queue_manager, host, end, (counting, &health.housekeeping));
        })?;
        let (board, settings) = (Arc::clone(&common.board), configuration.clone());
        let at = OsClock.wall().0 - i64::try_from(common.started.elapsed().as_micros()).unwrap_or_default();
        started.spawn("ferry-board".to_owned(), move |queue_manager, host, end| {
            board.work(queue_manager, host, end, &settings, WallTime(at));
        })?;
        if is_asked_for_figures {
            common.queue_manager.figures().watch_calls(true);
        }
        for number in 0..configuration.threads.disk {
            started.spawn(format!("ferry-disk-{number}"), run_jobs)?;
        }
        for number in 0..logins::THREADS {
            let logins = Arc::clone(&common.logins);
            started.spawn(format!("ferry-login-{number}"), move |_, _, _| logins.work())?;
        }
        started.spawn("ferry-commands".to_owned(), commands::serve)?;
        if common.host.channels.runs() {
            started.spawn("ferry-channels".to_owned(), |queue_manager, host, end| {
                channels::make_calls(queue_manager, &host.channels, end);
            })?;
        }
        if configuration.monitoring.system_topics {
            let interval = Duration::from_secs(configuration.monitoring.interval_seconds.into());
            started.spawn("ferry-monitor".to_owned(), move |queue_manager, host, end| {
                monitoring::publish(queue_manager, host, end, interval, is_asked_for_figures);
            })?;
        }
        if let Some(covers) = covers {
            started.spawn("ferry-keys".to_owned(), move |queue_manager, host, end| {
                end.work_until(&host.keys_bell, || covers.look(queue_manager));
            })?;
        }
        Ok(started)
    }

    fn spawn(
        &mut self,
        name: String,
        work: impl FnOnce(&QueueManager, &ServerHost, &End) + Send + 'static,
    ) -> io::Result<()> {
        let queue_manager = self.queue_manager.clone();
        let (host, end) = (Arc::clone(&self.host), Arc::clone(&self.end));
        let thread = std::thread::Builder::new().name(name);
        self.threads.push(thread.spawn(move || work(&queue_manager, &host, &end))?);
        Ok(())
    }

    /// Ends them and waits until they are gone. Jobs under way are finished.
    pub(crate) fn end(mut self) {
        self.join();
    }

    fn join(&mut self) {
        // The queue manager's own applications wait like any other program.
        self.queue_manager.quiesce(Quiesce::Immediate);
        let host = &self.host;
        let channels = &host.channels;
        let bells = [
            &*host.log_bell,
            &host.tick_bell,
            &host.monitor_bell,
            &host.keys_bell,
            self.board.bell(),
            &channels.bell,
        ];
        self.end.come(&bells);
        channels.lookups_bell.end();
        self.host.jobs_bell.end();
        self.logins.end();
        self.host.waiting.waking.end();
        for thread in self.threads.drain(..) {
            // One that panicked has said so.
            let _ = thread.join();
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.join();
    }
}

fn write_log(queue_manager: &QueueManager, host: &ServerHost, end: &End) {
    end.work_until(&host.log_bell, || {
        if !queue_manager.log().waits() {
            return Then::Sleeps;
        }
        let before = queue_manager.durable();
        let began = Instant::now();
        if queue_manager.drive().lsn() == before.lsn() {
            // Somebody else is writing.
            return Then::SleepsUntil(OsClock.now().after(OTHER_WRITES));
        }
        host.writes.took(began.elapsed());
        Then::GoesOn
    });
}

fn keep_house(
    queue_manager: &QueueManager,
    host: &ServerHost,
    end: &End,
    (mut counting, pulse): (Counting, &Pulse),
) {
    let mut trimming = Trimming::default();
    let mut look_at = OsClock.now();
    let mut settings = SettingsFile::at(host.folder.join(crate::configuration::FILE_NAME));
    end.work_until(&host.tick_bell, || {
        pulse.beat();
        let next = queue_manager.tick();
        let now = OsClock.now();
        if now >= look_at {
            look_at = now.after(FILES_LOOK);
            // The host hears of files that were taken away as of any failure of the log.
            let at = || crate::errors::utc(OsClock.wall());
            pulse.at_disk(|| {
                queue_manager.log().holds_its_files();
                if let Some((row, path)) = settings.look() {
                    host.errors.write(row, [path]);
                }
                counting.look(now, at, || queue_manager.figures().messages_not_persistent());
            });
        }
        if trimming.is_due(queue_manager.figures().memory_used(), now) {
            platform::os::memory::give_back();
        }
        Then::SleepsUntil(next.min(look_at))
    });
}

fn run_jobs(queue_manager: &QueueManager, host: &ServerHost, _: &End) {
    while host.jobs_bell.wait() {
        while let Some(job) = queue_manager.take_job() {
            job.run();
        }
    }
}
