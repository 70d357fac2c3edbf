//! Every link of a document leads to a page, and to a heading of it where it names one; and every everyday
//! question of `docs/questions.toml` is answered two links away from the index at most.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::paths::documents;

/// The index of the documents.
const INDEX: &str = "docs/README.md";

/// The everyday questions.
const QUESTIONS: &str = "docs/questions.toml";

/// Most links from the index to an answer.
const LINKS_MAX: usize = 2;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Questions {
    question: Vec<Question>,
}

/// A question as people ask it, and the place of its answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    asks: String,
    page: String,
    heading: String,
}

/// Headings and links of one document.
#[derive(Debug, Default)]
struct Page {
    headings: Vec<String>,
    anchors: BTreeSet<String>,
    links: Vec<(usize, String)>,
}

pub(super) fn check(root: &Path, faults: &mut Vec<String>) -> Result<()> {
    let pages: BTreeMap<String, Page> =
        documents(root)?.into_iter().map(|(path, text)| (path, read(&text))).collect();
    for (path, page) in &pages {
        for (line, link) in &page.links {
            if let Err(fault) = follow(root, &pages, path, link) {
                faults.push(format!("{path}:{line}: the link {link} leads to {fault}"));
            }
        }
    }
    let text = std::fs::read_to_string(root.join(QUESTIONS)).context(QUESTIONS)?;
    let questions: Questions = toml::from_str(&text).context(QUESTIONS)?;
    let near = within(&pages, INDEX, LINKS_MAX);
    for Question { asks, page, heading } in &questions.question {
        let Some(found) = pages.get(page) else {
            faults.push(format!("{QUESTIONS}: \"{asks}\": there is no page {page}"));
            continue;
        };
        if !found.headings.contains(heading) {
            faults.push(format!("{QUESTIONS}: \"{asks}\": {page} has no heading \"{heading}\""));
        }
        if !near.contains(page) {
            faults.push(format!(
                "{QUESTIONS}: \"{asks}\": {page} is more than {LINKS_MAX} links from {INDEX}: link it there"
            ));
        }
    }
    Ok(())
}

/// The headings and links of a text. Code is neither.
fn read(text: &str) -> Page {
    let mut page = Page::default();
    let mut is_code = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        if let Some(heading) = line.strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim();
            page.headings.push(heading.to_owned());
            let (first, mut times) = (anchor(heading), 0);
            let mut own = first.clone();
            while !page.anchors.insert(own) {
                times += 1;
                own = format!("{first}-{times}");
            }
        }
        for behind in line.split("](").skip(1) {
            if let Some((link, _)) = behind.split_once(')') {
                page.links.push((number + 1, link.to_owned()));
            }
        }
    }
    page
}

/// The name by which links know a heading: small letters, digits and underscores stay, blanks are hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
}

/// Follows a link of a page. Links to other places are not followed.
fn follow(root: &Path, pages: &BTreeMap<String, Page>, from: &str, link: &str) -> Result<(), String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return Ok(());
    }
    let (path, heading) = link.split_once('#').map_or((link, None), |(path, heading)| (path, Some(heading)));
    let path = target(from, path);
    if !root.join(&path).exists() {
        return Err(format!("{path}, which is not there"));
    }
    match (pages.get(&path), heading) {
        (Some(page), Some(heading)) if !page.anchors.contains(heading) => {
            Err(format!("a heading that {path} does not have"))
        }
        _ => Ok(()),
    }
}

/// The path that a relative path of a page means, from the root.
fn target(from: &str, path: &str) -> String {
    if path.is_empty() {
        return from.to_owned();
    }
    let mut parts = PathBuf::new();
    let folder = Path::new(from).parent().unwrap_or_else(|| Path::new(""));
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts.display().to_string()
}

/// The pages that so many links lead to at most.
fn within(pages: &BTreeMap<String, Page>, from: &str, links_max: usize) -> BTreeSet<String> {
    let mut near = BTreeSet::from([from.to_owned()]);
    for _ in 0..links_max {
        let links = near.iter().filter_map(|path| Some((path, pages.get(path)?)));
        let targets = links.flat_map(|(path, page)| {
            page.links.iter().map(move |(_, link)| target(path, link.split('#').next().unwrap_or_default()))
        });
        let targets: Vec<String> = targets.collect();
        near.extend(targets);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_read_outside_code() {
        let page = read("# A full disk\n[one](a.md#x)\n```\n# no\n[no](b.md)\n```\n## A full disk\n");
        assert_eq!(page.links, [(2, "a.md#x".to_owned())]);
        assert!(page.anchors.contains("a-full-disk") && page.anchors.contains("a-full-disk-1"));
    }

    #[test]
    fn a_link_is_followed_from_the_folder_of_its_page() {
        assert_eq!(target("docs/guides/tls.md", "../reference/a.md"), "docs/reference/a.md");
        assert_eq!(target("docs/guides/tls.md", ""), "docs/guides/tls.md");
    }

    #[test]
    fn a_page_two_links_away_is_near_and_one_three_links_away_is_not() {
        let pages = [("a.md", "[b](b.md)"), ("b.md", "[c](c.md)"), ("c.md", "[d](d.md)"), ("d.md", "")];
        let pages = pages.map(|(path, text)| (path.to_owned(), read(text))).into();
        let near = within(&pages, "a.md", 2);
        assert!(near.contains("c.md") && !near.contains("d.md"), "{near:?}");
    }
}
