//! DISPLAY of objects that are no queues.

use objects::mqsc::Names;
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
                spaces.filter_map(|space| engine.catalogue.find_defined(space, name).0).collect()
            }
            None => engine.catalogue.all_defined(family),
        };
        self.need = self.need.max(definitions::need_of(&objects));
        for object in objects {
            let current = object.current();
            let found = current.definition.object_type();
            if self.is_cut || self.is_full {
                break;
            }
            let name = current.definition.shown_name();
            let is_wanted = object_type.is_none_or(|wanted| wanted == found);
            if !is_wanted || self.display.page.is_behind(name) || !names.matches(&current.definition) {
                continue;
            }
            if !self.reach.has(commands::of_definition(&current.definition)) {
                continue;
            }
            let shown = subscription::shown(engine, &current.definition);
            self.add_named(name, Subject::Object(found), definitions::heading(family), |row| {
                shown.value(row)
            });
        }
        self.nothing_matches(family, names)
    }
}
