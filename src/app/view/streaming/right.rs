//! The streaming's right panel: states, late loads, pop-ins, tests, the queue, and why an object is, or is not, loaded.

use super::before::{self, milliseconds};
use super::late::{has_controls, late_loads, set_rows_with_room};
use super::left::with_enough;
use super::shape::{self, Shape};
use super::states::states;
use crate::app::glossary;
use crate::app::history::Series;
use crate::app::late::{SHOWN, compared_one, reasons};
use crate::app::palette::Palette;
use crate::app::state::{App, RunMode};
use crate::app::stream::Stream;
use crate::app::theme::size;
use crate::app::view::contract::lower_part_up_to;
use crate::app::widgets::{
    CARD_TITLE, Emblem, bar, big_number, button, bytes, card_rows, card_title, first_section,
    is_collapsed, keep_in_sight, measures_together, place, section, section_in_short, section_with,
    sentence_to_click, stat, stat_to_click, stat_with_history, tell_button, with_commas,
};
use egui_macroquad::egui::{Color32, Context, Rect, RichText, Ui, pos2};
use skirmish::session::tick_at;
use skirmish::streaming::{
    Clock, EVENTS_TOLD, FrameTests, Index, ObjectPicture, Remedy, Settings, State, Statistics,
};
use skirmish::tick::STEP_SECONDS;

/// The caption of its lower part.
const WHY: &str = "why is it (not) loaded?";
/// What that needs below its caption, in points: the sentence that says how to ask; and the whole answer of an object that came late,
/// with what would have helped and a row of buttons that set it, which is the longest one.
const HINT: f32 = 28.0;
const ANSWER: f32 = 476.0;
/// A part of this height shows nearly all answers whole, with their caption, in points.
const MOST_ANSWERS: f32 = 400.0;
/// An answer takes this part of the panel at the most.
const PART: f32 = 0.62;
const LEAST_PART: f32 = 0.5;
const LOWEST_PART: f32 = 0.44;
/// The states, and the caption, the controls and the first rows of what came late, in points.
const ABOVE: f32 = 330.0;
/// The same with all rows of what came late, and the first figures of the pop-ins below them.
const ABOVE_FIGURES: f32 = 500.0;
/// The states, what came late where there is little of it, and the first figure of the pop-ins whole.
const ABOVE_FIRST: f32 = 350.0;
/// Of so many rows of what came late there is room above that, each so high, in points.
const FEW_ROWS: usize = 2;
const ROW: f32 = 20.0;
/// Beside more rows, and beside the first figure of the pop-ins below them, an answer that is scrolled anyway takes no less than this part.
const LEAST_BESIDE_ROWS: f32 = 0.36;
/// The field in which a name is sought, above the rows, in points.
const CONTROLS: f32 = 32.0;
/// The buttons that lead to other rows, below them, in points.
const PAGES: f32 = 28.0;
/// How many were late in both futures, above the rows, in points.
const COMPARED: f32 = 40.0;
/// The caption of the answer, and what stands below it.
const AROUND: f32 = 44.0;

/// The right panel: states, late loads, pop-ins, tests, the queue, and why.
pub fn show(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some(stream) = &mut app.stream else {
        return;
    };
    // The bar has all but the unloaded, of which there are mostly far more.
    let objects = stream.objects().len() as u64;
    let unloaded = stream.counts()[State::Unloaded as usize] as u64;
    let [in_bar, objects] = [objects - unloaded, objects].map(with_commas);
    let count = format!("{in_bar} of {objects} objects");
    // The key to the colours of the field is in sight as long as anything is: an answer below leaves room for little more.
    if first_section(ui, palette, ("states", "states"), &count) {
        states(ui, palette, &stream.counts());
    }
    // Before the figures of all of them, which fill a panel: a row is what one looks for, and an answer below it leaves room for both.
    late_loads(ui, app, palette);
    let Some(stream) = &mut app.stream else {
        return;
    };
    let frames = (!app.fixed).then_some(&app.frames.frame_ms);
    // Beside a list that names what is still to come it is said until when these figures count.
    let until = (app.place.tick < app.place.end).then_some(app.place.tick);
    pop_in(ui, palette, stream, (frames, app.place.world_made, until));
    before::show(ui, app, palette);
    let Some(stream) = &mut app.stream else {
        return;
    };
    tests(ui, palette, stream);
    queue(ui, palette, stream);
}

/// Since when the figures of the panel count, in a world that was made at the tick `made`.
fn since_when(since: f64, made: u64, clock: Clock) -> String {
    match (since, made) {
        (0.0, 0) => "since the start".to_owned(),
        // Also where the clock is not that of the restart, as a later one was taken back.
        (0.0, _) => "since the restart".to_owned(),
        (since, _) => format!("since {}", clock.since(since)),
    }
}

