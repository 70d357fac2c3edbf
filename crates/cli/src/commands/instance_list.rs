//! `ferry list` and `ferry qmgr list`: the queue managers of the data directory, and words about one of them
//! that other commands say too.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};

use mqi::QueueManagerName;
use serde_json::json;
use server::instances::{self, Instance};
use server::{Mode, Running, State, UnexpectedEnd};

use crate::columns;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::Result;
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, in_shell};

/// Lists the queue managers of the data directory.
pub(crate) fn list(common: &Common) -> Result<()> {
    let data = connect::data_directory(common)?;
    let instances = match common.qmgr.as_deref().filter(|_| !common.is_of_environment) {
        Some(name) => vec![instances::find(&data, &connect::parse_queue_manager_name(name)?)?],
        None => instances::list(&data)?,
    };
    for (name, unfinished) in instances::unfinished(&data)? {
        let (work, state) = (unfinished.work, unfinished.state());
        output::say(format!(
            "the {work} of {name} {state}: {}",
            NextStep::from(unfinished.advice(&name)).at(&common.typed)
        ));
    }
    let closed = instances::closed(&data)?;
    for (name, error) in &closed {
        output::say(format!("cannot look into {}: {error}", data.folder(name).path().display()));
    }
    let unstartable = instances.iter().filter_map(Instance::without_manifest);
    unstartable.for_each(|told| output::say(NextStep::from(told).at(&common.typed)));
    instances.iter().for_each(say_unexpected_end);
    for (instance, running) in instances.iter().filter_map(|found| Some((found, found.running.as_ref()?))) {
        say_failed_listeners(common, instance.folder.name(), &running.failed_listeners);
        say_few_files(instance.folder.name(), running.few_files.as_deref());
    }
    if common.output == Format::Json {
        for instance in &instances {
            let running = instance.running.as_ref();
            output::print_json(&json!({
                "queue_manager": instance.folder.name().as_str(),
                "running": running.is_some(),
                "state": state(instance),
                "process": running.map(|running| running.process),
                "listens": running.map(|running| &running.listens),
                "listeners": running.map(|running| &running.listeners),
                "failed_listeners": running.map(|running| &running.failed_listeners),
                "since": running.map(|running| &running.since),
                "folder": instance.folder.path(),
                "failure": unexpected_end(instance).and_then(|end| end.failure).map(|record| json!({
                    "time": record.time, "what": record.what, "record": record.path,
                })),
            }))?;
        }
        return Ok(());
    }
    if instances.is_empty() {
        if closed.is_empty() {
            let next = NextStep::of("ferry dev or ferry qmgr create QM1 makes one").at(&common.typed);
            output::say(format!("no queue managers in {data}; {next}"));
        }
        return Ok(());
    }
    let paint = Paint::for_stream(io::stdout().is_terminal());
    let mut rows = vec![["NAME", "STATE", "PROCESS", "SINCE", "LISTENS"].map(str::to_owned)];
    for instance in &instances {
        let name = instance.folder.name().to_string();
        rows.push(match &instance.running {
            Some(running) => [
                name,
                paint.good(state(instance)),
                running.process.to_string(),
                running.since.clone(),
                addresses(running).join(" "),
            ],
            None => [name, state(instance).to_owned(), String::new(), String::new(), String::new()],
        });
    }
    let lines = columns::of_words(&rows);
    let is_wide = |line: &String| columns::letters(line) > output::columns();
    let lines = if lines.iter().any(is_wide) { in_blocks(&instances, paint) } else { lines };
    Ok(output::print_painted(lines.join("\n"))?)
}

/// Says how one that does not run came to its end, if that was none in order.
pub(super) fn say_unexpected_end(instance: &Instance) {
    unexpected_end(instance).iter().for_each(|end| say_end(instance, end));
}

pub(super) fn say_end(instance: &Instance, end: &UnexpectedEnd) {
    output::say(format!("{} {end}", instance.folder.name()));
}

