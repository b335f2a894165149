//! The transcript of what was exchanged with the hosted model: on standard output as a stream for `jq`, and the newest
//! of it in memory for the page.
//!
//! It is off unless it was asked for; then no record is even made.

use std::{
    borrow::Borrow,
    collections::VecDeque,
    io::Write,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{SyncSender, TrySendError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::value::RawValue;
use store::SessionId;

use crate::jev::record::{Record, pretty};

/// Records of one session that are kept.
pub const KEPT: usize = 200;

/// Records of all sessions that are kept, some ten megabytes.
const KEPT_IN_ALL: usize = 2_000;

/// Records that may wait to be printed. A reader that is slower than this loses some, and is told so.
const WAITING: usize = 1_000;

/// How long the last records are given to be printed.
const LAST: Duration = Duration::from_secs(1);

/// Where records go. Clones are the same transcript.
#[derive(Clone, Default)]
pub struct Transcript(Option<Arc<Book>>);

struct Book {
    kept: Mutex<VecDeque<Kept>>,
    printer: Option<Printer>,
}

struct Kept {
    session: SessionId,
    json: Box<RawValue>,
}

impl Transcript {
    /// No transcript.
    pub fn off() -> Self {
        Self(None)
    }

    /// One that is kept, and not printed.
    pub fn kept() -> Self {
        Self(Some(Arc::new(Book { kept: Mutex::default(), printer: None })))
    }

    /// One that is kept, and printed to `output`.
    ///
    /// # Errors
    /// - When there is no thread to print it.
    pub fn printed(output: impl Write + Send + 'static) -> std::io::Result<Self> {
        let printer = Some(Printer::start(output)?);
        Ok(Self(Some(Arc::new(Book { kept: Mutex::default(), printer }))))
    }

    /// Whether records are made at all.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Takes the record that `make` makes, if there is a transcript.
    ///
    /// # Panics
    /// Never: a record is text and numbers.
    pub fn add<R: Borrow<Record>>(&self, make: impl FnOnce() -> R) {
        let Some(book) = &self.0 else { return };
        let told = make();
        let record = told.borrow();
        let session = SessionId::new(record.session.clone());
        let json =
            serde_json::value::to_raw_value(record).expect("a record can be written as JSON");
        if let Some(printer) = &book.printer {
            printer.print(format!("{}\n", pretty(json.get())));
        }
        book.keep(Kept { session, json });
    }

    /// The newest records of `session`, at most `limit`, the newest first.
    pub fn of(&self, session: &SessionId, limit: usize) -> Vec<Box<RawValue>> {
        let Some(book) = &self.0 else { return Vec::new() };
        let kept = book.kept();
        let newest = kept.iter().rev().filter(|kept| kept.session == *session);
        newest.take(limit).map(|kept| kept.json.clone()).collect()
    }

    /// Prints what still waits, and nothing after that. Waits a moment for a reader that is slow, and blocks meanwhile.
    pub fn close(&self) {
        if let Some(printer) = self.0.as_ref().and_then(|book| book.printer.as_ref()) {
            printer.close();
        }
    }
}

impl std::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Transcript").field(&self.is_on()).finish()
    }
}

impl Book {
    fn keep(&self, newest: Kept) {
        let mut kept = self.kept();
        let of_session = kept.iter().filter(|kept| kept.session == newest.session).count();
        let oldest = if of_session >= KEPT {
            kept.iter().position(|kept| kept.session == newest.session)
        } else {
            (kept.len() >= KEPT_IN_ALL).then_some(0)
        };
        oldest.map(|oldest| kept.remove(oldest));
        kept.push_back(newest);
    }

    /// The list is whole even if somebody panicked: each change of it is one step.
    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread of its own that prints, so that a reader who stops reading holds up nobody.
struct Printer {
    records: Mutex<Option<SyncSender<String>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    loses: AtomicBool,
}

impl Printer {
    fn start(mut output: impl Write + Send + 'static) -> std::io::Result<Self> {
        let (sender, records) = sync_channel::<String>(WAITING);
        let thread = thread::Builder::new().name("transcript".to_owned()).spawn(move || {
            for record in records {
                let printed = output.write_all(record.as_bytes()).and_then(|()| output.flush());
                if let Err(error) = printed {
                    tracing::warn!(%error, "nobody reads the transcript any more");
                    return;
                }
            }
        })?;
        let (records, thread) = (Mutex::new(Some(sender)), Mutex::new(Some(thread)));
        Ok(Self { records, thread, loses: AtomicBool::new(false) })
    }

