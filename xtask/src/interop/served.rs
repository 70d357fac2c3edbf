//! The queue manager that programs of a run go to.
//!
//! Always: it ends with the run, and begins with empty data.

use anyhow::{Context, Result, bail};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::table::prepare;
use super::tokens::TokenServer;
use crate::dev::DevQueueManager;

/// The user that programs log in as, and its password.
pub(super) const USER: &str = "app";
pub(super) const PASSWORD: &str = "not-a-secret";

/// The guide with rules of another product for an administrator by a channel, and the mark of their block.
const GUIDE: &str = include_str!("../../../docs/guides/users-and-rights.md");
const RULES: &str = "```text skip these commands belong to another product\n";

/// Rights of the user on all that programs name, and a rule that lets none in without a password.
const RIGHTS: &str =
    "SET CHLAUTH('DEV.AMQP') TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,GET,BROWSE,INQ,DSP)
SET AUTHREC PROFILE('**') OBJTYPE(TOPIC) PRINCIPAL('app') AUTHADD(PUB,SUB,RESUME)
";

/// A queue manager for the programs, which ends with this.
pub(super) struct Served {
    /// None between an end and the next start.
    running: Option<DevQueueManager>,
    pub(super) prefix: PathBuf,
    pub(super) data: PathBuf,
    pub(super) port: u16,
    /// True if it has users, whose passwords it asks for.
    has_users: bool,
    /// The stand-in for a token server, or the reason why there is none.
    pub(super) tokens: Result<TokenServer, String>,
}

impl Served {
    pub(super) fn start(prefix: &Path, data: &Path) -> Result<Self> {
        // What an earlier run left is not what this one is about.
        let _absent = std::fs::remove_dir_all(data);
        let running = DevQueueManager::start(prefix, data, free_port())?;
        let tokens = Err("no program of this run takes tokens".to_owned());
        let (prefix, data) = (prefix.to_owned(), data.to_owned());
        Ok(Self { port: running.port, running: Some(running), prefix, data, has_users: false, tokens })
    }

    /// Starts it again with a line of its settings replaced by another.
    pub(super) fn start_again(&mut self, (line, other): (&str, &str)) -> Result<()> {
        if let Some(running) = self.running.take() {
            running.kill()?;
        }
        let path = self.data.join("QM1/ferry.toml");
        let settings = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        if !settings.contains(line) {
            bail!("{} has no line {line:?}", path.display());
        }
        std::fs::write(&path, settings.replace(line, other))?;
        let running = DevQueueManager::start(&self.prefix, &self.data, free_port())?;
        self.port = running.port;
        self.running = Some(running);
        Ok(())
    }

    /// Gives it users as the guide has them, and the rules for an administrator; from then on programs give a
    /// password.
    pub(super) fn ask_for_a_password(&mut self) -> Result<()> {
        let password = self.data.join("interop.password");
        std::fs::write(&password, PASSWORD)?;
        std::fs::set_permissions(&password, std::fs::Permissions::from_mode(0o600))?;
        let password = password.display().to_string();
        for user in [&[USER][..], &["admin"], &["mqm", "--group", "ferrymq"]] {
            let with_password = [&["user", "add", "QM1"], user, &["--password-file", &password]].concat();
            self.ferry(&with_password).with_context(|| format!("user {}", user[0]))?;
        }
        self.ferry(&["user", "lock", "QM1", "mqm"])?;
        self.has_users = true;
        self.define(&format!("{}{RIGHTS}", rules(GUIDE)?))
    }

    /// The address of the queue manager for a client of AMQP in Java, which logs in if there are users.
    pub(super) fn amqp_uri(&self) -> String {
        let login = if self.has_users {
            format!("PLAIN&jms.username={USER}&jms.password={PASSWORD}")
        } else {
            "ANONYMOUS".to_owned()
        };
        format!("amqp://127.0.0.1:{}?amqp.saslMechanisms={login}", self.port)
    }

    /// Runs commands, all of which must succeed.
    pub(super) fn define(&self, commands: &str) -> Result<()> {
        let script = self.data.join("interop.mqsc");
        // Samples give users and passwords of their own, which are no users here.
        let unjudged = if self.has_users { "" } else { "ALTER QMGR CONNAUTH(' ')\n" };
        std::fs::write(&script, format!("{unjudged}{commands}"))?;
        self.ferry(&["mqsc", "-f", &script.display().to_string()]).context("the objects of the samples")
    }

    fn ferry(&self, arguments: &[&str]) -> Result<()> {
        let mut ferry = Command::new(self.prefix.join("bin/ferry"));
        ferry.args(arguments).env("FERRY_DATA", &self.data);
        prepare(&mut ferry).map_err(|why| anyhow::anyhow!("ferry {}: {why}", arguments.join(" ")))
    }

    /// A program that loads the library, for a limited time; over the network when it is to.
    pub(super) fn command(&self, program: &Path, over_the_network: bool) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "60"]).arg(program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib64")).env("FERRY_DATA", &self.data);
        if over_the_network {
            command
                .env("MQ_CONNECT_TYPE", "CLIENT")
                .env("MQSERVER", format!("SYSTEM.DEF.SVRCONN/TCP/{}", self.host()));
        }
        command
    }

    /// The most memory that the queue manager has taken so far, in MiB.
    pub(super) fn memory_mib_max(&self) -> Result<u64> {
        let process = self.running.as_ref().context("the queue manager does not run")?.process();
        let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = most.and_then(|most| most.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        kib.map(|kib| kib / 1024).context("the process does not tell how much memory it took")
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1({})", self.port)
    }
}

/// The port that samples go to when nobody tells them another, if it is free; any port otherwise.
fn free_port() -> u16 {
    const USUAL: u16 = 1414;
    let is_free = std::net::TcpListener::bind(("127.0.0.1", USUAL)).is_ok();
    if is_free { USUAL } else { 0 }
}

/// The rules that a guide shows, as they stand there.
fn rules(guide: &str) -> Result<&str> {
    let block = guide.split_once(RULES).and_then(|(_, block)| block.split_once("```"));
    block.map(|(rules, _)| rules).context("the guide of users and rights has no rules of another product")
}

#[cfg(test)]
mod tests {
    use super::{GUIDE, rules};

    #[test]
    fn the_rules_of_the_guide_are_commands() {
        let rules = rules(GUIDE).unwrap();
        assert_eq!(rules.lines().count(), 2);
        assert!(rules.lines().all(|line| line.starts_with("SET CHLAUTH('DEV.ADMIN.SVRCONN')")), "{rules}");
        assert!(super::rules("no block").is_err());
    }
}
