//! The event stream: what a watcher is sent, and when.
//!
//! Decided in [`feed`], without a socket and without a clock of its own; here it is fed from the session's watches and
//! written. A stream outlives a session that crashes: it finds it again and goes on.

mod feed;

mod places;

mod heart;

mod tally;

use std::{convert::Infallible, rc::Rc, sync::Arc, time::Duration};

use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, http::header, web::Data};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use protocol::{Bye, ByeReason, Heartbeat, Note, Watchers};
use rand::RngExt as _;
use serde::{Deserialize, Serialize};
use store::SessionId;
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until},
};

use self::{
    feed::{Event, Feed, Next},
    heart::Pulse,
    places::Place,
};
pub(super) use self::{heart::Heart, places::Places, tally::Tally};
use super::{
    Api,
    caller::Caller,
    error::Problem,
    query::Wish,
    request_id::RequestId,
    spectator::{Link, Spectator},
};
use crate::{
    actors::{
        frame::Frame,
        lobby::FindSession,
        refusal::Refusal,
        session::{Notices, Subscribe, Subscription},
    },
    metrics::{Departure, Label as _, Limit, Start},
    sse,
};

/// What is not asked for so long after it was there waits for a socket that takes nothing.
const TAKEN_WITHIN: Duration = Duration::from_millis(250);

/// How long to wait before a session that crashed, or can't be loaded, is looked for again.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// What a stream takes. Text, since rubbish is ignored.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Wishes {
    #[serde(rename = "lastEventId")]
    last_event_id: Option<String>,
    fps: Option<String>,
}

/// `GET events`.
pub(super) async fn events(
    request: HttpRequest,
    caller: Caller,
    tally: Data<Rc<Tally>>,
    Wish(wishes): Wish<Wishes>,
) -> Result<HttpResponse, Problem> {
    begin(&request, &caller, None, &tally, &wishes).await
}

/// `GET /api/watch/<link>/events`.
pub(super) async fn events_by_link(
    request: HttpRequest,
    Spectator { caller, link }: Spectator,
    tally: Data<Rc<Tally>>,
    Wish(wishes): Wish<Wishes>,
) -> Result<HttpResponse, Problem> {
    begin(&request, &caller, Some(link), &tally, &wishes).await
}

async fn begin(
    request: &HttpRequest,
    caller: &Caller,
    link: Option<Link>,
    tally: &Rc<Tally>,
    wishes: &Wishes,
) -> Result<HttpResponse, Problem> {
    // One of a thousand that lost the same server: they shall not all be back in the same moment.
    let retry = Duration::from_millis(rand::rng().random_range(1000..=3000));
    match open(request, caller, link, tally, wishes, retry).await {
        // After an error a browser would not come back, and the next run may be about to begin.
        Err(_) if caller.api.closing.is_closed() => Ok(goodbye(ByeReason::Shutdown, retry)),
        answer => answer,
    }
}

async fn open(
    request: &HttpRequest,
    caller: &Caller,
    link: Option<Link>,
    tally: &Rc<Tally>,
    wishes: &Wishes,
    retry: Duration,
) -> Result<HttpResponse, Problem> {
    // Before it has a place, so that an unknown session is 404 whatever the load.
    let seat = caller.watch().await?;
    let api = &caller.api;
    let place = match api.places.take(caller.address, &caller.session) {
        Ok(place) => place,
        Err(limit) => {
            let mut answer = goodbye(ByeReason::Overload, retry);
            answer.extensions_mut().insert(limit);
            api.metrics.streams.closed.add(Departure::Overload);
            return Ok(answer);
        }
    };
    let mut subscription = seat.read(Subscribe).await?;
    // What is revoked from now on, the subscription tells.
    if let Some(link) = link
        && !link.is_valid(api).await?
    {
        return Err(Link::leads_nowhere());
    }
    let header = request.headers().get("Last-Event-ID").and_then(|id| id.to_str().ok());
    let resume = header.or(wishes.last_event_id.as_deref());
    let (frame, notices) = newest(&mut subscription);
    // In a box, since it is moved with every event.
    let stream = Box::new(Stream {
        link: link.map(|link| (link, notices.revoked)),
        feed: Feed::new(frame, notices, resume, feed::interval(wishes.fps.as_deref())),
        subscription: Some(subscription),
        pulse: api.heart.watch(),
        api: Data::clone(api),
        session: caller.session.clone(),
        tally: Rc::clone(tally),
        looked: Instant::now(),
        skipped: 0,
        shown: false,
        _place: place,
    });
    let resumed = resume.is_some();
    api.metrics.streams.open.inc();
    api.metrics.streams.opened.add(if resumed { Start::Resume } else { Start::Fresh });
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    let id = id.unwrap_or_default();
    tracing::info!(session = %stream.session, request = id, resumed, "stream opened");
    let events = stream::unfold(stream, move |mut stream| async move {
        let event = stream.next().await?;
        let written = write(&event, retry, stream.link.is_some());
        stream.count(&event, written.len());
        Some((Ok(written), stream))
    });
    Ok(respond(retry, events))
}

