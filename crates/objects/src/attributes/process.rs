//! The attributes of processes, namelists, listeners and services.

use mqi::constants::*;
use mqi::ours::*;

use super::row::{Attribute, Derived, Word, word};
use super::words::{CONTROL, COUNT_MAX, NAME};
use crate::object_type::ObjectType::{self, Listener, Namelist, Process, Service};

const PROCESS: &[ObjectType] = &[Process];
const NAMELIST: &[ObjectType] = &[Namelist];
const LISTENER: &[ObjectType] = &[Listener];

const SERVICE: &[ObjectType] = &[Service];

/// Most names in a list.
const NAMES_MAX: usize = 256;

const APPLICATIONS: &[Word] = &[
    word("UNIX", MQAT_UNIX),
    word("CICS", MQAT_CICS),
    word("MVS", MQAT_MVS),
    word("IMS", MQAT_IMS),
    word("OS2", MQAT_OS2),
    word("DOS", MQAT_DOS),
    word("OS400", MQAT_OS400),
    word("WINDOWS", MQAT_WINDOWS),
    word("WINDOWSNT", MQAT_WINDOWS_NT),
    word("VMS", MQAT_VMS),
    word("NSK", MQAT_NSK),
    word("NOTESAGENT", MQAT_NOTES_AGENT),
    word("USER", MQAT_USER),
    word("JAVA", MQAT_JAVA),
    word("SYSTEM", MQAT_SYSTEM_EXTENSION),
];

