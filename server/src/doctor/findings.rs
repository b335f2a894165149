//! What is found, and what to do about it: one sentence each.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, StatusCode, header};
use protocol::PROTOCOL;

/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Clocks that differ by more are not set by the same time.
const SKEW: Duration = Duration::from_secs(5);

/// With fewer open files there is hardly room for an audience.
const FILES: f64 = 4096.0;

/// With less room than this a disk is nearly full.
const ROOM: f64 = 1024.0 * 1024.0 * 1024.0;

/// What is more than so much in use is nearly used up.
const NEARLY: f64 = 0.8;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How it is.
    pub verdict: Verdict,
    /// What was found, and what to do.
    pub text: String,
}

/// How a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Good,
    /// Not looked at.
    Unknown,
    /// To be mended.
    Bad,
    /// So that nothing else can be looked at.
    Fatal,
}

impl Finding {
    /// Whether nothing else can be looked at.
    pub fn ends_it(&self) -> bool {
        self.verdict == Verdict::Fatal
    }

    /// Whether there is something to be mended.
    pub fn is_bad(&self) -> bool {
        matches!(self.verdict, Verdict::Bad | Verdict::Fatal)
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match self.verdict {
            Verdict::Good => "good",
            Verdict::Unknown => "not looked at",
            Verdict::Bad | Verdict::Fatal => "to be mended",
        };
        write!(f, "{verdict}: {}", self.text)
    }
}

fn good(text: String) -> Finding {
    Finding { verdict: Verdict::Good, text }
}

fn bad(text: String) -> Finding {
    Finding { verdict: Verdict::Bad, text }
}

fn fatal(text: String) -> Finding {
    Finding { verdict: Verdict::Fatal, text }
}

/// Nobody answers.
pub(super) fn unreachable(base: &str, error: &str) -> Finding {
    fatal(format!(
        "{base} cannot be asked ({error}): is the server running, and is this its address?"
    ))
}

/// What answered at `base` to the question for its version; `name` is what it was called.
pub(super) fn version(status: StatusCode, body: &str, base: &str, name: &str) -> Finding {
    let json: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let text = |field: &str| json.as_ref()?.get(field)?.as_str();
    if status == StatusCode::FORBIDDEN && text("detail").is_some() {
        return fatal(format!(
            "the server does not go by the name {name} (\"{}\"): start it with --allowed-host {name}, and have the \
             proxy pass the name on (nginx: proxy_set_header Host $host)",
            text("detail").unwrap_or_default()
        ));
    }
    if status != StatusCode::OK || text("name") != Some("serve2048") {
        return fatal(format!(
            "what answers at {base} (with {}) is no serve2048: check the address, and what the proxy in front sends on",
            status.as_u16()
        ));
    }
    let protocol = json.as_ref().and_then(|json| json["protocol"].as_u64());
    match (text("version"), protocol) {
        (Some(VERSION), Some(spoken)) if spoken == u64::from(PROTOCOL) => {
            good(format!("it answers, and is of this version, {VERSION}"))
        }
        (version, _) => bad(format!(
            "it is of version {}, and this program of {VERSION}: update the older one",
            version.unwrap_or("unknown")
        )),
    }
}

/// What the clock there says, as the answer that took `took` has it, and what it is here.
pub(super) fn clock(date: Option<&str>, now: SystemTime, took: Duration) -> Finding {
    let Some(there) = date.and_then(|date| httpdate::parse_http_date(date).ok()) else {
        return Finding {
            verdict: Verdict::Unknown,
            text: "the clock, since the answer has no date".to_owned(),
        };
    };
    let (skew, way) = match there.duration_since(now) {
        Ok(ahead) => (ahead, "ahead of"),
        Err(behind) => (behind.duration(), "behind"),
    };
    // The date has no fractions of a second, and was written some time ago.
    if skew <= SKEW + took {
        return good("its clock agrees with this one".to_owned());
    }
    bad(format!(
        "its clock is {} s {way} this one: have both set by NTP, since games are dated and sessions expire by it",
        skew.as_secs()
    ))
}

/// What is wrong with the head of a stream, if anything is.
pub(super) fn stream_head(status: StatusCode, headers: &HeaderMap) -> Option<Finding> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = text(header::CONTENT_TYPE);
    if status != StatusCode::OK || !kind.starts_with("text/event-stream") {
        return Some(bad(format!(
            "the event stream is answered with {} and {kind}: have the proxy send /api/events and \
             /api/sessions/*/events on as they are",
            status.as_u16()
        )));
    }
    let encoding = text(header::CONTENT_ENCODING);
    if !matches!(encoding, "" | "identity") {
        return Some(bad(format!(
            "the event stream is compressed ({encoding}), which holds events back: turn compression off for \
             text/event-stream"
        )));
    }
    None
}

/// The first event did not come at once.
pub(super) fn held_back(how: &str) -> Finding {
    bad(format!(
        "events are held back ({how}): turn the proxy's buffering off (nginx: proxy_buffering off; Caddy: \
         flush_interval -1)"
    ))
}

/// It did.
pub(super) fn prompt(took: Duration) -> Finding {
    good(format!("events come at once, the first after {} ms", took.as_millis()))
}

/// The stream ended by itself.
pub(super) fn cut_off(after: Duration) -> Finding {
    bad(format!(
        "the event stream was cut off after {:.0} s: raise the idle time-out of what stands between above 15 s (nginx: \
         proxy_read_timeout 1h)",
        after.as_secs_f64()
    ))
}

/// A heartbeat came.
pub(super) fn alive(after: Duration) -> Finding {
    good(format!("the stream stays open, its heartbeat came after {:.0} s", after.as_secs_f64()))
}

