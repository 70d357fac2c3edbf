//! Rust's structures have the offsets, sizes, lengths and initial values of the tables.

#![allow(unsafe_code, reason = "the bytes of initial values are looked at")]

use crate::{described, facts};
use capi::layout::{Version, Versioned};
use std::collections::BTreeMap;

/// Layout of a structure by the compiler.
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) size: usize,
    pub(crate) alignment: usize,
    pub(crate) fields: Vec<Field>,
    /// The bytes of each constant of initial values, by the last part of its name; those between fields are
    /// zero.
    pub(crate) initials: Vec<(&'static str, Vec<u8>)>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

/// Describes a structure by its constants of initial values and its fields.
macro_rules! describe {
    ($structure:ident, [$($constant:ident),*], [$($field:ident),*]) => {{
        let fields = vec![$($crate::layouts::Field {
            name: stringify!($field).to_owned(),
            offset: std::mem::offset_of!($structure, $field),
            size: $crate::layouts::size_of_field(|structure: &$structure| &structure.$field),
        }),*];
        let initials = vec![$((
            stringify!($constant),
            $crate::layouts::bytes_of(&$structure::$constant, &fields),
        )),*];
        Described {
            name: stringify!($structure),
            size: size_of::<$structure>(),
            alignment: align_of::<$structure>(),
            initials,
            fields,
        }
    }};
}
pub(crate) use describe;

pub(crate) fn size_of_field<S, F>(_field: fn(&S) -> &F) -> usize {
    size_of::<F>()
}

/// The bytes of a structure, without those between its fields, which nobody wrote.
pub(crate) fn bytes_of<S>(structure: &S, fields: &[Field]) -> Vec<u8> {
    let mut bytes = vec![0; size_of::<S>()];
    for field in fields {
        let start = std::ptr::from_ref(structure).cast::<u8>();
        // SAFETY: the field lies inside the structure, which is borrowed, and every byte of it has been
        // written.
        let field_bytes = unsafe { std::slice::from_raw_parts(start.add(field.offset), field.size) };
        bytes[field.offset..field.offset + field.size].copy_from_slice(field_bytes);
    }
    bytes
}

#[test]
fn every_structure_has_the_size_and_the_offsets_of_the_tables() {
    let mut expected: BTreeMap<String, Vec<Field>> = BTreeMap::new();
    for row in facts::rows(facts::STRUCTURES) {
        expected.entry(row["struct"].clone()).or_default().push(Field {
            name: row["field"].clone(),
            offset: row["offset"].parse().expect("an offset"),
            size: row["size"].parse().expect("a size"),
        });
    }
    let structures = described::structures();
    let sizes = facts::rows(facts::SIZES);
    assert_eq!((structures.len(), expected.len()), (sizes.len(), sizes.len()));
    for row in sizes {
        let structure = structures.iter().find(|known| known.name == row["struct"]).expect("a structure");
        assert_eq!(structure.size.to_string(), row["size"], "{}", structure.name);
        assert_eq!(structure.alignment.to_string(), row["align"], "{}", structure.name);
        assert_eq!(structure.fields, expected[structure.name], "{}", structure.name);
    }
}

#[test]
fn every_structure_starts_as_the_tables_say() {
    let structures = described::structures();
    let mut looked_at = 0;
    for row in facts::rows(facts::DEFAULTS) {
        let structure = structures.iter().find(|known| known.name == row["struct"]).expect("a structure");
        let (field, inner) = row["field"].split_once('.').unwrap_or((&row["field"], ""));
        let place = structure.fields.iter().find(|known| known.name == field).expect("a field");
        let (offset, size) = match inner {
            "" => (place.offset, place.size),
            inner => {
                let held = held_type(structure.name, field);
                let held = structures.iter().find(|known| known.name == held).expect("a structure inside");
                let inner = held.fields.iter().find(|known| known.name == inner).expect("a field inside");
                (place.offset + inner.offset, inner.size)
            }
        };
        let constant = row["macro"].strip_prefix(&format!("{}_", structure.name)).expect("a prefix");
        let (_, bytes) =
            structure.initials.iter().find(|(name, _)| *name == constant).expect("initial values");
        let expected = facts::bytes(&row["value"], &row["ctype"], size);
        assert_eq!(bytes[offset..offset + size], expected, "{} {}", row["macro"], row["field"]);
        looked_at += 1;
    }
    assert!(looked_at > 1000, "{looked_at} fields");
}

fn held_type(structure: &str, field: &str) -> String {
    let rows = facts::rows(facts::STRUCTURES);
    let row = rows.iter().find(|row| row["struct"] == structure && row["field"] == field);
    row.expect("a field")["ctype"].clone()
}

#[test]
fn each_version_has_the_length_of_the_tables() {
    fn of<S: Versioned>() -> (&'static str, Option<[u8; 4]>, usize, &'static [Version]) {
        (S::NAME, S::IDENTIFIER, S::VERSION_OFFSET, S::VERSIONS)
    }
    use capi::layout::{
        MQBMHO, MQBO, MQCBC, MQCBD, MQCD, MQCMHO, MQCNO, MQCSP, MQCTLO, MQDMHO, MQDMPO, MQGMO, MQIMPO, MQMD,
        MQMHBO, MQOD, MQPD, MQPMO, MQSCO, MQSD, MQSMPO, MQSRO, MQSTS,
    };
    let known = [
        of::<MQBMHO>(),
        of::<MQBO>(),
        of::<MQCBC>(),
        of::<MQCBD>(),
        of::<MQCD>(),
        of::<MQCMHO>(),
        of::<MQCNO>(),
        of::<MQCSP>(),
        of::<MQCTLO>(),
        of::<MQDMHO>(),
        of::<MQDMPO>(),
        of::<MQGMO>(),
        of::<MQIMPO>(),
        of::<MQMD>(),
        of::<MQMHBO>(),
        of::<MQOD>(),
        of::<MQPD>(),
        of::<MQPMO>(),
        of::<MQSCO>(),
        of::<MQSD>(),
        of::<MQSMPO>(),
        of::<MQSRO>(),
        of::<MQSTS>(),
    ];
    let sizes = facts::rows(facts::SIZES);
    let constants = facts::rows(facts::CONSTANTS);
    for (name, identifier, version_offset, versions) in known {
        let row = sizes.iter().find(|row| row["struct"] == name).expect("a structure");
        let told: Vec<String> =
            versions.iter().map(|version| format!("v{}={}", version.number, version.length)).collect();
        assert_eq!(told.join(" "), row["lengths_by_version"], "{name}");
        let identifier = identifier.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let constant = constants.iter().find(|row| row["name"] == format!("{name}_STRUC_ID"));
        assert_eq!(identifier.as_deref(), constant.map(|row| row["value"].as_str()), "{name}");
        assert_eq!(version_offset, if name == "MQCD" { 20 } else { 4 }, "{name}");
        assert!(versions.is_sorted_by_key(|version| version.number), "{name}");
    }
    assert_eq!((MQMD::length_of(1), MQMD::length_of(2), MQMD::length_of(3)), (Some(324), Some(364), None));
}
