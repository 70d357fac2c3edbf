//! setmqaut, dspmqaut, dmpmqaut: rights of users and groups.
//!
//! Lives elsewhere: the commands that do it, SET, DELETE and DISPLAY AUTHREC and DISPLAY ENTAUTH
//! (`queue-manager`), which judge their issuers.
//!
//! Always: a tool sends one command, so that rights are changed as a whole or not at all.

use objects::messages::OBJECT_NOT_FOUND;
use objects::quoted;
use security::authority::{ObjectType, Set};
use serde_json::Value;
use server::instances::{self, Instance};

use super::life;
use super::tool::{Answer, Tool, Trouble, common, ended};
use super::words::{self, Typed};
use crate::commands::open_rules;
use terminal::connect;
use terminal::failure::Failure;
use terminal::output;

pub(super) const GIVE: Tool = Tool {
    name: "setmqaut",
    usage: "[-m QMGR] -n PROFILE -t TYPE {-p USER | -g GROUP}... {-remove | {+RIGHT | -RIGHT}...}",
    options: words::ANYTHING,
    misuse: code::ARGUMENTS,
    run: give,
};

pub(super) const SHOW: Tool =
    Tool { name: "dspmqaut", usage: "[-m QMGR] -n OBJECT -t TYPE {-p USER | -g GROUP}", run: show, ..GIVE };

pub(super) const DUMP: Tool = Tool {
    name: "dmpmqaut",
    usage: "[-m QMGR] [-n PROFILE | -l | -a] [-t TYPE] [-p USER | -g GROUP] [-e | -x]",
    run: dump,
    ..GIVE
};

/// Codes at the end that these tools have for themselves.
mod code {
    pub(super) const ARGUMENTS: u8 = 36;
    pub(super) const OBJECT_UNKNOWN: u8 = 133;
    pub(super) const NAME_MISSING: u8 = 146;
    pub(super) const TYPE_MISSING: u8 = 147;
    pub(super) const TYPE: u8 = 148;
    pub(super) const ENTITY_MISSING: u8 = 149;
    pub(super) const RIGHT_MISSING: u8 = 150;
    pub(super) const RIGHT: u8 = 151;
    pub(super) const NAME_UNEXPECTED: u8 = 145;
}

/// Short words for types of objects.
const TYPE_WORDS: [(&str, &str); 9] = [
    ("CHL", "CHANNEL"),
    ("CLCN", "CLNTCONN"),
    ("LSTR", "LISTENER"),
    ("NL", "NAMELIST"),
    ("PRCS", "PROCESS"),
    ("Q", "QUEUE"),
    ("RQMN", "RQMNAME"),
    ("SRVC", "SERVICE"),
    ("TOP", "TOPIC"),
];

/// The words of one of these tools.
#[derive(Debug, Default)]
struct Words {
    queue_manager: Option<String>,
    name: Option<String>,
    object_type: Option<String>,
    users: Vec<String>,
    groups: Vec<String>,
    /// Each with its sign.
    rights: Vec<(char, String)>,
    /// Options without a value.
    flags: Vec<&'static str>,
}

