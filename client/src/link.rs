//! Links to a session.

/// The server and the session of a spectator link, `http://host:port/s/ID`; what is no address is a session.
pub fn read_link(link: &str) -> (Option<String>, Option<String>) {
    let Some((scheme, rest)) = link.split_once("://") else {
        return (None, Some(link.to_owned()).filter(|id| !id.is_empty()));
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let after = |mark: &str| {
        let id = path.split_once(mark)?.1;
        let end = id.find(['&', '#', '/', '?']).unwrap_or(id.len());
        Some(id[..end].to_owned()).filter(|id| !id.is_empty())
    };
    (Some(format!("{scheme}://{host}")), after("/s/"))
}
