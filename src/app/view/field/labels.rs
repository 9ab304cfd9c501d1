//! What a scene calls its units, beside each of them.

use super::look::Look;
use super::units;
use crate::app::palette::{Palette, faded};
use crate::app::theme::{size, text};
use crate::app::view::marks::name_at;
use egui_macroquad::egui::{Painter, vec2};
use skirmish::partition::UnitId;
use skirmish::scene::Labels;

/// More names than this are a carpet.
const MOST: usize = 200;

/// Writes the names of those who are in view, but for who is `gone` by the step at which one stands: the battle itself stays as it is.
pub fn labels(
    painter: &Painter,
    look: &Look<'_>,
    palette: &Palette,
    (labels, gone): (Option<&Labels>, Option<UnitId>),
) {
    let Some(labels) = labels else { return };
    let bodies = look.battle.bodies();
    let view = look.camera.view();
    let in_view = bodies
        .ids()
        .filter(|unit| Some(*unit) != gone && bodies.aabb(*unit).overlaps(view))
        .take(MOST);
    // Who has come to those who have names is called by a number. Where a few are named among many, the others are nobody in particular.
    let calls_all = match labels {
        Labels::Numbers => true,
        Labels::Names(names) => bodies.count() <= 2 * names.len(),
    };
    let length = units::length(look);
    for unit in in_view {
        let number = unit as usize;
        let name = labels.of(number);
        let Some(name) = name.or_else(|| calls_all.then(|| labels.called(number))) else {
            continue;
        };
        let body = look.camera.rect_to_screen(bodies.aabb(unit));
        let half = units::fitted(look, unit, length) * 0.4;
        // Inside the corner of a body that has room for it, else above.
        let at = if body.width().min(body.height()) >= 40.0 {
            body.left_top() + vec2(12.0, 12.0)
        } else {
            body.center_top() - vec2(0.0, half.max(0.0) + 10.0)
        };
        let color = palette.side_hits[look.battle.sides()[unit as usize] as usize];
        name_at(
            painter,
            at,
            &name,
            text(size::NAME),
            color,
            faded(palette.field, 0.7),
        );
    }
}
