//! The table of settings: sections, keys, types, defaults, bounds, and one meaning each.
//!
//! A row is a field: its documentation comment is the text of the reference page and of the file written at
//! create, so a setting is explained once.

use super::machine_memory::BUDGET_BYTES_MIN;
use super::reading::Reader;
use super::value::{
    Addresses, Also, Budget, Bytes, ChannelName, ErrorFormat, ListenerTls, LocalGroup, LogKind, LogWriter,
    Loopback, NamePatterns, PartDirectory, Reach, ServiceAddress, Setting, SystemLogPath,
};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;

/// A section as the reference page shows it.
pub(super) struct SectionRow {
    pub(super) name: &'static str,
    pub(super) about: &'static [&'static str],
    pub(super) settings: Vec<SettingRow>,
}

/// A setting as the reference page shows it.
pub(super) struct SettingRow {
    pub(super) key: &'static str,
    pub(super) about: &'static [&'static str],
    pub(super) default: String,
    pub(super) allowed: String,
}

macro_rules! configuration {
    ($(
        $(#[doc = $section_about:literal])*
        $section:ident: $Section:ident {
            $($(#[doc = $about:literal])* $key:ident: $Type:ty = $default:expr, $bounds:expr;)*
        }
    )*) => {
        $(
            $(#[doc = $section_about])*
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Section {
                $($(#[doc = $about])* pub $key: $Type,)*
            }
        )*

        /// Everything `ferry.toml` says, with defaults for what it leaves out.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Configuration {
            $($(#[doc = $section_about])* pub $section: $Section,)*
        }

        impl Default for Configuration {
            fn default() -> Self {
                Self { $($section: $Section { $($key: $default,)* },)* }
            }
        }

        impl Configuration {
            pub(super) fn fill(reader: &mut Reader<'_>) -> Self {
                Self {
                    $($section: $Section {
                        $($key: reader.take(stringify!($section), stringify!($key), &$bounds)
                            .unwrap_or_else(|| $default),)*
                    },)*
                }
            }
        }

        /// All sections with their settings, in the order of the file.
        pub(super) fn rows() -> Vec<SectionRow> {
            vec![$(SectionRow {
                name: stringify!($section),
                about: &[$($section_about),*],
                settings: vec![$({
                    let default: $Type = $default;
                    SettingRow {
                        key: stringify!($key),
                        about: &[$($about),*],
                        default: default.show(),
                        allowed: <$Type as Setting>::allowed(&$bounds),
                    }
                },)*],
            },)*]
        }
    };
}

configuration! {
    /// The recovery log, where every persistent change is before it shows outside.
    log: Log {
        /// Size of one log file. A larger log holds longer units of work and more changes between
        /// checkpoints.
        extent_size: Bytes = Bytes(64 * MIB), (MIB..=GIB, MIB);
        /// Log files kept ready.
        primary_extents: u32 = 4, 2..=1024;
        /// Further log files, made when the primary ones do not suffice and removed when they are not needed.
        secondary_extents: u32 = 4, 0..=1024;
        /// `circular` uses log files again once a restart does not need them; `linear` keeps them all, for
        /// `ferry recover`, until `ferry log prune` removes them.
        kind: LogKind = LogKind::Circular, ();
        /// Most bytes forced to the disk by one write.
        block_size_max: Bytes = Bytes(MIB), (64 * KIB..=16 * MIB, 4 * KIB);
        /// A read or write of the log that takes longer is reported in the error log; 0 reports none.
        slow_io_microseconds: u32 = 1_000_000, 0..=600_000_000;
        /// Thread that writes the log: `inline` is the one that serves the connections, `thread` is one of
        /// its own, `auto` is `inline` while writes are short and keep no program waiting.
        writer: LogWriter = LogWriter::Auto, ();
        /// With `writer = "auto"`: if recent writes took longer than this, the log's own thread writes.
        inline_microseconds_max: u32 = 500, 0..=100_000;
        /// Delay of a write that programs wait for, so that further commits share the write; 0 is no delay.
        /// It is for disks that wear out or whose writes are counted: there are fewer writes, each commit
        /// takes up to this much longer, and on busy processors there are fewer commits. It does not apply to
        /// programs in the queue manager's own process, nor while the log's own thread writes.
        commit_delay_microseconds: u32 = 0, 0..=100_000;
        /// Fewest programs that wait for a write before it is delayed. With fewer, others are unlikely to
        /// join them.
        commit_delay_siblings: u32 = 8, 1..=100_000;
        /// Directory in which the log has a folder, on a disk of its own. It is made with the queue manager;
        /// later the folder is moved by hand.
        directory: PartDirectory = PartDirectory::default(), ();
    }
    /// The store, for messages that stay longer than the log is kept.
    store: Store {
        /// Directory in which the store has a folder, as that of the log.
        directory: PartDirectory = PartDirectory::default(), ();
    }
    /// Checkpoints, which shorten the work of a restart.
    checkpoint: Checkpoint {
        /// A checkpoint is taken at least this often while messages move.
        interval_seconds: u32 = 60, 1..=86_400;
    }
    /// Memory for messages, and the limits beyond which they go to disk.
    memory: Memory {
        /// Message bodies kept in memory; beyond, they are read back from log, store or spill file. `auto` is
        /// an eighth of the memory of the machine, or of what a control group allows the process, and at
        /// least 8 MiB.
        budget: Budget = Budget::Auto, BUDGET_BYTES_MIN..=TIB;
        /// Most bytes of non-persistent messages spilled to disk; 0 is as many as the disk holds.
        spill_size_max: Bytes = Bytes(0), (0..=1024 * TIB, 1);
    }
    /// Where programs connect.
    listener: Listener {
        /// TCP addresses and ports. Port 0 lets the system choose; an empty list listens nowhere. On an
        /// address that other machines reach, the queue manager speaks only TLS. It starts there only with a
        /// key (`ferry tls init`), and with users or trusted certificates of programs.
        addresses: Addresses = Addresses::default(), ();
        /// TLS at these addresses: `no`, `allowed` (beside connections in the clear) or `required`. The keys
        /// are in the folder `security`, which `ferry tls init` makes. SSLCIPH, SSLCAUTH and SSLPEER of the
        /// channel choose suites and certificates.
        tls: ListenerTls = ListenerTls::No, ();
        /// Channel with CHLTYPE(AMQP) for programs that speak AMQP 1.0 at these addresses and through the
        /// file `socket`. Without one, AMQP is refused there.
        amqp_channel: ChannelName = ChannelName::default(), ();
        /// Lets programs of this machine connect through the files `socket` and `rings` in the queue
        /// manager's folder.
        local_socket: bool = true, ();
    }
    /// Programs of this machine.
    local: Local {
        /// Group of the machine whose members may connect through the local socket, each as its own user and
        /// with the rights of that user. Without such a group, and with "", only root and the user of the
        /// process can connect. It cannot be `ferrymq`, the group of administrators.
        group: LocalGroup = LocalGroup::default(), ();
    }
    /// Logins of programs.
    security: Security {
        /// Logins over loopback, from the first user, key or authority record on: `guarded` judges them like
        /// those of any network, `trusted` lets each program act as the user that it names, whatever the
        /// CHLAUTH rules say.
        loopback: Loopback = Loopback::Guarded, ();
    }
    /// The record of refusals, in the folder `audit`.
    audit: Audit {
        /// Refuses logins while refusals cannot be recorded, as on a full disk. The owner of the process can
        /// still connect, through the local socket. With `false` programs continue, and the next line of the
        /// record counts the refusals that are missing.
        required: bool = false, ();
    }
    /// Bounds for programs.
    limits: Limits {
        /// Most connections at one time. One more is refused with 2025. The user that runs the queue manager
        /// has four places more by the local socket.
        connections_max: u32 = 10_000, 1..=1_000_000;
        /// Most channels that are current: instances of server-connection channels, of AMQP and of message
        /// channels, and channels that retry or are stopped (MaxChannels). One more is refused with 2537.
        channels_max: u32 = 10_000, 1..=65_535;
        /// Most instances of channels that run (MaxActiveChannels). One more is refused with 2537, and a
        /// message channel that this queue manager starts waits.
        active_channels_max: u32 = 10_000, 1..=65_535;
        /// The ceiling of MAXHANDS, the most objects that one connection may have open: ALTER QMGR refuses a
        /// higher value.
        handles_max: u32 = 999_999_999, 1..=999_999_999;
        /// The ceiling of MAXUMSGS, the most uncommitted messages in one unit of work: ALTER QMGR refuses a
        /// higher value.
        uncommitted_messages_max: u32 = 999_999_999, 1..=999_999_999;
        /// Most output kept for a program that does not read it; beyond, nothing more is read from that
        /// program.
        backlog_size_max: Bytes = Bytes(4 * MIB), (64 * KIB..=GIB, 1);
        /// Bytes taken from one connection before the next one has its turn.
        turn_size_max: Bytes = Bytes(256 * KIB), (4 * KIB..=16 * MIB, 1);
        /// Time that a program may take from connecting to the end of its login.
        login_seconds: u32 = 10, 1..=3_600;
    }
    /// Bounds for things that users make and that outlive their programs. One more is refused with 2102, and
    /// the error log says so; `ferry doctor` warns at nine tenths of a bound. Bounds for one user do not
    /// apply to administrators, nor to anybody before there is a user, a key or an authority record. A queue
    /// manager that starts with more than a bound allows may have twice as many as it has.
    growth: Growth {
        /// Most queues that one user made from model queues with DEFTYPE(PERMDYN).
        dynamic_queues_user_max: u32 = 10_000, 0..=1_000_000_000;
        /// Most queues that all users made from such models.
        dynamic_queues_max: u32 = 1_000_000, 0..=1_000_000_000;
        /// Most durable subscriptions that one user made, each with its managed queue.
        subscriptions_user_max: u32 = 10_000, 0..=1_000_000_000;
        /// Most durable subscriptions.
        subscriptions_max: u32 = 1_000_000, 1_000..=1_000_000_000;
        /// Most other objects that one user defined by commands, channel rules (CHLAUTH) included.
        definitions_user_max: u32 = 10_000, 0..=1_000_000_000;
        /// Most other objects.
        definitions_max: u32 = 1_000_000, 1_000..=1_000_000_000;
        /// Most authority records that one user set.
        authority_records_user_max: u32 = 10_000, 0..=1_000_000_000;
        /// Most authority records.
        authority_records_max: u32 = 1_000_000, 1_000..=1_000_000_000;
        /// Most topics for which one user had a publication retained since the queue manager started.
        retained_publications_user_max: u32 = 10_000, 0..=1_000_000_000;
        /// Most topics with a retained publication.
        retained_publications_max: u32 = 1_000_000, 0..=999_999_999;
        /// Most receivers that the calls of partners made, with CHAD(ENABLED).
        automatic_channels_max: u32 = 100, 0..=10_000;
        /// Most branches of transactions that one user decided by hand, and whose decision is remembered.
        resolved_branches_user_max: u32 = 1_000, 0..=10_000;
        /// Most branches of transactions that were decided by hand, and whose decision is remembered.
        resolved_branches_max: u32 = 10_000, 0..=10_000;
        /// Most branches that one user prepared and that wait for their coordinators.
        prepared_branches_user_max: u32 = 1_000, 0..=9_000;
        /// Most branches that are prepared. Batches of channels have the rest of 10,000 units of work.
        prepared_branches_max: u32 = 5_000, 0..=9_000;
    }
    /// Branches of transactions that outside coordinators decide (XA).
    xa: Xa {
        /// Most branches of one user that are begun and not prepared. One more is refused with XAER_RMERR.
        branches_max: u32 = 1_000, 1..=100_000;
        /// Longest time in seconds that such a branch is kept once every connection that took part has ended.
        /// Then it is rolled back, and its coordinator has as long again to be told (XA_RBTIMEOUT).
        idle_seconds: u32 = 300, 1..=86_400;
        /// Longest time in seconds from the beginning of a branch to its preparation; 0 for no bound. Then it
        /// is rolled back, also while programs work in it.
        active_seconds: u32 = 0, 0..=604_800;
        /// Most messages that prepared branches have put and got, all together. A branch with which there
        /// would be more is rolled back when it is prepared (XA_RBTRANSIENT).
        prepared_messages_max: u32 = 1_000_000, 1_000..=1_000_000;
    }
    /// Bounds of queues (QUOTA, MAXFSIZE, MAXDEPTH).
    quota: Quota {
        /// Longest time in seconds that a put waits for room on a queue with FULLACT(HOLD). Then it is
        /// refused.
        hold_seconds: u32 = 30, 1..=3_600;
    }
    /// Message channels.
    channels: Channels {
        /// Lets a new connection of a partner end the older one on the same channel (AdoptNewMCA). With
        /// `false` the older one keeps its place, and the new one is refused with 2537.
        adopt_new: bool = true, ();
    }
    /// Figures that the queue manager publishes about itself.
    monitoring: Monitoring {
        /// Publishes figures of the machine, the disk and the queue manager below `$SYS/MQ` to subscribers
        /// there.
        system_topics: bool = true, ();
        /// Interval at which these figures are published; each publication covers the time since the one
        /// before.
        interval_seconds: u32 = 10, 1..=86_400;
    }
    /// Health, which the queue manager answers by itself over HTTP: `/livez`, `/readyz`, `/healthz`.
    health: Health {
        /// Address and port. `auto` is port 9414 of this machine, or another where that is taken; a container
        /// takes `0.0.0.0:9414`, since probes come from outside. A program that reaches the port learns if
        /// all is well, and nothing else.
        address: ServiceAddress = ServiceAddress::Auto, Reach::Any;
        /// `/healthz` fails when less of the recovery log is free for new units of work.
        log_room_percent_min: u32 = 10, 0..=100;
        /// `/healthz` fails when less of a file system of the queue manager is free.
        disk_free_percent_min: u32 = 5, 0..=100;
        /// `/healthz` fails while a write of the recovery log takes longer.
        force_seconds_max: u32 = 5, 1..=3_600;
        /// `/healthz` fails when more messages are on the dead-letter queue; one is a warning.
        dead_letters_max: u32 = 1_000, 0..=999_999_999;
        /// `/healthz` fails when a unit of work is open for longer.
        unit_seconds_max: u32 = 3_600, 1..=31_536_000;
        /// `/healthz` fails when a channel with messages in doubt has had no connection for longer.
        channel_seconds_max: u32 = 300, 1..=31_536_000;
    }
    /// The control process, which serves figures over HTTP at `/metrics`. The queue manager starts it as a
    /// process of its own.
    http: Http {
        /// Address and port. `none` starts no control process; `auto` is port 9443 of this machine, or
        /// another where that is taken. There is no login yet, so it listens on this machine only.
        address: ServiceAddress = ServiceAddress::Nowhere, Reach::Machine;
    }
    /// Figures at `/metrics`.
    metrics: Metrics {
        /// Queues that have series of their own.
        queues: NamePatterns = NamePatterns(vec!["*".to_owned(), "!SYSTEM.*".to_owned()]), ();
        /// Most queues that have series of their own: the first by name.
        queues_max: u32 = 1_000, 0..=100_000;
        /// Channels that have series of their own, whether they run or not.
        channels: NamePatterns = NamePatterns(
            ["*", "!SYSTEM.*", "SYSTEM.DEF.SVRCONN", "SYSTEM.DEF.AMQP"].map(str::to_owned).to_vec(),
        ), ();
        /// Most channels that have series of their own: the first by name.
        channels_max: u32 = 1_000, 0..=100_000;
        /// Topics that have series of their own, by their topic strings, while they are in the topic tree. A
        /// pattern ends with an asterisk or has none, such as `price/*`. Nothing is counted of others.
        topics: NamePatterns = NamePatterns(Vec::new()), ();
        /// Most topics that have series of their own: the first that come. One that leaves the topic tree
        /// gives its place up.
        topics_max: u32 = 1_000, 0..=100_000;
        /// Subscriptions that have series of their own, by name, or by identifier where they have no name.
        subscriptions: NamePatterns = NamePatterns(Vec::new()), ();
        /// Most subscriptions that have series of their own: the first by name.
        subscriptions_max: u32 = 1_000, 0..=100_000;
    }
    /// Threads of the process.
    threads: Threads {
        /// Threads that serve connections; 0 is one on two processors and half of them on larger machines.
        reactors: u32 = 0, 0..=64;
        /// Threads that read messages back from disk and take checkpoints.
        disk: u32 = 2, 1..=64;
        /// Lets a thread look for new work for some microseconds before it sleeps, as long as work has lately
        /// come so soon. Round trips are faster, and idle processors are used more.
        spin: bool = true, ();
    }
    /// The error log, in the folder `errors`.
    errors: Errors {
        /// `text` for people, `json` for programs; one event is one line in both.
        format: ErrorFormat = ErrorFormat::Text, ();
        /// A file that would grow beyond this is put aside and a new one begun.
        file_size_max: Bytes = Bytes(2 * MIB), (64 * KIB..=GIB, 1);
        /// Files kept, the current one included.
        files: u32 = 3, 1..=100;
        /// Most events of one number written in a second; the others are counted, and their number is
        /// written.
        flood_max: u32 = 20, 1..=100_000;
        /// Writes a record of a slow read or write of the log (`log.slow_io_microseconds`) beside its
        /// warning: a file `slow-io-…` in the folder `errors`, with the work of the disks and the waits of
        /// each thread. At most one a minute is written, and 20 are kept.
        slow_io_record: bool = false, ();
        /// Where warnings and errors are said besides: `stderr`, the standard error of the process;
        /// `system_log`, the log of the system. `stdout` says every event on standard output, as the log of a
        /// container. With `stdout` or `stderr` and `format = "json"`, all that the process says on both is
        /// lines of JSON.
        also: Also = Also::Nothing, ();
        /// The socket of the system's log. It is told of the end of the queue manager by its own decision
        /// under any value of `also`, since the disk of the error log may be the reason; an empty path tells
        /// it nothing.
        system_log: SystemLogPath = SystemLogPath::default(), ();
    }
    /// The end of the queue manager.
    stop: Stop {
        /// Time that SIGTERM and a quiescing stop wait for programs to disconnect before they are cut off.
        quiesce_seconds: u32 = 30, 0..=86_400;
    }
}
