//! What can go wrong, and what is done about it.

use std::fs;
use std::time::{Duration, Instant};

use jitsugen::csa::session::SessionError;
use jitsugen::record::Ending;

use super::script::{Client, Say};
use super::server::{EVEN, Offer, Talk};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// The server plays a game to its end, on a connection that was made anew.
fn play_one(client: &Client, game_id: &'static str) {
    let mut talk = client.server.log_in();
    talk.start(&Offer { game_id, turn: "-", ..EVEN });
    talk.talk("< %TORYO,T1\n< #RESIGN\n< #WIN");
    talk.log_out();
}

#[test]
fn a_connection_that_is_lost_at_any_moment_is_made_anew() {
    /// Goes through a game up to a line, and the number of moves that its record must have by then.
    type Stage = (&'static str, fn(&mut Talk), Option<usize>);
    let stages: [Stage; 9] = [
        ("login", |_| (), None),
        ("half an answer", |talk| talk.say_bytes(b"LOGIN:us"), None),
        ("waiting", |talk| talk.say("LOGIN:us OK"), None),
        (
            "summary",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.say_bytes(&EVEN.text().as_bytes()[..100]);
            },
            None,
        ),
        (
            "agreed",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.offer(&EVEN);
                talk.hear("AGREE game-1");
            },
            None,
        ),
        (
            "our move",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.start(&EVEN);
                talk.hear("+7776FU");
            },
            Some(0),
        ),
        (
            "their move",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.start(&EVEN);
                talk.talk("> +7776FU\n< +7776FU,T1");
            },
            Some(1),
        ),
        (
            "half a move",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.start(&EVEN);
                talk.talk("> +7776FU\n< +7776FU,T1");
                talk.say_bytes(b"-3334FU,T");
            },
            Some(1),
        ),
        (
            "the result",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.start(&EVEN);
                talk.talk("> +7776FU\n< +7776FU,T1\n< -3334FU,T1\n< #TIME_UP");
            },
            Some(2),
        ),
    ];
    for (name, go_there, moves) in stages {
        let says = [Say::Play("7g7f", None), Say::Think];
        let mut client = Client::begin(&format!("lost {name}"), &says, |_| ());
        let mut talk = client.server.accept();
        talk.hear("LOGIN us secret");
        go_there(&mut talk);
        drop(talk);
        play_one(&client, "game-2");
        let score = client.score();
        assert!(score.starts_with("1-0-0"), "{name}: {score}");
        assert!(!client.pauses().is_empty(), "{name}");
        let records = client.records();
        assert_eq!(records.len(), 1 + usize::from(moves.is_some()), "{name}");
        if let Some(moves) = moves {
            assert_eq!(score, "1-0-0, broken off: 1", "{name}");
            assert_eq!(records[0].moves().len(), moves, "{name}");
            assert_eq!(records[0].ending(), Some(&Ending::BrokenOff), "{name}");
            assert!(client.record_text("game-1").contains("broken off: "), "{name}");
        }
        if name.starts_with("half") {
            client.wait_for_warning("half a line");
        }
    }
}

#[test]
fn a_silent_server_is_left() {
    type Stage = (&'static str, fn(&mut Talk), &'static str);
    let stages: [Stage; 5] = [
        ("login", |_| (), "does not answer the login"),
        (
            "summary",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.say_bytes(&EVEN.text().as_bytes()[..100]);
            },
            "the summary of the game has no end",
        ),
        (
            "agreed",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.offer(&EVEN);
                talk.hear("AGREE game-1");
            },
            "does not agree",
        ),
        (
            "our move",
            |talk| {
                talk.say("LOGIN:us OK");
                talk.start(&EVEN);
                talk.hear("+7776FU");
            },
            "does not repeat our move",
        ),
        (
            "their move",
            |talk| {
                talk.say("LOGIN:us OK");
                let time = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:50\nEND Time\n";
                talk.start(&Offer { turn: "-", time, ..EVEN });
            },
            "the opponent's time is over",
        ),
    ];
    for (name, go_there, warning) in stages {
        let mut client = Client::begin(&format!("silent {name}"), &[Say::Play("7g7f", None)], |settings| {
            settings.patience.answer = MS(150);
            settings.patience.agreement = MS(150);
        });
        let mut talk = client.server.accept();
        talk.hear("LOGIN us secret");
        go_there(&mut talk);
        talk.hear_the_end();
        play_one(&client, "game-2");
        assert!(client.score().starts_with("1-0-0"), "{name}");
        client.wait_for_warning(warning);
    }
}

#[test]
fn a_wrong_password_ends_the_session_with_a_message() {
    let mut client = Client::begin("password", &[], |settings| settings.patience.refusals = 3);
    for _ in 0..3 {
        let mut talk = client.server.accept();
        talk.talk("> LOGIN us secret\n< LOGIN:incorrect");
        talk.hear_the_end();
    }
    let error = client.result().expect_err("it gives up");
    assert_eq!(error, SessionError::Refused { logins: 3 });
    assert!(error.to_string().contains("the right password"), "{error}");
    assert!(!format!("{:?}", client.warnings()).contains("secret"));
    let has_secret =
        client.reports.0.lock().unwrap().iter().any(
            |report| matches!(report, jitsugen::csa::report::Report::Sent(line) if line.contains("secret")),
        );
    assert!(!has_secret, "the password is masked");
}

