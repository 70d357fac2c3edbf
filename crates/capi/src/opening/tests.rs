use super::{Asked, Identity, open, over_the_network, reconnection};
use crate::connections::Reach;
use crate::places::choice::{OfProgram, Settings, Wanted};
use mqi::{
    AccountingChoice, Binding, Characters, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor,
    OpenOptions, Opened, PutFlags, PutOptions, Reason, Reconnect, StatusType, Verbs, Wait,
};
use server::{DataDirectory, Mode, Server, instances};
use std::path::Path;

/// A queue manager with a queue A.
fn started(directory: &Path, name: &str) -> Server {
    let data = DataDirectory::at(directory);
    let name = name.parse().unwrap();
    let settings = "[log]\nextent_size = \"32 MiB\"\nprimary_extents = 3\n";
    instances::create(&data, &name, Some(settings)).unwrap();
    let options = server::Options {
        addresses: Some(vec![([127, 0, 0, 1], 0).into()]),
        ..server::Options::new(data, name)
    };
    let server = Server::start(&options).unwrap();
    let address = server.address().unwrap().to_string().parse().unwrap();
    let mut connection = client::Connection::connect(client::Options::to(address)).unwrap();
    assert!(!connection.command("DEFINE QLOCAL(A)").unwrap().failed);
    for channel in ["A", "B", "C"] {
        let defined = connection.command(&format!("DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN)"));
        assert!(!defined.unwrap().failed);
    }
    server
}

/// The request of a program that finds these entries in its table: their name, port and cipher.
fn asked(directory: &Path, group: &str, wanted: &str, entries: &[(&str, u16, &str)]) -> Asked {
    let entries = entries.iter().map(|(name, port, cipher)| {
        format!(
            r#"{{"name":"{name}","type":"clientConnection",
               "clientConnection":{{"connection":[{{"host":"127.0.0.1","port":{port}}}],"queueManager":"{group}"}},
               "transmissionSecurity":{{"cipherSpecification":"{cipher}"}}}}"#
        )
    });
    let path = directory.join("ccdt.json");
    std::fs::write(&path, format!(r#"{{"channel":[{}]}}"#, entries.collect::<Vec<_>>().join(","))).unwrap();
    Asked {
        wanted: Wanted::read(wanted),
        binding: Binding::Client,
        reconnect: Reconnect::AnyQueueManager,
        application: String::new(),
        identity: Identity::OfProcess,
        accounting: AccountingChoice::default(),
        shares_socket: true,
        of_program: Ok(OfProgram {
            channel: None,
            table_url: Some(path.display().to_string()),
            ..OfProgram::default()
        }),
    }
}

fn put(connection: &mut Reach) -> Result<(), Reason> {
    let queue = ObjectDescriptor::queue("A".parse().unwrap());
    let Opened { handle, .. } = connection.open(&queue, OpenOptions::OUTPUT)?;
    connection.put(handle, &mut MessageDescriptor::default(), &mut PutOptions::default(), "x".into())
}

fn end(server: Server) {
    server.stop(Mode::Preemptive);
    server.wait();
}

#[test]
fn a_program_of_a_group_goes_on_at_another_entry_of_its_name_blank_and_asterisk_too() {
    for (group, wanted) in [("G", "*G"), ("", "*"), ("", "")] {
        let directory = tempfile::tempdir().unwrap();
        let first = started(&directory.path().join("1"), "QM1");
        let second = started(&directory.path().join("2"), "QM2");
        let [one, two] = [&first, &second].map(|server| server.address().unwrap().port());
        let entries = [("A", one, ""), ("B", two, "TLS"), ("C", two, "")];
        let mut connection = open(&asked(directory.path(), group, wanted, &entries)).unwrap();
        assert_eq!(put(&mut connection), Ok(()));
        end(first);
        assert_eq!(put(&mut connection), Ok(()), "{wanted:?}");
        drop(connection);
        end(second);
    }
}

/// One queue manager, and what a program asks for that finds it in its table.
struct Alone {
    _directory: tempfile::TempDir,
    server: Option<Server>,
    asked: Asked,
}

impl Alone {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let server = started(&directory.path().join("1"), "QM1");
        let port = server.address().unwrap().port();
        let asked = asked(directory.path(), "", "", &[("A", port, "")]);
        Self { _directory: directory, server: Some(server), asked }
    }

    fn connect(&self, settings: &Settings) -> Reach {
        over_the_network(&self.asked, settings).unwrap()
    }

    fn command(&self, text: &str) -> String {
        let address = self.server.as_ref().unwrap().address().unwrap().to_string().parse().unwrap();
        client::Connection::connect(client::Options::to(address)).unwrap().command(text).unwrap().text
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            end(server);
        }
    }
}

