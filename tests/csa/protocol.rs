//! Each line of the protocol, and what the client makes of it.

use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

use jitsugen::csa::report::{Report, State};
use jitsugen::csa::session::Leave;
use jitsugen::csa::settings::Comments;
use jitsugen::record::Ending;
use jitsugen::shogi::color::{Color, PerColor};
use jitsugen::shogi::position::declaration::{EnteringKingRule, Rules};
use jitsugen::shogi::sfen;

use super::script::{Asked, Client, Say};
use super::server::{EVEN, Offer, Server};

const fn s(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[test]
fn a_game_is_played_from_login_to_logout() {
    let says = [Say::Play("7g7f", None), Say::Value("8h2b+", 250, &["8h2b+", "3a2b"])];
    let mut client = Client::begin("whole game", &says, |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk(
        "> +7776FU
         < +7776FU,T0
         < -3334FU,T12
         > +8822UM
         < +8822UM,T1
         < %TORYO,T4
         < #RESIGN
         < #WIN",
    );
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    // A machine that stalls for seconds has times that the server's do not fit.
    assert!(client.warnings().iter().all(|text| text.contains("do not add up")), "{:?}", client.warnings());
    let text = client.record_text("game-1");
    let expected = "V2.2\nN+us\nN-them\n$EVENT:game-1\n$SITE:127.0.0.1\n$START_TIME:2026/01/31 12:00:00\nPI\n+\n\
        '* time of +: 600 s, 10 s byoyomi\n'* time of -: 600 s, 10 s byoyomi\n\
        +7776FU\nT0\n-3334FU\nT12\n+8822UM\nT1\n'** 250 +8822UM -3122GI\n%TORYO\nT4\n\
        'summary:toryo:us win:them lose\n'$END_TIME:2026/01/31 12:00:00\n";
    assert_eq!(text, expected);
    assert_eq!(client.records()[0].winner(), Some(Color::Black));
    let rules = Rules { entering_king: EnteringKingRule::Points27, max_moves: Some(256) };
    assert_eq!(client.asked()[0], Asked::NewGame(rules));
}

#[test]
fn every_end_of_a_game_counts() {
    let ends = [
        ("#RESIGN\n#LOSE", "0-1-0"),
        ("#SENNICHITE\n#DRAW", "0-1-1"),
        ("#OUTE_SENNICHITE\n#WIN", "1-1-1"),
        ("#ILLEGAL_MOVE\n#WIN", "2-1-1"),
        ("#ILLEGAL_ACTION\n#LOSE", "2-2-1"),
        ("#TIME_UP\n#WIN", "3-2-1"),
        ("#JISHOGI\n#LOSE", "3-3-1"),
        ("#MAX_MOVES\n#CENSORED", "3-3-2"),
        // Without a reason it is no draw.
        ("#CENSORED", "3-3-2, broken off: 1"),
        ("#WIN", "4-3-2, broken off: 1"),
        ("#CHUDAN", "4-3-2, broken off: 2"),
        ("#DRAW", "4-3-3, broken off: 2"),
    ];
    let says = [Say::Think; 12];
    let mut client = Client::begin("ends", &says, |settings| settings.games = Some(10));
    let mut talk = client.server.log_in();
    let ids = ["00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11"];
    for (game_id, (end, _)) in ids.into_iter().zip(ends) {
        talk.start(&Offer { game_id, ..EVEN });
        end.lines().for_each(|line| talk.say(line));
    }
    talk.log_out();
    assert_eq!(client.score(), "4-3-3, broken off: 2");
    let scores: Vec<String> = {
        let reports = client.reports.0.lock().unwrap();
        let ended = reports.iter().filter_map(|report| match report {
            jitsugen::csa::report::Report::Ended(ended) => Some(ended.score.to_string()),
            _ => None,
        });
        ended.collect()
    };
    assert_eq!(scores, ends.map(|(_, score)| score));
    let endings: Vec<Option<Ending>> =
        client.records().iter().map(|record| record.ending().cloned()).collect();
    assert_eq!(endings[0], Some(Ending::Resignation));
    assert_eq!(endings[1], Some(Ending::Sennichite));
    assert_eq!(endings[5], Some(Ending::Won(Color::Black)), "White's time was up, though Black was to move");
    assert_eq!(endings[7], Some(Ending::MaxMoves));
    assert_eq!([&endings[8], &endings[10]], [&Some(Ending::BrokenOff); 2]);
    assert!(!client.record_text("08").contains("draw"));
    assert!(endings.iter().all(Option::is_some), "{endings:?}");
}

#[test]
fn we_resign_and_declare() {
    let mut client =
        Client::begin("resign", &[Say::Resign, Say::Declare], |settings| settings.games = Some(2));
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> %TORYO\n< %TORYO,T2\n< #RESIGN\n< #LOSE");
    talk.start(&Offer { game_id: "game-2", ..EVEN });
    talk.talk("> %KACHI\n< %KACHI,T1\n< #JISHOGI\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-1-0");
    let records = client.records();
    assert_eq!((records[0].winner(), records[1].winner()), (Some(Color::White), Some(Color::Black)));
    assert_eq!(records[1].ending(), Some(&Ending::Declaration));
}

#[test]
fn a_game_that_cannot_be_played_is_rejected_with_the_reason() {
    let mut client = Client::begin("rejects", &[Say::Think], |_| ());
    let mut talk = client.server.log_in();
    let broken = [
        (Offer { general: "Protocol_Mode:Direct\n", ..EVEN }, "Protocol_Mode: 'Direct': expected Server"),
        (Offer { position: "PI\n+\n+7775FU\n", ..EVEN }, "expected a legal move"),
        (Offer { time: "BEGIN Time\nTotal_Time:much\nEND Time\n", ..EVEN }, "Total_Time: 'much'"),
        (Offer { turn: "x", ..EVEN }, "Your_Turn"),
    ];
    for (offer, reason) in broken {
        talk.offer(&offer);
        talk.talk("> REJECT game-1\n< REJECT:game-1 by us");
        client.wait_for_warning(reason);
    }
    // The next one can be played.
    talk.start(&EVEN);
    talk.talk("< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
}

#[test]
fn a_game_that_the_other_side_rejects_is_not_played() {
    let mut client = Client::begin("rejected", &[Say::Think], |_| ());
    let mut talk = client.server.log_in();
    talk.offer(&EVEN);
    talk.talk("> AGREE game-1\n< REJECT:game-1 by them");
    talk.start(&Offer { game_id: "game-2", ..EVEN });
    talk.talk("< #LOSE");
    talk.log_out();
    assert_eq!(client.score(), "0-1-0");
    assert_eq!(client.records().len(), 1);
}

#[test]
fn a_line_that_is_not_known_does_not_end_the_game() {
    let mut client = Client::begin("unknown", &[Say::Play("7g7f", None), Say::Think], |_| ());
    let mut talk = client.server.log_in();
    talk.talk("< ##[LOGIN] +OK x1\n< news");
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T0\n< #SOMETHING_NEW\n< ##[CHAT] hello\n< -3334FU,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    assert_eq!(client.warnings(), ["'#SOMETHING_NEW' is not known: the game goes on"]);
    assert_eq!(client.records()[0].moves().len(), 2);
}

#[test]
fn positions_that_are_not_the_start_and_moves_before_are_played_on() {
    let offer = Offer {
        turn: "-",
        position: "PI82HI\n-\n-3334FU,T5\n+7776FU,T7\n",
        time: "BEGIN Time+\nTotal_Time:60\nEND Time+\nBEGIN Time-\nTotal_Time:90\nIncrement:10\nEND Time-\n",
        ..EVEN
    };
    let mut client = Client::begin("positions", &[Say::Play("2b8h+", None)], |_| ());
    let mut talk = client.server.log_in();
    talk.start(&offer);
    talk.talk("> -2288UM\n< -2288UM,T20\n< +7988GI,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    let record = client.records().remove(0);
    let times: Vec<_> = record.main().moves.iter().map(|played| played.time).collect();
    assert_eq!(times, [5, 7, 20, 1].map(|seconds| Some(s(seconds))));
    let start = sfen::write(&record.start_position());
    assert!(start.contains("/7b1/") && start.contains(" w "), "{start}");
    let clocks: Vec<PerColor<Duration>> = client
        .asked()
        .iter()
        .filter_map(|asked| match asked {
            Asked::Go { clock, .. } => clock.map(|clock| clock.time),
            _ => None,
        })
        .collect();
    // White had 90 and 10 more, less 5; then 10 more, less 20.
    assert_eq!(clocks, [PerColor([s(53), s(95)]), PerColor([s(52), s(85)])]);
}

#[test]
fn the_engine_gets_the_clock_as_the_server_counts() {
    let exact =
        Offer { time: "BEGIN Time\nTime_Unit:1msec\nTotal_Time:1000\nIncrement:100\nEND Time\n", ..EVEN };
    let up = Offer {
        game_id: "game-2",
        time: "BEGIN Time\nTotal_Time:0\nByoyomi:10\nTime_Roundup:YES\nDelay:2\nEND Time\n",
        ..EVEN
    };
    let says = [Say::Play("7g7f", None), Say::Think, Say::Think];
    let mut client = Client::begin("clock", &says, |settings| settings.games = Some(2));
    let mut talk = client.server.log_in();
    talk.start(&exact);
    talk.talk("> +7776FU\n< +7776FU,T30\n< -3334FU,T250\n< #WIN");
    talk.start(&up);
    talk.talk("< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "2-0-0");
    let ms = Duration::from_millis;
    let mut goes = Vec::new();
    for asked in client.asked() {
        if let Asked::Go { clock: Some(clock), policy, moves, .. } = asked {
            assert!(policy.worst_delay >= ms(50), "the margin is kept back");
            goes.push((moves, clock, policy));
        }
    }
    assert_eq!(goes.iter().map(|go| go.0).collect::<Vec<_>>(), [0, 2, 0]);
    let [(_, first, exact_policy), (_, second, _), (_, third, up_policy)] = goes[..] else {
        panic!("three moves");
    };
    assert_eq!((first.time.0, first.increment.0), ([ms(1_000); 2], [ms(100); 2]));
    assert_eq!(second.time.0, [ms(1_070), ms(850)]);
    assert!(!exact_policy.full_seconds && up_policy.full_seconds);
    assert_eq!((third.byoyomi, third.time.0), (s(10), [s(2); 2]), "the delay comes with each move");
    assert!(up_policy.worst_delay >= ms(1_050), "the last second must not begin");
}

#[test]
fn comments_are_sent_where_the_server_takes_them() {
    let floodgate = "wdoor+floodgate-300-10F+us+them+20260131120000";
    for (game_id, comments, is_sent) in [
        (floodgate, Comments::Auto, true),
        ("game-1", Comments::Auto, false),
        ("game-1", Comments::Always, true),
        (floodgate, Comments::Never, false),
    ] {
        let says = [Say::Value("3c3d", 123, &["3c3d", "2g2f"])];
        let name = format!("comments {comments:?} {is_sent}");
        let mut client = Client::begin(&name, &says, |settings| settings.comments = comments);
        let mut talk = client.server.log_in();
        talk.start(&Offer { game_id, turn: "-", position: "PI\n+\n+7776FU,T1\n", ..EVEN });
        // The value is as Black sees it.
        let comment = ",'* -123 -3334FU +2726FU";
        talk.hear(&format!("-3334FU{}", if is_sent { comment } else { "" }));
        talk.talk("< -3334FU,T1\n< #WIN");
        talk.log_out();
        assert_eq!(client.score(), "1-0-0");
        // The record has it in any case.
        assert_eq!(client.records()[0].main().moves[1].comments, ["* -123 -3334FU +2726FU"]);
    }
}

#[test]
fn the_opponents_time_is_used_to_ponder() {
    let says = [
        Say::Play("7g7f", Some("3c3d")),
        Say::Play("2g2f", Some("8c8d")),
        Say::Play("2f2e", None),
        Say::Think,
    ];
    let mut client = Client::begin("ponder", &says, |settings| settings.ponder = true);
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    // The first reply is the expected one, the second is not.
    talk.talk("> +7776FU\n< +7776FU,T0\n< -3334FU,T9\n> +2726FU\n< +2726FU,T0\n< -4344FU,T1\n> +2625FU\n< +2625FU,T0");
    talk.talk("< -8384FU,T1\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    let asked: Vec<String> = client
        .asked()
        .iter()
        .map(|asked| match asked {
            Asked::NewGame(_) => "new game".to_string(),
            Asked::Go { ponder, moves, .. } => format!("{} {moves}", if *ponder { "ponder" } else { "go" }),
            Asked::PonderHit(clock) => {
                format!("hit {}", clock.expect("there is a clock").time[Color::White].as_secs())
            }
            Asked::Stop => "stop".to_string(),
        })
        .collect();
    assert_eq!(asked, ["new game", "go 0", "ponder 2", "hit 591", "ponder 4", "go 4", "go 6", "stop"]);
}

#[test]
fn an_early_answer_is_sent_once_the_expected_move_is_played() {
    for (reply, expected) in [("-3334FU", "+2726FU"), ("-8384FU", "+5756FU")] {
        let says = [Say::PlayEarly("7g7f", "3c3d", "2g2f"), Say::Play("5g5f", None)];
        let mut client = Client::begin(&format!("early {reply}"), &says, |settings| settings.ponder = true);
        let mut talk = client.server.log_in();
        talk.start(&EVEN);
        // The opponent has answered when our move is repeated.
        talk.hear("+7776FU");
        talk.say_bytes(format!("+7776FU,T0\n{reply},T0\n").as_bytes());
        talk.hear(expected);
        talk.say(&format!("{expected},T0"));
        talk.talk("< #WIN");
        talk.log_out();
        assert_eq!(client.score(), "1-0-0");
        assert_eq!(client.records()[0].moves().len(), 3);
    }
}

#[test]
fn an_opponent_that_is_ahead_of_the_server_loses_no_move() {
    // The server repeats our move late: before our next one is sent, after that, or never.
    for (name, script) in [
        ("before", "< +7776FU,T1\n> +2726FU\n< +2726FU,T1\n< -8384FU,T1\n> +2625FU\n< +2625FU,T1"),
        ("after", "> +2726FU\n< +7776FU,T1\n< +2726FU,T1\n< -8384FU,T1\n> +2625FU\n< +2625FU,T1"),
        ("never", "> +2726FU\n< +2726FU,T1\n< -8384FU,T1\n> +2625FU\n< +2625FU,T1"),
    ] {
        let says = ["7g7f", "2g2f", "2f2e"].map(|text| Say::Play(text, None));
        let mut client = Client::begin(&format!("ahead {name}"), &says, |_| ());
        let mut talk = client.server.log_in();
        talk.start(&EVEN);
        talk.talk(&format!("> +7776FU\n< -3334FU,T1\n{script}\n< #WIN"));
        talk.log_out();
        assert_eq!(client.score(), "1-0-0", "{name}");
        client.wait_for_warning("before the server repeated our move");
        assert!(!client.warnings().iter().any(|text| text.contains("illegal")), "{:?}", client.warnings());
        assert_eq!(client.records()[0].moves().len(), 5, "{name}");
    }
}

#[test]
fn a_game_that_is_offered_while_we_log_out_is_left_alone() {
    let mut client = Client::begin("offered late", &[Say::Think], |_| ());
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("< #WIN\n> LOGOUT");
    talk.offer(&Offer { game_id: "game-2", ..EVEN });
    talk.talk("< LOGOUT:completed");
    // No AGREE.
    talk.hear_the_end();
    assert_eq!(client.score(), "1-0-0");
}

#[test]
fn what_is_received_is_logged_whole_and_without_control_characters() {
    let mut client = Client::begin("logged", &[Say::Think], |_| ());
    let mut talk = client.server.log_in();
    let chat = "x".repeat(200);
    talk.say(&format!("##[CHAT]\x1b[2J{chat}"));
    talk.start(&EVEN);
    talk.say("#WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    let expected = format!("##[CHAT]\u{FFFD}[2J{chat}");
    let reports = client.reports.0.lock().unwrap();
    let is_there = |report: &Report| matches!(report, Report::Received(line) if *line == expected);
    assert!(reports.iter().any(is_there));
}

#[test]
fn a_silent_client_gives_a_sign_of_life() {
    let keep_alive = Duration::from_millis(100);
    let mut client =
        Client::begin("keep alive", &[Say::Think], |settings| settings.patience.keep_alive = keep_alive);
    let mut talk = client.server.log_in();
    let mut last = Instant::now();
    for _ in 0..3 {
        talk.hear("");
        assert!(last.elapsed() >= keep_alive / 2, "{:?}", last.elapsed());
        last = Instant::now();
    }
    // A server may answer such a line with another.
    talk.talk("< ");
    talk.offer(&EVEN);
    let mut words = || std::iter::from_fn(|| talk.line()).find(|line| !line.is_empty());
    assert_eq!(words().as_deref(), Some("AGREE game-1"));
    talk.talk("< START:game-1\n< #WIN");
    let mut words = || std::iter::from_fn(|| talk.line()).find(|line| !line.is_empty());
    assert_eq!(words().as_deref(), Some("LOGOUT"));
    drop(talk);
    assert_eq!(client.score(), "1-0-0");
}

#[test]
fn the_user_breaks_a_game_off() {
    let mut client =
        Client::begin("break off", &[Say::Play("7g7f", None), Say::Think], |settings| settings.games = None);
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    talk.talk("> +7776FU\n< +7776FU,T1\n< -3334FU,T1");
    client.leave(Leave::Now);
    talk.talk("> %CHUDAN\n< #CHUDAN");
    talk.log_out();
    assert_eq!(client.score(), "0-0-0, broken off: 1");
    assert_eq!(client.records()[0].ending(), Some(&Ending::BrokenOff));
}

#[test]
fn a_user_who_insists_does_not_wait_for_the_server() {
    let mut client = Client::begin("insist", &[Say::Think], |settings| settings.games = None);
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    client.wait_for_state(&State::Playing);
    client.leave(Leave::Now);
    talk.hear("%CHUDAN");
    client.leave(Leave::Now);
    talk.hear_the_end();
    assert_eq!(client.score(), "0-0-0, broken off: 1");
    assert_eq!(client.records()[0].ending(), Some(&Ending::BrokenOff));
}

#[test]
fn a_user_may_leave_after_the_game_or_while_none_runs() {
    let mut client = Client::begin("after game", &[Say::Think], |settings| settings.games = None);
    let mut talk = client.server.log_in();
    talk.start(&EVEN);
    client.wait_for_state(&State::Playing);
    client.leave(Leave::AfterGame);
    talk.talk("< #RESIGN\n< #WIN");
    talk.log_out();
    assert_eq!(client.score(), "1-0-0");
    // While it waits for a game, and while the other side has not agreed yet.
    let mut client = Client::begin("waits", &[], |settings| settings.games = None);
    let mut talk = client.server.log_in();
    client.wait_for_state(&State::Waiting);
    client.leave(Leave::Now);
    talk.log_out();
    assert_eq!(client.score(), "0-0-0");
    let mut client = Client::begin("agreed", &[], |settings| settings.games = None);
    let mut talk = client.server.log_in();
    talk.offer(&EVEN);
    talk.hear("AGREE game-1");
    client.leave(Leave::Now);
    talk.hear("REJECT game-1");
    talk.log_out();
    assert_eq!(client.score(), "0-0-0");
}

#[test]
fn a_server_may_have_an_ipv6_address() {
    for brackets in [false, true] {
        // Not every machine has one.
        let Some(server) = Server::at(IpAddr::V6(Ipv6Addr::LOCALHOST)) else { return };
        let name = format!("ipv6 {brackets}");
        let mut client = Client::begin_at(server, &name, &[Say::Think], |settings| {
            if brackets {
                settings.server = format!("[{}]", settings.server);
            }
        });
        let mut talk = client.server.log_in();
        talk.start(&EVEN);
        talk.talk("< #WIN");
        talk.log_out();
        assert_eq!(client.score(), "1-0-0");
    }
}
