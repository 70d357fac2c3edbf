//! A real Prometheus reads the figures: each query of the dashboard and each alert rule is answered.
//!
//! Needs `prometheus` and `promtool`, as Debian's package prometheus has them; says SKIPPED without.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Ferry, Server};

const PATIENCE: Duration = Duration::from_secs(60);

fn packaging() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/monitoring").canonicalize().unwrap()
}

fn get(address: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    // HTTP/1.0, so that the answer comes in one piece.
    let request = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer.split_once("\r\n\r\n")?.1.to_owned())
}

/// Every expression of the dashboard, with all queue managers and queues chosen.
fn queries() -> BTreeSet<String> {
    fn collect(value: &Value, queries: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(query)) = fields.get("expr") {
                    queries.insert(query.replace("$qmgr", ".*").replace("$queue", ".*"));
                }
                fields.values().for_each(|value| collect(value, queries));
            }
            Value::Array(items) => items.iter().for_each(|value| collect(value, queries)),
            _ => {}
        }
    }
    let text = std::fs::read_to_string(packaging().join("grafana.json")).unwrap();
    let mut queries = BTreeSet::new();
    collect(&serde_json::from_str(&text).unwrap(), &mut queries);
    queries
}

/// Names that dashboards of other exporters ask for, as far as there is the thing that they are about.
const FAMILIAR: &[&str] = &[
    "ibmmq_channel_attribute_max_inst",
    "ibmmq_channel_attribute_max_instc",
    "ibmmq_channel_batches",
    "ibmmq_channel_batchsz_long",
    "ibmmq_channel_batchsz_short",
    "ibmmq_channel_buffers_rcvd",
    "ibmmq_channel_buffers_sent",
    "ibmmq_channel_bytes_rcvd",
    "ibmmq_channel_bytes_sent",
    "ibmmq_channel_cur_inst",
    "ibmmq_channel_messages",
    "ibmmq_channel_nettime_long",
    "ibmmq_channel_nettime_short",
    "ibmmq_channel_time_since_msg",
    "ibmmq_channel_xmitq_time_long",
    "ibmmq_channel_xmitq_time_short",
    "ibmmq_channel_status",
    "ibmmq_channel_status_squash",
    "ibmmq_qmgr_active_listeners",
    "ibmmq_qmgr_channel_initiator_status",
    "ibmmq_qmgr_command_server_status",
    "ibmmq_qmgr_connection_count",
    "ibmmq_qmgr_create_non_durable_subscription",
    "ibmmq_qmgr_exporter_publications",
    "ibmmq_qmgr_interval_destructive_get_total_count",
    "ibmmq_qmgr_interval_mqput_mqput1_total_count",
    "ibmmq_qmgr_log_file_system_in_use_bytes",
    "ibmmq_qmgr_log_write_latency_seconds",
    "ibmmq_qmgr_max_active_channels",
    "ibmmq_qmgr_max_channels",
    "ibmmq_qmgr_mq_errors_file_system_free_space_percentage",
    "ibmmq_qmgr_mq_fdc_file_count",
    "ibmmq_qmgr_non_durable_subscriber_high_water_mark",
    "ibmmq_qmgr_non_durable_subscriber_low_water_mark",
    "ibmmq_qmgr_non_persistent_message_browse_count",
    "ibmmq_qmgr_persistent_message_browse_count",
    "ibmmq_qmgr_published_to_subscribers_message_count",
    "ibmmq_qmgr_put_non_persistent_messages_bytes",
    "ibmmq_qmgr_put_persistent_messages_bytes",
    "ibmmq_qmgr_queue_manager_file_system_in_use_bytes",
    "ibmmq_qmgr_status",
    "ibmmq_qmgr_system_cpu_time_percentage",
    "ibmmq_qmgr_topic_mqput_mqput1_interval_total",
    "ibmmq_qmgr_uptime",
    "ibmmq_qmgr_user_cpu_time_percentage",
    "(ibmmq_queue_depth * 100) / ibmmq_queue_attribute_max_depth",
    "100 * ibmmq_queue_qfile_current_size / ibmmq_queue_qfile_max_size",
    "ibmmq_queue_depth",
    "ibmmq_queue_input_handles",
    "ibmmq_queue_mqget_count",
    "ibmmq_queue_mqput_mqput1_count",
    "ibmmq_queue_oldest_message_age",
    "ibmmq_queue_output_handles",
    "ibmmq_queue_qtime_long",
    "ibmmq_queue_qtime_short",
    "ibmmq_queue_time_since_get",
    "ibmmq_queue_time_since_put",
    "ibmmq_queue_uncommitted_messages",
    "ibmmq_subscription_messsages_received",
    "ibmmq_subscription_time_since_message_published",
    "ibmmq_topic_messages_published{type=\"pub\"}",
    "ibmmq_topic_messages_received{type=\"sub\"}",
    "ibmmq_topic_publisher_count",
    "ibmmq_topic_subscriber_count",
    "ibmmq_topic_time_since_msg_published",
    "ibmmq_topic_time_since_msg_received",
];

