//! RESET QMGR and REFRESH QMGR, by which the queue manager tells of itself, and REFRESH SECURITY: rights are
//! judged again here, logins and keys by the host.

use objects::mqsc::{Refresh, Refreshing, Reset};
use objects::{Family, Message, Moment, ObjectType, Response, messages};
use queues::gate::Gated;
use queues::ground::request::{Carried, Request};

use super::answer::{answer, failed};
use super::log;
use crate::Issuer;
use crate::engine::Engine;

/// RESET QMGR.
pub(super) fn reset(engine: &Engine, reset: Reset) -> Gated<Response> {
    let manager = engine.directory.catalogue.manager();
    match reset {
        Reset::Statistics => {
            let told = engine.tell_statistics(engine.ground().now());
            answer(
                told.max(manager.need),
                Message::new(&messages::STATISTICS_TOLD, [manager.definition.name()]),
            )
        }
        Reset::Log(step) => log::step(engine, step),
    }
}

/// REFRESH QMGR.
pub(super) fn refresh(engine: &Engine, issuer: &Issuer, refresh: &Refresh) -> Gated<Response> {
    let catalogue = &engine.directory.catalogue;
    let manager = catalogue.manager();
    let mut need = catalogue.absence_need();
    if !refresh.is_configuration {
        let why = "there are no queue managers that subscribe for each other yet";
        let inserts = ["REFRESH QMGR".to_owned(), why.to_owned()];
        return answer(need, Message::new(&messages::NOT_AVAILABLE, inserts));
    }
    if !manager.attributes.events.configuration {
        let name = manager.definition.name().as_str();
        let why = "there are no configuration events while CONFIGEV is DISABLED";
        return failed("REFRESH", ObjectType::QueueManager, name, why, manager.need);
    }
    let since = Moment(engine.time_of_day().0 - i64::from(refresh.minutes) * 60);
    let is_meant = |definition: &objects::Definition| {
        refresh.is_about(definition.object_type())
            && refresh.names.as_ref().is_none_or(|names| names.matches(definition.shown_name()))
            && (refresh.minutes == 0 || definition.altered() >= since)
    };
    let mut told = 0_u32;
    let mut tell = |definition: &objects::Definition, known| {
        if is_meant(definition) {
            need = need.max(engine.directory.tell_refreshed(issuer, definition, known)).max(known);
            told += 1;
        }
    };
    tell(&manager.definition, manager.need);
    for object in catalogue.all() {
        let current = object.current();
        tell(&current.definition, current.need);
    }
    for family in Family::all().filter(|family| !matches!(family, Family::Queue | Family::QueueManager)) {
        for object in catalogue.all_defined(family) {
            let current = object.current();
            tell(&current.definition, current.need);
        }
    }
    answer(need, Message::new(&messages::CONFIGURATION_TOLD, [told]))
}

/// REFRESH SECURITY.
pub(super) fn refresh_security(engine: &Engine, refreshing: Refreshing) -> Gated<Response> {
    // The host first: it knows the groups that rights are judged by.
    let carried = engine.ground().host.request(&Request::RefreshSecurity(refreshing));
    if refreshing.is_of_rights() {
        engine.judge_handles_again();
    }
    let message = match carried {
        Carried::Refused(why) => Message::new(&messages::SECURITY_NOT_REFRESHED, [why]),
        _ => Message::new(&messages::SECURITY_REFRESHED, [refreshing.word()]),
    };
    answer(engine.directory.catalogue.absence_need(), message)
}
