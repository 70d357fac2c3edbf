//! A line: it carries bytes, knows nothing of them, and is cut where chance has it.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Arc, Weak, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;

use super::cut::{Cut, Manner};
use super::namespace::Namespace;

/// Most bytes that go over in one piece.
const PIECE_BYTES: usize = 16 << 10;
/// Pause between two looks for a caller.
const LOOK_EACH: Duration = Duration::from_millis(2);
/// A process of the same machine answers a call within this, or is not there.
const CALL_MAX: Duration = Duration::from_secs(2);

/// A cut that is due, and those that were made.
#[derive(Debug, Default)]
struct Fuse {
    due: Option<Cut>,
    cuts: u64,
}

impl Fuse {
    /// So many bytes are to go over: the part of them that still does, and the manner of the cut behind it.
    fn burn(&mut self, length: usize) -> Option<(usize, Manner)> {
        let cut = self.due.as_mut()?;
        if cut.after_bytes > length as u64 {
            cut.after_bytes -= length as u64;
            return None;
        }
        let cut = self.due.take()?;
        self.cuts += 1;
        Some((cut.after_bytes as usize, cut.manner))
    }
}

#[derive(Debug, Default)]
struct Shared {
    /// The port of the end that is called, which may change with each of its starts.
    to: AtomicU16,
    fuse: Mutex<Fuse>,
    links: Mutex<Vec<Weak<Link>>>,
    is_over: AtomicBool,
}

/// A connection over the line.
#[derive(Debug)]
struct Link {
    /// The end that called, and the one that was called.
    ends: [TcpStream; 2],
    is_silent: AtomicBool,
}

impl Link {
    fn cut(&self, manner: Manner) {
        // A socket that its end has closed cannot be cut any more.
        match manner {
            Manner::Closed => self.ends.iter().for_each(|end| drop(end.shutdown(Shutdown::Both))),
            Manner::Reset => {
                for end in &self.ends {
                    let _ = rustix::net::sockopt::set_socket_linger(end, Some(Duration::ZERO));
                }
                // Wakes the thread that reads there; the sockets are closed when both have left.
                self.ends.iter().for_each(|end| drop(end.shutdown(Shutdown::Read)));
            }
            Manner::Silent(time) => {
                self.is_silent.store(true, Ordering::Relaxed);
                thread::sleep(time);
                self.cut(Manner::Reset);
            }
        }
    }
}

/// A line; it ends when this is dropped.
#[derive(Debug)]
pub struct Line {
    shared: Arc<Shared>,
    /// The port at which it is called.
    pub port: u16,
    acceptor: Option<JoinHandle<()>>,
}

impl Line {
    /// One that is called in the one namespace and calls in the other.
    ///
    /// # Errors
    /// When it cannot listen.
    pub fn between(from: &Namespace, to: &Namespace) -> Result<Self, String> {
        let shared = Arc::new(Shared::default());
        let (told, tells) = mpsc::channel();
        let (from, to) = (from.clone(), to.clone());
        let serves = Arc::clone(&shared);
        let acceptor = thread::spawn(move || {
            // A socket stays in the namespace in which it was made.
            let listener = from.enter().and_then(|()| {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
                listener.set_nonblocking(true)?;
                to.enter()?;
                Ok((listener.local_addr()?.port(), listener))
            });
            match listener {
                Ok((port, listener)) => {
                    let _ = told.send(Ok(port));
                    serve(&listener, &serves);
                }
                Err(error) => drop(told.send(Err(format!("a line cannot listen: {error}")))),
            }
        });
        let port = tells.recv().map_err(|_| "a line ended at once".to_owned())??;
        Ok(Self { shared, port, acceptor: Some(acceptor) })
    }

    /// The end that is called listens at this port from now on.
    pub fn leads_to(&self, port: u16) {
        self.shared.to.store(port, Ordering::Relaxed);
    }

    /// Cuts the connection over which the last of so many bytes goes from now on. This replaces a cut that is
    /// due.
    pub fn cut_after(&self, cut: Cut) {
        self.shared.fuse.lock().due = Some(cut);
    }

