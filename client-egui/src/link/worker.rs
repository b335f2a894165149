//! The network's thread: it carries out orders and reports what it hears.

use std::{io, panic::resume_unwind, sync::Arc, thread, time::Duration};

use client::{Answer, Client, Connection, Subscription, Update};
use protocol::{CreateSession, Page, SessionItem};
use server::server::Server;
use tokio::{runtime, sync::mpsc, task::JoinSet, time::timeout};

use super::{Inbox, Link, News, Order, Place, local};
use crate::options::Goal;

/// How long calls under way may take once the window is closed.
const LAST_CALLS: Duration = Duration::from_secs(2);

/// Starts the thread. `wake` asks for a new picture.
///
/// # Errors
/// - if the operating system gives no thread
pub fn start(first: Order, wake: impl Fn() + Send + Sync + 'static) -> io::Result<Link> {
    let (orders, received) = mpsc::unbounded_channel();
    let inbox = Arc::new(Inbox::new(wake));
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let network = Network { inbox: Arc::clone(&inbox), table: None, server: None, told: None };
    let thread = thread::Builder::new()
        .name("network".into())
        .spawn(move || runtime.block_on(network.run(first, received)))?;
    Ok(Link { orders, inbox, thread: Some(thread) })
}

/// What came of something that took its time.
enum Done {
    Answer(Box<Answer>),
    Sessions(Result<Page<SessionItem>, String>),
    Created(Result<Goal, String>),
}

/// Where we are.
struct Table {
    client: Client,
    subscription: Subscription,
    ended: bool,
}

struct Network {
    inbox: Arc<Inbox>,
    table: Option<Table>,
    /// A server of our own.
    server: Option<Server>,
    /// The position that the window knows of, as long as the stream lives.
    told: Option<u64>,
}

impl Network {
    async fn run(mut self, first: Order, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut tasks = JoinSet::new();
        let mut next = Some(first);
        loop {
            if let Some(order) = next.take() {
                if matches!(order, Order::End) {
                    break;
                }
                self.carry_out(order, &mut tasks).await;
            }
            tokio::select! {
                order = orders.recv() => match order {
                    Some(order) => next = Some(order),
                    None => break,
                },
                update = next_update(&mut self.table) => self.heard(update),
                Some(done) = tasks.join_next() => {
                    // A call that panicked ends the program, as any panic does.
                    next = self.done(done.unwrap_or_else(|error| resume_unwind(error.into_panic())));
                }
            }
        }
        // What was asked last, such as to stop a player, is still asked.
        let rest = async { while tasks.join_next().await.is_some() {} };
        if timeout(LAST_CALLS, rest).await.is_err() {
            tracing::warn!("left without an answer");
        }
        drop(self.table);
        if let Some(server) = self.server {
            local::close(server).await;
        }
    }

    async fn carry_out(&mut self, order: Order, tasks: &mut JoinSet<Done>) {
        let client = self.table.as_ref().map(|table| table.client.clone());
        match (order, client) {
            (Order::Go(goal), _) => self.go(&goal),
            (Order::PlayHere(goal), _) => self.play_here(&goal).await,
            (Order::Call(command), Some(client)) => {
                tasks.spawn(async { Done::Answer(Box::new(command.carry_out(client).await)) });
            }
            (Order::Sessions, Some(client)) => {
                tasks.spawn(async move {
                    Done::Sessions(client.sessions(None).await.map_err(|error| error.to_string()))
                });
            }
            (Order::CreateSession, Some(client)) => {
                tasks.spawn(async move { Done::Created(create(client).await) });
            }
            (Order::TryNow, Some(_)) => {
                if let Some(table) = &self.table {
                    table.subscription.try_now();
                }
            }
            // The first has been dealt with; the others come from a window that knows of no server.
            (Order::End, _) | (_, None) => {}
        }
    }

    fn go(&mut self, goal: &Goal) {
        let server = goal.server.clone().unwrap_or_default();
        match Client::new(&server, goal.session.clone(), goal.token.clone()) {
            Ok(client) => {
                let client = match &goal.secret {
                    Some(secret) => client.by_link(secret.clone()),
                    None => client,
                };
                self.sit_down(client, !goal.only_watch, None);
            }
            Err(error) => self.inbox.put(News::Lost(error.to_string())),
        }
    }

    async fn play_here(&mut self, goal: &Goal) {
        let server = goal.server.clone().unwrap_or_default();
        let opened = match Client::new(&server, None, None) {
            Ok(client) => local::open(client).await,
            Err(error) => Err(error.to_string()),
        };
        match opened {
            Ok(local) => {
                self.server = local.server.or(self.server.take());
                self.sit_down(local.client, true, local.warning);
            }
            Err(why) => self.inbox.put(News::Lost(why)),
        }
    }

    fn sit_down(&mut self, client: Client, wants_to_play: bool, warning: Option<String>) {
        let own = self.server.as_ref().is_some_and(|server| server.url() == client.address());
        let place = Place {
            server: client.address().to_owned(),
            session: client.session().map(str::to_owned),
            may_play: wants_to_play && client.may_play(),
            own,
            warning,
        };
        self.inbox.put(News::Arrived(place));
        self.told = None;
        let subscription = Subscription::open(client.clone());
        self.table = Some(Table { client, subscription, ended: false });
    }

    /// Passes an update on, unless it tells the window nothing: a picture for every heartbeat is one too many.
    fn heard(&mut self, update: Option<Update>) {
        let Some(update) = update else {
            if let Some(table) = &mut self.table {
                table.ended = true;
            }
            return;
        };
        match &update {
            Update::State(snapshot) => self.told = Some(snapshot.state.seq),
            Update::Connection(Connection::Live) => {}
            Update::Connection(_) => self.told = None,
            Update::Heartbeat(seq) if self.told == Some(*seq) => return,
            Update::Heartbeat(seq) => self.told = Some(*seq),
            _ => {}
        }
        self.inbox.put(News::Update(update));
    }

    /// Reports what is done. Gives the order that follows from it.
    fn done(&self, done: Done) -> Option<Order> {
        match done {
            Done::Answer(answer) => self.inbox.put(News::Answer(answer)),
            Done::Sessions(list) => self.inbox.put(News::Sessions(list)),
            Done::Created(Ok(goal)) => return Some(Order::Go(goal)),
            Done::Created(Err(why)) => self.inbox.put(News::Sessions(Err(why))),
        }
        None
    }
}

/// The next update of the stream, once there is one.
async fn next_update(table: &mut Option<Table>) -> Option<Update> {
    match table {
        Some(Table { subscription, ended: false, .. }) => subscription.next().await,
        _ => std::future::pending().await,
    }
}

async fn create(client: Client) -> Result<Goal, String> {
    let request = CreateSession { seed: None, name: Some("desktop".into()) };
    let created = client.create_session(&request).await.map_err(|error| error.to_string())?;
    Ok(Goal {
        server: Some(client.address().to_owned()),
        session: Some(created.id),
        token: Some(created.control),
        ..Goal::default()
    })
}
