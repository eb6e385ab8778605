//! `jitsugen csa` as it is called.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use jitsugen::record::{self, Ending};

use super::server::{EVEN, Server};
use crate::support::command::{Run, assert_refused, jitsugen, run, run_in};
use crate::support::{evaluation, folder};

#[test]
fn the_example_can_be_used() {
    let folder = folder::empty("csa example");
    let Run { success, stdout, .. } = run_in(&folder, &["csa", "--example"]);
    assert!(success);
    // Nobody listens there, but everything else is accepted.
    let example = stdout.replace("wdoor.c.u-tokyo.ac.jp", "127.0.0.1").replace("port = 4081", "port = 1");
    fs::write(folder.join("csa.toml"), example).expect("it can be written");
    let mut client = start(&folder, &["csa.toml", "--password", "x"]);
    client.kill().expect("it runs");
    client.wait().expect("it has ended");
    // What is commented out is right as well.
    let all: String = stdout
        .lines()
        .map(|line| match line.strip_prefix('#') {
            Some(setting) if setting.contains(" = ") && !setting.starts_with(' ') => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    fs::write(folder.join("all.toml"), format!("{all}Nonsense = 1\n")).expect("it can be written");
    let line = format!(
        "all.toml: line {}: option 'Nonsense' is not known: expected one of USI_Hash",
        all.lines().count() + 1
    );
    assert_refused(&folder, &["csa"], &[(&["all.toml"], &line)]);
}

#[test]
fn a_wrong_setting_is_refused_with_its_line_and_what_is_allowed() {
    let folder = folder::empty("csa settings");
    for (text, expected) in [
        (
            "server = \"x\"\nnam = \"us\"\n",
            "csa.toml: line 2: unknown field `nam`, expected one of `server`, `port`",
        ),
        ("port = \"4081\"\n", "csa.toml: line 1: invalid type: string \"4081\", expected u16"),
        ("\nport = 70000\n", "csa.toml: line 2: invalid value: integer `70000`, expected u16"),
        ("games = -1\n", "csa.toml: line 1: invalid value: integer `-1`, expected u64"),
        ("ponder = \"yes\"\n", "expected a boolean"),
        ("comments = \"sometimes\"\n", "csa.toml: line 1: 'sometimes': expected auto, always or never"),
        ("keep_alive = 5\n", "csa.toml: line 1: 5: expected 30 to 3600 seconds"),
        ("keep_alive = 9000000000000000000\n", ": expected 30 to 3600 seconds"),
        (
            "password = 50707\n",
            "csa.toml: line 1: password: expected text in quotes, found a value of type integer",
        ),
        ("password = [\"50707\"]\n", "csa.toml: line 1: password: expected text in quotes"),
        ("password = 50707x\n", "csa.toml: line 1: "),
        ("margin = 100000\n", "csa.toml: line 1: 100000: expected 0 to 60000 milliseconds"),
        ("server = \"x\"\nserver = \"y\"\n", "csa.toml: line 2: duplicate key"),
        ("server = x\n", "csa.toml: line 1: "),
        (
            "[options]\nThreads = 1\nThread = 1\n",
            "csa.toml: line 3: option 'Thread' is not known: expected one of",
        ),
        (
            "[options]\nThreads = 0\n",
            "csa.toml: line 2: option Threads is left as it was: '0': expected a number",
        ),
        ("[options]\nUSI_Ponder = 3\n", "expected true or false"),
        ("[optoins]\nThreads = 1\n", "csa.toml: line 1: unknown field `optoins`"),
        ("name = \"us\"\n", "server is missing"),
        ("server = \"x\"\n", "name is missing"),
        ("server = \"x\"\nname = \"us\"\n", "password is missing"),
        (
            "server = \"x\"\nname = \"two words\"\npassword = \"y\"\n",
            "name: 'two words': expected 1 to 32 letters",
        ),
        ("server = \"x\"\nname = \"us\"\npassword = \"hid den\"\n", "password: expected 1 to 256"),
    ] {
        fs::write(folder.join("csa.toml"), text).expect("it can be written");
        let mut command = jitsugen(["csa", "csa.toml"]);
        let Run { success, stderr, .. } =
            run(command.current_dir(&folder).env_remove("JITSUGEN_CSA_PASSWORD").stdin(Stdio::null()));
        assert!(!success && stderr.contains(expected), "{text}: {stderr}");
        assert!(!stderr.contains("hid den") && !stderr.contains("50707"), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    assert_refused(
        &folder,
        &["csa"],
        &[
            (&["missing.toml"], "missing.toml: "),
            (&["--option", "Threads"], "expected NAME=VALUE"),
            (&["--option", "Nothing=1"], "--option Nothing=1: option 'Nothing' is not known"),
            (&["--comments", "maybe"], "expected auto, always or never"),
            (&["--keep-alive", "5"], "30"),
            (&["--keep-alive", "3601"], "30..=3600"),
        ],
    );
}

/// The program as a client, with its log in `log.txt`.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    let log = fs::File::create(folder.join("log.txt")).expect("it can be written");
    let eval_dir = format!("EvalDir={}", evaluation::built_in_files().display());
    let mut command =
        jitsugen(["csa", "--plain", "--verbose", "--option", &eval_dir, "--option", "Threads=1"]);
    command.args(["--option", "USI_Hash=16"]).args(arguments).current_dir(folder);
    command.stdout(log).stdin(Stdio::null()).spawn().expect("the program starts")
}

/// A client of `server` in the middle of a game, four moves long.
fn in_a_game(server: &Server, folder: &Path) -> (Child, super::server::Talk) {
    let port = server.port().to_string();
    let settings = format!(
        "server = \"127.0.0.1\"\nport = {port}\nname = \"us\"\npassword = \"secret\"\nponder = false\n"
    );
    fs::write(folder.join("csa.toml"), settings).expect("it can be written");
    let client = start(folder, &["csa.toml", "--option", "NodesLimit=100", "--log", "all.log"]);
    let mut talk = server.log_in();
    talk.start(&EVEN);
    for reply in ["-9394FU", "-9495FU"] {
        let ours = talk.line().expect("it moves");
        talk.say_bytes(format!("{ours},T1\n{reply},T1\n").as_bytes());
    }
    // The fifth move shows that the others are written.
    talk.line().expect("it moves");
    (client, talk)
}

#[test]
fn a_killed_client_leaves_a_record_with_all_moves() {
    let (server, folder) = (Server::new(), folder::empty("csa killed"));
    let (mut client, talk) = in_a_game(&server, &folder);
    client.kill().expect("it runs");
    client.wait().expect("it has ended");
    drop(talk);
    let bytes = fs::read(folder.join("records").join("game-1.csa")).expect("there is a record");
    let record = record::read(&bytes, None).expect("a whole record").remove(0);
    assert_eq!((record.moves().len(), record.ending()), (4, None));
    for log in ["log.txt", "all.log"] {
        let log = fs::read_to_string(folder.join(log)).expect("there is a log");
        assert!(log.contains("> LOGIN us ***") && log.contains("< -9394FU,T1"), "{log}");
        assert!(!log.contains("secret"), "{log}");
    }
}

#[test]
#[cfg(unix)]
fn a_client_that_is_interrupted_breaks_the_game_off() {
    for signal in ["-INT", "-TERM"] {
        let (server, folder) = (Server::new(), folder::empty(&format!("csa interrupted {signal}")));
        let (client, mut talk) = in_a_game(&server, &folder);
        let killed = std::process::Command::new("kill").args([signal, &client.id().to_string()]).status();
        assert!(killed.expect("there is a kill").success());
        talk.talk("> %CHUDAN\n< #CHUDAN");
        talk.log_out();
        assert!(client.wait_with_output().expect("it ends").status.success());
        let bytes = fs::read(folder.join("records").join("game-1.csa")).expect("there is a record");
        let record = record::read(&bytes, None).expect("a whole record").remove(0);
        assert_eq!((record.moves().len(), record.ending()), (4, Some(&Ending::BrokenOff)));
    }
}

#[test]
fn a_refused_login_is_a_failure() {
    let (server, folder) = (Server::new(), folder::empty("csa refused"));
    let port = server.port().to_string();
    let mut command = jitsugen(["csa", "--server", "localhost", "--port", &port, "--name", "us", "--plain"]);
    let eval_dir = format!("EvalDir={}", evaluation::built_in_files().display());
    command.args(["--option", &eval_dir, "--option", "USI_Hash=16"]).current_dir(&folder);
    // A session without end does not give up.
    command.env("JITSUGEN_CSA_PASSWORD", "secret").stdin(Stdio::null()).stdout(Stdio::piped());
    let mut client = command.spawn().expect("the program starts");
    server.accept().talk("> LOGIN us secret\n< LOGIN:incorrect");
    // It tries again.
    server.accept().hear("LOGIN us secret");
    client.kill().expect("it runs");
    let output = client.wait_with_output().expect("it has ended");
    let log = String::from_utf8_lossy(&output.stdout);
    assert!(
        log.contains("warning: the login was refused") && log.contains("connecting again in 1 s"),
        "{log}"
    );
}
