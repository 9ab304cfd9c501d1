//! Where the selected object is and how large, which can be set; and how large its rectangles are.

use crate::app::common_values::WIDTHS;
use crate::app::glossary;
use crate::app::palette::Palette;
use crate::app::stream::Stream;
use crate::app::theme::size;
use crate::app::widgets::{Slider, Track, halves, is_read, metres, parted, slider, stat};
use egui_macroquad::egui::{InputState, Key, Rect, RichText, Ui, pos2};
use skirmish::geometry::{Aabb, Vec2};
use skirmish::streaming::{NeedReach, Rectangles, Settings, WorldObject};

/// The middle of an object, and half of its width and height.
pub type Shape = (Vec2, Vec2);

/// Draws the controls, and what follows from them. Gives the shape that the object is to have; `field` is where the middle of one may be
/// dragged.
pub fn controls(
    ui: &mut Ui,
    palette: &Palette,
    stream: &Stream,
    (number, field): (u32, Aabb),
) -> Option<Shape> {
    /// Of more objects than so many a drag is done when it ends, and so is what arrow keys do that are held: each edit builds the trees of
    /// all anew.
    const MOST_LIVE: usize = 20_000;
    const ARROWS: [Key; 4] = [
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::ArrowUp,
        Key::ArrowDown,
    ];
    let object = *stream.objects().get(number as usize)?;
    let wanted = ui.make_persistent_id("shape wanted");
    let pending: Option<(u32, Shape)> = ui.data(|data| data.get_temp(wanted));
    let pending = pending
        .filter(|(of, _)| *of == number)
        .map(|(_, shape)| shape);
    let shown = pending.unwrap_or((object.center, object.half_extent));
    ui.add_space(6.0);
    let track = track(ui, number, field, shown.0);
    let set = sliders(ui, palette, shown, track);
    extents(ui, palette, &object, stream.settings());
    // A window that has lost the keyboard hears of no key that is let go.
    let has_arrow = |it: &InputState| it.focused && ARROWS.iter().any(|key| it.key_down(*key));
    let is_down = |it: &InputState| it.pointer.any_down() || has_arrow(it);
    let is_held = stream.objects().len() > MOST_LIVE && ui.input(is_down);
    match set.or(pending) {
        Some(shape) if is_held => {
            ui.data_mut(|data| data.insert_temp(wanted, (number, shape)));
            None
        }
        shape => {
            ui.data_mut(|data| data.remove_temp::<(u32, Shape)>(wanted));
            shape
        }
    }
}

/// Where the middle of an object may be dragged that is at `at`: over the field, and to where it is outside of it. While a button is down
/// that stays as it was at the press: the object would carry the end of its own track along, and never come to rest there.
fn track(ui: &Ui, number: u32, field: Aabb, at: Vec2) -> Aabb {
    let id = ui.make_persistent_id("shape track");
    let area = field.join(Aabb::new(at, at));
    if !ui.input(|it| it.pointer.any_down()) {
        ui.data_mut(|data| data.remove::<(u32, Aabb)>(id));
        return area;
    }
    let (of, kept) = ui.data_mut(|data| *data.get_temp_mut_or(id, (number, area)));
    if of == number { kept } else { area }
}

/// The four numbers; the shape that they say, once one of them was set.
fn sliders(ui: &mut Ui, palette: &Palette, shown: Shape, field: Aabb) -> Option<Shape> {
    let (at, half) = shown;
    let along = |min: f32, max: f32| Track {
        min: min.into(),
        max: max.into(),
        logarithmic: false,
        whole: false,
    };
    let what = |id, name, help, track| Slider {
        id,
        name,
        help,
        unit: "m",
        track,
    };
    let middle = format!(
        "The middle of the object is at {}, {}.",
        metres(at.x),
        metres(at.y)
    );
    let sides = format!(
        "The object is {} m wide and {} m high.",
        metres(2.0 * half.x),
        metres(2.0 * half.y)
    );
    let x = what("object.x", "x", &middle, along(field.min.x, field.max.x));
    let y = what("object.y", "y", &middle, along(field.min.y, field.max.y));
    let width = what("object.width", "width", &sides, WIDTHS);
    let height = what("object.height", "height", &sides, WIDTHS);
    let mut set = [[None; 2]; 2];
    let rows = [
        [(x, at.x), (y, at.y)],
        [(width, 2.0 * half.x), (height, 2.0 * half.y)],
    ];
    for (row, set) in rows.iter().zip(&mut set) {
        halves(ui, |ui, is_left| {
            let place = usize::from(!is_left);
            let (what, value) = &row[place];
            set[place] = slider(ui, palette, what, f64::from(*value)).map(|it| it as f32);
        });
    }
    let is_set = set.as_flattened().iter().any(Option::is_some);
    let [[x, y], [width, height]] = set;
    let of_side = |side: Option<f32>, half: f32| side.map_or(half, |side| 0.5 * side);
    let at = Vec2::new(x.unwrap_or(at.x), y.unwrap_or(at.y));
    let half = Vec2::new(of_side(width, half.x), of_side(height, half.y));
    is_set.then_some((at, half))
}

/// How large the rectangles are, and which limit decides where the size of the object does not.
fn extents(ui: &mut Ui, palette: &Palette, object: &WorldObject, settings: &Settings) {
    let rectangles = Rectangles::of(object, settings);
    let top = ui.cursor().min;
    for (name, area) in [
        ("need", rectangles.need),
        ("load", rectangles.load),
        ("unload", rectangles.unload),
    ] {
        let [width, height] = area.size().to_array().map(|side| format!("{side:.1}"));
        let value = format!("{} × {}", parted(&width), parted(&height));
        let name = glossary::of("streaming", name);
        stat(ui, palette, name, &value, "m");
    }
    let end = pos2(ui.max_rect().right(), ui.cursor().top());
    is_read(ui.ctx(), Rect::from_min_max(top, end));
    if let Some(words) = limit_in_words(object, settings) {
        let words = RichText::new(words).size(size::DESCRIPTION);
        ui.label(words.color(palette.text_second));
    }
}

/// Which limit decides how far need reaches, in a sentence, where the size of the object does not.
fn limit_in_words(object: &WorldObject, settings: &Settings) -> Option<String> {
    let reach = NeedReach::of(object, settings);
    let limit = if reach.metres > reach.by_size {
        "least, need min"
    } else if reach.metres < reach.by_size {
        "most, need max"
    } else {
        return None;
    };
    Some(format!(
        "Need reaches {} m beyond the object, at its {limit}: {} × its half extent is {} m.",
        metres(reach.metres),
        metres(settings.need_factor),
        metres(reach.by_size)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_that_decides_is_named_and_no_other() {
        let settings = Settings {
            need_factor: 8.0,
            need_min: 120.0,
            need_max: 420.0,
            ..Settings::default()
        };
        let said = |half: f32| {
            let object = WorldObject {
                center: Vec2::ZERO,
                half_extent: Vec2::new(half, 0.5 * half),
                bytes: 1,
                asset: 0,
            };
            limit_in_words(&object, &settings).unwrap_or_default()
        };
        assert_eq!(
            said(4.25),
            "Need reaches 120 m beyond the object, at its least, need min: 8 × its half extent is 34 m."
        );
        assert_eq!(
            said(100.0),
            "Need reaches 420 m beyond the object, at its most, need max: 8 × its half extent is 800 m."
        );
        assert_eq!(said(20.0), "");
    }
}
