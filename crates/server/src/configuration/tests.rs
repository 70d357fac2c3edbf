use std::path::Path;

use super::*;

fn faults(text: &str) -> String {
    Configuration::parse(text, Path::new("QM1/ferry.toml")).unwrap_err().to_string()
}

#[test]
fn an_empty_file_means_all_defaults() {
    let empty = Configuration::parse("", Path::new("ferry.toml")).unwrap();
    assert_eq!(empty, Configuration::default());
    assert_eq!(empty.log.extent_size, Bytes(64 << 20));
    assert_eq!(empty.listener.addresses.0, ["127.0.0.1:1414".parse().unwrap()]);
}

#[test]
fn what_a_file_has_twice_is_named_with_its_first_line() {
    for (text, expected) in [
        (
            "[http]\n# nothing\n\n[log]\n[ http ]\naddress = \"none\"\n",
            "line 5: the section [http] is there already, on line 1: write its settings into that one",
        ),
        (
            "[log]\nkind = \"linear\"\n[stop]\n[listener]\ntls = \"no\"\n  tls = \"required\"\n",
            "line 6: listener.tls is set already, on line 5: keep one of the two",
        ),
        ("a = 1\na = 2\n", "line 2: a is set already, on line 1: keep one of the two"),
        ("log.kind = 1\n[log]\n", "line 2: a section or setting is there twice: keep one of the two"),
    ] {
        assert_eq!(faults(text), format!("QM1/ferry.toml, {expected}"), "{text}");
    }
}

#[test]
fn a_file_is_not_read_further_than_makes_sense() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(FILE_NAME);
    let line = "# a comment of thirty-two bytes\n";
    std::fs::write(&path, line.repeat(FILE_BYTES_MAX / line.len())).unwrap();
    Configuration::read(&path).unwrap();
    std::fs::write(&path, line.repeat(FILE_BYTES_MAX / line.len() + 1)).unwrap();
    let refused = Configuration::read(&path).unwrap_err().to_string();
    assert!(
        refused.ends_with("ferry.toml: it has more than 1 MiB, which no file of settings has"),
        "{refused}"
    );
    std::fs::write(&path, b"[log]\n#\xE9\n").unwrap();
    let refused = Configuration::read(&path).unwrap_err().to_string();
    assert!(refused.ends_with("ferry.toml: its byte 8 is not UTF-8"), "{refused}");
}

#[test]
fn the_file_written_at_create_says_the_defaults() {
    let written = default_file("QM1");
    let as_written = Configuration::parse(&written, Path::new("ferry.toml")).unwrap();
    let uncommented: String = written
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(setting) if !setting.starts_with(' ') => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    assert_eq!(as_written, Configuration::default());
    assert_eq!(
        Configuration::parse(&uncommented, Path::new("ferry.toml")).unwrap(),
        Configuration::default()
    );
    let settings: usize = table::rows().iter().map(|section| section.settings.len()).sum();
    let set = uncommented.lines().filter(|line| !line.starts_with('#') && line.contains(" = ")).count();
    assert_eq!(set, settings);
}

#[test]
fn what_is_set_is_taken() {
    let text = r#"
        [log]
        extent_size = "16 MiB"
        kind = "linear"
        slow_io_microseconds = 0
        [memory]
        budget = 16777216
        [listener]
        addresses = ["localhost:1415", "[::1]:0"]
        local_socket = false
        [threads]
        reactors = 3
    "#;
    let configuration = Configuration::parse(text, Path::new("ferry.toml")).unwrap();
    let engine = configuration.engine("QM1".parse().unwrap());
    assert_eq!(engine.storage.extent_bytes, 16 << 20);
    assert_eq!(engine.storage.kind, storage::LogKind::Linear);
    assert_eq!(engine.storage.slow_io, None);
    assert_eq!(engine.memory_budget_bytes, 16 << 20);
    let addresses = ["127.0.0.1:1415".parse().unwrap(), "[::1]:0".parse().unwrap()];
    assert_eq!(configuration.listener.addresses.0, addresses);
    assert_eq!(configuration.reactors(2), 3);
    assert_eq!((Configuration::default().reactors(2), Configuration::default().reactors(16)), (1, 8));
}

#[test]
fn every_wrong_place_is_named_with_what_would_be_right() {
    let text = r#"
[log]
extent_sise = "64 MiB"
primary_extents = 1
kind = "round"
block_size_max = "65 KiB"
[memory]
budget = true
[limit]
connections_max = 5
[errors]
format = "xml"
unlike_any_other_name = 1
[threads]
reactors = "two"
spin = 1
"#;
    let expected = "\
QM1/ferry.toml, line 3: there is no setting log.extent_sise: did you mean extent_size?
QM1/ferry.toml, line 4: log.primary_extents = 1 is not right: it must be a number from 2 to 1024
QM1/ferry.toml, line 5: log.kind = \"round\" is not right: it must be one of \"circular\" \"linear\"
QM1/ferry.toml, line 6: log.block_size_max = \"65 KiB\" is not right: it must be a size from 64 KiB to 16 MiB in steps of 4 KiB
QM1/ferry.toml, line 8: memory.budget = true is not right: it must be \"auto\" or a size from 8 MiB to 1 TiB
QM1/ferry.toml, line 9: there is no section or setting limit: did you mean limits?
QM1/ferry.toml, line 12: errors.format = \"xml\" is not right: it must be one of \"text\" \"json\"
QM1/ferry.toml, line 13: there is no setting errors.unlike_any_other_name; the settings there are format, file_size_max, files, flood_max, slow_io_record, also, system_log
QM1/ferry.toml, line 15: threads.reactors = \"two\" is not right: it must be a number from 0 to 64
QM1/ferry.toml, line 16: threads.spin = 1 is not right: it must be true or false";
    assert_eq!(faults(text), expected);
}

#[test]
fn a_setting_outside_its_section_is_told_where_it_belongs() {
    let expected = "QM1/ferry.toml, line 1: there is no section or setting extent_size: it belongs into the section [log]";
    assert_eq!(faults("extent_size = 1"), expected);
    let expected = "QM1/ferry.toml, line 1: log is a section: write [log] on a line of its own";
    assert_eq!(faults("log = 1"), expected);
}

#[test]
fn what_is_not_toml_is_refused_with_its_line() {
    let text = faults("[log]\nextent_size = = 3\n");
    assert!(text.starts_with("QM1/ferry.toml, line 2: "), "{text}");
}

#[test]
fn an_address_is_any_in_numbers_with_a_port() {
    for address in ["0.0.0.0:1414", "[::]:1414", "192.0.2.7:1414", "127.0.0.1:0"] {
        let text = format!("[listener]\naddresses = [\"{address}\"]");
        let read = Configuration::parse(&text, Path::new("QM1/ferry.toml")).unwrap();
        assert_eq!(read.listener.addresses.0, [address.parse().unwrap()]);
    }
    for wrong in ["host.example:1414", "192.0.2.7", "::1:1414"] {
        let text = faults(&format!("[listener]\naddresses = [\"{wrong}\"]"));
        assert!(text.contains("listener.addresses"), "{text}");
    }
}

#[test]
fn the_reference_page_is_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/settings.md");
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, reference()).unwrap();
    } else {
        assert!(
            page == reference(),
            "{} is old: FERRY_WRITE_REFERENCE=1 cargo test -p server",
            path.display()
        );
    }
}
