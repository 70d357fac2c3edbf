//! The control process beside a queue manager that runs.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use client::{Connection, Options};
use control::{Listen, Source};
use mqi::{MessageDescriptor, ObjectDescriptor, OpenOptions, PutOptions, Verbs as _};
use server::{DataDirectory, Mode, Server, instances};

/// A queue manager with figures asked for, and what is there to ask.
struct Place {
    _directory: tempfile::TempDir,
    server: Server,
    http: SocketAddr,
}

fn start() -> Place {
    let directory = tempfile::tempdir().unwrap();
    let (data, name) = (DataDirectory::at(directory.path()), "QM1".parse().unwrap());
    let settings = "[log]\nextent_size = \"4 MiB\"\nprimary_extents = 3\n[http]\naddress = \"auto\"\n";
    instances::create(&data, &name, Some(settings)).unwrap();
    let options = server::Options {
        addresses: Some(vec!["127.0.0.1:0".parse().unwrap()]),
        ..server::Options::new(data, name)
    };
    let server = Server::start(&options).unwrap();
    let address = server.address().unwrap().to_string();
    let http = serve(Source::new("QM1", Options::to(address.parse().unwrap()).application("control")));
    Place { _directory: directory, server, http }
}

/// Serves figures on a thread of their own; where.
fn serve(source: Source) -> SocketAddr {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let listen = Listen::At("127.0.0.1:0".parse().unwrap());
        control::run(listen, source, |address| {
            tell.send(address).unwrap();
            Ok(())
        })
        .unwrap();
    });
    told.recv_timeout(Duration::from_secs(10)).unwrap()
}

/// The status, the head and the body of an answer.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

