//! A sample of documentation lines, chosen by a seed, for a reader to restate.

use std::path::Path;

use anyhow::Result;

use super::sources::{SourceFile, Sources, is_test};
use super::words;

/// Lines of one sample.
const LINES: usize = 60;

/// Crates that test and measure the product, and are no part of it.
const NOT_OF_PRODUCT: &[&str] = &[
    "crates/sim/",
    "crates/testing/",
    "crates/scenario/",
    "crates/rigs/",
    "crates/perf/",
    "crates/perf-peers/",
    "crates/ferry-bench/",
];

/// Prints [`LINES`] documentation lines of the product, each with its paragraph and the code below that.
pub(super) fn print(root: &Path, seed: u64) -> Result<()> {
    let sources = Sources::read(root)?;
    let of_product = |path: &str| {
        path.starts_with("crates/") && !is_test(path) && !NOT_OF_PRODUCT.iter().any(|of| path.starts_with(of))
    };
    let mut all = Vec::new();
    for file in sources.files().iter().filter(|file| of_product(&file.path) && !file.is_generated()) {
        all.extend(words::documented(file).into_iter().map(|line| (file, line)));
    }
    println!("{LINES} of {} documentation lines, by seed {seed}:", all.len());
    for place in chosen(all.len(), LINES, seed) {
        let (file, line) = all[place];
        println!("\n{}:{line}\n{}", file.path, shown(file, line));
    }
    Ok(())
}

/// Chooses so many of the first `count` numbers by a seed, in their order.
pub(crate) fn chosen(count: usize, most: usize, seed: u64) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut state = seed;
    let draw = |_| left.swap_remove((next(&mut state) % left.len() as u64) as usize);
    let mut chosen: Vec<usize> = (0..most.min(count)).map(draw).collect();
    chosen.sort_unstable();
    chosen
}

/// The next number of SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The paragraph of a line, by number from 1, in which that line is marked, and the first line of code below.
fn shown(file: &SourceFile, line: usize) -> String {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    let is_part = |text: &&str| text.starts_with("//") && text.len() > "///".len();
    let first = line - lines[..line].iter().rev().take_while(|text| is_part(text)).count();
    let last = first + lines[first..].iter().take_while(|text| is_part(text)).count();
    let marked = |at: usize| format!("{} {}", if at + 1 == line { '>' } else { ' ' }, lines[at]);
    let is_code = |text: &&&str| !text.is_empty() && !text.starts_with("//") && !text.starts_with("#[");
    let code = lines[last..].iter().find(is_code).map(|code| format!("    {code}"));
    (first..last).map(marked).chain(code).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_chooses_the_same_lines_each_time_and_another_others() {
        assert_eq!(chosen(1000, 60, 1), chosen(1000, 60, 1));
        assert_ne!(chosen(1000, 60, 1), chosen(1000, 60, 2));
        assert_eq!(chosen(3, 60, 7), [0, 1, 2], "all of them where there are fewer");
        let mut distinct = chosen(100, 60, 3);
        distinct.dedup();
        assert_eq!(distinct.len(), 60);
    }

    #[test]
    fn a_line_is_shown_in_its_paragraph_with_the_code_below_all() {
        let text = "/// One.\n///\n/// Two,\n/// three.\n///\n/// # Errors\n#[must_use]\nfn four() {}\n";
        let file = SourceFile { path: "a.rs".into(), text: text.into() };
        assert_eq!(words::documented(&file), [1, 3, 4, 6]);
        assert_eq!(shown(&file, 4), "  /// Two,\n> /// three.\n    fn four() {}");
        assert_eq!(shown(&file, 1), "> /// One.\n    fn four() {}");
    }
}
