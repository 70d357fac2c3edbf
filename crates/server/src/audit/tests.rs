use super::*;
use mqi::Reason;
use platform::WallTime;
use queue_manager::{Identity, Principal};
use security::authority::{ObjectType, Set};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

fn refusal(id: u64) -> Refusal {
    refusal_of("ad\"a", id)
}

fn refusal_of(user: &str, id: u64) -> Refusal {
    Refusal {
        id,
        at: WallTime(0),
        user: Principal::new(user, Identity::Proved).unwrap(),
        object: "queue PAY.IN".to_owned(),
        options: "MQOPEN 0x10".to_owned(),
        reason: Reason::NOT_AUTHORIZED,
        explanation: Some(Explanation {
            user: "ada".to_owned(),
            groups: vec!["staff".into()],
            object_type: ObjectType::Queue,
            name: "PAY.IN".to_owned(),
            needed: Set::PUT,
            had: Set::EMPTY,
            deciding: None,
            remedy: Some("SET AUTHREC".to_owned()),
        }),
        login: None,
    }
}

fn open(folder: &Path) -> Audit {
    Audit::open(folder, errors(folder), false).unwrap()
}

fn errors(folder: &Path) -> ErrorLog {
    let beside = folder.with_file_name("errors");
    ErrorLog::open(&beside, "QM1", &crate::Configuration::default().errors, None).unwrap()
}

fn writer(folder: &Path, is_begun: bool) -> Writer {
    Writer {
        folder: folder.to_owned(),
        file: None,
        untold: 0,
        is_begun,
        kept: Kept(Arc::new(AtomicBool::new(false))),
        errors: errors(folder),
        sources: Arc::default(),
    }
}

#[test]
fn letters_that_turn_a_line_or_end_it_are_escapes_and_read_back_as_they_were() {
    let value = json!({"user": "x\u{2028}y\u{202e}z\u{9b}\n\u{1b}größe"});
    let text = value.to_string();
    let safe = harmless_json(&text);
    assert!(!safe.contains(harmless::is_harmful), "{safe}");
    assert!(safe.contains("\\u2028") && safe.contains("größe"), "{safe}");
    assert_eq!(serde_json::from_str::<Value>(&safe).unwrap(), value);
    assert!(matches!(harmless_json("{\"user\":\"ada\"}"), Cow::Borrowed(_)));
}

#[test]
fn a_refusal_is_one_line_that_its_owner_alone_reads_and_that_is_found_by_its_number() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("audit");
    assert_eq!(find(&folder, "AB").unwrap(), None);
    let audit = open(&folder);
    for id in [0xAB << 32, 0xCD << 32] {
        assert_eq!(audit.note(&refusal(id)), None);
    }
    drop(audit);
    let path = folder.join("audit.log");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let Found { record: found, is_counted, counted } =
        find(&folder, "000000ab00000000").unwrap().expect("it is there");
    assert_eq!((&found["user"], &found["reason"]), (&json!("ad\"a"), &json!(2035)));
    assert_eq!(found["judged"]["needed"], "PUT");
    assert_eq!((is_counted, counted), (false, 0));
    for none in ["000000EF00000000", "", "\"", "zz", "0000000000000000000"] {
        assert_eq!(find(&folder, none).unwrap(), None, "{none}");
    }
    // A later run goes on behind it.
    let audit = open(&folder);
    audit.note(&refusal(1));
    drop(audit);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
}

#[test]
fn the_last_refusals_are_those_of_the_newest_files_in_their_order() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("audit");
    let all = |most| Choice { is_wanted: &|_| true, most, of_source: None };
    assert_eq!(last(&folder, &all(3)).unwrap().refusals, [] as [Value; 0]);
    fs::create_dir(&folder).unwrap();
    for (file, text) in [
        ("audit.2.log", "{\"id\":\"1\"}\n"),
        ("audit.1.log", "{\"id\":\"2\"}\n{\"lost\":7}\n{\"id\":\"3\"}\n"),
        ("audit.log", "{\"id\":\"4\"}\n{\"id\":\"to\u{ff}rn"),
    ] {
        fs::write(folder.join(file), text).unwrap();
    }
    for (most, expected) in
        [(0, vec![]), (1, vec!["4"]), (3, vec!["2", "3", "4"]), (9, vec!["1", "2", "3", "4"])]
    {
        let found = last(&folder, &all(most)).unwrap();
        assert!(found.left.is_empty() && !found.has_others);
        let ids: Vec<&str> = found.refusals.iter().filter_map(|line| line["id"].as_str()).collect();
        assert_eq!(ids, expected);
    }
}

