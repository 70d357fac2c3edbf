//! DEFINE, ALTER and DELETE, of objects of every type: text, and text again. Their binary form is that of the
//! family of the object (`pcf`).

use std::fmt;

use mqi::ObjectName;

use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::name::Name;
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::mqsc::setting::{Change, Setting, write_settings};
use crate::object_type::{Family, NameSpace, ObjectType};
use crate::value::quoted;

/// DEFINE type(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The type to make.
    pub object_type: ObjectType,
    /// Its name.
    pub name: Name,
    /// The treatment of an object of that name and type, if there is one.
    pub replace: Replace,
    /// The object that gives the values not said; else the type's default object.
    pub like: Option<Name>,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// REPLACE or NOREPLACE of DEFINE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replace {
    /// Neither was said: DEFINE replaces nothing.
    Unsaid,
    /// REPLACE.
    Yes,
    /// NOREPLACE.
    No,
}

/// ALTER type(name), or ALTER QMGR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alter {
    /// The type to change.
    pub object_type: ObjectType,
    /// Its name; blank for the queue manager.
    pub name: Name,
    /// Changes it also while programs that the change concerns have it open.
    pub force: bool,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// DELETE type(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// The family to remove from.
    pub family: Family,
    /// Its type, if that was said.
    pub object_type: Option<ObjectType>,
    /// Its name.
    pub name: Name,
    /// Removes its messages with it.
    pub purge: bool,
    /// A missing object is no error.
    pub ignore_missing: bool,
}

impl Delete {
    /// Where the name is looked for.
    pub fn name_space(&self) -> NameSpace {
        let first = || self.family.types().next().expect("a family has types").name_space();
        self.object_type.map_or_else(first, ObjectType::name_space)
    }
}

