//! Programs compile with the headers, by every compiler that is here and in every standard that is in use.

use crate::compiler;
use std::path::Path;

/// Standards of C and of C++ that a program may be written in.
const OF_C: [&str; 3] = ["c99", "c11", "c17"];
const OF_C_PLUS_PLUS: [&str; 2] = ["c++11", "c++17"];

/// Compiles a source by every compiler in every standard given for its language.
fn compiles_everywhere(source: &Path, of_c: &[&str], of_c_plus_plus: &[&str]) {
    let languages = [(compiler::of_c(), of_c), (compiler::of_c_plus_plus(), of_c_plus_plus)];
    for (compilers, standards) in languages {
        for compiler in compilers {
            for standard in standards {
                compiler::must_compile(compiler, standard, source, &["-fsyntax-only"]);
            }
        }
    }
}

#[test]
fn a_program_compiles_in_every_standard() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/orders.c");
    compiles_everywhere(&source, &OF_C, &OF_C_PLUS_PLUS);
}

#[test]
fn each_header_stands_alone_and_may_be_included_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let headers = std::fs::read_dir(compiler::headers()).expect("headers");
    let mut names: Vec<String> =
        headers.map(|entry| entry.expect("a header").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(
        names,
        ["cmqbc.h", "cmqc.h", "cmqcfc.h", "cmqec.h", "cmqpsc.h", "cmqstrc.h", "cmqxc.h", "cmqzc.h"]
    );
    for name in names {
        let source = folder.path().join("alone.c");
        let text = format!("#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n");
        std::fs::write(&source, text).expect("a source");
        compiles_everywhere(&source, &["c90"], &["c++11"]);
    }
}

#[test]
fn the_character_set_of_texts_can_be_set_before_the_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("characters.c");
    let text = "#define MQCCSI_APPL 1208\n#include <cmqc.h>\n\
                static const MQLONG sets[] = {MQCCSI_APPL};\n\
                int main(void) {\n  MQCHARV text = {MQCHARV_DEFAULT};\n  MQOD object = {MQOD_DEFAULT};\n  \
                MQCHARV every = {MQPROP_INQUIRE_ALL};\n  MQIMPO inquire = {MQIMPO_DEFAULT};\n  \
                return text.VSCCSID == 1208 && object.ObjectString.VSCCSID == 1208 && every.VSCCSID == 1208\n         \
                && inquire.ReturnedName.VSCCSID == 1208 && inquire.RequestedCCSID == 1208 && sets[0] == 1208 ? 0 : 1;\n}\n";
    std::fs::write(&source, text).expect("a source");
    let program = folder.path().join("characters");
    compiler::must_compile("cc", "c11", &source, &["-o", program.to_str().expect("a path")]);
    assert!(std::process::Command::new(program).status().expect("a run").success());
}
