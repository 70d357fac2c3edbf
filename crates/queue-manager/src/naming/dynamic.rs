//! Dynamic queues: a local queue made from the definition of a model queue.

use std::sync::Arc;

use mqi::ObjectName;
use objects::{Moment, ObjectType, Value};

use crate::authority::Granted;
use crate::catalogue::{ChangeError, Changed, Existing, Lifetime, MANAGED_DURABLE, Object};
use crate::engine::Engine;
use crate::ground::time::moment;
use crate::queue::Queue;

/// The beginning of the names of queues that are managed for subscriptions that are not durable.
pub(crate) const MANAGED_NONDURABLE: &str = "SYSTEM.MANAGED.NDURABLE.";

/// True for the name of a queue that is looked after for a subscription.
fn is_managed_name(name: &ObjectName) -> bool {
    [MANAGED_DURABLE, MANAGED_NONDURABLE].iter().any(|prefix| name.as_str().starts_with(prefix))
}

/// Makes a queue of this name as a model says.
pub(crate) fn make_from_model(
    engine: &Engine,
    granted: &Granted<'_>,
    model: &Object<Arc<Queue>>,
    name: ObjectName,
    lifetime: Lifetime,
) -> Result<Changed<Arc<Queue>>, ChangeError> {
    granted.must_make(&name, is_managed_name(&name));
    let kind = match lifetime {
        Lifetime::ThisRun => mqi::constants::MQQDT_TEMPORARY_DYNAMIC,
        Lifetime::Logged => mqi::constants::MQQDT_PERMANENT_DYNAMIC,
    };
    let now: Moment = moment(engine.world.clock.wall());
    let mut definition = model.current().definition.copy_as(ObjectType::LocalQueue, name, now);
    definition.set_internal(mqi::constants::MQIA_DEFINITION_TYPE, Value::Integer(kind));
    definition.set_internal(mqi::constants::MQIA_USAGE, Value::Integer(mqi::constants::MQUS_NORMAL));
    definition.set_maker(&engine.door.maker(granted.principal()));
    engine
        .catalogue
        .define(definition, Existing::Refuse, lifetime, |id, current| engine.new_queue(id, current))
}
