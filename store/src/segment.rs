//! Moves in few bytes: two bits a direction, one to a few bytes a decision.
//!
//! A segment holds up to [`CAPACITY`] moves of one game: how many (one byte), length of its decisions (varint), the
//! directions (four a byte, the first in the lowest bits), the decisions. A decision is a byte of flags, what of
//! confidence, risk (two bytes each, in ten-thousandths) and latency (varint) there is, and its voice: source and reason.
//! The first seven voices of a segment are spelled out once and then named by their number, in the lowest bits of the flags.

use engine::Direction;

use crate::{Move, StoredDecision};

/// The most moves in one segment. A game's segments are full, but for the last.
pub(crate) const CAPACITY: usize = 64;

/// The number of a voice that is spelled out.
const SPELLED: u8 = 7;
const CONFIDENCE: u8 = 1 << 3;
const RISK: u8 = 1 << 4;
const LATENCY: u8 = 1 << 5;
const REASON: u8 = 1 << 6;
const FLAGS: u8 = SPELLED | CONFIDENCE | RISK | LATENCY | REASON;

/// Bytes that no segment was written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("these are not moves")]
pub(crate) struct NotMoves;

/// The decision as it is kept for every move.
pub(crate) fn brief(made: &Move) -> StoredDecision {
    let decision = &made.decision;
    StoredDecision {
        direction: Some(made.direction.index() as u8),
        source: decision.source.clone(),
        reason: decision.reason.clone(),
        detail: None,
        probabilities: None,
        confidence: decision.confidence.and_then(fixed).map(float),
        risk: decision.risk.and_then(fixed).map(float),
        latency_ms: decision.latency_ms,
    }
}

/// In ten-thousandths, as far as they go; `None` for what is no number.
fn fixed(value: f64) -> Option<u16> {
    #[expect(clippy::cast_sign_loss, reason = "clamped to the range of the type")]
    (!value.is_nan()).then(|| (value * 10_000.0).round().clamp(0.0, 65_535.0) as u16)
}

fn float(ten_thousandths: u16) -> f64 {
    f64::from(ten_thousandths) / 10_000.0
}

/// Who said why.
type Voice<'a> = (&'a str, Option<&'a str>);

/// A segment that grows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segment {
    directions: Vec<Direction>,
    decisions: Vec<u8>,
    voices: Vec<(String, Option<String>)>,
}

impl Segment {
    /// Reads one that fills `bytes`; no bytes are an empty one.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, NotMoves> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let mut rest = Bytes(bytes);
        let (directions, decisions) = rest.segment()?;
        let mut reader = Decisions::of(decisions);
        for _ in &directions {
            reader.next()?;
        }
        if !rest.0.is_empty() || !reader.rest.0.is_empty() {
            return Err(NotMoves);
        }
        let owned = |(source, reason): Voice<'_>| (source.to_owned(), reason.map(str::to_owned));
        let voices = reader.voices.into_iter().map(owned).collect();
        Ok(Self { directions, decisions: decisions.to_vec(), voices })
    }

    /// How many moves it holds.
    pub(crate) fn len(&self) -> usize {
        self.directions.len()
    }

    /// Adds a move; there must be room.
    pub(crate) fn push(&mut self, made: &Move) {
        debug_assert!(self.len() < CAPACITY, "a full segment is stored, and another begun");
        let StoredDecision { source, reason, confidence, risk, latency_ms, .. } = &made.decision;
        self.directions.push(made.direction);
        let known = self.voices.iter().position(|(s, r)| s == source && r == reason);
        let (confidence, risk) = (confidence.and_then(fixed), risk.and_then(fixed));
        let flag = |there: bool, bit: u8| if there { bit } else { 0 };
        self.decisions.push(
            known.map_or(SPELLED, |number| number as u8)
                | flag(confidence.is_some(), CONFIDENCE)
                | flag(risk.is_some(), RISK)
                | flag(latency_ms.is_some(), LATENCY)
                | flag(known.is_none() && reason.is_some(), REASON),
        );
        for number in [confidence, risk].into_iter().flatten() {
            self.decisions.extend(number.to_le_bytes());
        }
        if let Some(latency) = *latency_ms {
            varint(&mut self.decisions, latency);
        }
        if known.is_none() {
            for text in [Some(source), reason.as_ref()].into_iter().flatten() {
                varint(&mut self.decisions, text.len() as u64);
                self.decisions.extend(text.as_bytes());
            }
            if self.voices.len() < usize::from(SPELLED) {
                self.voices.push((source.clone(), reason.clone()));
            }
        }
    }

    /// It, as it is stored.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4 + CAPACITY / 4 + self.decisions.len());
        if self.directions.is_empty() {
            return bytes;
        }
        bytes.push(self.len() as u8);
        varint(&mut bytes, self.decisions.len() as u64);
        for four in self.directions.chunks(4) {
            bytes.push(four.iter().rev().fold(0, |byte, way| byte << 2 | way.index() as u8));
        }
        bytes.extend(&self.decisions);
        bytes
    }
}

