//! The verdict on logins, as one table.

use identity::login::{ConnAuth, Credentials, Door, Login, Network, Refusal, judge};
use security::channel_rules::{
    self, ClientCheck, CredentialCheck, Map, Mapped, Record, Rule, Rules, UserSource,
};
use security::wildcard::Wildcard;

use CredentialCheck::{None as Unasked, Optional, Required, RequiredForAdministrators as Administrators};
use Credentials::{None as Nothing, Proved, Wrong};

fn is_administrator(user: &str) -> bool {
    user == "root"
}

fn record(rule: Rule) -> Record {
    Record { channel: Wildcard::new("*").unwrap(), rule, warns: false }
}

fn mapping(source: UserSource, check: ClientCheck) -> Record {
    let address = channel_rules::Address::parse("10.*").unwrap();
    record(Rule::Map(Map { partner: Mapped::Any, address: Some(address), source, check }))
}

fn rules(records: Vec<Record>) -> Rules {
    let mut rules = Rules::default();
    for record in records {
        rules.set(record, channel_rules::Action::Add).unwrap();
    }
    rules
}

fn conn_auth(check: CredentialCheck, adopts: bool) -> ConnAuth {
    ConnAuth { client: check, local: check, adopts }
}

#[test]
fn over_a_local_socket_the_kernels_user_stands_until_another_is_proved() {
    for (check, adopts, user, credentials, expected) in [
        (Unasked, true, "ann", Nothing, Ok("ann")),
        (Unasked, true, "ann", Proved("bob"), Ok("ann")),
        (Unasked, true, "ann", Wrong, Ok("ann")),
        (Unasked, true, "root", Nothing, Ok("root")),
        (Unasked, true, "", Nothing, Ok("nobody")),
        (Optional, true, "ann", Nothing, Ok("ann")),
        (Optional, true, "ann", Proved("bob"), Ok("bob")),
        (Optional, false, "ann", Proved("bob"), Ok("ann")),
        (Optional, true, "ann", Wrong, Err(Refusal::Credentials)),
        (Administrators, true, "ann", Nothing, Ok("ann")),
        (Administrators, true, "root", Nothing, Err(Refusal::Missing)),
        (Administrators, true, "root", Proved("ann"), Ok("ann")),
        (Administrators, false, "root", Proved("ann"), Ok("root")),
        (Administrators, true, "ann", Wrong, Err(Refusal::Credentials)),
        (Required, true, "ann", Nothing, Err(Refusal::Missing)),
        (Required, true, "ann", Proved("bob"), Ok("bob")),
        (Required, false, "ann", Proved("bob"), Ok("ann")),
        (Required, true, "root", Wrong, Err(Refusal::Credentials)),
    ] {
        let login = Login {
            conn_auth: conn_auth(check, adopts),
            door: Door::Local { user },
            credentials,
            is_administrator: &is_administrator,
        };
        let expected = expected.map(str::to_owned);
        assert_eq!(
            judge(&Rules::default(), &login).user,
            expected,
            "{check:?} {adopts} {user:?} {credentials:?}"
        );
    }
}