/// One open stream.
struct Stream {
    feed: Feed,
    /// `None` while the session is being found again.
    subscription: Option<Subscription>,
    pulse: watch::Receiver<Pulse>,
    api: Data<Api>,
    session: SessionId,
    /// How its reader came here, if by a link, and how often links had been revoked by then.
    link: Option<(Link, u32)>,
    tally: Rc<Tally>,
    /// When it was last asked for what comes next.
    looked: Instant,
    /// How many states of those left out were counted.
    skipped: u64,
    /// Whether a first state was sent.
    shown: bool,
    _place: Place,
}

impl Stream {
    /// The next event, as soon as it may be sent. `None` after the last.
    async fn next(&mut self) -> Option<Event> {
        loop {
            self.looked = Instant::now();
            match self.feed.next(self.looked) {
                Next::Send(event) => return Some(event),
                Next::Wait(until) => self.wait(until).await,
                Next::End => return None,
            }
        }
    }

    /// Counts an event that is on its way to the socket.
    fn count(&mut self, event: &Event, bytes: usize) {
        let (_, skipped) = self.feed.counts();
        self.tally.left_out(skipped - std::mem::replace(&mut self.skipped, skipped));
        let known = std::mem::replace(&mut self.shown, true);
        self.tally.sent(event, bytes, known, self.looked.into_std());
    }

    /// Why it ends. A reader that took nothing for so long was dropped with its connection.
    fn departure(&self) -> Departure {
        match self.feed.farewell() {
            Some(ByeReason::Shutdown) => Departure::Shutdown,
            Some(ByeReason::Slow) => Departure::Slow,
            Some(ByeReason::Closed) => Departure::Closed,
            Some(ByeReason::Revoked) => Departure::Revoked,
            Some(ByeReason::Overload) => Departure::Overload,
            None if self.looked.elapsed() >= TAKEN_WITHIN && self.has_news() => Departure::Stalled,
            None => Departure::Gone,
        }
    }

    /// Whether there was something to be sent.
    fn has_news(&self) -> bool {
        let changed =
            |subscription: &Subscription| subscription.frames.has_changed().unwrap_or(false);
        self.pulse.has_changed().unwrap_or(false) || self.subscription.as_ref().is_some_and(changed)
    }

    /// Waits until there is news for the feed, or `until`.
    async fn wait(&mut self, until: Option<Instant>) {
        let Self { feed, subscription, pulse, link, .. } = self;
        let lost = tokio::select! {
            changed = pulse.changed() => {
                // Without its timer there is no server.
                if changed.is_err() || pulse.borrow_and_update().stops {
                    feed.close(ByeReason::Shutdown);
                } else {
                    feed.beat();
                }
                false
            }
            news = news(subscription.as_mut()) => match news {
                News::Changed(frame, notices) => {
                    feed.show(frame, notices);
                    if link.is_some_and(|(_, before)| before != notices.revoked) {
                        feed.close(ByeReason::Revoked);
                    }
                    false
                }
                News::Lost => true,
            },
            () = sleep_to(until) => false,
        };
        if lost {
            self.find_again().await;
        }
    }

