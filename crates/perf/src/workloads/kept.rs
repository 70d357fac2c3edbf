//! Where the runs of a workload are kept, and those that an earlier campaign kept there.
//!
//! Always: a run is taken up if the present program made it with the present settings, and nothing is mixed
//! with runs of others. A line that was not written to its end, since the campaign was killed meanwhile, is
//! given up.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::file::{Times, Variant};
use crate::program::Build;
use crate::rows::{self, Rows};

/// The file of a workload's runs.
pub(super) struct Kept {
    rows: Rows,
    /// The results by point and run.
    found: BTreeMap<(String, usize), Vec<Option<f64>>>,
    /// Runs that another build made.
    others: usize,
}

impl Kept {
    /// An empty one.
    ///
    /// # Errors
    /// When runs are there: of two campaigns in one file no page could tell which are to be shown.
    pub(super) fn empty(directory: &Path, name: &str) -> Result<Self> {
        let path = Rows::path(directory, name)?;
        let runs = rows::text_of(&path)?.lines().count();
        ensure!(
            runs == 0,
            "{} keeps {runs} run(s) of an earlier campaign: name another directory or move them away; `ferry report --resume` makes only \
             those that are missing",
            path.display()
        );
        Ok(Self { rows: Rows::behind(directory, name)?, found: BTreeMap::new(), others: 0 })
    }

    /// Begins with the runs that are there. Those of another build, or without one, go to a file of their own
    /// beside this one, which no page shows.
    ///
    /// # Errors
    /// When one of them is not a run, or was made with other settings than one of now would be.
    pub(super) fn with_earlier(
        directory: &Path,
        name: &str,
        variants: &[Variant],
        times: Times,
        build: &Build,
    ) -> Result<Self> {
        let path = Rows::path(directory, name)?;
        let text = rows::text_of(&path)?;
        let mut found = BTreeMap::new();
        let (mut ours, mut theirs) = (String::new(), String::new());
        for (number, line) in text[..rows::whole(text.as_bytes())].lines().enumerate() {
            let place = || format!("{}:{}", path.display(), number + 1);
            let run: Value =
                serde_json::from_str(line).with_context(|| format!("{} is not a run", place()))?;
            if serde_json::to_value(build)? != run["build"] {
                theirs.extend([line, "\n"]);
                continue;
            }
            ours.extend([line, "\n"]);
            let number = run["run"].as_u64().and_then(|number| usize::try_from(number).ok());
            let (label, number) =
                run["variant"].as_str().zip(number).with_context(|| format!("{} is not a run", place()))?;
            // What no point is called any more is shown by no page.
            let Some(variant) = variants.iter().find(|variant| variant.label == label) else { continue };
            let mut workload = variant.workload.clone();
            workload.set(times, String::new());
            ensure!(
                own(serde_json::to_value(&workload)?) == own(run["settings"].clone()),
                "{}: {label} was run with other settings or for another time: give the times of that campaign, or another directory",
                place()
            );
            let row = workload.columns().iter().map(|column| run[column.name].as_f64()).collect();
            found.insert((label.to_owned(), number), row);
        }
        if !theirs.is_empty() {
            set_aside(&path, &ours, &theirs)
                .with_context(|| format!("cannot part the runs of two builds in {}", path.display()))?;
        }
        Ok(Self { rows: Rows::behind(directory, name)?, found, others: theirs.lines().count() })
    }

    /// Returns the result of a run of a point, if it was kept.
    pub(super) fn row(&self, label: &str, run: usize) -> Option<&Vec<Option<f64>>> {
        self.found.get(&(label.to_owned(), run))
    }

    /// Returns the number of runs set aside, since another build made them.
    pub(super) fn others(&self) -> usize {
        self.others
    }

    /// Keeps a run.
    pub(super) fn keep(&mut self, line: &Value) -> Result<()> {
        self.rows.keep(line)
    }
}

/// Ending of the name of the file with the runs of other builds.
const OTHER_BUILDS: &str = "other-builds";

/// Moves the runs of others out of a file. These are where they go before they are gone where they were.
fn set_aside(path: &Path, ours: &str, theirs: &str) -> std::io::Result<()> {
    rows::appended(&path.with_extension(OTHER_BUILDS))?.write_all(theirs.as_bytes())?;
    let parted = path.with_extension("parted");
    fs::write(&parted, ours)?;
    fs::rename(parted, path)
}

