//! The thread that asks the queue manager for its figures.
//!
//! Always: one question at a time; requests that come meanwhile are given the same answer.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use client::{Connection, Options};
use figures::metrics::Block;
use mqi::{Listen as _, Verbs as _};
use tokio::sync::oneshot;

/// Questions that may wait: more than there are connections are never asked at once.
const WAITING_MAX: usize = 256;

/// Figures are made once a second; those that are younger are not asked for again.
const FRESH: Duration = Duration::from_millis(500);

/// Longest wait for the first figures: they are made at the first request.
const FIRST_WITHIN: Duration = Duration::from_secs(3);

/// Interval at which a connection that nobody uses checks if the queue manager is about to end.
const LOOK_FOR_END: Duration = Duration::from_millis(500);

/// The pause between two looks for the first figures.
const LOOK: Duration = Duration::from_millis(10);

/// Longest wait for an answer of the queue manager, with what it takes to connect.
const ANSWER_WITHIN: Duration = Duration::from_secs(6);

type Answer = Result<Arc<Block>, String>;

/// A queue manager that is asked for its figures.
pub struct Source {
    name: String,
    questions: SyncSender<oneshot::Sender<Answer>>,
}

impl Source {
    /// The queue manager of this name, reached by these options. Nothing is connected before the first
    /// question.
    #[must_use]
    pub fn new(name: impl Into<String>, options: Options) -> Self {
        let (questions, asked) = mpsc::sync_channel(WAITING_MAX);
        let asker = Asker { options, connection: None, last: None };
        // Without a thread every question is answered with an error, and the page says that nothing is up.
        let _ = std::thread::Builder::new()
            .name("ferry-control-source".to_owned())
            .spawn(move || asker.answer(&asked));
        Self { name: name.into(), questions }
    }

    /// The name of the queue manager.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The figures, or why there are none.
    pub(crate) async fn block(&self) -> Answer {
        let (answer, answered) = oneshot::channel();
        self.questions.try_send(answer).map_err(|error| error.to_string())?;
        match tokio::time::timeout(ANSWER_WITHIN, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err("the thread that asks has ended".to_owned()),
            Err(_) => Err(format!("no answer within {} s", ANSWER_WITHIN.as_secs())),
        }
    }
}

struct Asker {
    options: Options,
    connection: Option<Connection>,
    last: Option<(Instant, Arc<Block>)>,
}

impl Asker {
    fn answer(mut self, asked: &Receiver<oneshot::Sender<Answer>>) {
        loop {
            match asked.recv_timeout(LOOK_FOR_END) {
                // One that nobody waits for any more is passed over.
                Ok(question) if question.is_closed() => {}
                Ok(question) => drop(question.send(self.block())),
                Err(RecvTimeoutError::Timeout) => self.leave_when_quiescing(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Disconnects when the queue manager is about to end, and waits for its programs.
    fn leave_when_quiescing(&mut self) {
        if self.connection.as_mut().is_some_and(|connection| connection.check_quiescing().is_err())
            && let Some(mut connection) = self.connection.take()
        {
            // It may be broken.
            let _ = connection.disconnect();
        }
    }

    fn block(&mut self) -> Answer {
        if let Some((at, block)) = &self.last
            && at.elapsed() < FRESH
        {
            return Ok(Arc::clone(block));
        }
        let answer = self.ask();
        if answer.is_err()
            && let Some(mut connection) = self.connection.take()
        {
            // It may be broken, or be what a quiescing end waits for.
            let _ = connection.disconnect();
        }
        self.last = answer.as_ref().ok().map(|block| (Instant::now(), Arc::clone(block)));
        answer
    }

    fn ask(&mut self) -> Answer {
        if self.connection.is_none() {
            let connected = Connection::connect(self.options.clone()).map_err(|error| error.to_string())?;
            self.connection = Some(connected);
        }
        let connection = self.connection.as_mut().ok_or("it is not connected")?;
        let until = Instant::now() + FIRST_WITHIN;
        loop {
            let bytes = connection.figures().map_err(|reason| reason.to_string())?;
            if !bytes.is_empty() {
                return Block::decode(&bytes).map(Arc::new).map_err(|error| error.to_string());
            }
            if Instant::now() >= until {
                return Err(format!("no figures were made within {} s", FIRST_WITHIN.as_secs()));
            }
            std::thread::sleep(LOOK);
        }
    }
}
