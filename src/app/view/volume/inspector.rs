//! What is under the pointer: the query, the region and the unit, for the right panel.

use crate::app::palette::{Palette, faded};
use crate::app::state::App;
use crate::app::theme::{size, text};
use crate::app::view::battle::many_selected;
use crate::app::view::panel::{
    ROW, both_cards, cards_height, facing, has_regions, inspector_caption, load_row, no_regions,
    no_unit_card, query_rows, region_card, size_row, title_of, told_above,
};
use crate::app::widgets::{card, from_to, parted_of, section, stat, with_commas};
use egui_macroquad::egui::{
    Align2, CornerRadius, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use skirmish::partition::{Fact, Role, UnitId};
use skirmish::scene::Side;
use skirmish::story::Place;
use skirmish::volume::{Aabb3, Region3, Vec3};

/// The names of the two sections.
const QUERY: &str = "query under the brush";
const INSPECTOR: &str = "inspector";

/// How high the row of octants is, in points.
const OCTANTS: f32 = 24.0;

/// How many rows a unit has.
const UNIT: usize = 4;

/// How many rows stand there of a region while there is none, and how much higher some of them are, in points: that of octants is.
const REGION: (usize, f32) = (4, OCTANTS - ROW);

/// What each section needs below its caption, in points: it has that whether something is under the pointer or not.
pub fn heights(app: &App) -> [(&'static str, f32); 2] {
    let cards = match app.settings.layout.is_collapsed(INSPECTOR) {
        true => 0.0,
        false => cards_height(app, UNIT, REGION),
    };
    [(QUERY, 100.0), (INSPECTOR, cards)]
}

/// What the query around the point under the pointer took.
pub fn query(ui: &mut Ui, app: &App, palette: &Palette) {
    let radius = format!("r {:.1} m · log", app.brush.radius);
    if !section(ui, palette, QUERY, &radius) {
        return;
    }
    let query = app.lane().frame3.query.as_ref();
    let counters = query.map(|query| (&query.counter, query.hits.len() as u64, query.dropped));
    query_rows(ui, palette, app.alive(), counters, true);
}

/// The region and the unit under the pointer, or the unit that is selected, or what they are pinned to.
pub fn inspector(ui: &mut Ui, app: &mut App, palette: &Palette) {
    if !inspector_caption(ui, app, palette) {
        return;
    }
    let shown = &*app;
    let [(_, query), _] = heights(shown);
    let width = both_cards(
        ui,
        shown,
        ((QUERY, query), UNIT, REGION),
        |ui| unit(ui, shown, palette),
        |ui, least| region(ui, shown, palette, least),
    );
    if let Some(width) = width {
        app.set_selected_width(width);
    }
}

/// The region, or a card that says that there is none.
fn region(ui: &mut Ui, app: &App, palette: &Palette, least: f32) {
    if !has_regions(app) {
        return no_regions(ui, palette);
    }
    let frame = &app.lane().frame3;
    let [pointed, marked] = app.marked_in_tree();
    let in_tree = pointed.or(marked).filter(|_| frame.path.is_empty());
    if let Some(place) = in_tree {
        return region_of_tree(ui, palette, place, least);
    }
    let Some(region) = frame.path.last() else {
        let none = ("no region", "", palette.text_third);
        return region_card(ui, palette, none, least, |ui| {
            for (name, unit) in [("load", "units"), ("x", "m"), ("y", "m"), ("z", "m")] {
                stat(ui, palette, name, "–", unit);
            }
        });
    };
    let right = match region.role {
        Role::Cell | Role::Slot | Role::Oversize => String::new(),
        Role::Inner | Role::Leaf => format!("depth {}", region.depth),
    };
    let title = title_of(region.role, region.id, &frame.facts);
    let about = (title.as_str(), right.as_str(), palette.accent);
    region_card(ui, palette, about, least, |ui| {
        load_row(ui, palette, region.role, region.load, region.capacity);
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (min, max) = (region.bounds.min[axis], region.bounds.max[axis]);
            stat(ui, palette, name, &from_to(min, max), "m");
        }
        octants(ui, palette, &frame.path);
        let told = |fact: &&Fact| told_above(fact, region.id, region.load);
        let facts = frame.facts.iter().filter(|fact| !told(fact));
        for Fact { name, value, unit } in facts {
            stat(ui, palette, *name, &parted_of(name, value), unit);
        }
    });
}

/// The region that is pointed at or marked in the tree, while the pointer is on none of the field.
fn region_of_tree(ui: &mut Ui, palette: &Palette, place: &Place, least: f32) {
    let right = match place.role {
        Role::Cell | Role::Slot | Role::Oversize => String::new(),
        Role::Inner | Role::Leaf => format!("depth {}", place.depth),
    };
    let title = match place.role {
        Role::Cell | Role::Slot | Role::Oversize => place.name(),
        Role::Inner | Role::Leaf => title_of(place.role, place.region, &[]),
    };
    let about = (title.as_str(), right.as_str(), palette.accent);
    region_card(ui, palette, about, least, |ui| {
        load_row(ui, palette, place.role, place.load, place.capacity);
        if let Some(room) = place.room() {
            for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                stat(
                    ui,
                    palette,
                    name,
                    &from_to(room.min[axis], room.max[axis]),
                    "m",
                );
            }
        }
        let below = with_commas(place.below);
        stat(ui, palette, "units here and below", &below, "");
    });
}

