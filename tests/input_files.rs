//! What a user names in place of a file: a pipe would be waited for, a device may have no end.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::client::Client;
use crate::support::command::assert_refused;
use crate::support::folder;

/// A pipe that nobody writes to or reads from.
fn pipe(folder: &Path) -> PathBuf {
    let path = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()));
    path
}

#[test]
fn commands_refuse_pipes_and_devices_at_once() {
    let folder = folder::empty("pipes and devices");
    pipe(&folder);
    for name in ["pipe", "/dev/zero"] {
        let expected = "is a pipe, a socket or a device: expected a file";
        let before_move = format!("{name}@1");
        let commands: [&[&str]; 6] = [
            &["record", name],
            &["explain", &before_move],
            &["mate", name],
            &["analyse", name],
            &["csa", name, "--name", "a"],
            &["eval-file", "inspect", name],
        ];
        for arguments in commands {
            assert_refused(&folder, &[], &[(arguments, expected)]);
        }
    }
}

#[test]
#[cfg(feature = "learn")]
fn learning_refuses_pipes_and_devices_at_once() {
    let folder = folder::empty("learning from pipes and devices");
    pipe(&folder);
    for name in ["pipe", "/dev/zero", "/dev/null"] {
        let expected = "is a pipe, a socket or a device: expected a file";
        let commands: [&[&str]; 3] = [
            &["transitions", "--games", name, "--output", "new.jgt"],
            &["inspect", name],
            &["selfplay", "--output", name, "--games", "1", "--nodes", "1"],
        ];
        for arguments in commands {
            assert_refused(&folder, &["learn"], &[(arguments, expected)]);
        }
    }
}

#[test]
fn an_option_that_names_a_pipe_is_refused_at_once() {
    let folder = folder::empty("options with pipes");
    let pipe = pipe(&folder);
    let mut client = Client::start();
    client.set("DebugLogFile", pipe.display());
    let said = client.until("info string DebugLogFile");
    assert!(said.last().is_some_and(|line| line.contains("expected a file")), "{said:?}");
    client.set("EvalDir", pipe.display());
    client.ready();
}
