//! `ferry user`: users of a queue manager and their passwords.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use identity::{Cost, HashMemory, SALT_BYTES, Users, UsersError, UsersFile};
use platform::Entropy as _;
use platform::os::{OsEntropy, private};
use security::authority::ADMINISTRATORS;
use serde_json::json;
use server::instances;

use super::{exposing, open_rules, openings, tls};
use crate::own_folder;
use crate::stores::Whose;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format, harmless};
use terminal::password;

/// A work on users.
#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Add a user; the password is read from a file or from standard input
    Add(AddArguments),
    /// Change the password of a user; the new one is read from a file or from standard input. With --user,
    /// the user changes its own password and gives the old one
    Passwd(PasswordArguments),
    /// Lock a user: its logins are refused
    Lock(UserArguments),
    /// Unlock a user
    Unlock(UserArguments),
    /// Set the time at which a user expires: its logins are refused from then on
    Expire(ExpireArguments),
    /// Remove a user
    Remove(UserArguments),
    /// List the users
    List(OfArguments),
}

/// The queue manager.
#[derive(Debug, Args)]
pub(crate) struct OfArguments {
    /// Queue manager; -m NAME means the same
    #[arg(value_name = "QM")]
    name: String,
}

#[cfg(test)]
impl OfArguments {
    /// The queue manager.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A user of a queue manager.
#[derive(Debug, Args)]
pub(crate) struct UserArguments {
    #[command(flatten)]
    of: OfArguments,
    /// User
    user: String,
}

#[derive(Debug, Args)]
pub(crate) struct PasswordArguments {
    #[command(flatten)]
    user: UserArguments,
    /// File with the password in its first line; standard input without it
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    #[command(flatten)]
    password: PasswordArguments,
    /// Group of the user; may be repeated
    #[arg(long = "group", value_name = "NAME")]
    groups: Vec<String>,
    /// Let the user in from other machines too, by TLS on this port, also over AMQP: keys if there are none,
    /// channels, a rule, rights on DEV.**, a listener, and the file USER.ferry
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    expose: Option<u16>,
    /// With --expose: host name or address by which programs connect
    #[arg(long, value_name = "NAME", requires = "expose")]
    host: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExpireArguments {
    #[command(flatten)]
    user: UserArguments,
    /// Time in UTC, such as 2027-01-31T00:00:00Z; without it the user does not expire
    at: Option<String>,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &UserCommand) -> Result<()> {
    let data = &connect::data_directory(common)?;
    let whose = &Whose { common, data, channel: None };
    match command {
        UserCommand::Add(AddArguments { password, groups, expose, host }) => {
            if expose.is_some() {
                may_be_exposed(whose, &password.user)?;
                own_folder::check(&exposing::bundle_of(&password.user.user))?;
            }
            let (text, salt) = (read_password(password)?, salt());
            change(whose, &password.user, "added", |users, name| {
                users.add(
                    name,
                    text.as_bytes(),
                    groups.clone(),
                    &salt,
                    Cost::USUAL,
                    &mut HashMemory::default(),
                )
            })?;
            warn_of_administrator(&password.user.user, groups);
            if let Some(port) = expose {
                let UserArguments { of, user } = &password.user;
                tls::expose_user(whose, &of.name, user, host.as_deref(), *port)?;
            }
            open_rules::say_of(data, &password.user.of.name);
            Ok(())
        }
        UserCommand::Passwd(password) => {
            if let Some(caller) = &common.as_user {
                return change_own(common, caller, password);
            }
            let (text, salt) = (read_password(password)?, salt());
            change(whose, &password.user, "gave a new password to", |users, name| {
                users.set_password(name, text.as_bytes(), &salt, Cost::USUAL, &mut HashMemory::default())
            })
        }
        UserCommand::Lock(user) => change(whose, user, "locked", |users, name| users.lock(name, true)),
        UserCommand::Unlock(user) => change(whose, user, "unlocked", |users, name| users.lock(name, false)),
        UserCommand::Expire(ExpireArguments { user, at }) => {
            let at = at.as_deref().map(moment).transpose()?;
            let done = match at {
                Some(at) => format!("expires at {}", shown_moment(at)),
                None => "does not expire".to_owned(),
            };
            let file = file(whose, &user.of)?;
            file.change(|users| users.expire(&user.user, at))??;
            output::say(format!("{} {done}", user.user));
            Ok(())
        }
        UserCommand::Remove(user) => change(whose, user, "removed", Users::remove),
        UserCommand::List(of) => list(whose, of),
    }
}

/// Refuses before anything is changed what could not be done to its end: the queue manager runs, or the name
/// of the user cannot be that of a file.
fn may_be_exposed(whose: &Whose<'_>, UserArguments { of, user }: &UserArguments) -> Result<()> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    if user.is_empty() || user.starts_with(['.', '-']) || !user.chars().all(is_of_name) {
        let what = format!(
            "--expose writes a file of the name of the user, and \"{user}\" cannot be that of a file"
        );
        return Err(Failure::usage(what)
            .next("take letters, digits, points, hyphens and underscores, with a letter or digit first"));
    }
    tls::stopped(whose, &of.name)
}

fn file(whose: &Whose<'_>, OfArguments { name }: &OfArguments) -> Result<UsersFile> {
    let name = name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let folder = instances::find(whose.data, &name)?.folder;
    let security = folder.security();
    let made = private::make_directories(&security);
    made.map_err(|error| Failure::new(Exit::Failed, format!("cannot make {}: {error}", security.display())))?;
    Ok(UsersFile::at(folder.users()))
}

fn change(
    whose: &Whose<'_>,
    UserArguments { of, user }: &UserArguments,
    done: &str,
    change: impl FnOnce(&mut Users, &str) -> std::result::Result<(), UsersError>,
) -> Result<()> {
    let file = file(whose, of)?;
    file.change(|users| change(users, user))??;
    output::say(format!("{done} {user}"));
    Ok(())
}

/// Says that a new user has more than the rights of its records, or that its name is an administrator's
/// elsewhere.
fn warn_of_administrator(user: &str, groups: &[String]) {
    if groups.iter().any(|group| group == ADMINISTRATORS) {
        output::say(format!(
            "{user} is an administrator: the group {ADMINISTRATORS} has every right, whatever the records say"
        ));
    } else if openings::is_administrator(user) {
        output::say(format!(
            "{user} is the name of an administrator: who has this password may have every right; give programs a user \
             of their own"
        ));
    }
}

/// Has a user's own password replaced by the queue manager, which the old one proves the user to.
fn change_own(common: &Common, caller: &str, password: &PasswordArguments) -> Result<()> {
    let UserArguments { of, user } = &password.user;
    if caller != user {
        let what = format!("--user {caller} is not {user}, and a user changes its own password alone");
        return Err(Failure::usage(what)
            .next("name the same user twice; without --user an administrator changes that of another"));
    }
    // With the address of a bundle or a context too it must be this queue manager.
    let common = Common { qmgr: Some(of.name.clone()), ..common.clone() };
    let queue_manager = connect::change_password(&common, user, || read_password(password))?;
    output::say(format!("gave a new password to {user} at {queue_manager}"));
    Ok(())
}

fn list(whose: &Whose<'_>, of: &OfArguments) -> Result<()> {
    let users = file(whose, of)?.read()?;
    if users.all().next().is_none() && whose.common.output == Format::Table {
        let next = next_step!("ferry user add {} NAME makes one", of.name).at(&whose.common.typed);
        output::say(format!("{} has no users; {next}", of.name));
    }
    for (name, user) in users.all() {
        match whose.common.output {
            Format::Json => output::print_json(&json!({
                "user": name,
                "groups": user.groups,
                "locked": user.is_locked,
                "expires": user.expires_at,
            }))?,
            Format::Table => {
                let locked = if user.is_locked { "  locked" } else { "" };
                let expires = user.expires_at.map(|at| format!("  expires {}", shown_moment(at)));
                let expires = expires.unwrap_or_default();
                let groups = user.groups.join(" ");
                let (name, groups) = (harmless(name), harmless(&groups));
                output::print_line(format!("{name}  {groups}{locked}{expires}").trim_end())?;
            }
        }
    }
    Ok(())
}

fn salt() -> [u8; SALT_BYTES] {
    let mut salt = [0; SALT_BYTES];
    OsEntropy.fill(&mut salt);
    salt
}

fn read_password(PasswordArguments { user, password_file }: &PasswordArguments) -> Result<String> {
    password::new_of(&user.user, password_file.as_deref())
}

/// A moment as `expire` takes it.
fn shown_moment(seconds: u64) -> String {
    let moment = i64::try_from(seconds).ok().and_then(|at| jiff::Timestamp::from_second(at).ok());
    moment.map_or_else(|| seconds.to_string(), |moment| moment.to_string())
}

fn moment(text: &str) -> Result<u64> {
    let moment: jiff::Timestamp = text
        .parse()
        .map_err(|_| Failure::usage(format!("\"{text}\" is no moment such as 2027-01-31T00:00:00Z")))?;
    u64::try_from(moment.as_second()).map_err(|_| Failure::usage(format!("{text} is before 1970")))
}