/// `moves` as segments that follow on each other.
pub(crate) fn of(moves: &[Move]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for moves in moves.chunks(CAPACITY) {
        let mut segment = Segment::default();
        for made in moves {
            segment.push(made);
        }
        bytes.extend(segment.to_bytes());
    }
    bytes
}

/// The directions of segments that follow on each other.
pub(crate) fn directions(bytes: &[u8]) -> Result<Vec<Direction>, NotMoves> {
    let mut rest = Bytes(bytes);
    let mut all = Vec::new();
    while !rest.0.is_empty() {
        all.extend(rest.segment()?.0);
    }
    Ok(all)
}

/// The moves of segments that follow on each other, without the first `skip` and at most `take`.
pub(crate) fn moves(bytes: &[u8], skip: usize, take: usize) -> Result<Vec<Move>, NotMoves> {
    let mut rest = Bytes(bytes);
    let (mut at, mut all) = (0, Vec::new());
    while !rest.0.is_empty() && all.len() < take {
        let (directions, decisions) = rest.segment()?;
        let begin = at;
        at += directions.len();
        if at <= skip {
            continue;
        }
        let mut reader = Decisions::of(decisions);
        for (number, direction) in (begin..).zip(directions) {
            let decided = reader.next()?;
            if number >= skip && all.len() < take {
                all.push(decided.with(direction));
            }
        }
    }
    Ok(all)
}

fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What is left to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NotMoves> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(NotMoves)?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, NotMoves> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64, NotMoves> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(NotMoves)
    }

    fn length(&mut self) -> Result<usize, NotMoves> {
        usize::try_from(self.varint()?).or(Err(NotMoves))
    }

    fn ten_thousandths(&mut self) -> Result<f64, NotMoves> {
        let bytes = self.take(2)?;
        Ok(float(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    fn text(&mut self) -> Result<&'a str, NotMoves> {
        let length = self.length()?;
        str::from_utf8(self.take(length)?).or(Err(NotMoves))
    }

    /// The next segment's directions, and the bytes of its decisions.
    fn segment(&mut self) -> Result<(Vec<Direction>, &'a [u8]), NotMoves> {
        let count = usize::from(self.byte()?);
        if count == 0 || count > CAPACITY {
            return Err(NotMoves);
        }
        let length = self.length()?;
        let packed = self.take(count.div_ceil(4))?;
        let direction =
            |n: usize| Direction::from_index(usize::from(packed[n / 4] >> (n % 4 * 2) & 3));
        let directions = (0..count).map(direction).collect::<Option<_>>().ok_or(NotMoves)?;
        Ok((directions, self.take(length)?))
    }
}

/// The decisions of one segment, read one after the other.
struct Decisions<'a> {
    rest: Bytes<'a>,
    /// Those that have been spelled out, and may be named by their number.
    voices: Vec<Voice<'a>>,
}

/// What one decision says.
struct Decided<'a> {
    voice: Voice<'a>,
    confidence: Option<f64>,
    risk: Option<f64>,
    latency_ms: Option<u64>,
}

