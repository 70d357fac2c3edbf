//! Conditions that a queue watches because its attributes ask for it: a trigger message that is due, a queue
//! that fills up or has emptied, messages that are not got in time.
//!
//! Lives here: counting the messages that matter, and the conditions on the queue itself. Lives elsewhere:
//! the takers of trigger messages, and their content (`triggers`); the demand for events, and their content
//! (`instrumentation`).
//!
//! A queue that asks for nothing has no [`Watch`], and pays one look for one at each message.
//!
//! Always: what is noticed under the queue's lock is only noted (`Due`), and done by the thread that lets the
//! lock go.

use std::sync::{Arc, Weak};

use objects::{QueueAttributes, ServiceIntervalEvents, Trigger, TriggerKind};
use platform::{Monotonic, WallTime};

use super::entry::{EntryState, Slot};
use super::performance::Performance;
use super::status::QueueCounters;
use super::{Queue, State};
use crate::queue::due::Due;
use crate::queue::state::QueueFigures;
use crate::queues::Queues;

/// State of the conditions watched on one queue.
#[derive(Debug)]
pub(super) struct Watch {
    queue: Weak<Queue>,
    trigger: Option<TriggerWatch>,
    /// The depth that is high, if that is to be told.
    high: Option<u32>,
    /// The depth that is low, if that is to be told.
    low: Option<u32>,
    service: Option<ServiceWatch>,
    /// Event that was noted and is not reported yet.
    noted: Option<Performance>,
}

#[derive(Debug)]
struct TriggerWatch {
    settings: Arc<Trigger>,
    /// Messages of at least the trigger's priority, uncommitted ones included.
    sufficient: u32,
    firing: Firing,
}

#[derive(Debug)]
struct ServiceWatch {
    is_high: bool,
    interval_micros: i64,
    /// When a message came to the empty queue, the last was got, or the queue manager started with messages
    /// there.
    since: Option<WallTime>,
}

/// Where counting began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) since: Monotonic,
    puts: u64,
    gets: u64,
    pub(super) depth_highest: u32,
}

impl Counted {
    pub(super) fn from(now: Monotonic) -> Self {
        Self { since: now, puts: 0, gets: 0, depth_highest: 0 }
    }
}

/// Where a trigger of type FIRST or DEPTH is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Firing {
    Ready,
    /// A trigger message is being made.
    Due,
    /// Due, with a further reason for one, in case this one finds no taker.
    DueAgain,
    /// It was of type DEPTH, fired, and is being switched off.
    Spent,
}

/// Consequences of a change of attributes, besides the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Consequences {
    /// The trigger's conditions may be met from now on.
    pub trigger_changed: bool,
    /// Trigger messages may come from now on, if this is an initiation queue.
    pub takes_again: bool,
}

impl Watch {
    fn new(attributes: &QueueAttributes, queue: &Weak<Queue>) -> Option<Box<Self>> {
        let trigger = attributes.trigger.as_ref().map(|settings| TriggerWatch {
            settings: Arc::clone(settings),
            sufficient: 0,
            firing: Firing::Ready,
        });
        let events = attributes.depth_events;
        let share = |percent: u8| u64::from(attributes.depth_max) * u64::from(percent);
        let high = events.high.then(|| share(events.high_percent).div_ceil(100) as u32);
        let low = events.low.then(|| (share(events.low_percent) / 100) as u32);
        let service = match attributes.service_interval_events {
            ServiceIntervalEvents::None => None,
            kind => Some(ServiceWatch {
                is_high: kind == ServiceIntervalEvents::High,
                interval_micros: i64::from(attributes.service_interval) * 1_000,
                since: None,
            }),
        };
        let is_idle = trigger.is_none() && high.is_none() && low.is_none() && service.is_none();
        let queue = Weak::clone(queue);
        (!is_idle).then(|| Box::new(Self { queue, trigger, high, low, service, noted: None }))
    }

    /// Returns the event that a counted put makes due.
    fn at_put(&mut self, depth: u32, at: WallTime) -> Option<Performance> {
        let service = self.service.as_mut().and_then(|service| match service.since {
            Some(since) if depth > 1 => {
                let is_late = at.0 - since.0 > service.interval_micros;
                (service.is_high && is_late).then_some(Performance::ServiceIntervalHigh)
            }
            _ => {
                service.since = Some(at);
                None
            }
        });
        let high = self.high.is_some_and(|high| depth >= high).then_some(Performance::DepthHigh);
        high.or(service)
    }

    /// Returns the event that a counted get makes due.
    fn at_get(&mut self, depth: u32, at: WallTime) -> Option<Performance> {
        let service = self.service.as_mut().and_then(|service| {
            let since = service.since.replace(at)?;
            if depth == 0 {
                service.since = None;
            }
            match (service.is_high, at.0 - since.0 > service.interval_micros) {
                (true, true) => Some(Performance::ServiceIntervalHigh),
                (false, false) => Some(Performance::ServiceIntervalOk),
                _ => None,
            }
        });
        let low = self.low.is_some_and(|low| depth <= low).then_some(Performance::DepthLow);
        low.or(service)
    }
}

