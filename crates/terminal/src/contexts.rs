//! Contexts: ways to queue managers under names of their own, in a file of the person.
//!
//! ```toml
//! chosen = "production"
//!
//! [context.production]
//! address = "mq.example.com:1414"
//! queue_manager = "QM1"
//! user = "anna"
//! password = "file:/home/anna/.ferry-password"
//! ```
//!
//! A context that is named (`--context`, else `FERRY_CONTEXT`) stands over the environment. One that is
//! chosen counts where nothing else names a queue manager, an address or a data directory. Words that are
//! typed stand over both.
//!
//! Always: no secret is in the file, only the place where one is found.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use platform::os::private;
use serde::{Deserialize, Serialize};
use server::{bounded_input, foreign};

use crate::common::Common;
use crate::failure::{Exit, Failure, Result};
use crate::next_step::NextStep;
use crate::next_step::PlaceOptions;
use crate::password::Source;

/// The variable that names the file.
pub const FILE_VARIABLE: &str = "FERRY_CONTEXTS";

/// Most contexts of a person.
const CONTEXTS_MAX: usize = 1_000;

/// Most bytes of the file.
const FILE_BYTES_MAX: usize = 1 << 20;

/// Most letters of a name.
const NAME_LETTERS_MAX: usize = 48;

/// All contexts of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contexts {
    /// The one that counts where nothing is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    /// Each by its name.
    #[serde(default, rename = "context", skip_serializing_if = "BTreeMap::is_empty")]
    pub all: BTreeMap<String, Context>,
}

/// The way to one queue manager.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Context {
    /// As `--connect` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// As `--qmgr` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_manager: Option<String>,
    /// As `--channel` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// As `--user` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The place where the password is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<Source>,
    /// As `--tls` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls: Option<String>,
    /// As `--key-store` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_store: Option<PathBuf>,
    /// As `--with` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<PathBuf>,
    /// As `--data` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
}

/// The file with the contexts of the user who runs this.
pub fn file() -> Result<PathBuf> {
    found()?.ok_or_else(|| {
        Failure::usage("there is no place for contexts: neither HOME nor XDG_CONFIG_HOME is set")
            .next(format!("name the file by {FILE_VARIABLE}"))
    })
}

/// The same, if there is a place for it. One that nothing names, and that another user may change, is
/// refused: it leads commands, with their passwords, wherever that user likes.
fn found() -> Result<Option<PathBuf>> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(named) = variable(FILE_VARIABLE) {
        return Ok(Some(named));
    }
    let of_home = || variable("HOME").map(|home| home.join(".config"));
    let Some(folder) = variable("XDG_CONFIG_HOME").or_else(of_home) else { return Ok(None) };
    let path = folder.join("ferrymq").join("contexts.toml");
    match foreign::check(&path) {
        Err(foreign) if path.exists() => {
            let what = format!(
                "the contexts in {} are not used, since {} {}: another user could lead commands elsewhere",
                path.display(),
                foreign.path.display(),
                foreign.power
            );
            Err(Failure::new(Exit::Refused, what)
                .next(format!("remove the file, or name the one that is meant by {FILE_VARIABLE}")))
        }
        _ => Ok(Some(path)),
    }
}

impl Contexts {
    /// Reads them. Without the file there are none.
    pub fn read(path: &Path) -> Result<Self> {
        let text = match bounded_input::read_text(path, "file of contexts", FILE_BYTES_MAX) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(unreadable(path, &error.to_string())),
        };
        toml::from_str(&text).map_err(|error| unreadable(path, error.message()))
    }

    /// Writes them, all or nothing; only the person may read them.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = toml::to_string(self).map_err(|error| unreadable(path, &error.to_string()))?;
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| private::replace(path, text.as_bytes()));
        written.map_err(|error| {
            Failure::new(Exit::Failed, format!("cannot write {}: {error}", path.display()))
                .next(format!("make its folder writable, or name another file by {FILE_VARIABLE}"))
        })
    }

    /// Adds one.
    pub fn add(&mut self, name: &str, context: Context, replaces: bool) -> Result<()> {
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
        if name.is_empty() || name.len() > NAME_LETTERS_MAX || !name.chars().all(is_letter) {
            let what = format!("{name:?} is no name of a context");
            return Err(Failure::usage(what).next("take at most 48 of A-Z a-z 0-9 . _ -"));
        }
        if self.all.contains_key(name) && !replaces {
            let what = format!("there is a context {name} already");
            return Err(Failure::new(Exit::Failed, what).next("take another name, or say --replace"));
        }
        if self.all.len() >= CONTEXTS_MAX && !self.all.contains_key(name) {
            let what = format!("there are {CONTEXTS_MAX} contexts already");
            return Err(
                Failure::new(Exit::Failed, what).next(NextStep::of("ferry context remove NAME makes room"))
            );
        }
        self.all.insert(name.to_owned(), context);
        Ok(())
    }

    /// The one of a name.
    pub fn get(&self, name: &str) -> Result<&Context> {
        self.all.get(name).ok_or_else(|| {
            let next = match self.all.is_empty() {
                true => "ferry context add NAME --connect HOST:PORT makes one".to_owned(),
                false => format!("there are {}", self.all.keys().cloned().collect::<Vec<_>>().join(", ")),
            };
            Failure::new(Exit::NotFound, format!("there is no context {name}")).next(next)
        })
    }
}

