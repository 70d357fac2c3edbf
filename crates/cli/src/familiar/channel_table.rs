//! A table of client channels (CCDT) in JSON, changed and shown by commands: `runmqsc -n`.
//!
//! Lives here: which key of the table is which attribute, and what becomes of the table by a command. Lives
//! elsewhere: what attributes there are (`objects`), how a program that connects reads a table (`capi`).
//!
//! Always: what no command is about stays as it is, keys without an attribute too, and what other processes
//! changed; a table is replaced by a whole new one, which is on the disk by then, or not at all.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use client::{Address, CommandResponse};
use mqi::ObjectName;
use objects::attributes::Kind;
use objects::mqsc::{self, Alter, Command, Define, Delete, Display, Names, Target};
use objects::{
    Attribute, Definition, Family, Message, Moment, ObjectType, Response, Setting, Subject, Value,
    attributes, messages,
};
use platform::Disk;
use serde_json::{Map, Value as Json, json};
use server::durable_files;

use crate::bounded_input;
use crate::commands::mqsc::Commands;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;

const CHANNEL: ObjectType = ObjectType::ClientConnectionChannel;
/// Type of a clients' channel in a table.
const OF_CLIENTS: &str = "clientConnection";

/// The attributes that a table has keys for, but for CONNAME, and where they stand in a channel.
const KEYS: [(&str, [&str; 2]); 11] = [
    ("QMNAME", ["clientConnection", "queueManager"]),
    ("DESCR", ["general", "description"]),
    ("MAXMSGL", ["general", "maximumMessageLength"]),
    ("AFFINITY", ["connectionManagement", "affinity"]),
    ("CLNTWGHT", ["connectionManagement", "clientWeight"]),
    ("DEFRECON", ["connectionManagement", "defaultReconnect"]),
    ("HBINT", ["connectionManagement", "heartbeatInterval"]),
    ("SHARECNV", ["connectionManagement", "sharingConversations"]),
    ("SSLCIPH", ["transmissionSecurity", "cipherSpecification"]),
    ("SSLPEER", ["transmissionSecurity", "certificatePeerName"]),
    ("CERTLABL", ["transmissionSecurity", "certificateLabel"]),
];
/// Where the hosts are.
const PLACES: (&str, [&str; 2]) = ("CONNAME", ["clientConnection", "connection"]);
/// The one word that a table writes otherwise than in small letters.
const QUEUE_MANAGER: (&str, &str) = ("QMGR", "queueManager");

/// Most bytes of a table: ten thousand channels with all that can be said of them.
const BYTES_MAX: usize = 16 << 20;

/// A table, and the file it is in.
pub(super) struct ChannelTable {
    path: PathBuf,
    document: Map<String, Json>,
    /// When the file was written, if there is one.
    written: Moment,
}

/// Response to a command, or its refusal.
type Answer = std::result::Result<Response, Message>;

impl ChannelTable {
    /// The table in the environment: the file of `MQCCDTURL`, that of `MQCHLTAB` in `MQCHLLIB`, or
    /// `ccdt.json` in either or here.
    pub(super) fn of_environment() -> Result<Self> {
        let variable = |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
        if let Some(url) = variable("MQCCDTURL") {
            let path = url.strip_prefix("file://").ok_or_else(|| {
                Failure::usage(format!(
                    "MQCCDTURL is {url}, and only a table in a file (file:///…) can be changed"
                ))
            })?;
            return Self::read(path.into());
        }
        let folder = variable("MQCHLLIB").unwrap_or_else(|| ".".to_owned());
        Self::read(Path::new(&folder).join(variable("MQCHLTAB").as_deref().unwrap_or("ccdt.json")))
    }

