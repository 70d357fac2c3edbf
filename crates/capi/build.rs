//! Link options of the library that C programs load.

/// The name it bears until `cargo xtask install` takes it off, so that programs record the name of a link.
const NAME: &str = "libferrymq_mqi.so";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{NAME}");
    // Its threads may be in it at any moment, so it stays once it is loaded.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
