//! Forms of code that are to become fewer: parameters that are patterns of tuples, `match` on a truth value,
//! public functions of a type that has too many, types that share their name.
//!
//! Always: the functions take code without comments, literals and tests (`lexer::code_of`) and return lines,
//! numbered from 1.

/// Types of the engine whose public functions are counted: each is a door through which hosts and agents
/// reach all of it.
pub(super) const DOORS: &[&str] = &["QueueManager", "Connection"];

/// The crate that has them.
pub(super) const DOORS_IN: &str = "crates/queue-manager";

/// Lines with a parameter of a function whose pattern is a tuple, a line for each parameter. It is several
/// parameters that no lint counts. Closures do not count.
pub(super) fn tuple_parameters(code: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    for (at, word) in words(code).filter(|(_, word)| *word == "fn") {
        let Some(opening) = parameters_from(code, at + word.len()) else { continue };
        for (at, parameter) in pieces(code, opening) {
            let pattern = parameter.trim_start();
            let pattern = pattern.strip_prefix('&').unwrap_or(pattern);
            let pattern = pattern.strip_prefix("mut ").unwrap_or(pattern);
            if pattern.starts_with('(') {
                lines.push(line_of(code, at + parameter.len() - parameter.trim_start().len()));
            }
        }
    }
    lines
}

/// Lines with a `match` that has an arm for `true` or `false` alone: an `if` says it shorter.
pub(super) fn matches_on_bool(code: &str) -> Vec<usize> {
    let matches = words(code).filter(|(_, word)| *word == "match");
    let on_bool = matches.filter(|(at, word)| {
        block_from(code, at + word.len()).is_some_and(|block| has_arm_for_bool(&code[block..]))
    });
    on_bool.map(|(at, _)| line_of(code, at)).collect()
}

/// Lines with a `pub fn`, constant or not, in the blocks of a type's own functions.
pub(super) fn public_functions(code: &str, of_type: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    // One that stands behind something in its line is a type.
    let begins_line = |at: usize| code[..at].trim_end_matches(' ').ends_with('\n') || at == 0;
    for (at, word) in words(code).filter(|(at, word)| *word == "impl" && begins_line(*at)) {
        let Some(block) = block_from(code, at + word.len()) else { continue };
        if implemented(&code[at + word.len()..block]) != of_type {
            continue;
        }
        let within = at_depth_of(&code[block..]);
        for (inner, word) in words(&code[block..block + within.len()]) {
            if word == "pub" && within[inner] && declares_function(&code[block + inner + word.len()..]) {
                lines.push(line_of(code, block + inner));
            }
        }
    }
    lines
}

/// Types and traits that the file itself declares, each with its line. Those in functions, blocks and inner
/// modules are left out: formatted code has them behind spaces.
pub(super) fn declared_types(code: &str) -> Vec<(usize, &str)> {
    code.lines().enumerate().filter_map(|(at, line)| Some((at + 1, declared_type(line)?))).collect()
}

/// The name of the type that a line declares at its beginning.
fn declared_type(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => line,
    };
    let line = line.strip_prefix(' ').unwrap_or(line);
    let line = line.strip_prefix("unsafe ").unwrap_or(line);
    let (kind, rest) = line.split_once(' ')?;
    if !matches!(kind, "struct" | "enum" | "union" | "trait" | "type") {
        return None;
    }
    let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Words and where they begin.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_of_word = |character: char| character.is_alphanumeric() || character == '_';
    let pieces = code.split(move |character| !is_of_word(character));
    pieces.filter(|word| !word.is_empty()).map(|word| (word.as_ptr() as usize - code.as_ptr() as usize, word))
}

/// The parenthesis that opens the parameters of a function, from the end of `fn` on; none for a type `fn()`.
fn parameters_from(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut has_name = false;
    for (at, character, before) in characters(code, from) {
        match character {
            '(' if depth == 0 => return has_name.then_some(at),
            '<' => depth += 1,
            '>' if !matches!(before, '-' | '=') => depth = depth.saturating_sub(1),
            ';' | '{' | '}' => return None,
            _ => has_name |= character.is_alphabetic(),
        }
    }
    None
}

