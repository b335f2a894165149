//! What a subscriber costs to whom nothing is shown.

use std::time::Duration;

use super::Options;
use crate::{
    audience::Temper,
    process::Program,
    report::Report,
    scene::{Crowd, Scene, pass},
    serve::Level,
    slow_readers::kernel_bytes,
    target::{Meter, TargetOptions},
};

/// The most bytes of an idle subscriber.
const MOST_BYTES: f64 = 20_480.0;

/// From how many subscribers on the figure means something.
const ENOUGH: u32 = 1000;

/// Subscribers that come and leave before it counts, so that what all share is there.
const FIRST: usize = 100;

/// Opens half of the subscribers, then the others, and looks at the server while nothing happens.
pub(super) async fn measure(
    options: &Options,
    program: &Program,
    report: Report,
) -> anyhow::Result<Report> {
    let count = options.subscribers as usize;
    let nobody = Crowd {
        sessions: 1,
        subscribers: 0,
        connections: count,
        ramp: Duration::ZERO,
        temper: Temper::Strict,
    };
    let (mut scene, seats) =
        Scene::set(report, &nobody, &TargetOptions::own(Level::Process), program).await?;
    scene.report.put("subscribers", count);
    let kernel = kernel_bytes()?;
    let empty = scene.with(FIRST.min(count)).await?;
    scene.audience.leave().await;
    let half = scene.with(count / 2).await?;
    let all = scene.with(count - count / 2).await?;
    let kernel = kernel_bytes()? as f64 - kernel as f64;
    if let (Some(empty), Some(half), Some(all)) = (empty, half, all) {
        let bytes = (all - half) / (count - count / 2) as f64;
        scene.report.number("bytes_each_subscriber", bytes);
        scene
            .report
            .number("bytes_each_subscriber_with_what_all_share", (all - empty) / count as f64);
        // Of a few subscribers, a page more or less says nothing.
        scene.report.aim(bytes <= MOST_BYTES || options.subscribers < ENOUGH, || {
            format!("an idle subscriber takes {bytes:.0} bytes")
        });
    }
    scene.report.number("kernel_bytes_each_subscriber_both_ends", kernel / count as f64);
    let (meter, heartbeats) = (Meter::begin(&scene.target)?, scene.tally.heartbeats.get());
    pass("idling", options.look_seconds).await;
    meter.used(&scene.target)?.tell(&mut scene.report);
    scene.report.put("heartbeats", scene.tally.heartbeats.get() - heartbeats);
    scene.settle(&seats).await
}

impl Scene {
    /// More subscribers; gives the server's resident memory then.
    async fn with(&mut self, more: usize) -> anyhow::Result<Option<f64>> {
        self.audience.fill(&self.shows, more, Duration::from_secs_f64(more as f64 / 2000.0)).await;
        self.all_here().await;
        // What was allocated on the way is given back within a moment.
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(self.target.usage()?.map(|usage| usage.resident as f64))
    }
}
