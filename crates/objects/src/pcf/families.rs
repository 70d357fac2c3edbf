//! The numbers of commands on objects, by family, and their meanings.

use mqi::constants::*;
use mqi::ours::*;

use crate::object_type::Family;

/// The action of a command on objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Inquire,
    InquireNames,
    Create,
    Change,
    Copy,
    Delete,
}

/// The numbers by which a family is asked for.
pub(crate) struct FamilyRow {
    pub(super) family: Family,
    /// The commands, in the order of [`Action`]; zero for one there is not.
    commands: [i32; 6],
    /// The list of attributes to be answered.
    pub(super) attributes: i32,
    /// The list of names in an answer, and that of their types.
    pub(super) names: i32,
    pub(super) types: Option<i32>,
    /// The name that tells types apart, and its number for all of them.
    pub(super) subtype: Option<(i32, i32)>,
    /// The names in a copy: of the object copied, and of that made.
    pub(super) from: i32,
    pub(super) to: i32,
    /// The reason for an object that is not there, and for one that is.
    pub(super) unknown: i32,
    pub(super) exists: i32,
}

const UNKNOWN: (i32, i32) = (MQRC_UNKNOWN_OBJECT_NAME, MQRCCF_OBJECT_ALREADY_EXISTS);

const fn family(
    family: Family,
    commands: [i32; 6],
    (attributes, names): (i32, i32),
    (from, to): (i32, i32),
) -> FamilyRow {
    let (unknown, exists) = UNKNOWN;
    FamilyRow { family, commands, attributes, names, types: None, subtype: None, from, to, unknown, exists }
}