fn unreadable(path: &Path, why: &str) -> Failure {
    Failure::new(Exit::Failed, format!("cannot read the contexts in {}: {why}", path.display()))
        .next("correct the file, or move it away")
}

impl Context {
    /// The way that was typed.
    pub fn typed(common: &Common, password: Option<Source>) -> Self {
        Self {
            address: common.connect.clone(),
            queue_manager: common.qmgr.clone(),
            channel: common.channel.clone(),
            user: common.as_user.clone(),
            password,
            tls: common.tls.clone(),
            key_store: common.key_store.clone(),
            bundle: common.with.clone(),
            data: common.data.clone(),
        }
    }

    /// Returns the options with this context under the typed ones.
    fn applied(&self, common: &Common) -> Common {
        let mut common = common.clone();
        // An address that was typed is another place: the keys of this one are not for it.
        let is_here = common.connect.is_none() && common.with.is_none();
        if is_here {
            common.connect.clone_from(&self.address);
            common.with.clone_from(&self.bundle);
            common.tls = common.tls.or_else(|| self.tls.clone());
            common.key_store = common.key_store.or_else(|| self.key_store.clone());
            common.channel = common.channel.or_else(|| self.channel.clone());
            common.qmgr = common.qmgr.or_else(|| self.queue_manager.clone());
            common.data = common.data.or_else(|| self.data.clone());
            if common.as_user.is_none() {
                common.as_user.clone_from(&self.user);
                common.password.clone_from(&self.password);
            }
        }
        common.context = None;
        common
    }
}

/// The context that gave the place, and the way it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    name: String,
    is_chosen: bool,
}

impl Used {
    /// The context in an error about its place.
    pub(crate) fn origin(&self) -> String {
        match self.is_chosen {
            true => format!("the place of context {0}, which `ferry context use {0}` chose", self.name),
            false => {
                format!("the place of context {}, which --context or FERRY_CONTEXT names", self.name)
            }
        }
    }

    /// The next step where no queue manager answers there.
    pub(crate) fn next(&self) -> String {
        let leave = match self.is_chosen {
            true => "ferry context use --none leaves the context; ".to_owned(),
            false => format!("ferry context show {} shows the context; ", self.name),
        };
        format!("{leave}--connect HOST:PORT reaches another queue manager this time")
    }
}

/// The options for the commands of a next step: those that were typed, and the data directory of the context
/// that counts.
#[must_use]
pub fn options(common: &Common) -> PlaceOptions {
    let options = common.typed.clone();
    match applied(common) {
        Ok(Common { data: Some(data), .. }) if common.data.is_none() => options.or_data(&data),
        _ => options,
    }
}

/// The arguments with the context that counts for them, if one does.
pub fn applied(common: &Common) -> Result<Common> {
    Ok(resolved(common)?.0)
}

/// The arguments with the context that counts for them, and that context where it gave the place: an address
/// that was typed stands over it.
pub(crate) fn resolved(common: &Common) -> Result<(Common, Option<Used>)> {
    let path = match &common.context {
        Some(_) => Some(file()?),
        None => chosen_file(common)?,
    };
    match path {
        Some(path) => applied_by(common, &Contexts::read(&path)?),
        None => Ok((common.clone(), None)),
    }
}

