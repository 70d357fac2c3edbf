//! The effects and answers of commands.

use super::definitions::{Command, Definition, Kind, ProcessCommand, Settings};
use super::queue::{Queue, QueueId};
use super::topics::{Done, Subject, TopicCommand};
use super::{Manager, Unmodelled, refused};
use mqi::Reason;

/// Answer of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// True if it succeeded.
    pub(crate) succeeded: bool,
    /// Texts that the answer contains.
    pub(crate) contains: Vec<String>,
}

fn done(id: &str) -> Answer {
    Answer { succeeded: true, contains: vec![id.to_owned()] }
}

fn failed(id: &str) -> Answer {
    Answer { succeeded: false, contains: vec![id.to_owned()] }
}

/// Identifier of the message of an answer.
const CREATED: &str = "FRY8006I";
const MANAGER_CHANGED: &str = "FRY8005I";
const DELETED: &str = "FRY8007I";
const CHANGED: &str = "FRY8008I";
const CLEARED: &str = "FRY8022I";
pub(super) const RETAINED_CLEARED: &str = "FRY8026I";
pub(super) const NOTHING_RETAINED: &str = "FRY8027I";
const RECOVERED: &str = "FRY8028I";
const COMMAND_FAILED: &str = "FRY8101E";
const UNCOMMITTED: &str = "FRY8024E";
const OTHER_TYPE: &str = "FRY8137E";
const NOT_EMPTY: &str = "FRY8143E";
const NOT_FOUND: &str = "FRY8147E";
const IN_USE: &str = "FRY8148E";
const PURGE_UNCOMMITTED: &str = "FRY8149E";
const EXISTS: &str = "FRY8150E";
const LIKE_NOT_FOUND: &str = "FRY8152E";
const SYNTAX: &str = "FRY8405E";

/// Attributes of a process definition that the model reads.
const PROCESS: [&str; 5] = ["APPLICID", "APPLTYPE", "ENVRDATA", "USERDATA", "DESCR"];

impl Manager {
    /// Executes a command. [`tell_all_commands`](Self::tell_all_commands) gives its answer out.
    ///
    /// # Errors
    /// When the model does not know such commands.
    pub(crate) fn command(&mut self, text: &str) -> Result<Answer, Unmodelled> {
        self.expire();
        let answer = match Command::read(text)? {
            Command::Define { kind, name, like, replace, settings } => {
                let like = like.unwrap_or_else(|| kind.default_name().to_owned());
                self.define(kind, &name, &like, replace, settings)
            }
            Command::Alter { kind, name, force, settings } => self.alter(kind, &name, force, settings),
            Command::Delete { kind, name, purge } => self.delete(kind, &name, purge),
            Command::Clear { name } => self.clear(&name),
            Command::ClearTopic { topic } => done(self.clear_topic(&topic)),
            Command::Recover { name } => self.recover(&name),
            Command::Display { kind, name, keywords } => self.display(kind, &name, &keywords)?,
            Command::Process { name, command } => self.process(name, command)?,
            Command::Topics { subject: Subject::Subscription, name, command: TopicCommand::Delete }
                if self.is_subscribed(&name) =>
            {
                failed(COMMAND_FAILED)
            }
            Command::Topics { subject: Subject::Subscription, name, command: TopicCommand::Delete }
                if self.topics.subscription(&name).is_some() =>
            {
                self.end_subscription(&name);
                done(DELETED)
            }
            Command::Topics { subject, name, command } => {
                let is_new = self.topics.subscription(&name).is_none();
                match self.topics.command(subject, &name, command) {
                    Done::Created => {
                        if let Some(said) = self.topics.subscription(&name).filter(|_| is_new).cloned() {
                            self.welcome(&said);
                        }
                        done(CREATED)
                    }
                    Done::Changed => done(CHANGED),
                    Done::Deleted => done(DELETED),
                    Done::Exists => failed(EXISTS),
                    Done::NotFound => failed(NOT_FOUND),
                    Done::Failed => failed(COMMAND_FAILED),
                    Done::Malformed => failed(SYNTAX),
                }
            }
            Command::AlterManager { settings } => {
                let mut altered = self.settings.clone();
                if !settings.iter().all(|(keyword, value)| altered.set(keyword, value)) {
                    return Err(Unmodelled::change("ALTER QMGR"));
                }
                self.settings = altered;
                done(MANAGER_CHANGED)
            }
            Command::Malformed => failed(SYNTAX),
        };
        self.commanded = self.note();
        Ok(answer)
    }

