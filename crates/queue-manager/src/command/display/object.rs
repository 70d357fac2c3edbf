//! DISPLAY of objects that are no queues.

use objects::mqsc::{KEY_END, Names};
use objects::{Family, Message, ObjectType, Subject};

use super::Answer;
use crate::authority::commands;
use crate::command::{others as definitions, subscription};
use crate::engine::Engine;

impl Answer<'_> {
    pub(super) fn objects(
        &mut self,
        engine: &Engine,
        family: Family,
        names: &Names,
        object_type: Option<ObjectType>,
    ) -> Message {
        let objects: Vec<_> = match names.single() {
            Some(name) => {
                let spaces = family.name_spaces().into_iter();
                spaces.filter_map(|space| engine.directory.catalogue.find_defined(space, name).0).collect()
            }
            None => engine.directory.catalogue.all_defined(family),
        };
        self.need = self.need.max(definitions::need_of(&objects));
        for object in objects {
            let current = object.current();
            let found = current.definition.object_type();
            // The two ends of a channel have one name.
            if !self.has_turn(|| format!("{}{KEY_END}{:03}", current.definition.shown_name(), found as u8)) {
                continue;
            }
            let is_wanted = object_type.is_none_or(|wanted| wanted == found);
            if !is_wanted || !names.matches(&current.definition) {
                continue;
            }
            if !self.reach.has(commands::of_definition(&current.definition)) {
                continue;
            }
            let shown = subscription::shown(engine, &current.definition);
            self.add(Subject::Object(found), definitions::heading(family), |row| shown.value(row));
        }
        self.nothing_matches(family, names)
    }
}
