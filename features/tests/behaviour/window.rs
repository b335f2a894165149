//! The desktop client in a real window, on a display that nobody sees: keys, clicks and pictures go through X.

use std::{
    fs,
    path::PathBuf,
    process::Stdio,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use client::view::palette::{Palette, Rgb};
use engine::Board;
use image::RgbImage;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::{Child, Command},
    time::{Instant, sleep},
};
use x11rb::{
    connection::Connection as _,
    protocol::{
        xproto::{
            AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ChangeWindowAttributesAux,
            ConnectionExt as _, EventMask, GetImageReply, ImageFormat, InputFocus, KEY_PRESS_EVENT,
            KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, Window as Id,
        },
        xtest::ConnectionExt as _,
    },
    rust_connection::RustConnection,
};

use crate::{programs::program, server::START, table::PATIENCE};

/// How often the window is looked at again.
const AGAIN: Duration = Duration::from_millis(10);
/// In the light look: the board behind its squares, and a square without a tile.
const FRAME: Rgb = Rgb(0xd8, 0xcd, 0xbd);
const HOLE: Rgb = Rgb(0xe7, 0xdf, 0xd3);
/// The gap between squares, as a share of the board.
const GAP: f64 = 0.024;
/// Tiles are at once where they belong, and light, so that they can be read.
const SETTINGS: &str = r#"{"look":"light","moving":"off"}"#;

/// The program in its window, and the display that the window is on. Both end when this is dropped.
#[derive(Debug)]
pub(crate) struct Window {
    program: Child,
    _display: Child,
    _home: TempDir,
    x: RustConnection,
    root: Id,
    id: Id,
    /// Where the board was found last.
    place: Mutex<Option<Place>>,
    /// Every title that it has had.
    titles: Arc<Mutex<Vec<String>>>,
}

