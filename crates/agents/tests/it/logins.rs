//! A login that the host judges later.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agents::{Admission, Agent, Close, Denial, Standing, Verdict};
use channel::client::Request;
use channel::{Conversation, Credentials, Flags, Hello, Kind, Output, RequestNumber, Secret};
use mqi::Reason;
use security::{Identity, Principal};

use crate::desk::Desk;
use crate::loopback::{Client, Server, drained, hello, refusal};
use crate::patience::at;

struct User(AtomicBool);

impl Standing for User {
    fn holds(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn admission(standing: Option<Arc<dyn Standing>>) -> Verdict {
    Ok(Admission { principal: Principal::new("ada", Identity::Proved).unwrap(), standing })
}

/// A connection whose login, with a request behind it, has come.
fn judged(server: &Server, desk: &Arc<Desk>) -> Client {
    let mut client = server.stranger_at(desk);
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { identifies: true, ..hello() }.encode(&mut bytes);
    Credentials::password("ada", Secret::new(b"pass".to_vec())).unwrap().encode(&mut bytes);
    let begin = Request::Begin { instance: [0; 16], generation: 1, options: 0 };
    begin.encode(&mut bytes, Conversation(1), RequestNumber(1), Flags::NONE);
    client.receive(&bytes).unwrap();
    client
}

fn kinds(client: &mut Client) -> Vec<Kind> {
    client.raw_frames().iter().map(|(header, _)| header.kind).collect()
}

#[test]
fn nothing_is_read_while_a_login_is_judged_and_what_lies_behind_it_is_run_afterwards() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let mut client = judged(&server, &desk);
    assert_eq!(desk.0.lock().unwrap()[0].0.asserted, hello().user);
    assert!(!client.agent.wants_input() && !client.agent.has_more());
    assert!(kinds(&mut client).is_empty());
    client.receive(&[]).unwrap();
    assert!(kinds(&mut client).is_empty() && !client.input.is_empty());
    desk.say(admission(None));
    assert_eq!(kinds(&mut client), [Kind::Welcome]);
    assert!(client.agent.wants_input());
    client.receive(&[]).unwrap();
    assert_eq!(kinds(&mut client), [Kind::Begun]);
}

#[test]
fn a_login_that_is_refused_later_ends_at_the_next_turn_in_the_words_of_the_host() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let mut client = judged(&server, &desk);
    let denial = Denial {
        reason: Reason::NOT_AUTHORIZED,
        told: "no".to_owned(),
        channel: String::new(),
        kind: queue_manager::LoginFault::Other,
        certificate: String::new(),
        user: "ada".to_owned(),
        cause: "the password is wrong".to_owned(),
    };
    desk.say(Err(Box::new(denial)));
    assert!(kinds(&mut client).is_empty());
    let close = client.agent.stopped().expect("the agent says so by itself");
    assert!(matches!(&close, Close::Denied(denial) if denial.user == "ada"), "{close}");
    let mut output = Output::default();
    client.agent.farewell(&close, &mut output);
    let refused = refusal(&drained(&mut output));
    assert_eq!((refused.reason, refused.text.as_str()), (Reason::NOT_AUTHORIZED, "no"));
}

#[test]
fn a_login_whose_verdict_does_not_come_ends_in_time_and_a_late_verdict_finds_nobody() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let mut client = judged(&server, &desk);
    client.agent.tick(at(0)).unwrap();
    client.agent.tick(at(69)).unwrap();
    let close = client.agent.tick(at(70)).unwrap_err();
    assert!(matches!(close, Close::Unfinished { seconds: 70, .. }), "{close}");
    drop(client);
    assert!(desk.0.lock().unwrap()[0].1.upgrade().is_none());
}

#[test]
fn a_connection_ends_when_the_user_that_was_proved_is_one_no_more() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let mut client = judged(&server, &desk);
    let user = Arc::new(User(AtomicBool::new(true)));
    desk.say(admission(Some(Arc::clone(&user) as Arc<dyn Standing>)));
    assert_eq!(kinds(&mut client), [Kind::Welcome]);
    client.agent.tick(at(1)).unwrap();
    user.0.store(false, Ordering::Relaxed);
    assert!(matches!(client.agent.tick(at(2)), Err(Close::UserEnded)));
}
