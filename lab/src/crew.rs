//! Threads for players that search on several.

use std::thread;

use players::Crew;

/// So many threads, started anew for each thought: some tens of microseconds.
#[derive(Debug)]
pub(crate) struct Threads(pub(crate) usize);

impl Crew for Threads {
    fn size(&self) -> usize {
        self.0
    }

    fn run<'a>(&self, jobs: Vec<Box<dyn FnOnce() + Send + 'a>>) {
        thread::scope(|scope| {
            let mut jobs = jobs.into_iter();
            // The first one is done here.
            let first = jobs.next();
            for job in jobs {
                scope.spawn(job);
            }
            if let Some(job) = first {
                job();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn jobs_are_done_at_the_same_time_and_all_before_the_end() {
        // Each waits for the others: one after the other would never end.
        let together = Barrier::new(3);
        let mut done = [false; 3];
        let jobs = done.iter_mut().map(|done| -> Box<dyn FnOnce() + Send> {
            Box::new(|| {
                together.wait();
                *done = true;
            })
        });
        Threads(3).run(jobs.collect());
        assert_eq!(done, [true; 3]);
    }
}
