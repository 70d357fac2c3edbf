//! Commands about authority records: SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH, DISPLAY AUTHSERV.

use mqi::ObjectName;
use mqi::constants::*;
use mqi::ours::RUN_CHECK;
use security::authority::{ENTITY_LENGTH_MAX, EntityName, ObjectType, Scope, Set};
use security::check_given_name;

use super::display::{Display, Target};
use super::form::{Form, Head, Question, Work};
use super::rights::{
    AuthorityChoice, AuthorityRecords, CheckedRequest, ENTITIES_MAX, EntityChoice, Matching, SetAuthority,
};
use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::parser::{Between, Content, Fault, Parsed, Parser};
use crate::pcf::parameters::{Parameters, Read, Refusal, missing, refusal, unknown_parameter, wrong_value};
use crate::pcf::structure::{self, Parameter};

pub(super) const SET: Form<SetAuthority> = Form {
    head: head("SET", MQCMD_SET_AUTH_REC),
    text: |parser| parser.set_authority(),
    read: |given| given.set_authority(),
};

pub(super) const DELETE: Form<AuthorityRecords> = Form {
    head: head("DELETE", MQCMD_DELETE_AUTH_REC),
    text: |parser| {
        parser.pass_service()?;
        parser.authority_records("DELETE AUTHREC").map(|(records, _)| records)
    },
    read: |given| {
        given.pass_service()?;
        given.authority_records()
    },
};

const fn head(verb: &'static str, number: i32) -> Head {
    Head { verb, subject: "AUTHREC", synonyms: &[], work: Work::Short, number }
}

pub(super) const RECORDS: Question = Question {
    keyword: "AUTHREC",
    synonyms: &[],
    work: Work::Short,
    number: MQCMD_INQUIRE_AUTH_RECS,
    text: |parser| parser.authority_choice().map(Target::AuthorityRecords),
    read: |given| given.inquire_authority_records(),
};

pub(super) const ENTITY: Question = Question {
    keyword: "ENTAUTH",
    synonyms: &[],
    work: Work::Short,
    number: MQCMD_INQUIRE_ENTITY_AUTH,
    text: |parser| parser.entity_authority(),
    read: |given| given.inquire_entity_authority(),
};

pub(super) const SERVICE: Question = Question {
    keyword: "AUTHSERV",
    synonyms: &[],
    work: Work::Short,
    number: MQCMD_INQUIRE_AUTH_SERVICE,
    text: |parser| {
        parser.pass_service()?;
        Ok(Target::AuthorityService)
    },
    read: |given| {
        given.pass_service()?;
        given.display(Target::AuthorityService, MQIACF_AUTH_SERVICE_ATTRS)
    },
};

