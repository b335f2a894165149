//! The limit on open files: a connection is one, here and in the server that is started from here.

use anyhow::bail;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files beside the connections, here and in a server.
const BESIDE: u64 = 256;

/// Makes room for so many connections, in this process and in the server that it starts next, which inherits the limit
/// and keeps a quarter of it for other things than streams.
///
/// # Errors
/// - When the system allows fewer.
pub(crate) fn make_room(connections: usize) -> anyhow::Result<()> {
    let needed = needed(connections);
    let now = getrlimit(Resource::Nofile);
    if now.current.is_none_or(|limit| limit >= needed) {
        return Ok(());
    }
    // All that the system allows; and more than that, which only root may.
    let maximum = now.maximum.map(|limit| limit.max(needed));
    let current = now.maximum.map(|limit| limit.max(needed));
    if setrlimit(Resource::Nofile, Rlimit { current, maximum }).is_ok() {
        return Ok(());
    }
    let allowed = now.maximum.unwrap_or_default();
    bail!(
        "{connections} connections need {needed} open files and the system allows this user {allowed}: \
         raise it (ulimit -Hn, or LimitNOFILE of the service), or ask for fewer"
    )
}

fn needed(connections: usize) -> u64 {
    (connections as u64).saturating_mul(4) / 3 + BESIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_a_few_and_none_for_all_in_the_world() {
        make_room(10).unwrap();
        let told = make_room(usize::MAX).unwrap_err().to_string();
        assert!(told.contains("open files and the system allows"), "{told}");
    }
}
