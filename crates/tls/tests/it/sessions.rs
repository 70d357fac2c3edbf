//! Sessions between a program and a queue manager of ours.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tls::{KeyStore, PeerCheck, Refused};
use transport::CoverError;

use crate::line::{
    DAY, Hands, NOW, QM1, Serving, Stores, channel, context, context_for, for_program, for_queue_manager,
};

#[test]
fn bytes_come_back_over_every_suite_of_the_build() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    for (name, version, suite) in [
        ("TLS_AES_256_GCM_SHA384", 0x0304, 0x1302),
        ("TLS_AES_128_GCM_SHA256", 0x0304, 0x1301),
        ("TLS_CHACHA20_POLY1305_SHA256", 0x0304, 0x1303),
        ("ECDHE_ECDSA_AES_256_GCM_SHA384", 0x0303, 0xC02C),
        ("ECDHE_ECDSA_AES_128_GCM_SHA256", 0x0303, 0xC02B),
        ("ANY_TLS12", 0x0303, 0xC02C),
        ("ANY_TLS12_OR_HIGHER", 0x0304, 0x1302),
    ] {
        let mut program =
            serving.connect(&context(&stores.without_key(), name, None, &hands).unwrap()).unwrap();
        let facts = program.facts.clone().unwrap();
        assert_eq!((facts.version, facts.suite), (version, suite), "{name}");
        for length in [1, 2_048, 16_384, 70_000, 1_500_000] {
            let body: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            program.echo(&body).unwrap();
        }
        let told = serving.news(|news| news.facts.pop()).unwrap().unwrap();
        assert_eq!((told.version, told.suite, told.certificates.len()), (version, suite, 0), "{name}");
    }
}

#[test]
fn a_channel_is_named_before_a_key_is_shown_and_has_its_own_suites_and_key() {
    let (stores, hands) = (Stores::new(), Hands::default());
    stores.authority.issue(&for_queue_manager("other"), NOW).unwrap();
    let mut strict = channel("STRICT", "TLS_AES_128_GCM_SHA256", PeerCheck::Required);
    strict.label = Some("other".to_owned());
    let mut own = channel("OPEN", "ANY_TLS12_OR_HIGHER", PeerCheck::Optional);
    own.label = Some("qm1".to_owned());
    let store = stores.queue_manager();
    let queue_manager = tls::server::QueueManager { name: "QM1", label: Some("qm1") };
    let serving = Serving::start_as(&store, &queue_manager, &[strict, own], &hands);
    assert_eq!(serving.left, []);
    let with_key = stores.program("app1");
    for (store, suites, name, label) in [
        (&with_key, "ANY_TLS13", "STRICT", "other"),
        (&with_key, "ANY_TLS13", "OPEN", "qm1"),
        (&stores.without_key(), "ANY_TLS13", "OPEN", "qm1"),
        (&stores.without_key(), "ANY_TLS13", "UNKNOWN", "qm1"),
    ] {
        let context = context(store, suites, Some(name), &hands).unwrap();
        let mut program = serving.connect(&context).unwrap();
        program.echo(b"in").unwrap();
        let facts = program.facts.clone().unwrap();
        let shown = tls::Certificate::read(&facts.certificates[0]).unwrap().subject.to_string();
        assert!(shown.contains(&format!("CN={label},")), "{name}: {shown}");
        assert_eq!(facts.application, format!("ferry/2/{name}").as_bytes());
        let told = serving.news(|news| news.facts.pop()).unwrap().unwrap();
        assert_eq!(told.application, facts.application);
        assert_eq!(told.server_name.as_deref(), Some("localhost"));
        assert_eq!(told.certificates.len(), store.keys.len());
    }
    // Its own suites: the queue manager's others are not for this channel.
    let wrong = context(&with_key, "ANY_TLS12", Some("STRICT"), &hands).unwrap();
    assert!(matches!(serving.connect(&wrong), Err(Refused::Suites(_))));
    // Without a certificate; in TLS 1.3 the program hears of that behind its own end of the handshake.
    let without = context(&stores.without_key(), "ANY_TLS13", Some("STRICT"), &hands).unwrap();
    let refused = serving.connect(&without).and_then(|mut program| program.echo(b"in"));
    assert!(matches!(refused, Err(Refused::Certificate(_))), "{refused:?}");
}

