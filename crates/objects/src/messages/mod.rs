//! Every numbered message: its text, what it means and what to do. `ferry explain` prints these rows.
//!
//! Numbers: 5000 the process, 6000 the disk, 7000 the log, the store and their messages, 8000 commands, 9000
//! channels and the network. A number is never given to another message.

use std::borrow::Cow;
use std::fmt;

use crate::harmless::{harmless, harmless_lines};

/// The reason for which a request of an administrator would be granted, as REQUEST_WOULD_PASS tells it.
pub const IS_ADMINISTRATOR: &str = "the user is an administrator";

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The request was carried out.
    Information,
    /// The command was done, with a point that deserves attention.
    Warning,
    /// The command was not done.
    Error,
}

/// A row: one message that can be given.
#[derive(Debug, PartialEq, Eq)]
pub struct MessageRow {
    /// Its number.
    pub number: u16,
    /// Its severity.
    pub severity: Severity,
    /// Its text; `{}` stands for an insert.
    pub text: &'static str,
    /// Its meaning.
    pub explanation: &'static str,
    /// The action to take.
    pub action: &'static str,
}

/// A message as it is given: a row with its inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    row: &'static MessageRow,
    inserts: Vec<String>,
    /// The number of the reason for a program; none where the row says it.
    reason: Option<i32>,
}

impl MessageRow {
    /// The message's name: `FRY8006I`.
    pub fn id(&self) -> String {
        format!("FRY{:04}{}", self.number, self.severity.letter())
    }

    /// Returns the number of inserts in the text.
    pub fn insert_count(&self) -> usize {
        self.text.matches("{}").count()
    }
}

impl Severity {
    /// The last letter of a message's name.
    pub fn letter(self) -> char {
        match self {
            Self::Information => 'I',
            Self::Warning => 'W',
            Self::Error => 'E',
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Information => "information",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Message {
    /// A message with its inserts, in the order of the text.
    ///
    /// # Panics
    /// When the text has another number of inserts.
    pub fn new<Insert: fmt::Display>(
        row: &'static MessageRow,
        inserts: impl IntoIterator<Item = Insert>,
    ) -> Self {
        let inserts: Vec<String> = inserts.into_iter().map(|insert| insert.to_string()).collect();
        assert_eq!(inserts.len(), row.insert_count(), "inserts of {}", row.id());
        Self { row, inserts, reason: None }
    }

    /// Sets the reason for programs: an MQRCCF_ value.
    #[must_use]
    pub fn with_reason(mut self, reason: i32) -> Self {
        self.reason = Some(reason);
        self
    }

    /// The reason that a program is told, where it is not that of the row.
    pub fn reason(&self) -> Option<i32> {
        self.reason
    }

    /// The inserts, in the order of the text.
    pub fn inserts(&self) -> &[String] {
        &self.inserts
    }

    /// The row.
    pub fn row(&self) -> &'static MessageRow {
        self.row
    }

    /// Returns the text without the message's name. An insert is one line for any content, except faults of
    /// syntax, which show the faulty line.
    pub fn text(&self) -> String {
        let has_lines = self.row.number == SYNTAX_ERROR.number;
        let shown = |insert| if has_lines { harmless_lines(insert) } else { harmless(insert) };
        let mut inserts = self.inserts.iter();
        let mut text = String::new();
        for (index, part) in self.row.text.split("{}").enumerate() {
            if index > 0 {
                text.push_str(&inserts.next().map_or(Cow::Borrowed(""), |insert| shown(insert)));
            }
            text.push_str(part);
        }
        text
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.row.id(), self.text())
    }
}

/// Every message.
pub fn all() -> impl Iterator<Item = &'static MessageRow> {
    ROWS.iter().copied()
}

/// The message a person means by `FRY8006I`, `fry8006` or `8006`.
pub fn find(id: &str) -> Option<&'static MessageRow> {
    let id = id.trim().to_ascii_uppercase();
    let digits = id.strip_prefix("FRY").unwrap_or(&id);
    let digits = digits.strip_suffix(['I', 'W', 'E']).unwrap_or(digits);
    let number: u16 = digits.parse().ok()?;
    all().find(|row| row.number == number)
}