impl TriggerWatch {
    fn counts(&self, priority: u8) -> bool {
        priority >= self.settings.priority_min
    }

    /// Number of messages that must be there; none when their number does not matter.
    fn messages_wanted(&self) -> Option<u32> {
        match self.settings.kind {
            TriggerKind::First => Some(1),
            TriggerKind::Depth => Some(self.settings.depth),
            TriggerKind::Every | TriggerKind::None => None,
        }
    }
}

impl State {
    /// One more message counts in the depth.
    #[inline]
    pub(super) fn count_in(&mut self, slot: Slot) {
        self.depth += 1;
        self.counted.depth_highest = self.counted.depth_highest.max(self.depth);
        if self.measured.is_some() {
            self.measure_depth();
        }
        if self.watch.is_some() && !self.is_delayed(slot) {
            self.count_for_trigger(slot);
        }
    }

    /// One more message counts for the trigger of the queue.
    pub(super) fn count_for_trigger(&mut self, slot: Slot) {
        if let Some(watch) = &mut self.watch
            && let Some(trigger) = &mut watch.trigger
            && trigger.counts(self.slab[slot].priority)
        {
            trigger.sufficient += 1;
        }
    }

    /// Counts a message that went straight to a getter, for a moment. The queue is neither watched nor
    /// measured then.
    pub(super) fn count_through(&mut self) {
        self.counted.depth_highest = self.counted.depth_highest.max(self.depth + 1);
    }

    /// One message less counts in the depth.
    pub(super) fn count_out(&mut self, slot: Slot) {
        self.depth -= 1;
        if self.measured.is_some() {
            self.measure_depth();
        }
        if let Some(watch) = &mut self.watch
            && let Some(trigger) = &mut watch.trigger
            && trigger.counts(self.slab[slot].priority)
        {
            trigger.sufficient -= 1;
        }
    }

    /// A message was put, or got, and is counted.
    #[cold]
    pub(super) fn notice(&mut self, is_put: bool, at: WallTime) {
        let Some(watch) = &mut self.watch else { return };
        let noticed = if is_put { watch.at_put(self.depth, at) } else { watch.at_get(self.depth, at) };
        let Some(what) = noticed.filter(|_| watch.noted.is_none()) else { return };
        let Some(queue) = watch.queue.upgrade() else { return };
        watch.noted = Some(what);
        let need = self.last_change;
        self.due.push(Due::Performance { queue, what, need });
    }

    /// Takes attributes into use, and counts what is there already.
    pub(super) fn watch(&mut self, attributes: &QueueAttributes, queue: &Weak<Queue>) {
        let mut watch = Watch::new(attributes, queue);
        if let Some(trigger) = watch.as_mut().and_then(|watch| watch.trigger.as_mut()) {
            let given = self.slab.slots().filter(|slot| !self.is_delayed(*slot));
            let counted = given
                .map(|slot| &self.slab[slot])
                .filter(|entry| entry.state != EntryState::Locked && trigger.counts(entry.priority));
            trigger.sufficient = counted.count() as u32;
        }
        if let (Some(new), Some(old)) = (watch.as_mut(), self.watch.as_ref())
            && let (Some(new), Some(old)) = (new.service.as_mut(), old.service.as_ref())
        {
            new.since = old.since;
        }
        self.watch = watch;
    }

    /// Messages were there when the queue manager started: that they are not got counts from now on.
    pub(super) fn begin_service(&mut self, at: WallTime) {
        let service = self.watch.as_mut().and_then(|watch| watch.service.as_mut());
        if let (Some(service), 1..) = (service, self.depth) {
            service.since = Some(at);
        }
    }

    fn trigger(&self) -> Option<&TriggerWatch> {
        self.watch.as_ref()?.trigger.as_ref()
    }

    /// True if a message that is about to count makes a trigger message due. Of types FIRST and DEPTH there
    /// is one at a time.
    #[inline]
    pub(super) fn is_trigger(&self, queues: &Queues, slot: Slot) -> bool {
        self.trigger().is_some_and(|watch| self.is_trigger_of(watch, queues, slot))
    }

    /// The same where the queue has triggers.
    fn is_trigger_of(&self, watch: &TriggerWatch, queues: &Queues, slot: Slot) -> bool {
        if !watch.counts(self.slab[slot].priority) {
            return false;
        }
        let is_free = self.input_handles == 0 && watch.firing == Firing::Ready;
        match watch.settings.kind {
            TriggerKind::None => false,
            TriggerKind::Every => true,
            TriggerKind::First => {
                let interval = || queues.ground.limits.trigger_interval();
                let is_over = || queues.ground.now().since(self.triggered_at) >= interval();
                is_free && (watch.sufficient == 0 || is_over())
            }
            TriggerKind::Depth => is_free && watch.sufficient + 1 >= watch.settings.depth,
        }
    }