/// Those who are selected together. The width that they are to be given.
fn many(ui: &mut Ui, app: &App, palette: &Palette) -> Option<f32> {
    let flight = app.flight.as_ref()?;
    let sides = flight.sides();
    let of_blue = |unit: &&UnitId| sides[**unit as usize] == Side::Blue;
    let blue = app.selection.units().iter().filter(of_blue).count();
    many_selected(ui, app, palette, blue)
}

/// The unit, or a card with as many rows where there is none. The width that who is selected is to be given.
fn unit(ui: &mut Ui, app: &App, palette: &Palette) -> Option<f32> {
    if app.selection.len() > 1 {
        return many(ui, app, palette);
    }
    let pointed = app.looked_at_unit(app.lane());
    let unit = app.selection.one().or(pointed);
    let (Some(flight), Some((unit, at))) = (
        &app.flight,
        unit.and_then(|unit| Some((unit, app.flying(unit)?))),
    ) else {
        let rows: [_; UNIT] = [
            ("position", "m"),
            ("speed", "m/s"),
            ("motion", ""),
            ("hit points", ""),
        ];
        no_unit_card(ui, palette, &rows);
        return None;
    };
    let row = unit as usize;
    let side = flight.sides()[row];
    let name = match side {
        Side::Blue => "blue",
        Side::Orange => "orange",
    };
    let is_selected = app.selection.one() == Some(unit);
    let selected = if is_selected { " · selected" } else { "" };
    let title = format!("unit {unit}{selected}");
    let mut width = None;
    card(
        ui,
        palette,
        &title,
        name,
        (facing(side), palette.side(side)),
        |ui| {
            let place = format!("{:.1}, {:.1}, {:.1}", at.x, at.y, at.z);
            stat(ui, palette, "position", &place, "m");
            let speed = flight.velocities()[row].length();
            stat(ui, palette, "speed", &format!("{speed:.1}"), "m/s");
            stat(ui, palette, "motion", flight.motion_of(unit).name(), "");
            let points = flight.hit_points()[row].to_string();
            stat(ui, palette, "hit points", &points, "");
            if is_selected {
                width = size_row(ui, app, palette);
            }
        },
    );
    width
}

