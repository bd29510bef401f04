//! Who follows what a board does.

use crate::event::Event;
use core::future::Future;

/// Is told what happens. A closure that takes events is an observer.
pub trait Observer {
    /// Something has happened.
    fn hear(&mut self, event: &Event) -> impl Future<Output = ()>;

    /// A slice of work is done, or a placement: what a watchdog is fed with. An iteration has so many
    /// slices and no more, and one that hangs does not come to this.
    fn progress(&mut self) {}
}

impl<F: AsyncFnMut(&Event)> Observer for F {
    async fn hear(&mut self, event: &Event) {
        self(event).await;
    }
}
