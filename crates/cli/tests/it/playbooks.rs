//! The familiar commands in the order in which playbooks of configuration management call them.

use crate::familiar::Prefix;
use crate::support::free_port;

/// A queue manager that is absent is shown as such, made, started, configured twice, ended and deleted, each
/// step by the code of the one before.
#[test]
fn playbooks_make_configure_end_and_delete_a_queue_manager() {
    let prefix = Prefix::new();
    let place = |name: &str| prefix.ferry.data().join(name).to_str().expect("a path").to_owned();
    let (data, logs, script) = (place("qmgrs"), place("logs"), place("config.mqsc"));
    std::fs::create_dir(&logs).expect("a folder");
    let listener = free_port();
    let text = format!(
        "* of each developer\n\nSTOP LISTENER('SYSTEM.DEFAULT.LISTENER.TCP') IGNSTATE(YES)\n\
         DEFINE QLOCAL('DEV.DEAD.LETTERS') REPLACE\nALTER QMGR DEADQ('DEV.DEAD.LETTERS')\n\
         DEFINE AUTHINFO('DEV.AUTHINFO') AUTHTYPE(IDPWOS) CHCKCLNT(REQDADM) CHCKLOCL(OPTIONAL) ADOPTCTX(YES) REPLACE\n\
         ALTER QMGR CONNAUTH('DEV.AUTHINFO')\nREFRESH SECURITY(*) TYPE(CONNAUTH)\n\
         DEFINE CHANNEL('DEV.APP.SVRCONN') CHLTYPE(SVRCONN) MCAUSER('app') REPLACE\n\
         SET CHLAUTH('DEV.APP.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED) \
         ACTION(REPLACE)\n\
         SET AUTHREC PROFILE('DEV.**') PRINCIPAL('app') OBJTYPE(QUEUE) AUTHADD(BROWSE,GET,INQ,PUT)\n\
         DEFINE LISTENER('DEV.LISTENER.TCP') TRPTYPE(TCP) IPADDR('127.0.0.1') PORT({listener}) CONTROL(QMGR) REPLACE\n\
         START LISTENER('DEV.LISTENER.TCP') IGNSTATE(YES)\n"
    );
    std::fs::write(&script, text).expect("a file");
    let create =
        ["-md", &data, "-ld", &logs, "-lf", "1024", "-lp", "3", "-ls", "2", "-c", "of tests", "qm_1"];
    let apply = ["qm_1", "-f", &script];
    let steps: [(&str, &[&str], i32, &str); 17] = [
        ("dspmqver", &[], 0, "Version:"),
        ("dspmq", &["-m", "qm_1"], 72, ""),
        ("endmqm", &["qm_1"], 16, ""),
        ("dltmqm", &["qm_1"], 16, ""),
        ("crtmqm", &create, 0, "created"),
        ("crtmqm", &create, 8, ""),
        ("endmqm", &["qm_1"], 40, ""),
        ("strmqm", &["qm_1"], 0, "started"),
        ("dspmq", &["-m", "qm_1"], 0, "STATUS(Running)"),
        ("strmqm", &["qm_1"], 5, ""),
        ("runmqsc", &apply, 0, "All valid MQSC commands were processed."),
        ("runmqsc", &apply, 0, "All valid MQSC commands were processed."),
        ("dspmq", &[], 0, "QMNAME(qm_1)"),
        ("dltmqm", &["qm_1"], 5, ""),
        ("endmqm", &["qm_1"], 0, "ends when its programs have disconnected"),
        ("endmqm", &["-w", "qm_1"], 40, ""),
        ("dltmqm", &["qm_1"], 0, "deleted"),
    ];
    for (tool, arguments, code, words) in steps {
        if (tool, code) == ("endmqm", 40) {
            // The first request ends it when its programs have gone, of which there are none.
            let runs = || prefix.run("dspmq", &["-a"]).code == 5;
            let _ended = (0..1_200).find(|_| {
                std::thread::sleep(std::time::Duration::from_millis(50));
                !runs()
            });
        }
        let told = prefix.run(tool, arguments);
        assert_eq!(told.code, code, "{tool} {arguments:?}: {}{}", told.stdout, told.stderr);
        assert!(told.stdout.contains(words), "{tool} {arguments:?}: {}", told.stdout);
    }
    assert_eq!(std::fs::read_dir(&logs).expect("a folder").count(), 0, "its log is gone as well");
}
