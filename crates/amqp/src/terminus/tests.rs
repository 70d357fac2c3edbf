use proptest::prelude::*;
use proptest::strategy::Union;

use super::*;
use crate::performative::{Attach, Performative};
use crate::types::write::*;

/// An encoding of a text as a string or a symbol, even where it cannot be one.
fn text(code: u8, text: &str) -> Vec<u8> {
    let (short, length) = (code & 0xAF, text.len());
    let head = match u8::try_from(length) {
        Ok(length) if code == short => vec![short, length],
        _ => [&[short + 0x10][..], &(length as u32).to_be_bytes()].concat(),
    };
    [&head, text.as_bytes()].concat()
}

/// An array of texts as strings (0xB1) or symbols (0xB3).
fn array(code: u8, texts: &[String]) -> Vec<u8> {
    let elements: Vec<u8> = texts.iter().flat_map(|own| text(code, own).split_off(1)).collect();
    let size = elements.len() as u32 + 5;
    [&[0xF0][..], &size.to_be_bytes(), &(texts.len() as u32).to_be_bytes(), &[code], &elements].concat()
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    put_list(&mut out, items.len() as u32, |out| out.extend(items.concat()));
    out
}

fn described(code: u64, value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    put_descriptor(&mut out, code);
    out.extend_from_slice(value);
    out
}

#[test]
fn a_symbol_that_is_not_ascii_is_refused_in_every_encoding() {
    let (name, both) = ("é", ["queue".to_owned(), "é".to_owned()]);
    let alone: Vec<_> = [0xA1, 0xB1, 0xA3, 0xB3].iter().map(|code| text(*code, name)).collect();
    let within: Vec<_> = alone.iter().map(|symbol| list(&[text(0xA3, "queue"), symbol.clone()])).collect();
    let several = [within, vec![array(0xB1, &both), array(0xB3, &both)]].concat();
    // Expiry policy, distribution mode, outcomes, capabilities.
    for (place, takes_several) in [(2, false), (6, false), (9, true), (10, true)] {
        for symbol in alone.iter().chain(several.iter().filter(|_| takes_several)) {
            let fields = [vec![vec![0x40]; place], vec![symbol.clone()]].concat();
            let bytes = described(Source::CODE, &list(&fields));
            assert!(Source::decode(&bytes).is_err(), "field {place}: {symbol:02x?}");
        }
    }
    let address = described(Source::CODE, &list(&[text(0xA1, name)]));
    assert_eq!(Source::decode(&address).unwrap().address, Some(name), "a text may be any");
}

#[test]
fn a_symbol_that_came_as_a_string_is_one() {
    let modes = [vec![vec![0x40]; 6], vec![text(0xA1, "copy")]].concat();
    let bytes = described(Source::CODE, &list(&modes));
    let source = Source::decode(&bytes).unwrap();
    assert_eq!(source.distribution_mode, Some(Symbol("copy")));
}

/// The kind of a field.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Several,
    Flag,
    Byte,
    Number,
    Wide,
    Map,
    Any,
    From,
    To,
}

use Kind::*;

const ATTACH: &[Kind] =
    &[Text, Number, Flag, Byte, Byte, From, To, Map, Flag, Number, Wide, Several, Several, Map];
const SOURCE: &[Kind] = &[Text, Number, Text, Number, Flag, Map, Text, Map, Any, Several, Several];
const TARGET: &[Kind] = &[Text, Number, Text, Number, Flag, Map, Several];
const COORDINATOR: &[Kind] = &[Several];

fn texts() -> impl Strategy<Value = String> + Clone {
    prop_oneof![40 => "[a-z]{0,3}", 1 => "é", 1 => "x{254,257}"]
}

fn encoded(put: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out);
    out
}

/// A value that is made of no others.
fn scalars() -> BoxedStrategy<Vec<u8>> {
    prop_oneof![field(Text), field(Flag), field(Number), field(Wide)].boxed()
}

