//! The value of a slider, which can be typed.
//!
//! A click on the value, or beside it on its line, opens a field; Return takes what was typed and gives the keys back to the window. Who walks
//! from control to control by Tab has the value still, and types it anew by digits; who begins to walk then goes on from there.

use super::focus::{name_it, tell, walks};
use super::notes::note;
use super::places::place;
use super::reading::off_what_is_read;
use super::track::{Slider, Track};
use super::value::{DIFFER, name_width, unit_of, value_at_right};
use super::values::{Wanted, know, take_wanted};
use super::words::with_commas;
use crate::app::palette::Palette;
use crate::app::theme::{number, size};
use egui_macroquad::egui::text::{CCursor, CCursorRange};
use egui_macroquad::egui::text_edit::TextEditState;
use egui_macroquad::egui::{
    Align, Context, CornerRadius, Event, Id, Key, Margin, Modifiers, PointerButton, Rect, Sense,
    Stroke, StrokeKind, TextEdit, Ui, UiBuilder, WidgetType, pos2, vec2,
};

/// What is known of who has the digits, under this name.
fn owner_id() -> Id {
    Id::new("value that has the digits")
}

/// Whether a value of a slider has the keyboard: it is being typed, or somebody has walked to it.
pub fn value_has_keys(ctx: &Context) -> bool {
    let owner: Option<Id> = ctx.data(|data| data.get_temp(owner_id()));
    owner.is_some_and(|owner| ctx.memory(|memory| memory.has_focus(owner)))
}

/// Whether such a value stands and is not being typed yet: the first key of a number opens its field.
pub fn value_awaits_keys(ctx: &Context) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    let is_field = |id| TextEdit::load_state(ctx, id).is_some();
    value_has_keys(ctx) && focused.is_some_and(|id| !is_field(id))
}

/// Whether a number that is typed may begin so. A point alone is a key of its own: it steps.
pub fn begins_number(character: char) -> bool {
    character.is_ascii_digit() || character == '-'
}

/// Whether the field of this value is open at present.
pub fn is_being_typed(ui: &Ui, what: &Slider<'_>) -> bool {
    let id = ui.id().with((what.id, "typed"));
    ui.data(|data| data.get_temp::<String>(id).is_some())
}

/// Whoever begins to walk goes on from the value that was typed last, unless something has the keyboard, or that value is seen no longer.
pub fn walk_on_from_value(ctx: &Context) {
    let owner: Option<Id> = ctx.data(|data| data.get_temp(owner_id()));
    // What is not there would take the key and lead nowhere.
    let owner = owner.filter(|owner| ctx.read_response(*owner).is_some());
    if let Some(owner) = owner {
        ctx.memory_mut(|memory| {
            if memory.focused().is_none() {
                memory.request_focus(owner);
            }
        });
    }
}

/// Whoever clicks elsewhere walks on from there.
pub fn forget_value(ctx: &Context) {
    ctx.data_mut(|data| data.remove::<Id>(owner_id()));
}

/// By what the value of a slider is known while somebody has walked to it.
pub(super) fn typed_id(ui: &Ui, what: &Slider<'_>) -> Id {
    ui.id().with((what.id, "typed")).with("click")
}

/// A second click on a value up to so many seconds after the first is for the whole of it.
const SLOW_CLICK: f64 = 1.5;

/// When a click has opened a field, and with which text, under this name.
fn opened_id(id: Id) -> Id {
    id.with("opened")
}

/// Gives a value the keyboard.
fn take_keys(ctx: &Context, id: Id) {
    ctx.data_mut(|data| data.insert_temp(owner_id(), id));
    ctx.memory_mut(|memory| memory.request_focus(id));
}

/// Whether a number is written with this character.
fn is_numeral(character: char) -> bool {
    character.is_ascii_digit() || matches!(character, '.' | ',' | '-')
}

/// The value of a slider at the right end of its `line`. Returns what was typed.
pub fn typed_value(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    line: Rect,
) -> Option<f64> {
    typed_value_behind(ui, palette, what, shown, (line, what.name))
}

/// The same on a line on which other words stand at the left end than its name.
pub fn typed_value_behind(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    (line, before): (Rect, &str),
) -> Option<f64> {
    let id = ui.id().with((what.id, "typed"));
    know(ui.ctx(), [what.id, what.name, what.help], Some(what.unit));
    let wanted = take_wanted(ui.ctx(), what.id);
    if wanted.is_some() {
        ui.scroll_to_rect(line, None);
    }
    match wanted {
        Some(Wanted::Keys) => open(ui.ctx(), id, written(shown), 0),
        Some(Wanted::Number(typed)) => {
            stands(ui, palette, what, shown, (id, line, before));
            return number_taken(ui.ctx(), what, &typed, shown);
        }
        None => {}
    }
    let typing: Option<String> = ui.data(|data| data.get_temp(id));
    let Some(typed) = typing else {
        stands(ui, palette, what, shown, (id, line, before));
        return None;
    };
    let typed = field(ui, id, (line, before), (what.name, typed))?;
    number_taken(ui.ctx(), what, &typed, shown)
}

