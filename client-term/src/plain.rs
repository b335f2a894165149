//! Without a screen: a line for every event, a command a line. For screen readers, logs, pipes and scripts.

use std::{
    io::{self, Write},
    thread,
    time::{Duration, Instant},
};

use client::{
    Answer, Client, Command, Connection, Subscription, Update, View,
    position::code_of,
    revoked_words,
    seat::games::{GamesQuery, record_words},
    view::{
        About, Press, Said,
        animation::Motion,
        driver::{driver_text, title},
        said,
        spoken::{best_words, board_lines, direction_word, move_line},
        status::Keys,
    },
};
use protocol::{AgentStart, AgentStep, GameRecord, Hint, HintReply, Page, PastState, State};
use tokio::{sync::mpsc, task::JoinSet, time::sleep};

use crate::{
    app::{Ended, whole},
    order::{HELP, Order},
    printable::printable,
    signals::{Signal, Signals},
};

/// How long a script waits for a server before it is given up.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often the connection's words are looked at while it is lost.
const GLANCE: Duration = Duration::from_millis(250);

/// Where commands come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commands {
    /// From a person, who wants an answer now.
    Typed,
    /// From a script, which wants them carried out.
    Scripted,
}

/// How it ended.
#[derive(Debug)]
pub struct Finished {
    /// What is left of the session.
    pub ended: Ended,
    /// Whether a command was refused or not understood.
    pub failed: bool,
}

/// Plays until the commands end or the player leaves.
///
/// # Errors
/// - if `out` can't be written to
pub async fn run(
    client: Client,
    commands: Commands,
    warning: Option<String>,
    out: impl Write,
) -> io::Result<Finished> {
    let mut signals = Signals::listen()?;
    let mut subscription = Subscription::open(client.clone());
    let typed = commands == Commands::Typed;
    let mut plain = Plain::new(client.may_play(), commands, out);
    if let Some(warning) = warning {
        plain.say(&said(About::Note, &warning))?;
    }
    let mut lines = read_lines();
    let (mut reading, mut subscribed) = (true, true);
    let mut calls = JoinSet::new();
    loop {
        plain.tell_connection()?;
        let idle = calls.is_empty() && plain.moves_now();
        let given_up = plain.gave_up();
        if given_up || (idle && !reading && plain.given > 0) || (!subscribed && !typed) {
            return Ok(plain.finish(None, given_up));
        }
        tokio::select! {
            // What came before a command is told before its answer.
            biased;
            signal = signals.next() => match signal {
                // Nothing was taken, so nothing is to be given back: stop as if nobody listened.
                Signal::Stop => signal_hook::low_level::emulate_default_handler(
                    signal_hook::consts::SIGTSTP,
                )?,
                Signal::Continue => {}
                ending => return Ok(plain.finish(Some(ending), false)),
            },
            update = subscription.next(), if subscribed => match update {
                Some(update) => plain.update(update)?,
                None => subscribed = false,
            },
            Some(answer) = calls.join_next() => {
                if let Some(command) = plain.answered(whole(answer))? {
                    calls.spawn(command.carry_out(client.clone()));
                }
            }
            line = lines.recv(), if reading && idle => match line {
                Some(line) => match plain.line(&line)? {
                    Next::Call(command) => {
                        calls.spawn(command.carry_out(client.clone()));
                    }
                    Next::Line => {}
                    Next::Quit => return Ok(plain.finish(None, false)),
                },
                None => reading = false,
            },
            () = sleep(GLANCE), if plain.is_waiting() => {}
        }
    }
}

/// What a line leads to.
enum Next {
    Call(Command),
    Line,
    Quit,
}

struct Plain<W> {
    out: W,
    view: View,
    typed: bool,
    started: Instant,
    /// Commands so far.
    given: usize,
    failed: bool,
    /// The connection's words said last, without a countdown.
    told: String,
    /// The list of games that was printed last; its cursor is the page after that.
    listed: GamesQuery,
}

