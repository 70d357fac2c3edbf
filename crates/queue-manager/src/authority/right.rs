//! The right that a handle has: the request it was granted for, and the rules by which that was judged last.
//!
//! Always: a handle is used by its right alone where the rules are the same as then, which one comparison
//! tells; else the request is judged again, and a right that is gone ends every use of the handle with 2035.

use std::fmt;
use std::sync::Arc;

use mqi::{ObjectName, OpenOptions, SubscribeOptions, Text};
use platform::sync::atomic::{AtomicU64, Ordering};
use security::{Asked, Object, ObjectKind, Use};

/// The right of a handle. Copies share the number at which it was judged last.
#[derive(Clone, Default)]
pub(crate) struct Right {
    /// None for the handle that made its queue.
    request: Option<Arc<Request>>,
    /// The number of the rules by which it was granted last.
    judged: Arc<AtomicU64>,
}

/// A request that outlives its call.
#[derive(Debug)]
pub(crate) struct Request {
    kind: ObjectKind,
    name: ObjectName,
    text: Box<str>,
    used: Lasting,
    alternate_user: Option<Text<12>>,
    /// The alias by which a topic was opened, which is judged as well.
    alias: Option<ObjectName>,
    /// The name of a subscription that is another user's; empty for all else.
    of_another: Box<str>,
}

/// The record of a refusal: made where a program asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    Yes,
    No,
}

/// The use that a handle makes of its object.
#[derive(Clone, Copy, Debug)]
enum Lasting {
    Open(OpenOptions),
    Subscribe(SubscribeOptions),
}

impl fmt::Debug for Right {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Right({:?})", self.request)
    }
}

impl Right {
    /// The right of the handle that made its queue: its own as long as it is open.
    pub(super) fn of_maker() -> Self {
        Self { request: None, judged: Arc::new(AtomicU64::new(0)) }
    }

    /// One that was granted; `of_another` names the subscription of another user that it is to.
    pub(super) fn of(asked: &Asked<'_>, of_another: &str, generation: u64) -> Self {
        let Object { kind, name, text } = asked.object;
        let used = match asked.used {
            Use::Subscribe { options, .. } => Lasting::Subscribe(options),
            Use::Open(options) => Lasting::Open(options),
            _ => Lasting::Open(OpenOptions::EMPTY),
        };
        let (text, alternate_user, of_another) = (text.into(), asked.alternate_user, of_another.into());
        let request = Request { kind, name, text, used, alternate_user, alias: None, of_another };
        Self { request: Some(Arc::new(request)), judged: Arc::new(AtomicU64::new(generation)) }
    }

    /// Makes the right to a topic that was opened by an alias of this name.
    pub(crate) fn by_alias(self, alias: ObjectName) -> Self {
        let request = self.request.map(|request| {
            let Request { kind, name, ref text, used, alternate_user, ref of_another, .. } = *request;
            let (text, of_another, alias) = (text.clone(), of_another.clone(), Some(alias));
            Arc::new(Request { kind, name, text, used, alternate_user, alias, of_another })
        });
        Self { request, ..self }
    }

    /// The request; none for the handle that made its queue.
    pub(crate) fn request(&self) -> Option<&Request> {
        self.request.as_deref()
    }

    /// Notes that the rules of this number granted it.
    pub(crate) fn set_judged(&self, generation: u64) {
        self.judged.store(generation, Ordering::Relaxed);
    }

    /// True where it was judged by rules of this number.
    #[inline]
    pub(crate) fn is_judged(&self, generation: u64) -> bool {
        self.judged.load(Ordering::Relaxed) == generation
    }
}

impl Request {
    /// The requests to be judged again, of which each must be granted.
    pub(crate) fn asked(&self) -> impl Iterator<Item = Asked<'_>> {
        let object = Object::texted(self.kind, self.name, &self.text);
        let used = match self.used {
            Lasting::Open(options) => Use::Open(options),
            // Whether it was made or resumed then, it is there now.
            Lasting::Subscribe(options) => Use::Subscribe { options, subscription: &self.of_another },
        };
        let asked = Asked::new(object, used).for_user(self.alternate_user);
        let alias =
            self.alias.map(|alias| Asked { object: Object::named(ObjectKind::Queue, alias), ..asked });
        alias.into_iter().chain([asked])
    }

    /// Returns the request to resume the subscription, as a user with no more than that right may make it.
    pub(crate) fn resumed(&self) -> Option<Asked<'_>> {
        let Lasting::Subscribe(options) = self.used else { return None };
        let options = options.without(SubscribeOptions::CREATE | SubscribeOptions::ALTER);
        let object = Object::texted(self.kind, self.name, &self.text);
        let options = options | SubscribeOptions::RESUME;
        options.contains(SubscribeOptions::RESUME).then(|| {
            let subscription = &self.of_another;
            Asked::new(object, Use::Subscribe { options, subscription }).for_user(self.alternate_user)
        })
    }
}
