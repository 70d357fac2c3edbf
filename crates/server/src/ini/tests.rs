use std::path::Path;

use super::{LINE_BYTES_MAX, Translation, environment, reference};
use crate::configuration::Configuration;

fn translated(text: &str) -> Translation {
    Translation::of(text, Path::new("qm.ini")).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn refused(text: &str) -> String {
    Translation::of(text, Path::new("qm.ini")).expect_err(text).to_string()
}

fn changes(text: &str) -> Vec<String> {
    let shown = |change: &super::Change| format!("{}.{} = {}", change.section, change.key, change.value);
    translated(text).changes.iter().map(shown).collect()
}

/// The parameters that the report of 2025 on the server product prints.
const OF_2025: &str = "Channels:\n\nMQIBindType=FASTPATH\nMaxActiveChannels=5000\nMaxChannels=5000\n\nLog:\n\n\
    LogBufferPages=4096\nLogFilePages=32767\nLogPrimaryFiles=64\nLogSecondaryFiles=2\nLogType=CIRCULAR\n\
    LogWriteIntegrity=TripleWrite\n\nTuningParameters:\n\nDefaultPQBufferSize=10485760\nDefaultQBufferSize=10485760\n";

/// The parameters that the report of 2015 on publish/subscribe prints.
const OF_2015: &str = "Channels:\n  MQIBindType=FASTPATH\n  MaxActiveChannels=5000\n  MaxChannels=5000\nExitPath:\n  \
    ExitsDefaultPath=/var/mqm/exits\n  ExitsDefaultPath64=/var/mqm/exits64\nLog:\n  LogBufferPages=16\n  \
    LogFilePages=16384\n  LogPath=/var/mqm/log/<QM_NAME>/\n  LogPrimaryFiles=16\n  LogSecondaryFiles=2\n  \
    LogType=CIRCULAR\n  LogWriteIntegrity=TripleWrite\nService:\n  EntryPoints=14\n  Name=AuthorizationService\n\
    ServiceComponent:\n  ComponentDataSize=0\n  Module=amqzfu\n  Name=MQSeries.UNIX.auth.service\n  \
    Service=AuthorizationService\nTCP:\n  CIntRcvBuffSize=0\n  CIntSndBuffSize=0\n  RcvBuffSize=0\n  \
    RcvRcvBuffSize=0\n  RcvSndBuffSize=0\n  SndBuffSize=0\n  SvrRcvBuffSize=0\n  SvrSndBuffSize=0\n\
    TuningParameters:\n  DefaultPQBufferSize=1048576\n  DefaultQBufferSize=1048576\n  pscNumPubThreads=5\n";

#[test]
fn the_files_of_the_published_reports_are_accepted_as_printed() {
    let of_2025 = [
        "limits.active_channels_max = 5000",
        "limits.channels_max = 5000",
        "log.block_size_max = \"16384 KiB\"",
        "log.extent_size = \"128 MiB\"",
        "log.primary_extents = 64",
        "log.secondary_extents = 2",
        "log.kind = \"circular\"",
    ];
    assert_eq!(changes(OF_2025), of_2025);
    let said: Vec<String> = translated(OF_2025).without_effect.into_iter().map(|it| it.said).collect();
    let without_effect = [
        "Channels MQIBindType=FASTPATH",
        "Log LogWriteIntegrity=TripleWrite",
        "TuningParameters DefaultPQBufferSize=10485760",
        "TuningParameters DefaultQBufferSize=10485760",
    ];
    assert_eq!(said, without_effect);
    let of_2015 = [
        "limits.active_channels_max = 5000",
        "limits.channels_max = 5000",
        "log.block_size_max = \"64 KiB\"",
        "log.extent_size = \"64 MiB\"",
        "log.directory = \"/var/mqm/log\"",
        "log.primary_extents = 16",
        "log.secondary_extents = 2",
        "log.kind = \"circular\"",
    ];
    assert_eq!(changes(OF_2015), of_2015);
    let keys = OF_2015.lines().filter(|line| line.contains('=')).count();
    assert_eq!(translated(OF_2015).without_effect.len(), keys - 8);
}

#[test]
fn keys_become_settings_within_their_bounds() {
    for (text, expected) in [
        ("log:\nLOGTYPE = linear ", &["log.kind = \"linear\""][..]),
        ("Log:\nLogFilePages=32", &["log.extent_size = \"1 MiB\""]),
        (
            "Channels:\nMaxChannels=300\nMaxActiveChannels=100",
            &["limits.channels_max = 300", "limits.active_channels_max = 100"],
        ),
        (
            "TCP:\nPort=1415\nSecureCommsOnly=YES",
            &["listener.addresses = [\"127.0.0.1:1415\"]", "listener.tls = \"required\""],
        ),
        ("Log:\nLogPath=/var/log/QM1", &["log.directory = \"/var/log\""]),
        ("Log:\nLogPath=/a \"b\"/QM1//", &["log.directory = \"/a \\\"b\\\"\""]),
        ("Log:\nLogBufferPages=0", &[]),
        ("Log:\nLogBufferPages=1", &["log.block_size_max = \"64 KiB\""]),
        ("Log:\nLogBufferPages=512", &["log.block_size_max = \"2048 KiB\""]),
        ("TCP:\nSecureCommsOnly=NO", &[]),
        ("# c\n; c\n\r\n\u{FEFF}", &[]),
        ("\u{FEFF}Log:\r\n\tLogType=CIRCULAR\r\n", &["log.kind = \"circular\""]),
        ("Service:\nName=A\nService:\nName=B", &[]),
        ("Channels:\nChlauthEarlyAdopt=Y", &[]),
    ] {
        if text.starts_with('#') {
            // A mark of the byte order within a text is no blank.
            assert!(refused(text).contains("line 4"), "{}", refused(text));
            continue;
        }
        assert_eq!(changes(text), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_named_by_line_and_nothing_is_taken() {
    for (text, expected) in [
        ("Log:\nLogTyp=CIRCULAR", "line 2: there is no key LogTyp in Log: did you mean LogType?"),
        ("Log:\nMaxChannels=5", "line 2: there is no key MaxChannels in Log: it belongs into Channels"),
        ("Log:\nXyz=5", "line 2: there is no key Xyz in Log; its keys are LogType, LogFilePages"),
        ("Channelz:\nMaxChannels=5", "line 1: there is no stanza Channelz: did you mean Channels?"),
        ("Quite Another:\n", "line 1: there is no stanza Quite Another; the stanzas are Log, Channels"),
        (
            "\nLog:\nLogType=LINEAR\nlog:\nLogPath=/x",
            "line 4: the stanza Log is there twice, first on line 2",
        ),
        ("Log:\nLogType=LINEAR\nLOGTYPE=LINEAR", "line 3: Log LOGTYPE is given twice, first on line 2"),
        ("Log:\nLogType=", "line 2: Log LogType has no value"),
        (
            "Log:\nLogType",
            "line 2: \"LogType\" is neither a stanza (Name:) nor a key with its value (Key=value)",
        ),
        ("LogType=LINEAR", "line 1: LogType stands in no stanza"),
        ("Log:\nLogPath=/a\0b", "line 2: character 11 of the line is the control character U+0000"),
        (
            "Log:\nLogType=REPLICATED",
            "line 2: Log LogType=REPLICATED is not right: it must be CIRCULAR or LINEAR",
        ),
        (
            "Log:\nLogFilePages=31",
            "line 2: Log LogFilePages=31 is not right: it must be a number from 32 to 65535",
        ),
        ("Log:\nLogPrimaryFiles=1", "line 2: Log LogPrimaryFiles=1 becomes a setting out of its bounds"),
        (
            "Log:\nLogPath=log/QM1",
            "line 2: Log LogPath=log/QM1 is not right: it must be a path from the root",
        ),
        ("Log:\nLogPath=/QM1", "line 2: Log LogPath=/QM1 is not right: it must be a path from the root"),
        ("Log:\nLogPath=///", "line 2: Log LogPath=/// is not right"),
        (
            "Log:\nLogBufferPages=4097",
            "line 2: Log LogBufferPages=4097 is not right: it must be a number from 0 to 4096",
        ),
        ("Log:\nLogWriteIntegrity=None", "it must be one of SingleWrite DoubleWrite TripleWrite"),
        ("TCP:\nPort=65536", "line 2: TCP Port=65536 is not right"),
        ("Channels:\nChlauthEarlyAdopt=N", "line 2: Channels ChlauthEarlyAdopt=N cannot be had"),
        ("SSL:\nOCSPAuthentication=REQUIRED", "line 2: SSL OCSPAuthentication=REQUIRED cannot be had"),
        ("SSL:\nSSLFipsRequired=YES", "it must be one of NO"),
    ] {
        let told = refused(text);
        assert!(told.contains(expected), "{text}\n{told}");
    }
    let all = refused("Lg:\nLogTyp=1\nLog:\nLogTyp=1\nLogType=LINEAR");
    assert_eq!(all.lines().count(), 1, "keys of a stanza that is not known are not judged\n{all}");
    let both = refused("Log:\nLogTyp=1\nLogFilePages=1\n");
    assert_eq!(both.lines().count(), 2, "every line that is wrong is named\n{both}");
}

#[test]
fn a_line_and_a_file_have_a_largest_size() {
    let key = "ExitsDefaultPath=";
    let long = |bytes: usize| format!("ExitPath:\n{key}{}", "x".repeat(bytes - key.len()));
    translated(&long(LINE_BYTES_MAX));
    let told = refused(&long(1 << 20));
    assert!(told.contains("line 2: the line has 1048576 bytes"), "{told}");
    assert!(told.len() < 200, "the line itself is not repeated: {}", told.len());
    let told = refused(&"#comment\n".repeat(1 << 19));
    assert!(told.contains("the file has more than 4 MiB"), "{told}");
}

#[test]
fn the_environment_sets_the_threshold_of_slow_input_and_output() {
    let applied = |set: &[(&str, &str)]| {
        let variable =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        environment::applied(Configuration::default(), variable)
            .map(|settings| (settings.log.slow_io_microseconds, settings.errors.slow_io_record))
            .map_err(|error| error.to_string())
    };
    for (set, expected) in [
        (&[][..], Ok((1_000_000, false))),
        (&[("AMQ_IODELAY", "7")], Ok((7_000_000, false))),
        (&[("AMQ_IODELAY", "7000"), ("AMQ_IODELAY_INMS", "YES")], Ok((7_000, false))),
        (&[("AMQ_IODELAY", "7000"), ("AMQ_IODELAY_INMS", "no")], Err("from 0 to 600")),
        (&[("AMQ_IODELAY_INMS", "YES")], Ok((1_000_000, false))),
        (&[("AMQ_IODELAY_FFST", "YES")], Ok((1_000_000, true))),
        (&[("AMQ_IODELAY", "soon")], Err("AMQ_IODELAY=soon")),
        (&[("AMQ_IODELAY", "-1"), ("AMQ_IODELAY_INMS", "YES")], Err("microseconds from 0 to 600000000")),
        (&[("AMQ_IODELAY_FFST", "maybe")], Err("write YES or NO")),
    ] {
        match (applied(set), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{set:?}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{set:?}: {found}"),
            (found, expected) => panic!("{set:?}: {found:?}, not {expected:?}"),
        }
    }
    assert_eq!(environment::without_effect(|_| None), None);
    let set = |name: &str| (name == "AMQ_USE_ZLIBNX").then(String::new);
    assert!(environment::without_effect(set).is_some_and(|(name, _)| name == "AMQ_USE_ZLIBNX"));
}

#[test]
fn the_reference_page_is_what_the_table_of_keys_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/qm-ini.md");
    if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, reference()).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == reference(),
        "{}: write it with FERRY_WRITE_REFERENCE=1 cargo test -p server",
        path.display()
    );
}