/// The value that was meant by what was typed; where that is not what it says, a note says so.
pub fn number_taken(ctx: &Context, what: &Slider<'_>, typed: &str, shown: f64) -> Option<f64> {
    let (value, sentence) = match meant(what, typed, shown) {
        Ok((value, sentence)) => (value, sentence),
        Err(sentence) => (None, Some(sentence)),
    };
    if let Some(sentence) = sentence {
        note(ctx, sentence);
    }
    value
}

/// Draws the value while nobody types it, and opens the field where somebody begins to.
fn stands(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    (id, line, before): (Id, Rect, &str),
) {
    let right_center = pos2(line.right(), line.top() + 10.0);
    let words = in_words(shown, what.track);
    // What the words before it leave free, and where these are long still the greater part.
    let free = line.width() - name_width(ui, before) - 6.0;
    let place_of_value = (right_center, free.max(line.width() * 0.6));
    let (width, _) = value_at_right(ui, palette, place_of_value, &words, what.unit, palette.text);
    let area = Rect::from_min_max(
        right_center - vec2(width + 6.0, 9.0),
        right_center + vec2(2.0, 9.0),
    );
    place(ui.ctx(), &format!("{}.value", what.id), area);
    opens(ui, palette, what, shown, (id, line.union(area), area));
}

/// A figure that stands by itself, such as no line of a panel has, and is typed like the values of sliders: it is drawn by others, in
/// `area`, unless it is being typed. Whether it is, and what was typed.
pub fn typed_figure(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    area: Rect,
) -> (bool, Option<f64>) {
    /// The least room for a field, in points.
    const FIELD: f32 = 80.0;
    let id = ui.id().with((what.id, "typed"));
    if take_wanted(ui.ctx(), what.id).is_some() {
        open(ui.ctx(), id, written(shown), 0);
    }
    place(ui.ctx(), &format!("{}.value", what.id), area);
    let typing: Option<String> = ui.data(|data| data.get_temp(id));
    let Some(typed) = typing else {
        opens(ui, palette, what, shown, (id, area, area));
        return (false, None);
    };
    let middle = area.center().y;
    let line = Rect::from_x_y_ranges(
        area.left()..=area.right().max(area.left() + FIELD),
        middle - 10.0..=middle + 10.0,
    );
    let typed = field(ui, id, (line, what.name), (what.name, typed));
    let typed = typed.and_then(|typed| number_taken(ui.ctx(), what, &typed, shown));
    (true, typed)
}

/// Opens the field of a value where it is clicked, or typed on, within `sensed`.
fn opens(
    ui: &mut Ui,
    palette: &Palette,
    what: &Slider<'_>,
    shown: f64,
    (id, sensed, area): (Id, Rect, Rect),
) {
    let words = in_words(shown, what.track);
    let kept = id.with("click");
    let response = ui.interact(sensed, kept, Sense::click());
    let told = format!("{}: {words} {}", what.name, unit_of(&words, what.unit));
    tell(&response, WidgetType::Button, true, told.trim_end());
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(owner_id(), kept));
        ui.painter().rect_stroke(
            area.expand(1.0),
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
        let (numerals, again) = ui.input_mut(|input| {
            let texts = input.events.iter().filter_map(|event| match event {
                Event::Text(text) => Some(text.chars().filter(|c| is_numeral(*c))),
                _ => None,
            });
            let numerals: String = texts.flatten().collect();
            // All of what stands in a field that opens is selected.
            let is_all = input.consume_key(Modifiers::COMMAND, Key::A);
            (numerals, input.key_pressed(Key::Enter) || is_all)
        });
        if numerals.starts_with(begins_number) {
            let end = numerals.chars().count();
            open(ui.ctx(), id, numerals, end);
        } else if again {
            open(ui.ctx(), id, written(shown), 0);
        }
    }
    // Space is a click to egui, and the window's own key, unless somebody has walked here by Tab.
    let is_space = ui.input(|input| input.key_pressed(Key::Space)) && !walks(ui.ctx());
    if response.clicked_by(PointerButton::Primary) || (response.clicked() && !is_space) {
        open(ui.ctx(), id, written(shown), 0);
        let now = ui.input(|input| input.time);
        ui.data_mut(|data| data.insert_temp(opened_id(id), (now, written(shown))));
    }
    off_what_is_read(response).on_hover_text(format!("{} Click to type a value.", what.help));
}

