//! Names of properties: which are allowed, and which folder each belongs to.
//!
//! A name is read as a path: `usr.colour` and plain `colour` are the same property of the folder `usr`,
//! `shop.item` is `item` of the folder `shop`.

use super::{DescriptorField, Synonym, descriptor_field};
use crate::{Reason, constants};

/// Most bytes a name may have.
pub const LENGTH_MAX: usize = constants::MQ_MAX_PROPERTY_NAME_LENGTH;

/// Words of the selector language, which name no property.
pub const KEYWORDS: [&str; 11] =
    ["NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"];

/// The folder of names without a point.
pub const USER_FOLDER: &str = "usr";

/// Names of the interface for properties that publish/subscribe keeps in folders of its own.
const PUBLISHED: [(&str, &str); 9] = [
    ("MQTopicString", "mqps.Top"),
    ("MQSubUserData", "mqps.Sud"),
    ("MQIsRetained", "mqps.Ret"),
    ("MQPubOptions", "mqps.Pub"),
    ("MQPubLevel", "mqps.Pbl"),
    ("MQPubTime", "mqpse.Pts"),
    ("MQPubSeqNum", "mqpse.Seq"),
    ("MQPubStrIntData", "mqpse.Sid"),
    ("MQPubFormat", "mqpse.Pfmt"),
];

/// Meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meaning {
    /// A field of the descriptor.
    Field(DescriptorField),
    /// A name of JMS.
    Synonym(Synonym),
    /// A property of a folder, by its full name.
    Property(String),
}

/// Judges a name and says what it stands for.
///
/// # Errors
/// `MQRC_PROPERTY_NAME_LENGTH_ERR` for a name without characters or with too many, `MQRC_PROPERTY_NAME_ERROR`
/// for one that is reserved or has a character no name has.
pub fn meaning(name: &str) -> Result<Meaning, Reason> {
    if name.is_empty() || name.len() > LENGTH_MAX {
        return Err(Reason::PROPERTY_NAME_LENGTH_ERR);
    }
    if name.starts_with(descriptor_field::PREFIX) {
        return DescriptorField::by_name(name).map(Meaning::Field).ok_or(Reason::PROPERTY_NAME_ERROR);
    }
    if name.starts_with("JMS") {
        return Synonym::by_name(name).map(Meaning::Synonym).ok_or(Reason::PROPERTY_NAME_ERROR);
    }
    if is_allowed(name) { Ok(Meaning::Property(full(name))) } else { Err(Reason::PROPERTY_NAME_ERROR) }
}

/// The name with its folder.
#[must_use]
pub fn full(name: &str) -> String {
    if name.contains('.') {
        return name.to_owned();
    }
    match PUBLISHED.iter().find(|(published, _)| *published == name) {
        Some((_, full)) => (*full).to_owned(),
        None => format!("{USER_FOLDER}.{name}"),
    }
}

/// The name as a program is given it: what is directly in `usr` without the folder, what has a name of JMS or
/// of the interface under that.
#[must_use]
pub fn short(full: &str) -> &str {
    if let Some(synonym) = Synonym::of_property(full) {
        return synonym.name();
    }
    if let Some((published, _)) = PUBLISHED.iter().find(|(_, kept)| *kept == full) {
        return published;
    }
    match full.strip_prefix("usr.") {
        Some(name) if !name.contains('.') => name,
        _ => full,
    }
}

/// True if a character may begin an identifier.
#[must_use]
pub fn is_start(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '$')
}

/// True if a character may follow in an identifier.
#[must_use]
pub fn is_part(character: char) -> bool {
    is_start(character) || character.is_numeric()
}

/// True if a name is one of the selector language's words.
#[must_use]
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(name))
}

