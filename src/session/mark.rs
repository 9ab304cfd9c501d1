//! Marks of the timeline: the ticks at which something happened that one would want to go back to.

use crate::streaming::{Latecomers, Lateness};
use crate::structure::StructureKind;
use std::sync::Arc;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A lane was given another structure.
    Switch {
        /// Which lane.
        lane: usize,
        /// Its structure before.
        from: StructureKind,
        /// Its structure since then.
        to: StructureKind,
    },
    /// Somebody changed something: what, in the words of undo.
    Edit(Arc<str>),
    /// Objects were not there when they were needed.
    Late,
    /// Time stopped by itself, and why.
    Stop(Arc<str>),
}

/// An object that was late and has come, or was given up or no longer needed before it came, also in the future that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Came {
    /// Which, by the number that it had when it came,
    pub object: u32,
    /// which was one of this numbering: those before and after objects are taken away or added differ.
    pub numbering: u32,
    /// At which tick that was.
    pub tick: u64,
    /// How late, and why.
    pub lateness: Lateness,
}

impl MarkKind {
    /// Whether it is an edit, and not its undo or redo.
    fn is_edit_itself(&self) -> bool {
        match self {
            Self::Edit(words) => !words.starts_with(UNDO) && !words.starts_with(REDO),
            _ => false,
        }
    }
}

/// A tick of note.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The tick.
    pub tick: u64,
    /// The last tick of what it stands for: the same, unless neighbours were gathered.
    pub last: u64,
    /// What happened.
    pub kind: MarkKind,
    /// How many of these it stands for: late objects, or edits that were gathered because there are so many.
    pub count: u32,
    /// Who the late objects are: a few of them, and of a few names how many, so that in sum there may be fewer than `count`.
    pub who: Arc<Latecomers>,
    /// How late those of them came who have come, as far as that is kept: of those that `who` has one by one, and of the others,
    /// no more than [`Latecomers::MOST`] each.
    pub came: Arc<Vec<Came>>,
    /// The tick at which the world was made in which somebody was late: so are its late loads told from those before and after it began
    /// anew. 0 of other marks.
    pub world: u64,
    /// The tick at which the clock of that world showed 0, from which its seconds are counted. An undo of what came in between sets that
    /// clock back. 0 of other marks.
    pub began: u64,
    /// The numbering of objects of that tick, by which those who were late are called. 0 of other marks.
    pub numbering: u32,
    /// How many actions had been done when it happened.
    done: usize,
    /// How many by the end of the stroke that it is.
    until: usize,
}

impl Mark {
    /// Whether this at a tick leaves nothing of what the mark stands for: an undo, the redo of an undo or a switch back in the very tick. A
    /// tick later there was something in between, and both are worth a mark.
    fn is_taken_back_by(&self, tick: u64, kind: &MarkKind) -> bool {
        if (self.tick, self.count) != (tick, 1) {
            return false;
        }
        match (&self.kind, kind) {
            (MarkKind::Edit(done), MarkKind::Edit(now)) => match done.strip_prefix(UNDO) {
                Some(undone) => now.strip_prefix(REDO) == Some(undone),
                None => now.strip_prefix(UNDO) == Some(done.strip_prefix(REDO).unwrap_or(done)),
            },
            (
                MarkKind::Switch { lane, from, to },
                MarkKind::Switch {
                    lane: other,
                    from: now,
                    to: then,
                },
            ) => (lane, from, to) == (other, then, now),
            _ => false,
        }
    }

    /// Whether this at a tick is the redo, in the very tick, of the edit of which the mark was.
    fn is_brought_back_by(&self, tick: u64, kind: &MarkKind) -> bool {
        match (&self.kind, kind) {
            (MarkKind::Edit(done), MarkKind::Edit(now)) => {
                self.tick == tick && now.strip_prefix(REDO) == Some(&**done)
            }
            _ => false,
        }
    }
}

/// How many objects were late in some ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LateSum {
    /// How many; one that was late twice counts twice.
    pub objects: u64,
    /// How many of them have come in these ticks, as far as that is kept. Who was given up has not.
    pub came: u64,
    /// The one that came the longest too late of those; `None` where none has.
    pub longest: Option<Lateness>,
}

/// When somebody was late, and in which world.
#[derive(Clone, Copy, Debug)]
pub(super) struct LateAt {
    pub tick: u64,
    /// As [`Mark::world`].
    pub world: u64,
    /// As [`Mark::began`].
    pub began: u64,
    /// As [`Mark::numbering`].
    pub numbering: u32,
}

