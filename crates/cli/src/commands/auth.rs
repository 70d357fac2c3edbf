//! `ferry auth`: rights of users and groups, as commands that a person types.
//!
//! Always: each is a command of MQSC, which the queue manager judges like any other; to show all that a user
//! may do takes two.

use std::borrow::Cow;

use clap::{Args, Subcommand};
use client::CommandResponse;
use objects::messages::{self, MessageRow};
use objects::quoted;
use security::authority::ObjectType;
use server::configuration::nearest;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless_lines};

use super::pages;

/// A work on rights.
#[derive(Debug, Subcommand)]
pub(crate) enum AuthCommand {
    /// Give a user or group rights on objects
    Grant(ChangeArguments),
    /// Take rights on objects away; it takes effect at once, also for open handles
    Revoke(ChangeArguments),
    /// List the records of a user, of a group, or all
    List(ListAuthoritiesArguments),
    /// Show the rights that a user or group has on one object, by all records together; without an object all
    /// that a user may do: its records and those of its groups
    Show(ShowArguments),
    /// Judge a request as if the user made it; the exit code is 4 if it would be refused
    Check(CheckArguments),
}

/// The objects, and the user or group.
#[derive(Debug, Args)]
pub(crate) struct ChangeArguments {
    /// User, or group with --group
    entity: String,
    /// Rights, with commas: put,get,browse,inq,pub,sub,connect, allmqi, alladm, all
    rights: String,
    /// Name of the objects: * is one qualifier, ** any number; not needed for the queue manager
    profile: Option<String>,
    #[command(flatten)]
    kind: KindArguments,
}

#[derive(Debug, Args)]
pub(crate) struct KindArguments {
    /// Type of the objects: queue, qmgr, topic, process, namelist, channel, ...
    #[arg(long = "type", value_name = "TYPE", default_value = "queue")]
    object_type: String,
    /// The name is that of a group
    #[arg(long)]
    group: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListAuthoritiesArguments {
    /// User, or group with --group; all without it
    entity: Option<String>,
    /// The name is that of a group
    #[arg(long)]
    group: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// User, or group with --group
    entity: String,
    /// Object; without it the records of the user and of its groups, or of the group; with --type qmgr the
    /// rights on the queue manager
    object: Option<String>,
    #[command(flatten)]
    kind: KindArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// User
    user: String,
    /// Object; the queue manager itself with --type qmgr
    object: String,
    /// Request: connect, put, get, browse, inq, set, pub, sub, passid, setall, define, alter, delete,
    /// display, clear, start, stop, ...
    verb: String,
    /// Type of the object: queue, qmgr, topic, process, namelist, channel, ...
    #[arg(long = "type", value_name = "TYPE", default_value = "queue")]
    object_type: String,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &AuthCommand) -> Result<()> {
    if let AuthCommand::Grant(change) | AuthCommand::Revoke(change) = command {
        check_rights(&change.kind.object_type, &change.rights)?;
    }
    let text = text_of(command);
    let mut session = connect::session(common)?;
    let response = session.command(&text)?;
    let connect = match verdict_on_connect(command).filter(|_| !response.failed) {
        Some(text) => Some(session.command(&text)?),
        None => None,
    };
    session.disconnect()?;
    if response.failed {
        return Err(Failure::new(Exit::Failed, response.text.trim_end().to_owned())
            .in_lines()
            .next(NextStep::of("correct the command; ferry explain CODE tells what a message means")));
    }
    match common.output {
        Format::Json => output::print_line(&response.json)?,
        Format::Table => {
            output::print_line(harmless_lines(&text_of_answer(command, &response)).trim_end())?;
            // The rights on the queue manager, which are in the answer too, are listed above.
            let ids = [&messages::REQUEST_WOULD_PASS, &messages::REQUEST_WOULD_FAIL].map(MessageRow::id);
            let is_verdict = |line: &&str| ids.iter().any(|id| line.starts_with(&**id));
            let verdict = connect.iter().flat_map(|connect| connect.text.lines().find(is_verdict));
            verdict.into_iter().try_for_each(|verdict| output::print_line(harmless_lines(verdict)))?;
        }
    }
    if connect.is_none()
        && response.json.contains(&format!("\"id\":\"{}\"", messages::REQUEST_WOULD_FAIL.id()))
    {
        Err(Failure::silent(Exit::Refused))
    } else {
        Ok(())
    }
}

/// The command that tells if a user may connect, after the records that say the rest: a user without a
/// record may do everything where there is none at all, and so may an administrator.
fn verdict_on_connect(command: &AuthCommand) -> Option<String> {
    let AuthCommand::Show(ShowArguments { entity, object: None, kind }) = command else { return None };
    let is_of_user = !kind.group && !kind.object_type.eq_ignore_ascii_case("qmgr");
    is_of_user.then(|| {
        checked(&CheckArguments {
            user: entity.clone(),
            object: String::new(),
            verb: "connect".to_owned(),
            object_type: "qmgr".to_owned(),
        })
    })
}

/// The answer in words; that there is no record names the user or group that was asked for.
fn text_of_answer<'a>(command: &AuthCommand, response: &'a CommandResponse) -> Cow<'a, str> {
    let (entity, group, more) = match command {
        AuthCommand::Show(show) if show.object.is_none() => {
            let more = if show.kind.group { "" } else { ", and its groups have none" };
            (&show.entity, show.kind.group, more)
        }
        AuthCommand::List(ListAuthoritiesArguments { entity: Some(entity), group }) => (entity, *group, ""),
        _ => return Cow::Borrowed(&response.text),
    };
    if !pages::finds_nothing(response) {
        return Cow::Borrowed(&response.text);
    }
    let kind = if group { "group" } else { "user" };
    let nothing = messages::NOTHING_MATCHES.id();
    let line = |line: &str| {
        if line.starts_with(&nothing) {
            format!("{kind} {entity} has no authority record{more}\n")
        } else {
            format!("{line}\n")
        }
    };
    Cow::Owned(response.text.lines().map(line).collect())
}

