//! A server with players and subscribers: what most scenarios begin and end with.

use std::{rc::Rc, time::Duration};

use tokio::time::sleep;

use crate::{
    audience::{Audience, Tally, Temper, holds_within},
    process::Program,
    report::Report,
    seat::Seat,
    show::Show,
    table::{Look, check, progress, seats},
    target::{Target, TargetOptions},
};

/// How long everybody may take to be told where their session is.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Positions of which the bytes are kept where several watch one session.
const TEXTS: usize = 8;

/// How large a crowd, and how fast it comes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) sessions: usize,
    /// Spread over the sessions.
    pub(crate) subscribers: usize,
    /// That commands come by.
    pub(crate) connections: usize,
    /// In which the subscribers come.
    pub(crate) ramp: Duration,
    pub(crate) temper: Temper,
}

/// A server, and who watches there.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) target: Target,
    pub(crate) tally: Rc<Tally>,
    pub(crate) audience: Audience,
    pub(crate) shows: Vec<Rc<Show>>,
    pub(crate) report: Report,
}

impl Scene {
    /// Creates the sessions and lets the subscribers come.
    ///
    /// # Errors
    /// - When the server can't be had, or refuses.
    pub(crate) async fn set(
        mut report: Report,
        crowd: &Crowd,
        options: &TargetOptions,
        program: &Program,
    ) -> anyhow::Result<(Self, Vec<Seat>)> {
        let Crowd { sessions, subscribers, connections, ramp, temper } = *crowd;
        options.tell(&mut report);
        let target = options.open(program, subscribers + connections)?;
        let mut seats = seats(&target.client()?, sessions).await?;
        let texts = if subscribers > sessions { TEXTS } else { 0 };
        let shows: Vec<_> = seats.iter_mut().map(|seat| seat.show(texts)).collect();
        let tally = Tally::new();
        let audience = Audience::new(target.place.clone(), temper, &tally);
        let mut scene = Self { target, tally, audience, shows, report };
        scene.audience.fill(&scene.shows, subscribers, ramp).await;
        scene.all_here().await;
        Ok((scene, seats))
    }

    /// Waits until every subscriber has been told where their session is.
    pub(crate) async fn all_here(&mut self) {
        let (audience, count) = (&self.audience, self.audience.len());
        let here = holds_within(PATIENCE, || audience.here() == count).await;
        self.report.expect(here, || {
            let (missing, away) = (count - self.audience.here(), self.tally.turned_away.get());
            format!("{missing} of {count} subscribers watch nothing; {away} were turned away")
        });
    }

    /// Waits until every subscriber was shown the last position, has everybody leave, looks at every session and every
    /// stored game, and closes the server.
    ///
    /// # Errors
    /// - When the server can't be reached.
    pub(crate) async fn settle(mut self, seats: &[Seat]) -> anyhow::Result<Report> {
        let audience = &self.audience;
        let behind = || audience.behind(|show| show.acknowledged());
        let all = holds_within(PATIENCE, || behind() == 0).await;
        self.report.expect(all, || {
            format!("{} subscribers were not shown the last position of their session", behind())
        });
        self.audience.leave().await;
        self.tally.give_faults(&mut self.report);
        let (place, report) = (&self.target.place, &mut self.report);
        check(place.clone(), seats.iter(), Look::Games, report).await?;
        self.target.close(report).await?;
        Ok(self.report)
    }
}

/// Lets `seconds` pass, with a bar on the terminal.
pub(crate) async fn pass(what: &'static str, seconds: f64) {
    let bar = progress(what, Duration::from_secs_f64(seconds.ceil()).as_secs());
    let mut left = seconds;
    while left > 0.0 {
        sleep(Duration::from_secs_f64(left.min(1.0))).await;
        left -= 1.0;
        bar.inc(1);
    }
    bar.finish_and_clear();
}