    fn read(path: PathBuf) -> Result<Self> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(
                Exit::Failed,
                format!("cannot read the table of channels {}: {error}", path.display()),
            )
        };
        let read =
            File::open(&path).and_then(|file| bounded_input::read(file, "table of channels", BYTES_MAX));
        let bytes = match read {
            Ok(bytes) => bounded_input::without_mark(&bytes).to_vec(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                return Err(failed(&error).next("check what MQCCDTURL, or MQCHLLIB and MQCHLTAB, name"));
            }
        };
        if bytes.is_empty() {
            let document = Map::from_iter([("channel".to_owned(), json!([]))]);
            return Ok(Self { path, document, written: now() });
        }
        if client::is_binary_table(&bytes) {
            return Err(failed(&"it is in binary form, and tables here are in JSON")
                .next(NextStep::of(client::BINARY_TABLE_STEP)));
        }
        let document: Map<String, Json> = serde_json::from_slice(&bytes).map_err(|error| {
            failed(&error).next("correct it with an editor, or name another file: a table is JSON in UTF-8")
        })?;
        if !document.get("channel").is_some_and(Json::is_array) {
            return Err(failed(&"it has no list \"channel\""));
        }
        let written =
            std::fs::metadata(&path).and_then(|metadata| metadata.modified()).map_or_else(|_| now(), moment);
        Ok(Self { path, document, written })
    }

    /// Puts the table on the disk beside the one there is, and then in its place, where it outlasts a power
    /// cut.
    fn write(&mut self) -> io::Result<()> {
        let name = self.path.file_name().and_then(|name| name.to_str()).ok_or(io::ErrorKind::InvalidInput)?;
        let directory = self.directory();
        // Programs of other users read it, too: what is written in its place has the mode that any new file
        // has.
        File::create(directory.join(format!("{name}.new")))?;
        self.write_to(&*durable_files::disk(directory), name)?;
        self.written = now();
        Ok(())
    }

    fn directory(&self) -> &Path {
        let directory = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        directory.unwrap_or_else(|| Path::new("."))
    }

    /// Waits until no other process changes a table in this directory, nor will until the returned lock is
    /// dropped. On a file system where a directory cannot be locked it does not wait.
    fn turn(&self) -> Option<File> {
        let directory = File::open(self.directory()).ok()?;
        directory.lock().ok()?;
        Some(directory)
    }

    /// Puts the table on a disk, under a name of its root.
    fn write_to(&self, disk: &dyn Disk, name: &str) -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(&self.document)?;
        bytes.push(b'\n');
        durable_files::write(disk, name, &bytes)
    }

    fn channels(&self) -> &[Json] {
        self.document.get("channel").and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    fn channels_mut(&mut self) -> &mut Vec<Json> {
        let channels = self.document.entry("channel").or_insert_with(|| json!([]));
        if !channels.is_array() {
            *channels = json!([]);
        }
        match channels {
            Json::Array(channels) => channels,
            _ => unreachable!("it is a list by now"),
        }
    }

    /// Where a channel stands.
    fn place(&self, name: &str) -> Option<usize> {
        self.channels().iter().position(|channel| is_of_clients(channel) && channel["name"] == name)
    }

    /// Reads a channel of the table as a definition.
    fn definition(&self, channel: &Json) -> std::result::Result<Definition, String> {
        let name = channel["name"].as_str().unwrap_or_default();
        let wrong =
            |key: &str, why: &dyn std::fmt::Display| format!("channel {name} of the table: {key}: {why}");
        let own: ObjectName = name.parse().map_err(|error| wrong("name", &error))?;
        let mut definition = Definition::new(CHANNEL, own, self.written);
        for (keyword, path) in KEYS.into_iter().chain([PLACES]) {
            let said = &channel[path[0]][path[1]];
            let (Some(row), false) = (attribute(keyword), said.is_null()) else { continue };
            let text = if keyword == PLACES.0 { places_of(said) } else { text_of(row, said) };
            let text = text.ok_or_else(|| wrong(path[1], &"it has another form"))?;
            let value = Value::from_mqsc(row, &text).map_err(|error| wrong(path[1], &error))?;
            definition.set(row, value).map_err(|error| wrong(path[1], &error))?;
        }
        Ok(definition)
    }

    fn answer(&mut self, command: &Command) -> Answer {
        match command {
            Command::Define(define) if define.object_type == CHANNEL => self.define(define),
            Command::Alter(alter) if alter.object_type == CHANNEL => self.alter(alter),
            Command::Delete(delete) if delete.family == Family::Channel && is_meant(delete.object_type) => {
                self.delete(delete)
            }
            Command::Display(display) => match &display.target {
                Target::Objects { family: Family::Channel, names, object_type } if is_meant(*object_type) => {
                    self.display(display, names)
                }
                _ => Err(not_of_tables()),
            },
            _ => Err(not_of_tables()),
        }
    }

    fn define(&mut self, define: &Define) -> Answer {
        let name = define.name.as_str();
        let failed = |why: &dyn std::fmt::Display| failed("DEFINE", name, why);
        let place = self.place(name);
        if place.is_some() && !define.replaces() {
            return Err(named(&messages::OBJECT_EXISTS, name));
        }
        let own: ObjectName = name.parse().map_err(|error| failed(&error))?;
        let mut definition = match &define.like {
            None => Definition::new(CHANNEL, own, now()),
            Some(like) => {
                let like = like.as_str();
                let place = self.place(like).ok_or_else(|| named(&messages::OBJECT_NOT_FOUND, like))?;
                let like = self.definition(&self.channels()[place]).map_err(|why| failed(&why))?;
                like.copy(own, now())
            }
        };
        definition.define(&define.settings, now()).map_err(|error| failed(&error))?;
        let mut channel = json!({ "name": name, "type": OF_CLIENTS });
        let changed: Vec<Setting> =
            definition.changed().map(|(attribute, value)| Setting { attribute, value }).collect();
        keep(&mut channel, &changed).map_err(|why| failed(&why))?;
        match place {
            Some(place) => self.channels_mut()[place] = channel,
            None => self.channels_mut().push(channel),
        }
        self.write().map_err(|error| failed(&error))?;
        Ok(Response::message(named(&messages::OBJECT_CREATED, name)))
    }

    fn alter(&mut self, alter: &Alter) -> Answer {
        let name = alter.name.as_str();
        let failed = |why: &dyn std::fmt::Display| failed("ALTER", name, why);
        let place = self.place(name).ok_or_else(|| named(&messages::OBJECT_NOT_FOUND, name))?;
        let mut channel = self.channels()[place].clone();
        let mut definition = self.definition(&channel).map_err(|why| failed(&why))?;
        definition.alter(&alter.settings, now()).map_err(|error| failed(&error))?;
        keep(&mut channel, &alter.settings).map_err(|why| failed(&why))?;
        self.channels_mut()[place] = channel;
        self.write().map_err(|error| failed(&error))?;
        Ok(Response::message(named(&messages::OBJECT_CHANGED, name)))
    }

    fn delete(&mut self, delete: &Delete) -> Answer {
        let name = delete.name.as_str();
        match self.place(name) {
            None if delete.ignore_missing => {}
            None => return Err(named(&messages::OBJECT_NOT_FOUND, name)),
            Some(place) => {
                self.channels_mut().remove(place);
                self.write().map_err(|error| failed("DELETE", name, &error))?;
            }
        }
        Ok(Response::message(named(&messages::OBJECT_DELETED, name)))
    }

    fn display(&self, display: &Display, names: &Names) -> Answer {
        let mut response = Response::default();
        for channel in self.channels().iter().filter(|channel| is_of_clients(channel)) {
            let definition =
                self.definition(channel).map_err(|why| failed("DISPLAY", &names.to_string(), &why))?;
            if names.matches(&definition) {
                let row = display
                    .row(Subject::Object(CHANNEL), &messages::CHANNEL_DETAILS, |row| definition.value(row));
                response.rows.extend(row);
            }
        }
        response
            .rows
            .sort_by_cached_key(|row| row.get("CHANNEL").and_then(Value::as_text).map(str::to_owned));
        if response.rows.is_empty() {
            response.messages.push(match names.single() {
                Some(name) if display.filter.is_none() => named(&messages::OBJECT_NOT_FOUND, name),
                _ => Message::new(&messages::NOTHING_MATCHES, ["channel".to_owned(), names.to_string()]),
            });
        }
        Ok(response)
    }
}

