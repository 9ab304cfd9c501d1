//! The late loads as a list: which of them are shown, and in which words.
//!
//! Invariant: it is made anew when something of it has changed, and not in every frame.

use super::widgets::with_commas;
use rows::{One, noted};
use skirmish::session::{Mark, MarkKind};
use skirmish::streaming::{Pending, Renumberings};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

mod load;
mod rows;
mod words;

pub use load::Late;
pub use words::{compared, compared_help, compared_one, saved};

/// So many are shown, where there is room.
pub const SHOWN: usize = 6;

/// The list, and what somebody wants to see of it.
#[derive(Debug, Default)]
pub struct LateList {
    /// What was typed to list those late loads alone in which somebody was late who is meant by that.
    pub sought: String,
    /// How many of the first late loads the list leaves out, to show those after them.
    pub skipped: usize,
    /// How many fewer than [`SHOWN`] have room.
    pub fewer: usize,
    /// Whether it begins with those that were missing the longest, and not with the latest.
    pub by_lateness: bool,
    /// Whether it has those of other runs, before or after a restart, in the place of those of the one that is shown.
    pub of_others: bool,
    /// What it was made of; nothing as long as it was not.
    of: Option<Of>,
    list: Listed,
}

/// Who is on their way at the tick that is shown, and was needed before.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtTick<'s> {
    /// The tick.
    pub tick: u64,
    /// Those, as [`skirmish::streaming::TourPicture::pending_needs`] has them.
    pub pending: &'s [Pending],
    /// Whether those are not known yet.
    pub is_unsure: bool,
}

/// What the list is made of.
#[derive(Debug)]
struct Of {
    marks: Arc<Vec<Mark>>,
    world: u64,
    numbers: Renumberings,
    /// The tick at which its rows were made, and whether it was not known then who was on their way; nothing as long as they were not.
    rows_at: Option<(u64, bool)>,
    sought: String,
    order: Order,
}

/// Which late loads are listed, and from where on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Order {
    by_lateness: bool,
    of_others: bool,
    skipped: usize,
    fewer: usize,
}

/// The part of the late loads that is shown, and how many are not.
#[derive(Debug, Default, PartialEq)]
pub struct Listed {
    /// Those that are shown, in their order.
    pub rows: Vec<Row>,
    /// So many since the world began, those after the present tick among them; or so many of other runs, where it has these.
    pub all: usize,
    /// So many of these are of somebody who is sought.
    pub meant: usize,
    /// So many come before them: newer ones, where the latest is first.
    pub before: usize,
    /// So many come behind them: older ones, where the latest is first.
    pub behind: usize,
    /// Whether of somebody in it it is not known yet what becomes of it: how long it is missing is more with each tick.
    is_open: bool,
    /// Those that are meant, in their order.
    order: Vec<One>,
    /// How many there are, in words.
    pub note: String,
    /// The ticks of those that are meant, the first one first.
    ticks: Vec<u64>,
    /// What stands below the rows, which may be nothing.
    pub rest: String,
    /// Whether the rows are of other runs.
    pub is_of_others: bool,
    /// Whether a click on that shows others: those of other runs, or those of this one again.
    pub has_others: bool,
    /// So many before the world began anew.
    before_restart: usize,
    /// So many after it began anew once more, for whoever has gone back before that.
    after_restart: usize,
}

/// A late load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its tick.
    pub tick: u64,
    /// Its tick and how long they were missing; the same in few characters; and in fewer still, without what became of them, which the help says.
    pub when: [String; 3],
    /// Who was late, in a few words.
    pub who: String,
    /// What of that follows the name, which is what may be shortened.
    pub rest: String,
    /// All who were late, as far as they are known, and what a click does.
    pub help: String,
    /// The same for who does not see it.
    pub spoken: String,
}

impl Row {
    /// Which of the forms of [`Row::when`] all of `rows` have: a shorter one where those before it are too long, by `fits` of a form and of
    /// who was late: a name comes before the words around its times.
    pub fn form_for(rows: &[Self], fits: impl Fn(&str, &str) -> bool) -> usize {
        let fits_all = |form: &usize| rows.iter().all(|row| fits(&row.when[*form], &row.who));
        [0, 1].into_iter().find(fits_all).unwrap_or(2)
    }

    /// Who was late, with as much of the name as fits. What tells it from others of that name stays.
    pub fn shortened(&self, fits: impl Fn(&str) -> bool) -> Cow<'_, str> {
        let name = self.who.strip_suffix(&self.rest).unwrap_or_default();
        if fits(&self.who) || name.is_empty() {
            return Cow::Borrowed(&self.who);
        }
        let ends: Vec<usize> = name.char_indices().map(|(end, _)| end).collect();
        let cut = |end: usize| format!("{}…{}", &name[..end], self.rest);
        // Of nothing but the dots nobody learns more than of the rest alone.
        let fitting = ends[1..].partition_point(|end| fits(&cut(*end)));
        match fitting {
            0 => Cow::Borrowed(self.rest.trim_start()),
            some => Cow::Owned(cut(ends[some])),
        }
    }
}

