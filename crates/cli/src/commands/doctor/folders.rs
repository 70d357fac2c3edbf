//! Folders on the way to a queue manager that other users may change.

use server::foreign::Power;

use super::finding::{Finding, Patient, word};

pub(super) fn look(patient: &Patient<'_>) -> Option<Finding> {
    let found = server::foreign_folder(patient.instance.folder.path())?;
    let path = word(&found.path.display().to_string());
    let mend = match &found.power {
        Power::Owner(_) => format!("ls -ld {path}"),
        Power::Group(_) => format!("chmod g-w {path}"),
        Power::Everybody => format!("chmod o-w {path}"),
    };
    Some(Finding {
        name: "files.others",
        value: found.to_string(),
        wanted: "folders that only root and the owner of the queue manager may change".to_owned(),
        why: "a user who may change a folder above the files can replace them",
        mend,
    })
}
