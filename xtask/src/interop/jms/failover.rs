//! A program of JMS whose queue manager is killed and started again with the other of its two listeners, with
//! TLS and a password.

use anyhow::{Context, Result, bail};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::java::{JAKARTA, Java, NO_LOG, add_output};
use crate::dev::port_told;
use crate::interop::served::Served;
use crate::interop::table::{Table, Verdict, prepare};

const NAME: &str = "FAILOVER";
const USER: &str = "app";
const PASSWORD: &str = "not a secret";

/// Objects, the user's rights, and a rule that lets nobody in without a password.
const OBJECTS: &str = "DEFINE QLOCAL(FAIL.ORDERS)
DEFINE QLOCAL(FAIL.OTHER)
DEFINE CHANNEL(APP.AMQP) CHLTYPE(AMQP) SSLCIPH(ANY_TLS13) SSLCAUTH(OPTIONAL)
SET CHLAUTH(APP.AMQP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)
SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)
SET AUTHREC PROFILE('FAIL.**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,GET,BROWSE,INQ)
SET AUTHREC PROFILE('SYSTEM.DEFAULT.MODEL.QUEUE') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(DSP,GET,PUT,INQ)
SET AUTHREC PROFILE('AMQP.**') OBJTYPE(QUEUE) PRINCIPAL('app') AUTHADD(PUT,GET,INQ)
SET AUTHREC PROFILE('SYSTEM.BASE.TOPIC') OBJTYPE(TOPIC) PRINCIPAL('app') AUTHADD(PUB,SUB,RESUME)
";

/// Two ports that no program has just now. Nothing listens there any more when they are returned.
fn free_ports() -> std::io::Result<[u16; 2]> {
    let free = || std::net::TcpListener::bind(("127.0.0.1", 0));
    let (one, two) = (free()?, free()?);
    Ok([one.local_addr()?.port(), two.local_addr()?.port()])
}

/// Runs the program, kills the queue manager under it and starts it again on the same data and port.
pub(super) fn run(folder: &Path, served: &Served, table: &mut Table) -> Result<()> {
    let sources =
        [("Checks.java", include_str!("Checks.java")), ("Failover.java", include_str!("Failover.java"))];
    let java = match Java::prepare(folder, &[JAKARTA, NO_LOG], &sources)? {
        Ok(java) => java,
        Err(why) => {
            table.add("failover", Verdict::NotInstalled(why));
            return Ok(());
        }
    };
    let ferry = Ferry { program: served.prefix.join("bin/ferry"), data: folder.join("data") };
    // Of two listeners the second alone comes again.
    let [one, two] = free_ports()?;
    let addresses = format!("addresses = [\"127.0.0.1:{one}\", \"127.0.0.1:{two}\"]");
    ferry.run(&[
        "qmgr",
        "create",
        NAME,
        "--set",
        &format!("listener.{addresses}"),
        "--set",
        "listener.tls=\"required\"",
        "--set",
        "listener.amqp_channel=\"APP.AMQP\"",
    ])?;
    ferry.run(&["tls", "init", NAME, "--host", "localhost"])?;
    let password = folder.join("password");
    std::fs::write(&password, PASSWORD)?;
    ferry.run(&["user", "add", NAME, USER, "--password-file", &password.display().to_string()])?;
    let first = ferry.start()?;
    let script = folder.join("objects.mqsc");
    std::fs::write(&script, OBJECTS)?;
    ferry.run(&["mqsc", NAME, "-f", &script.display().to_string()])?;
    let trust = ferry.trust(folder)?;
    let uri = format!(
        "failover:(amqps://localhost:{one},amqps://localhost:{two})?failover.nested.transport.trustStoreLocation={}\
         &failover.nested.transport.trustStorePassword=changeit&failover.maxReconnectAttempts=600\
         &failover.reconnectDelay=50&failover.useReconnectBackOff=false",
        trust.display()
    );
    let mut command = java.command(served, "Failover", &uri);
    // Properties of the virtual machine stand before the class.
    command.env("JDK_JAVA_OPTIONS", format!("\"-Dferry.user={USER}\" \"-Dferry.password={PASSWORD}\""));
    let mut program = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut said = BufReader::new(program.stdout.take().context("its output cannot be read")?);
    let mut lines = String::new();
    loop {
        let before = lines.len();
        let is_ready = said.read_line(&mut lines)? > 0 && lines[before..].trim() == "READY";
        if is_ready {
            break;
        }
        if lines.len() == before {
            let status = program.wait()?;
            table.add("failover", Verdict::Failed(format!("it ended before the break, {status}: {lines}")));
            return Ok(());
        }
    }
    drop(first);
    ferry.replace(&addresses, &format!("addresses = [\"127.0.0.1:{two}\"]"))?;
    let _second = ferry.start()?;
    program.stdin.take().context("nothing can be said to it")?.write_all(b"go on\n")?;
    said.read_to_string(&mut lines)?;
    let output = Output { status: program.wait()?, stdout: lines.into_bytes(), stderr: Vec::new() };
    add_output("jms", &output, 6, table);
    Ok(())
}

/// The command, with data of its own.
struct Ferry {
    program: PathBuf,
    data: PathBuf,
}

/// A queue manager that runs; it is killed when this is dropped.
struct RunningQueueManager(Child);

impl Ferry {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).env("FERRY_DATA", &self.data);
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<()> {
        match prepare(&mut self.command(arguments)) {
            Ok(()) => Ok(()),
            Err(why) => bail!("ferry {}: {why}", arguments.join(" ")),
        }
    }

    fn start(&self) -> Result<RunningQueueManager> {
        let mut command = self.command(&["qmgr", "start", NAME, "-o", "json"]);
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let told = port_told(&mut child);
        let running = RunningQueueManager(child);
        told.context("ferry qmgr start")?;
        Ok(running)
    }

    /// Replaces a line of the settings.
    fn replace(&self, line: &str, other: &str) -> Result<()> {
        let path = self.data.join(NAME).join("ferry.toml");
        let settings = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        if !settings.contains(line) {
            bail!("{} has no line {line:?}", path.display());
        }
        Ok(std::fs::write(&path, settings.replace(line, other))?)
    }

    /// A store of Java with the authority of the queue manager.
    fn trust(&self, folder: &Path) -> Result<PathBuf> {
        let mut find = Command::new("find");
        let found = find.arg(self.data.join(NAME)).args(["-name", "ca.pem"]).output()?;
        let found = String::from_utf8(found.stdout)?;
        let authority = found.lines().next().context("the queue manager has no authority")?;
        let trust = folder.join("trust.p12");
        let mut import = Command::new("keytool");
        import.args(["-importcert", "-noprompt", "-alias", "authority", "-storetype", "PKCS12"]);
        import.args(["-storepass", "changeit", "-file", authority, "-keystore"]).arg(&trust);
        prepare(&mut import).map_err(|why| anyhow::anyhow!("keytool: {why}"))?;
        Ok(trust)
    }
}

impl Drop for RunningQueueManager {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::free_ports;
    use std::net::TcpListener;

    #[test]
    fn a_queue_manager_can_listen_at_ports_that_are_free() {
        let [one, two] = free_ports().unwrap();
        let listening = [one, two].map(|port| TcpListener::bind(("127.0.0.1", port)));
        assert!(one != two && listening.iter().all(Result::is_ok), "{listening:?}");
    }
}
