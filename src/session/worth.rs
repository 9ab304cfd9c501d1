//! What something is worth that no file has.

/// What a scene has that its file has not, in the order of what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unsaved {
    /// Nothing.
    Nothing,
    /// Other structures follow it, and no knob of theirs was set: somebody has looked around.
    Structures,
    /// Knobs of structures, or of how its world streams, are set otherwise, and nothing and nobody in it is.
    Settings,
    /// Something that somebody has made.
    Work,
}