impl<W: Write> Plain<W> {
    fn new(may_play: bool, commands: Commands, out: W) -> Self {
        let now = Instant::now();
        let typed = commands == Commands::Typed;
        let view = View::new(may_play, Motion::Off, now);
        let (told, listed) = (String::new(), GamesQuery::default());
        Self { out, view, typed, started: now, given: 0, failed: false, told, listed }
    }

    fn finish(self, signal: Option<Signal>, gave_up: bool) -> Finished {
        let state = self.view.state().cloned();
        Finished { ended: Ended { state, signal }, failed: self.failed || gave_up }
    }

    /// Whether the next command can be dealt with: a script's has to wait for the server.
    fn moves_now(&self) -> bool {
        self.typed || (self.view.state().is_some() && *self.view.connection() == Connection::Live)
    }

    fn is_waiting(&self) -> bool {
        *self.view.connection() != Connection::Live
    }

    fn gave_up(&self) -> bool {
        let since = match self.view.connection() {
            Connection::Connecting => self.started,
            Connection::Lost { since, .. } => *since,
            Connection::Ended(_) => return !self.typed,
            Connection::Live => return false,
        };
        !self.typed && since.elapsed() >= PATIENCE
    }

    /// Says how the connection is when that has changed; its countdown is not worth a line.
    fn tell_connection(&mut self) -> io::Result<()> {
        let link = self.view.status(Instant::now()).link;
        let words = link.split(" Next try").next().unwrap_or_default();
        let worth = !words.is_empty() && (words != "Live" || !self.told.is_empty());
        if words != self.told && worth {
            print(&mut self.out, words)?;
            self.out.flush()?;
        }
        if !words.is_empty() {
            words.clone_into(&mut self.told);
        }
        Ok(())
    }

    fn update(&mut self, update: Update) -> io::Result<()> {
        let now = Instant::now();
        match update {
            Update::Connection(connection) => self.view.connected(connection),
            Update::State(snapshot) => {
                self.take(|view| view.receive(snapshot.state, now))?;
            }
            Update::Watchers(count) => self.view.watched_by(count),
            Update::Note(note) => self.say(&said(About::Note, &note.text))?,
            Update::Heartbeat(seq) => {
                if let Some(said) = self.view.heard(seq) {
                    self.say(&said)?;
                }
            }
            Update::Bye(_) => {}
        }
        self.out.flush()
    }

    /// Lets the view take a state and says what there is to say about it.
    fn take(&mut self, take: impl FnOnce(&mut View) -> Vec<Said>) -> io::Result<()> {
        let before = self.view.state().map(|state| (state.game.clone(), state.moves));
        let lines = take(&mut self.view);
        for said in &lines {
            self.say(said)?;
        }
        let Some(state) = self.view.state() else { return Ok(()) };
        match before {
            None => print(&mut self.out, &summary(state)),
            Some((game, moves)) => {
                let unsaid = !lines.iter().any(|said| said.about == About::Move);
                if unsaid && (game != state.game || moves != state.moves) {
                    return print(&mut self.out, &summary(state));
                }
                Ok(())
            }
        }
    }

    fn say(&mut self, said: &Said) -> io::Result<()> {
        let line = self.view.state().filter(|_| said.about == About::Move).and_then(move_line);
        print(&mut self.out, line.as_deref().unwrap_or(&said.text))
    }

    fn line(&mut self, line: &str) -> io::Result<Next> {
        let order = match Order::read(line) {
            Ok(Some(order)) => order,
            Ok(None) => return Ok(Next::Line),
            Err(error) => {
                self.given += 1;
                self.failed = true;
                print(&mut self.out, &error)?;
                self.out.flush()?;
                return Ok(Next::Line);
            }
        };
        self.given += 1;
        let next = self.carry_out(order)?;
        self.out.flush()?;
        Ok(next)
    }

