//! Many sessions at once: created, shared out over connections, checked at the end.

use std::time::Duration;

use anyhow::Context as _;
use client::Client;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use indicatif::{ProgressBar, ProgressStyle};
use protocol::{CreateSession, Seed};
use rand::RngExt as _;

use crate::{place::Place, report::Report, seat::Seat, wire::Wire};

/// Calls that are under way at once while sessions are made and checked.
const AT_ONCE: usize = 64;

/// A bar on the terminal for something with `length` parts; none where standard error is no terminal.
pub(crate) fn progress(what: &'static str, length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:>12} {wide_bar} {pos}/{len} {eta:>4}");
    let bar = ProgressBar::new(length).with_message(what);
    bar.enable_steady_tick(Duration::from_millis(500));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Creates `count` sessions, each with a seed of its own.
///
/// # Errors
/// - When one cannot be created.
pub(crate) async fn seats(client: &Client, count: usize) -> anyhow::Result<Vec<Seat>> {
    let base: u64 = rand::rng().random();
    let bar = progress("creating", count as u64);
    let created = stream::iter(0..count as u64)
        .map(|number| {
            let bar = &bar;
            async move {
                let seed = base.wrapping_add(number);
                let request = CreateSession { seed: Some(Seed(seed)), name: None };
                let created = client.create_session(&request).await.context("create a session")?;
                bar.inc(1);
                anyhow::Ok(Seat::new(created, seed))
            }
        })
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await;
    bar.finish_and_clear();
    created
}

/// Shares `seats` out, the first to the first and so on.
pub(crate) fn shares(seats: Vec<Seat>, connections: usize) -> Vec<Vec<Seat>> {
    let mut shares: Vec<Vec<Seat>> = Vec::new();
    shares.resize_with(connections, Vec::new);
    for (number, seat) in seats.into_iter().enumerate() {
        shares[number % connections].push(seat);
    }
    shares
}

/// What is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Where each session is.
    States,
    /// Where each session is, and every stored game.
    Games,
}

/// Whether every session is as it was acknowledged; what is not becomes a fault.
///
/// # Errors
/// - When the server cannot be reached.
pub(crate) async fn check<'a>(
    place: impl Into<Place>,
    seats: impl Iterator<Item = &'a Seat>,
    look: Look,
    report: &mut Report,
) -> anyhow::Result<()> {
    let place = &place.into();
    let mut groups: Vec<Vec<&Seat>> = vec![Vec::new(); AT_ONCE];
    seats.enumerate().for_each(|(number, seat)| groups[number % AT_ONCE].push(seat));
    let found = stream::iter(groups)
        .map(|group| async move {
            let mut wire = Wire::open(place.clone()).await?;
            let mut faults = Vec::new();
            for seat in group {
                let mut outcome = seat.check_state(&mut wire).await;
                if outcome.is_ok() && look == Look::Games {
                    outcome = seat.check_games(&mut wire).await;
                }
                faults.extend(outcome.err());
            }
            anyhow::Ok(faults)
        })
        .buffer_unordered(AT_ONCE)
        .try_collect::<Vec<_>>()
        .await?;
    found.into_iter().flatten().for_each(|fault| report.fault(format!("{fault:#}")));
    Ok(())
}
