//! Work that several threads share.

use std::thread::Builder;

use parking_lot::Mutex;

/// `work` on each of `tasks`, by up to `threads` threads at once, of which this one is one; the results are in the order of
/// the tasks. The threads there are do the work of one that the system refuses.
///
/// # Panics
/// When `work` panics.
pub fn share_out<T: Send, R: Send>(
    threads: usize,
    tasks: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    share_out_with(Builder::new, threads, tasks, work)
}

/// The same with threads that `builder` makes.
fn share_out_with<T: Send, R: Send>(
    builder: impl Fn() -> Builder,
    threads: usize,
    tasks: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let tasks = Mutex::new(tasks.into_iter().enumerate());
    let results = Mutex::new(Vec::new());
    let share = || {
        loop {
            let Some((number, task)) = tasks.lock().next() else { break };
            let result = work(task);
            results.lock().push((number, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if builder().spawn_scoped(scope, share).is_err() {
                break;
            }
        }
        share();
    });
    let mut results = results.into_inner();
    results.sort_unstable_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        for threads in [0, 1, 3, 8] {
            let squares = share_out(threads, 0..50_u32, |number| number * number);
            assert!(squares.into_iter().eq((0..50).map(|number| number * number)), "{threads} threads");
        }
        assert!(share_out(2, std::iter::empty::<()>(), |()| ()).is_empty());
    }

    #[test]
    fn tasks_may_change_what_they_are_given() {
        let mut numbers = [1, 2, 3];
        share_out(2, &mut numbers, |number| *number *= 10);
        assert_eq!(numbers, [10, 20, 30]);
    }

    #[test]
    fn threads_that_the_system_refuses_are_done_without() {
        // No system has room for such a stack.
        let refused = || Builder::new().stack_size(1 << 60);
        assert_eq!(share_out_with(refused, 4, 0..3, |number| number + 1), [1, 2, 3]);
    }
}