impl Parser<'_> {
    /// Takes an option with its value out of the words that follow, wherever it stands among them.
    pub(super) fn option_anywhere(&mut self, word: &str) -> Parsed<Option<Content>> {
        let is_meant = |pair: &[Token]| {
            matches!(&pair[0].kind, TokenKind::Word(own) if own == word) && pair[1].kind == TokenKind::Open
        };
        let find = |parser: &Self| {
            let from = parser.next.min(parser.tokens.len());
            parser.tokens[from..].windows(2).position(is_meant).map(|distance| from + distance)
        };
        let Some(at) = find(self) else { return Ok(None) };
        let here = self.next;
        self.next = at + 1;
        let content = self.content_of(word, Between::CommasOrBlanks)?;
        self.tokens.drain(at..self.next);
        self.next = here;
        match find(self) {
            Some(again) => {
                self.next = again;
                Err(self.repeated(word))
            }
            None => Ok(Some(content)),
        }
    }

    /// Takes the name of the service; there is one.
    fn pass_service(&mut self) -> Parsed<()> {
        self.option_anywhere("SERVCOMP").map(drop)
    }

    fn set_authority(&mut self) -> Parsed<SetAuthority> {
        self.pass_service()?;
        let (add, remove) = (self.option_anywhere("AUTHADD")?, self.option_anywhere("AUTHRMV")?);
        let (records, object_type) = self.authority_records("SET AUTHREC")?;
        // DELETE AUTHREC takes others: those of an earlier release are deleted by their names.
        if let Err(error) = records.entities.iter().try_for_each(|entity| check_given_name(&entity.name)) {
            return Err(Fault::new(self.end(), error.to_string()));
        }
        if add.is_none() && remove.is_none() {
            let problem = "SET AUTHREC needs AUTHADD or AUTHRMV";
            return Err(Fault::new(self.end(), problem).hint("AUTHADD(NONE) makes a record without rights."));
        }
        let set = |content: Option<Content>, of: &str| {
            content.map(|content| authorities(object_type, &content, of)).transpose()
        };
        Ok(SetAuthority { records, add: set(add, "AUTHADD")?, remove: set(remove, "AUTHRMV")? })
    }

    /// Takes profile, type, users and groups, to the end.
    fn authority_records(&mut self, command: &str) -> Parsed<(AuthorityRecords, ObjectType)> {
        let object_type = self.authority_type()?;
        let object_type = object_type.ok_or_else(|| {
            Fault::new(self.end(), format!("{command} needs OBJTYPE")).expect("", type_words())
        })?;
        let scope = match self.option_anywhere("PROFILE")? {
            Some(content) => Scope::parse(object_type, content.text.trim())
                .map_err(|error| Fault::new(content.span, error.to_string()))?,
            None => Scope::parse(object_type, "").map_err(|_| {
                Fault::new(self.end(), format!("{command} needs PROFILE: the name of an object, or several"))
            })?,
        };
        let mut entities = self.entities("PRINCIPAL")?;
        entities.extend(self.entities("GROUP")?);
        if entities.is_empty() {
            let problem =
                format!("{command} needs PRINCIPAL or GROUP: the user or group that has the rights");
            return Err(Fault::new(self.end(), problem));
        }
        if entities.len() > ENTITIES_MAX {
            let problem = format!("{command} names at most {ENTITIES_MAX} users and groups");
            return Err(Fault::new(self.end(), problem));
        }
        match self.peek() {
            Some(_) => {
                let words = ["PROFILE", "OBJTYPE", "PRINCIPAL", "GROUP", "AUTHADD", "AUTHRMV"];
                Err(self.unexpected(&format!("an option of {command}")).expect(self.written(), words))
            }
            None => Ok((AuthorityRecords { object_type, scope, entities }, object_type)),
        }
    }

    /// Takes OBJTYPE, if it is there. ALL, which is every type, counts as none.
    fn authority_type(&mut self) -> Parsed<Option<ObjectType>> {
        let Some(content) = self.option_anywhere("OBJTYPE")? else { return Ok(None) };
        let written = content.text.trim().to_ascii_uppercase();
        match ObjectType::by_keyword(&written) {
            None if written == "ALL" => Ok(None),
            None => {
                let problem = format!("OBJTYPE does not take {written}");
                Err(Fault::new(content.span, problem).expect(&written, type_words()))
            }
            found => Ok(found),
        }
    }

    fn entities(&mut self, keyword: &str) -> Parsed<Vec<EntityName>> {
        let Some(content) = self.option_anywhere(keyword)? else { return Ok(Vec::new()) };
        let is_group = keyword == "GROUP";
        let mut entities: Vec<EntityName> = Vec::new();
        for part in &content.parts {
            let entity = EntityName { is_group, name: part.trim_end().into() };
            if !entity.is_possible() {
                return Err(Fault::new(content.span, entity_problem(keyword)));
            }
            if !entities.contains(&entity) {
                entities.push(entity);
            }
        }
        if entities.is_empty() {
            return Err(Fault::new(content.span, entity_problem(keyword)));
        }
        Ok(entities)
    }

    /// Takes one user or group, if one is there.
    fn entity(&mut self) -> Parsed<Option<EntityName>> {
        let mut entities = self.entities("PRINCIPAL")?;
        entities.extend(self.entities("GROUP")?);
        match entities.len() {
            0 | 1 => Ok(entities.pop()),
            _ => Err(Fault::new(self.end(), "DISPLAY takes one PRINCIPAL or one GROUP")),
        }
    }

    fn authority_choice(&mut self) -> Parsed<AuthorityChoice> {
        self.pass_service()?;
        let object_type = self.authority_type()?;
        let profile = self.option_anywhere("PROFILE")?;
        let profile = profile.map(|content| content.text.trim().into());
        let entity = self.entity()?;
        let matching = match self.option_anywhere("MATCH")? {
            None => Matching::Profile,
            Some(content) => {
                let written = content.text.trim().to_ascii_uppercase();
                let found = Matching::WORDS.iter().find(|(word, _)| *word == written);
                let (_, matching) = found.ok_or_else(|| {
                    Fault::new(content.span, format!("MATCH does not take {written}"))
                        .expect(&written, Matching::WORDS.iter().map(|(word, _)| *word))
                })?;
                *matching
            }
        };
        Ok(AuthorityChoice { profile, object_type, entity, matching })
    }

    fn entity_authority(&mut self) -> Parsed<Target> {
        self.pass_service()?;
        let object_type = self.authority_type()?.ok_or_else(|| {
            Fault::new(self.end(), "DISPLAY ENTAUTH needs OBJTYPE").expect("", type_words())
        })?;
        let name = match self.option_anywhere("OBJNAME")? {
            None if object_type == ObjectType::QueueManager => ObjectName::BLANK,
            None => return Err(Fault::new(self.end(), "DISPLAY ENTAUTH needs OBJNAME")),
            Some(content) => {
                let name = content.text.trim().parse();
                name.map_err(|error: mqi::NameError| Fault::new(content.span, error.to_string()))?
            }
        };
        let entity = self.entity()?;
        let entity =
            entity.ok_or_else(|| Fault::new(self.end(), "DISPLAY ENTAUTH needs PRINCIPAL or GROUP"))?;
        let check = match self.option_anywhere("RUNCHECK")? {
            None => None,
            Some(content) => {
                let written = content.text.trim().to_ascii_uppercase();
                let words = CheckedRequest::ALL.iter().map(|request| request.word);
                let found = CheckedRequest::by_word(&written).ok_or_else(|| {
                    let problem = format!("RUNCHECK does not take {written}");
                    Fault::new(content.span.clone(), problem).expect(&written, words)
                })?;
                if entity.is_group {
                    let problem = "RUNCHECK judges a request of a PRINCIPAL: a group makes none";
                    return Err(Fault::new(content.span, problem));
                }
                Some(found)
            }
        };
        Ok(Target::EntityAuthority(EntityChoice { entity, object_type, name, check }))
    }
}