/// Settings of a run without what says how often it is made and where the queue manager happened to be.
fn own(mut settings: Value) -> Value {
    if let Value::Object(fields) = &mut settings {
        fields.retain(|name, _| !["access", "repetitions"].contains(&name.as_str()));
        fields.values_mut().for_each(|value| *value = own(value.take()));
    }
    settings
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::workloads::find;

    const TIMES: Times =
        Times { warm_up: Duration::from_millis(100), measure: Duration::from_secs(1), repetitions: 3 };

    #[test]
    fn runs_of_an_earlier_campaign_are_taken_up_and_a_torn_line_is_not() {
        let directory = std::env::temp_dir().join(format!("ferry-kept-test-{}", std::process::id()));
        let file = find("s1-preloaded").expect("it comes with the program");
        let variant = &file.variants()[0];
        let mut workload = variant.workload.clone();
        workload.set(Times { repetitions: 1, ..TIMES }, "127.0.0.1:1".to_owned());
        let build = Build::of(b"a program");
        let line = json!({"build": build, "variant": variant.label, "run": 2, "settings": workload, "round_trips_per_second": 7.500_000_3});
        Kept::empty(&directory, &file.name).and_then(|mut kept| kept.keep(&line)).expect("it is kept");
        let path = directory.join("s1-preloaded.jsonl");
        let text = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, format!("{text}{}", &text[..20])).expect("it is torn");

        let mut kept =
            Kept::with_earlier(&directory, &file.name, file.variants(), TIMES, &build).expect("it is a run");
        assert_eq!(kept.row(&variant.label, 2).and_then(|row| row[0]), Some(7.5));
        assert!(kept.row(&variant.label, 1).is_none() && kept.row("preloaded=50", 2).is_none());
        kept.keep(&line).expect("it is kept");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), text.repeat(2));

        let longer = Times { measure: Duration::from_secs(2), ..TIMES };
        let refused = Kept::with_earlier(&directory, &file.name, file.variants(), longer, &build).err();
        let said = refused.expect("that was another campaign").to_string();
        assert!(said.contains("s1-preloaded.jsonl:1") && said.contains("another time"), "{said}");
        fs::remove_dir_all(&directory).expect("it is ours");
    }

    #[test]
    fn runs_of_another_build_are_set_aside() {
        let directory = std::env::temp_dir().join(format!("ferry-kept-builds-{}", std::process::id()));
        let file = find("s1-preloaded").expect("it comes with the program");
        let variant = &file.variants()[0];
        let mut workload = variant.workload.clone();
        workload.set(TIMES, String::new());
        let (build, earlier) = (Build::of(b"a program"), Build::of(b"a programs"));
        let mut kept = Kept::empty(&directory, &file.name).expect("it can be made");
        // The last is of a program that did not say which build it was.
        for (run, build) in [(1, Some(&build)), (2, Some(&earlier)), (3, None)] {
            let line = json!({"build": build, "variant": variant.label, "run": run, "settings": workload});
            kept.keep(&line).expect("it is kept");
        }
        let read = |extension| fs::read_to_string(directory.join("s1-preloaded").with_extension(extension));
        let lines: Vec<String> =
            read("jsonl").expect("it is there").lines().map(|line| format!("{line}\n")).collect();

        let refused = Kept::empty(&directory, &file.name).err().expect("there are runs").to_string();
        assert!(refused.contains("s1-preloaded.jsonl keeps 3 run(s) of an earlier campaign"), "{refused}");
        assert_eq!(read("jsonl").expect("it is there"), lines.concat());

        let again = || Kept::with_earlier(&directory, &file.name, file.variants(), TIMES, &build);
        let kept = again().expect("they are runs");
        assert_eq!(kept.others(), 2);
        assert!(kept.row(&variant.label, 1).is_some());
        assert!(kept.row(&variant.label, 2).is_none() && kept.row(&variant.label, 3).is_none());
        assert_eq!(read("jsonl").expect("it is there"), lines[0]);
        assert_eq!(read(OTHER_BUILDS).expect("nothing is lost"), lines[1..].concat());
        assert_eq!(again().expect("they are runs").others(), 0);
        fs::remove_dir_all(&directory).expect("it is ours");
    }
}
