//! Pages are what their rows say, and blocks come back as they went.

use std::collections::BTreeSet;

use super::familiar::FAMILIAR;
use super::*;
use crate::readings::{Average, Both, Channel, FORCE_BOUNDS, Manager, Queue, Subscription, Topic};

fn reading() -> Manager {
    let mut now = Manager { micros: 10_000_000, ..Manager::default() };
    now.process.started_micros = 1_700_000_000_000_000;
    now.process.connections = 7;
    now.calls.traffic.puts = Both { nonpersistent: 4, persistent: 3 };
    now.log.writes_within[2] = 5;
    now.log.writes_within[FORCE_BOUNDS.len()] = 1;
    now.log.write_micros = 2_500_000;
    now.own.user = 150;
    now
}

fn block() -> Block {
    let queue = Queue {
        depth: 2,
        depth_max: 5000,
        puts: 9,
        last_put_micros: 1_700_000_001_500_000,
        ..Queue::default()
    };
    let now = reading();
    Block {
        manager: "QM1".to_owned(),
        version: "0.1.0".to_owned(),
        machine: "here".to_owned(),
        description: "orders \"and\"\nmore \\".to_owned(),
        taken: 1_700_000_010_000_000,
        interval: 10_000_000,
        values: manager_values(&now),
        sums: sum_values(&queue),
        familiar: familiar_values(&Manager::default(), &now),
        queues_in_all: 60,
        queues: vec![QueueBlock {
            name: "ORDERS".to_owned(),
            values: queue_values(&queue),
            interval: vec![9, 0, 120],
            is_transmission: true,
        }],
        channels_in_all: 40,
        channels: vec![
            ChannelBlock {
                name: "TO.PROGRAMS".to_owned(),
                kind: "SVRCONN".to_owned(),
                values: channel_values(&Channel { running: 3, instances_max: 9, ..Channel::default() }),
                interval: vec![0; CHANNEL_INTERVAL],
                ..ChannelBlock::default()
            },
            ChannelBlock {
                name: "QM1.QM2".to_owned(),
                kind: "SDR".to_owned(),
                description: "to the \"other\"".to_owned(),
                partner: "QM2".to_owned(),
                connection_name: "there(1414)".to_owned(),
                job: "0000002A".to_owned(),
                cipher: "ANY_TLS13".to_owned(),
                values: channel_values(&channel()),
                interval: vec![12, 3_400, 500, 6, 7, 2],
            },
        ],
        topics_in_all: 3,
        topics: vec![TopicBlock {
            name: "price/\"tin\"\n\\\r{a=\"b\"} 7".to_owned(),
            values: topic_values(&Topic {
                publishers: 2,
                subscribers: 5,
                published: 70,
                received: 350,
                last_published_micros: 1_700_000_002_500_000,
                last_received_micros: 1_700_000_001_500_000,
            }),
            interval: vec![7, 35],
        }],
        subscriptions_in_all: 9,
        subscriptions: vec![SubscriptionBlock {
            name: "own \"one\"".to_owned(),
            identifier: "414D51".to_owned(),
            kind: "API".to_owned(),
            topic: "price/#".to_owned(),
            values: subscription_values(&Subscription {
                messages: 120,
                last_message_micros: 1_700_000_000_500_000,
            }),
            interval: vec![12],
        }],
        checks: vec![Check {
            name: "log_room".to_owned(),
            verdict: Verdict::Warning,
            words: "12 % of the log is free".to_owned(),
        }],
    }
}

fn channel() -> Channel {
    Channel {
        retrying: 1,
        messages: 120,
        bytes_sent: 4_000,
        retries: 7,
        net_micros: Average { short: 1_500, long: 900 },
        batch_messages: Average { short: 50, long: 12 },
        compression_percent: 25,
        last_message_micros: 1_700_000_002_500_000,
        in_doubt: 3,
        in_doubt_seconds: 61,
        waiting: 40,
        ..Channel::default()
    }
}

/// The label of a topic whose string looks like lines of a page.
const HOSTILE_TOPIC: &str = "topic=\"price/\\\"tin\\\"\\n\\\\\r{a=\\\"b\\\"} 7\"";

fn page(form: Form, names: Names) -> String {
    let mut printer = Printer::new(form, names);
    print(&mut printer, &block(), names, 1_700_000_012_500_000);
    printer.finish()
}

fn has(page: &str, line: &str) {
    assert!(page.lines().any(|found| found == line), "{line} is not in\n{page}");
}

#[test]
fn a_block_comes_back_as_it_went_and_a_cut_or_foreign_one_is_refused() {
    let bytes = block().encode();
    assert_eq!(Block::decode(&bytes), Ok(block()));
    for end in 0..bytes.len() {
        assert!(Block::decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] = !damaged[place];
        // It may read as other figures; it must not panic.
        let _ = Block::decode(&damaged);
    }
    let mut foreign = bytes;
    foreign[4] ^= 1;
    assert_eq!(Block::decode(&foreign), Err(BlockError::OtherRows));
}