    /// True when a message counts for the trigger of the queue.
    pub(crate) fn may_trigger(&self, slot: Slot) -> bool {
        self.trigger().is_some_and(|watch| watch.counts(self.slab[slot].priority))
    }

    /// True if enough messages wait for a program that is not there.
    fn lacks_program(&self) -> bool {
        !self.deleted
            && self.input_handles == 0
            && self.trigger().is_some_and(|watch| {
                watch.firing == Firing::Ready
                    && watch.messages_wanted().is_some_and(|wanted| watch.sufficient >= wanted)
            })
    }
}

impl Queue {
    /// Notes that a trigger message is to be made, by the present state of the queue.
    pub(super) fn note_trigger(&self, state: &mut State) {
        let Some(watch) = state.watch.as_mut().and_then(|watch| watch.trigger.as_mut()) else { return };
        if watch.messages_wanted().is_some() {
            watch.firing = Firing::Due;
        }
        let need = state.last_change;
        state.due.push(Due::Trigger { queue: self.arc(), need });
    }

    /// A unit of work ended that had put a message which makes a trigger message due. Others, which came
    /// behind it while it was counted, may be there when it is gone, so that of types FIRST and DEPTH is made
    /// in either case.
    pub(crate) fn trigger_at_end(&self, state: &mut State, is_gone: bool) {
        let is_due = match state.trigger() {
            None => false,
            Some(watch) if watch.settings.kind == TriggerKind::Every => !is_gone,
            Some(watch) => state.input_handles == 0 && watch.firing == Firing::Ready,
        };
        if is_due {
            self.note_trigger(state);
        }
    }

    /// Makes a trigger message due if messages wait for a program that is not there: either they came before
    /// trigger messages had a taker, or their program left them.
    pub fn reconsider_trigger(&self, queues: &Queues) {
        let mut state = self.lock();
        if let Some(watch) = state.watch.as_mut().and_then(|watch| watch.trigger.as_mut())
            && watch.firing == Firing::Due
        {
            watch.firing = Firing::DueAgain;
        }
        self.note_if_lacking(&mut state);
        Self::release(queues, state);
    }

    pub(super) fn note_if_lacking(&self, state: &mut State) {
        if state.lacks_program() {
            self.note_trigger(state);
        }
    }

    /// Notes that the due trigger message was made, or has no taker.
    pub fn trigger_done(&self, queues: &Queues, now: Monotonic, is_made: bool) {
        let mut state = self.lock();
        if is_made {
            state.triggered_at = now;
        }
        if let Some(watch) = state.watch.as_mut().and_then(|watch| watch.trigger.as_mut()) {
            let is_spent = is_made && watch.settings.kind == TriggerKind::Depth;
            let goes_again = !is_made && watch.firing == Firing::DueAgain;
            watch.firing = if is_spent { Firing::Spent } else { Firing::Ready };
            if goes_again {
                self.note_if_lacking(&mut state);
                Self::release(queues, state);
            }
        }
    }

    /// Forgets a noted event: it is reported, or no longer wanted.
    pub fn forget_notice(&self, what: Performance) {
        let mut state = self.lock();
        if let Some(watch) = &mut state.watch {
            watch.noted.take_if(|noted| *noted == what);
        }
    }

    /// A put was refused because the queue is full.
    #[cold]
    pub(super) fn note_full(&self, state: &mut State) {
        if state.attributes.depth_events.full {
            let need = state.last_change;
            state.due.push(Due::Performance { queue: self.arc(), what: Performance::QueueFull, need });
        }
    }

    /// Returns the counts since the last call, or since the start.
    pub fn reset_figures(&self, now: Monotonic) -> QueueFigures {
        let mut state = self.lock();
        let QueueCounters { puts, gets, .. } = state.counters;
        let counted = state.counted;
        let figures = QueueFigures {
            seconds: now.since(counted.since).as_secs(),
            depth_highest: counted.depth_highest,
            enqueued: puts - counted.puts,
            dequeued: gets - counted.gets,
        };
        state.counted = Counted { since: now, puts, gets, depth_highest: state.depth };
        figures
    }

    /// Takes the consequences of the last change of attributes, once.
    pub fn take_consequences(&self) -> Consequences {
        std::mem::take(&mut self.lock().consequences)
    }

    /// True if any program has it open to get messages.
    pub fn has_getters(&self) -> bool {
        self.lock().input_handles > 0
    }

    /// Returns the consequences of a change to these attributes.
    pub(super) fn consequences(&self, new: &QueueAttributes) -> Consequences {
        let old = self.attributes();
        let is_open = |attributes: &QueueAttributes| !attributes.get_inhibited && !attributes.put_inhibited;
        Consequences {
            trigger_changed: new.trigger.is_some() && new.trigger != old.trigger,
            takes_again: is_open(new) && !is_open(&old),
        }
    }
}
