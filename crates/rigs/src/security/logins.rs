//! S7: guesses of passwords, names that are nearly right, and the time that an answer takes.
//!
//! Every wrong login is told 2035 in the same words, a second later at the earliest, and two seconds after
//! the second guess of the same name; whether a name exists cannot be told from the time. Hashes are those of
//! a queue manager as shipped. Controls: the right password is let in without that delay, which the
//! comparison of times sees at once.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use channel::{Hello, Kind};
use client::{Connection, Options};
use mqi::Reason;
use platform::simulated::Random;

use super::super::installation::Broken;
use super::super::{Outcome, Size};
use super::secured::{Secured, add_user, credentials, opening, refusal, socket};
use super::timing::welch;

/// The least time until a wrong login is answered, and until the second of the same name is.
const DELAY_MIN: Duration = Duration::from_secs(1);
/// The comparison of times sees a difference beyond this.
const T_MAX: f64 = 4.5;
/// Guesses at once: a machine of two processors is not the subject.
const TOGETHER: usize = 8;
/// Names that exist, and as many that do not, that are guessed for each ten cases.
const NAMES_MIN: usize = 16;
const PASSWORD: &str = "Open sesame 7";
const CHANNEL: &str = "LOGINS";

/// Users whose names are nearly each other's.
const USERS: [&str; 3] = ["ada.lovelac1", "ada.lovelac2", "alice"];

/// Names and passwords that are nearly right. Names that begin alike are users of their own.
const NEARLY: [(&str, &str); 11] = [
    ("Alice", PASSWORD),
    ("ALICE", PASSWORD),
    ("alice ", PASSWORD),
    (" alice", PASSWORD),
    // A letter of another alphabet that looks like an a.
    ("\u{430}lice", PASSWORD),
    ("ada.lovelac", PASSWORD),
    ("ada.lovelac3", PASSWORD),
    ("alice", "open sesame 7"),
    ("alice", "Open sesame 7 "),
    ("alice", " Open sesame 7"),
    ("alice\0", PASSWORD),
];

/// Guesses, as many as there are cases.
#[must_use]
pub fn guesses(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    if let Err(problem) = run(ferry, folder, size, &mut outcome) {
        outcome.case("logins", Err(problem));
    }
    outcome
}

fn run(ferry: &Path, folder: &Path, size: Size, outcome: &mut Outcome) -> Result<(), Broken> {
    let count = usize::try_from(size.cases).unwrap_or(usize::MAX).max(NAMES_MIN);
    let known: Vec<String> = (0..count / 2).map(|number| format!("known{number}")).collect();
    let mut secured = Secured::start(ferry, folder, "[errors]\nflood_max = 100\n", |installation| {
        USERS.iter().try_for_each(|user| add_user(installation, user, PASSWORD))?;
        known.iter().try_for_each(|user| add_user(installation, user, PASSWORD))
    })?;
    secured.tell_all(&[
        &format!("DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVRCONN)"),
        &format!(
            "SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"
        ),
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
    ])?;
    let options = secured.options(CHANNEL);
    for user in USERS {
        let right = Connection::connect(options.clone().credentials(credentials(user, PASSWORD)?));
        outcome.case(&format!("control: {user}"), right.map(drop).map_err(|error| error.to_string()));
    }
    let guesses: Vec<(String, String)> =
        NEARLY.iter().map(|(user, password)| ((*user).to_owned(), (*password).to_owned())).collect();
    let told = together(&options, &guesses)?;
    for (name, told) in guesses.iter().zip(&told) {
        outcome.case(&format!("{name:?}"), told.judge());
    }
    let words: Vec<&str> = told.iter().map(Told::words).collect();
    let same = if words.windows(2).all(|pair| pair[0] == pair[1]) { Ok(()) } else { Err(words.join(" | ")) };
    outcome.case("the same words", same);
    outcome.case("a second guess", second_guess(&options));
    outcome.case("a password of a mebibyte", endless(secured.server.port()));
    compare(&options, &known, size.seed, outcome)?;
    let lives = if secured.server.lives() { Ok(()) } else { Err("it ended".to_owned()) };
    outcome.case("the queue manager", lives);
    secured.end();
    Ok(())
}

/// The answer to a guess.
struct Told {
    reason: Reason,
    text: String,
    after: Duration,
}

