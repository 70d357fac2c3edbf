//! Binding: what is in the way, and what is said about it.

use std::os::unix::net::UnixListener;

use transport::{Bound, Listener};

use crate::lines::loopback;

#[test]
fn a_port_in_use_is_named() {
    let first = loopback();
    let Bound::Tcp(address) = first.bound() else { panic!("TCP") };
    let error = Listener::tcp(*address).unwrap_err().to_string();
    let port = address.port();
    let expected = format!(
        "port {port} of 127.0.0.1 is in use by another program: end that program, or choose another port"
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
