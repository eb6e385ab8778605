//! A connection to a server: lines out, and lines in as they come.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::thread::Builder;
use std::time::{Duration, Instant};

use super::lines::{Line, LineSplitter};

/// What comes in over a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incoming {
    /// A line, and when it came.
    Line(String, Instant),
    /// A line that was too long, and is left out.
    TooLong,
    /// The connection has ended.
    Closed {
        /// Why, for people.
        reason: String,
        /// What there was of a line that was not completed.
        half_line: Option<String>,
    },
}

/// A connection. Dropping it closes it.
pub struct Connection {
    out: Box<dyn Write + Send>,
    /// What is closed in the end.
    stream: Option<TcpStream>,
    /// How long it took to connect: about the way to the server and back.
    pub round_trip: Duration,
    last_sent: Instant,
}

/// A line that the server does not take within this time is lost, and the connection with it.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

impl Connection {
    /// Connects to `server`, a name or an address (IPv4 or IPv6), trying each of its addresses for `timeout`. What comes in
    /// is given to `each` by a thread of its own, `Incoming::Closed` last of all.
    ///
    /// # Errors
    /// When no address answers, or the name is not known.
    pub fn open(
        server: &str,
        port: u16,
        timeout: Duration,
        each: impl FnMut(Incoming) + Send + 'static,
    ) -> io::Result<Connection> {
        // An IPv6 address may be in brackets, as in a URL.
        let host = server.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(server);
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the server's name has no address");
        for address in (host, port).to_socket_addrs()? {
            let begin = Instant::now();
            match TcpStream::connect_timeout(&address, timeout) {
                Ok(stream) => return Connection::begin(stream, begin.elapsed(), each),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn begin(
        stream: TcpStream,
        round_trip: Duration,
        each: impl FnMut(Incoming) + Send + 'static,
    ) -> io::Result<Connection> {
        // A move must not wait for more to send.
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let (input, output) = (stream.try_clone()?, stream.try_clone()?);
        Builder::new().name("csa input".into()).spawn(move || read_all(input, each))?;
        let mut connection = Connection::over(Box::new(output), round_trip);
        connection.stream = Some(stream);
        Ok(connection)
    }

    /// A connection whose lines go to `out`, and whose round trip is known.
    pub fn over(out: Box<dyn Write + Send>, round_trip: Duration) -> Connection {
        Connection { out, stream: None, round_trip, last_sent: Instant::now() }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// When it cannot be sent: the connection is of no use any more.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.last_sent = Instant::now();
        // In one piece: a server may take a packet for a line.
        self.out.write_all(format!("{line}\n").as_bytes())
    }

    /// When the last line was sent, or the connection was made.
    pub fn last_sent(&self) -> Instant {
        self.last_sent
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The thread that reads ends then. A connection that is closed already has nothing to close.
        if let Some(stream) = &self.stream {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn read_all(mut input: impl Read, mut each: impl FnMut(Incoming)) {
    let mut splitter = LineSplitter::default();
    let mut buffer = [0; 4096];
    let reason = loop {
        match input.read(&mut buffer) {
            Ok(0) => break "the server has closed it".to_string(),
            Ok(count) => {
                let now = Instant::now();
                for line in splitter.add(&buffer[..count]) {
                    each(match line {
                        Line::Whole(text) => Incoming::Line(text, now),
                        Line::TooLong => Incoming::TooLong,
                    });
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break error.to_string(),
        }
    };
    each(Incoming::Closed { reason, half_line: splitter.rest() });
}