/// What stands before the words of an edit that is taken back, or done again.
const UNDO: &str = "undo: ";
const REDO: &str = "redo: ";

/// The words of the undo (or redo) of an edit.
pub(super) fn turned(redo: bool, what: impl std::fmt::Display) -> String {
    let turn = if redo { REDO } else { UNDO };
    format!("{turn}{what}")
}

/// All of them, by ascending tick. A copy shares them.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    list: Arc<Vec<Mark>>,
    /// The last tick and action that have been looked at: what is gone over again makes no second mark.
    seen: (u64, usize),
    /// How many there were after neighbours became one the last time.
    gathered: usize,
    /// The marks of edits of one tick that were taken back in it, the last one last: redo in that tick brings them back as they were.
    taken_back: Vec<Mark>,
}

/// More marks than this cannot be told apart: then neighbouring edits and neighbouring late loads become one.
const MOST: usize = 4096;

impl Marks {
    /// By ascending tick.
    pub fn list(&self) -> &Arc<Vec<Mark>> {
        &self.list
    }

    /// An action has been done, the `done`th; `kind` is `None` where nothing came of it that is worth a mark, and says whether the
    /// action goes on with the edit before it: a stroke is called by all of it.
    pub(super) fn act(&mut self, tick: u64, done: usize, kind: Option<(MarkKind, bool)>) {
        if done <= self.seen.1 {
            return;
        }
        let before = std::mem::replace(&mut self.seen.1, done);
        let is_stroke = self.list.last().is_some_and(|last| {
            let is_edit = matches!(last.kind, MarkKind::Edit(_));
            is_edit && last.until == before && last.count == 1
        });
        let Some((kind, goes_on)) = kind else {
            // A stroke goes on behind a place where it met nobody.
            if is_stroke && let Some(last) = Arc::make_mut(&mut self.list).last_mut() {
                last.until = done;
            }
            return;
        };
        let last = self.list.last();
        if last.is_some_and(|last| last.is_taken_back_by(tick, &kind)) {
            let taken = Arc::make_mut(&mut self.list).pop();
            self.taken_back
                .extend(taken.filter(|mark| mark.kind.is_edit_itself()));
            return;
        }
        let goes_back_to = |mark: &mut Mark| mark.is_brought_back_by(tick, &kind);
        if let Some(mut mark) = self.taken_back.pop_if(goes_back_to) {
            (mark.done, mark.until) = (done, done);
            self.push(mark);
            return;
        }
        let other_tick = |mark: &Mark| mark.tick != tick;
        // An edit ends what could be done again.
        if kind.is_edit_itself() || self.taken_back.first().is_some_and(other_tick) {
            self.taken_back.clear();
        }
        if goes_on && is_stroke {
            if let Some(last) = Arc::make_mut(&mut self.list).last_mut() {
                (last.kind, last.until) = (kind, done);
            }
            return;
        }
        self.push(Mark {
            tick,
            last: tick,
            kind,
            count: 1,
            who: Arc::default(),
            came: Arc::default(),
            world: 0,
            began: 0,
            numbering: 0,
            done,
            until: done,
        });
    }

    /// Time stopped by itself at a tick.
    pub(super) fn stop(&mut self, tick: u64, kind: MarkKind, done: usize) {
        let is_known = |mark: &Mark| mark.tick == tick && mark.kind == kind;
        if self.list.iter().any(is_known) {
            return;
        }
        let mark = Mark {
            tick,
            last: tick,
            kind,
            count: 1,
            who: Arc::default(),
            came: Arc::default(),
            world: 0,
            began: 0,
            numbering: 0,
            done,
            until: done,
        };
        // Time may have been gone back in: what comes after it stays there.
        let list = Arc::make_mut(&mut self.list);
        let place = list.partition_point(|mark| mark.tick <= tick);
        list.insert(place, mark);
        if list.len() > MOST.max(2 * self.gathered) {
            gather(list);
            self.gathered = list.len();
        }
    }

    /// How many edits were done after so many actions, of those that have left a mark.
    pub(super) fn edits_after(&self, done: usize) -> usize {
        let is_after = |mark: &&Mark| {
            let is_edit = matches!(mark.kind, MarkKind::Edit(_) | MarkKind::Switch { .. });
            is_edit && mark.done > done
        };
        let after = self.list.iter().filter(is_after);
        after.map(|mark| mark.count as usize).sum()
    }

