//! `ferry context`: ways to queue managers under names of their own.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use terminal::common::Common;
use terminal::contexts::{self, Context, Contexts};
use terminal::failure::{Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless};
use terminal::password::Source;

use crate::columns;

/// A work on contexts.
#[derive(Debug, Subcommand)]
pub(crate) enum ContextCommand {
    /// Keep the options typed (--connect, --qmgr, --user, …) under a name
    Add(AddArguments),
    /// List contexts; the chosen one has a star
    List,
    /// Choose the context that counts where no queue manager, address or data directory is named
    Use(UseArguments),
    /// Remove a context
    Remove(NameArguments),
    /// Show a context, the chosen one unless named
    Show(ShowArguments),
}

#[derive(Debug, Args)]
pub(crate) struct NameArguments {
    /// Context
    name: String,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    #[command(flatten)]
    name: NameArguments,
    /// Place of the password: file:PATH, env:VARIABLE or command:PROGRAM
    #[arg(long, value_name = "PLACE")]
    password: Option<Source>,
    /// Replace a context of this name
    #[arg(long)]
    replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UseArguments {
    /// Context
    #[arg(required_unless_present = "none")]
    name: Option<String>,
    /// Choose no context
    #[arg(long, conflicts_with = "name")]
    none: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// Context
    name: Option<String>,
}

/// Runs the command. Only what was typed counts: no context is read for the options.
pub(crate) fn run(typed: &Common, command: &ContextCommand) -> Result<()> {
    let path = contexts::file()?;
    let mut contexts = Contexts::read(&path)?;
    match command {
        ContextCommand::Add(AddArguments { name: NameArguments { name }, password, replace }) => {
            let context = Context::typed(typed, password.clone());
            if context == Context::default() {
                return Err(Failure::usage("nothing is said of the way").next(
                    NextStep::of("say where: ferry context add NAME --connect HOST:PORT, or -m QM1 for one of this machine"),
                ));
            }
            if let Some(address) = &typed.connect {
                let parsed = address.parse::<client::Address>();
                parsed.map_err(|error| Failure::usage(error.to_string()))?;
            }
            contexts.add(name, context, *replace)?;
            contexts.write(&path)?;
            done(typed.output, &format!("added context {name}"), name)
        }
        ContextCommand::Use(UseArguments { name, .. }) => {
            if let Some(name) = name {
                contexts.get(name)?;
            }
            contexts.chosen.clone_from(name);
            contexts.write(&path)?;
            let name = name.as_deref().unwrap_or("none");
            done(typed.output, &format!("chose context {name}"), name)
        }
        ContextCommand::Remove(NameArguments { name }) => {
            contexts.get(name)?;
            contexts.all.remove(name);
            if contexts.chosen.as_ref() == Some(name) {
                contexts.chosen = None;
            }
            contexts.write(&path)?;
            done(typed.output, &format!("removed context {name}"), name)
        }
        ContextCommand::List => list(typed.output, &contexts),
        ContextCommand::Show(ShowArguments { name }) => {
            let name = name.as_ref().or(contexts.chosen.as_ref()).ok_or_else(|| {
                Failure::usage("no context is chosen").next(NextStep::of("name one: ferry context show NAME"))
            })?;
            show(typed.output, name, contexts.get(name)?)
        }
    }
}

fn done(format: Format, what: &str, name: &str) -> Result<()> {
    match format {
        Format::Table => output::print_line(harmless(what))?,
        Format::Json => output::print_json(&json!({ "context": name }))?,
    }
    Ok(())
}

/// The keys of a context that are set, as the file has them.
fn keys(context: &Context) -> Map<String, Value> {
    match serde_json::to_value(context) {
        Ok(Value::Object(keys)) => keys,
        _ => unreachable!("a context has keys"),
    }
}

fn list(format: Format, contexts: &Contexts) -> Result<()> {
    if format == Format::Json {
        for (name, context) in &contexts.all {
            let mut keys = keys(context);
            keys.insert("context".to_owned(), name.clone().into());
            keys.insert("chosen".to_owned(), (contexts.chosen.as_ref() == Some(name)).into());
            output::print_json(&keys)?;
        }
        return Ok(());
    }
    if contexts.all.is_empty() {
        output::say("there are no contexts; ferry context add NAME --connect HOST:PORT makes one");
        return Ok(());
    }
    let mut rows = vec![["", "CONTEXT", "ADDRESS", "QUEUE MANAGER", "USER"].map(str::to_owned)];
    for (name, context) in &contexts.all {
        let bundle = context.bundle.as_ref().map(|path| path.display().to_string());
        let of_data = context.data.as_ref().map(|path| path.display().to_string());
        let address = context.address.clone().or(bundle).or(of_data);
        let cell = |text: Option<String>| harmless(&text.unwrap_or_default()).into_owned();
        rows.push([
            if contexts.chosen.as_ref() == Some(name) { "*".to_owned() } else { String::new() },
            name.clone(),
            cell(address),
            cell(context.queue_manager.clone()),
            cell(context.user.clone()),
        ]);
    }
    for line in columns::of_words(&rows) {
        output::print_line(line)?;
    }
    Ok(())
}

fn show(format: Format, name: &str, context: &Context) -> Result<()> {
    let keys = keys(context);
    if format == Format::Json {
        return Ok(output::print_json(&json!({ "context": name, "way": keys }))?);
    }
    output::print_line(harmless(name))?;
    for (key, value) in keys {
        output::print_line(format!("  {key:<14} {}", harmless(value.as_str().unwrap_or_default())))?;
    }
    Ok(())
}
