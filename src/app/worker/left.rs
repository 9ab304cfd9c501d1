//! The scenes that were left for another one: undo goes back to them, and redo on again.

use super::run::Run;
use super::{News, lock};
use crate::app::commands::{Command, keys_of};
use skirmish::session::Session;
use std::path::PathBuf;

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
    /// How many edits could be done again in it.
    redo_count: usize,
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

/// Keeps the last of some scenes that were left, however large it is; those before it as long as all of them together are no burden.
fn keep_few(left: &mut Vec<LeftSession>) {
    let mut bytes = 0;
    let mut is_light = |left: &&LeftSession| {
        bytes += left.byte_count();
        bytes <= MOST_LEFT_BYTES
    };
    let older = left.iter().rev().skip(1).take(MOST_LEFT - 1);
    let kept = 1 + older.take_while(&mut is_light).count();
    left.drain(..left.len().saturating_sub(kept));
}

impl Run {
    /// Puts another session in the place of this one, to which undo returns.
    pub(super) fn leave_for(
        &mut self,
        session: Session,
        path: Option<PathBuf>,
        name: Option<String>,
    ) {
        let here = self.exchange(session, path, name);
        let [before, after] = &mut self.left;
        before.push(here);
        after.clear();
        keep_few(before);
        self.undone_before = 0;
    }

    /// Puts another session in the place of this one, and gives this one.
    fn exchange(
        &mut self,
        session: Session,
        path: Option<PathBuf>,
        name: Option<String>,
    ) -> LeftSession {
        LeftSession {
            redo_count: self.session.redo_count(),
            session: std::mem::replace(&mut self.session, session),
            path: std::mem::replace(&mut self.path, path),
            name: std::mem::replace(&mut self.name, name),
            entered: self.entered,
        }
    }

    /// Whether undo (or redo) goes to another scene next: nothing else is left to take back here (or to do again), or what is left was
    /// undone before that scene was opened.
    pub(super) fn turns_scene(&self, redo: bool) -> bool {
        let session = &self.session;
        let is_older = redo && session.redo_count() <= self.undone_before;
        let is_last = || session.undo_name(redo).is_none() && !session.brings_future_back(redo);
        !self.left[usize::from(redo)].is_empty() && (is_older || is_last())
    }

    /// Goes back to the scene that was open before, or on to the one after.
    pub(super) fn change_sessions(&mut self, on: bool) {
        let Some(left) = self.left[usize::from(on)].pop() else {
            return;
        };
        let title = |name: &Option<String>| {
            let name = name.as_deref();
            name.unwrap_or("skirmish.ron").to_owned()
        };
        let titles = [title(&left.name), title(&self.name)];
        let own = std::mem::replace(&mut self.undone_before, left.redo_count);
        let mut here = self.exchange(left.session, left.path, left.name);
        if !on {
            // All that is taken back here was so on the way back, but for what had been before the next scene was opened.
            here.redo_count = own;
        }
        self.left[usize::from(!on)].push(here);
        self.left.iter_mut().for_each(keep_few);
        self.enter(None);
        // The view must have the pictures of this world, and none of the other's.
        if let Some(world) = self.session.world() {
            *lock(&self.shared.jobs) = world.resident_pictures();
        }
        // Whoever takes back one edit too many did not mean to leave the scene.
        let [here, left] = titles;
        let words = match on {
            false => format!(
                "Back to {here}, which was open before. Redo ({}) opens {left} again, as it was.",
                keys_of(Command::Redo)
            ),
            true => format!(
                "{here} is open again. Undo ({}) goes back to {left}.",
                keys_of(Command::Undo)
            ),
        };
        self.shared.tell(News::Done(words));
    }
}
