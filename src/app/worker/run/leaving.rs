//! Leaving a scene for another one: undo goes back to those that were left, and redo on again.

use super::super::left::{LeftSession, keep_few};
use super::super::{News, lock};
use super::Run;
use crate::app::commands::{Command, keys_of};
use crate::app::watch::InFile;
use skirmish::session::Session;
use std::path::PathBuf;

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
        self.is_other = path.is_none() || path != self.path;
        LeftSession {
            redo_count: self.session.redo_count(),
            session: std::mem::replace(&mut self.session, session),
            path: std::mem::replace(&mut self.path, path),
            name: std::mem::replace(&mut self.name, name),
            entered: self.entered,
            is_replaced: std::mem::take(&mut self.is_replaced),
        }
    }

    /// Whether undo (or redo) goes to another scene next: nothing else is left to take back here (or to do again), or what is left was
    /// undone before that scene was opened.
    pub(in super::super) fn turns_scene(&self, redo: bool) -> bool {
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
        let was = left.entered;
        let own = std::mem::replace(&mut self.undone_before, left.redo_count);
        let mut here = self.exchange(left.session, left.path, left.name);
        self.is_replaced = left.is_replaced;
        if !on {
            // All that is taken back here was so on the way back, but for what had been before the next scene was opened.
            here.redo_count = own;
        }
        self.left[usize::from(!on)].push(here);
        self.left.iter_mut().for_each(keep_few);
        let in_file = match self.is_replaced {
            true => InFile::Another,
            false => InFile::AsBefore,
        };
        self.enter(None, in_file, Some(was));
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
