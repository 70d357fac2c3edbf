//! Work for every processor.

/// Does the same work on a thread for each processor; returns the results.
///
/// # Panics
/// When the work does.
pub fn on_every_processor<T: Send>(work: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(&work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("the work does not panic")).collect()
    })
}
