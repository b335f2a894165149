//! With the real server, and with others at the same table.

use client::{Client, Subscription, Update};
use protocol::{AgentStart, MoveRequest};
use server::{
    config::{Config, Durability, StoreChoice},
    server::Server,
};

use super::{legal_key, program, pty::Pty};

/// A server on a port of its own, or on `port` again.
async fn serve(config: Config) -> Server {
    tokio::task::spawn_blocking(|| Server::start(config).unwrap()).await.unwrap()
}

async fn stop(server: Server) {
    tokio::task::spawn_blocking(|| server.stop().unwrap()).await.unwrap();
}

fn terminal(address: &str) -> Pty {
    Pty::start(&program(), &["--server", address, "--no-anim"], &[])
}

/// The next state that is as wanted.
async fn until(
    subscription: &mut Subscription,
    is: impl Fn(&protocol::State) -> bool,
) -> protocol::State {
    loop {
        match subscription.next().await {
            Some(Update::State(snapshot)) if is(&snapshot.state) => return snapshot.state,
            Some(_) => {}
            None => panic!("the subscription has ended"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_at_the_table_sees_what_anybody_does() {
    let server = serve(Config { port: 0, ..Config::default() }).await;
    let address = server.url();
    let client = Client::new(&address, None, None).unwrap();
    let mut others = Subscription::open(client.clone());
    let (mut one, mut two) = (terminal(&address), terminal(&address));
    one.until_shown("Your move");
    two.until_shown("Your move");
    one.until_shown("3 watching");

    one.press(legal_key(&client.state().await.unwrap()));
    two.until_shown("Moves 1 ");
    let state = until(&mut others, |state| state.moves == 1).await;

    let direction = format!("{:?}", state.legal[0]).to_uppercase();
    let request = MoveRequest { direction, if_moves: Some(1), ..MoveRequest::default() };
    assert!(client.move_(&request).await.unwrap().moved);
    one.until_shown("Moves 2 ");
    two.until_shown("Moves 2 ");

    let slowly = Some(10.0);
    let player = Some("rules".into());
    let start = AgentStart { player, interval_seconds: slowly, ..AgentStart::default() };
    assert!(client.agent_start(&start).await.unwrap().started);
    one.until_shown("Corner rules");
    two.until_shown("rules plays from move");
    // Its first move comes at once, the next one only after the key.
    let state = until(&mut others, |state| state.agent.running && state.moves == 3).await;
    two.press(legal_key(&state));
    two.until_shown("You took over from rules at move");
    one.until_shown("A person took over from rules at move");
    until(&mut others, |state| !state.agent.running).await;

    stop(server).await;
    one.until_shown("Reconnecting");
    two.until_shown("Reconnecting");
}

#[tokio::test(flavor = "multi_thread")]
async fn past_boards_come_from_the_server() {
    let server = serve(Config { port: 0, ..Config::default() }).await;
    let address = server.url();
    let client = Client::new(&address, None, None).unwrap();
    for moves in 0..3 {
        let legal = client.state().await.unwrap().legal[0];
        let direction = format!("{legal:?}").to_uppercase();
        let request = MoveRequest { direction, if_moves: Some(moves), ..MoveRequest::default() };
        client.move_(&request).await.unwrap();
    }
    let mut pty = terminal(&address);
    pty.until_shown("Moves 3 ");
    pty.press(",,");
    pty.until_shown("Move 1 of 3. The live game goes on.");
    pty.until_shown("Moves 1 ");
    pty.press("\u{1b}[F");
    pty.until_shown("Your move");
    pty.until_shown("Moves 3 ");
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_during_a_players_game_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    let store = || StoreChoice::Sqlite {
        folder: folder.path().to_owned(),
        durability: Durability::Process,
    };
    let mut server = serve(Config { port: 0, store: store(), ..Config::default() }).await;
    let (address, port) = (server.url(), server.address().port());
    let client = Client::new(&address, None, None).unwrap();
    let pty = terminal(&address);
    pty.until_shown("Your move");
    let game = client.state().await.unwrap().game;
    let start = AgentStart {
        player: Some("random".into()),
        interval_seconds: Some(1.0),
        ..AgentStart::default()
    };
    client.agent_start(&start).await.unwrap();
    for _ in 0..2 {
        pty.until_shown("Live  Random plays");
        stop(server).await;
        pty.until_shown("Reconnecting");
        server = serve(Config { port, store: store(), ..Config::default() }).await;
        pty.until_shown("The server restarted; the game continues at move");
        assert_eq!(client.state().await.unwrap().game, game);
    }
    pty.until_shown("Live  Random plays");
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_serves_itself_when_nobody_else_does() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap().to_owned();
    let options = ["--local", "--server", "127.0.0.1:0", "--no-anim"];
    let mut pty = Pty::start(&program(), &options, &[("XDG_DATA_HOME", &data)]);
    pty.until_shown("Your move");
    pty.press("wasd");
    pty.until("a move", |screen| !screen.contents().contains("Moves 0 "));
    pty.press("q");
    assert!(pty.until_ended().success());
    pty.is_restored();

    // A home that can't be written to is one warning.
    let mut pty = Pty::start(&program(), &options, &[]);
    pty.until_shown("Games are not saved");
    pty.until_shown("Your move");
    pty.press("q");
    assert!(pty.until_ended().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_plays_on_the_server_that_is_there() {
    let server = serve(Config { port: 0, ..Config::default() }).await;
    let address = server.url();
    let options = ["--local", "--server", &address, "--no-anim"];
    let mut pty = Pty::start(&program(), &options, &[]);
    pty.until_shown("Your move");
    pty.press("q");
    assert!(pty.until_ended().success());
    let client = Client::new(&address, None, None).unwrap();
    assert_eq!(client.state().await.unwrap().moves, 0, "it goes on without us");
    stop(server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_lets_watch_until_it_is_revoked() {
    let server = serve(Config { port: 0, ..Config::default() }).await;
    let client = Client::new(&server.url(), None, None).unwrap();
    let link = client.give_link().await.unwrap();
    let mut spectator = Pty::start(&program(), &["--watch", &link, "--no-anim"], &[]);
    spectator.until_shown("Watching");
    let state = client.state().await.unwrap();
    let direction = format!("{:?}", state.legal[0]).to_uppercase();
    let request = MoveRequest { direction, if_moves: Some(0), ..MoveRequest::default() };
    assert!(client.move_(&request).await.unwrap().moved);
    spectator.until_shown("Moves 1 ");
    spectator.press("g");
    spectator.until_shown("running");
    spectator.press("\u{1b}");
    // It plays nothing, whatever is pressed.
    spectator.press(legal_key(&client.state().await.unwrap()));
    assert_eq!(client.revoke_links().await.unwrap(), 1);
    spectator.until_shown("This link is no longer valid.");
    assert_eq!(client.state().await.unwrap().moves, 1);

    let mut player = terminal(&server.url());
    player.until_shown("Your move");
    player.press(":share\r");
    player.until_shown(&format!("To watch: {}/w/", client.address()));
    player.press(":revoke\r");
    player.until_shown("1 link leads nowhere now.");
    stop(server).await;
}
