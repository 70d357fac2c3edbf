//! The 43 checks of the public hardening guide for the appliance of the family, and our answer to each.
//!
//! Always: a check is one row, in the order of the guide; `docs/reference/hardening.md` has the same rows.

use super::judge::Judge;
use terminal::next_step::NextStep;

/// A check of the guide.
#[derive(Debug)]
pub(super) struct Check {
    /// The number that the guide gives it, behind `V-`.
    pub(super) number: u32,
    /// The thing that it asks for.
    pub(super) subject: &'static str,
    /// The way in which it is met.
    pub(super) answer: Answer,
}

/// The way in which a check is met.
#[derive(Debug)]
pub(super) enum Answer {
    /// By default, and nothing switches it off.
    Holds(NextStep),
    /// By a definition, which a program can compare.
    Judged(Judge),
    /// By the machine or its organization.
    Machine(NextStep),
    /// Not at all yet.
    Missing(NextStep),
}

use Answer::{Holds, Judged, Machine, Missing};

const fn check(number: u32, subject: &'static str, answer: Answer) -> Check {
    Check { number, subject, answer }
}

/// The events that say which request was refused, what was changed, and what started and stopped.
const RECORDED: &[&str] = &["AUTHOREV", "INHIBTEV", "STRSTPEV", "CMDEV", "SSLEV", "CONFIGEV", "PERFMEV"];

/// Every event of logins, channels and requests.
const ALL: &[&str] = &[
    "AUTHOREV", "INHIBTEV", "LOCALEV", "REMOTEEV", "STRSTPEV", "PERFMEV", "CMDEV", "CHLEV", "CHADEV",
    "SSLEV", "CONFIGEV",
];

/// The refusals that the record of refusals has in any case, and the event that programs read.
const REFUSALS: &[&str] = &["AUTHOREV"];

const TIME: NextStep = NextStep::of("the time service of the machine (chrony, systemd-timesyncd)");
const SHIPPING: NextStep = NextStep::of(
    "ship the error log and the folder audit with the log agent of the machine, or set errors.also",
);
const COPIES: NextStep = NextStep::of(
    "a replicated volume (guide \"failover\"); copies of the log by the queue manager are not there yet",
);
const NO_CONSOLE: NextStep = NextStep::of("there is no web console yet");
const SHELL: NextStep = NextStep::of("the shell and the SSH server of the machine");
const AUTHORITIES: NextStep =
    NextStep::of("the organization chooses the authorities; `ferry tls show` lists the trusted ones");
const NO_FIPS: NextStep =
    NextStep::of("there is no build with a validated module; SSLFIPS(YES) is kept and has no effect");
const VERSIONS: NextStep = NextStep::of(
    "TLS 1.2 and 1.3 with authenticated encryption alone; no setting allows anything older or weaker",
);

/// All of them.
pub(super) const CHECKS: &[Check] = &[
    check(255_775, "refused requests are recorded", Judged(Judge::Events(REFUSALS))),
    check(
        255_776,
        "policies sign or encrypt messages at rest",
        Missing(NextStep::of("bodies are protected by TLS and by the modes of the files alone")),
    ),
    check(255_777, "logs are copied to another machine", Machine(SHIPPING)),
    check(255_778, "a clock that differs is set", Machine(TIME)),
    check(255_779, "the clock is compared each day", Machine(TIME)),
    check(255_780, "partners of channels prove who they are by certificates", Judged(Judge::Certificates)),
    check(255_781, "a browser's login is kept for an hour at most", Missing(NO_CONSOLE)),
    check(255_782, "records say what kind of event occurred", Judged(Judge::Events(RECORDED))),
    check(255_783, "refusals that matter for security are found", Judged(Judge::Events(REFUSALS))),
    check(255_784, "the work of administrators is recorded", Judged(Judge::Events(&["CONFIGEV"]))),
    check(255_785, "a failure to write records is reported", Judged(Judge::EventQueue { high: None })),
    check(
        255_786,
        "records that fill three quarters of their room are reported",
        Judged(Judge::EventQueue { high: Some(75) }),
    ),
    check(255_787, "connections are limited for each channel and each client", Judged(Judge::Instances)),
    check(255_788, "an idle SSH session ends", Machine(SHELL)),
    check(255_789, "an idle session of the web console ends", Missing(NO_CONSOLE)),
    check(
        255_790,
        "a proved password is kept for 600 seconds at most",
        Holds(NextStep::of("a proof is kept for 600 s, as a keyed digest, until the users are read again")),
    ),
    check(255_791, "certificates come from the organization's authorities", Machine(AUTHORITIES)),
    check(
        255_792,
        "the version is one that is supported",
        Machine(NextStep::of("`ferry --version`, beside the releases of the project")),
    ),
    check(255_793, "certificates have the organization's class", Machine(AUTHORITIES)),
    check(
        255_794,
        "the responder of certificates (OCSP) is asked about them",
        Missing(NextStep::of(
            "lists of revoked certificates count (folder security/crl); no responder is asked",
        )),
    ),
    check(
        255_795,
        "reports can be made of the records",
        Holds(NextStep::of("`ferry events` and `amqsevt` read the event queues, `ferry why` the refusals")),
    ),
    check(255_796, "another machine takes over when the log fails", Machine(COPIES)),
    check(255_797, "clients prove who they are before they connect", Judged(Judge::Certificates)),
    check(255_798, "a directory is asked over TLS only", Judged(Judge::Directory)),
    check(
        255_799,
        "revoked certificates of users are refused",
        Holds(NextStep::of("each list in security/crl counts at once; `ferry tls revoke` adds to it")),
    ),
    check(
        255_800,
        "users that are inactive for 35 days are locked",
        Missing(NextStep::of("`ferry user lock` locks a user; inactivity is not counted")),
    ),
    check(
        255_801,
        "users are those of the organization's directory",
        Missing(NextStep::of("users are those of the users file; no directory is asked yet")),
    ),
    check(
        255_802,
        "a banner is shown before a login",
        Missing(NextStep::of("no banner is sent to programs; the SSH server of the machine shows its own")),
    ),
    check(255_803, "logins and accesses are recorded", Judged(Judge::Events(ALL))),
    check(255_804, "both ends are proved for the whole session", Judged(Judge::Certificates)),
    check(255_805, "sessions have identifiers that cannot be guessed", Judged(Judge::Certificates)),
    check(255_806, "clients are proved before they connect", Judged(Judge::Certificates)),
    check(255_807, "both ends are proved by cryptography", Judged(Judge::Certificates)),
    check(255_808, "keys are managed by approved means", Judged(Judge::Certificates)),
    check(255_809, "passwords are checked by a validated module", Missing(NO_FIPS)),
    check(255_810, "an approved version of TLS is used", Holds(VERSIONS)),
    check(255_811, "export ciphers are removed", Holds(VERSIONS)),
    check(255_812, "approved mechanisms encrypt what is sent", Missing(NO_FIPS)),
    check(255_813, "a second machine stands by", Machine(COPIES)),
    check(255_814, "logs of all parts are managed in one place", Machine(SHIPPING)),
    check(255_815, "logs leave the machine at once, or each week", Machine(SHIPPING)),
    check(255_816, "the strength of encryption cannot be lowered", Holds(VERSIONS)),
    check(255_817, "a system of high importance is highly available", Machine(COPIES)),
];
