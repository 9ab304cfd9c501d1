//! What a scene has that its file has not: what somebody would miss, and what its file has given it.

use super::Session;
use super::work::{Ahead, left_of, of_account};
use super::worth::Unsaved;
use crate::scene::{AnyChoice, Scene, StructureChoice};
use std::sync::Arc;

/// What [`Session::unsaved_ahead_kept`] knows of the actions of a session, and which these were.
#[derive(Debug, Default)]
pub struct AheadKept {
    of: Option<Version>,
    ahead: Ahead,
    /// What the present future has not any more of its past with the other one, and of which version of both that was found.
    pub(super) taken: Option<([Version; 2], Unsaved)>,
}

/// What was done in a session, to see later whether anything has come to it since then.
#[derive(Clone, Debug)]
pub struct Version {
    /// Of which session it is. It is held, so that no other comes to lie where it was.
    session: Arc<()>,
    /// How often its actions were taken down, or its other future was another one.
    written: u64,
}

impl Version {
    /// Whether both are of one session.
    pub fn is_of_same_session(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.session, &other.session)
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.is_of_same_session(other) && self.written == other.written
    }
}

impl Session {
    /// Whether the scene differs from its file.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved() != Unsaved::Nothing
    }

    /// What the scene has that its file has not.
    pub fn unsaved(&self) -> Unsaved {
        match self.in_doubt {
            true => Unsaved::Work,
            false => self.known_unsaved(),
        }
    }

    /// The same where its file holds what it held when that was known last.
    pub fn known_unsaved(&self) -> Unsaved {
        let scene = self.scene();
        let saved = match &self.saved {
            _ if !self.touched => return Unsaved::Nothing,
            Some(saved) if Arc::ptr_eq(saved, scene) => return Unsaved::Nothing,
            // What was done up to here the file has, as it was saved at a later tick.
            Some(_) if self.before_saved.contains(&self.timeline.done()) => {
                return Unsaved::Nothing;
            }
            Some(saved) => saved,
            None => return Unsaved::Work,
        };
        beyond(saved, scene, self.document.choices())
    }

    /// What the past of both futures has that the file has not, where the other one leaves it with this scene, in which these structures
    /// were left for others: more than other structures. Where the `settings` are meant alone, the file may have who and what is in it
    /// otherwise.
    pub(super) fn beyond_of_past(
        &self,
        scene: &Scene,
        choices: &[AnyChoice],
        settings: bool,
    ) -> Unsaved {
        let beyond = match &self.saved {
            Some(saved) if settings => {
                let is_set_so = saved.is_set_as(scene) && !has_knobs_beside(saved, scene, choices);
                return match is_set_so {
                    true => Unsaved::Nothing,
                    false => Unsaved::Settings,
                };
            }
            Some(saved) => beyond(saved, scene, choices),
            None => Unsaved::Work,
        };
        match beyond {
            Unsaved::Structures => Unsaved::Nothing,
            beyond => beyond,
        }
    }

    /// What somebody has made or set after the present tick that no file has: the scene of this tick does not say so.
    pub fn unsaved_ahead(&self) -> Unsaved {
        if !self.touched || !self.acts_ahead().any(|act| act.act.may_be_missed()) {
            return Unsaved::Nothing;
        }
        let acts = self.timeline.acts();
        let here = of_account(&acts[..self.timeline.done()]).count();
        left_of(of_account(acts), here.max(self.acts_saved))
    }

    /// The same for who asks again and again: all actions are gone through only where others have come or gone, and not while time goes
    /// over those that are known.
    pub fn unsaved_ahead_kept(&self, kept: &mut AheadKept) -> Unsaved {
        let (acts, done) = (self.timeline.acts(), self.timeline.done());
        if !self.touched || done == acts.len() {
            return Unsaved::Nothing;
        }
        let version = self.version();
        if kept.of.as_ref() != Some(&version) {
            kept.ahead = Ahead::of(acts);
            kept.of = Some(version);
        }
        kept.ahead.behind(done, self.acts_saved)
    }

    /// What has been done in it, and what is known to come.
    pub fn version(&self) -> Version {
        Version {
            session: Arc::clone(&self.identity),
            written: self.acts_written,
        }
    }

    /// What has been done in its other future. It says nothing of the present one.
    pub fn other_future_version(&self) -> Version {
        Version {
            session: Arc::clone(&self.identity),
            written: self.aside_written,
        }
    }

    /// Whether anything would be lost with the present future: of this tick, or of what comes after it.
    pub fn is_worth_keeping(&self) -> bool {
        self.is_unsaved() || self.unsaved_ahead() != Unsaved::Nothing
    }

    /// What the scene was called when it was saved last.
    pub fn saved_name(&self) -> Option<&str> {
        self.saved.as_ref().map(|saved| &*saved.name)
    }

    /// Whether its file holds this scene, as far as that is known, however both are looked at.
    pub fn is_saved_as(&self, other: &Scene) -> bool {
        let saved = self.saved.as_deref();
        saved.is_some_and(|saved| saved.is_but_for_looks(other))
    }

    /// The scene has been saved as it is here, into a folder of its own. Saving is no edit: it changes what is unsaved alone. What was
    /// edited while it was written stays, and is unsaved.
    pub fn note_saved(&mut self, scene: Arc<Scene>) {
        self.note_scene_saved(scene);
        self.note_acts_saved(true);
        self.note_other_future_unsaved();
    }

    /// The same in another file than its own, which holds what it held before: also what was done after the present tick.
    pub fn note_saved_elsewhere(&mut self, scene: Arc<Scene>) {
        let before = self.acts_saved;
        self.note_scene_saved(scene);
        self.note_acts_saved(true);
        self.acts_saved = self.acts_saved.max(before);
    }

    fn note_scene_saved(&mut self, scene: Arc<Scene>) {
        if scene.is_but_for_looks(self.scene()) {
            self.document.replace(Arc::clone(&scene));
        }
        self.saved = Some(scene);
        self.in_doubt = false;
    }

    /// Its file has given the scene this name, which had none yet. That is no edit: it has had it from the beginning, also in the past,
    /// and no undo takes it away. A name that somebody has given it stays.
    pub fn note_named(&mut self, name: &str) {
        if self.origin.name == Scene::NEW {
            name.clone_into(&mut Arc::make_mut(&mut self.origin).name);
        }
        // Of two files that were both to have it the first has named it.
        let name = self.named.get_or_insert_with(|| name.to_owned());
        if let Some(fork) = &mut self.fork {
            fork.keep_name(name);
        }
        self.keep_name();
        self.note_past_of_fork();
    }

    /// What has come from before the scene was named has its name as well.
    pub(super) fn keep_name(&mut self) {
        let is_new = self.scene().name == Scene::NEW;
        if let Some(name) = self.named.as_ref().filter(|_| is_new) {
            self.document.edit(|scene| scene.name.clone_from(name));
        }
    }

    /// Its file holds another scene by now. Whether that is so: one that is the same but for how it is looked at is no other, and what no
    /// file had is saved where this is it.
    pub fn note_replaced(&mut self, by: &Scene) -> bool {
        self.in_doubt = false;
        if self.saved.is_none() && self.scene().is_but_for_looks(by) {
            self.saved = Some(Arc::new(by.clone()));
            self.note_acts_saved(true);
            self.note_other_future_unsaved();
            return false;
        }
        let is_other = !self.is_saved_as(by);
        if is_other {
            self.note_unsaved();
        }
        is_other
    }

    /// No file has the scene as it is here, whatever it was opened from.
    pub fn note_unsaved(&mut self) {
        self.touched = true;
        self.saved = None;
        self.in_doubt = false;
        self.note_acts_saved(false);
        self.note_other_future_unsaved();
    }

    /// Its file may hold another scene by now, which is being looked for: until that is known it counts as one that no file has.
    pub fn note_doubt(&mut self) {
        self.in_doubt = true;
    }

    /// Its file is opened anew: whoever does that knows that it may hold another scene.
    pub fn end_doubt(&mut self) {
        self.in_doubt = false;
    }

    /// Whether that is being looked for.
    pub fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }
}

