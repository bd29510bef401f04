//! Logs for people with a probe.

use crate::observer::Observer;
#[cfg(feature = "defmt")]
use crate::{
    event::{Boot, Saved},
    session::Session,
};
use ipse::Driver;

/// An observer that logs by defmt when a session starts, saves and ends. Without the feature `defmt` it is silent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Log;

#[cfg(feature = "defmt")]
impl<D: Driver> Observer<D> for Log {
    fn booted(&mut self, _: &Session<D>, boot: Boot) {
        defmt::info!("{}", boot);
    }

    fn began(&mut self, session: &Session<D>) {
        defmt::info!("{}", session.hello());
    }

    fn saved(&mut self, _: &Session<D>, saved: Saved) {
        match saved.is_saved() {
            true => defmt::debug!("{}", saved),
            false => defmt::error!("{}", saved),
        }
    }

    fn ended(&mut self, session: &Session<D>) {
        defmt::info!("{}", session.result());
    }
}

#[cfg(not(feature = "defmt"))]
impl<D: Driver> Observer<D> for Log {}
