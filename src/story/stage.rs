//! A moment at which operations are told: everything that they have in common, found out once.

use super::{Answer, Atlas, Ground, Operation, Story};
use crate::partition::AnyPartition;
use crate::probe::{Abandoned, Cancel, Counter};
use std::collections::HashMap;
use std::sync::Arc;

/// A structure, the units that it holds and the regions that it shows, at one moment.
#[derive(Clone, Debug)]
pub struct Stage {
    index: AnyPartition,
    ground: Ground,
    reach: f32,
    atlas: Arc<Atlas>,
}

impl Stage {
    /// The moment of an index that is up to date with `ground`. Pairs without a reach of their own will be asked for up to
    /// `reach`, in metres.
    pub fn new(
        index: AnyPartition,
        ground: Ground,
        reach: f32,
        cancel: &Cancel,
    ) -> Result<Self, Abandoned> {
        let atlas = Arc::new(Atlas::of(&index, ground.bodies(), cancel)?);
        Ok(Self {
            index,
            ground,
            reach,
            atlas,
        })
    }

    /// The units.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The structure.
    pub fn index(&self) -> &AnyPartition {
        &self.index
    }

    /// The regions of the structure.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// The story in which nothing happens: the structure as it stands.
    pub fn still(&self) -> Story {
        Story {
            steps: Vec::new(),
            places: Vec::new(),
            identities: Vec::new(),
            names: Vec::new(),
            newcomer: None,
            turn: 0,
            answer: Answer::Units(Vec::new()),
            reaches: Vec::new(),
            stays: Vec::new(),
            looked: HashMap::new(),
            counters: Counter::default(),
            left_out: 0,
            before: Arc::clone(&self.atlas),
            after: None,
        }
    }

    /// Carries an operation out on a copy, and tells what happened; the first `cap` events are kept.
    ///
    /// The operation has to be one that [`Operation::check`] lets pass.
    pub fn tell(
        &self,
        operation: &Operation,
        cap: usize,
        cancel: &Cancel,
    ) -> Result<Story, Abandoned> {
        let (mut index, mut ground) = (self.index.clone(), self.ground.clone());
        let atlas = Arc::clone(&self.atlas);
        Story::from(
            operation,
            &mut index,
            &mut ground,
            self.reach,
            cap,
            atlas,
            cancel,
        )
    }
}