impl Parser<'_> {
    pub(crate) fn define(&mut self) -> Parsed<Define> {
        let types = self.object_types(|object_type| object_type != ObjectType::QueueManager, &[])?;
        let name = self.object_name(types[0])?;
        let object_type = self.one_type("DEFINE", &types)?;
        let mut define =
            Define { object_type, name, replace: Replace::Unsaid, like: None, settings: Vec::new() };
        while self.peek().is_some() {
            if self.takes_type(object_type)? {
                continue;
            }
            let Some(token) = self.peek() else { break };
            match &token.kind {
                TokenKind::Word(word) if word == "REPLACE" || word == "NOREPLACE" => {
                    if define.replace != Replace::Unsaid {
                        return Err(self.repeated("REPLACE or NOREPLACE"));
                    }
                    define.replace = if word == "REPLACE" { Replace::Yes } else { Replace::No };
                    self.next += 1;
                }
                TokenKind::Word(word) if word == "LIKE" => {
                    if define.like.is_some() {
                        return Err(self.repeated("LIKE"));
                    }
                    self.next += 1;
                    define.like = Some(self.name_of_type("LIKE", object_type)?);
                }
                _ => self.add_setting(
                    (object_type, Change::Define),
                    &["LIKE", "NOREPLACE", "REPLACE"],
                    &mut define.settings,
                )?,
            }
        }
        Ok(define)
    }

    pub(crate) fn alter(&mut self) -> Parsed<Alter> {
        let types = self.object_types(|_| true, &[])?;
        let name = match types[0] {
            ObjectType::QueueManager => Name::Object(ObjectName::BLANK),
            object_type => self.object_name(object_type)?,
        };
        let object_type = self.one_type("ALTER", &types)?;
        let mut alter = Alter { object_type, name, force: false, settings: Vec::new() };
        let mut force_said = false;
        while self.peek().is_some() {
            if self.takes_type(object_type)? {
                continue;
            }
            let Some(token) = self.peek() else { break };
            match &token.kind {
                TokenKind::Word(word) if word == "FORCE" || word == "NOFORCE" => {
                    if std::mem::replace(&mut force_said, true) {
                        return Err(self.repeated("FORCE or NOFORCE"));
                    }
                    alter.force = word == "FORCE";
                    self.next += 1;
                }
                _ => self.add_setting((object_type, Change::Alter), &["FORCE"], &mut alter.settings)?,
            }
        }
        Ok(alter)
    }

    /// Takes DELETE of an object; `others` are the subjects of commands that are about no object.
    pub(crate) fn delete(&mut self, others: &[&'static str]) -> Parsed<Delete> {
        let types = self.object_types(|object_type| object_type != ObjectType::QueueManager, others)?;
        let name = self.object_name(types[0])?;
        let family = types[0].family();
        let object_type = (types.len() == 1).then_some(types[0]);
        let mut delete = Delete { family, object_type, name, purge: false, ignore_missing: false };
        let words: &[&str] = match types[0] {
            ObjectType::LocalQueue => &["PURGE", "NOPURGE", "IGNSTATE", "AUTHREC"],
            _ if family == Family::Channel => &["CHLTYPE", "CHLTABLE", "IGNSTATE", "AUTHREC"],
            _ => &["IGNSTATE", "AUTHREC"],
        };
        while self.peek().is_some() {
            let word = self.word_of("an option of DELETE", words, |word| {
                words.iter().find(|option| **option == word).copied()
            })?;
            match word {
                "IGNSTATE" => {
                    delete.ignore_missing = self.one_of("IGNSTATE", &[("NO", false), ("YES", true)])?
                }
                // The records for its name alone go with an object.
                "AUTHREC" => self.one_of("AUTHREC", &[("YES", ())])?,
                "CHLTABLE" => {
                    let client = ObjectType::ClientConnectionChannel;
                    let table = [("QMGRTAB", None), ("CLNTTAB", Some(client))];
                    delete.object_type = self.one_of("CHLTABLE", &table)?.or(delete.object_type);
                }
                "CHLTYPE" => delete.object_type = Some(self.subtype_in("CHLTYPE", &types)?),
                word => delete.purge = word == "PURGE",
            }
        }
        Ok(delete)
    }

    /// The types that the next word can mean; never empty.
    fn object_types(
        &mut self,
        allowed: impl Fn(ObjectType) -> bool,
        others: &[&'static str],
    ) -> Parsed<Vec<ObjectType>> {
        let mut words: Vec<&str> = ObjectType::definable()
            .filter(|object_type| allowed(*object_type))
            .map(ObjectType::keyword)
            .collect();
        words.dedup();
        words.extend(others);
        self.word_of("a type of object", &words, |word| {
            let types: Vec<_> = ObjectType::from_keyword(word).filter(|found| allowed(*found)).collect();
            (!types.is_empty()).then_some(types)
        })
    }

    /// The one type that a statement is about, told by CHLTYPE and the like wherever it stands.
    fn one_type(&mut self, verb: &str, types: &[ObjectType]) -> Parsed<ObjectType> {
        let [first, _, ..] = types else { return Ok(types[0]) };
        let selector = first.family().selector().expect("types of one word have a selector");
        let is_selector = |pair: &[Token]| {
            matches!(&pair[0].kind, TokenKind::Word(word) if word == selector || word == "TYPE")
                && pair[1].kind == TokenKind::Open
        };
        let Some(distance) = self.tokens[self.next..].windows(2).position(is_selector) else {
            let keyword = first.keyword();
            let problem =
                format!("{verb} {keyword} needs {selector}, which decides what attributes there are");
            return Err(Fault::new(self.end(), problem).expect("", [selector]));
        };
        let here = self.next;
        self.next += distance + 1;
        let object_type = self.subtype_in(selector, types)?;
        self.next = here;
        Ok(object_type)
    }

    /// Takes the CHLTYPE that [`Self::one_type`] has read, if it stands here.
    fn takes_type(&mut self, object_type: ObjectType) -> Parsed<bool> {
        let Some(selector) = object_type.family().selector() else { return Ok(false) };
        let is_here = matches!(
            self.peek(),
            Some(Token { kind: TokenKind::Word(word), .. }) if word == selector || word == "TYPE"
        );
        if !is_here {
            return Ok(false);
        }
        let at = self.here();
        self.next += 1;
        let types: Vec<_> = object_type.family().types().collect();
        if self.subtype_in(selector, &types)? != object_type {
            return Err(Fault::new(at, format!("{selector} is given twice")));
        }
        Ok(true)
    }

    fn subtype_in(&mut self, selector: &str, types: &[ObjectType]) -> Parsed<ObjectType> {
        let words: Vec<_> = types.iter().filter_map(|found| Some((found.subtype()?, *found))).collect();
        self.one_of(selector, &words)
    }

    fn add_setting(
        &mut self,
        of: (ObjectType, Change),
        others: &[&str],
        settings: &mut Vec<Setting>,
    ) -> Parsed<()> {
        let at = self.here();
        let setting = self.setting(of, others)?;
        if settings.iter().any(|earlier| earlier.attribute == setting.attribute) {
            return Err(Fault::new(at, format!("{} is given twice", setting.attribute.keyword)));
        }
        settings.push(setting);
        Ok(())
    }
}

/// The type and name of an object, with what tells types of one word apart.
fn write_object(object_type: ObjectType, name: &Name, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    name.write(object_type.keyword(), formatter)?;
    match (object_type.family().selector(), object_type.subtype()) {
        (Some(selector), Some(word)) => write!(formatter, " {selector}({word})"),
        _ => Ok(()),
    }
}

impl Define {
    /// Returns true if it replaces an object of its name and type.
    pub fn replaces(&self) -> bool {
        self.replace == Replace::Yes
    }

    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DEFINE ")?;
        write_object(self.object_type, &self.name, formatter)?;
        formatter.write_str(match self.replace {
            Replace::Unsaid => "",
            Replace::Yes => " REPLACE",
            Replace::No => " NOREPLACE",
        })?;
        if let Some(like) = &self.like {
            write!(formatter, " LIKE({})", quoted(like.as_str()))?;
        }
        write_settings(&self.settings, formatter)
    }
}

impl Alter {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ALTER ")?;
        write_object(self.object_type, &self.name, formatter)?;
        if self.force {
            formatter.write_str(" FORCE")?;
        }
        write_settings(&self.settings, formatter)
    }
}

impl Delete {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DELETE ")?;
        match (self.family, self.object_type) {
            (Family::Channel, Some(ObjectType::ClientConnectionChannel)) => {
                self.name.write("CHANNEL", formatter)?;
                formatter.write_str(" CHLTABLE(CLNTTAB)")?;
            }
            (_, Some(object_type)) => write_object(object_type, &self.name, formatter)?,
            (family, None) => self.name.write(family.keyword(), formatter)?,
        }
        if self.purge {
            formatter.write_str(" PURGE")?;
        }
        if self.ignore_missing {
            formatter.write_str(" IGNSTATE(YES)")?;
        }
        Ok(())
    }
}