impl Words {
    fn read(typed: &Typed, flags: &'static [&'static str], takes_rights: bool) -> Result<Self, Trouble> {
        let mut words = Self::default();
        let mut typed = typed.rest.iter();
        while let Some(word) = typed.next() {
            let unknown = || Trouble::new(code::ARGUMENTS, format!("{word} is no option here"));
            let (sign, rest) = match word.chars().next() {
                Some(sign @ ('+' | '-')) => (sign, &word[1..]),
                _ => return Err(unknown()),
            };
            if let Some(flag) = flags.iter().find(|flag| sign == '-' && **flag == rest) {
                words.flags.push(flag);
                continue;
            }
            let is_right = ObjectType::Queue.named(rest).is_some();
            if takes_rights && (sign == '+' || is_right) {
                words.rights.push((sign, rest.to_owned()));
                continue;
            }
            let mut letters = rest.chars();
            let (Some(letter), attached) = (letters.next(), letters.as_str()) else { return Err(unknown()) };
            if !"mntpgs".contains(letter) {
                return Err(unknown());
            }
            let value = match attached {
                "" => typed.next().cloned(),
                attached => Some(attached.to_owned()),
            };
            let value = value
                .ok_or_else(|| Trouble::new(code::ARGUMENTS, format!("-{letter} needs a value behind it")))?;
            match letter {
                'm' => words.queue_manager = Some(value),
                'n' => words.name = Some(value),
                't' => words.object_type = Some(value),
                'p' => words.users.push(value),
                'g' => words.groups.push(value),
                // The service that judges: there is one.
                _ => {}
            }
        }
        Ok(words)
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }

    /// The type, if one was typed.
    fn object_type(&self) -> Result<Option<ObjectType>, Trouble> {
        let Some(typed) = &self.object_type else { return Ok(None) };
        let upper = typed.to_ascii_uppercase();
        let word =
            TYPE_WORDS.iter().find(|(short, _)| *short == upper).map_or(upper.as_str(), |(_, long)| long);
        ObjectType::by_keyword(word).map(Some).ok_or_else(|| {
            let types: Vec<String> = ObjectType::all().map(|it| it.keyword().to_ascii_lowercase()).collect();
            Trouble::new(
                code::TYPE,
                format!("-t {typed} is no type of object; the types are {}", types.join(", ")),
            )
        })
    }

    /// The type and, but for the queue manager, the name.
    fn object(&self) -> Result<(ObjectType, Option<&str>), Trouble> {
        let object_type = self.object_type()?.ok_or_else(|| {
            Trouble::new(code::TYPE_MISSING, "-t names the type of the objects, such as queue")
        })?;
        match (object_type, self.name.as_deref()) {
            (ObjectType::QueueManager, None) => Ok((object_type, None)),
            (ObjectType::QueueManager, Some(name))
                if self.queue_manager.as_deref().is_none_or(|own| own == name) =>
            {
                Ok((object_type, None))
            }
            (ObjectType::QueueManager, Some(name)) => {
                let words = format!("-n {name}: the queue manager is named by -m, and its rights have no -n");
                Err(Trouble::new(code::NAME_UNEXPECTED, words))
            }
            (_, None) => {
                Err(Trouble::new(code::NAME_MISSING, "-n names the object, or several as a profile"))
            }
            (_, Some(name)) => Ok((object_type, Some(name))),
        }
    }

    /// The users and groups, in words of MQSC.
    fn entities(&self) -> Result<String, Trouble> {
        let listed = |keyword: &str, names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            if names.is_empty() { String::new() } else { format!(" {keyword}({})", names.join(",")) }
        };
        if self.users.is_empty() && self.groups.is_empty() {
            return Err(Trouble::new(code::ENTITY_MISSING, "-p names a user, or -g a group"));
        }
        Ok(listed("PRINCIPAL", &self.users) + &listed("GROUP", &self.groups))
    }

    /// The only user or group, in words of MQSC.
    fn entity(&self) -> Result<String, Trouble> {
        match self.users.len() + self.groups.len() {
            0 | 1 => self.entities(),
            _ => Err(Trouble::new(code::ARGUMENTS, "one user or one group, not several")),
        }
    }

    /// The rights that are given and those that are taken, each word after those before it.
    fn rights(&self, object_type: ObjectType) -> Result<(Set, Set), Trouble> {
        let (mut given, mut taken) = (Set::EMPTY, Set::EMPTY);
        for (sign, word) in &self.rights {
            let set = object_type.named(word).filter(|set| object_type.fitting().contains(*set)).ok_or_else(
                || {
                    let fitting = object_type.fitting();
                    let words = format!(
                        "{sign}{word} is no right on a {}; those are {fitting}",
                        object_type.keyword()
                    );
                    Trouble::new(code::RIGHT, words)
                },
            )?;
            match sign {
                '+' => (given, taken) = (given.with(set), taken.without(set)),
                _ => (given, taken) = (given.without(set), taken.with(set)),
            }
        }
        Ok((given, taken))
    }
}

