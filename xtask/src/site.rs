//! `cargo xtask docs`: the documents as a site, built by mdBook in `target/site`.
//!
//! Lives here: the table of contents, which is made from `docs/README.md`, and links to what is no page of `docs`.
//! Lives elsewhere: links between the documents as they are in the project (`tidy::links`).
//!
//! Always: each page of `docs` is in the table of contents, and each relative link of the site leads to a
//! file of it, at an anchor that is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::steps;

/// The index of the documents, and the first page of the site.
const INDEX: &str = "README.md";

/// The folder of the site for files of the project that pages link to.
const PROJECT: &str = "project";

const BOOK: &str = "[book]\ntitle = \"FerryMQ\"\nlanguage = \"en\"\nsrc = \"src\"\n\n[build]\nbuild-dir = \"html\"\n\
    create-missing = false\n\n[output.html]\nadditional-css = [\"site.css\"]\nno-section-label = true\nsmart-punctuation = false\n";

/// Wider pages for tables of attributes; long names of tests within their column.
const STYLE: &str = ":root { --content-max-width: 1000px; }\n\
    main table td code { white-space: normal; overflow-wrap: anywhere; }\n";

/// Builds the site.
pub(crate) fn run(root: &Path) -> Result<ExitCode> {
    let site = root.join("target/site");
    if site.exists() {
        std::fs::remove_dir_all(&site).with_context(|| site.display().to_string())?;
    }
    let pages = write_sources(root, &site)?;
    println!("{pages} pages in {}", site.join("src").display());
    let built = Command::new("mdbook").arg("build").arg(&site).status();
    match built {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            steps::say_skipped("mdbook is not installed (`cargo install --locked mdbook@0.5.4`)");
            return Ok(ExitCode::SUCCESS);
        }
        built => {
            if !built.context("cannot start mdbook")?.success() {
                bail!("mdbook failed");
            }
        }
    }
    let faults = broken_links(&site.join("html"))?;
    faults.iter().for_each(|fault| println!("{fault}"));
    if !faults.is_empty() {
        bail!("{} links of the site lead nowhere", faults.len());
    }
    println!("wrote {}", site.join("html/index.html").display());
    Ok(ExitCode::SUCCESS)
}

/// Writes the sources of the book; returns the number of its pages.
fn write_sources(root: &Path, site: &Path) -> Result<usize> {
    let docs = root.join("docs");
    let source = site.join("src");
    let mut pages = BTreeMap::new();
    read_pages(&docs, Path::new(""), &mut pages)?;
    let mut linked = Linked::default();
    for (path, text) in &pages {
        write(&source.join(in_site(path)), &with_links_inside(path, text, &mut linked))?;
    }
    for file in &linked.beside {
        let to = source.join(file);
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::copy(docs.join(file), &to).with_context(|| docs.join(file).display().to_string())?;
    }
    for file in &linked.outside {
        let from = root.join(file);
        let to = source.join(PROJECT).join(file);
        if from.is_dir() {
            let list =
                std::fs::read_dir(&from)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
            let mut names = list.collect::<Result<Vec<_>>>()?;
            names.sort();
            write(&to.join("index.md"), &format!("# {}\n\n- {}\n", file.display(), names.join("\n- ")))?;
            continue;
        }
        let bytes = std::fs::read(&from).with_context(|| from.display().to_string())?;
        // Pages of the project may link to files that the site does not have; they are shown as they are
        // written.
        let shown = source.join(PROJECT).join(shown_as(file));
        if let Some(folder) = shown.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&shown, bytes).with_context(|| shown.display().to_string())?;
    }
    let index = pages.get(Path::new(INDEX)).context("docs/README.md is missing")?;
    write(&source.join("SUMMARY.md"), &summary(index, &pages)?)?;
    write(&site.join("book.toml"), BOOK)?;
    write(&site.join("site.css"), STYLE)?;
    Ok(pages.len())
}

/// Files that pages link to and that are no pages of `docs`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Linked {
    /// Files and folders of the project, by their path there.
    outside: BTreeSet<PathBuf>,
    /// Files in `docs`, by their path there.
    beside: BTreeSet<PathBuf>,
}

/// The path of a page in the site. mdBook names the page of a README `index.html` and leaves links to it.
fn in_site(page: &Path) -> PathBuf {
    if page.ends_with("README.md") { page.with_file_name("index.md") } else { page.to_owned() }
}

