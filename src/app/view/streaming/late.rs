//! The late loads, one after the other: when each was, and how many objects at once. A click goes there and selects one of them.

use crate::app::palette::Palette;
use crate::app::state::App;
use crate::app::stream::Stream;
use crate::app::theme::size;
use crate::app::widgets::{
    button, hint_words, keep_in_sight, name_it, place, section, segments_in, stat_to_click,
    tell_button, with_commas,
};
use egui_macroquad::egui::{CornerRadius, Id, Margin, Rect, RichText, TextEdit, Ui, Vec2, vec2};
use skirmish::scene::limits;
use skirmish::session::{Mark, MarkKind};
use skirmish::tick::STEP_SECONDS;
use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

/// So many are shown.
const SHOWN: usize = 6;

/// The part of the late loads that is shown, and how many are not.
#[derive(Debug, Default, PartialEq)]
struct Listed<'a> {
    /// Those that are shown, in their order.
    shown: Vec<&'a Mark>,
    /// So many since the world began, those after the present tick among them.
    all: usize,
    /// So many of these are of somebody who is sought.
    meant: usize,
    /// So many come before them: newer ones, where the latest is first.
    before: usize,
    /// So many come behind them: older ones, where the latest is first.
    behind: usize,
    /// So many before the world began anew.
    before_restart: usize,
    /// So many after it began anew once more, for whoever has gone back before that.
    after_restart: usize,
}

/// How many of those who were late have a name in which `sought` is, in small letters; all of them where nothing is sought.
fn sought_in(mark: &Mark, sought: &str) -> u32 {
    if sought.is_empty() {
        return mark.count;
    }
    let meant = mark.who.iter().filter(|(name, _)| is_meant(name, sought));
    meant.map(|(_, count)| count).sum()
}

/// Whether `sought`, in small letters, is in a name. It is asked of all names in every frame: plain letters are compared as they lie.
fn is_meant(name: &str, sought: &str) -> bool {
    if !name.is_ascii() {
        return name.to_lowercase().contains(sought);
    }
    let (name, sought) = (name.as_bytes(), sought.as_bytes());
    let is_here = |part: &[u8]| part.eq_ignore_ascii_case(sought);
    sought.is_empty() || name.windows(sought.len()).any(is_here)
}

/// Of the late loads among `marks` all that are known of the world that began at the tick `began` in which somebody was late who is `sought`,
/// the latest first, or those of the most objects, but for the first `skipped`. Who goes back to one of them has the same list there; who
/// goes back beyond a restart has that of the world before it.
fn listed<'a>(
    marks: &'a [Mark],
    began: u64,
    sought: &str,
    by_count: bool,
    skipped: usize,
) -> Listed<'a> {
    let (mut all, mut before_restart, mut after_restart) = (0, 0, 0);
    let mut order: Vec<(&Mark, u32)> = Vec::new();
    for mark in marks.iter().filter(|mark| mark.kind == MarkKind::Late) {
        all += usize::from(mark.began == began);
        let count = sought_in(mark, sought);
        match mark.began.cmp(&began) {
            _ if count == 0 => {}
            Ordering::Less => before_restart += 1,
            Ordering::Equal => order.push((mark, count)),
            Ordering::Greater => after_restart += 1,
        }
    }
    let known = order.len();
    order.reverse();
    if by_count {
        // Of as many the latest stays first.
        order.sort_by_key(|(_, count)| Reverse(*count));
    }
    // A list that has become shorter ends at its last.
    let before_them = skipped.min(known.saturating_sub(1));
    let end = (before_them + SHOWN).min(known);
    Listed {
        shown: order[before_them..end]
            .iter()
            .map(|(mark, _)| *mark)
            .collect(),
        all,
        meant: known,
        before: before_them,
        behind: known - end,
        before_restart,
        after_restart,
    }
}