impl LateList {
    /// The list of the late loads among `marks` in the world that was made at the tick `world`, whose objects have been given other
    /// `numbers` since, and of which `now` is shown; where its rows are not seen only how many there are.
    pub fn update(
        &mut self,
        marks: &Arc<Vec<Mark>>,
        (world, numbers): (u64, &Renumberings),
        now: AtTick<'_>,
        has_rows: bool,
    ) {
        if self.of.as_ref().is_some_and(|of| of.world != world) {
            // Of a world that begins anew the list begins at its newest.
            self.skipped = 0;
            self.of_others = false;
        }
        let order = Order {
            by_lateness: self.by_lateness,
            of_others: self.of_others,
            skipped: self.skipped,
            fewer: self.fewer,
        };
        let is_new = self.of.as_ref().is_none_or(|of| {
            let is_same = Arc::ptr_eq(&of.marks, marks) && of.world == world;
            let is_same = is_same && of.numbers.is_same(numbers);
            // What was settled at a tick is settled after it, and not before.
            let is_same = is_same && of.rows_at.is_none_or(|(tick, _)| tick <= now.tick);
            !is_same || of.order != order || of.sought != self.sought
        });
        if is_new {
            self.list = noted(marks, (world, numbers), &self.sought_for(), order);
            self.of = Some(Of {
                marks: Arc::clone(marks),
                world,
                numbers: numbers.clone(),
                rows_at: None,
                sought: self.sought.clone(),
                order,
            });
        }
        let rows_at = self.of.as_ref().and_then(|of| of.rows_at);
        let is_due = rows_at.is_none_or(|(tick, were_unsure)| match were_unsure {
            // Until it is known who is on their way the rows say what is.
            true => tick != now.tick || !now.is_unsure,
            // From then on those stay that are known.
            false => tick != now.tick && !now.is_unsure && self.list.is_open,
        });
        if has_rows && is_due {
            let sought = self.sought_for();
            let at = (world, numbers, now);
            // Before it is known who is on their way the rows do not change places with each tick.
            let is_sorted = order.by_lateness && (rows_at.is_none() || !now.is_unsure);
            self.list.fill(marks, at, &sought, is_sorted);
            if let Some(of) = &mut self.of {
                of.rows_at = Some((now.tick, now.is_unsure));
            }
        }
    }

    /// What it showed last.
    pub fn list(&self) -> &Listed {
        &self.list
    }

    /// Whether a name can be sought in it: where there are more than have room in any window, and as long as one is sought. In a low window
    /// fewer than that are leafed through without: a field would take the room of more rows.
    pub fn has_controls(&self) -> bool {
        self.list.all > SHOWN || !self.sought.is_empty()
    }

    /// How many are shown at most.
    pub fn shown(&self) -> usize {
        SHOWN.saturating_sub(self.fewer)
    }

    /// How many the page before this one leaves out. Pages begin at the first of the list, also where the room has changed meanwhile, so
    /// that the first page overlaps none.
    pub fn skipped_before(&self) -> usize {
        let shown = self.shown().max(1);
        self.list.before.saturating_sub(1) / shown * shown
    }

    /// What is sought, in small letters.
    pub fn sought_for(&self) -> String {
        self.sought.trim().to_lowercase()
    }
}

impl Listed {
    /// How many there are, in words, and how many of them are still to come for whoever has gone back to this tick.
    pub fn note_at(&self, tick: u64) -> Cow<'_, str> {
        match self.to_come(tick) {
            0 => Cow::Borrowed(&self.note),
            some => Cow::Owned(format!(
                "{}, {} to come",
                self.note,
                with_commas(some as u64)
            )),
        }
    }

    fn to_come(&self, tick: u64) -> usize {
        self.ticks.len() - self.ticks.partition_point(|it| *it <= tick)
    }
}

/// For what those of a late load waited who are among `selected`, in a sentence: for each reason how many; nothing as long as of none of
/// them it is known. `selected` are numbers of now.
pub fn reasons(
    marks: &[Mark],
    (tick, world, numbers): (u64, u64, &Renumberings),
    selected: &[u32],
) -> Option<String> {
    /// Of more nobody asks for what each waited.
    const MOST: usize = 4_096;
    if selected.len() > MOST {
        return None;
    }
    let is_it =
        |mark: &&Mark| mark.kind == MarkKind::Late && (mark.tick, mark.world) == (tick, world);
    let late = Late::of(marks.iter().find(is_it)?, numbers);
    let of_them = late.came.iter().filter(|(it, _)| selected.contains(it));
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for why in of_them.filter_map(|(_, lateness)| lateness.waited_for()) {
        *counts.entry(why).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let words = counts.iter().map(|(why, count)| format!("{count} {why}"));
    let words: Vec<_> = words.collect();
    let known: u32 = counts.iter().map(|(_, count)| count).sum();
    let rest = match (selected.len() as u32).saturating_sub(known) {
        0 => String::new(),
        rest => format!("; of {rest} it is not known"),
    };
    (known > 0).then(|| {
        format!(
            "Most of their time they waited: {}{rest}.",
            words.join(", ")
        )
    })
}

#[cfg(test)]
mod tests;
