//! Dynamic queues: a local queue made from the definition of a model queue.

use std::sync::Arc;

use mqi::ObjectName;
use objects::{Definition, Moment, ObjectType, Value};
use queues::ground::time::moment;
use queues::queue::Queue;
use storage::Lsn;

use crate::authority::Granted;
use crate::catalogue::{ChangeError, Changed, Current, Existing, Lifetime, MANAGED_DURABLE, Object};
use crate::engine::Engine;

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
    let definition = definition_of(engine, granted, model, name, lifetime);
    let make = |id, current: &Current| engine.new_queue(id, current);
    engine.catalogue.define(definition, Existing::Refuse, lifetime, make)
}

/// The same for a program that opens the model, where `check` agrees under the lock of the change: the queue
/// is its own by the time that others find it.
pub(crate) fn make_for_program(
    engine: &Engine,
    granted: &Granted<'_>,
    model: &Object<Arc<Queue>>,
    name: ObjectName,
    lifetime: Lifetime,
    check: impl FnOnce() -> Result<(), ChangeError>,
) -> Result<Changed<Arc<Queue>>, ChangeError> {
    let definition = definition_of(engine, granted, model, name, lifetime);
    let record = engine.prepare_maker(&name, granted.principal(), lifetime);
    let mut need = Lsn::ZERO;
    let make = |id, current: &Current| {
        let queue = engine.new_queue(id, current);
        need = engine.give_to_maker(&queue, granted.principal(), record);
        queue
    };
    let made = engine.catalogue.define_if(definition, Existing::Refuse, lifetime, |_, _| check(), make)?;
    Ok(Changed { need: made.need.max(need), ..made })
}

fn definition_of(
    engine: &Engine,
    granted: &Granted<'_>,
    model: &Object<Arc<Queue>>,
    name: ObjectName,
    lifetime: Lifetime,
) -> Definition {
    granted.must_make(&name, is_managed_name(&name));
    let kind = match lifetime {
        Lifetime::ThisRun => mqi::constants::MQQDT_TEMPORARY_DYNAMIC,
        Lifetime::Logged => mqi::constants::MQQDT_PERMANENT_DYNAMIC,
    };
    let now: Moment = moment(engine.ground().world.clock.wall());
    let mut definition = model.current().definition.copy_as(ObjectType::LocalQueue, name, now);
    definition.set_internal(mqi::constants::MQIA_DEFINITION_TYPE, Value::Integer(kind));
    definition.set_internal(mqi::constants::MQIA_USAGE, Value::Integer(mqi::constants::MQUS_NORMAL));
    definition.set_maker(&engine.door.maker(granted.principal()));
    definition
}