    /// Returns the number of cuts made so far.
    #[must_use]
    pub fn cuts(&self) -> u64 {
        self.shared.fuse.lock().cuts
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(acceptor) = self.acceptor.take() {
            // It reports nothing.
            let _ = acceptor.join();
        }
    }
}

/// Takes calls until the line is over, then ends its connections.
fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut carriers: Vec<JoinHandle<()>> = Vec::new();
    while !shared.is_over.load(Ordering::Relaxed) {
        let Ok((caller, _)) = listener.accept() else {
            thread::sleep(LOOK_EACH);
            continue;
        };
        carriers.retain(|carrier| !carrier.is_finished());
        // A caller of an end that is away is hung up on.
        carriers.extend(connect(caller, shared).into_iter().flatten());
    }
    let links: Vec<_> = shared.links.lock().iter().filter_map(Weak::upgrade).collect();
    links.iter().for_each(|link| link.cut(Manner::Reset));
    drop(links);
    carriers.into_iter().for_each(|carrier| drop(carrier.join()));
}

/// Calls the other end, and carries bytes both ways.
fn connect(caller: TcpStream, shared: &Arc<Shared>) -> Option<[JoinHandle<()>; 2]> {
    let to = SocketAddr::from((Ipv4Addr::LOCALHOST, shared.to.load(Ordering::Relaxed)));
    let called = TcpStream::connect_timeout(&to, CALL_MAX).ok()?;
    caller.set_nonblocking(false).ok()?;
    let link = Arc::new(Link { ends: [caller, called], is_silent: AtomicBool::new(false) });
    let mut links = shared.links.lock();
    links.retain(|link| link.strong_count() > 0);
    links.push(Arc::downgrade(&link));
    Some([0, 1].map(|from| {
        let (link, shared) = (Arc::clone(&link), Arc::clone(shared));
        thread::spawn(move || carry(&link, from, &shared))
    }))
}

/// Carries bytes from one end of a link to the other, until an end or a cut.
fn carry(link: &Link, from: usize, shared: &Shared) {
    let (mut source, mut sink) = (&link.ends[from], &link.ends[1 - from]);
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = match source.read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(length) => length,
        };
        if link.is_silent.load(Ordering::Relaxed) {
            continue;
        }
        let cut = shared.fuse.lock().burn(length);
        let goes = cut.map_or(length, |(goes, _)| goes);
        let is_gone = sink.write_all(&piece[..goes]).is_err();
        if let Some((_, manner)) = cut {
            link.cut(manner);
            return;
        }
        if is_gone {
            break;
        }
    }
    // An end that has closed the connection, or was killed.
    if !link.is_silent.load(Ordering::Relaxed) {
        let _ = sink.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_carries_what_comes_before_its_cut_and_nothing_behind_it() {
        for (bytes, manner) in [(1, Manner::Reset), (7, Manner::Closed), (9, Manner::Silent(LOOK_EACH))] {
            let called = TcpListener::bind("127.0.0.1:0").unwrap();
            let line = Line::between(&Namespace::Own, &Namespace::Own).unwrap();
            line.leads_to(called.local_addr().unwrap().port());
            line.cut_after(Cut { after_bytes: bytes, manner });
            let mut caller = TcpStream::connect(("127.0.0.1", line.port)).unwrap();
            let (mut other, _) = called.accept().unwrap();
            caller.write_all(b"twelve bytes").unwrap();
            let mut come = Vec::new();
            let ended = other.read_to_end(&mut come);
            // A reset may take bytes with it that were not read.
            assert!(b"twelve bytes".starts_with(&come) && come.len() as u64 <= bytes, "{come:?}");
            match manner {
                Manner::Closed => assert_eq!((ended.ok(), come.len()), (Some(7), 7)),
                _ => assert!(ended.is_err(), "{manner:?}: {ended:?}"),
            }
            assert_eq!(line.cuts(), 1);
            // The next connection goes over it whole.
            let mut caller = TcpStream::connect(("127.0.0.1", line.port)).unwrap();
            let (mut other, _) = called.accept().unwrap();
            caller.write_all(b"again").unwrap();
            drop(caller);
            let mut come = String::new();
            other.read_to_string(&mut come).unwrap();
            assert_eq!(come, "again");
        }
    }
}
