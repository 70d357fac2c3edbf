use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::record::{Body, Branch, ChannelBatch};
use crate::{Copies, CopiesWriter, NewCopy};

fn encoded(entry: &Entry<'_>, at: Lsn) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(entry, &mut bytes);
    assert_eq!(bytes.len(), entry_length(entry));
    seal(&mut bytes, Seed::of_nonce(5), at);
    bytes
}

fn comes_back(entry: &Entry<'_>) {
    let bytes = encoded(entry, Lsn(4160));
    assert!(verifies(&bytes, Seed::of_nonce(5), Lsn(4160)));
    assert!(!verifies(&bytes, Seed::of_nonce(5), Lsn(4168)));
    assert!(!verifies(&bytes, Seed::of_nonce(6), Lsn(4160)));
    assert_eq!(decode(&bytes, &mut Lists::default()).as_ref(), Some(entry));
}

fn unit() -> impl Strategy<Value = Option<UnitId>> {
    proptest::option::of((any::<u32>(), any::<u64>()).prop_map(|(epoch, counter)| UnitId { epoch, counter }))
}

prop_compose! {
    fn group()(flags: u8, sequence_number: i32, offset: i32, length: i32, feedback: i32) -> GroupHead {
        match flags {
            0 => GroupHead::default(),
            flags => GroupHead { flags, sequence_number, offset, length, feedback },
        }
    }
}

prop_compose! {
    fn head()(
        queue: u64, sequence: u64, priority in 0u8..10, reports: u8, expires_at: i64,
        message_id: [u8; 24], correlation_id: [u8; 24], group_id: [u8; 24], group in group(), deliver_at: i64,
    ) -> MessageHead {
        let (queue, sequence) = (ObjectId(queue), Sequence(sequence));
        MessageHead {
            queue, sequence, priority, reports, expires_at, message_id, correlation_id, group_id, group, deliver_at,
        }
    }
}