#[test]
fn a_program_proves_the_name_of_the_host_or_that_of_sslpeer() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let mut elsewhere = for_queue_manager("elsewhere");
    elsewhere.hosts = vec!["mq.example.com".to_owned()];
    stores.authority.issue(&elsewhere, NOW).unwrap();
    let queue_manager = tls::server::QueueManager { name: "QM1", label: Some("elsewhere") };
    let serving = Serving::start_as(&stores.queue_manager(), &queue_manager, &[], &hands);
    let program = stores.without_key();
    let by_host = context(&program, "ANY_TLS13", None, &hands).unwrap();
    assert!(matches!(serving.connect(&by_host), Err(Refused::Untrusted(_))));
    let by_name = |peer| context_for(&program, "ANY_TLS13", None, Some(peer), &hands).unwrap();
    serving.connect(&by_name("CN=elsewhere,OU=Payments,O=Bank")).unwrap().echo(b"in").unwrap();
    let refused = serving.connect(&by_name("CN=elsewhere,O=Shop")).err();
    assert!(matches!(&refused, Some(Refused::PeerName(_))), "{refused:?}");
    let text = refused.unwrap().to_string();
    assert!(text.contains("CN=elsewhere,OU=Payments,O=Bank") && text.contains("O=Shop"), "{text}");
}

/// Certificates that are refused, on both sides: the reason that each side is told.
#[test]
fn a_certificate_that_does_not_hold_is_refused_and_says_why() {
    let (stores, others, hands) = (Stores::new(), Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let own = stores.program("app1");
    let foreign = KeyStore { trust: own.trust.clone(), ..others.program("app2") };
    // A queue manager's certificate would do; one for servers alone does not prove a program.
    let try_at = |store: &KeyStore, seconds: u64| {
        hands.0.store(seconds, Ordering::SeqCst);
        let mut program = serving.connect(&context(store, "ANY_TLS12", None, &Hands::default()).unwrap())?;
        program.echo(b"in").map(|()| program.close())
    };
    assert_eq!(try_at(&own, NOW), Ok(()));
    for (store, seconds, expected) in [
        (&foreign, NOW, "invalid peer certificate: UnknownIssuer"),
        (&own, NOW + 31 * DAY, "CN=app1,OU=Payments,O=Bank expired at 2026-10-21 14:13:20 UTC, 1 days ago"),
        (&own, NOW - DAY, "CN=app1,OU=Payments,O=Bank does not hold before 2026-09-21 14:08:20 UTC"),
    ] {
        let refused = try_at(store, seconds);
        assert!(matches!(refused, Err(Refused::Certificate(_))), "{expected}: {refused:?}");
        let error = wait_for_error(&serving);
        assert!(error.to_string().contains(expected), "{error} for {expected}");
    }
    hands.0.store(NOW, Ordering::SeqCst);
    // The other side: a program does not believe a queue manager of another authority.
    let stranger = context(&others.without_key(), "ANY_TLS13", None, &hands).unwrap();
    assert!(matches!(serving.connect(&stranger), Err(Refused::Untrusted(_))));
}

/// The authority of a store, for another library to sign with.
fn issuer(stores: &Stores) -> rcgen::Issuer<'static, rcgen::KeyPair> {
    let folder = stores.path().join("qm/authority");
    let [certificate, key] =
        ["ca.pem", "ca.key"].map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    rcgen::Issuer::from_ca_cert_pem(&certificate, rcgen::KeyPair::from_pem(&key).unwrap()).unwrap()
}

/// The store of a program whose certificate another library made, for this purpose and signed by this
/// authority, or by its own key.
fn made_elsewhere(
    stores: &Stores,
    purpose: rcgen::ExtendedKeyUsagePurpose,
    issuer: Option<&rcgen::Issuer<'_, rcgen::KeyPair>>,
) -> KeyStore {
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256).unwrap();
    let mut params = rcgen::CertificateParams::new(Vec::<String>::new()).unwrap();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(rcgen::DnType::CommonName, "elsewhere");
    params.not_before = rcgen::date_time_ymd(2026, 9, 1);
    params.not_after = rcgen::date_time_ymd(2027, 9, 1);
    params.extended_key_usages = vec![purpose];
    let made = match issuer {
        Some(issuer) => params.signed_by(&key, issuer),
        None => params.self_signed(&key),
    };
    let path = stores.path().join("elsewhere.pem");
    std::fs::write(&path, made.unwrap().pem() + &key.serialize_pem()).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    KeyStore { trust: stores.without_key().trust, ..KeyStore::read(&path).unwrap() }
}

