//! Rules of channels, rights and channels, as the running queue manager tells them.
//!
//! Always: each question is a command that the queue manager judges, by the way that the caller named; what a
//! stranger may do is asked of the queue manager too, by RUNCHECK and, while nothing is judged, by a
//! connection of one. No question is recorded as a refusal.

use ca::Authority;
use client::{Address, CommandResponse};
use objects::configuration::openings::WIDE_OF_MANAGER;
use objects::{messages, quoted};
use serde_json::Value;
use server::configuration::Loopback;
use tls::KeyStore;

use super::super::{answer, open_rules, openings, pages};
use super::finding::{Finding, Patient, word};
use super::mending::{by_command, is_yes, set, text};
use super::proofs::Proofs;
use terminal::connect::{self, Place, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;

/// A user that no queue manager has: its rights are those of every user.
const STRANGER: &str = "ferry-doctor-stranger";

/// The name of the program that comes by loopback.
const PROBE: &str = "ferry doctor";

/// The words before the command that gives a right.
const ALLOWED_BY: &str = "it is allowed by ";

/// Rights that are harmless for every object.
const HARMLESS: [&str; 2] = ["DSP", "INQ"];

/// Asks the queue manager.
pub(super) fn look(patient: &Patient<'_>, listens: &[String]) -> Result<Vec<Finding>> {
    let mut session = connect::session(patient.common)?;
    let mut asked = Asked { session: &mut session, patient };
    let mut findings = asked.manager()?;
    let unjudged = asked.judgement()?;
    // Until requests are judged no rule is asked, and that is the finding.
    let is_judging = unjudged.is_none();
    findings.extend(unjudged);
    findings.extend(asked.logins_refused(is_judging)?);
    findings.extend(asked.rules(is_judging)?);
    findings.extend(asked.passwords()?);
    findings.extend(asked.asserted()?);
    findings.extend(asked.lost_lists()?);
    findings.extend(asked.rights()?);
    findings.extend(asked.channels()?);
    findings.extend(asked.labels()?);
    findings.extend(asked.partners()?);
    findings.extend(asked.in_doubt()?);
    findings.extend(asked.quotas()?);
    session.disconnect()?;
    findings.extend(loopback(patient, listens, is_judging));
    Ok(findings)
}

/// An answer to a command that was not refused.
fn whole(command: &str, response: &CommandResponse) -> Result<Value> {
    if response.failed {
        let what = format!("{command}: {}", response.text.trim_end());
        let next = "run it as the user of the queue manager, or with rights to display it";
        return Err(Failure::new(Exit::Failed, what).in_lines().next(next));
    }
    answer::read(command, &response.json)
}

/// A running queue manager that is asked by commands.
pub(super) struct Asked<'a> {
    pub(super) session: &'a mut Session,
    pub(super) patient: &'a Patient<'a>,
}