    /// Of how many actions it is known whether they are worth a mark.
    pub(super) fn known_acts(&self) -> usize {
        self.seen.1
    }

    /// Whether who was late at a tick has been told.
    pub(super) fn knows(&self, tick: u64) -> bool {
        tick <= self.seen.0
    }

    /// The last tick of which it has been told who was late.
    pub(super) fn known_until(&self) -> u64 {
        self.seen.0
    }

    /// Who was late after the first of two ticks and up to the other. Where neighbours have been gathered it is as if all of them had been
    /// late at the first of their ticks.
    pub(super) fn late_between(&self, [after, until]: [u64; 2]) -> LateSum {
        let [from, to] =
            [after, until].map(|tick| self.list.partition_point(|mark| mark.tick <= tick));
        let between = self.list.get(from..to).unwrap_or_default();
        let late = between.iter().filter(|mark| mark.kind == MarkKind::Late);
        let mut sum = LateSum::default();
        let mut longest: Option<&Lateness> = None;
        for mark in late {
            sum.objects += u64::from(mark.count);
            let came = mark.came.iter().filter(|it| it.tick <= until);
            let came = came.map(|it| &it.lateness).filter(|it| it.has_come());
            for one in came {
                sum.came += 1;
                if longest.is_none_or(|longest| one.seconds() > longest.seconds()) {
                    longest = Some(one);
                }
            }
        }
        sum.longest = longest.copied();
        sum
    }

    /// The same of one object alone, by its number of a numbering; `None` where it is not known whether it was late: of more than are kept
    /// one by one only some are, and by other numbers another one would be meant.
    pub(super) fn late_of_one(
        &self,
        [after, until]: [u64; 2],
        (object, numbering): (u32, u32),
    ) -> Option<LateSum> {
        let [from, to] =
            [after, until].map(|tick| self.list.partition_point(|mark| mark.tick <= tick));
        let between = self.list.get(from..to).unwrap_or_default();
        let mut late = between.iter().filter(|it| it.kind == MarkKind::Late);
        let mut sum = LateSum::default();
        let mut is_known = true;
        let is_numbered_so = late.all(|mark| {
            let mut known = mark.who.known();
            if known.any(|(_, it)| it == object) {
                sum.objects += 1;
            } else {
                is_known &= mark.who.known().count() as u64 >= u64::from(mark.count);
            }
            let came = mark.came.iter().filter(|it| it.tick <= until);
            let came = came.map(|it| it.lateness);
            let own = came.filter(|it| it.needed_as() == object && it.has_come());
            for one in own {
                sum.came += 1;
                if sum.longest.is_none_or(|it| one.seconds() > it.seconds()) {
                    sum.longest = Some(one);
                }
            }
            mark.numbering == numbering
        });
        (is_numbered_so && (is_known || sum.objects > 0)).then_some(sum)
    }

    /// So many more objects were late.
    pub(super) fn late(&mut self, at: LateAt, count: u32, who: Latecomers, done: usize) {
        let LateAt {
            tick,
            world,
            began,
            numbering,
        } = at;
        if self.knows(tick) {
            return;
        }
        self.seen.0 = tick;
        if count > 0 {
            self.push(Mark {
                tick,
                last: tick,
                kind: MarkKind::Late,
                count,
                who: Arc::new(who),
                came: Arc::default(),
                world,
                began,
                numbering,
                done,
                until: done,
            });
        }
    }

    /// One has come that was late in a world, as of [`LateAt`], since the tick `late_at`.
    pub(super) fn came(&mut self, (world, began): (u64, u64), late_at: u64, one: Came) {
        let Some(at) = self.late_of((world, began), late_at) else {
            return;
        };
        let came = &self.list[at].came;
        // What is gone over again is known.
        let is_known = came
            .iter()
            .any(|it| (it.object, it.tick) == (one.object, one.tick));
        // Of one that was no longer needed before it came only what became of it later is kept.
        let is_same = |it: &Came| it.lateness.is_of_same_need(&one.lateness);
        let is_told = |it: &Came| one.lateness.is_on_its_way() && is_same(it) && it.tick > one.tick;
        if is_known || came.iter().any(is_told) {
            return;
        }
        let before = came
            .iter()
            .position(|it| it.lateness.is_on_its_way() && is_same(it));
        // Those who are called by their names have places of their own: else these would be missing for ever. Nobody makes room for another
        // one, who may be cut off again.
        let who = &self.list[at].who;
        let is_named = is_known_in(who, &one);
        let of_its_kind = came.iter().filter(|it| is_known_in(who, it) == is_named);
        if before.is_none() && of_its_kind.count() >= Latecomers::MOST {
            return;
        }
        let came = Arc::make_mut(&mut Arc::make_mut(&mut self.list)[at].came);
        match before {
            Some(place) => came[place] = one,
            None => came.push(one),
        }
    }