/// What stands in the field at first: four figures, or all of a whole number, and nothing where values differ. Left as it is, it changes
/// nothing.
fn written(shown: f64) -> String {
    if shown.is_nan() {
        return String::new();
    }
    if shown.fract() == 0.0 {
        return format!("{shown}");
    }
    let before_point = shown.abs().log10().floor() as i32;
    let places = (3 - before_point).clamp(0, 9) as usize;
    let text = format!("{shown:.places$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    text.to_owned()
}

/// Opens the field with this text, of which everything after `from` is selected.
fn open(ctx: &Context, id: Id, text: String, from: usize) {
    let mut state = TextEditState::default();
    let end = CCursor::new(text.chars().count());
    let range = CCursorRange::two(CCursor::new(from), end);
    state.cursor.set_char_range(Some(range));
    state.store(ctx, id.with("edit"));
    ctx.data_mut(|data| data.insert_temp(id, text));
    take_keys(ctx, id.with("edit"));
}

/// The field, and what stands in it once it was left; nothing where it was given up.
fn field(
    ui: &mut Ui,
    id: Id,
    (line, before): (Rect, &str),
    (name, mut typed): (&str, String),
) -> Option<String> {
    let right_center = pos2(line.right(), line.top() + 10.0);
    // The words before it stay in sight, unless next to nothing were left.
    let width = (line.width() - name_width(ui, before) - 8.0).clamp(56.0, 96.0);
    let area = Rect::from_min_max(
        right_center - vec2(width, 10.0),
        right_center + vec2(0.0, 10.0),
    );
    let edit = TextEdit::singleline(&mut typed)
        .id(id.with("edit"))
        .font(number(size::LABEL))
        .margin(Margin::symmetric(4, 1))
        .horizontal_align(Align::RIGHT);
    // A child of its own, so that the field does not move what comes below the slider.
    let response = ui
        .new_child(UiBuilder::new().max_rect(area))
        .add_sized(area.size(), edit);
    name_it(&response, name);
    // A number is one word to whoever clicks twice, its point a part of it: the first click has opened the field. Who clicks slowly has
    // clicked twice as well, as long as nothing has been typed.
    let is_second = response.clicked() && {
        let opened: Option<(f64, String)> = ui.data_mut(|data| data.remove_temp(opened_id(id)));
        let now = ui.input(|input| input.time);
        opened.is_some_and(|(at, text)| now - at < SLOW_CLICK && text == typed)
    };
    if (response.double_clicked() || is_second)
        && let Some(mut state) = TextEditState::load(ui.ctx(), id.with("edit"))
    {
        let end = CCursor::new(typed.chars().count());
        let range = CCursorRange::two(CCursor::new(0), end);
        state.cursor.set_char_range(Some(range));
        state.store(ui.ctx(), id.with("edit"));
    }
    let ended = response.lost_focus();
    if !ended {
        if !response.has_focus() {
            response.request_focus();
        }
        ui.data_mut(|data| data.insert_temp(id, typed));
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<String>(id));
    let (given_up, taken) = ui.input(|input| {
        (
            input.key_pressed(Key::Escape),
            input.key_pressed(Key::Enter),
        )
    });
    // The field is gone, and the value stands in its place: from there one walks on, unless one has clicked elsewhere.
    let owner: Option<Id> = ui.data(|data| data.get_temp(owner_id()));
    let is_owner = owner == Some(id.with("edit"));
    if taken && walks(ui.ctx()) {
        take_keys(ui.ctx(), id.with("click"));
    } else if is_owner && (taken || given_up || walks(ui.ctx())) {
        ui.data_mut(|data| data.insert_temp(owner_id(), id.with("click")));
    } else if is_owner {
        forget_value(ui.ctx());
    }
    (!given_up).then_some(typed)
}

/// What was meant by what was typed, with a sentence where that is not what it says; `shown` is what stands now.
fn meant(
    what: &Slider<'_>,
    typed: &str,
    shown: f64,
) -> Result<(Option<f64>, Option<String>), String> {
    let Track {
        min, max, whole, ..
    } = what.track;
    let text = typed.trim();
    // Who types nothing, or leaves what stands there, wants to change nothing: it may well lie beyond the track.
    if text.is_empty() || text == written(shown) || text == format!("{shown}") {
        return Ok((None, None));
    }
    let Some(number) = number_in(text, what.unit).filter(|number| !number.is_nan()) else {
        let (stays, name) = match shown.is_nan() {
            true => ("as it is".to_owned(), what.name),
            false => (exactly(shown), what.name),
        };
        let is_of_another = number_of(split_unit(text).0).is_some() && !what.unit.is_empty();
        let why = match is_of_another {
            true => format!("is not in {}", what.unit),
            false => "is no number".to_owned(),
        };
        return Err(format!("'{text}' {why}; {name} stays {stays}."));
    };
    let rounded = if whole { number.round() } else { number };
    let value = rounded.clamp(min, max);
    let sentence = if value != rounded {
        let unit = if what.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", what.unit)
        };
        Some(format!(
            "The limits of '{}' are {} and {}{unit}: {text} became {}.",
            what.name,
            exactly(min),
            exactly(max),
            exactly(value)
        ))
    } else if rounded != number {
        Some(format!(
            "'{}' is a whole number: {text} became {}.",
            what.name,
            exactly(value)
        ))
    } else {
        None
    };
    Ok((Some(value), sentence))
}

