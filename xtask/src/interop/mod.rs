//! `cargo xtask interop mqi|jms|jms-xa|amqp|metrics|cms|xa`: open bindings and clients, unchanged, against
//! our library and our queue manager.
//!
//! Lives here: the options of a run. `served` is the queue manager that they run against, `table` the
//! results. `python`, `node` and `go` install a binding and run it, and `samples` the samples that it
//! ships, for which `tokens` stands in for a token server; `rates` measures instead. `jms` has programs in
//! Java, `jms_xa` those with a transaction manager, `amqp` clients of other languages, `metrics` an
//! exporter for Prometheus, `cms` messages protected by another program, which needs neither queue manager
//! nor network, `xa` transactions with databases. Lives elsewhere: the library under the names that they
//! load (`libraries`).
//!
//! Always: bindings are taken from their registries as published, at versions named here, without
//! running anything while they are installed; the client of AMQP for Python alone is compiled. A
//! package that cannot be installed is said and is no failure, one that was installed and does not
//! run is one. This is no gate: it needs the network.

mod amqp;
mod cms;
mod go;
mod jms;
mod jms_xa;
mod metrics;
mod node;
mod parts;
mod python;
mod rates;
mod samples;
mod served;
mod table;
mod tokens;
mod xa;

use crate::install;
use anyhow::{Context, Result, bail};
use served::Served;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use table::Table;
use tokens::TokenServer;

/// Runs the clients that are asked for.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    if let ["cms", options @ ..] = arguments {
        return cms::run(root, options);
    }
    if let ["xa", options @ ..] = arguments {
        return xa::run(root, options);
    }
    let options = InteropOptions::parse(arguments)?;
    let place = root.join("target/interop").join(options.interface.name());
    let (prefix, profile) = match options.measures() {
        true => (place.join("measured"), rates::PROFILE),
        false => (place.join("prefix"), "dev"),
    };
    let prefix = match options.prefix.clone() {
        Some(prefix) => prefix,
        None => {
            install::for_ourselves(root, &prefix, profile)?;
            prefix
        }
    };
    let mut served = Served::start(&prefix, &place.join("data"))?;
    if options.interface == Interface::Amqp {
        served.start_again(amqp::SETTING)?;
    }
    let mut table = Table::default();
    if options.logs_in {
        served.ask_for_a_password()?;
    }
    match options.interface {
        Interface::Jms => {
            jms::run(&place, &served, options.part.as_deref(), &mut table)?;
            return Ok(table.print());
        }
        Interface::JmsXa => {
            jms_xa::run(&place, &served, options.part.as_deref(), &mut table)?;
            return Ok(table.print());
        }
        Interface::Amqp => {
            amqp::run(&place, &served, options.part.as_deref(), &mut table)?;
            return Ok(table.print());
        }
        Interface::Metrics => {
            let program = options.exporter.as_deref().context("`interop metrics` needs --mq-prometheus")?;
            metrics::run(program, &place, &served, &mut table)?;
            return Ok(table.print());
        }
        Interface::Mqi => {
            // Before the first sample that gives a token or a user.
            served.define("")?;
            served.tokens = TokenServer::start(&served.data);
        }
    }
    if options.measures() {
        return rates::run(root, &place.join("rates"), &served, &options);
    }
    python::run(&place.join("python"), &served, &mut table)?;
    node::run(&place.join("node"), &served, &mut table)?;
    go::run(&place.join("go"), &served, &mut table)?;
    Ok(table.print())
}

/// The options of a run.
#[derive(Debug, Default, PartialEq)]
struct InteropOptions {
    /// The clients that run.
    interface: Interface,
    /// The only part of them that is to run.
    part: Option<String>,
    /// True if programs log in, to a queue manager with users.
    logs_in: bool,
    /// An installation to take.
    prefix: Option<PathBuf>,
    /// True to measure our library.
    rates: bool,
    /// An mq-cph to measure.
    cph: Option<PathBuf>,
    /// Duration of each measurement.
    seconds: Option<f64>,
    /// The exporter for Prometheus.
    exporter: Option<PathBuf>,
}

/// The clients of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Interface {
    #[default]
    Mqi,
    Jms,
    JmsXa,
    Amqp,
    Metrics,
}

impl Interface {
    const ALL: [Self; 5] = [Self::Mqi, Self::Jms, Self::JmsXa, Self::Amqp, Self::Metrics];

    fn name(self) -> &'static str {
        match self {
            Self::Mqi => "mqi",
            Self::Jms => "jms",
            Self::JmsXa => "jms-xa",
            Self::Amqp => "amqp",
            Self::Metrics => "metrics",
        }
    }
}

/// The longest that each may be measured: a client that works with it goes on for longer.
const SECONDS_MAX: f64 = 20.0;

