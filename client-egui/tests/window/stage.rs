//! A window without a screen, a server or a clock of its own.

use std::{
    cell::Cell,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use client::{Answer, Command, Connection, Snapshot, Update, view::palette::Palette};
use client_egui::{
    app,
    desktop::{Clock, Desktop},
    link::{Inbox, Link, News, Order, Place},
    settings::{Keeper, Look, Moving, Settings},
};
use eframe::egui::Theme;
use egui_kittest::Harness;
use protocol::{PastState, State};
use tokio::sync::mpsc::UnboundedReceiver;

pub(crate) use crate::golden::{golden, person};
use crate::raster::Raster;

/// The window's sizes: beside the board there is a panel, or it is below.
pub(crate) const WIDE: [f32; 2] = [776.0, 500.0];
/// Everything is in sight.
const TALL: [f32; 2] = [800.0, 760.0];
pub(crate) const NARROW: [f32; 2] = [336.0, 440.0];

pub(crate) struct Stage {
    pub(crate) window: Harness<'static, Desktop>,
    pub(crate) inbox: Arc<Inbox>,
    orders: UnboundedReceiver<Order>,
    time: Rc<Cell<Instant>>,
}

/// Without motion, in light colours.
pub(crate) fn settings() -> Settings {
    Settings { look: Look::Light, moving: Moving::Off, ..Settings::default() }
}

impl Stage {
    /// Opens a window that knows of no server yet.
    pub(crate) fn open(settings: Settings, size: [f32; 2], scale: f32) -> Self {
        let time = Rc::new(Cell::new(Instant::now()));
        let clock = Rc::clone(&time);
        let (link, orders, inbox) = Link::loose();
        let looks = settings.clone();
        let theme = if settings.look == Look::Dark { Theme::Dark } else { Theme::Light };
        let clock = Clock::new(move || clock.get());
        let desktop = Desktop::new(settings, Keeper::default(), link, clock);
        let window = Harness::builder()
            .with_size(size)
            .with_theme(theme)
            .with_pixels_per_point(scale)
            .renderer(Raster::default())
            .with_context_setup(move |ctx| app::prepare(ctx, &looks))
            .build_ui_state(app::show, desktop);
        Self { window, inbox, orders, time }
    }

    /// A window that shows `state` live.
    pub(crate) fn live(state: State) -> Self {
        let mut stage = Self::open(settings(), TALL, 1.0);
        stage.arrive(true);
        stage.connect(Connection::Live);
        stage.show(state);
        stage
    }

    pub(crate) fn arrive(&mut self, may_play: bool) {
        let server = "http://127.0.0.1:2048".into();
        self.tell(News::Arrived(Place { server, may_play, ..Place::default() }));
    }

    pub(crate) fn connect(&mut self, connection: Connection) {
        self.tell(News::Update(Update::Connection(connection)));
    }

    pub(crate) fn show(&mut self, state: State) {
        self.tell(News::Update(Update::State(Box::new(Snapshot { state, json: String::new() }))));
    }

    pub(crate) fn answer(&mut self, answer: Answer) {
        self.tell(News::Answer(Box::new(answer)));
    }

    pub(crate) fn answer_past(&mut self, past: PastState) {
        self.answer(Answer::Past(past.moves, Ok(past)));
    }

    pub(crate) fn tell(&mut self, news: News) {
        self.inbox.put(news);
        self.settle();
    }

    /// A few pictures: whatever follows from what was done has then followed.
    pub(crate) fn settle(&mut self) {
        self.window.run_steps(4);
    }

    pub(crate) fn pass(&mut self, time: Duration) {
        self.time.set(self.time.get() + time);
        self.settle();
    }

    pub(crate) fn now(&self) -> Instant {
        self.time.get()
    }

    /// What was ordered since the last time.
    pub(crate) fn ordered(&mut self) -> Vec<Order> {
        std::iter::from_fn(|| self.orders.try_recv().ok()).collect()
    }

    /// The one call that was ordered.
    pub(crate) fn called(&mut self) -> Command {
        match self.ordered().as_slice() {
            [Order::Call(command)] => command.clone(),
            other => panic!("not one call: {other:?}"),
        }
    }
}

/// The settings with another palette and other looks.
pub(crate) fn painted(palette: Palette, look: Look) -> Settings {
    Settings { palette, look, ..settings() }
}