/// Who was late, in a few words, and whom a click selects: of those who are sought the first.
fn who_was_late(mark: &Mark, sought: &str) -> (String, Option<Arc<str>>) {
    let first = mark.who.iter().find(|(name, _)| is_meant(name, sought));
    let name = first.map(|(name, _)| name).filter(|name| !name.is_empty());
    let words = match (name, sought_in(mark, sought)) {
        (Some(name), 1) => name.to_string(),
        (Some(name), count) => format!("{name} + {}", with_commas(u64::from(count - 1))),
        (None, 1) => "1 object".to_owned(),
        (None, count) => format!("{} objects", with_commas(u64::from(count))),
    };
    (words, name.map(Arc::clone))
}

/// All `count` who were late, by name, and how many there are beside those whose names are known.
fn all_who_were_late(who: &[(Arc<str>, u32)], count: u32) -> String {
    /// More names are not read.
    const NAMED: usize = 8;
    let named = who.iter().filter(|(name, _)| !name.is_empty());
    let named = named.take(NAMED);
    let (mut names, mut rest) = (Vec::new(), count);
    for (name, count) in named {
        names.push(format!("{} {name}", with_commas(u64::from(*count))));
        rest = rest.saturating_sub(*count);
    }
    let more = with_commas(u64::from(rest));
    match (names.is_empty(), rest) {
        (true, 1) => "1 object".to_owned(),
        (true, _) => format!("{more} objects"),
        (false, 0) => names.join(", "),
        (false, _) => format!("{}; {more} more", names.join(", ")),
    }
}

/// How many late loads there were before the world began anew, and how many after it did so once more.
fn beyond_restarts(before: usize, after: usize) -> String {
    let [before_it, after_it] = [before, after].map(|count| with_commas(count as u64));
    match (before, after) {
        (_, 0) => format!("and {before_it} before the restart"),
        (0, _) => format!("and {after_it} after a later restart"),
        _ => format!("and {before_it} before the restart, {after_it} after a later one"),
    }
}

/// How wide the choice of the order is beside the field, in points, and how far from it.
const ORDER: f32 = 122.0;
const APART: f32 = 6.0;
/// Around what is typed, within the frame of the field, in points.
const WITHIN: Vec2 = vec2(8.0, 4.0);

fn find_id() -> Id {
    Id::new("name of who was late")
}

/// The field in which a name is sought, which stands while it is of use, and while something stands in it; behind it the choice of the
/// order, where there is one: in a line with it, so that it takes no room from the rows.
fn controls(ui: &mut Ui, palette: &Palette, stream: &mut Stream, has_order: bool) {
    let whole = ui.available_rect_before_wrap().x_range();
    let width = whole.span() - if has_order { ORDER + APART } else { 0.0 };
    let before = stream.late_sought.clone();
    let edit = TextEdit::singleline(&mut stream.late_sought)
        .id(find_id())
        .hint_text(hint_words(palette, "Whose? A name"))
        .char_limit(limits::MAX_NAME_CHARS)
        .margin(Margin::symmetric(WITHIN.x as i8, WITHIN.y as i8))
        .desired_width(width - 2.0 * WITHIN.x);
    let response = ui.add(edit);
    place(ui.ctx(), "late.find", response.rect);
    name_it(&response, "Name of who was late");
    keep_in_sight(ui, "late.find", &response);
    if stream.late_sought != before {
        stream.late_skipped = 0;
    }
    if has_order {
        let words = [
            ("latest", "The last ones first."),
            ("most", "Those of the most objects at once first."),
        ];
        // As high as the frame.
        let row = response.rect.y_range().expand(WITHIN.y);
        let cells = Rect::from_x_y_ranges(whole.max - ORDER..=whole.max, row);
        let (color, order) = (palette.accent, Some(usize::from(stream.late_by_count)));
        if let Some(new) = segments_in(ui, palette, "late.order", cells, &words, order, color) {
            stream.late_by_count = new == 1;
            stream.late_skipped = 0;
        }
    }
    ui.add_space(4.0);
}