/// The file with the context that is chosen, where nothing else names a queue manager.
fn chosen_file(common: &Common) -> Result<Option<PathBuf>> {
    let is_named =
        common.connect.is_some() || common.with.is_some() || common.qmgr.is_some() || common.data.is_some();
    // Without a place for contexts there is none that is chosen.
    if is_named || common.leaves_chosen_context { Ok(None) } else { found() }
}

fn applied_by(common: &Common, contexts: &Contexts) -> Result<(Common, Option<Used>)> {
    let Some(name) = common.context.as_ref().or(contexts.chosen.as_ref()) else {
        return Ok((common.clone(), None));
    };
    let applied = contexts.get(name)?.applied(common);
    let gives_place = common.connect.is_none() && common.with.is_none();
    let used = Used { name: name.clone(), is_chosen: common.context.is_none() };
    Ok((applied, gives_place.then_some(used)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Typed {
        #[command(flatten)]
        common: Common,
    }

    fn typed(words: &[&str]) -> Common {
        Typed::parse_from(["ferry"].iter().chain(words)).common
    }

    #[test]
    fn contexts_are_read_as_they_were_written_and_by_their_person_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deeper/contexts.toml");
        assert_eq!(Contexts::read(&path).unwrap(), Contexts::default());
        let mut contexts = Contexts::default();
        let words = ["--connect", "mq:1414", "-m", "QM1", "--user", "anna"];
        let context = Context::typed(&typed(&words), Some("file:/p".parse().unwrap()));
        contexts.add("production", context.clone(), false).unwrap();
        contexts.chosen = Some("production".to_owned());
        contexts.write(&path).unwrap();
        contexts.write(&path).unwrap();
        assert_eq!(Contexts::read(&path).unwrap(), contexts);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert!(contexts.add("production", context.clone(), false).is_err(), "it is there");
        assert!(contexts.add("production", context.clone(), true).is_ok());
        for name in ["", "a b", "../x", &"x".repeat(49)] {
            assert!(contexts.add(name, context.clone(), false).is_err(), "{name}");
        }
        for wrong in [
            "chosen = 1",
            "[context.a]\npassword = \"secret\"\n",
            "[context.a]\npasswort = \"file:x\"\n",
            "\0",
        ] {
            fs::write(&path, wrong).unwrap();
            let failure = Contexts::read(&path).unwrap_err();
            assert!(failure.what().contains("contexts.toml"), "{wrong}: {}", failure.what());
        }
    }

    #[test]
    fn typed_words_stand_over_a_context_and_keys_stay_with_their_address() {
        let context = Context {
            address: Some("mq:1414".to_owned()),
            queue_manager: Some("QM1".to_owned()),
            user: Some("anna".to_owned()),
            password: Some("env:SECRET".parse().unwrap()),
            tls: Some("ANY".to_owned()),
            key_store: Some("/keys".into()),
            ..Context::default()
        };
        let plain = context.applied(&typed(&[]));
        assert_eq!((plain.connect.as_deref(), plain.qmgr.as_deref()), (Some("mq:1414"), Some("QM1")));
        assert!(plain.password.is_some() && plain.key_store.is_some());
        let other_user = context.applied(&typed(&["--user", "bert"]));
        assert_eq!((other_user.as_user.as_deref(), other_user.password), (Some("bert"), None));
        let elsewhere = context.applied(&typed(&["--connect", "other:1414"]));
        assert_eq!(elsewhere.connect.as_deref(), Some("other:1414"));
        assert_eq!((elsewhere.tls, elsewhere.qmgr, elsewhere.as_user), (None, None, None));
    }

    #[test]
    fn a_chosen_context_counts_where_nothing_is_named() {
        let mut contexts = Contexts { chosen: Some("a".to_owned()), ..Contexts::default() };
        let missing = applied_by(&typed(&[]), &contexts).unwrap_err();
        assert!(missing.is_not_found(), "{}", missing.what());
        let context = Context { address: Some("mq:1".to_owned()), ..Context::default() };
        contexts.add("a", context, false).unwrap();
        assert_eq!(applied_by(&typed(&[]), &contexts).unwrap().0.connect.as_deref(), Some("mq:1"));
        contexts.chosen = None;
        assert_eq!(applied_by(&typed(&[]), &contexts).unwrap().0.connect, None);
        let words = ["--qmgr", "QM1"];
        assert_eq!(applied(&typed(&words)).unwrap().qmgr.as_deref(), Some("QM1"));
    }
}
