//! A server that says what a test tells it.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

/// The server of a test. It listens on a port of its own.
pub struct Server {
    listener: TcpListener,
}

/// Longer waits than this are failures.
const PATIENCE: Duration = Duration::from_secs(20);

impl Server {
    pub fn new() -> Server {
        Server::at(Ipv4Addr::LOCALHOST.into()).expect("there is a loopback")
    }

    /// At another address of this machine; `None` where it has none such.
    pub fn at(address: IpAddr) -> Option<Server> {
        Some(Server { listener: TcpListener::bind((address, 0)).ok()? })
    }

    pub fn host(&self) -> String {
        self.listener.local_addr().expect("it listens").ip().to_string()
    }

    pub fn port(&self) -> u16 {
        self.listener.local_addr().expect("it listens").port()
    }

    /// Waits for a client to connect.
    pub fn accept(&self) -> Talk {
        let (stream, _) = self.listener.accept().expect("a client connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("sockets have timeouts");
        stream.set_nodelay(true).expect("sockets can send at once");
        let input = BufReader::new(stream.try_clone().expect("sockets can be cloned"));
        Talk { input, output: stream }
    }

    /// Waits for a client to log in, and accepts it.
    pub fn log_in(&self) -> Talk {
        let mut talk = self.accept();
        talk.talk("> LOGIN us secret\n< LOGIN:us OK");
        talk
    }
}

/// A connection to a client.
pub struct Talk {
    input: BufReader<TcpStream>,
    output: TcpStream,
}

impl Talk {
    /// Goes through a conversation: `< text` is said, `> text` has to be heard, word for word.
    pub fn talk(&mut self, script: &str) {
        for line in script.lines().map(str::trim_start).filter(|line| !line.is_empty()) {
            match line.split_at(1) {
                ("<", text) => self.say(text.strip_prefix(' ').unwrap_or(text)),
                (">", text) => self.hear(text.trim()),
                _ => panic!("a script has < and >: {line}"),
            }
        }
    }

    pub fn say(&mut self, text: &str) {
        self.say_bytes(format!("{text}\n").as_bytes());
    }

    pub fn say_bytes(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).expect("the client listens");
    }

    /// The next line of the client, without its end; `None` where it has closed the connection.
    pub fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.strip_suffix('\n').expect("lines are whole").to_string()),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
            Err(error) => panic!("the client is silent: {error}"),
        }
    }

    pub fn hear(&mut self, expected: &str) {
        assert_eq!(self.line().as_deref(), Some(expected));
    }

    /// The client has to close the connection, and to say nothing before.
    pub fn hear_the_end(&mut self) {
        assert_eq!(self.line(), None);
    }

    /// Offers a game, and starts it.
    pub fn start(&mut self, game: &Offer) {
        self.offer(game);
        self.hear(&format!("AGREE {}", game.game_id));
        self.say(&format!("START:{}", game.game_id));
    }

    pub fn offer(&mut self, game: &Offer) {
        self.say_bytes(game.text().as_bytes());
    }

    /// The client logs out after its last game.
    pub fn log_out(&mut self) {
        self.talk("> LOGOUT\n< LOGOUT:completed");
        self.hear_the_end();
    }
}

/// A game that the server offers.
pub struct Offer {
    pub game_id: &'static str,
    pub turn: &'static str,
    /// More fields before the time.
    pub general: &'static str,
    pub time: &'static str,
    /// Position and moves before.
    pub position: &'static str,
}

/// An even game that the client begins.
pub const EVEN: Offer = Offer {
    game_id: "game-1",
    turn: "+",
    general: "Declaration:Jishogi 1.1\nMax_Moves:256\n",
    time: "BEGIN Time\nTime_Unit:1sec\nTotal_Time:600\nByoyomi:10\nLeast_Time_Per_Move:0\nEND Time\n",
    position: "PI\n+\n",
};

impl Offer {
    pub fn text(&self) -> String {
        let Offer { game_id, turn, general, time, position } = self;
        let names = if *turn == "+" { "Name+:us\nName-:them" } else { "Name+:them\nName-:us" };
        format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nGame_ID:{game_id}\n\
             {names}\nYour_Turn:{turn}\nRematch_On_Draw:NO\n{general}{time}BEGIN Position\n{position}END Position\n\
             END Game_Summary\n"
        )
    }
}