/// The set that the words of AUTHADD or AUTHRMV stand for.
fn authorities(object_type: ObjectType, content: &Content, of: &str) -> Parsed<Set> {
    let mut set = Set::EMPTY;
    for word in &content.parts {
        let named = object_type.named(word.trim()).ok_or_else(|| {
            let words = object_type.fitting().iter().map(security::authority::Authority::keyword);
            let words = words.chain(["ALL", "ALLADM", "ALLMQI", "NONE"]);
            Fault::new(content.span.clone(), format!("{of} does not take {word}")).expect(word, words)
        })?;
        let unfit = named.without(object_type.fitting());
        if !unfit.is_empty() {
            let problem = security::authority::AuthorityError::Unfit { unfit, object_type }.to_string();
            return Err(Fault::new(content.span.clone(), problem));
        }
        set = set.with(named);
    }
    if content.parts.is_empty() {
        Err(Fault::new(content.span.clone(), format!("{of} needs an authority, or NONE")))
    } else {
        Ok(set)
    }
}

fn entity_problem(keyword: &str) -> String {
    format!("{keyword} takes names of 1 to {ENTITY_LENGTH_MAX} bytes without control characters")
}

fn type_words() -> impl Iterator<Item = &'static str> {
    ObjectType::all().map(ObjectType::keyword)
}

