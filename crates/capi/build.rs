//! Link options of the library that C programs load.

/// The name it bears until `cargo xtask install` gives each copy its own, none of which is longer.
const NAME: &str = "libferrymq_mqi.so";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{NAME}");
    // Its threads may be in it at any moment, so it stays once it is loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
