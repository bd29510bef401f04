//! The same work on many items, on several threads.

use std::sync::Mutex;
use std::thread;

/// More threads would only cost memory: no result depends on their number.
const MOST: u64 = 256;

/// Does `work` on every item. The results come in the order of the items, whichever thread they
/// came from.
pub fn map<T: Send, R: Send>(
    threads: u64,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.enumerate());
    let next = || {
        queue
            .lock()
            .expect("no thread panics with the queue")
            .next()
    };
    let worker = || {
        let mut done = Vec::new();
        while let Some((index, item)) = next() {
            done.push((index, work(item)));
        }
        done
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.clamp(1, MOST))
            .map(|_| scope.spawn(worker))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("a worker does not panic"))
            .collect()
    });
    done.sort_unstable_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// As many threads as there are cores.
pub fn cores() -> u64 {
    thread::available_parallelism().map_or(1, |n| n.get() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 9] {
            let squares = map(threads, 0..100, |n: u64| n * n);
            assert_eq!(squares, (0..100).map(|n| n * n).collect::<Vec<_>>());
        }
    }
}