impl Parameters {
    fn pass_service(&mut self) -> Read<()> {
        self.text(MQCACF_SERVICE_COMPONENT).map(drop)
    }

    fn set_authority(&mut self) -> Read<SetAuthority> {
        self.pass_service()?;
        let records = self.authority_records()?;
        for EntityName { is_group, name } in &records.entities {
            let parameter = if *is_group { MQCACF_GROUP_ENTITY_NAMES } else { MQCACF_PRINCIPAL_ENTITY_NAMES };
            check_given_name(name).map_err(|_| wrong(MQRC_UNKNOWN_ENTITY, parameter))?;
        }
        let add = self.authorities(records.object_type, MQIACF_AUTH_ADD_AUTHS)?;
        let remove = self.authorities(records.object_type, MQIACF_AUTH_REMOVE_AUTHS)?;
        match (add, remove) {
            (None, None) => Err(refusal(MQRCCF_AUTH_VALUE_MISSING)),
            (add, remove) => Ok(SetAuthority { records, add, remove }),
        }
    }

    fn authority_records(&mut self) -> Read<AuthorityRecords> {
        let object_type = self.authority_type()?.ok_or_else(|| missing(MQIACF_OBJECT_TYPE))?;
        let profile = self.text(MQCACF_AUTH_PROFILE_NAME)?;
        let is_missing = profile.is_none() && object_type != ObjectType::QueueManager;
        if is_missing {
            return Err(refusal(MQRCCF_PROFILE_NAME_MISSING));
        }
        let scope = Scope::parse(object_type, profile.unwrap_or_default().trim())
            .map_err(|_| wrong(MQRCCF_PROFILE_NAME_ERROR, MQCACF_AUTH_PROFILE_NAME))?;
        let mut entities = self.entities(MQCACF_PRINCIPAL_ENTITY_NAMES, false)?;
        entities.extend(self.entities(MQCACF_GROUP_ENTITY_NAMES, true)?);
        match entities.len() {
            0 => Err(refusal(MQRCCF_ENTITY_NAME_MISSING)),
            count if count > ENTITIES_MAX => Err(refusal(MQRCCF_CFSL_COUNT_ERROR)),
            _ => Ok(AuthorityRecords { object_type, scope, entities }),
        }
    }

    /// The type; none for every type.
    fn authority_type(&mut self) -> Read<Option<ObjectType>> {
        match self.integer(MQIACF_OBJECT_TYPE)? {
            None | Some(MQOT_ALL) => Ok(None),
            Some(number) => match ObjectType::by_number(number) {
                None => Err(wrong(MQRC_OBJECT_TYPE_ERROR, MQIACF_OBJECT_TYPE)),
                found => Ok(found),
            },
        }
    }

    fn entities(&mut self, identifier: i32, is_group: bool) -> Read<Vec<EntityName>> {
        let names = match self.take(identifier) {
            None => return Ok(Vec::new()),
            Some(structure::Content::Text(name)) => vec![name],
            Some(structure::Content::Texts(names)) => names,
            Some(content) => return Err(unknown_parameter(&Parameter { identifier, content })),
        };
        let mut entities: Vec<EntityName> = Vec::new();
        for name in names {
            let entity = EntityName { is_group, name: name.trim_end().into() };
            if !entity.is_possible() {
                return Err(wrong(MQRC_UNKNOWN_ENTITY, identifier));
            }
            if !entities.contains(&entity) {
                entities.push(entity);
            }
        }
        Ok(entities)
    }

    fn authorities(&mut self, object_type: ObjectType, identifier: i32) -> Read<Option<Set>> {
        let numbers = match self.take(identifier) {
            None => return Ok(None),
            Some(structure::Content::Integer(number)) => vec![number],
            Some(structure::Content::Integers(numbers)) => numbers,
            Some(content) => return Err(unknown_parameter(&Parameter { identifier, content })),
        };
        let mut set = Set::EMPTY;
        for number in numbers {
            let named = object_type.numbered(number);
            let named = named.ok_or_else(|| wrong(MQRCCF_AUTH_VALUE_ERROR, identifier))?;
            if !object_type.fitting().contains(named) {
                return Err(wrong(MQRCCF_AUTH_VALUE_ERROR, identifier));
            }
            set = set.with(named);
        }
        Ok(Some(set))
    }