/// The pieces between commas in the brackets that open here, each with its place.
fn pieces(code: &str, opening: usize) -> Vec<(usize, &str)> {
    let (mut depth, mut start) = (0_usize, opening + 1);
    let mut pieces = Vec::new();
    for (at, character, before) in characters(code, opening) {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(before, '-' | '=') => {}
            ')' | ']' | '}' | '>' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    pieces.push((start, &code[start..at]));
                    break;
                }
            }
            ',' if depth == 1 => {
                pieces.push((start, &code[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces
}

/// The first brace that stands in no other brackets, before a semicolon.
fn block_from(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character, _) in characters(code, from) {
        match character {
            '{' if depth == 0 => return Some(at),
            ';' if depth == 0 => return None,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// For each byte of the block that opens here, true if it stands in the block's own braces and no others.
fn at_depth_of(block: &str) -> Vec<bool> {
    let mut depth = 0_i32;
    let depths = block.bytes().map_while(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => {}
        }
        (depth > 0).then_some(depth == 1)
    });
    depths.collect()
}

fn has_arm_for_bool(block: &str) -> bool {
    let within = at_depth_of(block);
    let mut begins = false;
    for (at, character) in block[..within.len()].char_indices() {
        if !within[at] {
            continue;
        }
        match character {
            // The brace that closes the body of an arm stands at the depth of the arms, as a comma does.
            '{' | '}' | ',' => begins = true,
            _ if character.is_whitespace() => {}
            _ => {
                if begins && is_bool_pattern(&block[at..]) {
                    return true;
                }
                begins = false;
            }
        }
    }
    false
}

fn is_bool_pattern(arm: &str) -> bool {
    let rest = arm.strip_prefix("true").or_else(|| arm.strip_prefix("false")).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with("=>") || rest.starts_with("if "))
}

/// The name of the type that a block `impl` is of, without its parameters; empty for that of a trait.
fn implemented(head: &str) -> &str {
    let head = match head.trim_start().strip_prefix('<') {
        // The parameters of the block end where as many brackets close as opened.
        Some(_) => match pieces(head, head.find('<').unwrap_or_default()).last() {
            Some((start, last)) => &head[start + last.len() + 1..],
            None => return "",
        },
        None => head,
    };
    if words(head).any(|(_, word)| word == "for") {
        return "";
    }
    let name = head.trim();
    &name[..name.find(|character: char| !character.is_alphanumeric()).unwrap_or(name.len())]
}

/// True for ` fn`, ` const fn` and the like, behind `pub`.
fn declares_function(rest: &str) -> bool {
    if !rest.starts_with(' ') {
        return false;
    }
    let mut words = rest.split_whitespace();
    words.find(|word| !matches!(*word, "const" | "async" | "unsafe")) == Some("fn")
}

/// Characters from a place on, each with its place and the one before.
fn characters(code: &str, from: usize) -> impl Iterator<Item = (usize, char, char)> {
    let mut before = ' ';
    code[from..].char_indices().map(move |(at, character)| {
        let earlier = std::mem::replace(&mut before, character);
        (from + at, character, earlier)
    })
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].bytes().filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::lexer::code_of;

    #[test]
    fn a_parameter_that_is_a_pattern_of_a_tuple_is_found_in_functions_alone() {
        for (text, expected) in [
            ("fn f((a, b): (A, B), c: C) {}", vec![1]),
            ("fn f(&self,\n    (a, _): (A, B),\n    &(c, d): &(C, D)) {}", vec![2, 3]),
            ("fn f<F: Fn(A) -> B>(g: F, (a, b): (A, B)) -> (C, D) {}", vec![1]),
            ("fn f(a: (A, B), b: HashMap<A, (B, C)>) {}", vec![]),
            ("fn f(a: [u8; 4], mut b: B, Pair(c, d): Pair) {}", vec![]),
            ("let f: fn((A, B)) = |(a, b)| a;", vec![]),
            ("#[cfg(test)]\nfn f((a, b): (A, B)) {}", vec![]),
            ("// fn f((a, b): (A, B))\nfn is_fn((a, b): (A, B));", vec![2]),
        ] {
            assert_eq!(tuple_parameters(&code_of(text)), expected, "{text}");
        }
    }

    #[test]
    fn a_match_on_a_truth_value_is_found_and_one_on_more_is_none() {
        for (text, expected) in [
            ("match a {\n    true => b,\n    false => c,\n}", vec![1]),
            ("\nmatch f(|x| { x }, [1]) { false => {} true => {} }", vec![2]),
            ("match a { None => match b { true => c, _ => d }, _ => e }", vec![1]),
            ("match a { Some(x) => { x } false if x => c, _ => d }", vec![1]),
            ("match (a, b) { (true, _) => c, _ => d }", vec![]),
            ("match a { Some(true) => c, truer => { d } }", vec![]),
            ("match a { \"true\" => c, _ => matches!(b, true) }", vec![]),
            ("match a { X { true_one } => [true, false], _ => f(true, false) }", vec![]),
        ] {
            assert_eq!(matches_on_bool(&code_of(text)), expected, "{text}");
        }
    }

    #[test]
    fn public_functions_are_those_of_the_type_itself() {
        let text = "impl Door {\n    pub fn one(&self) { fn pub_two() {} }\n    pub(crate) fn two() {}\n\
                    \n    pub const fn three() {}\n    fn four() {}\n}\nimpl Doors { pub fn five() {} }\n\
                    impl<'a, T: Fn(A) -> B> Door<'a, T> {\n    pub unsafe fn six() {}\n}\n\
                    impl Trait for Door {\n    pub fn seven() {}\n}\nimpl From<Door> for Window { pub fn eight() {} }\n\
                    pub struct Door { pub field: A }\npub fn nine() -> impl Door { pub fn ten() {} }\n";
        assert_eq!(public_functions(&code_of(text), "Door"), [2, 5, 10]);
        assert_eq!(public_functions(&code_of(text), "Doors"), [8]);
        assert_eq!(public_functions(&code_of(text), "Window"), Vec::<usize>::new());
    }

    #[test]
    fn types_are_those_that_a_file_declares_outside_of_functions_tests_and_modules() {
        let text = "pub struct One<T>(T);\nenum Two {\n    Three,\n}\npub(in crate::a) type Four = u8;\n\
                    pub unsafe trait Five: Six {\n    type Seven;\n}\nfn f() {\n    struct Eight;\n}\n\
                    mod nine {\n    pub struct Ten;\n}\n// struct Eleven;\n#[cfg(test)]\nstruct Twelve;\n\
                    pub union Thirteen {}\npublic struct Fourteen;\n";
        let code = code_of(text);
        assert_eq!(
            declared_types(&code),
            [(1, "One"), (2, "Two"), (5, "Four"), (6, "Five"), (18, "Thirteen")]
        );
    }
}