/// Trouble about a queue manager that does not answer: there is none of this name, it does not run, or more.
fn not_connected(queue_manager: Option<&str>, failure: Failure) -> Trouble {
    let found = |text: &str| -> Result<Instance, u8> {
        let name = connect::parse_queue_manager_name(text).map_err(|_| ended::NAME)?;
        let data = life::data_directory().map_err(|trouble| trouble.code)?;
        instances::find(&data, &name).map_err(|error| match error {
            instances::Error::Absent { .. } => ended::NAME,
            _ => ended::UNEXPECTED,
        })
    };
    let code = match queue_manager.map(found) {
        Some(Err(code)) => code,
        Some(Ok(instance)) if instance.running.is_none() => ended::NOT_RUNNING,
        None if failure.is_not_found() => ended::NOT_RUNNING,
        _ => ended::UNEXPECTED,
    };
    Trouble::of(code)(failure)
}

/// Sends a command; its answer as JSON.
fn sent(queue_manager: Option<&str>, command: &str) -> Result<Value, Trouble> {
    let session = connect::session(&common(queue_manager));
    let mut session = session.map_err(|failure| not_connected(queue_manager, failure))?;
    let response = session.command(command).map_err(Trouble::of(ended::UNEXPECTED))?;
    session.disconnect().map_err(Trouble::of(ended::UNEXPECTED))?;
    if response.failed {
        let is_absent = response.messages.iter().any(|message| message.id == OBJECT_NOT_FOUND.id());
        let code = if is_absent { code::OBJECT_UNKNOWN } else { ended::UNEXPECTED };
        return Err(Trouble::in_lines(code, output::harmless_lines(response.text.trim_end())));
    }
    serde_json::from_str(&response.json)
        .map_err(|error| Trouble::new(ended::UNEXPECTED, format!("the answer makes no sense: {error}")))
}

/// Types whose names are not those of objects, or that cannot be asked for by their keyword.
const WITHOUT_OBJECTS: [&str; 3] = ["QMGR", "RQMNAME", "CLNTCONN"];

/// Checks that an object is there, as these commands do by their documentation. A pattern may wait for its
/// objects. Where the caller may not look, the command itself judges.
fn require_object(
    queue_manager: Option<&str>,
    object_type: ObjectType,
    name: Option<&str>,
) -> Result<(), Trouble> {
    let keyword = object_type.keyword();
    let is_pattern = |name: &&str| name.contains(['*', '?']);
    let Some(name) = name.filter(|name| !is_pattern(name) && !WITHOUT_OBJECTS.contains(&keyword)) else {
        return Ok(());
    };
    match sent(queue_manager, &format!("DISPLAY {keyword}({})", quoted(name))) {
        Err(trouble) if trouble.code != ended::UNEXPECTED => Err(trouble),
        _ => Ok(()),
    }
}

/// The words of a profile; the queue manager has none.
fn profiled(keyword: &str, name: Option<&str>) -> String {
    name.map_or(String::new(), |name| format!(" {keyword}({})", quoted(name)))
}

fn give(typed: &Typed) -> Answer {
    let words = Words::read(typed, &["remove"], true)?;
    let (object_type, name) = words.object()?;
    let entities = words.entities()?;
    let objects = format!("{} OBJTYPE({}){entities}", profiled("PROFILE", name), object_type.keyword());
    let command = match (words.has("remove"), words.rights.is_empty()) {
        (true, true) => format!("DELETE AUTHREC{objects}"),
        (true, false) => {
            return Err(Trouble::new(
                code::ARGUMENTS,
                "-remove takes the whole record away; no rights go with it",
            ));
        }
        (false, true) => {
            return Err(Trouble::new(
                code::RIGHT_MISSING,
                "+RIGHT gives a right, -RIGHT takes one, such as +put",
            ));
        }
        (false, false) => {
            let (given, taken) = words.rights(object_type)?;
            let part = |keyword: &str, set: Set| {
                if set.is_empty() { String::new() } else { format!(" {keyword}({set})") }
            };
            let parts = part("AUTHADD", given) + &part("AUTHRMV", taken);
            // `+none` makes a record without rights.
            let parts = if parts.is_empty() { " AUTHADD(NONE)".to_owned() } else { parts };
            require_object(words.queue_manager.as_deref(), object_type, name)?;
            format!("SET AUTHREC{objects}{parts}")
        }
    };
    let answer = sent(words.queue_manager.as_deref(), &command)?;
    open_rules::warnings_of(&answer).for_each(output::say);
    output::print_line("The setmqaut command completed successfully.")?;
    Ok(ended::OK)
}

