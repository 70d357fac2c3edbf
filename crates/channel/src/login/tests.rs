use super::*;
use crate::Frame;
use mqi::constants::{MQ_CLIENT_USER_ID_LENGTH, MQ_CSP_PASSWORD_LENGTH, MQ_CSP_TOKEN_LENGTH};

fn hello() -> Hello {
    Hello {
        versions: VERSIONS,
        identifies: true,
        refuses: Refusals::READ_AHEAD,
        limits: Limits::default(),
        instance: [7; 16],
        process: 4711,
        channel: "PAYROLL.SVRCONN".into(),
        queue_manager: "QM1".into(),
        application: "payroll".into(),
        user: "ada".into(),
        body_compressions: [Compression::Lz4Fast, Compression::Rle].into_iter().collect(),
        head_compressions: [Compression::System].into_iter().collect(),
    }
}

fn welcome() -> Welcome {
    Welcome {
        version: 2,
        refused: Refusals::COMMANDS,
        limits: Limits::default(),
        body_compression: Some(Compression::ZlibHigh),
        head_compression: None,
        queue_manager: "QM1".into(),
        product: "FerryMQ 0.1.0".into(),
        addresses: vec!["mq1.example:1414".into(), "mq2.example:1415".into()],
        offers: Offers::BRANCHES,
    }
}

/// The payload of what is encoded, as a frame of so many bytes at most.
fn payload(frame_bytes_max: u32, encode: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(&mut bytes);
    Frame::decode(&bytes, frame_bytes_max).unwrap().unwrap().payload.to_vec()
}

fn payload_of(hello: &Hello) -> Vec<u8> {
    payload(frame::LOGIN_FRAME_BYTES_MAX, |out| hello.encode(out))
}

/// The same payload with a field that a later release appended.
fn of_a_later_release(payload: &[u8]) -> Vec<u8> {
    [payload, b"new"].concat()
}

#[test]
fn a_login_reads_back_and_so_does_that_of_a_later_release() {
    let bytes = payload_of(&hello());
    assert_eq!(Hello::decode(&bytes), Ok(hello()));
    assert_eq!(Hello::decode(&of_a_later_release(&bytes)), Ok(hello()));
    let bytes = payload(frame::LOGIN_FRAME_BYTES_MAX, |out| welcome().encode(out));
    assert_eq!(Welcome::decode(&bytes), Ok(welcome()));
    assert_eq!(Welcome::decode(&of_a_later_release(&bytes)), Ok(welcome()));
    let refused = Refused { reason: Reason::Q_MGR_NAME_ERROR, text: "no QM9 here".into() };
    let bytes = payload(frame::LOGIN_FRAME_BYTES_MAX, |out| refused.encode(out));
    assert_eq!(Refused::decode(&bytes), Ok(refused.clone()));
    assert_eq!(Refused::decode(&of_a_later_release(&bytes)), Ok(refused));
}

#[test]
fn a_hello_has_the_bytes_that_the_page_draws() {
    let hello = Hello {
        limits: Limits {
            frame_bytes_max: 0x0001_0203,
            message_bytes_max: 0x0405_0607,
            conversations_max: 0x0809,
            heartbeat_milliseconds: 0x0A0B_0C0D,
        },
        ..hello()
    };
    let mut expected = vec![2, 0, 4, 0, 1, 2, 0, 0, 0];
    expected.extend_from_slice(&[3, 2, 1, 0, 7, 6, 5, 4, 9, 8, 0x0D, 0x0C, 0x0B, 0x0A]);
    expected.extend_from_slice(&[7; 16]);
    expected.extend_from_slice(&[0x67, 0x12, 0, 0]);
    expected.extend_from_slice(b"\x0FPAYROLL.SVRCONN\x03QM1\x07payroll\x03ada\x02\x10\x01\x01\x08");
    assert_eq!(payload_of(&hello), expected);
}

#[test]
fn credentials_have_the_bytes_that_the_page_draws_and_read_back() {
    let secret = |text: &str| Secret::new(text.as_bytes().to_vec());
    for (credentials, bytes) in [
        (Credentials::password("ada", secret(" pass ")), &b"\x01\x03\0ada\x06\0 pass "[..]),
        (Credentials::password("", secret("")), b"\x01\0\0\0\0"),
        (Credentials::token(secret("a.b.c")), b"\x02\0\0\x05\0a.b.c"),
        (Credentials::change("ada", secret("old"), secret("new ")), b"\x03\x03\0ada\x03\0old\x04\0new "),
    ] {
        let credentials = credentials.unwrap();
        let payload = payload(IDENTIFY_FRAME_BYTES_MAX, |out| credentials.encode(out));
        assert_eq!(payload, bytes);
        assert_eq!(Credentials::decode(&payload), Ok(credentials.clone()));
        assert_eq!(Credentials::decode(&of_a_later_release(&payload)), Ok(credentials.clone()));
        for end in 0..payload.len() {
            assert!(Credentials::decode(&payload[..end]).is_err(), "{end} bytes");
        }
    }
}

