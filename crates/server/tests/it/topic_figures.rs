//! Figures of topics and subscriptions of a server, beside what DISPLAY tells of the same publications.

use bytes::Bytes;
use client::Connection;
use figures::metrics::{Block, Form, Names, Printer, print};
use mqi::{
    CloseOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions,
    Reason, SubscribeOptions, SubscriptionDescriptor, Verbs as _,
};

use crate::running::{Place, address, command, connect, eventually, put};

const SETTINGS: &str = "[metrics]\ntopics = [\"price/*\", \"!price/secret*\"]\ntopics_max = 3\n\
                        subscriptions = [\"own*\"]\nsubscriptions_max = 1\n";

/// The page that a scrape shows, once it is as expected.
fn page(program: &mut Connection, what: &str, is_so: impl Fn(&str) -> bool) -> String {
    let mut page = String::new();
    eventually(what, || {
        page = printed(program, Names::Own);
        is_so(&page)
    });
    page
}

fn printed(program: &mut Connection, names: Names) -> String {
    let bytes = program.figures().unwrap();
    let Ok(block) = Block::decode(&bytes) else { return String::new() };
    let mut printer = Printer::new(Form::Text, names);
    print(&mut printer, &block, names, block.taken);
    printer.finish()
}

fn publish(program: &mut Connection, topic: &str) -> Result<(), Reason> {
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let (object, body) = (ObjectDescriptor::topic(topic), Bytes::from_static(b"x"));
    program.put1(&object, &mut MessageDescriptor::default(), &mut options, body).map(drop)
}

fn subscribe(program: &mut Connection, name: &str, topic: &str) {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let wanted =
        SubscriptionDescriptor { name: name.to_owned(), ..SubscriptionDescriptor::to(topic, options) };
    program.subscribe(&wanted, None).unwrap();
}

/// A number that DISPLAY tells.
fn told(program: &mut Connection, display: &str, keyword: &str) -> String {
    let told = command(program, &format!("{display} {keyword}"));
    let (_, rest) = told.split_once(&format!("{keyword}(")).unwrap_or_else(|| panic!("{told}"));
    rest.split(')').next().unwrap().trim().to_owned()
}

