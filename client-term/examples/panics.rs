//! Takes the screen and panics: the tests look at what is left of the terminal then.

use client_term::screen::Screen;

fn main() -> std::io::Result<()> {
    let mut screen = Screen::enter()?;
    screen.draw(|frame| frame.render_widget("falling", frame.area()))?;
    panic!("the floor is gone");
}