/// Units in which the same may be typed, each with how many of the first of its row it is.
const UNITS: [&[(&str, f64)]; 5] = [
    &[("B", 1.0), ("kB", 1.0e3), ("MB", 1.0e6), ("GB", 1.0e9)],
    &[
        ("B/s", 1.0),
        ("kB/s", 1.0e3),
        ("MB/s", 1.0e6),
        ("GB/s", 1.0e9),
    ],
    &[("m", 1.0), ("km", 1.0e3)],
    &[("ms", 1.0), ("s", 1.0e3)],
    &[("m/s", 1.0), ("km/s", 1.0e3)],
];

/// The unit that is meant by what was typed for a value of this unit, where it is another one of its kind.
pub fn kindred(typed: &str, unit: &str) -> Option<&'static str> {
    let is = |name: &str, other: &str| name.eq_ignore_ascii_case(other);
    let mut rows = UNITS.into_iter();
    let row = rows.find(|row| row.iter().any(|(name, _)| is(name, unit)))?;
    let mut names = row.iter().map(|(name, _)| *name);
    names.find(|name| is(name, typed) && !is(name, unit))
}

/// A number, of which thousands may be set apart.
fn number_of(text: &str) -> Option<f64> {
    text.replace([',', ' '], "").parse().ok()
}

/// What was typed, in front of its unit and that.
fn split_unit(text: &str) -> (&str, &str) {
    let is_of_unit = |letter: char| letter.is_alphabetic() || matches!(letter, '/' | '\u{d7}');
    text.split_at(text.trim_end_matches(is_of_unit).len())
}

/// The number that was typed for a value of this unit: alone, or with that unit or one of its kind behind it.
fn number_in(text: &str, unit: &str) -> Option<f64> {
    if let Some(number) = number_of(text) {
        return Some(number);
    }
    let own = [unit, unit.trim_end_matches('s')];
    let own = own.into_iter().filter(|own| !own.is_empty());
    if let Some(number) = own
        .filter_map(|own| text.strip_suffix(own))
        .find_map(number_of)
    {
        return Some(number);
    }
    let (number, typed) = split_unit(text);
    let size = |row: &[(&str, f64)], name: &str| {
        let mut row = row.iter();
        let found = row.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, size)| *size)
    };
    let mut rows = UNITS.into_iter();
    let [typed, own] = rows.find_map(|row| Some([size(row, typed)?, size(row, unit)?]))?;
    Some(number_of(number)? * typed / own)
}

/// A number with all of its digits.
fn exactly(value: f64) -> String {
    if value.fract() == 0.0 && (0.0..1.0e15).contains(&value) {
        with_commas(value as u64)
    } else {
        format!("{value}")
    }
}