#[test]
fn credentials_at_their_longest_fit_their_frame_and_longer_ones_are_refused() {
    let secret = |length: usize| Secret::new(vec![b's'; length]);
    let user = |length: usize| "u".repeat(length);
    let (users, passwords, tokens) = (MQ_CLIENT_USER_ID_LENGTH, MQ_CSP_PASSWORD_LENGTH, MQ_CSP_TOKEN_LENGTH);
    for credentials in [
        Credentials::password(&user(users), secret(passwords)),
        Credentials::token(secret(tokens)),
        Credentials::change(&user(users), secret(passwords), secret(passwords)),
    ] {
        let credentials = credentials.unwrap();
        let payload = payload(IDENTIFY_FRAME_BYTES_MAX, |out| credentials.encode(out));
        assert_eq!(Credentials::decode(&payload), Ok(credentials));
    }
    let too_long = |what, length, length_max| Err(Error::TooLong { what, length, length_max });
    assert_eq!(Credentials::password(&user(users + 1), secret(1)), too_long("user", users + 1, users));
    assert_eq!(
        Credentials::password("ada", secret(passwords + 1)),
        too_long("password", passwords + 1, passwords)
    );
    assert_eq!(Credentials::token(secret(tokens + 1)), too_long("token", tokens + 1, tokens));
    assert_eq!(
        Credentials::change("ada", secret(1), secret(passwords + 1)),
        too_long("new password", passwords + 1, passwords)
    );
    assert!(Credentials::change("", secret(1), secret(1)).is_err(), "whose it is must be said");
    for (payload, what, length, most) in [
        (&b"\x01\x01\x04"[..], "user of the credentials", 1_025, users),
        (b"\x01\0\0\x01\x01", "password", 257, passwords),
        (b"\x02\0\0\x01\x20", "token", 8_193, tokens),
        (b"\x02\x01\0a\x01\0t", "user of the credentials", 1, 0),
        (b"\x01\xFF\xFF", "user of the credentials", 65_535, users),
        (b"\x03\x01\0a\x01\0o\x01\x01", "new password", 257, passwords),
    ] {
        assert_eq!(Credentials::decode(payload), too_long(what, length, most), "{payload:?}");
    }
    for means in [0, 4, 255] {
        assert!(matches!(Credentials::decode(&[means, 0, 0, 0, 0]), Err(Error::Wire(_))), "{means}");
    }
}

#[test]
fn a_secret_is_shown_by_nothing() {
    let credentials = Credentials::password("ada", Secret::new(b"hunter2".to_vec())).unwrap();
    let shown = format!("{credentials:?}");
    assert!(shown.contains("ada") && !shown.contains("hunter2"), "{shown}");
    assert!(!shown.contains(&format!("{:?}", b"hunter2")[1..]), "{shown}");
}

#[test]
fn a_version_nobody_speaks_is_named_whatever_follows() {
    for (least, most) in [(40, 41), (1, 1), (0, 0), (3, 1)] {
        let theirs = Versions { least, most };
        let payload = [least as u8, 0, most as u8, 0, 0xFF];
        assert_eq!(Hello::decode(&payload), Err(Error::Version { theirs, ours: VERSIONS }));
    }
    let text = Error::Version { theirs: Versions { least: 1, most: 1 }, ours: VERSIONS }.to_string();
    assert!(text.contains("version 1 of") && text.contains("versions 2 to 4:"), "{text}");
}

#[test]
fn a_hello_that_is_cut_is_refused_at_each_byte_and_names_its_field() {
    let bytes = payload_of(&hello());
    for end in 0..bytes.len() {
        let error = Hello::decode(&bytes[..end]).unwrap_err();
        assert!(matches!(error, Error::Wire(wire::Error::Cut { .. })), "{end} bytes: {error}");
    }
}

#[test]
fn a_channel_name_has_twenty_bytes_at_most() {
    let with = |length: usize| Hello { channel: "C".repeat(length), ..hello() };
    assert_eq!(Hello::decode(&payload_of(&with(20))), Ok(with(20)));
    let error = Hello::decode(&payload_of(&with(21))).unwrap_err();
    assert_eq!(error, Error::TooLong { what: "channel name", length: 21, length_max: 20 });
}