/// The rows of an answer, each as the texts of its fields.
fn rows(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["objects"].as_array().into_iter().flatten()
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_default()
}

/// The rights of a row in small letters.
fn rights_of(row: &Value) -> Vec<String> {
    let listed = row["authlist"].as_array().into_iter().flatten().filter_map(Value::as_str);
    listed.map(str::to_ascii_lowercase).collect()
}

fn show(typed: &Typed) -> Answer {
    let words = Words::read(typed, &[], false)?;
    let (object_type, name) = words.object()?;
    let entity = words.entity()?;
    require_object(words.queue_manager.as_deref(), object_type, name)?;
    let object = profiled("OBJNAME", name);
    let command = format!("DISPLAY ENTAUTH{entity} OBJTYPE({}){object} ALL", object_type.keyword());
    let answer = sent(words.queue_manager.as_deref(), &command)?;
    let shown = name.or(words.queue_manager.as_deref()).unwrap_or("the queue manager");
    for row in rows(&answer) {
        let entity = output::harmless(text(row, "entity"));
        output::print_line(format!(
            "Entity {entity} has the following authorizations for object {}:",
            output::harmless(shown)
        ))?;
        for right in rights_of(row) {
            output::print_line(format!("\t{right}"))?;
        }
    }
    Ok(ended::OK)
}

/// The line between two records.
const BETWEEN: &str = "- - - - - - - -";

fn dump(typed: &Typed) -> Answer {
    let words = Words::read(typed, &["l", "a", "e", "x"], false)?;
    let object_type = words.object_type()?;
    let mut command = "DISPLAY AUTHREC".to_owned();
    command += &profiled("PROFILE", words.name.as_deref());
    if let Some(object_type) = object_type {
        command += &format!(" OBJTYPE({})", object_type.keyword());
    }
    if !words.users.is_empty() || !words.groups.is_empty() {
        command += &words.entity()?;
    }
    match (words.has("e"), words.has("x")) {
        (true, true) => return Err(Trouble::new(code::ARGUMENTS, "-e or -x, not both")),
        (true, false) => command += " MATCH(MEMBERSHIP)",
        (false, true) => command += " MATCH(EXACT)",
        (false, false) => {}
    }
    let answer = sent(words.queue_manager.as_deref(), &(command + " ALL"))?;
    let mut listed: Vec<String> = Vec::new();
    for row in rows(&answer) {
        let record = Record {
            profile: text(row, "profile"),
            object_type: text(row, "objtype").to_ascii_lowercase(),
            entity: text(row, "entity"),
            is_group: text(row, "enttype") == "GROUP",
            rights: rights_of(row),
        };
        match (words.has("l"), words.has("a")) {
            (true, _) => listed.push(record.terse()),
            (false, true) => listed.push(record.command(words.queue_manager.as_deref())),
            (false, false) => listed.push(record.whole()),
        }
    }
    if words.has("l") {
        // Of several entities the profile is listed once.
        listed.dedup();
    }
    let is_whole = !words.has("a") && !words.has("l");
    for (number, record) in listed.iter().enumerate() {
        if is_whole && number > 0 {
            output::print_line(BETWEEN)?;
        }
        output::print_line(record)?;
    }
    if listed.is_empty() {
        output::say("no authority record fits");
    }
    Ok(ended::OK)
}

/// A record as the dump has it.
struct Record<'a> {
    profile: &'a str,
    object_type: String,
    entity: &'a str,
    is_group: bool,
    rights: Vec<String>,
}