#[test]
fn a_list_of_refusals_has_a_few_of_each_source_and_the_number_of_the_rest() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("audit");
    fs::create_dir(&folder).unwrap();
    let line = |id: &str, user: &str, source: &str| {
        format!("{}\n", json!({"id": id, "user": user, "source": source}))
    };
    let eve = |id: u32| line(&format!("e{id}"), "eve", "user eve at this machine");
    let mut older = line("a1", "ada", "user ada at this machine") + &line("x1", "x\u{1b}", "10.0.0.9");
    (0..50).for_each(|id| older += &eve(id));
    let mut newer = line("a2", "ada", "10.0.0.9");
    (50..100).for_each(|id| newer += &eve(id));
    newer += "{\"counted\":9000,\"with\":\"e99\",\"source\":\"user eve at this machine\"}\n{\"id\":\"cut";
    fs::write(folder.join("audit.1.log"), older).unwrap();
    fs::write(folder.join("audit.log"), newer).unwrap();
    let ids = |listing: &Listing| -> String {
        let ids: Vec<&str> = listing.refusals.iter().filter_map(|line| line["id"].as_str()).collect();
        ids.join(" ")
    };
    let choice = Choice { is_wanted: &|_| true, most: 20, of_source: Some(3) };
    let listing = last(&folder, &choice).unwrap();
    assert_eq!(ids(&listing), "a1 x1 a2 e97 e98 e99");
    assert_eq!(listing.left, [("user eve at this machine".to_owned(), 97)]);
    assert!(!listing.has_others);
    // Each source has one before another has a second, and more sources than have room are told.
    for (most, expected, left, has_others) in [
        (4, "a1 a2 e98 e99", 2, false),
        (3, "a1 a2 e99", 2, false),
        (2, "a2 e99", 2, true),
        (1, "e99", 1, true),
        (0, "", 0, true),
    ] {
        let listing = last(&folder, &Choice { most, ..choice }).unwrap();
        assert_eq!((ids(&listing).as_str(), listing.left.len()), (expected, left), "{most}");
        assert_eq!(listing.has_others, has_others, "{most}");
    }
    let of_ada = |line: &Value| line["user"] == "ada";
    let listing = last(&folder, &Choice { is_wanted: &of_ada, most: 1, of_source: None }).unwrap();
    assert_eq!(ids(&listing), "a2", "the last one, though another source made fifty behind it");
}

