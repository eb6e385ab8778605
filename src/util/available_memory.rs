//! How much memory this process can still use.

use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// What the limits leave to this process, in bytes.
///
/// Systems promise memory that they do not have, and end a process that then uses it, without a word. So these figures are
/// asked for before much memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AvailableMemory {
    /// What the machine has, without what it would have to write to a disk.
    pub machine: u64,
    /// What it can write to a disk to have more.
    pub swap: u64,
    /// What the limits of groups leave: that of a container, of a batch system or a service manager, and of the groups
    /// that these are in. `None` without a limit.
    pub group: Option<u64>,
    /// The addresses that a shell or a batch system leaves (`ulimit -v`). What is beyond is refused, also a few bytes in the
    /// middle of a search, which ends the process. `None` without a limit.
    pub addresses: Option<u64>,
}

impl AvailableMemory {
    /// What is available now; `None` where the system does not say.
    pub fn now() -> Option<AvailableMemory> {
        let mut system = System::new().ok()?;
        system.refresh_memory();
        if system.total_memory() == 0 {
            return None;
        }
        let pid = get_current_pid().ok();
        let refreshed = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(pid.as_slice()), false, refreshed);
        let own = pid.and_then(|pid| system.process(pid));
        // What all processes have that we see (a container), and our own group. A group's memory of files is given back
        // when it is wanted, and the system's own figure counts it as free. The group's figure of free memory does not: it
        // falls to nothing as files are read.
        let groups = [system.cgroup_limits(), own.and_then(|own| own.cgroup_limits())].into_iter().flatten();
        let limit = address_space();
        Some(AvailableMemory {
            machine: system.available_memory(),
            swap: system.free_swap(),
            group: groups.map(|group| group.total_memory.saturating_sub(group.rss)).min(),
            addresses: own.filter(|_| limit < u64::MAX).map(|own| limit.saturating_sub(own.virtual_memory())),
        })
    }

    /// Bytes for something that may as well be smaller: no more than is in memory for sure. `addresses` are kept back, and so
    /// is memory for `mapped` bytes of files, which the system would give away and have to read again.
    pub fn at_ease(&self, addresses: u64, mapped: u64) -> u64 {
        let memory = self.group.into_iter().fold(self.machine, u64::min).saturating_sub(mapped);
        self.addresses.into_iter().map(|limit| limit.saturating_sub(addresses)).fold(memory, u64::min)
    }

    /// Bytes for something that cannot be smaller: as much as there is before the system ends this process. Other systems
    /// than Linux find memory that they do not count.
    pub fn at_most(&self) -> u64 {
        let machine =
            if cfg!(target_os = "linux") { self.machine.saturating_add(self.swap) } else { u64::MAX };
        [self.group, self.addresses].into_iter().flatten().fold(machine, u64::min)
    }
}

/// The bytes of addresses that this process may use.
fn address_space() -> u64 {
    #[cfg(unix)]
    if let Ok((limit, _)) = rlimit::Resource::AS.get() {
        return limit;
    }
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_limit_counts() {
        let free = AvailableMemory { machine: 4000, swap: 1000, group: None, addresses: None };
        assert_eq!((free.at_ease(100, 0), free.at_ease(100, 900)), (4000, 3100));
        let grouped = AvailableMemory { group: Some(600), ..free };
        assert_eq!((grouped.at_ease(100, 200), grouped.at_most()), (400, 600));
        let limited = AvailableMemory { addresses: Some(500), ..grouped };
        assert_eq!((limited.at_ease(100, 50), limited.at_most()), (400, 500));
        assert_eq!((limited.at_ease(1000, 0), limited.at_ease(0, 1000)), (0, 0));
        if cfg!(target_os = "linux") {
            assert_eq!(free.at_most(), 5000);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri does not know what the system is asked")]
    fn this_machine_has_memory() {
        let now = AvailableMemory::now().expect("the system says what it has");
        assert!(now.at_ease(0, 0) > 1 << 20 && now.at_most() >= now.at_ease(0, 0), "{now:?}");
    }
}