/// A value of any type.
fn values() -> BoxedStrategy<Vec<u8>> {
    scalars()
        .prop_recursive(4, 16, 4, |inner| {
            let items = proptest::collection::vec(inner, 0..4);
            (items, 0_u8..3).prop_map(|(items, kind)| match kind {
                0 => list(&items),
                1 => described(7, &list(&items)),
                _ => encoded(|out| {
                    let keys = (0..items.len()).map(|key| text(0xA3, &key.to_string()));
                    let pairs: Vec<u8> =
                        keys.zip(&items).flat_map(|(key, item)| [&key, &item[..]].concat()).collect();
                    put_map(out, items.len() as u32, |out| out.extend(pairs));
                }),
            })
        })
        .boxed()
}

/// A value that a field of this kind may have.
fn field(kind: Kind) -> BoxedStrategy<Vec<u8>> {
    let several = proptest::collection::vec(texts(), 0..4);
    let codes = prop_oneof![Just(0xA1_u8), Just(0xA3), Just(0xB1), Just(0xB3)];
    match kind {
        Text => (codes, texts()).prop_map(|(code, own)| text(code, &own)).boxed(),
        Several => prop_oneof![
            field(Text),
            (codes.clone(), several.clone()).prop_map(|(code, own)| array(code | 0x10, &own)),
            (codes, several)
                .prop_map(|(code, own)| list(&own.iter().map(|own| text(code, own)).collect::<Vec<_>>())),
        ]
        .boxed(),
        Flag => any::<bool>().prop_map(|is| encoded(|out| put_boolean(out, is))).boxed(),
        Byte => (0_u8..4).prop_map(|number| encoded(|out| put_ubyte(out, number))).boxed(),
        Number => any::<u32>().prop_map(|number| encoded(|out| put_uint(out, number))).boxed(),
        Wide => any::<u64>().prop_map(|number| encoded(|out| put_ulong(out, number))).boxed(),
        Map => (texts(), values())
            .prop_map(|(key, value)| {
                let pair = [text(0xA1, &key), value].concat();
                encoded(|out| put_map(out, 1, |out| out.extend(pair)))
            })
            .boxed(),
        Any => values(),
        From => composite(Source::CODE, SOURCE),
        To => prop_oneof![composite(Target::CODE, TARGET), composite(Coordinator::CODE, COORDINATOR)].boxed(),
    }
}

/// A described list whose fields are of these kinds, most often; some at its end may be left out.
fn composite(code: u64, kinds: &'static [Kind]) -> BoxedStrategy<Vec<u8>> {
    let fields: Vec<_> = kinds
        .iter()
        .map(|kind| {
            Union::new_weighted(vec![(80, field(*kind)), (8, Just(vec![0x40]).boxed()), (1, scalars())])
        })
        .collect();
    let count = prop_oneof![Just(kinds.len()), 0..=kinds.len()];
    (fields, count).prop_map(move |(fields, count)| described(code, &list(&fields[..count]))).boxed()
}

proptest! {
    /// An answer repeats the termini of its attach, whatever they are.
    #[test]
    fn an_attach_that_is_read_is_written_with_its_termini(bytes in composite(Attach::CODE, ATTACH)) {
        let Ok((Performative::Attach(attach), _)) = Performative::decode(&bytes) else { return Ok(()) };
        let again = encoded(|out| attach.write(out));
        prop_assert!(Performative::decode(&again).is_ok(), "an attach that was written is read");
        if let Some(Ok(source)) = attach.source.map(|source| Source::decode(source.0)) {
            let again = encoded(|out| source.write(out));
            let read = Source::decode(&again);
            prop_assert_eq!(read.map(|read| encoded(|out| read.write(out))), Ok(again.clone()));
        }
        let write = |end: TargetEnd<'_>| encoded(|out| match end {
            TargetEnd::Node(target) => target.write(out),
            TargetEnd::Coordinator(coordinator) => coordinator.write(out),
        });
        if let Some(Ok(target)) = attach.target.map(|target| TargetEnd::decode(target.0)) {
            let again = write(target);
            let read = TargetEnd::decode(&again).map(write);
            prop_assert_eq!(read, Ok(again));
        }
    }
}