    /// The object of a name if it is of this kind; otherwise what a command about it answers.
    fn found(&self, kind: Kind, name: &str) -> Result<&Definition, Answer> {
        match self.objects.get(name) {
            None => Err(failed(NOT_FOUND)),
            Some(found) if found.kind != kind => Err(failed(OTHER_TYPE)),
            Some(found) => Ok(found),
        }
    }

    fn process(&mut self, name: String, command: ProcessCommand) -> Result<Answer, Unmodelled> {
        let is_known = |(keyword, _): &(String, String)| PROCESS.contains(&keyword.as_str());
        if let ProcessCommand::Define(settings) | ProcessCommand::Alter(settings) = &command
            && !settings.iter().all(is_known)
        {
            return Err(Unmodelled::change("a change of other kinds of object"));
        }
        Ok(match (command, self.processes.get_mut(&name)) {
            (ProcessCommand::Define(_), Some(_)) => failed(EXISTS),
            (ProcessCommand::Define(settings), None) => {
                self.processes.insert(name, settings.into_iter().collect());
                done(CREATED)
            }
            (_, None) => failed(NOT_FOUND),
            (ProcessCommand::Alter(settings), Some(process)) => {
                process.extend(settings);
                done(CHANGED)
            }
            (ProcessCommand::Delete, Some(_)) => {
                self.processes.remove(&name);
                done(DELETED)
            }
        })
    }

    fn define(&mut self, kind: Kind, name: &str, like: &str, replace: bool, settings: Settings) -> Answer {
        let mut definition = match self.found(kind, like) {
            Ok(definition) => definition.clone(),
            Err(answer) if self.objects.contains_key(like) => return answer,
            Err(_) => return failed(LIKE_NOT_FOUND),
        };
        definition.attributes.extend(settings);
        if definition.is_wrong(name) {
            return failed(COMMAND_FAILED);
        }
        (definition.temporary, definition.dynamic, definition.queue) = (false, false, None);
        let Some(existing) = self.objects.get(name) else {
            self.objects.insert(name.to_owned(), definition);
            if kind == Kind::Local {
                self.make_queue(name);
            }
            return done(CREATED);
        };
        if existing.kind != kind {
            return failed(OTHER_TYPE);
        }
        if !replace {
            return failed(EXISTS);
        }
        if self.is_felt(name, &definition) {
            return failed(IN_USE);
        }
        let existing = &self.objects[name];
        (definition.temporary, definition.dynamic, definition.queue) =
            (existing.temporary, existing.dynamic, existing.queue);
        self.change(name, definition);
        done(CREATED)
    }

    fn alter(&mut self, kind: Kind, name: &str, force: bool, settings: Settings) -> Answer {
        let mut definition = match self.found(kind, name) {
            Ok(definition) => definition.clone(),
            Err(answer) => return answer,
        };
        definition.attributes.extend(settings);
        if definition.is_wrong(name) {
            return failed(COMMAND_FAILED);
        }
        let changes_unit = definition.requires_unit() != self.objects[name].requires_unit();
        if (!force || changes_unit) && self.is_felt(name, &definition) {
            return failed(IN_USE);
        }
        self.change(name, definition);
        done(CHANGED)
    }

    /// Gives an object other attributes; programs that wait on a queue where gets are no longer allowed are
    /// refused.
    pub(super) fn change(&mut self, name: &str, definition: Definition) {
        let (queue, fifo) = (definition.queue, definition.fifo());
        let inhibits = definition.is("GET", "DISABLED");
        let before = self.objects[name].clone();
        self.objects.insert(name.to_owned(), definition);
        let Some(id) = queue else {
            let is_moved = ["TARGET", "TARGTYPE"]
                .iter()
                .any(|word| before.attributes.get(*word) != self.objects[name].attributes.get(*word));
            if is_moved || inhibits {
                let moved = is_moved.then_some(Reason::OBJECT_CHANGED);
                self.end_waits_through(name, moved.unwrap_or(Reason::GET_INHIBITED));
            }
            return;
        };
        let need = self.note();
        let queue = self.queues.get_mut(&id).expect("a local queue has messages");
        (queue.fifo, queue.changed) = (fifo, need);
        self.note();
        if inhibits {
            self.end_waits(id, Reason::GET_INHIBITED);
        }
        let after = self.objects[name].clone();
        self.after_change(id, &before, &after);
    }

    /// True if programs that have the object open would feel the change.
    fn is_felt(&self, name: &str, wanted: &Definition) -> bool {
        let current = &self.objects[name];
        match current.queue {
            Some(id) => {
                let becomes_exclusive = current.is("SHARE", "YES") && wanted.is("SHARE", "NO");
                let changes_unit = current.requires_unit() != wanted.requires_unit();
                becomes_exclusive && self.inputs(id) > 0
                    || changes_unit && self.handles().any(|handle| handle.queue == id)
            }
            None => {
                current.attributes.get("TARGET") != wanted.attributes.get("TARGET")
                    && self.handles().any(|handle| handle.name == name)
            }
        }
    }

