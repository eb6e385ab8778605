//! Records which compiler builds the program, for the command `compiler`, and whether there is data for the tests.

use std::env;
use std::path::{self, PathBuf};
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo:rustc-env=JITSUGEN_COMPILER={}", version.unwrap_or_default().trim());
    println!("cargo:rerun-if-changed=build.rs");
    find_test_data();
}

/// Sets the cfg `test_data` where there is the test data that is not part of the repository. Tests that need it are
/// ignored elsewhere.
fn find_test_data() {
    println!("cargo:rustc-check-cfg=cfg(test_data)");
    println!("cargo:rerun-if-env-changed=JITSUGEN_DATA");
    let folder = env::var_os("JITSUGEN_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    // A missing path is not watched: Cargo would run this, and compile the package, each time.
    if let Ok(folder) = path::absolute(folder)
        && folder.is_dir()
    {
        println!("cargo:rerun-if-changed={}", folder.display());
        println!("cargo:rustc-env=JITSUGEN_TEST_DATA={}", folder.display());
        println!("cargo:rustc-cfg=test_data");
    }
}
