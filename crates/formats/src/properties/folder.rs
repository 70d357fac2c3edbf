//! Folders of a rules and formatting header as properties, and back.
//!
//! ```text
//! <usr><colour>red</colour><size dt='i4'>7</size><none xsi:nil='true'></none></usr>
//! <shop content='properties'><item context='user' copy='reply'>chair</item></shop>
//! ```
//!
//! Elements within elements make names with more points. The grammar is that of the family, not XML: no
//! comments, no declarations, attributes in single or double quotes, five entities and numbers of characters.
//!
//! Always: reading is bounded in depth; a folder that is not one of properties is left as it is.

use std::fmt::Write as _;

use mqi::properties::{CopyOptions, PropertyDescriptor, PropertyType, PropertyValue, name as names};
use mqi::{Reason, constants};

use super::property::Property;

/// Deepest nesting of elements in a folder: names have few points.
const DEPTH_MAX: usize = 64;

/// Folders whose elements are properties without saying so.
const OF_PROPERTIES: [&str; 15] = [
    "usr",
    "jms",
    "mcd",
    "mq",
    "mqps",
    "mqpse",
    "mqext",
    "mq_usr",
    "mq_svc",
    "mqtt",
    "mqema",
    "ibm",
    "sib",
    "sib_usr",
    "sib_context",
];

/// Types and the words for them; the first row of a type is what is written.
const TYPES: [(&str, PropertyType); 11] = [
    ("string", PropertyType::Text),
    ("boolean", PropertyType::Boolean),
    ("bin.hex", PropertyType::Bytes),
    ("i1", PropertyType::Int8),
    ("i2", PropertyType::Int16),
    ("i4", PropertyType::Int32),
    ("i8", PropertyType::Int64),
    ("int", PropertyType::Int64),
    ("r4", PropertyType::Float32),
    ("r8", PropertyType::Float64),
    ("float", PropertyType::Float64),
];

/// Copy options and their words.
const COPIES: [(&str, CopyOptions); 5] = [
    ("all", CopyOptions::ALL),
    ("forward", CopyOptions::FORWARD),
    ("publish", CopyOptions::PUBLISH),
    ("reply", CopyOptions::REPLY),
    ("report", CopyOptions::REPORT),
];

/// The name of a folder, if the text begins as one.
#[must_use]
pub fn name(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(' ').strip_prefix('<')?;
    let end = rest.find(|character: char| !is_name(character))?;
    (end > 0).then(|| &rest[..end])
}

/// True if the elements of a folder are properties.
#[must_use]
pub fn is_of_properties(text: &str) -> bool {
    let Some(name) = name(text) else { return false };
    if OF_PROPERTIES.contains(&name) {
        return true;
    }
    let mut reader = Reader { rest: text.trim_start_matches(' ') };
    reader.tag().is_ok_and(|tag| tag.attribute("content").is_some_and(|content| content == "properties"))
}

/// Returns true if a folder is empty, begins with the name of a folder of properties, or begins with a tag.
#[must_use]
pub fn begins(text: &str) -> bool {
    let text = text.trim_start_matches(' ');
    let is_known = || name(text).is_some_and(|name| OF_PROPERTIES.contains(&name));
    text.is_empty() || is_known() || Reader { rest: text }.tag().is_ok()
}

/// A folder that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folder {
    /// Its properties.
    pub properties: Vec<Property>,
    /// Elements with reserved names, in a folder of their own: they travel with the message, and no program
    /// gets them by name.
    pub reserved: Option<String>,
}

/// The properties of a folder, without elements of reserved names.
///
/// # Errors
/// `MQRC_RFH_FORMAT_ERROR` for what is no folder, `MQRC_PROP_NUMBER_FORMAT_ERROR` for a value that is not of
/// its type.
pub fn read(text: &str) -> Result<Vec<Property>, Reason> {
    read_whole(text).map(|folder| folder.properties)
}

/// Reads a folder with what no program is given by name.
///
/// # Errors
/// `MQRC_RFH_FORMAT_ERROR` for what is no folder, `MQRC_PROP_NUMBER_FORMAT_ERROR` for a value that is not of
/// its type.
pub fn read_whole(text: &str) -> Result<Folder, Reason> {
    let text = text.trim_start_matches([' ', '\n', '\r', '\t']);
    let mut reader = Reader { rest: text };
    let folder = reader.tag()?;
    if folder.is_empty {
        return Ok(Folder::default());
    }
    let opening = &text[..text.len() - reader.rest.len()];
    let mut properties = Vec::new();
    let mut reserved = String::new();
    let mut path = folder.name.to_owned();
    let mut open = vec![folder.name];
    loop {
        if reader.closes() {
            let name = open.pop().ok_or(Reason::RFH_FORMAT_ERROR)?;
            reader.end_of(name)?;
            if open.is_empty() {
                let reserved =
                    (!reserved.is_empty()).then(|| format!("{opening}{reserved}</{}>", folder.name));
                return Ok(Folder { properties, reserved });
            }
            path.truncate(path.len() - name.len() - 1);
            continue;
        }
        let before = reader.rest;
        let tag = reader.tag()?;
        let content = if tag.is_empty { Some("") } else { reader.content() };
        match content {
            Some(content) => {
                if !tag.is_empty {
                    reader.end_of(tag.name)?;
                }
                let parents = &open[1..];
                if is_reserved(folder.name, parents, tag.name) {
                    let element = &before[..before.len() - reader.rest.len()];
                    reserve(&mut reserved, parents, element);
                } else {
                    properties.push(property(format!("{path}.{}", tag.name), &tag, content)?);
                }
            }
            None => {
                if open.len() == DEPTH_MAX {
                    return Err(Reason::RFH_FORMAT_ERROR);
                }
                path.push('.');
                path.push_str(tag.name);
                open.push(tag.name);
            }
        }
    }
}