impl Record<'_> {
    fn terse(&self) -> String {
        format!(
            "profile:     {}\nobject type: {}\n{BETWEEN}",
            output::harmless(self.profile),
            self.object_type
        )
    }

    fn whole(&self) -> String {
        let Self { profile, object_type, entity, is_group, rights } = self;
        let (profile, entity) = (output::harmless(profile), output::harmless(entity));
        let kind = if *is_group { "group" } else { "principal" };
        let rights = if rights.is_empty() { "none".to_owned() } else { rights.join(" ") };
        format!(
            "profile:     {profile}\nobject type: {object_type}\nentity:      {entity}\nentity type: {kind}\n\
             authority:   {rights}"
        )
    }

    /// The command that sets the record, for a shell: each word in quotes.
    fn command(&self, queue_manager: Option<&str>) -> String {
        let quote = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
        let manager = queue_manager.map_or(String::new(), |name| format!(" -m {}", quote(name)));
        let name = match self.object_type.as_str() {
            "qmgr" => String::new(),
            _ => format!(" -n {}", quote(self.profile)),
        };
        let option = if self.is_group { "-g" } else { "-p" };
        let rights: Vec<String> = if self.rights.is_empty() {
            vec!["+none".to_owned()]
        } else {
            self.rights.iter().map(|right| format!("+{right}")).collect()
        };
        format!(
            "setmqaut{manager}{name} -t {} {option} {} {}",
            self.object_type,
            quote(self.entity),
            rights.join(" ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Record, Set, Words};
    use crate::familiar::words::{ANYTHING, Typed};
    use security::authority::ObjectType;

    fn read(text: &str) -> Result<Words, u8> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let typed = Typed::read(ANYTHING, &words).unwrap();
        Words::read(&typed, &["remove"], true).map_err(|trouble| trouble.code)
    }

    #[test]
    fn each_right_is_given_or_taken_after_those_before_it() {
        let queue = ObjectType::Queue;
        for (text, given, taken) in [
            ("-t q -n A -p ada +put -get", Set::PUT, Set::GET),
            ("-t q -n A -p ada -put +put", Set::PUT, Set::EMPTY),
            ("-t q -n A -p ada +ALLMQI -put", queue.named("ALLMQI").unwrap().without(Set::PUT), Set::PUT),
            ("-t q -n A -p ada -all +browse", Set::BROWSE, queue.named("ALL").unwrap().without(Set::BROWSE)),
            ("-t q -n A -p ada +none", Set::EMPTY, Set::EMPTY),
        ] {
            assert_eq!(read(text).unwrap().rights(queue).map_err(|it| it.code), Ok((given, taken)), "{text}");
        }
        assert_eq!(read("+pub").unwrap().rights(queue).unwrap_err().code, 151, "no right on a queue");
        assert_eq!(read("+fly").unwrap().rights(queue).unwrap_err().code, 151);
    }

    #[test]
    fn words_stand_beside_their_options_or_attached_and_others_are_refused() {
        let words = read("-mQM1 -n A.** -t prcs -pada -g staff -g crew -s svc -remove").unwrap();
        assert_eq!(
            words.entities().map_err(|it| it.code),
            Ok(" PRINCIPAL('ada') GROUP('staff','crew')".to_owned())
        );
        assert!(words.has("remove"));
        assert_eq!(words.object().map_err(|it| it.code), Ok((ObjectType::Process, Some("A.**"))));
        for (text, code) in
            [("-t fish -n A", 148), ("-n A", 147), ("-t q", 146), ("-m QM1 -t qmgr -n QM2", 145)]
        {
            assert_eq!(read(text).unwrap().object().map_err(|it| it.code), Err(code), "{text}");
        }
        assert_eq!(
            read("-t qmgr -m QM1 -n QM1").unwrap().object().map_err(|it| it.code),
            Ok((ObjectType::QueueManager, None))
        );
        for text in ["put", "-z", "-", "-n"] {
            assert_eq!(read(text).unwrap_err(), 36, "{text}");
        }
        assert_eq!(read("-t q -n A +put").unwrap().entities().map_err(|it| it.code), Err(149));
    }

    #[test]
    fn a_record_is_dumped_as_a_command_whatever_is_in_its_names() {
        let record = Record {
            profile: "A.**",
            object_type: "queue".to_owned(),
            entity: "o'hara; id",
            is_group: false,
            rights: vec!["put".to_owned(), "get".to_owned()],
        };
        assert_eq!(
            record.command(Some("QM1")),
            "setmqaut -m 'QM1' -n 'A.**' -t queue -p 'o'\\''hara; id' +put +get"
        );
        let of_manager =
            Record { object_type: "qmgr".to_owned(), rights: Vec::new(), is_group: true, ..record };
        assert_eq!(of_manager.command(None), "setmqaut -t qmgr -g 'o'\\''hara; id' +none");
    }
}
