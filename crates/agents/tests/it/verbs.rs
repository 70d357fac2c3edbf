//! Requests become verbs, and their outcomes replies.

use crate::loopback::{Client, Server, What};
use agents::Agent;
use channel::client::{PutStatus, Request};
use channel::{Flags, Kind};
use mqi::constants::MQSR_ACTION_PUBLICATION;
use mqi::{
    GetFlags, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence, PutFlags, Reason, RequestOptions,
    SubscribeOptions, SubscriptionDescriptor, Wait,
};
use storage::LogKind;

#[test]
fn a_message_put_is_got() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
        client.put(handle, persistence, "hello");
        assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("hello"));
        assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
    }
    assert_eq!(client.ask(&Request::Close { handle, options: mqi::CloseOptions::EMPTY }).what, What::Done);
    assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT), Err(Reason::HOBJ_ERROR));
}

#[test]
fn a_put_tells_what_it_filled_in() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    let number = client.cork_put(handle, Persistence::AsQueueDefault, PutFlags::EMPTY, "x", Flags::NONE);
    client.send();
    let seen = client.answer(number);
    assert_eq!(seen.header.kind, Kind::PutDone);
    assert!(!seen.descriptor.message_id.is_none());
    assert_eq!(seen.descriptor.user_identifier.as_str(), "tester", "the user the host vouches for");
    assert_eq!(seen.descriptor.put_application_name.as_str(), "loopback");
    assert_eq!(seen.descriptor.put_date.as_str().len(), 8);
}

#[test]
fn a_waiting_get_is_served_by_a_put_from_elsewhere_and_woken_once() {
    let server = Server::new();
    let (mut getter, mut putter) = (server.client(), server.client());
    let input = getter.open("A", OpenOptions::INPUT_SHARED);
    let output = putter.open("A", OpenOptions::OUTPUT);
    let first = getter.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let second = getter.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    getter.send();
    assert!(getter.frames().is_empty());
    putter.put(output, Persistence::NotPersistent, "one");
    putter.put(output, Persistence::NotPersistent, "two");
    assert_eq!(getter.wakes(), 1);
    let frames = getter.frames();
    let requests: Vec<_> = frames.iter().map(|seen| seen.header.request).collect();
    assert_eq!(requests, [first, second]);
    assert_eq!(frames[1].what, What::Got { body: "two".into(), length: 3 });
}

#[test]
fn a_waiting_get_that_is_cancelled_answers_no_message() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    let get = client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    client.send();
    let cancel = client.cork(&Request::Cancel { get }, Flags::NONE);
    client.send();
    let frames = client.frames();
    assert_eq!((frames[0].header.request, &frames[0].what), (get, &What::Failed(Reason::NO_MSG_AVAILABLE)));
    assert_eq!((frames[1].header.request, &frames[1].what), (cancel, &What::Done));
    client.put(handle, Persistence::NotPersistent, "stays");
    assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("stays"));
}

#[test]
fn a_wait_that_runs_out_is_answered() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    let get = client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Milliseconds(500));
    client.send();
    server.machine.clock.advance(std::time::Duration::from_millis(499));
    server.queue_manager.tick();
    assert!(client.frames().is_empty());
    server.machine.clock.advance(std::time::Duration::from_millis(2));
    server.queue_manager.tick();
    assert_eq!(client.answer(get).what, What::Failed(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn units_of_work_commit_and_back_out() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    for (end, left) in [(Request::Back, 0), (Request::Commit { number: 0 }, 1)] {
        let put = client.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "work", Flags::NONE);
        client.send();
        assert_eq!(client.answer(put).what, What::PutDone);
        assert_eq!(client.ask(&end).what, What::Done);
        assert_eq!(server.depth("A"), left);
    }
}

#[test]
fn an_end_commits_and_a_lost_connection_backs_out_in_order() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    for body in ["1", "2", "3"] {
        client.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, body, Flags::NO_REPLY);
    }
    client.send();
    assert_eq!(client.ask(&Request::End).what, What::Done);
    assert_eq!(client.ask(&Request::Back).what, What::Failed(Reason::HCONN_ERROR));
    let mut getter = server.client();
    let input = getter.open("A", OpenOptions::INPUT_SHARED);
    assert_eq!(getter.get(input, GetFlags::SYNCPOINT).as_deref(), Ok("1"));
    assert_eq!(getter.get(input, GetFlags::SYNCPOINT).as_deref(), Ok("2"));
    getter.agent.close();
    let mut other = server.client();
    let input = other.open("A", OpenOptions::INPUT_SHARED);
    for body in ["1", "2", "3"] {
        assert_eq!(other.get(input, GetFlags::NO_SYNCPOINT).as_deref(), Ok(body));
    }
}

