//! Topic strings below the root of the figures.

use figures::{Class, Type};

/// The topic that tells the types of a class.
pub(super) fn types_topic(root: &str, class: &Class) -> String {
    format!("{root}/METADATA/{}/TYPES", class.name)
}

/// The topic that tells the elements of a type.
pub(super) fn elements_topic(root: &str, class: &Class, of: &Type) -> String {
    format!("{root}/METADATA/{}/{}", class.name, of.name)
}

/// The topic of the figures of a type; of one queue, for a type that tells of queues.
pub(super) fn figures_topic(root: &str, class: &Class, queue: Option<&str>, of: &Type) -> String {
    match queue {
        Some(queue) => format!("{root}/{}/{queue}/{}", class.name, of.name),
        None => format!("{root}/{}/{}", class.name, of.name),
    }
}
