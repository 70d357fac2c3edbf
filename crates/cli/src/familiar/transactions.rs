//! dspmqtrn and rsvmqtrn: transactions that wait for a decision, and their end by hand.
//!
//! Lives elsewhere: the display and the command behind them (`queue-manager`), `ferry uow` (`commands`).
//!
//! Always: no transaction is coordinated by the queue manager itself, so an option for such ones finds none.

use mqi::branch::BranchId;
use serde_json::Value;
use server::instances::{self, Instance};
use server::{DataDirectory, State};

use super::life;
use super::tool::{Answer, Tool, Trouble, common, ended};
use super::words::Typed;
use crate::commands::{answer, queue_manager};
use terminal::connect::{self, Session};
use terminal::output::{self, harmless};

pub(super) const DISPLAY: Tool = Tool {
    name: "dspmqtrn",
    usage: "[-m QMGR] [-e] [-h] [-i] [-a] [-q]",
    options: &["m=", "e", "h", "i", "a", "q"],
    misuse: code::ARGUMENTS,
    run: display,
};

pub(super) const RESOLVE: Tool = Tool {
    name: "rsvmqtrn",
    usage: "-m QMGR {-a | {-b | -c | -f | -r RMID} TRANSACTION}",
    options: &["m=", "a", "b", "c", "f", "r="],
    misuse: code::ARGUMENTS,
    run: resolve,
};

/// Codes at the end that these tools have for themselves.
mod code {
    pub(super) const NOT_RESOLVED: u8 = 32;
    pub(super) const NO_SUCH_RESOURCE_MANAGER: u8 = 34;
    pub(super) const ARGUMENTS: u8 = 36;
    pub(super) const UNKNOWN: u8 = 85;
    pub(super) const NONE_FOUND: u8 = 102;
}

/// The identifier of what belongs to no connection.
const NO_CONNECTION: &str = "0000000000000000";

fn misused(words: impl AsRef<str>) -> Trouble {
    Trouble::new(code::ARGUMENTS, words)
}

/// Connects to the queue manager, which must run.
fn session(named: Option<&str>) -> Result<Session, Trouble> {
    let data: DataDirectory = life::data_directory()?;
    let name = match named {
        Some(name) => connect::parse_queue_manager_name(name).map_err(Trouble::of(ended::NAME))?,
        None => {
            queue_manager::name_or_running(&common(None), None, &data).map_err(Trouble::of(ended::NAME))?
        }
    };
    let instance: Instance = instances::find(&data, &name).map_err(|error| match error {
        // As dspmq, they tell of an absent queue manager by the code for a name.
        instances::Error::Absent { .. } => Trouble::of(ended::NAME)(error.into()),
        error => error.into(),
    })?;
    let Some(running) = &instance.running else { return Err(instances::Error::NotRunning(name).into()) };
    let code = match running.state {
        State::Ending(_) | State::Ended(_) => ended::ENDING,
        _ => ended::UNEXPECTED,
    };
    connect::session(&common(Some(name.as_ref()))).map_err(Trouble::of(code))
}

fn asked(session: &mut Session, question: &str) -> Result<Vec<Value>, Trouble> {
    answer::shown(session, question).map_err(Trouble::of(ended::UNEXPECTED))
}

fn field(row: &Value, name: &str) -> String {
    harmless(row[name].as_str().unwrap_or_default().trim()).into_owned()
}

/// Returns true if the states of a row and the kind of its coordinator are asked for.
fn is_shown(typed: &Typed, row: &Value) -> bool {
    let (state, is_outside) = (field(row, "uowstate"), field(row, "urtype") == "XA");
    let is_by_hand = matches!(state.as_str(), "COMMITTED" | "BACKEDOUT");
    if is_by_hand {
        return typed.has("h");
    }
    if typed.has("a") || typed.has_only_of("q", &["m"]) {
        return true;
    }
    // What channels prepare is ended by them alone.
    let wants_outside = typed.has("e") || !typed.has("h") && !typed.has("i");
    state == "PREPARED" && is_outside && wants_outside
}