/// The name under which a file of the project is shown. mdBook takes `.md` anywhere in a link for a page.
fn shown_as(file: &Path) -> PathBuf {
    match file.extension() {
        Some(end) if end == "md" => file.with_extension("txt"),
        _ => PathBuf::from(format!("{}.txt", file.display())),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}

/// Reads every page below a folder, by its path there.
fn read_pages(docs: &Path, below: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    for entry in
        std::fs::read_dir(docs.join(below)).with_context(|| docs.join(below).display().to_string())?
    {
        let path = below.join(entry?.file_name());
        if docs.join(&path).is_dir() {
            read_pages(docs, &path, pages)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            pages.insert(path.clone(), std::fs::read_to_string(docs.join(&path))?);
        }
    }
    Ok(())
}

/// The targets of links of a page, each with its place in the text.
fn links(text: &str) -> Vec<(std::ops::Range<usize>, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("](") {
        let start = from + at + 2;
        let Some(length) = text[start..].find([')', '\n']) else { break };
        found.push((start..start + length, &text[start..start + length]));
        from = start + length;
    }
    found
}

fn is_elsewhere(link: &str) -> bool {
    link.contains("://") || link.starts_with('#') || link.starts_with("mailto:")
}

/// The paths of the project that a page links to.
pub(crate) fn targets(page: &Path, text: &str) -> Vec<PathBuf> {
    let folder = page.parent().unwrap_or_else(|| Path::new(""));
    let inside = links(text).into_iter().map(|(_, link)| link).filter(|link| !is_elsewhere(link));
    inside.filter_map(|link| plain(&folder.join(link.split('#').next()?))).collect()
}

/// A path without `.` and `..`; none where it leaves the project.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir if plain.pop() => {}
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(plain)
}

/// The page with links out of `docs` turned to copies in the site; `linked` gathers the files that they need.
fn with_links_inside(page: &Path, text: &str, linked: &mut Linked) -> String {
    let mut changed = String::with_capacity(text.len());
    let mut from = 0;
    for (place, link) in links(text) {
        if is_elsewhere(link) {
            continue;
        }
        let (file, anchor) =
            link.split_once('#').map_or((link, String::new()), |(file, anchor)| (file, format!("#{anchor}")));
        let folder = Path::new("docs").join(page.parent().unwrap_or_else(|| Path::new("")));
        let Some(target) = plain(&folder.join(file)) else { continue };
        let up = "../".repeat(page.components().count() - 1);
        let there = match target.strip_prefix("docs") {
            Ok(page) if page.ends_with("README.md") => format!("{up}{}{anchor}", in_site(page).display()),
            Ok(page) if page.extension().is_some_and(|end| end != "md") => {
                linked.beside.insert(page.to_owned());
                continue;
            }
            Ok(_) => continue,
            Err(_) => {
                let is_folder = target.extension().is_none() && !file.ends_with("LICENSE");
                let shown = if is_folder { target.join("index.html") } else { shown_as(&target) };
                linked.outside.insert(target);
                format!("{up}{PROJECT}/{}", shown.display())
            }
        };
        changed.push_str(&text[from..place.start]);
        changed.push_str(&there);
        from = place.end;
    }
    changed.push_str(&text[from..]);
    changed
}

/// The table of contents: the sections and links of the index in their order, then every page that it does
/// not name. Each has its heading for a title: the words of a link are part of a sentence.
fn summary(index: &str, pages: &BTreeMap<PathBuf, String>) -> Result<String> {
    let mut left: BTreeSet<&PathBuf> = pages.keys().collect();
    left.remove(&PathBuf::from(INDEX));
    let mut text = format!("# Contents\n\n[Documentation]({})\n", in_site(Path::new(INDEX)).display());
    let item = |path: &PathBuf| {
        let heading = pages[path].lines().find_map(|line| line.strip_prefix("# "));
        let heading = heading.with_context(|| format!("docs/{} has no heading", path.display()))?;
        let title = heading.replace(['`', '[', ']'], "");
        anyhow::Ok(format!("- [{title}]({})\n", in_site(path).display()))
    };
    for section in index.split("\n## ").skip(1) {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        let targets = links(body).into_iter().map(|(_, link)| link.split('#').next().unwrap_or_default());
        let paths = targets.filter_map(|target| left.take(&PathBuf::from(target)));
        let items = paths.map(item).collect::<Result<String>>()?;
        if !items.is_empty() {
            text.push_str(&format!("\n# {heading}\n\n{items}"));
        }
    }
    text.push_str("\n# More\n\n");
    text.push_str(&left.into_iter().map(item).collect::<Result<String>>()?);
    Ok(text)
}

