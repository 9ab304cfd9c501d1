//! Marks of the timeline: the ticks at which something happened that one would want to go back to.

use super::undo::What;
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
    /// What became of it before that, where it was no longer needed then and on its way still: that is known again where its future is cut.
    earlier: Vec<Came>,
}

impl Came {
    /// So often one leaves and comes back before it comes, as far as that is kept: of more the first ones and the last one.
    const EARLIER: usize = 4;

    /// One that has come, by its number of a numbering, at a tick.
    pub(super) const fn new(tick: u64, [object, numbering]: [u32; 2], lateness: Lateness) -> Self {
        Self {
            object,
            numbering,
            tick,
            lateness,
            earlier: Vec::new(),
        }
    }

    /// The same of one that was no longer needed `before`.
    fn after(mut self, mut before: Self) -> Self {
        self.earlier = std::mem::take(&mut before.earlier);
        // The first stays: a cut between any two of them finds one that was before it.
        if self.earlier.len() == Self::EARLIER {
            self.earlier.pop();
        }
        self.earlier.push(before);
        self
    }

    /// The tick at which something was told of it for the first time.
    fn first_told(&self) -> u64 {
        self.earlier.first().map_or(self.tick, |it| it.tick)
    }

    /// What is known of it at this tick.
    fn cut(&self, tick: u64) -> Option<Self> {
        if self.tick <= tick {
            return Some(self.clone());
        }
        let past = self.earlier.iter().filter(|it| it.tick <= tick);
        let mut earlier: Vec<_> = past.cloned().collect();
        let last = earlier.pop()?;
        Some(Self { earlier, ..last })
    }
}

impl MarkKind {
    /// Whether what goes on with it, and is about this lane, is a part of it: knobs of another lane are none of a switch.
    pub(super) fn takes_in(&self, lane: Option<usize>) -> bool {
        match self {
            Self::Switch { lane: own, .. } => lane == Some(*own),
            _ => true,
        }
    }

    /// Whether it is the undo of an edit.
    fn is_undo(&self) -> bool {
        matches!(self, Self::Edit(words) if words.starts_with(UNDO))
    }

    /// Whether it leaves nothing of what was done right before it: the undo of that, or a switch back.
    fn takes_back(&self, before: &Self) -> bool {
        match (before, self) {
            (Self::Edit(done), Self::Edit(now)) => now.strip_prefix(UNDO) == Some(edited(done)),
            (
                Self::Switch { lane, from, to },
                Self::Switch {
                    lane: other,
                    from: now,
                    to: then,
                },
            ) => (lane, from, to) == (other, then, now),
            _ => false,
        }
    }

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
    /// How many when the first of those happened that were gathered: the same, unless there are several.
    first: usize,
    /// How many by the end of the stroke that it is.
    until: usize,
}

impl Mark {
    /// One of a battle at a tick, after so many actions.
    fn of(tick: u64, kind: MarkKind, done: usize) -> Self {
        Self {
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
            first: done,
            until: done,
        }
    }

    /// Whether this at a tick leaves nothing of what the mark stands for: an undo, the redo of an undo or a switch back in the very tick. A
    /// tick later there was something in between, and both are worth a mark.
    fn is_taken_back_by(&self, tick: u64, kind: &MarkKind) -> bool {
        if (self.tick, self.count) != (tick, 1) {
            return false;
        }
        match (&self.kind, kind) {
            (MarkKind::Edit(done), MarkKind::Edit(now)) if self.kind.is_undo() => {
                now.strip_prefix(REDO) == done.strip_prefix(UNDO)
            }
            _ => kind.takes_back(&self.kind),
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

/// What was edited, by the words of that or of its redo.
fn edited(words: &str) -> &str {
    words.strip_prefix(REDO).unwrap_or(words)
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
            let is_edit = matches!(last.kind, MarkKind::Edit(_) | MarkKind::Switch { .. });
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
            (mark.done, mark.first, mark.until) = (done, done, done);
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
                last.until = done;
                // Knobs of a structure that has just been chosen are a part of that, as undo has it.
                if !matches!(last.kind, MarkKind::Switch { .. }) {
                    last.kind = kind;
                }
            }
            return;
        }
        self.push(Mark::of(tick, kind, done));
    }

    /// Time stopped by itself at a tick.
    pub(super) fn stop(&mut self, tick: u64, kind: MarkKind, done: usize) {
        let is_known = |mark: &Mark| mark.tick == tick && mark.kind == kind;
        if self.list.iter().any(is_known) {
            return;
        }
        let mark = Mark::of(tick, kind, done);
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

    /// What was edited by the action that was the `done`th, in the words of undo; `None` where it has left no mark.
    pub(super) fn edit_of(&self, done: usize) -> Option<String> {
        if done > self.known_acts() {
            return None;
        }
        // Of those that were gathered the first and the last one are known by their numbers, and what lies between them is taken for theirs.
        let is_of = |mark: &&Mark| (mark.first..=mark.until).contains(&done);
        let mut marks = self.list.iter().filter(is_of);
        marks.find_map(|mark| match &mark.kind {
            MarkKind::Edit(words) if !mark.kind.is_undo() => Some(edited(words).to_owned()),
            MarkKind::Switch { to, .. } => Some(What::Structure(to.info().name).to_string()),
            _ => None,
        })
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
                count,
                who: Arc::new(who),
                world,
                began,
                numbering,
                ..Mark::of(tick, MarkKind::Late, done)
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
        let has_room = || {
            let is_named = is_known_in(who, &one);
            let of_its_kind = came.iter().filter(|it| is_known_in(who, it) == is_named);
            of_its_kind.count() < Latecomers::MOST
        };
        // Thousands may be given up in one tick: they are told apart only where that decides.
        let has_room = match came.len() {
            few if few < Latecomers::MOST => true,
            all if all >= 2 * Latecomers::MOST => false,
            _ => has_room(),
        };
        if before.is_none() && !has_room {
            return;
        }
        let came = Arc::make_mut(&mut Arc::make_mut(&mut self.list)[at].came);
        match before {
            // In its place, which it keeps where that future is cut.
            Some(place) => {
                let before = came.remove(place);
                came.insert(place, one.after(before));
            }
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
                mark.first += usize::from(mark.first > done);
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
                mark.first -= usize::from(mark.first > done);
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
                    let left = mark.came.iter().filter_map(|it| it.cut(tick));
                    mark.came = Arc::new(left.collect());
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
                // What was edited is what is asked for, and an undo has no words for that.
                if kept.kind.is_undo() {
                    kept.kind = mark.kind;
                }
                let who = &kept.who;
                let came = Arc::make_mut(&mut kept.came);
                came.extend(mark.came.iter().cloned());
                // What is kept up to a tick does not depend on what came after it, nor on when those came who had left before it.
                came.sort_by_key(Came::first_told);
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
mod tests;
