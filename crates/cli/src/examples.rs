//! Examples of commands, for the manual pages.
//!
//! Always: each line can be typed as it stands, and its command is the one that it is an example of.

/// A line to type, and its effect.
pub(crate) type Example = (&'static str, &'static str);

/// The examples of a command by its words: `qmgr create`.
pub(crate) fn of(command: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

/// The commands that have examples.
pub(crate) fn names() -> Vec<&'static str> {
    EXAMPLES.iter().map(|(name, _)| *name).collect()
}

/// The examples of each command that does something; a group of commands has those of its members.
const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "auth check",
        &[("ferry auth check ada ORDERS put", "Say whether ada may put on ORDERS, and by which record.")],
    ),
    (
        "auth grant",
        &[
            ("ferry auth grant ada put,browse ORDERS", "Let ada put on ORDERS and browse it."),
            ("ferry auth grant ada connect --type qmgr", "Let ada connect."),
        ],
    ),
    (
        "auth list",
        &[("ferry auth list", "List all authority records."), ("ferry auth list ada", "List those of ada.")],
    ),
    ("auth revoke", &[("ferry auth revoke ada browse ORDERS", "Take a right away.")]),
    ("auth show", &[("ferry auth show ada ORDERS", "Show the rights that ada has on ORDERS.")]),
    (
        "backup",
        &[("ferry backup /backup/monday", "Copy the queue manager while it runs, and verify the copy.")],
    ),
    (
        "bridge add",
        &[(
            "ferry bridge add FAR --at 'far.example.com(1416)' --as mover --password-file mover.txt",
            "Define a bridge with a connector queue FAR and a pipe out.",
        )],
    ),
    ("bridge list", &[("ferry bridge list", "List bridges with their pipes.")]),
    ("bridge run", &[("ferry bridge run --keys far.pem", "Move messages until Ctrl-C.")]),
    (
        "browse",
        &[
            ("ferry browse ORDERS", "Print one line for each message."),
            ("ferry browse ORDERS -n 1 --describe", "Print the first message with its descriptor."),
            ("ferry browse ORDERS --where \"colour = 'red'\"", "Print the messages with this property."),
        ],
    ),
    (
        "channel forget",
        &[(
            "ferry channel forget HERE.THERE",
            "Forget the partner of a channel that is to be used for another.",
        )],
    ),
    ("channel list", &[("ferry channel list", "Print one line for each channel.")]),
    (
        "channel ping",
        &[("ferry channel ping HERE.THERE", "Send data to the partner and back, without a message.")],
    ),
    (
        "channel reset",
        &[("ferry channel reset HERE.THERE --sequence 1", "Count from 1 again, once both ends agree to.")],
    ),
    (
        "channel resolve",
        &[("ferry channel resolve HERE.THERE commit", "Decide that the partner has the batches in doubt.")],
    ),
    (
        "channel show",
        &[("ferry channel show HERE.THERE", "Print the state of a channel, and the command that mends it.")],
    ),
    ("channel start", &[("ferry channel start HERE.THERE", "Start a channel.")]),
    ("channel stop", &[("ferry channel stop HERE.THERE", "Stop a channel after the batch under way.")]),
    (
        "channel wait",
        &[("ferry channel wait HERE.THERE --state running --for 10s", "Wait until a channel runs.")],
    ),
    (
        "check",
        &[
            ("ferry check", "Check everything: one line, and an exit code for monitoring systems."),
            ("ferry check ready", "Check whether programs are let in."),
        ],
    ),
    ("completions", &[("ferry completions bash", "Print the completion script of bash.")]),
    ("config apply", &[("ferry config apply definitions.mqsc", "Make the objects as the file says.")]),
    ("config diff", &[("ferry config diff definitions.mqsc", "Show the changes that apply would make.")]),
    ("config dump", &[("ferry config dump QM1", "Print all definitions as MQSC.")]),
    ("config from-ini", &[("ferry config from-ini qm.ini", "Print the settings that a qm.ini stands for.")]),
    (
        "config from-msmq",
        &[(
            "ferry config from-msmq queues.json --rename orders-in=ORDERS.IN",
            "Print the queues that MSMQ exported as MQSC, one with another name.",
        )],
    ),
    (
        "container",
        &[(
            "ferry container --settings ferry.toml --mqsc mqsc",
            "Run QM1 with the settings of a file and the definitions of a folder.",
        )],
    ),
    (
        "context add",
        &[(
            "ferry context add test --connect mq.example.com:1414 --qmgr QM1",
            "Keep an address under the name test.",
        )],
    ),
    ("context list", &[("ferry context list", "List the contexts.")]),
    ("context remove", &[("ferry context remove test", "Forget a context.")]),
    ("context show", &[("ferry context show test", "Print the options of a context.")]),
    ("context use", &[("ferry context use test", "Have commands that name no place connect by a context.")]),
    ("control", &[("ferry control --listen 127.0.0.1:9443", "Serve figures at /metrics.")]),
    (
        "dev",
        &[
            ("ferry dev", "Create QM1 where it is absent, and run it."),
            ("ferry dev --port 0 --http none", "Listen on a free port, and serve no figures."),
        ],
    ),
    ("dlq list", &[("ferry dlq list", "Print one line for each dead letter.")]),
    (
        "dlq move",
        &[(
            "ferry dlq move --reason 2053 --to ASIDE",
            "Move letters that met a full queue to another queue.",
        )],
    ),
    ("dlq purge", &[("ferry dlq purge --destination ORDERS", "Delete the letters for a queue.")]),
    (
        "dlq replay",
        &[("ferry dlq replay --destination ORDERS", "Put letters on the queue that they were for.")],
    ),
    ("dlq rules", &[("ferry dlq rules letters.rules", "Treat letters by a table of rules.")]),
    ("dlq show", &[("ferry dlq show -n 1", "Print the first letter with header, properties and body.")]),
    ("doctor", &[("ferry doctor", "Look for faults, each with the step that mends it.")]),
    (
        "events",
        &[
            ("ferry events --follow", "Print events as they arrive."),
            ("ferry events --take -o json", "Take the events off their queues, as lines of JSON."),
        ],
    ),
    (
        "explain",
        &[
            ("ferry explain 2033", "Explain a reason code."),
            ("ferry explain FRY5003I", "Explain a message of the error log."),
        ],
    ),
    (
        "export",
        &[
            ("ferry export ORDERS --file orders.jsonl", "Copy the messages to a file."),
            ("ferry export ORDERS --take -n 10", "Take ten messages off the queue, as lines of JSON."),
        ],
    ),
    (
        "get",
        &[
            ("ferry get ORDERS", "Wait for a message and print it."),
            ("ferry get ORDERS --all", "Print all messages that are there."),
            ("ferry get ORDERS -n 2 --wait 5s", "Take two messages, and wait up to 5 seconds for each."),
            (
                "ferry get ORDERS --where \"colour = 'red' AND size > 3\"",
                "Take a message that a condition is true of.",
            ),
        ],
    ),
    ("guarantees", &[("ferry guarantees", "Print the promises, and what a crash can lose.")]),
    (
        "import",
        &[(
            "ferry import ORDERS orders.jsonl",
            "Put the messages of an export, with descriptor and context.",
        )],
    ),
    ("jndi", &[("ferry jndi --address mq.example.com:5672", "Print a JNDI file for programs of JMS.")]),
    ("list", &[("ferry list", "List the queue managers of the data directory.")]),
    ("log image", &[("ferry log image QM1", "Take an image, from which damaged files can be recovered.")]),
    (
        "log prune",
        &[("ferry log prune QM1 --keep 2", "Delete images and the log before them, but for the last two.")],
    ),
    ("log show", &[("ferry log show QM1", "Print the records of the recovery log.")]),
    ("log verify", &[("ferry log verify QM1", "Check the log and the store, running or not.")]),
    (
        "move",
        &[
            ("ferry move ORDERS ARCHIVE -n 100", "Move the first 100 messages."),
            ("ferry move ORDERS ARCHIVE --copy --where \"JMSPriority > 4\"", "Copy the urgent ones."),
        ],
    ),
    (
        "mqsc",
        &[
            ("ferry mqsc -e \"DEFINE QLOCAL(ORDERS)\"", "Run a command."),
            ("ferry mqsc --file objects.mqsc", "Run the commands of a file."),
            ("ferry mqsc", "Run commands as they are typed."),
        ],
    ),
    (
        "pub",
        &[
            ("ferry pub prices/tin 42", "Publish to a topic."),
            ("ferry pub prices/tin 42 --retain", "Publish, and keep it for subscribers to come."),
        ],
    ),
    (
        "put",
        &[
            ("ferry put ORDERS hello", "Put a message."),
            (
                "ferry put ORDERS --persistent --file order.xml",
                "Put a file as a message that a crash does not take.",
            ),
            ("ferry put ORDERS hello --delay 30s", "Put a message that getters receive half a minute later."),
        ],
    ),
    (
        "qmgr create",
        &[("ferry qmgr create QM1 --port 1415", "Create a queue manager that listens on port 1415.")],
    ),
    (
        "qmgr delete",
        &[("ferry qmgr delete QM1", "Delete a queue manager that does not run, after a question.")],
    ),
    ("qmgr list", &[("ferry qmgr list", "List the queue managers of the data directory.")]),
    (
        "qmgr start",
        &[
            ("ferry qmgr start QM1", "Run a queue manager in the foreground."),
            ("ferry qmgr start QM1 --detach", "Run it in the background."),
        ],
    ),
    (
        "qmgr stop",
        &[
            ("ferry qmgr stop QM1", "Stop a queue manager when its programs have left."),
            ("ferry qmgr stop QM1 --immediate", "Stop it after the calls in progress."),
        ],
    ),
    (
        "queues",
        &[
            ("ferry queues", "Print depth, rates and handles of each queue."),
            ("ferry queues --where \"CURDEPTH GT 0\"", "Print those that have messages."),
        ],
    ),
    ("recover", &[("ferry recover QM1", "Start a queue manager from an image when its files are damaged.")]),
    (
        "reply",
        &[(
            "ferry reply REQUESTS --command \"tr a-z A-Z\"",
            "Answer each request with the output of a command.",
        )],
    ),
    ("request", &[("ferry request REQUESTS hello --wait 5s", "Put a request and print its reply.")]),
    ("restore", &[("ferry restore /backup/monday", "Make a queue manager again from a copy.")]),
    ("route", &[("ferry route ORDERS", "Show where a message put on ORDERS goes.")]),
    ("stop", &[("ferry stop QM1", "Stop a queue manager when its programs have left.")]),
    (
        "sub",
        &[
            ("ferry sub prices/#", "Print publications as they come."),
            (
                "ferry sub prices/# --durable PRICES --wait 0",
                "Print those that came since the last time, and end.",
            ),
        ],
    ),
    ("support", &[("ferry support --to support.tar", "Gather what a person needs to help.")]),
    (
        "tls bundle",
        &[(
            "ferry tls bundle QM1 app app.bundle --address mq.example.com:1414",
            "Write one file by which a program connects.",
        )],
    ),
    (
        "tls give-up",
        &[("ferry tls give-up QM1 other", "Go on without the list of revoked certificates of an authority.")],
    ),
    (
        "tls import",
        &[(
            "ferry tls import QM1 server --certificates server.pem --key server.key",
            "Use a key that another authority certified.",
        )],
    ),
    (
        "tls init",
        &[(
            "ferry tls init QM1 --host mq.example.com",
            "Make an authority, and the key of the queue manager.",
        )],
    ),
    ("tls issue", &[("ferry tls issue QM1 app", "Make a key with a certificate for a program.")]),
    ("tls renew", &[("ferry tls renew QM1 --all", "Renew all certificates.")]),
    ("tls retire", &[("ferry tls retire QM1", "Trust the former authority no more.")]),
    ("tls revoke", &[("ferry tls revoke QM1 app", "Refuse a certificate from now on.")]),
    ("tls roll", &[("ferry tls roll QM1", "Make a new authority beside the one there is.")]),
    ("tls show", &[("ferry tls show QM1", "Print keys and certificates with their ends.")]),
    ("top", &[("ferry top", "Watch depths and rates; q ends."), ("ferry top --once", "Print them once.")]),
    ("topic tree", &[("ferry topic tree prices", "Print the topics below prices.")]),
    ("trace", &[("ferry trace ORDERS", "Send a trace-route message, and print what was done with it.")]),
    (
        "trigger-monitor",
        &[("ferry trigger-monitor --queue MY.INITQ", "Start the programs that trigger messages name.")],
    ),
    ("uow backout", &[("ferry uow backout 1.12 --yes", "Back a unit of work out, without being asked.")]),
    ("uow commit", &[("ferry uow commit 1.12", "Commit a unit of work that is in doubt.")]),
    ("uow forget", &[("ferry uow forget 1.12", "Forget a decision that was made by hand.")]),
    ("uow list", &[("ferry uow list --in-doubt", "List units of work that wait for a decision.")]),
    ("uow show", &[("ferry uow show 1.12", "Print a unit of work with its messages.")]),
    (
        "user add",
        &[(
            "ferry user add QM1 ada --password-file ada.txt",
            "Add a user whose password is the first line of a file.",
        )],
    ),
    (
        "user expire",
        &[("ferry user expire QM1 ada 2027-01-31T00:00:00Z", "Refuse logins of a user from a moment on.")],
    ),
    ("user list", &[("ferry user list QM1", "List the users.")]),
    ("user lock", &[("ferry user lock QM1 ada", "Refuse logins of a user.")]),
    ("user passwd", &[("ferry user passwd QM1 ada", "Give a user another password.")]),
    ("user remove", &[("ferry user remove QM1 ada", "Remove a user.")]),
    ("user unlock", &[("ferry user unlock QM1 ada", "Let a locked user log in again.")]),
    (
        "why",
        &[
            ("ferry why QM1", "List the last refusals."),
            ("ferry why QM1 --last 1 --command", "Print the command that would allow the last one."),
        ],
    ),
];
