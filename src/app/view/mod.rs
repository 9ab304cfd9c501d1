//! The views of a scene, a folder each. Which there are says the list in `commands/views.rs`.
//!
//! A new view is a folder here with a type that implements [`View`], its row in that list, and its line in `make`, without which
//! the program does not compile. Everything else finds it by itself.
//!
//! Invariant: no view imports another. What more than one of them draws is in [`field`], [`caption`], [`chips`],
//! [`marks`], [`panel`], [`space`], [`structures`], [`tools`] and `render`.

mod battle;
mod caption;
mod chips;
mod compare;
mod contract;
mod field;
mod marks;
mod panel;
mod space;
mod step;
mod streaming;
mod structures;
mod tools;
mod volume;

pub use contract::{Grip, Press, View};
pub use field::Crowd;
pub use marks::LEAST_NOTCHED;
#[cfg(test)]
pub use space::draw::rings_of_met;

use crate::app::commands;
use crate::app::commands::VIEWS;

/// Every view, with what it keeps from frame to frame.
pub struct Views(Vec<Box<dyn View>>);

impl Views {
    /// All of them, as they are at the start.
    pub fn new() -> Self {
        Self(VIEWS.iter().map(|row| make(row.view)).collect())
    }

    /// The view of this name.
    pub fn of(&mut self, view: commands::View) -> &mut dyn View {
        self.0[view as usize].as_mut()
    }

    /// Every view, shown or not, with its name.
    pub fn each(&mut self) -> impl Iterator<Item = (commands::View, &mut dyn View)> {
        let names = VIEWS.iter().map(|row| row.view);
        names.zip(self.0.iter_mut().map(|view| view.as_mut() as &mut dyn View))
    }
}

/// What stands behind a row of the list.
fn make(view: commands::View) -> Box<dyn View> {
    match view {
        commands::View::Battle => Box::new(battle::Battle::default()),
        commands::View::Compare => Box::new(compare::Compare::default()),
        commands::View::Streaming => Box::new(streaming::Streaming::default()),
        commands::View::Volume => Box::new(volume::Volume::default()),
    }
}