#[test]
fn a_name_that_is_still_in_play_is_tried_until_it_is_free() {
    let mut client = Client::begin("name in play", &[Say::Think], |settings| settings.patience.refusals = 2);
    // The connection breaks, and the server has not noticed yet.
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    drop(talk);
    for _ in 0..5 {
        client.server.accept().talk("> LOGIN us secret\n< LOGIN:incorrect");
    }
    play_one(&client, "game-2");
    assert_eq!(client.score(), "1-0-0, broken off: 1");
    client.wait_for_warning("in play already");
}

#[test]
fn a_session_without_end_tries_a_refused_login_until_it_is_taken() {
    let mut client = Client::begin("refused without end", &[], |settings| {
        settings.games = None;
        settings.patience.refusals = 2;
    });
    for _ in 0..5 {
        client.server.accept().talk("> LOGIN us secret\n< LOGIN:incorrect");
    }
    let mut talk = client.server.log_in();
    client.wait_for_state(&jitsugen::csa::report::State::Waiting);
    client.leave(jitsugen::csa::session::Leave::Now);
    talk.log_out();
    assert_eq!(client.score(), "0-0-0");
    client.wait_for_warning("it is tried again until it is taken");
}

#[test]
fn a_server_that_accepts_and_closes_is_not_hammered() {
    let mut client = Client::begin("accepts and closes", &[Say::Think], |_| ());
    for _ in 0..4 {
        drop(client.server.log_in());
    }
    // A game that begins counts as success.
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    drop(talk);
    play_one(&client, "game-2");
    assert_eq!(client.score(), "1-0-0, broken off: 1");
    assert_eq!(client.pauses(), [5, 10, 20, 20, 5].map(MS));
}

