//! Which late loads are listed, and the row of each.

use super::load::{Late, how_long};
use super::words::{all_who_were_late, in_brief, note, rest, time_alone, who_was_late};
use super::{AtTick, Listed, Order, Row, SHOWN};
use crate::app::widgets::with_commas;
use skirmish::session::{Mark, MarkKind};
use skirmish::streaming::{Clock, Renumberings};
use skirmish::tick::STEP_SECONDS;
use std::cmp::Ordering;

/// Of the late loads among `marks` all that are known of the world that was made at the tick `world` in which somebody was late who is `sought`,
/// the latest first, but for the first `skipped`, without their rows. Who goes back to one of them has the same list there; who goes back beyond
/// a restart has that of the world before it, and may have those of other worlds in its place.
pub(super) fn noted(
    marks: &[Mark],
    (world, numbers): (u64, &Renumberings),
    sought: &str,
    asked: Order,
) -> Listed {
    let Order {
        of_others,
        skipped,
        fewer,
        ..
    } = asked;
    let (mut all_here, mut all_elsewhere) = (0, 0);
    let (mut before_restart, mut after_restart) = (0, 0);
    let mut order: Vec<One> = Vec::new();
    let mut others = Vec::new();
    let late = marks.iter().enumerate();
    for (place, mark) in late.filter(|(_, mark)| mark.kind == MarkKind::Late) {
        match mark.world == world {
            true => all_here += 1,
            false => all_elsewhere += 1,
        }
        let count = match sought {
            "" => mark.count,
            _ if mark.world == world => Late::of(mark, numbers).count_meant(sought),
            _ => mark.who.count_meant(sought),
        };
        let one = One {
            mark: place,
            count,
            longest: 0.0,
            is_settled: false,
        };
        match mark.world.cmp(&world) {
            _ if count == 0 => continue,
            Ordering::Less => before_restart += 1,
            Ordering::Equal => {
                order.push(one);
                continue;
            }
            Ordering::Greater => after_restart += 1,
        }
        others.push(one);
    }
    let others_are_known = !others.is_empty();
    let is_swapped = of_others && others_are_known;
    let all = if is_swapped { all_elsewhere } else { all_here };
    if is_swapped {
        order = others;
    }
    let known = order.len();
    // Of other runs none is still to come in this one.
    let of_all = order.iter().map(|it| &marks[it.mark]);
    let of_this = of_all.filter(|mark| mark.world == world);
    let ticks = of_this.map(|mark| mark.tick).collect();
    order.reverse();
    // A list that has become shorter ends at its last.
    let before_them = skipped.min(known.saturating_sub(1));
    let end = (before_them + SHOWN.saturating_sub(fewer)).min(known);
    Listed {
        rows: Vec::new(),
        is_open: true,
        order,
        all,
        meant: known,
        before: before_them,
        behind: known - end,
        note: match is_swapped {
            true => format!("{} of other runs", note(known, known)),
            false => note(known, all),
        },
        ticks,
        rest: match is_swapped {
            true => "Back to those of this run".to_owned(),
            false => rest(!sought.is_empty(), known, before_restart, after_restart),
        },
        is_of_others: is_swapped,
        has_others: others_are_known,
        before_restart,
        after_restart,
    }
}

/// A late load that is meant, and for how long the one of those who are sought was missing that was so the longest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct One {
    /// Which of the marks it is.
    mark: usize,
    /// How many of those who were late are sought.
    count: u32,
    /// In seconds; 0 as long as that was not looked at.
    longest: f64,
    /// Whether that stays so at later ticks.
    is_settled: bool,
}

impl Listed {
    /// Makes the rows, those of the ones first that were missing the longest where they are to be `is_sorted` by that, and else as they stand. Of who
    /// is missing at the tick of `now` it is said for how long by then.
    pub(super) fn fill(
        &mut self,
        marks: &[Mark],
        (world, numbers, now): (u64, &Renumberings, AtTick<'_>),
        sought: &str,
        is_sorted: bool,
    ) {
        // Numbers of another world are those that they were.
        let as_then = Renumberings::default();
        let numbers = match self.is_of_others {
            true => &as_then,
            false => numbers,
        };
        let late_at = |one: &One| Late::at(&marks[one.mark], (world, numbers, now));
        self.is_open = false;
        if is_sorted {
            for one in self.order.iter_mut().filter(|one| !one.is_settled) {
                let late = late_at(one);
                one.is_settled = !late.is_open;
                one.longest = late.longest(sought).map_or(0.0, |it| it.missing);
                self.is_open |= late.is_open;
            }
            // Of those that are as late the latest stays first.
            self.order.sort_by(|a, b| {
                let longer = b.longest.total_cmp(&a.longest);
                longer.then(b.mark.cmp(&a.mark))
            });
        }
        self.rows.clear();
        let end = self.order.len() - self.behind;
        for one in &self.order[self.before..end] {
            let late = late_at(one);
            self.is_open |= late.is_open;
            self.rows.push(row(&late, one.count, sought));
        }
    }
}

/// The row of a mark, of those who were late in which so many are sought.
fn row(late: &Late<'_>, meant: u32, sought: &str) -> Row {
    let mark = late.mark;
    let tick = format!("tick {}", with_commas(mark.tick));
    let seconds = (mark.tick - mark.began) as f64 * STEP_SECONDS;
    let at = Clock::of(mark.world, mark.began).since(seconds);
    let gone = late.gone.known().count() as u32;
    let there = mark.count.saturating_sub(gone);
    let names_of_gone = || all_who_were_late(&late.gone, gone, &late.gone_came, &[]);
    let names = || all_who_were_late(&late.who, there, &late.came, &late.missing);
    let all = match (gone, there) {
        (0, _) => names(),
        (_, 0) => format!("{} (taken away since)", names_of_gone()),
        _ => format!("{}. Taken away since: {}", names(), names_of_gone()),
    };
    let it = match (meant, mark.count) {
        (1, 1) => "it".to_owned(),
        (meant, count) if meant == count => "them all".to_owned(),
        (1, _) => who_was_late(late.named(None, sought), None, 1, sought).0,
        (meant, _) => format!("{} of them", with_commas(u64::from(meant))),
    };
    // Of nobody among them may be known what became of it.
    let how_long = how_long(late, meant, sought).unwrap_or_else(|| "late".to_owned());
    let when = [
        format!("{tick}: {how_long}"),
        format!("{} · {}", with_commas(mark.tick), in_brief(&how_long)),
        format!("{} · {}", with_commas(mark.tick), time_alone(&how_long)),
    ];
    let longest = late.longest(sought);
    let named = late.named(longest, sought);
    let (who, rest) = who_was_late(named, longest.map(|it| it.object), meant, sought);
    Row {
        tick: mark.tick,
        when,
        who,
        rest,
        help: format!(
            "Needed at {tick} ({at}), and not there: {all}.\nA click goes there and selects {it}."
        ),
        spoken: format!("Go to {tick}, late: {all}"),
    }
}