impl InteropOptions {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let named = arguments.split_first().and_then(|(name, rest)| {
            Interface::ALL
                .into_iter()
                .find(|interface| interface.name() == *name)
                .map(|interface| (interface, rest))
        });
        let Some((interface, mut rest)) = named else {
            bail!("`cargo xtask interop` runs: mqi, jms, jms-xa, amqp, metrics, cms, xa")
        };
        let mut options = Self { interface, ..Self::default() };
        loop {
            rest = match rest {
                [] => return Ok(options),
                ["--prefix", folder, after @ ..] => {
                    options.prefix = Some(PathBuf::from(folder));
                    after
                }
                ["--mq-prometheus", program, after @ ..] if interface == Interface::Metrics => {
                    let program = Path::new(program).canonicalize();
                    options.exporter =
                        Some(program.context("--mq-prometheus names a program that is not there")?);
                    after
                }
                ["--part", part, after @ ..]
                    if [Interface::Jms, Interface::JmsXa, Interface::Amqp].contains(&interface) =>
                {
                    options.part = Some((*part).to_owned());
                    after
                }
                ["--login", after @ ..] if interface == Interface::Jms => {
                    options.logs_in = true;
                    after
                }
                ["--cph", program, after @ ..] if interface == Interface::Mqi => {
                    let program = Path::new(program).canonicalize();
                    options.cph = Some(program.context("--cph names a program that is not there")?);
                    after
                }
                ["-t", time, after @ ..] if interface == Interface::Mqi => {
                    let seconds: Option<f64> = time.strip_suffix('s').unwrap_or(time).parse().ok();
                    let is_meant = |seconds: &f64| *seconds > 0.0 && *seconds <= SECONDS_MAX;
                    let Some(seconds) = seconds.filter(is_meant) else {
                        bail!("-t {time} is no time such as 0.5s, up to {SECONDS_MAX}s");
                    };
                    options.seconds = Some(seconds);
                    after
                }
                ["--rates", after @ ..] if interface == Interface::Mqi => {
                    options.rates = true;
                    after
                }
                [other, ..] if interface == Interface::Mqi => bail!(
                    "`cargo xtask interop mqi` does not know \"{other}\"; it takes --prefix DIR, and to measure instead --rates, --cph PROGRAM, each for -t SECONDS"
                ),
                [other, ..] if interface == Interface::Metrics => bail!(
                    "`cargo xtask interop metrics` does not know \"{other}\"; it takes --mq-prometheus PROGRAM and --prefix DIR"
                ),
                [other, ..] if interface == Interface::Jms => bail!(
                    "`cargo xtask interop jms` does not know \"{other}\"; it takes --prefix DIR, --part NAME and --login"
                ),
                [other, ..] => bail!(
                    "`cargo xtask interop {}` does not know \"{other}\"; it takes --prefix DIR and --part NAME",
                    interface.name()
                ),
            };
        }
    }

    /// True if rates are wanted, which need the machine to themselves.
    fn measures(&self) -> bool {
        self.rates || self.cph.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{Interface, InteropOptions};
    use std::path::Path;

    #[test]
    fn rates_are_measured_of_our_library_or_of_a_program_that_is_there() {
        let options = InteropOptions::parse(&["mqi", "--rates", "--prefix", "/opt"]).unwrap();
        assert!(options.measures() && options.prefix.as_deref() == Some(Path::new("/opt")));
        assert!(!InteropOptions::parse(&["mqi"]).unwrap().measures());
        assert!(InteropOptions::parse(&["mqi", "--cph", "/bin/sh"]).unwrap().measures());
        assert_eq!(InteropOptions::parse(&["mqi", "--rates", "-t", "1s"]).unwrap().seconds, Some(1.0));
        assert_eq!(InteropOptions::parse(&["mqi", "--rates", "-t", "0.1"]).unwrap().seconds, Some(0.1));
        for wrong in [
            &["mqi", "--cph", "/nowhere/cph"][..],
            &["mqi", "--cph"],
            &["mqi", "-t", "0s"],
            &["mqi", "-t", "1m"],
            &["mqi", "-t"],
            &["jms", "--rates"],
            &["amqp", "--part"],
            &["stomp"],
            &[],
        ] {
            assert!(InteropOptions::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn clients_of_amqp_run_whole_or_in_part() {
        let options = InteropOptions::parse(&["jms", "--part", "joram", "--prefix", "/opt"]).unwrap();
        assert_eq!((options.interface, options.part.as_deref()), (Interface::Jms, Some("joram")));
        assert!(!options.logs_in && InteropOptions::parse(&["jms", "--login"]).unwrap().logs_in);
        assert!(InteropOptions::parse(&["amqp", "--login"]).is_err());
        assert_eq!(InteropOptions::parse(&["amqp"]).unwrap().interface, Interface::Amqp);
        let options = InteropOptions::parse(&["jms-xa", "--part", "killed"]).unwrap();
        assert_eq!((options.interface, options.part.as_deref()), (Interface::JmsXa, Some("killed")));
        assert!(InteropOptions::parse(&["jms-xa", "--login"]).is_err());
        let options = InteropOptions::parse(&["metrics", "--mq-prometheus", "/bin/sh"]).unwrap();
        assert!(options.interface == Interface::Metrics && options.exporter.is_some());
        assert!(InteropOptions::parse(&["metrics", "--mq-prometheus", "/nowhere"]).is_err());
        assert!(InteropOptions::parse(&["metrics", "--part", "x"]).is_err());
    }
}