#[test]
fn a_certificate_for_servers_alone_one_of_its_own_and_one_of_a_pinned_name_are_refused() {
    use rcgen::ExtendedKeyUsagePurpose::{ClientAuth, ServerAuth};
    let (stores, hands) = (Stores::new(), Hands::default());
    let issuer = issuer(&stores);
    let pinned = made_elsewhere(&stores, ClientAuth, None);
    let mut store = stores.queue_manager();
    store.trust.push(pinned.keys["elsewhere"].certificate.clone());
    let serving = Serving::start(&store, &[], &hands);
    let try_by = |store: &KeyStore, suites: &str| {
        let mut program = serving.connect(&context(store, suites, None, &hands).unwrap())?;
        program.echo(b"in").map(|()| program.close())
    };
    for suites in ["ANY_TLS12", "ANY_TLS13"] {
        for (purpose, issuer, expected) in [
            (ServerAuth, Some(&issuer), "does not allow extended key usage for client"),
            // The same name as the pinned one's, and another key.
            (ClientAuth, None, "UnknownIssuer"),
        ] {
            let refused = try_by(&made_elsewhere(&stores, purpose, issuer), suites);
            assert!(matches!(refused, Err(Refused::Certificate(_))), "{suites}, {expected}: {refused:?}");
            let error = wait_for_error(&serving).to_string();
            assert!(error.contains(expected), "{suites}: {error} for {expected}");
        }
        assert_eq!(try_by(&made_elsewhere(&stores, ClientAuth, Some(&issuer)), suites), Ok(()), "{suites}");
        assert_eq!(try_by(&pinned, suites), Ok(()), "{suites}");
    }
}

#[test]
fn a_list_out_of_date_lets_in_no_certificate_of_its_issuer_until_there_is_a_newer_one() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let (program, gone) = (stores.program("app1"), stores.program("gone"));
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let try_by = |store: &KeyStore| {
        let mut program = serving.connect(&context(store, "ANY_TLS12", None, &hands).unwrap())?;
        program.echo(b"in").map(|()| program.close())
    };
    assert_eq!(try_by(&program), Ok(()), "without a list");
    let list = rcgen::CertificateRevocationListParams {
        this_update: rcgen::date_time_ymd(2026, 9, 1),
        next_update: rcgen::date_time_ymd(2026, 9, 20),
        crl_number: rcgen::SerialNumber::from(1_u64),
        issuing_distribution_point: None,
        revoked_certs: Vec::new(),
        key_identifier_method: rcgen::KeyIdMethod::Sha256,
    };
    let list = list.signed_by(&issuer(&stores)).unwrap().pem().unwrap();
    let path = stores.path().join("qm/crl/ca.pem");
    std::fs::write(&path, list).unwrap();
    assert_eq!(serving.contexts.replace(&stores.queue_manager(), &QM1, &[]).unwrap(), []);
    let refused = try_by(&program);
    assert!(matches!(refused, Err(Refused::Certificate(_) | Refused::Revoked(_))), "{refused:?}");
    let error = wait_for_error(&serving).to_string();
    assert!(error.contains("certificate revocation list expired"), "{error}");
    stores.authority.revoke("gone", NOW).unwrap();
    assert_eq!(serving.contexts.replace(&stores.queue_manager(), &QM1, &[]).unwrap(), []);
    assert_eq!(try_by(&program), Ok(()));
    assert!(matches!(try_by(&gone), Err(Refused::Revoked(_))));
}