/// Returns true if an element is not given out as a property. A point or a colon in its name, or that of a
/// parent, would be misread; in `usr`, names of JMS and keywords of the selector language are reserved.
fn is_reserved(folder: &str, parents: &[&str], element: &str) -> bool {
    let first = parents.first().copied().unwrap_or(element);
    let of_user = || first.starts_with("JMS") || parents.is_empty() && names::is_keyword(element);
    parents.iter().chain([&element]).any(|name| name.contains(['.', ':']))
        || folder == names::USER_FOLDER && of_user()
}

/// Keeps an element as it is written, within the elements that it stands in.
fn reserve(reserved: &mut String, parents: &[&str], element: &str) {
    for parent in parents {
        let _ = write!(reserved, "<{parent}>");
    }
    reserved.push_str(element);
    for parent in parents.iter().rev() {
        let _ = write!(reserved, "</{parent}>");
    }
}

fn property(name: String, tag: &Tag<'_>, content: &str) -> Result<Property, Reason> {
    if !can_carry(&name) {
        return Err(Reason::RFH_FORMAT_ERROR);
    }
    let word = tag.attribute("dt").unwrap_or(TYPES[0].0);
    let kind = TYPES.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
    // A type that is not known is read as its text.
    let foreign_type = (kind.is_none() && word.chars().all(is_name)).then(|| word.to_owned());
    let kind = kind.unwrap_or(PropertyType::Text);
    let value = if tag.attribute("xsi:nil").is_some_and(|nil| nil == "true" || nil == "1") {
        PropertyValue::Null
    } else {
        PropertyValue::read(&plain(content).ok_or(Reason::RFH_FORMAT_ERROR)?, kind)?
    };
    let mut descriptor = PropertyDescriptor::default();
    if tag.attribute("context").is_some_and(|context| context == "user") {
        descriptor.is_user_context = true;
    }
    if let Some(copy) = tag.attribute("copy") {
        descriptor.copy = CopyOptions::EMPTY;
        for word in copy.split(',') {
            if let Some((_, option)) = COPIES.iter().find(|(known, _)| *known == word.trim()) {
                descriptor.copy.insert(*option);
            }
        }
    }
    if name.starts_with("mq.") {
        if tag.attribute("sr").is_some_and(|support| support == "required") {
            descriptor.support = constants::MQPD_SUPPORT_REQUIRED;
        } else if tag.attribute("sx").is_some_and(|support| support == "local") {
            descriptor.support = constants::MQPD_SUPPORT_REQUIRED_IF_LOCAL;
        }
    }
    Ok(Property { name, value, descriptor, foreign_type })
}

/// Writes properties as folders, one for each run of properties whose names have the same first element: what
/// is read again has their order.
#[must_use]
pub fn write(properties: &[&Property]) -> Vec<String> {
    let runs = properties.chunk_by(|one, next| folder_of(&one.name) == folder_of(&next.name));
    runs.map(|run| write_folder(folder_of(&run[0].name), run.iter().copied())).collect()
}

/// True if a folder can carry a property of this full name.
#[must_use]
pub fn can_carry(name: &str) -> bool {
    let is_element = |element: &str| !element.is_empty() && element.chars().all(is_name);
    (2..=DEPTH_MAX).contains(&name.split('.').count()) && name.split('.').all(is_element)
}

/// The first element of a full name.
#[must_use]
pub fn folder_of(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

fn write_folder<'a>(folder: &str, properties: impl Iterator<Item = &'a Property>) -> String {
    let mut text = format!("<{folder}");
    if !OF_PROPERTIES.contains(&folder) {
        text.push_str(" content='properties'");
    }
    text.push('>');
    for property in properties {
        let mut elements: Vec<&str> = property.name.split('.').skip(1).collect();
        let Some(last) = elements.pop() else { continue };
        for element in &elements {
            let _ = write!(text, "<{element}>");
        }
        let _ = write!(text, "<{last}");
        write_attributes(&mut text, property);
        text.push('>');
        match property.value {
            // The word for people, TRUE, is not one of the folder's.
            PropertyValue::Boolean(truth) => text.push(if truth { '1' } else { '0' }),
            ref value => write_escaped(&mut text, &value.written()),
        }
        let _ = write!(text, "</{last}>");
        for element in elements.iter().rev() {
            let _ = write!(text, "</{element}>");
        }
    }
    let _ = write!(text, "</{folder}>");
    text
}

