use bytes::Bytes;
use mqi::properties::{CopyOptions, PropertyDescriptor, PropertyType, PropertyValue, name as names};
use mqi::{Encoding, Reason, Text};
use proptest::prelude::*;

use super::{
    By, Glance, Property, folder, length, length_in_headers, put_before, put_before_as, read, take_out,
    take_out_of_headers,
};
use crate::headers::Place;

fn property(name: &str, value: PropertyValue) -> Property {
    Property { name: name.to_owned(), value, descriptor: PropertyDescriptor::default(), foreign_type: None }
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
fn an_element_of_a_reserved_name_is_no_property_and_goes_with_its_folder() {
    let mine = |elements: &str| format!("<mine content='properties'>{elements}</mine>");
    let usr = |elements: &str| format!("<usr>{elements}</usr>");
    for reserved in [
        "<JMSFoo dt='i4'>1</JMSFoo>",
        "<JMSType>x</JMSType>",
        "<NOT>x</NOT>",
        "<between dt='i4'>no number</between>",
        "<Escape/>",
        "<a.b>x</a.b>",
        "<a..b>x</a..b>",
        "<a.>x</a.>",
        "<n:a>x</n:a>",
        "<n:a><b>x</b></n:a>",
        "<a><b.c>x</b.c></a>",
        "<JMSFoo><a>x</a></JMSFoo>",
    ] {
        let found = folder::read_whole(&usr(&format!("<one>1</one>{reserved}<two>2</two>"))).expect(reserved);
        let one_and_two = vec![property("usr.one", text("1")), property("usr.two", text("2"))];
        assert_eq!(found.properties, one_and_two, "{reserved}");
        assert_eq!(found.reserved.as_deref(), Some(&usr(reserved)[..]));
        let alone = folder::read_whole(&usr(reserved)).expect(reserved);
        assert_eq!((alone.properties, alone.reserved), (vec![], Some(usr(reserved))));
        match folder::read_whole(&mine(reserved)) {
            Ok(of_mine) if reserved.contains(['.', ':']) => {
                assert_eq!((of_mine.properties, of_mine.reserved), (vec![], Some(mine(reserved))));
            }
            Ok(of_mine) => assert_eq!((of_mine.properties.len(), of_mine.reserved), (1, None), "{reserved}"),
            Err(reason) => assert!(reserved.contains("no number"), "{reserved}: {reason}"),
        }
    }
    for free in
        ["<jmsfoo/>", "<NOTE/>", "<a-b/>", "<a><JMSFoo>x</JMSFoo></a>", "<a><in>1</in></a>", "<in><a/></in>"]
    {
        let found = folder::read_whole(&usr(free)).expect(free);
        assert_eq!((found.properties.len(), found.reserved), (1, None), "{free}");
    }
}

#[test]
fn a_folder_begins_where_its_kind_can_be_told() {
    for (text, begins) in [
        ("<usr><a>1</b></usr>", true),
        ("  <jms", false),
        ("<jms><", true),
        ("<shop><a>1</a></shop>", true),
        ("<shop content='properties'>", true),
        ("<shop content='properties", false),
        ("<<jms><Cid>c</Cid></jms>", false),
        ("jms", false),
        ("", true),
        ("<>", false),
    ] {
        assert_eq!(folder::begins(text), begins, "{text}");
    }
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

/// Names of properties of programs. Keywords of the selector language are kept from them.
fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9_]{0,5}(\\.[a-z]{1,4}){0,2}".prop_filter("is no keyword", |name| !names::is_keyword(name))
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
    fn what_is_written_is_read(values in prop::collection::vec((name(), value()), 0..6)) {
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

/// Headers as programs write them, whole and with a byte changed.
fn header() -> impl Strategy<Value = (Place, Bytes)> {
    let folder = prop_oneof![
        4 => "<usr><[a-c]>[a-zé]{0,4}</a></usr> {0,3}",
        2 => Just("<mqps><Top>price/tin</Top></mqps>".to_owned()),
        1 => Just("<mq><a sr='required'>x</a></mq>".to_owned()),
        1 => Just("<own content='properties'><a>1</a></own>".to_owned()),
        1 => Just("<psc><Command>x</Command></psc>".to_owned()),
    ];
    let place = (
        prop::sample::select(vec![Encoding::NATIVE, Encoding::NORMAL]),
        prop::sample::select(vec![1208, 819, 37, 500, 0, 1200]),
        prop::sample::select(vec!["MQSTR", "MQHRF2", "MQDEAD", ""]),
    );
    let place = place.prop_map(|(encoding, coded_character_set, format)| Place {
        encoding,
        coded_character_set,
        format: Text::truncated(format),
    });
    let changed = prop::option::weighted(0.5, (0..60_usize, any::<u8>()));
    let by = prop::sample::select(vec![By::Message, By::Handle]);
    (prop::collection::vec(folder, 1..4), by, place, changed).prop_map(|(folders, by, place, changed)| {
        let (outer, whole) =
            put_before_as(folders, by, &place, &Bytes::from_static(b"the data")).expect("can be written");
        let mut whole = whole.to_vec();
        if let Some((at, byte)) = changed {
            let at = at % whole.len();
            whole[at] = byte;
        }
        (outer, whole.into())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_glance_says_what_the_whole_reading_says((place, body) in header()) {
        let wholly = take_out_of_headers(&place, &body);
        prop_assert_eq!(&take_out(&place, &body), &wholly);
        prop_assert_eq!(length(&place, &body), length_in_headers(&place, &body));
        if let Some(glance) = Glance::of(&place, &body) {
            let parts = wholly.expect("what can be glanced at can be read");
            prop_assert_eq!(glance.folders().collect::<Vec<_>>(), parts.folders);
            prop_assert_eq!((glance.following, glance.length), (parts.place, body.len() - parts.body.len()));
            let read = crate::headers::first(&place, &body);
            let Ok(Some((crate::headers::Header::Rules2(header), _))) = read else { panic!("{read:?}") };
            prop_assert_eq!(glance.flags, header.flags);
        }
    }
}

#[test]
fn the_usual_header_needs_no_more_than_a_glance() {
    let place = Place { coded_character_set: 1208, ..Place::default() };
    let folders = vec!["<mqps><Top>price/tin</Top></mqps>".to_owned()];
    let (outer, whole) = put_before(folders, &place, &Bytes::from_static(b"x")).expect("can be written");
    let glance = Glance::of(&outer, &whole).expect("nothing is unusual");
    assert_eq!((glance.folders().count(), glance.following, glance.length), (1, place, whole.len() - 1));
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
