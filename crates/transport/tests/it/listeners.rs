//! Binding: what is in the way, and what is said about it.

use std::net::TcpStream;
use std::os::unix::net::{UnixListener, UnixStream};

use transport::{Limits, ListenAddress, Listener, ListenerId};

use crate::lines::{eventually, loopback, receive, send, serve};

#[test]
fn a_port_in_use_is_named() {
    let first = loopback();
    let ListenAddress::Tcp(address) = first.bound() else { panic!("TCP") };
    let error = Listener::tcp(*address).unwrap_err().to_string();
    let port = address.port();
    let expected = format!(
        "port {port} of 127.0.0.1 is in use by another program or listener: end that one, or choose another port"
    );
    assert_eq!(error, expected);
}

#[test]
fn the_socket_of_a_killed_server_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    drop(UnixListener::bind(&path).unwrap());
    assert!(
        path.exists(),
        "a listener of the standard library leaves its path behind, as a killed server does"
    );
    Listener::unix(&path).unwrap();
}

#[test]
fn a_socket_somebody_answers_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let _holder = UnixListener::bind(&path).unwrap();
    let error = Listener::unix(&path).unwrap_err().to_string();
    assert!(error.starts_with("another program listens at "), "{error}");
    assert!(path.exists());
}

#[test]
fn a_listener_that_ends_removes_its_own_socket_and_no_other_of_its_name() {
    let directory = tempfile::tempdir().unwrap();
    let (folder, aside) = (directory.path().join("QM1"), directory.path().join("aside"));
    for make in [Listener::unix, Listener::rings] {
        std::fs::create_dir(&folder).unwrap();
        let path = folder.join("socket");
        let old = make(&path).unwrap();
        std::fs::rename(&folder, &aside).unwrap();
        std::fs::create_dir(&folder).unwrap();
        let new = make(&path).unwrap();
        drop(old);
        assert!(path.exists(), "the socket of the other one");
        drop(new);
        assert!(!path.exists());
        std::fs::remove_dir_all(&folder).unwrap();
        std::fs::remove_dir_all(&aside).unwrap();
    }
}

#[test]
fn a_file_in_the_way_is_not_removed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    std::fs::write(&path, "precious").unwrap();
    let error = Listener::unix(&path).unwrap_err().to_string();
    assert!(error.ends_with("is not a socket: move it elsewhere"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}

#[test]
fn a_path_too_long_for_a_socket_is_explained() {
    let path = std::path::PathBuf::from("/tmp").join("long".repeat(40)).join("socket");
    let error = Listener::unix(&path).unwrap_err().to_string();
    assert!(error.contains("at most 107 bytes"), "{error}");
}

#[test]
fn a_handler_is_told_by_which_listener_a_program_came_also_that_of_a_sibling() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let sibling = serve(Limits::default(), vec![], vec![]);
    let listeners = vec![loopback(), loopback(), Listener::unix(&path).unwrap()];
    let running = serve(Limits::default(), listeners, vec![sibling.remote.clone()]);
    let ListenAddress::Tcp(second) = running.bound[1] else { panic!("it is TCP") };
    let mut expected = Vec::new();
    for _ in 0..4 {
        let (mut one, mut other) = (TcpStream::connect(second).unwrap(), UnixStream::connect(&path).unwrap());
        send(&mut one, b"1");
        send(&mut other, b"2");
        assert_eq!((receive(&mut one), receive(&mut other)), (b"1".to_vec(), b"2".to_vec()));
        expected.extend([ListenerId(1), ListenerId(2)]);
    }
    let came = || [running.facts.came_by.lock().clone(), sibling.facts.came_by.lock().clone()];
    eventually("all have come", || came().concat().len() == 8);
    assert!(came().iter().all(|of_one| of_one.len() == 4), "each reactor has its share: {:?}", came());
    let mut all = came().concat();
    all.sort_unstable();
    expected.sort_unstable();
    assert_eq!(all, expected);
}