#[test]
fn a_scrape_has_the_numbers_of_display_for_topics_and_subscriptions_that_settings_name() {
    let place = Place::with_settings(SETTINGS);
    let server = place.start();
    let mut program = connect(&address(&server));
    subscribe(&mut program, "own", "price/tin");
    subscribe(&mut program, "own.too", "price/+");
    subscribe(&mut program, "other", "price/secret");
    let topic = program.open(&ObjectDescriptor::topic("price/tin"), OpenOptions::OUTPUT).unwrap().handle;
    for _ in 0..3 {
        put(&mut program, topic, b"x", Persistence::NotPersistent, PutFlags::NO_SYNCPOINT).unwrap();
    }
    publish(&mut program, "price/secret").unwrap();
    publish(&mut program, "elsewhere").unwrap();
    let status = "DISPLAY TPSTATUS('price/tin')";
    let published = told(&mut program, &format!("{status} TYPE(PUB)"), "NUMPUBS");
    let received = told(&mut program, "DISPLAY SBSTATUS('own')", "NUMMSGS");
    let publishers = told(&mut program, status, "PUBCOUNT");
    let subscribers = told(&mut program, status, "SUBCOUNT");
    assert_eq!([&published, &received, &publishers, &subscribers], ["3", "3", "1", "1"]);
    let tin = r#"qmgr="QM1",topic="price/tin""#;
    let has = |page: &str, line: &str| page.lines().any(|found| found == line);
    let of_tin = format!("ferry_topic_messages_total{{{tin},way=\"published\"}} {published}");
    let page = page(&mut program, "the publications are on the page", |page| has(page, &of_tin));
    for line in [
        format!("ferry_topic_messages_total{{{tin},way=\"received\"}} {received}"),
        format!("ferry_topic_publishers{{{tin}}} {publishers}"),
        format!("ferry_topic_subscribers{{{tin}}} {subscribers}"),
        format!(
            r#"ferry_subscription_messages_total{{qmgr="QM1",subscription="own",topic="price/tin",type="API"}} {received}"#
        ),
        r#"ferry_topic_messages_total{qmgr="QM1",topic="price/+",way="received"} 4"#.to_owned(),
        r#"ferry_topics_not_shown{qmgr="QM1"} 0"#.to_owned(),
        r#"ferry_subscriptions_not_shown{qmgr="QM1"} 1"#.to_owned(),
    ] {
        assert!(has(&page, &line), "{line} is not in\n{page}");
    }
    for other in ["secret", "elsewhere", "own.too"] {
        assert!(!page.contains(other), "{other} has no series: {page}");
    }
    let identifier = told(&mut program, "DISPLAY SBSTATUS('own')", "SUBID");
    let familiar = printed(&mut program, Names::Familiar);
    let of_own = format!(
        r#"qmgr="QM1",platform="UNIX",subscription="own",subid="{identifier}",topic="price/tin",type="API""#
    );
    assert!(familiar.contains(&format!("ibmmq_subscription_messsages_received{{{of_own}}} ")), "{familiar}");
    for (name, kind, value) in [("publisher_count", "status", 1), ("subscriber_count", "status", 1)] {
        let labels = format!(r#"qmgr="QM1",platform="UNIX",topic="price/tin",type="{kind}""#);
        assert!(has(&familiar, &format!("ibmmq_topic_{name}{{{labels}}} {value}")), "{familiar}");
    }
    program.close(topic, CloseOptions::EMPTY).unwrap();
    let gone = format!("ferry_topic_publishers{{{tin}}} 0");
    let page = self::page(&mut program, "the handle is gone", |page| has(page, &gone));
    assert!(has(&page, &of_tin), "its publications stay counted: {page}");
}

#[test]
fn topics_beyond_the_bound_are_counted_in_one_series_and_told_once() {
    let place = Place::with_settings(SETTINGS);
    let server = place.start();
    let mut program = connect(&address(&server));
    command(&mut program, "DEFINE TOPIC(SHUT) TOPICSTR('price/shut') PUB(DISABLED)");
    for number in 0..8 {
        assert_eq!(publish(&mut program, &format!("price/shut/{number}")), Err(Reason::PUT_INHIBITED));
    }
    let topic = "price/hostile \"} 1\n\\ferry_up{}\u{1}\r\u{2028}€";
    publish(&mut program, topic).unwrap();
    let label = r#"topic="price/hostile \"} 1\n\\ferry_up{}"#;
    let page = page(&mut program, "it is on the page", |page| page.contains(label));
    assert!(page.contains("ferry_topics_not_shown{qmgr=\"QM1\"} 0\n"), "refusals take no place: {page}");
    assert_eq!(page.matches("\nferry_up{").count() + usize::from(page.starts_with("ferry_up{")), 1);
    assert!(!place.error_log().contains("FRY5048W"));

    let opened: Vec<_> = (0..4)
        .map(|number| {
            let object = ObjectDescriptor::topic(format!("price/{number}"));
            let handle = program.open(&object, OpenOptions::OUTPUT).unwrap().handle;
            put(&mut program, handle, b"x", Persistence::NotPersistent, PutFlags::NO_SYNCPOINT).unwrap();
            handle
        })
        .collect();
    let page = self::page(&mut program, "three find no place", |page| {
        page.contains("ferry_topics_not_shown{qmgr=\"QM1\"} 3\n")
    });
    assert_eq!(page.matches("ferry_topic_publishers{").count(), 3);
    assert!(page.contains(label), "it keeps its place");
    let told = || place.error_log().lines().filter(|line| line.contains("FRY5048W")).count();
    eventually("it is told", || told() == 1);
    subscribe(&mut program, "own", "a");
    subscribe(&mut program, "own.too", "a");
    eventually("so are subscriptions", || {
        program.figures().unwrap();
        told() == 2
    });
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    program.figures().unwrap();
    assert_eq!(told(), 2, "{}", place.error_log());
    command(&mut program, "ALTER QMGR TREELIFE(1)");
    for handle in opened {
        program.close(handle, CloseOptions::EMPTY).unwrap();
    }
    self::page(&mut program, "topics that leave the tree give their places up", |page| {
        page.matches("ferry_topic_publishers{").count() == 1
            && page.contains("topic=\"price/shut\"")
            && page.contains("ferry_topics_not_shown{qmgr=\"QM1\"} 0\n")
    });
}