impl Commands for ChannelTable {
    fn queue_manager(&self) -> &str {
        // None is asked: what stands at the prompt is what is changed.
        "CCDT"
    }

    fn described(&self) -> String {
        format!("the table of client channels {}", self.path.display())
    }

    fn command(&mut self, mqsc: &str) -> Result<CommandResponse> {
        let commands = mqsc::parse(mqsc).map_err(|error| Failure::usage(error.to_string()))?;
        let _turn = self.turn();
        // Others may have changed it since it was read.
        *self = Self::read(self.path.clone())?;
        let mut response = Response::default();
        for command in &commands {
            let before = self.document.clone();
            let answer = self.answer(command).unwrap_or_else(|refusal| {
                // What could not be written did not happen.
                self.document = before;
                Response::message(refusal)
            });
            response.rows.extend(answer.rows);
            response.messages.extend(answer.messages);
        }
        Ok(CommandResponse {
            failed: !response.is_ok(),
            text: response.to_string(),
            json: response.to_json(),
            ..CommandResponse::default()
        })
    }
}

fn is_of_clients(channel: &Json) -> bool {
    channel["type"] == OF_CLIENTS
}

/// True if a command names no type, or that of client channels.
fn is_meant(object_type: Option<ObjectType>) -> bool {
    object_type.is_none_or(|object_type| object_type == CHANNEL)
}

