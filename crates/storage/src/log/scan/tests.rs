use platform::World;
use platform::simulated::Machine;

use super::*;
use crate::checksum::Secret;

const CHAIN: Chain = Chain { index: 0, previous: 0, epoch: 1, nonce: 11, last_at: 0, before: 0 };

fn known(identity: Seed, chain: Chain) -> Known {
    Known { identity, first: 0, chain, reflects: 0, nonce: None }
}

fn header(at: u64, index: u64, kind: Kind) -> Header {
    Header {
        at,
        epoch: CHAIN.epoch,
        records: 1,
        index,
        used: 32,
        previous: 0,
        durable: DATA_OFFSET,
        restates: 0,
        nonce: CHAIN.nonce,
        kind,
    }
}

#[test]
fn a_torn_block_that_says_one_again_hides_nothing_that_follows_it() {
    let world: World = Machine::new(1).world();
    let identity = Seed::of_queue_manager(&[1; 16], Secret(1));
    world.disk.create_directory(std::path::Path::new("log")).unwrap();
    let extent = Extent::create(&*world.disk, &[1; 16], 0, 64 << 10).unwrap();
    let page = BLOCK_ALIGNMENT as u64;
    // Nothing where the first block was; after it only headers, whose records did not get through.
    let again = Header { restates: DATA_OFFSET, ..header(DATA_OFFSET + page, 1, Kind::Restates) };
    let durable = DATA_OFFSET + 2 * page;
    let witness = Header { durable, ..header(durable, 2, Kind::Ordinary) };
    let seeds = Seeds { identity, epoch: Seed::of_nonce(CHAIN.nonce) };
    for header in [again, witness] {
        extent.file.write_at(&header.encode(seeds).0, header.at).unwrap();
    }
    let extents = Extents::from([(0, Arc::new(extent))]);
    let refused = scan(&extents, &known(identity, CHAIN)).unwrap_err().to_string();
    assert!(refused.contains("says that the log was durable"), "{refused}");
}

/// Headers and records whose checksums are right, and whose numbers are as large as can be.
#[test]
fn no_number_in_a_block_makes_the_end_of_the_log_panic() {
    let world: World = Machine::new(1).world();
    let identity = Seed::of_queue_manager(&[1; 16], Secret(1));
    world.disk.create_directory(std::path::Path::new("log")).unwrap();
    let extent = Arc::new(Extent::create(&*world.disk, &[1; 16], 0, 64 << 10).unwrap());
    let extents = Extents::from([(0, Arc::clone(&extent))]);
    let seeds = Seeds { identity, epoch: Seed::of_nonce(CHAIN.nonce) };
    let (at, page) = (DATA_OFFSET, BLOCK_ALIGNMENT as u64);
    let write = |header: Header, seed: Seed, base: u64, number: u32| {
        let entry = match header.kind {
            Kind::Epoch => Entry::Epoch(record::Epoch { number, nonce: 5, began_at: 0 }),
            _ => Entry::Fragment(b"16 bytes of body"),
        };
        let mut bytes = Vec::new();
        record::encode(&entry, &mut bytes);
        record::seal(&mut bytes, seed, Lsn(base.wrapping_add(HEADER_BYTES as u64)));
        extent.file.write_at(&header.encode(seeds).0, header.at).unwrap();
        extent.file.write_at(&bytes, header.at + HEADER_BYTES as u64).unwrap();
    };
    let most = |least: u64| [0, least, u64::MAX - page, u64::MAX - 64, u64::MAX];
    for kind in [Kind::Ordinary, Kind::Epoch, Kind::Restates] {
        for (field, number) in (0..6).flat_map(|field| most(at).map(|number| (field, number))) {
            for position in [at, at + page] {
                let mut forged = Header { used: 48, restates: at, ..header(position, 1, kind) };
                match field {
                    0 => forged.index = number,
                    1 => forged.durable = number,
                    2 => forged.restates = number,
                    3 => forged.used = number as u32,
                    4 => forged.records = number as u32,
                    _ => forged.epoch = number as u32,
                }
                let (seed, base) = match kind {
                    Kind::Ordinary => (seeds.epoch, position),
                    Kind::Epoch => (identity, position),
                    Kind::Restates => (seeds.epoch, forged.restates),
                };
                write(forged, seed, base, forged.epoch);
                let last = Chain { index: u64::MAX >> 4, ..CHAIN };
                for chain in [CHAIN, last] {
                    if let Ok(scan) = scan(&extents, &known(identity, chain)) {
                        assert!(scan.end <= extent.end() && scan.proven <= scan.end, "{forged:?}");
                    }
                }
                extent.file.write_at(&[0; 512], position).unwrap();
            }
        }
    }
}
