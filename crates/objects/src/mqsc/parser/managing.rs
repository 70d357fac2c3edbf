//! RESET QMGR and REFRESH QMGR.

use super::{Fault, Parsed, Parser};
use crate::mqsc::command::{Command, Refresh, Refreshed, Reset};
use crate::object_type::{Family, ObjectType};

/// Words that RESET QMGR takes for TYPE.
const RESETS: [(&str, Reset); 4] = [
    ("ADVANCELOG", Reset::AdvanceLog),
    ("ARCHIVED", Reset::Archived),
    ("REDUCELOG", Reset::ReduceLog),
    ("STATISTICS", Reset::Statistics),
];

impl Parser<'_> {
    /// Takes the rest of RESET QMGR.
    pub(super) fn reset_queue_manager(&mut self) -> Parsed<Command> {
        self.next += 1;
        self.word_of("TYPE", &["TYPE"], |word| (word == "TYPE").then_some(()))?;
        let reset = self.one_of("TYPE", &RESETS)?;
        let more: &[&str] = match reset {
            Reset::ReduceLog => &["REDUCE"],
            Reset::Archived => &["ARCHIVED"],
            Reset::Statistics | Reset::AdvanceLog => &[],
        };
        if !more.is_empty() && self.peek().is_some() {
            self.word_of(more[0], more, |word| more.contains(&word).then_some(()))?;
            self.content(more[0])?;
        }
        Ok(Command::ResetQueueManager(reset))
    }

    /// Takes the rest of REFRESH QMGR.
    pub(super) fn refresh_queue_manager(&mut self) -> Parsed<Command> {
        const WORDS: [&str; 4] = ["TYPE", "OBJECT", "NAME", "INCLINT"];
        self.next += 1;
        let mut refresh = Refresh::default();
        let mut said: Vec<&str> = Vec::new();
        while self.peek().is_some() {
            let word = self.word_of("an option of REFRESH QMGR", &WORDS, |word| {
                WORDS.iter().find(|known| **known == word).copied()
            })?;
            if said.contains(&word) {
                return Err(self.repeated(word));
            }
            said.push(word);
            match word {
                "TYPE" => {
                    refresh.is_configuration =
                        self.one_of(word, &[("CONFIGEV", true), ("PROXYSUB", false)])?
                }
                "OBJECT" => refresh.objects = self.one_of(word, &refreshed())?,
                "NAME" => refresh.names = Some(self.name_pattern(word)?),
                _ => {
                    let content = self.content(word)?;
                    let minutes = content.text.trim().parse().ok().filter(|minutes| *minutes <= 999_999);
                    refresh.minutes = minutes.ok_or_else(|| {
                        Fault::new(content.span, "INCLINT takes a number of minutes from 0 to 999999")
                    })?;
                }
            }
        }
        if said.contains(&"TYPE") {
            Ok(Command::RefreshQueueManager(refresh))
        } else {
            Err(self.unexpected("TYPE"))
        }
    }
}

/// The words for kinds of objects.
fn refreshed() -> Vec<(&'static str, Refreshed)> {
    let queues = Family::Queue.types().map(|queue| (queue.keyword(), Refreshed::Type(queue)));
    let manager = [("QMGR", Refreshed::Type(ObjectType::QueueManager)), ("ALL", Refreshed::All)];
    let families = Family::all().filter(|family| *family != Family::QueueManager);
    let families = families.map(|family| (family.keyword(), Refreshed::Family(family)));
    families.chain(queues).chain(manager).collect()
}
