//! A relay between client and server that can be cut, or told to swallow what the server answers.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

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
                std::thread::spawn(move || relay(&client, &server, &one.withholds));
                std::thread::spawn(move || relay(&server_too, &client_too, &two.swallows));
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

fn relay(mut from: &TcpStream, mut to: &TcpStream, is_held: &AtomicBool) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(bytes @ 1..) = from.read(&mut buffer) {
        if !is_held.load(Ordering::SeqCst) && to.write_all(&buffer[..bytes]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