fn attribute(keyword: &str) -> Option<&'static Attribute> {
    attributes::by_keyword(Subject::Object(CHANNEL), keyword)
}

fn now() -> Moment {
    moment(SystemTime::now())
}

fn moment(time: SystemTime) -> Moment {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Moment(i64::try_from(since.as_secs()).unwrap_or_default())
}

fn named(row: &'static messages::MessageRow, name: &str) -> Message {
    Message::new(row, [CHANNEL.noun(), name])
}

fn failed(verb: &str, name: &str, why: &dyn std::fmt::Display) -> Message {
    Message::new(&messages::COMMAND_FAILED, [format!("{verb} CHANNEL({name})"), why.to_string()])
}

fn not_of_tables() -> Message {
    let words = "a table of client channels takes DEFINE, ALTER, DELETE and DISPLAY of CHANNEL with CHLTYPE(CLNTCONN) alone";
    Message::new(&messages::COMMAND_FAILED, ["The command".to_owned(), words.to_owned()])
}

/// Writes values into a channel of a table; why not, if one has no place there.
fn keep(channel: &mut Json, settings: &[Setting]) -> std::result::Result<(), String> {
    for Setting { attribute, value } in settings {
        let (path, json) = if attribute.keyword == PLACES.0 {
            (PLACES.1, json_of_places(value)?)
        } else {
            let known = KEYS.iter().find(|(keyword, _)| *keyword == attribute.keyword);
            let (_, path) =
                known.ok_or_else(|| format!("{} has no key in a table in JSON", attribute.keyword))?;
            (*path, json_of(attribute, value))
        };
        let part = &mut channel[path[0]];
        if !part.is_null() && !part.is_object() {
            return Err(format!("{} of the channel has another form in the table", path[0]));
        }
        part[path[1]] = json;
    }
    Ok(())
}

/// A value as a table has it: a number, or a text; words in small letters.
fn json_of(attribute: &'static Attribute, value: &Value) -> Json {
    let text = value.shown(attribute);
    match value {
        Value::Integer(number) if text == number.to_string() => json!(number),
        Value::Integer(_) if text == QUEUE_MANAGER.0 => json!(QUEUE_MANAGER.1),
        Value::Integer(_) => json!(text.to_ascii_lowercase()),
        _ => json!(text),
    }
}

/// Returns the value as a command would write it.
fn text_of(attribute: &'static Attribute, said: &Json) -> Option<String> {
    match (said, attribute.kind) {
        (Json::Number(number), _) => Some(number.to_string()),
        (Json::String(text), Kind::Text { .. } | Kind::Name { .. }) => Some(text.clone()),
        (Json::String(text), _) if text == QUEUE_MANAGER.1 => Some(QUEUE_MANAGER.0.to_owned()),
        (Json::String(text), _) => Some(text.to_ascii_uppercase()),
        _ => None,
    }
}