    fn delete(&mut self, kind: Kind, name: &str, purge: bool) -> Answer {
        let found = match self.found(kind, name) {
            Ok(found) => found,
            Err(answer) => return answer,
        };
        match found.queue {
            None if self.handles().any(|handle| handle.name == name) => return failed(IN_USE),
            None => {}
            Some(id) => match self.busy(id, purge, PURGE_UNCOMMITTED) {
                Some(busy) => return failed(busy),
                None => self.drop_queue(id),
            },
        }
        self.objects.remove(name);
        done(DELETED)
    }

    fn clear(&mut self, name: &str) -> Answer {
        let id = match self.found(Kind::Local, name) {
            Ok(found) => found.queue.expect("a local queue has messages"),
            Err(answer) => return answer,
        };
        if let Some(busy) = self.busy(id, true, UNCOMMITTED) {
            return failed(busy);
        }
        self.queue(id).messages.clear();
        let need = self.note();
        self.queue(id).changed = need;
        done(CLEARED)
    }

    /// Nothing is ever damaged here.
    fn recover(&self, name: &str) -> Answer {
        let own = match self.found(Kind::Local, name) {
            Ok(found) => found.attributes["IMGRCOVQ"].as_str(),
            Err(answer) => return answer,
        };
        let is_allowed = own == "YES" || own == "QMGR" && self.settings.recovers_queues;
        if is_allowed { done(RECOVERED) } else { failed(COMMAND_FAILED) }
    }

    fn busy(&self, id: QueueId, purge: bool, uncommitted: &'static str) -> Option<&'static str> {
        let queue = &self.queues[&id];
        if self.handles().any(|handle| handle.queue == id) {
            Some(IN_USE)
        } else if queue.uncommitted() > 0 {
            Some(uncommitted)
        } else if !purge && queue.depth() > 0 {
            Some(NOT_EMPTY)
        } else {
            None
        }
    }

    fn display(&self, kind: Option<Kind>, name: &str, keywords: &[String]) -> Result<Answer, Unmodelled> {
        let Some(found) = self.objects.get(name).filter(|found| kind.is_none_or(|kind| kind == found.kind))
        else {
            return Ok(failed(NOT_FOUND));
        };
        let mut contains = Vec::new();
        for keyword in keywords {
            let value = match (keyword.as_str(), found.queue) {
                ("CURDEPTH", Some(id)) => self.queues[&id].depth().to_string(),
                ("SHARE" | "HARDENBO", _) => {
                    return Err(Unmodelled::question(format!("DISPLAY … {keyword}")));
                }
                (keyword, _) => match found.attributes.get(keyword) {
                    Some(value) => value.clone(),
                    None => return Err(Unmodelled::question(format!("DISPLAY … {keyword}"))),
                },
            };
            contains.push(format!("{keyword}({value})"));
        }
        Ok(Answer { succeeded: true, contains })
    }

    /// Gives a local queue its place for messages.
    pub(super) fn make_queue(&mut self, name: &str) {
        let id = QueueId(self.number());
        let definition = self.objects.get_mut(name).expect("it was defined before");
        definition.queue = Some(id);
        let queue = Queue::new(definition.fifo(), self.now);
        self.queues.insert(id, queue);
    }

    /// A queue ends with its messages.
    pub(super) fn drop_queue(&mut self, id: QueueId) {
        self.end_waits(id, Reason::Q_DELETED);
        self.queues.remove(&id);
    }

    fn end_waits(&mut self, id: QueueId, reason: Reason) {
        let need = self.note();
        for client in self.clients.values_mut() {
            if client.wait.take_if(|wait| wait.queue == id).is_some() {
                client.outcome = Some(super::Outcome { reply: Some(refused(reason)), need });
            }
        }
    }

    /// Refuses the waits through an alias.
    fn end_waits_through(&mut self, alias: &str, reason: Reason) {
        let need = self.note();
        for client in self.clients.values_mut() {
            let handles = &client.handles;
            let is_through = |wait: &mut super::Wait| handles[&wait.asked.handle].name == alias;
            if client.wait.take_if(is_through).is_some() {
                client.outcome = Some(super::Outcome { reply: Some(refused(reason)), need });
            }
        }
    }

    pub(super) fn queue(&mut self, id: QueueId) -> &mut Queue {
        self.queues.get_mut(&id).expect("a queue that is open is there")
    }
}