impl Asked<'_> {
    /// The whole answer to a command.
    pub(super) fn answer(&mut self, command: &str) -> Result<Value> {
        whole(command, &self.session.command(command)?)
    }

    /// The rows of the answer to a command, page by page.
    pub(super) fn rows(&mut self, command: &str) -> Result<Vec<Value>> {
        let mut rows = Vec::new();
        pages::ask(self.session, command, &mut |page, _| {
            rows.extend(answer::objects(&whole(command, page)?));
            Ok(())
        })?;
        Ok(rows)
    }

    fn manager(&mut self) -> Result<Vec<Finding>> {
        let patient = self.patient;
        let mut findings = Vec::new();
        let answer = self.answer("DISPLAY QMGR ALL")?;
        let exposed = messages::EXPOSED.id();
        if answer["messages"].as_array().into_iter().flatten().any(|it| text(it, "id") == exposed) {
            let qm = word(&patient.name);
            let store = KeyStore::read(&patient.instance.folder.security()).unwrap_or_default();
            let init =
                if store.keys.is_empty() { next_step!("ferry tls init {qm} && ") } else { NextStep::of("") };
            let stop = next_step!("ferry qmgr stop {qm} && ");
            let start = next_step!("ferry qmgr start {qm} --detach");
            findings.push(Finding {
                name: "listener.insecure",
                value: "started with --insecure".to_owned(),
                wanted: "TLS, and users or certificates, beyond loopback".to_owned(),
                why: "other machines reach it without users or TLS",
                mend: stop.and("", &init).and("", &start).at(&patient.common.typed),
            });
        }
        let near = messages::GROWTH_NEAR.id();
        let told = answer["messages"].as_array().into_iter().flatten().filter(|it| text(it, "id") == near);
        findings.extend(told.filter_map(|told| growth(patient, text(told, "text"))));
        let manager = &answer["objects"][0];
        if text(manager, "chlauth") != "ENABLED" {
            let (value, why) = ("CHLAUTH(DISABLED)", "no rule says which partners may use a channel");
            findings.push(by_command(
                patient,
                "chlauth.disabled",
                value.to_owned(),
                why,
                "ALTER QMGR CHLAUTH(ENABLED)".to_owned(),
            ));
        }
        Ok(findings)
    }

    /// Says if a user that has no right may do everything.
    fn judgement(&mut self) -> Result<Option<Finding>> {
        let question = format!("DISPLAY ENTAUTH PRINCIPAL('{STRANGER}') OBJTYPE(QMGR) RUNCHECK(ALTER) ALL");
        let answer = self.answer(&question)?;
        let passes = messages::REQUEST_WOULD_PASS.id();
        let is_open = answer["messages"].as_array().into_iter().flatten().any(|it| text(it, "id") == passes);
        Ok(is_open.then(|| Finding {
            name: "rights.open",
            value: "every user that connects may do everything".to_owned(),
            wanted: "requests that are judged by authority records".to_owned(),
            why: "there is no authority record yet, so no request is judged",
            mend: next_step!(
                "ferry auth grant nobody none --group --type qmgr -m {}",
                word(&self.patient.name)
            )
            .at(&self.patient.common.typed),
        }))
    }

    /// Programs and partners that would be refused at their next login: before anything is judged all that
    /// are known, and then those that are connected. The queue manager leaves out the connection that asks.
    fn logins_refused(&mut self, is_judging: bool) -> Result<Vec<Finding>> {
        let (answer, qm) = (self.answer(open_rules::LOGINS)?, word(&self.patient.name));
        let common = self.patient.common;
        let is_meant = |told: &String| !is_judging || told.contains("(connected)");
        let finding = |told: String| {
            let command =
                told.rsplit_once(ALLOWED_BY).map_or("DISPLAY CHLAUTH(*) ALL", |(_, command)| command);
            let mend =
                next_step!("ferry mqsc {qm} -e {}", word(command.trim_end_matches('.'))).at(&common.typed);
            Finding {
                name: "login.refused",
                value: told,
                wanted: "a right to connect, and a password, a certificate or a channel rule that admits it"
                    .to_owned(),
                why: "it works now, and its next login is refused",
                mend,
            }
        };
        Ok(open_rules::warnings_of(&answer).filter(is_meant).map(finding).collect())
    }

    fn rules(&mut self, is_judging: bool) -> Result<Vec<Finding>> {
        let patient = self.patient;
        let store = KeyStore::read(&patient.instance.folder.security()).unwrap_or_default();
        // The queue manager's own authority issues what the administrator says, and nothing else.
        let own = Authority::open(&patient.instance.folder.security()).ok();
        let is_own =
            |issuer: &str| own.as_ref().is_some_and(|own| own.certificate().issuer.to_string() == issuer);
        let authorities: Vec<String> = store
            .trust
            .iter()
            .filter(|trusted| trusted.is_authority)
            .map(|trusted| trusted.issuer.to_string())
            .collect();
        let wanted_issuer = authorities.iter().find(|issuer| is_own(issuer)).or_else(|| authorities.first());
        let has_others = authorities.iter().any(|issuer| !is_own(issuer));
        let channels = self.rows("DISPLAY CHANNEL(*) ALL")?;
        let proofs = Proofs { patient, channels: &channels, has_keys: !store.keys.is_empty() };
        let mut findings = Vec::new();
        for rule in self.rows("DISPLAY CHLAUTH('*') MATCH(ALL) ALL")? {
            let (profile, kind) = (text(&rule, "chlauth"), text(&rule, "type"));
            let shown = format!("SET CHLAUTH({}) TYPE({kind})", quoted(profile));
            if is_yes(&rule, "warn") {
                findings.push(by_command(
                    patient,
                    "chlauth.warn",
                    format!("{shown} has WARN(YES)"),
                    "those that the rule refuses are let in",
                    set(&rule, &[("WARN", "NO")], "REPLACE"),
                ));
            }
            let user = text(&rule, "mcauser").trim();
            if text(&rule, "usersrc") == "MAP" && openings::is_administrator_of(self.session, user)? {
                findings.push(by_command(
                    patient,
                    "chlauth.administrator",
                    format!("{shown} gives user {user}, an administrator"),
                    "a program whose certificate or user is proved may do everything",
                    set(&rule, &[], "REMOVE"),
                ));
            }
            let maps = text(&rule, "usersrc") == "MAP" && ["ADDRESSMAP", "USERMAP"].contains(&kind);
            if maps && text(&rule, "chckclnt") != "REQUIRED" {
                findings.push(by_command(
                    patient,
                    "chlauth.unproved",
                    format!("{shown} gives user {} without a proof", text(&rule, "mcauser")),
                    "an address or a name that a program says proves nothing",
                    set(&rule, &[("CHCKCLNT", "REQUIRED")], "REPLACE"),
                ));
            }
            if is_judging {
                findings.extend(proofs.look(&rule));
            }
            let names_issuer = !text(&rule, "sslcerti").trim().is_empty();
            if kind == "SSLPEERMAP"
                && !names_issuer
                && has_others
                && let Some(issuer) = wanted_issuer
            {
                let again = set(&rule, &[("SSLCERTI", issuer)], "REPLACE");
                let name = "chlauth.issuer";
                let value = format!("{shown} SSLPEER({}) names no issuer", text(&rule, "sslpeer"));
                let why = "each of the trusted authorities may issue a certificate of that name";
                let finding = by_command(patient, name, value, why, again);
                let mend = match set(&rule, &[], "REMOVE") {
                    Some(remove) => format!("{} -e {}", finding.mend, word(&remove)),
                    None => finding.mend,
                };
                findings.push(Finding { mend, ..finding });
            }
        }
        Ok(findings)
    }

    fn rights(&mut self) -> Result<Vec<Finding>> {
        let patient = self.patient;
        let mut findings = Vec::new();
        for record in self.rows("DISPLAY AUTHREC ALL")? {
            let of_manager = text(&record, "objtype") == "QMGR";
            let (profile, entity) = (text(&record, "profile"), text(&record, "entity"));
            let rights = record["authlist"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let is_wide = |right: &&str| {
                if of_manager {
                    WIDE_OF_MANAGER.iter().any(|wide| wide.keyword() == *right)
                } else {
                    profile == "**" && !HARMLESS.contains(right)
                }
            };
            let wide: Vec<&str> = rights.filter(is_wide).collect();
            if wide.is_empty() {
                continue;
            }
            let is_group = text(&record, "enttype") == "GROUP";
            let group = if is_group { " --group" } else { "" };
            let (kind, listed) = (text(&record, "objtype").to_ascii_lowercase(), wide.join(","));
            let of = if of_manager { String::new() } else { format!(" {}", word(profile)) };
            findings.push(Finding {
                name: "rights.wide",
                value: format!(
                    "{} {entity} has {listed} on {}",
                    if is_group { "group" } else { "user" },
                    if of_manager { "the queue manager".to_owned() } else { format!("every {kind}") }
                ),
                wanted: "rights only on the objects that it uses".to_owned(),
                why: "its user can read or change everything, or act as any other user",
                mend: next_step!(
                    "ferry auth revoke {} {}{of} --type {kind}{group} -m {}",
                    word(entity),
                    listed.to_ascii_lowercase(),
                    word(&patient.name)
                )
                .at(&patient.common.typed),
            });
        }
        Ok(findings)
    }

    /// Channels in the clear of a queue manager that has keys.
    fn channels(&mut self) -> Result<Vec<Finding>> {
        let patient = self.patient;
        let store = KeyStore::read(&patient.instance.folder.security()).unwrap_or_default();
        if store.keys.is_empty() {
            return Ok(Vec::new());
        }
        let mut findings = Vec::new();
        for channel in self.rows("DISPLAY CHANNEL(*) ALL")? {
            let (name, kind) = (text(&channel, "channel"), text(&channel, "chltype"));
            let is_clear = text(&channel, "sslciph").trim().is_empty();
            if !is_clear || name.starts_with("SYSTEM.") || ["CLNTCONN", "AMQP", "MQTT"].contains(&kind) {
                continue;
            }
            findings.push(by_command(
                patient,
                "channel.clear",
                format!("channel {name} is in the clear"),
                "passwords and messages are read on the way",
                format!("ALTER CHANNEL({}) CHLTYPE({kind}) SSLCIPH(ANY_TLS12_OR_HIGHER)", quoted(name)),
            ));
        }
        Ok(findings)
    }
}