/// Each end says which certificate of a chain is out of its time and since when, its own ones too.
#[test]
fn both_ends_name_the_certificate_that_is_out_of_its_time_and_the_day() {
    let (stores, late) = (Stores::new(), Hands::default());
    let own = stores.program("app1");
    late.0.store(NOW + 33 * DAY, Ordering::SeqCst);
    let early = Hands::default();
    let expired = |label: &str| {
        let subject = format!("CN={label},OU=Payments,O=Bank expired at 2026-10-21 14:13:20 UTC, 3 days ago");
        move |text: &str| assert!(text.contains(&subject), "{text}")
    };
    // The queue manager refuses: it names the program's, and so does the program where its clock agrees.
    let serving = Serving::start(&stores.queue_manager(), &[], &late);
    for (hands, is_agreed) in [(&late, true), (&early, false)] {
        let program = context(&own, "ANY_TLS12", None, hands).unwrap();
        // A program with the right clock would refuse the queue manager first: that one is renewed.
        stores.authority.renew("qm1", 90, NOW + 30 * DAY).unwrap();
        serving.contexts.replace(&stores.queue_manager(), &QM1, &[]).unwrap();
        let refused = serving.connect(&program).and_then(|mut program| program.echo(b"in")).unwrap_err();
        if is_agreed {
            expired("app1")(&refused.to_string());
            expired("app1")(&wait_for_error(&serving).to_string());
        } else {
            // To the early clock the renewed one does not hold yet.
            assert!(
                matches!(&refused, Refused::OutOfTime(why) if why.contains("CN=qm1") && why.contains("does not hold before")),
                "{refused}"
            );
            let told = wait_for_error(&serving).to_string();
            assert!(
                told.contains("compare the clocks of both machines") && told.contains("CN=qm1"),
                "{told}"
            );
        }
    }
    // The program refuses: it names the queue manager's, and so does the queue manager.
    let stores = Stores::new();
    let serving = Serving::start(&stores.queue_manager(), &[], &late);
    let program = context(&stores.without_key(), "ANY_TLS13", None, &late).unwrap();
    let refused = serving.connect(&program).map(drop).unwrap_err();
    assert!(matches!(&refused, Refused::OutOfTime(_)), "{refused}");
    expired("qm1")(&refused.to_string());
    expired("qm1")(&wait_for_error(&serving).to_string());
}

#[test]
fn a_certificate_of_another_version_or_between_that_is_out_of_its_time_is_said_in_words() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let own = stores.program("app1").keys["app1"].certificate.clone();
    let proved = |chain: &[Vec<u8>]| serving.contexts.prove_again(chain);
    assert_eq!(proved(&[own.der.to_vec()]), Ok(()));
    let old = proved(&[crate::stores::of_version_1(&own.der)]).unwrap_err();
    assert!(old.contains("version 1 or 2") && old.contains("version 3 is needed"), "{old}");
    // One behind it that is out of its time, with the own one in its time.
    let between = stores.program_at("between", NOW - 40 * DAY).keys["between"].certificate.clone();
    hands.0.store(NOW + 31 * DAY, Ordering::SeqCst);
    let both = proved(&[own.der.to_vec(), between.der.to_vec()]).unwrap_err();
    assert!(both.contains("CN=app1") && both.contains("1 days ago"), "the first one counts: {both}");
    assert_eq!(proved(&[vec![0x30, 0]]).map_err(|why| why.is_empty()), Err(false));
}