proptest! {
    #[test]
    fn puts_come_back(
        unit in unit(), head in head(), descriptor in vec(any::<u8>(), 0..300), body in vec(any::<u8>(), 0..3000),
        at in vec(any::<u64>(), 0..20), length: u64,
    ) {
        let inline = Body::Inline(&body);
        comes_back(&Entry::Engine(Record::Put { unit, head, descriptor: &descriptor, body: inline }));
        let at: Vec<_> = at.into_iter().map(Lsn).collect();
        let body = Body::Fragments { at: &at, length };
        comes_back(&Entry::Engine(Record::Put { unit, head, descriptor: &descriptor, body }));
    }

    #[test]
    fn messages_put_together_come_back(unit in unit(), queues in vec(any::<u64>(), 1..20), body in vec(any::<u8>(), 0..200)) {
        let mut writer = CopiesWriter::default();
        for queue in queues {
            let head = MessageHead {
                queue: ObjectId(queue),
                sequence: Sequence(1),
                priority: 0,
                reports: 0,
                expires_at: 0,
                message_id: [1; 24],
                correlation_id: [2; 24],
                group_id: [3; 24],
                group: GroupHead::default(),
                deliver_at: 9,
            };
            writer.add(&NewCopy { head: &head, descriptor: b"descriptor", beginning: b"own", has_end: true });
        }
        let content = writer.finish(Body::Inline(&body));
        let copies = Copies::read(&content).expect("what was written is read");
        comes_back(&Entry::Engine(Record::PutMany { unit, copies }));
    }

    #[test]
    fn other_records_come_back(
        unit in unit(), object: u64, sequences in vec(any::<u64>(), 0..50), records: u32, first: u64,
        instance: [u8; 16], number: u64, known: bool, bytes in vec(any::<u8>(), 0..500), nonce: u64, began_at: i64,
    ) {
        let queue = ObjectId(object);
        let sequences: Vec<_> = sequences.into_iter().map(Sequence).collect();
        let returned: Vec<_> = sequences.iter().map(|sequence| (queue, *sequence, records)).collect();
        let ended = unit.unwrap_or(UnitId { epoch: 1, counter: 2 });
        let client = known.then_some(Counterpart::Client(ClientCommit { instance, number }));
        let channel = ChannelCommit { sync_object: queue, chain: first, batch: number, sequence: records };
        let channel = Some(Counterpart::Channel(channel));
        for record in [
            Record::Get { unit, queue, sequence: Sequence(number) },
            Record::Remove { queue, sequences: &sequences },
            Record::Commit { unit: ended, records, first: Lsn(first), counterpart: client },
            Record::Commit { unit: ended, records, first: Lsn(first), counterpart: channel },
            Record::Backout { unit: ended, returned: &returned },
            Record::Define { object: queue, definition: &bytes },
            Record::Delete { object: queue },
        ] {
            comes_back(&Entry::Engine(record));
        }
        comes_back(&Entry::Fragment(&bytes));
        comes_back(&Entry::Epoch(Epoch { number: records, nonce, began_at }));
    }

    #[test]
    fn prepared_units_come_back(
        epoch: u32, counter: u64, records: u32, first: u64, sync_object: u64, batch: u64, first_sequence: u32,
        last_sequence: u32, chain: u64, prepared_at: i64, format: i32, global in vec(any::<u8>(), 0..=64),
        qualifier in vec(any::<u8>(), 0..=64), user in vec(any::<u8>(), 0..=64),
    ) {
        let sync_object = ObjectId(sync_object);
        let batch = ChannelBatch { sync_object, batch, first_sequence, last_sequence, chain };
        let branch = Branch { prepared_at, format, global: &global, qualifier: &qualifier, user: &user };
        for purpose in [PreparedFor::Channel(batch), PreparedFor::Branch(branch)] {
            let (unit, first) = (UnitId { epoch, counter }, Lsn(first));
            let entry = Entry::Engine(Record::Prepare { unit, records, first, purpose });
            comes_back(&entry);
            let whole = encoded(&entry, Lsn(1));
            for length in 0..whole.len() {
                let mut cut = whole[..length].to_vec();
                if length >= 4 {
                    cut[..4].copy_from_slice(&(length as u32).to_le_bytes());
                }
                let is_record = decode(&cut, &mut Lists::default()).is_some();
                prop_assert!(!is_record, "{} of {} bytes", length, whole.len());
            }
        }
    }

    #[test]
    fn a_changed_bit_of_a_put_is_one_of_its_body_or_damage(
        head in head(), descriptor in vec(any::<u8>(), 0..100), body in vec(any::<u8>(), 1..2000),
        places in vec(any::<prop::sample::Index>(), 1..4),
    ) {
        let put = Record::Put { unit: None, head, descriptor: &descriptor, body: Body::Inline(&body) };
        let whole = encoded(&Entry::Engine(put), Lsn(1));
        let first = whole.len() - body.len();
        let mut bytes = whole.clone();
        for place in places {
            let bit = place.index(whole.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        let seed = Seed::of_nonce(5);
        let wrong = |bytes: &[u8], from: &[u8]| -> u32 {
            bytes.iter().zip(from).map(|(one, other)| (one ^ other).count_ones()).sum()
        };
        let (in_head, in_body) = (wrong(&bytes[..first], &whole[..first]), wrong(&bytes[first..], &whole[first..]));
        prop_assert_eq!(verifies(&bytes, seed, Lsn(1)), in_head + in_body == 0);
        prop_assert_eq!(verifies_but_bodies(&bytes, seed, Lsn(1)), in_head == 0);
        prop_assert_eq!(is_but_for_a_bit(&bytes, seed, Lsn(1)), in_head == 0 && in_body <= 1);
    }

    #[test]
    fn a_changed_bit_of_a_piece_of_a_body_is_told_from_more(
        body in vec(any::<u8>(), 1..2000), places in vec(any::<prop::sample::Index>(), 1..3),
    ) {
        let whole = encoded(&Entry::Fragment(&body), Lsn(1));
        let mut bytes = whole.clone();
        for place in places {
            let bit = place.index(body.len() * 8);
            bytes[RECORD_HEADER_BYTES + bit / 8] ^= 1 << (bit % 8);
        }
        let wrong: u32 = bytes.iter().zip(&whole).map(|(one, other)| (one ^ other).count_ones()).sum();
        prop_assert_eq!(is_but_for_a_bit(&bytes, Seed::of_nonce(5), Lsn(1)), wrong <= 1);
    }

    #[test]
    fn a_changed_byte_is_noticed(body in vec(any::<u8>(), 0..200), place: prop::sample::Index, change in 1u8..) {
        let mut bytes = encoded(&Entry::Fragment(&body), Lsn(1));
        let place = place.index(bytes.len());
        bytes[place] ^= change;
        prop_assert!(!verifies(&bytes, Seed::of_nonce(5), Lsn(1)));
    }

    #[test]
    fn any_bytes_decode_to_something_or_nothing(mut bytes in vec(any::<u8>(), 0..400), honest: bool, kind in 0u8..13) {
        if honest && bytes.len() >= RECORD_HEADER_BYTES {
            let length = (bytes.len() as u32).to_le_bytes();
            bytes[0..4].copy_from_slice(&length);
            bytes[8] = kind;
        }
        let _ = decode(&bytes, &mut Lists::default());
        let _ = claimed_length(&bytes);
        let _ = verifies(&bytes, Seed::of_nonce(1), Lsn(0));
        let _ = is_but_for_a_bit(&bytes, Seed::of_nonce(1), Lsn(0));
        let _ = body_in(&bytes);
    }
}

/// The record of a put as versions before the checksums of bodies wrote it.
#[test]
fn a_put_of_an_earlier_version_is_read_and_not_believed_with_a_wrong_bit() {
    let head = MessageHead {
        queue: ObjectId(7),
        sequence: Sequence(3),
        priority: 4,
        reports: 0,
        expires_at: i64::MAX,
        message_id: [1; 24],
        correlation_id: [2; 24],
        group_id: [0; 24],
        group: GroupHead::default(),
        deliver_at: 0,
    };
    let body = Body::Inline(b"a body");
    let put = Entry::Engine(Record::Put { unit: None, head, descriptor: b"descriptor", body });
    let mut older = Vec::new();
    encode(&put, &mut older);
    older.drain(RECORD_HEADER_BYTES + PUT_HEAD_BYTES..RECORD_HEADER_BYTES + PUT_HEAD_BYTES + BODY_SUM_BYTES);
    older[9] = 0;
    let length = older.len() as u32;
    older[..4].copy_from_slice(&length.to_le_bytes());
    let (seed, at) = (Seed::of_nonce(5), Lsn(1));
    seal(&mut older, seed, at);
    assert!(verifies(&older, seed, at));
    assert_eq!(decode(&older, &mut Lists::default()), Some(put));
    assert_eq!(body_in(&older), Some(older.len() - 6..older.len()));
    let last = older.len() - 1;
    older[last] ^= 1;
    assert!(!verifies_but_bodies(&older, seed, at) && !is_but_for_a_bit(&older, seed, at));
}