#[test]
fn puts_without_a_reply_are_told_by_status() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    for handle in [handle, ObjectHandle(99), handle] {
        client.cork_put(handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "x", Flags::NO_REPLY);
    }
    client.send();
    assert!(client.released().is_empty());
    let status = client.cork(&Request::Status, Flags::NONE);
    client.send();
    assert!(client.released().is_empty(), "a clean answer promises, so it waits for the log");
    let told = PutStatus { puts: 2, failures: 1, reason: Some(Reason::HOBJ_ERROR), ..PutStatus::default() };
    assert_eq!(client.answer(status).what, What::Status(told));
    assert_eq!(client.ask(&Request::Status).what, What::Status(PutStatus::default()), "told once");
}

#[test]
fn a_put_without_a_reply_that_fails_fails_its_unit_of_work_if_its_message_is_persistent() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    let (nowhere, as_default) = (ObjectHandle(99), Persistence::AsQueueDefault);
    let mut number = 0;
    for (refused, persistence, commits) in [
        (nowhere, Persistence::Persistent, false),
        // Nobody knows what is the default of nothing.
        (nowhere, as_default, false),
        (nowhere, Persistence::NotPersistent, true),
    ] {
        number += 1;
        client.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
        client.cork_put(refused, persistence, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
        let commit = client.cork(&Request::Commit { number }, Flags::NONE);
        client.send();
        let expected = if commits { What::Done } else { What::Failed(Reason::BACKED_OUT) };
        assert_eq!(client.answer(commit).what, expected, "{persistence:?}");
        assert_eq!(server.depth("A"), u64::from(commits), "{persistence:?}");
        let What::Status(told) = client.ask(&Request::Status).what else { panic!("no status") };
        assert_eq!((told.puts, told.failures, told.reason), (1, 1, Some(Reason::HOBJ_ERROR)));
    }
    client.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Commit { number: number + 1 }).what, What::Done);
    assert_eq!(server.depth("A"), 2);
}

#[test]
fn a_returning_instance_learns_its_last_commit_and_ends_its_old_self() {
    let server = Server::new();
    let mut first = server.stranger();
    first.log_in();
    assert_eq!(first.begin(1, [9; 16]), None);
    let handle = first.open("A", OpenOptions::OUTPUT);
    for number in 1..=3 {
        first.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
        assert_eq!(first.ask(&Request::Commit { number }).what, What::Done);
    }
    first.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "lost", Flags::NO_REPLY);
    first.send();
    let mut second = server.stranger();
    second.log_in();
    assert_eq!(second.begin_again(1, [9; 16], 2), Some(3));
    assert_eq!(server.depth("A"), 3);
    let commit = first.cork(&Request::Commit { number: 4 }, Flags::NONE);
    first.send();
    assert!(matches!(first.answer(commit).what, What::Failed(_)), "the old self has ended");
    assert_eq!(server.depth("A"), 3);
}

#[test]
fn a_begin_read_after_its_client_is_back_over_a_newer_link_ends_nothing() {
    let server = Server::new();
    let (mut late, mut newer) = (server.stranger(), server.stranger());
    late.log_in();
    late.conversation = channel::Conversation(1);
    newer.log_in();
    newer.begin_again(1, [9; 16], 2);
    let handle = newer.open("A", OpenOptions::OUTPUT);
    newer.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "kept", Flags::NO_REPLY);
    newer.send();
    let begin = Request::Begin { instance: [9; 16], generation: 1, options: 0 };
    assert_eq!(late.ask(&begin).what, What::Failed(Reason::CONNECTION_BROKEN));
    assert_eq!(newer.ask(&Request::Commit { number: 1 }).what, What::Done);
    assert_eq!(server.depth("A"), 1);
    // The link of the late one is whole and its number free.
    assert_eq!(late.begin(1, [8; 16]), None);
}