fn wait_for_error(serving: &Serving) -> CoverError {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    loop {
        if let Some(error) = serving.news(|news| news.errors.pop()) {
            return error;
        }
        assert!(std::time::Instant::now() < until, "the queue manager is told of no error");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

#[test]
fn a_revoked_certificate_is_refused_from_the_next_reading_on() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let program = stores.program("app1");
    let context = context(&program, "ANY_TLS12", None, &hands).unwrap();
    serving.connect(&context).unwrap().echo(b"in").unwrap();
    assert_eq!(stores.authority.revoke("app1", NOW).unwrap(), 1);
    assert_eq!(serving.contexts.replace(&stores.queue_manager(), &QM1, &[]).unwrap(), []);
    let refused = serving.connect(&context).and_then(|mut program| program.echo(b"in"));
    assert!(matches!(refused, Err(Refused::Revoked(_))), "{refused:?}");
    // Others of the same authority come in, also years later: the list does not run out before it does.
    let other = stores.program("app2");
    let context = crate::line::context(&other, "ANY_TLS12", None, &hands).unwrap();
    serving.connect(&context).unwrap().echo(b"in").unwrap();
}

#[test]
fn without_the_lost_list_of_its_issuer_no_certificate_is_let_in_at_either_end() {
    use tls::IssuerName;
    let (stores, hands) = (Stores::new(), Hands::default());
    let program = stores.program("app1");
    stores.authority.revoke("app1", NOW).unwrap();
    let mut store = stores.queue_manager();
    let issuers: Vec<IssuerName> = store.lists().into_keys().collect();
    assert_eq!(issuers.len(), 1);
    assert_eq!(IssuerName::from_hex(&issuers[0].to_hex()), Some(issuers[0].clone()));
    assert!(issuers[0].to_string().starts_with("CN=QM1 certificate authority"), "{}", issuers[0]);
    store.revocations.clear();
    let context = context(&program, "ANY_TLS12", None, &hands).unwrap();
    Serving::start(&store, &[], &hands).connect(&context).unwrap().echo(b"in").unwrap();
    store.unlisted.extend(issuers.clone());
    let serving = Serving::start(&store, &[], &hands);
    assert!(serving.connect(&context).and_then(|mut program| program.echo(b"in")).is_err());
    serving.closed(1);
    let told = serving.news(|news| news.errors[0].to_string());
    assert!(told.contains("list of revoked certificates") && told.contains("CN=QM1"), "{told}");
    // Another issuer's certificates are let in, and programs refuse a queue manager alike.
    store.unlisted = [IssuerName::new(&[0x30, 0])].into();
    let serving = Serving::start(&store, &[], &hands);
    serving.connect(&context).unwrap().echo(b"in").unwrap();
    let lost = KeyStore { unlisted: issuers.into_iter().collect(), ..program };
    let context = crate::line::context(&lost, "ANY_TLS12", None, &hands).unwrap();
    let refused = serving.connect(&context).map(drop).unwrap_err();
    assert!(matches!(&refused, Refused::Untrusted(why) if why.contains("is missing")), "{refused}");
}

#[test]
fn a_single_certificate_is_trusted_as_it_is_and_no_other_of_its_authority() {
    let (stores, others, hands) = (Stores::new(), Stores::new(), Hands::default());
    let pinned = others.program("partner");
    let mut store = stores.queue_manager();
    store.trust.push(pinned.keys["partner"].certificate.clone());
    let serving = Serving::start(&store, &[], &hands);
    let trusting = |own: &KeyStore| KeyStore { trust: stores.without_key().trust, ..own.clone() };
    let by = |own: &KeyStore| context(&trusting(own), "ANY_TLS12", None, &hands).unwrap();
    serving.connect(&by(&pinned)).unwrap().echo(b"in").unwrap();
    let sibling = others.program("sibling");
    let refused = serving.connect(&by(&sibling)).and_then(|mut program| program.echo(b"in"));
    assert!(matches!(refused, Err(Refused::Certificate(_))), "{refused:?}");
    // It runs out like any other.
    hands.0.store(NOW + 31 * DAY, Ordering::SeqCst);
    let early = context(&trusting(&pinned), "ANY_TLS12", None, &Hands::default()).unwrap();
    let refused = serving.connect(&early).and_then(|mut program| program.echo(b"in"));
    assert!(matches!(refused, Err(Refused::Certificate(_))), "{refused:?}");
}

#[test]
fn keys_are_replaced_while_connections_go_on() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let context = context(&stores.without_key(), "ANY_TLS13", None, &hands).unwrap();
    let mut old = serving.connect(&context).unwrap();
    let before = stores.queue_manager();
    stores.authority.renew("qm1", 30, NOW).unwrap();
    let after = stores.queue_manager();
    assert_ne!(before, after);
    serving.contexts.replace(&after, &QM1, &[]).unwrap();
    let new = serving.connect(&context).unwrap();
    let shown = |program: &crate::line::Program| program.facts.clone().unwrap().certificates[0].clone();
    assert_eq!(shown(&old), before.keys["qm1"].certificate.der.as_ref());
    assert_eq!(shown(&new), after.keys["qm1"].certificate.der.as_ref());
    old.echo(b"still here").unwrap();
    // A store without a usable key changes nothing.
    assert!(serving.contexts.replace(&KeyStore::default(), &QM1, &[]).is_err());
    serving.connect(&context).unwrap().echo(b"in").unwrap();
}

