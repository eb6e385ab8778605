//! How much memory the machine can give.

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// How many of the `asked` MiB the machine can give that says how many are `available`, when `held` MiB of ours are
/// freed; and what a person should be told where these are fewer.
///
/// Systems promise memory that they do not have, and end a process that then uses it. So this goes by what is
/// [`available`].
pub fn affordable(asked: usize, held: usize, available: Option<usize>) -> (usize, Option<String>) {
    let Some(available) = available else { return (asked, None) };
    let granted = within(asked, held, available);
    let message = || {
        format!(
            "not enough memory for {asked} MiB: {} MiB are available, {granted} MiB are used",
            available + held
        )
    };
    (granted, (granted < asked).then(message))
}

/// What a person should be told where the system has given `bytes` bytes of `asked` MiB: what is lost because parts are
/// whole is less than a MiB.
pub fn withheld(asked: usize, bytes: usize) -> Option<String> {
    let message = || format!("the system has not given {asked} MiB: {} MiB are used", bytes >> 20);
    (bytes + (1 << 20) <= asked << 20).then(message)
}

/// MiB that are granted, however little the system says it has: there is no playing without some.
const LEAST: usize = 16;

/// How many of the `asked` MiB are granted where `available` are: a sixteenth is left alone. What is held already is
/// there in any case.
fn within(asked: usize, held: usize, available: usize) -> usize {
    let all = available + held;
    asked.min((all - all / 16).max(held).max(LEAST))
}

/// MiB that are available beside what else is in memory; `None` where the system does not tell.
pub fn available() -> Option<usize> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    if system.total_memory() == 0 {
        return None;
    }
    // What holds for all processes that we see (a container), and for the group that ours is in (a batch system's or a
    // service manager's limit). What a group has in memory of files is given back when it is wanted, as the system's own
    // figure has it. The group's figure of what is free has it not: it falls to nothing as files are read.
    let own = get_current_pid().ok().and_then(|pid| {
        let of = ProcessesToUpdate::Some(&[pid]);
        system.refresh_processes_specifics(of, false, ProcessRefreshKind::nothing());
        system.process(pid)?.cgroup_limits()
    });
    let groups = [system.cgroup_limits(), own].into_iter().flatten();
    let least = groups.map(|group| group.total_memory.saturating_sub(group.rss)).min();
    Some((system.available_memory().min(least.unwrap_or(u64::MAX)) >> 20) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more_than_the_machine_has() {
        let available = available();
        assert_eq!(affordable(1, 0, available), (1, None));
        let (all, message) = affordable(usize::MAX >> 20, 0, available);
        assert!(all < 1 << 40, "{all} MiB");
        assert!(message.is_some_and(|text| text.ends_with(&format!("available, {all} MiB are used"))));
        assert!(affordable(usize::MAX >> 20, 1000, available).0 > all / 2);
    }

    #[test]
    fn what_is_available_is_granted_but_for_a_sixteenth() {
        for (asked, held, available, granted) in [
            (512, 0, 100_000, 512),
            (1 << 20, 0, 1600, 1500),
            (1 << 20, 600, 1000, 1500),
            // With nothing left there is what is held already, or little.
            (512, 0, 0, 16),
            (8, 0, 0, 8),
            (512, 256, 0, 256),
            (128, 256, 0, 128),
            (512, 256, 8, 256),
        ] {
            assert_eq!(within(asked, held, available), granted, "{asked}, {held}, {available}");
        }
    }
}