    /// One user or group, if one is named.
    fn entity(&mut self) -> Read<Option<EntityName>> {
        let Some(name) = self.text(MQCACF_ENTITY_NAME)? else {
            return self.integer(MQIACF_ENTITY_TYPE).map(|_| None);
        };
        let is_group = match self.integer(MQIACF_ENTITY_TYPE)? {
            Some(MQZAET_PRINCIPAL) => false,
            Some(MQZAET_GROUP) => true,
            Some(_) => return Err(wrong_value(MQIACF_ENTITY_TYPE)),
            None => return Err(refusal(MQRCCF_ENTITY_TYPE_MISSING)),
        };
        let entity = EntityName { is_group, name: name.trim_end().into() };
        if entity.is_possible() {
            Ok(Some(entity))
        } else {
            Err(wrong(MQRC_UNKNOWN_ENTITY, MQCACF_ENTITY_NAME))
        }
    }

    fn inquire_authority_records(&mut self) -> Read<Display> {
        self.pass_service()?;
        let object_type = self.authority_type()?;
        let options = self.integer(MQIACF_AUTH_OPTIONS)?.unwrap_or(MQAUTHOPT_NAME_ALL_MATCHING);
        let is_set = |option: i32| options & option != 0;
        let matching = match () {
            () if is_set(MQAUTHOPT_NAME_AS_WILDCARD) => Matching::Wildcard,
            () if is_set(MQAUTHOPT_NAME_EXPLICIT) => Matching::Exact,
            () if is_set(MQAUTHOPT_ENTITY_SET) => Matching::Membership,
            () => Matching::Profile,
        };
        let profile = self.text(MQCACF_AUTH_PROFILE_NAME)?;
        // Blank means every profile.
        let profile = profile.as_deref().map(str::trim_end).filter(|profile| !profile.is_empty());
        let profile = profile.map(Into::into);
        let entity = self.entity()?;
        let choice = AuthorityChoice { profile, object_type, entity, matching };
        self.display(Target::AuthorityRecords(choice), MQIACF_AUTH_PROFILE_ATTRS)
    }

    fn inquire_entity_authority(&mut self) -> Read<Display> {
        self.pass_service()?;
        let object_type = self.authority_type()?.ok_or_else(|| missing(MQIACF_OBJECT_TYPE))?;
        // The rights of a user are always those that count for it.
        let _ = self.integer(MQIACF_AUTH_OPTIONS)?;
        let entity = self.entity()?.ok_or_else(|| refusal(MQRCCF_ENTITY_NAME_MISSING))?;
        let name = match self.text(MQCACF_OBJECT_NAME)? {
            None if object_type == ObjectType::QueueManager => ObjectName::BLANK,
            None => return Err(missing(MQCACF_OBJECT_NAME)),
            Some(name) => {
                name.trim_end().parse().map_err(|_| wrong(MQRCCF_OBJECT_NAME_ERROR, MQCACF_OBJECT_NAME))?
            }
        };
        let check = match self.text(RUN_CHECK)? {
            None => None,
            // A group makes no request.
            Some(_) if entity.is_group => return Err(wrong_value(RUN_CHECK)),
            Some(word) => {
                let found = CheckedRequest::by_word(word.trim_end());
                Some(found.ok_or_else(|| wrong_value(RUN_CHECK))?)
            }
        };
        let choice = EntityChoice { entity, object_type, name, check };
        self.display(Target::EntityAuthority(choice), MQIACF_AUTH_PROFILE_ATTRS)
    }
}

fn wrong(reason: i32, parameter: i32) -> Refusal {
    Refusal { reason, parameter: Some(parameter) }
}