#[test]
fn conversations_of_a_connection_have_their_own_units_of_work() {
    let server = Server::new();
    let mut client = server.client();
    let one = client.open("A", OpenOptions::OUTPUT);
    client.cork_put(one, Persistence::Persistent, PutFlags::SYNCPOINT, "one", Flags::NO_REPLY);
    client.send();
    client.begin(2, [0; 16]);
    let two = client.open("A", OpenOptions::OUTPUT);
    client.cork_put(two, Persistence::Persistent, PutFlags::SYNCPOINT, "two", Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Commit { number: 0 }).what, What::Done);
    let mut other = server.client();
    let handle = other.open("A", OpenOptions::INPUT_SHARED);
    assert_eq!(other.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("two"));
    assert_eq!(other.get(handle, GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn what_the_engine_refuses_is_answered_with_its_reason() {
    let server = Server::new();
    let mut client = server.client();
    let object = ObjectDescriptor::queue("NO.SUCH.QUEUE".parse().unwrap());
    let open = client.ask(&Request::Open { object, options: OpenOptions::OUTPUT });
    assert_eq!(open.what, What::Failed(Reason::UNKNOWN_OBJECT_NAME));
    let inquire =
        client.ask(&Request::Inquire { handle: ObjectHandle(4), selectors: vec![mqi::Selector(1)] });
    assert_eq!(inquire.what, What::Failed(Reason::HOBJ_ERROR));
    assert_eq!(inquire.header.kind, Kind::Inquired);
}

#[test]
fn commands_answer_rows_messages_and_text() {
    let server = Server::new();
    let mut client = server.client();
    let response = client.command("DEFINE QLOCAL(C) MAXDEPTH(10)\nDISPLAY QLOCAL(C) MAXDEPTH");
    assert!(!response.failed);
    assert!(response.rows[0].contains(&("MAXDEPTH".into(), "10".into())), "{:?}", response.rows);
    assert!(response.text.contains("MAXDEPTH(10)") && response.json.contains("\"maxdepth\":10"));
    let response = client.command("DEFINE QLOKAL(C)");
    assert!(response.failed && response.text.contains("QLOKAL"), "{}", response.text);
}

/// A job reads the list of media images, and only where there can be any and a command asks.
#[test]
fn what_the_images_need_of_the_log_keeps_nobody_from_being_served() {
    for (kind, can_have_images) in [(LogKind::Linear, true), (LogKind::Circular, false)] {
        let server = Server::with_log(kind);
        let mut one = server.client();
        for (text, asks) in [
            ("DISPLAY QMSTATUS LOG", true),
            ("DISPLAY QMSTATUS CONNS", false),
            ("DISPLAY QSTATUS(A)", true),
            ("DISPLAY QSTATUS(*)", false),
            ("DISPLAY QSTATUS(*) WHERE(MEDIALOG NE ' ')", true),
            ("DISPLAY QSTATUS(A) TYPE(HANDLE) ALL", false),
        ] {
            let number = one.next_request();
            let mut bytes = channel::Output::default();
            channel::client::command(&mut bytes, one.conversation, number, None, text.into(), 1000);
            one.receive(&crate::loopback::drained(&mut bytes)).unwrap();
            let mut frames = one.frames();
            assert_eq!(frames.is_empty(), can_have_images && asks, "{kind:?}: {text}");
            server.run_jobs();
            frames.extend(one.frames());
            assert_eq!(frames.len(), 1, "{kind:?}: {text}");
        }
    }
}

/// A long move does not keep the thread that serves connections: each piece is a job, and an answer comes
/// with the last.
#[test]
fn messages_are_moved_by_jobs_while_others_are_served() {
    let server = Server::new();
    let (mut one, mut two) = (server.client(), server.client());
    let output = one.open("A", OpenOptions::OUTPUT);
    for _ in 0..250 {
        one.put(output, Persistence::Persistent, "moved");
    }
    one.ask(&Request::Close { handle: output, options: mqi::CloseOptions::EMPTY });
    let number = one.next_request();
    let text = "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(ADD)\nDISPLAY QLOCAL(B) CURDEPTH\nMOVE QLOCAL(A) TOQLOCAL(A)";
    let mut bytes = channel::Output::default();
    channel::client::command(&mut bytes, one.conversation, number, None, text.into(), 1000);
    one.receive(&crate::loopback::drained(&mut bytes)).unwrap();
    assert!(one.frames().is_empty());
    let other = two.open("B", OpenOptions::OUTPUT | OpenOptions::INQUIRE);
    let mut jobs = 0;
    while let Some(job) = server.queue_manager.take_job() {
        job.run();
        jobs += 1;
        two.put(other, Persistence::NotPersistent, "put meanwhile");
        if jobs < 3 {
            // A request behind the command is not kept either.
            assert_eq!(one.ask(&Request::Back).what, What::Done);
        }
    }
    assert!(jobs > 4, "{jobs}");
    let What::Long(answer) = one.answer(number).what else { panic!("not the answer to a command") };
    let answer = channel::client::CommandResponse::decode(&answer).unwrap();
    assert!(answer.failed && answer.text.contains("250"), "{}", answer.text);
    let ids: Vec<&str> = answer.messages.iter().map(|message| message.id.as_str()).collect();
    assert_eq!(ids, ["FRY8023I", "FRY8025E"], "in the order of the statements");
    assert!(answer.rows[0].iter().any(|(name, depth)| name == "CURDEPTH" && depth != "0"));
}

/// A job reads retained messages that are not in memory, for MQSUB, MQSUBRQ and DEFINE SUB; other callers do
/// not wait for the disk.
#[test]
fn what_is_retained_is_read_by_a_job_while_others_are_served() {
    let server = Server::new();
    let mut one = server.client();
    let object = ObjectDescriptor::topic("price/tin");
    let opened = one.ask(&Request::Open { object, options: OpenOptions::OUTPUT });
    let What::Opened(topic) = opened.what else { panic!("{opened:?}") };
    let flags = PutFlags::NO_SYNCPOINT | PutFlags::RETAIN;
    let put = one.cork_put(topic, Persistence::Persistent, flags, "12", Flags::NONE);
    one.send();
    assert_eq!(one.answer(put).what, What::PutDone);
    drop(one);

    let durable = SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let subscribe = |options| {
        let descriptor = SubscriptionDescriptor::to("price/+", durable | options);
        let descriptor = Box::new(SubscriptionDescriptor { name: "s".to_owned(), ..descriptor });
        Request::Subscribe { descriptor, queue: None }
    };
    // Makes a request that is answered after the disk was read, and not before; others are served meanwhile.
    let read = |server: &Server, one: &mut Client, number| {
        assert!(one.frames().is_empty(), "the disk was not read yet");
        let mut two = server.client();
        let other = two.open("B", OpenOptions::OUTPUT);
        two.put(other, Persistence::NotPersistent, "put meanwhile");
        server.run_jobs();
        one.answer(number)
    };
    let server = server.restarted();
    let mut one = server.client();
    let number = one.cork(&subscribe(SubscribeOptions::CREATE), Flags::NONE);
    one.send();
    let answer = read(&server, &mut one, number);
    assert_eq!((answer.header.kind, answer.what), (Kind::Subscribed, What::Other));
    assert_eq!(one.get(ObjectHandle(1), GetFlags::NO_SYNCPOINT).as_deref(), Ok("12"));
    drop(one);

    let server = server.restarted();
    let mut one = server.client();
    assert_eq!(one.ask(&subscribe(SubscribeOptions::RESUME)).header.kind, Kind::Subscribed);
    // The handle of its queue is made first.
    let (subscription, options) = (ObjectHandle(2), RequestOptions::EMPTY);
    let request = Request::RequestPublications { subscription, action: MQSR_ACTION_PUBLICATION, options };
    let number = one.cork(&request, Flags::NONE);
    one.send();
    let answer = read(&server, &mut one, number);
    assert_eq!((answer.header.kind, answer.what), (Kind::PublicationsRequested, What::Other));
    drop(one);

    let server = server.restarted();
    let mut one = server.client();
    let number = one.next_request();
    let mut bytes = channel::Output::default();
    let text = "DEFINE SUB('t') TOPICSTR('price/tin') DEST(A)".into();
    channel::client::command(&mut bytes, one.conversation, number, None, text, 1000);
    one.receive(&crate::loopback::drained(&mut bytes)).unwrap();
    let What::Long(answer) = read(&server, &mut one, number).what else {
        panic!("not the answer to a command")
    };
    assert!(!channel::client::CommandResponse::decode(&answer).unwrap().failed);
    assert_eq!(server.depth("A"), 1);
}

/// The connection that asked is gone before the last piece.
#[test]
fn a_move_goes_on_without_the_one_who_asked() {
    let server = Server::new();
    let mut one = server.client();
    let output = one.open("A", OpenOptions::OUTPUT);
    for _ in 0..250 {
        one.put(output, Persistence::NotPersistent, "moved");
    }
    one.ask(&Request::Close { handle: output, options: mqi::CloseOptions::EMPTY });
    let number = one.next_request();
    let mut bytes = channel::Output::default();
    let text = "MOVE QLOCAL(A) TOQLOCAL(B)".into();
    channel::client::command(&mut bytes, one.conversation, number, None, text, 1000);
    one.receive(&crate::loopback::drained(&mut bytes)).unwrap();
    server.queue_manager.take_job().unwrap().run();
    // Its conversation ends, and another begins under the number.
    one.ask(&Request::End);
    one.begin(1, [0; 16]);
    while let Some(job) = server.queue_manager.take_job() {
        job.run();
    }
    assert!(one.frames().is_empty(), "nobody there has asked");
    assert_eq!((server.depth("A"), server.depth("B")), (0, 250));
}

/// State that grows with a client's input has a bound in `Limits`: waits, commands as jobs, marks.
#[test]
fn no_more_waits_at_once_than_the_limit() {
    let mut server = Server::new();
    server.limits.waits_max = 1;
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let second = client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    client.send();
    assert_eq!(client.answer(second).what, What::Failed(Reason::RESOURCE_PROBLEM));

    let moved = "MOVE QLOCAL(B) TOQLOCAL(C)";
    let mut bytes = channel::Output::default();
    let numbers = [client.next_request(), client.next_request()];
    for number in numbers {
        channel::client::command(&mut bytes, client.conversation, number, None, moved.into(), 1000);
    }
    client.receive(&crate::loopback::drained(&mut bytes)).unwrap();
    assert_eq!(client.answer(numbers[1]).what, What::Failed(Reason::RESOURCE_PROBLEM));

    server.limits.waits_max = 0;
    let mut client = server.client();
    let mark = client.cork(&Request::Cancel { get: channel::RequestNumber(0) }, Flags::NONE);
    client.send();
    assert_eq!(client.answer(mark).what, What::Failed(Reason::RESOURCE_PROBLEM));
}

#[test]
fn the_host_is_asked_to_stop_and_for_counters() {
    let server = Server::new();
    let mut client = server.client();
    let stop = client.cork(&Request::Stop { mode: channel::StopMode::Quiesce }, Flags::NONE);
    let statistics = client.cork(&Request::Statistics, Flags::NONE);
    client.send();
    let control = client.agent.take_control().unwrap();
    assert!(matches!(control, agents::Control::Stop(channel::StopMode::Quiesce, _)));
    client.agent.answer(&control, &agents::Answer::Stopping);
    let control = client.agent.take_control().unwrap();
    let counters = vec![channel::client::Counter { name: "puts".into(), value: 3 }];
    let told = channel::Statistics { counters, queues: vec![] };
    client.agent.answer(&control, &agents::Answer::Statistics(told.clone()));
    let frames = client.frames();
    assert_eq!((frames[0].header.request, &frames[0].what), (stop, &What::Done));
    assert_eq!(frames[1].header.request, statistics);
    let What::Long(content) = &frames[1].what else { panic!("{frames:?}") };
    assert_eq!(channel::Statistics::decode(content), Ok(told));
}

#[test]
fn a_conversation_under_a_number_that_was_used_is_told_nothing_of_the_one_before() {
    let server = Server::new();
    let mut client = server.client();
    let (none, outside) = (ObjectHandle(99), PutFlags::NO_SYNCPOINT);
    client.cork_put(none, Persistence::NotPersistent, outside, "x", Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::End).what, What::Done);
    client.begin(1, [0; 16]);
    assert_eq!(client.ask(&Request::Status).what, What::Status(PutStatus::default()));
}

#[test]
fn a_put_under_the_number_of_one_that_was_refused_before_its_conversation_ended_is_made() {
    let server = Server::new();
    let mut client = server.client();
    client.number_anew();
    let refused = client.next_request();
    let header = channel::Header::new(Kind::Put, client.conversation, refused);
    let mut output = channel::Output::default();
    channel::client::put(
        &mut output,
        header,
        &channel::client::Target::Handle(ObjectHandle(1)),
        &mqi::MessageDescriptor::default(),
        &mqi::PutOptions::default(),
        bytes::Bytes::from(vec![1; 600_000]),
        channel::frame::FRAGMENT_BYTES,
    );
    let mut bytes = crate::loopback::drained(&mut output);
    // The descriptor is spoilt where its mask stands.
    bytes[12 + 4 + 4 + 1 + 3] = 0xFF;
    client.receive(&bytes).unwrap();
    assert_eq!(client.answer(refused).what, What::Failed(Reason::MD_ERROR));
    assert_eq!(client.ask(&Request::End).what, What::Done);
    client.begin(1, [0; 16]);
    let handle = client.open("A", OpenOptions::OUTPUT);
    client.number_anew();
    let outside = PutFlags::NO_SYNCPOINT;
    let put = client.cork_put(handle, Persistence::NotPersistent, outside, vec![2; 600_000], Flags::NONE);
    assert_eq!(put, refused);
    client.send();
    assert_eq!(client.answer(put).what, What::PutDone);
}