impl Told {
    fn judge(&self) -> Result<(), Broken> {
        if self.reason != Reason::NOT_AUTHORIZED || self.after < DELAY_MIN {
            return Err(format!("{} after {:.2?}: {}", self.reason, self.after, self.text));
        }
        Ok(())
    }

    /// The words behind the address.
    fn words(&self) -> &str {
        self.text.split_once(" refuses ").map_or(&self.text, |(_, words)| words)
    }
}

fn guess(options: Options, user: &str, password: &str) -> Result<Told, Broken> {
    let options = options.credentials(credentials(user, password)?);
    let begun = Instant::now();
    let (reason, text) = refusal(options).map_err(|told| format!("{user:?}: {told}"))?;
    Ok(Told { reason, text, after: begun.elapsed() })
}

/// Makes guesses, some at once, in this order.
fn together(options: &Options, guesses: &[(String, String)]) -> Result<Vec<Told>, Broken> {
    let mut told = Vec::new();
    for some in guesses.chunks(TOGETHER) {
        let answers: Vec<_> = some
            .iter()
            .map(|(user, password)| {
                let (options, user, password) = (options.clone(), user.clone(), password.clone());
                thread::spawn(move || guess(options, &user, &password))
            })
            .collect();
        for answer in answers {
            told.push(answer.join().map_err(|_| "a guess panicked".to_owned())??);
        }
    }
    Ok(told)
}

/// The next guess of a name is answered twice as late.
fn second_guess(options: &Options) -> Result<(), Broken> {
    for delay in [DELAY_MIN, 2 * DELAY_MIN] {
        let told = guess(options.clone(), "twice", PASSWORD)?;
        if told.after < delay {
            return Err(format!("it is answered after {:.2?}", told.after));
        }
    }
    Ok(())
}

/// A password that is longer than a frame may be is closed by its length, before it is there.
fn endless(port: u16) -> Result<(), Broken> {
    use std::io::{Read as _, Write as _};
    let hello = Hello { identifies: true, channel: CHANNEL.to_owned(), ..Hello::default() };
    let mut bytes = opening(&hello);
    bytes.extend((1_u32 << 20).to_le_bytes());
    bytes.extend([Kind::Identify as u8, 0, 0, 0, 0, 0, 0, 0]);
    let mut one = socket(port)?;
    one.write_all(&bytes).map_err(|error| error.to_string())?;
    let begun = Instant::now();
    // A reset is an end as well.
    let _ = one.read_to_end(&mut Vec::new());
    let took = begun.elapsed();
    if took < DELAY_MIN { Ok(()) } else { Err(format!("it is closed after {took:.1?}")) }
}

/// Compares the times of names that exist with those of names that do not.
fn compare(options: &Options, known: &[String], seed: u64, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut random = Random::stream(seed, "S7");
    let mut guesses: Vec<(String, String)> = Vec::new();
    for (number, user) in known.iter().enumerate() {
        let pair = [user.clone(), format!("unknown{number}")];
        let first = random.index(2);
        guesses.extend([first, 1 - first].map(|one| (pair[one].clone(), format!("guess {number}"))));
    }
    let told = together(options, &guesses)?;
    let (mut there, mut absent) = (Vec::new(), Vec::new());
    for ((user, _), told) in guesses.iter().zip(&told) {
        outcome.case(&format!("a guess of {user}"), told.judge());
        if user.starts_with("unknown") { absent.push(told.after) } else { there.push(told.after) }
    }
    let t = welch(&there, &absent);
    let alike = if t.abs() < T_MAX { Ok(()) } else { Err(format!("they are told apart: t = {t:.1}")) };
    outcome.case("names that exist and names that do not", alike);
    let mut right = Vec::new();
    for user in known {
        let options = options.clone().credentials(credentials(user, PASSWORD)?);
        let begun = Instant::now();
        drop(Connection::connect(options).map_err(|error| format!("{user}: {error}"))?);
        right.push(begun.elapsed());
    }
    let sees = welch(&there, &right);
    let control = if sees > T_MAX { Ok(()) } else { Err(format!("t = {sees:.1}")) };
    outcome.case("control: right passwords are told apart from wrong ones", control);
    outcome.note(format!(
        "{} guesses; t = {t:.2} for names that exist against others, {sees:.0} for wrong passwords against right ones",
        guesses.len()
    ));
    Ok(())
}
