//! Connections that are there, judged again by what holds now.

use std::time::Duration;

use client::{Connection, Credentials, Options, Secret};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::{GetFlags, ObjectDescriptor, OpenOptions, Reason, SubscribeOptions, SubscriptionDescriptor, Verbs};
use server::Server;

use crate::running::{Place, RIGHTS_OF_ALL, command, eventually, get, open};

const PASSWORD: &str = "a password";

/// A queue manager with the user `ada`, in the groups that are said, and its administrator.
struct WithAda {
    place: Place,
    server: Server,
    administrator: Connection,
}

fn users(groups: &[&str]) -> Users {
    let mut users = Users::default();
    let groups = groups.iter().map(|group| (*group).to_owned()).collect();
    users.add("ada", PASSWORD.as_bytes(), groups, &[7; 16], Cost::LEAST, &mut HashMemory::default()).unwrap();
    users
}

impl WithAda {
    fn new(groups: &[&str], commands: &[&str]) -> Self {
        Self::with_settings("[errors]\nflood_max = 1000\n", groups, commands)
    }

    fn with_settings(settings: &str, groups: &[&str], commands: &[&str]) -> Self {
        let place = Place::with_settings(settings);
        std::fs::create_dir_all(place.folder().join("security")).unwrap();
        let mut one = Self::with_file(place, groups);
        for text in commands {
            one.told(text);
        }
        one
    }

    fn with_file(place: Place, groups: &[&str]) -> Self {
        UsersFile::at(place.folder().join("security/users.toml")).write(&users(groups)).unwrap();
        let server = place.start();
        let local = format!("unix:{}", place.folder().join("socket").display());
        let administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
        Self { place, server, administrator }
    }

    fn set_groups(&self, groups: &[&str]) {
        UsersFile::at(self.place.folder().join("security/users.toml")).write(&users(groups)).unwrap();
    }

    fn told(&mut self, text: &str) -> String {
        command(&mut self.administrator, text)
    }

    fn options(&self, channel: &str, user: &str) -> Options {
        let to = self.server.address().unwrap().to_string();
        Options { user: user.into(), ..Options::to(to.parse().unwrap()).channel(channel).alone() }
    }

    fn connect(&self, channel: &str, user: &str) -> Connection {
        Connection::connect(self.options(channel, user)).unwrap()
    }

    fn prove(&self) -> Connection {
        let secret = Secret::new(PASSWORD.as_bytes().to_vec());
        let options = self.options("", "").credentials(Credentials::password("ada", secret).unwrap());
        Connection::connect(options).unwrap()
    }

    fn refusals(&self) -> usize {
        self.place.error_log().matches("judged again while it is connected").count()
    }
}

fn is_there(connection: &mut Connection) -> bool {
    connection.command("PING QMGR").is_ok()
}

#[test]
fn a_rule_that_refuses_by_now_ends_connections_at_refresh_and_no_sooner() {
    let mut one = WithAda::new(&[], &RIGHTS_OF_ALL);
    one.told("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN)");
    one.told("SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)");
    let (mut eve, mut kim) = (one.connect("APP", "eve"), one.connect("APP", "kim"));
    one.told("SET CHLAUTH(APP) TYPE(BLOCKUSER) USERLIST('eve')");
    one.told("REFRESH SECURITY TYPE(AUTHSERV)");
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(is_there(&mut eve), "it is about rights, and not about logins");
    one.told("REFRESH SECURITY TYPE(CONNAUTH)");
    eventually("the connection that a rule refuses is ended", || !is_there(&mut eve));
    assert!(is_there(&mut kim), "another stays");
    eventually("the refusal is one record", || one.refusals() == 1);
    // One that would act as another user by now, and one whose channel asks for a proof.
    one.told("SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('kim') MCAUSER('other')");
    let mut sue = one.connect("APP", "sue");
    one.told("REFRESH SECURITY TYPE(ALL)");
    eventually("the connection of the mapped user is ended", || !is_there(&mut kim));
    assert!(is_there(&mut sue));
    let check = "SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED) ACTION(REPLACE)";
    one.told(check);
    one.told("REFRESH SECURITY TYPE(CONNAUTH)");
    eventually("the connection without a proof is ended", || !is_there(&mut sue));
    eventually("each refusal is one record", || one.refusals() == 3);
}