#[test]
fn a_page_of_text_has_each_figure_with_its_labels_and_its_unit() {
    let page = page(Form::Text, Names::Own);
    for line in [
        r#"ferry_up{qmgr="QM1"} 1"#,
        "# TYPE ferry_calls_total counter",
        r#"ferry_calls_total{qmgr="QM1",call="put",persistence="persistent",result="done"} 3"#,
        r#"ferry_start_time_seconds{qmgr="QM1"} 1700000000"#,
        r#"ferry_cpu_seconds_total{qmgr="QM1",mode="user"} 1.5"#,
        r#"ferry_log_write_seconds_bucket{qmgr="QM1",le="0.00025"} 0"#,
        r#"ferry_log_write_seconds_bucket{qmgr="QM1",le="0.0005"} 5"#,
        r#"ferry_log_write_seconds_bucket{qmgr="QM1",le="+Inf"} 6"#,
        r#"ferry_log_write_seconds_sum{qmgr="QM1"} 2.5"#,
        r#"ferry_log_write_seconds_count{qmgr="QM1"} 6"#,
        r#"ferry_queue_depth{qmgr="QM1",queue="ORDERS"} 2"#,
        r#"ferry_queue_puts_total{qmgr="QM1",queue="ORDERS"} 9"#,
        r#"ferry_queue_last_put_seconds{qmgr="QM1",queue="ORDERS"} 1700000001.5"#,
        r#"ferry_queues_not_shown{qmgr="QM1"} 59"#,
        r#"ferry_channel_status{qmgr="QM1",channel="TO.PROGRAMS",type="SVRCONN",status="running"} 3"#,
        r#"ferry_channel_status{qmgr="QM1",channel="QM1.QM2",type="SDR",status="retrying"} 1"#,
        r#"ferry_channel_messages_total{qmgr="QM1",channel="QM1.QM2",type="SDR"} 120"#,
        r#"ferry_channel_bytes_total{qmgr="QM1",channel="QM1.QM2",type="SDR",way="sent"} 4000"#,
        r#"ferry_channel_net_seconds{qmgr="QM1",channel="QM1.QM2",type="SDR",term="short"} 0.0015"#,
        r#"ferry_channel_compression_ratio{qmgr="QM1",channel="QM1.QM2",type="SDR"} 0.25"#,
        r#"ferry_channel_in_doubt{qmgr="QM1",channel="QM1.QM2",type="SDR"} 3"#,
        r#"ferry_channel_waiting{qmgr="QM1",channel="QM1.QM2",type="SDR"} 40"#,
        r#"ferry_channels_not_shown{qmgr="QM1"} 38"#,
        r#"ferry_topics_not_shown{qmgr="QM1"} 2"#,
        r#"ferry_subscriptions_not_shown{qmgr="QM1"} 8"#,
        r#"ferry_subscription_messages_total{qmgr="QM1",subscription="own \"one\"",topic="price/#",type="API"} 120"#,
        r#"ferry_check{qmgr="QM1",check="log_room"} 1"#,
        r#"ferry_figures_age_seconds{qmgr="QM1"} 2.5"#,
    ] {
        has(&page, line);
    }
    assert!(!page.contains("# EOF"));
}

#[test]
fn the_string_of_a_topic_stays_within_its_label() {
    for (form, names) in
        [(Form::Text, Names::Own), (Form::OpenMetrics, Names::Own), (Form::Text, Names::Familiar)]
    {
        let page = page(form, names);
        let is_of_topic = |line: &&str| line.starts_with("ferry_topic_") || line.starts_with("ibmmq_topic_");
        let lines: Vec<&str> = page.split('\n').filter(is_of_topic).collect();
        assert_eq!(lines.len(), 6);
        assert!(lines.iter().all(|line| line.contains(HOSTILE_TOPIC)), "{lines:?}");
    }
}

