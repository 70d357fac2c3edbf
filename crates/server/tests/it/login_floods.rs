//! Floods of wrong passwords: the memory that they take, and the logins of others beside them.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use client::{Connection, Credentials, Options, Secret};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::Reason;

use crate::processes::Process;
use crate::running::{Place, RIGHTS_OF_ALL, command, eventually};

const PASSWORD: &str = "tall giraffe";

/// A place with user `ada`, whose hash has this cost.
fn place_with_ada(cost: Cost) -> Place {
    let place = Place::with_settings("[errors]\nflood_max = 1000\n");
    std::fs::create_dir_all(place.folder().join("security")).unwrap();
    let mut users = Users::default();
    let memory = &mut HashMemory::default();
    users.add("ada", PASSWORD.as_bytes(), Vec::new(), &[7; 16], cost, memory).unwrap();
    UsersFile::at(place.folder().join("security/users.toml")).write(&users).unwrap();
    place
}

fn with_password(address: &str, user: &str, password: &str) -> Options {
    let secret = Secret::new(password.as_bytes().to_vec());
    let options = Options::to(address.parse().unwrap()).application("program").alone();
    options.credentials(Credentials::password(user, secret).unwrap())
}

/// The way of a login: over TCP or the local socket, with a password or a change of one.
fn wrong(place: &Place, address: &str, number: usize) -> Options {
    let user = if number.is_multiple_of(3) { "ada".to_owned() } else { format!("stranger{number}") };
    let socket = format!("unix:{}", place.folder().join("socket").display());
    match number % 4 {
        0 => with_password(&socket, &user, "wrong"),
        1 => {
            let secret = |text: &str| Secret::new(text.as_bytes().to_vec());
            let change = Credentials::change(&user, secret("wrong"), secret("new")).unwrap();
            with_password(address, &user, "").credentials(change)
        }
        _ => with_password(address, &user, "wrong"),
    }
}

#[test]
fn hundreds_of_wrong_passwords_leave_the_process_no_larger_than_one_block_for_each_thread() {
    let cost = Cost { memory_kib: 4 << 10, passes: 1 };
    let place = place_with_ada(cost);
    let process = Process::start(&place);
    let _owner = without_delay(&place);
    let before = process.resident_bytes();
    std::thread::scope(|scope| {
        for first in 0..10 {
            let (place, address) = (&place, process.address());
            scope.spawn(move || {
                for number in 0..10 {
                    let refused = Connection::connect(wrong(place, address, first * 10 + number));
                    let reason = refused.map(drop).map_err(|error| error.reason());
                    assert_eq!(reason, Err(Reason::NOT_AUTHORIZED));
                }
            });
        }
    });
    let grown = process.resident_bytes().saturating_sub(before);
    let blocks = (2 * u64::from(cost.memory_kib)) << 10;
    assert!(grown < blocks + (10 << 20), "{} KiB for blocks of {} KiB", grown >> 10, blocks >> 10);
}

/// Two hundred wrong passwords at a time, until the flood is dropped.
struct Flood {
    is_over: Arc<AtomicBool>,
    tried: Arc<AtomicUsize>,
    threads: Vec<JoinHandle<()>>,
}

impl Flood {
    fn begin(to: SocketAddr) -> Self {
        let (is_over, tried) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let threads = (0..200).map(|number| {
            let (is_over, tried) = (Arc::clone(&is_over), Arc::clone(&tried));
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    let options = with_password(&to.to_string(), &format!("stranger{number}"), "wrong");
                    let _ = Connection::connect(options);
                    tried.fetch_add(1, Ordering::Relaxed);
                }
            })
        });
        let threads = threads.collect();
        Self { is_over, tried, threads }
    }
}