/// Over which time the figures of the panel count, in few words, and in the same and all the others: as [`since_when`] says, and by its ticks
/// where that is not all that is known, but ends at a tick. The clock of the world showed 0 at the tick beside that: where that is not the
/// one at which the world was made, a restart was taken back, whose ticks lie between and count in no figure here.
fn counted((since, made): (f64, u64), clock: Clock, until: Option<(u64, u64)>) -> [String; 2] {
    let begins = since_when(since, made, clock);
    let Some((tick, began)) = until else {
        return [begins.clone(), begins];
    };
    let first = match since {
        0.0 => made,
        since => tick_at(began, since),
    };
    let words = match began == made {
        true => before::ticks([first, tick]),
        false => format!("to tick {}", with_commas(tick)),
    };
    let whole = format!("{words}, {begins}");
    [words, whole]
}

/// What came late, and what it cost; `frames` says how long a frame takes, where a clock is shown, `made` when the world was made, and
/// `until` which tick is shown, where it is not the last one.
fn pop_in(
    ui: &mut Ui,
    palette: &Palette,
    stream: &mut Stream,
    (frames, made, until): (Option<&Series>, u64, Option<u64>),
) {
    let statistics = stream.statistics();
    let until = until.map(|tick| (tick, tick.saturating_sub(stream.ticks())));
    let [words, whole] = counted((statistics.since, made), stream.clock(), until);
    if !section_in_short(ui, palette, "pop-in", (&words, &whole)) {
        return;
    }
    let ([first, second], name) = late_in_words(statistics);
    let means = glossary::means("streaming", name);
    let late = with_commas(statistics.late_loads);
    big_number(ui, palette, &late, (first.as_str(), means), &second);
    for (name, share) in [("time to visible p50", 0.5), ("time to visible p99", 0.99)] {
        let (value, unit) = milliseconds(statistics.time_to_visible_ms.percentile(share));
        let name = glossary::of("streaming", name);
        stat(ui, palette, name, &value, unit);
    }
    let (loaded, loaded_unit) = bytes(statistics.loaded_bytes);
    let (wasted, wasted_unit) = bytes(statistics.wasted_bytes);
    let plain = |value: u64| (with_commas(value), "");
    let missing = u64::from(stream.missing_count());
    let none = Series::default();
    for (name, (value, unit), series) in [
        ("missing now", plain(missing), &stream.figures.missing),
        (
            "needed when asked for",
            plain(statistics.sudden_loads),
            &none,
        ),
        (
            "late so far",
            plain(statistics.late_loads),
            &stream.figures.late,
        ),
        (
            "cancelled",
            plain(statistics.cancelled),
            &stream.figures.cancelled,
        ),
        ("evicted", plain(statistics.evicted), &none),
        ("failed", plain(statistics.failed), &none),
        ("wasted", (wasted, wasted_unit), &stream.figures.wasted),
        ("read", (loaded, loaded_unit), &none),
    ] {
        let name = glossary::of("streaming", name);
        stat_with_history(ui, palette, name, &value, unit, &series.thinned(60));
    }
    if let Some(frame) = frames {
        let value = format!("{:.1}", frame.percentile(0.99, 600));
        stat_with_history(ui, palette, "frame p99", &value, "ms", &frame.thinned(60));
    }
    ui.add_space(4.0);
    if button(
        ui,
        palette,
        "stream.reset",
        "Count anew",
        "Start the figures of this panel anew. What was late while the world first loaded is left out then, as it is by skirmish stream.",
    ) {
        stream.count_anew();
    }
}

/// What the number of the late loads counts, in two lines, those of the start named apart, which `skirmish stream` leaves out; and the
/// name under which the glossary has it.
fn late_in_words(statistics: &Statistics) -> ([String; 2], &'static str) {
    let among = format!("among {} needed", with_commas(statistics.needed));
    let of_start = match statistics.late_at_start {
        0 => return (["late loads".to_owned(), among], "late loads"),
        1 if statistics.late_loads == 1 => "of the start".to_owned(),
        all if statistics.late_loads == all => "all of the start".to_owned(),
        some => format!("{} of the start", with_commas(some)),
    };
    // A disk that is always behind never ends the start.
    let second = match statistics.started {
        true => of_start,
        false => format!("{of_start}, which is loading"),
    };
    ([format!("late {among}"), second], "late at the start")
}

