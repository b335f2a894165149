//! Links to a session.

/// What a link names: `http://host:port/s/ID` a session, `http://host:port/w/SECRET` one that can be watched until the
/// link is revoked. What is no address is a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// The server's address.
    pub server: Option<String>,
    /// The session's id.
    pub session: Option<String>,
    /// What lets watch a session without its id.
    pub secret: Option<String>,
}

impl Link {
    /// Reads a link.
    pub fn read(link: &str) -> Self {
        let Some((scheme, rest)) = link.split_once("://") else {
            let session = Some(link.to_owned()).filter(|id| !id.is_empty());
            return Self { session, ..Self::default() };
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(end);
        let after = |mark: &str| {
            let id = path.split_once(mark)?.1;
            let end = id.find(['&', '#', '/', '?']).unwrap_or(id.len());
            Some(id[..end].to_owned()).filter(|id| !id.is_empty())
        };
        let server = Some(format!("{scheme}://{host}"));
        Self { server, session: after("/s/"), secret: after("/w/") }
    }
}
