//! Who follows what a board does.

use crate::event::Event;
use core::future::Future;

/// Is told what happens. A closure that takes events is an observer.
pub trait Observer {
    /// Something has happened.
    fn hear(&mut self, event: &Event) -> impl Future<Output = ()>;

    /// A slice of work is done, or a placement: the place to feed a watchdog. The number of slices of an iteration
    /// is bounded, and a slice that hangs does not come to this.
    fn progress(&mut self) {}
}

impl<F: AsyncFnMut(&Event)> Observer for F {
    async fn hear(&mut self, event: &Event) {
        self(event).await;
    }
}