/// Attributes of a connection that works in a transaction.
const OF_CONNECTION: [&str; 5] = ["conn", "appltag", "channel", "conname", "userid"];

fn display(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        return Err(misused(format!("what is {word}? A queue manager is named by -m")));
    }
    let mut session = session(typed.value("m"))?;
    let rows = asked(&mut session, "DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) ALL")?;
    session.disconnect().map_err(Trouble::of(ended::UNEXPECTED))?;
    let shown: Vec<_> = rows.iter().filter(|row| is_shown(typed, row)).collect();
    if shown.is_empty() {
        output::say("no transaction is like that");
        return Ok(code::NONE_FOUND);
    }
    let has_details = typed.has("a") || typed.has("q");
    for row in shown {
        let [number, state, external] = ["qmurid", "uowstate", "exturid"].map(|name| field(row, name));
        output::print_line(format!("QMURID({number}) UOWSTATE({state})"))?;
        if field(row, "urtype") == "XA" {
            output::print_line(format!("  EXTURID({external})"))?;
        }
        if !has_details {
            continue;
        }
        let [kind, day, time, log] = ["urtype", "uowstda", "uowstti", "uowlog"].map(|name| field(row, name));
        output::print_line(format!("  URTYPE({kind}) UOWSTDA({day}) UOWSTTI({time}) UOWLOG({log})"))?;
        if field(row, "conn") == NO_CONNECTION {
            output::print_line(format!("  CONN({NO_CONNECTION}) USERID({})", field(row, "userid")))?;
        } else {
            let told = OF_CONNECTION.map(|name| format!("{}({})", name.to_uppercase(), field(row, name)));
            let process = row["pid"].as_u64().unwrap_or_default();
            output::print_line(format!("  {} PID({process})", told.join(" ")))?;
        }
        if typed.has("q") {
            let names = row["uowqs"].as_array().into_iter().flatten().filter_map(Value::as_str);
            for name in names {
                output::print_line(format!("  OBJECT({})", harmless(name)))?;
            }
        }
    }
    Ok(ended::OK)
}

/// The number of a transaction: m.n, or m,n as older displays have it.
fn number(word: &str) -> Option<String> {
    let (epoch, counter) = word.split_once(['.', ','])?;
    let (epoch, counter): (u32, u64) = (epoch.parse().ok()?, counter.parse().ok()?);
    Some(format!("{epoch}.{counter}"))
}

/// Work that is asked of rsvmqtrn.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    All,
    Of { action: &'static str, number: String },
    WithoutResourceManager(String),
}

fn wanted(typed: &Typed) -> Result<Wanted, Trouble> {
    let choices = ["a", "b", "c", "f", "r"];
    let mut chosen = choices.into_iter().filter(|choice| typed.has(choice));
    let (Some(choice), None) = (chosen.next(), chosen.next()) else {
        return Err(misused("one of -a, -b, -c, -f and -r says what is to be done"));
    };
    let word = typed.only_word().map_err(misused)?;
    if choice == "a" {
        return match word {
            None => Ok(Wanted::All),
            Some(word) => Err(misused(format!("-a is for all, what is {word}?"))),
        };
    }
    let word =
        word.ok_or_else(|| misused(format!("-{choice} is followed by the number of a transaction")))?;
    let is_branch = word.parse::<BranchId>().is_ok();
    let number = number(word).or_else(|| is_branch.then(|| word.to_owned()));
    let number = number.ok_or_else(|| {
        misused(format!("{word} is no number of a transaction: dspmqtrn shows them, as QMURID(m.n)"))
    })?;
    Ok(match choice {
        "b" => Wanted::Of { action: "BACKOUT", number },
        "c" => Wanted::Of { action: "COMMIT", number },
        "f" => Wanted::Of { action: "FORGET", number },
        _ => Wanted::WithoutResourceManager(typed.value("r").unwrap_or_default().to_owned()),
    })
}

