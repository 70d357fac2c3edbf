//! Dynamic queues: a local queue made from the definition of a model queue.

use std::sync::Arc;

use mqi::ObjectName;
use objects::{Definition, ObjectType, Value};
use queues::queue::Queue;
use storage::ObjectId;

use crate::authority::Granted;
use crate::catalogue::{ChangeError, Changed, Current, Existing, Lifetime, MANAGED_DURABLE, Object};
use crate::directory::Directory;

/// The beginning of the names of queues that are managed for subscriptions that are not durable.
pub(crate) const MANAGED_NONDURABLE: &str = "SYSTEM.MANAGED.NDURABLE.";

/// True for the name of a queue that is looked after for a subscription.
fn is_managed_name(name: &ObjectName) -> bool {
    [MANAGED_DURABLE, MANAGED_NONDURABLE].iter().any(|prefix| name.as_str().starts_with(prefix))
}

/// Makes a queue of this name as a model says, by `make`.
pub(crate) fn make_from_model(
    directory: &Directory,
    granted: &Granted<'_>,
    model: &Object<Arc<Queue>>,
    name: ObjectName,
    lifetime: Lifetime,
    make: impl FnOnce(ObjectId, &Current) -> Arc<Queue>,
) -> Result<Changed<Arc<Queue>>, ChangeError> {
    let definition = definition_of(directory, granted, model, name, lifetime);
    directory.catalogue.define(definition, Existing::Refuse, lifetime, make)
}

/// The definition of a queue of this name, as a model says.
pub(crate) fn definition_of(
    directory: &Directory,
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
    let now = directory.time_of_day();
    let mut definition = model.current().definition.copy_as(ObjectType::LocalQueue, name, now);
    definition.set_internal(mqi::constants::MQIA_DEFINITION_TYPE, Value::Integer(kind));
    definition.set_internal(mqi::constants::MQIA_USAGE, Value::Integer(mqi::constants::MQUS_NORMAL));
    definition.set_maker(&directory.door.maker(granted.principal()));
    definition
}
