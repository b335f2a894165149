//! What a request is counted as: its route, by one of a few names, whatever stands in its address.

/// The calls of one session, which come under `/api/` and under `/api/sessions/<id>/`.
const CALLS: [&str; 11] = [
    "state",
    "events",
    "move",
    "new",
    "hint",
    "agent/start",
    "agent/stop",
    "agent/step",
    "transcript",
    "games/import",
    "games",
];

/// What is asked of one game.
const LOOKS: [(&str, &str); 3] =
    [("at", "games/at"), ("moves", "games/moves"), ("export", "games/export")];

/// What has an address of its own.
const OTHERS: [(&str, &str); 5] = [
    ("/api/version", "version"),
    ("/api/sessions", "sessions"),
    ("/healthz", "healthz"),
    ("/readyz", "readyz"),
    ("/metrics", "metrics"),
];

/// The name of the route that `path` takes. What is no call is the page, or nothing at all.
pub(super) fn of(path: &str) -> &'static str {
    if let Some((_, name)) = OTHERS.iter().find(|(other, _)| *other == path) {
        return name;
    }
    let Some(call) = path.strip_prefix("/api/") else { return "page" };
    if let Some(rest) = call.strip_prefix("sessions/") {
        return match rest.split_once('/') {
            Some((_, call)) => call_of_session(call),
            None => "sessions/close",
        };
    }
    match call.strip_prefix("games/") {
        Some(game) if game != "import" => look(game),
        _ => call_of_session(call),
    }
}

fn call_of_session(call: &str) -> &'static str {
    CALLS.iter().find(|known| **known == call).copied().unwrap_or("unknown")
}

fn look(game: &str) -> &'static str {
    let Some((_, asked)) = game.split_once('/') else { return "games/record" };
    let asked = asked.split('/').next().unwrap_or_default();
    LOOKS.iter().find(|(look, _)| *look == asked).map_or("unknown", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_counted_by_its_route() {
        for (path, route) in [
            ("/", "page"),
            ("/main.js", "page"),
            ("/s/0f3c", "page"),
            ("/api/move", "move"),
            ("/api/agent/start", "agent/start"),
            ("/api/sessions", "sessions"),
            ("/api/sessions/0f3c", "sessions/close"),
            ("/api/sessions/0f3c/move", "move"),
            ("/api/sessions/0f3c/games/import", "games/import"),
            ("/api/games", "games"),
            ("/api/games/import", "games/import"),
            ("/api/games/0f3c", "games/record"),
            ("/api/games/0f3c/at/12", "games/at"),
            ("/api/games/0f3c/moves", "games/moves"),
            ("/api/games/0f3c/export", "games/export"),
            ("/api/version", "version"),
            ("/metrics", "metrics"),
            ("/healthz", "healthz"),
            ("/api/nothing", "unknown"),
            ("/api/", "unknown"),
            ("/api/games/0f3c/secret", "unknown"),
            ("/api/sessions/0f3c/", "unknown"),
        ] {
            assert_eq!(of(path), route, "{path}");
        }
    }
}
