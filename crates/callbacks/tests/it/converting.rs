//! MQXCNVC over every kind of connection.

use callbacks::Connection;
use mqi::{Characters, Listen, Reason, Verbs, constants};

use crate::support::{Bench, OnEvery, on_every};

#[test]
fn characters_are_converted_over_every_connection() {
    struct Test;
    impl OnEvery for Test {
        fn run<V: Listen + Send + 'static>(self, _bench: &Bench, mut connection: Connection<V>) {
            let mut convert = |options, ccsid, bytes, to, most| {
                let converted = connection.convert_characters(options, Characters { ccsid, bytes }, to, most);
                converted.map(|bytes| bytes.to_vec())
            };
            let word: &[u8] = "gr\u{f6}\u{df}e".as_bytes();
            let there = vec![0x87, 0x99, 0xCC, 0x59, 0x85];
            assert_eq!(convert(0, 1208, word, 37, 100), Ok(there.clone()));
            assert_eq!(convert(0, constants::MQCCSI_Q_MGR, word, 37, 100), Ok(there.clone()));
            assert_eq!(convert(0, 37, &there, constants::MQCCSI_Q_MGR, 100), Ok(word.to_vec()));
            assert_eq!(
                convert(constants::MQDCC_FILL_TARGET_BUFFER, 1208, b"ab", 819, 4),
                Ok(b"ab  ".to_vec())
            );
            for (options, from, to, most, refusal) in [
                (1 << 20, 1208, 37, 100, Reason::OPTIONS_ERROR),
                (0, 4_711, 37, 100, Reason::SOURCE_CCSID_ERROR),
                (0, 1208, 4_711, 100, Reason::TARGET_CCSID_ERROR),
                (0, 1208, 1251, 100, Reason::NOT_CONVERTED),
                (0, 1208, 37, 4, Reason::CONVERTED_STRING_TOO_BIG),
            ] {
                assert_eq!(convert(options, from, word, to, most), Err(refusal), "from {from} to {to}");
            }
            connection.disconnect().unwrap();
            let gone = connection.convert_characters(0, Characters { ccsid: 1208, bytes: b"" }, 37, 1);
            assert!(matches!(gone, Err(Reason::HCONN_ERROR | Reason::CONNECTION_BROKEN)), "{gone:?}");
        }
    }
    on_every("DEFINE QLOCAL(Q)", || Test);
}