fn is_allowed(name: &str) -> bool {
    let without_folder = name.strip_prefix("usr.").unwrap_or(name);
    let first = name.split('.').next().unwrap_or_default();
    let begins_with_mq = first.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("mq"));
    let is_of_product = begins_with_mq && !first.starts_with("mq_usr");
    let is_path = name.split('.').enumerate().all(|(index, element)| {
        let mut characters = element.chars();
        // Elements after the first may begin with a digit: they do in hierarchies made from foreign names.
        characters.next().is_some_and(|start| is_start(start) || (index > 0 && is_part(start)))
            && characters.all(is_part)
    });
    is_path
        && name.chars().all(|character| u32::from(character) <= 0xFFFF)
        && !is_keyword(without_folder)
        && !without_folder.starts_with("JMS")
        && first != "Body"
        && first != "Root"
        && !(is_of_product && name.matches('.').count() > 1)
}

#[cfg(test)]
mod tests {
    use super::{Meaning, full, meaning, short};
    use crate::Reason;
    use crate::properties::{DescriptorField, Synonym};

    #[test]
    fn names_are_judged_as_the_interface_says() {
        for (name, expected) in [
            ("colour", Ok(())),
            ("usr.colour", Ok(())),
            ("shop.item.size", Ok(())),
            ("$cost_1", Ok(())),
            ("größe", Ok(())),
            ("mq_usr.a.b", Ok(())),
            ("mqps.Top", Ok(())),
            ("", Err(Reason::PROPERTY_NAME_LENGTH_ERR)),
            ("mqps.Top.x", Err(Reason::PROPERTY_NAME_ERROR)),
            ("MQx.a.b", Err(Reason::PROPERTY_NAME_ERROR)),
            ("1st", Err(Reason::PROPERTY_NAME_ERROR)),
            ("a b", Err(Reason::PROPERTY_NAME_ERROR)),
            ("a..b", Err(Reason::PROPERTY_NAME_ERROR)),
            ("a.", Err(Reason::PROPERTY_NAME_ERROR)),
            (".a", Err(Reason::PROPERTY_NAME_ERROR)),
            ("a=b", Err(Reason::PROPERTY_NAME_ERROR)),
            ("Between", Err(Reason::PROPERTY_NAME_ERROR)),
            ("usr.in", Err(Reason::PROPERTY_NAME_ERROR)),
            ("Body.x", Err(Reason::PROPERTY_NAME_ERROR)),
            ("Root.XMLNSC.x", Err(Reason::PROPERTY_NAME_ERROR)),
            ("Root.MQMD.Nothing", Err(Reason::PROPERTY_NAME_ERROR)),
            ("JMSFoo", Err(Reason::PROPERTY_NAME_ERROR)),
            ("usr.JMSType", Err(Reason::PROPERTY_NAME_ERROR)),
            ("emoji😀", Err(Reason::PROPERTY_NAME_ERROR)),
        ] {
            assert_eq!(meaning(name).map(|_| ()), expected, "{name}");
        }
        assert!(meaning(&"n".repeat(4095)).is_ok());
        assert_eq!(meaning(&"n".repeat(4096)), Err(Reason::PROPERTY_NAME_LENGTH_ERR));
    }

    #[test]
    fn a_name_says_what_it_stands_for() {
        assert_eq!(meaning("colour"), Ok(Meaning::Property("usr.colour".to_owned())));
        assert_eq!(meaning("JMSType"), Ok(Meaning::Synonym(Synonym::Type)));
        let field = DescriptorField::by_name("Root.MQMD.MsgId").unwrap();
        assert_eq!(meaning("Root.MQMD.MsgId"), Ok(Meaning::Field(field)));
        assert_eq!(short(&full("colour")), "colour");
        assert_eq!(short("usr.a.b"), "usr.a.b");
        assert_eq!(short("shop.item"), "shop.item");
        assert_eq!(short("jms.Cid"), "JMSCorrelationID");
        for (name, full) in super::PUBLISHED {
            assert_eq!(meaning(name), Ok(Meaning::Property(full.to_owned())), "{name}");
            assert_eq!(short(full), name);
        }
    }
}