pub(super) fn unexpected_end(instance: &Instance) -> Option<UnexpectedEnd> {
    instance.running.is_none().then(|| UnexpectedEnd::of(&instance.folder)).flatten()
}

/// Says which LISTENER objects are to run with a queue manager and do not, with the reason and the command
/// that starts one.
pub(super) fn say_failed_listeners(
    common: &Common,
    name: &QueueManagerName,
    failed: &BTreeMap<String, String>,
) {
    for (listener, why) in failed {
        let why = NextStep::from(why.as_str()).at(&common.typed);
        let mqsc = format!("START LISTENER({})", connect::in_mqsc(listener));
        let next = next_step!("remove the cause, then ferry mqsc {name} -e {} starts it", in_shell(&mqsc))
            .at(&common.typed);
        output::say(format!("listener {listener} of {name} did not start: {why}\n  next: {next}"));
    }
}

/// Says that there are files for fewer connections than the settings allow.
pub(super) fn say_few_files(name: &QueueManagerName, few_files: Option<&str>) {
    if let Some(words) = few_files {
        output::say(format!(
            "{name}: {words}\n  next: raise the limit with ulimit -n, or LimitNOFILE of the service, and start it again"
        ));
    }
}

/// The addresses of the settings and of LISTENER objects that run.
pub(super) fn addresses(running: &Running) -> Vec<&str> {
    running.listens.iter().chain(running.listeners.values()).map(String::as_str).collect()
}

/// The queue managers for a narrow window: an address has a line of its own.
fn in_blocks(instances: &[Instance], paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    for instance in instances {
        let name = instance.folder.name();
        let Some(running) = &instance.running else {
            lines.push(format!("{name}  {}", state(instance)));
            continue;
        };
        lines.push(format!("{name}  {}  process {}", paint.good(state(instance)), running.process));
        lines.push(format!("  since {}", running.since));
        lines.extend(addresses(running).iter().map(|address| format!("  {address}")));
    }
    lines
}

/// Returns the stage of a queue manager, in a word or two.
fn state(instance: &Instance) -> &'static str {
    match instance.running.as_ref().map(|running| running.state) {
        Some(State::Starting) => "starting",
        Some(State::Running) => "running",
        Some(State::Ending(Mode::Quiesce)) => "quiescing",
        Some(State::Ending(_) | State::Ended(_)) => "ending",
        None if instance.without_manifest().is_some() => "no manifest",
        None if instances::ended(&instance.folder).is_none() => "ended unexpectedly",
        None => "ended",
    }
}

#[cfg(test)]
mod tests {
    use server::DataDirectory;

    use super::*;

    #[test]
    fn a_narrow_list_has_a_line_for_each_address() {
        let place = tempfile::tempdir().unwrap();
        let folder = |name: &str| DataDirectory::at(place.path()).folder(&name.parse().unwrap());
        let running = Running {
            process: 7,
            listens: vec!["127.0.0.1:1414".to_owned(), "/d/QM1/socket".to_owned()],
            since: "2026-11-27T09:34:35.816744Z".to_owned(),
            began: None,
            in_program: false,
            listeners: BTreeMap::new(),
            failed_listeners: BTreeMap::new(),
            few_files: None,
            state: State::Running,
        };
        let instances = [
            Instance { folder: folder("QM1"), running: Some(running) },
            Instance { folder: folder("QM2"), running: None },
        ];
        let lines = in_blocks(&instances, Paint::PLAIN);
        assert_eq!(
            lines[1..4],
            ["  since 2026-11-27T09:34:35.816744Z", "  127.0.0.1:1414", "  /d/QM1/socket"]
        );
        assert!(lines[0].starts_with("QM1  ") && lines[0].ends_with("process 7"), "{lines:?}");
        assert!(lines[4].starts_with("QM2  ") && lines.len() == 5, "{lines:?}");
    }
}