/// Words for several rights at once, or for none.
const SETS: [&str; 4] = ["allmqi", "alladm", "all", "none"];

/// Refuses a type of object and a right that there is not, with those that there are.
fn check_rights(object_type: &str, rights: &str) -> Result<()> {
    let refused = |word: &str, what: String, known: &[String]| {
        let meant = nearest(&word.to_lowercase(), known.iter().map(String::as_str));
        let meant = meant.map(|meant| format!("did you mean {meant}? ")).unwrap_or_default();
        Failure::usage(what).next(format!("{meant}take one of {}", known.join(", ")))
    };
    let Some(kind) = ObjectType::by_keyword(object_type) else {
        let known: Vec<String> = ObjectType::all().map(|kind| kind.keyword().to_lowercase()).collect();
        return Err(refused(object_type, format!("{object_type} is not a type of object"), &known));
    };
    for right in rights.split(',').map(str::trim) {
        let is_right = kind.named(right).is_some_and(|set| kind.fitting().contains(set));
        if !is_right {
            let fitting = kind.fitting().iter().map(|right| right.keyword().to_lowercase());
            let known: Vec<String> = fitting.chain(SETS.map(str::to_owned)).collect();
            let what = format!("{right} is not a right on objects of type {}", object_type.to_lowercase());
            let is_of_manager = ObjectType::QueueManager
                .named(right)
                .is_some_and(|set| ObjectType::QueueManager.fitting().contains(set));
            if is_of_manager && kind != ObjectType::QueueManager {
                return Err(Failure::usage(what)
                    .next("it is a right on the queue manager: add --type qmgr, and name no object"));
            }
            return Err(refused(right, what, &known));
        }
    }
    Ok(())
}

/// The command of MQSC.
fn text_of(command: &AuthCommand) -> String {
    match command {
        AuthCommand::Grant(change) => changed(change, "AUTHADD"),
        AuthCommand::Revoke(change) => changed(change, "AUTHRMV"),
        AuthCommand::List(ListAuthoritiesArguments { entity, group }) => {
            let entity = entity.as_ref().map(|entity| format!(" {}", named(entity, *group)));
            format!("DISPLAY AUTHREC{} ALL", entity.unwrap_or_default())
        }
        // Without an object it is every right that records give, to a user those of its groups among them.
        AuthCommand::Show(ShowArguments {
            entity,
            object: None,
            kind: KindArguments { object_type, group: false },
        }) if !object_type.eq_ignore_ascii_case("qmgr") => {
            format!("DISPLAY AUTHREC {} MATCH(MEMBERSHIP) ALL", named(entity, false))
        }
        AuthCommand::Show(ShowArguments { entity, object: None, kind })
            if !kind.object_type.eq_ignore_ascii_case("qmgr") =>
        {
            format!("DISPLAY AUTHREC {} ALL", named(entity, kind.group))
        }
        AuthCommand::Show(ShowArguments { entity, object, kind }) => {
            let object = object.as_ref().map(|object| format!(" OBJNAME({})", quoted(object)));
            let (object, entity) = (object.unwrap_or_default(), named(entity, kind.group));
            format!("DISPLAY ENTAUTH {entity} OBJTYPE({}){object} ALL", quoted(&kind.object_type))
        }
        AuthCommand::Check(check) => checked(check),
    }
}

fn changed(ChangeArguments { entity, rights, profile, kind }: &ChangeArguments, keyword: &str) -> String {
    let profile = profile.as_ref().map(|profile| format!(" PROFILE({})", quoted(profile)));
    let rights: Vec<String> = rights.split(',').map(|right| quoted(right.trim())).collect();
    format!(
        "SET AUTHREC{} OBJTYPE({}) {} {keyword}({})",
        profile.unwrap_or_default(),
        quoted(&kind.object_type),
        named(entity, kind.group),
        rights.join(",")
    )
}