    /// The mark that stands for whoever was late at a tick in a world: where neighbours have been gathered it is of a tick before that.
    fn late_of(&self, (world, began): (u64, u64), late_at: u64) -> Option<usize> {
        let past = self.list.partition_point(|mark| mark.tick <= late_at);
        self.list[..past].iter().rposition(|mark| {
            mark.kind == MarkKind::Late && (mark.world, mark.began) == (world, began)
        })
    }

    /// How late an object will come, by a number of a numbering, that is late at `tick` in that world since the tick `late_at`, or that it will
    /// not, where that is known.
    pub(super) fn future_of(
        &self,
        (world, began): (u64, u64),
        [late_at, tick]: [u64; 2],
        (object, numbering): (u32, u32),
    ) -> Option<Lateness> {
        let mark = &self.list[self.late_of((world, began), late_at)?];
        let mut came = mark.came.iter();
        let is_it = |it: &&Came| {
            let needed_as = (it.lateness.needed_as(), mark.numbering);
            (object, numbering) == (it.object, it.numbering) || (object, numbering) == needed_as
        };
        let it = came.find(|it| is_it(it) && it.tick > tick)?;
        Some(it.lateness)
    }

    fn push(&mut self, mark: Mark) {
        let list = Arc::make_mut(&mut self.list);
        list.push(mark);
        // Switches stay, so it may be that there is little to gather; then it is not tried at each of them.
        if list.len() > MOST.max(2 * self.gathered) {
            gather(list);
            self.gathered = list.len();
        }
    }

    /// An action has been put behind the first `done` ones.
    pub(super) fn slip_in(&mut self, done: usize) {
        if self.list.iter().any(|mark| mark.until > done) {
            for mark in Arc::make_mut(&mut self.list) {
                mark.done += usize::from(mark.done > done);
                mark.until += usize::from(mark.until > done);
            }
        }
        self.seen.1 += usize::from(self.seen.1 >= done);
    }

    /// The action behind the first `done` ones, which has left no mark, is done no more.
    pub(super) fn take_out(&mut self, done: usize) {
        if self.list.iter().any(|mark| mark.until > done) {
            for mark in Arc::make_mut(&mut self.list) {
                mark.done -= usize::from(mark.done > done);
                mark.until -= usize::from(mark.until > done);
            }
        }
        self.seen.1 -= usize::from(self.seen.1 > done);
    }

    /// Forgets what lies after a tick and after so many actions.
    pub(super) fn cut(&mut self, tick: u64, done: usize) {
        let is_kept = |mark: &Mark| match mark.kind {
            MarkKind::Late | MarkKind::Stop(_) => mark.tick <= tick,
            _ => mark.done <= done,
        };
        if !self.list.iter().all(is_kept) {
            Arc::make_mut(&mut self.list).retain(is_kept);
        }
        if self.list.iter().any(|mark| mark.last > tick.max(mark.tick)) {
            for mark in Arc::make_mut(&mut self.list) {
                mark.last = mark.last.min(tick.max(mark.tick));
            }
        }
        let is_past = |it: &Came| it.tick <= tick;
        if !self.list.iter().all(|mark| mark.came.iter().all(is_past)) {
            for mark in Arc::make_mut(&mut self.list) {
                if !mark.came.iter().all(is_past) {
                    Arc::make_mut(&mut mark.came).retain(is_past);
                }
            }
        }
        // Of a stroke in whose midst time was gone back to, as much is left as was done.
        if self.list.iter().any(|mark| mark.until > done) {
            for mark in Arc::make_mut(&mut self.list) {
                mark.until = mark.until.min(done);
            }
        }
        self.taken_back.clear();
        self.seen = (self.seen.0.min(tick), self.seen.1.min(done));
    }
}

/// Whether one that has come is among those who are kept one by one of who was late with it.
fn is_known_in(who: &Latecomers, one: &Came) -> bool {
    who.known()
        .any(|(_, object)| object == one.lateness.needed_as())
}

