//! Logins that the server has refused, and when that is enough.

/// The refused logins of a session.
#[derive(Clone, Default, Debug)]
pub struct Refusals {
    logins: u32,
    /// Whether a login was ever accepted: name and password are right then.
    was_accepted: bool,
}

impl Refusals {
    /// A login was accepted.
    pub fn accept(&mut self) {
        self.was_accepted = true;
    }

    /// A login was refused. `most` is how many may be before one is accepted; `None` where it is tried without end.
    /// Returns what to say of it, and how many logins there were where it was the last one.
    pub fn add(&mut self, most: Option<u32>) -> (String, Option<u32>) {
        self.logins += 1;
        let logins = self.logins;
        let limit = most.filter(|_| !self.was_accepted);
        let is_last = limit.is_some_and(|most| logins >= most);
        let then = match limit {
            Some(most) if is_last => format!("login {logins} of {most}, the last one"),
            Some(most) => format!("login {logins} of {most}, it is tried again"),
            None => "it is tried again until it is taken".to_string(),
        };
        let text = format!(
            "the login was refused: wrong name or password, or a name that is in play already: {then}"
        );
        (text, is_last.then_some(logins))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_session_with_an_end_that_was_never_logged_in_gives_up() {
        for (most, was_accepted, last) in
            [(Some(2), false, Some(2)), (None, false, None), (Some(2), true, None)]
        {
            let mut refusals = Refusals { was_accepted, ..Refusals::default() };
            assert_eq!(refusals.add(most).1, None);
            assert_eq!(refusals.add(most).1, last);
        }
    }
}