fn write_attributes(text: &mut String, property: &Property) {
    match property.value.kind() {
        PropertyType::Text => {
            if let Some(word) = &property.foreign_type {
                let _ = write!(text, " dt='{word}'");
            }
        }
        PropertyType::Null => text.push_str(" xsi:nil='true'"),
        kind => {
            let word = TYPES.iter().find(|(_, known)| *known == kind).map_or("string", |row| row.0);
            let _ = write!(text, " dt='{word}'");
        }
    }
    let PropertyDescriptor { support, is_user_context, copy } = property.descriptor;
    if property.name.starts_with("mq.") {
        match support {
            constants::MQPD_SUPPORT_REQUIRED => text.push_str(" sr='required'"),
            constants::MQPD_SUPPORT_REQUIRED_IF_LOCAL => text.push_str(" sx='local'"),
            _ => {}
        }
    }
    if is_user_context {
        text.push_str(" context='user'");
    }
    if copy != CopyOptions::DEFAULT {
        let words: Vec<_> =
            COPIES.iter().filter(|(_, option)| copy.contains(*option)).map(|(word, _)| *word).collect();
        let _ = write!(text, " copy='{}'", words.join(","));
    }
}

fn write_escaped(text: &mut String, value: &str) {
    for character in value.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&apos;"),
            // What padding and trimming would take away.
            '\0' => text.push_str("&#0;"),
            other => text.push(other),
        }
    }
}

/// The text an element's content stands for; `None` for an entity that is none.
pub(super) fn plain(content: &str) -> Option<String> {
    let Some(first) = content.find('&') else { return Some(content.to_owned()) };
    let mut text = content[..first].to_owned();
    let mut rest = &content[first..];
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        let end = rest[at..].find(';')? + at;
        let entity = &rest[at + 1..end];
        let character = match entity {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = entity.strip_prefix('#')?;
                let code = match number.strip_prefix('x') {
                    Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)?
            }
        };
        text.push(character);
        rest = &rest[end + 1..];
    }
    text.push_str(rest);
    Some(text)
}

struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    is_empty: bool,
}

impl<'a> Tag<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// True if an end tag comes next; blanks before it are passed.
    fn closes(&mut self) -> bool {
        self.pass_blanks();
        self.rest.starts_with("</")
    }

    fn tag(&mut self) -> Result<Tag<'a>, Reason> {
        let wrong = Reason::RFH_FORMAT_ERROR;
        self.rest = self.rest.strip_prefix('<').ok_or(wrong)?;
        let name = self.word().ok_or(wrong)?;
        let mut attributes = Vec::new();
        loop {
            self.pass_blanks();
            if let Some(rest) = self.rest.strip_prefix("/>") {
                self.rest = rest;
                return Ok(Tag { name, attributes, is_empty: true });
            }
            if let Some(rest) = self.rest.strip_prefix('>') {
                self.rest = rest;
                return Ok(Tag { name, attributes, is_empty: false });
            }
            let attribute = self.word().ok_or(wrong)?;
            self.pass_blanks();
            self.rest = self.rest.strip_prefix('=').ok_or(wrong)?;
            self.pass_blanks();
            let quote = self.rest.chars().next().filter(|quote| matches!(quote, '\'' | '"')).ok_or(wrong)?;
            let inner = &self.rest[1..];
            let end = inner.find(quote).ok_or(wrong)?;
            attributes.push((attribute, &inner[..end]));
            self.rest = &inner[end + 1..];
        }
    }

    /// The characters up to the next tag, when that ends the element; `None` when another element begins.
    fn content(&mut self) -> Option<&'a str> {
        let end = self.rest.find('<').unwrap_or(self.rest.len());
        if self.rest[end..].starts_with("</") {
            let content = &self.rest[..end];
            self.rest = &self.rest[end..];
            return Some(content);
        }
        // Characters beside elements belong to nothing.
        self.rest = &self.rest[end..];
        None
    }

    fn end_of(&mut self, name: &str) -> Result<(), Reason> {
        let wrong = Reason::RFH_FORMAT_ERROR;
        let rest = self.rest.strip_prefix("</").and_then(|rest| rest.strip_prefix(name)).ok_or(wrong)?;
        self.rest = rest.trim_start_matches([' ', '\n', '\r', '\t']).strip_prefix('>').ok_or(wrong)?;
        Ok(())
    }

    fn word(&mut self) -> Option<&'a str> {
        let end = self.rest.find(|character| !is_name(character)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn pass_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
    }
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '$' | ':' | '.')
}