impl Drop for Flood {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Has passwords judged without a delay, so that those of a flood come as fast as they are.
fn without_delay(place: &Place) -> Connection {
    let socket = format!("unix:{}", place.folder().join("socket").display());
    let mut owner = Connection::connect(Options::to(socket.parse().unwrap())).unwrap();
    command(
        &mut owner,
        "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) FAILDLAY(0) CHCKLOCL(OPTIONAL)",
    );
    for text in RIGHTS_OF_ALL {
        command(&mut owner, text);
    }
    owner
}

#[test]
fn a_user_who_was_right_before_is_let_in_at_once_beside_two_hundred_wrong_passwords_at_a_time() {
    let place = place_with_ada(Cost::USUAL);
    let server = place.start();
    let _owner = without_delay(&place);
    let to = server.address().unwrap();
    let log_in = || {
        let began = Instant::now();
        let connected = Connection::connect(with_password(&to.to_string(), "ada", PASSWORD));
        connected.map(|_| began.elapsed()).unwrap()
    };
    let alone = log_in();
    let flood = Flood::begin(to);
    eventually("the flood is there", || flood.tried.load(Ordering::Relaxed) > 50);
    let mut took = Vec::new();
    for _ in 0..5 {
        // The proof that is kept is forgotten, and the fact that she was right is not.
        forget_proofs(&place);
        took.push(log_in());
    }
    took.sort_unstable();
    let before = flood.tried.load(Ordering::Relaxed);
    let began = Instant::now();
    eventually("strangers go on", || flood.tried.load(Ordering::Relaxed) > before + 100);
    let of_two_hundred = began.elapsed() * 2;
    // In order of arrival it waits for all two hundred; beside more than two processors for a second.
    let median = took[took.len() / 2];
    assert!(median < of_two_hundred / 4, "{took:?} beside {of_two_hundred:?}, alone {alone:?}");
    let bound = Duration::from_secs(1).max(alone * 12);
    assert!(median < bound, "{took:?}, alone {alone:?}");
}

/// Has the file of users read again, which forgets what was proved.
fn forget_proofs(place: &Place) {
    let file = UsersFile::at(place.folder().join("security/users.toml"));
    let users = file.read().unwrap();
    file.write(&users).unwrap();
}

#[test]
fn a_login_that_was_proved_lately_waits_for_no_thread() {
    let place = place_with_ada(Cost::LEAST);
    let mut users = UsersFile::at(place.folder().join("security/users.toml")).read().unwrap();
    // A hash that takes both threads a long time.
    let slow = Cost { memory_kib: 16 << 10, passes: 1 };
    let memory = &mut HashMemory::default();
    users.add("slow", PASSWORD.as_bytes(), Vec::new(), &[7; 16], slow, memory).unwrap();
    let text = users.text().replace("m=16384,t=1", "m=131072,t=16");
    UsersFile::at(place.folder().join("security/users.toml")).write(&Users::read(&text).unwrap()).unwrap();
    let server = place.start();
    let _owner = without_delay(&place);
    let to = server.address().unwrap().to_string();
    let socket = format!("unix:{}", place.folder().join("socket").display());
    Connection::connect(with_password(&to, "ada", PASSWORD)).unwrap();
    let is_over = Arc::<AtomicBool>::default();
    let slow: Vec<_> = (0..2)
        .map(|_| {
            let (to, is_over) = (to.clone(), Arc::clone(&is_over));
            std::thread::spawn(move || {
                let refused = Connection::connect(with_password(&to, "slow", "wrong"));
                is_over.store(true, Ordering::Relaxed);
                refused.map(drop).unwrap_err().reason()
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(200));
    for way in [&to, &socket] {
        Connection::connect(with_password(way, "ada", PASSWORD)).unwrap();
    }
    assert!(!is_over.load(Ordering::Relaxed), "the threads were busy all the while");
    // Another password of hers takes its turn behind them.
    let refused = Connection::connect(with_password(&to, "ada", "wrong"));
    assert_eq!(refused.map(drop).unwrap_err().reason(), Reason::NOT_AUTHORIZED);
    eventually("one of the threads was free", || is_over.load(Ordering::Relaxed));
    for thread in slow {
        assert_eq!(thread.join().unwrap(), Reason::NOT_AUTHORIZED);
    }
}
