//! MQOPEN, MQCLOSE, MQINQ, MQSET, MQSTAT.

use crate::boundary::Done;
use crate::connections;
use crate::layout::{MQHCONN, MQHOBJ, MQLONG, MQOD, MQSTS};
use crate::memory::{Buffer, Pointer, Source, Structure};
use crate::translate::{attributes, object_descriptor, status};
use crate::xa;
use mqi::{CloseOptions, ObjectHandle, OpenOptions, Reason, Selector, StatusType, constants};

/// MQOPEN. The handle is unusable when it is refused.
pub(super) fn open(
    connection: MQHCONN,
    descriptor: Pointer<MQOD>,
    options: MQLONG,
    handle: Pointer<MQHOBJ>,
) -> Result<Done, Reason> {
    let opened = connections::with(connection, |verbs| {
        if handle.is_null() {
            return Err(Reason::HOBJ_ERROR);
        }
        let program = Structure::read(descriptor, MQOD::DEFAULT, Reason::OD_ERROR)?;
        let object = object_descriptor::for_open(&program)?;
        let opened = verbs.open(&object, OpenOptions::from_bits(options))?;
        object_descriptor::give_opened(&program, &object, &opened);
        Ok(opened.handle)
    });
    if let Ok(handle) = opened {
        xa::opened(connection, handle.0);
    }
    handle.write(opened.map_or(constants::MQHO_UNUSABLE_HOBJ, |handle| handle.0));
    opened.map(|_| None)
}

/// MQCLOSE. The handle is unusable when it is closed, and stays while messages that were read ahead keep it
/// open.
pub(super) fn close(connection: MQHCONN, handle: Pointer<MQHOBJ>, options: MQLONG) -> Result<Done, Reason> {
    let warning = connections::with(connection, |verbs| {
        let number = handle.read().ok_or(Reason::HOBJ_ERROR)?;
        verbs.close(ObjectHandle(number), CloseOptions::from_bits(options))
    })?;
    if let Some(number) = handle.read().filter(|_| warning != Some(Reason::READ_AHEAD_MSGS)) {
        xa::closed(connection, number);
    }
    if warning != Some(Reason::READ_AHEAD_MSGS) {
        handle.write(constants::MQHO_UNUSABLE_HOBJ);
    }
    Ok(warning)
}

/// Most selectors of one call; the queue manager takes fewer.
const SELECTORS_MAX: usize = 10_000;

/// The arrays of MQINQ and MQSET, as the program states them.
#[derive(Clone, Copy)]
pub(super) struct Attributes<A> {
    pub(super) selectors: Result<Source, Reason>,
    pub(super) integers: Result<A, Reason>,
    pub(super) characters: Result<A, Reason>,
}

/// MQINQ. What objects of this type do not have is a warning, as is what there is no room for: the first of
/// these that there is.
pub(super) fn inquire(
    connection: MQHCONN,
    handle: MQHOBJ,
    attributes: Attributes<Buffer>,
) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let selectors = selectors(attributes.selectors)?;
        let (integers, characters) = (attributes.integers?, attributes.characters?);
        let inquired = verbs.inquire(ObjectHandle(handle), &selectors)?;
        let returned = attributes::returned(&selectors, &inquired, characters.length());
        integers.write_numbers(&returned.integers);
        characters.write(&returned.characters);
        let lacks_integers = returned.integers.len() > integers.length() / size_of::<MQLONG>();
        Ok(match inquired.warning {
            None if lacks_integers => Some(Reason::INT_ATTR_COUNT_TOO_SMALL),
            None if returned.lacks_characters => Some(Reason::CHAR_ATTRS_TOO_SHORT),
            warning => warning,
        })
    })
}

/// MQSET.
pub(super) fn set(
    connection: MQHCONN,
    handle: MQHOBJ,
    attributes: Attributes<Source>,
) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let selectors = selectors(attributes.selectors)?;
        let (integers, characters) = (attributes.integers?.numbers(), attributes.characters?.copy());
        let values = attributes::to_set(&selectors, &integers, &characters)?;
        verbs.set(ObjectHandle(handle), &values).map(|()| None)
    })
}

fn selectors(selectors: Result<Source, Reason>) -> Result<Vec<Selector>, Reason> {
    let numbers = selectors?.numbers();
    if numbers.len() > SELECTORS_MAX {
        return Err(Reason::SELECTOR_LIMIT_EXCEEDED);
    }
    Ok(numbers.into_iter().map(Selector).collect())
}

/// MQSTAT.
pub(super) fn stat(connection: MQHCONN, kind: MQLONG, status: Pointer<MQSTS>) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let program = Structure::read(status, MQSTS::DEFAULT, Reason::STS_ERROR)?;
        status::give_status(&program, &verbs.stat(StatusType::from_code(kind)?)?);
        Ok(None)
    })
}