#[test]
fn a_flood_of_one_source_leaves_the_records_of_others_and_is_counted_with_its_like() {
    const FLOOD: u64 = 260_000;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("audit");
    let audit = open(&folder);
    let began = Instant::now();
    // Numbers are random, so that those of two records differ in their upper bits.
    let number = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    assert_eq!(audit.note(&refusal_of("ada", number(FLOOD + 1))), None);
    let mut counted = Vec::new();
    for one in 0..FLOOD {
        let refused = Refusal { object: format!("queue Q{one}"), ..refusal_of("eve", number(one)) };
        counted.extend(audit.note(&refused));
        // The other two come while the flood goes on.
        if one == FLOOD / 2 {
            assert_eq!(audit.note(&refusal_of("bob", number(FLOOD + 2))), None);
        }
    }
    drop(audit);
    let seconds = began.elapsed().as_secs() + 2;
    for (user, id) in [("ada", FLOOD + 1), ("bob", FLOOD + 2)] {
        let found = find(&folder, &shown_id(number(id))).unwrap().expect("it is there");
        assert_eq!((found.record["user"].as_str(), found.is_counted), (Some(user), false));
    }
    let text = fs::read_to_string(folder.join("audit.log")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_eve = lines.iter().filter(|line| line["user"] == "eve").count() as u64;
    let told: u64 = lines.iter().filter_map(|line| line["counted"].as_u64()).sum();
    assert!(of_eve <= 10 * seconds && !lines.iter().any(|line| line["lost"].is_u64()), "{of_eve}");
    assert_eq!((of_eve + told, told), (FLOOD, counted.len() as u64), "each is recorded or counted");
    for id in [counted[0], counted[counted.len() / 2], counted[counted.len() - 1]] {
        let found = find(&folder, &shown_id(id)).unwrap().expect("its like is there");
        assert_eq!((found.record["user"].as_str(), found.is_counted), (Some("eve"), true));
    }
    // A line tells of all that were counted since the one before, with the last record.
    let last = find(&folder, &shown_id(counted[counted.len() - 1])).unwrap().expect("its like is there");
    assert!(last.counted > 0, "{last:?}");
    assert_eq!(find(&folder, &shown_id(number(FLOOD + 3))).unwrap(), None);
}

#[test]
fn a_start_gives_no_source_another_share_of_the_files() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("audit");
    fs::create_dir(&folder).unwrap();
    let line = |bytes: usize| {
        format!("{}\n", json!({"id": "1", "source": "user eve at this machine", "object": "x".repeat(bytes)}))
    };
    let half = line(usize::try_from(sources::SHARE_BYTES_MAX).unwrap() / 2);
    for file in ["audit.1.log", "audit.4.log"] {
        fs::write(folder.join(file), &half).unwrap();
    }
    let writer = writer(&folder, true);
    writer.count_files();
    let take = |user: &str, id| {
        let mut sources = writer.sources.lock();
        sources.take(Source::of(&refusal_of(user, id)), id, Instant::now()) == Treatment::Recorded
    };
    assert!(take("eve", 1), "there is one that others are counted with");
    assert!(!take("eve", 2));
    assert!(take("ada", 3) && take("ada", 4));
}

#[test]
fn a_disk_that_takes_no_line_stops_nothing_and_the_next_line_tells_how_many_are_missing() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("audit");
    // Where a file is, no folder is made: each write is refused, as on a full disk.
    fs::write(&folder, "").unwrap();
    let audit = open(&folder);
    for id in 1..=3 {
        audit.note(&refusal(id));
    }
    let until = Instant::now() + Duration::from_secs(10);
    let mut id = 3;
    while !folder.join("audit.log").exists() {
        assert!(Instant::now() < until, "it is never written again");
        std::thread::sleep(Duration::from_millis(50));
        if folder.is_file() {
            fs::remove_file(&folder).unwrap();
        }
        id += 1;
        audit.note(&refusal(id));
    }
    drop(audit);
    let text = fs::read_to_string(folder.join("audit.log")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lost: u64 = lines.iter().filter_map(|line| line["lost"].as_u64()).sum();
    let told = lines.iter().filter(|line| line["id"].is_string()).count() as u64;
    let counted: u64 = lines.iter().filter_map(|line| line["counted"].as_u64()).sum();
    assert!(lost >= 3, "{text}");
    assert_eq!(lost + told + counted, id, "each is told, or told to be missing: {text}");
}

#[test]
fn a_required_record_is_not_kept_from_the_first_line_that_fails_to_the_next_that_is_written() {
    let place = tempfile::tempdir().unwrap();
    let (folder, full) = (place.path().join("audit"), place.path().join("full"));
    fs::create_dir(&full).unwrap();
    std::os::unix::fs::symlink("/dev/full", full.join("audit.log")).unwrap();
    let mut writer = writer(&folder, false);
    writer.write_all(&VecDeque::new());
    assert!(writer.kept.holds(), "before any refusal");
    writer.file = Some(Rotating::open(&full, STEM, FILE_BYTES_MAX, FILES).unwrap());
    writer.write_all(&VecDeque::from([refusal(1), refusal(2)]));
    assert!(!writer.kept.holds());
    writer.write_all(&VecDeque::new());
    assert!(writer.kept.holds(), "it is tried again though nothing comes");
    let text = fs::read_to_string(folder.join("audit.log")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() == 2 && lines[0]["begun"].is_string() && lines[1]["lost"] == 2, "{text}");
}