/// What a scene has that a file has not which holds `saved`, where these structures were left for others.
fn beyond(saved: &Scene, scene: &Scene, choices: &[AnyChoice]) -> Unsaved {
    // How it is looked at is no edit: ticks from before it was saved have not heard of it.
    if !saved.is_but_for_settings(scene) {
        Unsaved::Work
    } else if !saved.is_but_for_structures(scene) {
        Unsaved::Settings
    } else if saved.has_same_structures(scene) {
        Unsaved::Nothing
    } else if has_knobs_beside(saved, scene, choices) {
        Unsaved::Settings
    } else {
        Unsaved::Structures
    }
}

/// Whether somebody has set a knob of a structure, of one that follows or of the first lane's that was left since, that is not set so
/// in this scene, or of one of these, which were left before.
fn has_knobs_beside(saved: &Scene, scene: &Scene, choices: &[AnyChoice]) -> bool {
    let choices_of = |scene: &Scene| {
        let mut choices = vec![scene.own_choice()];
        choices.extend(scene.lane_choices());
        choices
    };
    let (known, now) = (choices_of(saved), choices_of(scene));
    // What was looked at elsewhere may be looked at here.
    let is_known = |choice: &AnyChoice| {
        let mut of_kind = known.iter().filter(|it| it.kind == choice.kind).peekable();
        match of_kind.peek() {
            Some(_) => of_kind.any(|it| it.is_like(choice)),
            None => StructureChoice::new(choice.kind).is_like(choice),
        }
    };
    let is_set = |(place, choice): (usize, &AnyChoice)| match known.get(place) {
        Some(before) if before.kind == choice.kind => !before.is_like(choice),
        _ => !is_known(choice),
    };
    now.iter().enumerate().any(is_set) || !choices.iter().all(is_known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Cancel;
    use crate::scene::file::built_in;
    use crate::session::tests::{act, run, skirmish};
    use crate::session::{Action, SideWord};
    use std::path::Path;

    #[test]
    fn a_file_that_holds_the_same_replaces_nothing_and_saves_what_no_file_had() {
        let (mut session, _) = Session::new(built_in(), Path::new(""));
        assert!(!session.note_replaced(&built_in()) && !session.is_unsaved());
        let mut other = built_in();
        other.scale_units(7);
        session.note_unsaved();
        assert!(session.note_replaced(&other) && session.is_unsaved());
        assert!(!session.note_replaced(&built_in()) && !session.is_unsaved());
        session.note_saved(Arc::new(built_in()));
        assert!(!session.note_replaced(&built_in()) && !session.is_unsaved());
        assert!(session.note_replaced(&other) && session.is_unsaved());
    }

    #[test]
    fn who_goes_back_before_an_edit_has_work_ahead_until_a_file_has_it_or_it_is_undone() {
        let place = || Action::Spawn(SideWord::Blue, (150.0, 100.0), 12.0, 40);
        let edited = |acts: Vec<Action>| {
            let mut session = skirmish(300);
            run(&mut session, 50);
            for action in acts {
                act(&mut session, action);
            }
            run(&mut session, 20);
            session
        };
        let back = |session: &mut Session| {
            session.seek(20, &Cancel::default(), &mut ()).unwrap();
        };
        let structure = || Action::Structure("quadtree".to_owned());
        let (work, nothing) = (Unsaved::Work, Unsaved::Nothing);
        for (acts, ahead) in [
            (vec![place()], work),
            (vec![structure()], nothing),
            (vec![structure(), place()], work),
            (vec![place(), Action::Undo], nothing),
            (vec![place(), Action::Undo, Action::Redo], work),
        ] {
            let mut session = edited(acts);
            // Where it has been done the scene itself is unsaved.
            assert!(session.unsaved_ahead() == Unsaved::Nothing);
            back(&mut session);
            assert!(!session.is_unsaved());
            assert_eq!(session.unsaved_ahead(), ahead);
            assert_eq!(session.is_worth_keeping(), ahead == work);
        }
        let mut session = edited(vec![place()]);
        session.note_saved(Arc::clone(session.scene()));
        back(&mut session);
        let mut kept = AheadKept::default();
        assert!(
            session.unsaved_ahead() == Unsaved::Nothing
                && session.unsaved_ahead_kept(&mut kept) == Unsaved::Nothing
        );
        // Another file is written, without what comes: the first one has it still.
        session.note_saved_elsewhere(Arc::clone(session.scene()));
        assert!(session.unsaved_ahead() == Unsaved::Nothing && !session.is_worth_keeping());
        // The file is written anew, without what comes.
        session.note_saved(Arc::clone(session.scene()));
        assert!(
            session.unsaved_ahead() == Unsaved::Work
                && session.unsaved_ahead_kept(&mut kept) == Unsaved::Work
        );
        // Another session is asked anew.
        assert!(edited(vec![place()]).unsaved_ahead_kept(&mut kept) == Unsaved::Nothing);
        assert!(session.unsaved_ahead_kept(&mut kept) == Unsaved::Work);
        // An edit puts it aside: there it is asked for as another future.
        act(&mut session, structure());
        assert!(
            session.unsaved_ahead() == Unsaved::Nothing
                && session.other_future_unsaved() == Unsaved::Work
        );
        // As many actions as before lie ahead, and none of them is work.
        run(&mut session, 5);
        session.seek(10, &Cancel::default(), &mut ()).unwrap();
        assert!(
            session.unsaved_ahead() == Unsaved::Nothing
                && session.unsaved_ahead_kept(&mut kept) == Unsaved::Nothing
        );
        // Whoever turns to it stands before what was made in it.
        let turned = session.turn_to_other_future(&Cancel::default(), &mut ());
        turned.unwrap();
        assert!(
            session.unsaved_ahead() == Unsaved::Work
                && session.other_future_unsaved() == Unsaved::Nothing
        );
    }

    #[test]
    fn who_stands_before_a_version_that_the_file_has_has_nothing_to_lose() {
        let place = |x| Action::Spawn(SideWord::Blue, (x, 100.0), 12.0, 40);
        let go = |session: &mut Session, tick| {
            session.seek(tick, &Cancel::default(), &mut ()).unwrap();
        };
        let saved = || {
            let mut session = skirmish(300);
            for x in [100.0, 150.0, 200.0] {
                run(&mut session, 10);
                act(&mut session, place(x));
            }
            run(&mut session, 10);
            session.note_saved(Arc::clone(session.scene()));
            session
        };
        let mut session = saved();
        for tick in [0, 5, 15, 25, 35, 40] {
            go(&mut session, tick);
            assert!(!session.is_unsaved() && !session.is_worth_keeping());
        }
        // What no file has is still missed there, and what was made there as well.
        act(&mut session, place(250.0));
        run(&mut session, 5);
        assert!(session.is_unsaved());
        go(&mut session, 15);
        assert!(!session.is_unsaved() && session.unsaved_ahead() == Unsaved::Work);
        act(&mut session, place(120.0));
        run(&mut session, 5);
        assert!(session.is_unsaved() && session.other_future_unsaved() == Unsaved::Work);
        // At the fork the file has all that was done up to there.
        go(&mut session, 12);
        assert!(!session.is_unsaved() && session.unsaved_ahead() == Unsaved::Work);
        // So it is in the other future.
        let turned = session.turn_to_other_future(&Cancel::default(), &mut ());
        turned.unwrap();
        go(&mut session, 25);
        assert!(!session.is_unsaved() && session.unsaved_ahead() == Unsaved::Work);
        // What is taken back in the past is an edit.
        let mut session = saved();
        go(&mut session, 15);
        act(&mut session, Action::Undo);
        assert!(session.is_unsaved());
        // A file that was written at an earlier tick has less, and one that is gone has nothing.
        let mut session = saved();
        go(&mut session, 15);
        session.note_saved(Arc::clone(session.scene()));
        assert!(!session.is_unsaved() && session.unsaved_ahead() == Unsaved::Work);
        go(&mut session, 5);
        assert!(!session.is_unsaved());
        go(&mut session, 25);
        assert!(session.is_unsaved());
        session.note_unsaved();
        go(&mut session, 5);
        assert!(session.is_unsaved());
        // What somebody has erased, or taken back, before it was saved is in no file: there it stands.
        for away in [Action::Erase((150.0, 100.0), 60.0), Action::Undo] {
            let mut session = saved();
            act(&mut session, away);
            run(&mut session, 5);
            session.note_saved(Arc::clone(session.scene()));
            go(&mut session, 35);
            assert!(session.is_unsaved());
            // Behind that all is in the file again.
            go(&mut session, 45);
            act(&mut session, place(260.0));
            run(&mut session, 5);
            session.note_saved(Arc::clone(session.scene()));
            go(&mut session, 43);
            assert!(!session.is_unsaved());
            go(&mut session, 35);
            assert!(session.is_unsaved());
        }
        // Who looks at another structure beside has it in the past as well.
        let mut session = saved();
        act(&mut session, Action::Beside("quadtree".to_owned()));
        go(&mut session, 15);
        assert!(session.is_unsaved());
        // What was edited while the file was written is in none.
        let mut session = saved();
        let written = Arc::clone(session.scene());
        act(&mut session, place(250.0));
        session.note_saved(written);
        assert!(session.is_unsaved());
        go(&mut session, 15);
        assert!(session.is_unsaved());
    }

    #[test]
    fn a_structure_beside_is_looked_at_and_the_knobs_with_which_it_comes_are_set() {
        let knob = || vec![("capacity".to_owned(), "3".to_owned())];
        for (knobs, ahead) in [(Vec::new(), Unsaved::Nothing), (knob(), Unsaved::Settings)] {
            let mut session = skirmish(300);
            run(&mut session, 10);
            act(&mut session, Action::AddLane("quadtree".to_owned(), knobs));
            session.seek(5, &Cancel::default(), &mut ()).unwrap();
            assert_eq!(session.unsaved_ahead(), ahead);
        }
    }

    #[test]
    fn time_that_goes_over_what_is_known_makes_no_other_version_of_it() {
        let mut session = skirmish(300);
        let mut kept = AheadKept::default();
        for x in [100.0, 150.0, 200.0] {
            run(&mut session, 5);
            act(
                &mut session,
                Action::Spawn(SideWord::Blue, (x, 100.0), 12.0, 40),
            );
            act(&mut session, Action::Beside("kd-tree".to_owned()));
        }
        run(&mut session, 5);
        session.note_saved(Arc::clone(session.scene()));
        act(&mut session, Action::Erase((200.0, 100.0), 20.0));
        run(&mut session, 5);
        let version = session.version();
        for tick in [0, 7, 14, 3, 21, 25] {
            session.seek(tick, &Cancel::default(), &mut ()).unwrap();
            let ahead = match tick < 20 {
                true => Unsaved::Work,
                false => Unsaved::Nothing,
            };
            assert_eq!(session.unsaved_ahead(), ahead, "{tick}");
            assert_eq!(session.unsaved_ahead_kept(&mut kept), ahead, "{tick}");
            assert!(session.version() == version);
        }
        act(&mut session, Action::Undo);
        assert!(session.version() != version);
    }

    #[test]
    fn what_is_in_doubt_counts_as_unsaved_until_it_is_known_what_the_file_holds() {
        let (mut session, _) = Session::new(built_in(), Path::new(""));
        let mut other = built_in();
        other.scale_units(7);
        session.note_doubt();
        assert!(session.is_in_doubt() && session.is_unsaved());
        // What was saved before is still known.
        assert!(!session.note_replaced(&built_in()) && !session.is_unsaved());
        session.note_doubt();
        assert!(session.note_replaced(&other) && session.is_unsaved());
        assert!(!session.is_in_doubt());
        session.note_doubt();
        session.note_saved(Arc::new(built_in()));
        assert!(!session.is_in_doubt() && !session.is_unsaved());
        session.note_doubt();
        assert_eq!(session.known_unsaved(), Unsaved::Nothing);
        session.end_doubt();
        assert!(!session.is_in_doubt() && !session.is_unsaved());
        session.note_doubt();
        session.note_unsaved();
        assert!(!session.is_in_doubt() && session.is_unsaved());
        assert_eq!(session.known_unsaved(), Unsaved::Work);
    }
}
