//! The loop of the screen: keys, updates and answers go into the model, pictures come out.

use std::{
    io,
    panic::resume_unwind,
    thread,
    time::{Duration, Instant},
};

use client::{Answer, Client, Subscription};
use protocol::State;
use ratatui::crossterm::event::{self, Event};
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinSet},
    time::sleep,
};

use crate::{
    draw::draw,
    model::{Effect, Model},
    screen::Screen,
    signals::{Signal, Signals},
};

/// Keys that wait for the loop: more than anybody types within one picture.
const MOST_KEYS: usize = 64;

/// How the screen ended.
#[derive(Debug)]
pub struct Ended {
    /// The last state.
    pub state: Option<State>,
    /// The signal that ended it; `None` for a key.
    pub signal: Option<Signal>,
}

/// Plays until the player leaves.
///
/// # Errors
/// - if the terminal can't be set up or written to
pub async fn run(client: Client, mut model: Model) -> io::Result<Ended> {
    let mut signals = Signals::listen()?;
    let mut screen = Screen::enter()?;
    let mut subscription = Subscription::open(client.clone());
    let mut subscribed = true;
    let mut events = read_events();
    let mut calls = JoinSet::new();
    loop {
        let now = Instant::now();
        screen.draw(|frame| draw(frame, &model, now))?;
        let wait = model.next_change(now).unwrap_or(Duration::MAX);
        let mut effects = Vec::new();
        tokio::select! {
            event = events.recv() => match event {
                Some(Event::Key(key)) => effects = model.key(&key, Instant::now()),
                Some(Event::Resize(..)) => screen.redraw()?,
                Some(_) => {}
                // There is no terminal any more to read from.
                None => effects.push(Effect::Quit),
            },
            update = subscription.next(), if subscribed => match update {
                Some(update) => model.update(update, Instant::now()),
                None => subscribed = false,
            },
            Some(answer) = calls.join_next() => {
                effects = model.answered(whole(answer), Instant::now());
            }
            signal = signals.next() => match signal {
                Signal::Stop => screen.suspend()?,
                Signal::Continue => screen.resume()?,
                ending => return Ok(Ended { state: model.seat.view.state().cloned(), signal: Some(ending) }),
            },
            () = sleep(wait) => {}
        }
        effects.extend(model.tick(Instant::now()));
        for effect in effects {
            match effect {
                Effect::Copy(text) => screen.copy(&text)?,
                Effect::Call(command) => {
                    calls.spawn(command.carry_out(client.clone()));
                }
                Effect::TryNow => subscription.try_now(),
                Effect::Suspend => screen.suspend()?,
                Effect::Redraw => screen.resume()?,
                Effect::Quit => {
                    return Ok(Ended { state: model.seat.view.state().cloned(), signal: None });
                }
            }
        }
    }
}

/// A call that panicked ends the program, as any panic does.
pub(crate) fn whole(answer: Result<Answer, JoinError>) -> Answer {
    answer.unwrap_or_else(|error| resume_unwind(error.into_panic()))
}

/// Reading a terminal blocks: a thread of its own does it. It ends with the process.
fn read_events() -> mpsc::Receiver<Event> {
    let (tell, events) = mpsc::channel(MOST_KEYS);
    thread::spawn(move || {
        while let Ok(event) = event::read() {
            // The loop is gone: so is the reason to read.
            if tell.blocking_send(event).is_err() {
                return;
            }
        }
    });
    events
}
