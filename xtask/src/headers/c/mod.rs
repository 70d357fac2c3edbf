//! The headers that C and C++ programs are compiled with: `crates/capi/include`.
//!
//! Lives here: which header declares what, and the frame of a header. Lives elsewhere: what stands in it
//! (`constants`, `types`, `structures`, `functions`, `names`).
//!
//! Always: programs read these headers that are no compilers, line by line. So there is one macro to a line
//! (but for the initial values of structures, which go on after a backslash), one field to a line, and within
//! the condition that guards a header no condition within a condition. Between the name of a structure
//! (`typedef`) and its fields are only its pointers; MQCD and MQIEP are named by the header before theirs.

mod constants;
mod functions;
mod names;
mod structures;
mod types;

use super::interface::Interface;
use crate::generated::{File, NOTICE};
use anyhow::{Result, bail};
use std::fmt::Write as _;

/// A header to be made.
struct Header {
    name: &'static str,
    summary: &'static str,
    /// Headers it needs before what it declares.
    needs: &'static [&'static str],
    /// Headers that belong to it, but need what it declares.
    brings: &'static [&'static str],
}

const HEADERS: [Header; 8] = [
    Header {
        name: "cmqc",
        summary: "the message queue interface: calls, structures, constants",
        needs: &[],
        brings: &[],
    },
    Header {
        name: "cmqxc",
        summary: "channel definitions, and exits of channels, of the interface and of clusters",
        needs: &["cmqc"],
        brings: &["cmqec"],
    },
    Header {
        name: "cmqec",
        summary: "the calls by pointer, as an exit is handed them",
        needs: &["cmqxc"],
        brings: &[],
    },
    Header { name: "cmqzc", summary: "installable services", needs: &["cmqxc"], brings: &[] },
    Header {
        name: "cmqcfc",
        summary: "commands, events and statistics in binary form",
        needs: &["cmqc"],
        brings: &[],
    },
    Header {
        name: "cmqbc",
        summary: "bags, which hold the parameters of commands",
        needs: &["cmqc"],
        brings: &[],
    },
    Header {
        name: "cmqpsc",
        summary: "names and values in command messages of publish and subscribe",
        needs: &["cmqc"],
        brings: &[],
    },
    Header { name: "cmqstrc", summary: "names of numbers", needs: &["cmqc"], brings: &[] },
];

/// Makes the headers.
pub(super) fn files(interface: &Interface) -> Result<Vec<File>> {
    let all = Placed {
        constants: interface.constants.iter().map(|row| (&row.name, &row.header)).collect(),
        others: (interface.structures.iter().map(|row| (&row.name, &row.header)))
            .chain(interface.functions.iter().map(|row| (&row.name, &row.header)))
            .chain(interface.types.iter().map(|row| (&row.name, &row.header)))
            .collect(),
    };
    for (name, header) in all.constants.iter().chain(&all.others) {
        let place = place_of(name, header);
        if !HEADERS.iter().any(|known| known.name == place) {
            bail!("{name} belongs to header {place}, which is not made");
        }
    }
    HEADERS
        .iter()
        .map(|header| {
            let path = format!("crates/capi/include/{}.h", header.name);
            Ok(File { path, text: text_of(header, interface)? })
        })
        .collect()
}

/// Names and the headers their tables give.
struct Placed<'a> {
    constants: Vec<(&'a String, &'a String)>,
    others: Vec<(&'a String, &'a String)>,
}

/// The header that declares a name. Where the tables leave it between two, services have a letter of their
/// own, and what an exit calls through pointers stands apart.
fn place_of<'a>(name: &str, header: &'a str) -> &'a str {
    if header != "cmqxc|cmqzc" {
        return header;
    }
    let plain = name.trim_start_matches('P');
    if plain.starts_with("MQZ") {
        "cmqzc"
    } else if (plain.starts_with("MQ_") && plain.ends_with("_CALL")) || name.starts_with("MQIEP") {
        "cmqec"
    } else {
        "cmqxc"
    }
}

fn text_of(header: &Header, interface: &Interface) -> Result<String> {
    let guard = format!("{}_INCLUDED", header.name.trim_start_matches('c').to_uppercase());
    let mut text = format!(
        "/*\n * {}.h: {}.\n *\n * SPDX-License-Identifier: Apache-2.0\n * Part of FerryMQ. For machines with pointers of \
         64 bits.\n * {}\n */\n\n#if !defined({guard})\n#define {guard}\n\n",
        header.name,
        header.summary,
        NOTICE.replace("; ", ";\n * ")
    );
    for needed in header.needs {
        let _ = writeln!(text, "#include \"{needed}.h\"\n");
    }
    text.push_str(&types::prelude(header.name));
    text.push_str("#if defined(__cplusplus)\nextern \"C\" {\n#endif\n\n");
    text.push_str(&types::declared(header.name, interface));
    text.push_str(&constants::declared(header.name, interface)?);
    let structures = structures::declared(header.name, interface)?;
    let functions = functions::types(header.name, interface);
    // MQIEP points to functions. Elsewhere functions are handed structures of their header.
    let in_order = if header.name == "cmqec" { [functions, structures] } else { [structures, functions] };
    text.push_str(&in_order.concat());
    text.push_str(&functions::prototypes(header.name, interface));
    if header.name == "cmqstrc" {
        text.push_str(&names::declared(interface)?);
    }
    text.push_str("#if defined(__cplusplus)\n}\n#endif\n\n");
    for brought in header.brings {
        let _ = writeln!(text, "#include \"{brought}.h\"\n");
    }
    text.push_str("#endif /* End of header file */\n");
    Ok(text)
}

/// The heading of a part of a header.
fn heading(words: &str) -> String {
    format!("/* {words} */\n\n")
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn what_the_tables_leave_between_two_headers_has_one_place() {
        for (name, header, expected) in [
            ("MQMD", "cmqc", "cmqc"),
            ("MQZED", "cmqxc|cmqzc", "cmqzc"),
            ("PMQZ_FREE_USER", "cmqxc|cmqzc", "cmqzc"),
            ("MQ_ZEP_CALL", "cmqxc|cmqzc", "cmqec"),
            ("PMQ_GET_CALL", "cmqxc|cmqzc", "cmqec"),
            ("MQIEP_DEFAULT", "cmqxc|cmqzc", "cmqec"),
            ("PMQIEP", "cmqxc|cmqzc", "cmqxc"),
            ("MQ_GET_EXIT", "cmqxc|cmqzc", "cmqxc"),
            ("PPMQMD", "cmqxc|cmqzc", "cmqxc"),
        ] {
            assert_eq!(place_of(name, header), expected, "{name}");
        }
    }
}