fn resolve(typed: &Typed) -> Answer {
    let wanted = wanted(typed)?;
    let named = typed.value("m").ok_or_else(|| misused("-m names the queue manager"))?;
    let mut session = session(Some(named))?;
    let code = match wanted {
        Wanted::All => {
            output::print_line("No transaction is coordinated here, so there was none to resolve.")?;
            ended::OK
        }
        Wanted::WithoutResourceManager(identifier) => {
            let words =
                format!("no resource manager {identifier} takes part: no transaction is coordinated here");
            return Err(Trouble::new(code::NO_SUCH_RESOURCE_MANAGER, words));
        }
        Wanted::Of { action, number } => resolve_one(&mut session, action, &number)?,
    };
    session.disconnect().map_err(Trouble::of(ended::UNEXPECTED))?;
    Ok(code)
}

fn resolve_one(session: &mut Session, action: &str, number: &str) -> Answer {
    let condition = match number.parse::<BranchId>() {
        Ok(branch) => format!("EXTURID EQ '{branch}'"),
        Err(_) => format!("QMURID EQ '{number}'"),
    };
    let found = asked(session, &format!("DISPLAY CONN({NO_CONNECTION}) WHERE({condition}) UOWSTATE"))?;
    if found.is_empty() {
        let words = format!("no transaction {number} waits here: dspmqtrn lists those that do");
        return Err(Trouble::new(code::UNKNOWN, words));
    }
    let response = session.command(&format!("RESOLVE INDOUBT('{number}') ACTION({action})"));
    let response = response.map_err(Trouble::of(ended::UNEXPECTED))?;
    let text = output::harmless_lines(response.text.trim_end());
    if response.failed {
        return Err(Trouble::in_lines(code::NOT_RESOLVED, text));
    }
    output::print_line(text)?;
    Ok(ended::OK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tool: &Tool, text: &str) -> Typed {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        Typed::read(tool.options, &words).unwrap()
    }

    #[test]
    fn a_transaction_is_resolved_by_one_choice_and_its_number() {
        let of = |action, number: &str| Wanted::Of { action, number: number.to_owned() };
        for (text, expected) in [
            ("-m QM1 -a", Wanted::All),
            ("-m QM1 -b 1.42", of("BACKOUT", "1.42")),
            ("-c 1,42 -m QM1", of("COMMIT", "1.42")),
            ("-m QM1 -f 0.7", of("FORGET", "0.7")),
            ("-m QM1 -b 7:61:62", of("BACKOUT", "7:61:62")),
            ("-m QM1 -r 2 1.42", Wanted::WithoutResourceManager("2".to_owned())),
        ] {
            assert_eq!(wanted(&read(&RESOLVE, text)).ok(), Some(expected), "{text}");
        }
        for wrong in
            ["-m QM1", "-a 1.2", "-b", "-b 12", "-b 1.2 -c 1.2", "-a -b 1.2", "-c 1.2 1.3", "-r 2", "-b x.y"]
        {
            assert_eq!(wanted(&read(&RESOLVE, wrong)).err().map(|trouble| trouble.code), Some(36), "{wrong}");
        }
    }

    #[test]
    fn options_choose_transactions_by_their_state_and_their_coordinator() {
        let row = |state: &str, kind: &str| serde_json::json!({ "uowstate": state, "urtype": kind });
        for (options, prepared, batch, by_hand, active) in [
            ("", true, false, false, false),
            ("-e", true, false, false, false),
            ("-i", false, false, false, false),
            ("-h", false, false, true, false),
            ("-e -h", true, false, true, false),
            ("-i -e", true, false, false, false),
            ("-a", true, true, false, true),
            ("-q", true, true, false, true),
            ("-q -m QM1", true, true, false, true),
            ("-a -h", true, true, true, true),
            ("-e -q", true, false, false, false),
        ] {
            let typed = read(&DISPLAY, options);
            let shown = [("PREPARED", "XA"), ("PREPARED", "QMGR"), ("COMMITTED", "XA"), ("ACTIVE", "XA")]
                .map(|(state, kind)| is_shown(&typed, &row(state, kind)));
            assert_eq!(shown, [prepared, batch, by_hand, active], "{options}");
        }
    }
}