#[test]
fn a_group_that_is_taken_away_counts_for_connections_that_are_there() {
    let mut one = WithAda::new(
        &["staff"],
        &[
            "DEFINE QLOCAL(Q)",
            "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
            "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(GET,PUT)",
        ],
    );
    let mut ada = one.prove();
    let from = open(&mut ada, "Q", OpenOptions::INPUT_SHARED);
    let nothing = Err(Reason::NO_MSG_AVAILABLE);
    assert_eq!(get(&mut ada, from, Duration::ZERO, GetFlags::NO_SYNCPOINT), nothing);
    one.set_groups(&[]);
    one.told("REFRESH SECURITY TYPE(AUTHSERV)");
    let refused = Err(Reason::NOT_AUTHORIZED);
    assert_eq!(get(&mut ada, from, Duration::ZERO, GetFlags::NO_SYNCPOINT), refused);
    one.set_groups(&["staff"]);
    one.told("REFRESH SECURITY TYPE(AUTHSERV)");
    assert_eq!(get(&mut ada, from, Duration::ZERO, GetFlags::NO_SYNCPOINT), nothing);
    // Without the command the file is read within half a second, and a wait ends.
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| get(&mut ada, from, Duration::from_secs(20), GetFlags::NO_SYNCPOINT));
        eventually("the getter waits", || one.told("DISPLAY QSTATUS(Q) IPPROCS").contains("IPPROCS(1)"));
        one.set_groups(&[]);
        assert_eq!(waits.join().unwrap(), refused);
    });
}

#[test]
fn a_subscription_whose_user_leaves_the_group_is_stopped_without_a_command_and_goes_on_again() {
    let mut one = WithAda::new(
        &["staff"],
        &[
            "DEFINE TOPIC(T) TOPICSTR('t')",
            "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
            "SET AUTHREC PROFILE(T) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(SUB,RESUME)",
        ],
    );
    let mut ada = one.prove();
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let wanted =
        SubscriptionDescriptor { name: "OF.ADA".into(), ..SubscriptionDescriptor::to("t/#", options) };
    let from = ada.subscribe(&wanted, None).unwrap().queue.unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| get(&mut ada, from, Duration::from_secs(20), GetFlags::NO_SYNCPOINT));
        eventually("the subscription is there", || {
            one.told("DISPLAY SUB('OF.ADA') STOPPED").contains("(NO)")
        });
        one.set_groups(&[]);
        assert_eq!(waits.join().unwrap(), Err(Reason::NOT_AUTHORIZED));
    });
    eventually("no more comes", || one.told("DISPLAY SUB('OF.ADA') STOPPED").contains("STOPPED(YES)"));
    one.set_groups(&["staff"]);
    eventually("it goes on", || one.told("DISPLAY SUB('OF.ADA') STOPPED").contains("STOPPED(NO)"));
}