impl Window {
    /// Opens a window on the game at `address`.
    pub(crate) async fn open(address: &str) -> Self {
        let (display, name) = start_display().await;
        let home = TempDir::new().expect("a temporary folder can be made");
        let folder = home.path().join(".config/serve2048");
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("desktop.json"), SETTINGS).expect("a file can be written");
        let sources = ["protocol", "client", "client-egui"];
        let program = Command::new(program("client-egui", &sources))
            .args(["--server", address])
            .env_clear()
            .env("HOME", home.path())
            .env("DISPLAY", &name)
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the window's program starts");
        let (x, screen) = x11rb::connect(Some(&name)).expect("the display can be reached");
        let root = x.setup().roots[screen].root;
        let id = find(&x, root).await;
        let titles = Arc::default();
        listen(&name, id, Arc::clone(&titles));
        let place = Mutex::default();
        let window = Self { program, _display: display, _home: home, x, root, id, place, titles };
        window.focus().await;
        window
    }

    /// Without a window manager nobody else gives it the keys. It takes them once it is on the screen.
    async fn focus(&self) {
        let begin = Instant::now();
        loop {
            // An error says that it is not there yet.
            let asked = self.x.set_input_focus(InputFocus::PARENT, self.id, x11rb::CURRENT_TIME);
            let set = asked.is_ok_and(|cookie| cookie.check().is_ok());
            let has = self.x.get_input_focus().ok().and_then(|cookie| cookie.reply().ok());
            if set && has.is_some_and(|reply| reply.focus == self.id) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "the window takes no keys");
            sleep(AGAIN).await;
        }
    }

    /// Presses a key and lets it go.
    pub(crate) fn press(&self, key: &str) {
        let code = self.code_of(symbol(key));
        for kind in [KEY_PRESS_EVENT, KEY_RELEASE_EVENT] {
            self.fake(kind, code, 0, 0);
        }
    }

    /// Clicks at a place of the window, given in shares of its width and height.
    pub(crate) fn click(&self, across: f64, down: f64) {
        let size = self.x.get_geometry(self.id).expect("a request is sent").reply();
        let size = size.expect("the window has a size");
        let at = |share: f64, length: u16| (share * f64::from(length)) as i16;
        self.fake(MOTION_NOTIFY_EVENT, 0, at(across, size.width), at(down, size.height));
        for kind in [BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT] {
            self.fake(kind, 1, 0, 0);
        }
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        let sent = self.x.xtest_fake_input(kind, detail, 0, self.root, x, y, 0);
        sent.expect("a request is sent").check().expect("the display takes faked input");
    }

    fn code_of(&self, symbol: u32) -> u8 {
        let setup = self.x.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let asked = self.x.get_keyboard_mapping(first, last - first + 1);
        let keys = asked.expect("a request is sent").reply().expect("there is a keyboard");
        let each = usize::from(keys.keysyms_per_keycode);
        let place = keys.keysyms.chunks(each).position(|symbols| symbols.contains(&symbol));
        first + u8::try_from(place.expect("the key is on the keyboard")).expect("codes are small")
    }

    /// The board in the window, read by its colours; `None` while something else is there.
    pub(crate) fn board(&self) -> Option<Board> {
        let known = *self.place.lock().expect("nobody panicked with the lock");
        let place = known.or_else(|| Place::of(&self.picture()?))?;
        let squares = self.colours(|row, column| place.square(row, column));
        let values = squares.as_ref().and_then(|squares| {
            let mut values = [[0; 4]; 4];
            for (value, colour) in values.iter_mut().flatten().zip(squares) {
                *value = value_of(*colour)?;
            }
            Some(values)
        });
        // What can't be read may be a board that has moved.
        *self.place.lock().expect("nobody panicked with the lock") = values.map(|_| place);
        Board::from_values(values?).ok()
    }

    /// The colours of the window at these places of the sixteen squares, all asked for at once.
    fn colours(&self, at: impl Fn(usize, usize) -> (i16, i16)) -> Option<Vec<[u8; 3]>> {
        let squares = (0..16).map(|square| at(square / 4, square % 4));
        let asked: Result<Vec<_>, _> = squares
            .map(|(x, y)| self.x.get_image(ImageFormat::Z_PIXMAP, self.id, x, y, 1, 1, !0))
            .collect();
        let replies = asked.ok()?.into_iter().map(|cookie| cookie.reply().ok());
        let colour = |reply: Option<GetImageReply>| Some(rgb(reply?.data.get(..4)?));
        replies.map(colour).collect()
    }

    /// What the window looks like; `None` once it is gone.
    fn picture(&self) -> Option<RgbImage> {
        let size = self.x.get_geometry(self.id).ok()?.reply().ok()?;
        let (width, height) = (size.width, size.height);
        let asked = self.x.get_image(ImageFormat::Z_PIXMAP, self.id, 0, 0, width, height, !0);
        let data = asked.ok()?.reply().ok()?.data;
        let pixels = data.chunks_exact(4).flat_map(rgb);
        RgbImage::from_raw(width.into(), height.into(), pixels.collect())
    }

    /// Keeps a picture of the window in the target folder.
    pub(crate) fn keep_picture(&self) -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("window");
        fs::create_dir_all(&folder).expect("a folder can be made");
        let file = folder.join("desktop.png");
        let picture = self.picture().expect("the window can be seen");
        picture.save(&file).expect("a picture can be written");
        file
    }

    /// Whether its title has had these words, in any letters.
    pub(crate) fn has_said(&self, words: &str) -> bool {
        let titles = self.titles.lock().expect("nobody panicked with the lock");
        titles.iter().any(|title| title.to_lowercase().contains(&words.to_lowercase()))
    }

    /// The titles that it has had are forgotten.
    pub(crate) fn forget(&self) {
        self.titles.lock().expect("nobody panicked with the lock").clear();
    }

    /// Waits until the program has ended, and well.
    pub(crate) async fn until_left(&mut self) {
        let ended = tokio::time::timeout(PATIENCE, self.program.wait()).await;
        let status = ended.expect("the window closes").expect("a program can be waited for");
        assert!(status.success(), "{status}");
    }
}

/// A display without a screen, on a number of its own.
async fn start_display() -> (Child, String) {
    let mut display = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("Xvfb is installed: ./check.sh does that");
    let said = display.stdout.take().expect("its standard output is piped");
    let mut lines = BufReader::new(said).lines();
    let first = tokio::time::timeout(START, lines.next_line()).await.expect("the display starts");
    let number = first.expect("it can be read").expect("the display says its number");
    (display, format!(":{number}"))
}