#[rustfmt::skip]
static FAMILIES: &[FamilyRow] = &[
    FamilyRow {
        types: Some(MQIACF_Q_TYPES),
        subtype: Some((MQIA_Q_TYPE, MQQT_ALL)),
        ..family(
            Family::Queue,
            [MQCMD_INQUIRE_Q, MQCMD_INQUIRE_Q_NAMES, MQCMD_CREATE_Q, MQCMD_CHANGE_Q, MQCMD_COPY_Q, MQCMD_DELETE_Q],
            (MQIACF_Q_ATTRS, MQCACF_Q_NAMES),
            (MQCACF_FROM_Q_NAME, MQCACF_TO_Q_NAME),
        )
    },
    FamilyRow {
        types: Some(MQIACH_CHANNEL_TYPES),
        subtype: Some((MQIACH_CHANNEL_TYPE, MQCHT_ALL)),
        unknown: MQRCCF_CHANNEL_NOT_FOUND,
        exists: MQRCCF_CHANNEL_ALREADY_EXISTS,
        ..family(
            Family::Channel,
            [MQCMD_INQUIRE_CHANNEL, MQCMD_INQUIRE_CHANNEL_NAMES, MQCMD_CREATE_CHANNEL, MQCMD_CHANGE_CHANNEL, MQCMD_COPY_CHANNEL, MQCMD_DELETE_CHANNEL],
            (MQIACF_CHANNEL_ATTRS, MQCACH_CHANNEL_NAMES),
            (MQCACF_FROM_CHANNEL_NAME, MQCACF_TO_CHANNEL_NAME),
        )
    },
    FamilyRow {
        types: Some(MQIACH_AUTH_INFO_TYPES),
        subtype: Some((MQIA_AUTH_INFO_TYPE, MQAIT_ALL)),
        ..family(
            Family::Authentication,
            [MQCMD_INQUIRE_AUTH_INFO, MQCMD_INQUIRE_AUTH_INFO_NAMES, MQCMD_CREATE_AUTH_INFO, MQCMD_CHANGE_AUTH_INFO, MQCMD_COPY_AUTH_INFO, MQCMD_DELETE_AUTH_INFO],
            (MQIACF_AUTH_INFO_ATTRS, MQCACF_AUTH_INFO_NAMES),
            (MQCACF_FROM_AUTH_INFO_NAME, MQCACF_TO_AUTH_INFO_NAME),
        )
    },
    family(
        Family::Process,
        [MQCMD_INQUIRE_PROCESS, MQCMD_INQUIRE_PROCESS_NAMES, MQCMD_CREATE_PROCESS, MQCMD_CHANGE_PROCESS, MQCMD_COPY_PROCESS, MQCMD_DELETE_PROCESS],
        (MQIACF_PROCESS_ATTRS, MQCACF_PROCESS_NAMES),
        (MQCACF_FROM_PROCESS_NAME, MQCACF_TO_PROCESS_NAME),
    ),
    family(
        Family::Namelist,
        [MQCMD_INQUIRE_NAMELIST, MQCMD_INQUIRE_NAMELIST_NAMES, MQCMD_CREATE_NAMELIST, MQCMD_CHANGE_NAMELIST, MQCMD_COPY_NAMELIST, MQCMD_DELETE_NAMELIST],
        (MQIACF_NAMELIST_ATTRS, MQCACF_NAMELIST_NAMES),
        (MQCACF_FROM_NAMELIST_NAME, MQCACF_TO_NAMELIST_NAME),
    ),
    family(
        Family::Topic,
        [MQCMD_INQUIRE_TOPIC, MQCMD_INQUIRE_TOPIC_NAMES, MQCMD_CREATE_TOPIC, MQCMD_CHANGE_TOPIC, MQCMD_COPY_TOPIC, MQCMD_DELETE_TOPIC],
        (MQIACF_TOPIC_ATTRS, MQCACF_TOPIC_NAMES),
        (MQCACF_FROM_TOPIC_NAME, MQCACF_TO_TOPIC_NAME),
    ),
    FamilyRow {
        unknown: MQRC_NO_SUBSCRIPTION,
        exists: MQRCCF_SUB_ALREADY_EXISTS,
        ..family(
            Family::Subscription,
            [MQCMD_INQUIRE_SUBSCRIPTION, 0, MQCMD_CREATE_SUBSCRIPTION, MQCMD_CHANGE_SUBSCRIPTION, MQCMD_COPY_SUBSCRIPTION, MQCMD_DELETE_SUBSCRIPTION],
            (MQIACF_SUB_ATTRS, 0),
            (MQCACF_FROM_SUB_NAME, MQCACF_TO_SUB_NAME),
        )
    },
    family(
        Family::Listener,
        [MQCMD_INQUIRE_LISTENER, 0, MQCMD_CREATE_LISTENER, MQCMD_CHANGE_LISTENER, MQCMD_COPY_LISTENER, MQCMD_DELETE_LISTENER],
        (MQIACF_LISTENER_ATTRS, 0),
        (MQCACF_FROM_LISTENER_NAME, MQCACF_TO_LISTENER_NAME),
    ),
    family(
        Family::Service,
        [MQCMD_INQUIRE_SERVICE, 0, MQCMD_CREATE_SERVICE, MQCMD_CHANGE_SERVICE, MQCMD_COPY_SERVICE, MQCMD_DELETE_SERVICE],
        (MQIACF_SERVICE_ATTRS, 0),
        (MQCACF_FROM_SERVICE_NAME, MQCACF_TO_SERVICE_NAME),
    ),
    family(
        Family::CommunicationInformation,
        [MQCMD_INQUIRE_COMM_INFO, 0, MQCMD_CREATE_COMM_INFO, MQCMD_CHANGE_COMM_INFO, MQCMD_COPY_COMM_INFO, MQCMD_DELETE_COMM_INFO],
        (MQIACF_COMM_INFO_ATTRS, 0),
        (MQCACF_FROM_COMM_INFO_NAME, MQCACF_TO_COMM_INFO_NAME),
    ),
    family(
        Family::Bridge,
        [INQUIRE_BRIDGE, 0, CREATE_BRIDGE, CHANGE_BRIDGE, COPY_BRIDGE, DELETE_BRIDGE],
        (BRIDGE_ATTRIBUTES, 0),
        (FROM_BRIDGE, TO_BRIDGE),
    ),
    family(
        Family::Pipe,
        [INQUIRE_PIPE, 0, CREATE_PIPE, CHANGE_PIPE, COPY_PIPE, DELETE_PIPE],
        (PIPE_ATTRIBUTES, 0),
        (FROM_PIPE, TO_PIPE),
    ),
];

const ACTIONS: [Action; 6] =
    [Action::Inquire, Action::InquireNames, Action::Create, Action::Change, Action::Copy, Action::Delete];

/// Returns the meaning of a command number for objects.
pub(super) fn meaning(command: i32) -> Option<(Action, &'static FamilyRow)> {
    FAMILIES.iter().find_map(|row| {
        let index = row.commands.iter().position(|number| *number == command && command != 0)?;
        Some((ACTIONS[index], row))
    })
}

/// The parameters that are lists of names, and how long each name is.
pub(super) fn name_lists() -> impl Iterator<Item = (i32, usize)> {
    let types = |row: &FamilyRow| row.family.types().next();
    FAMILIES.iter().filter_map(move |row| Some((row.names, types(row)?.name_length_max())))
}

/// The number of an action on objects of a family; zero where there is none.
pub(crate) fn number_of(family: Family, action: Action) -> i32 {
    let row = FAMILIES.iter().find(|row| row.family == family);
    row.map_or(0, |row| row.commands[action as usize])
}