#[test]
fn the_longest_hello_and_welcome_fit_a_frame_before_agreement() {
    let long = "x".repeat(300);
    let all = || Compression::ALL.into_iter().cycle().take(99).collect::<Compressions>();
    let hello = Hello {
        application: long.clone(),
        user: long.clone(),
        queue_manager: long.clone(),
        channel: long.clone(),
        body_compressions: all(),
        head_compressions: all(),
        ..hello()
    };
    let mut bytes = Vec::new();
    hello.encode(&mut bytes);
    assert!(Frame::decode(&bytes, frame::LOGIN_FRAME_BYTES_MAX).unwrap().is_some());
    bytes.clear();
    let addresses = vec![long.clone(); 99];
    Welcome { queue_manager: long.clone(), product: long, addresses, ..welcome() }.encode(&mut bytes);
    let frame = Frame::decode(&bytes, frame::LOGIN_FRAME_BYTES_MAX).unwrap().unwrap();
    assert_eq!(Welcome::decode(frame.payload).unwrap().addresses.len(), ADDRESSES_MAX);
}

#[test]
fn a_list_longer_than_its_bound_is_refused() {
    let mut bytes = payload_of(&Hello { head_compressions: Compressions::default(), ..hello() });
    bytes.pop();
    bytes.extend_from_slice(&[17; 18]);
    let what = "compressions of heads";
    assert_eq!(Hello::decode(&bytes), Err(Error::TooLong { what, length: 17, length_max: COMPRESSIONS_MAX }));
    let mut bytes = payload(1 << 20, |out| Welcome { addresses: Vec::new(), ..welcome() }.encode(out));
    // The list and the offers behind it.
    bytes.truncate(bytes.len() - 5);
    bytes.extend_from_slice(&[9; 200]);
    let what = "list of addresses";
    assert_eq!(Welcome::decode(&bytes), Err(Error::TooLong { what, length: 9, length_max: ADDRESSES_MAX }));
}

#[test]
fn a_welcome_of_an_earlier_release_offers_nothing() {
    let bytes = payload(1 << 20, |out| welcome().encode(out));
    let earlier = &bytes[..bytes.len() - 4];
    assert_eq!(Welcome::decode(earlier), Ok(Welcome { offers: Offers::NONE, ..welcome() }));
    assert_eq!(Welcome::decode(&bytes).unwrap().offers, Offers::BRANCHES);
}

#[test]
fn the_first_compression_of_the_caller_that_the_other_has_is_agreed() {
    use Compression::{Lz4Fast, Rle, ZlibFast, ZlibHigh};
    let list = |ways: &[Compression]| ways.iter().copied().collect::<Compressions>();
    for (callers, others, agreed) in [
        (&[Lz4Fast, Rle][..], &[Rle, Lz4Fast][..], Some(Lz4Fast)),
        (&[ZlibHigh, Rle], &[ZlibFast, Rle], Some(Rle)),
        (&[ZlibHigh], &[ZlibFast], None),
        (&[], &[ZlibFast], None),
        (&[Rle], &[], None),
    ] {
        assert_eq!(list(callers).agreed(&list(others)), agreed, "{callers:?} and {others:?}");
    }
    for way in Compression::ALL {
        assert_eq!(Compression::of_number(way.number()), Some(way));
    }
}

#[test]
fn a_compression_of_a_later_release_is_skipped_in_a_hello_and_refused_in_a_welcome() {
    let mut bytes = payload_of(&hello());
    let lz4_fast = bytes.len() - 4;
    assert_eq!(bytes[lz4_fast], Compression::Lz4Fast.number());
    bytes[lz4_fast] = 64;
    let expected = Hello { body_compressions: [Compression::Rle].into_iter().collect(), ..hello() };
    assert_eq!(Hello::decode(&bytes), Ok(expected));
    let mut bytes = payload(1 << 20, |out| welcome().encode(out));
    assert_eq!(bytes[20], Compression::ZlibHigh.number());
    bytes[20] = 64;
    assert!(matches!(Welcome::decode(&bytes), Err(Error::Wire(wire::Error::Field { .. }))));
}

#[test]
fn the_tighter_limit_is_agreed() {
    let ours = Limits { heartbeat_milliseconds: 0, message_bytes_max: 10, ..Limits::default() };
    let agreed = ours.agreed(Limits::default());
    assert_eq!((agreed.heartbeat(), agreed.message_bytes_max), (None, 10));
    let ours = Limits { heartbeat_milliseconds: 250, ..Limits::default() };
    assert_eq!(ours.agreed(Limits::default()).heartbeat(), Some(std::time::Duration::from_millis(250)));
}
