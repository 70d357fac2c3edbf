use super::{Asked, Identity, open};
use crate::connections::Reach;
use crate::places::choice::{OfProgram, Wanted};
use mqi::{
    AccountingChoice, Binding, MessageDescriptor, ObjectDescriptor, OpenOptions, Opened, PutOptions, Reason,
    Reconnect, Verbs,
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
    server
}

/// What a program asks for that finds these entries in its table: their name, port and cipher.
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
        of_program: OfProgram { channel: None, table_url: Some(path.display().to_string()) },
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
