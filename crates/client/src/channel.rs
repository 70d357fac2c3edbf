//! One socket to a queue manager for any number of conversations, made anew when it breaks.

use crate::alternatives::{draw, draw_once, in_order};
use crate::connection::refusal;
use crate::inbox::Answer;
use crate::link::Link;
use crate::mailboxes::Broken;
use crate::options::Reconnect;
use crate::patience::{IsOff, LOOK, Patience};
use crate::random::random;
use crate::{Address, Alternative, ConnectError, Connection, Delay, Identity, Options, ReadAhead};
use ::channel::{Flags, Request, RequestNumber, StopMode};
use mqi::Reason;
use platform::sync::Mutex;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// A connection to a queue manager that several conversations share, each used by one thread at a time.
#[derive(Debug)]
pub struct Channel {
    options: Options,
    instance: [u8; 16],
    /// The process whose connections these are: a child of it would take them over by connecting again.
    process: u32,
    link: Mutex<Arc<Link>>,
    /// Held by the thread that connects again.
    reconnecting: Mutex<()>,
}

impl Channel {
    /// Connects and logs in.
    ///
    /// # Errors
    /// When no address leads to a queue manager that lets us in.
    pub fn connect(mut options: Options) -> Result<Arc<Self>, ConnectError> {
        let instance = random();
        let patience = Patience { limit: options.connect_timeout, is_off: &|| false };
        let link = Link::connect(&options, instance, patience)?;
        if options.reconnect.is_some_and(|how| how.same_queue_manager) {
            options.queue_manager.clone_from(&link.welcome.queue_manager);
        }
        Ok(Arc::new(Self {
            options,
            instance,
            process: std::process::id(),
            link: Mutex::new(Arc::new(link)),
            reconnecting: Mutex::new(()),
        }))
    }

    /// Begins a conversation.
    ///
    /// # Errors
    /// When the queue manager takes no more, is ending, or the connection is broken.
    pub fn conversation(self: &Arc<Self>) -> Result<Connection, Reason> {
        Connection::begin(Arc::clone(self))
    }

    /// Begins a conversation under an identity that the caller gives, on the link as it is.
    ///
    /// # Errors
    /// As of [`conversation`](Self::conversation); `CONNECTION_BROKEN` also when a later generation of the
    /// instance is there.
    pub fn conversation_as(self: &Arc<Self>, identity: Identity) -> Result<Connection, Reason> {
        Connection::begin_as(self, identity)
    }

    /// Ends the queue manager; answered when that is under way. It is heard also by one that begins no
    /// conversations, because it ends already, less urgently.
    ///
    /// # Errors
    /// When this program may not, or the connection is broken.
    pub fn stop(&self, mode: StopMode) -> Result<(), Reason> {
        let link = self.link();
        let (number, inbox) = link.register()?;
        let request = RequestNumber(1);
        let answer = link
            .send(|output| {
                Request::Stop { mode }.encode(output.cork(), number, request, Flags::NONE);
            })
            .and_then(|()| link.wait(&inbox, request));
        link.forget(number, true);
        match answer {
            Ok(Answer::Done) => Ok(()),
            Ok(answer) => Err(refusal(&answer)),
            // It did not hear this, since it was at its end already: only the most urgent wish is not met by
            // that.
            Err(Broken) => match link.reason() {
                Reason::Q_MGR_STOPPING if mode != StopMode::Preemptive => Ok(()),
                reason => Err(reason),
            },
        }
    }

    /// The queue manager's name.
    #[must_use]
    pub fn queue_manager(&self) -> String {
        self.link().welcome.queue_manager.clone()
    }

    /// The program that runs it.
    #[must_use]
    pub fn product(&self) -> String {
        self.link().welcome.product.clone()
    }

    /// True if one more conversation fits on its socket, as far as is known here.
    pub(crate) fn has_room(&self) -> bool {
        self.link().has_room()
    }

    pub(crate) fn link(&self) -> Arc<Link> {
        Arc::clone(&self.link.lock())
    }

    /// True if it connects again when a link breaks.
    pub(crate) fn reconnects(&self) -> bool {
        self.options.reconnect.is_some()
    }

    /// Returns the read-ahead of a handle: `window`, with the bytes of the options if they say so; none if
    /// these are 0.
    pub(crate) fn read_ahead(&self, window: ReadAhead) -> Option<ReadAhead> {
        let bytes = self.options.read_ahead_bytes.unwrap_or(window.bytes);
        (bytes > 0).then_some(ReadAhead { bytes, ..window })
    }

    /// Choice of accounting for its conversations.
    pub(crate) fn accounting(&self) -> mqi::AccountingChoice {
        self.options.accounting
    }