pub fn in_words(value: f64, track: Track) -> String {
    if value.is_nan() {
        DIFFER.to_owned()
    } else if track.whole {
        with_commas(value as u64)
    } else if value.abs() >= 100.0 {
        format!("{value:.0}")
    } else if value.abs() >= 10.0 {
        format!("{value:.1}")
    } else if value != 0.0 && value.abs() < 0.1 {
        format!("{value:.3}")
    } else if value != 0.0 && value.abs() < 1.0 {
        // Three figures where the third tells something: a few kilobytes of a small cap decide who has room.
        let text = format!("{value:.3}");
        text.strip_suffix('0').unwrap_or(&text).to_owned()
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPACITY: Slider<'_> = Slider {
        id: "capacity",
        name: "capacity",
        help: "",
        unit: "units",
        track: Track {
            min: 1.0,
            max: 32.0,
            logarithmic: false,
            whole: true,
        },
    };

    #[test]
    fn what_lies_beyond_a_limit_is_cut_and_said() {
        let (value, sentence) = meant(&CAPACITY, "40", 8.0).expect("a number");
        assert_eq!(value, Some(32.0));
        let said = "The limits of 'capacity' are 1 and 32 units: 40 became 32.";
        assert_eq!(sentence.as_deref(), Some(said));
        let (value, sentence) = meant(&CAPACITY, "-3", 8.0).expect("a number");
        assert_eq!(value, Some(1.0));
        assert!(sentence.is_some_and(|sentence| sentence.ends_with("-3 became 1.")));
        assert_eq!(
            meant(&CAPACITY, "inf", 8.0).expect("a number").0,
            Some(32.0)
        );
    }

    #[test]
    fn of_values_that_differ_the_word_stands_and_any_number_is_taken() {
        let differ = f64::NAN;
        assert_eq!(in_words(differ, CAPACITY.track), "differ");
        assert_eq!(unit_of("differ", CAPACITY.unit), "");
        assert_eq!(meant(&CAPACITY, "", differ), Ok((None, None)));
        assert_eq!(meant(&CAPACITY, "12", differ), Ok((Some(12.0), None)));
        let said = meant(&CAPACITY, "wide", differ).unwrap_err();
        assert_eq!(said, "'wide' is no number; capacity stays as it is.");
    }

    #[test]
    fn what_fits_is_taken_without_a_word() {
        assert_eq!(meant(&CAPACITY, "12", 8.0), Ok((Some(12.0), None)));
        let thousands = Slider {
            track: Track {
                max: 1.0e6,
                ..CAPACITY.track
            },
            ..CAPACITY
        };
        assert_eq!(
            meant(&thousands, " 12,000 ", 8.0),
            Ok((Some(12_000.0), None))
        );
    }

    #[test]
    fn a_number_may_have_its_unit_behind_it_or_one_of_its_kind() {
        let of = |unit| Slider {
            unit,
            track: Track {
                min: 0.0,
                max: 1.0e6,
                whole: false,
                ..CAPACITY.track
            },
            ..CAPACITY
        };
        for (unit, typed, value) in [
            ("MB", "295 kB", 0.295),
            ("MB", "0.25 MB", 0.25),
            ("MB", "2gb", 2_000.0),
            ("MB/s", "500 kB/s", 0.5),
            ("m", "1.5km", 1_500.0),
            ("ms", "0.2 s", 200.0),
            ("s", "250 ms", 0.25),
            ("m/s", "12 m/s", 12.0),
            ("\u{d7} size", "3 \u{d7} size", 3.0),
            ("units", "1 unit", 1.0),
            ("units", "1,200 units", 1_200.0),
        ] {
            let meant = meant(&of(unit), typed, 8.0);
            assert_eq!(meant, Ok((Some(value), None)), "{typed}");
        }
        let error = meant(&of("MB"), "3 m", 8.0).expect_err("no memory");
        assert_eq!(error, "'3 m' is not in MB; capacity stays 8.");
        assert!(meant(&of(""), "3 m", 8.0).is_err());
    }

    #[test]
    fn what_is_no_number_or_not_whole_is_said() {
        let error = meant(&CAPACITY, "many", 8.0).expect_err("no number");
        assert_eq!(error, "'many' is no number; capacity stays 8.");
        assert!(meant(&CAPACITY, "NaN", 8.0).is_err());
        let (value, sentence) = meant(&CAPACITY, "2.6", 8.0).expect("a number");
        assert_eq!(value, Some(3.0));
        let said = "'capacity' is a whole number: 2.6 became 3.";
        assert_eq!(sentence.as_deref(), Some(said));
    }

    #[test]
    fn a_value_below_one_shows_the_third_figure_that_was_typed() {
        let track = Track {
            whole: false,
            ..CAPACITY.track
        };
        for (value, text) in [
            (0.295, "0.295"),
            (0.47, "0.47"),
            (0.5, "0.50"),
            (0.05, "0.050"),
            (1.234, "1.23"),
            (0.0, "0.00"),
        ] {
            assert_eq!(in_words(value, track), text);
        }
    }

    #[test]
    fn a_value_that_is_left_as_it_stands_stays_even_beyond_its_track() {
        assert_eq!(meant(&CAPACITY, "64", 64.0), Ok((None, None)));
        assert_eq!(meant(&CAPACITY, " ", 64.0), Ok((None, None)));
    }
}
