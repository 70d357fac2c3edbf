//! A relay between client and server that can be cut, or told to swallow what the server answers.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub(crate) struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    open: Mutex<Vec<TcpStream>>,
    /// Answers are not passed on.
    swallows: AtomicBool,
    /// Requests are not passed on.
    withholds: AtomicBool,
    has_ended: AtomicBool,
    /// Pieces that came from clients.
    requests: AtomicUsize,
    /// Pieces that were not passed on.
    held: AtomicUsize,
}

impl Proxy {
    pub(crate) fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let of_thread = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if of_thread.has_ended.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
                    continue;
                };
                let mut open = of_thread.open.lock().unwrap();
                for stream in [&client, &server] {
                    stream.set_nodelay(true).unwrap();
                    open.push(stream.try_clone().unwrap());
                }
                let (client_too, server_too) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let (one, two) = (Arc::clone(&of_thread), Arc::clone(&of_thread));
                std::thread::spawn(move || {
                    relay(&client, &server, &one.withholds, &one.held, Some(&one.requests))
                });
                std::thread::spawn(move || relay(&server_too, &client_too, &two.swallows, &two.held, None));
            }
        });
        Self { port: own, state }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Breaks all connections; new ones are served.
    pub(crate) fn cut(&self) {
        for stream in self.state.open.lock().unwrap().drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.state.swallows.store(false, Ordering::SeqCst);
        self.state.withholds.store(false, Ordering::SeqCst);
    }

    /// How many pieces came from clients: as many as they wrote, while each waits for an answer.
    pub(crate) fn requests(&self) -> usize {
        self.state.requests.load(Ordering::SeqCst)
    }

    /// Waits until something was not passed on.
    pub(crate) fn wait_until_held(&self) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.state.held.swap(0, Ordering::SeqCst) == 0 {
            assert!(Instant::now() < until, "nothing came to be held");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(crate) fn swallow_answers(&self) {
        self.state.swallows.store(true, Ordering::SeqCst);
    }

    pub(crate) fn withhold_requests(&self) {
        self.state.withholds.store(true, Ordering::SeqCst);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.has_ended.store(true, Ordering::SeqCst);
        self.cut();
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn relay(
    mut from: &TcpStream,
    mut to: &TcpStream,
    is_held: &AtomicBool,
    held: &AtomicUsize,
    pieces: Option<&AtomicUsize>,
) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(bytes @ 1..) = from.read(&mut buffer) {
        if let Some(pieces) = pieces {
            pieces.fetch_add(1, Ordering::SeqCst);
        }
        if is_held.load(Ordering::SeqCst) {
            held.fetch_add(1, Ordering::SeqCst);
        } else if to.write_all(&buffer[..bytes]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
