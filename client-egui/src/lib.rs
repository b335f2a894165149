//! The desktop client: a window to play and watch in.
//!
//! It holds no rule of the game; it draws what the server says.

pub mod options;

pub mod settings;

pub mod link;

pub mod keys;

pub mod desktop;

pub mod theme;

pub mod draw;

pub mod app;

use eframe::{NativeOptions, egui::ViewportBuilder};

use self::{
    app::Window,
    link::Order,
    options::{Goal, Options},
    settings::Keeper,
};

/// The window's size at first, in points.
pub const SIZE: [f32; 2] = [980.0, 720.0];

/// The smallest that everything can be reached in.
const LEAST: [f32; 2] = [340.0, 420.0];

/// Does what the options say until the window is closed.
///
/// # Errors
/// - if there is no screen to open a window on, or no way to draw there
pub fn run(options: &Options) -> eframe::Result {
    let keeper = Keeper::of_this_user();
    let mut settings = keeper.load();
    if let Some(palette) = options.palette {
        settings.palette = palette;
    }
    if options.no_anim {
        settings.moving = settings::Moving::Off;
    }
    let goal = options.goal();
    let server = goal.server.clone().unwrap_or_else(|| settings.server.clone());
    let goal = Goal { server: Some(server), ..goal };
    let first = if options.local { Order::PlayHere(goal) } else { Order::Go(goal) };
    let viewport = ViewportBuilder::default()
        .with_title("2048")
        .with_app_id("serve2048")
        .with_inner_size(SIZE)
        .with_min_inner_size(LEAST);
    let native = NativeOptions { viewport, ..NativeOptions::default() };
    eframe::run_native(
        "serve2048",
        native,
        Box::new(|cc| Ok(Box::new(Window::open(cc, settings, keeper, first)?))),
    )
}
