//! The commands, one file for each.

pub(crate) mod answer;
pub(crate) mod auth;
pub(crate) mod backups;
pub(crate) mod bridge;
pub(crate) mod browse;
pub(crate) mod channel;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod container;
pub(crate) mod context;
pub(crate) mod control;
pub(crate) mod dev;
pub(crate) mod dlq;
pub(crate) mod doctor;
pub(crate) mod events;
pub(crate) mod explain;
mod exposing;
pub(crate) mod get;
pub(crate) mod guarantees;
mod instance_list;
pub(crate) mod jndi;
mod lists;
pub(crate) mod log;
pub(crate) mod manual;
pub(crate) mod measuring;
pub(crate) mod moving;
pub(crate) mod mqsc;
pub(crate) mod names;
pub(crate) mod open_rules;
mod openings;
pub(crate) mod pages;
mod poison_messages;
pub(crate) mod publish;
pub(crate) mod put;
pub(crate) mod queue_manager;
pub(crate) mod queues;
pub(crate) mod recoverable;
pub(crate) mod reply;
pub(crate) mod request;
pub(crate) mod route;
pub(crate) mod settings;
mod stopped;
pub(crate) mod subscribe;
pub(crate) mod support;
mod taking;
pub(crate) mod tls;
pub(crate) mod top;
pub(crate) mod topic;
pub(crate) mod trace;
pub(crate) mod transfer;
pub(crate) mod trigger_monitor;
pub(crate) mod uow;
pub(crate) mod user;
pub(crate) mod why;

use crate::arguments::{Arguments, Command};
use crate::stores::Whose;
use clap::{CommandFactory as _, Parser as _};
use terminal::connect;
use terminal::failure::{Failure, Result};

/// Does what was asked.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(name) = arguments.without_place() {
        let words = format!("ferry {name} works on no queue manager, and an option names one");
        return Err(Failure::usage(words).next("leave it out"));
    }
    let common = &arguments.common.clone().with_environment();
    match &arguments.command {
        Command::Dev(arguments) => dev::run(common, arguments),
        Command::Qmgr(command) => queue_manager::run(common, command),
        Command::List => instance_list::list(common),
        Command::Stop(arguments) => queue_manager::stop(common, arguments),
        Command::Put(arguments) => put::run(common, arguments),
        Command::Get(arguments) => get::run(common, arguments),
        Command::Pub(arguments) => publish::run(common, arguments),
        Command::Sub(arguments) => subscribe::run(common, arguments),
        Command::Topic(command) => topic::run(common, command),
        Command::Browse(arguments) => browse::run(common, arguments),
        Command::Request(arguments) => request::run(common, arguments),
        Command::Reply(arguments) => reply::run(common, arguments),
        Command::Export(arguments) => transfer::export(common, arguments),
        Command::Import(arguments) => transfer::import(common, arguments),
        Command::Move(arguments) => moving::run(common, arguments),
        Command::Mqsc(arguments) => mqsc::run(common, arguments),
        Command::Dlq(command) => dlq::run(common, command),
        Command::Guarantees(arguments) => guarantees::run(common, arguments),
        Command::Config(arguments) => config::run(common, arguments),
        Command::Context(command) => context::run(&arguments.common, command),
        Command::Log(command) => log::run(common, command),
        Command::Backup(arguments) => backups::backup(common, arguments),
        Command::Restore(arguments) => backups::restore(common, arguments),
        Command::Recover(arguments) => backups::recover(common, arguments),
        Command::Check(arguments) => check::run(common, arguments),
        Command::Doctor(arguments) => doctor::run(common, arguments),
        Command::Container(arguments) => container::run(common, arguments),
        Command::Control(arguments) => control::run(common, arguments),
        Command::Support(arguments) => support::run(common, arguments),
        Command::Queues(arguments) => queues::run(common, arguments),
        Command::Events(arguments) => events::run(common, arguments),
        Command::Jndi(arguments) => jndi::run(common, arguments),
        Command::Top(arguments) => top::run(common, arguments),
        Command::TriggerMonitor(arguments) => trigger_monitor::run(common, arguments),
        Command::Bench(_) | Command::Report(_) => measuring::run(),
        Command::Uow(command) => uow::run(common, command),
        Command::Bridge(command) => bridge::run(common, command),
        Command::Channel(command) => channel::run(common, command),
        Command::Route(arguments) => route::run(common, arguments),
        Command::Trace(arguments) => trace::run(common, arguments),
        Command::Tls(command) => {
            let data = &connect::data_directory(common)?;
            tls::run(&Whose { common, data, channel: common.channel.as_deref() }, command)
        }
        Command::User(command) => user::run(common, command),
        Command::Auth(command) => auth::run(common, command),
        Command::Why(arguments) => {
            let data = &connect::data_directory(common)?;
            let whose = Whose { common, data, channel: None };
            why::run(&whose, common.as_user.as_deref(), arguments)
        }
        Command::Explain(arguments) => explain::run(common, arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Names(arguments) => names::run(arguments, Arguments::command(), |options| {
            let words = ["ferry", "list"].into_iter().chain(options.iter().map(String::as_str));
            Arguments::try_parse_from(words).ok().map(|arguments| arguments.common)
        }),
        Command::Manual(arguments) => manual::run(arguments, Arguments::command()),
    }
}