    /// A link in place of `broken`: one that another conversation made already, or a new one. A link that is
    /// whole stays: a conversation that was lost by itself takes no other with it. `RECONNECTING` when it was
    /// called off, `HCONN_ERROR` in a child of the process that connected.
    pub(crate) fn reconnect(&self, broken: &Arc<Link>, is_off: IsOff<'_>) -> Result<Arc<Link>, Reason> {
        let Some(how) = self.options.reconnect else {
            return Err(broken.reason());
        };
        if self.process != std::process::id() {
            return Err(Reason::HCONN_ERROR);
        }
        let _only_one = loop {
            if let Some(only_one) = self.reconnecting.try_lock() {
                break only_one;
            }
            sleep(LOOK, is_off)?;
        };
        let current = self.link();
        if !current.is_broken() {
            return Ok(current);
        }
        let options = with_places(&self.options, &current.welcome.addresses);
        let link = Arc::new(connect_again(&options, self.instance, how, is_off)?);
        *self.link.lock() = Arc::clone(&link);
        Ok(link)
    }

    /// Another like it with a socket of its own, for a conversation that finds no room where it was.
    pub(crate) fn apart(&self, is_off: IsOff<'_>) -> Result<Arc<Self>, Reason> {
        let how = self.options.reconnect.ok_or(Reason::MAX_CONNS_LIMIT_REACHED)?;
        let (options, instance) = (self.options.clone(), random());
        let link = Arc::new(connect_again(&options, instance, how, is_off)?);
        Ok(Arc::new(Self {
            options,
            instance,
            process: self.process,
            link: Mutex::new(link),
            reconnecting: Mutex::new(()),
        }))
    }
}

/// The options with other places where the queue manager said that it answers, behind their own. Entries of
/// a table of channels say where else to look, and nothing is added to them.
fn with_places(options: &Options, places: &[String]) -> Options {
    let mut options = options.clone();
    for place in places.iter().filter_map(|place| place.parse().ok()) {
        if matches!(place, Address::Tcp { .. }) && !options.addresses.contains(&place) {
            options.addresses.push(place);
        }
    }
    options
}

fn connect_again(
    options: &Options,
    instance: [u8; 16],
    how: Reconnect,
    is_off: IsOff<'_>,
) -> Result<Link, Reason> {
    let deadline = Instant::now() + how.give_up_after;
    let mut pause = how.pause_min;
    let mut delays = options.reconnect_delays.iter();
    let mut delay = delays.next();
    if let Some(delay) = delay {
        sleep(drawn(delay), is_off)?;
    }
    let patience = Patience { limit: options.connect_timeout, is_off };
    loop {
        match by_any(options, instance, patience) {
            Ok(link) => return Ok(link),
            Err(_) if is_off() => return Err(Reason::RECONNECTING),
            Err(error) if is_final(&error) => return Err(error.reason()),
            Err(_) => {}
        }
        delay = delays.next().or(delay);
        // Half of the pause at random, so that those who lost the same server do not return as one.
        let jittered = match delay {
            Some(delay) => drawn(delay),
            None => drawn(&Delay { fixed: pause / 2, random_max: pause / 2 }),
        };
        if Instant::now() + jittered > deadline {
            return Err(Reason::RECONNECT_FAILED);
        }
        sleep(jittered, is_off)?;
        pause = (pause * 2).min(how.pause_max);
    }
}

/// Connects through the first entry whose queue manager lets us in. An error is final when the errors of all
/// entries are.
fn by_any(options: &Options, instance: [u8; 16], patience: Patience<'_>) -> Result<Link, ConnectError> {
    if options.alternatives.is_empty() {
        return Link::connect(options, instance, patience);
    }
    let mut failure = None;
    for entry in in_order(options.alternatives.iter().collect(), Alternative::share, draw, draw_once) {
        let through = Options {
            addresses: entry.addresses.clone(),
            channel: entry.name.clone(),
            limits: entry.limits,
            compression: entry.compression.clone(),
            tls: entry.tls.clone(),
            alternatives: Vec::new(),
            ..options.clone()
        };
        match Link::connect(&through, instance, patience) {
            Ok(link) => return Ok(link),
            Err(error) if (patience.is_off)() => return Err(error),
            Err(error) if is_final(&error) && failure.is_some() => {}
            Err(error) => failure = Some(error),
        }
    }
    Err(failure.unwrap_or(ConnectError::NoAddress))
}

/// Returns true if waiting changes nothing: another queue manager answered, or one that refuses this user
/// or channel.
fn is_final(error: &ConnectError) -> bool {
    match error {
        ConnectError::Unprotected { .. } => true,
        ConnectError::Refused { reason, .. } => matches!(
            *reason,
            Reason::Q_MGR_NAME_ERROR
                | Reason::NOT_AUTHORIZED
                | Reason::UNKNOWN_CHANNEL_NAME
                | Reason::CHANNEL_CONFIG_ERROR
        ),
        _ => false,
    }
}

/// A pause as long as a delay says.
fn drawn(delay: &Delay) -> Duration {
    let [random, ..] = random();
    delay.fixed + delay.random_max.mul_f64(f64::from(random) / 256.0)
}

/// Sleeps, unless it is called off.
fn sleep(mut left: Duration, is_off: IsOff<'_>) -> Result<(), Reason> {
    while !left.is_zero() {
        if is_off() {
            return Err(Reason::RECONNECTING);
        }
        let step = left.min(LOOK);
        thread::sleep(step);
        left -= step;
    }
    Ok(())
}