#[test]
fn a_login_that_is_refused_during_a_game_is_left_alone() {
    let says = [Say::Play("7g7f", None), Say::Play("2g2f", None)];
    let mut client = Client::begin("refused in game", &says, |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T1\n< LOGIN:incorrect\n< -3334FU,T1\n> +2726FU\n< +2726FU,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    client.wait_for_warning("left alone: 'LOGIN:incorrect'");
    assert_eq!(client.records()[0].moves().len(), 3);
}

#[test]
fn a_logout_by_the_server_breaks_a_game_off() {
    let mut client = Client::begin("logged out", &[Say::Play("7g7f", None)], |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T1\n< LOGOUT:completed");
    talk.hear_the_end();
    play_one(&client, "game-2");
    assert_eq!(client.score(), "1-0-0, broken off: 1");
    client.wait_for_warning("the server has logged us out");
    let records = client.records();
    assert_eq!((records[0].moves().len(), records[0].ending()), (1, Some(&Ending::BrokenOff)));
}

#[test]
fn an_action_that_is_not_known_does_not_end_the_game() {
    let says = [Say::Play("7g7f", None), Say::Play("2g2f", None)];
    let mut client = Client::begin("unknown action", &says, |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T1\n< %NEW,T3\n< -3334FU,T1\n> +2726FU\n< +2726FU,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    client.wait_for_warning("'%NEW' is not known");
    assert_eq!(client.records()[0].moves().len(), 3);
}

#[test]
fn an_illegal_answer_of_ours_is_said_before_we_resign() {
    let mut client = Client::begin("illegal answer", &[Say::Play("7g7e", None)], |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> %TORYO\n< %TORYO,T1\n< #RESIGN\n< #LOSE");
    talk.log_out();
    assert_eq!(client.score(), "0-1-0");
    client.wait_for_warning("our own move 7g7e is illegal");
}

#[test]
fn pauses_between_attempts_grow() {
    let mut client = Client::begin("pauses", &[], |_| ());
    for _ in 0..5 {
        client.server.accept().hear("LOGIN us secret");
    }
    play_one(&client, "game-1");
    assert_eq!(client.score(), "1-0-0");
    assert_eq!(client.pauses(), [5, 10, 20, 20, 20].map(MS));
}

#[test]
fn a_server_that_is_not_there_is_tried_again() {
    let server = super::server::Server::new();
    let port = server.port();
    drop(server);
    let mut client = Client::begin("not there", &[], |settings| settings.port = port);
    client.wait_for_warning("cannot connect");
    client.leave(jitsugen::csa::session::Leave::Now);
    assert_eq!(client.score(), "0-0-0");
}

#[test]
fn an_illegal_move_of_the_opponent_is_left_to_the_server() {
    for illegal in ["-3335FU,T1", "-5152OU,T1\n< -0055FU,T1", "-9999XX", "-3334FU+1"] {
        let mut client = Client::begin("illegal", &[Say::Play("7g7f", None), Say::Think], |_| ());
        let mut talk = client.server.log_in();
        talk.start(&EVEN);
        talk.talk(&format!("> +7776FU\n< +7776FU,T1\n< {illegal}\n< #ILLEGAL_MOVE\n< #WIN"));
        talk.log_out();
        assert_eq!(client.score(), "1-0-0", "{illegal}");
        assert!(!client.warnings().is_empty(), "{illegal}");
        assert_eq!(client.records()[0].winner(), Some(jitsugen::shogi::color::Color::Black), "{illegal}");
    }
}

#[test]
fn an_illegal_move_that_the_server_lets_pass_breaks_the_game_off() {
    let says = [Say::Play("7g7f", None), Say::Think];
    let mut client = Client::begin("let pass", &says, |settings| settings.patience.answer = MS(200));
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T1\n< -3335FU,T1");
    talk.hear_the_end();
    play_one(&client, "game-2");
    assert_eq!(client.score(), "1-0-0, broken off: 1");
    client.wait_for_warning("the server has to decide");
    client.wait_for_warning("gives no result after an illegal move");
}

#[test]
fn a_move_that_comes_twice_is_played_once() {
    let says = [Say::Play("7g7f", None), Say::Play("2g2f", None), Say::Think];
    let mut client = Client::begin("twice", &says, |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk(
        "> +7776FU\n< +7776FU,T1\n< +7776FU,T1\n< -3334FU,T1\n< -3334FU,T1\n> +2726FU\n< +2726FU,T1\n< #WIN",
    );
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    assert_eq!(client.records()[0].moves().len(), 3);
    let twice = client.warnings().iter().filter(|text| text.contains("comes twice")).count();
    assert_eq!(twice, 2);
}

#[test]
fn times_that_do_not_add_up_are_said_and_the_game_goes_on() {
    let says = [Say::Play("7g7f", None), Say::Play("2g2f", None), Say::Think];
    let mut client = Client::begin("times", &says, |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    // Our move took no time, the opponent never had so much, and the third has none.
    talk.talk("> +7776FU\n< +7776FU,T55\n< -3334FU,T4000000000\n> +2726FU\n< +2726FU\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    client.wait_for_warning("the server counts 55 s for our move");
    client.wait_for_warning("is more than its side had");
    client.wait_for_warning("gives no time with the move");
}

#[test]
fn the_game_goes_on_where_its_record_cannot_be_written() {
    let says = [Say::Play("7g7f", None), Say::Think];
    let mut client = Client::begin("no disk", &says, |settings| {
        // A file where the folder should be.
        let file = settings.records.join("a file");
        fs::write(&file, "not a folder").expect("it can be written");
        settings.records = file;
    });
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    client.wait_for_warning("the game goes on");
    // What is missing is in the log.
    client.wait_for_warning("+7776FU\nT1");
}

#[test]
fn lines_that_come_at_the_wrong_time_are_left_alone() {
    let mut client = Client::begin("wrong time", &[Say::Play("7g7f", None), Say::Think], |_| ());
    let mut talk = client.server.log_in();
    talk.talk("< START:nothing\n< +7776FU,T1\n< #WIN\n< %TORYO\n< REJECT:nothing by nobody\n< LOGIN:us OK\n< END Game_Summary");
    talk.say(&"x".repeat(100_000));
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +2726FU,T1\n< -3334FU,T1\n< START:again\n< #TIME_UP\n< +9998KY,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    client.wait_for_warning("too long");
    client.wait_for_warning("the server plays '+2726FU' for us");
    client.wait_for_warning("a move after #TIME_UP");
    assert_eq!(client.records()[0].moves().len(), 2);
}

#[test]
fn a_server_that_forgets_a_game_begins_another() {
    let mut client = Client::begin("forgets", &[Say::Think, Say::Think], |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.start(&Offer { game_id: "game-2", ..EVEN });
    talk.talk("< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0, broken off: 1");
    let endings = client.records();
    assert_eq!(endings[0].ending(), Some(&Ending::BrokenOff));
}

#[test]
fn a_record_is_never_replaced() {
    let mut client =
        Client::begin("same name", &[Say::Think, Say::Think], |settings| settings.games = Some(2));
    let mut talk = client.server.log_in();
    for result in ["#WIN", "#LOSE"] {
        talk.start(&EVEN);
        talk.say(result);
    }
    talk.log_out();
    assert_eq!(client.score(), "1-1-0");
    assert_eq!(client.records().len(), 2);
}

#[test]
fn a_session_ends_at_once_while_it_pauses() {
    let mut client = Client::begin("leaves pause", &[], |settings| {
        settings.patience.first_pause = Duration::from_secs(3_600);
        settings.patience.longest_pause = Duration::from_secs(3_600);
    });
    client.server.accept().hear("LOGIN us secret");
    client.wait_for_warning("lost");
    let begin = Instant::now();
    client.leave(jitsugen::csa::session::Leave::AfterGame);
    assert_eq!(client.score(), "0-0-0");
    assert!(begin.elapsed() < Duration::from_secs(60));
}