    fn carry_out(&mut self, order: Order) -> io::Result<Next> {
        let command = match order {
            Order::Quit => return Ok(Next::Quit),
            Order::Help => return self.out.write_all(HELP.as_bytes()).map(|()| Next::Line),
            Order::Board | Order::State | Order::Best | Order::Players | Order::Code => {
                return self.show(&order);
            }
            Order::Move(direction) => match self.view.press(direction, Instant::now()) {
                Press::Send(request) => Command::Move(direction, request),
                Press::Say(why) => return self.refuse(&why.text),
                // Each command is answered before the next is read, so none can be on its way.
                Press::Nothing => return Ok(Next::Line),
            },
            Order::New(seed) => Command::NewGame(seed),
            Order::Start(grid) => Command::StartFrom(grid),
            Order::Play(player) => Command::Start(AgentStart { player, ..AgentStart::default() }),
            Order::Series(series) => {
                Command::Start(AgentStart { series: Some(series), ..AgentStart::default() })
            }
            Order::Stop => Command::Stop,
            Order::Step(player) => Command::Step(AgentStep { player, ..AgentStep::default() }),
            Order::Hint(player) => Command::Hint(Hint { player, ..Hint::default() }),
            Order::Import(file) => Command::Import(file),
            Order::Share => Command::Share,
            Order::Revoke => Command::Revoke,
            Order::Games(..) | Order::More | Order::At(_) | Order::Export(_) | Order::Server => {
                return self.ask(order);
            }
        };
        let moves = matches!(command, Command::Move(..));
        let over = self.view.state().is_some_and(|state| state.game_over);
        match self.view.status(Instant::now()).keys {
            Keys::Off(why) if !moves && !over => self.refuse(&why),
            _ => Ok(Next::Call(command)),
        }
    }

    /// What changes nothing, whoever asks.
    fn ask(&mut self, order: Order) -> io::Result<Next> {
        let game = self.view.state().map(|state| state.game.clone());
        let command = match (order, game) {
            (Order::Server, _) => Command::AskServer,
            (Order::Games(show, sort), _) => {
                Command::Games(GamesQuery { show, sort, cursor: None })
            }
            (Order::More, _) if self.listed.cursor.is_some() => Command::Games(self.listed.clone()),
            (Order::More, _) => return self.refuse("there are no more games"),
            (Order::At(number), Some(game)) => Command::Past { game, number },
            (Order::Export(file), Some(game)) => Command::Export { game, file },
            _ => return self.refuse("not connected yet"),
        };
        Ok(Next::Call(command))
    }

    fn refuse(&mut self, why: &str) -> io::Result<Next> {
        self.failed = true;
        print(&mut self.out, why).map(|()| Next::Line)
    }

    fn show(&mut self, order: &Order) -> io::Result<Next> {
        let Some(state) = self.view.state() else {
            let why = self.view.status(Instant::now()).link;
            return self.refuse(if why.is_empty() { "not connected yet" } else { &why });
        };
        match order {
            Order::Board => {
                for line in board_lines(&state.grid) {
                    print(&mut self.out, &line)?;
                }
            }
            Order::Players => {
                for entry in state.agent.roster.iter() {
                    let reason = entry.reason.as_deref().unwrap_or("available");
                    print(&mut self.out, &format!("{}: {} ({reason})", entry.name, entry.title))?;
                }
            }
            Order::Code => print(&mut self.out, &code_of(&state.grid))?,
            Order::Best => {
                let best = best_words(state).unwrap_or_else(|| format!("best {}", state.best));
                print(&mut self.out, &best)?;
            }
            _ => print(&mut self.out, &summary(state))?,
        }
        Ok(Next::Line)
    }