#[test]
fn a_user_who_left_the_group_while_the_queue_manager_was_down_has_none_of_its_rights_after_the_start() {
    let mut one = WithAda::new(
        &["staff"],
        &[
            "DEFINE QLOCAL(Q)",
            "DEFINE TOPIC(T) TOPICSTR('t')",
            "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
            "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(GET)",
            "SET AUTHREC PROFILE(T) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(SUB,RESUME)",
        ],
    );
    let mut ada = one.prove();
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let wanted =
        SubscriptionDescriptor { name: "OF.ADA".into(), ..SubscriptionDescriptor::to("t/#", options) };
    ada.subscribe(&wanted, None).unwrap();
    drop(ada);
    // In the group before the restart and after it: nothing is taken away.
    for (groups, is_member) in [(&["staff"][..], true), (&[], false), (&["staff"], true)] {
        let WithAda { place, server, administrator } = one;
        drop((administrator, server));
        one = WithAda::with_file(place, groups);
        let stopped = one.told("DISPLAY SUB('OF.ADA') STOPPED");
        assert_eq!(stopped.contains("STOPPED(NO)"), is_member, "{groups:?}: {stopped}");
        // A program that waited comes back and asks again.
        let mut ada = one.prove();
        let queue = ObjectDescriptor::queue("Q".parse().unwrap());
        let opened = ada.open(&queue, OpenOptions::INPUT_SHARED).map(drop);
        assert_eq!(opened.is_ok(), is_member, "{groups:?}: {opened:?}");
        let resumed = SubscribeOptions::RESUME | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
        let wanted =
            SubscriptionDescriptor { name: "OF.ADA".into(), ..SubscriptionDescriptor::to("t/#", resumed) };
        assert_eq!(ada.subscribe(&wanted, None).map(drop).is_ok(), is_member, "{groups:?}");
    }
}

#[test]
fn an_administrator_that_leaves_its_group_loses_the_connection() {
    let mut one = WithAda::new(&["ferrymq"], &[]);
    one.told("DEFINE CHANNEL(ADMIN) CHLTYPE(SVRCONN)");
    one.told("SET CHLAUTH(ADMIN) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)");
    one.told("SET CHLAUTH(ADMIN) TYPE(BLOCKUSER) USERLIST('nobody')");
    let secret = Secret::new(PASSWORD.as_bytes().to_vec());
    let options = one.options("ADMIN", "").credentials(Credentials::password("ada", secret).unwrap());
    let mut ada = Connection::connect(options).unwrap();
    assert!(!ada.command("DEFINE QLOCAL(BY.ADA)").unwrap().failed, "an administrator may");
    one.set_groups(&["staff"]);
    eventually("the connection of the administrator is ended", || !is_there(&mut ada));
}

#[test]
fn a_file_that_does_not_read_fails_the_refresh_and_leaves_connections_alone() {
    let mut one = WithAda::new(&[], &RIGHTS_OF_ALL);
    let mut ada = one.prove();
    std::fs::write(one.place.folder().join("security/users.toml"), "[users.ada]\nhash = \"none\"\n").unwrap();
    for part in ["CONNAUTH", "AUTHSERV", "ALL"] {
        let refused = one.administrator.command(&format!("REFRESH SECURITY TYPE({part})")).unwrap();
        assert!(refused.failed && refused.text.contains("FRY8561E"), "{part}: {}", refused.text);
    }
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(is_there(&mut ada));
}

/// The topics and subscriptions of the figures that a connection is shown next, once there is a topic.
fn shown_topics(connection: &mut Connection) -> (Vec<String>, Vec<String>) {
    let (mut topics, mut subscriptions) = (Vec::new(), Vec::new());
    eventually("the figures have a topic", || {
        let bytes = connection.figures().unwrap();
        if let Ok(block) = figures::metrics::Block::decode(&bytes) {
            topics = block.topics.into_iter().map(|topic| topic.name).collect();
            subscriptions = block.subscriptions.into_iter().map(|one| one.name).collect();
        }
        !topics.is_empty()
    });
    (topics, subscriptions)
}