/// All that are known, in the order that is chosen; that of the present tick is marked. Seconds are those of the world, as the other sections have them.
pub fn late_loads(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let marks = Arc::clone(&app.place.marks);
    let now = app.place.tick;
    let Some(stream) = &mut app.stream else {
        return;
    };
    let began = now.saturating_sub(stream.ticks());
    if began != std::mem::replace(&mut stream.late_began, began) {
        // Of a world that begins anew the list begins at its newest.
        stream.late_skipped = 0;
    }
    let by_count = stream.late_by_count;
    let sought = stream.late_sought.trim().to_lowercase();
    let list = listed(&marks, began, &sought, by_count, stream.late_skipped);
    let note = match (list.meant, list.all) {
        (_, 0) => "none yet".to_owned(),
        (1, 1) => "at 1 tick".to_owned(),
        (meant, all) if meant == all => format!("at {} ticks", with_commas(all as u64)),
        (meant, all) => format!(
            "at {} of {} ticks",
            with_commas(meant as u64),
            with_commas(all as u64)
        ),
    };
    if !section(ui, palette, "late loads", &note) {
        return;
    }
    // Whoever types in it keeps it.
    let types = ui.memory(|memory| memory.has_focus(find_id()));
    if list.all > SHOWN || !stream.late_sought.is_empty() || types {
        let has_order = list.before + list.shown.len() + list.behind > SHOWN;
        controls(ui, palette, stream, has_order);
    }
    let mut chosen = None;
    for (place_in_list, mark) in list.shown.iter().enumerate() {
        let (objects, who) = who_was_late(mark, &sought);
        let name = format!("tick {}", with_commas(mark.tick));
        let seconds = (mark.tick - mark.began) as f64 * STEP_SECONDS;
        let when = format!("{name}, at {seconds:.1} s");
        let response = stat_to_click(ui, palette, &when, (&objects, ""), |ui| {
            let who = all_who_were_late(&mark.who, mark.count);
            ui.label(format!("Late: {who}. A click goes there."));
        });
        place(ui.ctx(), &format!("late.{place_in_list}"), response.rect);
        if mark.tick == now {
            let bar = response.rect.translate(vec2(-6.0, 0.0));
            let bar = bar.with_max_x(bar.left() + 2.0).shrink2(vec2(0.0, 2.0));
            ui.painter()
                .rect_filled(bar, CornerRadius::ZERO, palette.accent);
        }
        let all = all_who_were_late(&mark.who, mark.count);
        tell_button(&response, &format!("Go to {name}, late: {all}"));
        keep_in_sight(ui, ("late", mark.tick), &response);
        if response.clicked() {
            chosen = Some((mark.tick, who));
        }
    }
    if list.before + list.behind > 0 {
        let (before, behind) = match by_count {
            false => ("newer", "older"),
            true => ("with more", "with fewer"),
        };
        ui.horizontal(|ui| {
            let words = format!("{} {before}", with_commas(list.before as u64));
            let help = "Show those that come before these in the list.";
            if list.before > 0 && button(ui, palette, "late.before", &words, help) {
                stream.late_skipped = list.before.saturating_sub(SHOWN);
            }
            let words = format!("{} {behind}", with_commas(list.behind as u64));
            let help = "Show those that come behind these in the list.";
            if list.behind > 0 && button(ui, palette, "late.behind", &words, help) {
                stream.late_skipped = list.before + SHOWN;
            }
        });
    }
    let words = match (list.meant, list.before_restart + list.after_restart) {
        (0, 0) if !sought.is_empty() => "No late load is known to have such a name.".to_owned(),
        (0, 0) => "Nothing was needed before it was there.".to_owned(),
        (_, 0) => String::new(),
        _ => beyond_restarts(list.before_restart, list.after_restart),
    };
    if !words.is_empty() {
        ui.label(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
    if let Some((tick, who)) = chosen {
        app.go_to_late(tick, who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session};

    /// Rides through the open world for so many ticks.
    fn ride(session: &mut Session, ticks: u64) {
        let cancel = Cancel::default();
        for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        for _ in 0..ticks {
            session.tick(&cancel, &mut ()).expect("a tick");
        }
    }

    #[test]
    fn all_who_were_late_are_named_with_their_numbers_as_far_as_they_are_known() {
        let said = |who: &[(&str, u32)], count| {
            let who = who.iter().map(|(name, count)| (Arc::from(*name), *count));
            all_who_were_late(&who.collect::<Vec<_>>(), count)
        };
        assert_eq!(said(&[("pond-1", 1)], 1), "1 pond-1");
        let both = [("tree-3", 3), ("pond-1", 1)];
        assert_eq!(said(&both, 4), "3 tree-3, 1 pond-1");
        assert_eq!(said(&both, 1_006), "3 tree-3, 1 pond-1; 1,002 more");
        // A picture without a file has no name.
        assert_eq!(said(&[("", 1)], 1), "1 object");
        assert_eq!(said(&[("", 2), ("pond-1", 1)], 3), "1 pond-1; 2 more");
        assert_eq!(said(&[], 2), "2 objects");
    }

    #[test]
    fn late_loads_before_a_restart_are_said_apart_and_the_others_are_as_many_as_are_counted() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let counted = |session: &Session, skipped| {
            let world = session.world().expect("a world");
            let began = session.tick_count() - world.ticks();
            let marks = session.timeline().marks().list();
            let list = listed(marks, began, "", false, skipped);
            let sum = |marks: &[&Mark]| marks.iter().map(|mark| u64::from(mark.count)).sum::<u64>();
            let late = marks
                .iter()
                .filter(|mark| mark.kind == MarkKind::Late && mark.began == began)
                .collect::<Vec<_>>();
            assert_eq!(list.all, late.len());
            let is_past = |mark: &&&Mark| mark.tick <= session.tick_count();
            let past: Vec<_> = late.iter().filter(is_past).copied().collect();
            assert_eq!(sum(&past), world.streaming().statistics().late_loads);
            (
                list.all,
                list.shown.iter().map(|mark| mark.tick).collect::<Vec<_>>(),
                (list.before, list.behind),
                (list.before_restart, list.after_restart),
            )
        };
        ride(&mut session, 2400);
        let (all, latest, (newer, older), before) = counted(&session, 0);
        assert!(all > SHOWN, "{all} late loads");
        assert_eq!((newer, older + latest.len(), before), (0, all, (0, 0)));
        // Step by step to the oldest one: each is shown once.
        let mut seen = latest;
        while let (_, more, (_, 1..), _) = counted(&session, seen.len()) {
            seen.extend(more);
        }
        seen.extend(counted(&session, seen.len()).1);
        seen.dedup();
        assert_eq!(seen.len(), all);
        assert!(seen.is_sorted_by(|a, b| a > b));
        // Or those of the most objects first, and of as many the latest.
        let world = session.world().expect("a world");
        let began = session.tick_count() - world.ticks();
        let marks = session.timeline().marks().list();
        let mut by_count = Vec::new();
        loop {
            let list = listed(marks, began, "", true, by_count.len());
            by_count.extend(list.shown.iter().map(|mark| (mark.count, mark.tick)));
            if list.behind == 0 {
                break;
            }
        }
        assert!(by_count.is_sorted_by(|a, b| a > b), "{by_count:?}");
        assert!(by_count.len() == all && by_count[0].0 > 1);
        let restart = Action::Restart;
        session
            .apply(restart, false, &Cancel::default())
            .expect("a world");
        assert_eq!(counted(&session, 0), (0, Vec::new(), (0, 0), (all, 0)));
        ride(&mut session, 600);
        let (again, .., around) = counted(&session, 0);
        assert!(again > 0 && around == (all, 0));
        // Whoever goes back before the restart has the list of the world before it, and its seconds.
        session
            .seek(2399, &Cancel::default(), &mut ())
            .expect("the past");
        let (before, ticks, _, around) = counted(&session, 0);
        assert_eq!((before, around), (all, (0, again)));
        assert!(ticks.iter().all(|tick| *tick <= 2400));
        assert_eq!(beyond_restarts(0, 1_234), "and 1,234 after a later restart");
        assert_eq!(beyond_restarts(3, 0), "and 3 before the restart");
        let both = "and 3 before the restart, 2 after a later one";
        assert_eq!(beyond_restarts(3, 2), both);
    }
}