#[test]
fn a_page_of_open_metrics_names_a_counter_without_total_and_ends_with_eof() {
    let page = page(Form::OpenMetrics, Names::Own);
    has(&page, "# TYPE ferry_calls counter");
    has(&page, r#"ferry_queue_puts_total{qmgr="QM1",queue="ORDERS"} 9"#);
    assert!(page.ends_with("\n# EOF\n"));
}

#[test]
fn a_family_stands_once_and_no_series_twice() {
    for names in [Names::Own, Names::Familiar] {
        let page = page(Form::Text, names);
        let mut seen = BTreeSet::new();
        for line in page.lines() {
            let key = match line.strip_prefix("# TYPE ") {
                Some(family) => family,
                None if line.starts_with('#') => continue,
                None => line.rsplit_once(' ').expect("a value").0,
            };
            assert!(seen.insert(key.to_owned()), "{key} stands twice");
        }
    }
}

#[test]
fn familiar_names_print_rows_of_the_interval_and_escape_what_is_in_labels() {
    let page = page(Form::Text, Names::Familiar);
    let labels = r#"qmgr="QM1",platform="UNIX",description="orders \"and\"\nmore \\",hostname="here""#;
    for line in [
        format!("ibmmq_qmgr_interval_mqput_mqput1_total_count{{{labels}}} 7"),
        format!("ibmmq_qmgr_status{{{labels}}} 2"),
        format!("ibmmq_qmgr_uptime{{{labels}}} 12"),
        format!("ibmmq_qmgr_connection_count{{{labels}}} 7"),
    ] {
        has(&page, &line);
    }
    let queue = r#"qmgr="QM1",platform="UNIX",queue="ORDERS",usage="XMITQ",cluster="-",description="-""#;
    has(&page, &format!("ibmmq_queue_mqput_mqput1_count{{{queue}}} 9"));
    has(&page, &format!("ibmmq_queue_time_since_put{{{queue}}} 11"));
    has(&page, &format!("ibmmq_queue_time_since_get{{{queue}}} 0"));
    assert_eq!(familiar_values(&Manager::default(), &Manager::default()).len(), FAMILIAR.len());
    let channel = r#"qmgr="QM1",platform="UNIX",channel="QM1.QM2",type="SDR",rqmname="QM2",connname="there(1414)",jobname="0000002A",sslciph="ANY_TLS13",description="to the \"other\"""#;
    for (name, value) in [
        ("status", 5),
        ("status_squash", 1),
        ("cur_inst", 0),
        ("messages", 12),
        ("bytes_sent", 3400),
        ("bytes_rcvd", 500),
        ("buffers_sent", 6),
        ("buffers_rcvd", 7),
        ("batches", 2),
        ("batchsz_short", 50),
        ("batchsz_long", 12),
        ("nettime_short", 1500),
        ("nettime_long", 900),
        ("xmitq_time_short", 0),
        ("time_since_msg", 10),
    ] {
        has(&page, &format!("ibmmq_channel_{name}{{{channel}}} {value}"));
    }
    for (name, kind, value) in [
        ("publisher_count", "status", 2),
        ("subscriber_count", "status", 5),
        ("messages_published", "pub", 7),
        ("messages_received", "sub", 35),
        ("time_since_msg_published", "pub", 10),
        ("time_since_msg_received", "sub", 11),
    ] {
        let of_topic = format!(r#"qmgr="QM1",platform="UNIX",{},type="{kind}""#, HOSTILE_TOPIC);
        has(&page, &format!("ibmmq_topic_{name}{{{of_topic}}} {value}"));
    }
    let subscription =
        r#"qmgr="QM1",platform="UNIX",subscription="own \"one\"",subid="414D51",topic="price/#",type="API""#;
    has(&page, &format!("ibmmq_subscription_messsages_received{{{subscription}}} 12"));
    has(&page, &format!("ibmmq_subscription_time_since_message_published{{{subscription}}} 12"));
    assert!(page.contains("ibmmq_channel_attribute_max_inst{") && page.contains("ibmmq_qmgr_max_channels{"));
}

/// Dashboards and alerts name these. One that goes, or gets another kind, breaks them.
#[test]
fn the_names_of_all_series_are_those_of_the_table() {
    fn of<R>(families: &[Family<R>]) -> String {
        let mut text = String::new();
        for family in families {
            text.push_str(&format!("{} {:?}", family.name, family.kind));
            for series in family.series {
                let labels = series.labels.iter().map(|(name, value)| format!("{name}={value}"));
                text.push_str(&format!(" {}{{{}}}", series.suffix, labels.collect::<Vec<_>>().join(",")));
            }
            text.push('\n');
        }
        text
    }
    let names = [of(MANAGER), of(QUEUES), of(QUEUE), of(CHANNEL), of(TOPIC), of(SUBSCRIPTION)].concat();
    let familiar: String = FAMILIAR.iter().map(|familiar| format!("{}\n", familiar.name)).collect();
    let found = format!("{names}\n{familiar}");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("facts/metrics.txt");
    #[expect(clippy::disallowed_methods, reason = "a test that writes and reads a page of the repository")]
    let written = {
        if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
            std::fs::write(&path, &found).unwrap();
        }
        std::fs::read_to_string(&path).unwrap_or_default()
    };
    assert!(written == found, "{} is old: FERRY_WRITE_REFERENCE=1 cargo test -p figures", path.display());
}

/// A fuzz target begins with a block of these rows: one of others is refused at once.
#[test]
fn the_seed_of_the_fuzz_target_is_a_block_of_these_rows() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/figures_block/block");
    #[expect(clippy::disallowed_methods, reason = "a test that writes and reads a seed of the repository")]
    let written = {
        if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
            std::fs::write(&path, block().encode()).unwrap();
        }
        std::fs::read(&path).unwrap_or_default()
    };
    let is_of_now = Block::decode(&written).is_ok();
    assert!(is_of_now, "{} is old: FERRY_WRITE_REFERENCE=1 cargo test -p figures", path.display());
}
