//! Rules of a pipe IN that make the name of a queue of the name of a foreign source.
//!
//! ```text
//! orders         = ORDERS              one source, one queue
//! events.>       = EVENTS.*            what stands for > stands for *
//! ```
//!
//! Always: a name that a rule makes begins with SYSTEM. only where the rule has it in full; ALLOW lets queues
//! through, and without it only the rule itself does.

use mqi::{NamePattern, ObjectName};

use crate::refusal::{DeadReason, Refusal};

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    source: String,
    target: String,
    is_generic: bool,
}

/// Why a text is no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the rule is not \"SOURCE = QUEUE\" or \"SOURCE.> = QUEUE.*\": {fault}; correct FOREIGN")]
pub struct RuleError {
    fault: &'static str,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// The part that is wrong.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let error = |fault| Err(RuleError { fault });
        let Some((source, target)) = text.split_once('=') else { return error("it has no =") };
        let (source, target) = (source.trim(), target.trim());
        if source.is_empty() || target.is_empty() {
            return error("a side is empty");
        }
        let open = source.strip_suffix('>').or_else(|| source.strip_suffix('#'));
        let (source, target, is_generic) = match (open, target.strip_suffix('*')) {
            (Some(source), Some(target)) => (source, target, true),
            (None, None) => (source, target, false),
            (Some(_), None) => return error("the queue has no * for the rest of the source"),
            (None, Some(_)) => return error("the source has no > for the * of the queue"),
        };
        if source.contains(['>', '#', '*']) || target.contains('*') {
            return error("a pattern stands elsewhere than at the end");
        }
        let is_name = target.is_empty() || target.parse::<ObjectName>().is_ok();
        if !is_name {
            return error("the queue is no name");
        }
        Ok(Self { source: source.to_owned(), target: target.to_owned(), is_generic })
    }

    /// The queue of a source; none for a source that the rule does not match.
    ///
    /// # Errors
    /// A permanent refusal: 2085 for a name that no queue has, 2035 for one that ALLOW or its beginning keeps
    /// out.
    pub fn queue(&self, source: &str, allowed: &[NamePattern]) -> Option<Result<ObjectName, Refusal>> {
        let rest = source.strip_prefix(&self.source)?;
        if !self.is_generic && !rest.is_empty() {
            return None;
        }
        let name = format!("{}{rest}", self.target);
        let queue = name.parse::<ObjectName>().ok().filter(|queue| !queue.is_blank());
        let Some(queue) = queue else {
            let shown: String = name.chars().take(64).flat_map(char::escape_debug).collect();
            let text = format!("\"{shown}\", made of the source, is no name of a queue");
            return Some(Err(Refusal::permanent(DeadReason::UNKNOWN_DESTINATION, text)));
        };
        let is_system = queue.as_str().starts_with("SYSTEM.") && self.is_generic;
        let is_allowed = allowed.is_empty() || allowed.iter().any(|pattern| pattern.matches(queue.as_str()));
        if is_system || !is_allowed {
            let text = format!("the rule leads to {queue}, which ALLOW of the pipe does not have");
            return Some(Err(Refusal::permanent(DeadReason::NOT_ALLOWED, text)));
        }
        Some(Ok(queue))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_leads_each_source_to_its_queue() {
        let reason = |refusal| match refusal {
            Refusal::Permanent { reason, .. } => reason.0,
            Refusal::Transient(text) => panic!("{text}"),
        };
        let allow: [NamePattern; 1] = [NamePattern::Prefix("EVENTS.".parse().unwrap())];
        for (rule, source, allowed, expected) in [
            ("orders = ORDERS", "orders", &[][..], Some(Ok("ORDERS"))),
            ("orders = ORDERS", "orders.eu", &[], None),
            ("events.> = EVENTS.*", "events.eu.1", &[], Some(Ok("EVENTS.eu.1"))),
            ("events/# = EVENTS.*", "events/eu", &allow, Some(Ok("EVENTS.eu"))),
            ("> = *", "ORDERS", &allow, Some(Err(2035))),
            ("> = *", "SYSTEM.ADMIN.COMMAND.QUEUE", &[], Some(Err(2035))),
            ("ev.> = SYSTEM.*", "ev.ADMIN.COMMAND.QUEUE", &[], Some(Err(2035))),
            (
                "commands = SYSTEM.ADMIN.COMMAND.QUEUE",
                "commands",
                &[],
                Some(Ok("SYSTEM.ADMIN.COMMAND.QUEUE")),
            ),
            ("> = *", "a b", &[], Some(Err(2085))),
            ("> = *", "n123456789012345678901234567890123456789012345678", &[], Some(Err(2085))),
            ("> = *", "", &[], Some(Err(2085))),
            ("> = *", "\u{0}", &[], Some(Err(2085))),
        ] {
            let found = Rule::parse(rule).unwrap().queue(source, allowed);
            let found = found.map(|found| found.map(|queue| queue.to_string()).map_err(reason));
            assert_eq!(found, expected.map(|queue| queue.map(str::to_owned)), "{rule}: {source:?}");
        }
    }

    #[test]
    fn what_is_no_rule_is_refused_with_the_fault() {
        for (text, fault) in [
            ("orders", "it has no ="),
            ("= ORDERS", "a side is empty"),
            ("orders.> = ORDERS", "the queue has no * for the rest of the source"),
            ("orders = ORDERS.*", "the source has no > for the * of the queue"),
            ("a.>.b = A", "a pattern stands elsewhere than at the end"),
            ("a.> = A.*.*", "a pattern stands elsewhere than at the end"),
            ("orders = OR DERS", "the queue is no name"),
        ] {
            assert_eq!(Rule::parse(text), Err(RuleError { fault }), "{text}");
        }
    }
}
