//! A relay between client and server that can be cut, told to swallow or to spoil what the server answers, or
//! to bring what clients ask late: after they are gone.

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
    /// The two ends of each connection, the client's first.
    open: Mutex<Vec<[TcpStream; 2]>>,
    /// All that clients wrote, piece by piece.
    written: Mutex<Vec<Vec<u8>>>,
    /// Requests are kept for later.
    delays: AtomicBool,
    /// Where they belong, and what they are.
    delayed: Mutex<Vec<(TcpStream, Vec<u8>)>>,
    /// Pieces that came from servers.
    answers: AtomicUsize,
    /// Answers are not passed on.
    swallows: AtomicBool,
    /// Bytes in answers, and their replacement of the same length.
    spoils: Mutex<Option<[Vec<u8>; 2]>>,
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
                let ends = [&client, &server].map(|stream| {
                    stream.set_nodelay(true).unwrap();
                    stream.try_clone().unwrap()
                });
                of_thread.open.lock().unwrap().push(ends);
                let (client_too, server_too) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let (one, two) = (Arc::clone(&of_thread), Arc::clone(&of_thread));
                std::thread::spawn(move || relay_requests(&client, &server, &one));
                std::thread::spawn(move || relay_answers(&server_too, &client_too, &two));
            }
        });
        Self { port: own, state }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Breaks all connections; new ones are served, also one that a client makes at once: it waits for the
    /// lock until nothing is kept back any more.
    pub(crate) fn cut(&self) {
        let mut open = self.state.open.lock().unwrap();
        for stream in open.drain(..).flatten() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.state.swallows.store(false, Ordering::SeqCst);
        self.state.withholds.store(false, Ordering::SeqCst);
    }

    /// Number of pieces that came from clients: as many as they wrote, while each waits for an answer.
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

    /// Number of connections since the last cut.
    pub(crate) fn connections(&self) -> usize {
        self.state.open.lock().unwrap().len()
    }

    /// Bytes that the clients wrote, piece by piece.
    pub(crate) fn written(&self) -> Vec<Vec<u8>> {
        self.state.written.lock().unwrap().clone()
    }

    pub(crate) fn delay_requests(&self) {
        self.state.delays.store(true, Ordering::SeqCst);
    }

    /// Breaks the connections of clients, which the server does not see; new ones are served.
    pub(crate) fn cut_off_clients(&self) {
        self.state.delays.store(false, Ordering::SeqCst);
        for [client, _] in self.state.open.lock().unwrap().iter() {
            let _ = client.shutdown(Shutdown::Both);
        }
    }

    /// Brings what was delayed to the server, and waits until it has answered that.
    pub(crate) fn deliver_delayed(&self) {
        let answers = self.state.answers.load(Ordering::SeqCst);
        for (mut server, bytes) in self.state.delayed.lock().unwrap().drain(..) {
            server.write_all(&bytes).unwrap();
        }
        let until = Instant::now() + Duration::from_secs(20);
        while self.state.answers.load(Ordering::SeqCst) == answers {
            assert!(Instant::now() < until, "what came late is not answered");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub(crate) fn swallow_answers(&self) {
        self.state.swallows.store(true, Ordering::SeqCst);
    }

    /// Changes what comes from servers: `from` becomes `to`, which is as long.
    pub(crate) fn spoil_answers(&self, from: &[u8], to: &[u8]) {
        assert_eq!(from.len(), to.len());
        *self.state.spoils.lock().unwrap() = Some([from.to_vec(), to.to_vec()]);
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

fn relay_requests(mut client: &TcpStream, mut server: &TcpStream, state: &State) {
    let mut buffer = [0; 64 * 1024];
    let mut is_delayed = false;
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        let bytes = &buffer[..count];
        state.requests.fetch_add(1, Ordering::SeqCst);
        state.written.lock().unwrap().push(bytes.to_vec());
        if state.delays.load(Ordering::SeqCst) {
            is_delayed = true;
            state.delayed.lock().unwrap().push((server.try_clone().unwrap(), bytes.to_vec()));
            state.held.fetch_add(1, Ordering::SeqCst);
        } else if state.withholds.load(Ordering::SeqCst) {
            state.held.fetch_add(1, Ordering::SeqCst);
        } else if server.write_all(bytes).is_err() {
            break;
        }
    }
    // What is still to come keeps the server's side open.
    if !is_delayed {
        let _ = server.shutdown(Shutdown::Both);
    }
    let _ = client.shutdown(Shutdown::Both);
}

fn relay_answers(mut server: &TcpStream, mut client: &TcpStream, state: &State) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        state.answers.fetch_add(1, Ordering::SeqCst);
        if let Some([from, to]) = &*state.spoils.lock().unwrap()
            && let Some(place) = buffer[..count].windows(from.len()).position(|bytes| bytes == from)
        {
            buffer[place..place + to.len()].copy_from_slice(to);
        }
        if state.swallows.load(Ordering::SeqCst) {
            state.held.fetch_add(1, Ordering::SeqCst);
        } else if client.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    let _ = server.shutdown(Shutdown::Both);
}