/// The rectangle tests of a tick: by brute force, to load and to unload; each by the name of what made them, and with how long its bar is
/// as a part of the longest.
fn test_rows(tests: FrameTests) -> [(&'static str, u64, f32); 3] {
    let [load, unload] = match tests.index {
        Index::TwoTrees | Index::WholeUnloadTree => ["tree A, load", "tree B, unload"],
        Index::Dual => ["tree, load", "tree, unload"],
        Index::BruteForce => ["no tree, load", "no tree, unload"],
    };
    // An unload tree over all objects may look at more boxes than there are objects.
    let most = tests.brute_force.max(tests.load).max(tests.unload).max(1);
    let part = |value: u64| (value as f32).ln_1p() / (most as f32).ln_1p();
    [
        ("brute force", tests.brute_force),
        (load, tests.load),
        (unload, tests.unload),
    ]
    .map(|(name, value)| (name, value, part(value)))
}

/// How many rectangles were looked at, and what the trees take.
fn tests(ui: &mut Ui, palette: &Palette, stream: &Stream) {
    // What was edited since is told of by the states, and these are of the tick that went before it.
    let note = match stream.is_as_decided() {
        true => ("log scale", "log scale"),
        false => ("before the edit", "log scale, before the edit"),
    };
    if !section_in_short(ui, palette, "rectangle tests this tick", note) {
        return;
    }
    let colors = [palette.text_third, palette.accent, palette.second];
    for ((name, value, part), color) in test_rows(stream.tests()).into_iter().zip(colors) {
        let name = glossary::of("streaming", name);
        bar(ui, palette, name, part, color, &with_commas(value));
    }
    let (trees, unit) = bytes(stream.tree_byte_count() as u64);
    let name = glossary::of("streaming", "memory of the trees");
    stat(ui, palette, name, &trees, unit);
    let (resident, unit) = bytes(stream.resident_bytes());
    let name = glossary::of("streaming", "resident assets");
    stat(ui, palette, name, &resident, unit);
    let reread = stream.reread();
    if reread.from_cache + reread.read_again > 0 {
        let (kept, unit) = bytes(reread.cache_bytes);
        let name = glossary::of("streaming", "kept for going back");
        stat(ui, palette, name, &kept, unit);
    }
    if reread.read_again > 0 {
        let files = match reread.read_again {
            1 => "One file was".to_owned(),
            count => format!("{} files were", with_commas(count)),
        };
        let words = format!("{files} read again from the disk for the past.");
        ui.label(
            RichText::new(words)
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
    }
}

/// Who is asked for next.
fn queue(ui: &mut Ui, palette: &Palette, stream: &mut Stream) {
    let length = with_commas(stream.queue_length() as u64);
    if !section(ui, palette, "queue by time to need", &length) {
        return;
    }
    let queue: Vec<_> = stream
        .queue()
        .iter()
        .take(6)
        .map(|entry| (entry.object, entry.time_to_need))
        .collect();
    for (object, time) in &queue {
        let time = if *time >= 1000.0 {
            "–".to_owned()
        } else {
            format!("{time:.1}")
        };
        let name = stream.called(*object);
        let means = glossary::means("streaming", "time to need");
        let response = stat_to_click(ui, palette, &name, (&time, "s"), |ui| {
            ui.label(means);
        });
        tell_button(&response, &format!("{name}: needed in {time} s"));
        keep_in_sight(ui, ("queued", *object), &response);
        if response.clicked() {
            stream.selection.set(Some(*object));
        }
    }
    let more = stream.queue_length().saturating_sub(queue.len());
    let words = match (queue.is_empty(), more) {
        (true, _) => "Nothing waits.".to_owned(),
        (false, 0) => String::new(),
        (false, more) => format!("and {} more", with_commas(more as u64)),
    };
    ui.label(
        RichText::new(words)
            .size(size::DESCRIPTION)
            .color(palette.text_third),
    );
}

/// How much of the panel, which is `whole` points high, the pinned part takes: little until somebody asks, and then what the answer
/// needs. The choice of an object is what changes it, and what is said of it only where that is longer than it was before.
pub fn pinned_height(context: &Context, app: &App, whole: f32) -> f32 {
    let is_asked = (app.stream.as_ref()).is_some_and(|stream| !stream.selection.is_empty());
    let needed = match (&app.stream, is_asked) {
        (Some(stream), true) => stream.answered.map_or(ANSWER, |(_, needed)| needed),
        _ => HINT,
    };
    let whole = whole.max(1.0);
    // Of a list that is folded nothing takes room but its caption.
    let is_folded = is_collapsed(context, "late loads");
    let compared = app.place.late_in_both.filter(|_| !is_folded);
    let more = compared.map_or(0.0, |_| COMPARED);
    let late = app.stream.as_ref().map(|stream| &stream.late_list);
    let beyond = late.map_or(0.0, |late| {
        let list = late.list();
        let has_controls = has_controls(context, late);
        let controls = if has_controls { CONTROLS } else { 0.0 };
        let others = usize::from(list.has_others);
        // Where the edge was not dragged rows give way to the first figure below them.
        let gives_way = app.settings.layout.inspector.is_none() && !is_collapsed(context, "pop-in");
        let lower = match is_asked && !is_collapsed(context, WHY) {
            true => whole * LEAST_BESIDE_ROWS,
            false => HINT + AROUND,
        };
        let taken = more + controls + ROW * others as f32;
        let with_room = match gives_way {
            true => rows_above_figure(whole - lower, taken, list.meant),
            false => SHOWN,
        };
        set_rows_with_room(context, with_room);
        if is_folded {
            return 0.0;
        }
        let rows = list.meant.min(with_room) + others;
        let is_paged = list.meant > with_room;
        let pages = if is_paged { PAGES } else { 0.0 };
        controls + pages + ROW * rows.saturating_sub(FEW_ROWS) as f32
    });
    let most = most_part(whole, needed, (more, beyond));
    lower_part_up_to(app, whole, &[(WHY, needed)], most)
}

/// How many rows of `all` have room above the first figure of the pop-ins in the upper part of the panel, where that may be so many
/// points high and so many of them are `taken` beside the rows. A few have it always.
fn rows_above_figure(upper: f32, taken: f32, all: usize) -> usize {
    let free = upper - ABOVE_FIRST - taken;
    let rows = |free: f32| FEW_ROWS + (free.max(0.0) / ROW) as usize;
    match rows(free) {
        enough if enough >= all.min(SHOWN) && all <= SHOWN => SHOWN,
        _ => rows(free - PAGES).min(SHOWN),
    }
}

/// Which part of a panel that is `whole` points high the answer takes at the most, where it has `needed` below its caption, so many `more`
/// points stand above the rows of what came late, and these take so much `beyond` a few.
fn most_part(whole: f32, needed: f32, (more, beyond): (f32, f32)) -> f32 {
    // Above it the states and what came late are in sight as long as there is room for both, and in a high panel the figures as well:
    // there the longest answer alone is what it takes.
    let mut part = (1.0 - (ABOVE + more) / whole).clamp(LEAST_PART, PART);
    // Where a long answer is scrolled anyway, the first figure above it is not cut; in a higher panel the answer gives way for that as long
    // as the figure is whole then.
    let below_first = 1.0 - (ABOVE_FIRST + more + beyond) / whole;
    let lowest = if beyond > 0.0 {
        LEAST_BESIDE_ROWS
    } else {
        LOWEST_PART
    };
    if part * whole < MOST_ANSWERS {
        part = below_first.max(lowest);
    } else if below_first >= lowest {
        part = part.min(below_first);
    }
    let part = part.min((ANSWER + AROUND).max(whole - ABOVE_FIGURES - more) / whole);
    // One to which more has happened is scrolled anyway: where the figures then stay whole above it, that is what gives way.
    let below_figures = 1.0 - (ABOVE_FIGURES + more) / whole;
    match needed + AROUND > part * whole + 1.0 && below_figures >= LOWEST_PART {
        true => part.min(below_figures),
        false => part,
    }
}

/// The head of the pinned part of the right panel: its caption, and who is selected.
pub fn show_head(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some(stream) = &mut app.stream else {
        return;
    };
    if caption(ui, stream, palette)
        && let Some((title, state, color)) = title(stream, palette)
    {
        card_title(ui, palette, &title, state, (Emblem::Frame, color));
    }
}

/// Who is selected, and in which state and colour one is of whom a story is told.
fn title(stream: &Stream, palette: &Palette) -> Option<(String, &'static str, Color32)> {
    if let count @ 2.. = stream.selection.len() {
        let title = format!("{} objects selected", with_commas(count as u64));
        return Some((title, "", palette.mark));
    }
    let object = stream.selection.one()?;
    let state = story_of(stream, object)?.state;
    let color = palette.states[state as usize];
    Some((stream.called(object), state.name(), color))
}

/// The session tells the story of a new choice with its next answer.
fn story_of(stream: &Stream, object: u32) -> Option<&ObjectPicture> {
    stream.selected().filter(|story| story.object == object)
}

/// The pinned part of the right panel below that: why the selected object is, or is not, loaded.
pub fn show_pinned(ui: &mut Ui, app: &mut App, palette: &Palette) {
    let Some(stream) = &mut app.stream else {
        return;
    };
    if is_collapsed(ui.ctx(), WHY) {
        return;
    }
    let selected = stream.selection.units();
    let place = (app.place.tick, app.place.world_made, stream.renumberings());
    let beside = match (selected, &app.place.late_of_one) {
        ([one], Some((of, both))) if one == of => compared_one(both),
        ([], _) | ([_], _) => None,
        _ => reasons(&app.place.marks, place, selected),
    };
    let top = ui.cursor().top();
    let chosen = why(ui, stream, palette, beside);
    // Below the answer, which is what somebody has asked for.
    let one = stream.selection.one();
    let shape = one.and_then(|one| {
        let shape = shape::controls(ui, palette, stream, (one, app.scene.field))?;
        Some(Chosen::Shape(one, shape))
    });
    let chosen = shape.or(chosen);
    let stands = app.mode == RunMode::Paused;
    let head = title(stream, palette).map_or(0.0, |_| CARD_TITLE);
    note_answer(stream, head + ui.min_rect().bottom() - top, stands);
    match chosen {
        Some(Chosen::Object(one)) => stream.selection.set(Some(one)),
        // So long ago by the world's clock, which an undo of a restart sets back.
        Some(Chosen::Moment(at, is_decided)) => {
            let ago = (stream.now() - at) / STEP_SECONDS;
            let tick = app.place.tick.saturating_sub(ago.round().max(0.0) as u64);
            // What is stepped through is what the next tick decides.
            app.seek(tick.saturating_sub(u64::from(is_decided)));
            if let Some(stream) = app.stream.as_mut().filter(|_| is_decided) {
                stream.before_decision = Some(tick.saturating_sub(1));
            }
        }
        Some(Chosen::Shape(one, (at, half_extent))) => app.shape_object(one, at, half_extent),
        Some(Chosen::Enough(settings)) => stream.set_settings(&settings),
        None => {}
    }
}

/// The caption, which says whether somebody is selected and stays so wherever the cursor is, in the words of the other inspectors. Whether
/// what belongs to it is to be shown.
fn caption(ui: &mut Ui, stream: &mut Stream, palette: &Palette) -> bool {
    if stream.selection.is_empty() {
        return section(ui, palette, WHY, "click pins it");
    }
    let help =
        "What is selected stays here wherever the cursor is. Click, or press Escape, to let it go.";
    let word = ("why.let_go", "pinned, let go", help);
    let (is_open, is_over) = section_with(ui, palette, (WHY, WHY), word);
    if is_over {
        stream.selection.clear();
    }
    is_open
}

/// Takes down how much room the answer takes: while time goes on what is said of the same object may become shorter without anything
/// moving; where it `stands` what is said stays, and the room that is left is given back.
fn note_answer(stream: &mut Stream, height: f32, stands: bool) {
    /// Between the answer and the foot of the panel, in points.
    const BELOW: f32 = 14.0;
    // Before the answer comes there is nothing to measure.
    let is_there = stream.selection.len() > 1 || stream.selected().is_some();
    let first = stream.selection.units().first().copied();
    let Some(first) = first.filter(|_| is_there) else {
        return;
    };
    let asked = (first, stream.selection.len());
    let needed = height + BELOW;
    stream.answered = match stream.answered {
        Some((of, before)) if of == asked && !stands => Some((of, before.max(needed))),
        _ => Some((asked, needed)),
    };
}

/// What somebody clicked on where it is said why an object is, or is not, loaded.
enum Chosen {
    /// One of several objects.
    Object(u32),
    /// What happened to one, by its moment in seconds of the world's clock; and whether the trees decided that.
    Moment(f64, bool),
    /// A place and a size that one is to have.
    Shape(u32, Shape),
    /// The settings with one value that is said to be enough.
    Enough(Box<Settings>),
}

/// A button for each value that the sentence at this place among those of a story says is enough, where it can be set; gives the settings with
/// the one that is pressed.
fn enough(
    ui: &mut Ui,
    palette: &Palette,
    settings: &Settings,
    (story, place): (&ObjectPicture, usize),
) -> Option<Settings> {
    let said = story.enough.iter().filter(|(of, _)| *of == place);
    let mut can_be_set = said
        .filter_map(|(_, remedy)| Some((*remedy, with_enough(*remedy, settings)?)))
        .peekable();
    can_be_set.peek()?;
    let row = ui.horizontal_wrapped(|ui| {
        let mut chosen = None;
        for (remedy, new) in can_be_set {
            let id = match remedy {
                Remedy::Cap(_) => "why.enough.cap",
                Remedy::Lead(_) => "why.enough.lead",
                Remedy::Margin(_) => "why.enough.margin",
                Remedy::Disk(_) => "why.enough.disk",
            };
            let help = "Set that from the tick that is shown on: one edit, which undo takes back. Whether it helps is seen by going back to before it was asked for, and setting it there.";
            if button(ui, palette, id, &remedy.words(), help) {
                chosen = Some(new);
            }
        }
        chosen
    });
    row.inner
}

/// Those that are selected together: how many bytes they are said to take, how many of them are there, and the first of them by name;
/// gives the one that is clicked, whose story is told then. `reasons` says for what they waited.
fn many(ui: &mut Ui, stream: &Stream, palette: &Palette, reasons: Option<String>) -> Option<u32> {
    /// Among more nobody looks for one.
    const NAMED: usize = 12;
    let known = stream.selection.units().iter();
    let known = known.filter_map(|object| {
        let metadata = stream.objects().get(*object as usize)?;
        let state = stream.states().get(*object as usize)?;
        Some((metadata.bytes, *state))
    });
    let (mut sum, mut states) = (0_u64, [0_u64; State::ALL.len()]);
    for (bytes, state) in known {
        sum = sum.saturating_add(bytes);
        states[state as usize] += 1;
    }
    let mut chosen = None;
    card_rows(ui, palette, |ui| {
        let (sum, unit) = bytes(sum);
        let name = glossary::of("streaming", "bytes of all");
        stat(ui, palette, name, &sum, unit);
        if let Some(reasons) = reasons {
            let words = RichText::new(reasons).size(size::DESCRIPTION);
            ui.label(words.color(palette.text_second));
        }
        let present = State::ALL.iter().zip(states);
        for (state, count) in present.filter(|(_, count)| *count > 0) {
            stat(ui, palette, state.name(), &with_commas(count), "");
        }
        ui.add_space(4.0);
        for object in stream.selection.units().iter().take(NAMED) {
            let Some(state) = stream.states().get(*object as usize) else {
                continue;
            };
            let name = stream.called(*object);
            let response = stat_to_click(ui, palette, &name, (state.name(), ""), |ui| {
                ui.label("A click selects this one alone, and says why it is, or is not, loaded.");
            });
            place(ui.ctx(), &format!("why.of.{object}"), response.rect);
            tell_button(&response, &format!("{name}: {}", state.name()));
            keep_in_sight(ui, ("selected", *object), &response);
            if response.clicked() {
                chosen = Some(*object);
            }
        }
        if let more @ 1.. = stream.selection.len().saturating_sub(NAMED) {
            let words = format!("and {} more", with_commas(more as u64));
            let words = RichText::new(words).size(size::DESCRIPTION);
            ui.label(words.color(palette.text_third));
        }
    });
    chosen
}

/// Why one object is, or is not, loaded, or what several are. `beside` is what is told of them beside that: of one whether it was late in
/// this future and in the other one, of several for what they waited.
fn why(ui: &mut Ui, stream: &Stream, palette: &Palette, beside: Option<String>) -> Option<Chosen> {
    if stream.selection.len() > 1 {
        return many(ui, stream, palette, beside).map(Chosen::Object);
    }
    let Some(object) = stream.selection.one() else {
        ui.label(
            RichText::new("Click an object on the field; a drag draws a box around objects.")
                .size(size::DESCRIPTION)
                .color(palette.text_third),
        );
        return None;
    };
    let story = story_of(stream, object)?;
    let top = ui.cursor().min;
    let mut chosen = None;
    // The last sentences are what happened to it, the latest first.
    let told = story.history.len().min(EVENTS_TOLD);
    let (of_now, of_events) = story.why.split_at(story.why.len().saturating_sub(told));
    card_rows(ui, palette, |ui| {
        let file = stream
            .asset(story.metadata.asset)
            .and_then(|path| path.file_name())
            .map(|name| name.to_string_lossy().into_owned());
        // Whether or not it is there: what comes too late may be too large. Of a file that is missing nobody knows it.
        let known = Some(story.metadata.bytes).filter(|count| *count > 0);
        let on_disk = known.map(|count| {
            let (count, unit) = bytes(count);
            format!("{count} {unit}")
        });
        let (file, on_disk) = (file.unwrap_or_default(), on_disk.unwrap_or_default());
        stat(ui, palette, "asset", &file, &on_disk);
        for (number, sentence) in of_now.iter().chain(&beside).enumerate() {
            let needed = story.needed.filter(|(place, _)| *place == number);
            if let Some((_, at)) = needed {
                let help = "A click goes to the tick in which it was needed.";
                let response = sentence_to_click(ui, palette, sentence, help);
                place(ui.ctx(), "why.needed", response.rect);
                if response.clicked() {
                    chosen = Some(Chosen::Moment(at, false));
                }
            } else {
                let words = RichText::new(measures_together(sentence)).size(size::DESCRIPTION);
                ui.label(words.color(palette.text_second));
            }
            if let Some(new) = enough(ui, palette, stream.settings(), (story, number)) {
                chosen = Some(Chosen::Enough(Box::new(new)));
            }
            ui.add_space(3.0);
        }
        let events = story.history.iter().rev();
        for (number, (sentence, event)) in of_events.iter().zip(events).enumerate() {
            let is_decided = event.reason.is_of_trees();
            let help = match is_decided {
                true => {
                    "A click goes to the tick before that: F7 steps from there through the decision that brought it about."
                }
                false => "A click goes to that tick.",
            };
            let response = sentence_to_click(ui, palette, sentence, help);
            place(ui.ctx(), &format!("why.event.{number}"), response.rect);
            if response.clicked() {
                chosen = Some(Chosen::Moment(event.at, is_decided));
            }
            ui.add_space(3.0);
        }
        if let more @ 1.. = story.history.len() - told {
            let words = RichText::new(earlier(more)).size(size::DESCRIPTION);
            ui.label(words.color(palette.text_third));
        }
    });
    let whole = Rect::from_min_max(top, pos2(ui.max_rect().right(), ui.min_rect().bottom()));
    place(ui.ctx(), "why.answer", whole);
    chosen
}

/// How many more events there were before those that are told.
fn earlier(count: usize) -> String {
    match count {
        1 => "and 1 earlier one".to_owned(),
        count => format!("and {} earlier ones", with_commas(count as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skirmish::probe::Cancel;
    use skirmish::session::{Action, Session};

    #[test]
    fn tests_are_named_by_what_made_them_and_the_longest_bar_is_the_most() {
        for index in Index::ALL {
            let tests = FrameTests {
                index,
                load: 17,
                unload: 8_511,
                brute_force: 4_276,
                ..FrameTests::default()
            };
            let [brute, load, unload] = test_rows(tests);
            assert_eq!((load.1, unload.1, unload.2), (17, 8_511, 1.0));
            assert!(load.2 < brute.2 && brute.2 < 1.0, "{index:?}");
            for (name, ..) in [brute, load, unload] {
                assert!(!glossary::means("streaming", name).is_empty(), "{name}");
                let names_a_tree = name.contains("tree ");
                let has_two = matches!(index, Index::TwoTrees | Index::WholeUnloadTree);
                assert_eq!(names_a_tree, has_two && name != "brute force", "{name}");
            }
        }
        let nothing = test_rows(FrameTests::default());
        assert!(nothing.iter().all(|(.., part)| *part == 0.0));
    }

    #[test]
    fn an_answer_that_is_scrolled_anyway_leaves_the_figures_above_it_whole_where_both_have_room() {
        let above = |whole: f32, needed| whole * (1.0 - most_part(whole, needed, (0.0, 0.0)));
        // A window of 1,920 by 1,080 points: the longest answer that is not of more events has its room, and a longer one none beyond.
        let whole = 923.0;
        assert!((above(whole, ANSWER) - (whole - ANSWER - AROUND)).abs() < 0.5);
        assert!(above(whole, 600.0) >= ABOVE_FIGURES - 0.5);
        // In a higher one nothing gives way, and in a lower one the figures have no room beside it.
        for whole in [740.0, 1_100.0] {
            assert!((above(whole, 600.0) - above(whole, ANSWER)).abs() < 0.5);
        }
        // What is said of the other future takes no room from the rows below it.
        for whole in [740.0, 923.0] {
            let beside = whole * (1.0 - most_part(whole, ANSWER, (COMPARED, 0.0)));
            assert!(beside >= ABOVE + COMPARED - 0.5);
        }
        // In a window of 800 points three rows leave the first figure below them whole, and of many the answer keeps its part.
        let whole = 643.0;
        let above =
            |whole: f32, beyond: f32| whole * (1.0 - most_part(whole, ANSWER, (0.0, beyond)));
        assert!(above(whole, ROW) >= ABOVE_FIRST + ROW - 0.5);
        assert!(above(whole, 4.0 * ROW) <= whole * (1.0 - LEAST_BESIDE_ROWS) + 0.5);
        // In one of 900 points three rows do as well, also below the field in which a name is sought; six of them leave the answer what it
        // has.
        let whole = 743.0;
        for beyond in [0.0, ROW, CONTROLS, CONTROLS + ROW] {
            assert!(
                above(whole, beyond) >= ABOVE_FIRST + beyond - 0.5,
                "{beyond}"
            );
        }
        assert!(above(whole, CONTROLS + 5.0 * ROW) <= ABOVE + 0.5);
    }

    #[test]
    fn rows_give_way_to_the_first_figure_below_them_and_a_few_stay() {
        // Windows of 800, 900 and 1,080 points, and the field in which a name is sought.
        for (whole, all, rows) in [
            (643.0, 30, FEW_ROWS),
            (743.0, 30, 5),
            (923.0, 30, SHOWN),
            (743.0, 4, SHOWN),
            (300.0, 30, FEW_ROWS),
        ] {
            let upper = whole * (1.0 - LEAST_BESIDE_ROWS);
            let shown = rows_above_figure(upper, CONTROLS, all);
            assert_eq!(shown, rows, "{whole}, {all}");
            let pages = if all > shown { PAGES } else { 0.0 };
            let extra = ROW * shown.min(all).saturating_sub(FEW_ROWS) as f32;
            let beyond = CONTROLS + pages + extra;
            let above = whole * (1.0 - most_part(whole, ANSWER, (0.0, beyond)));
            // In a low window not even a few have it.
            let is_low = whole < 600.0;
            assert!(is_low || above >= ABOVE_FIRST + beyond - 0.5, "{whole}");
        }
    }

    #[test]
    fn one_event_more_is_no_ones() {
        assert_eq!(earlier(1), "and 1 earlier one");
        assert_eq!(earlier(1_200), "and 1,200 earlier ones");
    }

    #[test]
    fn a_restart_that_is_taken_back_leaves_figures_since_the_one_before_it() {
        let said = |made, began| since_when(0.0, made, Clock::of(made, began));
        assert_eq!(said(0, 0), "since the start");
        assert_eq!(said(43, 43), "since the restart");
        // Taken back at a later tick: the world of the start, and that of the first of two restarts.
        assert_eq!(said(0, 60), "since the start");
        assert_eq!(said(43, 60), "since the restart");
        assert_eq!(since_when(0.5, 0, Clock::Start), "since 0.50 s");
    }

    #[test]
    fn figures_that_end_before_the_last_tick_say_of_which_ticks_they_are() {
        let said = |since, made, began, until: Option<u64>| {
            let until = until.map(|tick| (tick, began));
            counted((since, made), Clock::of(made, began), until)
        };
        let both = |words: &str, whole: &str| [words, whole].map(str::to_owned);
        let start = "since the start";
        assert_eq!(said(0.0, 0, 0, None), both(start, start));
        // One wording: what stands under the cursor begins as the head does.
        let words = "ticks 0 to 1,300";
        let whole = format!("{words}, {start}");
        assert_eq!(said(0.0, 0, 0, Some(1_300)), both(words, &whole));
        // Those who are counted anew a second after a restart.
        let since = "since 1.00 s after the restart";
        assert_eq!(said(1.0, 600, 600, None), both(since, since));
        let words = "ticks 660 to 1,300";
        let whole = format!("{words}, {since}");
        assert_eq!(said(1.0, 600, 600, Some(1_300)), both(words, &whole));
        // Between its ticks lie those of a restart that was taken back.
        let whole = format!("to tick 1,300, {start}");
        assert_eq!(said(0.0, 0, 60, Some(1_300)), both("to tick 1,300", &whole));
    }

    #[test]
    fn whether_the_start_is_loading_is_said_only_beside_what_was_late_of_it() {
        let words = |late_loads: u64, late_at_start: u64, started: bool| {
            let ([_, second], _) = late_in_words(&Statistics {
                late_loads,
                late_at_start,
                started,
                ..Statistics::default()
            });
            second
        };
        assert_eq!(words(0, 0, false), "among 0 needed");
        assert_eq!(words(9, 0, false), "among 0 needed");
        assert_eq!(words(1, 1, true), "of the start");
        assert_eq!(words(8, 8, false), "all of the start, which is loading");
        assert_eq!(words(1_100, 1_043, true), "1,043 of the start");
    }

    #[test]
    fn the_late_loads_of_the_start_are_said_apart() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/open-world.ron");
        let scene = skirmish::scene::file::read(&path).expect("a scene");
        let (mut session, _) = Session::new(scene, path.parent().expect("a folder"));
        let cancel = Cancel::default();
        for action in [Action::Speed(150.0), Action::Follow("ride".to_owned())] {
            session.apply(action, false, &cancel).expect("a world");
        }
        let go_on = |session: &mut Session, ticks: u64| {
            for _ in 0..ticks {
                session.tick(&cancel, &mut ()).expect("a tick");
            }
            let world = session.world().expect("a world");
            let sums = world.streaming().statistics();
            let late = [sums.late_loads, sums.late_at_start];
            let ([first, second], _) = late_in_words(sums);
            let needed = format!("among {} needed", with_commas(sums.needed));
            let words = format!("{first} / {second}").replace(&needed, "among them");
            (late, sums.started, words)
        };
        // The character rides off at once, and so needs what nobody could have loaded yet.
        let (late, started, words) = go_on(&mut session, 120);
        let of_start = late[1];
        assert!(of_start > 0 && late[0] >= of_start && started, "{late:?}");
        assert!(words.ends_with(" of the start"), "{words}");
        // A slow disk is late on the way as well.
        for (key, value) in [("latency_ms", "5000"), ("predict_seconds", "0")] {
            let slower = Action::Tune(key.to_owned(), value.to_owned());
            session.apply(slower, false, &cancel).expect("a setting");
        }
        let (late, _, words) = go_on(&mut session, 400);
        assert!(late[0] > of_start && late[1] == of_start, "{late:?}");
        assert_eq!(words, format!("late among them / {of_start} of the start"));
        // Whoever counts anew leaves the start out, as skirmish stream does, and it does not begin again.
        let anew = Action::CountAnew;
        session.apply(anew, false, &cancel).expect("a world");
        let (late, started, words) = go_on(&mut session, 300);
        assert!(late[0] > 0 && late[1] == 0 && started, "{late:?}");
        assert_eq!(words, "late loads / among them");
    }
}
