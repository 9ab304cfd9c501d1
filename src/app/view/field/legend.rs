//! The legend: what the colours of the structure's lines and fills mean.

use super::look::Look;
use super::regions::{FULL_CELL, shade};
use crate::app::palette::Palette;
use crate::app::theme::{layout, number};
use crate::app::view::chips::{CHANGED, changed_key, chip};
use crate::app::widgets::{cover, spaced_capitals};
use egui_macroquad::egui::{Align2, CornerRadius, Rect, Stroke, StrokeKind, Ui, pos2, vec2};
use skirmish::observe::RegionView;
use skirmish::partition::Role;

/// Which corner of the picture the legend stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// Above.
    Upper,
    /// Below.
    Lower,
}

/// In how many steps the colours go.
const STEPS: usize = 8;

/// Whether a field has room for a legend so many points wide: most of it is the picture's.
pub fn has_room(field: Rect, width: f32) -> bool {
    field.width() >= width + 2.0 * layout::CHIP && field.height() >= LEAST
}

/// In a lower field there are no legends, in points.
const LEAST: f32 = 200.0;

/// Where it lies; nowhere where there is nothing that has a colour.
pub fn legend_rect(look: &Look<'_>, corner: Corner) -> Option<Rect> {
    if look.lane.frame.regions.list.is_empty() {
        return None;
    }
    let field = look.room;
    let mut width = 62.0 + STEPS as f32 * 17.0;
    // In a pane of several there is no room for it.
    let list = &look.lane.frame.regions.list;
    if corner == Corner::Lower && !has_cells(list) && has_room(field, width + CHANGED + 120.0) {
        width += CHANGED;
    }
    if !has_room(field, width) {
        return None;
    }
    let top = match corner {
        Corner::Upper => field.top() + layout::CHIP,
        Corner::Lower => field.bottom() - layout::CHIP - 30.0,
    };
    let corner = pos2(field.left() + layout::CHIP, top);
    Some(Rect::from_min_size(corner, vec2(width, 30.0)))
}

/// Draws it at the left.
pub fn legend(ui: &Ui, look: &Look<'_>, palette: &Palette, corner: Corner) {
    let Some(rect) = legend_rect(look, corner) else {
        return;
    };
    let regions = &look.lane.frame.regions.list;
    let cells = has_cells(regions);
    let word = if cells { "load" } else { "depth" };
    chip(ui.painter(), palette, rect);
    cover(ui.ctx(), rect);
    spaced_capitals(
        ui.painter(),
        rect.left_center() + vec2(10.0, 0.0),
        word,
        palette.text_third,
    );
    let deepest = regions.iter().map(|region| region.depth).max().unwrap_or(0);
    for step in 0..STEPS {
        let left = rect.left() + 54.0 + step as f32 * 17.0;
        let swatch = Rect::from_min_size(pos2(left, rect.top() + 6.0), vec2(15.0, 7.0));
        let (color, tick) = if cells {
            let load = (step + 1) as f32;
            let more = if load >= FULL_CELL { "+" } else { "" };
            (shade(palette, load), format!("{load}{more}"))
        } else {
            (
                palette.depth[step],
                if deepest > 10 {
                    (step * 2).to_string()
                } else {
                    step.to_string()
                },
            )
        };
        ui.painter().rect_filled(swatch, CornerRadius::ZERO, color);
        if cells {
            // The first of them are as good as nothing without the border that every cell has.
            let line = Stroke::new(1.0, palette.swatch_line());
            let inside = StrokeKind::Inside;
            let painter = ui.painter();
            painter.rect_stroke(swatch, CornerRadius::ZERO, line, inside);
        }
        ui.painter().text(
            pos2(swatch.center().x, rect.top() + 21.0),
            Align2::CENTER_CENTER,
            tick,
            number(9.0),
            palette.text_third,
        );
    }
    let left = rect.left() + 62.0 + STEPS as f32 * 17.0;
    if rect.right() - left > 1.0 {
        changed_key(ui.painter(), palette, pos2(left, rect.center().y));
    }
}

/// Whether they are the cells or slots of one layer: then their load has colours, else their depth.
fn has_cells(regions: &[RegionView]) -> bool {
    let mut all = regions.iter();
    all.any(|region| matches!(region.role, Role::Cell | Role::Slot))
}
