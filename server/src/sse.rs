//! Events of a stream as bytes: `actix-web-lab` writes each one once, whatever the number of its readers.

use std::{convert::Infallible, time::Duration};

use actix_web::body::to_bytes;
pub(crate) use actix_web_lab::sse::Data;
use actix_web_lab::sse::{Event, Sse};
use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, stream};

/// An event as it goes over the wire.
pub(crate) fn written(event: Data) -> Bytes {
    at_once(Sse::from_stream(stream::iter([Ok::<_, Infallible>(event.into())])))
}

/// What tells a client how long to wait before it comes back.
pub(crate) fn retry(after: Duration) -> Bytes {
    let nothing = stream::empty::<Result<Event, Infallible>>();
    at_once(Sse::from_stream(nothing).with_retry_duration(after))
}

fn at_once<S>(events: Sse<S>) -> Bytes
where
    S: Stream<Item = Result<Event, Infallible>> + 'static,
{
    let body = to_bytes(events).now_or_never().expect("its events are there already");
    body.expect("its events cannot fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_its_fields_and_an_empty_line() {
        let event = Data::new("{\"seq\":7}").event("hb");
        assert_eq!(written(event.clone()), "event: hb\ndata: {\"seq\":7}\n\n");
        assert_eq!(written(event.id("e:7")), "id: e:7\nevent: hb\ndata: {\"seq\":7}\n\n");
        assert_eq!(retry(Duration::from_millis(1_500)), "retry: 1500\n\n");
    }
}