#[rustfmt::skip]
pub(super) static PROCESS_ROWS: &[Attribute] = &[
    Attribute::name("PROCESS", MQCA_PROCESS_NAME, NAME).on(PROCESS).derived(Derived::Name)
        .means("The process's name."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(PROCESS).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(PROCESS).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::text("APPLICID", MQCA_APPL_ID, MQ_PROCESS_APPL_ID_LENGTH).on(PROCESS)
        .means("The program: its path, as a trigger monitor starts it."),
    Attribute::integer("APPLTYPE", MQIA_APPL_TYPE, (MQAT_USER_FIRST, MQAT_USER_LAST), MQAT_DEFAULT).or(APPLICATIONS).on(PROCESS)
        .means("The kind of program."),
    Attribute::text("DESCR", MQCA_PROCESS_DESC, MQ_PROCESS_DESC_LENGTH).on(PROCESS)
        .means("A description, for people."),
    Attribute::text("ENVRDATA", MQCA_ENV_DATA, MQ_PROCESS_ENV_DATA_LENGTH).on(PROCESS)
        .means("Text about the program's surroundings that goes into trigger messages."),
    Attribute::text("USERDATA", MQCA_USER_DATA, MQ_PROCESS_USER_DATA_LENGTH).on(PROCESS)
        .means("Text for the program that goes into trigger messages."),
];

#[rustfmt::skip]
pub(super) static NAMELIST_ROWS: &[Attribute] = &[
    Attribute::name("NAMELIST", MQCA_NAMELIST_NAME, MQ_NAMELIST_NAME_LENGTH).on(NAMELIST).derived(Derived::Name)
        .means("The namelist's name."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(NAMELIST).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(NAMELIST).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::text("DESCR", MQCA_NAMELIST_DESC, MQ_NAMELIST_DESC_LENGTH).on(NAMELIST)
        .means("A description, for people."),
    Attribute::integer("NAMCOUNT", MQIA_NAME_COUNT, (0, NAMES_MAX as i32), 0).on(NAMELIST).derived(Derived::NameCount)
        .means("Number of names in the list."),
    Attribute::names("NAMES", MQCA_NAMES, NAME, NAMES_MAX).on(NAMELIST)
        .means("The names."),
];

/// TLS(AUTO).
const LISTENER_TLS_AUTO: i32 = 0;
/// TLS(REQUIRED)
pub(crate) const LISTENER_TLS_REQUIRED: i32 = 1;
/// TLS(ALLOWED)
pub(crate) const LISTENER_TLS_ALLOWED: i32 = 2;
/// TLS(NO)
pub(crate) const LISTENER_TLS_NO: i32 = 3;

const COVERS: &[Word] = &[
    word("AUTO", LISTENER_TLS_AUTO),
    word("REQUIRED", LISTENER_TLS_REQUIRED),
    word("ALLOWED", LISTENER_TLS_ALLOWED),
    word("NO", LISTENER_TLS_NO),
];

#[rustfmt::skip]
pub(super) static LISTENER_ROWS: &[Attribute] = &[
    Attribute::name("LISTENER", MQCACH_LISTENER_NAME, MQ_LISTENER_NAME_LENGTH).pcf_only().on(LISTENER).derived(Derived::Name)
        .means("The listener's name."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(LISTENER).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(LISTENER).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::name("AMQPCHL", AMQP_CHANNEL, MQ_CHANNEL_NAME_LENGTH).pcf_only().on(LISTENER)
        .means("The channel (CHLTYPE(AMQP)) of AMQP clients that come by the listener; blank for none. Of ours."),
    Attribute::integer("BACKLOG", MQIACH_BACKLOG, (0, COUNT_MAX), 0).pcf_only().on(LISTENER)
        .means("Most connections that wait to be accepted; 0 for the system's own number."),
    Attribute::choice("CONTROL", MQIACH_LISTENER_CONTROL, CONTROL, MQSVC_CONTROL_MANUAL).pcf_only().on(LISTENER)
        .means("Start and stop of the listener: by command, or with the queue manager."),
    Attribute::text("DESCR", MQCACH_LISTENER_DESC, MQ_LISTENER_DESC_LENGTH).pcf_only().on(LISTENER)
        .means("A description, for people."),
    Attribute::text("IPADDR", MQCACH_IP_ADDRESS, MQ_IP_ADDRESS_LENGTH).pcf_only().on(LISTENER)
        .means("The address listened on; blank for every address of the machine."),
    Attribute::integer("PORT", MQIACH_PORT, (0, 65_535), 0).pcf_only().on(LISTENER)
        .means("The port listened on; 0 for 1414."),
    Attribute::choice("TLS", LISTENER_TLS, COVERS, LISTENER_TLS_AUTO).pcf_only().on(LISTENER)
        .means("The encryption of connections. AUTO: as listener.tls of the settings says, and alone beyond loopback."),
    Attribute::choice("TRPTYPE", MQIACH_XMIT_PROTOCOL_TYPE, &[word("TCP", MQXPT_TCP)], MQXPT_TCP).pcf_only().on(LISTENER)
        .means("The transport."),
];

#[rustfmt::skip]
pub(super) static SERVICE_ROWS: &[Attribute] = &[
    Attribute::name("SERVICE", MQCA_SERVICE_NAME, MQ_SERVICE_NAME_LENGTH).on(SERVICE).derived(Derived::Name)
        .means("The service's name."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(SERVICE).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(SERVICE).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::choice("CONTROL", MQIA_SERVICE_CONTROL, CONTROL, MQSVC_CONTROL_MANUAL).on(SERVICE).kept_only()
        .means("Start and stop of the service: by command, or with the queue manager; none is executed."),
    Attribute::text("DESCR", MQCA_SERVICE_DESC, MQ_SERVICE_DESC_LENGTH).on(SERVICE)
        .means("A description, for people."),
    Attribute::choice("SERVTYPE", MQIA_SERVICE_TYPE, &[word("COMMAND", MQSVC_TYPE_COMMAND), word("SERVER", MQSVC_TYPE_SERVER)], MQSVC_TYPE_COMMAND).on(SERVICE).kept_only()
        .means("Number of instances at once: one for SERVER, several for COMMAND."),
    Attribute::text("STARTARG", MQCA_SERVICE_START_ARGS, MQ_SERVICE_ARGS_LENGTH).on(SERVICE).kept_only()
        .means("Arguments of the program that starts it."),
    Attribute::text("STARTCMD", MQCA_SERVICE_START_COMMAND, MQ_SERVICE_COMMAND_LENGTH).on(SERVICE).kept_only()
        .means("The program that starts it."),
    Attribute::text("STDERR", MQCA_STDERR_DESTINATION, MQ_SERVICE_PATH_LENGTH).on(SERVICE).kept_only()
        .means("File for its error output."),
    Attribute::text("STDOUT", MQCA_STDOUT_DESTINATION, MQ_SERVICE_PATH_LENGTH).on(SERVICE).kept_only()
        .means("File for its output."),
    Attribute::text("STOPARG", MQCA_SERVICE_STOP_ARGS, MQ_SERVICE_ARGS_LENGTH).on(SERVICE).kept_only()
        .means("Arguments of the program that stops it."),
    Attribute::text("STOPCMD", MQCA_SERVICE_STOP_COMMAND, MQ_SERVICE_COMMAND_LENGTH).on(SERVICE).kept_only()
        .means("The program that stops it."),
];
