use proptest::prelude::*;

use super::write::*;
use super::*;
use crate::error::{DecodeError, Fault};
use crate::performative::Performative;

/// A value that is made of no others, with what it borrows.
fn scalars() -> impl Strategy<Value = (Vec<u8>, String, u8)> {
    (proptest::collection::vec(any::<u8>(), 0..300), ".{0,80}", 0_u8..22)
}

fn scalar<'a>((bytes, text, kind): &'a (Vec<u8>, String, u8), number: u64) -> Value<'a> {
    let mut sixteen = [0; 16];
    sixteen[..8].copy_from_slice(&number.to_be_bytes());
    match kind {
        0 => Value::Null,
        1 => Value::Boolean(number.is_multiple_of(2)),
        2 => Value::Ubyte(number as u8),
        3 => Value::Ushort(number as u16),
        4 => Value::Uint(number as u32),
        5 => Value::Ulong(number),
        6 => Value::Byte(number as i8),
        7 => Value::Short(number as i16),
        8 => Value::Int(number as i32),
        9 => Value::Long(number as i64),
        10 => Value::Float(number as f32),
        11 => Value::Double(number as f64),
        12 => Value::Decimal32((number as u32).to_be_bytes()),
        13 => Value::Decimal64(number.to_be_bytes()),
        14 => Value::Decimal128(sixteen),
        15 => Value::Char(char::from_u32(number as u32 % 0xD800).unwrap()),
        16 => Value::Timestamp(number as i64),
        17 => Value::Uuid(sixteen),
        18 => Value::Binary(bytes),
        19 => Value::String(text),
        20 => Value::Int(number as i8 as i32),
        _ => Value::Ulong(number % 256),
    }
}

