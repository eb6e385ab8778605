//! Tells the program which compiler built it, for the command `compiler`.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo:rustc-env=JITSUGEN_COMPILER={}", version.unwrap_or_default().trim());
    println!("cargo:rerun-if-changed=build.rs");
}