/// None came.
pub(super) fn no_heartbeat(waited: Duration) -> Finding {
    bad(format!(
        "no heartbeat came in {:.0} s though there is one every 15 s: something between holds small events back, turn its \
         buffering off",
        waited.as_secs_f64()
    ))
}

/// The figures are not shown to everybody.
pub(super) fn no_figures(status: StatusCode) -> Finding {
    Finding {
        verdict: Verdict::Unknown,
        text: format!(
            "disk, open files and streams, since /metrics answers {}: give the operator's token in SERVE2048_TOKEN, or ask at \
             the address of --metrics-bind",
            status.as_u16()
        ),
    }
}

/// What the figures tell.
pub(super) fn figures(text: &str) -> Vec<Finding> {
    let figure = |name: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse::<f64>().ok())
    };
    let mut found = Vec::new();
    match figure("game2048_store_free_bytes") {
        None | Some(0.0) => {
            found.push(good("its games are in memory, no disk is needed".to_owned()));
        }
        Some(free) if free < ROOM => found.push(bad(format!(
            "only {:.0} MB are left where the games are kept: make room before moves are refused",
            free / 1e6
        ))),
        Some(free) => {
            found.push(good(format!("{:.0} GB are left where the games are kept", free / 1e9)));
        }
    }
    if let (Some(open), Some(most)) = (figure("process_open_fds"), figure("process_max_fds")) {
        found.push(files(open, most));
    }
    let streams = (figure("game2048_streams_open"), figure("game2048_streams_limit"));
    if let (Some(open), Some(most)) = streams {
        found.push(if open > most * NEARLY {
            bad(format!("{open} of at most {most} streams are open: raise --max-streams and the limit on open files"))
        } else {
            good(format!("{open} of at most {most} streams are open"))
        });
    }
    found
}

fn files(open: f64, most: f64) -> Finding {
    if open > most * NEARLY {
        bad(format!(
            "{open} of at most {most} files are open: raise the limit (ulimit -n, or LimitNOFILE= in its systemd unit)"
        ))
    } else if most < FILES {
        bad(format!(
            "it may open {most} files only, and each watcher is one: raise the limit (ulimit -n 65536, or \
             LimitNOFILE=65536 in its systemd unit)"
        ))
    } else {
        good(format!("{open} of at most {most} files are open"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_that_differ_are_told_which_way() {
        let date = "Mon, 30 Nov 2026 12:00:00 GMT";
        let there = httpdate::parse_http_date(date).unwrap();
        let said = |now| clock(Some(date), now, Duration::ZERO);
        assert!(!said(there + Duration::from_secs(4)).is_bad());
        let text = said(there + Duration::from_mins(2)).text;
        assert!(text.starts_with("its clock is 120 s behind this one: have both set"), "{text}");
        let text = said(there - Duration::from_secs(90)).text;
        assert!(text.starts_with("its clock is 90 s ahead of this one"), "{text}");
        assert_eq!(clock(None, there, Duration::ZERO).verdict, Verdict::Unknown);
        assert!(
            !clock(Some(date), there + Duration::from_secs(14), Duration::from_secs(9)).is_bad()
        );
    }

    #[test]
    fn what_is_no_server_of_ours_or_an_older_one_is_said() {
        let said = |status, body: &str| {
            version(
                StatusCode::from_u16(status).unwrap(),
                body,
                "http://play.example.org",
                "play.example.org",
            )
        };
        let ours = format!(r#"{{"name":"serve2048","version":"{VERSION}","protocol":{PROTOCOL}}}"#);
        assert_eq!(said(200, &ours).verdict, Verdict::Good);
        let older = said(200, r#"{"name":"serve2048","version":"0.0.1","protocol":1}"#);
        assert!(older.is_bad() && !older.ends_it(), "{older}");
        assert!(said(502, "<html>Bad Gateway</html>").ends_it());
        assert!(said(200, "<html></html>").text.contains("is no serve2048"));
        let refused =
            said(403, r#"{"detail":"\"play.example.org\" is not a name of this server"}"#);
        assert!(refused.text.contains("--allowed-host play.example.org"), "{refused}");
    }

    #[test]
    fn what_runs_out_is_said_before_it_has() {
        let said = |free: u64, open: u64, most: u64, streams: u64| {
            let text = format!(
                "# HELP x\ngame2048_store_free_bytes {free}\nprocess_open_fds {open}\nprocess_max_fds {most}\n\
                 game2048_streams_open {streams}\ngame2048_streams_limit 100\n"
            );
            figures(&text)
                .iter()
                .filter(|found| found.is_bad())
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(said(50_000_000_000, 20, 65_536, 3), Vec::<String>::new());
        assert_eq!(said(0, 20, 65_536, 3), Vec::<String>::new());
        let all = said(5_000_000, 20, 1024, 90);
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(all[0].starts_with("to be mended: only 5 MB are left"), "{all:?}");
        assert!(
            all[1].contains("1024 files only") && all[1].contains("LimitNOFILE=65536"),
            "{all:?}"
        );
        assert!(all[2].contains("90 of at most 100 streams"), "{all:?}");
        assert!(said(0, 60_000, 65_536, 3)[0].contains("60000 of at most 65536 files are open"));
    }

    #[test]
    fn a_stream_that_was_meddled_with_is_no_stream() {
        let head = |kind: &str, encoding: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, kind.parse().unwrap());
            headers.insert(header::CONTENT_ENCODING, encoding.parse().unwrap());
            stream_head(StatusCode::OK, &headers).map(|found| found.text)
        };
        assert_eq!(head("text/event-stream; charset=utf-8", "identity"), None);
        assert!(head("text/html", "identity").unwrap().contains("with 200 and text/html"));
        assert!(head("text/event-stream", "gzip").unwrap().contains("compressed (gzip)"));
    }
}