#[test]
fn the_character_set_of_the_environment_or_the_file_is_that_of_the_program() {
    let alone = Alone::new();
    let mut settings = Settings::default();
    settings.file.ccsid = Some(500);
    settings.environment.ccsid = Some("850".into());
    let mut connection = alone.connect(&settings);
    let queue = ObjectDescriptor::queue("A".parse().unwrap());
    let handle = connection.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED).unwrap().handle;
    // An e with an acute accent is 130 there.
    let mut put = MessageDescriptor { format: mqi::Text::truncated("MQSTR"), ..MessageDescriptor::default() };
    connection.put(handle, &mut put, &mut PutOptions::default(), vec![130].into()).unwrap();
    assert_eq!(put.coded_character_set, 850, "the program is told");
    let mut get = |set: i32| {
        let mut descriptor = MessageDescriptor { coded_character_set: set, ..MessageDescriptor::default() };
        let mut options = GetOptions::with(GetFlags::CONVERT | GetFlags::BROWSE_FIRST, Wait::No);
        let browser = connection.open(&queue, OpenOptions::BROWSE).unwrap().handle;
        let got = connection.get(browser, &mut descriptor, &mut options, 100).unwrap();
        (got.body.to_vec(), descriptor.coded_character_set)
    };
    assert_eq!(get(1208), ("\u{e9}".as_bytes().to_vec(), 1208));
    assert_eq!(get(0), (vec![130], 850));
    let converted = connection.convert_characters(0, Characters { ccsid: 0, bytes: &[130] }, 1208, 10);
    assert_eq!(converted.unwrap(), "\u{e9}".as_bytes());
    settings.environment.ccsid = Some("none".into());
    assert_eq!(over_the_network(&alone.asked, &settings).err(), Some(Reason::CHANNEL_CONFIG_ERROR));
}

#[test]
fn the_name_of_the_environment_is_shown_for_a_program_that_gives_none() {
    let alone = Alone::new();
    let mut settings = Settings::default();
    settings.environment.application = Some("of environment".into());
    let shown = "DISPLAY CONN(*) WHERE(APPLTAG EQ 'of environment') APPLTAG";
    let _connection = alone.connect(&settings);
    assert!(alone.command(shown).contains("of environment"));
    let asked = Asked { application: "of program".into(), ..alone.asked.clone() };
    let _other = over_the_network(&asked, &settings).unwrap();
    assert!(alone.command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'of program') APPLTAG").contains("of program"));
}

#[test]
fn a_put_by_name_in_a_unit_of_work_waits_for_its_outcome_unless_the_file_says_no() {
    let alone = Alone::new();
    alone.command("ALTER QLOCAL(A) PUT(DISABLED)");
    let queue = ObjectDescriptor::queue("A".parse().unwrap());
    let put = |waits: Option<bool>, flags: PutFlags| {
        let mut settings = Settings::default();
        settings.file.put1_waits = waits;
        let mut connection = alone.connect(&settings);
        let mut options = PutOptions::with(flags);
        let put = connection.put1(&queue, &mut MessageDescriptor::default(), &mut options, "x".into());
        (put, connection.stat(StatusType::AsyncError).unwrap().put_failure_count)
    };
    let refused = (Err(Reason::PUT_INHIBITED), 0);
    assert_eq!(put(None, PutFlags::SYNCPOINT), refused);
    assert_eq!(put(Some(true), PutFlags::SYNCPOINT), refused);
    assert_eq!(put(Some(false), PutFlags::SYNCPOINT), (Ok(()), 1));
    assert_eq!(put(Some(false), PutFlags::NO_SYNCPOINT), refused);
    assert_eq!(put(Some(false), PutFlags::SYNCPOINT | PutFlags::SYNC_RESPONSE), refused);
}