/// `host(port)`, or several between commas.
fn places_of(said: &Json) -> Option<String> {
    let place = |place: &Json| {
        let host = place["host"].as_str()?;
        let port = place.get("port").map_or_else(|| Some(u64::from(client::PORT)), Json::as_u64)?;
        Some(format!("{host}({port})"))
    };
    Some(said.as_array()?.iter().map(place).collect::<Option<Vec<_>>>()?.join(","))
}

fn json_of_places(value: &Value) -> std::result::Result<Json, String> {
    let text = value.as_text().unwrap_or_default();
    if text.is_empty() {
        return Ok(json!([]));
    }
    let places = Address::list(text).map_err(|error| error.to_string())?;
    let place = |place: &Address| match place {
        Address::Tcp { host, port } => Ok(json!({ "host": host, "port": port })),
        other => Err(format!("{other} is no host of a network")),
    };
    places.iter().map(place).collect::<std::result::Result<Vec<_>, _>>().map(Json::from)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use platform::simulated::{CrashPolicy, Images, Random, SimulatedDisk, Survival};

    use super::*;

    fn table(path: PathBuf, description: &str) -> ChannelTable {
        let channel = json!({ "name": "C", "type": OF_CLIENTS, "general": { "description": description } });
        let document = Map::from_iter([("channel".to_owned(), json!([channel]))]);
        ChannelTable { path, document, written: now() }
    }

    #[test]
    fn a_file_that_is_too_long_for_a_table_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ccdt.json");
        File::create(&path).unwrap().set_len(BYTES_MAX as u64 + 1).unwrap();
        let failure = ChannelTable::read(path.clone()).err().unwrap();
        let expected = format!("{}: it has more than 16 MiB, which no table of channels has", path.display());
        assert!(failure.what().ends_with(&expected), "{failure}");
    }

    #[test]
    fn who_change_a_table_at_once_do_not_undo_what_the_others_did() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ccdt.json");
        let define = |of: usize| {
            let mut table = ChannelTable::read(path.clone()).unwrap();
            for number in 0..20 {
                let said = table
                    .command(&format!("DEFINE CHANNEL(C.{of}.{number}) CHLTYPE(CLNTCONN) CONNAME(a)"))
                    .unwrap();
                assert!(!said.failed, "{}", said.text);
            }
        };
        std::thread::scope(|scope| {
            for of in 0..3 {
                scope.spawn(move || define(of));
            }
        });
        assert_eq!(ChannelTable::read(path.clone()).unwrap().channels().len(), 60);
    }

    #[test]
    fn a_power_cut_leaves_the_table_there_was_or_the_one_that_is_said_to_be_written() {
        let disk = SimulatedDisk::new(1);
        let name = "ccdt.json";
        let [before, after] = ["before", "after"].map(|description| table(name.into(), description));
        before.write_to(&disk, name).unwrap();
        disk.keep_images(Images::Every);
        after.write_to(&disk, name).unwrap();
        let found = |disk: &SimulatedDisk| {
            let bytes = disk.content(Path::new(name)).expect("a table");
            serde_json::from_slice::<Map<String, Json>>(&bytes).expect("all of it")
        };
        let nothing = CrashPolicy::surviving(Survival::Nothing);
        for (boundary, image) in disk.take_images() {
            let found = found(&image.crash(&mut Random::new(1), nothing));
            assert!(found == before.document || found == after.document, "cut within call {boundary}");
        }
        assert_eq!(found(&disk.crash(&mut Random::new(1), nothing)), after.document);
    }

    #[test]
    fn a_table_can_be_read_by_all_that_can_read_new_files() {
        let place = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        File::create(place.path().join("other")).unwrap();
        let path = place.path().join("ccdt.json");
        for description in ["one", "two"] {
            table(path.clone(), description).write().unwrap();
            assert_eq!(mode(&path), mode(&place.path().join("other")));
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2, "nothing is left beside it");
    }
}
