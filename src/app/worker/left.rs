//! A scene that was left for another one, and how many of them are kept.

use skirmish::scene::Scene;
use skirmish::session::Session;
use std::path::{Path, PathBuf};

/// To so many scenes that were left undo goes back, and to fewer where those before the last one take more memory than this. A unit in
/// a battle, in its structure and in what is asked of it takes about so much, an object of a world with its trees so much, and a world
/// what it keeps of the pictures that it has read.
const MOST_LEFT: usize = 8;
const MOST_LEFT_BYTES: usize = 192 << 20;
const UNIT_BYTES: usize = 256;
const OBJECT_BYTES: usize = 512;
const WORLD_BYTES: usize = 32 << 20;

/// A session that was left for another scene, to which undo returns.
pub(super) struct LeftSession {
    pub(super) session: Session,
    pub(super) path: Option<PathBuf>,
    pub(super) name: Option<String>,
    /// Its number while it was here.
    pub(super) entered: u64,
    /// Whether its file holds another scene by now.
    pub(super) is_replaced: bool,
    /// How many edits could be done again in it.
    pub(super) redo_count: usize,
}

impl LeftSession {
    /// About how many bytes it takes.
    fn byte_count(&self) -> usize {
        let session = &self.session;
        let world = session.world().map_or(0, |world| {
            let objects = world.streaming().objects().len();
            WORLD_BYTES + OBJECT_BYTES * objects
        });
        let units = session.scene().unit_count() as usize;
        session.timeline().byte_count() + UNIT_BYTES * units + world
    }
}

/// Tells those that were left whose file holds this scene by now.
pub(super) fn note_replaced<'a>(
    left: impl IntoIterator<Item = &'a mut LeftSession>,
    path: Option<&Path>,
    by: &Scene,
) {
    for left in left {
        if path.is_some() && left.path.as_deref() == path {
            left.is_replaced |= left.session.note_replaced(by);
        }
    }
}

/// Keeps the last of some scenes that were left, however large it is; those before it as long as all of them together are no burden.
pub(super) fn keep_few(left: &mut Vec<LeftSession>) {
    let mut bytes = 0;
    let mut is_light = |left: &&LeftSession| {
        bytes += left.byte_count();
        bytes <= MOST_LEFT_BYTES
    };
    let older = left.iter().rev().skip(1).take(MOST_LEFT - 1);
    let kept = 1 + older.take_while(&mut is_light).count();
    left.drain(..left.len().saturating_sub(kept));
}