fn ask(address: SocketAddr, request: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

fn get(address: SocketAddr, path: &str, more: &str) -> Answer {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n"))
}

/// The number of a series on a page.
fn number(page: &str, series: &str) -> f64 {
    let line = page.lines().find(|line| line.starts_with(series));
    let line = line.unwrap_or_else(|| panic!("{series} is not in\n{page}"));
    line.rsplit_once(' ').unwrap().1.parse().unwrap()
}

fn program(place: &Place) -> Connection {
    let address = place.server.address().unwrap().to_string();
    let mut program = Connection::connect(Options::to(address.parse().unwrap()).application("test")).unwrap();
    assert!(!program.command("DEFINE QLOCAL(ORDERS)").unwrap().failed);
    let queue = ObjectDescriptor::queue("ORDERS".parse().unwrap());
    let opened = program.open(&queue, OpenOptions::OUTPUT).unwrap();
    for _ in 0..5 {
        let (mut descriptor, mut options) = (MessageDescriptor::default(), PutOptions::default());
        program.put(opened.handle, &mut descriptor, &mut options, "order".into()).unwrap();
    }
    program
}

#[test]
fn figures_of_messages_that_were_put_are_on_the_page_in_both_forms() {
    let place = start();
    let _program = program(&place);
    let text = get(place.http, "/metrics", "");
    assert_eq!(text.status, 200, "{}", text.body);
    assert!(text.head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{}", text.head);
    assert_eq!(number(&text.body, r#"ferry_queue_depth{qmgr="QM1",queue="ORDERS"}"#), 5.0);
    assert_eq!(number(&text.body, r#"ferry_queue_puts_total{qmgr="QM1",queue="ORDERS"}"#), 5.0);
    let puts = r#"ferry_calls_total{qmgr="QM1",call="put",persistence="nonpersistent",result="done"}"#;
    assert_eq!(number(&text.body, puts), 5.0, "calls count from the start");
    assert_eq!(number(&text.body, r#"ferry_up{qmgr="QM1"}"#), 1.0);
    assert!(number(&text.body, r#"ferry_figures_age_seconds{qmgr="QM1"}"#) < 60.0);
    assert!(!text.body.contains("queue=\"SYSTEM."), "queues of the system have no series of their own");
    let open =
        get(place.http, "/metrics", "Accept: application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1\r\n");
    assert!(open.head.contains("content-type: application/openmetrics-text; version=1.0.0"), "{}", open.head);
    assert!(open.body.ends_with("# EOF\n") && open.body.contains("# TYPE ferry_calls counter"));
    let requests = r#"ferry_http_requests_total{qmgr="QM1",route="/metrics",status="200"}"#;
    assert_eq!(number(&open.body, requests), 1.0);
}

#[test]
fn familiar_names_are_on_a_page_of_their_own() {
    let place = start();
    let _program = program(&place);
    let page = get(place.http, "/metrics?names=ibmmq", "Accept: application/openmetrics-text\r\n");
    assert!(page.head.contains("text/plain; version=0.0.4"), "{}", page.head);
    assert_eq!(number(&page.body, r#"ibmmq_queue_depth{qmgr="QM1","#), 5.0);
    assert_eq!(number(&page.body, r#"ibmmq_qmgr_status{qmgr="QM1","#), 2.0);
    assert!(!page.body.contains("ferry_"));
    assert_eq!(get(place.http, "/metrics?names=other", "").status, 400);
    assert_eq!(get(place.http, "/metrics?depth=1", "").status, 400);
}

#[test]
fn a_page_says_when_the_queue_manager_is_gone_and_when_it_is_back() {
    let place = start();
    assert_eq!(number(&get(place.http, "/metrics", "").body, r#"ferry_up{qmgr="QM1"}"#), 1.0);
    place.server.stop(Mode::Immediate);
    place.server.wait();
    std::thread::sleep(Duration::from_millis(600));
    let page = get(place.http, "/metrics", "");
    assert_eq!((page.status, number(&page.body, r#"ferry_up{qmgr="QM1"}"#)), (200, 0.0));
    assert!(!page.body.contains("ferry_queue_depth"), "no old figures");
}

#[test]
fn requests_that_are_none_of_its_own_are_turned_away() {
    let place = start();
    for (request, expected) in [
        ("GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 421),
        ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 421),
        ("GET /metrics HTTP/1.1\r\nConnection: close\r\n\r\n", 421),
        ("GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
        ("GET /metrics%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404),
        ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", 405),
        ("nonsense\r\n\r\n", 400),
    ] {
        assert_eq!(ask(place.http, request).status, expected, "{request:?}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(64 << 10));
    let mut stream = TcpStream::connect(place.http).unwrap();
    // It may be ended while the rest is on its way.
    let _ = stream.write_all(long.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(get(place.http, "/metrics", "").status, 200, "it serves as before");
}

#[test]
fn an_address_that_others_could_reach_is_refused() {
    let source = Source::new("QM1", Options::to("127.0.0.1:1".parse().unwrap()));
    let refused = control::run(Listen::At("0.0.0.0:0".parse().unwrap()), source, |_| Ok(())).unwrap_err();
    assert!(refused.to_string().contains("it must be an address of this machine only"), "{refused}");
}

/// A request whose head does not end.
const ENDLESS_HEAD: &str = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

#[test]
fn heads_that_come_slowly_are_cut_off_and_leave_their_places_to_others() {
    let place = start();
    // As many as there are places.
    let mut slow: Vec<TcpStream> = (0..256)
        .map(|_| {
            let mut stream = TcpStream::connect(place.http).unwrap();
            stream.write_all(ENDLESS_HEAD.as_bytes()).unwrap();
            stream
        })
        .collect();
    let begun = std::time::Instant::now();
    assert_eq!(get(place.http, "/metrics", "").status, 200, "it waits for a place, and is served");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answer = Vec::new();
        // It may be told why before it is ended, or be cut off with its last bytes unread.
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"),
            "{:?}",
            String::from_utf8_lossy(&answer)
        );
    }
}

#[test]
fn bodies_that_nobody_asked_for_are_not_kept_and_end_their_connection() {
    let place = start();
    let head = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n";
    for more in ["", "Content-Encoding: gzip\r\n"] {
        let mut stream = TcpStream::connect(place.http).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(format!("{head}{more}\r\n").as_bytes()).unwrap();
        let chunk = [b"10000\r\n".as_slice(), &[0x1F; 0x10000], b"\r\n"].concat();
        let mut taken = 0_u64;
        // As long as it takes them; what it takes is bounded by what the system holds for a socket.
        while taken < 256 << 20 && stream.write_all(&chunk).is_ok() {
            taken += chunk.len() as u64;
        }
        assert!(taken < 256 << 20, "{more:?}: it took {taken} bytes of a body");
        assert_eq!(get(place.http, "/metrics", "").status, 200, "{more:?}");
    }
}

#[test]
fn a_program_that_speaks_another_http_is_turned_away_and_others_are_served() {
    let place = start();
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    // A frame that ends a stream, many times.
    let resets = [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8].repeat(10_000);
    let mut stream = TcpStream::connect(place.http).unwrap();
    stream.write_all(preface.as_bytes()).unwrap();
    // It may be ended while the rest is on its way.
    let _ = stream.write_all(&resets);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    for path in ["/..%2f..%2fetc/passwd", "/metrics/%2e%2e", &format!("/metrics/{}", "Q".repeat(49))] {
        assert_eq!(get(place.http, path, "").status, 404, "{path}");
    }
    assert_eq!(get(place.http, &format!("/metrics?names={}", "x".repeat(4_000)), "").status, 400);
    assert_eq!(get(place.http, "/metrics", "").status, 200);
}
