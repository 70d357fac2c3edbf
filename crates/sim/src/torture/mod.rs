//! Cutting the power of something with queues, at every place and in every way, and judging what is there
//! afterwards.
//!
//! Lives here: [`Subject`] (whatever has queues), [`Workload`] (what clients do to it), `Model` (what must
//! come of it), [`Life`] (a subject that works, with getters that wait (`handing`), loses power, starts again
//! and works on) and [`Survivor`], which starts what a crash left and compares it with the model.
//!
//! Lives elsewhere: the subjects (`crate::subjects`), the figures that count cases (`crate::figures`), the
//! judge of histories (`testing::history`).
//!
//! Always: what a restart brings back is what the model held after some number of the operations, in their
//! order: at least all that were acknowledged, at most all that were begun.

mod case;
mod doubt;
mod handing;
mod life;
mod model;
mod subject;
mod workload;

pub use case::{Judged, Survivor, guarded};
pub use life::{Features, Known, Life, Past, Problem};
pub use model::Model;
pub use subject::{
    AWAITS_GETTER, Answer, Arrived, Counters, DELAY, Found, Maker, Put, QUEUES, Refusal, StartFailure,
    Subject,
};
pub use workload::{Fate, Shape, Step, Workload};

#[cfg(test)]
mod tests;
