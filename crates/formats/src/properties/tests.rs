use bytes::Bytes;
use mqi::properties::{CopyOptions, PropertyDescriptor, PropertyType, PropertyValue};
use mqi::{Encoding, Reason, Text};
use proptest::prelude::*;

use super::{Property, folder, put_before, read, take_out};
use crate::headers::Place;

fn property(name: &str, value: PropertyValue) -> Property {
    Property { name: name.to_owned(), value, descriptor: PropertyDescriptor::default() }
}

fn text(text: &str) -> PropertyValue {
    PropertyValue::Text(text.to_owned())
}

#[test]
fn a_folder_is_read_by_its_types() {
    let found = folder::read(
        "<usr> <colour>red &amp; &#x62;lue</colour><size dt='i4'>7</size><ok dt=\"boolean\">1</ok>\
         <key dt='bin.hex'>0AFF</key><none xsi:nil='true'></none><empty></empty><gone/>\
         <a><b dt='r8'>2.5</b><c>x</c></a></usr>   ",
    );
    assert_eq!(
        found,
        Ok(vec![
            property("usr.colour", text("red & blue")),
            property("usr.size", PropertyValue::Int32(7)),
            property("usr.ok", PropertyValue::Boolean(true)),
            property("usr.key", PropertyValue::Bytes(Bytes::from_static(&[0x0A, 0xFF]))),
            property("usr.none", PropertyValue::Null),
            property("usr.empty", text("")),
            property("usr.gone", text("")),
            property("usr.a.b", PropertyValue::Float64(2.5)),
            property("usr.a.c", text("x")),
        ])
    );
    let found = folder::read("<mq><a context='user' copy='reply, report' sr='required'>x</a></mq>")
        .expect("a folder");
    assert_eq!(found[0].descriptor.copy, CopyOptions::REPLY | CopyOptions::REPORT);
    assert!(found[0].descriptor.is_user_context);
    assert_eq!(found[0].descriptor.support, mqi::constants::MQPD_SUPPORT_REQUIRED);
}

#[test]
fn what_is_no_folder_is_refused() {
    for wrong in [
        "",
        "usr",
        "<usr",
        "<usr>",
        "<usr><a>1</b></usr>",
        "<usr><a>1</a>",
        "<usr a=1></usr>",
        "<usr><a>&x;</a></usr>",
        "<usr></usr2>",
        "<usr><a dt='i4></a></usr>",
        "<usr><a..b>1</a..b></usr>",
        "<.usr content='properties'><a>1</a></.usr>",
    ] {
        assert_eq!(folder::read(wrong), Err(Reason::RFH_FORMAT_ERROR), "{wrong}");
    }
    assert_eq!(folder::read("<usr><a dt='i4'>x</a></usr>"), Err(Reason::PROP_NUMBER_FORMAT_ERROR));
    let deep = format!("<usr>{}1{}</usr>", "<a>".repeat(100), "</a>".repeat(100));
    assert_eq!(folder::read(&deep), Err(Reason::RFH_FORMAT_ERROR));
    assert!(folder::is_of_properties("<usr></usr>"));
    assert!(folder::is_of_properties("<mine content='properties'></mine>"));
    assert!(!folder::is_of_properties("<psc><Command>Publish</Command></psc>"));
}

#[test]
fn properties_are_put_before_a_body_and_taken_out_again() {
    let place =
        Place { encoding: Encoding::NORMAL, coded_character_set: 37, format: Text::truncated("MQSTR") };
    let body = Bytes::from_static(b"data");
    let properties =
        [property("usr.colour", text("größe")), property("shop.item.size", PropertyValue::Int8(-3))];
    let (outer, whole) = put_before(folder::write(&properties.iter().collect::<Vec<_>>()), &place, &body)
        .expect("can be written");
    assert_eq!(outer.format.as_str(), "MQHRF2");
    assert_eq!(read(&outer, &whole), Ok(properties.to_vec()));
    let parts = take_out(&outer, &whole).expect("can be taken out");
    assert_eq!((parts.place, &parts.body), (place, &body));
    assert_eq!(parts.folders.len(), 2);
    assert_eq!(read(&place, &body), Ok(Vec::new()));
    let mixed = vec!["<psc><Command>x</Command></psc>".to_owned(), "<usr><a>1</a></usr>".to_owned()];
    let (outer, whole) = put_before(mixed, &place, &body).expect("can be written");
    let parts = take_out(&outer, &whole).expect("can be taken out");
    assert_eq!(parts.place.format.as_str(), "MQHRF2");
    assert_eq!(parts.folders, ["<usr><a>1</a></usr>"]);
    let again = take_out(&parts.place, &parts.body).expect("nothing to take out");
    assert_eq!((again.folders.len(), again.body), (0, parts.body));
}

pub(super) fn value() -> impl Strategy<Value = PropertyValue> {
    prop_oneof![
        Just(PropertyValue::Null),
        any::<bool>().prop_map(PropertyValue::Boolean),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(|bytes| PropertyValue::Bytes(bytes.into())),
        any::<i8>().prop_map(PropertyValue::Int8),
        any::<i16>().prop_map(PropertyValue::Int16),
        any::<i32>().prop_map(PropertyValue::Int32),
        any::<i64>().prop_map(PropertyValue::Int64),
        any::<f32>()
            .prop_filter("is equal to itself", |value| !value.is_nan())
            .prop_map(PropertyValue::Float32),
        any::<f64>()
            .prop_filter("is equal to itself", |value| !value.is_nan())
            .prop_map(PropertyValue::Float64),
        "\\PC{0,20}".prop_map(PropertyValue::Text),
        "[ <>&'\"a]{0,8}".prop_map(PropertyValue::Text),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(values in prop::collection::vec(("[a-z][a-z0-9_]{0,5}(\\.[a-z]{1,4}){0,2}", value()), 0..6)) {
        let properties: Vec<_> =
            values.into_iter().map(|(name, value)| property(&format!("usr.{name}"), value)).collect();
        let folders = folder::write(&properties.iter().collect::<Vec<_>>());
        let found: Vec<_> = folders.iter().flat_map(|text| folder::read(text).expect("was written")).collect();
        prop_assert_eq!(found, properties);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[<>/a ='\"&;]{0,60}") {
        let _ = folder::read(&text);
        let _ = folder::is_of_properties(&text);
    }
}

#[test]
fn every_type_has_a_word() {
    for kind in PropertyType::ALL {
        let Ok(value) = PropertyValue::read("1", kind).or_else(|_| PropertyValue::read("01", kind)) else {
            panic!("{kind:?} can be read")
        };
        let one = property("usr.x", value);
        assert_eq!(folder::read(&folder::write(&[&one])[0]), Ok(vec![one]), "{kind:?}");
    }
}
