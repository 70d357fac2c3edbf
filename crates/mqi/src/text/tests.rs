use super::Text;
use proptest::prelude::*;

#[test]
fn padding_is_not_part_of_the_text() {
    for field in [*b"MQSTR   ", *b"MQSTR\0\0\0", *b"MQSTR\0xy"] {
        let format = Text::<8>::from_padded(&field);
        assert_eq!(format, "MQSTR");
        assert_eq!(&format.to_padded(), b"MQSTR   ");
    }
    assert!(Text::<8>::from_padded(&[b' '; 8]).is_blank());
}

#[test]
fn a_full_field_is_taken_as_it_is() {
    assert_eq!(Text::<8>::filled(*b"20261121"), Some(Text::from_padded(b"20261121")));
    for field in [*b"2026112 ", *b"2026\x00121", *b"2026\xC3\xA412"] {
        assert_eq!(Text::<8>::filled(field), None, "{field:?}");
    }
}

#[test]
fn a_text_that_does_not_fit_is_refused_or_cut_between_characters() {
    assert_eq!("123456789".parse::<Text<8>>().unwrap_err().length, 9);
    assert_eq!(Text::<4>::truncated("aéé"), "aé");
    assert_eq!(Text::<4>::truncated("éé é"), "éé");
}

proptest! {
    #[test]
    fn what_is_taken_as_it_is_is_what_is_read(text in "[ -~]{0,10}|[\\x00-\\x7F]{0,10}|.{0,4}") {
        let read = text.parse::<Text<8>>().ok();
        let exact = Text::<8>::exact(text.as_bytes());
        prop_assert!(exact.is_none() || exact == read);
        let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && !text.ends_with(' ');
        prop_assert!(exact.is_some() == (is_plain && text.len() <= 8));
    }

    #[test]
    fn any_bytes_make_a_text_that_survives_padding(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let text = Text::<28>::from_padded(&bytes);
        prop_assert!(text.as_bytes().len() <= 28);
        prop_assert_eq!(Text::<28>::from_padded(&text.to_padded()), text);
        prop_assert_eq!(Text::<28>::truncated(text.as_str()), text);
    }
}