/// The program's window, once it is there.
async fn find(x: &RustConnection, root: Id) -> Id {
    let begin = Instant::now();
    loop {
        let tree = x.query_tree(root).ok().and_then(|cookie| cookie.reply().ok());
        let mut children = tree.map_or_else(Vec::new, |tree| tree.children).into_iter();
        if let Some(id) = children.find(|id| class(x, *id).contains("serve2048")) {
            return id;
        }
        assert!(begin.elapsed() < PATIENCE, "no window comes");
        sleep(AGAIN).await;
    }
}

fn class(x: &RustConnection, id: Id) -> String {
    let asked = x.get_property(false, id, AtomEnum::WM_CLASS, AtomEnum::STRING, 0, 64);
    let reply = asked.ok().and_then(|cookie| cookie.reply().ok());
    reply.map_or_else(String::new, |reply| String::from_utf8_lossy(&reply.value).into_owned())
}

/// Keeps every title that the window has, on a thread that ends with the display.
fn listen(display: &str, id: Id, titles: Arc<Mutex<Vec<String>>>) {
    let (x, _) = x11rb::connect(Some(display)).expect("the display can be reached");
    let wanted = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
    x.change_window_attributes(id, &wanted).expect("a request is sent");
    thread::spawn(move || {
        loop {
            let mut titles = titles.lock().expect("nobody panicked with the lock");
            let title = title(&x, id);
            if titles.last() != title.as_ref() {
                titles.extend(title);
            }
            drop(titles);
            match x.wait_for_event() {
                // The only kind of event that was asked for.
                Ok(_) => {}
                Err(_) => return,
            }
        }
    });
}

fn title(x: &RustConnection, id: Id) -> Option<String> {
    let name = x.intern_atom(false, b"_NET_WM_NAME").ok()?.reply().ok()?.atom;
    let reply = x.get_property(false, id, name, AtomEnum::ANY, 0, 256).ok()?.reply().ok()?;
    String::from_utf8(reply.value).ok()
}

/// The symbol of a key, as X has it.
fn symbol(key: &str) -> u32 {
    match key {
        "ArrowLeft" => 0xff51,
        "ArrowUp" => 0xff52,
        "ArrowRight" => 0xff53,
        "ArrowDown" => 0xff54,
        "Home" => 0xff50,
        "End" => 0xff57,
        "Tab" => 0xff09,
        "Escape" => 0xff1b,
        letter if letter.len() == 1 => letter.to_lowercase().as_bytes()[0].into(),
        _ => panic!("no scenario presses {key}"),
    }
}

/// Where the board is in the window.
#[derive(Debug, Clone, Copy)]
struct Place {
    left: f64,
    top: f64,
    width: f64,
}

impl Place {
    /// As the picture shows it: where its own colour is.
    fn of(picture: &RgbImage) -> Option<Self> {
        let is_frame = |&(_, _, pixel): &(u32, u32, &image::Rgb<u8>)| pixel.0 == bytes(FRAME);
        let framed: Vec<_> = picture.enumerate_pixels().filter(is_frame).collect();
        let left = framed.iter().map(|(x, ..)| *x).min()?;
        let right = framed.iter().map(|(x, ..)| *x).max()?;
        let top = framed.iter().map(|(_, y, _)| *y).min()?;
        Some(Self { left: left.into(), top: top.into(), width: f64::from(right - left + 1) })
    }

    /// A spot of a square that no digit covers.
    fn square(self, row: usize, column: usize) -> (i16, i16) {
        let gap = self.width * GAP;
        let size = (self.width - 5.0 * gap) / 4.0;
        let at = |index: usize, share: f64| gap + index as f64 * (size + gap) + share * size;
        ((self.left + at(column, 0.5)) as i16, (self.top + at(row, 0.12)) as i16)
    }
}

/// A pixel as X has it, as others do.
fn rgb(pixel: &[u8]) -> [u8; 3] {
    [pixel[2], pixel[1], pixel[0]]
}

const fn bytes(Rgb(red, green, blue): Rgb) -> [u8; 3] {
    [red, green, blue]
}

/// The tile of this colour, 0 for none.
fn value_of(colour: [u8; 3]) -> Option<u64> {
    if colour == bytes(HOLE) {
        return Some(0);
    }
    let mut values = (1..=17).map(|exponent| 1_u32 << exponent);
    values.find(|value| bytes(Palette::Classic.tile(*value).background) == colour).map(u64::from)
}