#[test]
fn the_file_comes_before_the_channel_and_either_forbids_what_a_program_asks_for() {
    let (no, yes, same, never) =
        (Reconnect::AsDefault, Reconnect::AnyQueueManager, Reconnect::SameQueueManager, Reconnect::Disabled);
    // A default, and the outcome of RECONNECT_AS_DEF, RECONNECT, RECONNECT_Q_MGR and RECONNECT_DISABLED.
    let rows = [
        (no, [no, yes, same, never]),
        (yes, [yes, yes, same, never]),
        (same, [same, yes, same, never]),
        (never, [never; 4]),
    ];
    for (default, expected) in rows {
        for (program, expected) in [no, yes, same, never].into_iter().zip(expected) {
            let told = format!("{program:?} by default {default:?}");
            assert_eq!(reconnection(program, default, None), expected, "{told} of the channel");
            for channel in [no, yes, same, never] {
                let found = reconnection(program, channel, Some(default));
                assert_eq!(found, expected, "{told} of the file before {channel:?} of the channel");
            }
        }
    }
}

#[test]
fn a_program_that_asks_for_it_does_not_connect_again_where_the_file_or_the_channel_forbids_it() {
    for (of_file, of_channel, goes_on) in
        [(None, "no", true), (Some(Reconnect::Disabled), "no", false), (None, "disabled", false)]
    {
        let directory = tempfile::tempdir().unwrap();
        let [first, second] = ["1", "2"].map(|place| started(&directory.path().join(place), "QM1"));
        let [one, two] = [&first, &second].map(|server| server.address().unwrap().port());
        let asked = asked(directory.path(), "", "", &[("A", one, ""), ("B", two, "")]);
        let table = directory.path().join("ccdt.json");
        let text = std::fs::read_to_string(&table).unwrap();
        let management = format!(r#""connectionManagement":{{"defaultReconnect":"{of_channel}"}},"#);
        let text = text.replace(r#""type":"#, &format!(r#"{management}"type":"#));
        std::fs::write(&table, text).unwrap();
        let mut settings = Settings::default();
        settings.file.reconnect = of_file;
        let mut connection = over_the_network(&asked, &settings).unwrap();
        assert_eq!(put(&mut connection), Ok(()));
        end(first);
        let expected = if goes_on { Ok(()) } else { Err(Reason::CONNECTION_BROKEN) };
        assert_eq!(put(&mut connection), expected, "file {of_file:?}, channel {of_channel}");
        drop(connection);
        end(second);
    }
}

#[test]
fn nothing_comes_ahead_of_a_program_whose_file_allows_no_room_for_it() {
    let alone = Alone::new();
    let queue = ObjectDescriptor::queue("A".parse().unwrap());
    let mut putter = alone.connect(&Settings::default());
    let depth = |read_ahead_bytes: Option<u32>| {
        for _ in 0..3 {
            put(&mut putter).unwrap();
        }
        let mut settings = Settings::default();
        settings.file.read_ahead_bytes = read_ahead_bytes;
        let mut connection = alone.connect(&settings);
        let input = OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD;
        let handle = connection.open(&queue, input).unwrap().handle;
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(5_000));
        connection.get(handle, &mut MessageDescriptor::default(), &mut options, 100).unwrap();
        let shown = alone.command("DISPLAY QLOCAL(A) CURDEPTH");
        alone.command("CLEAR QLOCAL(A)");
        shown.contains("CURDEPTH(2)")
    };
    let mut depth = depth;
    assert!(!depth(None), "they came ahead");
    assert!(depth(Some(0)));
}