/// The way down from the root, an octant a level: two faces of a box, with the quarter lit that the next one takes of the near or of
/// the far one. Nothing where boxes are not halved.
fn octants(ui: &mut Ui, palette: &Palette, path: &[Region3]) {
    let steps = path.windows(2);
    let Some(steps) = steps
        .map(|pair| octant(pair[0].bounds, pair[1].bounds))
        .collect::<Option<Vec<_>>>()
        .filter(|steps| !steps.is_empty())
    else {
        return;
    };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), OCTANTS), Sense::hover());
    let painter = ui.painter();
    painter.text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        "octants",
        text(size::LABEL),
        palette.text_second,
    );
    // The last ones where there is no room for all.
    let most = ((rect.width() - 60.0) / OCTANT).max(0.0) as usize;
    let shown = &steps[steps.len().saturating_sub(most)..];
    let mut left = rect.right() - OCTANT * shown.len() as f32;
    if shown.len() < steps.len() {
        painter.text(
            pos2(left - 3.0, rect.center().y),
            Align2::RIGHT_CENTER,
            "…",
            text(size::LABEL),
            palette.text_third,
        );
    }
    for octant in shown {
        let corner = pos2(left + OCTANT - 16.0, rect.center().y - 8.0);
        faces(painter, palette, corner, *octant);
        left += OCTANT;
    }
    response.on_hover_text(
        "Which eighth is taken at each level below the root: x goes to the right and z up; the face in front has the lower y.",
    );
}

/// The width of an octant with what is between it and the one before, in points.
const OCTANT: f32 = 22.0;

/// On which side of the middle of a box an eighth of it lies, on each axis; `None` where it is no eighth of it.
fn octant(whole: Aabb3, part: Aabb3) -> Option<[bool; 3]> {
    let (size, off) = (whole.size(), part.center() - whole.center());
    let is_halved = (part.size() * 2.0 - size).abs().cmple(size * 1.0e-3).all();
    let is_aside = (off.abs() * 4.0 - size).abs().cmple(size * 1.0e-2).all();
    let above = off.cmpgt(Vec3::ZERO);
    (is_halved && is_aside).then_some([above.x, above.y, above.z])
}

/// Draws the two faces of a box, 16 points wide and high.
fn faces(painter: &Painter, palette: &Palette, corner: Pos2, [right, far, up]: [bool; 3]) {
    const SIDE: f32 = 11.0;
    const OFF: f32 = 5.0;
    let face = |is_far: bool| {
        let off = if is_far {
            vec2(OFF, 0.0)
        } else {
            vec2(0.0, OFF)
        };
        Rect::from_min_size(corner + off, Vec2::splat(SIDE))
    };
    let none = CornerRadius::ZERO;
    // The face that has it comes last and is lit, or it would be anybody's guess where the two overlap.
    for is_far in [!far, far] {
        let face = face(is_far);
        let is_lit = is_far == far;
        if is_lit {
            let middle = face.center();
            let x = if right {
                middle.x..=face.right()
            } else {
                face.left()..=middle.x
            };
            let y = if up {
                face.top()..=middle.y
            } else {
                middle.y..=face.bottom()
            };
            painter.rect_filled(Rect::from_x_y_ranges(x, y), none, palette.accent);
        }
        let color = if is_lit {
            palette.accent
        } else {
            faded(palette.text_third, 0.6)
        };
        painter.rect_stroke(face, none, Stroke::new(1.0, color), StrokeKind::Inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_octant_is_an_eighth_of_its_parent() {
        let whole = Aabb3::new(Vec3::ZERO, Vec3::new(8.0, 4.0, 2.0));
        let part = Aabb3::new(Vec3::new(4.0, 0.0, 1.0), Vec3::new(8.0, 2.0, 2.0));
        assert_eq!(octant(whole, part), Some([true, false, true]));
        let union = Aabb3::new(Vec3::new(4.0, 0.0, 1.0), Vec3::new(7.0, 2.0, 2.0));
        assert_eq!(octant(whole, union), None);
        assert_eq!(octant(whole, whole), None);
    }
}
