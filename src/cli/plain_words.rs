//! What is wrong with the arguments, in words for people: the parsers of the language say "invalid digit found in string".

use std::io::Write;
use std::process::exit as end;

/// What the parsers of numbers say, and what was expected.
const WORDS: [(&str, &str); 7] = [
    ("invalid digit found in string", "expected a whole number"),
    ("cannot parse integer from empty string", "expected a whole number"),
    ("number too large to fit in target type", "the number is too large"),
    ("number too small to fit in target type", "the number is too small"),
    ("number would be zero for non-zero type", "expected a whole number from 1"),
    ("invalid float literal", "expected a number"),
    ("cannot parse float from empty string", "expected a number"),
];

/// Ends the program, after saying what is wrong with the arguments, or the help that was asked for.
pub fn exit(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let plain = in_plain_words(&text);
    if plain == text {
        error.exit();
    }
    // There is nowhere else to complain.
    let _ = std::io::stderr().write_all(plain.as_bytes());
    end(error.exit_code())
}

fn in_plain_words(text: &str) -> String {
    WORDS.iter().fold(text.to_string(), |text, (theirs, ours)| text.replace(theirs, ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parser_of_numbers_is_put_in_plain_words() {
        let errors = [
            "x".parse::<u64>().unwrap_err().to_string(),
            "".parse::<u64>().unwrap_err().to_string(),
            "300".parse::<u8>().unwrap_err().to_string(),
            "-300".parse::<i8>().unwrap_err().to_string(),
            "0".parse::<std::num::NonZero<u8>>().unwrap_err().to_string(),
            "x".parse::<f64>().unwrap_err().to_string(),
            "".parse::<f64>().unwrap_err().to_string(),
        ];
        for error in errors {
            let plain = in_plain_words(&error);
            assert!(plain.contains("expected") || plain.contains("the number is too"), "{plain}");
        }
    }
}
