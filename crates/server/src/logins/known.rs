//! Programs and partners that were let in, kept to be judged as if logins and requests were judged.
//!
//! Lives elsewhere: the judgement (`judge`), the words for an administrator (the engine).
//!
//! Always: those that are connected are kept, and of the others the last [`LEFT_MAX`]; logins that nothing
//! distinguishes are one; nothing is kept of a password, and nothing outlives the process. A connection that
//! asked for them is left out of its own answer, and is not kept once it has ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use agents::{Login, Standing};
use identity::login;
use objects::harmless::harmless;
use parking_lot::Mutex;
use queue_manager::{CLIENT_CHANNEL, ConnAuth, JudgedLogin, LoginNumber};

use super::judge::LoginJudge;

/// Most programs and partners that are kept while they are not connected. Their names are bounded by the
/// frames that carry them: some hundred bytes each, some thousand with a certificate.
const LEFT_MAX: usize = 1_000;

/// Programs kept beyond the bound until the oldest are dropped together, so that no login counts them all.
const DROPPED_AT_ONCE: usize = 250;

/// The programs and partners that were let in.
#[derive(Default)]
pub(super) struct KnownLogins {
    by_facts: BTreeMap<Facts, Known>,
    last: u64,
    /// The number of programs at which the oldest are dropped.
    full: usize,
}

/// The facts by which a login is judged, and the name of its program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Facts {
    channel: String,
    asserted: String,
    proved: Option<String>,
    local: Option<String>,
    address: Option<std::net::IpAddr>,
    /// The names in the certificate: subject and issuer.
    certificate: Option<(String, String)>,
    queue_manager: Option<String>,
    application: String,
}

struct Known {
    login: Login,
    /// The order of logins: a later one is greater.
    last: u64,
    /// Shared with each connection that is there.
    connections: Arc<Mutex<Connections>>,
}

/// The connections with the same facts.
#[derive(Default)]
struct Connections {
    /// The numbers of the connected, each true once it has asked for the logins.
    connected: BTreeMap<LoginNumber, bool>,
    /// One that never asked has ended.
    has_left: bool,
}

impl Connections {
    /// Returns true where another connection than this is there.
    fn has_others(&self, than: Option<LoginNumber>) -> bool {
        self.connected.keys().any(|number| Some(*number) != than)
    }
}

impl Known {
    fn is_connected(&self) -> bool {
        self.connections.lock().has_others(None)
    }
}

/// A login that was let in.
pub(super) struct KnownLogin {
    login: Login,
    /// The user that was proved.
    proved: Option<String>,
    is_connected: bool,
}

/// The presence of a connection.
struct Present {
    number: LoginNumber,
    connections: Arc<Mutex<Connections>>,
    standing: Option<Arc<dyn Standing>>,
}

impl Standing for Present {
    fn holds(&self) -> bool {
        self.standing.as_ref().is_none_or(|standing| standing.holds())
    }

    fn number(&self) -> Option<LoginNumber> {
        Some(self.number)
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut connections = self.connections.lock();
        let has_asked = connections.connected.remove(&self.number);
        connections.has_left |= has_asked == Some(false);
    }
}

impl KnownLogins {
    /// Keeps a login that was let in, as long as its connection has what is returned at least.
    pub(super) fn note(
        &mut self,
        login: &Login,
        proved: Option<&str>,
        standing: Option<Arc<dyn Standing>>,
    ) -> Arc<dyn Standing> {
        let names = login.encryption.certificate();
        let facts = Facts {
            channel: login.channel.clone(),
            asserted: login.asserted.clone(),
            proved: proved.map(str::to_owned),
            local: login.local.as_ref().map(|user| user.name.clone()),
            address: login.address,
            certificate: names.map(|names| (names.subject.to_string(), names.issuer.to_string())),
            queue_manager: login.queue_manager.clone(),
            application: login.application.clone(),
        };
        self.last += 1;
        let known = self.by_facts.entry(facts).or_insert_with(|| Known {
            login: Login { credentials: None, ..login.clone() },
            last: 0,
            connections: Arc::default(),
        });
        known.last = self.last;
        let (number, connections) = (LoginNumber(self.last), Arc::clone(&known.connections));
        connections.lock().connected.insert(number, false);
        if self.by_facts.len() > self.full.max(LEFT_MAX + DROPPED_AT_ONCE) {
            self.drop_oldest();
        }
        Arc::new(Present { number, connections, standing })
    }