#[test]
fn figures_have_rows_of_topics_and_subscriptions_that_the_reader_may_display_and_of_no_others() {
    let settings = "[metrics]\ntopics = [\"open*\", \"secret*\"]\nsubscriptions = [\"*\"]\n";
    let mut one = WithAda::with_settings(
        settings,
        &["staff"],
        &[
            "DEFINE QLOCAL(Q)",
            "DEFINE TOPIC(OPEN) TOPICSTR('open')",
            "DEFINE TOPIC(SECRET) TOPICSTR('secret')",
            "DEFINE SUB('of.open') TOPICSTR('open/a') DEST(Q)",
            "DEFINE SUB('of.secret') TOPICSTR('secret/a') DEST(Q)",
            "SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHADD(CONNECT,DSP)",
            "SET AUTHREC PROFILE(OPEN) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(DSP)",
        ],
    );
    let (all, subscriptions) = shown_topics(&mut one.administrator);
    assert_eq!(all, ["open", "open/a", "secret", "secret/a"]);
    assert_eq!(subscriptions, ["of.open", "of.secret"]);
    let mut ada = one.prove();
    let (topics, subscriptions) = shown_topics(&mut ada);
    assert_eq!(topics, ["open", "open/a"]);
    let told = |text: &str, connection: &mut Connection| connection.command(text).unwrap().text;
    let of_open = told("DISPLAY TPSTATUS('#')", &mut ada);
    assert!(of_open.contains("TPSTATUS(open/a)") && !of_open.contains("secret"), "{of_open}");
    let displayed = told("DISPLAY SBSTATUS('*')", &mut ada);
    for name in ["of.open", "of.secret"] {
        let is_shown = subscriptions.iter().any(|shown| shown == name);
        assert_eq!(is_shown, displayed.contains(&format!("SUB({name})")), "{name}: {displayed}");
    }
}

/// The queues of the figures that a connection is shown next, once `is_it` holds for them.
fn shown(connection: &mut Connection, is_it: impl Fn(&[String]) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    eventually("the figures are those", || {
        let bytes = connection.figures().unwrap();
        if let Ok(block) = figures::metrics::Block::decode(&bytes) {
            names = block.queues.into_iter().map(|queue| queue.name).collect();
        }
        is_it(&names)
    });
    names
}

#[test]
fn figures_have_rows_of_queues_that_the_reader_may_display_and_of_no_others() {
    let mut one = WithAda::new(
        &["staff"],
        &[
            "DEFINE QLOCAL(OPEN.A)",
            "DEFINE QLOCAL(OPEN.B)",
            "DEFINE QLOCAL(SECRET)",
            "SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHADD(CONNECT,DSP)",
            "SET AUTHREC PROFILE('OPEN.*') OBJTYPE(QUEUE) GROUP('staff') AUTHADD(DSP)",
        ],
    );
    let mut ada = one.prove();
    assert_eq!(shown(&mut ada, |names| !names.is_empty()), ["OPEN.A", "OPEN.B"]);
    let all = shown(&mut one.administrator, |names| !names.is_empty());
    assert!(all.iter().any(|name| name == "SECRET"), "the administrator is shown all: {all:?}");
    let told = ada.statistics().unwrap();
    let counted: Vec<&str> = told.queues.iter().map(|queue| queue.name.as_str()).collect();
    assert_eq!(counted, ["OPEN.A", "OPEN.B"], "the counters are of those as well");
    assert!(one.administrator.statistics().unwrap().queues.len() > 3);
    one.told("SET AUTHREC PROFILE(SECRET) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(DSP)");
    one.told("SET AUTHREC PROFILE('OPEN.*') OBJTYPE(QUEUE) GROUP('staff') AUTHRMV(DSP)");
    shown(&mut ada, |names| names == ["SECRET"]);
    one.told("SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHRMV(DSP)");
    eventually("one that may not display the queue manager is shown nothing", || {
        ada.figures() == Err(Reason::NOT_AUTHORIZED)
    });
    let audit = one.place.folder().join("audit");
    let told = || -> String {
        let entries = std::fs::read_dir(&audit).into_iter().flatten();
        entries.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok()).collect()
    };
    eventually("the refusal is in the records", || told().contains("STATISTICS"));
    assert!(!told().contains("SECRET"), "a row left out is no refusal: {}", told());
}
