//! The flows as `ARCHITECTURE.md` describes them, compared with those that are followed.
//!
//! A heading in bold letters that ends with names of flows, as in "**A put** (`flow put`, `flow pass`)",
//! opens the description of these flows. Its numbered steps name the files in the order in which the flows
//! enter them; other words of the section, lists below a step among them, are about variants and are not
//! compared.
//!
//! Always: a step may name a file again. Files of the crates that the followed program does without are not
//! compared.

use super::calls::Tour;

/// The document.
pub(super) const PAGE: &str = "ARCHITECTURE.md";

/// Crates of the process around the agents, in whose place the followed program makes the calls.
const HOSTS: &[&str] = &["transport/", "server/"];

/// One description.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The line of the heading, from 1.
    line: usize,
    flows: Vec<String>,
    /// Files that the steps name, with their lines.
    files: Vec<(usize, String)>,
}

/// Reads every description of the document.
pub(super) fn read(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // True within a heading's section that describes flows, and within a step of it.
    let (mut describes, mut is_step) = (false, false);
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("**") || line.starts_with('#') {
            let flows: Vec<String> =
                quoted(line).filter_map(|quoted| quoted.strip_prefix("flow ")).map(str::to_owned).collect();
            (describes, is_step) = (!flows.is_empty(), false);
            if describes {
                sections.push(Section { line: number, flows, files: Vec::new() });
            }
            continue;
        }
        let words = line.trim_start();
        is_step = match words.split_once(". ") {
            Some((step, _)) if step.parse::<usize>().is_ok() => true,
            _ => is_step && !words.is_empty() && !words.starts_with("- "),
        };
        if let Some(section) = sections.last_mut().filter(|_| describes && is_step) {
            let files = quoted(line).filter(|quoted| quoted.ends_with(".rs"));
            section.files.extend(files.map(|file| (number, file.to_owned())));
        }
    }
    sections
}

/// Texts between backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Returns a fault for each file that its flows do not enter or enter in another order, and for each flow
/// that is described nowhere.
pub(super) fn compare(sections: &[Section], tours: &[(&str, Tour)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (flow, _) in tours {
        if !sections.iter().any(|section| section.flows.iter().any(|described| described == flow)) {
            faults.push(format!("{PAGE}: describes no flow {flow}: give a heading `flow {flow}`, and steps"));
        }
    }
    for section in sections {
        compare_section(section, tours, &mut faults);
    }
    faults
}

fn compare_section(section: &Section, tours: &[(&str, Tour)], faults: &mut Vec<String>) {
    let mut known = Vec::new();
    for flow in &section.flows {
        match tours.iter().find(|(name, _)| name == flow) {
            Some((_, tour)) => known.push((flow, tour)),
            None => faults.push(format!("{PAGE}:{}: there is no flow {flow}", section.line)),
        }
    }
    let mut files: Vec<(usize, String)> = Vec::new();
    for (line, file) in &section.files {
        let path = format!("crates/{file}");
        let is_first = !files.iter().any(|(_, earlier)| *earlier == path);
        if is_first && !HOSTS.iter().any(|host| file.starts_with(host)) {
            files.push((*line, path));
        }
    }
    if files.is_empty() {
        faults.push(format!("{PAGE}:{}: the description has no steps that name files", section.line));
    }
    let place = |tour: &Tour, path: &str| tour.iter().position(|(file, _)| file == path);
    for (line, path) in &files {
        if known.iter().all(|(_, tour)| place(tour, path).is_none()) {
            faults.push(format!(
                "{PAGE}:{line}: names {path}, which no call for each message enters; `cargo xtask flow {}` lists those that \
                 are",
                section.flows[0]
            ));
        }
    }
    for (flow, tour) in known {
        let places: Vec<_> =
            files.iter().filter_map(|(line, path)| Some((place(tour, path)?, line, path))).collect();
        for pair in places.windows(2) {
            let [(earlier, _, before), (later, line, path)] = pair else { continue };
            if earlier > later {
                faults.push(format!(
                    "{PAGE}:{line}: names {path} after {before}, which the flow {flow} enters later"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
**A put, and a get** (`flow put`, `flow get`)

1. `server/src/a.rs` reads, and `agents/src/b.rs` decodes
   with `channel/src/c.rs`; `Type`.
2. `queue-manager/src/d.rs` puts.
   - Within a unit it is `queue-manager/src/unit.rs`,
     in `queue-manager/src/unit.rs`.
3. `agents/src/b.rs` answers.

Without room it waits (`queue-manager/src/room/mod.rs`).

**Another thing**

1. `queue-manager/src/other.rs`
";

    fn tour(files: &[&str]) -> Tour {
        files.iter().map(|file| (format!("crates/{file}"), 1)).collect()
    }

    #[test]
    fn files_of_numbered_steps_are_read_and_no_others() {
        let files = [
            (3, "server/src/a.rs"),
            (3, "agents/src/b.rs"),
            (4, "channel/src/c.rs"),
            (5, "queue-manager/src/d.rs"),
            (8, "agents/src/b.rs"),
        ];
        let files = files.map(|(line, file)| (line, file.to_owned())).to_vec();
        let flows = vec!["put".to_owned(), "get".to_owned()];
        assert_eq!(read(TEXT), [Section { line: 1, flows, files }]);
    }

    #[test]
    fn a_description_is_right_when_its_flows_enter_the_files_in_this_order() {
        let put = tour(&["agents/src/b.rs", "channel/src/c.rs", "storage/src/x.rs"]);
        let get = tour(&["agents/src/b.rs", "queue-manager/src/d.rs"]);
        assert_eq!(compare(&read(TEXT), &[("put", put), ("get", get)]), Vec::<String>::new());
    }

    #[test]
    fn a_file_that_is_not_entered_or_in_another_order_and_a_flow_without_words_are_faults() {
        let faults = |put: &[&str], get: &[&str], more: &[&'static str]| {
            let mut tours = vec![("put", tour(put)), ("get", tour(get))];
            tours.extend(more.iter().map(|flow| (*flow, tour(put))));
            compare(&read(TEXT), &tours).join("\n")
        };
        let all = ["agents/src/b.rs", "channel/src/c.rs", "queue-manager/src/d.rs"];
        assert_eq!(faults(&all, &all, &[]), "");
        let gone = faults(&all[..2], &all[..1], &[]);
        assert!(gone.contains(":5: names crates/queue-manager/src/d.rs, which no call"), "{gone}");
        let turned = faults(&["channel/src/c.rs", "agents/src/b.rs", "queue-manager/src/d.rs"], &all, &[]);
        assert!(
            turned.contains(":4: names crates/channel/src/c.rs after crates/agents/src/b.rs, which the flow put enters later"),
            "{turned}"
        );
        let absent = faults(&all, &all, &["publish"]);
        assert!(absent.contains("describes no flow publish"), "{absent}");
        let unknown = compare(&read("**A** (`flow old`)\n\nWords.\n"), &[]).join("\n");
        assert!(unknown.contains(":1: there is no flow old") && unknown.contains("no steps"), "{unknown}");
    }
}