/// Things of users that are near a bound. The name of a user may have any characters: what follows the last
/// semicolon is of the queue manager alone, and so is the command.
fn growth(patient: &Patient<'_>, told: &str) -> Option<Finding> {
    let (count, commands) = told.rsplit_once("; ")?;
    let (listing, ending) = commands.split_once(" lists them, ")?;
    let ending = ending.split_once(" ends one")?.0;
    Some(Finding {
        name: "growth.near",
        value: count.to_owned(),
        wanted: format!("fewer, by {ending}, or a higher bound in ferry.toml"),
        why: "at the bound one more is refused with 2102; the command lists them",
        mend: next_step!("ferry mqsc {} -e {}", word(&patient.name), word(listing)).at(&patient.common.typed),
    })
}

/// Comes by loopback as a program that proves nothing, under the name of an administrator. Once requests are
/// judged no such program is an administrator, and the attempt would be a refusal among those of programs.
fn loopback(patient: &Patient<'_>, listens: &[String], is_judging: bool) -> Option<Finding> {
    if patient.configuration.security.loopback == Loopback::Trusted {
        let path = word(&patient.instance.folder.settings().display().to_string());
        return Some(Finding {
            name: "loopback.trusted",
            value: "security.loopback = \"trusted\"".to_owned(),
            wanted: "guarded".to_owned(),
            why: "each program of this machine acts as the user that it names, even as an administrator",
            mend: format!("sed -i 's/^loopback *=.*/loopback = \"guarded\"/' {path}"),
        });
    }
    if is_judging {
        return None;
    }
    let address = listens.iter().find_map(|text| match text.parse() {
        Ok(address @ Address::Tcp { .. }) => Some(address),
        _ => None,
    })?;
    let name = patient.instance.folder.name();
    let mut session = Session::open(&Place::named(address, *name), PROBE).ok()?;
    // The question whose asker is not kept among the programs that would be refused.
    let is_let_in = session.command(open_rules::LOGINS).is_ok_and(|response| !response.failed);
    let _ = session.disconnect();
    is_let_in.then(|| Finding {
        name: "loopback.open",
        value: "a program that proves nothing is an administrator by loopback".to_owned(),
        wanted: "a key, or a user with a password".to_owned(),
        why: "every user of this machine can reach that port",
        mend: next_step!("ferry tls init {}", word(&patient.name)).at(&patient.common.typed),
    })
}