/// Over a network: MCAUSER, credentials, ADOPTCTX and the rule of the channel, the later the stronger.
#[test]
fn over_a_network_the_later_of_channel_password_and_rule_names_the_user() {
    let asserting = || vec![mapping(UserSource::Channel, ClientCheck::AsQueueManager)];
    let mapped = || vec![mapping(UserSource::Map("mapped".to_owned()), ClientCheck::AsQueueManager)];
    let asking = || vec![mapping(UserSource::Channel, ClientCheck::Required)];
    let closed = || vec![mapping(UserSource::NoAccess, ClientCheck::AsQueueManager)];
    let blocking =
        |user: &str| vec![record(Rule::BlockUsers(vec![user.to_owned()])), asserting().pop().unwrap()];
    let by_rule = |refusal| Err(Refusal::Rules(refusal));
    use channel_rules::Refusal::{Credentials as Asked, NoAccess, NoProvider, User};
    for (number, (records, check, adopts, channel_user, credentials, expected)) in [
        (Vec::new(), Optional, true, "", Nothing, Ok("nobody")),
        (asserting(), Optional, true, "", Nothing, Ok("asserted")),
        (asserting(), Optional, true, "channel", Nothing, Ok("channel")),
        (asserting(), Optional, true, "channel", Proved("proved"), Ok("proved")),
        (asserting(), Optional, false, "channel", Proved("proved"), Ok("channel")),
        (asserting(), Optional, false, "", Proved("proved"), Ok("asserted")),
        (mapped(), Optional, true, "channel", Proved("proved"), Ok("mapped")),
        (mapped(), Optional, true, "channel", Wrong, Err(Refusal::Credentials)),
        (asserting(), Unasked, true, "channel", Wrong, Ok("channel")),
        (asserting(), Unasked, true, "", Proved("proved"), Ok("asserted")),
        (asserting(), Required, true, "channel", Nothing, by_rule(Asked)),
        (asserting(), Required, true, "channel", Proved("proved"), Ok("proved")),
        (asserting(), Administrators, true, "root", Nothing, by_rule(Asked)),
        (asserting(), Administrators, true, "channel", Nothing, Ok("channel")),
        (asking(), Optional, true, "channel", Nothing, by_rule(Asked)),
        (asking(), Optional, true, "channel", Proved("proved"), Ok("proved")),
        (asking(), Unasked, true, "channel", Nothing, by_rule(NoProvider)),
        (closed(), Optional, true, "channel", Proved("proved"), by_rule(NoAccess)),
        (closed(), Optional, true, "channel", Wrong, Err(Refusal::Credentials)),
        (blocking("*MQADMIN"), Optional, true, "root", Nothing, by_rule(User)),
        (blocking("*MQADMIN"), Optional, true, "root", Proved("proved"), Ok("proved")),
        (blocking("*MQADMIN"), Optional, true, "", Proved("root"), by_rule(User)),
        (blocking("PROVED"), Optional, true, "", Proved("proved"), by_rule(User)),
    ]
    .into_iter()
    .enumerate()
    {
        let network = Network {
            channel: "APP.SVRCONN",
            channel_user,
            address: "10.1.2.3".parse().unwrap(),
            hosts: &[],
            certificate: None,
            asserted: "asserted",
            queue_manager: None,
        };
        let login = Login {
            conn_auth: conn_auth(check, adopts),
            door: Door::Network(network),
            credentials,
            is_administrator: &is_administrator,
        };
        assert_eq!(judge(&rules(records), &login).user, expected.map(str::to_owned), "row {number}");
    }
}

/// A program that says the name of an administrator, by each way that takes what programs say.
#[test]
fn the_name_of_an_administrator_that_a_program_asserts_is_blocked() {
    let asserting = |check| mapping(UserSource::Channel, check);
    let blocking =
        |users: &[&str]| record(Rule::BlockUsers(users.iter().map(|user| (*user).to_owned()).collect()));
    let blocked = || Err(Refusal::Rules(channel_rules::Refusal::User));
    let usual = || vec![blocking(&["*MQADMIN"]), asserting(ClientCheck::AsQueueManager)];
    let by_name = || vec![blocking(&["ROOT"]), asserting(ClientCheck::AsQueueManager)];
    for (number, (records, check, asserted, credentials, expected)) in [
        (usual(), Optional, "root", Nothing, blocked()),
        (usual(), Unasked, "root", Nothing, blocked()),
        (by_name(), Optional, "root", Nothing, blocked()),
        (by_name(), Optional, "RooT", Nothing, blocked()),
        // What is proved counts, and not what is said beside it; nor does the proof help the name.
        (usual(), Optional, "root", Proved("ada"), Ok("ada")),
        (usual(), Optional, "ada", Proved("root"), blocked()),
        (usual(), Optional, "root", Wrong, Err(Refusal::Credentials)),
        // Where administrators must give a password their name is none.
        (vec![asserting(ClientCheck::AsQueueManager)], Administrators, "root", Nothing, missing()),
        // A rule that asks for proofs takes no name without one.
        (vec![asserting(ClientCheck::RequiredForAdministrators)], Optional, "root", Nothing, Ok("nobody")),
        (usual(), Optional, "ada", Nothing, Ok("ada")),
        (usual(), Optional, "", Nothing, Ok("nobody")),
    ]
    .into_iter()
    .enumerate()
    {
        let network = Network {
            channel: "APP.SVRCONN",
            channel_user: "",
            address: "10.1.2.3".parse().unwrap(),
            hosts: &[],
            certificate: None,
            asserted,
            queue_manager: None,
        };
        let login = Login {
            conn_auth: conn_auth(check, true),
            door: Door::Network(network),
            credentials,
            is_administrator: &is_administrator,
        };
        assert_eq!(judge(&rules(records), &login).user, expected.map(str::to_owned), "row {number}");
    }
}

fn missing() -> Result<&'static str, Refusal> {
    Err(Refusal::Rules(channel_rules::Refusal::Credentials))
}

#[test]
fn every_refusal_is_2035_but_that_without_a_judge() {
    for (refusal, code) in [
        (Refusal::Credentials, 2035),
        (Refusal::Missing, 2035),
        (Refusal::Rules(channel_rules::Refusal::User), 2035),
        (Refusal::Rules(channel_rules::Refusal::NoProvider), 2063),
    ] {
        assert_eq!(refusal.code(), code, "{refusal}");
    }
}
