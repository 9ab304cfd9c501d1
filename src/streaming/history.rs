//! What happened to whom, for the sentence that answers *why is this (not) loaded?*

use super::State;
use std::collections::VecDeque;

/// Why an object changed its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The character's way met its load rectangle.
    LoadEntered,
    /// The character's way met its load rectangle, but its last failure is too fresh.
    LoadEnteredTooSoon,
    /// It came back into its load rectangle before it was released.
    Returned,
    /// A place among the requests in flight was free, and it was the most urgent.
    Started,
    /// The loader was done.
    Arrived,
    /// The caller uploaded its picture.
    Uploaded,
    /// The character left its unload rectangle.
    UnloadLeft,
    /// It had to make room below the memory cap.
    Evicted,
    /// The caller released its picture.
    Released,
    /// Its asset could not be loaded.
    LoadFailed,
    /// The caller could not take its picture.
    UploadRefused,
    /// It had waited long enough after its last failure.
    BackOffOver,
    /// The loader gave its request back.
    GivenBack,
    /// It was taken out of the world.
    TakenAway,
}

impl Reason {
    /// The reason, to follow "because".
    pub const fn clause(self) -> &'static str {
        match self {
            Self::LoadEntered => "the character's way met its load rectangle",
            Self::LoadEnteredTooSoon => {
                "the character's way met its load rectangle, but it is too soon after its last failure"
            }
            Self::Returned => "the character came back before it was released",
            Self::Started => "it was the most urgent when a request was free",
            Self::Arrived => "its asset was read and decoded",
            Self::Uploaded => "its picture was uploaded",
            Self::UnloadLeft => "the character left its unload rectangle",
            Self::Evicted => "it had to make room for something that is needed more",
            Self::Released => "its picture was released",
            Self::LoadFailed => "its asset could not be loaded",
            Self::UploadRefused => "its picture could not be uploaded",
            Self::BackOffOver => "it had waited long enough to be tried again",
            Self::GivenBack => "the loader gave its request back",
            Self::TakenAway => "it was taken out of the world",
        }
    }

    /// Whether the trees decided it: the character's way met a rectangle, or left one.
    pub const fn is_of_trees(self) -> bool {
        matches!(
            self,
            Self::LoadEntered | Self::LoadEnteredTooSoon | Self::Returned | Self::UnloadLeft
        )
    }
}

/// One change of state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// When, in seconds.
    pub at: f64,
    /// Who.
    pub object: u32,
    /// Into which state.
    pub to: State,
    /// Why.
    pub reason: Reason,
}

/// The last transitions of all objects together, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    transitions: VecDeque<Transition>,
    /// When the last one happened that is forgotten, if any is.
    forgotten: Option<f64>,
}

/// How many transitions are kept: some minutes of riding, in less than half a megabyte.
pub(super) const TRANSITIONS_KEPT: usize = 1 << 14;

impl History {
    pub(super) fn note(&mut self, transition: Transition) {
        if self.transitions.len() == TRANSITIONS_KEPT {
            let oldest = self.transitions.pop_front();
            self.forgotten = oldest.map(|it| it.at);
        }
        self.transitions.push_back(transition);
    }

    /// Objects have other numbers from now on; what happened to those that have none is forgotten.
    pub(super) fn number_anew(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.transitions.retain_mut(|transition| {
            let new = number(transition.object);
            transition.object = new.unwrap_or_default();
            new.is_some()
        });
    }

    /// How many transitions are kept.
    pub(super) fn len(&self) -> usize {
        self.transitions.len()
    }

    /// Whether nothing that happened since then is forgotten.
    pub(super) fn reaches(&self, seconds: f64) -> bool {
        self.forgotten.is_none_or(|forgotten| forgotten < seconds)
    }

    /// What happened since then, oldest first.
    pub(super) fn since(&self, seconds: f64) -> impl Iterator<Item = &Transition> {
        let before = self.transitions.partition_point(|it| it.at < seconds);
        self.transitions.range(before..)
    }

    /// What happened to `object`, oldest first.
    pub(super) fn of(&self, object: u32) -> impl DoubleEndedIterator<Item = &Transition> {
        self.transitions
            .iter()
            .filter(move |transition| transition.object == object)
    }
}