    /// The session is gone without a farewell: it crashed. Goes on where it is loaded again.
    async fn find_again(&mut self) {
        self.subscription = None;
        let found = self.api.lobby.ask(FindSession { id: self.session.clone() }).await;
        let subscribed = match found {
            Ok(handle) => handle.ask(Subscribe).await,
            Err(refusal) => Err(refusal),
        };
        match subscribed {
            Ok(mut subscription) => {
                let (frame, notices) = newest(&mut subscription);
                self.feed.show(frame, notices);
                self.subscription = Some(subscription);
                self.look_at_link(notices).await;
            }
            Err(Refusal::NoSession(_)) => self.feed.close(ByeReason::Closed),
            // It may come back: the heartbeats go on meanwhile, and it is looked for again.
            Err(refusal) => {
                tracing::debug!(session = %self.session, %refusal, "not found again yet");
            }
        }
    }
}

impl Stream {
    /// The session that was found again has not counted what was revoked before.
    async fn look_at_link(&mut self, notices: Notices) {
        let Some((link, revoked)) = &mut self.link else { return };
        *revoked = notices.revoked;
        match link.is_valid(&self.api).await {
            Ok(true) => {}
            Ok(false) => self.feed.close(ByeReason::Revoked),
            // It is looked at once more when the session is found once more.
            Err(_) => self.subscription = None,
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let ((sent, skipped), departure) = (self.feed.counts(), self.departure());
        let figures = &self.api.metrics;
        figures.streams.open.dec();
        figures.streams.closed.add(departure);
        if departure == Departure::Stalled {
            figures.http.refusals.add(Limit::Stalled);
        }
        let why = departure.text();
        tracing::info!(session = %self.session, sent, skipped, why, "stream closed");
    }
}

/// Sleeps until then; for ever if there is no such time, without a timer.
async fn sleep_to(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}

/// What a session's watches have to tell.
enum News {
    Changed(Arc<Frame>, Notices),
    /// There is no session at the other end; after a while, if there was none before.
    Lost,
}

async fn news(subscription: Option<&mut Subscription>) -> News {
    let Some(subscription) = subscription else {
        sleep(LOOK_AGAIN).await;
        return News::Lost;
    };
    let alive = tokio::select! {
        changed = subscription.frames.changed() => changed.is_ok(),
        changed = subscription.notices.changed() => changed.is_ok(),
    };
    let (frame, notices) = newest(subscription);
    // A session that left in peace said why, and its watches are still there to be read.
    if alive || notices.farewell.is_some() { News::Changed(frame, notices) } else { News::Lost }
}

fn newest(subscription: &mut Subscription) -> (Arc<Frame>, Notices) {
    let frame = Arc::clone(&subscription.frames.borrow_and_update());
    (frame, *subscription.notices.borrow_and_update())
}

/// The answer that says to come back later, as a stream since a browser comes back to nothing else.
fn goodbye(reason: ByeReason, retry: Duration) -> HttpResponse {
    respond(retry, stream::iter([Ok(write(&Event::Bye(reason), retry, false))]))
}

/// The answer that sends `events`, after the time to wait before coming back.
fn respond<S>(retry: Duration, events: S) -> HttpResponse
where
    S: futures_util::Stream<Item = Result<Bytes, Infallible>> + 'static,
{
    HttpResponse::Ok()
        .content_type("text/event-stream; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache, no-transform"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(stream::iter([Ok(sse::retry(retry))]).chain(events))
}

/// An event as it is written; `nameless` for who is not told the session's id.
fn write(event: &Event, retry: Duration, nameless: bool) -> Bytes {
    match event {
        Event::State(frame) if nameless => frame.nameless_event().clone(),
        Event::State(frame) => frame.event().clone(),
        Event::Heartbeat(seq) => named("hb", &Heartbeat { seq: *seq }),
        Event::Watchers(count) => named("watchers", &Watchers { count: *count }),
        Event::Note(warning) => {
            named("note", &Note { text: warning.to_string(), kind: warning.kind().to_owned() })
        }
        Event::Bye(reason) => {
            named("bye", &Bye { reason: *reason, retry_ms: retry.as_millis() as u64 })
        }
    }
}

/// JSON has no line ends, so that it is one line of data.
fn named(name: &'static str, data: &impl Serialize) -> Bytes {
    let json = serde_json::to_string(data).expect("an event has string keys only");
    sse::written(sse::Data::new(json).event(name))
}