proptest! {
    #[test]
    fn a_scalar_reads_back_from_its_bytes(made in scalars(), number in any::<u64>()) {
        let value = scalar(&made, number);
        let mut bytes = Vec::new();
        prop_assert!(put_scalar(&mut bytes, &value));
        prop_assert_eq!(one(&bytes), Ok((value, &[][..])));
        for end in 0..bytes.len() {
            prop_assert_eq!(one(&bytes[..end]), Err(DecodeError::Cut), "cut at {}", end);
        }
    }

    #[test]
    fn lists_and_maps_read_back_whatever_their_length(count in 0_u32..600, width in 0_usize..3) {
        let text = "x".repeat(width);
        let mut bytes = Vec::new();
        put_list(&mut bytes, count, |out| (0..count).for_each(|_| put_string(out, &text)));
        let (Value::List(items), rest) = one(&bytes).unwrap() else { panic!("a list") };
        prop_assert!(rest.is_empty());
        prop_assert_eq!(items.map(|item| item.text().unwrap().len()).collect::<Vec<_>>(), vec![width; count as usize]);
        let mut bytes = Vec::new();
        put_map(&mut bytes, count, |out| (0..count).for_each(|key| {
            put_uint(out, key);
            put_boolean(out, key.is_multiple_of(2));
        }));
        let (Value::Map(entries), _) = one(&bytes).unwrap() else { panic!("a map") };
        prop_assert_eq!(entries.check_keys(), Ok(()));
        let expected: Vec<_> = (0..count).map(|key| (Value::Uint(key), Value::Boolean(key.is_multiple_of(2)))).collect();
        prop_assert_eq!(entries.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn any_bytes_are_answered_and_what_walks_reads(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(length) = walk(&bytes) {
            prop_assert!(length <= bytes.len());
            prop_assert!(one(&bytes).is_ok(), "what was walked over reads");
        }
    }
}

#[test]
fn the_encodings_of_the_specification_are_read() {
    for (bytes, expected) in [
        (&[0x40][..], Value::Null),
        (&[0x56, 0x00], Value::Boolean(false)),
        (&[0x41], Value::Boolean(true)),
        (&[0x70, 0, 0, 1, 0], Value::Uint(256)),
        (&[0x43], Value::Uint(0)),
        (&[0x53, 0x10], Value::Ulong(16)),
        (&[0x54, 0xFF], Value::Int(-1)),
        (&[0xA1, 0x02, b'h', b'i'], Value::String("hi")),
        (&[0xB3, 0, 0, 0, 2, b'h', b'i'], Value::Symbol("hi")),
        (&[0x73, 0, 0x01, 0xF6, 0x00], Value::Char('\u{1F600}')),
    ] {
        assert_eq!(one(bytes), Ok((expected, &[][..])), "{bytes:02x?}");
    }
}

#[test]
fn a_list_that_is_cut_short_or_lies_about_its_size_is_refused() {
    for (bytes, error) in [
        // Input 10: the list ends before its fields do.
        (&[0xC0, 0x03, 0x02, 0x41][..], DecodeError::Cut),
        (&[0xD0, 0, 0, 0, 9, 0, 0, 0, 1, 0x41], DecodeError::Cut),
        (&[0xC0, 0x02, 0x02, 0x41, 0x41], DecodeError::Size),
        (&[0xC0, 0x03, 0x01, 0x41, 0x41], DecodeError::Size),
        (&[0xC0, 0x00, 0x00], DecodeError::Size),
        (&[0xD0, 0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF], DecodeError::Size),
    ] {
        assert_eq!(walk(bytes), Err(error), "{bytes:02x?}");
    }
}

#[test]
fn the_fields_of_a_list_are_checked_as_they_are_read() {
    for (list, expected) in [
        (&[0xC0, 0x02, 0x01, 0x43][..], Ok(())),
        (&[0x45], Err(DecodeError::Missing("handle"))),
        // The list ends before its fields do, or behind them.
        (&[0xC0, 0x04, 0x02, 0x43, 0x70, 0x00], Err(DecodeError::Cut)),
        (&[0xC0, 0x03, 0x01, 0x43, 0x43], Err(DecodeError::Size)),
        (&[0xC0, 0x03, 0x03, 0x43, 0x43], Err(DecodeError::Size)),
        (&[0xC0, 0x09, 0x01, 0x43], Err(DecodeError::Cut)),
        // Its eighth field may be any value, and is one to its last byte: here is a text that is none.
        (
            &[0xC0, 0x0E, 8, 0x43, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0xC0, 4, 1, 0xA1, 1, 0xFF],
            Err(DecodeError::Text),
        ),
        (&[0xC0, 0x0D, 12, 0x43, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64], Err(DecodeError::Fields)),
    ] {
        let frame = [&[0x00, 0x53, 0x14], list].concat();
        let read = Performative::decode(&frame).map(drop);
        assert_eq!(read, expected.map_err(Fault::from), "{list:02x?}");
    }
}

#[test]
fn values_that_are_nested_33_deep_are_refused_and_32_are_not() {
    let nested = |depth: usize| {
        let mut bytes = vec![0x40];
        for _ in 0..depth {
            let mut outer = Vec::new();
            put_list(&mut outer, 1, |out| out.extend_from_slice(&bytes));
            bytes = outer;
        }
        bytes
    };
    assert_eq!(walk(&nested(NESTING_MAX)), Ok(nested(NESTING_MAX).len()));
    assert_eq!(walk(&nested(NESTING_MAX + 1)), Err(DecodeError::Nesting));
    // Descriptions of descriptions nest as well.
    assert_eq!(walk(&[0x00, 0x44].repeat(NESTING_MAX + 1)), Err(DecodeError::Nesting));
}

#[test]
fn texts_that_are_none_are_refused() {
    for bytes in [&[0xA1, 2, 0xC3, 0x28][..], &[0xA3, 2, 0xC3, 0xA9], &[0x73, 0, 0, 0xD8, 0x00]] {
        assert_eq!(walk(bytes), Err(DecodeError::Text), "{bytes:02x?}");
    }
}

#[test]
fn a_map_that_is_odd_or_has_a_key_twice_is_refused() {
    assert_eq!(walk(&[0xC1, 0x02, 0x01, 0x41]), Err(DecodeError::OddMap));
    // The same number in two encodings is the same key.
    let (Value::Map(entries), _) = one(&[0xC1, 0x06, 0x04, 0x52, 0x00, 0x41, 0x43, 0x42]).unwrap() else {
        panic!("a map")
    };
    assert_eq!(entries.check_keys(), Err(DecodeError::KeyTwice));
    // A string and a symbol of the same characters are two keys.
    let (Value::Map(entries), _) =
        one(&[0xC1, 0x09, 0x04, 0xA1, 1, b'a', 0x41, 0xA3, 1, b'a', 0x42]).unwrap()
    else {
        panic!("a map")
    };
    assert_eq!(entries.check_keys(), Ok(()));
}

#[test]
fn a_map_of_too_many_pairs_is_refused_and_keys_of_several_values_are_compared() {
    let map = |pairs: u32| {
        let mut bytes = Vec::new();
        put_map(&mut bytes, pairs, |out| {
            (0..pairs).for_each(|key| {
                put_uint(out, key);
                put_boolean(out, true);
            });
        });
        bytes
    };
    for (pairs, expected) in [(MAP_PAIRS_MAX, Ok(())), (MAP_PAIRS_MAX + 1, Err(DecodeError::Pairs))] {
        let bytes = map(pairs as u32);
        let (Value::Map(entries), _) = one(&bytes).unwrap() else { panic!("a map") };
        assert_eq!(entries.check_keys(), expected);
    }
    for (second, expected) in [(1, Err(DecodeError::KeyTwice)), (2, Ok(()))] {
        let of_list = |number: u8| [0xC0, 0x03, 0x01, 0x54, number, 0x41];
        let bytes = [&[0xC1, 0x0D, 0x04][..], &of_list(1), &of_list(second)].concat();
        let (Value::Map(entries), _) = one(&bytes).unwrap() else { panic!("a map") };
        assert_eq!(entries.check_keys(), expected, "{second}");
    }
}

#[test]
fn an_array_of_elements_without_bytes_is_bounded() {
    let array = |count: u32| {
        let mut bytes = vec![0xF0, 0, 0, 0, 5];
        bytes.extend_from_slice(&count.to_be_bytes());
        bytes.push(0x41);
        bytes
    };
    assert_eq!(walk(&array(u32::MAX)), Err(DecodeError::EmptyElements));
    assert_eq!(walk(&array(EMPTY_ELEMENTS_MAX + 1)), Err(DecodeError::EmptyElements));
    let most = array(EMPTY_ELEMENTS_MAX);
    assert_eq!(walk(&most), Ok(most.len()));
    let (Value::Array(items), _) = one(&most).unwrap() else { panic!("an array") };
    assert!(items.len() == 4096 && { items }.all(|item| item == Value::Boolean(true)));
}

#[test]
fn an_array_of_numbers_costs_no_more_than_its_head() {
    // Each of so many walks would take seconds if it looked at each element.
    let elements = 1 << 20;
    for (code, width) in [(0x50_u8, 1), (0x60, 2), (0x71, 4), (0x80, 8), (0x98, 16)] {
        let bytes = elements * width;
        let mut array = vec![0xF0];
        array.extend_from_slice(&(bytes as u32 + 5).to_be_bytes());
        array.extend_from_slice(&(elements as u32).to_be_bytes());
        array.push(code);
        array.resize(array.len() + bytes, 7);
        for _ in 0..1_000 {
            assert_eq!(walk(&array), Ok(array.len()));
        }
        assert_eq!(walk(&array[..array.len() - 1]), Err(DecodeError::Cut));
        // One element less than the size says, and one more.
        for count in [elements as u32 - 1, elements as u32 + 1] {
            array[5..9].copy_from_slice(&count.to_be_bytes());
            assert!(walk(&array).is_err(), "{code:#x}");
        }
    }
}

#[test]
fn symbols_of_a_field_are_read_from_an_array_or_from_one_alone() {
    let mut bytes = Vec::new();
    put_symbols(&mut bytes, &["queue", "ANONYMOUS-RELAY"]);
    let several = Symbols::of(one(&bytes).unwrap().0).unwrap();
    assert!(several.contains("queue") && several.contains("ANONYMOUS-RELAY") && !several.contains("topic"));
    let alone = Symbols::of(Value::Symbol("queue")).unwrap();
    assert!(alone.contains("queue") && !alone.contains("topic"));
    assert_eq!(Symbols::of(Value::Uint(1)), None);
}

#[test]
fn a_constructor_that_does_not_exist_is_refused() {
    let known: Vec<u8> =
        (0..=255_u8).filter(|code| walk(&[*code]) != Err(DecodeError::Constructor(*code))).collect();
    assert_eq!(known.len(), 40, "{known:02x?}");
}