/// Prometheus on a port of its own, ended when this is dropped.
struct Prometheus {
    child: Child,
    address: String,
    _directory: tempfile::TempDir,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Prometheus {
    fn scraping(target: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let alerts = packaging().join("alerts.yml");
        let job = |name: &str, more: &str| {
            format!("  - job_name: {name}\n{more}    static_configs: [{{targets: [\"{target}\"]}}]\n")
        };
        let configuration = format!(
            "global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: [{:?}]\nscrape_configs:\n{}{}",
            alerts.display().to_string(),
            job("ferrymq", ""),
            job("familiar", "    params: {names: [ibmmq]}\n"),
        );
        let path = directory.path().join("prometheus.yml");
        std::fs::write(&path, configuration).unwrap();
        // Free until a moment ago; another program that takes it shows as a Prometheus that ends.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", path.display()))
            .arg(format!("--storage.tsdb.path={}", directory.path().join("data").display()))
            .arg(format!("--web.listen-address={address}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, address, _directory: directory }
    }

    fn ask(&self, path: &str) -> Option<Value> {
        serde_json::from_str(&get(&self.address, path)?).ok()
    }

    /// The number of series that answer a query.
    fn series(&self, query: &str) -> usize {
        let encoded: String = query.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let answer = self.ask(&format!("/api/v1/query?query={encoded}")).unwrap_or_default();
        answer["data"]["result"].as_array().map_or(0, Vec::len)
    }

    fn wait_for(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < until, "not within {PATIENCE:?}: {what}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// A queue manager for development whose settings name all topics and subscriptions.
fn dev(ferry: &Ferry) -> Server {
    let server = ferry.start(&["dev", "--port", "0"]);
    ferry.ok(&["stop"]);
    assert_eq!(server.wait(), 0);
    let path = ferry.data().join("QM1/ferry.toml");
    let mut settings = std::fs::read_to_string(&path).unwrap();
    for kind in ["topics", "subscriptions"] {
        let unset = format!("\n#{kind} = []\n");
        assert!(settings.contains(&unset), "{settings}");
        settings = settings.replace(&unset, &format!("\n{kind} = [\"*\"]\n"));
    }
    std::fs::write(&path, settings).unwrap();
    ferry.start(&["dev", "--port", "0"])
}

/// Messages, a publication, a subscription and programs that come by a channel.
fn traffic(ferry: &Ferry, server: &Server) -> Child {
    ferry.ok(&["put", "DEV.QUEUE.1", "one"]);
    ferry.ok(&["put", "DEV.QUEUE.1", "two"]);
    ferry.ok(&["get", "DEV.QUEUE.1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE SUB('reader') TOPICSTR('news/\"quoted\"') DEST(DEV.QUEUE.3)"]);
    ferry.ok(&["pub", "news/\"quoted\"", "hello"]);
    let address = format!("127.0.0.1:{}", server.port());
    let waits = ["get", "DEV.QUEUE.2", "--wait", "600s", "--connect", &address];
    ferry.command(&waits).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn prometheus_reads_both_forms_and_answers_each_panel_and_alert() {
    let has = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !has("prometheus") || !has("promtool") {
        eprintln!("SKIPPED: there is no prometheus; Debian's package prometheus has it");
        return;
    }
    let ferry = Ferry::new();
    let server = dev(&ferry);
    let metrics = server.ready["metrics"].as_str().expect("an address");
    let target = metrics.trim_start_matches("http://").trim_end_matches("/metrics").to_owned();
    let mut waiting = traffic(&ferry, &server);
    let prometheus = Prometheus::scraping(&target);

    let page = get(&target, "/metrics").expect("a page");
    let mut check = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    check.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let checked = check.wait_with_output().unwrap();
    let said = [checked.stdout, checked.stderr].concat();
    assert!(checked.status.success() && said.is_empty(), "{}", String::from_utf8_lossy(&said));

    prometheus.wait_for("the first scrapes", |it| {
        it.series("ferry_up") == 1 && it.series("ibmmq_qmgr_status") == 1
    });
    let dashboard = queries();
    assert!(dashboard.len() >= 30, "{}", dashboard.len());
    for query in dashboard.iter().map(String::as_str).chain(FAMILIAR.iter().copied()) {
        // A rate needs two scrapes.
        prometheus.wait_for(query, |it| it.series(query) > 0);
    }
    let rules = std::fs::read_to_string(packaging().join("alerts.yml")).unwrap();
    let expected = rules.matches("- alert: ").count();
    prometheus.wait_for("every alert rule is evaluated", |it| {
        let answer = it.ask("/api/v1/rules").unwrap_or_default();
        let rules = answer["data"]["groups"][0]["rules"].as_array().cloned().unwrap_or_default();
        rules.len() == expected && rules.iter().all(|rule| rule["health"] == "ok")
    });
    // A rule on a name that nobody tells is evaluated too, and never fires.
    let names = rules.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    for name in names.filter(|name| name.starts_with("ferry_")).collect::<BTreeSet<_>>() {
        prometheus.wait_for(name, |it| it.series(name) > 0);
    }
    // It may have ended already.
    let _ = waiting.kill();
    let _ = waiting.wait();
}