impl<'a> Decisions<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { rest: Bytes(bytes), voices: Vec::new() }
    }

    fn next(&mut self) -> Result<Decided<'a>, NotMoves> {
        let rest = &mut self.rest;
        let flags = rest.byte()?;
        if flags & !FLAGS != 0 {
            return Err(NotMoves);
        }
        let confidence = (flags & CONFIDENCE != 0).then(|| rest.ten_thousandths()).transpose()?;
        let risk = (flags & RISK != 0).then(|| rest.ten_thousandths()).transpose()?;
        let latency_ms = (flags & LATENCY != 0).then(|| rest.varint()).transpose()?;
        let number = flags & SPELLED;
        let voice = if number == SPELLED {
            let source = rest.text()?;
            let reason = (flags & REASON != 0).then(|| rest.text()).transpose()?;
            if self.voices.len() < usize::from(SPELLED) {
                self.voices.push((source, reason));
            }
            (source, reason)
        } else {
            *self.voices.get(usize::from(number)).ok_or(NotMoves)?
        };
        Ok(Decided { voice, confidence, risk, latency_ms })
    }
}

impl Decided<'_> {
    fn with(self, direction: Direction) -> Move {
        let (source, reason) = self.voice;
        let decision = StoredDecision {
            direction: Some(direction.index() as u8),
            source: source.to_owned(),
            reason: reason.map(str::to_owned),
            detail: None,
            probabilities: None,
            confidence: self.confidence,
            risk: self.risk,
            latency_ms: self.latency_ms,
        };
        Move { direction, decision }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_move() -> impl Strategy<Value = Move> {
        let voice = prop_oneof![Just("human".to_owned()), Just("mcts".to_owned()), ".{0,12}"];
        let reason = prop::option::of(prop_oneof![Just("no legal moves".to_owned()), ".{0,12}"]);
        let number = || prop::option::of(0.0..2.0);
        (0..4_usize, voice, reason, number(), number(), any::<Option<u64>>()).prop_map(
            |(way, source, reason, confidence, risk, latency_ms)| Move {
                direction: Direction::ALL[way],
                decision: StoredDecision {
                    direction: Some(way as u8),
                    source,
                    reason,
                    detail: Some("said".to_owned()),
                    probabilities: Some([None; 4]),
                    confidence,
                    risk,
                    latency_ms,
                },
            },
        )
    }

    proptest! {
        #[test]
        fn moves_come_back_as_they_were_but_in_brief(all in prop::collection::vec(any_move(), 0..200), skip in 0..210_usize, take in 0..210_usize) {
            let mut bytes = Vec::new();
            for chunk in all.chunks(CAPACITY) {
                let mut segment = Segment::default();
                for made in chunk {
                    // As a session does it: read what is stored, add one, store it again.
                    segment = Segment::from_bytes(&segment.to_bytes()).unwrap();
                    segment.push(made);
                }
                bytes.extend(segment.to_bytes());
            }
            let brief: Vec<_> = all.iter().map(|made| Move { direction: made.direction, decision: brief(made) }).collect();
            prop_assert_eq!(directions(&bytes).unwrap(), all.iter().map(|made| made.direction).collect::<Vec<_>>());
            let expected: Vec<_> = brief.into_iter().skip(skip).take(take).collect();
            prop_assert_eq!(moves(&bytes, skip, take).unwrap(), expected);
        }

        #[test]
        fn rubbish_is_refused_or_read_but_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Ok(read) = moves(&bytes, 0, usize::MAX) {
                prop_assert_eq!(directions(&bytes).unwrap().len(), read.len());
            }
        }
    }

    #[test]
    fn a_persons_move_takes_less_than_two_bytes() {
        let mut segment = Segment::default();
        for way in Direction::ALL.into_iter().cycle().take(CAPACITY) {
            let decision = StoredDecision::bare(Some(way), "human");
            segment.push(&Move { direction: way, decision });
        }
        assert!(segment.to_bytes().len() < 2 * CAPACITY, "{} bytes", segment.to_bytes().len());
    }
}
