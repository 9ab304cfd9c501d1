//! Which late loads are listed, and the row of each.

use super::load::{Late, how_late};
use super::words::{all_who_were_late, in_brief, note, rest, who_was_late};
use super::{AtTick, Listed, Order, Row, SHOWN};
use crate::app::widgets::with_commas;
use skirmish::session::{Mark, MarkKind};
use skirmish::streaming::{Clock, Renumberings};
use skirmish::tick::STEP_SECONDS;
use std::cmp::Ordering;

/// Of the late loads among `marks` all that are known of the world that was made at the tick `world` in which somebody was late who is `sought`,
/// the latest first, or those that were missing the longest, but for the first `skipped`. Of who is missing at the tick of `now` it is said for
/// how long by then. Who goes back to one of them has the same list there; who goes back beyond a restart has that of the world before it, and
/// may have those of other worlds in its place.
pub(super) fn listed(
    marks: &[Mark],
    (world, numbers, now): (u64, &Renumberings, AtTick<'_>),
    sought: &str,
    asked: Order,
) -> Listed {
    let Order {
        by_lateness,
        of_others,
        skipped,
    } = asked;
    let (mut all_here, mut all_elsewhere) = (0, 0);
    let (mut before_restart, mut after_restart) = (0, 0);
    let mut order: Vec<(&Mark, u32)> = Vec::new();
    let mut others = Vec::new();
    // Numbers of another world are those that they were.
    let as_then = Renumberings::default();
    for mark in marks.iter().filter(|mark| mark.kind == MarkKind::Late) {
        match mark.world == world {
            true => all_here += 1,
            false => all_elsewhere += 1,
        }
        let count = match sought {
            "" => mark.count,
            _ if mark.world == world => Late::of(mark, numbers).count_meant(sought),
            _ => mark.who.count_meant(sought),
        };
        match mark.world.cmp(&world) {
            _ if count == 0 => continue,
            Ordering::Less => before_restart += 1,
            Ordering::Equal => {
                order.push((mark, count));
                continue;
            }
            Ordering::Greater => after_restart += 1,
        }
        others.push((mark, count));
    }
    let others_are_known = !others.is_empty();
    let is_swapped = of_others && others_are_known;
    let all = if is_swapped { all_elsewhere } else { all_here };
    let numbers = match is_swapped {
        true => {
            order = others;
            &as_then
        }
        false => numbers,
    };
    let known = order.len();
    // Of other runs none is still to come in this one.
    let of_this = order.iter().filter(|(mark, _)| mark.world == world);
    let ticks = of_this.map(|(mark, _)| mark.tick).collect();
    order.reverse();
    let late_at = |mark| Late::at(mark, (world, numbers, now));
    let mut is_open = false;
    if by_lateness {
        let longest = |(mark, count)| {
            let late = late_at(mark);
            is_open |= late.is_open;
            let longest = late.longest(sought).map_or(0.0, |it| it.missing);
            (longest, (mark, count))
        };
        let mut of_all: Vec<_> = order.into_iter().map(longest).collect();
        // Of those that are as late the latest stays first.
        of_all.sort_by(|a, b| b.0.total_cmp(&a.0));
        order = of_all.into_iter().map(|(_, it)| it).collect();
    }
    // A list that has become shorter ends at its last.
    let before_them = skipped.min(known.saturating_sub(1));
    let end = (before_them + SHOWN).min(known);
    let rows = order[before_them..end].iter().map(|(mark, meant)| {
        let late = late_at(mark);
        is_open |= late.is_open;
        row(&late, *meant, sought)
    });
    Listed {
        rows: rows.collect(),
        is_open,
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
    let how_late = how_late(late, meant, sought).unwrap_or_else(|| "late".to_owned());
    let when = [
        format!("{tick}: {how_late}"),
        format!("{} · {}", with_commas(mark.tick), in_brief(&how_late)),
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