    /// Drops the programs that left longest ago, beyond the bound.
    fn drop_oldest(&mut self) {
        let left = self.by_facts.values().filter(|known| !known.is_connected());
        let mut left: Vec<u64> = left.map(|known| known.last).collect();
        left.sort_unstable();
        let dropped = left.len().saturating_sub(LEFT_MAX);
        if let Some(first_kept) = left.get(dropped) {
            self.by_facts.retain(|_, known| known.is_connected() || known.last >= *first_kept);
        }
        self.full = self.by_facts.len() + DROPPED_AT_ONCE;
    }

    /// The logins but that of the asker, the last first.
    pub(super) fn all(&self, asker: Option<LoginNumber>) -> Vec<KnownLogin> {
        let mut all: Vec<(&Facts, &Known)> = self.by_facts.iter().collect();
        all.sort_unstable_by_key(|(_, known)| std::cmp::Reverse(known.last));
        let known = |(facts, known): (&Facts, &Known)| {
            let mut connections = known.connections.lock();
            if let Some(has_asked) = asker.and_then(|asker| connections.connected.get_mut(&asker)) {
                *has_asked = true;
            }
            let is_connected = connections.has_others(asker);
            (is_connected || connections.has_left).then(|| KnownLogin {
                login: known.login.clone(),
                proved: facts.proved.clone(),
                is_connected,
            })
        };
        all.into_iter().filter_map(known).collect()
    }
}

impl LoginJudge {
    /// The verdict on a login that was let in before, by the rules as they are now; as if there were a user,
    /// key or authority record, where `is_judging` says so.
    pub(super) fn judge_known(&self, known: &KnownLogin, is_judging: bool) -> JudgedLogin {
        let KnownLogin { login, proved, .. } = known;
        let credentials = match proved {
            Some(user) => login::Credentials::Proved(user),
            None => login::Credentials::None,
        };
        let terms = match self.queue_manager.logins().conn_auth() {
            Ok(terms) => Ok(terms),
            Err(_) if login.local.is_some() => Ok(ConnAuth::NONE),
            Err(error) => Err(error.to_string()),
        };
        let verdict = terms.and_then(|terms| {
            let records = self.rules_when(is_judging, login);
            self.decide_by(records.as_deref(), login, &terms, credentials).0.map_err(|denial| denial.cause)
        });
        let channel = if login.channel.is_empty() { CLIENT_CHANNEL } else { &login.channel };
        JudgedLogin { channel: channel.to_owned(), words: known.words(), verdict }
    }
}

