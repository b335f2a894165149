//! The window: pictures when something has happened, and none when nothing has.

use std::time::Instant;

use client::Connection;
use eframe::{
    App, CreationContext, Frame,
    egui::{Context, Ui, ViewportCommand},
};

use crate::{
    desktop::{Clock, Desktop, Leave},
    draw,
    keys::Keys,
    link::{self, Order},
    settings::{Keeper, Settings},
    theme,
};

/// The program in its window.
#[derive(Debug)]
pub struct Window {
    desktop: Desktop,
    title: String,
}

impl Window {
    /// Goes where `first` says.
    ///
    /// # Errors
    /// - if the operating system gives no thread for the network
    pub fn open(
        cc: &CreationContext<'_>,
        settings: Settings,
        keeper: Keeper,
        first: Order,
    ) -> std::io::Result<Self> {
        let ctx = cc.egui_ctx.clone();
        let link = link::start(first, move || ctx.request_repaint())?;
        let desktop = Desktop::new(settings, keeper, link, Clock::new(Instant::now));
        prepare(&cc.egui_ctx, &desktop.settings);
        Ok(Self { desktop, title: String::new() })
    }

    fn tell_title(&mut self, ctx: &Context) {
        let title = self.desktop.title(self.desktop.now());
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }
}

/// Makes a fresh context ours: its looks, its size, its keys.
pub fn prepare(ctx: &Context, settings: &Settings) {
    ctx.add_plugin(Keys::default());
    theme::apply(ctx, settings);
    ctx.set_zoom_factor(settings.zoom);
}

/// One picture of `desktop`.
pub fn show(ui: &mut Ui, desktop: &mut Desktop) {
    desktop.hear();
    let ctx = ui.ctx().clone();
    let pressed = ctx.plugin::<Keys>().lock().take();
    for wish in pressed {
        desktop.grant(wish);
    }
    desktop.tick();
    draw::draw(ui, desktop);
    desktop.settings.zoom = ctx.zoom_factor();
    if desktop.keep_settings() {
        theme::apply(&ctx, &desktop.settings);
        ctx.request_repaint();
    }
    desktop.assign_keys(&mut ctx.plugin::<Keys>().lock());
    desktop.pictures += 1;
    if let Some(wait) = desktop.next_change(desktop.now()) {
        ctx.request_repaint_after(wait);
    }
}

impl App for Window {
    /// Runs before every picture, and alone while nobody sees the window.
    fn logic(&mut self, ctx: &Context, _frame: &mut Frame) {
        self.desktop.hear();
        self.tell_title(ctx);
        let closing = ctx.input(|input| input.viewport().close_requested());
        if closing && self.desktop.leave == Leave::No {
            self.desktop.ask_to_leave();
            if self.desktop.leave == Leave::No {
                ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            }
        }
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut Frame) {
        show(ui, &mut self.desktop);
        tracing::trace!(number = self.desktop.pictures, "picture");
        self.tell_title(ui.ctx());
        if self.desktop.leave == Leave::Yes {
            ui.ctx().send_viewport_cmd(ViewportCommand::Close);
        }
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.desktop.close();
    }
}

/// Whether the connection waits for its next attempt.
pub fn is_lost(desktop: &Desktop) -> bool {
    matches!(desktop.seat.view.connection(), Connection::Lost { .. })
}
