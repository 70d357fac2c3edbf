use super::{NameError, ObjectName, QueueManagerName};
use proptest::prelude::*;

#[test]
fn a_name_keeps_its_characters_and_drops_padding() {
    let name: ObjectName = "DEV.QUEUE.1   ".parse().unwrap();
    assert_eq!(name, "DEV.QUEUE.1");
    assert_eq!(ObjectName::from_padded(&name.to_padded()), Ok(name));
    assert_eq!(ObjectName::from_padded(b"DEV.QUEUE.1\0rubbish after the end"), Ok(name));
    assert_eq!(ObjectName::from_padded(&[0; 48]), Ok(ObjectName::BLANK));
    assert!(ObjectName::from_padded(&[b' '; 48]).unwrap().is_blank());
}

#[test]
fn what_is_not_a_name_is_refused_with_the_character_or_the_length() {
    let refused = |text: &str| text.parse::<QueueManagerName>().unwrap_err();
    assert_eq!(
        refused("MY QUEUE"),
        NameError::Character { name: "MY QUEUE".into(), character: ' ', position: 3 }
    );
    assert_eq!(refused(&"A".repeat(49)), NameError::TooLong { name: "A".repeat(49), length: 49 });
    assert!(refused("Ä").to_string().contains("'Ä' at position 1"));
    assert!(ObjectName::from_padded(&[0xFF, 0xFE]).is_err());
}

proptest! {
    #[test]
    fn every_name_survives_padding(text in "[A-Za-z0-9._/%]{0,48}") {
        let name: ObjectName = text.parse().unwrap();
        prop_assert_eq!(name.as_str(), text.as_str());
        prop_assert_eq!(ObjectName::from_padded(&name.to_padded()), Ok(name));
        prop_assert!(QueueManagerName::from(name) == text.as_str());
    }

    #[test]
    fn a_name_is_taken_as_it_is_or_not_at_all(text in "[A-Za-z0-9._/%]{0,52}|[ -~]{0,52}|.{0,4}") {
        let read = text.parse::<ObjectName>().ok();
        let exact = ObjectName::exact(text.as_bytes());
        prop_assert_eq!(exact, read.filter(|_| !text.ends_with(' ')));
    }

    #[test]
    fn names_order_as_their_texts(one in "[A-Za-z0-9._/%]{0,48}", two in "[A-Za-z0-9._/%]{0,48}") {
        let (first, second): (ObjectName, ObjectName) = (one.parse().unwrap(), two.parse().unwrap());
        prop_assert_eq!(first.cmp(&second), one.cmp(&two));
    }

    #[test]
    fn no_bytes_make_a_name_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        if let Ok(name) = ObjectName::from_padded(&bytes) {
            prop_assert!(name.as_bytes().iter().all(|byte| super::is_name_byte(*byte)));
        }
    }
}
