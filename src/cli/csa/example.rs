//! The example of a file of settings.

/// Every setting, with what it does.
pub const TEXT: &str = r##"# Settings of `jitsugen csa`. Options of the command line count more than this file.

# The server, a name or an address (IPv4 or IPv6), and its port.
server = "wdoor.c.u-tokyo.ac.jp"
port = 4081

# Letters, digits, _ and -, up to 32.
name = "jitsugen-test"

# Without it the password is taken from the environment variable JITSUGEN_CSA_PASSWORD, or else asked for. The protocol
# sends it as plain text: choose one that you use nowhere else. On floodgate the kind of game stands before it.
#password = "floodgate-300-10F,something-of-your-own"

# The session ends after so many games; 0 plays without end.
games = 0

# Think on the opponent's time. It counts more than USI_Ponder below [options].
ponder = true

# An opening book in the YANEURAOU-DB2016 format (.db); "no_book" for none. Without this it is the built-in one.
#book = "book/user_book.db"

# Send value and line with each move: "auto" on floodgate only, "always" or "never". Records have them in any case.
comments = "auto"

# The folder for the records of games. A record that is there is never replaced.
records = "records"

# A file to which everything is logged, every line of the protocol with it, but no password.
#log = "csa.log"

# Milliseconds that are kept back for each move, beside what is measured of the way to the server.
margin = 200

# Seconds of silence after which a blank line is sent, so that the connection stays open; 30 to 3600.
keep_alive = 60

# The options of the engine, by their names in USI (docs/guide/options.md).
[options]
#Threads = 4
#USI_Hash = 1024
#ResignValue = 3000
"##;
