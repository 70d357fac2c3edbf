//! A queue manager that judges its programs: keys, users and rights, all made by the commands of the program.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use channel::Hello;
use client::{Connection, Credentials, Options, Secret, Tls};
use mqi::Reason;

use super::super::installation::{Broken, Installation, Running, connect_at};
use super::super::load;

/// A socket that is silent for so long hangs.
pub(super) const SILENCE_MAX: Duration = Duration::from_secs(20);

/// The queue of the programs.
pub(super) const QUEUE: &str = "SECURED.Q";

/// A CipherSpec that every version of a key is good for.
pub(super) const ANY: &str = "ANY_TLS12_OR_HIGHER";

/// Settings of a listener that speaks TLS alone.
pub(super) const TLS_ALONE: &str = "[listener]\ntls = \"required\"\n";

/// A queue manager, its administrator, and its files.
pub(super) struct Secured {
    pub(super) installation: Installation,
    pub(super) server: Running,
    administrator: Connection,
}

impl Secured {
    /// Creates the queue manager with these settings, has `prepare` change its files, and starts it.
    pub(super) fn start(
        ferry: &Path,
        place: &Path,
        settings: &str,
        prepare: impl FnOnce(&Installation) -> Result<(), Broken>,
    ) -> Result<Self, Broken> {
        let installation = Installation::create(ferry, &place.join("data"), settings)?;
        prepare(&installation)?;
        let server = installation.start()?;
        Self::of(installation, server)
    }

    /// The queue manager that runs, with an administrator by its local socket.
    pub(super) fn of(installation: Installation, server: Running) -> Result<Self, Broken> {
        let administrator = administrator(&installation)?;
        Ok(Self { installation, server, administrator })
    }

    /// Gives a command that must succeed, by the local socket.
    pub(super) fn tell(&mut self, text: &str) -> Result<String, Broken> {
        load::command(&mut self.administrator, text)
    }

    /// Gives several.
    pub(super) fn tell_all(&mut self, texts: &[&str]) -> Result<(), Broken> {
        texts.iter().try_for_each(|text| self.tell(text).map(drop))
    }

    /// Defines the queue of the programs, and a channel by which a program of this machine comes in as
    /// `user`, who may put and get there and nothing else.
    pub(super) fn let_in(&mut self, channel: &str, user: &str) -> Result<(), Broken> {
        self.tell(&format!(
            "DEFINE CHANNEL({channel}) CHLTYPE(SVRCONN) MAXINST(999999999) MAXINSTC(999999999)"
        ))?;
        self.tell(&format!(
            "SET CHLAUTH({channel}) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(MAP) MCAUSER('{user}')"
        ))?;
        self.grant(user)
    }

    /// Gives a user the rights of a program.
    pub(super) fn grant(&mut self, user: &str) -> Result<(), Broken> {
        self.tell(&format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999) NOREPLACE"))
            .or_else(|told| if told.contains(QUEUE) { Ok(String::new()) } else { Err(told) })?;
        self.tell(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(CONNECT,INQ)"))?;
        self.tell(&format!(
            "SET AUTHREC PROFILE({QUEUE}) OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(PUT,GET,BROWSE,INQ)"
        ))?;
        Ok(())
    }

    /// The options of a program that comes by this channel, with a socket of its own.
    pub(super) fn options(&self, channel: &str) -> Options {
        let address = format!("127.0.0.1:{}", self.server.port()).parse().expect("an address");
        Options {
            user: "program".into(),
            connect_timeout: SILENCE_MAX,
            ..Options::to(address).channel(channel)
        }
        .alone()
    }

    /// Ends it without a word.
    pub(super) fn end(self) {
        drop(self.administrator);
        self.server.kill();
    }
}

/// The connection of an administrator by the local socket, where no rule is asked.
pub(super) fn administrator(installation: &Installation) -> Result<Connection, Broken> {
    connect_at(&format!("unix:{}", installation.folder().join("socket").display()), "administers")
}

/// Runs a command of the program, with these lines as its input; its output.
pub(super) fn ferry(installation: &Installation, arguments: &[&str], input: &str) -> Result<String, Broken> {
    let failed = |error: std::io::Error| format!("ferry {}: {error}", arguments.join(" "));
    let mut command = installation.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut to_child) = child.stdin.take() {
        // A command that reads nothing has closed it.
        let _ = to_child.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(format!("ferry {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes the authority and the key of the queue manager.
pub(super) fn make_keys(installation: &Installation) -> Result<(), Broken> {
    ferry(installation, &["tls", "init", installation.name(), "--host", "127.0.0.1"], "").map(drop)
}

/// Makes a key for a program; the file with all that it needs.
pub(super) fn bundle(installation: &Installation, label: &str) -> Result<PathBuf, Broken> {
    let name = installation.name();
    let file = installation.data().join(format!("{label}.ferry"));
    let path = file.to_str().ok_or("the folder of the torture is no text")?;
    ferry(installation, &["tls", "issue", name, label], "")?;
    ferry(installation, &["tls", "bundle", name, label, path], "")?;
    Ok(file)
}

/// The file of a program that trusts the authority and has no key.
pub(super) fn without_key(installation: &Installation) -> PathBuf {
    installation.folder().join("security/authority/ca.pem")
}

/// TLS with this file.
pub(super) fn tls(file: &Path, cipherspec: &str) -> Tls {
    Tls { key_store: file.to_owned(), cipherspec: cipherspec.to_owned(), ..Tls::default() }
}

/// Adds a user by the command.
pub(super) fn add_user(installation: &Installation, user: &str, password: &str) -> Result<(), Broken> {
    ferry(installation, &["user", "add", installation.name(), user], &format!("{password}\n")).map(drop)
}

/// A user and a password, as a program gives them.
pub(super) fn credentials(user: &str, password: &str) -> Result<Credentials, Broken> {
    let secret = Secret::new(password.as_bytes().to_vec());
    Credentials::password(user, secret).map_err(|error| error.to_string())
}

/// The outcome of a login that must be refused.
pub(super) fn refusal(options: Options) -> Result<(Reason, String), Broken> {
    match Connection::connect(options) {
        Err(error) => Ok((error.reason(), error.to_string())),
        Ok(_) => Err("it is let in".to_owned()),
    }
}

/// A socket to the queue manager that does not wait for ever.
pub(super) fn socket(port: u16) -> Result<TcpStream, Broken> {
    let failed = |error: std::io::Error| format!("port {port}: {error}");
    let socket = TcpStream::connect(("127.0.0.1", port)).map_err(failed)?;
    socket.set_read_timeout(Some(SILENCE_MAX)).map_err(failed)?;
    socket.set_write_timeout(Some(SILENCE_MAX)).map_err(failed)?;
    socket.set_nodelay(true).map_err(failed)?;
    Ok(socket)
}

/// The first bytes of a client: what tells the protocol, and its Hello.
pub(super) fn opening(hello: &Hello) -> Vec<u8> {
    let mut bytes = channel::preamble::MAGIC.to_vec();
    hello.encode(&mut bytes);
    bytes
}