/// The relative links of a site that lead to no file, or to no anchor of it.
fn broken_links(html: &Path) -> Result<Vec<String>> {
    let mut files = BTreeMap::new();
    read_files(html, Path::new(""), &mut files)?;
    let mut faults = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "html")) {
        // The page that has all others is made for printers, and its links are theirs.
        if path == Path::new("print.html") || path == Path::new("404.html") {
            continue;
        }
        for link in text.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            if link.contains("://") || link.starts_with("mailto:") || link.is_empty() {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = path.parent().unwrap_or_else(|| Path::new(""));
            let target = if file.is_empty() { Some(path.clone()) } else { plain(&folder.join(file)) };
            let Some(found) = target.as_ref().and_then(|target| files.get(target)) else {
                faults.push(format!("{}: {link} is no file of the site", path.display()));
                continue;
            };
            if !anchor.is_empty() && !found.contains(&format!("id=\"{anchor}\"")) {
                faults.push(format!("{}: {link} is no heading", path.display()));
            }
        }
    }
    Ok(faults)
}

fn read_files(root: &Path, below: &Path, files: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    for entry in std::fs::read_dir(root.join(below))? {
        let path = below.join(entry?.file_name());
        if root.join(&path).is_dir() {
            read_files(root, &path, files)?;
        } else {
            let bytes = std::fs::read(root.join(&path))?;
            files.insert(path, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_are_those_of_the_index_and_every_page_is_in_them() {
        let index = "# Documents\n\n## Start\n\n- [Install](start/install.md)\n- [`ferry`, all](reference/ferry.md#top), [again](start/install.md)\n\n## Inside\n\n- [map](../ARCHITECTURE.md)\n";
        let pages = [
            ("README.md", "# Documents\n"),
            ("decisions/0001-a-thing.md", "text\n\n# 0001: `A` thing\n"),
            ("reference/ferry.md", "# `ferry`, every command\n"),
            ("start/install.md", "# Install\n"),
        ];
        let pages = pages.map(|(path, text)| (PathBuf::from(path), text.to_owned())).into();
        assert_eq!(
            summary(index, &pages).unwrap(),
            "# Contents\n\n[Documentation](index.md)\n\n# Start\n\n- [Install](start/install.md)\n\
             - [ferry, every command](reference/ferry.md)\n\n# More\n\n\
             - [0001: A thing](decisions/0001-a-thing.md)\n"
        );
    }

    #[test]
    fn links_out_of_the_documents_lead_to_copies() {
        let mut linked = Linked::default();
        let text = "[a](../../examples/c/put.c) [b](rust.md#x) [c](https://example.org) [d](../../crates/mqi) \
            [e](../../ARCHITECTURE.md) [f](../decisions/README.md#x) [g](../performance/one.svg)";
        assert_eq!(
            with_links_inside(Path::new("guides/programs.md"), text, &mut linked),
            "[a](../project/examples/c/put.c.txt) [b](rust.md#x) [c](https://example.org) \
             [d](../project/crates/mqi/index.html) [e](../project/ARCHITECTURE.txt) \
             [f](../decisions/index.md#x) [g](../performance/one.svg)"
        );
        assert_eq!(linked.outside.len(), 3);
        assert_eq!(linked.beside, BTreeSet::from([PathBuf::from("performance/one.svg")]));
    }

    #[test]
    fn a_link_of_the_site_that_leads_nowhere_is_found() {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("a/b.html"), "<h1 id=\"top\"><a href=\"../c.html#x\"> <a href=\"#top\">")
            .unwrap();
        write(&folder.path().join("c.html"), "<a href=\"a/b.html#top\"> <a href=\"gone.html\">").unwrap();
        let faults = broken_links(folder.path()).unwrap();
        assert_eq!(
            faults,
            ["a/b.html: ../c.html#x is no heading", "c.html: gone.html is no file of the site"]
        );
    }
}
