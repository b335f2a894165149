//! The place of an exchange in the transcript, until it is known what became of it.
//!
//! An answer may wait for its time to be played, and a call may end with its server: what was not played is told as
//! cancelled, whoever drops it.

use std::sync::atomic::{AtomicBool, Ordering};

use super::record::Record;
use crate::transcript::Transcript;

/// What came of an exchange whose move was not played.
const CANCELLED: &str = "cancelled";

/// The record of an exchange, told once: with its outcome, or else as cancelled when the last who could play it lets go.
#[derive(Debug)]
pub struct Entry {
    transcript: Transcript,
    record: Record,
    told: AtomicBool,
}

impl Entry {
    /// A place for the record that `make` makes; `None` when there is no transcript, and then none is made.
    pub fn open(transcript: &Transcript, make: impl FnOnce() -> Record) -> Option<Self> {
        transcript.is_on().then(|| Self {
            transcript: transcript.clone(),
            record: make(),
            told: AtomicBool::new(false),
        })
    }

    /// The record, to be completed.
    pub fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    /// Tells the record with its outcome: the move is played, or was only advice.
    pub fn told(&self) {
        if !self.told.swap(true, Ordering::Relaxed) {
            self.transcript.add(|| &self.record);
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if !*self.told.get_mut() {
            CANCELLED.clone_into(&mut self.record.outcome);
            self.transcript.add(|| &self.record);
        }
    }
}

#[cfg(test)]
mod tests {
    use store::SessionId;

    use super::*;

    fn record() -> Record {
        Record { session: "main".to_owned(), outcome: "played UP".to_owned(), ..Record::default() }
    }

    fn outcomes(transcript: &Transcript) -> Vec<String> {
        let records = transcript.of(&SessionId::new("main"), usize::MAX).into_iter();
        let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
        records.map(|json| read(json.get())["outcome"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn it_is_told_once_as_what_became_of_it() {
        let transcript = Transcript::kept();
        let played = Entry::open(&transcript, record).unwrap();
        played.told();
        played.told();
        drop(played);
        assert_eq!(outcomes(&transcript), ["played UP"]);
        drop(Entry::open(&transcript, record));
        assert_eq!(outcomes(&transcript), ["cancelled", "played UP"]);
    }

    #[test]
    fn without_a_transcript_there_is_none() {
        assert!(Entry::open(&Transcript::off(), || panic!("a record is made")).is_none());
    }
}