#[test]
fn a_session_ends_by_a_word_and_a_cut_or_flipped_bit_is_told_apart() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let context = context(&stores.without_key(), "ANY_TLS13", None, &hands).unwrap();
    serving.connect(&context).unwrap().close();
    serving.closed(1);
    assert_eq!(serving.news(|news| news.errors.len()), 0, "an end in order");
    drop(serving.connect(&context).unwrap());
    serving.closed(2);
    assert_eq!(serving.news(|news| news.errors.pop()), Some(CoverError::CutOff));
    let mut program = serving.connect(&context).unwrap();
    let mut record = vec![0x17, 3, 3, 0, 64];
    record.extend([0x5A; 64]);
    program.stream.write_all(&record).unwrap();
    let refused = program.receive(1);
    assert!(
        matches!(refused, Err(Refused::Handshake(ref text)) if text.contains("BadRecordMac")),
        "{refused:?}"
    );
    drop(program);
    serving.closed(3);
    assert!(matches!(serving.news(|news| news.errors.pop()), Some(CoverError::Record(_))));
}

#[test]
fn a_program_that_changes_keys_now_and_then_is_served_and_one_that_does_nothing_else_is_cut_off() {
    // This program's library looks at the machine's clock.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let hands = Hands::default();
    hands.0.store(now, Ordering::SeqCst);
    let stores = Stores::new_at(now);
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let mut roots = rustls::RootCertStore::empty();
    roots.add(stores.queue_manager().trust[0].der.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let config = Arc::new(config);
    for (changes, is_served) in [(10, true), (200, false)] {
        let mut stream = std::net::TcpStream::connect(serving.address).unwrap();
        let name = "localhost".try_into().unwrap();
        let mut session = rustls::ClientConnection::new(Arc::clone(&config), name).unwrap();
        session.complete_io(&mut stream).unwrap();
        for _ in 0..changes {
            session.refresh_traffic_keys().unwrap();
            // The other end may have gone by now.
            let _ = session.write_tls(&mut stream);
        }
        session.writer().write_all(b"x").unwrap();
        let _ = session.write_tls(&mut stream);
        let mut back = [0; 1];
        let read = rustls::Stream::new(&mut session, &mut stream).read_exact(&mut back);
        assert_eq!(read.is_ok(), is_served, "{changes} changes: {read:?}");
        let closed = if is_served { 1 } else { 2 };
        drop(stream);
        serving.closed(closed);
        let error = serving.news(|news| news.errors.pop());
        match is_served {
            true => assert_eq!(error, Some(CoverError::CutOff), "this program says no last word"),
            false => {
                let is_flood = |why: &str| why.contains("TooManyKeyUpdateRequests");
                assert!(matches!(&error, Some(CoverError::Record(why)) if is_flood(why)), "{error:?}");
            }
        }
    }
}

/// A program that is let in by TLS 1.3, and can seal records that its library does not send.
struct Sealer {
    stream: std::net::TcpStream,
    encrypter: Box<dyn rustls::crypto::cipher::MessageEncrypter>,
    version: rustls::ProtocolVersion,
    number: u64,
}

impl Sealer {
    fn connect(serving: &Serving, stores: &Stores) -> Self {
        let mut roots = rustls::RootCertStore::empty();
        roots.add(stores.queue_manager().trust[0].der.clone()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = rustls::ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.enable_secret_extraction = true;
        let mut stream = std::net::TcpStream::connect(serving.address).unwrap();
        let name = "localhost".try_into().unwrap();
        let mut session = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
        session.complete_io(&mut stream).unwrap();
        let suite = session.negotiated_cipher_suite().and_then(|suite| suite.tls13()).expect("it is 1.3");
        let version = session.protocol_version().unwrap();
        let (number, secrets) = session.dangerous_extract_secrets().unwrap().tx;
        let rustls::ConnectionTrafficSecrets::Aes256Gcm { key, iv } = secrets else {
            panic!("the first suite of both is AES-256-GCM")
        };
        Self { stream, encrypter: suite.aead_alg.encrypter(key, iv), version, number }
    }

    /// Sends a record of application data, which may be empty. The other end may have gone by now.
    fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let record = rustls::crypto::cipher::OutboundPlainMessage {
            typ: rustls::ContentType::ApplicationData,
            version: self.version,
            payload: rustls::crypto::cipher::OutboundChunks::Single(bytes),
        };
        let sealed = self.encrypter.encrypt(record, self.number).unwrap().encode();
        self.number += 1;
        self.stream.write_all(&sealed)
    }
}

#[test]
fn some_empty_records_are_passed_over_and_a_flood_of_them_is_cut_off() {
    // This program's library looks at the machine's clock.
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let hands = Hands::default();
    hands.0.store(now, Ordering::SeqCst);
    let stores = Stores::new_at(now);
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let mut program = Sealer::connect(&serving, &stores);
    for _ in 0..5 {
        program.send(b"").unwrap();
    }
    program.send(b"x").unwrap();
    // One byte, its type and the tag of sixteen; an alert has two bytes.
    let mut record = [0; 23];
    program.stream.read_exact(&mut record).unwrap();
    assert_eq!(record[..5], [0x17, 3, 3, 0, 18], "the byte comes back");
    drop(program);
    serving.closed(1);
    assert_eq!(serving.news(|news| news.errors.pop()), Some(CoverError::CutOff), "it says no last word");
    let mut program = Sealer::connect(&serving, &stores);
    // The bound lies between the two; a system that takes bytes for an end that is gone hides nothing.
    let sent = (0..10_000).take_while(|_| program.send(b"").is_ok()).count();
    serving.closed(2);
    let error = serving.news(|news| news.errors.pop());
    let is_flood = |why: &str| why.contains("TooManyEmptyFragments");
    assert!(
        matches!(&error, Some(CoverError::Record(why)) if is_flood(why)),
        "{error:?} after {sent} records"
    );
    drop(program);
    // Others are served as before.
    let context = context(&stores.without_key(), "ANY_TLS13", None, &hands).unwrap();
    serving.connect(&context).unwrap().echo(b"in").unwrap();
}

#[test]
fn bytes_that_are_no_handshake_are_told_apart_from_one_that_is_broken() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let mut plain = std::net::TcpStream::connect(serving.address).unwrap();
    plain.write_all(b"FERRY in the clear").unwrap();
    let mut answer = [0; 18];
    plain.read_exact(&mut answer).unwrap();
    assert_eq!(serving.news(|news| news.facts.pop()), Some(None), "the handler decides");
    let mut broken = std::net::TcpStream::connect(serving.address).unwrap();
    broken.write_all(&[0x16, 3, 1, 0, 6, 1, 0, 0, 2, 3, 3]).unwrap();
    let mut alert = Vec::new();
    broken.read_to_end(&mut alert).unwrap();
    assert_eq!(alert.first_chunk(), Some(&[0x15, 3, 3]), "an alert");
    serving.closed(1);
    assert!(matches!(serving.news(|news| news.errors.pop()), Some(CoverError::Handshake(_))));
}

#[test]
fn a_chain_that_is_too_long_is_cut_before_it_is_proved() {
    let (stores, hands) = (Stores::new(), Hands::default());
    let serving = Serving::start(&stores.queue_manager(), &[], &hands);
    let mut request = for_program("wordy");
    request.unit = Some("x".repeat(14_000));
    stores.authority.issue(&request, NOW).unwrap();
    let path = stores.path().join("wordy.pem");
    let keys = stores.path().join("qm/keys");
    let certificate = std::fs::read_to_string(keys.join("wordy.pem")).unwrap();
    let key = std::fs::read_to_string(keys.join("wordy.key")).unwrap();
    std::fs::write(&path, [certificate, key].concat()).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let mut store = KeyStore::read(&path).unwrap();
    store.trust = stores.without_key().trust;
    let context = context(&store, "ANY_TLS12", None, &hands).unwrap();
    let address = serving.address;
    std::thread::spawn(move || crate::line::Program::connect(address, &context).map(drop));
    assert_eq!(wait_for_error(&serving), CoverError::TooLong);
}
