//! Floods of wrong passwords: the memory that they take, and the logins of others beside them.

use client::{Connection, Credentials, Options, Secret};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::Reason;

use crate::processes::Process;
use crate::running::{Place, command};

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

/// The resident bytes of a process.
fn resident(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().trim().parse::<usize>().unwrap() << 10
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
    let socket = format!("unix:{}", place.folder().join("socket").display());
    let mut owner = Connection::connect(Options::to(socket.parse().unwrap())).unwrap();
    command(
        &mut owner,
        "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) FAILDLAY(0) CHCKLOCL(OPTIONAL)",
    );
    let before = resident(process.id());
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
    let grown = resident(process.id()).saturating_sub(before);
    let blocks = (2 * cost.memory_kib as usize) << 10;
    assert!(grown < blocks + (10 << 20), "{} KiB for blocks of {} KiB", grown >> 10, blocks >> 10);
}
