//! How what a session has done becomes durable, and what happens when it does not.

use std::{sync::Arc, time::Instant};

use actix::{ActorContext, ActorFutureExt, AsyncContext, Context, WrapFuture};
use store::{ErrorKind, StoreError};

use super::{Refusal, Session, Warning, answer, outbox::Batch};
use crate::actors::frame::Frame;

impl Session {
    /// Sends the next batch to the store, unless one is on its way. Whoever waits for nothing is answered now.
    pub(super) fn flush(&mut self, ctx: &mut Context<Self>) {
        self.count_agent();
        if self.outbox.sent.is_some() {
            return;
        }
        if !self.outbox.next.has_work() {
            let settled = Ok(Arc::clone(&self.frames.borrow()));
            self.outbox.next.waiters.drain(..).for_each(|waiter| waiter(&settled));
            return self.leave_if_told(ctx);
        }
        let mut batch = std::mem::take(&mut self.outbox.next);
        if batch.frame.as_ref().is_none_or(|frame| frame.seq() != self.table.seq) {
            batch.frame = Some(self.frame());
        }
        let append = batch.append(self.durable, &self.table, self.parts.clock.now());
        let begun = Instant::now();
        let asked = self.parts.store.append(append);
        self.outbox.sent = Some(batch);
        ctx.spawn(asked.into_actor(self).map(move |result, session, ctx| {
            let figures = &session.parts.metrics.store;
            figures.append_seconds.observe(begun.elapsed().as_secs_f64());
            figures.append_errors.inc_by(u64::from(result.is_err()));
            session.settled(result, ctx);
        }));
    }

    /// The batch on its way is durable, or refused.
    fn settled(&mut self, result: Result<(), StoreError>, ctx: &mut Context<Self>) {
        let Some(mut batch) = self.outbox.sent.take() else { return };
        match result {
            Ok(()) => {
                self.store_failed = None;
                let frame = batch.frame.take().expect("a batch is sent with its frame");
                self.durable = frame.seq();
                frame.publish(Instant::now());
                // A watch, not a queue: a slow subscriber skips to the newest frame and never holds the session up.
                self.frames.send_replace(Arc::clone(&frame));
                // It was played on: nothing is about to happen to it any more, which a warning's reader sees by itself.
                let expires = |warning: &mut Warning| matches!(warning, Warning::Expires { .. });
                self.notices.change(
                    |notices| {
                        notices.warning.take_if(expires);
                    },
                    false,
                );
                let settled = Ok(frame);
                batch.waiters.drain(..).for_each(|waiter| waiter(&settled));
                let played = self.played();
                self.ahead.drain(..).for_each(|tell| answer(tell, Ok(played.clone())));
            }
            Err(error) => self.undo(batch, &error, ctx),
        }
        self.flush(ctx);
    }

    /// Goes back to what is durable and tells everybody who waits that it was not saved.
    fn undo(&mut self, sent: Batch, error: &StoreError, ctx: &mut Context<Self>) {
        self.store_failed = Some(Instant::now());
        let refusal = if error.kind == ErrorKind::NotFound {
            tracing::info!(session = %self.table.session, "closed before this was saved");
            self.closed()
        } else {
            tracing::error!(session = %self.table.session, error = %error.text, "not saved");
            Refusal::Store(error.text.clone())
        };
        let settled = Err(refusal.clone());
        let (mut checkpoint, mut filed) = (None, None);
        for batch in [sent, std::mem::take(&mut self.outbox.next)] {
            batch.command_ids().for_each(|id| self.commands.forget(id));
            checkpoint = checkpoint.or(batch.checkpoint);
            filed = filed.or(batch.filed);
            batch.waiters.into_iter().for_each(|waiter| waiter(&settled));
        }
        if let Some(checkpoint) = checkpoint {
            self.table.go_back(&checkpoint, filed);
        }
        self.ahead.drain(..).for_each(|tell| answer(tell, Err(refusal.clone())));
        if matches!(
            error.kind,
            ErrorKind::Conflict { .. } | ErrorKind::NotFound | ErrorKind::Invalid
        ) {
            // What is in memory is not what is stored: the lobby loads it again, or finds that it is closed.
            return ctx.stop();
        }
        self.direct_agent(ctx);
    }

    /// The frame of the table as it is: the published one, the one in the next batch, or a new one.
    pub(super) fn newest_frame(&mut self) -> Arc<Frame> {
        let published = self.frames.borrow().seq();
        if self.table.seq == published {
            return Arc::clone(&self.frames.borrow());
        }
        let frame = match &self.outbox.next.frame {
            Some(frame) if frame.seq() == self.table.seq => Arc::clone(frame),
            _ => self.frame(),
        };
        self.outbox.next.frame = Some(Arc::clone(&frame));
        frame
    }

    fn frame(&self) -> Arc<Frame> {
        Arc::new(Frame::new(self.table.state(&self.parts.published, self.watchers())))
    }
}