macro_rules! messages {
    ($($(#[$meta:meta])* $name:ident = $number:literal $severity:ident $text:literal, $explanation:literal, $action:literal;)*) => {
        $(
            #[doc = $text]
            pub static $name: MessageRow = MessageRow {
                number: $number,
                severity: Severity::$severity,
                text: $text,
                explanation: $explanation,
                action: $action,
            };
        )*
        const ROWS: &[&MessageRow] = &[$(&$name),*];
    };
}

messages! {
    QUEUE_MANAGER_STARTED = 5001 Information "Queue manager {} started in {} ms.",
        "The queue manager replayed its log and takes connections.",
        "None.";
    LISTENING = 5002 Information "Queue manager {} listens on {}.",
        "Programs can connect there.",
        "None.";
    QUEUE_MANAGER_ENDS = 5003 Information "Queue manager {} ends ({}); asked by {}.",
        "New connections are refused. A quiescing end waits for programs to disconnect, an immediate one for calls under way.",
        "None. To hurry a quiescing end, stop again with --immediate.";
    QUEUE_MANAGER_ENDED = 5004 Information "Queue manager {} ended.",
        "Everything that was committed is in its log.",
        "None.";
    QUEUE_MANAGER_FAILED = 5005 Error "Queue manager {} ends by its own decision: {}.",
        "Going on could have harmed messages, so the process ended. What was acknowledged is in the log and is there after the next start. A first-failure record with more detail is in the folder of the error log.",
        "Remove the cause the text names, a failing disk for example, then start the queue manager again. If the cause is unclear, report the first-failure record.";
    START_REFUSED = 5006 Error "Queue manager {} does not start: {}.",
        "Nothing was changed.",
        "Do what the text says, then start again.";
    EVENTS_LEFT_OUT = 5007 Warning "{} more events {} were left out within {} ms.",
        "One kind of event came faster than errors.flood_max allows, so only the first ones of each second are written.",
        "Look at the events that were written for the cause. Raise errors.flood_max if all of them are needed.";
    ERROR_LOG_SLOW = 5008 Warning "Writing the error log took {} microseconds.",
        "The disk of the error log is slow or busy. Messages do not wait for it, but the disk may be that of the recovery log too.",
        "Look for other programs that write to this disk.";
    NO_LOCAL_SOCKET = 5009 Warning "Programs of this machine cannot use the local socket: {}.",
        "The queue manager runs; programs can use its TCP addresses.",
        "Do what the text says and start again, or set listener.local_socket to false.";
    UNEXPECTED_END = 5010 Warning "Queue manager {} {}; messages on its queues now: {}; {}.",
        "Every persistent message that was acknowledged is there. Non-persistent messages and uncommitted units of work are lost. Non-persistent messages are counted once a second, so the number lacks those that were put or got after the time in the text.",
        "Find the cause in the error log before this entry, in a first-failure record that the text names, or in the log of the system.";
    EVENT_REPEATED = 5011 Information "The event {} came {} more times within {} ms, and then no more.",
        "The first of these events was written in full. Its text held until now.",
        "None.";
    REQUEST_REFUSED = 5012 Warning "Request {} of user {} was refused: {} of {}, reason {}{}.",
        "The user lacks a right that this request needs. Nothing was changed, and the object was not looked up.",
        "None, if the user should not have the right. Otherwise `ferry why` with the number of the request shows the command that gives it.";
    LISTENER_NOT_CHANGED = 5013 Warning "Listener {} stays on {}: {}.",
        "The definition of a running listener was changed, but the queue manager cannot listen at the new address. The listener continues at the old one.",
        "Remove the cause, or ALTER the listener, then stop and start it.";
    LISTENER_START_FAILED = 5014 Warning "Listener {} did not start with the queue manager: {}.",
        "CONTROL of the listener says that it starts with the queue manager, and the process could not listen as its definition says.",
        "Remove the cause, or ALTER the listener, and give START LISTENER.";
    VARIABLE_WITHOUT_EFFECT = 5015 Information "The environment sets {}, which has no effect: {}.",
        "The variable is one of another queue manager and has no counterpart here.",
        "None. Unset the variable to stop this message.";
    LOGIN_REFUSED = 5020 Warning "Login {} of {} from {} was refused: {}.",
        "The text after the colon is the cause. A user or password is wrong or missing: the AUTHINFO object in CONNAUTH of the queue manager decides which programs must give one. A channel rule refuses the program: the text names the CHLAUTH record. The encryption differs: SSLCIPH, SSLCAUTH and SSLPEER of the channel, or the listener, require another. The program received the reason code, but no details of users or rules. `ferry why` with the number of the login shows the record of the refusal.",
        "None, if the program should be refused. Otherwise correct the cause: the user or password (`ferry user list` shows the users), the rule (DISPLAY CHLAUTH with MATCH(RUNCHECK) shows the one that decides), or the TLS of either end (`ferry tls show`, DISPLAY CHANNEL).";
    USERS_NOT_READ = 5021 Warning "The users were not read: {}.",
        "The users of the last successful reading stay in force. After a start there are none, so every password is refused. The file is read again twice a second.",
        "Mend the file that is named, or restore it from a backup.";
    RULES_NOT_MADE = 5023 Warning "{}.",
        "An earlier release made the queue manager, and this one adds records of channels at the first start.",
        "Free space on the disk of the log, then start the queue manager again.";
    EXPOSED = 5024 Warning "Queue manager {} was started with --insecure: other machines reach it without users or TLS.",
        "A listener beyond loopback starts only with TLS, and with users or trusted certificates. --insecure started it without.",
        "Make a key by ferry tls init and add users or certificates of programs, then start the queue manager without --insecure.";
    NO_LOCAL_GROUP = 5025 Warning "The members of local.group cannot connect: {}.",
        "The queue manager runs. The user of its process connects through the local socket, and members of the group do not.",
        "Make the group and put the user of the process into it, or name another group in local.group, then start the queue manager again.";
    REFUSALS_NOT_RECORDED = 5026 Warning "Refusals cannot be recorded in {}: {}.",
        "Programs continue, and the error log has a warning for each refusal. The next line of the record counts the refusals that are missing. With audit.required = true only the owner of the process can log in, through the local socket, until the record can be written again.",
        "Free space on the disk of the folder, or mend its permissions. The queue manager tries again each second.";
    RULES_OFF = 5030 Warning "CHLAUTH of queue manager {} is DISABLED: no rule says which partners may use a channel.",
        "The queue manager has users, keys or authority records, so it judges requests. Each channel admits every partner that its own attributes do not refuse. DISPLAY repeats this warning.",
        "ALTER QMGR CHLAUTH(ENABLED), once the rules admit the partners that you want.";
    PASSWORDS_OFF = 5031 Warning "CONNAUTH of queue manager {} is blank: passwords are not looked at.",
        "The queue manager has users, keys or authority records, so it judges requests. A program that a rule admits acts as the user that it names, whatever password it gives. DISPLAY repeats this warning.",
        "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS), or the name of another AUTHINFO object.";
    REFUSALS_COUNTED = 5032 Warning "{} further refusals of {} were counted with refusal {}, and have no record of their own.",
        "Ten refusals a second of one source are recorded, in at most a quarter of the files. A source is a proved user at its address, or an address without a proved user. The rest are counted, so that no user displaces the records of others.",
        "Look at the record with `ferry why`. Give the program the right that it asks for again and again, or end it.";
    RULE_ASKS_NO_PASSWORD = 5033 Warning "{} lets a program act as any user without a password. To close it: {}{}.",
        "Queue managers that an earlier release made have this rule. It takes effect with the first user, key or authority record. The rule of a new queue manager asks for a password.",
        "Run the command once the programs of this channel have users with passwords, or certificates. It does not affect programs on the local socket, nor rules with MCAUSER or SSLPEERMAP.";
    REVOCATION_LIST_MISSING = 5034 Warning "The list of revoked certificates of {} is missing: {}. Put it back into {}, or give it up by {}.",
        "A certificate authority had a list of revoked certificates, and the file of this list is gone. Without the list a revoked certificate could be accepted. The queue manager uses the last list as long as it runs. After a restart it has none, and refuses every certificate of that authority.",
        "Put the file back, under any name. If the authority no longer has a list, run the command that the text names.";
    REVOCATION_LIST_BACK = 5035 Information "The list of revoked certificates of {} is there again.",
        "It was missing, and is in force again.",
        "None.";
    REVOCATION_LIST_GIVEN_UP = 5036 Warning "The list of revoked certificates of {} was given up.",
        "An administrator ran the command. Certificates of that authority are accepted without a list.",
        "If the authority has a list again, put it into the folder crl.";
    REVOCATION_LIST_NOT_GIVEN_UP = 5037 Warning "A list of revoked certificates was not given up: {}.",
        "The queue manager still requires the list.",
        "Do what the text says. The message about a missing list names the command.";
    REVOCATION_LIST_NOT_LOGGED = 5038 Warning "That there is a list of revoked certificates of {} was not logged: {}.",
        "The list is in force. If its file is lost before the log has this fact, the list stays in force until the queue manager ends; after a restart certificates are accepted without it. The queue manager tries again each time that it reads the files.",
        "Do what the text says.";
    FOLDER_OF_OTHERS = 5039 Warning "The files of the queue manager are not safe from other users of the machine: {}.",
        "The queue manager runs, but a new one would not be made in this folder. A user who may change a folder above the files can replace them.",
        "Do what the text says, or move the folder of the queue manager while it is stopped.";
    HEALTH_NOT_SERVED = 5040 Warning "Health is not answered: {}.",
        "The queue manager runs. Probes of its health get no answer, or that of another queue manager.",
        "Give each queue manager of the machine an address of its own in health.address, or set it to none.";
    HEALTH_SERVED = 5041 Information "Health of queue manager {} is answered on {}.",
        "Probes can ask /livez, /readyz and /healthz there.",
        "None.";
    CONTROL_STARTED = 5042 Information "The control process of queue manager {} runs as process {}, on {}.",
        "It serves figures at /metrics.",
        "None.";
    CONTROL_ENDED = 5043 Warning "The control process of queue manager {} ended ({}); the next start is in {} s.",
        "Messages are not affected. There are no figures at /metrics until the process runs again.",
        "Find the cause in the standard error of the process, or in the log of the system.";
    CONTROL_GIVEN_UP = 5044 Error "The control process of queue manager {} ended {} times in {} minutes and is not started again.",
        "Messages are not affected. There are no figures at /metrics.",
        "Find the cause in the log of the system and correct it, then stop and start the queue manager.";
    SETTINGS_GONE = 5045 Warning "The file of settings {} is gone.",
        "The queue manager goes on with the settings that it started with. The next start without the file is refused.",
        "Put the file back from a copy or a backup before the queue manager ends. An empty file means all defaults, a circular log among them.";
    SETTINGS_BACK = 5046 Information "The file of settings {} is back.",
        "The next start reads it. The settings in force are those of the last start.",
        "None.";
    FEW_FILES = 5047 Warning "Queue manager {} takes fewer connections than its settings allow: {}.",
        "The limit of open files of the process is too small. The queue manager keeps files for its log, its store and its channels, so that programs that are connected go on, and refuses connections beyond the rest (2025).",
        "Raise the limit, with ulimit -n or LimitNOFILE of the service, and start the queue manager again; or lower limits.connections_max.";
    FIGURES_LEFT_OUT = 5048 Warning "Figures leave out {} that {} names: {} is reached.",
        "Those that have series of their own keep them. The others count in ferry_topics_not_shown and ferry_subscriptions_not_shown. The message comes once for topics and once for subscriptions in each run.",
        "Raise the bound in ferry.toml, or name fewer of them, and start the queue manager again.";
    LOGIN_WOULD_BE_REFUSED = 5075 Warning "{} would be refused {}: {}.",
        "This program or queue manager is connected, or was recently. The rules that hold now, or from the first user, key or authority record on, refuse its next login. Its present connection continues until it ends or REFRESH SECURITY is entered.",
        "Run the command that the text names, give the program a user with a password or a certificate, or set a channel rule that admits it. DISPLAY AUTHSERV and `ferry doctor` list the programs that would still be refused.";
    MORE_LOGINS_WOULD_BE_REFUSED = 5076 Warning "Further programs and queue managers that would be refused: {}.",
        "The twenty that connected last are named.",
        "Correct the named ones, then list the rest with DISPLAY AUTHSERV.";
    QUEUE_MANAGER_WAITS = 5095 Information "Queue manager {} waits {} seconds at most for programs to disconnect: {}.",
        "A quiescing end waits for programs, which are told of it. These have not left within a second.",
        "End the programs, or stop again with --immediate. At a terminal, a second Ctrl-C ends the queue manager at once.";
    DEFINITION_REFUSED = 5096 Warning "A definition of the file {} was not made: {}.",
        "The files of MQSC of a container are run at each start. What is there already stays, the other definitions of the file are made, and the queue manager serves.",
        "Correct the file and start the container again.";
    SLOW_LOG = 6729 Warning "A {} of {} bytes of the recovery log took {} microseconds; more than {} are reported.",
        "Every persistent put and every commit waits for the recovery log, so they were slow too.",
        "Look for other programs that use this disk, and for a disk about to fail. log.slow_io_microseconds sets the threshold.";
    NO_ROOM_FOR_EXTENT = 7463 Warning "The log or the store cannot be given more room: {}.",
        "Space that is needed soon could not be set aside on the disk. The present space suffices for now. When it runs short, puts are refused, and gets, commits and backouts continue. The queue manager tries again until it has the space.",
        "Free space on the disk the text names, or let programs get messages. No restart is needed.";
    CHECKPOINT_NOT_TAKEN = 7464 Warning "A checkpoint was not taken: {}.",
        "Messages are safe in the recovery log, but its oldest extents cannot be used again before a checkpoint succeeds, and a restart now would read more of the log. It is tried again.",
        "Remove the cause the text names; most often the disk is full.";
    OLD_UNIT_BACKED_OUT = 7469 Warning "The unit of work of {}, connection {}, was backed out because the recovery log needs its space.",
        "A unit of work keeps the log from the place where it began. This one was open while so much was logged that the log would have run full. Its next commit answers 2003.",
        "Let the program commit more often, or give the log more or larger extents.";
    MESSAGE_UNREADABLE = 7472 Error "Message {} of queue {} cannot be read back: {}.",
        "Its bytes on the disk are not those that were written, so it is not given to a program; the get answers 2101. The message is set aside: it stays on the queue and is counted in DAMAGED of DISPLAY QSTATUS, and gets of other messages go on without it. A get that asks for it by its identifier has it read again.",
        "Check the disk and the file the text names. Restore the file from a backup if there is one, and get the message by its identifier. Otherwise ask its sender for it again, and clear the queue when it is empty but for such messages.";
    REPORT_DROPPED = 7473 Warning "A report ({}) for queue {} of queue manager {} was dropped: {}; on the dead-letter queue: {}.",
        "A message asked for this report. Neither the queue it names for reports nor the dead-letter queue took it, so its receiver waits in vain. The message itself is not affected.",
        "Mend the queue that the text names first, or have programs name another. Give the queue manager a dead-letter queue that exists (ALTER QMGR DEADQ) and takes messages.";
    TRIGGER_DROPPED = 7474 Warning "A trigger message for initiation queue {} was dropped: {}; on the dead-letter queue: {}.",
        "The initiation queue did not take it, and it could not be kept on the dead-letter queue (DEADQ) either. No program is started for the messages that led to it.",
        "Remove the cause. A trigger of type FIRST or DEPTH is tried again when the initiation queue is next opened for input; for one of type EVERY see to the queue.";
    NOT_KEPT = 7475 Warning "Non-persistent messages of queues with NPMCLASS(HIGH) were not kept: {}.",
        "The queue manager ended in order, and these messages should have outlived that. The system refused the file they are kept in, so they are lost as after a failure. Persistent messages are not affected.",
        "Remove the cause the text names; most often the disk is full.";
    KEPT_UNREADABLE = 7476 Warning "{} of {} non-persistent messages kept at the last end came back: {}.",
        "They were kept for queues with NPMCLASS(HIGH), in a file that is not as it was written. Those after the damage are lost. Persistent messages are not affected.",
        "Check the disk. Ask the senders for the messages again, or make what must not be lost persistent.";
    IMAGE_TAKEN = 7477 Information "A media image was taken, {}: {} bytes; the log from {} on goes with it.",
        "With IMGSCHED(AUTO) the queue manager takes one when IMGINTVL minutes are over or IMGLOGLN megabytes were logged since the one before. It is proved, and the two newest stay.",
        "None. ferry log prune removes log files that no image needs.";
    IMAGE_NOT_TAKEN = 7478 Warning "No media image was taken: {}.",
        "An image was due. Earlier images and the log since then still exist. The queue manager tries again every minute.",
        "Remove the cause the text names; most often the disk is full. RECOVER QLOCAL gives messages back that cannot be read.";
    IMAGE_NOT_REMOVED = 7479 Warning "An older media image was not removed: {}.",
        "A newer image was taken and verified, so this one is not needed. The next image tries again to remove it.",
        "Remove the cause the text names, or remove older images with ferry log prune.";
    IMAGE_WITHOUT = 7480 Warning "A media image was taken without what cannot be read: {}.",
        "The part that cannot be read has nothing that is needed: the image was verified without it.",
        "Look at the device: it may lose more.";
    IMAGE_FOREIGN = 7481 Warning "A media image was ignored: {}.",
        "The image belongs to another queue manager, or predates a restore. It is ignored and kept.",
        "Move it out of the folder.";
    PUTS_REFUSED = 7482 Warning "Persistent puts and definitions are refused: {}; {}.",
        "The recovery log has no room for them, so they answer 2192. Gets, commits and backouts go on. After half a second, the unit of work that keeps the log from being reused is backed out. The queue manager tries to make room until it can accept them again, and repeats this warning at most once a minute.",
        "Free space on the disk, let programs get messages and commit more often, or give the log more or larger extents. No restart is needed.";
    GROWTH_REFUSED = 7483 Warning "One more was refused with 2102: {}.",
        "A user or a partner has reached a bound for things that outlive their programs, such as dynamic queues and durable subscriptions. Those that exist stay and work.",
        "Remove those that are not needed, with the command that the text names. If all are needed, raise the setting and start the queue manager again.";
    GROWTH_NEAR = 7484 Warning "{} {}, near the bound of {}, which {} sets; {} lists them, {} ends one.",
        "Things that outlive their programs have reached nine tenths of a bound, or more. At the bound, one more is refused with 2102.",
        "Find the program that makes them. Remove those that are not needed, or raise the setting in ferry.toml and start the queue manager again.";
    OLD_BRANCH_ROLLED_BACK = 7485 Warning "The branch {} of user {} was rolled back because the recovery log needs its space.",
        "A branch of a transaction that was not prepared keeps the log from the place where it began, also while no program works in it. This one was open while so much was logged that the log would have run full. Its coordinator is answered XA_RBTRANSIENT.",
        "See that the program and its transaction manager still run, and end transactions sooner. Or give the log more or larger extents.";
    BRANCH_WAITS = 7486 Warning "Branch {} ({}) of user {} has waited {} for a decision; others told of with it: {}.",
        "A branch of a transaction is prepared, and its coordinator has not decided it for five minutes or longer. Its puts stay hidden and its gets locked until that. The message comes after five minutes and then daily, for the branches that are due together once.",
        "See that the transaction manager runs and reaches this queue manager. ferry uow list shows the branches; ferry uow commit and backout decide one by hand.";
    CHANNEL_ENDS_DIFFER = 7490 Warning "Channel {} begins a new line, and its ends differ on the one before: {}.",
        "A line of batches ended by RESET CHANNEL, RESOLVE CHANNEL or a restore from a backup, and the two ends disagree about its batches. Messages of the named batches may be doubled or missing.",
        "Compare the messages of these batches at both ends, by the error logs and the programs that read them.";
    MESSAGES_DROPPED = 7491 Warning "Channel {} ended, and dropped messages outside batches: {}.",
        "With NPMSPEED(FAST) a nonpersistent message is in no unit of work. These waited at this end, because their queue or the dead-letter queue refused them or the partner did not take them, when the connection broke or a command ended it.",
        "Send them again if they matter. STOP CHANNEL with MODE(QUIESCE) waits for such messages, and NPMSPEED(NORMAL) sends them in batches.";
    QUEUE_MANAGER_CHANGED = 8005 Information "Queue manager {} changed.",
        "The attributes named in ALTER QMGR have their new values, now and after a restart.",
        "None.";
    OBJECT_CREATED = 8006 Information "{} {} created.",
        "The object exists now and after a restart.",
        "None.";
    OBJECT_DELETED = 8007 Information "{} {} deleted.",
        "The object is gone, and with it the messages it held.",
        "None.";
    OBJECT_CHANGED = 8008 Information "{} {} changed.",
        "The object has its new attributes, now and after a restart.",
        "None.";
    ATTRIBUTES_KEPT = 8009 Warning "These attributes are kept and have no effect yet: {}.",
        "The definition is made as it says. The queue manager does not act on these attributes; docs/reference/kept-attributes.md lists all of them.",
        "None, or do by other means what the attributes ask for.";
    CHANNEL_STARTED = 8018 Information "Channel {} is open: programs and partners can connect by it.",
        "A channel that was stopped by command is open again.",
        "None.";
    CHANNEL_STOPPED = 8019 Information "Channel {} is stopping; instances that end: {}.",
        "The connections of its programs end within a second, and their units of work are backed out.",
        "None. After a stop, START CHANNEL lets programs connect by it again.";
    CHANNEL_CALLS = 8020 Information "Channel {} calls {}.",
        "The connection is opened now, and again after a fault as SHORTRTY and LONGRTY say. Messages of its transmission queue go as soon as the partner agrees.",
        "None. DISPLAY CHSTATUS shows the state.";
    LISTENER_STARTED = 8021 Information "Listener {} accepts connections on {}.",
        "Programs can connect to the address from now on.",
        "None.";
    QUEUE_CLEARED = 8022 Information "Queue {} cleared; messages removed: {}.",
        "The messages that were on the queue are gone.",
        "None.";
    QUEUE_MOVED = 8023 Information "Queue {}: messages moved to queue {}: {}.",
        "The messages are on the other queue now, in the order in which they would have been got.",
        "None.";
    QUEUE_UNCOMMITTED = 8024 Error "Queue {} cannot be cleared; messages in units of work that have not ended: {}.",
        "A message that was put or got under syncpoint belongs to its unit of work until that is committed or backed out.",
        "DISPLAY QSTATUS(queue) TYPE(HANDLE) names the connections. Let them commit or back out, or end them, then clear again.";
    QUEUE_NOT_MOVED = 8025 Error "Queue {}: messages moved to queue {}: {}; no more, because {}.",
        "MOVE puts the messages of a queue that nobody uses on another, as long as that takes them. Each message is on one of the two queues.",
        "Remove the cause and give the command again. Once some have been moved it takes TYPE(ADD).";
    RETAINED_CLEARED = 8026 Information "The retained publication of topic {} is gone.",
        "New subscriptions to the topic receive nothing until a publication is retained for it again. Existing subscriptions are not affected.",
        "None.";
    NOTHING_RETAINED = 8027 Information "Nothing is retained for topic {}.",
        "There was nothing to clear. The text is one topic, in which wildcards have no special meaning.",
        "DISPLAY TPSTATUS('#') WHERE(RETAINED EQ YES) lists the topics with a retained publication.";
    QUEUE_RECOVERED = 8028 Information "Queue {}: messages read: {}; given back: {}.",
        "Every message that the disk has of the queue was read. Those that were damaged were found in an image or in the log since, and are back in their places.",
        "None.";
    QUEUE_NOT_RECOVERED = 8029 Error "Queue {}: messages given back: {}; that still cannot be read: {}; {}.",
        "Messages of the queue are damaged, and neither an image nor the log since has all of them. What was found is back in its place; the others stay on the queue, and DISPLAY QSTATUS counts them in DAMAGED.",
        "Bring the images back that were removed, and give the command again; else restore a backup, or CLEAR or PURGE the queue.";
    ATTRIBUTE_ABOVE_SETTING = 8090 Warning "{}({}) is above {} = {} of ferry.toml, and the setting holds.",
        "An attribute of the queue manager and a setting bound the same, and the lower value holds. ALTER QMGR refuses a value above the setting; this one was there before.",
        "Raise the setting in ferry.toml and start the queue manager again, or alter the attribute to the setting at most.";
    CHANNEL_STOP_NOT_KEPT = 8093 Warning "Channel {} is stopped until the queue manager restarts, and not after: {}.",
        "The log did not take the record that keeps the command over a restart.",
        "Make room for the log, then enter the same STOP CHANNEL again.";
    SUBSCRIPTION_DETAILS = 8096 Information "Subscription details.",
        "The lines below describe one subscription.",
        "None.";
    SUBSCRIPTION_STATUS_DETAILS = 8099 Information "Subscription status details.",
        "The lines below describe the state of one subscription.",
        "None.";
    COMMAND_FAILED = 8101 Error "{} failed: {}.",
        "The queue manager could not do what the command asks; nothing was changed. The text has the cause, or a reason code that ferry explain explains.",
        "Do what the text says, then give the command again.";
    COMMAND_REFUSED = 8135 Error "User {} is not authorized: {}, reason {}; refusal {}.",
        "The user lacks the right to this command, or to an object that it names. Nothing was changed, and the objects were not looked up.",
        "Ask an administrator for the right, or give the command as a user that has it. The error log has a record of the refusal under its number (FRY5012W).";
    OBJECT_OF_OTHER_TYPE = 8137 Error "{} is a {}, not a {}.",
        "An object of this name exists, but of another type. All queues, of whatever type, share one space of names.",
        "Give the command for the type the object has, or choose another name.";
    QUEUE_NOT_EMPTY = 8143 Error "Queue {} cannot be deleted; messages on it: {}.",
        "A queue that holds messages is deleted only on explicit demand, so that none are lost by mistake.",
        "Get the messages, or CLEAR QLOCAL, or repeat the command with PURGE.";
    OBJECT_NOT_FOUND = 8147 Error "{} {} not found.",
        "There is no object of this name.",
        "Check the spelling; names are case-sensitive, and text outside quotes is folded to capitals. DISPLAY QUEUE(*) lists all queues.";
    OBJECT_OPEN = 8148 Error "{} {} is in use; handles open on it: {}.",
        "An object that programs have open cannot be deleted, nor changed in a way they would notice.",
        "DISPLAY QSTATUS(queue) TYPE(HANDLE) names the programs. End them, or for ALTER repeat the command with FORCE.";
    QUEUE_PURGE_UNCOMMITTED = 8149 Error "Queue {} cannot be deleted; messages in units of work that have not ended: {}.",
        "A message that was put or got under syncpoint belongs to its unit of work until that is committed or backed out; PURGE removes only messages that nobody holds.",
        "Let the programs commit or back out, or end them, then delete again.";
    OBJECT_EXISTS = 8150 Error "{} {} already exists.",
        "DEFINE makes new objects only, unless it says REPLACE.",
        "Choose another name, use ALTER to change the object, or DEFINE with REPLACE to give it all attributes anew.";
    LIKE_NOT_FOUND = 8152 Error "{} {}, from which the values not given are taken, was not found.",
        "Values that DEFINE leaves out come from the object named by LIKE, or else from the default object of the type.",
        "Correct the name in LIKE, or define the default object anew.";
    OBJECT_ABSENT = 8153 Information "{} {} does not exist; there was nothing to delete.",
        "DELETE with IGNSTATE(YES) counts this as success.",
        "None.";
    NO_QUEUE_MATCHES = 8154 Information "No queue matches {}.",
        "No queue has a name that begins so, or none satisfies the condition.",
        "DISPLAY QUEUE(*) lists all queues.";
    NOTHING_MATCHES = 8155 Information "No {} matches {}.",
        "No object of this kind has a name that begins so, or none satisfies the condition.",
        "DISPLAY with * for the name lists all of the kind.";
    CONNECTION_DETAILS = 8276 Information "Connection details.",
        "The lines below describe one connection.",
        "None.";
    NOT_AVAILABLE = 8404 Error "{} was not run: {}.",
        "The command is valid, but is about something that this queue manager does not have. Nothing was changed.",
        "Leave the command out, or do what the text says.";
    SYNTAX_ERROR = 8405 Error "Syntax error. {}",
        "The statement is not a command. The line shows where, and what was expected there. It was not run; the statements after it are.",
        "Correct the word above the caret.";
    PROCESS_DETAILS = 8407 Information "Process details.",
        "The lines below describe one process definition.",
        "None.";
    QUEUE_MANAGER_DETAILS = 8408 Information "Queue manager details.",
        "The lines below describe the queue manager.",
        "None.";
    QUEUE_DETAILS = 8409 Information "Queue details.",
        "The lines below describe one queue.",
        "None.";
    CHANNEL_DETAILS = 8414 Information "Channel details.",
        "The lines below describe one channel definition.",
        "None.";
    QUEUE_MANAGER_ANSWERS = 8415 Information "Queue manager {} answers.",
        "The queue manager runs and takes commands.",
        "None.";
    FOUND_NONE = 8416 Information "{} found nothing: {}.",
        "The command asks about things that this queue manager does not have.",
        "None.";
    CHANNEL_STATUS_DETAILS = 8417 Information "Channel status details.",
        "The lines below describe an instance of a channel: one connection of a client.",
        "None.";
    ANSWER_CUT = 8420 Warning "The answer stops after {} objects; more match.",
        "An answer has a largest size, so that one question cannot take the memory of the queue manager.",
        "Ask for fewer objects, by a longer beginning of their names or a WHERE, or for fewer attributes.";
    PAGE_ENDS = 8421 Information "The page ends with {}; more follow.",
        "LIMIT is the number of objects in a page. They are in the order of their names.",
        "Give the command again with AFTER and this name for the next page.";
    ANSWERS_LEFT_OUT = 8422 Warning "Answers to further commands of the text are left out.",
        "The answer to a text of several commands has a largest size. The commands were run, but the output of each further DISPLAY is missing.",
        "Give fewer commands at once, or use a client of this release, which reads answers of any size in parts.";
    FAILURES_LEFT_OUT = 8423 Error "Further commands of the text failed, and the answers to them are left out.",
        "One answer to a whole text has a largest size.",
        "Run the commands again, fewer at once. Their answers have the causes.";
    QUEUE_STATUS_DETAILS = 8450 Information "Queue status details.",
        "The lines below describe the state of one queue, or of one handle that has it open.",
        "None.";
    STATISTICS_TOLD = 8451 Information "Statistics of queue manager {} were told.",
        "The counts since the last time are in messages on SYSTEM.ADMIN.STATISTICS.QUEUE, as far as STATMQI and STATQ ask for them, and counting began anew.",
        "Get them from that queue.";
    CONFIGURATION_TOLD = 8452 Information "Objects told of by configuration events: {}.",
        "An event on SYSTEM.ADMIN.CONFIG.EVENT has the present attributes of each.",
        "None.";
    LOG_ADVANCED = 8453 Information "The recovery log goes on in extent {}.",
        "Earlier extents are written no more, so their files can be copied to the archive.",
        "None.";
    LOG_NOT_ADVANCED = 8454 Error "The recovery log does not go on in another extent: {}.",
        "The extent that would be skipped is needed, or no extent is ready. Nothing was changed.",
        "Give the command again in a moment; if that does not help, give the log more or larger extents.";
    LOG_IS_CIRCULAR = 8455 Error "{} was not run: the recovery log of queue manager {} is circular.",
        "A circular log uses its extents again, so none of them is kept anywhere else.",
        "Leave the command out; for media recovery, have the queue manager log linearly (log.kind).";
    CONNECTION_STOPPED = 8457 Information "Connection {} ended.",
        "Its unit of work was backed out and its objects were closed. The next call of the program returns 2009; one that reconnects by itself may come back.",
        "None.";
    UNIT_BACKED_OUT = 8458 Information "The unit of work of connection {} was backed out.",
        "Messages put in it are gone, and messages got in it are back on their queues. The connection continues; a commit or a further call in the unit returns 2003 to its program.",
        "None.";
    UNIT_RESOLVED = 8459 Information "The unit of work {} was {}.",
        "A person decided a unit of work that was prepared. The decision is remembered until it is forgotten, and its coordinator is told of it when it asks.",
        "See that the other parts of the transaction end alike. Forget the decision when the coordinator knows of it: RESOLVE INDOUBT with ACTION(FORGET), or ferry uow forget.";
    UNIT_FORGOTTEN = 8460 Information "The decision about the unit of work {} was forgotten.",
        "From now on its coordinator is told that the unit is unknown.",
        "None.";
    CONNECTION_NOT_FOUND = 8461 Information "No connection matches {}.",
        "No connection has this identifier, or none satisfies the condition.",
        "DISPLAY CONN(*) lists all connections.";
    UNIT_NOT_RESOLVED = 8462 Error "The unit of work {} was not ended: {}.",
        "A person can end the unit of work of a connection, or of a branch that is not prepared, by backing it out; and one that is prepared either way, unless it is a batch of a message channel.",
        "DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) and ferry uow list show the units of work there are. A batch of a channel ends by RESOLVE CHANNEL.";
    BRANCH_BACKED_OUT = 8463 Information "The branch {} was rolled back.",
        "It was not prepared. Messages put in it are gone, and messages got in it are back on their queues. Its transaction manager is answered XA_RBROLLBACK when it asks, and rolls the whole transaction back.",
        "None.";
    CHANNEL_NOT_STARTED = 8470 Error "Channel {} was not started: {}.",
        "A channel is started by its present definition, in a process that runs channels.",
        "Do what the text says, then start the channel again.";
    CHANNEL_RUNS = 8471 Error "Channel {} runs.",
        "The command is for a channel that has ended.",
        "STOP CHANNEL ends it; START CHANNEL with IGNSTATE(YES) succeeds for a channel that runs.";
    CHANNEL_NOT_ACTIVE = 8472 Error "Channel {} is not active.",
        "No instance runs, and none is waiting to start.",
        "None. DISPLAY CHSTATUS(*) shows the channels that run.";
    CHANNEL_IN_DOUBT = 8473 Error "Channel {} has batches in doubt: {}.",
        "The partner has not yet answered whether the batches arrived, and this command depends on the answer.",
        "Start the channel: the ends agree on what arrived as soon as they meet. If the partner never comes back, find out which batches it has, and enter RESOLVE CHANNEL.";
    CHANNEL_NOT_IN_DOUBT = 8474 Error "Channel {} has no batch in doubt.",
        "There is nothing to resolve.",
        "None.";
    CHANNEL_NOT_PINGED = 8475 Error "Channel {}: no answer to the ping: {}.",
        "The channel called its partner as its definition says, and the ends did not agree.",
        "Do what the text says. The error log of the partner may say more.";
    CHANNEL_PINGED = 8476 Information "Channel {}: the partner answered after {} microseconds.",
        "The ends agreed, and the data came back unchanged. No message was sent.",
        "None.";
    CHANNEL_RESET = 8477 Information "Channel {} was reset; the number of its next message is {}.",
        "A sender begins a new line with its partner when they next meet; a receiver asks its partner for one.",
        "None.";
    CHANNEL_NOT_RESET = 8478 Error "Channel {} was not reset: {}.",
        "Both ends of a channel count its messages, so neither can change the number alone.",
        "Do what the text says.";
    CHANNEL_RESOLVED = 8479 Information "Channel {}: batches {}: {}; messages: {}.",
        "The batches in doubt have ended as the command says. The decision is remembered, and compared with the partner's state when the channel next runs.",
        "None.";
    CHANNEL_FORGOTTEN = 8480 Information "Channel {}: states towards partners that were forgotten: {}.",
        "The channel no longer knows which batches it exchanged with these partners. It begins a new line with each of them.",
        "None.";
    CHANNEL_INITIATOR = 8481 Information "Messages on transmission queues {} their channels.",
        "The queue manager starts the channel of a transmission queue that has TRIGGER and INITQ(SYSTEM.CHANNEL.INITQ), unless a command stopped that.",
        "None.";
    CHANNEL_FOLLOWS = 8482 Information "Channel {} has connections, which follow these attributes at once: {}.",
        "Existing connections use the new limits of batches, retries and intervals of this end at once.",
        "None.";
    CHANNEL_FOLLOWS_LATER = 8483 Information "Channel {} has connections, and these attributes hold from the next one on: {}.",
        "The ends of a channel agree on these attributes, or use them to call, when a connection begins.",
        "To use them now, stop the channel and start it again; no message is lost.";
    ROUTE_DETAILS = 8484 Information "Route details.",
        "One step of the way that a message takes from a name.",
        "None.";
    DEAD_LETTER_QUEUE_ABSENT = 8485 Warning "DEADQ({}) names no local queue and no alias of one.",
        "The attribute was changed. Until there is such a queue, messages that cannot be delivered are discarded or stay where they are, as without a dead-letter queue.",
        "DEFINE QLOCAL of this name, or correct the name.";
    PUT_AUTHORITY_UNUSED = 8486 Warning "PUTAUT(CTX) of channel {} has no effect now: requests are not judged.",
        "Requests are judged from the first user, key or authority record on. Then each message is put with the rights of the user that it names, and the user of the channel needs altusr and setall on the queue manager.",
        "None, if rights follow. SET AUTHREC gives them.";
    BRIDGE_DETAILS = 8487 Information "Bridge details.", "The lines below describe one bridge to another messaging system.", "None.";
    PIPE_DETAILS = 8488 Information "Pipe details.", "The lines below describe one pipe of a bridge.", "None.";
    NAMELIST_DETAILS = 8550 Information "Namelist details.",
        "The lines below describe one namelist.",
        "None.";
    SECURITY_REFRESHED = 8560 Information "Security was refreshed: {}.",
        "Logins, rights and keys, as TYPE says, are judged by what holds now. Connections that would be refused now end within two seconds.",
        "None.";
    SECURITY_NOT_REFRESHED = 8561 Error "Security was not refreshed: {}.",
        "The named file cannot be read. Its previous contents stay in force.",
        "Mend the file, and give the command again.";
    SECRETS_REFUSED = 8563 Error "The command was not run, since it brings a secret: {}.",
        "A password of a definition is kept in a file of the queue manager's folder, apart from the recovery log. This process has no such folder.",
        "Run the queue manager by `ferry`, or leave the password out.";
    SECRETS_NOT_KEPT = 8564 Error "{} was changed, but its {} was not kept: {}.",
        "The definition stands. The file of the secret could not be written, or removed.",
        "Remove the cause, and ALTER the object with the secret again.";
    NO_HANDLES = 8565 Information "No handle matches {}.",
        "Nothing has these objects open, or nothing that satisfies the condition.",
        "None.";
    AUTHENTICATION_DETAILS = 8566 Information "Authentication information details.",
        "The lines below describe one authentication information object.",
        "None.";
    SERVICE_DETAILS = 8629 Information "Service details.",
        "The lines below describe one service definition.",
        "None.";
    LISTENER_DETAILS = 8630 Information "Listener details.",
        "The lines below describe one listener definition.",
        "None.";
    LISTENER_STATUS_DETAILS = 8631 Information "Listener status details.",
        "The lines below describe a listener that runs.",
        "None.";
    TOPIC_DETAILS = 8633 Information "Topic details.",
        "The lines below describe one topic object.",
        "None.";
    QUEUE_MANAGER_STATUS_DETAILS = 8705 Information "Queue manager status details.",
        "The lines below describe the state of the running queue manager.",
        "None.";
    QUEUE_STATISTICS_DETAILS = 8706 Information "Queue statistics details.",
        "The figures below were counted for one queue since the previous RESET QSTATS; counting begins anew.",
        "None.";
    PUBLISH_SUBSCRIBE_DETAILS = 8723 Information "Publish/subscribe status details.",
        "The lines below describe the state of publish/subscribe in one queue manager.",
        "None.";
    LISTENER_STOPPED = 8729 Information "Listener {} accepts no more connections.",
        "Programs that are connected stay connected.",
        "None. STOP CONN ends a connection.";
    LISTENER_RUNS = 8730 Error "Listener {} runs, on {}.",
        "A listener that runs is neither started again nor deleted.",
        "Stop the listener first. DISPLAY LSSTATUS(*) shows those that run.";
    LISTENER_NOT_RUNNING = 8731 Error "Listener {} is not running.",
        "There is nothing to stop.",
        "None. DISPLAY LSSTATUS(*) shows the listeners that run.";
    LISTENER_NOT_STARTED = 8732 Error "Listener {} cannot accept connections: {}.",
        "The queue manager cannot listen at the address of the present definition.",
        "Remove the cause, or ALTER the listener, and start it again.";
    MESSAGES_MOVED = 8733 Information "Messages moved from queue {} to queue {}: {}.",
        "The messages are on the other queue, in the order in which they would have been got.",
        "None.";
    MESSAGES_NOT_MOVED = 8734 Error "Messages moved from queue {} to queue {}: {}, and then {}.",
        "Messages are moved a unit of work at a time. Those that were counted are on the other queue, the rest where they were.",
        "Remove the cause and give the command again with TYPE(ADD).";
    TOPIC_STATUS_DETAILS = 8754 Information "Topic status details.",
        "The lines below describe a place in the topic tree, a subscription that is made there, or a handle that publishes there.",
        "None.";
    COMMUNICATION_DETAILS = 8861 Information "Communication information details.",
        "The lines below describe one communication information object.",
        "None.";
    AUTHORITY_SET = 8862 Information "Authority records changed: {}.",
        "The rights count from now on, also for what programs have open.",
        "None.";
    AUTHORITY_DELETED = 8863 Information "Authority records deleted: {}.",
        "The rights they gave are taken away, also where programs have objects open; other records of the same users and groups stay.",
        "None.";
    AUTHORITY_DETAILS = 8864 Information "Authority record details.",
        "The lines below describe one record: the rights of a user or group on objects.",
        "None.";
    AUTHORITY_SERVICE_DETAILS = 8865 Information "Authority service details.",
        "The lines below describe the part of the queue manager that judges requests.",
        "None.";
    ENTITY_AUTHORITY_DETAILS = 8866 Information "Entity authority details.",
        "The lines below are the rights that a user or group has on one object, by all records together.",
        "None.";
    AUTHORITY_NOT_FOUND = 8867 Error "There is no authority record of {} for {} {}.",
        "DELETE AUTHREC names a record that is not there. Nothing was deleted.",
        "DISPLAY AUTHREC lists the records. Give the profile exactly as it is shown there.";
    ENTITY_UNKNOWN = 8868 Warning "No {} {} is known.",
        "The record was set. `ferry user list` has no such name, the files of the machine have none, and no MCAUSER gives it to a program. The name may be misspelt: upper and lower case count.",
        "`ferry user add` makes a user. If the name is wrong, take the rights away again, and grant them to the right one.";
    CREATION_WITHOUT_EFFECT = 8869 Warning "CRT has no effect in PROFILE({}) OBJTYPE({}): the right to make objects has no names.",
        "The record was set with all the rights that the command gives. CRT counts in the records of a whole type and in those of the queue manager. In a record for names it gives nothing.",
        "SET AUTHREC PROFILE('@CLASS') with this OBJTYPE and AUTHADD(CRT) lets the user or group make objects of the type under any name but one that begins with SYSTEM. Otherwise take CRT out of this record.";
    CHANNEL_RULES_SET = 8877 Information "Channel authentication records of {} changed; there are now {} of it.",
        "The rules hold for every login from now on, and after a restart. Programs that are connected stay until REFRESH SECURITY TYPE(CONNAUTH).",
        "None. DISPLAY CHLAUTH(*) shows the records.";
    CHANNEL_RULE_DETAILS = 8878 Information "Channel authentication record details.",
        "The lines below describe one channel authentication record.",
        "None.";
    LOGIN_WOULD_PASS = 8879 Information "A login to channel {} so described is let in as user {}.",
        "The queue manager judged the login that MATCH(RUNCHECK) describes, as it judges one that comes. The record that is shown decides; where none is shown, no record is about the login.",
        "None.";
    LOGIN_WOULD_FAIL = 8880 Information "A login to channel {} so described is refused: {}.",
        "The queue manager judged the login that MATCH(RUNCHECK) describes, as it judges one that comes. The record that is shown decides.",
        "None, if the partner should be refused. Otherwise set a more specific record for it with SET CHLAUTH.";
    CHANNEL_RULE_REFUSED = 8881 Error "{} was refused: {}.",
        "The record contradicts itself or an existing record. Nothing was changed.",
        "Do what the text says, then give the command again.";
    RULE_PROVES_NOTHING = 8882 Warning "{} gives user {}, who is an administrator, and proves nothing: those that it lets in have no rights of an administrator.",
        "A record makes an administrator only by a proof: a password for the user in CLNTUSER, with ADOPTCTX(YES), or a trusted certificate. An address proves nothing, and neither does a name that a program gives. The record was set; programs that it admits have only the authority records of its user.",
        "Use TYPE(USERMAP) for a user with a password, or TYPE(SSLPEERMAP) for a certificate. Otherwise name another user in MCAUSER, and give it the rights that it needs.";
    REQUEST_WOULD_PASS = 8890 Information "User {} would be granted {} of {}: {}.",
        "The queue manager judged the request that RUNCHECK describes, as it judges one that comes.",
        "None.";
    REQUEST_WOULD_FAIL = 8891 Information "User {} would be refused {} of {}: {}.",
        "The queue manager judged the request that RUNCHECK describes, as it judges one that comes. Nothing was recorded.",
        "None, if the user should be refused. Otherwise run the command that the text names.";
    CIPHER_NOT_IN_BUILD = 8898 Warning "No connection is let in by {} {} with SSLCIPH({}): this build has no library for it.",
        "The CipherSpec is known, and no release has its suite. The definition is kept.",
        "Give the channel another CipherSpec, such as ANY_TLS12_OR_HIGHER.";
    LABEL_WITHOUT_KEY = 8899 Warning "CERTLABL({}) of {} {} names no key of this queue manager.",
        "The definition is kept. Until the queue manager has a key of that label, the channel refuses every connection.",
        "Make the key by `ferry tls issue` or import it by `ferry tls import`, or correct the label. `ferry tls show` lists the keys.";
    NOT_THE_PROTOCOL = 9001 Warning "{} does not speak the channel protocol: {}.",
        "The first bytes that arrived are not those of a FerryMQ client. The connection was closed; nothing else was affected.",
        "Point the program at another port, or find the program that probes this one.";
    CONNECTION_BROKEN = 9002 Warning "The connection from {} was ended: {}.",
        "The text after the colon is the cause. If a client no longer answers or reads, its machine or the network has often stopped without closing the connection. If it breaks the channel protocol, it is of another release, or the network changed its bytes. The uncommitted unit of work of the connection was backed out.",
        "None, if the machine of the client stopped or an administrator ended the connection. If clients stop again and again, look for a firewall that drops idle connections, and set HBINT of the channel below its time limit. If bytes are wrong, compare the releases of client and queue manager.";
    TURNED_AWAY = 9003 Warning "{} was turned away: {} connections are there, and no more are allowed.",
        "limits.connections_max bounds the connections, and so does the limit of open files, of which the queue manager keeps those that it may need for itself (FRY5047W): memory and descriptors suffice for those that are there. Programs are told 2025. The message comes at most every 10 s, with the number of programs since. The user that runs the queue manager has four places more by the local socket.",
        "DISPLAY CONN(*) names the programs. End those that are not needed, or raise limits.connections_max and the limit of open files (ulimit -n).";
    ACCEPTING_PAUSED = 9004 Warning "New connections wait: {}.",
        "The system gives this process no more descriptors or memory. Connections that exist go on; new ones are tried again every 100 ms.",
        "End connections, or raise the limit of open files (LimitNOFILE in the service, ulimit -n in a shell).";
    HANDSHAKE_FAILED = 9005 Warning "The connection from {} was ended: {}.",
        "The TLS handshake failed, or a record was wrong. A unit of work that the connection had was backed out.",
        "Compare SSLCIPH, SSLCAUTH and the certificates of both ends; `ferry tls show` lists those of this queue manager.";
    KEYS_NOT_READ = 9006 Warning "The key store was not read again: {}.",
        "Files that cannot be read keep their previous contents in force. The others take effect, revocations included. The key store is read again every 10 s.",
        "Mend the file that is named. Replace the certificate and the key of a label together.";
    KEYS_READ = 9007 Information "The key store was read again: {} keys, {} trusted certificates.",
        "New connections use what was read. Existing connections keep their keys.",
        "None.";
    NO_TLS_OF_CHANNEL = 9008 Warning "Channel {} has no TLS of its own: {}.",
        "Programs that name the channel get the certificate of the queue manager, and are refused unless they meet the channel's attributes.",
        "Correct SSLCIPH or CERTLABL of the channel, or the key store.";
    CERTIFICATE_EXPIRES = 9009 Warning "Certificate {} {}.",
        "Partners refuse a certificate that has expired. This warning comes 30, 14, 7 and 1 days before, and every day after it has expired.",
        "Renew it by `ferry tls renew`, or replace its files.";
    STRANGERS_TURNED_AWAY = 9010 Warning "{} was turned away: its address has its share of connections that have not logged in.",
        "More than half of the places for programs that have not logged in are taken, and an address may have 32 of them then. A program leaves its place once it has logged in, or after limits.login_seconds.",
        "Look for a program at that address that connects and does not log in. TYPE(BLOCKADDR) of SET CHLAUTH keeps an address out.";
    CONNECTION_REFUSED = 9065 Warning "{} was refused: {}.",
        "A program or partner was refused a connection, or asked for something that it cannot have. An uncommitted unit of work of the connection was backed out.",
        "Do what the text says. A message channel tries again by itself.";
    CONNECTION_ENDED = 9066 Information "The connection from {} was ended: {}.",
        "A command ended it, or a change of users or rules. An uncommitted unit of work of the connection was backed out.",
        "None, if this was intended. START CHANNEL starts a channel again that STOP CHANNEL stopped.";
    CONNECTION_TIMED_OUT = 9067 Warning "The connection from {} was ended: {}.",
        "The other side did not act in time; the text says what was awaited. An uncommitted unit of work of the connection was backed out.",
        "Look for a program that hangs or does not log in, or a network that does not deliver. limits.login_seconds bounds a login, HBINT and DISCINT of the channel the silence.";
    CHANNEL_FAILED = 9068 Warning "Channel {} ended by a fault: {}.",
        "This end of the message channel found the fault, or the partner told of it. A batch under way was backed out, and is sent again.",
        "Do what the text says. `ferry channel show` with the name of the channel shows its state and the commands that end it.";
}

#[cfg(test)]
mod tests;