fn checked(CheckArguments { user, object, verb, object_type }: &CheckArguments) -> String {
    let is_manager = object_type.eq_ignore_ascii_case("qmgr") || verb.eq_ignore_ascii_case("connect");
    let object = if is_manager { String::new() } else { format!(" OBJNAME({})", quoted(object)) };
    let object_type = if is_manager { "QMGR".to_owned() } else { quoted(object_type) };
    let (user, verb) = (named(user, false), quoted(verb));
    format!("DISPLAY ENTAUTH {user} OBJTYPE({object_type}){object} RUNCHECK({verb}) ALL")
}

fn named(entity: &str, is_group: bool) -> String {
    format!("{}({})", if is_group { "GROUP" } else { "PRINCIPAL" }, quoted(entity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use objects::mqsc;

    #[test]
    fn a_right_that_there_is_not_is_named_with_the_nearest_and_with_all() {
        let said = check_rights("qmgr", "inq, connects").unwrap_err().to_string();
        let expected = "ferry: connects is not a right on objects of type qmgr\n  next: did you mean connect? take one of ";
        assert!(said.starts_with(expected) && said.ends_with("allmqi, alladm, all, none"), "{said}");
        assert!(said.contains("altusr") && !said.contains("browse"), "{said}");
        let unfit = check_rights("queue", "connect").unwrap_err().to_string();
        assert!(unfit.contains("connect is not a right on objects of type queue"), "{unfit}");
        assert!(unfit.contains("add --type qmgr"), "{unfit}");
        for other in ["bogus", "getx"] {
            let said = check_rights("queue", other).unwrap_err().to_string();
            assert!(!said.contains("--type qmgr"), "{said}");
        }
        let no_type = check_rights("queues", "get").unwrap_err().to_string();
        assert!(
            no_type.contains("queues is not a type of object") && no_type.contains("mean queue?"),
            "{no_type}"
        );
        for (kind, rights) in
            [("QUEUE", "PUT,get , browse"), ("qmgr", "all"), ("topic", "alladm,pub"), ("queue", "none")]
        {
            assert!(check_rights(kind, rights).is_ok(), "{kind} {rights}");
        }
    }

    #[test]
    fn what_is_typed_is_one_command_whatever_is_in_a_name() {
        let kind = |object_type: &str| KindArguments { object_type: object_type.to_owned(), group: false };
        let change = |entity: &str, rights: &str, profile: Option<&str>, object_type: &str| ChangeArguments {
            entity: entity.to_owned(),
            rights: rights.to_owned(),
            profile: profile.map(str::to_owned),
            kind: kind(object_type),
        };
        let strange = "x') GROUP('nobody";
        for (command, expected) in [
            (
                AuthCommand::Grant(change("ada", "put, get", Some("PAY.**"), "queue")),
                "SET AUTHREC PROFILE('PAY.**') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(GET,PUT)".to_owned(),
            ),
            (
                AuthCommand::Revoke(change(strange, "connect", None, "qmgr")),
                "SET AUTHREC PROFILE('SELF') OBJTYPE(QMGR) PRINCIPAL('x'') GROUP(''nobody') AUTHRMV(CONNECT)"
                    .to_owned(),
            ),
            (
                AuthCommand::List(ListAuthoritiesArguments { entity: Some("staff".to_owned()), group: true }),
                "DISPLAY AUTHREC GROUP('staff') ALL".to_owned(),
            ),
            (
                AuthCommand::Show(ShowArguments {
                    entity: "ada".to_owned(),
                    object: Some("PAY.IN".to_owned()),
                    kind: kind("QUEUE"),
                }),
                "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QUEUE) OBJNAME('PAY.IN') ALL".to_owned(),
            ),
            (
                AuthCommand::Show(ShowArguments { entity: "ada".to_owned(), object: None, kind: kind("queue") }),
                "DISPLAY AUTHREC PRINCIPAL('ada') MATCH(MEMBERSHIP) ALL".to_owned(),
            ),
            (
                AuthCommand::Show(ShowArguments { entity: "ada".to_owned(), object: None, kind: kind("qmgr") }),
                "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QMGR) ALL".to_owned(),
            ),
            (
                AuthCommand::Check(CheckArguments {
                    user: strange.to_owned(),
                    object: "PAY.IN".to_owned(),
                    verb: "put".to_owned(),
                    object_type: "queue".to_owned(),
                }),
                "DISPLAY ENTAUTH PRINCIPAL('x'') GROUP(''nobody') OBJTYPE(QUEUE) OBJNAME('PAY.IN') RUNCHECK(PUT) ALL"
                    .to_owned(),
            ),
            (
                AuthCommand::Check(CheckArguments {
                    user: "ada".to_owned(),
                    object: "QM1".to_owned(),
                    verb: "CONNECT".to_owned(),
                    object_type: "queue".to_owned(),
                }),
                "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QMGR) RUNCHECK(CONNECT) ALL".to_owned(),
            ),
        ] {
            let parsed = mqsc::parse(&text_of(&command)).unwrap();
            assert_eq!((parsed.len(), parsed[0].to_string()), (1, expected));
        }
    }
}