    fn print(&self, record: String) {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = records.as_ref().map(|records| records.try_send(record));
        let loses = matches!(sent, Some(Err(TrySendError::Full(_))));
        if loses && !self.loses.swap(loses, Ordering::Relaxed) {
            tracing::warn!("the reader of the transcript is too slow; some of it is not printed");
        }
    }

    fn close(&self) {
        drop(self.records.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let begun = Instant::now();
        while thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            if begun.elapsed() > LAST {
                tracing::warn!("the end of the transcript was not read");
                return;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(session: &str, move_number: u32) -> Record {
        let outcome = "not asked: only one legal move".to_owned();
        Record { session: session.to_owned(), move_number, outcome, ..Record::default() }
    }

    fn numbers(transcript: &Transcript, session: &str) -> Vec<u64> {
        let records = transcript.of(&SessionId::new(session), usize::MAX);
        let read = |json: Box<RawValue>| serde_json::from_str::<serde_json::Value>(json.get());
        records
            .into_iter()
            .map(|json| read(json).unwrap()["move_number"].as_u64().unwrap())
            .collect()
    }

    #[test]
    fn without_a_transcript_no_record_is_made() {
        let off = Transcript::off();
        off.add(|| -> Record { panic!("a record is made") });
        assert!(!off.is_on() && off.of(&SessionId::new("main"), 1).is_empty());
        off.close();
    }

    #[test]
    fn the_last_200_of_a_session_are_kept_newest_first() {
        let transcript = Transcript::kept();
        transcript.add(|| record("other", 7));
        (1..=KEPT as u32 + 50).for_each(|number| transcript.add(|| record("main", number)));
        let expected: Vec<_> = (51..=KEPT as u64 + 50).rev().collect();
        assert_eq!(numbers(&transcript, "main"), expected);
        assert_eq!(numbers(&transcript, "other"), [7]);
        assert_eq!(transcript.of(&SessionId::new("main"), 3).len(), 3);
    }

    #[test]
    fn many_sessions_together_keep_no_more_than_that() {
        let transcript = Transcript::kept();
        let names: Vec<_> = (0..=KEPT_IN_ALL).map(|number| number.to_string()).collect();
        for name in &names {
            transcript.add(|| record(name, 1));
        }
        assert_eq!((numbers(&transcript, "0").len(), numbers(&transcript, "1").len()), (0, 1));
    }

    /// An output that blocks until it may go on.
    struct Blocked(std::sync::mpsc::Receiver<()>, Arc<Mutex<Vec<u8>>>);

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.recv().map_err(std::io::Error::other)?;
            self.1.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_does_not_read_holds_up_nobody() {
        let (go_on, blocked) = sync_channel(0);
        let read = Arc::<Mutex<Vec<u8>>>::default();
        let transcript = Transcript::printed(Blocked(blocked, Arc::clone(&read))).unwrap();
        (0..WAITING as u32 * 2).for_each(|number| transcript.add(|| record("main", number)));
        assert_eq!(numbers(&transcript, "main").len(), KEPT);
        drop(go_on);
        transcript.close();
        assert!(read.lock().unwrap().is_empty(), "its output failed");
    }

    #[test]
    fn what_was_added_is_printed_before_the_end() {
        let (go_on, blocked) = sync_channel(100);
        let read = Arc::<Mutex<Vec<u8>>>::default();
        let transcript = Transcript::printed(Blocked(blocked, Arc::clone(&read))).unwrap();
        (0..50).for_each(|number| transcript.add(|| record("main", number)));
        (0..50).for_each(|_| go_on.send(()).unwrap());
        transcript.close();
        let text = String::from_utf8(read.lock().unwrap().clone()).unwrap();
        let values = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
        let moves: Vec<_> = values.map(|value| value.unwrap()["move_number"].clone()).collect();
        assert_eq!(moves, (0..50).map(serde_json::Value::from).collect::<Vec<_>>());
    }
}
