//! The player that asks a hosted model: the engine does the arithmetic, the model judges.
//!
//! What is pure comes first: [`state`] measures a position by playing on copies, [`question`] puts it into a request,
//! [`answer`] reads a reply, [`verdict`] says what follows from it, [`ledger`] counts what may still be asked
//! ([`daybook`] keeps the day's count),
//! [`record`] is the transcript of one exchange and [`entry`] its place
//! there. Then [`call`] speaks to the service, and [`desk`] joins them.
//!
//! The key is a [`Secret`]: nothing prints it, and only the one header of [`call`] sees it.

use std::{path::Path, sync::Arc};

pub use self::{
    desk::{Desk, Workplace},
    key::KeySource,
    secret::Secret,
    settings::Settings,
};
use crate::{clock::Clock, metrics::Metrics, transcript::Transcript};

pub mod settings;

pub mod secret;

pub mod key;

pub mod state;

pub mod question;

pub mod answer;

pub mod failure;

pub mod verdict;

pub mod daybook;

pub mod ledger;

pub mod record;

pub mod entry;

pub mod call;

pub mod desk;

/// Its name in calls.
pub const NAME: &str = "jev";

/// Its title for people.
pub const TITLE: &str = "Jev (TypeSafe AI)";

/// Why it is missing, and why it falls back when its key has gone.
pub const NO_KEY: &str = "no TYPESAFE_API_KEY set";

/// Opens a desk for questions, if there is a key, with the place where it works. What is spent today is kept beside the
/// `games`.
///
/// # Errors
/// - One clause that says why there is none.
pub fn open(
    settings: &Settings,
    transcript: &Transcript,
    metrics: &Arc<Metrics>,
    clock: &Clock,
    games: Option<&Path>,
) -> Result<(Arc<Desk>, Workplace), String> {
    if settings.key.read().is_none() {
        return Err(NO_KEY.to_owned());
    }
    let place = Workplace::open().map_err(|error| format!("it cannot be asked: {error}"))?;
    let desk = Desk::new(settings.clone(), transcript.clone(), clock.clone(), &place, games);
    let desk = desk.map_err(|no_roots| no_roots.to_string())?.counted_in(Arc::clone(metrics));
    Ok((Arc::new(desk), place))
}