    /// A call has its answer. Gives the call that follows from it.
    fn answered(&mut self, answer: Answer) -> io::Result<Option<Command>> {
        let now = Instant::now();
        let mut next = None;
        match answer {
            Answer::Moved(direction, answer) => {
                self.failed |= answer.is_err();
                self.take(|view| {
                    let (lines, waiting) = view.answered(direction, answer, now);
                    next = waiting.map(|(direction, request)| Command::Move(direction, request));
                    lines
                })?;
            }
            Answer::State(Ok(state)) => self.take(|view| view.receive(state, now))?,
            Answer::Hint(Ok(reply)) => self.tell_hint(&reply)?,
            Answer::Past(number, Ok(past)) => self.tell_past(number, &past)?,
            Answer::Games(query, Ok(page)) => self.tell_games(&query, &page)?,
            Answer::Server(Ok(facts)) => {
                for line in facts.lines() {
                    print(&mut self.out, &line)?;
                }
            }
            Answer::Shared(Ok(link)) => print(&mut self.out, &format!("to watch: {link}"))?,
            Answer::Revoked(Ok(count)) => print(&mut self.out, &revoked_words(count))?,
            Answer::Exported(Ok(file)) => print(&mut self.out, &format!("copied into {file}"))?,
            Answer::Imported(Ok(added)) => {
                print(&mut self.out, &format!("added as {}", added.game))?;
            }
            // Nobody asks for it here.
            Answer::Merge(_, Ok(_)) => {}
            Answer::Exported(Err(error)) | Answer::Imported(Err(error)) => {
                self.refuse(&error.to_string())?;
            }
            Answer::State(Err(error))
            | Answer::Hint(Err(error))
            | Answer::Past(_, Err(error))
            | Answer::Games(_, Err(error))
            | Answer::Merge(_, Err(error))
            | Answer::Shared(Err(error))
            | Answer::Revoked(Err(error))
            | Answer::Server(Err(error)) => {
                self.failed = true;
                self.take(|view| view.refused(error, now))?;
            }
        }
        self.out.flush()?;
        Ok(next)
    }

    fn tell_past(&mut self, number: u32, past: &PastState) -> io::Result<()> {
        let (score, largest) = (past.score, past.max_tile);
        print(&mut self.out, &format!("move {number}, score {score}, largest tile {largest}"))?;
        for line in board_lines(&past.grid) {
            print(&mut self.out, &line)?;
        }
        Ok(())
    }

    fn tell_games(&mut self, query: &GamesQuery, page: &Page<GameRecord>) -> io::Result<()> {
        let (show, sort) = (query.show, query.sort);
        self.listed = GamesQuery { show, sort, cursor: page.next.clone() };
        if page.items.is_empty() {
            return print(&mut self.out, "no such games");
        }
        for game in &page.items {
            print(&mut self.out, &format!("{}, {}", record_words(game), game.game))?;
        }
        if page.next.is_some() {
            print(&mut self.out, "there are more")?;
        }
        Ok(())
    }

    fn tell_hint(&mut self, reply: &HintReply) -> io::Result<()> {
        let direction = reply.decision.direction.map_or("no move", direction_word).to_lowercase();
        let reason = reply.decision.reason.as_ref();
        let fallback = reason.map(|reason| format!(" (fell back: {reason})")).unwrap_or_default();
        print(&mut self.out, &format!("hint: {direction}{fallback}"))
    }
}

/// Prints a line; what comes from the server, or from whoever it listens to, is text and nothing else.
fn print(out: &mut impl Write, words: &str) -> io::Result<()> {
    writeln!(out, "{}", printable(words))
}

/// "move 214, score 2056, best 27168, largest tile 128, driver mcts since move 120"
pub(crate) fn summary(state: &State) -> String {
    let playing = if state.game_over {
        "game over".into()
    } else if state.agent.running {
        format!("{} plays", title(&state.agent, &state.agent.player))
    } else {
        format!("driver {}", driver_text(state))
    };
    format!(
        "move {}, score {}, best {}, largest tile {}, {playing}",
        state.moves, state.score, state.best, state.max_tile
    )
}

/// Reading lines blocks: a thread of its own does it. It ends with the process, or with the input.
fn read_lines() -> mpsc::Receiver<String> {
    let (tell, lines) = mpsc::channel(1);
    thread::spawn(move || {
        for line in io::stdin().lines() {
            let Ok(line) = line else { return };
            // The loop is gone: so is the reason to read.
            if tell.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}

#[cfg(test)]
mod tests;