/// Makes one of two neighbours of a kind, all over the list. Switches stay as they are, and so do late loads of two worlds.
fn gather(list: &mut Vec<Mark>) {
    let mut last: Option<usize> = None;
    let mut kept: Vec<Mark> = Vec::with_capacity(list.len());
    for mark in list.drain(..) {
        let joins = last.take().filter(|place| {
            let before: &Mark = &kept[*place];
            let both = |a: &MarkKind, b: &MarkKind| {
                matches!(
                    (a, b),
                    (MarkKind::Edit(_), MarkKind::Edit(_)) | (MarkKind::Late, MarkKind::Late)
                )
            };
            let of = |mark: &Mark| (mark.world, mark.began, mark.numbering);
            let of_one = of(before) == of(&mark);
            both(&before.kind, &mark.kind) && of_one
        });
        match joins {
            Some(place) => {
                kept[place].count += mark.count;
                Arc::make_mut(&mut kept[place].who).join(&mark.who);
                let kept = &mut kept[place];
                let who = &kept.who;
                let came = Arc::make_mut(&mut kept.came);
                came.extend(mark.came.iter().cloned());
                let mut of_kind = [0; 2];
                came.retain(|it| {
                    let count = &mut of_kind[usize::from(is_known_in(who, it))];
                    *count += 1;
                    *count <= Latecomers::MOST
                });
                kept.last = mark.last;
                kept.done = mark.done;
                kept.until = mark.until;
            }
            None => {
                last = Some(kept.len());
                kept.push(mark);
            }
        }
    }
    *list = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::Kind;

    /// In a world that has never begun anew.
    fn at(tick: u64) -> LateAt {
        LateAt {
            tick,
            world: 0,
            began: 0,
            numbering: 0,
        }
    }

    fn edit(words: &str) -> Option<(MarkKind, bool)> {
        Some((MarkKind::Edit(words.into()), false))
    }

    #[test]
    fn what_is_gone_over_again_makes_no_second_mark_and_what_is_cut_goes() {
        let mut marks = Marks::default();
        marks.act(3, 1, edit("a"));
        marks.act(5, 2, edit("b"));
        marks.late(at(6), 2, Latecomers::default(), 2);
        marks.act(5, 2, edit("b"));
        marks.late(at(6), 2, Latecomers::default(), 2);
        assert_eq!(marks.list().len(), 3);
        marks.cut(5, 1);
        assert_eq!(marks.list().len(), 1);
        marks.act(5, 2, edit("c"));
        marks.late(at(6), 1, Latecomers::default(), 2);
        assert_eq!(marks.list().len(), 3);
    }

    #[test]
    fn what_is_taken_back_in_the_very_tick_leaves_no_mark() {
        let mut marks = Marks::default();
        marks.act(3, 1, edit("place 12 blue"));
        marks.act(5, 2, edit("erase 4 units"));
        marks.act(5, 3, edit(&turned(false, "erase 4 units")));
        assert_eq!(marks.list().len(), 1);
        // A tick later there was something in between.
        marks.act(6, 4, edit(&turned(false, "place 12 blue")));
        assert_eq!(marks.list().len(), 2);
        marks.act(6, 5, edit(&turned(true, "place 12 blue")));
        assert_eq!(marks.list().len(), 1);
        marks.act(6, 6, edit(&turned(false, "place 12 blue")));
        assert_eq!(marks.list().len(), 2);
        let switch = |from: Kind, to: Kind| {
            let (from, to) = (StructureKind::Plane(from), StructureKind::Plane(to));
            Some((MarkKind::Switch { lane: 0, from, to }, false))
        };
        marks.act(8, 7, switch(Kind::Quadtree, Kind::Bvh));
        marks.act(8, 8, switch(Kind::Bvh, Kind::KdTree));
        marks.act(8, 9, switch(Kind::KdTree, Kind::Bvh));
        assert_eq!(marks.list().len(), 3);
        // What is gone over again makes none either.
        marks.act(8, 9, switch(Kind::KdTree, Kind::Bvh));
        assert_eq!(marks.list().len(), 3);
    }

    #[test]
    fn what_is_undone_and_done_again_in_one_tick_leaves_the_marks_that_there_were() {
        let mut marks = Marks::default();
        let switch = |from: Kind, to: Kind| {
            let (from, to) = (StructureKind::Plane(from), StructureKind::Plane(to));
            Some((MarkKind::Switch { lane: 0, from, to }, false))
        };
        let acts = [
            (1, edit("place 12 blue")),
            (2, switch(Kind::Bvh, Kind::Quadtree)),
            (3, edit("add k-d tree")),
        ];
        let mut done = 0;
        for (tick, act) in acts {
            done += 1;
            marks.act(tick, done, act);
        }
        let before = Arc::clone(marks.list());
        let undone = [
            edit(&turned(false, "add k-d tree")),
            switch(Kind::Quadtree, Kind::Bvh),
            edit(&turned(false, "place 12 blue")),
        ];
        let redone = [
            edit(&turned(true, "place 12 blue")),
            switch(Kind::Bvh, Kind::Quadtree),
            edit(&turned(true, "add k-d tree")),
        ];
        for act in undone.into_iter().chain(redone) {
            done += 1;
            marks.act(9, done, act);
        }
        assert_eq!(marks.list(), &before);
    }

    #[test]
    fn what_is_done_taken_back_and_done_again_in_one_tick_leaves_its_own_mark() {
        let mut marks = Marks::default();
        let [place, erase] = ["place 12 blue", "erase 4 units"];
        let words = |marks: &Marks| {
            let all = marks.list().iter().map(|mark| match &mark.kind {
                MarkKind::Edit(words) => words.to_string(),
                other => format!("{other:?}"),
            });
            all.collect::<Vec<_>>()
        };
        let acts = [
            (place.to_owned(), vec![place]),
            (turned(false, place), vec![]),
            (turned(true, place), vec![place]),
            (erase.to_owned(), vec![place, erase]),
            (turned(false, erase), vec![place]),
            (turned(false, place), vec![]),
            (turned(true, place), vec![place]),
            (turned(true, erase), vec![place, erase]),
            (turned(false, erase), vec![place]),
        ];
        for (at, (act, left)) in acts.into_iter().enumerate() {
            marks.act(9, at + 1, edit(&act));
            assert_eq!(words(&marks), left, "{act}");
        }
        // A tick later it is a redo like any other.
        marks.act(10, 10, edit(&turned(true, erase)));
        assert_eq!(words(&marks), [place.to_owned(), turned(true, erase)]);
    }

    #[test]
    fn a_stroke_that_meets_nobody_in_between_is_one_mark_and_undo_takes_all_of_it_away() {
        let mut marks = Marks::default();
        let more = |words: &str| edit(words).map(|(kind, _)| (kind, true));
        marks.act(3, 1, edit("erase 1 unit"));
        marks.act(3, 2, None);
        marks.act(3, 3, more("erase 2 units"));
        marks.act(4, 4, None);
        marks.act(4, 5, None);
        marks.act(4, 6, more("erase 3 units"));
        let words: Vec<_> = marks.list().iter().map(|mark| &mark.kind).collect();
        assert_eq!(words, [&MarkKind::Edit("erase 3 units".into())]);
        // An action of no stroke lies behind it as well, and what goes on with nothing is a mark of its own.
        marks.act(4, 7, None);
        marks.act(4, 8, edit("erase 1 unit"));
        assert_eq!(marks.list().len(), 2);
        let mut marks = Marks::default();
        marks.act(3, 1, edit("erase 1 unit"));
        marks.act(3, 2, None);
        marks.act(3, 3, more("erase 3 units"));
        marks.act(3, 4, edit(&turned(false, "erase 3 units")));
        assert!(marks.list().is_empty());
    }

    #[test]
    fn a_stroke_is_one_mark_that_is_called_by_all_of_it() {
        let mut marks = Marks::default();
        let more = |words: &str| edit(words).map(|(kind, _)| (kind, true));
        marks.act(3, 1, edit("place 12 blue"));
        marks.act(3, 2, more("place 24 blue"));
        marks.act(4, 3, more("place 36 blue"));
        marks.act(5, 4, edit("place 12 blue"));
        let words: Vec<_> = marks.list().iter().map(|mark| &mark.kind).collect();
        let edit = |words: &str| MarkKind::Edit(words.into());
        assert_eq!(words, [&edit("place 36 blue"), &edit("place 12 blue")]);
        assert_eq!(marks.list()[0].tick, 3);
        // What is left of it where time was gone back into the middle of it still has its mark, which reaches no further.
        marks.cut(3, 2);
        assert_eq!((marks.list().len(), marks.list()[0].until), (1, 2));
    }

    #[test]
    fn a_million_edits_are_a_few_marks_and_none_is_lost() {
        let mut marks = Marks::default();
        for number in 0..100_000 {
            marks.act(number as u64, number + 1, edit("dab"));
        }
        assert!(marks.list().len() <= MOST);
        let sum: u32 = marks.list().iter().map(|mark| mark.count).sum();
        assert_eq!(sum, 100_000);
    }

    /// What has become of the pond by then.
    fn pond(tick: u64, lateness: Lateness) -> Came {
        Came {
            object: 7,
            numbering: 0,
            tick,
            lateness,
        }
    }

    #[test]
    fn how_late_one_comes_is_known_before_it_comes_until_its_future_is_cut() {
        let lateness = Lateness::at(4.0, 5.5).of(7);
        let came = |tick| pond(tick, lateness);
        let mut marks = Marks::default();
        marks.late(at(240), 1, Latecomers::of([("pond", 7)].into_iter()), 0);
        for _ in 0..2 {
            marks.came((0, 0), 240, came(330));
        }
        // Of no late load, and of another world.
        marks.came((0, 0), 241, came(330));
        marks.came((9, 9), 240, came(330));
        assert_eq!(marks.list()[0].came.len(), 1);
        assert_eq!(marks.future_of((0, 0), [240, 240], (7, 0)), Some(lateness));
        assert_eq!(marks.future_of((0, 0), [240, 329], (7, 0)), Some(lateness));
        assert_eq!(marks.future_of((0, 0), [240, 330], (7, 0)), None);
        assert_eq!(marks.future_of((0, 0), [239, 239], (7, 0)), None);
        assert_eq!(marks.future_of((0, 0), [240, 240], (8, 0)), None);
        assert_eq!(marks.future_of((9, 9), [240, 240], (7, 0)), None);
        // Objects have other numbers by now.
        assert_eq!(marks.future_of((0, 0), [240, 240], (6, 1)), None);
        assert_eq!(marks.future_of((0, 0), [240, 240], (7, 1)), None);
        marks.cut(300, 0);
        assert_eq!(marks.list().len(), 1);
        assert_eq!(marks.future_of((0, 0), [240, 240], (7, 0)), None);
    }

    #[test]
    fn of_one_that_is_no_longer_needed_it_is_kept_how_long_it_was_missing_until_it_comes() {
        let [left, came] = [4.5, 5.5].map(|at| Lateness::at(4.0, at).of(7));
        let left = left.on_its_way();
        let mut marks = Marks::default();
        marks.late(at(240), 1, Latecomers::of([("pond", 7)].into_iter()), 0);
        marks.came((0, 0), 240, pond(270, left));
        assert_eq!(marks.list()[0].came[..], [pond(270, left)]);
        // Until then it is known that it does not come, and from then on nothing of when it does.
        let future = |marks: &Marks, tick| marks.future_of((0, 0), [240, tick], (7, 0));
        assert_eq!(
            [240, 269, 270].map(|it| future(&marks, it)),
            [Some(left), Some(left), None]
        );
        assert_eq!(marks.late_between([0, 300]).came, 0);
        // What is gone over again is known.
        for (tick, lateness) in [(330, came), (270, left), (330, came)] {
            marks.came((0, 0), 240, pond(tick, lateness));
            assert_eq!(marks.list()[0].came[..], [pond(330, came)]);
        }
        assert_eq!(future(&marks, 300), Some(came));
        assert_eq!(marks.late_between([0, 400]).came, 1);
    }

    #[test]
    fn of_more_than_are_kept_those_are_kept_who_are_called_by_their_names() {
        let most = Latecomers::MOST as u32;
        let mut marks = Marks::default();
        // Those of the highest numbers are known one by one, and come last.
        let known: Vec<_> = (2 * most..3 * most)
            .map(|object| ("pond", object))
            .collect();
        marks.late(at(240), 3 * most, Latecomers::of(known.into_iter()), 0);
        let come = |marks: &mut Marks| {
            for object in 0..3 * most {
                let tick = 300 + u64::from(object);
                let lateness = Lateness::at(4.0, tick as f64 / 60.0).of(object);
                let one = Came {
                    object,
                    ..pond(tick, lateness)
                };
                marks.came((0, 0), 240, one);
            }
        };
        come(&mut marks);
        let came = Arc::clone(&marks.list()[0].came);
        let all = came.iter().map(|it| it.object);
        assert!(all.eq((0..most).chain(2 * most..3 * most)), "{came:?}");
        // What is gone over again changes nothing.
        come(&mut marks);
        assert_eq!(marks.list()[0].came, came);
        // Who came before a cut is there after it, whoever had come behind it.
        marks.cut(300 + 2 * u64::from(most), 0);
        let left = marks.list()[0].came.iter().map(|it| it.object);
        assert!(left.eq((0..most).chain([2 * most])));
        come(&mut marks);
        assert_eq!(marks.list()[0].came, came);
    }

    #[test]
    fn a_mark_that_stands_for_neighbours_has_their_last_tick_until_that_is_cut() {
        let mut marks = Marks::default();
        for tick in 1..=MOST as u64 + 1 {
            marks.late(at(tick), 1, Latecomers::default(), 0);
        }
        let list = Arc::clone(marks.list());
        assert!(list.len() <= MOST);
        let mut next = 1;
        for mark in list.iter() {
            assert_eq!(mark.tick, next);
            assert!(mark.last >= mark.tick);
            next = mark.last + 1;
        }
        assert_eq!(next, MOST as u64 + 2);
        let cut = list[0].tick;
        marks.cut(cut, 0);
        assert_eq!(marks.list()[0].last, cut);
    }

    #[test]
    fn late_loads_are_summed_over_some_ticks_with_the_longest_that_has_come_in_them() {
        let mut marks = Marks::default();
        for (tick, count) in [(10, 2), (20, 3), (30, 4)] {
            marks.late(at(tick), count, Latecomers::default(), 0);
        }
        marks.act(30, 1, edit("a"));
        let mut came = |late_at, tick, lateness| {
            let one = Came {
                object: tick as u32,
                numbering: 0,
                tick,
                lateness,
            };
            marks.came((0, 0), late_at, one);
        };
        let [short, long, longer] = [0.2, 0.5, 0.9].map(|came_at| Lateness::at(0.0, came_at));
        came(10, 25, longer);
        came(20, 24, short);
        came(20, 26, long);
        came(20, 31, longer);
        let sum = |after, until| marks.late_between([after, until]);
        let of = |objects, came, longest| LateSum {
            objects,
            came,
            longest,
        };
        assert_eq!(sum(10, 30), of(7, 2, Some(long)));
        assert_eq!(sum(10, 25), of(3, 1, Some(short)));
        assert_eq!(sum(10, 23), of(3, 0, None));
        assert_eq!(sum(9, 30), of(9, 3, Some(longer)));
        assert_eq!(sum(10, 31), of(7, 3, Some(longer)));
        assert_eq!(sum(30, 90), of(0, 0, None));
        assert_eq!(sum(90, 30), of(0, 0, None));
        assert_eq!(marks.known_until(), 30);
    }

    #[test]
    fn late_loads_of_two_worlds_do_not_become_one() {
        let mut marks = Marks::default();
        let restart = 3 * MOST as u64 / 2;
        for tick in 1..=2 * MOST as u64 {
            let world = if tick > restart { restart } else { 0 };
            marks.late(
                LateAt {
                    tick,
                    world,
                    began: world,
                    numbering: 0,
                },
                1,
                Latecomers::default(),
                0,
            );
        }
        assert!(marks.list().len() <= MOST);
        let of = |world: u64| {
            let marks = marks.list().iter().filter(|mark| mark.world == world);
            marks.map(|mark| u64::from(mark.count)).sum::<u64>()
        };
        assert_eq!((of(0), of(restart)), (restart, 2 * MOST as u64 - restart));
    }

    #[test]
    fn late_loads_that_become_one_keep_their_names_and_stay_few() {
        let mut marks = Marks::default();
        for tick in 1..=2 * MOST as u64 {
            let own = format!("stone{}", tick % 100);
            let object = 2 * tick as u32;
            let late = [("pond", object), ("pond", object + 1), (&own, object + 2)];
            let late = Latecomers::of(late.into_iter());
            marks.late(at(tick), 3, late, 0);
        }
        assert!(marks.list().len() <= MOST);
        let (mut all, mut ponds) = (0, 0);
        for mark in marks.list().iter() {
            let names: Vec<_> = mark.who.names().collect();
            assert!(names.len() <= Latecomers::MOST && names[0].0 == "pond");
            assert!(mark.who.known().count() <= Latecomers::MOST);
            assert!(names.iter().map(|(_, count)| count).sum::<u32>() <= mark.count);
            all += mark.count;
            ponds += names[0].1;
        }
        assert_eq!((all, ponds), (6 * MOST as u32, 4 * MOST as u32));
    }
}