impl KnownLogin {
    /// The program or partner, its user and its origin.
    fn words(&self) -> String {
        let Self { login, proved, is_connected } = self;
        let local = login.local.as_ref().map(|user| &user.name);
        let user = proved.as_ref().or(local).unwrap_or(&login.asserted);
        let mut words = match (&login.queue_manager, login.application.as_str()) {
            (Some(name), _) => format!("queue manager {name}"),
            (None, "") => "a program".to_owned(),
            (None, application) => format!("program {application}"),
        };
        if login.queue_manager.is_none() {
            words += &if user.is_empty() { " without a user".to_owned() } else { format!(" of user {user}") };
        }
        if let Some(names) = login.encryption.certificate() {
            words += &format!(" with certificate {}", names.subject);
        }
        if !login.channel.is_empty() {
            words += &format!(" by channel {}", login.channel);
        }
        match (login.address, &login.local) {
            (Some(address), _) => words += &format!(" from {}", address.to_canonical()),
            (None, Some(_)) => words += " by the local socket",
            (None, None) => {}
        }
        // Names that programs and certificates say go into answers and logs.
        let words = harmless(&words).into_owned();
        words + if *is_connected { " (connected)" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queue_manager::Caller;

    fn login(application: usize) -> Login {
        Login {
            local: None,
            address: "192.0.2.7".parse().ok(),
            encryption: Default::default(),
            is_by_network: true,
            caller: Caller::Program,
            wanted: String::new(),
            channel: "APP.SVRCONN".to_owned(),
            asserted: "ada".to_owned(),
            credentials: None,
            queue_manager: None,
            application: format!("app{application}"),
        }
    }

    #[test]
    fn the_connected_and_the_last_that_left_are_kept_and_no_more() {
        let mut known = KnownLogins::default();
        let connected: Vec<_> = (0..300).map(|number| known.note(&login(number), None, None)).collect();
        for number in 300..10_000 {
            drop(known.note(&login(number), None, None));
            assert!(known.by_facts.len() <= 300 + LEFT_MAX + 2 * DROPPED_AT_ONCE, "{number}");
        }
        let all = known.all(None);
        assert_eq!(all.iter().filter(|known| known.is_connected).count(), 300);
        assert_eq!(all[0].login.application, "app9999", "the last comes first");
        let last: Vec<String> =
            all.iter().take(LEFT_MAX).map(|known| known.login.application.clone()).collect();
        assert_eq!(last[LEFT_MAX - 1], format!("app{}", 10_000 - LEFT_MAX));
        drop(connected);
        (0..1_000).for_each(|number| drop(known.note(&login(20_000 + number), None, None)));
        assert!(known.by_facts.len() <= LEFT_MAX + 2 * DROPPED_AT_ONCE + 300, "{}", known.by_facts.len());
    }

    #[test]
    fn logins_that_nothing_distinguishes_are_one_and_connected_while_any_is() {
        let mut known = KnownLogins::default();
        let (first, second) = (known.note(&login(1), None, None), known.note(&login(1), None, None));
        drop(first);
        let is_connected =
            |known: &KnownLogins| known.all(None).iter().map(|it| it.is_connected).collect::<Vec<_>>();
        assert_eq!(is_connected(&known), [true]);
        drop(second);
        assert_eq!(is_connected(&known), [false]);
        drop(known.note(&login(1), Some("ada"), None));
        assert_eq!(known.all(None).len(), 2, "a proof makes another");
    }

    #[test]
    fn a_connection_that_asks_is_left_out_and_no_other_that_looks_like_it() {
        let mut known = KnownLogins::default();
        let states = |known: &KnownLogins, asker: Option<&Arc<dyn Standing>>| -> Vec<bool> {
            let asker = asker.and_then(|asker| asker.number());
            known.all(asker).iter().map(|it| it.is_connected).collect()
        };
        let asker = known.note(&login(1), None, None);
        assert_eq!(states(&known, None), [true], "others are told of it while it is connected");
        assert_eq!(states(&known, Some(&asker)), [false; 0]);
        let twin = known.note(&login(1), None, None);
        assert_eq!(states(&known, Some(&asker)), [true]);
        drop(asker);
        assert_eq!(states(&known, None), [true]);
        drop(twin);
        assert_eq!(states(&known, None), [false], "the twin left and never asked");
        let again = known.note(&login(1), None, None);
        assert_eq!(states(&known, Some(&again)), [false], "it left before, connected it is not");
        let alone = known.note(&login(2), None, None);
        assert_eq!(states(&known, Some(&alone)), [true]);
        drop(alone);
        assert_eq!(states(&known, None), [true], "one that asked is not kept once it has ended");
    }

    #[test]
    fn a_login_is_named_by_all_that_an_administrator_knows_of_it() {
        let partner = Login { queue_manager: Some("QM2".to_owned()), ..login(1) };
        let nameless =
            Login { asserted: String::new(), channel: String::new(), application: String::new(), ..login(1) };
        let hostile = Login { application: "a\n\u{1b}[2JFRY0000I".to_owned(), ..login(1) };
        for (login, proved, expected) in [
            (
                &hostile,
                None,
                "program a\\n\\u{1b}[2JFRY0000I of user ada by channel APP.SVRCONN from 192.0.2.7 (connected)",
            ),
            (&login(1), None, "program app1 of user ada by channel APP.SVRCONN from 192.0.2.7 (connected)"),
            (
                &login(1),
                Some("bob"),
                "program app1 of user bob by channel APP.SVRCONN from 192.0.2.7 (connected)",
            ),
            (&partner, None, "queue manager QM2 by channel APP.SVRCONN from 192.0.2.7 (connected)"),
            (&nameless, None, "a program without a user from 192.0.2.7 (connected)"),
        ] {
            let (login, proved) = (login.clone(), proved.map(str::to_owned));
            assert_eq!(KnownLogin { login, proved, is_connected: true }.words(), expected);
        }
    }
}
